//! Invoices, credit notes and payments against what the journal says of them.

use super::{Booked, CHUNK, Open, Recomputed, Verification};
use crate::{
    Context, Error, document_snapshots,
    invoices::{self, InvoiceDetails},
    payments::source,
};
use jiff::civil::Date;
use ledger::{
    chart::codes,
    credit_note,
    entry::SourceType,
    invoice::{Line, VatGroup},
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    StoreError, Tx,
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    payments, sales_totals, write_offs,
};

/// Documents whose lines and entries are asked for at once: one by one they cost a round trip each, three times.
const AHEAD: usize = 32;

/// What the walk through the invoices adds up, by invoice.
#[derive(Default)]
struct Walk {
    /// The last number per year.
    numbers: BTreeMap<i16, i64>,
    /// What credit notes say that they credit.
    credited: BTreeMap<i64, Cents>,
    /// The groups that credit notes take back.
    taken: BTreeMap<i64, Vec<VatGroup>>,
    /// What invoices say that was credited, paid and written off.
    said_credited: BTreeMap<i64, Cents>,
    said_paid: BTreeMap<i64, Cents>,
    said_written_off: BTreeMap<i64, Cents>,
    /// The days of first payments that invoices say.
    said_first: BTreeMap<i64, Date>,
    /// What is open by the journal, and what should be.
    booked: BTreeMap<i64, Open>,
    wanted: BTreeMap<i64, Open>,
    names: BTreeMap<i64, String>,
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
    let mut after = i64::MIN;
    loop {
        let chunk = rows::after(tx, cx.actor.account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for ahead in chunk.chunks(AHEAD) {
            invoices::prefetch(tx, cx.actor.account, ahead);
            for invoice in ahead {
                verification.invoices += 1;
                let groups = check_invoice(tx, cx, invoice, sums, verification)?;
                walk.add(invoice, groups, sums, verification);
            }
        }
    }
    // A credit note of nothing takes nothing back.
    walk.credited.retain(|_, amount| !amount.is_zero());
    if walk.credited != walk.said_credited {
        verification.discrepancies.push("what invoices say was credited differs from their credit notes".into());
    }
    for (invoice, taken) in &walk.taken {
        check_credited(tx, cx, *invoice, taken, verification)?;
    }
    check_payments(tx, cx.actor.account, &mut walk, sums, verification)?;
    check_open(&walk, sums, verification);
    check_series(tx, cx.actor.account, &walk.numbers, verification)?;
    if last_id != verification.invoices {
        verification
            .discrepancies
            .push(format!("the books say that there are {last_id} invoices, but {} were found", verification.invoices));
    }
    Ok(())
}

impl Walk {
    /// The numbers of a year follow one another; what was open when the books began is outside them.
    fn add_number(&mut self, invoice: &Invoice, verification: &mut Verification) {
        if invoice.is_opening_item() {
            let wanted = if invoice.status == Status::Cancelled { rows::TAKEN_BACK } else { 0 };
            if invoice.number_in_year != wanted {
                verification
                    .discrepancies
                    .push(format!("invoice {} was open when the books began, and has no place in a series", invoice.id));
            }
            return;
        }
        let number = self.numbers.entry(invoice.number_year).or_default();
        *number += 1;
        if *number != invoice.number_in_year {
            let (wanted, found) = (*number, invoice.number_in_year);
            verification
                .discrepancies
                .push(format!("invoice {} has number {found} of {}, but {wanted} was next", invoice.id, invoice.number_year));
            *number = found;
        }
    }

