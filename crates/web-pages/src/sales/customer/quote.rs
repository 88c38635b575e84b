//! `/q/{token}`: the page on which a customer reads a quote and decides.

use super::{Linked, count_opening, nothing, price, with_headers};
use crate::{
    context::PageContext,
    form::Form,
    render::see_other,
    texts::{Phrase, Texts},
};
use askama::Template;
use axum::{
    body,
    extract::{Extension, Path, Request, State},
    http::{StatusCode, request::Parts},
    response::Response,
};
use data_encoding::HEXLOWER;
use ledger::{
    chain::Hash,
    decimal::Decimal,
    invoice::{Line, LineAmounts},
    quote::QuoteStatus,
};
use service::{
    Error, InvoiceError,
    customer_links::LinkedKind,
    invoice_documents::Seller,
    quotes::{self, Decision, Face, QuoteDetails, Shown},
};
use sha2::{Digest, Sha256};
use store::Tx;
use web_core::{
    AppState,
    address::ClientAddress,
    capacity::Asker,
    http::entity_tags,
    input::{self, customer_decision},
    problem::Problem,
};

/// Maximum size of the form in bytes.
const FORM_SIZE: usize = 64 * 1024;

#[derive(Template)]
#[template(path = "sales/customer-quote.html")]
struct View<'a> {
    page: &'a PageContext,
    form: &'a Form,
    token: &'a str,
    details: &'a QuoteDetails,
    seller: &'a Seller,
    is_test: bool,
    /// SHA-256 of the PDF, in hexadecimal digits.
    seen: String,
    /// Reason why the decision was not taken.
    refusal: Option<Phrase<'a>>,
}

impl View<'_> {
    fn title(&self) -> Phrase<'_> {
        self.page.t("quote-title").with("number", &self.details.quote.number)
    }

    fn is_open(&self) -> bool {
        self.details.status == QuoteStatus::Sent
    }

    fn is_accepted(&self) -> bool {
        matches!(self.details.status, QuoteStatus::Accepted | QuoteStatus::Invoiced)
    }

    fn is_refused(&self) -> bool {
        self.details.status == QuoteStatus::Refused
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let lines = self.details.quote.content.lines.iter().map(|(line, _)| line);
        lines.zip(&self.details.shown.lines)
    }

    fn price(&self, unit: &Decimal) -> String {
        price(self.page, unit)
    }
}

/// Quote that a link leads to.
struct Found {
    linked: Linked,
    details: QuoteDetails,
    face: Face,
}

impl Found {
    /// Whether the quote can no longer be read, because it expired or was withdrawn.
    fn is_over(&self) -> bool {
        matches!(self.details.status, QuoteStatus::Expired | QuoteStatus::Withdrawn)
    }

    /// Reads the quote again, after a decision was refused.
    async fn again(self) -> Result<Self, Problem> {
        let Linked { cx, id, page, .. } = &self.linked;
        let (asking, id) = (cx.clone(), *id);
        let details =
            page.app.query(cx.actor.account, move |tx| quotes::read(tx, &asking, id)).await?;
        Ok(Self { details, ..self })
    }
}

/// Looks up the quote of a link.
///
/// # Errors
/// As for [`super::find`].
async fn find(
    app: &AppState,
    parts: &Parts,
    address: ClientAddress,
    token: &str,
) -> Result<Result<Found, Response>, Problem> {
    let mut linked = match super::find(app, parts, address, LinkedKind::Quote, token).await? {
        Ok(linked) => linked,
        Err(response) => return Ok(Err(response)),
    };
    let (asking, id) = (linked.cx.clone(), linked.id);
    let read = move |tx: &mut Tx<'_>| {
        let details = quotes::read(tx, &asking, id)?;
        let face = quotes::face(tx, &asking, &details.quote)?;
        Ok((details, face))
    };
    let (details, face) = app.query(linked.cx.actor.account, read).await?;
    linked.page.texts = Texts { language: face.language };
    Ok(Ok(Found { linked, details, face }))
}

