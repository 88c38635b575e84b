//! An account with every kind of booking, starting with an opening balance, and with each kind of
//! document undone once.

use super::{NOW, sale};
use jiff::{SignedDuration, Timestamp, civil::date};
use ledger::{
    bank_account::BankAccountKind,
    bank_line::IgnoreReason,
    booking::MoneyAccount,
    calendar::Quarter,
    cash_accounting::{CashGround, VatMethod},
    chart::codes,
    country::CountryCode,
    decimal::Decimal,
    discount::Discount,
    entry::{Posting, SourceType},
    event::{AccrualKind, Event, PrivateKind, PrivateUseKind},
    hours::Hours,
    identifiers::{Bic, Iban},
    invoice::{Line, Prices},
    language::Language,
    money::Cents,
    payout::FeeVat,
    purchase::{BusinessShare, VatTreatment},
    quote::{OnAccept, QuotePart},
    schedule::{Deliver, Missed, Rhythm, RhythmUnit, SupplyPeriod},
    vat::{Supply, VatCategory, VatRate},
};
use service::{
    Context, Environment, Error,
    accounts::{self, OpenAccount},
    assets::{self, DisposeAsset, NewAsset},
    bank_accounts::{self, NewBankAccount},
    bank_booking::{self, Allocation, BookLine, LineBooking, LineExpense, UndoLine},
    bank_lines::{self, IgnoreLine},
    bank_statements::{self, NewStatement, ReadOptions, SentLine, SentLines, StatementFile},
    bank_suggestions,
    corrections::IfFiled,
    environment::{Clock, System},
    events::{self, NewEvent},
    expenses::{self, Covered, ExpenseLine, NewExpense, NewExpensePayment, Supplier},
    hours_log::{self, NewLoggedHours},
    invoice_documents::{self, Asked},
    invoices::{self, CreditedLine, EditInvoice, InvoiceTerms, LineInput, NewCreditNote, TaxPlace},
    invoicing::{self, InvoiceHours},
    mileage::{self, NewTrip},
    open_items::{NewOpenItem, OpenItemContact},
    oss::{self, Ground, Register},
    payment_batches::{self, NewBatch, NewBatchItem},
    payments::{self, NewPayment, UndoPayment},
    payouts::{self, NewPayout, UndoPayout},
    projects::{self, NewProject},
    quotes::{self, AskedQuote, Decision, InvoiceQuotePart, NewQuote, Shown},
    receipts,
    recurring::{self, NewRecurring},
    time_entries::{self, NewTimeEntry},
    vat_accounting::{self, ChangeMethod},
    vat_filings,
    vat_payments::{self, NewVatPayment},
    vat_revisions::{self, Revise},
    write_offs::{self, NewWriteOff, UndoWriteOff},
};
use sha2::{Digest, Sha256};
use std::io::{Cursor, Write};
use store::{
    Tx,
    accounts::Plan,
    bank_lines::LineFilter,
    documents::Format,
    invoices::{Particulars, Status},
    opening_items::{OpenItemKind, OpeningVat},
};
use zip::{ZipWriter, write::SimpleFileOptions};

const REFUSE: IfFiled = IfFiled::Refuse;

/// Opens the account and fills it.
pub(crate) fn fill(tx: &mut Tx<'_>) -> Result<(), Error> {
    let now: Timestamp = NOW.parse().unwrap();
    let email = "dora@example.com".to_owned();
    let open = OpenAccount {
        email: email.clone(),
        name: "Dora".into(),
        country: CountryCode::NL,
        plan: Plan::Pro,
        password: None,
    };
    accounts::open(tx, &Environment::at(now), &open)?;
    let cx =
        &Context::of_owner(&accounts::by_email(tx, &email)?, Environment::at(System.now())).at(now);
    begin(tx, cx)?;
    sales(tx, cx)?;
    quotes(tx, cx)?;
    recurring(tx, cx)?;
    purchases(tx, cx)?;
    registers(tx, cx)?;
    happenings(tx, cx)?;
    vat_filings::file(tx, cx, Quarter::new(2025, 4).unwrap().into())?;
    cash_accounting(tx, cx)?;
    one_stop_shop(tx, cx)?;
    bank(tx, cx)?;
    payment_batch(tx, cx)?;
    hours(tx, cx)
}

