//! Decisions by closing balances.

use super::{Entry, Outcome};
use crate::upload::Balance;
use jiff::civil::Date;
use ledger::money::Cents;
use std::collections::BTreeMap;

/// Decision about an incoming line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The balances decide nothing.
    Open,
    /// Without the line the balances fit.
    Existing,
    /// With the line the balances fit.
    New,
}

/// Period between two closing balances.
#[derive(Default)]
struct Period {
    /// Change of the balance.
    change: Cents,
    /// Sum of the known lines, and of the incoming ones that no rule matches.
    certain: Cents,
    /// Incoming lines that rule 3 or 4 may match.
    candidates: Vec<usize>,
}

/// Decides about the candidates of the periods that begin and end with a closing balance.
///
/// The files must not contradict each other: a day with two closing balances ends no period.
pub(super) fn verdicts(
    known: &[Entry<'_>],
    incoming: &[Entry<'_>],
    outcomes: &[Option<Outcome>],
    candidates: &[bool],
    known_balances: &[Balance],
    incoming_balances: &[Balance],
) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::Open; incoming.len()];
    if known_balances.is_empty() || incoming_balances.is_empty() {
        return verdicts;
    }
    let mut periods = periods(known_balances, incoming_balances);
    for entry in known {
        if let Some(period) = period_of(&mut periods, entry.date) {
            period.certain = add(period.certain, entry.amount);
        }
    }
    for (index, entry) in
        incoming.iter().enumerate().filter(|(index, _)| outcomes[*index].is_none())
    {
        let Some(period) = period_of(&mut periods, entry.date) else { continue };
        if candidates[index] {
            period.candidates.push(index);
        } else {
            period.certain = add(period.certain, entry.amount);
        }
    }
    for period in periods.values() {
        decide(period, incoming, &mut verdicts);
    }
    verdicts
}

/// Returns the periods by their last day. The period of the first balance has no beginning.
fn periods(known: &[Balance], incoming: &[Balance]) -> BTreeMap<Date, Period> {
    let mut days: BTreeMap<Date, Option<Cents>> = BTreeMap::new();
    for balance in known.iter().chain(incoming) {
        days.entry(balance.date)
            .and_modify(|amount| *amount = amount.filter(|amount| *amount == balance.amount))
            .or_insert(Some(balance.amount));
    }
    let mut periods = BTreeMap::new();
    let mut previous: Option<Cents> = None;
    for (date, amount) in days {
        let Some(amount) = amount else {
            previous = None;
            continue;
        };
        let change = previous.map(|previous| amount - previous);
        // A period without beginning gets lines, but decides nothing: its change is unreachable.
        periods.insert(date, Period { change: change.unwrap_or(UNKNOWN), ..Period::default() });
        previous = Some(amount);
    }
    periods
}

/// Change of a period without beginning: no sum of lines reaches it.
const UNKNOWN: Cents = Cents::new(i64::MAX);

/// Adds without overflow; the result is unreachable if it does not fit.
fn add(sum: Cents, amount: Cents) -> Cents {
    sum.checked_add(amount).unwrap_or(Cents::new(i64::MIN + 1))
}

fn period_of(periods: &mut BTreeMap<Date, Period>, date: Date) -> Option<&mut Period> {
    periods.range_mut(date..).next().map(|(_, period)| period)
}

/// Decides about the candidates of a period: none, all, or some of several equal ones are needed.
fn decide(period: &Period, incoming: &[Entry<'_>], verdicts: &mut [Verdict]) {
    if period.change == UNKNOWN || period.candidates.is_empty() {
        return;
    }
    let missing = add(period.change, Cents::new(-period.certain.get()));
    let amounts = || period.candidates.iter().map(|index| incoming[*index].amount);
    let sum = amounts().fold(Cents::ZERO, add);
    if sum.is_zero() {
        // The balances fit with and without the lines.
        return;
    }
    let first = incoming[period.candidates[0]].amount;
    let needed = if missing.is_zero() {
        0
    } else if missing == sum {
        period.candidates.len()
    } else if !first.is_zero()
        && amounts().all(|amount| amount == first)
        && missing.get() % first.get() == 0
    {
        let count = missing.get() / first.get();
        match usize::try_from(count) {
            Ok(count) if count <= period.candidates.len() => count,
            _ => return,
        }
    } else {
        return;
    };
    let known = period.candidates.len() - needed;
    for (place, index) in period.candidates.iter().enumerate() {
        verdicts[*index] = if place < known { Verdict::Existing } else { Verdict::New };
    }
}
