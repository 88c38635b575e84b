//! Statement line (`:61:`) and its description (`:86:`).

use crate::{
    amount::{self, DecimalSeparator},
    charset::{self, Charset},
    dates,
    details::{self, Facts},
    fault::{FaultReason, Field},
    kind,
    limits::MOST_TEXT_BYTES,
    report::Report,
    text,
    upload::{Currency, Details, Dialect, Line, LineKind, Original},
};
use jiff::civil::Date;
use ledger::money::Cents;
use std::borrow::Cow;

/// Width from which a line was cut by the format rather than ended by the bank.
const FULL_WIDTH: usize = 60;

/// Line while its description is read.
pub(super) struct Draft<'b> {
    source_line: u32,
    date: Date,
    value_date: Date,
    amount: Cents,
    code: &'b str,
    reference: &'b str,
    bank_reference: &'b str,
    supplement: &'b [u8],
    description: Vec<&'b [u8]>,
}

/// Amount with its mark, and what follows.
struct Amount<'b> {
    amount: Cents,
    rest: &'b str,
}

impl<'b> Draft<'b> {
    /// Reads `:61:`; `None` if it has a fault.
    pub(super) fn read(lines: &[&'b [u8]], source_line: u32, report: &mut Report) -> Option<Self> {
        let first = lines.first()?.trim_ascii();
        // Dates, mark, amount and references are ASCII; anything else ends the references.
        let ascii = first.iter().position(|byte| !byte.is_ascii()).unwrap_or(first.len());
        let first = std::str::from_utf8(&first[..ascii]).unwrap_or("");
        let value = first.get(..6).unwrap_or(first);
        let mut rest = first.get(6..).unwrap_or("");
        let value_date = dates::swift(value.as_bytes());
        let value_date = value_date.or_else(|| {
            report.fault(source_line, Field::ValueDate, FaultReason::Invalid, value);
            None
        })?;
        let mut date = Some(value_date);
        let mut shown = value;
        if let Some(entry) = rest.get(..4).filter(|entry| entry.bytes().all(|b| b.is_ascii_digit()))
        {
            date = dates::swift_near(entry.as_bytes(), value_date);
            shown = entry;
            rest = &rest[4..];
        }
        let date = report.date(source_line, Field::Date, shown, date);
        let Amount { amount, rest } = read_amount(rest, source_line, report)?;
        let (code, references) = split_code(rest);
        let (reference, bank_reference) = references.split_once("//").unwrap_or((references, ""));
        Some(Self {
            source_line,
            date: date?,
            value_date,
            amount,
            code,
            reference: reference.trim(),
            bank_reference: bank_reference.trim(),
            supplement: lines.get(1).copied().unwrap_or_default(),
            description: Vec::new(),
        })
    }

    /// Adds lines of `:86:`.
    pub(super) fn describe(&mut self, lines: &[&'b [u8]]) {
        self.description.extend_from_slice(lines);
    }

    /// Whether the description has fields, which only the notations since SEPA have.
    pub(super) fn has_fields(&self) -> bool {
        let (mut joined, mut length) = (Vec::new(), 0);
        for line in &self.description {
            length += line.len();
            joined.extend_from_slice(line);
            if length > 200 {
                break;
            }
        }
        details::has_slashes(&String::from_utf8_lossy(&joined))
    }

    /// Returns the line.
    pub(super) fn finish(
        self,
        bank: Option<Dialect>,
        charset: Charset,
        report: &mut Report,
    ) -> Line {
        let source_line = self.source_line;
        let supplement = charset::decode(charset, self.supplement);
        let joined = self.joined_description(charset);
        let mut facts = facts(bank, &joined);
        match bank {
            Some(Dialect::AsnSnsRegio) => {
                self.complete_asn(&mut facts, &supplement, charset);
            }
            Some(Dialect::Rabobank) if facts.iban.is_empty() => {
                facts.iban = Cow::Borrowed(supplement.trim());
            }
            _ => {}
        }
        let details = Details {
            mandate_id: report.reference(source_line, &facts.mandate_id),
            creditor_id: report.reference(source_line, &facts.creditor_id),
            return_reason: report.reference(source_line, &facts.return_reason),
            original: original(&facts),
            parts: Vec::new(),
        };
        let of_code = kind::of_code(bank, self.code);
        let bank_reference = report.reference(source_line, self.bank_reference);
        Line {
            source_line,
            date: self.date,
            value_date: Some(self.value_date),
            amount: self.amount,
            balance_after: None,
            name: report.text(source_line, Field::Name, &facts.name),
            iban: text::iban(&facts.iban),
            text: report.text(source_line, Field::Text, &facts.text).unwrap_or_default(),
            kind: match of_code {
                // The general code of a transfer says less than the words of the description.
                LineKind::Transfer => kind::first(&[facts.kind, of_code]),
                _ => kind::first(&[of_code, facts.kind]),
            },
            end_to_end_id: report.reference(source_line, &facts.end_to_end_id),
            bank_reference,
            payment_reference: report.reference(source_line, &facts.payment_reference),
            details: details.boxed(),
        }
    }

    /// Joins the lines of the description without a blank, as the format cuts words. A line of free
    /// text that is shorter than the format allows was ended by the bank: two blanks, as between
    /// the columns of ABN AMRO.
    fn joined_description(&self, charset: Charset) -> String {
        let has_fields = self.has_fields();
        let mut joined = String::new();
        for line in &self.description {
            let room = MOST_TEXT_BYTES.saturating_sub(joined.len());
            if room == 0 {
                break;
            }
            joined.push_str(&charset::decode(charset, &line[..line.len().min(room)]));
            if !has_fields && line.len() < FULL_WIDTH {
                joined.push_str("  ");
            }
        }
        joined
    }

    /// Takes the counterparty of ASN, SNS and RegioBank: its IBAN is the reference of `:61:`, its
    /// name the supplement, and both are repeated in the first line of the description.
    fn complete_asn<'f>(&self, facts: &mut Facts<'f>, supplement: &'f str, charset: Charset) {
        let first = self.description.first().copied().unwrap_or_default();
        let rest = || {
            let lines = self.description.iter().skip(1);
            let text: String = lines.map(|line| charset::decode(charset, line)).collect();
            text
        };
        if self.reference.is_empty() || !first.starts_with(self.reference.as_bytes()) {
            return;
        }
        if facts.iban.is_empty() {
            facts.iban = Cow::Owned(self.reference.to_owned());
        }
        if facts.name.is_empty() {
            facts.name = Cow::Borrowed(supplement.trim());
        }
        if !self.has_fields() {
            let text = rest();
            facts.kind = kind::of_words(&text);
            facts.text = Cow::Owned(text);
        }
    }
}

/// Reads the mark and the amount: `C`, `D`, `RC` (reversal of a credit, so money goes out) or `RD`,
/// an optional letter of the currency, digits with a comma.
fn read_amount<'b>(text: &'b str, line: u32, report: &mut Report) -> Option<Amount<'b>> {
    let (is_reversal, rest) = text.strip_prefix('R').map_or((false, text), |rest| (true, rest));
    let is_debit = match rest.bytes().next() {
        Some(b'C') => is_reversal,
        Some(b'D') => !is_reversal,
        _ => {
            report.fault(line, Field::Sign, FaultReason::UnknownValue, text);
            return None;
        }
    };
    let rest = &rest[1..];
    let rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
    let end =
        rest.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.')).unwrap_or(rest.len());
    let amount = report.amount(line, Field::Amount, &rest[..end], DecimalSeparator::Either)?;
    Some(Amount { amount: if is_debit { -amount } else { amount }, rest: &rest[end..] })
}

