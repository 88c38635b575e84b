//! `/quotes/{id}/link` and `/invoices/{id}/link`: the link of a customer's page.

use crate::form::Form;
use service::{
    Context, Error,
    customer_links::{self, LinkDetails, LinkedKind},
};
use store::Tx;

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

/// Command of the button that was pressed: `action=renew` makes a new link, `action=withdraw` ends
/// it. Returns the address of the document's page.
pub(super) fn change(
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
