//! Invoicing of hours: a draft invoice for a project's uninvoiced hours. Each hour is invoiced
//! once.

use super::projects;
use crate::{
    Context, Created, Error, Fault, Reason, TimeTrackingError,
    contacts::{self, CustomerInput},
    context,
    corrections::IfFiled,
    invoices::{
        self, Due, InvoiceDetails, InvoiceTerms, LineInput, NewInvoice, SupplyDays, TaxPlace,
    },
};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    decimal::{self, Decimal},
    discount::Discount,
    hours::Hours,
    money::Cents,
    vat::VatRate,
};
use store::{
    Tx,
    invoices::{InvoiceKind, Particulars, Status},
    projects::{self as project_rows, Project},
    time::{self as rows, HoursFilter, TimeEntry},
};

/// Maximum number of lines on an invoice.
const MOST_LINES: usize = 500;

/// Selection of hours to invoice.
#[derive(Debug, Clone)]
pub struct InvoiceHours {
    /// Caller's own identifier for the invoice.
    pub external_id: Option<String>,
    /// Project of the hours.
    pub project_id: i64,
    /// Last day of the hours to invoice. Without it, all uninvoiced hours are included.
    pub until: Option<Date>,
    /// Invoice date. Defaults to today.
    pub invoice_date: Option<Date>,
}

/// Returns the uninvoiced hours of a project, by day.
///
/// # Errors
/// The storage failed.
pub fn not_invoiced(
    tx: &mut Tx<'_>,
    cx: &Context,
    project_id: i64,
    until: Option<Date>,
) -> Result<Vec<TimeEntry>, Error> {
    let filter = HoursFilter {
        project_id: Some(project_id),
        to: until,
        invoiced: Some(false),
        ..HoursFilter::default()
    };
    Ok(rows::entries_by_day(tx, cx.actor.account, &filter, i64::MAX)?)
}

/// Returns the hours linked to a draft beyond the quantities on its lines: hours whose lines were
/// removed or reduced. They cannot be put on another invoice while the draft exists.
///
/// # Errors
/// The storage failed.
pub fn without_line(tx: &mut Tx<'_>, cx: &Context, draft: &InvoiceDetails) -> Result<Hours, Error> {
    let linked = rows::hours_on(tx, cx.actor.account, draft.invoice.id)?;
    let on_lines: Decimal = draft.lines.iter().map(|(line, _)| line.quantity).sum();
    // Hours are stored in hundredths, like cents, so `multiply_to_cents` gives the quantities in
    // that unit. If the quantities overflow, they certainly exceed the linked hours, so no hours
    // are left over.
    let on_lines =
        decimal::multiply_to_cents(&Decimal::ONE, &on_lines).map_or(linked.get(), Cents::get);
    Ok(Hours::new((linked.get() - on_lines).max(0)))
}

/// Whether a draft invoices hours worked on a day other than its invoice date.
///
/// # Errors
/// The storage failed.
pub fn has_other_days(
    tx: &mut Tx<'_>,
    cx: &Context,
    draft: &InvoiceDetails,
) -> Result<bool, Error> {
    let days = rows::days_on(tx, cx.actor.account, draft.invoice.id)?;
    Ok(days.iter().any(|day| *day != draft.invoice.invoice_date))
}

/// Returns the hours of a project that remain to be invoiced. Zero if the project has no hourly
/// rate.
#[must_use]
pub fn to_invoice(project: &Project) -> Hours {
    if project.hourly_rate.is_some() {
        project.hours_logged - project.hours_invoiced
    } else {
        Hours::new(0)
    }
}

/// Returns the price of hours at a rate, in euro cents excluding VAT. `None` without a rate, or if
/// the price exceeds the maximum amount.
#[must_use]
pub fn worth(hours: Hours, rate: Option<Cents>) -> Option<Cents> {
    let rate = ledger::decimal::Decimal::new(rate?.get(), 2);
    decimal::multiply_to_cents(&hours.to_decimal(), &rate).ok()
}

