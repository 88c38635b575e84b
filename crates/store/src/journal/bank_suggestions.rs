//! Facts of the books from which bookings of bank lines are suggested, and refused suggestions.

use crate::{
    StoreError, Tx,
    bank_lines::BankLine,
    engine::{
        filter::Filter,
        record::{self, Record, record},
    },
    params,
    purchases::expenses::OPEN,
};
use jiff::civil::Date;
use ledger::{cash_accounting::VatMethod, chart::AccountCode, identifiers::Iban, money::Cents};
use std::collections::BTreeMap;

/// Sent invoice that is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvoice {
    /// Id of the invoice.
    pub id: i64,
    /// Id of the customer's contact.
    pub contact_id: i64,
    /// Name of the customer on the invoice.
    pub customer: String,
    /// Invoice date.
    pub date: Date,
    /// Total less payments, credit notes and write-offs; negative if the customer gets money back.
    pub due: Cents,
    /// Number as printed.
    pub number: String,
    /// Reference printed on the invoice.
    pub reference: Option<String>,
    /// Moment at which the VAT is due.
    pub vat_method: VatMethod,
}

record! {
    OpenInvoice {
        "id": id,
        "contact_id": contact_id,
        "customer_name": customer,
        "invoice_date": date,
        "total - amount_paid - amount_credited - amount_written_off": due,
        "number": number,
        "reference": reference,
        "vat_method": vat_method,
    }
}

/// Sent invoices that are not settled, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn open_invoices(tx: &mut Tx<'_>, account: i64) -> Result<Vec<OpenInvoice>, StoreError> {
    let sql = format!(
        "SELECT {} FROM invoices WHERE account_id = ?1 AND kind = 'invoice' AND status = 'sent'
         AND total <> amount_paid + amount_credited + amount_written_off ORDER BY id",
        OpenInvoice::COLUMNS
    );
    tx.query(&sql, &params![account], OpenInvoice::read)
}

/// Sent invoice that is paid in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidInvoice {
    /// Id of the invoice.
    pub id: i64,
    /// Id of the customer's contact.
    pub contact_id: i64,
    /// Invoice date.
    pub date: Date,
    /// Amount that was paid.
    pub amount: Cents,
    /// Number as printed.
    pub number: String,
}

record! {
    PaidInvoice {
        "id": id,
        "contact_id": contact_id,
        "invoice_date": date,
        "amount_paid": amount,
        "number": number,
    }
}

/// Sent invoices dated since a day that are paid in full with one of these amounts.
///
/// # Errors
/// The storage failed.
pub fn paid_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    amounts: &[Cents],
    since: Date,
) -> Result<Vec<PaidInvoice>, StoreError> {
    let mut paid = Vec::new();
    for chunk in amounts.chunks(1_000) {
        let cents: Vec<i64> = chunk.iter().map(|amount| amount.get()).collect();
        let mut wanted = Filter::of(account);
        wanted.and("kind = 'invoice' AND status = 'sent'");
        wanted.and("total = amount_paid + amount_credited + amount_written_off");
        wanted.with("invoice_date >=", since);
        wanted.one_of("amount_paid", &cents);
        let sql =
            format!("SELECT {} FROM invoices WHERE {wanted} ORDER BY id", PaidInvoice::COLUMNS);
        paid.extend(tx.query(&sql, wanted.values(), PaidInvoice::read)?);
    }
    Ok(paid)
}

/// Sent invoices of which money is owed to the customer, ordered by id; at most `limit`.
///
/// # Errors
/// The storage failed.
pub fn refunds(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<OpenInvoice>, StoreError> {
    let sql = format!(
        "SELECT {} FROM invoices WHERE account_id = ?1 AND kind = 'invoice' AND status = 'sent'
         AND total < amount_paid + amount_credited + amount_written_off ORDER BY id LIMIT ?2",
        OpenInvoice::COLUMNS
    );
    tx.query(&sql, &params![account, limit], OpenInvoice::read)
}

/// Numbers of the sent credit notes for invoices that are not settled, by invoice.
///
/// # Errors
/// The storage failed.
pub fn numbers_of_credit_notes(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<BTreeMap<i64, Vec<String>>, StoreError> {
    let mut numbers: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for chunk in invoices.chunks(1_000) {
        let mut wanted = Filter::of(account);
        wanted.and("status = 'sent'");
        wanted.one_of("credited_invoice_id", chunk);
        let sql =
            format!("SELECT credited_invoice_id, number FROM invoices WHERE {wanted} ORDER BY id");
        for (invoice, number) in
            tx.query(&sql, wanted.values(), |row| Ok((row.int(0)?, row.text(1)?)))?
        {
            numbers.entry(invoice).or_default().push(number);
        }
    }
    Ok(numbers)
}

/// Unpaid bill, or credit note of a supplier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenBill {
    /// Id of the expense.
    pub id: i64,
    /// Id of the supplier's contact.
    pub contact_id: Option<i64>,
    /// Name of the supplier.
    pub supplier: Option<String>,
    /// Date of the document.
    pub date: Date,
    /// Amount to pay; negative for a credit note.
    pub due: Cents,
    /// Number of the invoice, as the supplier printed it.
    pub number: Option<String>,
    /// Account to which it is paid.
    pub pay_to: Option<Iban>,
    /// Reference that the supplier asks for.
    pub reference: Option<String>,
}

record! {
    OpenBill {
        "id": id,
        "contact_id": contact_id,
        "supplier": supplier,
        "date": date,
        "total - amount_paid": due,
        "supplier_invoice_number": number,
        "pay_to_iban": pay_to,
        "pay_to_reference": reference,
    }
}

/// Unpaid bills, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn open_bills(tx: &mut Tx<'_>, account: i64) -> Result<Vec<OpenBill>, StoreError> {
    let sql = format!(
        "SELECT {} FROM expenses WHERE account_id = ?1 AND {OPEN} ORDER BY id",
        OpenBill::COLUMNS
    );
    tx.query(&sql, &params![account], OpenBill::read)
}

