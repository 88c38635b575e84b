//! Expected postings of each kind of document.

use super::*;
use crate::{
    country::CountryCode,
    credit_note, decimal,
    discount::Discount,
    entry::SourceType,
    invoice::{self, Line, Prices},
    language::Language,
    purchase::{BusinessShare, Deduction, PurchaseLine, VatTreatment},
    vat::Supply,
    vat_period::{VatPeriod, VatUnit},
    vat_return::{Total, vat_return},
    write_off::{WrittenOff, between, between_deferred, parts},
};
use jiff::civil::date;

mod disposals;
mod own_accounts;

const ON: Date = date(2026, 3, 15);
const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

fn cents(cents: i64) -> Cents {
    Cents::new(cents)
}

fn rate(percent: u16) -> VatRate {
    VatRate::from_basis_points(percent * 100)
}

/// Returns the postings in accountants' notation: `1300 D 121.00`, `8000 C 100.00 1a`.
fn written(entry: &JournalEntry) -> Vec<String> {
    let line = |posting: &Posting| {
        let (side, amount) = if posting.credited().is_zero() {
            ("D", posting.debited())
        } else {
            ("C", posting.credited())
        };
        let vat_box =
            posting.vat_box().map_or(String::new(), |vat_box| format!(" {}", vat_box.as_str()));
        format!("{} {side} {amount}{vat_box}", name(posting.account()))
    };
    entry.postings().iter().map(line).collect()
}

/// Returns the English name of an account, so that the tables below read without the chart.
fn name(code: AccountCode) -> &'static str {
    crate::chart::account(code).unwrap().english
}

fn line(code: AccountCode, rest: &str) -> String {
    format!("{} {rest}", name(code))
}

fn check(what: &str, entry: &JournalEntry, wanted: &[(AccountCode, &str)]) {
    let wanted: Vec<String> = wanted.iter().map(|(code, rest)| line(*code, rest)).collect();
    assert_eq!(written(entry), wanted, "{what}");
}

fn moved(amount: i64, method: MoneyAccount, balance: i64) -> Settlement {
    Settlement {
        amount: cents(amount),
        method,
        balance: cents(balance),
        recovered: WrittenOff::default(),
        due: Vec::new(),
    }
}

fn priced(quantity: &str, lines: &[(&str, VatRate, VatCategory)], on: Date) -> Priced {
    let lines: Vec<Line> = lines
        .iter()
        .map(|(price, vat_rate, vat_category)| Line {
            description: "work".into(),
            quantity: decimal::parse(quantity).unwrap(),
            unit_price: decimal::parse(price).unwrap(),
            vat_rate: *vat_rate,
            vat_category: *vat_category,
            supply: Supply::Services,
            tax_country: None,
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        })
        .collect();
    if quantity.starts_with('-') {
        credit_note::price_again(&lines, on, Prices::Net, &[]).unwrap()
    } else {
        invoice::price(&lines, on, Prices::Net).unwrap()
    }
}

#[test]
// Long: a table of cases.
fn a_sale_goes_to_the_revenue_and_the_box_of_its_kind() {
    use VatCategory::*;
    let sale = [
        (
            "21 %",
            rate(21),
            Standard,
            ON,
            codes::REVENUE_HIGH,
            " 1a",
            Some((codes::VAT_DUE_HIGH, "21.00 1a")),
        ),
        (
            "9 %",
            rate(9),
            Standard,
            ON,
            codes::REVENUE_LOW,
            " 1b",
            Some((codes::VAT_DUE_LOW, "9.00 1b")),
        ),
        (
            "19 % of old",
            rate(19),
            Standard,
            date(2012, 9, 30),
            codes::REVENUE_HIGH,
            " 1a",
            Some((codes::VAT_DUE_HIGH, "19.00 1a")),
        ),
        (
            "6 % of old",
            rate(6),
            Standard,
            date(2018, 12, 31),
            codes::REVENUE_LOW,
            " 1b",
            Some((codes::VAT_DUE_LOW, "6.00 1b")),
        ),
        (
            "another rate",
            rate(12),
            Standard,
            ON,
            codes::REVENUE_OTHER_RATE,
            " 1c",
            Some((codes::VAT_DUE_OTHER, "12.00 1c")),
        ),
        ("zero rate", rate(0), Zero, ON, codes::REVENUE_ZERO, " 1e", None),
        ("exempt", rate(0), Exempt, ON, codes::REVENUE_EXEMPT, "", None),
        (
            "reverse-charged",
            rate(0),
            ReverseCharge,
            ON,
            codes::REVENUE_REVERSE_CHARGED,
            " 1e",
            None,
        ),
        ("intra-community", rate(0), IntraCommunity, ON, codes::REVENUE_EU, " 3b", None),
        ("export", rate(0), Export, ON, codes::REVENUE_EXPORT, " 3a", None),
        (
            "service outside the EU",
            rate(0),
            ServiceOutsideEu,
            ON,
            codes::REVENUE_SERVICES_OUTSIDE_EU,
            "",
            None,
        ),
        ("out of scope", rate(0), OutOfScope, ON, codes::REVENUE_OUT_OF_SCOPE, "", None),
    ];
    for (what, rate, category, on, revenue, vat_box, vat) in sale {
        for (quantity, receivable_side, revenue_side) in [("1", "D", "C"), ("-1", "C", "D")] {
            let priced = priced(quantity, &[("100", rate, category)], on);
            let entry = if quantity == "1" {
                sales_invoice(SOURCE, "2026-0001", "Janssen", on, &priced, Earned::Now)
            } else {
                credit_note(
                    SOURCE,
                    "2026-0002",
                    "2026-0001",
                    on,
                    &priced,
                    Earned::Now,
                    -priced.total,
                )
            };
            let mut wanted = vec![
                line(codes::RECEIVABLES, &format!("{receivable_side} {}", priced.total.abs())),
                line(revenue, &format!("{revenue_side} 100.00{vat_box}")),
            ];
            wanted.extend(
                vat.map(|(account, amount)| line(account, &format!("{revenue_side} {amount}"))),
            );
            assert_eq!(written(&entry), wanted, "{what}, quantity {quantity}");
            assert_eq!(entry.date(), on);
        }
    }
}

