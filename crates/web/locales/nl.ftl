# De teksten van de pagina's. Elk id staat ook in en.ftl; een test waakt erover.

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
keys-show = Deze lijst tonen
keys-close = Sluiten
pager-rows = { $first } – { $last } van { $total }
pager-label = Bladeren
pager-previous = Vorige
pager-next = Volgende
nav-sign-out = Uitloggen
foot-api = API-documentatie
foot-guide = Handleiding voor koppelingen
copy = Kopiëren
copied = Gekopieerd
field-optional = mag leeg
faults-title = { $count ->
    [one] Controleer dit veld
   *[other] Controleer deze { $count } velden
}
done-signed-out = Je bent uitgelogd.

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

## Overzicht
plan-free = Gratis
plan-starter = Starter
plan-pro = Pro

## API-toegang
access-title = API-toegang
access-lead = Koppel je webwinkel, urenregistratie of eigen programma.
access-plan-title = De API zit niet in je abonnement
access-plan-text = Voor de API heb je minstens het abonnement { $minimum } nodig; jij hebt nu { $plan }. Vraag de beheerder van deze dienst om je abonnement te wijzigen.
access-plan-again = Vanaf dat moment werken de sleutels en apps die hier staan weer.
access-new-title = Nieuwe sleutel
access-new-text = Een sleutel is als een wachtwoord voor een programma. Geef elk programma een eigen sleutel, dan kun je er één intrekken zonder dat de andere stoppen.
access-name = Naam
access-name-hint = Welk programma gaat hem gebruiken? Bijvoorbeeld: webwinkel
access-name-fault = Geef de sleutel een naam van hoogstens 255 tekens.
access-scopes = Wat mag de sleutel?
access-scope-fault = Kies er minstens één: lezen of schrijven.
access-read = Lezen
access-read-hint = Facturen, contacten, projecten, uren, boekingen, btw-aangiften en jaarcijfers inzien
access-write = Schrijven
access-write-hint = Facturen, betalingen, contacten en uren aanmaken en wijzigen
access-write-hint-abroad = Uren op projecten noteren. Facturen, betalingen, contacten en uren voor het urencriterium kunnen alleen accounts in Nederland boeken.
access-file = Btw-aangifte noteren
access-file-hint = Btw-aangiften als ingediend noteren en heropenen. In een ingediend kwartaal kan geen btw meer worden geboekt.
access-create = Sleutel aanmaken
access-made-before = Sinds je dit formulier opende, is er al een sleutel aangemaakt. Je vindt hem hieronder in de lijst. Wil je er nog een? Kies dan opnieuw “Sleutel aanmaken”.
access-made-title = Je nieuwe sleutel
access-made-warning = Kopieer de sleutel nu: we tonen hem één keer. Wie hem heeft, kan alles wat jij de sleutel toestaat.
access-made-try = Probeer hem uit in een terminal
access-made-try-write = De sleutel mag alleen schrijven, dus dit maakt een contact met de naam Test. Nog een keer uitvoeren maakt geen tweede.
access-made-done = Klaar
access-keys-title = Sleutels
access-keys-none-text = Nog geen sleutels. Een sleutel die je aanmaakt, staat hier, met wanneer hij het laatst is gebruikt.
access-keys-plan-text = Nog geen sleutels. De API zit niet in je abonnement, dus je kunt er nu geen aanmaken.
access-key-made = Aangemaakt op { $at }
access-key-revoked = Ingetrokken op { $at }
access-used = Laatst gebruikt op { $at }
access-used-from = Laatst gebruikt op { $at } vanaf { $address }
access-unused = Nooit gebruikt
access-revoke = Intrekken
access-revoke-sure = Programma’s met deze sleutel werken dan meteen niet meer. Intrekken kan niet ongedaan worden gemaakt.
access-revoke-yes = Sleutel intrekken
access-revoked-title = { $count ->
    [one] 1 ingetrokken sleutel
   *[other] { $count } ingetrokken sleutels
}
access-connections-title = Gekoppelde apps
access-connections-none-text = Geen gekoppelde apps. Koppel je Grootboek in een andere app, dan verschijnt die hier; ontkoppelen kan altijd.
access-connected-since = Gekoppeld sinds { $at }
access-disconnect = Ontkoppelen
access-disconnect-sure = De app heeft dan meteen geen toegang meer. Wil je hem weer gebruiken, koppel hem dan opnieuw vanuit de app zelf.
access-disconnect-yes = App ontkoppelen
access-calls-title = Laatste API-aanroepen
access-calls-text = De laatste 100 aanroepen met je sleutels en door gekoppelde apps, de nieuwste bovenaan.
access-calls-none-title = Nog geen aanroepen
access-calls-none-text = Zo doe je een eerste aanroep; vervang gb_live_… door je eigen sleutel:
access-calls-plan-text = De API zit niet in je abonnement.
access-call-nowhere = onbekend adres
access-call-gone = Ontkoppelde app
done-key-revoked = De sleutel is ingetrokken.
done-disconnected = De app is ontkoppeld en heeft geen toegang meer.

