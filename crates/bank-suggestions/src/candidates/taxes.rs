//! Payments to and from the tax office.

use super::rank;
use crate::{
    draft::{Draft, Evidence},
    index::Index,
    line::Line,
    names::{self, compact},
    numbers::assessment_letter,
    suggestion::{Allocation, Reason, ReturnPeriod, Target},
};
use ledger::{chart::codes, event::PrivateKind};

/// Words that name the tax office or VAT, in capitals.
const WORDS: [&str; 3] = ["BELASTINGDIENST", "BTW", "OMZETBELASTING"];

pub(crate) fn taxes(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    due(index, line, drafts);
    let iban = line.iban.map(compact);
    let is_known_iban = iban.as_deref().is_some_and(|iban| index.tax_office.has_iban(iban));
    if !is_known_iban && !line.name.is_some_and(|name| index.tax_office.has_name(name)) {
        return;
    }
    let texts = [Some(line.text), line.payment_reference, line.end_to_end_id];
    let letter = texts.into_iter().flatten().find_map(assessment_letter);
    let reason = Reason::TaxOffice { letter };
    let is_out = line.amount.is_negative();
    match letter {
        None | Some('B' | 'O' | 'F') => {
            // A payment to an account that only has the name of the tax office may be fraud.
            let is_trusted = is_known_iban || !is_out || iban.is_none();
            returns(index, line, letter.is_some(), is_trusted, &reason, drafts);
        }
        Some('H') => {
            drafts.push(draft(line, Target::Private(PrivateKind::IncomeTax), 0, reason));
        }
        Some('W') => {
            drafts.push(draft(line, Target::Private(PrivateKind::HealthInsurance), 0, reason));
        }
        Some('T') => drafts.push(draft(line, private(is_out), 0, reason)),
        Some('M' | 'Y') => {
            drafts.push(draft(line, Target::Ledger(codes::CAR_TAX), 0, reason.clone()));
            drafts.push(draft(line, private(is_out), 1, reason));
        }
        Some(_) => {}
    }
}

/// Whether a line is of the tax office, or its text says that it is about VAT.
fn is_about_vat(index: &Index, line: &Line<'_>) -> bool {
    let is_word = |word: &String| WORDS.contains(&word.as_str());
    index.tax_office.is_meant(line.name, line.iban) || names::words(line.text).iter().any(is_word)
}

/// Suggests the returns that are not filed and would declare the amount of the line. Their amount may
/// still change.
fn due(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let mut equal =
        index.books.due_returns.iter().filter(|of| of.payable == -line.amount).peekable();
    if equal.peek().is_none() || !is_about_vat(index, line) {
        return;
    }
    for of in equal {
        let target = Target::Vat(Some(ReturnPeriod::Vat(of.period)));
        let mut draft = draft(line, target, 0, Reason::DueReturn { period: of.period });
        draft.rank = rank::DUE_RETURN;
        draft.state = vec![of.payable.get()];
        drafts.push(draft);
    }
}

fn private(is_out: bool) -> Target {
    Target::Private(if is_out { PrivateKind::Drawing } else { PrivateKind::Deposit })
}

/// Suggests the returns with the amount of the line, or else the one that it may pay in part.
fn returns(
    index: &Index,
    line: &Line<'_>,
    has_letter: bool,
    is_trusted: bool,
    reason: &Reason,
    drafts: &mut Vec<Draft>,
) {
    let returns = &index.books.returns;
    let exact: Vec<_> = returns.iter().filter(|filed| filed.payable == -line.amount).collect();
    for filed in &exact {
        let mut draft = draft(line, Target::Vat(Some(filed.period)), 0, reason.clone());
        draft.rank = rank::TAX_RETURN;
        draft.evidence = (exact.len() == 1 && is_trusted).then_some(Evidence::Amount);
        draft.reasons.push(Reason::Amount { amount: line.amount.abs() });
        draft.state = vec![filed.payable.get()];
        drafts.push(draft);
    }
    if !exact.is_empty() || !has_letter {
        return;
    }
    let is_of_direction = |payable: i64| payable.signum() == -line.amount.get().signum();
    let open: Vec<ReturnPeriod> = returns
        .iter()
        .filter(|filed| is_of_direction(filed.payable.get()))
        .map(|filed| filed.period)
        .collect();
    let period = match open[..] {
        [period] => Some(period),
        _ => None,
    };
    drafts.push(draft(line, Target::Vat(period), 0, reason.clone()));
}

fn draft(line: &Line<'_>, target: Target, place: u32, reason: Reason) -> Draft {
    Draft {
        rank: rank::TAX_LETTER - place,
        evidence: None,
        allocations: vec![Allocation { amount: line.amount.abs(), target }],
        reasons: vec![reason],
        state: Vec::new(),
        has_box: false,
    }
}
