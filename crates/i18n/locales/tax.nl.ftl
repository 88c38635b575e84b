# Belasting: btw en jaar. Elk id staat ook in tax.en.ftl.

nav-vat = Btw
vat-title = Btw { $period }
vat-periods-text = Aangifte per maand, kwartaal of jaar, zoals je het instelt.
vat-period = Tijdvak
vat-state = Status
vat-state-filed = Ingediend
vat-state-so-far = Tot nu toe
vat-state-to-file = In te dienen
vat-state-late = Te laat
vat-state-refile = Opnieuw in te dienen
vat-state-suppletie = Suppletie te doen
vat-state-none = Niets aan te geven
vat-list-paid = betaald
vat-list-received = ontvangen
vat-list-left = nog { $amount } te betalen
vat-list-back = nog { $amount } terug te krijgen
vat-file-by = Aangifte uiterlijk
vat-pay-by = Geld binnen uiterlijk
vat-to-pay = Te betalen
vat-to-receive = Terug te krijgen
vat-paid-on = Betaald op
vat-received-on = Teruggave ontvangen op
vat-undone = ongedaan gemaakt
vat-left = Nog te betalen
vat-left-to-receive = Nog terug te krijgen
vat-weekend = { $day } valt in het weekend. Het geld moet er op tijd zijn, dus betaal op de vrijdag ervoor.
vat-reference = Rekeningnummer en betalingskenmerk (16 cijfers) staan bij de Belastingdienst zodra je aangifte hebt gedaan.
vat-payment-method = Betaald van
vat-refund-date = Datum van ontvangst
vat-refund-record = Teruggave ontvangen
vat-check = Controleren
vat-check-open = { $count ->
    [one] 1 open punt
   *[other] { $count } open punten
}
vat-check-drafts = { $count ->
    [one] 1 concept telt al mee: { $vat } btw die je nog niet hoeft te betalen
   *[other] { $count } concepten tellen al mee: { $vat } btw die je nog niet hoeft te betalen
}
vat-check-no-drafts = Geen concepten
vat-see-drafts = Concepten
vat-check-receipts = { $count ->
    [one] 1 bon wacht op een boeking
   *[other] { $count } bonnen wachten op een boeking
}
vat-check-receipts-text = De btw op zo’n bon trek je pas af als de uitgave is geboekt.
vat-check-unexplained = { $count ->
    [one] 1 bedrag nog uit te zoeken: { $amount }
   *[other] { $count } bedragen nog uit te zoeken: { $amount }
}
vat-check-unexplained-text = Is het omzet of zijn het kosten, dan hoort de btw misschien in deze aangifte.
vat-see = Bekijk
vat-check-before = De aangifte over { $period } is nog niet ingediend
vat-check-negative = Rubriek { $boxes } is negatief
vat-check-negative-text = Dat kan kloppen, bijvoorbeeld door een creditnota. Kijk het na.
vat-check-waiting-moves = { $count ->
        [one] Eén factuur is betaald vóór zijn btw-tijdvak
       *[other] { $count } facturen zijn betaald vóór hun btw-tijdvak
    }
vat-check-waiting-moves-text = De btw is verschuldigd op de dag van de betaling. De aangifte is al gedaan; verplaats de btw als correctie op de factuur:
vat-check-old-debtors = { $count ->
        [one] Eén factuur is een jaar te laat: boek hem oninbaar, dan komt de btw terug in deze aangifte
       *[other] { $count } facturen zijn een jaar te laat: boek ze oninbaar, dan komt de btw terug in deze aangifte
    }
vat-check-old-bills = { $count ->
        [one] Eén rekening is een jaar niet betaald: { $vat } afgetrokken btw ben je weer verschuldigd
       *[other] { $count } rekeningen zijn een jaar niet betaald: { $vat } afgetrokken btw ben je weer verschuldigd
    }
