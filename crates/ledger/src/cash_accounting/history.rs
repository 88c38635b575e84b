//! History of an invoice under cash accounting: how much of its VAT each event makes due.

use super::is_deferred;
use crate::{
    invoice::{GroupKey, VatGroup},
    money::Cents,
    named::named,
    vat::sales_box,
    write_off::{parts, share},
};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// Event in the life of an invoice, in the order of recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Payment, or refund if the amount is negative.
    Payment {
        /// Id.
        id: i64,
        /// Day of the payment.
        date: Date,
        /// Amount received, in cents.
        amount: Cents,
        /// Part of the amount that had been written off, in cents.
        recovered: Cents,
    },
    /// Undoing a payment.
    PaymentUndone {
        /// Id of the payment.
        id: i64,
        /// Day of the reversal.
        date: Date,
    },
    /// Credit note.
    CreditNote {
        /// Date.
        date: Date,
        /// Amounts per rate and category, which are negative.
        groups: Vec<VatGroup>,
    },
    /// Write-off.
    WriteOff {
        /// Id.
        id: i64,
        /// Day of the write-off.
        date: Date,
        /// Amount including VAT, in cents.
        amount: Cents,
    },
    /// Undoing a write-off.
    WriteOffUndone {
        /// Id of the write-off.
        id: i64,
        /// Day of the reversal.
        date: Date,
    },
}

/// Document whose entry books a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Payment, by its id.
    Payment(i64),
    /// Write-off, by its id.
    WriteOff(i64),
    /// The invoice itself, in an entry of its own ([`due`](super::due)).
    Invoice,
}

named! {
    /// Kind of a change.
    Kind {
        /// The VAT becomes due; it no longer is if the amount is negative.
        Due => "due",
        /// The amount is lost before its VAT was due; it no longer is if the amount is negative.
        BadDebt => "badDebt",
    }
}

/// Change of the VAT that is not due yet, for one group of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Document whose entry books it.
    pub cause: Cause,
    /// Kind.
    pub kind: Kind,
    /// Day.
    pub date: Date,
    /// VAT group.
    pub group: GroupKey,
    /// Amount excluding VAT, in cents.
    pub base: Cents,
    /// VAT, in cents.
    pub vat: Cents,
}

/// Returns the changes that have to be added to the recorded ones, so that they have the same sums
/// as the wanted ones per document, kind, day and group.
#[must_use]
pub fn differences(recorded: &[Change], wanted: &[Change]) -> Vec<Change> {
    let mut sums: BTreeMap<(Date, Cause, Kind, GroupKey), (Cents, Cents)> = BTreeMap::new();
    let signed = recorded.iter().map(|of| (of, -1)).chain(wanted.iter().map(|of| (of, 1)));
    for (of, sign) in signed {
        let sum = sums.entry((of.date, of.cause, of.kind, of.group)).or_default();
        sum.0 += Cents::new(sign * of.base.get());
        sum.1 += Cents::new(sign * of.vat.get());
    }
    let nonzero = sums.into_iter().filter(|(_, (base, vat))| !base.is_zero() || !vat.is_zero());
    let change =
        |((date, cause, kind, group), (base, vat))| Change { cause, kind, date, group, base, vat };
    nonzero.map(change).collect()
}

/// Amounts excluding VAT, and VAT, per group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amounts(BTreeMap<GroupKey, (Cents, Cents)>);

impl Amounts {
    /// Sums up changes.
    #[must_use]
    pub fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Self {
        let mut sums = Self::default();
        for change in changes {
            sums.add(change.group, change.base, change.vat);
        }
        sums
    }

    /// The groups of an invoice whose VAT is deferred.
    fn deferred(groups: &[VatGroup]) -> Self {
        let mut sums = Self::default();
        for group in groups.iter().filter(|group| is_deferred(group)) {
            sums.add(group.key(), group.base, group.amount);
        }
        sums
    }

    fn add(&mut self, group: GroupKey, base: Cents, vat: Cents) {
        let sum = self.0.entry(group).or_default();
        sum.0 += base;
        sum.1 += vat;
    }

    fn plus(mut self, other: &Self, sign: i64) -> Self {
        for (group, (base, vat)) in &other.0 {
            self.add(*group, Cents::new(sign * base.get()), Cents::new(sign * vat.get()));
        }
        self
    }

    fn minus(self, other: &Self) -> Self {
        self.plus(other, -1)
    }

    fn map(mut self, of: impl Fn(Cents) -> Cents) -> Self {
        for (base, vat) in self.0.values_mut() {
            (*base, *vat) = (of(*base), of(*vat));
        }
        self
    }

    /// Total VAT, in cents.
    #[must_use]
    pub fn vat(&self) -> Cents {
        self.0.values().map(|(_, vat)| *vat).sum()
    }

    fn gross(&self) -> Cents {
        self.0.values().map(|(base, vat)| *base + *vat).sum()
    }

