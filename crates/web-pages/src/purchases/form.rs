//! `/expenses/new` and `/expenses/{id}/edit`: the form for an expense, next to its receipt.

use super::{
    lines::{self, LINES},
    receipts::{Kept, existing, keep_files},
    usual_vat::{self, Filled},
};
use crate::{
    done::Done,
    form::Form,
    frame::lines::{Line, is_reshaping},
    html::{Html, Rich},
    id::Id,
    labels,
    page::{Authenticated, see_other},
    submit::{Difference, SUBMISSION, VERSION},
    texts::{self, Phrase},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    calendar::amsterdam_today,
    money::Cents,
    purchase::{Deduction, PricedPurchase},
};
use service::{
    Context, Created, contact_edits,
    expenses::{self, CountsIn, ExpenseDetails, ExpenseWarning, Prospect, Supplier},
    vat_schemes,
};
use std::collections::BTreeMap;
use store::{contacts::Contact, receipts::Receipt};
use web_core::{
    input::{self, UnfinishedExpense, edited_expense, new_expense, unfinished_expense},
    problem::Problem,
};

/// Path of the form for a new expense.
const NEW: &str = "/expenses/new";

/// Maximum number of lines that each have their own list of categories.
const MOST_WITH_CHOICES: usize = 12;

#[derive(Template)]
#[template(path = "purchases/expense-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Expense being edited.
    edited: Option<i64>,
    differences: Vec<Difference>,
    contacts: Vec<Contact>,
    receipts: Vec<Receipt>,
    lines: Vec<Line>,
    /// Amounts of the lines that could be parsed, by line number.
    amounts: BTreeMap<usize, Cents>,
    priced: Option<PricedPurchase>,
    /// Preview of the expense's effect on the books, once an amount is filled in.
    prospect: Option<Prospect>,
    rates: Vec<(String, String)>,
    categories: Vec<(String, String)>,
    /// Whether the small businesses scheme (KOR) applies on the date of the expense.
    has_kor: bool,
}

impl View<'_> {
    /// Whether the form has so many lines that they share one list of categories.
    fn is_long(&self) -> bool {
        self.lines.len() > MOST_WITH_CHOICES
    }

    /// Whether the request only updates the totals while the user types.
    fn is_live(&self) -> bool {
        self.form.has("live", "true")
    }

    /// Amount of a line, if the line could be parsed.
    fn amount(&self, line: &Line) -> Option<Html> {
        self.amounts.get(&line.number).map(|amount| self.page.money(amount))
    }

    /// Whether to expand the less common fields of a line.
    fn is_unusual(&self, line: &Line) -> bool {
        let (treatment, vat) = (line.field("vatTreatment"), line.field("vat"));
        !matches!(self.form.value(&treatment), "" | "normal")
            || self.form.fault(&treatment).is_some()
            || self.form.is_given(&vat)
    }

    fn action(&self) -> String {
        self.edited.map_or("/expenses".to_owned(), |id| format!("/expenses/{id}"))
    }

    /// Path of the page with the form.
    fn shown_at(&self) -> String {
        self.edited.map_or(NEW.to_owned(), |id| format!("/expenses/{id}/edit"))
    }

    /// Value of a field as displayed, such as the name of a choice.
    fn said(&self, field: &str, value: &str) -> String {
        let named = |choices: &[(&str, Phrase<'static>)]| {
            choices.iter().find(|(choice, _)| *choice == value).map(|(_, name)| name.to_string())
        };
        let listed = |choices: &[(String, String)]| {
            choices.iter().find(|(choice, _)| choice == value).map(|(_, name)| name.clone())
        };
        let found = match field.rsplit('.').next().unwrap_or(field) {
            _ if value.is_empty() => None,
            "category" => listed(&self.categories),
            "vatRate" => listed(&self.rates),
            "vatTreatment" => named(&self.page.vat_treatments()),
            "paidFrom" => listed(&self.page.expense_sources(value)),
            "contactId" => self
                .contacts
                .iter()
                .find(|contact| contact.id.to_string() == value)
                .map(|contact| contact.party.name.clone()),
            "date" | "dueDate" => i18n::read_date(value).ok().map(|day| self.page.texts.date(day)),
            _ => None,
        };
        found.unwrap_or_else(|| value.to_owned())
    }

    /// Position of a line, counted from 1.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn place(&self, line: &usize) -> usize {
        line + 1
    }

    fn warnings(&self) -> &[ExpenseWarning] {
        self.prospect.as_ref().map_or(&[], |prospect| prospect.warnings.as_slice())
    }

    /// Whether to offer booking the expense as a correction: the return for its period has been
    /// filed, or the form was rejected for that reason.
    fn offers_correction(&self) -> bool {
        let counts_in = self.prospect.as_ref().map(|prospect| prospect.counts_in);
        self.form.offers_correction() || matches!(counts_in, Some(CountsIn::Correction { .. }))
    }

    /// Text about the return in which the VAT is deducted.
    fn deducts(&self, priced: &PricedPurchase) -> Option<Rich<'static>> {
        let (page, vat) = (self.page, self.page.money(priced.deductible));
        let name = |period| Html::escaped(&page.texts.vat_period(period));
        Some(match self.prospect.as_ref()?.counts_in {
            CountsIn::Own(_) if priced.deductible.is_zero() => return None,
            CountsIn::Own(period) => {
                page.rich("expense-deducts").with("period", name(period)).with("vat", vat)
            }
            CountsIn::Correction { filed, carried_by } if self.edited.is_some() => page
                .rich("expense-deducts-edited")
                .with("filed", name(filed))
                .with("period", name(carried_by)),
            CountsIn::Correction { filed, carried_by } if self.form.has("correction", "true") => {
                let (filed, period) = (name(filed), name(carried_by));
                page.rich("expense-deducts-correction")
                    .with("filed", filed)
                    .with("period", period)
                    .with("vat", vat)
            }
            CountsIn::Correction { filed, carried_by } => page
                .rich("expense-deducts-filed")
                .with("filed", name(filed))
                .with("period", name(carried_by))
                .with("vat", vat),
            CountsIn::TooLarge(filed) => {
                page.rich("expense-deducts-too-large").with("filed", name(filed))
            }
            CountsIn::NoReturn => return None,
        })
    }

    /// Whether to expand the fields of a bill.
    fn is_bill(&self) -> bool {
        let fields = ["dueDate", "payTo.name", "payTo.iban", "payTo.bic", "payTo.reference"];
        self.form.has("paidFrom", "unpaid")
            || fields
                .into_iter()
                .any(|field| self.form.is_given(field) || self.form.fault(field).is_some())
    }

    fn private_part(&self, priced: &PricedPurchase) -> bool {
        priced.share.basis_points() < 10_000
    }
}

