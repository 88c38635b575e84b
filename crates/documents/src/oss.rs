//! Return of the Union scheme (OSS) as a file, in the order of the form of the tax office.

use crate::{
    csv::Cell,
    sheet::{Format, Sheet},
};
use ledger::{
    calendar::Quarter,
    decimal::Decimal,
    oss::{Correction, Declaration, Row},
    vat::Supply,
};
use std::io;

/// Writes the rows and the corrections. The columns are the country that taxes the supplies, goods
/// or services, the country from which they are supplied, the kind of rate (`rate_type`), the rate,
/// the amount excluding VAT, the VAT and, for a correction, the corrected quarter.
///
/// # Errors
/// Writing fails.
pub fn return_file(
    declaration: &Declaration,
    rate_type: impl Fn(&Row) -> &'static str,
    format: Format,
) -> io::Result<Vec<u8>> {
    let columns =
        ["lidstaat", "soort", "vanuit", "tariefsoort", "tarief", "omzet", "btw", "correctie op"];
    let mut list = Sheet::begin(format, &columns)?;
    for row in &declaration.rows {
        let kind = if row.supply == Supply::Goods { "goederen" } else { "diensten" };
        list.row([
            Cell::Text(row.country.as_str()),
            Cell::Text(kind),
            Cell::Text("NL"),
            Cell::Text(rate_type(row)),
            Cell::number(row.rate.percent()),
            Cell::number(Decimal::new(row.base.get(), 2)),
            Cell::number(Decimal::new(row.vat.get(), 2)),
            Cell::Empty,
        ])?;
    }
    for Correction { quarter, country, vat } in &declaration.corrections {
        let corrects = quarter_id(*quarter);
        let own = [Cell::number(Decimal::new(vat.get(), 2)), Cell::Text(&corrects)];
        let empty = std::iter::repeat_n(Cell::Empty, 5);
        list.row(std::iter::once(Cell::Text(country.as_str())).chain(empty).chain(own))?;
    }
    list.finish()
}

fn quarter_id(quarter: Quarter) -> String {
    format!("{}-Q{}", quarter.year(), quarter.number())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::{country::CountryCode, money::Cents, vat::VatRate};

    #[test]
    fn a_return_has_its_rows_and_then_its_corrections() {
        let germany = CountryCode::parse("DE").unwrap();
        let declaration = Declaration {
            rows: vec![Row {
                country: germany,
                supply: Supply::Goods,
                rate: VatRate::from_basis_points(1_900),
                base: Cents::new(100_050),
                vat: Cents::new(19_010),
            }],
            corrections: vec![Correction {
                quarter: Quarter::new(2026, 3).unwrap(),
                country: germany,
                vat: Cents::new(-5_700),
            }],
        };
        let file = return_file(&declaration, |_| "standaard", Format::Csv).unwrap();
        assert_eq!(
            String::from_utf8(file).unwrap(),
            "\u{feff}lidstaat;soort;vanuit;tariefsoort;tarief;omzet;btw;correctie op\r\n\
             DE;goederen;NL;standaard;19;1000,50;190,10;\r\n\
             DE;;;;;;-57,00;2026-Q3\r\n"
        );
    }
}
