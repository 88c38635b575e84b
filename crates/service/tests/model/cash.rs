//! Model of cash accounting (kasstelsel): the VAT on a sale is due when the customer pays.
//!
//! After each event, the VAT due on an invoice is recomputed from its first event on. The entry of a
//! payment or write-off books its own part; one entry per day books the rest.

use crate::{
    books::{Account, Entry, Group, Invoice, Money, Posting, at, code, netted},
    commands::{Command, Made, cents, today},
    compare::{ask, context},
    generate::Generator,
    kor::day_of,
    money::{bad_debt, parts},
    pricing::{accounts_of, fault, sale},
    purchases::rounded_share,
    sales::Groups,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    cash_accounting::{CashGround, VatMethod},
    entry::SourceType,
    vat::VatCategory,
};
use service::{
    Error,
    corrections::IfFiled,
    vat_accounting::{self, ChangeMethod},
};
use std::collections::BTreeMap;
use store::{Store, cash_accounting::MethodChange, payments::VatMove};

/// Event of an invoice.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// Payment or refund: id, amount, and part of it that had been written off.
    Paid(i64, Money, Money),
    /// Undoing the payment with this id.
    Unpaid(i64),
    /// Credit note with these amounts, which are negative.
    Credited(Groups),
    /// Write-off: id and amount.
    WrittenOff(i64, Money),
    /// Undoing the write-off with this id.
    Restored(i64),
}

/// Document whose entry books a change of the VAT that is not due yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    Payment(i64),
    WriteOff(i64),
    Invoice,
}

/// Effect of an event on VAT that was not due: it becomes due, or is lost with its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    Due,
    Loss,
}

/// Base and VAT by day, document, effect and group.
pub(crate) type Changes = BTreeMap<(Date, Cause, Effect, Group), (Money, Money)>;

/// Whether the VAT of a group is due when the customer pays: domestic supplies.
pub(crate) fn is_deferred((_, category, ..): &Group) -> bool {
    use VatCategory::{ReverseCharge, Standard, Zero};
    [Standard, Zero, ReverseCharge].contains(category)
}

fn deferred(groups: &Groups) -> Groups {
    groups.iter().filter(|(group, _)| is_deferred(group)).map(|(key, sums)| (*key, *sums)).collect()
}

fn gross(groups: &Groups) -> Money {
    groups.values().map(|(base, vat)| base + vat).sum()
}

fn vat(groups: &Groups) -> Money {
    groups.values().map(|(_, vat)| vat).sum()
}

/// Adds amounts to a sum, or subtracts them if `sign` is -1.
fn add(sums: &mut Groups, more: &Groups, sign: Money) {
    for (group, (base, vat)) in more {
        let sum = sums.entry(*group).or_default();
        *sum = (sum.0 + sign * base, sum.1 + sign * vat);
    }
}

fn less(mut sums: Groups, other: &Groups) -> Groups {
    add(&mut sums, other, -1);
    sums
}

/// Part of each base and each VAT amount.
fn share(sums: &Groups, part: Money, whole: Money) -> Groups {
    let share = |amount| rounded_share(amount, part, whole);
    sums.iter().map(|(group, (base, vat))| (*group, (share(*base), share(*vat)))).collect()
}

#[derive(Debug, Clone)]
struct Change {
    cause: Cause,
    effect: Effect,
    day: Date,
    amounts: Groups,
}

/// State of an invoice after some of its events.
#[derive(Debug, Clone, Default)]
struct Story {
    total: Money,
    /// Day on which its VAT is due at the latest, if the account stops using cash accounting.
    ends: Option<Date>,
    /// Remainder after credit notes.
    remaining: Groups,
    paid: Money,
    written_off: Money,
    /// Amounts that belong to payments, also to those after the end of cash accounting.
    received: Vec<(Cause, Groups)>,
    changes: Vec<Change>,
}

fn sum<'g>(amounts: impl Iterator<Item = &'g Groups>) -> Groups {
    let mut sums = Groups::new();
    amounts.for_each(|more| add(&mut sums, more, 1));
    sums
}

impl Story {
    fn changed(&self, fits: impl Fn(&Change) -> bool) -> Groups {
        sum(self.changes.iter().filter(|of| fits(of)).map(|of| &of.amounts))
    }

    fn loss(&self) -> Groups {
        self.changed(|of| of.effect == Effect::Loss)
    }

