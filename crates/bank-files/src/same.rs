//! Comparison of incoming lines with those that are already known, so that no line is booked twice.
//!
//! Each known line is matched at most once, and lines of one file are never compared with each
//! other: of `n` equal known lines and `m` equal incoming lines, the larger number remains. Four
//! rules are applied in this order, each to the lines that the earlier ones did not match:
//!
//! 1. Equal reference of the bank, amount and date. Banks repeat references, so they are never
//!    enough by themselves.
//! 2. Equal date, amount, IBAN, end-to-end id and text, and no two different references.
//! 3. Another layout (another format, or the same one in another language): equal date and amount,
//!    IBAN and end-to-end id equal or absent on a side. The best pairs are matched first.
//! 4. As rule 3, but up to three days apart and with similar texts: only a doubt.
//!
//! Closing balances decide rules 3 and 4 where they are known at both ends of a period: if the
//! known lines explain the change, matching lines are known; if all incoming lines are needed too,
//! they are new.

mod balances;
mod similarity;

use crate::upload::{Balance, Statement};
use balances::Verdict;
use jiff::civil::Date;
use ledger::money::Cents;
use similarity::Signature;
use std::{cell::OnceCell, cmp::Reverse, collections::HashMap, hash::Hash};

/// Maximum number of days between two lines of rule 4.
const MOST_DAYS_APART: i64 = 3;
/// Minimum likeness of texts of rule 4, in hundredths.
const LEAST_LIKENESS: u8 = 80;
/// Maximum number of known lines that are compared with one incoming line, among those with the
/// same key. The others are matched in order, which keeps the time linear.
const MOST_CANDIDATES: usize = 64;

/// Approximate maximum number of comparisons of texts, which are the slow part.
const MOST_COMPARISONS: usize = 1_000_000;
/// Number of known lines that are compared with one incoming line however many there are.
const LEAST_CANDIDATES: usize = 4;

/// Line of one bank account, known or incoming.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'l> {
    /// Layout of the file that the texts come from: [`Statement::layout`](crate::Statement), or any
    /// other name for lines from elsewhere.
    pub layout: &'l str,
    /// Booking date.
    pub date: Date,
    /// Amount with sign.
    pub amount: Cents,
    /// IBAN of the counterparty.
    pub iban: Option<&'l str>,
    /// End-to-end id.
    pub end_to_end_id: Option<&'l str>,
    /// Reference of the bank.
    pub bank_reference: Option<&'l str>,
    /// Text.
    pub text: &'l str,
}

/// Returns the lines of a statement, in order, as input of [`compare`].
pub fn entries(statement: &Statement) -> impl Iterator<Item = Entry<'_>> {
    statement.lines.iter().map(|line| Entry {
        layout: &statement.layout,
        date: line.date,
        amount: line.amount,
        iban: line.iban.as_deref(),
        end_to_end_id: line.end_to_end_id.as_deref(),
        bank_reference: line.bank_reference.as_deref(),
        text: &line.text,
    })
}

/// Result for an incoming line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line is new.
    New,
    /// The line is the known one with this index.
    Existing(usize),
    /// The line is new, but may be the known one with this index.
    Doubtful(usize),
}

/// Compares incoming lines of one file with the known lines of the same bank account.
///
/// `known_balances` and `incoming_balances` are closing balances of days, in any order, as
/// [`Statement::balances`](crate::Statement::balances) returns them. The result has an outcome for
/// each incoming line. Takes time proportional to the number of lines, apart from sorting.
#[must_use]
pub fn compare(
    known: &[Entry<'_>],
    incoming: &[Entry<'_>],
    known_balances: &[Balance],
    incoming_balances: &[Balance],
) -> Vec<Outcome> {
    let mut matching = Matching {
        known,
        incoming,
        is_used: vec![false; known.len()],
        signatures: known.iter().map(|_| OnceCell::new()).collect(),
        outcomes: vec![None; incoming.len()],
    };
    matching.by_reference();
    matching.by_text();
    let candidates = matching.candidates();
    let verdicts = balances::verdicts(
        known,
        incoming,
        &matching.outcomes,
        &candidates,
        known_balances,
        incoming_balances,
    );
    matching.across_layouts(&verdicts);
    matching.with_doubt(&verdicts);
    matching.outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::New)).collect()
}

struct Matching<'c, 'l> {
    known: &'c [Entry<'l>],
    incoming: &'c [Entry<'l>],
    is_used: Vec<bool>,
    /// Signatures of the texts of known lines, made when they are needed.
    signatures: Vec<OnceCell<Box<Signature>>>,
    outcomes: Vec<Option<Outcome>>,
}

/// Indices of lines by a key, in order; `next` is the number of those that were taken.
struct Queue {
    indices: Vec<usize>,
    next: usize,
}

