//! Bookings like those of earlier lines, and those of rules.

use super::rank;
use crate::{
    draft::{Draft, Evidence},
    index::{Habit, Index},
    line::Line,
    names::{self, compact},
    rule::{Outcome, Rule},
    suggestion::{Allocation, Characteristic, Reason, Target, Template},
};

/// Number of equal bookings from which a habit is certain.
const CERTAIN_TIMES: u32 = 3;

pub(crate) fn habits(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let keys = [
        (Characteristic::Iban, line.iban.map(compact)),
        (Characteristic::CreditorId, line.creditor_id.map(compact)),
        (Characteristic::Name, line.name.map(names::habit_key)),
    ];
    let is_in = !line.amount.is_negative();
    // The first characteristic with a precedent decides, even if nothing can be learned from it.
    let habit = keys.into_iter().find_map(|(characteristic, key)| {
        let habit = index.habits.get(&(is_in, characteristic, key?))?;
        Some((characteristic, habit))
    });
    let Some((by, Habit { last: Some(template), times, exceptions })) = habit else { return };
    if *times == 0 {
        return;
    }
    let is_regular = *times >= CERTAIN_TIMES && *exceptions == 0;
    // Every tax is paid to the same accounts, so one booking says little about the next.
    let is_tax = index.tax_office.is_meant(line.name, line.iban);
    if is_tax && !is_regular {
        return;
    }
    // The name of another account may be anyone's.
    let is_other_account = by == Characteristic::Name && line.iban.is_some();
    let mut reasons = vec![Reason::Learned { by, times: *times, exceptions: *exceptions }];
    if is_other_account {
        let known = line.name.and_then(|name| index.ibans_by_name.get(&names::habit_key(name)));
        reasons.extend(known.map(|known| Reason::IbanChanged { known: known.clone() }));
    }
    let rank = match by {
        _ if is_regular && !is_other_account => rank::HABIT,
        Characteristic::Iban | Characteristic::CreditorId => rank::HABIT_ONCE,
        Characteristic::Name => rank::HABIT_BY_NAME,
    };
    let evidence = (is_regular && !is_other_account && !is_tax).then_some(Evidence::Habit);
    drafts.push(draft(line, template, rank, evidence, reasons));
}

pub(crate) fn rule(rule: &Rule, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let Outcome::Book(template) = &rule.then else { return };
    let is_certain = rule.agreed >= CERTAIN_TIMES && rule.contradicted == 0;
    let evidence = is_certain.then_some(Evidence::Habit);
    drafts.push(draft(line, template, rank::RULE, evidence, vec![Reason::Rule { rule: rule.id }]));
}

fn draft(
    line: &Line<'_>,
    template: &Template,
    rank: u32,
    evidence: Option<Evidence>,
    reasons: Vec<Reason>,
) -> Draft {
    Draft {
        rank,
        evidence,
        allocations: vec![Allocation {
            amount: line.amount.abs(),
            target: Target::Like(template.clone()),
        }],
        reasons,
        state: Vec::new(),
        has_box: template.has_box,
    }
}
