# Tax: VAT and the year. Every id is in tax.nl.ftl too.

nav-vat = VAT
vat-title = VAT { $period }
vat-periods-text = Returns by month, quarter or year, as the settings say.
vat-period = Period
vat-state = Status
vat-state-filed = Filed
vat-state-so-far = So far
vat-state-to-file = To file
vat-state-late = Late
vat-state-refile = To file again
vat-state-suppletie = Supplementary return due
vat-state-none = Nothing to file
vat-list-paid = paid
vat-list-received = received
vat-list-left = { $amount } still to pay
vat-list-back = { $amount } still to come back
vat-file-by = File by
vat-pay-by = Payment due by
vat-to-pay = To pay
vat-to-receive = To get back
vat-paid-on = Paid on
vat-received-on = Refund received on
vat-undone = undone
vat-left = Still to pay
vat-left-to-receive = Still to get back
vat-weekend = { $day } falls in a weekend. The money must arrive in time, so pay on the Friday before.
vat-reference = The tax office (Belastingdienst) shows its account number and your payment reference (16 digits) once you have filed.
vat-payment-method = Paid from
vat-refund-date = Date received
vat-refund-record = Refund received
vat-check = Check
vat-check-open = { $count ->
    [one] 1 open point
   *[other] { $count } open points
}
vat-check-drafts = { $count ->
    [one] 1 draft already counts: { $vat } of VAT that you don’t owe yet
   *[other] { $count } drafts already count: { $vat } of VAT that you don’t owe yet
}
vat-check-no-drafts = No drafts
vat-see-drafts = Drafts
vat-check-receipts = { $count ->
    [one] 1 receipt is waiting to be booked
   *[other] { $count } receipts are waiting to be booked
}
vat-check-receipts-text = The VAT on a receipt is only deducted once its expense is booked.
vat-check-unexplained = { $count ->
    [one] 1 amount to be explained: { $amount }
   *[other] { $count } amounts to be explained: { $amount }
}
vat-check-unexplained-text = If it is revenue or a cost, its VAT may belong in this return.
vat-see = View
vat-check-before = The return for { $period } hasn’t been filed yet
vat-check-negative = Box { $boxes } is negative
vat-check-negative-text = That may be right, because of a credit note for example. Check it.
vat-check-waiting-moves = { $count ->
        [one] One invoice was paid before its VAT period
       *[other] { $count } invoices were paid before their VAT period
    }
vat-check-waiting-moves-text = The VAT is due on the day of the payment. A return is already filed; move the VAT as a correction on the invoice:
vat-check-old-debtors = { $count ->
        [one] One invoice is a year overdue: write it off and its VAT comes back in this return
       *[other] { $count } invoices are a year overdue: write them off and their VAT comes back in this return
    }
vat-check-old-bills = { $count ->
        [one] One bill is unpaid for a year: you owe { $vat } of deducted VAT again
       *[other] { $count } bills are unpaid for a year: you owe { $vat } of deducted VAT again
    }
