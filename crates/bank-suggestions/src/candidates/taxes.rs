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

/// Words for VAT, in capitals.
const VAT: [&str; 2] = ["BTW", "OMZETBELASTING"];
/// Word for the tax office, in capitals.
const OFFICE: &str = "BELASTINGDIENST";

/// Words that name a tax or premium other than VAT, in capitals, with the letter of its assessments.
const TAXES: [(&str, char); 12] = [
    ("INKOMSTENBELASTING", 'H'),
    ("INKOMENSHEFFING", 'H'),
    ("IB PVV", 'H'),
    ("ZVW", 'W'),
    ("ZORGVERZEKERINGSWET", 'W'),
    ("INKOMENSAFHANKELIJKE BIJDRAGE", 'W'),
    ("ZORGTOESLAG", 'T'),
    ("HUURTOESLAG", 'T'),
    ("KINDEROPVANGTOESLAG", 'T'),
    ("KINDGEBONDEN BUDGET", 'T'),
    ("MOTORRIJTUIGENBELASTING", 'M'),
    ("WEGENBELASTING", 'M'),
];

/// Returns the tax that the text names: its words, and the letter of its assessments; `None` if the
/// text is about VAT too.
fn tax_in_words(line: &Line<'_>) -> Option<(&'static str, char)> {
    let words = names::words(line.text);
    if words.iter().any(|word| VAT.contains(&word.as_str())) {
        return None;
    }
    let text = format!(" {} ", words.join(" "));
    TAXES.into_iter().find(|(name, _)| text.contains(&format!(" {name} ")))
}

/// Returns the letter of the assessment number on a line, if there is one.
fn letter_of(line: &Line<'_>) -> Option<char> {
    let texts = [Some(line.text), line.payment_reference, line.end_to_end_id];
    texts.into_iter().flatten().find_map(assessment_letter)
}

/// Whether an assessment with this letter is about VAT.
const fn is_vat(letter: char) -> bool {
    matches!(letter, 'B' | 'O' | 'F')
}

pub(crate) fn taxes(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let letter = letter_of(line);
    let in_words = letter.is_none().then(|| tax_in_words(line)).flatten();
    let tax = letter.or(in_words.map(|(_, letter)| letter));
    if tax.is_none_or(is_vat) {
        due(index, line, drafts);
    }
    let iban = line.iban.map(compact);
    let is_known_iban = iban.as_deref().is_some_and(|iban| index.tax_office.has_iban(iban));
    if !is_known_iban && !line.name.is_some_and(|name| index.tax_office.has_name(name)) {
        return;
    }
    let reason = Reason::TaxOffice { letter };
    let is_out = line.amount.is_negative();
    let first = drafts.len();
    match tax {
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
    if let Some((words, _)) = in_words {
        for draft in &mut drafts[first..] {
            draft.reasons.push(Reason::TaxText { words });
        }
    }
}

/// Whether a line is of the tax office, or its text says that it is about VAT.
fn is_about_vat(index: &Index, line: &Line<'_>) -> bool {
    let is_word = |word: &String| word == OFFICE || VAT.contains(&word.as_str());
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
