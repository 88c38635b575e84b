//! `/bank-rules`: rules for bank lines, with a preview before a rule books by itself.

use super::{
    choices::{self, Choices, ignore_reason},
    suggestions::words,
};
use crate::{
    done::Done,
    form::Form,
    id::Id,
    labels,
    page::Authenticated,
    purchases::usual_vat::{self, Filled},
    submit::{Difference, SUBMISSION, VERSION},
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    bank_line::{AllocationKind, IgnoreReason, LineDirection},
    decimal::plain,
    identifiers::Iban,
};
use service::{
    Context, Error,
    bank_lines::{self, LineDetails},
    bank_repeats::RepeatedBooking,
    bank_rules::{self, BankRule, EditRule, NewRule, RuleOutcome, RulePreview},
    bank_suggestions::SuggestedDocuments,
};
use store::{SyncFilter, Tx};
use web_core::{
    input::{self, edited_bank_rule, new_bank_rule},
    problem::Problem,
};

/// Path of the list.
const LIST: &str = "/bank-rules";
/// Maximum number of rules in the list, archived ones included.
const MOST: i64 = 1_000;
/// Maximum number of lines that a preview names.
const MOST_NAMED: usize = 20;
/// Kinds of booking that a rule can make.
const KINDS: [AllocationKind; 8] = [
    AllocationKind::Expense,
    AllocationKind::Private,
    AllocationKind::Transfer,
    AllocationKind::Vat,
    AllocationKind::BankCosts,
    AllocationKind::Interest,
    AllocationKind::LoanRepayment,
    AllocationKind::Ledger,
];
/// Word for a rule that ignores lines.
const IGNORE: &str = "ignore";

/// Names of the fields of the booking of a rule.
struct Then;

impl Then {
    #[expect(clippy::unused_self, reason = "a template asks the names of an allocation's fields")]
    fn field(&self, name: &str) -> String {
        format!("then.{name}")
    }
}

/// Booking of a line that a rule can repeat.
pub(super) fn repeatable(line: &LineDetails) -> Option<RepeatedBooking> {
    match line.allocations.as_slice() {
        [only] => RepeatedBooking::parse(only.template.as_deref()?),
        _ => None,
    }
}

/// Conditions of a rule in words.
fn conditions(page: &Authenticated, rule: &BankRule) -> String {
    let when = bank_rules::conditions(rule);
    let direction = match when.direction {
        LineDirection::In => Some(page.t("bank-rule-in").to_string()),
        LineDirection::Out => Some(page.t("bank-rule-out").to_string()),
        LineDirection::Any => None,
    };
    let money = |amount| page.texts.money(amount);
    let parts = [
        when.bank_account.map(|id| page.bank_account_by_id(&id)),
        direction,
        when.iban.as_ref().map(|iban| iban.as_str().to_owned()),
        when.creditor_id.clone(),
        when.name_contains
            .as_ref()
            .map(|part| page.t("bank-rule-of-name").with("part", part.as_str()).to_string()),
        when.text_contains
            .as_ref()
            .map(|part| page.t("bank-rule-of-text").with("part", part.as_str()).to_string()),
        when.amount_from
            .map(|amount| page.t("bank-rule-least").with("amount", &money(amount)).to_string()),
        when.amount_to
            .map(|amount| page.t("bank-rule-most").with("amount", &money(amount)).to_string()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Booking of a rule in words.
fn booking(page: &Authenticated, rule: &BankRule) -> String {
    match RuleOutcome::parse(&rule.outcome) {
        Some(RuleOutcome::Book(booking)) => {
            words(page, &booking.allocation(), &SuggestedDocuments::default())
        }
        Some(RuleOutcome::Ignore(reason)) => {
            format!("{}: {}", page.t("bank-ignore"), ignore_reason(page.texts, reason))
        }
        None => String::new(),
    }
}

#[derive(Template)]
#[template(path = "bank/rules.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    /// Rules in use, the first that decides first.
    active: Vec<BankRule>,
    archived: Vec<BankRule>,
}

impl ListView<'_> {
    fn conditions(&self, rule: &BankRule) -> String {
        conditions(self.page, rule)
    }

    fn booking(&self, rule: &BankRule) -> String {
        booking(self.page, rule)
    }
}

#[derive(Template)]
#[template(path = "bank/rule.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    rule: BankRule,
    /// Version of the rule that the preview is of.
    version: String,
    preview: RulePreview,
    /// First of the new lines.
    new: Vec<LineDetails>,
    /// First of the lines that were decided in another way.
    contradicted: Vec<LineDetails>,
}

