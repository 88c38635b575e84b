//! Validation faults: the path of a value, and the reason with its figures. The interfaces supply
//! the texts.

use crate::{numbering::PatternError, oauth::redirect::UriFault};
use bank_files::Unsupported;
use jiff::civil::Date;
use ledger::{
    decimal::Decimal,
    hours::Hours,
    identifiers::{
        BicError, IbanError, KvkNumberError, PeppolIdError, PostalCodeError, VatNumberError,
    },
    money::Cents,
    vat::UnknownVatRate,
};

/// Validation fault of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// RFC 6901 JSON pointer into the payload, such as `/items/2/vatRate`.
    pub path: String,
    /// Reason of the rejection.
    pub reason: Reason,
    /// Place in an uploaded file.
    pub place: Option<Box<FilePlace>>,
}

/// Place in an uploaded file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePlace {
    /// Name of the file in an archive.
    pub file: Option<String>,
    /// Line of the file, from 1.
    pub line: Option<u32>,
}

impl Fault {
    /// Creates a fault at a path.
    pub fn new(path: impl Into<String>, reason: Reason) -> Self {
        Self { path: path.into(), reason, place: None }
    }

    /// Adds the place in an uploaded file.
    #[must_use]
    pub fn at(self, place: FilePlace) -> Self {
        Self { place: (place != FilePlace::default()).then(|| Box::new(place)), ..self }
    }

    /// Name of the field in a form: `items.2.vatRate`.
    #[must_use]
    pub fn field(&self) -> String {
        self.path.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
    }
}

/// Value in a reason, passed as an argument to the text of the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// Amount of money.
    Money(Cents),
    /// Number.
    Number(Decimal),
    /// Whole number.
    Count(i64),
    /// Date.
    Day(Date),
    /// Word or name.
    Text(String),
    /// Words or names.
    Texts(Vec<String>),
    /// Percentages.
    Percents(Vec<Decimal>),
}

/// Conversion of a field of a [`Reason`] into a [`Figure`].
trait IntoFigure {
    fn figure(&self) -> Figure;
    /// Example value, for tests of all reasons.
    fn example() -> Self;
}

/// Name of the cause in the texts of pages.
const fn unsupported(why: Unsupported) -> &'static str {
    match why {
        Unsupported::Empty => "empty",
        Unsupported::Binary => "binary",
        Unsupported::Unknown => "unknown",
        Unsupported::Office => "office",
        Unsupported::TooLarge => "too-large",
        Unsupported::RecordTooLong => "record-too-long",
        Unsupported::TooManyLines => "too-many-lines",
        Unsupported::TooManyStatements => "too-many-statements",
        Unsupported::MalformedXml { .. } => "malformed-xml",
        Unsupported::Doctype => "doctype",
        Unsupported::Entity => "entity",
        Unsupported::TooDeep => "too-deep",
        Unsupported::MalformedArchive => "malformed-archive",
        Unsupported::TooManyFiles => "too-many-files",
        Unsupported::UnpackedTooLarge => "unpacked-too-large",
        Unsupported::NestedArchive => "nested-archive",
        Unsupported::Encrypted => "encrypted",
    }
}

macro_rules! figures {
    ($($kind:ty: $variant:ident($value:ident => $figure:expr), $example:expr;)*) => {
        $(impl IntoFigure for $kind {
            fn figure(&self) -> Figure {
                let $value = self;
                Figure::$variant($figure)
            }

            fn example() -> Self {
                $example
            }
        })*
    };
}

figures! {
    Cents: Money(value => *value), Cents::new(12_345);
    Decimal: Number(value => *value), Decimal::new(125, 1);
    Hours: Number(value => value.to_decimal()), Hours::new(750);
    i64: Count(value => *value), 12;
    usize: Count(value => i64::try_from(*value).unwrap_or(i64::MAX)), 12;
    Date: Day(value => *value), jiff::civil::date(2026, 3, 15);
    String: Text(value => value.clone()), "2026-0001".to_owned();
    &'static str: Text(value => (*value).to_owned()), "standard";
    Vec<String>: Texts(value => value.clone()), vec!["21".to_owned(), "9".to_owned()];
    Vec<&'static str>: Texts(value => value.iter().map(|text| (*text).to_owned()).collect()), vec!["draft", "sent"];
    UriFault: Text(value => value.code().to_owned()), UriFault::TooLong;
    Unsupported: Text(value => unsupported(*value).to_owned()), Unsupported::Unknown;
    Vec<Decimal>: Percents(value => value.clone()), vec![Decimal::from(21), Decimal::from(9)];
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $({ $($figure:ident: $kind:ty),+ })? = $code:literal;)+) => {
        /// Reason for rejecting a value.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Reason {
            $($(#[$doc])+ $variant $({ $(#[doc = stringify!($figure)] $figure: $kind),+ })?,)+
        }

        impl Reason {
            /// Stable code for programs, in `snake_case`.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                }
            }

            /// Name of the variant, such as `ExceedsOutstanding`.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($variant),)+
                }
            }

            /// Figures with their names.
            #[must_use]
            pub fn figures(&self) -> Vec<(&'static str, Figure)> {
                match self {
                    $(Self::$variant $({ $($figure),+ })? => vec![$($((stringify!($figure), $figure.figure())),+)?],)+
                }
            }

            /// One example of every reason, for tests of the texts.
            #[must_use]
            pub fn examples() -> Vec<Self> {
                vec![$(Self::$variant $({ $($figure: IntoFigure::example()),+ })?,)+]
            }
        }
    };
}

