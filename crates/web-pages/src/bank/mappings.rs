//! `/bank-mappings`: the columns of CSV files of banks that are not known, assigned once.

use super::statements::{CHOICES, list_with, parse_hash, query_of};
use crate::{
    done::Done, form::Form, frame::faults, id::Id, page::Authenticated, render::see_other,
    submit::SUBMISSION, texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use bank_files::{
    Cause, Charset, DateFormat, DecimalSeparator, FaultReason, Field, MOST_TEXTS, Mapping, Sample,
    TrialRow,
};
use service::{
    Context, Fault,
    bank_mappings::{self, BankMapping, NewMapping},
    bank_statements::{self, BankUpload, ReadOptions},
};
use std::{borrow::Borrow, sync::Arc};
use store::Tx;
use web_core::{
    capacity::Asker,
    input::{self, bank_mapping, new_bank_mapping},
    problem::Problem,
    statements::{self, MappingTrial, mapping_fields},
};

/// Path of the list.
const LIST: &str = "/bank-mappings";
/// Page with the statements, and their previews.
const STATEMENTS: &str = "/bank-statements";
/// Number of rows that a trial reads.
const TRIED: usize = 10;
/// Maximum number of characters of a cell that a page shows.
const LONGEST_CELL: usize = 40;
/// Number of fields for columns of the description, beyond those that have a column.
const FREE_TEXTS: usize = 1;
/// Forms of dates that the field suggests.
const DATE_FORMATS: [&str; 6] =
    ["DD-MM-YYYY", "YYYY-MM-DD", "DD/MM/YYYY", "DD.MM.YYYY", "YYYYMMDD", "MM/DD/YYYY"];

#[derive(Template)]
#[template(path = "bank/mappings.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    mappings: Vec<BankMapping>,
}

impl ListView<'_> {
    /// Form of the dates.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn date_format(&self, mapping: &BankMapping) -> String {
        let mapping = Mapping::parse(&mapping.notation);
        mapping.map(|mapping| mapping.date_format.as_str().to_owned()).unwrap_or_default()
    }
}

/// First rows of a file, and the result of reading some with a mapping.
struct Trial {
    sample: Sample,
    /// Rows as the mapping reads them; `None` without a mapping, or if its columns are absent.
    rows: Option<Vec<TrialRow>>,
    has_mapping: bool,
}

#[derive(Template)]
#[template(path = "bank/mapping-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Name of the file.
    file: String,
    trial: &'a Trial,
}

