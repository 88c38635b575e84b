# Wat er mis is met een waarde, en wat eraan te doen is. De naam is die van de reden; { $value } is wat er werd ingevuld.

## Elk veld
fault-required = Vul dit veld in.
fault-date-required = Vul een dag in, zoals 30-4-2026.
fault-empty-text = Vul dit veld in.
fault-list-required = { $least ->
    [one] Vul minstens één regel in.
   *[other] Vul minstens { $least } regels in.
}
fault-not-a-web-address = Vul een webadres in, zoals https://shop.example/hooks.
fault-webhook-not-encrypted = Het adres moet met https:// beginnen.
fault-webhook-with-user = Laat gebruikersnaam en wachtwoord weg uit het adres. De ontvanger herkent een bericht aan de handtekening.
fault-webhook-not-public = Dit adres is niet bereikbaar vanaf internet.
fault-unknown-webhook-type = Webhooks melden niets dat “{ $name }” heet.
fault-webhook-taken = Je hebt al een webhook met dit adres voor dezelfde berichten. Gebruik die, of kies andere berichten.
fault-receipts-full = Je bonnen en de pdf’s van je facturen zijn samen { $most } GB; meer past er niet in je abonnement. Verwijder bonnen die bij geen uitgave horen, of vraag de beheerder van deze dienst om een ander abonnement.
fault-documents-full = De pdf’s van je facturen zijn samen { $most } GB; meer past er niet in je abonnement. De factuur zelf is geboekt. Vraag de beheerder van deze dienst om een ander abonnement.
fault-too-many-keys = Je kunt hooguit { $most } werkende sleutels hebben. Trek er eerst een in.
fault-too-many-webhooks = Je kunt hooguit { $most } webhooks hebben. Verwijder er eerst een.
fault-too-few = { $least ->
    [one] Vul minstens één regel in.
   *[other] Vul minstens { $least } regels in.
}
fault-too-many = Hier passen hoogstens { $most } regels; het zijn er { $given }.
fault-not-an-object = Vul deze velden in.
fault-not-a-list = Vul minstens één regel in.
fault-not-a-text = Vul dit veld in.
fault-not-a-date = “{ $value }” is geen dag. Vul een dag in als 30-4-2026.
fault-not-a-country = Kies een land uit de lijst.
fault-not-a-number = “{ $value }” is geen getal. Vul bijvoorbeeld 12 of 12,5 in.
fault-not-a-whole-number = “{ $value }” is geen heel getal. Vul bijvoorbeeld 12 in.
fault-not-a-flag = Vink het vakje aan, of laat het leeg.
fault-not-hours = “{ $value }” is geen tijd. Vul bijvoorbeeld 1:30, 1,5 of 90m in.
fault-control-characters = Houd het op één regel, zonder onzichtbare tekens.
fault-too-long = Dit is te lang. Houd het op hoogstens { $most } tekens.
fault-too-many-line-breaks = Hier staan te veel regels. Gebruik Enter hoogstens { $most } keer.
fault-unknown-value = Kies een van de mogelijkheden uit de lijst.
fault-unknown-field = Deze pagina kent dit veld niet. Laad de pagina opnieuw.
fault-invalid-date = “{ $value }” bestaat niet. Vul een dag in als 30-4-2026.
fault-not-a-period = “{ $value }” is geen btw-tijdvak. Schrijf bijvoorbeeld 2026-05, 2026-Q2 of 2026.
fault-unknown-country = Kies een land uit de lijst.
fault-too-many-decimals = “{ $value }” heeft te veel decimalen. Vul er hoogstens { $most } in.
fault-out-of-range = Vul een getal in van { $least } tot { $most }.
fault-out-of-range-at-km = Vul een getal in boven 0 en hoogstens { $most }.
fault-whole-out-of-range = Vul een heel getal in van { $least } tot { $most }.
fault-amount-out-of-range = Vul een bedrag in boven € 0,00 en tot { $most }.
fault-amount-is-nothing = Vul een bedrag in dat geen nul is, tot { $most }.
fault-negative-amount = Vul een bedrag in van € 0,00 of meer.
fault-hours-out-of-range = Vul meer dan 0 en hoogstens 24 uur in.

