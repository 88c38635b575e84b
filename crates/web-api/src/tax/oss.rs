//! Union scheme, the one-stop shop (OSS): registration, turnover with consumers in other EU
//! countries, and quarterly returns.

use crate::{
    body,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::{vat::Supply, vat_period::VatPeriod};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    oss::{self, Declaration, Ground, OssReturnDetails, OssStatus, RateType},
};
use store::Lane;
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PERIOD_FILED, PERIOD_NOT_FILED, PERIOD_NOT_OVER},
    input::{self, names_of, register_oss},
    problem::Problem,
};

/// Registrations for the Union scheme (OSS), and the turnover with consumers in other EU countries.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Oss")]
struct OssBody {
    /// Registrations, in order of their first day.
    registrations: Vec<RegistrationBody>,
    /// Turnover in a year up to which Dutch VAT is charged.
    threshold: Amount,
    /// Turnover of this and of the previous year.
    years: Vec<YearBody>,
    /// Day of the supply from which the VAT of the country of the customer is due; null if the
    /// threshold was passed neither in this year nor in the previous one.
    #[schemars(example = &"2026-11-10")]
    obliged_from: Option<Date>,
}

/// A registration for the Union scheme (OSS).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssRegistration")]
struct RegistrationBody {
    /// First day.
    #[schemars(example = &"2026-10-01")]
    from: Date,
    /// `limit` if the threshold was passed, or `choice`.
    #[schemars(extend("enum" = names_of(Ground::ALL)))]
    ground: &'static str,
    /// Last day; null if the registration goes on.
    #[schemars(example = &"2027-12-31")]
    until: Option<Date>,
    /// Time at which the registration was recorded.
    noted_at: Moment,
}

/// Turnover with consumers in other EU countries in a calendar year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssYear")]
struct YearBody {
    /// Calendar year.
    year: i16,
    /// Goods and electronic services to consumers in other EU countries, excluding VAT, including
    /// drafts; credit notes are deducted.
    counted: Amount,
    /// First invoice that passes the threshold; null if none does.
    passed_by: Option<PassedByBody>,
}

/// Invoice that passes the threshold.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssPassedBy")]
struct PassedByBody {
    /// Id of the invoice.
    invoice_id: i64,
    /// Last day of supply, or else the invoice date.
    date: Date,
}

/// A row of a return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssRow")]
struct RowBody {
    /// Country that taxes the supplies.
    #[schemars(example = &"DE")]
    country: String,
    /// `goods` or `services`.
    #[schemars(extend("enum" = [Supply::Goods.as_str(), Supply::Services.as_str()]))]
    supply: &'static str,
    /// Country from which they are supplied: always `NL`.
    #[schemars(extend("enum" = ["NL"]))]
    from: &'static str,
    /// `standard` or `reduced`.
    #[schemars(extend("enum" = RateType::ALL.map(RateType::as_str)))]
    rate_type: &'static str,
    /// Rate in per cent.
    rate: Number,
    /// Amount excluding VAT.
    base: Amount,
    /// VAT.
    vat: Amount,
}

/// A correction of an earlier return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssCorrection")]
struct CorrectionBody {
    /// Quarter of the corrected return.
    #[schemars(example = &"2026-Q3")]
    period: String,
    /// Country.
    #[schemars(example = &"DE")]
    country: String,
    /// VAT; negative if less is due.
    vat: Amount,
}

/// VAT of a country on a return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssCountry")]
struct CountryBody {
    /// Country.
    #[schemars(example = &"DE")]
    country: String,
    /// VAT of the rows.
    supplies: Amount,
    /// VAT of the corrections.
    corrections: Amount,
    /// Sum; a negative one is asked back from the country, and not settled against another one.
    vat: Amount,
}

/// A filed version of a return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssVersion")]
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
    /// Amount to pay, as filed.
    payable: Amount,
}

/// The return of the Union scheme (OSS) of a quarter.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OssReturn")]
struct ReturnBody {
    /// Quarter: `2026-Q4`.
    #[schemars(example = &"2026-Q4")]
    period: String,
    /// First day.
    period_start: Date,
    /// Last day.
    period_end: Date,
    /// Last day to file and to pay.
    due_date: Date,
    /// `open` or `filed`. A filed return does not change; later changes are corrections on the next
    /// open one.
    #[schemars(extend("enum" = ["open", "filed"]))]
    status: &'static str,
    /// Time of the last filing, even if it was reopened since.
    filed_at: Option<Moment>,
    /// Whether nothing is declared; the return must be filed all the same.
    #[schemars(example = &false)]
    nothing_to_declare: bool,
    /// Rows by country, supply and rate.
    rows: Vec<RowBody>,
    /// Corrections of earlier returns, by quarter and country.
    corrections: Vec<CorrectionBody>,
    /// VAT by country.
    per_country: Vec<CountryBody>,
    /// Amount to pay: the countries with more than 0.00.
    payable: Amount,
    /// All filed versions, oldest first.
    versions: Vec<VersionBody>,
}

