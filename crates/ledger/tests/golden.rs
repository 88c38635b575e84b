//! Worked examples that others published, each with its source, down to the cent.

#![expect(clippy::unwrap_used, reason = "a test may panic, also in what it calls")]

use ledger::{
    calendar::{Date, parse_date},
    credit_note, decimal,
    invoice::{self, Line, Priced, Prices},
    money::Cents,
    vat::{Supply, VatBox, VatCategory, VatRate},
};

/// Quantity, price per unit excluding VAT, rate in per cent, category, and the amount that the example prints.
type Row = (&'static str, &'static str, u16, VatCategory, i64);

/// Standard rate.
const S: VatCategory = VatCategory::Standard;
/// Exempt.
const E: VatCategory = VatCategory::Exempt;

fn lines(rows: &[Row]) -> Vec<Line> {
    let line = |(quantity, price, percent, category, _): &Row| Line {
        description: "item".into(),
        quantity: decimal::parse(quantity).unwrap(),
        unit_price: decimal::parse(price).unwrap(),
        vat_rate: VatRate::from_basis_points(percent * 100),
        vat_category: *category,
        supply: Supply::Services,
        sets_off: None,
    };
    rows.iter().map(line).collect()
}

/// Rate in per cent, base and VAT in cents, box.
type Group = (u16, i64, i64, Option<VatBox>);

fn check(priced: &Priced, rows: &[Row], groups: &[Group], subtotal: i64, total: i64) {
    let amounts: Vec<i64> = priced.line_amounts.iter().map(|amount| amount.get()).collect();
    let printed: Vec<i64> = rows.iter().map(|row| row.4).collect();
    assert_eq!(amounts, printed);
    let found: Vec<Group> = priced
        .groups
        .iter()
        .map(|group| (group.rate.basis_points() / 100, group.base.get(), group.amount.get(), group.vat_box))
        .collect();
    assert_eq!(found, groups);
    assert_eq!((priced.subtotal, priced.total), (Cents::new(subtotal), Cents::new(total)));
}

fn day(text: &str) -> Date {
    parse_date(text).unwrap()
}

// The examples of the European standard EN 16931, published by the European Commission with its validation artefacts
// (github.com/ConnectingEurope/eInvoicing-EN16931, folder ubl/examples). Line discounts and charges of the documents do not occur in
// those taken over here; a price per twelve ("BaseQuantity 12") is given per one.

/// `ubl-tc434-example1.xml`: a Dutch wholesaler, two rates, and a crate returned as a negative line.
#[test]
fn en_16931_example_1_a_dutch_wholesaler_with_two_rates() {
    let rows: [Row; 20] = [
        ("2", "9.95", 6, S, 1_990),
        ("1", "9.85", 6, S, 985),
        ("1", "8.29", 6, S, 829),
        ("2", "7.23", 6, S, 1_446),
        ("1", "35.00", 6, S, 3_500),
        ("1", "35.00", 6, S, 3_500),
        ("1", "10.65", 6, S, 1_065),
        ("1", "1.55", 6, S, 155),
        ("3", "4.79", 6, S, 1_437),
        ("1", "8.29", 6, S, 829),
        ("2", "8.29", 6, S, 1_658),
        ("1", "9.95", 6, S, 995),
        ("2", "1.65", 6, S, 330),
        ("1", "10.80", 21, S, 1_080),
        ("1", "3.90", 6, S, 390),
        ("2", "3.80", 21, S, 760),
        ("2", "4.67", 21, S, 934),
        ("1", "18.63", 21, S, 1_863),
        ("6", "17.02", 6, S, 10_212),
        ("-6", "18.33", 6, S, -10_998),
    ];
    let priced = invoice::price(&lines(&rows), day("2015-01-09"), Prices::Net).unwrap();
    let groups = [(21, 4_637, 974, Some(VatBox::B1a)), (6, 18_323, 1_099, Some(VatBox::B1b))];
    check(&priced, &rows, &groups, 22_960, 25_033);
}

