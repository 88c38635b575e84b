//! `GET /kor`: the turnover of a year under the small businesses scheme (KOR).

use crate::{
    number::Amount,
    operation::Operation,
    query::{self, Query},
    reply,
};
use axum::{Extension, extract::RawQuery, http::HeaderMap, response::Response};
use jiff::civil::Date;
use ledger::kor::KorKind;
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context, Error,
    kor::{self, KorYear},
};
use store::Tx;
use web_core::{ReadContext, input::english, problem::Problem};

/// Turnover of a calendar year, compared with the limit of the small businesses scheme.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Kor")]
struct KorBody {
    /// Calendar year.
    year: i16,
    /// Turnover limit of the scheme.
    threshold: Amount,
    /// Turnover in the year that counts towards the limit, including drafts.
    counted: Amount,
    /// Turnover as a whole percentage of the limit, rounded down.
    #[schemars(example = &75)]
    percent: i64,
    /// Turnover in the previous year that counted towards the limit.
    previous_year: Amount,
    /// Whether the scheme applies: today in the current year, otherwise on 31 December.
    #[schemars(example = &true)]
    applies: bool,
    /// First invoice that passes the limit; null if none does.
    passed_by: Option<PassedByBody>,
    /// First day on which the scheme can begin if the tax office is notified today; null while the
    /// scheme applies.
    #[schemars(example = &"2027-01-01")]
    earliest_start: Option<Date>,
    /// Day before which the scheme may not begin again after its end.
    #[schemars(example = &"2028-01-01")]
    barred_until: Option<Date>,
    /// Turnover by kind of supply.
    lines: Vec<LineBody>,
}

/// Invoice that passes the limit of the scheme.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "KorPassedBy")]
struct PassedByBody {
    /// Id of the invoice.
    invoice_id: i64,
    /// Last day of supply, or else the invoice date.
    date: Date,
}

/// Supplies of one kind.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KorLine")]
struct LineBody {
    /// Kind of supply.
    #[schemars(extend("enum" = KorKind::ALL.map(KorKind::as_str)))]
    kind: &'static str,
    /// Amount, excluding VAT; credit notes are deducted.
    amount: Amount,
    /// Whether supplies of this kind count towards the limit.
    #[schemars(example = &true)]
    counts: bool,
    /// Reason why they do or do not count, with the article of the law.
    #[schemars(example = &"taxed without the scheme (art. 25(1) Wet OB 1968)")]
    why: &'static str,
}

impl KorBody {
    fn new(kor: &KorYear) -> Self {
        Self {
            year: kor.year,
            threshold: Amount(kor.threshold),
            counted: Amount(kor.counted),
            percent: kor.percent(),
            previous_year: Amount(kor.previous),
            applies: kor.applies,
            passed_by: kor.passed_by.map(|(invoice_id, date)| PassedByBody { invoice_id, date }),
            earliest_start: kor.earliest_start,
            barred_until: kor.barred_until,
            lines: kor
                .lines
                .iter()
                .map(|line| LineBody {
                    kind: line.kind.as_str(),
                    amount: Amount(line.amount),
                    counts: line.kind.counts(),
                    why: english::kor_kind(line.kind),
                })
                .collect(),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<KorBody, _, _>("/kor", "readKor", read)
            .says(
                "Read the turnover for the small businesses scheme",
                "Returns the turnover of a calendar year (art. 25 Wet OB 1968) by the last day of \
                 supply, or else the invoice date, and the invoice that passes the limit.",
            )
            .with_query(year)
            .for_dutch_accounts(),
    ]
}

/// Returns the turnover of a year as the API shows it.
pub(crate) fn shown(tx: &mut Tx<'_>, cx: &Context, year: i64) -> Result<Vec<u8>, Error> {
    let year = i16::try_from(year).map_err(|_| Error::NotFound("year"))?;
    Ok(reply::body(&KorBody::new(&kor::read(tx, cx, Some(year))?)))
}

fn year(query: &mut Query) -> Option<i64> {
    query.integer("year", "Calendar year. Default: the current one.", 2000, 2099)
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let year = query::read(raw.as_deref(), year)?.and_then(|year| i16::try_from(year).ok());
    let kor = books.query(cx.actor.account, move |tx| kor::read(tx, &cx, year)).await?;
    Ok(reply::resource(&headers, &KorBody::new(&kor)))
}
