//! What the model says of invoices, credit notes and payments.

use crate::{
    books::{Account, Done, Entry, Invoice, Line, Money, at, code, last, tidy},
    deeds::{Made, Touched, cents, known, money, two_sided},
    pricing::{by_country, fault, price, sale},
};
use jiff::{ToSpan, civil::Date};
use ledger::{calendar::Quarter, country::CountryCode, decimal::Decimal, entry::SourceType, money::Cents};
use service::{
    Error, Fault,
    contacts::CustomerGiven,
    invoices::{Due, EditInvoice, LineGiven, NewCreditNote, NewInvoice},
    payments::NewPayment,
};
use std::cmp::Reverse;
use store::{contacts::Party, invoices::Status};

/// The customer of an invoice: the contact's id, if there is one, and what the invoice keeps.
fn identify(account: &Account, given: &CustomerGiven) -> Result<(Option<i64>, Party), Error> {
    let id = match (&given.external_id, &given.name) {
        (Some(_), _) => known(&account.contacts, given.external_id.as_ref(), |party| party.external_id.as_ref()),
        (None, Some(name)) => {
            let country = given.country.unwrap_or(CountryCode::NL);
            let fits = |party: &Party| party.external_id.is_none() && party.name == *name && party.country == country;
            account.contacts.iter().position(fits).map(|place| i64::try_from(place).unwrap() + 1)
        }
        (None, None) => None,
    };
    let base = id.and_then(|id| at(&account.contacts, id));
    let name = given.name.clone().or(base.map(|party| party.name.clone()));
    let party = Party {
        external_id: given.external_id.clone(),
        name: name.ok_or_else(|| fault("/customer/name", "required"))?,
        country: given.country.or(base.map(|party| party.country)).unwrap_or(CountryCode::NL),
        email: given.email.clone().or(base.and_then(|party| party.email.clone())),
        vat_number: given.vat_number.clone().or(base.and_then(|party| party.vat_number.clone())),
        kvk_number: given.kvk_number.clone().or(base.and_then(|party| party.kvk_number.clone())),
        contact_person: given.contact_person.clone().or(base.and_then(|party| party.contact_person.clone())),
        street: given.street.clone().or(base.and_then(|party| party.street.clone())),
        postal_code: given.postal_code.clone().or(base.and_then(|party| party.postal_code.clone())),
        city: given.city.clone().or(base.and_then(|party| party.city.clone())),
    };
    Ok((id, party))
}

fn contact(account: &mut Account, id: Option<i64>, party: &Party) -> i64 {
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
    let found = date.checked_add(days.days()).ok().filter(|date| date.year() < 2100);
    found.ok_or_else(|| fault(field, "out_of_range"))
}

/// The faults of all, when there are any.
fn together<A, B, C>(a: Result<A, Error>, b: Result<B, Error>, c: Result<C, Error>) -> Result<(A, B, C), Error> {
    if a.is_err() || b.is_err() || c.is_err() {
        let errors = [a.err(), b.err(), c.err()].into_iter().flatten();
        let faults = errors.flat_map(|error| match error {
            Error::Invalid(faults) => faults,
            other => panic!("{other}"),
        });
        return Err(Error::Invalid(faults.collect()));
    }
    Ok((a?, b?, c?))
}

impl Account {
    fn next_number(&mut self, date: Date) -> String {
        let number = self.series.entry(date.year()).or_default();
        *number += 1;
        format!("{}-{number:04}", date.year())
    }