## Namen, adressen en nummers
fault-name-required = Vul een naam in (hoogstens { $most } tekens).
fault-invalid-name = Vul je naam of bedrijfsnaam in (hoogstens { $most } tekens).
fault-invalid-email = Vul een e-mailadres in, zoals naam@voorbeeld.nl.
fault-email-local-part = Gebruik vóór de @ alleen letters zonder accenten, cijfers, losse punten en tekens als - _ +.
fault-email-domain = Vul na de @ het hele domein in, zoals voorbeeld.nl: met een punt en zonder lege delen.
fault-customer-has-no-email = Van { $customer } is geen e-mailadres bekend. Vul er een in.
fault-email-unchanged = Dit adres heeft je account al. Vul een ander adres in.
fault-vat-number-prefix = Een btw-id begint met de letters van een EU-land, zoals NL of DE (Griekenland is EL). Controleer ze.
fault-vat-number-form = “{ $value }” is geen btw-id van dat land: neem alle letters en cijfers over. Een Nederlands btw-id is NL, 9 cijfers, B en 2 cijfers.
fault-vat-number-check-digits = { $value } bestaat niet: er is een teken verwisseld. Controleer de cijfers.
fault-vat-number-not-dutch = Vul je Nederlandse btw-id in; het begint met NL.
fault-invalid-kvk-number = Een KvK-nummer heeft 8 cijfers. Je vindt het op je KvK-uittreksel.
fault-iban-form = “{ $value }” is geen IBAN. Vul het in zoals NL91 ABNA 0417 1643 00.
fault-iban-country = Geen land heeft een IBAN dat zo begint. Controleer de eerste twee letters.
fault-iban-length = Een IBAN van dit land heeft { $expected } tekens. Controleer of er een ontbreekt of te veel is.
fault-iban-check-digits = { $value } bestaat niet: er is een teken verwisseld. Kopieer het uit je bankapp.
fault-invalid-bic = Vul een BIC van 8 of 11 tekens in, zoals ABNANL2A.
fault-invalid-phone = Een telefoonnummer heeft alleen cijfers, spaties en + ( ) - . Controleer het.
fault-invalid-website = Vul het adres van je website in met https, zoals https://voorbeeld.nl.
fault-bic-of-other-country = Deze BIC hoort niet bij het land van je IBAN ({ $country }). Controleer de vijfde en zesde letter.
fault-peppol-form = Een Peppol-adres is een code van 4 cijfers, een dubbele punt en een nummer, zoals 0106:12345678.
fault-peppol-scheme = Deze code bestaat niet. Kies bijvoorbeeld 0106 (KvK-nummer), 0190 (OIN) of 0208 (Belgisch ondernemingsnummer).
fault-peppol-value = Dit nummer past niet bij de code. Controleer de cijfers.
fault-consumer-with-vat-number = Een particulier heeft geen btw-id. Kies ‘ondernemer’ of maak het btw-id leeg.
fault-email-not-first = Dit is niet het eerste adres voor facturen. Vul één van beide in.
fault-email-without-use = Kies waarvoor je dit adres gebruikt.
fault-invalid-postal-code = Vul een postcode in, in Nederland zoals 1234 AB.
fault-country-fixed = Het land is niet meer te wijzigen: er staan facturen of boekingen in je boekhouding.
fault-pattern-incomplete = Je nummer mist het jaar of het volgnummer. Gebruik {"{year}"} en {"{number}"} elk één keer.
fault-pattern-unknown-part = Tussen accolades kan alleen {"{year}"}, {"{number}"} of {"{number:4}"} staan.
fault-pattern-unknown-character = Gebruik om {"{year}"} en {"{number}"} heen alleen letters, cijfers, spaties en - _ / . #
fault-pattern-digit-beside-number = Zet iets dat geen cijfer is tussen {"{number}"} en het jaar of andere cijfers, zoals {"{year}-{number}"}.
fault-pattern-too-long = Houd het op hoogstens 40 tekens, zoals {"{year}-{number:4}"}.
fault-password-too-short = Kies een wachtwoord van minstens { $least } tekens.
fault-password-too-long = Kies een wachtwoord van hoogstens { $most } tekens.
fault-password-common = Dit wachtwoord is te makkelijk te raden. Gebruik een paar losse woorden, niet je naam of e-mailadres.
fault-password-personal = Dit wachtwoord is te makkelijk te raden. Gebruik een paar losse woorden, niet je naam of e-mailadres.

