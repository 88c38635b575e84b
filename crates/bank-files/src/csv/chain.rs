//! Order of lines: banks write the newest or the oldest line first, and balances show which.

use crate::upload::{Balance, Line};
use ledger::money::Cents;

/// Lines from old to new.
pub(super) struct Chain {
    /// Lines.
    pub(super) lines: Vec<Line>,
    /// Balance before the first line.
    pub(super) opening: Option<Balance>,
    /// Balance after the last line of each day.
    pub(super) days: Vec<Balance>,
}

/// Orders lines from old to new. Of the possible orders the one with the fewest lines that do not
/// fit the balances is taken; without balances, the order of the dates.
///
/// `totals` are the amounts with fees, of all lines or none: they take the place of the amounts if
/// the balances fit them better.
pub(super) fn order(mut lines: Vec<Line>, totals: &[Cents]) -> Chain {
    let has_balances = !lines.is_empty() && lines.iter().all(|line| line.balance_after.is_some());
    if totals.len() == lines.len() && has_balances {
        let total = |index: usize| totals[index];
        let amount = |index: usize| lines[index].amount;
        if fewest_breaks(&lines, total) < fewest_breaks(&lines, amount) {
            lines.iter_mut().zip(totals).for_each(|(line, total)| line.amount = *total);
        }
    }
    let is_newest_first =
        lines.first().zip(lines.last()).is_some_and(|(first, last)| first.date > last.date);
    if has_balances {
        by_balances(&mut lines, is_newest_first);
    } else if is_newest_first {
        lines.reverse();
    }
    chain(lines, has_balances)
}

fn by_balances(lines: &mut [Line], is_newest_first: bool) {
    let forward = breaks(lines.iter());
    if forward == 0 && !is_newest_first {
        return;
    }
    let backward = breaks(lines.iter().rev());
    if backward < forward || (backward == forward && is_newest_first) {
        lines.reverse();
    }
    let best = forward.min(backward);
    if best == 0 {
        return;
    }
    // Days from new to old, with the lines of a day from old to new, or the reverse.
    let mut by_day: Vec<&Line> = lines.iter().collect();
    by_day.sort_by_key(|line| line.date);
    let sorted = breaks(by_day.iter().copied());
    by_day.reverse();
    by_day.sort_by_key(|line| line.date);
    let turned = breaks(by_day.iter().copied());
    if sorted.min(turned) < best {
        if turned < sorted {
            lines.reverse();
        }
        lines.sort_by_key(|line| line.date);
    }
}

/// Counts the lines that do not lead from the previous balance to the next.
fn breaks<'l>(lines: impl Iterator<Item = &'l Line>) -> usize {
    count_breaks(lines.map(|line| (line.amount, line.balance_after)))
}

/// Returns the breaks in the better of both directions, with other amounts.
fn fewest_breaks(lines: &[Line], amount: impl Fn(usize) -> Cents) -> usize {
    let change = |index: usize| (amount(index), lines[index].balance_after);
    let forward = count_breaks((0..lines.len()).map(change));
    forward.min(count_breaks((0..lines.len()).rev().map(change)))
}

fn count_breaks(changes: impl Iterator<Item = (Cents, Option<Cents>)>) -> usize {
    let mut previous: Option<Cents> = None;
    let mut count = 0;
    for (amount, balance) in changes {
        let fits = match (previous, balance) {
            (Some(previous), Some(balance)) => previous.checked_add(amount) == Some(balance),
            _ => true,
        };
        count += usize::from(!fits);
        previous = balance;
    }
    count
}

fn chain(lines: Vec<Line>, has_balances: bool) -> Chain {
    let opening = lines.first().filter(|_| has_balances).and_then(|line| {
        Some(Balance { date: line.date, amount: line.balance_after? - line.amount })
    });
    let mut days: Vec<Balance> = Vec::new();
    for line in lines.iter().filter(|_| has_balances) {
        let Some(amount) = line.balance_after else { continue };
        match days.last_mut() {
            Some(last) if last.date == line.date => last.amount = amount,
            _ => days.push(Balance { date: line.date, amount }),
        }
    }
    Chain { lines, opening, days }
}
