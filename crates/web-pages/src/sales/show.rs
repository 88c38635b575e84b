//! `/invoices/{id}`: the document as the customer receives it, with its outstanding amount and
//! history.

use super::{SellerData, form::version, in_cents, link, status, warnings};
use crate::{
    form::Form,
    frame::list::Pager,
    html::Html,
    id::Id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::{Phrase, Texts},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    calendar::amsterdam_today,
    decimal::Decimal,
    entry::{JournalEntry, SourceType},
    hours::Hours,
    invoice::{Line, LineAmounts},
    money::Cents,
    reminder::ReminderKind,
    vat::VatCategory,
};
use service::{
    customer_links::{LinkDetails, LinkedKind},
    invoice_documents::{self, Cause, Face, Seller},
    invoices::{self, Dossier, InvoiceDetails, Warning},
    invoicing, messages,
    reminders::{self, InvoiceReminders},
};
use store::{
    invoices::{InvoiceKind, Origin, Status},
    outbox::{self, Mail},
};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "sales/invoice.html")]
struct View<'a> {
    page: &'a Authenticated,
    /// Payment form.
    form: Form,
    dossier: Dossier,
    /// Details of the seller as printed on the document.
    face: Face,
    state: status::State,
    messages: Vec<Mail>,
    /// Reminders of a sent invoice.
    reminders: Option<InvoiceReminders>,
    /// VAT period of the invoice.
    vat_period: String,
    today: Date,
    /// Pager of the invoice's lines.
    lines: Pager,
    /// Whether an action was rejected because the invoice has changed.
    has_changed: bool,
    /// Hours linked to a draft in excess of the quantities on its lines.
    hours_without_line: Hours,
    /// Link of the customer's page.
    link: Option<LinkDetails>,
}

/// Number of lines per page on the website; the customer's document contains all lines.
const LINES: usize = 200;

/// Pager for `total` lines, at the page selected by `?page=`.
fn lines_on(page: &Authenticated, id: i64, total: usize) -> Pager {
    let pages = total.div_ceil(LINES).max(1);
    let number =
        page.query("page").and_then(|number| number.parse().ok()).unwrap_or(1).clamp(1, pages);
    let address = |number: usize| format!("/invoices/{id}?page={number}");
    Pager {
        first: ((number - 1) * LINES + 1).min(total),
        last: (number * LINES).min(total),
        total,
        previous: (number > 1).then(|| address(number - 1)),
        next: (number < pages).then(|| address(number + 1)),
    }
}

