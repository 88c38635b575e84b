//! Comparison of derived data with the journal: sums and counts by month, sums of sales, and filed
//! returns.

use super::{DocumentSums, MonthSums, Recomputed, SalesSums, VatSums, Verification};
use crate::{Error, vat_filings};
use ledger::{
    money::Cents,
    summary::{MonthTotal, VatTotal},
    vat_period::VatPeriod,
    vat_return::{self, Total},
};
use std::{collections::BTreeMap, fmt::Debug};
use store::{
    Tx,
    books::{self, DocumentTotals, Drafts},
    filings::{self, FiledBox, Filing},
    journal,
    sales_totals::{self, Group, Sums},
};

/// Keys whose stored and recomputed values differ: key, stored, recomputed.
fn differing<'s, K: Ord + Debug, V: Copy + Default + PartialEq>(
    kept: &'s BTreeMap<K, V>,
    recomputed: &'s BTreeMap<K, V>,
) -> impl Iterator<Item = (&'s K, V, V)> {
    let keys = kept.keys().chain(recomputed.keys().filter(|key| !kept.contains_key(key)));
    let both = keys.map(|key| {
        (
            key,
            kept.get(key).copied().unwrap_or_default(),
            recomputed.get(key).copied().unwrap_or_default(),
        )
    });
    both.filter(|(_, kept, recomputed)| kept != recomputed)
}

pub(super) fn verify_months(
    tx: &mut Tx<'_>,
    account: i64,
    recomputed: &MonthSums,
    verification: &mut Verification,
) -> Result<(), Error> {
    let row = |of: MonthTotal| ((of.year, of.month, of.account), (of.debit, of.credit));
    let stored: MonthSums =
        journal::month_totals(tx, account, (i16::MAX, 12))?.into_iter().map(row).collect();
    for ((year, month, account), kept, actual) in differing(&stored, recomputed) {
        verification.discrepancies.push(format!(
            "the totals of {year}-{month:02} on account {account} are kept as {}/{}, but the entries give {}/{}",
            kept.0, kept.1, actual.0, actual.1
        ));
    }
    Ok(())
}

pub(super) fn verify_vat(
    tx: &mut Tx<'_>,
    account: i64,
    recomputed: &VatSums,
    verification: &mut Verification,
) -> Result<(), Error> {
    let row = |VatTotal { month, total }| {
        ((month, total.account, total.vat_box), (total.debit, total.credit))
    };
    let stored: VatSums = journal::vat_totals(tx, account, None)?.into_iter().map(row).collect();
    for ((month, account, vat_box), kept, actual) in differing(&stored, recomputed) {
        verification.discrepancies.push(format!(
            "the VAT totals of {month} on account {account} in box {} are kept as {}/{}, but the entries give {}/{}",
            vat_box.as_str(),
            kept.0,
            kept.1,
            actual.0,
            actual.1
        ));
    }
    Ok(())
}

/// Describes the stored sums of a month that differ from the recomputed ones.
fn differences(kept: &DocumentTotals, recomputed: &DocumentTotals) -> Vec<String> {
    let drafts = |of: &Drafts| {
        format!("{} of {} and {} of VAT, {} in all", of.count, of.revenue, of.vat, of.amount)
    };
    let sums = |totals: &DocumentTotals| {
        [
            ("the entries", totals.entries.to_string()),
            ("the invoices", totals.invoices.to_string()),
            ("the drafts", drafts(&totals.drafts)),
            ("the drafts whose VAT is due", drafts(&totals.due_drafts)),
            ("the paid invoices", totals.paid.to_string()),
            ("the outstanding amount", totals.outstanding.to_string()),
        ]
    };
    let both = sums(kept).into_iter().zip(sums(recomputed));
    let differ = both.filter(|((_, kept), (_, recomputed))| kept != recomputed);
    differ
        .map(|((name, kept), (_, recomputed))| {
            format!("{name} are kept as {kept}, recomputed {recomputed}")
        })
        .collect()
}

pub(super) fn verify_documents(
    tx: &mut Tx<'_>,
    account: i64,
    recomputed: &DocumentSums,
    verification: &mut Verification,
) -> Result<(), Error> {
    let stored: DocumentSums = books::all_document_totals(tx, account)?.into_iter().collect();
    for (month, kept, actual) in differing(&stored, recomputed) {
        let what = differences(&kept, &actual).join(", ");
        verification.discrepancies.push(format!("of {month}, {what}"));
    }
    Ok(())
}

