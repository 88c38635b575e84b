//! `/i/{token}`: the page on which a customer reads an invoice or a credit note, sees what is still
//! to be paid, and downloads the documents.

use super::{Linked, count_opening, find, missing, price, with_headers};
use crate::{
    context::PageContext,
    frame::iban::grouped,
    texts::{Phrase, Texts},
};
use askama::Template;
use axum::{
    extract::{Extension, Path, Request, State},
    response::Response,
};
use jiff::civil::Date;
use ledger::{
    calendar::amsterdam_today,
    decimal::Decimal,
    identifiers::{Bic, Iban},
    invoice::{Line, LineAmounts},
    money::Cents,
};
use service::{
    Error, InvoiceError,
    customer_links::LinkedKind,
    invoice_documents::{self, Face},
    invoices::{self, Dossier, InvoiceDetails},
};
use store::{
    Tx,
    documents::Format,
    invoices::{Invoice, InvoiceKind, Status},
    payments::Payment,
};
use web_core::{AppState, address::ClientAddress, capacity::Asker, documents, problem::Problem};

#[derive(Template)]
#[template(path = "sales/customer-invoice.html")]
struct View<'a> {
    page: &'a PageContext,
    token: &'a str,
    dossier: &'a Dossier,
    face: &'a Face,
    /// QR code of a payment of what is due, as SVG.
    code: Option<String>,
    today: Date,
}

impl View<'_> {
    fn invoice(&self) -> &Invoice {
        &self.dossier.details.invoice
    }

    fn is_credit_note(&self) -> bool {
        self.invoice().kind == InvoiceKind::CreditNote
    }

    fn title(&self) -> Phrase<'_> {
        let number = &self.invoice().number;
        if self.is_credit_note() {
            self.page.t("credit-note-title").with("number", number)
        } else {
            self.page.t("invoice-title").with("number", number)
        }
    }

    /// Badge of the state, for the customer: its tone and its text.
    fn state(&self) -> Option<(&'static str, Phrase<'static>)> {
        let (texts, invoice, details) = (self.page.texts, self.invoice(), &self.dossier.details);
        if self.is_credit_note() {
            return None;
        }
        let is_late = invoice.due_date < self.today;
        Some(match (details.amount_due(), details.amount_to_refund()) {
            (Cents::ZERO, Cents::ZERO) if !invoice.amount_written_off.is_zero() => {
                ("plain", texts.t("customer-state-closed"))
            }
            (Cents::ZERO, Cents::ZERO)
                if !invoice.total.is_zero() && invoice.amount_credited == invoice.total =>
            {
                ("plain", texts.t("customer-state-credited"))
            }
            (Cents::ZERO, Cents::ZERO) => ("good", texts.t("customer-state-paid")),
            (Cents::ZERO, _) => ("", texts.t("customer-state-refund")),
            _ if is_late => ("warn", texts.t("customer-state-late")),
            _ if invoice.amount_paid > Cents::ZERO => ("", texts.t("customer-state-partly")),
            _ => ("", texts.t("customer-state-open")),
        })
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let details = &self.dossier.details;
        details.lines.iter().map(|(line, _)| line).zip(&details.shown.lines)
    }

    fn price(&self, unit: &Decimal) -> String {
        price(self.page, unit)
    }

    fn iban(&self, iban: &Iban) -> String {
        grouped(iban.as_str())
    }

    /// BIC of the seller's bank, for a customer abroad.
    fn bic(&self) -> Option<&Bic> {
        let is_abroad = !self.invoice().customer.country.is_dutch();
        self.face.seller.bic.as_ref().filter(|_| is_abroad)
    }

    fn account_holder(&self) -> &str {
        let seller = &self.face.seller;
        seller.account_holder.as_deref().unwrap_or(&seller.name)
    }

    /// Sentences that the law requires.
    fn legal(&self) -> Vec<String> {
        self.face.sentences(self.page.texts.language)
    }

    fn sent_on(&self) -> Option<Date> {
        self.face.sent_at.map(amsterdam_today)
    }

    /// Payments that count, oldest first.
    fn payments(&self) -> impl Iterator<Item = &Payment> {
        self.dossier.payments.iter().filter(|payment| payment.undone_at.is_none())
    }

    /// Credit notes that were sent, oldest first.
    fn credit_notes(&self) -> impl Iterator<Item = &InvoiceDetails> {
        self.dossier.credit_notes.iter().filter(|note| note.invoice.status == Status::Sent)
    }

    fn has_e_invoice(&self) -> bool {
        self.face.not_expressible.is_empty()
    }
}

/// `GET /i/{token}`
pub(super) async fn show(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let mut linked = match find(&app, &parts, address, LinkedKind::Invoice, &token).await? {
        Ok(linked) => linked,
        Err(response) => return Ok(response),
    };
    count_opening(&linked, &parts).await;
    let (cx, id) = (linked.cx.clone(), linked.id);
    let read = move |tx: &mut Tx<'_>| {
        let dossier = invoices::dossier(tx, &cx, id)?;
        let face = invoice_documents::face(tx, &cx, &dossier.details, dossier.credited.as_ref())?;
        Ok((dossier, face))
    };
    let (dossier, face) = app.query(linked.cx.actor.account, read).await?;
    linked.page.texts = Texts { language: face.language };
    let view = View {
        page: &linked.page,
        token: &token,
        code: invoice_documents::payment_code(&face, &dossier.details.invoice),
        dossier: &dossier,
        face: &face,
        today: linked.cx.today(),
    };
    Ok(with_headers(linked.page.show(&view)?))
}

/// `GET /i/{token}/pdf`
pub(super) async fn pdf(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    document(&app, address, &token, request, Format::Pdf).await
}

/// `GET /i/{token}/ubl`
pub(super) async fn ubl(
    State(app): State<AppState>,
    Extension(address): Extension<ClientAddress>,
    Path(token): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    document(&app, address, &token, request, Format::Ubl).await
}

async fn document(
    app: &AppState,
    address: ClientAddress,
    token: &str,
    request: Request,
    format: Format,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let linked = match find(app, &parts, address, LinkedKind::Invoice, token).await? {
        Ok(linked) => linked,
        Err(response) => return Ok(response),
    };
    let Linked { cx, id, page, .. } = linked;
    let asking = cx.clone();
    let ask = move |tx: &mut Tx<'_>| invoice_documents::ask(tx, &asking, id, format, None);
    let (number, asked) = app.query(cx.actor.account, ask).await?;
    let bytes = match documents::bytes(app, cx.clone(), asked, format, Asker::Visitor).await {
        Err(Error::Invoice(InvoiceError::NotExpressible(_))) => return missing(&page),
        bytes => bytes?,
    };
    let kept = (number, invoice_documents::Asked::Kept(bytes));
    Ok(with_headers(documents::answer(app, cx, kept, format, &parts.headers).await?))
}
