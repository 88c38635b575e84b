//! Kinds of events with pages of their own: paths, texts and form fields.

use crate::{page::Authenticated, texts::Phrase};
use ledger::{
    booking::MoneyAccount,
    chart::Class,
    entry::SourceType,
    event::{AccrualKind, Event, LOANS, PremiumKind, PrivateKind, PrivateUseKind},
    money::Cents,
};
use store::events::{EventSums, StoredEvent};

/// Paths of the pages for one kind of event.
pub(super) struct Paths {
    /// Path of the list of events.
    pub(super) list: &'static str,
    /// Path of the page of a single event.
    pub(super) one: &'static str,
    /// Path to which the form that undoes an event is submitted.
    pub(super) undo: &'static str,
}

/// Paths of each kind.
pub(super) const PATHS: &[Paths] = &[
    Paths { list: "/transfers", one: "/transfers/{id}", undo: "/transfers/{id}/undo" },
    Paths {
        list: "/private-bookings",
        one: "/private-bookings/{id}",
        undo: "/private-bookings/{id}/undo",
    },
    Paths { list: "/accruals", one: "/accruals/{id}", undo: "/accruals/{id}/undo" },
    Paths { list: "/loans", one: "/loans/{id}", undo: "/loans/{id}/undo" },
    Paths { list: "/private-use", one: "/private-use/{id}", undo: "/private-use/{id}/undo" },
];

/// Kind of event to which a page's path belongs, and the path of the list for that kind.
pub(super) fn of_path(path: &str) -> (SourceType, &'static str) {
    match path.split(['/', '.']).nth(1) {
        Some("transfers") => (SourceType::Transfer, "/transfers"),
        Some("private-bookings") => (SourceType::PrivateBooking, "/private-bookings"),
        Some("accruals") => (SourceType::Accrual, "/accruals"),
        Some("loans") => (SourceType::Loan, "/loans"),
        _ => (SourceType::PrivateUse, "/private-use"),
    }
}

/// Path of an event's page; `None` for a manual entry, which has only the page of its journal
/// entry.
pub(crate) fn address(event: &StoredEvent) -> Option<String> {
    let id = event.id;
    match event.event.source_type() {
        SourceType::Transfer => Some(format!("/transfers/{id}")),
        SourceType::PrivateBooking => Some(format!("/private-bookings/{id}")),
        SourceType::Accrual => Some(format!("/accruals/{id}")),
        SourceType::Loan => Some(format!("/loans/{id}")),
        SourceType::LoanRepayment => {
            Some(format!("/loans/{}", event.parent_id.unwrap_or_default()))
        }
        SourceType::PrivateUse => Some(format!("/private-use/{id}")),
        SourceType::OpeningBalance => Some("/journal/opening".to_owned()),
        _ => None,
    }
}

/// Texts on the pages for one kind of event.
pub(super) struct Words {
    /// Title of the list.
    pub(super) title: Phrase<'static>,
    /// Explanation of what this kind of event is for.
    pub(super) about: Phrase<'static>,
    /// Title of the form that records an event.
    pub(super) make: Phrase<'static>,
    /// Label of the form's button.
    pub(super) button: Phrase<'static>,
}

pub(super) fn words(page: &Authenticated, kind: SourceType) -> Words {
    let texts = page.texts;
    let words = |title, about, make, button| Words { title, about, make, button };
    match kind {
        SourceType::Transfer => words(
            texts.t("transfers-title"),
            texts.t("transfers-about"),
            texts.t("transfers-make"),
            texts.t("transfers-button"),
        ),
        SourceType::PrivateBooking => words(
            texts.t("private-title"),
            texts.t("private-about"),
            texts.t("private-make"),
            texts.t("private-button"),
        ),
        SourceType::Accrual => words(
            texts.t("accruals-title"),
            texts.t("accruals-about"),
            texts.t("accruals-make"),
            texts.t("accruals-button"),
        ),
        SourceType::Loan => words(
            texts.t("loans-title"),
            texts.t("loans-about"),
            texts.t("loans-make"),
            texts.t("loans-button"),
        ),
        SourceType::LoanRepayment => words(
            texts.t("repayments-title"),
            texts.t("repayments-about"),
            texts.t("repayments-make"),
            texts.t("repayments-button"),
        ),
        _ => words(
            texts.t("private-use-title"),
            texts.t("private-use-about"),
            texts.t("private-use-make"),
            texts.t("private-use-button"),
        ),
    }
}

