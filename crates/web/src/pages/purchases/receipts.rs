//! `/receipts`: files that wait for an expense.

use super::{id, owner};
use crate::{
    pages::{
        form::Form,
        id::Id,
        page::{Authenticated, see_other},
    },
    problem::Problem,
    uploads,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use ledger::calendar::amsterdam_today;
use service::{
    Context, Fault,
    receipts::{self, ReceiptError},
};
use store::receipts::Receipt;

/// Receipts that the page shows at the most.
const MOST: i64 = 200;

#[derive(Template)]
#[template(path = "purchases/receipts.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    waiting: Vec<Receipt>,
}

impl View<'_> {
    fn day(&self, receipt: &Receipt) -> Date {
        amsterdam_today(receipt.created_at)
    }

    fn is_picture(&self, receipt: &Receipt) -> bool {
        receipt.media_type != "application/pdf"
    }
}

async fn show_with(page: &Authenticated, form: &Form, status: u16) -> Result<Response, Problem> {
    let cx = owner(page)?;
    let waiting = page.list(move |tx| receipts::list(tx, &cx, Some(false), i64::MAX, MOST)).await?.rows;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
    page.show_as(status, &View { page, form, waiting })
}

/// `GET /receipts`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, &Form::default(), 200).await
}

/// What became of the files of a form.
pub(super) struct Kept {
    /// The receipts.
    pub(super) ids: Vec<i64>,
    /// What is wrong with the others.
    pub(super) faults: Vec<Fault>,
}

/// Keeps the files that came in a field.
pub(super) async fn keep_files(page: &Authenticated, form: &Form, field: &str) -> Result<Kept, Problem> {
    let mut kept = Kept { ids: Vec::new(), faults: Vec::new() };
    for file in form.files(field) {
        let looked_at = uploads::look_at(file.bytes.to_vec(), file.name.clone()).await?;
        match looked_at {
            Ok(file) => {
                let cx = owner(page)?;
                let keep = move |tx: &mut store::Tx<'_>| receipts::keep(tx, &cx, &file);
                kept.ids.push(page.app.execute(page.who.account.id, keep).await?.into_inner().id);
            }
            Err(error) => kept.faults.push(fault(field, error)),
        }
    }
    Ok(kept)
}

fn fault(field: &str, error: ReceiptError) -> Fault {
    Fault::new(format!("/{field}"), error.into())
}

/// `POST /receipts`: files are handed in.
pub(super) async fn keep(page: Authenticated, form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    let Kept { ids, mut faults } = keep_files(&page, &form, "file").await?;
    if ids.is_empty() && faults.is_empty() {
        faults.push(fault("file", ReceiptError::Empty));
    }
    if !faults.is_empty() {
        let mut form = Form::default();
        form.take_faults(&faults, page.texts);
        return show_with(&page, &form, 422).await;
    }
    Ok(page.with_flash(see_other("/receipts?done=receipts-kept")))
}

/// `GET /receipts/{id}/file`: as it came.
pub(super) async fn file(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (cx, id) = (owner(&page)?, id(&text).await?);
    let (receipt, bytes) = page.app.query(page.who.account.id, move |tx| receipts::file(tx, &cx, id)).await?;
    let (media_type, ending) = uploads::kind_of(&receipt.media_type);
    let disposition = format!("inline; filename=\"receipt-{id}.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        // Its bytes never change.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// `GET /receipts/{id}/thumbnail`: a small picture of it.
pub(super) async fn thumbnail(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (cx, id) = (owner(&page)?, id(&text).await?);
    let bytes = page.app.query(page.who.account.id, move |tx| receipts::thumbnail(tx, &cx, id)).await?;
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, bytes).into_response())
}

/// `POST /receipts/{id}/delete`: one that nothing was booked from.
pub(super) async fn delete(page: Authenticated, Id(text): Id, form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    let id = id(&text).await?;
    let run = move |tx: &mut store::Tx<'_>, cx: &Context| {
        receipts::delete(tx, cx, id)?;
        Ok("/receipts?done=receipt-deleted".to_owned())
    };
    match page.once(&form, run).await {
        Ok(response) => Ok(response),
        Err(error) => {
            let mut form = Form::default();
            form.take(error, page.texts)?;
            show_with(&page, &form, form.refused_status().as_u16()).await
        }
    }
}
