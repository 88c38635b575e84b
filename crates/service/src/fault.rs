//! What is wrong with a value: where it stands and why, with the figures in it. The words are found where it is shown.

use crate::{numbering::PatternError, oauth::redirect::UriFault};
use jiff::civil::Date;
use ledger::{
    decimal::Decimal,
    hours::Hours,
    identifiers::{IbanError, KvkNumberError, PostalCodeError, VatNumberError},
    money::Cents,
    vat::UnknownVatRate,
};

/// One fault in what was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where: an RFC 6901 JSON pointer into the payload, such as `/items/2/vatRate`.
    pub path: String,
    /// Why it cannot be used.
    pub reason: Reason,
}

impl Fault {
    /// A fault at a place.
    pub fn new(path: impl Into<String>, reason: Reason) -> Self {
        Self { path: path.into(), reason }
    }

    /// The name of the field in a form: `items.2.vatRate`.
    #[must_use]
    pub fn field(&self) -> String {
        self.path.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
    }
}

/// A figure in a reason, for the text that tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// An amount of euros.
    Money(Cents),
    /// A number.
    Number(Decimal),
    /// A whole number.
    Count(i64),
    /// A day.
    Day(Date),
    /// A word or a name.
    Text(String),
    /// Several words or names.
    Texts(Vec<String>),
    /// Several percentages.
    Percents(Vec<Decimal>),
}

/// What can stand in a reason.
trait IntoFigure {
    fn figure(&self) -> Figure;
    /// Some value, for tests that go through all reasons.
    fn example() -> Self;
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
    Vec<Decimal>: Percents(value => value.clone()), vec![Decimal::from(21), Decimal::from(9)];
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $({ $($figure:ident: $kind:ty),+ })? = $code:literal;)+) => {
        /// Why a value cannot be used.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Reason {
            $($(#[$doc])+ $variant $({ $(#[doc = stringify!($figure)] $figure: $kind),+ })?,)+
        }

        impl Reason {
            /// The kind of fault for programs: stable, `snake_case`.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                }
            }

            /// The reason by its name, such as `ExceedsOutstanding`.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($variant),)+
                }
            }

            /// The figures by their names.
            #[must_use]
            pub fn figures(&self) -> Vec<(&'static str, Figure)> {
                match self {
                    $(Self::$variant $({ $($figure),+ })? => vec![$($((stringify!($figure), $figure.figure())),+)?],)+
                }
            }

            /// One of every reason: for tests that ask a text of each.
            #[must_use]
            pub fn examples() -> Vec<Self> {
                vec![$(Self::$variant $({ $($figure: IntoFigure::example()),+ })?,)+]
            }
        }
    };
}

