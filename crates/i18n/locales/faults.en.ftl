# What is wrong with a value, and what to do about it. The name is that of the reason; { $value } is what was entered.

## Any field
fault-required = Fill in this field.
fault-date-required = Enter a day, such as 30-4-2026.
fault-empty-text = Fill in this field.
fault-list-required = { $least ->
    [one] Fill in at least one line.
   *[other] Add at least { $least } lines.
}
fault-not-a-web-address = Enter a web address, such as https://shop.example/hooks.
fault-webhook-not-encrypted = The address must begin with https://.
fault-webhook-with-user = Leave the user name and password out of the address. The receiver recognises a message by its signature.
fault-webhook-not-public = This address cannot be reached from the internet.
fault-unknown-webhook-type = Webhooks report nothing called “{ $name }”.
fault-webhook-taken = You already have a webhook with this address for the same messages. Use that one, or choose other messages.
fault-receipts-full = Your receipts and the PDFs of your invoices take { $most } GB, which is all your plan has room for. Delete receipts that belong to no expense, or ask the operator of this service for another plan.
fault-documents-full = The PDFs of your invoices take { $most } GB, which is all your plan has room for. The invoice itself is booked. Ask the operator of this service for another plan.
fault-too-many-keys = You can have at most { $most } keys that work. Revoke one first.
fault-too-many-webhooks = You can have at most { $most } webhooks. Delete one first.
fault-too-few = { $least ->
    [one] Fill in at least one line.
   *[other] Add at least { $least } lines.
}
fault-too-many = There is room for { $most } lines; there are { $given }.
fault-not-an-object = Fill in these fields.
fault-not-a-list = Fill in at least one line.
fault-not-a-text = Fill in this field.
fault-not-a-date = “{ $value }” isn’t a day. Enter a day such as 30-4-2026.
fault-not-a-country = Choose a country from the list.
fault-not-a-number = “{ $value }” isn’t a number. Enter 12 or 12.5, for example.
fault-not-a-whole-number = “{ $value }” isn’t a whole number. Enter 12, for example.
fault-not-a-flag = Tick the box, or leave it empty.
fault-not-hours = “{ $value }” isn’t a time. Enter 1:30, 1.5 or 90m, for example.
fault-control-characters = Keep it to one line, without invisible characters.
fault-too-long = This is too long. Keep it to at most { $most } characters.
fault-too-many-line-breaks = There are too many lines here. Press Enter at most { $most } times.
fault-unknown-value = Choose something from the list.
fault-unknown-field = This page doesn’t know this field. Load the page again.
fault-invalid-date = “{ $value }” doesn’t exist. Enter a day such as 30-4-2026.
fault-not-a-period = “{ $value }” isn’t a VAT period. Write 2026-05, 2026-Q2 or 2026, for example.
fault-unknown-country = Choose a country from the list.
fault-too-many-decimals = “{ $value }” has too many decimals. Enter at most { $most }.
fault-out-of-range = Enter a number from { $least } to { $most }.
fault-out-of-range-at-km = Enter a number above 0, at most { $most }.
fault-whole-out-of-range = Enter a whole number from { $least } to { $most }.
fault-amount-out-of-range = Enter an amount above €0.00 and up to { $most }.
fault-amount-is-nothing = Enter an amount other than zero, up to { $most }.
fault-negative-amount = Enter an amount of €0.00 or more.
fault-hours-out-of-range = Enter more than 0 and at most 24 hours.

