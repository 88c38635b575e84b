//! Tax: VAT returns, payments of VAT, and the year.

mod closing_view;
mod icp;
mod kor;
mod oss;
mod settings;
mod vat;
mod vat_list;
mod vat_payments;
mod vat_revisions;
mod vat_view;
mod year;
mod year_view;

use crate::{
    id,
    table::{Group, Page},
};
use axum::{extract::FromRequestParts, http::request::Parts};
use ledger::vat_period::VatPeriod;
use web_core::problem::Problem;

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/vat").get(vat_list::show).files(vat_list::download).linked(
            Group::Tax,
            "percent",
            "v",
            |texts| texts.t("nav-vat"),
        ),
        Page::at("/vat/{period}").get(vat::show),
        Page::at("/vat/{period}/icp").files(vat::icp),
        Page::at("/vat/{period}/file").post(vat::file),
        Page::at("/vat/{period}/reopen").post(vat::reopen),
        Page::at("/vat/{period}/payment").post(vat::pay),
        Page::at("/vat/{year}/{quarter}").get(vat::show),
        Page::at("/vat/{year}/{quarter}/icp").files(vat::icp),
        Page::at("/vat/{year}/{quarter}/file").post(vat::file),
        Page::at("/vat/{year}/{quarter}/reopen").post(vat::reopen),
        Page::at("/vat/{year}/{quarter}/payment").post(vat::pay),
        Page::at("/icp").get(icp::list),
        Page::at("/icp/{period}").get(icp::show),
        Page::at("/icp/{period}/file").post(icp::file),
        Page::at("/icp/{period}/reopen").post(icp::reopen),
        Page::at("/vat-payments")
            .get(vat_payments::show)
            .post(vat_payments::send)
            .files(vat_payments::download),
        Page::at("/vat-payments/{id}/undo").post(vat::undo_payment).shown_at("/vat-payments"),
        Page::at("/kor").get(kor::show),
        Page::at("/vat-revisions/{year}").get(vat_revisions::show).post(vat_revisions::revise),
        Page::at("/vat-revisions/{year}/undo").post(vat_revisions::undo),
        Page::at("/oss").get(oss::show).post(oss::send),
        Page::at("/oss/{period}").get(oss::show_return),
        Page::at("/oss/{period}/file").post(oss::file),
        Page::at("/oss/{period}/reopen").post(oss::reopen),
        Page::at("/oss/{period}/payment").post(oss::pay),
        Page::at("/vat-scheme").get(settings::of_scheme),
        Page::at("/year")
            .get(year::this_year)
            .linked(Group::Tax, "calendar", "y", |texts| texts.t("nav-year")),
        Page::at("/year/{year}").get(year::show).post(year::act),
        Page::at("/year/{year}/close").post(year::close),
        Page::at("/year/{year}/reopen").post(year::reopen),
        Page::at("/settings/vat").get(settings::show).post(settings::send),
    ];
    pages.into_iter().map(Page::dutch).collect()
}

/// VAT period in a path: `/{period}`, or `/{year}/{quarter}` for a quarter.
struct Period(VatPeriod);

impl<S: Sync + Send> FromRequestParts<S> for Period {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        id::read(parts, state, |values| match values {
            [period] => VatPeriod::parse(period).map(Self),
            [year, quarter] => VatPeriod::parse(&format!("{year}-Q{quarter}")).map(Self),
            _ => None,
        })
        .await
    }
}

/// Year in a path.
struct Year(i16);

impl<S: Sync + Send> FromRequestParts<S> for Year {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let is_year = |text: &str, year: i16| text.len() == 4 && (2000..=2099).contains(&year);
        id::read(parts, state, |values| {
            let text = values.first()?;
            text.parse().ok().filter(|year| is_year(text, *year)).map(Self)
        })
        .await
    }
}

/// Path of the page of a period's return.
pub(crate) fn path_of(period: VatPeriod) -> String {
    match period.as_quarter() {
        Some(quarter) => format!("/vat/{}/{}", quarter.year(), quarter.number()),
        None => format!("/vat/{period}"),
    }
}
