# The texts of the pages. Each id is in nl.ftl too; a test watches over that.

## Everywhere
skip-to-main = Skip to the content
nav-label = Main menu
nav-menu = Menu
nav-overview = Overview
nav-settings = Settings
nav-sales = Sales
nav-costs = Costs
nav-time = Time
nav-tax = Tax
nav-new = New
nav-search = Search
keys-title = Keyboard shortcuts
keys-new = New on this page
keys-send = Send the form
keys-show = Show this list
keys-close = Close
pager-rows = { $first } – { $last } of { $total }
pager-label = Pages
pager-previous = Previous
pager-next = Next
nav-sign-out = Sign out
foot-api = API documentation
foot-guide = Guide for integrations
copy = Copy
copied = Copied
field-optional = optional
faults-title = { $count ->
    [one] Check this field
   *[other] Check these { $count } fields
}
done-signed-out = You are signed out.

## First page
welcome-page-title = Bookkeeping for the self-employed
welcome-title = Books that always add up
welcome-lead = Bookkeeping for the self-employed: invoices, hours and VAT you can check to the cent.
welcome-sign-up = Create account
welcome-sign-in = Sign in
welcome-api = API documentation
welcome-example = Example: one invoice
welcome-example-net = Design, excluding VAT
welcome-example-vat = VAT 21%
welcome-example-total = To pay
welcome-example-entry = And this is how it’s booked
welcome-account = Account
welcome-debit = Debit
welcome-credit = Credit
welcome-box = Box
welcome-receivables = Receivables
welcome-revenue = Revenue, high rate
welcome-vat-due = VAT due
welcome-books-title = Nothing disappears
welcome-books-text = Every entry stays and is linked to the one before it. A correction is a new entry, so you always see what happened.
welcome-return-title = Your VAT return, explained
welcome-return-text = For each box of your VAT return you see the entries behind it and what is still a draft.
welcome-connect-title = Connect what you already use
welcome-connect-text = Your web shop or time tracker books by itself; you decide what it may do.

## Overview
plan-free = Free
plan-starter = Starter
plan-pro = Pro

## API access
access-title = API access
access-lead = Connect your web shop, time tracker or own program.
access-plan-title = Your plan doesn’t include the API
access-plan-text = For the API you need at least the plan { $minimum }; you are on { $plan } now. Ask the operator of this service to change your plan.
access-plan-again = From that moment on, the keys and apps listed here work again.
access-new-title = New key
access-new-text = A key is like a password for a program. Give each program a key of its own, so that you can revoke one without stopping the others.
access-name = Name
access-name-hint = Which program will use it? For example: web shop
access-name-fault = Give the key a name of at most 255 characters.
access-scopes = What may the key do?
access-scope-fault = Choose at least one: read or write.
access-read = Read
access-read-hint = See invoices, contacts, projects, hours, entries, VAT returns and annual figures
access-write = Write
access-write-hint = Create and change invoices, payments, contacts and hours
access-write-hint-abroad = Record time on projects. Only accounts in the Netherlands can book invoices, payments, contacts and hours for the hours criterion.
access-file = Mark returns as filed
access-file-hint = Mark VAT returns as filed and reopen them. No more VAT can be booked in a filed quarter.
access-create = Create key
access-made-before = A key was created since you opened this form. You find it in the list below. If you want another one, choose “Create key” again.
access-made-title = Your new key
access-made-warning = Copy the key now: we show it once. Whoever has it can do everything you allowed it.
access-made-try = Try it in a terminal
access-made-try-write = The key may only write, so this creates a contact named Test. Running it again doesn’t create a second one.
access-made-done = Done
access-keys-title = Keys
access-keys-none-text = No keys yet. A key you create is listed here, with when it was last used.
access-keys-plan-text = No keys yet. Your plan doesn’t include the API, so you can’t create one now.
access-key-made = Created { $at }
access-key-revoked = Revoked { $at }
access-used = Last used { $at }
access-used-from = Last used { $at } from { $address }
access-unused = Never used
access-revoke = Revoke
access-revoke-sure = Programs using this key stop working immediately. This can’t be undone.
access-revoke-yes = Revoke key
access-revoked-title = { $count ->
    [one] 1 revoked key
   *[other] { $count } revoked keys
}
access-connections-title = Connected apps
access-connections-none-text = No connected apps. If you connect Grootboek in another app, it appears here; you can always disconnect it.
access-connected-since = Connected since { $at }
access-disconnect = Disconnect
access-disconnect-sure = The app then loses access immediately. To use it again, connect it again from the app itself.
access-disconnect-yes = Disconnect app
access-calls-title = Last API calls
access-calls-text = The last 100 calls with your keys and by connected apps, the latest first.
access-calls-none-title = No calls yet
access-calls-none-text = Make a first call like this; replace gb_live_… with your own key:
access-calls-plan-text = Your plan doesn’t include the API.
access-call-nowhere = unknown address
access-call-gone = Disconnected app
done-key-revoked = The key is revoked.
done-disconnected = The app is disconnected and has no access any more.

