# Mails aan mensen. Wat iemand zelf invulde staat er niet in: anders kon men via ons post met eigen tekst versturen.
greeting = Hallo,
signature =
    Groet,
    Grootboek
    { $base_url }

confirm-sign-up-subject = Bevestig je e-mailadres voor Grootboek
confirm-sign-up =
    Met dit adres is een account bij Grootboek aangevraagd. Klik binnen 24 uur op deze link om het aan te maken:

    { $link }

    Was jij dit niet? Dan hoef je niets te doen; de aanvraag vervalt vanzelf.

sign-up-taken-subject = Je hebt al een account bij Grootboek
sign-up-taken =
    Iemand, misschien jijzelf, wilde met dit adres een account aanmaken. Er is al een account met dit adres. Inloggen kan hier:

    { $link }

    Wachtwoord vergeten? Op die pagina kun je een nieuw wachtwoord instellen. Er is niets gewijzigd.

reset-password-subject = Nieuw wachtwoord voor Grootboek instellen
reset-password =
    Voor je account is om een nieuw wachtwoord gevraagd. Stel het binnen een uur in:

    { $link }

    Was jij dit niet? Dan hoef je niets te doen: je wachtwoord is niet gewijzigd.

password-changed-subject = Je wachtwoord voor Grootboek is gewijzigd
password-changed =
    Het wachtwoord van je account is zojuist gewijzigd; je bent op andere apparaten uitgelogd.

    Was jij dit niet? Stel dan meteen een nieuw wachtwoord in:

    { $link }

confirm-email-change-subject = Bevestig je nieuwe e-mailadres voor Grootboek
confirm-email-change =
    Iemand wil dit e-mailadres voortaan voor een account bij Grootboek gebruiken. Bevestig het binnen 24 uur:

    { $link }

    Was jij dit niet? Klik dan niet op de link; er verandert niets.

email-change-taken-subject = Dit adres heeft al een account bij Grootboek
email-change-taken =
    Iemand, misschien jijzelf, wilde dit e-mailadres voor een ander account gebruiken. Dat kan niet, want er is al een account met dit
    adres. Er is niets gewijzigd.

email-changed-subject = Je e-mailadres voor Grootboek is gewijzigd
email-changed =
    Je account bij Grootboek gebruikt voortaan een ander e-mailadres: { $email }

    Was jij dit niet? Neem dan meteen contact op met de beheerder van { $base_url }.

second-factor-on-subject = Tweestapsverificatie voor Grootboek staat aan
second-factor-on =
    Om in te loggen heb je voortaan ook een code uit je app nodig. Bewaar de herstelcodes op een veilige plek.

    Was jij dit niet? Stel dan meteen een nieuw wachtwoord in:

    { $link }

second-factor-off-subject = Tweestapsverificatie voor Grootboek staat uit
second-factor-off =
    Om in te loggen heb je alleen nog je wachtwoord nodig.

    Was jij dit niet? Stel dan meteen een nieuw wachtwoord in:

    { $link }

recovery-code-used-subject = Er is met een herstelcode ingelogd bij Grootboek
recovery-code-used =
    Er is zojuist op je account ingelogd met een herstelcode, in plaats van een code uit je app. Die herstelcode werkt nu niet meer.

    Was jij dit niet? Stel dan meteen een nieuw wachtwoord in:

    { $link }

recovery-codes-made-subject = Nieuwe herstelcodes voor Grootboek
recovery-codes-made =
    Voor je account zijn zojuist nieuwe herstelcodes aangemaakt. De oude werken niet meer.

    Was jij dit niet? Stel dan meteen een nieuw wachtwoord in:

    { $link }

bank-account-changed-subject = Een bankrekening in Grootboek is gewijzigd
bank-account-changed =
    In je account is zojuist een IBAN gewijzigd, of er staat een andere bankrekening op je facturen. Je klanten betalen op het IBAN dat op je facturen staat.

    Was jij dit niet? Controleer je bankrekeningen en stel meteen een nieuw wachtwoord in:

    { $link }

account-closed-subject = Je account bij Grootboek is verwijderd
account-closed =
    Je account bij Grootboek is verwijderd. Niemand kan er meer in; alle gegevens worden nu gewist.

    Was jij dit niet? Neem dan meteen contact op met de beheerder van { $base_url }.

webhook-disabled-subject = Grootboek stuurt niets meer naar je webhook
webhook-disabled =
    Je webhook { $url } nam drie dagen lang geen berichten aan, of liet weten dat hij niet meer bestaat. Grootboek heeft hem uitgezet.

    Er is niets uit je boekhouding kwijt: een programma dat weer verbinding maakt, kan alles lezen wat het gemist heeft. Kijk hier wat er geantwoord werd en zet de webhook weer aan:

    { $link }

kor-limit-near-subject = Je omzet is dicht bij de grens van de KOR
kor-limit-near =
    Je omzet van { $year } is 95 procent of meer van de grens van de kleineondernemersregeling (KOR). Over de verkoop waarmee je over de grens gaat, reken je zelf al btw, en je meldt de KOR af bij de Belastingdienst.

    Bekijk hoeveel er over is en welke verkopen meetellen:

    { $link }

quote-note = Erbij staat: { $note }
quote-step-refused = De factuur die daarna zou volgen, is niet gemaakt. Bij de offerte lees je waarom.

quote-accepted-subject = Offerte { $number } is geaccepteerd
quote-accepted =
    { $name } heeft offerte { $number } aan { $customer } van { $total } geaccepteerd.{ $more }

    { $link }

quote-refused-subject = Offerte { $number } is afgewezen
quote-refused =
    { $name } heeft offerte { $number } aan { $customer } van { $total } afgewezen.{ $more }

    { $link }

recurring-refused-subject = De terugkerende factuur aan { $customer } staat stil
recurring-refused =
    De factuur aan { $customer } kon niet worden gemaakt ({ $cause }). Daarom is de terugkerende factuur gepauzeerd. Er is niets geboekt of verstuurd.

    Los de oorzaak op en hervat hem hier:

    { $link }

recurring-bounced-subject = De terugkerende factuur aan { $customer } staat stil
recurring-bounced =
    Twee e-mails met facturen kwamen niet aan bij { $customer }. Daarom is de terugkerende factuur gepauzeerd.

    Controleer het e-mailadres en hervat hem hier:

    { $link }

recurring-postponed-subject = Je terugkerende facturen wachten even
recurring-postponed =
    Je account heeft zoveel e-mails verstuurd als in 24 uur mag. De andere terugkerende facturen worden gemaakt en gemaild zodra er weer ruimte is.

    { $link }

reminders-postponed-subject = Je herinneringen wachten even
reminders-postponed =
    Je account heeft zoveel e-mails verstuurd als in 24 uur mag. De andere herinneringen worden verstuurd zodra er weer ruimte is.

    { $link }
