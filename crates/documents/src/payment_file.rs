//! Payment file for a bank: customer credit transfer initiation (ISO 20022 pain.001), according to
//! the SEPA guidelines EPC132-08 and those of the Dutch Payments Association.
//!
//! Each payment is booked as a line of its own (`BtchBookg` false), so that the bank line names it
//! by its end-to-end id. Addresses are absent: they are optional inside the EEA, and unstructured
//! ones are rejected since November 2026.

use crate::{remittance::Remittance, sepa, xml::Xml};
use jiff::civil::{Date, DateTime};
use ledger::{identifiers::Iban, money::Cents};
use std::{collections::BTreeSet, io};
use thiserror::Error;

/// Largest amount of one payment: 999 999 999.99 euros.
const MOST: Cents = Cents::new(99_999_999_999);
/// Maximum number of characters of a name.
const NAME: usize = 70;
/// Maximum number of characters of a text.
const TEXT: usize = 140;

/// Version of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// pain.001.001.03 of 2009, which banks are phasing out.
    V03,
    /// pain.001.001.09 of 2019.
    V09,
}

impl Version {
    const fn namespace(self) -> &'static str {
        match self {
            Self::V03 => "urn:iso:std:iso:20022:tech:xsd:pain.001.001.03",
            Self::V09 => "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09",
        }
    }

    /// Element with the BIC of a bank.
    const fn bic(self) -> &'static str {
        match self {
            Self::V03 => "BIC",
            Self::V09 => "BICFI",
        }
    }
}

/// Holder of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// Name.
    pub name: String,
    /// Account.
    pub iban: Iban,
    /// BIC of the bank; not needed inside the EEA.
    pub bic: Option<String>,
}

/// Payment to one party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// End-to-end id, by which the bank line is recognised.
    pub end_to_end_id: String,
    /// Payee.
    pub payee: Party,
    /// Amount.
    pub amount: Cents,
    /// Reference or text.
    pub remittance: Remittance,
}

/// Payments from one account on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentFile {
    /// Message id, unique for the bank: it rejects a second file with the same one.
    pub message_id: String,
    /// Time of creation, in local time.
    pub created_at: DateTime,
    /// Payer.
    pub payer: Party,
    /// Date on which the bank executes the payments.
    pub execution_date: Date,
    /// Payments.
    pub payments: Vec<Payment>,
}

/// The payments cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PaymentFileError {
    /// There are no payments.
    #[error("no_payments")]
    Empty,
    /// The message id is not an identifier of at most 35 characters.
    #[error("invalid_message_id")]
    MessageId,
    /// The name of the payer has no character of the SEPA set.
    #[error("invalid_payer")]
    PayerName,
    /// An end-to-end id is not an identifier of at most 35 characters, or occurs twice.
    #[error("invalid_end_to_end_id: {0}")]
    EndToEndId(usize),
    /// The name of a payee has no letter or digit of the SEPA set.
    #[error("invalid_payee: {0}")]
    PayeeName(usize),
    /// An amount is not between 0.01 and 999 999 999.99 euros.
    #[error("invalid_amount: {0}")]
    Amount(usize),
    /// A BIC has an invalid form; `None` for that of the payer.
    #[error("invalid_bic: {0:?}")]
    Bic(Option<usize>),
}

/// Returns the end-to-end id of an item of a batch: `GB` and both numbers.
///
/// ```
/// assert_eq!(documents::payment_file::end_to_end_id(12, 3), "GB12-3");
/// ```
#[must_use]
pub fn end_to_end_id(batch: i64, item: i64) -> String {
    format!("GB{batch}-{item}")
}

/// Writes a payment file. The same input yields the same bytes.
///
/// # Errors
/// There are no payments, or a value cannot be written; errors name the payment by its position.
pub fn write(file: &PaymentFile, version: Version) -> Result<Vec<u8>, PaymentFileError> {
    check(file)?;
    let bytes = write_xml(file, version).expect("writing to memory cannot fail");
    Ok(bytes)
}

fn check(file: &PaymentFile) -> Result<(), PaymentFileError> {
    if file.payments.is_empty() {
        return Err(PaymentFileError::Empty);
    }
    if !sepa::is_identifier(&file.message_id) {
        return Err(PaymentFileError::MessageId);
    }
    if !has_name(&file.payer) {
        return Err(PaymentFileError::PayerName);
    }
    if !has_valid_bic(&file.payer) {
        return Err(PaymentFileError::Bic(None));
    }
    let mut ids = BTreeSet::new();
    for (at, payment) in file.payments.iter().enumerate() {
        if !sepa::is_identifier(&payment.end_to_end_id) || !ids.insert(&payment.end_to_end_id) {
            return Err(PaymentFileError::EndToEndId(at));
        }
        if !has_name(&payment.payee) {
            return Err(PaymentFileError::PayeeName(at));
        }
        if payment.amount <= Cents::ZERO || payment.amount > MOST {
            return Err(PaymentFileError::Amount(at));
        }
        if !has_valid_bic(&payment.payee) {
            return Err(PaymentFileError::Bic(Some(at)));
        }
    }
    Ok(())
}

fn has_name(party: &Party) -> bool {
    sepa::text(&party.name, NAME).bytes().any(|byte| byte.is_ascii_alphanumeric())
}