fn rows(details: &OssReturnDetails, declaration: &Declaration) -> Vec<RowBody> {
    let row = |row: &oss::Row| RowBody {
        country: row.country.to_string(),
        supply: row.supply.as_str(),
        from: "NL",
        rate_type: details.rate_type(row).as_str(),
        rate: Number(row.rate.percent()),
        base: Amount(row.base),
        vat: Amount(row.vat),
    };
    declaration.rows.iter().map(row).collect()
}

fn corrections(declaration: &Declaration) -> Vec<CorrectionBody> {
    let correction = |correction: &oss::Correction| CorrectionBody {
        period: VatPeriod::from(correction.quarter).to_string(),
        country: correction.country.to_string(),
        vat: Amount(correction.vat),
    };
    declaration.corrections.iter().map(correction).collect()
}

impl From<&OssReturnDetails> for ReturnBody {
    fn from(details: &OssReturnDetails) -> Self {
        let declaration = &details.declaration;
        let versions = details.versions.iter().map(|(filing, content)| VersionBody {
            version: filing.version,
            filed_at: Moment(filing.filed_at),
            reopened_at: filing.reopened_at.map(Moment),
            rows: rows(details, content),
            corrections: corrections(content),
            payable: Amount(content.payable()),
        });
        let per_country = declaration.balances().into_iter().map(|balance| CountryBody {
            country: balance.country.to_string(),
            supplies: Amount(balance.supplies),
            corrections: Amount(balance.corrections),
            vat: Amount(balance.total()),
        });
        Self {
            period: details.period.to_string(),
            period_start: details.period.first_day(),
            period_end: details.period.last_day(),
            due_date: details.due_date,
            status: if details.filed().is_some() { "filed" } else { "open" },
            filed_at: details.last_filed().map(|filing| Moment(filing.filed_at)),
            nothing_to_declare: declaration.is_empty(),
            rows: rows(details, declaration),
            corrections: corrections(declaration),
            per_country: per_country.collect(),
            payable: Amount(declaration.payable()),
            versions: versions.collect(),
        }
    }
}

impl From<&OssStatus> for OssBody {
    fn from(status: &OssStatus) -> Self {
        let registrations = status.registrations.iter().map(|registration| RegistrationBody {
            from: registration.from,
            ground: registration.ground.as_str(),
            until: registration.until,
            noted_at: Moment(registration.noted_at),
        });
        let years = status.years.iter().map(|year| YearBody {
            year: year.year,
            counted: Amount(year.counted),
            passed_by: year.passed_by.map(|(invoice_id, date)| PassedByBody { invoice_id, date }),
        });
        Self {
            registrations: registrations.collect(),
            threshold: Amount(status.threshold),
            years: years.collect(),
            obliged_from: status.obliged_from,
        }
    }
}

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<OssBody, _, _>("/oss", "readOss", read)
            .says(
                "Read the registration for the Union scheme (OSS)",
                "Returns the registrations, and the turnover of goods and electronic services to \
                 consumers in other EU countries, by the last day of supply, or else the invoice \
                 date. Above 10 000 euros in this or the previous year the VAT of their country is \
                 due (art. 6k Wet OB 1968).",
            )
            .for_dutch_accounts(),
        Operation::act::<OssBody, _, _>("/oss", "registerForOss", Answer::Changed, register)
            .says(
                "Register for the Union scheme (OSS)",
                "Records a registration; one with the same first day is replaced. From that day on \
                 the category of goods and electronic services to consumers in other EU countries \
                 is `oss` by default. The registration is recorded in the books only; register at \
                 the tax office yourself.",
            )
            .with_body(
                input::schema(register_oss),
                json!({ "from": "2026-10-01", "ground": "choice" }),
            )
            .or(&[PERIOD_FILED])
            .for_dutch_accounts(),
        Operation::list::<ReturnBody, _, _>("/oss-returns", "listOssReturns", list)
            .says(
                "List the returns of the Union scheme (OSS)",
                "Returns the quarters in which the account is registered or that have something to \
                 declare, newest first; those of a year oldest first.",
            )
            .with_query(listed)
            .for_dutch_accounts(),
        Operation::read::<ReturnBody, _, _>("/oss-returns/{period}", "readOssReturn", read_return)
            .says(
                "Read the return of the Union scheme (OSS) of a quarter",
                "Returns an open return as the books stand, or a filed one as it was filed, in \
                 cents. A supply is declared in the quarter of its last day, or else of the invoice \
                 date. A credit note of a later quarter than the supply, and anything that falls \
                 into a filed quarter, is a correction on the next open return.",
            )
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::act::<ReturnBody, _, _>(
            "/oss-returns/{period}/file",
            "fileOssReturn",
            Answer::Changed,
            file,
        )
        .says(
            "File the return of the Union scheme (OSS) of a quarter",
            "Records the return as filed; nothing is sent to the tax office, and nothing is booked. \
             A return with nothing to declare must be filed too. No body is required.",
        )
        .or(&[NOT_FOUND, PERIOD_FILED, PERIOD_NOT_OVER])
        .files_returns()
        .for_dutch_accounts(),
        Operation::act::<ReturnBody, _, _>(
            "/oss-returns/{period}/reopen",
            "reopenOssReturn",
            Answer::Changed,
            reopen,
        )
        .says(
            "Reopen a filed return of the Union scheme (OSS)",
            "The return follows the books again; the filed version stays in `versions`. No body is \
             required.",
        )
        .or(&[NOT_FOUND, PERIOD_NOT_FILED])
        .files_returns()
        .for_dutch_accounts(),
    ]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let status = books.query(cx.actor.account, move |tx| oss::read(tx, &cx)).await?;
    Ok(reply::resource(&headers, &OssBody::from(&status)))
}