impl FormView<'_> {
    fn rows(&self) -> &[Vec<Box<str>>] {
        &self.trial.sample.rows
    }

    /// Letters of the columns.
    fn letters(&self) -> Vec<String> {
        let width = self.rows().iter().map(Vec::len).max().unwrap_or(0);
        (0..width).map(letter).collect()
    }

    /// Cell of a row to be shown; empty if the row is shorter.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn cell(&self, row: &[Box<str>], column: impl Borrow<usize>) -> String {
        row.get(*column.borrow()).map(|cell| shortened(cell)).unwrap_or_default()
    }

    /// Columns of the file: each with its letter, its name and its first value.
    fn columns(&self) -> Vec<(String, String)> {
        let head: usize = self.form.value("headRows").parse().unwrap_or(1);
        let named = head.checked_sub(1).and_then(|last| self.rows().get(last));
        let parts = [named, self.rows().get(head)];
        let label = |(place, letter): (usize, String)| {
            let cells = parts.iter().flatten().map(|row| self.cell(row, place));
            let cells = cells.filter(|cell| !cell.is_empty());
            let label: Vec<String> = [letter].into_iter().chain(cells).collect();
            (place.to_string(), label.join(" · "))
        };
        let mut columns: Vec<(String, String)> =
            self.letters().into_iter().enumerate().map(label).collect();
        columns.insert(0, (String::new(), self.page.t("bank-mapping-none").to_string()));
        columns
    }

    /// Fields for the columns of the description, with their numbers.
    fn texts(&self) -> Vec<(usize, String)> {
        let name = |place: usize| format!("columns.text.{place}");
        let given = (0..MOST_TEXTS).filter(|place| self.form.is_given(&name(*place))).count();
        let count = (given + FREE_TEXTS).min(MOST_TEXTS);
        (0..count).map(|place| (place + 1, name(place))).collect()
    }

    fn delimiters(&self) -> [(&'static str, Phrase<'static>); 4] {
        let texts = self.page.texts;
        [
            (";", texts.t("bank-mapping-semicolon")),
            (",", texts.t("bank-mapping-comma")),
            ("tab", texts.t("bank-mapping-tab")),
            ("|", texts.t("bank-mapping-bar")),
        ]
    }

    fn encodings(&self) -> [(&'static str, String); 3] {
        [
            ("", self.page.t("bank-mapping-detect").to_string()),
            (Charset::Utf8.as_str(), "UTF-8".to_owned()),
            (Charset::Windows1252.as_str(), "Windows-1252".to_owned()),
        ]
    }

    fn decimals(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [
            (DecimalSeparator::Comma.as_str(), texts.t("bank-mapping-decimal-comma")),
            (DecimalSeparator::Point.as_str(), texts.t("bank-mapping-decimal-point")),
            (DecimalSeparator::Either.as_str(), texts.t("bank-mapping-decimal-either")),
        ]
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn date_formats(&self) -> [&'static str; 6] {
        DATE_FORMATS
    }

    /// Bank accounts of files that name none.
    fn accounts(&self) -> Vec<(String, String)> {
        let later = (String::new(), self.page.t("bank-mapping-account-later").to_string());
        [later].into_iter().chain(self.page.bank_accounts_in_use()).collect()
    }

    fn tried(&self) -> &[TrialRow] {
        self.trial.rows.as_deref().unwrap_or_default()
    }

    /// Whether the mapping names a column that the file lacks.
    fn lacks_column(&self) -> bool {
        self.trial.has_mapping && self.trial.rows.is_none()
    }

    fn wrong(&self, fault: &bank_files::Fault) -> String {
        wrong(self.page, self.form, fault)
    }
}

/// Letter of a column, as in a spreadsheet: A to Z, then AA.
fn letter(place: usize) -> String {
    let last = char::from(b'A' + u8::try_from(place % 26).unwrap_or(0));
    match (place / 26).checked_sub(1) {
        Some(before) => format!("{}{last}", letter(before)),
        None => last.to_string(),
    }
}

fn shortened(cell: &str) -> String {
    match cell.char_indices().nth(LONGEST_CELL) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}

/// Text of a value that cannot be read.
fn wrong(page: &Authenticated, form: &Form, fault: &bank_files::Fault) -> String {
    let value = &*fault.value;
    match (fault.field, fault.reason) {
        (Field::Date, FaultReason::Required) => page.t("bank-mapping-no-date").to_string(),
        (Field::Date, FaultReason::Invalid) => {
            let format = DateFormat::parse(form.value("dateFormat"));
            let format = format.as_ref().map(DateFormat::as_str).unwrap_or_default();
            page.t("bank-mapping-not-date").with("value", value).with("format", format).to_string()
        }
        (Field::Amount, FaultReason::Required) => page.t("bank-mapping-no-amount").to_string(),
        (Field::Amount | Field::Balance, FaultReason::Invalid) => {
            page.t("bank-mapping-not-amount").with("value", value).to_string()
        }
        _ => faults::text(page.texts, &Fault::new("", bank_statements::value_reason(fault)), value),
    }
}

/// Field of the form by which a fault of a value is corrected.
fn field_of(form: &Form, fault: &bank_files::Fault) -> &'static str {
    match (fault.field, fault.reason) {
        (Field::Date, FaultReason::Invalid) => "dateFormat",
        (Field::Date, _) => "columns.date",
        (Field::Amount, _) if form.value("columns.amount").is_empty() => "columns.debit",
        (Field::Amount, _) => "columns.amount",
        (Field::Balance, _) => "columns.balance",
        (Field::Currency, _) => "columns.currency",
        (Field::Sign, _) => "columns.sign",
        _ => "",
    }
}

async fn show_list(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let mappings = page.list(move |tx: &mut Tx<'_>| bank_mappings::list(tx, &cx)).await?;
    page.show_as(status, &ListView { page, form, mappings })
}

/// `GET /bank-mappings`
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    show_list(&page, &Form::default(), StatusCode::OK).await
}

/// Stored file whose columns are assigned; `None` if it has expired.
async fn stored(page: &Authenticated, form: &Form) -> Result<Option<BankUpload>, Problem> {
    let Some(hash) = parse_hash(form.value("upload")) else { return Ok(None) };
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_statements::uploads(tx, &cx, &[hash]);
    let uploads = page.app.query(page.who.account.id, read).await?;
    Ok(uploads.and_then(|uploads| uploads.into_iter().next()))
}

/// Shows the statements with the fault that the file has expired.
async fn expired(page: &Authenticated) -> Result<Response, Problem> {
    let form = Form::default().refused("file", page.t("bank-upload-expired"));
    list_with(page, &form, StatusCode::UNPROCESSABLE_ENTITY).await
}

/// URL of the preview of the files that were uploaded.
fn preview_of(form: &Form, mapping: Option<i64>) -> String {
    let next = form.value("next");
    let uploads = if next.is_empty() { form.value("upload") } else { next };
    let mapping = mapping.map(|id| id.to_string()).unwrap_or_default();
    let mut pairs = vec![("upload", uploads.to_owned()), ("mappingId", mapping)];
    pairs.extend(["currency", "acceptBalance"].map(|name| (name, form.value(name).to_owned())));
    format!("{STATEMENTS}?{}", query_of(pairs))
}