## Names, addresses and numbers
fault-name-required = Enter a name (at most { $most } characters).
fault-invalid-name = Enter your name or company name (at most { $most } characters).
fault-invalid-email = Enter an email address, such as name@example.com.
fault-email-local-part = Before the @ use only letters without accents, digits, single dots and signs such as - _ +.
fault-email-domain = After the @ enter the whole domain, such as example.com: with a dot and no empty parts.
fault-customer-has-no-email = There is no email address of { $customer }. Enter one.
fault-email-unchanged = Your account already has this address. Enter another one.
fault-vat-number-prefix = A VAT ID begins with the letters of an EU country, such as NL or DE (Greece is EL). Check them.
fault-vat-number-form = “{ $value }” isn’t a VAT ID of that country: copy all of its letters and digits. A Dutch VAT ID is NL, 9 digits, B and 2 digits.
fault-vat-number-check-digits = { $value } doesn’t exist: a character is wrong. Check the digits.
fault-vat-number-not-dutch = Enter your Dutch VAT ID; it begins with NL.
fault-invalid-kvk-number = A KvK number has 8 digits. You find it on your KvK extract.
fault-iban-form = “{ $value }” isn’t an IBAN. Enter it as NL91 ABNA 0417 1643 00.
fault-iban-country = No country has an IBAN that begins like this. Check the first two letters.
fault-iban-length = An IBAN of this country has { $expected } characters. Check whether one is missing or too many.
fault-iban-check-digits = { $value } doesn’t exist: a character is wrong. Copy it from your banking app.
fault-invalid-bic = Enter a BIC of 8 or 11 characters, such as ABNANL2A.
fault-invalid-phone = A telephone number has digits, spaces and + ( ) - . only. Check it.
fault-invalid-website = Enter the address of your website with https, such as https://example.com.
fault-bic-of-other-country = This BIC doesn’t belong to the country of your IBAN ({ $country }). Check the fifth and sixth letter.
fault-peppol-form = A Peppol address is a code of 4 digits, a colon and a number, such as 0106:12345678.
fault-peppol-scheme = This code doesn’t exist. Choose 0106 (KvK number), 0190 (OIN) or 0208 (Belgian enterprise number), for example.
fault-peppol-value = This number doesn’t fit the code. Check the digits.
fault-consumer-with-vat-number = A consumer has no VAT ID. Choose “business” or empty the VAT ID.
fault-email-not-first = This isn’t the first address for invoices. Enter one of the two.
fault-email-without-use = Choose what you use this address for.
fault-invalid-postal-code = Enter a postal code, in the Netherlands as 1234 AB.
fault-country-fixed = The country can no longer be changed: your books have invoices or entries.
fault-pattern-incomplete = The number lacks the year or the counter. Use {"{year}"} and {"{number}"} once each.
fault-pattern-unknown-part = Between braces there can only be {"{year}"}, {"{number}"} or {"{number:4}"}.
fault-pattern-unknown-character = Around {"{year}"} and {"{number}"} use only letters, digits, spaces and - _ / . #
fault-pattern-digit-beside-number = Put something that isn’t a digit between {"{number}"} and the year or other digits, such as {"{year}-{number}"}.
fault-pattern-too-long = Keep it to at most 40 characters, such as {"{year}-{number:4}"}.
fault-password-too-short = Choose a password of at least { $least } characters.
fault-password-too-long = Choose a password of at most { $most } characters.
fault-password-common = This password is too easy to guess. Use a few unrelated words, not your name or email address.
fault-password-personal = This password is too easy to guess. Use a few unrelated words, not your name or email address.