## Een app vraagt om toegang
consent-title = { $app } koppelen?
consent-app = App
consent-account = Aan de boekhouding van
consent-destination = Je gaat terug naar
consent-may = De app mag dan
consent-until = De koppeling geldt tot uiterlijk { $date }. Ontkoppelen kan altijd bij
consent-trust = Sta dit alleen toe als je zelf net in deze app op koppelen hebt geklikt en weet wie erachter zit.
consent-allow = Toestaan
consent-refuse = Weigeren
consent-plan-title = Koppelingen zitten niet in je abonnement
consent-country-title = Alleen voor accounts in Nederland
consent-country-text = Apps kunnen alleen worden gekoppeld aan de boekhouding van accounts die in Nederland zijn gevestigd.
consent-back = Terug naar { $app }
lost-title = Koppelen is niet gelukt
lost-text = Het verzoek van de app is onvolledig of onbekend. Er is niets gewijzigd.
lost-tell = Wil je de app gebruiken? Geef deze code dan door aan de makers:
lost-unreadable = We kunnen een teken in het verzoek niet lezen (geen UTF-8).
lost-client-missing = In het verzoek ontbreekt client_id, of het staat er vaker in.
lost-client-unknown = De app is niet bij deze dienst geregistreerd (client_id).
lost-redirect-missing = In het verzoek ontbreekt redirect_uri, of het staat er vaker in.
lost-redirect-unknown = Het adres waarheen je zou teruggaan, is niet voor deze app geregistreerd (redirect_uri).
onward-title = Terug naar de app
onward-text = Het verzoek van de app om te koppelen is niet gelukt; de app krijgt dat nu te horen.
onward-go = Naar { $host }

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
language-nl = Nederlands
language-en = English
field-email = E-mailadres
field-password = Wachtwoord
field-current-password = Huidig wachtwoord
field-new-password = Nieuw wachtwoord
field-name = Naam of bedrijfsnaam
field-country = Land
field-code = Code
field-street = Straat en huisnummer
field-postal-code = Postcode
field-city = Plaats
field-kvk-number = KvK-nummer
field-vat-number = Btw-id
field-iban = IBAN
field-payment-term = Betalingstermijn in dagen
field-number-pattern = Patroon van factuurnummers
field-language = Taal van de pagina’s en e-mails
hint-new-password = Minstens 8 tekens; 12 of meer is beter. Een paar woorden achter elkaar werkt het best.
hint-country = Je kunt dit wijzigen tot je eerste factuur of boeking.
hint-kvk-number = 8 cijfers
hint-vat-number = NL, 9 cijfers, B, 2 cijfers, bijvoorbeeld NL002455799B11. Niet je omzetbelastingnummer.
hint-vat-number-abroad = Met de landcode vooraan, zoals op je eigen facturen
hint-iban = De bankrekening waarop klanten betalen
hint-payment-term = Tussen factuurdatum en vervaldatum, 0 tot 365 dagen
hint-number-pattern = Met {"{year}"} en {"{number}"}, elk één keer. {"{number:4}"} geeft minstens vier cijfers.
fault-email = Vul een e-mailadres in, zoals naam@voorbeeld.nl.
fault-choice = Kies een van de mogelijkheden uit de lijst.
fault-wait-seconds = { $seconds ->
    [one] Dat ging te vaak mis. Probeer het over 1 seconde opnieuw.
   *[other] Dat ging te vaak mis. Probeer het over { $seconds } seconden opnieuw.
}
fault-wait-minutes = { $minutes ->
    [one] Dat ging te vaak mis. Probeer het over 1 minuut opnieuw.
   *[other] Dat ging te vaak mis. Probeer het over { $minutes } minuten opnieuw.
}
fault-sign-in = Je e-mailadres of wachtwoord klopt niet.
fault-password = Dit is niet je wachtwoord. Probeer het opnieuw.
fault-code = Deze code klopt niet of is al gebruikt. Wacht op de volgende code in je app.
fault-code-empty = Vul een code in.
fault-recovery-code = Deze herstelcode klopt niet of is al gebruikt; elke herstelcode werkt één keer. Probeer een andere van je lijst.
fault-code-form = Vul de 6 cijfers uit je app in, of een herstelcode.
fault-no-seal-key = Codes uit je app werken nu niet. Gebruik een herstelcode of vraag de beheerder om hulp.
fault-confirm-password = Dit is niet het wachtwoord dat je net hebt gekozen. Heb je dit account niet zelf aangemaakt? Kies “Wachtwoord vergeten”.
fault-close-email = Typ het e-mailadres van je account precies over.
fault-close-kept = Bevestig dat je je administratie hebt bewaard.