#[test]
fn a_sale_of_several_kinds_is_one_entry() {
    let kinds = [
        ("100", rate(9), VatCategory::Standard),
        ("50", rate(21), VatCategory::Standard),
        ("25", rate(0), VatCategory::Exempt),
    ];
    check(
        "mixed",
        &sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &priced("1", &kinds, ON), Earned::Now),
        &[
            (codes::RECEIVABLES, "D 194.50"),
            (codes::REVENUE_HIGH, "C 50.00 1a"),
            (codes::VAT_DUE_HIGH, "C 10.50 1a"),
            (codes::REVENUE_LOW, "C 100.00 1b"),
            (codes::VAT_DUE_LOW, "C 9.00 1b"),
            (codes::REVENUE_EXEMPT, "C 25.00"),
        ],
    );
}

#[test]
fn an_invoice_of_nothing_is_still_an_entry() {
    let entry = sales_invoice(
        SOURCE,
        "2026-0001",
        "Janssen",
        ON,
        &priced("1", &[("0", rate(21), VatCategory::Standard)], ON),
        Earned::Now,
    );
    check("nothing", &entry, &[(codes::RECEIVABLES, "D 0.00"), (codes::REVENUE_HIGH, "D 0.00 1a")]);
}

#[test]
fn descriptions_name_the_document() {
    let sale = priced("1", &[("1", rate(21), VatCategory::Standard)], ON);
    let back = priced("-1", &[("1", rate(21), VatCategory::Standard)], ON);
    let cases = [
        (
            sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &sale, Earned::Now),
            "Invoice 2026-0001, Janssen",
        ),
        (
            credit_note(SOURCE, "2026-0002", "2026-0001", ON, &back, Earned::Now, -back.total),
            "Credit note 2026-0002 on invoice 2026-0001",
        ),
        (
            payment_received(SOURCE, "2026-0001", ON, &moved(1, MoneyAccount::Bank, 1)),
            "Payment on invoice 2026-0001",
        ),
        (
            payment_received(SOURCE, "2026-0001", ON, &moved(-1, MoneyAccount::Bank, -1)),
            "Refund on invoice 2026-0001",
        ),
    ];
    for (entry, description) in cases {
        assert_eq!(entry.words(Language::English), description);
    }
}

