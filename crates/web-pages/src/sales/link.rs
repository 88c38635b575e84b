//! `/quotes/{id}/link` and `/invoices/{id}/link`: the link of a customer's page.

use super::{quotes, show};
use crate::{form::Form, id::Id, page::Authenticated};
use axum::response::Response;
use service::{
    Context, Error,
    customer_links::{self, LinkDetails, LinkedKind},
};
use store::Tx;
use web_core::problem::Problem;

/// Link of a document for its page; `None` if it has none.
pub(super) fn find(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: LinkedKind,
    id: i64,
) -> Result<Option<LinkDetails>, Error> {
    match customer_links::read(tx, cx, kind, id) {
        Ok(link) => Ok(Some(link)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// `POST /quotes/{id}/link`: `action=renew` makes a new link, `action=withdraw` ends it.
pub(super) async fn of_quote(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = change(LinkedKind::Quote, id, &form);
    page.press(form, run, async |form, status| {
        quotes::show::show_with(&page, id, form, status).await
    })
    .await
}

/// `POST /invoices/{id}/link`: as for a quote.
pub(super) async fn of_invoice(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = change(LinkedKind::Invoice, id, &form);
    page.press(form, run, async |form, _| show::show_refused(&page, id, form).await).await
}

/// Command of the button that was pressed; it returns the address of the document's page.
fn change(
    kind: LinkedKind,
    id: i64,
    form: &Form,
) -> impl Fn(&mut Tx<'_>, &Context) -> Result<String, Error> + Send + 'static + use<> {
    let withdraws = form.has("action", "withdraw");
    let list = match kind {
        LinkedKind::Quote => "quotes",
        LinkedKind::Invoice => "invoices",
    };
    move |tx, cx| {
        let code = if withdraws {
            customer_links::withdraw(tx, cx, kind, id)?;
            "link-withdrawn"
        } else {
            customer_links::renew(tx, cx, kind, id)?;
            "link-renewed"
        };
        Ok(format!("/{list}/{id}?done={code}"))
    }
}
