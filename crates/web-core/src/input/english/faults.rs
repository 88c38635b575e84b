//! Remedies for faults.

use super::redirect_uri;
use bank_files::Unsupported;
use jiff::civil::Date;
use service::{Fault, Reason};
use std::fmt::Display;

/// Returns the remedy for a fault, without an initial capital or a full stop.
#[must_use]
pub fn message(fault: &Fault) -> String {
    let name = fault.path.rsplit('/').next().unwrap_or("");
    match &fault.reason {
        Reason::Required => format!("give `{name}`"),
        Reason::DateRequired => format!("give `{name}` as YYYY-MM-DD"),
        Reason::EmptyText => "give a text that is not empty".into(),
        Reason::ListRequired { least, most } => format!("give `{name}`, {least} to {most} of them"),
        Reason::TooFew { least } => format!("give at least {least}"),
        Reason::TooMany { most, given } => format!("give at most {most}; there are {given}"),
        Reason::NotAWebAddress => "give a web address, such as https://shop.example/hooks".into(),
        Reason::WebhookNotEncrypted => "give an address that begins with https://".into(),
        Reason::WebhookWithUser => "leave user name and password out of the address; a webhook is known by its signature".into(),
        Reason::WebhookNotPublic => "give an address that can be reached from the internet".into(),
        Reason::UnknownWebhookType { name } => format!(
            "webhooks report nothing called {name:?}; give names such as invoice.paid, invoice.* for all of a kind, or an empty list for everything"
        ),
        Reason::TooManyWebhooks { most } => format!("an account has at most {most} webhooks; delete one first"),
        Reason::TooManyKeys { most } => format!("an account has at most {most} API keys that are not revoked; revoke one first"),
        Reason::ReceiptsFull { most } => {
            format!(
                "an account has at most {most} GiB of receipts and documents of invoices together; delete receipts that belong to no expense, or ask the operator for another plan"
            )
        }
        Reason::DocumentsFull { most } => format!(
            "an account has at most {most} GiB of documents of invoices; the invoice itself is booked; ask the operator for another plan"
        ),
        Reason::WebhookTaken { webhook } => {
            format!("webhook {webhook} has this address and these types already; use that one, or give other types")
        }
        Reason::NotAnObject => "give a JSON object".into(),
        Reason::NotAList => "give a list".into(),
        Reason::NotAText => "give a text".into(),
        Reason::NotADate => "give a day as a text, YYYY-MM-DD".into(),
        Reason::NotACountry => "give a country's code as a text".into(),
        Reason::NotANumber => "give a number, without quotes and with a point, such as 12.50".into(),
        Reason::NotAWholeNumber => "give a whole number".into(),
        Reason::NotAFlag => "give true or false".into(),
        Reason::NotHours => "give hours as a number, such as 7.25".into(),
        Reason::ControlCharacters => {
            "leave out control characters and those that change the direction of text (U+202A to U+202E, U+2066 to U+2069)".into()
        }
        Reason::TooLong { most } => format!("give at most {most} characters"),
        Reason::TooManyLineBreaks { most } => format!("give at most {most} line breaks"),
        Reason::UnknownValue { known } => format!("give one of: {}", known.join(", ")),
        Reason::UnknownField { name } if name == "currency" => {
            "the API does not know \"currency\" here; leave it out, as every amount is in euros".into()
        }
        Reason::UnknownField { name } => {
            format!("the API does not know {name:?} here; leave it out, and see /api/docs for the fields that there are")
        }
        Reason::InvalidDate => "write a day that exists as YYYY-MM-DD, from 2000-01-01 to 2099-12-31".into(),
        Reason::NotAPeriod => "write a VAT period as 2026-05, 2026-Q2 or 2026".into(),
        Reason::UnknownCountry => {
            "give a country as its two-letter ISO 3166-1 code, such as NL (Greece is GR, the United Kingdom is GB)".into()
        }
        Reason::TooManyDecimals { most } => format!("give at most {most} decimals"),
        Reason::OutOfRange { least, most } => format!("the number must lie between {least} and {most}"),
        Reason::WholeOutOfRange { least, most } => format!("give a whole number from {least} to {most}"),
        Reason::AmountOutOfRange { most } => format!("give an amount above 0.00 and at most {most}"),
        Reason::AmountIsNothing { most } => format!("give an amount other than 0.00, at most {most} and at least -{most}"),
        Reason::NegativeAmount => "give an amount of 0.00 or more".into(),
        Reason::HoursOutOfRange => "give hours above 0 and at most 24".into(),
        reason => identity(reason).or_else(|| sales(reason)).or_else(|| purchases(reason)).unwrap_or_else(|| others(reason)),
    }
}

