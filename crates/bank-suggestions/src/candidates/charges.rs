//! Charges and interest of the bank itself, by its code for the line or by the words that banks use.

use super::rank;
use crate::{
    draft::Draft,
    line::Line,
    names,
    suggestion::{Allocation, Charge, Reason, Target},
};

/// Words of banks for their charges, in capitals.
const TEXTS: [&str; 4] = [
    "KOSTEN BETALINGSVERKEER",
    "KOSTEN ZAKELIJK BETALINGSPAKKET",
    "KOSTEN BETALINGSPAKKET",
    "KOSTEN BANKREKENING",
];

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
    // A bank that charges its customer names no account, and takes money.
    if line.iban.is_some() || !line.amount.is_negative() {
        return None;
    }
    let texts = [line.name.unwrap_or_default(), line.text].map(|text| names::words(text).join(" "));
    let words = TEXTS.into_iter().find(|words| texts.iter().any(|text| text.contains(words)))?;
    Some((Target::BankCosts, Reason::ChargeText { words }))
}