impl<'l> Matching<'_, 'l> {
    /// Rule 1.
    fn by_reference(&mut self) {
        let key = |entry: &Entry<'l>| Some((entry.bank_reference?, entry.date, entry.amount));
        self.by_key(|_| true, key, |_, _| true);
    }

    /// Rule 2.
    fn by_text(&mut self) {
        let has_other_reference = |known: &Entry<'_>, incoming: &Entry<'_>| {
            let pair = known.bank_reference.zip(incoming.bank_reference);
            pair.is_some_and(|(known, incoming)| known != incoming)
        };
        self.by_key(
            |_| true,
            |entry| {
                let text = similarity::normalized(entry.text);
                Some((entry.date, entry.amount, entry.iban, entry.end_to_end_id, text))
            },
            |known, incoming| !has_other_reference(known, incoming),
        );
    }

    /// Matches open lines with equal keys in order, each known line once.
    fn by_key<K: Hash + Eq>(
        &mut self,
        is_open: impl Fn(usize) -> bool,
        key: impl Fn(&Entry<'l>) -> Option<K>,
        fits: impl Fn(&Entry<'_>, &Entry<'_>) -> bool,
    ) {
        let mut queues: HashMap<K, Queue> = HashMap::with_capacity(self.known.len());
        for (index, entry) in self.known.iter().enumerate() {
            if let Some(key) = key(entry).filter(|_| !self.is_used[index]) {
                let queue = queues.entry(key).or_insert(Queue { indices: Vec::new(), next: 0 });
                queue.indices.push(index);
            }
        }
        for (index, entry) in self.incoming.iter().enumerate() {
            if self.outcomes[index].is_some() || !is_open(index) {
                continue;
            }
            let Some(queue) = key(entry).and_then(|key| queues.get_mut(&key)) else { continue };
            // The first lines are usually those that fit, so only a few are looked at.
            let end = queue.indices.len().min(queue.next + MOST_CANDIDATES);
            let place = (queue.next..end).find(|place| {
                let known = queue.indices[*place];
                !self.is_used[known] && fits(&self.known[known], entry)
            });
            if let Some(place) = place {
                let known = queue.indices[place];
                self.is_used[known] = true;
                self.outcomes[index] = Some(Outcome::Existing(known));
                while queue.indices.get(queue.next).is_some_and(|known| self.is_used[*known]) {
                    queue.next += 1;
                }
            }
        }
    }

    /// Whether rule 3 or 4 may match each incoming line, before balances are looked at.
    fn candidates(&self) -> Vec<bool> {
        let by_amount = self.known_by_amount();
        let most = self.most_candidates();
        let is_candidate = |(index, entry): (usize, &Entry<'_>)| {
            if self.outcomes[index].is_some() {
                return false;
            }
            let text = OnceCell::new();
            near(&by_amount, entry).take(most).any(|known| {
                let same_day = self.known[known].date == entry.date;
                let text = || text.get_or_init(|| Signature::of(entry.text));
                may_be_same(&self.known[known], entry)
                    && (same_day || self.likeness(known, text()) >= LEAST_LIKENESS)
            })
        };
        self.incoming.iter().enumerate().map(is_candidate).collect()
    }

    /// Likeness of the text of a known line to another one.
    fn likeness(&self, known: usize, text: &Signature) -> u8 {
        self.signatures[known]
            .get_or_init(|| Box::new(Signature::of(self.known[known].text)))
            .likeness(text)
    }

    /// Number of known lines that are compared with one incoming line.
    fn most_candidates(&self) -> usize {
        let open = self.outcomes.iter().filter(|outcome| outcome.is_none()).count();
        (MOST_COMPARISONS / open.max(1)).clamp(LEAST_CANDIDATES, MOST_CANDIDATES)
    }

    /// Unmatched known lines by amount, in the order of their dates.
    fn known_by_amount(&self) -> HashMap<Cents, Vec<(Date, usize)>> {
        let mut by_amount: HashMap<Cents, Vec<(Date, usize)>> = HashMap::new();
        for (index, entry) in self.known.iter().enumerate() {
            if !self.is_used[index] {
                by_amount.entry(entry.amount).or_default().push((entry.date, index));
            }
        }
        for lines in by_amount.values_mut() {
            lines.sort_unstable();
        }
        by_amount
    }

    /// Rule 3: the strongest pairs first. Of many lines with the same date and amount only those in
    /// similar places are compared; the others are matched in order.
    fn across_layouts(&mut self, verdicts: &[Verdict]) {
        let by_amount = self.known_by_amount();
        let mut pairs = Vec::new();
        let mut places: HashMap<(Date, Cents), usize> = HashMap::new();
        let most = self.most_candidates();
        for (index, entry) in self.incoming.iter().enumerate() {
            if self.outcomes[index].is_some() || verdicts[index] == Verdict::New {
                continue;
            }
            let same_day = same_day(&by_amount, entry);
            let place = places.entry((entry.date, entry.amount)).or_default();
            let start = place.saturating_sub(most / 2);
            *place += 1;
            if same_day.is_empty() {
                continue;
            }
            let text = Signature::of(entry.text);
            for (_, known) in same_day.iter().skip(start).take(most) {
                let line = &self.known[*known];
                if may_be_same(line, entry) {
                    let strength = (equal_identifiers(line, entry), self.likeness(*known, &text));
                    pairs.push(Pair { strength, incoming: small(index), known: small(*known) });
                }
            }
        }
        pairs.sort_unstable_by_key(|pair| (Reverse(pair.strength), pair.incoming, pair.known));
        for pair in pairs {
            let (index, known) = (pair.incoming as usize, pair.known as usize);
            if self.outcomes[index].is_none() && !self.is_used[known] {
                self.is_used[known] = true;
                self.outcomes[index] = Some(Outcome::Existing(known));
            }
        }
        let is_open = |index: usize| verdicts[index] != Verdict::New;
        self.by_key(is_open, |entry| Some((entry.date, entry.amount, entry.iban?)), may_be_same);
        self.by_key(is_open, |entry| Some((entry.date, entry.amount)), may_be_same);
    }

    /// Rule 4.
    fn with_doubt(&mut self, verdicts: &[Verdict]) {
        let by_amount = self.known_by_amount();
        let most = self.most_candidates();
        for (index, entry) in self.incoming.iter().enumerate() {
            if self.outcomes[index].is_some() || verdicts[index] == Verdict::New {
                continue;
            }
            let text = Signature::of(entry.text);
            let best = near(&by_amount, entry)
                .take(most)
                .filter(|known| !self.is_used[*known] && may_be_same(&self.known[*known], entry))
                .map(|known| (self.likeness(known, &text), known))
                .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
                .max_by_key(|(likeness, known)| (*likeness, Reverse(*known)));
            if let Some((_, known)) = best {
                self.is_used[known] = true;
                self.outcomes[index] = Some(match verdicts[index] {
                    Verdict::Existing => Outcome::Existing(known),
                    _ => Outcome::Doubtful(known),
                });
            }
        }
    }
}

