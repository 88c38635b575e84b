//! Payments, write-offs and cancelled drafts in the model.

use crate::{
    books::{Account, Entry, Group, Invoice, Money, Moved, Posting, at, code, customers, last},
    cash::Event,
    commands::{Made, Touched, UndoneOn, cents, known, money},
    pricing::{accounts_of, fault, fault_at, rounded},
    sales::{Groups, in_order},
};
use jiff::{ToSpan, civil::Date};
use ledger::{cash_accounting::VatMethod, entry::SourceType, money::Cents};
use service::{
    BookingError, Error, Fault, InvoiceError, corrections::IfFiled, payments::NewPayment,
    write_offs::NewWriteOff,
};
use store::payments::VatMove;

/// Requires a sent invoice: only sent invoices can be paid.
pub(crate) fn require_sent(invoice: &Invoice) -> Result<(), Error> {
    match (invoice.credits, invoice.cancelled, invoice.sent) {
        (Some(_), ..) => Err(InvoiceError::IsACreditNote.into()),
        (None, true, _) => Err(InvoiceError::Cancelled.into()),
        (None, false, false) => Err(InvoiceError::IsADraft.into()),
        (None, false, true) => Ok(()),
    }
}

/// Divides a written-off amount over the groups by rounded running totals; returns the base and VAT
/// of each part.
pub(crate) fn parts(remaining: &Groups, written_off: Money) -> Vec<(Group, Money, Money)> {
    let total: Money = remaining.values().map(|(base, vat)| base + vat).sum();
    let (mut parts, mut until, mut given) = (Vec::new(), 0, 0);
    for (group, (base, vat)) in in_order(remaining) {
        let gross = base + vat;
        until += gross;
        let upto = if total == 0 { 0 } else { rounded(written_off * until, total) };
        let own = upto - given;
        given = upto;
        let of_vat = if gross == 0 { 0 } else { rounded(own * vat * gross.signum(), gross.abs()) };
        parts.push((group, own - of_vat, of_vat));
    }
    parts
}

/// Postings for a change in the written-off amount: cost, or prepayment, and VAT; for a total of at
/// most a euro, a payment difference. VAT of another country is a cost.
pub(crate) fn bad_debt(
    remaining: &Groups,
    (before, after): (Money, Money),
    prepayment: bool,
) -> Vec<Posting> {
    let small = |written_off: Money| if written_off <= 100 { written_off } else { 0 };
    let both = parts(remaining, before - small(before))
        .into_iter()
        .zip(parts(remaining, after - small(after)));
    let mut postings = vec![(code::ROUNDING, "", small(after) - small(before))];
    for ((group, base_before, vat_before), (_, base, vat)) in both {
        let (due, vat_box) = match accounts_of(&group) {
            (_, code::OTHER_EU_VAT, _) => (4340, ""),
            (_, 0, _) => (1720, ""),
            (_, due, vat_box) => (due, vat_box),
        };
        let account = if prepayment { 1620 } else { 4340 };
        postings.push((account, vat_box, base - base_before));
        postings.push((due, vat_box, vat - vat_before));
    }
    postings
}

/// Postings that move the VAT on a payment of `amount`, after payments of `before` whose VAT was
/// moved.
fn moved_vat(invoice: &Invoice, before: Money, amount: Money) -> Vec<Posting> {
    let total: Money = invoice.sums.groups.values().map(|(base, vat)| base + vat).sum();
    let shares = |paid: Money| parts(&invoice.sums.groups, paid.min(total));
    let mut postings = Vec::new();
    let mut vat_of_all = 0;
    for ((group, base_before, vat_before), (_, base, vat)) in
        shares(before).into_iter().zip(shares(before + amount))
    {
        let (base, vat) = (base - base_before, vat - vat_before);
        let (revenue, due, vat_box) = accounts_of(&group);
        if vat == 0 || vat_box.is_empty() {
            continue;
        }
        let account = if invoice.prepayment { 1620 } else { revenue };
        postings.extend([(account, vat_box, -base), (account, "", base), (due, vat_box, -vat)]);
        vat_of_all += vat;
    }
    if !postings.is_empty() {
        postings.push((code::VAT_BEFORE_INVOICE, "", vat_of_all));
    }
    postings
}