## An app asks for access
consent-title = Connect { $app }?
consent-app = App
consent-account = To the books of
consent-destination = You return to
consent-may = The app may then
consent-until = Access lasts until { $date }. You can end it any time under
consent-trust = Only allow this if you yourself just clicked to connect in this app and know who is behind it.
consent-allow = Allow
consent-refuse = Refuse
consent-plan-title = Your plan doesn’t include connections
consent-country-title = Only for accounts in the Netherlands
consent-country-text = Apps can only be connected to the books of accounts that are established in the Netherlands.
consent-back = Back to { $app }
lost-title = Connecting didn’t work
lost-text = The app’s request is incomplete or unknown. Nothing has changed.
lost-tell = Do you want to use the app? Then pass this code on to its makers:
lost-unreadable = We can’t read a character in the request (not UTF-8).
lost-client-missing = The request lacks client_id, or has it more than once.
lost-client-unknown = The app isn’t registered with this service (client_id).
lost-redirect-missing = The request lacks redirect_uri, or has it more than once.
lost-redirect-unknown = The address where you are to return to isn’t registered for this app (redirect_uri).
onward-title = Back to the app
onward-text = The app’s request to connect didn’t work; the app is being told now.
onward-go = Go to { $host }

## When something goes wrong
failure-home = To the home page
failure-request = Need help? Mention this number:
failure-foreign-title = This form came from another site
failure-foreign-text = Your browser says that another website sent this form, so nothing was done. Open Grootboek itself and try again there.
failure-stale-title = This page has expired
failure-stale-text = You were away too long or your browser blocks cookies. Nothing was saved. Reload the page and try again.
failure-malformed-title = The form can’t be read
failure-malformed-text = We can’t read a character in the text. Nothing was saved. Remove unusual characters and try again.
failure-no-form-title = This isn’t a form
failure-no-form-text = This page expects a form as a browser sends it. Programs use the API.
failure-missing-title = This page doesn’t exist
failure-missing-text = Check the address for typos or go to the home page.
failure-method-title = This page doesn’t work like that
failure-method-text = This address can’t be opened this way. Go to the home page.
failure-large-title = The form is too large
failure-large-text = Nothing was saved. Shorten the text and try again.
failure-often-title = One moment, please
failure-often-text = Too many requests came shortly after one another. Wait a moment and try again.
failure-away-title = Not reachable just now
failure-away-text = We can’t answer at the moment. Try again shortly; nothing was half-saved.
failure-broken-title = Something went wrong on our side
failure-broken-text = Nothing was half-saved. Try again; if it keeps going wrong, tell the operator.
failure-refused-title = That can’t be done
failure-refused-text = The request could not be carried out. Go back and try again.

## Common in forms
save = Save
cancel = Cancel
edit = Edit
archive = Archive
restore = Restore
delete = Delete
state-active = Active
state-archived = Archived
language-nl = Nederlands
language-en = English
field-email = Email address
field-password = Password
field-current-password = Current password
field-new-password = New password
field-name = Name or company name
field-country = Country
field-code = Code
field-street = Street and house number
field-postal-code = Postal code
field-city = Town
field-kvk-number = KvK number
field-vat-number = VAT ID
field-iban = IBAN
field-payment-term = Payment term in days
field-number-pattern = Pattern of invoice numbers
field-language = Language of pages and emails
hint-new-password = At least 8 characters; 12 or more is better. A few words in a row work best.
hint-country = You can change this until your first invoice or entry.
hint-kvk-number = 8 digits
hint-vat-number = NL, 9 digits, B, 2 digits, such as NL002455799B11. Not your “omzetbelastingnummer”.
hint-vat-number-abroad = With the country code first, as on your own invoices
hint-iban = The bank account that customers pay into
hint-payment-term = From invoice date to due date, 0 to 365 days
hint-number-pattern = With {"{year}"} and {"{number}"}, each once. {"{number:4}"} gives at least four digits.
fault-email = Enter an email address, such as name@example.com.
fault-choice = Choose something from the list.
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
fault-code-empty = Enter a code.
fault-recovery-code = This recovery code is wrong or was used before; each one works once. Try another one from your list.
fault-code-form = Enter the 6 digits from your app, or a recovery code.
fault-no-seal-key = Codes from your app don’t work just now. Use a recovery code or ask the operator for help.
fault-confirm-password = This isn’t the password you just chose. Didn’t create this account yourself? Choose “Forgot your password”.
fault-close-email = Type the email address of your account exactly.
fault-close-kept = Confirm that you have kept your records.

