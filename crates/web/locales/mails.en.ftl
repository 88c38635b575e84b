# Mails to people. What somebody filled in is not in them: else people could send texts of their own through us.
greeting = Hello,
signature =
    Regards,
    grootboek
    { $base_url }

confirm-sign-up-subject = Confirm your e-mail address
confirm-sign-up =
    An account at grootboek was asked for with this address. Confirm the address within 24 hours:

    { $link }

    Was this not you? Then do not follow the link; the account will go by itself.

sign-up-taken-subject = You have an account already
sign-up-taken =
    Somebody, perhaps you, wanted to open an account with this address. There is an account with it already. Sign in here:

    { $link }

    Forgotten the password? On that page you can set a new one. Nothing was changed.

reset-password-subject = Set a new password
reset-password =
    A new password was asked for your account. Set it within an hour:

    { $link }

    Was this not you? Then there is nothing to do: your password is as it was.

password-changed-subject = Your password was changed
password-changed =
    The password of your account was changed just now, and other sessions were ended.

    Was this not you? Then set a new password at once:

    { $link }

confirm-email-change-subject = Confirm your new e-mail address
confirm-email-change =
    An account at grootboek wants to use this e-mail address from now on. Confirm it within 24 hours:

    { $link }

    Was this not you? Then do not follow the link; nothing will change.

email-change-taken-subject = This address has an account already
email-change-taken =
    Somebody, perhaps you, wanted to use this e-mail address for another account. That cannot be, because there is an account with
    this address already. Nothing was changed.

email-changed-subject = Your e-mail address was changed
email-changed =
    Your account at grootboek uses another e-mail address from now on: { $email }

    Was this not you? Then contact the operator of { $base_url } at once.

second-factor-on-subject = Two-step verification is on
second-factor-on =
    Signing in to your account takes a code from your app too from now on. Keep the recovery codes in a safe place.

    Was this not you? Then set a new password at once:

    { $link }

second-factor-off-subject = Two-step verification is off
second-factor-off =
    Signing in to your account takes only your password from now on.

    Was this not you? Then set a new password at once:

    { $link }

account-closed-subject = Your account is closed
account-closed =
    Your account at grootboek is closed. Nobody can get in any more; all data is being erased now.

    Was this not you? Then contact the operator of { $base_url } at once.
