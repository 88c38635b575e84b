//! Journal: entries, ledger cards, the trial balance, manual entries, and events that involve no
//! invoice or receipt.

mod by_hand;
mod cards;
mod duties;
mod entry;
mod events;
mod kinds;
mod list;
mod opening;
mod own_accounts;

pub(crate) use self::{
    kinds::{address as address_of_event, variant as about_event},
    list::{kind_name, years_with},
};
use crate::table::{Group, Page};

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/journal").get(list::show).post(by_hand::send).files(list::download).linked(
            Group::Tax,
            "book",
            "j",
            |texts| texts.t("nav-journal"),
        ),
        Page::at("/duties").get(duties::show).files(duties::download),
        Page::at("/journal/new").get(by_hand::show),
        Page::at("/journal/opening").get(opening::show).post(opening::send),
        Page::at("/journal/opening/undo").post(opening::undo),
        Page::at("/settings/opening-balance").get(opening::of_settings),
        Page::at("/opening-balance").get(opening::of_settings),
        Page::at("/manual-entries").get(list::by_hand),
        Page::at("/journal/accounts")
            .get(cards::trial_balance)
            .post(own_accounts::send)
            .files(cards::download_trial_balance),
        Page::at("/journal/accounts/{code}").get(cards::card),
        Page::at("/journal/{id}").get(entry::show),
        Page::at("/journal/{id}/reverse").post(entry::reverse),
        Page::at("/loans/{id}/repayments").get(events::show).post(events::repay),
        Page::at("/loans/{id}/repayments/{repayment}/undo").post(events::undo_repayment),
    ];
    let of_kind = |kind: &kinds::Paths| {
        [
            Page::at(kind.list).get(events::list).post(events::send).files(events::download),
            Page::at(kind.one).get(events::show),
            Page::at(kind.undo).post(events::undo),
        ]
    };
    pages.into_iter().chain(kinds::PATHS.iter().flat_map(of_kind)).map(Page::dutch).collect()
}
