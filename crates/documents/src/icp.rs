//! The ICP declaration ("opgaaf intracommunautaire prestaties"): what went to businesses in other member states, per VAT number.

use crate::{
    csv::Cell,
    sheet::{Format, Sheet},
};
use ledger::{identifiers::VatNumber, money::Cents};
use std::{collections::BTreeMap, io};

/// What was supplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Supply {
    /// Goods (art. 138 Directive 2006/112/EC).
    Goods,
    /// Services (art. 44).
    Services,
    /// Goods by a simplified triangular transaction (art. 141).
    Triangular,
}

/// A supply to another member state on an invoice or credit note of the period.
#[derive(Clone, Debug)]
pub struct Item {
    /// The number of the document.
    pub document: String,
    /// The buyer's VAT number, if it is known.
    pub vat_number: Option<VatNumber>,
    /// What was supplied.
    pub supply: Supply,
    /// Excluding VAT; negative on a credit note.
    pub amount: Cents,
}

/// A row of the declaration, in whole euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The buyer.
    pub vat_number: VatNumber,
    /// Goods, whole euros.
    pub goods: i64,
    /// Services, whole euros.
    pub services: i64,
    /// Triangular transactions, whole euros.
    pub triangular: i64,
}

/// The declaration of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The rows, by VAT number.
    pub rows: Vec<Row>,
    /// What the rows come to, whole euros.
    pub total: i64,
    /// Box 3b of the return, exact.
    pub box_3b: Cents,
    /// What box 3b has more than the items behind the rows, exact: nothing where the two agree.
    pub difference: Cents,
    /// The documents behind a difference: those that lack the buyer's VAT number, and what they carry.
    pub without_number: Vec<(String, Cents)>,
}

/// Makes the declaration of what was supplied in a period, beside box 3b of its return.
///
/// Amounts are rounded down to whole euros, as on the return (a credit of a half euro counts as one): the total of the rows may be less than
/// box 3b by as many euros as there are rows, which is no difference.
#[must_use]
pub fn declare(items: &[Item], box_3b: Cents) -> Declaration {
    let mut sums: BTreeMap<&VatNumber, [Cents; 3]> = BTreeMap::new();
    let mut without_number = Vec::new();
    for item in items {
        match &item.vat_number {
            Some(number) => sums.entry(number).or_default()[item.supply as usize] += item.amount,
            None => without_number.push((item.document.clone(), item.amount)),
        }
    }
    let declared: Cents = sums.values().flatten().copied().sum();
    let rows: Vec<Row> = sums
        .into_iter()
        .map(|(number, [goods, services, triangular])| Row {
            vat_number: number.clone(),
            goods: goods.whole_euros_down(),
            services: services.whole_euros_down(),
            triangular: triangular.whole_euros_down(),
        })
        .filter(|row| (row.goods, row.services, row.triangular) != (0, 0, 0))
        .collect();
    let total = rows.iter().map(|row| row.goods + row.services + row.triangular).sum();
    Declaration { rows, total, box_3b, difference: box_3b - declared, without_number }
}

/// The declaration as a list: country, number, goods, services, triangular.
///
/// # Errors
/// It cannot be written.
pub fn list(declaration: &Declaration, format: Format) -> io::Result<Vec<u8>> {
    let mut list = Sheet::begin(format, &["land", "btw-id", "leveringen", "diensten", "abc-leveringen"])?;
    for row in &declaration.rows {
        let (country, number) = row.vat_number.as_str().split_at(2);
        let euros = [row.goods, row.services, row.triangular].map(Cell::number);
        list.row([Cell::Text(country), Cell::Text(number)].into_iter().chain(euros))?;
    }
    list.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(document: &str, number: Option<&str>, supply: Supply, cents: i64) -> Item {
        let vat_number = number.map(|number| VatNumber::parse(number).unwrap());
        Item { document: document.into(), vat_number, supply, amount: Cents::new(cents) }
    }

    #[test]
    fn supplies_are_added_up_per_number_and_kind() {
        let items = [
            item("2026-0001", Some("DE123456789"), Supply::Services, 100_050),
            item("2026-0002", Some("DE123456789"), Supply::Goods, 20_000),
            item("2026-0003", Some("BE0428759497"), Supply::Triangular, 5_099),
            item("2026-0004", Some("DE123456789"), Supply::Services, -50_000),
        ];
        let declaration = declare(&items, Cents::new(75_149));
        let rows: Vec<_> = declaration.rows.iter().map(|r| (r.vat_number.as_str(), r.goods, r.services, r.triangular)).collect();
        assert_eq!(rows, [("BE0428759497", 0, 0, 50), ("DE123456789", 200, 500, 0)]);
        assert_eq!((declaration.total, declaration.difference), (750, Cents::ZERO));
        let text = String::from_utf8(list(&declaration, Format::Csv).unwrap()).unwrap();
        assert_eq!(
            text,
            "\u{feff}land;btw-id;leveringen;diensten;abc-leveringen\r\nBE;0428759497;0;0;50\r\nDE;123456789;200;500;0\r\n"
        );
    }

    #[test]
    fn a_difference_to_box_3b_names_its_invoices() {
        let items =
            [item("2026-0007", None, Supply::Services, 30_000), item("2026-0008", Some("FR40303265045"), Supply::Goods, 100)];
        let declaration = declare(&items, Cents::new(30_100));
        assert_eq!(declaration.difference, Cents::new(30_000));
        assert_eq!(declaration.without_number, [("2026-0007".to_owned(), Cents::new(30_000))]);
    }

    #[test]
    fn a_number_whose_supplies_were_all_credited_is_left_out() {
        let items = [
            item("2026-0001", Some("DE123456789"), Supply::Services, 100),
            item("2026-0002", Some("DE123456789"), Supply::Services, -100),
        ];
        assert_eq!(declare(&items, Cents::ZERO).rows, []);
    }
}
