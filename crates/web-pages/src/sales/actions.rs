//! Actions on the page of an invoice: send, cancel, copy, pay, and undo payments.

use super::{
    form::{done_with, show_copy, version},
    link, show,
    warnings::{require_seen, seen_by},
};
use crate::{
    done::Done,
    form::Form,
    id::{Id, Ids},
    page::Authenticated,
};
use axum::response::Response;
use ledger::{calendar::amsterdam_today, money::Cents};
use service::{
    BookingError, Context, Error,
    customer_links::LinkedKind,
    icp::{self, ChangeNumber},
    invoices::{self, EditInvoice, SupplyDays, Warning},
    payments::{self, NewPayment, PartialPayment, UndoPayment},
    submissions, vat_moves,
    write_offs::{self, UndoWriteOff},
};
use store::Tx;
use web_core::{
    input::{self, Parsed, edited_invoice, new_payment},
    problem::Problem,
};

/// Executes a command from the page of an invoice. If the form is rejected, shows that page again.
pub(super) async fn act<C: Send + 'static>(
    page: &Authenticated,
    id: i64,
    form: Form,
    parsed: Parsed<C>,
    run: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<String, Error> + Send + 'static,
) -> Result<Response, Problem> {
    page.carry_out(form, parsed, run, async |form, _| show::show_refused(page, id, form).await)
        .await
}

/// Rejects an action if the invoice has changed since the page with the action's button was shown.
pub(super) fn require_as_seen(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    seen: &str,
) -> Result<(), Error> {
    // The lock prevents changes between this check and the action.
    submissions::lock(tx, cx)?;
    if seen.is_empty() || version(&invoices::read(tx, cx, id)?) == seen {
        Ok(())
    } else {
        Err(Error::Changed)
    }
}

/// `POST /invoices/{id}/mark-sent`: records that the draft was sent by post or by hand, on
/// `invoiceDate` if given.
pub(super) async fn mark_sent(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let cx = page.context();
    let draft =
        page.app.query(page.who.account.id, move |tx| invoices::read(tx, &cx, id)).await?.invoice;
    let supplied = SupplyDays { first: draft.supply_date, last: draft.supply_until };
    let is_taken = |name: &str| matches!(name, "invoiceDate" | "supplyDate");
    let given = form.pairs().filter(|(name, _)| is_taken(name)).chain([("status", "sent")]);
    let parsed = input::form(given, page.texts.language, |fields| {
        edited_invoice(fields, draft.invoice_date, supplied)
    });
    let parsed =
        Parsed { external_id: None, command: parsed.command, partial: (), faults: parsed.faults };
    let ((seen, codes), on_page) = (seen_by(&form), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditInvoice| {
        require_as_seen(tx, cx, id, &seen)?;
        let sent = invoices::edit(tx, cx, id, command, &|_| true)?;
        // Dates that are typed here may have warnings, which the next page shows.
        let of_dates = Warning::ALL.iter().filter(|warning| warning.concerns_dates());
        let codes = codes.as_ref().map(|shown| {
            let of_dates = of_dates.map(|warning| warning.code().to_owned());
            shown.iter().cloned().chain(of_dates).collect::<Vec<_>>()
        });
        require_seen(&on_page, &sent, codes.as_deref())?;
        Ok(done_with("invoice-sent", &sent))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /invoices/{id}` with `action=vatNumber`: gives the invoice the customer's VAT number for the
/// ICP declaration.
pub(super) async fn change_vat_number(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let pairs = form.pairs().filter(|(name, _)| *name != "action");
    let parsed = input::form(pairs, page.texts.language, input::change_vat_number);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &ChangeNumber| {
        icp::change_number(tx, cx, id, command)?;
        let undo = Some(format!("/invoices/{id}/vat-number/undo"));
        let done = Done { code: "vat-number-changed".into(), undo, ..Done::default() };
        Ok(done.at(&format!("/invoices/{id}")))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /invoices/{id}/vat-number/undo`
pub(super) async fn undo_vat_number(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        icp::undo_number(tx, cx, id)?;
        let done = Done { code: "vat-number-undone".into(), ..Done::default() };
        Ok(done.at(&format!("/invoices/{id}")))
    };
    page.press(form, run, async |form, _| show::show_refused(&page, id, form).await).await
}

/// `POST /invoices/{id}/cancel`: cancels the draft.
pub(super) async fn cancel(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        Ok(done_with("invoice-cancelled", &invoices::cancel(tx, cx, id, if_filed, &|_| true)?))
    };
    let form = form.goes_to(format!("/invoices/{id}/cancel"));
    page.press(form, run, async |form, _| show::show_refused(&page, id, form).await).await
}

/// `POST /invoices/{id}/copy`: creates a draft with the same lines for the same customer, dated
/// today.
pub(super) async fn copy(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let cx = page.context();
    let details =
        page.app.query(page.who.account.id, move |tx| invoices::read(tx, &cx, id)).await?;
    let today = amsterdam_today(page.app.now());
    let command = match invoices::copy_of(&details, today) {
        Ok(copy) => copy,
        // An opening item has no lines to copy.
        Err(error @ Error::Booking(BookingError::IsOpeningItem)) => return Err(error.into()),
        Err(error) => return show_copy(&page, &details, error).await,
    };
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &invoices::NewInvoice| {
        Ok(done_with("invoice-copied", &invoices::create(tx, cx, command)?.into_inner()))
    };
    page.carry_out(form, Parsed::new(None, Some(command)), run, async |form, _| {
        show::show_refused(&page, id, form).await
    })
    .await
}

/// `POST /invoices/{id}/payments`: records a payment or a repayment.
pub(super) async fn record_payment(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, |fields| new_payment(fields, id));
    let texts = page.texts;
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewPayment| {
        let payment = payments::record(tx, cx, command)?.into_inner();
        let remaining = invoices::read(tx, cx, id)?.amount_due();
        let code = match (payment.amount.is_negative(), remaining.is_zero()) {
            (true, _) => "refund-recorded",
            (false, true) => "payment-settled",
            (false, false) => "payment-recorded",
        };
        let done = Done {
            code: code.into(),
            amount: Some(if payment.amount.is_negative() {
                -payment.amount
            } else {
                payment.amount
            }),
            name: texts.money(remaining),
            entry: Some(payment.entry_id),
            undo: Some(format!("/invoices/{id}/payments/{}/undo", payment.id)),
        };
        Ok(done.at(&format!("/invoices/{id}")))
    };
    let validate = move |tx: &mut Tx<'_>, cx: &Context, partial: &PartialPayment| {
        payments::validate(tx, cx, id, partial)
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, _| {
        show::show_refused(&page, id, form).await
    })
    .await
}

