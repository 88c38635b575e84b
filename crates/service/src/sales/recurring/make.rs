//! Making the invoice of an occurrence, and skipping an occurrence.

use super::{
    OccurrenceDetails, advance, current_customer, insert_occurrence, mail_time,
    read::{occurrence_details, supply_days},
    require_open, save, stored,
};
use crate::{
    Context, Error, InvoiceError,
    contacts::CustomerInput,
    context,
    corrections::IfFiled,
    document_snapshots::language_for,
    invoices::{self, Due, InvoiceTerms, LineInput, NewInvoice, inputs_for_edit},
    messages::{self, SendInvoice},
};
use documents::period_fields::{self, Period};
use jiff::civil::Date;
use ledger::{
    language::Language,
    schedule::{Deliver, OccurrenceStatus, RhythmUnit},
};
use store::{
    Tx,
    books::Books,
    contacts::PartialParty,
    invoices::{self as invoice_rows, Status},
    recurring::{self as rows, Occurrence, Recurring},
};

/// Makes the invoice of an occurrence for the owner: one that waits, or whose day passed during a
/// pause. One that was made is returned as it is.
///
/// # Errors
/// There is no such occurrence, it was skipped or its day has not come, or the invoice cannot be
/// made or mailed.
pub fn make(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    number: i64,
) -> Result<OccurrenceDetails, Error> {
    // The books stay locked until the transaction ends, so the values read here are still valid
    // when the invoice is made below.
    let date = context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let recurring = stored(tx, cx, id)?;
        let found = rows::occurrence(tx, cx.actor.account, id, number)?;
        match found.map(|occurrence| occurrence.status) {
            Some(OccurrenceStatus::Made) => Ok(None),
            Some(OccurrenceStatus::Waiting) => Ok(found.map(|occurrence| occurrence.date)),
            Some(status) => Err(InvoiceError::OccurrenceNotOpen { number, status }.into()),
            None => match planned(&recurring, number)? {
                date if date <= cx.today() => Ok(Some(date)),
                _ => {
                    let status = OccurrenceStatus::Planned;
                    Err(InvoiceError::OccurrenceNotOpen { number, status }.into())
                }
            },
        }
    })?;
    if let Some(date) = date {
        make_occurrence(tx, cx, id, (number, date))?;
    }
    super::occurrence(tx, cx, id, number)
}

/// Skips an occurrence that waits or is planned. One that was skipped is returned as it is.
///
/// # Errors
/// There is no such occurrence, or its invoice was made.
pub fn skip(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    number: i64,
) -> Result<OccurrenceDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let mut recurring = stored(tx, cx, id)?;
        let skipped = OccurrenceStatus::Skipped;
        let occurrence = match rows::occurrence(tx, cx.actor.account, id, number)? {
            Some(occurrence) if occurrence.status == skipped => {
                return Ok(occurrence_details(&recurring, occurrence));
            }
            Some(Occurrence { status: OccurrenceStatus::Made, .. }) => {
                let status = OccurrenceStatus::Made;
                return Err(InvoiceError::OccurrenceNotOpen { number, status }.into());
            }
            Some(waiting) => {
                let occurrence = Occurrence { status: skipped, updated_at: cx.now(), ..waiting };
                rows::update_occurrence(tx, cx.actor.account, &occurrence)?;
                occurrence
            }
            None => {
                let date = planned(&recurring, number)?;
                insert_occurrence(tx, cx, id, (number, date), (skipped, None))?
            }
        };
        if recurring.next_number == number {
            advance(tx, cx, &mut recurring, number)?;
        }
        save(tx, cx, &mut recurring)?;
        Ok(occurrence_details(&recurring, occurrence))
    })
}

/// Returns the day of a planned occurrence.
fn planned(recurring: &Recurring, number: i64) -> Result<Date, Error> {
    let date = recurring.schedule().date(number).filter(|_| number >= recurring.next_number);
    let date = date.ok_or(Error::NotFound("occurrence"))?;
    require_open(recurring)?;
    Ok(date)
}

/// Makes the invoice of an occurrence: the invoice with its entry, the email, and the row of the
/// occurrence, whose key excludes a second one.
pub(super) fn make_occurrence(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    (number, date): (i64, Date),
) -> Result<i64, Error> {
    let (new, deliver) = context::transact(tx, cx, |tx, books, cx| {
        let recurring = stored(tx, cx, id)?;
        Ok((new_invoice(tx, books, cx, &recurring, date)?, recurring.deliver))
    })?;
    let made = invoices::create(tx, cx, &new)?.into_inner().invoice.id;
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        invoice_rows::set_occurrence(tx, account, made, (id, number, date))?;
        let status = OccurrenceStatus::Made;
        let mut recurring = stored(tx, cx, id)?;
        match rows::occurrence(tx, account, id, number)? {
            Some(waiting) => {
                let invoice_id = Some(made);
                let updated_at = cx.now();
                let occurrence = Occurrence { status, invoice_id, updated_at, ..waiting };
                rows::update_occurrence(tx, account, &occurrence)?;
            }
            None => {
                insert_occurrence(tx, cx, id, (number, date), (status, Some(made)))?;
            }
        }
        if recurring.next_number == number {
            advance(tx, cx, &mut recurring, number)?;
        }
        save(tx, cx, &mut recurring)
    })?;
    if deliver == Deliver::Mail {
        let not_before = Some(mail_time(cx));
        messages::send(
            tx,
            cx,
            &SendInvoice { invoice_id: made, not_before, ..Default::default() },
        )?;
    }
    Ok(made)
}

/// Returns the invoice of an occurrence, dated today.
pub(super) fn new_invoice(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    recurring: &Recurring,
    date: Date,
) -> Result<NewInvoice, Error> {
    let customer = current_customer(tx, cx, recurring)?;
    let language = recurring.language.unwrap_or_else(|| language_for(&customer, books.terms()));
    let fill = |text: &str| fill(recurring, date, text, language);
    let dated = (&recurring.customer, recurring.priced_on);
    let lines = inputs_for_edit(&recurring.content.lines, dated, cx.actor.sales);
    let filled = |line: LineInput| LineInput { description: fill(&line.description), ..line };
    let party = if recurring.own_details {
        PartialParty::from(recurring.customer.clone())
    } else {
        PartialParty::default()
    };
    Ok(NewInvoice {
        external_id: None,
        invoice_date: cx.today(),
        supply: supply_days(recurring, date),
        // An email makes a draft final.
        status: if recurring.deliver == Deliver::Sent { Status::Sent } else { Status::Draft },
        customer: CustomerInput { contact_id: Some(recurring.contact_id), party },
        lines: lines.into_iter().map(filled).collect(),
        terms: InvoiceTerms { prices: recurring.prices(), prepayment: false, sets_off: Vec::new() },
        due: recurring.payment_term_days.map_or(Due::AccountTerm, Due::Days),
        reference: recurring.reference.as_deref().map(fill),
        notes: recurring.notes.as_deref().map(fill),
        particulars: recurring.particulars.clone(),
        language: recurring.language,
        if_filed: IfFiled::Refuse,
    })
}

/// Fills in the period of an occurrence in a text.
fn fill(recurring: &Recurring, date: Date, text: &str, language: Language) -> String {
    let rhythm = recurring.rhythm();
    let (first, last) = rhythm.period(date, recurring.supply_period).unwrap_or((date, date));
    let period = Period { first, last, is_of_weeks: rhythm.unit == RhythmUnit::Week };
    period_fields::fill(text, period, language)
}
