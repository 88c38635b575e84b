//! `/expenses/{id}`: an expense with its related records.

use crate::{form::Form, id::Id, page::Authenticated, texts::Phrase};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::amsterdam_today,
    entry::JournalEntry,
    money::Cents,
    purchase::{LineAmounts, PurchaseLine, VatTreatment},
};
use service::{
    Error,
    expenses::{self, Dossier, ExpenseWarning},
    payment_batches, receipts,
};
use store::{invoices::Origin, receipts::Receipt};
use web_core::{input::PAYING, problem::Problem};

#[derive(Template)]
#[template(path = "purchases/expense.html")]
struct View<'a> {
    page: &'a Authenticated,
    /// Payment form.
    form: Form,
    dossier: Dossier,
    receipts: Vec<Receipt>,
    /// VAT period of the expense.
    vat_period: String,
    today: Date,
    /// Code with which a banking app pays the bill, as an SVG image.
    code: Option<String>,
}

impl View<'_> {
    fn title(&self) -> String {
        let expense = &self.dossier.details.expense;
        let of = |text: &Option<String>| {
            text.as_deref().map(|text| text.lines().next().unwrap_or(text).to_owned())
        };
        of(&expense.description).or_else(|| of(&expense.supplier)).unwrap_or_default()
    }

    /// Position of a line, counted from 1.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn place(&self, line: &usize) -> usize {
        line + 1
    }

    fn is_undone(&self) -> bool {
        self.dossier.details.expense.undone_at.is_some()
    }

    fn is_bill(&self) -> bool {
        self.dossier.details.expense.paid_from.is_none() && !self.is_undone()
    }

    fn is_payable(&self) -> bool {
        !self.dossier.details.expense.amount_due().is_zero()
    }

    /// Whether the supplier is to be paid.
    fn is_to_pay(&self) -> bool {
        self.dossier.details.expense.amount_due() > Cents::ZERO
    }

    /// Whether the expense was unpaid when the books began, so that only its amount is recorded.
    fn is_opening_item(&self) -> bool {
        self.dossier.details.expense.is_opening_item()
    }

    fn is_from_api(&self) -> bool {
        self.dossier.details.expense.source == Origin::Api
    }

    fn warnings(&self) -> Vec<ExpenseWarning> {
        self.dossier.details.warnings(self.today)
    }

    /// Path of the form that converts the expense into an asset, if that is possible.
    fn asset_form(&self) -> Option<String> {
        let details = &self.dossier.details;
        details.asset_line().map(|_| format!("/assets/new?expense={}", details.expense.id))
    }

    /// Whether the expense is partly private.
    fn is_shared(&self) -> bool {
        self.dossier.details.expense.business_share.basis_points() < 10_000
    }

    fn words(&self, entry: &JournalEntry) -> String {
        entry.words(self.page.texts.language)
    }

    fn treatment(&self, line: &PurchaseLine) -> Phrase<'static> {
        let texts = self.page.texts;
        match line.treatment {
            VatTreatment::Normal => texts.t("treatment-normal"),
            VatTreatment::ReverseCharge => texts.t("treatment-reverse-charge"),
            VatTreatment::Eu => texts.t("treatment-eu"),
            VatTreatment::Import => texts.t("treatment-import"),
            VatTreatment::ImportVatPaid => texts.t("treatment-import-vat-paid"),
            VatTreatment::None => texts.t("treatment-none"),
        }
    }

    fn is_usual(&self, line: &PurchaseLine) -> bool {
        line.treatment == VatTreatment::Normal
    }

    /// Whether the line has VAT but none of it is deductible.
    fn is_lost(&self, of: &LineAmounts) -> bool {
        of.deductible.is_zero() && !of.vat.is_zero()
    }

    fn paid_from(&self) -> String {
        let (texts, expense) = (self.page.texts, &self.dossier.details.expense);
        match expense.paid_from {
            Some(account) => self.page.money_account(account),
            None if expense.undone_at.is_none() && expense.amount_due().is_zero() => {
                texts.t("expense-paid-later").to_string()
            }
            None => texts.t("expense-unpaid").to_string(),
        }
    }

    fn methods(&self) -> Vec<(String, String)> {
        self.page.money_accounts(PAYING)
    }

    fn day(&self, moment: &Timestamp) -> Date {
        amsterdam_today(*moment)
    }

    fn is_picture(&self, receipt: &Receipt) -> bool {
        receipt.media_type != "application/pdf"
    }
}

/// Renders the page of an expense with the submitted payment form, if any.
pub(super) async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut store::Tx<'_>| {
        let dossier = expenses::dossier(tx, &cx, id)?;
        let mut found = Vec::new();
        for (id, _) in &dossier.details.receipts {
            found.push(receipts::read(tx, &cx, *id)?);
        }
        let code = match payment_batches::code(tx, &cx, id) {
            Ok(code) => payment_batches::code_as_svg(&code),
            Err(Error::Bank(_)) => None,
            Err(other) => return Err(other),
        };
        Ok::<_, Error>((dossier, found, code))
    };
    let (dossier, receipts, code) = page.app.query(page.who.account.id, read).await?;
    let fresh = Form::of([
        ("submission", page.new_submission()?),
        ("date", today.to_string()),
        ("amount", page.texts.money_field(dossier.details.expense.amount_due())),
        ("method", "bank".to_owned()),
    ]);
    let form = match form {
        Some(form) if form.pairs().any(|(name, _)| name == "amount") => form,
        // The rejected form is not the payment form, so the page shows a new payment form.
        Some(refused) => refused.beside(fresh),
        None => fresh,
    };
    let vat_period = page.texts.vat_period(dossier.vat_period);
    page.show_as(status, &View { page, form, dossier, receipts, vat_period, today, code })
}

/// Renders the page of an expense again with a rejected form.
pub(super) async fn show_refused(
    page: &Authenticated,
    id: i64,
    form: Form,
) -> Result<Response, Problem> {
    let status = form.refused_status();
    show_with(page, id, Some(form), status).await
}

/// `GET /expenses/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, StatusCode::OK).await
}
