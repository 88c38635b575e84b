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

## API-toegang
access-title = API-toegang
access-lead = Laat een webwinkel, een urenregistratie of een eigen programma in je boekhouding werken.
access-plan-title = Je abonnement is zonder API
access-plan-text = Voor de API is het abonnement { $minimum } nodig, of een hoger; je account heeft { $plan }. Vraag de beheerder van deze dienst om je abonnement te wijzigen. Vanaf dat moment werken de sleutels en applicaties die hier staan (weer).
access-new-title = Sleutel maken
access-new-text = Een sleutel is als een wachtwoord voor een programma. Geef elk programma een eigen sleutel, dan kun je er één intrekken zonder de andere te storen.
access-name = Naam
access-name-hint = Welk programma gaat hem gebruiken? Bijvoorbeeld: webwinkel
access-name-fault = Geef de sleutel een naam van hoogstens 255 tekens.
access-scopes = Wat mag de sleutel?
access-scope-fault = Kies er minstens één: lezen of schrijven.
access-read = Lezen
access-read-hint = Facturen, contacten, projecten, uren, boekingen, btw-aangiften en jaarcijfers inzien
access-write = Schrijven
access-write-hint = Facturen, betalingen, contacten en uren maken en wijzigen
access-create = Sleutel maken
access-made-title = Je nieuwe sleutel
access-made-warning = Kopieer de sleutel nu en bewaar hem veilig: hij wordt alleen deze keer getoond. Wie hem heeft, kan in je boekhouding alles wat de sleutel mag.
access-made-try = Kijk in een terminal of hij werkt
access-made-try-write = De sleutel mag alleen schrijven, dus dit maakt een contact met de naam Test. Herhaald maakt het geen tweede.
access-made-done = Klaar
access-keys-title = Sleutels
access-keys-none-text = Nog geen sleutels. Een sleutel die je maakt, staat hier, met wanneer hij het laatst is gebruikt.
access-key-made = Gemaakt op { $at }
access-key-revoked = Ingetrokken op { $at }
access-used = Laatst gebruikt op { $at }
access-used-from = Laatst gebruikt op { $at } vanaf { $address }
access-unused = Nooit gebruikt
access-revoke = Intrekken
access-revoke-sure = Programma's met deze sleutel worden vanaf dat moment geweigerd. Een ingetrokken sleutel kan niet worden teruggehaald.
access-revoke-yes = Ja, deze sleutel intrekken
access-revoked-title = { $count ->
    [one] 1 ingetrokken sleutel
   *[other] { $count } ingetrokken sleutels
}
access-connections-title = Gekoppelde applicaties
access-connections-none-text = Geen gekoppelde applicaties. Koppel je in een applicatie van een ander je boekhouding, dan staat die hier en kun je hem weer ontkoppelen.
access-connected-since = Gekoppeld sinds { $at }
access-disconnect = Ontkoppelen
access-disconnect-text = Ontkoppelen beëindigt de toegang van de applicatie meteen. Wil je haar weer gebruiken, koppel haar dan opnieuw vanuit de applicatie zelf.
access-calls-title = Laatste API-aanroepen
access-calls-text = De laatste 100 aanroepen met je sleutels en door gekoppelde applicaties, de laatste bovenaan.
access-calls-none-title = Nog geen aanroepen
access-calls-none-text = Zo ziet een eerste aanroep eruit; zet je eigen sleutel op de plaats van gb_live_…:
access-call-at = Wanneer
access-call-what = Aanroep
access-call-answer = Antwoord
access-call-by = Door
access-call-gone = Ontkoppelde applicatie
done-key-revoked = De sleutel is ingetrokken.
done-disconnected = De applicatie is ontkoppeld: haar toegang is beëindigd.

## Een applicatie vraagt om toegang
consent-title = { $app } koppelen?
consent-app = Applicatie
consent-account = Aan de boekhouding van
consent-destination = Je gaat terug naar
consent-may = De applicatie mag dan
consent-until = De toegang duurt hoogstens tot { $date }. Je kunt hem op elk moment beëindigen bij
consent-trust = Sta dit alleen toe als je er zojuist in deze applicatie om is gevraagd en weet wie erachter zit.
consent-allow = Toestaan
consent-refuse = Weigeren
consent-plan-title = Je abonnement is zonder koppelingen
consent-country-title = Alleen voor accounts in Nederland
consent-country-text = Applicaties kunnen alleen worden gekoppeld aan de boekhouding van accounts die in Nederland zijn gevestigd.
consent-back = Terug naar { $app }
lost-title = Dit verzoek om toegang is niet bruikbaar
lost-text = Een applicatie stuurde je hierheen om haar aan je boekhouding te koppelen, maar haar verzoek klopt niet. Er is niets gedaan.
lost-tell = Wil je de applicatie gebruiken, meld de makers dan:
lost-unreadable = Het verzoek bevat tekens die geen UTF-8 zijn.
lost-client-missing = Het verzoek zegt niet, precies één keer, welke applicatie het is (client_id).
lost-client-unknown = De applicatie is niet bij deze dienst geregistreerd (client_id).
lost-redirect-missing = Het verzoek zegt niet, precies één keer, waarheen je teruggaat (redirect_uri).
lost-redirect-unknown = Het adres waarheen je zou teruggaan, is niet voor deze applicatie geregistreerd (redirect_uri).
onward-title = Terug naar de applicatie
onward-text = Het verzoek om toegang van de applicatie klopt niet; dat krijgt ze nu te horen.
onward-go = Naar { $host }

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
