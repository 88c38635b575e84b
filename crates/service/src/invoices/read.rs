//! Invoices and credit notes as they are.

use super::{InvoiceView, source};
use crate::{Actor, Error};
use ledger::{
    invoice::{self, Line, VatGroup},
    money::Cents,
};
use std::collections::HashMap;
use store::{
    Tx,
    invoices::{self as rows, Invoice, InvoiceFilter, Kind},
    journal,
};

/// An invoice or credit note by its id.
///
/// # Errors
/// There is no such invoice in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<InvoiceView, Error> {
    let invoice = rows::by_id(tx, actor.account, id)?.ok_or(Error::NotFound("invoice"))?;
    let lines = rows::lines(tx, actor.account, id)?;
    let entry_ids = journal::ids_by_source(tx, actor.account, source(&invoice))?;
    let groups = groups(tx, actor, &invoice, &lines)?;
    Ok(InvoiceView { invoice, lines, groups, entry_ids })
}

/// Refuses what does not exist.
pub(crate) fn require(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<(), Error> {
    rows::by_id(tx, actor.account, id)?.map(drop).ok_or(Error::NotFound("invoice"))
}

/// Invoices and credit notes, newest first, those with an id below `before`.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &InvoiceFilter, before: i64, limit: i64) -> Result<Vec<InvoiceView>, Error> {
    let found = rows::list(tx, actor.account, filter, before, limit)?;
    let ids: Vec<i64> = found.iter().map(|invoice| invoice.id).collect();
    let mut lines: HashMap<i64, Vec<(Line, Cents)>> = HashMap::new();
    let mut entries: HashMap<i64, Vec<i64>> = HashMap::new();
    for (invoice, line, amount) in rows::lines_of(tx, actor.account, &ids)? {
        lines.entry(invoice).or_default().push((line, amount));
    }
    for (invoice, entry) in journal::ids_by_invoices(tx, actor.account, &ids)? {
        entries.entry(invoice).or_default().push(entry);
    }
    let view = |invoice: Invoice| {
        let lines = lines.remove(&invoice.id).unwrap_or_default();
        let groups = groups(tx, actor, &invoice, &lines)?;
        Ok(InvoiceView { entry_ids: entries.remove(&invoice.id).unwrap_or_default(), invoice, lines, groups })
    };
    found.into_iter().map(view).collect()
}

/// The VAT per rate and category follows from the lines; it is computed, not stored twice. Only what a closing credit note differs
/// by is stored.
fn groups(tx: &mut Tx<'_>, actor: &Actor, invoice: &Invoice, lines: &[(Line, Cents)]) -> Result<Vec<VatGroup>, Error> {
    let plain: Vec<Line> = lines.iter().map(|(line, _)| line.clone()).collect();
    let broken = |error| Error::Broken(format!("invoice {} does not add up: {error}", invoice.number));
    let Some(credited) = invoice.credited_invoice_id else {
        return Ok(invoice::price(&plain, invoice.invoice_date).map_err(broken)?.groups);
    };
    let credited = rows::by_id(tx, actor.account, credited)?.ok_or(Error::NotFound("invoice"))?;
    let mut priced = invoice::price_credit_note(&plain, credited.invoice_date).map_err(broken)?;
    for correction in rows::vat_corrections(tx, actor.account, invoice.id)? {
        priced.correct_vat(correction.rate, correction.category, correction.by);
    }
    Ok(priced.groups)
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, actor: &Actor, kind: Kind, external_id: Option<&str>) -> Result<Option<InvoiceView>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::id_by_external_id(tx, actor.account, kind, external_id)? {
        Some(id) => read(tx, actor, id).map(Some),
        None => Ok(None),
    }
}
