//! Hostile files: refused without much time or memory, with nothing accepted.

use super::{TODAY, camt, refused, right};
use bank_files::{
    Cause, Field, Format, Options, Unsupported, WarningKind, file_in_archive, limits, read,
};
use std::io::{Cursor, Write};
use zip::{ZipWriter, write::SimpleFileOptions};

fn unsupported(bytes: impl AsRef<[u8]>) -> Unsupported {
    match refused(bytes).cause {
        Cause::UnsupportedFile(unsupported) => unsupported,
        cause => panic!("{cause:?}"),
    }
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const STATEMENT: &[u8] =
    b":20:1\n:25:NL02ABNA0123456789\n:28C:1\n:60F:C260301EUR1,00\n:61:260302C1,NTRFX\n:62F:C260302EUR2,00\n-\n";

#[test]
fn entities_and_document_types_are_refused() {
    let doctype = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><Document><BkToCstmrStmt/></Document>";
    assert_eq!(unsupported(doctype), Unsupported::Doctype);
    let entity = "<Document><BkToCstmrStmt><Stmt><Id>&b;</Id></Stmt></BkToCstmrStmt></Document>";
    assert_eq!(unsupported(entity), Unsupported::Entity);
    let deep = "<a>".repeat(limits::MOST_DEPTH + 1);
    assert_eq!(unsupported(deep), Unsupported::TooDeep);
}

#[test]
fn cut_files_are_refused() {
    let camt = "<Document>\n<BkToCstmrStmt>\n<Stmt>\n<Ntry>";
    assert_eq!(unsupported(camt), Unsupported::MalformedXml { line: 4 });
    assert_eq!(unsupported("<Document></Other>"), Unsupported::MalformedXml { line: 1 });
    let mt940 = &STATEMENT[..STATEMENT.len() - 25];
    assert!(matches!(refused(mt940).cause, Cause::Faults(_)));
    for (bytes, expected) in [
        (&b""[..], Unsupported::Empty),
        (b" \r\n ", Unsupported::Empty),
        (b"\xEF\xBB\xBF", Unsupported::Empty),
        (b"a\0b", Unsupported::Binary),
        (b"geen afschrift", Unsupported::Unknown),
        (b"<html></html>", Unsupported::Unknown),
        (b"PK\x03\x04geen zip", Unsupported::MalformedArchive),
    ] {
        assert_eq!(unsupported(bytes), expected, "{bytes:?}");
    }
}

/// Lines of the faults with which a file is refused.
fn fault_lines(bytes: impl AsRef<[u8]>) -> Vec<(u32, Field)> {
    let Cause::Faults(faults) = refused(bytes).cause else { panic!() };
    faults.first.iter().map(|fault| (fault.line, fault.field)).collect()
}

#[test]
fn a_csv_file_that_was_cut_within_a_row_is_refused() {
    let head = "\"Datum\";\"Naam / Omschrijving\";\"Rekening\";\"Tegenrekening\";\"Code\";\"Af Bij\";\"Bedrag (EUR)\";\"Mutatiesoort\";\"Mededelingen\"\r\n";
    let row = "\"20260302\";\"Jansen\";\"NL10INGB0001234567\";\"\";\"OV\";\"Bij\";\"12,34\";\"Overschrijving\";\"Factuur 12\"\r\n";
    assert_eq!(right(format!("{head}{row}{row}")).statements[0].lines.len(), 2);
    // Cut before its last field, a row is as whole as one whose last field is empty.
    let last = row.rfind(';').unwrap() + 1;
    for cut in (1..row.trim_end().len()).filter(|cut| *cut != last) {
        let file = format!("{head}{row}{}", &row[..cut]);
        assert_eq!(fault_lines(&file)[0].0, 3, "{cut}: {file}");
        // The same when more rows follow.
        let Cause::Faults(faults) = refused(format!("{file}\r\n{row}{row}")).cause else {
            panic!("{cut}")
        };
        assert_eq!(faults.first[0].line, 3, "{cut}");
    }
    // Columns that are not named are empty.
    let more = row.replace("\r\n", ";\"\"\r\n");
    assert_eq!(right(format!("{head}{more}")).statements[0].lines.len(), 1);
    let more = row.replace("\r\n", ";\"1\"\r\n");
    assert_eq!(fault_lines(format!("{head}{more}")), [(2, Field::Columns)]);
    // Without a head, all rows have as many columns as the first one.
    let whole = "\"02-03-2026\",\"NL02TRIO0123456789\",\"12,34\",\"Credit\",\"Jansen\",\"NL91ABNA0417164300\",\"OV\",\"Factuur\",\"1.000,00\"\n";
    let short = whole.replace(",\"1.000,00\"", "");
    assert_eq!(right(whole).statements[0].lines.len(), 1);
    assert_eq!(fault_lines(format!("{whole}{short}")), [(2, Field::Columns)]);
}

#[test]
fn an_entry_with_two_amounts_is_refused() {
    let entry = |more: &str| {
        format!(
            "<Document><BkToCstmrStmt><Stmt>\n<Ntry><Amt Ccy=\"EUR\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>{more}</Ntry></Stmt></BkToCstmrStmt></Document>"
        )
    };
    assert_eq!(right(entry("<ValDt><Dt>2026-03-02</Dt></ValDt>")).statements[0].lines.len(), 1);
    for (more, field) in [
        ("<Amt Ccy=\"EUR\">100.00</Amt>", Field::Amount),
        ("<CdtDbtInd>DBIT</CdtDbtInd>", Field::Sign),
        ("<BookgDt><Dt>2026-03-03</Dt></BookgDt>", Field::Date),
    ] {
        assert_eq!(fault_lines(entry(more)), [(2, field)], "{more}");
    }
}

#[test]
fn several_files_in_one_are_refused() {
    let camt = camt::with_pending("08");
    let mt940 = String::from_utf8(STATEMENT.to_vec()).unwrap();
    let csv = "Datum;Naam;Bedrag\r\n02-03-2026;Jansen;1,00\r\n";
    let comma = "02-03-2026,NL02ABNA0123456789,,Jansen,,,,EUR,1.00\n";
    let body = camt.split_once('\n').unwrap().1;
    for mixed in [
        format!("{camt}{camt}"),
        format!("{camt}{mt940}"),
        format!("{camt}{body}"),
        format!("{camt}Jansen"),
        format!("{mt940}{camt}"),
        format!("{mt940}<BkToCstmrStmt/>"),
        format!("{mt940}{csv}"),
        format!("{mt940}{comma}"),
        format!("{mt940}{csv}{mt940}"),
        // Without an end of the message, the other file continues its last field.
        format!("{}{camt}", mt940.trim_end().trim_end_matches('-')),
    ] {
        let unsupported = unsupported(&mixed);
        let is_right =
            matches!(unsupported, Unsupported::MalformedXml { .. } | Unsupported::Unknown);
        assert!(is_right, "{unsupported:?}: {mixed}");
    }
    // Comments and blanks are no second document, and messages follow each other.
    assert_eq!(right(format!("{camt}\r\n<!-- end -->\n")).statements.len(), 1);
    assert_eq!(right(format!("{mt940}ABNANL2A\n940\nABNANL2A\n{mt940}")).statements.len(), 2);
}

#[test]
fn a_million_empty_statements_are_refused() {
    let camt = format!(
        "<Document><BkToCstmrStmt>{}</BkToCstmrStmt></Document>",
        "<Stmt/>".repeat(1_000_000)
    );
    assert_eq!(unsupported(camt), Unsupported::TooManyStatements);
    let message = ":20:\n:60F:C260101EUR,\n";
    let mt940 = message.repeat(limits::MOST_BYTES / message.len());
    assert_eq!(unsupported(mt940), Unsupported::TooManyStatements);
    let entries = format!(
        "<Document><BkToCstmrStmt><Stmt>{}</Stmt></BkToCstmrStmt></Document>",
        "<Ntry><Sts>BOOK</Sts></Ntry>".repeat(limits::MOST_LINES + 1)
    );
    assert_eq!(unsupported(entries), Unsupported::TooManyLines);
    // Entries without a status, messages without a statement and rows with a fault count too.
    let entries = format!(
        "<Document><BkToCstmrStmt><Stmt>{}</Stmt></BkToCstmrStmt></Document>",
        "<Ntry></Ntry>".repeat(1_000_000)
    );
    assert_eq!(unsupported(entries), Unsupported::TooManyLines);
    assert_eq!(unsupported(":20:\n".repeat(1_000_000)), Unsupported::TooManyStatements);
    let head = "Datum,Rentedatum,Bedrag,Rekening,Tegenrekening,Naam,Omschrijving\n";
    let rows = "x\n".repeat(1_000_000);
    assert_eq!(unsupported(format!("{head}{rows}")), Unsupported::TooManyLines);
    let parts = format!(
        "<Document><BkToCstmrStmt><Stmt><Ntry><NtryDtls>{}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>",
        "<TxDtls/>".repeat(limits::MOST_LINES + 1)
    );
    assert_eq!(unsupported(parts), Unsupported::TooManyLines);
}

#[test]
fn a_line_of_megabytes_is_refused_or_cut() {
    let long = "x".repeat(limits::MOST_BYTES - 1_000);
    assert_eq!(unsupported(&long), Unsupported::RecordTooLong);
    assert_eq!(unsupported(format!("a;\"{long}")), Unsupported::RecordTooLong);
    assert_eq!(unsupported(format!(":20:{long}")), Unsupported::RecordTooLong);
    assert_eq!(unsupported(format!("a;b;c\n{long}")), Unsupported::RecordTooLong);
    assert_eq!(unsupported("x".repeat(limits::MOST_BYTES + 1)), Unsupported::TooLarge);
    let camt = format!(
        "<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy=\"EUR\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><AddtlNtryInf>{long}</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>"
    );
    let upload = right(camt);
    assert_eq!(upload.statements[0].lines[0].text.len(), 1_000);
    assert!(matches!(upload.warnings.first[0].kind, WarningKind::TextCut { .. }));
}

#[test]
fn a_file_in_an_archive_is_found_by_its_name() {
    let bytes = archive(&[("a.csv", b"1"), ("b.csv", b"2"), ("b.csv ", b"3")]);
    assert_eq!(file_in_archive(&bytes, "b.csv").as_deref(), Some(&b"2"[..]));
    assert_eq!(file_in_archive(&bytes, "c.csv"), None);
    assert_eq!(file_in_archive(b"PK\x03\x04geen zip", "b.csv"), None);
}

#[test]
fn archives_are_read_within_their_limits() {
    let upload = right(archive(&[
        ("__MACOSX/._a.sta", b"x"),
        ("../../etc/\u{202E}a.sta", STATEMENT),
        ("b/", b""),
        ("b.sta", STATEMENT),
    ]));
    assert_eq!((upload.format, upload.statements.len()), (Format::Zip, 2));
    assert_eq!(upload.statements[0].file.as_deref(), Some("../../etc/a.sta"));
    assert_eq!(upload.statements[1].format, Format::Mt940);

    let one = archive(&[("a", STATEMENT)]);
    let many: Vec<(String, &[u8])> =
        (0..=limits::MOST_FILES).map(|number| (number.to_string(), STATEMENT)).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (&**name, *bytes)).collect();
    let zeros = vec![b' '; limits::MOST_BYTES + 1];
    let office = archive(&[("[Content_Types].xml", b"<Types/>")]);
    for (bytes, expected) in [
        (archive(&[("a.zip", &one)]), Unsupported::NestedArchive),
        (archive(&many), Unsupported::TooManyFiles),
        (archive(&[("a", &zeros)]), Unsupported::TooLarge),
        (office, Unsupported::Office),
    ] {
        assert_eq!(unsupported(bytes), expected);
    }
    // A bomb of files that each are within their limit.
    let mebibytes = [b":20:1\n".to_vec(), vec![b'\n'; 18 << 20]].concat();
    let bomb: Vec<(&str, &[u8])> =
        ["a", "b", "c", "d", "e", "f"].map(|name| (name, &*mebibytes)).into();
    assert_eq!(unsupported(archive(&bomb)), Unsupported::UnpackedTooLarge);
}

