//! Settings: validation against the account's state, storage, and isolation from other accounts.

use crate::{ANNA, BRAM, Command, House, env, noon};
use jiff::civil::date;
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    identifiers::{Bic, Iban, KvkNumber, VatNumber},
    vat::VatRate,
};
use service::{
    AccessError, Context, Error,
    contacts::CustomerInput,
    invoice_settings::{self, UpdateInvoiceSettings},
    invoices::{self, Due, InvoiceTerms, LineInput, NewInvoice, SupplyDays, TaxPlace},
    numbering::Pattern,
    people::{
        Account, Language,
        settings::{self, UpdateSettings},
    },
};
use store::invoices::Status;
use testing::on_both_engines;

fn good() -> UpdateSettings {
    UpdateSettings {
        name: "Anna Ontwerp".into(),
        street: Some("Dorpsstraat 1 bis".into()),
        postal_code: Some("1234 AB".into()),
        city: Some("'s-Gravenhage".into()),
        country: Some(CountryCode::NL),
        kvk_number: KvkNumber::parse("12 34 56 78").ok(),
        vat_number: VatNumber::parse("nl 0024.55.799.B11").ok(),
        iban: Iban::parse("nl91 abna 0417 1643 00").ok(),
        bic: Bic::parse("ABNANL2A").ok(),
        phone: Some("+31 30 123 45 67".into()),
        website: Some("https://anna.example".into()),
        language: Some(Some(Language::English)),
    }
}

fn bare() -> UpdateSettings {
    UpdateSettings {
        name: "Anna".into(),
        street: None,
        postal_code: None,
        city: None,
        country: None,
        kvk_number: None,
        vat_number: None,
        iban: None,
        bic: None,
        phone: None,
        website: None,
        language: Some(None),
    }
}

fn country(code: &str) -> Option<CountryCode> {
    CountryCode::parse(code).ok()
}

fn of(account: &Account) -> UpdateSettings {
    UpdateSettings::of(account)
}

