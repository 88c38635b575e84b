//! Journal entries, which are balanced by construction.

use crate::{
    chart::{AccountCode, codes},
    description::Description,
    language::Language,
    money::Cents,
    named::named,
    vat::VatBox,
    vat_period::VatPeriod,
};
use jiff::civil::Date;
use thiserror::Error;

/// Line of an entry: an amount on one side of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    account: AccountCode,
    debit: Cents,
    credit: Cents,
    vat_box: Option<VatBox>,
}

impl Posting {
    /// Creates a debit; a negative amount becomes a credit.
    #[must_use]
    pub fn debit(account: AccountCode, amount: Cents, vat_box: Option<VatBox>) -> Self {
        let (debit, credit) =
            if amount.is_negative() { (Cents::ZERO, -amount) } else { (amount, Cents::ZERO) };
        Self { account, debit, credit, vat_box }
    }

    /// Creates a credit; a negative amount becomes a debit.
    #[must_use]
    pub fn credit(account: AccountCode, amount: Cents, vat_box: Option<VatBox>) -> Self {
        Self::debit(account, -amount, vat_box)
    }

    /// Returns the posting on another account.
    #[must_use]
    pub fn on(&self, account: AccountCode) -> Self {
        Self { account, ..self.clone() }
    }

    /// Account.
    #[must_use]
    pub fn account(&self) -> AccountCode {
        self.account
    }

    /// Debit in euro cents, never negative.
    #[must_use]
    pub fn debited(&self) -> Cents {
        self.debit
    }

    /// Credit in euro cents, never negative.
    #[must_use]
    pub fn credited(&self) -> Cents {
        self.credit
    }

    /// Box of the VAT return.
    #[must_use]
    pub fn vat_box(&self) -> Option<VatBox> {
        self.vat_box
    }

    /// Returns the posting with debit and credit swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { debit: self.credit, credit: self.debit, ..self.clone() }
    }

    /// Returns the posting without its VAT box.
    #[must_use]
    pub fn without_box(&self) -> Self {
        Self { vat_box: None, ..self.clone() }
    }

    fn is_nothing(&self) -> bool {
        self.debit.is_zero() && self.credit.is_zero()
    }
}

named! {
    /// Kind of an entry's source document.
    SourceType {
        /// Sales invoice.
        Invoice => "invoice",
        /// Credit note.
        CreditNote => "creditNote",
        /// Payment on an invoice.
        Payment => "payment",
        /// Refund to a customer.
        Refund => "refund",
        /// Write-off of an unpaid invoice.
        WriteOff => "writeOff",
        /// Payout by a payment provider.
        Payout => "payout",
        /// Purchase.
        Expense => "expense",
        /// Business asset.
        Asset => "asset",
        /// Business kilometres with a private vehicle.
        Mileage => "mileage",
        /// Filed VAT return.
        VatFiling => "vatFiling",
        /// Manual entry, without a document.
        Manual => "manual",
        /// Opening balance.
        OpeningBalance => "openingBalance",
        /// Transfer between accounts of the business.
        Transfer => "transfer",
        /// Private deposit, drawing, tax or premium.
        PrivateBooking => "privateBooking",
        /// Revenue or a cost that is invoiced or paid in another period.
        Accrual => "accrual",
        /// Loan taken out.
        Loan => "loan",
        /// Loan repayment with interest.
        LoanRepayment => "loanRepayment",
        /// Private use of business goods or services.
        PrivateUse => "privateUse",
        /// VAT that is due before the invoice because of an early payment. Its id is that of the
        /// payment.
        VatMove => "vatMove",
        /// Revision of the VAT on assets. For the revision for a year, the id is the year; for the
        /// revision on the sale of an asset, it is 10 000 times the id of the asset.
        VatRevision => "vatRevision",
        /// VAT that becomes due under cash accounting without a payment, or that no longer is. Its
        /// id is that of the invoice.
        VatDue => "vatDue",
    }
}

/// Source document of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Kind.
    pub kind: SourceType,
    /// Id within the account.
    pub id: i64,
}

/// Debit and credit differ or overflow, or the entry has no posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unbalanced: debit {debit}, credit {credit}")]
pub struct Unbalanced {
    /// Sum of the debits.
    pub debit: Cents,
    /// Sum of the credits.
    pub credit: Cents,
}

