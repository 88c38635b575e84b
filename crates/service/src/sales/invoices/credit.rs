//! Credit notes, which reverse lines of an invoice but no more than its remainder.

use super::{
    BroughtForward, CreditedLine, Document, InvoiceDetails, LineInput, TaxPlace, balance, book,
    entry, find_by_external_id, line_input,
    one_stop_shop::is_declared_by_oss,
    prepayment::remaining_to_set_off,
    pricing::{as_quantity_and_price, classified, not_revenue, pricing_error},
    print_number, read, remaining_of, require_sent, settle,
};
use crate::{
    Context, Created, Error, Fault, InvoiceError, Reason, cash_accounting, context,
    corrections::{self, IfFiled},
    days,
    document_snapshots::{language_of, own_language, record_sent},
    oss_turnover, quote_invoices,
};
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    country::CountryCode,
    credit_lines::{self, Credited},
    credit_note::{self, VatCorrection},
    decimal::{self, Decimal},
    discount::Discount,
    invoice::{GroupKey, Line, Priced, Prices, VatGroup},
    language::Language,
    money::Cents,
    vat::VatCategory,
};
use store::{
    Tx,
    books::IdSequence,
    invoices::{self as rows, Invoice, InvoiceKind, Particulars, Status},
    time, vat_corrections,
};

/// Input for a new credit note.
#[derive(Debug, Clone)]
pub struct NewCreditNote {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the invoice to credit.
    pub invoice_id: i64,
    /// Date of the credit note; determines its VAT period. Defaults to today, or to the invoice
    /// date if that is later.
    pub date: Option<Date>,
    /// Lines to credit, with positive amounts. Defaults to the remainder of the invoice.
    pub lines: Option<Vec<LineInput>>,
    /// Reason, which is printed on the credit note.
    pub reason: Option<String>,
    /// Action if the VAT return for the period that contains the date has been filed.
    pub if_filed: IfFiled,
}

/// Parsed fields of a credit note request that has invalid fields.
#[derive(Debug, Clone)]
pub struct PartialCreditNote {
    /// Date.
    pub date: Option<Date>,
    /// Lines to credit, if they could be parsed.
    pub lines: Option<Vec<LineInput>>,
}

/// Credit note without a number.
struct Draft {
    date: Date,
    lines: Vec<Line>,
    priced: Priced,
    corrections: Vec<VatCorrection>,
}

/// Credits a sent invoice in full or in part, with a document in the same number series.
///
/// # Errors
/// There is no such invoice, it is a draft, it is fully credited, it is written off, the lines
/// exceed its remainder, the date is before that of the invoice, or the period is filed and
/// `if_filed` does not allow a correction.
// Long: all rules of the command, in the order in which they apply.
pub fn credit(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewCreditNote,
) -> Result<Created<InvoiceDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) =
            find_by_external_id(tx, cx, InvoiceKind::CreditNote, command.external_id.as_deref())?
        {
            return Ok(Created::Existing(existing));
        }
        let credited = read(tx, cx, command.invoice_id)?;
        let language =
            language_of(tx, cx, command.invoice_id)?.unwrap_or_else(|| own_language(books.terms()));
        let Draft { date, lines, priced, corrections } =
            draft(tx, cx, &credited, command, language)?;
        if let Some(fault) = days::before_opening(books, "/date", date) {
            return Err(fault.into());
        }
        let preconditions =
            rows::preconditions(tx, cx.actor.account, InvoiceKind::CreditNote, None, date)?;
        let number_year = date.year();
        let number_in_year = books.next_number(number_year, preconditions.last_number);
        let note = Invoice {
            id: books.next_id(IdSequence::Invoice),
            external_id: command.external_id.clone(),
            kind: InvoiceKind::CreditNote,
            number: print_number(cx, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: Status::Sent,
            invoice_date: date,
            due_date: date,
            vat_date: date,
            notes: command.reason.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            amount_written_off: Cents::ZERO,
            paid_at: Some(date),
            first_paid_on: None,
            credited_invoice_id: Some(credited.invoice.id),
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
            date_unusual: days::unusual(books, date),
            vat_moved: 0,
            vat_waiting: 0,
            vat_deferred: Cents::ZERO,
            quote_id: None,
            // Its lines have their shares of the discount.
            particulars: Particulars {
                order_number: credited.invoice.particulars.order_number.clone(),
                buyer_reference: credited.invoice.particulars.buyer_reference.clone(),
                ..Particulars::default()
            },
            language: Some(language),
            recurring_id: None,
            occurrence_number: None,
            occurrence_date: None,
            ..credited.invoice.clone()
        };
        let known = (credited.invoice.number.as_str(), balance(&credited.invoice));
        let new_entry = entry(&note, &priced, Some(known));
        let entries = corrections::plan_knowing(
            tx,
            cx.actor.account,
            new_entry,
            command.if_filed,
            preconditions.filed,
        )?;
        let mut after = credited.invoice.clone();
        after.amount_credited -= note.total;
        let after = settle(tx, books, cx, &credited.invoice, after, date)?;
        let details = book(tx, books, cx, Document { invoice: note, lines, priced }, &entries)?;
        if after.amount_credited == after.total && uncredited_offsets(tx, cx, &credited)?.is_empty()
        {
            time::free_entries(tx, cx.actor.account, after.id, cx.now())?;
        }
        quote_invoices::release(tx, cx, &after)?;
        vat_corrections::insert(tx, cx.actor.account, details.invoice.id, &corrections)?;
        record_sent(
            tx,
            books,
            cx,
            &details.invoice,
            &details.lines,
            (Some(&credited.invoice), language),
        )?;
        if credited.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, credited.invoice.id, command.if_filed)?;
        }
        Ok(Created::New(details))
    })
}

