//! `/vat`: the returns of all periods, newest first.

use super::path_of;
use crate::{
    frame::download::{Cell, Download},
    html::Rich,
    page::Authenticated,
    texts::Phrase,
};
use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use ledger::money::Cents;
use service::{
    vat_filings::{self, VatReturnDetails},
    vat_payments,
};
use web_core::problem::Problem;

/// Maximum number of periods listed: ten years of months.
const MOST: usize = 120;
/// Columns of a download. Amounts are in euros; the payable amount is the declared one.
const COLUMNS: [&str; 6] = ["period", "status", "fileBy", "payBy", "payable", "remaining"];

#[derive(Template)]
#[template(path = "tax/vat-list.html")]
struct View<'a> {
    page: &'a Authenticated,
    /// Returns, each with its unpaid amount.
    returns: Vec<(VatReturnDetails, Cents)>,
    today: Date,
}

/// Status of a return: tone and text of its badge.
pub(super) fn state(
    page: &Authenticated,
    details: &VatReturnDetails,
    today: Date,
) -> (&'static str, Phrase<'static>) {
    let period = details.period;
    if details.filed().is_some() {
        ("good", page.texts.t("vat-state-filed"))
    } else if !details.versions.is_empty() && today <= details.deadline().file_by {
        ("warn", page.texts.t("vat-state-refile"))
    } else if !details.versions.is_empty() {
        ("warn", page.texts.t("vat-state-suppletie"))
    } else if today <= period.last_day() {
        ("plain", page.texts.t("vat-state-so-far"))
    } else if !details.is_asked_for() {
        ("plain", page.texts.t("vat-state-none"))
    } else if today <= details.deadline().file_by {
        ("", page.texts.t("vat-state-to-file"))
    } else {
        ("bad", page.texts.t("vat-state-late"))
    }
}

impl View<'_> {
    /// Whether the small businesses scheme (KOR) currently applies.
    fn has_kor(&self) -> bool {
        self.returns.first().is_some_and(|(details, _)| details.kor)
    }

    fn state(&self, details: &VatReturnDetails) -> (&'static str, Phrase<'static>) {
        state(self.page, details, self.today)
    }

    fn path(&self, details: &VatReturnDetails) -> String {
        path_of(details.period)
    }

    fn name(&self, details: &VatReturnDetails) -> String {
        self.page.texts.vat_period(details.period)
    }

    /// Payment deadline.
    fn pay_by(&self, details: &VatReturnDetails) -> Date {
        details.deadline().pay_by.unwrap_or(details.deadline().file_by)
    }

    /// Payment status of a return; `None` if it is not filed, or zero was declared and nothing is
    /// unpaid.
    fn payment(
        &self,
        details: &VatReturnDetails,
        remaining: &Cents,
    ) -> Option<(&'static str, Rich<'static>)> {
        let (filing, page) = (details.filed()?, self.page);
        let is_late = *remaining > Cents::ZERO && self.pay_by(details) < self.today;
        let tone = if is_late { "second late" } else { "second" };
        let text = match *remaining {
            Cents::ZERO if filing.declared_payable < 0 => page.rich("vat-list-received"),
            Cents::ZERO if filing.declared_payable > 0 => page.rich("vat-list-paid"),
            Cents::ZERO => return None,
            remaining if remaining > Cents::ZERO => {
                page.rich("vat-list-left").with("amount", page.money(remaining))
            }
            remaining => page.rich("vat-list-back").with("amount", page.money(-remaining)),
        };
        Some((tone, text))
    }

    /// Whether the return is the next to file: the oldest unfiled one.
    fn is_next(&self, details: &VatReturnDetails) -> bool {
        let next = self.returns.iter().rev().find(|(details, _)| details.filed().is_none());
        next.is_some_and(|(next, _)| next.period == details.period)
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn payable(&self, details: &VatReturnDetails) -> i64 {
        payable(details)
    }
}

/// Payable amount in whole euros; for a filed return, the amount as filed.
fn payable(details: &VatReturnDetails) -> i64 {
    details.filed().map_or(details.vat_return.declared_payable, |filing| filing.declared_payable)
}

/// `GET /vat`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let today = page.context().today();
    let returns = read(&page).await?;
    page.show(&View { page: &page, returns, today })
}

/// `GET /vat.csv`, `GET /vat.xlsx`: the returns as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let returns = read(&page).await?;
    let file = Download::begin(page.format(), "vat-returns", &COLUMNS)?;
    file.answer(&page, returns, |file, (details, remaining)| {
        let (filing, deadline) = (details.filed(), details.deadline());
        file.row([
            Cell::Text(&details.period.to_string()),
            Cell::Text(if filing.is_some() { "filed" } else { "open" }),
            Cell::Day(deadline.file_by),
            Cell::Day(deadline.pay_by.unwrap_or(deadline.file_by)),
            Cell::number(payable(details)),
            Cell::number(if filing.is_some() { *remaining } else { Cents::ZERO }),
        ])
    })
    .await
}

/// Reads the last [`MOST`] returns, newest first, each with its unpaid amount.
async fn read(page: &Authenticated) -> Result<Vec<(VatReturnDetails, Cents)>, Problem> {
    let cx = page.context();
    let question = move |tx: &mut store::Tx<'_>| {
        let mut periods = vat_filings::returns(tx, &cx)?;
        periods.truncate(MOST);
        let read = |period| {
            let details = vat_filings::read(tx, &cx, period)?;
            let remaining =
                vat_payments::remaining(&details, &vat_payments::of_period(tx, &cx, period)?);
            Ok::<_, service::Error>((details, remaining))
        };
        periods.into_iter().map(read).collect::<Result<Vec<_>, _>>()
    };
    Ok(page.list(question).await?)
}
