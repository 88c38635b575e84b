# Settings: the company, its invoices and the language. Every id is also in settings.nl.ftl.

## Fields
language-nl = Nederlands
language-en = English
field-iban = IBAN
field-payment-term = Payment term in days
field-number-pattern = Pattern of invoice numbers
field-quote-number-pattern = Pattern of quote numbers
field-language = Language of pages and emails
hint-country = You can change this until your first invoice or entry.
hint-kvk-number = 8 digits
hint-vat-number = NL, 9 digits, B, 2 digits, such as NL002455799B11. Not your “omzetbelastingnummer”.
hint-vat-number-abroad = With the country code first, as on your own invoices
hint-iban = The bank account that customers pay into
hint-bic = Shown on invoices to customers abroad
settings-reach = Telephone and website
settings-reach-text = Shown on your invoices
field-website = Website
hint-website = With https, such as https://example.com
hint-payment-term = From invoice date to due date, 0 to 365 days
number-pattern = What invoice numbers look like
number-pattern-other = Other
hint-number-pattern = With {"{year}"} and {"{number}"}, each once. {"{number:4}"} gives at least four digits.

## Done
done-saved = The settings are saved.

## Company, invoices and language
settings-company = Company details
settings-company-text = These details appear on your invoices.
settings-numbers = Numbers
settings-invoices = Term and numbers
settings-preview = Your next invoice gets number
settings-language = Language
settings-language-browser = Same as my browser
