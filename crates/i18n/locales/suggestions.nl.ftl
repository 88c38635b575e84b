# Redenen van voorstellen voor bankregels: elk één zin.
suggestion-already-booked = { $days ->
    [0] Boeking { $entry } heeft hetzelfde bedrag op dezelfde dag.
    [one] Boeking { $entry } heeft hetzelfde bedrag, één dag ernaast.
   *[other] Boeking { $entry } heeft hetzelfde bedrag, { $days } dagen ernaast.
}
suggestion-other-half = { $days ->
    [0] Het tegengestelde bedrag staat op dezelfde dag op { $account }.
    [one] Het tegengestelde bedrag staat één dag ernaast op { $account }.
   *[other] Het tegengestelde bedrag staat { $days } dagen ernaast op { $account }.
}
suggestion-own-account = De tegenrekening is van jou: { $account }.
suggestion-own-account-text = “{ $words }” in de omschrijving past bij je rekening { $account }.
suggestion-paid-twice = Factuur { $number } is al betaald, met ditzelfde bedrag. Misschien is er dubbel betaald.
suggestion-number = Nummer { $number } staat in de omschrijving.
suggestion-reference = Kenmerk { $reference } staat op de bankregel.
suggestion-amount = Het bedrag is precies wat openstaat: { $amount }.
suggestion-amount-of-several = { $count ->
    [one] De ene openstaande post is { $total }.
   *[other] { $count } openstaande posten zijn samen { $total }.
}
suggestion-amount-less-fee = { $count } betalingen zijn samen { $total }, min { $fee } kosten.
suggestion-iban = Het IBAN is bekend.
suggestion-name = De naam lijkt op { $name }.
suggestion-tax-office = De tegenpartij is de Belastingdienst.
suggestion-tax-letter = De tegenpartij is de Belastingdienst, en het kenmerk heeft de letter { $letter }.
suggestion-tax-text = “{ $words }” staat in de omschrijving.
suggestion-due-return = Het bedrag is dat van je btw-aangifte over { $period }, die nog niet is ingediend.
suggestion-charge-costs = De bank noemt dit bankkosten.
suggestion-charge-interest = De bank noemt dit rente.
suggestion-charge-text = “{ $words }” zijn kosten van de bank.
suggestion-interest-text = “{ $words }” is rente van de bank.
suggestion-learned = { $times ->
    [one] { $by ->
        [iban] Je boekte één bankregel met dit IBAN zo
        [creditorId] Je boekte één incasso van deze incassant zo
       *[name] Je boekte één bankregel met deze naam zo
    }
   *[other] { $by ->
        [iban] Je boekte { $times } bankregels met dit IBAN zo
        [creditorId] Je boekte { $times } incasso’s van deze incassant zo
       *[name] Je boekte { $times } bankregels met deze naam zo
    }
}{ $exceptions ->
    [0] .
    [one] , en één anders.
   *[other] , en { $exceptions } anders.
}
suggestion-rule = Zo staat het in boekingsregel { $rule }.
suggestion-iban-changed = Controleer het IBAN: deze naam gebruikte eerder { $known }.

bank-suggestions = Voorstellen
bank-suggestion-certain = Zeker.
bank-suggestion-book = Dit voorstel boeken
bank-suggestion-refuse = Dit niet
bank-line-perhaps = misschien
bank-accept = Overnemen
bank-accept-line = Het voorstel voor { $name } overnemen
bank-accept-selected = Aangevinkte bankregels boeken
bank-accept-certain = { $count ->
    [one] De zekere bankregel boeken
   *[other] { $count } zekere bankregels boeken
}: { $flow ->
    [in] bij { $incoming }
    [out] af { $outgoing }
   *[both] bij { $incoming }, af { $outgoing }
}
bank-lines-not-accepted = { $count ->
    [0] Er is geen bankregel geboekt.
    [one] Er is één bankregel geboekt.
   *[other] Er zijn { $count } bankregels geboekt.
} Niet geboekt: { $left }.
done-bank-lines-accepted = { $name } geboekt, samen { $amount }.
done-bank-lines-partly = { $name }
done-bank-lines-none = Er was geen bankregel aangevinkt, dus er is niets geboekt.
done-bank-suggestion-refused = Het voorstel is weg.
