//! Tests that forms and bodies yield the same commands, and the same faults on the same fields.

use super::{
    Decision, Fields, Parsed, Raw, changed_password, code, decision, dispose_asset, edited_invoice,
    email, form, json, new_asset, new_contact, new_event, new_expense, new_expense_payment,
    new_invoice, new_key, new_logged_hours, new_payment, new_payout, new_project, new_time_entry,
    new_trip, new_vat_payment, new_write_off, sign_up,
};
use crate::json_body::parse as parse_json;
use i18n::Language;
use jiff::civil::{Date, date};
use ledger::{entry::SourceType, money::Cents};
use serde_json::Value;
use service::invoices::SupplyDays;

const TODAY: Date = date(2026, 11, 20);

fn faults<C, P>(parsed: &Parsed<C, P>) -> Vec<(String, &'static str)> {
    parsed.faults.iter().map(|fault| (fault.field(), fault.reason.code())).collect()
}

fn at<'f>(faults: &'f [(&'f str, &'static str)]) -> Vec<(String, &'static str)> {
    faults.iter().map(|(field, code)| ((*field).to_owned(), *code)).collect()
}

#[test]
fn a_filled_line_of_a_form_counts_whatever_its_number() {
    let opening = |place: &str, contact: &str| {
        let named = |field: &str| format!("openItems.{place}.{field}");
        let (kind, name) = (named("kind"), named("contact"));
        let fields = [("date", "2026-01-01"), (kind.as_str(), "payable"), (name.as_str(), contact)];
        faults(&form(fields, Language::English, |fields| {
            new_event(fields, SourceType::OpeningBalance, None)
        }))
    };
    for place in ["0", "501", "4294967296", "999999999999"] {
        let missing = ["number", "date", "dueDate", "amount"];
        let expected: Vec<_> = missing
            .map(|name| (format!("openItems.{place}.{name}"), "required"))
            .into_iter()
            .collect();
        assert_eq!(opening(place, "Paper shop"), expected, "{place}");
        // A line with nothing but its default is empty.
        assert!(opening(place, "").is_empty(), "{place}");
    }
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
        // The form has untouched lines, and a gap in their numbers.
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
    assert_eq!(
        format!("{:?}", from_form.command.unwrap()),
        format!("{:?}", from_body.command.unwrap())
    );
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
    ];
    assert_eq!(faults(&parsed), at(&expected));
    assert!(parsed.command.is_none() && parsed.partial.is_some());
}

#[test]
fn an_empty_form_lacks_its_required_fields() {
    let parsed = form([], Language::Dutch, |fields| new_invoice(fields, TODAY));
    assert_eq!(faults(&parsed), at(&[("items", "required")]));
    let parsed = form([("name", "  "), ("address.city", "")], Language::English, new_contact);
    assert_eq!(faults(&parsed), at(&[("name", "required")]));
}

#[test]
fn an_empty_field_removes_the_value_only_in_an_edit() {
    let edit = form([("notes", " "), ("dueDate", "")], Language::Dutch, |fields| {
        edited_invoice(fields, TODAY, SupplyDays::default())
    })
    .command
    .unwrap();
    assert_eq!((edit.notes, edit.reference, edit.lines.is_none()), (Some(None), None, true));
    let payment = form([("date", "2026-11-20"), ("amount", "")], Language::Dutch, |fields| {
        new_payment(fields, 1)
    })
    .command
    .unwrap();
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
        let parsed = form([("date", "2026-11-20"), ("amount", text)], language, |fields| {
            new_payment(fields, 1)
        });
        assert_eq!(parsed.command.unwrap().amount, Some(Cents::new(cents)), "{text}");
    }
    let parsed = form([("date", "2026-11-20"), ("amount", "1.234")], Language::English, |fields| {
        new_payment(fields, 1)
    });
    assert_eq!(faults(&parsed), at(&[("amount", "too_many")]));
}

#[test]
fn invalid_field_names_are_ignored() {
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
    assert_eq!((party.party.name.as_str(), party.party.city), ("Jan", None));
}

#[test]
fn hours_can_be_typed_as_clock_time() {
    for (text, expected) in [("1:30", 150), ("1,5", 150), ("90m", 150), ("8", 800)] {
        let fields =
            [("projectId", "1"), ("date", "2026-11-20"), ("hours", text), ("description", "Work")];
        assert_eq!(
            form(fields, Language::Dutch, new_time_entry).command.unwrap().hours.get(),
            expected,
            "{text}"
        );
    }
    for (text, code) in [("half", "invalid_type"), ("25:00", "out_of_range"), ("0", "out_of_range")]
    {
        let fields =
            [("projectId", "1"), ("date", "2026-11-20"), ("hours", text), ("description", "Work")];
        assert_eq!(
            faults(&form(fields, Language::Dutch, new_time_entry)),
            at(&[("hours", code)]),
            "{text}"
        );
    }
}

