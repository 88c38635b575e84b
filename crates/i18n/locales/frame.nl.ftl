# Wat pagina's van meer gebieden delen: menu, formulieren, meldingen en fouten. Elk id staat ook in frame.en.ftl; een test waakt erover.

## Overal
skip-to-main = Naar de inhoud
nav-label = Hoofdmenu
nav-menu = Menu
nav-overview = Overzicht
nav-settings = Instellingen
nav-sales = Verkoop
nav-costs = Kosten
nav-time = Tijd
nav-tax = Belasting
nav-new = Nieuw
nav-search = Zoeken
keys-title = Sneltoetsen
keys-new = Nieuw op deze pagina
keys-send = Formulier versturen
keys-undo = Het laatste ongedaan maken
keys-bank-line = De volgende, de vorige bankregel
keys-bank-kind = Factuur, leverancier, kosten, privé, overboeking, grootboekrekening
keys-bank-suggestion = Een voorstel kiezen
keys-bank-tick = De bankregel aanvinken
keys-bank-certain = De zekere bankregels boeken
keys-space = spatie
keys-bank-book = Boeken en door naar de volgende
keys-show = Deze lijst tonen
keys-close = Sluiten
pager-rows = { $first } – { $last } van { $total }
pager-label = Bladeren
pager-previous = Vorige
pager-next = Volgende
nav-sign-out = Uitloggen
docs-title = Documentatie
docs-guides = Handleidingen
docs-api = API
docs-errors = Foutcodes
docs-changelog = Wijzigingen
docs-books = Naar je boekhouding
docs-no-script = Deze pagina heeft JavaScript nodig. Hetzelfde staat in de beschrijving:
foot-api = API-documentatie
foot-guide = Handleiding voor koppelingen
copy = Kopiëren
copied = Gekopieerd
field-optional = mag leeg
faults-title = { $count ->
    [one] Controleer dit veld
   *[other] Controleer deze { $count } velden
}

## Abonnementen
plan-free = Gratis
plan-starter = Starter
plan-pro = Pro

## Als er iets misgaat
failure-home = Naar de startpagina
failure-request = Hulp nodig? Geef dan dit nummer door:
failure-foreign-title = Dit formulier kwam van een andere site
failure-foreign-text = Je browser meldt dat een andere website dit formulier verstuurde. Daarom is er niets gedaan. Open Grootboek zelf en probeer het daar opnieuw.
failure-stale-title = Deze pagina is verlopen
failure-stale-text = Je was te lang weg of je browser bewaart geen cookies. Er is niets opgeslagen. Ververs de pagina en probeer het opnieuw.
failure-malformed-title = Het formulier is niet te lezen
failure-malformed-text = We kunnen een teken in de tekst niet lezen. Er is niets opgeslagen. Haal vreemde tekens weg en probeer het opnieuw.
failure-no-form-title = Dit is geen formulier
failure-no-form-text = Deze pagina verwacht een formulier zoals een browser dat verstuurt. Gebruik voor programma’s de API.
failure-dutch-title = Alleen voor ondernemers in Nederland
failure-dutch-text = Facturen, uitgaven en btw-aangiften volgen hier de Nederlandse regels. Met je account kun je projecten en uren bijhouden.
failure-missing-title = Deze pagina bestaat niet
failure-missing-text = Controleer het adres of ga naar de startpagina.
failure-method-title = Zo werkt deze pagina niet
failure-method-text = Dit adres kan niet op deze manier worden geopend. Ga naar de startpagina.
failure-large-title = Het formulier is te groot
failure-large-text = Er is niets opgeslagen. Kort de tekst in en probeer het opnieuw.
failure-often-title = Even rustig aan
failure-often-text = Er kwamen te veel verzoeken kort na elkaar. Wacht even en probeer het dan opnieuw.
failure-away-title = Even niet bereikbaar
failure-away-text = We kunnen nu niet antwoorden. Probeer het over een ogenblik opnieuw; er is niets half opgeslagen.
failure-broken-title = Er ging bij ons iets mis
failure-broken-text = Er is niets half opgeslagen. Probeer het opnieuw; blijft het misgaan, laat het de beheerder dan weten.
failure-refused-title = Dat kan niet
failure-refused-text = Het verzoek kon niet worden uitgevoerd. Ga terug en probeer het opnieuw.

## Algemeen in formulieren
save = Opslaan
cancel = Annuleren
edit = Wijzigen
archive = Archiveren
restore = Terughalen
delete = Verwijderen
state-active = Actief
state-archived = Gearchiveerd
field-email = E-mailadres
field-password = Wachtwoord
field-name = Naam of bedrijfsnaam
field-country = Land
field-street = Straat en huisnummer
field-postal-code = Postcode
field-city = Plaats
field-kvk-number = KvK-nummer
field-vat-number = Btw-id

## Gedaan
done-entry = Bekijk de boeking
undo = Ongedaan maken
done-nothing-saved = Je was uitgelogd; er is niets opgeslagen. Log in en probeer het opnieuw.