#[test]
fn money_moves_between_the_right_accounts() {
    use MoneyAccount::{Bank, Card, Cash, Private, Savings};
    let paid =
        |amount: i64, into| payment_received(SOURCE, "2026-0001", ON, &moved(amount, into, amount));
    check(
        "payment",
        &paid(12_100, Bank),
        &[(codes::BANK, "D 121.00"), (codes::RECEIVABLES, "C 121.00")],
    );
    check(
        "payment in cash",
        &paid(12_100, Cash),
        &[(codes::CASH, "D 121.00"), (codes::RECEIVABLES, "C 121.00")],
    );
    check(
        "payment into savings",
        &paid(100, Savings),
        &[(codes::SAVINGS, "D 1.00"), (codes::RECEIVABLES, "C 1.00")],
    );
    check(
        "payment into one's pocket",
        &paid(100, Private),
        &[(codes::PRIVATE_DRAWINGS, "D 1.00"), (codes::RECEIVABLES, "C 1.00")],
    );
    check(
        "refund",
        &paid(-12_100, Bank),
        &[(codes::BANK, "C 121.00"), (codes::OWED_TO_CUSTOMERS, "D 121.00")],
    );
    check(
        "refund by card",
        &paid(-100, Card),
        &[(codes::CARD, "C 1.00"), (codes::OWED_TO_CUSTOMERS, "D 1.00")],
    );
    check(
        "refund from one's pocket",
        &paid(-100, Private),
        &[(codes::PRIVATE_DEPOSITS, "C 1.00"), (codes::OWED_TO_CUSTOMERS, "D 1.00")],
    );

    let drawing = private_drawing(SOURCE, ON, cents(50_000), Bank);
    check("drawing", &drawing, &[(codes::PRIVATE_DRAWINGS, "D 500.00"), (codes::BANK, "C 500.00")]);
    let deposit = private_deposit(SOURCE, ON, cents(50_000), Bank);
    check("deposit", &deposit, &[(codes::BANK, "D 500.00"), (codes::PRIVATE_DEPOSITS, "C 500.00")]);
    let vat_paid = vat_payment(SOURCE, ON, (VatDebt::Dutch, cents(4_200)), Bank);
    check("VAT paid", &vat_paid, &[(codes::VAT_SETTLEMENT, "D 42.00"), (codes::BANK, "C 42.00")]);
    let vat_back = vat_payment(SOURCE, ON, (VatDebt::Dutch, cents(-4_200)), Bank);
    check(
        "VAT refunded",
        &vat_back,
        &[(codes::VAT_SETTLEMENT, "C 42.00"), (codes::BANK, "D 42.00")],
    );
    let vat_back = vat_payment(SOURCE, ON, (VatDebt::Dutch, cents(-4_200)), Private);
    check(
        "VAT refunded privately",
        &vat_back,
        &[(codes::VAT_SETTLEMENT, "C 42.00"), (codes::PRIVATE_DRAWINGS, "D 42.00")],
    );

    for money in MoneyAccount::ALL {
        assert_eq!(MoneyAccount::parse(money.as_str()), Some(*money));
        assert!(AccountCode::new(money.code().get()).is_some());
    }
}