vat-check-not-negative = No negative boxes
vat-check-icp = ICP declaration and box 3b differ by { $amount }
vat-check-icp-text = Every customer in the declaration needs a VAT ID.
vat-check-icp-fits = ICP declaration matches box 3b
vat-check-private = Private use, box 1d: nothing entered
vat-check-private-text = This is the last return of the year. If you also use a business car or goods privately, that belongs here.
vat-check-corrected = Correction to this period: { $amount } of VAT
vat-check-corrected-text = Booked after filing; its VAT is in a later return.
vat-boxes = Copy to the tax office’s form
vat-boxes-text = Copy the amounts marked ‘to enter’. Choose a box to see the entries behind it.
vat-box = Box
vat-part-1 = 1 Netherlands
vat-part-2 = 2 Reverse-charged to you
vat-part-3 = 3 To other countries
vat-part-4 = 4 From other countries
vat-part-5 = 5 Total
vat-turnover-exact = Revenue, exact
vat-vat-exact = VAT, exact
vat-turnover-declared = Revenue, to enter
vat-vat-declared = VAT, to enter
vat-turnover-word = revenue
vat-vat-word = VAT
vat-corrects = Correction of { $period }
vat-behind-sum = { $count ->
    [one] 1 entry, equal to box { $box }
   *[other] { $count } entries, equal to box { $box }
}
vat-behind-part = Some of the entries
vat-rounding = You declare whole euros, rounded in your favour: VAT due down, input VAT up. The difference of { $amount } is booked as rounding when you file.
vat-rounded = You declared whole euros, rounded in your favour: VAT due down, input VAT up. The difference of { $amount } was booked as a rounding difference when you filed.
vat-filing = Filed?
vat-file = Mark as filed
vat-file-anyway = { $count ->
    [one] Mark as filed, with 1 open point
   *[other] Mark as filed, with { $count } open points
}
vat-file-text = Grootboek sends nothing to the tax office: file there first. The period is then frozen: what you book afterwards goes in your next return or in a supplementary return (suppletie).
vat-suppletie-text = This period has been filed before. If the difference from the earlier return is more than { $most } of VAT, report it within eight weeks as a supplementary return (suppletie).
vat-filed-on = Marked as filed on { $moment } (version { $version }).
vat-reopen = Reopen return
vat-reopen-text = Forgot something? Up to { $most } of VAT you can book as a correction; the VAT then goes in your next return. Turnover without VAT has no limit. If it is more: reopen the return, book it on its own date, mark it as filed again and file a supplementary return (suppletie) within eight weeks.
vat-other-unit = You don’t file VAT by quarter. This page adds up the quarter; file these returns:
vat-not-over = The period is still running. You can file the return from { $day }.
vat-versions = What changed
vat-versions-same = Every box has stayed the same.
vat-old = Before
vat-new = Now
vat-difference = Difference
vat-version = Version { $version }: { $amount }
vat-reopened-on = reopened on { $moment }
vat-icp = ICP declaration
vat-icp-text = Supplies to businesses in other EU countries, in whole euros
vat-icp-country = Country
vat-icp-number = VAT ID
vat-icp-goods = Goods
vat-icp-services = Services
vat-icp-triangular = Triangular
vat-icp-total = Total
vat-icp-all = { $amount } in all, the same as box 3b.
done-vat-filed = The return of { $amount } is marked as filed; no more VAT can be booked in this period.
done-vat-reopened = The return is reopened. What you declared before stays below.
done-vat-paid = Payment of { $amount } recorded and booked.
done-vat-received = Refund of { $amount } recorded and booked.
done-vat-payment-undone = Payment of { $amount } undone with a reversal.
done-vat-refund-undone = Refund of { $amount } undone with a reversal.
kor-notice = You use the small businesses scheme (KOR): you charge no VAT, deduct no VAT, and only file a return if box 2a, 4a or 4b has something in it.
kor-counter = Your revenue towards the limit of the KOR
vat-payments-title = VAT paid and refunded
vat-payments-about = What you paid the tax office or got back. It’s no cost.
vat-payments-empty-title = No VAT paid or refunded yet
vat-payments-empty-text = What you record here or on a return is in your books immediately.
vat-payment-no-period = No particular return
vat-payment-direction = Kind
vat-payment-paid = Paid to the tax office
vat-payment-received = Refund received
refused-correction-too-large = With this entry the corrections of { $period } come to { $vat } of VAT. A later return may carry at most €1,000. Reopen the return, book this on its own date and file a supplementary return (suppletie) within eight weeks.
refused-year-closed = { $year } is closed. Choose a later date or reopen { $year }.
refused-year-not-closed = { $year } isn’t closed, so there is nothing to reopen.
refused-year-not-over = { $year } isn’t over yet. You can close it from 1 January.
refused-nothing-to-revise = There is no VAT on assets to revise for { $year }, or the revision is already booked.
refused-row-changed = A row has changed meanwhile. Nothing was booked; check the rows below again.
correction = Book as a correction
correction-hint = It stays on its own date; the VAT goes in your next return.
correction-again = Try again