impl Account {
    /// Moves the VAT on a payment to the payment date, if that date is in an earlier period than
    /// the VAT date of the invoice.
    pub(crate) fn move_vat(
        &mut self,
        id: i64,
        payment: i64,
        (date, amount): (Date, Money),
    ) -> Result<VatMove, Error> {
        let invoice = at(&self.invoices, id).cloned().unwrap();
        let is_early = self.period_of(date) < self.period_of(invoice.vat_date);
        // Under cash accounting, the payment itself makes its VAT due.
        if invoice.opening
            || invoice.method == VatMethod::Cash
            || amount <= 0
            || !is_early
            || self.to_move(&invoice, id, amount).is_empty()
        {
            return Ok(VatMove::Nothing);
        }
        if self.is_filed(date) || self.is_filed(invoice.vat_date) {
            return Ok(VatMove::Waiting);
        }
        self.book_move(payment, &invoice, id, (date, amount), IfFiled::Refuse)
    }

    /// Postings that move the VAT on a payment, beyond the payments whose VAT was moved.
    fn to_move(&self, invoice: &Invoice, id: i64, amount: Money) -> Vec<Posting> {
        let moved = self.paid_on(id).filter(|other| other.vat_move == VatMove::Moved);
        let before: Money = moved.map(|other| cents(other.command.amount.unwrap())).sum();
        moved_vat(invoice, before, amount)
    }

    fn book_move(
        &mut self,
        payment: i64,
        invoice: &Invoice,
        id: i64,
        (date, amount): (Date, Money),
        how: IfFiled,
    ) -> Result<VatMove, Error> {
        let there = self.to_move(invoice, id, amount);
        if there.is_empty() {
            return Ok(VatMove::Nothing);
        }
        let back = there.iter().map(|(account, vat_box, amount)| (*account, *vat_box, -amount));
        for (day, postings) in [(date, there.clone()), (invoice.vat_date, back.collect())] {
            let entry = Entry {
                date: day,
                vat_date: day,
                description: format!("VAT on payment before invoice {}", invoice.number),
                source: (SourceType::VatMove, payment),
                reverses: None,
                corrects: None,
                postings,
            };
            self.book_as(entry, how)?;
        }
        Ok(VatMove::Moved)
    }

    /// Moves the VAT that could not be moved earlier, for the payments on an invoice.
    pub(crate) fn move_waiting(
        &mut self,
        id: i64,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let invoice = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        require_sent(&invoice)?;
        for place in 0..self.payments.len() {
            let payment = self.payments[place].clone();
            let waits = payment.command.invoice_id == id
                && payment.undone.is_none()
                && payment.vat_move == VatMove::Waiting;
            if !waits {
                continue;
            }
            let of = (payment.command.date, cents(payment.command.amount.unwrap()));
            touched.vat_days.extend([of.0, invoice.vat_date]);
            let payment = i64::try_from(place).unwrap() + 1;
            self.payments[place].vat_move = self.book_move(payment, &invoice, id, of, how)?;
        }
        Ok(Made::Nothing)
    }

    /// Payments on an invoice that have not been undone.
    pub(crate) fn paid_on(&self, invoice: i64) -> impl Iterator<Item = &Moved<NewPayment>> {
        self.payments.iter().filter(move |payment| {
            payment.command.invoice_id == invoice && payment.undone.is_none()
        })
    }

    pub(crate) fn mut_invoice(&mut self, id: i64) -> &mut Invoice {
        &mut self.invoices[usize::try_from(id - 1).unwrap()]
    }

