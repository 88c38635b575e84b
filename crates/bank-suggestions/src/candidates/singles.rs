//! Lines that settle one item: an invoice, a bill or a refund.

use super::{
    clues::{Clues, Link, Mention, target},
    rank,
};
use crate::{
    books::ItemKind,
    draft::{Draft, Evidence},
    names::compact,
    suggestion::{Allocation, Reason},
};
use ledger::money::Cents;
use std::cmp::Reverse;

/// Maximum number of items with the amount of the line that are looked at without further evidence.
const MOST_EQUAL: usize = 64;
/// Maximum number of items suggested alone, before comparison with other suggestions.
const MOST_SINGLES: usize = 16;

/// Suggests each item that the line may settle alone.
pub(super) fn push(clues: &Clues<'_, '_>, drafts: &mut Vec<Draft>) {
    let singles = clues.singles();
    clues.push_singles(&singles, drafts);
}

/// Whether the amount is due by an item of a party whose IBAN or name is on the line, and this item
/// is of another party: the number may be a slip.
fn is_disputed(single: &Single, linked: &[&Single]) -> bool {
    let has_link = single.link.has_iban || single.link.name.is_some();
    single.is_exact && !has_link && !linked.is_empty()
}

/// Item that the line may settle alone.
struct Single {
    at: u32,
    mention: Option<Mention>,
    is_exact: bool,
    link: Link,
}

impl Clues<'_, '_> {
    fn single(&self, at: u32) -> Single {
        Single {
            at,
            mention: self.mentions.get(&at).copied(),
            is_exact: self.item(at).flow() == self.line.amount || self.is_ordered(at),
            link: self.link(at),
        }
    }

    /// Whether the line is a payment of a bill that the bank was asked to make, of exactly that amount
    /// and at most what is still due.
    fn is_ordered(&self, at: u32) -> bool {
        let (item, amount) = (self.item(at), -self.line.amount);
        let Some(id) = self.line.end_to_end_id.map(compact).filter(|id| !id.is_empty()) else {
            return false;
        };
        let is_it = |order: &(String, Cents)| order.1 == amount && compact(&order.0) == id;
        item.kind == ItemKind::Bill && amount <= item.due && item.orders.iter().any(is_it)
    }

    /// Returns the items that the line may settle alone.
    fn singles(&self) -> Vec<Single> {
        let index = self.index;
        let mut positions: Vec<u32> = self.mentions.keys().copied().collect();
        let equal = index.by_flow.get(&self.line.amount.get()).map_or(&[][..], Vec::as_slice);
        if equal.len() <= MOST_EQUAL {
            positions.extend(equal);
        }
        for id in self.by_id.keys() {
            let items = index.by_contact.get(id).map_or(&[][..], Vec::as_slice);
            let mut of_direction = items.iter().filter(|at| self.is_of_direction(**at)).peekable();
            positions.extend(of_direction.peek().copied());
            positions.extend(of_direction.filter(|at| self.item(**at).flow() == self.line.amount));
        }
        let pay_to = self.iban.as_ref().and_then(|iban| index.by_pay_to.get(iban));
        positions.extend(pay_to.into_iter().flatten());
        positions.sort_unstable();
        positions.dedup();
        let positions = positions.into_iter().filter(|at| self.is_of_direction(*at));
        positions.map(|at| self.single(at)).collect()
    }

