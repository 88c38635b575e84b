//! Interest and costs that may be claimed for an overdue invoice. A business owes commercial interest,
//! and collection costs without a reminder (art. 6:96(4) and 6:119a BW); a consumer owes ordinary
//! interest, and collection costs only after the letter of art. 6:96(6) BW.

use crate::{
    calculators::{self, late_payment},
    value::cents,
};
use jiff::civil::Date;
use ledger::{customer::CustomerKind, decimal::Decimal, money::Cents, vat::VatRate};

/// Amounts that may be claimed in addition to the principal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Days past the due date.
    pub days: i64,
    /// Statutory interest up to and including the given day; `None` while the rate is unpublished.
    pub interest: Option<Cents>,
    /// Collection costs, including the VAT on them if the creditor cannot deduct it (art. 2 Besluit
    /// vergoeding voor buitengerechtelijke incassokosten).
    pub costs: Cents,
}

/// Amounts that may be claimed on a day for an invoice with the given due date; zero up to and
/// including the due date.
///
/// ```
/// use ledger::{calendar::parse_date, customer::CustomerKind, money::Cents};
/// use tax::reminders::claim;
///
/// let (due, on) = (parse_date("2026-01-31")?, parse_date("2026-03-02")?);
/// let claim = claim(Cents::new(121_000), due, on, CustomerKind::Business, true);
/// assert_eq!(claim.days, 30);
/// // 15 % of 1 210.00.
/// assert_eq!(claim.costs, Cents::new(18_150));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn claim(open: Cents, due: Date, on: Date, debtor: CustomerKind, deducts_vat: bool) -> Claim {
    let nothing = Claim { days: 0, interest: Some(Cents::ZERO), costs: Cents::ZERO };
    if on <= due || open <= Cents::ZERO {
        return nothing;
    }
    let days = i64::from((on - due).get_days());
    let interest = || {
        let (amount, due, paid) =
            (Decimal::new(open.get(), 2).to_string(), due.to_string(), on.to_string());
        let fields = [
            ("amount", amount.as_str()),
            ("due", &due),
            ("paid", &paid),
            ("debtor", debtor.as_str()),
        ];
        let outcome = calculators::find("late-payment")?.calculate(&fields).ok()?;
        in_cents(&outcome.get("interest")?.number()?)
    };
    let costs = collection_costs(open, on, deducts_vat);
    Claim { days, interest: interest(), costs }
}

/// Collection costs for an open amount, including the VAT on them if the creditor cannot deduct it.
/// They do not depend on the interest rate, so they are known even if the interest is not. A consumer
/// may not owe them yet: the letter states them in advance, over the sum of all due invoices (art.
/// 6:96(7) BW).
#[must_use]
pub fn collection_costs(open: Cents, on: Date, deducts_vat: bool) -> Cents {
    let exact = late_payment::collection_costs_of(Decimal::new(open.get(), 2), on);
    let costs = in_cents(&exact).unwrap_or(Cents::ZERO);
    let vat = if deducts_vat { Cents::ZERO } else { VatRate::high_on(on).of(costs) };
    costs + vat
}

fn in_cents(exact: &Decimal) -> Option<Cents> {
    i64::try_from(cents(exact).mantissa()).ok().map(Cents::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// Worked example and table of the statutory bands.
    #[test]
    fn claims_follow_the_law() {
        let (due, on) = (date(2026, 5, 14), date(2026, 9, 15));
        let found = claim(Cents::new(242_000), due, on, CustomerKind::Business, true);
        assert_eq!(
            found,
            Claim { days: 124, interest: Some(Cents::new(8_472)), costs: Cents::new(36_300) }
        );
        for (open, costs) in [
            (10_000, 4_000),
            (242_000, 36_300),
            (363_000, 48_800),
            (1_000_000, 87_500),
            (20_000_000, 277_500),
            (100_000_000, 677_500),
            (200_000_000, 677_500),
        ] {
            assert_eq!(
                claim(Cents::new(open), due, on, CustomerKind::Consumer, true).costs,
                Cents::new(costs),
                "{open}"
            );
        }
        // A creditor who cannot deduct VAT adds it to the costs.
        assert_eq!(
            claim(Cents::new(60_500), due, on, CustomerKind::Consumer, false).costs,
            Cents::new(10_981)
        );
        assert_eq!(
            claim(Cents::new(60_500), due, on, CustomerKind::Consumer, true).costs,
            Cents::new(9_075)
        );
        // 4 % a year for consumers: on 605.00 for 124 days.
        assert_eq!(
            claim(Cents::new(60_500), due, on, CustomerKind::Consumer, true).interest,
            Some(Cents::new(822))
        );
        for in_time in [due, date(2026, 1, 1)] {
            assert_eq!(
                claim(Cents::new(242_000), due, in_time, CustomerKind::Business, true),
                Claim { days: 0, interest: Some(Cents::ZERO), costs: Cents::ZERO }
            );
        }
    }

    #[test]
    fn interest_without_a_published_rate_is_not_guessed() {
        let found = claim(
            Cents::new(10_000),
            date(2090, 1, 1),
            date(2090, 3, 1),
            CustomerKind::Business,
            true,
        );
        assert_eq!(found.interest, None);
    }
}