/// Returns the faults of a credit note request that has other invalid fields. [`credit`] checks
/// whether the invoice can be credited at all.
///
/// # Errors
/// There is no such invoice.
pub fn validate_credit(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice_id: i64,
    note: &PartialCreditNote,
) -> Result<Vec<Fault>, Error> {
    let credited = read(tx, cx, invoice_id)?;
    if note.lines.is_none() {
        return Ok(note
            .date
            .and_then(|date| too_early(date, &credited.invoice))
            .into_iter()
            .collect());
    }
    let (date, lines) = (note.date, note.lines.clone());
    let command = NewCreditNote {
        external_id: None,
        invoice_id,
        date,
        lines,
        reason: None,
        if_filed: IfFiled::Refuse,
    };
    // The descriptions of the lines are not shown, so the language is irrelevant.
    match draft(tx, cx, &credited, &command, Language::Dutch) {
        Err(Error::Invalid(faults)) => Ok(faults),
        Err(error @ Error::Store(_)) => Err(error),
        Ok(_) | Err(_) => Ok(Vec::new()),
    }
}

/// Returns the priced lines of a credit note: the requested ones or the remainder of the invoice.
/// Collects all faults.
// Long: the checks of a credit note in order.
fn draft(
    tx: &mut Tx<'_>,
    cx: &Context,
    credited: &InvoiceDetails,
    command: &NewCreditNote,
    language: Language,
) -> Result<Draft, Error> {
    let invoice = &credited.invoice;
    require_sent(invoice)?;
    if !invoice.amount_written_off.is_zero() {
        return Err(InvoiceError::IsWrittenOff.into());
    }
    if let Some(known) = &credited.brought_forward {
        return draft_of_opening_item(tx, cx, (credited, known), command);
    }
    // Amounts of a prepayment that final invoices have set off cannot be credited.
    let remaining = if invoice.prepayment {
        remaining_to_set_off(tx, cx, credited, 0)?
    } else {
        remaining_of(tx, cx, credited)?
    };
    let mut offsets = uncredited_offsets(tx, cx, credited)?;
    // An invoice that prepayments cover in full has a total of zero, but can be credited until all
    // of them are released.
    if credit_note::is_nothing(&remaining) && offsets.is_empty() {
        let is_set_off =
            invoice.prepayment && !credit_note::is_nothing(&remaining_of(tx, cx, credited)?);
        return Err(if is_set_off {
            InvoiceError::IsSetOff.into()
        } else {
            InvoiceError::AlreadyCredited.into()
        });
    }
    let date = command.date.unwrap_or_else(|| cx.today().max(invoice.invoice_date));
    let mut faults: Vec<Fault> = too_early(date, invoice).into_iter().collect();
    let notes = lines_of_notes(tx, cx, invoice.id)?;
    let taken = Credited::less_discounts(credited.charged(), &notes);
    let inputs: Vec<LineInput> = match &command.lines {
        Some(lines) => name_lines(lines, credited, &taken.remaining())?,
        None if remaining == credited.groups && notes.is_empty() => {
            (1..).zip(&credited.lines).map(|(number, (line, _))| whole(number, line)).collect()
        }
        None => {
            // A partly released prepayment no longer has the amount of its line.
            let has_offsets = |lines: &Vec<Line>| {
                let set_off = lines.iter().filter(|line| line.sets_off.is_some());
                set_off.cloned().map(|line| Line { credits: None, ..line }).eq(offsets.clone())
            };
            match remaining_lines(invoice, &taken, &credited.lines, &remaining).filter(has_offsets)
            {
                Some(lines) => {
                    let number = |line: &Line| line.credits.unwrap_or_default();
                    lines.iter().map(|line| whole(number(line), line)).collect()
                }
                None => remainder(language, invoice, &remaining, &offsets),
            }
        }
    };
    // The rates on the invoice's own date apply: the credit note reverses VAT charged on that date.
    let inputs = as_invoiced(inputs, credited);
    rates_missing(&inputs)?;
    if is_declared_by_oss(&inputs) {
        oss_turnover::require_correctable(tx, cx.actor.account, (invoice.rates_on(), date), true)?;
    }
    let mut lines = classified(
        &cx.actor.own_accounts,
        cx.actor.sales,
        invoice.customer.place(),
        &inputs,
        invoice.rates_on(),
    );
    release_prepayments(&mut lines, &mut offsets);
    faults.extend(not_revenue(&lines));
    for line in &mut lines {
        (line.quantity, line.discount) = (-line.quantity, Discount::None);
    }
    let not_invoiced = rates_not_invoiced(&lines, &credited.groups);
    let are_invoiced = not_invoiced.is_empty();
    faults.extend(not_invoiced);
    // Lines that the caller chose release prepayments as far as they exceed the amount due.
    let limit = if command.lines.is_some() {
        credit_lines::share_discounts(&mut lines, taken.clone());
        let (released, limit) = credit_note::release(
            &lines,
            &offsets,
            invoice.prices(),
            (&remaining, balance(invoice)),
        );
        lines.extend(
            released.into_iter().map(|(place, amount)| released_line(&offsets[place], amount)),
        );
        limit
    } else {
        remaining.clone()
    };
    credit_lines::round(&mut lines, taken, invoice.prices(), &remaining);
    match credit_note::price(&lines, invoice.rates_on(), invoice.prices(), &remaining)
        .map_err(pricing_error)
    {
        Ok((priced, corrections)) => {
            // A group that is not on the invoice also exceeds the remainder, but one fault is
            // enough.
            if are_invoiced {
                faults.extend(more_than_remains(&priced, invoice.prices(), &limit));
            }
            if faults.is_empty() {
                Ok(Draft { date, lines, priced, corrections })
            } else {
                Err(Error::Invalid(faults))
            }
        }
        Err(Error::Invalid(more)) => {
            faults.extend(more);
            Err(Error::Invalid(faults))
        }
        Err(other) => Err(other),
    }
}

