//! `/bank-statements`: files of banks and lines of a feed, taken so that no line is there twice.

use super::{bank_lines::CounterpartyBody, bank_suggestions::SuggestionBody};
use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::Operation,
    query::{self, Query},
    reply,
    resource::{self, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, Reason, bank_mappings,
    bank_statements::{
        self, BankStatement, Import, ImportedLine, LineOutcome, MOST_BYTES, NewStatement,
        ReadOptions, StatementFile, StatementPart, sum,
    },
    bank_suggestions::{self, Suggestion},
};
use std::sync::Arc;
use store::{Page, SyncFilter, Tx};
use web_core::{
    AppState, ReadContext,
    capacity::Asker,
    catalogue::{ALREADY_UNDONE, LINES_BOOKED, NOT_FOUND},
    http::entity_tags,
    input::{self, sent_lines},
    problem::Problem,
    statements,
};

/// Media types that the description names; any other is accepted too.
const SENT_AS: &[&str] = &["application/octet-stream", "application/xml", "text/csv"];
/// Media types of stored files.
const KINDS: &[&str] = &["application/xml", "text/plain", "text/csv", "application/zip"];

/// An upload of bank statements.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankStatement")]
pub(crate) struct BankStatementBody<'a> {
    /// Id, unique within the account; null for a dry run.
    id: Option<i64>,
    /// Your own identifier.
    #[schemars(example = &"statement-2026-11")]
    external_id: Option<&'a str>,
    /// Name of the file.
    #[schemars(example = &"NL20INGB0001234567_2026-11.xml")]
    name: Option<&'a str>,
    /// SHA-256 of the file in hexadecimal.
    #[schemars(example = &"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Size in bytes.
    size: i64,
    /// Format, detected from the bytes.
    #[schemars(extend("enum" = ["camt053", "mt940", "csv", "zip", "json"]))]
    format: &'a str,
    /// Dialect of MT940 or CSV: the bank that writes it in this way.
    #[schemars(example = &"ing")]
    dialect: Option<&'a str>,
    /// `taken` or `undone`.
    #[schemars(extend("enum" = ["taken", "undone"]))]
    status: &'static str,
    /// Whether nothing was written.
    #[schemars(example = &false)]
    dry_run: bool,
    /// Statements in the file.
    statements: Vec<PartBody<'a>>,
    /// Number of lines that were new.
    #[schemars(example = &42)]
    taken: i64,
    /// Number of lines that were here already.
    #[schemars(example = &3)]
    known: i64,
    /// Oddities of the file, at most 100; none of them stops it.
    warnings: Vec<BankWarningBody<'a>>,
    /// The first 500 lines of a dry run; otherwise null.
    lines: Option<Vec<PreviewBody<'a>>>,
    /// Time of the upload; null for a dry run.
    created_at: Option<Moment>,
    /// Time of the last change; null for a dry run.
    updated_at: Option<Moment>,
}

/// A statement of one bank account in a file.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankStatementPart")]
struct PartBody<'a> {
    /// Name of the file in an archive.
    #[schemars(example = &"2026-11.xml")]
    file: Option<&'a str>,
    /// Id of the bank account.
    bank_account_id: i64,
    /// Account as the file names it: an IBAN, or another name.
    #[schemars(example = &"NL20INGB0001234567")]
    iban: Option<&'a str>,
    /// Number of the statement.
    #[schemars(example = &"11")]
    number: Option<&'a str>,
    /// First day.
    from: Option<Date>,
    /// Last day.
    to: Option<Date>,
    /// Balance before the first line.
    opening_balance: Option<Amount>,
    /// Balance after the last line.
    closing_balance: Option<Amount>,
    /// Number of lines.
    count: i64,
    /// Number of lines that were new.
    #[schemars(example = &42)]
    taken: i64,
    /// Number of lines that were here already.
    #[schemars(example = &3)]
    known: i64,
    /// Number of new lines that are ignored: those before the opening balance, and those of 0.00.
    #[schemars(example = &0)]
    ignored: i64,
    /// Number of entries that the bank has not booked yet, which are left out.
    #[schemars(example = &0)]
    pending: i64,
    /// Number of new lines that may be others.
    #[schemars(example = &0)]
    doubtful: i64,
}

