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
access-lead = Let a web shop, a time tracker or a program of your own work in your books.
access-plan-title = Your plan does not include the API
access-plan-text = For the API you need at least the plan { $minimum }; you are on { $plan } now. Ask the operator of this service to change your plan.
access-plan-again = From that moment on, the keys and applications that are listed here work again.
access-new-title = Make a key
access-new-text = A key is like a password for a program. Give each program a key of its own, so that you can revoke one without stopping the others.
access-name = Name
access-name-hint = Which program will use it? For example: web shop
access-name-fault = Give the key a name of at most 255 characters.
access-scopes = What may the key do?
access-scope-fault = Choose at least one: read or write.
access-read = Read
access-read-hint = See invoices, contacts, projects, hours, entries, VAT returns and annual figures
access-write = Write
access-write-hint = Make and change invoices, payments, contacts and hours
access-write-hint-abroad = Record time on projects. Only accounts in the Netherlands can book invoices, payments, contacts and hours for the hours criterion.
access-file = Mark returns as filed
access-file-hint = Mark VAT returns as filed and reopen them. A filed quarter takes no more entries with VAT.
access-create = Make key
access-made-before = A key was made since you opened this form. You find it in the list below. If you want another one, send the form again.
access-made-title = Your new key
access-made-warning = Copy the key now and keep it in a safe place: it is shown this once. Whoever has it can do in your books what the key may do.
access-made-try = Try it in a terminal
access-made-try-write = The key may only write, so this makes a contact named Test. Running it again makes no second one.
access-made-done = Done
access-keys-title = Keys
access-keys-none-text = No keys yet. A key that you make is listed here, with when it was last used.
access-keys-plan-text = No keys yet. Your plan does not include the API, so you cannot make one now.
access-key-made = Made { $at }
access-key-revoked = Revoked { $at }
access-used = Last used { $at }
access-used-from = Last used { $at } from { $address }
access-unused = Never used
access-revoke = Revoke
access-revoke-sure = Programs that use this key are refused from that moment on. A revoked key cannot be brought back.
access-revoke-yes = Yes, revoke this key
access-revoked-title = { $count ->
    [one] 1 revoked key
   *[other] { $count } revoked keys
}
access-connections-title = Connected applications
access-connections-none-text = No connected applications. When you connect your books from another application, it is listed here and you can disconnect it again.
access-connected-since = Connected since { $at }
access-disconnect = Disconnect
access-disconnect-sure = The application then loses access at once. To use it again, connect it anew from the application itself.
access-disconnect-yes = Yes, disconnect this application
access-calls-title = Last API calls
access-calls-text = The last 100 calls with your keys and by connected applications, the latest first.
access-calls-none-title = No calls yet
access-calls-none-text = This is how a first call looks; put your key where gb_live_… stands:
access-calls-plan-text = Your plan does not include the API.
access-call-nowhere = unknown address
access-call-gone = Disconnected application
done-key-revoked = The key is revoked.
done-disconnected = The application is disconnected and has no access any more.

## An application asks for access
consent-title = Connect { $app }?
consent-app = Application
consent-account = To the books of
consent-destination = You return to
consent-may = The application may then
consent-until = Access lasts until { $date } at most. You can end it at any time at
consent-trust = Only allow this if you yourself just clicked to connect in this application and know who is behind it.
consent-allow = Allow
consent-refuse = Refuse
consent-plan-title = Your plan does not include connections
consent-country-title = Only for accounts in the Netherlands
consent-country-text = Applications can only be connected to the books of accounts that are established in the Netherlands.
consent-back = Back to { $app }
lost-title = This request to connect is not right
lost-text = An application sent you here to connect it to your books, but the request is not right. Nothing was done.
lost-tell = Do you want to use the application? Then pass this code on to its makers:
lost-unreadable = The request holds characters that are not UTF-8.
lost-client-missing = The request lacks client_id, or has it more than once.
lost-client-unknown = The application is not registered with this service (client_id).
lost-redirect-missing = The request lacks redirect_uri, or has it more than once.
lost-redirect-unknown = The address where you are to return to is not registered for this application (redirect_uri).
onward-title = Back to the application
onward-text = The application’s request to connect is not right; it is being told so.
onward-go = Go to { $host }