// Long: one match over the reasons.
fn identity(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::NameRequired { most } => format!("give a name of 1 to {most} characters on one line"),
        Reason::InvalidName { most } => format!("give a name of 1 to {most} characters on one line"),
        Reason::InvalidEmail => "give an e-mail address such as name@example.com".into(),
        Reason::EmailLocalPart => {
            "before the @ use only letters without accents, digits, single dots and signs such as - _ +: not every mail server \
             delivers other addresses"
                .into()
        }
        Reason::EmailDomain => {
            "after the @ give a whole domain such as example.com, with a dot and no empty part: no mail arrives elsewhere".into()
        }
        Reason::CustomerHasNoEmail { customer } => {
            format!("no e-mail address of the customer {customer} is known: give `to`, or `email` of the customer")
        }
        Reason::EmailUnchanged => "give another address: this is the one that the account has".into(),
        Reason::VatNumberPrefix => {
            "begin the VAT number with the prefix of its EU country, such as NL or DE (Greece is EL, Northern Ireland XI), or a customer's with GB or CHE".into()
        }
        Reason::VatNumberForm => {
            "give the VAT number in the form of its country; a Dutch one is NL, nine digits, B and two digits".into()
        }
        Reason::VatNumberCheckDigits => "check the VAT number for a typing error: its digits do not fit together".into(),
        Reason::VatNumberNotDutch => {
            "give the Dutch VAT number (NL…): the books of this account are kept in the Netherlands".into()
        }
        Reason::InvalidPhone => "give the telephone number with digits, spaces and + ( ) - . alone".into(),
        Reason::InvalidWebsite => "give the address of the website with https, such as https://example.com".into(),
        Reason::BicOfOtherCountry { country } => {
            format!("check the BIC: its fifth and sixth characters are not those of the country of the IBAN, {country}")
        }
        Reason::PeppolForm => {
            "give scheme:value, such as 0106:12345678; the value has at most 50 of the characters A-Z a-z 0-9 : _ . -".into()
        }
        Reason::PeppolScheme => {
            "give a scheme of the EAS list, such as 0106 (KvK number), 0190 (OIN) or 0208 (Belgian enterprise number)".into()
        }
        Reason::PeppolValue => {
            "check the value for a typing error: it is not a number of this scheme (0106 has 8 digits, 0190 has 20, 0208 has 10 with \
             check digits, 9925 the same after BE, 9944 a Dutch VAT number)".into()
        }
        Reason::ConsumerWithVatNumber => "leave the VAT number out, or give the kind business: a consumer has no VAT number".into(),
        Reason::EmailNotFirst => {
            "leave email out, or give the first address of emails with the use invoice".into()
        }
        Reason::EmailWithoutUse => "give at least one use of the address, or leave uses out for all of them".into(),
        Reason::InvalidKvkNumber => {
            "give the KvK number as eight digits; the twelve digits of a branch (vestigingsnummer) are another number".into()
        }
        Reason::IbanForm => {
            "give the IBAN as two letters, two digits, and then letters and digits, such as NL91 ABNA 0417 1643 00".into()
        }
        Reason::IbanCountry => "check the first two letters of the IBAN: no country with IBANs has them".into(),
        Reason::IbanLength { expected } => {
            format!("check the IBAN for a missing character or one too many: it must be {expected} characters long")
        }
        Reason::IbanCheckDigits => "check the IBAN for a typing error: its check digits do not fit".into(),
        Reason::InvalidBic => "give the BIC as eight or eleven characters, such as ABNANL2A".into(),
        Reason::InvalidPostalCode => "give the postal code as 1234 AB".into(),
        Reason::CountryFixed => "the country cannot be changed any more: there is something in the books".into(),
        Reason::PatternIncomplete => {
            "a number pattern needs {year} and {number} (or {number:4} for at least four digits), each once".into()
        }
        Reason::PatternUnknownPart => "a number pattern knows only {year}, {number} and {number:N} with N from 1 to 9".into(),
        Reason::PatternUnknownCharacter => {
            "beside {year} and {number} a number pattern has only letters, digits, spaces and - _ / . #".into()
        }
        Reason::PatternDigitBesideNumber => {
            "put something that is not a digit between {number} and the year or other digits, such as {year}-{number}".into()
        }
        Reason::PatternTooLong => "a number pattern has at most 40 characters".into(),
        Reason::PasswordTooShort { least } => {
            format!("choose a password of {least} characters or more; 12 or more is better, several words are best")
        }
        Reason::PasswordTooLong { most } => format!("choose a password of {most} characters at the most"),
        Reason::PasswordCommon => {
            "choose another password: this one, or the word in it, is among those that everybody tries first".into()
        }
        Reason::PasswordPersonal => "choose another password: this one is your name or e-mail address, or a part of them".into(),
        _ => return None,
    })
}