    fn push_singles(&self, singles: &[Single], drafts: &mut Vec<Draft>) {
        let is_numbered = |single: &&Single| {
            let has_link = single.link.has_iban || single.link.name.is_some();
            let counts = single.mention.is_some_and(|of| of.is_strong || has_link);
            single.is_exact && counts
        };
        let numbered: Vec<&Single> = singles.iter().filter(is_numbered).collect();
        let numbered_with_iban: Vec<u32> =
            numbered.iter().filter(|single| single.link.has_iban).map(|single| single.at).collect();
        let certain_by_number = match (&numbered[..], &numbered_with_iban[..]) {
            ([single], _) => Some(single.at),
            (_, [at]) => Some(*at),
            _ => None,
        };
        let linked: Vec<&Single> = singles
            .iter()
            .filter(|of| of.is_exact && (of.link.has_iban || of.link.name.is_some()))
            .collect();
        let names_another = |at: u32| {
            self.mentions.iter().any(|(other, mention)| *other != at && mention.is_strong)
        };
        let certain_by_iban = match linked[..] {
            [one] if one.link.has_iban && !names_another(one.at) => Some(one.at),
            _ => None,
        };
        let exact = singles.iter().filter(|single| single.is_exact).count();
        let ranked = singles.iter().filter_map(|single| {
            let is_disputed = is_disputed(single, &linked);
            let rank = self.rank(single, exact)?;
            Some((if is_disputed { rank.min(rank::DISPUTED_NUMBER) } else { rank }, single))
        });
        let mut ranked: Vec<(u32, &Single)> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| Reverse(*rank));
        ranked.truncate(MOST_SINGLES);
        for (rank, single) in ranked {
            let is_by_number = certain_by_number == Some(single.at);
            let evidence = if is_by_number && !is_disputed(single, &linked) {
                Some(Evidence::Number)
            } else if certain_by_iban == Some(single.at) {
                Some(Evidence::Amount)
            } else {
                None
            };
            drafts.extend(self.draft(single, rank, evidence));
        }
    }

    /// Returns the rank of an item that the line may settle alone; `None` if nothing speaks for it.
    fn rank(&self, single: &Single, exact: usize) -> Option<u32> {
        let Link { has_iban, name } = single.link;
        let is_strong = single.mention.is_some_and(|mention| mention.is_strong);
        let is_numbered = is_strong
            || single.mention.is_some() && (has_iban || name.is_some() || single.is_exact);
        let base = match (is_numbered, single.is_exact) {
            (true, true) => rank::NUMBER_AND_AMOUNT,
            (false, true) if has_iban => rank::IBAN_AND_AMOUNT,
            (false, true) if name.is_some() => rank::NAME_AND_AMOUNT,
            (false, true) if self.is_of_another_party() => return None,
            (false, true) if self.names_another_party(single.at) => return None,
            (false, true) if exact == 1 => rank::AMOUNT,
            (false, true) => rank::AMBIGUOUS_AMOUNT,
            (true, false) if has_iban => rank::NUMBER_AND_IBAN,
            (true, false) if name.is_some() => rank::NUMBER_AND_NAME,
            (true, false) => rank::NUMBER,
            (false, false) if has_iban => rank::IBAN,
            (false, false) if name.is_some() => rank::NAME,
            (false, false) => return None,
        };
        Some(base + 8 * u32::from(has_iban) + 4 * u32::from(name.is_some()) + u32::from(is_strong))
    }

    /// Whether the IBAN of the line is that of a contact, a provider, the tax office or an own
    /// account: an equal amount of another party is a coincidence.
    fn is_of_another_party(&self) -> bool {
        self.iban.as_deref().is_some_and(|iban| {
            self.index.contacts_by_iban.contains_key(iban)
                || self.index.providers_by_iban.contains_key(iban)
                || self.index.own_by_iban.contains_key(iban)
                || self.index.tax_office.has_iban(iban)
        })
    }

    fn draft(&self, single: &Single, rank: u32, evidence: Option<Evidence>) -> Option<Draft> {
        let item = self.item(single.at);
        let amount = self.line.amount.abs();
        let overpayment = amount > item.flow().abs();
        if overpayment && item.kind != ItemKind::Invoice {
            return None;
        }
        let mut reasons = Vec::new();
        reasons.extend(single.mention.and_then(|mention| self.mention_reason(single.at, mention)));
        if single.is_exact {
            reasons.push(Reason::Amount { amount });
        }
        reasons.extend(self.link_reasons(item.contact, single.link));
        Some(Draft {
            rank,
            evidence,
            allocations: vec![Allocation { amount, target: target(item, overpayment) }],
            reasons,
            state: vec![item.due.get()],
            has_box: item.has_box,
        })
    }
}
