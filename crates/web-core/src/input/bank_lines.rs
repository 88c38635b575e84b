//! Input for lines of bank statements: the lines of a feed, and commands on a line.

use super::{
    AnyEuros, CalendarDate, Defaults, Fields, MultiLine, OneOf, Parsed, Presence, SingleLine,
    validated,
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{bank_line::IgnoreReason, identifiers::Iban};
use serde_json::json;
use service::{
    Reason,
    bank_lines::{EditLine, IgnoreLine},
    bank_statements::{SentLine, SentLines},
};

/// Maximum number of lines in a body.
const MOST_LINES: usize = 2_000;
/// Maximum number of characters in a text.
const LONGEST_TEXT: usize = 1_000;
/// Maximum number of characters in a remark.
const LONGEST_NOTE: usize = 1_000;
/// First day that a line can have.
const FIRST_DAY: Date = date(2000, 1, 1);
const NOTE: &str = "Remark.";

/// Reads the lines of a feed.
pub fn sent_lines(fields: &mut Fields<'_, '_>, today: Date) -> Parsed<SentLines> {
    let last = today.saturating_add(bank_files::limits::MOST_DAYS_AHEAD.days());
    let meaning = "Id of the bank account.";
    let bank_account_id = fields.required("bankAccountId", meaning, super::Integer(1, i64::MAX));
    let from = fields.required("from", "First day of the lines.", CalendarDate);
    let to = fields.required("to", "Last day of the lines.", CalendarDate);
    let opening = fields.optional("openingBalance", "Balance before the first line.", AnyEuros);
    let meaning =
        "Balance after the last line. With `openingBalance`, the lines must add up to it.";
    let closing = fields.optional("closingBalance", meaning, AnyEuros);
    let meaning = "Booked lines, in the order of the bank.";
    let lines = fields.list(
        "lines",
        meaning,
        Presence::Required,
        (0, MOST_LINES),
        Defaults::default(),
        |line| sent_line(line, last),
    );
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        fields.fault("to", Reason::DayBefore { day: from.unwrap_or(to.unwrap_or(today)) });
    }
    let command = (|| {
        Some(SentLines {
            bank_account_id: bank_account_id?,
            from: from?,
            to: to?,
            opening,
            closing,
            lines: lines?,
        })
    })();
    Parsed::new(None, command)
}

fn sent_line(fields: &mut Fields<'_, '_>, last: Date) -> Option<SentLine> {
    let date = fields.required("date", "Day on which the bank booked it.", CalendarDate);
    if date.is_some_and(|date| date < FIRST_DAY || date > last) {
        fields.fault("date", Reason::LineDay { first: FIRST_DAY, last });
    }
    let amount = fields.required("amount", "Amount; negative if money went out.", AnyEuros);
    let meaning = "Day from which the amount counts for interest.";
    let value_date = fields.optional("valueDate", meaning, CalendarDate);
    let counterparty =
        fields.object("counterparty", "Counterparty.", Presence::Optional, |fields| {
            let name = fields.optional("name", "Name.", SingleLine(LONGEST_TEXT));
            let iban = validated(
                SingleLine(50),
                || json!({ "examples": ["NL91ABNA0417164300"] }),
                |text| Ok(Iban::parse(&text)?),
            );
            let iban = fields.optional("iban", "IBAN.", iban);
            (name, iban)
        });
    let (name, iban) = counterparty.unwrap_or_default();
    let text = fields.optional("text", "Remittance information.", SingleLine(LONGEST_TEXT));
    let end_to_end_id =
        fields.optional("endToEndId", "End-to-end id of the payer.", SingleLine(255));
    let bank_reference =
        fields.optional("bankReference", "Reference that the bank gave the line.", SingleLine(255));
    Some(SentLine {
        date: date?,
        value_date,
        amount: amount?,
        name,
        iban,
        text: text.unwrap_or_default(),
        end_to_end_id,
        bank_reference,
    })
}

/// Reads the fields for ignoring a line.
pub fn ignored_line(fields: &mut Fields<'_, '_>) -> Parsed<IgnoreLine> {
    let meaning = "`private`: private money that is booked elsewhere; `duplicate`: another line is \
                   the same payment.";
    let reason = fields.required("reason", meaning, OneOf(IgnoreReason::OF_CALLER));
    let note = fields.optional("note", NOTE, MultiLine(LONGEST_NOTE));
    Parsed::new(None, reason.map(|reason| IgnoreLine { reason, note }))
}

/// Reads the fields for editing a line.
pub fn edited_line(fields: &mut Fields<'_, '_>) -> Parsed<EditLine> {
    let note = fields.removable("note", NOTE, MultiLine(LONGEST_NOTE));
    Parsed::new(None, Some(EditLine { note }))
}
