//! Input for the journal: manual entries, transfers, private transactions, accruals, loans, private
//! use.

use super::{
    CalendarDate, Choice, Defaults, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, EurosOrNothing,
    Fields, Flag, Integer, OneOf, Parsed, Presence, Raw, Reader, SingleLine, bank_accounts::Money,
    euros, if_filed,
};
use ledger::{
    booking::MoneyAccount,
    chart::{AccountCode, codes},
    entry::{Posting, SourceType},
    event::{AccrualKind, Event, LOANS, PremiumKind, PrivateKind, PrivateUseKind},
    money::Cents,
};
use serde_json::{Value, json};
use service::{
    Reason,
    corrections::IfFiled,
    events::NewEvent,
    ledger_accounts::{EditAccount, NewAccount},
    open_items::{NewOpenItem, OpenItemContact},
};
use store::opening_items::{OpenItemKind, OpeningVat};

/// Methods that stand for the default bank accounts of the business, which can also be named by
/// their code.
const OWN_ACCOUNTS: Money =
    Money(&[MoneyAccount::Bank, MoneyAccount::Savings, MoneyAccount::Cash, MoneyAccount::Card]);

/// Names of the kinds of open items in the API.
pub const OPEN_ITEM_KINDS: &[(&str, OpenItemKind)] =
    &[("receivable", OpenItemKind::Receivable), ("payable", OpenItemKind::Payable)];

/// Values of `kind` that a page fills in by itself: a line that has only a kind counts as blank and
/// is ignored.
const OPEN_ITEM_DEFAULTS: Defaults = &[("kind", &["receivable", "payable"])];

/// Maximum number of lines in a manual entry.
const MOST_LINES: usize = 500;

/// Account of a loan.
struct LoanAccount;

impl Reader for LoanAccount {
    type Value = AccountCode;

    fn read(&self, raw: &Raw) -> Result<AccountCode, Reason> {
        NamedAccount.read(raw).and_then(|code| {
            if LOANS.contains(&code) { Ok(code) } else { Err(Reason::UnknownAccount) }
        })
    }

    fn schema(&self) -> Value {
        let codes: Vec<String> = LOANS.iter().map(ToString::to_string).collect();
        json!({ "type": "string", "enum": codes })
    }
}

/// Ledger account, identified by its four digits. The command finds own accounts, and rejects
/// unsuitable ones with a reason.
pub(super) struct NamedAccount;

impl Reader for NamedAccount {
    type Value = AccountCode;

    fn read(&self, raw: &Raw) -> Result<AccountCode, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotAText) };
        AccountCode::named(text.trim()).ok_or(Reason::UnknownAccount)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "examples": ["4610"] })
    }
}

/// Code of a new ledger account: four digits.
struct NewCode;

impl Reader for NewCode {
    type Value = u16;

    fn read(&self, raw: &Raw) -> Result<u16, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotAText) };
        AccountCode::digits(text.trim()).ok_or(Reason::NotAnAccountCode)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "pattern": "^[0-9]{4}$", "minLength": 4, "maxLength": 4, "examples": ["4105"] })
    }
}

/// Maximum number of characters of an account's name.
const LONGEST_NAME: usize = 100;

/// Reads the fields of a new ledger account.
pub fn new_ledger_account(fields: &mut Fields<'_, '_>) -> Parsed<NewAccount> {
    let meaning = "Code, four digits that no account has: 0 or 1 for the balance sheet, 4 or 7 for \
                   costs, 8 for revenue. Reserved: 0500 to 0599, 1000 to 1139, 1300, 1500 to 1529, \
                   1600 to 1640 and 1700 to 1799.";
    let number = fields.required("code", meaning, NewCode);
    let name = fields.required("name", "Name of the account.", SingleLine(LONGEST_NAME));
    let meaning = "Code in the Dutch reference chart of accounts (RGS 3.7), of a bookable account \
                   for sole traders. It determines the class and never changes.";
    let rgs = fields.required("rgsCode", meaning, SingleLine(20));
    let meaning = "Whether the VAT of purchases on the account is deducted. It never changes. \
                   Default: true.";
    let vat_deductible = fields.optional("vatDeductible", meaning, Flag).unwrap_or(true);
    let command = match (number, name, rgs) {
        (Some(number), Some(name), Some(rgs)) => {
            Some(NewAccount { number, name, rgs, vat_deductible })
        }
        _ => None,
    };
    Parsed::new(None, command)
}