## Verkoop
fault-customer-unknown = Er is nog geen contact “{ $external_id }”. Vul een naam in, dan maken we het.
fault-customer-name-required = Kies een klant of vul een naam in.
fault-due-twice = Vul een vervaldatum in of een aantal dagen, niet allebei.
fault-valid-before-quote = De offerte zou vóór de offertedatum, { $quote_date }, al verlopen. Kies een latere dag.
fault-percent-and-amount = Vul een percentage of een bedrag in, en alleen voor een vooruitbetaling.
fault-prepayment-percent-required = Vul een percentage in: bij de offerte staat er geen.
fault-discount-twice = Vul een percentage of een bedrag in, niet allebei.
fault-invoice-item-differs = Laat dit leeg, of neem over wat er op die factuurregel staat.
fault-beyond-quote = Vul meer dan 0 en hoogstens { $most } in: zoveel is er over van de offerte.
fault-first-date-past = De eerste dag is al voorbij. Kies { $today } of later.
fault-last-before-first = Tot die dag zou er geen factuur worden gemaakt: de eerste dag is { $first_date }. Kies een latere laatste dag.
fault-last-day-of-weeks = De laatste dag van de maand past niet bij weken. Kies maanden, kwartalen of jaren.
fault-due-before-invoice = De vervaldatum ligt vóór de factuurdatum, { $invoice_date }. Kies een latere dag.
fault-due-too-late = { $days } dagen na { $invoice_date } is na het jaar 2099. Kies een kortere termijn.
fault-unknown-vat-rate = Op { $on } zijn de tarieven { $rates }. Kies een van deze.
fault-rate-of-country = Op { $on } zijn de tarieven van { $country } { $rates }. Kies een van deze.
fault-oss-with-vat-number = Je klant heeft een btw-id en draagt de btw zelf af. Kies een andere reden.
fault-tax-country-of-other = Een ander land kan alleen met OSS, en Nederland niet met OSS.
fault-tax-country-unknown = Kies een ander EU-land.
fault-tax-country-required = Kies het EU-land dat de btw heft.
fault-oss-passed-on = Je ging op { $date } over de grens. Kies die dag.
fault-oss-not-passed = Je bent niet over de grens gegaan. Kies “Eigen keuze”.
fault-oss-too-early = De Unieregeling bestaat sinds { $earliest }. Kies die dag of later.
fault-designated-later = Het kasstelsel begint op { $from }, vóór de aanwijzing. Kies een aanwijzing van die dag of eerder, of een latere begindatum.
fault-oss-ends-too-early = De Unieregeling duurt minstens tot en met { $earliest }. Kies die dag of later.
fault-vat-and-oss-period = Kies een btw-tijdvak of een OSS-kwartaal, niet allebei.
fault-not-a-quarter = Schrijf een kwartaal als 2026-Q4.
fault-category-of-zero-rate = Kies waarom er geen btw op deze regel komt.
fault-category-of-rate = Een reden hoort alleen bij 0%. Kies 0%, of laat de reden weg.
fault-line-out-of-range = Aantal keer prijs is te groot. Een regel blijft onder € 100.000.000.000.
fault-total-out-of-range = Het totaal is te groot. Een factuur blijft onder € 100.000.000.000.
fault-negative-vat-group = De regels tegen { $rate }% komen onder € 0,00. Geef een korting het btw-tarief van wat je korting geeft. Is de vooruitbetaling hoger? Crediteer dan eerst de vooruitbetalingsfactuur.
fault-supply-date-required = Vul ook de eerste leverdag in.
fault-supply-until-before = De laatste leverdag ligt vóór de eerste, { $supply_date }. Kies een latere dag.
fault-kor-applies = Sinds { $since } gebruik je de KOR, dus hier komt geen btw op. Is het werk eerder gedaan? Vul dan de leverdatum in.
fault-exemption-of-other = Alleen een vrijgestelde regel heeft een vrijstelling. Laat die leeg.
fault-exemption-of-kor = Op de leverdatum gebruik je de KOR niet. Kies een andere vrijstelling.
fault-kor-limit-passed = Hiermee wordt je omzet dit jaar { $counted }, boven de KOR-grens van { $threshold }. Reken hier 21% of 9% btw; daarmee eindigt de KOR.
fault-kor-barred = De KOR kan pas ingaan op { $until }. Kies die dag of later.
fault-kor-notice = De Belastingdienst wil de aanmelding uiterlijk { $latest } hebben. Kies een latere ingangsdatum.
fault-not-first-of-period = Kies de eerste dag van een aangiftetijdvak, zoals { $first }.
fault-only-with-cash = Alleen het kasstelsel heeft een grond. Laat die leeg.
fault-day-of-designation = Alleen een aangewezen onderneming heeft deze dag. Laat die leeg.
fault-kor-passed-on = Je kwam op { $date } boven de grens. De KOR eindigt op die dag.
fault-kor-not-passed = Geen factuur van dat jaar komt boven de grens van de KOR. Kies als reden: eigen keuze.
fault-kor-private-use = Sinds { $since } gebruik je de KOR, dus over privégebruik betaal je geen btw. Laat de btw leeg en vul de waarde in.
fault-not-first-of-year = Aangifte per jaar begint en eindigt met een jaar. Kies 1 januari, zoals { $first }.
fault-later-unit-change = De wijziging per { $from } zou geen tijdvak meer beginnen. Pas die eerst aan.
fault-vat-number-dutch = Dit is een Nederlands btw-id. Vul dat van je klant in het andere EU-land in.
fault-no-eu-supply = Op deze factuur staat geen levering of dienst naar een ander EU-land.
fault-not-first-of-quarter = Kies de eerste dag van een kwartaal, zoals { $first }.
fault-numbers-begun = { $year } heeft al facturen; de nummering loopt door. Laat dit veld leeg.
fault-triangular-not-eu = Een driehoekslevering (ABC) gaat altijd naar een ander EU-land. Kies diensten of goederen.
fault-credit-before-invoice = Een creditnota ligt niet vóór de factuur van { $invoice_date }. Kies een latere dag.
fault-exceeds-refund = Er is { $remaining } terug te betalen; je vulde { $asked } in. Vul hoogstens { $remaining } in.
fault-undone-before = Ongedaan maken kan niet vóór de dag zelf, { $date }. Kies die dag of een latere.
fault-written-off-before-invoice = Oninbaar boeken kan niet vóór de factuur van { $invoice_date }. Kies een latere dag.
fault-total-below-open = Vul het totaal van de factuur inclusief btw in, minstens het openstaande bedrag van { $least }.
fault-vat-not-the-total = De bedragen en de btw tellen op tot { $vat }. Vul alle tarieven van de factuur in, samen { $total }.
fault-amount-and-price = Vul een bedrag in, of een prijs en een aantal.
fault-only-receivable = Laat dit leeg: alleen een eigen factuur heeft dit.
fault-only-premium = Laat dit leeg: alleen een premie heeft dit.
fault-rate-twice = Vul { $rate }% één keer in, met de som van de bedragen.
fault-write-off-recovered = Van dit oninbare bedrag is { $recovered } toch nog binnengekomen. Maak eerst die betaling ongedaan.
fault-unknown-prepayment = Factuur { $id } is geen verstuurde vooruitbetalingsfactuur van deze klant. Kies een andere.
fault-prepayment-used = Van vooruitbetalingsfactuur { $invoice } is niets meer te verrekenen. Haal het vinkje weg.
fault-prepayment-sets-off = Een vooruitbetalingsfactuur verrekent geen andere vooruitbetaling. Kies een van de twee.
fault-empty-payout = Vul een bedrag of kosten in.
fault-fee-vat-exceeds-fee = De btw is meer dan de kosten van { $fee }. Vul minder in.
fault-fee-vat-not-charged = Zonder btw op de kosten is er geen btw-bedrag. Maak het veld leeg of kies een andere btw.
fault-clock-back = De klok van het testaccount gaat alleen vooruit; hij staat op { $now }.
fault-clock-too-far = De klok van het testaccount gaat niet verder dan { $latest }.
fault-invalid-moment = Schrijf het moment zoals 2026-03-15T12:00:00Z.
fault-payment-too-late = Deze dag moet nog komen. Vul de dag van de betaling in.
fault-undone-too-late = Deze dag moet nog komen. Vul de dag in waarop het werd teruggedraaid, uiterlijk { $latest }.
fault-negative-total = Een factuur komt niet onder € 0,00. Maak een creditnota van de factuur die je terugneemt.
fault-nothing-outstanding = Factuur { $invoice } is al helemaal betaald. Noteer de betaling bij een andere factuur.
fault-kept-amount-required = Factuur { $invoice } is al helemaal betaald. Vul het bedrag in dat binnenkwam.
fault-logo-too-large = Dit bestand is groter dan 10 MB. Kies een kleiner plaatje.
fault-logo-too-many-pixels = Dit plaatje heeft meer dan 8000 bij 8000 pixels. Kies een kleiner plaatje.
fault-logo-wrong-format = Dit is geen PNG of JPEG; andere plaatjes kunnen niet op een factuur. Kies PNG of JPEG.
fault-logo-damaged = Dit plaatje is beschadigd. Bewaar het opnieuw en kies het nog eens.
fault-invalid-colour = Dit is geen kleur. Vul bijvoorbeeld #115e59 in.
fault-nothing-to-write-off = Van factuur { $invoice } staat niets meer open, dus er valt niets af te boeken.
fault-nothing-to-remind-of = Van factuur { $invoice } staat niets meer open, dus een herinnering is niet nodig.
fault-fixed-text = De wet schrijft de tekst van deze brief voor.
fault-steps-not-ascending = Kies meer dagen dan bij de stap ervoor.
fault-not-late = Deze factuur kan tot en met { $due_date } betaald worden. Herinner je klant vanaf de dag erna.
fault-exceeds-outstanding = Er staat nog { $remaining } open; je vulde { $asked } in. Vul hoogstens { $remaining } in.
fault-overpaid = Er staat nog { $remaining } open; je vulde { $asked } in. Vul hoogstens { $remaining } in.
fault-credit-exceeds = Er is nog { $remaining } te crediteren; dit is { $asked }. Crediteer minder.
fault-credit-rate-unknown = De factuur heeft geen regel met { $rate }%. Kies een tarief van de factuur.
fault-credit-exceeds-rate = Tegen { $rate }% is nog { $remaining } te crediteren (excl. btw); dit is { $asked }. Crediteer minder.
fault-credit-exceeds-gross = Tegen { $rate }% is nog { $remaining } te crediteren (incl. btw); dit is { $asked }. Crediteer minder.

