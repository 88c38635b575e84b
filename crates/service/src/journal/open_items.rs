//! Open items of an opening balance: invoices that customers still owed and bills that were unpaid
//! when the books began. With the opening balance, each item is booked as an entry of its own;
//! after that it is an ordinary invoice or expense.

use crate::{
    BookingError, Context, Error, Fault, Reason,
    contacts::{self, Customer, CustomerInput},
    expenses::{self, OpenBill, Supplier},
    invoices::{self, OpenInvoice},
    numbering,
};
use jiff::civil::Date;
use ledger::{description::DescriptionKind, entry::SourceType, money::Cents};
use store::{
    SyncFilter, Tx,
    books::Books,
    expenses as expense_rows, invoices as invoice_rows,
    journal::StoredEntry,
    ledger_cards,
    opening_items::{self as rows, OpenItem, OpenItemKind, OpeningVat},
    payments, write_offs,
};

/// Customer or supplier of an open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenItemContact {
    /// A contact by its id.
    Id(i64),
    /// The name of a contact, or of a customer or supplier who is not a contact yet.
    Name(String),
}

/// Open item of a new opening balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOpenItem {
    /// Kind of item: an invoice to a customer, or a bill.
    pub kind: OpenItemKind,
    /// The customer or supplier.
    pub contact: OpenItemContact,
    /// Number printed on the document.
    pub number: String,
    /// Date of the document.
    pub date: Date,
    /// Date by which the amount should be paid.
    pub due_date: Date,
    /// Open amount including VAT, in cents.
    pub amount: Cents,
    /// Total including VAT, if it is more than the open amount.
    pub total: Option<Cents>,
    /// Day of supply.
    pub supply_date: Option<Date>,
    /// VAT of the whole invoice by rate; empty if it is unknown.
    pub vat: Vec<OpeningVat>,
}

impl NewOpenItem {
    /// Total of the invoice or bill including VAT, in cents.
    fn whole(&self) -> Cents {
        self.total.unwrap_or(self.amount)
    }

    /// Returns the faults in the total and the VAT, each with the path of its field.
    fn faults_of_vat(&self) -> Vec<(String, Reason)> {
        let mut faults = Vec::new();
        if self.kind == OpenItemKind::Payable {
            let given = [
                ("total", self.total.is_some()),
                ("supplyDate", self.supply_date.is_some()),
                ("vat", !self.vat.is_empty()),
            ];
            let given = given.into_iter().filter(|(_, is_given)| *is_given);
            return given.map(|(field, _)| (field.to_owned(), Reason::OnlyReceivable)).collect();
        }
        if self.whole() < self.amount {
            let least = self.amount;
            faults.push(("total".to_owned(), Reason::TotalBelowOpen { least }));
        }
        let vat: Cents = self.vat.iter().map(|line| line.base + line.amount).sum();
        if !self.vat.is_empty() && vat != self.whole() {
            faults.push(("vat".to_owned(), Reason::VatNotTheTotal { total: self.whole(), vat }));
        }
        for (place, line) in self.vat.iter().enumerate() {
            if self.vat[..place].iter().any(|before| before.rate == line.rate) {
                let rate = line.rate.percent();
                faults.push((format!("vat/{place}/rate"), Reason::RateTwice { rate }));
            }
        }
        faults
    }
}

/// An open item with its current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItemDetails {
    /// Stored item, which refers to its invoice or expense.
    pub item: OpenItem,
    /// Contact of the document, if it has one.
    pub contact_id: Option<i64>,
    /// Name of the customer or supplier.
    pub party: String,
    /// Date of the document.
    pub date: Date,
    /// Amount that was open when the books began, in cents.
    pub amount: Cents,
    /// Amount that is still open, in cents.
    pub amount_due: Cents,
}