## Waarom een opdracht niet is uitgevoerd, als dat niet aan één veld ligt
refused-period-filed = De btw-aangifte { $period } is ingediend. Kies een latere datum, of vink “Boek als correctie” aan als die keuze hieronder staat.
refused-kor-has-taxed-invoices = Vanaf die dag zijn er facturen met btw: { $invoices }. Crediteer die eerst helemaal, of trek het concept in.
refused-kor-has-taxed-sales = Vanaf die dag zijn er bedrijfsmiddelen met btw verkocht: { $assets }. Maak de verkoop eerst ongedaan, en leg die na de wijziging zonder btw vast.
refused-kor-has-taxed-private-use = Vanaf die dag is er privégebruik met btw geboekt: { $bookings }. Maak dat eerst ongedaan, en leg het na de wijziging zonder btw vast.
refused-setting-filed = De btw-aangifte { $period } is ingediend. Kies een eerste dag in een open tijdvak, of heropen die aangifte eerst.
refused-filed-already = De btw-aangifte { $period } is al ingediend. Heropen die eerst om opnieuw in te dienen.
refused-list-filed = De opgaaf ICP { $period } is al ingediend. Heropen die eerst om opnieuw in te dienen.
refused-list-not-filed = Deze opgaaf ICP is niet ingediend.
refused-oss-filed = De OSS-aangifte van { $period } is ingediend. Heropen die eerst.
refused-oss-not-filed = Deze OSS-aangifte is niet ingediend.
refused-oss-not-registered = Op { $day } ben je niet aangemeld voor de Unieregeling (OSS). Noteer eerst je aanmelding.
refused-too-old-for-oss = De OSS-aangifte van { $period } is te oud om te corrigeren: dat kan tot drie jaar na de uiterste dag. Ga naar de belastingdienst van het andere land.
refused-period-not-over = Dit tijdvak is nog niet voorbij. Noteer het daarna als ingediend.
refused-period-not-filed = Dit tijdvak is niet ingediend, dus er valt niets te heropenen.
refused-other-period = Je doet geen btw-aangifte per kwartaal. Gebruik { $first }{ $several ->
    [yes] { " " }tot en met { $last }
   *[no] {""}
 }.
