# Mails aan mensen. Wat iemand zelf invulde staat er niet in: anders kon men via ons post met eigen tekst versturen.
greeting = Goedendag,
signature =
    Groet,
    grootboek
    { $base_url }

confirm-sign-up-subject = Bevestig je e-mailadres
confirm-sign-up =
    Met dit adres is een account bij grootboek aangevraagd. Bevestig het adres binnen 24 uur:

    { $link }

    Heb je dit niet zelf gedaan? Volg de link dan niet; het account wordt vanzelf opgeruimd.

sign-up-taken-subject = Je hebt al een account
sign-up-taken =
    Iemand, jij misschien, wilde met dit adres een account openen. Er is al een account met dit adres. Inloggen kan hier:

    { $link }

    Wachtwoord vergeten? Op die bladzijde kun je een nieuw wachtwoord instellen. Er is niets veranderd.

reset-password-subject = Nieuw wachtwoord instellen
reset-password =
    Voor je account is om een nieuw wachtwoord gevraagd. Stel het binnen een uur in:

    { $link }

    Heb je dit niet zelf gedaan? Dan hoef je niets te doen: je wachtwoord is niet veranderd.

password-changed-subject = Je wachtwoord is veranderd
password-changed =
    Het wachtwoord van je account is zojuist veranderd, en andere sessies zijn afgesloten.

    Heb je dit niet zelf gedaan? Stel dan meteen een nieuw wachtwoord in:

    { $link }

confirm-email-change-subject = Bevestig je nieuwe e-mailadres
confirm-email-change =
    Een account bij grootboek wil voortaan dit e-mailadres gebruiken. Bevestig het binnen 24 uur:

    { $link }

    Heb je dit niet zelf gedaan? Volg de link dan niet; er verandert niets.

email-change-taken-subject = Dit adres heeft al een account
email-change-taken =
    Iemand, jij misschien, wilde dit e-mailadres voor een ander account gebruiken. Dat kan niet, want er is al een account met dit
    adres. Er is niets veranderd.

email-changed-subject = Je e-mailadres is veranderd
email-changed =
    Je account bij grootboek gebruikt voortaan een ander e-mailadres: { $email }

    Heb je dit niet zelf gedaan? Neem dan meteen contact op met de beheerder van { $base_url }.

second-factor-on-subject = Tweestapsverificatie staat aan
second-factor-on =
    Voor inloggen op je account is voortaan ook een code uit je app nodig. Bewaar de herstelcodes op een veilige plek.

    Heb je dit niet zelf gedaan? Stel dan meteen een nieuw wachtwoord in:

    { $link }

second-factor-off-subject = Tweestapsverificatie staat uit
second-factor-off =
    Voor inloggen op je account is alleen nog je wachtwoord nodig.

    Heb je dit niet zelf gedaan? Stel dan meteen een nieuw wachtwoord in:

    { $link }

account-closed-subject = Je account is opgeheven
account-closed =
    Je account bij grootboek is opgeheven. Niemand kan er meer in; alle gegevens worden nu gewist.

    Heb je dit niet zelf gedaan? Neem dan meteen contact op met de beheerder van { $base_url }.
