//! `GET /summary/{year}`: the annual summary.

use crate::{
    number::{Amount, Number},
    operation::Operation,
    query::{self, Query},
    reply,
    vat_filings::OfWhichDraftsBody,
};
use axum::{
    Extension,
    extract::{Path, RawQuery},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::{self, Date};
use ledger::{chart, summary::AmountOf};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    summary::{self, SummaryDetails},
};
use web_core::{
    ReadContext,
    problem::{FaultAt, Problem},
};

/// The annual summary: result, VAT, invoices, balance sheet and hours of a calendar year. It equals, to the cent, what summing the entries gives.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnnualSummary")]
struct SummaryBody {
    /// The calendar year.
    year: i16,
    /// Turnover, excluding VAT.
    revenue: Amount,
    /// Costs, excluding deductible VAT.
    costs: Amount,
    /// Revenue less costs.
    profit: Amount,
    /// Revenue, by account of the chart.
    revenue_by_account: Vec<AccountBody>,
    /// Costs, by account of the chart.
    costs_by_account: Vec<AccountBody>,
    /// VAT of the year.
    vat: VatBody,
    /// The year's invoices and credit notes.
    invoices: InvoicesBody,
    /// What of revenue, VAT and receivables still stands on drafts of the year.
    of_which_drafts: OfWhichDraftsBody,
    /// Still to be received from customers, of all years.
    receivables: Amount,
    /// The balance sheet.
    balance_sheet: BalanceSheetBody,
    /// The hours criterion.
    hours_criterion: HoursBody,
    /// The four quarters.
    quarters: Vec<QuarterBody>,
    /// The last day that result and balance sheet take in: 31 December unless another was asked for.
    as_of: Date,
}

/// What stands on an account of the chart.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AmountOfAccount")]
struct AccountBody {
    /// The account of the chart, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Its name in English.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: &'static str,
    /// Its code in the Dutch reference chart of accounts (RGS 3.7).
    #[schemars(example = &"WOmzNodOdh")]
    rgs_code: &'static str,
    /// Euros.
    amount: Amount,
}

impl From<&AmountOf> for AccountBody {
    fn from(of: &AmountOf) -> Self {
        let account = chart::account(of.account);
        Self {
            account_code: of.account.to_string(),
            account_name: account.english,
            rgs_code: account.rgs,
            amount: Amount(of.amount),
        }
    }
}

fn accounts(amounts: &[AmountOf]) -> Vec<AccountBody> {
    amounts.iter().map(AccountBody::from).collect()
}

/// VAT of the year.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatOfYear")]
struct VatBody {
    /// VAT on sales, and VAT that was reversed to the account.
    charged: Amount,
    /// VAT on purchases that is deducted (input VAT).
    deductible: Amount,
    /// Charged less deductible; negative is to be received.
    payable: Amount,
}

/// The year's invoices and credit notes.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvoicesOfYear")]
struct InvoicesBody {
    /// Invoices and credit notes.
    count: i64,
    /// Of these, drafts.
    drafts: i64,
    /// Invoices that are paid.
    paid: i64,
    /// Still to be received on invoices of the year.
    outstanding_amount: Amount,
}

/// What is owned and owed at the end of the year, or now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BalanceSheet")]
struct BalanceSheetBody {
    /// What is owned.
    assets: Vec<AccountBody>,
    /// The owner's equity.
    equity: Vec<AccountBody>,
    /// What is owed.
    liabilities: Vec<AccountBody>,
    /// The sum of either side.
    total: Amount,
}

/// The hours criterion of the income tax (urencriterium): hours on projects and hours in the log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HoursCriterion")]
struct HoursBody {
    /// Hours that the law asks for.
    required: Number,
    /// On projects.
    project_hours: Number,
    /// In the hours log.
    logged_hours: Number,
    /// Both together.
    total: Number,
    /// Hours of days that are still to come, which are not among these.
    future_hours: Number,
    /// Whether there are enough hours.
    reached: bool,
    /// Whether most of the working time goes into the business; null as long as the owner did not say it.
    majority_of_time: Option<bool>,
    /// Whether the criterion is met: enough hours, and most of the working time unless the owner is a starter.
    met: bool,
}

/// A quarter of the year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuarterOfYear")]
struct QuarterBody {
    /// 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// Turnover, excluding VAT.
    revenue: Amount,
    /// Costs, excluding deductible VAT.
    costs: Amount,
    /// Revenue less costs.
    profit: Amount,
    /// VAT to pay for the quarter; negative is to be received.
    vat_payable: Amount,
}

impl SummaryBody {
    fn new(view: &SummaryDetails, as_of: Date) -> Self {
        let summary = &view.summary;
        let sheet = &summary.balance_sheet;
        Self {
            year: view.year,
            revenue: Amount(summary.revenue),
            costs: Amount(summary.costs),
            profit: Amount(summary.profit),
            revenue_by_account: accounts(&summary.revenue_by_account),
            costs_by_account: accounts(&summary.costs_by_account),
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
                assets: accounts(&sheet.assets),
                equity: accounts(&sheet.equity),
                liabilities: accounts(&sheet.liabilities),
                total: Amount(sheet.total),
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
                "Result and balance sheet hold all that is booked in the year, or up to the day `asOf`; VAT, invoices and hours are those of \
                 the whole year. Costs the same for ten entries and for ten million.",
            )
            .with_query(as_of),
    ]
}

/// The last day to take in.
fn as_of(query: &mut Query) -> Option<Date> {
    query.day("asOf", "Result and balance sheet up to and including this day of the year. Default: the whole year.")
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let year = query::year(&year)?;
    let asked = query::read(raw.as_deref(), as_of)?;
    if asked.is_some_and(|day| day.year() != year) {
        let message = "give a day of the year that is asked for";
        return Err(Problem::invalid([FaultAt::parameter("asOf", "out_of_range", message)]));
    }
    let today = cx.today();
    let view = books.query(cx.actor.account, move |tx| summary::read(tx, &cx, year, today, asked)).await?;
    let as_of = asked.unwrap_or_else(|| civil::date(year, 12, 31));
    Ok(reply::resource(&headers, &SummaryBody::new(&view, as_of)))
}
