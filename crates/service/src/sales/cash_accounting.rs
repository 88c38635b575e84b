//! Invoices under cash accounting (art. 26 Wet OB 1968): which ones, and the bookings by which
//! their VAT becomes due.

use crate::{
    Context, Error,
    corrections::{self, Booking, IfFiled},
    invoices::{self, InvoiceDetails},
    vat_moves,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking,
    cash_accounting::{
        self, Amounts, CashInvoice, Cause, Change, Due, Event, Kind, VatMethod, differences,
        is_deferred, leaves_after, method_on,
    },
    correction, credit_note,
    entry::{Source, SourceType},
    invoice::VatGroup,
    money::Cents,
    write_off::{self, WrittenOff, between_deferred},
};
use std::collections::BTreeMap;
use store::{
    SyncFilter, Tx,
    books::Books,
    cash_accounting as rows,
    invoices::{self as invoice_rows, Invoice, Status},
    payments, write_offs,
};

/// Changes of method, in order of their first day.
type Changes = Vec<(Date, VatMethod)>;

fn changes(tx: &mut Tx<'_>, account: i64) -> Result<Changes, Error> {
    let changes = rows::methods(tx, account)?;
    Ok(changes.into_iter().map(|change| (change.from, change.method)).collect())
}

/// Day whose method applies to an invoice: the last day of supply. VAT that was due before, because
/// the invoice was sent before the supply, follows the method of its VAT date.
fn day_of(invoice: &Invoice) -> Date {
    invoice.rates_on().min(invoice.vat_date)
}

/// Method of an invoice with the given groups. Prepayment invoices, and invoices without turnover in
/// the boxes of domestic supplies, are declared by invoice. So are invoices with a total of zero,
/// which are settled at once.
pub(crate) fn method_of(
    changes: &[(Date, VatMethod)],
    invoice: &Invoice,
    groups: &[VatGroup],
) -> VatMethod {
    let has_deferred = groups.iter().any(is_deferred);
    if invoice.prepayment || invoice.is_opening_item() || invoice.total.is_zero() || !has_deferred {
        return VatMethod::Invoice;
    }
    method_on(changes, day_of(invoice))
}

/// Returns an invoice or draft with its method, and the VAT that is not due yet.
pub(crate) fn classify(
    tx: &mut Tx<'_>,
    books: &Books,
    invoice: Invoice,
    groups: &[VatGroup],
) -> Result<Invoice, Error> {
    if books.terms().method_changes == 0 {
        return Ok(invoice);
    }
    let vat_method = method_of(&changes(tx, books.account())?, &invoice, groups);
    let is_deferred = |group: &&VatGroup| vat_method == VatMethod::Cash && is_deferred(group);
    let vat_deferred = groups.iter().filter(is_deferred).map(|group| group.amount).sum();
    Ok(Invoice { vat_method, vat_deferred, ..invoice })
}

/// Source of the entries by which the VAT of an invoice becomes due without a payment.
pub(crate) fn source(invoice: i64) -> Source {
    Source { kind: SourceType::VatDue, id: invoice }
}

/// Reads the events of an invoice, in the order of recording.
fn events(tx: &mut Tx<'_>, cx: &Context, details: &InvoiceDetails) -> Result<Vec<Event>, Error> {
    let (account, invoice) = (cx.actor.account, &details.invoice);
    let mut events: Vec<(Timestamp, Event)> = Vec::new();
    for payment in payments::by_invoice(tx, account, invoice.id)? {
        let (id, date, amount) = (payment.id, payment.date, payment.amount);
        let recovered = payment.recovered;
        events.push((payment.created_at, Event::Payment { id, date, amount, recovered }));
        if let Some((at, date)) = payment.undone_at.zip(payment.undone_on) {
            events.push((at, Event::PaymentUndone { id, date }));
        }
    }
    let all = SyncFilter::default();
    for write_off in write_offs::of_invoice(tx, account, invoice.id, &all, 0, i64::MAX)?.rows {
        let (id, date, amount) = (write_off.id, write_off.date, write_off.amount);
        events.push((write_off.created_at, Event::WriteOff { id, date, amount }));
        if let Some((at, date)) = write_off.undone_at.zip(write_off.undone_on) {
            events.push((at, Event::WriteOffUndone { id, date }));
        }
    }
    for id in invoice_rows::credit_notes_of(tx, account, invoice.id)? {
        let note = invoices::read(tx, cx, id)?;
        let (date, groups) = (note.invoice.invoice_date, note.groups);
        events.push((note.invoice.created_at, Event::CreditNote { date, groups }));
    }
    events.sort_by_key(|(at, _)| *at);
    Ok(events.into_iter().map(|(_, event)| event).collect())
}

/// History of an invoice under cash accounting before its first event.
fn beginning(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
) -> Result<CashInvoice, Error> {
    let invoice = &details.invoice;
    let leaves_on = leaves_after(&changes(tx, cx.actor.account)?, day_of(invoice));
    Ok(CashInvoice::new(&details.groups, invoice.vat_date, leaves_on))
}