vat-check-not-negative = Geen negatieve rubrieken
vat-check-icp = Opgaaf ICP en rubriek 3b verschillen { $amount }
vat-check-icp-text = Elke klant in de opgaaf heeft een btw-id nodig.
vat-check-icp-fits = Opgaaf ICP klopt met rubriek 3b
vat-check-private = Privégebruik, rubriek 1d: niets ingevuld
vat-check-private-text = Dit is de laatste aangifte van het jaar. Gebruik je een auto of spullen van de zaak ook privé, dan hoort dat hier.
vat-check-corrected = Correctie op dit tijdvak: { $amount } btw
vat-check-corrected-text = Na het indienen geboekt; de btw staat in een latere aangifte.
vat-boxes = Overnemen bij de Belastingdienst
vat-boxes-text = Neem de bedragen ‘over te nemen’ over. Kies een rubriek voor de boekingen erachter.
vat-box = Rubriek
vat-part-1 = 1 Binnenland
vat-part-2 = 2 Naar jou verlegd
vat-part-3 = 3 Naar het buitenland
vat-part-4 = 4 Uit het buitenland
vat-part-5 = 5 Totaal
vat-turnover-exact = Omzet, exact
vat-vat-exact = Btw, exact
vat-turnover-declared = Omzet, over te nemen
vat-vat-declared = Btw, over te nemen
vat-turnover-word = omzet
vat-vat-word = btw
vat-corrects = Correctie over { $period }
vat-behind-sum = { $count ->
    [one] 1 boeking, gelijk aan rubriek { $box }
   *[other] { $count } boekingen, gelijk aan rubriek { $box }
}
vat-behind-part = Een deel van de boekingen
vat-rounding = Je geeft hele euro’s op en rondt in je voordeel af: verschuldigde btw naar beneden, btw terug (voorbelasting) naar boven. Het verschil van { $amount } wordt bij het indienen als afrondingsverschil geboekt.
vat-rounded = Je gaf hele euro’s op, in je voordeel afgerond: verschuldigde btw naar beneden, btw terug (voorbelasting) naar boven. Het verschil van { $amount } is bij het indienen als afrondingsverschil geboekt.
vat-filing = Ingediend?
vat-file = Ik heb de aangifte gedaan
vat-file-anyway = { $count ->
    [one] Ik heb de aangifte gedaan, met 1 open punt
   *[other] Ik heb de aangifte gedaan, met { $count } open punten
}
vat-file-text = Grootboek stuurt niets naar de Belastingdienst: doe eerst daar aangifte. Daarna ligt het tijdvak vast: wat je nog boekt, komt in je volgende aangifte of in een suppletie.
vat-suppletie-text = Dit tijdvak is al eens ingediend. Is het verschil met de vorige aangifte meer dan { $most } btw, geef het dan binnen acht weken door als suppletie.
vat-filed-on = Als ingediend genoteerd op { $moment } (versie { $version }).
vat-reopen = Aangifte heropenen
vat-reopen-text = Iets vergeten? Tot en met { $most } btw kun je het als correctie boeken; de btw komt dan in je volgende aangifte. Voor omzet zonder btw is er geen grens. Is het meer: heropen de aangifte, boek het op zijn datum, noteer opnieuw als ingediend en doe binnen acht weken suppletie.
vat-other-unit = Je doet geen btw-aangifte per kwartaal. Deze pagina telt het kwartaal op; dien deze aangiften in:
vat-not-over = Het tijdvak loopt nog. Je kunt de aangifte indienen vanaf { $day }.
vat-versions = Wat er veranderde
vat-versions-same = Elke rubriek is hetzelfde gebleven.
vat-old = Was
vat-new = Wordt
vat-difference = Verschil
vat-version = Versie { $version }: { $amount }
vat-reopened-on = heropend op { $moment }
vat-icp = Opgaaf ICP
vat-icp-text = Leveringen en diensten aan ondernemers in andere EU-landen, in hele euro’s
vat-icp-country = Land
vat-icp-number = Btw-id
vat-icp-goods = Goederen
vat-icp-services = Diensten
vat-icp-triangular = ABC
vat-icp-total = Totaal
vat-icp-all = Alles samen { $amount }, gelijk aan rubriek 3b.
done-vat-filed = De aangifte van { $amount } is als ingediend genoteerd; in dit tijdvak kun je geen btw meer boeken.
done-vat-reopened = De aangifte is heropend. Wat je eerder opgaf, blijft hieronder staan.
done-vat-paid = Betaling van { $amount } genoteerd en geboekt.
done-vat-received = Teruggave van { $amount } genoteerd en geboekt.
done-vat-payment-undone = Betaling van { $amount } ongedaan gemaakt met een tegenboeking.
done-vat-refund-undone = Teruggave van { $amount } ongedaan gemaakt met een tegenboeking.
kor-notice = Je gebruikt de kleineondernemersregeling (KOR): je rekent geen btw, trekt geen btw af en doet alleen aangifte als er iets in rubriek 2a, 4a of 4b staat.
kor-counter = Je omzet tot de grens van de KOR
vat-payments-title = Btw betaald en teruggekregen
vat-payments-about = Wat je aan de Belastingdienst betaalde of terugkreeg. Het zijn geen kosten.
vat-payments-empty-title = Nog geen btw betaald of teruggekregen
vat-payments-empty-text = Wat je hier of bij een aangifte noteert, staat meteen in je boekhouding.
vat-payment-no-period = Geen bepaalde aangifte
vat-payment-direction = Soort
vat-payment-paid = Betaald aan de Belastingdienst
vat-payment-received = Teruggave ontvangen
refused-correction-too-large = Met deze boeking komen de correcties over { $period } op { $vat } btw. Een latere aangifte mag hoogstens € 1.000 meenemen. Heropen de aangifte, boek dit op zijn datum en doe binnen acht weken suppletie.
refused-year-closed = { $year } is afgesloten. Kies een latere datum of heropen { $year }.
refused-year-not-closed = { $year } is niet afgesloten, dus er valt niets te heropenen.
refused-year-not-over = { $year } is nog niet voorbij. Je kunt het jaar afsluiten vanaf 1 januari.
refused-nothing-to-revise = Voor { $year } is er geen btw op bedrijfsmiddelen te herzien, of de herziening is al geboekt.
refused-row-changed = Een regel is intussen veranderd. Er is niets geboekt; bekijk de regels hieronder opnieuw.
correction = Boek als correctie
correction-hint = Het blijft op zijn eigen datum staan; de btw komt in je volgende aangifte.
correction-again = Probeer opnieuw