reasons! {
    // Any field.
    /// A required value is missing.
    Required = "required";
    /// A required date is missing.
    DateRequired = "required";
    /// The text is empty.
    EmptyText = "required";
    /// A required list is missing, or has too few or too many items.
    ListRequired { least: usize, most: usize } = "required";
    /// The value is not a valid webhook URL.
    NotAWebAddress = "invalid_format";
    /// The webhook's URL does not use HTTPS.
    WebhookNotEncrypted = "invalid_format";
    /// The webhook's URL contains a user name or password.
    WebhookWithUser = "invalid_format";
    /// The host in the webhook's URL is not public.
    WebhookNotPublic = "out_of_range";
    /// Unknown webhook event type.
    UnknownWebhookType { name: String } = "unknown_value";
    /// The account already has the maximum number of webhooks.
    TooManyWebhooks { most: usize } = "too_many";
    /// The account's receipts and invoice documents have reached their storage limit of `most` GiB.
    ReceiptsFull { most: usize } = "too_many";
    /// The account's invoice documents have reached their storage limit of `most` GiB.
    DocumentsFull { most: usize } = "too_many";
    /// The account already has the maximum number of API keys.
    TooManyKeys { most: usize } = "too_many";
    /// Another webhook has the same URL and event types.
    WebhookTaken { webhook: i64 } = "taken";
    /// The list is too short.
    TooFew { least: usize } = "required";
    /// The list or set is too long.
    TooMany { most: usize, given: usize } = "too_many";
    /// The value is not an object.
    NotAnObject = "invalid_type";
    /// The value is not a list.
    NotAList = "invalid_type";
    /// The value is not a string.
    NotAText = "invalid_type";
    /// The value is not a string, so it cannot be a date.
    NotADate = "invalid_type";
    /// The value is not a string, so it cannot be a country code.
    NotACountry = "invalid_type";
    /// The value is not a number.
    NotANumber = "invalid_type";
    /// The value is not a whole number.
    NotAWholeNumber = "invalid_type";
    /// The value is not a boolean.
    NotAFlag = "invalid_type";
    /// The value is not a number of hours.
    NotHours = "invalid_type";
    /// The text contains control characters, or characters that change the text direction.
    ControlCharacters = "invalid_format";
    /// The text has too many characters.
    TooLong { most: usize } = "too_long";
    /// The text has too many line breaks.
    TooManyLineBreaks { most: usize } = "too_long";
    /// The value is not one of the known values.
    UnknownValue { known: Vec<&'static str> } = "unknown_value";
    /// Unknown field.
    UnknownField { name: String } = "unknown_field";
    /// The text is not a date in the years 2000 to 2099.
    InvalidDate = "invalid_date";
    /// The text is not a VAT period such as `2026-05`, `2026-Q1` or `2026`.
    NotAPeriod = "invalid_format";
    /// Unknown country code.
    UnknownCountry = "unknown_value";
    /// The number has too many decimals.
    TooManyDecimals { most: usize } = "too_many";
    /// The number is too small or too large.
    OutOfRange { least: Decimal, most: Decimal } = "out_of_range";
    /// The whole number is too small or too large.
    WholeOutOfRange { least: i64, most: i64 } = "out_of_range";
    /// The amount is not positive, or is too large.
    AmountOutOfRange { most: Cents } = "out_of_range";
    /// The amount is zero, or its absolute value is too large.
    AmountIsNothing { most: Cents } = "out_of_range";
    /// The amount is negative, or is too large.
    NegativeAmount = "out_of_range";
    /// The hours are not positive, or exceed a day.
    HoursOutOfRange = "out_of_range";

    // Names, addresses and external identifiers.
    /// A required name is missing.
    NameRequired { most: usize } = "required";
    /// The text is not a valid name: empty, too long, or more than one line.
    InvalidName { most: usize } = "invalid_format";
    /// The text is not an email address.
    InvalidEmail = "invalid_format";
    /// Not every mail server accepts the local part of the email address.
    EmailLocalPart = "invalid_format";
    /// The domain of the email address is not a public host name.
    EmailDomain = "invalid_format";
    /// The customer has no email address to send to.
    CustomerHasNoEmail { customer: String } = "required";
    /// The new email address equals the current one.
    EmailUnchanged = "unknown_value";
    /// The VAT number does not start with the prefix of an EU country.
    VatNumberPrefix = "invalid_format";
    /// The VAT number does not have the format of its country.
    VatNumberForm = "invalid_format";
    /// The check digits of the VAT number are wrong.
    VatNumberCheckDigits = "invalid_format";
    /// The VAT number of an account in the Netherlands is not Dutch.
    VatNumberNotDutch = "invalid_format";
    /// The text is not a KvK number (Dutch chamber of commerce).
    InvalidKvkNumber = "invalid_format";
    /// The text does not have the format of an IBAN.
    IbanForm = "invalid_format";
    /// The country of the IBAN does not use IBANs.
    IbanCountry = "invalid_format";
    /// The IBAN is too short or too long.
    IbanLength { expected: usize } = "invalid_format";
    /// The check digits of the IBAN are wrong.
    IbanCheckDigits = "invalid_format";
    /// The text is not a BIC.
    InvalidBic = "invalid_format";
    /// The text is not a Dutch postal code.
    InvalidPostalCode = "invalid_format";
    /// The country can no longer be changed.
    CountryFixed = "out_of_range";
    /// The number pattern lacks the year or the number.
    PatternIncomplete = "invalid_format";
    /// The number pattern has an unknown placeholder.
    PatternUnknownPart = "invalid_format";
    /// The number pattern has a character that is not allowed.
    PatternUnknownCharacter = "invalid_format";
    /// The number pattern has a digit next to the placeholder of the number.
    PatternDigitBesideNumber = "invalid_format";
    /// The number pattern is too long.
    PatternTooLong = "invalid_format";
    /// The password is too short.
    PasswordTooShort { least: usize } = "out_of_range";
    /// The password is too long.
    PasswordTooLong { most: usize } = "out_of_range";
    /// The password is among the most common ones.
    PasswordCommon = "too_common";
    /// The password is the owner's name or email address, or a part of them.
    PasswordPersonal = "too_common";

    /// The text is not a telephone number.
    InvalidPhone = "invalid_format";
    /// The text is not the address of a website with https.
    InvalidWebsite = "invalid_format";
    /// The BIC is of another country than the IBAN.
    BicOfOtherCountry { country: String } = "invalid_format";
    /// The text is not an electronic address of Peppol.
    PeppolForm = "invalid_format";
    /// The scheme of the electronic address is not in the EAS list.
    PeppolScheme = "unknown_value";
    /// The value of the electronic address is not one of its scheme.
    PeppolValue = "invalid_format";

    // Sales.
    /// A consumer has a VAT number.
    ConsumerWithVatNumber = "conflicting_fields";
    /// The email address is not the first one for invoices.
    EmailNotFirst = "conflicting_fields";
    /// An email address has no use.
    EmailWithoutUse = "required";
    /// No contact has the external id, and no name is given to create one.
    CustomerUnknown { external_id: String } = "required";
    /// The customer has no name.
    CustomerNameRequired = "required";
    /// Both a due date and a payment term are given.
    DueTwice = "unknown_value";
    /// The due date is before the invoice date.
    DueBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// The last day on which a quote is valid is before its date.
    ValidBeforeQuote { quote_date: Date } = "out_of_range";
    /// Both a percentage and an amount of a prepayment are given, or one for another part.
    PercentAndAmount = "conflicting_fields";
    /// Both a percentage and an amount of a discount are given.
    DiscountTwice = "conflicting_fields";
    /// A line of a credit note names a line of the invoice, and states another value than that line.
    InvoiceItemDiffers = "conflicting_fields";
    /// A prepayment needs a percentage or an amount.
    PrepaymentPercentRequired = "required";
    /// The prepayments exceed the quote, of which `most` is left.
    BeyondQuote { most: Cents } = "out_of_range";
    /// The first day of a recurring invoice is in the past.
    FirstDatePast { today: Date } = "out_of_range";
    /// The last day of a recurring invoice is before its first.
    LastBeforeFirst { first_date: Date } = "out_of_range";
    /// The last day of the month is asked for with a rhythm of weeks.
    LastDayOfWeeks = "conflicting_fields";
    /// The due date would be after the last supported year.
    DueTooLate { days: i64, invoice_date: Date } = "out_of_range";
    /// The rate is not a Dutch VAT rate on that date.
    UnknownVatRate { on: Date, rates: Vec<Decimal> } = "unknown_vat_rate";
    /// The rate is not a VAT rate of the country on that date.
    RateOfCountry { country: String, on: Date, rates: Vec<Decimal> } = "unknown_vat_rate";
    /// A customer with a VAT number cannot be charged the VAT of another country.
    OssWithVatNumber = "conflicting_fields";
    /// The tax country does not fit the category.
    TaxCountryOfOther = "conflicting_fields";
    /// The tax country is not another member state.
    TaxCountryUnknown = "unknown_value";
    /// The tax country is missing, and does not follow from the customer.
    TaxCountryRequired = "required";
    /// The threshold of the Union scheme was not passed on the given date but on `date`.
    OssPassedOn { date: Date } = "out_of_range";
    /// The threshold of the Union scheme was not passed.
    OssNotPassed = "out_of_range";
    /// The registration for the Union scheme ends too early.
    OssEndsTooEarly { earliest: Date } = "out_of_range";
    /// A registration for the Union scheme (OSS) begins before the scheme did.
    OssTooEarly { earliest: Date } = "out_of_range";
    /// The tax office designated the business after the first day of cash accounting.
    DesignatedLater { from: Date } = "out_of_range";
    /// A VAT payment names both a VAT period and a quarter of the Union scheme.
    VatAndOssPeriod = "conflicting_fields";
    /// The period of the Union scheme is not a calendar quarter.
    NotAQuarter = "invalid_format";
    /// A zero rate needs a category other than standard.
    CategoryOfZeroRate { known: Vec<&'static str> } = "unknown_value";
    /// A rate above zero requires the category standard.
    CategoryOfRate = "unknown_value";
    /// The amount of the line is too large.
    LineOutOfRange = "out_of_range";
    /// The total of the document is too large.
    TotalOutOfRange = "out_of_range";
    /// The lines at a rate add up to less than zero, although VAT is charged at that rate or a
    /// prepayment is set off.
    NegativeVatGroup { rate: Decimal } = "negative_vat_group";
    /// The last day of supply is given without the first.
    SupplyDateRequired = "required";
    /// The last day of supply is before the first.
    SupplyUntilBefore { supply_date: Date } = "out_of_range";
    /// An exemption is given for a line that is not exempt.
    ExemptionOfOther = "unknown_value";
    /// The small businesses scheme is given as the exemption although it does not apply.
    ExemptionOfKor = "unknown_value";
    /// The supply passes the limit of the small businesses scheme, so VAT is due on it.
    KorLimitPassed { threshold: Cents, counted: Cents } = "kor_limit_passed";
    /// The small businesses scheme may not begin before `until`.
    KorBarred { until: Date } = "kor_barred";
    /// The notice to the tax office is less than four weeks before the scheme begins.
    KorNotice { latest: Date } = "out_of_range";
    /// A VAT scheme must begin on the first day of a VAT period.
    NotFirstOfPeriod { first: Date } = "out_of_range";
    /// A ground for cash accounting is given without cash accounting.
    OnlyWithCash = "conflicting_fields";
    /// A day of designation is given for another ground.
    DayOfDesignation = "conflicting_fields";
    /// The limit of the small businesses scheme was not passed on the given date but on `date`.
    KorPassedOn { date: Date } = "out_of_range";
    /// The limit of the small businesses scheme was not passed.
    KorNotPassed = "out_of_range";
    /// The small businesses scheme applies, so no VAT is charged.
    KorApplies { since: Date } = "kor_applies";
    /// The small businesses scheme applies, so no VAT is due on private use.
    KorPrivateUse { since: Date } = "kor_applies";
    /// A change to or from annual VAT returns must take effect on 1 January.
    NotFirstOfYear { first: Date } = "out_of_range";
    /// Because of this change, a later change of VAT unit would no longer fall on the first day of
    /// a period.
    LaterUnitChange { from: Date } = "out_of_range";
    /// A VAT scheme must begin on the first day of a quarter.
    NotFirstOfQuarter { first: Date } = "out_of_range";
    /// The year already has numbered invoices, so its next number is fixed.
    NumbersBegun { year: i64 } = "out_of_range";
    /// The VAT number of a customer in another member state cannot be Dutch.
    VatNumberDutch = "unknown_value";
    /// The invoice has no supply to another member state.
    NoEuSupply = "unknown_value";
    /// A triangular supply must be intra-Community.
    TriangularNotEu = "unknown_value";
    /// The total of the invoice is negative, or the total of the credit note is positive.
    NegativeTotal = "out_of_range";
    /// The invoice has nothing outstanding.
    NothingOutstanding { invoice: String } = "exceeds_outstanding";
    /// The invoice has nothing outstanding, and no amount to keep for the customer is given.
    KeptAmountRequired { invoice: String } = "exceeds_outstanding";
    /// The invoice has nothing left to write off.
    NothingToWriteOff { invoice: String } = "exceeds_outstanding";
    /// The invoice has nothing due, so there is nothing to remind of.
    NothingToRemindOf { invoice: String } = "exceeds_outstanding";
    /// The law prescribes the text of the letter to a consumer.
    FixedText = "fixed_text";
    /// The days of the steps do not ascend.
    StepsNotAscending = "out_of_range";
    /// The invoice is not overdue yet.
    NotLate { invoice: String, due_date: Date } = "out_of_range";
    /// The logo has too many bytes.
    LogoTooLarge = "out_of_range";
    /// The logo has too many pixels.
    LogoTooManyPixels = "out_of_range";
    /// The logo is neither PNG nor JPEG.
    LogoWrongFormat = "invalid_format";
    /// The image of the logo cannot be decoded.
    LogoDamaged = "invalid_format";
    /// The text is not a colour such as `#115e59`.
    InvalidColour = "invalid_format";
    /// The payment exceeds the outstanding amount.
    ExceedsOutstanding { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The payment exceeds the outstanding amount, without an instruction to keep the rest for the
    /// customer.
    Overpaid { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The refund exceeds the amount to refund.
    ExceedsRefund { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The reversal is dated before the original.
    UndoneBefore { date: Date } = "out_of_range";
    /// The write-off is dated before its invoice.
    WrittenOffBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// The total of an open item is below its open amount.
    TotalBelowOpen { least: Cents } = "out_of_range";
    /// An open bill has a field that only an open invoice can have.
    OnlyReceivable = "conflicting_fields";
    /// A private booking of another kind than a premium has a kind of premium.
    OnlyPremium = "conflicting_fields";
    /// The bases and VAT of an open item do not add up to its total.
    VatNotTheTotal { total: Cents, vat: Cents } = "out_of_range";
    /// A line of a credit note has both an amount and a quantity or price.
    AmountAndPrice = "conflicting_fields";
    /// A VAT rate of an open item is given twice.
    RateTwice { rate: Decimal } = "conflicting_fields";
    /// Part of the amount written off was recovered.
    WriteOffRecovered { recovered: Cents } = "exceeds_outstanding";
    /// The customer has no sent prepayment invoice with this id.
    UnknownPrepayment { id: i64 } = "unknown_value";
    /// The prepayment invoice has nothing left to set off.
    PrepaymentUsed { invoice: String } = "exceeds_outstanding";
    /// A prepayment invoice cannot set off another.
    PrepaymentSetsOff = "unknown_value";
    /// The payout has neither an amount nor a fee.
    EmptyPayout = "out_of_range";
    /// The VAT on the provider's fee exceeds the fee.
    FeeVatExceedsFee { fee: Cents } = "out_of_range";
    /// VAT on the provider's fee is given, although the fee is charged without VAT.
    FeeVatNotCharged = "unknown_value";
    /// The clock of a test account cannot be set back.
    ClockBack { now: String } = "out_of_range";
    /// The clock of the test account is set too far ahead.
    ClockTooFar { latest: String } = "out_of_range";
    /// The text is not a timestamp.
    InvalidMoment = "invalid_date";
    /// The date of the payment is in the future.
    PaymentTooLate { latest: Date } = "out_of_range";
    /// The date of the reversal is in the future.
    UndoneTooLate { latest: Date } = "out_of_range";
    /// The credit note is dated before the invoice that it credits.
    CreditBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// The credited amount exceeds the remainder of the invoice.
    CreditExceeds { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The invoice has no line with that rate and category.
    CreditRateUnknown { rate: Decimal, category: &'static str, known: Vec<String> } = "unknown_value";
    /// The amount credited at a rate exceeds the invoice's remainder at that rate, excluding VAT.
    CreditExceedsRate { rate: Decimal, category: &'static str, asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The amount credited at a rate exceeds the invoice's remainder at that rate, including VAT;
    /// for invoices with prices including VAT.
    CreditExceedsGross { rate: Decimal, category: &'static str, asked: Cents, remaining: Cents } = "exceeds_outstanding";

    // Articles.
    /// No article has the id or the number.
    UnknownArticle = "unknown_article";
    /// A line names an article both by its id and by its number.
    ArticleTwice = "conflicting_fields";
    /// Another article has the number.
    ArticleNumberTaken { number: String } = "taken";
    /// The account has the maximum number of articles.
    TooManyArticles { most: usize } = "too_many";

    // Hours.
    /// The hours of the day would exceed 24.
    DayTooLong { date: Date, written: Hours, hours: Hours } = "out_of_range";
    /// Unknown project.
    UnknownProject { id: i64 } = "unknown_project";
    /// Unknown contact.
    UnknownContact = "unknown_contact";
    /// A contact cannot be merged into itself.
    SameContact = "unknown_contact";
    /// The contact was already merged into another.
    ContactMerged = "unknown_contact";
    /// The external id in the body differs from the one in the path.
    ExternalIdDiffers = "unknown_value";
    /// Another resource of the same kind has the external id.
    ExternalIdTaken = "taken";
    /// The project has no customer to invoice.
    ProjectWithoutCustomer = "required";
    /// The project has no hourly rate to invoice at.
    ProjectWithoutRate = "required";
    /// The hours of the day are spread over several entries or have been invoiced, so their sum
    /// cannot be reduced.
    HoursInParts = "out_of_range";
    /// The timer ran for more than 24 hours.
    TimerTooLong { hours: Hours } = "out_of_range";

    // Purchases.
    /// The sum of VAT and net amount is too large.
    PurchaseOutOfRange = "out_of_range";
    /// The account is not a cost account for purchases.
    NotACostAccount = "unknown_value";
    /// A VAT amount is given, but the VAT treatment does not use the VAT printed on the document.
    VatNotPrinted = "unknown_value";
    /// The VAT and the amount have opposite signs.
    VatOfOtherSign = "out_of_range";
    /// The VAT exceeds the amount.
    VatExceedsAmount { most: Cents } = "out_of_range";
    /// The VAT exceeds the value times the high rate.
    VatAboveHighRate { most: Cents } = "out_of_range";
    /// The line has no amount, or the trip no cost.
    NothingBought = "out_of_range";
    /// The absolute value of the amount is too large.
    SignedAmountOutOfRange { most: Cents } = "out_of_range";
    /// The share is not a percentage from 0 to 100 with at most two decimals.
    ShareOutOfRange = "out_of_range";
    /// Unknown receipt.
    UnknownReceipt { id: i64 } = "unknown_receipt";
    /// The expense has payments, so `paidFrom` must stay empty and the total must be at least
    /// `paid`.
    AlreadyPaid { paid: Cents } = "out_of_range";
    /// VAT on the bill was repaid, so an edit may neither change the bill's amounts nor move its
    /// date to a later day.
    VatRepaid { vat: Cents } = "out_of_range";
    /// The bill has nothing outstanding.
    BillSettled = "exceeds_outstanding";
    /// The date is before the date of the bill.
    BeforeBill { date: Date } = "out_of_range";
    /// The bill has no VAT to repay.
    NoVatToRepay = "exceeds_outstanding";
    /// The VAT deducted on the asset needs no adjustment in the year.
    NoVatToRevise { year: String } = "exceeds_outstanding";
    /// The account is not an asset account.
    NotAnAssetAccount = "unknown_value";
    /// The residual value is negative or exceeds the cost.
    ResidualOutOfRange { cost: Cents } = "out_of_range";
    /// The earlier depreciation is negative or exceeds the depreciable amount.
    DepreciatedOutOfRange { most: Cents } = "out_of_range";
    /// The asset should be in the opening balance, but the books have none.
    NoOpeningBalance = "out_of_range";
    /// The asset was bought after the date of the opening balance.
    AfterOpeningBalance { date: Date } = "out_of_range";
    /// The depreciation of all assets would be booked after the end of next year.
    DepreciationTooLate { latest: Date } = "out_of_range";
    /// The date is before the purchase of the asset, or before its latest depreciation.
    BeforePurchase { date: Date } = "out_of_range";
    /// The mileage rate of the year is unknown.
    NoMileageRate { year: String } = "out_of_range";
    /// The file is empty.
    FileEmpty = "unsupported_file";
    /// The file is too large.
    FileTooLarge = "too_long";
    /// The file is a HEIC image.
    FileHeic = "unsupported_file";
    /// The file type is not supported.
    FileOfOtherKind = "unsupported_file";
    /// The image has too many pixels.
    FileTooManyPixels = "out_of_range";
    /// The image cannot be decoded.
    FileDamaged = "unsupported_file";

    // Journal entries and transfers.
    /// The ledger account is unknown, or cannot be used here.
    UnknownAccount = "unknown_value";
    /// Another ledger account has the code.
    AccountTaken = "taken";
    /// The code of the new ledger account is reserved for an account with a fixed function.
    ReservedAccount = "reserved_account";
    /// The code of the new ledger account begins with a digit of another class.
    OtherDigit { digits: &'static str } = "out_of_range";
    /// The list of RGS codes for sole traders does not have the code.
    UnknownRgsCode = "unknown_rgs_code";
    /// The books have the maximum number of own ledger accounts.
    TooManyAccounts { most: usize } = "too_many";
    /// The text is not a code of four digits.
    NotAnAccountCode = "invalid_format";
    /// The ledger account is reserved for the program.
    KeptByProgram { account: String } = "kept_by_program";
    /// The line must have either a debit or a credit amount.
    OneSideOnly = "required";
    /// Debit and credit differ.
    Unbalanced { debit: Cents, credit: Cents } = "unbalanced";
    /// The two accounts of the transfer are the same.
    SameAccount = "unknown_value";
    /// The date is too early; `day` is the earliest.
    DayBefore { day: Date } = "out_of_range";
    /// The date is before the opening balance.
    BeforeOpening { opening: Date } = "out_of_range";
    /// The date of the opening balance is in the future.
    OpeningTooLate { latest: Date } = "out_of_range";
    /// The books have an entry before the opening balance.
    BookedBeforeOpening { first: Date } = "out_of_range";
    /// The date must be after `day`.
    DayNotAfter { day: Date } = "out_of_range";
    /// The repayment exceeds the balance of the loan.
    ExceedsLoan { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The balance of the account is the sum of the open items, so it cannot be entered.
    FromOpenItems { account: String } = "kept_by_program";
    /// Another invoice has the number.
    NumberTaken { number: String } = "taken";
    /// The list contains the supplier's bill twice.
    BillTwice { number: String } = "taken";
    /// The series of new invoices will reach this number in that year.
    NumberOfSeries { number: String, year: String } = "taken";
    /// The date is after the opening balance.
    AfterOpening { opening: Date } = "out_of_range";
    /// The balance of a liability, or of accumulated depreciation, has the sign of an asset.
    BalanceOfOtherSide { account: String } = "out_of_range";
    /// The list contains an account twice.
    AccountTwice { account: String } = "unknown_value";

    // Bank accounts.
    /// The code or id belongs to no bank account that can be used here.
    UnknownBankAccount = "unknown_value";
    /// Another bank account in use has the name.
    BankNameTaken { name: String } = "taken";
    /// Another bank account has the IBAN.
    IbanTaken { iban: String } = "taken";
    /// Cash has no IBAN.
    CashWithoutIban = "unknown_value";
    /// The kind has the maximum number of bank accounts.
    TooManyBankAccounts { most: usize } = "too_many";
    /// The text has fewer characters than an identifier of a bank account, or more.
    IdentifierLength { least: usize, most: usize } = "invalid_format";

    // Bank statements.
    /// The file is in no format that is read, or breaks its rules.
    UnsupportedFile { why: Unsupported } = "unsupported_file";
    /// The file has no statement.
    NoStatement = "no_statement";
    /// The file has another format, without statements.
    NoStatementButOther { format: &'static str } = "no_statement";
    /// No known bank writes values with delimiters in this way.
    UnknownCsv = "unknown_csv";
    /// The account is in another currency than the euro.
    UnsupportedCurrency { account: String, currency: String, count: usize } = "unsupported_currency";
    /// The lines do not add up to the balance of a day.
    BalanceMismatch { day: Date, difference: Cents } = "balance_mismatch";
    /// The lines do not add up to the closing balance.
    BalanceMismatchAtEnd { difference: Cents } = "balance_mismatch";
    /// No bank account is called by the name in the file.
    UnknownAccountInFile { account: String } = "unknown_bank_account";
    /// The file names no account, and the caller neither.
    NoAccountInFile = "required";
    /// The file names another account than the caller.
    OtherAccountInFile { account: String } = "bank_account_mismatch";
    /// The mapping of the file names another account than the caller.
    OtherAccountInMapping { name: String } = "bank_account_mismatch";
    /// The account has no such mapping.
    UnknownMapping = "unknown_value";
    /// The account has the maximum number of mappings.
    TooManyMappings { most: usize } = "too_many";
    /// The text is not a form of dates with a day, a month and a year.
    NotADateFormat = "invalid_format";
    /// A number or the name of a column is expected.
    NotAColumn = "invalid_type";
    /// The columns are those of an amount, and those of two amounts.
    AmountColumns = "unknown_value";
    /// No word says that money goes out.
    OutWordsRequired = "required";
    /// A value is missing in the file.
    FileValueRequired { field: &'static str } = "required";
    /// A value in the file cannot be read.
    FileValueInvalid { field: &'static str, value: String } = "invalid_format";
    /// An amount in the file has more than two decimals.
    FileValueTooFine { field: &'static str, value: String } = "too_many_decimals";
    /// A day or an amount in the file is out of range.
    FileValueOutOfRange { field: &'static str, value: String } = "out_of_range";
    /// A code in the file is unknown.
    FileValueUnknown { field: &'static str, value: String } = "unknown_value";
    /// The allocations do not add up to the amount of the line.
    LineUnbalanced { missing: Cents } = "unbalanced";
    /// The kind is for money in the other direction.
    OtherDirection { direction: &'static str } = "unknown_value";
    /// The line is not the other half of the transfer.
    OtherHalfUnfit = "unknown_value";
    /// The line has no such suggestion.
    UnknownSuggestion = "unknown_value";
    /// The text is not the id of a suggestion.
    NotASuggestion = "invalid_format";
    /// The rule has no condition by which a line is recognized.
    RuleWithoutCondition = "required";
    /// The account has the maximum number of rules.
    TooManyRules { most: usize } = "too_many";
    /// A rule books an expense with one item that takes the whole amount.
    NotRepeatable = "unknown_value";
    /// The maximum is below the minimum.
    MostBelowLeast { least: Cents } = "out_of_range";
    /// The books have no such entry.
    UnknownEntry = "unknown_value";
    /// The entry has no posting on the bank account of the line.
    EntryOfOtherBankAccount = "wrong_bank_account";
    /// The entry moves another amount, or is reversed.
    EntryOfOtherAmount { amount: Cents } = "not_this_amount";
    /// The entry opens the books, which no single payment of the bank does.
    EntryOfOpeningBalance = "not_this_amount";
    /// The entry belongs to a line.
    EntryLinked = "already_linked";
    /// The account has no such invoice.
    UnknownInvoice = "unknown_value";
    /// The account has no such loan, or it is undone.
    UnknownLoan = "unknown_value";
    /// The bank account is archived.
    BankAccountArchived { code: String } = "unknown_value";
    /// The amount that left the payment provider is above the limit.
    PayoutTooLarge { most: Cents } = "out_of_range";
    /// The id belongs to no checking account that is in use.
    NoCheckingAccount = "unknown_value";
    /// The bank account has no IBAN.
    BankAccountWithoutIban = "required";
    /// The name of the account has no letter that a payment file can write.
    PayerWithoutName = "required";
    /// The date is too late; `day` is the latest.
    DayAfter { day: Date } = "out_of_range";
    /// The account has no such expense.
    UnknownExpense = "unknown_value";
    /// The expense is undone.
    BillUndone = "already_undone";
    /// The expense is a credit note of the supplier.
    CreditNoteNotPayable = "is_a_credit_note";
    /// Neither the bill nor its contact has an IBAN to pay to.
    NoPayee = "no_payee";
    /// The batch contains the bill twice.
    BillInBatchTwice = "taken";
    /// The day is before 2000 or more than 7 days ahead.
    LineDay { first: Date, last: Date } = "out_of_range";

    // Access.
    /// No scope is selected.
    ScopeRequired = "required";
    /// The redirect URI cannot be registered.
    RedirectUri { uri: String, why: UriFault } = "invalid_format";
    /// The id or secret contains invalid characters.
    InvalidCredential = "invalid_format";
    /// Another application has the id.
    ClientIdTaken = "taken";
}

impl From<documents::receipt::ReceiptError> for Reason {
    fn from(error: documents::receipt::ReceiptError) -> Self {
        use documents::receipt::ReceiptError;
        match error {
            ReceiptError::Empty => Self::FileEmpty,
            ReceiptError::TooManyBytes => Self::FileTooLarge,
            ReceiptError::Heic => Self::FileHeic,
            ReceiptError::WrongFormat => Self::FileOfOtherKind,
            ReceiptError::TooManyPixels => Self::FileTooManyPixels,
            ReceiptError::Damaged => Self::FileDamaged,
        }
    }
}

impl From<UnknownVatRate> for Reason {
    fn from(unknown: UnknownVatRate) -> Self {
        Self::UnknownVatRate {
            on: unknown.on,
            rates: unknown.valid.iter().map(|rate| rate.percent()).collect(),
        }
    }
}

impl From<VatNumberError> for Reason {
    fn from(error: VatNumberError) -> Self {
        match error {
            VatNumberError::UnknownPrefix => Self::VatNumberPrefix,
            VatNumberError::WrongForm => Self::VatNumberForm,
            VatNumberError::WrongCheckDigits => Self::VatNumberCheckDigits,
        }
    }
}

impl From<PeppolIdError> for Reason {
    fn from(error: PeppolIdError) -> Self {
        match error {
            PeppolIdError::WrongForm => Self::PeppolForm,
            PeppolIdError::UnknownScheme => Self::PeppolScheme,
            PeppolIdError::WrongValue => Self::PeppolValue,
        }
    }
}

impl From<KvkNumberError> for Reason {
    fn from(_: KvkNumberError) -> Self {
        Self::InvalidKvkNumber
    }
}

impl From<IbanError> for Reason {
    fn from(error: IbanError) -> Self {
        match error {
            IbanError::WrongForm => Self::IbanForm,
            IbanError::UnknownCountry => Self::IbanCountry,
            IbanError::WrongLength { expected } => Self::IbanLength { expected },
            IbanError::WrongCheckDigits => Self::IbanCheckDigits,
        }
    }
}

impl From<BicError> for Reason {
    fn from(_: BicError) -> Self {
        Self::InvalidBic
    }
}

impl From<PostalCodeError> for Reason {
    fn from(_: PostalCodeError) -> Self {
        Self::InvalidPostalCode
    }
}

impl From<PatternError> for Reason {
    fn from(error: PatternError) -> Self {
        match error {
            PatternError::Incomplete => Self::PatternIncomplete,
            PatternError::UnknownPart => Self::PatternUnknownPart,
            PatternError::UnknownCharacter => Self::PatternUnknownCharacter,
            PatternError::DigitBesideNumber => Self::PatternDigitBesideNumber,
            PatternError::TooLong => Self::PatternTooLong,
        }
    }
}
