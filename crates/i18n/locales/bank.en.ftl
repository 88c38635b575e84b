# Bank: accounts, statements and bank lines. Every id is in bank.nl.ftl too.

nav-bank = Bank
bank-parts = Parts of the bank
bank-overview = Overview
bank-title = Bank and balance
bank-text = Your balance in the books and at the bank
bank-book-lines = { $count ->
    [one] Book 1 bank line
   *[other] Book { $count } bank lines
}
bank-empty-text = Import a statement and the account appears here with both balances.
bank-balance-books = Balance in books
bank-balance-bank = Balance at bank
bank-difference = Difference
bank-waiting = To book
bank-gaps = { $count ->
    [one] On 1 day the balance doesn’t match
   *[other] On { $count } days the balance doesn’t match
}
bank-lines-count = { $count ->
    [one] 1 bank line
   *[other] { $count } bank lines
}
bank-months = Months
bank-next-opening = the next day starts with { $amount }
bank-day-status = State
bank-day-ok = Matches
bank-day-unbooked = To be booked
bank-day-gap = Statement missing
bank-day-mismatch = Lines don’t add up
bank-day-unmatched = Difference without bank line
bank-day-ignored = Ignored bank lines
bank-day-unknown = No balance known
bank-day-apart = Only the day differs
bank-apart-later = Entry { $entry } of { $day }, { $amount } { $flow ->
    [out] out
   *[in] in
}, at the bank only on { $line }
bank-apart-earlier = Entry { $entry } of { $day }, { $amount } { $flow ->
    [out] out
   *[in] in
}, at the bank already on { $line }
bank-apart-missing = Entry { $entry } of { $day }, { $amount } { $flow ->
    [out] out
   *[in] in
}, not at the bank yet
bank-apart-more = { $count ->
    [one] and 1 more entry
   *[other] and { $count } more entries
}

unexplained = To be explained
unexplained-text = These amounts are on Suspense (1640). Do you know what it is? Undo the booking of the bank line and book it again.
unexplained-way = Undo and book again
unexplained-way-entry = See the entry
to-refund = To pay back to customers
to-refund-text = These customers paid too much, or got a credit note. Pay it back and book that bank line as Refund. Was the payment for another invoice? Undo the booking of the bank line and book it again.

bank-upload = Import statements
bank-files = Files from your bank
bank-files-hint = CAMT.053, MT940, CSV or zip; at most 20 MB together
bank-upload-more = Account and balance
bank-upload-account = Bank account
bank-upload-account-hint = Only needed if the file names no account
bank-upload-by-file = As the file says
bank-only-euro = Only accounts in euros
bank-only-euro-hint = We skip accounts in other currencies
bank-accept-balance = Even if the lines don’t add up to the closing balance
bank-accept-balance-hint = You’ll see the difference as a warning
bank-preview = Show preview
bank-take = Import bank lines
bank-file-missing = Choose the file that you downloaded from your bank.
bank-upload-expired = This preview is more than a day old. Choose the file again.
bank-file-line = line { $line }
bank-more-faults = { $count ->
    [one] There is 1 more fault.
   *[other] There are { $count } more faults.
}
bank-preview-title = Preview of the statement
bank-preview-text = Nothing has been imported yet.
bank-preview-count = { $count ->
    [0] No new bank lines: everything is here already.
    [one] 1 new bank line
   *[other] { $count } new bank lines
}
bank-preview-cancel = Don’t import
bank-preview-known = This file was imported before

bank-statements-title = Statements
bank-statements-text = The files from your bank, kept for seven years as they came
bank-statements-empty-title = No statements yet
bank-statements-empty-text = Download a statement from your bank and import it here.
bank-statement = Statement
bank-statement-number = Statement { $id }
bank-statement-accounts = Account and days
bank-statement-at = Imported
bank-statement-contents = Contents of the file
bank-statement-period = Days
bank-statement-format = Type of file
bank-statement-file = Download file
bank-statement-lines = Bank lines of this statement
bank-statement-undo-hint = Undo removes the bank lines that only this file contains.
bank-opening = Opening balance
bank-closing = Closing balance
bank-outcome-new = New
bank-outcome-known = Known
bank-outcome-ignored = Ignored
bank-outcome-doubtful = Doubtful
bank-warning-version = This file is CAMT.053 version { $version }, newer than we know. Check the bank lines.
bank-warning-text-cut = A text of more than 1,000 characters was cut. The file itself stays whole.
bank-warning-balance = The bank lines differ by { $difference } from the balance of the bank.
bank-warning-currency = Account { $account } is in { $currency } and was skipped.
bank-warning-iban = { $name } gets IBAN { $iban }. Your invoices show that IBAN too.

