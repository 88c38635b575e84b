//! One file per bank and format, written after the bank's description.

use super::{camt, refused, right};
use bank_files::{
    Cause, Charset, Dialect, FaultReason, Field, ForeignFormat, Line, LineKind, WarningKind,
};

/// Lines of all statements.
fn lines(bytes: impl AsRef<[u8]>) -> Vec<Line> {
    right(bytes).statements.into_iter().flat_map(|statement| statement.lines).collect()
}

/// Expected line: date, cents, name, IBAN, text, end-to-end id, reference of the bank, kind.
type Expected<'e> = (
    &'e str,
    i64,
    Option<&'e str>,
    Option<&'e str>,
    &'e str,
    Option<&'e str>,
    Option<&'e str>,
    LineKind,
);

fn found(line: &Line) -> (String, Expected<'_>) {
    (
        line.date.to_string(),
        (
            "",
            line.amount.get(),
            line.name.as_deref(),
            line.iban.as_deref(),
            &line.text,
            line.end_to_end_id.as_deref(),
            line.bank_reference.as_deref(),
            line.kind,
        ),
    )
}

fn assert_lines(bytes: impl AsRef<[u8]>, expected: &[Expected<'_>]) {
    let lines = lines(bytes);
    assert_eq!(lines.len(), expected.len());
    for (line, expected) in lines.iter().zip(expected) {
        let (date, mut line) = found(line);
        line.0 = &date;
        assert_eq!(line, *expected);
    }
}

/// MT940 of one day with balances that fit.
fn mt940(envelope: &str, account: &str, lines: &str, closing: &str) -> String {
    format!(
        "{envelope}:20:1\r\n:25:{account}\r\n:28C:60/1\r\n:60F:C260301EUR1000,00\r\n{lines}\
         :62F:C260302EUR{closing}\r\n:86:/SUM/2/2/1,00/2,00/\r\n-\r\n"
    )
}

#[test]
fn mt940_of_ing() {
    let file = mt940(
        "{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\r\n",
        "NL69INGB0123456789EUR",
        ":61:2603020302D121,00NTRFEREF//26030200001\r\n/TRCD/00100/\r\n\
         :86:/EREF/2026-0028//CNTP/NL32RABO0195515500/RABONL2U/J/O JANSSEN///\r\n\
         REMI/USTD//FACTUUR 2026/0028 EN NOG EEN LANGE TEKST DIE OVER DE RE\r\nGEL LOOPT/\r\n\
         :61:2603020302RC1,00NTRFNONREF\r\n:86:/RTRN/MD06//REMI/STRD/CUR/9001123412341234/\r\n",
        "878,00",
    );
    let upload = right(&file);
    assert_eq!(upload.dialect, Some(Dialect::Ing));
    assert_eq!(upload.statements[0].account.as_ref().unwrap().as_str(), "NL69INGB0123456789");
    assert_lines(
        &file,
        &[
            (
                "2026-03-02",
                -12_100,
                Some("J/O JANSSEN"),
                Some("NL32RABO0195515500"),
                "FACTUUR 2026/0028 EN NOG EEN LANGE TEKST DIE OVER DE REGEL LOOPT",
                Some("2026-0028"),
                Some("26030200001"),
                LineKind::Transfer,
            ),
            ("2026-03-02", -100, None, None, "", None, None, LineKind::Transfer),
        ],
    );
    let lines = lines(&file);
    assert_eq!(lines[1].payment_reference.as_deref(), Some("9001123412341234"));
    let details = lines[1].details.as_ref().unwrap();
    assert_eq!(details.return_reason.as_deref(), Some("MD06"));
}

#[test]
fn mt940_of_rabobank_abn_amro_knab_and_bunq() {
    let cases = [
        (
            mt940(
                ":940:\r\n",
                "NL50RABO0123456789 EUR",
                ":61:260302D000000000127,50N102EREF\r\nNL96RBOS0523149468\r\n\
                 :86:/EREF/E1/BENM//NAME/Nespresso Nede\r\nrland B.V./REMI/674725433 A/B/ISDT/2026-03-02\r\n",
                "000000000872,50",
            ),
            Dialect::Rabobank,
            ("Nespresso Nederland B.V.", "NL96RBOS0523149468", "674725433 A/B"),
        ),
        (
            mt940(
                "ABNANL2A\r\n940\r\nABNANL2A\r\n",
                "NL02ABNA0123456789",
                ":61:2603020302D127,5N654NONREF\r\n:86:/TRTP/SEPA OVERBOEKING/IBAN/NL96RBOS0523149468/BIC/RBOSNL2A/NAME/\r\n\
                 Bakker & Zn/REMI/674725433 A/B/EREF/E1\r\n",
                "872,5",
            ),
            Dialect::AbnAmro,
            ("Bakker & Zn", "NL96RBOS0523149468", "674725433 A/B"),
        ),
        (
            mt940(
                "{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:\r\n",
                "NL27KNAB0123456789",
                ":61:2603020302D127,50N105NONREF//B6D29\r\n:86:/TRTP/SEPA OVERBOEKING/IBAN/NL96RBOS0523149468/BIC/X /NAME/Bakker /EREF/E1 /REMI/674725433\r\n",
                "872,50",
            ),
            Dialect::Knab,
            ("Bakker", "NL96RBOS0523149468", "674725433"),
        ),
        (
            mt940(
                "BUNQNL2A\r\n940\r\nBUNQNL2A\r\n",
                "NL10BUNQ2290325473 EUR",
                ":61:2603020302D127,5NTRFNONREF\r\n:86:/IBAN/NL96RBOS0523149468/NAME/Bakker/REMI/Brood/EREF/E1\r\n",
                "872,5",
            ),
            Dialect::Bunq,
            ("Bakker", "NL96RBOS0523149468", "Brood"),
        ),
    ];
    for (file, dialect, (name, iban, text)) in cases {
        let upload = right(&file);
        assert_eq!(upload.dialect, Some(dialect));
        let line = &upload.statements[0].lines[0];
        assert_eq!(
            (line.name.as_deref(), line.iban.as_deref(), &*line.text),
            (Some(name), Some(iban), text)
        );
        assert_eq!((line.amount.get(), line.end_to_end_id.as_deref()), (-12_750, Some("E1")));
    }
}

#[test]
fn mt940_of_asn_triodos_and_banks_before_sepa() {
    let asn = mt940(
        "{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\r\n",
        "NL53ASNB0781269733",
        ":61:2603020302D20,00NOVBNL29INGB0006475121\r\nj blom\r\n:86:NL29INGB0006475121 j blom\r\nSalaris maart\r\n",
        "980,00",
    );
    assert_lines(
        &asn,
        &[(
            "2026-03-02",
            -2_000,
            Some("j blom"),
            Some("NL29INGB0006475121"),
            "Salaris maart",
            None,
            None,
            LineKind::Transfer,
        )],
    );
    let triodos = mt940(
        "",
        "TRIODOSBANK/0666666666",
        ":61:260302D20,00NET NONREF\r\n:86:000>100000000000\r\n>20INGBNL2A\r\n>21NL29INGB0006475121\r\n>22J BLOM FACTUUR>23 12\r\n>310666666666\r\n",
        "980,00",
    );
    assert_lines(
        &triodos,
        &[(
            "2026-03-02",
            -2_000,
            None,
            Some("NL29INGB0006475121"),
            "J BLOM FACTUUR 12",
            None,
            None,
            LineKind::Transfer,
        )],
    );
    let old = mt940(
        "ABNANL2A\r\n940\r\nABNANL2A\r\n",
        "500950253",
        ":61:2603020302D20,N192NONREF\r\n:86:SEPA iDEAL                       IBAN: NL29INGB0006475121        BIC: INGBNL2A                    Naam: Bol                        Omschrijving: Order 12\r\n",
        "980,",
    );
    assert_lines(
        &old,
        &[(
            "2026-03-02",
            -2_000,
            Some("Bol"),
            Some("NL29INGB0006475121"),
            "Order 12",
            None,
            None,
            LineKind::Ideal,
        )],
    );
}

#[test]
fn pages_of_mt940_are_one_statement() {
    let page = |number: u8, mark: char, opening: &str, line: &str, closing: &str, end: char| {
        format!(
            ":20:1\n:25:NL02ABNA0123456789\n:28C:7/{number}\n:60{mark}:C260301EUR{opening}\n:61:2603020302{line}NTRFX\n:62{end}:C260302EUR{closing}\n-\n"
        )
    };
    let file = page(1, 'F', "10,00", "C1,00", "11,00", 'M')
        + &page(2, 'M', "11,00", "RD2,00", "13,00", 'F');
    let upload = right(&file);
    assert_eq!(upload.statements.len(), 1);
    let statement = &upload.statements[0];
    assert_eq!(
        statement.lines.iter().map(|line| line.amount.get()).collect::<Vec<_>>(),
        [100, 200]
    );
    assert_eq!(
        (statement.opening.unwrap().amount.get(), statement.closing.unwrap().amount.get()),
        (1_000, 1_300)
    );
    // A page is missing: two statements.
    let gap = page(1, 'F', "10,00", "C1,00", "11,00", 'M')
        + &page(3, 'M', "12,00", "C2,00", "14,00", 'F');
    assert_eq!(right(&gap).statements.len(), 2);
}

#[test]
fn camt_in_all_versions() {
    for version in ["02", "04", "08", "13"] {
        let upload = right(camt::with_pending(version));
        assert!(upload.warnings.first.is_empty());
        let statement = &upload.statements[0];
        assert_eq!((statement.pending, statement.number.as_deref()), (1, Some("12")));
        let line = &statement.lines[0];
        assert_eq!(
            (line.amount.get(), line.source_line, line.kind),
            (3_000, 3, LineKind::DirectDebit)
        );
        assert_eq!(
            (line.date.to_string(), line.value_date.unwrap().to_string()),
            ("2026-03-02".into(), "2026-03-01".into())
        );
        assert_eq!(
            (line.name.as_deref(), &*line.text),
            (Some("Jansen & Zoon"), "Factuur 2026 <1>")
        );
        assert_eq!(
            (line.end_to_end_id.as_deref(), line.bank_reference.as_deref()),
            (Some("E1"), Some("R1"))
        );
        let details = line.details.as_ref().unwrap();
        assert_eq!(
            (details.mandate_id.as_deref(), details.return_reason.as_deref()),
            (Some("M1"), Some("MD06"))
        );
    }
    let upload = right(camt::with_pending("14"));
    assert_eq!(upload.warnings.first[0].kind, WarningKind::UnknownVersion { version: 14 });
}

#[test]
fn a_batch_is_one_line_with_parts() {
    let refusal = refused(camt::with_batch("CRDT", "20.00"));
    let Cause::BalanceMismatch(mismatch) = refusal.cause else { panic!("{refusal:?}") };
    assert_eq!(mismatch.difference.get(), 6_000);
    let line = &lines(camt::with_batch("DBIT", "40.00"))[0];
    assert_eq!((line.amount.get(), &*line.text, line.name.as_deref()), (-3_000, "Batch", None));
    let parts = &line.details.as_ref().unwrap().parts;
    let found: Vec<_> = parts
        .iter()
        .map(|part| (part.amount.unwrap().get(), part.name.as_deref().unwrap()))
        .collect();
    assert_eq!(found, [(-1_000, "A"), (-2_000, "B")]);
}

#[test]
fn other_documents_are_named() {
    for (root, format) in [
        ("BkToCstmrAcctRpt", ForeignFormat::Camt052),
        ("BkToCstmrDbtCdtNtfctn", ForeignFormat::Camt054),
        ("CstmrCdtTrfInitn", ForeignFormat::Pain001),
        ("CstmrPmtStsRpt", ForeignFormat::Pain002),
    ] {
        let file = format!("<Document><{root}/></Document>");
        assert_eq!(refused(file).cause, Cause::NoStatement(Some(format)));
    }
    assert_eq!(refused("%PDF-1.7").cause, Cause::NoStatement(Some(ForeignFormat::Pdf)));
    assert_eq!(refused("<Document><BkToCstmrStmt/></Document>").cause, Cause::NoStatement(None));
}

#[test]
fn csv_of_rabobank_in_windows_1252() {
    let head = "\"IBAN/BBAN\",\"Munt\",\"BIC\",\"Volgnr\",\"Datum\",\"Rentedatum\",\"Bedrag\",\"Saldo na trn\",\"Tegenrekening IBAN/BBAN\",\"Naam tegenpartij\",\"Naam uiteindelijke partij\",\"Naam initi\u{eb}rende partij\",\"BIC tegenpartij\",\"Code\",\"Batch ID\",\"Transactiereferentie\",\"Machtigingskenmerk\",\"Incassant ID\",\"Betalingskenmerk\",\"Omschrijving-1\",\"Omschrijving-2\",\"Omschrijving-3\",\"Reden retour\",\"Oorspr bedrag\",\"Oorspr munt\",\"Koers\"";
    let row = "\"NL50RABO0123456789\",\"EUR\",\"RABONL2U\",\"000000000000000012\",\"2026-03-02\",\"2026-03-01\",\"-1234,56\",\"+100,00\",\"NL32INGB0195515500\",\"Caf\u{e9} Zon\",\"\",\"\",\"INGBNL2A\",\"cb\",\"\",\"E1\",\"\",\"\",\"\",\"Factuur \",\"12\",\" \",\"\",\"1300,00\",\"USD\",\"1,0530\"";
    let text = format!("{head}\r\n{row}\r\n");
    let bytes = encoding_rs::WINDOWS_1252.encode(&text).0;
    let upload = right(&bytes);
    assert_eq!((upload.charset, upload.dialect), (Charset::Windows1252, Some(Dialect::Rabobank)));
    assert_lines(
        &bytes,
        &[(
            "2026-03-02",
            -123_456,
            Some("Caf\u{e9} Zon"),
            Some("NL32INGB0195515500"),
            "Factuur 12",
            Some("E1"),
            Some("000000000000000012"),
            LineKind::Transfer,
        )],
    );
    let statement = &upload.statements[0];
    assert_eq!(
        (statement.opening.unwrap().amount.get(), statement.closing.unwrap().amount.get()),
        (133_456, 10_000)
    );
    let original = statement.lines[0].details.as_ref().unwrap().original.as_ref().unwrap();
    assert_eq!(
        (
            original.amount.to_string(),
            original.currency.as_str(),
            original.rate.unwrap().to_string()
        ),
        ("1300".into(), "USD", "1.053".into())
    );
}

#[test]
fn csv_of_abn_amro() {
    let row = |day: u8, before: &str, after: &str, amount: &str, text: &str| {
        format!(
            "123456789\tEUR\t2026030{day}\t{before}\t{after}\t2026030{day}\t{amount}\t{text}\r\n"
        )
    };
    let file = row(
        1,
        "100,00",
        "79,00",
        "-21,00",
        "BEA, Betaalpas                  Caf\u{e9} \"Zon\",PAS123              NR:AB12, 01.03.26/12:34",
    ) + &row(
        2,
        "79,00",
        "80,50",
        "1,50",
        "/TRTP/SEPA OVERBOEKING/IBAN/NL32INGB0195515500/BIC/INGBNL2A/NAME/Jansen/REMI/Factuur/EREF/NOTPROVIDED",
    );
    assert_lines(
        &file,
        &[
            (
                "2026-03-01",
                -2_100,
                Some("Caf\u{e9} \"Zon\""),
                None,
                "BEA, Betaalpas Caf\u{e9} \"Zon\",PAS123 NR:AB12, 01.03.26/12:34",
                None,
                None,
                LineKind::Card,
            ),
            (
                "2026-03-02",
                150,
                Some("Jansen"),
                Some("NL32INGB0195515500"),
                "Factuur",
                None,
                None,
                LineKind::Transfer,
            ),
        ],
    );
    assert_eq!(right(&file).statements[0].days.len(), 2);
    let broken = file.replacen("79,00", "79,01", 1);
    let Cause::BalanceMismatch(mismatch) = refused(broken).cause else { panic!() };
    assert_eq!(
        (mismatch.date.unwrap().to_string(), mismatch.difference.get()),
        ("2026-03-02".into(), -1)
    );
}

#[test]
fn csv_of_revolut_counts_in_amsterdam_and_with_fees() {
    let head = "Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account,Beneficiary IBAN\n";
    let rows = "x,2026-03-02 23:30:00,id-2,CARD_PAYMENT,COMPLETED,Hotel,,,,USD,-11.00,EUR,-10.00,-10.20,1.1,0.20,EUR,89.80,EUR Main,\n\
                x,,id-3,TRANSFER,PENDING,Wacht,,,,EUR,-1.00,EUR,-1.00,-1.00,,0,EUR,,EUR Main,\n\
                x,2026-03-01 10:00:00,id-1,TOPUP,COMPLETED,Jansen,Storting,,,EUR,100.00,EUR,100.00,100.00,,0,EUR,100.00,EUR Main,\n";
    let file = format!("{head}{rows}");
    assert_lines(
        &file,
        &[
            (
                "2026-03-01",
                10_000,
                Some("Jansen"),
                None,
                "Storting",
                None,
                Some("id-1"),
                LineKind::Transfer,
            ),
            ("2026-03-03", -1_020, Some("Hotel"), None, "", None, Some("id-2"), LineKind::Card),
        ],
    );
    assert_eq!(right(&file).statements[0].pending, 1);
}

#[test]
fn csv_of_knab_ing_and_triodos_know_their_signs() {
    let knab = "KNAB EXPORT;;;\nRekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;Type betaling;Machtigingsnummer;Incassant ID;Adres;Referentie;Boekdatum;\n\
        \"NL27KNAB0123456789\";\"01-03-2026\";\"EUR\";\"D\";\"13,75\";\"NL32INGB0195515500\";\"Jansen\";\"01-03-2026\";\"Overboeking\";\"Factuur\";\"\";\"\";\"\";\"\";\"B9E17\";\"02-03-2026\";\n";
    assert_lines(
        knab,
        &[(
            "2026-03-02",
            -1_375,
            Some("Jansen"),
            Some("NL32INGB0195515500"),
            "Factuur",
            None,
            Some("B9E17"),
            LineKind::Transfer,
        )],
    );
    let ing = "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen;Saldo na mutatie;Tag\r20260302;Jansen;NL69INGB0123456789;NL32RABO0195515500;GT;Bij;1.234,56;Online bankieren;Naam: Jansen Omschrijving: Factuur 12 IBAN: NL32RABO0195515500 Kenmerk: E1 Valutadatum: 02-03-2026;2.000,00;\r";
    assert_lines(
        ing,
        &[(
            "2026-03-02",
            123_456,
            Some("Jansen"),
            Some("NL32RABO0195515500"),
            "Factuur 12",
            Some("E1"),
            None,
            LineKind::Transfer,
        )],
    );
    let triodos = "\"02-03-2026\",\"NL74TRIO0123456789\",\"200,00\",\"Debet\",\"Jansen\",\"RABONL2U NL32RABO0195515500\",\"IC\",\"Factuur\",\"1.000,00\"\n";
    assert_lines(
        triodos,
        &[(
            "2026-03-02",
            -20_000,
            Some("Jansen"),
            Some("NL32RABO0195515500"),
            "Factuur",
            None,
            None,
            LineKind::DirectDebit,
        )],
    );
    let unknown = triodos.to_owned()
        + "\"03-03-2026\",\"NL74TRIO0123456789\",\"1,00\",\"Iets\",\"\",\"\",\"\",\"\",\"1.001,00\"\n";
    let Cause::Faults(faults) = refused(unknown).cause else { panic!() };
    assert_eq!(
        (faults.first[0].line, faults.first[0].field, faults.first[0].reason),
        (2, Field::Sign, FaultReason::UnknownValue)
    );
}

#[test]
fn every_fault_has_its_line_and_only_a_hundred_are_listed() {
    let mut file =
        String::from("Datum,Rentedatum,Bedrag,Rekening,Tegenrekening,Naam,Omschrijving\n");
    for _ in 0..150 {
        file.push_str("2026-13-01,,\"1,005\",NL10BUNQ2290325473,,,\n");
    }
    file.push_str(
        "2026-12-06,,\"1,00\",NL10BUNQ2290325473,,,\n1999-12-31,,,NL10BUNQ2290325473,,,\n",
    );
    let Cause::Faults(faults) = refused(&file).cause else { panic!() };
    assert_eq!((faults.count, faults.first.len()), (303, 100));
    let first: Vec<_> = faults.first[..2]
        .iter()
        .map(|fault| (fault.line, fault.field, fault.reason, &*fault.value))
        .collect();
    assert_eq!(
        first,
        [
            (2, Field::Date, FaultReason::Invalid, "2026-13-01"),
            (2, Field::Amount, FaultReason::TooManyDecimals, "1,005")
        ]
    );
    let ahead = "Datum,Rentedatum,Bedrag,Rekening,Tegenrekening,Naam,Omschrijving\n2026-12-05,,\"1,00\",NL10BUNQ2290325473,,,\n";
    right(ahead);
    let Cause::Faults(faults) = refused(ahead.replace("12-05", "12-06")).cause else { panic!() };
    assert_eq!(faults.first[0].reason, FaultReason::OutOfRange);
}
