//! Rules for bank lines: conditions, and the booking that follows. An automatic rule books new lines
//! by itself; any other one only yields suggestions.

use crate::{
    Context, Created, Error, Fault, Reason, bank_accounts,
    bank_lines::{self, LineDetails},
    bank_repeats::RepeatedBooking,
    context, events,
};
use bank_suggestions::{Charge, Conditions, Line, Part, SuggestionId};
use jiff::{ToSpan, civil::Date};
use ledger::{
    bank_account::BankAccountKind,
    bank_line::{IgnoreReason, LineState},
    entry::SourceType,
};
use store::{
    Page, SyncFilter, Tx,
    bank_allocations::BankAllocation,
    bank_lines::{BankLine, LineFilter, LinePart},
    bank_rules as rows,
    books::IdSequence,
    events as event_rows,
};

pub use bank_suggestions::Conditions as RuleConditions;
pub use store::bank_rules::BankRule;

/// Returns a part of a line as the scorer takes it.
pub(crate) fn scored_part(part: &LinePart) -> Part<'_> {
    Part {
        amount: part.amount,
        name: part.name.as_deref(),
        iban: part.iban.as_deref(),
        text: part.text.as_deref(),
        end_to_end_id: part.end_to_end_id.as_deref(),
    }
}

/// Returns a line as the scorer takes it.
pub(crate) fn scored<'l>(
    line: &'l BankLine,
    parts: &'l [Part<'l>],
    refused: &'l [SuggestionId],
) -> Line<'l> {
    Line {
        id: line.id,
        bank_account: line.bank_account_id,
        date: line.date,
        amount: line.amount,
        name: line.name.as_deref(),
        iban: line.iban.as_deref(),
        text: &line.text,
        end_to_end_id: line.end_to_end_id.as_deref(),
        payment_reference: line.payment_reference.as_deref(),
        creditor_id: line.creditor_id.as_deref(),
        charge: match line.kind.as_str() {
            "fee" => Some(Charge::Costs),
            "interest" => Some(Charge::Interest),
            _ => None,
        },
        parts,
        is_doubtful: line.duplicate_of.is_some(),
        refused,
    }
}

/// Maximum number of active rules.
pub const MOST_RULES: usize = 200;
/// Number of lines that are read at once.
const CHUNK: i64 = 500;

/// Booking that a rule makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleOutcome {
    /// The line is booked like this.
    Book(RepeatedBooking),
    /// The line is ignored.
    Ignore(IgnoreReason),
}

/// Word for [`RuleOutcome::Ignore`].
const IGNORE: &str = "ignore";

impl RuleOutcome {
    /// Reads the outcome of a stored rule.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(IGNORE).and_then(|rest| rest.strip_prefix('\t')) {
            Some(reason) => IgnoreReason::parse(reason).map(Self::Ignore),
            None => RepeatedBooking::parse(text).map(Self::Book),
        }
    }

    fn to_text(&self) -> String {
        match self {
            Self::Book(booking) => booking.to_text(),
            Self::Ignore(reason) => format!("{IGNORE}\t{}", reason.as_str()),
        }
    }

    /// Whether a line was decided as the rule says; `None` for a new line.
    fn agrees(&self, line: &BankLine, allocations: &[BankAllocation]) -> Option<bool> {
        match (self, line.state) {
            (_, LineState::New) => None,
            (Self::Ignore(_), state) => Some(state == LineState::Ignored),
            (Self::Book(_), LineState::Ignored) => Some(false),
            (Self::Book(booking), LineState::Booked) => {
                let learned = learned(&booking.to_text());
                Some(matches!(allocations, [only] if only.template == learned))
            }
        }
    }
}

/// Stored booking of a line that was booked as the outcome of a rule says; `None` if the rule
/// ignores lines.
pub(crate) fn learned(outcome: &str) -> Option<String> {
    let booking = RepeatedBooking::parse(outcome)?;
    Some(RepeatedBooking::learned(&booking.allocation().booking)?.to_text())
}

/// Input for a new rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Name.
    pub name: String,
    /// Position; by default after all others.
    pub position: Option<i64>,
    /// Conditions.
    pub when: Conditions,
    /// Booking.
    pub then: RuleOutcome,
    /// Whether the program books new lines without asking.
    pub automatic: bool,
}

/// Edit of a rule. Fields that are `None` stay unchanged; `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditRule {
    /// The caller's own identifier.
    pub external_id: Option<Option<String>>,
    /// Name.
    pub name: Option<String>,
    /// Position.
    pub position: Option<i64>,
    /// Conditions, all at once.
    pub when: Option<Conditions>,
    /// Booking.
    pub then: Option<RuleOutcome>,
    /// Whether the program books new lines without asking.
    pub automatic: Option<bool>,
    /// Whether the rule is archived.
    pub archived: Option<bool>,
}

/// Conditions of a stored rule.
#[must_use]
pub fn conditions(rule: &BankRule) -> Conditions {
    Conditions {
        bank_account: rule.bank_account_id,
        direction: rule.direction,
        iban: rule.iban.clone(),
        creditor_id: rule.creditor_id.clone(),
        name_contains: rule.name_contains.clone(),
        text_contains: rule.text_contains.clone(),
        amount_from: rule.amount_from,
        amount_to: rule.amount_to,
    }
}

