# Kladjes: getypt werk dat nog niet is verstuurd of opgeslagen. Elk id staat ook in unfinished.en.ftl.

unfinished-title = Kladjes
unfinished-and-drafts = Een kladje is werk dat je nog niet hebt opgeslagen: het heeft geen nummer en telt nergens mee; een concept heeft een nummer en staat in je boekhouding.
unfinished-empty-title = Geen kladjes
unfinished-empty-text = Wat je typt en nog niet opslaat, blijft hier 90 dagen staan.
unfinished-what = Wat
unfinished-about = Voor
unfinished-saved = Bewaard
unfinished-actions = Acties
unfinished-discarded = Weggegooid
unfinished-keep = Bewaren als kladje
unfinished-go-on = Verder
unfinished-discard = Weggooien
unfinished-all = { $count ->
    [one] 1 kladje
   *[other] Alle { $count } kladjes
}
unfinished-offer = Je was bezig met { $work }, { $moment }:
unfinished-gone = Dit kladje is er niet meer: het is opgeslagen, weggegooid of ouder dan 90 dagen.
unfinished-sign-in = Je werk is bewaard. Je sessie was verlopen: log in, dan ga je verder waar je was.
unfinished-kind-invoice = Factuur
unfinished-kind-quote = Offerte
unfinished-kind-recurring = Terugkerende factuur
unfinished-kind-expense = Uitgave
unfinished-kind-week = Uren
unfinished-kind-mail = Mail
unfinished-kind-entry = Boeking
unfinished-invoice = een factuur
unfinished-invoice-for = een factuur voor { $label }
unfinished-quote = een offerte
unfinished-quote-for = een offerte voor { $label }
unfinished-recurring = een terugkerende factuur
unfinished-recurring-for = een terugkerende factuur voor { $label }
unfinished-expense = een uitgave
unfinished-expense-for = een uitgave: { $label }
unfinished-week = de uren van een week
unfinished-week-of = de uren van week { $number }
unfinished-mail = een mail
unfinished-mail-about = een mail over { $label }
unfinished-entry = een boeking
unfinished-entry-about = een boeking: { $label }

done-unfinished-kept = Bewaard als kladje. Er is nog niets geboekt.
done-unfinished-restored = Je werk is bewaard. Er is nog niets geboekt: kijk het na en ga verder.
done-unfinished-discarded = Kladje weggegooid.
done-unfinished-undone = Kladje teruggezet.
