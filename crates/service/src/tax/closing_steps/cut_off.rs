//! Rows of the cut-off: revenue supplied in the year but invoiced later, hours not yet invoiced,
//! and costs that cover days of another year.

use super::{RowSource, StepRow, Why, YearBooks};
use crate::{
    Context, Error, contacts, events, expenses,
    invoices::{self, InvoiceDetails},
    invoicing, projects, vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, Class, codes},
    closing_step::ClosingStep,
    cut_off,
    entry::{JournalEntry, SourceType},
    event::{AccrualKind, Event},
    hours::Hours,
    money::Cents,
    purchase::Deduction,
};
use std::collections::BTreeMap;
use store::{Tx, closing_steps as stored, projects::Project};

/// Returns the rows of the cut-off, including rows that were booked earlier but no longer follow
/// from their source.
pub(super) fn rows(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
) -> Result<Vec<StepRow>, Error> {
    let mut rows = invoiced_later(tx, cx, books)?;
    rows.extend(hours(tx, cx, books)?);
    rows.extend(costs(tx, cx, books)?);
    for row in &mut rows {
        row.booked = books.booked(ClosingStep::CutOff, &row.key);
        row.amount -= row.booked;
    }
    rows.extend(gone(tx, cx, books, &rows)?);
    rows.retain(|row| !row.amount.is_zero() || !row.booked.is_zero());
    Ok(rows)
}

/// Net amounts that an entry posts to the accounts of a class: credit less debit for revenue, debit
/// less credit for other classes.
fn amounts(entry: &JournalEntry, class: Class) -> BTreeMap<AccountCode, Cents> {
    let mut sums: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    for posting in entry.postings() {
        if posting.account().class() == Some(class) {
            let debited = posting.debited() - posting.credited();
            *sums.entry(posting.account()).or_default() +=
                if class == Class::Revenue { -debited } else { debited };
        }
    }
    sums
}

/// Revenue from an invoice less its credit notes, by account.
fn revenue(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: &InvoiceDetails,
) -> Result<BTreeMap<AccountCode, Cents>, Error> {
    let mut sums = BTreeMap::new();
    let mut documents = vec![invoice.clone()];
    for note in stored::credit_notes_on(tx, cx.actor.account, invoice.invoice.id)? {
        documents.push(invoices::read(tx, cx, note)?);
    }
    for entry in documents.iter().filter_map(invoices::entry_of_lines) {
        for (account, amount) in amounts(&entry, Class::Revenue) {
            *sums.entry(account).or_default() += amount;
        }
    }
    Ok(sums)
}

