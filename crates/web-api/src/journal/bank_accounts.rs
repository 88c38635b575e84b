//! `/bank-accounts`: the bank accounts of the books, with their balances.

use crate::{
    moment::Moment,
    number::Amount,
    operation::Operation,
    query::{self, Listing, Query},
    reply,
    resource::{Creatable, Editable, Listed, Resource},
};
use axum::{
    Extension,
    extract::{Path, State},
    response::Response,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    bank_account::BankAccountKind, booking::MoneyAccount, language::Language,
    own_account::OwnAccounts,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    bank_accounts::{self, BankAccountDetails, EditBankAccount, NewBankAccount},
    bank_lines::{self, BankDay, DayStatus, MOST_DAYS},
};
use store::{Lane, Page, SyncFilter, Tx, bank_allocations::UnlinkedEntry, contacts::status};
use web_core::{
    AppState, ReadContext,
    catalogue::{BANK_ACCOUNT_IN_USE, IS_DEFAULT, NOT_FOUND, PAGE_ONLY, PRECONDITION_FAILED},
    input::{Fields, Parsed, edited_bank_account, names_of, new_bank_account},
    problem::{FaultAt, Problem},
};

/// A bank account of the books: an account at a bank or a payment provider, a credit card, or cash.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankAccount")]
pub(crate) struct BankAccountBody<'a> {
    /// Id, unique within the account; the `bankAccountId` of payments and other bookings.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"bank-2")]
    external_id: Option<&'a str>,
    /// Name, unique among the active bank accounts.
    #[schemars(example = &"Business account")]
    name: &'a str,
    /// Kind, which never changes.
    #[schemars(extend("enum" = names_of(BankAccountKind::ALL)))]
    kind: &'static str,
    /// Code of the ledger account, four digits. It belongs to this bank account for ever, and names
    /// it in `method`, `paidFrom`, `from` and `to`.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"1101")]
    account_code: String,
    /// IBAN; null for cash, or if it is unknown.
    #[schemars(example = &"NL20INGB0001234567")]
    iban: Option<&'a str>,
    /// Other names of the account in files of the bank.
    #[schemars(example = &["1234567"])]
    identifiers: &'a [String],
    /// Whether payments use the account if they name a method but no account. Invoices print the
    /// IBAN of the default checking account.
    #[schemars(example = &false)]
    is_default: bool,
    /// `active` or `archived`. An archived account is not offered for new bookings.
    #[schemars(extend("enum" = ["active", "archived"]))]
    status: &'static str,
    /// Balance in the books, debit less credit of all entries.
    balance: Amount,
    /// Latest balance according to the bank; null if no bank statement was taken.
    bank_balance: Option<BankBalanceBody>,
    /// Number of lines of bank statements that wait to be booked.
    #[schemars(example = &0)]
    new_lines: i64,
    /// Date of the first line of a bank statement.
    #[schemars(example = &"2026-01-02")]
    first_line_date: Option<Date>,
    /// Date of the last line of a bank statement.
    #[schemars(example = &"2026-11-20")]
    last_line_date: Option<Date>,
    /// Time of creation; for the five accounts with which books begin, that of the books.
    created_at: Moment,
    /// Time of the last change; a booking is not a change.
    updated_at: Moment,
}

/// A balance according to the bank.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankBalance")]
struct BankBalanceBody {
    /// Date at the end of which the account had the balance.
    #[schemars(example = &"2026-11-20")]
    date: Date,
    /// Balance.
    amount: Amount,
    /// Balance less that in the books on the date.
    difference: Amount,
}

/// Returns the id of the bank account that money came from or went to; `None` for private money.
pub(crate) fn id_of(own: &OwnAccounts, money: MoneyAccount) -> Option<i64> {
    money.kind()?;
    own.banks().find(money.code()).map(|account| account.id)
}

