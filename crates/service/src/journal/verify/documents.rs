//! Comparison of invoices, credit notes, payments and write-offs with the journal.

use super::{
    CHUNK, Open, Recomputed, Verification,
    booked::{Detail, Document, Entries, Entry, Sums, compare_undoing, posted},
};
use crate::{
    Context, Error, cash_accounting, document_snapshots,
    invoices::{self, InvoiceDetails},
    payments::source,
    vat_moves,
};
use jiff::civil::Date;
use ledger::{
    booking::{self, Settlement},
    calendar::Month,
    chart::codes,
    credit_note,
    entry::SourceType,
    invoice::{Line, VatGroup},
    money::Cents,
    vat::{VatCategory, VatRate},
    write_off::WrittenOff,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    StoreError, Tx,
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    payments::{self, Payment, VatMove},
    sales_totals,
    write_offs::{self, WriteOff},
};

/// Number of documents whose lines and entries are prefetched together. Without prefetching, each
/// document would cost three round trips.
const AHEAD: usize = 32;

/// Data collected while reading the invoices, by invoice id unless stated otherwise.
#[derive(Default)]
struct Walk {
    /// Last number in the series of each year.
    numbers: BTreeMap<i16, i64>,
    /// Total of the credit notes on the invoice.
    credited: BTreeMap<i64, Cents>,
    /// VAT groups of the credit notes on the invoice.
    taken: BTreeMap<i64, Vec<VatGroup>>,
    /// Credited, paid and written-off amounts that the invoices record.
    recorded_credited: BTreeMap<i64, Cents>,
    recorded_paid: BTreeMap<i64, Cents>,
    recorded_written_off: BTreeMap<i64, Cents>,
    /// Date of the first payment, as recorded on the invoice.
    recorded_first: BTreeMap<i64, Date>,
    /// Open amounts according to the journal; `expected` has the open amounts according to the
    /// invoices.
    booked: BTreeMap<i64, Open>,
    expected: BTreeMap<i64, Open>,
    names: BTreeMap<i64, String>,
    /// Ids of the prepayment invoices, and whether they charge VAT of other member states.
    prepayments: BTreeMap<i64, bool>,
    /// Date of full payment, as recorded on the invoice.
    paid_at: BTreeMap<i64, Option<Date>>,
    /// Dates on which part of the invoice was settled; the date of full payment must be one of
    /// them.
    settled_on: BTreeMap<i64, BTreeSet<Date>>,
    /// As recorded on each invoice: the number of payments whose VAT was moved, and the number of
    /// payments whose VAT could not be moved.
    recorded_vat_moves: BTreeMap<i64, (i64, i64)>,
    /// The same two numbers, counted from the payments.
    vat_moves: BTreeMap<i64, (i64, i64)>,
    /// VAT on account 1770 according to the journal, and according to the invoices.
    deferred: BTreeMap<i64, Cents>,
    recorded_deferred: BTreeMap<i64, Cents>,
    /// Payments and write-offs that have a row.
    existing: BTreeSet<(SourceType, i64)>,
}

pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    last_id: i64,
    verification: &mut Verification,
    sums: &mut Recomputed,
) -> Result<(), Error> {
    let mut walk = Walk::default();
    for (year, start, _) in rows::series(tx, cx.actor.account)? {
        walk.numbers.insert(year, start);
    }
    let has_methods = !store::cash_accounting::methods(tx, cx.actor.account)?.is_empty();
    let mut after = i64::MIN;
    loop {
        let chunk = rows::after(tx, cx.actor.account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for ahead in chunk.chunks(AHEAD) {
            invoices::prefetch(tx, cx.actor.account, ahead);
            for invoice in ahead {
                verification.invoices += 1;
                let groups = check_invoice(tx, cx, (invoice, has_methods), sums, verification)?;
                walk.add(invoice, groups, sums, verification);
            }
        }
    }
    // Removes zero amounts, because `recorded_credited` has none.
    walk.credited.retain(|_, amount| !amount.is_zero());
    if walk.credited != walk.recorded_credited {
        verification
            .discrepancies
            .push("the amount that was credited according to the invoices differs from their credit notes".into());
    }
    for (invoice, taken) in &walk.taken {
        check_credited(tx, cx, *invoice, taken, verification)?;
    }
    check_payments(tx, cx.actor.account, &mut walk, sums, verification)?;
    check_open(&walk, sums, verification);
    check_deferred(&mut walk, sums, verification);
    check_series(tx, cx.actor.account, &walk.numbers, verification)?;
    if last_id != verification.invoices {
        verification.discrepancies.push(format!(
            "the books say that there are {last_id} invoices, but {} were found",
            verification.invoices
        ));
    }
    Ok(())
}

/// Invoice of a payment or write-off.
#[derive(Clone, Copy)]
struct Named<'w> {
    number: Option<&'w String>,
    is_prepayment: bool,
    /// Whether it is a prepayment that charges VAT of other member states. That VAT is a cost if
    /// the prepayment is written off.
    has_foreign_vat: bool,
}

impl Walk {
    fn named(&self, invoice: i64) -> Named<'_> {
        let prepayment = self.prepayments.get(&invoice).copied();
        Named {
            number: self.names.get(&invoice),
            is_prepayment: prepayment.is_some(),
            has_foreign_vat: prepayment == Some(true),
        }
    }

    /// Checks that the numbers of a year are consecutive. Open items of the opening balance are not
    /// part of the series.
    fn add_number(&mut self, invoice: &Invoice, verification: &mut Verification) {
        if invoice.is_opening_item() {
            let expected = if invoice.status == Status::Cancelled { rows::TAKEN_BACK } else { 0 };
            if invoice.number_in_year != expected {
                verification.discrepancies.push(format!(
                    "invoice {} was open when the books began, so it has no place in a series",
                    invoice.id
                ));
            }
            if invoice.number_year != invoice.invoice_date.year() {
                verification.discrepancies.push(format!(
                    "the number of invoice {} is of a different year than its date",
                    invoice.id
                ));
            }
            return;
        }
        let number = self.numbers.entry(invoice.number_year).or_default();
        *number += 1;
        if *number != invoice.number_in_year {
            let (expected, actual) = (*number, invoice.number_in_year);
            verification.discrepancies.push(format!(
                "invoice {} has number {actual} of {}, but {expected} was next",
                invoice.id, invoice.number_year
            ));
            *number = actual;
        }
    }

    fn add_deferred(&mut self, invoice: i64, entries: &Entries) {
        *self.deferred.entry(invoice).or_default() -= entries.on(codes::VAT_ON_OPEN_INVOICES);
    }

    // Long: each figure that an invoice records.
    fn add(
        &mut self,
        invoice: &Invoice,
        groups: Vec<VatGroup>,
        sums: &mut Recomputed,
        verification: &mut Verification,
    ) {
        self.add_number(invoice, verification);
        for (day, delta) in invoices::day_deltas(invoice) {
            *sums.documents.entry(Month::of(day)).or_default() += delta;
        }
        for (group, of_document) in sales_totals::of(invoice) {
            *sums.sales.entry(group).or_default() += of_document;
        }
        if invoice.status != Status::Cancelled {
            let foreign = groups.iter().filter(|group| group.category == VatCategory::Oss);
            sums.foreign_vat += foreign.map(|group| group.amount).sum::<Cents>();
        }
        let of = invoice.credited_invoice_id.unwrap_or(invoice.id);
        let entries = sums.booked.of(invoices::source(invoice));
        self.booked.entry(of).or_default().add(Open::of(entries));
        self.add_deferred(of, entries);
        self.recorded_deferred.extend(
            (!invoice.vat_deferred.is_zero()).then_some((invoice.id, invoice.vat_deferred)),
        );
        self.settled_on.entry(of).or_default().insert(invoice.invoice_date);
        if invoice.kind == InvoiceKind::CreditNote {
            if invoice.paid_at != Some(invoice.invoice_date) {
                verification
                    .discrepancies
                    .push(format!("credit note {} is not settled on its own date", invoice.number));
            }
            // Payments, credits and write-offs are recorded on the credited invoice, not on the
            // credit note.
            let moved = [invoice.amount_paid, invoice.amount_credited, invoice.amount_written_off];
            if moved.iter().any(|amount| !amount.is_zero())
                || invoice.first_paid_on.is_some()
                || (invoice.vat_moved, invoice.vat_waiting) != (0, 0)
            {
                verification.discrepancies.push(format!(
                    "credit note {} records payments, credits or write-offs of its own",
                    invoice.number
                ));
            }
            *self.credited.entry(of).or_default() -= invoice.total;
            self.taken.entry(of).or_default().extend(groups);
            return;
        }
        self.add_deferred(invoice.id, sums.booked.of(cash_accounting::source(invoice.id)));
        self.existing.insert((SourceType::VatDue, invoice.id));
        self.names.insert(invoice.id, invoice.number.clone());
        if invoice.prepayment {
            let is_foreign = |group: &VatGroup| group.category == VatCategory::Oss;
            self.prepayments.insert(invoice.id, groups.iter().any(is_foreign));
        }
        if invoices::is_paid(invoice) != invoice.paid_at.is_some() {
            let is = if invoice.paid_at.is_some() {
                "is marked as paid"
            } else {
                "has no date of full payment"
            };
            verification
                .discrepancies
                .push(format!("invoice {} {is}, contrary to its amounts", invoice.number));
        }
        self.paid_at.insert(invoice.id, invoice.paid_at);
        let balance = invoices::balance(invoice);
        let open = Open { due: balance.max(Cents::ZERO), refund: (-balance).max(Cents::ZERO) };
        self.expected.insert(invoice.id, open);
        if !invoice.amount_credited.is_zero() {
            self.recorded_credited.insert(invoice.id, invoice.amount_credited);
        }
        if !invoice.amount_paid.is_zero() {
            self.recorded_paid.insert(invoice.id, invoice.amount_paid);
        }
        if !invoice.amount_written_off.is_zero() {
            self.recorded_written_off.insert(invoice.id, invoice.amount_written_off);
        }
        let counts = (invoice.vat_moved, invoice.vat_waiting);
        if counts != (0, 0) {
            self.recorded_vat_moves.insert(invoice.id, counts);
        }
        self.recorded_first.extend(invoice.first_paid_on.map(|first| (invoice.id, first)));
    }
}