nav-year = Year
year-title = Year { $year }
year-closed = Closed
year-left = { $count ->
    [one] 1 point left
   *[other] { $count } points left
}
year-after-tax = After tax
year-result = Result
year-account = Account
year-drafts = { $count ->
    [one] 1 draft counts here: { $amount } of revenue.
   *[other] { $count } drafts count here: { $amount } of revenue.
}
year-cash = Cash flow
year-cash-opening = Money at the start
year-cash-closing = Money at the end
year-profit = Profit
year-cash-depreciation = Depreciation (costs no money)
year-cash-working-capital = To receive, to pay and VAT
year-cash-investments = Investments
year-cash-loans = Loans
year-cash-private = Private
year-balance = Balance sheet on { $day }
year-balance-so-far = Balance sheet so far
year-audit-file = Audit file (XAF)
year-assets = Assets
year-debts-and-equity = Liabilities and equity
year-private = Private this year
year-todo = To finish
year-todo-return = File VAT { $period }
year-todo-drafts = { $count ->
    [one] 1 draft counts
   *[other] { $count } drafts count
}
year-todo-unsettled = { $account }: { $amount } to sort out
year-todo-depreciation = No depreciation booked yet
year-todo-before = { $year } isn’t closed yet
year-todo-hours = Hours criterion: { $hours } of 1,225 hours
year-todo-majority = Did more than half of your working time go into your business? Enter it under
year-tax = Income tax, estimate
year-tax-text = Box 1, below state pension age. Not advice.
year-hours-criterion = Hours criterion met
year-starter = Starter
year-starter-hint = Starter’s deduction, with the hours criterion
year-other-income = Other income in box 1
year-investments = Investments for the KIA
year-investments-hint = Assets of { $amount } or more, excl. VAT. Cars don’t count; add a van yourself
year-disability-premiums = Disability insurance premiums
year-annuity-premiums = Annuity premiums
year-annuity-margin = Annuity margin (jaarruimte)
year-annuity-margin-hint = What you may deduct for annuities at most. The tax office (Belastingdienst) has a tool for it.
year-annuity-left-out = The annuity doesn’t count, because you entered no margin.
year-premiums-unknown = For { $amount } of private premiums it isn’t known whether they are disability insurance or annuities. Enter it below.
year-market-value = Value of { $asset }
year-market-value-hint = Disposed of without proceeds. Did you keep it privately? Enter its value at that time.
year-disposal-unknown = The addition for { $asset } is left out: what you invested or deducted in its year isn’t known here.
year-disposal-calculator = Calculate it yourself
year-tax-not-included = Left out: { $list }.
year-provisional = Provisional assessment
year-recalculate = Recalculate
year-amount-fault = Enter an amount of zero or more.
year-tax-unknown = Not all figures for this year are known yet.
year-step = Step
year-bar = Bar
year-amount = Amount
year-tax-not-deductible = Costs that are not deductible (fines, and 20% of representation, meals and gifts)
year-tax-kia = Small-scale investment deduction (KIA)
year-tax-disinvestment = Disinvestment addition
year-tax-self-employed = Self-employed person’s deduction
year-tax-starter = Starter’s deduction
year-tax-exemption = SME profit exemption
year-tax-taxable-profit = Taxable profit
year-tax-other-income = Other income
year-tax-provisions = Disability and annuity premiums
year-tax-before-credits = Tax and contributions per bracket
year-tax-general-credit = General tax credit
year-tax-labour-credit = Labour tax credit
year-tax-income-tax = Income tax
year-tax-health = Zvw contribution
year-tax-total = Total
year-to-pay = Still to pay
year-close-title = Close year
year-close = Close year
year-reopen = Reopen year
year-close-text = Entries up to 31 December { $year } are then locked; nothing is booked. You can reopen.
year-closed-text = { $year } is closed: entries up to 31 December are locked. Reopen the year if something still has to go in.
year-not-over = { $year } is still running. You can close it from 1 January.
done-year-closed = The year is closed: entries up to 31 December are locked.
done-year-reopened = The year is reopened; you can book in it again.

