//! Invoices: created, edited while drafts, credited, read.

use crate::{
    Actor, Created, Error, Fault,
    contacts::{self, Customer, CustomerGiven},
    numbering, vat_filings,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking,
    calendar::Quarter,
    country::CountryCode,
    decimal::{self, Decimal},
    entry::{JournalEntry, Source, SourceType},
    invoice::{self, Line, Priced, PricingError, VatGroup},
    money::Cents,
    vat::{VatCategory, VatRate},
};
use std::collections::HashMap;
use store::{
    Tx,
    books::{self, Books, Noun, QuarterTotals},
    invoices::{self as rows, Invoice, InvoiceFilter, Kind, Status, VatCorrection},
    journal, payments,
};

/// What is needed to make an invoice.
#[derive(Debug, Clone)]
pub struct NewInvoice {
    /// The caller's own identifier; the same again names the same invoice.
    pub external_id: Option<String>,
    /// Decides the VAT period and the rates that exist.
    pub invoice_date: Date,
    /// Draft or sent; both are booked, numbered and placed on the VAT return.
    pub status: Status,
    /// Who is to pay.
    pub customer: CustomerGiven,
    /// 1 to 500 lines.
    pub lines: Vec<LineGiven>,
    /// When it should be paid.
    pub due: Due,
    /// Printed on the invoice.
    pub reference: Option<String>,
    /// Printed on the invoice.
    pub notes: Option<String>,
}

/// A line as it is given: the category may be left to the rate and the customer's country.
#[derive(Debug, Clone)]
pub struct LineGiven {
    /// What was supplied.
    pub description: String,
    /// How many; negative for a discount.
    pub quantity: Decimal,
    /// Euros per unit, excluding VAT.
    pub unit_price: Decimal,
    /// A rate that exists on the invoice date.
    pub vat_rate: VatRate,
    /// Why the rate is what it is, where the rate alone does not say.
    pub vat_category: Option<VatCategory>,
}

/// When an invoice should be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// After the account's payment term.
    AccountTerm,
    /// So many days after the invoice date.
    Days(i64),
    /// On this day.
    On(Date),
}

/// An invoice with all that is told about it.
#[derive(Debug, Clone)]
pub struct InvoiceView {
    /// The invoice itself.
    pub invoice: Invoice,
    /// Its lines and their amounts.
    pub lines: Vec<(Line, Cents)>,
    /// Its VAT per rate and category.
    pub groups: Vec<VatGroup>,
    /// Its journal entries, oldest first.
    pub entry_ids: Vec<i64>,
}

/// Something that is legal but incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// What to do about it.
    pub message: &'static str,
}

impl InvoiceView {
    /// What is still to be received; negative when more was received or credited than invoiced.
    #[must_use]
    pub fn amount_due(&self) -> Cents {
        amount_due(&self.invoice)
    }

    /// Whether nothing is to be received any more. A draft is not paid.
    #[must_use]
    pub fn paid(&self) -> bool {
        is_paid(&self.invoice)
    }

    /// What is legal but incomplete.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let reverse = |line: &Line| matches!(line.vat_category, VatCategory::IntraCommunity | VatCategory::ReverseCharge);
        let mut warnings = Vec::new();
        if self.invoice.customer.vat_number.is_none() && self.lines.iter().any(|(line, _)| reverse(line)) {
            warnings.push(Warning {
                code: "customer_vat_number_missing",
                message: "VAT is reverse-charged to the customer, so the invoice must show the customer's VAT number \
                          (art. 35a Wet OB 1968); give customer.vatNumber",
            });
        }
        warnings
    }
}

/// What is still to be received on an invoice. A credit note is settled with the invoice that it takes back.
#[must_use]
pub fn amount_due(invoice: &Invoice) -> Cents {
    match invoice.kind {
        Kind::Invoice => invoice.total - invoice.amount_paid - invoice.amount_credited,
        Kind::CreditNote => Cents::ZERO,
    }
}

/// Whether nothing is to be received any more. A draft is not paid.
#[must_use]
pub fn is_paid(invoice: &Invoice) -> bool {
    invoice.status == Status::Sent && amount_due(invoice) <= Cents::ZERO
}