#[test]
fn encrypted_and_damaged_archives_are_refused() {
    let mut bytes = archive(&[("a", STATEMENT)]);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let mut damaged = bytes.clone();
    damaged[40] ^= 0xFF;
    assert_eq!(unsupported(damaged), Unsupported::MalformedArchive);
    // General purpose bit 0: the file is encrypted.
    bytes[6] |= 1;
    bytes[directory + 8] |= 1;
    assert_eq!(unsupported(bytes), Unsupported::Encrypted);
}

#[test]
fn the_file_of_a_refusal_is_named() {
    let refusal = refused(archive(&[("a.sta", STATEMENT), ("b.txt", b"geen afschrift")]));
    assert_eq!(refusal.file.as_deref(), Some("b.txt"));
    let broken = String::from_utf8(STATEMENT.to_vec()).unwrap().replace("C1,", "C1,001");
    let Cause::Faults(faults) =
        refused(archive(&[("a.sta", broken.as_bytes()), ("b.sta", STATEMENT)])).cause
    else {
        panic!()
    };
    assert_eq!(
        (faults.count, faults.first[0].file.as_deref(), faults.first[0].line),
        (1, Some("a.sta"), 5)
    );
}

#[test]
fn texts_are_shown_as_text() {
    let file = "Datum,Rentedatum,Bedrag,Rekening,Tegenrekening,Naam,Omschrijving\n2026-03-02,,\"1,00\",NL10BUNQ2290325473,,\"=HYPERLINK(\"\"x\"\")\u{202E}\",\"<b>\u{7}a\u{2066}</b>\"\n";
    let upload = right(file);
    let line = &upload.statements[0].lines[0];
    assert_eq!((line.name.as_deref(), &*line.text), (Some("=HYPERLINK(\"x\")"), "<b>a</b>"));
}

#[test]
fn utf_16_is_read() {
    let text = String::from_utf8(STATEMENT.to_vec()).unwrap();
    let bytes: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&bytes, &Options::new(TODAY)).unwrap().statements[0].lines.len(), 1);
}