/// Contact by which a counterparty can be recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownContact {
    /// Id of the contact.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Contact person.
    pub contact_person: Option<String>,
    /// Account to which bills of the contact are paid.
    pub iban: Option<Iban>,
}

record! {
    KnownContact {
        "id": id,
        "name": name,
        "contact_person": contact_person,
        "iban": iban,
    }
}

/// Contacts that are not merged into another one, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn contacts(tx: &mut Tx<'_>, account: i64) -> Result<Vec<KnownContact>, StoreError> {
    let sql = format!(
        "SELECT {} FROM contacts WHERE account_id = ?1 AND merged_into IS NULL ORDER BY id",
        KnownContact::COLUMNS
    );
    tx.query(&sql, &params![account], KnownContact::read)
}

/// New line, as a rival or other half of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingLine {
    /// Id of the line.
    pub id: i64,
    /// Bank account.
    pub bank_account_id: i64,
    /// Day on which the bank booked it.
    pub date: Date,
    /// Amount; negative if money went out.
    pub amount: Cents,
}

record! {
    WaitingLine {
        "id": id,
        "bank_account_id": bank_account_id,
        "date": date,
        "amount": amount,
    }
}

/// New lines of a period, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn waiting_lines(
    tx: &mut Tx<'_>,
    account: i64,
    (from, to): (Date, Date),
) -> Result<Vec<WaitingLine>, StoreError> {
    let sql = format!(
        "SELECT {} FROM bank_lines WHERE account_id = ?1 AND state = 'new' AND date >= ?2 AND date <= ?3
         ORDER BY id",
        WaitingLine::COLUMNS
    );
    tx.query(&sql, &params![account, from, to], WaitingLine::read)
}

/// Earlier decision on a line: its booking, or a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Id of the line.
    pub line_id: i64,
    /// Bank account of the line.
    pub bank_account_id: i64,
    /// Day on which the bank booked the line.
    pub date: Date,
    /// Amount of the line.
    pub amount: Cents,
    /// Text of the line.
    pub text: String,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<String>,
    /// Booking that other lines can repeat.
    pub template: Option<String>,
}

record! {
    Decided {
        "line_id": line_id,
        "bank_account_id": bank_account_id,
        "date": date,
        "amount": amount,
        "text": text,
        "name": name,
        "iban": iban,
        "creditor_id": creditor_id,
        "template": template,
    }
}