    // Long: the model's rules for one command in order.
    pub(crate) fn pay(
        &mut self,
        command: &NewPayment,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        let external_id = command.external_id.as_ref();
        if let Some(id) =
            known(&self.payments, external_id, |payment| payment.command.external_id.as_ref())
        {
            return Ok(Made::Existing(id));
        }
        let id = command.invoice_id;
        let invoice = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        touched.vat_days.insert(invoice.date);
        require_sent(&invoice)?;
        let (due, balance, written_off) =
            (self.due_on(id), self.balance_of(id), invoice.written_off);
        let amount = command.amount.map_or(due, cents);
        let beyond = match amount {
            0 if due + written_off == 0 || command.amount.is_none() => Some("exceeds_outstanding"),
            0 => Some("out_of_range"),
            ..0 => (amount < balance).then_some("exceeds_outstanding"),
            _ if command.keeps_surplus => None,
            _ => (amount > due + written_off).then_some("exceeds_outstanding"),
        };
        let off = (command.date > today + 1.day()).then(|| fault_at("/date", "out_of_range"));
        let faults: Vec<Fault> =
            beyond.map(|code| fault_at("/amount", code)).into_iter().chain(off).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let recovered = amount.min(written_off).max(0);
        let payment = last(&self.payments) + 1;
        let remaining = self.remaining(id, &invoice);
        let mut postings = vec![(money(command.method, amount), "", amount)];
        let effect = self.happens(id, command.date, Event::Paid(payment, amount, recovered));
        postings.extend(effect.unwrap_or_else(|| {
            let totals = (written_off, written_off - recovered);
            bad_debt(&remaining, totals, invoice.prepayment)
        }));
        postings.extend(customers(balance, balance - amount + recovered));
        let (kind, what) = if amount < 0 {
            (SourceType::Refund, "Refund")
        } else {
            (SourceType::Payment, "Payment")
        };
        let entry = Entry {
            date: command.date,
            vat_date: self.due_again(id, recovered, command.date),
            description: format!("{what} on invoice {}", invoice.number),
            source: (kind, payment),
            reverses: None,
            corrects: None,
            postings,
        };
        let entry = self.book_as(entry, command.if_filed)?;
        let vat_move = self.move_vat(id, payment, (command.date, amount))?;
        let amount_reported = Some(Cents::new(i64::try_from(amount).unwrap()));
        let command = NewPayment { amount: amount_reported, ..command.clone() };
        let (on, how) = (command.date, command.if_filed);
        self.payments.push(Moved { command, entry, recovered, undone: None, vat_move });
        let invoice = self.mut_invoice(id);
        invoice.paid += amount;
        invoice.written_off -= recovered;
        self.settled(id, on);
        self.book_due(id, how)?;
        Ok(Made::New(payment))
    }

    /// Date on which VAT on a recovered bad debt becomes due again: no earlier than the write-off.
    fn due_again(&self, id: i64, recovered: Money, date: Date) -> Date {
        // Under cash accounting, the write-off gave no VAT back.
        let is_cash = at(&self.invoices, id).unwrap().method == VatMethod::Cash;
        if recovered == 0 || is_cash { date } else { self.last_write_off(id, date) }
    }

    /// Date of the last write-off of an invoice that is in force, or `date` if that is later.
    pub(crate) fn last_write_off(&self, id: i64, date: Date) -> Date {
        let its = self.write_offs.iter().filter(|made| made.command.invoice_id == id);
        let in_force = its.filter(|made| made.undone.is_none());
        in_force.filter_map(|made| made.command.date).fold(date, Date::max)
    }

    /// Date of a reversal: `on`, or by default the date of the document that is undone.
    pub(crate) fn day_of_undoing(date: Date, on: Option<Date>, today: Date) -> Result<Date, Error> {
        let day = on.unwrap_or(date);
        let wrong = [day < date, on.is_some_and(|on| on > today + 1.day())];
        let faults: Vec<Fault> = wrong
            .iter()
            .filter(|wrong| **wrong)
            .map(|_| fault_at("/date", "out_of_range"))
            .collect();
        if faults.is_empty() { Ok(day) } else { Err(Error::Invalid(faults)) }
    }

