//! `/articles…`: goods and services from which lines are filled.

mod form;
mod list;

use crate::table::{Group, Page};

pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::at("/articles").get(list::show).post(form::create).files(list::download).linked(
            Group::Sales,
            "list",
            "l",
            |texts| texts.t("nav-articles"),
        ),
        Page::at("/articles/new").get(form::show_new),
        Page::at("/articles/suggest").get(super::suggest::articles),
        Page::at("/articles/{id}").post(form::update),
        Page::at("/articles/{id}/edit").get(form::show_edit),
        Page::at("/articles/{id}/archive").post(form::archive),
        Page::at("/articles/{id}/restore").post(form::restore),
    ]
}