    /// Returns the amounts as VAT groups of an invoice whose rates are those of the day `on`.
    #[must_use]
    pub fn groups(&self, on: Date) -> Vec<VatGroup> {
        let nonzero = self.0.iter().filter(|(_, (base, vat))| !base.is_zero() || !vat.is_zero());
        let group = |(key, (base, vat)): (&GroupKey, &(Cents, Cents))| VatGroup {
            rate: key.rate,
            category: key.category,
            supply: key.supply,
            tax_country: key.tax_country,
            base: *base,
            amount: *vat,
            vat_box: sales_box(key.category, key.rate, on),
        };
        // The highest rate comes first, as on the invoice.
        nonzero.rev().map(group).collect()
    }
}

/// Invoice under cash accounting, as it develops from one [`Event`] to the next.
///
/// After every event, the VAT on account 1770 is that of the invoice, less what was credited, lost
/// and due. Nothing of it is left if nothing is to be received or refunded.
#[derive(Clone, Debug)]
pub struct CashInvoice {
    total: Cents,
    /// Remainder after credit notes, including the groups that are declared by invoice.
    remaining: Vec<VatGroup>,
    paid: Cents,
    written_off: Cents,
    /// First day on which the VAT is due even if the customer has not paid.
    leaves_on: Option<Date>,
    /// Amounts that belong to the payments, whether or not the account left cash accounting.
    received: Amounts,
    lost: Amounts,
    /// Sum of the changes of [`Kind::Due`].
    due: Amounts,
    payments: BTreeMap<i64, Payment>,
    write_offs: BTreeMap<i64, Cents>,
    changes: Vec<Change>,
}

/// Amounts of a payment, for undoing it.
#[derive(Clone, Debug, Default)]
struct Payment {
    amount: Cents,
    /// Part that was written off before, in cents.
    recovered: Cents,
    /// Amounts with VAT that belong to the payment.
    received: Amounts,
    /// Change of the amounts that are lost.
    lost: Amounts,
}

impl CashInvoice {
    /// Creates the history of a new invoice. `leaves_on` is the day on which the account stops
    /// using cash accounting, if it does: then all VAT is due that is not due yet.
    #[must_use]
    pub fn new(groups: &[VatGroup], vat_date: Date, leaves_on: Option<Date>) -> Self {
        let mut invoice = Self {
            total: gross_of(groups),
            remaining: groups.to_vec(),
            paid: Cents::ZERO,
            written_off: Cents::ZERO,
            leaves_on: leaves_on.map(|day| day.max(vat_date)),
            received: Amounts::default(),
            lost: Amounts::default(),
            due: Amounts::default(),
            payments: BTreeMap::new(),
            write_offs: BTreeMap::new(),
            changes: Vec::new(),
        };
        invoice.finish(vat_date);
        invoice
    }

    /// All changes so far, in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// VAT of the invoice that is not due yet, in cents: the balance of account 1770.
    #[must_use]
    pub fn deferred_vat(&self) -> Cents {
        self.not_due().vat()
    }

    /// Total written off, and the part of it that is VAT which was not due yet, in cents.
    #[must_use]
    pub fn written_off(&self) -> (Cents, Cents) {
        (self.written_off, self.lost.vat())
    }

    /// Records an event; returns the changes that it causes.
    pub fn apply(&mut self, event: &Event) -> &[Change] {
        let known = self.changes.len();
        match event {
            Event::Payment { id, date, amount, recovered } => {
                self.pay(*id, *date, *amount, *recovered);
            }
            Event::PaymentUndone { id, date } => self.undo_payment(*id, *date),
            Event::CreditNote { date, groups } => {
                self.remaining = crate::credit_note::remaining_of(&self.remaining, groups);
                self.settle(*date, Cause::Invoice);
                self.finish(*date);
            }
            Event::WriteOff { id, date, amount } => {
                self.write_offs.insert(*id, *amount);
                self.write_off(*id, *date, *amount);
            }
            Event::WriteOffUndone { id, date } => {
                let amount = self.write_offs.remove(id).unwrap_or_default();
                self.write_off(*id, *date, -amount);
            }
        }
        &self.changes[known..]
    }

    fn balance(&self) -> Cents {
        gross_of(&self.remaining) - self.written_off - self.paid
    }

    /// Amounts whose VAT would not be due yet if the account had not left cash accounting.
    fn open(&self) -> Amounts {
        Amounts::deferred(&self.remaining).minus(&self.lost).minus(&self.received)
    }

    /// Amounts whose VAT is not due yet.
    fn not_due(&self) -> Amounts {
        Amounts::deferred(&self.remaining).minus(&self.lost).minus(&self.due)
    }

    fn has_ended(&self, date: Date) -> bool {
        self.leaves_on.is_some_and(|day| day <= date)
    }

    /// Counts amounts as received. Their VAT becomes due, unless it is due since the account left
    /// cash accounting.
    fn receive(&mut self, cause: Cause, date: Date, amounts: &Amounts) {
        self.received = std::mem::take(&mut self.received).plus(amounts, 1);
        if let Cause::Payment(id) = cause
            && let Some(payment) = self.payments.get_mut(&id)
        {
            payment.received = std::mem::take(&mut payment.received).plus(amounts, 1);
        }
        if !self.has_ended(date) {
            self.become_due(cause, date, amounts);
        }
    }