settings-vat = VAT and tax
vat-scheme = VAT scheme
vat-scheme-now = Scheme
vat-scheme-normal = Normal VAT
vat-scheme-kor = Small businesses scheme (KOR)
vat-scheme-normal-hint = You charge VAT and file returns
vat-scheme-kor-hint = You charge no VAT and deduct none
vat-scheme-because = Reason
vat-scheme-choice = Your own choice
vat-scheme-limit = Revenue above the KOR limit
vat-scheme-notified = Notified on
vat-scheme-notified-hint = At least four weeks before the KOR begins
vat-scheme-change = Change scheme
kor-title = Revenue for the KOR
kor-text = Your revenue for the small businesses scheme (KOR) in { $year }: { $counted } of at most { $threshold }.
kor-left = Left
kor-previous = Revenue last year
kor-applies = You use the KOR.
kor-not = You don’t use the KOR.
kor-earliest = Earliest day to join
kor-passed = Invoice { $invoice } of { $date } passes the limit. The KOR ended on that day.
kor-too-much = With this revenue you cannot join the KOR this year.
kor-end-text = End the KOR from that day, credit the invoices from that day on, and create them again with VAT. Tell the tax office.
kor-end = End the KOR
kor-near = { $left } is left. The supply that passes the limit is itself taxed.
kor-kind = Kind of revenue
kor-counts = Towards the limit
kor-counts-yes = Counts
kor-counts-no = Does not count
kor-kind-standard = With 21% or 9% VAT
kor-kind-zero = 0% rate
kor-kind-reverse-charge = Reverse charge
kor-kind-intra-community-goods = Goods to the EU
kor-kind-export = Export
kor-kind-kor = Exempt under the KOR
kor-kind-article11-counted = Exempt (article 11), counts
kor-kind-article11 = Exempt (article 11)
kor-kind-intra-community-services = Services to the EU
kor-kind-service-outside-eu = Services outside the EU
kor-kind-out-of-scope = Outside VAT
kor-kind-oss = VAT of another EU country (OSS)
kor-empty = No revenue in { $year } yet.
vat-scheme-from = From
vat-unit = VAT periods
vat-unit-text = The tax office’s letter says how often you file.
vat-unit-now = You file VAT
vat-unit-month = By month
vat-unit-month-hint = Twelve returns a year.
vat-unit-quarter = By quarter
vat-unit-quarter-hint = What almost everybody does.
vat-unit-year = By year
vat-unit-year-hint = With permission of the tax office.
vat-unit-annual-doubtful = You owed { $most } of VAT or more last year. The tax office usually doesn’t allow returns by the year then.
vat-unit-from = From
vat-unit-from-hint = First day of a quarter; 1 January if you change from or to a year.
vat-unit-change = Change period
vat-accounting = When VAT is due
vat-accounting-text = Shops, hairdressers and other businesses that mostly sell to consumers may pay VAT when their customers pay them (cash accounting).
vat-accounting-method = VAT on your sales is due
vat-accounting-invoice = When you invoice
vat-accounting-invoice-hint = What almost everybody does.
vat-accounting-cash = When your customer pays
vat-accounting-cash-hint = Cash accounting, only on one of the grounds below.
vat-accounting-ground = Ground for cash accounting
vat-accounting-ground-none = No cash accounting
vat-accounting-ground-listed = Trade on the tax office’s list
vat-accounting-ground-establishment = Establishment that sells at least 90% to consumers
vat-accounting-ground-designated = Designated by the tax office
vat-accounting-designated = Designated on
vat-accounting-designated-hint = Only if the tax office designated you.
vat-accounting-from = From
vat-accounting-from-hint = First day of a VAT period that you haven’t filed yet.
vat-accounting-doubtful = More of your sales goes to businesses than this ground allows. Ask the tax office whether you may use cash accounting.
vat-accounting-change = Change method
vat-scheme-from-hint = Only if you change scheme: the KOR begins on the first day of a VAT period and ends on the first day of a quarter. Also tell the tax office, at least four weeks before.
vat-sales = Sales
vat-supply = You usually sell
vat-supply-services = Services
vat-supply-goods = Goods
vat-zero = No VAT for a customer in the Netherlands usually means
vat-zero-zero = 0% rate
vat-zero-exempt = Exempt
vat-zero-reverse-charge = Reverse charge
vat-zero-hint = On an invoice you can always choose something else.
vat-next-number = First invoice number of { $year }
vat-next-number-hint = If you come from another program, continue where you left off.
vat-hours = Hours criterion
vat-majority = Did more than half of your working time go into your business?
vat-majority-unsaid = Not entered yet
vat-majority-yes = Yes
vat-majority-no = No
vat-majority-hint = Besides 1,225 hours the law asks that you spend more than half of your working time on your business.
vat-starter-hint = You were not an entrepreneur in at least one of the five years before. Half of your working time is then not required.

