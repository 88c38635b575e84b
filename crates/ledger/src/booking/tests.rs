//! Each kind of document against the postings that it must give.

use super::*;
use crate::{
    decimal,
    entry::SourceType,
    invoice::{self, Line},
    vat_return::{Total, vat_return},
};
use jiff::civil::date;

const ON: Date = date(2026, 3, 15);
const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

fn cents(cents: i64) -> Cents {
    Cents::new(cents)
}

fn rate(percent: u16) -> VatRate {
    VatRate::from_basis_points(percent * 100)
}

/// The postings as an accountant writes them: `1300 D 121.00`, `8000 C 100.00 1a`.
fn written(entry: &JournalEntry) -> Vec<String> {
    let line = |posting: &Posting| {
        let (side, amount) = if posting.credited().is_zero() { ("D", posting.debited()) } else { ("C", posting.credited()) };
        let vat_box = posting.vat_box().map_or(String::new(), |vat_box| format!(" {}", vat_box.as_str()));
        format!("{} {side} {amount}{vat_box}", name(posting.account()))
    };
    entry.postings().iter().map(line).collect()
}

/// An account by its English name, so that the tables below read without the chart beside them.
fn name(code: AccountCode) -> &'static str {
    crate::chart::account(code).english
}

fn line(code: AccountCode, rest: &str) -> String {
    format!("{} {rest}", name(code))
}

fn check(what: &str, entry: &JournalEntry, wanted: &[(AccountCode, &str)]) {
    let wanted: Vec<String> = wanted.iter().map(|(code, rest)| line(*code, rest)).collect();
    assert_eq!(written(entry), wanted, "{what}");
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
        })
        .collect();
    if quantity.starts_with('-') { invoice::price_credit_note(&lines, on).unwrap() } else { invoice::price(&lines, on).unwrap() }
}

#[test]
fn a_sale_goes_to_the_revenue_and_the_box_of_its_kind() {
    use VatCategory::*;
    let sale = [
        ("21 %", rate(21), Standard, ON, codes::REVENUE_HIGH, " 1a", Some((codes::VAT_DUE_HIGH, "21.00 1a"))),
        ("9 %", rate(9), Standard, ON, codes::REVENUE_LOW, " 1b", Some((codes::VAT_DUE_LOW, "9.00 1b"))),
        (
            "19 % of old",
            rate(19),
            Standard,
            date(2012, 9, 30),
            codes::REVENUE_HIGH,
            " 1a",
            Some((codes::VAT_DUE_HIGH, "19.00 1a")),
        ),
        ("6 % of old", rate(6), Standard, date(2018, 12, 31), codes::REVENUE_LOW, " 1b", Some((codes::VAT_DUE_LOW, "6.00 1b"))),
        ("another rate", rate(12), Standard, ON, codes::REVENUE_OTHER_RATE, " 1c", Some((codes::VAT_DUE_OTHER, "12.00 1c"))),
        ("zero rate", rate(0), Zero, ON, codes::REVENUE_ZERO, " 1e", None),
        ("exempt", rate(0), Exempt, ON, codes::REVENUE_EXEMPT, "", None),
        ("reverse-charged", rate(0), ReverseCharge, ON, codes::REVENUE_REVERSE_CHARGED, " 1e", None),
        ("intra-community", rate(0), IntraCommunity, ON, codes::REVENUE_EU, " 3b", None),
        ("export", rate(0), Export, ON, codes::REVENUE_EXPORT, " 3a", None),
        ("out of scope", rate(0), OutOfScope, ON, codes::REVENUE_OUT_OF_SCOPE, "", None),
    ];
    for (what, rate, category, on, revenue, vat_box, vat) in sale {
        for (quantity, receivable_side, revenue_side) in [("1", "D", "C"), ("-1", "C", "D")] {
            let priced = priced(quantity, &[("100", rate, category)], on);
            let entry = if quantity == "1" {
                sales_invoice(SOURCE, "2026-0001", "Janssen", on, &priced)
            } else {
                credit_note(SOURCE, "2026-0002", "2026-0001", on, &priced)
            };
            let mut wanted = vec![
                line(codes::RECEIVABLES, &format!("{receivable_side} {}", priced.total.abs())),
                line(revenue, &format!("{revenue_side} 100.00{vat_box}")),
            ];
            wanted.extend(vat.map(|(account, amount)| line(account, &format!("{revenue_side} {amount}"))));
            assert_eq!(written(&entry), wanted, "{what}, quantity {quantity}");
            assert_eq!(entry.date(), on);
        }
    }
}