fn with_conditions(rule: BankRule, when: Conditions) -> BankRule {
    BankRule {
        bank_account_id: when.bank_account,
        direction: when.direction,
        iban: when.iban,
        creditor_id: when.creditor_id,
        name_contains: when.name_contains,
        text_contains: when.text_contains,
        amount_from: when.amount_from,
        amount_to: when.amount_to,
        ..rule
    }
}

/// Creates a rule.
///
/// # Errors
/// The account is not Dutch, or has 200 rules; the conditions identify no line; or the booking is
/// not possible in these books.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewRule,
) -> Result<Created<BankRule>, Error> {
    cx.actor.require_dutch()?;
    context::transact(tx, cx, |tx, books, cx| {
        let account = cx.actor.account;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let active = rows::active(tx, account)?;
        if active.len() >= MOST_RULES {
            return Err(Error::fault("", Reason::TooManyRules { most: MOST_RULES }));
        }
        let last = active.iter().map(|rule| rule.position).max().unwrap_or(0);
        let rule = BankRule {
            id: books.next_id(IdSequence::BankRule),
            external_id: command.external_id.clone(),
            name: command.name.clone(),
            position: command.position.unwrap_or(last.saturating_add(1)),
            bank_account_id: None,
            direction: command.when.direction,
            iban: None,
            creditor_id: None,
            name_contains: None,
            text_contains: None,
            amount_from: None,
            amount_to: None,
            outcome: command.then.to_text(),
            automatic: command.automatic,
            archived: false,
            created_at: cx.now(),
            updated_at: cx.now(),
        };
        let rule = with_conditions(rule, command.when.clone());
        check(cx, &rule, &command.then)?;
        require_usable(tx, cx, &command.then)?;
        rows::insert(tx, account, &rule)?;
        if rule.automatic {
            rows::queue(tx, account, cx.env.now)?;
        }
        Ok(Created::New(rule))
    })
}

fn check(cx: &Context, rule: &BankRule, then: &RuleOutcome) -> Result<(), Error> {
    let faults = faults(cx, &conditions(rule), then);
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Requires that the loan and the bank account of a booking can be used. A rule that names them stays
/// when they no longer can.
fn require_usable(tx: &mut Tx<'_>, cx: &Context, then: &RuleOutcome) -> Result<(), Error> {
    match then {
        RuleOutcome::Book(RepeatedBooking::LoanRepayment { loan_id, .. }) => {
            let loan = event_rows::by_id(tx, cx.actor.account, SourceType::Loan, *loan_id)?;
            if loan.is_none_or(|loan| loan.undone_at.is_some()) {
                return Err(Error::fault("/then/loanId", Reason::UnknownLoan));
            }
        }
        RuleOutcome::Book(RepeatedBooking::Transfer { bank_account_id }) => {
            if let Some(bank) = cx.actor.own_accounts.banks().by_id(*bank_account_id) {
                bank_accounts::require_active("/then/bankAccountId", bank)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Faults of conditions and booking in these books.
#[must_use]
pub fn faults(cx: &Context, when: &Conditions, then: &RuleOutcome) -> Vec<Fault> {
    let banks = cx.actor.own_accounts.banks();
    let mut faults = Vec::new();
    let is_identified = when.iban.is_some()
        || when.creditor_id.is_some()
        || when.name_contains.is_some()
        || when.text_contains.is_some();
    if !is_identified {
        faults.push(Fault::new("/when", Reason::RuleWithoutCondition));
    }
    if when.bank_account.is_some_and(|id| banks.by_id(id).is_none()) {
        faults.push(Fault::new("/when/bankAccountId", Reason::UnknownBankAccount));
    }
    if let (Some(from), Some(to)) = (when.amount_from, when.amount_to)
        && from > to
    {
        faults.push(Fault::new("/when/amountTo", Reason::MostBelowLeast { least: from }));
    }
    match then {
        RuleOutcome::Book(RepeatedBooking::Ledger { account, .. }) => {
            let account = cx.actor.own_accounts.resolve(*account);
            if BankAccountKind::of(account).is_some() {
                let reason = Reason::KeptByProgram { account: account.to_string() };
                faults.push(Fault::new("/then/account", reason));
            } else if let Some(reason) = events::unbookable(account) {
                faults.push(Fault::new("/then/account", reason));
            }
        }
        RuleOutcome::Book(RepeatedBooking::Transfer { bank_account_id }) => {
            let is_own = when.bank_account == Some(*bank_account_id);
            if is_own || banks.by_id(*bank_account_id).is_none() {
                faults.push(Fault::new("/then/bankAccountId", Reason::UnknownBankAccount));
            }
        }
        _ => {}
    }
    faults
}

/// Edits a rule. `expected` checks the preconditions on the stored rule.
///
/// # Errors
/// The account is not Dutch; it has no such rule; the rule has changed since the caller read it; or
/// a value is invalid.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditRule,
    expected: &dyn Fn(&BankRule) -> bool,
) -> Result<BankRule, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        let edit = command.clone();
        let rule = BankRule {
            external_id: edit.external_id.unwrap_or_else(|| old.external_id.clone()),
            name: edit.name.unwrap_or_else(|| old.name.clone()),
            position: edit.position.unwrap_or(old.position),
            outcome: edit.then.map_or_else(|| old.outcome.clone(), |then| then.to_text()),
            automatic: edit.automatic.unwrap_or(old.automatic),
            archived: edit.archived.unwrap_or(old.archived),
            ..old.clone()
        };
        let when = edit.when.unwrap_or_else(|| conditions(&old));
        let rule = with_conditions(rule, when);
        if rule == old {
            return Ok(rule);
        }
        if rule.external_id != old.external_id
            && find_by_external_id(tx, cx, rule.external_id.as_deref())?.is_some()
        {
            return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
        }
        if old.archived && !rule.archived && rows::active(tx, account)?.len() >= MOST_RULES {
            return Err(Error::fault("/status", Reason::TooManyRules { most: MOST_RULES }));
        }
        let then = outcome(&rule)?;
        check(cx, &rule, &then)?;
        if rule.outcome != old.outcome {
            require_usable(tx, cx, &then)?;
        }
        let rule = BankRule { updated_at: cx.now(), ..rule };
        rows::update(tx, account, &rule)?;
        if rule.automatic && !rule.archived {
            rows::queue(tx, account, cx.env.now)?;
        }
        Ok(rule)
    })
}

/// Returns the outcome of a stored rule.
pub(crate) fn outcome(rule: &BankRule) -> Result<RuleOutcome, Error> {
    let unreadable = || Error::Internal(format!("rule {} has an unreadable booking", rule.id));
    RuleOutcome::parse(&rule.outcome).ok_or_else(unreadable)
}

/// Archives a rule, so that it is no longer applied. `expected` checks the preconditions.
///
/// # Errors
/// Those of [`edit`].
pub fn archive(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&BankRule) -> bool,
) -> Result<(), Error> {
    let command = EditRule { archived: Some(true), ..EditRule::default() };
    edit(tx, cx, id, &command, expected).map(drop)
}

