//! `/bank-statements`: uploads of statements, with a preview before the import.

use crate::{
    done::Done,
    form::Form,
    frame::faults,
    id::Id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::{Phrase, Texts},
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use bank_files::Cause;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use ledger::{bank_account::BankAccount, identifiers::Iban};
use service::{
    BankError, Context, Created, Error, Fault, Reason, bank_mappings,
    bank_statements::{
        self, BankStatement, BankUpload, Import, LineOutcome, NewStatement, ReadOptions,
        StatementFile, StatementWarning, sum,
    },
};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::{SyncFilter, Tx};
use web_core::{capacity::Asker, problem::Problem, statements};

/// Path of the list.
const LIST: &str = "/bank-statements";
/// Field with the IBAN of the bank account that a page offers to add.
const NEW_IBAN: &str = "newIban";
/// Field with the query of the page on which the columns of an unknown CSV file are assigned.
const UNKNOWN_CSV: &str = "unknownCsv";
/// Fields of the upload that its preview and the page of a mapping keep.
pub(super) const CHOICES: [&str; 3] = ["bankAccountId", "currency", "acceptBalance"];
/// Field with the id of the mapping that reads all CSV files of an upload.
const MAPPING: &str = "mappingId";
/// Number of uploads on a page of the list.
const ROWS: i64 = 50;
/// Maximum number of faults of a file that a page shows.
const MOST_FAULTS: usize = 20;
/// Maximum number of lines of a file that a preview shows.
const MOST_LINES: usize = 200;

#[derive(Template)]
#[template(path = "bank/statements.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    statements: Vec<BankStatement>,
    /// URL of the page with older uploads.
    older: Option<String>,
    accounts: Vec<(String, String)>,
    mappings: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "bank/statement.html")]
struct OneView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    statement: BankStatement,
}

impl OneView<'_> {
    /// Format and dialect of the file.
    fn format(&self) -> String {
        let format = match self.statement.format.as_str() {
            "camt052" => "CAMT.052",
            "camt053" => "CAMT.053",
            "camt054" => "CAMT.054",
            "mt940" => "MT940",
            "csv" => "CSV",
            "json" => "JSON",
            other => other,
        };
        let dialect = self.statement.dialect.as_deref().map(|dialect| match dialect {
            "abnAmro" | "abnAmroOld" => "ABN AMRO",
            "asnSnsRegio" => "ASN, SNS, RegioBank",
            "bunq" => "bunq",
            "ing" | "ingOld" => "ING",
            "knab" => "Knab",
            "rabobank" | "rabobankOld" => "Rabobank",
            "revolut" => "Revolut",
            "triodos" => "Triodos",
            other => other,
        });
        let parts: Vec<&str> = [Some(format), dialect].into_iter().flatten().collect();
        parts.join(" · ")
    }
}

#[derive(Template)]
#[template(path = "bank/preview.html")]
struct PreviewView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Files with the result of their import.
    imports: Vec<Previewed>,
}

/// Result of the import of a file, which was rolled back.
struct Previewed {
    import: Import,
    /// Whether the same file was imported before.
    is_known: bool,
    /// SHA-256 of the file in hexadecimal.
    hash: String,
    /// Names of the mappings with which the file was read.
    mappings: Vec<String>,
}

impl PreviewView<'_> {
    fn lines<'p>(
        &self,
        of: &'p Previewed,
    ) -> impl Iterator<Item = &'p bank_statements::ImportedLine> + use<'p> {
        of.import.lines.iter().take(MOST_LINES)
    }

    /// Number of new lines of all files; those of a file that was imported before are not new.
    fn taken(&self) -> i64 {
        let new = self.imports.iter().filter(|of| !of.is_known);
        new.map(|of| sum(&of.import.statement, |part| part.taken)).sum()
    }

    /// Whether a file was not imported before.
    fn has_new_file(&self) -> bool {
        self.imports.iter().any(|of| !of.is_known)
    }

    fn outcome(&self, line: &bank_statements::ImportedLine) -> Phrase<'static> {
        let texts = self.page.texts;
        match line.outcome {
            LineOutcome::New => texts.t("bank-outcome-new"),
            LineOutcome::Existing => texts.t("bank-outcome-known"),
            LineOutcome::Ignored => texts.t("bank-outcome-ignored"),
            LineOutcome::Doubtful => texts.t("bank-outcome-doubtful"),
        }
    }
}

