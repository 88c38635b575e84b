# Overzicht en zoeken. Elk id staat ook in overview.en.ftl.

home-title = Overzicht
home-new-invoice = Factuur
home-new-expense = Uitgave
home-start = Aan de slag
home-start-company = Bedrijfsgegevens invullen
home-start-company-text = Adres, KvK-nummer, btw-id en IBAN: ze staan op elke factuur.
home-start-invoice = Eerste factuur maken
home-start-invoice-text = Eerst als concept; versturen doe je pas als hij klaar is.
home-start-connect = Webwinkel of urenregistratie koppelen
home-start-connect-text = Een factuur die je webwinkel boekt, zie je daarna hier.
home-start-connect-plan = De API zit niet in je abonnement.
home-todo = Nu te doen
home-todo-none = Niets. Alle aangiften zijn ingediend en betaald, en er is geen factuur te laat.
home-kor-end = Beëindig de KOR
home-kor-end-text = Je omzet kwam boven de grens op { $date }.
home-kor-near = Bijna bij de grens van de KOR
home-kor-near-text = Dit jaar is er nog { $left } over.
home-file = Btw-aangifte { $period } indienen
home-file-by = Indienen en betalen uiterlijk { $day }.
home-file-back = Indienen uiterlijk { $day }; dit krijg je terug.
home-file-weekend = Indienen uiterlijk { $day }; het geld moet er { $pay } zijn, want de laatste dag valt in het weekend.
home-file-late = De laatste dag was { $day }.
home-icp = ICP-opgaaf { $period } indienen
home-icp-by = Indienen uiterlijk { $day }.
home-oss = OSS-aangifte { $period } indienen
home-oss-by = Indienen en betalen uiterlijk { $day }.
home-refile = Btw-aangifte { $period } opnieuw indienen
home-refile-text = Je hebt deze aangifte heropend. Geef het verschil binnen acht weken door als suppletie en noteer hem opnieuw als ingediend.
home-undelivered = { $count ->
        [one] Eén factuur is niet aangekomen
       *[other] { $count } facturen zijn niet aangekomen
    }
home-old-debtors = { $count ->
        [one] Eén factuur is een jaar te laat
       *[other] { $count } facturen zijn een jaar te laat
    }
home-old-debtors-text = De btw erop krijg je terug: boek het bedrag oninbaar.
home-old-bills = { $count ->
        [one] Eén rekening een jaar niet betaald
       *[other] { $count } rekeningen een jaar niet betaald
    }
home-old-bills-text = De btw die je aftrok, ben je weer verschuldigd.
home-pay = Btw { $period } betalen
home-pay-by = Het geld moet er uiterlijk { $day } zijn.
home-pay-late = Het geld had er op { $day } moeten zijn.
home-overdue = { $count ->
    [one] 1 factuur te laat
   *[other] { $count } facturen te laat
}
home-days = { $count ->
    [one] 1 dag
   *[other] { $count } dagen
}
home-drafts = { $count ->
    [one] 1 concept telt al mee in je btw
   *[other] { $count } concepten tellen al mee in je btw
}
home-drafts-text = { $count ->
    [one] Btw daarop: { $vat }. Verstuur het of trek het in voordat je de aangifte indient.
   *[other] Btw daarop: { $vat }. Verstuur ze of trek ze in voordat je de aangifte indient.
}
home-bills = { $count ->
    [one] 1 factuur van een leverancier te betalen
   *[other] { $count } facturen van leveranciers te betalen
}
home-bills-text = Uitgaven die je nog niet betaalde.
home-closing = Rond { $year } af
home-closing-text = Afschrijving, kosten en omzet van een ander jaar, privégebruik en de laatste aangifte.
home-bank-lines = { $count ->
    [one] 1 bankregel te boeken
   *[other] { $count } bankregels te boeken
}
home-bank-lines-text = Boek ze, dan klopt je saldo met dat van de bank.
home-unexplained = { $count ->
    [one] 1 bedrag nog uit te zoeken
   *[other] { $count } bedragen nog uit te zoeken
}
home-unexplained-text = Je boekte het als “Weet ik nog niet”; het staat op Vraagposten.
home-to-refund-text = Dubbel of te veel betaald, of gecrediteerd na betaling.
home-bank-balance = Saldo bij de bank
home-receipts = { $count ->
    [one] 1 bon wacht op een boeking
   *[other] { $count } bonnen wachten op een boeking
}
home-receipts-text = Boek de uitgave, dan trek je de btw af.
home-vat = Btw { $period }
home-so-far = Tot nu toe
home-by = betalen uiterlijk { $day }
home-back = terug te krijgen; indienen uiterlijk { $day }
home-in-days = { $count ->
    [0] vandaag
    [one] over 1 dag
   *[other] over { $count } dagen
}
home-vat-due = Over je omzet
home-vat-input = Btw terug (voorbelasting)
home-outstanding = Openstaand
home-late = Te laat
home-within = Binnen 14 dagen
home-later = Later
home-aside = Opzij te zetten
home-aside-earlier = Btw van eerdere aangiften
home-aside-tax = Inkomstenbelasting en Zvw
home-aside-text = Dit gaat straks naar de Belastingdienst. Een schatting over de winst tot nu toe, zonder ander inkomen en zonder voorlopige aanslag.
home-aside-back = Per saldo terug te krijgen
home-aside-back-text = Dit krijg je straks terug van de Belastingdienst. Een schatting over de winst tot nu toe, zonder ander inkomen en zonder voorlopige aanslag.
home-chart = Winst per maand
home-chart-table = Als tabel
home-chart-thousands = Winst in duizenden euro’s
home-month = Maand
home-revenue = Omzet
home-costs = Kosten
home-profit = Winst
home-hours = Urencriterium
home-hours-of = van { $required }
home-hours-to-go = Nog { $hours } uur te gaan.
home-hours-enough = Je hebt genoeg uren voor het urencriterium.
home-hours-met = Je hebt genoeg uren. Het criterium vraagt ook dat je meer dan de helft van je werktijd in je onderneming steekt.
home-hours-mark = Het streepje is waar je vandaag zou moeten zijn.

