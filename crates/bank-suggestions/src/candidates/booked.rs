//! Lines that are booked already, and transfers between own accounts.

use super::rank;
use crate::{
    draft::{Draft, Evidence},
    index::Index,
    line::Line,
    names::{self, compact},
    suggestion::{Allocation, Reason, Target},
};
use jiff::civil::Date;

/// Maximum number of days between a line and its posting, or its other half.
const MOST_DAYS: u32 = 10;
/// Maximum number of days for certainty.
const CERTAIN_DAYS: u8 = 3;
/// Words for a savings account, in capitals.
const SAVINGS: [&str; 4] = ["SPAARREKENING", "SPAARREK", "INTERNETSPAREN", "SAVINGS"];
/// Words by which a text about a savings account is no transfer, in capitals.
const NO_TRANSFER: [&str; 5] = ["RENTE", "CREDITRENTE", "SPAARRENTE", "INTEREST", "KOSTEN"];

/// Whether another new line of the account has the same amount around this date, and may be meant.
fn has_rival(index: &Index, line: &Line<'_>, date: Date) -> bool {
    let equal = index.lines.get(&line.amount).map_or(&[][..], Vec::as_slice);
    equal.iter().map(|at| index.books.lines[*at as usize]).any(|other| {
        let is_other = other.bank_account == line.bank_account && other.id != line.id;
        is_other && days_apart(other.date, date).is_some()
    })
}

/// Returns the number of days between two dates, if they are close.
fn days_apart(one: Date, other: Date) -> Option<u8> {
    let days = (one - other).get_days().unsigned_abs();
    (days <= MOST_DAYS).then(|| u8::try_from(days).ok()).flatten()
}

pub(crate) fn booked(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    postings(index, line, drafts);
    transfers(index, line, drafts);
}

fn postings(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let key = (line.bank_account, line.amount);
    let positions = index.postings.get(&key).map_or(&[][..], Vec::as_slice);
    let postings = positions.iter().map(|at| index.books.postings[*at as usize]);
    let near: Vec<_> = postings
        .filter_map(|posting| Some((posting, days_apart(posting.date, line.date)?)))
        .collect();
    for (posting, days) in &near {
        let is_near = near.len() == 1 && *days <= CERTAIN_DAYS;
        let is_certain = is_near && !has_rival(index, line, posting.date);
        let rank = if is_near { rank::ALREADY_BOOKED } else { rank::PERHAPS_BOOKED };
        drafts.push(Draft {
            rank: rank - u32::from(*days),
            evidence: is_certain.then_some(Evidence::Booked),
            allocations: vec![Allocation {
                amount: line.amount.abs(),
                target: Target::Existing { entry: posting.entry },
            }],
            reasons: vec![Reason::AlreadyBooked { entry: posting.entry, days_apart: *days }],
            state: Vec::new(),
            has_box: false,
        });
    }
}

/// Other half of a transfer.
struct Half {
    bank_account: i64,
    line: Option<i64>,
    transfer: Option<i64>,
    date: Date,
    days: u8,
}

fn transfers(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let own_iban = line.iban.and_then(|iban| index.own_by_iban.get(&compact(iban)).copied());
    let by_number = own_iban
        .or_else(|| own_account_in_text(index, line))
        .filter(|account| *account != line.bank_account);
    let own = match by_number {
        Some(bank_account) => {
            Some((bank_account, Reason::OwnAccount { bank_account }, rank::OWN_ACCOUNT))
        }
        None => savings_in_words(index, line).map(|(bank_account, words)| {
            let reason = Reason::OwnAccountText { bank_account, words };
            (bank_account, reason, rank::OWN_BY_WORDS)
        }),
    };
    let halves = halves(index, line);
    if let Some((bank_account, reason, rank)) = own {
        let of_own: Vec<&Half> =
            halves.iter().filter(|half| half.bank_account == bank_account).collect();
        // Several halves are equally strong, so that none is certain.
        let has_rival = of_own.iter().any(|half| has_rival(index, line, half.date));
        let is_certain = by_number.is_some() && by_number == own_iban && !has_rival;
        if of_own.is_empty() {
            let half = Half { bank_account, line: None, transfer: None, date: line.date, days: 0 };
            drafts.push(draft(line, &half, rank, is_certain, vec![reason.clone()]));
        }
        for half in of_own {
            let reasons =
                vec![reason.clone(), Reason::OtherHalf { bank_account, days_apart: half.days }];
            drafts.push(draft(line, half, rank - u32::from(half.days), is_certain, reasons));
        }
        if by_number.is_some() {
            return;
        }
    }
    for half in &halves {
        let rank = if line.iban.is_some() { rank::FOREIGN_HALF } else { rank::OTHER_HALF };
        let bank_account = half.bank_account;
        let reasons = vec![Reason::OtherHalf { bank_account, days_apart: half.days }];
        drafts.push(draft(line, half, rank - u32::from(half.days), false, reasons));
    }
}

