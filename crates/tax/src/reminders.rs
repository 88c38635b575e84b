//! Reminders about overdue invoices: the next reminder, and the interest and costs that may be
//! claimed.

use crate::{
    calculators::{self, late_payment},
    value::cents,
};
use jiff::{ToSpan, civil::Date};
use ledger::{decimal::Decimal, money::Cents, vat::VatRate};

/// Kind of debtor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debtor {
    /// Acts in a profession or business: commercial interest, and collection costs without a
    /// reminder (art. 6:96(4) and 6:119a BW).
    Business,
    /// A natural person acting privately: ordinary interest, and collection costs only after the
    /// letter of art. 6:96(6) BW.
    Consumer,
}

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

/// Next reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A friendly reminder.
    First,
    /// To a business: states the interest.
    Second,
    /// To a business: states the costs that will be charged next. Repeated for later reminders.
    Last,
    /// To a consumer: the letter of art. 6:96(6) BW.
    FourteenDays,
    /// To a consumer who did not pay within the term of the letter ([`Self::FourteenDays`]): claims
    /// costs and interest. Repeated for later reminders.
    AfterTerm,
}

/// Next reminder on a day, given the days of the earlier reminders (`sent`, in ascending order).
/// While the term of the letter to a consumer runs, the letter is repeated and the term restarts.
///
/// ```
/// use ledger::calendar::parse_date;
/// use tax::reminders::{Debtor, Step, next};
///
/// let on = parse_date("2026-05-01")?;
/// assert_eq!(next(Debtor::Consumer, &[], on), Step::First);
/// assert_eq!(next(Debtor::Consumer, &[parse_date("2026-04-15")?], on), Step::FourteenDays);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn next(debtor: Debtor, sent: &[Date], on: Date) -> Step {
    let mut letter = None;
    for (number, day) in sent.iter().enumerate() {
        if step(debtor, number, letter, *day) == Step::FourteenDays {
            letter = Some(*day);
        }
    }
    step(debtor, sent.len(), letter, on)
}

fn step(debtor: Debtor, sent: usize, letter: Option<Date>, on: Date) -> Step {
    match (debtor, sent, letter) {
        (_, 0, _) => Step::First,
        (Debtor::Business, 1, _) => Step::Second,
        (Debtor::Business, ..) => Step::Last,
        (Debtor::Consumer, _, Some(letter)) if on >= consumer_owes_costs_from(letter) => {
            Step::AfterTerm
        }
        (Debtor::Consumer, ..) => Step::FourteenDays,
    }
}

/// Date from which a consumer owes collection costs: fourteen days, counted from the day after
/// delivery of the letter. Delivery is assumed to take two days, plus a Sunday and a day without
/// delivery, so that the date is never too early.
#[must_use]
pub fn consumer_owes_costs_from(letter: Date) -> Date {
    letter.saturating_add(19.days())
}

/// Amounts that may be claimed on a day for an invoice with the given due date; zero up to and
/// including the due date.
///
/// ```
/// use ledger::{calendar::parse_date, money::Cents};
/// use tax::reminders::{Debtor, claim};
///
/// let (due, on) = (parse_date("2026-01-31")?, parse_date("2026-03-02")?);
/// let claim = claim(Cents::new(121_000), due, on, Debtor::Business, true);
/// assert_eq!(claim.days, 30);
/// // 15 % of 1 210.00.
/// assert_eq!(claim.costs, Cents::new(18_150));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn claim(open: Cents, due: Date, on: Date, debtor: Debtor, deducts_vat: bool) -> Claim {
    let nothing = Claim { days: 0, interest: Some(Cents::ZERO), costs: Cents::ZERO };
    if on <= due || open <= Cents::ZERO {
        return nothing;
    }
    let kind = match debtor {
        Debtor::Business => "business",
        Debtor::Consumer => "consumer",
    };
    let days = i64::from((on - due).get_days());
    let interest = || {
        let (amount, due, paid) =
            (Decimal::new(open.get(), 2).to_string(), due.to_string(), on.to_string());
        let fields =
            [("amount", amount.as_str()), ("due", &due), ("paid", &paid), ("debtor", kind)];
        let outcome = calculators::find("late-payment")?.calculate(&fields).ok()?;
        in_cents(&outcome.get("interest")?.number()?)
    };
    // The costs do not depend on the interest rate, so they are known even if the interest is not.
    // They are also computed for a consumer who does not owe them yet, because the letter states
    // them in advance.
    let exact = late_payment::collection_costs_of(Decimal::new(open.get(), 2), on);
    let costs = in_cents(&exact).unwrap_or(Cents::ZERO);
    let vat = if deducts_vat { Cents::ZERO } else { VatRate::high_on(on).of(costs) };
    Claim { days, interest: interest(), costs: costs + vat }
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
        let found = claim(Cents::new(242_000), due, on, Debtor::Business, true);
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
                claim(Cents::new(open), due, on, Debtor::Consumer, true).costs,
                Cents::new(costs),
                "{open}"
            );
        }
        // A creditor who cannot deduct VAT adds it to the costs.
        assert_eq!(
            claim(Cents::new(60_500), due, on, Debtor::Consumer, false).costs,
            Cents::new(10_981)
        );
        assert_eq!(
            claim(Cents::new(60_500), due, on, Debtor::Consumer, true).costs,
            Cents::new(9_075)
        );
        // 4 % a year for consumers: on 605.00 for 124 days.
        assert_eq!(
            claim(Cents::new(60_500), due, on, Debtor::Consumer, true).interest,
            Some(Cents::new(822))
        );
        for in_time in [due, date(2026, 1, 1)] {
            assert_eq!(
                claim(Cents::new(242_000), due, in_time, Debtor::Business, true),
                Claim { days: 0, interest: Some(Cents::ZERO), costs: Cents::ZERO }
            );
        }
    }

    #[test]
    fn interest_without_a_published_rate_is_not_guessed() {
        let found =
            claim(Cents::new(10_000), date(2090, 1, 1), date(2090, 3, 1), Debtor::Business, true);
        assert_eq!(found.interest, None);
    }

    #[test]
    fn only_a_consumer_gets_the_letter_before_costs() {
        let day = date(2026, 11, 1);
        let after = |debtor, sent: usize| next(debtor, &vec![day; sent], day);
        assert_eq!(
            [0, 1, 2, 7].map(|sent| after(Debtor::Business, sent)),
            [Step::First, Step::Second, Step::Last, Step::Last]
        );
        // The letter is the second reminder. If it is repeated within its term, the term restarts;
        // after the term, the costs are owed.
        assert_eq!(
            [0, 1, 2].map(|sent| after(Debtor::Consumer, sent)),
            [Step::First, Step::FourteenDays, Step::FourteenDays]
        );
        let (first, letter, again, late) =
            (date(2026, 11, 20), date(2026, 12, 8), date(2026, 12, 9), date(2027, 3, 1));
        for (sent, on, step) in [
            (&[day, first][..], letter, Step::FourteenDays),
            (&[day, first], again, Step::AfterTerm),
            (&[day, first, letter], again, Step::FourteenDays),
            (&[day, first, again], again, Step::AfterTerm),
            (&[day, first, again, late], late, Step::AfterTerm),
        ] {
            assert_eq!(next(Debtor::Consumer, sent, on), step, "{sent:?} {on}");
        }
        assert_eq!(consumer_owes_costs_from(date(2026, 11, 20)), date(2026, 12, 9));
    }
}
