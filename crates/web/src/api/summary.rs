//! `GET /summary/{year}`: the annual summary.

use super::{
    number::{Amount, Number},
    query::{self, Query},
    reply,
};
use crate::{
    App, Reading,
    problem::{FaultAt, Problem},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use ledger::{calendar, chart, summary::AmountOf};
use serde::Serialize;
use service::{
    Actor,
    summary::{self, SummaryView},
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryBody {
    year: i16,
    revenue: Amount,
    costs: Amount,
    profit: Amount,
    revenue_by_account: Vec<AccountBody>,
    costs_by_account: Vec<AccountBody>,
    vat: VatBody,
    invoices: InvoicesBody,
    receivables: Amount,
    balance_sheet: BalanceSheetBody,
    hours_criterion: HoursBody,
    quarters: Vec<QuarterBody>,
    as_of: Date,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountBody {
    account_code: String,
    account_name: &'static str,
    rgs_code: &'static str,
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

#[derive(Serialize)]
struct VatBody {
    charged: Amount,
    deductible: Amount,
    payable: Amount,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InvoicesBody {
    count: i64,
    drafts: i64,
    paid: i64,
    outstanding_amount: Amount,
}

#[derive(Serialize)]
struct BalanceSheetBody {
    assets: Vec<AccountBody>,
    equity: Vec<AccountBody>,
    liabilities: Vec<AccountBody>,
    total: Amount,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HoursBody {
    required: Number,
    project_hours: Number,
    logged_hours: Number,
    total: Number,
    met: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QuarterBody {
    quarter: u8,
    revenue: Amount,
    costs: Amount,
    profit: Amount,
    vat_payable: Amount,
}

impl SummaryBody {
    fn new(view: &SummaryView, today: Date) -> Self {
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
                drafts: view.invoices.drafts,
                paid: view.invoices.paid,
                outstanding_amount: Amount(view.invoices.outstanding),
            },
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
            as_of: today,
        }
    }
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Query::of(raw.as_deref()).finish()?;
    let year = query::whole(&year).filter(|year| (2000..=2099).contains(year)).and_then(|year| i16::try_from(year).ok());
    let year = year.ok_or_else(|| {
        Problem::invalid([FaultAt::parameter("year", "out_of_range", "give the year as four digits, from 2000 to 2099")])
    })?;
    let view = books.ask(move |tx| summary::read(tx, &actor, year)).await?;
    Ok(reply::resource(&headers, &SummaryBody::new(&view, calendar::amsterdam_today(app.now()))))
}
