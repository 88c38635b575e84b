//! Input for recurring invoices.

use super::{
    CalendarDate, EXTERNAL_ID, EXTERNAL_ID_MEANING, Fields, Flag, Integer, MultiLine, OneOf,
    Parsed, Presence, SingleLine,
    sales::{self, CUSTOMER_MEANING, Rates, read_customer, read_lines},
};
use jiff::civil::Date;
use ledger::{
    invoice::Prices,
    language::Language,
    schedule::{Deliver, MOST_OCCURRENCES, MOST_UNITS, Missed, Rhythm, RhythmUnit, SupplyPeriod},
};
use service::{
    Reason,
    contacts::CustomerInput,
    recurring::{EditRecurring, NewRecurring},
};

const EVERY: &str = "Rhythm: every so many weeks, months, quarters or years.";
const UNIT: &str = "Unit of the rhythm.";
const UNITS: &str = "Number of units from one invoice to the next. Default: 1.";
const LAST_DAY: &str = "Whether each invoice is made on the last day of its month; not with weeks. \
                        Default: false.";
const LAST_DATE: &str = "Last day on which an invoice can be made.";
const COUNT: &str = "Number of invoices. It ends by lastDate or count, whichever comes first.";
const DELIVER: &str = "What is made: a `draft`, an invoice that is `sent`, or one that is also \
                       mailed at 08:00 (`mail`). Default: draft.";
const SUPPLY_PERIOD: &str = "Period of supply printed on each invoice: the calendar period before \
                             its day (`previous`), the one that contains it (`current`) or the \
                             `next`; it is as long as the rhythm. Default: none.";
const PRICES: &str = "Whether unitPrice includes VAT. Default: false.";
const TERM: &str = "Payment term of its invoices in days. Default: that of the customer or the \
                    account.";
const REFERENCE: &str = "Reference printed on the invoices. `{period}`, `{week}`, `{month}`, \
                         `{quarter}` and `{year}` stand for the period, here, in notes and in \
                         descriptions.";
const NOTES: &str = "Notes printed on the invoices.";

fn read_every(fields: &mut Fields<'_, '_>) -> Option<(RhythmUnit, i64)> {
    let unit = fields.required("unit", UNIT, OneOf(RhythmUnit::ALL));
    let count = fields.with_default("count", UNITS, Integer(1, MOST_UNITS), 1);
    unit.zip(count)
}

fn prices(gross: Option<bool>) -> Option<Prices> {
    gross.map(|gross| if gross { Prices::Gross } else { Prices::Net })
}

/// Adds a fault if the last day of the month is asked for with weeks.
fn check_last_day(fields: &mut Fields<'_, '_>, every: Option<(RhythmUnit, i64)>, is_last: bool) {
    if is_last && every.is_some_and(|(unit, _)| unit == RhythmUnit::Week) {
        fields.fault("lastDayOfMonth", Reason::LastDayOfWeeks);
    }
}

/// Reads the fields of a new recurring invoice.
pub fn new_recurring(
    fields: &mut Fields<'_, '_>,
    today: Date,
) -> Parsed<NewRecurring, Option<CustomerInput>> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Required, read_customer);
    let every = fields.object("every", EVERY, Presence::Required, read_every).flatten();
    let meaning = "Day of the first invoice, from which all days follow: of monthly ones from 31 \
                   January on, the second is made on the last of February. From today on.";
    // Without a valid date the rates cannot be validated.
    let first_date = fields.required("firstDate", meaning, CalendarDate);
    let last_date = fields.optional("lastDate", LAST_DATE, CalendarDate);
    let count = fields.optional("count", COUNT, Integer(1, MOST_OCCURRENCES));
    let last_day_of_month = fields.optional("lastDayOfMonth", LAST_DAY, Flag).unwrap_or(false);
    check_last_day(fields, every, last_day_of_month);
    let deliver = fields.optional("deliver", DELIVER, OneOf(Deliver::ALL));
    let supply_period = fields.optional("supplyPeriod", SUPPLY_PERIOD, OneOf(SupplyPeriod::ALL));
    let rates = customer.as_ref().map_or(Rates::Dutch, Rates::of_customer);
    let rates_on = first_date.unwrap_or(today);
    let lines = read_lines(fields, Presence::Required, (Some(rates_on), rates));
    let gross = fields.optional("pricesIncludeVat", PRICES, Flag);
    let payment_term_days = fields.optional("paymentTermDays", TERM, Integer(0, 365));
    let reference = fields.optional("reference", REFERENCE, SingleLine(255));
    let notes = fields.optional("notes", NOTES, MultiLine(5000));
    let particulars = sales::read_particulars(fields);
    let language = fields.optional("language", sales::DOCUMENT_LANGUAGE, OneOf(Language::ALL));
    let command = match (&customer, lines, every, first_date) {
        (Some(customer), Some(lines), Some((unit, units)), Some(first_date)) => {
            Some(NewRecurring {
                external_id: external_id.clone(),
                customer: customer.clone(),
                lines,
                prices: prices(gross).unwrap_or_default(),
                payment_term_days,
                reference,
                notes,
                particulars,
                language,
                rhythm: Rhythm { unit, count: units, last_day_of_month },
                first_date,
                last_date,
                count,
                deliver: deliver.unwrap_or(Deliver::Draft),
                supply_period: supply_period.unwrap_or(SupplyPeriod::None),
            })
        }
        _ => None,
    };
    Parsed::with_partial(external_id, command, customer)
}