/// Returns a line of the invoice, or what remains of it, as a line to credit.
fn whole(number: i64, line: &Line) -> LineInput {
    let credits = CreditedLine { number, has_quantity: true, has_price: true };
    LineInput { discount: Discount::None, credits: Some(credits), ..line_input(line) }
}

/// Fills in the lines that name a line of the invoice. `remaining` has the remaining quantities of
/// the lines of the invoice.
fn name_lines(
    inputs: &[LineInput],
    credited: &InvoiceDetails,
    remaining: &[Decimal],
) -> Result<Vec<LineInput>, Error> {
    let (mut lines, mut faults) = (Vec::with_capacity(inputs.len()), Vec::new());
    // Quantities of the invoiced lines that the lines so far have not credited.
    let mut open = remaining.to_vec();
    let own = credited.lines.iter().filter(|(line, _)| line.sets_off.is_none()).count();
    for (place, input) in inputs.iter().enumerate() {
        let Some(named) = input.credits else {
            lines.push(input.clone());
            continue;
        };
        let mut refuse = |field: &str, reason| {
            faults.push(Fault::new(format!("/items/{place}/{field}"), reason));
        };
        let found = usize::try_from(named.number - 1).ok().filter(|index| *index < own);
        let Some(index) = found else {
            let most = Decimal::from(own);
            refuse("invoiceItem", Reason::OutOfRange { least: Decimal::ONE, most });
            continue;
        };
        let line = &credited.lines[index].0;
        let rest = open[index];
        let quantity = if named.has_quantity { input.quantity } else { rest };
        let (least, most) = (rest.min(Decimal::ZERO), rest.max(Decimal::ZERO));
        let is_nothing = quantity.is_zero() && !line.quantity.is_zero();
        if is_nothing || !(least..=most).contains(&quantity) {
            refuse("quantity", Reason::OutOfRange { least, most });
        }
        if named.has_price && input.unit_price != line.unit_price {
            refuse("unitPrice", Reason::InvoiceItemDiffers);
        }
        if !input.place.standard_rate && input.vat_rate != line.vat_rate {
            refuse("vatRate", Reason::InvoiceItemDiffers);
        }
        open[index] -= quantity;
        let stated = !input.description.is_empty();
        let description = if stated { input.description.clone() } else { line.description.clone() };
        lines.push(LineInput { description, quantity, ..whole(named.number, line) });
    }
    if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
}

