# Unfinished forms: typed work that was not sent or saved yet. Every id is also in unfinished.nl.ftl.

unfinished-title = Unfinished
unfinished-and-drafts = An unfinished form is work that you haven’t saved yet: it has no number and counts nowhere; a draft has a number and is in your books.
unfinished-empty-title = Nothing unfinished
unfinished-empty-text = What you type and don’t save yet stays here for 90 days.
unfinished-what = What
unfinished-about = For
unfinished-saved = Kept
unfinished-actions = Actions
unfinished-discarded = Discarded
unfinished-keep = Keep unfinished
unfinished-go-on = Continue
unfinished-discard = Discard
unfinished-all = { $count ->
    [one] 1 unfinished form
   *[other] All { $count } unfinished forms
}
unfinished-offer = You were working on { $work }, { $moment }:
unfinished-gone = This unfinished form no longer exists: it was saved, discarded or is older than 90 days.
unfinished-sign-in = Your work is kept. Your session had ended: sign in to continue where you were.
unfinished-kind-invoice = Invoice
unfinished-kind-quote = Quote
unfinished-kind-recurring = Recurring invoice
unfinished-kind-expense = Expense
unfinished-kind-week = Hours
unfinished-kind-mail = Email
unfinished-kind-entry = Entry
unfinished-invoice = an invoice
unfinished-invoice-for = an invoice for { $label }
unfinished-quote = a quote
unfinished-quote-for = a quote for { $label }
unfinished-recurring = a recurring invoice
unfinished-recurring-for = a recurring invoice for { $label }
unfinished-expense = an expense
unfinished-expense-for = an expense: { $label }
unfinished-week = the hours of a week
unfinished-week-of = the hours of week { $number }
unfinished-mail = an email
unfinished-mail-about = an email about { $label }
unfinished-entry = an entry
unfinished-entry-about = an entry: { $label }

done-unfinished-kept = Kept unfinished. Nothing is booked yet.
done-unfinished-restored = Your work is kept. Nothing is booked yet: check it and continue.
done-unfinished-discarded = Unfinished form discarded.
done-unfinished-undone = Unfinished form restored.
