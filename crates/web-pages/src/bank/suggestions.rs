//! Suggestions for bank lines: their texts, accepting and refusing them.

use super::{
    booking::{back_to, done_of, show_again, target},
    lines::{address_of, filter},
};
use crate::{done::Done, form::Form, frame::list::ListState, id::Id, page::Authenticated};
use axum::response::Response;
use ledger::money::Cents;
use service::{
    Context, Error,
    bank_booking::{Allocation, LineBooking},
    bank_lines,
    bank_repeats::RepeatedBooking,
    bank_rules,
    bank_suggestions::{self, SuggestedDocuments, Suggestion, SuggestionId, SuggestionReason},
};
use std::collections::BTreeMap;
use store::{Tx, bank_lines::BankLine};
use web_core::{
    input::{self, accepted_suggestions, refused_suggestion},
    problem::Problem,
    suggestions::{self, Accepted},
};

/// Suggestion as the page shows it.
pub(super) struct Shown {
    pub(super) id: String,
    pub(super) is_certain: bool,
    /// Each allocation in words, with its amount.
    pub(super) allocations: Vec<(String, Cents)>,
    pub(super) reasons: Vec<String>,
}

/// First suggestion of a line in a list.
pub(super) struct Mark {
    pub(super) id: String,
    pub(super) is_certain: bool,
}

impl Mark {
    pub(super) fn of(suggestions: &[Suggestion]) -> Option<Self> {
        let first = suggestions.first()?;
        Some(Self { id: first.id.to_string(), is_certain: first.is_certain })
    }
}

/// Reads the names of the rules that make suggestions, by id.
pub(super) fn rule_names(
    tx: &mut Tx<'_>,
    cx: &Context,
    suggestions: &[Suggestion],
) -> Result<BTreeMap<i64, String>, Error> {
    let mut names = BTreeMap::new();
    for reason in suggestions.iter().flat_map(|suggestion| &suggestion.reasons) {
        if let SuggestionReason::Rule { rule } = reason {
            names.insert(*rule, bank_rules::read(tx, cx, *rule)?.name);
        }
    }
    Ok(names)
}

/// Returns suggestions in words.
pub(super) fn shown(
    page: &Authenticated,
    suggestions: &[Suggestion],
    documents: &SuggestedDocuments,
    rules: &BTreeMap<i64, String>,
) -> Vec<Shown> {
    let cx = page.context();
    let in_words = |reason: &SuggestionReason| match reason {
        SuggestionReason::Rule { rule } if let Some(name) = rules.get(rule) => {
            page.t("suggestion-rule").with("rule", name).to_string()
        }
        _ => suggestions::reason(page.texts, &cx, reason),
    };
    let one = |suggestion: &Suggestion| Shown {
        id: suggestion.id.to_string(),
        is_certain: suggestion.is_certain,
        allocations: suggestion
            .allocations
            .iter()
            .map(|of| (words(page, of, documents), of.amount.unwrap_or_default()))
            .collect(),
        reasons: suggestion.reasons.iter().map(in_words).collect(),
    };
    suggestions.iter().map(one).collect()
}

/// Kind of an allocation and what it is about.
pub(super) fn words(
    page: &Authenticated,
    of: &Allocation,
    documents: &SuggestedDocuments,
) -> String {
    let kind = page.allocation_kind(&of.booking.kind()).to_string();
    let about = match &of.booking {
        LineBooking::Invoice { invoice_id: id, .. } | LineBooking::Refund { invoice_id: id } => {
            documents.invoices.get(id).map(|of| format!("{} · {}", of.number, of.customer.name))
        }
        LineBooking::Bill { expense_id } => documents.bills.get(expense_id).map(|bill| {
            let name = bill.supplier.as_deref().or(bill.description.as_deref()).unwrap_or("–");
            match &bill.bill.number {
                Some(number) => format!("{number} · {name}"),
                None => format!("{name} · {}", page.texts.short_date(bill.date)),
            }
        }),
        LineBooking::Expense(_) => match RepeatedBooking::of(&of.booking) {
            Some(RepeatedBooking::Expense(expense)) => {
                let account = page.account_name(expense.category);
                Some(match expense.supplier.name {
                    Some(name) => format!("{account} · {name}"),
                    None => account,
                })
            }
            _ => None,
        },
        LineBooking::Vat { period, oss_period } => {
            period.or(*oss_period).map(|period| page.texts.vat_period(period))
        }
        LineBooking::Private { kind, .. } => {
            let mut names = page.private_kinds().into_iter();
            names.find(|(name, _)| name == kind.as_str()).map(|(_, text)| text)
        }
        LineBooking::Transfer { bank_account_id, .. } => {
            Some(page.bank_account_by_id(bank_account_id))
        }
        LineBooking::Payout { provider_account, .. } => {
            provider_account.map(|id| page.bank_account_by_id(&id))
        }
        LineBooking::Loan { account } | LineBooking::Ledger { account, .. } => {
            Some(page.account_name(account))
        }
        LineBooking::Existing { entry_id } => {
            Some(page.t("journal-entry-title").with("id", entry_id).to_string())
        }
        LineBooking::BankCosts | LineBooking::Interest | LineBooking::LoanRepayment { .. } => None,
    };
    match about {
        Some(about) => format!("{kind}: {about}"),
        None => kind,
    }
}

