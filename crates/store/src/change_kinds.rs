//! What the change feed tells of, and what can become of it.

/// What a change is a change of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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
names!(Kind {
    Invoice => "invoice", CreditNote => "creditNote", Payment => "payment", Contact => "contact", Project => "project",
    TimeEntry => "timeEntry", HoursLog => "hoursLog", Expense => "expense", VatFiling => "vatFiling",
});
names!(Event { Created => "created", Updated => "updated", Deleted => "deleted" });