impl View<'_> {
    fn conditions(&self) -> String {
        conditions(self.page, &self.rule)
    }

    fn booking(&self) -> String {
        booking(self.page, &self.rule)
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn name(&self, of: &LineDetails) -> String {
        of.line.name.clone().unwrap_or_else(|| of.line.text.chars().take(80).collect())
    }

    /// Number of lines of a group that are not named.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn more(&self, all: &[i64], named: &[LineDetails]) -> i64 {
        i64::try_from(all.len().saturating_sub(named.len())).unwrap_or(i64::MAX)
    }
}

#[derive(Template)]
#[template(path = "bank/rule-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Rule being edited.
    edited: Option<i64>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
    choices: Choices,
    then: Then,
    today: Date,
}

impl FormView<'_> {
    fn action(&self) -> String {
        self.edited.map_or(LIST.to_owned(), |id| format!("{LIST}/{id}"))
    }

    fn title(&self) -> Phrase<'static> {
        let texts = self.page.texts;
        if self.edited.is_some() { texts.t("bank-rule-edit") } else { texts.t("bank-rule-new") }
    }

    /// Bank accounts whose lines a rule is for, after all of them.
    fn accounts(&self) -> Vec<(String, String)> {
        let all = (String::new(), self.page.t("bank-all-accounts").to_string());
        [all].into_iter().chain(self.page.bank_accounts_in_use()).collect()
    }

    /// Bank accounts to which a rule books transfers.
    fn accounts_to(&self) -> Vec<(String, String)> {
        let none = (String::new(), self.page.t("bank-choose").to_string());
        [none].into_iter().chain(self.page.bank_accounts_in_use()).collect()
    }

    fn directions(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [
            (LineDirection::Any.as_str(), texts.t("bank-rule-any")),
            (LineDirection::In.as_str(), texts.t("bank-rule-in")),
            (LineDirection::Out.as_str(), texts.t("bank-rule-out")),
        ]
    }

    fn kinds(&self) -> Vec<(String, String)> {
        let none = (String::new(), self.page.t("bank-choose").to_string());
        let choice = |kind: &AllocationKind| {
            (kind.as_str().to_owned(), self.page.allocation_kind(kind).to_string())
        };
        let ignored = (IGNORE.to_owned(), self.page.t("bank-ignore").to_string());
        [none].into_iter().chain(KINDS.iter().map(choice)).chain([ignored]).collect()
    }

    fn is_kind(&self, kind: &str) -> bool {
        self.form.has("then.kind", kind)
    }

    fn reasons(&self) -> Vec<(&'static str, Phrase<'static>)> {
        let reasons = IgnoreReason::OF_CALLER.iter();
        reasons.map(|reason| (reason.as_str(), ignore_reason(self.page.texts, *reason))).collect()
    }
}

/// Form fields of a rule.
fn fill(page: &Authenticated, rule: &BankRule) -> Form {
    let when = bank_rules::conditions(rule);
    let money = |amount: Option<ledger::money::Cents>| {
        amount.map(|amount| page.texts.money_field(amount)).unwrap_or_default()
    };
    let mut pairs = vec![
        ("name", rule.name.clone()),
        ("position", rule.position.to_string()),
        ("when.bankAccountId", when.bank_account.map(|id| id.to_string()).unwrap_or_default()),
        ("when.direction", when.direction.as_str().to_owned()),
        ("when.iban", when.iban.as_ref().map(Iban::as_str).unwrap_or_default().to_owned()),
        ("when.creditorId", when.creditor_id.unwrap_or_default()),
        ("when.nameContains", when.name_contains.unwrap_or_default()),
        ("when.textContains", when.text_contains.unwrap_or_default()),
        ("when.amountFrom", money(when.amount_from)),
        ("when.amountTo", money(when.amount_to)),
    ];
    match RuleOutcome::parse(&rule.outcome) {
        Some(RuleOutcome::Book(booking)) => pairs.extend(booking_fields(page, &booking)),
        Some(RuleOutcome::Ignore(reason)) => {
            let reason = reason.as_str().to_owned();
            pairs.extend([("then.kind", IGNORE.to_owned()), ("then.reason", reason)]);
        }
        None => {}
    }
    Form::of(pairs)
}

