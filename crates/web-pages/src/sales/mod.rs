//! Sales: invoices with their follow-up, quotes, recurring invoices, articles, and contacts.

mod actions;
mod articles;
mod choices;
mod contacts;
mod credit;
mod credit_opening;
pub(crate) mod customer;
mod document;
mod documents;
mod form;
pub(crate) mod lines;
mod link;
mod list;
mod payouts;
mod preview;
mod proposals;
mod quotes;
mod recurring;
mod reminder_texts;
mod reminders;
mod send;
mod show;
mod status;
mod suggest;
mod warnings;
mod write_off;

use crate::{
    form::Form,
    id::Id,
    page::Authenticated,
    table::{Group, Page},
    texts::{Phrase, Texts},
};
use axum::response::Response;
use ledger::{
    decimal::{self, Decimal},
    money::Cents,
};
use web_core::problem::Problem;

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/invoices").get(list::show).post(form::create).files(list::download).linked(
            Group::Sales,
            "invoice",
            "i",
            |texts| texts.t("nav-invoices"),
        ),
        Page::at("/invoices/new").get(form::show_new),
        Page::at("/invoices/preview").post(preview::invoice).shown_at("/invoices/new"),
        Page::at("/invoices/{id}").get(show::show).post(update),
        Page::at("/invoices/{id}/edit").get(form::show_edit),
        Page::at("/invoices/{id}/pdf").get(documents::pdf),
        Page::at("/invoices/{id}/ubl").get(documents::ubl),
        Page::at("/invoices/{id}/send").get(send::show).post(send::send),
        Page::at("/invoices/{id}/remind").get(send::show_reminder).post(send::remind),
        Page::at("/invoices/{id}/reminders/stop").post(reminders::stop),
        Page::at("/invoices/{id}/reminders/resume").post(reminders::resume),
        Page::at("/reminders").get(reminders::show).post(reminders::send),
        Page::at("/invoices/{id}/mark-sent").post(actions::mark_sent),
        Page::at("/invoices/{id}/vat-number/undo").post(actions::undo_vat_number),
        Page::at("/invoices/{id}/cancel").post(actions::cancel),
        Page::at("/invoices/{id}/copy").post(actions::copy),
        Page::at("/invoices/{id}/link").post(actions::link),
        Page::at("/invoices/{id}/payments").get(show::show).post(actions::record_payment),
        Page::at("/invoices/{id}/payments/{n}/undo").post(actions::undo_payment),
        Page::at("/invoices/{id}/move-vat").post(actions::move_vat),
        Page::at("/invoices/{id}/write-off").get(write_off::show).post(write_off::send),
        Page::at("/invoices/{id}/write-off/{n}/undo").post(actions::undo_write_off),
        Page::at("/payouts").get(payouts::show).post(payouts::send).files(payouts::download),
        Page::at("/payouts/{id}/undo").post(payouts::undo),
        Page::at("/invoices/{id}/credit").get(credit::show).post(credit::send),
    ];
    let pages = pages.into_iter().chain(quotes::pages()).chain(recurring::pages());
    let pages = pages.chain(articles::pages()).chain(contacts::pages());
    pages.map(Page::dutch).collect()
}

/// `POST /invoices/{id}`: edits the draft, or with `action=vatNumber` gives a sent invoice the
/// customer's VAT number.
async fn update(page: Authenticated, id: Id, form: Form) -> Result<Response, Problem> {
    if form.has("action", "vatNumber") {
        actions::change_vat_number(page, id, form).await
    } else {
        form::update(page, id, form).await
    }
}

/// Unit price as an amount; nothing if it has fractions of a cent.
fn in_cents(price: &Decimal) -> Option<Cents> {
    if price.normalize().scale() > 2 {
        return None;
    }
    decimal::multiply_to_cents(&Decimal::ONE, price).ok()
}

/// Presence of each of the seller's details that an invoice needs.
#[derive(Debug, Clone, Copy)]
struct SellerData {
    address: bool,
    kvk_number: bool,
    vat_number: bool,
    iban: bool,
}

impl SellerData {
    /// Names of the missing details.
    fn missing(self, texts: Texts) -> Vec<Phrase<'static>> {
        let all = [
            (self.address, texts.t("invoice-missing-address")),
            (self.kvk_number, texts.t("invoice-missing-kvk")),
            (self.vat_number, texts.t("invoice-missing-vat-number")),
            (self.iban, texts.t("invoice-missing-iban")),
        ];
        all.into_iter().filter_map(|(is_known, what)| (!is_known).then_some(what)).collect()
    }
}