/// In every order of events, amounts receivable on an invoice are on the debtors account, and
/// amounts to be refunded on 1630.
#[test]
fn what_customers_have_too_much_is_owed_to_them() {
    let back = priced("-1", &[("1000", rate(21), VatCategory::Standard)], ON);
    let credited = |balance| {
        credit_note(SOURCE, "2026-0002", "2026-0001", ON, &back, Earned::Now, cents(balance))
    };
    let revenue = [(codes::REVENUE_HIGH, "D 1000.00 1a"), (codes::VAT_DUE_HIGH, "D 210.00 1a")];
    let with = |first: &[(AccountCode, &'static str)]| [first, &revenue].concat();
    check("unpaid", &credited(121_000), &with(&[(codes::RECEIVABLES, "C 1210.00")]));
    check("paid", &credited(0), &with(&[(codes::OWED_TO_CUSTOMERS, "C 1210.00")]));
    let half = [(codes::RECEIVABLES, "C 605.00"), (codes::OWED_TO_CUSTOMERS, "C 605.00")];
    check("half paid", &credited(60_500), &with(&half));
    let received = |amount, balance| {
        payment_received(SOURCE, "2026-0001", ON, &moved(amount, MoneyAccount::Bank, balance))
    };
    check(
        "overpaid",
        &received(130_000, 121_000),
        &[
            (codes::BANK, "D 1300.00"),
            (codes::RECEIVABLES, "C 1210.00"),
            (codes::OWED_TO_CUSTOMERS, "C 90.00"),
        ],
    );
    check(
        "paid back",
        &received(-9_000, -9_000),
        &[(codes::BANK, "C 90.00"), (codes::OWED_TO_CUSTOMERS, "D 90.00")],
    );
    // Reversal of the overpayment after the invoice was credited: the postings follow from the
    // balance at that time.
    let overpaid = moved(130_000, MoneyAccount::Bank, -130_000);
    let undone = payment_undone(SOURCE, "2026-0001", ON, &overpaid, 7);
    check(
        "undone",
        &undone,
        &[(codes::BANK, "C 1300.00"), (codes::OWED_TO_CUSTOMERS, "D 1300.00")],
    );
    assert_eq!(undone.reverses(), Some(7));
}

#[test]
fn a_bad_debt_gives_its_vat_back_and_its_recovery_takes_it_again() {
    let sale = priced(
        "1",
        &[("1000", rate(21), VatCategory::Standard), ("100", rate(0), VatCategory::Exempt)],
        ON,
    );
    let all = WrittenOff::of(parts(&sale.groups, sale.total));
    check(
        "written off",
        &write_off(SOURCE, "2026-0001", ON, &all, sale.total),
        &[
            (codes::BAD_DEBTS, "D 1000.00 1a"),
            (codes::VAT_DUE_HIGH, "D 210.00 1a"),
            (codes::BAD_DEBTS, "D 100.00"),
            (codes::RECEIVABLES, "C 1310.00"),
        ],
    );
    // 655.00 is recovered; the other 45.00 exceed the debt and are owed to the customer.
    let recovered = WrittenOff::of(parts(&sale.groups, cents(65_500)));
    let payment =
        Settlement { recovered: recovered.clone(), ..moved(70_000, MoneyAccount::Bank, 0) };
    let wanted = [
        (codes::BANK, "D 700.00"),
        (codes::BAD_DEBTS, "C 500.00 1a"),
        (codes::VAT_DUE_HIGH, "C 105.00 1a"),
        (codes::BAD_DEBTS, "C 50.00"),
        (codes::OWED_TO_CUSTOMERS, "C 45.00"),
    ];
    check("recovered", &payment_received(SOURCE, "2026-0001", ON, &payment), &wanted);
    let back = Settlement { recovered, ..moved(70_000, MoneyAccount::Bank, -4_500) };
    let undone = payment_undone(SOURCE, "2026-0001", ON, &back, 3);
    let mirrored = wanted.map(|(code, rest)| {
        (
            code,
            if rest.starts_with('D') {
                rest.replacen('D', "C", 1)
            } else {
                rest.replacen('C', "D", 1)
            },
        )
    });
    let mirrored: Vec<(AccountCode, &str)> =
        mirrored.iter().map(|(code, rest)| (*code, rest.as_str())).collect();
    check("undone", &undone, &mirrored);
}

#[test]
fn a_loss_is_booked_again_only_if_the_method_makes_a_difference() {
    let rebooked = |percent, category, vat| {
        let priced = priced("1", &[("100", rate(percent), category)], ON);
        let (nothing, whole) = (cents(0), cents(10_000 + vat));
        let at_once = between(&priced.groups, nothing, whole);
        let deferred = between_deferred((nothing, nothing), (whole, cents(vat)));
        write_off_rebooked(7, "2026-0001", ON, &at_once, &deferred)
    };
    assert_eq!(rebooked(0, VatCategory::Zero, 0), None);
    let entry = rebooked(21, VatCategory::Standard, 2_100).unwrap();
    check(
        "loss under cash accounting",
        &entry,
        &[
            (codes::BAD_DEBTS, "C 100.00 1a"),
            (codes::VAT_DUE_HIGH, "C 21.00 1a"),
            (codes::BAD_DEBTS, "D 100.00"),
            (codes::VAT_ON_OPEN_INVOICES, "D 21.00"),
        ],
    );
}

/// A prepayment of 1 000 on 3 000: the VAT on each invoice is due on its own amount, and all the
/// revenue is booked with the final invoice.
#[test]
fn a_prepayment_waits_for_the_final_invoice() {
    let prepaid = priced("1", &[("1000", rate(21), VatCategory::Standard)], ON);
    check(
        "prepayment",
        &sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &prepaid, Earned::Later),
        &[
            (codes::RECEIVABLES, "D 1210.00"),
            (codes::RECEIVED_IN_ADVANCE, "C 1000.00 1a"),
            (codes::VAT_DUE_HIGH, "C 210.00 1a"),
        ],
    );
    let of = |quantity: &str, price: &str, sets_off| Line {
        description: "work".into(),
        quantity: decimal::parse(quantity).unwrap(),
        unit_price: decimal::parse(price).unwrap(),
        vat_rate: rate(21),
        vat_category: VatCategory::Standard,
        supply: Supply::Services,
        tax_country: None,
        sets_off,
        account: None,
        rounding: Cents::ZERO,
        unit: None,
        discount: Discount::None,
        credits: None,
    };
    let lines = [of("1", "3000", None), of("-1", "1000", Some(1))];
    let last = invoice::price(&lines, ON, Prices::Net).unwrap();
    check(
        "final invoice",
        &sales_invoice(SOURCE, "2026-0002", "Janssen", ON, &last, Earned::Now),
        &[
            (codes::RECEIVABLES, "D 2420.00"),
            (codes::REVENUE_HIGH, "C 3000.00 1a"),
            (codes::RECEIVED_IN_ADVANCE, "D 1000.00 1a"),
            (codes::VAT_DUE_HIGH, "C 420.00 1a"),
        ],
    );
}

/// 1 000.00 of goods to a consumer in Germany, at 19 %.
fn sale_to_germany() -> Priced {
    let line = Line {
        description: "book".into(),
        quantity: decimal::parse("1").unwrap(),
        unit_price: decimal::parse("1000").unwrap(),
        vat_rate: rate(19),
        vat_category: VatCategory::Oss,
        supply: Supply::Goods,
        tax_country: CountryCode::parse("DE").ok(),
        sets_off: None,
        account: None,
        rounding: Cents::ZERO,
        unit: None,
        discount: Discount::None,
        credits: None,
    };
    invoice::price(&[line], ON, Prices::Net).unwrap()
}

#[test]
fn vat_of_another_country_is_in_no_box_and_no_bad_debt_gives_it_back() {
    let sale = sale_to_germany();
    check(
        "sale",
        &sales_invoice(SOURCE, "2026-0001", "Muster", ON, &sale, Earned::Now),
        &[
            (codes::RECEIVABLES, "D 1190.00"),
            (codes::REVENUE_OSS, "C 1000.00"),
            (codes::VAT_OF_OTHER_COUNTRIES, "C 190.00"),
        ],
    );
    let lost = WrittenOff::of(parts(&sale.groups, sale.total));
    check(
        "bad debt",
        &write_off(SOURCE, "2026-0001", ON, &lost, sale.total),
        &[
            (codes::BAD_DEBTS, "D 1000.00"),
            (codes::BAD_DEBTS, "D 190.00"),
            (codes::RECEIVABLES, "C 1190.00"),
        ],
    );
    check(
        "payment",
        &vat_payment(SOURCE, ON, (VatDebt::Union, cents(19_000)), MoneyAccount::Bank),
        &[(codes::VAT_OF_OTHER_COUNTRIES, "D 190.00"), (codes::BANK, "C 190.00")],
    );
}

#[test]
fn one_rate_of_two_countries_makes_two_groups() {
    let of = |code: &str, supply| Line {
        description: "work".into(),
        quantity: decimal::parse("1").unwrap(),
        unit_price: decimal::parse("100").unwrap(),
        vat_rate: rate(21),
        vat_category: VatCategory::Oss,
        supply,
        tax_country: CountryCode::parse(code).ok(),
        sets_off: None,
        account: None,
        rounding: Cents::ZERO,
        unit: None,
        discount: Discount::None,
        credits: None,
    };
    let lines = [
        of("ES", Supply::Goods),
        of("BE", Supply::Services),
        of("BE", Supply::Electronic),
        of("BE", Supply::Goods),
    ];
    let priced = invoice::price(&lines, ON, Prices::Net).unwrap();
    let groups: Vec<_> = priced
        .groups
        .iter()
        .map(|group| {
            let country = group.tax_country.map(|country| country.to_string());
            (country.unwrap(), group.supply.unwrap(), group.base.get(), group.amount.get())
        })
        .collect();
    assert_eq!(
        groups,
        [
            ("BE".to_owned(), Supply::Services, 20_000, 4_200),
            ("BE".to_owned(), Supply::Goods, 10_000, 2_100),
            ("ES".to_owned(), Supply::Goods, 10_000, 2_100),
        ]
    );
}

#[test]
fn intra_community_goods_have_an_account_of_their_own() {
    for (supply, revenue) in [
        (Supply::Services, codes::REVENUE_EU),
        (Supply::Electronic, codes::REVENUE_EU),
        (Supply::Goods, codes::REVENUE_EU_GOODS),
        (Supply::Triangular, codes::REVENUE_EU_GOODS),
    ] {
        let line = Line {
            description: "work".into(),
            quantity: decimal::parse("1").unwrap(),
            unit_price: decimal::parse("100").unwrap(),
            vat_rate: rate(0),
            vat_category: VatCategory::IntraCommunity,
            supply,
            tax_country: None,
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        };
        let entry = sales_invoice(
            SOURCE,
            "2026-0001",
            "Janssen",
            ON,
            &invoice::price(&[line], ON, Prices::Net).unwrap(),
            Earned::Now,
        );
        check(
            supply.as_str(),
            &entry,
            &[(codes::RECEIVABLES, "D 100.00"), (revenue, "C 100.00 3b")],
        );
    }
}

use VatTreatment::{Eu, Import, ImportVatPaid, None as WithoutVat, Normal, ReverseCharge};

/// Purchase line at 21 %; `amount` is in cents, excluding VAT.
fn of(category: AccountCode, amount: i64, treatment: VatTreatment) -> PurchaseLine {
    PurchaseLine {
        category,
        amount: cents(amount),
        treatment,
        rate: rate(21),
        includes_vat: false,
        printed_vat: None,
    }
}

fn bought_in_part(
    lines: &[PurchaseLine],
    percent: i64,
    paid_from: Option<MoneyAccount>,
) -> JournalEntry {
    let share = BusinessShare::from_percent(&decimal::Decimal::from(percent)).unwrap();
    let priced = purchase::price(lines, share, Deduction::Usual).unwrap();
    let purchase = Purchase {
        party: None,
        description: Some("Chair".into()),
        priced,
        paid_from,
        receipts: vec![],
    };
    expense(SOURCE, ON, &purchase)
}

fn bought(line: PurchaseLine, paid_from: Option<MoneyAccount>) -> JournalEntry {
    bought_in_part(&[line], 100, paid_from)
}

#[test]
fn a_purchase_is_cost_and_its_vat_goes_where_the_law_says() {
    use MoneyAccount::{Bank, Private};
    let office = |amount, treatment| of(codes::OFFICE, amount, treatment);
    check(
        "21 % by bank",
        &bought(office(10_000, Normal), Some(Bank)),
        &[
            (codes::OFFICE, "D 100.00"),
            (codes::INPUT_VAT_HIGH, "D 21.00 5b"),
            (codes::BANK, "C 121.00"),
        ],
    );
    check(
        "9 % to be paid",
        &bought(PurchaseLine { rate: rate(9), ..office(10_000, Normal) }, None),
        &[
            (codes::OFFICE, "D 100.00"),
            (codes::INPUT_VAT_LOW, "D 9.00 5b"),
            (codes::PAYABLES, "C 109.00"),
        ],
    );
    check(
        "a supplier's credit note, paid back privately",
        &bought(office(-10_000, Normal), Some(Private)),
        &[
            (codes::OFFICE, "C 100.00"),
            (codes::INPUT_VAT_HIGH, "C 21.00 5b"),
            (codes::PRIVATE_DRAWINGS, "D 121.00"),
        ],
    );
    check(
        "without VAT, paid privately",
        &bought(office(12_100, WithoutVat), Some(Private)),
        &[(codes::OFFICE, "D 121.00"), (codes::PRIVATE_DEPOSITS, "C 121.00")],
    );
    for (treatment, vat_box, due_on) in [
        (ReverseCharge, "2a", codes::VAT_DUE_REVERSE_CHARGED),
        (Import, "4a", codes::VAT_DUE_OUTSIDE_EU),
        (Eu, "4b", codes::VAT_DUE_EU),
    ] {
        let (turnover, due) = (format!("D 100.00 {vat_box}"), format!("C 21.00 {vat_box}"));
        check(
            "reverse-charged and deductible",
            &bought(office(10_000, treatment), None),
            &[
                (codes::OFFICE, &turnover),
                (codes::INPUT_VAT_REVERSE_CHARGED, "D 21.00 5b"),
                (due_on, &due),
                (codes::PAYABLES, "C 100.00"),
            ],
        );
        check(
            "food, reverse-charged: never deductible",
            &bought(of(codes::MEALS, 10_000, treatment), Some(Bank)),
            &[
                (codes::MEALS, &turnover),
                (codes::MEALS, "D 21.00"),
                (due_on, &due),
                (codes::BANK, "C 100.00"),
            ],
        );
    }
}

/// Expected postings for each treatment, in accountants' notation.
#[test]
fn purchases_as_an_accountant_books_them() {
    use MoneyAccount::Bank;
    check(
        "a laptop",
        &bought(of(codes::EQUIPMENT, 189_900, Normal), Some(Bank)),
        &[
            (codes::EQUIPMENT, "D 1899.00"),
            (codes::INPUT_VAT_HIGH, "D 398.79 5b"),
            (codes::BANK, "C 2297.79"),
        ],
    );
    check(
        "a telephone, 70 % for the business",
        &bought_in_part(&[of(codes::TELEPHONE, 4_132, Normal)], 70, Some(Bank)),
        &[
            (codes::TELEPHONE, "D 28.92"),
            (codes::INPUT_VAT_HIGH, "D 6.08 5b"),
            (codes::PRIVATE_DRAWINGS, "D 15.00"),
            (codes::BANK, "C 50.00"),
        ],
    );
    check(
        "software from the EU, 60 % for the business",
        &bought_in_part(&[of(codes::SOFTWARE, 10_000, Eu)], 60, Some(Bank)),
        &[
            (codes::SOFTWARE, "D 60.00 4b"),
            (codes::PRIVATE_DRAWINGS, "D 40.00 4b"),
            (codes::INPUT_VAT_REVERSE_CHARGED, "D 12.60 5b"),
            (codes::PRIVATE_DRAWINGS, "D 8.40"),
            (codes::VAT_DUE_EU, "C 21.00 4b"),
            (codes::BANK, "C 100.00"),
        ],
    );
    let meal =
        PurchaseLine { rate: rate(9), includes_vat: true, ..of(codes::MEALS, 10_900, Normal) };
    check(
        "a meal with a client",
        &bought(meal, Some(Bank)),
        &[(codes::MEALS, "D 109.00"), (codes::BANK, "C 109.00")],
    );
    check(
        "goods imported with a permit of art. 23",
        &bought(of(codes::PURCHASES, 100_000, Import), None),
        &[
            (codes::PURCHASES, "D 1000.00 4a"),
            (codes::INPUT_VAT_REVERSE_CHARGED, "D 210.00 5b"),
            (codes::VAT_DUE_OUTSIDE_EU, "C 210.00 4a"),
            (codes::PAYABLES, "C 1000.00"),
        ],
    );
    let customs =
        PurchaseLine { printed_vat: Some(cents(21_000)), ..of(codes::PURCHASES, 0, ImportVatPaid) };
    check(
        "the courier's bill without a permit: VAT paid to customs, and a fee",
        &bought_in_part(&[customs, of(codes::PURCHASES, 1_200, Normal)], 100, Some(Bank)),
        &[
            (codes::PURCHASES, "D 12.00"),
            (codes::INPUT_VAT_HIGH, "D 212.52 5b"),
            (codes::BANK, "C 224.52"),
        ],
    );
}

#[test]
fn a_bill_that_stays_unpaid_gives_its_vat_back_until_it_is_paid() {
    let about = || Description::text(DescriptionKind::Expense, "Chair");
    let vat = [(codes::INPUT_VAT_HIGH, cents(10_500))];
    check(
        "a year after it was due",
        &vat_repayment(SOURCE, about(), ON, &vat),
        &[(codes::VAT_NOT_DEDUCTIBLE, "D 105.00"), (codes::INPUT_VAT_HIGH, "C 105.00 5b")],
    );
    check(
        "paid after all",
        &expense_payment(SOURCE, about(), ON, cents(60_500), MoneyAccount::Bank, &vat),
        &[
            (codes::PAYABLES, "D 605.00"),
            (codes::INPUT_VAT_HIGH, "D 105.00 5b"),
            (codes::BANK, "C 605.00"),
            (codes::VAT_NOT_DEDUCTIBLE, "C 105.00"),
        ],
    );
    check(
        "the owner pays privately",
        &expense_payment(SOURCE, about(), ON, cents(12_100), MoneyAccount::Private, &[]),
        &[(codes::PAYABLES, "D 121.00"), (codes::PRIVATE_DEPOSITS, "C 121.00")],
    );
}

#[test]
fn an_asset_is_depreciated_and_sold() {
    check(
        "a year",
        &asset_depreciation(
            SOURCE,
            "Laptop",
            ON,
            AssetAccounts::of(codes::EQUIPMENT),
            cents(34_182),
        ),
        &[(codes::DEPRECIATION, "D 341.82"), (codes::ACCUMULATED_DEPRECIATION, "C 341.82")],
    );
    let sold = Disposal {
        accounts: AssetAccounts::of(codes::EQUIPMENT),
        cost: cents(189_900),
        depreciated: cents(68_364),
        proceeds: cents(50_000),
        rate: rate(21),
        into: MoneyAccount::Bank,
    };
    check(
        "sold after two years",
        &disposal(SOURCE, "Laptop", ON, &sold),
        &[
            (codes::BANK, "D 605.00"),
            (codes::ACCUMULATED_DEPRECIATION, "D 683.64"),
            (codes::EQUIPMENT_DISPOSAL, "D 1215.36"),
            (codes::EQUIPMENT, "C 1899.00"),
            (codes::EQUIPMENT_DISPOSAL, "C 500.00 1a"),
            (codes::VAT_DUE_HIGH, "C 105.00 1a"),
        ],
    );
    check(
        "written off",
        &disposal(
            SOURCE,
            "Van",
            ON,
            &Disposal { accounts: AssetAccounts::of(codes::CAR), proceeds: cents(0), ..sold },
        ),
        &[
            (codes::ACCUMULATED_CAR_DEPRECIATION, "D 683.64"),
            (codes::CAR_DISPOSAL, "D 1215.36"),
            (codes::CAR, "C 1899.00"),
        ],
    );
    check(
        "120 km at 0,25",
        &mileage(SOURCE, "Utrecht", ON, cents(3_000)),
        &[(codes::MILEAGE, "D 30.00"), (codes::PRIVATE_DEPOSITS, "C 30.00")],
    );
}

#[test]
fn entries_without_an_outside_party() {
    check(
        "private use",
        &private_use(SOURCE, ON, cents(10_000), rate(21)),
        &[
            (codes::PRIVATE_DRAWINGS, "D 121.00"),
            (codes::PRIVATE_USE, "C 100.00 1d"),
            (codes::VAT_DUE_PRIVATE_USE, "C 21.00 1d"),
        ],
    );
    check(
        "depreciation",
        &depreciation(SOURCE, ON, cents(20_000)),
        &[(codes::DEPRECIATION, "D 200.00"), (codes::ACCUMULATED_DEPRECIATION, "C 200.00")],
    );
    check(
        "opening balance",
        &opening_balance(
            SOURCE,
            ON,
            &[
                (codes::BANK, cents(50_000)),
                (codes::PAYABLES, cents(-20_000)),
                (codes::CASH, cents(0)),
            ],
        ),
        &[(codes::BANK, "D 500.00"), (codes::PAYABLES, "C 200.00"), (codes::EQUITY, "C 300.00")],
    );
    let lines = |credit| {
        vec![
            Posting::debit(codes::BANK_COSTS, cents(5), None),
            Posting::credit(codes::BANK, cents(credit), None),
        ]
    };
    let by_hand = manual(SOURCE, ON, "Fee", lines(5)).unwrap();
    check("by hand", &by_hand, &[(codes::BANK_COSTS, "D 0.05"), (codes::BANK, "C 0.05")]);
    assert_eq!(
        manual(SOURCE, ON, "Fee", lines(4)),
        Err(Unbalanced { debit: cents(5), credit: cents(4) })
    );
}

/// Returns the VAT return of the entries, and its settlement.
fn settled(entries: &[JournalEntry]) -> (VatReturn, JournalEntry) {
    let postings = entries.iter().flat_map(JournalEntry::postings);
    let totals = postings.clone().filter_map(|posting| {
        Some(Total {
            account: posting.account(),
            vat_box: posting.vat_box()?,
            debit: posting.debited(),
            credit: posting.credited(),
        })
    });
    let vat_return = vat_return(totals);
    let vat_accounts = [
        codes::VAT_DUE_HIGH,
        codes::VAT_DUE_EU,
        codes::INPUT_VAT_HIGH,
        codes::INPUT_VAT_REVERSE_CHARGED,
    ];
    let balances = vat_accounts.map(|account| {
        let on_account = postings
            .clone()
            .filter(|posting| posting.account() == account && posting.vat_box().is_some());
        (account, on_account.map(|posting| posting.debited() - posting.credited()).sum())
    });
    let entry = vat_settlement(
        SOURCE,
        (VatPeriod::of(ON, VatUnit::Quarter), date(2026, 3, 31)),
        &vat_return,
        &balances,
    );
    (vat_return, entry)
}

#[test]
fn filing_clears_the_vat_accounts_and_owes_what_was_declared() {
    let sale = sales_invoice(
        SOURCE,
        "2026-0001",
        "Janssen",
        ON,
        &priced("1", &[("101.90", rate(21), VatCategory::Standard)], ON),
        Earned::Now,
    );
    let chair = bought(of(codes::OFFICE, 5_000, Normal), None);
    let (vat_return, entry) = settled(&[sale.clone(), chair.clone()]);
    // Due 21.40, declared 21; input 10.50, declared 11.
    assert_eq!((vat_return.payable, vat_return.declared_payable), (cents(1_090), 10));
    check(
        "to pay",
        &entry,
        &[
            (codes::VAT_DUE_HIGH, "D 21.40"),
            (codes::INPUT_VAT_HIGH, "C 10.50"),
            (codes::VAT_SETTLEMENT, "C 10.00"),
            (codes::ROUNDING, "C 0.90"),
        ],
    );
    assert_eq!(
        (entry.date(), &*entry.words(Language::English)),
        (date(2026, 3, 31), "VAT return 2026 quarter 1")
    );

    let (vat_return, entry) = settled(&[chair]);
    assert_eq!((vat_return.payable, vat_return.declared_payable), (cents(-1_050), -11));
    check(
        "to be refunded",
        &entry,
        &[
            (codes::INPUT_VAT_HIGH, "C 10.50"),
            (codes::VAT_SETTLEMENT, "D 11.00"),
            (codes::ROUNDING, "C 0.50"),
        ],
    );

    let abroad = bought(of(codes::OFFICE, 10_050, Eu), None);
    let (vat_return, entry) = settled(&[abroad]);
    // 21.105 is rounded to 21.11: due 21 and deductible 22, a difference of a euro in the
    // taxpayer's favour.
    assert_eq!((vat_return.payable, vat_return.declared_payable), (cents(0), -1));
    check(
        "due and deductible at once",
        &entry,
        &[
            (codes::VAT_DUE_EU, "D 21.11"),
            (codes::INPUT_VAT_REVERSE_CHARGED, "C 21.11"),
            (codes::VAT_SETTLEMENT, "D 1.00"),
            (codes::ROUNDING, "C 1.00"),
        ],
    );

    let (vat_return, entry) = settled(&[]);
    assert_eq!((vat_return.payable, vat_return.declared_payable), (cents(0), 0));
    assert!(
        entry
            .postings()
            .iter()
            .all(|posting| posting.debited().is_zero() && posting.credited().is_zero())
    );
    assert!(settled(&[sale]).1.postings().iter().all(|posting| posting.vat_box().is_none()));
}

#[test]
fn a_reversal_takes_every_posting_back_with_its_box() {
    let sale = sales_invoice(
        SOURCE,
        "2026-0001",
        "Janssen",
        ON,
        &priced("1", &[("100", rate(21), VatCategory::Standard)], ON),
        Earned::Now,
    );
    let back = sale.reversal(12, date(2026, 4, 1), date(2026, 4, 1));
    check(
        "reversal",
        &back,
        &[
            (codes::RECEIVABLES, "C 121.00"),
            (codes::REVENUE_HIGH, "D 100.00 1a"),
            (codes::VAT_DUE_HIGH, "D 21.00 1a"),
        ],
    );
    assert_eq!((back.reverses(), back.date(), back.source()), (Some(12), date(2026, 4, 1), SOURCE));
    let again = back.reversal(13, ON, ON);
    assert_eq!(again.postings(), sale.postings());
}