/// Returns the priced lines of a credit note on an invoice from before the books began, whose own
/// lines are unknown. The VAT rates are those that applied to the invoice, and the credit notes
/// together cannot exceed its total.
fn draft_of_opening_item(
    tx: &mut Tx<'_>,
    cx: &Context,
    (credited, known): (&InvoiceDetails, &BroughtForward),
    command: &NewCreditNote,
) -> Result<Draft, Error> {
    let invoice = &credited.invoice;
    let open_total = known.total - invoice.amount_credited;
    if open_total <= Cents::ZERO {
        return Err(InvoiceError::AlreadyCredited.into());
    }
    let date = command.date.unwrap_or_else(|| cx.today().max(invoice.invoice_date));
    let mut faults: Vec<Fault> = too_early(date, invoice).into_iter().collect();
    let Some(inputs) = command.lines.clone() else {
        faults.push(Fault::new("/items", Reason::Required));
        return Err(Error::Invalid(faults));
    };
    let remaining =
        if known.groups.is_empty() { Vec::new() } else { remaining_of(tx, cx, credited)? };
    let of_vat = InvoiceDetails { groups: known.groups.clone(), ..credited.clone() };
    let inputs = as_invoiced(name_lines(&inputs, credited, &[])?, &of_vat);
    rates_missing(&inputs)?;
    let mut lines = classified(
        &cx.actor.own_accounts,
        cx.actor.sales,
        invoice.customer.place(),
        &inputs,
        invoice.rates_on(),
    );
    for line in &mut lines {
        (line.quantity, line.discount) = (-line.quantity, Discount::None);
    }
    faults.extend(not_revenue(&lines));
    if !of_vat.groups.is_empty() {
        faults.extend(rates_not_invoiced(&lines, &of_vat.groups));
    }
    let are_invoiced = faults.is_empty();
    let (priced, corrections) =
        credit_note::price(&lines, invoice.rates_on(), invoice.prices(), &remaining)
            .map_err(pricing_error)?;
    if are_invoiced && !remaining.is_empty() {
        faults.extend(more_than_remains(&priced, invoice.prices(), &remaining));
    } else if -priced.total > open_total {
        let reason = Reason::CreditExceeds { asked: -priced.total, remaining: open_total };
        faults.push(Fault::new("/items", reason));
    }
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    Ok(Draft { date, lines, priced, corrections })
}