/// Reads the first rows of a file, with and without a mapping.
async fn try_rows(
    page: &Authenticated,
    form: &Form,
    file: &BankUpload,
    mapping: Option<Mapping>,
) -> Result<Trial, Problem> {
    let delimiter = match form.value("delimiter") {
        "tab" => b'\t',
        other => other.bytes().next().filter(u8::is_ascii).unwrap_or(b';'),
    };
    let has_mapping = mapping.is_some();
    let encoding = Charset::parse(form.value("encoding"));
    let trial = MappingTrial { delimiter, encoding, mapping, most: TRIED };
    let (account, today) = (page.who.account.id, page.context().today());
    let bytes = Arc::from(file.bytes.as_slice());
    let (sample, rows) = statements::try_mapping(&page.app, account, bytes, today, trial).await?;
    Ok(Trial { sample, rows, has_mapping })
}

fn show_form(
    page: &Authenticated,
    form: &Form,
    file: &BankUpload,
    trial: &Trial,
    status: StatusCode,
) -> Result<Response, Problem> {
    let file = file.name.clone().unwrap_or_default();
    page.show_as(status, &FormView { page, form, file, trial })
}

/// `GET /bank-mappings/new`: the columns of a stored file, as they are proposed.
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    if page.query("upload").is_none() {
        return Ok(see_other(STATEMENTS));
    }
    let limit = &page.app.capacity().uploads;
    let _permit = limit.acquire(page.who.account.id, Asker::Visitor).await?;
    let kept = ["upload", "next"].into_iter().chain(CHOICES);
    let kept = kept.filter_map(|name| Some((name.to_owned(), page.query(name)?)));
    let mut pairs: Vec<(String, String)> = kept.collect();
    let form = Form::of(pairs.clone());
    let Some(file) = stored(&page, &form).await? else { return expired(&page).await };
    let (account, today) = (page.who.account.id, page.context().today());
    let bytes = Arc::from(file.bytes.as_slice());
    let read =
        statements::try_read(&page.app, account, bytes, today, ReadOptions::default()).await?;
    let Err(refusal) = read else { return Ok(see_other(&preview_of(&form, None))) };
    let Cause::UnknownCsv(proposal) = refusal.cause else {
        return Ok(see_other(&preview_of(&form, None)));
    };
    pairs.extend(mapping_fields(&proposal.mapping));
    let form = Form::of(pairs).with(SUBMISSION, page.new_submission()?);
    let trial = try_rows(&page, &form, &file, Some(proposal.mapping)).await?;
    show_form(&page, &form, &file, &trial, StatusCode::OK)
}

/// `POST /bank-mappings`: shows the first rows as the mapping reads them, or saves it and goes on to
/// the preview.
pub(super) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let is_saved = form.value("action") == "save";
    if is_saved && let Some(done) = page.known_submission(&form).await? {
        return Ok(done);
    }
    let limit = &page.app.capacity().uploads;
    let _permit = limit.acquire(page.who.account.id, Asker::Visitor).await?;
    let Some(file) = stored(&page, &form).await? else { return expired(&page).await };
    if !is_saved {
        let mapping = form.command(page.texts, bank_mapping);
        let trial = try_rows(&page, &form, &file, mapping).await?;
        let is_right = form.faults().is_empty();
        let status = if is_right { StatusCode::OK } else { form.refused_status() };
        return show_form(&page, &form, &file, &trial, status);
    }
    let mut parsed = input::form(form.pairs(), page.texts.language, new_bank_mapping);
    let mapping = parsed.command.as_ref().map(|command| command.mapping.clone());
    let trial = try_rows(&page, &form, &file, mapping).await?;
    if let Some(command) = &mut parsed.command {
        let head = trial.sample.head.clone();
        command.mapping.head = head.filter(|_| command.mapping.head_rows > 0);
        refuse_unread(&page, &mut form, &trial);
        if !form.faults().is_empty() {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return show_form(&page, &form, &file, &trial, status);
        }
    }
    let kept = form.clone();
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewMapping| {
        let mapping = bank_mappings::create(tx, cx, command)?;
        // Files without a head name the mapping.
        let chosen = mapping.head.is_none().then_some(mapping.id);
        let done = Done { code: "bank-mapping-saved".into(), ..Done::default() };
        Ok(done.at(&preview_of(&kept, chosen)))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_form(&page, &form, &file, &trial, status)
    })
    .await
}

/// Adds the faults of the first rows to the fields that correct them. A mapping that cannot read
/// its own file is not saved.
fn refuse_unread(page: &Authenticated, form: &mut Form, trial: &Trial) {
    let Some(rows) = &trial.rows else {
        form.refuse("", page.t("bank-mapping-absent"));
        return;
    };
    if rows.is_empty() {
        form.refuse("headRows", page.t("bank-mapping-nothing"));
    }
    for fault in rows.iter().filter_map(|row| row.outcome.as_ref().err()).flatten() {
        let field = field_of(form, fault);
        if form.fault(field).is_none() {
            let text = wrong(page, form, fault);
            form.refuse(field, text);
        }
    }
}

/// `POST /bank-mappings/{id}/delete`
pub(super) async fn delete(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        bank_mappings::delete(tx, cx, id)?;
        let done = Done { code: "bank-mapping-deleted".into(), ..Done::default() };
        Ok(done.at(LIST))
    };
    page.press(form, run, async |form, status| show_list(&page, &form, status).await).await
}
