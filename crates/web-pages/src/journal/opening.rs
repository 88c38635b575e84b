//! `/journal/opening`: the balances of the accounts at the start of the books.

use crate::{
    done::Done,
    form::Form,
    frame::lines::{Line, Lines, is_reshaping},
    page::{Authenticated, see_other},
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::date;
use ledger::{
    calendar::amsterdam_today,
    chart::{AccountCode, Class},
    entry::SourceType,
    summary::begins_at_nought,
};
use service::{
    Context, Error, contacts,
    corrections::IfFiled,
    events::{self, EventDetails, NewEvent, may_open_with},
    open_items::OpenItemDetails,
};
use std::{borrow::Borrow, fmt};
use store::{Tx, contacts::ContactFilter, opening_items::OpenItemKind};
use web_core::{
    input::{self, OPEN_ITEM_KINDS, new_event},
    problem::Problem,
};

/// Form fields of the items that were open at the start of the books.
const ITEMS: Lines = Lines {
    list: "openItems",
    fields: &[
        ("kind", "receivable"),
        ("contact", ""),
        ("number", ""),
        ("date", ""),
        ("dueDate", ""),
        ("amount", ""),
        ("total", ""),
        ("supplyDate", ""),
        ("vat.0.rate", "21"),
        ("vat.0.base", ""),
        ("vat.0.amount", ""),
        ("vat.1.rate", "9"),
        ("vat.1.base", ""),
        ("vat.1.amount", ""),
        ("vat.2.rate", "0"),
        ("vat.2.base", ""),
        ("vat.2.amount", "0"),
    ],
    content: &["contact", "number", "date", "dueDate", "amount"],
    least: 1,
    most: 501,
};

/// Optional fields of an open item that describe the whole invoice instead of the open amount.
const OF_WHOLE_INVOICE: [&str; 7] = [
    "total",
    "supplyDate",
    "vat.0.base",
    "vat.0.amount",
    "vat.1.base",
    "vat.1.amount",
    "vat.2.base",
];

/// Maximum number of contacts whose names the form suggests; others can be typed.
const MOST_CONTACTS: i64 = 500;

/// Maximum number of open items shown in full, with labels and hints; more are shown in short form.
const MOST_IN_FULL: usize = 12;

/// An account with the names of its form fields.
struct AccountFields {
    code: AccountCode,
    name: String,
    account: String,
    amount: String,
}

#[derive(Template)]
#[template(path = "journal/opening.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    accounts: Vec<AccountFields>,
    items: Vec<Line>,
    /// Names of contacts to choose from.
    contacts: Vec<String>,
    /// Stored opening balance.
    existing: Option<EventDetails>,
}

impl View<'_> {
    /// Whether there are so many items that each is shown in short form.
    fn is_long(&self) -> bool {
        self.items.len() > MOST_IN_FULL
    }

    /// Whether one of the fields about the whole invoice of an item is filled in or has a fault.
    fn has_more(&self, item: &Line) -> bool {
        let is_used = |name: &&str| {
            let name = item.field(name);
            self.form.is_given(&name) || self.form.fault(&name).is_some()
        };
        OF_WHOLE_INVOICE.iter().any(is_used) || self.form.fault(&item.field("vat")).is_some()
    }

    /// Name of a form field in row `place` of an item's VAT.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn vat(&self, item: &Line, place: impl fmt::Display, name: &str) -> String {
        item.field(&format!("vat.{place}.{name}"))
    }

    fn kind(&self, kind: impl Borrow<OpenItemKind>) -> Phrase<'static> {
        match kind.borrow() {
            OpenItemKind::Receivable => self.page.t("open-item-receivable"),
            OpenItemKind::Payable => self.page.t("open-item-payable"),
        }
    }

    fn kinds(&self) -> Vec<(&'static str, Phrase<'static>)> {
        OPEN_ITEM_KINDS.iter().map(|(name, kind)| (*name, self.kind(kind))).collect()
    }

    /// Path of the page about an open item: an invoice or an expense.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn address(&self, of: &OpenItemDetails) -> String {
        let id = of.item.document_id;
        match of.item.kind {
            OpenItemKind::Receivable => format!("/invoices/{id}"),
            OpenItemKind::Payable => format!("/expenses/{id}"),
        }
    }
}

