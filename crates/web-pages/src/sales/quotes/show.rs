//! `/quotes/{id}`: a quote with its state, its customer's page and its invoices.

use crate::{
    context::PageContext,
    form::Form,
    id::Id,
    page::Authenticated,
    sales::{in_cents, link, warnings},
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use ledger::{
    decimal::Decimal,
    invoice::{Line, LineAmounts},
    quote::{DecidedBy, QuoteAction, QuotePart, QuoteStatus},
};
use service::{
    customer_links::{LinkDetails, LinkedKind},
    quotes::{self, QuoteDetails},
};
use store::{Tx, invoices::Invoice, outbox::Mail};
use web_core::{capacity::Asker, http::entity_tags, problem::Problem};

#[derive(Template)]
#[template(path = "sales/quote.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: QuoteDetails,
    link: Option<LinkDetails>,
    invoices: Vec<(Invoice, QuotePart)>,
    mails: Vec<Mail>,
    /// Quote that replaces this one, or was made to do so.
    newer: Option<i64>,
    /// Warnings about a draft.
    warnings: Vec<warnings::Shown>,
    /// Whether the quote was not sent because of a warning that the page had not shown.
    has_new_warnings: bool,
}

/// Badge of a state: its tone and its text.
pub(super) fn state_of(page: &PageContext, status: QuoteStatus) -> (&'static str, Phrase<'static>) {
    let texts = page.texts;
    match status {
        QuoteStatus::Draft => ("draft", texts.t("quote-state-draft")),
        QuoteStatus::Sent => ("", texts.t("quote-state-sent")),
        QuoteStatus::Accepted => ("good", texts.t("quote-state-accepted")),
        QuoteStatus::Refused => ("bad", texts.t("quote-state-refused")),
        QuoteStatus::Expired => ("warn", texts.t("quote-state-expired")),
        QuoteStatus::Invoiced => ("good", texts.t("quote-state-invoiced")),
        QuoteStatus::Withdrawn => ("plain", texts.t("quote-state-withdrawn")),
    }
}

impl View<'_> {
    fn title(&self) -> Phrase<'_> {
        self.page.t("quote-title").with("number", &self.details.quote.number)
    }

    fn state(&self) -> (&'static str, Phrase<'static>) {
        state_of(self.page, self.details.status)
    }

    /// Whether the state allows a command.
    fn can(&self, action: QuoteAction) -> bool {
        self.details.status.after(action, !self.invoices.is_empty()).is_some()
    }

    fn can_edit(&self) -> bool {
        self.can(QuoteAction::Edit)
    }

    /// Value of the hidden field with the codes of the warnings.
    fn seen(&self) -> String {
        warnings::seen("", &self.warnings)
    }

    fn can_send(&self) -> bool {
        self.can(QuoteAction::Send)
    }

    fn can_decide(&self) -> bool {
        self.can(QuoteAction::Accept)
    }

    fn can_withdraw(&self) -> bool {
        self.can(QuoteAction::Withdraw)
    }

    fn can_reopen(&self) -> bool {
        self.can(QuoteAction::Reopen)
    }

    fn can_revise(&self) -> bool {
        self.can(QuoteAction::Revise) && self.newer.is_none()
    }

    fn can_invoice(&self) -> bool {
        self.can(QuoteAction::Invoice)
    }

    fn has_prepayment(&self) -> bool {
        self.invoices.iter().any(|(_, part)| *part == QuotePart::Prepayment)
    }

    fn is_by_customer(&self) -> bool {
        self.details.quote.decided_by == Some(DecidedBy::Customer)
    }

    /// Parts of the quote to choose from for an invoice.
    fn parts(&self) -> Vec<(&'static str, Phrase<'static>)> {
        let texts = self.page.texts;
        let first = if self.has_prepayment() {
            ("final", texts.t("quote-part-final"))
        } else {
            ("whole", texts.t("quote-part-whole"))
        };
        vec![first, ("prepayment", texts.t("quote-part-prepayment"))]
    }

    fn part(&self, part: &QuotePart) -> Phrase<'static> {
        match part {
            QuotePart::All => self.page.texts.t("quote-part-whole"),
            QuotePart::Prepayment => self.page.texts.t("quote-part-prepayment"),
            QuotePart::Final => self.page.texts.t("quote-part-final"),
        }
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let lines = self.details.quote.content.lines.iter().map(|(line, _)| line);
        lines.zip(&self.details.shown.lines)
    }

    fn price(&self, price: &Decimal) -> String {
        in_cents(price).map_or_else(
            || self.page.texts.number(price.normalize()),
            |cents| self.page.texts.money(cents),
        )
    }
}

/// Shows the page of a quote, with the faults of a form on it.
pub(super) async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = quotes::read(tx, &cx, id)?;
        let link = link::find(tx, &cx, LinkedKind::Quote, id)?;
        let invoices = quotes::standing_invoices(tx, &cx, &details.quote)?;
        let mails = quotes::of_quote(tx, &cx, id)?;
        Ok((details, link, invoices, mails, quotes::newer(tx, &cx, id)?))
    };
    let (details, link, invoices, mails, newer) = page.app.query(page.who.account.id, read).await?;
    let warnings = warnings::of_stored_quote(page, id).await?;
    let has_new_warnings = status == StatusCode::CONFLICT && form.is_outdated();
    let view =
        View { page, form, details, link, invoices, mails, newer, warnings, has_new_warnings };
    page.show_as(status, &view)
}

/// `GET /quotes/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    show_with(&page, id, form, StatusCode::OK).await
}

/// `GET /quotes/{id}/pdf`
pub(super) async fn pdf(
    page: Authenticated,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (number, bytes) =
        web_core::quotes::document(&page.app, page.context(), id, Asker::Visitor).await?;
    Ok(entity_tags::file(&headers, bytes, "application/pdf", &quotes::file_name(&number)))
}
