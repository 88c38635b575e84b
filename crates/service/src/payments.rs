//! Payments on invoices: partial, several, never above what is outstanding.

use crate::{Actor, Created, Error, invoices, vat_filings};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::{self, MoneyAccount},
    entry::{Source, SourceType},
    money::Cents,
};
use store::{
    Tx,
    books::{self, Noun},
    invoices::{Kind, Status},
    payments::{self as rows, Payment},
};

/// What is needed to record a payment.
#[derive(Debug, Clone)]
pub struct NewPayment {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice that was paid.
    pub invoice_id: i64,
    /// The day of the payment.
    pub date: Date,
    /// What was received; all that is outstanding unless given.
    pub amount: Option<Cents>,
    /// Where it was received.
    pub method: MoneyAccount,
    /// The payer's reference.
    pub reference: Option<String>,
}

/// Records a payment on a sent invoice.
///
/// # Errors
/// There is no such invoice, it is a draft, less is outstanding than is paid, or the payment's period is filed.
pub fn record(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewPayment) -> Result<Created<Payment>, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        if let Some(known) = known(tx, actor, command.external_id.as_deref())? {
            return Ok(Created::Known(known));
        }
        let before = invoices::read(tx, actor, command.invoice_id)?.invoice;
        if before.kind == Kind::CreditNote {
            return Err(Error::IsACreditNote);
        }
        if before.status == Status::Draft {
            return Err(Error::IsADraft);
        }
        let outstanding = invoices::amount_due(&before);
        let amount = command.amount.unwrap_or(outstanding);
        if outstanding <= Cents::ZERO {
            let message =
                format!("nothing of invoice {} is outstanding any more; record the payment on another invoice", before.number);
            return Err(Error::fault("/amount", "exceeds_outstanding", message));
        }
        if amount <= Cents::ZERO || amount > outstanding {
            let message = format!("give an amount above 0.00 and at most what is outstanding: {outstanding}");
            return Err(Error::fault("/amount", "exceeds_outstanding", message));
        }
        vat_filings::require_open(tx, actor.account, command.date)?;
        let id = books.next_id(Noun::Payment);
        let source = Source { kind: SourceType::Payment, id };
        let entry = booking::payment_received(source, &before.number, command.date, amount, command.method);
        let entry_id = books.append(tx, &entry, now)?;
        let payment = Payment {
            id,
            invoice_id: before.id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount,
            method: command.method,
            reference: command.reference.clone(),
            entry_id,
            created_at: now,
        };
        rows::insert(tx, actor.account, &payment)?;
        let mut after = before.clone();
        after.amount_paid += amount;
        invoices::settle(tx, books, now, &before, after, command.date)?;
        Ok(Created::New(payment))
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, actor: &Actor, external_id: Option<&str>) -> Result<Option<Payment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The payments on an invoice after an id, oldest first.
///
/// # Errors
/// There is no such invoice in this account.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, invoice_id: i64, after: i64, limit: i64) -> Result<Vec<Payment>, Error> {
    invoices::require(tx, actor, invoice_id)?;
    Ok(rows::page_of_invoice(tx, actor.account, invoice_id, after, limit)?)
}

/// A payment on an invoice by its id.
///
/// # Errors
/// There is no such invoice, or no such payment on it.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, invoice_id: i64, id: i64) -> Result<Payment, Error> {
    let payment = rows::by_id(tx, actor.account, id)?.filter(|payment| payment.invoice_id == invoice_id);
    payment.ok_or(Error::NotFound("payment"))
}
