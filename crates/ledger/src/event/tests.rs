use super::*;
use jiff::civil::date;

const ON: Date = date(2026, 12, 31);

fn cents(amount: i64) -> Cents {
    Cents::new(amount)
}

/// Returns the postings of each entry in accountants' notation: `1100 D 8.00`, followed by the box
/// if there is one.
fn booked(event: &Event) -> Vec<(Date, String)> {
    let entries = event.entries(7, ON, None, 41).unwrap();
    assert!(
        entries.iter().all(|entry| entry.source() == Source { kind: event.source_type(), id: 7 })
    );
    let line = |posting: &Posting| {
        let (side, amount) = if posting.debited().is_zero() {
            ("C", posting.credited())
        } else {
            ("D", posting.debited())
        };
        format!(
            "{} {side} {amount}{}",
            posting.account(),
            posting.vat_box().map_or(String::new(), |of| format!(" {}", of.as_str()))
        )
    };
    entries
        .iter()
        .map(|entry| {
            (entry.date(), entry.postings().iter().map(line).collect::<Vec<_>>().join(", "))
        })
        .collect()
}

fn check(event: &Event, expected: &[(Date, &str)]) {
    let expected: Vec<(Date, String)> =
        expected.iter().map(|(on, lines)| (*on, (*lines).to_owned())).collect();
    assert_eq!(booked(event), expected, "{event:?}");
}

#[test]
// Long: a table of cases.
fn each_event_books_what_an_accountant_books() {
    let (bank, card) = (MoneyAccount::Bank, MoneyAccount::Card);
    let private =
        |kind, amount| Event::Private { kind, amount: cents(amount), method: bank, premium: None };
    let accrual = |kind, account, amount| Event::Accrual {
        kind,
        account,
        amount: cents(amount),
        reverse_on: date(2027, 1, 1),
    };
    let cases: &[(Event, &[(Date, &str)])] = &[
        (
            Event::Transfer {
                from: bank,
                to: card,
                amount: cents(12_100),
                arrived: date(2027, 1, 2),
                awaited: None,
            },
            &[
                (ON, "1190 D 121.00, 1100 C 121.00"),
                (date(2027, 1, 2), "1120 D 121.00, 1190 C 121.00"),
            ],
        ),
        (
            Event::Transfer {
                from: bank,
                to: card,
                amount: cents(12_100),
                arrived: ON,
                awaited: Some(TransferHalf::Arrival),
            },
            &[(ON, "1190 D 121.00, 1100 C 121.00")],
        ),
        (
            Event::Transfer {
                from: bank,
                to: card,
                amount: cents(12_100),
                arrived: ON,
                awaited: Some(TransferHalf::Departure),
            },
            &[(ON, "1120 D 121.00, 1190 C 121.00")],
        ),
        (private(PrivateKind::Drawing, 180_000), &[(ON, "0520 D 1800.00, 1100 C 1800.00")]),
        (private(PrivateKind::Deposit, 500_000), &[(ON, "1100 D 5000.00, 0510 C 5000.00")]),
        (private(PrivateKind::IncomeTax, 250_000), &[(ON, "0530 D 2500.00, 1100 C 2500.00")]),
        (private(PrivateKind::HealthInsurance, -10_000), &[(ON, "0530 C 100.00, 1100 D 100.00")]),
        (private(PrivateKind::Premium, 21_550), &[(ON, "0540 D 215.50, 1100 C 215.50")]),
        (
            accrual(AccrualKind::WorkToInvoice, codes::REVENUE_HIGH, 160_000),
            &[
                (ON, "1320 D 1600.00, 8000 C 1600.00"),
                (date(2027, 1, 1), "1320 C 1600.00, 8000 D 1600.00"),
            ],
        ),
        (
            accrual(AccrualKind::AccruedCost, codes::TELEPHONE, 5_000),
            &[(ON, "4120 D 50.00, 1610 C 50.00"), (date(2027, 1, 1), "4120 C 50.00, 1610 D 50.00")],
        ),
        (
            accrual(AccrualKind::PrepaidCost, codes::INSURANCE, 30_000),
            &[
                (ON, "1330 D 300.00, 4400 C 300.00"),
                (date(2027, 1, 1), "1330 C 300.00, 4400 D 300.00"),
            ],
        ),
        (
            Event::Loan { account: codes::BANK_LOAN, amount: cents(1_000_000), method: bank },
            &[(ON, "1100 D 10000.00, 0700 C 10000.00")],
        ),
        (
            Event::LoanRepayment {
                account: codes::BANK_LOAN,
                principal: cents(20_000),
                interest: cents(4_167),
                method: bank,
            },
            &[(ON, "0700 D 200.00, 4600 D 41.67, 1100 C 241.67")],
        ),
        // A car of 40 000: 2.7 % VAT, which is 21 % of 5 142.86, and 22 % added to the profit.
        (
            Event::PrivateUse {
                kind: PrivateUseKind::Car,
                vat: cents(108_000),
                base: Some(cents(880_000)),
            },
            &[(
                ON,
                "4240 D 1080.00, 1730 C 1080.00 1d, 4240 C 5142.86 1d, 4240 D 5142.86, 0550 D 8800.00, 4230 C 8800.00",
            )],
        ),
        (
            Event::PrivateUse {
                kind: PrivateUseKind::Goods,
                vat: cents(2_100),
                base: Some(cents(10_000)),
            },
            &[(ON, "0550 D 121.00, 8900 C 100.00 1d, 1730 C 21.00 1d")],
        ),
        (
            Event::PrivateUse { kind: PrivateUseKind::Goods, vat: cents(2_100), base: None },
            &[(ON, "0550 D 21.00, 1730 C 21.00 1d")],
        ),
        (
            Event::OpeningBalance {
                balances: vec![
                    (codes::BANK, cents(800_000)),
                    (codes::EQUIPMENT, cents(189_900)),
                    (codes::ACCUMULATED_DEPRECIATION, cents(-34_182)),
                    (codes::VAT_SETTLEMENT, cents(-115_000)),
                ],
            },
            &[(
                ON,
                "1100 D 8000.00, 0200 D 1899.00, 0210 C 341.82, 1780 C 1150.00, 0500 C 8407.18",
            )],
        ),
    ];
    for (event, expected) in cases {
        check(event, expected);
    }
}

#[test]
fn the_owners_words_stand_on_every_entry() {
    let event = Event::Accrual {
        kind: AccrualKind::WorkToInvoice,
        account: codes::REVENUE_HIGH,
        amount: cents(100),
        reverse_on: date(2027, 1, 1),
    };
    let [first, back] = &event.entries(1, ON, Some("Site for De Pier"), 41).unwrap()[..] else {
        panic!("two entries")
    };
    assert_eq!(
        (first.words(crate::language::Language::English).as_str(), back.reverses()),
        ("Site for De Pier", Some(41))
    );
    assert_eq!(back.words(crate::language::Language::Dutch), "Tegenboeking van: Site for De Pier");
}

#[test]
fn an_entry_by_hand_balances() {
    let lines = |credit| {
        vec![
            Posting::debit(codes::BANK_COSTS, cents(5), None),
            Posting::credit(codes::BANK, cents(credit), None),
        ]
    };
    assert!(Event::ByHand { postings: lines(5) }.entries(1, ON, Some("Fee"), 1).is_ok());
    let unbalanced = Event::ByHand { postings: lines(4) }.entries(1, ON, Some("Fee"), 1);
    assert_eq!(unbalanced, Err(Unbalanced { debit: cents(5), credit: cents(4) }));
}
