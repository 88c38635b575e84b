//! Payments through a payment provider: what a fetched payment means for the books, on which day,
//! and how a settlement compares with what was booked.
//!
//! A message of the provider is only a hint. The books follow the payment as fetched, and every step
//! happens once, however often and in which order it is fetched.

use crate::{calendar::amsterdam_today, money::Cents, money_account::MoneyAccount, named::named};
use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, date},
};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Beginning of the external ids of what this program books by itself.
pub const RESERVED: &str = "mollie:";

/// Returns the external id of a payment, refund, chargeback or settlement of the provider.
///
/// ```
/// assert_eq!(ledger::provider_payment::external_id("tr_7UhSN1zuXS"), "mollie:tr_7UhSN1zuXS");
/// ```
#[must_use]
pub fn external_id(id: &str) -> String {
    format!("{RESERVED}{id}")
}

named! {
    /// State of a payment at the provider.
    ProviderStatus {
        /// The customer has not paid yet.
        Open => "open",
        /// The customer has paid or authorised it, and the provider waits for the money.
        Pending => "pending",
        /// Paid.
        Paid => "paid",
        /// Not paid in time.
        Expired => "expired",
        /// Failed.
        Failed => "failed",
        /// Abandoned by the customer.
        Canceled => "canceled",
    }
}

impl ProviderStatus {
    /// Whether the customer may still pay.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Open | Self::Pending)
    }

    /// State after the payment was fetched with another one. A payment that was paid stays so: what
    /// is taken back later are refunds and chargebacks.
    #[must_use]
    pub const fn followed_by(self, fetched: Self) -> Self {
        if matches!(self, Self::Paid) { self } else { fetched }
    }
}

named! {
    /// Money that goes back to the customer after a payment.
    GivenBackKind {
        /// Refund made at the provider.
        Refund => "refund",
        /// Chargeback by the customer's bank.
        Chargeback => "chargeback",
    }
}

/// Refund or chargeback as fetched from the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedBack {
    /// Id at the provider: `re_…` or `chb_…`.
    pub id: String,
    /// Kind.
    pub kind: GivenBackKind,
    /// Amount that goes back, in cents; positive.
    pub amount: Cents,
    /// Time at which it was made.
    pub created_at: Timestamp,
    /// State.
    pub state: BackState,
}

/// State of a refund or chargeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackState {
    /// The money has not gone back yet.
    Waiting,
    /// The money has gone back.
    Done,
    /// The money came again: a refund that failed, or a chargeback that was reversed at this time.
    TakenBack(Option<Timestamp>),
}

/// Payment as fetched from the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedPayment {
    /// Id at the provider: `tr_…`.
    pub id: String,
    /// State.
    pub status: ProviderStatus,
    /// Amount in cents; `None` in another currency than the euro.
    pub amount: Option<Cents>,
    /// Method with which the customer paid.
    pub method: MoneyAccount,
    /// Time of payment.
    pub paid_at: Option<Timestamp>,
    /// Refunds and chargebacks.
    pub backs: Vec<FetchedBack>,
}

/// Refund or chargeback that is booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookedBack {
    /// Id at the provider.
    pub id: String,
    /// Whether its reversal is booked too.
    pub is_taken_back: bool,
}

/// Payment as the books know it.
#[derive(Clone, Copy, Debug)]
pub struct KnownPayment<'k> {
    /// Id at the provider.
    pub id: &'k str,
    /// Amount that was requested, in cents.
    pub amount: Cents,
    /// Whether the payment is booked.
    pub is_booked: bool,
    /// Refunds and chargebacks that are booked.
    pub backs: &'k [BookedBack],
}

/// Booking that follows from a fetched payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'f> {
    /// Debit 1130, credit 1300, and 1630 for what is no longer due.
    Pay {
        /// Time of payment.
        at: Timestamp,
        /// Method.
        method: MoneyAccount,
    },
    /// Debit 1630 for what was to be refunded and 1300 for the rest, credit 1130.
    GiveBack(&'f FetchedBack),
    /// Reversal of what was given back.
    TakeBack {
        /// Id of the refund or chargeback.
        id: &'f str,
        /// Time, if the provider tells it.
        at: Option<Timestamp>,
    },
}

named! {
    /// Reason why a fetched payment is not booked.
    Mismatch {
        /// It is another payment than the requested one.
        OtherPayment => "otherPayment",
        /// It has another amount.
        OtherAmount => "otherAmount",
        /// It is not in euros.
        OtherCurrency => "otherCurrency",
        /// It is paid, but has no time of payment.
        NoTime => "noTime",
    }
}

/// Returns the bookings that follow from a fetched payment and are not booked yet, in order.
///
/// # Errors
/// The payment is not the one that was requested; nothing is booked.
pub fn steps<'f>(
    known: &KnownPayment<'_>,
    fetched: &'f FetchedPayment,
) -> Result<Vec<Step<'f>>, Mismatch> {
    if fetched.id != known.id {
        return Err(Mismatch::OtherPayment);
    }
    let amount = fetched.amount.ok_or(Mismatch::OtherCurrency)?;
    if amount != known.amount {
        return Err(Mismatch::OtherAmount);
    }
    let mut steps = Vec::new();
    if !known.is_booked {
        if fetched.status != ProviderStatus::Paid {
            return Ok(steps);
        }
        let at = fetched.paid_at.ok_or(Mismatch::NoTime)?;
        steps.push(Step::Pay { at, method: fetched.method });
    }
    for back in &fetched.backs {
        let booked = known.backs.iter().find(|booked| booked.id == back.id);
        match (booked.map(|booked| booked.is_taken_back), back.state) {
            (None, BackState::Done) => steps.push(Step::GiveBack(back)),
            // A chargeback that is already reversed when it is first seen was still one: both are
            // booked, each on its day. A refund that failed before anyone saw it is nothing.
            (None, BackState::TakenBack(at)) if back.kind == GivenBackKind::Chargeback => {
                steps.extend([Step::GiveBack(back), Step::TakeBack { id: &back.id, at }]);
            }
            (Some(false), BackState::TakenBack(at)) => {
                steps.push(Step::TakeBack { id: &back.id, at });
            }
            _ => {}
        }
    }
    Ok(steps)
}

