# Overview and search. Every id is also in overview.nl.ftl.

home-title = Overview
home-new-invoice = Invoice
home-new-expense = Expense
home-start = Getting started
home-start-company = Fill in your company details
home-start-company-text = Address, KvK number, VAT ID and IBAN: they appear on every invoice.
home-start-invoice = Create your first invoice
home-start-invoice-text = As a draft first; you send it once it’s ready.
home-start-connect = Connect your web shop or time tracker
home-start-connect-text = Invoices that your web shop books appear here.
home-start-connect-plan = Your plan doesn’t include the API.
home-todo = To do now
home-todo-none = Nothing. All returns are filed and paid, and no invoice is overdue.
home-kor-end = End the KOR
home-kor-end-text = Your revenue passed the limit on { $date }.
home-kor-near = Near the limit of the KOR
home-kor-near-text = { $left } is left this year.
home-file = File the VAT return for { $period }
home-file-by = File and pay by { $day }.
home-file-back = File by { $day }; this will be paid back to you.
home-file-weekend = File by { $day }; the money must be there on { $pay }, as the last day falls in a weekend.
home-file-late = The last day was { $day }.
home-icp = File the ICP declaration for { $period }
home-icp-by = File by { $day }.
home-oss = File the OSS return for { $period }
home-oss-by = File and pay by { $day }.
home-refile = File the VAT return of { $period } again
home-refile-text = You reopened this return. Report the difference within eight weeks as a supplementary return and mark it as filed again.
home-undelivered = { $count ->
        [one] One invoice was not delivered
       *[other] { $count } invoices were not delivered
    }
home-old-debtors = { $count ->
        [one] One invoice is a year overdue
       *[other] { $count } invoices are a year overdue
    }
home-old-debtors-text = You get the VAT on it back: write the amount off.
home-old-bills = { $count ->
        [one] One bill unpaid for a year
       *[other] { $count } bills unpaid for a year
    }
home-old-bills-text = You owe the VAT you deducted again.
home-pay = Pay VAT of { $period }
home-pay-by = The money must be there by { $day }.
home-pay-late = The money was due on { $day }.
home-overdue = { $count ->
    [one] 1 invoice overdue
   *[other] { $count } invoices overdue
}
home-days = { $count ->
    [one] 1 day
   *[other] { $count } days
}
home-drafts = { $count ->
    [one] 1 draft already counts in your VAT return
   *[other] { $count } drafts already count in your VAT return
}
home-drafts-text = { $count ->
    [one] VAT on it: { $vat }. Send or withdraw it before you file.
   *[other] VAT on them: { $vat }. Send or withdraw them before you file.
}
home-bills = { $count ->
    [one] 1 bill to pay
   *[other] { $count } bills to pay
}
home-bills-text = Expenses that you have not paid yet.
home-closing = Finish { $year }
home-closing-text = Depreciation, costs and revenue of another year, private use and the last return.
home-bank-lines = { $count ->
    [one] 1 bank line to book
   *[other] { $count } bank lines to book
}
home-bank-lines-text = Book them so that your balance matches the bank’s.
home-unexplained = { $count ->
    [one] 1 amount to be explained
   *[other] { $count } amounts to be explained
}
home-unexplained-text = You booked it as “I don’t know yet”; it is on Suspense.
home-to-refund-text = Paid twice or too much, or credited after payment.
home-bank-balance = Balance at the bank
home-receipts = { $count ->
    [one] 1 receipt waits for its expense
   *[other] { $count } receipts wait for their expense
}
home-receipts-text = Book the expense to deduct its VAT.
home-vat = VAT { $period }
home-so-far = So far
home-by = pay by { $day }
home-back = to be paid back to you; file by { $day }
home-in-days = { $count ->
    [0] today
    [one] in 1 day
   *[other] in { $count } days
}
home-vat-due = On your revenue
home-vat-input = Input VAT
home-outstanding = Outstanding
home-late = Overdue
home-within = Within 14 days
home-later = Later
home-aside = To set aside
home-aside-earlier = VAT of earlier returns
home-aside-tax = Income tax and Zvw
home-aside-text = This will go to the tax office. An estimate on the profit so far, without other income and without a provisional assessment.
home-aside-back = To get back on balance
home-aside-back-text = The tax office will pay this back to you. An estimate on the profit so far, without other income and without a provisional assessment.
home-chart = Profit per month
home-chart-table = As a table
home-chart-thousands = Profit in thousands of euros
home-month = Month
home-revenue = Revenue
home-costs = Costs
home-profit = Profit
home-hours = Hours criterion
home-hours-of = of { $required }
home-hours-to-go = { $hours } hours to go.
home-hours-enough = You have enough hours for the hours criterion.
home-hours-met = You have enough hours. The criterion also asks that more than half of your working time goes into your business.
home-hours-mark = The mark shows where you should be today.

search-label = Name, number or amount
search-for = Search: { $text }
search-hint = Search for a customer or supplier, an invoice number, a description, an amount such as 1,234.56 or an entry such as #12.
search-none = Nothing found for “{ $text }”.
search-invoices = Invoices and credit notes
search-number = Number
search-customer = Customer
search-date = Date
search-total = Total
search-expenses = Expenses
search-no-supplier = No supplier
search-contacts = Contacts
search-projects = Projects
search-events = Booked without an invoice or receipt
search-entries = Entries

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
home-reminders = { $count ->
    [one] One reminder is due
   *[other] { $count } reminders are due
}
home-decided-quotes = { $count ->
    [one] Your customer decided on 1 quote
   *[other] Your customers decided on { $count } quotes
}
home-recurring-waiting = { $count ->
    [one] 1 recurring invoice is waiting for you
   *[other] { $count } recurring invoices are waiting for you
}
home-recurring-stopped = { $count ->
    [one] 1 recurring invoice stands still
   *[other] { $count } recurring invoices stand still
}
home-recurring-coming = Invoices of the next 7 days
