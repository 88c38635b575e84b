//! The year of the demo's freelancer, day by day. Everything that the books support occurs at least
//! once.

use super::YEAR;
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    article::ArticleStatus,
    bank_line::LineDirection,
    booking::MoneyAccount,
    chart::{AccountCode, codes},
    country::CountryCode,
    decimal::Decimal,
    discount::Discount,
    entry::Posting,
    event::{AccrualKind, Event, PrivateKind, PrivateUseKind},
    hours::Hours,
    identifiers::Iban,
    invoice::Prices,
    money::Cents,
    payout::FeeVat,
    purchase::{BusinessShare, VatTreatment},
    quote::OnAccept,
    schedule::{Deliver, Rhythm, RhythmUnit, SupplyPeriod},
    vat::{VatCategory, VatRate},
    vat_period::VatPeriod,
};
use service::{
    Context, Error, articles,
    assets::{self, NewAsset},
    bank_repeats::RepeatedBooking,
    bank_rules::{self, NewRule, RuleConditions, RuleOutcome},
    bank_statements::{self, NewStatement, SentLine, SentLines, StatementFile},
    contacts::CustomerInput,
    corrections::IfFiled,
    environment::{Clock, System},
    events::{self, NewEvent},
    expenses::{self, ExpenseLine, NewExpense, NewExpensePayment, Supplier},
    hours_log::{self, NewLoggedHours},
    invoices::{
        self, Due, EditInvoice, InvoiceTerms, LineInput, NewCreditNote, NewInvoice, SupplyDays,
        TaxPlace,
    },
    invoicing::{self, InvoiceHours},
    mileage::{self, NewTrip},
    open_items::{NewOpenItem, OpenItemContact},
    oss::{self, Ground, Register},
    payment_batches::{self, NewBatch, NewBatchItem},
    payments::{self, NewPayment},
    payouts::{self, NewPayout},
    projects::{self, NewProject},
    quotes::{self, Decision, NewQuote},
    receipts,
    recurring::{self, NewRecurring},
    tax_settings::{self, UpdateTaxSettings},
    time_entries::{self, NewTimeEntry},
    timer::{self, StartTimer},
    vat_filings,
    vat_payments::{self, NewVatPayment},
    write_offs::{self, NewWriteOff},
};
use std::collections::HashMap;
use store::{
    Tx,
    articles::ArticleValues,
    contacts::PartialParty,
    invoices::{Particulars, Status},
    opening_items::OpenItemKind,
};