## Done
done-confirmed = Your email address is confirmed. Welcome to Grootboek!
done-password-set = Your new password is set. Sign in with it.
done-password-changed = Your password is changed; other sessions are signed out.
done-password-keys = API keys and connected apps keep working. Don’t trust one? Revoke it:
done-entry = View the entry
undo = Undo
done-nothing-saved = You were signed out; nothing was saved. Sign in and try again.
done-saved = The settings are saved.
done-session-ended = That session is signed out.
done-sessions-ended = All other sessions are signed out.
done-email-mailed = Click the link in the email that we sent to the new address. Until then your address stays as it was.
done-email-changed = Your email address is changed.
done-second-factor-off = Two-step verification is off.
done-closed = Your account is deleted. Its data is being erased now.

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
sign-in-no-mail = Is your account new? Confirm your email address first, with the link in our email. If this was the right password, we’ve just sent that link again, unless you had several already.
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

## Settings
settings-company = Company details
settings-company-text = These details appear on your invoices.
settings-numbers = Numbers
settings-invoices = Term and numbers
settings-preview = Your next invoice gets number
settings-language = Language
settings-language-browser = Same as my browser
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
close-duty = As an entrepreneur you must keep your records for seven years (article 52 AWR), even after your account is gone. Download your data first.
close-kept = I have kept my records
close-email = Type your email address to confirm
close-email-hint = The address of your account is { $email }
close-button = Delete account for good

# Why a command was not carried out, where no single field is to blame
refused-period-filed = Q{ $quarter } { $year } has been filed. Choose a date in a quarter that is still open.
refused-filed-already = The return of { $quarter } has already been filed. Reopen it first to file it again.
refused-period-not-over = This quarter isn’t over yet. Mark it as filed after that.
refused-period-not-filed = This quarter hasn’t been filed, so there is nothing to reopen.
refused-not-a-draft = This invoice has been sent and no longer changes. Create a credit note or a copy.
refused-is-written-off = Part of this invoice is written off. Undo the write-off first, then credit it.
refused-is-a-draft = This invoice is still a draft. Send it first.
refused-is-a-credit-note = This is a credit note, which isn’t paid or credited. Choose the invoice itself.
refused-already-credited = This invoice has been credited in full. Create a new one if something is to be paid after all.
refused-is-an-asset = This is the purchase of an asset. Undo it under Assets and book it again.
refused-already-disposed = This asset has already been sold or scrapped.
refused-receipt-in-use = This receipt belongs to an entry, so its file is kept for seven years.
refused-project-archived = This project is archived. Restore it or choose another.
refused-already-invoiced = These hours have been invoiced and no longer change. Credit the invoice first.
refused-timer-running = A timer is running already. Stop or discard it first.

# Changed meanwhile
changed-title = This has changed in the meantime
changed-text = It was just changed in another window or through the API. Compare both versions; what you typed is still here. Nothing has been saved yet.
changed-field = Field
changed-typed = You entered
changed-now = It is now
kept-sign-in = Your session had ended. Nothing is saved yet, but what you filled in is kept: sign in and you can still send it.
kept-title = You are signed in again
kept-text = What you filled in is still here. Send it, and it continues as you meant.
kept-send = Send it now
kept-drop = Don’t send it
done-dropped = This form was sent before. What you changed in it since is not saved.
kept-file = The file { $file } doesn’t go along. You choose it again on the next page.
kept-file-fault = Choose { $file } again: the file wasn’t kept when your session ended.
