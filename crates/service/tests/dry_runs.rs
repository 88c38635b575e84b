//! A dry run of an invoice shows what creating it gives, and leaves no trace.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use jiff::{Timestamp, ToSpan, civil::date};
use ledger::{country::CountryCode, decimal::Decimal, invoice::Prices, vat::VatRate};
use service::{
    Context, Environment, Error,
    accounts::{self, OpenAccount},
    contacts::CustomerInput,
    context,
    corrections::IfFiled,
    environment::{Clock, System},
    invoices::{
        self, Due, EditInvoice, InvoicePreview, InvoiceTerms, LineInput, NewInvoice, SupplyDays,
        TaxPlace,
    },
    verify,
};
use store::{
    Store, Tx,
    accounts::Plan,
    contacts::PartialParty,
    invoices::{Invoice, Status},
    journal,
};
use testing::{Database, Engine, on_both_engines};

fn open(engine: Engine) -> (Database, Store, Context) {
    let database = Database::new(engine);
    let store = database.open();
    let account = OpenAccount {
        email: "anna@example.com".into(),
        name: "Anna".into(),
        country: CountryCode::NL,
        plan: Plan::Pro,
        password: None,
    };
    let cx = store
        .write_blocking(move |tx| {
            let env = Environment::at(System.now());
            accounts::open(tx, &env, &account)?;
            Ok::<_, Error>(Context::of_owner(&accounts::by_email(tx, "anna@example.com")?, env))
        })
        .unwrap();
    (database, store, cx)
}

/// Executes a command in a transaction that is rolled back.
fn rehearse<T: Send + 'static>(
    store: &Store,
    command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let (failing, result) = context::rehearse(command);
    context::rehearsed(store.write_blocking(failing), &result)
}

fn drawn_lines(random: &mut fastrand::Rng) -> Vec<LineInput> {
    let line = |random: &mut fastrand::Rng| {
        let standard_rate = random.bool();
        LineInput {
            description: "work".into(),
            quantity: Decimal::new(random.i64(1..4_000), 2),
            unit_price: Decimal::new(random.i64(1..500_000), 3),
            vat_rate: VatRate::from_basis_points([2100, 900, 0][random.usize(0..3)]),
            vat_category: None,
            exemption: None,
            supply: None,
            place: TaxPlace { country: None, standard_rate },
            account: None,
            unit: None,
            discount: ledger::discount::Discount::None,
            credits: None,
            article: None,
        }
    };
    (0..random.usize(1..6)).map(|_| line(random)).collect()
}

fn drawn(random: &mut fastrand::Rng) -> NewInvoice {
    let text = |text: &str| Some(Some(text.to_owned()));
    let country = ["NL", "DE", "US", "GB"][random.usize(0..4)];
    let party = PartialParty {
        name: Some(["Bakker", "Pier", "Korenaar"][random.usize(0..3)].to_owned()),
        country: CountryCode::parse(country).ok(),
        kind: [None, text("business"), text("consumer")][random.usize(0..3)].clone(),
        ..PartialParty::default()
    };
    let invoice_date = date(2026, 1, 1).checked_add(random.i64(0..80).days()).unwrap();
    let first = random.bool().then_some(invoice_date);
    NewInvoice {
        external_id: None,
        invoice_date,
        supply: SupplyDays { first, last: None },
        status: if random.bool() { Status::Draft } else { Status::Sent },
        customer: CustomerInput { contact_id: None, party },
        lines: drawn_lines(random),
        terms: InvoiceTerms {
            prices: if random.bool() { Prices::Net } else { Prices::Gross },
            prepayment: random.u8(0..5) == 0,
            sets_off: Vec::new(),
        },
        due: Due::AccountTerm,
        reference: None,
        notes: None,
        if_filed: IfFiled::Refuse,
        particulars: store::invoices::Particulars::default(),
        language: None,
    }
}

/// Returns the parts of an invoice that a preview shows.
fn shown(invoice: &Invoice) -> Invoice {
    let at = Timestamp::UNIX_EPOCH;
    Invoice { contact_id: 0, created_at: at, updated_at: at, ..invoice.clone() }
}

/// Postings of entries, with their days.
fn postings(preview: &InvoicePreview) -> Vec<String> {
    let entry = |stored: &journal::StoredEntry| {
        format!("{} {:?}", stored.entry.date(), stored.entry.postings())
    };
    preview.entries.iter().map(entry).collect()
}

on_both_engines! {
    fn a_dry_run_equals_the_creation_that_follows_and_writes_nothing(engine) {
        let (_database, store, cx) = open(engine);
        let mut random = fastrand::Rng::with_seed(40);
        let (mut made, mut contacts) = (0, 0);
        for _ in 0..60 {
            let (new, asker) = (drawn(&mut random), cx.at(System.now()));
            let (again, dry) = (new.clone(), asker.clone());
            let dry = rehearse(&store, move |tx| invoices::preview(tx, &dry, &new));
            let real = store.write_blocking(move |tx| invoices::preview(tx, &asker, &again));
            let (dry, real) = match (dry, real) {
                (Ok(dry), Ok(real)) => (dry.into_inner(), real.into_inner()),
                (dry, real) => {
                    assert_eq!(
                        dry.err().map(|error| error.to_string()),
                        real.err().map(|error| error.to_string())
                    );
                    continue;
                }
            };
            made += 1;
            contacts += i64::from(real.has_new_contact);
            assert_eq!(shown(&dry.details.invoice), shown(&real.details.invoice));
            assert_eq!(
                (&dry.details.lines, &dry.details.groups, dry.details.warnings()),
                (&real.details.lines, &real.details.groups, real.details.warnings())
            );
            assert_eq!(dry.has_new_contact, real.has_new_contact);
            assert_eq!(postings(&dry), postings(&real));
            // Ids and numbers have no gaps, so the dry runs used none.
            assert_eq!(
                (real.details.invoice.id, real.details.invoice.number_in_year),
                (made, made)
            );
            assert!(real.details.invoice.contact_id <= contacts);
            if real.details.invoice.status == Status::Draft {
                let edit = EditInvoice {
                    lines: Some(drawn_lines(&mut random)),
                    status: random.bool().then_some(Status::Sent),
                    ..EditInvoice::default()
                };
                let (id, again, asker) = (real.details.invoice.id, edit.clone(), cx.at(System.now()));
                let dry = asker.clone();
                let dry = rehearse(&store, move |tx| {
                    invoices::preview_edit(tx, &dry, id, &edit, &|_| true)
                });
                let real = store.write_blocking(move |tx| {
                    invoices::preview_edit(tx, &asker, id, &again, &|_| true)
                });
                let (Ok(dry), Ok(real)) = (dry, real) else { panic!("an edit failed") };
                assert_eq!(shown(&dry.details.invoice), shown(&real.details.invoice));
                assert_eq!(postings(&dry), postings(&real));
            }
        }
        assert!(made > 30, "{made}");
        let verification =
            store.read_blocking(move |tx| verify::verify_books(tx, &cx, &|_| {})).unwrap();
        assert_eq!(verification.discrepancies, Vec::<String>::new());
    }
}