/// Returns the lines of an invoice that set off prepayments, with the amounts that credit notes have
/// not released.
fn uncredited_offsets(
    tx: &mut Tx<'_>,
    cx: &Context,
    credited: &InvoiceDetails,
) -> Result<Vec<Line>, Error> {
    let mut offsets: Vec<Line> = credited
        .lines
        .iter()
        .map(|(line, _)| line)
        .filter(|line| line.sets_off.is_some())
        .cloned()
        .collect();
    if offsets.is_empty() {
        return Ok(offsets);
    }
    let notes = lines_of_notes(tx, cx, credited.invoice.id)?;
    for line in notes.iter().filter(|line| line.sets_off.is_some()) {
        let is_same =
            |offset: &&mut Line| (offset.sets_off, offset.group()) == (line.sets_off, line.group());
        if let Some(offset) = offsets.iter_mut().find(is_same) {
            let remaining = credit_note::amount(offset) + credit_note::amount(line);
            let (quantity, unit_price) = as_quantity_and_price(-remaining);
            *offset = Line { quantity: -quantity, unit_price, ..offset.clone() };
        }
    }
    offsets.retain(|offset| !credit_note::amount(offset).is_zero());
    Ok(offsets)
}

/// Line of a credit note that releases part of a line with which the invoice sets off a prepayment.
fn released_line(offset: &Line, amount: Cents) -> Line {
    if amount == -credit_note::amount(offset) {
        return Line { quantity: -offset.quantity, ..offset.clone() };
    }
    let (quantity, unit_price) = as_quantity_and_price(amount);
    Line { quantity, unit_price, rounding: Cents::ZERO, ..offset.clone() }
}

/// Marks each credited line that equals a line in `offsets` with the prepayment that it releases,
/// and removes that line from `offsets`.
fn release_prepayments(lines: &mut [Line], offsets: &mut Vec<Line>) {
    for line in lines {
        let is_offset = |offset: &Line| {
            Line { sets_off: None, credits: line.credits, ..offset.clone() } == *line
        };
        if let Some(place) = offsets.iter().position(is_offset) {
            line.sets_off = offsets.swap_remove(place).sets_off;
        }
    }
}

/// Returns a fault if a credit note is dated before its invoice. VAT is refunded from the day on
/// which the sale is reversed, and that cannot be before the sale (art. 29 Wet OB 1968).
fn too_early(date: Date, invoice: &Invoice) -> Option<Fault> {
    let invoice_date = invoice.invoice_date;
    (date < invoice_date).then(|| Fault::new("/date", Reason::CreditBeforeInvoice { invoice_date }))
}

/// Fills in the category, exemption and supply of each line from the invoice, if only one group of
/// the invoice matches the values that the line specifies, or from the invoiced line with the same
/// description and price.
fn as_invoiced(mut inputs: Vec<LineInput>, credited: &InvoiceDetails) -> Vec<LineInput> {
    for line in &mut inputs {
        let (given, exemption) = (line.vat_category, line.exemption);
        let fits = |category: VatCategory| {
            given.is_none_or(|given| [category, category.public()].contains(&given))
                && exemption.is_none_or(|_| exemption == category.exemption())
        };
        let groups = credited.groups.iter().filter(|group| {
            let rate = line.place.standard_rate || group.rate == line.vat_rate;
            let country = line.place.country.is_none()
                || group.tax_country.is_none()
                || line.place.country == group.tax_country;
            rate && country && fits(group.category)
        });
        let groups: Vec<&VatGroup> = groups.collect();
        let same = same_line(line, &credited.lines)
            .filter(|same| groups.iter().any(|group| group.key() == same.group()));
        let group = match groups[..] {
            [group] => Some(group),
            _ => same.and_then(|same| groups.into_iter().find(|of| of.key() == same.group())),
        };
        if let Some(group) = group {
            line.vat_category = Some(group.category);
            line.exemption = group.category.exemption();
            let supply = same.map_or(group.supply, |same| Some(same.supply));
            line.supply = line.supply.or(supply);
            line.vat_rate = group.rate;
            line.place = TaxPlace { country: country_of(credited, group), standard_rate: false };
        }
        line.account = line.account.or_else(|| account_as_invoiced(line, &credited.lines));
        if line.unit.is_none() {
            line.unit = same_line(line, &credited.lines).and_then(|same| same.unit.clone());
        }
    }
    inputs
}

