//! Reminders about overdue invoices: the owner's plan, the kind and day of the next step, and the days
//! on which reminders are sent automatically.

use crate::{
    calendar::{amsterdam_hour, amsterdam_today},
    customer::CustomerKind,
    named::named,
};
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Weekday},
};

named! {
    /// Way in which reminders are sent.
    ReminderMode {
        /// No reminder falls due; the owner can still send one.
        Off => "off",
        /// Due reminders are listed, and the owner sends them.
        Propose => "propose",
        /// Due reminders are sent automatically, except the claim of costs from a consumer.
        Automatic => "automatic",
    }
}

named! {
    /// Kind of reminder.
    ReminderKind {
        /// Friendly reminder.
        Friendly => "friendly",
        /// To a business: states the statutory interest (art. 6:119a BW).
        Interest => "interest",
        /// Announces collection costs to a business (art. 6:96(4) BW), or claims them from a consumer
        /// after the letter.
        Costs => "costs",
        /// To a consumer: the letter that must precede collection costs (art. 6:96(6) BW).
        Letter => "letter",
    }
}

/// Maximum number of steps for a kind of customer.
pub const MOST_STEPS: usize = 5;

/// Permitted numbers of days between two reminders of one invoice.
pub const MINIMUM_DAYS: (i64, i64) = (3, 60);

/// Latest day of a step, in days after the due date.
pub const LATEST_STEP: i64 = 730;

/// Days after the letter from which a consumer owes collection costs: fourteen days, counted from the
/// day after delivery. Delivery is assumed to take two days, plus a Sunday and a day without delivery,
/// so that the costs are never claimed too early.
pub const DAYS_AFTER_LETTER: i64 = 19;

/// Hour of the day at which reminders are sent automatically, in the Netherlands.
const HOUR: i8 = 9;

/// The owner's plan for reminders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReminderPlan {
    /// Way in which reminders are sent.
    pub mode: ReminderMode,
    /// Minimum number of days between two reminders of one invoice.
    pub minimum_days: i64,
    /// Days after the due date of the steps to a business, ascending.
    pub business: Vec<i64>,
    /// Days after the due date of the steps to a consumer, ascending.
    pub consumer: Vec<i64>,
}

impl Default for ReminderPlan {
    fn default() -> Self {
        Self {
            mode: ReminderMode::Propose,
            minimum_days: 7,
            business: vec![7, 21, 35],
            consumer: vec![7, 21],
        }
    }
}

/// Reminder that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentReminder {
    /// Kind.
    pub kind: ReminderKind,
    /// Day.
    pub on: Date,
}

/// Next step of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// Number of the step, from 1.
    pub step: i64,
    /// Kind.
    pub kind: ReminderKind,
    /// Day from which the step is due.
    pub due_since: Date,
    /// Whether the owner has to send it: costs are never claimed from a consumer automatically.
    pub is_by_hand: bool,
}

/// Kind of debtor: a customer without known kind is treated as a consumer, from whom less may be
/// claimed.
#[must_use]
pub fn debtor(known: Option<CustomerKind>) -> CustomerKind {
    known.unwrap_or(CustomerKind::Consumer)
}

/// Kind of the next reminder after the sent ones (oldest first). A consumer gets one letter, and costs
/// are only claimed after it.
///
/// ```
/// use ledger::{customer::CustomerKind, reminder::{ReminderKind, next_kind}};
///
/// assert_eq!(next_kind(CustomerKind::Business, &[]), ReminderKind::Friendly);
/// ```
#[must_use]
pub fn next_kind(debtor: CustomerKind, sent: &[SentReminder]) -> ReminderKind {
    match (debtor, sent.len()) {
        (_, 0) => ReminderKind::Friendly,
        (CustomerKind::Business, 1) => ReminderKind::Interest,
        (CustomerKind::Business, _) => ReminderKind::Costs,
        (CustomerKind::Consumer, _) if letter(sent).is_some() => ReminderKind::Costs,
        (CustomerKind::Consumer, _) => ReminderKind::Letter,
    }
}

/// Day of the letter.
fn letter(sent: &[SentReminder]) -> Option<Date> {
    sent.iter().rev().find(|sent| sent.kind == ReminderKind::Letter).map(|sent| sent.on)
}

/// Day from which a consumer owes collection costs, given the day of the letter.
#[must_use]
pub fn costs_owed_from(letter: Date) -> Date {
    letter.saturating_add(DAYS_AFTER_LETTER.days())
}