// Long: one match over all reasons about sales.
fn sales(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::CustomerUnknown { external_id } => {
            format!("there is no contact with externalId {external_id:?} yet; give the customer's name so that one is made")
        }
        Reason::CustomerNameRequired => "give the customer's name, or the externalId of a contact that exists".into(),
        Reason::DueTwice => "give either dueDate or paymentTermDays".into(),
        Reason::ValidBeforeQuote { quote_date } => {
            format!("give a last day on or after the date of the quote, {quote_date}")
        }
        Reason::PercentAndAmount => {
            "give either percent or amount, and only for a prepayment".into()
        }
        Reason::DiscountTwice => "give either discountPercent or discountAmount".into(),
        Reason::InvoiceItemDiffers => {
            "leave this out beside invoiceItem, or give the value of that line of the invoice".into()
        }
        Reason::PrepaymentPercentRequired => {
            "give percent or amount: the quote has no prepaymentPercent".into()
        }
        Reason::BeyondQuote { most } => {
            format!("give more than 0 and at most {most}, which is what is left of the quote")
        }
        Reason::FirstDatePast { today } => format!("give a first date from today, {today}, on"),
        Reason::LastBeforeFirst { first_date } => {
            format!("give a lastDate on or after the first occurrence; firstDate is {first_date}")
        }
        Reason::LastDayOfWeeks => "leave out lastDayOfMonth, or give another unit than week".into(),
        Reason::DueBeforeInvoice { invoice_date } => format!("give a due date on or after the invoice date, {invoice_date}"),
        Reason::DueTooLate { days, invoice_date } => {
            format!("{days} days after {invoice_date} is beyond the year 2099; the due date must be before 2100")
        }
        Reason::UnknownVatRate { on, rates } => unknown_rate(*on, rates),
        Reason::CategoryOfZeroRate { known } => {
            format!("with vatRate 0 give one of: {}; or leave vatCategory out", known.join(", "))
        }
        Reason::CategoryOfRate => "a VAT rate above 0 goes with the categories standard and oss alone; leave vatCategory out".into(),
        Reason::RateOfCountry { country, on, rates } => {
            let rates: Vec<String> = rates.iter().map(ToString::to_string).collect();
            format!("on {on} the rates of {country} are {}; give one of them, or leave vatRate out for the standard one", rates.join(", "))
        }
        Reason::OssWithVatNumber => "a customer with a VAT number owes the VAT itself; leave vatCategory and taxCountry out".into(),
        Reason::TaxCountryOfOther => "another country goes with the category oss alone, and NL with any other".into(),
        Reason::TaxCountryUnknown => "give another EU country by its code, such as DE (Greece is GR)".into(),
        Reason::TaxCountryRequired => "give the EU country that taxes the supply: the customer is not in one".into(),
        Reason::OssPassedOn { date } => format!("the threshold was passed on {date}; the registration begins on that day"),
        Reason::OssNotPassed => "no supply passes the threshold of that year or the one before; give the ground choice".into(),
        Reason::OssTooEarly { earliest } => format!("the Union scheme began on {earliest}; give that day or a later one"),
        Reason::DesignatedLater { from } => format!("cash accounting begins on {from}, before the designation; give a designation of that day or earlier, or a later first day"),
        Reason::OssEndsTooEarly { earliest } => format!("a registration lasts until {earliest} at least; give that day or a later one"),
        Reason::VatAndOssPeriod => "give either vatPeriod or ossPeriod".into(),
        Reason::NotAQuarter => "give a calendar quarter, such as 2026-Q4".into(),
        Reason::LineOutOfRange => "quantity times unitPrice must lie between -99999999999.99 and 99999999999.99".into(),
        Reason::TotalOutOfRange => "the total must lie between -99999999999.99 and 99999999999.99".into(),
        Reason::NegativeVatGroup { rate } => {
            format!(
                "the lines at {rate} per cent come to less than zero; give a discount the VAT rate of what it discounts, and credit a \
                 prepayment that is more than what was supplied"
            )
        }
        Reason::SupplyDateRequired => "give supplyDate, the first day of supply, with supplyUntil".into(),
        Reason::SupplyUntilBefore { supply_date } => format!("give a last day of supply on or after the first, {supply_date}"),
        Reason::KorApplies { since } => format!(
            "no VAT is charged under the small businesses scheme (KOR), which is used since {since}; give vatRate 0, or the date of supply where it \
             is earlier"
        ),
        Reason::ExemptionOfOther => "only an exempt line has a ground of exemption; leave exemption out".into(),
        Reason::ExemptionOfKor => {
            "the small businesses scheme (KOR) does not apply on the day of supply; give article11 or article11Counted, or leave exemption out".into()
        }
        Reason::KorLimitPassed { threshold, counted } => format!(
            "with this the turnover of the year is {counted}, above the limit of {threshold} of the small businesses scheme (KOR): this supply is taxed \
             itself; give vatRate 21 or 9, which ends the scheme"
        ),
        Reason::KorBarred { until } => {
            format!("the small businesses scheme (KOR) cannot begin before {until}; give a later first day of a VAT period")
        }
        Reason::KorNotice { latest } => {
            format!("the tax office needs four weeks of notice; give {latest} at the latest, or a later first day")
        }
        Reason::NotFirstOfPeriod { first } => format!("give the first day of a VAT period, such as {first}"),
        Reason::OnlyWithCash => "only the method cash has a ground; leave ground out".into(),
        Reason::DayOfDesignation => "only the ground designated has a day; leave designatedOn out".into(),
        Reason::KorPassedOn { date } => format!("the limit was passed on {date}; the scheme ends on that day"),
        Reason::KorNotPassed => {
            "no invoice under the small businesses scheme (KOR) passes the limit of that year; leave because out to end it by choice".into()
        }
        Reason::KorPrivateUse { since } => format!(
            "no VAT is due on private use under the small businesses scheme (KOR), which is used since {since}; leave vat out, and give base"
        ),
        Reason::NotFirstOfYear { first } => {
            format!("VAT by the year begins and ends with a year; give a 1 January, such as {first}")
        }
        Reason::LaterUnitChange { from } => {
            format!("the change from {from} on would no longer begin a period; change that one first")
        }
        Reason::VatNumberDutch => "give the VAT number of a customer in another member state; this one is Dutch".into(),
        Reason::NoEuSupply => "only an invoice with an intraCommunity line needs a VAT number for the ICP declaration".into(),
        Reason::NotFirstOfQuarter { first } => format!("give the first day of a quarter, such as {first}"),
        Reason::NumbersBegun { year } => format!("invoices of {year} have numbers already; the series goes on from there"),
        Reason::TriangularNotEu => {
            "triangular supplies are intra-community; give vatCategory intraCommunity, or supply services or goods".into()
        }
        Reason::CreditBeforeInvoice { invoice_date } => format!("give a date on or after that of the invoice, {invoice_date}"),
        Reason::ClockBack { now } => format!("the clock of the test account only goes forward, and stands at {now}"),
        Reason::ClockTooFar { latest } => format!("the clock of the test account goes to {latest} at the latest"),
        Reason::InvalidMoment => {
            "write a moment as RFC 3339 does, such as 2026-03-15T12:00:00Z, and before the end of 9999".into()
        }
        Reason::PaymentTooLate { latest } => format!("give the day on which the money was paid, {latest} at the latest"),
        Reason::UndoneTooLate { latest } => format!("give the day on which it was undone, {latest} at the latest"),
        Reason::NegativeTotal => {
            "an invoice must not come to less than zero (make a credit note), nor a credit note to more (make an invoice)".into()
        }
        Reason::NothingOutstanding { invoice } => {
            format!(
                "nothing of invoice {invoice} is outstanding any more; record the payment on another invoice, or keep it for the customer: give \
                 its amount with overpayment: \"keep\""
            )
        }
        Reason::KeptAmountRequired { invoice } => {
            format!("give the amount that came in: nothing of invoice {invoice} is outstanding any more, so there is no default")
        }
        Reason::NothingToWriteOff { invoice } => {
            format!("nothing of invoice {invoice} is due any more, so there is nothing to write off")
        }
        Reason::NothingToRemindOf { invoice } => {
            format!("nothing of invoice {invoice} is due any more, so there is nothing to remind the customer of")
        }
        Reason::LogoTooLarge => "choose a picture of at most 10 MB".into(),
        Reason::LogoTooManyPixels => "choose a picture of at most 8000 by 8000 pixels".into(),
        Reason::LogoWrongFormat => "choose a PNG or JPEG picture".into(),
        Reason::LogoDamaged => "the picture is damaged; save it anew and choose it again".into(),
        Reason::InvalidColour => "give a colour such as #115e59".into(),
        Reason::FixedText => "the law prescribes the text of this letter; leave subject and message out".into(),
        Reason::StepsNotAscending => "give each step more days after the due date than the one before".into(),
        Reason::NotLate { invoice, due_date } => {
            format!("invoice {invoice} can be paid until {due_date}; remind the customer from the day after")
        }
        Reason::ExceedsOutstanding { remaining, .. } => {
            format!("give an amount above 0.00 and at most what is outstanding: {remaining}")
        }
        Reason::Overpaid { remaining, .. } => format!(
            "give an amount above 0.00 and at most what is outstanding: {remaining}; where the customer did pay more, add overpayment: \"keep\""
        ),
        Reason::ExceedsRefund { remaining, .. } => {
            format!("at most what is to be paid back can be paid back: {remaining} (amountToRefund)")
        }
        Reason::UndoneBefore { date } => format!("give a date on or after that of what is taken back, {date}"),
        Reason::WrittenOffBeforeInvoice { invoice_date } => {
            format!("give a date on or after that of the invoice, {invoice_date}")
        }
        Reason::TotalBelowOpen { least } => {
            format!("give the total of the invoice including VAT, at least the open amount of {least}")
        }
        Reason::OnlyReceivable => "leave this out: only an invoice of your own (`receivable`) has it".into(),
        Reason::OnlyPremium => "leave this out: only a booking of the kind `premium` has it".into(),
        Reason::VatNotTheTotal { total, vat } => {
            format!("bases and VAT add up to {vat}; give all rates of the invoice, {total} in all")
        }
        Reason::AmountAndPrice => "give either amount, or unitPrice and quantity".into(),
        Reason::RateTwice { rate } => format!("give {rate} per cent once, with the sum of its bases"),
        Reason::WriteOffRecovered { recovered } => {
            format!("{recovered} of what was written off was received since; undo that payment first")
        }
        Reason::UnknownPrepayment { id } => {
            format!("{id} is no prepayment invoice of this customer that is sent; give each id once")
        }
        Reason::PrepaymentUsed { invoice } => format!("nothing is left of prepayment invoice {invoice}; leave it out"),
        Reason::PrepaymentSetsOff => "a prepayment invoice sets off no other; leave prepaymentInvoiceIds out".into(),
        Reason::EmptyPayout => "give an amount or a fee that is not 0.00".into(),
        Reason::FeeVatExceedsFee { fee } => format!("give at most the fee: {fee}"),
        Reason::FeeVatNotCharged => {
            "with feeVatTreatment none there is no VAT; leave feeVat out, or give another treatment".into()
        }
        Reason::CreditExceeds { asked, remaining } => {
            format!("this would credit {asked}, but only {remaining} of the invoice remains")
        }
        Reason::CreditRateUnknown { rate, category, known } => {
            format!("the invoice has no line at {rate} per cent ({category}); it has {}", known.join(", "))
        }
        Reason::CreditExceedsRate { rate, category, asked, remaining } => {
            format!("at {rate} per cent ({category}) {remaining} of the invoice remains, excluding VAT, not {asked}")
        }
        Reason::CreditExceedsGross { rate, category, asked, remaining } => {
            format!("at {rate} per cent ({category}) {remaining} of the invoice remains, including VAT, not {asked}")
        }
        _ => return None,
    })
}