/// An oddity of a file.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankWarning")]
struct BankWarningBody<'a> {
    /// Code: `unknown_version`, `text_cut`, `balance_accepted`, `other_currency`, `iban_proposed` or
    /// `iban_set`.
    #[schemars(example = &"text_cut")]
    code: &'a str,
    /// Explanation.
    #[schemars(example = &"a text of more than 1000 characters was cut")]
    message: String,
    /// Name of the file in an archive.
    #[schemars(example = &"2026-11.xml")]
    file: Option<&'a str>,
    /// Line of the file, from 1.
    #[schemars(example = &17)]
    line: Option<i64>,
}

/// A line of a file that is not taken yet.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankLinePreview")]
struct PreviewBody<'a> {
    /// Id of the bank account.
    bank_account_id: i64,
    /// Day on which the bank booked it.
    date: Date,
    /// Amount; negative if money went out.
    amount: Amount,
    /// Counterparty.
    counterparty: CounterpartyBody<'a>,
    /// Remittance information, or the bank's description.
    #[schemars(example = &"Factuur 2026-0028")]
    text: &'a str,
    /// `new`; `known` if the line is here; `ignored` if it is new, but will be ignored; `doubtful` if
    /// it is new, but may be another line.
    #[schemars(extend("enum" = LineOutcome::ALL.map(LineOutcome::as_str)))]
    outcome: &'static str,
    /// Id of the line that this one is, or may be.
    #[schemars(example = &5)]
    known_as: Option<i64>,
    /// Best suggestion of how to book it.
    suggestion: Option<SuggestionBody>,
}

fn part(part: &StatementPart) -> PartBody<'_> {
    PartBody {
        file: part.file.as_deref(),
        bank_account_id: part.bank_account_id,
        iban: part.account_name.as_deref(),
        number: part.number.as_deref(),
        from: part.from,
        to: part.to,
        opening_balance: part.opening.map(Amount),
        closing_balance: part.closing.map(Amount),
        count: part.lines,
        taken: part.taken,
        known: part.known,
        ignored: part.ignored,
        pending: part.pending,
        doubtful: part.doubtful,
    }
}

/// Lines of a dry run, each with its best suggestion.
type Preview = Vec<(ImportedLine, Option<Suggestion>)>;

fn statement_body<'a>(
    statement: &'a BankStatement,
    preview: Option<&'a Preview>,
    cx: &Context,
) -> BankStatementBody<'a> {
    let dry_run = preview.is_some();
    let show = |(line, suggestion): &'a (ImportedLine, Option<Suggestion>)| PreviewBody {
        bank_account_id: line.line.bank_account_id,
        date: line.line.date,
        amount: Amount(line.line.amount),
        counterparty: CounterpartyBody::of(&line.line),
        text: &line.line.text,
        outcome: line.outcome.as_str(),
        known_as: line.known_as,
        suggestion: suggestion.as_ref().map(|of| SuggestionBody::of(of, cx)),
    };
    BankStatementBody {
        id: (!dry_run).then_some(statement.id),
        external_id: statement.external_id.as_deref(),
        name: statement.name.as_deref(),
        sha256: statement.sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
        size: statement.size,
        format: &statement.format,
        dialect: statement.dialect.as_deref(),
        status: if statement.is_undone { "undone" } else { "taken" },
        dry_run,
        statements: statement.parts.iter().map(part).collect(),
        taken: sum(statement, |part| part.taken),
        known: sum(statement, |part| part.known),
        warnings: statement
            .warnings
            .iter()
            .map(|of| BankWarningBody {
                code: &of.code,
                message: statements::warning(of),
                file: of.file.as_deref(),
                line: (of.line > 0).then_some(of.line),
            })
            .collect(),
        lines: preview.map(|lines| lines.iter().map(show).collect()),
        created_at: (!dry_run).then_some(Moment(statement.created_at)),
        updated_at: (!dry_run).then_some(Moment(statement.updated_at)),
    }
}

