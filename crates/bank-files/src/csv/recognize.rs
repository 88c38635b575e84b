//! Recognition of a CSV file by its first rows.

use super::{
    layout::{self, Layout},
    mapping::{Mapping, head_of},
    plan::Plan,
    rows::{Notation, Quoting, Rows},
};
use crate::{
    amount::{self, DecimalSeparator},
    charset::{Charset, Source},
    dates,
    refusal::{Cause, Unsupported},
    text,
    upload::Currency,
};

/// Delimiters of known banks.
pub(super) const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
/// Number of rows among which the head is searched.
const HEAD_ROWS: usize = 10;

/// Returns the index of the mapping with the same first row as a file.
pub(super) fn mapping(source: &Source<'_>, mappings: &[Mapping]) -> Option<usize> {
    mappings.iter().position(|mapping| {
        let notation = Notation { delimiter: mapping.delimiter, quoting: Quoting::Fields };
        let mut rows = Rows::new(&source.bytes, source.charset, notation);
        mapping.head.as_ref().is_some_and(|head| {
            rows.advance() == Ok(true) && *head == head_of(rows.fields().iter().map(|name| &**name))
        })
    })
}

/// Applies the encoding that a mapping names, if the file has no byte order mark and the encoding can be
/// that of its bytes.
pub(super) fn apply_encoding(source: &mut Source<'_>, encoding: Option<Charset>) {
    if let (Charset::Utf8 | Charset::Windows1252, Some(Charset::Windows1252)) =
        (source.charset, encoding)
    {
        source.charset = Charset::Windows1252;
    }
}

/// Returns the plan of the known bank whose layout fits.
///
/// # Errors
/// The first row is too long with every delimiter.
pub(super) fn bank(source: &Source<'_>) -> Result<Option<Plan>, Cause> {
    let mut is_readable = false;
    for delimiter in DELIMITERS {
        let Ok(plan) = with_head(source, delimiter) else { continue };
        is_readable = true;
        if plan.is_some() {
            return Ok(plan);
        }
    }
    for delimiter in DELIMITERS {
        if let Some(plan) = without_head(source, delimiter) {
            return Ok(Some(plan));
        }
    }
    if is_readable { Ok(None) } else { Err(Cause::UnsupportedFile(Unsupported::RecordTooLong)) }
}

fn with_head(source: &Source<'_>, delimiter: u8) -> Result<Option<Plan>, Cause> {
    let first = source.bytes.trim_ascii_start();
    for quoting in [Quoting::Fields, Quoting::Rows] {
        if quoting == Quoting::Rows && !first.starts_with(b"\"") {
            break;
        }
        let notation = Notation { delimiter, quoting };
        let mut rows = Rows::new(&source.bytes, source.charset, notation);
        for index in 0..HEAD_ROWS {
            if !rows.advance()? {
                break;
            }
            let head = rows.fields();
            if head.len() < 3 {
                continue;
            }
            for layout in layout::WITH_HEAD {
                if let Some(places) = layout.places_in(&head) {
                    let mut plan = Plan::of_bank(layout, places, notation);
                    plan.head_rows = index + 1;
                    let named = head.iter().rposition(|name| !name.trim().is_empty());
                    plan.width = named.map_or(0, |last| last + 1);
                    plan.currency = bracketed(&head).unwrap_or(Currency::EUR);
                    return Ok(Some(plan));
                }
            }
        }
    }
    Ok(None)
}

/// Returns the currency in the name of the amount, such as `Bedrag (EUR)`.
fn bracketed(head: &[impl AsRef<str>]) -> Option<Currency> {
    head.iter().find_map(|name| {
        let name = name.as_ref().trim();
        let (before, code) = name.strip_suffix(')')?.rsplit_once('(')?;
        let before = before.trim().to_lowercase();
        matches!(&*before, "bedrag" | "amount").then(|| Currency::parse(code))?
    })
}

/// Layout without a head: its notation, its numbers of fields, and how to recognize a row.
type Headless = (&'static Layout, Quoting, &'static [usize], fn(&Rows<'_>) -> bool);

const HEADLESS: [Headless; 3] = [
    (&layout::ABN_AMRO, Quoting::None, &[8], |rows| {
        is_date("YYYYMMDD", &rows.field(2)) && is_amount(&rows.field(6))
    }),
    (&layout::ASN, Quoting::Asn, &[18, 19], |rows| {
        is_date("DD-MM-YYYY", &rows.field(0))
            && is_iban(&rows.field(1))
            && is_amount(&rows.field(10))
    }),
    (&layout::TRIODOS, Quoting::Fields, &[8, 9], |rows| {
        is_date("DD-MM-YYYY", &rows.field(0))
            && is_iban(&rows.field(1))
            && ["debet", "debit", "credit"]
                .iter()
                .any(|sign| rows.field(3).trim().eq_ignore_ascii_case(sign))
    }),
];

fn without_head(source: &Source<'_>, delimiter: u8) -> Option<Plan> {
    HEADLESS.iter().find_map(|(layout, quoting, widths, is_row)| {
        if (*quoting == Quoting::None) != (delimiter == b'\t') {
            return None;
        }
        let notation = Notation { delimiter, quoting: *quoting };
        let mut rows = Rows::new(&source.bytes, source.charset, notation);
        let fits = rows.advance() == Ok(true) && widths.contains(&rows.len()) && is_row(&rows);
        let width = rows.len();
        fits.then(|| {
            let mut plan = Plan::of_bank(layout, layout.places(), notation);
            plan.width = width;
            plan
        })
    })
}

fn is_date(form: &str, text: &str) -> bool {
    dates::read(form, text).is_some()
}

fn is_amount(text: &str) -> bool {
    amount::parse(text, DecimalSeparator::Either).is_ok()
}

fn is_iban(text: &str) -> bool {
    text::iban(text).is_some()
}
