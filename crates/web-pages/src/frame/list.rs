//! State of a list. The URL contains filter, order and page, so that a link shows the same list
//! again.

use crate::page::PageContext;
use jiff::civil::{Date, date};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store::{ListColumn, ListFilter, ListPart};

/// Number of rows per page.
pub const ROWS: usize = 50;
/// Characters that are not escaped in a query.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// State of a list, from the page's URL: `?state=open&q=bakker&sort=-date&page=2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListState {
    path: String,
    pairs: Vec<(String, String)>,
    first_order: &'static str,
}

/// Position of a page in a list, with links to the previous and next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pager {
    /// Number of the page's first row, from 1; 0 for an empty page.
    pub first: usize,
    /// Number of the page's last row.
    pub last: usize,
    /// Total number of rows.
    pub total: usize,
    /// URL of the previous page.
    pub previous: Option<String>,
    /// URL of the next page.
    pub next: Option<String>,
}

impl ListState {
    /// Reads the state from a page's URL; `first_order` is the default order, such as `-date`.
    pub fn of(page: &PageContext, first_order: &'static str) -> Self {
        Self::read(&page.shown_address(), first_order)
    }

    /// Reads the state from a URL of the list.
    pub fn read(address: &str, first_order: &'static str) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let pairs = form_urlencoded::parse(query.as_bytes())
            .filter(|(name, value)| !value.is_empty() && name != "done")
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        Self { path: path.to_owned(), pairs, first_order }
    }

    /// Value of a parameter; empty if absent.
    pub fn value(&self, name: &str) -> &str {
        self.pairs.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Whether a parameter has the given value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    /// Whether any parameter other than order and page is set.
    pub fn is_filtered(&self) -> bool {
        self.pairs.iter().any(|(name, _)| name != "sort" && name != "page")
    }

    /// Column by which the list is ordered, and whether the order is descending.
    pub fn order(&self) -> (&str, bool) {
        let order =
            Some(self.value("sort")).filter(|order| !order.is_empty()).unwrap_or(self.first_order);
        order.strip_prefix('-').map_or((order, false), |column| (column, true))
    }

    /// Value of `aria-sort` for a column; empty if the list is not ordered by that column.
    pub fn direction(&self, column: &str) -> &'static str {
        match self.order() {
            (found, true) if found == column => "descending",
            (found, false) if found == column => "ascending",
            _ => "",
        }
    }

    /// URL of the list ordered by a column: descending if the list is already in ascending order of
    /// that column, otherwise ascending.
    pub fn ordered_by(&self, column: &str) -> String {
        let down = self.direction(column) == "ascending";
        self.with("sort", &format!("{}{column}", if down { "-" } else { "" }))
    }

    /// URL of the first page of the list with another filter; an empty value removes the filter.
    pub fn with(&self, name: &str, value: &str) -> String {
        let others = self.pairs.iter().filter(|(found, _)| found != name && found != "page");
        let mut query: Vec<String> = others.map(|(name, value)| pair(name, value)).collect();
        if !value.is_empty() {
            query.push(pair(name, value));
        }
        if query.is_empty() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, query.join("&"))
        }
    }

    /// URL of the same page of the list with another value of a parameter.
    pub fn with_on_page(&self, name: &str, value: &str) -> String {
        let others = self.pairs.iter().filter(|(found, _)| found != name);
        let mut query: Vec<String> = others.map(|(name, value)| pair(name, value)).collect();
        if !value.is_empty() {
            query.push(pair(name, value));
        }
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, query.join("&"))
    }

    /// URL of the filtered list as a file, such as `/invoices.csv?state=open`.
    pub fn download(&self, ending: &str) -> String {
        let address = self.with("page", "");
        let query = address.strip_prefix(&self.path).unwrap_or("");
        format!("{}.{ending}{query}", self.path)
    }

    /// Page number, from 1.
    pub fn page(&self) -> usize {
        self.value("page").parse().ok().filter(|page| (1..=1_000_000).contains(page)).unwrap_or(1)
    }

    /// Number of rows on earlier pages.
    pub fn offset(&self) -> usize {
        (self.page() - 1) * ROWS
    }

    /// Year in the URL, if any.
    pub fn year(&self) -> Option<i16> {
        self.value("year").parse().ok().filter(|year| (2000..=2099).contains(year))
    }

    /// Period in the URL, between the parameters `from` and `to`, either of which may be missing.
    /// Without both, the year in the URL.
    pub fn days(&self) -> Option<(Date, Date)> {
        let day = |name: &str| i18n::read_date(self.value(name)).ok();
        match (day("from"), day("to")) {
            (None, None) => self.year().map(|year| (date(year, 1, 1), date(year, 12, 31))),
            (from, to) => {
                Some((from.unwrap_or(date(1900, 1, 1)), to.unwrap_or(date(2199, 12, 31))))
            }
        }
    }

    /// Search text, if any.
    pub fn text(&self) -> Option<String> {
        let text: String =
            self.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
        Some(text).filter(|text| !text.is_empty())
    }

    /// Filter by period and search text. A text that is an amount in the language of the page also
    /// matches amounts.
    pub fn filter(&self, page: &PageContext) -> ListFilter {
        let text = self.text();
        let amount =
            text.as_deref().and_then(|text| i18n::read_money(text, page.texts.language).ok());
        ListFilter { days: self.days(), text, amount }
    }

    /// Rows of the page: offset and limit.
    pub fn rows(&self) -> (i64, i64) {
        (i64::try_from(self.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX))
    }

    /// Rows to show, ordered by `date` or `amount`.
    pub fn part(&self, (offset, limit): (i64, i64)) -> ListPart {
        let (column, down) = self.order();
        ListPart {
            order: (if column == "amount" { ListColumn::Amount } else { ListColumn::Date }, down),
            offset,
            limit,
        }
    }

    /// Years to choose from, each with whether it is selected: the given years and the selected
    /// one.
    pub fn years(&self, mut years: Vec<i16>, chosen: Option<i16>) -> Vec<(String, bool)> {
        if let Some(year) = chosen.filter(|year| !years.contains(year)) {
            years.push(year);
            years.sort_unstable_by(|a, b| b.cmp(a));
        }
        years.into_iter().map(|year| (year.to_string(), chosen == Some(year))).collect()
    }

    /// Position of the page among `total` rows, with links to its neighbours.
    pub fn pager(&self, total: usize) -> Pager {
        let (page, offset) = (self.page(), self.offset());
        let shown = total.saturating_sub(offset).min(ROWS);
        Pager {
            first: if shown == 0 { 0 } else { offset + 1 },
            last: offset + shown,
            total,
            previous: (page > 1).then(|| {
                self.with("page", &if page == 2 { String::new() } else { (page - 1).to_string() })
            }),
            next: (offset + shown < total).then(|| self.with("page", &(page + 1).to_string())),
        }
    }
}