impl Resource for BankStatement {
    type Key = i64;
    type Body<'r> = BankStatementBody<'r>;
    const PATH: &'static str = "/bank-statements/{id}";
    const NAME: &'static str = "bank statement";
    const KIND: &'static str = "bankStatement";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, cx: &Context) -> BankStatementBody<'_> {
        statement_body(self, None, cx)
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        bank_statements::read(tx, cx, id)
    }
}

impl Listed for BankStatement {
    type Filter = SyncFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        bank_statements::list(tx, cx, filter, before, limit)
    }
}

impl Undoable for BankStatement {
    const TAKES: Takes = Takes::Nothing;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, _: Undoing) -> Result<Self, Error> {
        bank_statements::undo(tx, cx, id)
    }
}

/// Parameters of an upload.
struct Parameters {
    name: Option<String>,
    external_id: Option<String>,
    bank_account_id: Option<i64>,
    mapping_id: Option<i64>,
    reading: ReadOptions,
    dry_run: bool,
}

fn parameters(query: &mut Query) -> Parameters {
    let name = query.text("name", "Name of the file, only to be shown.", 255);
    let external_id = query.text("externalId", "Your own identifier of the upload.", 255);
    let meaning = "Id of the bank account, for a file that does not name its account.";
    let bank_account_id = query.integer("bankAccountId", meaning, 1, i64::MAX);
    let meaning = "Id of the mapping with which the CSV files are read, from the page \
                   `/bank-mappings`. Without it, a CSV file of an unknown bank is read with the \
                   mapping that was made for the same first row.";
    let mapping_id = query.integer("mappingId", meaning, 1, i64::MAX);
    let meaning = "`EUR` takes the accounts in euros alone. Without it, an account in another \
                   currency refuses the file.";
    let only_euro = query.choice("currency", meaning, &[("EUR", true)]).unwrap_or(false);
    let meaning = "Whether a file whose lines do not add up to its closing balance is taken with a \
                   warning. Default: false.";
    let accept_balance = query.flag("acceptBalance", meaning).unwrap_or(false);
    let meaning = "Whether nothing is written: the response shows what would be taken. Default: \
                   false.";
    let dry_run = query.flag("dryRun", meaning).unwrap_or(false);
    let reading = ReadOptions { only_euro, accept_balance, ..ReadOptions::default() };
    Parameters { name, external_id, bank_account_id, mapping_id, reading, dry_run }
}

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    RawQuery(raw): RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    let mut asked = query::read(raw.as_deref(), parameters)?;
    let _permit = app.capacity().uploads.acquire(cx.actor.account, Asker::Visitor).await?;
    let today = cx.today();
    let file = if body::is_json(request.headers()) {
        let (bytes, json) = body::read_with_bytes(request).await?;
        let parsed = input::json(&json, |fields| sent_lines(fields, today));
        let Some(sent) = parsed.command else { return Err(Problem::invalid(parsed.faults)) };
        if asked.bank_account_id.is_some_and(|id| id != sent.bank_account_id) {
            let reason = Reason::OtherAccountInFile { account: sent.bank_account_id.to_string() };
            return Err(Problem::invalid([Fault::new("/bankAccountId", reason)]));
        }
        asked.bank_account_id = Some(sent.bank_account_id);
        let file = StatementFile::of_lines(bytes[..].into(), &sent);
        file.map_err(|fault| Problem::invalid([fault]))?
    } else {
        let bytes = body::read_any_file(request, MOST_BYTES).await?;
        let (caller, chosen) = (cx.clone(), asked.mapping_id);
        let mappings = move |tx: &mut Tx<'_>| bank_mappings::for_reading(tx, &caller, chosen);
        let mappings = Arc::new(app.query(cx.actor.account, mappings).await?);
        let reading = ReadOptions { mappings, ..asked.reading };
        statements::read(&app, cx.actor.account, bytes[..].into(), today, reading).await?
    };
    let is_large = file.is_large();
    let command = NewStatement {
        external_id: asked.external_id,
        name: asked.name,
        bank_account_id: asked.bank_account_id,
        file,
        is_limited: app.config().rate_limit.is_some(),
    };
    let (account, caller) = (cx.actor.account, cx.clone());
    let import = move |tx: &mut Tx<'_>| bank_statements::import(tx, &caller, &command);
    if asked.dry_run {
        let suggester = cx.clone();
        let rehearsed = move |tx: &mut Tx<'_>| {
            let Import { statement, lines } = import(tx)?.into_inner();
            let suggestions = bank_suggestions::best(tx, &suggester, &lines)?;
            Ok((statement, lines.into_iter().zip(suggestions).collect::<Preview>()))
        };
        let (statement, lines) = app.rehearse(account, rehearsed).await?;
        return Ok(reply::changed(&statement_body(&statement, Some(&lines), &cx)).into_response());
    }
    let base = app.config().base_url.clone();
    let show = move |outcome: Created<Import>| {
        let outcome = match outcome {
            Created::New(import) => Created::New(import.statement),
            Created::Existing(import) => Created::Existing(import.statement),
        };
        reply::created(
            outcome,
            |statement| resource::address(&base, statement),
            |statement| resource::shown(&statement, &cx),
        )
    };
    let answered = once::answer(&app, account, import, show).await?;
    if is_large {
        statements::after_import(&app, account).await;
    }
    Ok(answered)
}