impl Authenticated {
    /// Name of the bank account with this id.
    pub(crate) fn bank_account_by_id(&self, id: &i64) -> String {
        let account = self.bank_accounts().by_id(*id);
        account.map(|account| self.bank_account_name(account)).unwrap_or_default()
    }

    /// Number of lines of an upload.
    fn lines_of(&self, statement: &BankStatement) -> i64 {
        sum(statement, |part| part.lines)
    }

    /// Number of new lines of an upload.
    fn taken_of(&self, statement: &BankStatement) -> i64 {
        sum(statement, |part| part.taken)
    }

    /// Name of an upload: that of its file, or its number.
    fn statement_name(&self, statement: &BankStatement) -> String {
        statement.name.clone().unwrap_or_else(|| {
            self.t("bank-statement-number").with("id", &statement.id).to_string()
        })
    }

    /// Text of a warning about a file.
    fn statement_warning(&self, warning: &StatementWarning) -> String {
        warning_text(self.texts, warning, &|id| {
            id.parse().map(|id| self.bank_account_by_id(&id)).unwrap_or_default()
        })
    }
}

/// Text of a warning about a file. `account` is the name of the bank account with an id.
fn warning_text(
    texts: Texts,
    warning: &StatementWarning,
    account: &dyn Fn(&str) -> String,
) -> String {
    let value = |place: usize| warning.values.get(place).cloned().unwrap_or_default();
    let (first, second) = (value(0), value(1));
    let text = match warning.code.as_str() {
        "unknown_version" => texts.t("bank-warning-version").with("version", &first).to_string(),
        "text_cut" => texts.t("bank-warning-text-cut").to_string(),
        "balance_accepted" => {
            texts.t("bank-warning-balance").with("difference", &second).to_string()
        }
        "other_currency" => texts
            .t("bank-warning-currency")
            .with("account", &first)
            .with("currency", &second)
            .to_string(),
        "iban_proposed" | "iban_set" => {
            let name = account(&first);
            texts.t("bank-warning-iban").with("name", &name).with("iban", &second).to_string()
        }
        code => code.to_owned(),
    };
    match &warning.file {
        Some(file) => format!("{file}: {text}"),
        None => text,
    }
}

/// Choices of the bank account of a statement that does not name its account.
pub(super) fn account_choices(page: &Authenticated) -> Vec<(String, String)> {
    let active = page.bank_accounts().all().iter().filter(|account| !account.is_archived);
    let choice = |account: &BankAccount| (account.id.to_string(), page.bank_account_name(account));
    let by_file = (String::new(), page.t("bank-upload-by-file").to_string());
    [by_file].into_iter().chain(active.map(choice)).collect()
}

/// Choices of the mapping of CSV files; empty if there are no mappings.
pub(super) async fn mapping_choices(
    page: &Authenticated,
) -> Result<Vec<(String, String)>, Problem> {
    let cx = page.context();
    let stored = page.list(move |tx: &mut Tx<'_>| bank_mappings::list(tx, &cx)).await?;
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let by_file = (String::new(), page.t("bank-upload-by-file").to_string());
    let choices = stored.into_iter().map(|mapping| (mapping.id.to_string(), mapping.name));
    Ok([by_file].into_iter().chain(choices).collect())
}

pub(super) async fn list_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let before = page.query("before").and_then(|id| id.parse().ok()).unwrap_or(i64::MAX);
    let read =
        move |tx: &mut Tx<'_>| bank_statements::list(tx, &cx, &SyncFilter::default(), before, ROWS);
    let found = page.list(read).await?;
    let last = found.rows.last().filter(|_| found.more);
    let older = last.map(|last| format!("{LIST}?before={}", last.id));
    let (accounts, mappings) = (account_choices(page), mapping_choices(page).await?);
    let view = ListView { page, form, statements: found.rows, older, accounts, mappings };
    page.show_as(status, &view)
}