impl ReminderPlan {
    /// Serialises the plan: mode, minimum number of days, and the steps of both kinds of customers.
    ///
    /// ```
    /// use ledger::reminder::ReminderPlan;
    ///
    /// let plan = ReminderPlan::default();
    /// assert_eq!(plan.to_text(), "propose 7 7,21,35 7,21");
    /// assert_eq!(ReminderPlan::parse(&plan.to_text()), Some(plan));
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let list = |days: &[i64]| days.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let (business, consumer) = (list(&self.business), list(&self.consumer));
        format!("{} {} {business} {consumer}", self.mode.as_str(), self.minimum_days)
    }

    /// Parses the output of [`Self::to_text`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let mode = ReminderMode::parse(parts.next()?)?;
        let minimum_days = parts.next()?.parse().ok()?;
        let list = |text: &str| -> Option<Vec<i64>> {
            text.split(',').filter(|days| !days.is_empty()).map(|days| days.parse().ok()).collect()
        };
        let (business, consumer) = (list(parts.next()?)?, list(parts.next()?)?);
        Some(Self { mode, minimum_days, business, consumer })
    }

    /// Days after the due date of the steps to a kind of customer.
    #[must_use]
    pub fn steps(&self, debtor: CustomerKind) -> &[i64] {
        match debtor {
            CustomerKind::Business => &self.business,
            CustomerKind::Consumer => &self.consumer,
        }
    }

    /// Earliest day on which the owner can send the next reminder, given the sent ones; `None` if
    /// nothing was sent. It may be in the past.
    #[must_use]
    pub fn possible_from(&self, debtor: CustomerKind, sent: &[SentReminder]) -> Option<Date> {
        let last = sent.last()?;
        let after_last = last.on.saturating_add(self.minimum_days.days());
        let after_letter = match (debtor, letter(sent)) {
            (CustomerKind::Consumer, Some(letter)) => costs_owed_from(letter),
            _ => after_last,
        };
        Some(after_last.max(after_letter))
    }

    /// Whether the owner can send the next reminder before [`Self::possible_from`] by insisting:
    /// neither the letter to a consumer nor what follows it.
    #[must_use]
    pub fn can_be_forced(debtor: CustomerKind, sent: &[SentReminder]) -> bool {
        debtor == CustomerKind::Business
            || (letter(sent).is_none() && next_kind(debtor, sent) != ReminderKind::Letter)
    }

    /// Next step of an invoice, due or not; `None` after the last one. Steps that were missed follow
    /// one by one, each at least the minimum number of days after the one before. A consumer who got
    /// the letter has one more step: the claim of costs.
    #[must_use]
    pub fn next(
        &self,
        debtor: CustomerKind,
        due_date: Date,
        sent: &[SentReminder],
    ) -> Option<NextStep> {
        let kind = next_kind(debtor, sent);
        let is_by_hand = debtor == CustomerKind::Consumer && kind == ReminderKind::Costs;
        let is_claimed = sent.iter().any(|sent| sent.kind == ReminderKind::Costs);
        let planned = self.steps(debtor).get(sent.len()).copied();
        let days = planned.or((is_by_hand && !is_claimed).then_some(0))?;
        // A letter is only valid once the consumer is in default: after the due date.
        let earliest = due_date.saturating_add(days.max(1).days());
        let due_since = self.possible_from(debtor, sent).map_or(earliest, |day| day.max(earliest));
        let step = i64::try_from(sent.len()).unwrap_or(i64::MAX).saturating_add(1);
        Some(NextStep { step, kind, due_since, is_by_hand })
    }
}