/// Splits the code of three characters after `N`, `F` or `S` from the references.
fn split_code(text: &str) -> (&str, &str) {
    let is_code = text.starts_with(['N', 'F', 'S'])
        && !text.starts_with("NONREF")
        && text.len() >= 4
        && text.bytes().skip(1).take(3).all(|byte| byte.is_ascii_alphanumeric() || byte == b' ');
    if is_code { (&text[1..4], &text[4..]) } else { ("", text) }
}

/// Reads a description in the notation of a bank.
fn facts(bank: Option<Dialect>, joined: &str) -> Facts<'_> {
    if details::has_german(joined) {
        return details::german(joined);
    }
    if bank == Some(Dialect::Triodos) {
        return details::triodos(joined);
    }
    if details::has_slashes(joined) {
        return details::slashes(joined);
    }
    match bank {
        Some(Dialect::AbnAmro) => details::abn_amro_old(joined),
        Some(Dialect::Knab) | None => details::knab(joined),
        _ => Facts::plain(joined),
    }
}

/// Returns the amount in another currency, such as `USD2853,12/`.
fn original(facts: &Facts<'_>) -> Option<Original> {
    let original = facts.original.trim_end_matches('/');
    let currency = Currency::parse(original.get(..3)?).filter(|code| *code != Currency::EUR)?;
    Some(Original {
        amount: amount::decimal(&original[3..])?.abs(),
        currency,
        rate: amount::decimal(&facts.rate),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn parse(line: &str) -> Option<(Date, i64, String, String, String)> {
        let mut report = Report::new(date(2030, 1, 1), false);
        let draft = Draft::read(&[line.as_bytes()], 1, &mut report)?;
        Some((
            draft.date,
            draft.amount.get(),
            draft.code.to_owned(),
            draft.reference.to_owned(),
            draft.bank_reference.to_owned(),
        ))
    }

    #[test]
    fn lines_of_all_banks_are_split() {
        let cases = [
            ("1908240824D5,34N426NONREF", date(2019, 8, 24), -534, "426", "NONREF", ""),
            ("100722C25,03NOV NONREF", date(2010, 7, 22), 2503, "OV ", "NONREF", ""),
            (
                "2001020102D2000,00NOVBNL29INGB0006475121",
                date(2020, 1, 2),
                -200_000,
                "OVB",
                "NL29INGB0006475121",
                "",
            ),
            ("0912310101D203,N369NONREF", date(2010, 1, 1), -20_300, "369", "NONREF", ""),
            (
                "1407290729D7260,NTRFNONREF//B4G29PGCVO7Q06US",
                date(2014, 7, 29),
                -726_000,
                "TRF",
                "NONREF",
                "B4G29PGCVO7Q06US",
            ),
            ("2009020902D20,00NONREF", date(2020, 9, 2), -2000, "", "NONREF", ""),
            (
                "0211011102DR800,NSTONONREF//55555",
                date(2002, 11, 2),
                -80_000,
                "STO",
                "NONREF",
                "55555",
            ),
            (
                "2011301130CN220000,00//19239782213",
                date(2020, 11, 30),
                22_000_000,
                "",
                "",
                "19239782213",
            ),
            ("260301RC10,00NTRFX", date(2026, 3, 1), -1000, "TRF", "X", ""),
            ("260301RD10,00NTRFX", date(2026, 3, 1), 1000, "TRF", "X", ""),
            (
                "030109C000000000300.00NMSC170059286",
                date(2003, 1, 9),
                30_000,
                "MSC",
                "170059286",
                "",
            ),
            ("1602300301DR6,00N024NONREF", date(2016, 3, 1), -600, "024", "NONREF", ""),
        ];
        for (line, date, amount, code, reference, bank) in cases {
            let expected = (date, amount, code.into(), reference.into(), bank.into());
            assert_eq!(parse(line), Some(expected), "{line}");
        }
        for line in [
            "",
            "1",
            "19082408240D5,34",
            "190824X5,34",
            "190824D",
            "190824D,",
            "190824D5,345N426",
            "é",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
