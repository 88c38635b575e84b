# Mails to people. What somebody filled in is not in them: else people could send texts of their own through us.
greeting = Hello,
signature =
    Regards,
    Grootboek
    { $base_url }

confirm-sign-up-subject = Confirm your e-mail address for Grootboek
confirm-sign-up =
    An account at Grootboek was requested with this address. Confirm the address within 24 hours:

    { $link }

    Was this not you? Then do not click the link; the account will go by itself.

sign-up-taken-subject = You already have an account at Grootboek
sign-up-taken =
    Somebody, perhaps you yourself, wanted to open an account with this address. There is an account with it already. Sign in here:

    { $link }

    Forgotten the password? On that page you can set a new one. Nothing was changed.

reset-password-subject = Set a new password for Grootboek
reset-password =
    A new password was requested for your account. Set it within an hour:

    { $link }

    Was this not you? Then there is nothing to do: your password is as it was.

password-changed-subject = Your password for Grootboek was changed
password-changed =
    The password of your account was changed just now, and other sessions were ended.

    Was this not you? Then set a new password at once:

    { $link }

confirm-email-change-subject = Confirm your new e-mail address for Grootboek
confirm-email-change =
    Somebody wants to use this e-mail address for their account at Grootboek from now on. Confirm it within 24 hours:

    { $link }

    Was this not you? Then do not click the link; nothing will change.

email-change-taken-subject = This address already has an account at Grootboek
email-change-taken =
    Somebody, perhaps you yourself, wanted to use this e-mail address for another account. That cannot be, because there is an account with
    this address already. Nothing was changed.

email-changed-subject = Your e-mail address for Grootboek was changed
email-changed =
    Your account at Grootboek uses another e-mail address from now on: { $email }

    Was this not you? Then contact the operator of { $base_url } at once.

second-factor-on-subject = Two-step verification for Grootboek is on
second-factor-on =
    Signing in to your account takes a code from your app too from now on. Keep the recovery codes in a safe place.

    Was this not you? Then set a new password at once:

    { $link }

second-factor-off-subject = Two-step verification for Grootboek is off
second-factor-off =
    Signing in to your account takes only your password from now on.

    Was this not you? Then set a new password at once:

    { $link }

recovery-code-used-subject = A recovery code was used to sign in to Grootboek
recovery-code-used =
    Somebody just signed in to your account with a recovery code, in place of a code from your app. That recovery code is used up now.

    Was it not you? Set a new password at once:

    { $link }

recovery-codes-made-subject = New recovery codes for Grootboek
recovery-codes-made =
    New recovery codes were just made for your account. The old ones do not work any more.

    Was it not you? Set a new password at once:

    { $link }

account-closed-subject = Your account at Grootboek is closed
account-closed =
    Your account at Grootboek is closed. Nobody can get in any more; all data is being erased now.

    Was this not you? Then contact the operator of { $base_url } at once.