    pub(crate) fn invoice(&mut self, command: &NewInvoice, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(Quarter::of(command.invoice_date));
        if let Some(id) =
            known(&self.invoices, command.external_id.as_ref(), |it| it.external_id.as_ref().filter(|_| it.credits.is_none()))
        {
            touched.invoices.insert(id);
            return Ok(Made::Known(id));
        }
        let customer = identify(self, &command.customer);
        let country = customer.as_ref().map_or(command.customer.country.unwrap_or(CountryCode::NL), |(_, party)| party.country);
        let priced = price(&command.lines, country, false);
        let due_date = due_date(command.invoice_date, command.due, "/paymentTermDays");
        let ((contact_id, customer), (lines, sums), due_date) = together(customer, priced, due_date)?;
        self.require_open(command.invoice_date)?;
        let contact = contact(self, contact_id, &customer);
        let number = self.next_number(command.invoice_date);
        let sent = command.status == Status::Sent;
        self.write(
            Invoice {
                external_id: command.external_id.clone(),
                credits: None,
                number,
                sent,
                date: command.invoice_date,
                due_date,
                contact,
                customer,
                reference: command.reference.clone(),
                notes: command.notes.clone(),
                lines,
                paid: 0,
                credited: 0,
                paid_at: (sent && sums.total == 0).then_some(command.invoice_date),
                sums,
                entries: Vec::new(),
            },
            touched,
        )
    }

    /// Books a new document.
    fn write(&mut self, mut invoice: Invoice, touched: &mut Touched) -> Result<Made, Error> {
        let id = last(&self.invoices) + 1;
        let entry = self.entry(id, &invoice);
        invoice.entries.push(self.book(entry));
        self.invoices.push(invoice);
        touched.invoices.insert(id);
        Ok(Made::New(id))
    }

    fn entry(&self, id: i64, invoice: &Invoice) -> Entry {
        let (kind, description) = match invoice.credits.and_then(|credited| at(&self.invoices, credited)) {
            Some(credited) => (SourceType::CreditNote, format!("Credit note {} on invoice {}", invoice.number, credited.number)),
            None => (SourceType::Invoice, format!("Invoice {}, {}", invoice.number, invoice.customer.name)),
        };
        Entry { date: invoice.date, description, source: (kind, id), reverses: None, postings: sale(&invoice.sums) }
    }

    pub(crate) fn edit(&mut self, id: i64, edit: &EditInvoice, touched: &mut Touched) -> Result<Made, Error> {
        let old = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        touched.quarters.insert(Quarter::of(old.date));
        if old.sent {
            return Err(Error::NotADraft);
        }
        let mut new = old.clone();
        new.date = edit.invoice_date.unwrap_or(old.date);
        touched.quarters.insert(Quarter::of(new.date));
        let customer = match &edit.customer {
            Some(given) => identify(self, given),
            None => Ok((Some(old.contact), old.customer.clone())),
        };
        let country = customer.as_ref().map_or(old.customer.country, |(_, party)| party.country);
        let given = edit.lines.clone().unwrap_or_else(|| as_given(&old));
        let priced = price(&given, country, false);
        let due = match edit.due {
            Some(due) => due_date(new.date, due, "/paymentTermDays"),
            None => due_date(new.date, Due::Days((old.due_date - old.date).get_days().into()), "/invoiceDate"),
        };
        let contact_id;
        ((contact_id, new.customer), (new.lines, new.sums), new.due_date) = together(customer, priced, due)?;
        self.require_open(old.date)?;
        self.require_open(new.date)?;
        new.contact = contact(self, contact_id, &new.customer);
        new.reference = edit.reference.clone().unwrap_or(old.reference);
        new.notes = edit.notes.clone().unwrap_or(old.notes);
        new.sent = edit.status == Some(Status::Sent);
        new.paid_at = (new.sent && new.sums.total == 0).then_some(new.date);
        let mut entry = self.entry(id, &new);
        tidy(&mut entry.postings);
        let booked = *new.entries.last().unwrap();
        if at(&self.journal, booked) != Some(&entry) {
            new.entries.push(self.reverse(booked, "Reversal of"));
            new.entries.push(self.book(entry));
        }
        self.invoices[usize::try_from(id - 1).unwrap()] = new;
        Ok(Made::Nothing)
    }

