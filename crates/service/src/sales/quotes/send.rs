//! Sending quotes: from then on a quote never changes, and its customer has a link.

use super::{QuoteDetails, after, shown, stored};
use crate::{
    Context, Error, context,
    document_snapshots::{Settings, language_for},
    vat_schemes,
};
use ledger::{
    chain::Hash,
    language::Language,
    quote::{QuoteAction, QuoteStatus},
};
use sha2::{Digest, Sha256};
use store::{
    Tx,
    books::Books,
    changes::Topic,
    documents,
    quotes::{self as rows, Quote},
};

/// Records that a draft quote was sent in another way than by mail.
///
/// # Errors
/// There is no such quote, or it is not a draft.
pub fn mark_sent(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<QuoteDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let quote = stored(tx, cx, id)?;
        let status = after(cx, &quote, QuoteAction::Send)?;
        if quote.status == status {
            return Err(crate::InvoiceError::QuoteNotOpen(status).into());
        }
        let sent = finalize(tx, books, cx, quote, None)?;
        shown(tx, cx, sent)
    })
}

/// Makes a quote final: stores the settings that its document shows, and withdraws the quote that it
/// replaces.
pub(super) fn finalize(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    quote: Quote,
    language: Option<Language>,
) -> Result<Quote, Error> {
    let account = cx.actor.account;
    let usual = || language_for(&quote.customer, books.terms());
    let language = language.or(quote.language).unwrap_or_else(usual);
    let kor = vat_schemes::kor_of(tx, books, quote.quote_date, None)?;
    let text = Settings::of(books.terms()).under(kor).in_language(language).to_text();
    let settings: Hash = Sha256::digest(&text).into();
    documents::insert_settings(tx, account, &settings, &text)?;
    let sent = Quote {
        status: QuoteStatus::Sent,
        language: Some(language),
        settings: Some(settings),
        sent_at: Some(cx.now()),
        updated_at: cx.now(),
        ..quote
    };
    rows::update(tx, account, &sent, Some(Topic::Sent))?;
    if let Some(replaced) = sent.replaces_id {
        withdraw_replaced(tx, cx, replaced)?;
    }
    Ok(sent)
}

/// Withdraws the quote that another one replaces, if the customer could still decide on it.
fn withdraw_replaced(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    let replaced = stored(tx, cx, id)?;
    let Ok(status) = after(cx, &replaced, QuoteAction::Withdraw) else { return Ok(()) };
    let replaced = Quote { status, updated_at: cx.now(), ..replaced };
    Ok(rows::update(tx, cx.actor.account, &replaced, None)?)
}
