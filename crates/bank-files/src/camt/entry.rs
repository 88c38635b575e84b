//! Entry (`Ntry`): one line, with the payments of a batch as its parts.

use super::tag::Tag;
use crate::{
    amount::{self, DecimalSeparator},
    dates,
    fault::{FaultReason, Field},
    kind,
    limits::MOST_TEXT_BYTES,
    refusal::Cause,
    report::Report,
    text,
    upload::{Currency, Details, Line, LineKind, Original, Part},
};
use ledger::money::Cents;

/// Elements that an entry has once. Of a second one it would be unclear which counts.
const ONCE: [(Tag, Field); 3] =
    [(Tag::Amt, Field::Amount), (Tag::CdtDbtInd, Field::Sign), (Tag::BookgDt, Field::Date)];

/// Entry while it is read.
#[derive(Default)]
pub(super) struct Draft {
    source_line: u32,
    /// Flags for the elements of [`ONCE`] that the entry has.
    seen: [bool; ONCE.len()],
    /// Element that the entry has twice.
    repeated: Option<Field>,
    amount: String,
    currency: Option<Currency>,
    is_debit: Option<bool>,
    status: String,
    date: String,
    value_date: String,
    reference: Option<Box<str>>,
    family: String,
    subfamily: String,
    code: String,
    information: String,
    payment: Payment,
    first: Option<Payment>,
    parts: Vec<Part>,
    original: Option<Original>,
}

/// Payment (`TxDtls`) while it is read.
#[derive(Default)]
struct Payment {
    amount: Option<(String, Option<Currency>)>,
    is_debit: Option<bool>,
    debtor: Party,
    creditor: Party,
    creditor_id: Option<Box<str>>,
    end_to_end_id: Option<Box<str>>,
    mandate_id: Option<Box<str>>,
    reference: Option<Box<str>>,
    payment_reference: Option<Box<str>>,
    return_reason: Option<Box<str>>,
    original: Option<Original>,
    rate: Option<Box<str>>,
    text: String,
    information: String,
}

/// Debtor or creditor.
#[derive(Default)]
struct Party {
    name: Option<Box<str>>,
    ultimate: Option<Box<str>>,
    iban: Option<Box<str>>,
}

impl Draft {
    /// Starts an entry on a line of the file.
    pub(super) fn new(source_line: u32) -> Self {
        Self { source_line, ..Self::default() }
    }

    /// Currency of the amount.
    pub(super) fn currency(&self) -> Option<Currency> {
        self.currency
    }

    /// Whether the entry is booked. An entry without status has a fault.
    pub(super) fn is_booked(&self, report: &mut Report) -> bool {
        if self.status.is_empty() {
            report.fault(self.source_line, Field::Status, FaultReason::Required, "");
        }
        self.status == "BOOK"
    }

    /// Takes the text of an element that ends; `path` begins below the entry. `own` is the account
    /// of the statement.
    pub(super) fn element(
        &mut self,
        path: &[Tag],
        value: &str,
        currency: Option<Currency>,
        own: Option<&str>,
        report: &mut Report,
    ) -> Result<(), Cause> {
        use Tag::*;
        if let [own_tag] = path
            && let Some(place) = ONCE.iter().position(|(tag, _)| tag == own_tag)
            && std::mem::replace(&mut self.seen[place], true)
        {
            self.repeated = Some(ONCE[place].1);
        }
        match path {
            [NtryDtls, TxDtls] => return self.finish_payment(own, report),
            [NtryDtls, TxDtls, inner @ ..] => {
                self.payment.element(inner, value, currency, self.source_line, report);
            }
            [Amt] => {
                self.amount = short(value);
                self.currency = currency;
            }
            [CdtDbtInd] => self.is_debit = self.direction(value, report),
            [Sts] | [Sts, Cd | Prtry] if !value.is_empty() => self.status = short(value),
            [BookgDt, Dt | DtTm] => self.date = short(value),
            [ValDt, Dt | DtTm] => self.value_date = short(value),
            [AcctSvcrRef] => self.reference = report.reference(self.source_line, value),
            [BkTxCd, Domn, Fmly, Cd] => self.family = short(value),
            [BkTxCd, Domn, Fmly, SubFmlyCd] => self.subfamily = short(value),
            [BkTxCd, Prtry, Cd] => self.code = short(value),
            [AddtlNtryInf] => append(&mut self.information, value),
            [AmtDtls, InstdAmt | CntrValAmt, Amt] => {
                self.original = self.original.take().or(original(value, currency));
            }
            _ => {}
        }
        Ok(())
    }

