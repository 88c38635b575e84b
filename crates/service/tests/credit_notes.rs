//! Partial credit notes: together they credit exactly the whole invoice.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use jiff::civil::date;
use ledger::{country::CountryCode, decimal::Decimal, vat::VatRate};
use service::{
    Context, Environment, Error, InvoiceError,
    accounts::{self, OpenAccount},
    contacts::CustomerInput,
    environment::{Clock, System},
    invoices::{
        self, Due, InvoiceDetails, InvoiceTerms, LineInput, NewCreditNote, NewInvoice, SupplyDays,
        TaxPlace,
    },
    verify,
};
use store::{Store, accounts::Plan, invoices::Status};
use testing::{Database, Engine, on_both_engines};

fn lines(amounts: &[(i64, u16)]) -> Vec<LineInput> {
    let line = |(cents, rate): &(i64, u16)| LineInput {
        description: "work".into(),
        quantity: Decimal::ONE,
        unit_price: Decimal::new(*cents, 2),
        vat_rate: VatRate::from_basis_points(*rate),
        vat_category: None,
        exemption: None,
        supply: None,
        place: TaxPlace::default(),
        account: None,
        unit: None,
        discount: ledger::discount::Discount::None,
        credits: None,
        article: None,
    };
    amounts.iter().map(line).collect()
}

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
            accounts::open(tx, &Environment::at(System.now()), &account)?;
            Ok::<_, Error>(Context::of_owner(
                &accounts::by_email(tx, "anna@example.com")?,
                Environment::at(System.now()),
            ))
        })
        .unwrap();
    (database, store, cx)
}

fn credit(
    store: &Store,
    cx: &Context,
    invoice_id: i64,
    requested: Option<&[(i64, u16)]>,
) -> Result<InvoiceDetails, Error> {
    let date = date(2026, 3, 20);
    let note = NewCreditNote {
        if_filed: service::corrections::IfFiled::Refuse,
        external_id: None,
        invoice_id,
        date: Some(date),
        lines: requested.map(lines),
        reason: None,
    };
    let cx = cx.clone();
    store.write_blocking(move |tx| {
        Ok(invoices::credit(tx, &cx.at(System.now()), &note)?.into_inner())
    })
}

on_both_engines! {
    fn the_last_credit_note_absorbs_the_rounding_difference(engine) {
        // Lines of the invoice, the partial credits with their VAT, and the VAT of the remainder.
        type Case<'c> = (&'c [(i64, u16)], &'c [(&'c [(i64, u16)], i64)], i64);
        let cases: [Case<'_>; 4] = [
            // VAT of 0.21: two halves of 0.105, each rounded up, would credit 0.22.
            (&[(100, 2100)], &[(&[(50, 2100)], -11)], -10),
            // VAT of 0.01: thirds of 0.0042, each rounded down, would credit nothing.
            (&[(6, 2100)], &[(&[(2, 2100)], 0), (&[(2, 2100)], 0)], -1),
            // Two rates, each rounded separately.
            (&[(100, 2100), (50, 900)], &[(&[(50, 2100), (25, 900)], -13)], -13),
            (&[(100, 2100)], &[], -21),
        ];
        let (_database, store, cx) = open(engine);
        for (invoiced, parts, rest) in cases {
            let (maker, items) = (cx.clone(), lines(invoiced));
            let made = store
                .write_blocking(move |tx| {
                    let new = NewInvoice {
                        if_filed: service::corrections::IfFiled::Refuse,
                        external_id: None,
                        invoice_date: date(2026, 3, 15),
                        supply: SupplyDays::default(),
                        status: Status::Sent,
                        customer: CustomerInput::named("Bakker"),
                        lines: items.clone(),
                        terms: InvoiceTerms::default(),
                        due: Due::AccountTerm,
                        reference: None,
                        notes: None,
                        particulars: store::invoices::Particulars::default(),
                        language: None,
                    };
                    Ok::<_, Error>(
                        invoices::create(tx, &maker.at(System.now()), &new)?.into_inner(),
                    )
                })
                .unwrap();
            for (part, vat) in parts {
                let note = credit(&store, &cx, made.invoice.id, Some(part)).unwrap();
                assert_eq!(note.invoice.vat_total.get(), *vat, "{invoiced:?} {part:?}");
            }
            let last = credit(&store, &cx, made.invoice.id, None).unwrap();
            assert_eq!(last.invoice.vat_total.get(), rest, "{invoiced:?}");
            let asker = cx.clone();
            let (again, whole) = store
                .read_blocking(move |tx| {
                    let again = invoices::read(tx, &asker, last.invoice.id)?;
                    Ok::<_, Error>((again, invoices::read(tx, &asker, made.invoice.id)?))
                })
                .unwrap();
            assert_eq!(again.groups, last.groups, "{invoiced:?}");
            assert_eq!(
                (whole.invoice.amount_credited, whole.amount_due().get()),
                (made.invoice.total, 0),
                "{invoiced:?}"
            );
            assert!(matches!(
                credit(&store, &cx, whole.invoice.id, None),
                Err(Error::Invoice(InvoiceError::AlreadyCredited))
            ));
        }
        let verification =
            store.read_blocking(move |tx| verify::verify_books(tx, &cx, &|_| {})).unwrap();
        assert_eq!(verification.discrepancies, Vec::<String>::new());
    }

    fn no_rate_is_credited_more_than_was_charged_at_it(engine) {
        let (_database, store, cx) = open(engine);
        let maker = cx.clone();
        let made = store
            .write_blocking(move |tx| {
                let new = NewInvoice {
                    if_filed: service::corrections::IfFiled::Refuse,
                    external_id: None,
                    invoice_date: date(2026, 3, 15),
                    supply: SupplyDays::default(),
                    status: Status::Sent,
                    customer: CustomerInput::named("Bakker"),
                    lines: lines(&[(10_000, 2100), (5_000, 0)]),
                    terms: InvoiceTerms::default(),
                    due: Due::AccountTerm,
                    reference: None,
                    notes: None,
                    particulars: store::invoices::Particulars::default(),
                    language: None,
                };
                Ok::<_, Error>(invoices::create(tx, &maker.at(System.now()), &new)?.into_inner())
            })
            .unwrap();
        let refused = |items: &[(i64, u16)]| match credit(&store, &cx, made.invoice.id, Some(items))
        {
            Err(Error::Invalid(faults)) => faults
                .iter()
                .map(|fault| (fault.path.clone(), fault.reason.code()))
                .collect::<Vec<_>>(),
            other => panic!("{items:?}: {other:?}"),
        };
        // The total is zero, but 210 000.00 of VAT would be credited.
        let beyond = ("/items".to_owned(), "exceeds_outstanding");
        assert_eq!(
            refused(&[(100_000_000, 2100), (-121_000_000, 0)]),
            [beyond.clone(), beyond.clone()]
        );
        assert_eq!(refused(&[(10_001, 2100)]), [beyond]);
        assert_eq!(refused(&[(100, 900)]), [("/items/0/vatRate".to_owned(), "unknown_value")]);
        assert_eq!(
            credit(&store, &cx, made.invoice.id, Some(&[(10_000, 2100)]))
                .unwrap()
                .invoice
                .total
                .get(),
            -12_100
        );
    }
}