## Gedaan
done-confirmed = Je e-mailadres is bevestigd. Welkom bij Grootboek!
done-password-set = Je nieuwe wachtwoord is ingesteld. Log ermee in.
done-password-changed = Je wachtwoord is gewijzigd; andere sessies zijn uitgelogd.
done-password-keys = API-sleutels en gekoppelde apps blijven werken. Vertrouw je er een niet? Trek die in:
done-entry = Bekijk de boeking
undo = Ongedaan maken
done-nothing-saved = Je was uitgelogd; er is niets opgeslagen. Log in en probeer het opnieuw.
done-saved = De instellingen zijn opgeslagen.
done-session-ended = Die sessie is uitgelogd.
done-sessions-ended = Alle andere sessies zijn uitgelogd.
done-email-mailed = Klik op de link in de e-mail die we naar het nieuwe adres stuurden. Tot dan blijft je adres zoals het was.
done-email-changed = Je e-mailadres is gewijzigd.
done-second-factor-off = Tweestapsverificatie staat uit.
done-closed = Je account is verwijderd. De gegevens worden nu gewist.

## Aanmelden
sign-up-title = Account aanmaken
sign-up-lead = Begin met je e-mailadres; we sturen een link om het te bevestigen.
sign-up-name-hint = Komt op je facturen; je kunt hem later wijzigen.
sign-up-button = Account aanmaken
sign-up-known = Heb je al een account?
sign-up-closed-title = Je kunt hier zelf geen account aanmaken
sign-up-closed-text = Vraag de beheerder om een account, of log in als je er een hebt.
sent-title = Kijk in je mailbox
sent-look = Niets ontvangen? Kijk ook bij ongewenste e-mail.
sent-again = Nog een link sturen
sign-up-sent-text = We hebben een e-mail gestuurd. Klik op de link daarin binnen 24 uur; dan is je account klaar.
confirm-again-title = Bevestigingslink opnieuw sturen
confirm-again-text = Wacht het account op dit adres nog op bevestiging, dan sturen we een nieuwe link.
confirm-again-button = Link sturen
confirm-title = Bevestig je account
confirm-text = Vul het wachtwoord in dat je net hebt gekozen. Zo weten we dat jij het bent.
confirm-button = Bevestigen en inloggen
confirm-spent-text = De link is al gebruikt of te oud. Heb je al bevestigd, log dan in.
link-spent-title = Deze link werkt niet meer