/// Reads the fields for editing an own ledger account; absent fields stay unchanged.
pub fn edited_ledger_account(fields: &mut Fields<'_, '_>) -> Parsed<EditAccount> {
    let name = fields.optional("name", "Name of the account.", SingleLine(LONGEST_NAME));
    let meaning = "Whether the account is hidden: no longer offered for new bookings. Its bookings \
                   are always reported. An account with a balance cannot be hidden.";
    let hidden = fields.optional("hidden", meaning, Flag);
    Parsed::new(None, Some(EditAccount { name, hidden }))
}

/// Amount in euros: at least 0.00, or any amount if `below` is set.
struct Amount {
    /// Whether the amount may be negative.
    pub below: bool,
}

impl Reader for Amount {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        let amount = euros(raw, &Reason::AmountOutOfRange { most: Cents::MAX })?;
        if amount.is_negative() && !self.below { Err(Reason::NegativeAmount) } else { Ok(amount) }
    }

    fn schema(&self) -> Value {
        let least = if self.below { json!(-99_999_999_999.99) } else { json!(0) };
        json!({ "type": "number", "minimum": least, "maximum": 99_999_999_999.99 })
    }
}

/// Contact, identified by its id (a JSON number) or by its name. Pages submit names only.
struct NamedContact;

impl Reader for NamedContact {
    type Value = OpenItemContact;

    fn read(&self, raw: &Raw) -> Result<OpenItemContact, Reason> {
        match raw {
            Raw::Number(_) => Integer(1, i64::MAX).read(raw).map(OpenItemContact::Id),
            _ => SingleLine(255).read(raw).map(OpenItemContact::Name),
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": ["integer", "string"], "minimum": 1, "minLength": 1, "maxLength": 255, "examples": ["Museum De Pier"] })
    }
}

/// Reads the fields of an event of the given kind; `parent_id` is the id of the loan for a
/// repayment.
pub fn new_event(
    fields: &mut Fields<'_, '_>,
    kind: SourceType,
    parent_id: Option<i64>,
) -> Parsed<NewEvent> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required("date", "Date of the booking.", CalendarDate);
    let meaning = "Your own description, for the journal.";
    let description = match kind {
        SourceType::Manual => fields.required("description", meaning, SingleLine(1000)),
        _ => fields.optional("description", meaning, SingleLine(1000)),
    };
    let mut open_items = Vec::new();
    let event = match kind {
        SourceType::Manual => by_hand(fields),
        SourceType::OpeningBalance => {
            let event = opening_balance(fields);
            open_items = open_items_of(fields);
            Some(event)
        }
        SourceType::Transfer => transfer(fields, date),
        SourceType::PrivateBooking => private(fields),
        SourceType::Accrual => accrual(fields),
        SourceType::Loan => loan(fields),
        SourceType::LoanRepayment => repayment(fields),
        _ => private_use(fields),
    };
    let if_filed = if can_be_correction(kind) { if_filed(fields) } else { IfFiled::Refuse };
    // A manual entry requires a description.
    let is_described = kind != SourceType::Manual || description.is_some();
    let command = date.zip(event).filter(|_| is_described).map(|(date, event)| NewEvent {
        external_id: external_id.clone(),
        date,
        description,
        event,
        parent_id,
        open_items,
        if_filed,
    });
    Parsed::new(external_id, command)
}

/// Whether an event of this kind can be booked as a correction of a filed quarter. Private use has
/// amounts in the boxes of the return. A manual entry has none, so the option makes no difference
/// to the booking.
pub const fn can_be_correction(kind: SourceType) -> bool {
    matches!(kind, SourceType::PrivateUse | SourceType::Manual)
}

fn by_hand(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let meaning = "Lines; debits and credits must balance. Accounts kept by the program cannot be \
                   booked by hand: trade receivables and payables, amounts received in advance or \
                   owed to customers, VAT, and the result.";
    let lines = fields.list("lines", meaning, Presence::Required, (2, MOST_LINES), &[], |fields| {
        let account =
            fields.required("account", "Code of the ledger account, four digits.", NamedAccount);
        let (debit, credit) = sides(fields);
        let posting = match (account, debit, credit) {
            (Some(account), Some(debit), None) => Posting::debit(account, debit, None),
            (Some(account), None, Some(credit)) => Posting::credit(account, credit, None),
            (None, ..) => return None,
            _ => {
                fields.fault("debit", Reason::OneSideOnly);
                return None;
            }
        };
        Some(posting)
    });
    Some(Event::ByHand { postings: lines? })
}

