//! `/quotes`: offers to customers.

mod actions;
mod form;
mod list;
mod send;
mod show;

use crate::table::{Group, Page};

pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::at("/quotes").get(list::show).post(form::create).files(list::download).linked(
            Group::Sales,
            "quote",
            "q",
            |texts| texts.t("nav-quotes"),
        ),
        Page::at("/quotes/new").get(form::show_new),
        Page::at("/quotes/preview").post(super::preview::quote).shown_at("/quotes/new"),
        Page::at("/quotes/{id}").get(show::show).post(form::update),
        Page::at("/quotes/{id}/edit").get(form::show_edit),
        Page::at("/quotes/{id}/pdf").get(show::pdf),
        Page::at("/quotes/{id}/send").get(send::show).post(send::send),
        Page::at("/quotes/{id}/mark-sent").post(actions::mark_sent),
        Page::at("/quotes/{id}/accept").post(actions::accept),
        Page::at("/quotes/{id}/refuse").post(actions::refuse),
        Page::at("/quotes/{id}/withdraw").post(actions::withdraw),
        Page::at("/quotes/{id}/reopen").post(actions::reopen),
        Page::at("/quotes/{id}/revise").post(actions::revise),
        Page::at("/quotes/{id}/invoice").post(actions::invoice),
        Page::at("/quotes/{id}/link").post(actions::link),
    ]
}