## Uren
fault-day-too-long = Op { $date } staan al { $written } uur; met deze { $hours } wordt het meer dan 24. Verlaag een van de twee.
fault-contact-merged = Dit contact is al met een ander samengevoegd. Gebruik dat andere.
fault-same-contact = Dit is hetzelfde contact. Kies een ander om mee samen te voegen.
fault-unknown-article = Dit artikel bestaat niet. Kies een artikel uit de lijst.
fault-article-twice = Kies het artikel met zijn nummer of uit de lijst, niet allebei.
fault-article-number-taken = Je hebt al een artikel met nummer { $number }. Kies een ander nummer.
fault-too-many-articles = Je kunt hooguit { $most } artikelen hebben. Wijzig een artikel dat je niet meer gebruikt.
fault-unknown-contact = Dit contact bestaat niet. Kies een klant uit de lijst.
fault-unknown-project = Dit project is er niet. Kies een project uit de lijst.
fault-external-id-differs = Dit externalId is een ander dan in het adres.
fault-external-id-taken = Dit externalId is al in gebruik. Kies een ander.
fault-project-without-customer = Dit project heeft nog geen klant. Kies er een bij het project.
fault-project-without-rate = Dit project heeft nog geen uurtarief. Vul het in bij het project.
fault-hours-in-parts = Deze uren zijn in delen genoteerd of al gefactureerd. Wijzig ze in de lijst.
fault-timer-too-long = De timer liep { $hours } uur, langer dan een dag. Vul in hoelang je werkte.

