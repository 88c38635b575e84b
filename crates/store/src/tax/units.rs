//! Units (month, quarter or year) of the periods for which an account files VAT returns. Until the
//! first change, the unit is the quarter.

use crate::{StoreError, Tx, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::parse_date,
    vat_period::{VatUnit, VatUnits},
};

/// A change of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitChange {
    /// First day on which the unit applies.
    pub from: Date,
    /// Unit from that day on.
    pub unit: VatUnit,
    /// Time of recording.
    pub recorded_at: Timestamp,
}

/// Returns the unit that applies at each time, according to the changes.
#[must_use]
pub fn units(changes: &[UnitChange]) -> VatUnits {
    VatUnits::new(changes.iter().map(|change| (change.from, change.unit)).collect())
}

/// Reads the changes from the column `vat_units` of an account, ordered by first day.
pub(crate) fn read(row: &Row<'_>, column: usize) -> Result<Vec<UnitChange>, StoreError> {
    row.parsed(column, |text| text.split_terminator(',').map(parse).collect())
}

/// Parses a change, such as `2026-04-01 month 2026-03-20T10:00:00Z`.
fn parse(text: &str) -> Option<UnitChange> {
    let mut words = text.split(' ');
    let from = parse_date(words.next()?).ok()?;
    let unit = VatUnit::parse(words.next()?)?;
    let recorded_at = words.next()?.parse().ok()?;
    words.next().is_none().then_some(UnitChange { from, unit, recorded_at })
}

/// Replaces all unit changes of an account. `changes` must be ordered by first day.
pub fn put(tx: &mut Tx<'_>, account: i64, changes: &[UnitChange]) -> Result<(), StoreError> {
    let texts: Vec<String> = changes
        .iter()
        .map(|UnitChange { from, unit, recorded_at }| {
            format!("{from} {} {recorded_at}", unit.as_str())
        })
        .collect();
    tx.execute(
        "UPDATE accounts SET vat_units = ?2 WHERE id = ?1",
        &params![account, texts.join(",")],
    )
}