/// Reads the history of an invoice under cash accounting.
pub(crate) fn history(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
) -> Result<CashInvoice, Error> {
    let mut history = beginning(tx, cx, details)?;
    for event in events(tx, cx, details)? {
        history.apply(&event);
    }
    Ok(history)
}

/// Amounts that a payment or write-off books under cash accounting.
#[derive(Debug, Clone, Default)]
pub(crate) struct Booked {
    /// Amount written off, or recovered by a payment.
    pub(crate) lost: WrittenOff,
    /// Amounts whose VAT becomes due.
    pub(crate) due: Vec<Due>,
    /// Changes to record.
    pub(crate) changes: Vec<Change>,
}

/// Returns what an event books on an invoice; `None` if the invoice is not under cash accounting.
/// [`sync`] books its other effects, for example on the day of leaving cash accounting.
pub(crate) fn on_event(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
    event: &Event,
) -> Result<Option<Booked>, Error> {
    if !details.has_vat_when_paid() {
        return Ok(None);
    }
    let mut history = history(tx, cx, details)?;
    let before = history.written_off();
    let made = history.apply(event).iter().filter(|change| change.cause != Cause::Invoice);
    let changes: Vec<Change> = made.copied().collect();
    let after = history.written_off();
    let due = Amounts::of(changes.iter().filter(|change| change.kind == Kind::Due));
    let is_payment = matches!(event, Event::Payment { .. });
    let lost =
        if is_payment { between_deferred(after, before) } else { between_deferred(before, after) };
    Ok(Some(Booked { lost, due: by_account(details, &due), changes }))
}

/// Amounts that become due, with the revenue accounts of the invoice's lines.
fn by_account(details: &InvoiceDetails, amounts: &Amounts) -> Vec<Due> {
    let groups = amounts.groups(details.invoice.rates_on());
    groups.into_iter().map(|group| Due::of_lines(group, &details.lines)).collect()
}

/// Brings the bookings of an invoice's VAT into agreement with its history: books the VAT that
/// became due without a payment, or no longer is, in one entry per day, and stores the VAT that is
/// not due yet.
///
/// # Errors
/// An affected VAT return is filed and `if_filed` does not allow a correction.
pub(crate) fn sync(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    id: i64,
    if_filed: IfFiled,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let details = invoices::read(tx, cx, id)?;
    let recorded = rows::of_invoice(tx, account, id)?;
    let (wanted, vat_deferred) = wanted(tx, cx, &details)?;
    let missing = differences(&recorded, &wanted);
    let mut by_day: BTreeMap<Date, Vec<&Change>> = BTreeMap::new();
    for change in missing.iter().filter(|change| change.kind == Kind::Due) {
        by_day.entry(change.date).or_default().push(change);
    }
    for (date, changes) in by_day {
        let due = by_account(&details, &Amounts::of(changes));
        if !due.is_empty() {
            let entry = cash_accounting::due(id, &details.invoice.number, date, &due);
            corrections::append(tx, books, cx, entry, if_filed)?;
        }
    }
    rows::insert(tx, account, id, &missing)?;
    if vat_deferred != details.invoice.vat_deferred || !missing.is_empty() {
        let after = Invoice { vat_deferred, updated_at: cx.now(), ..details.invoice.clone() };
        invoice_rows::settle(tx, account, &details.invoice, &after)?;
    }
    Ok(())
}

/// Returns the changes that an invoice ought to have, and its VAT that is not due yet.
fn wanted(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
) -> Result<(Vec<Change>, Cents), Error> {
    if !details.has_vat_when_paid() || details.invoice.status == Status::Cancelled {
        return Ok((Vec::new(), Cents::ZERO));
    }
    let history = history(tx, cx, details)?;
    Ok((history.changes().to_vec(), history.deferred_vat()))
}

/// Whether the recorded method, changes and VAT of an invoice agree with its history.
pub(crate) fn is_consistent(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
) -> Result<bool, Error> {
    let (account, invoice) = (cx.actor.account, &details.invoice);
    let recorded = rows::of_invoice(tx, account, invoice.id)?;
    let (wanted, vat_deferred) = wanted(tx, cx, details)?;
    // A cancelled draft keeps the method that it had.
    let may_be_cash = !details.has_vat_when_paid()
        || invoice.status == Status::Cancelled
        || method_of(&changes(tx, account)?, invoice, &details.groups) == VatMethod::Cash;
    Ok(may_be_cash
        && invoice.vat_deferred == vat_deferred
        && differences(&recorded, &wanted).is_empty())
}

