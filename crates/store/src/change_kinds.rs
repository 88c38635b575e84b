//! Kinds of resources and events in the change feed and webhooks.

/// Kind of the changed resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// An invoice.
    Invoice,
    /// A credit note.
    CreditNote,
    /// A payment on an invoice.
    Payment,
    /// A customer or supplier.
    Contact,
    /// A project.
    Project,
    /// Hours on a project.
    TimeEntry,
    /// Hours without a project.
    HoursLog,
    /// A purchase.
    Expense,
    /// Filed VAT return of a calendar quarter. The resource id is the year followed by the quarter:
    /// 20261 is the first quarter of 2026.
    VatFiling,
    /// Filed VAT return of a month, quarter or year. The resource id is
    /// [`ledger::vat_period::VatPeriod::id`].
    VatReturn,
    /// Filed EC sales list (ICP) of a period. Its id is [`ledger::vat_period::VatPeriod::id`].
    Icp,
    /// Turnover of a year under the small businesses scheme. Its id is the year.
    Kor,
    /// Filed return of the Union scheme (OSS) for a quarter. Its id is
    /// [`ledger::vat_period::VatPeriod::id`].
    OssReturn,
    /// A bank account. Webhooks do not report it.
    BankAccount,
    /// An upload of bank statements.
    BankStatement,
    /// A line of a bank statement.
    BankLine,
    /// A batch of payments of bills.
    PaymentBatch,
    /// A quote.
    Quote,
    /// An article.
    Article,
    /// A recurring invoice.
    RecurringInvoice,
}

impl ResourceKind {
    /// Whether the feed reports this kind to clients that do not name the kinds they want. Clients
    /// written before `VatReturn` was added know only the kinds listed before it.
    #[must_use]
    pub fn is_reported_by_default(self) -> bool {
        !matches!(
            self,
            Self::VatReturn
                | Self::Icp
                | Self::Kor
                | Self::OssReturn
                | Self::BankAccount
                | Self::BankStatement
                | Self::BankLine
                | Self::PaymentBatch
                | Self::Quote
                | Self::Article
                | Self::RecurringInvoice
        )
    }
}

/// Event of the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Created.
    Created,
    /// Changed by an edit or another action, such as sending or archiving.
    Updated,
    /// Deleted.
    Deleted,
}

/// Event of webhooks: an [`Event`] of the feed, or an action that the feed shows as an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Created.
    Created,
    /// Changed.
    Updated,
    /// Deleted.
    Deleted,
    /// An invoice or a quote became final, with status `sent`.
    Sent,
    /// An invoice, or a batch of payments, is fully paid.
    Paid,
    /// A reminder for an invoice was sent.
    Reminded,
    /// A payment or bank statement was undone, or a bank line is new again.
    Undone,
    /// A contact was archived.
    Archived,
    /// A VAT return, an EC sales list or a return of the Union scheme was filed.
    Filed,
    /// A VAT return, an EC sales list or a return of the Union scheme was reopened.
    Reopened,
    /// The turnover is near the limit of the small businesses scheme.
    Near,
    /// The turnover passed the limit of the small businesses scheme.
    Passed,
    /// A bank statement was taken.
    Taken,
    /// A bank line was ignored.
    Ignored,
    /// A bank line was booked.
    Booked,
    /// A quote was accepted.
    Accepted,
    /// A quote was refused.
    Refused,
}