## Sales
fault-customer-unknown = There is no contact “{ $external_id }” yet. Enter a name and we’ll create it.
fault-customer-name-required = Choose a customer or enter a name.
fault-due-twice = Enter a due date or a number of days, not both.
fault-valid-before-quote = The quote would expire before its date, { $quote_date }. Choose a later day.
fault-percent-and-amount = Enter a percentage or an amount, and only for a prepayment.
fault-prepayment-percent-required = Enter a percentage: the quote has none.
fault-discount-twice = Enter a percentage or an amount, not both.
fault-invoice-item-differs = Leave this empty, or enter what that line of the invoice has.
fault-beyond-quote = Enter more than 0 and at most { $most }: that is what is left of the quote.
fault-first-date-past = The first day has passed already. Choose { $today } or later.
fault-last-before-first = No invoice would be made until that day: the first day is { $first_date }. Choose a later last day.
fault-last-day-of-weeks = The last day of the month does not go with weeks. Choose months, quarters or years.
fault-due-before-invoice = The due date is before the invoice date, { $invoice_date }. Choose a later day.
fault-due-too-late = { $days } days after { $invoice_date } is beyond the year 2099. Choose a shorter term.
fault-unknown-vat-rate = On { $on } the rates are { $rates }. Choose one of these.
fault-rate-of-country = On { $on } the rates of { $country } are { $rates }. Choose one of these.
fault-oss-with-vat-number = Your customer has a VAT ID and pays the VAT. Choose another reason.
fault-tax-country-of-other = Another country goes with OSS only, and the Netherlands without OSS.
fault-tax-country-unknown = Choose another EU country.
fault-tax-country-required = Choose the EU country that charges the VAT.
fault-oss-passed-on = You passed the threshold on { $date }. Choose that day.
fault-oss-not-passed = You did not pass the threshold. Choose “My own choice”.
fault-oss-too-early = The Union scheme began on { $earliest }. Choose that day or a later one.
fault-designated-later = Cash accounting begins on { $from }, before the designation. Choose a designation of that day or earlier, or a later first day.
fault-oss-ends-too-early = The Union scheme lasts until { $earliest } at least. Choose that day or a later one.
fault-vat-and-oss-period = Choose a VAT period or an OSS quarter, not both.
fault-not-a-quarter = Write a quarter as 2026-Q4.
fault-category-of-zero-rate = Choose why there is no VAT on this line.
fault-category-of-rate = A reason only goes with 0%. Choose 0%, or leave the reason out.
fault-line-out-of-range = Quantity times price is too large. A line stays below €100,000,000,000.
fault-total-out-of-range = The total is too large. An invoice stays below €100,000,000,000.
fault-negative-vat-group = The lines at { $rate }% come to less than €0.00. Give a discount the VAT rate of what it discounts. If a prepayment is higher, credit the prepayment invoice first.
fault-supply-date-required = Fill in the first day of supply too.
fault-supply-until-before = The last day of supply is before the first, { $supply_date }. Choose a later day.
fault-kor-applies = You’ve used the KOR since { $since }, so no VAT here. Was the work done earlier? Enter the date of supply.
fault-exemption-of-other = Only an exempt line has an exemption. Leave it empty.
fault-exemption-of-kor = You don’t use the KOR on the date of supply. Choose another exemption.
fault-kor-limit-passed = This takes your revenue this year to { $counted }, above the KOR limit of { $threshold }. Charge 21% or 9% VAT here; that ends the KOR.
fault-kor-barred = The KOR can’t begin before { $until }. Choose that day or a later one.
fault-kor-notice = The tax office needs your notice by { $latest }. Choose a later first day.
fault-not-first-of-period = Choose the first day of a VAT period, such as { $first }.
fault-only-with-cash = Only cash accounting has a ground. Leave it empty.
fault-day-of-designation = Only a designated business has this day. Leave it empty.
fault-kor-passed-on = You passed the limit on { $date }. The KOR ends on that day.
fault-kor-not-passed = No invoice of that year passes the limit of the KOR. Choose the reason: your own choice.
fault-kor-private-use = You’ve used the KOR since { $since }, so no VAT is due on private use. Leave the VAT empty and fill in the value.
fault-not-first-of-year = VAT by the year begins and ends with a year. Choose 1 January, such as { $first }.
fault-later-unit-change = The change from { $from } would no longer begin a period. Change that one first.
fault-vat-number-dutch = This is a Dutch VAT ID. Fill in that of your customer in the other EU country.
fault-no-eu-supply = This invoice has no supply to another EU country.
fault-not-first-of-quarter = Choose the first day of a quarter, such as { $first }.
fault-numbers-begun = { $year } already has invoices; the numbering continues. Leave this field empty.
fault-triangular-not-eu = A triangular supply always goes to another EU country. Choose services or goods.
fault-credit-before-invoice = A credit note isn’t dated before its invoice of { $invoice_date }. Choose a later day.
fault-exceeds-refund = { $remaining } is to be refunded; you entered { $asked }. Enter at most { $remaining }.
fault-undone-before = It can’t be undone before its own day, { $date }. Choose that day or a later one.
fault-written-off-before-invoice = It can’t be written off before the invoice of { $invoice_date }. Choose a later day.
fault-total-below-open = Enter the total of the invoice including VAT, at least the open amount of { $least }.
fault-vat-not-the-total = Amounts and VAT add up to { $vat }. Enter all rates of the invoice, { $total } in all.
fault-amount-and-price = Enter an amount, or a price and a quantity.
fault-only-receivable = Leave this empty: only an invoice of your own has it.
fault-only-premium = Leave this empty: only a premium has it.
fault-rate-twice = Enter { $rate }% once, with the sum of its amounts.
fault-write-off-recovered = { $recovered } of this write-off came in after all. Undo that payment first.
fault-unknown-prepayment = Invoice { $id } isn’t a prepayment invoice of this customer that has been sent. Choose another.
fault-prepayment-used = Nothing is left of prepayment invoice { $invoice }. Untick it.
fault-prepayment-sets-off = A prepayment invoice doesn’t set off another prepayment. Choose one of the two.
fault-empty-payout = Enter an amount or a fee.
fault-fee-vat-exceeds-fee = The VAT is more than the fee of { $fee }. Enter less.
fault-fee-vat-not-charged = Without VAT on the fee there is no VAT amount. Empty the field or choose another VAT.
fault-clock-back = The test account’s clock only goes forward; it stands at { $now }.
fault-clock-too-far = The test account’s clock goes no further than { $latest }.
fault-invalid-moment = Write the moment like 2026-03-15T12:00:00Z.
fault-payment-too-late = That day is yet to come. Enter the day of the payment.
fault-undone-too-late = That day is yet to come. Fill in the day on which it was undone, { $latest } at the latest.
fault-negative-total = An invoice doesn’t go below €0.00. Create a credit note for the invoice you are correcting.
fault-nothing-outstanding = Invoice { $invoice } is already paid in full. Record the payment on another invoice.
fault-kept-amount-required = Invoice { $invoice } is already paid in full. Enter the amount that came in.
fault-logo-too-large = This file is larger than 10 MB. Choose a smaller picture.
fault-logo-too-many-pixels = This picture has more than 8000 by 8000 pixels. Choose a smaller picture.
fault-logo-wrong-format = This isn’t a PNG or JPEG; other pictures can’t be printed on an invoice. Choose PNG or JPEG.
fault-logo-damaged = This picture is damaged. Save it again and choose it once more.
fault-invalid-colour = This isn’t a colour. Enter #115e59, for example.
fault-nothing-to-write-off = Nothing of invoice { $invoice } is due any more, so there is nothing to write off.
fault-nothing-to-remind-of = Nothing of invoice { $invoice } is due any more, so a reminder isn’t needed.
fault-fixed-text = The law prescribes the text of this letter.
fault-steps-not-ascending = Choose more days than for the step before.
fault-not-late = This invoice can be paid until { $due_date }. Remind your customer from the day after.
fault-exceeds-outstanding = { $remaining } is outstanding; you entered { $asked }. Enter at most { $remaining }.
fault-overpaid = { $remaining } is outstanding; you entered { $asked }. Enter at most { $remaining }.
fault-credit-exceeds = { $remaining } can still be credited; this is { $asked }. Credit less.
fault-credit-rate-unknown = The invoice has no line at { $rate }%. Choose a rate of the invoice.
fault-credit-exceeds-rate = At { $rate }% { $remaining } can still be credited (excluding VAT); this is { $asked }. Credit less.
fault-credit-exceeds-gross = At { $rate }% { $remaining } can still be credited (including VAT); this is { $asked }. Credit less.

