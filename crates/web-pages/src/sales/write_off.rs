//! `/invoices/{id}/write-off`: writes off an uncollectible amount.

use crate::{done::Done, form::Form, id::Id, page::Authenticated, submit::SUBMISSION};
use askama::Template;
use axum::response::Response;
use ledger::{calendar::amsterdam_today, money::Cents};
use service::{
    Context, Error,
    invoices::{self, InvoiceDetails},
    write_offs::{self, NewWriteOff},
};
use store::Tx;
use web_core::{
    input::{self, new_write_off},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/write-off.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    invoice: &'a InvoiceDetails,
    /// Maximum amount that can be written off, formatted.
    most: &'a str,
}

impl View<'_> {
    fn address(&self) -> String {
        format!("/invoices/{}", self.invoice.invoice.id)
    }
}

/// Invoice with the maximum amount that can be written off.
async fn read(page: &Authenticated, id: i64) -> Result<(InvoiceDetails, Cents), Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = invoices::read(tx, &cx, id)?;
        let most = write_offs::most_of(tx, &cx, &details)?;
        Ok::<_, Error>((details, most))
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// `GET /invoices/{id}/write-off`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let (invoice, most) = read(&page, id).await?;
    let today = amsterdam_today(page.app.now());
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", today.to_string()),
        ("amount", page.texts.money_field(most)),
    ]);
    page.show(&View { page: &page, form: &form, invoice: &invoice, most: &page.texts.money(most) })
}

/// `POST /invoices/{id}/write-off`
pub(super) async fn send(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let (invoice, most) = read(&page, id).await?;
    let parsed = input::form(form.pairs(), page.texts.language, |fields| new_write_off(fields, id));
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewWriteOff| {
        let made = write_offs::record(tx, cx, command)?.into_inner();
        let done = Done {
            code: "invoice-written-off".into(),
            amount: Some(made.amount),
            entry: Some(made.entry_id),
            undo: Some(format!("/invoices/{id}/write-off/{}/undo", made.id)),
            ..Done::default()
        };
        Ok(done.at(&format!("/invoices/{id}")))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        let view =
            View { page: &page, form: &form, invoice: &invoice, most: &page.texts.money(most) };
        page.show_as(status, &view)
    })
    .await
}