/// `ubl-tc434-example8.xml`: a Dutch energy bill with prices of five decimals.
#[test]
fn en_16931_example_8_a_dutch_energy_bill() {
    let rows: [Row; 10] = [
        ("16000", "0.00880", 21, S, 14_080),
        ("16000", "0.00101", 21, S, 1_616),
        ("132", "1.27", 21, S, 16_764),
        ("58", "1.53", 21, S, 8_874),
        ("1", "36.75", 21, S, 3_675),
        ("1", "56.50", 21, S, 5_650),
        ("1", "83.34", 21, S, 8_334),
        ("1", "190.31", 21, S, 19_031),
        ("1", "64.21", 21, S, 6_421),
        ("1", "64.46", 21, S, 6_446),
    ];
    let priced = invoice::price(&lines(&rows), day("2014-11-10"), Prices::Net).unwrap();
    check(&priced, &rows, &[(21, 90_891, 19_087, Some(VatBox::B1a))], 90_891, 109_978);
}

/// `ubl-tc434-example9.xml`: a Dutch invoice of one line.
#[test]
fn en_16931_example_9_one_line() {
    let rows: [Row; 1] = [("3", "49.00", 21, S, 14_700)];
    let priced = invoice::price(&lines(&rows), day("2015-04-01"), Prices::Net).unwrap();
    check(&priced, &rows, &[(21, 14_700, 3_087, Some(VatBox::B1a))], 14_700, 17_787);
}

/// `ubl-tc434-creditnote1.xml`: a credit note of exempt supplies. The standard writes its amounts as positive, we as negative.
#[test]
fn en_16931_credit_note_1() {
    let rows: [Row; 1] = [("-1.00", "100.11", 0, E, -10_011)];
    let priced = credit_note::price_again(&lines(&rows), day("2019-09-23"), Prices::Net, &[]).unwrap();
    check(&priced, &rows, &[(0, -10_011, 0, None)], -10_011, -10_011);
}

/// `BIS3_Invoice_positive.XML` and `BIS3_Invoice_negativ.XML`: 25 % of 625 743.54 is 156 435.885, a half cent, and is printed as
/// 156 435.89 with either sign: away from zero.
#[test]
fn en_16931_a_half_cent_is_rounded_away_from_zero_on_both_sides() {
    let (on, other_rate) = (day("2019-01-25"), Some(VatBox::B1c));
    let rows: [Row; 1] = [("1", "625743.54", 25, S, 62_574_354)];
    let priced = invoice::price(&lines(&rows), on, Prices::Net).unwrap();
    check(&priced, &rows, &[(25, 62_574_354, 15_643_589, other_rate)], 62_574_354, 78_217_943);

    let rows: [Row; 1] = [("-1", "625743.54", 25, S, -62_574_354)];
    let priced = credit_note::price_again(&lines(&rows), on, Prices::Net, &[]).unwrap();
    check(&priced, &rows, &[(25, -62_574_354, -15_643_589, other_rate)], -62_574_354, -78_217_943);
}

/// The three examples of boekhouden-met-gnucash (github.com/mauritslamers/boekhouden-met-gnucash, pages/vat/whatisvat.md), a Dutch course
/// in bookkeeping: VAT on 15.75, on 200.00 and on 432.50, and what the customer pays.
#[test]
fn a_dutch_course_in_bookkeeping() {
    for (price, base, vat, total) in
        [("15.75", 1_575, 331, 1_906), ("200", 20_000, 4_200, 24_200), ("432.50", 43_250, 9_083, 52_333)]
    {
        let rows: [Row; 1] = [("1", price, 21, S, base)];
        let priced = invoice::price(&lines(&rows), day("2021-06-01"), Prices::Net).unwrap();
        check(&priced, &rows, &[(21, base, vat, Some(VatBox::B1a))], base, total);
    }
}
