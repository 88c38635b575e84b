//! Hours that are invoiced: those of a project that are on no invoice yet fill a draft, each hour once.

use super::projects;
use crate::{
    Context, Created, Error, Fault, Reason,
    contacts::{self, CustomerInput},
    context,
    corrections::IfFiled,
    invoices::{self, Due, InvoiceDetails, InvoiceTerms, LineInput, NewInvoice, SupplyDays},
};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    decimal::{self, Decimal},
    hours::Hours,
    money::Cents,
    vat::VatRate,
};
use store::{
    Tx,
    invoices::{InvoiceKind, Status},
    projects::{self as project_rows, Project},
    time::{self as rows, HoursFilter, TimeEntry},
};

/// The most lines of an invoice.
const MOST_LINES: usize = 500;

/// Which hours are to be invoiced.
#[derive(Debug, Clone)]
pub struct InvoiceHours {
    /// The caller's own identifier of the invoice.
    pub external_id: Option<String>,
    /// The project.
    pub project_id: i64,
    /// Up to and including this day; all of them unless given.
    pub until: Option<Date>,
    /// The day of the invoice; today unless given.
    pub invoice_date: Option<Date>,
}

/// The hours of a project that are on no invoice yet, by day.
///
/// # Errors
/// The storage failed.
pub fn not_invoiced(tx: &mut Tx<'_>, cx: &Context, project_id: i64, until: Option<Date>) -> Result<Vec<TimeEntry>, Error> {
    let filter = HoursFilter { project_id: Some(project_id), to: until, invoiced: Some(false), ..HoursFilter::default() };
    Ok(rows::entries_by_day(tx, cx.actor.account, &filter, i64::MAX)?)
}

/// How many hours stand on a draft beyond the quantities of its lines: some that were taken off it, and are on no other invoice as long as it
/// is there.
///
/// # Errors
/// The storage failed.
pub fn without_line(tx: &mut Tx<'_>, cx: &Context, draft: &InvoiceDetails) -> Result<Hours, Error> {
    let linked = rows::hours_on(tx, cx.actor.account, draft.invoice.id)?;
    let on_lines: Decimal = draft.lines.iter().map(|(line, _)| line.quantity).sum();
    // Hundredths, as cents are; lines beyond that limit hold more than any hours.
    let on_lines = decimal::multiply_to_cents(&Decimal::ONE, &on_lines).map_or(linked.get(), Cents::get);
    Ok(Hours::new((linked.get() - on_lines).max(0)))
}

/// The hours of a project that are still to be invoiced: none of one that is not invoiced by the hour.
#[must_use]
pub fn to_invoice(project: &Project) -> Hours {
    if project.hourly_rate.is_some() { project.hours_logged - project.hours_invoiced } else { Hours::new(0) }
}

/// What hours come to at a rate, in euros, excluding VAT.
#[must_use]
pub fn worth(hours: Hours, rate: Option<Cents>) -> Option<Cents> {
    let rate = ledger::decimal::Decimal::new(rate?.get(), 2);
    decimal::multiply_to_cents(&hours.to_decimal(), &rate).ok()
}