    fn direction(&self, value: &str, report: &mut Report) -> Option<bool> {
        match value {
            "CRDT" => Some(false),
            "DBIT" => Some(true),
            _ => {
                report.fault(self.source_line, Field::Sign, FaultReason::UnknownValue, value);
                self.is_debit
            }
        }
    }

    fn finish_payment(&mut self, own: Option<&str>, report: &mut Report) -> Result<(), Cause> {
        let mut payment = std::mem::take(&mut self.payment);
        report.count_part()?;
        if let (Some(original), Some(rate)) = (&mut payment.original, &payment.rate) {
            original.rate = amount::decimal(rate);
        }
        let is_debit = self.is_debit.unwrap_or_default();
        let own_part = payment.part(own, is_debit, self.currency, self.source_line, report);
        payment.debtor = Party::default();
        payment.creditor =
            Party { name: own_part.name.clone(), iban: own_part.iban.clone(), ..Party::default() };
        if self.first.is_none() {
            self.first = Some(payment);
        }
        self.parts.push(own_part);
        Ok(())
    }

    /// Returns the line; `None` if it has a fault.
    pub(super) fn finish(mut self, currency: Currency, report: &mut Report) -> Option<Line> {
        let line = self.source_line;
        let faults = report.fault_count();
        if self.currency.is_some_and(|own| own != currency) {
            let code = self.currency.as_ref().map_or("", Currency::as_str);
            report.fault(line, Field::Currency, FaultReason::Invalid, code);
        }
        if self.is_debit.is_none() {
            report.fault(line, Field::Sign, FaultReason::Required, "");
        }
        if let Some(field) = self.repeated {
            report.fault(line, field, FaultReason::Invalid, "");
        }
        let separator = DecimalSeparator::Point;
        let amount = report.amount(line, Field::Amount, &self.amount, separator);
        let stated = if self.date.is_empty() { &self.value_date } else { &self.date };
        let date = report.date(line, Field::Date, stated, dates::iso(stated));
        let is_debit = self.is_debit.unwrap_or_default();
        let (amount, date) = (amount?, date?);
        if report.fault_count() > faults {
            return None;
        }
        let is_batch = self.parts.len() > 1;
        let payment = self.first.take().filter(|_| !is_batch).unwrap_or_default();
        let mut texts = [&payment.text, &payment.information, &self.information].into_iter();
        let description = texts.find(|text| !text.is_empty()).map_or("", String::as_str);
        let kind = self.kind(description);
        let text = report.text(line, Field::Text, description).unwrap_or_default();
        let details = Details {
            mandate_id: payment.mandate_id,
            creditor_id: payment.creditor_id,
            return_reason: payment.return_reason,
            original: payment
                .original
                .or(self.original)
                .filter(|original| original.currency != currency),
            parts: if is_batch { self.parts } else { Vec::new() },
        };
        Some(Line {
            source_line: line,
            date,
            value_date: dates::iso(&self.value_date),
            amount: signed(amount, is_debit),
            balance_after: None,
            name: payment.creditor.name,
            iban: payment.creditor.iban,
            text,
            kind,
            end_to_end_id: payment.end_to_end_id,
            bank_reference: self.reference.or(payment.reference),
            payment_reference: payment.payment_reference,
            details: details.boxed(),
        })
    }

    fn kind(&self, description: &str) -> LineKind {
        kind::first(&[
            Some(kind::of_words(description))
                .filter(|kind| *kind == LineKind::Ideal)
                .unwrap_or_default(),
            kind::of_iso(&self.family, &self.subfamily),
            kind::of_code(None, &self.code),
            kind::of_words(&self.information),
            kind::of_words(description),
        ])
    }
}