## Inloggen
sign-in-title = Inloggen
sign-in-button = Inloggen
sign-in-new = Nog geen account?
sign-in-no-mail = Is je account nieuw? Bevestig eerst je e-mailadres met de link in onze e-mail. Was dit het goede wachtwoord, dan hebben we die link net opnieuw gestuurd, tenzij je er al een paar had.
password-forgot-link = Wachtwoord vergeten?
code-title = Nog één stap: je code
code-text = Vul de code van zes cijfers in die je app nu toont.
code-recovery = Geen toegang tot de app? Vul een van je herstelcodes in.
code-other = Met een ander account inloggen
forgot-title = Wachtwoord vergeten
forgot-text = We sturen je een link waarmee je een nieuw wachtwoord kiest.
forgot-button = Link sturen
forgot-sent-text = Hoort er een account bij dit adres, dan hebben we een link gestuurd. De link is een uur geldig.
reset-title = Nieuw wachtwoord kiezen
reset-text = Daarna word je overal uitgelogd en log je opnieuw in.
reset-button = Wachtwoord instellen
reset-spent-text = De link is al gebruikt of ouder dan een uur. Vraag een nieuwe aan.
fresh-title = Bevestig dat jij het bent
fresh-text = Vul je wachtwoord nog een keer in voordat je verdergaat.
fresh-button = Verder

## Instellingen
settings-company = Bedrijfsgegevens
settings-company-text = Deze gegevens komen op je facturen.
settings-numbers = Nummers
settings-invoices = Termijn en nummers
settings-preview = Je volgende factuur krijgt nummer
settings-language = Taal
settings-language-browser = Zoals je browser
security-title = Beveiliging
security-sign-in = Inloggen
security-change-email = E‑mailadres wijzigen
security-change-password = Wachtwoord wijzigen
security-password-text = Kies een wachtwoord dat je nergens anders gebruikt.
password-change-text = Op andere apparaten word je uitgelogd.
email-change-text = We sturen een link naar het nieuwe adres. Pas als je daarop klikt, verandert er iets.
email-change-now = Huidig adres
email-change-new = Nieuw e-mailadres
email-change-button = Link sturen
email-confirm-title = Nieuw e‑mailadres bevestigen
email-confirm-text = Daarna log je met dit adres in en sturen we je berichten hierheen.
email-confirm-button = Dit adres gebruiken
email-spent-text = De link is al gebruikt of te oud, of het adres heeft intussen een ander account.
second-factor-title = Tweestaps­verificatie
second-factor-is-on = Aan
second-factor-is-off = Uit
second-factor-why = Je logt dan in met je wachtwoord én een code uit een app.
second-factor-unavailable = Op deze server is tweestapsverificatie niet ingericht. Vraag de beheerder erom.
second-factor-codes-left = { $count ->
    [one] Nog 1 herstelcode over
   *[other] Nog { $count } herstelcodes over
}
second-factor-on-button = Tweestaps­verificatie instellen
second-factor-off-button = Uitzetten
second-factor-off-title = Tweestaps­verificatie uitzetten
second-factor-off-text = Daarna is je wachtwoord genoeg om in te loggen. Je herstelcodes vervallen.
second-factor-text = Je hebt een authenticator-app nodig, zoals die van je wachtwoordbeheerder of telefoon.
second-factor-scan = Scan de code met je app
second-factor-qr = QR-code voor je authenticator-app
second-factor-type = Lukt scannen niet? Typ dan deze sleutel in de app.
second-factor-prove = Vul de code in die de app toont
second-factor-finish = Aanzetten
second-factor-done = Tweestapsverificatie staat aan.
recovery-codes-title = Je herstelcodes
recovery-codes-text = Ben je je telefoon kwijt, dan log je met een van deze codes in. Elke code werkt één keer.
recovery-codes-once = We tonen ze alleen nu. Bewaar ze in je wachtwoordbeheerder of op papier.
recovery-codes-kept = Ik heb ze bewaard
recovery-codes-new-title = Nieuwe herstelcodes
recovery-codes-new-text = Je krijgt tien nieuwe codes. De oude werken dan niet meer.
recovery-codes-new-button = Nieuwe codes aanmaken
sessions-title = Waar je bent ingelogd
sessions-text = Herken je een sessie niet? Log die uit en wijzig je wachtwoord.
sessions-unknown = Onbekende browser
sessions-this = Deze sessie
sessions-seen = laatst gezien { $moment }
sessions-end = Uitloggen
sessions-end-others = Overal elders uitloggen
events-title = Activiteit op je account
events-text = Belangrijke gebeurtenissen van de laatste 90 dagen (Nederlandse tijd)
events-times = { $count } keer achter elkaar
event-signed-up = Account aangemaakt
event-email-confirmed = E-mailadres bevestigd
event-signed-in = Ingelogd
event-sign-in-failed = Verkeerd wachtwoord
event-code-failed = Verkeerde code na het juiste wachtwoord
event-recovery-code-used = Herstelcode gebruikt
event-signed-out = Uitgelogd
event-session-ended = Een sessie uitgelogd
event-sessions-ended = Andere sessies uitgelogd
event-password-changed = Wachtwoord gewijzigd
event-password-reset-requested = Link voor een nieuw wachtwoord aangevraagd
event-password-reset = Wachtwoord opnieuw ingesteld
event-email-change-requested = Ander e-mailadres aangevraagd
event-email-changed = E-mailadres gewijzigd
event-second-factor-on = Tweestapsverificatie aangezet
event-second-factor-off = Tweestapsverificatie uitgezet
event-recovery-codes-made = Nieuwe herstelcodes aangemaakt
event-settings-changed = Instellingen gewijzigd
event-data-exported = Gegevens gedownload
event-key-created = API-sleutel aangemaakt
event-key-revoked = API-sleutel ingetrokken
event-application-connected = App gekoppeld
event-application-disconnected = App ontkoppeld
event-token-reused = App ontkoppeld: een toegangscode werd twee keer gebruikt
event-other = Overig
event-by-operator = door de beheerder
data-title = Je gegevens
export-title = Alles downloaden
export-text = Alles wat we van je bewaren, in één bestand.
export-long = Je krijgt een JSON-bestand met je account, facturen, boekingen, uren en aangiften. Bedragen staan er in centen, uren in honderdsten. Wachtwoorden en sleutels staan er niet in.
export-button = Downloaden
close-title = Account verwijderen
close-short = Verwijdert je account en je hele administratie.
close-long = Alles wordt meteen gewist; sleutels en koppelingen stoppen. Dit kan niet ongedaan worden gemaakt.
close-duty = Als ondernemer moet je je administratie zeven jaar bewaren (artikel 52 AWR), ook als je account weg is. Download je gegevens eerst.
close-kept = Ik heb mijn administratie bewaard
close-email = Typ je e-mailadres ter bevestiging
close-email-hint = Het adres van je account is { $email }
close-button = Account definitief verwijderen