fn purchases(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::NotACostAccount => {
            "give the four digits of a cost account that purchases are booked on, such as 4100; an asset goes to /api/v1/assets"
                .into()
        }
        Reason::VatNotPrinted => "leave vat out: only normal and importVatPaid take it from the document".into(),
        Reason::VatExceedsAmount { most } => format!("give no more VAT than the amount: at most {most}"),
        Reason::VatOfOtherSign => "give vat the same sign as the amount".into(),
        Reason::NothingBought => "give an amount that is not 0.00".into(),
        Reason::VatAboveHighRate { most } => {
            format!("no VAT rate is above the high one: give at most {most}, or a higher value")
        }
        Reason::SignedAmountOutOfRange { most } => format!("give an amount between -{most} and {most}"),
        Reason::ShareOutOfRange => "give a percentage from 0 to 100 with at most two decimals".into(),
        Reason::UnknownReceipt { id } => format!("there is no receipt {id} in this account; POST /api/v1/receipts hands one in"),
        Reason::AlreadyPaid { paid } => {
            format!(
                "{paid} of the bill is paid: it must stay unpaid in paidFrom and come to that at least; or undo the payments first"
            )
        }
        Reason::VatRepaid { vat } => {
            format!("{vat} of VAT was paid back on the bill as it is; pay it, or undo it and record it anew")
        }
        Reason::BillSettled => "nothing of it is to be paid any more".into(),
        Reason::BeforeBill { date } => format!("give a day on or after that of the bill, {date}"),
        Reason::NoVatToRepay => {
            "no VAT is to be paid back: the bill is paid, nothing was deducted on it, or it was done before".into()
        }
        Reason::NoVatToRevise { year } => {
            format!(
                "no VAT on this asset is to be revised in {year}: that is done once in each of the four years after the purchase, where \
                 the small businesses scheme began or ended since"
            )
        }
        Reason::NotAnAssetAccount => "give the account of an asset: 0100, 0200 or 0300".into(),
        Reason::ResidualOutOfRange { cost } => format!("give an amount from 0.00 to what it cost, {cost}"),
        Reason::DepreciatedOutOfRange { most } => format!("give an amount from 0.00 to what is depreciated in all, {most}"),
        Reason::NoOpeningBalance => "record your opening balance first, with this asset in it".to_owned(),
        Reason::AfterOpeningBalance { date } => {
            format!("give a day up to {date}, that of your opening balance; what was bought later is booked as a purchase")
        }
        Reason::BeforePurchase { date } => format!("give a day on or after {date}"),
        Reason::NoMileageRate { year } => format!("the rate of a kilometre in {year} is not known; give a day in another year"),
        Reason::FileEmpty => "the file is empty; send another".into(),
        Reason::FileTooLarge => "send a file of at most 10 MiB".into(),
        Reason::FileHeic => {
            "HEIC pictures cannot be read everywhere, and a receipt must stay readable for seven years; send a JPEG".into()
        }
        Reason::FileOfOtherKind => "send a JPEG, PNG or WebP picture or a PDF; the bytes of this file are none of these".into(),
        Reason::FileTooManyPixels => "send a picture of at most 50 million pixels".into(),
        Reason::FileDamaged => "the picture is damaged; photograph or save it again".into(),
        _ => return None,
    })
}

