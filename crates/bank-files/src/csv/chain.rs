//! Order of lines: banks write the newest or the oldest line first, and balances show which.

use crate::upload::{Balance, Line};
use ledger::money::Cents;

/// Line with the balances and amounts that its row states.
pub(super) struct Row {
    /// Line.
    pub(super) line: Line,
    /// Amount with the fee, if the file has both.
    pub(super) total: Option<Cents>,
    /// Balance after the line.
    pub(super) balance: Option<Cents>,
}

/// Lines from old to new.
pub(super) struct Chain {
    /// Lines.
    pub(super) lines: Vec<Line>,
    /// Balance before the first line.
    pub(super) opening: Option<Balance>,
    /// Balance after the last line of each day.
    pub(super) days: Vec<Balance>,
}

/// Orders rows from old to new. Of the possible orders the one with the fewest lines that do not
/// fit the balances is taken; without balances, the order of the dates.
pub(super) fn order(mut rows: Vec<Row>) -> Chain {
    let has_balances = !rows.is_empty() && rows.iter().all(|row| row.balance.is_some());
    let dates = |rows: &[Row]| Some((rows.first()?.line.date, rows.last()?.line.date));
    let is_newest_first = dates(&rows).is_some_and(|(first, last)| first > last);
    let mut best = breaks(rows.iter(), Amount::Alone).min(breaks(rows.iter(), Amount::Total));
    if is_newest_first || (has_balances && best > 0) {
        let reversed =
            breaks(rows.iter().rev(), Amount::Alone).min(breaks(rows.iter().rev(), Amount::Total));
        if !has_balances || reversed < best || (reversed == best && is_newest_first) {
            rows.reverse();
            best = reversed;
        }
    }
    if has_balances && best > 0 {
        // Days from new to old, with the lines of a day from old to new.
        let mut by_day: Vec<&Row> = rows.iter().collect();
        by_day.sort_by_key(|row| row.line.date);
        let sorted = breaks(by_day.iter().copied(), Amount::Alone);
        by_day.reverse();
        by_day.sort_by_key(|row| row.line.date);
        let turned = breaks(by_day.iter().copied(), Amount::Alone);
        if sorted.min(turned) < best {
            if turned < sorted {
                rows.reverse();
            }
            rows.sort_by_key(|row| row.line.date);
        }
    }
    if breaks(rows.iter(), Amount::Total) < breaks(rows.iter(), Amount::Alone) {
        for row in &mut rows {
            row.line.amount = row.total.unwrap_or(row.line.amount);
        }
    }
    chain(rows, has_balances)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Amount {
    Alone,
    Total,
}

/// Counts the lines that do not lead from the previous balance to the next.
fn breaks<'r>(rows: impl Iterator<Item = &'r Row>, amount: Amount) -> usize {
    let mut previous: Option<Cents> = None;
    let mut count = 0;
    for row in rows {
        let change = match (amount, row.total) {
            (Amount::Total, Some(total)) => total,
            _ => row.line.amount,
        };
        let fits = match (previous, row.balance) {
            (Some(previous), Some(balance)) => previous.checked_add(change) == Some(balance),
            _ => true,
        };
        count += usize::from(!fits);
        previous = row.balance;
    }
    count
}

fn chain(rows: Vec<Row>, has_balances: bool) -> Chain {
    let opening = rows.first().filter(|_| has_balances).and_then(|row| {
        let amount = row.balance? - row.line.amount;
        Some(Balance { date: row.line.date, amount })
    });
    let mut days: Vec<Balance> = Vec::new();
    let mut lines = Vec::with_capacity(rows.len());
    for Row { mut line, balance, .. } in rows {
        line.balance_after = balance;
        if let Some(amount) = balance.filter(|_| has_balances) {
            match days.last_mut() {
                Some(last) if last.date == line.date => last.amount = amount,
                _ => days.push(Balance { date: line.date, amount }),
            }
        }
        lines.push(line);
    }
    Chain { lines, opening, days }
}