/// Takes bank statements, ignores a line, and undoes a statement.
// Long: it fills the tables of bank statements in order.
fn bank(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let account = NewBankAccount {
        external_id: None,
        name: "ABN AMRO".into(),
        kind: BankAccountKind::Checking,
        iban: Iban::parse("NL02ABNA0123456789").ok(),
        identifiers: Vec::new(),
        is_default: false,
    };
    let abn_amro = bank_accounts::create(tx, cx, &account)?.into_inner().account.id;
    let feed = include_str!("bank.940");
    let take = |tx: &mut Tx<'_>, bytes: &[u8], external_id: Option<&str>, id: Option<i64>| {
        let reading = ReadOptions { accept_balance: true, ..ReadOptions::default() };
        let command = NewStatement {
            external_id: external_id.map(str::to_owned),
            name: Some("april".into()),
            bank_account_id: id,
            file: bank_statements::read_file(bytes.into(), date(2026, 5, 2), reading).unwrap(),
            is_limited: true,
        };
        bank_statements::import(tx, cx, &command)
    };
    take(tx, feed.as_bytes(), Some("s-1"), None)?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("april.xml", SimpleFileOptions::default()).unwrap();
    archive.write_all(include_bytes!("bank.xml")).unwrap();
    take(tx, &archive.finish().unwrap().into_inner(), None, None)?;
    // The last file resembles a line of another day, and is undone.
    let later = feed.replace("260402", "260404").replace(":86:/TRTP", ":86:/TRCD/00/TRTP");
    let undone = take(tx, later.as_bytes(), None, None)?.into_inner().statement.id;
    let private =
        IgnoreLine { reason: IgnoreReason::Private, note: Some("Paid with the wrong card".into()) };
    bank_lines::ignore(tx, cx, 1, &private)?;
    bank_statements::undo(tx, cx, undone)?;
    bank_lines::ignore(tx, cx, 2, &private)?;
    bank_booking::undo(tx, cx, 2, UndoLine::default())?;
    let allocation = |amount: Option<i64>, booking| Allocation {
        amount: amount.map(Cents::new),
        booking,
        if_filed: REFUSE,
    };
    let book = |tx: &mut Tx<'_>, id, external_id: Option<&str>, allocations| {
        let command = BookLine { external_id: external_id.map(str::to_owned), allocations };
        bank_booking::book(tx, cx, id, &command)
    };
    let office = LineBooking::Ledger { account: codes::OFFICE, description: None };
    let split = vec![allocation(Some(2_000), LineBooking::BankCosts), allocation(None, office)];
    book(tx, 3, Some("b-1"), split)?;
    let deposit = LineBooking::Private { kind: PrivateKind::Deposit, premium: None };
    book(tx, 2, None, vec![allocation(None, deposit)])?;
    let drawing = LineBooking::Private { kind: PrivateKind::Drawing, premium: None };
    book(tx, 4, None, vec![allocation(None, drawing)])?;
    bank_booking::undo(tx, cx, 4, UndoLine::default())?;
    // Of the savings account: a transfer whose other half is awaited, and an expense.
    let sent = |amount| SentLine {
        date: date(2026, 4, 5),
        value_date: None,
        amount: Cents::new(amount),
        name: Some("Papierhal".into()),
        iban: None,
        text: "Toner".into(),
        end_to_end_id: None,
        bank_reference: None,
    };
    let lines = SentLines {
        bank_account_id: 2,
        from: date(2026, 4, 5),
        to: date(2026, 4, 5),
        opening: None,
        closing: None,
        lines: vec![sent(-3_300), sent(-440_000)],
    };
    let file = StatementFile::of_lines(b"{}".as_slice().into(), &lines).unwrap();
    let command = NewStatement {
        external_id: None,
        name: None,
        bank_account_id: Some(2),
        file,
        is_limited: true,
    };
    bank_statements::import(tx, cx, &command)?;
    let savings = LineFilter { bank_account: Some(2), ..LineFilter::default() };
    let ids = bank_lines::list(tx, cx, &savings, i64::MAX, 2)?.rows;
    let moved = LineBooking::Transfer { bank_account_id: abn_amro, line_id: None };
    book(tx, ids[1].line.id, None, vec![allocation(None, moved)])?;
    let item = ExpenseLine {
        category: codes::OFFICE,
        amount: Cents::ZERO,
        treatment: VatTreatment::Normal,
        rate: Some(VatRate::high_on(date(2026, 4, 3))),
        includes_vat: true,
        vat: None,
    };
    let expense = LineExpense {
        external_id: None,
        date: Some(date(2026, 4, 3)),
        supplier: Supplier::default(),
        description: Some("Toner".into()),
        lines: vec![item],
        takes_all: true,
        business_share: BusinessShare::WHOLE,
        receipt_ids: Vec::new(),
        period: Covered::default(),
        bill: store::expenses::Bill::default(),
    };
    let bought = LineBooking::Expense(Box::new(expense));
    book(tx, ids[0].line.id, None, vec![allocation(None, bought)])?;
    Ok(())
}

/// A bill of a supplier with an IBAN.
fn bill_to_pay(amount: Cents) -> NewExpense {
    NewExpense {
        external_id: None,
        date: date(2026, 4, 1),
        supplier: Supplier { contact_id: None, name: Some("Drukkerij".into()) },
        description: None,
        lines: vec![ExpenseLine {
            category: codes::OFFICE,
            amount,
            treatment: VatTreatment::Normal,
            rate: Some(VatRate::high_on(date(2026, 4, 1))),
            includes_vat: true,
            vat: None,
        }],
        paid_from: None,
        business_share: BusinessShare::WHOLE,
        receipt_ids: Vec::new(),
        period: Covered::default(),
        bill: expenses::Bill {
            number: Some("D-7".into()),
            due_date: None,
            pay_to: expenses::PayTo {
                iban: Iban::parse("BE68539007547034").ok(),
                bic: Bic::parse("KREDBEBB").ok(),
                ..expenses::PayTo::default()
            },
        },
        if_filed: REFUSE,
    }
}