bank-lines-title = Bank lines
bank-lines-states = State of the bank lines
bank-lines-new = To book
bank-lines-doubtful = Doubtful
bank-lines-booked = Booked
bank-lines-ignored = Ignored
bank-lines-search = Name, IBAN or description
bank-lines-sums = in { $incoming }, out { $outgoing }
bank-lines-none = No bank lines here
bank-lines-empty-title = Nothing to book
bank-lines-empty-text = All bank lines are booked or ignored.
bank-all-accounts = All bank accounts
bank-line = Bank line
bank-line-number = Bank line { $id }
bank-line-date = Date
bank-line-amount = Amount
bank-line-text = Description
bank-line-outcome = Outcome
bank-line-iban = IBAN
bank-line-end-to-end = Payer’s reference
bank-line-reference = Payment reference
bank-line-original = Original amount
bank-line-part = Payment in the batch
bank-line-note = Note
bank-note-add = Add a note
bank-note-edit = Edit the note
bank-note-changed = Meanwhile it says: “{ $note }”. Saving replaces that.
bank-line-doubtful = Perhaps a duplicate
bank-line-book = Book as
bank-line-is-booked = Booked
bank-line-revenue = This revenue is in no box of your VAT return. Is VAT due on it? Undo the booking, make an invoice, and book the bank line as its payment.
bank-line-is-ignored = Ignored
bank-booked-by = By
bank-booked-by-person = You
bank-booked-by-api = A connection
bank-booked-by-rule = A booking rule
bank-doubt-text = This bank line resembles:
bank-the-same = Same payment
bank-two-payments = Two payments
bank-missing = Left to divide
bank-split = Divide amount
bank-ignore = Ignore
bank-ignore-button = Ignore bank line
bank-ignore-reason = Why
bank-ignored-private = private, booked elsewhere
bank-ignored-duplicate = duplicate
bank-ignored-other = another reason
bank-ignored-before-opening = before the opening balance
bank-ignored-zero-amount = amount of zero
bank-undo-date = Date of the reversal
bank-undo-date-hint = Empty: the day of the bank line
bank-choose = Choose
bank-other-customers = Other customers
bank-other-customer = The bank line is from { $name }, the invoice you chose is for another customer. Is that right?
bank-prepaid-text = A prepayment needs an invoice. Make it first and book the bank line on it. You can book it now: the amount is then on Suspense, under “To be explained”, until you book the bank line on the invoice.
bank-line-unexplained = This amount is on Suspense. Do you know what it is? Undo the booking and book the bank line again.
bank-no-other-half = No bank line

allocation-kinds = Kinds of bookings
allocation-kind = Kind
allocation-number = Part { $number }
allocation-remove = Remove part { $number }
allocation-amount = Amount
allocation-amount-hint = Empty: the rest. With a minus: the other way.
allocation-invoice = Invoice
allocation-refund = Refund
allocation-bill = Bill
allocation-expense = Cost
allocation-vat = VAT
allocation-private = Private
allocation-transfer = Transfer
allocation-payout = Payout
allocation-bank-costs = Bank charges
allocation-interest = Interest
allocation-loan = Loan
allocation-loan-repayment = Loan repayment
allocation-ledger = Ledger account
allocation-existing = Booked before
allocation-expense-back = Money back, not recorded yet
allocation-bill-back = Money back on a recorded credit note
allocation-invoice-twice = Customer paid twice
allocation-unknown = I don’t know yet
allocation-prepaid = Prepayment without invoice
allocation-prepaid-description = Prepayment without invoice
allocation-invoice-id = Invoice
allocation-overpayment = Keep what is too much for your customer
allocation-overpayment-hint = You refund it later
allocation-bill-id = Bill
allocation-vat-period = Return
allocation-oss-period = OSS quarter
allocation-oss-period-hint = For example 2026-Q4, instead of a return
allocation-other-account = Other bank account
allocation-other-half = Bank line at the other side
allocation-other-half-hint = Needed if that account has statements too
allocation-loan-id = Loan
allocation-entry-id = Entry

done-bank-statements-taken = Imported: { $count }.
done-bank-statements-known = This statement was imported before. Nothing has changed.
done-bank-statement-undone = The statement was undone. The file is kept.
done-bank-line-booked = The bank line of { $amount } is booked.
done-bank-line-ignored = The bank line of { $amount } is ignored.
done-bank-line-undone = The bank line of { $amount } is new again.
done-bank-line-noted = The note is saved.
done-bank-line-distinct = This bank line is a payment of its own.

