//! Journal entries grouped by source document, and the comparison of a document with its entries.

use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, Role, codes},
    description::{DescriptionKind, ReceiptHash},
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    vat::VatBox,
    vat_period::VatPeriod,
};
use std::collections::{BTreeMap, BTreeSet};

/// Debit minus credit by account and box, without zero sums.
pub(super) type Sums = BTreeMap<(AccountCode, Option<VatBox>), Cents>;

/// The fields of a journal entry that documents are compared with.
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) date: Date,
    pub(super) vat_date: Date,
    pub(super) kind: DescriptionKind,
    /// Printed number of the document.
    pub(super) number: Option<Box<str>>,
    /// The owner's own text.
    pub(super) text: Option<Box<str>>,
    /// Hashes of the receipts that the entry was booked from.
    pub(super) receipts: Box<[ReceiptHash]>,
    /// Total of the entry's debits, which equals the total of its credits.
    pub(super) turnover: Cents,
    reverses: Option<i64>,
    corrects: Option<VatPeriod>,
    carries: bool,
    sums: Box<[(Key, Cents)]>,
}

/// Ledger account and VAT box of a posting.
type Key = (AccountCode, Option<VatBox>);

impl Entry {
    /// Whether the entry books the document itself, rather than reversing another entry or
    /// carrying the boxes of a correction.
    pub(super) fn is_original(&self) -> bool {
        self.reverses.is_none() && !self.carries
    }

    /// Filed VAT period that the entry corrects.
    pub(super) fn corrects(&self) -> Option<VatPeriod> {
        self.corrects
    }

    /// Debit minus credit on an account.
    pub(super) fn on(&self, account: AccountCode) -> Cents {
        self.sums.iter().filter(|((code, _), _)| *code == account).map(|(_, sum)| *sum).sum()
    }
}

/// Level of detail at which the postings of an entry can be derived from its document alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// By account and box.
    Full,
    /// Receivables and amounts owed to customers combined, since their split depends on the
    /// balance of the invoice at the time.
    Receivable,
    /// Like `Receivable`, but without boxes and with bad debts and VAT (due or not) combined, since
    /// their split depends on the remaining amount of the invoice at the time.
    Settlement,
    /// All VAT combined, without boxes: the only level at which the own-date part of a correction
    /// matches an entry that was booked with boxes.
    OwnDay,
}

impl Detail {
    fn key(self, (account, vat_box): Key) -> Key {
        let is_vat = account == codes::VAT_CORRECTIONS
            || matches!(account.role(), Role::VatDue | Role::InputVat);
        let receivable =
            if account == codes::OWED_TO_CUSTOMERS { codes::RECEIVABLES } else { account };
        match self {
            Self::Full => (account, vat_box),
            Self::Receivable => (receivable, vat_box),
            Self::Settlement
                if is_vat
                    || account == codes::VAT_ON_OPEN_INVOICES
                    || matches!(account, codes::ROUNDING | codes::RECEIVED_IN_ADVANCE) =>
            {
                (codes::BAD_DEBTS, None)
            }
            Self::Settlement => (receivable, None),
            Self::OwnDay if is_vat || account == codes::VAT_BEFORE_INVOICE => {
                (codes::VAT_CORRECTIONS, None)
            }
            Self::OwnDay => (account, None),
        }
    }

    pub(super) fn add(self, sums: &mut Sums, entry: &Entry) {
        for (key, sum) in &entry.sums {
            *sums.entry(self.key(*key)).or_default() += *sum;
        }
    }

    pub(super) fn of<'e>(self, entries: impl IntoIterator<Item = &'e Entry>) -> Sums {
        let mut sums = Sums::new();
        entries.into_iter().for_each(|entry| self.add(&mut sums, entry));
        sums.retain(|_, sum| !sum.is_zero());
        sums
    }

    pub(super) fn fold(self, sums: &Sums) -> Sums {
        let mut folded = Sums::new();
        for (key, sum) in sums {
            *folded.entry(self.key(*key)).or_default() += *sum;
        }
        folded.retain(|_, sum| !sum.is_zero());
        folded
    }
}