refused-cancelled = Dit concept is geannuleerd: het wordt niet verstuurd, betaald of gecrediteerd. Het nummer blijft gebruikt; maak een nieuwe factuur of een kopie.
refused-not-a-draft = Deze factuur is verstuurd en verandert niet meer. Maak een creditnota of een kopie.
refused-is-written-off = Van deze factuur is een bedrag oninbaar geboekt. Maak dat eerst ongedaan en crediteer dan.
refused-is-a-draft = Deze factuur is nog een concept. Verstuur hem eerst.
refused-is-a-credit-note = Dit is een creditnota; die wordt niet betaald of gecrediteerd. Kies de factuur zelf.
refused-is-set-off = Wat er van deze vooruitbetaling over is, is verrekend op een eindfactuur. Crediteer die eerst of trek die in.
refused-already-credited = Deze factuur is al helemaal gecrediteerd. Maak een nieuwe als er toch iets te betalen is.
refused-is-an-asset = Dit is de aankoop van een bedrijfsmiddel. Maak die ongedaan bij Bedrijfsmiddelen en boek hem opnieuw.
refused-already-disposed = Dit bedrijfsmiddel is al verkocht of weggedaan.
refused-account-in-use = Deze rekening heeft een saldo en kan daarom niet verborgen worden. Boek het saldo eerst over naar een andere rekening.
refused-account-of-program = Deze rekening hoort bij het programma en kan niet hernoemd of verborgen worden. Voeg in plaats daarvan een eigen rekening toe.
refused-bank-account-in-use = Deze bankrekening heeft een saldo en kan daarom niet gearchiveerd worden. Boek het saldo eerst over naar een andere rekening.
refused-bank-account-has-lines = Deze bankrekening heeft nog nieuwe bankregels en kan daarom niet gearchiveerd worden. Boek of negeer die eerst.
refused-lines-booked = Bankregels van dit afschrift zijn geboekt, dus het kan niet ongedaan worden gemaakt. Maak eerst die boekingen ongedaan.
refused-too-many-statements = Je hebt het afgelopen uur { $most } afschriften ingelezen. Probeer het over een uur opnieuw.
refused-already-booked = Deze bankregel is al geboekt. Maak die boeking eerst ongedaan.
refused-line-ignored = Deze bankregel is genegeerd. Maak dat eerst ongedaan.
refused-paid-by-bank-line = Een bankregel heeft deze uitgave betaald. Het totaal en de betaling veranderen alleen als je eerst de bankregel ongedaan maakt.
refused-booked-from-bank-line = Deze boeking hoort bij een bankregel met meer boekingen. Maak de bankregel ongedaan.
refused-already-in-batch = Een van deze facturen staat al in een andere betaalopdracht. Annuleer die eerst, of laat de factuur weg.
refused-batch-paid = De bank heeft een factuur van deze betaalopdracht betaald; annuleren kan niet meer.
refused-batch-outdated = Op een factuur in deze betaalopdracht staat minder open dan de opdracht betaalt. Annuleer de opdracht en maak een nieuwe.
refused-batch-cancelled = Deze betaalopdracht is geannuleerd en heeft geen betaalbestand meer. Maak een nieuwe.
refused-no-payee = De IBAN om aan te betalen ontbreekt. Vul die in bij de factuur, of bij de leverancier onder Contacten.
refused-nothing-due = Op deze uitgave is niets te betalen.
refused-not-booked = Deze bankregel is niet geboekt en niet genegeerd, dus er is niets ongedaan te maken.
refused-nothing-to-book = Deze bankregel is van 0,00 euro, dus er is niets te boeken. Daarom blijft hij genegeerd.
refused-stale-suggestion = De boekhouding is veranderd, en dit voorstel past niet meer. Bekijk de bankregel opnieuw.
refused-is-default = Deze bankrekening is de standaard van deze soort. Maak eerst een andere rekening de standaard.
refused-receipt-in-use = Deze bon hoort bij een boeking, dus het bestand blijft zeven jaar bewaard.
refused-project-archived = Dit project is gearchiveerd. Haal het terug of kies een ander.
refused-nothing-to-invoice = Dit project heeft nog geen uren om te factureren.
refused-already-invoiced = Deze uren staan al op een factuur en veranderen niet meer. Trek eerst het concept in, of crediteer de factuur.
refused-webhook-disabled = Naar een webhook die uit staat, wordt niets gestuurd. Zet hem eerst aan.
refused-timer-running = Er loopt al een timer. Stop die eerst of gooi hem weg.
refused-no-timer = Er loopt geen timer meer. Misschien is hij in een ander venster gestopt.
refused-quote-draft = De offerte is nog een concept. Verstuur die eerst.
refused-quote-sent = De offerte is al verstuurd en verandert niet meer. Maak een nieuwe versie.
refused-quote-accepted = De offerte is al geaccepteerd. Heropen die eerst.
refused-quote-refused = De offerte is afgewezen. Heropen die of maak een nieuwe versie.
refused-quote-expired = De offerte is verlopen. Maak een nieuwe versie.
refused-quote-is-invoiced = De offerte is al gefactureerd.
refused-quote-withdrawn = De offerte is ingetrokken. Heropen die eerst.
refused-quote-replaced = Een nieuwere versie van deze offerte is al verstuurd. Trek die eerst in.
refused-quote-has-invoice = Van deze offerte is al een factuur gemaakt. Crediteer die eerst, of trek het concept in.
refused-quote-invoiced = Deze offerte is al gefactureerd. Crediteer die factuur eerst, of trek het concept in.
refused-recurring-ended = Deze terugkerende factuur is beëindigd. Maak een nieuwe.
refused-occurrence-made = Deze factuur is al gemaakt.
refused-occurrence-skipped = Deze factuur is al overgeslagen.
refused-occurrence-planned = De dag van deze factuur is nog niet gekomen.
refused-too-many-active = Er zijn { $most } actieve terugkerende facturen; meer kan niet. Beëindig of pauzeer er eerst een.
refused-reminded-recently = Je klant kreeg kort geleden al een herinnering voor deze factuur. De volgende kan vanaf { $day }.
refused-reminders-stopped = De herinneringen voor deze factuur of deze klant zijn gestopt. Hervat ze eerst.
refused-reminders-stopped-until = De herinneringen voor deze factuur zijn gestopt tot en met { $day }. Hervat ze eerst.
refused-too-many-mails = Er zijn in de laatste 24 uur al { $most } e-mails over facturen verstuurd; meer kan niet op één dag. Verstuur deze morgen, of op een andere manier.

## Intussen gewijzigd
changed-title = Dit is intussen gewijzigd
changed-text = Het is net gewijzigd in een ander venster of via de API. Vergelijk beide versies; wat jij typte staat er nog. Er is nog niets opgeslagen.
changed-look = Dit is intussen veranderd, in een ander venster of via de API. Er is niets gedaan: kijk wat er nu staat en probeer het dan opnieuw.
changed-field = Veld
changed-typed = Jij vulde in
changed-now = Staat er nu
kept-sign-in = Je sessie was verlopen. Er is nog niets opgeslagen, maar wat je invulde is bewaard: log in, dan kun je het alsnog versturen.
kept-title = Je bent weer ingelogd
kept-text = Wat je invulde is er nog. Verstuur het, dan gaat het verder zoals je bedoelde.
kept-send = Alsnog versturen
kept-drop = Niet versturen
done-dropped = Dit formulier was al verstuurd. Wat je er daarna in wijzigde, is niet opgeslagen.
kept-file = Het bestand { $file } gaat niet mee. Je kiest het op de volgende pagina opnieuw.
kept-file-fault = Kies { $file } opnieuw: het bestand is niet bewaard toen je sessie verliep.