nav-year = Jaar
year-title = Jaar { $year }
year-closed = Afgesloten
year-left = { $count ->
    [one] Nog 1 punt
   *[other] Nog { $count } punten
}
year-after-tax = Na belasting
year-result = Resultaat
year-account = Rekening
year-drafts = { $count ->
    [one] Hierin telt 1 concept mee: { $amount } omzet.
   *[other] Hierin tellen { $count } concepten mee: { $amount } omzet.
}
year-cash = Kasstroom
year-cash-opening = Geld aan het begin
year-cash-closing = Geld aan het eind
year-profit = Winst
year-cash-depreciation = Afschrijving (kost geen geld)
year-cash-working-capital = Nog te ontvangen, te betalen en btw
year-cash-investments = Investeringen
year-cash-loans = Leningen
year-cash-private = Privé
year-balance = Balans op { $day }
year-balance-so-far = Balans tot nu toe
year-audit-file = Auditfile (XAF)
year-assets = Bezit
year-debts-and-equity = Schuld en vermogen
year-private = Privé dit jaar
year-todo = Afronden
year-todo-return = Btw { $period } indienen
year-todo-drafts = { $count ->
    [one] 1 concept telt mee
   *[other] { $count } concepten tellen mee
}
year-todo-unsettled = { $account }: { $amount } nog uit te zoeken
year-todo-depreciation = Nog niets afgeschreven
year-todo-before = { $year } is nog niet afgesloten
year-todo-hours = Urencriterium: { $hours } van 1.225 uur
year-todo-majority = Ging meer dan de helft van je werktijd naar je bedrijf? Vul het in bij
year-tax = Inkomstenbelasting, schatting
year-tax-text = Box 1, onder de AOW-leeftijd. Geen advies.
year-hours-criterion = Urencriterium gehaald
year-starter = Starter
year-starter-hint = Startersaftrek, met het urencriterium
year-other-income = Ander inkomen in box 1
year-investments = Investeringen voor de KIA
year-investments-hint = Bedrijfsmiddelen vanaf { $amount }, excl. btw. Personenauto’s tellen niet mee; tel een bestelauto er zelf bij op
year-disability-premiums = Premies arbeidsongeschiktheid (AOV)
year-annuity-premiums = Premies lijfrente
year-annuity-margin = Jaarruimte
year-annuity-margin-hint = Wat je aan lijfrente hoogstens mag aftrekken. De Belastingdienst heeft er een rekenhulp voor.
year-annuity-left-out = De lijfrente telt niet mee, omdat je geen jaarruimte invulde.
year-premiums-unknown = Van { $amount } aan privépremies is niet bekend of het AOV of lijfrente is. Vul het hieronder in.
year-market-value = Waarde van { $asset }
year-market-value-hint = Zonder opbrengst weggedaan. Houd je het privé? Vul de waarde op dat moment in.
year-disposal-unknown = De bijtelling voor { $asset } telt niet mee: wat je dat jaar investeerde of aftrok, is hier niet bekend.
year-disposal-calculator = Zelf berekenen
year-tax-not-included = Telt niet mee: { $list }.
year-provisional = Voorlopige aanslag
year-recalculate = Herberekenen
year-amount-fault = Vul een bedrag van nul of meer in.
year-tax-unknown = Voor dit jaar zijn nog niet alle cijfers bekend.
year-step = Stap
year-bar = Staaf
year-amount = Bedrag
year-tax-not-deductible = Niet-aftrekbare kosten (boetes, en 20% van representatie, eten en relatiegeschenken)
year-tax-kia = Kleinschaligheidsinvesteringsaftrek (KIA)
year-tax-disinvestment = Desinvesteringsbijtelling
year-tax-self-employed = Zelfstandigenaftrek
year-tax-starter = Startersaftrek
year-tax-exemption = Mkb-winstvrijstelling
year-tax-taxable-profit = Belastbare winst
year-tax-other-income = Ander inkomen
year-tax-provisions = Premies AOV en lijfrente
year-tax-before-credits = Belasting en premie per schijf
year-tax-general-credit = Algemene heffingskorting
year-tax-labour-credit = Arbeidskorting
year-tax-income-tax = Inkomstenbelasting
year-tax-health = Bijdrage Zvw
year-tax-total = Totaal
year-to-pay = Nog te betalen
year-close-title = Jaar afsluiten
year-close = Jaar afsluiten
year-reopen = Jaar heropenen
year-close-text = Boekingen tot en met 31 december { $year } liggen dan vast; er wordt niets geboekt. Heropenen kan.
year-closed-text = { $year } is afgesloten: boekingen tot en met 31 december liggen vast. Heropen het jaar als er nog iets bij moet.
year-not-over = { $year } loopt nog. Je kunt het jaar afsluiten vanaf 1 januari.
done-year-closed = Het jaar is afgesloten: boekingen tot en met 31 december liggen vast.
done-year-reopened = Het jaar is heropend; je kunt er weer in boeken.