/// What an invoice adds to the sums of its quarter.
pub(crate) fn counted(invoice: &Invoice) -> QuarterTotals {
    let draft = invoice.status == Status::Draft;
    QuarterTotals {
        entries: 0,
        invoices: 1,
        drafts: i64::from(draft),
        draft_vat: if draft { invoice.vat_total } else { Cents::ZERO },
        paid: i64::from(invoice.kind == Kind::Invoice && is_paid(invoice)),
        outstanding: amount_due(invoice),
    }
}

/// Takes back from its quarter's sums what [`counted`] gave.
pub(crate) fn uncounted(invoice: &Invoice) -> QuarterTotals {
    let counted = counted(invoice);
    QuarterTotals {
        entries: -counted.entries,
        invoices: -counted.invoices,
        drafts: -counted.drafts,
        draft_vat: -counted.draft_vat,
        paid: -counted.paid,
        outstanding: -counted.outstanding,
    }
}

/// Creates an invoice: numbered, booked and placed on the VAT return, whether draft or sent.
///
/// # Errors
/// The account is not Dutch, the customer cannot be identified, an amount is out of range, the period's return is filed.
pub fn create(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewInvoice) -> Result<Created<InvoiceView>, Error> {
    actor.require_dutch()?;
    let number_year = command.invoice_date.year();
    let ground =
        |tx: &mut Tx<'_>| rows::ground(tx, actor.account, Kind::Invoice, command.external_id.as_deref(), command.invoice_date);
    let questions = |tx: &mut Tx<'_>| {
        drop(ground(tx));
        drop(contacts::identify(tx, actor.account, &command.customer));
    };
    books::change_foreseen(tx, actor.account, questions, |tx, books| {
        let ground = ground(tx)?;
        if let Some(known) = ground.known {
            return read(tx, actor, known).map(Created::Known);
        }
        let customer = contacts::identify(tx, actor.account, &command.customer);
        let country =
            customer.as_ref().map_or(command.customer.country.unwrap_or(CountryCode::NL), |customer| customer.party.country);
        let priced = price(country, &command.lines, command.invoice_date);
        let due_date = due_date(actor, command.invoice_date, command.due, "/paymentTermDays");
        let (customer, (lines, priced), due_date) = all_of(customer, priced, due_date)?;
        if ground.filed {
            return Err(Error::PeriodFiled(Quarter::of(command.invoice_date)));
        }
        let number_in_year = books.next_number(number_year, ground.last_number);
        let contact_id = contacts::ensure(tx, books, now, &customer)?;
        let invoice = Invoice {
            id: books.next_id(Noun::Invoice),
            external_id: command.external_id.clone(),
            kind: Kind::Invoice,
            number: print_number(actor, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: command.status,
            invoice_date: command.invoice_date,
            due_date,
            contact_id,
            customer: customer.party,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            paid_at: (command.status == Status::Sent && priced.total.is_zero()).then_some(command.invoice_date),
            credited_invoice_id: None,
            source: actor.door,
            created_at: now,
            updated_at: now,
        };
        book(tx, books, now, invoice, lines, priced, None).map(Created::New)
    })
}

/// Writes a new document with its journal entry, and counts it.
fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    now: Timestamp,
    invoice: Invoice,
    lines: Vec<Line>,
    priced: Priced,
    credits: Option<&str>,
) -> Result<InvoiceView, Error> {
    rows::insert(tx, books.account(), &invoice, &lines, &priced.line_amounts)?;
    let entry_id = books.append(tx, &entry(&invoice, &priced, credits), now)?;
    books.count(Quarter::of(invoice.invoice_date), counted(&invoice));
    let lines = lines.into_iter().zip(priced.line_amounts).collect();
    Ok(InvoiceView { invoice, lines, groups: priced.groups, entry_ids: vec![entry_id] })
}

fn entry(invoice: &Invoice, priced: &Priced, credits: Option<&str>) -> JournalEntry {
    let on = invoice.invoice_date;
    match invoice.kind {
        Kind::Invoice => booking::sales_invoice(source(invoice), &invoice.number, &invoice.customer.name, on, priced),
        Kind::CreditNote => booking::credit_note(source(invoice), &invoice.number, credits.unwrap_or(""), on, priced),
    }
}

fn source(invoice: &Invoice) -> Source {
    let kind = match invoice.kind {
        Kind::Invoice => SourceType::Invoice,
        Kind::CreditNote => SourceType::CreditNote,
    };
    Source { kind, id: invoice.id }
}

