# Identity: signing up and in, security and one’s own data. Every id is also in identity.nl.ftl.

## Done
done-signed-out = You are signed out.
done-confirmed = Your email address is confirmed. Welcome to Grootboek!
done-password-set = Your new password is set. Sign in with it.
done-password-changed = Your password is changed; other sessions are signed out.
done-password-keys = API keys and connected apps keep working. Don’t trust one? Revoke it:
done-session-ended = That session is signed out.
done-sessions-ended = All other sessions are signed out.
done-email-mailed = Click the link in the email that we sent to the new address. Until then your address stays as it was.
done-email-changed = Your email address is changed.
done-second-factor-off = Two-step verification is off.
done-closed = Your account is deleted. Its data is being erased now.

## Fields and their faults
field-current-password = Current password
field-new-password = New password
field-code = Code
hint-new-password = At least 8 characters; 12 or more is better. A few words in a row work best.
fault-wait-seconds = { $seconds ->
    [one] That went wrong too often. Try again in 1 second.
   *[other] That went wrong too often. Try again in { $seconds } seconds.
}
fault-wait-minutes = { $minutes ->
    [one] That went wrong too often. Try again in 1 minute.
   *[other] That went wrong too often. Try again in { $minutes } minutes.
}
fault-sign-in = Your email address or password is incorrect.
fault-password = This isn’t your password. Try again.
fault-code = This code is wrong or was used before. Wait for the next code in your app.
fault-recovery-code = This recovery code is wrong or was used before; each one works once. Try another one from your list.
fault-code-form = Enter the 6 digits from your app, or a recovery code.
fault-no-seal-key = Codes from your app don’t work just now. Use a recovery code or ask the operator for help.
fault-confirm-password = This isn’t the password you just chose. Didn’t create this account yourself? Choose “Forgot your password”.
fault-close-email = Type the email address of your account exactly.
fault-close-kept = Confirm that you have kept your records.

## Signing up
sign-up-title = Create account
sign-up-lead = Start with your email address; we’ll send a link to confirm it.
sign-up-name-hint = Appears on your invoices; you can change it later.
sign-up-button = Create account
sign-up-known = Already have an account?
sign-up-closed-title = You can’t create an account here yourself
sign-up-closed-text = Ask the operator for an account, or sign in if you have one.
sent-title = Check your inbox
sent-look = Nothing there? Check your spam folder too.
sent-again = Send another link
sign-up-sent-text = We sent an email. Click the link in it within 24 hours, and your account is ready.
confirm-again-title = Send the confirmation link again
confirm-again-text = If the account with this address is still waiting for confirmation, we’ll send a new link.
confirm-again-button = Send link
confirm-title = Confirm your account
confirm-text = Enter the password you just chose. Then we know that it’s you.
confirm-button = Confirm and sign in
confirm-spent-text = The link was used before or is too old. If you have confirmed already, sign in.
link-spent-title = This link doesn’t work any more

## Signing in
sign-in-title = Sign in
sign-in-button = Sign in
sign-in-new = No account yet?
sign-in-failed = Signing in didn’t work
sign-in-no-mail = Account not confirmed yet? Check your mailbox or ask for a new link.
password-forgot-link = Forgot your password?
code-title = One more step: your code
code-text = Enter the code of six digits that your app shows now.
code-recovery = No access to the app? Enter one of your recovery codes.
code-other = Sign in with another account
forgot-title = Forgot your password
forgot-text = We’ll send you a link to choose a new password.
forgot-button = Send link
forgot-sent-text = If there is an account with this address, we sent a link. The link is valid for an hour.
reset-title = Choose a new password
reset-text = You are then signed out everywhere and sign in again.
reset-button = Set password
reset-spent-text = The link was used before or is older than an hour. Ask for a new one.
fresh-title = Confirm that it is you
fresh-text = Enter your password once more before you go on.
fresh-button = Go on

