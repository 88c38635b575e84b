//! The invoice on paper says what the invoice says, in a file that keeps to its standards.

use crate::samples::{credited, extreme, invoice, line, logo, long, pictures, plain, priced};
use documents::{
    epc,
    invoice::{Invoice, VatTreatment, Version},
    pdf::{self, Appearance},
    ubl,
};
use ledger::{language::Language, money::Cents};
use lopdf::{Dictionary, Document, Object};

fn written(invoice: &Invoice) -> Document {
    let bytes = pdf::write(invoice, &Appearance::default(), ubl::write(invoice).ok().as_deref()).expect("a document");
    Document::load_mem(&bytes).expect("a PDF")
}

/// The text of each page, its blanks made one.
fn pages(document: &Document) -> Vec<String> {
    let page = |number: &u32| {
        let text = document.extract_text(&[*number]).expect("text");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    document.get_pages().keys().map(page).collect()
}

/// The text without blanks: where a line ends does not matter.
fn squeezed(document: &Document) -> String {
    pages(document).concat().replace([' ', '\u{a0}'], "")
}

fn dictionary<'d>(document: &'d Document, object: &'d Object) -> &'d Dictionary {
    match object {
        Object::Reference(id) => dictionary(document, document.get_object(*id).expect("an object")),
        Object::Stream(stream) => &stream.dict,
        other => other.as_dict().expect("a dictionary"),
    }
}

fn stream(document: &Document, object: &Object) -> Vec<u8> {
    let (_, object) = document.dereference(object).expect("an object");
    let stream = object.as_stream().expect("a stream");
    stream.decompressed_content().unwrap_or_else(|_| stream.content.clone())
}

#[test]
fn everything_that_the_law_asks_stands_on_the_page() {
    let document = written(&plain());
    let text = squeezed(&document);
    let wanted = [
        "Factuur2026-0042",
        "21november2026",
        "5december2026",
        "oktober2026",
        "PO-88213",
        "StudioNoorderlicht",
        "LangeHaven12",
        "3111CDSchiedam",
        "KvK68750110",
        "Btw-idNL002455799B11",
        "BakkerijDeGoudenKorrelB.V.",
        "1055MDAmsterdam",
        "Ontwerphuisstijl",
        "12,5",
        "€1,64",
        "−€75,00",
        "9%",
        "€2.532,72",
        "€531,87",
        "€410,00",
        "€36,90",
        "€2.942,72",
        "€3.511,49",
        "NL91ABNA0417164300",
        "uiterlijk5december2026",
        "Pagina1van1",
    ];
    for wanted in wanted {
        assert!(text.contains(wanted), "{wanted} is not in {text}");
    }
    assert!(!text.contains("CONCEPT") && !text.contains("TEST"));
}

#[test]
fn the_file_is_tagged_archival_and_carries_its_fonts() {
    let document = written(&plain());
    let catalog = document.catalog().expect("a catalog");
    let marked = dictionary(&document, catalog.get(b"MarkInfo").expect("MarkInfo")).get(b"Marked").and_then(Object::as_bool);
    assert_eq!(marked.ok(), Some(true));
    assert_eq!(catalog.get(b"Lang").and_then(Object::as_str).ok(), Some(b"nl".as_slice()));
    for name in ["StructTreeRoot", "OutputIntents", "Outlines", "AF"] {
        assert!(catalog.has(name.as_bytes()), "{name}");
    }
    let metadata = String::from_utf8(stream(&document, catalog.get(b"Metadata").expect("Metadata"))).expect("UTF-8");
    for wanted in ["<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>A</pdfaid:conformance>", "<pdfuaid:part>1</pdfuaid:part>"]
    {
        assert!(metadata.contains(wanted), "{wanted} is not in {metadata}");
    }
    let fonts: Vec<&Dictionary> = document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok())
        .filter(|dict| dict.has_type(b"FontDescriptor"))
        .collect();
    assert!(!fonts.is_empty());
    assert!(fonts.iter().all(|font| font.has(b"FontFile2") || font.has(b"FontFile3")));
}