/// What an edit of a draft changes; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditInvoice {
    /// Sends the draft when `Sent`.
    pub status: Option<Status>,
    /// A new invoice date.
    pub invoice_date: Option<Date>,
    /// A new customer, as a whole.
    pub customer: Option<CustomerGiven>,
    /// New lines, as a whole.
    pub lines: Option<Vec<LineGiven>>,
    /// A new due date.
    pub due: Option<Due>,
    /// A new reference; `Some(None)` takes it away.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` takes them away.
    pub notes: Option<Option<String>>,
}

/// Edits a draft, or sends it. The old booking is reversed and a new one made; the number stays. `expected` looks at what is
/// there while nobody else can change it.
///
/// # Errors
/// There is no such invoice, it is not as expected, it is sent already, the values cannot be used, or a period that it touches is filed.
pub fn edit(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    id: i64,
    edit: &EditInvoice,
    expected: &dyn Fn(&InvoiceView) -> bool,
) -> Result<InvoiceView, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        let old = read(tx, actor, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        if old.invoice.status != Status::Draft {
            return Err(Error::NotADraft);
        }
        let mut invoice = old.invoice.clone();
        invoice.invoice_date = edit.invoice_date.unwrap_or(invoice.invoice_date);
        let customer = match &edit.customer {
            Some(given) => contacts::identify(tx, actor.account, given),
            None => Ok(Customer { contact_id: Some(invoice.contact_id), party: invoice.customer.clone() }),
        };
        let given: Vec<LineGiven> = match &edit.lines {
            Some(lines) => lines.clone(),
            None => old.lines.iter().map(|(line, _)| line_given_again(line, &old.invoice)).collect(),
        };
        let country = customer.as_ref().map_or(invoice.customer.country, |customer| customer.party.country);
        let priced = rates_known(&given, edit.lines.is_some(), invoice.invoice_date)
            .and_then(|()| price(country, &given, invoice.invoice_date));
        let due = match edit.due {
            Some(due) => due_date(actor, invoice.invoice_date, due, "/paymentTermDays"),
            // The term stays when the date moves.
            None => {
                let days = (old.invoice.due_date - old.invoice.invoice_date).get_days();
                due_date(actor, invoice.invoice_date, Due::Days(days.into()), "/invoiceDate")
            }
        };
        let (customer, (lines, priced), due_date) = all_of(customer, priced, due)?;
        invoice.due_date = due_date;
        let (from, to) = (old.invoice.invoice_date, invoice.invoice_date);
        vat_filings::require_open(tx, actor.account, from)?;
        vat_filings::require_open(tx, actor.account, to)?;
        invoice.contact_id = contacts::ensure(tx, books, now, &customer)?;
        invoice.customer = customer.party;
        invoice.reference = edit.reference.clone().unwrap_or(invoice.reference);
        invoice.notes = edit.notes.clone().unwrap_or(invoice.notes);
        invoice.status = edit.status.unwrap_or(invoice.status);
        (invoice.subtotal, invoice.vat_total, invoice.total) = (priced.subtotal, priced.vat_total, priced.total);
        invoice.paid_at = (invoice.status == Status::Sent && invoice.total.is_zero()).then_some(invoice.invoice_date);
        let lines_with_amounts: Vec<(Line, Cents)> = lines.iter().cloned().zip(priced.line_amounts.iter().copied()).collect();
        if invoice == old.invoice && lines_with_amounts == old.lines {
            // Nothing changes, and neither does when it last did.
            return Ok(old);
        }
        invoice.updated_at = now;
        rows::replace(tx, actor.account, &invoice, &lines, &priced.line_amounts)?;
        let (mut entry_ids, booked) = (old.entry_ids, entry(&invoice, &priced, None));
        let last = *entry_ids.last().ok_or_else(|| Error::Broken("an invoice without a journal entry".into()))?;
        let before = journal::by_id(tx, actor.account, last)?.ok_or_else(|| Error::Broken("a lost journal entry".into()))?;
        let same = before.entry.postings() == booked.postings()
            && before.entry.date() == booked.date()
            && before.entry.description() == booked.description();
        if !same {
            let description = format!("Reversal of: {}", before.entry.description());
            entry_ids.push(books.append(tx, &before.entry.reversal(last, before.entry.date(), description), now)?);
            entry_ids.push(books.append(tx, &booked, now)?);
        }
        books.count(Quarter::of(from), uncounted(&old.invoice));
        books.count(Quarter::of(to), counted(&invoice));
        Ok(InvoiceView { invoice, lines: lines_with_amounts, groups: priced.groups, entry_ids })
    })
}

