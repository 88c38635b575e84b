//! EC sales list, the ICP declaration ("opgaaf intracommunautaire prestaties"): supplies to
//! businesses in other member states, per VAT number.

use crate::{
    csv::Cell,
    sheet::{Format, Sheet},
};
use ledger::{identifiers::VatNumber, money::Cents};
use std::{collections::BTreeMap, io};

/// Kind of supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Supply {
    /// Goods (art. 138 Directive 2006/112/EC).
    Goods,
    /// Services (art. 44).
    Services,
    /// Goods in a simplified triangular transaction (art. 141).
    Triangular,
}

/// Supply to another member state on an invoice or credit note of the period.
#[derive(Clone, Debug)]
pub struct Item {
    /// Number of the document.
    pub document: String,
    /// VAT number of the buyer, if known.
    pub vat_number: Option<VatNumber>,
    /// Kind of supply.
    pub supply: Supply,
    /// Amount in cents excluding VAT; negative on a credit note.
    pub amount: Cents,
}

/// Row of the declaration, in whole euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// VAT number of the buyer.
    pub vat_number: VatNumber,
    /// Goods, whole euros.
    pub goods: i64,
    /// Services, whole euros.
    pub services: i64,
    /// Triangular transactions, whole euros.
    pub triangular: i64,
}

/// Declaration of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Rows, by VAT number.
    pub rows: Vec<Row>,
    /// Sum of the rows, in whole euros.
    pub total: i64,
    /// Exact amount of box 3b of the return, in cents.
    pub box_3b: Cents,
    /// Box 3b minus the exact sum of all items with a VAT number, in cents; zero if they agree.
    pub difference: Cents,
    /// Documents that cause a difference because they lack the buyer's VAT number, and their
    /// amounts.
    pub without_number: Vec<(String, Cents)>,
}

/// Creates the declaration of a period's supplies, and compares it with box 3b of the return.
///
/// Amounts are rounded down to whole euros, as on the return, so a credit of half a euro becomes a
/// whole euro. The total of the rows can therefore be below box 3b by up to a euro per amount. That
/// is not reported as a difference.
///
/// ```
/// use documents::icp::{Item, Supply, declare};
/// use ledger::{identifiers::VatNumber, money::Cents};
///
/// let item = Item {
///     document: "2026-0001".into(),
///     vat_number: Some(VatNumber::parse("DE123456789")?),
///     supply: Supply::Services,
///     amount: Cents::new(200_050),
/// };
/// let list = declare(&[item], Cents::new(200_050));
/// assert_eq!((list.rows[0].services, list.total), (2_000, 2_000));
/// assert_eq!(list.difference, Cents::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Writes the declaration as a list: country, number, goods, services, triangular.
///
/// # Errors
/// Writing fails.
pub fn list(declaration: &Declaration, format: Format) -> io::Result<Vec<u8>> {
    let mut list =
        Sheet::begin(format, &["land", "btw-id", "leveringen", "diensten", "abc-leveringen"])?;
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
        let rows: Vec<_> = declaration
            .rows
            .iter()
            .map(|r| (r.vat_number.as_str(), r.goods, r.services, r.triangular))
            .collect();
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
        let items = [
            item("2026-0007", None, Supply::Services, 30_000),
            item("2026-0008", Some("FR40303265045"), Supply::Goods, 100),
        ];
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