/// Accounts that can have an opening balance: the balance sheet accounts not maintained by the
/// program, except equity, which is the difference between all other balances.
fn accounts(page: &Authenticated) -> impl Iterator<Item = AccountCode> {
    page.offered_accounts().filter(|code| {
        matches!(code.class(), Some(Class::Asset | Class::Liability | Class::Equity))
            && may_open_with(*code)
            && !begins_at_nought(*code)
    })
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let contacts = contacts::list(tx, &cx, &ContactFilter::default(), 0, MOST_CONTACTS)?;
        Ok::<_, service::Error>((events::opening(tx, &cx)?, contacts))
    };
    let (existing, contacts) = page.app.query(page.who.account.id, read).await?;
    let contacts = contacts.into_iter().map(|contact| contact.party.name).collect();
    let items = ITEMS.of(form);
    let fields = |(place, code): (usize, AccountCode)| AccountFields {
        code,
        name: page.account_name(code),
        account: format!("balances.{place}.account"),
        amount: format!("balances.{place}.amount"),
    };
    let accounts = accounts(page).enumerate().map(fields).collect();
    page.show_as(status, &View { page, form, accounts, items, contacts, existing })
}

/// `GET /journal/opening`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let first = date(amsterdam_today(page.app.now()).year(), 1, 1);
    let form = Form::of([(SUBMISSION, page.new_submission()?), ("date", first.to_string())]);
    show_with(&page, &ITEMS.arrange(&form, ""), StatusCode::OK).await
}

/// `GET /settings/opening-balance`: redirects to the journal, where the opening balance is entered.
pub(super) async fn of_settings() -> Response {
    see_other("/journal/opening")
}

/// `POST /journal/opening`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let form = ITEMS.arrange(&form, &action);
    if is_reshaping(&action) {
        return show_with(&page, &form, StatusCode::OK).await;
    }
    let is_blank = |name: &str| is_blank(&form, name);
    let filled: Vec<(&str, &str)> = form.pairs().filter(|(name, _)| !is_blank(name)).collect();
    let parsed = input::form(filled, page.texts.language, |fields| {
        new_event(fields, SourceType::OpeningBalance, None)
    });
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewEvent| {
        let made = events::record(tx, cx, command)?.into_inner();
        let entry = made.entries.first().map(|stored| stored.id);
        let done = Done {
            code: "opening-made".into(),
            entry,
            undo: Some("/journal/opening/undo".into()),
            ..Done::default()
        };
        match entry.filter(|_| made.open_items.is_empty()) {
            Some(entry) => Ok(done.at(&format!("/journal/{entry}"))),
            None => Ok(done.at("/journal/opening")),
        }
    };
    page.carry_out(form, parsed, run, async |form, status| show_with(&page, &form, status).await)
        .await
}

/// Whether a field belongs to a balance without an amount, or to a VAT row without amounts. Such
/// fields are omitted from the input.
fn is_blank(form: &Form, name: &str) -> bool {
    let is_empty = |name: String| form.value(&name).is_empty();
    if let Some(rest) = name.strip_prefix("balances.") {
        let place = rest.split('.').next().unwrap_or_default();
        return is_empty(format!("balances.{place}.amount"));
    }
    let Some((row, _)) = name.rsplit_once('.').filter(|(row, _)| row.contains(".vat.")) else {
        return false;
    };
    let has_no_vat = form.value(&format!("{row}.rate")) == "0";
    is_empty(format!("{row}.base")) && (has_no_vat || is_empty(format!("{row}.amount")))
}

/// `POST /journal/opening/undo`: undoes the opening balance together with its open items.
pub(super) async fn undo(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let run = |tx: &mut Tx<'_>, cx: &Context| {
        let standing = events::opening(tx, cx)?.ok_or(Error::NotFound("opening balance"))?.stored;
        let undone =
            events::undo(tx, cx, (SourceType::OpeningBalance, standing.id), IfFiled::Refuse)?;
        let entry = undone.entries.last().map(|stored| stored.id);
        Ok(Done { code: "opening-undone".into(), entry, ..Done::default() }.at("/journal/opening"))
    };
    page.press(form, run, async |form, status| show_with(&page, &form, status).await).await
}
