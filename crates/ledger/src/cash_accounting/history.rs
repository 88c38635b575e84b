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
    /// Sums of the changes, without those made because the account left cash accounting.
    due: Amounts,
    lost: Amounts,
    /// Sum of the changes made because the account left cash accounting.
    due_on_leaving: Amounts,
    payments: BTreeMap<i64, (Cents, Cents)>,
    write_offs: BTreeMap<i64, Cents>,
    changes: Vec<Change>,
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
            due: Amounts::default(),
            lost: Amounts::default(),
            due_on_leaving: Amounts::default(),
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
        self.open().minus(&self.due_on_leaving).vat()
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

    /// Amounts whose VAT is not due yet, as if the account had not left cash accounting.
    fn open(&self) -> Amounts {
        Amounts::deferred(&self.remaining).minus(&self.lost).minus(&self.due)
    }

    fn has_ended(&self, date: Date) -> bool {
        self.leaves_on.is_some_and(|day| day <= date)
    }

    fn add(&mut self, cause: Cause, kind: Kind, date: Date, amounts: &Amounts) {
        let sum = match kind {
            Kind::Due => &mut self.due,
            Kind::BadDebt => &mut self.lost,
        };
        *sum = std::mem::take(sum).plus(amounts, 1);
        self.push(cause, kind, date, amounts);
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
        self.payments.insert(id, (amount, recovered));
        self.paid += amount;
        self.written_off -= recovered;
        let cause = Cause::Payment(id);
        if !recovered.is_zero() {
            self.lose(cause, date);
        }
        if !self.has_ended(date) {
            let owed = before + recovered;
            let due = if amount.is_negative() {
                self.due_on_refund(-amount, -before, paid_before)
            } else {
                self.due_on_payment(amount, owed)
            };
            self.add(cause, Kind::Due, date, &due);
            self.settle(date, cause);
        }
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
    /// is refunded last.
    fn due_on_refund(&self, amount: Cents, owed: Cents, paid: Cents) -> Amounts {
        let surplus = (paid - self.total).max(Cents::ZERO);
        let credited = owed - surplus;
        if credited <= Cents::ZERO {
            return Amounts::default();
        }
        self.open().map(|of| share(of, amount.min(credited), credited))
    }

    fn undo_payment(&mut self, id: i64, date: Date) {
        let (amount, recovered) = self.payments.remove(&id).unwrap_or_default();
        self.paid -= amount;
        self.written_off += recovered;
        let cause = Cause::Payment(id);
        let of = |kind| {
            let its = |change: &&Change| change.cause == cause && change.kind == kind;
            Amounts::default().minus(&Amounts::of(self.changes.iter().filter(its)))
        };
        let (lost, due) = (of(Kind::BadDebt), of(Kind::Due));
        self.add(cause, Kind::BadDebt, date, &lost);
        if !self.has_ended(date) {
            self.add(cause, Kind::Due, date, &due);
            let open = self.open();
            // Another payment, a surplus until now, settles the invoice.
            if self.balance().is_negative() && open.gross() > Cents::ZERO {
                self.add(cause, Kind::Due, date, &open);
            }
            self.settle(date, cause);
        }
        self.finish(date);
    }

    fn write_off(&mut self, id: i64, date: Date, amount: Cents) {
        self.written_off += amount;
        let cause = Cause::WriteOff(id);
        if amount > Cents::ZERO && self.balance().is_zero() && !self.has_ended(date) {
            let open = self.open();
            self.add(cause, Kind::BadDebt, date, &open);
        } else {
            self.lose(cause, date);
        }
        if !self.has_ended(date) {
            self.settle(date, Cause::Invoice);
        }
        self.finish(date);
    }

    /// Makes the lost amounts those that belong to the total written off.
    fn lose(&mut self, cause: Cause, date: Date) {
        let lost = Amounts::deferred(&parts(&self.remaining, self.written_off));
        let change = lost.minus(&self.lost);
        self.add(cause, Kind::BadDebt, date, &change);
    }

    /// Makes all VAT due of an invoice on which nothing is to be received or refunded.
    fn settle(&mut self, date: Date, cause: Cause) {
        if self.balance().is_zero() && !self.has_ended(date) {
            let open = self.open();
            self.add(cause, Kind::Due, date, &open);
        }
    }

    /// Makes all VAT due on the day on which the account leaves cash accounting, or on that of a
    /// later event.
    fn finish(&mut self, date: Date) {
        let Some(day) = self.leaves_on else { return };
        let open = self.open().minus(&self.due_on_leaving);
        self.due_on_leaving = std::mem::take(&mut self.due_on_leaving).plus(&open, 1);
        self.push(Cause::Invoice, Kind::Due, day.max(date), &open);
    }
}

fn gross_of(groups: &[VatGroup]) -> Cents {
    groups.iter().map(|group| group.base + group.amount).sum()
}
