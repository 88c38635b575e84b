//! Invoices, credit notes, customer payments and write-offs.

use super::{date, euros, money, number, rate, yes};
use crate::{
    books::{self, Books, Invoice, SOURCE, cell},
    reader::{Document, Fields, Read},
    table::Table,
};
use ledger::{
    booking::{self, Earned, Settlement},
    calendar::{Date, Quarter},
    country::CountryCode,
    credit_lines::{self, Credited},
    credit_note,
    discount::Discount,
    invoice::{self, Line, Priced, Prices},
    money::Cents,
    vat::{Supply, VatCategory},
    vat_date::vat_date,
    vat_move, write_off,
};

/// Parses whether prices include VAT.
pub(super) fn prices(text: &str) -> Option<Prices> {
    match text {
        "excluding VAT" => Some(Prices::Net),
        "including VAT" => Some(Prices::Gross),
        _ => None,
    }
}

/// Reads the lines of an invoice or credit note to a customer in the given country.
fn lines(books: &Books, document: &mut Document, customer: CountryCode) -> Read<Vec<Line>> {
    let on = document.on;
    document.rows.iter_mut().map(|row| line(books, row, customer, on)).collect()
}

fn line(books: &Books, row: &mut Fields, customer: CountryCode, on: Date) -> Read<Line> {
    let vat_rate = row.required("VAT", rate)?;
    let category = row.optional("category", VatCategory::parse)?;
    let supply = row.optional("supply", Supply::parse)?;
    let (vat_category, supply) =
        books.defaults.classify(vat_rate, (category, None), supply, customer.into(), on);
    let sets_off = match row.text("sets off") {
        Some(number) => Some(place(books, &number, row)?),
        None => None,
    };
    Ok(Line {
        description: row.required("description", |text| Some(text.to_owned()))?,
        quantity: row.required("quantity", number)?,
        unit_price: row.required("price", number)?,
        vat_rate,
        vat_category,
        supply,
        tax_country: None,
        sets_off: sets_off.map(|place| i64::try_from(place).unwrap()),
        account: None,
        rounding: Cents::ZERO,
        unit: None,
        discount: Discount::None,
        credits: None,
    })
}

/// Returns the index of an invoice in the books.
fn place(books: &Books, number: &str, fields: &Fields) -> Read<usize> {
    let place = books.invoices.iter().position(|invoice| invoice.number == number);
    place.ok_or_else(|| fields.fault(&format!("no invoice `{number}`")))
}

/// Returns the index of the invoice that a document refers to in its field `invoice`.
fn invoice_of(books: &Books, document: &mut Document) -> Read<usize> {
    let number = document.fields.required("invoice", |text| Some(text.to_owned()))?;
    place(books, &number, &document.fields)
}

/// Shows the amounts of the lines, the VAT groups and the whole document. Line amounts including
/// VAT are shown only if the prices include VAT.
fn show_amounts(books: &mut Books, what: &str, lines: &[Line], prices: Prices, priced: &Priced) {
    let mut table = Table::new(&[what, "excl. VAT", "VAT", "incl. VAT", "box"]);
    for (line, (net, gross)) in lines.iter().zip(priced.line_amounts.iter().zip(&priced.line_gross))
    {
        let gross = if prices == Prices::Gross { gross.to_string() } else { String::new() };
        table.row([line.description.clone(), net.to_string(), String::new(), gross, String::new()]);
    }
    for group in &priced.groups {
        let (base, vat) = (group.base, group.amount);
        table.row([
            books::label(group),
            base.to_string(),
            vat.to_string(),
            (base + vat).to_string(),
            books::box_of(group),
        ]);
    }
    let (net, vat, total) = (priced.subtotal, priced.vat_total, priced.total);
    table.row([
        "Total".to_owned(),
        net.to_string(),
        vat.to_string(),
        total.to_string(),
        String::new(),
    ]);
    books.show(&table);
}

pub(super) fn invoice(books: &mut Books, document: &mut Document) -> Read<()> {
    let number = document.fields.required("number", |text| Some(text.to_owned()))?;
    let customer = document
        .fields
        .optional("customer", |text| CountryCode::parse(text).ok())?
        .unwrap_or(CountryCode::NL);
    let prices = document.fields.optional("prices", prices)?.unwrap_or(Prices::Net);
    let is_prepayment = document.fields.optional("prepayment", yes)?.unwrap_or(false);
    let supplied = document.fields.optional("supplied", date)?;
    let lines = lines(books, document, customer)?;
    let (what, on) = (format!("invoice {number}"), document.on);
    let priced = match invoice::price(&lines, on, prices) {
        Ok(priced) => priced,
        Err(error) => {
            books.reject(&what, &error.to_string());
            return Ok(());
        }
    };
    show_amounts(books, &what, &lines, prices, &priced);
    let earned = if is_prepayment { Earned::Later } else { Earned::Now };
    let due = vat_date(on, supplied, lines.iter().map(|line| (line.vat_category, line.supply)));
    let entry =
        booking::sales_invoice(SOURCE, &number, "customer", on, &priced, earned).with_vat_date(due);
    books.append(&what, entry);
    let (balance, written_off, credited) = (priced.total, Cents::ZERO, (Vec::new(), Vec::new()));
    books.invoices.push(Invoice {
        number,
        lines,
        prices,
        priced,
        is_prepayment,
        credited,
        balance,
        written_off,
        vat_date: due,
        moved: Cents::ZERO,
    });
    Ok(())
}

