//! Queries for invoices and credit notes.

use super::{InvoiceDetails, VatDue, details, source, url};
use crate::{
    Context, Error,
    customer_links::{self, LinkedKind},
};
use jiff::civil::Date;
use ledger::{
    cash_accounting::{Cause, Change, Kind},
    credit_note,
    invoice::{self, Line, Priced, VatGroup},
    money::Cents,
};
use std::collections::{BTreeMap, HashMap};
use store::{
    Page, Tx, cash_accounting, invoice_lines,
    invoices::{self as rows, Invoice, InvoiceFilter, InvoiceKind},
    journal, vat_corrections,
};

/// Returns an invoice or credit note by its id.
///
/// # Errors
/// There is no such invoice in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<InvoiceDetails, Error> {
    let invoice = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("invoice"))?;
    let lines = rows::lines(tx, cx.actor.account, id)?;
    let entry_ids = journal::ids_by_source(tx, cx.actor.account, source(&invoice))?;
    let priced = priced(tx, cx, &invoice, &lines)?;
    let mut details = details(tx, cx, invoice, lines, priced, entry_ids)?;
    if details.has_vat_when_paid() {
        let changes = cash_accounting::of_invoice(tx, cx.actor.account, id)?;
        details.vat_due = vat_due(&changes);
    }
    if details.public_url.is_some() {
        let link = customer_links::state(tx, cx, LinkedKind::Invoice, id)?;
        details.public_url = url(cx, &details.invoice, &link);
    }
    Ok(details)
}

/// Sums up the changes that made VAT due by day and payment, in order of date.
fn vat_due<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Vec<VatDue> {
    let mut sums: BTreeMap<(Date, Option<i64>), (Cents, Cents)> = BTreeMap::new();
    for change in changes.into_iter().filter(|change| change.kind == Kind::Due) {
        let payment_id = match change.cause {
            Cause::Payment(id) => Some(id),
            Cause::WriteOff(_) | Cause::Invoice => None,
        };
        let sum = sums.entry((change.date, payment_id)).or_default();
        sum.0 += change.base;
        sum.1 += change.vat;
    }
    let nonzero = sums.into_iter().filter(|(_, (base, vat))| !base.is_zero() || !vat.is_zero());
    nonzero
        .map(|((date, payment_id), (base, vat))| VatDue { date, payment_id, base, vat })
        .collect()
}

/// Announces that documents will be [`read`] one after the other; see [`Tx::prefetch`].
pub(crate) fn prefetch(tx: &mut Tx<'_>, account: i64, invoices: &[Invoice]) {
    tx.prefetch(|tx| {
        for invoice in invoices {
            // Prefetching only collects the queries; there are no rows yet.
            drop(rows::by_id(tx, account, invoice.id));
            drop(rows::lines(tx, account, invoice.id));
            drop(journal::ids_by_source(tx, account, source(invoice)));
        }
    });
}

/// Returns the remainder of an invoice after its credit notes, per rate and category.
pub(crate) fn remaining_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    credited: &InvoiceDetails,
) -> Result<Vec<VatGroup>, Error> {
    let mut credited_groups = Vec::new();
    for id in rows::credit_notes_of(tx, cx.actor.account, credited.invoice.id)? {
        credited_groups.extend(read(tx, cx, id)?.groups);
    }
    if let Some(known) = &credited.brought_forward {
        return Ok(known.remaining(&credited_groups));
    }
    Ok(credit_note::remaining_of(&credited.groups, &credited_groups))
}

/// Returns an error if an invoice does not exist.
///
/// # Errors
/// There is no such invoice in this account.
pub fn require(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    rows::by_id(tx, cx.actor.account, id)?.map(drop).ok_or(Error::NotFound("invoice"))
}

/// Returns a page of invoices and credit notes with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &InvoiceFilter,
    before: i64,
    limit: i64,
) -> Result<Page<InvoiceDetails>, Error> {
    let mut page = Page::of(rows::list(tx, cx.actor.account, filter, before, limit + 1)?, limit);
    let ids: Vec<i64> = page.rows.iter().map(|invoice| invoice.id).collect();
    let (mut lines, fitting) = invoice_lines::lines_of(tx, cx.actor.account, &ids)?;
    page.shorten(fitting);
    let ids = &ids[..fitting];
    let mut entries: HashMap<i64, Vec<i64>> = HashMap::new();
    for (invoice, entry) in journal::ids_by_invoices(tx, cx.actor.account, ids)? {
        entries.entry(invoice).or_default().push(entry);
    }
    let under_cash: Vec<i64> = page
        .rows
        .iter()
        .filter(|invoice| invoice.is_due_when_paid())
        .map(|invoice| invoice.id)
        .collect();
    let mut due: HashMap<i64, Vec<Change>> = HashMap::new();
    for (invoice, change) in cash_accounting::of_invoices(tx, cx.actor.account, &under_cash)? {
        due.entry(invoice).or_default().push(change);
    }
    let mut links = store::customer_links::of(tx, cx.actor.account, LinkedKind::Invoice, ids)?;
    let details_of = |invoice: Invoice| {
        let (id, lines) = (invoice.id, lines.remove(&invoice.id).unwrap_or_default());
        let priced = priced(tx, cx, &invoice, &lines)?;
        let entry_ids = entries.remove(&id).unwrap_or_default();
        let mut details = details(tx, cx, invoice, lines, priced, entry_ids)?;
        details.vat_due = vat_due(due.get(&id).into_iter().flatten());
        let link = links.remove(&id).unwrap_or_default();
        details.public_url = url(cx, &details.invoice, &link);
        Ok(details)
    };
    Ok(Page {
        rows: page.rows.into_iter().map(details_of).collect::<Result<_, Error>>()?,
        more: page.more,
    })
}

/// Prices a document from its lines. The VAT per rate and category is computed rather than stored;
/// only the corrections of a credit note are stored.
pub(crate) fn priced(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: &Invoice,
    lines: &[(Line, Cents)],
) -> Result<Priced, Error> {
    let lines: Vec<Line> = lines.iter().map(|(line, _)| line.clone()).collect();
    let inconsistent =
        |error| Error::Internal(format!("invoice {} does not add up: {error}", invoice.number));
    let Some(credited) = invoice.credited_invoice_id else {
        let discount = invoice.particulars.discount;
        return invoice::price_less(discount, &lines, invoice.rates_on(), invoice.prices())
            .map_err(inconsistent);
    };
    let credited =
        rows::by_id(tx, cx.actor.account, credited)?.ok_or(Error::NotFound("invoice"))?;
    let corrections = vat_corrections::of(tx, cx.actor.account, invoice.id)?;
    credit_note::price_again(&lines, credited.rates_on(), invoice.prices(), &corrections)
        .map_err(inconsistent)
}

/// Returns the invoice or credit note with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: InvoiceKind,
    external_id: Option<&str>,
) -> Result<Option<InvoiceDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::id_by_external_id(tx, cx.actor.account, kind, external_id)? {
        Some(id) => read(tx, cx, id).map(Some),
        None => Ok(None),
    }
}