## Inkoop
fault-purchase-out-of-range = Bedrag en btw zijn samen te groot. Ze blijven onder € 100.000.000.000.

## Toegang
fault-scope-required = Kies er minstens één: lezen of schrijven.
fault-redirect-uri = { $why ->
    [too-long] { $uri } kan niet: een redirect-URI heeft hoogstens 2000 tekens.
    [characters] { $uri } kan niet: er staan tekens in die niet in een URI horen. Schrijf ze met een procentcode, en een hostnaam in punycode.
    [fragment] { $uri } kan niet: laat # en wat erachter staat weg.
    [user] { $uri } kan niet: laat de gebruikersnaam en het wachtwoord voor @ weg.
    [parameters] { $uri } kan niet: code, state, iss en error komen pas bij het antwoord erachter.
    [localhost] { $uri } kan niet: schrijf http://127.0.0.1 of http://[::1] in plaats van localhost.
    [not-encrypted] { $uri } kan niet: gebruik https. Alleen 127.0.0.1 en [::1] kunnen met http.
    [scheme] { $uri } kan niet: gebruik https, of voor een app een omgekeerde domeinnaam, zoals com.example.app:/callback.
   *[not-whole] { $uri } kan niet: schrijf de hele URI, zoals https://app.example.com/callback.
}
fault-invalid-credential = Gebruik 1 tot 255 zichtbare tekens.
fault-client-id-taken = Een andere app heeft dit id. Kies een ander.

