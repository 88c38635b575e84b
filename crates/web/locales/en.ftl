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