    pub(crate) fn undo(
        &mut self,
        (id, payment_id): (i64, i64),
        (on, how): UndoneOn,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let payment = at(&self.payments, payment_id)
            .cloned()
            .filter(|payment| payment.command.invoice_id == id);
        let payment = payment.ok_or(Error::NotFound("payment"))?;
        touched.invoices.insert(id);
        if payment.undone.is_some() {
            return Ok(Made::Nothing);
        }
        let day = Self::day_of_undoing(payment.command.date, on, today)?;
        touched.vat_days.insert(day);
        let invoice = at(&self.invoices, id).cloned().unwrap();
        touched.vat_days.insert(invoice.date);
        let (balance, written_off, amount) =
            (self.balance_of(id), invoice.written_off, cents(payment.command.amount.unwrap()));
        if invoice.paid < amount {
            return Err(InvoiceError::PaidBack.into());
        }
        let remaining = self.remaining(id, &invoice);
        let whole: Money = remaining.values().map(|(base, vat)| base + vat).sum();
        if payment.recovered != 0 && whole < written_off + payment.recovered {
            return Err(InvoiceError::AlreadyCredited.into());
        }
        let mut postings = vec![(money(payment.command.method, amount), "", -amount)];
        let effect = self.happens(id, day, Event::Unpaid(payment_id));
        postings.extend(effect.unwrap_or_else(|| {
            let totals = (written_off, written_off + payment.recovered);
            bad_debt(&remaining, totals, invoice.prepayment)
        }));
        postings.extend(customers(balance, balance + amount - payment.recovered));
        let booked = at(&self.journal, payment.entry).unwrap();
        let (description, source) = (format!("Reversal of: {}", booked.description), booked.source);
        let vat_date = self.due_again(id, payment.recovered, day);
        let entry = Entry {
            date: day,
            vat_date,
            description,
            source,
            reverses: Some(payment.entry),
            corrects: None,
            postings,
        };
        let entry = self.book_as(entry, how)?;
        if payment.vat_move == VatMove::Moved && day < invoice.vat_date {
            for id in self.standing((SourceType::VatMove, payment_id)) {
                let entry = self.joined(id);
                if entry.date >= day {
                    self.reverse_as(id, how)?;
                } else {
                    self.book_as(entry.reversal(id, day), how)?;
                }
            }
        }
        self.payments[usize::try_from(payment_id - 1).unwrap()].undone = Some(entry);
        let invoice = self.mut_invoice(id);
        invoice.paid -= amount;
        invoice.written_off += payment.recovered;
        self.settled(id, day);
        self.book_due(id, how)?;
        Ok(Made::Nothing)
    }