fn one_line() -> NewInvoice {
    let line = LineInput {
        description: "Work".into(),
        quantity: Decimal::ONE,
        unit_price: Decimal::ONE_HUNDRED,
        vat_rate: VatRate::from_basis_points(2100),
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
    NewInvoice {
        if_filed: service::corrections::IfFiled::Refuse,
        external_id: None,
        invoice_date: date(2026, 3, 15),
        supply: SupplyDays::default(),
        status: Status::Sent,
        customer: CustomerInput::named("Bakker"),
        lines: vec![line],
        terms: InvoiceTerms::default(),
        due: Due::AccountTerm,
        reference: None,
        notes: None,
        particulars: store::invoices::Particulars::default(),
        language: None,
    }
}

impl House {
    fn update(&self, account: &Account, command: UpdateSettings) -> Result<Account, Error> {
        let id = account.id;
        self.write(move |tx| settings::update(tx, &env(noon()), id, &command))
    }
}

/// Fields with a fault.
fn fields(refused: Result<Account, Error>) -> Vec<String> {
    let Err(Error::Invalid(faults)) = refused else { panic!("it was taken") };
    faults.iter().map(|fault| fault.path.clone()).collect()
}

on_both_engines! {
    fn settings_are_stored_unchanged(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA), house.open(BRAM));
        let changed = house.update(&anna, good()).unwrap();
        assert_eq!(of(&changed), good());
        assert_eq!(
            (changed.vat_number.as_deref(), changed.iban.as_deref()),
            (Some("NL002455799B11"), Some("NL91ABNA0417164300"))
        );
        // Saving the stored values again changes nothing and records no event.
        assert_eq!(of(&house.update(&changed, good()).unwrap()), good());
        assert_eq!(house.events(anna.owner.id), ["password_reset", "settings_changed"]);
        assert_eq!(of(&house.account(BRAM)), of(&bram));
        // All fields except three are optional.
        assert_eq!(
            of(&house.update(&changed, bare()).unwrap()),
            UpdateSettings { country: Some(CountryCode::NL), ..bare() }
        );
    }

    fn the_vat_number_is_that_of_the_country(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let german =
            || UpdateSettings { vat_number: VatNumber::parse("DE 221.304.969").ok(), ..good() };
        assert_eq!(fields(house.update(&anna, german())), ["/vatNumber"]);
        assert_eq!(of(&house.account(ANNA)), of(&anna), "nothing was stored");
        // The VAT number is checked against the new country, not the previous one.
        let moved =
            house.update(&anna, UpdateSettings { country: country("DE"), ..german() }).unwrap();
        assert_eq!(moved.vat_number.as_deref(), Some("DE221304969"));
        assert_eq!(fields(house.update(&anna, german())), ["/vatNumber"]);
        assert!(house.update(&anna, UpdateSettings { country: None, ..german() }).is_ok());
    }

    fn the_country_can_be_changed_until_something_is_booked(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let moved = |code: &str| {
            let command = UpdateSettings { country: country(code), vat_number: None, ..good() };
            house.update(&anna, command).map(|account| account.country.as_str().to_owned())
        };
        assert_eq!((moved("BE").unwrap(), moved("NL").unwrap()), ("BE".into(), "NL".into()));
        // A key or a project leaves the choice of country open; an invoice or an entry ends it.
        for (column, open) in [
            ("last_api_key", true),
            ("last_project", true),
            ("last_invoice", false),
            ("last_entry", false),
        ] {
            house.raw().run(&format!("UPDATE books SET {column} = 1")).unwrap();
            let id = anna.id;
            assert_eq!(
                house.read(move |tx| settings::has_choice_of_country(tx, id)),
                open,
                "{column}"
            );
            if open {
                assert_eq!(
                    (moved("BE").unwrap(), moved("NL").unwrap()),
                    ("BE".into(), "NL".into()),
                    "{column}"
                );
            } else {
                let Err(Error::Invalid(faults)) = moved("BE") else { panic!("{column}") };
                assert_eq!(
                    faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(),
                    ["/country"],
                    "{column}"
                );
            }
            assert_eq!(
                (moved("NL").unwrap(), moved("").unwrap()),
                ("NL".into(), "NL".into()),
                "{column}"
            );
            house.raw().run("UPDATE books SET last_invoice = 0, last_entry = 0").unwrap();
        }
    }

    fn a_booking_uses_the_country_at_its_own_time(engine) {
        let invoice = |cx: Context| -> Command<bool> {
            Box::new(move |tx| match invoices::create(tx, &cx.at(noon()), &one_line()) {
                Ok(_) => Ok(true),
                Err(Error::Access(AccessError::DutchAccountRequired)) => Ok(false),
                Err(other) => Err(other),
            })
        };
        let abroad = || UpdateSettings { country: country("BE"), ..bare() };
        let house = House::new(engine);
        let anna = house.open(ANNA);
        // A context from before the change of settings.
        let stale = Context::of_owner(&anna, env(noon()));
        house.update(&anna, UpdateSettings { country: country("NL"), ..abroad() }).unwrap();
        let terms = UpdateInvoiceSettings {
            payment_term_days: 14,
            number_pattern: Pattern::parse("F{year}/{number}").unwrap(),
            quote_number_pattern: None,
            accent: None,
            window: None,
            opening_nl: None,
            opening_en: None,
            closing_nl: None,
            closing_en: None,
            without_logo: false,
        };
        let cx = stale.clone();
        house
            .write(move |tx| invoice_settings::update(tx, &cx.at(noon()), (&terms, None)))
            .unwrap();
        let (cx, command) = (stale.clone(), one_line());
        let made = house
            .write(move |tx| Ok(invoices::create(tx, &cx.at(noon()), &command)?.into_inner()))
            .unwrap();
        assert_eq!(
            (made.invoice.number.as_str(), made.invoice.due_date),
            ("F2026/1", date(2026, 3, 29))
        );
        for _ in 0..8 {
            let house = House::new(engine);
            let anna = house.open(ANNA);
            let mut commands: Vec<Command<bool>> =
                (0..6).map(|_| invoice(Context::of_owner(&anna, env(noon())))).collect();
            let (account, command) = (anna.id, abroad());
            commands.push(Box::new(move |tx| {
                match settings::update(tx, &env(noon()), account, &command) {
                    Ok(_) => Ok(true),
                    Err(Error::Invalid(_)) => Ok(false),
                    Err(other) => Err(other),
                }
            }));
            let outcomes: Vec<bool> =
                house.at_once(commands).into_iter().map(Result::unwrap).collect();
            let (moved, booked) = (outcomes[6], outcomes[..6].iter().filter(|made| **made).count());
            assert_eq!(
                booked,
                if moved { 0 } else { 6 },
                "the country was changed: {moved}, and {booked} invoices were made"
            );
        }
    }
}