#[test]
fn a_sale_of_several_kinds_is_one_entry() {
    let kinds =
        [("100", rate(9), VatCategory::Standard), ("50", rate(21), VatCategory::Standard), ("25", rate(0), VatCategory::Exempt)];
    check(
        "mixed",
        &sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &priced("1", &kinds, ON)),
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
    let entry = sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &priced("1", &[("0", rate(21), VatCategory::Standard)], ON));
    check("nothing", &entry, &[(codes::RECEIVABLES, "D 0.00"), (codes::REVENUE_HIGH, "D 0.00 1a")]);
}

#[test]
fn descriptions_name_the_document() {
    let sale = priced("1", &[("1", rate(21), VatCategory::Standard)], ON);
    let back = priced("-1", &[("1", rate(21), VatCategory::Standard)], ON);
    let cases = [
        (sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &sale), "Invoice 2026-0001, Janssen"),
        (credit_note(SOURCE, "2026-0002", "2026-0001", ON, &back), "Credit note 2026-0002 on invoice 2026-0001"),
        (credit_note(SOURCE, "2026-0002", "", ON, &back), "Credit note 2026-0002"),
        (payment_received(SOURCE, "2026-0001", ON, cents(1), MoneyAccount::Bank), "Payment on invoice 2026-0001"),
    ];
    for (entry, description) in cases {
        assert_eq!(entry.description(), description);
    }
}

#[test]
fn money_moves_between_the_right_accounts() {
    use MoneyAccount::{Bank, Card, Cash, Private, Savings};
    let paid = |amount, into| payment_received(SOURCE, "2026-0001", ON, cents(amount), into);
    check("payment", &paid(12_100, Bank), &[(codes::BANK, "D 121.00"), (codes::RECEIVABLES, "C 121.00")]);
    check("payment in cash", &paid(12_100, Cash), &[(codes::CASH, "D 121.00"), (codes::RECEIVABLES, "C 121.00")]);
    check("payment into savings", &paid(100, Savings), &[(codes::SAVINGS, "D 1.00"), (codes::RECEIVABLES, "C 1.00")]);
    check(
        "payment into one's pocket",
        &paid(100, Private),
        &[(codes::PRIVATE_DRAWINGS, "D 1.00"), (codes::RECEIVABLES, "C 1.00")],
    );
    check("refund", &paid(-12_100, Bank), &[(codes::BANK, "C 121.00"), (codes::RECEIVABLES, "D 121.00")]);
    check("refund by card", &paid(-100, Card), &[(codes::CARD, "C 1.00"), (codes::RECEIVABLES, "D 1.00")]);
    check(
        "refund from one's pocket",
        &paid(-100, Private),
        &[(codes::PRIVATE_DEPOSITS, "C 1.00"), (codes::RECEIVABLES, "D 1.00")],
    );

    let drawing = private_drawing(SOURCE, ON, cents(50_000), Bank);
    check("drawing", &drawing, &[(codes::PRIVATE_DRAWINGS, "D 500.00"), (codes::BANK, "C 500.00")]);
    let deposit = private_deposit(SOURCE, ON, cents(50_000), Bank);
    check("deposit", &deposit, &[(codes::BANK, "D 500.00"), (codes::PRIVATE_DEPOSITS, "C 500.00")]);
    let vat_paid = vat_payment(SOURCE, ON, cents(4_200), Bank);
    check("VAT paid", &vat_paid, &[(codes::VAT_SETTLEMENT, "D 42.00"), (codes::BANK, "C 42.00")]);
    let vat_back = vat_payment(SOURCE, ON, cents(-4_200), Bank);
    check("VAT refunded", &vat_back, &[(codes::VAT_SETTLEMENT, "C 42.00"), (codes::BANK, "D 42.00")]);
    let vat_back = vat_payment(SOURCE, ON, cents(-4_200), Private);
    check("VAT refunded privately", &vat_back, &[(codes::VAT_SETTLEMENT, "C 42.00"), (codes::PRIVATE_DRAWINGS, "D 42.00")]);

    for money in MoneyAccount::ALL {
        assert_eq!(MoneyAccount::parse(money.as_str()), Some(*money));
        assert!(AccountCode::new(money.code().get()).is_some());
    }
}

