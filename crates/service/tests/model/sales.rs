//! Invoices, credit notes and payments in the model.

use crate::{
    books::{Account, Entry, Group, Invoice, Line, Money, Sums, at, code, customers, last, netted},
    cash::{Changes, Event},
    commands::{Made, Touched, known},
    money::{parts, require_sent},
    oss::{Consumer, unknown_rates},
    pricing::{
        classify, fault, fault_at, group_of, is_service, price, rounding, sale, taken, vat_of,
    },
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    cash_accounting::VatMethod,
    country::CountryCode,
    decimal::Decimal,
    discount::Discount,
    entry::SourceType,
    vat::{Exemption, Supply, VatCategory, VatRate},
};
use service::{
    BookingError, Error, Fault, InvoiceError,
    contacts::CustomerInput,
    corrections::IfFiled,
    invoices::{CreditedLine, Due, EditInvoice, LineInput, NewCreditNote, NewInvoice, TaxPlace},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use store::{contacts::Party, invoices::Status};

/// Customer of an invoice: the contact's id, if there is one, and the details that the invoice
/// stores.
pub(crate) fn identify(
    account: &Account,
    input: &CustomerInput,
) -> Result<(Option<i64>, Party), Error> {
    let id = match (input.external_id(), &input.party.name) {
        (Some(external_id), _) => {
            known(&account.contacts, Some(external_id), |party| party.external_id.as_ref())
        }
        (None, Some(name)) => {
            let country = input.party.country.unwrap_or(CountryCode::NL);
            let fits = |party: &Party| {
                party.external_id.is_none() && party.name == *name && party.country == country
            };
            account.contacts.iter().position(fits).map(|place| i64::try_from(place).unwrap() + 1)
        }
        (None, None) => None,
    };
    let base = id.and_then(|id| at(&account.contacts, id));
    let new = || input.party.name.clone().map(Party::named);
    let base = base.cloned().or_else(new).ok_or_else(|| fault("/customer/name", "required"))?;
    let party = input.party.applied_to(base);
    if party.kind.as_deref() == Some("consumer") && party.vat_number.is_some() {
        return Err(fault("/customer/kind", "conflicting_fields"));
    }
    Ok((id, Party { external_id: input.external_id().cloned(), ..party }))
}

pub(crate) fn contact(account: &mut Account, id: Option<i64>, party: &Party) -> i64 {
    id.unwrap_or_else(|| {
        account.contacts.push(party.clone());
        last(&account.contacts)
    })
}

fn due_date(date: Date, due: Due, term: &str) -> Result<Date, Error> {
    let (days, field) = match due {
        Due::AccountTerm => (30, "/invoiceDate"),
        Due::Days(days) => (days, term),
        Due::On(on) if on < date => return Err(fault("/dueDate", "out_of_range")),
        Due::On(on) => return Ok(on),
    };
    let due = date.checked_add(days.days()).ok().filter(|date| date.year() < 2100);
    due.ok_or_else(|| fault(field, "out_of_range"))
}

/// Combines three results. If any of them is invalid, returns the faults of all of them.
fn together<A, B, C>(
    a: Result<A, Error>,
    b: Result<B, Error>,
    c: Result<C, Error>,
) -> Result<(A, B, C), Error> {
    if a.is_err() || b.is_err() || c.is_err() {
        let mut faults = Vec::new();
        for error in [a.err(), b.err(), c.err()].into_iter().flatten() {
            match error {
                Error::Invalid(more) => faults.extend(more),
                other => return Err(other),
            }
        }
        return Err(Error::Invalid(faults));
    }
    Ok((a?, b?, c?))
}

fn supply_days(days: (Option<Date>, Option<Date>)) -> Result<(), Error> {
    match days {
        (None, Some(_)) => Err(fault("/supplyDate", "required")),
        (Some(first), Some(last)) if last < first => Err(fault("/supplyUntil", "out_of_range")),
        _ => Ok(()),
    }
}

/// Date on which the VAT on an invoice is due.
fn vat_date(invoiced: Date, (first, last): (Option<Date>, Option<Date>), lines: &[Line]) -> Date {
    let Some(supplied) = last.or(first) else { return invoiced };
    let next_month = supplied.first_of_month().checked_add(1.month()).unwrap();
    let deadline = next_month.checked_add(14.days()).unwrap();
    let of_line = |line: &Line| {
        let eu_service =
            line.category.public() == VatCategory::IntraCommunity && is_service(line.supply);
        if eu_service { supplied } else { invoiced.min(deadline) }
    };
    lines.iter().map(of_line).min().unwrap()
}

/// Supply dates of a draft after an edit. If a draft without a supply date is sent with a new
/// invoice date, its old invoice date becomes the supply date.
fn supplied_after(old: &Invoice, edit: &EditInvoice) -> (Option<Date>, Option<Date>) {
    let first = edit.supply_date.unwrap_or(old.supplied.0);
    let last = edit.supply_until.unwrap_or(old.supplied.1);
    let sent_later =
        edit.status == Some(Status::Sent) && edit.invoice_date.is_some_and(|date| date != old.date);
    if sent_later && edit.supply_date.is_none() && first.is_none() {
        (Some(old.date), last)
    } else {
        (first, last)
    }
}

impl Account {
    fn next_number(&mut self, date: Date) -> String {
        let number = self.series.entry(date.year()).or_default();
        *number += 1;
        format!("{}-{number:04}", date.year())
    }

    // Long: the model's rules for one command in order.
    pub(crate) fn invoice(
        &mut self,
        command: &NewInvoice,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(command.invoice_date);
        if let Some(id) = known(&self.invoices, command.external_id.as_ref(), |it| {
            it.external_id.as_ref().filter(|_| it.credits.is_none())
        }) {
            touched.invoices.insert(id);
            return Ok(Made::Existing(id));
        }
        let customer = identify(self, &command.customer);
        let typed = command.customer.party.country.unwrap_or(CountryCode::NL);
        let buyer = customer
            .as_ref()
            .map_or_else(|_| Consumer::of_country(typed), |(_, party)| Consumer::from(party));
        let days = (command.supply.first, command.supply.last);
        let supplied = days.1.or(days.0).unwrap_or(command.invoice_date);
        let known_contact = customer.as_ref().ok().and_then(|(id, _)| *id);
        let set_off = match &customer {
            Ok(_) => self.set_off(&command.terms.sets_off, known_contact),
            Err(_) => Ok(Vec::new()),
        };
        let priced = set_off.as_ref().map_err(again).and_then(|set_off| {
            let lines: Vec<Line> = set_off.iter().map(|(_, line)| line.clone()).collect();
            let given = self.resolve(buyer, &command.lines, (supplied, None))?;
            let given = (&given[..], command.particulars.discount);
            self.sale(given, buyer.country, &lines, (supplied, None))
        });
        let priced = priced.and_then(|priced| supply_days(days).map(|()| priced));
        let own = customer.as_ref().ok().and_then(|(_, party)| party.payment_term_days.clone());
        let own = own.filter(|_| command.due == Due::AccountTerm);
        let due_date = match own {
            Some(days) => {
                due_date(command.invoice_date, Due::Days(days.parse().unwrap()), "/invoiceDate")
            }
            None => due_date(command.invoice_date, command.due, "/paymentTermDays"),
        };
        let ((contact_id, customer), ((lines, sums), ending), due_date) =
            together(customer, priced, due_date)?;
        let vat_date = vat_date(command.invoice_date, days, &lines);
        let contact = contact(self, contact_id, &customer);
        let number = self.next_number(command.invoice_date);
        let sent = command.status == Status::Sent;
        let id = last(&self.invoices) + 1;
        self.settle_kor(None, ending, id, command.if_filed)?;
        let mut invoice = Invoice {
            external_id: command.external_id.clone(),
            credits: None,
            number,
            sent,
            date: command.invoice_date,
            due_date,
            supplied: days,
            vat_date,
            contact,
            customer,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            discount: command.particulars.discount,
            lines,
            prepayment: command.terms.prepayment,
            set_off: set_off
                .unwrap_or_default()
                .iter()
                .map(|(id, line)| (*id, group(line), line.amount))
                .collect(),
            paid: 0,
            credited: 0,
            written_off: 0,
            cancelled: false,
            far: self.far(today, command.invoice_date),
            paid_at: (sent && sums.total == 0).then_some(command.invoice_date),
            sums,
            opening: false,
            method: VatMethod::Invoice,
            events: Vec::new(),
            changes: Changes::new(),
        };
        invoice.method = self.method_of(&invoice);
        let made = self.write(invoice, command.if_filed, touched)?;
        self.book_due(id, command.if_filed)?;
        Ok(made)
    }

    /// Books a new document.
    fn write(
        &mut self,
        invoice: Invoice,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let id = last(&self.invoices) + 1;
        let entry = self.entry(id, &invoice);
        self.book_as(entry, how)?;
        self.invoices.push(invoice);
        touched.invoices.insert(id);
        Ok(Made::New(id))
    }

    pub(crate) fn entry(&self, id: i64, invoice: &Invoice) -> Entry {
        let (kind, description) =
            match invoice.credits.and_then(|credited| at(&self.invoices, credited)) {
                Some(credited) => (
                    SourceType::CreditNote,
                    format!("Credit note {} on invoice {}", invoice.number, credited.number),
                ),
                None => (
                    SourceType::Invoice,
                    format!("Invoice {}, {}", invoice.number, invoice.customer.name),
                ),
            };
        let mut postings = sale(invoice);
        match invoice.credits.map(|credited| self.balance_of(credited)) {
            Some(before) => postings.extend(customers(before, before + invoice.sums.total)),
            None => postings.push((code::RECEIVABLES, "", invoice.sums.total)),
        }
        Entry {
            date: invoice.date,
            vat_date: invoice.vat_date,
            description,
            source: (kind, id),
            reverses: None,
            corrects: None,
            postings,
        }
    }

    // Long: the model's rules for one command in order.
    pub(crate) fn edit(
        &mut self,
        id: i64,
        edit: &EditInvoice,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let old = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        touched.vat_days.extend([old.date, old.vat_date]);
        if old.opening {
            return Err(BookingError::IsOpeningItem.into());
        }
        if old.cancelled {
            return Err(InvoiceError::Cancelled.into());
        }
        if old.sent {
            return Err(InvoiceError::NotADraft.into());
        }
        let mut new = old.clone();
        new.date = edit.invoice_date.unwrap_or(old.date);
        touched.vat_days.insert(new.date);
        if new.date != old.date {
            new.far = self.far(today, new.date);
        }
        let customer = match &edit.customer {
            Some(given) => identify(self, given),
            None => Ok((Some(old.contact), old.customer.clone())),
        };
        new.discount = edit.particulars.discount.unwrap_or(old.discount);
        let buyer = customer
            .as_ref()
            .map_or_else(|_| Consumer::from(&old.customer), |(_, party)| Consumer::from(party));
        let mut given = edit.lines.clone().unwrap_or_else(|| as_given(&old));
        let suspended = self.suspend(id);
        new.supplied = supplied_after(&old, edit);
        let supplied = new.supplied.1.or(new.supplied.0).unwrap_or(new.date);
        if edit.lines.is_none() && self.kor_of(supplied, Some(id)).is_none() {
            for line in &mut given {
                line.exemption = line.exemption.filter(|exemption| *exemption != Exemption::Kor);
            }
        }
        let unknown = if edit.lines.is_some() { unknown_rates(&given) } else { Vec::new() };
        let resolved = if unknown.is_empty() {
            self.resolve(buyer, &given, (supplied, Some(id)))
        } else {
            Err(Error::Invalid(unknown))
        };
        let priced = resolved
            .and_then(|given| {
                let given = (&given[..], new.discount);
                self.sale(given, buyer.country, &[], (supplied, Some(id)))
            })
            .and_then(|priced| supply_days(new.supplied).map(|()| priced));
        let due = match edit.due {
            Some(due) => due_date(new.date, due, "/paymentTermDays"),
            None => due_date(
                new.date,
                Due::Days((old.due_date - old.date).get_days().into()),
                "/invoiceDate",
            ),
        };
        let contact_id;
        let ending;
        ((contact_id, new.customer), ((new.lines, new.sums), ending), new.due_date) =
            together(customer, priced, due)?;
        self.settle_kor(suspended, ending, id, edit.if_filed)?;
        new.vat_date = vat_date(new.date, new.supplied, &new.lines);
        new.method = self.method_of(&new);
        let entry = self.entry(id, &new);
        let booked = self.standing((SourceType::Invoice, id))[0];
        let before = self.joined(booked);
        let sends = edit.status == Some(Status::Sent);
        let plain = |entry: &Entry| Entry { postings: netted(&entry.postings), ..entry.clone() };
        let declared = self.is_declared(before.vat_date, &before.postings);
        if plain(&before) != plain(&entry) {
            if sends && declared && netted(&before.postings) == netted(&entry.postings) {
                // The booking on a filed return stays unchanged: sending the draft changes only the
                // printed document.
                new.vat_date = old.vat_date;
            } else {
                self.replace_as(booked, entry, edit.if_filed)?;
            }
        }
        touched.vat_days.insert(new.vat_date);
        new.contact = contact(self, contact_id, &new.customer);
        new.reference = edit.reference.clone().unwrap_or(old.reference);
        new.notes = edit.notes.clone().unwrap_or(old.notes);
        new.sent = edit.status == Some(Status::Sent);
        new.paid_at = (new.sent && new.sums.total == 0).then_some(new.date);
        *self.mut_invoice(id) = new;
        self.book_due(id, edit.if_filed)?;
        Ok(Made::Nothing)
    }

    pub(crate) fn credit(
        &mut self,
        command: &NewCreditNote,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        if let Some(id) = known(&self.invoices, command.external_id.as_ref(), |it| {
            it.external_id.as_ref().filter(|_| it.credits.is_some())
        }) {
            touched.invoices.insert(id);
            return Ok(Made::Existing(id));
        }
        let id = command.invoice_id;
        let invoice = at(&self.invoices, id).ok_or(Error::NotFound("invoice"))?;
        if invoice.credits.is_some() {
            return Err(InvoiceError::IsACreditNote.into());
        }
        let invoice = invoice.clone();
        let date = command.date.unwrap_or(today.max(invoice.date));
        touched.invoices.insert(id);
        touched.vat_days.extend([invoice.date, date]);
        require_sent(&invoice)?;
        if invoice.written_off != 0 {
            return Err(InvoiceError::IsWrittenOff.into());
        }
        if invoice.opening {
            return self.credit_opening_item(command, invoice, (date, today), touched);
        }
        let remaining = if invoice.prepayment {
            self.remaining_to_set_off(id, &invoice)
        } else {
            self.remaining(id, &invoice)
        };
        let is_covered = !invoice.set_off.is_empty()
            && remaining == invoice.sums.groups
            && self.notes_on(id).next().is_none();
        if remaining.values().all(|remaining| *remaining == (0, 0)) && !is_covered {
            let is_set_off = invoice.prepayment
                && self.remaining(id, &invoice).values().any(|remaining| *remaining != (0, 0));
            return Err(if is_set_off {
                InvoiceError::IsSetOff.into()
            } else {
                InvoiceError::AlreadyCredited.into()
            });
        }
        let early = (date < invoice.date).then(|| fault_at("/date", "out_of_range"));
        let notes = self.back(id);
        let given = match &command.lines {
            Some(lines) => filled(lines, &invoice, &notes)?,
            None if remaining == invoice.sums.groups && notes.is_empty() => {
                (1..).zip(&invoice.lines).map(|(number, line)| whole(number, line)).collect()
            }
            None => remaining_lines(&invoice, &notes, &remaining)
                .unwrap_or_else(|| remainder(&invoice, &remaining)),
        };
        let (lines, sums) = taken_back(&given, &invoice, &notes, &remaining, early)?;
        self.credit_with(command, (invoice, (lines, sums)), (date, today), touched)
    }

    /// Creates a credit note with the given lines.
    fn credit_with(
        &mut self,
        command: &NewCreditNote,
        (invoice, (lines, sums)): (Invoice, (Vec<Line>, Sums)),
        (date, today): (Date, Date),
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let id = command.invoice_id;
        let number = self.next_number(date);
        let note = Invoice {
            external_id: command.external_id.clone(),
            credits: Some(id),
            number,
            date,
            due_date: date,
            vat_date: date,
            notes: command.reason.clone(),
            discount: Discount::None,
            lines,
            sums,
            // A credit note for the whole invoice releases its prepayments.
            set_off: invoice.set_off.iter().map(|(id, group, base)| (*id, *group, -base)).collect(),
            opening: false,
            paid: 0,
            credited: 0,
            written_off: 0,
            far: self.far(today, date),
            paid_at: Some(date),
            events: Vec::new(),
            changes: Changes::new(),
            ..invoice
        };
        let (back, groups) = (note.sums.total, note.sums.groups.clone());
        let made = self.write(note, command.if_filed, touched)?;
        self.mut_invoice(id).credited -= back;
        self.settled(id, date);
        self.happens(id, date, Event::Credited(groups));
        self.book_due(id, command.if_filed)?;
        Ok(made)
    }

    /// Credits an invoice from before the books began, of which only the amount is known.
    fn credit_opening_item(
        &mut self,
        command: &NewCreditNote,
        invoice: Invoice,
        (date, today): (Date, Date),
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let remaining = invoice.sums.total - invoice.credited;
        if remaining <= 0 {
            return Err(InvoiceError::AlreadyCredited.into());
        }
        let mut faults: Vec<Fault> =
            (date < invoice.date).then(|| fault_at("/date", "out_of_range")).into_iter().collect();
        let Some(lines) = &command.lines else {
            faults.push(fault_at("/items", "required"));
            return Err(Error::Invalid(faults));
        };
        let rounding = vec![0; lines.len()];
        let (lines, sums) =
            price((lines, Discount::None), invoice.customer.country, true, false, &[], &rounding)?;
        if sums.total > 0 {
            return Err(fault("/items", "out_of_range"));
        }
        if -sums.total > remaining {
            faults.push(fault_at("/items", "exceeds_outstanding"));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        self.credit_with(command, (invoice, (lines, sums)), (date, today), touched)
    }

    /// Remaining base and VAT of an invoice after its credit notes, per rate and category.
    pub(crate) fn remaining(&self, id: i64, invoice: &Invoice) -> Groups {
        if invoice.opening {
            // The VAT of an open item is unknown, so a write-off makes the whole item a cost.
            return Groups::from([(
                (VatRate::ZERO, VatCategory::OutOfScope, None, None),
                (invoice.sums.total - invoice.credited, 0),
            )]);
        }
        let mut remaining = invoice.sums.groups.clone();
        for (group, (base, vat)) in self.notes_on(id).flat_map(|note| &note.sums.groups) {
            let remaining = remaining.get_mut(group).unwrap();
            *remaining = (remaining.0 + base, remaining.1 + vat);
        }
        remaining
    }

    /// Lines of the credit notes on an invoice, with the signs of the quantities reversed.
    fn back(&self, id: i64) -> Vec<LineInput> {
        let lines = self.notes_on(id).flat_map(|note| &note.lines).map(exactly);
        lines.map(|line| LineInput { quantity: -line.quantity, ..line }).collect()
    }

    /// Part of a prepayment that has been neither credited, written off nor set off.
    pub(crate) fn remaining_to_set_off(&self, id: i64, invoice: &Invoice) -> Groups {
        let mut remaining = self.remaining(id, invoice);
        if invoice.written_off > 100 {
            for (key, base, vat) in parts(&remaining, invoice.written_off) {
                let group = remaining.get_mut(&key).unwrap();
                *group = (group.0 - base, group.1 - vat);
            }
        }
        for (group, (base, vat)) in &mut remaining {
            let taken = self
                .invoices
                .iter()
                .filter(|other| !other.cancelled)
                .flat_map(|other| &other.set_off);
            let taken: Money =
                taken.filter(|(of, its, _)| (*of, its) == (id, group)).map(|(.., base)| base).sum();
            if taken != 0 {
                *base += taken;
                *vat = vat_of(*base, group.0);
            }
        }
        remaining
    }

    /// Lines that set off prepayments, each with the id of the prepayment.
    fn set_off(&self, ids: &[i64], contact: Option<i64>) -> Result<Vec<(i64, Line)>, Error> {
        let (mut lines, mut faults) = (Vec::new(), Vec::new());
        for (place, id) in ids.iter().enumerate() {
            let at_place = |code| fault_at(format!("/prepaymentInvoiceIds/{place}"), code);
            let fits = |invoice: &&Invoice| {
                let is_prepayment = invoice.prepayment
                    && invoice.credits.is_none()
                    && invoice.sent
                    && !invoice.cancelled;
                is_prepayment && Some(invoice.contact) == contact && !ids[..place].contains(id)
            };
            let Some(prepayment) = at(&self.invoices, *id).filter(fits) else {
                faults.push(at_place("unknown_value"));
                continue;
            };
            let remaining = self.remaining_to_set_off(*id, prepayment);
            if remaining.values().all(|remaining| *remaining == (0, 0)) {
                faults.push(at_place("exceeds_outstanding"));
                continue;
            }
            for ((vat_rate, category, supply, country), (base, _)) in
                in_order(&remaining).into_iter().filter(|(_, (base, _))| *base != 0)
            {
                let (quantity, decimals) =
                    if base.abs() > 100_000_000_000 { (100, 4) } else { (1, 2) };
                let words = if is_english(prepayment) {
                    "Less: prepayment, invoice"
                } else {
                    "Af: voorschot, factuur"
                };
                let given = LineInput {
                    description: format!("{words} {}", prepayment.number),
                    quantity: Decimal::from(-quantity),
                    unit_price: Decimal::new(i64::try_from(base).unwrap(), decimals),
                    vat_rate,
                    vat_category: Some(category),
                    exemption: None,
                    supply: Some(supply.unwrap_or(Supply::Services)),
                    place: TaxPlace { country, standard_rate: false },
                    account: None,
                    unit: None,
                    discount: Discount::None,
                    credits: None,
                    article: None,
                };
                lines.push((
                    *id,
                    Line {
                        given,
                        category,
                        supply: supply.unwrap_or(Supply::Services),
                        amount: -base,
                    },
                ));
            }
        }
        if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
    }

    /// Records the date on which an invoice was fully paid (the date of its latest payment or
    /// credit note), or clears that date if the invoice is not paid.
    pub(crate) fn settled(&mut self, id: i64, on: Date) {
        let paid = self.due_on(id) <= 0 && at(&self.invoices, id).unwrap().written_off == 0;
        let payments = self.paid_on(id).map(|payment| payment.command.date);
        let last =
            payments.chain(self.notes_on(id).map(|note| note.date)).chain([on]).max().unwrap();
        let invoice = &mut self.invoices[usize::try_from(id - 1).unwrap()];
        invoice.paid_at = if paid { invoice.paid_at.or(Some(last)) } else { None };
    }
}

/// Rate, category and supply of a line.
pub(crate) fn group(line: &Line) -> Group {
    group_of(&line.given, line.category, line.supply)
}

/// Copies a validation error.
fn again(error: &Error) -> Error {
    match error {
        Error::Invalid(faults) => Error::Invalid(faults.clone()),
        other => panic!("{other}"),
    }
}

pub(crate) type Groups = BTreeMap<Group, (Money, Money)>;

/// Groups in the order of an invoice: highest rate first.
pub(crate) fn in_order(groups: &Groups) -> Vec<(Group, (Money, Money))> {
    let mut sorted: Vec<_> = groups.iter().map(|(group, amounts)| (*group, *amounts)).collect();
    sorted.sort_by_key(|((rate, category, supply, country), _)| {
        (Reverse(*rate), *category, *supply, *country)
    });
    sorted
}

/// Lines of an invoice less its credit notes, if they add up to the whole remainder.
fn remaining_lines(
    invoice: &Invoice,
    notes: &[LineInput],
    remaining: &Groups,
) -> Option<Vec<LineInput>> {
    let mut rest: Vec<LineInput> =
        (1..).zip(&invoice.lines).map(|(number, line)| whole(number, line)).collect();
    for (line, taken) in rest.iter_mut().zip(taken(&invoice.lines, notes).0) {
        line.quantity -= taken;
    }
    rest.retain(|line| !line.quantity.is_zero());
    let (_, sums) = taken_back(&rest, invoice, notes, remaining, None).ok()?;
    let is_all = remaining.iter().all(|(group, (base, vat))| {
        sums.groups.get(group).copied().unwrap_or_default() == (-base, -vat)
    });
    is_all.then_some(rest)
}

/// Lines and totals of a credit note, or all its faults.
///
/// Each partial credit note is rounded on its own. It credits at most the remaining VAT; if it
/// credits the rest of a base, it also credits the rest of the VAT on it.
// Long: the model's rules for one command in order.
fn taken_back(
    given: &[LineInput],
    invoice: &Invoice,
    notes: &[LineInput],
    remaining: &Groups,
    early: Option<Fault>,
) -> Result<(Vec<Line>, Sums), Error> {
    let mut faults: Vec<Fault> = early.into_iter().collect();
    let mut given = given.to_vec();
    for line in &mut given {
        // If only one group of the invoice matches the line, its category, exemption and supply are
        // the defaults.
        let fits = |category: VatCategory| {
            line.vat_category.is_none_or(|own| [category, category.public()].contains(&own))
                && line.exemption.is_none_or(|own| Some(own) == category.exemption())
        };
        let kinds: Vec<_> = remaining
            .keys()
            .filter(|(rate, category, _, country)| {
                let named = line.place.country.filter(|_| country.is_some());
                (line.place.standard_rate || *rate == line.vat_rate)
                    && (named.is_none() || named == *country)
                    && fits(*category)
            })
            .collect();
        // Otherwise the invoiced line with the same description and price has them.
        let is_same = |of: &&Line| {
            (&of.given.description, of.given.unit_price) == (&line.description, line.unit_price)
                && (line.place.standard_rate || of.given.vat_rate == line.vat_rate)
        };
        let same = invoice.lines.iter().find(is_same);
        let same = same.filter(|of| kinds.iter().any(|kind| **kind == group(of)));
        let kind = match kinds[..] {
            [kind] => Some(kind),
            _ => same.and_then(|same| kinds.into_iter().find(|kind| **kind == group(same))),
        };
        if let Some(kind) = kind {
            let (rate, category, supply, _) = kind;
            line.vat_category = Some(*category);
            line.exemption = category.exemption();
            line.supply = line.supply.or(same.map_or(*supply, |same| Some(same.supply)));
            line.vat_rate = *rate;
            // The country is that of all invoiced lines of the group.
            let own = invoice.lines.iter().filter(|of| group(of) == *kind);
            let countries: BTreeSet<_> = own.map(|of| of.given.place.country).collect();
            let country = countries.first().copied().flatten().filter(|_| countries.len() == 1);
            line.place = TaxPlace { country, standard_rate: false };
        }
    }
    let missing = given.iter().enumerate().filter(|(_, line)| line.place.standard_rate);
    let missing: Vec<Fault> =
        missing.map(|(place, _)| fault_at(format!("/items/{place}/vatRate"), "required")).collect();
    if !missing.is_empty() {
        return Err(Error::Invalid(missing));
    }
    let given = &given;
    let mut can_be_compared = true;
    for (place, line) in given.iter().enumerate() {
        let (category, supply) = classify(line, invoice.customer.country, false);
        if !remaining.contains_key(&group_of(line, category, supply)) {
            faults.push(fault_at(format!("/items/{place}/vatRate"), "unknown_value"));
            can_be_compared = false;
        }
    }
    let classified = |line: &LineInput| {
        let (category, supply) = classify(line, invoice.customer.country, false);
        let line = LineInput { vat_category: Some(category), ..line.clone() };
        (group_of(&line, category, supply), line)
    };
    let back: Vec<_> = given.iter().map(classified).collect();
    let all: Vec<LineInput> =
        notes.iter().cloned().chain(back.iter().map(|(_, line)| line.clone())).collect();
    let (_, amounts, discounted) = taken(&invoice.lines, &all);
    let credited = (&amounts[notes.len()..], &discounted[notes.len()..]);
    let by = rounding(&back, credited, remaining);
    let given = (&given[..], Discount::None);
    let (lines, mut sums) = match price(given, invoice.customer.country, true, false, &[], &by) {
        Ok(priced) => priced,
        Err(Error::Invalid(more)) => {
            return Err(Error::Invalid(faults.into_iter().chain(more).collect()));
        }
        Err(other) => return Err(other),
    };
    let as_given = sums.total;
    for (group, (base, vat)) in &mut sums.groups {
        let Some((remaining_base, remaining_vat)) = remaining.get(group) else { continue };
        let back = if remaining_base + *base == 0 {
            *remaining_vat
        } else {
            (-*vat).clamp((*remaining_vat).min(0), (*remaining_vat).max(0))
        };
        let difference = -back - *vat;
        *vat += difference;
        sums.vat += difference;
        sums.total += difference;
    }
    // A credit may not exceed the remainder per rate and category, and must have the same sign.
    let beyond = |group: &Group, back: Money| {
        let Some((remaining, _)) = remaining.get(group) else { return false };
        back.signum() * remaining.signum() < 0 || back.abs() > remaining.abs()
    };
    let too_much = in_order(&sums.groups)
        .into_iter()
        .filter(|(group, (base, _))| beyond(group, -base))
        .count();
    if (if too_much == 0 { sums.total } else { as_given }) > 0 {
        faults.push(fault_at("/items", "out_of_range"));
        can_be_compared = false;
    }
    if !can_be_compared {
        return Err(Error::Invalid(faults));
    }
    let remaining: Money = remaining.values().map(|(base, vat)| base + vat).sum();
    faults.extend(vec![
        fault_at("/items", "exceeds_outstanding");
        too_much.max(usize::from(-sums.total > remaining))
    ]);
    if faults.is_empty() { Ok((lines, sums)) } else { Err(Error::Invalid(faults)) }
}

/// Whether an invoice was sent in English: the language of its customer, unless it is an open item
/// of the opening balance.
fn is_english(invoice: &Invoice) -> bool {
    !invoice.opening && invoice.customer.language.as_deref() == Some("en")
}

/// Remainder of an invoice, one line per rate and category.
fn remainder(invoice: &Invoice, remaining: &Groups) -> Vec<LineInput> {
    let line = |((vat_rate, category, supply, country), (base, _)): (Group, (Money, Money))| {
        // A price is at most a billion; larger amounts are split into a hundred pieces.
        let (quantity, decimals) = if base.abs() > 100_000_000_000 { (100, 4) } else { (1, 2) };
        let unit_price = Decimal::new(i64::try_from(base).unwrap(), decimals);
        let words =
            if is_english(invoice) { "Remainder of invoice" } else { "Restant van factuur" };
        let description = format!("{words} {}", invoice.number);
        LineInput {
            description,
            quantity: quantity.into(),
            unit_price,
            vat_rate,
            vat_category: Some(category),
            exemption: None,
            supply,
            place: TaxPlace { country, standard_rate: false },
            account: None,
            unit: None,
            discount: Discount::None,
            credits: None,
            article: None,
        }
    };
    in_order(remaining).into_iter().filter(|(_, (base, _))| *base != 0).map(line).collect()
}

/// Fills in the lines of a credit note that name a line of the invoice.
fn filled(
    lines: &[LineInput],
    invoice: &Invoice,
    notes: &[LineInput],
) -> Result<Vec<LineInput>, Error> {
    let (mut taken, ..) = taken(&invoice.lines, notes);
    let (mut filled, mut faults) = (Vec::new(), Vec::new());
    for (place, line) in lines.iter().enumerate() {
        let Some(credits) = line.credits else {
            filled.push(line.clone());
            continue;
        };
        let index = usize::try_from(credits.number - 1).unwrap();
        let own = &invoice.lines[index];
        let rest = own.given.quantity - taken[index];
        let quantity = if credits.has_quantity { line.quantity } else { rest };
        let is_beyond = quantity.abs() > rest.abs() || quantity * rest < Decimal::ZERO;
        let is_nothing = quantity.is_zero() && !own.given.quantity.is_zero();
        if is_beyond || is_nothing {
            faults.push(fault_at(format!("/items/{place}/quantity"), "out_of_range"));
        }
        taken[index] += quantity;
        let description = line.description.clone();
        filled.push(LineInput { description, quantity, ..whole(credits.number, own) });
    }
    if faults.is_empty() { Ok(filled) } else { Err(Error::Invalid(faults)) }
}

/// A whole line of an invoice, which a credit note names.
fn whole(number: i64, line: &Line) -> LineInput {
    let credits = CreditedLine { number, has_quantity: true, has_price: true };
    LineInput { discount: Discount::None, credits: Some(credits), ..exactly(line) }
}

/// A line with its category and supply spelled out.
fn exactly(line: &Line) -> LineInput {
    LineInput {
        vat_category: Some(line.category),
        exemption: line.category.exemption(),
        supply: Some(line.supply),
        ..line.given.clone()
    }
}

/// Lines of a draft as if entered again: values that follow from the customer's country change
/// with the customer.
fn as_given(draft: &Invoice) -> Vec<LineInput> {
    let again = |line: &Line| {
        if line.category.exemption().is_some() {
            return LineInput { vat_category: Some(VatCategory::Exempt), ..exactly(line) };
        }
        if line.category == VatCategory::Oss {
            return crate::oss::as_entered(exactly(line), draft);
        }
        let own = (line.category.public(), line.supply);
        let (category, supply) = (Some(own.0), Some(own.1));
        let said = [(None, None), (None, supply), (category, None), (category, supply)];
        let lines = said.map(|(vat_category, supply)| LineInput {
            vat_category,
            exemption: None,
            supply,
            ..line.given.clone()
        });
        let entered = lines
            .into_iter()
            .find(|line| classify(line, draft.customer.country, false) == own)
            .unwrap_or_else(|| LineInput { vat_category: Some(own.0), ..exactly(line) });
        // A taxed line stays taxed here, even if the Union scheme is the default by now.
        let is_taxed = own.0 == VatCategory::Standard;
        let vat_category = if is_taxed { category } else { entered.vat_category };
        LineInput { vat_category, ..entered }
    };
    draft.lines.iter().map(again).collect()
}