/// Returns the name of a method in a response that knows only some of them: any other is reported as
/// `bank`, and `bankAccountId` names the account.
pub(crate) fn word(money: MoneyAccount, known: &[MoneyAccount]) -> &'static str {
    if known.contains(&money.method()) { money.as_str() } else { MoneyAccount::Bank.as_str() }
}

impl Resource for BankAccountDetails {
    type Key = i64;
    type Body<'r> = BankAccountBody<'r>;
    const PATH: &'static str = "/bank-accounts/{id}";
    const NAME: &'static str = "bank account";
    const KIND: &'static str = "bankAccount";

    fn key(&self) -> i64 {
        self.account.id
    }

    fn body(&self, _: &Context) -> BankAccountBody<'_> {
        let account = &self.account;
        BankAccountBody {
            id: account.id,
            external_id: account.external_id.as_deref(),
            name: account.name(Language::Dutch),
            kind: account.kind().as_str(),
            account_code: account.code.to_string(),
            iban: account.iban.as_ref().map(|iban| iban.as_str()),
            identifiers: &account.identifiers,
            is_default: account.is_default,
            status: status(account.is_archived),
            balance: Amount(self.balance),
            bank_balance: self.bank_balance.map(|of| BankBalanceBody {
                date: of.date,
                amount: Amount(of.amount),
                difference: Amount(of.difference),
            }),
            new_lines: self.lines.new,
            first_line_date: self.lines.first,
            last_line_date: self.lines.last,
            created_at: Moment(account.created_at),
            updated_at: Moment(account.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        bank_accounts::read(tx, cx, id)
    }
}

impl Listed for BankAccountDetails {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        let mut accounts = bank_accounts::list(tx, cx)?;
        accounts.retain(|of| {
            let at = of.account.updated_at;
            let is_updated = filter.updated.is_none_or(|updated| {
                at >= updated.since && updated.until.is_none_or(|until| at <= until)
            });
            let is_named =
                filter.external_id.is_none() || of.account.external_id == filter.external_id;
            of.account.id > after && is_updated && is_named
        });
        Ok(Page::of(accounts, limit))
    }
}