/// Page of a quote that expired or was withdrawn.
fn over(found: &Found) -> Result<Response, Problem> {
    let page = &found.linked.page;
    let (number, seller) = (&found.details.quote.number, &found.face.seller.name);
    let (title, text) = match found.details.status {
        QuoteStatus::Expired => (
            page.t("customer-expired-title").with("number", number),
            page.t("customer-expired-text").with("seller", seller),
        ),
        _ => (
            page.t("customer-withdrawn-title").with("number", number),
            page.t("customer-withdrawn-text").with("seller", seller),
        ),
    };
    nothing(page, StatusCode::CONFLICT, (title, text))
}

/// Number and PDF of a quote.
async fn document(found: &Found) -> Result<(String, Vec<u8>), Problem> {
    let Linked { cx, id, page, .. } = &found.linked;
    Ok(web_core::quotes::document(&page.app, cx.clone(), *id, Asker::Visitor).await?)
}

/// Shows a quote, with the faults of a form.
async fn show_with(
    found: &Found,
    token: &str,
    form: &Form,
    (status, refusal): (StatusCode, Option<Phrase<'_>>),
) -> Result<Response, Problem> {
    if found.is_over() {
        return over(found);
    }
    let page = &found.linked.page;
    let (_, bytes) = document(found).await?;
    let view = View {
        page,
        form,
        token,
        details: &found.details,
        seller: &found.face.seller,
        is_test: found.face.is_test,
        seen: HEXLOWER.encode(&Sha256::digest(&bytes)),
        refusal,
    };
    Ok(with_headers(page.show_as(status, &view)?))
}

/// `GET /q/{token}`
pub(super) async fn show(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    count_opening(&found.linked, &parts).await;
    show_with(&found, &token, &Form::default(), (StatusCode::OK, None)).await
}

/// `GET /q/{token}/pdf`
pub(super) async fn pdf(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    if found.is_over() {
        return over(&found);
    }
    let (number, bytes) = document(&found).await?;
    let name = quotes::file_name(&number);
    Ok(with_headers(entity_tags::file(&parts.headers, bytes, "application/pdf", &name)))
}

/// `POST /q/{token}`: `action=accept` or `action=refuse`, with the name of the person, a note and
/// the hash of the document that the page showed.
pub(super) async fn decide(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let found = match find(&app, &parts, address, &token).await? {
        Ok(found) => found,
        Err(response) => return Ok(response),
    };
    let bytes = body::to_bytes(body, FORM_SIZE).await.unwrap_or_default();
    let mut form = Form::read(&bytes).unwrap_or_default();
    if found.details.status != QuoteStatus::Sent {
        return refused(found, &token, &form).await;
    }
    let parsed = input::form(form.pairs(), found.linked.page.texts.language, customer_decision);
    let Some(given) = parsed.command else {
        form.take_faults(&parsed.faults, found.linked.page.texts);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return show_with(&found, &token, &form, (status, None)).await;
    };
    let decision = Decision {
        name: Some(given.name),
        note: given.note,
        shown: Some(Shown { sha256: hash_in(&given.seen) }),
        refused_step: None,
    };
    let (cx, id) = (found.linked.cx.clone(), found.linked.id);
    let decided = if given.accepts {
        web_core::quotes::accept(&app, &cx, id, &decision).await
    } else {
        app.execute(cx.actor.account, move |tx| quotes::refuse(tx, &cx, id, &decision)).await
    };
    app.wake_outbox();
    match decided {
        Ok(_) => Ok(with_headers(see_other(&format!("/q/{token}")))),
        Err(Error::Changed | Error::Invoice(InvoiceError::QuoteNotOpen(_))) => {
            refused(found.again().await?, &token, &form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Page after a decision that came too late, or on another document.
async fn refused(found: Found, token: &str, form: &Form) -> Result<Response, Problem> {
    let page = found.linked.page.clone();
    let text = match found.details.status {
        QuoteStatus::Sent => page.t("customer-changed"),
        _ => page.t("customer-too-late"),
    };
    show_with(&found, token, form, (StatusCode::CONFLICT, Some(text))).await
}

/// Hash in hexadecimal digits; an unreadable one becomes that of no document.
fn hash_in(digits: &str) -> Hash {
    let bytes = HEXLOWER.decode(digits.as_bytes()).ok();
    bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_and_read() {
        let hash: Hash = Sha256::digest(b"a quote").into();
        assert_eq!(hash_in(&HEXLOWER.encode(&hash)), hash);
        for other in ["", "00", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(hash_in(other), Hash::default(), "{other}");
        }
    }
}