/// Compares a document with its entries and its lines; returns its VAT groups.
// Long: each figure of an invoice, checked in turn.
fn check_invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    (invoice, has_methods): (&Invoice, bool),
    sums: &Recomputed,
    verification: &mut Verification,
) -> Result<Vec<VatGroup>, Error> {
    let mut groups = Vec::new();
    let number = &invoice.number;
    let entries = sums.booked.of(invoices::source(invoice));
    let original = entries.original();
    let as_booked = original.and_then(|entry| entry.number.as_deref()).unwrap_or_default();
    if as_booked != number {
        verification.discrepancies.push(format!(
            "invoice {} is printed as {number}, but booked as {as_booked:?}",
            invoice.id
        ));
    }
    if original.is_some_and(|entry| entry.vat_date != invoice.vat_date) {
        verification.discrepancies.push(format!(
            "the VAT on invoice {number} is due on {}, but booked on another day",
            invoice.vat_date
        ));
    }
    let open = Open::of(entries);
    let in_all = open.due - open.refund;
    // A cancelled draft has no balance in the journal.
    let total = if invoice.status == Status::Cancelled { Cents::ZERO } else { invoice.total };
    if in_all != total {
        verification
            .discrepancies
            .push(format!("invoice {number} totals {total}, but {in_all} is booked"));
    }
    match invoices::read(tx, cx, invoice.id) {
        Ok(view) => {
            // An open item of the opening balance has no lines, only an amount.
            let whole = if invoice.is_opening_item() { invoice.total } else { Cents::ZERO };
            let subtotal: Cents = whole + view.groups.iter().map(|group| group.base).sum::<Cents>();
            let vat: Cents = view.groups.iter().map(|group| group.amount).sum();
            if (subtotal, vat, subtotal + vat)
                != (invoice.subtotal, invoice.vat_total, invoice.total)
            {
                let by_lines = subtotal + vat;
                verification.discrepancies.push(format!(
                    "invoice {number} totals {}, but its lines add up to {by_lines}",
                    invoice.total
                ));
            }
            if whole + view.lines.iter().map(|(_, amount)| *amount).sum::<Cents>() != subtotal {
                verification
                    .discrepancies
                    .push(format!("the stored amounts of invoice {number} differ from those computed from its lines"));
            }
            check_shown(tx, cx.actor.account, &view, sums, verification)?;
            let in_advance = in_advance(&view);
            let booked = -entries.on(codes::RECEIVED_IN_ADVANCE);
            if booked != in_advance {
                verification.discrepancies.push(format!(
                    "invoice {number} has {in_advance} received in advance, but {booked} is booked"
                ));
            }
            check_entries(&view, entries, sums, verification);
            if invoice.kind == InvoiceKind::Invoice && (invoice.is_due_when_paid() || has_methods) {
                check_due(tx, cx, &view, verification)?;
            }
            groups = view.groups;
        }
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => {
            return Err(Error::Store(error));
        }
        Err(other) => verification.discrepancies.push(format!("invoice {number}: {other}")),
    }
    Ok(groups)
}