/// Time at which the freelancer does the books: ten or eleven in the morning, Dutch time.
pub(super) fn morning(day: Date) -> Timestamp {
    day.at(9, 0, 0, 0)
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

fn on(month: i8, day: i8) -> Date {
    date(YEAR, month, day)
}

/// Books on one day, with the ids of records that later events refer to.
struct Books<'b, 't> {
    tx: &'b mut Tx<'t>,
    cx: Context,
    day: Date,
    ids: HashMap<String, i64>,
}

type Act = Box<dyn FnOnce(&mut Books<'_, '_>) -> Result<(), Error>>;

/// Planned events, in any order.
#[derive(Default)]
struct Diary(Vec<(Date, Act)>);

impl Diary {
    fn note(
        &mut self,
        day: Date,
        act: impl FnOnce(&mut Books<'_, '_>) -> Result<(), Error> + 'static,
    ) {
        self.0.push((day, Box::new(act)));
    }
}

/// Books the whole year, day by day.
pub(super) fn live(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let mut diary = Diary::default();
    beginning(&mut diary);
    sales(&mut diary);
    offers(&mut diary);
    articles(&mut diary);
    subscriptions(&mut diary);
    purchases(&mut diary);
    money(&mut diary);
    statement(&mut diary);
    taxes(&mut diary);
    hours(&mut diary);
    diary.0.sort_by_key(|(day, _)| *day);
    let mut books = Books { tx, cx: cx.clone(), day: on(1, 1), ids: HashMap::new() };
    for (day, act) in diary.0 {
        (books.day, books.cx) = (day, cx.at(morning(day)));
        act(&mut books)?;
    }
    Ok(())
}

impl Books<'_, '_> {
    fn id(&self, of: &str) -> i64 {
        self.ids.get(of).copied().unwrap_or_default()
    }

    fn happening(
        &self,
        description: Option<&str>,
        parent_id: Option<i64>,
        event: Event,
    ) -> NewEvent {
        NewEvent {
            external_id: None,
            date: self.day,
            description: description.map(Into::into),
            event,
            parent_id,
            open_items: Vec::new(),
            if_filed: IfFiled::Refuse,
        }
    }

    fn event(
        &mut self,
        description: Option<&str>,
        parent_id: Option<i64>,
        event: Event,
    ) -> Result<i64, Error> {
        let command = self.happening(description, parent_id, event);
        Ok(events::record(self.tx, &self.cx, &command)?.into_inner().stored.id)
    }
}

/// The business began last year; its books begin here with an unpaid invoice and an unpaid bill.
fn beginning(diary: &mut Diary) {
    diary.note(on(1, 1), |books| {
        let says = UpdateTaxSettings {
            majority_of_time: Some(Some(true)),
            starter: Some(true),
            ..UpdateTaxSettings::default()
        };
        tax_settings::update(books.tx, &books.cx, &says)
    });
    diary.note(on(1, 1), |books| {
        let balances = vec![
            (codes::EQUIPMENT, Cents::new(240_000)),
            (codes::ACCUMULATED_DEPRECIATION, Cents::new(-96_000)),
            (codes::BANK, Cents::new(642_018)),
            (codes::SAVINGS, Cents::new(800_000)),
        ];
        let open = |kind, name: &str, number: &str, (date, due_date), amount| NewOpenItem {
            kind,
            contact: OpenItemContact::Name(name.into()),
            number: number.into(),
            date,
            due_date,
            amount: Cents::new(amount),
            total: None,
            supply_date: None,
            vat: Vec::new(),
        };
        let last_year = |month, day| date(YEAR - 1, month, day);
        let open_items = vec![
            open(
                OpenItemKind::Receivable,
                "Galerie Het Kompas",
                "2025-0038",
                (last_year(12, 8), on(1, 7)),
                72_600,
            ),
            open(
                OpenItemKind::Payable,
                "Drukkerij De Pers",
                "25-1187",
                (last_year(12, 18), on(1, 17)),
                31_460,
            ),
        ];
        let command = NewEvent {
            open_items,
            ..books.happening(None, None, Event::OpeningBalance { balances })
        };
        let opened = events::record(books.tx, &books.cx, &command)?.into_inner();
        let named = ["gallery", "invitations"].into_iter().zip(opened.open_items);
        books.ids.extend(named.map(|(name, of)| (name.to_owned(), of.item.document_id)));
        Ok(())
    });
    receipt_of_money(diary, "gallery", on(2, 6), None, MoneyAccount::Bank);
    payment_of_bill(diary, "invitations", on(1, 16), None);
}

fn customer(name: &str) -> CustomerInput {
    let text = |text: &str| Some(Some(text.to_owned()));
    let place =
        |street: &str, postal_code: &str, city: &str| (text(street), text(postal_code), text(city));
    let (country, vat_number, email, (street, postal_code, city)) = match name {
        "Bakkerij De Korenaar" => {
            ("NL", None, "korenaar", place("Dorpsstraat 12", "3511 AB", "Utrecht"))
        }
        "Aannemersbedrijf Steen" => {
            ("NL", text("NL004495445B01"), "steen", place("Havenweg 8", "3011 AA", "Rotterdam"))
        }
        "Verlag Lindenhof GmbH" => {
            ("DE", text("DE136695976"), "lindenhof", place("Lindenstrasse 5", "10115", "Berlin"))
        }
        "Northwind Studios Inc." => {
            ("US", None, "northwind", place("200 Example Avenue", "94107", "San Francisco"))
        }
        "Theater De Nachtuil" => {
            ("NL", None, "nachtuil", place("Kerkstraat 3", "6811 AA", "Arnhem"))
        }
        _ => ("NL", None, "raam", place("Museumplein 1", "1071 DJ", "Amsterdam")),
    };
    let party = PartialParty {
        name: Some(name.to_owned()),
        country: CountryCode::parse(country).ok(),
        email: Some(Some(format!("administratie@{email}.example"))),
        vat_number,
        street,
        postal_code,
        city,
        ..PartialParty::default()
    };
    CustomerInput { contact_id: None, party }
}

enum Vat {
    High,
    Low,
    Zero,
    Reverse,
}

/// Invoice line: `quantity` in tenths, `price` in cents.
fn line(on: Date, description: &str, quantity: i64, price: i64, vat: Vat) -> LineInput {
    let (vat_rate, vat_category) = match vat {
        Vat::High => (VatRate::high_on(on), None),
        Vat::Low => (VatRate::low_on(on), None),
        Vat::Zero => (VatRate::ZERO, None),
        Vat::Reverse => (VatRate::ZERO, Some(VatCategory::ReverseCharge)),
    };
    LineInput {
        description: description.to_owned(),
        quantity: Decimal::new(quantity, 1),
        unit_price: Decimal::new(price, 2),
        vat_rate,
        vat_category,
        exemption: None,
        supply: None,
        place: TaxPlace::default(),
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    }
}

/// Adds an invoice, which later events refer to by `name`.
fn sale(
    diary: &mut Diary,
    name: &str,
    day: Date,
    status: Status,
    to: &'static str,
    lines: Vec<LineInput>,
) {
    let name = name.to_owned();
    diary.note(day, move |books| {
        let command = NewInvoice {
            if_filed: IfFiled::Refuse,
            external_id: None,
            invoice_date: day,
            supply: SupplyDays::default(),
            status,
            customer: customer(to),
            lines,
            terms: InvoiceTerms::default(),
            due: Due::AccountTerm,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
        };
        let invoice = invoices::create(books.tx, &books.cx, &command)?.into_inner().invoice;
        books.ids.insert(format!("customer of {name}"), invoice.contact_id);
        books.ids.insert(name, invoice.id);
        Ok(())
    });
}

/// Adds a quote that is sent on its day, and accepted by telephone `accepted` days later.
fn offer(
    diary: &mut Diary,
    day: Date,
    to: &'static str,
    lines: Vec<LineInput>,
    accepted: Option<i64>,
) {
    let name = format!("quote for {to}");
    let key = name.clone();
    diary.note(day, move |books| {
        let command = NewQuote {
            external_id: None,
            quote_date: day,
            valid_until: None,
            customer: customer(to),
            lines,
            prices: Prices::Net,
            payment_term_days: None,
            prepayment_percent: None,
            on_accept: OnAccept::Nothing,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
        };
        let quote = quotes::create(books.tx, &books.cx, &command)?.into_inner().quote.id;
        quotes::mark_sent(books.tx, &books.cx, quote)?;
        books.ids.insert(key, quote);
        Ok(())
    });
    let Some(days) = accepted else { return };
    diary.note(day.saturating_add(days.days()), move |books| {
        let note = Some("Telefonisch akkoord.".to_owned());
        let decision = Decision { name: Some(to.to_owned()), note, ..Decision::default() };
        quotes::accept(books.tx, &books.cx, books.id(&name), &decision)?;
        Ok(())
    });
}

/// Adds the articles of the business.
fn articles(diary: &mut Diary) {
    let article =
        |number: &str, name: &str, english: &str, price: i64, rate: VatRate| ArticleValues {
            external_id: None,
            number: Some(number.to_owned()),
            name: name.to_owned(),
            description_nl: None,
            description_en: Some(english.to_owned()),
            unit: None,
            unit_price: Some(Decimal::new(price, 2)),
            prices_include_vat: false,
            vat_rate: Some(rate),
            vat_category: None,
            supply: None,
            exemption: None,
            status: ArticleStatus::Active,
        };
    let (day, high) = (on(1, 3), VatRate::high_on(on(1, 3)));
    let all = [
        article("100", "Ontwerp per uur", "Design per hour", 9_550, high),
        article("200", "Drukwerk", "Printed matter", 15_000, high),
    ];
    diary.note(day, move |books| {
        for new in &all {
            articles::create(books.tx, &books.cx, new)?;
        }
        Ok(())
    });
}

/// Adds two quotes: one that the customer accepted, and one that waits for an answer.
fn offers(diary: &mut Diary) {
    let day = on(11, 3);
    let sign = line(day, "Gevelbord met belettering", 10, 145_000, Vat::High);
    offer(diary, day, "Bakkerij De Korenaar", vec![sign], Some(7));
    let day = on(11, 12);
    let lines = vec![
        line(day, "Huisstijl voor de nieuwe werf", 240, 9_550, Vat::High),
        line(day, "Handleiding bij de huisstijl", 10, 32_500, Vat::High),
    ];
    offer(diary, day, "Aannemersbedrijf Steen", lines, None);
}

/// Adds a recurring invoice. It is paused, so that the books of the demo stay as they are.
fn subscriptions(diary: &mut Diary) {
    let day = on(11, 5);
    diary.note(day, move |books| {
        let command = NewRecurring {
            external_id: None,
            customer: customer("Bakkerij De Korenaar"),
            lines: vec![line(day, "Hosting {month} {year}", 10, 4_500, Vat::High)],
            prices: Prices::Net,
            payment_term_days: None,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
            rhythm: Rhythm { unit: RhythmUnit::Month, count: 1, last_day_of_month: false },
            first_date: on(12, 1),
            last_date: None,
            count: None,
            deliver: Deliver::Draft,
            supply_period: SupplyPeriod::Current,
        };
        let id = recurring::create(books.tx, &books.cx, &command)?.into_inner().recurring.id;
        recurring::skip(books.tx, &books.cx, id, 1)?;
        recurring::pause(books.tx, &books.cx, id)?;
        Ok(())
    });
}

/// Adds an invoice for the hours worked for the museum until the end of the previous month. Later
/// events refer to it by `name`.
fn hours_of_last_month(diary: &mut Diary, name: &str, day: Date, status: Status) {
    let name = name.to_owned();
    diary.note(day, move |books| {
        let command = InvoiceHours {
            external_id: None,
            project_id: books.id("project"),
            until: day.first_of_month().yesterday().ok(),
            invoice_date: Some(day),
        };
        let draft =
            invoicing::invoice(books.tx, &books.cx, &command, &|_| true)?.into_inner().invoice;
        if status == Status::Sent {
            let edit = EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() };
            invoices::edit(books.tx, &books.cx, draft.id, &edit, &|_| true)?;
        }
        books.ids.insert(name, draft.id);
        Ok(())
    });
}

