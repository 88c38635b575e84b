//! EC sales lists (ICP declarations): supplies to businesses in other EU countries, by quarter or
//! month.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    sales::invoice_body::InvoiceBody,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::{money::Cents, vat_period::VatPeriod};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    icp::{self, Correction, Declaration, IcpDetails, Row},
    invoices,
};
use store::Lane;
use web_core::{
    AppState, ReadContext,
    catalogue::{
        ALREADY_UNDONE, IS_A_CREDIT_NOTE, IS_A_DRAFT, NOT_FOUND, PERIOD_FILED, PERIOD_NOT_FILED,
        PERIOD_NOT_OVER,
    },
    input::{self, change_vat_number},
    problem::Problem,
};

/// Supplies to businesses in other EU countries in a quarter, for the ICP declaration (EC sales
/// list).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpDeclaration")]
struct QuarterBody {
    /// Rows by VAT number.
    rows: Vec<RowBody>,
    /// Total of the rows in whole euros.
    #[schemars(example = &1500)]
    total: i64,
    /// Amount in box 3b of the VAT return.
    #[schemars(with = "Amount", extend("examples" = [1500.0]))]
    box3b: Amount,
    /// Amount by which box 3b exceeds the supplies in the rows; 0.00 if they agree.
    #[schemars(with = "Amount", extend("examples" = [0.0]))]
    difference: Amount,
    /// Invoices and credit notes that explain the difference: their customers have no VAT number.
    without_number: Vec<MissingBody>,
}

/// A document whose customer has no VAT number.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpMissing")]
struct MissingBody {
    /// Number of the document.
    number: String,
    /// Amount excluding VAT.
    amount: Amount,
}

/// A row of the declaration, in whole euros, rounded down.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpRow")]
struct RowBody {
    /// VAT number of the customer.
    #[schemars(example = &"DE123456789")]
    vat_number: String,
    /// Amount for goods.
    #[schemars(example = &0)]
    goods: i64,
    /// Amount for services.
    #[schemars(example = &1500)]
    services: i64,
    /// Amount for simplified triangular transactions.
    #[schemars(example = &0)]
    triangular: i64,
}

/// A correction to a filed declaration, in whole euros.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpCorrection")]
struct CorrectionBody {
    /// Period of the filed declaration: `2026-Q1` or `2026-05`.
    #[schemars(example = &"2026-Q1")]
    period: String,
    /// VAT number of the customer.
    #[schemars(example = &"DE123456789")]
    vat_number: String,
    /// Change in the amount for goods.
    #[schemars(example = &0)]
    goods: i64,
    /// Change in the amount for services.
    #[schemars(example = &-500)]
    services: i64,
    /// Change in the amount for simplified triangular transactions.
    #[schemars(example = &0)]
    triangular: i64,
}

/// A document that lacks the VAT number of its customer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpDocument")]
struct DocumentBody {
    /// Id of the document.
    invoice_id: i64,
    /// Number of the document.
    number: String,
    /// Amount excluding VAT.
    amount: Amount,
}

/// A filed version of a declaration.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpVersion")]
struct VersionBody {
    /// Number of the version, from 1.
    version: i64,
    /// Time of filing.
    filed_at: Moment,
    /// Time of reopening.
    reopened_at: Option<Moment>,
    /// Rows as filed.
    rows: Vec<RowBody>,
    /// Corrections as filed.
    corrections: Vec<CorrectionBody>,
}

/// The ICP declaration (EC sales list) of a period.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IcpList")]
struct ListBody {
    /// Quarter or month that names the declaration: `2026-Q2` or `2026-05`.
    #[schemars(example = &"2026-Q2")]
    period: String,
    /// First day. If the limit for goods was passed in the second month of a quarter, the
    /// declaration for that month begins on the first day of the quarter.
    period_start: Date,
    /// Last day.
    period_end: Date,
    /// Last day to file.
    due_date: Date,
    /// `open` or `filed`. A filed declaration does not change; later changes are corrections on the
    /// next open one.
    #[schemars(extend("enum" = ["open", "filed"]))]
    status: &'static str,
    /// Time of the last filing, even if it was reopened since.
    filed_at: Option<Moment>,
    /// Rows by VAT number.
    rows: Vec<RowBody>,
    /// Corrections to filed declarations, by period and VAT number.
    corrections: Vec<CorrectionBody>,
    /// Invoices and credit notes that explain the difference: their customers have no VAT number.
    without_number: Vec<DocumentBody>,
    /// Supplies of the period in box 3b; a correction is included in the period that it corrects.
    #[schemars(with = "Amount", extend("examples" = [1500.0]))]
    box3b: Amount,
    /// Box 3b minus the rows and minus the corrections of this period on later declarations; 0.00
    /// if they agree.
    #[schemars(with = "Amount", extend("examples" = [0.0]))]
    difference: Amount,
    /// All filed versions, oldest first.
    versions: Vec<VersionBody>,
}

