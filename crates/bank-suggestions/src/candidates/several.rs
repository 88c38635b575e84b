//! Lines that settle several items: named ones, sums, batches and parts.

use super::{
    clues::{Clues, Link, Named, target},
    rank,
};
use crate::{
    books::ItemKind,
    draft::{Draft, Evidence},
    line::Part,
    names::compact,
    suggestion::{Allocation, Reason, Target},
    sums::{self, MOST_ITEMS, MOST_STEPS},
};
use ledger::money::Cents;
use std::collections::BTreeSet;

/// Maximum number of parts of a line that are matched one by one.
const MOST_PARTS: usize = 50;

pub(super) fn push(clues: &Clues<'_, '_>, drafts: &mut Vec<Draft>) {
    let named = clues.named();
    let mut steps = MOST_STEPS;
    all_named(clues, &named, &mut steps, drafts);
    sums_of_contacts(clues, &named, &mut steps, drafts);
    batches(clues, drafts);
    parts(clues, drafts);
}

/// Sum of the amounts in the direction of the line.
fn total(clues: &Clues<'_, '_>, items: &[u32]) -> Option<Cents> {
    let sum = items.iter().try_fold(Cents::ZERO, |sum, at| sum.checked_add(flow(clues, *at)))?;
    sum.within_limit().ok()
}

/// Amount of an item in the direction of the line.
fn flow(clues: &Clues<'_, '_>, at: u32) -> Cents {
    let flow = clues.item(at).flow();
    if clues.line.amount.is_negative() { -flow } else { flow }
}

/// Suggests all items that the line names, or those that make up the amount.
fn all_named(clues: &Clues<'_, '_>, named: &[Named], steps: &mut u32, drafts: &mut Vec<Draft>) {
    if !(2..=MOST_ITEMS).contains(&named.len()) {
        return;
    }
    let items: Vec<u32> = named.iter().map(|named| named.at).collect();
    let Some(sum) = total(clues, &items) else { return };
    let amount = clues.line.amount.abs();
    if sum == amount {
        let are_strong = named.iter().all(|named| named.mention.is_strong);
        let evidence = are_strong.then_some(Evidence::Number);
        let rank = rank::NUMBER_AND_AMOUNT + 8;
        drafts.push(draft(clues, &items, rank, evidence, Link::default()));
        return;
    }
    let amounts: Vec<i64> = items.iter().map(|at| flow(clues, *at).get()).collect();
    let solutions = sums::find(&amounts, amount.get(), steps);
    for solution in &solutions {
        let chosen: Vec<u32> = solution.iter().map(|place| items[*place]).collect();
        let rank = rank::SEVERAL_NAMED - rank::AMBIGUITY * ambiguity(&solutions);
        drafts.push(draft(clues, &chosen, rank, None, Link::default()));
    }
    if solutions.is_empty() {
        drafts.extend(in_part(clues, &items));
    }
}

/// Suggests to settle the named items in order, as far as the amount goes.
fn in_part(clues: &Clues<'_, '_>, items: &[u32]) -> Option<Draft> {
    let mut rest = clues.line.amount.abs();
    let mut allocations = Vec::new();
    let mut used = Vec::new();
    for at in items {
        let due = flow(clues, *at);
        if rest <= Cents::ZERO {
            break;
        }
        // Amounts in the other direction only fit as a whole.
        if due <= Cents::ZERO {
            return None;
        }
        let amount = due.min(rest);
        rest -= amount;
        allocations.push(Allocation { amount, target: target(clues.item(*at), false) });
        used.push(*at);
    }
    if rest > Cents::ZERO {
        let last = clues.item(*used.last()?);
        if last.kind != ItemKind::Invoice {
            return None;
        }
        let allocation = allocations.last_mut()?;
        allocation.amount += rest;
        allocation.target = target(last, true);
    }
    let mut draft = draft(clues, &used, rank::NUMBER - 20, None, Link::default());
    draft.reasons.retain(|reason| !matches!(reason, Reason::AmountOfSeveral { .. }));
    draft.allocations = allocations;
    Some(draft)
}

