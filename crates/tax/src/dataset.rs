//! Data sets: tables of figures, each row with its source and period of validity.
//!
//! A data set is one TOML file in `data/`. Figures that the bookkeeping itself uses (VAT rates,
//! VAT return boxes, chart of accounts) come from `ledger`, so that each figure is defined once.

mod computed;
mod read;
mod selection;
mod table;
#[cfg(test)]
mod tests;

pub use crate::status::Status;
pub use selection::Selection;
pub use table::{Column, ColumnKind, Dataset, Row};

use std::sync::LazyLock;

/// The licence of all data sets (SPDX).
pub const LICENCE: &str = "CC0-1.0";
/// URL of the licence text.
pub const LICENCE_URL: &str = "https://creativecommons.org/publicdomain/zero/1.0/";

static DATASETS: LazyLock<Vec<Dataset>> = LazyLock::new(|| {
    read::all().expect("the data files are compiled in and the tests read them all")
});

/// Returns all data sets, in the order of the index.
#[must_use]
pub fn all() -> &'static [Dataset] {
    &DATASETS
}

/// Returns the data set with this id.
///
/// ```
/// use ledger::calendar::parse_date;
/// use tax::{Language, dataset};
///
/// let mileage = dataset::find("mileage-allowance").expect("it exists");
/// let row = mileage.in_force_on(parse_date("2026-03-15")?).next().expect("a figure of 2026");
/// assert_eq!(row.get("amountPerKm").expect("a value").plain(Language::English), "0.25");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find(id: &str) -> Option<&'static Dataset> {
    DATASETS.iter().find(|dataset| dataset.id == id)
}
