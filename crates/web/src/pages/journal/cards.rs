//! `/journal/accounts`: the trial balance, and the ledger card of each account with its running balance.

use super::{
    account_name, cell, csv,
    list::{year_of, years_with},
    owner,
};
use crate::{
    pages::{frame::list::ListState, page::Authenticated},
    problem::{self, Problem},
};
use askama::Template;
use axum::{extract::Path, response::Response};
use jiff::civil::Date;
use ledger::{chart::AccountCode, description::Description, entry::Head, money::Cents};
use service::ledger_cards::{self, AccountYear, LedgerCard};
use std::fmt::Write as _;
use store::{Tx, ledger_cards::Place};

/// Postings on a page.
const ROWS: i64 = 100;
/// Postings of a download at the most.
const MOST_ROWS: usize = 100_000;

#[derive(Template)]
#[template(path = "journal/trial-balance.html")]
struct TrialBalanceView<'a> {
    page: &'a Authenticated,
    list: ListState,
    years: Vec<i16>,
    year: i16,
    accounts: Vec<AccountYear>,
}

impl TrialBalanceView<'_> {
    fn year_options(&self) -> Vec<(String, bool)> {
        self.years.iter().map(|year| (year.to_string(), *year == self.year)).collect()
    }

    fn name(&self, of: &AccountYear) -> String {
        account_name(self.page, of.code)
    }

    fn debit(&self) -> Cents {
        self.accounts.iter().map(|of| of.debit).sum()
    }

    fn credit(&self) -> Cents {
        self.accounts.iter().map(|of| of.credit).sum()
    }

    fn opening(&self) -> Cents {
        self.accounts.iter().map(|of| of.opening).sum()
    }

    fn closing(&self) -> Cents {
        self.accounts.iter().map(AccountYear::closing).sum()
    }
}

#[derive(Template)]
#[template(path = "journal/card.html")]
struct CardView<'a> {
    page: &'a Authenticated,
    list: ListState,
    years: Vec<i16>,
    year: i16,
    card: LedgerCard,
}

impl CardView<'_> {
    fn year_options(&self) -> Vec<(String, bool)> {
        self.years.iter().map(|year| (year.to_string(), *year == self.year)).collect()
    }

    fn name(&self) -> String {
        account_name(self.page, self.card.account.code)
    }

    fn words(&self, head: &Head) -> String {
        words(&head.description, self.page, head)
    }

    fn is_first(&self) -> bool {
        self.list.value("after").is_empty()
    }

    fn next(&self) -> Option<String> {
        let (day, entry, line) = self.card.next?;
        Some(self.list.with("after", &format!("{day}_{entry}_{line}")))
    }

    fn first(&self) -> Option<String> {
        (!self.is_first()).then(|| self.list.with("after", ""))
    }
}

fn words(description: &Description, page: &Authenticated, head: &Head) -> String {
    description.words(page.texts.language, head.reverses.is_some())
}

/// `GET /journal/accounts`
pub(super) async fn trial_balance(page: Authenticated) -> Result<Response, Problem> {
    let actor = owner(&page)?;
    let list = ListState::of(&page, "code");
    let year = year_of(&page, &list);
    let read = move |tx: &mut Tx<'_>| Ok((ledger_cards::trial_balance(tx, &actor, year)?, ledger_cards::years(tx, &actor)?));
    let (accounts, years) = page.app.read(read).await?;
    page.show(&TrialBalanceView { page: &page, list, years: years_with(years, year), year, accounts })
}

/// `GET /journal/accounts.csv`
pub(super) async fn download_trial_balance(page: Authenticated) -> Result<Response, Problem> {
    let actor = owner(&page)?;
    let year = year_of(&page, &ListState::of(&page, "code"));
    let accounts = page.app.read(move |tx| ledger_cards::trial_balance(tx, &actor, year)).await?;
    let mut text = String::from("account,name,opening,debit,credit,closing\r\n");
    for of in &accounts {
        let name = cell(&account_name(&page, of.code));
        // Writing to a String cannot fail.
        let _ = write!(text, "{},{name},{},{},{},{}\r\n", of.code, of.opening, of.debit, of.credit, of.closing());
    }
    Ok(csv(&format!("trial-balance-{year}.csv"), text))
}

/// The place after which a page of a card goes on: `2026-03-13_12_1`.
fn place(text: &str) -> Option<Place> {
    let mut parts = text.split('_');
    let (day, entry, line) = (parts.next()?, parts.next()?, parts.next()?);
    Some((day.parse::<Date>().ok()?, entry.parse().ok()?, line.parse().ok()?))
}

/// `GET /journal/accounts/{code}`, and `GET /journal/accounts/{code}.csv`
pub(super) async fn card(page: Authenticated, Path(text): Path<String>) -> Result<Response, Problem> {
    let actor = owner(&page)?;
    let (code, as_csv) = text.strip_suffix(".csv").map_or((text.as_str(), false), |code| (code, true));
    let Some(code) = AccountCode::parse(code) else { return Err(problem::unknown_route().await) };
    let list = ListState::of(&page, "date");
    let year = year_of(&page, &list);
    if as_csv {
        return download(&page, code, year).await;
    }
    let after = place(list.value("after"));
    let read =
        move |tx: &mut Tx<'_>| Ok((ledger_cards::card(tx, &actor, code, year, after, ROWS)?, ledger_cards::years(tx, &actor)?));
    let (card, years) = page.app.read(read).await?;
    page.show(&CardView { page: &page, list, years: years_with(years, year), year, card })
}

async fn download(page: &Authenticated, code: AccountCode, year: i16) -> Result<Response, Problem> {
    let (actor, language) = (owner(page)?, page.texts.language);
    let read = move |tx: &mut Tx<'_>| {
        let mut text = String::from("entry,date,description,debit,credit,balance\r\n");
        let (mut after, mut count) = (None, 0);
        loop {
            let card = ledger_cards::card(tx, &actor, code, year, after, 5_000)?;
            for (row, balance) in &card.rows {
                count += 1;
                let words = cell(&row.head.description.words(language, row.head.reverses.is_some()));
                let (day, debit, credit) = (row.head.date, row.posting.debited(), row.posting.credited());
                // Writing to a String cannot fail.
                let _ = write!(text, "{},{day},{words},{debit},{credit},{balance}\r\n", row.entry_id);
            }
            after = card.next;
            if after.is_none() || count >= MOST_ROWS {
                return Ok(text);
            }
        }
    };
    Ok(csv(&format!("{code}-{year}.csv"), page.app.read(read).await?))
}