fn ambiguity(solutions: &[Vec<usize>]) -> u32 {
    u32::from(solutions.len() > 1)
}

/// Suggests open items of one contact that add up to the amount.
fn sums_of_contacts(
    clues: &Clues<'_, '_>,
    named: &[Named],
    steps: &mut u32,
    drafts: &mut Vec<Draft>,
) {
    let mut contacts: Vec<(i64, Link)> =
        clues.by_id.iter().map(|(id, at)| (*id, clues.contacts[at])).collect();
    for named in named.iter().take(MOST_ITEMS) {
        if let Some(id) = clues.item(named.at).contact
            && !contacts.iter().any(|(known, _)| *known == id)
        {
            contacts.push((id, Link::default()));
        }
    }
    contacts.sort_by_key(|(_, link)| (!link.has_iban, link.name.is_none()));
    for (id, link) in contacts {
        let items = clues.index.by_contact.get(&id).map_or(&[][..], Vec::as_slice);
        // Claims are rarely set off against bills of the same contact.
        let is_bill = |at: &u32| clues.item(*at).kind == ItemKind::Bill;
        let is_out = clues.line.amount.is_negative();
        let items: Vec<u32> = items.iter().copied().filter(|at| is_bill(at) == is_out).collect();
        let amounts: Vec<i64> = items.iter().map(|at| flow(clues, *at).get()).collect();
        let solutions = sums::find(&amounts, clues.line.amount.abs().get(), steps);
        for solution in &solutions {
            let chosen: Vec<u32> = solution.iter().map(|place| items[*place]).collect();
            let is_of_contact = |named: &&Named| clues.item(named.at).contact == Some(id);
            let of_contact = named.iter().filter(is_of_contact);
            let are_included = of_contact.clone().all(|named| chosen.contains(&named.at));
            let base = match (of_contact.count(), link.has_iban) {
                (1.., _) if are_included => rank::SEVERAL_NAMED,
                (1.., _) => continue,
                (0, true) => rank::SEVERAL_AND_IBAN,
                (0, false) => rank::SEVERAL_AND_NAME,
            };
            let rank = base - rank::AMBIGUITY * ambiguity(&solutions);
            drafts.push(draft(clues, &chosen, rank, None, link));
        }
    }
}

/// Suggests all bills of a payment file that the bank booked as one line.
fn batches(clues: &Clues<'_, '_>, drafts: &mut Vec<Draft>) {
    let line = clues.line;
    if !line.amount.is_negative() {
        return;
    }
    let key = (line.bank_account, -line.amount);
    for at in clues.index.batches.get(&key).into_iter().flatten() {
        let batch = &clues.index.books.batches[*at as usize];
        let known = |(expense, amount): &(i64, Cents)| {
            let at = *clues.index.bills.get(expense)?;
            (*amount <= clues.item(at).due).then_some((at, *amount))
        };
        let Some(mut items) = batch.items.iter().map(known).collect::<Option<Vec<_>>>() else {
            continue;
        };
        items.sort_unstable();
        let reference = compact(&batch.reference);
        let texts = [Some(line.text), line.end_to_end_id, line.payment_reference];
        let is_named = texts.into_iter().flatten().any(|text| compact(text).contains(&reference));
        let is_named = is_named && !reference.is_empty();
        let positions: Vec<u32> = items.iter().map(|(at, _)| *at).collect();
        let rank = if is_named { rank::NUMBER_AND_AMOUNT } else { rank::SEVERAL_AND_IBAN };
        let mut draft = draft(clues, &positions, rank, None, Link::default());
        for (allocation, (_, amount)) in draft.allocations.iter_mut().zip(&items) {
            allocation.amount = *amount;
        }
        if is_named {
            draft.evidence = Some(Evidence::Number);
            draft.reasons.insert(0, Reason::Reference { reference: batch.reference.clone() });
        }
        drafts.push(draft);
    }
}