/// Checks that the VAT of an invoice became due, or not, as its history says.
fn check_due(
    tx: &mut Tx<'_>,
    cx: &Context,
    view: &InvoiceDetails,
    verification: &mut Verification,
) -> Result<(), Error> {
    match cash_accounting::is_consistent(tx, cx, view) {
        Ok(true) => {}
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => {
            return Err(Error::Store(error));
        }
        Ok(false) | Err(_) => verification.discrepancies.push(format!(
            "the VAT that became due on invoice {} differs from its payments",
            view.invoice.number
        )),
    }
    Ok(())
}

/// Checks that the entries of a document match its lines and its date.
fn check_entries(
    view: &InvoiceDetails,
    entries: &Entries,
    sums: &Recomputed,
    verification: &mut Verification,
) {
    // Open items of the opening balance have no lines: their amount is compared in `check_invoice`,
    // and their date with the opening balance.
    let Some(entry) = invoices::entry_of_lines(view) else { return };
    // If the return was filed while the document was a draft, the entry stays as it is when the
    // document is sent on another day.
    let stays = |vat_date| view.invoice.status == Status::Sent && sums.was_filed(vat_date);
    let may_differ = entries.original().is_some_and(|original| stays(original.vat_date));
    Document {
        name: &format!("invoice {}", view.invoice.number),
        sums: &[posted([&entry])],
        detail: Detail::Receivable,
        undone: view.invoice.status == Status::Cancelled,
        date: Some(view.invoice.invoice_date).filter(|_| !may_differ),
        entry_id: None,
    }
    .compare(entries.iter(), &mut verification.discrepancies);
}