/// Adds a payment of an invoice: the full amount, or `amount` in cents.
fn receipt_of_money(
    diary: &mut Diary,
    name: &str,
    day: Date,
    amount: Option<i64>,
    method: MoneyAccount,
) {
    let name = name.to_owned();
    diary.note(day, move |books| {
        let payment = NewPayment {
            external_id: None,
            invoice_id: books.id(&name),
            date: day,
            amount: amount.map(Cents::new),
            method,
            reference: None,
            keeps_surplus: false,
            if_filed: IfFiled::Refuse,
        };
        payments::record(books.tx, &books.cx, &payment)?;
        Ok(())
    });
}

// Long: one year of sales in order.
fn sales(diary: &mut Diary) {
    use MoneyAccount::{Bank, Ideal};
    // A customer who pays a small part and then goes bankrupt.
    let posters = line(on(1, 3), "Affiches voor het seizoen", 160, 9_000, Vat::High);
    sale(diary, "theatre", on(1, 3), Status::Sent, "Theater De Nachtuil", vec![posters]);
    receipt_of_money(diary, "theatre", on(1, 12), Some(50_000), Bank);
    diary.note(on(10, 6), |books| {
        let reason = Some("Failliet; de curator verwacht geen uitkering.".to_owned());
        let command = NewWriteOff {
            external_id: None,
            invoice_id: books.id("theatre"),
            date: Some(books.day),
            amount: None,
            reason,
            if_filed: IfFiled::Refuse,
        };
        write_offs::record(books.tx, &books.cx, &command)?;
        Ok(())
    });
    for month in 1..=11_i8 {
        let (name, day) = (format!("museum-{month}"), on(month, 5));
        match month {
            1 => {
                let lines = vec![line(day, "Ontwerp van de zaalroute", 280, 9550, Vat::High)];
                sale(diary, &name, day, Status::Sent, "Museum Het Raam", lines);
            }
            _ => hours_of_last_month(
                diary,
                &name,
                day,
                if month == 11 { Status::Draft } else { Status::Sent },
            ),
        }
        match month {
            9 | 11 => {}
            10 => receipt_of_money(diary, &name, on(10, 19), Some(100_000), Bank),
            _ => receipt_of_money(diary, &name, day.saturating_add(21.days()), None, Bank),
        }
        let (name, day) = (format!("other-{month}"), on(month, 18));
        let (to, lines, method) = match month % 4 {
            1 => {
                // The January invoice covers only the work remaining from the previous year, so it
                // is small.
                let covers = if month == 1 { 30 } else { 80 };
                (
                    "Verlag Lindenhof GmbH",
                    vec![line(day, "Boekomslagen", covers, 85_000, Vat::Zero)],
                    Bank,
                )
            }
            2 => {
                let price = if month == 2 { 280_000 } else { 640_000 };
                ("Northwind Studios Inc.", vec![line(day, "Titelrol", 10, price, Vat::Zero)], Bank)
            }
            3 => (
                "Aannemersbedrijf Steen",
                vec![line(
                    day,
                    "Bewegwijzering op de bouwplaats, in onderaanneming",
                    120,
                    8500,
                    Vat::Reverse,
                )],
                Bank,
            ),
            _ => {
                let lines = vec![
                    line(day, "Huisstijl", 60, 9000, Vat::High),
                    line(day, "Gedrukte gidsjes", 250, 1250, Vat::Low),
                ];
                ("Bakkerij De Korenaar", lines, Ideal)
            }
        };
        sale(diary, &name, day, Status::Sent, to, lines);
        if month != 11 {
            receipt_of_money(diary, &name, day.saturating_add(12.days()), None, method);
        }
    }
    // Two hours too many were invoiced; the payment for them is refunded.
    diary.note(on(6, 30), |books| {
        let credited = NewCreditNote {
            external_id: None,
            invoice_id: books.id("museum-6"),
            date: Some(books.day),
            lines: Some(vec![line(books.day, "Zaalteksten: twee uur minder", 20, 9550, Vat::High)]),
            reason: Some("De openingstekst schreef het museum zelf.".into()),
            if_filed: IfFiled::Refuse,
        };
        invoices::credit(books.tx, &books.cx, &credited).map(drop)
    });
    receipt_of_money(diary, "museum-6", on(7, 3), Some(-23_111), Bank);
}

