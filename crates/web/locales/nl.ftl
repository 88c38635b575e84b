# De teksten van de pagina's. Elk id staat ook in en.ftl; een test waakt erover.

## Overal
skip-to-main = Naar de inhoud
nav-label = Hoofdmenu
nav-menu = Menu
nav-overview = Overzicht
nav-settings = Instellingen
nav-sign-out = Uitloggen
foot-api = API-documentatie
foot-guide = Handleiding voor koppelingen
copy = Kopiëren
copied = Gekopieerd
field-optional = (niet verplicht)
faults-title = { $count ->
    [one] Er klopt nog iets niet
   *[other] Er kloppen nog { $count } dingen niet
}
done-signed-out = Je bent uitgelogd.

## Voorpagina
welcome-page-title = Boekhouden voor zzp'ers
welcome-title = Een boekhouding die altijd klopt
welcome-lead = Grootboek is de boekhouding voor zelfstandigen in Nederland: facturen, uren en btw, dubbel geboekt en tot op de cent na te rekenen.
welcome-sign-up = Account maken
welcome-sign-in = Inloggen
welcome-api = API-documentatie
welcome-example = Voorbeeld: één factuur
welcome-example-net = Ontwerp, exclusief btw
welcome-example-vat = Btw 21%
welcome-example-total = Te betalen
welcome-example-entry = Zo wordt die meteen geboekt
welcome-account = Rekening
welcome-debit = Debet
welcome-credit = Credit
welcome-box = Btw
welcome-receivables = Debiteuren
welcome-revenue = Omzet hoog tarief
welcome-vat-due = Af te dragen btw
welcome-books-title = Niets verdwijnt
welcome-books-text = Elke boeking blijft staan en is aan de vorige geketend. Een correctie is een nieuwe boeking, zodat je altijd ziet wat er gebeurd is.
welcome-return-title = Je aangifte, uitgelegd
welcome-return-text = Van elk vakje van de btw-aangifte zie je uit welke boekingen het bestaat, en hoeveel er nog op concepten staat.
welcome-connect-title = Sluit aan wat je al gebruikt
welcome-connect-text = Webwinkels en urenregistraties boeken via een open API met sleutels die je zelf beheert.

## Overzicht
home-title = Overzicht
home-email = E-mailadres
home-plan = Abonnement
home-since = Account sinds

## Als er iets misgaat
failure-home = Naar de beginpagina
failure-request = Vraag je om hulp, noem dan dit nummer:
failure-foreign-title = Dit formulier kwam van een andere site
failure-foreign-text = Je browser meldt dat een andere website dit formulier verstuurde. Daarom is er niets gedaan. Open Grootboek zelf en probeer het daar opnieuw.
failure-stale-title = Deze pagina is verlopen
failure-stale-text = Het formulier hoort bij een eerdere sessie, of je browser bewaart geen cookies. Er is niets gedaan. Ga terug, ververs de pagina en verstuur het formulier opnieuw.
failure-malformed-title = Het formulier is niet te lezen
failure-malformed-text = Er staan tekens in die geen UTF-8 zijn. Er is niets gedaan. Ga terug, ververs de pagina en verstuur het formulier opnieuw.
failure-no-form-title = Dit is geen formulier
failure-no-form-text = Deze pagina verwacht een formulier zoals een browser dat verstuurt. Gebruik voor programma's de API.
failure-missing-title = Deze pagina bestaat niet
failure-missing-text = Controleer het adres op tikfouten, of begin bij de beginpagina.
failure-method-title = Zo werkt deze pagina niet
failure-method-text = Dit adres kan niet op deze manier worden opgevraagd. Begin bij de beginpagina.
failure-large-title = Het formulier is te groot
failure-large-text = Er is niets gedaan. Kort de tekst in en verstuur het formulier opnieuw.
failure-often-title = Even rustig aan
failure-often-text = Er kwamen te veel verzoeken kort na elkaar. Wacht even en probeer het dan opnieuw.
failure-away-title = Even niet bereikbaar
failure-away-text = We kunnen nu niet antwoorden. Probeer het over een ogenblik opnieuw; er is niets half opgeslagen.
failure-broken-title = Er ging bij ons iets mis
failure-broken-text = Er is niets half opgeslagen. Probeer het opnieuw; blijft het misgaan, laat het de beheerder dan weten.
failure-refused-title = Dat kan niet
failure-refused-text = Het verzoek kon niet worden uitgevoerd. Ga terug en probeer het opnieuw.
