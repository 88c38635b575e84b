//! A form is read like a body: the same commands, the same faults at the same fields.

use super::{
    Decision, Parsed, changed_password, code, decision, edited_invoice, email, form, json, new_contact, new_invoice, new_key,
    new_payment, new_time_entry, sign_up,
};
use crate::api::parse_json;
use i18n::Language;
use jiff::civil::{Date, date};
use ledger::money::Cents;
use service::invoices::SupplyDays;

const TODAY: Date = date(2026, 11, 20);

fn faults<C, P>(parsed: &Parsed<C, P>) -> Vec<(String, &'static str)> {
    parsed.faults.iter().map(|fault| (fault.field(), fault.reason.code())).collect()
}

fn at<'f>(faults: &'f [(&'f str, &'static str)]) -> Vec<(String, &'static str)> {
    faults.iter().map(|(field, code)| ((*field).to_owned(), *code)).collect()
}

#[test]
fn a_form_and_a_body_make_the_same_command() {
    let body = br#"{"externalId": "a-1", "invoiceDate": "2026-03-01", "status": "sent", "paymentTermDays": 14,
        "customer": {"name": "De Korenaar", "country": "BE", "email": "a@b.example", "address": {"street": "Kerkstraat 1", "city": "Gent"}},
        "items": [{"description": "Design\nand more", "quantity": 8, "unitPrice": 1234.56, "vatRate": 21},
                  {"description": "Discount", "quantity": -1, "unitPrice": 1250, "vatRate": 0, "vatCategory": "reverseCharge"}],
        "notes": "Thanks"}"#;
    let fields = [
        ("csrf", "x"),
        ("externalId", " a-1 "),
        ("invoiceDate", "01-03-2026"),
        ("status", "sent"),
        ("paymentTermDays", "14"),
        ("dueDate", ""),
        ("customer.name", "De Korenaar "),
        ("customer.country", "BE"),
        ("customer.email", "a@b.example"),
        ("customer.vatNumber", ""),
        ("customer.address.street", "Kerkstraat 1"),
        ("customer.address.city", "Gent"),
        ("items.0.description", "Design\r\nand more"),
        ("items.0.quantity", "8"),
        ("items.0.unitPrice", "€ 1.234,56"),
        ("items.0.vatRate", "21"),
        // Untouched lines, and a gap.
        ("items.1.description", ""),
        ("items.1.quantity", "1"),
        ("items.1.unitPrice", " "),
        ("items.1.vatRate", "21"),
        ("items.10.description", "Discount"),
        ("items.10.quantity", "-1"),
        ("items.10.unitPrice", "1.250"),
        ("items.10.vatRate", "0"),
        ("items.10.vatCategory", "reverseCharge"),
        ("items.3.description", ""),
        ("notes", "Thanks\r\n"),
        ("reference", ""),
        ("action", "sent"),
    ];
    let from_body = json(&parse_json(body).unwrap(), |fields| new_invoice(fields, TODAY));
    let from_form = form(fields, Language::Dutch, |fields| new_invoice(fields, TODAY));
    assert_eq!(faults(&from_form), []);
    assert_eq!(format!("{:?}", from_form.command.unwrap()), format!("{:?}", from_body.command.unwrap()));
}

#[test]
fn the_faults_of_a_form_are_at_its_fields() {
    let fields = [
        ("invoiceDate", "2026-02-30"),
        ("customer.name", ""),
        ("customer.country", "XX"),
        ("items.4.description", "Work"),
        ("items.4.quantity", "acht"),
        ("items.4.unitPrice", ""),
        ("items.4.vatRate", "21"),
        ("items.7.unitPrice", "5"),
    ];
    let parsed = form(fields, Language::Dutch, |fields| new_invoice(fields, TODAY));
    let expected = [
        ("invoiceDate", "invalid_date"),
        ("customer.country", "unknown_value"),
        ("items.4.quantity", "invalid_type"),
        ("items.4.unitPrice", "required"),
        ("items.7.description", "required"),
        ("items.7.vatRate", "required"),
    ];
    assert_eq!(faults(&parsed), at(&expected));
    assert!(parsed.command.is_none() && parsed.partial.is_some());
}

#[test]
fn a_form_without_anything_asks_for_what_is_needed() {
    let parsed = form([], Language::Dutch, |fields| new_invoice(fields, TODAY));
    assert_eq!(faults(&parsed), at(&[("items", "required")]));
    let parsed = form([("name", "  "), ("address.city", "")], Language::English, new_contact);
    assert_eq!(faults(&parsed), at(&[("name", "required")]));
}

#[test]
fn an_empty_field_takes_the_value_away_in_an_edit_only() {
    let edit =
        form([("notes", " "), ("dueDate", "")], Language::Dutch, |fields| edited_invoice(fields, TODAY, SupplyDays::default()))
            .command
            .unwrap();
    assert_eq!((edit.notes, edit.reference, edit.lines.is_none()), (Some(None), None, true));
    let payment =
        form([("date", "2026-11-20"), ("amount", "")], Language::Dutch, |fields| new_payment(fields, 1)).command.unwrap();
    assert_eq!(payment.amount, None);
}