## Hours
fault-day-too-long = { $date } already has { $written } hours; with these { $hours } it would have more than 24. Lower one of them.
fault-contact-merged = This contact was already merged with another one. Use that one.
fault-same-contact = This is the same contact. Choose another one to merge into.
fault-unknown-article = There is no such article. Choose an article from the list.
fault-article-twice = Choose the article by its number or from the list, not both.
fault-article-number-taken = You already have an article with number { $number }. Choose another number.
fault-too-many-articles = You can have at most { $most } articles. Edit one that you no longer use.
fault-unknown-contact = There is no such contact. Choose a customer from the list.
fault-unknown-project = There is no such project. Choose a project from the list.
fault-external-id-differs = This externalId differs from the one in the address.
fault-external-id-taken = This externalId is already in use. Choose another.
fault-project-without-customer = This project has no customer yet. Choose one at the project.
fault-project-without-rate = This project has no hourly rate yet. Enter it at the project.
fault-hours-in-parts = These hours were recorded in parts or are on an invoice. Change them in the list.
fault-timer-too-long = The timer ran for { $hours } hours, longer than a day. Enter how long you worked.

## Purchases
fault-purchase-out-of-range = Amount and VAT together are too large. They stay below €100,000,000,000.

## Access
fault-scope-required = Choose at least one: read or write.
fault-redirect-uri = { $why ->
    [too-long] { $uri } can’t be used: a redirect URI has at most 2000 characters.
    [characters] { $uri } can’t be used: it holds characters that don’t belong in a URI. Percent-encode them, and write a host name in punycode.
    [fragment] { $uri } can’t be used: leave out # and what follows.
    [user] { $uri } can’t be used: leave out the user name and password before @.
    [parameters] { $uri } can’t be used: code, state, iss and error are added by the answer.
    [localhost] { $uri } can’t be used: write http://127.0.0.1 or http://[::1] instead of localhost.
    [not-encrypted] { $uri } can’t be used: use https. Only 127.0.0.1 and [::1] can have http.
    [scheme] { $uri } can’t be used: use https, or for an app a reversed domain name, such as com.example.app:/callback.
   *[not-whole] { $uri } can’t be used: write the whole URI, such as https://app.example.com/callback.
}
fault-invalid-credential = Use 1 to 255 visible characters.
fault-client-id-taken = Another app has this id. Choose another.