#[test]
fn the_e_invoice_is_attached_as_an_alternative_byte_for_byte() {
    let invoice = plain();
    let document = written(&invoice);
    let files = document.catalog().expect("a catalog").get(b"AF").and_then(Object::as_array).expect("associated files");
    let file = dictionary(&document, &files[0]);
    assert_eq!(file.get(b"AFRelationship").and_then(Object::as_name).ok(), Some(b"Alternative".as_slice()));
    let embedded = dictionary(&document, file.get(b"EF").expect("EF")).get(b"F").expect("F");
    assert_eq!(stream(&document, embedded), ubl::write(&invoice).expect("an e-invoice"));
}

#[test]
fn a_draft_says_so_on_every_page_and_has_no_attachment() {
    for (language, word) in [(Language::Dutch, "CONCEPT"), (Language::English, "DRAFT")] {
        let draft = Invoice { version: Version::Draft, language, ..long(60) };
        let bytes = pdf::write(&draft, &Appearance::default(), Some(b"<Invoice/>")).expect("a document");
        let document = Document::load_mem(&bytes).expect("a PDF");
        assert!(!document.catalog().expect("a catalog").has(b"AF"));
        let pages = pages(&document);
        assert!(pages.len() > 2 && pages.iter().all(|page| page.contains(word)), "{pages:?}");
    }
    let test = Invoice { test: true, ..long(60) };
    assert!(pages(&written(&test)).iter().all(|page| page.contains("TEST")));
    let translation = Invoice { version: Version::Translation, language: Language::English, ..plain() };
    assert!(squeezed(&written(&translation)).contains("Translation–theoriginalisinDutch"));
}

#[test]
fn five_hundred_lines_go_over_pages_with_head_and_carried_sum() {
    let invoice = long(500);
    let document = written(&invoice);
    let pages = pages(&document);
    let count = pages.len();
    assert!(count > 10, "{count} pages");
    for (place, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("Pagina {} van {count}", place + 1)), "{page}");
        // The head is on every page that has lines; the last line never stands apart from the totals.
        assert!(page.contains("Omschrijving"), "{page}");
        assert_eq!(page.contains("Transport van de vorige pagina"), place > 0, "{page}");
        assert_eq!(page.contains("Transport naar de volgende pagina"), place + 1 < count, "{page}");
    }
    let text = squeezed(&document);
    for place in 1..=500 {
        assert!(text.contains(&format!("{place}1,5€12,34")) || text.contains(&format!("{place}")), "line {place}");
    }
    // 500 × 1.5 × 12.34, each rounded to cents.
    assert_eq!(invoice.subtotal, Cents::new(925_500));
    assert!(pages[count - 1].contains("9.255,00"));
}

#[test]
fn whatever_is_written_the_document_holds() {
    let extreme = extreme();
    let document = written(&extreme);
    let text = squeezed(&document);
    assert!(text.contains(&"W".repeat(40)) && text.contains("399400"), "words are cut and lines go on");
    for (name, invoice, look) in pictures() {
        assert!(pdf::write(&invoice, &look, None).is_ok(), "{name}");
    }
    for (name, invoice) in crate::samples::corpus(3, 102) {
        let bytes = pdf::write(&invoice, &Appearance::default(), None);
        assert!(bytes.is_ok(), "{name}: {bytes:?}");
    }
}

#[test]
fn what_the_font_lacks_is_kept_for_those_who_listen_and_copy() {
    let invoice = invoice(&[line("مرحبا 王小明 🎉", "1", "1", 2100, VatTreatment::Standard)]);
    let document = written(&invoice);
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let page = document.get_pages()[&1];
    let content = document.get_page_content(page);
    let operations = lopdf::content::Content::decode(&content).expect("operations").operations;
    let meant = operations.iter().flat_map(|operation| &operation.operands).filter_map(|operand| operand.as_dict().ok());
    let meant: Vec<Vec<u8>> =
        meant.filter_map(|dict| dict.get(b"ActualText").and_then(Object::as_str).ok()).map(<[u8]>::to_vec).collect();
    let wanted = utf16("王小明");
    assert!(meant.iter().any(|text| text.windows(wanted.len()).any(|part| part == wanted)), "{meant:?}");
}

#[test]
fn the_same_invoice_gives_the_same_bytes() {
    let look = Appearance { logo: Some(logo()), ..Appearance::default() };
    assert_eq!(pdf::write(&plain(), &look, Some(b"<Invoice/>")), pdf::write(&plain(), &look, Some(b"<Invoice/>")));
}