/// Field of a form.
pub(super) struct Field {
    /// Name of the field: its path in the API's body.
    pub(super) name: &'static str,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) required: bool,
    pub(super) kind: FieldKind,
}

/// Input type of a field.
pub(super) enum FieldKind {
    Day,
    Money,
    Text,
    Choice(Vec<(String, String)>),
}

fn field(name: &'static str, label: Phrase<'static>, kind: FieldKind) -> Field {
    Field { name, label: label.to_string(), hint: String::new(), required: true, kind }
}

impl Field {
    fn hint(self, hint: Phrase<'static>) -> Self {
        Self { hint: hint.to_string(), ..self }
    }

    fn optional(self) -> Self {
        Self { required: false, ..self }
    }
}

fn own_accounts(page: &Authenticated) -> FieldKind {
    let accounts =
        [MoneyAccount::Bank, MoneyAccount::Savings, MoneyAccount::Cash, MoneyAccount::Card];
    FieldKind::Choice(page.money_accounts(&accounts))
}

/// Short description of an event.
pub(crate) fn variant(page: &Authenticated, event: &Event) -> String {
    let texts = page.texts;
    match event {
        Event::Transfer { from, to, .. } => {
            format!("{} → {}", page.money_account(from), page.money_account(to))
        }
        Event::Private { premium: Some(kind), .. } => premium(page, *kind).1,
        Event::Private { kind, .. } => private_kind(page, *kind),
        Event::Accrual { kind, account, .. } => {
            format!("{}, {}", accrual_kind(page, *kind), page.account_name(*account))
        }
        Event::Loan { account, .. } | Event::LoanRepayment { account, .. } => {
            page.account_name(*account)
        }
        Event::PrivateUse { kind: PrivateUseKind::Car, .. } => {
            texts.t("private-use-car").to_string()
        }
        Event::PrivateUse { kind: PrivateUseKind::Goods, .. } => {
            texts.t("private-use-goods").to_string()
        }
        Event::ByHand { .. } | Event::OpeningBalance { .. } => String::new(),
    }
}

/// Name of the variant of an event whose totals a list shows.
pub(super) fn variant_name(
    page: &Authenticated,
    kind: SourceType,
    sums: &EventSums,
) -> Option<String> {
    let variant = sums.variant.as_deref()?;
    let texts = page.texts;
    match kind {
        SourceType::PrivateBooking => {
            PrivateKind::parse(variant).map(|kind| private_kind(page, kind))
        }
        SourceType::Accrual => AccrualKind::parse(variant).map(|kind| accrual_kind(page, kind)),
        SourceType::PrivateUse => PrivateUseKind::parse(variant).map(|kind| {
            let name = if kind == PrivateUseKind::Car {
                texts.t("private-use-car")
            } else {
                texts.t("private-use-goods")
            };
            name.to_string()
        }),
        _ => None,
    }
}

/// Main amount of an event.
pub(super) fn amount(event: &Event) -> Cents {
    match event {
        Event::Transfer { amount, .. }
        | Event::Private { amount, .. }
        | Event::Accrual { amount, .. }
        | Event::Loan { amount, .. } => *amount,
        Event::LoanRepayment { principal, interest, .. } => *principal + *interest,
        Event::PrivateUse { vat, .. } => *vat,
        Event::ByHand { .. } | Event::OpeningBalance { .. } => Cents::ZERO,
    }
}

fn private_kind(page: &Authenticated, kind: PrivateKind) -> String {
    let texts = page.texts;
    match kind {
        PrivateKind::Drawing => texts.t("private-drawing"),
        PrivateKind::Deposit => texts.t("private-deposit"),
        PrivateKind::IncomeTax => texts.t("private-income-tax"),
        PrivateKind::HealthInsurance => texts.t("private-health-insurance"),
        PrivateKind::Premium => texts.t("private-premium"),
    }
    .to_string()
}