fn bought(net: i64, vat: PurchaseVat, paid_from: Option<MoneyAccount>) -> JournalEntry {
    let purchase = Purchase { description: "Chair".into(), cost: codes::OFFICE, net: cents(net), vat, paid_from };
    expense(SOURCE, ON, &purchase).unwrap()
}

#[test]
fn a_purchase_is_cost_and_its_vat_goes_where_the_law_says() {
    use MoneyAccount::{Bank, Private};
    let deductible = |percent, vat| PurchaseVat::Deductible { rate: rate(percent), vat: cents(vat) };
    check(
        "21 % by bank",
        &bought(10_000, deductible(21, 2_100), Some(Bank)),
        &[(codes::OFFICE, "D 100.00"), (codes::INPUT_VAT_HIGH, "D 21.00 5b"), (codes::BANK, "C 121.00")],
    );
    check(
        "9 % to be paid",
        &bought(10_000, deductible(9, 900), None),
        &[(codes::OFFICE, "D 100.00"), (codes::INPUT_VAT_LOW, "D 9.00 5b"), (codes::PAYABLES, "C 109.00")],
    );
    check(
        "a supplier's credit note, paid back privately",
        &bought(-10_000, deductible(21, -2_100), Some(Private)),
        &[(codes::OFFICE, "C 100.00"), (codes::INPUT_VAT_HIGH, "C 21.00 5b"), (codes::PRIVATE_DRAWINGS, "D 121.00")],
    );
    check(
        "not deductible, paid privately",
        &bought(12_100, PurchaseVat::None, Some(Private)),
        &[(codes::OFFICE, "D 121.00"), (codes::PRIVATE_DEPOSITS, "C 121.00")],
    );
    for (kind, vat_box, due_on) in [
        (ReverseChargeKind::Domestic, "2a", codes::VAT_DUE_REVERSE_CHARGED),
        (ReverseChargeKind::OutsideEu, "4a", codes::VAT_DUE_OUTSIDE_EU),
        (ReverseChargeKind::Eu, "4b", codes::VAT_DUE_EU),
    ] {
        let charged = |deductible| PurchaseVat::ReverseCharged { kind, rate: rate(21), deductible };
        let (turnover, due) = (format!("D 100.00 {vat_box}"), format!("C 21.00 {vat_box}"));
        check(
            "reverse-charged and deductible",
            &bought(10_000, charged(true), None),
            &[
                (codes::OFFICE, &turnover),
                (codes::INPUT_VAT_REVERSE_CHARGED, "D 21.00 5b"),
                (due_on, &due),
                (codes::PAYABLES, "C 100.00"),
            ],
        );
        check(
            "reverse-charged and not deductible",
            &bought(10_000, charged(false), Some(Bank)),
            &[(codes::OFFICE, &turnover), (codes::OFFICE, "D 21.00"), (due_on, &due), (codes::BANK, "C 100.00")],
        );
    }
}

#[test]
fn a_purchase_beyond_the_limit_is_refused() {
    let too_much = Cents::MAX + cents(1);
    let cases = [
        (too_much, PurchaseVat::None),
        (Cents::MAX, PurchaseVat::Deductible { rate: rate(21), vat: cents(1) }),
        (cents(1), PurchaseVat::Deductible { rate: rate(21), vat: too_much }),
        (too_much, PurchaseVat::ReverseCharged { kind: ReverseChargeKind::Eu, rate: rate(21), deductible: true }),
    ];
    for (net, vat) in cases {
        let purchase = Purchase { description: "Moon".into(), cost: codes::OFFICE, net, vat, paid_from: None };
        assert_eq!(expense(SOURCE, ON, &purchase), Err(AmountOutOfRange), "{vat:?}");
    }
}

