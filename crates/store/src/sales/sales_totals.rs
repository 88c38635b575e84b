//! Totals of invoices and credit notes for each standing, by due date (open documents only), and by
//! contact and year. Each change of a document updates these totals in the same transaction, so
//! that pages can read them at a cost that does not depend on the number of documents.

use super::invoices::{Invoice, InvoiceKind, Status};
use crate::{
    StoreError, Tx,
    engine::record::{self, Column, Record, adding, record},
    params,
};
use jiff::civil::Date;
use ledger::money::Cents;
use std::{
    collections::BTreeMap,
    ops::{AddAssign, Neg},
};

/// Totals of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Number of documents.
    pub count: i64,
    /// Total excluding VAT.
    pub subtotal: Cents,
    /// Total VAT.
    pub vat_total: Cents,
    /// Total including VAT.
    pub total: Cents,
    /// Amount still to be received.
    pub due: Cents,
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.subtotal += other.subtotal;
        self.vat_total += other.vat_total;
        self.total += other.total;
        self.due += other.due;
    }
}

impl Neg for Sums {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            count: -self.count,
            subtotal: -self.subtotal,
            vat_total: -self.vat_total,
            total: -self.total,
            due: -self.due,
        }
    }
}

/// Standing of a document; each document has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Not sent yet.
    Draft,
    /// Cancelled draft: included in the count, but not in the amounts.
    Cancelled,
    /// Sent and not settled.
    Open,
    /// Sent and settled without a write-off.
    Paid,
    /// Settled with a write-off.
    WrittenOff,
    /// A credit note.
    CreditNote,
}

impl Standing {
    const ALL: [Self; 6] =
        [Self::Draft, Self::Cancelled, Self::Open, Self::Paid, Self::WrittenOff, Self::CreditNote];

    /// Name in the stored totals.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Cancelled => "cancelled",
            Self::Open => "open",
            Self::Paid => "paid",
            Self::WrittenOff => "writtenOff",
            Self::CreditNote => "creditNote",
        }
    }

    fn of(invoice: &Invoice) -> Self {
        match invoice.status {
            Status::Draft => Self::Draft,
            Status::Cancelled => Self::Cancelled,
            Status::Sent if invoice.kind == InvoiceKind::CreditNote => Self::CreditNote,
            Status::Sent if remainder(invoice) > Cents::ZERO => Self::Open,
            Status::Sent if invoice.amount_written_off.is_zero() => Self::Paid,
            Status::Sent => Self::WrittenOff,
        }
    }
}

fn remainder(invoice: &Invoice) -> Cents {
    invoice.total - invoice.amount_paid - invoice.amount_credited - invoice.amount_written_off
}

/// Group of documents with stored totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Documents with this standing.
    Standing(Standing),
    /// Open documents due on this date.
    DueDate(Date),
    /// Documents of a contact (by id) dated in a year, without cancelled drafts. Items open at the
    /// start of the books add to the amount due but not to the turnover, which belongs to earlier
    /// books.
    Contact(i64, i16),
}

impl Group {
    /// Values of the columns `dimension`, `member` and `year`.
    fn columns(self) -> (&'static str, String, i64) {
        match self {
            Self::Standing(standing) => (STANDING, standing.as_str().to_owned(), 0),
            Self::DueDate(day) => (DUE_DATE, day.to_string(), 0),
            Self::Contact(id, year) => (CONTACT, id.to_string(), i64::from(year)),
        }
    }

    fn from_columns(dimension: &str, member: &str, year: i64) -> Option<Self> {
        match (dimension, year) {
            (STANDING, 0) => Standing::ALL
                .into_iter()
                .find(|standing| standing.as_str() == member)
                .map(Self::Standing),
            (DUE_DATE, 0) => member.parse().ok().map(Self::DueDate),
            (CONTACT, year) => Some(Self::Contact(member.parse().ok()?, year.try_into().ok()?)),
            _ => None,
        }
    }
}

const STANDING: &str = "standing";
const DUE_DATE: &str = "dueDate";
const CONTACT: &str = "contact";
const KEY: &str = "account_id, dimension, member, year";

record! {
    Sums {
        "documents": count,
        "subtotal": subtotal,
        "vat_total": vat_total,
        "total": total,
        "due": due,
    }
}