impl View<'_> {
    fn has_hours_without_line(&self) -> bool {
        self.hours_without_line > Hours::new(0)
    }

    /// Version of the invoice as shown, checked when a button is pressed.
    fn version(&self) -> String {
        version(&self.dossier.details)
    }

    /// Lines on the current page, each with its amounts.
    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let (details, Pager { first, last, .. }) = (&self.dossier.details, &self.lines);
        let all = details.lines.iter().map(|(line, _)| line).zip(&details.shown.lines);
        all.take(*last).skip(first.saturating_sub(1))
    }

    fn seller(&self) -> &Seller {
        &self.face.seller
    }

    fn is_draft(&self) -> bool {
        self.dossier.details.invoice.status == Status::Draft
    }

    fn is_credit_note(&self) -> bool {
        self.dossier.details.invoice.kind == InvoiceKind::CreditNote
    }

    fn is_cancelled(&self) -> bool {
        self.dossier.details.invoice.status == Status::Cancelled
    }

    /// Whether the customer's VAT number for the ICP declaration can be given or changed.
    fn takes_vat_number(&self) -> bool {
        let is_eu = |line: &Line| line.vat_category == VatCategory::IntraCommunity;
        self.is_sent_invoice() && self.dossier.details.lines.iter().any(|(line, _)| is_eu(line))
    }

    /// Customer's VAT number for the ICP declaration; empty if unknown.
    fn icp_vat_number(&self) -> &str {
        let invoice = &self.dossier.details.invoice;
        let number = invoice.icp_vat_number.as_ref().or(invoice.customer.vat_number.as_ref());
        number.map_or("", String::as_str)
    }

    /// Whether the document is a sent invoice, which can have payments.
    fn is_sent_invoice(&self) -> bool {
        self.dossier.details.invoice.status == Status::Sent && !self.is_credit_note()
    }

    /// Whether an amount must be repaid; the payment form then records a repayment.
    fn is_refundable(&self) -> bool {
        self.dossier.details.amount_to_refund() > Cents::ZERO
    }

    /// Whether the payment form is shown: a sent invoice has an amount to receive or repay, or a
    /// written-off amount that may still be received.
    fn takes_payments(&self) -> bool {
        let details = &self.dossier.details;
        let is_open = self.is_payable()
            || self.is_refundable()
            || !details.invoice.amount_written_off.is_zero();
        self.is_sent_invoice() && is_open
    }

    fn can_be_written_off(&self) -> bool {
        self.is_payable()
    }

    /// Whether to offer keeping a surplus: after a rejected amount, or if it is already chosen.
    fn offers_surplus(&self) -> bool {
        self.form.fault("amount").is_some() || self.form.has("overpayment", "keep")
    }

    /// Whether to ask for the invoice date of a draft: the draft's date has passed, or the
    /// submitted date was rejected.
    fn asks_for_day(&self) -> bool {
        let is_earlier = self.dossier.details.invoice.invoice_date < self.today;
        self.is_draft() && (is_earlier || self.form.fault(INVOICE_DATE).is_some())
    }

    /// Whether to ask for the date of supply when a draft is sent, because the draft has none.
    fn asks_for_supply(&self) -> bool {
        self.dossier.details.invoice.supply_date.is_none()
    }

    fn is_payable(&self) -> bool {
        self.is_sent_invoice() && self.dossier.details.amount_due() > Cents::ZERO
    }

    /// Whether VAT on a payment received before the invoice still has to be moved.
    fn has_vat_to_move(&self) -> bool {
        self.dossier.details.invoice.vat_waiting > 0
    }

    /// Whether the invoice was open when the books began, so that it has no lines of its own.
    fn is_opening_item(&self) -> bool {
        self.dossier.details.invoice.is_opening_item()
    }

    /// Whether a recurring invoice can be made from the invoice.
    fn can_recur(&self) -> bool {
        !self.is_credit_note() && !self.is_opening_item()
    }

    /// Whether there is a document for the customer.
    fn has_document(&self) -> bool {
        !self.is_cancelled() && !self.is_opening_item()
    }

    fn is_creditable(&self) -> bool {
        let invoice = &self.dossier.details.invoice;
        let details = &self.dossier.details;
        // An invoice with a total of zero can be credited once.
        let is_covered = details.is_covered() && self.dossier.credit_notes.is_empty();
        self.is_sent_invoice()
            && (details.creditable_total() > invoice.amount_credited || is_covered)
            && invoice.amount_written_off.is_zero()
    }

    fn is_from_api(&self) -> bool {
        self.dossier.details.invoice.source == Origin::Api
    }

    /// Delivery status of an email.
    fn message(&self, mail: &Mail) -> String {
        let (texts, to, cause) =
            (self.page.texts, &mail.recipient, mail.cause.as_deref().unwrap_or_default());
        let what = match mail.kind {
            outbox::MessageKind::Reminder => format!("{} · ", texts.t("message-reminder")),
            outbox::MessageKind::Copy => format!("{} · ", texts.t("message-copy")),
            outbox::MessageKind::Invoice
            | outbox::MessageKind::Quote
            | outbox::MessageKind::Account => String::new(),
        };
        let state = match mail.state {
            outbox::State::Sent => texts.t("message-sent").with("to", to),
            outbox::State::Failed => texts.t("message-failed").with("to", to).with("cause", cause),
            outbox::State::Queued if cause.is_empty() => texts.t("message-queued").with("to", to),
            outbox::State::Queued => texts.t("message-again").with("to", to).with("cause", cause),
        };
        format!("{what}{state}")
    }

    /// Whether a reminder can be sent to the customer.
    fn is_remindable(&self) -> bool {
        self.is_payable() && self.is_late()
    }

    /// Reminders of an invoice of which something is due.
    fn reminders(&self) -> Option<&InvoiceReminders> {
        self.reminders.as_ref().filter(|_| self.is_payable())
    }

    /// Cause for which the reminders are stopped.
    fn stop_cause(&self, reminders: &InvoiceReminders) -> Option<Phrase<'static>> {
        reminders.stopped_because.map(|cause| super::reminder_texts::cause(self.page.texts, cause))
    }

    /// Name of a kind of reminder.
    fn reminder_kind(&self, kind: &ReminderKind) -> Phrase<'static> {
        super::reminder_texts::kind(self.page.texts, *kind)
    }

    fn is_late(&self) -> bool {
        self.state.tone == "bad"
    }

    fn title(&self) -> Phrase<'_> {
        let number = &self.dossier.details.invoice.number;
        let texts = self.page.texts;
        if self.is_credit_note() {
            texts.t("credit-note-title").with("number", number)
        } else {
            texts.t("invoice-title").with("number", number)
        }
    }

    /// Unit price without VAT of a line priced with VAT, which invoices to businesses must show.
    fn net_price(&self, line: &Line) -> Option<Html> {
        self.dossier.details.net_price(line).map(|price| self.price(&price))
    }

    /// Price per unit in euros, formatted as an amount if it is exact to the cent.
    fn price(&self, price: &Decimal) -> Html {
        in_cents(price).map_or_else(|| self.page.number(price), |amount| self.page.money(amount))
    }

    fn words(&self, entry: &JournalEntry) -> String {
        entry.words(self.page.texts.language)
    }

    fn methods(&self) -> Vec<(String, String)> {
        self.page.money_accounts(MoneyAccount::ALL)
    }

    /// Times of edits: of each new booking of the document, and of the last change to a draft. If
    /// an edit also sent the draft, its time is omitted, because the history shows the sending.
    fn edits(&self) -> Vec<Timestamp> {
        let invoice = &self.dossier.details.invoice;
        // Excludes entries of the invoice's payments.
        let is_own = |entry: &JournalEntry| {
            matches!(entry.source().kind, SourceType::Invoice | SourceType::CreditNote)
        };
        let own = self
            .dossier
            .entries
            .iter()
            .filter(|stored| is_own(&stored.entry) && stored.entry.reverses().is_none());
        let own = own.filter(|_| !self.is_opening_item());
        let mut edits: Vec<Timestamp> = own.map(|stored| stored.created_at).collect();
        if self.is_draft() {
            edits.push(invoice.updated_at);
        }
        edits.retain(|moment| *moment > invoice.created_at && Some(*moment) != self.face.sent_at);
        edits.sort_unstable();
        edits.dedup();
        edits
    }

    fn day(&self, moment: &Timestamp) -> Date {
        amsterdam_today(*moment)
    }

    /// Legally required statements about the VAT on the lines.
    fn legal(&self) -> Vec<String> {
        self.face.sentences(self.page.texts.language)
    }

    /// Warnings about an invoice that is legal but incomplete or suspicious.
    fn warnings(&self) -> Vec<warnings::Shown> {
        warnings::of(self.page, &self.dossier.details)
    }

    /// Value of the hidden field with the version and the codes of the warnings as shown.
    fn seen(&self) -> String {
        warnings::seen(&self.version(), &self.warnings())
    }

    /// Characters that the PDF prints as □; empty if the invoice has no warning about them.
    fn unprintable(&self) -> String {
        let details = &self.dossier.details;
        let is_warned = details.warnings().contains(&Warning::GlyphsMissing);
        let missing = if is_warned { details.missing_glyphs() } else { Vec::new() };
        invoices::unprintable(missing.iter().map(|missing| missing.characters.as_str()))
    }

    /// Details of the seller that the document lacks; a sent document is judged as printed.
    fn missing(&self) -> Vec<Phrase<'static>> {
        if !self.has_document() {
            return Vec::new();
        }
        let seller = self.seller();
        let known = SellerData {
            address: seller.address.complete().is_some(),
            kvk_number: seller.kvk_number.is_some(),
            vat_number: seller.vat_number.is_some(),
            // A credit note is not paid, so it needs no IBAN.
            iban: seller.iban.is_some() || self.is_credit_note(),
        };
        known.missing(self.page.texts)
    }

    /// Whether there is an e-invoice for the document.
    fn has_e_invoice(&self) -> bool {
        self.has_document() && self.face.not_expressible.is_empty()
    }

    /// Details that an e-invoice lacks. Lines that an e-invoice cannot express cause a warning
    /// instead.
    fn missing_for_e_invoice(&self) -> Vec<Phrase<'static>> {
        let causes = if self.has_document() { &self.face.not_expressible[..] } else { &[] };
        missing_for_e_invoice(self.page.texts, causes)
    }

    /// Ids of the prepayment invoices that the invoice sets off.
    fn prepayments(&self) -> Vec<i64> {
        self.dossier.details.prepayment_invoice_ids()
    }
}