## Where a field says it differently
fault-required-at-payment-term-days = Enter a whole number of days from 0 to 365.
fault-not-a-whole-number-at-payment-term-days = Enter a whole number of days from 0 to 365.
fault-whole-out-of-range-at-payment-term-days = Enter a whole number of days from 0 to 365.
fault-required-at-name = Enter a name.
fault-required-at-code = Enter a code.
fault-control-characters-at-name = Keep the name to one line, without invisible characters.
fault-too-long-at-name = Enter a name of at most { $most } characters.
fault-required-at-items-category = Choose a category.
fault-required-at-items-description = Enter what you supply.
fault-date-required-at-from = Enter the first day, that of a quarter, such as 1-1-2027.
fault-not-a-cost-account = Choose a cost account.
fault-vat-not-printed = Leave the VAT amount empty: only Dutch VAT and VAT paid at import are shown on the document.
fault-vat-exceeds-amount = The VAT is more than the amount. Enter at most { $most }.
fault-vat-of-other-sign = Give the VAT the same sign as the amount.
fault-nothing-bought = Fill in an amount that isn’t zero.
fault-vat-above-high-rate = This is more VAT than the high rate of the value: at most { $most }.
fault-signed-amount-out-of-range = The amount is too large: { $most } at most.
fault-share-out-of-range = Fill in a percentage from 0 to 100, with at most two decimals.
fault-unknown-receipt = Receipt { $id } is no longer there. Choose the receipt again.
fault-already-paid = { $paid } of it is paid already. Leave it “Unpaid” and keep the total at that amount or more, or undo the payments first.
fault-vat-repaid = { $vat } of VAT was paid back on it. Pay the bill, or undo it and book it again.
fault-bill-settled = Nothing more has to be paid for this.
fault-before-bill = Choose a day on or after that of the bill, { $date }.
fault-no-vat-to-repay = No VAT is to be paid back: the bill is paid, nothing was deducted on it, or it was done before.
fault-file-empty = The file is empty. Choose another.
fault-file-too-large = Choose a file of at most 10 MB.
fault-file-heic = HEIC pictures can’t be opened everywhere, and a receipt must stay readable for seven years. Choose a JPEG (iPhone: Settings, Camera, Formats, Most Compatible).
fault-file-of-other-kind = Choose a picture (JPEG, PNG or WebP) or a PDF. This file is none of these.
fault-file-too-many-pixels = Choose a picture of at most 50 million pixels.
fault-file-damaged = The picture is damaged. Photograph or save it again.
fault-not-an-asset-account = Choose an account for assets.
fault-residual-out-of-range = Fill in a residual value from zero to what it cost, { $cost }.
fault-no-vat-to-revise = No VAT on this asset is to be revised in { $year }. That is done once a year, in the four years after the purchase, if the small businesses scheme (KOR) began or ended since.
fault-depreciated-out-of-range = Enter what has been depreciated already, from zero up to { $most }.
fault-no-opening-balance = Record your opening balance first, with this asset in it.
fault-after-opening-balance = This was bought after your opening balance of { $date }. Leave ‘depreciated before’ empty, and the purchase is booked.
fault-depreciation-too-late = Choose a day up to the end of next year, { $latest } at the latest.
fault-before-purchase = Choose a day on or after { $date }.
fault-no-mileage-rate = The mileage rate of { $year } isn’t known yet. Choose a day in another year.
fault-unknown-account = Choose an account from the list.
fault-account-taken = This code is in use. Choose four other digits.
fault-reserved-account = This code is reserved for the program. Choose one outside 0500–0599, 1000–1139, 1300, 1500–1529, 1600–1640 and 1700–1799.
fault-other-digit = With this RGS code, the code begins with { $digits }.
fault-unknown-rgs-code = Choose an RGS code from the list.
fault-too-many-accounts = You can have at most { $most } accounts of your own. Rename one that you no longer use.
fault-unknown-bank-account = We don’t know this bank account. Choose one from the list.
fault-bank-name-taken = You already have a bank account named { $name }. Choose another name.
fault-iban-taken = { $iban } already belongs to another bank account. Check the IBAN.
fault-cash-without-iban = Cash has no IBAN. Clear this field.
fault-too-many-bank-accounts = You can have at most { $most } bank accounts of this kind. Rename one that you no longer use.
fault-identifier-length = Enter { $least } to { $most } characters, such as the old account number.
fault-unsupported-file = { $why ->
    [empty] This file is empty. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [binary] This file is not text. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
   *[unknown] This file isn’t a bank statement in a format that we know. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [office] This file is a spreadsheet or another office document. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [too-large] This file is larger than 20 MB. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [record-too-long] This file has a line that is too long. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [too-many-lines] This file has more than 100,000 bank lines. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [too-many-statements] This file has more than 10,000 statements. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [malformed-xml] This file is incomplete or damaged. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [doctype] This file has a DOCTYPE, which does not belong in a bank statement. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [entity] This file has an entity that does not belong in a bank statement. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [too-deep] This file is nested too deeply. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [malformed-archive] This file is a damaged zip file. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [too-many-files] This file has more than 200 files. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [unpacked-too-large] This file becomes too large when it is unpacked. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [nested-archive] This file has another zip file in it. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
    [encrypted] This file is protected by a password. Download the statement again from your bank, as CAMT.053, MT940 or CSV.
}
fault-no-statement = This file has no bank statement in it. Download a statement from your bank.
fault-no-statement-but-other = This is a { $format } file, which has no statements in it. Download a statement as CAMT.053, MT940 or CSV.
fault-unknown-csv = We don’t recognise this CSV. We know those of ABN AMRO, ASN, bunq, ING, Knab, Rabobank, RegioBank, Revolut, SNS and Triodos. Assign its columns, or download the statement as CAMT.053 or MT940.
fault-unsupported-currency = Account { $account } is in { $currency }, and we read accounts in euros only. Remove this account from the file.
fault-balance-mismatch = The bank lines don’t add up to the bank’s balance on { $day }: the difference is { $difference }. Download the statement again, or tick “Even if the lines don’t add up to the closing balance”.
fault-balance-mismatch-at-end = The bank lines don’t add up to the closing balance: the difference is { $difference }. Download the statement again, or tick “Even if the lines don’t add up to the closing balance”.
fault-unknown-account-in-file = We don’t know account { $account } yet. Add this bank account first.
fault-no-account-in-file = This file doesn’t say which account it belongs to. Choose the bank account.
fault-other-account-in-file = This file belongs to account { $account }. Choose that bank account, or leave the choice empty.
fault-other-account-in-mapping = Column layout { $name } is for another bank account. Leave the bank account empty.
fault-unknown-mapping = This column layout no longer exists. Choose another one.
fault-too-many-mappings = You can have at most { $most } column layouts. Delete one that you no longer use.
fault-not-a-date-format = Enter a day, a month and a year, such as DD-MM-YYYY.
fault-not-a-column = Choose a column from the list.
fault-amount-columns = Choose one column with the amount, or one for out and one for in.
fault-out-words-required = Enter the word by which the bank says that money goes out.
fault-file-value-required = A value is missing in the file ({ $field ->
        [account] account
        [amount] amount
        [balance] balance
        [date] date
        [valueDate] value date
        [sign] in or out
        [currency] currency
        [status] status
        [name] name
        [text] description
        [reference] reference
        [columns] columns
       *[other] value
    }). Download the statement again.