settings-vat = Btw en belasting
vat-scheme = Btw-regeling
vat-scheme-now = Regeling
vat-scheme-normal = Gewone btw
vat-scheme-kor = Kleineondernemersregeling (KOR)
vat-scheme-normal-hint = Je rekent btw en doet aangifte
vat-scheme-kor-hint = Je rekent geen btw en trekt geen btw af
vat-scheme-because = Reden
vat-scheme-choice = Eigen keuze
vat-scheme-limit = Omzet boven de grens van de KOR
vat-scheme-notified = Aangemeld op
vat-scheme-notified-hint = Uiterlijk vier weken voor de KOR ingaat
vat-scheme-change = Regeling wijzigen
kor-title = Omzet voor de KOR
kor-text = Je omzet voor de kleineondernemersregeling (KOR) in { $year }: { $counted } van hoogstens { $threshold }.
kor-left = Nog over
kor-previous = Omzet vorig jaar
kor-applies = Je gebruikt de KOR.
kor-not = Je gebruikt de KOR niet.
kor-earliest = Meedoen kan op zijn vroegst vanaf
kor-passed = Factuur { $invoice } van { $date } komt boven de grens. De KOR eindigde op die dag.
kor-too-much = Met deze omzet kun je dit jaar niet meedoen aan de KOR.
kor-end-text = Beëindig de KOR vanaf die dag, crediteer de facturen vanaf die dag en maak ze opnieuw met btw. Meld je af bij de Belastingdienst.
kor-end = KOR beëindigen
kor-near = Er is nog { $left } over. De levering waarmee je boven de grens komt, is zelf al met btw.
kor-kind = Soort omzet
kor-counts = Voor de grens
kor-counts-yes = Telt mee
kor-counts-no = Telt niet mee
kor-kind-standard = Met 21% of 9% btw
kor-kind-zero = 0%-tarief
kor-kind-reverse-charge = Btw verlegd
kor-kind-intra-community-goods = Goederen naar de EU
kor-kind-export = Uitvoer
kor-kind-kor = Vrijgesteld door de KOR
kor-kind-article11-counted = Vrijgesteld (artikel 11), telt mee
kor-kind-article11 = Vrijgesteld (artikel 11)
kor-kind-intra-community-services = Diensten naar de EU
kor-kind-service-outside-eu = Diensten buiten de EU
kor-kind-out-of-scope = Buiten de btw
kor-kind-oss = Btw van een ander EU-land (OSS)
kor-empty = Nog geen omzet in { $year }.
vat-scheme-from = Vanaf
vat-unit = Btw-tijdvakken
vat-unit-text = In de brief van de Belastingdienst staat hoe vaak je aangifte doet.
vat-unit-now = Je doet btw-aangifte
vat-unit-month = Per maand
vat-unit-month-hint = Twaalf aangiften per jaar.
vat-unit-quarter = Per kwartaal
vat-unit-quarter-hint = Zo doet bijna iedereen het.
vat-unit-year = Per jaar
vat-unit-year-hint = Met toestemming van de Belastingdienst.
vat-unit-annual-doubtful = Vorig jaar was je { $most } btw of meer verschuldigd. Aangifte per jaar staat de Belastingdienst dan meestal niet toe.
vat-unit-from = Vanaf
vat-unit-from-hint = De eerste dag van een kwartaal; 1 januari als je van of naar een jaar gaat.
vat-unit-change = Tijdvak wijzigen
vat-accounting = Wanneer je btw betaalt
vat-accounting-text = Winkels, kappers en andere ondernemers die vooral aan particulieren verkopen, mogen de btw betalen als hun klant betaalt (kasstelsel).
vat-accounting-method = Btw over je verkopen betaal je
vat-accounting-invoice = Als je factureert
vat-accounting-invoice-hint = Zo doet bijna iedereen het.
vat-accounting-cash = Als je klant betaalt
vat-accounting-cash-hint = Kasstelsel, alleen op een van de gronden hieronder.
vat-accounting-ground = Grond voor het kasstelsel
vat-accounting-ground-none = Geen kasstelsel
vat-accounting-ground-listed = Branche op de lijst van de Belastingdienst
vat-accounting-ground-establishment = Vestiging die voor minstens 90% aan particulieren verkoopt
vat-accounting-ground-designated = Aangewezen door de Belastingdienst
vat-accounting-designated = Aangewezen op
vat-accounting-designated-hint = Alleen als de Belastingdienst je heeft aangewezen.
vat-accounting-from = Vanaf
vat-accounting-from-hint = De eerste dag van een btw-tijdvak waarover je nog geen aangifte hebt gedaan.
vat-accounting-doubtful = Je verkoopt meer aan ondernemers dan bij deze grond hoort. Vraag de Belastingdienst of je het kasstelsel mag gebruiken.
vat-accounting-change = Methode wijzigen
vat-scheme-from-hint = Alleen als je van regeling wisselt: de KOR begint op de eerste dag van een btw-tijdvak en eindigt op de eerste dag van een kwartaal. Meld je ook aan of af bij de Belastingdienst, minstens vier weken van tevoren.
vat-sales = Verkopen
vat-supply = Meestal verkoop je
vat-supply-services = Diensten
vat-supply-goods = Goederen
vat-zero = Bij 0% btw voor een klant in Nederland bedoel je meestal
vat-zero-zero = 0%-tarief
vat-zero-exempt = Vrijgesteld
vat-zero-reverse-charge = Btw verlegd
vat-zero-hint = Op een factuur kun je altijd iets anders kiezen.
vat-next-number = Eerste factuurnummer van { $year }
vat-next-number-hint = Stap je over van een ander programma, ga dan verder waar je gebleven was.
vat-hours = Urencriterium
vat-majority = Ging meer dan de helft van je werktijd naar je bedrijf?
vat-majority-unsaid = Nog niet ingevuld
vat-majority-yes = Ja
vat-majority-no = Nee
vat-majority-hint = Naast 1.225 uur vraagt de wet dat je meer dan de helft van je werktijd aan je bedrijf besteedt.
vat-starter-hint = Je was in minstens een van de vijf jaren hiervoor geen ondernemer. De helft van je werktijd is dan geen eis.
audit-title = Auditfile
audit-text = Alle boekingen van een jaar in één bestand (XAF), voor je boekhouder of de Belastingdienst.
audit-year = Auditfile { $year } (XAF 4.0)
audit-older = XAF 3.2
vat-changed = De cijfers zijn veranderd sinds je deze pagina opende. Vergelijk ze met wat je bij de Belastingdienst invulde, en dien dan in.
icp-title = Opgaven ICP
icp-text = Wat je aan ondernemers in andere EU-landen leverde, per btw-id. Je geeft het op bij de Belastingdienst, naast je btw-aangifte.
icp-none = Nog geen opgaven. Er komt er een zodra je aan een ondernemer in een ander EU-land factureert met 0% btw.
icp-days = Van { $first } tot en met { $last }. Indienen uiterlijk { $due }.
icp-rows = Gegevens overnemen
icp-missing = Vul het btw-id in bij:
icp-corrections = Correcties op eerdere opgaven
icp-file = Als ingediend noteren
icp-file-text = Neem de gegevens over bij de Belastingdienst en noteer hier dat het gebeurd is. Wat daarna verandert, komt als correctie in de volgende opgave.
icp-reopen = Opgaaf heropenen
icp-reopen-text = Wat na het indienen verandert, komt als correctie in de volgende opgave. Heropen alleen als je deze opgave opnieuw indient.
icp-history = Versies
icp-version = Versie { $version }
vat-file-without-icp = De opgaaf ICP dien ik later in
done-icp-filed = De opgaaf ICP is als ingediend genoteerd.
done-icp-reopened = De opgaaf ICP is heropend; hij volgt weer de boeken.
oss-title = Btw van andere EU-landen (OSS)
oss-short = OSS
oss-registered = Je gebruikt de Unieregeling: particulieren in andere EU-landen betalen de btw van hun land.
oss-not-registered = Je rekent Nederlandse btw aan particulieren in andere EU-landen.
oss-turnover = Omzet die telt
oss-turnover-text = Goederen en elektronische diensten aan particulieren in andere EU-landen. Boven { $threshold } in dit of het vorige jaar geldt de btw van hun land.
oss-passed = Factuur { $invoice } van { $date } ging over de grens.
oss-obliged-text = Meld je bij de Belastingdienst aan voor de Unieregeling en noteer dat hieronder. Crediteer de facturen vanaf die dag en maak ze opnieuw met de btw van het land.
oss-register-title = Aanmelding
oss-register-text = Aanmelden doe je zelf bij de Belastingdienst; hier noteer je vanaf wanneer het geldt.
oss-from = Vanaf
oss-from-hint = De eerste dag van een kwartaal, of de dag waarop je over de grens ging
oss-ground = Waarom
oss-ground-choice = Eigen keuze
oss-ground-limit = Boven de grens
oss-until = Tot en met
oss-until-hint = Alleen als je stopt; op zijn vroegst het eind van het volgende jaar
oss-ends = tot en met { $day }
oss-register = Aanmelding noteren
oss-returns = Aangiften
oss-return = OSS-aangifte
oss-payable = Te betalen
oss-days = Van { $first } tot en met { $last }. Indienen en betalen uiterlijk { $due }.
oss-rows-text = Omzet en btw per land, in centen
oss-kind = Soort
oss-goods = Goederen
oss-services = Diensten
oss-rate = Tarief
oss-rate-standard = algemeen
oss-rate-reduced = verlaagd
oss-base = Omzet
oss-vat = Btw
oss-corrections = Correcties op eerdere aangiften
oss-countries = Per land
oss-asked-back = Dit vraag je terug; het gaat niet van een ander land af.
oss-nothing = Er is niets aan te geven. Dien toch een aangifte in: een nihilaangifte is verplicht.
oss-file = Als ingediend noteren
oss-file-text = Neem de gegevens over in het éénloketsysteem van de Belastingdienst en noteer hier dat het gebeurd is. Wat daarna verandert, komt als correctie in de volgende aangifte.
oss-reopen = Aangifte heropenen
oss-reopen-text = Wat na het indienen verandert, komt als correctie in de volgende aangifte. Heropen alleen als je deze aangifte opnieuw indient.
oss-pay = Betalen
oss-pay-text = Gebruik het kenmerk dat de Belastingdienst na het indienen geeft: het referentienummer van deze aangifte. Elk kwartaal heeft een eigen kenmerk. Bewaar deze gegevens tien jaar.
oss-overpaid = Je betaalde { $amount } meer dan deze aangifte. Kijk de betalingen na, of vraag het bedrag terug.
oss-to-pay = Nog te betalen: { $amount }
oss-payment-undone = ongedaan gemaakt
done-oss-registered = De aanmelding voor de Unieregeling is genoteerd.
done-oss-filed = De OSS-aangifte is als ingediend genoteerd.
done-oss-reopened = De OSS-aangifte is heropend; hij volgt weer de boeken.