/// A purchase: supplier, description, account, cents excluding VAT, VAT treatment, and VAT rate.
type Purchase = (&'static str, &'static str, AccountCode, i64, VatTreatment, VatRate);

fn purchase(
    diary: &mut Diary,
    day: Date,
    purchase: Purchase,
    paid_from: Option<MoneyAccount>,
    receipt: Option<&'static str>,
) {
    bill(diary, day, purchase, (paid_from, receipt), expenses::Bill::default());
}

/// Adds a purchase with the number of the supplier and the account to pay to.
fn bill(
    diary: &mut Diary,
    day: Date,
    purchase: Purchase,
    (paid_from, receipt): (Option<MoneyAccount>, Option<&'static str>),
    bill: expenses::Bill,
) {
    diary.note(day, move |books| {
        let (supplier, description, category, amount, treatment, rate) = purchase;
        let mut receipt_ids = Vec::new();
        if let Some(name) = receipt {
            receipt_ids.push(keep(
                books,
                name,
                &format!("{supplier}: {description}, {}", books.day),
            )?);
        }
        let line = ExpenseLine {
            category,
            amount: Cents::new(amount),
            treatment,
            rate: Some(rate),
            includes_vat: false,
            vat: None,
        };
        let command = NewExpense {
            external_id: None,
            date: books.day,
            supplier: Supplier { contact_id: None, name: Some(supplier.into()) },
            description: Some(description.into()),
            lines: vec![line],
            paid_from,
            business_share: BusinessShare::WHOLE,
            receipt_ids,
            period: expenses::Covered::default(),
            bill,
            if_filed: IfFiled::Refuse,
        };
        let made = expenses::record(books.tx, &books.cx, &command)?.into_inner();
        books.ids.insert(description.to_owned(), made.expense.id);
        Ok(())
    });
}

/// Adds a bank payment of a bill: the full amount, or `amount` in cents.
fn payment_of_bill(diary: &mut Diary, name: &'static str, day: Date, amount: Option<i64>) {
    diary.note(day, move |books| {
        let payment = NewExpensePayment {
            external_id: None,
            expense_id: books.id(name),
            date: Some(books.day),
            amount: amount.map(Cents::new),
            method: MoneyAccount::Bank,
            if_filed: IfFiled::Refuse,
        };
        expenses::pay(books.tx, &books.cx, &payment)?;
        Ok(())
    });
}

/// Stores a one-page receipt and returns its id.
fn keep(books: &mut Books<'_, '_>, name: &str, text: &str) -> Result<i64, Error> {
    let file = receipts::look_at(page_of(text), Some(name.to_owned()))
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(receipts::keep(books.tx, &books.cx, &file)?.into_inner().id)
}

/// A PDF with one line of text (ISO 32000-1, annex H.2).
fn page_of(text: &str) -> Vec<u8> {
    let words = text.replace(['(', ')', '\\'], " ");
    let content = format!("BT /F1 14 Tf 40 360 Td ({words}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 420] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = String::new();
    for (place, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{} 0 obj\n{object}\nendobj\n", place + 1);
    }
    let (start, count) = (file.len(), objects.len() + 1);
    file += &format!(
        "xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}

// Long: one year of purchases in order.
fn purchases(diary: &mut Diary) {
    use VatTreatment::{Eu, Import, None as Free, Normal};
    let (high, low) = (VatRate::high_on(on(1, 1)), VatRate::low_on(on(1, 1)));
    let bank = Some(MoneyAccount::Bank);
    diary.note(on(1, 15), |books| {
        let receipt = keep(books, "laptop.pdf", "Factuur: laptop, EUR 1.899,00 excl. btw")?;
        let laptop = NewAsset {
            external_id: None,
            date: books.day,
            description: "Laptop".into(),
            account: codes::EQUIPMENT,
            accumulated_account: None,
            depreciation_account: None,
            cost: Cents::new(189_900),
            residual_value: Cents::ZERO,
            life_years: None,
            supplier: Supplier { contact_id: None, name: Some("Rekenwinkel".into()) },
            treatment: Normal,
            rate: None,
            vat: None,
            paid_from: Some(MoneyAccount::Bank),
            receipt_ids: vec![receipt],
            if_filed: IfFiled::Refuse,
            opening_depreciated: None,
        };
        let bought = assets::buy(books.tx, &books.cx, &laptop)?.into_inner();
        books.ids.insert("laptop".into(), bought.asset.id);
        Ok(())
    });
    for month in 1..=11_i8 {
        let day = |day| on(month, day);
        purchase(
            diary,
            day(1),
            ("De Werkplaats", "Huur van de studio", codes::HOUSING, 45_000, Normal, high),
            bank,
            Some("huur.pdf"),
        );
        let phone =
            ("Telefoon Direct", "Telefoon en internet", codes::TELEPHONE, 4_132, Normal, high);
        purchase(diary, day(3), phone, Some(MoneyAccount::DirectDebit), Some("telefoon.pdf"));
        let software = (
            "Emerald Software Ltd.",
            "Ontwerpsoftware (Ierland)",
            codes::SOFTWARE,
            5_999,
            Eu,
            high,
        );
        purchase(diary, day(9), software, bank, Some("ontwerpsoftware.pdf"));
        purchase(
            diary,
            day(20),
            ("De Spoorlijn", "Treinreizen", codes::TRAVEL, 6_422, Normal, low),
            bank,
            None,
        );
        if month % 3 == 0 {
            let stock =
                ("Stock Images Inc.", "Stockfoto’s (VS)", codes::MARKETING, 12_000, Import, high);
            purchase(diary, day(10), stock, bank, Some("stockfotos.pdf"));
            let insurance = (
                "Polis & Co",
                "Aansprakelijkheidsverzekering",
                codes::INSURANCE,
                9_950,
                Free,
                VatRate::ZERO,
            );
            purchase(diary, day(12), insurance, bank, Some("polis.pdf"));
        }
        if month % 2 == 1 {
            diary.note(day(6), move |books| {
                let trip = NewTrip {
                    external_id: None,
                    date: books.day,
                    from: "Voorbeeldstad".into(),
                    to: "Amsterdam".into(),
                    distance: 9_480,
                    purpose: Some("Museum Het Raam: overleg over de tentoonstelling".into()),
                    project_id: Some(books.id("project")).filter(|id| *id > 0),
                };
                mileage::record(books.tx, &books.cx, &trip)?;
                Ok(())
            });
        }
    }
    // Two bills, one paid in two parts and one unpaid, and a receipt that has no expense yet.
    let print = ("Drukkerij De Pers", "Drukwerk gidsjes", codes::PURCHASES, 168_000, Normal, low);
    purchase(diary, on(8, 20), print, None, Some("drukkerij.pdf"));
    for (day, amount) in [(on(8, 28), Some(100_000)), (on(9, 14), None)] {
        payment_of_bill(diary, "Drukwerk gidsjes", day, amount);
    }
    let advice =
        ("Cijferkantoor", "Boekhouder, derde kwartaal", codes::ACCOUNTANT, 22_500, Normal, high);
    let from_accountant = expenses::Bill {
        number: Some("2026-0311".into()),
        due_date: None,
        pay_to: expenses::PayTo {
            iban: Iban::parse("NL02ABNA0123456789").ok(),
            ..expenses::PayTo::default()
        },
    };
    bill(diary, on(11, 20), advice, (None, Some("cijferkantoor.pdf")), from_accountant);
    diary.note(on(11, 20), |books| {
        let expense_id = books.id("Boekhouder, derde kwartaal");
        let batch = NewBatch {
            external_id: None,
            bank_account_id: None,
            execution_date: None,
            items: vec![NewBatchItem { expense_id, amount: None }],
        };
        payment_batches::create(books.tx, &books.cx, &batch).map(drop)
    });
    diary.note(on(11, 16), |books| {
        keep(books, "lunch.pdf", "Lunch met een klant, EUR 38,50").map(drop)
    });
}

// Long: one year of payments in order.
fn money(diary: &mut Diary) {
    let bank = MoneyAccount::Bank;
    for month in 1..=11_i8 {
        let drawing = |kind, amount| Event::Private {
            kind,
            amount: Cents::new(amount),
            method: MoneyAccount::Bank,
            premium: None,
        };
        diary.note(on(month, 15), move |books| {
            books.event(None, None, drawing(PrivateKind::Drawing, 260_000)).map(drop)
        });
        if month % 2 == 0 {
            diary.note(on(month, 26), move |books| {
                books.event(
                    Some("Voorlopige aanslag"),
                    None,
                    drawing(PrivateKind::IncomeTax, 215_000),
                )?;
                books.event(None, None, drawing(PrivateKind::HealthInsurance, 48_000)).map(drop)
            });
        }
    }
    diary.note(on(2, 2), move |books| {
        let drawn =
            Event::Loan { account: codes::BANK_LOAN, amount: Cents::new(600_000), method: bank };
        let id = books.event(Some("Lening voor de inrichting van de werkplaats"), None, drawn)?;
        books.ids.insert("loan".into(), id);
        Ok(())
    });
    for (month, interest) in
        (3..=11_i8).zip([2_500, 2_396, 2_292, 2_188, 2_083, 1_979, 1_875, 1_771, 1_667])
    {
        diary.note(on(month, 2), move |books| {
            let (account, principal) = (codes::BANK_LOAN, Cents::new(25_000));
            let paid = Event::LoanRepayment {
                account,
                principal,
                interest: Cents::new(interest),
                method: bank,
            };
            let loan = books.id("loan");
            books.event(None, Some(loan), paid).map(drop)
        });
    }
    for month in [3, 6, 9] {
        diary.note(on(month, 28), move |books| {
            let to_savings = Event::Transfer {
                from: bank,
                to: MoneyAccount::Savings,
                amount: Cents::new(400_000),
                arrived: on(month, 29),
                awaited: None,
            };
            books
                .event(Some("Opzijgezet voor btw en inkomstenbelasting"), None, to_savings)
                .map(drop)
        });
    }
    // The provider pays out the bakery's iDEAL payments, less its fee.
    for (month, received) in [(5, 99_403), (9, 99_403)] {
        diary.note(on(month, 3), move |books| {
            let fee = 39;
            let payout = NewPayout {
                external_id: None,
                date: books.day,
                amount: Cents::new(received - fee),
                fee: Cents::new(fee),
                fee_vat_treatment: FeeVat::Normal,
                fee_vat: None,
                provider: Some("Betaalbrug".into()),
                bank_account: None,
                provider_account: None,
                if_filed: IfFiled::Refuse,
            };
            payouts::record(books.tx, &books.cx, &payout)?;
            Ok(())
        });
    }
    diary.note(on(9, 30), |books| {
        let (kind, account) = (AccrualKind::WorkToInvoice, codes::REVENUE_SERVICES_OUTSIDE_EU);
        let accrued =
            Event::Accrual { kind, account, amount: Cents::new(320_000), reverse_on: on(10, 1) };
        books
            .event(
                Some("Northwind Studios: de helft van een titelrol, in oktober gefactureerd"),
                None,
                accrued,
            )
            .map(drop)
    });
    diary.note(on(7, 8), |books| {
        let postings = vec![
            Posting::debit(codes::BANK_COSTS, Cents::new(1_475), None),
            Posting::credit(codes::BANK, Cents::new(1_475), None),
        ];
        books.event(Some("Bankkosten tweede kwartaal"), None, Event::ByHand { postings }).map(drop)
    });
}

/// Lines of the bank that are not booked yet: day of November, amount in cents, counterparty and
/// text.
const BANK_LINES: [(i8, i64, &str, &str); 3] = [
    (17, -1_250, "Bank", "Kosten zakelijk pakket oktober"),
    (18, -2_390, "Bruna", "Pasvolgnr 002 17-11-2026 10:12"),
    (18, 4_500, "J. Smit", "Terugbetaling lunch"),
];

fn statement(diary: &mut Diary) {
    diary.note(on(11, 19), |books| {
        let line = |(day, amount, name, text): (i8, i64, &str, &str)| SentLine {
            date: on(11, day),
            value_date: None,
            amount: Cents::new(amount),
            name: Some(name.to_owned()),
            iban: None,
            text: text.to_owned(),
            end_to_end_id: None,
            bank_reference: None,
        };
        let sent = SentLines {
            bank_account_id: 1,
            from: on(11, 17),
            to: on(11, 18),
            opening: None,
            closing: None,
            lines: BANK_LINES.map(line).into(),
        };
        let text: Vec<String> = BANK_LINES.iter().map(|of| format!("{of:?}")).collect();
        let file = StatementFile::of_lines(text.join("\n").into_bytes().into(), &sent)?;
        let command = NewStatement {
            external_id: None,
            name: None,
            bank_account_id: Some(1),
            file,
            is_limited: false,
        };
        bank_statements::import(books.tx, &books.cx, &command)?;
        let rule = NewRule {
            external_id: None,
            name: "Bankkosten".to_owned(),
            position: None,
            when: RuleConditions {
                direction: LineDirection::Out,
                text_contains: Some("zakelijk pakket".to_owned()),
                ..RuleConditions::default()
            },
            then: RuleOutcome::Book(RepeatedBooking::BankCosts),
            automatic: false,
        };
        bank_rules::create(books.tx, &books.cx, &rule).map(drop)
    });
}

fn taxes(diary: &mut Diary) {
    diary.note(on(6, 30), |books| {
        let lamp = Event::PrivateUse {
            kind: PrivateUseKind::Goods,
            vat: Cents::new(1_680),
            base: Some(Cents::new(8_000)),
        };
        books.event(Some("Bureaulamp, nu thuis"), None, lamp).map(drop)
    });
    diary.note(date(YEAR, 1, 2), |books| {
        let command = Register { from: date(YEAR, 1, 1), ground: Ground::Choice, until: None };
        oss::register(books.tx, &books.cx, &command).map(drop)
    });
    for number in 1..=3 {
        let Some(quarter) = VatPeriod::quarter(YEAR, number) else { continue };
        // Returns of the Union scheme are filed even if nothing is declared.
        diary.note(quarter.last_day().saturating_add(21.days()), move |books| {
            oss::file(books.tx, &books.cx, quarter).map(drop)
        });
        diary.note(quarter.last_day(), move |books| {
            let laptop = books.id("laptop");
            assets::depreciate(books.tx, &books.cx, laptop, quarter.last_day()).map(drop)
        });
        // The return for the third quarter has not been filed yet.
        if number < 3 {
            diary.note(quarter.last_day().saturating_add(20.days()), move |books| {
                let filed = vat_filings::file(books.tx, &books.cx, quarter)?;
                let payment = NewVatPayment {
                    external_id: None,
                    date: books.day,
                    amount: Cents::new(filed.vat_return.declared_payable * 100),
                    method: MoneyAccount::Bank,
                    description: None,
                    period: Some(quarter),
                    oss_period: None,
                };
                vat_payments::record(books.tx, &books.cx, &payment)?;
                Ok(())
            });
        }
    }
}

/// Project: name, hourly rate in cents (`None` for a fixed price or unpaid work), budget in hours.
type Plan = (&'static str, Option<i64>, Option<i64>);

/// Adds a project for a customer, or for the studio itself.
fn project(
    diary: &mut Diary,
    key: &'static str,
    day: Date,
    (name, rate, budget): Plan,
    customer: Option<&'static str>,
) {
    diary.note(day, move |books| {
        let command = NewProject {
            name: name.into(),
            contact_id: customer.map(|customer| books.id(customer)),
            hourly_rate: rate.map(Cents::new),
            budget_hours: budget.map(|budget| Hours::new(budget * 100)),
            ..NewProject::default()
        };
        let id = projects::create(books.tx, &books.cx, &command)?.into_inner().id;
        books.ids.insert(key.into(), id);
        Ok(())
    });
}

/// Returns the project and description of a day's work: the museum's exhibition, unless the weekday
/// is reserved for another customer or, every other Thursday, for unpaid work.
fn work(day: Date, weekday: i8) -> (&'static str, &'static str) {
    let pick = |of: [&'static str; 4]| of[usize::try_from(day.day() / 8).unwrap_or(0) % 4];
    let museum = (
        "project",
        pick(["Ontwerp van de zalen", "Zaalteksten", "Drukwerk", "Overleg met de curator"]),
    );
    match weekday {
        1 if day >= on(11, 1) || (day >= on(7, 1) && day < on(7, 18)) => {
            ("signs", pick(["Plattegronden", "Bordenplan", "Werktekeningen", "Montage"]))
        }
        1 if day > on(1, 20) => (
            "books",
            pick(["Omslagontwerp", "Proefdruk", "Illustraties", "Overleg met de uitgever"]),
        ),
        2 if day > on(2, 18) => {
            ("titles", pick(["Storyboard", "Animatie", "Kleurcorrectie", "Oplevering"]))
        }
        3 if day > on(11, 8) => (
            "bakery",
            pick(["Menukaart", "Menukaart: schetsen", "Menukaart: drukproef", "Menukaart"]),
        ),
        3 if day > on(1, 8) && day.iso_week_date().week() % 2 == 0 => (
            "own",
            pick(["Portfolio bijwerken", "Eigen letter tekenen", "Nieuwe website", "Proefdrukken"]),
        ),
        _ => museum,
    }
}

/// ISO weeks in which the studio is closed.
const HOLIDAYS: [i8; 5] = [9, 19, 30, 31, 32];

// Long: one year of hours in order.
fn hours(diary: &mut Diary) {
    let museum = ("Museum Het Raam: tentoonstelling", Some(9550), Some(540));
    project(diary, "project", on(1, 5), museum, Some("customer of museum-1"));
    let books = ("Verlag Lindenhof: boekomslagen", None, Some(280));
    project(diary, "books", on(1, 18), books, Some("customer of other-1"));
    let titles = ("Northwind Studios: titelrollen", None, Some(240));
    project(diary, "titles", on(2, 18), titles, Some("customer of other-2"));
    project(
        diary,
        "signs",
        on(3, 18),
        ("Steen: bewegwijzering", None, Some(48)),
        Some("customer of other-3"),
    );
    project(
        diary,
        "bakery",
        on(4, 18),
        ("Bakkerij De Korenaar: menukaarten", Some(9000), Some(24)),
        Some("customer of other-4"),
    );
    project(diary, "own", on(1, 5), ("Eigen werk: portfolio en letterontwerp", None, None), None);
    let mut day = on(1, 5);
    while day <= on(11, 20) {
        let (week, weekday) = (day.iso_week_date().week(), day.weekday().to_monday_zero_offset());
        if !HOLIDAYS.contains(&week) && weekday < 4 {
            let (key, description) = work(day, weekday);
            let usual = [700, 650, 600, 700][usize::try_from(weekday).unwrap_or(0)];
            // The usual length of the day, plus or minus half an hour.
            let hours = Hours::new(usual + i64::from(day.day() % 3) * 50 - 50);
            diary.note(day, move |books| {
                let entry = NewTimeEntry {
                    external_id: None,
                    project_id: books.id(key),
                    date: books.day,
                    hours,
                    description: description.into(),
                };
                time_entries::create(books.tx, &books.cx, &entry)?;
                Ok(())
            });
        } else if !HOLIDAYS.contains(&week) && weekday == 4 {
            let (category, work) = [
                ("acquisition", "Gesprekken met nieuwe klanten"),
                ("training", "Vakliteratuur en cursus"),
                ("acquisition", "Offertes"),
                ("travel", "Reistijd"),
            ][usize::try_from(week % 4).unwrap_or(0)];
            for (category, work, hours) in
                [("administration", "Administratie", 150), (category, work, 250)]
            {
                diary.note(day, move |books| {
                    let logged = NewLoggedHours {
                        external_id: None,
                        date: books.day,
                        hours: Hours::new(hours),
                        description: work.to_owned(),
                        category,
                    };
                    hours_log::create(books.tx, &books.cx, &logged)?;
                    Ok(())
                });
            }
        }
        day = day.saturating_add(1.day());
    }
    // The demo starts with a running timer. It is recorded last, because timestamps only increase.
    diary.note(on(12, 31), |books| {
        let now = System.now();
        let command = StartTimer {
            project_id: Some(books.id("bakery")),
            description: Some("Menukaarten".into()),
            category: None,
        };
        timer::start(
            books.tx,
            &books.cx.at(now.checked_sub(25.minutes()).unwrap_or(now)),
            &command,
        )?;
        Ok(())
    });
}