## Security and one’s own data
security-title = Security
security-sign-in = Signing in
security-change-email = Change email address
security-change-password = Change password
security-password-text = Choose a password that you use nowhere else.
password-change-text = You are signed out on other devices.
email-change-text = We’ll send a link to the new address. Nothing changes before you click it.
email-change-now = Current address
email-change-new = New email address
email-change-button = Send link
email-confirm-title = Confirm your new email address
email-confirm-text = After that you sign in with this address, and our messages go there.
email-confirm-button = Use this address
email-spent-text = The link was used before or is too old, or the address has another account by now.
second-factor-title = Two-step verification
second-factor-is-on = On
second-factor-is-off = Off
second-factor-why = You then sign in with your password and a code from an app.
second-factor-unavailable = Two-step verification isn’t set up on this server. Ask the operator for it.
second-factor-codes-left = { $count ->
    [one] 1 recovery code left
   *[other] { $count } recovery codes left
}
second-factor-on-button = Set up two-step verification
second-factor-off-button = Turn off
second-factor-off-title = Turn off two-step verification
second-factor-off-text = Then your password is enough to sign in. Your recovery codes expire.
second-factor-text = You need an authenticator app, such as that of your password manager or phone.
second-factor-scan = Scan the code with your app
second-factor-qr = QR code for your authenticator app
second-factor-type = Can’t scan? Type this key into the app.
second-factor-prove = Enter the code that the app shows
second-factor-finish = Turn on
second-factor-done = Two-step verification is on.
recovery-codes-title = Your recovery codes
recovery-codes-text = If you lose your phone, you sign in with one of these codes. Each works once.
recovery-codes-once = We show them only now. Keep them in your password manager or on paper.
recovery-codes-kept = I have kept them
recovery-codes-new-title = New recovery codes
recovery-codes-new-text = You get ten new codes. The old ones stop working.
recovery-codes-new-button = Create new codes
sessions-title = Where you are signed in
sessions-text = Don’t recognise a session? Sign it out and change your password.
sessions-unknown = Unknown browser
sessions-this = This session
sessions-seen = last seen { $moment }
sessions-end = Sign out
sessions-end-others = Sign out everywhere else
events-title = Activity on your account
events-text = Important events of the last 90 days (Dutch time)
events-times = { $count } times in a row
event-signed-up = Account created
event-email-confirmed = Email address confirmed
event-signed-in = Signed in
event-sign-in-failed = Wrong password
event-code-failed = Wrong code after the right password
event-recovery-code-used = Recovery code used
event-signed-out = Signed out
event-session-ended = A session signed out
event-sessions-ended = Other sessions signed out
event-password-changed = Password changed
event-password-reset-requested = Link for a new password requested
event-password-reset = Password reset
event-email-change-requested = Another email address requested
event-email-changed = Email address changed
event-second-factor-on = Two-step verification turned on
event-second-factor-off = Two-step verification turned off
event-recovery-codes-made = New recovery codes created
event-settings-changed = Settings changed
event-data-exported = Data downloaded
event-key-created = API key created
event-key-revoked = API key revoked
event-webhook-created = Webhook added
event-webhook-changed = Webhook changed
event-webhook-removed = Webhook removed
event-application-connected = App connected
event-application-disconnected = App disconnected
event-token-reused = App disconnected: an access code was used twice
event-other = Other
event-by-operator = by the operator
data-title = Your data
export-title = Download everything
export-text = Everything we store about you, in one file.
export-long = You get a JSON file with your account, invoices, entries, hours and returns. Amounts are in cents, hours in hundredths. Passwords and keys aren’t in it.
export-button = Download
close-title = Delete account
close-short = Deletes your account and all of your books.
close-long = Everything is erased immediately; keys and connections stop. This can’t be undone.
close-duty = As an entrepreneur you must keep your records for seven years (article 52 AWR), and those of sales under OSS for ten years (article 28sj Wet OB 1968), even after your account is gone. Download your data first.
close-kept = I have kept my records
close-email = Type your email address to confirm
close-email-hint = The address of your account is { $email }
close-button = Delete account for good