/// `GET /bank-statements`: the list, or with `upload` the preview of stored files.
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let Some(uploads) = page.query("upload") else {
        return list_with(&page, &Form::default(), StatusCode::OK).await;
    };
    let choices = CHOICES.into_iter().chain([MAPPING]);
    let choices = choices.filter_map(|name| Some((name, page.query(name)?)));
    let uploads = uploads.split(',').map(|hash| ("upload", hash.to_owned()));
    let form = Form::of(uploads.chain(choices).collect::<Vec<_>>());
    let limit = &page.app.capacity().uploads;
    let _permit = limit.acquire(page.who.account.id, Asker::Visitor).await?;
    process(&page, form, Step::Shown).await
}

async fn one_with(
    page: &Authenticated,
    id: i64,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_statements::read(tx, &cx, id);
    let statement = page.app.query(page.who.account.id, read).await?;
    page.show_as(status, &OneView { page, form, statement })
}

/// `GET /bank-statements/{id}`
pub(super) async fn show_one(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    one_with(&page, id, &Form::default(), StatusCode::OK).await
}

/// `GET /bank-statements/{id}/file`: the file as uploaded.
pub(super) async fn file(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_statements::file(tx, &cx, id);
    let (statement, bytes) = page.app.query(page.who.account.id, read).await?;
    let (media_type, ending) = statements::kind_of(&statement.format);
    let disposition = format!("attachment; filename=\"bank-statement-{id}.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        // The bytes of a file never change.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// `POST /bank-statements/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        bank_statements::undo(tx, cx, id)?;
        Ok(format!("{LIST}/{id}?done=bank-statement-undone"))
    };
    page.press(form, run, async |form, status| one_with(&page, id, &form, status).await).await
}

/// Reads the choices of the form. An unknown mapping is a fault of the form.
async fn reading(page: &Authenticated, form: &mut Form) -> Result<Option<ReadOptions>, Problem> {
    let (cx, chosen) = (page.context(), id_in(form, MAPPING));
    let read = move |tx: &mut Tx<'_>| bank_mappings::for_reading(tx, &cx, chosen);
    match page.app.query(page.who.account.id, read).await {
        Ok(mappings) => Ok(Some(ReadOptions {
            only_euro: form.has("currency", "EUR"),
            accept_balance: form.has("acceptBalance", "true"),
            mappings: Arc::new(mappings),
        })),
        Err(error) => {
            form.take(error, page.texts)?;
            Ok(None)
        }
    }
}

/// Id in the form; one that is no number becomes 0, which nothing has.
fn id_in(form: &Form, name: &str) -> Option<i64> {
    let typed = form.value(name);
    (!typed.is_empty()).then(|| typed.parse().unwrap_or_default())
}

/// Parses a SHA-256 in hexadecimal.
pub(super) fn parse_hash(text: &str) -> Option<[u8; 32]> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// Files in the form: those submitted with it, or those stored with an earlier preview.
///
/// # Errors
/// The files cannot be read. Files that are missing or have expired are faults of the form.
async fn incoming(
    page: &Authenticated,
    form: &mut Form,
) -> Result<Option<Vec<BankUpload>>, Problem> {
    let submitted: Vec<BankUpload> = form
        .files("file")
        .map(|file| BankUpload {
            sha256: Sha256::digest(&file.bytes).into(),
            name: file.name.clone(),
            bytes: file.bytes.to_vec(),
        })
        .collect();
    if !submitted.is_empty() {
        return Ok(Some(submitted));
    }
    let hashes: Option<Vec<[u8; 32]>> = form.all("upload").map(parse_hash).collect();
    let hashes = hashes.unwrap_or_default();
    if hashes.is_empty() {
        form.refuse("file", page.t("bank-file-missing"));
        return Ok(None);
    }
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_statements::uploads(tx, &cx, &hashes);
    let stored = page.app.query(page.who.account.id, read).await?;
    if stored.is_none() {
        form.refuse("file", page.t("bank-upload-expired"));
    }
    Ok(stored)
}

