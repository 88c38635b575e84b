//! EC sales lists (ICP): supplies to other member states, filed lists, and VAT numbers that were
//! added or changed after the invoice had been sent.

use crate::{
    StoreError, Tx,
    changes::{Event, ResourceKind, Topic},
    engine::record::{self, Record, record},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    chart::AccountCode,
    icp::{Amounts, Correction, Row},
    identifiers::VatNumber,
    money::Cents,
    vat_period::VatPeriod,
};

/// Amount in box 3b for one document and one ledger account.
#[derive(Debug, Clone)]
pub struct EuSupply {
    /// Invoice or credit note; `None` if the amount comes from entries without such a document.
    pub document: Option<EuDocument>,
    /// VAT date of the document; without a document, the earliest VAT date of the entries.
    pub day: Date,
    /// Ledger account of the amount.
    pub account: AccountCode,
    /// Amount in cents excluding VAT; negative on a credit note.
    pub amount: Cents,
}

/// A document with a supply to another member state.
#[derive(Debug, Clone)]
pub struct EuDocument {
    /// Id of the document.
    pub id: i64,
    /// Number of the document.
    pub number: String,
    /// Customer's VAT number for the list: the number added later to the document or to the
    /// invoice that it credits, or else the number on the document.
    pub vat_number: Option<String>,
    /// Amounts of its lines with supplies to other member states that are booked on the ledger
    /// account of the supply, in cents.
    pub lines: Amounts<Cents>,
}

/// Amounts in box 3b with a VAT date of `since` or later, by document and ledger account.
pub fn supplies(tx: &mut Tx<'_>, account: i64, since: Date) -> Result<Vec<EuSupply>, StoreError> {
    let lines = |supply: &str| {
        format!(
            "COALESCE((SELECT CAST(SUM(l.amount) AS BIGINT) FROM invoice_items l WHERE l.account_id = ?1 AND l.invoice_id = i.id
             AND (l.account_code = s.account_code OR (l.account_code IS NULL AND s.account_code < 10000))
             AND l.vat_category = 'intraCommunity' AND l.supply IN ({supply})), 0)"
        )
    };
    let sql = format!(
        "SELECT s.account_code, s.amount, COALESCE(i.vat_date, s.day), i.id, i.number,
                COALESCE(i.icp_vat_number, o.icp_vat_number, i.customer_vat_number), {}, {}, {}
         FROM (SELECT e.source_type, e.source_id, p.account_code, MIN(e.vat_date) AS day,
                      CAST(SUM(p.credit - p.debit) AS BIGINT) AS amount
               FROM postings p JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id
               WHERE p.account_id = ?1 AND p.vat_box = '3b' AND e.vat_date >= ?2
               GROUP BY e.source_type, e.source_id, p.account_code) s
         LEFT JOIN invoices i ON i.account_id = ?1 AND i.id = s.source_id AND s.source_type IN ('invoice', 'creditNote')
         LEFT JOIN invoices o ON o.account_id = ?1 AND o.id = i.credited_invoice_id
         WHERE s.amount <> 0 AND COALESCE(i.vat_date, s.day) >= ?2 ORDER BY i.id, s.account_code",
        lines("'goods'"),
        lines("'services', 'electronic'"),
        lines("'triangular'")
    );
    tx.query(&sql, &params![account, since], |row| {
        let code: u32 = row.narrow(0)?;
        let unknown = || StoreError::Unreadable(format!("account {code} is not in the chart"));
        let document = match row.opt_int(3)? {
            Some(id) => Some(EuDocument {
                id,
                number: row.text(4)?,
                vat_number: row.opt_text(5)?,
                lines: Amounts {
                    goods: Cents::new(row.int(6)?),
                    services: Cents::new(row.int(7)?),
                    triangular: Cents::new(row.int(8)?),
                },
            }),
            None => None,
        };
        Ok(EuSupply {
            document,
            day: row.date(2)?,
            account: AccountCode::restore(code).ok_or_else(unknown)?,
            amount: Cents::new(row.int(1)?),
        })
    })
}