/// Whether reminders are sent automatically on a day: from Monday to Friday.
#[must_use]
pub fn is_working_day(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Whether reminders are sent automatically at a time: from nine o'clock on a working day.
#[must_use]
pub fn is_sending_time(now: Timestamp) -> bool {
    let today = amsterdam_today(now);
    is_working_day(today) && now >= amsterdam_hour(today, HOUR)
}

/// Next time after `now` at which reminders are sent automatically.
///
/// ```
/// use ledger::reminder::next_sending_time;
///
/// // From Friday morning to Monday at nine, in winter.
/// let friday = "2026-02-06T08:00:00Z".parse()?;
/// assert_eq!(next_sending_time(friday).to_string(), "2026-02-09T08:00:00Z");
/// # Ok::<(), jiff::Error>(())
/// ```
#[must_use]
pub fn next_sending_time(now: Timestamp) -> Timestamp {
    let mut day = amsterdam_today(now);
    loop {
        let time = amsterdam_hour(day, HOUR);
        if time > now && is_working_day(day) {
            return time;
        }
        match day.tomorrow() {
            Ok(next) => day = next,
            Err(_) => return Timestamp::MAX,
        }
    }
}

/// Day on which a reminder that is due from `due_since` on is sent automatically, after `now`.
#[must_use]
pub fn sending_day(due_since: Date, now: Timestamp) -> Date {
    let mut day = due_since.max(amsterdam_today(next_sending_time(now)));
    while !is_working_day(day) {
        match day.tomorrow() {
            Ok(next) => day = next,
            Err(_) => return day,
        }
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const DUE: Date = date(2026, 3, 1);

    fn sent(of: &[(ReminderKind, Date)]) -> Vec<SentReminder> {
        of.iter().map(|(kind, on)| SentReminder { kind: *kind, on: *on }).collect()
    }

    fn after(days: i64) -> Date {
        DUE.saturating_add(days.days())
    }

    /// Steps of a debtor of whom nothing is ever paid: kind, days after the due date, and whether the
    /// owner has to send it. Each is sent on the day on which it is due, but not before `from`.
    fn course(
        plan: &ReminderPlan,
        debtor: CustomerKind,
        from: i64,
    ) -> Vec<(ReminderKind, i64, bool)> {
        let (mut sent, mut course) = (Vec::new(), Vec::new());
        while let Some(step) = plan.next(debtor, DUE, &sent) {
            let on = step.due_since.max(after(from));
            assert_eq!(step.step, i64::try_from(sent.len()).unwrap() + 1);
            course.push((step.kind, i64::from((on - DUE).get_days()), step.is_by_hand));
            sent.push(SentReminder { kind: step.kind, on });
        }
        course
    }

    /// Plan, kind of customer, number of days after the due date on which sending begins, and the
    /// expected steps: kind, days after the due date, and whether it is sent by hand.
    type Case<'c> = (&'c ReminderPlan, CustomerKind, i64, &'c [(ReminderKind, i64, bool)]);

    #[test]
    fn steps_follow_the_plan_and_the_law() {
        use CustomerKind::{Business, Consumer};
        use ReminderKind::{Costs, Friendly, Interest, Letter};
        let usual = ReminderPlan::default();
        let plan = |business: &[i64], consumer: &[i64]| ReminderPlan {
            business: business.to_vec(),
            consumer: consumer.to_vec(),
            ..ReminderPlan::default()
        };
        let cases: &[Case<'_>] = &[
            (
                &usual,
                Business,
                0,
                &[(Friendly, 7, false), (Interest, 21, false), (Costs, 35, false)],
            ),
            // Art. 6:96(6) BW: costs only after the letter, here 19 days after it at the earliest.
            (&usual, Consumer, 0, &[(Friendly, 7, false), (Letter, 21, false), (Costs, 40, true)]),
            // After an outage one step; the next ones are the minimum number of days later.
            (
                &usual,
                Business,
                50,
                &[(Friendly, 50, false), (Interest, 57, false), (Costs, 64, false)],
            ),
            (
                &usual,
                Consumer,
                50,
                &[(Friendly, 50, false), (Letter, 57, false), (Costs, 76, true)],
            ),
            (
                &usual,
                Business,
                30,
                &[(Friendly, 30, false), (Interest, 37, false), (Costs, 44, false)],
            ),
            (
                &plan(&[1, 2, 3, 40, 50], &[1]),
                Business,
                0,
                &[
                    (Friendly, 1, false),
                    (Interest, 8, false),
                    (Costs, 15, false),
                    (Costs, 40, false),
                    (Costs, 50, false),
                ],
            ),
            // No letter in the plan: no costs either.
            (&plan(&[1], &[1]), Consumer, 0, &[(Friendly, 1, false)]),
            (
                &plan(&[1], &[1, 2, 60]),
                Consumer,
                0,
                &[(Friendly, 1, false), (Letter, 8, false), (Costs, 60, true)],
            ),
            (&plan(&[], &[]), Business, 0, &[]),
            (&plan(&[], &[]), Consumer, 0, &[]),
        ];
        for (plan, debtor, from, steps) in cases {
            assert_eq!(course(plan, *debtor, *from), *steps, "{plan:?} {debtor:?} {from}");
        }
    }

    #[test]
    fn a_consumer_gets_one_letter_and_costs_are_claimed_from_day_19_on() {
        use ReminderKind::{Costs, Friendly, Interest, Letter};
        let plan = ReminderPlan::default();
        let possible = |debtor, of: &[(ReminderKind, Date)]| {
            let sent = sent(of);
            let can_be_forced = ReminderPlan::can_be_forced(debtor, &sent);
            (next_kind(debtor, &sent), plan.possible_from(debtor, &sent), can_be_forced)
        };
        let (business, consumer) = (CustomerKind::Business, CustomerKind::Consumer);
        let on = date(2026, 4, 1);
        for (debtor, of, expected) in [
            (business, &[][..], (Friendly, None, true)),
            (business, &[(Friendly, on)], (Interest, Some(date(2026, 4, 8)), true)),
            (business, &[(Friendly, on), (Interest, on)], (Costs, Some(date(2026, 4, 8)), true)),
            (consumer, &[], (Friendly, None, true)),
            // The letter cannot be forced.
            (consumer, &[(Friendly, on)], (Letter, Some(date(2026, 4, 8)), false)),
            // After it, nothing before day 19.
            (consumer, &[(Friendly, on), (Letter, on)], (Costs, Some(date(2026, 4, 20)), false)),
            (consumer, &[(Letter, on)], (Costs, Some(date(2026, 4, 20)), false)),
            (
                consumer,
                &[(Letter, date(2026, 3, 1)), (Costs, on)],
                (Costs, Some(date(2026, 4, 8)), false),
            ),
            // A business that turned out to be a consumer gets the letter first.
            (
                consumer,
                &[(Friendly, on), (Interest, on), (Costs, on)],
                (Letter, Some(date(2026, 4, 8)), false),
            ),
        ] {
            assert_eq!(possible(debtor, of), expected, "{debtor:?} {of:?}");
        }
    }

    #[test]
    fn a_letter_is_never_due_before_the_customer_is_in_default() {
        let plan = ReminderPlan { consumer: vec![0, 0], ..ReminderPlan::default() };
        let first = plan.next(CustomerKind::Consumer, DUE, &[]).unwrap();
        assert_eq!(first.due_since, after(1));
        let early = sent(&[(ReminderKind::Friendly, DUE.saturating_sub(30.days()))]);
        let letter = plan.next(CustomerKind::Consumer, DUE, &early).unwrap();
        assert_eq!((letter.kind, letter.due_since), (ReminderKind::Letter, after(1)));
    }

    #[test]
    fn unknown_customers_are_treated_as_consumers() {
        assert_eq!(debtor(None), CustomerKind::Consumer);
        assert_eq!(debtor(Some(CustomerKind::Business)), CustomerKind::Business);
    }

    #[test]
    fn reminders_are_sent_at_nine_on_working_days() {
        for (now, is_time, next) in [
            ("2026-02-05T07:59:59Z", false, "2026-02-05T08:00:00Z"),
            ("2026-02-05T08:00:00Z", true, "2026-02-06T08:00:00Z"),
            ("2026-02-07T12:00:00Z", false, "2026-02-09T08:00:00Z"),
            ("2026-02-08T22:59:00Z", false, "2026-02-09T08:00:00Z"),
            // Summer time begins on Sunday 29 March.
            ("2026-03-27T08:00:00Z", true, "2026-03-30T07:00:00Z"),
            ("2026-03-30T07:00:00Z", true, "2026-03-31T07:00:00Z"),
        ] {
            let now: Timestamp = now.parse().unwrap();
            assert_eq!(is_sending_time(now), is_time, "{now}");
            assert_eq!(next_sending_time(now).to_string(), next, "{now}");
        }
        let now: Timestamp = "2026-02-05T08:00:00Z".parse().unwrap();
        for (due_since, day) in [
            (date(2026, 1, 1), date(2026, 2, 6)),
            (date(2026, 2, 6), date(2026, 2, 6)),
            (date(2026, 2, 7), date(2026, 2, 9)),
        ] {
            assert_eq!(sending_day(due_since, now), day, "{due_since}");
        }
    }

    #[test]
    fn a_plan_without_steps_is_stored_too() {
        let plan = ReminderPlan {
            mode: ReminderMode::Automatic,
            minimum_days: 60,
            business: Vec::new(),
            consumer: vec![1],
        };
        assert_eq!(ReminderPlan::parse(&plan.to_text()), Some(plan));
        for text in ["", "often 7 7 7", "off x 7 7", "off 7 7", "off 7 a 7"] {
            assert_eq!(ReminderPlan::parse(text), None, "{text}");
        }
    }
}
