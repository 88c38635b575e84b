//! `/settings/data`: taking all data along, and closing the account.

use crate::{
    app::{
        cookies,
        form::Form,
        page::{FreshPage, SignedInPage, see_other},
    },
    mail::Mail,
    problem::Problem,
};
use askama::Template;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use ledger::calendar::amsterdam_today;
use serde_json::{Map, Value as Json};
use service::{
    Error,
    people::{
        data::{self, Value},
        events,
    },
};
use std::fmt::Write as _;

#[derive(Template)]
#[template(path = "data.html")]
struct View<'a> {
    page: &'a SignedInPage,
}

#[derive(Template)]
#[template(path = "data-export.html")]
struct ExportView<'a> {
    page: &'a FreshPage,
}

#[derive(Template)]
#[template(path = "data-close.html")]
struct CloseView<'a> {
    page: &'a FreshPage,
    form: &'a Form,
}

/// `GET /settings/data`
pub(crate) async fn show(page: SignedInPage) -> Result<Response, Problem> {
    page.show(&View { page: &page })
}

/// `GET /settings/data/export`
pub(crate) async fn show_export(page: FreshPage) -> Result<Response, Problem> {
    page.show(&ExportView { page: &page })
}

/// `POST /settings/data/export`: everything, as a file of JSON: an object with a list of rows per table.
pub(crate) async fn send_export(page: FreshPage) -> Result<Response, Problem> {
    let (account, now) = (page.who.account.id, page.app.now());
    let tables = page.app.read(move |tx| {
        let mut tables: Map<String, Json> = Map::new();
        data::export(tx, account, &mut |table, row| {
            let row: Map<String, Json> = row.iter().map(|(column, value)| (column.clone(), json(value))).collect();
            if let Json::Array(rows) = tables.entry(table).or_insert_with(|| Json::Array(Vec::new())) {
                rows.push(Json::Object(row));
            }
            Ok(())
        })?;
        Ok(tables)
    });
    let text = Json::Object(tables.await?).to_string();
    let (random, visitor) = (page.app.random(), page.visitor.clone());
    page.app.write(move |tx| events::note(tx, &*random, account, now, events::Kind::DataExported, "", &visitor.address)).await?;
    let name = format!("attachment; filename=\"grootboek-{}.json\"", amsterdam_today(now));
    let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => Json::from(*number),
        Value::Text(text) => Json::from(text.as_str()),
        Value::Bytes(bytes) => Json::from(bytes.iter().fold(String::new(), |mut hex, byte| {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })),
        Value::Date(day) => Json::from(day.to_string()),
        Value::Time(moment) => Json::from(moment.to_string()),
    }
}

/// `GET /settings/data/close`
pub(crate) async fn show_close(page: FreshPage) -> Result<Response, Problem> {
    page.show(&CloseView { page: &page, form: &Form::default() })
}

/// `POST /settings/data/close`: the e-mail address is typed to show that it is meant.
pub(crate) async fn send_close(page: FreshPage, mut form: Form) -> Result<Response, Problem> {
    if !form.value("email").eq_ignore_ascii_case(&page.who.account.email) {
        form.refuse("email", page.t("fault-close-email"));
    }
    if !form.has("kept", "yes") {
        form.refuse("kept-yes", page.t("fault-close-kept"));
    }
    if !form.faults().is_empty() {
        return page.show_refused(&CloseView { page: &page, form: &form });
    }
    let (now, account) = (page.app.now(), page.who.account.id);
    match page.app.write(move |tx| data::close(tx, now, account)).await {
        Ok(()) => page.mail(&page.who.account, &Mail::AccountClosed),
        // In another window.
        Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let mut response = see_other("/?done=closed");
    response.headers_mut().append(header::SET_COOKIE, cookies::no_session());
    Ok(response)
}
