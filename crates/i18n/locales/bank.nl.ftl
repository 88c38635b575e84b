# Bank: rekeningen, afschriften en bankregels. Elk id staat ook in bank.en.ftl.

nav-bank = Bank
bank-parts = Delen van de bank
bank-overview = Overzicht
bank-title = Bank en saldo
bank-text = Je saldo volgens de boeken en volgens de bank
bank-book-lines = { $count ->
    [one] 1 bankregel boeken
   *[other] { $count } bankregels boeken
}
bank-empty-text = Lees een afschrift in, dan zie je hier de rekening met beide saldo’s.
bank-balance-books = Saldo boeken
bank-balance-bank = Saldo bank
bank-difference = Verschil
bank-waiting = Te boeken
bank-gaps = { $count ->
    [one] Op 1 dag sluit het saldo niet aan
   *[other] Op { $count } dagen sluit het saldo niet aan
}
bank-lines-count = { $count ->
    [one] 1 bankregel
   *[other] { $count } bankregels
}
bank-months = Maanden
bank-next-opening = volgende dag begint met { $amount }
bank-day-status = Stand
bank-day-ok = Klopt
bank-day-unbooked = Nog te boeken
bank-day-gap = Afschrift ontbreekt
bank-day-mismatch = Regels tellen niet op
bank-day-unmatched = Verschil zonder bankregel
bank-day-ignored = Genegeerde bankregels
bank-day-unknown = Geen saldo bekend
bank-day-apart = Alleen de dag verschilt
bank-apart-later = Boeking { $entry } van { $day }, { $flow ->
    [out] af
   *[in] bij
} { $amount }, bij de bank pas op { $line }
bank-apart-earlier = Boeking { $entry } van { $day }, { $flow ->
    [out] af
   *[in] bij
} { $amount }, bij de bank al op { $line }
bank-apart-missing = Boeking { $entry } van { $day }, { $flow ->
    [out] af
   *[in] bij
} { $amount }, bij de bank nog niet
bank-apart-more = { $count ->
    [one] en nog 1 boeking
   *[other] en nog { $count } boekingen
}

unexplained = Nog uit te zoeken
unexplained-text = Deze bedragen staan op Vraagposten (1640). Weet je wat het is? Maak het boeken van de bankregel ongedaan en boek hem opnieuw.
unexplained-way = Ongedaan maken en opnieuw boeken
unexplained-way-entry = Bekijk de boeking
to-refund = Terug te betalen aan klanten
to-refund-text = Deze klanten betaalden te veel, of kregen een creditnota. Betaal het terug en boek die bankregel als Terugbetaling. Was de betaling voor een andere factuur? Maak het boeken van de bankregel ongedaan en boek hem opnieuw.

bank-upload = Afschriften inlezen
bank-files = Bestanden van je bank
bank-files-hint = CAMT.053, MT940, CSV of zip; samen hoogstens 20 MB
bank-upload-more = Rekening en saldo
bank-upload-account = Bankrekening
bank-upload-account-hint = Alleen nodig als het bestand geen rekening noemt
bank-upload-by-file = Volgens het bestand
bank-only-euro = Alleen eurorekeningen
bank-only-euro-hint = Rekeningen in andere valuta slaan we over
bank-accept-balance = Ook als de regels niet optellen tot het eindsaldo
bank-accept-balance-hint = Je ziet het verschil als waarschuwing
bank-preview = Voorbeeld bekijken
bank-take = Bankregels inlezen
bank-file-missing = Kies het bestand dat je bij je bank hebt gedownload.
bank-upload-expired = Dit voorbeeld is ouder dan een dag. Kies het bestand opnieuw.
bank-file-line = regel { $line }
bank-more-faults = { $count ->
    [one] Er is nog 1 fout.
   *[other] Er zijn nog { $count } fouten.
}
bank-preview-title = Voorbeeld van het afschrift
bank-preview-text = Er is nog niets ingelezen.
bank-preview-count = { $count ->
    [0] Geen nieuwe bankregels: alles is er al.
    [one] 1 nieuwe bankregel
   *[other] { $count } nieuwe bankregels
}
bank-preview-cancel = Niet inlezen
bank-preview-known = Dit bestand is al ingelezen