#[test]
fn sentences_of_the_law_and_of_credit_notes_are_printed() {
    let reversed = invoice(&[line("Schilderwerk", "1", "100", 0, VatTreatment::ReverseCharge)]);
    assert!(squeezed(&written(&reversed)).contains("Btwverlegd"));
    let credit = written(&credited(plain(), Some("Te veel uren")));
    let text = squeezed(&credit);
    assert!(text.contains("Creditnotabijfactuur2026-0042van21november2026:Teveeluren"), "{text}");
    assert!(!text.contains("IBAN") && !text.contains("Vervaldatum"), "{text}");
    // Whoever uses the small businesses scheme does not speak of VAT in any way (art. 25a(4) Wet OB 1968).
    let small = squeezed(&written(&invoice(&[line("Pianoles", "4", "35", 0, VatTreatment::SmallBusiness)])));
    assert!(small.contains("kleineondernemersregeling(artikel25a)") && small.contains("€140,00"), "{small}");
    for word in ["btw", "Btw", "BTW", "0%", "excl", "incl"] {
        assert!(!small.contains(word), "{word} in {small}");
    }
}

#[test]
fn prices_including_vat_stand_beside_the_price_without_it_that_a_business_is_owed() {
    let lines = [line("Cursus", "3", "10", 2100, VatTreatment::Standard), line("Gids", "1", "5", 0, VatTreatment::Zero)];
    let business = priced(&lines, true, |invoice| invoice);
    let consumer = priced(&lines, true, |mut invoice| {
        (invoice.buyer.vat_number, invoice.buyer.kvk_number) = (None, None);
        invoice
    });
    let text = squeezed(&written(&business));
    assert_eq!(text.matches("Prijsexcl.btw").count(), 1, "{text}");
    assert!(text.contains("Prijsexcl.btw€8,26"), "{text}");
    assert!(!squeezed(&written(&consumer)).contains("Prijsexcl."));
    assert!(!squeezed(&written(&invoice(&lines))).contains("Prijsexcl."));
}

#[test]
fn the_code_is_read_back_as_it_was_written() {
    let payload = epc::payload(&plain()).expect("something to pay");
    assert_eq!(payload, "BCD\n002\n1\nSCT\n\nStudio Noorderlicht\nNL91ABNA0417164300\nEUR3511.49\n\n\n2026-0042");
    let mut longest = plain();
    longest.seller.account_holder = Some("Ünal & Söhne ".repeat(20));
    longest.number = "N".repeat(200);
    for payload in [payload, epc::payload(&longest).expect("something to pay")] {
        assert!(payload.len() <= 331, "{} bytes", payload.len());
        let (dark, side) = epc::modules(&payload).expect("a code");
        assert!(side <= 69, "version 13 has 69 modules");
        let scale = 4;
        let size = (usize::from(side) + 8) * scale;
        let mut picture = rqrr::PreparedImage::prepare_from_greyscale(size, size, |x, y| {
            let module = |place: usize| u16::try_from(place / scale).expect("a few hundred").checked_sub(4);
            let is_dark = module(x).zip(module(y)).is_some_and(|place| dark.contains(&place));
            if is_dark { 0 } else { 255 }
        });
        let (_, text) = picture.detect_grids()[0].decode().expect("a scanner reads it");
        assert_eq!(text, payload);
    }
}

#[test]
fn nothing_is_paid_by_a_code_that_should_not_be() {
    let without_account = Invoice { seller: documents::invoice::Seller { iban: None, ..plain().seller }, ..plain() };
    let cases = [
        ("draft", Invoice { version: Version::Draft, ..plain() }),
        ("test", Invoice { test: true, ..plain() }),
        ("credit note", credited(plain(), None)),
        ("nothing to pay", Invoice { total: Cents::ZERO, ..plain() }),
        ("no account", without_account),
        ("more than a transfer carries", Invoice { total: Cents::new(100_000_000_000), ..plain() }),
    ];
    for (name, invoice) in cases {
        assert_eq!(epc::payload(&invoice), None, "{name}");
        assert!(pdf::write(&invoice, &Appearance::default(), None).is_ok(), "{name}");
    }
}
