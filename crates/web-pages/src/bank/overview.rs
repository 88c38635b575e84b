//! `/bank`: the bank accounts with both balances, and the form for statements.

use super::{
    accounts::is_shown,
    statements::{account_choices, mapping_choices},
};
use crate::{form::Form, page::Authenticated};
use askama::Template;
use axum::response::Response;
use jiff::{ToSpan, civil::Date};
use ledger::money::Cents;
use service::{
    Error,
    bank_accounts::{self, BankAccountDetails},
    bank_lines::{self, EntryApart},
    unresolved::{self, Unresolved},
};
use store::{Tx, journal::StoredEntry};
use web_core::problem::Problem;

/// Number of days before today in which gaps between statements are counted: 13 months.
const DAYS_BACK: i64 = 396;

/// Bank account with the gaps between its statements.
struct Row {
    of: BankAccountDetails,
    /// Days after which a statement is missing.
    gaps: Vec<Date>,
    /// Entries that make books and bank differ on the day of the bank's balance.
    apart: Vec<EntryApart>,
}

#[derive(Template)]
#[template(path = "bank/bank.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    rows: Vec<Row>,
    unresolved: Unresolved,
    accounts: Vec<(String, String)>,
    mappings: Vec<(String, String)>,
}

impl View<'_> {
    fn total(&self) -> Cents {
        self.rows.iter().map(|row| row.of.balance).sum()
    }

    /// Class of the button of the form for statements, which is filled unless lines wait.
    fn upload_class(&self) -> &'static str {
        if self.waiting() > 0 { "secondary" } else { "" }
    }

    fn waiting(&self) -> i64 {
        self.rows.iter().map(|row| row.of.lines.new).sum()
    }

    /// URL of the month of a bank account that contains a day.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn month(&self, row: &Row, day: &Date) -> String {
        format!("/bank-accounts/{}?month={:04}-{:02}", row.of.account.id, day.year(), day.month())
    }
}

/// `GET /bank`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut Tx<'_>| {
        let mut rows = Vec::new();
        for of in bank_accounts::list(tx, &cx)? {
            if of.account.is_archived || !is_shown(&of) {
                continue;
            }
            let from = today.saturating_sub(DAYS_BACK.days());
            let gaps = bank_lines::gaps(tx, &cx, of.account.id, (from, today))?;
            let stated = of.bank_balance.filter(|stated| !stated.difference.is_zero());
            let apart = match stated.map(|stated| (stated.date, stated.date)) {
                Some(day) => bank_lines::days(tx, &cx, of.account.id, day)?.pop(),
                None => None,
            };
            let apart = apart.map(|day| day.apart).unwrap_or_default();
            rows.push(Row { of, gaps, apart });
        }
        rows.sort_by_key(|row| row.of.account.code);
        Ok::<_, Error>((rows, unresolved::read(tx, &cx)?))
    };
    let (rows, unresolved) = page.list(read).await?;
    let (accounts, mappings) = (account_choices(&page), mapping_choices(&page).await?);
    let form = &Form::default();
    page.show(&View { page: &page, form, rows, unresolved, accounts, mappings })
}

impl Authenticated {
    /// Beginning of the text of a bank line.
    #[expect(clippy::unused_self, reason = "templates reach it by their page")]
    pub(crate) fn shortened(&self, text: &str) -> String {
        text.chars().take(80).collect()
    }

    /// Description of an entry.
    pub(crate) fn words_of(&self, entry: &StoredEntry) -> String {
        entry.entry.words(self.texts.language)
    }

    /// Sentence about an entry that the bank has on another day than the books, or not at all.
    pub(crate) fn apart(&self, of: &EntryApart) -> String {
        let texts = self.texts;
        let (entry, flow) = (of.entry_id, if of.amount.is_negative() { "out" } else { "in" });
        let (day, amount) = (texts.short_date(of.date), texts.money(of.amount.abs()));
        let line = of.line_date.map(|date| texts.short_date(date)).unwrap_or_default();
        let phrase = match of.line_date {
            None => texts
                .t("bank-apart-missing")
                .with("entry", &entry)
                .with("day", &day)
                .with("flow", flow)
                .with("amount", &amount),
            Some(date) if date > of.date => texts
                .t("bank-apart-later")
                .with("entry", &entry)
                .with("day", &day)
                .with("flow", flow)
                .with("amount", &amount)
                .with("line", &line),
            Some(_) => texts
                .t("bank-apart-earlier")
                .with("entry", &entry)
                .with("day", &day)
                .with("flow", flow)
                .with("amount", &amount)
                .with("line", &line),
        };
        phrase.to_string()
    }
}