// Long: one match over all other reasons.
fn others(reason: &Reason) -> String {
    match reason {
        Reason::DayTooLong { date, written, hours } => format!(
            "{date} has {written} hours written already; with these {hours} it would have more than 24: write fewer, or another day"
        ),
        Reason::ContactMerged => "this contact was merged into another already; use that one".into(),
        Reason::SameContact => "this is the contact itself; give the id of another one".into(),
        Reason::UnknownArticle => "there is no such article in this account; give the id or the number of one that exists".into(),
        Reason::ArticleTwice => "give either articleId or articleNumber".into(),
        Reason::ArticleNumberTaken { number } => {
            format!("another article has the number {number}; give another number")
        }
        Reason::TooManyArticles { most } => format!("an account has at most {most} articles; edit one that is not used any more"),
        Reason::UnknownContact => "there is no such contact in this account; give the id of one that exists".into(),
        Reason::UnknownProject { id } => {
            format!("there is no project {id} in this account; GET /api/v1/projects lists those there are")
        }
        Reason::ExternalIdDiffers => "give the externalId of the address, or leave it out of the body".into(),
        Reason::ExternalIdTaken => "another one has this externalId; give another".into(),
        Reason::ProjectWithoutCustomer => "give the project a customer first: PATCH its contactId".into(),
        Reason::ProjectWithoutRate => "give the project a rate first: PATCH its hourlyRate".into(),
        Reason::HoursInParts => {
            "these hours were written down in several parts, or are on an invoice; change the parts one by one".into()
        }
        Reason::TimerTooLong { hours } => format!("the timer ran for {hours} hours, more than a day has; give the hours worked"),
        Reason::PurchaseOutOfRange => "net amount and VAT together must lie between -99999999999.99 and 99999999999.99".into(),
        Reason::AccountTaken => "another account has this code; give four digits that are free".into(),
        Reason::ReservedAccount => {
            "this code is reserved for the program: give one outside 0500 to 0599, 1000 to 1139, 1300, 1500 to 1529, 1600 to 1640 and 1700 to 1799"
                .into()
        }
        Reason::OtherDigit { digits } => {
            format!("with this rgsCode, which determines the class, the code begins with {digits}")
        }
        Reason::UnknownRgsCode => {
            "give a code of RGS 3.7 that is bookable and active for sole traders, such as WBedKanOka".into()
        }
        Reason::TooManyAccounts { most } => {
            format!("the books have {most} accounts of your own, and more are not possible; rename one that you no longer use")
        }
        Reason::UnknownBankAccount => {
            "give the code or id of a bank account of these books that can be used here; GET /bank-accounts lists them".into()
        }
        Reason::BankNameTaken { name } => format!("another active bank account is named {name}; give another name"),
        Reason::IbanTaken { iban } => format!("another bank account has {iban}; no two can have the same IBAN"),
        Reason::CashWithoutIban => "cash has no IBAN; leave it out".into(),
        Reason::TooManyBankAccounts { most } => {
            format!("the books have {most} bank accounts of this kind, and more are not possible; rename one that you no longer use")
        }
        Reason::IdentifierLength { least, most } => {
            format!("give {least} to {most} characters, such as the account number or the last four digits of a card")
        }
        Reason::UnsupportedFile { why } => format!(
            "the file {}; send a bank statement as CAMT.053, MT940, CSV of a known bank, or a zip of these",
            unsupported(*why)
        ),
        Reason::NoStatement => "the file has no bank statement; download one from the bank".into(),
        Reason::NoStatementButOther { format } => {
            format!("this is {format}, which has no bank statements; send CAMT.053, MT940 or CSV of a known bank")
        }
        Reason::UnknownCsv => {
            "no known bank writes CSV in this way; send CAMT.053 or MT940, or the lines as JSON, or assign the columns once \
             on the page /bank-statements and give mappingId"
                .into()
        }
        Reason::UnsupportedCurrency { account, currency, count } => format!(
            "account {account} with {count} lines is in {currency}; send currency=EUR to take the accounts in euros alone"
        ),
        Reason::BalanceMismatch { day, difference } => format!(
            "opening balance and lines differ by {difference} from the balance of {day}; download the file again, or send \
             acceptBalance=true to take it as it is"
        ),
        Reason::BalanceMismatchAtEnd { difference } => format!(
            "opening balance and lines differ by {difference} from the closing balance; download the file again, or send \
             acceptBalance=true to take it as it is"
        ),
        Reason::UnknownAccountInFile { account } => format!(
            "no bank account is called {account}; create one with this IBAN, or add it to the identifiers of one"
        ),
        Reason::NoAccountInFile => "the file does not name its account; give the id of the bank account".into(),
        Reason::OtherAccountInFile { account } => {
            format!("the file is of account {account}, not of this bank account; leave out bankAccountId")
        }
        Reason::OtherAccountInMapping { name } => {
            format!("the mapping {name} is for another bank account; leave out bankAccountId")
        }
        Reason::UnknownMapping => "give the id of a mapping of these books; the page /bank-mappings lists them".into(),
        Reason::TooManyMappings { most } => format!("delete one first: an account has at most {most} mappings"),
        Reason::NotADateFormat => "give a day, a month and a year, such as DD-MM-YYYY".into(),
        Reason::NotAColumn => "give the position of a column, from 0, or its name in the head".into(),
        Reason::AmountColumns => "give either amount, with sign if it has none, or debit and credit".into(),
        Reason::OutWordsRequired => "give the words of the column sign that mean that money goes out".into(),
        Reason::FileValueRequired { field } => format!("{field} is missing in the file"),
        Reason::FileValueInvalid { field, value } => format!("{field} in the file cannot be read: {value:?}"),
        Reason::FileValueTooFine { field, value } => {
            format!("{field} in the file has more than two decimals: {value:?}")
        }
        Reason::FileValueOutOfRange { field, value } => format!(
            "{field} in the file is out of range: {value:?}; days are from 2000 to a week ahead"
        ),
        Reason::FileValueUnknown { field, value } => format!("{field} in the file is not a known code: {value:?}"),
        Reason::LineUnbalanced { missing } => format!(
            "the amounts must add up to the amount of the line, without its sign; {missing} is missing. Leave one amount out to give it the rest"
        ),
        Reason::OtherDirection { direction } => {
            format!("this kind is for money that goes {direction}; give another kind, or the opposite sign")
        }
        Reason::OtherHalfUnfit => "give a new line of the other bank account with the opposite amount, at most ten days apart".into(),
        Reason::UnknownSuggestion => "give the id of one of the line’s suggestions; GET /bank-lines/{id} lists them".into(),
        Reason::NotASuggestion => "give the id of a suggestion: 32 hexadecimal digits".into(),
        Reason::RuleWithoutCondition => "give one of iban, creditorId, nameContains and textContains, by which lines are recognized".into(),
        Reason::TooManyRules { most } => format!("archive one first: an account has at most {most} active rules"),
        Reason::NotRepeatable => "give one item without amount and without vat: it takes the whole amount of the line".into(),
        Reason::MostBelowLeast { least } => format!("give at least amountFrom, {least}"),
        Reason::UnknownEntry => "give the id of an entry of these books; GET /entries lists them".into(),
        Reason::EntryOfOtherBankAccount => "the entry has no posting on the ledger account of this bank account".into(),
        Reason::EntryOfOtherAmount { amount } => format!(
            "the entry moves {amount} on this bank account, or is reversed; give one in force of exactly this amount"
        ),
        Reason::EntryOfOpeningBalance => {
            "the entry opens the books, so no single line of the bank is its payment; give an entry of one payment".into()
        }
        Reason::UnknownInvoice => "the account has no invoice with this id".into(),
        Reason::UnknownLoan => "the account has no loan with this id, or it is undone".into(),
        Reason::BankAccountArchived { code } => {
            format!("the bank account with code {code} is archived; make it active again first")
        }
        Reason::PayoutTooLarge { most } => {
            format!("amount and fee together may be at most {most}")
        }
        Reason::EntryLinked => "the entry belongs to a bank line already".into(),
        Reason::LineDay { first, last } => format!("give a day from {first} to {last}"),
        Reason::NotAnAccountCode => "give four digits, such as 4105".into(),
        Reason::UnknownAccount => "give the code of an account of the chart that can be used here, four digits".into(),
        Reason::KeptByProgram { account } => format!(
            "account {account} is kept by the program: it follows from invoices, expenses and VAT returns; book on another account"
        ),
        Reason::FromOpenItems { account } => format!(
            "what stands on account {account} follows from openItems: leave it out here, and list each invoice or bill that is open there"
        ),
        Reason::NumberTaken { number } => format!("{number} is the number of another invoice; give the number of this one"),
        Reason::BillTwice { number } => format!("bill {number} of this supplier is listed already; give each bill once"),
        Reason::NumberOfSeries { number, year } => format!(
            "{number} is a number that the series of {year} will come to; let the numbers of {year} begin after it (nextNumber), or write it \
             differently, such as {number} old"
        ),
        Reason::AfterOpening { opening } => {
            format!("give {opening}, the day of the opening balance, or an earlier day: what came later is recorded by itself")
        }
        Reason::OneSideOnly => "give either a debit or a credit, above 0.00".into(),
        Reason::Unbalanced { debit, credit } => {
            format!("debit and credit must be equal: the debits add up to {debit}, the credits to {credit}")
        }
        Reason::SameAccount => "give another account than the one that the money comes from".into(),
        Reason::NoCheckingAccount => "give the id of a checking account that is in use".into(),
        Reason::BankAccountWithoutIban => "give the bank account its IBAN first, or choose another one".into(),
        Reason::PayerWithoutName => "give the account a name in Latin letters first".into(),
        Reason::DayAfter { day } => format!("give {day} or an earlier day"),
        Reason::UnknownExpense => "the account has no expense with this id".into(),
        Reason::BillUndone => "the expense is undone, so nothing of it is to be paid".into(),
        Reason::CreditNoteNotPayable => "it is a credit note: the supplier pays it back".into(),
        Reason::NoPayee => "give `payTo` of the bill, or `iban` of its contact, with a name in Latin letters".into(),
        Reason::BillInBatchTwice => "the batch has this bill already".into(),
        Reason::DayBefore { day } => format!("give {day} or a later day"),
        Reason::BeforeOpening { opening } => format!(
            "the opening balance is of {opening} and holds all that was before; give that day or a later one, or change the opening balance"
        ),
        Reason::DepreciationTooLate { latest } => format!("give a day up to {latest}, the end of next year"),
        Reason::OpeningTooLate { latest } => format!("give a day on which the books have begun, {latest} at the latest"),
        Reason::BookedBeforeOpening { first } => format!(
            "something is booked on {first}, and nothing can be before the opening balance; give {first} or an earlier day, or take back what is \
             booked before"
        ),
        Reason::DayNotAfter { day } => format!("give a day after {day}"),
        Reason::ExceedsLoan { remaining, .. } => format!("give at most what is still owed on the loan: {remaining}"),
        Reason::BalanceOfOtherSide { account } => {
            format!("give the balance of account {account} with a minus: it is owed, or was depreciated")
        }
        Reason::AccountTwice { account } => format!("give account {account} once, with its whole balance"),
        Reason::ScopeRequired => "choose at least one scope: read, write".into(),
        Reason::RedirectUri { uri, why } => format!("{uri}: {}", redirect_uri(*why)),
        Reason::InvalidCredential => "give 1 to 255 printable characters".into(),
        Reason::ClientIdTaken => "another application has this id; give another, or remove that one first".into(),
        // Not reached: a test checks that every reason has a text of its own.
        unknown => unknown.name().to_owned(),
    }
}

