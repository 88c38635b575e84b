# Reasons of suggestions for bank lines: one sentence each.
suggestion-already-booked = { $days ->
    [0] Entry { $entry } has the same amount on the same day.
    [one] Entry { $entry } has the same amount, one day apart.
   *[other] Entry { $entry } has the same amount, { $days } days apart.
}
suggestion-other-half = { $days ->
    [0] The opposite amount is on { $account } on the same day.
    [one] The opposite amount is on { $account }, one day apart.
   *[other] The opposite amount is on { $account }, { $days } days apart.
}
suggestion-own-account = The other account is your own: { $account }.
suggestion-own-account-text = “{ $words }” in the description fits your account { $account }.
suggestion-paid-twice = Invoice { $number } is already paid, with this same amount. It may have been paid twice.
suggestion-number = The description contains number { $number }.
suggestion-reference = The line contains the reference { $reference }.
suggestion-amount = The amount is exactly what is due: { $amount }.
suggestion-amount-of-several = { $count ->
    [one] The one open item is { $total }.
   *[other] { $count } open items together make { $total }.
}
suggestion-amount-less-fee = { $count } payments together make { $total }, less a fee of { $fee }.
suggestion-iban = The IBAN is known.
suggestion-name = The name is like { $name }.
suggestion-tax-office = The other party is the tax office.
suggestion-tax-letter = The other party is the tax office, and the reference has the letter { $letter }.
suggestion-tax-text = The description contains “{ $words }”.
suggestion-due-return = The amount is that of your VAT return for { $period }, which isn’t filed yet.
suggestion-charge-costs = The bank calls this its own charge.
suggestion-charge-interest = The bank calls this interest.
suggestion-charge-text = “{ $words }” is a charge of the bank.
suggestion-interest-text = “{ $words }” is interest of the bank.
suggestion-learned = { $times ->
    [one] { $by ->
        [iban] You booked one line with this IBAN like this
        [creditorId] You booked one direct debit of this creditor like this
       *[name] You booked one line with this name like this
    }
   *[other] { $by ->
        [iban] You booked { $times } lines with this IBAN like this
        [creditorId] You booked { $times } direct debits of this creditor like this
       *[name] You booked { $times } lines with this name like this
    }
}{ $exceptions ->
    [0] .
    [one] , and one in another way.
   *[other] , and { $exceptions } in another way.
}
suggestion-rule = Booking rule { $rule } says so.
suggestion-iban-changed = Check the IBAN: this name used { $known } before.

bank-suggestions = Suggestions
bank-suggestion-certain = Certain.
bank-suggestion-book = Book this suggestion
bank-suggestion-refuse = Not this one
bank-line-perhaps = perhaps
bank-accept = Accept
bank-accept-line = Accept the suggestion for { $name }
bank-accept-selected = Book the ticked lines
bank-accept-certain = { $count ->
    [one] Book the certain bank line
   *[other] Book { $count } certain bank lines
}: { $flow ->
    [in] in { $incoming }
    [out] out { $outgoing }
   *[both] in { $incoming }, out { $outgoing }
}
bank-lines-not-accepted = { $count ->
    [0] No line was booked.
    [one] One line was booked.
   *[other] { $count } lines were booked.
} Not booked: { $left }.
done-bank-lines-accepted = { $name } booked, together { $amount }.
done-bank-lines-partly = { $name }
done-bank-lines-none = No line was ticked, so none was booked.
done-bank-suggestion-refused = The suggestion is gone.
