//! What the change feed tells of, and what can become of it.

/// What a change is a change of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Hours beside projects.
    HoursLog,
    /// A purchase.
    Expense,
    /// A VAT return that was filed; its id is the year and the quarter, 20261 is the first quarter of 2026.
    VatFiling,
}

/// What became of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It was made.
    Created,
    /// It is another than it was, or something was done with it.
    Updated,
    /// It is gone.
    Deleted,
}

/// What was done with a resource, as webhooks name it: an [`Event`], or one of the things that the feed shows as an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// It was made.
    Created,
    /// It is another than it was.
    Updated,
    /// It is gone.
    Deleted,
    /// An invoice is final and went to its customer.
    Sent,
    /// Nothing more is to be received on an invoice.
    Paid,
    /// The customer was reminded of an invoice.
    Reminded,
    /// A payment was taken back.
    Undone,
    /// A contact is not used any more.
    Archived,
    /// A VAT return was filed.
    Filed,
    /// A VAT return was opened again.
    Reopened,
}

/// What webhooks report: of which kind what, and the name of that.
pub const WEBHOOK_TYPES: [(ResourceKind, Topic, &str); 23] = [
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
];

/// The name of what was done with a resource of a kind; none where webhooks do not report that.
pub(crate) fn webhook_type(kind: ResourceKind, topic: Topic) -> Option<&'static str> {
    WEBHOOK_TYPES.iter().find(|known| (known.0, known.1) == (kind, topic)).map(|known| known.2)
}

/// What a change is to webhooks: what was done more closely where that is known.
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
            /// Every one with its name in the API and in the database.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$variant)),+];

            /// The name in the API and in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// What has that name.
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
});
names!(Event { Created => "created", Updated => "updated", Deleted => "deleted" });