impl From<&Row> for RowBody {
    fn from(row: &Row) -> Self {
        Self {
            vat_number: row.vat_number.as_str().to_owned(),
            goods: row.declared.goods,
            services: row.declared.services,
            triangular: row.declared.triangular,
        }
    }
}

impl From<&Correction> for CorrectionBody {
    fn from(correction: &Correction) -> Self {
        let row = RowBody::from(&correction.row);
        Self {
            period: correction.period.to_string(),
            vat_number: row.vat_number,
            goods: row.goods,
            services: row.services,
            triangular: row.triangular,
        }
    }
}

fn missing(declaration: &Declaration) -> Vec<DocumentBody> {
    let documents = declaration.without_number.iter();
    documents
        .filter_map(|(document, amount): &(_, Cents)| {
            let document = document.as_ref()?;
            let number = document.number.clone();
            Some(DocumentBody { invoice_id: document.id, number, amount: Amount(*amount) })
        })
        .collect()
}

impl From<&Declaration> for QuarterBody {
    fn from(declaration: &Declaration) -> Self {
        Self {
            rows: declaration.declared_rows().map(RowBody::from).collect(),
            total: declaration.sums().total(),
            box3b: Amount(declaration.box_3b),
            difference: Amount(declaration.difference),
            without_number: missing(declaration)
                .into_iter()
                .map(|DocumentBody { number, amount, .. }| MissingBody { number, amount })
                .collect(),
        }
    }
}

impl From<&IcpDetails> for ListBody {
    fn from(details: &IcpDetails) -> Self {
        let declaration = &details.declaration;
        let versions = details.versions.iter().map(|(filing, filed)| {
            let is_declared = |row: &&Row| row.declared.all() != [0; 3];
            VersionBody {
                version: filing.version,
                filed_at: Moment(filing.filed_at),
                reopened_at: filing.reopened_at.map(Moment),
                rows: filed.rows.iter().filter(is_declared).map(RowBody::from).collect(),
                corrections: filed
                    .corrections
                    .iter()
                    .filter(|correction| is_declared(&&correction.row))
                    .map(CorrectionBody::from)
                    .collect(),
            }
        });
        Self {
            period: details.period.to_string(),
            period_start: declaration.first_day,
            period_end: declaration.last_day,
            due_date: details.deadline().file_by,
            status: if details.filed().is_some() { "filed" } else { "open" },
            filed_at: details.last_filed().map(|filing| Moment(filing.filed_at)),
            rows: declaration.declared_rows().map(RowBody::from).collect(),
            corrections: declaration.declared_corrections().map(CorrectionBody::from).collect(),
            without_number: missing(declaration),
            box3b: Amount(declaration.box_3b),
            difference: Amount(declaration.difference),
            versions: versions.collect(),
        }
    }
}

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<QuarterBody, _, _>(
            "/vat-filings/{year}/{quarter}/icp",
            "readIcpDeclaration",
            of_quarter,
        )
        .says(
            "Read the EU supplies of a quarter",
            "Returns the supplies to businesses in other EU countries per VAT number, from the \
             current books, whichever declaration they belong to. Their total equals box 3b; \
             otherwise `difference` is not 0.00.",
        )
        .for_dutch_accounts(),
        Operation::list::<ListBody, _, _>("/icp-declarations", "listIcpDeclarations", list)
            .says(
                "List the ICP declarations",
                "Returns the declarations that have something to declare or that were filed, \
                 newest first; those of a year oldest first.",
            )
            .with_query(listed)
            .for_dutch_accounts(),
        Operation::read::<ListBody, _, _>("/icp-declarations/{period}", "readIcpList", read)
            .says(
                "Read the ICP declaration of a period",
                "Returns an open declaration as the books stand, or a filed one as it was filed. \
                 The period is a quarter (`2026-Q2`); or a month (`2026-05`) from the quarter on \
                 in which the goods, or those of one of the four quarters before, exceed 50 000 \
                 euros.",
            )
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::act::<ListBody, _, _>(
            "/icp-declarations/{period}/file",
            "fileIcpDeclaration",
            Answer::Changed,
            file,
        )
        .says(
            "File the ICP declaration of a period",
            "Records the declaration as filed; nothing is sent to the tax office. Filing a VAT \
             return does this as well, for the declarations that end in its period. No body is \
             required.",
        )
        .or(&[NOT_FOUND, PERIOD_FILED, PERIOD_NOT_OVER])
        .files_returns()
        .for_dutch_accounts(),
        Operation::act::<ListBody, _, _>(
            "/icp-declarations/{period}/reopen",
            "reopenIcpDeclaration",
            Answer::Changed,
            reopen,
        )
        .says(
            "Reopen a filed ICP declaration",
            "The declaration follows the books again; the filed version stays in `versions`. No \
             body is required.",
        )
        .or(&[NOT_FOUND, PERIOD_NOT_FILED])
        .files_returns()
        .for_dutch_accounts(),
        Operation::act::<InvoiceBody<'_>, _, _>(
            "/invoices/{id}/vat-number",
            "changeIcpVatNumber",
            Answer::Changed,
            change_number,
        )
        .says(
            "Give a sent invoice the customer's VAT number for the ICP declaration",
            "For a sent invoice with an `intraCommunity` line, if the number came or changed \
             after sending. An open declaration has the new number; a filed one is corrected on \
             the next open one. Credit notes of the invoice follow it. The document stays as it \
             was sent, so that the warning `document_lacks_vat_number` applies: credit it and send \
             a copy. The same number again changes nothing.",
        )
        .with_body(
            input::schema(change_vat_number),
            json!({ "vatNumber": "DE123456789", "sameCustomer": true }),
        )
        .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE])
        .for_dutch_accounts(),
        Operation::act::<InvoiceBody<'_>, _, _>(
            "/invoices/{id}/vat-number/undo",
            "undoIcpVatNumber",
            Answer::Changed,
            undo_number,
        )
        .says(
            "Undo the last VAT number given to a sent invoice",
            "Returns all invoices that the same request changed to their numbers of before, \
             except those changed since. No body is required.",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE])
        .for_dutch_accounts(),
    ]
}