fn undone(invoice: i64, code: &str, amount: Cents, entry: Option<i64>) -> String {
    let done = Done { code: code.into(), amount: Some(amount), entry, ..Done::default() };
    done.at(&format!("/invoices/{invoice}"))
}

/// `POST /invoices/{id}/payments/{n}/undo`: undoes a payment as of the payment's date, or as of
/// `date` if given.
pub(super) async fn undo_payment(
    page: Authenticated,
    Ids(id, part): Ids,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = day_of_undoing(&page, &form);
    let if_filed = form.if_filed();
    let form = form.goes_to(format!("/invoices/{id}/payments/{part}/undo"));
    let run = move |tx: &mut Tx<'_>, cx: &Context, date: &Option<jiff::civil::Date>| {
        let payment =
            payments::undo(tx, cx, (id, part), UndoPayment { date: *date, if_filed }, &|_| true)?;
        Ok(undone(id, "payment-undone", payment.amount, payment.undoing_entry_id))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /invoices/{id}/write-off/{n}/undo`
pub(super) async fn undo_write_off(
    page: Authenticated,
    Ids(id, part): Ids,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = day_of_undoing(&page, &form);
    let if_filed = form.if_filed();
    let form = form.goes_to(format!("/invoices/{id}/write-off/{part}/undo"));
    let run = move |tx: &mut Tx<'_>, cx: &Context, date: &Option<jiff::civil::Date>| {
        let write_off =
            write_offs::undo(tx, cx, (id, part), UndoWriteOff { date: *date, if_filed })?;
        Ok(undone(id, "write-off-undone", write_off.amount, write_off.undoing_entry_id))
    };
    act(&page, id, form, parsed, run).await
}

/// `POST /invoices/{id}/move-vat`: moves the VAT on payments received before the invoice to the
/// dates of the payments.
pub(super) async fn move_vat(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        Ok(done_with("vat-moved", &vat_moves::move_vat(tx, cx, id, if_filed)?))
    };
    let form = form.goes_to(format!("/invoices/{id}/move-vat"));
    page.press(form, run, async |form, _| show::show_refused(&page, id, form).await).await
}

/// Reads the date on which to book the undo, if given.
pub(super) fn day_of_undoing(
    page: &Authenticated,
    form: &Form,
) -> Parsed<Option<jiff::civil::Date>> {
    input::form(form.pairs(), page.texts.language, |fields| {
        Parsed::new(None, Some(fields.optional("date", "", input::CalendarDate)))
    })
}

/// `POST /invoices/{id}/link`
pub(super) async fn link(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let run = link::change(LinkedKind::Invoice, id, &form);
    page.press(form, run, async |form, _| show::show_refused(&page, id, form).await).await
}