/// Makes a batch of two bills, one of which a bank line pays.
fn payment_batch(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let mut items = Vec::new();
    for amount in [Cents::new(40_000), Cents::new(50_000)] {
        let bill = bill_to_pay(amount);
        let expense_id = expenses::record(tx, cx, &bill)?.into_inner().expense.id;
        items.push(NewBatchItem { expense_id, amount: None });
    }
    let account = NewBankAccount {
        external_id: None,
        name: "Paying".into(),
        kind: BankAccountKind::Checking,
        iban: Iban::parse("NL20INGB0001234567").ok(),
        identifiers: Vec::new(),
        is_default: false,
    };
    let bank = bank_accounts::create(tx, cx, &account)?.into_inner().account;
    let bank_account_id = Some(bank.id);
    let paid = LineBooking::Bill { expense_id: items[0].expense_id };
    let batch = NewBatch {
        external_id: Some("pay-1".into()),
        bank_account_id,
        execution_date: None,
        items,
    };
    payment_batches::create(tx, cx, &batch)?;
    let paid = Allocation { amount: None, booking: paid, if_filed: REFUSE };
    let command = BookLine { external_id: None, allocations: vec![paid] };
    bank_booking::book(tx, cx, 4, &command)?;
    // Part of the other bill, as its number on a line suggests.
    let part = SentLine {
        date: date(2026, 4, 6),
        value_date: None,
        amount: Cents::new(-10_000),
        name: Some("Drukkerij".into()),
        iban: None,
        text: "Factuur D-7".into(),
        end_to_end_id: None,
        bank_reference: None,
    };
    let lines = SentLines {
        bank_account_id: bank.id,
        from: part.date,
        to: part.date,
        opening: None,
        closing: None,
        lines: vec![part],
    };
    let file = StatementFile::of_lines(b"[]".as_slice().into(), &lines).unwrap();
    let command =
        NewStatement { external_id: None, name: None, bank_account_id, file, is_limited: true };
    bank_statements::import(tx, cx, &command)?;
    let of_bank = LineFilter { bank_account: bank_account_id, ..LineFilter::default() };
    let line = bank_lines::list(tx, cx, &of_bank, i64::MAX, 1)?.rows.remove(0).line;
    let (id, suggestions) = (line.id, bank_suggestions::of_lines(tx, cx, &[line])?.remove(0));
    bank_suggestions::accept(tx, cx, id, suggestions[0].id)?;
    Ok(())
}

/// Registers for the Union scheme, sells to a consumer in Germany, and pays the VAT.
fn one_stop_shop(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let from = date(2026, 4, 1);
    oss::register(tx, cx, &Register { from, ground: Ground::Choice, until: None })?;
    let mut sent = sale(date(2026, 4, 21), 4_000, Status::Sent, None);
    sent.customer.party.country = CountryCode::parse("DE").ok();
    sent.customer.party.vat_number = Some(None);
    sent.customer.party.kvk_number = Some(None);
    sent.customer.party.kind = Some(Some("consumer".into()));
    sent.customer.party.vat_default_rate = Some(None);
    for line in &mut sent.lines {
        line.supply = Some(Supply::Goods);
        line.place.standard_rate = true;
    }
    invoices::create(tx, cx, &sent)?;
    quotes::create(tx, cx, &quote_like(sent.clone(), None))?;
    let abroad = recurring::create(tx, cx, &recurring_like(cx, sent, None))?.into_inner();
    recurring::end(tx, cx, abroad.recurring.id)?;
    let paid = NewVatPayment {
        external_id: None,
        date: date(2026, 4, 30),
        amount: Cents::new(2_990),
        method: MoneyAccount::Bank,
        description: None,
        period: None,
        oss_period: Some(Quarter::new(2026, 2).unwrap().into()),
    };
    vat_payments::record(tx, cx, &paid)?;
    Ok(())
}

/// Begins cash accounting and sends an invoice under it, of which a part is paid and a part is
/// written off.
fn cash_accounting(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let change = ChangeMethod {
        method: VatMethod::Cash,
        from: date(2026, 4, 1),
        ground: Some(CashGround::ListedTrade),
        designated_on: None,
    };
    vat_accounting::change(tx, cx, &change)?;
    let sent = sale(date(2026, 4, 20), 9_550, Status::Sent, None);
    let id = invoices::create(tx, cx, &sent)?.into_inner().invoice.id;
    payments::record(tx, cx, &payment(id, date(2026, 4, 25), 10_000))?;
    let lost = NewWriteOff {
        external_id: None,
        invoice_id: id,
        date: Some(date(2026, 4, 30)),
        amount: Some(Cents::new(5_000)),
        reason: None,
        if_filed: REFUSE,
    };
    write_offs::record(tx, cx, &lost)?;
    Ok(())
}