/// Filed version of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IcpFiling {
    /// Period of the list.
    pub period: VatPeriod,
    /// Number of the version within the period, from 1.
    pub version: i64,
    /// First day that the list covers; it can be earlier than the first day of the period.
    pub first_day: Date,
    /// Time of filing.
    pub filed_at: Timestamp,
    /// Time of reopening.
    pub reopened_at: Option<Timestamp>,
}

impl IcpFiling {
    /// Whether this is the current version: filed and not reopened.
    #[must_use]
    pub fn is_filed(&self) -> bool {
        self.reopened_at.is_none()
    }
}

record! {
    IcpFiling {
        "period": period,
        "version": version,
        "first_day": first_day,
        "filed_at": filed_at,
        "reopened_at": reopened_at,
    }
}

/// All filed versions of all lists, oldest period and version first.
pub fn filings(tx: &mut Tx<'_>, account: i64) -> Result<Vec<IcpFiling>, StoreError> {
    let sql = format!("SELECT {} FROM icp_filings WHERE account_id = ?1", IcpFiling::COLUMNS);
    let mut filings = tx.query(&sql, &params![account], IcpFiling::read)?;
    filings.sort_by_key(|filing| (filing.period, filing.version));
    Ok(filings)
}

/// Columns of a row besides its period and version.
const ROW: &str = "corrects_period, vat_number, goods, services, triangular, declared_goods, declared_services, declared_triangular";

/// A row of a filed list: its period and version, the corrected period, and the amounts.
pub type FiledRow = (VatPeriod, i64, Option<VatPeriod>, Row);

/// Rows and corrections of all filed versions, ordered by corrected period and VAT number.
pub fn filed_rows(tx: &mut Tx<'_>, account: i64) -> Result<Vec<FiledRow>, StoreError> {
    let sql = format!(
        "SELECT period, version, {ROW} FROM icp_filing_rows WHERE account_id = ?1 ORDER BY corrects_period, vat_number"
    );
    tx.query(&sql, &params![account], |row| {
        let corrects = match row.text(2)?.as_str() {
            "" => None,
            _ => Some(row.parsed(2, VatPeriod::parse)?),
        };
        let exact = Amounts {
            goods: Cents::new(row.int(4)?),
            services: Cents::new(row.int(5)?),
            triangular: Cents::new(row.int(6)?),
        };
        let declared =
            Amounts { goods: row.int(7)?, services: row.int(8)?, triangular: row.int(9)? };
        let vat_number = row.parsed(3, |text| VatNumber::parse(text).ok())?;
        Ok((
            row.parsed(0, VatPeriod::parse)?,
            row.int(1)?,
            corrects,
            Row { vat_number, exact, declared },
        ))
    })
}

/// Stores a filed version of a list.
pub fn file(
    tx: &mut Tx<'_>,
    account: i64,
    filing: &IcpFiling,
    rows: &[Row],
    corrections: &[Correction],
) -> Result<(), StoreError> {
    let id = filing.period.id();
    let event = if filing.version == 1 { Event::Created } else { Event::Updated };
    tx.record(ResourceKind::Icp, id, event);
    tx.record_topic(ResourceKind::Icp, id, Topic::Filed);
    record::insert(tx, "icp_filings", IcpFiling::COLUMNS, &filing.values(account))?;
    let own = rows.iter().map(|row| (String::new(), row));
    let corrections =
        corrections.iter().map(|correction| (correction.period.to_string(), &correction.row));
    let mut values = Vec::new();
    for (corrects, row) in own.chain(corrections) {
        values.extend(params![
            account,
            filing.period.to_string(),
            filing.version,
            corrects,
            row.vat_number.as_str(),
            row.exact.goods.get(),
            row.exact.services.get(),
            row.exact.triangular.get(),
            row.declared.goods,
            row.declared.services,
            row.declared.triangular,
        ]);
    }
    record::insert(tx, "icp_filing_rows", &format!("period, version, {ROW}"), &values)
}

/// Reopens the filed version of a list; its figures remain readable.
pub fn reopen(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.record_topic(ResourceKind::Icp, period.id(), Topic::Reopened);
    tx.execute(
        "UPDATE icp_filings SET reopened_at = ?3 WHERE account_id = ?1 AND period = ?2 AND reopened_at IS NULL",
        &params![account, period.to_string(), now],
    )
}

