//! Disposals of assets whose cost changes afterwards.

use super::*;

/// A disposal for another cost equals the disposal that would have been booked for that cost.
#[test]
fn a_disposal_follows_the_cost_of_its_asset() {
    let of = |account, proceeds, percent, into| {
        move |cost, depreciated| {
            let disposal = Disposal {
                accounts: AssetAccounts::of(account),
                cost: cents(cost),
                depreciated: cents(depreciated),
                proceeds: cents(proceeds),
                rate: rate(percent),
                into,
            };
            super::disposal(SOURCE, "Laptop", ON, &disposal)
        }
    };
    let disposals = [
        of(codes::EQUIPMENT, 50_000, 21, MoneyAccount::Bank),
        of(codes::EQUIPMENT, 50_000, 0, MoneyAccount::Private),
        of(codes::CAR, 500_000, 9, MoneyAccount::Cash),
        of(codes::INTANGIBLES, 0, 21, MoneyAccount::Bank),
    ];
    // Cost and accumulated depreciation: new, partly depreciated, without book value.
    let amounts = [(100_000, 0), (121_000, 4_033), (100_000, 3_333), (121_000, 121_000)];
    for (place, disposal) in disposals.iter().enumerate() {
        for (before, after) in
            amounts.iter().flat_map(|one| amounts.iter().map(move |other| (one, other)))
        {
            let account = [codes::EQUIPMENT, codes::EQUIPMENT, codes::CAR, codes::INTANGIBLES];
            let accounts = AssetAccounts::of(account[place]);
            let changed = disposal_at(
                &disposal(before.0, before.1),
                accounts,
                (cents(after.0), cents(after.1)),
            );
            assert_eq!(changed, disposal(after.0, after.1), "{place}: {before:?} to {after:?}");
        }
    }
}
