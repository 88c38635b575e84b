//! `GET /summary/{year}`: the annual summary.

use crate::{
    number::{Amount, Number},
    operation::Operation,
    query::{self, Query},
    reply,
    tax::vat_boxes::OfWhichDraftsBody,
};
use axum::{
    Extension,
    extract::{Path, RawQuery},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::{self, Date};
use ledger::{language::Language, own_account::OwnAccounts, summary::AmountOf};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    summary::{self, SummaryDetails},
    vat_reconciliation::{self, PeriodBalance},
};
use web_core::{
    ReadContext,
    problem::{FaultAt, Problem},
};

/// The annual summary: result, VAT, invoices, balance sheet and hours of a calendar year. Result,
/// VAT and balance sheet equal the totals of the journal entries to the cent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnnualSummary")]
struct SummaryBody {
    /// Calendar year.
    year: i16,
    /// Turnover, excluding VAT.
    revenue: Amount,
    /// Costs, excluding deductible VAT.
    costs: Amount,
    /// Revenue less costs.
    profit: Amount,
    /// Revenue by ledger account.
    revenue_by_account: Vec<AccountBody>,
    /// Costs by ledger account.
    costs_by_account: Vec<AccountBody>,
    /// VAT of the year.
    vat: VatBody,
    /// Invoices and credit notes of the year.
    invoices: InvoicesBody,
    /// Part of the revenue, VAT and receivables that comes from drafts of the year.
    of_which_drafts: OfWhichDraftsBody,
    /// Amount that customers still owe on the date `asOf`, on invoices of all years.
    receivables: Amount,
    /// Balance sheet.
    balance_sheet: BalanceSheetBody,
    /// Hours criterion.
    hours_criterion: HoursBody,
    /// The four quarters.
    quarters: Vec<QuarterBody>,
    /// Last day included in result and balance sheet: 31 December, or the requested date.
    as_of: Date,
}

/// Amount of a ledger account.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AmountOfAccount")]
struct AccountBody {
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Name of the ledger account: in English, or as you named an account of your own.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: String,
    /// Code in the Dutch reference chart of accounts (RGS 3.7).
    #[schemars(example = &"WOmzNodOdh")]
    rgs_code: String,
    /// Amount in euros.
    amount: Amount,
}

fn accounts(amounts: &[AmountOf], own: &OwnAccounts) -> Vec<AccountBody> {
    let body = |of: &AmountOf| AccountBody {
        account_code: of.account.to_string(),
        account_name: own.name(of.account, Language::English).to_owned(),
        rgs_code: own.rgs(of.account).to_owned(),
        amount: Amount(of.amount),
    };
    amounts.iter().map(body).collect()
}

/// VAT of the year.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatOfYear")]
struct VatBody {
    /// VAT on sales, and VAT reverse-charged to the account.
    charged: Amount,
    /// Deducted VAT on purchases (input VAT).
    deductible: Amount,
    /// Charged less deductible VAT; negative if a refund is due.
    payable: Amount,
}

/// Invoices and credit notes of the year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvoicesOfYear")]
struct InvoicesBody {
    /// Number of invoices and credit notes.
    count: i64,
    /// Number of drafts included in `count`.
    drafts: i64,
    /// Number of paid invoices.
    paid: i64,
    /// Amount that customers still owe on invoices of the year.
    outstanding_amount: Amount,
}

/// Assets, equity and liabilities at the end of the day `asOf`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BalanceSheet")]
struct BalanceSheetBody {
    /// Assets.
    assets: Vec<AccountBody>,
    /// Equity of the owner.
    equity: Vec<AccountBody>,
    /// Liabilities.
    liabilities: Vec<AccountBody>,
    /// Total of the assets, equal to the total of equity and liabilities.
    total: Amount,
    /// VAT of the periods of the year, and of earlier ones that are not settled. The open amounts
    /// and the balance of account 1785 add up to the VAT in the balance sheet (account 1780).
    vat_reconciliation: Vec<PeriodBalanceBody>,
}

/// VAT of a period at the end of the year.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatOfPeriod")]
struct PeriodBalanceBody {
    /// Id of the VAT period; null for VAT without a period: opening balances, subsequent
    /// assessments, and payments that name no period.
    #[schemars(example = &"2026-Q4")]
    period: Option<String>,
    /// Declared amount to pay; null if the return is not filed. Without a period, the amount that
    /// was due.
    declared: Option<Amount>,
    /// Amount paid by the end of the year.
    paid: Amount,
    /// Amount still to be paid: the declared amount or, if the return is not filed, the exact
    /// amount, less the amount paid.
    open: Amount,
}