fault-file-value-invalid = We can’t read “{ $value }” in the file ({ $field ->
        [account] account
        [amount] amount
        [balance] balance
        [date] date
        [valueDate] value date
        [sign] in or out
        [currency] currency
        [status] status
        [name] name
        [text] description
        [reference] reference
        [columns] columns
       *[other] value
    }). Download the statement again.
fault-file-value-too-fine = “{ $value }” in the file has more than two decimals ({ $field ->
        [account] account
        [amount] amount
        [balance] balance
        [date] date
        [valueDate] value date
        [sign] in or out
        [currency] currency
        [status] status
        [name] name
        [text] description
        [reference] reference
        [columns] columns
       *[other] value
    }). Check the file.
fault-file-value-out-of-range = “{ $value }” in the file is outside of what we accept ({ $field ->
        [account] account
        [amount] amount
        [balance] balance
        [date] date
        [valueDate] value date
        [sign] in or out
        [currency] currency
        [status] status
        [name] name
        [text] description
        [reference] reference
        [columns] columns
       *[other] value
    }). Check the file.
fault-file-value-unknown = We don’t know “{ $value }” in the file ({ $field ->
        [account] account
        [amount] amount
        [balance] balance
        [date] date
        [valueDate] value date
        [sign] in or out
        [currency] currency
        [status] status
        [name] name
        [text] description
        [reference] reference
        [columns] columns
       *[other] value
    }). Check the file.
