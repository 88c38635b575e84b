//! Charges and interest of the bank itself, by its code for the line or by the words that banks use.

use super::rank;
use crate::{
    draft::Draft,
    line::Line,
    names,
    suggestion::{Allocation, Charge, Reason, Target},
};

/// Words of banks for their charges, in capitals.
const COSTS: [&str; 4] = [
    "KOSTEN BETALINGSVERKEER",
    "KOSTEN ZAKELIJK BETALINGSPAKKET",
    "KOSTEN BETALINGSPAKKET",
    "KOSTEN BANKREKENING",
];
/// Words of banks for interest that they pay, in capitals. *Rente* alone occurs in many texts.
const INTEREST_PAID_OUT: [&str; 7] = [
    "CREDITRENTE",
    "CREDIT RENTE",
    "SPAARRENTE",
    "RENTE SPAARREKENING",
    "RENTEVERGOEDING",
    "RENTEBIJSCHRIJVING",
    "CREDIT INTEREST",
];
/// Words of banks for interest that they charge, in capitals.
const INTEREST_CHARGED: [&str; 3] = ["DEBETRENTE", "DEBET RENTE", "DEBIT INTEREST"];

/// Suggests bank costs and interest, unless an earlier booking or a rule suggests them already.
pub(crate) fn charges(line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let Some((target, reason)) = charge(line) else { return };
    let kind = target.kind();
    let is_suggested = |draft: &Draft| draft.allocations.iter().any(|of| of.target.kind() == kind);
    if drafts.iter().any(is_suggested) {
        return;
    }
    drafts.push(Draft {
        rank: rank::CHARGE,
        evidence: None,
        allocations: vec![Allocation { amount: line.amount.abs(), target }],
        reasons: vec![reason],
        state: Vec::new(),
        has_box: false,
    });
}

fn charge(line: &Line<'_>) -> Option<(Target, Reason)> {
    if let Some(charge) = line.charge {
        let target = match charge {
            Charge::Costs => Target::BankCosts,
            Charge::Interest => Target::Interest,
        };
        return Some((target, Reason::Charge { charge }));
    }
    // A bank that charges or pays its customer names no account.
    if line.iban.is_some() {
        return None;
    }
    let texts = [line.name.unwrap_or_default(), line.text].map(|text| names::words(text).join(" "));
    let among = |words: &[&'static str]| {
        words.iter().copied().find(|words| texts.iter().any(|text| text.contains(words)))
    };
    let interest =
        |words| (Target::Interest, Reason::ChargeText { charge: Charge::Interest, words });
    let costs = |words| (Target::BankCosts, Reason::ChargeText { charge: Charge::Costs, words });
    if !line.amount.is_negative() {
        return among(&INTEREST_PAID_OUT).map(interest);
    }
    among(&INTEREST_CHARGED).map(interest).or_else(|| among(&COSTS).map(costs))
}
