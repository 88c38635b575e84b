use super::*;
use crate::kor::CountedInvoice;

const LIMIT: Cents = Cents::new(1_000_000);

fn country(code: &str) -> CountryCode {
    CountryCode::parse(code).unwrap()
}

fn quarter(text: &str) -> Quarter {
    let (year, number) = text.split_once("-Q").unwrap();
    Quarter::new(year.parse().unwrap(), number.parse().unwrap()).unwrap()
}

fn row(code: &str, supply: Supply, rate: u16, base: i64, vat: i64) -> Row {
    Row {
        country: country(code),
        supply,
        rate: VatRate::from_basis_points(rate),
        base: Cents::new(base),
        vat: Cents::new(vat),
    }
}

/// Goods at 19 % to Germany.
fn goods(base: i64) -> Row {
    row("DE", Supply::Goods, 1_900, base, base * 19 / 100)
}

fn invoice(day: Date, row: Row) -> Supplied {
    Supplied::new(day, None, row)
}

fn credit(supplied: Date, on: Date, row: Row) -> Supplied {
    Supplied::new(supplied, Some(on), row)
}

fn corrections(declaration: &Declaration) -> Vec<(String, String, i64)> {
    let shown = |Correction { quarter, country, vat }: &Correction| {
        let quarter = format!("{}-Q{}", quarter.year(), quarter.number());
        (quarter, country.to_string(), vat.get())
    };
    declaration.corrections.iter().map(shown).collect()
}

#[test]
fn the_law_names_the_supplies_that_count() {
    use Supply::{Electronic, Goods, Services, Triangular};
    let (none, here, there) = (None, Some(CountryCode::NL), Some(country("DE")));
    let cases = [
        (VatCategory::Standard, Goods, none, true),
        (VatCategory::Standard, Electronic, none, true),
        (VatCategory::Standard, Services, none, false),
        (VatCategory::Standard, Triangular, none, false),
        (VatCategory::Standard, Goods, here, false),
        (VatCategory::Oss, Goods, there, true),
        (VatCategory::Oss, Electronic, there, true),
        // Work on a house abroad (art. 6b) is declared by the scheme, but not counted.
        (VatCategory::Oss, Services, there, false),
        (VatCategory::SmallBusiness, Goods, none, true),
        (VatCategory::Exempt, Goods, none, false),
        (VatCategory::IntraCommunity, Goods, none, false),
        (VatCategory::OutOfScope, Goods, none, false),
    ];
    for (category, supply, tax_country, counted) in cases {
        assert_eq!(counts(category, supply, tax_country), counted, "{category:?} {supply:?}");
    }
}

#[test]
fn another_member_state_taxes_and_no_other_country_does() {
    let on = date(2026, 3, 15);
    let cases = [
        ("DE", Some("DE")),
        ("MC", Some("FR")),
        ("NL", None),
        ("US", None),
        ("GB", None),
        ("CH", None),
    ];
    for (code, wanted) in cases {
        assert_eq!(member_state(country(code), on), wanted.map(country), "{code}");
    }
}

#[test]
fn exactly_the_threshold_does_not_pass_it() {
    let year = |invoices: &[(i64, Date, i64)]| {
        let counted = |(id, day, cents): &(i64, Date, i64)| CountedInvoice {
            id: *id,
            day: *day,
            amount: Cents::new(*cents),
        };
        Turnover::new(LIMIT, invoices.iter().map(counted).collect())
    };
    let (march, may) = (date(2026, 3, 1), date(2026, 5, 20));
    let nothing = year(&[]);
    assert_eq!(obliged_from(&nothing, &year(&[(1, march, 1_000_000)])), None);
    let passed = year(&[(1, march, 1_000_000), (2, may, 1)]);
    assert_eq!(obliged_from(&nothing, &passed), Some(may));
    // A threshold passed last year obliges this year too.
    let last = year(&[(1, date(2025, 11, 3), 1_000_001)]);
    assert_eq!(obliged_from(&last, &nothing), Some(date(2025, 11, 3)));
}

#[test]
fn a_registration_lasts_until_the_end_of_the_next_year_at_least() {
    for (from, end) in [
        (date(2026, 1, 1), date(2027, 12, 31)),
        (date(2026, 10, 1), date(2027, 12, 31)),
        (date(2026, 12, 31), date(2027, 12, 31)),
    ] {
        assert_eq!(earliest_end(from), end);
    }
    let registrations = [
        Registration { from: date(2024, 1, 1), until: Some(date(2025, 12, 31)) },
        Registration { from: date(2026, 5, 20), until: None },
    ];
    for (day, registered) in [
        (date(2023, 12, 31), false),
        (date(2024, 1, 1), true),
        (date(2025, 12, 31), true),
        (date(2026, 1, 1), false),
        (date(2026, 5, 19), false),
        (date(2026, 5, 20), true),
    ] {
        assert_eq!(is_registered(&registrations, day), registered, "{day}");
    }
}

#[test]
fn a_return_is_due_at_the_end_of_the_next_month_and_corrected_for_three_years() {
    for (of, due) in [
        ("2026-Q1", date(2026, 4, 30)),
        ("2026-Q2", date(2026, 7, 31)),
        ("2026-Q3", date(2026, 10, 31)),
        ("2026-Q4", date(2027, 1, 31)),
    ] {
        assert_eq!(due_date(quarter(of)), due);
    }
    assert!(!is_too_old(quarter("2026-Q4"), date(2030, 1, 31)));
    assert!(is_too_old(quarter("2026-Q4"), date(2030, 2, 1)));
}