/// Reads the fields for editing a recurring invoice. `dated` is the day that determines the VAT rates
/// unless the edit changes the first day.
pub fn edited_recurring(
    fields: &mut Fields<'_, '_>,
    dated: Date,
) -> Parsed<EditRecurring, Option<CustomerInput>> {
    let meaning = "Day from which the invoices to come follow; from today on, unless it stays.";
    let first_date = fields.changeable("firstDate", meaning, CalendarDate);
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Optional, read_customer);
    let rates = customer.as_ref().map_or(Rates::AllOfEu, Rates::of_customer);
    let on = first_date.filter(|first_date| *first_date > dated).unwrap_or(dated);
    let lines = read_lines(fields, Presence::Optional, (Some(on), rates));
    let every = fields.object("every", EVERY, Presence::Optional, read_every).flatten();
    let last_day_of_month = fields.changeable("lastDayOfMonth", LAST_DAY, Flag);
    check_last_day(fields, every, last_day_of_month.unwrap_or(false));
    let gross = fields.optional("pricesIncludeVat", PRICES, Flag);
    let edit = EditRecurring {
        customer: customer.clone(),
        lines,
        prices: prices(gross),
        payment_term_days: fields.removable("paymentTermDays", TERM, Integer(0, 365)),
        reference: fields.removable("reference", REFERENCE, SingleLine(255)),
        notes: fields.removable("notes", NOTES, MultiLine(5000)),
        particulars: sales::edited_particulars(fields),
        language: fields.removable("language", sales::DOCUMENT_LANGUAGE, OneOf(Language::ALL)),
        every,
        last_day_of_month,
        first_date,
        last_date: fields.removable("lastDate", LAST_DATE, CalendarDate),
        count: fields.removable("count", COUNT, Integer(1, MOST_OCCURRENCES)),
        deliver: fields.changeable("deliver", DELIVER, OneOf(Deliver::ALL)),
        supply_period: fields.changeable("supplyPeriod", SUPPLY_PERIOD, OneOf(SupplyPeriod::ALL)),
    };
    Parsed::with_partial(None, Some(edit), customer)
}

/// Reads the fields of a resumption.
pub fn resumption(fields: &mut Fields<'_, '_>) -> Parsed<Missed> {
    let meaning = "What becomes of the invoices whose day passed: `skip` them, or `ask`, so that \
                   each waits until it is made or skipped. Default: skip.";
    let missed = fields.optional("missed", meaning, OneOf(Missed::ALL));
    Parsed::new(None, Some(missed.unwrap_or(Missed::Skip)))
}

/// Readable part of an unfinished recurring invoice, for the totals shown while it is being filled
/// in.
pub use sales::UnfinishedInvoice as UnfinishedRecurring;

/// Reads the readable fields of an unfinished recurring invoice.
pub fn unfinished_recurring(fields: &mut Fields<'_, '_>, today: Date) -> UnfinishedRecurring {
    let first_date = fields.optional("firstDate", "", CalendarDate).unwrap_or(today).max(today);
    sales::unfinished(fields, (first_date, first_date))
}
