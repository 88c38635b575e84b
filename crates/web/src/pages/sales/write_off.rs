//! `/invoices/{id}/write-off`: what a customer does not pay is given up.

use super::{id, owner};
use crate::{
    input::{self, new_write_off},
    pages::{
        done::Done,
        form::Form,
        id::Id,
        page::Authenticated,
        submit::{SUBMISSION, Submitted},
    },
    problem::Problem,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::Timestamp;
use ledger::calendar::amsterdam_today;
use service::{
    Actor,
    invoices::{self, InvoiceDetails},
    write_offs::{self, NewWriteOff},
};
use store::Tx;

#[derive(Template)]
#[template(path = "sales/write-off.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    invoice: &'a InvoiceDetails,
}

impl View<'_> {
    fn address(&self) -> String {
        format!("/invoices/{}", self.invoice.invoice.id)
    }
}

async fn read(page: &Authenticated, id: i64) -> Result<InvoiceDetails, Problem> {
    let actor = owner(page)?;
    Ok(page.app.read(move |tx| invoices::read(tx, &actor, id)).await?)
}

/// `GET /invoices/{id}/write-off`
pub(super) async fn show(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let invoice = read(&page, id(&text).await?).await?;
    let today = amsterdam_today(page.app.now());
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", today.to_string()),
        ("amount", page.texts.money_field(invoice.amount_due())),
    ]);
    page.show(&View { page: &page, form: &form, invoice: &invoice })
}

/// `POST /invoices/{id}/write-off`
pub(super) async fn send(page: Authenticated, Id(text): Id, mut form: Form) -> Result<Response, Problem> {
    let id = id(&text).await?;
    let invoice = read(&page, id).await?;
    let fields = form.pairs().filter(|(name, _)| *name != "externalId");
    let parsed = input::form(fields, page.texts.language, |fields| new_write_off(fields, id));
    let run = move |tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewWriteOff| {
        let made = write_offs::record(tx, actor, now, command)?.into_inner();
        let done = Done {
            code: "invoice-written-off".into(),
            amount: Some(made.amount),
            entry: Some(made.entry_id),
            undo: Some(format!("/invoices/{id}/write-off/{}/undo", made.id)),
            ..Done::default()
        };
        Ok(done.at(&format!("/invoices/{id}")))
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        Submitted::Refused | Submitted::Changed => {
            page.show_as(StatusCode::UNPROCESSABLE_ENTITY, &View { page: &page, form: &form, invoice: &invoice })
        }
    }
}