search-label = Naam, nummer of bedrag
search-for = Zoeken: { $text }
search-hint = Zoek een klant of leverancier, een factuurnummer, een omschrijving, een bedrag zoals 1.234,56 of een boeking zoals #12.
search-none = Niets gevonden voor “{ $text }”.
search-invoices = Facturen en creditnota’s
search-number = Nummer
search-customer = Klant
search-date = Datum
search-total = Totaal
search-expenses = Uitgaven
search-no-supplier = Geen leverancier
search-contacts = Contacten
search-projects = Projecten
search-events = Geboekt zonder factuur of bon
search-entries = Boekingen

## Voorpagina
welcome-page-title = Boekhouden voor zzp’ers
welcome-title = Een boekhouding die altijd klopt
welcome-lead = Boekhouden voor zzp’ers: facturen, uren en btw, tot op de cent controleerbaar.
welcome-sign-up = Account aanmaken
welcome-sign-in = Inloggen
welcome-api = API-documentatie
welcome-example = Voorbeeld: één factuur
welcome-example-net = Ontwerp, exclusief btw
welcome-example-vat = Btw 21%
welcome-example-total = Te betalen
welcome-example-entry = Zo staat die meteen in je boekhouding
welcome-account = Rekening
welcome-debit = Debet
welcome-credit = Credit
welcome-box = Rubriek
welcome-receivables = Debiteuren
welcome-revenue = Omzet hoog tarief
welcome-vat-due = Af te dragen btw
welcome-books-title = Niets verdwijnt
welcome-books-text = Elke boeking blijft staan en is gekoppeld aan de vorige. Een correctie is een nieuwe boeking, zodat je altijd ziet wat er gebeurd is.
welcome-return-title = Je aangifte, uitgelegd
welcome-return-text = Bij elke rubriek van je btw-aangifte zie je welke boekingen erin zitten en wat nog concept is.
welcome-connect-title = Koppel wat je al gebruikt
welcome-connect-text = Je webwinkel of urenregistratie boekt zelf; jij bepaalt wat die mag.
home-reminders = { $count ->
    [one] Eén herinnering aan de beurt
   *[other] { $count } herinneringen aan de beurt
}
home-decided-quotes = { $count ->
    [one] Je klant heeft over 1 offerte beslist
   *[other] Je klanten hebben over { $count } offertes beslist
}
home-recurring-waiting = { $count ->
    [one] 1 terugkerende factuur wacht op jou
   *[other] { $count } terugkerende facturen wachten op jou
}
home-recurring-stopped = { $count ->
    [one] 1 terugkerende factuur staat stil
   *[other] { $count } terugkerende facturen staan stil
}
home-recurring-coming = Facturen van de komende 7 dagen