    pub(crate) fn write_off(
        &mut self,
        command: &NewWriteOff,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let external_id = command.external_id.as_ref();
        if let Some(id) =
            known(&self.write_offs, external_id, |made| made.command.external_id.as_ref())
        {
            return Ok(Made::Existing(id));
        }
        let id = command.invoice_id;
        let invoice = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        require_sent(&invoice)?;
        let date = command.date.unwrap_or(today.max(invoice.date));
        touched.vat_days.extend([invoice.date, date]);
        let (balance, remaining) = (self.balance_of(id), self.remaining(id, &invoice));
        let gross =
            |groups: &Groups| -> Money { groups.values().map(|(base, vat)| base + vat).sum() };
        let lost = if invoice.prepayment {
            gross(&self.remaining_to_set_off(id, &invoice))
        } else {
            gross(&remaining) - invoice.written_off
        };
        let due = self.due_on(id).min(lost.max(0));
        let amount = command.amount.map_or(due, cents);
        let beyond =
            (amount <= 0 || amount > due).then(|| fault_at("/amount", "exceeds_outstanding"));
        let early = (date < invoice.date).then(|| fault_at("/date", "out_of_range"));
        let late = command
            .date
            .is_some_and(|date| date > today + 1.day())
            .then(|| fault_at("/date", "out_of_range"));
        let faults: Vec<Fault> = beyond.into_iter().chain(early).chain(late).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let made = last(&self.write_offs) + 1;
        let effect = self.happens(id, date, Event::WrittenOff(made, amount));
        let mut postings = effect.unwrap_or_else(|| {
            let totals = (invoice.written_off, invoice.written_off + amount);
            bad_debt(&remaining, totals, invoice.prepayment)
        });
        postings.extend(customers(balance, balance - amount));
        let entry = Entry {
            date,
            vat_date: date,
            description: format!("Write-off of invoice {}", invoice.number),
            source: (SourceType::WriteOff, made),
            reverses: None,
            corrects: None,
            postings,
        };
        let how = command.if_filed;
        let entry = self.book_as(entry, how)?;
        let reported = Some(Cents::new(i64::try_from(amount).unwrap()));
        let command = NewWriteOff { amount: reported, date: Some(date), ..command.clone() };
        let (recovered, vat_move) = (0, VatMove::Nothing);
        self.write_offs.push(Moved { command, entry, recovered, undone: None, vat_move });
        self.mut_invoice(id).written_off += amount;
        self.settled(id, date);
        self.book_due(id, how)?;
        Ok(Made::New(made))
    }

    pub(crate) fn undo_write_off(
        &mut self,
        (id, made): (i64, i64),
        (on, how): UndoneOn,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let write_off =
            at(&self.write_offs, made).cloned().filter(|made| made.command.invoice_id == id);
        let write_off = write_off.ok_or(Error::NotFound("write-off"))?;
        touched.invoices.insert(id);
        if write_off.undone.is_some() {
            return Ok(Made::Nothing);
        }
        let day = Self::day_of_undoing(write_off.command.date.unwrap(), on, today)?;
        let invoice = at(&self.invoices, id).cloned().unwrap();
        touched.vat_days.extend([day, invoice.date]);
        let amount = cents(write_off.command.amount.unwrap());
        if invoice.written_off < amount {
            return Err(fault("", "exceeds_outstanding"));
        }
        let (remaining, balance) = (self.remaining(id, &invoice), self.balance_of(id));
        let effect = self.happens(id, day, Event::Restored(made));
        let mut postings = effect.unwrap_or_else(|| {
            let totals = (invoice.written_off, invoice.written_off - amount);
            bad_debt(&remaining, totals, invoice.prepayment)
        });
        postings.extend(customers(balance, balance + amount));
        let booked = at(&self.journal, write_off.entry).unwrap();
        let (description, source) = (format!("Reversal of: {}", booked.description), booked.source);
        let entry = Entry {
            date: day,
            vat_date: day,
            description,
            source,
            reverses: Some(write_off.entry),
            corrects: None,
            postings,
        };
        let entry = self.book_as(entry, how)?;
        self.write_offs[usize::try_from(made - 1).unwrap()].undone = Some(entry);
        self.mut_invoice(id).written_off -= amount;
        self.settled(id, day);
        self.book_due(id, how)?;
        Ok(Made::Nothing)
    }

    pub(crate) fn cancel(
        &mut self,
        id: i64,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let draft = at(&self.invoices, id).cloned().ok_or(Error::NotFound("invoice"))?;
        touched.invoices.insert(id);
        touched.vat_days.extend([draft.date, draft.vat_date]);
        if draft.opening {
            return Err(BookingError::IsOpeningItem.into());
        }
        if draft.cancelled {
            return Ok(Made::Nothing);
        }
        if draft.sent {
            return Err(InvoiceError::NotADraft.into());
        }
        self.reverse_as(self.standing((SourceType::Invoice, id))[0], how)?;
        self.mut_invoice(id).cancelled = true;
        let suspended = self.suspend(id);
        self.settle_kor(suspended, None, id, how)?;
        self.book_due(id, how)?;
        Ok(Made::Nothing)
    }
}
