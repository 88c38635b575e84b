//! Invoices that the Union scheme (OSS) declares.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use jiff::civil::date;
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    oss::Ground,
    vat::{Supply, VatRate},
};
use service::{
    Context, Environment, Error,
    accounts::{self, OpenAccount},
    contacts::CustomerInput,
    corrections::IfFiled,
    invoices::{self, Due, EditInvoice, InvoiceTerms, LineInput, NewInvoice, SupplyDays, TaxPlace},
    oss::{self, Register},
    verify,
    write_offs::{self, NewWriteOff},
};
use store::{Store, accounts::Plan, invoices::Status};
use testing::{Database, Engine, on_both_engines};

/// Opens an account that is registered for the scheme.
fn registered(engine: Engine) -> (Database, Store, Context) {
    let database = Database::new(engine);
    let store = database.open();
    let env = Environment::at("2026-03-15T08:00:00Z".parse().unwrap());
    let account = OpenAccount {
        email: "anna@example.com".into(),
        name: "Anna".into(),
        country: CountryCode::NL,
        plan: Plan::Pro,
        password: None,
    };
    let cx = store
        .write_blocking(move |tx| {
            accounts::open(tx, &env, &account)?;
            let owner = accounts::by_email(tx, "anna@example.com")?;
            let cx = Context::of_owner(&owner, env.clone());
            let (from, ground) = (date(2026, 1, 1), Ground::Choice);
            oss::register(tx, &cx, &Register { from, ground, until: None })?;
            Ok::<_, Error>(cx)
        })
        .unwrap();
    (database, store, cx)
}

/// Invoice for goods at the reduced rate of Germany.
fn to_germany(status: Status, prepayment: bool) -> NewInvoice {
    let line = LineInput {
        description: "book".into(),
        quantity: Decimal::ONE,
        unit_price: Decimal::new(100, 0),
        vat_rate: VatRate::from_basis_points(700),
        vat_category: None,
        exemption: None,
        supply: Some(Supply::Goods),
        place: TaxPlace::default(),
        account: None,
        unit: None,
        discount: ledger::discount::Discount::None,
        credits: None,
        article: None,
    };
    let mut customer = CustomerInput::named("Müller");
    customer.party.country = Some(CountryCode::parse("DE").unwrap());
    NewInvoice {
        if_filed: IfFiled::Refuse,
        external_id: None,
        invoice_date: date(2026, 3, 10),
        supply: SupplyDays::default(),
        status,
        customer,
        lines: vec![line],
        terms: InvoiceTerms { prepayment, ..InvoiceTerms::default() },
        due: Due::AccountTerm,
        reference: None,
        notes: None,
        particulars: store::invoices::Particulars::default(),
        language: None,
    }
}

on_both_engines! {
    fn a_draft_at_a_reduced_rate_of_another_country_can_be_sent(engine) {
        let (_database, store, cx) = registered(engine);
        let sent = store
            .write_blocking(move |tx| {
                let new = to_germany(Status::Draft, false);
                let draft = invoices::create(tx, &cx, &new)?.into_inner();
                let edit = EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() };
                invoices::edit(tx, &cx, draft.invoice.id, &edit, &|_| true)
            })
            .unwrap();
        assert_eq!((sent.invoice.status, sent.invoice.vat_total.get()), (Status::Sent, 700));
    }

    fn a_prepayment_that_is_written_off_verifies(engine) {
        let (_database, store, cx) = registered(engine);
        let writer = cx.clone();
        store
            .write_blocking(move |tx| {
                let new = to_germany(Status::Sent, true);
                let made = invoices::create(tx, &writer, &new)?.into_inner();
                let write_off = NewWriteOff {
                    external_id: None,
                    invoice_id: made.invoice.id,
                    date: None,
                    amount: None,
                    reason: None,
                    if_filed: IfFiled::Refuse,
                };
                write_offs::record(tx, &writer, &write_off)
            })
            .unwrap();
        let verification =
            store.read_blocking(move |tx| verify::verify_books(tx, &cx, &|_| {})).unwrap();
        assert_eq!(verification.discrepancies, Vec::<String>::new());
    }
}