## Waar het bij een veld anders is
fault-required-at-payment-term-days = Vul een heel aantal dagen in van 0 tot 365.
fault-not-a-whole-number-at-payment-term-days = Vul een heel aantal dagen in van 0 tot 365.
fault-whole-out-of-range-at-payment-term-days = Vul een heel aantal dagen in van 0 tot 365.
fault-required-at-name = Vul een naam in.
fault-required-at-code = Vul een code in.
fault-control-characters-at-name = Houd de naam op één regel, zonder onzichtbare tekens.
fault-too-long-at-name = Vul een naam in van hoogstens { $most } tekens.
fault-required-at-items-category = Kies een soort kosten.
fault-required-at-items-description = Vul in wat je levert.
fault-date-required-at-from = Vul de eerste dag in: die van een kwartaal, zoals 1-1-2027.
fault-not-a-cost-account = Kies een kostenrekening.
fault-vat-not-printed = Laat het btw-bedrag leeg: alleen bij Nederlandse btw en bij invoer met betaalde btw staat het op het document.
fault-vat-exceeds-amount = De btw is meer dan het bedrag. Vul hoogstens { $most } in.
fault-vat-of-other-sign = Geef de btw hetzelfde teken als het bedrag.
fault-nothing-bought = Vul een bedrag in dat niet nul is.
fault-vat-above-high-rate = Dit is meer btw dan het hoge tarief over de waarde: hoogstens { $most }.
fault-signed-amount-out-of-range = Het bedrag is te groot: hoogstens { $most }.
fault-share-out-of-range = Vul een percentage van 0 tot en met 100 in, met hoogstens twee decimalen.
fault-unknown-receipt = Bon { $id } is er niet (meer). Kies de bon opnieuw.
fault-already-paid = Er is al { $paid } van betaald. Laat “Nog te betalen” staan en houd het totaal op minstens dat bedrag, of maak eerst de betalingen ongedaan.
fault-vat-repaid = Er is { $vat } btw op terugbetaald. Betaal de factuur, of maak hem ongedaan en boek hem opnieuw.
fault-bill-settled = Hiervan hoeft niets meer betaald te worden.
fault-before-bill = Kies een dag op of na die van de factuur, { $date }.
fault-no-vat-to-repay = Er is geen btw terug te betalen: de factuur is betaald, er is niets op afgetrokken, of het is al gebeurd.
fault-file-empty = Het bestand is leeg. Kies een ander.
fault-file-too-large = Kies een bestand van hoogstens 10 MB.
fault-file-heic = HEIC-foto’s zijn niet overal te openen, en een bon moet zeven jaar leesbaar blijven. Kies een JPEG (iPhone: Instellingen, Camera, Structuren, Meest compatibel).
fault-file-of-other-kind = Kies een foto (JPEG, PNG of WebP) of een pdf. Dit bestand is geen van die.
fault-file-too-many-pixels = Kies een foto van hoogstens 50 miljoen pixels.
fault-file-damaged = De foto is beschadigd. Fotografeer de bon opnieuw of kies een ander bestand.
fault-not-an-asset-account = Kies een rekening voor bedrijfsmiddelen.
fault-residual-out-of-range = Vul een restwaarde van nul tot en met de aanschafkosten in, { $cost }.
fault-no-vat-to-revise = In { $year } is er geen btw op dit bedrijfsmiddel te herzien. Dat gebeurt één keer per jaar, in de vier jaren na de aankoop, als de KOR sindsdien is ingegaan of gestopt.
fault-depreciated-out-of-range = Vul in wat er al op is afgeschreven, van nul tot en met { $most }.
fault-no-opening-balance = Leg eerst je beginbalans vast, met dit bedrijfsmiddel erop.
fault-after-opening-balance = Dit is van na je beginbalans van { $date }. Laat ‘al afgeschreven’ leeg, dan wordt de aankoop geboekt.
fault-depreciation-too-late = Kies een dag tot het eind van volgend jaar, uiterlijk { $latest }.
fault-before-purchase = Kies een dag op of na { $date }.
fault-no-mileage-rate = De kilometervergoeding van { $year } is nog niet bekend. Kies een dag in een ander jaar.
fault-unknown-account = Kies een grootboekrekening uit de lijst.
fault-account-taken = Deze code is al in gebruik. Kies vier andere cijfers.
fault-reserved-account = Deze code is voor het programma zelf. Kies een code buiten 0500–0599, 1000–1139, 1300, 1500–1529, 1600–1640 en 1700–1799.
fault-other-digit = Bij deze RGS-code hoort een code die begint met { $digits }.
fault-unknown-rgs-code = Kies een RGS-code uit de lijst.
fault-too-many-accounts = Je kunt hooguit { $most } eigen rekeningen hebben. Hernoem er een die je niet meer gebruikt.
fault-unknown-bank-account = Deze bankrekening kennen we niet. Kies er een uit de lijst.
fault-bank-name-taken = Je hebt al een bankrekening die { $name } heet. Kies een andere naam.
fault-iban-taken = { $iban } hoort al bij een andere bankrekening. Controleer het IBAN.
fault-cash-without-iban = Een kas heeft geen IBAN. Maak dit veld leeg.
fault-too-many-bank-accounts = Je kunt hooguit { $most } bankrekeningen van deze soort hebben. Hernoem er een die je niet meer gebruikt.
fault-identifier-length = Vul { $least } tot { $most } tekens in, zoals het oude rekeningnummer.
fault-unsupported-file = { $why ->
    [empty] Dit bestand is leeg. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [binary] Dit bestand is geen tekst. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
   *[unknown] Dit bestand is geen bankafschrift dat we kennen. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [office] Dit bestand is een rekenblad of ander kantoorbestand. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [too-large] Dit bestand is groter dan 20 MB. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [record-too-long] Dit bestand heeft een te lange regel. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [too-many-lines] Dit bestand heeft meer dan 100.000 bankregels. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [too-many-statements] Dit bestand heeft meer dan 10.000 afschriften. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [malformed-xml] Dit bestand is onvolledig of beschadigd. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [doctype] Dit bestand bevat een DOCTYPE, en dat hoort niet in een bankafschrift. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [entity] Dit bestand bevat een entiteit die niet in een bankafschrift hoort. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [too-deep] Dit bestand is te diep genest. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [malformed-archive] Dit bestand is een beschadigd zipbestand. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [too-many-files] Dit bestand bevat meer dan 200 bestanden. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [unpacked-too-large] Dit bestand wordt uitgepakt te groot. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [nested-archive] Dit bestand bevat een ander zipbestand. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
    [encrypted] Dit bestand is beveiligd met een wachtwoord. Download het afschrift opnieuw bij je bank, als CAMT.053, MT940 of CSV.
}
fault-no-statement = In dit bestand staat geen bankafschrift. Download een afschrift bij je bank.
fault-no-statement-but-other = Dit is een { $format }-bestand, en daarin staan geen afschriften. Download een afschrift als CAMT.053, MT940 of CSV.
fault-unknown-csv = Deze CSV herkennen we niet. We kennen die van ABN AMRO, ASN, bunq, ING, Knab, Rabobank, RegioBank, Revolut, SNS en Triodos. Wijs de kolommen aan, of download het afschrift als CAMT.053 of MT940.
fault-unsupported-currency = Rekening { $account } is in { $currency }, en we lezen alleen rekeningen in euro’s. Haal deze rekening uit het bestand.
fault-balance-mismatch = De bankregels tellen op { $day } niet op tot het saldo van de bank: het verschil is { $difference }. Download het afschrift opnieuw, of vink “Ook als de regels niet optellen tot het eindsaldo” aan.
fault-balance-mismatch-at-end = De bankregels tellen niet op tot het eindsaldo: het verschil is { $difference }. Download het afschrift opnieuw, of vink “Ook als de regels niet optellen tot het eindsaldo” aan.
fault-unknown-account-in-file = Rekening { $account } kennen we nog niet. Voeg deze bankrekening eerst toe.
fault-no-account-in-file = In dit bestand staat niet van welke rekening het is. Kies de bankrekening.
fault-other-account-in-file = Dit bestand is van rekening { $account }. Kies die bankrekening, of laat de keuze leeg.
fault-other-account-in-mapping = Kolomindeling { $name } hoort bij een andere bankrekening. Laat de bankrekening leeg.
fault-unknown-mapping = Deze kolomindeling bestaat niet meer. Kies een andere.
fault-too-many-mappings = Je kunt hooguit { $most } kolomindelingen hebben. Verwijder er een die je niet meer gebruikt.
fault-not-a-date-format = Vul een dag, een maand en een jaar in, zoals DD-MM-YYYY.
fault-not-a-column = Kies een kolom uit de lijst.
fault-amount-columns = Kies één kolom met het bedrag, of een kolom voor af en een voor bij.
fault-out-words-required = Vul in met welk woord de bank zegt dat geld af gaat.
fault-file-value-required = In het bestand ontbreekt een waarde ({ $field ->
        [account] rekening
        [amount] bedrag
        [balance] saldo
        [date] datum
        [valueDate] rentedatum
        [sign] bij of af
        [currency] munt
        [status] status
        [name] naam
        [text] omschrijving
        [reference] kenmerk
        [columns] kolommen
       *[other] waarde
    }). Download het afschrift opnieuw.
