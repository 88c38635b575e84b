//! Source documents of journal entries.

use super::events;
use crate::{Context, Error, vat_revisions::OF_SALES};
use ledger::{entry::SourceType, vat_period::VatPeriod};
use store::{Tx, events::StoredEvent, journal::StoredEntry, payments, vat_payments, write_offs};

/// Document or event that an entry was booked from; it identifies the page to link to.
#[derive(Debug, Clone)]
pub enum SourceDocument {
    /// Invoice or credit note; also the source of its payments, refunds and write-offs.
    Invoice(i64),
    /// Expense, or purchase of an asset; also the source of its payments.
    Expense(i64),
    /// An asset.
    Asset(i64),
    /// Trip, identified by the year of the list that contains it.
    Trip(i16),
    /// Payout by a payment provider, identified by the year of the list that contains it.
    Payout(i16),
    /// The VAT return of a period.
    VatReturn(VatPeriod),
    /// Revision of the VAT on assets for a year.
    VatRevision(i16),
    /// A payment of VAT.
    VatPayment(i64),
    /// Event or manual entry.
    Event(StoredEvent),
}

/// Returns the document or event that an entry was booked from; `None` if it no longer exists.
///
/// # Errors
/// The storage failed.
pub fn source_document(
    tx: &mut Tx<'_>,
    cx: &Context,
    stored: &StoredEntry,
) -> Result<Option<SourceDocument>, Error> {
    let (source, year, account) =
        (stored.entry.source(), stored.entry.date().year(), cx.actor.account);
    Ok(match source.kind {
        SourceType::Invoice | SourceType::CreditNote | SourceType::VatDue => {
            Some(SourceDocument::Invoice(source.id))
        }
        SourceType::Payment | SourceType::Refund => payments::by_id(tx, account, source.id)?
            .map(|payment| SourceDocument::Invoice(payment.invoice_id)),
        SourceType::WriteOff => write_offs::by_id(tx, account, source.id)?
            .map(|of| SourceDocument::Invoice(of.invoice_id)),
        SourceType::Expense => Some(SourceDocument::Expense(source.id)),
        SourceType::Asset => Some(SourceDocument::Asset(source.id)),
        SourceType::Mileage => Some(SourceDocument::Trip(year)),
        SourceType::Payout => Some(SourceDocument::Payout(year)),
        SourceType::VatFiling => VatPeriod::from_id(source.id).map(SourceDocument::VatReturn),
        SourceType::VatRevision if source.id >= OF_SALES => {
            Some(SourceDocument::Asset(source.id / OF_SALES))
        }
        SourceType::VatRevision => Some(SourceDocument::VatRevision(year)),
        SourceType::Manual if vat_payments::by_id(tx, account, source.id)?.is_some() => {
            Some(SourceDocument::VatPayment(source.id))
        }
        _ => events::event_of(tx, cx, stored)?.map(SourceDocument::Event),
    })
}