#[test]
fn rows_are_by_country_supply_and_rate() {
    let day = date(2026, 11, 10);
    let supplied = [
        invoice(day, row("FR", Supply::Services, 2_000, 10_000, 2_000)),
        invoice(day, row("DE", Supply::Goods, 700, 10_000, 700)),
        invoice(day, goods(10_000)),
        invoice(day, goods(5_000)),
        invoice(day, row("DE", Supply::Services, 1_900, 1_000, 190)),
    ];
    let returns = Returns::new([], &supplied, BTreeMap::new());
    let declaration = returns.of(quarter("2026-Q4")).unwrap();
    assert_eq!(
        declaration.rows,
        [
            row("DE", Supply::Services, 1_900, 1_000, 190),
            goods(15_000),
            row("DE", Supply::Goods, 700, 10_000, 700),
            row("FR", Supply::Services, 2_000, 10_000, 2_000),
        ]
    );
    assert_eq!(declaration.payable(), Cents::new(190 + 2_850 + 700 + 2_000));
}

#[test]
fn a_credit_is_less_in_its_own_quarter_and_a_correction_in_a_later_one() {
    let sold = date(2026, 8, 10);
    let supplied = [
        invoice(sold, goods(100_000)),
        credit(sold, date(2026, 9, 30), goods(-20_000)),
        credit(sold, date(2026, 10, 1), goods(-30_000)),
        // A note of before the supply belongs to the supply.
        credit(date(2026, 10, 20), date(2026, 9, 1), goods(-1_000)),
        invoice(date(2026, 10, 20), goods(1_000)),
    ];
    let returns = Returns::new([], &supplied, BTreeMap::new());
    assert_eq!(returns.of(quarter("2026-Q3")).unwrap().rows, [goods(80_000)]);
    let fourth = returns.of(quarter("2026-Q4")).unwrap();
    assert_eq!(fourth.rows, []);
    assert_eq!(corrections(fourth), [("2026-Q3".into(), "DE".into(), -5_700)]);
    // Germany pays back; nothing is to be paid.
    assert_eq!((fourth.payable(), fourth.reclaimed()), (Cents::ZERO, Cents::new(5_700)));
}

#[test]
fn what_falls_into_a_filed_quarter_is_corrected_once_on_the_next_open_return() {
    let third = date(2026, 8, 10);
    let declared = Declaration { rows: vec![goods(100_000)], corrections: Vec::new() };
    let mut supplied = vec![invoice(third, goods(100_000)), invoice(third, goods(10_000))];
    supplied.push(invoice(third, row("BE", Supply::Goods, 2_100, 1_000, 210)));
    let filed = BTreeMap::from([(quarter("2026-Q3"), declared.clone())]);
    let open = [quarter("2026-Q4"), quarter("2027-Q1")];
    let returns = Returns::new(open, &supplied, filed.clone());
    assert_eq!(returns.of(quarter("2026-Q3")), Some(&declared));
    let fourth = returns.of(quarter("2026-Q4")).unwrap().clone();
    let wanted = [
        ("2026-Q3".to_owned(), "BE".to_owned(), 210),
        ("2026-Q3".to_owned(), "DE".to_owned(), 1_900),
    ];
    assert_eq!(corrections(&fourth), wanted);
    assert!(returns.of(quarter("2027-Q1")).unwrap().is_empty());
    // Filed in its turn, it is not corrected again, but what came after it is.
    let filed = BTreeMap::from([(quarter("2026-Q3"), declared), (quarter("2026-Q4"), fourth)]);
    supplied.push(invoice(third, goods(200)));
    let returns = Returns::new(open, &supplied, filed);
    let first = returns.of(quarter("2027-Q1")).unwrap();
    assert_eq!(corrections(first), [("2026-Q3".into(), "DE".into(), 38)]);
}

#[test]
fn a_reopened_return_follows_the_books_and_later_filed_ones_are_evened_out() {
    let third = date(2026, 8, 10);
    let supplied = [invoice(third, goods(100_000)), invoice(third, goods(10_000))];
    // The return of the fourth quarter was filed with the correction of the third, which was then
    // reopened and now has all of it in its rows.
    let correction =
        Correction { quarter: quarter("2026-Q3"), country: country("DE"), vat: Cents::new(1_900) };
    let fourth = Declaration { rows: Vec::new(), corrections: vec![correction] };
    let filed = BTreeMap::from([(quarter("2026-Q4"), fourth)]);
    let returns = Returns::new([quarter("2027-Q1")], &supplied, filed);
    assert_eq!(returns.of(quarter("2026-Q3")).unwrap().rows, [goods(110_000)]);
    let first = returns.of(quarter("2027-Q1")).unwrap();
    assert_eq!(corrections(first), [("2026-Q3".into(), "DE".into(), -1_900)]);
}

#[test]
fn credits_over_fourteen_quarters_add_up_to_what_was_sold() {
    let sold = date(2023, 2, 1);
    let mut supplied = vec![invoice(sold, goods(1_400_000))];
    let days = (0..14).map(|n: i16| date(2023 + n / 4, i8::try_from(n % 4).unwrap() * 3 + 3, 15));
    supplied.extend(days.map(|day| credit(sold, day, goods(-100_000))));
    let returns = Returns::new([], &supplied, BTreeMap::new());
    assert_eq!(returns.of(quarter("2023-Q1")).unwrap().rows, [goods(1_300_000)]);
    let later: Vec<_> = returns.quarters().skip(1).collect();
    assert_eq!(later.len(), 13);
    for quarter in later {
        let corrected = corrections(returns.of(quarter).unwrap());
        assert_eq!(corrected, [("2023-Q1".into(), "DE".into(), -19_000)]);
    }
}