bank-rules-title = Booking rules
bank-rules-text = How we book bank lines that are alike
bank-rules-empty-title = No booking rules yet
bank-rules-empty-text = Book a bank line and make a booking rule of it there.
bank-rule-new = New booking rule
bank-rule-edit = Edit booking rule
bank-rule-of-line = Make a booking rule
bank-book-rule = Book and make a booking rule
bank-rule-name = Name
bank-rule-position = Order
bank-rule-position-hint = If two booking rules fit, the lowest applies
bank-rule-conditions = For which bank lines
bank-rule-conditions-hint = All that you enter must hold. Enter at least IBAN, creditor ID, name or description.
bank-rule-booking = Book as
bank-rule-by-itself = Books by itself
bank-rule-yes = yes
bank-rule-no = no
bank-rule-direction = In or out
bank-rule-any = in and out
bank-rule-in = in
bank-rule-out = out
bank-rule-creditor-id = Creditor ID
bank-rule-name-contains = Name contains
bank-rule-text-contains = Description contains
bank-rule-amount-from = Amount from
bank-rule-amount-to = Amount up to
bank-rule-of-name = name contains “{ $part }”
bank-rule-of-text = description contains “{ $part }”
bank-rule-least = from { $amount }
bank-rule-most = up to { $amount }
bank-rule-show-fields = Show the fields of this kind
bank-rule-edit-hint = After a change the booking rule books by itself only once you choose that again.
bank-rule-preview = The last 12 months
bank-rule-new-lines = To be booked
bank-rule-agreed = Booked like this
bank-rule-contradicted = Booked in another way
bank-rule-more = { $count ->
    [one] and 1 more bank line
   *[other] and { $count } more bank lines
}
bank-rule-automatic-hint = For now the booking rule only suggests. If the bank lines above are right, it can book them by itself.
bank-rule-make-automatic = Let it book by itself
bank-rule-manual-hint = This booking rule books new bank lines by itself.
bank-rule-make-manual = Only suggest from now on
bank-rule-changed = The booking rule was just changed. First see if the bank lines are still right.
done-bank-rule-created = The booking rule is created. It suggests, and doesn’t book by itself yet.
done-bank-rule-saved = The booking rule is saved.
done-bank-rule-automatic = The booking rule now books by itself.
done-bank-rule-manual = The booking rule now only suggests.
done-bank-rule-archived = The booking rule is archived.
done-bank-rule-restored = The booking rule applies again.

bank-mappings-title = Column layouts
bank-mappings-text = How we read CSV files of a bank that we don’t know
bank-mappings-empty-title = No column layouts yet
bank-mappings-empty-text = Import a CSV file that we don’t know. You then assign its columns once.
bank-mapping = Column layout
bank-mapping-new = Assign columns
bank-mapping-new-text = Choose what each column contains. We then read the next file with the same head immediately.
bank-mapping-choice-hint = Only needed if we don’t recognise the file
bank-mapping-id = mappingId in the API
bank-mapping-name = Name
bank-mapping-name-hint = For example the name of the bank
bank-mapping-rows = First rows of the file
bank-mapping-notation = How the file is written
bank-mapping-delimiter = Character between columns
bank-mapping-semicolon = semicolon (;)
bank-mapping-comma = comma (,)
bank-mapping-tab = tab
bank-mapping-bar = bar (|)
bank-mapping-encoding = Character set
bank-mapping-detect = we find out
bank-mapping-head-rows = Rows before the first bank line
bank-mapping-date-format = Form of the date
bank-mapping-date-format-hint = D, M and Y are digits of day, month and year
bank-mapping-decimal = Character before the cents
bank-mapping-decimal-comma = comma: 1.234,56
bank-mapping-decimal-point = point: 1,234.56
bank-mapping-decimal-either = the last character: both
bank-mapping-columns = Columns
bank-mapping-none = Not in the file
bank-mapping-date = Date
bank-mapping-amount = Amount
bank-mapping-amount-hint = Not if out and in have a column each
bank-mapping-debit = Amount out
bank-mapping-credit = Amount in
bank-mapping-sign = In or out
bank-mapping-sign-hint = If a word says whether it’s in or out
bank-mapping-out-words = Words for out
bank-mapping-out-words-hint = With commas between them, such as: out, debit
bank-mapping-invert = Swap in and out
bank-mapping-invert-hint = As on credit card statements
bank-mapping-counterparty = Name of the other party
bank-mapping-iban = IBAN of the other party
bank-mapping-text = Description { $number }
bank-mapping-more = More columns
bank-mapping-balance = Balance after the bank line
bank-mapping-account = Own account
bank-mapping-currency = Currency
bank-mapping-reference = Reference of the bank
bank-mapping-value-date = Value date
bank-mapping-account-later = I choose it when I import
bank-mapping-bank-account-hint = If the file doesn’t name its account
bank-mapping-calculate = Read first rows
bank-mapping-result = How we read the first rows
bank-mapping-line = Row
bank-mapping-not-date = “{ $value }” doesn’t fit { $format }.
bank-mapping-no-date = There is no date here.
bank-mapping-not-amount = “{ $value }” isn’t an amount.
bank-mapping-no-amount = There is no amount here.
bank-mapping-other-currency = No bank line in euros
bank-mapping-absent = The file has no column with that name.
bank-mapping-nothing = The file has no row after these. Choose fewer rows.
bank-mapping-save = Save column layout
bank-mapping-delete = Delete
bank-preview-mapping = Read with column layout { $name }.
done-bank-mapping-saved = The column layout is saved. Nothing has been imported yet.
done-bank-mapping-deleted = The column layout was deleted. The bank lines stay.
