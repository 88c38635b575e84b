//! Journal entries, which can only be built balanced.

use crate::{
    chart::AccountCode,
    money::Cents,
    vat::{VatBox, named},
};
use jiff::civil::Date;
use thiserror::Error;

/// One line of an entry: an amount on one side of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    account: AccountCode,
    debit: Cents,
    credit: Cents,
    vat_box: Option<VatBox>,
}

impl Posting {
    /// An amount on the debit side; a negative one goes to the credit side.
    #[must_use]
    pub fn debit(account: AccountCode, amount: Cents, vat_box: Option<VatBox>) -> Self {
        let (debit, credit) = if amount.is_negative() { (Cents::ZERO, -amount) } else { (amount, Cents::ZERO) };
        Self { account, debit, credit, vat_box }
    }

    /// An amount on the credit side; a negative one goes to the debit side.
    #[must_use]
    pub fn credit(account: AccountCode, amount: Cents, vat_box: Option<VatBox>) -> Self {
        Self::debit(account, -amount, vat_box)
    }

    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountCode {
        self.account
    }

    /// The amount on the debit side in euros, never negative.
    #[must_use]
    pub fn debited(&self) -> Cents {
        self.debit
    }

    /// The amount on the credit side in euros, never negative.
    #[must_use]
    pub fn credited(&self) -> Cents {
        self.credit
    }

    /// The box of the VAT return that it belongs to.
    #[must_use]
    pub fn vat_box(&self) -> Option<VatBox> {
        self.vat_box
    }

    fn is_nothing(&self) -> bool {
        self.debit.is_zero() && self.credit.is_zero()
    }
}

named! {
    /// The kind of document behind an entry.
    SourceType {
        /// A sales invoice.
        Invoice => "invoice",
        /// A credit note.
        CreditNote => "creditNote",
        /// A payment on an invoice.
        Payment => "payment",
        /// A purchase.
        Expense => "expense",
        /// A VAT return that was filed.
        VatFiling => "vatFiling",
        /// No document of its own.
        Manual => "manual",
    }
}

/// The document behind an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its kind.
    pub kind: SourceType,
    /// Its id inside the account.
    pub id: i64,
}

/// Debit and credit differ; such an entry cannot exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("give at least one line, and equal totals on both sides: debit is {debit}, credit is {credit}")]
pub struct Unbalanced {
    /// The sum of the debits.
    pub debit: Cents,
    /// The sum of the credits.
    pub credit: Cents,
}

/// A journal entry: debits equal credits, always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    date: Date,
    description: String,
    source: Source,
    reverses: Option<i64>,
    postings: Vec<Posting>,
}

impl JournalEntry {
    /// An entry of these postings. Postings of nothing are left out, unless nothing else would remain.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn new(date: Date, description: String, source: Source, mut postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        if !postings.iter().all(Posting::is_nothing) {
            postings.retain(|posting| !posting.is_nothing());
        }
        Self::restore(date, description, source, None, postings)
    }

    /// An entry as it was stored.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn restore(
        date: Date,
        description: String,
        source: Source,
        reverses: Option<i64>,
        postings: Vec<Posting>,
    ) -> Result<Self, Unbalanced> {
        // Two sums that both overflow would look equal, so an entry that cannot be added up is no entry either.
        let sum = |side: fn(&Posting) -> Cents| postings.iter().map(side).try_fold(Cents::ZERO, Cents::checked_add);
        let (debit, credit) = (sum(Posting::debited), sum(Posting::credited));
        if debit.is_none() || debit != credit || postings.is_empty() {
            let known = |side: Option<Cents>| side.unwrap_or(Cents::new(i64::MAX));
            return Err(Unbalanced { debit: known(debit), credit: known(credit) });
        }
        Ok(Self { date, description, source, reverses, postings })
    }

    /// The entry that takes this one back: the same amounts and boxes on the other side.
    #[must_use]
    pub fn reversal(&self, own_id: i64, date: Date, description: String) -> Self {
        let mirrored = |posting: &Posting| Posting { debit: posting.credit, credit: posting.debit, ..posting.clone() };
        let postings = self.postings.iter().map(mirrored).collect();
        Self { date, description, source: self.source, reverses: Some(own_id), postings }
    }

    /// The day it is booked on.
    #[must_use]
    pub fn date(&self) -> Date {
        self.date
    }

    /// What it is about.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The document behind it.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// The entry that it takes back.
    #[must_use]
    pub fn reverses(&self) -> Option<i64> {
        self.reverses
    }

    /// Its lines.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::codes;
    use jiff::civil::date;

    const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

    fn entry(postings: Vec<Posting>) -> Result<JournalEntry, Unbalanced> {
        JournalEntry::new(date(2026, 3, 15), "test".into(), SOURCE, postings)
    }

    #[test]
    fn only_balanced_entries_exist() {
        let debit = |cents| Posting::debit(codes::BANK, Cents::new(cents), None);
        let credit = |cents| Posting::credit(codes::EQUITY, Cents::new(cents), None);
        assert!(entry(vec![debit(100), credit(100)]).is_ok());
        assert_eq!(entry(vec![debit(100), credit(99)]), Err(Unbalanced { debit: Cents::new(100), credit: Cents::new(99) }));
        assert!(entry(vec![]).is_err());
        // Both sides overflow: not equal, unknown.
        assert!(entry(vec![debit(i64::MAX), debit(1), credit(i64::MAX), credit(2)]).is_err());
        assert_eq!(entry(vec![debit(100), debit(0), credit(100)]).unwrap().postings().len(), 2);
        assert_eq!(entry(vec![debit(0), credit(0)]).unwrap().postings().len(), 2);
    }

    #[test]
    fn a_negative_amount_goes_to_the_other_side() {
        let posting = Posting::debit(codes::BANK, Cents::new(-5), None);
        assert_eq!((posting.debited(), posting.credited()), (Cents::ZERO, Cents::new(5)));
        assert_eq!(Posting::credit(codes::BANK, Cents::new(5), None), posting);
    }

    #[test]
    fn a_reversal_mirrors_and_names_what_it_takes_back() {
        let first = entry(vec![
            Posting::debit(codes::RECEIVABLES, Cents::new(121), None),
            Posting::credit(codes::REVENUE_HIGH, Cents::new(100), Some(VatBox::B1a)),
            Posting::credit(codes::VAT_DUE_HIGH, Cents::new(21), Some(VatBox::B1a)),
        ])
        .unwrap();
        let back = first.reversal(7, date(2026, 4, 1), "back".into());
        assert_eq!((back.reverses(), back.date()), (Some(7), date(2026, 4, 1)));
        for (there, here) in first.postings().iter().zip(back.postings()) {
            assert_eq!((there.debited(), there.credited(), there.vat_box()), (here.credited(), here.debited(), here.vat_box()));
        }
    }
}