bank-statements-title = Afschriften
bank-statements-text = De bestanden van je bank, zeven jaar bewaard zoals ze kwamen
bank-statements-empty-title = Nog geen afschriften
bank-statements-empty-text = Download een afschrift bij je bank en lees het hier in.
bank-statement = Afschrift
bank-statement-number = Afschrift { $id }
bank-statement-accounts = Rekening en dagen
bank-statement-at = Ingelezen
bank-statement-contents = Inhoud van het bestand
bank-statement-period = Dagen
bank-statement-format = Soort bestand
bank-statement-file = Bestand downloaden
bank-statement-lines = Bankregels van dit afschrift
bank-statement-undo-hint = Ongedaan maken haalt de bankregels weg die alleen in dit bestand staan.
bank-opening = Beginsaldo
bank-closing = Eindsaldo
bank-outcome-new = Nieuw
bank-outcome-known = Al bekend
bank-outcome-ignored = Genegeerd
bank-outcome-doubtful = Twijfel
bank-warning-version = Dit bestand is CAMT.053 versie { $version }, nieuwer dan we kennen. Controleer de bankregels.
bank-warning-text-cut = Een tekst van meer dan 1.000 tekens is ingekort. Het bestand zelf blijft heel.
bank-warning-balance = De bankregels verschillen { $difference } van het saldo van de bank.
bank-warning-currency = Rekening { $account } is in { $currency } en is overgeslagen.
bank-warning-iban = { $name } krijgt IBAN { $iban }. Dat IBAN komt ook op je facturen.

bank-lines-title = Bankregels
bank-lines-states = Stand van de bankregels
bank-lines-new = Te boeken
bank-lines-doubtful = Twijfel
bank-lines-booked = Geboekt
bank-lines-ignored = Genegeerd
bank-lines-search = Naam, IBAN of omschrijving
bank-lines-sums = bij { $incoming }, af { $outgoing }
bank-lines-none = Hier staan geen bankregels
bank-lines-empty-title = Niets te boeken
bank-lines-empty-text = Alle bankregels zijn geboekt of genegeerd.
bank-all-accounts = Alle rekeningen
bank-line = Bankregel
bank-line-number = Bankregel { $id }
bank-line-date = Datum
bank-line-amount = Bedrag
bank-line-text = Omschrijving
bank-line-outcome = Uitkomst
bank-line-iban = IBAN
bank-line-end-to-end = Kenmerk van de betaler
bank-line-reference = Betalingskenmerk
bank-line-original = Oorspronkelijk bedrag
bank-line-part = Deelbetaling
bank-line-note = Notitie
bank-note-add = Notitie toevoegen
bank-note-edit = Notitie wijzigen
bank-note-changed = Intussen staat hier: “{ $note }”. Met Opslaan vervang je dat.
bank-line-doubtful = Misschien dubbel
bank-line-book = Boeken als
bank-line-is-booked = Geboekt
bank-line-revenue = Deze opbrengst komt in geen vak van je btw-aangifte. Moet je er btw over betalen? Maak het boeken ongedaan, maak een factuur en boek de bankregel daarop.
bank-line-is-ignored = Genegeerd
bank-booked-by = Door
bank-booked-by-person = Jou
bank-booked-by-api = Een koppeling
bank-booked-by-rule = Een boekingsregel
bank-doubt-text = Deze bankregel lijkt op:
bank-the-same = Dezelfde betaling
bank-two-payments = Twee betalingen
bank-missing = Nog te verdelen
bank-split = Bedrag verdelen
bank-ignore = Negeren
bank-ignore-button = Bankregel negeren
bank-ignore-reason = Waarom
bank-ignored-private = privé, elders geboekt
bank-ignored-duplicate = dubbel
bank-ignored-other = andere reden
bank-ignored-before-opening = van vóór de beginbalans
bank-ignored-zero-amount = bedrag nul
bank-undo-date = Datum van de tegenboeking
bank-undo-date-hint = Leeg: de dag van de bankregel
bank-choose = Kies
bank-other-customers = Andere klanten
bank-other-customer = De bankregel is van { $name }, de factuur die je koos voor een andere klant. Klopt dat?
bank-prepaid-text = Bij een vooruitbetaling hoort een factuur. Maak die eerst en boek de bankregel daarop. Nu al boeken kan: het bedrag staat dan op Vraagposten, bij “Nog uit te zoeken”, tot je de bankregel op de factuur boekt.
bank-line-unexplained = Dit bedrag staat op Vraagposten. Weet je wat het is? Maak het boeken ongedaan en boek de bankregel opnieuw.
bank-no-other-half = Geen bankregel

