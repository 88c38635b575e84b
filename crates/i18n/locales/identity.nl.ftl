# Identiteit: aanmelden en inloggen, beveiliging en eigen gegevens. Elk id staat ook in identity.en.ftl.

## Gedaan
done-signed-out = Je bent uitgelogd.
done-confirmed = Je e-mailadres is bevestigd. Welkom bij Grootboek!
done-password-set = Je nieuwe wachtwoord is ingesteld. Log ermee in.
done-password-changed = Je wachtwoord is gewijzigd; andere sessies zijn uitgelogd.
done-password-keys = API-sleutels en gekoppelde apps blijven werken. Vertrouw je er een niet? Trek die in:
done-session-ended = Die sessie is uitgelogd.
done-sessions-ended = Alle andere sessies zijn uitgelogd.
done-email-mailed = Klik op de link in de e-mail die we naar het nieuwe adres stuurden. Tot dan blijft je adres zoals het was.
done-email-changed = Je e-mailadres is gewijzigd.
done-second-factor-off = Tweestapsverificatie staat uit.
done-closed = Je account is verwijderd. De gegevens worden nu gewist.

## Velden en hun fouten
field-current-password = Huidig wachtwoord
field-new-password = Nieuw wachtwoord
field-code = Code
hint-new-password = Minstens 8 tekens; 12 of meer is beter. Een paar woorden achter elkaar werkt het best.
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
fault-recovery-code = Deze herstelcode klopt niet of is al gebruikt; elke herstelcode werkt één keer. Probeer een andere van je lijst.
fault-code-form = Vul de 6 cijfers uit je app in, of een herstelcode.
fault-no-seal-key = Codes uit je app werken nu niet. Gebruik een herstelcode of vraag de beheerder om hulp.
fault-confirm-password = Dit is niet het wachtwoord dat je net hebt gekozen. Heb je dit account niet zelf aangemaakt? Kies “Wachtwoord vergeten”.
fault-close-email = Typ het e-mailadres van je account precies over.
fault-close-kept = Bevestig dat je je administratie hebt bewaard.

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
sign-in-failed = Inloggen is niet gelukt
sign-in-no-mail = Account nog niet bevestigd? Kijk in je mailbox of vraag een nieuwe link aan.
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

## Beveiliging en eigen gegevens
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
event-webhook-created = Webhook toegevoegd
event-webhook-changed = Webhook gewijzigd
event-webhook-removed = Webhook verwijderd
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
close-duty = Als ondernemer moet je je administratie zeven jaar bewaren (artikel 52 AWR), en die van verkopen met OSS tien jaar (artikel 28sj Wet OB 1968), ook als je account weg is. Download je gegevens eerst.
close-kept = Ik heb mijn administratie bewaard
close-email = Typ je e-mailadres ter bevestiging
close-email-hint = Het adres van je account is { $email }
close-button = Account definitief verwijderen