## When something goes wrong
failure-home = To the home page
failure-request = If you ask for help, mention this number:
failure-foreign-title = This form came from another site
failure-foreign-text = Your browser says that another website sent this form, so nothing was done. Open Grootboek itself and try again there.
failure-stale-title = This page has expired
failure-stale-text = The form belongs to an earlier session, or your browser keeps no cookies. Nothing was done. Go back, reload the page and send the form again.
failure-malformed-title = The form cannot be read
failure-malformed-text = It holds characters that are not UTF-8. Nothing was done. Go back, reload the page and send the form again.
failure-no-form-title = This is not a form
failure-no-form-text = This page expects a form as a browser sends it. Programs use the API.
failure-missing-title = This page does not exist
failure-missing-text = Check the address for typing errors, or begin at the home page.
failure-method-title = This page does not work like that
failure-method-text = The address cannot be asked in this way. Begin at the home page.
failure-large-title = The form is too large
failure-large-text = Nothing was done. Shorten the text and send the form again.
failure-often-title = One moment, please
failure-often-text = Too many requests came shortly after one another. Wait a little and try again.
failure-away-title = Not reachable just now
failure-away-text = We cannot answer at the moment. Try again shortly; nothing was half-saved.
failure-broken-title = Something went wrong on our side
failure-broken-text = Nothing was half-saved. Try again; if it keeps going wrong, tell the operator.
failure-refused-title = That cannot be done
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
field-email = E-mail address
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
field-vat-number = VAT identification number
field-iban = IBAN
field-payment-term = Payment term in days
field-number-pattern = Pattern of invoice numbers
field-language = Language of pages and e-mails
hint-new-password = At least 8 characters; 12 or more is better. A few words in a row work best.
hint-country = Can be changed until the first invoice or booking.
hint-kvk-number = 8 digits
hint-vat-number = Your VAT id: NL, 9 digits, B, 2 digits. Not your “omzetbelastingnummer”.
hint-vat-number-abroad = With the country code first, as on your own invoices
hint-iban = The account that customers pay to
hint-payment-term = From invoice date to due date, 0 to 365 days
hint-number-pattern = With {"{year}"} and {"{number}"}, each once. {"{number:4}"} gives at least four digits.
fault-email = Enter an e-mail address, such as name@example.com.
fault-choice = Choose something from the list.
fault-wait-seconds = { $seconds ->
    [one] That went wrong too often. Try again in 1 second.
   *[other] That went wrong too often. Try again in { $seconds } seconds.
}
fault-wait-minutes = { $minutes ->
    [one] That went wrong too often. Try again in 1 minute.
   *[other] That went wrong too often. Try again in { $minutes } minutes.
}
fault-sign-in = E-mail address and password do not belong together. Check both.
fault-password = This is not your password.
fault-code = This code is wrong or was used before. Wait for the next code in your app.
fault-code-empty = Enter a code.
fault-recovery-code = This recovery code is wrong or was used before; each one works once. Try another one of your list.
fault-code-form = No code looks like this. A code from your app has six digits, a recovery code has 24 letters and digits.
fault-no-seal-key = Codes from your app do not work just now. Use a recovery code or ask the operator for help.
fault-confirm-password = This is not the password that you chose when you created your account. Was it somebody else? Then choose “Forgot your password”.
fault-close-email = Type the e-mail address of your account exactly.
fault-close-kept = Confirm that you have kept your records.