#[test]
fn a_sign_up_reports_all_faults() {
    let good = [
        ("email", " Bram@Example.com "),
        ("password", " ochtendnevel "),
        ("name", " Bram "),
        ("country", "BE"),
    ];
    let read = |field: &str, typed: &str| {
        let fields = good.map(|(name, text)| (name, if name == field { typed } else { text }));
        form(fields, Language::Dutch, sign_up)
    };
    let input = read("", "").command.unwrap();
    assert_eq!(
        (input.email.as_str(), input.name.as_str(), input.country.as_str()),
        ("bram@example.com", "Bram", "BE")
    );
    // White space around a password is part of it.
    assert_eq!(input.password, " ochtendnevel ");
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
    let fields = [
        ("email", "invalid_format"),
        ("password", "out_of_range"),
        ("name", "invalid_format"),
        ("country", "unknown_value"),
    ];
    assert_eq!(faults(&none), at(&fields));
    assert_eq!(
        faults(&form([("email", "a@127.0.0.1")], Language::Dutch, email)),
        at(&[("email", "invalid_format")])
    );
}

#[test]
fn the_current_password_is_read_despite_faults_of_the_new_one() {
    let fields = [("password", " old "), ("new_password", "short")];
    let parsed = form(fields, Language::Dutch, |fields| changed_password(fields, &[]));
    assert_eq!(
        (faults(&parsed), parsed.partial.as_str()),
        (at(&[("new_password", "out_of_range")]), " old ")
    );
}

#[test]
fn a_code_is_required_but_not_verified_here() {
    assert_eq!(faults(&form([("code", " ")], Language::Dutch, code)), at(&[("code", "required")]));
    assert!(form([("code", "no code")], Language::Dutch, code).command.is_some());
}

#[test]
fn the_boxes_of_a_key_share_a_name() {
    let read = |fields: &[(&'static str, &'static str)]| {
        form(fields.iter().copied(), Language::Dutch, new_key)
    };
    assert!(read(&[("name", "shop"), ("scope", "read"), ("scope", "file")]).command.is_some());
    let none = [("name", "required"), ("scope", "required")];
    assert_eq!(faults(&read(&[])), at(&none));
    assert_eq!(faults(&read(&[("name", "x\ty"), ("scope", "all"), ("scope", "")])), at(&none));
}

#[test]
fn unknown_books_are_not_taken_for_the_real_ones() {
    let read =
        |account| form([("decision", "approve"), ("account", account)], Language::Dutch, decision);
    assert_eq!(read("").command, Some(Decision::Approve { in_test: false }));
    assert_eq!(read("test").command, Some(Decision::Approve { in_test: true }));
    assert_eq!(faults(&read("both")), at(&[("account", "unknown_value")]));
    assert_eq!(
        form([("decision", "deny"), ("account", "both")], Language::Dutch, decision).command,
        Some(Decision::Deny)
    );
    assert_eq!(
        faults(&form([("decision", "")], Language::Dutch, decision)),
        at(&[("decision", "required")])
    );
}

/// Returns the faults of a body.
fn faults_of_body<C, P>(
    body: &Value,
    take: impl FnOnce(&mut Fields<'_, '_>) -> Parsed<C, P>,
) -> Vec<(String, &'static str)> {
    faults(&json(&parse_json(body.to_string().as_bytes()).unwrap(), take))
}

/// Returns a body with a number exactly as written.
fn with_number(body: &str, number: &str) -> Raw {
    parse_json(body.replace('#', number).as_bytes()).unwrap()
}

type Take = fn(&mut Fields<'_, '_>) -> Parsed<()>;

/// Wraps a reader so that it returns only faults.
macro_rules! faults_of {
    ($read:expr) => {{
        let take: Take = |fields| {
            let parsed = $read(fields);
            Parsed::new(None, parsed.command.map(drop))
        };
        take
    }};
}