/// Checks that the contents of a sent document have not changed since it was sent.
fn check_shown(
    tx: &mut Tx<'_>,
    account: i64,
    view: &invoices::InvoiceDetails,
    sums: &Recomputed,
    verification: &mut Verification,
) -> Result<(), Error> {
    let invoice = &view.invoice;
    let Some(record) = sums.records.sent.get(&invoice.id) else {
        if invoice.status == Status::Sent {
            verification.discrepancies.push(format!(
                "there is no record of what invoice {} showed when it was sent",
                invoice.number
            ));
        }
        return Ok(());
    };
    let credited = match invoice.credited_invoice_id {
        Some(credited) => rows::by_id(tx, account, credited)?,
        None => None,
    };
    let settings = record.settings.unwrap_or_default();
    let is_in_its_language =
        invoice.language.is_some_and(|language| language.as_str() == record.language);
    let shown = document_snapshots::shown(
        &settings,
        &record.language,
        invoice,
        &view.lines,
        credited.as_ref(),
    );
    let is_same = shown == record.sha256 && is_in_its_language;
    if !is_same || (invoice.status != Status::Sent && !invoice.is_opening_item()) {
        verification
            .discrepancies
            .push(format!("invoice {} was changed after it was sent", invoice.number));
    }
    Ok(())
}

/// Amount by which a document changes the prepayments received, according to its lines.
fn in_advance(view: &InvoiceDetails) -> Cents {
    if view.invoice.status == Status::Cancelled {
        return Cents::ZERO;
    }
    let counts = |line: &Line| view.invoice.prepayment || line.sets_off.is_some();
    view.lines.iter().filter(|(line, _)| counts(line)).map(|(_, amount)| *amount).sum()
}

/// Checks that the credit notes on an invoice together credit at least zero and at most the
/// invoiced amount, per rate, category and supply, for both base and VAT.
fn check_credited(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: i64,
    taken: &[VatGroup],
    verification: &mut Verification,
) -> Result<(), Error> {
    let view = match invoices::read(tx, cx, invoice) {
        Ok(view) => view,
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => {
            return Err(Error::Store(error));
        }
        // The check of the invoice itself has already reported this error.
        Err(_) => return Ok(()),
    };
    let mut invoiced = view.groups;
    if let Some(known) = view.brought_forward {
        if view.invoice.amount_credited > known.total {
            verification.discrepancies.push(format!(
                "the credit notes on invoice {}, which was open when the books began, exceed its total",
                view.invoice.number
            ));
        }
        if known.groups.is_empty() {
            return Ok(());
        }
        invoiced = known.groups;
    }
    for remaining in credit_note::overdrawn(&invoiced, taken) {
        let (rate, category) = (remaining.rate.percent(), remaining.category.public().as_str());
        verification.discrepancies.push(format!(
            "the credit notes on invoice {} leave {} and {} of VAT at {rate} per cent ({category})",
            view.invoice.number, remaining.base, remaining.amount
        ));
    }
    Ok(())
}

/// Checks that the VAT of a payment was moved if and only if the payment records this, and that the
/// two entries of the move cancel each other out. Adds the payment to the counts of its invoice.
fn check_vat_move(
    payment: &Payment,
    walk: &mut Walk,
    sums: &Recomputed,
    verification: &mut Verification,
) {
    let entries = sums.booked.of(vat_moves::source(payment.id));
    let id = payment.id;
    let is_moved = payment.vat_move == VatMove::Moved;
    walk.existing.insert((SourceType::VatMove, id));
    let taken_back = entries.taken_back();
    let stands = |entry: &Entry| entry.is_original() && !taken_back.contains(&entry.id);
    let is_consistent = if is_moved {
        entries.iter().next().is_some()
    } else {
        // A change of the method of declaring VAT takes the move back.
        !entries.iter().any(stands)
    };
    if !is_consistent {
        verification
            .discrepancies
            .push(format!("payment {id} does not say whether its VAT was moved"));
    }
    if !Detail::Full.of(entries.iter()).is_empty() {
        verification.discrepancies.push(format!(
            "the VAT that was moved to the day of payment {id} is not taken off the invoice"
        ));
    }
    if payment.undone_at.is_none() {
        let counts = walk.vat_moves.entry(payment.invoice_id).or_default();
        counts.0 += i64::from(is_moved);
        counts.1 += i64::from(payment.vat_move == VatMove::Waiting);
    }
}

