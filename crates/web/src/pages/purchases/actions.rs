//! What is done with an expense from its page: paid, undone, its VAT paid back.

use super::{id, owner, show};
use crate::{
    input::{self, new_expense_payment},
    pages::{
        form::Form,
        id::Id,
        page::{Authenticated, see_other},
        submit::Submitted,
    },
    problem::Problem,
};
use axum::{extract::Path, response::Response};
use service::{
    Context, Error,
    expenses::{self, NewExpensePayment},
};

/// Where a command led to, or the page of the expense again with why not; `address` is where it can be sent again as a correction.
async fn answer<T>(
    page: &Authenticated,
    (id, address): (i64, String),
    done: &str,
    outcome: Result<T, Error>,
) -> Result<Response, Problem> {
    match outcome {
        Ok(_) => Ok(page.with_flash(see_other(&format!("/expenses/{id}?done={done}")))),
        Err(error) => {
            let mut form = Form::default().goes_to(address);
            form.take(error, page.texts)?;
            show::show_refused(page, id, form).await
        }
    }
}

/// `POST /expenses/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(text): Id, form: Form) -> Result<Response, Problem> {
    let (cx, id, if_filed) = (owner(&page)?, id(&text).await?, form.if_filed());
    let undone = page.app.execute(cx.actor.account, move |tx| expenses::undo(tx, &cx, id, if_filed)).await;
    answer(&page, (id, format!("/expenses/{id}/undo")), "expense-undone", undone).await
}

/// `POST /expenses/{id}/payments`: a bill was paid.
pub(super) async fn pay(page: Authenticated, Id(text): Id, mut form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    let id = id(&text).await?;
    let fields = form.pairs().filter(|(name, _)| *name != "externalId");
    let parsed = input::form(fields, page.texts.language, |fields| new_expense_payment(fields, id));
    let run = move |tx: &mut store::Tx<'_>, cx: &Context, command: &NewExpensePayment| {
        expenses::pay(tx, cx, command)?;
        Ok(format!("/expenses/{id}?done=expense-paid"))
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        Submitted::Refused | Submitted::Changed => show::show_refused(&page, id, form).await,
    }
}

/// `POST /expenses/{id}/payments/{payment}/undo`
pub(super) async fn undo_payment(
    page: Authenticated,
    Path((text, payment)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Problem> {
    let (cx, ids) = (owner(&page)?, (id(&text).await?, id(&payment).await?));
    let if_filed = form.if_filed();
    let undone = page.app.execute(cx.actor.account, move |tx| expenses::undo_payment(tx, &cx, ids, if_filed)).await;
    let address = format!("/expenses/{}/payments/{}/undo", ids.0, ids.1);
    answer(&page, (ids.0, address), "expense-payment-undone", undone).await
}

/// `POST /expenses/{id}/vat-repayment`: the bill stays unpaid.
pub(super) async fn repay_vat(page: Authenticated, Id(text): Id, form: Form) -> Result<Response, Problem> {
    let (cx, id, if_filed) = (owner(&page)?, id(&text).await?, form.if_filed());
    let repaid = page.app.execute(cx.actor.account, move |tx| expenses::repay_vat(tx, &cx, id, None, if_filed)).await;
    answer(&page, (id, format!("/expenses/{id}/vat-repayment")), "expense-vat-repaid", repaid).await
}
