//! Suggestions for bank lines in words.

use crate::page::Authenticated;
use ledger::money::Cents;
use service::{
    Context, Error,
    bank_booking::{Allocation, LineBooking},
    bank_repeats::RepeatedBooking,
    bank_rules,
    bank_suggestions::{SuggestedDocuments, Suggestion, SuggestionReason},
};
use std::collections::BTreeMap;
use store::Tx;
use web_core::suggestions;

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
    let in_words = |reason: &SuggestionReason| {
        let rule = match reason {
            SuggestionReason::Rule { rule } => rules.get(rule),
            _ => None,
        };
        match rule {
            Some(name) => page.t("suggestion-rule").with("rule", name).to_string(),
            None => suggestions::reason(page.texts, &cx, reason),
        }
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