/// Reads the data that the form shows in addition to its input.
async fn beside(
    page: &Authenticated,
    form: &Form,
    expense: &UnfinishedExpense,
) -> Result<(Vec<Contact>, Vec<Receipt>, Deduction), Problem> {
    let cx = page.context();
    let (ids, chosen, day) = (receipt_ids(form), expense.supplier.contact_id, expense.date);
    let read = move |tx: &mut store::Tx<'_>| {
        let contacts = contact_edits::offered(tx, &cx, chosen)?;
        Ok((contacts, existing(tx, &cx, &ids)?, vat_schemes::deduction_on(tx, &cx, day)?))
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// Reads the preview of the expense's effect on the books.
async fn prospect(
    page: &Authenticated,
    (day, supplier): (Date, Supplier),
    priced: PricedPurchase,
    edited: Option<i64>,
) -> Result<Prospect, Problem> {
    let cx = page.context();
    let question = move |tx: &mut store::Tx<'_>| {
        expenses::prospect(tx, &cx, (day, &supplier), &priced, edited)
    };
    Ok(page.app.query(page.who.account.id, question).await?)
}

/// Receipts referenced by a form.
pub(super) fn receipt_ids(form: &Form) -> Vec<i64> {
    form.value("receiptIds").split(',').filter_map(|id| id.trim().parse().ok()).take(20).collect()
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    edited: Option<i64>,
    status: StatusCode,
    now: Option<&Form>,
) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let read = usual_vat::as_read(form);
    let expense =
        input::unfinished(read, page.texts.language, |fields| unfinished_expense(fields, today));
    let (contacts, receipts, deduction) = beside(page, form, &expense).await?;
    let categories = page.expense_categories(form);
    let reckoning = lines::reckon(page.own_accounts(), &expense, deduction);
    let prospect = match reckoning.priced.clone() {
        Some(priced) => {
            Some(prospect(page, (expense.date, expense.supplier), priced, edited).await?)
        }
        None => None,
    };
    let mut view = View {
        page,
        form,
        edited,
        differences: Vec::new(),
        contacts,
        receipts,
        lines: LINES.of(form),
        amounts: reckoning.amounts,
        priced: reckoning.priced,
        prospect,
        rates: texts::vat_rates(page.texts, expense.date),
        categories,
        has_kor: deduction == Deduction::Never,
    };
    if let Some(now) = now {
        let said = |value, field| view.said(field, value);
        let differences: Vec<Difference> = form
            .differences(now)
            .into_iter()
            .map(|(field, typed, now)| (field.to_owned(), said(typed, field), said(now, field)))
            .collect();
        let borrowed = differences
            .iter()
            .map(|(field, typed, now)| (field.as_str(), typed.as_str(), now.as_str()))
            .collect();
        view.differences = page.labelled(borrowed, labels::EXPENSE);
    }
    page.show_as(status, &view)
}

