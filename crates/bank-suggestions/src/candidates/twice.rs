//! Lines that pay an invoice once more, which is paid already.

use super::{
    clues::{Clues, Link},
    rank,
};
use crate::{
    books::PaidInvoice,
    draft::Draft,
    suggestion::{Allocation, Reason, Target},
};
use std::collections::BTreeMap;

/// Paid invoice with the amount of the line, and the evidence that it is meant.
struct Twice<'i> {
    paid: &'i PaidInvoice,
    is_numbered: bool,
    link: Link,
}

/// Suggests paid invoices with the amount of the line, if it names the number or the customer. The
/// whole amount is owed back.
pub(super) fn push(clues: &Clues<'_, '_>, drafts: &mut Vec<Draft>) {
    let (index, line) = (clues.index, clues.line);
    let Some(equal) = index.paid_by_amount.get(&line.amount) else { return };
    // Invoices whose number is on the line, and whether it counts alone.
    let mut numbered: BTreeMap<u32, bool> = BTreeMap::new();
    let texts = [Some(line.text), line.payment_reference, line.end_to_end_id];
    for text in texts.into_iter().flatten() {
        index.paid_numbers.find(text, |found| {
            *numbered.entry(found.document).or_default() |= !found.is_weak;
        });
    }
    let candidate = |at: &u32| {
        let paid = &index.books.paid_invoices[*at as usize];
        let contact = paid.contact.and_then(|id| clues.by_id.get(&id));
        let link = contact.map(|at| clues.contacts[at]).unwrap_or_default();
        let has_link = link.has_iban || link.name.is_some();
        let is_numbered = numbered.get(at).is_some_and(|is_strong| *is_strong || has_link);
        (is_numbered || has_link).then_some(Twice { paid, is_numbered, link })
    };
    let mut candidates: Vec<Twice<'_>> = equal.iter().filter_map(candidate).collect();
    // Without a number, the last invoice is meant.
    candidates.sort_by_key(|of| (of.is_numbered, of.paid.date, of.paid.id));
    let Some(Twice { paid, is_numbered, link }) = candidates.pop() else { return };
    let number = || paid.number.clone();
    let mut reasons = vec![Reason::PaidTwice { number: number() }];
    reasons.extend(is_numbered.then(|| Reason::Number { number: number() }));
    reasons.extend(clues.link_reasons(paid.contact, link));
    let target = Target::Invoice { invoice: paid.id, overpayment: true };
    drafts.push(Draft {
        rank: if is_numbered { rank::NUMBER_OF_PAID } else { rank::PAID_TWICE },
        evidence: None,
        allocations: vec![Allocation { amount: line.amount, target }],
        reasons,
        state: vec![paid.amount.get()],
        has_box: false,
    });
}