/// Validates the open items of an opening balance dated `on`.
pub(super) fn faults(
    tx: &mut Tx<'_>,
    cx: &Context,
    on: Date,
    items: &[NewOpenItem],
) -> Result<Vec<Fault>, Error> {
    let series = invoice_rows::series(tx, cx.actor.account)?;
    let mut faults = Vec::new();
    let mut bills: Vec<(Supplier, &str)> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let mut say = |field: &str, reason| {
            faults.push(Fault::new(format!("/openItems/{place}/{field}"), reason))
        };
        match party(tx, cx, item) {
            Ok(Party::Customer(_)) => {}
            Ok(Party::Supplier(supplier)) => {
                let bill = (supplier, item.number.as_str());
                if bills.contains(&bill) {
                    say("number", Reason::BillTwice { number: item.number.clone() });
                }
                bills.push(bill);
            }
            Err(Error::Invalid(invalid)) => {
                invalid.into_iter().for_each(|fault| say("contact", fault.reason))
            }
            Err(other) => return Err(other),
        }
        if item.kind == OpenItemKind::Receivable {
            let twice =
                |before: &NewOpenItem| before.kind == item.kind && before.number == item.number;
            let is_taken =
                invoice_rows::id_by_number(tx, cx.actor.account, &item.number)?.is_some();
            if is_taken || items[..place].iter().any(twice) {
                say("number", Reason::NumberTaken { number: item.number.clone() });
            } else if let Some(year) = year_of_series(cx, &series, on, &item.number) {
                say(
                    "number",
                    Reason::NumberOfSeries { number: item.number.clone(), year: year.to_string() },
                );
            }
        }
        if item.date > on {
            say("date", Reason::AfterOpening { opening: on });
        }
        for (field, reason) in item.faults_of_vat() {
            say(&field, reason);
        }
        if item.due_date < item.date {
            say("dueDate", Reason::DayBefore { day: item.date });
        }
    }
    Ok(faults)
}

/// Returns the year whose invoice series would still issue this number, if any. Years before the
/// year of the opening balance are ignored.
fn year_of_series(cx: &Context, series: &[(i16, i64, i64)], on: Date, number: &str) -> Option<i16> {
    let digits = number.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let figures: Vec<i64> = digits.filter_map(|run| run.parse().ok()).collect();
    let years = figures
        .iter()
        .filter_map(|figure| i16::try_from(*figure).ok())
        .filter(|year| *year >= on.year());
    let last =
        |year: i16| series.iter().find(|(of, ..)| *of == year).map_or(0, |(_, _, last)| *last);
    let is_next = |year: i16, place: i64| {
        place > last(year)
            && numbering::format(&cx.actor.number_pattern, year, place)
                .is_ok_and(|printed| printed == number)
    };
    years.into_iter().find(|year| figures.iter().any(|place| is_next(*year, *place)))
}

/// Customer or supplier of an item.
enum Party {
    Customer(Box<Customer>),
    Supplier(Supplier),
}

fn party(tx: &mut Tx<'_>, cx: &Context, item: &NewOpenItem) -> Result<Party, Error> {
    let (customer, supplier) = match &item.contact {
        OpenItemContact::Id(id) => {
            (CustomerInput::contact(*id), Supplier { contact_id: Some(*id), name: None })
        }
        OpenItemContact::Name(name) => (
            CustomerInput::named(name.clone()),
            Supplier { contact_id: None, name: Some(name.clone()) },
        ),
    };
    Ok(match item.kind {
        OpenItemKind::Receivable => {
            Party::Customer(contacts::identify(tx, cx.actor.account, &customer)?.into())
        }
        OpenItemKind::Payable => {
            Party::Supplier(expenses::identify(tx, cx.actor.account, &supplier)?)
        }
    })
}

/// Books the items of an opening balance, one entry each.
pub(super) fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (event_id, on): (i64, Date),
    items: &[NewOpenItem],
) -> Result<(), Error> {
    let mut booked = Vec::with_capacity(items.len());
    for (line, item) in (1_i64..).zip(items) {
        let (number, date, due_date, amount) =
            (item.number.as_str(), item.date, item.due_date, item.amount);
        let document_id = match party(tx, cx, item)? {
            Party::Customer(customer) => invoices::open(
                tx,
                books,
                cx,
                on,
                OpenInvoice {
                    customer: *customer,
                    number,
                    date,
                    due_date,
                    amount,
                    supply_date: item.supply_date,
                },
            )?,
            Party::Supplier(supplier) => expenses::open(
                tx,
                books,
                cx,
                on,
                OpenBill { supplier, number, date, due_date, amount },
            )?,
        };
        booked.push(OpenItem {
            event_id,
            line,
            kind: item.kind,
            document_id,
            number: item.number.clone(),
            due_date,
            total: item.total,
            supply_date: item.supply_date,
            vat: rows::vat_text(&item.vat),
        });
    }
    Ok(rows::insert(tx, books.account(), &booked)?)
}

