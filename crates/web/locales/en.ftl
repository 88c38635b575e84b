# The texts of the pages. Each id is in nl.ftl too; a test watches over that.

## Everywhere
skip-to-main = Skip to the content
nav-label = Main menu
nav-menu = Menu
nav-overview = Overview
nav-settings = Settings
nav-sign-out = Sign out
foot-api = API documentation
foot-guide = Guide for integrations
copy = Copy
copied = Copied
field-optional = (optional)
faults-title = { $count ->
    [one] One thing is not right yet
   *[other] { $count } things are not right yet
}
done-signed-out = You are signed out.

## First page
welcome-page-title = Bookkeeping for the self-employed
welcome-title = Books that always add up
welcome-lead = Grootboek keeps the books of self-employed people in the Netherlands: invoices, hours and VAT, in double entry and exact to the cent.
welcome-sign-up = Create an account
welcome-sign-in = Sign in
welcome-api = API documentation
welcome-example = Example: one invoice
welcome-example-net = Design, excluding VAT
welcome-example-vat = VAT 21%
welcome-example-total = To pay
welcome-example-entry = This is how it is booked at once
welcome-account = Account
welcome-debit = Debit
welcome-credit = Credit
welcome-box = VAT
welcome-receivables = Receivables
welcome-revenue = Revenue, high rate
welcome-vat-due = VAT due
welcome-books-title = Nothing disappears
welcome-books-text = Every entry stays and is chained to the one before it. A correction is a new entry, so you always see what happened.
welcome-return-title = Your VAT return, explained
welcome-return-text = For each box of the return you see the entries behind it, and how much still stands on drafts.
welcome-connect-title = Connect what you use already
welcome-connect-text = Webshops and time trackers book through an open API, with keys that you manage yourself.

## Overview
home-title = Overview
home-email = E-mail address
home-plan = Plan
home-since = Account since

## API access
access-title = API access
access-lead = Let a web shop, a time tracker or a program of your own work in your books.
access-plan-title = Your plan does not include the API
access-plan-text = The API needs the plan { $minimum } or a higher one; your account is on { $plan }. Ask the operator of this service to change your plan. From that moment on, keys and applications that are listed here work (again).
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
access-create = Make key
access-made-title = Your new key
access-made-warning = Copy the key now and keep it in a safe place: it is shown this once. Whoever has it can do in your books what the key may do.
access-made-try = See that it works, in a terminal
access-made-try-write = The key may only write, so this makes a contact named Test. Repeated, it makes no second one.
access-made-done = Done
access-keys-title = Keys
access-keys-none-text = No keys yet. A key that you make is listed here, with when it was last used.
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
access-connections-none-text = No connected applications. When you connect your books in an application of somebody else, it is listed here and you can disconnect it again.
access-connected-since = Connected since { $at }
access-disconnect = Disconnect
access-disconnect-text = Disconnecting ends the application’s access at once. To use it again you connect it anew in the application itself.
access-calls-title = Last API calls
access-calls-text = The last 100 calls with your keys and by connected applications, the latest first.
access-calls-none-title = No calls yet
access-calls-none-text = This is how a first call looks; put your key where gb_live_… stands:
access-call-at = When
access-call-what = Call
access-call-answer = Answer
access-call-by = By
access-call-gone = Disconnected application
done-key-revoked = The key is revoked.
done-disconnected = The application is disconnected: its access has ended.

## An application asks for access
consent-title = Connect { $app }?
consent-app = Application
consent-account = To the books of
consent-destination = You return to
consent-may = The application may then
consent-until = Access lasts until { $date } at most. You can end it at any time at
consent-trust = Only allow this if you were just asked for it in this application and know who is behind it.
consent-allow = Allow
consent-refuse = Refuse
consent-plan-title = Your plan does not include connections
consent-country-title = Only for accounts in the Netherlands
consent-country-text = Applications can only be connected to the books of accounts that are established in the Netherlands.
consent-back = Back to { $app }
lost-title = This request for access cannot be used
lost-text = An application sent you here to connect it to your books, but its request is not right. Nothing was done.
lost-tell = If you want to use the application, tell its makers:
lost-unreadable = The request holds characters that are not UTF-8.
lost-client-missing = The request does not say, exactly once, which application it is (client_id).
lost-client-unknown = The application is not registered with this service (client_id).
lost-redirect-missing = The request does not say, exactly once, where you are to return to (redirect_uri).
lost-redirect-unknown = The address where you are to return to is not registered for this application (redirect_uri).
onward-title = Back to the application
onward-text = The application’s request for access is not right; it is now told so.
onward-go = Go to { $host }

## When something goes wrong
failure-home = To the first page
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
failure-missing-text = Check the address for typing errors, or begin at the first page.
failure-method-title = This page does not work like that
failure-method-text = The address cannot be asked in this way. Begin at the first page.
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