## Jaareinde
closing-title = Het jaar { $year } afronden
closing-bank-lines = Bankregels
closing-receipts = Bonnen
closing-depreciation = Afschrijving
closing-cut-off = Kosten en omzet van een ander jaar
closing-goods-private-use = Goederen voor jezelf
closing-car-private-use = Privégebruik van de auto
closing-gifts = Relatiegeschenken
closing-vat-revision = Herziening van btw op bedrijfsmiddelen
closing-last-return = Laatste btw-aangifte
closing-close = Jaar afsluiten
closing-to-do = Te doen
closing-done = Klaar
closing-not-applicable = Niet van toepassing
closing-blocked = Kan nu niet
closing-do = Boek
closing-goods = Goederen boeken die je voor jezelf gebruikte
closing-goods-description = Wat het is
closing-goods-base = Waarde excl. btw
closing-goods-hint = De inkoopprijs. Laat alles leeg als je niets voor jezelf gebruikte.
closing-goods-rate = Btw-tarief
closing-why-invoiced-later = Geleverd van { $first } tot en met { $last }, gefactureerd op { $invoiced }
closing-why-hours = { $hours } uur die aan het eind van het jaar nog niet was gefactureerd
closing-why-period = Geldt van { $first } tot en met { $last }
closing-why-source-changed = Eerder geboekt, maar volgt niet meer uit het document
closing-why-depreciation = Tot en met { $day }
closing-why-private-use = Voor jezelf gebruikt
closing-why-vat-revision = Het deel van je omzet met recht op aftrek wijkt af van wat je aftrok
closing-warning-left = Nog open: { $steps }. Het jaar kan ook zonder worden afgesloten.
closing-warning-left-closed = Niet gedaan voor het afsluiten: { $steps }.
closing-warning-returns = Niet ingediend: { $periods }.
closing-warning-gifts = { $amount } geboekt. Kreeg iemand dit jaar voor meer dan € 227 excl. btw, dan trek je de btw daarop niet af. Dat wordt hier niet nagerekend.
closing-warning-car = { $amount } autokosten, en nog geen privégebruik geboekt.
closing-warning-bank-lines = { $count ->
    [one] Eén bankregel van dit jaar is nog niet geboekt.
   *[other] { $count } bankregels van dit jaar zijn nog niet geboekt.
}
closing-warning-receipts = { $count ->
    [one] 1 bon zonder uitgave.
   *[other] { $count } bonnen zonder uitgave.
}
done-step-done = Geboekt op 31 december.
done-step-undone = De boekingen van deze stap zijn teruggedraaid.
vat-check-closing = Rond ook het jaar { $year } af
vat-check-closing-text = Afschrijving, kosten en omzet van een ander jaar, en privégebruik boek je in één lijst.

