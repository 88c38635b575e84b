//! `/settings/invoices`: layout and texts of invoices, with a preview of the input.

use crate::{
    form::Form,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use ledger::calendar::amsterdam_today;
use service::{
    Context, Error, accounts,
    invoice_settings::{self, Logo, UpdateInvoiceSettings},
    numbering::{self, DEFAULT_QUOTE_PATTERN},
    people::{Account, settings},
    tax_settings,
};
use store::{
    Lane, Tx,
    documents::{Format, Look},
};
use web_core::{
    capacity::Asker,
    documents,
    input::{self, update_invoice_settings},
    problem::Problem,
};

/// Default colour of documents.
const ACCENT: &str = "#115e59";

/// Patterns for invoice numbers to choose from; users can also type their own.
const PATTERNS: [&str; 4] =
    ["{year}-{number:4}", "F{year}-{number:4}", "{year}/{number:5}", "{number:4}-{year}"];

#[derive(Template)]
#[template(path = "settings/invoices.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    has_logo: bool,
    /// Number of the next invoice according to the pattern in the form; `None` if the pattern is
    /// invalid.
    next_number: Option<String>,
    /// Text of the link for choosing the first number of the year; `None` once that number can no
    /// longer be chosen.
    first_number: Option<String>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    /// Whether the pattern is a custom one rather than one of [`PATTERNS`].
    fn is_other_pattern(&self) -> bool {
        !PATTERNS.contains(&self.form.value("numberPattern"))
    }

    /// Each pattern with an example: the number of this year's first invoice.
    fn patterns(&self) -> Vec<(&'static str, String)> {
        let year = amsterdam_today(self.page.app.now()).year();
        PATTERNS
            .iter()
            .filter_map(|pattern| Some((*pattern, numbering::format(pattern, year, 1).ok()?)))
            .collect()
    }
}

/// Form with the chosen pattern: the selected one if the user changed the selection, otherwise the
/// typed one.
fn chosen(form: Form) -> Form {
    let choice = form.value("pattern").to_owned();
    let is_chosen = PATTERNS.contains(&choice.as_str()) && choice != form.value("patternShown");
    if is_chosen { form.with("numberPattern", choice) } else { form }
}

fn fill(account: &Account, look: &Look) -> Form {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Form::of([
        ("paymentTermDays", account.payment_term_days.to_string()),
        ("numberPattern", account.number_pattern.clone()),
        (
            "quoteNumberPattern",
            look.quote_pattern.clone().unwrap_or_else(|| DEFAULT_QUOTE_PATTERN.to_owned()),
        ),
        ("accent", look.accent.clone().unwrap_or_else(|| ACCENT.to_owned())),
        ("window", look.window.clone().unwrap_or_else(|| "none".to_owned())),
        ("opening.nl", text(&look.opening_nl)),
        ("opening.en", text(&look.opening_en)),
        ("closing.nl", text(&look.closing_nl)),
        ("closing.en", text(&look.closing_en)),
    ])
}

/// Stored settings.
fn stored(tx: &mut Tx<'_>, cx: &Context) -> Result<(Account, Look), Error> {
    Ok((accounts::own(tx, cx)?, invoice_settings::read(tx, cx)?))
}

async fn show_with(
    page: &Authenticated,
    form: Option<Form>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let (account, look) = page.app.query(page.who.account.id, move |tx| stored(tx, &cx)).await?;
    let form = match form {
        Some(form) => form,
        None => {
            let filled = fill(&account, &look);
            let version = filled.version();
            filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?)
        }
    };
    let (pattern, year) =
        (form.value("numberPattern").to_owned(), amsterdam_today(page.app.now()).year());
    let next_number = page
        .app
        .query(Lane::of(page.who.account.id).single(), move |tx| {
            settings::next_number(tx, account.id, &pattern, year)
        })
        .await?;
    let cx = page.context();
    let series = page.app.query(page.who.account.id, move |tx| tax_settings::read(tx, &cx)).await?;
    let first_number = || page.t("vat-next-number").with("year", &series.year.to_string()).into();
    let first_number = series.has_choice_of_number.then(first_number);
    let has_logo = look.logo.is_some();
    page.show_as(
        status,
        &View { page, form: &form, has_logo, next_number, first_number, differences },
    )
}

/// `GET /settings/invoices`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, None, Vec::new(), StatusCode::OK).await
}

/// `POST /settings/invoices`
pub(crate) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let mut form = chosen(form);
    let mut parsed = input::form(form.pairs(), page.texts.language, update_invoice_settings);
    let is_asked = page.ask_for_missing_file(&mut form, "logo");
    parsed.command = parsed.command.filter(|_| !is_asked);
    let upload = form
        .files("logo")
        .next()
        .filter(|_| parsed.command.is_some())
        .map(|file| file.bytes.clone());
    let logo = match upload {
        Some(upload) => {
            let pictures = &page.app.capacity().pictures;
            Some(
                pictures
                    .run(page.who.account.id, Asker::Visitor, move || Logo::read(&upload))
                    .await?,
            )
        }
        None => None,
    };
    let version = form.raw(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &UpdateInvoiceSettings| {
        let (account, look) = stored(tx, cx)?;
        if !version.is_empty() && fill(&account, &look).version() != version {
            return Err(Error::Changed);
        }
        invoice_settings::update(tx, cx, (command, logo.as_ref()))?;
        Ok("/settings/invoices?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, Some(form), Vec::new(), status).await;
        }
        let cx = page.context();
        let (account, look) =
            page.app.query(page.who.account.id, move |tx| stored(tx, &cx)).await?;
        let now = fill(&account, &look);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::INVOICE_SETTINGS);
        show_with(&page, Some(form), differences, status).await
    })
    .await
}

/// `GET /settings/invoices/logo`: the logo on documents.
pub(crate) async fn logo(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let bytes =
        page.app.query(page.who.account.id, move |tx| invoice_settings::logo(tx, &cx)).await?;
    let kind = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, bytes).into_response())
}

/// `POST /settings/invoices/preview`: a sample PDF rendered from the input; nothing is stored.
pub(crate) async fn preview(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let mut form = chosen(form);
    let parsed = input::form(form.pairs(), page.texts.language, update_invoice_settings);
    let Some(command) = parsed.command else {
        form.take_faults(&parsed.faults, page.texts);
        return show_with(&page, Some(form), Vec::new(), StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    let cx = page.context();
    let unmade = page
        .app
        .query(page.who.account.id, move |tx| invoice_settings::preview(tx, &cx, &command))
        .await?;
    let made =
        documents::make(&page.app, page.who.account.id, Box::new(unmade), Asker::Visitor).await?;
    let bytes = made.bytes(Format::Pdf)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"example.pdf\""),
    ];
    Ok((headers, bytes).into_response())
}