/// Adds the faults of a file to the form, each with its place.
fn take_file_faults(
    page: &Authenticated,
    form: &mut Form,
    name: Option<&str>,
    (faults, count): (&[Fault], usize),
) {
    for fault in faults.iter().take(MOST_FAULTS) {
        let place = fault.place.as_deref();
        let file = place.and_then(|place| place.file.as_deref()).or(name);
        let line = place.and_then(|place| place.line);
        let line =
            line.map(|line| page.t("bank-file-line").with("line", &i64::from(line)).to_string());
        let place: Vec<&str> = file.into_iter().chain(line.as_deref()).collect();
        let text = faults::text(page.texts, &without_empty_value(fault), value_in_file(fault));
        let message = if place.is_empty() { text } else { format!("{}: {text}", place.join(", ")) };
        form.refuse("file", message);
    }
    let rest = count.saturating_sub(faults.len().min(MOST_FAULTS));
    if rest > 0 {
        form.refuse("file", page.t("bank-more-faults").with("count", &rest));
    }
}

/// Value in a file that a fault is about.
fn value_in_file(fault: &Fault) -> &str {
    match &fault.reason {
        Reason::FileValueInvalid { value, .. }
        | Reason::FileValueTooFine { value, .. }
        | Reason::FileValueOutOfRange { value, .. }
        | Reason::FileValueUnknown { value, .. } => value,
        _ => "",
    }
}

/// Fault in which an empty value is a missing one.
fn without_empty_value(fault: &Fault) -> Fault {
    let mut fault = fault.clone();
    if let Reason::FileValueInvalid { field, value } | Reason::FileValueUnknown { field, value } =
        &fault.reason
        && value.trim().is_empty()
    {
        fault.reason = Reason::FileValueRequired { field };
    }
    fault
}

/// Name and contents of a file.
type NamedFile = (Option<String>, StatementFile);

/// CSV file that no layout and no mapping fits.
struct UnknownCsv {
    /// Index of the upload.
    upload: usize,
    /// Name of the file in an archive.
    file: Option<Arc<str>>,
}

/// Reads the files; the faults of unreadable ones are added to the form. Also returns the first
/// unknown CSV file.
async fn read_files(
    page: &Authenticated,
    form: &mut Form,
    uploads: &[BankUpload],
) -> Result<(Vec<NamedFile>, Option<UnknownCsv>), Problem> {
    let Some(reading) = reading(page, form).await? else { return Ok((Vec::new(), None)) };
    let today = page.context().today();
    let (mut files, mut unknown) = (Vec::with_capacity(uploads.len()), None);
    for (place, upload) in uploads.iter().enumerate() {
        let (account, bytes) = (page.who.account.id, upload.bytes.as_slice().into());
        match statements::try_read(&page.app, account, bytes, today, reading.clone()).await? {
            Ok(file) => files.push((upload.name.clone(), file)),
            Err(refusal) => {
                let (faults, count) = bank_statements::faults(&refusal);
                take_file_faults(page, form, upload.name.as_deref(), (&faults, count));
                if matches!(refusal.cause, Cause::UnknownCsv(_)) {
                    unknown.get_or_insert(UnknownCsv { upload: place, file: refusal.file });
                }
            }
        }
    }
    Ok((files, unknown))
}

