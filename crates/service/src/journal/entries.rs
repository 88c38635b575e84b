//! Journal entries, read.

use crate::{Context, Error};
use ledger::{
    calendar::Quarter,
    entry::{Source, SourceType},
};
use store::{
    Page, Tx,
    events::StoredEvent,
    filings,
    journal::{self, EntryFilter, StoredEntry},
    payments, vat_payments, write_offs,
};

/// A page of the entries of a period, by date and id.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &EntryFilter) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::in_period(tx, cx.actor.account, filter)?)
}

/// The same of events and entries by hand whose description has a text in it.
///
/// # Errors
/// The storage failed.
pub fn search(tx: &mut Tx<'_>, cx: &Context, filter: &EntryFilter, text: Option<&str>) -> Result<Page<StoredEntry>, Error> {
    Ok(journal::of_events_in_period(tx, cx.actor.account, filter, text)?)
}

/// The document or event that an entry was booked from, by which its page is found.
#[derive(Debug, Clone)]
pub enum SourceDocument {
    /// An invoice or credit note, or a payment, refund or write-off of it.
    Invoice(i64),
    /// An expense, the asset that it bought if it did, or a payment of it.
    Expense(i64),
    /// An asset.
    Asset(i64),
    /// A trip, in that year.
    Trip(i16),
    /// A payout of a provider, in that year.
    Payout(i16),
    /// The return of a quarter.
    VatReturn(Quarter),
    /// A payment of VAT.
    VatPayment(i64),
    /// An event, or an entry by hand.
    Event(StoredEvent),
}

/// The document or event that an entry was booked from; nothing where that is lost.
///
/// # Errors
/// The storage failed.
pub fn source_document(tx: &mut Tx<'_>, cx: &Context, stored: &StoredEntry) -> Result<Option<SourceDocument>, Error> {
    let (source, year, account) = (stored.entry.source(), stored.entry.date().year(), cx.actor.account);
    Ok(match source.kind {
        SourceType::Invoice | SourceType::CreditNote => Some(SourceDocument::Invoice(source.id)),
        SourceType::Payment | SourceType::Refund => {
            payments::by_id(tx, account, source.id)?.map(|payment| SourceDocument::Invoice(payment.invoice_id))
        }
        SourceType::WriteOff => write_offs::by_id(tx, account, source.id)?.map(|of| SourceDocument::Invoice(of.invoice_id)),
        SourceType::Expense => Some(SourceDocument::Expense(source.id)),
        SourceType::Asset => Some(SourceDocument::Asset(source.id)),
        SourceType::Mileage => Some(SourceDocument::Trip(year)),
        SourceType::Payout => Some(SourceDocument::Payout(year)),
        SourceType::VatFiling => filings::quarter_of(source.id).map(SourceDocument::VatReturn),
        SourceType::Manual if vat_payments::by_id(tx, account, source.id)?.is_some() => {
            Some(SourceDocument::VatPayment(source.id))
        }
        _ => super::events::event_of(tx, cx, stored)?.map(SourceDocument::Event),
    })
}

/// The last entry of a document or event: what was booked of it just now.
///
/// # Errors
/// The storage failed.
pub fn last_of(tx: &mut Tx<'_>, cx: &Context, kind: SourceType, id: i64) -> Result<Option<i64>, Error> {
    Ok(journal::ids_by_source(tx, cx.actor.account, Source { kind, id })?.pop())
}

/// An entry by its id.
///
/// # Errors
/// There is no such entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("entry"))
}