#[test]
fn entries_without_an_outside_party() {
    check(
        "private use",
        &private_use(SOURCE, ON, cents(10_000), rate(21)),
        &[(codes::PRIVATE_DRAWINGS, "D 121.00"), (codes::PRIVATE_USE, "C 100.00 1d"), (codes::VAT_DUE_PRIVATE_USE, "C 21.00 1d")],
    );
    check(
        "depreciation",
        &depreciation(SOURCE, ON, cents(20_000)),
        &[(codes::DEPRECIATION, "D 200.00"), (codes::ACCUMULATED_DEPRECIATION, "C 200.00")],
    );
    check(
        "opening balance",
        &opening_balance(SOURCE, ON, &[(codes::BANK, cents(50_000)), (codes::PAYABLES, cents(-20_000)), (codes::CASH, cents(0))]),
        &[(codes::BANK, "D 500.00"), (codes::PAYABLES, "C 200.00"), (codes::EQUITY, "C 300.00")],
    );
    let lines =
        |credit| vec![Posting::debit(codes::BANK_COSTS, cents(5), None), Posting::credit(codes::BANK, cents(credit), None)];
    let by_hand = manual(SOURCE, ON, "Fee", lines(5)).unwrap();
    check("by hand", &by_hand, &[(codes::BANK_COSTS, "D 0.05"), (codes::BANK, "C 0.05")]);
    assert_eq!(manual(SOURCE, ON, "Fee", lines(4)), Err(Unbalanced { debit: cents(5), credit: cents(4) }));
}

/// The VAT return of what these entries say, and its settlement.
fn settled(entries: &[JournalEntry]) -> (VatReturn, JournalEntry) {
    let postings = entries.iter().flat_map(JournalEntry::postings);
    let totals = postings.clone().map(|posting| Total {
        account: posting.account(),
        vat_box: posting.vat_box(),
        debit: posting.debited(),
        credit: posting.credited(),
    });
    let vat_return = vat_return(totals);
    let vat_accounts = [codes::VAT_DUE_HIGH, codes::VAT_DUE_EU, codes::INPUT_VAT_HIGH, codes::INPUT_VAT_REVERSE_CHARGED];
    let balances = vat_accounts.map(|account| {
        let on_account = postings.clone().filter(|posting| posting.account() == account && posting.vat_box().is_some());
        (account, on_account.map(|posting| posting.debited() - posting.credited()).sum())
    });
    let entry = vat_settlement(SOURCE, Quarter::of(ON), &vat_return, &balances);
    (vat_return, entry)
}

#[test]
fn filing_clears_the_vat_accounts_and_owes_what_was_declared() {
    let sale =
        sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &priced("1", &[("101.90", rate(21), VatCategory::Standard)], ON));
    let chair = bought(5_000, PurchaseVat::Deductible { rate: rate(21), vat: cents(1_050) }, None);
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
    assert_eq!((entry.date(), entry.description()), (date(2026, 3, 31), "VAT return 2026 quarter 1"));

    let (vat_return, entry) = settled(&[chair]);
    assert_eq!((vat_return.payable, vat_return.declared_payable), (cents(-1_050), -11));
    check(
        "to be refunded",
        &entry,
        &[(codes::INPUT_VAT_HIGH, "C 10.50"), (codes::VAT_SETTLEMENT, "D 11.00"), (codes::ROUNDING, "C 0.50")],
    );

    let abroad =
        bought(10_050, PurchaseVat::ReverseCharged { kind: ReverseChargeKind::Eu, rate: rate(21), deductible: true }, None);
    let (vat_return, entry) = settled(&[abroad]);
    // 21.105 is rounded to 21.11: due 21 and deductible 22, a euro in the taxpayer's favour out of nothing.
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
    assert!(entry.postings().iter().all(|posting| posting.debited().is_zero() && posting.credited().is_zero()));
    assert!(settled(&[sale]).1.postings().iter().all(|posting| posting.vat_box().is_none()));
}

#[test]
fn a_reversal_takes_every_posting_back_with_its_box() {
    let sale = sales_invoice(SOURCE, "2026-0001", "Janssen", ON, &priced("1", &[("100", rate(21), VatCategory::Standard)], ON));
    let back = sale.reversal(12, date(2026, 4, 1), "Reversal of: Invoice 2026-0001".into());
    check(
        "reversal",
        &back,
        &[(codes::RECEIVABLES, "C 121.00"), (codes::REVENUE_HIGH, "D 100.00 1a"), (codes::VAT_DUE_HIGH, "D 21.00 1a")],
    );
    assert_eq!((back.reverses(), back.date(), back.source()), (Some(12), date(2026, 4, 1), SOURCE));
    let again = back.reversal(13, ON, sale.description().into());
    assert_eq!(again.postings(), sale.postings());
}