allocation-kinds = Soorten boekingen
allocation-kind = Soort
allocation-number = Deel { $number }
allocation-remove = Deel { $number } weghalen
allocation-amount = Bedrag
allocation-amount-hint = Leeg: de rest. Met een min: de andere kant op.
allocation-invoice = Factuur
allocation-refund = Terugbetaling
allocation-bill = Factuur van leverancier
allocation-expense = Kosten
allocation-vat = Btw
allocation-private = Privé
allocation-transfer = Overboeking
allocation-payout = Uitbetaling
allocation-bank-costs = Bankkosten
allocation-interest = Rente
allocation-loan = Lening
allocation-loan-repayment = Aflossing
allocation-ledger = Grootboekrekening
allocation-existing = Al geboekt
allocation-expense-back = Geld terug, nog niet geboekt
allocation-bill-back = Geld terug van geboekte creditnota
allocation-invoice-twice = Dubbele betaling van klant
allocation-unknown = Weet ik nog niet
allocation-prepaid = Vooruitbetaling zonder factuur
allocation-prepaid-description = Vooruitbetaling zonder factuur
allocation-invoice-id = Factuur
allocation-overpayment = Wat te veel is, blijft van je klant
allocation-overpayment-hint = Je betaalt het later terug
allocation-bill-id = Factuur van leverancier
allocation-vat-period = Aangifte
allocation-oss-period = OSS-kwartaal
allocation-oss-period-hint = Bijvoorbeeld 2026-Q4, in plaats van een aangifte
allocation-other-account = Andere bankrekening
allocation-other-half = Bankregel aan de andere kant
allocation-other-half-hint = Nodig als die rekening ook afschriften heeft
allocation-loan-id = Lening
allocation-entry-id = Boeking

done-bank-statements-taken = Ingelezen: { $count }.
done-bank-statements-known = Dit afschrift was al ingelezen. Er is niets veranderd.
done-bank-statement-undone = Het afschrift is ongedaan gemaakt. Het bestand blijft bewaard.
done-bank-line-booked = De bankregel van { $amount } is geboekt.
done-bank-line-ignored = De bankregel van { $amount } is genegeerd.
done-bank-line-undone = De bankregel van { $amount } is weer nieuw.
done-bank-line-noted = De notitie is opgeslagen.
done-bank-line-distinct = Deze bankregel is een eigen betaling.

bank-rules-title = Boekingsregels
bank-rules-text = Hoe we bankregels boeken die op elkaar lijken
bank-rules-empty-title = Nog geen boekingsregels
bank-rules-empty-text = Boek een bankregel en maak er daar een boekingsregel van.
bank-rule-new = Nieuwe boekingsregel
bank-rule-edit = Boekingsregel bewerken
bank-rule-of-line = Boekingsregel maken
bank-book-rule = Boeken en boekingsregel maken
bank-rule-name = Naam
bank-rule-position = Volgorde
bank-rule-position-hint = Passen er twee boekingsregels, dan geldt de laagste
bank-rule-conditions = Voor welke bankregels
bank-rule-conditions-hint = Alles wat je invult moet kloppen. Vul minstens IBAN, incassant-ID, naam of omschrijving in.
bank-rule-booking = Boeken als
bank-rule-by-itself = Boekt vanzelf
bank-rule-yes = ja
bank-rule-no = nee
bank-rule-direction = Bij of af
bank-rule-any = bij en af
bank-rule-in = bij
bank-rule-out = af
bank-rule-creditor-id = Incassant-ID
bank-rule-name-contains = Naam bevat
bank-rule-text-contains = Omschrijving bevat
bank-rule-amount-from = Bedrag vanaf
bank-rule-amount-to = Bedrag tot en met
bank-rule-of-name = naam bevat “{ $part }”
bank-rule-of-text = omschrijving bevat “{ $part }”
bank-rule-least = vanaf { $amount }
bank-rule-most = tot en met { $amount }
bank-rule-show-fields = Velden van deze soort tonen
bank-rule-edit-hint = Na een wijziging boekt de boekingsregel pas weer vanzelf als je dat opnieuw kiest.
bank-rule-preview = De laatste 12 maanden
bank-rule-new-lines = Nog te boeken
bank-rule-agreed = Zo geboekt
bank-rule-contradicted = Anders geboekt
bank-rule-more = { $count ->
    [one] en nog 1 bankregel
   *[other] en nog { $count } bankregels
}
bank-rule-automatic-hint = Nu stelt de boekingsregel alleen voor. Kloppen de bankregels hierboven, dan kan hij ze vanzelf boeken.
bank-rule-make-automatic = Vanzelf laten boeken
bank-rule-manual-hint = Deze boekingsregel boekt nieuwe bankregels vanzelf.
bank-rule-make-manual = Alleen nog voorstellen
bank-rule-changed = De boekingsregel is net veranderd. Kijk eerst of de bankregels nog kloppen.
done-bank-rule-created = De boekingsregel is aangemaakt. Hij stelt voor en boekt nog niet vanzelf.
done-bank-rule-saved = De boekingsregel is opgeslagen.
done-bank-rule-automatic = De boekingsregel boekt voortaan vanzelf.
done-bank-rule-manual = De boekingsregel stelt voortaan alleen voor.
done-bank-rule-archived = De boekingsregel is gearchiveerd.
done-bank-rule-restored = De boekingsregel geldt weer.