impl Creatable for BankAccountDetails {
    type New = NewBankAccount;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewBankAccount> {
        new_bank_account(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewBankAccount) -> Result<Created<Self>, Error> {
        bank_accounts::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        bank_accounts::find_by_external_id(tx, cx, external_id)
    }
}

impl Editable for BankAccountDetails {
    type Edit = EditBankAccount;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditBankAccount> {
        edited_bank_account(fields)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditBankAccount,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        bank_accounts::edit(tx, cx, id, edit, expected)
    }
}

/// A day of a bank account: balances of the bank, of its lines and of the books.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankDay")]
struct BankDayBody {
    /// Day; the balances are those at its end.
    date: Date,
    /// Balance that the bank stated; null if it stated none for the day.
    bank_balance: Option<Amount>,
    /// Opening balance of the next statement, if it is not the balance of this day: a statement is
    /// missing.
    next_opening_balance: Option<Amount>,
    /// Last balance that the bank stated before the day, with the lines after it; null if there is
    /// none.
    lines_balance: Option<Amount>,
    /// Balance in the books.
    books_balance: Amount,
    /// Balance of the bank, or else that of the lines, less that of the books.
    difference: Option<Amount>,
    /// Number of lines of the day that wait to be booked.
    new_lines: i64,
    /// Entries of the day that move money on the bank account and belong to no line of it.
    unlinked_entries: Vec<UnlinkedEntryBody>,
    /// `ok`; `unbooked` if new lines explain the difference; `gap` if a statement is missing;
    /// `mismatch` if the lines do not add up to the balance of the bank; `unmatched` if an
    /// entry of the day belongs to no line, or no line explains the difference; `unknown` if no balance of the bank is known.
    #[schemars(extend("enum" = DayStatus::ALL.map(DayStatus::as_str)))]
    status: &'static str,
}

/// An entry that moves money on a bank account and belongs to no line of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UnlinkedEntry")]
struct UnlinkedEntryBody {
    /// Id of the entry.
    #[schemars(example = &17)]
    entry_id: i64,
    /// Date of the entry.
    date: Date,
    /// Amount; negative if money goes out.
    amount: Amount,
}

/// Number of days before the last one that [`days`] shows by default.
const DAYS: i64 = 30;

fn unlinked(entry: &UnlinkedEntry) -> UnlinkedEntryBody {
    UnlinkedEntryBody { entry_id: entry.entry_id, date: entry.date, amount: Amount(entry.amount) }
}

/// Reads the period of [`days`].
fn period(query: &mut Query) -> (Option<Date>, Option<Date>) {
    let from = query.day("from", "First day. Default: 30 days before the last one.");
    let to = query.day("to", "Last day, at most 400 days after the first one. Default: today.");
    (from, to)
}

async fn days(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    State(app): State<AppState>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (from, to) = listing.read(period)?;
    let id = query::id(&id, "bank account")?;
    let to = to.unwrap_or_else(|| cx.today());
    let from = from.unwrap_or_else(|| to.saturating_sub(DAYS.days()));
    let span = from.until(to).map_or(i32::MAX, |span| span.get_days());
    if !(0..=MOST_DAYS).contains(&i64::from(span)) {
        let message = format!("give a day from `from` to {MOST_DAYS} days after it");
        return Err(Problem::invalid([FaultAt::parameter("to", "out_of_range", message)]));
    }
    let account = cx.actor.account;
    let list = move |tx: &mut Tx<'_>| {
        let rows = bank_lines::days(tx, &cx, id, (from, to))?;
        let body = |day: &BankDay| {
            reply::body(&BankDayBody {
                date: day.date,
                bank_balance: day.bank_balance.map(Amount),
                next_opening_balance: day.next_opening.map(Amount),
                lines_balance: day.lines_balance.map(Amount),
                books_balance: Amount(day.books_balance),
                difference: day.difference.map(Amount),
                new_lines: day.new_lines,
                unlinked_entries: day.unlinked.iter().map(unlinked).collect(),
                status: day.status.as_str(),
            })
        };
        let page = Page { rows, more: false };
        Ok(reply::rows(&page, |day| day.date.to_string(), body))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<BankDayBody, _, _>("/bank-accounts/{id}/days", "listBankDays", days)
            .with_query(period)
            .says(
                "Compare the balances of a bank account by day",
                "One row per day, oldest first; all days are on one page.",
            )
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::list_of::<BankAccountDetails>("listBankAccounts")
            .says(
                "List the bank accounts",
                "Oldest first. Books begin with one of each kind, with the ids 1 to 5.",
            )
            .for_dutch_accounts(),
        Operation::create_of::<BankAccountDetails>(
            "createBankAccount",
            json!({ "externalId": "bank-2", "name": "Tax reserve", "kind": "savings", "iban": "NL20INGB0001234567" }),
        )
        .says(
            "Create a bank account",
            "Gets the lowest free ledger account of its kind: 1100 to 1109 for checking, 1110 to \
             1119 for savings, 1120 to 1129 for credit cards, 1130 to 1139 for payment providers \
             and 1000 to 1009 for cash, so at most ten of a kind.",
        )
        .or(&[PAGE_ONLY])
        .for_dutch_accounts(),
        Operation::read_of::<BankAccountDetails>("readBankAccount")
            .says("Read a bank account", "")
            .for_dutch_accounts(),
        Operation::edit_of::<BankAccountDetails>(
            "editBankAccount",
            json!({ "name": "Business account", "identifiers": ["1234567"] }),
        )
        .says(
            "Update or archive a bank account",
            "Absent fields stay unchanged; null removes a value. An IBAN that is set, the IBAN \
             that invoices print, and the default checking account can only be changed by the \
             owner, on the pages.",
        )
        .or(&[NOT_FOUND, PRECONDITION_FAILED, PAGE_ONLY, BANK_ACCOUNT_IN_USE, IS_DEFAULT])
        .for_dutch_accounts(),
    ]
}
