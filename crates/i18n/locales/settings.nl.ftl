# Instellingen: het bedrijf, zijn facturen en de taal. Elk id staat ook in settings.en.ftl.

## Velden
language-nl = Nederlands
language-en = English
field-iban = IBAN
field-payment-term = Betalingstermijn in dagen
field-number-pattern = Patroon van factuurnummers
field-quote-number-pattern = Patroon van offertenummers
field-language = Taal van de pagina’s en e-mails
hint-country = Je kunt dit wijzigen tot je eerste factuur of boeking.
hint-kvk-number = 8 cijfers
hint-vat-number = NL, 9 cijfers, B, 2 cijfers, bijvoorbeeld NL002455799B11. Niet je omzetbelastingnummer.
hint-vat-number-abroad = Met de landcode vooraan, zoals op je eigen facturen
hint-iban = De bankrekening waarop klanten betalen
hint-bic = Komt op facturen aan klanten in het buitenland
settings-reach = Telefoon en website
settings-reach-text = Staan op je facturen
field-website = Website
hint-website = Met https, zoals https://voorbeeld.nl
hint-payment-term = Tussen factuurdatum en vervaldatum, 0 tot 365 dagen
number-pattern = Hoe factuurnummers eruitzien
number-pattern-other = Anders
hint-number-pattern = Met {"{year}"} en {"{number}"}, elk één keer. {"{number:4}"} geeft minstens vier cijfers.

## Gedaan
done-saved = De instellingen zijn opgeslagen.

## Bedrijf, facturen en taal
settings-company = Bedrijfsgegevens
settings-company-text = Deze gegevens komen op je facturen.
settings-numbers = Nummers
settings-invoices = Termijn en nummers
settings-preview = Je volgende factuur krijgt nummer
settings-language = Taal
settings-language-browser = Zoals je browser