/// Whether the BIC is absent, or has 8 or 11 characters: bank, country, place and branch (ISO 9362).
fn has_valid_bic(party: &Party) -> bool {
    party.bic.as_deref().is_none_or(|bic| {
        let is_upper_or_digit = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        matches!(bic.len(), 8 | 11)
            && bic.bytes().all(is_upper_or_digit)
            && bic.bytes().take(6).all(|byte| byte.is_ascii_uppercase())
    })
}

fn write_xml(file: &PaymentFile, version: Version) -> io::Result<Vec<u8>> {
    let total: Cents = file.payments.iter().map(|payment| payment.amount).sum();
    let count = file.payments.len().to_string();
    let mut xml = Xml::new(Vec::new(), "Document", &[("xmlns", version.namespace())])?;
    xml.open("CstmrCdtTrfInitn")?;
    xml.open("GrpHdr")?;
    xml.text("MsgId", &file.message_id)?;
    xml.text("CreDtTm", &file.created_at.strftime("%Y-%m-%dT%H:%M:%S").to_string())?;
    xml.text("NbOfTxs", &count)?;
    xml.text("CtrlSum", &total.to_string())?;
    xml.open("InitgPty")?;
    xml.text("Nm", &sepa::text(&file.payer.name, NAME))?;
    xml.close()?;
    xml.close()?;
    xml.open("PmtInf")?;
    xml.text("PmtInfId", &file.message_id)?;
    xml.text("PmtMtd", "TRF")?;
    xml.text("BtchBookg", "false")?;
    xml.text("NbOfTxs", &count)?;
    xml.text("CtrlSum", &total.to_string())?;
    xml.open("PmtTpInf")?;
    code(&mut xml, "SvcLvl", "SEPA")?;
    xml.close()?;
    let date = file.execution_date.to_string();
    match version {
        Version::V03 => xml.text("ReqdExctnDt", &date)?,
        Version::V09 => {
            xml.open("ReqdExctnDt")?;
            xml.text("Dt", &date)?;
            xml.close()?;
        }
    }
    party(&mut xml, "Dbtr", "DbtrAcct", &file.payer)?;
    xml.open("DbtrAgt")?;
    xml.open("FinInstnId")?;
    match &file.payer.bic {
        Some(bic) => xml.text(version.bic(), bic)?,
        None => {
            xml.open("Othr")?;
            xml.text("Id", "NOTPROVIDED")?;
            xml.close()?;
        }
    }
    xml.close()?;
    xml.close()?;
    xml.text("ChrgBr", "SLEV")?;
    for payment in &file.payments {
        transaction(&mut xml, payment, version)?;
    }
    xml.finish()
}

/// Writes an element with a code.
fn code(xml: &mut Xml<Vec<u8>>, name: &'static str, code: &str) -> io::Result<()> {
    xml.open(name)?;
    xml.text("Cd", code)?;
    xml.close()
}

/// Writes name and account.
fn party(
    xml: &mut Xml<Vec<u8>>,
    holder: &'static str,
    account: &'static str,
    party: &Party,
) -> io::Result<()> {
    xml.open(holder)?;
    xml.text("Nm", &sepa::text(&party.name, NAME))?;
    xml.close()?;
    xml.open(account)?;
    xml.open("Id")?;
    xml.text("IBAN", party.iban.as_str())?;
    xml.close()?;
    xml.close()
}

fn transaction(xml: &mut Xml<Vec<u8>>, payment: &Payment, version: Version) -> io::Result<()> {
    xml.open("CdtTrfTxInf")?;
    xml.open("PmtId")?;
    xml.text("EndToEndId", &payment.end_to_end_id)?;
    xml.close()?;
    xml.open("Amt")?;
    xml.text_with("InstdAmt", &[("Ccy", "EUR")], &payment.amount.to_string())?;
    xml.close()?;
    if let Some(bic) = &payment.payee.bic {
        xml.open("CdtrAgt")?;
        xml.open("FinInstnId")?;
        xml.text(version.bic(), bic)?;
        xml.close()?;
        xml.close()?;
    }
    party(xml, "Cdtr", "CdtrAcct", &payment.payee)?;
    remittance(xml, &payment.remittance)?;
    xml.close()
}

fn remittance(xml: &mut Xml<Vec<u8>>, remittance: &Remittance) -> io::Result<()> {
    let (issuer, reference) = match remittance {
        Remittance::Dutch(reference) => ("CUR", reference),
        Remittance::Iso(reference) => ("ISO", reference),
        Remittance::Text(text) => {
            let text = sepa::text(text, TEXT);
            if text.is_empty() {
                return Ok(());
            }
            xml.open("RmtInf")?;
            xml.text("Ustrd", &text)?;
            return xml.close();
        }
    };
    xml.open("RmtInf")?;
    xml.open("Strd")?;
    xml.open("CdtrRefInf")?;
    xml.open("Tp")?;
    code(xml, "CdOrPrtry", "SCOR")?;
    xml.text("Issr", issuer)?;
    xml.close()?;
    xml.text("Ref", reference)?;
    xml.close()?;
    xml.close()?;
    xml.close()
}

#[cfg(test)]
mod tests;
