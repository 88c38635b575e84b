//! The navigation: the parts of the application in five groups, for the side bar, the phone's bar and the shortcuts.

use crate::pages::{page::PageContext, texts::Phrase};
use ledger::calendar::amsterdam_today;

/// A group of the navigation.
pub(crate) struct Group<'a> {
    /// Its name; the first group has none.
    pub(crate) title: Option<Phrase<'a>>,
    /// Its entries, in order.
    pub(crate) entries: Vec<Entry<'a>>,
}

/// A part of the application.
pub(crate) struct Entry<'a> {
    /// Where it is.
    pub(crate) path: String,
    /// The path under which all of its pages are.
    pub(crate) under: &'static str,
    /// The name of its picture in `icons.svg`.
    pub(crate) icon: &'static str,
    /// What it is called.
    pub(crate) name: Phrase<'a>,
    /// The letter after `g` that leads to it, where there is one.
    pub(crate) key: &'static str,
}

impl PageContext {
    /// All groups that have something in them. A new part of the application is one line here, in the place that its group has.
    pub(crate) fn navigation(&self) -> Vec<Group<'static>> {
        let texts = self.texts;
        let groups = vec![
            Group { title: None, entries: vec![entry("/", "home", texts.t("nav-overview"), "o")] },
            Group { title: Some(texts.t("nav-sales")), entries: self.sales() },
            Group { title: Some(texts.t("nav-costs")), entries: self.costs() },
            Group { title: Some(texts.t("nav-time")), entries: self.time() },
            Group { title: Some(texts.t("nav-tax")), entries: [self.tax(), self.books()].into_iter().flatten().collect() },
        ];
        groups.into_iter().filter(|group| !group.entries.is_empty()).collect()
    }

    /// Whether the books of a Dutch company are kept here; others see hours, API access and settings only.
    fn is_dutch(&self) -> bool {
        self.signed_in().is_some_and(|who| who.account.country.is_dutch())
    }

    fn sales(&self) -> Vec<Entry<'static>> {
        if !self.is_dutch() {
            return vec![];
        }
        vec![
            entry("/invoices", "invoice", self.texts.t("nav-invoices"), "i"),
            entry("/contacts", "people", self.texts.t("nav-contacts"), "c"),
        ]
    }

    fn time(&self) -> Vec<Entry<'static>> {
        vec![
            entry("/hours", "clock", self.texts.t("nav-hours"), "h"),
            entry("/projects", "folder", self.texts.t("nav-projects"), "p"),
        ]
    }

    fn costs(&self) -> Vec<Entry<'static>> {
        if !self.is_dutch() {
            return vec![];
        }
        vec![
            entry("/expenses", "expense", self.texts.t("nav-expenses"), "e"),
            entry("/receipts", "camera", self.texts.t("nav-receipts"), "r"),
            entry("/assets", "chest", self.texts.t("nav-assets"), "b"),
            entry("/mileage", "road", self.texts.t("nav-mileage"), "k"),
        ]
    }

    fn tax(&self) -> Vec<Entry<'static>> {
        if !self.is_dutch() {
            return vec![];
        }
        let year = entry("/year", "calendar", self.texts.t("nav-year"), "y");
        let year = Entry { path: format!("/year/{}", self.year_now()), ..year };
        vec![entry("/vat", "percent", self.texts.t("nav-vat"), "v"), year]
    }

    fn books(&self) -> Vec<Entry<'static>> {
        if self.is_dutch() { vec![entry("/journal", "book", self.texts.t("nav-journal"), "j")] } else { vec![] }
    }

    /// Whether the navigation has a part at that path. A link to a part that some accounts do not have asks this first.
    pub(crate) fn leads_to(&self, path: &str) -> bool {
        self.navigation().iter().flat_map(|group| &group.entries).any(|entry| entry.under == path)
    }

    /// What stands below the groups.
    pub(crate) fn last_navigation(&self) -> Vec<Entry<'static>> {
        vec![
            entry("/settings", "settings", self.texts.t("nav-settings"), "s"),
            entry("/api-access", "key", self.texts.t("access-title"), "a"),
        ]
    }

    /// What stands in a phone's bar beside *New* and the menu: three entries at most.
    pub(crate) fn dock(&self) -> Vec<Entry<'static>> {
        let mut entries = vec![entry("/", "home", self.texts.t("nav-overview"), "")];
        entries.extend(self.sales().into_iter().take(1));
        entries.extend(self.costs().into_iter().take(1));
        entries.extend(self.time().into_iter().take(1));
        entries
    }

    /// What *New* offers on a phone.
    pub(crate) fn makers(&self) -> Vec<Entry<'static>> {
        if !self.is_dutch() {
            return vec![];
        }
        vec![
            entry("/invoices/new", "invoice", self.texts.t("invoice-new"), ""),
            entry("/expenses/new", "expense", self.texts.t("expense-new"), ""),
            entry("/receipts", "camera", self.texts.t("receipts-add"), ""),
        ]
    }

    /// The year in the Netherlands.
    pub(crate) fn year_now(&self) -> i16 {
        amsterdam_today(self.app.now()).year()
    }
}

/// A part with all of its pages under its own path.
fn entry(path: &'static str, icon: &'static str, name: Phrase<'static>, key: &'static str) -> Entry<'static> {
    Entry { path: path.to_owned(), under: path, icon, name, key }
}