/// Returns the open items of the given opening balances, by opening balance and line.
pub(super) fn of(
    tx: &mut Tx<'_>,
    cx: &Context,
    events: &[i64],
) -> Result<Vec<OpenItemDetails>, Error> {
    let lost = || Error::Internal("an open item without its document".into());
    let mut details = Vec::new();
    for item in rows::of(tx, cx.actor.account, events)? {
        details.push(match item.kind {
            OpenItemKind::Receivable => {
                let invoice = invoice_rows::by_id(tx, cx.actor.account, item.document_id)?
                    .ok_or_else(lost)?;
                OpenItemDetails {
                    item,
                    contact_id: Some(invoice.contact_id),
                    date: invoice.invoice_date,
                    amount: invoice.total,
                    amount_due: invoices::amount_due(&invoice),
                    party: invoice.customer.name,
                }
            }
            OpenItemKind::Payable => {
                let bill = expense_rows::by_id(tx, cx.actor.account, item.document_id)?
                    .ok_or_else(lost)?;
                OpenItemDetails {
                    item,
                    contact_id: bill.contact_id,
                    date: bill.date,
                    amount: bill.total,
                    amount_due: bill.amount_due(),
                    party: bill.supplier.unwrap_or_default(),
                }
            }
        });
    }
    Ok(details)
}

/// Returns the entries that book or reverse the items, each with the event id of its opening
/// balance. Entries of later payments are excluded.
pub(super) fn entries(
    tx: &mut Tx<'_>,
    account: i64,
    items: &[OpenItemDetails],
) -> Result<Vec<(i64, StoredEntry)>, Error> {
    let mut booked = Vec::new();
    for (kind, source) in [
        (OpenItemKind::Receivable, SourceType::Invoice),
        (OpenItemKind::Payable, SourceType::Expense),
    ] {
        let its: Vec<&OpenItem> =
            items.iter().map(|of| &of.item).filter(|item| item.kind == kind).collect();
        if its.is_empty() {
            continue;
        }
        let ids: Vec<i64> = its.iter().map(|item| item.document_id).collect();
        for (document, entry) in ledger_cards::entries_of(tx, account, source, &ids)? {
            let of = its.iter().find(|item| item.document_id == document);
            let opens = entry.entry.description().kind == DescriptionKind::OpeningBalance;
            booked.extend(of.filter(|_| opens).map(|item| (item.event_id, entry)));
        }
    }
    booked.sort_by_key(|(event, stored)| (*event, stored.id));
    Ok(booked)
}

/// Refuses to undo items that have a payment, a write-off or a credit note.
pub(super) fn require_untouched(
    tx: &mut Tx<'_>,
    account: i64,
    items: &[OpenItemDetails],
) -> Result<(), Error> {
    for OpenItemDetails { item, .. } in items {
        let is_touched = match item.kind {
            OpenItemKind::Receivable => {
                let paid = payments::by_invoice(tx, account, item.document_id)?;
                let written_off = write_offs::of_invoice(
                    tx,
                    account,
                    item.document_id,
                    &SyncFilter::default(),
                    0,
                    i64::MAX,
                )?
                .rows;
                let credited = invoice_rows::credit_notes_of(tx, account, item.document_id)?;
                !credited.is_empty()
                    || paid.iter().any(|of| of.undone_at.is_none())
                    || written_off.iter().any(|of| of.undone_at.is_none())
            }
            OpenItemKind::Payable => {
                let paid = expense_rows::payments(tx, account, item.document_id)?;
                paid.iter().any(|of| of.undone_at.is_none())
            }
        };
        if is_touched {
            return Err(BookingError::HasParts.into());
        }
    }
    Ok(())
}

/// Closes the documents of items whose entries have been reversed: cancels the invoices, and marks
/// the bills as undone.
pub(super) fn close(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    items: &[OpenItemDetails],
) -> Result<(), Error> {
    for OpenItemDetails { item, .. } in items {
        match item.kind {
            OpenItemKind::Receivable => {
                let invoice = invoice_rows::by_id(tx, books.account(), item.document_id)?
                    .ok_or(Error::NotFound("invoice"))?;
                invoices::close(tx, books, cx, &invoice)?;
            }
            OpenItemKind::Payable => {
                let bill = expense_rows::by_id(tx, books.account(), item.document_id)?
                    .ok_or(Error::NotFound("expense"))?;
                expenses::close(tx, books, cx, &bill)?;
            }
        }
    }
    Ok(())
}
