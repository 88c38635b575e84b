//! Settings: each field is checked, all faults are told, and nobody else's change.

use crate::{ANNA, BRAM, House, noon, visitor};
use service::{
    Error,
    outside::Machine,
    people::{
        Account,
        settings::{self, Settings},
    },
};
use testing::on_both_engines;

fn good() -> Settings {
    Settings {
        name: " Anna Ontwerp ".into(),
        street: "Dorpsstraat 1 bis".into(),
        postal_code: "1234ab".into(),
        city: "'s-Gravenhage".into(),
        country: "NL".into(),
        kvk_number: "12 34 56 78".into(),
        vat_number: "nl 0024.55.799.B11".into(),
        iban: "nl91 abna 0417 1643 00".into(),
        payment_term_days: "14".into(),
        number_pattern: "F{year}-{number:5}".into(),
        language: "en".into(),
    }
}

impl House {
    fn update(&self, account: &Account, given: Settings) -> Result<Account, Error> {
        let account = account.clone();
        self.write(move |tx| settings::update(tx, &Machine, noon(), &account, &given, &visitor()))
    }
}

on_both_engines! {
    fn settings_are_stored_in_their_compact_form(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA), house.open(BRAM));
        let changed = house.update(&anna, good()).unwrap();
        let stored = Settings::of(&changed);
        assert_eq!(stored, Settings {
            name: "Anna Ontwerp".into(),
            postal_code: "1234 AB".into(),
            kvk_number: "12345678".into(),
            vat_number: "NL002455799B11".into(),
            iban: "NL91 ABNA 0417 1643 00".into(),
            ..good()
        });
        // What was stored is taken again, changes nothing, and is no event.
        assert_eq!(Settings::of(&house.update(&changed, stored.clone()).unwrap()), stored);
        assert_eq!(house.events(anna.id), ["password_reset", "settings_changed"]);
        assert_eq!(Settings::of(&house.account(BRAM)), Settings::of(&bram));
        // All but three fields can be left empty.
        let bare = Settings {
            name: "Anna".into(),
            payment_term_days: "0".into(),
            number_pattern: "{year}{number}".into(),
            ..Settings::default()
        };
        let stored = Settings::of(&house.update(&changed, bare.clone()).unwrap());
        assert_eq!(stored, Settings { country: "NL".into(), ..bare });
    }

    fn each_fault_is_told_at_its_field(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let long = "x".repeat(256);
        type Change<'c> = (&'static str, fn(&mut Settings, String), &'c [&'c str]);
        let cases: [Change<'_>; 11] = [
            ("name", |it, text| it.name = text, &["", "  ", &long, "a\nb"]),
            ("street", |it, text| it.street = text, &[&long, "a\tb"]),
            ("postal_code", |it, text| it.postal_code = text, &["0123 AB", "1234 SS", "1234", "1234 A1", "12345 AB", "1234 ÀB"]),
            ("city", |it, text| it.city = text, &[&long, "a\r\nb"]),
            ("country", |it, text| it.country = text, &["XX", "Nederland", "N"]),
            ("kvk_number", |it, text| it.kvk_number = text, &["1234567", "123456789012", "1234567a"]),
            ("vat_number", |it, text| it.vat_number = text, &["NL123456789B90", "123456789B01", "DE221304969"]),
            ("iban", |it, text| it.iban = text, &["NL91ABNA0417164301", "NL91", "XX91ABNA0417164300"]),
            ("payment_term_days", |it, text| it.payment_term_days = text, &["", "-1", "366", "1.5", "+5", "١٤", "99999999999999999999"]),
            ("number_pattern", |it, text| it.number_pattern = text, &["", "{number}", "{year}-{nummer}", "{year}\n{number}"]),
            ("language", |it, text| it.language = text, &["de", "NL", "nl-NL"]),
        ];
        for (field, set, bad) in cases {
            for text in bad {
                let mut given = good();
                set(&mut given, (*text).to_owned());
                let Err(Error::Invalid(faults)) = house.update(&anna, given) else { panic!("{field} {text:?} was taken") };
                let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
                assert_eq!(pointers, [format!("/{field}")], "{text:?}");
            }
        }
        let all = Settings { number_pattern: "x".into(), iban: "x".into(), vat_number: "x".into(), ..Settings::default() };
        let Err(Error::Invalid(faults)) = house.update(&anna, all) else { panic!() };
        assert_eq!(faults.len(), 5, "{faults:?}");
        assert_eq!(Settings::of(&house.account(ANNA)), Settings::of(&anna), "nothing was stored");
    }

    fn elsewhere_the_postal_code_has_any_form_and_the_vat_number_is_the_countrys(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.raw().run("UPDATE accounts SET country = 'DE'").unwrap();
        let anna = house.account(ANNA);
        let (postal_code, vat_number) = ("D-10115".into(), "DE 221.304.969".into());
        let given = Settings { country: String::new(), postal_code, vat_number, ..good() };
        let stored = Settings::of(&house.update(&anna, given).unwrap());
        assert_eq!((stored.postal_code.as_str(), stored.vat_number.as_str()), ("D-10115", "DE221304969"));
    }

    fn the_country_can_be_changed_until_something_is_booked(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let moved = |country: &str| {
            let given = Settings { country: country.into(), vat_number: String::new(), ..good() };
            house.update(&anna, given).map(|account| account.country.as_str().to_owned())
        };
        assert_eq!(moved("BE").unwrap(), "BE");
        // What is Dutch is judged by the country that is given, not by the one before.
        assert!(house.update(&anna, Settings { vat_number: "DE 221.304.969".into(), ..good() }).is_err());
        assert_eq!(moved("nl").unwrap(), "NL");
        // A key is no booking; an invoice is, a draft too, and so is a journal entry.
        for (column, open) in [("last_api_key", true), ("last_project", true), ("last_invoice", false), ("last_entry", false)] {
            house.raw().run(&format!("UPDATE books SET {column} = 1")).unwrap();
            let id = anna.id;
            assert_eq!(house.read(move |tx| settings::has_choice_of_country(tx, id)), open, "{column}");
            if open {
                assert_eq!((moved("BE").unwrap(), moved("NL").unwrap()), ("BE".into(), "NL".into()), "{column}");
            } else {
                let Err(Error::Invalid(faults)) = moved("BE") else { panic!("{column}") };
                assert_eq!(faults.iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["/country"], "{column}");
            }
            assert_eq!((moved("NL").unwrap(), moved("").unwrap()), ("NL".into(), "NL".into()), "{column}");
            house.raw().run("UPDATE books SET last_invoice = 0, last_entry = 0").unwrap();
        }
    }
}