audit-title = Audit file
audit-text = All entries of a year in one file (XAF), for your accountant or the tax office.
audit-year = Audit file { $year } (XAF 4.0)
audit-older = XAF 3.2
vat-changed = The figures have changed since you opened this page. Compare them with what you entered at the tax office, then file.
icp-title = ICP declarations
icp-text = What you supplied to businesses in other EU countries, by VAT ID. You report it to the tax office, next to your VAT return.
icp-none = No declarations yet. There will be one as soon as you invoice a business in another EU country at 0% VAT.
icp-days = From { $first } to { $last }. File by { $due }.
icp-rows = Copy the figures
icp-missing = Fill in the VAT ID on:
icp-corrections = Corrections of earlier declarations
icp-file = Mark as filed
icp-file-text = Copy the figures to the tax office’s website and mark it here. What changes afterwards appears as a correction in the next declaration.
icp-reopen = Reopen declaration
icp-reopen-text = What changes after filing appears as a correction in the next declaration. Reopen only if you file this declaration again.
icp-history = Versions
icp-version = Version { $version }
vat-file-without-icp = I’ll file the ICP declaration later
done-icp-filed = The ICP declaration is marked as filed.
done-icp-reopened = The ICP declaration is reopened; it follows the books again.
oss-title = VAT of other EU countries (OSS)
oss-short = OSS
oss-registered = You use the Union scheme: consumers in other EU countries pay the VAT of their country.
oss-not-registered = You charge Dutch VAT to consumers in other EU countries.
oss-turnover = Turnover that counts
oss-turnover-text = Goods and electronic services to consumers in other EU countries. Above { $threshold } in this or the previous year, the VAT of their country applies.
oss-passed = Invoice { $invoice } of { $date } passed the threshold.
oss-obliged-text = Register for the Union scheme at the tax office and record it below. Credit the invoices from that day on and make them again with the VAT of the country.
oss-register-title = Registration
oss-register-text = You register at the tax office yourself; here you record from when it applies.
oss-from = From
oss-from-hint = The first day of a quarter, or the day on which you passed the threshold
oss-ground = Why
oss-ground-choice = My own choice
oss-ground-limit = Above the threshold
oss-until = Until
oss-until-hint = Only when you stop; no earlier than the end of the next year
oss-ends = until { $day }
oss-register = Record the registration
oss-returns = Returns
oss-return = OSS return
oss-payable = To pay
oss-days = From { $first } to { $last }. File and pay by { $due }.
oss-rows-text = Turnover and VAT per country, in cents
oss-kind = Kind
oss-goods = Goods
oss-services = Services
oss-rate = Rate
oss-rate-standard = standard
oss-rate-reduced = reduced
oss-base = Turnover
oss-vat = VAT
oss-corrections = Corrections to earlier returns
oss-countries = Per country
oss-asked-back = You ask this back; it is not deducted from another country.
oss-nothing = There is nothing to declare. File a return all the same: a nil return is required.
oss-file = Record as filed
oss-file-text = Copy the figures into the one-stop shop of the tax office and record here that you did. Whatever changes afterwards becomes a correction on the next return.
oss-reopen = Reopen the return
oss-reopen-text = Whatever changes after filing becomes a correction on the next return. Reopen only if you file this return again.
oss-pay = Pay
oss-pay-text = Use the reference that the tax office gives after filing: the reference number of this return. Each quarter has its own. Keep these records for ten years.
oss-overpaid = You paid { $amount } more than this return. Check the payments, or ask for a refund.
oss-to-pay = Still to pay: { $amount }
oss-payment-undone = undone
done-oss-registered = The registration for the Union scheme is recorded.
done-oss-filed = The OSS return is recorded as filed.
done-oss-reopened = The OSS return is open again; it follows the books.

