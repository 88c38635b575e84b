//! `demo`: a believable year of a freelancer's books, in a fresh database of its own, served at once.

use crate::{
    cli::{DemoOptions, MailOptions, PlanName, ServeOptions, Switch},
    people::explain,
    private::Private,
    serve, telemetry,
};
use anyhow::{Context, bail};
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    booking::MoneyAccount,
    calendar::Quarter,
    chart::{AccountCode, codes},
    decimal::Decimal,
    hours::Hours,
    identifiers::{Iban, KvkNumber, VatNumber},
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::{VatCategory, VatRate},
};
use service::{
    Actor, Error, access,
    accounts::{self, OpenAccount},
    assets::{self, NewAsset},
    contacts::CustomerInput,
    environment::System,
    expenses::{self, ExpenseLine, NewExpense, Supplier},
    hours_log::{self, NewLoggedHours},
    invoices::{self, Due, InvoiceTerms, LineInput, NewInvoice, SupplyDays},
    manual_entries::{self, ManualBooking},
    payments::{self, NewPayment},
    people::{
        Visitor,
        settings::{self, UpdateSettings},
    },
    projects::{self, NewProject},
    time_entries::{self, NewTimeEntry},
    vat_filings,
};
use std::{io, path::Path};
use store::{
    DatabaseUrl, Store, Tx,
    accounts::{Account, Plan},
    invoices::Status,
    keys::Scopes,
};

const EMAIL: &str = "demo@example.com";
/// No secret: whoever can reach the demo may look at its invented books.
const PASSWORD: &str = "linnen ladder lantaarn";
/// The year of the books.
const YEAR: i16 = 2026;

pub(crate) fn run(options: &DemoOptions) -> anyhow::Result<()> {
    let serve_options = ServeOptions {
        listen: options.listen,
        base_url: None,
        allow_http: false,
        api_min_plan: PlanName::Starter,
        rate_limit: 600,
        open_data_rate_limit: 600,
        rate_burst: 100,
        metrics_listen: None,
        connections: None,
        max_clients: 4096,
        mail: MailOptions::default(),
        secret_file: None,
        new_secret: false,
        sign_up: Switch::On,
        sign_up_plan: PlanName::Starter,
        trusted_proxies: Vec::new(),
    };
    serve::check(&serve_options)?;
    let folder =
        tempfile::Builder::new().prefix("grootboek-demo-").tempdir().context("cannot make a folder for the demo's database")?;
    let file = options.keep.clone().unwrap_or_else(|| folder.path().join("demo.db"));
    if file.exists() {
        bail!("{} exists already; the demo only writes to a new file", file.display());
    }
    let _logging = telemetry::start_quiet()?;
    let store = Store::open(&DatabaseUrl::Sqlite(file.clone()), 4)?;
    let key = store.write_blocking(fill).map_err(explain)?;
    let private = Private::open(&DatabaseUrl::Sqlite(file.clone()), &serve_options, &store)?;
    let (mails, register) = (file.with_file_name("mail"), register(&file)?);
    serve::serve(store, &serve_options, private, |_, base_url| print_tour(base_url, &key, &file, &mails, &register))?;
    say!("the demo is over")?;
    Ok(())
}

/// The command that registers an application for the demo's books, from any folder.
fn register(file: &Path) -> io::Result<String> {
    let quoted = |text: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/:._-".contains(c);
        if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    let program = quoted(std::env::current_exe()?.display().to_string());
    let database = quoted(format!("sqlite:{}", std::path::absolute(file)?.display()));
    Ok(format!(
        "{program} --database {database} oauth register --name 'Example Shop' \\\n\
         \x20 --redirect-uri https://shop.example.com/callback --redirect-uri http://127.0.0.1:9999/callback"
    ))
}