async fn register(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, register_oss);
    let Some(command) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    let account = cx.actor.account;
    let run = move |tx: &mut store::Tx<'_>| oss::register(tx, &cx, &command);
    once::answer(&app, account, run, |status| reply::changed(&OssBody::from(&status))).await
}

/// Filter and page of the list: year, whether filed, time of filing, last quarter of the previous
/// page, and number of rows.
type Filter = (Option<i16>, Option<bool>, Option<Timestamp>, Option<VatPeriod>, i64);

fn listed(query: &mut Query) -> (bool, Filter) {
    const STATES: &[(&str, bool)] = &[("open", false), ("filed", true)];
    let wants_external_id = query.wants_external_id();
    let meaning = "Year of the returns. Default: all.";
    let year = query.integer("year", meaning, 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let filed = query.choice("status", "Returns only open, or only filed returns.", STATES);
    let meaning = "Leaves out filed returns that were last filed or reopened before this time. \
                   Open ones change with the books, and are always included.";
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
        let mut all = oss::list(tx, &cx, year)?;
        all.retain(|details| {
            let (is_filed, period) = (details.filed().is_some(), details.period);
            let is_old = is_filed && since > details.changed_at();
            filed.is_none_or(|filed| filed == is_filed)
                && !is_old
                && after.is_none_or(
                    |after| if year.is_some() { period > after } else { period < after },
                )
        });
        let place = |last: &OssReturnDetails| last.period.to_string();
        Ok(reply::rows(&store::Page::of(all, limit), place, |details| {
            reply::body(&ReturnBody::from(details))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read_return(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(period): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let period = query::period(&period)?;
    let details =
        books.query(cx.actor.account, move |tx| oss::read_return(tx, &cx, period)).await?;
    Ok(reply::resource(&headers, &ReturnBody::from(&details)))
}

/// Returns a return as the body of a response; `id` is its id in the change feed.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let period =
        VatPeriod::from_id(id).ok_or(Error::NotFound("return of the Union scheme (OSS)"))?;
    Ok(reply::body(&ReturnBody::from(&oss::read_return(tx, cx, period)?)))
}

async fn file(
    state: State<AppState>,
    cx: Extension<Context>,
    path: Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act(state, cx, path, request, oss::file).await
}

async fn reopen(
    state: State<AppState>,
    cx: Extension<Context>,
    path: Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    act(state, cx, path, request, oss::reopen).await
}

/// Executes a command without a body on the return of a quarter.
async fn act(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(period): Path<String>,
    request: Request,
    command: fn(&mut store::Tx<'_>, &Context, VatPeriod) -> Result<OssReturnDetails, Error>,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let period = query::period(&period)?;
    let account = cx.actor.account;
    let run = move |tx: &mut store::Tx<'_>| command(tx, &cx, period);
    once::answer(&app, account, run, |details| reply::changed(&ReturnBody::from(&details))).await
}