/// Checks that payments and write-offs add up to the amounts that their invoices record, and that
/// each of them is booked.
// Long: it walks two tables and compares them with the invoices.
fn check_payments(
    tx: &mut Tx<'_>,
    account: i64,
    walk: &mut Walk,
    sums: &Recomputed,
    verification: &mut Verification,
) -> Result<(), Error> {
    let (mut paid, mut given_up): (BTreeMap<i64, Cents>, BTreeMap<i64, Cents>) = Default::default();
    let mut first: BTreeMap<i64, Date> = BTreeMap::new();
    let mut after = i64::MIN;
    loop {
        let chunk = payments::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for payment in chunk {
            let invoice = payment.invoice_id;
            let entries = sums.booked.of(source(payment.id, payment.amount));
            walk.booked.entry(invoice).or_default().add(Open::of(entries));
            walk.add_deferred(invoice, entries);
            walk.settled_on
                .entry(invoice)
                .or_default()
                .extend([payment.date].into_iter().chain(payment.undone_on));
            walk.existing.insert((source(payment.id, payment.amount).kind, payment.id));
            check_payment(&payment, walk.named(invoice), entries, verification);
            check_vat_move(&payment, walk, sums, verification);
            if payment.undone_at.is_some() {
                continue;
            }
            *paid.entry(invoice).or_default() += payment.amount;
            *given_up.entry(invoice).or_default() -= payment.recovered;
            if !payment.amount.is_negative() {
                first
                    .entry(invoice)
                    .and_modify(|first| *first = payment.date.min(*first))
                    .or_insert(payment.date);
            }
        }
    }
    after = i64::MIN;
    loop {
        let chunk = write_offs::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for write_off in chunk {
            let (invoice, entries) =
                (write_off.invoice_id, sums.booked.of(crate::write_offs::source(write_off.id)));
            walk.booked.entry(invoice).or_default().add(Open::of(entries));
            walk.add_deferred(invoice, entries);
            walk.settled_on
                .entry(invoice)
                .or_default()
                .extend([write_off.date].into_iter().chain(write_off.undone_on));
            walk.existing.insert((SourceType::WriteOff, write_off.id));
            check_write_off(&write_off, walk.named(invoice), entries, verification);
            if write_off.undone_at.is_none() {
                *given_up.entry(write_off.invoice_id).or_default() += write_off.amount;
            }
        }
    }
    for (what, recorded, actual) in [
        ("paid", &walk.recorded_paid, &paid),
        ("written off", &walk.recorded_written_off, &given_up),
    ] {
        for invoice in
            recorded.keys().chain(actual.keys().filter(|invoice| !recorded.contains_key(invoice)))
        {
            let of = |sums: &BTreeMap<i64, Cents>| sums.get(invoice).copied().unwrap_or_default();
            let (recorded, actual) = (of(recorded), of(actual));
            if recorded != actual {
                let number = walk.names.get(invoice).map_or("?", String::as_str);
                verification
                    .discrepancies
                    .push(format!("invoice {number} records that {recorded} was {what}, but its payments add up to {actual}"));
            }
        }
    }
    walk.vat_moves.retain(|_, counts| *counts != (0, 0));
    if walk.vat_moves != walk.recorded_vat_moves {
        verification.discrepancies.push(
            "the counts of payments with moved VAT that the invoices record differ from those of their payments".into(),
        );
    }
    for kind in [
        SourceType::Payment,
        SourceType::Refund,
        SourceType::WriteOff,
        SourceType::VatMove,
        SourceType::VatDue,
    ] {
        for (id, _) in sums.booked.ids(kind).filter(|(id, _)| !walk.existing.contains(&(kind, *id)))
        {
            verification
                .discrepancies
                .push(format!("{} {id} is booked, but its row is missing", kind.as_str()));
        }
    }
    for (invoice, paid_at) in &walk.paid_at {
        let days = walk.settled_on.get(invoice);
        if let Some(day) = paid_at.filter(|day| days.is_none_or(|days| !days.contains(day))) {
            let number = walk.names.get(invoice).map_or("?", String::as_str);
            verification
                .discrepancies
                .push(format!("invoice {number} is marked as paid since {day}, but nothing was settled on that day"));
        }
    }
    if first != walk.recorded_first {
        verification.discrepancies.push(
            "the first payment dates of the invoices differ from those of their payments".into(),
        );
    }
    Ok(())
}

