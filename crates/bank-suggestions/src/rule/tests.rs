use super::*;
use jiff::civil::date;

fn line() -> Line<'static> {
    Line {
        id: 1,
        bank_account: 2,
        date: date(2026, 3, 2),
        amount: Cents::new(-4_500),
        name: Some("KPN B.V."),
        iban: Some("NL02 ABNA 0123 4567 89"),
        text: "Factuur maart Élan",
        end_to_end_id: None,
        payment_reference: None,
        creditor_id: Some("NL12ZZZ123456780000"),
        charge: None,
        parts: &[],
        is_doubtful: false,
        refused: &[],
    }
}

#[test]
fn each_condition_must_hold() {
    let text =
        |part: &str| Conditions { text_contains: Some(part.to_owned()), ..Default::default() };
    let iban = |iban: &str| Conditions { iban: Iban::parse(iban).ok(), ..Default::default() };
    let creditor = |id: &str| Conditions { creditor_id: Some(id.to_owned()), ..Default::default() };
    let cents = |cents| Some(Cents::new(cents));
    for (when, matches) in [
        (text("MAART é"), true),
        (text("april"), false),
        (text(" "), false),
        (iban("NL02ABNA0123456789"), true),
        (iban("NL91ABNA0417164300"), false),
        (creditor("nl12zzz123456780000"), true),
        (creditor("NL12ZZZ12345678"), false),
        (Conditions { bank_account: Some(2), ..text("maart") }, true),
        (Conditions { bank_account: Some(1), ..text("maart") }, false),
        (Conditions { direction: LineDirection::Out, ..text("maart") }, true),
        (Conditions { direction: LineDirection::In, ..text("maart") }, false),
        (Conditions { name_contains: Some("kpn".into()), ..text("maart") }, true),
        (Conditions { name_contains: Some("xs4all".into()), ..text("maart") }, false),
        (Conditions { amount_from: cents(4_500), amount_to: cents(4_500), ..text("maart") }, true),
        (Conditions { amount_from: cents(4_501), ..text("maart") }, false),
        (Conditions { amount_to: cents(4_499), ..text("maart") }, false),
        // A rule without a counterparty or a text would match every line.
        (Conditions { bank_account: Some(2), ..Conditions::default() }, false),
    ] {
        assert_eq!(when.are_met_by(&line()), matches, "{when:?}");
    }
}

#[test]
fn absent_fields_of_a_line_match_no_condition() {
    let line = Line { name: None, iban: None, creditor_id: None, ..line() };
    for when in [
        Conditions { iban: Iban::parse("NL02ABNA0123456789").ok(), ..Conditions::default() },
        Conditions { creditor_id: Some("NL12ZZZ123456780000".into()), ..Conditions::default() },
        Conditions { name_contains: Some("KPN".into()), ..Conditions::default() },
    ] {
        assert!(!when.are_met_by(&line), "{when:?}");
    }
}