/// Returns every field with a fixed number of decimals: a body with `#` in place of the number, and
/// the reader.
// Long: a table of fields.
fn fixed_decimals() -> Vec<(&'static str, Take)> {
    vec![
        (r#"{"date":"2026-03-01","amount":#}"#, faults_of!(|fields| new_payment(fields, 1))),
        (r#"{"date":"2026-03-01","amount":#,"fee":0}"#, faults_of!(new_payout)),
        (r#"{"date":"2026-03-01","amount":1,"fee":#}"#, faults_of!(new_payout)),
        (r#"{"date":"2026-03-01","amount":1,"fee":100,"feeVat":#}"#, faults_of!(new_payout)),
        (
            r#"{"date":"2026-03-01","amount":#,"reason":"x"}"#,
            faults_of!(|fields| new_write_off(fields, 1)),
        ),
        (r#"{"date":"2026-03-01","amount":#}"#, faults_of!(new_vat_payment)),
        (
            r#"{"date":"2026-03-01","supplier":"x","items":[{"category":"4100","vatRate":21,"amount":#}]}"#,
            faults_of!(new_expense),
        ),
        (
            r#"{"date":"2026-03-01","supplier":"x","items":[{"category":"4100","vatRate":21,"amount":100,"vat":#}]}"#,
            faults_of!(new_expense),
        ),
        (
            r#"{"date":"2026-03-01","supplier":"x","items":[{"category":"4100","amount":1,"vatRate":#}]}"#,
            faults_of!(new_expense),
        ),
        (
            r#"{"date":"2026-03-01","supplier":"x","businessShare":#,"items":[{"category":"4100","vatRate":21,"amount":1}]}"#,
            faults_of!(new_expense),
        ),
        (
            r#"{"date":"2026-03-01","amount":#}"#,
            faults_of!(|fields| new_expense_payment(fields, 1)),
        ),
        (r#"{"date":"2026-03-01","description":"x","cost":#}"#, faults_of!(new_asset)),
        (
            r#"{"date":"2026-03-01","description":"x","cost":1000,"residualValue":#}"#,
            faults_of!(new_asset),
        ),
        (r#"{"date":"2026-03-01","proceeds":#}"#, faults_of!(dispose_asset)),
        (r#"{"date":"2026-03-01","from":"a","to":"b","km":#}"#, faults_of!(new_trip)),
        (
            r#"{"projectId":1,"date":"2026-03-01","hours":#,"description":"x"}"#,
            faults_of!(new_time_entry),
        ),
        (r#"{"date":"2026-03-01","hours":#,"description":"x"}"#, faults_of!(new_logged_hours)),
        (r#"{"name":"x","hourlyRate":#}"#, faults_of!(new_project)),
        (r#"{"name":"x","budgetHours":#}"#, faults_of!(new_project)),
        (
            r#"{"date":"2026-03-01","from":"bank","to":"savings","amount":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::Transfer, None)),
        ),
        (
            r#"{"date":"2026-03-01","kind":"drawing","amount":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::PrivateBooking, None)),
        ),
        (
            r#"{"date":"2026-03-01","kind":"accruedCost","account":"4100","reverseOn":"2026-04-01","amount":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::Accrual, None)),
        ),
        (
            r#"{"date":"2026-03-01","account":"0700","amount":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::Loan, None)),
        ),
        (
            r#"{"date":"2026-03-01","kind":"car","vat":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::PrivateUse, None)),
        ),
        (
            r#"{"date":"2026-03-01","kind":"car","vat":1,"base":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::PrivateUse, None)),
        ),
        (
            r#"{"date":"2026-03-01","description":"x","lines":[{"account":"4610","debit":#},{"account":"1100","credit":1}]}"#,
            faults_of!(|fields| new_event(fields, SourceType::Manual, None)),
        ),
        (
            r#"{"date":"2026-03-01","description":"x","lines":[{"account":"4610","debit":1},{"account":"1100","credit":#}]}"#,
            faults_of!(|fields| new_event(fields, SourceType::Manual, None)),
        ),
        (
            r#"{"date":"2026-03-01","balances":[{"account":"1100","amount":#}]}"#,
            faults_of!(|fields| new_event(fields, SourceType::OpeningBalance, None)),
        ),
        (
            r#"{"date":"2026-03-01","balances":[],"openItems":[{"kind":"receivable","contact":"x","number":"1","date":"2026-01-01","dueDate":"2026-02-01","amount":#}]}"#,
            faults_of!(|fields| new_event(fields, SourceType::OpeningBalance, None)),
        ),
        (
            r#"{"date":"2026-03-01","principal":#,"interest":1}"#,
            faults_of!(|fields| new_event(fields, SourceType::LoanRepayment, Some(1))),
        ),
        (
            r#"{"date":"2026-03-01","principal":1,"interest":#}"#,
            faults_of!(|fields| new_event(fields, SourceType::LoanRepayment, Some(1))),
        ),
        (r#"{"date":"2026-03-01","description":"x","cost":1000,"vat":#}"#, faults_of!(new_asset)),
        (
            r#"{"date":"2026-03-01","description":"x","cost":1000,"vatRate":#}"#,
            faults_of!(new_asset),
        ),
        (
            r#"{"date":"2026-03-01","description":"x","cost":1000,"openingDepreciated":#}"#,
            faults_of!(new_asset),
        ),
        (r#"{"date":"2026-03-01","proceeds":100,"vatRate":#}"#, faults_of!(dispose_asset)),
    ]
}

/// Binary floating-point residue, as programs print it, is rounded off; a genuine third decimal is
/// rejected.
#[test]
fn every_field_with_two_decimals_tolerates_only_floating_point_residue() {
    for (body, take) in fixed_decimals() {
        for number in ["12.559999999999999", "7.000000000000001", "8.0100000001", "9.0000000005e0"]
        {
            assert_eq!(faults(&json(&with_number(body, number), take)), [], "{body} {number}");
        }
        for number in ["1.005", "12.5599", "7.00000001", "3.333"] {
            let faults = faults(&json(&with_number(body, number), take));
            // For a line, the amount is also reported as missing.
            assert_eq!(faults[0].1, "too_many", "{body} {number}: {faults:?}");
        }
    }
    // The value itself is rounded, in a body and in a form.
    let payment = |number: &str| {
        json(&with_number(r#"{"date":"2026-03-01","amount":#}"#, number), |fields| {
            new_payment(fields, 1)
        })
        .command
        .unwrap()
        .amount
    };
    assert_eq!(payment("112.55999999999999"), Some(Cents::new(11_256)));
    let typed = form(
        [("date", "01-03-2026"), ("amount", "112,55999999999999")],
        Language::Dutch,
        |fields| new_payment(fields, 1),
    );
    assert_eq!(typed.command.unwrap().amount, Some(Cents::new(11_256)));
    for (text, hundredths) in [("2,9999999999999996", 300), ("0.30000000000000004", 30)] {
        let fields =
            [("projectId", "1"), ("date", "2026-11-20"), ("hours", text), ("description", "Work")];
        assert_eq!(
            form(fields, Language::Dutch, new_time_entry).command.unwrap().hours.get(),
            hundredths,
            "{text}"
        );
    }
    let line = r#"{"customer":{"name":"x"},"items":[{"description":"x","unitPrice":1.6446280991735538,"vatRate":#}]}"#;
    let invoice =
        json(&with_number(line, "21.000000000000004"), |fields| new_invoice(fields, TODAY))
            .command
            .unwrap();
    assert_eq!(invoice.lines[0].vat_rate.basis_points(), 2100);
    assert_eq!(invoice.lines[0].unit_price.to_string(), "1.6446280991735538");
    let unknown = json(&with_number(line, "21.001"), |fields| new_invoice(fields, TODAY));
    assert_eq!(faults(&unknown), at(&[("items.0.vatRate", "unknown_vat_rate")]));
}

/// Rejects invisible names, and names that change the direction of the surrounding text.
#[test]
fn texts_are_visible_and_keep_the_text_direction() {
    let named = |name: &str| serde_json::json!({ "name": name });
    for (name, code) in [
        ("\u{200b}", "required"),
        ("\u{feff}\u{2060} \u{ad}", "required"),
        ("\u{2800}", "required"),
        ("Korenaar\u{202e}vb", "invalid_format"),
        ("\u{2066}Korenaar\u{2069}", "invalid_format"),
        ("\u{202a}", "invalid_format"),
    ] {
        assert_eq!(faults_of_body(&named(name), new_contact), at(&[("name", code)]), "{name:?}");
        assert_eq!(faults_of_body(&named(name), new_project), at(&[("name", code)]), "{name:?}");
        let body = serde_json::json!({ "projectId": 1, "date": "2026-03-01", "hours": 1, "description": name });
        assert_eq!(faults_of_body(&body, new_time_entry), at(&[("description", code)]), "{name:?}");
        let body = serde_json::json!({ "externalId": name, "name": "x" });
        assert_eq!(faults_of_body(&body, new_contact), at(&[("externalId", code)]), "{name:?}");
        let key = form([("name", name), ("scope", "read")], Language::Dutch, new_key);
        assert_eq!(
            faults(&key).iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(),
            ["name"],
            "{name:?}"
        );
    }
    for name in ["Korenaar", "שלום\u{200f}", "👩\u{200d}👩", "Cafe\u{301}"] {
        assert_eq!(faults_of_body(&named(name), new_contact), [], "{name:?}");
    }
}