/// Checks that a payment matches the entry that it names, and that this entry names the payment's
/// invoice.
fn check_payment(
    payment: &Payment,
    invoice: Named<'_>,
    entries: &Entries,
    verification: &mut Verification,
) {
    let source = source(payment.id, payment.amount);
    let recovered = (!payment.recovered.is_zero()).then(|| in_one(payment.recovered));
    let settlement = Settlement {
        amount: payment.amount,
        method: payment.method,
        balance: Cents::ZERO,
        recovered: WrittenOff::of(recovered.into_iter().collect())
            .of_prepayment(invoice.is_prepayment),
        due: Vec::new(),
    };
    let entry = booking::payment_received(source, "", payment.date, &settlement);
    let name = format!("payment {}", payment.id);
    check_settlement(
        &name,
        &posted([&entry]),
        (payment.date, payment.entry_id),
        payment.undone_at.is_some(),
        entries,
        verification,
    );
    let undoing = (payment.undoing_entry_id, payment.undone_on, payment.undone_at.is_some());
    compare_undoing(&name, undoing, entries, &mut verification.discrepancies);
    check_number(&name, invoice, entries, verification);
}

fn check_write_off(
    write_off: &WriteOff,
    invoice: Named<'_>,
    entries: &Entries,
    verification: &mut Verification,
) {
    let source = crate::write_offs::source(write_off.id);
    let whole = WrittenOff::of(vec![in_one(write_off.amount)]).of_prepayment(invoice.is_prepayment);
    let entry = booking::write_off(source, "", write_off.date, &whole, Cents::ZERO);
    let name = format!("write-off {}", write_off.id);
    let is_undone = write_off.undone_at.is_some();
    check_settlement(
        &name,
        &posted([&entry]),
        (write_off.date, write_off.entry_id),
        is_undone,
        entries,
        verification,
    );
    let undoing = (write_off.undoing_entry_id, write_off.undone_on, is_undone);
    compare_undoing(&name, undoing, entries, &mut verification.discrepancies);
    check_number(&name, invoice, entries, verification);
}

/// Returns a single VAT group with the whole amount, because [`Detail::Settlement`] does not
/// distinguish rates.
fn in_one(amount: Cents) -> VatGroup {
    VatGroup {
        rate: VatRate::ZERO,
        category: VatCategory::OutOfScope,
        supply: None,
        tax_country: None,
        base: amount,
        amount: Cents::ZERO,
        vat_box: None,
    }
}

fn check_settlement(
    name: &str,
    sums: &Sums,
    (date, entry_id): (Date, i64),
    undone: bool,
    entries: &Entries,
    verification: &mut Verification,
) {
    let sums = std::slice::from_ref(sums);
    Document {
        name,
        sums,
        detail: Detail::Settlement,
        undone,
        date: Some(date),
        entry_id: Some(entry_id),
    }
    .compare(entries.iter(), &mut verification.discrepancies);
}

/// Checks that a payment or write-off is booked on its invoice, and that a lost prepayment is no
/// cost.
fn check_number(
    name: &str,
    Named { number: invoice, is_prepayment, has_foreign_vat }: Named<'_>,
    entries: &Entries,
    verification: &mut Verification,
) {
    let booked = entries.original().and_then(|entry| entry.number.as_deref());
    if booked.is_some() && booked != invoice.map(String::as_str) {
        let (booked, invoice) = (booked.unwrap_or_default(), invoice.map_or("?", String::as_str));
        verification.discrepancies.push(format!(
            "{name} belongs to invoice {invoice}, but is booked on invoice {booked}"
        ));
    }
    let wrong = if is_prepayment { codes::BAD_DEBTS } else { codes::RECEIVED_IN_ADVANCE };
    if !has_foreign_vat && entries.iter().any(|entry| !entry.on(wrong).is_zero()) {
        verification.discrepancies.push(format!("{name} is booked on account {wrong}"));
    }
}