fn print_tour(base: &str, key: &str, file: &Path, mails: &Path, register: &str) -> io::Result<()> {
    say!(
        "The demo books are open: an invented freelancer's year {YEAR}, in {file}\n\
         \n\
         URL      {base}\n\
         Sign in  {EMAIL} with the password: {PASSWORD}\n\
         API key  {key}\n\
         Mails    each a file in {mails}\n\
         \n\
         In a browser: sign in at {base}/login; on {base}/api-access make keys, see what they did, and disconnect applications.\n\
         \n\
         Try it in another terminal. Who am I?\n\
         \n\
         curl -s {base}/api/v1/account -H 'X-API-Key: {key}'\n\
         \n\
         Book an invoice; the same again gives the same invoice:\n\
         \n\
         curl -s {base}/api/v1/invoices -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d '\n\
         {{\"externalId\": \"order-1001\", \"status\": \"sent\", \"invoiceDate\": \"{YEAR}-11-20\",\n\
         \x20\"customer\": {{\"externalId\": \"c-42\", \"name\": \"Bakkerij De Korenaar\", \"country\": \"NL\"}},\n\
         \x20\"items\": [{{\"description\": \"Design of a web page\", \"quantity\": 8, \"unitPrice\": 95.50, \"vatRate\": 21}},\n\
         \x20          {{\"description\": \"Printed guide\", \"quantity\": 2, \"unitPrice\": 12.50, \"vatRate\": 9}}]}}'\n\
         \n\
         See its journal entry, and the summary of the year:\n\
         \n\
         curl -s '{base}/api/v1/entries?year={YEAR}&quarter=4' -H 'X-API-Key: {key}'\n\
         curl -s {base}/api/v1/summary/{YEAR} -H 'X-API-Key: {key}'\n\
         \n\
         Hours on a project:\n\
         \n\
         curl -s {base}/api/v1/projects -H 'X-API-Key: {key}'\n\
         curl -s {base}/api/v1/time-entries -H 'X-API-Key: {key}' -H 'Content-Type: application/json' \\\n\
         \x20 -d '{{\"projectId\": 1, \"date\": \"{YEAR}-11-20\", \"hours\": 2.5, \"description\": \"Sketches\"}}'\n\
         \n\
         Register an application that people can connect, as {base}/docs/integrating shows:\n\
         \n\
         {register}\n\
         \n\
         Everything that the API can do, to read and to try: {base}/api/docs\n\n\
         Ctrl-C ends the demo{gone}.",
        file = file.display(),
        mails = mails.display(),
        gone = if file.starts_with(std::env::temp_dir()) { " and throws its books away" } else { "" },
    )
}

/// Ten in the morning, Dutch summer time or not: when the demo's freelancer does the books.
fn morning(day: Date) -> Timestamp {
    day.at(9, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

/// What a sale is.
struct Sale {
    day: Date,
    customer: &'static str,
    lines: Vec<LineInput>,
    paid: Paid,
}

enum Paid {
    /// Wholly, so many days after the invoice.
    After(i64),
    /// In part.
    Part { after: i64, amount: Cents },
    /// Not (yet).
    Not,
    /// Not even sent.
    Draft,
}

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
        supply: None,
    }
}

enum Vat {
    High,
    Low,
    Zero,
    Reverse,
}

fn fill(tx: &mut Tx<'_>) -> Result<String, Error> {
    let opened = morning(date(YEAR, 1, 2));
    let open = OpenAccount {
        email: EMAIL.into(),
        name: "Studio Voorbeeld".into(),
        country: ledger::country::CountryCode::NL,
        plan: Plan::Starter,
        password: Some(PASSWORD.into()),
    };
    accounts::open(tx, &System, opened, &open)?;
    let account = accounts::by_email(tx, EMAIL)?;
    let actor = Actor::owner(&account);
    settings::update(tx, &System, opened, account.id, &company(&account)?, &Visitor::default())?;
    let key = access::create_key(tx, &actor, &System, opened, "demo", Scopes { read: true, write: true, file: false }, "")?;
    let deposit = ManualBooking::PrivateDeposit { amount: Cents::new(500_000), into: MoneyAccount::Bank };
    manual_entries::record(tx, &actor, opened, date(YEAR, 1, 2), &deposit)?;
    expenses_of_the_year(tx, &actor)?;
    for sale in sales() {
        sell(tx, &actor, sale)?;
        // Each quarter's return is filed in the month after it, once its sales are in.
    }
    file_first_quarters(tx, &actor)?;
    hours_of_the_year(tx, &actor)?;
    Ok(key.secret)
}

/// Numbers that pass every check and are nobody's: the examples of the Tax Administration and of the standard for IBANs.
fn company(account: &Account) -> Result<UpdateSettings, Error> {
    Ok(UpdateSettings {
        street: Some("Voorbeeldstraat 1".into()),
        postal_code: Some("1234 AB".into()),
        city: Some("Voorbeeldstad".into()),
        kvk_number: KvkNumber::parse("12345678").ok(),
        vat_number: VatNumber::parse("NL000099998B57").ok(),
        iban: Iban::parse("NL91ABNA0417164300").ok(),
        ..UpdateSettings::of(account)?
    })
}

