//! Cash accounting (kasstelsel): the VAT on a sale is due when the customer pays.
//!
//! Art. 26 Wet OB 1968 and art. 26 Uitvoeringsbeschikking omzetbelasting 1968. The entry of such an
//! invoice posts its VAT to account 1770, without boxes. Each payment moves its share from there to
//! the VAT accounts, with the boxes, and repeats the turnover as a pair that nets to zero.

mod history;

pub use history::{Amounts, CashInvoice, Cause, Change, Event, Kind, differences};

use crate::{
    chart::{AccountCode, codes},
    description::{Description, DescriptionKind},
    entry::{JournalEntry, Posting, Source, SourceType},
    invoice::{Line, VatGroup},
    money::Cents,
    named::named,
    sales_accounts::{revenue_account, vat_due_account},
    vat::VatBox,
    write_off::share,
};
use jiff::civil::Date;
use std::collections::BTreeMap;

const BALANCED: &str = "each amount is posted on both sides";

named! {
    /// Moment at which the VAT on sales is due.
    VatMethod {
        /// When the invoice is issued or should have been issued (art. 13 Wet OB 1968).
        Invoice => "invoice",
        /// When the customer pays: cash accounting (art. 26 Wet OB 1968).
        Cash => "cash",
    }
}

named! {
    /// Ground for cash accounting (art. 26(1) Uitvoeringsbeschikking omzetbelasting 1968).
    CashGround {
        /// The business is in one of the listed trades (part a).
        ListedTrade => "listedTrade",
        /// An establishment that supplies almost only to others than businesses (part b).
        Establishment => "establishment",
        /// The tax office designated the business, which supplies mainly to others than businesses
        /// (part c).
        Designated => "designated",
    }
}

impl CashGround {
    /// Least percentage of the turnover that must come from others than businesses.
    #[must_use]
    pub const fn least_percent(self) -> Option<i64> {
        match self {
            Self::ListedTrade => None,
            Self::Establishment => Some(90),
            Self::Designated => Some(80),
        }
    }
}

/// Returns the method that applies on `day`, given all changes of method in order of their first
/// day.
#[must_use]
pub fn method_on(changes: &[(Date, VatMethod)], day: Date) -> VatMethod {
    let last = changes.iter().rev().find(|(from, _)| *from <= day);
    last.map_or(VatMethod::Invoice, |(_, method)| *method)
}

/// Returns the first day after `day` on which cash accounting no longer applies, if it applies on
/// `day`. What customers still owe on that day becomes due then.
#[must_use]
pub fn leaves_after(changes: &[(Date, VatMethod)], day: Date) -> Option<Date> {
    let next = changes.iter().find(|(from, method)| *from > day && *method == VatMethod::Invoice);
    next.map(|(from, _)| *from)
}

/// Whether the VAT return declares a group of an invoice under cash accounting when the customer
/// pays: domestic supplies. Other supplies are declared by invoice.
#[must_use]
pub const fn is_deferred(group: &VatGroup) -> bool {
    matches!(group.vat_box, Some(VatBox::B1a | VatBox::B1b | VatBox::B1c | VatBox::B1e))
}

/// Amounts of one VAT group whose VAT becomes due; negative if the VAT is no longer due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Group with the amounts that become due.
    pub group: VatGroup,
    /// Parts of the base on revenue accounts that replace that of the group, in cents.
    pub own: Vec<(AccountCode, Cents)>,
}

impl From<VatGroup> for Due {
    fn from(group: VatGroup) -> Self {
        Self { group, own: Vec::new() }
    }
}

impl Due {
    /// Divides the base of a group among the revenue accounts of an invoice, in proportion to its
    /// lines, each rounded half away from zero. The last account takes the remainder. `lines` are
    /// the lines of the invoice, with their amounts in cents excluding VAT.
    #[must_use]
    pub fn of_lines(group: VatGroup, lines: &[(Line, Cents)]) -> Self {
        let mut sums: BTreeMap<Option<AccountCode>, Cents> = BTreeMap::new();
        for (line, amount) in lines {
            if line.group() == group.key() && line.sets_off.is_none() {
                *sums.entry(line.account).or_default() += *amount;
            }
        }
        let total: Cents = sums.values().copied().sum();
        let Some((last, _)) = sums.pop_last().filter(|_| !total.is_zero()) else {
            return group.into();
        };
        let mut rest = group.base;
        let mut own = Vec::new();
        for (account, sum) in sums {
            let part = share(sum, group.base, total);
            rest -= part;
            own.extend(account.map(|account| (account, part)));
        }
        own.extend(last.map(|account| (account, rest)));
        Self { group, own }
    }
}

/// Postings that declare the given amounts: each base in its box, as a pair on the revenue account,
/// and its VAT from account 1770 to the account of VAT due. Negative amounts are no longer due.
pub(crate) fn due_postings(due: &[Due]) -> Vec<Posting> {
    let mut postings = Vec::with_capacity(4 * due.len());
    for Due { group, own } in due {
        let rest = group.base - own.iter().map(|(_, part)| *part).sum();
        let usual = Some((revenue_account(group), rest));
        let usual = usual.filter(|_| own.is_empty() || !rest.is_zero());
        for (revenue, base) in usual.into_iter().chain(own.iter().copied()) {
            postings.extend([
                Posting::debit(revenue, base, None),
                Posting::credit(revenue, base, group.vat_box),
            ]);
        }
        postings.extend([
            Posting::debit(codes::VAT_ON_OPEN_INVOICES, group.amount, None),
            Posting::credit(vat_due_account(group.vat_box), group.amount, group.vat_box),
        ]);
    }
    postings
}

/// Books VAT that becomes due, or that no longer is, without a payment: because the account begins
/// or stops using cash accounting, or because a credit note settles the invoice. `id` and `number`
/// are those of the invoice.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     cash_accounting,
///     chart::codes,
///     invoice::VatGroup,
///     money::Cents,
///     vat::{VatBox, VatCategory, VatRate},
/// };
///
/// let open = VatGroup {
///     rate: VatRate::from_basis_points(2_100),
///     category: VatCategory::Standard,
///     supply: None,
///     tax_country: None,
///     base: Cents::new(50_000),
///     amount: Cents::new(10_500),
///     vat_box: Some(VatBox::B1a),
/// };
/// let entry = cash_accounting::due(7, "2026-0001", parse_date("2027-01-01")?, &[open.into()]);
/// let [_, turnover, deferred, vat] = entry.postings() else { panic!("four postings") };
/// assert_eq!((turnover.account(), turnover.vat_box()), (codes::REVENUE_HIGH, Some(VatBox::B1a)));
/// assert_eq!(deferred.debited(), Cents::new(10_500));
/// assert_eq!((vat.account(), vat.credited()), (codes::VAT_DUE_HIGH, Cents::new(10_500)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn due(id: i64, number: &str, on: Date, due: &[Due]) -> JournalEntry {
    let about = Description::of(DescriptionKind::VatDue).numbered(number);
    let source = Source { kind: SourceType::VatDue, id };
    JournalEntry::new(on, about, source, due_postings(due)).expect(BALANCED)
}

#[cfg(test)]
mod tests;