/// Reads the debit and the credit amount of a line; an absent or zero amount is `None`.
fn sides(fields: &mut Fields<'_, '_>) -> (Option<Cents>, Option<Cents>) {
    let debit = fields.optional("debit", "Debit amount in euros.", Amount { below: false });
    let meaning = "Credit amount in euros. A line has either a debit or a credit amount.";
    let credit = fields.optional("credit", meaning, Amount { below: false });
    (debit.filter(|amount| !amount.is_zero()), credit.filter(|amount| !amount.is_zero()))
}

/// Reads the total debit and credit of an unfinished manual entry; ignores unreadable amounts.
pub fn totals_by_hand(fields: &mut Fields<'_, '_>) -> (Cents, Cents) {
    let lines = fields.readable("lines", |fields| Some(sides(fields)));
    let plus = |sum: Cents, amount: Option<Cents>| {
        amount.and_then(|amount| sum.checked_add(amount)).unwrap_or(sum)
    };
    let none = (Cents::ZERO, Cents::ZERO);
    lines
        .into_iter()
        .fold(none, |sums, (_, (debit, credit))| (plus(sums.0, debit), plus(sums.1, credit)))
}

fn opening_balance(fields: &mut Fields<'_, '_>) -> Event {
    let meaning = "Balances of ledger accounts at the start of the books: positive for assets, \
                   negative for liabilities. The difference is the owner's equity (0500). Trade \
                   receivables (1300) and payables (1600) follow from `openItems`.";
    let balances =
        fields.list("balances", meaning, Presence::Optional, (0, MOST_LINES), &[], |fields| {
            let account = fields.required(
                "account",
                "Code of the ledger account, four digits.",
                NamedAccount,
            );
            let amount =
                fields.required("amount", "Debit less credit, in euros.", Amount { below: true });
            account.zip(amount)
        });
    // Without balances and open items, the command rejects the event.
    Event::OpeningBalance { balances: balances.unwrap_or_default() }
}

fn open_items_of(fields: &mut Fields<'_, '_>) -> Vec<NewOpenItem> {
    let meaning = "Items open at the start of the books: unpaid invoices and unpaid bills. A \
                   receivable is listed as an invoice and a payable as an expense, both with \
                   `source` `opening`.";
    let items = fields.list("openItems", meaning, Presence::Optional, (0, MOST_LINES), OPEN_ITEM_DEFAULTS, |fields| {
        let kind = fields.required("kind", "`receivable` for your invoice, `payable` for a bill.", Choice(OPEN_ITEM_KINDS));
        let meaning = "Id of the contact, or name of the customer or supplier. A new contact is created for an unknown customer.";
        let contact = fields.required("contact", meaning, NamedContact);
        let meaning = "Number as printed on the invoice or bill. It is outside the series of your invoices.";
        let number = fields.required("number", meaning, SingleLine(100));
        let date = fields.required("date", "Date of the invoice or bill, no later than the opening balance.", CalendarDate);
        let due_date = fields.required("dueDate", "Last day to pay.", CalendarDate);
        let amount = fields.required("amount", "Open amount in euros, including VAT.", Euros);
        let meaning = "Total of the invoice in euros, including VAT. Default: the open amount. Credit notes can credit up to it.";
        let total = fields.optional("total", meaning, Euros);
        let supply_date = fields.optional("supplyDate", "Last day of supply. With it, VAT rates are those of that day.", CalendarDate);
        let meaning = "VAT of the whole invoice by rate. With it, credit notes are limited per rate, and a write-off reclaims VAT (art. 29(2) Wet OB 1968).";
        let on = supply_date.or(date);
        let vat = fields.list("vat", meaning, Presence::Optional, (0, 10), &[], |fields| {
            let rate = fields.required("rate", "VAT rate in per cent.", super::vat_rate::vat_rate(on)).flatten();
            let base = fields.required("base", "Amount excluding VAT, in euros.", Amount { below: false });
            let amount = fields.required("amount", "VAT, in euros.", Amount { below: false });
            Some(OpeningVat { rate: rate?, base: base?, amount: amount? })
        });
        Some(NewOpenItem { kind: kind?, contact: contact?, number: number?, date: date?, due_date: due_date?, amount: amount?, total, supply_date, vat: vat.unwrap_or_default() })
    });
    items.unwrap_or_default()
}

