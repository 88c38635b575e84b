//! Suggestions in the making: merging, order, certainty and ids.

use crate::{
    books::Books,
    line::Line,
    suggestion::{Allocation, Reason, ReturnPeriod, Suggestion, SuggestionId, Target},
};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;

/// Maximum number of suggestions for a line.
pub const MOST_SUGGESTIONS: usize = 5;

/// Evidence by which a suggestion may be certain, the strongest first. Only one suggestion of the
/// strongest evidence can be certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// The line is booked already, or is a transfer between own accounts.
    Booked,
    /// Number or reference, and amount.
    Number,
    /// IBAN and amount, or tax office and amount.
    Amount,
    /// Habit or rule.
    Habit,
}

/// Suggestion before comparison with the others.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Position: the higher, the earlier.
    pub(crate) rank: u32,
    /// Evidence that suffices for certainty, if there is any.
    pub(crate) evidence: Option<Evidence>,
    pub(crate) allocations: Vec<Allocation>,
    pub(crate) reasons: Vec<Reason>,
    /// State of the items that the allocations settle, for the id.
    pub(crate) state: Vec<i64>,
    /// Whether the booking changes a box of the VAT return.
    pub(crate) has_box: bool,
}

/// Turns drafts into suggestions.
pub(crate) fn finish(books: &Books, line: &Line<'_>, drafts: Vec<Draft>) -> Vec<Suggestion> {
    let mut drafts = merge(drafts);
    drafts.sort_by_key(|draft| Reverse(draft.rank));
    let certain = certain(&drafts).filter(|index| may_be_certain(books, line, &drafts[*index]));
    // A certain suggestion is the first.
    if let Some(index) = certain {
        drafts[..=index].rotate_right(1);
    }
    let suggestions = drafts.into_iter().enumerate().map(|(index, draft)| Suggestion {
        id: id(line, &draft),
        certain: certain.is_some() && index == 0,
        allocations: draft.allocations,
        reasons: draft.reasons,
    });
    suggestions
        .filter(|suggestion| !line.refused.contains(&suggestion.id))
        .take(MOST_SUGGESTIONS)
        .collect()
}

/// Merges drafts with equal allocations.
fn merge(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut merged: Vec<Draft> = Vec::new();
    for draft in drafts {
        let equal = merged.iter_mut().find(|other| other.allocations == draft.allocations);
        let Some(other) = equal else {
            merged.push(draft);
            continue;
        };
        other.rank = other.rank.max(draft.rank);
        other.evidence = match (other.evidence, draft.evidence) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        other.has_box |= draft.has_box;
        for reason in draft.reasons {
            if !other.reasons.contains(&reason) {
                other.reasons.push(reason);
            }
        }
    }
    merged
}

/// Returns the position of the only draft with the strongest evidence.
fn certain(drafts: &[Draft]) -> Option<usize> {
    let strongest = drafts.iter().filter_map(|draft| draft.evidence).min()?;
    let is_booked =
        |reason: &Reason| matches!(reason, Reason::AlreadyBooked { .. } | Reason::OtherHalf { .. });
    // A habit never books a line twice.
    if strongest == Evidence::Habit && drafts.iter().flat_map(|draft| &draft.reasons).any(is_booked)
    {
        return None;
    }
    let mut strong = (0..drafts.len()).filter(|index| drafts[*index].evidence == Some(strongest));
    let first = strong.next()?;
    strong.next().is_none().then_some(first)
}

/// Whether the state of books and line allows certainty. Overpayments never get here, because no
/// evidence suffices without the exact amount.
fn may_be_certain(books: &Books, line: &Line<'_>, draft: &Draft) -> bool {
    let is_closed = books.closed_until.is_some_and(|last| line.date <= last);
    let is_filed = || books.filed.iter().any(|(first, last)| (*first..=*last).contains(&line.date));
    let has_filed_box = draft.has_box && is_filed();
    let is_changed = |reason: &Reason| matches!(reason, Reason::IbanChanged { .. });
    let has_changed_iban = draft.reasons.iter().any(is_changed);
    !(line.is_doubtful || is_closed || has_filed_box || has_changed_iban)
}

fn id(line: &Line<'_>, draft: &Draft) -> SuggestionId {
    let mut hash = Sha256::new();
    let mut number = |number: i64| hash.update(number.to_be_bytes());
    number(line.id);
    number(line.bank_account);
    number(line.amount.get());
    number(line.date.year().into());
    number(line.date.day_of_year().into());
    number(i64::try_from(draft.state.len()).unwrap_or(i64::MAX));
    for state in &draft.state {
        number(*state);
    }
    // Each allocation has the same number of fields, so that no two lists have the same bytes.
    for Allocation { amount, target } in &draft.allocations {
        let (fields, text) = fields(target);
        number(amount.get());
        fields.into_iter().for_each(&mut number);
        number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        text.bytes().for_each(|byte| number(byte.into()));
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    SuggestionId(id)
}

/// Returns the fields of a target as numbers, the kind first, and its text.
fn fields(target: &Target) -> ([i64; 4], &str) {
    let optional = |id: Option<i64>| id.unwrap_or(-1);
    match target {
        Target::Invoice { invoice, overpayment } => ([1, *invoice, i64::from(*overpayment), 0], ""),
        Target::Refund { invoice } => ([2, *invoice, 0, 0], ""),
        Target::Bill { expense } => ([3, *expense, 0, 0], ""),
        Target::Vat(None) => ([4, 0, 0, 0], ""),
        Target::Vat(Some(ReturnPeriod::Vat(period))) => ([4, 1, period.id(), 0], ""),
        Target::Vat(Some(ReturnPeriod::Oss(quarter))) => {
            ([4, 2, quarter.year().into(), quarter.number().into()], "")
        }
        Target::Private(kind) => ([5, 0, 0, 0], kind.as_str()),
        Target::Transfer { bank_account, line, transfer } => {
            ([6, *bank_account, optional(*line), optional(*transfer)], "")
        }
        Target::Payout { provider_account, fee } => ([7, *provider_account, fee.get(), 0], ""),
        Target::BankCosts => ([8, 0, 0, 0], ""),
        Target::Ledger(account) => ([9, account.stored().into(), 0, 0], ""),
        Target::Existing { entry } => ([10, *entry, 0, 0], ""),
        Target::Interest => ([12, 0, 0, 0], ""),
        Target::Like(template) => {
            let kind = i64::try_from(template.kind as usize).unwrap_or(i64::MAX);
            ([11, kind, 0, 0], &template.fields)
        }
    }
}