/// Creates a draft with the uninvoiced hours of a project, and links the hours to it. The hours can
/// be invoiced again if the invoice is credited or withdrawn. `expected` is called with the hours
/// while the books are locked; if it returns false, the result is [`Error::Changed`].
///
/// # Errors
/// The account is not Dutch, there is no such project, the project has no customer or no rate, the
/// hours are not as expected, the project has no uninvoiced hours, or the invoice cannot be
/// created.
pub fn invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &InvoiceHours,
    expected: &dyn Fn(&[TimeEntry]) -> bool,
) -> Result<Created<InvoiceDetails>, Error> {
    // The books stay locked until the transaction ends, so the values read here are still valid
    // when the invoice is created below.
    let prepared = context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = invoices::find_by_external_id(
            tx,
            cx,
            InvoiceKind::Invoice,
            command.external_id.as_deref(),
        )? {
            return Ok(Err(existing));
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
        Err(existing) => return Ok(Created::Existing(existing)),
    };
    let invoice_date = command.invoice_date.unwrap_or_else(|| cx.today());
    let (first, last) =
        (entries.first().map(|entry| entry.date), entries.last().map(|entry| entry.date));
    let supply = SupplyDays { first, last: last.filter(|last| Some(*last) != first) };
    let rates_on = last.unwrap_or(invoice_date);
    let new = NewInvoice {
        external_id: command.external_id.clone(),
        invoice_date,
        supply,
        status: Status::Draft,
        customer: CustomerInput::contact(contact_id),
        terms: InvoiceTerms::default(),
        lines: lines(&project, rate, vat_rate(country, rates_on)?, &entries),
        due: Due::AccountTerm,
        if_filed: IfFiled::Refuse,
        reference: None,
        notes: None,
        particulars: Particulars::default(),
        language: None,
    };
    let created = invoices::create(tx, cx, &new)?;
    if let Created::New(details) = &created {
        let ids: Vec<i64> = entries.iter().map(|entry| entry.id).collect();
        let hours: Hours = entries.iter().map(|entry| entry.hours).sum();
        context::transact(tx, cx, |tx, _, cx| {
            rows::invoice_entries(tx, cx.actor.account, &ids, details.invoice.id, cx.now())?;
            Ok(project_rows::add_hours(tx, cx.actor.account, project.id, Hours::new(0), hours)?)
        })?;
    }
    Ok(created)
}

/// Returns the error for a project without hours to invoice: either no hours were recorded, or all
/// have been invoiced.
#[must_use]
pub fn nothing_to_invoice(project: &Project) -> Error {
    if project.hours_logged == Hours::new(0) {
        TimeTrackingError::NothingToInvoice.into()
    } else {
        TimeTrackingError::AlreadyInvoiced.into()
    }
}

/// Returns the customer and hourly rate of a project.
fn billable(project: &Project) -> Result<(i64, Cents), Error> {
    match (project.contact_id, project.hourly_rate) {
        (Some(contact), Some(rate)) => Ok((contact, rate)),
        (contact, rate) => {
            let no_customer =
                contact.is_none().then(|| Fault::new("/contactId", Reason::ProjectWithoutCustomer));
            let no_rate =
                rate.is_none().then(|| Fault::new("/hourlyRate", Reason::ProjectWithoutRate));
            Err(Error::Invalid(no_customer.into_iter().chain(no_rate).collect()))
        }
    }
}

/// Returns the default VAT rate for the draft: the standard rate for Dutch customers, zero for
/// others.
fn vat_rate(country: CountryCode, on: Date) -> Result<VatRate, Error> {
    let rates = VatRate::known_on(on);
    let rate = if country.is_dutch() { rates.into_iter().max() } else { rates.into_iter().min() };
    rate.ok_or_else(|| Error::Internal(format!("no VAT rates on {on}")))
}

/// Returns one line per description, in the order in which the work began; a single line for all
/// hours if there would be too many lines.
fn lines(
    project: &Project,
    rate: Cents,
    vat_rate: VatRate,
    entries: &[TimeEntry],
) -> Vec<LineInput> {
    let mut work: Vec<(&str, Hours)> = Vec::new();
    for entry in entries {
        match work.iter_mut().find(|(description, _)| *description == entry.description) {
            Some((_, hours)) => *hours += entry.hours,
            None => work.push((&entry.description, entry.hours)),
        }
    }
    if work.len() > MOST_LINES {
        work = vec![(&project.name, work.iter().map(|(_, hours)| *hours).sum())];
    }
    let unit_price = ledger::decimal::Decimal::new(rate.get(), 2);
    let line = |(description, hours): (&str, Hours)| LineInput {
        description: description.to_owned(),
        quantity: hours.to_decimal(),
        unit_price,
        vat_rate,
        vat_category: None,
        exemption: None,
        supply: None,
        place: TaxPlace::default(),
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    };
    work.into_iter().map(line).collect()
}