/// Net postings of the given entries by account and box, without zero sums.
pub(super) fn posted<'e>(entries: impl IntoIterator<Item = &'e JournalEntry>) -> Sums {
    let mut sums = Sums::new();
    for posting in entries.into_iter().flat_map(JournalEntry::postings) {
        *sums.entry((posting.account(), posting.vat_box())).or_default() +=
            posting.debited() - posting.credited();
    }
    sums.retain(|_, sum| !sum.is_zero());
    sums
}

/// Entries of one document, oldest first.
#[derive(Default)]
pub(super) struct Entries(Vec<Entry>);

impl Entries {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> + Clone {
        self.0.iter()
    }

    /// Debit minus credit on an account.
    pub(super) fn on(&self, account: AccountCode) -> Cents {
        self.iter().map(|entry| entry.on(account)).sum()
    }

    /// Last entry that books the document itself.
    pub(super) fn original(&self) -> Option<&Entry> {
        self.iter().rfind(|entry| entry.is_original())
    }

    /// Ids of reversed entries.
    pub(super) fn taken_back(&self) -> BTreeSet<i64> {
        self.iter().filter_map(|entry| entry.reverses).collect()
    }

    /// For each reversal, except those that only move boxes: its id, the id of the reversed entry,
    /// and the date of the reversal.
    pub(super) fn reversals(&self) -> impl Iterator<Item = (i64, i64, Date)> {
        self.iter()
            .filter(|entry| !entry.carries)
            .filter_map(|entry| Some((entry.id, entry.reverses?, entry.date)))
    }

    /// Entry with this id.
    pub(super) fn by_id(&self, id: i64) -> Option<&Entry> {
        self.0.binary_search_by_key(&id, |entry| entry.id).ok().map(|place| &self.0[place])
    }
}

/// All entries, by source document.
#[derive(Default)]
pub(super) struct Booked(BTreeMap<(SourceType, i64), Entries>);

impl Booked {
    pub(super) fn add(&mut self, id: i64, entry: &JournalEntry) {
        let (source, description) = (entry.source(), entry.description());
        let kept = Entry {
            id,
            date: entry.date(),
            vat_date: entry.vat_date(),
            kind: description.kind,
            number: description.number.as_deref().map(Into::into),
            text: description.text.as_deref().map(Into::into),
            receipts: description.receipts.as_slice().into(),
            turnover: entry.postings().iter().map(|posting| posting.debited()).sum(),
            reverses: entry.reverses(),
            corrects: entry.corrects_period(),
            carries: entry.carries_boxes(),
            sums: posted([entry]).into_iter().collect(),
        };
        self.0.entry((source.kind, source.id)).or_default().0.push(kept);
    }

    /// Entries of a document; empty if it was never booked.
    pub(super) fn of(&self, source: Source) -> &Entries {
        const NONE: &Entries = &Entries(Vec::new());
        self.0.get(&(source.kind, source.id)).unwrap_or(NONE)
    }

    /// Ids and entries of all booked documents of a kind.
    pub(super) fn ids(&self, kind: SourceType) -> impl Iterator<Item = (i64, &Entries)> {
        self.0.range((kind, i64::MIN)..=(kind, i64::MAX)).map(|((_, id), entries)| (*id, entries))
    }

    /// Reports reversals that do not mirror the entry that they reverse.
    pub(super) fn verify_reversals(&self, discrepancies: &mut Vec<String>) {
        for ((kind, _), entries) in &self.0 {
            for reversal in entries.iter() {
                let Some(reversed) = reversal.reverses else { continue };
                let id = reversal.id;
                let Some(original) = entries.by_id(reversed).filter(|original| original.id < id)
                else {
                    discrepancies.push(format!(
                        "entry {id} reverses entry {reversed}, which belongs to another document"
                    ));
                    continue;
                };
                let detail = match kind {
                    SourceType::Payment | SourceType::Refund | SourceType::WriteOff => {
                        Detail::Settlement
                    }
                    _ if reversal.corrects == original.corrects => Detail::Full,
                    _ => Detail::OwnDay,
                };
                if !detail.of([original, reversal]).is_empty() {
                    discrepancies.push(format!(
                        "entry {id} reverses entry {reversed}, but does not mirror it"
                    ));
                }
            }
        }
    }
}