/// Refuses rates that the law does not know on the day: of lines that are given, or because the invoice moves to that day.
fn rates_known(lines: &[LineGiven], given: bool, on: Date) -> Result<(), Error> {
    let fault = |(place, line): (usize, &LineGiven)| {
        let unknown = VatRate::from_percent(&line.vat_rate.percent(), on).err()?;
        let pointer = if given { format!("/items/{place}/vatRate") } else { "/invoiceDate".to_owned() };
        Some(Fault::new(pointer, "unknown_vat_rate", unknown.to_string()))
    };
    let mut faults: Vec<Fault> = lines.iter().enumerate().filter_map(fault).collect();
    if !given {
        faults.truncate(1);
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// A line of a draft as if it were given again. A category that is what the customer's country gives by itself is left to the country
/// again, so that it follows the customer: a sale to Belgium is none within the Netherlands.
fn line_given_again(line: &Line, draft: &Invoice) -> LineGiven {
    let by_itself = VatCategory::default_for(line.vat_rate, draft.customer.country, draft.invoice_date);
    LineGiven { vat_category: Some(line.vat_category).filter(|category| *category != by_itself), ..line_as_given(line) }
}

fn line_as_given(line: &Line) -> LineGiven {
    LineGiven {
        description: line.description.clone(),
        quantity: line.quantity,
        unit_price: line.unit_price,
        vat_rate: line.vat_rate,
        vat_category: Some(line.vat_category),
    }
}

/// What is needed to credit an invoice.
#[derive(Debug, Clone)]
pub struct NewCreditNote {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice to credit.
    pub invoice_id: i64,
    /// The credit note's own date; decides its VAT period.
    pub date: Date,
    /// Lines to credit, with positive amounts; none credits all that remains.
    pub lines: Option<Vec<LineGiven>>,
    /// Printed on the credit note.
    pub reason: Option<String>,
}

/// Credits a sent invoice, wholly or in part, with a document in the same number series.
///
/// # Errors
/// There is no such invoice, it is a draft, wholly credited, or less of it remains than is asked; the period is filed.
pub fn credit(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewCreditNote) -> Result<Created<InvoiceView>, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        let ground = rows::ground(tx, actor.account, Kind::CreditNote, command.external_id.as_deref(), command.date)?;
        if let Some(known) = ground.known {
            return read(tx, actor, known).map(Created::Known);
        }
        let credited = read(tx, actor, command.invoice_id)?;
        let remaining = credited.invoice.total - credited.invoice.amount_credited;
        if credited.invoice.kind == Kind::CreditNote {
            return Err(Error::IsACreditNote);
        }
        if credited.invoice.status == Status::Draft {
            return Err(Error::IsADraft);
        }
        if remaining <= Cents::ZERO {
            return Err(Error::AlreadyCredited);
        }
        let (lines, mut priced, left) = credit_lines(tx, actor, &credited, command)?;
        if lines.is_empty() {
            // What remains are cents of VAT that earlier credit notes rounded away; there is nothing left to put on a line.
            return Err(Error::AlreadyCredited);
        }
        let strange = strange_rates(&lines, &credited.groups);
        if !strange.is_empty() {
            return Err(Error::Invalid(strange));
        }
        let corrections = closing_corrections(&priced, &left);
        for correction in &corrections {
            priced.correct_vat(correction.rate, correction.category, correction.by);
        }
        if -priced.total > remaining {
            let message = format!("this would credit {}, but only {remaining} of the invoice remains", -priced.total);
            return Err(Error::fault("/items", "exceeds_outstanding", message));
        }
        let beyond = beyond_what_is_left(&priced, &left);
        if !beyond.is_empty() {
            return Err(Error::Invalid(beyond));
        }
        if ground.filed {
            return Err(Error::PeriodFiled(Quarter::of(command.date)));
        }
        let number_year = command.date.year();
        let number_in_year = books.next_number(number_year, ground.last_number);
        let note = Invoice {
            id: books.next_id(Noun::Invoice),
            external_id: command.external_id.clone(),
            kind: Kind::CreditNote,
            number: print_number(actor, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: Status::Sent,
            invoice_date: command.date,
            due_date: command.date,
            notes: command.reason.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            paid_at: Some(command.date),
            credited_invoice_id: Some(credited.invoice.id),
            source: actor.door,
            created_at: now,
            updated_at: now,
            ..credited.invoice.clone()
        };
        let mut after = credited.invoice.clone();
        after.amount_credited -= note.total;
        settle(tx, books, now, &credited.invoice, after, command.date)?;
        let made = book(tx, books, now, note, lines, priced, Some(&credited.invoice.number))?;
        rows::insert_vat_corrections(tx, actor.account, made.invoice.id, &corrections)?;
        Ok(Created::New(made))
    })
}

