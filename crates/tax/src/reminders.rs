//! What a creditor may do about an invoice that is not paid on time: which reminder comes next, and what may be charged to whom.

use crate::{
    calculators::{self, late_payment},
    value::cents,
};
use jiff::{ToSpan, civil::Date};
use ledger::{decimal::Decimal, money::Cents, vat::VatRate};

/// Who owes the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debtor {
    /// Acts in a profession or business: commercial interest, and costs without a reminder (art. 6:96(4) and 6:119a BW).
    Business,
    /// A natural person who does not: ordinary interest, and costs only after the letter of art. 6:96(6) BW.
    Consumer,
}

/// What may be claimed beside the amount itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Days after the due date.
    pub days: i64,
    /// The statutory interest up to and including the day; none where its rate is not published yet.
    pub interest: Option<Cents>,
    /// The collection costs, including VAT where the creditor cannot deduct it (art. 2 Besluit vergoeding voor buitengerechtelijke incassokosten).
    pub costs: Cents,
}

/// The reminder that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A friendly one.
    First,
    /// To a business: tells the interest.
    Second,
    /// To a business: tells the costs that follow. Later ones are the same.
    Last,
    /// To a consumer: the letter of art. 6:96(6) BW.
    FourteenDays,
    /// To a consumer who did not pay within the term of that letter: asks for the costs and the interest too. Later ones are the same.
    AfterTerm,
}

/// The reminder that comes on a day, after those of the days `sent`, the earliest first. While the term of the letter to a consumer runs, it is
/// sent again, and the term begins anew.
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
        (Debtor::Consumer, _, Some(letter)) if on >= consumer_owes_costs_from(letter) => Step::AfterTerm,
        (Debtor::Consumer, ..) => Step::FourteenDays,
    }
}

/// The day from which a consumer owes the costs: fourteen days from the day after delivery, counted with two days of post, a Sunday and the days
/// on which nothing is delivered, so that it is never too early.
#[must_use]
pub fn consumer_owes_costs_from(letter: Date) -> Date {
    letter.saturating_add(19.days())
}

/// What may be claimed on a day of an amount that was due on another. On the due date and before it, nothing.
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
        let (amount, due, paid) = (Decimal::new(open.get(), 2).to_string(), due.to_string(), on.to_string());
        let fields = [("amount", amount.as_str()), ("due", &due), ("paid", &paid), ("debtor", kind)];
        let outcome = calculators::find("late-payment")?.calculate(&fields).ok()?;
        in_cents(&outcome.get("interest")?.number()?)
    };
    // The costs follow from the amount alone, so that they are known where the interest is not. A consumer's letter names them before they are
    // owed.
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

    /// The worked example and the table of the law's bands.
    #[test]
    fn what_may_be_claimed_is_what_the_law_says() {
        let (due, on) = (date(2026, 5, 14), date(2026, 9, 15));
        let found = claim(Cents::new(242_000), due, on, Debtor::Business, true);
        assert_eq!(found, Claim { days: 124, interest: Some(Cents::new(8_472)), costs: Cents::new(36_300) });
        for (open, costs) in [
            (10_000, 4_000),
            (242_000, 36_300),
            (363_000, 48_800),
            (1_000_000, 87_500),
            (20_000_000, 277_500),
            (100_000_000, 677_500),
            (200_000_000, 677_500),
        ] {
            assert_eq!(claim(Cents::new(open), due, on, Debtor::Consumer, true).costs, Cents::new(costs), "{open}");
        }
        // Who cannot deduct VAT claims it with the costs.
        assert_eq!(claim(Cents::new(60_500), due, on, Debtor::Consumer, false).costs, Cents::new(10_981));
        assert_eq!(claim(Cents::new(60_500), due, on, Debtor::Consumer, true).costs, Cents::new(9_075));
        // 4 per cent for consumers: 605 over 124 days.
        assert_eq!(claim(Cents::new(60_500), due, on, Debtor::Consumer, true).interest, Some(Cents::new(822)));
        for in_time in [due, date(2026, 1, 1)] {
            assert_eq!(
                claim(Cents::new(242_000), due, in_time, Debtor::Business, true),
                Claim { days: 0, interest: Some(Cents::ZERO), costs: Cents::ZERO }
            );
        }
    }

    #[test]
    fn interest_that_is_not_published_is_not_guessed() {
        let found = claim(Cents::new(10_000), date(2090, 1, 1), date(2090, 3, 1), Debtor::Business, true);
        assert_eq!(found.interest, None);
    }

    #[test]
    fn a_consumer_gets_the_letter_before_costs_and_a_business_never_does() {
        let day = date(2026, 11, 1);
        let after = |debtor, sent: usize| next(debtor, &vec![day; sent], day);
        assert_eq!([0, 1, 2, 7].map(|sent| after(Debtor::Business, sent)), [Step::First, Step::Second, Step::Last, Step::Last]);
        // The first reminder is not the letter, which is the second. Sent again while its term runs, the term begins anew; after it the costs are owed.
        assert_eq!([0, 1, 2].map(|sent| after(Debtor::Consumer, sent)), [Step::First, Step::FourteenDays, Step::FourteenDays]);
        let (first, letter, again, late) = (date(2026, 11, 20), date(2026, 12, 8), date(2026, 12, 9), date(2027, 3, 1));
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