/// Names of the details whose absence prevents an e-invoice.
pub(super) fn missing_for_e_invoice(texts: Texts, causes: &[Cause]) -> Vec<Phrase<'static>> {
    let named = |cause: &Cause| match cause {
        Cause::SellerAddressMissing => Some(texts.t("invoice-missing-address")),
        Cause::SellerKvkMissing => Some(texts.t("invoice-missing-kvk")),
        Cause::SellerVatNumberMissing => Some(texts.t("invoice-missing-vat-number")),
        Cause::BuyerVatNumberMissing => Some(texts.t("invoice-missing-customer-vat-number")),
        Cause::Draft | Cause::MixesOutOfScope => None,
    };
    causes.iter().filter_map(named).collect()
}

/// Amount proposed in the payment form: the amount due, else the amount to repay as a negative,
/// else the written-off amount.
fn proposed(details: &InvoiceDetails) -> Cents {
    match (details.amount_due(), details.amount_to_refund()) {
        (Cents::ZERO, Cents::ZERO) => details.invoice.amount_written_off,
        (Cents::ZERO, refund) => -refund,
        (due, _) => due,
    }
}

/// Name of the form field for the invoice date with which a draft is sent.
const INVOICE_DATE: &str = "invoiceDate";
/// Name of the form field for whether all invoices of the customer get the VAT number.
const SAME_CUSTOMER: &str = "sameCustomer";
/// Fields of the forms on the page other than the payment form.
const OTHER_FIELDS: [&str; 3] = [INVOICE_DATE, SUPPLY_DATE, "vatNumber"];
/// Name of the form field for the date of supply of a draft without one.
const SUPPLY_DATE: &str = "supplyDate";