/// The `limit` lines that were booked last, from old to new. A line with several allocations has no
/// booking to repeat.
///
/// # Errors
/// The storage failed.
pub fn booked(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Decided>, StoreError> {
    let sql = "SELECT b.id, b.bank_account_id, b.date, b.amount, b.text, b.name, b.iban, b.creditor_id,
                      CASE WHEN COUNT(a.line) = 1 THEN MIN(a.template) END
               FROM (SELECT id, bank_account_id, date, amount, text, name, iban, creditor_id FROM bank_lines
                     WHERE account_id = ?1 AND state = 'booked' ORDER BY id DESC LIMIT ?2) b
               JOIN bank_allocations a ON a.account_id = ?1 AND a.line_id = b.id
               GROUP BY b.id, b.bank_account_id, b.date, b.amount, b.text, b.name, b.iban, b.creditor_id ORDER BY b.id";
    tx.query(sql, &params![account, limit], Decided::read)
}

/// The refusals on the `limit` last lines with refusals, from old to new.
///
/// # Errors
/// The storage failed.
pub fn refused(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Decided>, StoreError> {
    let sql = "SELECT r.line_id, b.bank_account_id, b.date, b.amount, b.text, b.name, b.iban, b.creditor_id, r.template
               FROM (SELECT line_id, template FROM bank_refusals
                     WHERE account_id = ?1 AND template IS NOT NULL ORDER BY line_id DESC LIMIT ?2) r
               JOIN bank_lines b ON b.account_id = ?1 AND b.id = r.line_id ORDER BY r.line_id";
    tx.query(sql, &params![account, limit], Decided::read)
}

/// Account of a counterparty that a person's booking ties to a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedIban {
    /// Id of the contact.
    pub contact_id: i64,
    /// IBAN of the counterparty.
    pub iban: String,
}

record! {
    ConfirmedIban {
        "contact_id": contact_id,
        "iban": iban,
    }
}

/// IBANs by which people booked payments of contacts, among the `limit` lines that were booked last.
///
/// # Errors
/// The storage failed.
pub fn confirmed_ibans(
    tx: &mut Tx<'_>,
    account: i64,
    limit: i64,
) -> Result<Vec<ConfirmedIban>, StoreError> {
    let sql = "SELECT d.contact_id, b.iban
               FROM (SELECT id, iban FROM bank_lines
                     WHERE account_id = ?1 AND state = 'booked' AND booked_by = 'person' AND iban IS NOT NULL
                     ORDER BY id DESC LIMIT ?2) b
               JOIN bank_allocations a ON a.account_id = ?1 AND a.line_id = b.id
               JOIN invoices d ON d.account_id = ?1 AND d.id = a.parent_id AND a.kind IN ('invoice', 'refund')
               UNION
               SELECT d.contact_id, b.iban
               FROM (SELECT id, iban FROM bank_lines
                     WHERE account_id = ?1 AND state = 'booked' AND booked_by = 'person' AND iban IS NOT NULL
                     ORDER BY id DESC LIMIT ?2) b
               JOIN bank_allocations a ON a.account_id = ?1 AND a.line_id = b.id
               JOIN expenses d ON d.account_id = ?1 AND d.id = a.parent_id AND a.kind IN ('bill', 'expense')
               WHERE d.contact_id IS NOT NULL
               ORDER BY 1, 2";
    tx.query(sql, &params![account, limit], ConfirmedIban::read)
}

/// Counterparty of payouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidOutBy {
    /// Account at the provider, unless it is 1130.
    pub provider_account: Option<AccountCode>,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
}

record! {
    PaidOutBy {
        "provider_code": provider_account,
        "name": name,
        "iban": iban,
    }
}

/// Counterparties of the payouts that lines were booked as.
///
/// # Errors
/// The storage failed.
pub fn payout_counterparties(tx: &mut Tx<'_>, account: i64) -> Result<Vec<PaidOutBy>, StoreError> {
    let sql = "SELECT DISTINCT p.provider_code, b.name, b.iban FROM payouts p
               JOIN bank_allocations a ON a.account_id = ?1 AND a.kind = 'payout' AND a.target_id = p.id
               JOIN bank_lines b ON b.account_id = ?1 AND b.id = a.line_id
               WHERE p.account_id = ?1 AND p.undone_at IS NULL ORDER BY 1, 2, 3";
    tx.query(sql, &params![account], PaidOutBy::read)
}

/// Amounts that were last debited to an account, the latest first.
///
/// # Errors
/// The storage failed.
pub fn last_debits(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    limit: i64,
) -> Result<Vec<Cents>, StoreError> {
    let sql = "SELECT debit FROM postings WHERE account_id = ?1 AND account_code = ?2 AND debit > 0
               ORDER BY date DESC, entry_id DESC, line DESC LIMIT ?3";
    tx.query(sql, &params![account, i64::from(code.stored()), limit], |row| {
        Ok(Cents::new(row.int(0)?))
    })
}

/// Suggestion that the owner refused on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Id of the line.
    pub line_id: i64,
    /// Id of the suggestion.
    pub suggestion: String,
    /// Booking that the suggestion repeats, if it comes from earlier lines.
    pub template: Option<String>,
}

record! {
    "bank_refusals": Refusal {
        "line_id": line_id,
        "suggestion": suggestion,
        "template": template,
    }
}

/// Stores a refusal. The same one again changes nothing.
///
/// # Errors
/// The storage failed.
pub fn refuse(tx: &mut Tx<'_>, account: i64, refusal: &Refusal) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM bank_refusals WHERE account_id = ?1 AND line_id = ?2 AND suggestion = ?3";
    tx.execute(sql, &params![account, refusal.line_id, refusal.suggestion.as_str()])?;
    record::insert(tx, "bank_refusals", Refusal::COLUMNS, &refusal.values(account))
}

/// Refused suggestions of each of these lines.
///
/// # Errors
/// The storage failed.
pub fn refusals(
    tx: &mut Tx<'_>,
    account: i64,
    lines: &[BankLine],
) -> Result<BTreeMap<i64, Vec<String>>, StoreError> {
    let mut refusals: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for chunk in lines.chunks(1_000) {
        let ids: Vec<i64> = chunk.iter().map(|line| line.id).collect();
        let mut wanted = Filter::of(account);
        wanted.one_of("line_id", &ids);
        let rows: Vec<Refusal> =
            crate::engine::table::first(tx, wanted, "line_id, suggestion", i64::MAX)?;
        for row in rows {
            refusals.entry(row.line_id).or_default().push(row.suggestion);
        }
    }
    Ok(refusals)
}