fn unknown_rate(on: Date, rates: &[impl Display]) -> String {
    let rates: Vec<String> = rates.iter().map(ToString::to_string).collect();
    format!("the VAT rates on {on} are {} per cent", rates.join(", "))
}

/// Cause of rejecting a file, as a verb with its object.
const fn unsupported(why: Unsupported) -> &'static str {
    match why {
        Unsupported::Empty => "is empty",
        Unsupported::Binary => "is not a text file",
        Unsupported::Unknown => "is in no known format of bank statements",
        Unsupported::Office => "is a spreadsheet or another office document",
        Unsupported::TooLarge => "is larger than 20 MiB",
        Unsupported::RecordTooLong => "has a line that is too long",
        Unsupported::TooManyLines => "has more than 100,000 bank lines",
        Unsupported::TooManyStatements => "has more than 10,000 statements",
        Unsupported::MalformedXml { .. } => "is incomplete or damaged",
        Unsupported::Doctype => "has a DOCTYPE, which does not belong in a bank statement",
        Unsupported::Entity => "has an entity that does not belong in a bank statement",
        Unsupported::TooDeep => "is nested too deeply",
        Unsupported::MalformedArchive => "is a damaged zip file",
        Unsupported::TooManyFiles => "has more than 200 files",
        Unsupported::UnpackedTooLarge => "becomes too large when it is unpacked",
        Unsupported::NestedArchive => "has another zip file in it",
        Unsupported::Encrypted => "is protected by a password",
    }
}