fault-file-value-invalid = “{ $value }” in het bestand kunnen we niet lezen ({ $field ->
        [account] rekening
        [amount] bedrag
        [balance] saldo
        [date] datum
        [valueDate] rentedatum
        [sign] bij of af
        [currency] munt
        [status] status
        [name] naam
        [text] omschrijving
        [reference] kenmerk
        [columns] kolommen
       *[other] waarde
    }). Download het afschrift opnieuw.
fault-file-value-too-fine = “{ $value }” in het bestand heeft meer dan twee decimalen ({ $field ->
        [account] rekening
        [amount] bedrag
        [balance] saldo
        [date] datum
        [valueDate] rentedatum
        [sign] bij of af
        [currency] munt
        [status] status
        [name] naam
        [text] omschrijving
        [reference] kenmerk
        [columns] kolommen
       *[other] waarde
    }). Controleer het bestand.
fault-file-value-out-of-range = “{ $value }” in het bestand valt buiten wat we aannemen ({ $field ->
        [account] rekening
        [amount] bedrag
        [balance] saldo
        [date] datum
        [valueDate] rentedatum
        [sign] bij of af
        [currency] munt
        [status] status
        [name] naam
        [text] omschrijving
        [reference] kenmerk
        [columns] kolommen
       *[other] waarde
    }). Controleer het bestand.
fault-file-value-unknown = “{ $value }” in het bestand kennen we niet ({ $field ->
        [account] rekening
        [amount] bedrag
        [balance] saldo
        [date] datum
        [valueDate] rentedatum
        [sign] bij of af
        [currency] munt
        [status] status
        [name] naam
        [text] omschrijving
        [reference] kenmerk
        [columns] kolommen
       *[other] waarde
    }). Controleer het bestand.
