//! Tax: VAT returns, payments of VAT, and the year.

mod settings;
mod vat;
mod vat_list;
mod vat_payments;
mod vat_view;
mod year;
mod year_view;

use crate::{
    page::Authenticated,
    table::{Group, Page},
};
use ledger::calendar::Quarter;
use service::Context;
use web_core::problem::{self, Problem};

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/vat")
            .get(vat_list::show)
            .files(vat_list::download)
            .linked(Group::Tax, "percent", "v", |texts| texts.t("nav-vat")),
        Page::at("/vat/{year}/{quarter}").get(vat::show),
        Page::at("/vat/{year}/{quarter}/icp").files(vat::icp),
        Page::at("/vat/{year}/{quarter}/file").post(vat::file),
        Page::at("/vat/{year}/{quarter}/reopen").post(vat::reopen),
        Page::at("/vat/{year}/{quarter}/payment").post(vat::pay),
        Page::at("/vat-payments").get(vat_payments::show).post(vat_payments::send).files(vat_payments::download),
        Page::at("/vat-payments/{id}/undo").post(vat::undo_payment).shown_at("/vat-payments"),
        Page::at("/vat-scheme").get(settings::of_scheme),
        Page::at("/year").get(year::this_year).linked(Group::Tax, "calendar", "y", |texts| texts.t("nav-year")),
        Page::at("/year/{year}").get(year::show),
        Page::at("/year/{year}/close").post(year::close),
        Page::at("/year/{year}/reopen").post(year::reopen),
        Page::at("/settings/vat").get(settings::show).post(settings::send),
    ];
    pages.into_iter().map(Page::dutch).collect()
}

/// The owner, whose account must be in the Netherlands.
fn owner(page: &Authenticated) -> Result<Context, Problem> {
    let cx = page.context();
    cx.actor.require_dutch()?;
    Ok(cx)
}

/// A quarter in an address.
async fn quarter(year: &str, number: &str) -> Result<Quarter, Problem> {
    let digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let found = if digits(year, 4) && digits(number, 1) {
        year.parse().ok().zip(number.parse().ok()).and_then(|(year, number)| Quarter::new(year, number))
    } else {
        None
    };
    match found {
        Some(quarter) => Ok(quarter),
        None => Err(problem::unknown_route().await),
    }
}

/// Where the return of a quarter is.
fn path_of(quarter: Quarter) -> String {
    format!("/vat/{}/{}", quarter.year(), quarter.number())
}
