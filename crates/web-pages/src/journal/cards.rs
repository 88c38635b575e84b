//! `/journal/accounts`: the trial balance, and the ledger card of each account with its running
//! balance.

use super::list::{year_of, years_with};
use crate::{
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::ListState,
    },
    page::Authenticated,
    submit::SUBMISSION,
};
use askama::Template;
use axum::{extract::Path, http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    description::Description,
    entry::Head,
    money::Cents,
    own_account::OwnAccount,
    rgs::{self, RgsCode},
};
use service::ledger_cards::{self, AccountYear, LedgerCard};
use store::{Tx, ledger_cards::Place};
use web_core::problem::{self, Problem};

/// Number of postings per page.
const ROWS: i64 = 50;

#[derive(Template)]
#[template(path = "journal/trial-balance.html")]
struct TrialBalanceView<'a> {
    page: &'a Authenticated,
    list: ListState,
    years: Vec<i16>,
    year: i16,
    accounts: Vec<AccountYear>,
    /// Form of a new account of the owner.
    form: &'a Form,
}

impl TrialBalanceView<'_> {
    fn own_accounts(&self) -> &[OwnAccount] {
        self.page.own_accounts().all()
    }

    /// RGS codes to choose from. Their refinements, on the fifth level, are accepted too.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn rgs_codes(&self) -> impl Iterator<Item = &'static RgsCode> {
        rgs::all().iter().filter(|of| of.is_fourth_level())
    }

    fn year_options(&self) -> Vec<(String, bool)> {
        self.years.iter().map(|year| (year.to_string(), *year == self.year)).collect()
    }

    fn name(&self, of: &AccountYear) -> String {
        self.page.account_name(of.code)
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
        self.page.account_name(self.card.account.code)
    }

    fn words(&self, head: &Head) -> String {
        words(&head.description, self.page, head)
    }

    /// URL of the card as a file.
    fn file(&self, ending: &str) -> String {
        format!("/journal/accounts/{}.{ending}?year={}", self.card.account.code, self.year)
    }

    fn is_first(&self) -> bool {
        self.list.value("after").is_empty()
    }

    fn next(&self) -> Option<String> {
        let (day, entry, line) = self.card.next?;
        Some(self.list.with("after", &format!("{day}_{entry}_{line}")))
    }

    fn previous(&self) -> Option<String> {
        let place = self.card.previous.map(|(day, entry, line)| format!("{day}_{entry}_{line}"));
        (!self.is_first()).then(|| self.list.with("after", &place.unwrap_or_default()))
    }
}

fn words(description: &Description, page: &Authenticated, head: &Head) -> String {
    description.words(page.texts.language, head.reverses.is_some())
}

/// Accounts whose code or name matches the search text, in the requested order.
fn asked(
    page: &Authenticated,
    list: &ListState,
    mut accounts: Vec<AccountYear>,
) -> Vec<AccountYear> {
    if let Some(text) = list.text().map(|text| text.to_lowercase()) {
        accounts.retain(|of| page.account_name(of.code).to_lowercase().contains(&text));
    }
    let (column, down) = list.order();
    match column {
        "opening" => accounts.sort_by_key(|of| of.opening),
        "debit" => accounts.sort_by_key(|of| of.debit),
        "credit" => accounts.sort_by_key(|of| of.credit),
        "closing" => accounts.sort_by_key(AccountYear::closing),
        _ => accounts.sort_by_key(|of| of.code),
    }
    if down {
        accounts.reverse();
    }
    accounts
}

/// `GET /journal/accounts`
pub(super) async fn trial_balance(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]).with("vatDeductible", "true");
    show_with(&page, form, StatusCode::OK).await
}

/// Shows the trial balance, with the form of a new account.
pub(super) async fn show_with(
    page: &Authenticated,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(page, "code");
    let year = year_of(page, &list);
    let read = move |tx: &mut Tx<'_>| {
        Ok((ledger_cards::trial_balance(tx, &cx, year)?, ledger_cards::years(tx, &cx)?))
    };
    let (accounts, years) = page.list(read).await?;
    let accounts = asked(page, &list, accounts);
    let years = years_with(years, year);
    page.show_as(status, &TrialBalanceView { page, list, years, year, accounts, form: &form })
}

/// `GET /journal/accounts.csv`, `GET /journal/accounts.xlsx`
pub(super) async fn download_trial_balance(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "code");
    let year = year_of(&page, &list);
    let accounts = page.list(move |tx| ledger_cards::trial_balance(tx, &cx, year)).await?;
    let accounts = asked(&page, &list, accounts);
    let columns = ["account", "name", "opening", "debit", "credit", "closing"];
    let file = Download::begin(page.format(), &format!("trial-balance-{year}"), &columns)?;
    let named = accounts.into_iter().map(|of| (page.account_name(of.code), of)).collect();
    file.answer(&page, named, |file, (name, of): &(String, _)| {
        let sums = [of.opening, of.debit, of.credit, of.closing()].map(Cell::number);
        file.row([Cell::Text(&of.code.to_string()), Cell::Text(name)].into_iter().chain(sums))
    })
    .await
}

/// Parses the cursor of a card's page, such as `2026-03-13_12_1`.
fn place(text: &str) -> Option<Place> {
    let mut parts = text.split('_');
    let (day, entry, line) = (parts.next()?, parts.next()?, parts.next()?);
    Some((day.parse::<Date>().ok()?, entry.parse().ok()?, line.parse().ok()?))
}

/// `GET /journal/accounts/{code}`, and `GET /journal/accounts/{code}.csv`, `….xlsx`
pub(super) async fn card(
    page: Authenticated,
    Path(text): Path<String>,
) -> Result<Response, Problem> {
    let cx = page.context();
    let (code, is_file) = match text.strip_suffix(".csv").or_else(|| text.strip_suffix(".xlsx")) {
        Some(code) => (code, true),
        None => (text.as_str(), false),
    };
    let Some(code) = page.account_code(code) else { return Err(problem::unknown_route().await) };
    let list = ListState::of(&page, "date");
    let year = year_of(&page, &list);
    if is_file {
        return download(&page, code, year).await;
    }
    let after = place(list.value("after"));
    let read = move |tx: &mut Tx<'_>| {
        Ok((ledger_cards::card(tx, &cx, code, year, after, ROWS)?, ledger_cards::years(tx, &cx)?))
    };
    let (card, years) = page.list(read).await?;
    page.show(&CardView { page: &page, list, years: years_with(years, year), year, card })
}

async fn download(page: &Authenticated, code: AccountCode, year: i16) -> Result<Response, Problem> {
    let (cx, language, format) = (page.context(), page.texts.language, page.format());
    let read = move |tx: &mut Tx<'_>| {
        let columns = ["entry", "date", "description", "debit", "credit", "balance"];
        let mut file = Download::begin(format, &format!("{code}-{year}"), &columns)?;
        let (mut after, mut count) = (None, 0);
        loop {
            let card = ledger_cards::card(tx, &cx, code, year, after, 5_000)?;
            for (row, balance) in &card.rows {
                count += 1;
                let words = row.head.description.words(language, row.head.reverses.is_some());
                let amounts =
                    [row.posting.debited(), row.posting.credited(), *balance].map(Cell::number);
                file.row(
                    [Cell::number(row.entry_id), Cell::Day(row.head.date), Cell::Text(&words)]
                        .into_iter()
                        .chain(amounts),
                )?;
            }
            after = card.next;
            if after.is_none() || count >= MOST_ROWS {
                return file.finish();
            }
        }
    };
    Ok(page.list(read).await?)
}