    /// Total written off, and the VAT in it that was not due.
    fn totals(&self) -> (Money, Money) {
        (self.written_off, vat(&self.loss()))
    }

    /// Amounts that are neither received nor written off.
    fn open(&self) -> Groups {
        let received = sum(self.received.iter().map(|(_, amounts)| amounts));
        less(less(deferred(&self.remaining), &self.loss()), &received)
    }

    /// Amounts whose VAT is not due.
    fn not_due(&self) -> Groups {
        less(deferred(&self.remaining), &self.changed(|_| true))
    }

    fn balance(&self) -> Money {
        gross(&self.remaining) - self.written_off - self.paid
    }

    fn push(&mut self, cause: Cause, effect: Effect, day: Date, amounts: Groups) {
        self.changes.push(Change { cause, effect, day, amounts });
    }

    /// Counts amounts as received. Their VAT becomes due, unless it is due since the end of cash
    /// accounting.
    fn receive(&mut self, cause: Cause, day: Date, amounts: Groups) {
        if self.ends.is_none_or(|end| day < end) {
            self.push(cause, Effect::Due, day, amounts.clone());
        }
        self.received.push((cause, amounts));
    }

    /// Change of the loss to that of the total written off.
    fn new_loss(&self) -> Groups {
        let parts = parts(&self.remaining, self.written_off);
        let loss = parts.into_iter().map(|(group, base, vat)| (group, (base, vat)));
        less(deferred(&loss.collect()), &self.loss())
    }

    /// Counts everything as received if nothing is to be received or refunded.
    fn settle(&mut self, cause: Cause, day: Date) {
        if self.balance() == 0 {
            self.receive(cause, day, self.open());
        }
    }

    /// Makes the rest due at the end of cash accounting.
    fn end(&mut self, day: Date) {
        if let Some(end) = self.ends {
            self.push(Cause::Invoice, Effect::Due, end.max(day), self.not_due());
        }
    }

    /// Amounts that belong to a payment: its share, and the rest if it settles the invoice. A
    /// surplus has no VAT.
    fn of_payment(&self, amount: Money, owed: Money) -> Groups {
        match (owed > 0, self.balance() > 0) {
            (false, _) => Groups::new(),
            (true, false) => self.open(),
            (true, true) => share(&deferred(&self.remaining), amount, gross(&self.remaining)),
        }
    }

    /// Amounts that belong to a refund, which are negative: its share of what was credited after it
    /// had been paid. A surplus is refunded last.
    fn of_refund(&self, refund: Money, owed: Money, surplus: Money) -> Groups {
        let credited = owed - surplus;
        let is_surplus = credited <= 0;
        if is_surplus { Groups::new() } else { share(&self.open(), refund.min(credited), credited) }
    }

    fn pay(&mut self, cause: Cause, day: Date, (amount, recovered): (Money, Money)) {
        let (before, surplus) = (self.balance(), (self.paid - self.total).max(0));
        self.paid += amount;
        self.written_off -= recovered;
        if recovered != 0 {
            self.push(cause, Effect::Loss, day, self.new_loss());
        }
        let own = if amount < 0 {
            self.of_refund(-amount, -before, surplus)
        } else {
            self.of_payment(amount, before + recovered)
        };
        self.receive(cause, day, own);
        self.settle(cause, day);
    }

    fn undo_payment(&mut self, cause: Cause, day: Date, (amount, recovered): (Money, Money)) {
        self.paid -= amount;
        self.written_off += recovered;
        let its = self.received.iter().filter(|(of, _)| *of == cause);
        let received = sum(its.map(|(_, amounts)| amounts));
        let loss = self.changed(|of| (of.cause, of.effect) == (cause, Effect::Loss));
        self.push(cause, Effect::Loss, day, less(Groups::new(), &loss));
        self.receive(cause, day, less(Groups::new(), &received));
        // Another payment, so far a surplus, settles the invoice.
        if self.balance() < 0 && gross(&self.open()) > 0 {
            self.receive(cause, day, self.open());
        }
        self.settle(cause, day);
    }

    fn write_off(&mut self, id: i64, day: Date, amount: Money) {
        self.written_off += amount;
        let settles = amount > 0 && self.balance() == 0;
        let loss = if settles { self.open() } else { self.new_loss() };
        self.push(Cause::WriteOff(id), Effect::Loss, day, loss);
        self.settle(Cause::Invoice, day);
    }