/// Expected values of a document's entries.
pub(super) struct Document<'d> {
    /// Label in discrepancies, for example "payment 3".
    pub(super) name: &'d str,
    /// Acceptable sums of the document's entries, one of which must match. The entries of an
    /// undone document must add up to zero instead.
    pub(super) sums: &'d [Sums],
    pub(super) detail: Detail,
    pub(super) undone: bool,
    /// Date of the document, if its entry must have the same date.
    pub(super) date: Option<Date>,
    /// Id of the entry that the document's row names, if it names one.
    pub(super) entry_id: Option<i64>,
}

impl Document<'_> {
    /// Reports differences between the document and its entries.
    pub(super) fn compare<'e>(
        &self,
        entries: impl DoubleEndedIterator<Item = &'e Entry> + Clone,
        discrepancies: &mut Vec<String>,
    ) {
        let name = self.name;
        let Some(original) = entries.clone().rfind(|entry| entry.is_original()) else {
            discrepancies.push(format!("{name} is not booked"));
            return;
        };
        let booked = self.detail.of(entries.clone());
        let nothing = [Sums::new()];
        let accepted = if self.undone { &nothing } else { self.sums };
        let accepted: Vec<Sums> = accepted.iter().map(|sums| self.detail.fold(sums)).collect();
        if !accepted.contains(&booked) {
            let expected = accepted.first().cloned().unwrap_or_default();
            let keys = expected.keys().chain(booked.keys());
            let differs = keys
                .map(|key| (key, expected.get(key), booked.get(key)))
                .find(|(_, expected, booked)| expected != booked);
            if let Some(((account, _), expected, booked)) = differs {
                let (expected, booked) =
                    (expected.copied().unwrap_or_default(), booked.copied().unwrap_or_default());
                let undone = if self.undone { ", which was undone," } else { "" };
                discrepancies.push(format!("{name}{undone} comes to {expected} on account {account}, but {booked} is booked"));
            }
        }
        // The entries of an undone document add up to zero, so the amount is compared with the
        // amount of the original entries.
        if self.undone && !self.says_amount_of(entries, original) {
            discrepancies
                .push(format!("{name}, which was undone, has a different amount than was booked"));
        }
        if let Some(date) = self.date.filter(|date| *date != original.date) {
            discrepancies.push(format!("{name} is dated {date}, but booked on {}", original.date));
        }
        if let Some(entry) = self.entry_id.filter(|entry| *entry != original.id) {
            discrepancies
                .push(format!("{name} names entry {entry}, but entry {} books it", original.id));
        }
    }

    /// Whether the document's amount equals the amount of its last original entry or, for a
    /// document with several original entries, the sum of their amounts.
    fn says_amount_of<'e>(
        &self,
        entries: impl Iterator<Item = &'e Entry>,
        original: &Entry,
    ) -> bool {
        let detail =
            if self.detail == Detail::Settlement { Detail::Settlement } else { Detail::OwnDay };
        let by = [detail.of([original]), detail.of(entries.filter(|entry| entry.is_original()))];
        self.sums.iter().any(|sums| by.contains(&detail.fold(sums)))
    }
}

/// Compares the reversal that a document records (entry, date, and whether it is marked as undone)
/// with the document's entries.
pub(super) fn compare_undoing(
    name: &str,
    (entry, day, undone): (Option<i64>, Option<Date>, bool),
    entries: &Entries,
    discrepancies: &mut Vec<String>,
) {
    let fits = match (entry, day, undone) {
        (None, None, false) => true,
        (Some(entry), Some(day), true) => {
            entries.reversals().any(|(id, _, date)| (id, date) == (entry, day))
        }
        _ => false,
    };
    if !fits {
        discrepancies.push(format!("{name} does not name the entry and date of its reversal"));
    }
}