impl Payment {
    fn element(
        &mut self,
        path: &[Tag],
        value: &str,
        currency: Option<Currency>,
        line: u32,
        report: &mut Report,
    ) {
        use Tag::*;
        match path {
            [Refs, EndToEndId] => self.end_to_end_id = report.reference(line, value),
            [Refs, MndtId] => self.mandate_id = report.reference(line, value),
            [Refs, AcctSvcrRef] => self.reference = report.reference(line, value),
            [Amt] => self.amount = Some((short(value), currency)),
            [AmtDtls, TxAmt, Amt] => {
                self.amount.get_or_insert_with(|| (short(value), currency));
            }
            [AmtDtls, InstdAmt | CntrValAmt, Amt] => {
                self.original = self.original.take().or(original(value, currency));
            }
            [AmtDtls, TxAmt | InstdAmt | CntrValAmt, CcyXchg, XchgRate] => {
                self.rate = Some(short(value).into());
            }
            [CdtDbtInd] => self.is_debit = Some(value == "DBIT"),
            [RltdPties, Dbtr, Nm] | [RltdPties, Dbtr, Pty, Nm] => {
                self.debtor.name = report.text(line, Field::Name, value);
            }
            [RltdPties, Cdtr, Nm] | [RltdPties, Cdtr, Pty, Nm] => {
                self.creditor.name = report.text(line, Field::Name, value);
            }
            [RltdPties, UltmtDbtr, Nm] | [RltdPties, UltmtDbtr, Pty, Nm] => {
                self.debtor.ultimate = report.text(line, Field::Name, value);
            }
            [RltdPties, UltmtCdtr, Nm] | [RltdPties, UltmtCdtr, Pty, Nm] => {
                self.creditor.ultimate = report.text(line, Field::Name, value);
            }
            [RltdPties, DbtrAcct, Id, Iban] => self.debtor.iban = text::iban(value),
            [RltdPties, CdtrAcct, Id, Iban] => self.creditor.iban = text::iban(value),
            [RltdPties, Cdtr, .., Othr, Id] => self.creditor_id = report.reference(line, value),
            [RmtInf, Ustrd] => append(&mut self.text, value),
            [RmtInf, Strd, CdtrRefInf, Ref] => {
                self.payment_reference = report.reference(line, value);
            }
            [RmtInf, Strd, AddtlRmtInf] => append(&mut self.text, value),
            [RtrInf, Rsn, Cd] => self.return_reason = report.reference(line, value),
            [AddtlTxInf] => append(&mut self.information, value),
            _ => {}
        }
    }

    /// Returns the payment as a part of a batch, with the counterparty: the payee of money that
    /// goes out, otherwise the payer. If that is the own account, as in some returned payments, it
    /// is the other party.
    fn part(
        &mut self,
        own: Option<&str>,
        is_debit: bool,
        account_currency: Option<Currency>,
        line: u32,
        report: &mut Report,
    ) -> Part {
        let (expected, other) = if is_debit {
            (&mut self.creditor, &mut self.debtor)
        } else {
            (&mut self.debtor, &mut self.creditor)
        };
        let is_own = |party: &Party| party.iban.as_deref().is_some_and(|iban| Some(iban) == own);
        let is_absent = |party: &Party| party.iban.is_none() && party.name.is_none();
        let party =
            if (is_own(expected) || is_absent(expected)) && !is_own(other) && !is_absent(other) {
                other
            } else {
                expected
            };
        let amount = self
            .amount
            .take()
            .filter(|(_, currency)| currency.is_none() || *currency == account_currency)
            .and_then(|(amount, _)| amount::parse(&amount, DecimalSeparator::Point).ok())
            .map(|amount: Cents| signed(amount, self.is_debit.unwrap_or(is_debit)));
        Part {
            amount,
            name: party.name.take().or(party.ultimate.take()),
            iban: party.iban.take(),
            text: report.text(line, Field::Text, &self.text),
            end_to_end_id: self.end_to_end_id.clone(),
        }
    }
}

/// Returns an amount in another currency; `None` if it is not a number.
fn original(value: &str, currency: Option<Currency>) -> Option<Original> {
    Some(Original { amount: amount::decimal(value)?.abs(), currency: currency?, rate: None })
}

/// Returns the start of a code, number or date: enough to recognize valid ones.
fn short(value: &str) -> String {
    value.chars().take(40).collect()
}

/// Appends a repeated text, up to the limit of texts.
fn append(text: &mut String, value: &str) {
    if !text.is_empty() && !value.is_empty() {
        text.push(' ');
    }
    let room = MOST_TEXT_BYTES.saturating_sub(text.len());
    text.push_str(&value[..value.floor_char_boundary(room)]);
}

/// Returns an amount with its direction.
fn signed(amount: Cents, is_debit: bool) -> Cents {
    if is_debit { -amount } else { amount }
}