## Done
done-confirmed = Your e-mail address is confirmed. Welcome to Grootboek!
done-password-set = Your new password is set. Sign in with it.
done-password-changed = Your password is changed; other sessions are signed out.
done-password-keys = API keys and connected applications keep working. Do you not trust one? Revoke it:
done-entry = See the entry
undo = Undo
done-nothing-saved = You were signed out; nothing was saved. Sign in and send the form again.
done-saved = The settings are saved.
done-session-ended = That session is signed out.
done-sessions-ended = All other sessions are signed out.
done-email-mailed = Click the link in the e-mail that we sent to the new address. Until then your address stays as it was.
done-email-changed = Your e-mail address is changed.
done-second-factor-off = Two-step verification is off.
done-closed = Your account is closed. Its data are being erased now.

## Signing up
sign-up-title = Create an account
sign-up-lead = Begin with your e-mail address. You confirm it by a link that we send you.
sign-up-name-hint = Appears on your invoices; you can change it later.
sign-up-button = Create account
sign-up-known = Do you have an account already?
sign-up-closed-title = You cannot create an account here yourself
sign-up-closed-text = Ask the operator for an account, or sign in if you have one.
sent-title = Check your inbox
sent-look = Nothing there? Check your spam folder too.
sent-again = Send another link
sign-up-sent-text = We sent an e-mail. Click the link in it within 24 hours, and your account is ready.
confirm-again-title = Send the confirmation link again
confirm-again-text = If the account with this address still waits for confirmation, we send a new link.
confirm-again-button = Send link
confirm-title = Confirm your account
confirm-text = Enter the password that you chose when you created your account. Then we know that it is you.
confirm-button = Confirm and sign in
confirm-spent-text = The link was used before or is too old. If you have confirmed already, sign in.
link-spent-title = This link does not work any more

## Signing in
sign-in-title = Sign in
sign-in-button = Sign in
sign-in-new = No account yet?
sign-in-no-mail = Is your account new? It waits until you click the link in our e-mail. If this was its password, we have just sent that link again, unless you had several already.
password-forgot-link = Forgot your password?
code-title = Second step
code-text = Enter the code of six digits that your app shows now.
code-recovery = No access to the app? Enter one of your recovery codes.
code-other = Sign in with another account
forgot-title = Forgot your password
forgot-text = We send you a link by which you choose a new password.
forgot-button = Send link
forgot-sent-text = If there is an account with this address, we sent a link. The link is valid for an hour.
reset-title = Choose a new password
reset-text = Then you are signed out everywhere and sign in again.
reset-button = Set password
reset-spent-text = The link was used before or is older than an hour. Ask for a new one.
fresh-title = Confirm that it is you
fresh-text = Enter your password once more before you go on.
fresh-button = Go on