    pub(crate) fn credit(&mut self, command: &NewCreditNote, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(Quarter::of(command.date));
        if let Some(id) =
            known(&self.invoices, command.external_id.as_ref(), |it| it.external_id.as_ref().filter(|_| it.credits.is_some()))
        {
            touched.invoices.insert(id);
            return Ok(Made::Known(id));
        }
        let id = command.invoice_id;
        let invoice = at(&self.invoices, id).ok_or(Error::NotFound("invoice"))?;
        if invoice.credits.is_some() {
            return Err(Error::IsACreditNote);
        }
        let invoice = invoice.clone();
        touched.invoices.insert(id);
        touched.quarters.insert(Quarter::of(invoice.date));
        if !invoice.sent {
            return Err(Error::IsADraft);
        }
        let remaining = invoice.sums.total - invoice.credited;
        if remaining <= 0 {
            return Err(Error::AlreadyCredited);
        }
        let given = match &command.lines {
            Some(lines) => lines.clone(),
            None if invoice.credited == 0 => as_given(&invoice),
            None => self.remainder(id, &invoice),
        };
        let (lines, mut sums) = price(&given, invoice.customer.country, true)?;
        if lines.is_empty() {
            return Err(Error::AlreadyCredited);
        }
        let strange =
            lines.iter().enumerate().filter(|(_, line)| !invoice.sums.groups.contains_key(&(line.given.vat_rate, line.category)));
        let faults: Vec<_> =
            strange.map(|(place, _)| Fault::new(format!("/items/{place}/vatRate"), "unknown_value", "")).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // Partial credit notes are rounded one by one; the one that takes back the last of a base takes back the rest of its VAT.
        for (group, (base, vat)) in &mut sums.groups {
            let taken: Vec<_> = self.notes_on(id).filter_map(|note| note.sums.groups.get(group)).collect();
            let Some((whole_base, whole_vat)) = invoice.sums.groups.get(group) else { continue };
            let left_base = whole_base + taken.iter().map(|(base, _)| base).sum::<Money>();
            let left_vat = whole_vat + taken.iter().map(|(_, vat)| vat).sum::<Money>();
            if left_base + *base == 0 {
                let difference = -left_vat - *vat;
                *vat += difference;
                sums.vat += difference;
                sums.total += difference;
            }
        }
        if -sums.total > remaining {
            return Err(fault("/items", "exceeds_outstanding"));
        }
        // Of each rate and category at most what is left, and in the same direction.
        let mut groups: Vec<_> = sums.groups.iter().collect();
        groups.sort_by_key(|((rate, category), _)| (Reverse(*rate), *category));
        let beyond = groups.into_iter().filter(|(group, (base, _))| {
            let whole = invoice.sums.groups.get(group).map_or(0, |(base, _)| *base);
            let taken: Money = self.notes_on(id).filter_map(|note| note.sums.groups.get(group)).map(|(base, _)| base).sum();
            let (left, back) = (whole + taken, -base);
            back.signum() * left.signum() < 0 || back.abs() > left.abs()
        });
        let faults: Vec<_> = beyond.map(|_| Fault::new("/items", "exceeds_outstanding", "")).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        self.require_open(command.date)?;
        let number = self.next_number(command.date);
        let credited = &mut self.invoices[usize::try_from(id - 1).unwrap()];
        credited.credited -= sums.total;
        self.settled(id, command.date);
        let note = Invoice {
            external_id: command.external_id.clone(),
            credits: Some(id),
            number,
            date: command.date,
            due_date: command.date,
            notes: command.reason.clone(),
            lines,
            sums,
            paid: 0,
            credited: 0,
            paid_at: Some(command.date),
            entries: Vec::new(),
            ..invoice
        };
        self.write(note, touched)
    }