    fn apply(&mut self, earlier: &[(Date, Event)], (day, event): &(Date, Event)) {
        let events = || earlier.iter().map(|(_, event)| event);
        match event {
            Event::Paid(id, amount, recovered) => {
                self.pay(Cause::Payment(*id), *day, (*amount, *recovered));
            }
            Event::Unpaid(id) => {
                let paid = events().find_map(|event| match event {
                    Event::Paid(of, amount, recovered) if of == id => Some((*amount, *recovered)),
                    _ => None,
                });
                self.undo_payment(Cause::Payment(*id), *day, paid.unwrap());
            }
            Event::Credited(groups) => {
                add(&mut self.remaining, groups, 1);
                self.settle(Cause::Invoice, *day);
            }
            Event::WrittenOff(id, amount) => self.write_off(*id, *day, *amount),
            Event::Restored(id) => {
                let amount = events().find_map(|event| match event {
                    Event::WrittenOff(of, amount) if of == id => Some(*amount),
                    _ => None,
                });
                self.write_off(*id, *day, -amount.unwrap());
            }
        }
        self.end(*day);
    }

    fn booked(&self) -> Changes {
        let mut booked = Changes::new();
        for change in &self.changes {
            for (group, (base, vat)) in &change.amounts {
                let key = (change.day, change.cause, change.effect, *group);
                let sum = booked.entry(key).or_default();
                *sum = (sum.0 + base, sum.1 + vat);
            }
        }
        booked.retain(|_, sums| *sums != (0, 0));
        booked
    }
}

/// Postings of amounts that become due: the base as a pair, and the VAT from account 1770.
fn due_postings(due: &Groups) -> Vec<Posting> {
    let mut postings = Vec::new();
    for (group, (base, vat)) in due {
        let (revenue, account, vat_box) = accounts_of(group);
        postings.extend([(revenue, "", *base), (revenue, vat_box, -base)]);
        if *vat != 0 {
            postings.extend([(code::OPEN_VAT, "", *vat), (account, vat_box, -vat)]);
        }
    }
    postings
}

/// Postings of a loss, given the total written off and its VAT before and after. Up to a euro in
/// all is a payment difference.
fn lost_postings(before: (Money, Money), after: (Money, Money)) -> Vec<Posting> {
    let cost = |(total, vat): (Money, Money), small: bool| {
        if (total <= 100) == small { total - vat } else { 0 }
    };
    vec![
        (4340, "", cost(after, false) - cost(before, false)),
        (code::ROUNDING, "", cost(after, true) - cost(before, true)),
        (code::OPEN_VAT, "", after.1 - before.1),
    ]
}

fn vat_due(invoice: &Invoice, id: i64, day: Date, postings: Vec<Posting>) -> Entry {
    Entry {
        date: day,
        vat_date: day,
        description: format!("VAT due on invoice {}", invoice.number),
        source: (SourceType::VatDue, id),
        reverses: None,
        corrects: None,
        postings,
    }
}

impl Account {
    fn method_on(&self, day: Date) -> VatMethod {
        let last = self.methods.range(..=day).next_back();
        last.map_or(VatMethod::Invoice, |(_, change)| change.method)
    }

    /// Method of an invoice according to the changes of method.
    pub(crate) fn method_of(&self, invoice: &Invoice) -> VatMethod {
        let sums = &invoice.sums;
        let is_outside = invoice.prepayment || invoice.opening || sums.total == 0;
        if is_outside || !sums.groups.keys().any(is_deferred) {
            return VatMethod::Invoice;
        }
        self.method_on(day_of(invoice).min(invoice.vat_date))
    }

    fn story(&self, invoice: &Invoice, events: &[(Date, Event)]) -> Story {
        let day = day_of(invoice).min(invoice.vat_date);
        let mut later = self.methods.range(day.tomorrow().unwrap()..);
        let end = later.find(|(_, change)| change.method == VatMethod::Invoice);
        let ends = end.map(|(day, _)| invoice.vat_date.max(*day));
        let (total, remaining) = (invoice.sums.total, invoice.sums.groups.clone());
        let mut story = Story { total, ends, remaining, ..Story::default() };
        story.end(invoice.vat_date);
        for (place, event) in events.iter().enumerate() {
            story.apply(&events[..place], event);
        }
        story
    }

