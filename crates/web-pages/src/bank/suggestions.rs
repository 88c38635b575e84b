//! Suggestions for bank lines in words.

use crate::page::Authenticated;
use ledger::{bank_line::AllocationKind, money::Cents, vat_period::VatPeriod};
use service::{
    Context, Error,
    bank_booking::{Allocation, LineBooking},
    bank_repeats::RepeatedBooking,
    bank_rules,
    bank_suggestions::{SuggestedDocuments, Suggestion, SuggestionReason},
    vat_payments,
};
use std::collections::BTreeMap;
use store::{Tx, bank_allocations::BankAllocation};
use web_core::suggestions;

/// Suggestion as the page shows it.
pub(super) struct Shown {
    pub(super) id: String,
    pub(super) is_certain: bool,
    /// Entry that the suggestion ties.
    pub(super) entry: Option<i64>,
    /// Each allocation in words, with its amount.
    pub(super) allocations: Vec<(String, Cents)>,
    pub(super) reasons: Vec<String>,
}

/// First suggestion of a line in a list.
pub(super) struct Mark {
    pub(super) id: String,
    pub(super) is_certain: bool,
    /// Allocations in words.
    pub(super) words: String,
}

impl Mark {
    pub(super) fn of(
        page: &Authenticated,
        suggestions: &[Suggestion],
        documents: &SuggestedDocuments,
    ) -> Option<Self> {
        let first = suggestions.first()?;
        let allocations = first.allocations.iter().map(|of| words(page, of, documents));
        Some(Self {
            id: first.id.to_string(),
            is_certain: first.is_certain,
            words: listed(allocations),
        })
    }
}

/// First of several allocations in words, with the number of the others.
pub(super) fn listed(allocations: impl ExactSizeIterator<Item = String>) -> String {
    let more = allocations.len().saturating_sub(1);
    let mut allocations = allocations;
    let first = allocations.next().unwrap_or_default();
    if more == 0 { first } else { format!("{first} + {more}") }
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
        entry: suggestion.allocations.iter().find_map(|of| match of.booking {
            LineBooking::Existing { entry_id } => Some(entry_id),
            _ => None,
        }),
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
    let about = match &of.booking {
        LineBooking::Invoice { invoice_id: id, .. } | LineBooking::Refund { invoice_id: id } => {
            about_invoice(documents, *id)
        }
        LineBooking::Bill { expense_id } => about_bill(page, documents, *expense_id),
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
        LineBooking::Existing { entry_id } => about_entry(page, documents, *entry_id)
            .or_else(|| Some(page.t("journal-entry-title").with("id", entry_id).to_string())),
        LineBooking::BankCosts | LineBooking::Interest | LineBooking::LoanRepayment { .. } => None,
    };
    phrase(page, of.booking.kind(), about)
}

/// Reads the periods of booked VAT payments, by payment.
pub(super) fn vat_periods<'a>(
    tx: &mut Tx<'_>,
    cx: &Context,
    allocations: impl Iterator<Item = &'a BankAllocation>,
) -> Result<BTreeMap<i64, VatPeriod>, Error> {
    let mut periods = BTreeMap::new();
    for of in allocations.filter(|of| of.kind == AllocationKind::Vat) {
        let Some(id) = of.target_id else { continue };
        let payment = vat_payments::read(tx, cx, id)?;
        periods.extend(payment.period.or(payment.oss_period).map(|period| (id, period)));
    }
    Ok(periods)
}

/// Kind of a booked allocation and what it is about.
pub(super) fn booked_words(
    page: &Authenticated,
    of: &BankAllocation,
    documents: &SuggestedDocuments,
    periods: &BTreeMap<i64, VatPeriod>,
) -> String {
    let about = match of.kind {
        AllocationKind::Invoice | AllocationKind::Refund => {
            of.parent_id.and_then(|id| about_invoice(documents, id))
        }
        AllocationKind::Bill => of.parent_id.and_then(|id| about_bill(page, documents, id)),
        AllocationKind::Vat => {
            let period = of.target_id.and_then(|id| periods.get(&id));
            period.map(|period| page.texts.vat_period(period))
        }
        kind => {
            if let Some(booking) = of.template.as_deref().and_then(RepeatedBooking::parse) {
                return words(page, &booking.allocation(), documents);
            }
            match of.parent_id {
                Some(id) if kind == AllocationKind::Expense => about_bill(page, documents, id),
                _ => of.entry_ids.first().and_then(|id| about_entry(page, documents, *id)),
            }
        }
    };
    phrase(page, of.kind, about)
}

/// Number and customer of an invoice.
fn about_invoice(documents: &SuggestedDocuments, id: i64) -> Option<String> {
    let invoice = documents.invoices.get(&id)?;
    Some(format!("{} · {}", invoice.number, invoice.customer.name))
}

/// Number and supplier of a bill; its date without a number.
fn about_bill(page: &Authenticated, documents: &SuggestedDocuments, id: i64) -> Option<String> {
    let bill = documents.bills.get(&id)?;
    let name = bill.supplier.as_deref().or(bill.description.as_deref()).unwrap_or("–");
    Some(match &bill.bill.number {
        Some(number) => format!("{number} · {name}"),
        None => format!("{name} · {}", page.texts.short_date(bill.date)),
    })
}

/// Description and date of an entry.
fn about_entry(page: &Authenticated, documents: &SuggestedDocuments, id: i64) -> Option<String> {
    let entry = &documents.entries.get(&id)?.entry;
    let words = entry.words(page.texts.language);
    Some(format!("{words} · {}", page.texts.short_date(entry.date())))
}

/// Kind and what it is about. The number of an invoice follows its kind as in a sentence.
fn phrase(page: &Authenticated, kind: AllocationKind, about: Option<String>) -> String {
    let name = page.allocation_kind(&kind).to_string();
    match about {
        Some(about) if kind == AllocationKind::Invoice => format!("{name} {about}"),
        Some(about) => format!("{name}: {about}"),
        None => name,
    }
}