/// Returns the own account whose identifier is in the text.
fn own_account_in_text(index: &Index, line: &Line<'_>) -> Option<i64> {
    let mut accounts = Vec::new();
    index.own_numbers.find(line.text, |found| {
        if !found.is_weak {
            accounts.push(index.books.bank_accounts[found.document as usize].id);
        }
    });
    accounts.retain(|account| *account != line.bank_account);
    accounts.sort_unstable();
    accounts.dedup();
    match accounts[..] {
        [account] => Some(account),
        _ => None,
    }
}

/// Returns the savings account that the words of a line name, and the word: the only one, or the one
/// whose name is on the line.
fn savings_in_words(index: &Index, line: &Line<'_>) -> Option<(i64, &'static str)> {
    let is_of_another_party = line.iban.map(compact).is_some_and(|iban| {
        index.contacts_by_iban.contains_key(&iban)
            || index.providers_by_iban.contains_key(&iban)
            || index.tax_office.has_iban(&iban)
    });
    let words = [line.name.unwrap_or_default(), line.text].map(names::words).concat();
    let is_one_of = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if is_of_another_party || is_one_of(&NO_TRANSFER) {
        return None;
    }
    let word = SAVINGS.into_iter().find(|savings| is_one_of(&[savings]))?;
    let savings = || {
        let accounts = index.books.bank_accounts.iter();
        accounts.filter(|of| of.is_savings && of.id != line.bank_account)
    };
    let text = words.join(" ");
    let is_named = |name: &str| {
        let key = names::key(name);
        !key.is_empty() && text.contains(&key)
    };
    let named: Vec<i64> =
        savings().filter(|of| of.name.as_deref().is_some_and(is_named)).map(|of| of.id).collect();
    let all: Vec<i64> = savings().map(|of| of.id).collect();
    match (&named[..], &all[..]) {
        ([account], _) | (_, [account]) => Some((*account, word)),
        _ => None,
    }
}

fn halves(index: &Index, line: &Line<'_>) -> Vec<Half> {
    let opposite = index.lines.get(&-line.amount).map_or(&[][..], Vec::as_slice);
    let opposite = opposite.iter().map(|at| index.books.lines[*at as usize]).filter_map(|other| {
        let days = days_apart(other.date, line.date)?;
        let is_other = other.bank_account != line.bank_account;
        is_other.then_some(Half {
            bank_account: other.bank_account,
            line: Some(other.id),
            transfer: None,
            date: other.date,
            days,
        })
    });
    let key = (line.bank_account, line.amount);
    let awaited = index.transfers.get(&key).map_or(&[][..], Vec::as_slice);
    let awaited = awaited.iter().map(|at| index.books.transfers[*at as usize]).filter_map(|of| {
        let days = days_apart(of.date, line.date)?;
        let bank_account = of.booked_on;
        Some(Half { bank_account, line: None, transfer: Some(of.id), date: of.date, days })
    });
    awaited.chain(opposite).collect()
}

fn draft(line: &Line<'_>, half: &Half, rank: u32, is_certain: bool, reasons: Vec<Reason>) -> Draft {
    let target = Target::Transfer {
        bank_account: half.bank_account,
        line: half.line,
        transfer: half.transfer,
    };
    Draft {
        rank,
        evidence: is_certain.then_some(Evidence::Booked),
        allocations: vec![Allocation { amount: line.amount.abs(), target }],
        reasons,
        state: Vec::new(),
        has_box: false,
    }
}