/// Books a credit note. Without the field `invoice`, the credited invoice is not part of the case.
pub(super) fn credit_note(books: &mut Books, document: &mut Document) -> Read<()> {
    let number = document.fields.required("number", |text| Some(text.to_owned()))?;
    let customer = document
        .fields
        .optional("customer", |text| CountryCode::parse(text).ok())?
        .unwrap_or(CountryCode::NL);
    let credited = match document.fields.text("invoice") {
        Some(number) => Some(place(books, &number, &document.fields)?),
        None => None,
    };
    let mut lines = lines(books, document, customer)?;
    let (what, on) = (format!("credit note {number}"), document.on);
    let of = credited.map(|place| &books.invoices[place]);
    let prices = of.map_or(Prices::Net, |of| of.prices);
    let remaining =
        of.map_or(Vec::new(), |of| credit_note::remaining_of(&of.priced.groups, &of.credited.1));
    if let Some(of) = of {
        credit_lines::round(
            &mut lines,
            Credited::new(&of.lines, &of.credited.0),
            prices,
            &remaining,
        );
    }
    let (priced, _) = credit_note::price(&lines, on, prices, &remaining)
        .map_err(|error| document.fields.fault(&error.to_string()))?;
    if !credit_note::beyond(&priced.groups, &remaining).is_empty() {
        books.reject(&what, "more than remains of the invoice");
        return Ok(());
    }
    let (balance, is_prepayment) =
        of.map_or((Cents::ZERO, false), |of| (of.balance, of.is_prepayment));
    let credits = of.map_or(String::new(), |of| of.number.clone());
    let earned = if is_prepayment { Earned::Later } else { Earned::Now };
    show_amounts(books, &what, &lines, prices, &priced);
    let entry = booking::credit_note(SOURCE, &number, &credits, on, &priced, earned, balance);
    books.append(&what, entry);
    if let Some(place) = credited {
        let of = &mut books.invoices[place];
        of.balance += priced.total;
        of.credited.0.extend(lines);
        of.credited.1.extend(priced.groups);
    }
    Ok(())
}

/// Books a payment, or a refund if the amount is negative. A payment first recovers any amount that
/// was written off.
pub(super) fn payment(books: &mut Books, document: &mut Document) -> Read<()> {
    let of = invoice_of(books, document)?;
    let amount = document.fields.required("amount", euros)?;
    let method = money(document, "into")?;
    let of = &mut books.invoices[of];
    let recovered = amount.min(of.written_off).max(Cents::ZERO);
    let remaining = credit_note::remaining_of(&of.priced.groups, &of.credited.1);
    let back = write_off::between(&remaining, of.written_off - recovered, of.written_off);
    let settlement =
        Settlement { amount, method, balance: of.balance, recovered: back, due: Vec::new() };
    let entry = booking::payment_received(SOURCE, &of.number, document.on, &settlement);
    of.balance -= amount - recovered;
    of.written_off -= recovered;
    // The VAT on a payment from an earlier quarter than the VAT date moves to the earlier quarter.
    let is_early = Quarter::of(document.on) < Quarter::of(of.vat_date);
    let groups = vat_move::groups(&of.priced.groups, of.moved, amount);
    let earned = if of.is_prepayment { Earned::Later } else { Earned::Now };
    let days = (document.on, of.vat_date);
    let moves = (is_early && !groups.is_empty())
        .then(|| vat_move::entries(SOURCE.id, &of.number, days, &groups, earned));
    of.moved += if moves.is_some() { amount } else { Cents::ZERO };
    let moved = format!("VAT of the payment on invoice {}", of.number);
    let what = format!(
        "{} on invoice {}",
        if amount.is_negative() { "refund" } else { "payment" },
        of.number
    );
    books.append(&what, entry);
    for entry in moves.into_iter().flatten() {
        books.append(&moved, entry);
    }
    Ok(())
}

/// Books the write-off of an invoice, by default for the full amount due.
pub(super) fn write_off(books: &mut Books, document: &mut Document) -> Read<()> {
    let of = invoice_of(books, document)?;
    let amount = document.fields.optional("amount", euros)?;
    let of = &mut books.invoices[of];
    let amount = amount.unwrap_or(of.balance);
    let remaining = credit_note::remaining_of(&of.priced.groups, &of.credited.1);
    let lost = write_off::between(&remaining, of.written_off, of.written_off + amount);
    let entry = booking::write_off(SOURCE, &of.number, document.on, &lost, of.balance);
    of.balance -= amount;
    of.written_off += amount;
    let what = format!("write-off of {} on invoice {}", cell(amount), of.number);
    books.append(&what, entry);
    Ok(())
}
