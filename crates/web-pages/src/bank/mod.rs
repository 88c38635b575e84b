//! Bank: bank accounts with their balances, statements, and the booking of their lines.

mod accepting;
mod accounts;
mod allocations;
mod booking;
mod choices;
mod lines;
mod mappings;
mod overview;
mod rules;
mod statements;
mod suggestions;

use crate::table::{Group, Page};

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/bank")
            .get(overview::show)
            .linked(Group::Overview, "bank", "m", |texts| texts.t("nav-bank")),
        Page::at("/bank-lines").get(lines::show).files(lines::download),
        Page::at("/bank-lines/accept").post(accepting::accept),
        Page::at("/bank-lines/{id}").get(lines::show_line).post(booking::note),
        Page::at("/bank-lines/{id}/book").post(booking::book),
        Page::at("/bank-lines/{id}/ignore").post(booking::ignore),
        Page::at("/bank-lines/{id}/undo").post(booking::undo),
        Page::at("/bank-lines/{id}/distinct").post(booking::distinct),
        Page::at("/bank-lines/{id}/refuse").post(accepting::refuse),
        Page::at("/bank-statements").get(statements::show).post(statements::send),
        Page::at("/bank-statements/{id}").get(statements::show_one),
        Page::at("/bank-statements/{id}/file").get(statements::file),
        Page::at("/bank-statements/{id}/undo").post(statements::undo),
        Page::at("/bank-mappings").get(mappings::list).post(mappings::send),
        Page::at("/bank-mappings/new").get(mappings::show_new),
        Page::at("/bank-mappings/{id}/delete").post(mappings::delete),
        Page::at("/bank-accounts").get(accounts::list).post(accounts::create),
        Page::at("/bank-accounts/new").get(accounts::show_new),
        Page::at("/bank-accounts/{id}").get(accounts::show).post(accounts::update),
        Page::at("/bank-accounts/{id}/edit").get(accounts::show_edit),
        Page::at("/bank-accounts/{id}/archive").post(accounts::archive),
        Page::at("/bank-accounts/{id}/restore").post(accounts::restore),
        Page::at("/bank-rules").get(rules::list).post(rules::create),
        Page::at("/bank-rules/new").get(rules::show_new),
        Page::at("/bank-rules/{id}").get(rules::show).post(rules::update),
        Page::at("/bank-rules/{id}/edit").get(rules::show_edit),
        Page::at("/bank-rules/{id}/archive").post(rules::archive),
        Page::at("/bank-rules/{id}/restore").post(rules::restore),
    ];
    pages.into_iter().map(Page::dutch).collect()
}