reasons! {
    // What any field can have.
    /// Nothing is there where something is needed.
    Required = "required";
    /// Nothing is there where a day is needed.
    DateRequired = "required";
    /// A text is there, but it is empty.
    EmptyText = "required";
    /// A list is needed.
    ListRequired { least: usize, most: usize } = "required";
    /// The value is not a web address.
    NotAWebAddress = "invalid_format";
    /// A webhook's address is not encrypted.
    WebhookNotEncrypted = "invalid_format";
    /// A webhook's address holds a user's name or password.
    WebhookWithUser = "invalid_format";
    /// A webhook's address is not public.
    WebhookNotPublic = "out_of_range";
    /// Webhooks report nothing that is called so.
    UnknownWebhookType { name: String } = "unknown_value";
    /// The account has as many webhooks as it can have.
    TooManyWebhooks { most: usize } = "too_many";
    /// The account has handed in as many bytes of receipts as it can have.
    ReceiptsFull { most: usize } = "too_many";
    /// The documents of the account's invoices take as many bytes as they can.
    DocumentsFull { most: usize } = "too_many";
    /// The account has as many API keys as it can have.
    TooManyKeys { most: usize } = "too_many";
    /// Another webhook gets the same at the same address already.
    WebhookTaken { webhook: i64 } = "taken";
    /// The list is too short.
    TooFew { least: usize } = "required";
    /// A list or a set is too long.
    TooMany { most: usize, given: usize } = "too_many";
    /// The value is not an object.
    NotAnObject = "invalid_type";
    /// The value is not a list.
    NotAList = "invalid_type";
    /// The value is not a text.
    NotAText = "invalid_type";
    /// The value is not a text that could be a day.
    NotADate = "invalid_type";
    /// The value is not a text that could be a country.
    NotACountry = "invalid_type";
    /// The value is not a number.
    NotANumber = "invalid_type";
    /// The value is not a whole number.
    NotAWholeNumber = "invalid_type";
    /// The value is not true or false.
    NotAFlag = "invalid_type";
    /// The value is not a time worked.
    NotHours = "invalid_type";
    /// Control characters in a text.
    ControlCharacters = "invalid_format";
    /// The text has too many characters.
    TooLong { most: usize } = "too_long";
    /// The text has too many line breaks.
    TooManyLineBreaks { most: usize } = "too_long";
    /// The value is none of those that there are.
    UnknownValue { known: Vec<&'static str> } = "unknown_value";
    /// Nobody knows the field.
    UnknownField { name: String } = "unknown_field";
    /// The text is no day in the years 2000 to 2099.
    InvalidDate = "invalid_date";
    /// The text is no quarter such as `2026-Q1`.
    NotAQuarter = "invalid_format";
    /// The code is of no country.
    UnknownCountry = "unknown_value";
    /// More decimals than are kept.
    TooManyDecimals { most: usize } = "too_many";
    /// The number is too small or too large.
    OutOfRange { least: Decimal, most: Decimal } = "out_of_range";
    /// The whole number is too small or too large.
    WholeOutOfRange { least: i64, most: i64 } = "out_of_range";
    /// The amount is not above nought, or is too large.
    AmountOutOfRange { most: Cents } = "out_of_range";
    /// The amount is nought, or is too large on either side of it.
    AmountIsNothing { most: Cents } = "out_of_range";
    /// The amount is below nought, or is too large.
    NegativeAmount = "out_of_range";
    /// Hours are not above nought, or more than a day has.
    HoursOutOfRange = "out_of_range";

    // Names, addresses and numbers that others give out.
    /// A name is needed.
    NameRequired { most: usize } = "required";
    /// The text cannot be a name: empty, too long, or of several lines.
    InvalidName { most: usize } = "invalid_format";
    /// The text is not an e-mail address.
    InvalidEmail = "invalid_format";
    /// Not every mail server accepts the part of the e-mail address before the @.
    EmailLocalPart = "invalid_format";
    /// What stands after the @ of an e-mail address is no host name of the internet.
    EmailDomain = "invalid_format";
    /// A mail goes to the customer, of whom no e-mail address is known.
    CustomerHasNoEmail { customer: String } = "required";
    /// It is the e-mail address that the account has.
    EmailUnchanged = "unknown_value";
    /// A VAT number does not begin with the prefix of an EU country.
    VatNumberPrefix = "invalid_format";
    /// A VAT number does not have the form of its country.
    VatNumberForm = "invalid_format";
    /// The digits of a VAT number do not fit together.
    VatNumberCheckDigits = "invalid_format";
    /// The VAT number of an account in the Netherlands is not Dutch.
    VatNumberNotDutch = "invalid_format";
    /// The text is not a number of the Dutch chamber of commerce.
    InvalidKvkNumber = "invalid_format";
    /// An IBAN does not have the form of one.
    IbanForm = "invalid_format";
    /// An IBAN of a country that has none.
    IbanCountry = "invalid_format";
    /// An IBAN is too short or too long.
    IbanLength { expected: usize } = "invalid_format";
    /// The digits of an IBAN do not fit together.
    IbanCheckDigits = "invalid_format";
    /// The text is not a Dutch postal code.
    InvalidPostalCode = "invalid_format";
    /// The country cannot be changed any more.
    CountryFixed = "out_of_range";
    /// A pattern of numbers without year or number.
    PatternIncomplete = "invalid_format";
    /// A pattern of numbers with an unknown part in braces.
    PatternUnknownPart = "invalid_format";
    /// A pattern of numbers with a character that is not to stand in a number.
    PatternUnknownCharacter = "invalid_format";
    /// A pattern of numbers with a digit beside the number.
    PatternDigitBesideNumber = "invalid_format";
    /// A pattern of numbers longer than an invoice can carry.
    PatternTooLong = "invalid_format";
    /// A password is too short.
    PasswordTooShort { least: usize } = "out_of_range";
    /// A password is too long.
    PasswordTooLong { most: usize } = "out_of_range";
    /// A password that everybody tries first.
    PasswordCommon = "too_common";
    /// A password that is the owner's name or address.
    PasswordPersonal = "too_common";

    // Sales.
    /// The customer is named by an external id that no contact has, and has no name.
    CustomerUnknown { external_id: String } = "required";
    /// The customer has no name.
    CustomerNameRequired = "required";
    /// A due date and a number of days, which say the same in two ways.
    DueTwice = "unknown_value";
    /// The due date is before the invoice.
    DueBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// The due date would be beyond the last year that there is.
    DueTooLate { days: i64, invoice_date: Date } = "out_of_range";
    /// The rate is not one of Dutch law on that day.
    UnknownVatRate { on: Date, rates: Vec<Decimal> } = "unknown_vat_rate";
    /// A rate of nought needs another category than standard.
    CategoryOfZeroRate { known: Vec<&'static str> } = "unknown_value";
    /// A rate above nought goes with the category standard alone.
    CategoryOfRate = "unknown_value";
    /// A line comes to more than an amount can be.
    LineOutOfRange = "out_of_range";
    /// The document comes to more than an amount can be.
    TotalOutOfRange = "out_of_range";
    /// The lines at a rate above nought come to less than nought.
    NegativeVatGroup { rate: Decimal } = "negative_vat_group";
    /// The last day of supply alone says nothing of when it began.
    SupplyDateRequired = "required";
    /// The last day of supply is before the first.
    SupplyUntilBefore { supply_date: Date } = "out_of_range";
    /// Under the small businesses scheme no VAT is charged.
    KorApplies { since: Date } = "kor_applies";
    /// Under the small businesses scheme no VAT is due on private use.
    KorPrivateUse { since: Date } = "kor_applies";
    /// A VAT scheme begins with a quarter.
    NotFirstOfQuarter { first: Date } = "out_of_range";
    /// Invoices of the year have numbers already.
    NumbersBegun { year: i64 } = "out_of_range";
    /// Triangular supplies are intra-community.
    TriangularNotEu = "unknown_value";
    /// An invoice comes to less than nought, or a credit note to more.
    NegativeTotal = "out_of_range";
    /// Nothing of the invoice is to be paid any more.
    NothingOutstanding { invoice: String } = "exceeds_outstanding";
    /// Nothing of the invoice is to be paid any more, and how much is kept for the customer was not said.
    KeptAmountRequired { invoice: String } = "exceeds_outstanding";
    /// Nothing of the invoice can be written off any more.
    NothingToWriteOff { invoice: String } = "exceeds_outstanding";
    /// Nothing of the invoice is due, so that there is nothing to remind of.
    NothingToRemindOf { invoice: String } = "exceeds_outstanding";
    /// It is not late yet.
    NotLate { invoice: String, due_date: Date } = "out_of_range";
    /// A logo of too many bytes.
    LogoTooLarge = "out_of_range";
    /// A logo of too many pixels.
    LogoTooManyPixels = "out_of_range";
    /// A logo that is neither PNG nor JPEG.
    LogoWrongFormat = "invalid_format";
    /// A picture that cannot be read to its end.
    LogoDamaged = "invalid_format";
    /// No colour such as `#115e59`.
    InvalidColour = "invalid_format";
    /// More is paid than is outstanding.
    ExceedsOutstanding { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// More than is outstanding of an invoice was paid, and it was not said that the rest is kept for the customer.
    Overpaid { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// More is paid back than is to be paid back.
    ExceedsRefund { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The day on which something is taken back is before the day of what it was.
    UndoneBefore { date: Date } = "out_of_range";
    /// A write-off is dated before its invoice.
    WrittenOffBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// Of what was written off, some was received after all.
    WriteOffRecovered { recovered: Cents } = "exceeds_outstanding";
    /// A prepayment invoice that is not paid is credited and not written off: nothing was supplied.
    PrepaymentNotWrittenOff = "unknown_value";
    /// There is no such prepayment invoice of the customer that has gone out.
    UnknownPrepayment { id: i64 } = "unknown_value";
    /// Nothing is left of a prepayment invoice to be set off.
    PrepaymentUsed { invoice: String } = "exceeds_outstanding";
    /// A prepayment invoice sets off no other.
    PrepaymentSetsOff = "unknown_value";
    /// A payout of nothing.
    EmptyPayout = "out_of_range";
    /// The VAT on a provider's fee is more than the fee.
    FeeVatExceedsFee { fee: Cents } = "out_of_range";
    /// VAT on a provider's fee that is not charged.
    FeeVatNotCharged = "unknown_value";
    /// The clock of a test account is set back.
    ClockBack { now: String } = "out_of_range";
    /// The clock of a test account is set too far ahead.
    ClockTooFar { latest: String } = "out_of_range";
    /// A moment that is none.
    InvalidMoment = "invalid_date";
    /// The day of a payment is still to come.
    PaymentTooLate { latest: Date } = "out_of_range";
    /// The day on which something is taken back is still to come.
    UndoneTooLate { latest: Date } = "out_of_range";
    /// A credit note is dated before the invoice that it takes back.
    CreditBeforeInvoice { invoice_date: Date } = "out_of_range";
    /// More would be credited than remains of the invoice.
    CreditExceeds { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The invoice has no line at that rate and category.
    CreditRateUnknown { rate: Decimal, category: &'static str, known: Vec<String> } = "unknown_value";
    /// More would be credited at a rate than remains of it, excluding VAT.
    CreditExceedsRate { rate: Decimal, category: &'static str, asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The same including VAT, of an invoice whose prices include it.
    CreditExceedsGross { rate: Decimal, category: &'static str, asked: Cents, remaining: Cents } = "exceeds_outstanding";

    // Hours.
    /// The day would have more than 24 hours.
    DayTooLong { date: Date, written: Hours, hours: Hours } = "out_of_range";
    /// There is no such project.
    UnknownProject { id: i64 } = "unknown_project";
    /// There is no such contact.
    UnknownContact = "unknown_contact";
    /// A contact is not merged into itself.
    SameContact = "unknown_contact";
    /// The contact was merged into another already.
    ContactMerged = "unknown_contact";
    /// The body has another external id than the address.
    ExternalIdDiffers = "unknown_value";
    /// Another resource of the kind has the external id.
    ExternalIdTaken = "taken";
    /// Hours can only be invoiced to a customer.
    ProjectWithoutCustomer = "required";
    /// Hours can only be invoiced at a rate.
    ProjectWithoutRate = "required";
    /// The hours of a day cannot be made less where only their sum is seen.
    HoursInParts = "out_of_range";
    /// The clock has run for longer than a day has.
    TimerTooLong { hours: Hours } = "out_of_range";

    // Purchases.
    /// The VAT and the net amount together are more than an amount can be.
    PurchaseOutOfRange = "out_of_range";
    /// The account is no cost that a purchase can be booked on.
    NotACostAccount = "unknown_value";
    /// A VAT amount is given where the document prints none of its own.
    VatNotPrinted = "unknown_value";
    /// The VAT is above nought and the amount below it, or the other way round.
    VatOfOtherSign = "out_of_range";
    /// VAT of more than the amount that it is on.
    VatExceedsAmount { most: Cents } = "out_of_range";
    /// A line or a trip comes to nothing.
    NothingBought = "out_of_range";
    /// An amount is too large, above or below nought.
    SignedAmountOutOfRange { most: Cents } = "out_of_range";
    /// A share is not between nought and a hundred per cent, with two decimals.
    ShareOutOfRange = "out_of_range";
    /// There is no such receipt.
    UnknownReceipt { id: i64 } = "unknown_receipt";
    /// More was paid than the expense would come to, or it was paid afterwards.
    AlreadyPaid { paid: Cents } = "out_of_range";
    /// VAT was paid back on the bill as it is.
    VatRepaid { vat: Cents } = "out_of_range";
    /// Nothing of the bill is to be paid.
    BillSettled = "exceeds_outstanding";
    /// The day is before that of the bill.
    BeforeBill { date: Date } = "out_of_range";
    /// No VAT on the bill is to be paid back.
    NoVatToRepay = "exceeds_outstanding";
    /// No VAT on an asset is to be revised in a year.
    NoVatToRevise { year: String } = "exceeds_outstanding";
    /// The account is none of assets.
    NotAnAssetAccount = "unknown_value";
    /// What an asset is worth at the end is below nought or above its cost.
    ResidualOutOfRange { cost: Cents } = "out_of_range";
    /// More was depreciated of an asset before the books began than goes off its cost, or less than nothing.
    DepreciatedOutOfRange { most: Cents } = "out_of_range";
    /// There is no opening balance that an asset could stand in.
    NoOpeningBalance = "out_of_range";
    /// An asset that is said to stand in the opening balance was bought after it.
    AfterOpeningBalance { date: Date } = "out_of_range";
    /// The day is before the purchase of an asset, or before the day up to which it is depreciated.
    BeforePurchase { date: Date } = "out_of_range";
    /// The rate of a kilometre is not known for the year.
    NoMileageRate { year: String } = "out_of_range";
    /// A file without bytes.
    FileEmpty = "unsupported_file";
    /// A file of too many bytes.
    FileTooLarge = "too_long";
    /// A HEIC picture.
    FileHeic = "unsupported_file";
    /// A file of another kind.
    FileOfOtherKind = "unsupported_file";
    /// A picture of too many pixels.
    FileTooManyPixels = "out_of_range";
    /// A picture that cannot be read.
    FileDamaged = "unsupported_file";

    // The journal, and money between accounts of one's own.
    /// No account of the chart has that code, or it cannot be used here.
    UnknownAccount = "unknown_value";
    /// Only the program books on the account.
    KeptByProgram { account: String } = "kept_by_program";
    /// A line has an amount on both sides, or on none.
    OneSideOnly = "required";
    /// Debit and credit differ.
    Unbalanced { debit: Cents, credit: Cents } = "unbalanced";
    /// Money cannot move from an account to itself.
    SameAccount = "unknown_value";
    /// The day is before another that it cannot be before.
    DayBefore { day: Date } = "out_of_range";
    /// The day is before the opening balance.
    BeforeOpening { opening: Date } = "out_of_range";
    /// The day of an opening balance is still to come.
    OpeningTooLate { latest: Date } = "out_of_range";
    /// Something is booked on a day before the opening balance.
    BookedBeforeOpening { first: Date } = "out_of_range";
    /// The day is not after another that it must be after.
    DayNotAfter { day: Date } = "out_of_range";
    /// More is repaid than is owed on the loan.
    ExceedsLoan { asked: Cents, remaining: Cents } = "exceeds_outstanding";
    /// The account follows from what is open, item by item.
    FromOpenItems { account: String } = "kept_by_program";
    /// Another invoice has the number.
    NumberTaken { number: String } = "taken";
    /// The bill of that supplier stands twice in a list.
    BillTwice { number: String } = "taken";
    /// The series of a year will come to the number.
    NumberOfSeries { number: String, year: String } = "taken";
    /// The day is after the opening balance.
    AfterOpening { opening: Date } = "out_of_range";
    /// A debt, or what was depreciated, with the sign of what one has.
    BalanceOfOtherSide { account: String } = "out_of_range";
    /// An account stands twice in a list.
    AccountTwice { account: String } = "unknown_value";

    // Access.
    /// No scope is chosen.
    ScopeRequired = "required";
    /// A redirect URI that cannot be registered.
    RedirectUri { uri: String, why: UriFault } = "invalid_format";
    /// An id or a secret with characters that cannot be in one.
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
        Self::UnknownVatRate { on: unknown.on, rates: unknown.valid.iter().map(|rate| rate.percent()).collect() }
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