/// Tax country of the lines in a group of an invoice, if they have the same one.
fn country_of(credited: &InvoiceDetails, group: &VatGroup) -> Option<CountryCode> {
    let its = credited.lines.iter().map(|(line, _)| line);
    let mut countries = its.filter(|line| line.group() == group.key()).map(|line| line.tax_country);
    let first = countries.next()?;
    first.filter(|_| countries.all(|country| country == first))
}

/// Rejects lines without a rate that does not follow from the invoice.
fn rates_missing(lines: &[LineInput]) -> Result<(), Error> {
    let missing = lines.iter().enumerate().filter(|(_, line)| line.place.standard_rate);
    let fault = |(place, _)| Fault::new(format!("/items/{place}/vatRate"), Reason::Required);
    let faults: Vec<Fault> = missing.map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Returns the revenue account of the invoiced line that a line credits: one with the same
/// description and price, or else the account that all lines at that rate share.
fn account_as_invoiced(line: &LineInput, invoiced: &[(Line, Cents)]) -> Option<AccountCode> {
    if let Some(same) = same_line(line, invoiced) {
        return same.account;
    }
    let lines = invoiced.iter().map(|(line, _)| line);
    let mut accounts = lines
        .filter(|of| of.vat_rate == line.vat_rate && of.sets_off.is_none())
        .filter(|of| line.place.country.is_none_or(|country| of.tax_country == Some(country)))
        .map(|of| of.account);
    let first = accounts.next()?;
    first.filter(|_| accounts.all(|account| account == first))
}

/// Returns the invoiced line with the same description, price and rate. A line without a rate
/// matches any rate.
fn same_line<'a>(line: &LineInput, invoiced: &'a [(Line, Cents)]) -> Option<&'a Line> {
    invoiced.iter().map(|(line, _)| line).find(|of| {
        (&of.description, of.unit_price) == (&line.description, line.unit_price)
            && (line.place.standard_rate || of.vat_rate == line.vat_rate)
    })
}

/// Formats a group, such as `0 (intraCommunity, goods)`.
fn group_text(group: GroupKey) -> String {
    let supply = group.supply.map_or(String::new(), |supply| format!(", {}", supply.as_str()));
    let country = group.tax_country.map_or(String::new(), |country| format!(", {country}"));
    format!("{} ({}{supply}{country})", group.rate.percent(), group.category.public().as_str())
}

/// Returns the faults of lines whose rate or category is not on the invoice: they would reverse VAT
/// that was never charged.
fn rates_not_invoiced(lines: &[Line], invoiced: &[VatGroup]) -> Vec<Fault> {
    let is_invoiced = |line: &Line| invoiced.iter().any(|group| group.key() == line.group());
    let fault = |(place, line): (usize, &Line)| {
        let known = invoiced.iter().map(|group| group_text(group.key())).collect();
        let (rate, category) = (line.vat_rate.percent(), line.vat_category.public().as_str());
        Fault::new(
            format!("/items/{place}/vatRate"),
            Reason::CreditRateUnknown { rate, category, known },
        )
    };
    lines.iter().enumerate().filter(|(_, line)| !is_invoiced(line)).map(fault).collect()
}

