//! PDF files of quotes. That of a sent quote is made once and kept, so that the customer decides on
//! a document that never changes.

use super::stored;
use crate::{
    Context, Error, context,
    document_snapshots::{Settings, language_for},
    invoice_documents::{self, Unmade},
    vat_schemes,
};
use documents::{
    invoice::{DocumentKind, Invoice, Seller, Version},
    pdf::Appearance,
};
use ledger::language::Language;
use store::{
    StoreError, Tx, books,
    customer_links::LinkState,
    documents::{self as document_rows, Format},
    quotes::{self as rows, Quote},
};

/// Result of a request for the PDF of a quote.
#[derive(Debug, Clone)]
pub enum AskedQuote {
    /// Bytes of a document that was rendered and stored before.
    Kept(Vec<u8>),
    /// The document has yet to be rendered.
    Unmade(Box<UnmadeQuote>),
}

/// Input for rendering the PDF of a quote.
#[derive(Debug, Clone)]
pub struct UnmadeQuote {
    document: Unmade,
    quote: i64,
    is_kept: bool,
}

/// Rendered PDF of a quote.
#[derive(Debug, Clone)]
pub struct MadeQuote {
    quote: i64,
    /// Whether the document must be stored, which applies to sent quotes.
    pub is_kept: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Returns the file name of the PDF of a quote.
#[must_use]
pub fn file_name(number: &str) -> String {
    invoice_documents::file_name(number, Format::Pdf)
}

/// Returns the number of a quote, and either its stored PDF or the input for rendering it.
///
/// # Errors
/// There is no such quote, or the account's documents have reached the quota of its plan.
pub fn ask(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(String, AskedQuote), Error> {
    let quote = stored(tx, cx, id)?;
    let number = quote.number.clone();
    let is_sent = quote.sent_at.is_some();
    if is_sent {
        if let Some(document) = rows::document(tx, cx.actor.account, id)? {
            return Ok((number, AskedQuote::Kept(document.bytes)));
        }
        invoice_documents::require_room(tx, cx)?;
    }
    let settings = settings_of(tx, cx, &quote)?;
    let logo = invoice_documents::logo_of(tx, cx.actor.account, &settings)?;
    let appearance = Appearance { logo, ..settings.appearance(settings.language()) };
    let invoice = model(super::details(cx, quote, &LinkState::default())?, &settings, is_sent);
    let document = Unmade::of_quote(invoice, appearance);
    let unmade = UnmadeQuote { document, quote: id, is_kept: is_sent };
    Ok((number, AskedQuote::Unmade(Box::new(unmade))))
}

/// Returns the input for rendering a quote that does not exist yet, marked as a draft and without a
/// number.
///
/// # Errors
/// The storage failed.
pub fn concept(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut details: super::QuoteDetails,
) -> Result<Unmade, Error> {
    let settings = settings_of(tx, cx, &details.quote)?;
    let logo = invoice_documents::logo_of(tx, cx.actor.account, &settings)?;
    let appearance = Appearance { logo, ..settings.appearance(settings.language()) };
    details.quote.number.clear();
    Ok(Unmade::of_quote(model(details, &settings, false), appearance))
}

/// Parts of a quote's document that do not come from the quote.
#[derive(Debug, Clone)]
pub struct Face {
    /// Seller.
    pub seller: Seller,
    /// Language of the document.
    pub language: Language,
    /// Whether the quote belongs to a test account.
    pub is_test: bool,
}

/// Returns the seller and the language of a quote's document.
///
/// # Errors
/// The settings with which the quote was sent cannot be read.
pub fn face(tx: &mut Tx<'_>, cx: &Context, quote: &Quote) -> Result<Face, Error> {
    let settings = settings_of(tx, cx, quote)?;
    Ok(Face {
        seller: settings.seller(),
        language: settings.language(),
        is_test: settings.is_test(),
    })
}

/// Returns the settings that the document of a quote shows: those with which it was sent, or the
/// current ones.
fn settings_of(tx: &mut Tx<'_>, cx: &Context, quote: &Quote) -> Result<Settings, Error> {
    let account = cx.actor.account;
    if let Some(hash) = &quote.settings {
        let text = document_rows::settings(tx, account, hash)?;
        let missing = || StoreError::Unreadable("sent quote without readable settings".into());
        return Ok(text.as_deref().and_then(Settings::parse).ok_or_else(missing)?);
    }
    let terms = books::terms(tx, account)?.ok_or(Error::NotFound("account"))?;
    let kor = vat_schemes::kor_shown(tx, account, quote.quote_date, None)?;
    let language = quote.language.unwrap_or_else(|| language_for(&quote.customer, &terms));
    Ok(Settings::of(&terms).under(kor).in_language(language))
}

/// Renders the PDF of a quote.
///
/// # Errors
/// The PDF violates the standards that it must meet, which is a bug.
pub fn make(unmade: &UnmadeQuote) -> Result<MadeQuote, Error> {
    let bytes = invoice_documents::make(&unmade.document)?.bytes(Format::Pdf)?;
    Ok(MadeQuote { quote: unmade.quote, is_kept: unmade.is_kept, bytes })
}

/// Stores the PDF of a sent quote, unless a concurrent request has stored it; returns the stored
/// bytes.
///
/// # Errors
/// The storage failed.
pub fn keep(tx: &mut Tx<'_>, cx: &Context, made: &MadeQuote) -> Result<Vec<u8>, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        if rows::document(tx, account, made.quote)?.is_none() {
            rows::insert_document(tx, account, made.quote, &made.bytes, cx.now())?;
        }
        Ok(())
    })?;
    let kept = rows::document(tx, cx.actor.account, made.quote)?;
    Ok(kept.map_or_else(|| made.bytes.clone(), |document| document.bytes))
}

/// Returns the read model of the document of a quote.
fn model(details: super::QuoteDetails, settings: &Settings, is_sent: bool) -> Invoice {
    let super::QuoteDetails { quote, shown, groups, .. } = details;
    let is_small_business = settings.is_small_business();
    Invoice {
        kind: DocumentKind::Quote,
        number: quote.number,
        version: if is_sent { Version::Sent } else { Version::Draft },
        test: settings.is_test(),
        language: settings.language(),
        issue_date: quote.quote_date,
        due_date: Some(quote.valid_until),
        supply: None,
        seller: settings.seller(),
        buyer: invoice_documents::buyer(quote.customer),
        reference: quote.reference,
        order_number: quote.particulars.order_number,
        buyer_reference: quote.particulars.buyer_reference,
        lines: invoice_documents::shown_lines(quote.content.lines, &shown.lines, is_small_business),
        prices_include_vat: quote.prices_include_vat,
        lines_total: shown.lines_total,
        discount: shown.discount,
        discount_percent: quote.particulars.discount.percent(),
        discount_description: quote.particulars.discount_description,
        vat: invoice_documents::shown_groups(&groups, &shown.discounts, is_small_business),
        subtotal: quote.subtotal,
        vat_total: quote.vat_total,
        total: quote.total,
        notes: quote.notes,
    }
}
