//! Rules of users: conditions on a line, and the booking that follows.

use crate::{line::Line, suggestion::Template};
use ledger::{bank_line::LineDirection, identifiers::Iban, money::Cents};

/// Rule of a user.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Unique within the account.
    pub id: i64,
    /// Conditions.
    pub when: Conditions,
    /// Booking, or the decision to ignore the line.
    pub then: Outcome,
    /// Number of matching lines of the last 12 months that were booked as the rule says.
    pub agreed: u32,
    /// Number of matching lines of the last 12 months that were booked in another way.
    pub contradicted: u32,
}

/// Conditions of a rule; all that are present must hold. Without an IBAN, creditor identifier, name
/// or text no line matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Bank account of the books.
    pub bank_account: Option<i64>,
    /// Direction.
    pub direction: LineDirection,
    /// IBAN of the counterparty.
    pub iban: Option<Iban>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<String>,
    /// Part of the name of the counterparty; case does not count.
    pub name_contains: Option<String>,
    /// Part of the text; case does not count.
    pub text_contains: Option<String>,
    /// Minimum amount, without sign.
    pub amount_from: Option<Cents>,
    /// Maximum amount, without sign.
    pub amount_to: Option<Cents>,
}

/// Result of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line is booked with this allocation.
    Book(Template),
    /// The line is ignored.
    Ignore,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            bank_account: None,
            direction: LineDirection::Any,
            iban: None,
            creditor_id: None,
            name_contains: None,
            text_contains: None,
            amount_from: None,
            amount_to: None,
        }
    }
}

impl Conditions {
    /// Whether a line meets the conditions.
    ///
    /// ```
    /// use bank_suggestions::{Conditions, Line};
    /// use jiff::civil::date;
    /// use ledger::{bank_line::LineDirection, money::Cents};
    ///
    /// let line = Line {
    ///     id: 1,
    ///     bank_account: 1,
    ///     date: date(2026, 3, 2),
    ///     amount: Cents::new(-1250),
    ///     name: Some("KPN Mobile"),
    ///     iban: None,
    ///     text: "Factuur maart",
    ///     end_to_end_id: None,
    ///     payment_reference: None,
    ///     creditor_id: None,
    ///     charge: None,
    ///     parts: &[],
    ///     is_doubtful: false,
    ///     refused: &[],
    /// };
    /// let mut when = Conditions { name_contains: Some("kpn".to_owned()), ..Conditions::default() };
    /// assert!(when.are_met_by(&line));
    /// when.direction = LineDirection::In;
    /// assert!(!when.are_met_by(&line));
    /// ```
    #[must_use]
    pub fn are_met_by(&self, line: &Line<'_>) -> bool {
        let amount = line.amount.get().unsigned_abs();
        let is_identified = self.iban.is_some()
            || self.creditor_id.is_some()
            || self.name_contains.is_some()
            || self.text_contains.is_some();
        let has_direction = match self.direction {
            LineDirection::In => !line.amount.is_negative(),
            LineDirection::Out => line.amount.is_negative(),
            LineDirection::Any => true,
        };
        is_identified
            && has_direction
            && self.bank_account.is_none_or(|id| id == line.bank_account)
            && self.amount_from.is_none_or(|least| amount >= least.get().unsigned_abs())
            && self.amount_to.is_none_or(|most| amount <= most.get().unsigned_abs())
            && self.iban.as_ref().is_none_or(|iban| line.iban.is_some_and(|of| is_iban(iban, of)))
            && self.creditor_id.as_deref().is_none_or(|id| {
                line.creditor_id.is_some_and(|of| of.trim().eq_ignore_ascii_case(id.trim()))
            })
            && self
                .name_contains
                .as_deref()
                .is_none_or(|part| line.name.is_some_and(|name| contains(name, part)))
            && self.text_contains.as_deref().is_none_or(|part| contains(line.text, part))
    }
}

fn is_iban(iban: &Iban, text: &str) -> bool {
    let letters = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase());
    letters.eq(iban.as_str().chars())
}

fn contains(text: &str, part: &str) -> bool {
    let part = part.trim().to_lowercase();
    !part.is_empty() && text.to_lowercase().contains(&part)
}

#[cfg(test)]
mod tests;
