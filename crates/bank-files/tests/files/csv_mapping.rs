//! Files of unknown banks: proposals and mappings.

use super::{TODAY, refused};
use bank_files::{Amounts, Cause, Column, Options, Proposal, Refusal, head_of, read};

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