/// The lines of a credit note, those asked for or all that remains of the invoice; and what is left before it.
fn credit_lines(
    tx: &mut Tx<'_>,
    actor: &Actor,
    credited: &InvoiceView,
    command: &NewCreditNote,
) -> Result<(Vec<Line>, Priced, Vec<VatGroup>), Error> {
    let left = left_of(tx, actor, credited)?;
    let given: Vec<LineGiven> = match &command.lines {
        Some(lines) => lines.clone(),
        None if credited.invoice.amount_credited.is_zero() => {
            credited.lines.iter().map(|(line, _)| line_as_given(line)).collect()
        }
        None => remainder(&credited.invoice.number, &left),
    };
    // The rates are those of the invoice's own date: a credit note takes back what was charged then.
    let mut lines = with_categories(credited.invoice.customer.country, &given, credited.invoice.invoice_date);
    for line in &mut lines {
        line.quantity = -line.quantity;
    }
    let priced = invoice::price_credit_note(&lines, credited.invoice.invoice_date).map_err(pricing_error)?;
    Ok((lines, priced, left))
}

/// What earlier credit notes left of an invoice, per rate and category.
fn left_of(tx: &mut Tx<'_>, actor: &Actor, credited: &InvoiceView) -> Result<Vec<VatGroup>, Error> {
    let mut left = credited.groups.clone();
    if credited.invoice.amount_credited.is_zero() {
        return Ok(left);
    }
    for id in rows::credit_notes_of(tx, actor.account, credited.invoice.id)? {
        for group in read(tx, actor, id)?.groups {
            match left.iter_mut().find(|left| (left.rate, left.category) == (group.rate, group.category)) {
                Some(left) => {
                    left.base += group.base;
                    left.amount += group.amount;
                }
                None => left.push(group),
            }
        }
    }
    Ok(left)
}

/// Lines of a credit note at a rate or category that the invoice does not have: they would take back VAT that was never charged.
fn strange_rates(lines: &[Line], invoiced: &[VatGroup]) -> Vec<Fault> {
    let known = |line: &Line| invoiced.iter().any(|group| (group.rate, group.category) == (line.vat_rate, line.vat_category));
    let told = |(place, line): (usize, &Line)| {
        let has: Vec<String> =
            invoiced.iter().map(|group| format!("{} ({})", group.rate.percent(), group.category.as_str())).collect();
        let (rate, category) = (line.vat_rate.percent(), line.vat_category.as_str());
        let message = format!("the invoice has no line at {rate} per cent ({category}); it has {}", has.join(", "));
        Fault::new(format!("/items/{place}/vatRate"), "unknown_value", message)
    };
    lines.iter().enumerate().filter(|(_, line)| !known(line)).map(told).collect()
}

/// Rates and categories of which more would be taken back than is left: whatever the total, VAT that was never charged must not
/// come back.
fn beyond_what_is_left(note: &Priced, left: &[VatGroup]) -> Vec<Fault> {
    let told = |group: &VatGroup| {
        let left = left.iter().find(|left| (left.rate, left.category) == (group.rate, group.category))?;
        let (least, most) = (left.base.min(Cents::ZERO), left.base.max(Cents::ZERO));
        let (rate, category) = (group.rate.percent(), group.category.as_str());
        let message =
            format!("at {rate} per cent ({category}) {} of the invoice remains, excluding VAT, not {}", left.base, -group.base);
        let fits = (least..=most).contains(&-group.base);
        (!fits).then(|| Fault::new("/items", "exceeds_outstanding", message))
    };
    note.groups.iter().filter_map(told).collect()
}