/// `GET /expenses/new`; `?receiptId=` selects an unassigned receipt.
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("date".to_owned(), today.to_string()),
        ("contactId".to_owned(), page.query("contactId").unwrap_or_default()),
        ("paidFrom".to_owned(), "bank".to_owned()),
        ("businessShare".to_owned(), "100".to_owned()),
        ("receiptIds".to_owned(), page.query("receiptId").unwrap_or_default()),
    ];
    pairs.extend(LINES.blank(0));
    let form = open(&page, NEW, Form::of(pairs)).await?;
    show_with(&page, &form, None, StatusCode::OK, None).await
}

/// Gives untouched lines the usual VAT rate of their category on the date of the expense.
fn with_usual_rates(page: &Authenticated, form: &Form) -> Filled {
    let today = amsterdam_today(page.app.now());
    let on = i18n::read_date(form.value("date")).unwrap_or(today);
    let lines = LINES.of(form).into_iter();
    let begins = |line: Line| format!("{}.{}", LINES.list, line.number);
    usual_vat::fill(form, lines.map(|line| (begins(line), on)))
}

/// Form with which the page at `path` opens. It asks for the file that an unfinished form had.
async fn open(page: &Authenticated, path: &str, fresh: Form) -> Result<Form, Problem> {
    let form = LINES.opened(page.open(path, fresh).await?);
    let mut form = with_usual_rates(page, &form).marked();
    page.ask_for_missing_file(&mut form, "receipt");
    Ok(form)
}

/// Arranges the lines, gives them their usual VAT rates, and stores the submitted files, so that
/// nothing is lost if the form is rejected. Returns the form, and whether it can be booked: its files
/// were stored, and its rates are those that were shown.
async fn prepare(page: &Authenticated, form: Form, action: &str) -> Result<(Form, bool), Problem> {
    let Kept { ids, faults, .. } = keep_files(page, &form, "receipt").await?;
    let mut all = receipt_ids(&form);
    all.extend(ids);
    all.dedup();
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    let arranged = LINES.arrange(&form, action).with("receiptIds", all.join(","));
    let (mut arranged, is_as_shown) = if form.has("live", "true") {
        // The script has changed the rates already, and takes over the totals alone.
        (arranged, true)
    } else if is_reshaping(action) {
        (with_usual_rates(page, &arranged).marked(), true)
    } else {
        with_usual_rates(page, &arranged).checked(page)
    };
    arranged.take_faults(&faults, page.texts);
    let is_asked = page.ask_for_missing_file(&mut arranged, "receipt");
    Ok((arranged, faults.is_empty() && !is_asked && is_as_shown))
}

/// `POST /expenses`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let (form, is_complete) = prepare(&page, form, &action).await?;
    if is_reshaping(&action) {
        return show_with(&page, &form, None, StatusCode::OK, None).await;
    }
    let mut parsed = input::form(usual_vat::as_read(&form), page.texts.language, new_expense);
    parsed.command = parsed.command.filter(|_| is_complete);
    let run = |tx: &mut store::Tx<'_>, cx: &Context, command: &expenses::NewExpense| {
        let made = expenses::record(tx, cx, command)?;
        Ok(match made {
            Created::New(made) => {
                let (id, total) = (made.expense.id, made.expense.total);
                let undo = Some(format!("/expenses/{id}/undo"));
                let entry = made.entry_ids.last().copied();
                let done = Done {
                    code: "expense-recorded".into(),
                    amount: Some(total),
                    entry,
                    undo,
                    ..Done::default()
                };
                done.at(&format!("/expenses/{id}"))
            }
            Created::Existing(known) => format!("/expenses/{}", known.expense.id),
        })
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, &form, None, status, None).await
    })
    .await
}

/// Receipts of an expense, as the form encodes them.
pub(super) fn receipts_of(details: &ExpenseDetails) -> String {
    let ids: Vec<String> = details.receipts.iter().map(|(id, _)| id.to_string()).collect();
    ids.join(",")
}