/// Returns the faults of a credit note that exceeds the remainder of the invoice, in a group or in
/// total. Only the total can be exceeded if lines of opposite sign belong together: crediting one
/// of them alone would leave an invoice with a negative total, which cannot be credited.
fn more_than_remains(note: &Priced, prices: Prices, remaining_groups: &[VatGroup]) -> Vec<Fault> {
    let fault = |(group, remaining): (VatGroup, Cents)| {
        let (rate, category) = (group.rate.percent(), group.category.public().as_str());
        let reason = match prices {
            Prices::Net => {
                Reason::CreditExceedsRate { rate, category, asked: -group.base, remaining }
            }
            Prices::Gross => {
                let remaining_group =
                    remaining_groups.iter().find(|remaining| remaining.key() == group.key());
                let remaining =
                    remaining + remaining_group.map_or(Cents::ZERO, |remaining| remaining.amount);
                Reason::CreditExceedsGross {
                    rate,
                    category,
                    asked: -(group.base + group.amount),
                    remaining,
                }
            }
        };
        Fault::new("/items", reason)
    };
    let beyond: Vec<Fault> =
        credit_note::beyond(&note.groups, remaining_groups).into_iter().map(fault).collect();
    let remaining: Cents = remaining_groups.iter().map(|group| group.base + group.amount).sum();
    if beyond.is_empty() && -note.total > remaining {
        return vec![Fault::new("/items", Reason::CreditExceeds { asked: -note.total, remaining })];
    }
    beyond
}

/// Returns the lines of the credit notes on an invoice, oldest first.
fn lines_of_notes(tx: &mut Tx<'_>, cx: &Context, invoice: i64) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    for note in rows::credit_notes_of(tx, cx.actor.account, invoice)? {
        lines.extend(rows::lines(tx, cx.actor.account, note)?.into_iter().map(|(line, _)| line));
    }
    Ok(lines)
}

/// Returns the lines of an invoice with their remaining quantities, if these add up to the
/// remainder of the invoice.
fn remaining_lines(
    invoice: &Invoice,
    credited: &Credited<'_>,
    invoiced: &[(Line, Cents)],
    remaining: &[VatGroup],
) -> Option<Vec<Line>> {
    let rest = (1_i64..).zip(invoiced.iter().zip(credited.remaining()));
    let rest = rest.map(|(number, ((line, _), quantity))| Line {
        quantity,
        credits: Some(number),
        ..line.clone()
    });
    let lines: Vec<Line> = rest.filter(|line| !line.quantity.is_zero()).collect();
    let mut taken_back: Vec<Line> =
        lines.iter().map(|line| Line { quantity: -line.quantity, ..line.clone() }).collect();
    credit_lines::round(&mut taken_back, credited.clone(), invoice.prices(), remaining);
    let priced = credit_note::price(&taken_back, invoice.rates_on(), invoice.prices(), remaining);
    let takes_all = priced.is_ok_and(|(priced, _)| {
        credit_note::is_nothing(&credit_note::remaining_of(remaining, &priced.groups))
    });
    takes_all.then_some(lines)
}

/// Returns the remainder of an invoice as lines: one per rate and category, and the lines that set
/// off prepayments (`offsets`).
fn remainder(
    language: Language,
    invoice: &Invoice,
    remaining: &[VatGroup],
    offsets: &[Line],
) -> Vec<LineInput> {
    let is_gross = invoice.prices_include_vat;
    let description = match language {
        Language::Dutch => format!("Restant van factuur {}", invoice.number),
        Language::English => format!("Remainder of invoice {}", invoice.number),
    };
    let set_off = |group: &VatGroup| -> Cents {
        let lines = offsets.iter().filter(|line| line.group() == group.key());
        lines
            .filter_map(|line| decimal::multiply_to_cents(&line.quantity, &line.unit_price).ok())
            .sum()
    };
    let own = remaining.iter().filter_map(|group| {
        let amount = if is_gross { group.base + group.amount } else { group.base } - set_off(group);
        let (quantity, unit_price) = as_quantity_and_price(amount);
        (!amount.is_zero()).then(|| LineInput {
            description: description.clone(),
            quantity,
            unit_price,
            vat_rate: group.rate,
            vat_category: Some(group.category),
            exemption: None,
            supply: group.supply,
            place: TaxPlace { country: group.tax_country, standard_rate: false },
            account: None,
            unit: None,
            discount: Discount::None,
            credits: None,
            article: None,
        })
    });
    own.chain(offsets.iter().map(line_input)).collect()
}