    fn add(&mut self, invoice: &Invoice, groups: Vec<VatGroup>, sums: &mut Recomputed, verification: &mut Verification) {
        self.add_number(invoice, verification);
        for (quarter, delta) in invoices::quarter_deltas(invoice) {
            *sums.quarters.entry((quarter.year(), quarter.number())).or_default() += delta;
        }
        for (group, of_document) in sales_totals::of(invoice) {
            *sums.sales.entry(group).or_default() += of_document;
        }
        let of = invoice.credited_invoice_id.unwrap_or(invoice.id);
        if let Some(booked) = sums.documents.get(&(kind(invoice), invoice.id)) {
            self.booked.entry(of).or_default().add(booked.open);
        }
        if invoice.kind == InvoiceKind::CreditNote {
            *self.credited.entry(of).or_default() -= invoice.total;
            self.taken.entry(of).or_default().extend(groups);
            return;
        }
        self.names.insert(invoice.id, invoice.number.clone());
        let balance = invoices::balance(invoice);
        let open = Open { due: balance.max(Cents::ZERO), refund: (-balance).max(Cents::ZERO) };
        self.wanted.insert(invoice.id, open);
        if !invoice.amount_credited.is_zero() {
            self.said_credited.insert(invoice.id, invoice.amount_credited);
        }
        if !invoice.amount_paid.is_zero() {
            self.said_paid.insert(invoice.id, invoice.amount_paid);
        }
        if !invoice.amount_written_off.is_zero() {
            self.said_written_off.insert(invoice.id, invoice.amount_written_off);
        }
        self.said_first.extend(invoice.first_paid_on.map(|first| (invoice.id, first)));
    }
}

fn kind(invoice: &Invoice) -> SourceType {
    match invoice.kind {
        InvoiceKind::Invoice => SourceType::Invoice,
        InvoiceKind::CreditNote => SourceType::CreditNote,
    }
}

/// A document against its booking and its lines; gives its VAT groups.
fn check_invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: &Invoice,
    sums: &Recomputed,
    verification: &mut Verification,
) -> Result<Vec<VatGroup>, Error> {
    let mut groups = Vec::new();
    let number = &invoice.number;
    let none = Booked::default();
    let booked = sums.documents.get(&(kind(invoice), invoice.id)).unwrap_or(&none);
    if booked.number.as_ref() != Some(number) {
        let as_booked = booked.number.as_deref().unwrap_or_default();
        verification.discrepancies.push(format!("invoice {} is printed as {number}, but booked as {as_booked:?}", invoice.id));
    }
    if booked.vat_date.is_some_and(|due| due != invoice.vat_date) {
        verification
            .discrepancies
            .push(format!("the VAT on invoice {number} is due on {}, but booked on another day", invoice.vat_date));
    }
    let in_all = booked.open.due - booked.open.refund;
    // Of a draft that was taken back nothing stays booked.
    let total = if invoice.status == Status::Cancelled { Cents::ZERO } else { invoice.total };
    if in_all != total {
        verification.discrepancies.push(format!("invoice {number} totals {total}, but {in_all} is booked"));
    }
    match invoices::read(tx, cx, invoice.id) {
        Ok(view) => {
            // Of what was open when the books began only the amount is known.
            let whole = if invoice.is_opening_item() { invoice.total } else { Cents::ZERO };
            let subtotal: Cents = whole + view.groups.iter().map(|group| group.base).sum::<Cents>();
            let vat: Cents = view.groups.iter().map(|group| group.amount).sum();
            if (subtotal, vat, subtotal + vat) != (invoice.subtotal, invoice.vat_total, invoice.total) {
                let by_lines = subtotal + vat;
                verification.discrepancies.push(format!("invoice {number} totals {}, but its lines {by_lines}", invoice.total));
            }
            if whole + view.lines.iter().map(|(_, amount)| *amount).sum::<Cents>() != subtotal {
                verification
                    .discrepancies
                    .push(format!("the amounts of invoice {number}'s lines differ from what its lines say"));
            }
            check_shown(tx, cx.actor.account, &view, sums, verification)?;
            let in_advance = in_advance(&view);
            if booked.in_advance != in_advance {
                let found = booked.in_advance;
                verification
                    .discrepancies
                    .push(format!("by invoice {number} {in_advance} is received in advance, but {found} is booked"));
            }
            groups = view.groups;
        }
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => return Err(Error::Store(error)),
        Err(other) => verification.discrepancies.push(format!("invoice {number}: {other}")),
    }
    Ok(groups)
}

/// What a sent document shows is what it showed when it was sent.
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
            verification.discrepancies.push(format!("nothing tells what invoice {} showed when it was sent", invoice.number));
        }
        return Ok(());
    };
    let credited = match invoice.credited_invoice_id {
        Some(credited) => rows::by_id(tx, account, credited)?,
        None => None,
    };
    let settings = record.settings.unwrap_or_default();
    let shown = document_snapshots::shown(&settings, &record.language, invoice, &view.lines, credited.as_ref());
    if shown != record.sha256 || (invoice.status != Status::Sent && !invoice.is_opening_item()) {
        verification.discrepancies.push(format!("invoice {} was changed after it was sent", invoice.number));
    }
    Ok(())
}

/// What a document adds to what is received in advance, by its lines.
fn in_advance(view: &InvoiceDetails) -> Cents {
    if view.invoice.status == Status::Cancelled {
        return Cents::ZERO;
    }
    let counts = |line: &Line| view.invoice.prepayment || line.sets_off.is_some();
    view.lines.iter().filter(|(line, _)| counts(line)).map(|(_, amount)| *amount).sum()
}