    /// Changes that an invoice should have, and its VAT that is not due.
    pub(crate) fn vat_when_paid(&self, invoice: &Invoice) -> (Changes, Money) {
        let is_note = invoice.credits.is_some();
        if invoice.method == VatMethod::Invoice || invoice.cancelled || is_note {
            return (Changes::new(), 0);
        }
        let story = self.story(invoice, &invoice.events);
        (story.booked(), vat(&story.not_due()))
    }

    /// Records an event of an invoice. Under cash accounting, returns the postings of the event
    /// itself: the loss and the VAT that becomes due.
    pub(crate) fn happens(&mut self, id: i64, day: Date, event: Event) -> Option<Vec<Posting>> {
        let mut invoice = at(&self.invoices, id).cloned().unwrap();
        let before = self.story(&invoice, &invoice.events);
        invoice.events.push((day, event));
        let mut postings = None;
        if invoice.method == VatMethod::Cash {
            let mut after = self.story(&invoice, &invoice.events);
            let totals = after.totals();
            after.changes.drain(..before.changes.len());
            after.changes.retain(|of| of.cause != Cause::Invoice);
            let mut own = lost_postings(before.totals(), totals);
            own.extend(due_postings(&after.changed(|of| of.effect == Effect::Due)));
            postings = Some(own);
            record(&mut invoice.changes, after.booked());
        }
        *self.mut_invoice(id) = invoice;
        postings
    }

    /// Books what the events of an invoice make due and is not booked yet, in one entry per day.
    pub(crate) fn book_due(&mut self, id: i64, how: IfFiled) -> Result<(), Error> {
        let invoice = at(&self.invoices, id).cloned().unwrap();
        let (due, _) = self.vat_when_paid(&invoice);
        let mut missing = due.clone();
        record(&mut missing, negative(&invoice.changes));
        let mut by_day: BTreeMap<Date, Groups> = BTreeMap::new();
        for ((day, _, effect, group), sums) in missing {
            if effect == Effect::Loss {
                continue;
            }
            add(by_day.entry(day).or_default(), &Groups::from([(group, sums)]), 1);
        }
        for (day, mut groups) in by_day {
            groups.retain(|_, sums| *sums != (0, 0));
            if groups.is_empty() {
                continue;
            }
            self.book_as(vat_due(&invoice, id, day, due_postings(&groups)), how)?;
        }
        self.mut_invoice(id).changes = due;
        Ok(())
    }

    pub(crate) fn change_method(&mut self, command: ChangeMethod) -> Result<Made, Error> {
        let is_designated = command.ground == Some(CashGround::Designated);
        let wrong = match (command.method, command.ground, command.designated_on) {
            (VatMethod::Cash, None, _) => Some(("/ground", "required")),
            (VatMethod::Invoice, Some(_), _) => Some(("/ground", "conflicting_fields")),
            (_, _, None) if is_designated => Some(("/designatedOn", "required")),
            (_, _, Some(_)) if !is_designated => Some(("/designatedOn", "conflicting_fields")),
            _ => None,
        };
        if let Some((path, code)) = wrong {
            return Err(fault(path, code));
        }
        let from = command.from;
        if self.methods.get(&from) == Some(&command) {
            return Ok(Made::Nothing);
        }
        if from != self.period_of(from).first_day() {
            return Err(fault("/from", "out_of_range"));
        }
        self.require_unfiled(from)?;
        self.methods.insert(from, command);
        for id in 1..=i64::try_from(self.invoices.len()).unwrap() {
            let invoice = at(&self.invoices, id).unwrap();
            let is_covered = invoice.method == VatMethod::Cash || invoice.vat_date >= from;
            if invoice.credits.is_none() && !invoice.cancelled && is_covered {
                self.follow_method(id)?;
            }
        }
        Ok(Made::Nothing)
    }

    /// Books an invoice again if its method has changed.
    fn follow_method(&mut self, id: i64) -> Result<(), Error> {
        let invoice = at(&self.invoices, id).cloned().unwrap();
        let method = self.method_of(&invoice);
        let is_cash = method == VatMethod::Cash;
        if method != invoice.method && !(is_cash && self.is_vat_filed(id)) {
            if is_cash {
                self.withdraw_moves(id)?;
            }
            let notes = (1..).zip(&self.invoices).filter(|(_, note)| note.credits == Some(id));
            let notes: Vec<i64> = notes.map(|(id, _)| id).collect();
            for document in [id].into_iter().chain(notes) {
                self.mut_invoice(document).method = method;
                self.rebook_document(document)?;
            }
            self.rebook_losses(id)?;
            if !is_cash {
                self.repeat_moves(id)?;
            }
        }
        self.book_due(id, IfFiled::Refuse)
    }