fn pair(name: &str, value: &str) -> String {
    format!("{}={}", utf8_percent_encode(name, KEPT), utf8_percent_encode(value, KEPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_holds_filter_order_and_page() {
        let list = ListState::read(
            "/invoices?state=open&q=De+Pier+%26+Zn&sort=-date&page=2&empty=",
            "-number",
        );
        assert_eq!(
            (list.value("q"), list.order(), list.page(), list.offset()),
            ("De Pier & Zn", ("date", true), 2, 50)
        );
        assert_eq!(
            list.with("state", "paid"),
            "/invoices?q=De%20Pier%20%26%20Zn&sort=-date&state=paid"
        );
        assert_eq!(list.with("q", ""), "/invoices?state=open&sort=-date");
        assert_eq!(
            list.ordered_by("date"),
            "/invoices?state=open&q=De%20Pier%20%26%20Zn&sort=date"
        );
        assert_eq!(
            list.download("csv"),
            "/invoices.csv?state=open&q=De%20Pier%20%26%20Zn&sort=-date"
        );
        assert_eq!(
            list.with_on_page("line", "7"),
            "/invoices?state=open&q=De%20Pier%20%26%20Zn&sort=-date&page=2&line=7"
        );
        assert_eq!(ListState::read("/a?line=7", "x").with_on_page("line", ""), "/a");
        assert!(list.is_filtered() && list.has("state", "open"));
    }

    #[test]
    fn an_order_is_turned_round_by_its_own_column() {
        let list = ListState::read("/invoices", "-number");
        assert_eq!((list.direction("number"), list.direction("date")), ("descending", ""));
        assert_eq!(list.ordered_by("number"), "/invoices?sort=number");
        assert_eq!(
            ListState::read("/invoices?sort=number", "-number").ordered_by("number"),
            "/invoices?sort=-number"
        );
        assert!(!list.is_filtered());
    }

    #[test]
    fn pages_know_their_neighbours() {
        let none = ListState::read("/a", "x").pager(0);
        assert_eq!((none.first, none.last, none.previous, none.next), (0, 0, None, None));
        let first = ListState::read("/a", "x").pager(51);
        assert_eq!(
            (first.first, first.last, first.previous, first.next.as_deref()),
            (1, 50, None, Some("/a?page=2"))
        );
        let last = ListState::read("/a?page=2", "x").pager(51);
        assert_eq!(
            (last.first, last.last, last.previous.as_deref(), last.next),
            (51, 51, Some("/a"), None)
        );
        let beyond = ListState::read("/a?page=9", "x").pager(51);
        assert_eq!(
            (beyond.first, beyond.next, beyond.previous.as_deref()),
            (0, None, Some("/a?page=8"))
        );
        assert_eq!(ListState::read("/a?page=-3", "x").page(), 1);
    }
}