/// Code and name of a kind of premium.
fn premium(page: &Authenticated, kind: PremiumKind) -> (String, String) {
    let name = match kind {
        PremiumKind::Disability => page.t("private-premium-disability"),
        PremiumKind::Annuity => page.t("private-premium-annuity"),
    };
    (kind.as_str().to_owned(), name.to_string())
}

fn accrual_kind(page: &Authenticated, kind: AccrualKind) -> String {
    let texts = page.texts;
    match kind {
        AccrualKind::WorkToInvoice => texts.t("accrual-work"),
        AccrualKind::AccruedCost => texts.t("accrual-cost"),
        AccrualKind::PrepaidCost => texts.t("accrual-prepaid"),
    }
    .to_string()
}

/// Form fields for a kind of event, with the date first and the description last.
// Long: one match over all kinds.
pub(super) fn fields(page: &Authenticated, kind: SourceType) -> Vec<Field> {
    let texts = page.texts;
    let amount = || field("amount", texts.t("event-amount"), FieldKind::Money);
    let method = || field("method", texts.t("event-method"), own_accounts(page));
    let own = match kind {
        SourceType::Transfer => vec![
            field("from", texts.t("transfer-from"), own_accounts(page)),
            field("to", texts.t("transfer-to"), own_accounts(page)),
            amount(),
            field("arrived", texts.t("transfer-arrived"), FieldKind::Day)
                .hint(texts.t("transfer-arrived-hint"))
                .optional(),
        ],
        SourceType::PrivateBooking => {
            let kinds = PrivateKind::ALL
                .iter()
                .map(|kind| (kind.as_str().to_owned(), private_kind(page, *kind)));
            let premiums = vec![
                (String::new(), "–".to_owned()),
                premium(page, PremiumKind::Disability),
                premium(page, PremiumKind::Annuity),
            ];
            vec![
                field("kind", texts.t("private-kind"), FieldKind::Choice(kinds.collect())),
                field("premium", texts.t("private-premium-kind"), FieldKind::Choice(premiums))
                    .hint(texts.t("private-premium-kind-hint"))
                    .optional(),
                amount().hint(texts.t("private-amount-hint")),
                method(),
            ]
        }
        SourceType::Accrual => {
            let kinds = AccrualKind::ALL
                .iter()
                .map(|kind| (kind.as_str().to_owned(), accrual_kind(page, *kind)));
            let of_result = page
                .offered_accounts()
                .filter(|code| matches!(code.class(), Some(Class::Revenue | Class::Cost)));
            let accounts = page.account_choices(of_result);
            vec![
                field("kind", texts.t("accrual-kind"), FieldKind::Choice(kinds.collect())),
                field("account", texts.t("entry-account"), FieldKind::Choice(accounts))
                    .hint(texts.t("accrual-account-hint")),
                amount().hint(texts.t("accrual-amount-hint")),
                field("reverseOn", texts.t("accrual-reverse-on"), FieldKind::Day)
                    .hint(texts.t("accrual-reverse-on-hint")),
            ]
        }
        SourceType::Loan => {
            let accounts = LOANS.map(|code| (code.to_string(), page.account_name(code)));
            vec![
                field("account", texts.t("entry-account"), FieldKind::Choice(accounts.to_vec())),
                amount(),
                method(),
            ]
        }
        SourceType::LoanRepayment => vec![
            field("principal", texts.t("repayment-principal"), FieldKind::Money).optional(),
            field("interest", texts.t("repayment-interest"), FieldKind::Money).optional(),
            method(),
        ],
        _ => {
            let kinds = [
                ("car".to_owned(), texts.t("private-use-car").to_string()),
                ("goods".to_owned(), texts.t("private-use-goods").to_string()),
            ];
            vec![
                field("kind", texts.t("private-use-kind"), FieldKind::Choice(kinds.to_vec())),
                field("vat", texts.t("private-use-vat"), FieldKind::Money)
                    .hint(texts.t("private-use-vat-hint"))
                    .optional(),
                field("base", texts.t("private-use-base"), FieldKind::Money)
                    .hint(texts.t("private-use-base-hint"))
                    .optional(),
            ]
        }
    };
    let description =
        field("description", texts.t("journal-description"), FieldKind::Text).optional();
    [field("date", texts.t("event-date"), FieldKind::Day)]
        .into_iter()
        .chain(own)
        .chain([description])
        .collect()
}