fn transfer(fields: &mut Fields<'_, '_>, date: Option<jiff::civil::Date>) -> Option<Event> {
    let from = fields.required(
        "from",
        "Account that the money leaves: `bank`, `savings`, `cash` or `card` for the default bank \
         account of the kind, or the code of a bank account.",
        OWN_ACCOUNTS,
    );
    let to = fields.required(
        "to",
        "Account that receives the money. Paying the credit card is a transfer to `card`.",
        OWN_ACCOUNTS,
    );
    let amount = fields.required("amount", "Amount in euros.", Euros);
    let meaning = "Date of arrival, if it differs. Until then the money is in transit (1190).";
    let arrived = fields.optional("arrived", meaning, CalendarDate);
    let arrived = arrived.or(date)?;
    Some(Event::Transfer { from: from?, to: to?, amount: amount?, arrived, awaited: None })
}

fn private(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let kind = fields.required("kind", "Purpose of the money.", OneOf(PrivateKind::ALL));
    let amount = fields.required(
        "amount",
        "Amount in euros. Negative if tax, contribution or premium was repaid.",
        Amount { below: true },
    );
    let method = fields.optional(
        "method",
        "Account of the business, or the code of a bank account. Default: bank.",
        OWN_ACCOUNTS,
    );
    let meaning = "Kind of a premium: disability insurance or an annuity. The estimate of the \
                   income tax deducts it.";
    let premium = fields.optional("premium", meaning, OneOf(PremiumKind::ALL));
    Some(Event::Private {
        kind: kind?,
        amount: amount?,
        method: method.unwrap_or(MoneyAccount::Bank),
        premium,
    })
}

fn accrual(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let kind = fields.required("kind", "Kind of accrual.", OneOf(AccrualKind::ALL));
    let meaning = "Ledger account of the revenue (8…) or of the cost (4…, 7…).";
    let account = fields.required("account", meaning, NamedAccount);
    let amount = fields.required("amount", "Amount in euros, excluding VAT.", Euros);
    let reverse_on =
        fields.required("reverseOn", "Date of the reversal, such as 1 January.", CalendarDate);
    Some(Event::Accrual {
        kind: kind?,
        account: account?,
        amount: amount?,
        reverse_on: reverse_on?,
    })
}

fn loan(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let account = fields.required(
        "account",
        "`0700` for a loan from a bank, `0710` for other loans.",
        LoanAccount,
    );
    let amount = fields.required("amount", "Amount in euros.", Euros);
    let method = fields.optional(
        "method",
        "Account that receives the money, or the code of a bank account. Default: bank.",
        OWN_ACCOUNTS,
    );
    Some(Event::Loan {
        account: account?,
        amount: amount?,
        method: method.unwrap_or(MoneyAccount::Bank),
    })
}

fn repayment(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let principal =
        fields.optional("principal", "Principal repaid, in euros.", Amount { below: false });
    let interest = fields.optional("interest", "Interest paid, in euros.", Amount { below: false });
    let method = fields.optional(
        "method",
        "Account that pays, or the code of a bank account. Default: bank.",
        OWN_ACCOUNTS,
    );
    Some(Event::LoanRepayment {
        // The command takes the account from the loan.
        account: codes::BANK_LOAN,
        principal: principal.unwrap_or_default(),
        interest: interest.unwrap_or_default(),
        method: method.unwrap_or(MoneyAccount::Bank),
    })
}

fn private_use(fields: &mut Fields<'_, '_>) -> Option<Event> {
    let kind = fields.required("kind", "Kind of private use.", OneOf(PrivateUseKind::ALL));
    let meaning = "Amount of VAT due on it in euros (box 1d). Required, except under the small \
                   businesses scheme (KOR), which has no VAT.";
    let vat = fields.optional("vat", meaning, EurosOrNothing).unwrap_or_default();
    let meaning = "For a car, the addition to the profit for its private use. For goods, their \
                   value excluding VAT. Required if no VAT is due.";
    let base = fields.optional("base", meaning, Amount { below: false });
    Some(Event::PrivateUse { kind: kind?, vat, base })
}
