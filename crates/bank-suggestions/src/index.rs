//! Index of the books, built once for all lines of a batch.

use crate::{
    books::{Books, Decision},
    names::{self, Names, compact},
    numbers::Numbers,
    suggestion::{Characteristic, Template},
    tax_office::TaxOffice,
};
use ledger::{identifiers::Iban, money::Cents};
use std::collections::HashMap;

/// Books with the look-ups that suggestions need.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) books: Books,
    /// Numbers and references of items: the place counts numbers first, then references.
    pub(crate) numbers: Numbers,
    /// Items and places, by a number or reference without blanks and signs.
    pub(crate) by_exact: HashMap<String, Vec<(u32, u32)>>,
    /// Items by the amount of a line that settles them.
    pub(crate) by_flow: HashMap<i64, Vec<u32>>,
    /// Items by contact, from old to new.
    pub(crate) by_contact: HashMap<i64, Vec<u32>>,
    /// Items by id, of bills only.
    pub(crate) bills: HashMap<i64, u32>,
    /// Bills by the account that they ask to pay to.
    pub(crate) by_pay_to: HashMap<String, Vec<u32>>,
    /// Contacts by IBAN.
    pub(crate) contacts_by_iban: HashMap<String, Vec<u32>>,
    /// Names of contacts.
    pub(crate) contact_names: Names,
    /// Contacts by id.
    pub(crate) contacts_by_id: HashMap<i64, u32>,
    /// Paid invoices by amount.
    pub(crate) paid_by_amount: HashMap<Cents, Vec<u32>>,
    /// Numbers of paid invoices.
    pub(crate) paid_numbers: Numbers,
    /// Payment providers by IBAN.
    pub(crate) providers_by_iban: HashMap<String, u32>,
    /// Names of payment providers.
    pub(crate) provider_names: Names,
    /// Own accounts by IBAN or identifier.
    pub(crate) own_by_iban: HashMap<String, i64>,
    /// Identifiers of own accounts.
    pub(crate) own_numbers: Numbers,
    /// Postings by bank account and amount.
    pub(crate) postings: HashMap<(i64, Cents), Vec<u32>>,
    /// New lines by amount.
    pub(crate) lines: HashMap<Cents, Vec<u32>>,
    /// Awaited transfers by bank account and amount of the awaited line.
    pub(crate) transfers: HashMap<(i64, Cents), Vec<u32>>,
    /// Payment batches by bank account and total.
    pub(crate) batches: HashMap<(i64, Cents), Vec<u32>>,
    /// Habits by direction and characteristic.
    pub(crate) habits: HashMap<(bool, Characteristic, String), Habit>,
    /// Last IBAN in the history of each name.
    pub(crate) ibans_by_name: HashMap<String, Iban>,
    pub(crate) tax_office: TaxOffice,
}

/// Earlier bookings of lines with the same characteristic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Habit {
    /// Booking of the last line; `None` if no other line can repeat it.
    pub(crate) last: Option<Template>,
    /// Number of lines booked like the last one, less refusals.
    pub(crate) times: u32,
    /// Number of lines booked in another way.
    pub(crate) exceptions: u32,
}

