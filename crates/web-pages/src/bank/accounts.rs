//! `/bank-accounts`: the bank accounts of the books, and the form for one.

use crate::{
    form::Form,
    frame::iban::grouped,
    id::Id,
    identity::sign_in::confirm_first,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::{ToSpan, civil::Date};
use ledger::{
    bank_account::{BankAccount, BankAccountKind},
    money::Cents,
};
use mail::Mail;
use service::{
    Context, Error, accounts,
    bank_accounts::{self, BankAccountDetails, EditBankAccount, NewBankAccount, needs_password},
    bank_lines::{self, BankDay, DayStatus},
};
use store::Tx;
use web_core::{
    input::{self, edited_bank_account, new_bank_account},
    problem::Problem,
};

/// Path of the list.
const LIST: &str = "/bank-accounts";

#[derive(Template)]
#[template(path = "bank/bank-accounts.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    /// Accounts in use.
    active: Vec<BankAccountDetails>,
    archived: Vec<BankAccountDetails>,
}

impl ListView<'_> {
    fn total(&self) -> Cents {
        self.active.iter().map(|of| of.balance).sum()
    }
}

#[derive(Template)]
#[template(path = "bank/bank-account.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    details: BankAccountDetails,
    /// First day of the month.
    month: Date,
    /// Days of the month up to today.
    days: Vec<BankDay>,
    today: Date,
}

impl View<'_> {
    fn title(&self) -> String {
        self.page.texts.month(self.month)
    }

    /// Whether the next month has begun.
    fn has_next(&self) -> bool {
        self.month.last_of_month() < self.today
    }

    /// URL of an earlier or later month.
    fn beside(&self, months: i64) -> String {
        let other = self.month.saturating_add(months.months());
        let id = self.details.account.id;
        format!("{LIST}/{id}?month={:04}-{:02}", other.year(), other.month())
    }

    /// URL of the new lines of a day.
    fn lines(&self, day: &BankDay) -> String {
        let (id, date) = (self.details.account.id, day.date);
        format!("/bank-lines?state=new&bankAccountId={id}&from={date}&to={date}")
    }

    /// URL of the ignored lines up to a day.
    fn ignored(&self, day: &BankDay) -> String {
        let (id, date) = (self.details.account.id, day.date);
        format!("/bank-lines?state=ignored&bankAccountId={id}&to={date}")
    }

    /// Tone and text of the status of a day.
    fn status(&self, day: &BankDay) -> (&'static str, Phrase<'static>) {
        let texts = self.page.texts;
        match day.status {
            DayStatus::Ok => ("good", texts.t("bank-day-ok")),
            DayStatus::Unbooked => ("", texts.t("bank-day-unbooked")),
            DayStatus::Gap => ("bad", texts.t("bank-day-gap")),
            DayStatus::Mismatch => ("bad", texts.t("bank-day-mismatch")),
            DayStatus::Unmatched if day.ignored.is_some() => ("warn", texts.t("bank-day-ignored")),
            DayStatus::Unmatched if day.is_by_days => ("", texts.t("bank-day-apart")),
            DayStatus::Unmatched => ("warn", texts.t("bank-day-unmatched")),
            DayStatus::Unknown => ("plain", texts.t("bank-day-unknown")),
        }
    }
}

#[derive(Template)]
#[template(path = "bank/bank-account-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Account being edited.
    edited: Option<BankAccount>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl FormView<'_> {
    fn action(&self) -> String {
        self.edited.as_ref().map_or(LIST.to_owned(), address)
    }

    fn title(&self) -> String {
        match &self.edited {
            Some(account) => {
                let name = self.page.bank_account_name(account);
                self.page.t("bank-account-edit-title").with("name", &name).to_string()
            }
            None => self.page.t("bank-account-new").to_string(),
        }
    }

    fn kinds(&self) -> Vec<(&'static str, Phrase<'static>)> {
        BankAccountKind::ALL
            .iter()
            .map(|kind| (kind.as_str(), self.page.bank_account_kind(*kind)))
            .collect()
    }

    fn is_default(&self) -> bool {
        self.edited.as_ref().is_some_and(|account| account.is_default)
    }

    fn is_cash(&self) -> bool {
        self.edited.as_ref().is_some_and(|account| account.kind() == BankAccountKind::Cash)
    }
}

impl Authenticated {
    /// Name of a kind of bank account.
    pub(super) fn bank_account_kind(&self, kind: BankAccountKind) -> Phrase<'static> {
        match kind {
            BankAccountKind::Checking => self.t("bank-kind-checking"),
            BankAccountKind::Savings => self.t("bank-kind-savings"),
            BankAccountKind::CreditCard => self.t("bank-kind-credit-card"),
            BankAccountKind::Cash => self.t("bank-kind-cash"),
            BankAccountKind::PaymentProvider => self.t("bank-kind-payment-provider"),
        }
    }

    /// IBAN of a bank account in groups of four; empty without one.
    pub(super) fn grouped_iban(&self, account: &BankAccount) -> String {
        account.iban.as_ref().map(|iban| grouped(iban.as_str())).unwrap_or_default()
    }
}

fn address(account: &BankAccount) -> String {
    format!("{LIST}/{}", account.id)
}

/// Whether pages show an account: one that the owner created, or one of the first five that has an
/// IBAN, an entry or a bank line.
pub(super) fn is_shown(of: &BankAccountDetails) -> bool {
    let is_first = of.account.code == of.account.kind().first();
    !is_first || of.account.iban.is_some() || of.is_used || of.lines.first.is_some()
}