/// Adds the receipts that were attached to the expense after the form was opened: saving the form
/// must not remove a file added in another window.
fn with_receipts_of(form: Form, details: &ExpenseDetails) -> Form {
    let mut ids = receipt_ids(&form);
    for (id, _) in &details.receipts {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    form.with("receiptIds", ids.join(","))
}

/// Form filled from an expense.
fn fill(page: &Authenticated, details: &ExpenseDetails) -> Form {
    let (expense, texts) = (&details.expense, page.texts);
    let (bill, pay_to) = (&expense.bill, &expense.bill.pay_to);
    let mut pairs: Vec<(String, String)> = [
        ("date", expense.date.to_string()),
        ("supplier", expense.supplier.clone().unwrap_or_default()),
        ("contactId", expense.contact_id.map(|id| id.to_string()).unwrap_or_default()),
        ("description", expense.description.clone().unwrap_or_default()),
        ("paidFrom", page.expense_source(expense.paid_from)),
        ("businessShare", texts.number_field(expense.business_share.percent())),
        ("receiptIds", receipts_of(details)),
        ("periodFrom", expense.period_from.map(|day| day.to_string()).unwrap_or_default()),
        ("periodUntil", expense.period_until.map(|day| day.to_string()).unwrap_or_default()),
        ("supplierInvoiceNumber", bill.number.clone().unwrap_or_default()),
        ("dueDate", bill.due_date.map(|day| day.to_string()).unwrap_or_default()),
        ("payTo.name", pay_to.name.clone().unwrap_or_default()),
        ("payTo.iban", pay_to.iban.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("payTo.bic", pay_to.bic.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("payTo.reference", pay_to.reference.clone().unwrap_or_default()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    pairs.extend(lines::fields_of(texts, &details.priced));
    Form::of(pairs)
}

/// Version of an expense, for detecting concurrent edits.
pub(super) fn version(details: &ExpenseDetails) -> String {
    format!("{}/{}", details.expense.updated_at, details.entry_ids.len())
}

async fn read(page: &Authenticated, id: i64) -> Result<ExpenseDetails, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| expenses::read(tx, &cx, id)).await?)
}

/// `GET /expenses/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let details = read(&page, id).await?;
    if let Some(asset) = details.expense.asset_id {
        // The purchase of an asset is edited with the asset.
        return Ok(see_other(&format!("/assets/{asset}")));
    }
    if details.expense.undone_at.is_some() {
        // The page of the expense explains why it cannot be edited.
        return Ok(see_other(&format!("/expenses/{id}")));
    }
    let filled = fill(&page, &details);
    let form = filled.with(VERSION, version(&details)).with(SUBMISSION, page.new_submission()?);
    let form = open(&page, &format!("/expenses/{id}/edit"), form).await?;
    show_with(&page, &form, Some(id), StatusCode::OK, None).await
}

/// `POST /expenses/{id}`: reverses the old booking and creates a new one.
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = read(&page, id).await?;
    // If the request does not mention receipts, the expense keeps its current receipts.
    let says_receipts = form.all("receiptIds").next().is_some();
    let form = if says_receipts { form } else { form.with("receiptIds", receipts_of(&before)) };
    let action = form.value("action").to_owned();
    let (form, is_complete) = prepare(&page, form, &action).await?;
    if is_reshaping(&action) {
        return show_with(&page, &form, Some(id), StatusCode::OK, None).await;
    }
    let mut parsed = input::form(usual_vat::as_read(&form), page.texts.language, edited_expense);
    parsed.command = parsed.command.filter(|_| is_complete);
    let seen = form.value(VERSION).to_owned();
    let run = move |tx: &mut store::Tx<'_>, cx: &Context, command: &expenses::EditExpense| {
        let as_seen = |now: &ExpenseDetails| seen.is_empty() || version(now) == seen;
        let edited = expenses::edit(tx, cx, id, command, &as_seen)?;
        let (amount, entry) = (Some(edited.expense.total), edited.entry_ids.last().copied());
        Ok(Done { code: "expense-edited".into(), amount, entry, ..Done::default() }
            .at(&format!("/expenses/{id}")))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Some(id), status, None).await;
        }
        let details = read(&page, id).await?;
        let now = fill(&page, &details);
        let mut form = with_receipts_of(form, &details).with(VERSION, version(&details));
        if page.labelled(form.differences(&now), labels::EXPENSE).is_empty() {
            // The concurrent change affects no field of the form; it may be a payment, for example.
            form.refuse("", page.t("changed-title").to_string());
        }
        show_with(&page, &form, Some(id), status, Some(&now)).await
    })
    .await
}