/// Returns a rule by its id.
///
/// # Errors
/// The account is not Dutch, or has no such rule.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BankRule, Error> {
    cx.actor.require_dutch()?;
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("bank rule"))
}

/// Lists rules with an id above `after`, archived ones included.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<BankRule>, Error> {
    cx.actor.require_dutch()?;
    Ok(rows::list(tx, cx.actor.account, filter, after, limit)?)
}

/// Returns the rule with this external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<BankRule>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Lines of the last 12 months that a rule fits, by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulePreview {
    /// Ids of new lines, which the rule would book.
    pub new: Vec<i64>,
    /// Number of lines that were booked or ignored as the rule says.
    pub agreed: i64,
    /// Ids of lines that were booked or ignored in another way.
    pub contradicted: Vec<i64>,
}

/// Compares a stored rule with the lines of the last 12 months.
///
/// # Errors
/// The account is not Dutch, or has no such rule.
pub fn preview(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<RulePreview, Error> {
    let rule = read(tx, cx, id)?;
    let outcome = outcome(&rule)?;
    compare(tx, cx, &conditions(&rule), &outcome)
}

/// Compares conditions and booking with the lines of the last 12 months.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn compare(
    tx: &mut Tx<'_>,
    cx: &Context,
    when: &Conditions,
    then: &RuleOutcome,
) -> Result<RulePreview, Error> {
    let filter = LineFilter {
        bank_account: when.bank_account,
        days: (Some(first_day(cx.today())), None),
        ..LineFilter::default()
    };
    let mut preview = RulePreview::default();
    let mut before = i64::MAX;
    loop {
        let page = bank_lines::list(tx, cx, &filter, before, CHUNK)?;
        let last = page.rows.last().map(|details| details.line.id);
        for LineDetails { line, allocations, .. } in &page.rows {
            if !when.are_met_by(&scored(line, &[], &[])) {
                continue;
            }
            match then.agrees(line, allocations) {
                None => preview.new.push(line.id),
                Some(true) => preview.agreed += 1,
                Some(false) => preview.contradicted.push(line.id),
            }
        }
        match last {
            Some(last) if page.more => before = last,
            _ => break,
        }
    }
    Ok(preview)
}

/// First day of the 12 months before today.
pub(crate) fn first_day(today: Date) -> Date {
    today.saturating_sub(12.months())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_as_it_was_written() {
        for outcome in [
            RuleOutcome::Book(RepeatedBooking::BankCosts),
            RuleOutcome::Ignore(IgnoreReason::Private),
        ] {
            assert_eq!(RuleOutcome::parse(&outcome.to_text()), Some(outcome));
        }
        assert_eq!(RuleOutcome::parse("ignore"), None);
        assert_eq!(RuleOutcome::parse("ignore\tnever"), None);
    }
}