#[test]
fn amounts_are_read_in_the_language_of_the_page() {
    for (language, text, cents) in [
        (Language::Dutch, "1.234", 123_400),
        (Language::English, "1,234", 123_400),
        (Language::English, "1.23", 123),
        (Language::Dutch, "€ 1.234,5", 123_450),
    ] {
        let parsed = form([("date", "2026-11-20"), ("amount", text)], language, |fields| new_payment(fields, 1));
        assert_eq!(parsed.command.unwrap().amount, Some(Cents::new(cents)), "{text}");
    }
    let parsed = form([("date", "2026-11-20"), ("amount", "1.234")], Language::English, |fields| new_payment(fields, 1));
    assert_eq!(faults(&parsed), at(&[("amount", "too_many")]));
}

#[test]
fn names_that_cannot_be_fields_are_left_alone() {
    let deep = "a.".repeat(5000) + "a";
    let fields = [
        ("name", "Jan"),
        ("name.first", "x"),
        (".", "x"),
        ("address..city", "x"),
        (&*deep, "x"),
        ("address", "x"),
        ("name", "Piet"),
    ];
    let parsed = form(fields, Language::Dutch, new_contact);
    let party = parsed.command.unwrap();
    assert_eq!((party.name.as_str(), party.city), ("Jan", None));
}

#[test]
fn hours_are_typed_by_the_clock_too() {
    for (text, expected) in [("1:30", 150), ("1,5", 150), ("90m", 150), ("8", 800)] {
        let fields = [("projectId", "1"), ("date", "2026-11-20"), ("hours", text), ("description", "Work")];
        assert_eq!(form(fields, Language::Dutch, new_time_entry).command.unwrap().hours.get(), expected, "{text}");
    }
    for (text, code) in [("half", "invalid_type"), ("25:00", "out_of_range"), ("0", "out_of_range")] {
        let fields = [("projectId", "1"), ("date", "2026-11-20"), ("hours", text), ("description", "Work")];
        assert_eq!(faults(&form(fields, Language::Dutch, new_time_entry)), at(&[("hours", code)]), "{text}");
    }
}

#[test]
fn signing_up_tells_all_that_is_wrong() {
    let good = [("email", " Bram@Example.com "), ("password", " ochtendnevel "), ("name", " Bram "), ("country", "BE")];
    let read = |field: &str, typed: &str| {
        let fields = good.map(|(name, text)| (name, if name == field { typed } else { text }));
        form(fields, Language::Dutch, sign_up)
    };
    let given = read("", "").command.unwrap();
    assert_eq!((given.email.as_str(), given.name.as_str(), given.country.as_str()), ("bram@example.com", "Bram", "BE"));
    // Whatever is typed around a password is of it.
    assert_eq!(given.password, " ochtendnevel ");
    for (field, typed, code) in [
        ("email", "", "invalid_format"),
        ("email", "bram@example", "invalid_format"),
        ("email", "\"bram\"@example.com", "invalid_format"),
        ("password", "", "out_of_range"),
        ("password", "       ", "out_of_range"),
        ("password", "Bram@Example.com", "too_common"),
        ("name", " ", "invalid_format"),
        ("name", "Bram\r\nBram", "invalid_format"),
        ("name", &"x".repeat(256), "invalid_format"),
        ("country", "", "unknown_value"),
        ("country", "XX", "unknown_value"),
    ] {
        assert_eq!(faults(&read(field, typed)), at(&[(field, code)]), "{typed:?}");
    }
    let none = form([("email", "")], Language::Dutch, sign_up);
    let fields =
        [("email", "invalid_format"), ("password", "out_of_range"), ("name", "invalid_format"), ("country", "unknown_value")];
    assert_eq!(faults(&none), at(&fields));
    assert_eq!(faults(&form([("email", "a@127.0.0.1")], Language::Dutch, email)), at(&[("email", "invalid_format")]));
}

#[test]
fn the_current_password_is_read_whatever_is_wrong_with_the_new_one() {
    let fields = [("password", " old "), ("new_password", "short")];
    let parsed = form(fields, Language::Dutch, |fields| changed_password(fields, &[]));
    assert_eq!((faults(&parsed), parsed.partial.as_str()), (at(&[("new_password", "out_of_range")]), " old "));
}

#[test]
fn a_code_is_asked_for_and_not_compared_here() {
    assert_eq!(faults(&form([("code", " ")], Language::Dutch, code)), at(&[("code", "required")]));
    assert!(form([("code", "no code")], Language::Dutch, code).command.is_some());
}

#[test]
fn the_boxes_of_a_key_share_a_name() {
    let read = |fields: &[(&'static str, &'static str)]| form(fields.iter().copied(), Language::Dutch, new_key);
    assert!(read(&[("name", "shop"), ("scope", "read"), ("scope", "file")]).command.is_some());
    let none = [("name", "required"), ("scope", "required")];
    assert_eq!(faults(&read(&[])), at(&none));
    assert_eq!(faults(&read(&[("name", "x\ty"), ("scope", "all"), ("scope", "")])), at(&none));
}

#[test]
fn books_that_are_not_known_are_not_taken_for_the_real_ones() {
    let read = |account| form([("decision", "approve"), ("account", account)], Language::Dutch, decision);
    assert_eq!(read("").command, Some(Decision::Approve { in_test: false }));
    assert_eq!(read("test").command, Some(Decision::Approve { in_test: true }));
    assert_eq!(faults(&read("both")), at(&[("account", "unknown_value")]));
    assert_eq!(form([("decision", "deny"), ("account", "both")], Language::Dutch, decision).command, Some(Decision::Deny));
    assert_eq!(faults(&form([("decision", "")], Language::Dutch, decision)), at(&[("decision", "required")]));
}