/// Count and amounts that a document adds to each of its groups.
#[must_use]
pub fn of(invoice: &Invoice) -> Vec<(Group, Sums)> {
    let standing = Standing::of(invoice);
    if standing == Standing::Cancelled {
        return vec![(Group::Standing(standing), Sums { count: 1, ..Sums::default() })];
    }
    let due = if standing == Standing::Open { remainder(invoice) } else { Cents::ZERO };
    let (subtotal, vat_total, total) = (invoice.subtotal, invoice.vat_total, invoice.total);
    let sums = Sums { count: 1, subtotal, vat_total, total, due };
    let nil = Cents::ZERO;
    let of_contact = match invoice.is_opening_item() {
        true => Sums { subtotal: nil, vat_total: nil, total: nil, ..sums },
        false => sums,
    };
    let mut groups = vec![
        (Group::Standing(standing), sums),
        (Group::Contact(invoice.contact_id, invoice.invoice_date.year()), of_contact),
    ];
    if standing == Standing::Open {
        groups.push((Group::DueDate(invoice.due_date), sums));
    }
    groups
}

/// Adds changes to the stored totals and removes groups without documents.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    account: i64,
    changes: &BTreeMap<Group, Sums>,
) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(changes.len() * 9);
    for (group, sums) in changes {
        let (dimension, member, year) = group.columns();
        values.extend(params![account, dimension, member, year]);
        sums.put(&mut values);
    }
    let columns = format!("{KEY}, {}", Sums::COLUMNS);
    record::insert_into(
        tx,
        "sales_totals",
        &columns,
        &values,
        &adding("sales_totals", KEY, Sums::COLUMNS),
    )?;
    for (group, _) in changes.iter().filter(|(_, sums)| sums.count < 0) {
        let (dimension, member, year) = group.columns();
        tx.execute(
            "DELETE FROM sales_totals WHERE account_id = ?1 AND dimension = ?2 AND member = ?3 AND year = ?4 AND documents = 0",
            &params![account, dimension, member, year],
        )?;
    }
    Ok(())
}

/// Moves the totals of one contact to another.
///
/// # Errors
/// The storage failed.
pub fn move_contact(tx: &mut Tx<'_>, account: i64, from: i64, into: i64) -> Result<(), StoreError> {
    let mut changes = BTreeMap::new();
    for (year, sums) in of_contact(tx, account, from)? {
        changes.insert(Group::Contact(from, year), -sums);
        changes.insert(Group::Contact(into, year), sums);
    }
    add(tx, account, &changes)
}

/// All stored totals. Used by the verification of the books.
///
/// # Errors
/// The storage failed, or a group is unknown.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(Group, Sums)>, StoreError> {
    let sql = format!(
        "SELECT {}, dimension, member, year FROM sales_totals WHERE account_id = ?1",
        Sums::COLUMNS
    );
    tx.query(&sql, &params![account], |row| {
        let (sums, dimension, member, year): (_, String, String, i64) = record::read(row)?;
        let unknown = || {
            StoreError::Unreadable(format!(
                "{dimension} {member} of {year} is no group of sales totals"
            ))
        };
        Ok((Group::from_columns(&dimension, &member, year).ok_or_else(unknown)?, sums))
    })
}

/// Totals for each standing.
///
/// # Errors
/// The storage failed.
pub fn by_standing(tx: &mut Tx<'_>, account: i64) -> Result<BTreeMap<Standing, Sums>, StoreError> {
    let columns = Sums::COLUMNS;
    let sql = format!(
        "SELECT {columns}, member FROM sales_totals WHERE account_id = ?1 AND dimension = '{STANDING}'"
    );
    let parse = |text: &str| Standing::ALL.into_iter().find(|standing| standing.as_str() == text);
    let rows =
        tx.query(&sql, &params![account], |row| Ok((row.parsed(5, parse)?, Sums::read(row)?)))?;
    Ok(rows.into_iter().collect())
}

/// Totals of open documents by due date, earliest first; one row per date.
///
/// # Errors
/// The storage failed.
pub fn by_due_date(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(Date, Sums)>, StoreError> {
    let columns = Sums::COLUMNS;
    let sql = format!(
        "SELECT {columns}, member FROM sales_totals WHERE account_id = ?1 AND dimension = '{DUE_DATE}' ORDER BY member"
    );
    tx.query(&sql, &params![account], |row| {
        Ok((row.parsed(5, |text| text.parse().ok())?, Sums::read(row)?))
    })
}

/// Totals of a contact's documents by year.
///
/// # Errors
/// The storage failed.
pub fn of_contact(
    tx: &mut Tx<'_>,
    account: i64,
    contact: i64,
) -> Result<Vec<(i16, Sums)>, StoreError> {
    let sql = format!(
        "SELECT year, {} FROM sales_totals WHERE account_id = ?1 AND dimension = '{CONTACT}' AND member = ?2 ORDER BY year",
        Sums::COLUMNS
    );
    tx.query(&sql, &params![account, contact.to_string()], record::read)
}