/// Checks that each invoice has its amount due on receivables and its amount to refund on account
/// 1630, and that these two accounts contain nothing else.
fn check_open(walk: &Walk, sums: &Recomputed, verification: &mut Verification) {
    let mut all = Open::default();
    for (invoice, expected) in &walk.expected {
        all.add(*expected);
        let booked = walk.booked.get(invoice).copied().unwrap_or_default();
        if booked != *expected {
            let number = walk.names.get(invoice).map_or("?", String::as_str);
            verification.discrepancies.push(format!(
                "invoice {number} has {} to be received and {} to be refunded, but {} and {} are booked",
                expected.due, expected.refund, booked.due, booked.refund
            ));
        }
    }
    let on = |code| -> Cents {
        let its = sums.months.iter().filter(|((_, _, account), _)| *account == code);
        its.map(|(_, (debit, credit))| *debit - *credit).sum()
    };
    let before_invoice = on(codes::VAT_BEFORE_INVOICE);
    if !before_invoice.is_zero() {
        verification.discrepancies.push(format!(
            "{before_invoice} of VAT due before the invoice date is not taken off by any invoice"
        ));
    }
    let booked = Open { due: on(codes::RECEIVABLES), refund: -on(codes::OWED_TO_CUSTOMERS) };
    if booked != all {
        verification.discrepancies.push(format!(
            "over all invoices {} is to be received and {} to be refunded, but the accounts hold {} and {}",
            all.due, all.refund, booked.due, booked.refund
        ));
    }
}

/// Checks that account 1770 has the VAT that is not due yet of each invoice, and nothing else.
fn check_deferred(walk: &mut Walk, sums: &Recomputed, verification: &mut Verification) {
    walk.deferred.retain(|_, vat| !vat.is_zero());
    for invoice in walk
        .deferred
        .keys()
        .chain(walk.recorded_deferred.keys().filter(|invoice| !walk.deferred.contains_key(invoice)))
    {
        let of = |sums: &BTreeMap<i64, Cents>| sums.get(invoice).copied().unwrap_or_default();
        let (booked, recorded) = (of(&walk.deferred), of(&walk.recorded_deferred));
        if booked != recorded {
            let number = walk.names.get(invoice).map_or("?", String::as_str);
            verification.discrepancies.push(format!(
                "invoice {number} records that {recorded} of VAT is not due yet, but {booked} is booked"
            ));
        }
    }
    let its = sums.months.iter().filter(|((.., code), _)| *code == codes::VAT_ON_OPEN_INVOICES);
    let booked: Cents = its.map(|(_, (debit, credit))| *credit - *debit).sum();
    let recorded: Cents = walk.recorded_deferred.values().copied().sum();
    if booked != recorded {
        verification.discrepancies.push(format!(
            "over all invoices {recorded} of VAT is not due yet, but account 1770 holds {booked}"
        ));
    }
}

fn check_series(
    tx: &mut Tx<'_>,
    account: i64,
    numbers: &BTreeMap<i16, i64>,
    verification: &mut Verification,
) -> Result<(), Error> {
    let stored: BTreeMap<i16, i64> =
        rows::series(tx, account)?.into_iter().map(|(year, _, last)| (year, last)).collect();
    for year in stored.keys().chain(numbers.keys().filter(|year| !stored.contains_key(year))) {
        let (kept, counted) =
            (stored.get(year).copied().unwrap_or(0), numbers.get(year).copied().unwrap_or(0));
        if kept != counted {
            verification.discrepancies.push(format!(
                "the number series of {year} ends at {kept}, but its last invoice is {counted}"
            ));
        }
    }
    Ok(())
}