    /// What credit notes left of an invoice, a line per rate and category.
    fn remainder(&self, id: i64, invoice: &Invoice) -> Vec<LineGiven> {
        let mut left: Vec<_> = invoice.sums.groups.iter().map(|(group, (base, _))| (*group, *base)).collect();
        left.sort_by_key(|((rate, category), _)| (Reverse(*rate), *category));
        for note in self.notes_on(id) {
            let mut taken: Vec<_> = note.sums.groups.iter().collect();
            taken.sort_by_key(|((rate, category), _)| (Reverse(*rate), *category));
            for (group, (base, _)) in taken {
                match left.iter_mut().find(|(its, _)| its == group) {
                    Some((_, left)) => *left += base,
                    None => left.push((*group, *base)),
                }
            }
        }
        let line = |((vat_rate, category), base): (_, Money)| {
            // A price is at most a billion; more than that is a hundred pieces.
            let (quantity, decimals) = if base.abs() > 100_000_000_000 { (100, 4) } else { (1, 2) };
            let unit_price = Decimal::new(i64::try_from(base).unwrap(), decimals);
            let description = format!("Remainder of invoice {}", invoice.number);
            LineGiven { description, quantity: quantity.into(), unit_price, vat_rate, vat_category: Some(category) }
        };
        left.into_iter().filter(|(_, base)| *base != 0).map(line).collect()
    }

    /// Notes on what day an invoice became paid, the latest of its payments and credit notes, or that it is not.
    fn settled(&mut self, id: i64, on: Date) {
        let paid = self.due_on(id) <= 0;
        let payments =
            self.payments.iter().filter(|payment| payment.command.invoice_id == id).map(|payment| payment.command.date);
        let last = payments.chain(self.notes_on(id).map(|note| note.date)).chain([on]).max().unwrap();
        let invoice = &mut self.invoices[usize::try_from(id - 1).unwrap()];
        invoice.paid_at = if paid { invoice.paid_at.or(Some(last)) } else { None };
    }

    pub(crate) fn pay(&mut self, command: &NewPayment, touched: &mut Touched) -> Result<Made, Error> {
        touched.quarters.insert(Quarter::of(command.date));
        let external_id = command.external_id.as_ref();
        if let Some(id) = known(&self.payments, external_id, |payment| payment.command.external_id.as_ref()) {
            return Ok(Made::Known(id));
        }
        let id = command.invoice_id;
        let invoice = at(&self.invoices, id).ok_or(Error::NotFound("invoice"))?;
        if invoice.credits.is_some() {
            return Err(Error::IsACreditNote);
        }
        touched.invoices.insert(id);
        touched.quarters.insert(Quarter::of(invoice.date));
        if !invoice.sent {
            return Err(Error::IsADraft);
        }
        let due = self.due_on(id);
        let amount = command.amount.map_or(due, cents);
        if amount <= 0 || amount > due {
            return Err(fault("/amount", "exceeds_outstanding"));
        }
        self.require_open(command.date)?;
        let payment = last(&self.payments) + 1;
        let entry = self.book(Entry {
            date: command.date,
            description: format!("Payment on invoice {}", at(&self.invoices, id).unwrap().number),
            source: (SourceType::Payment, payment),
            reverses: None,
            postings: two_sided(money(command.method, amount), code::RECEIVABLES, amount),
        });
        let amount_told = Some(Cents::new(i64::try_from(amount).unwrap()));
        self.payments.push(Done { command: NewPayment { amount: amount_told, ..command.clone() }, entry });
        self.invoices[usize::try_from(id - 1).unwrap()].paid += amount;
        self.settled(id, command.date);
        Ok(Made::New(payment))
    }
}

/// The lines of a draft as if they were given again: a category that the customer's country gives by itself follows the customer.
fn as_given(draft: &Invoice) -> Vec<LineGiven> {
    let again = |line: &Line| {
        let by_itself = by_country(line.given.vat_rate, draft.customer.country);
        LineGiven { vat_category: Some(line.category).filter(|category| *category != by_itself), ..line.given.clone() }
    };
    draft.lines.iter().map(again).collect()
}