fault-line-unbalanced = These amounts don’t add up to the bank line: { $missing } is missing. Change one of the amounts.
fault-other-direction = { $direction ->
    [in] This is only possible for money that came in. Choose another kind.
   *[out] This is only possible for money that went out. Choose another kind.
}
fault-other-half-unfit = This bank line doesn’t fit the transfer. Choose a new bank line with the opposite amount, at most ten days earlier or later.
fault-unknown-suggestion = The line has no such suggestion any more. Choose one from the list.
fault-not-a-suggestion = This is not a suggestion. Choose one from the list.
fault-rule-without-condition = Give an IBAN, a creditor identifier, or part of the name or the description.
fault-too-many-rules = You can have at most { $most } rules. Archive one that you no longer use.
fault-not-repeatable = Give one cost line without an amount and without VAT: it takes the whole amount.
fault-most-below-least = The highest amount must be at least { $least }.
fault-unknown-entry = We don’t know this entry. Choose one from the list.
fault-entry-of-other-bank-account = This entry isn’t on this bank account. Choose another entry.
fault-entry-of-other-amount = This entry is of { $amount }, or is reversed. Choose an entry of exactly this amount.
fault-entry-of-opening-balance = Your books begin with this entry, so no single bank line belongs to it. Choose another entry.
fault-unknown-invoice = This invoice doesn’t exist.
fault-unknown-loan = This loan doesn’t exist, or was undone.
fault-bank-account-archived = The bank account with code { $code } is archived. Make it active again first.
fault-payout-too-large = Amount and fee together may be at most { $most }.
fault-entry-linked = This entry already belongs to a bank line. Choose another entry.
fault-line-day = Choose a day from { $first } to { $last }.
fault-not-an-account-code = Enter four digits, such as 4105.
fault-kept-by-program = Account { $account } follows from your invoices, expenses and returns. Choose another account.
fault-one-side-only = Fill in either debit or credit.
fault-unbalanced = Debit and credit differ: debit { $debit }, credit { $credit }. Change one of the amounts.
fault-same-account = Choose an account other than the one the money comes from.
fault-no-checking-account = Choose a checking account that is in use.
fault-bank-account-without-iban = This bank account has no IBAN. Add it first, or choose another account.
fault-payer-without-name = Give your business a name in Latin letters first, under Settings.
fault-day-after = Choose { $day } or an earlier day.
fault-unknown-expense = This expense doesn’t exist.
fault-bill-undone = This expense was undone, so there is nothing to pay.
fault-credit-note-not-payable = This is a credit note: the supplier pays you.
fault-no-payee = The IBAN to pay to is missing. Fill it in at the bill, or at the supplier under Contacts.
fault-bill-in-batch-twice = This bill is already in the batch.
fault-day-before = Choose { $day } or a later day.
fault-before-opening = Your opening balance is of { $opening } and already holds everything before it. Choose that day or a later one, or change your opening balance.
fault-opening-too-late = Your books can’t begin in the future. Choose { $latest } or an earlier day.
fault-booked-before-opening = Something is booked on { $first } already. Choose that day or an earlier one, or undo what is booked before.
fault-day-not-after = Choose a day after { $day }.
fault-exceeds-loan = You want to repay { $asked }, but { $remaining } is still owed. Enter at most { $remaining }.
fault-balance-of-other-side = Put a minus before the balance of account { $account }: it is a debt, or what was depreciated.
fault-account-twice = Account { $account } is there twice. Fill in its whole balance on one line.
fault-from-open-items = Account { $account } follows from your open items. Leave it out here and fill in each item.
fault-number-taken = There is already an invoice { $number }. Fill in the number of this invoice.
fault-bill-twice = Bill { $number } of this supplier is already listed. Fill in each bill once.
fault-number-of-series = { $number } is still to come in your numbers of { $year }. Let those start higher first, or write the number differently.
fault-after-opening = Choose { $opening } or an earlier day. Record what came later separately.
