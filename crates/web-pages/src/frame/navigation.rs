//! Navigation: the parts of the application in groups, for the side bar, the bar on phones and the
//! keyboard shortcuts. It is derived from the table of pages.

use super::table::{Access, Group as Place, Link};
use crate::{links, page::PageContext, texts::Phrase};

/// Group of the navigation.
pub struct Group {
    /// Title; the first group has none.
    pub title: Option<Phrase<'static>>,
    /// Entries, in order.
    pub entries: Vec<Entry>,
}

/// Entry of the navigation: a part of the application.
pub struct Entry {
    /// Path; all pages of the part are under it.
    pub path: &'static str,
    /// Name of the entry's icon in `icons.svg`.
    pub icon: &'static str,
    /// Name.
    pub name: Phrase<'static>,
    /// Letter of the keyboard shortcut, typed after `g`; empty if there is none.
    pub key: &'static str,
}

/// Pages without an entry of their own, with the path of the entry that leads to them.
const BELONGS: &[(&str, &str)] = &[
    ("/payouts", "/invoices"),
    ("/reminders", "/invoices"),
    ("/unfinished", "/invoices"),
    ("/payment-batches", "/expenses"),
    ("/vat-payments", "/vat"),
    ("/icp", "/vat"),
    ("/kor", "/vat"),
    ("/vat-revisions", "/year"),
    ("/oss", "/vat"),
    ("/duties", "/journal"),
    ("/bank-accounts", "/bank"),
    ("/bank-lines", "/bank"),
    ("/bank-mappings", "/bank"),
    ("/bank-rules", "/bank"),
    ("/bank-statements", "/bank"),
    ("/transfers", "/journal"),
    ("/private-bookings", "/journal"),
    ("/accruals", "/journal"),
    ("/loans", "/journal"),
    ("/private-use", "/journal"),
];

impl PageContext {
    /// All groups with at least one entry.
    pub fn navigation(&self) -> Vec<Group> {
        let texts = self.texts;
        let groups = [
            (Place::Overview, None),
            (Place::Sales, Some(texts.t("nav-sales"))),
            (Place::Costs, Some(texts.t("nav-costs"))),
            (Place::Time, Some(texts.t("nav-time"))),
            (Place::Tax, Some(texts.t("nav-tax"))),
        ];
        let groups =
            groups.into_iter().map(|(place, title)| Group { title, entries: self.entries(place) });
        groups.filter(|group| !group.entries.is_empty()).collect()
    }

    /// Entries below the groups.
    pub fn last_navigation(&self) -> Vec<Entry> {
        self.entries(Place::Last)
    }

    /// Entries in the bar on phones, next to *New* and the menu: at most four. The bank takes the
    /// place of the hours.
    pub fn dock(&self) -> Vec<Entry> {
        let first = |place| self.entries(place).into_iter().next();
        let bank = self.entries(Place::Overview).into_iter().find(|entry| entry.path == "/bank");
        let last = bank.or_else(|| first(Place::Time));
        let places = [Place::Overview, Place::Sales, Place::Costs];
        places.into_iter().filter_map(first).chain(last).collect()
    }

    /// Entries under *New* on phones.
    pub fn makers(&self) -> Vec<Entry> {
        if !self.is_dutch() {
            return vec![];
        }
        let entry = |path, icon, name| Entry { path, icon, name, key: "" };
        vec![
            entry("/invoices/new", "invoice", self.texts.t("invoice-new")),
            entry("/expenses/new", "expense", self.texts.t("expense-new")),
            entry("/receipts", "camera", self.texts.t("receipts-add")),
        ]
    }

    /// Whether the navigation has an entry with that path. Check this before linking to a part that
    /// some accounts lack.
    pub fn leads_to(&self, path: &str) -> bool {
        links().iter().any(|link| link.path == path && self.sees(link))
    }

    /// Whether this page belongs to the entry with the given path: the page is under that path, or
    /// can be reached only from that entry.
    pub fn is_part_of(&self, path: &str) -> bool {
        self.is_under(path)
            || BELONGS.iter().any(|(page, entry)| *entry == path && self.is_under(page))
    }

    /// Current year in the Netherlands.
    #[cfg(debug_assertions)]
    pub fn year_now(&self) -> i16 {
        ledger::calendar::amsterdam_today(self.app.now()).year()
    }

    fn entries(&self, place: Place) -> Vec<Entry> {
        let here = links().iter().filter(|link| link.group == place && self.sees(link));
        here.map(|link| Entry {
            path: link.path,
            icon: link.icon,
            name: (link.name)(self.texts),
            key: link.key,
        })
        .collect()
    }

    fn sees(&self, link: &Link) -> bool {
        link.access != Access::Dutch || self.is_dutch()
    }

    /// Whether the account is a Dutch business; other accounts have only hours, API access and
    /// settings.
    fn is_dutch(&self) -> bool {
        self.signed_in().is_some_and(|who| who.account.country.is_dutch())
    }
}
