//! Payouts of payment providers.

use super::rank;
use crate::{
    books::Provider,
    draft::Draft,
    index::Index,
    line::Line,
    names::compact,
    suggestion::{Allocation, Reason, Target},
};
use ledger::money::Cents;

/// Maximum share of the fee in the payments, in percent.
const MOST_FEE_PERCENT: i64 = 8;

pub(crate) fn payouts(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let by_iban = line.iban.and_then(|iban| index.providers_by_iban.get(&compact(iban)).copied());
    let by_name = line.name.and_then(|name| index.provider_names.alike(name).first().copied());
    let Some(at) = by_iban.or(by_name.map(|alike| alike.party)) else { return };
    let provider = &index.books.providers[at as usize];
    if provider.bank_account == line.bank_account {
        return;
    }
    let mut reasons = Vec::new();
    if by_iban.is_some() {
        reasons.push(Reason::Iban { contact: None });
    }
    if let Some(alike) = by_name.filter(|alike| alike.party == at) {
        let name = provider.names[alike.place as usize].clone();
        reasons.push(Reason::Name { name, likeness: alike.likeness });
    }
    let sum = sum(provider, line.amount);
    let (rank, fee) = match sum {
        Some((count, total)) => {
            let fee = total - line.amount;
            reasons.push(Reason::AmountOfSeveral { count, total, fee });
            (rank::PAYOUT, fee)
        }
        None => (rank::PROVIDER, Cents::ZERO),
    };
    let target = Target::Payout { provider_account: provider.bank_account, fee };
    drafts.push(Draft {
        rank,
        evidence: None,
        allocations: vec![Allocation { amount: line.amount.abs(), target }],
        reasons,
        state: sum.map(|(_, total)| total.get()).into_iter().collect(),
        has_box: fee > Cents::ZERO,
    });
}

/// Returns number and sum of the oldest payments that make up a payout with the smallest fee.
fn sum(provider: &Provider, payout: Cents) -> Option<(u32, Cents)> {
    let mut total = Cents::ZERO;
    for (count, payment) in (1..).zip(&provider.payments) {
        total = total.checked_add(*payment)?;
        if payout > Cents::ZERO && total >= payout {
            let fee = total - payout;
            let is_usual =
                fee.get().checked_mul(100)? <= total.get().checked_mul(MOST_FEE_PERCENT)?;
            return is_usual.then_some((count, total));
        }
    }
    None
}