fault-line-unbalanced = Deze bedragen zijn samen niet het bedrag van de bankregel: er ontbreekt { $missing }. Pas een bedrag aan.
fault-other-direction = { $direction ->
    [in] Dit kan alleen voor geld dat bijgeschreven is. Kies een andere soort.
   *[out] Dit kan alleen voor geld dat afgeschreven is. Kies een andere soort.
}
fault-other-half-unfit = Deze bankregel past niet bij de overboeking. Kies een nieuwe bankregel met het tegengestelde bedrag, hooguit tien dagen eerder of later.
fault-unknown-suggestion = De bankregel heeft dit voorstel niet meer. Kies een voorstel uit de lijst.
fault-not-a-suggestion = Dit is geen voorstel. Kies een voorstel uit de lijst.
fault-rule-without-condition = Vul een IBAN, een incassant-ID, of een deel van de naam of de omschrijving in.
fault-too-many-rules = Je kunt hooguit { $most } regels hebben. Archiveer er een die je niet meer gebruikt.
fault-not-repeatable = Vul één kostenregel in zonder bedrag en zonder btw-bedrag: die neemt het hele bedrag.
fault-most-below-least = Het hoogste bedrag moet minstens { $least } zijn.
fault-unknown-entry = Deze boeking kennen we niet. Kies een boeking uit de lijst.
fault-entry-of-other-bank-account = Deze boeking gaat niet over deze bankrekening. Kies een andere boeking.
fault-entry-of-other-amount = Deze boeking is van { $amount }, of is tegengeboekt. Kies een boeking met precies dit bedrag.
fault-entry-of-opening-balance = Met deze boeking begint je boekhouding, dus er hoort geen losse bankregel bij. Kies een andere boeking.
fault-unknown-invoice = Deze factuur bestaat niet.
fault-unknown-loan = Deze lening bestaat niet, of is ongedaan gemaakt.
fault-bank-account-archived = De bankrekening met nummer { $code } is gearchiveerd. Maak haar eerst weer actief.
fault-payout-too-large = Bedrag en kosten mogen samen hooguit { $most } zijn.
fault-entry-linked = Deze boeking hoort al bij een bankregel. Kies een andere boeking.
fault-line-day = Kies een dag van { $first } tot en met { $last }.
fault-not-an-account-code = Vul vier cijfers in, zoals 4105.
fault-kept-by-program = Rekening { $account } wordt bijgehouden vanuit je facturen, uitgaven en aangiften. Kies een andere rekening.
fault-one-side-only = Vul óf debet óf credit in.
fault-unbalanced = Debet en credit zijn niet gelijk: debet { $debit }, credit { $credit }. Pas een bedrag aan.
fault-same-account = Kies een andere rekening dan die waar het geld vandaan komt.
fault-no-checking-account = Kies een betaalrekening die in gebruik is.
fault-bank-account-without-iban = Deze bankrekening heeft geen IBAN. Vul het eerst in, of kies een andere rekening.
fault-payer-without-name = Geef je bedrijf eerst een naam in Latijnse letters, bij Instellingen.
fault-day-after = Kies { $day } of een eerdere dag.
fault-unknown-expense = Deze uitgave bestaat niet.
fault-bill-undone = Deze uitgave is ongedaan gemaakt; er is niets te betalen.
fault-credit-note-not-payable = Dit is een creditnota: de leverancier betaalt jou.
fault-no-payee = De IBAN om aan te betalen ontbreekt. Vul die in bij de factuur, of bij de leverancier onder Contacten.
fault-bill-in-batch-twice = Deze factuur staat al in de betaalopdracht.
fault-day-before = Kies { $day } of een latere dag.
fault-before-opening = Je beginbalans is van { $opening } en bevat alles van daarvoor al. Kies die dag of een latere, of wijzig je beginbalans.
fault-opening-too-late = Je boekhouding kan niet in de toekomst beginnen. Kies { $latest } of een eerdere dag.
fault-booked-before-opening = Op { $first } is al iets geboekt. Kies die dag of een eerdere, of maak ongedaan wat ervoor geboekt is.
fault-day-not-after = Kies een dag na { $day }.
fault-exceeds-loan = Je wilt { $asked } aflossen, maar er staat nog { $remaining } open. Vul hoogstens { $remaining } in.
fault-balance-of-other-side = Zet een min voor het saldo van rekening { $account }: het is een schuld, of wat er is afgeschreven.
fault-account-twice = Rekening { $account } staat er twee keer. Vul het hele saldo op één regel in.
fault-from-open-items = Rekening { $account } volgt uit je openstaande posten. Laat hem hier leeg en vul elke post in.
fault-number-taken = Er is al een factuur { $number }. Vul het nummer van deze factuur in.
fault-bill-twice = Rekening { $number } van deze leverancier staat er al bij. Vul elke rekening één keer in.
fault-number-of-series = { $number } komt nog in je nummering van { $year }. Laat die eerst hoger beginnen, of schrijf het nummer anders.
fault-after-opening = Kies { $opening } of een eerdere dag. Wat later komt, boek je apart.