/// Form fields of a booking, below `then`.
pub(super) fn booking_fields(
    page: &Authenticated,
    booking: &RepeatedBooking,
) -> Vec<(&'static str, String)> {
    let id = |id: i64| id.to_string();
    let mut fields = vec![("then.kind", booking.kind().as_str().to_owned())];
    match booking {
        RepeatedBooking::Expense(of) => fields.extend([
            ("then.items.0.category", of.category.to_string()),
            ("then.items.0.vatTreatment", of.treatment.as_str().to_owned()),
            (
                "then.items.0.vatRate",
                of.rate.map(|rate| plain(&rate.percent())).unwrap_or_default(),
            ),
            ("then.items.0.includesVat", of.includes_vat.to_string()),
            ("then.supplier", of.supplier.name.clone().unwrap_or_default()),
            ("then.contactId", of.supplier.contact_id.map(id).unwrap_or_default()),
            ("then.description", of.description.clone().unwrap_or_default()),
            ("then.businessShare", plain(&of.business_share.percent())),
        ]),
        RepeatedBooking::Vat | RepeatedBooking::BankCosts | RepeatedBooking::Interest => {}
        RepeatedBooking::Private { kind, premium } => fields.extend([
            ("then.privateKind", kind.as_str().to_owned()),
            ("then.premium", premium.map(|of| of.as_str().to_owned()).unwrap_or_default()),
        ]),
        RepeatedBooking::Transfer { bank_account_id } => {
            fields.push(("then.bankAccountId", id(*bank_account_id)));
        }
        RepeatedBooking::LoanRepayment { loan_id, interest } => fields.extend([
            ("then.loanId", id(*loan_id)),
            ("then.interest", page.texts.money_field(*interest)),
        ]),
        RepeatedBooking::Ledger { account, description } => fields.extend([
            ("then.account", account.to_string()),
            ("then.description", description.clone().unwrap_or_default()),
        ]),
    }
    fields
}

/// Form fields of a rule for lines like this one, which are booked like it.
fn of_line(page: &Authenticated, of: &LineDetails) -> Form {
    let line = &of.line;
    let text: String = line.text.chars().take(60).collect();
    let name = line.name.clone().unwrap_or_default();
    let direction = if line.amount.is_negative() { LineDirection::Out } else { LineDirection::In };
    // The account of the counterparty may have another number than an IBAN.
    let iban = line.iban.as_deref().and_then(|iban| Iban::parse(iban).ok());
    let identity = match (iban, &line.creditor_id) {
        (Some(iban), _) => ("when.iban", iban.as_str().to_owned()),
        (None, Some(creditor)) => ("when.creditorId", creditor.clone()),
        (None, None) if name.is_empty() => ("when.textContains", text.clone()),
        (None, None) => ("when.nameContains", name.clone()),
    };
    let mut pairs = vec![
        ("name", if name.is_empty() { text } else { name }),
        ("when.direction", direction.as_str().to_owned()),
        identity,
    ];
    pairs.extend(repeatable(of).iter().flat_map(|booking| booking_fields(page, booking)));
    Form::of(pairs)
}

/// `GET /bank-rules`
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_rules::list(tx, &cx, &SyncFilter::default(), 0, MOST);
    let rules = page.list(read).await?.rows;
    let (archived, mut active): (Vec<_>, Vec<_>) =
        rules.into_iter().partition(|rule| rule.archived);
    active.sort_by_key(|rule| (rule.position, rule.id));
    page.show(&ListView { page: &page, active, archived })
}

/// Gives an untouched expense the usual VAT rate of its category.
fn with_usual_rate(page: &Authenticated, form: &Form) -> Filled {
    let today = page.context().today();
    let is_expense = form.has("then.kind", AllocationKind::Expense.as_str());
    usual_vat::fill(form, is_expense.then(|| ("then.items.0".to_owned(), today)))
}

async fn show_form(
    page: &Authenticated,
    form: &Form,
    edited: Option<i64>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut Tx<'_>| choices::for_rules(tx, &cx);
    let choices = page.app.query(page.who.account.id, read).await?;
    // What is paid includes the VAT.
    let form = &["then.items.0.includesVat", "then.businessShare"]
        .into_iter()
        .zip(["true", "100"])
        .filter(|(name, _)| form.value(name).is_empty())
        .fold(form.clone(), |form, (name, value)| form.with(name, value));
    // The kind was just chosen if the form had no rate.
    let form = &match form.value("then.items.0.vatRate") {
        "" => {
            with_usual_rate(page, &form.clone().with("then.items.0.vatProposed", "true")).marked()
        }
        _ => form.clone(),
    };
    page.show_as(status, &FormView { page, form, edited, differences, choices, then: Then, today })
}

/// `GET /bank-rules/new`: an empty form, or one for lines like the given one.
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let line: Option<i64> = page.query("line").and_then(|id| id.parse().ok());
    let form = match line {
        Some(id) => {
            let cx = page.context();
            let read = move |tx: &mut Tx<'_>| bank_lines::read(tx, &cx, id);
            of_line(&page, &page.list(read).await?)
        }
        None => Form::default(),
    };
    let form = form.with(SUBMISSION, page.new_submission()?);
    show_form(&page, &form, None, Vec::new(), StatusCode::OK).await
}

