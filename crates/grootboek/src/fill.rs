//! `fill`: creates many invoices in one account, for benchmarks.

use crate::{
    commands::{environment, explain},
    database,
};
use jiff::{ToSpan, civil};
use ledger::{decimal::Decimal, discount::Discount, vat::VatRate};
use service::{
    Context, accounts,
    contacts::CustomerInput,
    environment::{Clock, System},
    invoices::{self, Due, InvoiceTerms, LineInput, NewInvoice, SupplyDays, TaxPlace},
};
use store::{
    DatabaseUrl,
    invoices::{Particulars, Status},
};

/// Number of invoices per transaction.
const CHUNK: u64 = 5_000;

pub(crate) fn run(
    given: Option<DatabaseUrl>,
    email: &str,
    count: u64,
    year: i16,
) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    let email = email.to_owned();
    let cx = store
        .read_blocking(move |tx| accounts::by_email(tx, &email))
        .map(|account| Context::of_owner(&account, environment()))
        .map_err(explain)?;
    let mut done = 0;
    while done < count {
        let here = CHUNK.min(count - done);
        let (cx, first) = (cx.clone(), done);
        store
            .write_blocking(move |tx| {
                for number in first..first + here {
                    invoices::create(tx, &cx.at(System.now()), &invoice(year, number))?;
                }
                Ok(())
            })
            .map_err(explain)?;
        done += here;
    }
    say!("{count} invoices")?;
    Ok(())
}

fn invoice(year: i16, number: u64) -> NewInvoice {
    let day = i64::try_from(number % 365).unwrap_or(0);
    let invoice_date = civil::date(year, 1, 1).saturating_add(day.days());
    let line = |price: i64, vat_rate: VatRate| LineInput {
        description: "Hours of work".into(),
        quantity: Decimal::new(8, 0),
        unit_price: Decimal::new(price, 2),
        vat_rate,
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
    NewInvoice {
        if_filed: service::corrections::IfFiled::Refuse,
        external_id: None,
        invoice_date,
        supply: SupplyDays::default(),
        status: Status::Sent,
        customer: CustomerInput::named(format!("Customer {}", number % 20)),
        lines: vec![
            line(9550, VatRate::high_on(invoice_date)),
            line(4000, VatRate::high_on(invoice_date)),
            line(1250, VatRate::low_on(invoice_date)),
        ],
        terms: InvoiceTerms::default(),
        due: Due::AccountTerm,
        reference: None,
        notes: None,
        particulars: Particulars::default(),
        language: None,
    }
}