async fn file(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "bank statement")?;
    let (statement, bytes) =
        books.query(cx.actor.account, move |tx| bank_statements::file(tx, &cx, id)).await?;
    let (media_type, ending) = statements::kind_of(&statement.format);
    Ok(entity_tags::file(&headers, bytes, media_type, &format!("bank-statement-{id}.{ending}")))
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "bankAccountId": 1, "from": "2026-11-20", "to": "2026-11-21",
        "openingBalance": 1000, "closingBalance": 1116.5,
        "lines": [
            { "date": "2026-11-20", "amount": 121, "counterparty": { "name": "Bakkerij De Korenaar" },
              "text": "Factuur 2026-0028", "endToEndId": "GB-28" },
            { "date": "2026-11-21", "amount": -4.5, "text": "Koffie" },
        ],
    });
    vec![
        Operation::list_of::<BankStatement>("listBankStatements")
            .says("List bank statements", "Newest first; undone ones are included.")
            .for_dutch_accounts(),
        Operation::create::<BankStatementBody<'static>, _, _>(
            "/bank-statements",
            "createBankStatement",
            create,
        )
        .says(
            "Take a bank statement",
            "The body is the file itself, of any media type: CAMT.053, MT940, CSV of a known bank \
             or with a mapping, or a zip of these, at most 20 MiB and 100 000 lines. The format is detected from the \
             bytes. A body of the type `application/json` has the lines of a feed, at most 2 000. A \
             file is taken whole or not at all, and faults name the file in a zip and the line. \
             Lines that are here already are recognized, in any format, and not taken again; the \
             same bytes again return the existing upload (200). The bank account is found by the \
             IBAN or the other names in the file; of a CSV file without an account, by its mapping. A \
             CSV file that no bank and no mapping fits is refused with `unknown_csv`, and the \
             problem has the member `proposal` with its first five rows and a mapping for them: \
             the owner assigns the columns once, on the page `/bank-statements`. At most 60 uploads an hour; further ones are \
             answered with 429.",
        )
        .with_query(parameters)
        .with_body(input::schema(|fields| sent_lines(fields, Date::MIN)), example)
        .with_file(SENT_AS)
        .for_dutch_accounts(),
        Operation::read_of::<BankStatement>("readBankStatement")
            .says("Read a bank statement", "")
            .for_dutch_accounts(),
        Operation::file("/bank-statements/{id}/file", "readBankStatementFile", KINDS, file)
            .says("Read the file of a bank statement", "Returns the bytes that were uploaded.")
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::undo_of::<BankStatement>("/bank-statements/{id}/undo", "undoBankStatement")
            .says(
                "Undo a bank statement",
                "Removes the lines that only this upload brought. None of them may be booked. The \
                 upload stays listed, and the same file can be taken again.",
            )
            .or(&[NOT_FOUND, LINES_BOOKED, ALREADY_UNDONE])
            .for_dutch_accounts(),
    ]
}