/// Returns the known lines with the same amount, at most [`MOST_DAYS_APART`] from an incoming one.
fn near(
    by_amount: &HashMap<Cents, Vec<(Date, usize)>>,
    entry: &Entry<'_>,
) -> impl Iterator<Item = usize> {
    let span = jiff::Span::new().days(MOST_DAYS_APART);
    let first = entry.date.saturating_sub(span);
    let last = entry.date.saturating_add(span);
    let lines = by_amount.get(&entry.amount).map_or(&[][..], Vec::as_slice);
    let start = lines.partition_point(|(date, _)| *date < first);
    lines[start..].iter().take_while(move |(date, _)| *date <= last).map(|(_, index)| *index)
}

/// Returns the known lines with the same amount and date.
fn same_day<'m>(
    by_amount: &'m HashMap<Cents, Vec<(Date, usize)>>,
    entry: &Entry<'_>,
) -> &'m [(Date, usize)] {
    let lines = by_amount.get(&entry.amount).map_or(&[][..], Vec::as_slice);
    let start = lines.partition_point(|(date, _)| *date < entry.date);
    let end = lines.partition_point(|(date, _)| *date <= entry.date);
    &lines[start..end]
}

/// Whether two lines of different layouts may be the same: IBAN and end-to-end id are equal or
/// absent on a side.
fn may_be_same(known: &Entry<'_>, incoming: &Entry<'_>) -> bool {
    let agree = |known: Option<&str>, incoming: Option<&str>| {
        known.zip(incoming).is_none_or(|(known, incoming)| known == incoming)
    };
    known.layout != incoming.layout
        && agree(known.iban, incoming.iban)
        && agree(known.end_to_end_id, incoming.end_to_end_id)
}

/// Number of identifiers that are equal; the IBAN counts less, as a customer has many payments.
fn equal_identifiers(known: &Entry<'_>, incoming: &Entry<'_>) -> u8 {
    let equal = |known: Option<&str>, incoming: Option<&str>| {
        u8::from(known.is_some() && known == incoming)
    };
    equal(known.iban, incoming.iban)
        + 2 * equal(known.end_to_end_id, incoming.end_to_end_id)
        + 2 * equal(known.bank_reference, incoming.bank_reference)
}

/// Pair of lines that may be the same by rule 3. There can be a million pairs, so they are small.
struct Pair {
    /// Number of equal identifiers, then the likeness of the texts.
    strength: (u8, u8),
    incoming: u32,
    known: u32,
}

/// Returns an index in 32 bits; a file has far fewer lines, and an account has fewer than 2³².
fn small(index: usize) -> u32 {
    u32::try_from(index).expect("an account has fewer than 4 billion lines")
}

#[cfg(test)]
mod tests;