/// Books the losses of an invoice again as its new method requires. Under cash accounting they give
/// no VAT back, because none was paid. A write-off gets a new entry; for an amount that was
/// recovered, or is no longer written off, an entry of its own books the difference.
///
/// # Errors
/// An affected VAT return is filed, or the year of an affected entry is closed.
fn rebook_losses(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    details: &InvoiceDetails,
) -> Result<(), Error> {
    let (account, invoice) = (cx.actor.account, &details.invoice);
    let is_cash = details.has_vat_when_paid();
    let mut history = beginning(tx, cx, details)?;
    let mut remaining = details.groups.clone();
    for event in events(tx, cx, details)? {
        let before = history.written_off();
        history.apply(&event);
        let after = history.written_off();
        if before.0 == after.0 {
            if let Event::CreditNote { groups, .. } = &event {
                remaining = credit_note::remaining_of(&remaining, groups);
            }
            continue;
        }
        let deferred = between_deferred(before, after);
        let at_once = write_off::between(&remaining, before.0, after.0);
        let (was, is) = if is_cash { (at_once, deferred) } else { (deferred, at_once) };
        let (date, vat_date) = match event {
            Event::WriteOff { id, .. } if rebook_write_off(tx, books, cx, invoice, (id, &is))? => {
                continue;
            }
            Event::WriteOff { date, .. } | Event::WriteOffUndone { date, .. } => (date, date),
            Event::Payment { date, .. } | Event::PaymentUndone { date, .. } => {
                (date, recovered_on(tx, account, invoice.id, date)?)
            }
            Event::CreditNote { .. } => continue,
        };
        let entry = booking::write_off_rebooked(invoice.id, &invoice.number, date, &was, &is);
        if let Some(entry) = entry {
            let entry = entry.with_vat_date(vat_date);
            corrections::append(tx, books, cx, entry, IfFiled::Refuse)?;
        }
    }
    let is_loss = |of: &&Change| of.kind == Kind::BadDebt;
    let recorded = rows::of_invoice(tx, account, invoice.id)?;
    let recorded: Vec<Change> = recorded.iter().filter(is_loss).copied().collect();
    let wanted = history.changes().iter().filter(|of| is_cash && is_loss(of));
    let wanted: Vec<Change> = wanted.copied().collect();
    rows::insert(tx, account, invoice.id, &differences(&recorded, &wanted))?;
    Ok(())
}

/// Replaces the entry of a write-off by one that books `lost`, if they differ. Returns whether the
/// write-off is in force: one that was undone keeps its entry.
fn rebook_write_off(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    invoice: &Invoice,
    (id, lost): (i64, &WrittenOff),
) -> Result<bool, Error> {
    let account = cx.actor.account;
    let write_off = write_offs::by_id(tx, account, id)?;
    let Some(mut write_off) = write_off.filter(|of| of.undone_at.is_none()) else {
        return Ok(false);
    };
    let known = Booking::of(tx, account, write_off.entry_id)?.entry();
    let source = Source { kind: SourceType::WriteOff, id };
    let (number, date) = (&invoice.number, write_off.date);
    let entry = booking::write_off(source, number, date, lost, write_off.amount);
    if !correction::posts_the_same(&known, &entry) {
        let refuse = IfFiled::Refuse;
        let replaced = corrections::replace(tx, books, cx, write_off.entry_id, entry, refuse)?;
        write_off.entry_id = Booking::last_of(tx, account, &replaced)?.id();
        write_offs::update(tx, account, &write_off)?;
    }
    Ok(true)
}

/// Returns the date on which VAT on a recovered bad debt becomes due again: the payment date, but
/// no earlier than the write-off (art. 29(5) Wet OB 1968), so that no return declares VAT that has
/// not been refunded yet.
pub(crate) fn recovered_on(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    date: Date,
) -> Result<Date, Error> {
    let all = SyncFilter::default();
    let write_offs = write_offs::of_invoice(tx, account, invoice, &all, 0, i64::MAX)?.rows;
    let in_force = write_offs.iter().filter(|write_off| write_off.undone_at.is_none());
    Ok(in_force.map(|write_off| write_off.date).fold(date, Date::max))
}

/// Applies the methods in force to the invoices from a day on, and to all invoices under cash
/// accounting. An invoice of which a filed return has VAT, due on an earlier payment, keeps its
/// method.
///
/// # Errors
/// An affected VAT return is filed, or the year of an invoice is closed.
pub(crate) fn apply_methods(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    from: Date,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let changes = changes(tx, account)?;
    for id in rows::affected(tx, account, from)? {
        let details = invoices::read(tx, cx, id)?;
        let invoice = &details.invoice;
        let method = method_of(&changes, invoice, &details.groups);
        let becomes_cash = method == VatMethod::Cash;
        if method != invoice.vat_method && !(becomes_cash && vat_moves::is_filed(tx, cx, invoice)?)
        {
            if becomes_cash {
                vat_moves::withdraw(tx, books, cx, id)?;
            }
            let details = invoices::read(tx, cx, id)?;
            invoices::rebook_method(tx, books, cx, (&details, None), method)?;
            for note in invoice_rows::credit_notes_of(tx, account, id)? {
                let note = invoices::read(tx, cx, note)?;
                let of = (&note, Some(invoice.number.as_str()));
                invoices::rebook_method(tx, books, cx, of, method)?;
            }
            let details = invoices::read(tx, cx, id)?;
            rebook_losses(tx, books, cx, &details)?;
            if !becomes_cash {
                vat_moves::repeat(tx, books, cx, id)?;
            }
        }
        if invoice.is_due_when_paid() || method == VatMethod::Cash {
            sync(tx, books, cx, id, IfFiled::Refuse)?;
        }
    }
    Ok(())
}
