# What pages of several areas share: menu, forms, notices and faults. Each id is in frame.nl.ftl too; a test watches over that.

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
keys-undo = Undo what was done last
keys-bank-line = The next, the previous bank line
keys-bank-kind = Invoice, bill, cost, private, transfer, ledger account
keys-bank-suggestion = Choose a suggestion
keys-bank-tick = Tick the bank line
keys-bank-certain = Book the certain bank lines
keys-space = space
keys-bank-book = Book, and on to the next
keys-show = Show this list
keys-close = Close
pager-rows = { $first } – { $last } of { $total }
pager-label = Pages
pager-previous = Previous
pager-next = Next
nav-sign-out = Sign out
docs-title = Documentation
docs-guides = Guides
docs-api = API
docs-errors = Errors
docs-changelog = Changelog
docs-books = To your books
docs-no-script = This page needs JavaScript. The same is in the description:
foot-api = API documentation
foot-guide = Guide for integrations
copy = Copy
copied = Copied
field-optional = optional
faults-title = { $count ->
    [one] Check this field
   *[other] Check these { $count } fields
}

## Plans
plan-free = Free
plan-starter = Starter
plan-pro = Pro

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
failure-dutch-title = Only for businesses in the Netherlands
failure-dutch-text = Invoices, expenses and VAT returns follow the Dutch rules here. With your account you can keep projects and hours.
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
field-email = Email address
field-password = Password
field-name = Name or company name
field-country = Country
field-street = Street and house number
field-postal-code = Postal code
field-city = Town
field-kvk-number = KvK number
field-vat-number = VAT ID

## Done
done-entry = View the entry
undo = Undo
done-nothing-saved = You were signed out; nothing was saved. Sign in and try again.

## Why a command was not carried out, where no single field is to blame
refused-period-filed = The VAT return for { $period } has been filed. Choose a later date, or tick “Book as a correction” if you see it below.
refused-kor-has-taxed-invoices = There are invoices with VAT from that day on: { $invoices }. Credit them in full first, or withdraw the draft.
refused-kor-has-taxed-sales = Assets were sold with VAT from that day on: { $assets }. Undo the sale first, and record it again without VAT after the change.
refused-kor-has-taxed-private-use = Private use was booked with VAT from that day on: { $bookings }. Undo it first, and record it again without VAT after the change.
refused-setting-filed = The VAT return for { $period } has been filed. Choose a first day in an open period, or reopen that return first.
refused-filed-already = The return for { $period } has already been filed. Reopen it first to file it again.
refused-list-filed = The ICP declaration for { $period } has already been filed. Reopen it first to file it again.
refused-list-not-filed = This ICP declaration has not been filed.
refused-oss-filed = The OSS return for { $period } has been filed. Reopen it first.
refused-oss-not-filed = This OSS return has not been filed.
refused-oss-not-registered = You are not registered for the Union scheme (OSS) on { $day }. Record your registration first.
refused-too-old-for-oss = The OSS return for { $period } is too old to be corrected: that is possible until three years after its due date. Turn to the tax office of the other country.
refused-period-not-over = This period isn’t over yet. Mark it as filed after that.
refused-period-not-filed = This period hasn’t been filed, so there is nothing to reopen.
refused-other-period = You don’t file VAT by quarter. Use { $first }{ $several ->
    [yes] { " " }to { $last }
   *[no] {""}
 }.
