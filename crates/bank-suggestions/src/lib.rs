//! Suggestions of how to book a bank line: the open items of the books in, allocations with reasons
//! out.
//!
//! Pure: no database, no clock and no text in any language. [`Suggester::new`] indexes the [`Books`]
//! once for all lines of a batch, and [`Suggester::suggest`] returns at most five [`Suggestion`]s
//! for a [`Line`]. Each has [`Reason`]s with their figures; nothing else is scored.
//!
//! A suggestion is certain only if one [`Reason`] or a pair of them is strong enough, no other
//! suggestion is equally strong, and neither the line nor the books give cause for doubt: see
//! `draft.rs`. `examples/accuracy.rs` measures how often suggestions are right, and how long they
//! take.
//!
//! ```
//! use bank_suggestions::{Books, Item, ItemKind, Line, Suggester};
//! use jiff::civil::date;
//! use ledger::money::Cents;
//!
//! let invoice = Item {
//!     kind: ItemKind::Invoice,
//!     id: 28,
//!     contact: None,
//!     date: date(2026, 11, 2),
//!     due: Cents::new(121_000),
//!     numbers: vec!["2026-0028".to_owned()],
//!     references: Vec::new(),
//!     orders: Vec::new(),
//!     pay_to: None,
//!     has_box: false,
//! };
//! let suggester = Suggester::new(Books { items: vec![invoice], ..Books::default() });
//! let line = Line {
//!     id: 1,
//!     bank_account: 1,
//!     date: date(2026, 11, 20),
//!     amount: Cents::new(121_000),
//!     name: Some("Bakkerij Jansen"),
//!     iban: None,
//!     text: "Factuur 2026/28",
//!     end_to_end_id: None,
//!     payment_reference: None,
//!     creditor_id: None,
//!     charge: None,
//!     parts: &[],
//!     is_doubtful: false,
//!     refused: &[],
//! };
//! let suggestions = suggester.suggest(&line);
//! assert!(suggestions[0].certain);
//! let codes: Vec<_> = suggestions[0].reasons.iter().map(|reason| reason.code()).collect();
//! assert_eq!(codes, ["number", "amount"]);
//! ```

mod books;
mod candidates;
mod draft;
mod index;
mod line;
mod names;
mod numbers;
mod rule;
mod suggester;
mod suggestion;
mod sums;
mod tax_office;
pub use books::{
    AwaitedTransfer, Books, Contact, Decision, DueReturn, FiledReturn, Item, ItemKind, NewLine,
    OwnAccount, PaidInvoice, PaymentBatch, Posting, Precedent, Provider,
};
pub use draft::MOST_SUGGESTIONS;
pub use line::{Line, Part};
pub use rule::{Conditions, Outcome, Rule};
pub use suggester::Suggester;
pub use suggestion::{
    Allocation, Characteristic, Charge, Reason, ReturnPeriod, Suggestion, SuggestionId, Target,
    Template,
};
pub use tax_office::TaxOffice;

pub use ledger::bank_line::AllocationKind;