/// Credit notes take back, per rate, category and supply, between nothing and what was invoiced, VAT as well as base.
fn check_credited(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: i64,
    taken: &[VatGroup],
    verification: &mut Verification,
) -> Result<(), Error> {
    let view = match invoices::read(tx, cx, invoice) {
        Ok(view) => view,
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => return Err(Error::Store(error)),
        // Told already, where the invoice itself was looked at.
        Err(_) => return Ok(()),
    };
    for remaining in credit_note::overdrawn(&view.groups, taken) {
        let (rate, category) = (remaining.rate.percent(), remaining.category.as_str());
        verification.discrepancies.push(format!(
            "the credit notes on invoice {} leave {} and {} of VAT at {rate} per cent ({category}) of it",
            view.invoice.number, remaining.base, remaining.amount
        ));
    }
    Ok(())
}

/// Payments and write-offs add up to what their invoices say was paid and written off, and are booked.
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
            if let Some(booked) = sums.documents.get(&(source(payment.id, payment.amount).kind, payment.id)) {
                walk.booked.entry(invoice).or_default().add(booked.open);
            }
            if payment.undone_at.is_some() {
                continue;
            }
            *paid.entry(invoice).or_default() += payment.amount;
            *given_up.entry(invoice).or_default() -= payment.recovered;
            if !payment.amount.is_negative() {
                first.entry(invoice).and_modify(|first| *first = payment.date.min(*first)).or_insert(payment.date);
            }
        }
    }
    after = i64::MIN;
    loop {
        let chunk = write_offs::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for write_off in chunk {
            if let Some(booked) = sums.documents.get(&(SourceType::WriteOff, write_off.id)) {
                walk.booked.entry(write_off.invoice_id).or_default().add(booked.open);
            }
            if write_off.undone_at.is_none() {
                *given_up.entry(write_off.invoice_id).or_default() += write_off.amount;
            }
        }
    }
    for (what, said, found) in [("paid", &walk.said_paid, &paid), ("written off", &walk.said_written_off, &given_up)] {
        for invoice in said.keys().chain(found.keys().filter(|invoice| !said.contains_key(invoice))) {
            let of = |sums: &BTreeMap<i64, Cents>| sums.get(invoice).copied().unwrap_or_default();
            let (said, found) = (of(said), of(found));
            if said != found {
                let number = walk.names.get(invoice).map_or("?", String::as_str);
                verification.discrepancies.push(format!("invoice {number} says that {said} was {what}, its payments {found}"));
            }
        }
    }
    if first != walk.said_first {
        verification
            .discrepancies
            .push("the days of the first payments that invoices say are not those of their payments".into());
    }
    Ok(())
}

/// Per invoice, debtors hold what is to be received and 1630 what is to be paid back; and over all invoices both accounts hold nothing
/// else.
fn check_open(walk: &Walk, sums: &Recomputed, verification: &mut Verification) {
    let mut all = Open::default();
    for (invoice, wanted) in &walk.wanted {
        all.add(*wanted);
        let booked = walk.booked.get(invoice).copied().unwrap_or_default();
        if booked != *wanted {
            let number = walk.names.get(invoice).map_or("?", String::as_str);
            verification.discrepancies.push(format!(
                "of invoice {number} {} is to be received and {} to be paid back, but {} and {} is booked",
                wanted.due, wanted.refund, booked.due, booked.refund
            ));
        }
    }
    let on = |code| -> Cents {
        let its = sums.months.iter().filter(|((_, _, account), _)| *account == code);
        its.map(|(_, (debit, credit))| *debit - *credit).sum()
    };
    let booked = Open { due: on(codes::RECEIVABLES), refund: -on(codes::OWED_TO_CUSTOMERS) };
    if booked != all {
        verification.discrepancies.push(format!(
            "on all invoices {} is to be received and {} to be paid back, but the accounts hold {} and {}",
            all.due, all.refund, booked.due, booked.refund
        ));
    }
}

fn check_series(
    tx: &mut Tx<'_>,
    account: i64,
    numbers: &BTreeMap<i16, i64>,
    verification: &mut Verification,
) -> Result<(), Error> {
    let stored: BTreeMap<i16, i64> = rows::series(tx, account)?.into_iter().map(|(year, _, last)| (year, last)).collect();
    for year in stored.keys().chain(numbers.keys().filter(|year| !stored.contains_key(year))) {
        let (kept, found) = (stored.get(year).copied().unwrap_or(0), numbers.get(year).copied().unwrap_or(0));
        if kept != found {
            verification.discrepancies.push(format!("the number series of {year} stands at {kept}, its invoices at {found}"));
        }
    }
    Ok(())
}