/// By how much the VAT of a credit note differs where it takes back the last of a rate's base, so that no cent of VAT stays.
fn closing_corrections(note: &Priced, left: &[VatGroup]) -> Vec<VatCorrection> {
    let correction = |group: &VatGroup| {
        let left = left.iter().find(|left| (left.rate, left.category) == (group.rate, group.category))?;
        let by = -left.amount - group.amount;
        let closes = (left.base + group.base).is_zero() && !by.is_zero();
        closes.then_some(VatCorrection { rate: group.rate, category: group.category, by })
    };
    note.groups.iter().filter_map(correction).collect()
}

/// What is left of an invoice as lines, one per rate and category.
fn remainder(number: &str, left: &[VatGroup]) -> Vec<LineGiven> {
    let left = left.iter().filter(|group| !group.base.is_zero());
    left.map(|group| {
        let (quantity, unit_price) = as_quantity_and_price(group.base);
        let description = format!("Remainder of invoice {number}");
        LineGiven { description, quantity, unit_price, vat_rate: group.rate, vat_category: Some(group.category) }
    })
    .collect()
}

/// An amount as a line: one piece, or a hundred when a unit price cannot be that large.
fn as_quantity_and_price(amount: Cents) -> (Decimal, Decimal) {
    let one = Decimal::new(amount.get(), 2);
    if one.abs() <= decimal::max() { (Decimal::ONE, one) } else { (Decimal::ONE_HUNDRED, Decimal::new(amount.get(), 4)) }
}

/// Stores what was paid and credited, and counts the difference.
pub(crate) fn settle(
    tx: &mut Tx<'_>,
    books: &mut Books,
    now: Timestamp,
    before: &Invoice,
    mut after: Invoice,
    on: Date,
) -> Result<Invoice, Error> {
    after.paid_at = match (is_paid(&after), after.paid_at) {
        (false, _) => None,
        (true, Some(since)) => Some(since),
        // The last of its payments and credit notes by day, in whatever order they are recorded.
        (true, None) => payments::last_settled_on(tx, books.account(), after.id)?.max(Some(on)),
    };
    after.updated_at = now;
    rows::settle(tx, books.account(), &after)?;
    let quarter = Quarter::of(after.invoice_date);
    books.count(quarter, uncounted(before));
    books.count(quarter, counted(&after));
    Ok(after)
}

/// An invoice or credit note by its id.
///
/// # Errors
/// There is no such invoice in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<InvoiceView, Error> {
    let invoice = rows::by_id(tx, actor.account, id)?.ok_or(Error::NotFound("invoice"))?;
    let lines = rows::lines(tx, actor.account, id)?;
    let entry_ids = journal::ids_by_source(tx, actor.account, source(&invoice))?;
    let groups = groups(tx, actor, &invoice, &lines)?;
    Ok(InvoiceView { invoice, lines, groups, entry_ids })
}

/// Refuses what does not exist.
pub(crate) fn require(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<(), Error> {
    rows::by_id(tx, actor.account, id)?.map(drop).ok_or(Error::NotFound("invoice"))
}

/// Invoices and credit notes, newest first, those with an id below `before`.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &InvoiceFilter, before: i64, limit: i64) -> Result<Vec<InvoiceView>, Error> {
    let found = rows::list(tx, actor.account, filter, before, limit)?;
    let ids: Vec<i64> = found.iter().map(|invoice| invoice.id).collect();
    let mut lines: HashMap<i64, Vec<(Line, Cents)>> = HashMap::new();
    let mut entries: HashMap<i64, Vec<i64>> = HashMap::new();
    for (invoice, line, amount) in rows::lines_of(tx, actor.account, &ids)? {
        lines.entry(invoice).or_default().push((line, amount));
    }
    for (invoice, entry) in journal::ids_by_invoices(tx, actor.account, &ids)? {
        entries.entry(invoice).or_default().push(entry);
    }
    let view = |invoice: Invoice| {
        let lines = lines.remove(&invoice.id).unwrap_or_default();
        let groups = groups(tx, actor, &invoice, &lines)?;
        Ok(InvoiceView { entry_ids: entries.remove(&invoice.id).unwrap_or_default(), invoice, lines, groups })
    };
    found.into_iter().map(view).collect()
}

