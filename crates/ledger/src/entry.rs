//! Journal entries, which can only be built balanced.

use crate::{
    calendar::Quarter, chart::AccountCode, description::Description, language::Language, money::Cents, named::named, vat::VatBox,
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

    /// The same on the other side.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { debit: self.credit, credit: self.debit, ..self.clone() }
    }

    /// The same outside the VAT return.
    #[must_use]
    pub fn without_box(&self) -> Self {
        Self { vat_box: None, ..self.clone() }
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
        /// Money paid back to a customer.
        Refund => "refund",
        /// An invoice that a customer does not pay.
        WriteOff => "writeOff",
        /// What a payment provider paid out.
        Payout => "payout",
        /// A purchase.
        Expense => "expense",
        /// A business asset.
        Asset => "asset",
        /// Business kilometres with a private vehicle.
        Mileage => "mileage",
        /// A VAT return that was filed.
        VatFiling => "vatFiling",
        /// No document of its own: made by hand.
        Manual => "manual",
        /// What the books begin with.
        OpeningBalance => "openingBalance",
        /// Money moved between accounts of the business.
        Transfer => "transfer",
        /// Private money.
        PrivateBooking => "privateBooking",
        /// Revenue or a cost that is invoiced or paid in another period.
        Accrual => "accrual",
        /// A loan that was drawn.
        Loan => "loan",
        /// A loan repaid, and interest on it.
        LoanRepayment => "loanRepayment",
        /// Something of the business used privately.
        PrivateUse => "privateUse",
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
#[error("unbalanced: debit {debit}, credit {credit}")]
pub struct Unbalanced {
    /// The sum of the debits.
    pub debit: Cents,
    /// The sum of the credits.
    pub credit: Cents,
}

/// What an entry says beside its postings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The day it is booked on: decides result and balance sheet.
    pub date: Date,
    /// The day on which its VAT is due: decides the return that its boxes belong to (art. 13 Wet OB 1968).
    pub vat_date: Date,
    /// The VAT period that it corrects after that was filed.
    pub corrects_period: Option<Quarter>,
    /// What it is about.
    pub description: Description,
    /// The document behind it.
    pub source: Source,
    /// The entry that it takes back.
    pub reverses: Option<i64>,
}

/// A journal entry: debits equal credits, always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    head: Head,
    postings: Vec<Posting>,
}

impl JournalEntry {
    /// An entry of these postings, whose VAT is due on its own day. Postings of nothing are left out, unless nothing else would remain.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn new(date: Date, description: Description, source: Source, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        let head = Head { date, vat_date: date, corrects_period: None, description, source, reverses: None };
        Self::restore(head, without_nothing(postings))
    }

    /// The same entry with other postings; those of nothing are left out, unless nothing else would remain.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn with_postings(&self, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        Self::restore(self.head.clone(), without_nothing(postings))
    }

    /// An entry as it was stored.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn restore(head: Head, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        // Two sums that both overflow would look equal, so an entry that cannot be added up is no entry either.
        let sum = |side: fn(&Posting) -> Cents| postings.iter().map(side).try_fold(Cents::ZERO, Cents::checked_add);
        let (debit, credit) = (sum(Posting::debited), sum(Posting::credited));
        if debit.is_none() || debit != credit || postings.is_empty() {
            let known = |side: Option<Cents>| side.unwrap_or(Cents::new(i64::MAX));
            return Err(Unbalanced { debit: known(debit), credit: known(credit) });
        }
        Ok(Self { head, postings })
    }

    /// The same entry with its VAT due on another day.
    #[must_use]
    pub fn with_vat_date(mut self, vat_date: Date) -> Self {
        self.head.vat_date = vat_date;
        self
    }

    /// The same entry as a correction of a VAT period that was filed.
    #[must_use]
    pub fn correcting(mut self, period: Quarter) -> Self {
        self.head.corrects_period = Some(period);
        self
    }

    /// The same entry as none that corrects a period.
    #[must_use]
    pub fn not_correcting(mut self) -> Self {
        self.head.corrects_period = None;
        self
    }

    /// The same entry, taking nothing back, on another day, on which its VAT is due too.
    #[must_use]
    pub fn moved_to(mut self, day: Date) -> Self {
        (self.head.date, self.head.vat_date, self.head.reverses) = (day, day, None);
        self
    }

    /// Whether it carries the boxes of an entry that corrects a period which was filed.
    #[must_use]
    pub fn carries_correction(&self) -> bool {
        self.head.corrects_period.is_some() && self.has_boxes()
    }

    /// The same entry as one that takes another back, where that is not its mirror image.
    #[must_use]
    pub fn taking_back(mut self, entry: i64) -> Self {
        self.head.reverses = Some(entry);
        self
    }

    /// The entry that takes this one back: the same amounts and boxes on the other side. `own_id` is the id of this entry.
    #[must_use]
    pub fn reversal(&self, own_id: i64, date: Date, vat_date: Date) -> Self {
        let postings = self.postings.iter().map(Posting::mirrored).collect();
        Self { head: Head { date, vat_date, reverses: Some(own_id), ..self.head.clone() }, postings }
    }

    /// All that it says beside its postings.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The day it is booked on.
    #[must_use]
    pub fn date(&self) -> Date {
        self.head.date
    }

    /// The day on which its VAT is due.
    #[must_use]
    pub fn vat_date(&self) -> Date {
        self.head.vat_date
    }

    /// The VAT period that it corrects after that was filed.
    #[must_use]
    pub fn corrects_period(&self) -> Option<Quarter> {
        self.head.corrects_period
    }

    /// What it is about.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.head.description
    }

    /// What it is about in the words of a language.
    #[must_use]
    pub fn words(&self, language: Language) -> String {
        self.head.description.words(language, self.head.reverses.is_some())
    }

    /// The document behind it.
    #[must_use]
    pub fn source(&self) -> Source {
        self.head.source
    }

    /// The entry that it takes back.
    #[must_use]
    pub fn reverses(&self) -> Option<i64> {
        self.head.reverses
    }

    /// Its lines.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// Whether a posting of it stands in a box of the VAT return.
    #[must_use]
    pub fn has_boxes(&self) -> bool {
        self.postings.iter().any(|posting| posting.vat_box.is_some())
    }
}

fn without_nothing(mut postings: Vec<Posting>) -> Vec<Posting> {
    if !postings.iter().all(Posting::is_nothing) {
        postings.retain(|posting| !posting.is_nothing());
    }
    postings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chart::codes, description::DescriptionKind};
    use jiff::civil::date;

    const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

    fn entry(postings: Vec<Posting>) -> Result<JournalEntry, Unbalanced> {
        JournalEntry::new(date(2026, 3, 15), Description::text(DescriptionKind::Manual, "test"), SOURCE, postings)
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
        let first = first.with_vat_date(date(2026, 4, 1)).correcting(Quarter::of(date(2026, 1, 1)));
        let back = first.reversal(7, date(2026, 5, 1), first.vat_date());
        assert_eq!((back.reverses(), back.date(), back.vat_date()), (Some(7), date(2026, 5, 1), date(2026, 4, 1)));
        assert_eq!((back.corrects_period(), back.has_boxes()), (Some(Quarter::of(date(2026, 1, 1))), true));
        for (there, here) in first.postings().iter().zip(back.postings()) {
            assert_eq!((there.debited(), there.credited(), there.vat_box()), (here.credited(), here.debited(), here.vat_box()));
        }
    }
}
