//! Actions on the page of an expense: paying, undoing, repaying VAT.

use super::show;
use crate::{
    done::Done,
    form::Form,
    id::{Id, Ids},
    page::Authenticated,
};
use axum::response::Response;
use ledger::{entry::SourceType, money::Cents};
use service::{
    Context, Error, entries,
    expenses::{self, NewExpensePayment},
};
use store::Tx;
use web_core::{
    input::{self, new_expense_payment},
    problem::Problem,
};

/// Executes the command of a button on the page of an expense. If a correction is offered, the form
/// is submitted again to `address`. `done` is the code of the resulting message, which shows the
/// amount that `run` returns.
async fn act(
    page: &Authenticated,
    (id, address): (i64, String),
    form: Form,
    done: &'static str,
    run: impl Fn(&mut Tx<'_>, &Context) -> Result<Cents, Error> + Send + 'static,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let amount = Some(run(tx, cx)?);
        let entry = entries::last_of(tx, cx, SourceType::Expense, id)?;
        Ok(Done { code: done.into(), amount, entry, ..Done::default() }
            .at(&format!("/expenses/{id}")))
    };
    let show_again = async |form, _| show::show_refused(page, id, form).await;
    page.press(form.goes_to(address), run, show_again).await
}

/// `POST /expenses/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let undo = move |tx: &mut Tx<'_>, cx: &Context| {
        Ok(expenses::undo(tx, cx, id, if_filed)?.expense.total)
    };
    act(&page, (id, format!("/expenses/{id}/undo")), form, "expense-undone", undo).await
}

/// `POST /expenses/{id}/payments`: records the payment of a bill.
pub(super) async fn pay(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| new_expense_payment(fields, id));
    let texts = page.texts;
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewExpensePayment| {
        let payment = expenses::pay(tx, cx, command)?.into_inner();
        let rest = expenses::read(tx, cx, id)?.expense.amount_due();
        let done = Done {
            code: if rest.is_zero() { "expense-paid-whole" } else { "expense-paid" }.into(),
            amount: Some(payment.amount),
            name: texts.money(rest),
            entry: Some(payment.entry_id),
            undo: Some(format!("/expenses/{id}/payments/{}/undo", payment.id)),
        };
        Ok(done.at(&format!("/expenses/{id}")))
    };
    page.carry_out(form, parsed, run, async |form, _| show::show_refused(&page, id, form).await)
        .await
}

/// `POST /expenses/{id}/payments/{payment}/undo`
pub(super) async fn undo_payment(
    page: Authenticated,
    Ids(id, payment): Ids,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let undo = move |tx: &mut Tx<'_>, cx: &Context| {
        Ok(expenses::undo_payment(tx, cx, (id, payment), if_filed)?.amount)
    };
    let address = format!("/expenses/{id}/payments/{payment}/undo");
    act(&page, (id, address), form, "expense-payment-undone", undo).await
}

/// `POST /expenses/{id}/vat-repayment`: repays the VAT of a bill that remains unpaid.
pub(super) async fn repay_vat(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let repay = move |tx: &mut Tx<'_>, cx: &Context| {
        let before = expenses::read(tx, cx, id)?.expense.vat_repaid;
        Ok(expenses::repay_vat(tx, cx, id, None, if_filed)?.expense.vat_repaid - before)
    };
    act(&page, (id, format!("/expenses/{id}/vat-repayment")), form, "expense-vat-repaid", repay)
        .await
}