    fn become_due(&mut self, cause: Cause, date: Date, amounts: &Amounts) {
        self.due = std::mem::take(&mut self.due).plus(amounts, 1);
        self.push(cause, Kind::Due, date, amounts);
    }

    fn lose(&mut self, cause: Cause, date: Date, amounts: &Amounts) {
        self.lost = std::mem::take(&mut self.lost).plus(amounts, 1);
        self.push(cause, Kind::BadDebt, date, amounts);
    }

    fn push(&mut self, cause: Cause, kind: Kind, date: Date, amounts: &Amounts) {
        let nonzero = amounts.0.iter().filter(|(_, (base, vat))| !base.is_zero() || !vat.is_zero());
        let change = |(group, (base, vat)): (&GroupKey, &(Cents, Cents))| Change {
            cause,
            kind,
            date,
            group: *group,
            base: *base,
            vat: *vat,
        };
        self.changes.extend(nonzero.map(change));
    }

    fn pay(&mut self, id: i64, date: Date, amount: Cents, recovered: Cents) {
        let (before, paid_before) = (self.balance(), self.paid);
        self.paid += amount;
        self.written_off -= recovered;
        let cause = Cause::Payment(id);
        let lost = if recovered.is_zero() { Amounts::default() } else { self.lost_now() };
        self.lose(cause, date, &lost);
        let payment = Payment { amount, recovered, lost, received: Amounts::default() };
        self.payments.insert(id, payment);
        let owed = before + recovered;
        let received = if amount.is_negative() {
            self.due_on_refund(-amount, -before, paid_before)
        } else {
            self.due_on_payment(amount, owed)
        };
        self.receive(cause, date, &received);
        self.settle(date, cause);
        self.finish(date);
    }

    /// Share of a payment in what remains of the invoice. A surplus has no VAT, and the payment
    /// that settles the invoice takes the rest.
    fn due_on_payment(&self, amount: Cents, owed: Cents) -> Amounts {
        if owed <= Cents::ZERO {
            return Amounts::default();
        }
        if self.balance() <= Cents::ZERO {
            return self.open();
        }
        let total = gross_of(&self.remaining);
        Amounts::deferred(&self.remaining).map(|of| share(of, amount, total))
    }

    /// Share of a refund in what was credited after it had been paid. A surplus, which had no VAT,
    /// is refunded last. Beyond both, the customer has to pay again, and the VAT is not due until
    /// then.
    fn due_on_refund(&self, amount: Cents, owed: Cents, paid: Cents) -> Amounts {
        let owed = owed.max(Cents::ZERO);
        if amount > owed {
            if self.paid <= Cents::ZERO {
                return Amounts::default().minus(&self.received);
            }
            let total = gross_of(&self.remaining);
            let counted = Amounts::deferred(&self.remaining).map(|of| share(of, self.paid, total));
            return counted.minus(&self.received);
        }
        let surplus = (paid - self.total).max(Cents::ZERO);
        let credited = owed - surplus;
        if credited <= Cents::ZERO {
            return Amounts::default();
        }
        self.open().map(|of| share(of, amount.min(credited), credited))
    }

    fn undo_payment(&mut self, id: i64, date: Date) {
        let Payment { amount, recovered, received, lost } =
            self.payments.remove(&id).unwrap_or_default();
        self.paid -= amount;
        self.written_off += recovered;
        let cause = Cause::Payment(id);
        self.lose(cause, date, &Amounts::default().minus(&lost));
        self.receive(cause, date, &Amounts::default().minus(&received));
        // Another payment, a surplus until now, settles the invoice.
        if self.balance().is_negative() && self.open().gross() > Cents::ZERO {
            self.receive(cause, date, &self.open());
        }
        self.settle(date, cause);
        self.finish(date);
    }

    fn write_off(&mut self, id: i64, date: Date, amount: Cents) {
        self.written_off += amount;
        let settles = amount > Cents::ZERO && self.balance().is_zero();
        let lost = if settles { self.open() } else { self.lost_now() };
        self.lose(Cause::WriteOff(id), date, &lost);
        self.settle(date, Cause::Invoice);
        self.finish(date);
    }

    /// Change of the lost amounts to those that belong to the total written off.
    fn lost_now(&self) -> Amounts {
        Amounts::deferred(&parts(&self.remaining, self.written_off)).minus(&self.lost)
    }

    /// Counts everything as received of an invoice on which nothing is to be received or refunded.
    fn settle(&mut self, date: Date, cause: Cause) {
        if self.balance().is_zero() {
            self.receive(cause, date, &self.open());
        }
    }

    /// Makes all VAT due on the day on which the account leaves cash accounting, or on that of a
    /// later event.
    fn finish(&mut self, date: Date) {
        let Some(day) = self.leaves_on else { return };
        self.become_due(Cause::Invoice, day.max(date), &self.not_due());
    }
}

fn gross_of(groups: &[VatGroup]) -> Cents {
    groups.iter().map(|group| group.base + group.amount).sum()
}
