//! Automatic rules: the new lines that they decide on, and applying them.

use crate::{
    Context, Error,
    bank_allocations::BookLine,
    bank_booking::{self, BookingSource},
    bank_rules::{BankRule, RuleOutcome, conditions, outcome, scored},
    bank_suggestions::{self, SuggestionReason},
    context,
};
use ledger::bank_line::LineState;
use store::{
    Tx,
    bank_lines::{self as line_rows, BankLine},
    bank_rules as rows, books,
    changes::{ResourceKind, Topic},
};

/// Number of lines that are read at once.
const CHUNK: i64 = 500;

/// Returns the new lines, with an id above `after`, that automatic rules book.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn due(tx: &mut Tx<'_>, cx: &Context, after: i64) -> Result<Due, Error> {
    cx.actor.require_dutch()?;
    let lines = line_rows::new_after(tx, cx.actor.account, after, CHUNK)?;
    let next = lines.last().filter(|_| lines.len() == CHUNK as usize).map(|line| line.id);
    let rules = rows::active(tx, cx.actor.account)?;
    let lines = lines.iter().filter(|line| fitting(&rules, line).is_some());
    Ok(Due { lines: lines.map(|line| line.id).collect(), next })
}

/// Lines that automatic rules book.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Due {
    /// Ids, in order.
    pub lines: Vec<i64>,
    /// Id after which the search continues, unless it is complete.
    pub next: Option<i64>,
}

/// Automatic rule that decides on a line, if there is any. A line that may be another one, or on
/// which a rule was undone, is left to the owner.
fn fitting<'r>(rules: &'r [BankRule], line: &BankLine) -> Option<&'r BankRule> {
    if line.state != LineState::New || line.duplicate_of.is_some() || line.rule_id.is_some() {
        return None;
    }
    let scored = scored(line, &[], &[]);
    let first = rules.iter().find(|rule| conditions(rule).are_met_by(&scored))?;
    first.automatic.then_some(first)
}

/// Books a line as the automatic rule for it says. Returns whether it did: a line that seems to be
/// booked already, to be half of a transfer, or to pay a numbered document is left to the owner.
///
/// # Errors
/// The command of the booking refuses it, or the storage failed.
pub fn apply(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<bool, Error> {
    let account = cx.actor.account;
    books::lock(tx, account)?;
    let Some(line) = line_rows::by_id(tx, account, id)? else { return Ok(false) };
    let rules = rows::active(tx, account)?;
    let Some(rule) = fitting(&rules, &line) else { return Ok(false) };
    let suggestions = bank_suggestions::of_lines(tx, cx, std::slice::from_ref(&line))?;
    let mut reasons = suggestions.iter().flatten().flat_map(|suggestion| &suggestion.reasons);
    let is_for_owner = |reason: &SuggestionReason| {
        matches!(
            reason,
            SuggestionReason::AlreadyBooked { .. }
                | SuggestionReason::OtherHalf { .. }
                | SuggestionReason::Number { .. }
        )
    };
    if reasons.any(is_for_owner) {
        return Ok(false);
    }
    match outcome(rule)? {
        RuleOutcome::Book(booking) => {
            let allocations = vec![booking.allocation()];
            let command = BookLine { external_id: None, allocations };
            bank_booking::book_from(tx, cx, id, &command, &BookingSource::Rule(rule.id))?;
        }
        RuleOutcome::Ignore(reason) => context::transact(tx, cx, |tx, _, cx| {
            let line = BankLine {
                state: LineState::Ignored,
                state_reason: Some(reason),
                rule_id: Some(rule.id),
                updated_at: cx.now(),
                ..line
            };
            line_rows::update(tx, account, &line)?;
            tx.record_topic(ResourceKind::BankLine, id, Topic::Ignored);
            Ok(())
        })?,
    }
    Ok(true)
}