## Herziening van btw
revision-title = Herziening van btw
revision-text = De btw op een bedrijfsmiddel trek je af naar het deel van je omzet met recht op aftrek. Verandert dat deel in de vier jaar na de aankoop, dan betaal je per jaar een vijfde van het verschil terug, of trek je het alsnog af.
revision-none = Je hebt geen bedrijfsmiddelen van dit jaar of de vier jaren ervoor.
revision-asset = Bedrijfsmiddel
revision-vat = Btw bij aankoop
revision-deducted = Afgetrokken
revision-due = Herziening
revision-waived-one = vervalt
revision-total = Herziening over het jaar
revision-share = Omzet met recht op aftrek
revision-waived = Er is een verschil, maar dat hoeft niet herzien te worden: het is hoogstens een tiende van wat je aftrok, of door de kleineondernemersregeling (KOR) in totaal minder dan € 500.
revision-booked = De herziening is geboekt op 31 december.
revision-pay-back = Je betaalt { $amount } btw terug, in de laatste aangifte van het jaar.
revision-deduct = Je trekt { $amount } btw alsnog af, in de laatste aangifte van het jaar.
revision-description = Omschrijving
revision-do = Boek de herziening
done-vat-revised = Herziening van { $amount } btw geboekt op 31 december.
done-vat-revision-undone = De herziening van btw is teruggedraaid.
