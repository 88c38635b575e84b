//! Tests that the PDF shows the data of the invoice, in a file that conforms to its standards.

use crate::samples::{
    at_one_rate, corpus, country, credited, discounted, extreme, invoice, line, logo, long,
    long_names, pictures, plain, priced,
};
use documents::{
    epc,
    invoice::{Invoice, VatTreatment, Version},
    pdf::{self, Appearance, Window},
    ubl,
};
use ledger::{language::Language, money::Cents};
use lopdf::{Dictionary, Document, Object, content::Operation};
use proptest::prelude::*;

fn written(invoice: &Invoice) -> Document {
    looking(invoice, &Appearance::default())
}

fn looking(invoice: &Invoice, look: &Appearance) -> Document {
    let bytes = pdf::write(invoice, look, ubl::write(invoice).ok().as_deref()).expect("a document");
    Document::load_mem(&bytes).expect("a PDF")
}

/// Returns all combinations of window and logo.
fn looks() -> Vec<Appearance> {
    let look = |window, logo| Appearance { window, logo, ..Appearance::default() };
    let windows = [Window::None, Window::Left, Window::Right];
    windows
        .into_iter()
        .flat_map(|window| [look(window, None), look(window, Some(logo()))])
        .collect()
}

/// Returns the operations that draw a page.
fn operations(document: &Document, page: (u32, u16)) -> Vec<Operation> {
    let content = document.get_page_content(page);
    lopdf::content::Content::decode(&content).expect("operations").operations
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// Returns the text of each page, with blanks collapsed.
fn pages(document: &Document) -> Vec<String> {
    let page = |number: &u32| {
        let text = document.extract_text(&[*number]).expect("text");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    document.get_pages().keys().map(page).collect()
}

/// Returns the text without blanks, because line breaks do not matter.
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
    let marked = dictionary(&document, catalog.get(b"MarkInfo").expect("MarkInfo"))
        .get(b"Marked")
        .and_then(Object::as_bool);
    assert_eq!(marked.ok(), Some(true));
    assert_eq!(catalog.get(b"Lang").and_then(Object::as_str).ok(), Some(b"nl".as_slice()));
    for name in ["StructTreeRoot", "OutputIntents", "Outlines", "AF"] {
        assert!(catalog.has(name.as_bytes()), "{name}");
    }
    let metadata =
        String::from_utf8(stream(&document, catalog.get(b"Metadata").expect("Metadata")))
            .expect("UTF-8");
    for wanted in [
        "<pdfaid:part>3</pdfaid:part>",
        "<pdfaid:conformance>A</pdfaid:conformance>",
        "<pdfuaid:part>1</pdfuaid:part>",
    ] {
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
    let files = document
        .catalog()
        .expect("a catalog")
        .get(b"AF")
        .and_then(Object::as_array)
        .expect("associated files");
    let file = dictionary(&document, &files[0]);
    assert_eq!(
        file.get(b"AFRelationship").and_then(Object::as_name).ok(),
        Some(b"Alternative".as_slice())
    );
    let embedded = dictionary(&document, file.get(b"EF").expect("EF")).get(b"F").expect("F");
    assert_eq!(stream(&document, embedded), ubl::write(&invoice).expect("an e-invoice"));
}

#[test]
fn a_draft_says_so_on_every_page_and_has_no_attachment() {
    for (language, word) in [(Language::Dutch, "CONCEPT"), (Language::English, "DRAFT")] {
        let draft = Invoice { version: Version::Draft, language, ..long(60) };
        let bytes =
            pdf::write(&draft, &Appearance::default(), Some(b"<Invoice/>")).expect("a document");
        let document = Document::load_mem(&bytes).expect("a PDF");
        assert!(!document.catalog().expect("a catalog").has(b"AF"));
        let pages = pages(&document);
        assert!(pages.len() > 2 && pages.iter().all(|page| page.contains(word)), "{pages:?}");
    }
    let test = Invoice { test: true, ..long(60) };
    assert!(pages(&written(&test)).iter().all(|page| page.contains("TEST")));
    let translation =
        Invoice { version: Version::Translation, language: Language::English, ..plain() };
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
        // Every page has the table's header: even the last page has lines, above the totals.
        assert!(page.contains("Omschrijving"), "{page}");
        assert_eq!(page.contains("Transport van de vorige pagina"), place > 0, "{page}");
        assert_eq!(page.contains("Transport naar de volgende pagina"), place + 1 < count, "{page}");
    }
    let text = squeezed(&document);
    for place in 1..=500 {
        assert!(
            text.contains(&format!("{place}1,5€12,34")) || text.contains(&format!("{place}")),
            "line {place}"
        );
    }
    // 500 lines of 1.5 × 12.34, each rounded to cents.
    assert_eq!(invoice.subtotal, Cents::new(925_500));
    assert!(pages[count - 1].contains("9.255,00"));
}

#[test]
fn whatever_is_written_the_document_holds() {
    let extreme = extreme();
    let document = written(&extreme);
    let text = squeezed(&document);
    assert!(
        text.contains(&"W".repeat(40)) && text.contains("399400"),
        "words are cut and lines go on"
    );
    for (name, invoice, look) in pictures() {
        assert!(pdf::write(&invoice, &look, None).is_ok(), "{name}");
    }
    for (name, invoice) in corpus(3, 102) {
        let bytes = pdf::write(&invoice, &Appearance::default(), None);
        assert!(bytes.is_ok(), "{name}: {bytes:?}");
    }
}

#[test]
fn what_the_font_lacks_is_kept_for_those_who_listen_and_copy() {
    let invoice = invoice(&[line("مرحبا 王小明 🎉", "1", "1", 2100, VatTreatment::Standard)]);
    let document = written(&invoice);
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let operations = operations(&document, document.get_pages()[&1]);
    let meant = operations
        .iter()
        .flat_map(|operation| &operation.operands)
        .filter_map(|operand| operand.as_dict().ok());
    let meant: Vec<Vec<u8>> = meant
        .filter_map(|dict| dict.get(b"ActualText").and_then(Object::as_str).ok())
        .map(<[u8]>::to_vec)
        .collect();
    let wanted = utf16("王小明");
    assert!(
        meant.iter().any(|text| text.windows(wanted.len()).any(|part| part == wanted)),
        "{meant:?}"
    );
}

#[test]
fn units_discounts_and_numbers_are_printed_where_there_are_any() {
    let numbered = Invoice {
        order_number: Some("4500012345".into()),
        buyer_reference: Some("Afdeling 12".into()),
        reference: None,
        ..discounted()
    };
    let dutch = squeezed(&written(&numbered));
    for printed in [
        "8uur",
        "3doos",
        "Ordernummer4500012345",
        "UwreferentieAfdeling12",
        "Korting10%",
        "Kennismaking",
        "Totaalvanderegels",
        "Subtotaalexcl.btw",
    ] {
        assert!(dutch.contains(printed), "{printed}: {dutch}");
    }
    let english = squeezed(&written(&Invoice { language: Language::English, ..numbered }));
    for printed in ["8hours", "3doos", "Discount10%", "Ordernumber4500012345"] {
        assert!(english.contains(printed), "{printed}: {english}");
    }
    let without = invoice(&[line("Werk", "1", "100", 2100, VatTreatment::Standard)]);
    let text = squeezed(&written(&without));
    assert!(!text.contains("Korting") && !text.contains("Ordernummer"), "{text}");
}

#[test]
fn the_same_invoice_gives_the_same_bytes() {
    let look = Appearance { logo: Some(logo()), ..Appearance::default() };
    assert_eq!(
        pdf::write(&plain(), &look, Some(b"<Invoice/>")),
        pdf::write(&plain(), &look, Some(b"<Invoice/>"))
    );
}

#[test]
fn sentences_of_the_law_and_of_credit_notes_are_printed() {
    let reversed = invoice(&[line("Schilderwerk", "1", "100", 0, VatTreatment::ReverseCharge)]);
    assert!(squeezed(&written(&reversed)).contains("Btwverlegd"));
    let credit = written(&credited(plain(), Some("Te veel uren")));
    let text = squeezed(&credit);
    assert!(text.contains("Creditnotabijfactuur2026-0042van21november2026:Teveeluren"), "{text}");
    assert!(!text.contains("IBAN") && !text.contains("Vervaldatum"), "{text}");
    // Invoices under the small businesses scheme do not mention VAT in any way (art. 25a(4) Wet OB
    // 1968).
    let small = squeezed(&written(&invoice(&[line(
        "Pianoles",
        "4",
        "35",
        0,
        VatTreatment::SmallBusiness,
    )])));
    assert!(
        small.contains("kleineondernemersregeling(artikel25a)") && small.contains("€140,00"),
        "{small}"
    );
    for word in ["btw", "Btw", "BTW", "0%", "excl", "incl"] {
        assert!(!small.contains(word), "{word} in {small}");
    }
}

#[test]
fn prices_including_vat_stand_beside_the_price_without_it_that_a_business_is_owed() {
    let lines = [
        line("Cursus", "3", "10", 2100, VatTreatment::Standard),
        line("Gids", "1", "5", 0, VatTreatment::Zero),
    ];
    let business = priced(&lines, true, |invoice| invoice);
    let consumer = priced(&lines, true, |mut invoice| {
        (invoice.buyer.vat_number, invoice.buyer.kvk_number) = (None, None);
        invoice.buyer.is_business = false;
        invoice
    });
    let text = squeezed(&written(&business));
    assert_eq!(text.matches("Prijsexcl.btw").count(), 1, "{text}");
    assert!(text.contains("Prijsexcl.btw€8,26"), "{text}");
    assert!(!squeezed(&written(&consumer)).contains("Prijsexcl."));
    assert!(!squeezed(&written(&invoice(&lines))).contains("Prijsexcl."));
}

#[test]
fn telephone_and_website_stand_in_the_foot_and_the_bic_is_for_buyers_abroad() {
    let text = |code: &str| {
        let mut invoice = plain();
        invoice.seller.bic = ledger::identifiers::Bic::parse("ABNANL2A").ok();
        invoice.seller.website = Some("https://noorderlicht.example/".into());
        invoice.buyer.address.country =
            ledger::country::CountryCode::parse(code).expect("a country");
        squeezed(&written(&invoice))
    };
    let (home, abroad) = (text("NL"), text("DE"));
    assert!(home.contains("·0101234567·noorderlicht.example"), "{home}");
    assert!(!home.contains("ABNANL2A") && abroad.contains("BICABNANL2A"), "{abroad}");
}

#[test]
fn the_code_is_read_back_as_it_was_written() {
    let payload = epc::payload(&plain()).expect("something to pay");
    assert_eq!(
        payload,
        "BCD\n002\n1\nSCT\n\nStudio Noorderlicht\nNL91ABNA0417164300\nEUR3511.49\n\n\n2026-0042"
    );
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
            let module =
                |place: usize| u16::try_from(place / scale).expect("a few hundred").checked_sub(4);
            let is_dark = module(x).zip(module(y)).is_some_and(|place| dark.contains(&place));
            if is_dark { 0 } else { 255 }
        });
        let (_, text) = picture.detect_grids()[0].decode().expect("a scanner reads it");
        assert_eq!(text, payload);
    }
}