/// Events that webhooks report: kind of resource, topic, and name in the API.
pub const WEBHOOK_TYPES: [(ResourceKind, Topic, &str); 46] = [
    (ResourceKind::Invoice, Topic::Created, "invoice.created"),
    (ResourceKind::Invoice, Topic::Updated, "invoice.updated"),
    (ResourceKind::Invoice, Topic::Sent, "invoice.sent"),
    (ResourceKind::Invoice, Topic::Paid, "invoice.paid"),
    (ResourceKind::Invoice, Topic::Reminded, "invoice.reminded"),
    (ResourceKind::CreditNote, Topic::Created, "creditNote.created"),
    (ResourceKind::Payment, Topic::Created, "payment.created"),
    (ResourceKind::Payment, Topic::Undone, "payment.undone"),
    (ResourceKind::Contact, Topic::Created, "contact.created"),
    (ResourceKind::Contact, Topic::Updated, "contact.updated"),
    (ResourceKind::Contact, Topic::Archived, "contact.archived"),
    (ResourceKind::Project, Topic::Created, "project.created"),
    (ResourceKind::Project, Topic::Updated, "project.updated"),
    (ResourceKind::TimeEntry, Topic::Created, "timeEntry.created"),
    (ResourceKind::TimeEntry, Topic::Updated, "timeEntry.updated"),
    (ResourceKind::TimeEntry, Topic::Deleted, "timeEntry.deleted"),
    (ResourceKind::HoursLog, Topic::Created, "hoursLog.created"),
    (ResourceKind::HoursLog, Topic::Updated, "hoursLog.updated"),
    (ResourceKind::HoursLog, Topic::Deleted, "hoursLog.deleted"),
    (ResourceKind::Expense, Topic::Created, "expense.created"),
    (ResourceKind::Expense, Topic::Updated, "expense.updated"),
    (ResourceKind::VatFiling, Topic::Filed, "vatFiling.filed"),
    (ResourceKind::VatFiling, Topic::Reopened, "vatFiling.reopened"),
    (ResourceKind::VatReturn, Topic::Filed, "vatReturn.filed"),
    (ResourceKind::VatReturn, Topic::Reopened, "vatReturn.reopened"),
    (ResourceKind::Icp, Topic::Filed, "icp.filed"),
    (ResourceKind::Icp, Topic::Reopened, "icp.reopened"),
    (ResourceKind::Kor, Topic::Near, "kor.near"),
    (ResourceKind::Kor, Topic::Passed, "kor.passed"),
    (ResourceKind::OssReturn, Topic::Filed, "ossReturn.filed"),
    (ResourceKind::OssReturn, Topic::Reopened, "ossReturn.reopened"),
    (ResourceKind::BankStatement, Topic::Taken, "bankStatement.taken"),
    (ResourceKind::BankStatement, Topic::Undone, "bankStatement.undone"),
    (ResourceKind::BankLine, Topic::Booked, "bankLine.booked"),
    (ResourceKind::BankLine, Topic::Ignored, "bankLine.ignored"),
    (ResourceKind::BankLine, Topic::Undone, "bankLine.undone"),
    (ResourceKind::PaymentBatch, Topic::Paid, "paymentBatch.paid"),
    (ResourceKind::Quote, Topic::Created, "quote.created"),
    (ResourceKind::Quote, Topic::Updated, "quote.updated"),
    (ResourceKind::Quote, Topic::Sent, "quote.sent"),
    (ResourceKind::Quote, Topic::Accepted, "quote.accepted"),
    (ResourceKind::Quote, Topic::Refused, "quote.refused"),
    (ResourceKind::Article, Topic::Created, "article.created"),
    (ResourceKind::Article, Topic::Updated, "article.updated"),
    (ResourceKind::RecurringInvoice, Topic::Created, "recurringInvoice.created"),
    (ResourceKind::RecurringInvoice, Topic::Updated, "recurringInvoice.updated"),
];

/// Name of an event in the API; `None` if webhooks do not report this topic for this kind.
pub(crate) fn webhook_type(kind: ResourceKind, topic: Topic) -> Option<&'static str> {
    WEBHOOK_TYPES.iter().find(|row| (row.0, row.1) == (kind, topic)).map(|row| row.2)
}

/// Topics that webhooks report for a change. The recorded topics replace an update and follow a
/// creation; a deletion is reported alone.
pub(crate) fn topics(event: Event, recorded: &[Topic]) -> Vec<Topic> {
    match event {
        Event::Created => std::iter::once(Topic::Created).chain(recorded.iter().copied()).collect(),
        Event::Updated if recorded.is_empty() => vec![Topic::Updated],
        Event::Updated => recorded.to_vec(),
        Event::Deleted => vec![Topic::Deleted],
    }
}

macro_rules! names {
    ($kind:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $kind {
            /// All values, with their names in the API and in the database.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$variant)),+];

            /// Name in the API and in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Parses a name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
names!(ResourceKind {
    Invoice => "invoice", CreditNote => "creditNote", Payment => "payment", Contact => "contact", Project => "project",
    TimeEntry => "timeEntry", HoursLog => "hoursLog", Expense => "expense", VatFiling => "vatFiling",
    VatReturn => "vatReturn", Icp => "icp", Kor => "kor", OssReturn => "ossReturn", BankAccount => "bankAccount",
    BankStatement => "bankStatement", BankLine => "bankLine",
    PaymentBatch => "paymentBatch", Quote => "quote", Article => "article",
    RecurringInvoice => "recurringInvoice",
});
names!(Event { Created => "created", Updated => "updated", Deleted => "deleted" });
