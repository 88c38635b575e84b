//! `/contacts…`: customers and suppliers.

mod form;
pub(super) use form::{kinds, languages};
mod list;
mod show;

use crate::table::{Group, Page};

pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::at("/contacts").get(list::show).post(form::create).files(list::download).linked(
            Group::Sales,
            "people",
            "c",
            |texts| texts.t("nav-contacts"),
        ),
        Page::at("/contacts/new").get(form::show_new),
        Page::at("/contacts/suggest").get(super::suggest::contacts),
        Page::at("/contacts/{id}").get(show::show).post(form::update),
        Page::at("/contacts/{id}/edit").get(form::show_edit),
        Page::at("/contacts/{id}/archive").post(show::archive),
        Page::at("/contacts/{id}/restore").post(show::restore),
        Page::at("/contacts/{id}/merge").post(show::merge),
    ]
}
