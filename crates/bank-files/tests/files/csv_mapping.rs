//! Files of unknown banks: proposals and mappings.

use super::{TODAY, refused};
use bank_files::{
    Amounts, Cause, Charset, Column, Columns, FaultReason, Field, Mapping, Options, Proposal,
    Refusal, head_of, read, sample, trial,
};

fn proposal(file: &str) -> Proposal {
    match refused(file).cause {
        Cause::UnknownCsv(proposal) => *proposal,
        cause => panic!("{cause:?}"),
    }
}

/// Line: date, cents, name, IBAN, text.
type Line = (String, i64, Option<String>, Option<String>, String);

/// Reads a file with the mapping that is proposed for it.
fn as_proposed(file: &str) -> Vec<Line> {
    let mappings = [proposal(file).mapping];
    let options = Options { mapping: Some(0), mappings: &mappings, ..Options::new(TODAY) };
    let upload = read(file.as_bytes(), &options).unwrap();
    assert_eq!(upload.mapping, Some(0));
    let lines = upload.statements.into_iter().flat_map(|statement| statement.lines);
    lines
        .map(|line| {
            (
                line.date.to_string(),
                line.amount.get(),
                line.name.map(String::from),
                line.iban.map(String::from),
                line.text.into(),
            )
        })
        .collect()
}

#[test]
fn proposals_can_be_used_as_they_are() {
    let jansen = |cents| {
        (
            "2026-03-02".to_owned(),
            cents,
            Some("Jansen".to_owned()),
            Some("NL32RABO0195515500".to_owned()),
            "Factuur 12".to_owned(),
        )
    };
    let cases = [
        (
            "Boekdatum;Bedrag;Naam;IBAN tegenrekening;Omschrijving\n02-03-2026;-1.234,56;Jansen;NL32RABO0195515500;Factuur 12\n02-03-2026;5,00;Jansen;NL32RABO0195515500;Factuur 12\n",
            vec![jansen(-123_456), jansen(500)],
        ),
        (
            "Date,Debit,Credit,Payee,IBAN,Description\n2026-03-02,1234.56,,Jansen,NL32RABO0195515500,Factuur 12\n2026-03-02,,5.00,Jansen,NL32RABO0195515500,Factuur 12\n",
            vec![jansen(-123_456), jansen(500)],
        ),
        (
            "Datum|Af/Bij|Bedrag|Naam|IBAN|Omschrijving|Saldo\n02/03/2026|Af|1234,56|Jansen|NL32RABO0195515500|Factuur 12|0,00\n02/03/2026|Bij|5,00|Jansen|NL32RABO0195515500|Factuur 12|5,00\n",
            vec![jansen(-123_456), jansen(500)],
        ),
        (
            "20260302;Jansen;NL32RABO0195515500;-1234,56;Factuur 12\n",
            vec![(
                "2026-03-02".to_owned(),
                -123_456,
                None,
                Some("NL32RABO0195515500".to_owned()),
                "Factuur 12".to_owned(),
            )],
        ),
    ];
    for (file, expected) in cases {
        assert_eq!(as_proposed(file), expected, "{file}");
    }
}

#[test]
fn the_next_file_with_the_same_head_needs_no_question() {
    let file = "Boekdatum;Bedrag;Naam\n02-03-2026;1,00;Jansen\n";
    let mut mapping = proposal(file).mapping;
    assert_eq!(mapping.head.as_deref(), Some(&*head_of(["boekdatum", " BEDRAG", "Naam"])));
    mapping.columns.date = Column::Name("boekdatum".into());
    mapping.columns.amount = Amounts::Signed(Column::Name("Bedrag".into()));
    mapping.invert = true;
    let mappings = [mapping.clone()];
    let options = Options { mappings: &mappings, ..Options::new(TODAY) };
    let upload = read(b"BOEKDATUM;bedrag;naam\n03-03-2026;2,00;A\n", &options).unwrap();
    assert_eq!((upload.mapping, upload.statements[0].lines[0].amount.get()), (Some(0), -200));
    assert!(read(b"Datum;Bedrag;Naam\n03-03-2026;2,00;A\n", &options).is_err());
    // A chosen mapping whose columns are absent is no mapping.
    let chosen = Options { mapping: Some(0), ..options };
    let refusal = read(b"Datum;Bedrag;Naam\n03-03-2026;2,00;A\n", &chosen).unwrap_err();
    assert!(matches!(refusal, Refusal { cause: Cause::UnknownCsv(_), .. }));
}

#[test]
fn proposals_show_five_rows() {
    let file = "a;b\n".repeat(9);
    assert_eq!(proposal(&file).rows.len(), 5);
}

