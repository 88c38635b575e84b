//! Links of the customers' pages. A token follows from the server's secret; only its hash is stored.

use super::require;
use crate::{Context, Error, InvoiceError, context};
use jiff::Timestamp;
use ledger::chain::Hash;
use sha2::{Digest, Sha256};
use store::{
    Tx,
    quotes::{self as rows, QuoteLink},
};

/// Link of a customer's page, as shown to the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkDetails {
    /// Address; `None` if the link is withdrawn.
    pub url: Option<String>,
    /// Time at which somebody other than the owner first opened the page.
    pub opened_at: Option<Timestamp>,
    /// Time at which somebody other than the owner last opened the page.
    pub last_opened_at: Option<Timestamp>,
    /// Number of these times.
    pub open_count: i64,
    /// Time at which the owner withdrew the link.
    pub withdrawn_at: Option<Timestamp>,
}

/// Returns the SHA-256 by which the link with a token is looked up.
pub(super) fn hash(token: &str) -> Hash {
    Sha256::digest(token).into()
}

/// Returns the address of a page, unless its link is withdrawn or made with another secret.
pub(super) fn address(cx: &Context, link: Option<&QuoteLink>) -> Option<String> {
    let link = link.filter(|link| link.withdrawn_at.is_none())?;
    let links = cx.env.links.as_ref()?;
    let token = links.token(cx.actor.account, link.quote_id, link.number);
    (hash(&token) == link.hash).then(|| links.quote(&token))
}

/// Makes the link of a quote; one that was made before ends. The books are locked.
pub(super) fn make(tx: &mut Tx<'_>, cx: &Context, quote: i64) -> Result<(), Error> {
    let Some(links) = &cx.env.links else { return Ok(()) };
    let account = cx.actor.account;
    let before = rows::links(tx, account, &[quote])?.remove(&quote);
    let number = before.map_or(1, |link| link.number + 1);
    let link = QuoteLink {
        hash: hash(&links.token(account, quote, number)),
        quote_id: quote,
        number,
        created_at: cx.now(),
        withdrawn_at: None,
        opened_at: None,
        last_opened_at: None,
        open_count: 0,
    };
    Ok(rows::put_link(tx, account, &link)?)
}

/// Returns the link of a quote.
///
/// # Errors
/// There is no such quote, or it was never sent.
pub fn link(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LinkDetails, Error> {
    require(tx, cx, id)?;
    let link = rows::links(tx, cx.actor.account, &[id])?.remove(&id);
    let link = link.ok_or(Error::NotFound("link"))?;
    Ok(LinkDetails {
        url: address(cx, Some(&link)),
        opened_at: link.opened_at,
        last_opened_at: link.last_opened_at,
        open_count: link.open_count,
        withdrawn_at: link.withdrawn_at,
    })
}

/// Makes a new link of a quote that was sent; the old one ends.
///
/// # Errors
/// There is no such quote, it was never sent, or the server makes no links.
pub fn renew_link(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LinkDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let quote = super::stored(tx, cx, id)?;
        if quote.sent_at.is_none() {
            return Err(InvoiceError::QuoteNotOpen(quote.status).into());
        }
        make(tx, cx, id)?;
        rows::touch(tx, id);
        link(tx, cx, id)
    })
}

/// Withdraws the link of a quote; withdrawing it again changes nothing.
///
/// # Errors
/// There is no such quote, or it was never sent.
pub fn withdraw_link(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LinkDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        require(tx, cx, id)?;
        let link_row = rows::links(tx, cx.actor.account, &[id])?.remove(&id);
        let link_row = link_row.ok_or(Error::NotFound("link"))?;
        if link_row.withdrawn_at.is_none() {
            let withdrawn = QuoteLink { withdrawn_at: Some(cx.now()), ..link_row };
            rows::put_link(tx, cx.actor.account, &withdrawn)?;
            rows::touch(tx, id);
        }
        link(tx, cx, id)
    })
}