/// `POST /bank-rules`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let filled = with_usual_rate(&page, &form);
    if form.value("action") == "calculate" {
        return show_form(&page, &filled.marked(), None, Vec::new(), StatusCode::OK).await;
    }
    let (form, is_as_shown) = filled.checked(&page);
    let mut parsed = input::form(usual_vat::as_read(&form), page.texts.language, new_bank_rule);
    parsed.command = parsed.command.filter(|_| is_as_shown);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewRule| {
        // Only its preview makes a rule automatic.
        let command = NewRule { automatic: false, ..command.clone() };
        let rule = bank_rules::create(tx, cx, &command)?.into_inner();
        let done = Done { code: "bank-rule-created".into(), ..Done::default() };
        Ok(done.at(&format!("{LIST}/{}", rule.id)))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_form(&page, &form, None, Vec::new(), status).await
    })
    .await
}

async fn stored(page: &Authenticated, id: i64) -> Result<BankRule, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| bank_rules::read(tx, &cx, id)).await?)
}

async fn show_one(
    page: &Authenticated,
    id: i64,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let rule = bank_rules::read(tx, &cx, id)?;
        let preview = bank_rules::preview(tx, &cx, id)?;
        let mut named = |ids: &[i64]| -> Result<Vec<LineDetails>, Error> {
            ids.iter().take(MOST_NAMED).map(|id| bank_lines::read(tx, &cx, *id)).collect()
        };
        let (new, contradicted) = (named(&preview.new)?, named(&preview.contradicted)?);
        Ok::<_, Error>((rule, preview, new, contradicted))
    };
    let (rule, preview, new, contradicted) = page.list(read).await?;
    let version = fill(page, &rule).version();
    page.show_as(status, &View { page, form, rule, version, preview, new, contradicted })
}

/// `GET /bank-rules/{id}`: the rule with its preview.
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_one(&page, id, &Form::default(), StatusCode::OK).await
}

/// `GET /bank-rules/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let filled = fill(&page, &stored(&page, id).await?);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_form(&page, &form, Some(id), Vec::new(), StatusCode::OK).await
}

/// `POST /bank-rules/{id}`: saves a rule, or turns *automatic* on or off next to its preview.
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let filled = with_usual_rate(&page, &form);
    if form.value("action") == "calculate" {
        return show_form(&page, &filled.marked(), Some(id), Vec::new(), StatusCode::OK).await;
    }
    let (form, is_as_shown) = filled.checked(&page);
    let before = stored(&page, id).await?;
    let is_switch = form.is_given("automatic");
    let mut parsed = input::form(usual_vat::as_read(&form), page.texts.language, edited_bank_rule);
    parsed.command = parsed.command.filter(|_| is_as_shown);
    if let Some(command) = &mut parsed.command {
        if is_switch {
            let automatic = command.automatic;
            *command = EditRule { automatic, ..EditRule::default() };
        } else {
            // Other lines, or another booking, have not been previewed.
            let when = command.when.as_ref();
            let then = command.then.as_ref();
            let is_same = when.is_none_or(|when| *when == bank_rules::conditions(&before))
                && then
                    .is_none_or(|then| RuleOutcome::parse(&before.outcome).as_ref() == Some(then));
            command.automatic = (!is_same).then_some(false);
            command.archived = None;
        }
    }
    let (version, shown) = (form.raw(VERSION).to_owned(), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditRule| {
        let as_seen =
            |there: &BankRule| version.is_empty() || fill(&shown, there).version() == version;
        bank_rules::edit(tx, cx, id, command, &as_seen)?;
        let code = match command.automatic {
            Some(true) => "bank-rule-automatic",
            Some(false) if is_switch => "bank-rule-manual",
            _ => "bank-rule-saved",
        };
        let done = Done { code: code.into(), ..Done::default() };
        Ok(done.at(&format!("{LIST}/{id}")))
    };
    page.carry_out(form, parsed, run, async |mut form, status| {
        if is_switch {
            if form.is_outdated() {
                form.refuse("", page.t("bank-rule-changed"));
            }
            return show_one(&page, id, &form, status).await;
        }
        if !form.is_outdated() {
            return show_form(&page, &form, Some(id), Vec::new(), status).await;
        }
        let now = fill(&page, &stored(&page, id).await?);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::BANK_RULE);
        show_form(&page, &form, Some(id), differences, status).await
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
        let edit = EditRule { archived: Some(archived), ..EditRule::default() };
        bank_rules::edit(tx, cx, id, &edit, &|_| true)?;
        let code = if archived { "bank-rule-archived" } else { "bank-rule-restored" };
        let done = Done { code: code.into(), ..Done::default() };
        Ok(done.at(&format!("{LIST}/{id}")))
    };
    page.press(form, run, async |form, status| show_one(page, id, &form, status).await).await
}

/// `POST /bank-rules/{id}/archive`
pub(super) async fn archive(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, true).await
}

/// `POST /bank-rules/{id}/restore`
pub(super) async fn restore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, false).await
}