/// Stores the uploads, and offers to assign the columns of an unknown CSV file among them.
async fn offer_mapping(
    page: &Authenticated,
    mut form: Form,
    mut uploads: Vec<BankUpload>,
    unknown: UnknownCsv,
) -> Result<Form, Problem> {
    let account = page.who.account.id;
    let next: Vec<String> = uploads.iter().map(|upload| HEXLOWER.encode(&upload.sha256)).collect();
    let Some(mut sample) = next.get(unknown.upload).cloned() else { return Ok(form) };
    if let Some(file) = unknown.file {
        let (bytes, name) = (std::mem::take(&mut uploads[unknown.upload].bytes), file.clone());
        let unpack = move || {
            let contents = bank_files::file_in_archive(&bytes, &name);
            (bytes, contents)
        };
        let (bytes, contents) =
            page.app.capacity().statements.run(account, Asker::Visitor, unpack).await?;
        uploads[unknown.upload].bytes = bytes;
        let Some(bytes) = contents else { return Ok(form) };
        let sha256: [u8; 32] = Sha256::digest(&bytes).into();
        sample = HEXLOWER.encode(&sha256);
        uploads.push(BankUpload { sha256, name: Some(file.to_string()), bytes });
    }
    let cx = page.context();
    let keep = move |tx: &mut Tx<'_>| bank_statements::keep_uploads(tx, &cx, &uploads);
    if let Err(error) = page.app.execute(account, keep).await {
        form.take(at_file(error), page.texts)?;
        return Ok(form);
    }
    let choices = CHOICES.into_iter().map(|name| (name, form.value(name).to_owned()));
    let pairs = [("upload", sample), ("next", next.join(","))].into_iter().chain(choices);
    let query = query_of(pairs.collect());
    Ok(form.with(UNKNOWN_CSV, query))
}

/// Query with these parameters, without empty ones.
pub(super) fn query_of(pairs: Vec<(&str, String)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs.into_iter().filter(|(_, value)| !value.is_empty()));
    query.finish()
}

/// Moves the faults about the contents of a file to the field `file`.
fn at_file(error: Error) -> Error {
    match error {
        Error::Invalid(faults) => {
            let moved = |fault: Fault| match fault.path.as_str() {
                "" => Fault { path: "/file".to_owned(), ..fault },
                _ => fault,
            };
            Error::Invalid(faults.into_iter().map(moved).collect())
        }
        other => other,
    }
}

/// IBAN in a file that no bank account has.
fn unknown_iban(error: &Error) -> Option<String> {
    let Error::Invalid(faults) = error else { return None };
    let account = faults.iter().find_map(|fault| match &fault.reason {
        Reason::UnknownAccountInFile { account } => Some(account),
        _ => None,
    })?;
    Iban::parse(account).ok().map(|iban| iban.to_string())
}

/// Step of an upload.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The preview of submitted files, which are stored.
    Previewed,
    /// The preview of stored files.
    Shown,
    /// The import.
    Taken,
}

/// `POST /bank-statements`: shows a preview of files, or imports them.
pub(super) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let permit = if form.first_file().is_some() {
        // The same file is imported once, so a form with files needs no other idempotency. With
        // it, another file in a form that was sent before would be dropped.
        form = form.with(SUBMISSION, "");
        None
    } else {
        if let Some(done) = page.known_submission(&form).await? {
            return Ok(done);
        }
        let uploads = &page.app.capacity().uploads;
        Some(uploads.acquire(page.who.account.id, Asker::Visitor).await?)
    };
    let step = if form.value("action") == "take" { Step::Taken } else { Step::Previewed };
    let response = process(&page, form, step).await;
    drop(permit);
    response
}