/// Fills a draft with the hours of a project that are on no invoice yet, and marks them. `expected` looks at them while nobody else
/// can change them. Crediting or withdrawing the invoice frees them.
///
/// # Errors
/// The account is not Dutch, there is no such project, it has no customer or no rate, the hours are not as expected, there are
/// none or all are on an invoice already, or the invoice cannot be made.
pub fn invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &InvoiceHours,
    expected: &dyn Fn(&[TimeEntry]) -> bool,
) -> Result<Created<InvoiceDetails>, Error> {
    // The books stay locked until the transaction ends, so what is read here is still so when the invoice is made below.
    let prepared = context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = invoices::find_by_external_id(tx, cx, InvoiceKind::Invoice, command.external_id.as_deref())? {
            return Ok(Err(known));
        }
        let project = projects::read(tx, cx, command.project_id)?;
        let (contact_id, rate) = billable(&project)?;
        let entries = not_invoiced(tx, cx, project.id, command.until)?;
        if !expected(&entries) {
            return Err(Error::Changed);
        }
        if entries.is_empty() {
            return Err(nothing_to_invoice(&project));
        }
        let customer = contacts::read(tx, cx, contact_id)?;
        Ok(Ok((project, contact_id, rate, entries, customer.party.country)))
    })?;
    let (project, contact_id, rate, entries, country) = match prepared {
        Ok(prepared) => prepared,
        Err(known) => return Ok(Created::Existing(known)),
    };
    let invoice_date = command.invoice_date.unwrap_or_else(|| cx.today());
    let (first, last) = (entries.first().map(|entry| entry.date), entries.last().map(|entry| entry.date));
    let supply = SupplyDays { first, last: last.filter(|last| Some(*last) != first) };
    let rates_on = last.unwrap_or(invoice_date);
    let new = NewInvoice {
        external_id: command.external_id.clone(),
        invoice_date,
        supply,
        status: Status::Draft,
        customer: CustomerInput { contact_id: Some(contact_id), ..CustomerInput::default() },
        terms: InvoiceTerms::default(),
        lines: lines(&project, rate, vat_rate(country, rates_on)?, &entries),
        due: Due::AccountTerm,
        if_filed: IfFiled::Refuse,
        reference: None,
        notes: None,
    };
    let made = invoices::create(tx, cx, &new)?;
    if let Created::New(details) = &made {
        let ids: Vec<i64> = entries.iter().map(|entry| entry.id).collect();
        let hours: Hours = entries.iter().map(|entry| entry.hours).sum();
        context::transact(tx, cx, |tx, _, cx| {
            rows::invoice_entries(tx, cx.actor.account, &ids, details.invoice.id, cx.now())?;
            Ok(project_rows::add_hours(tx, cx.actor.account, project.id, Hours::new(0), hours)?)
        })?;
    }
    Ok(made)
}

/// Why there are no hours to invoice: the project has none, or all are on an invoice already.
#[must_use]
pub fn nothing_to_invoice(project: &Project) -> Error {
    if project.hours_logged == Hours::new(0) { Error::NothingToInvoice } else { Error::AlreadyInvoiced }
}

/// Whom the hours of a project are invoiced to, and at which rate.
fn billable(project: &Project) -> Result<(i64, Cents), Error> {
    match (project.contact_id, project.hourly_rate) {
        (Some(contact), Some(rate)) => Ok((contact, rate)),
        (contact, rate) => {
            let no_customer = contact.is_none().then(|| Fault::new("/contactId", Reason::ProjectWithoutCustomer));
            let no_rate = rate.is_none().then(|| Fault::new("/hourlyRate", Reason::ProjectWithoutRate));
            Err(Error::Invalid(no_customer.into_iter().chain(no_rate).collect()))
        }
    }
}

/// The standard rate at home, none abroad; the draft can still be edited.
fn vat_rate(country: CountryCode, on: Date) -> Result<VatRate, Error> {
    let known = VatRate::known_on(on);
    let rate = if country.is_dutch() { known.into_iter().max() } else { known.into_iter().min() };
    rate.ok_or_else(|| Error::Internal(format!("no VAT rates on {on}")))
}

/// A line for each thing that was done, in the order in which it was begun; one line for all where they are too many.
fn lines(project: &Project, rate: Cents, vat_rate: VatRate, entries: &[TimeEntry]) -> Vec<LineInput> {
    let mut done: Vec<(&str, Hours)> = Vec::new();
    for entry in entries {
        match done.iter_mut().find(|(description, _)| *description == entry.description) {
            Some((_, hours)) => *hours += entry.hours,
            None => done.push((&entry.description, entry.hours)),
        }
    }
    if done.len() > MOST_LINES {
        done = vec![(&project.name, done.iter().map(|(_, hours)| *hours).sum())];
    }
    let unit_price = ledger::decimal::Decimal::new(rate.get(), 2);
    let line = |(description, hours): (&str, Hours)| LineInput {
        description: description.to_owned(),
        quantity: hours.to_decimal(),
        unit_price,
        vat_rate,
        vat_category: None,
        supply: None,
    };
    done.into_iter().map(line).collect()
}
