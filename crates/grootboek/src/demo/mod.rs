//! `demo`: serves a realistic year of a freelancer's books, in a new database of its own.

use crate::{
    cli::{DemoOptions, MailOptions, Migrations, PlanName, ServeOptions, Switch},
    commands::{environment, explain},
    private::Private,
    serve, telemetry,
};
use anyhow::{Context as _, bail};
use jiff::civil::date;
use ledger::identifiers::{Iban, KvkNumber, VatNumber};
use service::{
    Context, Environment, Error,
    access::{self, CreateKey},
    accounts::{self, OpenAccount},
    people::settings::{self, UpdateSettings},
    test_accounts,
};
use std::{io, path::Path};
use store::{
    DatabaseUrl, Store, Tx,
    accounts::{Account, Plan},
    keys::Scopes,
};

mod year;

const EMAIL: &str = "demo@example.com";
/// Password of the demo account. Not a secret: anyone who can reach the demo may see its books.
const PASSWORD: &str = "linnen ladder lantaarn";
/// Year of the books.
const YEAR: i16 = 2026;

pub(crate) fn run(options: &DemoOptions) -> anyhow::Result<()> {
    let serve_options = ServeOptions {
        migrate: Migrations::Auto,
        listen: options.listen,
        base_url: None,
        allow_http: false,
        api_min_plan: PlanName::Starter,
        rate_limit: 600,
        open_data_rate_limit: 600,
        rate_burst: 100,
        shared_limits: false,
        metrics_listen: None,
        connections: None,
        max_clients: 4096,
        mail: MailOptions::default(),
        secret_file: None,
        new_secret: false,
        sign_up: Switch::On,
        sign_up_plan: PlanName::Starter,
        trusted_proxies: Vec::new(),
        // Private addresses are allowed, because people who try the demo run their webhook receiver
        // on the same host.
        webhook_allow_private: true,
    };
    serve::check(&serve_options)?;
    let folder = tempfile::Builder::new()
        .prefix("grootboek-demo-")
        .tempdir()
        .context("cannot make a folder for the demo's database")?;
    let file = options.keep.clone().unwrap_or_else(|| folder.path().join("demo.db"));
    if file.exists() {
        bail!("{} exists already; the demo only writes to a new file", file.display());
    }
    let _logging = telemetry::start_quiet()?;
    let store = Store::open(&DatabaseUrl::Sqlite(file.clone()), 4)?;
    let private = Private::open(&DatabaseUrl::Sqlite(file.clone()), &serve_options, &store)?;
    let keys = store.write_blocking(fill).map_err(explain)?;
    let (mails, register) = (file.with_file_name("mail"), register(&file)?);
    serve::serve(store, &serve_options, private, |_, base_url| {
        print_tour(base_url, &keys, &file, &mails, &register)
    })?;
    say!("the demo is over")?;
    Ok(())
}

/// Command that registers an application in the demo's database, from any folder.
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

fn print_tour(
    base: &str,
    Keys { key, test }: &Keys,
    file: &Path,
    mails: &Path,
    register: &str,
) -> io::Result<()> {
    say!(
        "The demo books are open: the year {YEAR} of an invented freelancer, in {file}\n\
         \n\
         URL      {base}\n\
         Sign in  {EMAIL} with the password: {PASSWORD}\n\
         API key  {key}\n\
         Test key {test}\n\
         Mails    one file per mail in {mails}\n\
         \n\
         In a browser: sign in at {base}/login; on {base}/api-access create keys, see their calls, and disconnect applications.\n\
         \n\
         Try it in another terminal. Who am I?\n\
         \n\
         curl -s {base}/api/v1/account -H 'X-API-Key: {key}'\n\
         \n\
         Book an invoice; repeating the request returns the same invoice:\n\
         \n\
         curl -s {base}/api/v1/invoices -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d '\n\
         {{\"externalId\": \"order-1001\", \"status\": \"sent\", \"invoiceDate\": \"{YEAR}-11-20\",\n\
         \x20\"customer\": {{\"externalId\": \"c-42\", \"name\": \"Bakkerij De Korenaar\", \"country\": \"NL\"}},\n\
         \x20\"items\": [{{\"description\": \"Ontwerp van een webpagina\", \"quantity\": 8, \"unitPrice\": 95.50, \"vatRate\": 21}},\n\
         \x20          {{\"description\": \"Gedrukte gids\", \"quantity\": 2, \"unitPrice\": 12.50, \"vatRate\": 9}}]}}'\n\
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
         \x20 -d '{{\"projectId\": 1, \"date\": \"{YEAR}-11-20\", \"hours\": 2.5, \"description\": \"Schetsen\"}}'\n\
         \n\
         The test key belongs to separate empty books, whose clock you can set:\n\
         \n\
         curl -s {base}/api/v1/test/clock -H 'X-API-Key: {test}' -H 'Content-Type: application/json' -d '{{\"now\": \"2036-01-15T09:00:00Z\"}}'\n\
         \n\
         Register an application that people can connect, as {base}/docs/integrating shows:\n\
         \n\
         {register}\n\
         \n\
         API reference, to read and to try: {base}/api/docs\n\n\
         Ctrl-C ends the demo{gone}.",
        file = file.display(),
        mails = mails.display(),
        gone = if file.starts_with(std::env::temp_dir()) { " and deletes its books" } else { "" },
    )
}

/// Keys printed by the demo.
struct Keys {
    key: String,
    /// Key of the test account.
    test: String,
}

fn fill(tx: &mut Tx<'_>) -> Result<Keys, Error> {
    let opened = year::morning(date(YEAR, 1, 1));
    let beginning = Environment::at(opened);
    let open = OpenAccount {
        email: EMAIL.into(),
        name: "Studio Voorbeeld".into(),
        country: ledger::country::CountryCode::NL,
        plan: Plan::Starter,
        password: Some(PASSWORD.into()),
    };
    accounts::open(tx, &beginning, &open)?;
    let account = accounts::by_email(tx, EMAIL)?;
    let cx = Context::of_owner(&account, beginning);
    settings::update(tx, &cx.env, account.id, &company(&account))?;
    let scopes = Scopes { read: true, write: true, file: true };
    let create = CreateKey::new("demo", scopes).map_err(Error::Invalid)?;
    let key = access::create_key(tx, &cx, &create)?.secret;
    year::live(tx, &cx)?;
    let beside =
        Context::of_owner(&test_accounts::open(tx, &environment(), account.id)?, environment());
    let test = access::create_key(tx, &beside, &create)?.secret;
    Ok(Keys { key, test })
}

/// Company details that pass every check but belong to no real business: examples from the Tax
/// Administration and from the IBAN standard.
fn company(account: &Account) -> UpdateSettings {
    UpdateSettings {
        street: Some("Voorbeeldstraat 1".into()),
        postal_code: Some("1234 AB".into()),
        city: Some("Voorbeeldstad".into()),
        kvk_number: KvkNumber::parse("12345678").ok(),
        vat_number: VatNumber::parse("NL000099998B57").ok(),
        iban: Iban::parse("NL91ABNA0417164300").ok(),
        ..UpdateSettings::of(account)
    }
}