/// Reads the files of a form, and previews or imports them.
async fn process(page: &Authenticated, mut form: Form, step: Step) -> Result<Response, Problem> {
    let Some(uploads) = incoming(page, &mut form).await? else {
        return list_with(page, &form, StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    let (files, unknown) = read_files(page, &mut form, &uploads).await?;
    if !form.faults().is_empty() {
        if let Some(unknown) = unknown {
            form = offer_mapping(page, form, uploads, unknown).await?;
        }
        return list_with(page, &form, StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let bank_account_id = id_in(&form, "bankAccountId");
    let is_limited = page.app.config().rate_limit.is_some();
    let command = |(name, file): NamedFile| NewStatement {
        external_id: None,
        name,
        bank_account_id,
        file,
        is_limited,
    };
    let commands: Vec<NewStatement> = files.into_iter().map(command).collect();
    match step {
        Step::Taken => take(page, form, commands).await,
        Step::Previewed => preview(page, form, Some(uploads), commands).await,
        Step::Shown => preview(page, form, None, commands).await,
    }
}

async fn take(
    page: &Authenticated,
    form: Form,
    commands: Vec<NewStatement>,
) -> Result<Response, Problem> {
    let texts = page.texts;
    let run = move |tx: &mut Tx<'_>, cx: &Context, commands: &Vec<NewStatement>| {
        let imports = bank_statements::import_all(tx, cx, commands).map_err(at_file)?;
        let taken = |import: &Created<Import>| match import {
            Created::New(import) => sum(&import.statement, |part| part.taken),
            Created::Existing(_) => 0,
        };
        let taken: i64 = imports.iter().map(taken).sum();
        let is_new = imports.iter().any(|import| matches!(import, Created::New(_)));
        let name = texts.t("bank-lines-count").with("count", &taken).to_string();
        let code = if is_new { "bank-statements-taken" } else { "bank-statements-known" };
        let done = Done { code: code.into(), name, ..Done::default() };
        let path = match imports.as_slice() {
            _ if taken > 0 => "/bank-lines?state=new".to_owned(),
            [one] => format!("{LIST}/{}", one.clone().into_inner().statement.id),
            _ => LIST.to_owned(),
        };
        Ok(done.at(&path))
    };
    let is_large = commands.iter().any(|command| command.file.is_large());
    match page.once(&form, move |tx, cx| run(tx, cx, &commands)).await {
        Ok(response) => {
            if is_large {
                statements::after_import(&page.app, page.who.account.id).await;
            }
            Ok(response)
        }
        Err(error) => refused(page, form, error).await,
    }
}

/// Shows the form again with the reason why its files cannot be imported. A bank account that is
/// missing is offered as a new one.
async fn refused(page: &Authenticated, mut form: Form, error: Error) -> Result<Response, Problem> {
    if let Some(iban) = unknown_iban(&error) {
        form = form.with(NEW_IBAN, iban);
    }
    let is_too_often = matches!(error, Error::Bank(BankError::TooManyStatements { .. }));
    form.take(error, page.texts)?;
    let status = if is_too_often { StatusCode::TOO_MANY_REQUESTS } else { form.refused_status() };
    list_with(page, &form, status).await
}

/// Shows what an import would do; `uploads` are stored for it.
async fn preview(
    page: &Authenticated,
    form: Form,
    uploads: Option<Vec<BankUpload>>,
    commands: Vec<NewStatement>,
) -> Result<Response, Problem> {
    let (cx, account) = (page.context(), page.who.account.id);
    let of_file = |command: &NewStatement| {
        let used = command.file.used_mappings();
        let names = used.into_iter().map(|mapping| mapping.name.clone());
        (command.file.sha256(), names.collect::<Vec<_>>())
    };
    let of_files: Vec<([u8; 32], Vec<String>)> = commands.iter().map(of_file).collect();
    let rehearse =
        move |tx: &mut Tx<'_>| bank_statements::import_all(tx, &cx, &commands).map_err(at_file);
    let imports = match page.app.rehearse(account, rehearse).await {
        Ok(imports) => imports,
        Err(error) => return refused(page, form, error).await,
    };
    if let Some(uploads) = uploads {
        let cx = page.context();
        let keep = move |tx: &mut Tx<'_>| bank_statements::keep_uploads(tx, &cx, &uploads);
        if let Err(error) = page.app.execute(account, keep).await {
            return refused(page, form, at_file(error)).await;
        }
    }
    let previewed = |(import, (hash, mappings)): (Created<Import>, ([u8; 32], Vec<String>))| {
        let is_known = matches!(import, Created::Existing(_));
        Previewed { is_known, import: import.into_inner(), hash: HEXLOWER.encode(&hash), mappings }
    };
    let imports = imports.into_iter().zip(of_files).map(previewed).collect();
    let form = form.with(SUBMISSION, page.new_submission()?);
    page.show(&PreviewView { page, form: &form, imports })
}
