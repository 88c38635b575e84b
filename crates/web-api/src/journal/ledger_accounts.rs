//! `/ledger-accounts`: the chart of accounts, and the accounts that the owner adds.

use crate::{
    number::Amount,
    operation::Operation,
    query::Query,
    resource::{Creatable, Editable, Filter, Ids, Key, Listed, Resource},
};
use jiff::Timestamp;
use ledger::{
    chart::{AccountCode, Class},
    language::Language,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    ledger_accounts::{self, EditAccount, LedgerAccount, NewAccount},
};
use store::{Page, Tx, Updated};
use web_core::{
    catalogue::{ACCOUNT_IN_USE, NOT_FOUND},
    input::{Fields, Parsed, edited_ledger_account, names_of, new_ledger_account},
    problem::Problem,
};

/// A ledger account of the books.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LedgerAccount")]
pub(crate) struct AccountBody<'a> {
    /// Code, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"4105")]
    code: String,
    /// Name: in English, or as you named an account of your own.
    #[schemars(example = &"Postage")]
    name: &'a str,
    /// Code in the Dutch reference chart of accounts (RGS 3.7).
    #[schemars(example = &"WBedKanOka")]
    rgs_code: &'a str,
    /// Class, which follows from the RGS code.
    #[schemars(extend("enum" = names_of(Class::ALL)))]
    class: &'static str,
    /// `program` or `own`.
    #[schemars(extend("enum" = ["program", "own"]))]
    origin: &'static str,
    /// Whether the account is no longer offered for new bookings.
    #[schemars(example = &false)]
    hidden: bool,
    /// Whether manual entries can use the account.
    #[schemars(example = &true)]
    bookable: bool,
    /// Whether the VAT of purchases on the account is deducted.
    #[schemars(example = &true)]
    vat_deductible: bool,
    /// Balance, debit less credit. For revenue, costs and private accounts, that of the current
    /// year.
    balance: Amount,
}

/// Key of a ledger account: its four digits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Digits(u16);

impl Ids for Digits {
    type Segments = String;

    fn parse(segment: &String, name: &'static str) -> Result<Self, Problem> {
        let code = AccountCode::named(segment).ok_or(Error::NotFound(name))?;
        Ok(Self(code.get()))
    }

    fn fill(self, path: &str) -> String {
        path.replace("{code}", &format!("{:04}", self.0))
    }

    fn last(self) -> Option<i64> {
        Some(self.0.into())
    }
}

impl Key for Digits {
    type Parent = ();

    /// Place in the list, from 1: there can be an account 0000.
    fn id(self) -> i64 {
        i64::from(self.0) + 1
    }
}

/// Filter of the list. Accounts have no external ids.
pub(crate) struct AccountFilter {
    wants_external_id: bool,
}

impl Filter for AccountFilter {
    fn read(query: &mut Query) -> Self {
        let wants_external_id = query.wants_external_id();
        let meaning = "Has no effect: balances change with every entry, and are always included.";
        let _: Option<Timestamp> = query.moment("updatedSince", meaning);
        Self { wants_external_id }
    }

    fn updated(&self) -> Option<Updated> {
        None
    }
}

impl Resource for LedgerAccount {
    type Key = Digits;
    type Body<'r> = AccountBody<'r>;
    const PATH: &'static str = "/ledger-accounts/{code}";
    const NAME: &'static str = "ledger account";

    fn key(&self) -> Digits {
        Digits(self.code.get())
    }

    fn body(&self, _: &Context) -> AccountBody<'_> {
        AccountBody {
            code: self.code.to_string(),
            name: &self.name,
            rgs_code: &self.rgs,
            class: self.class.as_str(),
            origin: if self.code.is_own() && !self.code.is_of_bank() { "own" } else { "program" },
            hidden: self.hidden,
            bookable: self.bookable,
            vat_deductible: self.vat_deductible,
            balance: Amount(self.balance),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, Digits(number): Digits) -> Result<Self, Error> {
        ledger_accounts::read(tx, cx, number, Language::English)
    }
}

impl Listed for LedgerAccount {
    type Filter = AccountFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &AccountFilter,
        from: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        if filter.wants_external_id {
            return Ok(Page { rows: Vec::new(), more: false });
        }
        let mut accounts = ledger_accounts::list(tx, cx, Language::English)?;
        accounts.retain(|account| account.key().id() > from);
        Ok(Page::of(accounts, limit))
    }
}

impl Creatable for LedgerAccount {
    type New = NewAccount;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewAccount> {
        new_ledger_account(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewAccount) -> Result<Created<Self>, Error> {
        ledger_accounts::add(tx, cx, new).map(Created::New)
    }

    fn find_by_external_id(
        _: &mut Tx<'_>,
        _: &Context,
        _: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        Ok(None)
    }
}

impl Editable for LedgerAccount {
    type Edit = EditAccount;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditAccount> {
        edited_ledger_account(fields)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        Digits(number): Digits,
        edit: &EditAccount,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        ledger_accounts::edit(tx, cx, number, edit, (Language::English, expected))
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<LedgerAccount>("listLedgerAccounts")
            .says(
                "List the ledger accounts",
                "Returns the program's accounts and your own, in order of code, with their balances.",
            )
            .for_dutch_accounts(),
        Operation::create_of::<LedgerAccount>(
            "createLedgerAccount",
            json!({ "code": "4105", "name": "Postage", "rgsCode": "WBedKanOka" }),
        )
        .says(
            "Add a ledger account",
            "Adds an account of your own, at most 200. Cost accounts are then possible as category \
             of an expense, revenue accounts as account of an invoice line, and all in manual \
             entries, the opening balance and accruals. Code, RGS code and class never change, and \
             there is no undo: hide an account that you do not need.",
        )
        .for_dutch_accounts(),
        Operation::read_of::<LedgerAccount>("readLedgerAccount")
            .says("Read a ledger account", "")
            .for_dutch_accounts(),
        Operation::edit_of::<LedgerAccount>(
            "editLedgerAccount",
            json!({ "name": "Postage and couriers" }),
        )
        .says(
            "Rename, hide or show a ledger account",
            "Only your own accounts can be changed. A hidden account is not offered for new \
             bookings, and its bookings are always reported. An account with a balance cannot be \
             hidden.",
        )
        .or(&[NOT_FOUND, ACCOUNT_IN_USE])
        .for_dutch_accounts(),
    ]
}