impl From<&PeriodBalance> for PeriodBalanceBody {
    fn from(of: &PeriodBalance) -> Self {
        Self {
            period: of.period.map(|period| period.to_string()),
            declared: of.declared.map(Amount),
            paid: Amount(of.paid),
            open: Amount(of.open),
        }
    }
}

/// The hours criterion for income tax (urencriterium): hours on projects and hours in the log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HoursCriterion")]
struct HoursBody {
    /// Hours required by law.
    required: Number,
    /// Hours on projects.
    project_hours: Number,
    /// Hours in the log.
    logged_hours: Number,
    /// Total hours.
    total: Number,
    /// Hours on future dates, which are not included in the total.
    future_hours: Number,
    /// Whether the total reaches the required hours.
    reached: bool,
    /// Whether most of the working time is spent on the business; null if the owner has not
    /// answered.
    majority_of_time: Option<bool>,
    /// Whether the criterion is met: the required hours are reached and, unless the owner is a
    /// starter, most of the working time is spent on the business.
    met: bool,
}

/// A quarter of the year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuarterOfYear")]
struct QuarterBody {
    /// Quarter, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// Turnover, excluding VAT.
    revenue: Amount,
    /// Costs, excluding deductible VAT.
    costs: Amount,
    /// Revenue less costs.
    profit: Amount,
    /// VAT payable for the quarter; negative if a refund is due.
    vat_payable: Amount,
}

impl SummaryBody {
    fn new(view: &SummaryDetails, vat: &[PeriodBalance], as_of: Date, own: &OwnAccounts) -> Self {
        let summary = &view.summary;
        let sheet = &summary.balance_sheet;
        Self {
            year: view.year,
            revenue: Amount(summary.revenue),
            costs: Amount(summary.costs),
            profit: Amount(summary.profit),
            revenue_by_account: accounts(&summary.revenue_by_account, own),
            costs_by_account: accounts(&summary.costs_by_account, own),
            vat: VatBody {
                charged: Amount(summary.vat_charged),
                deductible: Amount(summary.vat_deductible),
                payable: Amount(summary.vat_payable),
            },
            invoices: InvoicesBody {
                count: view.invoices.count,
                drafts: view.invoices.drafts.count,
                paid: view.invoices.paid,
                outstanding_amount: Amount(view.invoices.outstanding),
            },
            of_which_drafts: view.invoices.drafts.into(),
            receivables: Amount(summary.receivables),
            balance_sheet: BalanceSheetBody {
                assets: accounts(&sheet.assets, own),
                equity: accounts(&sheet.equity, own),
                liabilities: accounts(&sheet.liabilities, own),
                total: Amount(sheet.total),
                vat_reconciliation: vat.iter().map(Into::into).collect(),
            },
            hours_criterion: HoursBody {
                required: view.hours.required.into(),
                project_hours: view.hours.project.into(),
                logged_hours: view.hours.logged.into(),
                total: view.hours.total.into(),
                future_hours: view.hours.future.into(),
                reached: view.hours.reached,
                majority_of_time: view.hours.majority_of_time,
                met: view.hours.met,
            },
            quarters: summary
                .quarters
                .iter()
                .map(|quarter| QuarterBody {
                    quarter: quarter.quarter,
                    revenue: Amount(quarter.revenue),
                    costs: Amount(quarter.costs),
                    profit: Amount(quarter.profit),
                    vat_payable: Amount(quarter.vat_payable),
                })
                .collect(),
            as_of,
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<SummaryBody, _, _>("/summary/{year}", "readSummary", read)
            .says(
                "Read the annual summary",
                "Result and balance sheet include everything booked in the year, or up to the \
                 date `asOf`; VAT, invoices and hours are those of the whole year. The response \
                 time does not depend on the number of journal entries.",
            )
            .with_query(as_of),
    ]
}

/// Reads the last day to include.
fn as_of(query: &mut Query) -> Option<Date> {
    query.day("asOf", "Last day to include in result and balance sheet, within the year. Default: the whole year.")
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let year = query::year(&year)?;
    let last_day = query::read(raw.as_deref(), as_of)?;
    if last_day.is_some_and(|day| day.year() != year) {
        let message = "give a day of the year that is asked for";
        return Err(Problem::invalid([FaultAt::parameter("asOf", "out_of_range", message)]));
    }
    let (account, today) = (cx.actor.account, cx.today());
    let own = cx.actor.own_accounts.clone();
    let (view, vat) = books
        .query(account, move |tx| {
            let view = summary::read(tx, &cx, year, today, last_day)?;
            Ok((view, vat_reconciliation::read(tx, &cx, year, last_day)?))
        })
        .await?;
    let as_of = last_day.unwrap_or_else(|| civil::date(year, 12, 31));
    Ok(reply::resource(&headers, &SummaryBody::new(&view, &vat, as_of, &own)))
}