/// `POST /bank-lines/{id}/book` with the action `accept`.
pub(super) async fn accept_one(
    page: Authenticated,
    id: i64,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, refused_suggestion);
    let target = target(&form);
    let run = move |tx: &mut Tx<'_>, cx: &Context, suggestion: &SuggestionId| {
        let booked = bank_suggestions::accept(tx, cx, id, *suggestion)?.into_inner();
        Ok(done_of(booked).at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/{id}/refuse`
pub(super) async fn refuse(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, refused_suggestion);
    let target = back_to(&form, id);
    let run = move |tx: &mut Tx<'_>, cx: &Context, suggestion: &SuggestionId| {
        bank_suggestions::refuse(tx, cx, id, *suggestion)?;
        let done = Done { code: "bank-suggestion-refused".into(), ..Done::default() };
        Ok(done.at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/accept`: books the ticked lines, or all of the page whose suggestion is certain.
pub(super) async fn accept(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let address = address_of(&form);
    let accepted = if form.value("action") == "certain" {
        certain(&page, &ListState::read(&address, "-date")).await?
    } else {
        selected(&page, &form)
    };
    let cx = page.context();
    let outcomes = suggestions::accept(&page.app, &cx, &accepted).await;
    let (mut count, mut sum, mut left) = (0_i64, Cents::ZERO, Vec::new());
    for (id, booked) in outcomes {
        match booked {
            Ok(details) => {
                count += 1;
                sum += details.line.amount;
            }
            Err(_) => left.push(id.to_string()),
        }
    }
    let done = if left.is_empty() {
        let code = if count == 0 { "bank-lines-none" } else { "bank-lines-accepted" };
        Done {
            code: code.into(),
            amount: Some(sum),
            name: page.t("bank-lines-count").with("count", &count).to_string(),
            ..Done::default()
        }
    } else {
        let name = page
            .t("bank-lines-not-accepted")
            .with("count", &count)
            .with("left", &left.join(", "))
            .to_string();
        Done { code: "bank-lines-partly".into(), name, ..Done::default() }
    };
    Ok(page.see_with_flash(&done.at(&address)))
}

/// Ticked lines of a form, with their suggestions.
fn selected(page: &Authenticated, form: &Form) -> Vec<Accepted> {
    // A line that is not ticked sends its suggestion alone.
    let is_ticked = |name: &str| match name.split('.').collect::<Vec<_>>()[..] {
        ["lines", number, _] => !form.value(&format!("lines.{number}.lineId")).is_empty(),
        _ => false,
    };
    let pairs = form.pairs().filter(|(name, _)| is_ticked(name));
    input::form(pairs, page.texts.language, accepted_suggestions).command.unwrap_or_default()
}

/// Lines of a page of the list whose first suggestion is certain.
async fn certain(page: &Authenticated, list: &ListState) -> Result<Vec<Accepted>, Problem> {
    let cx = page.context();
    let (filter, rows) = (filter(list), list.rows());
    let read = move |tx: &mut Tx<'_>| {
        let rows = bank_lines::table(tx, &cx, &filter, rows)?.rows;
        let lines: Vec<BankLine> = rows.into_iter().map(|details| details.line).collect();
        let suggestions = bank_suggestions::of_lines(tx, &cx, &lines)?;
        let certain = lines.iter().zip(suggestions).filter_map(|(line, of)| {
            let first = of.first().filter(|first| first.is_certain)?;
            Some(Accepted { line_id: line.id, suggestion: first.id })
        });
        Ok::<_, service::Error>(certain.collect())
    };
    Ok(page.list(read).await?)
}