fn customer(name: &str) -> CustomerInput {
    let text = |text: &str| Some(text.to_owned());
    let place = |street: &str, postal_code: &str, city: &str| (text(street), text(postal_code), text(city));
    let (country, vat_number, (street, postal_code, city)) = match name {
        "Bakkerij De Korenaar" => ("NL", None, place("Dorpsstraat 12", "3511 AB", "Utrecht")),
        "Aannemersbedrijf Steen" => ("NL", text("NL004495445B01"), place("Havenweg 8", "3011 AA", "Rotterdam")),
        "Verlag Lindenhof GmbH" => ("DE", text("DE136695976"), place("Lindenstrasse 5", "10115", "Berlin")),
        "Northwind Studios Inc." => ("US", None, place("200 Example Avenue", "94107", "San Francisco")),
        _ => ("NL", None, place("Museumplein 1", "1071 DJ", "Amsterdam")),
    };
    CustomerInput {
        name: text(name),
        country: ledger::country::CountryCode::parse(country).ok(),
        vat_number,
        street,
        postal_code,
        city,
        ..CustomerInput::default()
    }
}

fn sales() -> Vec<Sale> {
    let mut sales = Vec::new();
    for month in 1..=11_i8 {
        let day = date(YEAR, month, 5);
        let hours = 240 + i64::from(month) * 15;
        sales.push(Sale {
            day,
            customer: "Museum Het Raam",
            lines: vec![line(day, "Design of the exhibition", hours, 9550, Vat::High)],
            paid: match month {
                9 => Paid::Not,
                10 => Paid::Part { after: 14, amount: Cents::new(100_000) },
                11 => Paid::Draft,
                _ => Paid::After(21),
            },
        });
        let day = date(YEAR, month, 18);
        let (customer, lines) = match month % 4 {
            1 => ("Verlag Lindenhof GmbH", vec![line(day, "Book covers", 30, 65_000, Vat::Zero)]),
            2 => ("Northwind Studios Inc.", vec![line(day, "Title sequence", 10, 180_000, Vat::Zero)]),
            3 => ("Aannemersbedrijf Steen", vec![line(day, "Signage on site, subcontracted", 120, 8500, Vat::Reverse)]),
            _ => (
                "Bakkerij De Korenaar",
                vec![line(day, "House style", 60, 9000, Vat::High), line(day, "Printed guides", 250, 1250, Vat::Low)],
            ),
        };
        sales.push(Sale { day, customer, lines, paid: if month == 11 { Paid::Not } else { Paid::After(12) } });
    }
    sales
}

fn sell(tx: &mut Tx<'_>, actor: &Actor, sale: Sale) -> Result<(), Error> {
    let command = NewInvoice {
        if_filed: service::corrections::IfFiled::Refuse,
        external_id: None,
        invoice_date: sale.day,
        supply: SupplyDays::default(),
        status: if matches!(sale.paid, Paid::Draft) { Status::Draft } else { Status::Sent },
        customer: customer(sale.customer),
        lines: sale.lines,
        terms: InvoiceTerms::default(),
        due: Due::AccountTerm,
        reference: None,
        notes: None,
    };
    let invoice = invoices::create(tx, actor, morning(sale.day), &command)?.into_inner().invoice;
    let (after, amount) = match sale.paid {
        Paid::After(days) => (days, None),
        Paid::Part { after, amount } => (after, Some(amount)),
        Paid::Not | Paid::Draft => return Ok(()),
    };
    let day = sale.day.saturating_add(after.days());
    let payment = NewPayment {
        external_id: None,
        invoice_id: invoice.id,
        date: day,
        amount,
        method: MoneyAccount::Bank,
        reference: Some(invoice.number),
        keeps_surplus: false,
    };
    payments::record(tx, actor, morning(day), &payment)?;
    Ok(())
}

fn spend(
    tx: &mut Tx<'_>,
    actor: &Actor,
    day: Date,
    (supplier, description): (&str, &str),
    category: AccountCode,
    (amount, treatment, rate): (i64, VatTreatment, VatRate),
) -> Result<(), Error> {
    let line = ExpenseLine { category, amount: Cents::new(amount), treatment, rate: Some(rate), includes_vat: false, vat: None };
    let command = NewExpense {
        external_id: None,
        date: day,
        supplier: Supplier { contact_id: None, name: Some(supplier.into()) },
        description: Some(description.into()),
        lines: vec![line],
        paid_from: Some(MoneyAccount::Bank),
        business_share: BusinessShare::WHOLE,
        receipt_ids: Vec::new(),
    };
    expenses::record(tx, actor, morning(day), &command)?;
    Ok(())
}