/// `GET /bank-accounts`
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let accounts = page.list(move |tx| bank_accounts::list(tx, &cx)).await?;
    let shown = accounts.into_iter().filter(is_shown);
    let (archived, mut active): (Vec<_>, Vec<_>) = shown.partition(|of| of.account.is_archived);
    active.sort_by_key(|of| of.account.code);
    page.show(&ListView { page: &page, active, archived })
}

async fn stored(page: &Authenticated, id: i64) -> Result<BankAccountDetails, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| bank_accounts::read(tx, &cx, id)).await?)
}

/// `GET /bank-accounts/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_one(&page, id, &Form::default(), StatusCode::OK).await
}

async fn show_one(
    page: &Authenticated,
    id: i64,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let month = page
        .query("month")
        .and_then(|month| i18n::read_date(&format!("{month}-01")).ok())
        .filter(|month| *month <= today)
        .unwrap_or_else(|| today.first_of_month());
    let last = month.last_of_month().min(today);
    let read = move |tx: &mut Tx<'_>| {
        let details = bank_accounts::read(tx, &cx, id)?;
        Ok::<_, Error>((details, bank_lines::days(tx, &cx, id, (month, last))?))
    };
    let (details, mut days) = page.list(read).await?;
    days.reverse();
    page.show_as(status, &View { page, form, details, month, days, today })
}

/// Form filled from a bank account.
fn fill(page: &Authenticated, account: &BankAccount) -> Form {
    Form::of([
        ("name", page.bank_account_name(account)),
        ("iban", page.grouped_iban(account)),
        ("identifiers", account.identifiers.join(", ")),
        ("isDefault", if account.is_default { "true" } else { "" }.to_owned()),
    ])
}

fn show_form(
    page: &Authenticated,
    form: &Form,
    edited: Option<BankAccount>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    page.show_as(status, &FormView { page, form, edited, differences })
}

/// `GET /bank-accounts/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let kind = page.query("kind").unwrap_or_else(|| BankAccountKind::Checking.as_str().to_owned());
    let iban = page.query("iban").unwrap_or_default();
    let form = Form::of([("kind", kind), ("iban", iban)]).with(SUBMISSION, page.new_submission()?);
    show_form(&page, &form, None, Vec::new(), StatusCode::OK)
}

/// Email that an IBAN or the account on invoices was changed.
fn changed(page: &Authenticated) -> Mail {
    Mail::BankAccountChanged { link: format!("{}{LIST}", page.app.config().base_url) }
}

/// `POST /bank-accounts`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_bank_account);
    let is_guarded = parsed
        .command
        .as_ref()
        .is_some_and(|command| command.is_default && command.kind == BankAccountKind::Checking);
    if is_guarded && !page.who.is_fresh(page.app.now()) {
        return confirm_first(&page, &form);
    }
    let (mails, changed) = (page.mails(), changed(&page));
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewBankAccount| {
        let made = bank_accounts::create(tx, cx, command)?.into_inner();
        if is_guarded {
            let account = accounts::own(tx, cx)?;
            mails.to_owner(tx, &account, &changed)?;
        }
        Ok(format!("{}?done=bank-account-created", address(&made.account)))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_form(&page, &form, None, Vec::new(), status)
    })
    .await
}

/// `GET /bank-accounts/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let account = stored(&page, id).await?.account;
    let filled = fill(&page, &account);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_form(&page, &form, Some(account), Vec::new(), StatusCode::OK)
}

/// `POST /bank-accounts/{id}`
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = stored(&page, id).await?.account;
    let mut parsed = input::form(form.pairs(), page.texts.language, edited_bank_account);
    if let Some(command) = &mut parsed.command {
        // The form shows all fields, so an empty one is cleared; a default has no box to untick.
        command.iban = Some(command.iban.clone().flatten());
        command.identifiers = Some(command.identifiers.clone().unwrap_or_default());
        command.is_default = command.is_default.filter(|is_default| *is_default);
    }
    let banks = page.bank_accounts();
    let is_guarded =
        parsed.command.as_ref().is_some_and(|command| needs_password(banks, id, command));
    if is_guarded && !page.who.is_fresh(page.app.now()) {
        return confirm_first(&page, &form);
    }
    let (mails, changed) = (page.mails(), changed(&page));
    let (version, shown) = (form.raw(VERSION).to_owned(), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditBankAccount| {
        let as_seen = |there: &BankAccountDetails| {
            version.is_empty() || fill(&shown, &there.account).version() == version
        };
        bank_accounts::edit(tx, cx, id, command, &as_seen)?;
        if is_guarded {
            let account = accounts::own(tx, cx)?;
            mails.to_owner(tx, &account, &changed)?;
        }
        Ok(format!("{LIST}/{id}?done=bank-account-saved"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_form(&page, &form, Some(before), Vec::new(), status);
        }
        let account = stored(&page, id).await?.account;
        let now = fill(&page, &account);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::BANK_ACCOUNT);
        show_form(&page, &form, Some(account), differences, status)
    })
    .await
}

async fn set_archived(
    page: &Authenticated,
    id: i64,
    form: Form,
    archived: bool,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let edit = EditBankAccount { archived: Some(archived), ..EditBankAccount::default() };
        bank_accounts::edit(tx, cx, id, &edit, &|_| true)?;
        let done = if archived { "bank-account-archived" } else { "bank-account-restored" };
        Ok::<_, Error>(format!("{LIST}/{id}?done={done}"))
    };
    page.press(form, run, async |form, status| show_one(page, id, &form, status).await).await
}

/// `POST /bank-accounts/{id}/archive`
pub(super) async fn archive(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, true).await
}

/// `POST /bank-accounts/{id}/restore`
pub(super) async fn restore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, false).await
}