## Year end
closing-title = Finish the year { $year }
closing-bank-lines = Bank lines
closing-receipts = Receipts
closing-depreciation = Depreciation
closing-cut-off = Costs and revenue of another year
closing-goods-private-use = Goods for yourself
closing-car-private-use = Private use of the car
closing-gifts = Gifts
closing-vat-revision = Revision of VAT on assets
closing-last-return = Last VAT return
closing-close = Close the year
closing-to-do = To do
closing-done = Done
closing-not-applicable = Does not apply
closing-blocked = Not possible now
closing-do = Book
closing-goods = Book goods that you used yourself
closing-goods-description = The goods
closing-goods-base = Value excl. VAT
closing-goods-hint = The purchase price. Leave everything empty if you used nothing yourself.
closing-goods-rate = VAT rate
closing-why-invoiced-later = Supplied from { $first } to { $last }, invoiced on { $invoiced }
closing-why-hours = { $hours } hours not yet invoiced at the end of the year
closing-why-period = Covers { $first } to { $last }
closing-why-source-changed = Booked before, but no longer follows from the document
closing-why-depreciation = Up to { $day }
closing-why-private-use = Used yourself
closing-why-vat-revision = The part of your revenue with a right to deduct differs from what you deducted
closing-warning-left = Still open: { $steps }. The year can be closed without them.
closing-warning-left-closed = Not done before closing: { $steps }.
closing-warning-returns = Not filed: { $periods }.
closing-warning-gifts = { $amount } booked. If someone got more than €227 excl. VAT this year, you can’t deduct the VAT on it. This isn’t checked here.
closing-warning-car = { $amount } of car costs, and no private use booked yet.
closing-warning-bank-lines = { $count ->
    [one] One bank line of the year is not booked yet.
   *[other] { $count } bank lines of the year are not booked yet.
}
closing-warning-receipts = { $count ->
    [one] 1 receipt without an expense.
   *[other] { $count } receipts without an expense.
}
done-step-done = Booked on 31 December.
done-step-undone = The bookings of this step are reversed.
vat-check-closing = Finish the year { $year } too
vat-check-closing-text = Book depreciation, costs and revenue of another year, and private use from one list.

## Revision of VAT
revision-title = Revision of VAT
revision-text = You deduct the VAT on an asset for the part of your revenue with a right to deduct. If that part changes in the four years after the purchase, you pay back a fifth of the difference each year, or deduct it after all.
revision-none = You have no assets of this year or the four years before it.
revision-asset = Asset
revision-vat = VAT on the purchase
revision-deducted = Deducted
revision-due = Revision
revision-waived-one = waived
revision-total = Revision for the year
revision-share = Revenue with a right to deduct
revision-waived = There is a difference, but it need not be revised: it is at most a tenth of what you deducted, or, because of the small businesses scheme (KOR), less than €500 in all.
revision-booked = The revision is booked on 31 December.
revision-pay-back = You pay back { $amount } of VAT, in the last return of the year.
revision-deduct = You deduct { $amount } of VAT after all, in the last return of the year.
revision-description = Description
revision-do = Book the revision
done-vat-revised = Revision of { $amount } of VAT booked on 31 December.
done-vat-revision-undone = The revision of VAT is reversed.