/// A change to the VAT number on a sent invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberChange {
    /// Id of the invoice.
    pub invoice_id: i64,
    /// Sequence number of the change among those of the same invoice, from 1.
    pub change: i64,
    /// Id of the invoice that the command named; the command may have changed other invoices too.
    pub command_invoice_id: i64,
    /// Sequence number of the command among those that named that invoice, from 1.
    pub command_change: i64,
    /// New VAT number.
    pub vat_number: String,
    /// VAT number from an earlier change, if any, which undoing this change restores.
    pub previous: Option<String>,
    /// Time of recording.
    pub recorded_at: Timestamp,
    /// Time at which the change was undone.
    pub undone_at: Option<Timestamp>,
}

record! {
    NumberChange {
        "invoice_id": invoice_id,
        "change": change,
        "command_invoice_id": command_invoice_id,
        "command_change": command_change,
        "vat_number": vat_number,
        "previous": previous,
        "recorded_at": recorded_at,
        "undone_at": undone_at,
    }
}

/// Changes to an invoice's VAT number, oldest first.
pub fn number_changes(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Vec<NumberChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM icp_vat_numbers WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY change",
        NumberChange::COLUMNS
    );
    tx.query(&sql, &params![account, invoice], NumberChange::read)
}

/// Changes made by one command, oldest invoice first.
pub fn changes_of_command(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    change: i64,
) -> Result<Vec<NumberChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM icp_vat_numbers WHERE account_id = ?1 AND command_invoice_id = ?2 AND command_change = ?3 ORDER BY invoice_id",
        NumberChange::COLUMNS
    );
    tx.query(&sql, &params![account, invoice, change], NumberChange::read)
}

/// Sequence number of the last command that named an invoice; 0 before the first.
pub fn last_command(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<i64, StoreError> {
    let last = tx.query_one(
        "SELECT MAX(command_change) FROM icp_vat_numbers WHERE account_id = ?1 AND command_invoice_id = ?2",
        &params![account, invoice],
        |row| row.opt_int(0),
    )?;
    Ok(last.unwrap_or(0))
}

/// Change made by the latest command that named an invoice, disregarding changes that have been
/// undone.
pub fn last_named_change(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Option<NumberChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM icp_vat_numbers WHERE account_id = ?1 AND command_invoice_id = ?2 AND undone_at IS NULL
         ORDER BY command_change DESC, invoice_id LIMIT 1",
        NumberChange::COLUMNS
    );
    tx.query_opt(&sql, &params![account, invoice], NumberChange::read)
}

/// Stores a change, and sets the new VAT number on the invoice.
pub fn change_number(
    tx: &mut Tx<'_>,
    account: i64,
    change: &NumberChange,
) -> Result<(), StoreError> {
    record::insert(tx, "icp_vat_numbers", NumberChange::COLUMNS, &change.values(account))?;
    set_number(tx, account, change.invoice_id, Some(&change.vat_number), change.recorded_at)
}

/// Marks a change as undone, and restores the previous VAT number on the invoice.
pub fn undo_number(
    tx: &mut Tx<'_>,
    account: i64,
    change: &NumberChange,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE icp_vat_numbers SET undone_at = ?4 WHERE account_id = ?1 AND invoice_id = ?2 AND change = ?3",
        &params![account, change.invoice_id, change.change, now],
    )?;
    set_number(tx, account, change.invoice_id, change.previous.as_deref(), now)
}

fn set_number(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    vat_number: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.record(ResourceKind::Invoice, invoice, Event::Updated);
    tx.execute(
        "UPDATE invoices SET icp_vat_number = ?3, updated_at = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, invoice, vat_number, now],
    )
}

/// Ids of the sent invoices to a contact that have a line for another member state, oldest first.
pub fn eu_invoices_of(tx: &mut Tx<'_>, account: i64, contact: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT i.id FROM invoices i WHERE i.account_id = ?1 AND i.contact_id = ?2 AND i.status = 'sent' AND i.kind = 'invoice'
         AND EXISTS (SELECT 1 FROM invoice_items l WHERE l.account_id = ?1 AND l.invoice_id = i.id AND l.vat_category = 'intraCommunity')
         ORDER BY i.id",
        &params![account, contact],
        |row| row.int(0),
    )
}