bank-mappings-title = Kolomindelingen
bank-mappings-text = Hoe we CSV-bestanden lezen van een bank die we niet kennen
bank-mappings-empty-title = Nog geen kolomindelingen
bank-mappings-empty-text = Lees een CSV-bestand in dat we niet kennen. Dan wijs je de kolommen één keer aan.
bank-mapping = Kolomindeling
bank-mapping-new = Kolommen aanwijzen
bank-mapping-new-text = Wijs aan wat in welke kolom staat. Het volgende bestand met dezelfde kop lezen we dan meteen.
bank-mapping-choice-hint = Alleen nodig als we het bestand niet herkennen
bank-mapping-id = mappingId in de API
bank-mapping-name = Naam
bank-mapping-name-hint = Bijvoorbeeld de naam van de bank
bank-mapping-rows = Eerste regels van het bestand
bank-mapping-notation = Hoe het bestand is geschreven
bank-mapping-delimiter = Teken tussen kolommen
bank-mapping-semicolon = puntkomma (;)
bank-mapping-comma = komma (,)
bank-mapping-tab = tab
bank-mapping-bar = streep (|)
bank-mapping-encoding = Tekenset
bank-mapping-detect = bepalen we zelf
bank-mapping-head-rows = Regels vóór de eerste bankregel
bank-mapping-date-format = Vorm van de datum
bank-mapping-date-format-hint = D, M en Y zijn cijfers van dag, maand en jaar
bank-mapping-decimal = Teken voor de centen
bank-mapping-decimal-comma = komma: 1.234,56
bank-mapping-decimal-point = punt: 1,234.56
bank-mapping-decimal-either = het laatste teken: beide
bank-mapping-columns = Kolommen
bank-mapping-none = Niet in het bestand
bank-mapping-date = Datum
bank-mapping-amount = Bedrag
bank-mapping-amount-hint = Niet als af en bij elk een kolom hebben
bank-mapping-debit = Bedrag af
bank-mapping-credit = Bedrag bij
bank-mapping-sign = Af of bij
bank-mapping-sign-hint = Als een woord zegt of het af of bij is
bank-mapping-out-words = Woorden voor af
bank-mapping-out-words-hint = Met komma’s ertussen, zoals: af, debet
bank-mapping-invert = Af en bij omdraaien
bank-mapping-invert-hint = Zoals op afschriften van een creditcard
bank-mapping-counterparty = Naam van de ander
bank-mapping-iban = IBAN van de ander
bank-mapping-text = Omschrijving { $number }
bank-mapping-more = Meer kolommen
bank-mapping-balance = Saldo na de bankregel
bank-mapping-account = Eigen rekening
bank-mapping-currency = Valuta
bank-mapping-reference = Kenmerk van de bank
bank-mapping-value-date = Rentedatum
bank-mapping-account-later = Kies ik bij het inlezen
bank-mapping-bank-account-hint = Als het bestand geen rekening noemt
bank-mapping-calculate = Eerste regels lezen
bank-mapping-result = Zo lezen we de eerste regels
bank-mapping-line = Regel
bank-mapping-not-date = “{ $value }” past niet bij { $format }.
bank-mapping-no-date = Hier staat geen datum.
bank-mapping-not-amount = “{ $value }” is geen bedrag.
bank-mapping-no-amount = Hier staat geen bedrag.
bank-mapping-other-currency = Geen bankregel in euro’s
bank-mapping-absent = Een kolom met die naam staat niet in het bestand.
bank-mapping-nothing = Hierna staat geen regel meer in het bestand. Kies minder regels.
bank-mapping-save = Kolomindeling opslaan
bank-mapping-delete = Verwijderen
bank-preview-mapping = Gelezen met kolomindeling { $name }.
done-bank-mapping-saved = De kolomindeling is opgeslagen. Er is nog niets ingelezen.
done-bank-mapping-deleted = De kolomindeling is verwijderd. De bankregels blijven staan.
