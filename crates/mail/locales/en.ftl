# Mails to people. They contain no text that a user entered: otherwise people could send texts of their own through us.
greeting = Hello,
signature =
    Regards,
    Grootboek
    { $base_url }

confirm-sign-up-subject = Confirm your email address for Grootboek
confirm-sign-up =
    Someone asked for a Grootboek account with this address. Click this link within 24 hours to create it:

    { $link }

    Wasn’t this you? You don’t have to do anything; the request expires by itself.

sign-up-taken-subject = You already have an account at Grootboek
sign-up-taken =
    Someone, perhaps you yourself, wanted to create an account with this address. There is already an account with it. Sign in here:

    { $link }

    Forgot your password? On that page you can set a new one. Nothing was changed.

reset-password-subject = Set a new password for Grootboek
reset-password =
    A new password was requested for your account. Set it within an hour:

    { $link }

    Wasn’t this you? You don’t have to do anything: your password hasn’t changed.

password-changed-subject = Your password for Grootboek was changed
password-changed =
    The password of your account was changed just now; you were signed out on other devices.

    Wasn’t this you? Set a new password now:

    { $link }

confirm-email-change-subject = Confirm your new email address for Grootboek
confirm-email-change =
    Someone wants to use this email address for their Grootboek account from now on. Confirm it within 24 hours:

    { $link }

    Wasn’t this you? Then don’t click the link; nothing will change.

email-change-taken-subject = This address already has an account at Grootboek
email-change-taken =
    Someone, perhaps you yourself, wanted to use this email address for another account. That isn’t possible, because there is already an
    account with this address. Nothing was changed.

email-changed-subject = Your email address for Grootboek was changed
email-changed =
    Your account at Grootboek uses another email address from now on: { $email }

    Wasn’t this you? Contact the operator of { $base_url } immediately.

second-factor-on-subject = Two-step verification for Grootboek is on
second-factor-on =
    From now on you also need a code from your app to sign in. Keep the recovery codes in a safe place.

    Wasn’t this you? Set a new password now:

    { $link }

second-factor-off-subject = Two-step verification for Grootboek is off
second-factor-off =
    From now on you only need your password to sign in.

    Wasn’t this you? Set a new password now:

    { $link }

recovery-code-used-subject = A recovery code was used to sign in to Grootboek
recovery-code-used =
    Someone just signed in to your account with a recovery code instead of a code from your app. That recovery code is used up now.

    Wasn’t this you? Set a new password now:

    { $link }

recovery-codes-made-subject = New recovery codes for Grootboek
recovery-codes-made =
    New recovery codes were just created for your account. The old ones no longer work.

    Wasn’t this you? Set a new password now:

    { $link }

bank-account-changed-subject = A bank account in Grootboek was changed
bank-account-changed =
    In your account an IBAN was changed just now, or another bank account appears on your invoices. Your customers pay to the IBAN on your invoices.

    Wasn’t this you? Check your bank accounts, and set a new password now:

    { $link }

account-closed-subject = Your account at Grootboek is deleted
account-closed =
    Your account at Grootboek is deleted. Nobody can sign in to it any more; all data is being erased now.

    Wasn’t this you? Contact the operator of { $base_url } immediately.

webhook-disabled-subject = Grootboek no longer sends to your webhook
webhook-disabled =
    Your webhook { $url } has not taken messages for three days, or said that it no longer exists. Grootboek has switched it off.

    Nothing in your books is lost: a program that connects again can read everything it missed. See what was answered and switch the webhook on again here:

    { $link }

kor-limit-near-subject = Your turnover is close to the limit of the KOR
kor-limit-near =
    Your turnover of { $year } has reached 95 percent of the limit of the small businesses scheme (KOR). The sale that passes the limit is itself taxed: charge VAT on it, and tell the tax office that the KOR has ended.

    See how much is left and which sales count:

    { $link }

quote-note = The note says: { $note }
quote-step-refused = The invoice that should follow was not made. The page of the quote tells why.

quote-accepted-subject = Quote { $number } is accepted
quote-accepted =
    { $name } accepted quote { $number } to { $customer } for { $total }.{ $more }

    { $link }

quote-refused-subject = Quote { $number } is declined
quote-refused =
    { $name } declined quote { $number } to { $customer } for { $total }.{ $more }

    { $link }

recurring-refused-subject = The recurring invoice to { $customer } is paused
recurring-refused =
    The invoice to { $customer } could not be made ({ $cause }), so its recurring invoice is paused. Nothing was booked or sent.

    Solve the cause and resume it here:

    { $link }

recurring-bounced-subject = The recurring invoice to { $customer } is paused
recurring-bounced =
    Two emails with invoices did not reach { $customer }, so the recurring invoice is paused.

    Check the email address and resume it here:

    { $link }

recurring-postponed-subject = Your recurring invoices wait for a while
recurring-postponed =
    Your account has sent as many emails as it may in 24 hours. The other recurring invoices are made and mailed as soon as there is room again.

    { $link }

reminders-postponed-subject = Your reminders wait for a while
reminders-postponed =
    Your account has sent as many emails as it may in 24 hours. The other reminders are sent as soon as there is room again.

    { $link }