pub(super) fn verify_sales(
    tx: &mut Tx<'_>,
    account: i64,
    recomputed: &SalesSums,
    verification: &mut Verification,
) -> Result<(), Error> {
    let stored: SalesSums = sales_totals::all(tx, account)?.into_iter().collect();
    let description = |of: Sums| {
        format!(
            "{} of {} and {} of VAT, {} in all, {} due",
            of.count, of.subtotal, of.vat_total, of.total, of.due
        )
    };
    for (group, kept, actual) in differing(&stored, recomputed) {
        let what = match group {
            Group::Standing(standing) => format!("the documents that are {}", standing.as_str()),
            Group::DueDate(day) => format!("the invoices due on {day}"),
            Group::Contact(id, year) => format!("the documents of contact {id} of {year}"),
        };
        verification.discrepancies.push(format!(
            "{what} are kept as {}, recomputed {}",
            description(kept),
            description(actual)
        ));
    }
    Ok(())
}

/// Checks filed returns against the journal. A filed period accepts no more postings with a box, so
/// its computed return must equal the filed one. The journal must have exactly one settlement for
/// each filed version, with the declared amount.
pub(super) fn verify_filings(
    tx: &mut Tx<'_>,
    account: i64,
    recomputed: &Recomputed,
    verification: &mut Verification,
) -> Result<(), Error> {
    let all = filings::all(tx, account)?;
    let declared = |filing: &Filing| {
        (
            filing.entry_id,
            (
                vat_filings::source(filing.period).id,
                Cents::new(filing.declared_payable.saturating_mul(100)),
            ),
        )
    };
    let settled: BTreeMap<i64, (i64, Cents)> =
        all.iter().filter(|filing| filing.is_filed()).map(declared).collect();
    let settlements: BTreeMap<i64, (i64, Cents)> = all.iter().map(declared).collect();
    let differing_periods = differing(&settled, &recomputed.settled)
        .chain(differing(&settlements, &recomputed.settlements));
    let mut periods: Vec<i64> = differing_periods
        .flat_map(|(_, kept, actual)| [kept.0, actual.0])
        .filter(|source| *source != 0)
        .collect();
    periods.sort_unstable();
    periods.dedup();
    for source in periods {
        let what = VatPeriod::from_id(source)
            .map_or_else(|| source.to_string(), |period| period.to_string());
        verification.discrepancies.push(format!(
            "the filings of the return of {what} do not match the settlements in the journal"
        ));
    }
    let mut version = 0;
    let mut before = None;
    for filing in &all {
        version = if before == Some(filing.period) { version + 1 } else { 1 };
        before = Some(filing.period);
        if filing.version != version {
            let what = filing.period;
            verification
                .discrepancies
                .push(format!("version {version} of the return of {what} is missing"));
            version = filing.version;
        }
        let boxes = filings::boxes(tx, account, filing.period, filing.version)?;
        verify_boxes(filing, &boxes, recomputed, verification);
    }
    Ok(())
}

fn verify_boxes(
    filing: &Filing,
    boxes: &[FiledBox],
    recomputed: &Recomputed,
    verification: &mut Verification,
) {
    let what = filing.period;
    let total = boxes.last().map(|total| (total.vat, total.declared_vat));
    if total != Some((Some(filing.payable), Some(filing.declared_payable))) {
        verification.discrepancies.push(format!(
            "version {} of the return of {what} was filed with {}, but its boxes give another amount",
            filing.version, filing.payable
        ));
    }
    if !filing.is_filed() {
        return;
    }
    let months = filing.period.first_month()..=filing.period.last_month();
    let of_period = recomputed.vat.iter().filter(|((month, _, _), _)| months.contains(month));
    let now = vat_return::vat_return(of_period.map(|((_, account, vat_box), (debit, credit))| {
        Total { account: *account, vat_box: *vat_box, debit: *debit, credit: *credit }
    }));
    let same = boxes.len() == now.lines.len()
        && boxes.iter().zip(&now.lines).all(|(filed, line)| {
            (
                filed.vat_box.as_str(),
                filed.turnover,
                filed.vat,
                filed.declared_turnover,
                filed.declared_vat,
            ) == (line.vat_box, line.turnover, line.vat, line.declared_turnover, line.declared_vat)
        });
    if !same || now.payable != filing.payable || now.declared_payable != filing.declared_payable {
        verification.discrepancies.push(format!(
            "the return of {what} was filed with {}, but the entries give {}",
            filing.payable, now.payable
        ));
    }
}
