//! Postings of documents on accounts that the owner added.

use super::*;
use crate::{asset, decimal::Decimal};

fn own(number: u16, rgs: &str) -> AccountCode {
    crate::own_account::code(number, rgs, true).unwrap()
}

fn figures(entry: &JournalEntry) -> Vec<(u16, i64, Option<VatBox>)> {
    let debited = |posting: &Posting| (posting.debited() - posting.credited()).get();
    let postings = entry.postings().iter();
    postings.map(|of| (of.account().get(), debited(of), of.vat_box())).collect()
}

/// 100.00 and 50.00 at 21 %, the latter on the owner's account, and 10.00 at 9 % on that account:
/// VAT of 31.50 and 0.90. The box is that of the rate.
#[test]
fn a_line_with_a_revenue_account_of_its_own_is_booked_on_it() {
    let workshops = own(8105, "WOmzNodOdh");
    let line = |price: &str, percent: u16, account| Line {
        description: "work".into(),
        quantity: Decimal::ONE,
        unit_price: decimal::parse(price).unwrap(),
        vat_rate: rate(percent),
        vat_category: VatCategory::Standard,
        supply: Supply::Services,
        tax_country: None,
        sets_off: None,
        account,
        rounding: Cents::ZERO,
        unit: None,
        discount: Discount::None,
        credits: None,
    };
    let lines =
        [line("100", 21, None), line("50", 21, Some(workshops)), line("10", 9, Some(workshops))];
    let priced = invoice::price(&lines, ON, Prices::Net).unwrap();
    let entry = |earned| sales_invoice(SOURCE, "2026-0001", "K", ON, &priced, earned);
    let (high, low) = (Some(VatBox::B1a), Some(VatBox::B1b));
    assert_eq!(
        figures(&entry(Earned::Now)),
        [
            (1300, 19_240, None),
            (8000, -10_000, high),
            (8105, -5_000, high),
            (1700, -3_150, high),
            (8105, -1_000, low),
            (1710, -90, low),
        ]
    );
    // A prepayment is no revenue yet.
    assert_eq!(
        figures(&entry(Earned::Later)),
        [
            (1300, 19_240, None),
            (1620, -15_000, high),
            (1700, -3_150, high),
            (1620, -1_000, low),
            (1710, -90, low),
        ]
    );
    // With prices including VAT, the shares of the lines add up to the base: 150.00 less 26.03.
    let priced = invoice::price(&lines[..2], ON, Prices::Gross).unwrap();
    let entry = sales_invoice(SOURCE, "2026-0001", "K", ON, &priced, Earned::Now);
    assert_eq!(
        figures(&entry),
        [(1300, 15_000, None), (8000, -8_265, high), (8105, -4_132, high), (1700, -2_603, high)]
    );
}

#[test]
fn an_asset_on_own_accounts_is_depreciated_and_disposed_of_on_them() {
    let accounts = AssetAccounts::of(own(250, "BMvaBeiVvp"))
        .depreciated_on(Some(own(260, "BMvaBeiCae")), Some(own(4505, "WAfsAmvBei")));
    let year = asset_depreciation(SOURCE, "Bench", ON, accounts, cents(24_000));
    assert_eq!(figures(&year), [(4505, 24_000, None), (260, -24_000, None)]);
    let scrapped = Disposal {
        accounts,
        cost: cents(120_000),
        depreciated: cents(24_000),
        proceeds: cents(0),
        rate: rate(21),
        into: MoneyAccount::Bank,
    };
    assert_eq!(
        figures(&disposal(SOURCE, "Bench", ON, &scrapped)),
        [(260, 24_000, None), (4530, 96_000, None), (250, -120_000, None)]
    );
    // Without accounts of their own, they are those of equipment.
    let usual = AssetAccounts::of(own(250, "BMvaBeiVvp"));
    assert_eq!((usual.accumulated.get(), usual.depreciation.get()), (210, 4500));
    for (code, is_asset, accumulates, is_cost) in [
        (codes::EQUIPMENT, true, false, false),
        (codes::ACCUMULATED_DEPRECIATION, false, true, false),
        (codes::DEPRECIATION, false, false, true),
        (codes::BANK, false, false, false),
        (own(250, "BMvaBeiVvp"), true, true, false),
        (own(260, "BMvaBeiCae"), false, true, false),
        (own(4505, "WAfsAmvBei"), false, false, true),
        (own(8105, "WOmzNodOdh"), false, false, false),
    ] {
        let of = (
            asset::is_account(code),
            asset::is_accumulated_account(code),
            asset::is_depreciation_account(code),
        );
        assert_eq!(of, (is_asset, accumulates, is_cost), "{code}");
    }
}
