//! EC sales list, the ICP declaration ("opgaaf intracommunautaire prestaties"), as a file.

use crate::{
    csv::Cell,
    sheet::{Format, Sheet},
};
use ledger::icp::{Declaration, Row};
use std::io;

/// Writes the rows and the corrections. The columns are the country, the VAT number, the amounts of
/// goods, services and triangular supplies in whole euros, and, if there are corrections, the
/// corrected period.
///
/// # Errors
/// Writing fails.
pub fn list(declaration: &Declaration, format: Format) -> io::Result<Vec<u8>> {
    let columns = ["land", "btw-id", "leveringen", "diensten", "abc-leveringen", "correctie op"];
    let has_corrections = declaration.declared_corrections().next().is_some();
    let columns = if has_corrections { &columns[..] } else { &columns[..5] };
    let mut list = Sheet::begin(format, columns)?;
    let own = declaration.declared_rows().map(|row| (row, String::new()));
    let corrections = declaration
        .declared_corrections()
        .map(|correction| (&correction.row, correction.period.to_string()));
    for (Row { vat_number, declared, .. }, corrects) in own.chain(corrections) {
        let (country, number) = vat_number.as_str().split_at(2);
        let texts = [Cell::Text(country), Cell::Text(number)].into_iter();
        let corrects = has_corrections.then_some(Cell::Text(&corrects));
        list.row(texts.chain(declared.all().map(Cell::number)).chain(corrects))?;
    }
    list.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use ledger::{
        icp::{Amounts, Correction},
        identifiers::VatNumber,
        money::Cents,
        vat_period::VatPeriod,
    };

    #[test]
    fn a_list_has_its_rows_and_then_its_corrections() {
        let row = |number: &str, goods: i64, services: i64| Row {
            vat_number: VatNumber::parse(number).unwrap(),
            exact: Amounts::default(),
            declared: Amounts { goods, services, triangular: 0 },
        };
        let period = VatPeriod::quarter(2026, 1).unwrap();
        let declaration = Declaration {
            first_day: date(2026, 4, 1),
            last_day: date(2026, 6, 30),
            rows: vec![row("BE0428759497", 50, 0), row("DE123456789", 0, 0)],
            corrections: vec![Correction { period, row: row("DE123456789", 0, -700) }],
            box_3b: Cents::ZERO,
            difference: Cents::ZERO,
            without_number: Vec::new(),
        };
        let text = String::from_utf8(list(&declaration, Format::Csv).unwrap()).unwrap();
        assert_eq!(
            text,
            "\u{feff}land;btw-id;leveringen;diensten;abc-leveringen;correctie op\r\nBE;0428759497;50;0;0;\r\nDE;123456789;0;-700;0;2026-Q1\r\n"
        );
    }
}
