//! Suggestions for bank lines: accepting several at once, and the texts of their reasons.

use crate::AppState;
use i18n::{Language, Texts};
use service::{
    Context, Error,
    bank_lines::LineDetails,
    bank_suggestions::{self, Characteristic, Charge, SuggestionId, SuggestionReason},
};

/// Suggestion of a line that is to be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// Id of the line.
    pub line_id: i64,
    /// Id of the suggestion.
    pub suggestion: SuggestionId,
}

/// Books lines as suggestions say, in order, each in a transaction of its own.
pub async fn accept(
    app: &AppState,
    cx: &Context,
    accepted: &[Accepted],
) -> Vec<(i64, Result<LineDetails, Error>)> {
    let mut outcomes = Vec::with_capacity(accepted.len());
    for Accepted { line_id, suggestion } in accepted.iter().copied() {
        let caller = cx.clone();
        let booked = app
            .execute(cx.actor.account, move |tx| {
                bank_suggestions::accept(tx, &caller, line_id, suggestion)
            })
            .await;
        outcomes.push((line_id, booked.map(service::Created::into_inner)));
    }
    outcomes
}

/// Returns a reason as an English sentence.
#[must_use]
pub fn english(cx: &Context, of: &SuggestionReason) -> String {
    reason(Texts { language: Language::English }, cx, of)
}

/// Returns a reason as a sentence.
#[must_use]
// Long: one match over all reasons.
pub fn reason(texts: Texts, cx: &Context, reason: &SuggestionReason) -> String {
    let bank_account = |id: i64| {
        let bank = cx.actor.own_accounts.banks().by_id(id);
        bank.map_or_else(String::new, |bank| bank.name(texts.language).to_owned())
    };
    match reason {
        SuggestionReason::AlreadyBooked { entry, days_apart } => texts
            .t("suggestion-already-booked")
            .with("entry", entry)
            .with("days", &i64::from(*days_apart))
            .to_string(),
        SuggestionReason::OtherHalf { bank_account: id, days_apart } => texts
            .t("suggestion-other-half")
            .with("account", &bank_account(*id))
            .with("days", &i64::from(*days_apart))
            .to_string(),
        SuggestionReason::OwnAccount { bank_account: id } => {
            texts.t("suggestion-own-account").with("account", &bank_account(*id)).to_string()
        }
        SuggestionReason::OwnAccountText { bank_account: id, words } => texts
            .t("suggestion-own-account-text")
            .with("account", &bank_account(*id))
            .with("words", *words)
            .to_string(),
        SuggestionReason::PaidTwice { number } => {
            texts.t("suggestion-paid-twice").with("number", number.as_str()).to_string()
        }
        SuggestionReason::Number { number } => {
            texts.t("suggestion-number").with("number", number.as_str()).to_string()
        }
        SuggestionReason::Reference { reference } => {
            texts.t("suggestion-reference").with("reference", reference.as_str()).to_string()
        }
        SuggestionReason::Amount { amount } => {
            texts.t("suggestion-amount").with("amount", &texts.money(amount)).to_string()
        }
        SuggestionReason::AmountOfSeveral { count, total, fee } if fee.is_zero() => texts
            .t("suggestion-amount-of-several")
            .with("count", &i64::from(*count))
            .with("total", &texts.money(total))
            .to_string(),
        SuggestionReason::AmountOfSeveral { count, total, fee } => texts
            .t("suggestion-amount-less-fee")
            .with("count", &i64::from(*count))
            .with("total", &texts.money(total))
            .with("fee", &texts.money(fee))
            .to_string(),
        SuggestionReason::Iban { .. } => texts.t("suggestion-iban").to_string(),
        SuggestionReason::Name { name, likeness: _ } => {
            texts.t("suggestion-name").with("name", name.as_str()).to_string()
        }
        SuggestionReason::TaxOffice { letter: None } => {
            texts.t("suggestion-tax-office").to_string()
        }
        SuggestionReason::TaxOffice { letter: Some(letter) } => {
            texts.t("suggestion-tax-letter").with("letter", &letter.to_string()).to_string()
        }
        SuggestionReason::TaxText { words } => {
            texts.t("suggestion-tax-text").with("words", *words).to_string()
        }
        SuggestionReason::DueReturn { period } => {
            texts.t("suggestion-due-return").with("period", &texts.vat_period(period)).to_string()
        }
        SuggestionReason::Charge { charge: Charge::Costs } => {
            texts.t("suggestion-charge-costs").to_string()
        }
        SuggestionReason::Charge { charge: Charge::Interest } => {
            texts.t("suggestion-charge-interest").to_string()
        }
        SuggestionReason::ChargeText { charge: Charge::Costs, words } => {
            texts.t("suggestion-charge-text").with("words", *words).to_string()
        }
        SuggestionReason::ChargeText { charge: Charge::Interest, words } => {
            texts.t("suggestion-interest-text").with("words", *words).to_string()
        }
        SuggestionReason::Learned { by, times, exceptions } => {
            let by = match by {
                Characteristic::Iban => "iban",
                Characteristic::CreditorId => "creditorId",
                Characteristic::Name => "name",
            };
            texts
                .t("suggestion-learned")
                .with("by", by)
                .with("times", &i64::from(*times))
                .with("exceptions", &i64::from(*exceptions))
                .to_string()
        }
        SuggestionReason::Rule { rule } => {
            texts.t("suggestion-rule").with("rule", rule).to_string()
        }
        SuggestionReason::IbanChanged { known } => {
            texts.t("suggestion-iban-changed").with("known", known.as_str()).to_string()
        }
    }
}
