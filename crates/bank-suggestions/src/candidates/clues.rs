//! Facts about a line that several drafts need: contacts and items that it names.

use crate::{
    books::{Item, ItemKind},
    index::Index,
    line::Line,
    names::{self, Alike, compact},
    suggestion::{Reason, Target},
};
use ledger::identifiers::Iban;
use std::collections::BTreeMap;

/// Maximum number of contacts with a name like that on the line.
const MOST_NAMES: usize = 5;

/// Evidence that links a line to a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    pub(super) has_iban: bool,
    pub(super) name: Option<Alike>,
}

/// Occurrence of a number of an item: place in its list, and whether it counts alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) place: u32,
    pub(super) is_strong: bool,
}

/// Item whose number or reference is on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) at: u32,
    pub(super) mention: Mention,
}

/// Facts about a line.
pub(super) struct Clues<'i, 'l> {
    pub(super) index: &'i Index,
    pub(super) line: &'l Line<'l>,
    /// IBAN of the line without blanks.
    pub(super) iban: Option<String>,
    /// Contacts, by position.
    pub(super) contacts: BTreeMap<u32, Link>,
    /// Positions of the contacts by id.
    pub(super) by_id: BTreeMap<i64, u32>,
    /// Items whose number or reference the line contains, by position.
    pub(super) mentions: BTreeMap<u32, Mention>,
}

impl<'i, 'l> Clues<'i, 'l> {
    pub(super) fn of(index: &'i Index, line: &'l Line<'l>) -> Self {
        let iban = line.iban.map(compact);
        let mut contacts: BTreeMap<u32, Link> = BTreeMap::new();
        let by_iban = iban.as_ref().and_then(|iban| index.contacts_by_iban.get(iban));
        for at in by_iban.into_iter().flatten() {
            contacts.entry(*at).or_default().has_iban = true;
        }
        let alike = line.name.map(|name| index.contact_names.alike(name)).unwrap_or_default();
        for alike in alike.into_iter().take(MOST_NAMES) {
            contacts.entry(alike.party).or_default().name = Some(alike);
        }
        let by_id =
            contacts.keys().map(|at| (index.books.contacts[*at as usize].id, *at)).collect();
        let mentions = mentions(index, line);
        Self { index, line, iban, contacts, by_id, mentions }
    }

    pub(super) fn item(&self, at: u32) -> &'i Item {
        &self.index.books.items[at as usize]
    }

    /// Whether the item and the line have the same direction.
    pub(super) fn is_of_direction(&self, at: u32) -> bool {
        self.item(at).flow().get().signum() == self.line.amount.get().signum()
    }

    /// Returns the evidence that links the line to the item's contact.
    pub(super) fn link(&self, at: u32) -> Link {
        let item = self.item(at);
        let contact = item.contact.and_then(|id| self.by_id.get(&id));
        let mut link = contact.map(|at| self.contacts[at]).unwrap_or_default();
        let pay_to = item.pay_to.as_ref().map(Iban::as_str);
        link.has_iban |= pay_to.is_some() && pay_to == self.iban.as_deref();
        link
    }

    /// Whether the line names a counterparty, and neither that name nor the text has a word in common
    /// with the names of the item's contact: an equal amount is a coincidence.
    pub(super) fn names_another_party(&self, at: u32) -> bool {
        let contact = self.item(at).contact.and_then(|id| self.index.contacts_by_id.get(&id));
        let Some(contact) = contact.map(|at| &self.index.books.contacts[*at as usize]) else {
            return false;
        };
        let Some(name) = self.line.name.filter(|name| !names::words(name).is_empty()) else {
            return false;
        };
        let texts = [name, self.line.text];
        !contact.names.iter().any(|of_contact| names::has_word_of(&texts, of_contact))
    }

    /// Returns the reason for a mentioned number or reference.
    pub(super) fn mention_reason(&self, at: u32, mention: Mention) -> Option<Reason> {
        let (item, place) = (self.item(at), mention.place as usize);
        match item.numbers.get(place) {
            Some(number) => Some(Reason::Number { number: number.clone() }),
            None => {
                let reference = item.references.get(place - item.numbers.len())?.clone();
                Some(Reason::Reference { reference })
            }
        }
    }

    /// Returns the reasons for a link to a contact, with a warning if its IBAN has changed.
    pub(super) fn link_reasons(&self, contact: Option<i64>, link: Link) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if link.has_iban {
            reasons.push(Reason::Iban { contact });
        }
        if let Some(alike) = link.name {
            let party = &self.index.books.contacts[alike.party as usize];
            let name = party.names[alike.place as usize].clone();
            reasons.push(Reason::Name { name, likeness: alike.likeness });
            if let Some(known) = party.ibans.last()
                && !link.has_iban
                && self.iban.is_some()
            {
                reasons.push(Reason::IbanChanged { known: known.clone() });
            }
        }
        reasons
    }

    /// Returns the mentions that count in sums: strong ones, and those of a linked contact.
    pub(super) fn named(&self) -> Vec<Named> {
        let strong = self.mentions.iter().filter(|(at, mention)| {
            let link = self.link(**at);
            mention.is_strong || link.has_iban || link.name.is_some()
        });
        strong.map(|(at, mention)| Named { at: *at, mention: *mention }).collect()
    }
}

pub(super) fn target(item: &Item, overpayment: bool) -> Target {
    match item.kind {
        ItemKind::Invoice => Target::Invoice { invoice: item.id, overpayment },
        ItemKind::Refund => Target::Refund { invoice: item.id },
        ItemKind::Bill => Target::Bill { expense: item.id },
    }
}

/// Finds the numbers and references of items on a line.
fn mentions(index: &Index, line: &Line<'_>) -> BTreeMap<u32, Mention> {
    let mut mentions: BTreeMap<u32, Mention> = BTreeMap::new();
    let mut add = |at: u32, mention: Mention| {
        let known = mentions.entry(at).or_insert(mention);
        if mention.is_strong && !known.is_strong {
            *known = mention;
        }
    };
    let parts = line.parts.iter().flat_map(|part| [part.text, part.end_to_end_id]);
    let texts = [Some(line.text), line.payment_reference, line.end_to_end_id];
    for text in texts.into_iter().chain(parts).flatten() {
        index.numbers.find(text, |found| {
            add(found.document, Mention { place: found.place, is_strong: !found.is_weak });
        });
    }
    let ids = line.parts.iter().map(|part| part.end_to_end_id);
    for id in ids.chain([line.payment_reference, line.end_to_end_id]).flatten() {
        for (at, place) in index.by_exact.get(&compact(id)).into_iter().flatten() {
            add(*at, Mention { place: *place, is_strong: true });
        }
    }
    mentions
}