/// Returns the day on which something that happened at a time is booked: its day in Amsterdam, or
/// the first open day after it.
///
/// ```
/// use ledger::provider_payment::booking_day;
/// use jiff::civil::date;
///
/// let late: jiff::Timestamp = "2026-12-31T23:30:00Z".parse()?;
/// assert_eq!(booking_day(late, None, None), date(2027, 1, 1));
/// let paid: jiff::Timestamp = "2026-12-30T12:00:00Z".parse()?;
/// assert_eq!(booking_day(paid, Some(2026), None), date(2027, 1, 1));
/// # Ok::<(), jiff::Error>(())
/// ```
#[must_use]
pub fn booking_day(at: Timestamp, last_closed: Option<i16>, opening: Option<Date>) -> Date {
    let day = amsterdam_today(at);
    let open = last_closed.filter(|year| day.year() <= *year).map(|year| date(year + 1, 1, 1));
    day.max(open.unwrap_or(day)).max(opening.unwrap_or(day))
}

/// Returns the time at which a payment that is under way is fetched next, without a message: 15
/// minutes, an hour and a day after it was made, then every day.
#[must_use]
pub fn next_look(created_at: Timestamp, now: Timestamp) -> Timestamp {
    let after = |seconds| created_at.saturating_add(SignedDuration::from_secs(seconds));
    let early = [15 * 60, 3_600, DAY].into_iter().filter_map(|seconds| after(seconds).ok());
    let next_day = || now.saturating_add(SignedDuration::from_secs(DAY)).unwrap_or(Timestamp::MAX);
    early.into_iter().find(|look| *look > now).unwrap_or_else(next_day)
}

/// Returns the time of the next attempt after `tries` failed ones, for two days after the message
/// that asked for it; `None` after that.
#[must_use]
pub fn next_try(marked_at: Timestamp, tries: i64, now: Timestamp) -> Option<Timestamp> {
    let pause = 60 << tries.clamp(0, 6);
    let next = now.checked_add(SignedDuration::from_secs(pause.min(3_600))).ok()?;
    let last = marked_at.checked_add(SignedDuration::from_secs(2 * DAY)).ok()?;
    (next <= last).then_some(next)
}

named! {
    /// State of a settlement at the provider.
    SettlementStatus {
        /// More payments can still be added.
        Open => "open",
        /// It is closed, and the money is on its way.
        Pending => "pending",
        /// Paid out.
        PaidOut => "paidout",
        /// It could not be paid out.
        Failed => "failed",
    }
}

/// Settlement as fetched from the provider, amounts in cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedSettlement {
    /// Id at the provider: `stl_…`.
    pub id: String,
    /// Reference on the bank statement.
    pub reference: Option<String>,
    /// State.
    pub status: SettlementStatus,
    /// Amount paid out; negative if the provider collects it.
    pub amount: Cents,
    /// Time of paying out.
    pub settled_at: Option<Timestamp>,
    /// Fees excluding VAT.
    pub costs: Cents,
    /// VAT on the fees.
    pub costs_vat: Cents,
}

/// Part of a settlement: a payment, or a refund or chargeback with a negative amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledPart {
    /// Id at the provider.
    pub id: String,
    /// Id of the payment: its own, or that of which a refund or chargeback is.
    pub payment_id: String,
    /// Amount that it adds to the settlement, in cents; `None` in another currency.
    pub amount: Option<Cents>,
}

named! {
    /// Kind of a difference between a settlement and the books.
    DifferenceKind {
        /// Payment, refund or chargeback that is not booked, such as one of a web shop.
        Unknown => "unknown",
        /// It is booked with another amount.
        OtherAmount => "otherAmount",
        /// Part of the settlement that its payments, refunds, chargebacks and fees do not explain.
        Unexplained => "unexplained",
    }
}

/// Difference between a settlement and the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Id of the part, or that of the settlement.
    pub id: String,
    /// Kind.
    pub kind: DifferenceKind,
    /// Amount that the books lack, in cents.
    pub amount: Cents,
}

/// Compares the parts of a settlement with the books. `booked` returns the amount with which a part
/// is booked on the provider's account.
#[must_use]
pub fn differences(
    settlement: &FetchedSettlement,
    parts: &[SettledPart],
    booked: impl Fn(&str) -> Option<Cents>,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut sum = Cents::ZERO;
    for part in parts {
        let amount = part.amount.unwrap_or_default();
        sum += amount;
        let (kind, lacking) = match booked(&part.id) {
            None => (DifferenceKind::Unknown, amount),
            Some(booked) => (DifferenceKind::OtherAmount, amount - booked),
        };
        if kind == DifferenceKind::Unknown || !lacking.is_zero() {
            differences.push(Difference { id: part.id.clone(), kind, amount: lacking });
        }
    }
    let unexplained = settlement.amount + settlement.costs + settlement.costs_vat - sum;
    if !unexplained.is_zero() {
        let (id, kind) = (settlement.id.clone(), DifferenceKind::Unexplained);
        differences.push(Difference { id, kind, amount: unexplained });
    }
    differences
}

#[cfg(test)]
mod tests;
