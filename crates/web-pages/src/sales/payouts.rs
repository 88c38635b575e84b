//! `/payouts`: payouts of payment providers.

use super::actions::day_of_undoing;
use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    id::Id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{bank_account::BankAccountKind, calendar::amsterdam_today, payout::FeeVat};
use service::{
    Context, Error, ledger_cards,
    payouts::{self, NewPayout, UndoPayout},
};
use store::{
    Tx,
    payouts::{Payout, PayoutSums},
};
use web_core::{
    input::{self, new_payout},
    problem::Problem,
};

/// Columns of a download.
const COLUMNS: [&str; 9] =
    ["id", "date", "provider", "amount", "fee", "feeVatTreatment", "feeVat", "entry", "status"];

#[derive(Template)]
#[template(path = "sales/payouts.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    list: ListState,
    pager: Pager,
    years: Vec<(String, bool)>,
    payouts: Vec<Payout>,
    sums: PayoutSums,
}

impl View<'_> {
    fn treatments(&self) -> Vec<(&'static str, Phrase<'static>)> {
        FeeVat::ALL
            .iter()
            .map(|treatment| (treatment.as_str(), self.treatment(*treatment)))
            .collect()
    }

    fn banks(&self) -> Vec<(String, String)> {
        self.page.bank_account_choices(BankAccountKind::Checking)
    }

    fn providers(&self) -> Vec<(String, String)> {
        self.page.bank_account_choices(BankAccountKind::PaymentProvider)
    }

    fn treatment(&self, treatment: FeeVat) -> Phrase<'static> {
        let texts = self.page.texts;
        match treatment {
            FeeVat::None => texts.t("fee-vat-none"),
            FeeVat::Normal => texts.t("fee-vat-normal"),
            FeeVat::ReverseCharge => texts.t("fee-vat-reverse-charge"),
            FeeVat::Eu => texts.t("fee-vat-eu"),
            FeeVat::Import => texts.t("fee-vat-import"),
        }
    }
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(page, "-date");
    let (filter, part) = (list.filter(page), list.part(list.rows()));
    let read = move |tx: &mut Tx<'_>| {
        Ok((payouts::table(tx, &cx, &filter, part)?, ledger_cards::years(tx, &cx)?))
    };
    let ((payouts, sums), years) = page.list(read).await?;
    let (pager, years) =
        (list.pager(usize::try_from(sums.count).unwrap_or(0)), list.years(years, list.year()));
    page.show_as(status, &View { page, form, list, pager, years, payouts, sums })
}

/// `GET /payouts`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", today.to_string()),
        ("feeVatTreatment", FeeVat::None.as_str().to_owned()),
    ]);
    show_with(&page, &form, StatusCode::OK).await
}

/// `GET /payouts.csv`, `GET /payouts.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, format) = (page.context(), page.format());
    let list = ListState::of(&page, "-date");
    let (filter, part) = (list.filter(&page), list.part((0, MOST_ROWS)));
    let (payouts, _) = page.list(move |tx| payouts::table(tx, &cx, &filter, part)).await?;
    let file = Download::begin(format, "payouts", &COLUMNS)?;
    file.answer(&page, payouts, |file, payout| {
        file.row([
            Cell::number(payout.id),
            Cell::Day(payout.date),
            Cell::text(payout.provider.as_deref()),
            Cell::number(payout.amount),
            Cell::number(payout.fee),
            Cell::Text(payout.fee_vat_treatment.as_str()),
            Cell::number(payout.fee_vat),
            Cell::number(payout.entry_id),
            Cell::Text(if payout.undone_at.is_some() { "undone" } else { "booked" }),
        ])
    })
    .await
}

/// `POST /payouts`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_payout);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewPayout| -> Result<String, Error> {
        let made = payouts::record(tx, cx, command)?.into_inner();
        let done = Done {
            code: "payout-recorded".into(),
            amount: Some(made.amount),
            entry: Some(made.entry_id),
            undo: Some(format!("/payouts/{}/undo", made.id)),
            ..Done::default()
        };
        Ok(done.at("/payouts"))
    };
    page.carry_out(form, parsed, run, async |form, status| show_with(&page, &form, status).await)
        .await
}

/// `POST /payouts/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed = day_of_undoing(&page, &form);
    let if_filed = form.if_filed();
    let form = form.goes_to(format!("/payouts/{id}/undo"));
    let run = move |tx: &mut Tx<'_>, cx: &Context, date: &Option<jiff::civil::Date>| {
        let undone = payouts::undo(tx, cx, id, UndoPayout { date: *date, if_filed })?;
        let done = Done {
            code: "payout-undone".into(),
            amount: Some(undone.amount),
            entry: undone.undoing_entry_id,
            ..Done::default()
        };
        Ok(done.at("/payouts"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        let form = form.with(SUBMISSION, page.new_submission()?);
        show_with(&page, &form, status).await
    })
    .await
}