# Waarom een opdracht niet is uitgevoerd, als dat niet aan één veld ligt
refused-period-filed = Het { $quarter }e kwartaal { $year } is ingediend. Kies een datum in een kwartaal dat nog open is.
refused-filed-already = De aangifte over { $quarter } is al ingediend. Heropen die eerst om haar opnieuw in te dienen.
refused-period-not-over = Dit kwartaal is nog niet voorbij. Noteer het daarna als ingediend.
refused-period-not-filed = Dit kwartaal is niet ingediend, dus er valt niets te heropenen.
refused-not-a-draft = Deze factuur is verstuurd en verandert niet meer. Maak een creditnota of een kopie.
refused-is-written-off = Van deze factuur is een bedrag oninbaar geboekt. Maak dat eerst ongedaan en crediteer dan.
refused-is-a-draft = Deze factuur is nog een concept. Verstuur hem eerst.
refused-is-a-credit-note = Dit is een creditnota; die wordt niet betaald of gecrediteerd. Kies de factuur zelf.
refused-already-credited = Deze factuur is al helemaal gecrediteerd. Maak een nieuwe als er toch iets te betalen is.
refused-is-an-asset = Dit is de aankoop van een bedrijfsmiddel. Maak die ongedaan bij Bedrijfsmiddelen en boek hem opnieuw.
refused-already-disposed = Dit bedrijfsmiddel is al verkocht of weggedaan.
refused-receipt-in-use = Deze bon hoort bij een boeking, dus het bestand blijft zeven jaar bewaard.
refused-project-archived = Dit project is gearchiveerd. Haal het terug of kies een ander.
refused-already-invoiced = Deze uren zijn al gefactureerd en veranderen niet meer. Crediteer eerst de factuur.
refused-timer-running = Er loopt al een timer. Stop die eerst of gooi hem weg.

# Intussen gewijzigd
changed-title = Dit is intussen gewijzigd
changed-text = Het is net gewijzigd in een ander venster of via de API. Vergelijk beide versies; wat jij typte staat er nog. Er is nog niets opgeslagen.
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