fn begin(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let item = |kind, contact: &str, number: &str, amount| NewOpenItem {
        kind,
        contact: OpenItemContact::Name(contact.to_owned()),
        number: number.to_owned(),
        date: date(2025, 9, 1),
        due_date: date(2025, 10, 31),
        amount: Cents::new(amount),
        total: None,
        supply_date: None,
        vat: Vec::new(),
    };
    let balances = vec![
        (codes::BANK, Cents::new(800_000)),
        (codes::EQUIPMENT, Cents::new(300_000)),
        (codes::ACCUMULATED_DEPRECIATION, Cents::new(-60_000)),
    ];
    let opening = NewEvent {
        open_items: vec![
            NewOpenItem {
                total: Some(Cents::new(121_000)),
                supply_date: Some(date(2025, 8, 29)),
                vat: vec![OpeningVat {
                    rate: VatRate::from_basis_points(2_100),
                    base: Cents::new(100_000),
                    amount: Cents::new(21_000),
                }],
                ..item(OpenItemKind::Receivable, "Museum De Pier", "F-41", 60_500)
            },
            item(OpenItemKind::Payable, "Papierhal", "88104", 12_100),
        ],
        ..event(date(2025, 10, 1), Event::OpeningBalance { balances })
    };
    events::record(tx, cx, &opening)?;
    Ok(())
}

fn event(on: jiff::civil::Date, event: Event) -> NewEvent {
    NewEvent {
        external_id: None,
        date: on,
        description: Some("Remark".into()),
        event,
        parent_id: None,
        open_items: vec![],
        if_filed: REFUSE,
    }
}

fn payment(invoice_id: i64, on: jiff::civil::Date, amount: i64) -> NewPayment {
    NewPayment {
        external_id: None,
        invoice_id,
        date: on,
        amount: Some(Cents::new(amount)),
        method: MoneyAccount::Bank,
        reference: Some("Statement 7".into()),
        keeps_surplus: false,
        if_filed: REFUSE,
    }
}