async fn change_number(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let parsed = input::json(&json, change_vat_number);
    let account = cx.actor.account;
    let change = move |tx: &mut store::Tx<'_>| {
        let Some(command) = &parsed.command else {
            invoices::read(tx, &cx, id)?;
            return Err(Error::Invalid(parsed.faults.clone()));
        };
        icp::change_number(tx, &cx, id, command)?;
        invoices::read(tx, &cx, id)
    };
    once::answer(&app, account, change, |details| reply::changed(&InvoiceBody::from(&details)))
        .await
}

async fn undo_number(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, "invoice")?;
    let account = cx.actor.account;
    let undo = move |tx: &mut store::Tx<'_>| {
        icp::undo_number(tx, &cx, id)?;
        invoices::read(tx, &cx, id)
    };
    once::answer(&app, account, undo, |details| reply::changed(&InvoiceBody::from(&details))).await
}

async fn of_quarter(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((year, quarter)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let quarter = query::quarter(&year, &quarter)?;
    let declaration =
        books.query(cx.actor.account, move |tx| icp::of_quarter(tx, &cx, quarter)).await?;
    Ok(reply::resource(&headers, &QuarterBody::from(&declaration)))
}

/// Filter and page of the list: year, whether filed, time of filing, last period of the previous
/// page, and number of rows.
type Filter = (Option<i16>, Option<bool>, Option<Timestamp>, Option<VatPeriod>, i64);

fn listed(query: &mut Query) -> (bool, Filter) {
    const STATES: &[(&str, bool)] = &[("open", false), ("filed", true)];
    let wants_external_id = query.wants_external_id();
    let meaning = "Year of the declarations. Default: all.";
    let year = query.integer("year", meaning, 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let filed = query.choice("status", "Returns only open, or only filed declarations.", STATES);
    let meaning = "Leaves out filed declarations that were last filed or reopened before this \
                   time. Open ones change with the books, and are always included.";
    let since = query.moment("updatedSince", meaning);
    (wants_external_id, (year, filed, since, query.cursor(VatPeriod::parse), query.limit()))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_external_id, (year, filed, since, after, limit)) = listing.read(listed)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        if wants_external_id {
            return Ok(reply::no_rows());
        }
        let mut all = icp::list(tx, &cx, year)?;
        all.retain(|details| {
            let (is_filed, period) = (details.filed().is_some(), details.period);
            let is_old = is_filed && since > icp::changed_at(details);
            filed.is_none_or(|filed| filed == is_filed)
                && !is_old
                && after.is_none_or(
                    |after| if year.is_some() { period > after } else { period < after },
                )
        });
        let place = |last: &IcpDetails| last.period.to_string();
        Ok(reply::rows(&store::Page::of(all, limit), place, |details| {
            reply::body(&ListBody::from(details))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(period): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let period = query::period(&period)?;
    let details = books.query(cx.actor.account, move |tx| icp::read(tx, &cx, period)).await?;
    Ok(reply::resource(&headers, &ListBody::from(&details)))
}

/// Returns a declaration as the body of a response; `id` is the declaration's id in the change
/// feed.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let period = VatPeriod::from_id(id).ok_or(Error::NotFound("ICP declaration"))?;
    Ok(reply::body(&ListBody::from(&icp::read(tx, cx, period)?)))
}

async fn file(
    state: State<AppState>,
    cx: Extension<Context>,
    path: Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act(state, cx, path, request, icp::file).await
}

async fn reopen(
    state: State<AppState>,
    cx: Extension<Context>,
    path: Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act(state, cx, path, request, icp::reopen).await
}

/// Executes a command without a body on the declaration of a period.
async fn act(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(period): Path<String>,
    request: Request,
    command: fn(&mut store::Tx<'_>, &Context, VatPeriod) -> Result<IcpDetails, Error>,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let period = query::period(&period)?;
    let account = cx.actor.account;
    let run = move |tx: &mut store::Tx<'_>| command(tx, &cx, period);
    once::answer(&app, account, run, |details| reply::changed(&ListBody::from(&details))).await
}