#[test]
fn texts_of_mappings_are_read_back() {
    let files = [
        "Boekdatum;Bedrag;Naam;Omschrijving\n02-03-2026;1,00;Jansen;Brood\n",
        "Date\tDebit\tCredit\tPayee\n2026-03-02\t1.00\t\tJansen\n",
        "Datum|Af/Bij|Bedrag|Rekening|IBAN|Saldo\n02/03/2026|Af|1,00|NL02ABNA0123456789|NL32RABO0195515500|0,00\n",
    ];
    for file in files {
        let mapping = proposal(file).mapping;
        let parsed =
            Mapping { head: mapping.head.clone(), ..Mapping::parse(&mapping.to_text()).unwrap() };
        assert_eq!(parsed, mapping, "{file}");
        let named = Columns { date: Column::Name("Boek\ndatum".into()), ..mapping.columns.clone() };
        let other = Mapping {
            columns: named,
            encoding: Some(Charset::Windows1252),
            invert: true,
            ..mapping.clone()
        };
        let parsed = Mapping::parse(&other.to_text()).unwrap();
        assert_eq!((parsed.columns.date, parsed.invert), (Column::Name("Boek datum".into()), true));
        assert_eq!(parsed.encoding, Some(Charset::Windows1252));
        assert_ne!(mapping.layout(), other.layout());
    }
    let text = proposal(files[0]).mapping.to_text();
    let cases = [
        ("date\t#0", "date\t0"),
        ("date\t#0\n", ""),
        ("amount\t#1", "debit\t#1"),
        ("delimiter\t;", "delimiter\t;;"),
        ("decimal\t,", "decimal\tx"),
        ("dateFormat\tDD-MM-YYYY", "dateFormat\tDD"),
        ("headRows\t1", "headRows\t-1"),
        ("headRows\t1", "headRows"),
    ];
    for (from, to) in cases {
        assert!(text.contains(from), "{from}: {text}");
        assert_eq!(Mapping::parse(&text.replace(from, to)), None, "{to}");
    }
}

#[test]
fn a_known_bank_needs_no_mapping() {
    let file = "\"Datum\",\"Naam / Omschrijving\",\"Rekening\",\"Tegenrekening\",\"Code\",\"Af Bij\",\"Bedrag (EUR)\",\"Mutatiesoort\",\"Mededelingen\"\n\
        \"20260302\",\"Jansen\",\"NL20INGB0001234567\",\"\",\"GT\",\"Bij\",\"1,00\",\"Online bankieren\",\"Naam: Jansen\"\n";
    let head = head_of([
        "Datum",
        "Naam / Omschrijving",
        "Rekening",
        "Tegenrekening",
        "Code",
        "Af Bij",
        "Bedrag (EUR)",
        "Mutatiesoort",
        "Mededelingen",
    ]);
    let mapping = proposal("Boekdatum,Bedrag\n02-03-2026,1.00\n").mapping;
    let mappings = [Mapping { head: Some(head), ..mapping }];
    let options = Options { mappings: &mappings, ..Options::new(TODAY) };
    let upload = read(file.as_bytes(), &options).unwrap();
    assert_eq!((upload.mapping, &*upload.statements[0].layout), (None, "csv/ing"));
}

#[test]
fn a_trial_shows_each_row_with_its_line_or_its_faults() {
    let file =
        "Boekdatum;Bedrag;Munt\n02-03-2026;1,00;EUR\n31-02-2026;x;EUR\n\n03-03-2026;5,00;USD\n";
    let mapping = proposal("Boekdatum;Bedrag;Munt\n02-03-2026;1,00;EUR\n").mapping;
    let rows = trial(file.as_bytes(), &mapping, TODAY, 9).unwrap();
    let lines: Vec<u32> = rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [2, 3, 5]);
    let line = rows[0].outcome.as_ref().unwrap().as_ref().unwrap();
    assert_eq!((line.date.to_string(), line.amount.get()), ("2026-03-02".to_owned(), 100));
    let faults: Vec<(Field, FaultReason)> = rows[1]
        .outcome
        .as_ref()
        .unwrap_err()
        .iter()
        .map(|fault| (fault.field, fault.reason))
        .collect();
    assert_eq!(
        faults,
        [(Field::Date, FaultReason::Invalid), (Field::Amount, FaultReason::Invalid)]
    );
    assert_eq!(rows[2].outcome, Ok(None));
    assert_eq!(trial(file.as_bytes(), &mapping, TODAY, 1).unwrap().len(), 1);
    let named = Columns { date: Column::Name("Datum".into()), ..mapping.columns.clone() };
    assert_eq!(trial(file.as_bytes(), &Mapping { columns: named, ..mapping }, TODAY, 9), None);
}

#[test]
fn samples_have_the_head_of_the_next_file() {
    let file = b"Boekdatum;Bedrag;Naam\n02-03-2026;1,00;Caf\xE9\n";
    let of = sample(file, b';', None);
    assert_eq!((of.rows.len(), &*of.rows[1][2]), (2, "Caf\u{e9}"));
    assert_eq!(of.head.as_deref(), Some(&*head_of(["boekdatum", "bedrag", "naam"])));
    assert_eq!(sample(file, b',', None).rows[0].len(), 1);
    let utf8 = "Boekdatum;Caf\u{e9}\n".as_bytes();
    assert_eq!(&*sample(utf8, b';', Some(Charset::Windows1252)).rows[0][1], "Caf\u{c3}\u{a9}");
    assert_eq!(sample(b"", b';', None).head, None);
}