/// Returns the form of the page: a new payment form, or the rejected form with its faults.
fn form_for(
    page: &Authenticated,
    details: &InvoiceDetails,
    has_other_days: bool,
    refused: Option<Form>,
) -> Result<Form, Problem> {
    let today = page.context().today();
    let fresh = || -> Result<Form, Problem> {
        // The draft's date is proposed as the date of supply, unless the draft invoices hours
        // worked on other days.
        let day = details.invoice.invoice_date;
        let supplied = if has_other_days { String::new() } else { day.to_string() };
        Ok(Form::of([
            (SUBMISSION, page.new_submission()?),
            ("date", today.to_string()),
            ("amount", page.texts.money_field(proposed(details))),
            ("method", "bank".to_owned()),
            (INVOICE_DATE, today.to_string()),
            (SUPPLY_DATE, supplied),
        ]))
    };
    Ok(match refused {
        Some(form) if form.pairs().any(|(name, _)| name == "amount") => form,
        // The rejected form is not the payment form, so the page shows a new payment form.
        Some(refused) => {
            match OTHER_FIELDS.into_iter().find(|field| refused.fault(field).is_some()) {
                Some(field) => {
                    let wrong = refused.fault(field).unwrap_or_default().to_owned();
                    let mut form = fresh()?.with(field, refused.raw(field)).refused(field, wrong);
                    for other in [SAME_CUSTOMER, SUPPLY_DATE] {
                        if refused.pairs().any(|(name, _)| name == other) {
                            form = form.with(other, refused.raw(other));
                        }
                    }
                    form
                }
                None => refused.beside(fresh()?),
            }
        }
        None => fresh()?,
    })
}

/// Renders the page of an invoice with the submitted payment form, if any.
pub(super) async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut store::Tx<'_>| {
        let dossier = invoices::dossier(tx, &cx, id)?;
        let face = invoice_documents::face(tx, &cx, &dossier.details, dossier.credited.as_ref())?;
        let is_draft = dossier.details.invoice.status == Status::Draft;
        let hours_without_line = if is_draft {
            invoicing::without_line(tx, &cx, &dossier.details)?
        } else {
            Hours::new(0)
        };
        let has_other_days = is_draft && invoicing::has_other_days(tx, &cx, &dossier.details)?;
        let mails = messages::of_invoice(tx, &cx, id)?;
        let link = link::find(tx, &cx, LinkedKind::Invoice, id)?;
        let is_sent = invoices::require_sent(&dossier.details.invoice).is_ok();
        let reminders = if is_sent { Some(reminders::of_invoice(tx, &cx, id)?) } else { None };
        Ok((dossier, face, mails, reminders, hours_without_line, has_other_days, link))
    };
    let (dossier, face, messages, reminders, hours_without_line, has_other_days, link) =
        page.app.query(page.who.account.id, read).await?;
    let has_changed = form.as_ref().is_some_and(Form::is_outdated);
    let form = form_for(page, &dossier.details, has_other_days, form)?;
    let state = status::of(page, &dossier.details.invoice, today);
    let vat_period = page.texts.vat_period(dossier.vat_period);
    let lines = lines_on(page, id, dossier.details.lines.len());
    page.show_as(
        status,
        &View {
            page,
            form,
            dossier,
            face,
            state,
            messages,
            reminders,
            vat_period,
            today,
            lines,
            has_changed,
            hours_without_line,
            link,
        },
    )
}

/// Renders the page of an invoice again with a rejected form.
pub(super) async fn show_refused(
    page: &Authenticated,
    id: i64,
    form: Form,
) -> Result<Response, Problem> {
    let status = form.refused_status();
    show_with(page, id, Some(form), status).await
}

/// `GET /invoices/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, StatusCode::OK).await
}