/// The VAT per rate and category follows from the lines; it is computed, not stored twice. Only what a closing credit note differs
/// by is stored.
fn groups(tx: &mut Tx<'_>, actor: &Actor, invoice: &Invoice, lines: &[(Line, Cents)]) -> Result<Vec<VatGroup>, Error> {
    let plain: Vec<Line> = lines.iter().map(|(line, _)| line.clone()).collect();
    let broken = |error| Error::Broken(format!("invoice {} does not add up: {error}", invoice.number));
    let Some(credited) = invoice.credited_invoice_id else {
        return Ok(invoice::price(&plain, invoice.invoice_date).map_err(broken)?.groups);
    };
    let credited = rows::by_id(tx, actor.account, credited)?.ok_or(Error::NotFound("invoice"))?;
    let mut priced = invoice::price_credit_note(&plain, credited.invoice_date).map_err(broken)?;
    for correction in rows::vat_corrections(tx, actor.account, invoice.id)? {
        priced.correct_vat(correction.rate, correction.category, correction.by);
    }
    Ok(priced.groups)
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, actor: &Actor, kind: Kind, external_id: Option<&str>) -> Result<Option<InvoiceView>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::id_by_external_id(tx, actor.account, kind, external_id)? {
        Some(id) => read(tx, actor, id).map(Some),
        None => Ok(None),
    }
}

/// All three, or the faults of all three together.
fn all_of<A, B, C>(a: Result<A, Error>, b: Result<B, Error>, c: Result<C, Error>) -> Result<(A, B, C), Error> {
    match (a, b, c) {
        (Ok(a), Ok(b), Ok(c)) => Ok((a, b, c)),
        (a, b, c) => {
            let mut faults = Vec::new();
            for error in [a.err(), b.err(), c.err()].into_iter().flatten() {
                match error {
                    Error::Invalid(more) => faults.extend(more),
                    other => return Err(other),
                }
            }
            Err(Error::Invalid(faults))
        }
    }
}

fn price(country: CountryCode, given: &[LineGiven], on: Date) -> Result<(Vec<Line>, Priced), Error> {
    let lines = with_categories(country, given, on);
    let priced = invoice::price(&lines, on).map_err(pricing_error)?;
    Ok((lines, priced))
}

fn with_categories(country: CountryCode, given: &[LineGiven], on: Date) -> Vec<Line> {
    given
        .iter()
        .map(|line| Line {
            description: line.description.clone(),
            quantity: line.quantity,
            unit_price: line.unit_price,
            vat_rate: line.vat_rate,
            vat_category: line.vat_category.unwrap_or_else(|| VatCategory::default_for(line.vat_rate, country, on)),
        })
        .collect()
}

fn pricing_error(error: PricingError) -> Error {
    let message = error.to_string();
    let fault = match error {
        PricingError::LineOutOfRange { line } => Fault::new(format!("/items/{line}"), "out_of_range", message),
        PricingError::RateWithCategory { line } => Fault::new(format!("/items/{line}/vatCategory"), "unknown_value", message),
        PricingError::TotalOutOfRange | PricingError::NegativeTotal => Fault::new("/items", "out_of_range", message),
    };
    Error::Invalid(vec![fault])
}

/// `term` is the field that a number of days came from.
fn due_date(actor: &Actor, invoice_date: Date, due: Due, term: &str) -> Result<Date, Error> {
    let after = |days: i64, field: &str| {
        let date = invoice_date.checked_add(days.days()).ok().filter(|date| date.year() <= 2099);
        let message = format!("{days} days after {invoice_date} is beyond the year 2099; the due date must be before 2100");
        date.ok_or_else(|| Error::fault(field, "out_of_range", message))
    };
    match due {
        Due::AccountTerm => after(actor.payment_term_days, "/invoiceDate"),
        Due::Days(days) => after(days, term),
        Due::On(date) if date < invoice_date => {
            let message = format!("the due date must not be before the invoice date, {invoice_date}");
            Err(Error::fault("/dueDate", "out_of_range", message))
        }
        Due::On(date) => Ok(date),
    }
}

fn print_number(actor: &Actor, year: i16, number: i64) -> Result<String, Error> {
    numbering::format(&actor.number_pattern, year, number).map_err(|error| Error::Broken(error.to_string()))
}