fn invoiced_later(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Vec<StepRow>, Error> {
    let mut rows = Vec::new();
    for id in stored::invoiced_later(tx, cx.actor.account, books.days)? {
        let details = invoices::read(tx, cx, id)?;
        let (invoice, invoiced) = (&details.invoice, details.invoice.invoice_date);
        let Some(first) = invoice.supply_date else { continue };
        let supplied = (first, invoice.supply_until.unwrap_or(first));
        for (account, amount) in revenue(tx, cx, &details)? {
            rows.push(StepRow {
                key: format!("invoice-{id}-{account}"),
                source: Some((RowSource::Invoice, id)),
                kind: Some(AccrualKind::WorkToInvoice),
                account,
                description: format!("{} {}", invoice.number, invoice.customer.name),
                amount: cut_off::by_days(amount, supplied, books.days),
                booked: Cents::ZERO,
                reverse_on: Some(invoiced),
                goods: None,
                why: Why::InvoicedLater { supplied, invoiced },
            });
        }
    }
    Ok(rows)
}

/// Cut-off for the hours of a project, on one revenue account.
#[derive(Default)]
struct OfProject {
    amount: Cents,
    hours: Hours,
    /// Date of each invoice with such hours; `None` for hours that are not on an invoice.
    invoiced: Vec<Option<Date>>,
}

fn hours(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Vec<StepRow>, Error> {
    let mut sums: BTreeMap<(i64, AccountCode), OfProject> = BTreeMap::new();
    for open in stored::hours_not_invoiced(tx, cx.actor.account, books.last())? {
        let mut add = |account, amount, day| {
            let of = sums.entry((open.project, account)).or_default();
            of.amount += amount;
            of.hours += open.before;
            of.invoiced.push(day);
        };
        if let Some((invoice, day)) = open.invoice {
            let details = invoices::read(tx, cx, invoice)?;
            for (account, amount) in revenue(tx, cx, &details)? {
                let part = cut_off::by_quantity(amount, open.before.get(), open.total.get());
                add(account, part, Some(day));
            }
        } else {
            let project = projects::read(tx, cx, open.project)?;
            if let Some(worth) = invoicing::worth(open.before, project.hourly_rate) {
                add(account_of(tx, cx, &project, books.last())?, worth, None);
            }
        }
    }
    let mut rows = Vec::new();
    for ((id, account), of) in sums {
        let mut days = of.invoiced.iter();
        let same =
            days.next().copied().flatten().filter(|first| days.all(|day| *day == Some(*first)));
        rows.push(StepRow {
            key: format!("project-{id}-{account}"),
            source: Some((RowSource::Project, id)),
            kind: Some(AccrualKind::WorkToInvoice),
            account,
            description: projects::read(tx, cx, id)?.name,
            amount: of.amount,
            booked: Cents::ZERO,
            reverse_on: Some(same.unwrap_or(first_after(books)?)),
            goods: None,
            why: Why::Hours { hours: of.hours },
        });
    }
    Ok(rows)
}

/// Revenue account for hours that are not invoiced yet: the account that the draft created by
/// [`invoicing::invoice`] would have.
fn account_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    project: &Project,
    on: Date,
) -> Result<AccountCode, Error> {
    let country = match project.contact_id {
        Some(contact) => Some(contacts::read(tx, cx, contact)?.party.country),
        None => None,
    };
    Ok(match country {
        Some(country) if !country.is_dutch() && country.in_eu(on) => codes::REVENUE_EU,
        Some(country) if !country.is_dutch() => codes::REVENUE_SERVICES_OUTSIDE_EU,
        _ if vat_schemes::deduction_on(tx, cx, on)? == Deduction::Never => codes::REVENUE_EXEMPT,
        _ => codes::REVENUE_HIGH,
    })
}

fn costs(tx: &mut Tx<'_>, cx: &Context, books: &YearBooks) -> Result<Vec<StepRow>, Error> {
    let mut rows = Vec::new();
    for id in stored::spread_expenses(tx, cx.actor.account, books.days)? {
        let details = expenses::read(tx, cx, id)?;
        let expense = &details.expense;
        let Some(period) = expense.period_from.zip(expense.period_until) else { continue };
        let entry = expenses::entry(expense, &details.priced, &details.receipts);
        for (account, amount) in amounts(&entry, Class::Cost) {
            let Some((kind, amount)) = cut_off::cost(amount, expense.date, period, books.days)
            else {
                continue;
            };
            let reverse_on = match kind {
                AccrualKind::AccruedCost => expense.date,
                _ => first_after(books)?,
            };
            let description = expense.supplier.as_ref().or(expense.description.as_ref());
            rows.push(StepRow {
                key: format!("expense-{id}-{}-{account}", kind.as_str()),
                source: Some((RowSource::Expense, id)),
                kind: Some(kind),
                account,
                description: description.cloned().unwrap_or_default(),
                amount,
                booked: Cents::ZERO,
                reverse_on: Some(reverse_on),
                goods: None,
                why: Why::Period { period },
            });
        }
    }
    Ok(rows)
}

/// Rows that were booked but no longer follow from their source. They reverse the booked amount.
fn gone(
    tx: &mut Tx<'_>,
    cx: &Context,
    books: &YearBooks,
    rows: &[StepRow],
) -> Result<Vec<StepRow>, Error> {
    let mut gone: Vec<StepRow> = Vec::new();
    for booking in books.of(ClosingStep::CutOff) {
        let key = &booking.row_key;
        if rows.iter().chain(&gone).any(|row| row.key == *key) {
            continue;
        }
        let Some(event) = booking.event_id else { continue };
        let stored = events::read(tx, cx, SourceType::Accrual, event)?.stored;
        let Event::Accrual { kind, account, reverse_on, .. } = stored.event else { continue };
        let booked = books.booked(ClosingStep::CutOff, key);
        gone.push(StepRow {
            key: key.clone(),
            source: None,
            kind: Some(kind),
            account,
            description: stored.description.unwrap_or_default(),
            amount: -booked,
            booked,
            reverse_on: Some(reverse_on),
            goods: None,
            why: Why::SourceChanged,
        });
    }
    Ok(gone)
}

/// First day of the next year.
fn first_after(books: &YearBooks) -> Result<Date, Error> {
    books.last().tomorrow().map_err(|_| Error::NotFound("year"))
}