    /// Whether a filed return has VAT of an invoice because of an earlier payment, or should have.
    fn is_vat_filed(&self, invoice: i64) -> bool {
        self.paid_on(invoice).any(|paid| match paid.vat_move {
            VatMove::Nothing => false,
            VatMove::Waiting => true,
            VatMove::Moved => self.is_filed(paid.command.date),
        })
    }

    fn rebook_document(&mut self, id: i64) -> Result<(), Error> {
        let document = at(&self.invoices, id).cloned().unwrap();
        let entry = self.entry(id, &document);
        let booked = self.standing(entry.source)[0];
        let before = self.joined(booked).postings;
        // The postings on the accounts of customers depend on the balance at the time.
        let customers = [code::RECEIVABLES, code::OWED_TO_CUSTOMERS];
        let mut postings = sale(&document);
        postings.extend(before.iter().filter(|(account, ..)| customers.contains(account)).copied());
        if netted(&before) != netted(&postings) {
            self.replace_as(booked, Entry { postings, ..entry }, IfFiled::Refuse)?;
        }
        Ok(())
    }

    /// Books the losses of an invoice again under its method: a write-off in force by a new entry,
    /// and any other change of the total written off by an entry of the difference.
    fn rebook_losses(&mut self, id: i64) -> Result<(), Error> {
        let invoice = at(&self.invoices, id).cloned().unwrap();
        let is_cash = invoice.method == VatMethod::Cash;
        for (place, (day, event)) in invoice.events.iter().enumerate() {
            let before = self.story(&invoice, &invoice.events[..place]);
            let after = self.story(&invoice, &invoice.events[..=place]);
            if before.written_off == after.written_off {
                continue;
            }
            let (deferred, at_once) = (
                lost_postings(before.totals(), after.totals()),
                bad_debt(&before.remaining, (before.written_off, after.written_off), false),
            );
            let (was, postings) = if is_cash { (at_once, deferred) } else { (deferred, at_once) };
            let vat_date = match event {
                Event::WrittenOff(made, amount)
                    if at(&self.write_offs, *made).unwrap().undone.is_none() =>
                {
                    self.rebook_write_off(*made, (postings, *amount))?;
                    continue;
                }
                Event::Paid(..) | Event::Unpaid(_) => self.last_write_off(id, *day),
                _ => *day,
            };
            let mut difference = postings;
            difference.extend(was.iter().map(|(account, vat_box, sum)| (*account, *vat_box, -sum)));
            if !netted(&difference).is_empty() {
                let entry = vat_due(&invoice, id, *day, difference);
                self.book_as(Entry { vat_date, ..entry }, IfFiled::Refuse)?;
            }
        }
        let loss = |(_, _, effect, _): &(Date, Cause, Effect, Group)| *effect == Effect::Loss;
        let (wanted, _) = self.vat_when_paid(&invoice);
        let changes = &mut self.mut_invoice(id).changes;
        changes.retain(|key, _| !loss(key));
        changes.extend(wanted.into_iter().filter(|(key, _)| loss(key)));
        Ok(())
    }

    fn rebook_write_off(
        &mut self,
        id: i64,
        (postings, amount): (Vec<Posting>, Money),
    ) -> Result<(), Error> {
        let place = usize::try_from(id - 1).unwrap();
        let booked = self.write_offs[place].entry;
        let entry = Entry { corrects: None, ..self.joined(booked) };
        let postings = [postings, vec![(code::RECEIVABLES, "", -amount)]].concat();
        if netted(&entry.postings) != netted(&postings) {
            let source = entry.source;
            self.replace_as(booked, Entry { postings, ..entry }, IfFiled::Refuse)?;
            self.write_offs[place].entry = *self.standing(source).last().unwrap();
        }
        Ok(())
    }

