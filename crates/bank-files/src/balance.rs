//! Sums of a statement: opening balance and lines are the closing balance.

use crate::{refusal::BalanceMismatch, upload::Statement};
use jiff::civil::Date;
use ledger::money::Cents;

/// Returns the first balance of a statement that its lines do not reach; `None` if all fit, or if
/// the statement has no opening balance.
///
/// A balance after each line is compared where the file has one, which finds the first line that
/// does not fit. Amounts cannot overflow: 100 000 lines of the largest amount fit 64 bits.
#[must_use]
pub fn check(statement: &Statement) -> Option<BalanceMismatch> {
    let mut sum = statement.opening?.amount;
    let mismatch = |date: Option<Date>, difference: Cents| BalanceMismatch {
        line: statement.source_line,
        account: statement.account.clone(),
        number: statement.number.clone(),
        date,
        difference,
    };
    for line in &statement.lines {
        sum += line.amount;
        if let Some(stated) = line.balance_after.filter(|stated| *stated != sum) {
            return Some(mismatch(Some(line.date), stated - sum));
        }
    }
    let closing = statement.closing?;
    (closing.amount != sum).then(|| mismatch(Some(closing.date), closing.amount - sum))
}