refused-cancelled = This draft has been cancelled: it is not sent, paid or credited. Its number stays used; create a new invoice or a copy.
refused-not-a-draft = This invoice has been sent and no longer changes. Create a credit note or a copy.
refused-is-written-off = Part of this invoice is written off. Undo the write-off first, then credit it.
refused-is-a-draft = This invoice is still a draft. Send it first.
refused-is-a-credit-note = This is a credit note, which isn’t paid or credited. Choose the invoice itself.
refused-is-set-off = What remains of this prepayment is set off on a final invoice. Credit or withdraw that invoice first.
refused-already-credited = This invoice has been credited in full. Create a new one if something is to be paid after all.
refused-is-an-asset = This is the purchase of an asset. Undo it under Assets and book it again.
refused-already-disposed = This asset has already been sold or scrapped.
refused-account-in-use = This account has a balance, so it cannot be hidden. Book the balance on another account first.
refused-account-of-program = This account belongs to the program and can be neither renamed nor hidden. Add an account of your own instead.
refused-bank-account-in-use = This bank account has a balance, so it cannot be archived. Transfer the balance to another account first.
refused-bank-account-has-lines = This bank account still has new bank lines, so it cannot be archived. Book or ignore them first.
refused-lines-booked = Bank lines of this statement are booked, so it cannot be undone. Undo those bookings first.
refused-too-many-statements = You took { $most } statements within the last hour. Try again in an hour.
refused-already-booked = This bank line is booked already. Undo that booking first.
refused-line-ignored = This bank line is ignored. Undo that first.
refused-paid-by-bank-line = A bank line paid this expense. Its total and payment only change if you undo the bank line first.
refused-booked-from-bank-line = This booking belongs to a bank line with more bookings. Undo the bank line.
refused-already-in-batch = One of these bills is already in another payment batch. Cancel that batch first, or leave the bill out.
refused-batch-paid = The bank has paid a bill of this batch, so it can’t be cancelled.
refused-batch-outdated = Less is due on a bill in this batch than the batch pays. Cancel the batch and make a new one.
refused-batch-cancelled = This batch is cancelled, so it has no payment file any more. Make a new batch.
refused-no-payee = The IBAN to pay to is missing. Fill it in at the bill, or at the supplier under Contacts.
refused-nothing-due = Nothing is to be paid on this expense.
refused-not-booked = This bank line is neither booked nor ignored, so there is nothing to undo.
refused-nothing-to-book = The amount of this bank line is 0.00 euros, so there is nothing to book. It stays ignored.
refused-stale-suggestion = The books have changed, and this suggestion no longer fits. Look at the line again.
refused-is-default = This bank account is the default of its kind. Make another account the default first.
refused-receipt-in-use = This receipt belongs to an entry, so its file is kept for seven years.
refused-project-archived = This project is archived. Restore it or choose another.
refused-nothing-to-invoice = This project has no hours to invoice yet.
refused-already-invoiced = These hours are on an invoice already and no longer change. Withdraw the draft first, or credit the invoice.
refused-webhook-disabled = Nothing is sent to a webhook that is switched off. Switch it on first.
refused-timer-running = A timer is running already. Stop or discard it first.
refused-no-timer = No timer is running any more. Perhaps it was stopped in another window.
refused-quote-draft = The quote is still a draft. Send it first.
refused-quote-sent = The quote is sent and no longer changes. Create a new version.
refused-quote-accepted = The quote is accepted already. Reopen it first.
refused-quote-refused = The quote is declined. Reopen it or create a new version.
refused-quote-expired = The quote has expired. Create a new version.
refused-quote-is-invoiced = The quote is invoiced already.
refused-quote-withdrawn = The quote is withdrawn. Reopen it first.
refused-quote-replaced = A newer version of this quote is sent. Withdraw that one first.
refused-quote-has-invoice = An invoice was created from this quote. Credit it first, or withdraw the draft.
refused-quote-invoiced = This quote is invoiced already. Credit that invoice first, or withdraw the draft.
refused-recurring-ended = This recurring invoice has ended. Create a new one.
refused-occurrence-made = This invoice was made already.
refused-occurrence-skipped = This invoice was skipped already.
refused-occurrence-planned = The day of this invoice has not come yet.
refused-too-many-active = There are { $most } active recurring invoices, which is as many as may be. End or pause one first.
refused-reminded-recently = Your customer got a reminder of this invoice recently. The next one can go from { $day } on.
refused-reminders-stopped = The reminders of this invoice or this customer are stopped. Resume them first.
refused-reminders-stopped-until = The reminders of this invoice are stopped up to { $day }. Resume them first.
refused-too-many-mails = { $most } emails about invoices went out in the last 24 hours already, which is as many as may in a day. Send this one tomorrow, or in another way.

## Changed meanwhile
changed-title = This has changed in the meantime
changed-text = It was just changed in another window or through the API. Compare both versions; what you typed is still here. Nothing has been saved yet.
changed-look = This was changed in the meantime, in another window or through the API. Nothing was done: look at what it says now, then try again.
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