/// Returns the position as stored; positions beyond 32 bits do not fit in memory.
fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Index {
    pub(crate) fn new(mut books: Books) -> Self {
        books.items.sort_by_key(|item| (item.date, item.id));
        let mut index = Self {
            numbers: Numbers::default(),
            by_exact: HashMap::new(),
            by_flow: HashMap::new(),
            by_contact: HashMap::new(),
            bills: HashMap::new(),
            by_pay_to: HashMap::new(),
            contacts_by_iban: HashMap::new(),
            contact_names: Names::default(),
            contacts_by_id: HashMap::new(),
            paid_by_amount: HashMap::new(),
            paid_numbers: Numbers::default(),
            providers_by_iban: HashMap::new(),
            provider_names: Names::default(),
            own_by_iban: HashMap::new(),
            own_numbers: Numbers::default(),
            postings: HashMap::new(),
            lines: HashMap::new(),
            transfers: HashMap::new(),
            batches: HashMap::new(),
            habits: habits(&books),
            ibans_by_name: ibans_by_name(&books),
            tax_office: TaxOffice::default(),
            books: Books::default(),
        };
        index.add_items(&books);
        index.add_parties(&books);
        for (at, provider) in (0..).zip(&books.providers) {
            for iban in &provider.ibans {
                index.providers_by_iban.insert(iban.as_str().to_owned(), at);
            }
            for (place, name) in (0..).zip(&provider.names) {
                index.provider_names.add(name, at, place);
            }
        }
        for (at, account) in (0..).zip(&books.bank_accounts) {
            for (place, identifier) in (0..).zip(&account.identifiers) {
                index.own_by_iban.insert(compact(identifier), account.id);
                index.own_numbers.add(identifier, at, place);
            }
        }
        for (at, account) in (0..).zip(&books.bank_accounts) {
            if let Some(iban) = &account.iban {
                index.own_by_iban.insert(iban.as_str().to_owned(), account.id);
                index.own_numbers.add(iban.as_str(), at, 0);
            }
        }
        for (at, posting) in (0..).zip(&books.postings) {
            let key = (posting.bank_account, posting.amount);
            index.postings.entry(key).or_default().push(at);
        }
        for (at, line) in (0..).zip(&books.lines) {
            index.lines.entry(line.amount).or_default().push(at);
        }
        for (at, transfer) in (0..).zip(&books.transfers) {
            let key = (transfer.awaited_on, transfer.amount);
            index.transfers.entry(key).or_default().push(at);
        }
        for (at, batch) in (0..).zip(&books.batches) {
            let total = batch.items.iter().map(|(_, amount)| *amount).sum::<Cents>();
            index.batches.entry((batch.bank_account, total)).or_default().push(at);
        }
        index.books = books;
        index
    }

    fn add_parties(&mut self, books: &Books) {
        for (at, paid) in (0..).zip(&books.paid_invoices) {
            self.paid_by_amount.entry(paid.amount).or_default().push(at);
            self.paid_numbers.add(&paid.number, at, 0);
        }
        for (at, contact) in (0..).zip(&books.contacts) {
            self.contacts_by_id.insert(contact.id, at);
            for iban in &contact.ibans {
                self.contacts_by_iban.entry(iban.as_str().to_owned()).or_default().push(at);
            }
            for (place, name) in (0..).zip(&contact.names) {
                self.contact_names.add(name, at, place);
            }
        }
    }

    fn add_items(&mut self, books: &Books) {
        for (at, item) in books.items.iter().enumerate() {
            let at = position(at);
            for (place, text) in (0..).zip(item.numbers.iter().chain(&item.references)) {
                self.numbers.add(text, at, place);
                let key = compact(text);
                if key.len() >= 4 {
                    self.by_exact.entry(key).or_default().push((at, place));
                }
            }
            self.by_flow.entry(item.flow().get()).or_default().push(at);
            if let Some(contact) = item.contact {
                self.by_contact.entry(contact).or_default().push(at);
            }
            if item.kind == crate::books::ItemKind::Bill {
                self.bills.insert(item.id, at);
            }
            if let Some(iban) = &item.pay_to {
                self.by_pay_to.entry(iban.as_str().to_owned()).or_default().push(at);
            }
        }
    }
}

/// Summarises the history by each characteristic.
fn habits(books: &Books) -> HashMap<(bool, Characteristic, String), Habit> {
    let mut decisions: HashMap<_, Vec<&Decision>> = HashMap::new();
    for precedent in &books.history {
        let keys = [
            (Characteristic::Iban, precedent.iban.as_deref().map(compact)),
            (Characteristic::CreditorId, precedent.creditor_id.as_deref().map(compact)),
            (Characteristic::Name, precedent.name.as_deref().map(names::habit_key)),
        ];
        for (characteristic, key) in keys {
            if let Some(key) = key.filter(|key| !key.is_empty()) {
                let key = (precedent.is_in, characteristic, key);
                decisions.entry(key).or_default().push(&precedent.decision);
            }
        }
    }
    decisions.into_iter().map(|(key, decisions)| (key, habit(&decisions))).collect()
}

fn ibans_by_name(books: &Books) -> HashMap<String, Iban> {
    let iban = |text: &Option<String>| Iban::parse(text.as_deref()?).ok();
    let pairs = books.history.iter().filter_map(|precedent| {
        Some((names::habit_key(precedent.name.as_deref()?), iban(&precedent.iban)?))
    });
    pairs.collect()
}

/// Summarises decisions, from old to new.
fn habit(decisions: &[&Decision]) -> Habit {
    let last = decisions.iter().rev().find_map(|decision| match decision {
        Decision::Booked(template) => Some(Some(template)),
        Decision::Other => Some(None),
        Decision::Refused(_) => None,
    });
    let Some(Some(last)) = last else { return Habit::default() };
    let mut habit = Habit { last: Some(last.clone()), ..Habit::default() };
    let mut refusals = 0;
    for decision in decisions {
        match decision {
            Decision::Booked(template) if template == last => habit.times += 1,
            Decision::Booked(_) | Decision::Other => habit.exceptions += 1,
            Decision::Refused(template) if template == last => refusals += 1,
            Decision::Refused(_) => {}
        }
    }
    habit.times = habit.times.saturating_sub(refusals);
    habit
}