// Long: one of each event, in order.
fn sales(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let mut sold = Vec::new();
    for (on, price, status, category) in [
        (date(2025, 12, 30), 9_550, Status::Sent, None),
        (date(2026, 1, 15), 9_550, Status::Sent, None),
        (date(2026, 2, 15), 65_000, Status::Sent, Some(VatCategory::IntraCommunity)),
        (date(2026, 4, 1), 12_345, Status::Draft, None),
        (date(2026, 4, 2), 4_000, Status::Sent, None),
        (date(2026, 4, 3), 5_000, Status::Draft, Some(VatCategory::IntraCommunity)),
        (date(2026, 4, 4), 6_000, Status::Draft, None),
    ] {
        sold.push(
            invoices::create(tx, cx, &sale(on, price, status, category))?.into_inner().invoice,
        );
    }
    invoices::cancel(tx, cx, sold[6].id, REFUSE, &|_| true)?;
    // One invoice is paid in parts, one of which is undone on another date; another invoice is
    // fully paid and credited, and the surplus is refunded.
    payments::record(tx, cx, &payment(sold[0].id, date(2026, 1, 20), 10_000))?;
    let second =
        payments::record(tx, cx, &payment(sold[0].id, date(2026, 1, 21), 5_000))?.into_inner().id;
    payments::record(tx, cx, &payment(sold[0].id, date(2026, 1, 22), 5_000))?;
    let how = UndoPayment { date: Some(date(2026, 2, 1)), if_filed: REFUSE };
    payments::undo(tx, cx, (sold[0].id, second), how, &|_| true)?;
    payments::record(
        tx,
        cx,
        &NewPayment { amount: None, ..payment(sold[1].id, date(2026, 2, 2), 0) },
    )?;
    let credit = NewCreditNote {
        if_filed: REFUSE,
        external_id: None,
        invoice_id: sold[1].id,
        date: Some(date(2026, 3, 1)),
        lines: None,
        reason: Some("Returned".into()),
    };
    invoices::credit(tx, cx, &credit)?;
    payments::record(tx, cx, &payment(sold[1].id, date(2026, 3, 5), -20_000))?;
    // A write-off that is undone, and one that is partly recovered.
    let write_off = |invoice_id, on| NewWriteOff {
        external_id: None,
        invoice_id,
        date: Some(on),
        amount: None,
        reason: Some("Bankrupt".into()),
        if_filed: REFUSE,
    };
    let given_up =
        write_offs::record(tx, cx, &write_off(sold[2].id, date(2026, 3, 2)))?.into_inner().id;
    write_offs::undo(
        tx,
        cx,
        (sold[2].id, given_up),
        UndoWriteOff { date: Some(date(2026, 3, 3)), if_filed: REFUSE },
    )?;
    write_offs::record(tx, cx, &write_off(sold[4].id, date(2026, 4, 10)))?;
    payments::record(tx, cx, &payment(sold[4].id, date(2026, 4, 20), 3_000))?;
    // Two halves of a base of 14 cents: the VAT is 1 cent on each half but 3 on the whole, so the
    // last credit note has a correction.
    let cents = |quantity| LineInput {
        description: "Stickers".into(),
        quantity: Decimal::new(quantity, 0),
        unit_price: Decimal::new(7, 2),
        vat_rate: VatRate::high_on(date(2026, 4, 7)),
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
    let few = invoices::NewInvoice {
        lines: vec![cents(2)],
        ..sale(date(2026, 4, 7), 7, Status::Sent, None)
    };
    let few = invoices::create(tx, cx, &few)?.into_inner().invoice.id;
    for lines in [Some(vec![cents(1)]), None] {
        invoices::credit(
            tx,
            cx,
            &NewCreditNote {
                invoice_id: few,
                date: Some(date(2026, 4, 8)),
                lines,
                ..credit.clone()
            },
        )?;
    }
    let advance = InvoiceTerms { prepayment: true, ..InvoiceTerms::default() };
    let asked = invoices::NewInvoice {
        terms: advance,
        ..sale(date(2026, 4, 5), 2_000, Status::Sent, None)
    };
    let prepaid = invoices::create(tx, cx, &asked)?.into_inner().invoice.id;
    let set_off = InvoiceTerms { sets_off: vec![prepaid], ..InvoiceTerms::default() };
    let last = invoices::NewInvoice {
        terms: set_off,
        ..sale(date(2026, 4, 6), 8_000, Status::Sent, None)
    };
    invoices::create(tx, cx, &last)?;
    discounted(tx, cx, &credit)?;
    let (_, asked) = invoice_documents::ask(tx, cx, sold[0].id, Format::Pdf, None)?;
    let Asked::Unmade(unmade) = asked else { panic!("it was not requested before") };
    invoice_documents::keep(tx, cx, &invoice_documents::make(&unmade)?, Format::Pdf)?;
    Ok(())
}

/// Returns a quote for a sale; with an external id, it has optional fields too.
fn quote_like(sold: invoices::NewInvoice, external_id: Option<&str>) -> NewQuote {
    NewQuote {
        external_id: external_id.map(str::to_owned),
        quote_date: date(2026, 4, 1),
        valid_until: Some(date(2027, 4, 1)),
        customer: sold.customer,
        lines: sold.lines,
        prices: Prices::Net,
        payment_term_days: external_id.map(|_| 14),
        prepayment_percent: external_id.map(|_| 3_000),
        on_accept: OnAccept::Nothing,
        reference: external_id.map(|_| "PO 8".to_owned()),
        notes: external_id.map(|_| "Until April".to_owned()),
        particulars: external_id
            .map(|_| particulars(Discount::Percent(Decimal::TEN)))
            .unwrap_or_default(),
        language: external_id.map(|_| Language::English),
    }
}

/// Sale with a unit and a discount on each line.
fn with_discounts(sold: invoices::NewInvoice) -> invoices::NewInvoice {
    let discounted = |line: LineInput| LineInput {
        unit: Some("hour".to_owned()),
        discount: Discount::Percent(Decimal::TEN),
        ..line
    };
    invoices::NewInvoice { lines: sold.lines.into_iter().map(discounted).collect(), ..sold }
}

/// Discounts on all lines and on a line, and a credit note that names a line.
fn discounted(tx: &mut Tx<'_>, cx: &Context, credit: &NewCreditNote) -> Result<(), Error> {
    let percent = Discount::Percent(Decimal::TEN);
    let amount = Discount::Amount(Cents::new(500));
    for (whole, of_line) in [(percent, amount), (amount, percent)] {
        let plain = sale(date(2026, 4, 5), 4_000, Status::Sent, None);
        let lines = plain.lines.iter().map(|line| LineInput {
            unit: Some("hour".to_owned()),
            discount: of_line,
            ..line.clone()
        });
        let sold = invoices::NewInvoice {
            lines: lines.collect(),
            particulars: particulars(whole),
            language: Some(Language::English),
            ..plain
        };
        let sold = invoices::create(tx, cx, &sold)?.into_inner();
        let (line, _) = &sold.lines[0];
        let named = CreditedLine { number: 1, has_quantity: true, has_price: true };
        let part = LineInput {
            quantity: Decimal::ONE.min(line.quantity),
            discount: Discount::None,
            credits: Some(named),
            ..sold_line(line)
        };
        invoices::credit(
            tx,
            cx,
            &NewCreditNote {
                invoice_id: sold.invoice.id,
                date: Some(date(2026, 4, 8)),
                lines: Some(vec![part]),
                ..credit.clone()
            },
        )?;
    }
    Ok(())
}

/// Invoiced line as input.
fn sold_line(line: &Line) -> LineInput {
    LineInput {
        description: line.description.clone(),
        quantity: line.quantity,
        unit_price: line.unit_price,
        vat_rate: line.vat_rate,
        vat_category: None,
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

/// Numbers of the customer, and a discount on all lines with its description.
fn particulars(discount: Discount) -> Particulars {
    Particulars {
        discount,
        discount_description: Some("Introduction".to_owned()),
        order_number: Some("PO 9".to_owned()),
        buyer_reference: Some("Department 12".to_owned()),
    }
}

/// Makes a draft, a quote that replaces another, and one that a customer accepted and that is
/// invoiced in part.
fn quotes(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let offer = |external_id: Option<&str>| {
        quote_like(sale(date(2026, 4, 1), 10_000, Status::Draft, None), external_id)
    };
    let abroad = Some(VatCategory::IntraCommunity);
    let reversed = with_discounts(sale(date(2026, 4, 1), 10_000, Status::Draft, abroad));
    quotes::create(tx, cx, &quote_like(reversed, None))?;
    let replaced = quotes::create(tx, cx, &offer(None))?.into_inner().quote.id;
    quotes::mark_sent(tx, cx, replaced)?;
    let newer = quotes::revise(tx, cx, replaced)?.into_inner().quote.id;
    quotes::mark_sent(tx, cx, newer)?;
    let accepted = quotes::create(tx, cx, &offer(Some("q-1")))?.into_inner().quote.id;
    quotes::mark_sent(tx, cx, accepted)?;
    let (_, asked) = quotes::ask(tx, cx, accepted)?;
    let AskedQuote::Unmade(unmade) = asked else { panic!("it was not requested before") };
    let bytes = quotes::keep(tx, cx, &quotes::make(&unmade)?)?;
    let decision = Decision {
        name: Some("Anna".into()),
        note: Some("Go".into()),
        shown: Some(Shown { sha256: Sha256::digest(&bytes).into() }),
        refused_step: Some("period_filed".into()),
    };
    quotes::accept(tx, cx, accepted, &decision)?;
    let part = InvoiceQuotePart {
        external_id: None,
        part: QuotePart::Prepayment,
        percent: None,
        amount: None,
        status: Status::Sent,
        invoice_date: Some(date(2026, 4, 2)),
    };
    quotes::invoice(tx, cx, accepted, &part)?;
    Ok(())
}

/// Returns a weekly recurring invoice for a sale; with an external id, it has optional fields too.
fn recurring_like(
    cx: &Context,
    sold: invoices::NewInvoice,
    external_id: Option<&str>,
) -> NewRecurring {
    let percent = Discount::Percent(Decimal::TEN);
    NewRecurring {
        external_id: external_id.map(str::to_owned),
        customer: sold.customer,
        lines: sold.lines,
        prices: Prices::Net,
        payment_term_days: external_id.map(|_| 14),
        reference: external_id.map(|_| "PO 9".to_owned()),
        notes: external_id.map(|_| "{month} {year}".to_owned()),
        particulars: external_id.map(|_| particulars(percent)).unwrap_or_default(),
        language: external_id.map(|_| Language::English),
        rhythm: Rhythm { unit: RhythmUnit::Week, count: 1, last_day_of_month: false },
        first_date: cx.today(),
        last_date: external_id.map(|_| date(2090, 1, 1)),
        count: external_id.map(|_| 900),
        deliver: Deliver::Draft,
        supply_period: SupplyPeriod::None,
    }
}

/// Makes a recurring invoice, one occurrence of which was made, one to another country, and one that
/// is paused, two occurrences of which were missed, and one of these skipped.
fn recurring(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let abroad = Some(VatCategory::IntraCommunity);
    let reversed = with_discounts(sale(cx.today(), 10_000, Status::Draft, abroad));
    let reversed = recurring::create(tx, cx, &recurring_like(cx, reversed, None))?.into_inner();
    recurring::end(tx, cx, reversed.recurring.id)?;
    let subscription = |external_id: Option<&str>| {
        recurring_like(cx, sale(cx.today(), 10_000, Status::Draft, None), external_id)
    };
    let made = recurring::create(tx, cx, &subscription(Some("r-1")))?.into_inner().recurring.id;
    recurring::make(tx, cx, made, 1)?;
    let paused = recurring::create(tx, cx, &subscription(None))?.into_inner().recurring.id;
    let due = recurring::due_next(tx, cx)?.expect("it is due today");
    recurring::refuse(tx, cx, &due, "period_filed")?;
    let later = &cx.at(cx.env.now + SignedDuration::from_hours(14 * 24));
    recurring::resume(tx, later, paused, Missed::Ask)?;
    recurring::skip(tx, later, paused, 1)?;
    let due = recurring::due_next(tx, later)?.expect("it is due every week");
    recurring::postpone(tx, later, &due)?;
    recurring::refuse(tx, later, &due, "period_filed")?;
    Ok(())
}

fn purchases(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let mut kept = Vec::new();
    for name in ["paper.pdf", "wire.pdf"] {
        let receipt =
            receipts::look_at(format!("%PDF-1.7 {name}").into_bytes(), Some(name.into())).unwrap();
        kept.push(receipts::keep(tx, cx, &receipt)?.into_inner().id);
    }
    let purchase = |on, paid_from, treatment, receipts: &[i64]| NewExpense {
        external_id: None,
        date: on,
        supplier: Supplier { contact_id: None, name: Some("Papierhal".into()) },
        description: Some("Paper".into()),
        lines: vec![ExpenseLine {
            category: codes::OFFICE,
            amount: Cents::new(40_000),
            treatment,
            rate: Some(VatRate::high_on(on)),
            includes_vat: false,
            vat: None,
        }],
        paid_from,
        business_share: BusinessShare::WHOLE,
        receipt_ids: receipts.to_vec(),
        period: Covered::default(),
        bill: expenses::Bill::default(),
        if_filed: REFUSE,
    };
    let bill = purchase(date(2026, 2, 2), None, VatTreatment::Normal, &kept[..1]);
    let bill = expenses::record(tx, cx, &bill)?.into_inner().expense.id;
    let part = |amount, on| NewExpensePayment {
        external_id: None,
        expense_id: bill,
        date: Some(on),
        amount: Some(Cents::new(amount)),
        method: MoneyAccount::Bank,
        if_filed: REFUSE,
    };
    expenses::pay(tx, cx, &part(10_000, date(2026, 2, 10)))?;
    expenses::pay(tx, cx, &part(5_000, date(2026, 2, 11)))?;
    expenses::undo_payment(tx, cx, (bill, 2), REFUSE)?;
    expenses::repay_vat(tx, cx, bill, Some(date(2026, 4, 1)), REFUSE)?;
    expenses::pay(tx, cx, &part(20_000, date(2026, 4, 2)))?;
    let bank = Some(MoneyAccount::Bank);
    expenses::record(tx, cx, &purchase(date(2026, 4, 7), bank, VatTreatment::Eu, &kept[1..]))?;
    let undone =
        expenses::record(tx, cx, &purchase(date(2026, 4, 8), bank, VatTreatment::Normal, &[]))?
            .into_inner();
    expenses::undo(tx, cx, undone.expense.id, REFUSE)?;
    Ok(())
}

fn asset(description: &str, cost: i64, opening_depreciated: Option<i64>) -> NewAsset {
    NewAsset {
        external_id: None,
        date: date(2026, 1, 10),
        description: description.into(),
        account: codes::EQUIPMENT,
        accumulated_account: None,
        depreciation_account: None,
        cost: Cents::new(cost),
        residual_value: Cents::new(10_000),
        life_years: Some(5),
        supplier: Supplier::default(),
        treatment: VatTreatment::Normal,
        rate: None,
        vat: None,
        paid_from: Some(MoneyAccount::Bank),
        receipt_ids: vec![],
        if_filed: REFUSE,
        opening_depreciated: opening_depreciated.map(Cents::new),
    }
}

fn registers(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let laptop = assets::buy(tx, cx, &asset("Laptop", 189_900, None))?.into_inner().asset.id;
    assets::depreciate(tx, cx, laptop, date(2026, 1, 31))?;
    assets::depreciate(tx, cx, laptop, date(2026, 3, 31))?;
    let press = asset("Press", 300_000, Some(60_000));
    let press =
        assets::buy(tx, cx, &NewAsset { date: date(2024, 10, 1), ..press })?.into_inner().asset.id;
    assets::depreciate(tx, cx, press, date(2026, 3, 31))?;
    let camera = assets::buy(tx, cx, &asset("Camera", 120_000, None))?.into_inner().asset.id;
    assets::depreciate(tx, cx, camera, date(2026, 2, 28))?;
    let sold = DisposeAsset {
        date: date(2026, 4, 9),
        proceeds: Cents::new(80_000),
        rate: None,
        into: MoneyAccount::Bank,
        if_filed: REFUSE,
    };
    assets::dispose(tx, cx, camera, &sold)?;
    // With exempt turnover there is VAT on assets to revise.
    let lessons = sale(date(2026, 4, 3), 70_000, Status::Sent, Some(VatCategory::Exempt));
    invoices::create(tx, cx, &lessons)?;
    vat_revisions::revise(tx, cx, 2026, &Revise::default())?;
    let trip = |on, distance| NewTrip {
        external_id: None,
        date: on,
        from: "Utrecht".into(),
        to: "Zwolle".into(),
        distance,
        purpose: None,
        project_id: None,
    };
    mileage::record(tx, cx, &trip(date(2026, 3, 1), 8_850))?;
    let back = mileage::record(tx, cx, &trip(date(2026, 3, 2), 8_900))?.into_inner().id;
    mileage::undo(tx, cx, back)?;
    mileage::record(tx, cx, &trip(date(2026, 3, 3), 9_000))?;
    let second = second_bank_account(tx, cx)?;
    let payout = |on, amount, treatment| NewPayout {
        external_id: None,
        date: on,
        amount: Cents::new(amount),
        fee: Cents::new(605),
        fee_vat_treatment: treatment,
        fee_vat: None,
        provider: Some("Mollie".into()),
        bank_account: Some(second),
        provider_account: None,
        if_filed: REFUSE,
    };
    payouts::record(tx, cx, &payout(date(2026, 4, 1), 9_395, FeeVat::Normal))?;
    let taken =
        payouts::record(tx, cx, &payout(date(2026, 4, 2), 4_395, FeeVat::Eu))?.into_inner().id;
    payouts::undo(tx, cx, taken, UndoPayout { date: Some(date(2026, 4, 12)), if_filed: REFUSE })?;
    payouts::record(tx, cx, &payout(date(2026, 4, 3), 2_395, FeeVat::None))?;
    let paid = |on, amount| NewVatPayment {
        external_id: None,
        date: on,
        amount: Cents::new(amount),
        method: MoneyAccount::Bank,
        description: Some("Remark".into()),
        period: Some(Quarter::new(2025, 4).unwrap().into()),
        oss_period: None,
    };
    vat_payments::record(tx, cx, &paid(date(2026, 1, 31), 9_000))?;
    let twice = vat_payments::record(tx, cx, &paid(date(2026, 2, 1), 9_000))?.into_inner().id;
    vat_payments::undo(tx, cx, twice)?;
    vat_payments::record(tx, cx, &paid(date(2026, 2, 3), 100))?;
    Ok(())
}

/// Creates a second checking account, 1101, and returns its id.
fn second_bank_account(tx: &mut Tx<'_>, cx: &Context) -> Result<i64, Error> {
    let second = NewBankAccount {
        external_id: None,
        name: "Second".into(),
        kind: BankAccountKind::Checking,
        iban: None,
        identifiers: Vec::new(),
        is_default: false,
    };
    Ok(bank_accounts::create(tx, cx, &second)?.into_inner().account.id)
}

/// Records events of each kind, some of which are undone.
fn happenings(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let (bank, amount) = (MoneyAccount::Bank, Cents::new(12_500));
    let drawn =
        |amount| Event::Private { kind: PrivateKind::Drawing, amount, method: bank, premium: None };
    events::record(tx, cx, &event(date(2026, 3, 3), drawn(Cents::new(50_000))))?;
    let undone =
        events::record(tx, cx, &event(date(2026, 3, 4), drawn(amount)))?.into_inner().stored.id;
    events::undo(tx, cx, (SourceType::PrivateBooking, undone), REFUSE)?;
    let moved = Event::Transfer {
        from: bank,
        to: MoneyAccount::Savings,
        amount,
        arrived: date(2026, 3, 6),
        awaited: None,
    };
    events::record(tx, cx, &event(date(2026, 3, 5), moved.clone()))?;
    let undone = events::record(tx, cx, &event(date(2026, 3, 5), moved))?.into_inner().stored.id;
    events::undo(tx, cx, (SourceType::Transfer, undone), REFUSE)?;
    let accrued = |amount| Event::Accrual {
        kind: AccrualKind::AccruedCost,
        account: codes::OFFICE,
        amount,
        reverse_on: date(2026, 4, 1),
    };
    events::record(tx, cx, &event(date(2026, 3, 31), accrued(amount)))?;
    let undone = events::record(tx, cx, &event(date(2026, 3, 31), accrued(Cents::new(900))))?
        .into_inner()
        .stored
        .id;
    events::undo(tx, cx, (SourceType::Accrual, undone), REFUSE)?;
    let lent = Event::Loan { account: codes::BANK_LOAN, amount: Cents::new(500_000), method: bank };
    let loan = events::record(tx, cx, &event(date(2026, 1, 5), lent))?.into_inner().stored.id;
    let part = Event::LoanRepayment {
        account: codes::BANK_LOAN,
        principal: amount,
        interest: Cents::new(700),
        method: bank,
    };
    events::record(tx, cx, &NewEvent { parent_id: Some(loan), ..event(date(2026, 2, 5), part) })?;
    let used = Event::PrivateUse {
        kind: PrivateUseKind::Goods,
        vat: Cents::new(2_100),
        base: Some(Cents::new(10_000)),
    };
    events::record(tx, cx, &event(date(2026, 4, 10), used))?;
    let postings = vec![
        Posting::debit(codes::OFFICE, amount, None),
        Posting::debit(codes::BANK_COSTS, amount, None),
        Posting::credit(codes::BANK, Cents::new(25_000), None),
    ];
    events::record(tx, cx, &event(date(2026, 4, 11), Event::ByHand { postings }))?;
    Ok(())
}

fn hours(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let project = NewProject {
        external_id: None,
        name: "House style".into(),
        contact_id: Some(2),
        hourly_rate: Some(Cents::new(9_000)),
        budget_hours: None,
        archived: false,
    };
    let service::Created::New(project) = projects::create(tx, cx, &project)? else {
        panic!("nothing has this external id yet")
    };
    let hours = Hours::new(250);
    let worked = |on| NewTimeEntry {
        external_id: None,
        project_id: project.id,
        date: on,
        hours,
        description: "Sketches".into(),
    };
    time_entries::create(tx, cx, &worked(date(2026, 4, 1)))?;
    time_entries::create(tx, cx, &worked(date(2026, 4, 2)))?;
    let until = InvoiceHours {
        external_id: None,
        project_id: project.id,
        until: Some(date(2026, 4, 1)),
        invoice_date: Some(date(2026, 4, 30)),
    };
    let draft = invoicing::invoice(tx, cx, &until, &|_| true)?.into_inner().invoice.id;
    let send = EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() };
    invoices::edit(tx, cx, draft, &send, &|_| true)?;
    let category = hours_log::CATEGORIES[0];
    let logged = NewLoggedHours {
        external_id: None,
        date: date(2026, 4, 2),
        hours,
        description: "Books".into(),
        category,
    };
    hours_log::create(tx, cx, &logged)?;
    Ok(())
}