/// Data of an entry other than its postings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Booking date, which determines the year whose result and balance sheet include the entry.
    pub date: Date,
    /// Date on which the entry's VAT is due, which determines the VAT return that declares it (art.
    /// 13 Wet OB 1968).
    pub vat_date: Date,
    /// Filed VAT period that the entry corrects.
    pub corrects_period: Option<VatPeriod>,
    /// Description.
    pub description: Description,
    /// Source document.
    pub source: Source,
    /// Id of the entry that this one reverses.
    pub reverses: Option<i64>,
}

/// Journal entry. Invariant: debits equal credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    head: Head,
    postings: Vec<Posting>,
}

impl JournalEntry {
    /// Creates an entry whose VAT is due on its booking date. Postings of zero are dropped, unless
    /// all are zero.
    ///
    /// ```
    /// use ledger::{
    ///     calendar::parse_date,
    ///     chart::codes,
    ///     description::{Description, DescriptionKind},
    ///     entry::{JournalEntry, Posting, Source, SourceType},
    ///     money::Cents,
    /// };
    ///
    /// let on = parse_date("2026-03-15")?;
    /// let about = Description::text(DescriptionKind::Manual, "Fine");
    /// let source = Source { kind: SourceType::Manual, id: 1 };
    /// let fine = Posting::debit(codes::FINES, Cents::new(8_200), None);
    /// let paid = |cents| Posting::credit(codes::BANK, Cents::new(cents), None);
    ///
    /// assert!(JournalEntry::new(on, about.clone(), source, vec![fine.clone(), paid(8_200)]).is_ok());
    /// assert!(JournalEntry::new(on, about, source, vec![fine, paid(8_199)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn new(
        date: Date,
        description: Description,
        source: Source,
        postings: Vec<Posting>,
    ) -> Result<Self, Unbalanced> {
        let head = Head {
            date,
            vat_date: date,
            corrects_period: None,
            description,
            source,
            reverses: None,
        };
        Self::restore(head, without_nothing(postings))
    }

    /// Returns the entry with other postings. Postings of zero are dropped, unless all are zero.
    ///
    /// # Errors
    /// Debit and credit differ, or there is no posting.
    pub fn with_postings(&self, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        Self::restore(self.head.clone(), without_nothing(postings))
    }

    /// Restores a stored entry.
    ///
    /// # Errors
    /// Debit and credit differ or overflow, or there is no posting.
    pub fn restore(head: Head, postings: Vec<Posting>) -> Result<Self, Unbalanced> {
        // Overflowing sums are `None` and would compare equal, so such entries are rejected.
        let sum = |side: fn(&Posting) -> Cents| {
            postings.iter().map(side).try_fold(Cents::ZERO, Cents::checked_add)
        };
        let (debit, credit) = (sum(Posting::debited), sum(Posting::credited));
        if debit.is_none() || debit != credit || postings.is_empty() {
            let known = |side: Option<Cents>| side.unwrap_or(Cents::new(i64::MAX));
            return Err(Unbalanced { debit: known(debit), credit: known(credit) });
        }
        Ok(Self { head, postings })
    }

    /// Returns the entry with another VAT date.
    #[must_use]
    pub fn with_vat_date(mut self, vat_date: Date) -> Self {
        self.head.vat_date = vat_date;
        self
    }

    /// Returns the entry as a correction of a filed VAT period.
    #[must_use]
    pub fn correcting(mut self, period: VatPeriod) -> Self {
        self.head.corrects_period = Some(period);
        self
    }

    /// Returns the entry without the period that it corrects.
    #[must_use]
    pub fn not_correcting(mut self) -> Self {
        self.head.corrects_period = None;
        self
    }

    /// Returns the entry with `day` as booking date and VAT date, and no reference to a reversed
    /// entry.
    #[must_use]
    pub fn moved_to(mut self, day: Date) -> Self {
        (self.head.date, self.head.vat_date, self.head.reverses) = (day, day, None);
        self
    }

    /// Whether the entry carries the VAT boxes of a correction of a filed period.
    #[must_use]
    pub fn carries_correction(&self) -> bool {
        self.head.corrects_period.is_some() && self.has_boxes()
    }

    /// Whether the entry declares the VAT of an invoice that is dated in a later year
    /// ([`late_invoice::split`](crate::late_invoice::split)).
    #[must_use]
    pub fn declares_ahead(&self) -> bool {
        self.posts_ahead() && self.has_boxes() && self.head.corrects_period.is_none()
    }

    /// Whether this is the entry of an invoice whose VAT another entry declares in an earlier year.
    #[must_use]
    pub fn is_declared_ahead(&self) -> bool {
        self.posts_ahead() && !self.has_boxes() && self.head.corrects_period.is_none()
    }

    fn posts_ahead(&self) -> bool {
        self.head.source.kind == SourceType::Invoice
            && self.postings.iter().any(|posting| posting.account() == codes::VAT_BEFORE_INVOICE)
    }

    /// Whether the entry carries the VAT boxes for another entry of the same document.
    #[must_use]
    pub fn carries_boxes(&self) -> bool {
        self.carries_correction() || self.declares_ahead()
    }

    /// Marks the entry as the reversal of the entry with this id, although it is not the mirror
    /// image of that entry.
    #[must_use]
    pub fn taking_back(mut self, entry: i64) -> Self {
        self.head.reverses = Some(entry);
        self
    }

    /// Returns the reversal of this entry: the same amounts and boxes on the other side. `own_id`
    /// is this entry's id.
    #[must_use]
    pub fn reversal(&self, own_id: i64, date: Date, vat_date: Date) -> Self {
        let postings = self.postings.iter().map(Posting::mirrored).collect();
        Self {
            head: Head { date, vat_date, reverses: Some(own_id), ..self.head.clone() },
            postings,
        }
    }

    /// Data other than the postings.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Booking date.
    #[must_use]
    pub fn date(&self) -> Date {
        self.head.date
    }

    /// Date on which the entry's VAT is due.
    #[must_use]
    pub fn vat_date(&self) -> Date {
        self.head.vat_date
    }

    /// Filed VAT period that the entry corrects.
    #[must_use]
    pub fn corrects_period(&self) -> Option<VatPeriod> {
        self.head.corrects_period
    }

    /// Description.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.head.description
    }

    /// Description in the given language.
    #[must_use]
    pub fn words(&self, language: Language) -> String {
        self.head.description.words(language, self.head.reverses.is_some())
    }

    /// Source document.
    #[must_use]
    pub fn source(&self) -> Source {
        self.head.source
    }

    /// Id of the entry that this one reverses.
    #[must_use]
    pub fn reverses(&self) -> Option<i64> {
        self.head.reverses
    }

    /// Postings.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// Whether any posting has a VAT box.
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
    use crate::description::DescriptionKind;
    use jiff::civil::date;

    const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

    fn entry(postings: Vec<Posting>) -> Result<JournalEntry, Unbalanced> {
        JournalEntry::new(
            date(2026, 3, 15),
            Description::text(DescriptionKind::Manual, "test"),
            SOURCE,
            postings,
        )
    }

    #[test]
    fn only_balanced_entries_exist() {
        let debit = |cents| Posting::debit(codes::BANK, Cents::new(cents), None);
        let credit = |cents| Posting::credit(codes::EQUITY, Cents::new(cents), None);
        assert!(entry(vec![debit(100), credit(100)]).is_ok());
        assert_eq!(
            entry(vec![debit(100), credit(99)]),
            Err(Unbalanced { debit: Cents::new(100), credit: Cents::new(99) })
        );
        assert!(entry(vec![]).is_err());
        // Both sums overflow, so they cannot be compared.
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
        let first =
            first.with_vat_date(date(2026, 4, 1)).correcting(VatPeriod::quarter(2026, 1).unwrap());
        let back = first.reversal(7, date(2026, 5, 1), first.vat_date());
        assert_eq!(
            (back.reverses(), back.date(), back.vat_date()),
            (Some(7), date(2026, 5, 1), date(2026, 4, 1))
        );
        assert_eq!((back.corrects_period(), back.has_boxes()), (VatPeriod::quarter(2026, 1), true));
        for (there, here) in first.postings().iter().zip(back.postings()) {
            assert_eq!(
                (there.debited(), there.credited(), there.vat_box()),
                (here.credited(), here.debited(), here.vat_box())
            );
        }
    }
}