    /// Takes back the VAT that was moved to earlier payments.
    fn withdraw_moves(&mut self, id: i64) -> Result<(), Error> {
        for place in 0..self.payments.len() {
            let paid = &self.payments[place];
            if paid.command.invoice_id != id || paid.vat_move != VatMove::Moved {
                continue;
            }
            let source = (SourceType::VatMove, i64::try_from(place).unwrap() + 1);
            for entry in self.standing(source) {
                self.reverse_as(entry, IfFiled::Refuse)?;
            }
            self.payments[place].vat_move = VatMove::Nothing;
        }
        Ok(())
    }

    /// Moves the VAT of payments as if they were recorded now. A payment that was undone on or
    /// after the VAT date existed until then.
    fn repeat_moves(&mut self, id: i64) -> Result<(), Error> {
        let invoice = at(&self.invoices, id).cloned().unwrap();
        let undone = |payment: i64, day: Date| {
            let is_undone =
                |event: &(Date, Event)| matches!(event.1, Event::Unpaid(of) if of == payment);
            invoice.events.iter().any(|event| is_undone(event) && event.0 < day)
        };
        for place in 0..self.payments.len() {
            let (payment, paid) = (i64::try_from(place).unwrap() + 1, &self.payments[place]);
            let is_its = paid.command.invoice_id == id && paid.vat_move == VatMove::Nothing;
            if is_its && !undone(payment, invoice.vat_date) {
                let of = (paid.command.date, paid.command.amount.unwrap().get().into());
                self.payments[place].vat_move = self.move_vat(id, payment, of)?;
            }
        }
        Ok(())
    }

    /// Turnover of the year of a change of method and the year before: in total, and from
    /// businesses.
    pub(crate) fn turnover_of(&self, change: &ChangeMethod) -> (Money, Money) {
        if change.ground.is_none_or(|ground| ground == CashGround::ListedTrade) {
            return (0, 0);
        }
        let years = change.from.year() - 1..=change.from.year();
        let (mut total, mut businesses) = (0, 0);
        for of in self.invoices.iter().filter(|of| years.contains(&of.date.year())) {
            if of.cancelled || of.prepayment || of.opening {
                continue;
            }
            total += of.sums.subtotal;
            if crate::oss::is_business(&of.customer) {
                businesses += of.sums.subtotal;
            }
        }
        (total, businesses)
    }
}

/// Compares the changes of method with their turnover.
pub(crate) fn same_methods(store: &Store, account: &Account) {
    let cx = context(account);
    let reported = ask(store, move |tx| vat_accounting::list(tx, &cx));
    let reported = reported.iter().map(|of| {
        let MethodChange { from, method, ground, designated_on, .. } = of.change;
        let change = ChangeMethod { method, from, ground, designated_on };
        (change, (cents(of.turnover.0), cents(of.turnover.1)))
    });
    let own = account.methods.values().map(|change| (*change, account.turnover_of(change)));
    assert_eq!(reported.collect::<Vec<_>>(), own.collect::<Vec<_>>());
}

fn negative(changes: &Changes) -> Changes {
    changes.iter().map(|(key, (base, vat))| (*key, (-base, -vat))).collect()
}

/// Adds changes to others.
fn record(changes: &mut Changes, more: Changes) {
    for (key, (base, vat)) in more {
        let sum = changes.entry(key).or_default();
        *sum = (sum.0 + base, sum.1 + vat);
    }
    changes.retain(|_, sums| *sums != (0, 0));
}

impl Generator<'_> {
    /// Draws a change of method, mostly from the first day of a period near today.
    pub(crate) fn method(&mut self, account: &Account) -> Command {
        let near = today(self.now) + self.rng.i64(-60..100).days();
        let any = self.day();
        let day = if self.one_in(4) { any } else { near };
        let first = account.period_of(day).first_day();
        let method = self.pick(VatMethod::ALL);
        let ground = match method {
            VatMethod::Cash => Some(self.pick(CashGround::ALL)),
            VatMethod::Invoice => None,
        };
        let is_designated = ground == Some(CashGround::Designated);
        let ground = if self.one_in(20) { Some(CashGround::ListedTrade) } else { ground };
        let designated_on = is_designated != self.one_in(20);
        Command::Method(ChangeMethod {
            method,
            from: if self.one_in(10) { day } else { first },
            ground: ground.filter(|_| !self.one_in(20)),
            designated_on: designated_on.then(|| first - 20.days()),
        })
    }
}