/// Suggests the items that the parts of a line settle one by one; a part against the direction of
/// the line is a fee.
fn parts(clues: &Clues<'_, '_>, drafts: &mut Vec<Draft>) {
    let line = clues.line;
    if !(2..=MOST_PARTS).contains(&line.parts.len()) {
        return;
    }
    let is_out = line.amount.is_negative();
    let mut used: BTreeSet<u32> = BTreeSet::new();
    let mut chosen = Vec::new();
    let mut fee = Cents::ZERO;
    let mut are_strong = true;
    for part in line.parts {
        let Some(amount) = part.amount else { return };
        if amount.is_negative() != is_out {
            fee += amount.abs();
            continue;
        }
        let Some((at, is_strong)) = item_of_part(clues, part, amount, &used) else { return };
        used.insert(at);
        chosen.push(at);
        are_strong &= is_strong;
    }
    let Some(sum) = total(clues, &chosen) else { return };
    if chosen.is_empty() || sum - fee != line.amount.abs() {
        return;
    }
    let has_fee = fee > Cents::ZERO;
    let evidence = (are_strong && !has_fee).then_some(Evidence::Number);
    let mut draft = draft(clues, &chosen, rank::PARTS, evidence, Link::default());
    if has_fee {
        draft.allocations.push(Allocation { amount: -fee, target: Target::BankCosts });
    }
    drafts.push(draft);
}

/// Returns the item of a part, and whether the part names it.
fn item_of_part(
    clues: &Clues<'_, '_>,
    part: &Part<'_>,
    amount: Cents,
    used: &BTreeSet<u32>,
) -> Option<(u32, bool)> {
    let index = clues.index;
    let equal = index.by_flow.get(&amount.get()).map_or(&[][..], Vec::as_slice);
    let open: Vec<u32> = equal.iter().copied().filter(|at| !used.contains(at)).collect();
    let mut named = BTreeSet::new();
    for text in [part.text, part.end_to_end_id].into_iter().flatten() {
        index.numbers.find(text, |found| {
            named.insert(found.document);
        });
        named.extend(index.by_exact.get(&compact(text)).into_iter().flatten().map(|(at, _)| *at));
    }
    if let Some(at) = open.iter().find(|at| named.contains(at)) {
        return Some((*at, true));
    }
    let iban = part.iban.map(compact);
    let contacts = iban.and_then(|iban| index.contacts_by_iban.get(&iban));
    let is_of_contact = |at: &&u32| {
        let contact = clues.item(**at).contact;
        contacts
            .into_iter()
            .flatten()
            .any(|position| Some(index.books.contacts[*position as usize].id) == contact)
    };
    let with_iban = open.iter().find(is_of_contact).copied();
    match (with_iban, &open[..]) {
        (Some(at), _) => Some((at, false)),
        (None, [at]) => Some((*at, false)),
        _ => None,
    }
}

/// Returns a draft that settles whole items, in the order of their positions.
fn draft(
    clues: &Clues<'_, '_>,
    items: &[u32],
    rank: u32,
    evidence: Option<Evidence>,
    link: Link,
) -> Draft {
    let mut items = items.to_vec();
    items.sort_unstable();
    let allocations = items
        .iter()
        .map(|at| Allocation { amount: flow(clues, *at), target: target(clues.item(*at), false) })
        .collect();
    let mut reasons: Vec<Reason> =
        items.iter().filter_map(|at| clues.mention_reason(*at, *clues.mentions.get(at)?)).collect();
    let total = items.iter().map(|at| flow(clues, *at)).sum::<Cents>();
    let line = clues.line.amount.abs();
    let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
    let fee = (total - line).max(Cents::ZERO);
    reasons.push(Reason::AmountOfSeveral { count, total, fee });
    let contact = items.first().and_then(|at| clues.item(*at).contact);
    reasons.extend(clues.link_reasons(contact, link));
    let has_box = items.iter().any(|at| clues.item(*at).has_box);
    let state = items.iter().map(|at| clues.item(*at).due.get()).collect();
    Draft { rank, evidence, allocations, reasons, state, has_box }
}