fn expenses_of_the_year(tx: &mut Tx<'_>, actor: &Actor) -> Result<(), Error> {
    use VatTreatment::{Eu, Import, Normal};
    let (high, low) = (VatRate::high_on(date(YEAR, 1, 1)), VatRate::low_on(date(YEAR, 1, 1)));
    let laptop = NewAsset {
        external_id: None,
        date: date(YEAR, 1, 15),
        description: "Laptop".into(),
        account: codes::EQUIPMENT,
        cost: Cents::new(189_900),
        residual_value: Cents::ZERO,
        life_years: 5,
        supplier: Supplier::default(),
        treatment: Normal,
        rate: None,
        vat: None,
        paid_from: Some(MoneyAccount::Bank),
        receipt_ids: Vec::new(),
    };
    assets::buy(tx, actor, morning(date(YEAR, 1, 15)), &laptop)?;
    for month in 1..=11_i8 {
        let on = |day| date(YEAR, month, day);
        let (rent, phone) = (("De Werkplaats", "Rent of the studio"), ("Telefoon Direct", "Telephone and internet"));
        spend(tx, actor, on(1), rent, codes::HOUSING, (45_000, Normal, high))?;
        spend(tx, actor, on(3), phone, codes::TELEPHONE, (4_132, Normal, high))?;
        spend(tx, actor, on(9), ("Emerald Software Ltd.", "Design software (Ireland)"), codes::SOFTWARE, (5_999, Eu, high))?;
        spend(tx, actor, on(20), ("De Spoorlijn", "Train"), codes::TRAVEL, (6_422, Normal, low))?;
        if month % 3 == 0 {
            spend(tx, actor, on(10), ("Stock Images Inc.", "Stock photos (US)"), codes::MARKETING, (12_000, Import, high))?;
            let insurance = ("Polis & Co", "Liability insurance");
            spend(tx, actor, on(12), insurance, codes::INSURANCE, (9_950, VatTreatment::None, VatRate::ZERO))?;
        }
        let drawing = ManualBooking::PrivateDrawing { amount: Cents::new(180_000), from: MoneyAccount::Bank };
        manual_entries::record(tx, actor, morning(on(25)), on(25), &drawing)?;
    }
    Ok(())
}

fn file_first_quarters(tx: &mut Tx<'_>, actor: &Actor) -> Result<(), Error> {
    for number in 1..=2 {
        let Some(quarter) = Quarter::new(YEAR, number) else { continue };
        assets::depreciate(tx, actor, morning(quarter.last_day()), 1, quarter.last_day())?;
        let day = quarter.last_day().saturating_add(20.days());
        let filed = vat_filings::file(tx, actor, morning(day), quarter)?;
        let amount = Cents::new(filed.vat_return.declared_payable * 100);
        let payment = ManualBooking::VatPayment { amount, from: MoneyAccount::Bank };
        manual_entries::record(tx, actor, morning(day), day, &payment)?;
    }
    Ok(())
}

fn hours_of_the_year(tx: &mut Tx<'_>, actor: &Actor) -> Result<(), Error> {
    let opened = morning(date(YEAR, 1, 2));
    let project = |name: &str, rate: i64| NewProject {
        name: name.into(),
        hourly_rate: Some(Cents::new(rate)),
        budget_hours: Some(Hours::new(120_000)),
        ..NewProject::default()
    };
    let museum = projects::create(tx, actor, opened, &project("Museum Het Raam: exhibition", 9550))?.into_inner().id;
    let bakery = projects::create(tx, actor, opened, &project("Bakkerij De Korenaar: house style", 9000))?.into_inner().id;
    let mut day = date(YEAR, 1, 5);
    let mut worked = 0;
    while day <= date(YEAR, 11, 13) {
        if day.weekday().to_monday_zero_offset() < 4 {
            let project_id = if worked % 5 == 4 { bakery } else { museum };
            let entry =
                NewTimeEntry { external_id: None, project_id, date: day, hours: Hours::new(625), description: "Design".into() };
            time_entries::create(tx, actor, morning(day), &entry)?;
            worked += 1;
        } else if day.weekday().to_monday_zero_offset() == 4 {
            let category = hours_log::CATEGORIES[worked % 4];
            let logged = NewLoggedHours {
                external_id: None,
                date: day,
                hours: Hours::new(300),
                description: format!("Friday: {category}"),
                category,
            };
            hours_log::create(tx, actor, morning(day), &logged)?;
        }
        day = day.saturating_add(1.day());
    }
    Ok(())
}
