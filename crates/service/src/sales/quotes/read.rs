//! Queries for quotes.

use super::{QuoteDetails, details, shown};
use crate::{Context, Error, customer_links::LinkedKind, quote_invoices};
use jiff::{SignedDuration, civil::Date};
use ledger::{
    money::Cents,
    quote::{QuotePart, QuoteStatus},
};
use std::collections::HashMap;
use store::{
    Page, Tx, customer_links,
    invoices::Invoice,
    quotes::{self as rows, Quote, QuoteColumn, QuoteFilter},
};

/// Period for which the overview reports the decision of a customer.
const REPORTED: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Returns a quote by its id.
///
/// # Errors
/// There is no such quote in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<QuoteDetails, Error> {
    let quote = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("quote"))?;
    shown(tx, cx, quote)
}

/// Returns the quote with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<QuoteDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, external_id)? {
        Some(quote) => shown(tx, cx, quote).map(Some),
        None => Ok(None),
    }
}

/// Returns a page of quotes with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &QuoteFilter,
    before: i64,
    limit: i64,
) -> Result<Page<QuoteDetails>, Error> {
    let page = rows::list(tx, cx.actor.account, (filter, cx.today()), before, limit)?;
    let ids: Vec<i64> = page.rows.iter().map(|quote| quote.id).collect();
    let mut links = customer_links::of(tx, cx.actor.account, LinkedKind::Quote, &ids)?;
    let details_of = |quote: Quote| {
        let link = links.remove(&quote.id).unwrap_or_default();
        details(cx, quote, &link)
    };
    Ok(Page {
        rows: page.rows.into_iter().map(details_of).collect::<Result<_, Error>>()?,
        more: page.more,
    })
}

/// Page of the list of quotes.
#[derive(Debug, Clone)]
pub struct QuoteTable {
    /// Quotes on the page, without their lines.
    pub rows: Vec<Quote>,
    /// Number of the filtered quotes, and their sums excluding and including VAT.
    pub sums: (i64, Cents, Cents),
    /// Number of quotes per state, regardless of the filter.
    pub counts: HashMap<QuoteStatus, i64>,
    /// Current date, which decides what has expired.
    pub today: Date,
}

/// Returns a page of the list of quotes, with sums. `page` is the offset and the maximum number of
/// rows.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &QuoteFilter,
    order: (QuoteColumn, bool),
    page: (i64, i64),
) -> Result<QuoteTable, Error> {
    let (account, today) = (cx.actor.account, cx.today());
    Ok(QuoteTable {
        rows: rows::rows(tx, account, (filter, today), order, page)?,
        sums: rows::sums(tx, account, (filter, today))?,
        counts: rows::counts(tx, account, today)?,
        today,
    })
}

/// Returns the invoices of a quote that stand, oldest first: neither withdrawn nor credited in full.
///
/// # Errors
/// The storage failed.
pub fn standing_invoices(
    tx: &mut Tx<'_>,
    cx: &Context,
    quote: &Quote,
) -> Result<Vec<(Invoice, QuotePart)>, Error> {
    quote_invoices::standing(tx, cx.actor.account, quote)
}

/// Returns the id of the quote that replaces a quote, or is a draft to do so.
///
/// # Errors
/// The storage failed.
pub fn newer(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Option<i64>, Error> {
    let replacing = rows::replacing(tx, cx.actor.account, id)?;
    let stands = replacing.into_iter().filter(|(_, status)| *status != QuoteStatus::Withdrawn);
    Ok(stands.map(|(newer, _)| newer).next_back())
}

/// Returns at most `limit` quotes on which customers decided in the last two weeks, newest first:
/// accepted ones that are not invoiced, and refused ones.
///
/// # Errors
/// The storage failed.
pub fn decided(tx: &mut Tx<'_>, cx: &Context, limit: i64) -> Result<Vec<Quote>, Error> {
    Ok(rows::decided_since(tx, cx.actor.account, cx.clock() - REPORTED, limit)?)
}