## Settings
settings-company = Company details
settings-company-text = These details appear on your invoices.
settings-numbers = Numbers
settings-invoices = Invoices
settings-preview = Your next invoice of this year then gets the number
settings-language = Language
settings-language-browser = Same as my browser
security-title = Security
security-sign-in = Signing in
security-change-email = Change e‑mail address
security-change-password = Change password
security-password-text = Choose a password that you use nowhere else.
password-change-text = You are signed out on other devices.
email-change-text = We send a link to the new address. Nothing changes before you click it.
email-change-now = Current address
email-change-new = New e-mail address
email-change-button = Send link
email-confirm-title = Confirm your new e‑mail address
email-confirm-text = After that you sign in with this address, and our messages go there.
email-confirm-button = Use this address
email-spent-text = The link was used before or is too old, or the address has another account by now.
second-factor-title = Two-step verification
second-factor-is-on = On
second-factor-is-off = Off
second-factor-why = Then your password alone is not enough: a code from an app is needed too.
second-factor-unavailable = Two-step verification is not set up on this server. Ask the operator for it.
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
second-factor-type = Cannot scan? Type this key into the app.
second-factor-prove = Enter the code that the app shows
second-factor-finish = Turn on
second-factor-done = Two-step verification is on.
recovery-codes-title = Your recovery codes
recovery-codes-text = If you lose your phone, you sign in with one of these codes. Each works once.
recovery-codes-once = We show them only now. Keep them in your password manager or on paper.
recovery-codes-kept = I have kept them
recovery-codes-new-title = New recovery codes
recovery-codes-new-text = You get ten new codes. The old ones stop working.
recovery-codes-new-button = Make new codes
sessions-title = Where you are signed in
sessions-text = Do you not recognise a session? Sign it out and change your password.
sessions-unknown = Unknown browser
sessions-this = This session
sessions-seen = last seen { $moment }
sessions-end = Sign out
sessions-end-others = Sign out everywhere else
events-title = Activity on your account
events-text = What matters, of the last ninety days, and the last of the rest. In Dutch time.
events-times = { $count } times in a row
event-signed-up = Account created
event-email-confirmed = E-mail address confirmed
event-signed-in = Signed in
event-sign-in-failed = Wrong password
event-code-failed = Wrong code after the right password
event-recovery-code-used = Recovery code used
event-signed-out = Signed out
event-session-ended = A session signed out
event-sessions-ended = Other sessions signed out
event-password-changed = Password changed
event-password-reset-requested = Link for a new password requested
event-password-reset = Password set anew
event-email-change-requested = Another e-mail address requested
event-email-changed = E-mail address changed
event-second-factor-on = Two-step verification turned on
event-second-factor-off = Two-step verification turned off
event-recovery-codes-made = New recovery codes made
event-settings-changed = Settings changed
event-data-exported = Data downloaded
event-key-created = API key made
event-key-revoked = API key revoked
event-application-connected = Application connected
event-application-disconnected = Application disconnected
event-token-reused = Application disconnected: a token was used twice
event-other = Other
event-by-operator = by the operator
data-title = Your data
export-title = Download your data
export-text = Everything that we keep of you, in one file.
export-long = You get a JSON file with your account, invoices, entries, hours and returns. Amounts are in cents, hours in hundredths. Passwords and keys are not in it.
export-button = Download
close-title = Close account
close-short = Deletes your account and all of your books.
close-long = Your account is closed at once. Signing in, keys and connections stop working, and all data are erased. This cannot be undone.
close-duty = As an entrepreneur you must keep your records for seven years (article 52 AWR), also when your account is gone. Download your data first.
close-kept = I have kept my records
close-email = Type your e-mail address to confirm
close-email-hint = The address of your account is { $email }
close-button = Close account for good

# Why a command was not carried out, where no single field is to blame
refused-period-filed = Q{ $quarter } { $year } has been filed. Choose a date in a quarter that is still open.
refused-period-not-over = This quarter isn’t over yet. Mark it as filed after that.
refused-period-not-filed = This quarter hasn’t been filed, so there is nothing to reopen.
refused-not-a-draft = This invoice has been sent and no longer changes. Create a credit note or a copy.
refused-is-written-off = Something of this invoice is written off. Undo the write-off first, then credit it.
refused-is-a-draft = This invoice is still a draft. Send it first.
refused-is-a-credit-note = This is a credit note, which isn’t paid or credited. Choose the invoice itself.
refused-already-credited = This invoice has been credited in full. Create a new one if something is to be paid after all.
refused-is-an-asset = This is the purchase of an asset. Undo the asset and record it anew.
refused-already-disposed = This asset was sold or written off already.
refused-receipt-in-use = This receipt was booked, so its file is kept for seven years.
refused-project-archived = This project is archived. Restore it or choose another.
refused-already-invoiced = This is on an invoice already, so the hours do not change. Credit the invoice first.
refused-timer-running = A timer is running already. Stop or discard it first.

# Changed meanwhile
changed-title = This has changed meanwhile
changed-text = It was just changed in another window or through the API. Compare both versions; what you typed is still here. Nothing has been saved yet.
changed-field = Field
changed-typed = You entered
changed-now = It is now
kept-sign-in = Your session had ended. Nothing is saved yet, but what you filled in is kept: sign in and you can still send it.
kept-title = You are signed in again
kept-text = What you filled in is still here. Send it, and it goes on as you meant.
kept-send = Send it now
kept-drop = Don’t send it