#[test]
fn nothing_is_paid_by_a_code_that_should_not_be() {
    let without_account =
        Invoice { seller: documents::invoice::Seller { iban: None, ..plain().seller }, ..plain() };
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

/// Words as in names and street names, up to 255 characters, all in the font.
fn words() -> impl Strategy<Value = String> {
    let word = "[A-Za-zéüßŁ0-9&.,'/-]{1,24}|W{30,90}|123 bis, 4e verdieping";
    proptest::collection::vec(word, 1..40)
        .prop_map(|words| words.join(" ").chars().take(255).collect::<String>().trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_name_street_or_reference_is_cut(
        texts in [words(), words(), words(), words(), words(), words(), words(), words()],
        which in 0..6_usize,
        abroad: bool,
    ) {
        let mut invoice = at_one_rate();
        let [name, person, street, city, seller, home, reference, number] = texts;
        (invoice.buyer.name, invoice.buyer.contact_person, invoice.buyer.address.street) = (name, Some(person), Some(street));
        (invoice.buyer.address.city, invoice.seller.name, invoice.seller.address.street) = (Some(city), seller, Some(home));
        (invoice.reference, invoice.number) = (Some(reference), number);
        if abroad {
            invoice.buyer.address.country = country("DE");
        }
        let text = squeezed(&looking(&invoice, &looks()[which]));
        let (buyer, seller) = (&invoice.buyer, &invoice.seller);
        let whole = [&buyer.contact_person, &buyer.address.street, &buyer.address.city, &seller.address.street, &invoice.reference];
        for value in whole.into_iter().flatten().chain([&buyer.name, &seller.name, &invoice.number]) {
            prop_assert!(text.contains(&without_blanks(value)), "{value:?} is not in {text}");
        }
    }
}

#[test]
fn what_the_head_of_a_page_cuts_ends_with_an_ellipsis_and_is_whole_elsewhere() {
    let mut invoice = long(30);
    invoice.number = "9".repeat(255);
    invoice.seller.name = "Naam ".repeat(51).trim().to_owned();
    invoice.seller.address.street = Some("Straat ".repeat(36).trim().to_owned());
    for look in looks() {
        let pages = pages(&looking(&invoice, &look));
        let first = without_blanks(&pages[0]);
        assert!(first.contains('…'), "{first}");
        assert!(first.contains(&without_blanks(&invoice.seller.name)), "{first}");
        assert!(pages[1].contains('…'), "{}", pages[1]);
    }
}

#[test]
fn every_letter_is_at_least_8_5_points() {
    let number = |operand: &Object| operand.as_float().expect("a number");
    let strained = looks().into_iter().map(|look| ("long names", long_names(), look));
    for (name, invoice, look) in pictures().into_iter().chain(strained) {
        let document = looking(&invoice, &look);
        for page in document.get_pages().into_values() {
            let mut sizes = 0;
            for operation in operations(&document, page) {
                match operation.operator.as_str() {
                    "Tf" => {
                        sizes += 1;
                        assert!(number(&operation.operands[1]) >= 8.5, "{name}: {operation:?}");
                    }
                    // The font size is not reduced by the text matrix either.
                    "Tm" => assert!(
                        (number(&operation.operands[0]) - 1.0).abs() < 0.001,
                        "{name}: {operation:?}"
                    ),
                    _ => {}
                }
            }
            assert!(sizes > 0, "{name}");
        }
    }
}

#[test]
fn nothing_is_said_three_times() {
    let invoice = at_one_rate();
    for look in looks() {
        let text = squeezed(&looking(&invoice, &look));
        let count = |what: &str| text.matches(what).count();
        let said =
            ["StudioNoorderlicht", "LangeHaven12", "3111CDSchiedam", "2026-0042", "€1.285,63"]
                .map(count);
        assert!(said.iter().all(|times| (1..=2).contains(times)), "{said:?} in {text}");
        assert_eq!(
            (count("NL91ABNA0417164300"), count("68750110"), count("NL002455799B11")),
            (1, 1, 1),
            "{text}"
        );
    }
}

#[test]
fn the_vat_is_specified_where_there_are_several_rates() {
    let two = invoice(&[
        line("A", "1", "10", 2100, VatTreatment::Standard),
        line("B", "1", "10", 900, VatTreatment::Standard),
    ]);
    for (invoice, specified) in [(at_one_rate(), false), (two, true)] {
        let text = squeezed(&written(&invoice));
        assert_eq!(text.contains("Btw-specificatie"), specified, "{text}");
        // Amount without VAT, rate and VAT are always present (art. 35a(1)(h) to (j) Wet OB 1968).
        for group in &invoice.vat {
            let rate = format!("Btw{}%", group.rate.percent());
            assert!(text.contains("Subtotaalexcl.btw") && text.contains(&rate), "{text}");
        }
    }
}

#[test]
fn a_credit_note_has_a_date_of_its_own_name() {
    let credit = credited(plain(), None);
    let text = squeezed(&written(&credit));
    assert!(
        text.contains("Datumcreditnota21november2026") && !text.contains("Factuurdatum"),
        "{text}"
    );
    let text = squeezed(&written(&Invoice { language: Language::English, ..credit }));
    assert!(text.contains("Creditnotedate") && !text.contains("Invoicedate"), "{text}");
}

#[test]
fn the_watermark_of_a_draft_lies_over_everything_and_lets_it_through() {
    let document = written(&Invoice { version: Version::Draft, ..long(30) });
    for page in document.get_pages().into_values() {
        let operations = operations(&document, page);
        let is_mark = |operation: &Operation| {
            let properties = operation.operands.get(1).and_then(|operand| operand.as_dict().ok());
            properties.is_some_and(|marks| {
                marks.get(b"Subtype").and_then(Object::as_name).ok() == Some(b"Watermark")
            })
        };
        let begin = operations
            .iter()
            .position(|operation| operation.operator == "BDC" && is_mark(operation))
            .expect("a watermark");
        let end = begin
            + operations[begin..]
                .iter()
                .position(|operation| operation.operator == "EMC")
                .expect("its end");
        let paints = |operation: &&Operation| {
            matches!(operation.operator.as_str(), "f" | "f*" | "S" | "Tj" | "TJ" | "Do" | "sh")
        };
        assert!(
            !operations[end..].iter().any(|operation| paints(&operation)),
            "nothing is painted after it"
        );
        assert!(
            operations[begin..end].iter().any(|operation| operation.operator == "gs"),
            "it is transparent"
        );
    }
}

/// Returns an invoice with `count` short lines, followed by the seller's own texts.
fn with_words(count: usize, notes: Option<&str>, closing: &str) -> (Invoice, Appearance) {
    let look = Appearance {
        closing: Some(closing.into()),
        opening: Some("Hierbij de factuur.".into()),
        ..Appearance::default()
    };
    (Invoice { notes: notes.map(Into::into), ..long(count) }, look)
}

#[test]
fn the_panel_stands_with_the_totals_and_no_last_page_has_closing_words_alone() {
    let closing = "Op al mijn werk zijn mijn voorwaarden van toepassing. ".repeat(12);
    let notes = "Bedankt voor de opdracht. ".repeat(60);
    for count in 1..=50 {
        for notes in [None, Some("Bedankt!"), Some(notes.as_str())] {
            let (invoice, look) = with_words(count, notes, &closing);
            let pages = pages(&looking(&invoice, &look));
            let totals = pages.iter().position(|page| page.contains("Subtotaal")).expect("totals");
            assert!(
                pages[totals].contains("IBAN") && pages[totals].contains("Totaal"),
                "{count}: {pages:?}"
            );
            let last = pages.last().expect("a page");
            let closes = last.contains("Subtotaal") || last.contains("Bedankt voor de opdracht.");
            assert!(closes && last.contains("voorwaarden"), "{count}: {pages:?}");
            // No page has the table's header without any lines.
            assert!(
                pages
                    .iter()
                    .all(|page| !page.contains("Omschrijving Aantal") || page.contains("€ 12,34")),
                "{count}: {pages:?}"
            );
        }
    }
}

#[test]
fn a_line_that_fills_pages_leaves_the_closing_words_with_the_totals() {
    for rows in (20..160).step_by(7) {
        let tall = (1..=rows).map(|number| format!("Regel {number}\n")).collect::<String>();
        let look = Appearance {
            closing: Some("Mijn voorwaarden zijn van toepassing.".into()),
            ..Appearance::default()
        };
        let tall = invoice(&[line(&tall, "1", "12.34", 2100, VatTreatment::Standard)]);
        let pages = pages(&looking(&tall, &look));
        let last = pages.last().expect("a page");
        assert!(
            ["Subtotaal", "IBAN", "voorwaarden"].iter().all(|wanted| last.contains(wanted)),
            "{rows}: {pages:?}"
        );
    }
}

#[test]
fn so_many_lines_take_so_many_pages() {
    let cases = [(1, 1), (5, 1), (10, 2), (14, 2), (20, 2), (25, 2), (35, 3), (60, 4)];
    let pages = cases.map(|(lines, _)| {
        let (invoice, look) = with_words(lines, None, "Mijn voorwaarden zijn van toepassing.");
        (lines, looking(&invoice, &look).get_pages().len())
    });
    assert_eq!(pages, cases);
}
