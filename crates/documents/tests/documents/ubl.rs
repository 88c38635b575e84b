//! The e-invoice contains the data of the invoice, in the form required by EN 16931.

use crate::{
    edges::edges,
    samples::{buyer, corpus, country, credited, discounted, invoice, line, plain, priced, seller},
};
use documents::{
    invoice::{Address, Buyer, Invoice, Line, Seller, VatGroup, VatTreatment, Version},
    ubl::{self, Cause, Profile},
};
use ledger::{
    decimal::Decimal,
    identifiers::{Bic, PeppolId, VatNumber},
    language::Language,
    money::Cents,
};

fn written(invoice: &Invoice) -> String {
    String::from_utf8(ubl::write(invoice).expect("an invoice that the form can carry"))
        .expect("UTF-8")
}

/// Returns the text of each element with the given name, in order.
fn texts<'x>(xml: &'x str, name: &str) -> Vec<&'x str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let element = |part: &'x str| {
        let (head, rest) = part.split_once('>')?;
        (head.is_empty() || head.starts_with(' '))
            .then(|| rest.split_once(&close).map(|(text, _)| text))?
    };
    xml.split(open.as_str()).skip(1).filter_map(element).collect()
}

fn causes(invoice: &Invoice) -> Vec<Cause> {
    ubl::write(invoice).map_or_else(|refusal| refusal.0, |_| Vec::new())
}

#[test]
fn each_treatment_has_its_code_and_its_reason() {
    use VatTreatment as T;
    let cases = [
        (T::Standard, 2100, "S", None),
        (T::Standard, 900, "S", None),
        (T::Zero, 0, "Z", None),
        (T::Exempt, 0, "E", Some("Vrijgesteld van btw (artikel 11 Wet OB 1968)")),
        (T::SmallBusiness, 0, "E", Some("Vrijgesteld: kleineondernemersregeling (artikel 25a)")),
        (T::ReverseCharge, 0, "AE", Some("Btw verlegd")),
        (T::EuService, 0, "AE", Some("Btw verlegd")),
        (T::Triangular, 0, "AE", Some("Btw verlegd. Vereenvoudigde ABC-levering")),
        (
            T::EuGoods,
            0,
            "K",
            Some("Intracommunautaire levering, 0% btw (tabel II, a.6, Wet OB 1968)"),
        ),
        (T::Export, 0, "G", Some("Uitvoer uit de EU, 0% btw (tabel II, a.2, Wet OB 1968)")),
        (
            T::ServiceOutsideEu,
            0,
            "O",
            Some("Geen Nederlandse btw: dienst buiten de EU (artikel 6 Wet OB 1968)"),
        ),
        (T::OutOfScope, 0, "O", Some("Valt buiten de btw")),
    ];
    for (treatment, rate, code, reason) in cases {
        let plain = invoice(&[line("Werk", "2", "50", rate, treatment)]);
        let vat_number = seller().vat_number;
        let xml = written(&Invoice { buyer: Buyer { vat_number, ..buyer() }, ..plain });
        let category = xml.split("<cac:TaxCategory>").nth(1).expect("one row of VAT");
        assert_eq!(texts(category, "cbc:ID")[0], code, "{treatment:?}");
        assert_eq!(
            texts(&xml, "cbc:TaxExemptionReason"),
            reason.into_iter().collect::<Vec<_>>(),
            "{treatment:?}"
        );
        // Lines outside the scope of VAT have no rate (BR-O-05), and the invoice states neither
        // party's VAT number (BR-O-02).
        let rates = if code == "O" {
            vec![]
        } else {
            vec![if rate == 0 { "0" } else { &["9", "21"][usize::from(rate == 2100)] }; 2]
        };
        assert_eq!(texts(&xml, "cbc:Percent"), rates, "{treatment:?}");
        assert_eq!(xml.contains("<cac:PartyTaxScheme>"), code != "O", "{treatment:?}");
    }
}

#[test]
fn the_amounts_are_those_of_the_invoice() {
    let xml = written(&plain());
    assert_eq!(texts(&xml, "cbc:LineExtensionAmount")[0], "2942.72");
    assert_eq!(texts(&xml, "cbc:TaxInclusiveAmount"), ["3511.49"]);
    assert_eq!(texts(&xml, "cbc:PayableAmount"), ["3511.49"]);
    assert_eq!(texts(&xml, "cbc:TaxableAmount"), ["2532.72", "410.00"]);
    assert_eq!(texts(&xml, "cbc:TaxAmount"), ["568.77", "531.87", "36.90"]);
    assert_eq!(texts(&xml, "cbc:InvoicedQuantity"), ["1", "12.5", "250", "414", "-1"]);
    // A price is never negative (BR-27): the discount's quantity carries the sign.
    assert_eq!(texts(&xml, "cbc:PriceAmount"), ["1450", "85", "1.64", "0.23", "75"]);
    assert_eq!(
        texts(&xml, "cbc:LineExtensionAmount")[1..],
        ["1450.00", "1062.50", "410.00", "95.22", "-75.00"]
    );
}

#[test]
fn a_credit_note_gives_back_positive_amounts_and_names_its_invoice() {
    let xml = written(&credited(plain(), Some("Te veel uren")));
    assert!(xml.contains("<CreditNote xmlns=") && xml.contains("<cbc:CreditNoteTypeCode>381<"));
    assert_eq!(texts(&xml, "cbc:PayableAmount"), ["3511.49"]);
    assert_eq!(texts(&xml, "cbc:CreditedQuantity"), ["1", "12.5", "250", "414", "-1"]);
    assert_eq!(texts(&xml, "cbc:PriceAmount"), ["1450", "85", "1.64", "0.23", "75"]);
    let reference = xml.split("<cac:BillingReference>").nth(1).expect("a reference");
    assert_eq!(texts(reference, "cbc:ID")[0], "2026-0042");
    assert_eq!(texts(&xml, "cbc:Note")[0], "Te veel uren");
    assert!(!xml.contains("<cbc:DueDate>") && !xml.contains("NL91ABNA0417164300"));
}

#[test]
fn prices_including_vat_are_written_without_it() {
    let lines = [
        line("Cursus", "3", "121", 2100, VatTreatment::Standard),
        line("Boek", "7", "9.99", 900, VatTreatment::Standard),
        line("Korting", "-1", "1.21", 2100, VatTreatment::Standard),
        line("Gratis", "0", "12.10", 2100, VatTreatment::Standard),
    ];
    let xml = written(&priced(&lines, true, |invoice| invoice));
    assert_eq!(texts(&xml, "cbc:PayableAmount"), ["431.72"]);
    assert_eq!(texts(&xml, "cbc:PriceAmount"), ["100", "9.165714285714", "1", "10"]);
    assert_eq!(texts(&xml, "cbc:LineExtensionAmount")[1..], ["300.00", "64.16", "-1.00", "0.00"]);
}

#[test]
fn lines_and_rows_of_vat_add_up_on_whatever_is_drawn() {
    for (name, invoice) in corpus(7, 204).into_iter().chain(edges()) {
        let xml = written(&invoice);
        let sum = |texts: Vec<&str>| {
            texts
                .into_iter()
                .map(|text| text.parse::<Decimal>().expect("an amount"))
                .sum::<Decimal>()
        };
        let mut lines = texts(&xml, "cbc:LineExtensionAmount");
        let total: Decimal = lines.remove(0).parse().expect("an amount");
        assert_eq!(sum(lines.clone()), total, "{name}");
        // BR-CO-11 to BR-CO-13: the lines, less the discounts on all of them, are what is taxed.
        let off = sum(texts(&xml, "cbc:AllowanceTotalAmount"));
        let parts = [&xml[..xml.find("<cac:TaxTotal>").expect("VAT")]];
        assert_eq!(sum(texts(parts[0], "cbc:Amount")), off, "{name}");
        assert_eq!(sum(texts(&xml, "cbc:TaxExclusiveAmount")), total - off, "{name}");
        assert_eq!(sum(texts(&xml, "cbc:TaxableAmount")), total - off, "{name}");
        let mut vat = texts(&xml, "cbc:TaxAmount");
        assert_eq!(vat.remove(0).parse::<Decimal>().expect("an amount"), sum(vat), "{name}");
        let quantity =
            if invoice.is_credit_note() { "cbc:CreditedQuantity" } else { "cbc:InvoicedQuantity" };
        let number = |text: &str| text.parse::<Decimal>().expect("a number");
        for line in xml.split("<cbc:LineExtensionAmount ").skip(2) {
            // PEPPOL-EN16931-R040 allows two cents.
            let [amount, base, percent] =
                ["cbc:Amount", "cbc:BaseAmount", "cbc:MultiplierFactorNumeric"]
                    .map(|of| texts(line, of));
            if let ([amount], [base], [percent]) = (&amount[..], &base[..], &percent[..]) {
                let exact = number(base) * number(percent) / Decimal::ONE_HUNDRED;
                assert!((exact - number(amount)).abs() <= Decimal::new(2, 2), "{name}");
            }
        }
        let discounts: Vec<Decimal> = xml
            .split("<cbc:LineExtensionAmount ")
            .skip(2)
            .map(|line| sum(texts(line, "cbc:Amount")))
            .collect();
        for (((quantity, price), amount), discount) in texts(&xml, quantity)
            .iter()
            .zip(texts(&xml, "cbc:PriceAmount"))
            .zip(lines)
            .zip(discounts)
        {
            assert!(number(price) >= Decimal::ZERO, "{name}");
            // PEPPOL-EN16931-R120 allows two cents.
            let off = number(quantity) * number(price) - discount - number(amount);
            assert!(
                off.abs() <= Decimal::new(2, 2),
                "{name}: {quantity} × {price} is not {amount}"
            );
        }
    }
}

#[test]
fn what_the_form_cannot_carry_is_refused_with_every_cause() {
    use VatTreatment::{EuGoods, EuService, OutOfScope, ReverseCharge, ServiceOutsideEu, Standard};
    let work = |rate, treatment| line("Werk", "1", "100", rate, treatment);
    let nobody = |invoice: Invoice| Invoice {
        buyer: Buyer { vat_number: None, kvk_number: None, ..buyer() },
        ..invoice
    };
    let draft = Invoice { version: Version::Draft, ..plain() };
    assert_eq!(causes(&draft), [Cause::Draft]);
    assert_eq!(
        causes(&invoice(&[work(0, ServiceOutsideEu), work(2100, Standard)])),
        [Cause::MixesOutOfScope]
    );
    assert_eq!(causes(&invoice(&[work(0, ServiceOutsideEu), work(0, OutOfScope)])), []);
    for treatment in [ReverseCharge, EuService, EuGoods] {
        assert_eq!(
            causes(&nobody(invoice(&[work(0, treatment)]))),
            [Cause::BuyerVatNumberMissing],
            "{treatment:?}"
        );
    }
    // BR-AE-02 also accepts the number in the business register, BR-IC-02 does not.
    assert_eq!(causes(&invoice(&[work(0, ReverseCharge)])), []);
    assert_eq!(causes(&invoice(&[work(0, EuGoods)])), [Cause::BuyerVatNumberMissing]);
    let mut bare = plain();
    bare.seller = Seller { kvk_number: None, vat_number: None, ..bare.seller };
    bare.seller.address.city = None;
    let all = [Cause::SellerAddressMissing, Cause::SellerKvkMissing, Cause::SellerVatNumberMissing];
    assert_eq!(causes(&bare), all);
}

#[test]
fn a_file_names_peppol_where_peppol_takes_it_and_en_16931_elsewhere() {
    let (whole, french) = (buyer(), VatNumber::parse("FR40303265045").ok());
    let address = |street: Option<&str>, code| Address {
        street: street.map(Into::into),
        country: country(code),
        ..buyer().address
    };
    let numbers = |kvk_number, vat_number| Buyer { kvk_number, vat_number, ..buyer() };
    let nobody = numbers(None, None);
    let abroad = Buyer { address: address(None, "US"), ..nobody.clone() };
    let northern = Buyer {
        vat_number: VatNumber::parse("XI432525179").ok(),
        address: address(Some("x"), "GB"),
        ..nobody.clone()
    };
    let cases = [
        ("a business with a KvK number", whole.clone(), Profile::PeppolBis),
        (
            "a business with a VAT number only",
            numbers(None, seller().vat_number),
            Profile::PeppolBis,
        ),
        // NL-R-004 requires a complete address only for Dutch buyers.
        (
            "a business without an address",
            Buyer { address: address(None, "NL"), ..whole.clone() },
            Profile::En16931,
        ),
        (
            "a business with half an address",
            Buyer { address: address(Some(" \n"), "NL"), ..whole.clone() },
            Profile::En16931,
        ),
        (
            "a French business without an address",
            Buyer { address: address(None, "FR"), ..numbers(None, french) },
            Profile::PeppolBis,
        ),
        // A KvK number is an electronic address only for Dutch buyers.
        (
            "a foreigner in the register",
            Buyer { address: address(Some("x"), "DE"), ..whole },
            Profile::En16931,
        ),
        (
            "a Northern Irish business: Peppol has no scheme for its number",
            northern,
            Profile::En16931,
        ),
        ("a Dutch consumer", nobody, Profile::En16931),
        ("an American", abroad, Profile::En16931),
    ];
    for (who, buyer, profile) in cases {
        let invoice = Invoice { buyer, ..plain() };
        assert_eq!(Profile::of(&invoice), profile, "{who}");
        let xml = written(&invoice);
        let names_peppol = texts(&xml, "cbc:CustomizationID")[0].contains("peppol");
        assert_eq!(
            (names_peppol, xml.contains("<cbc:ProfileID>")),
            (profile == Profile::PeppolBis, names_peppol),
            "{who}"
        );
        assert!(
            names_peppol
                || xml
                    .contains("<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>"),
            "{who}"
        );
    }
}

#[test]
fn a_file_has_the_references_of_the_buyer_and_never_the_own_number() {
    let references = |xml: &str| -> Vec<String> {
        texts(xml, "cbc:BuyerReference").iter().map(ToString::to_string).collect()
    };
    let mut both = plain();
    both.buyer_reference = Some("Afdeling 12".into());
    both.order_number = Some("4500012345".into());
    let xml = written(&both);
    assert_eq!(references(&xml), ["Afdeling 12"]);
    let order = xml.split("<cac:OrderReference>").nth(1).expect("an order number");
    assert_eq!(texts(order, "cbc:ID")[0], "4500012345");
    let mut bare = plain();
    assert_eq!(references(&written(&bare)), ["PO-88213"]);
    bare.reference = None;
    assert_eq!(texts(&written(&bare), "cbc:BuyerReference"), ["t.a.v. mevrouw F. van der Wülfen"]);
    bare.buyer.contact_person = None;
    let xml = written(&bare);
    assert_eq!(references(&xml), [""; 0]);
    // Peppol refuses a file without a reference or an order number (PEPPOL-EN16931-R003).
    assert!(!xml.contains("<cac:OrderReference>") && Profile::of(&bare) == Profile::En16931);
    bare.order_number = both.order_number;
    assert_eq!(Profile::of(&bare), Profile::PeppolBis);
}

#[test]
fn units_and_discounts_are_coded_and_add_up() {
    let invoice = discounted();
    let xml = written(&invoice);
    assert!(xml.contains(r#"unitCode="HUR""#) && xml.contains(r#"unitCode="C62""#));
    assert_eq!(texts(&xml, "cbc:LineExtensionAmount"), ["749.00", "720.00", "29.00"]);
    assert_eq!(texts(&xml, "cbc:AllowanceTotalAmount"), ["74.90"]);
    assert_eq!(texts(&xml, "cbc:TaxExclusiveAmount"), ["674.10"]);
    assert_eq!(texts(&xml, "cbc:TaxableAmount"), ["648.00", "26.10"]);
    assert_eq!(texts(&xml, "cbc:AllowanceChargeReasonCode"), ["95"; 4]);
    let reasons = ["Kennismaking", "Kennismaking", "Korting", "Korting"];
    assert_eq!(texts(&xml, "cbc:AllowanceChargeReason"), reasons);
    assert_eq!(texts(&xml, "cbc:Amount"), ["72.00", "2.90", "80.00", "1.00"]);
    assert_eq!(texts(&xml, "cbc:BaseAmount"), ["800.00", "30.00"]);
    assert_eq!(texts(&xml, "cbc:MultiplierFactorNumeric"), ["10", "3.333333333333"]);
    // The price is that before the discount.
    assert_eq!(texts(&xml, "cbc:PriceAmount"), ["100", "10"]);
    // A credit note has the shares of both discounts on its lines.
    let lines = invoice.lines.iter().cloned().zip([15_200, 390]);
    let lines = lines.map(|(line, off)| Line {
        discount: Cents::new(off),
        discount_percent: None,
        amount: line.gross - Cents::new(off),
        ..line
    });
    let vat = invoice.vat.iter().map(|group| VatGroup { discount: Cents::ZERO, ..*group });
    let whole = Invoice {
        lines: lines.collect(),
        vat: vat.collect(),
        lines_total: invoice.subtotal,
        discount: Cents::ZERO,
        discount_percent: None,
        discount_description: None,
        ..invoice
    };
    let xml = written(&credited(whole, None));
    assert_eq!(texts(&xml, "cbc:LineExtensionAmount"), ["674.10", "648.00", "26.10"]);
    assert_eq!(texts(&xml, "cbc:Amount"), ["152.00", "3.90"]);
    assert_eq!(texts(&xml, "cbc:ChargeIndicator"), ["false", "false"]);
    assert!(!xml.contains("AllowanceTotalAmount"));
}

#[test]
fn discounts_on_prices_including_vat_are_in_the_net_price() {
    let mut gross =
        priced(&[line("Cursus", "2", "121", 2100, VatTreatment::Standard)], true, |of| of);
    // 242.00 less 20 % is 193.60, of which 33.60 is VAT.
    let (net, vat) = (Cents::new(16_000), Cents::new(3_360));
    gross.lines[0] = Line {
        discount: Cents::new(4_840),
        discount_percent: Some(Decimal::from(20)),
        amount: net,
        amount_incl_vat: net + vat,
        ..gross.lines[0].clone()
    };
    gross.vat[0] = VatGroup { base: net, amount: vat, ..gross.vat[0] };
    (gross.subtotal, gross.vat_total, gross.total) = (net, vat, net + vat);
    let xml = written(&gross);
    assert!(!xml.contains("<cac:AllowanceCharge>"));
    assert_eq!(texts(&xml, "cbc:PriceAmount"), ["80"]);
    assert_eq!(texts(&xml, "cbc:LineExtensionAmount"), ["160.00", "160.00"]);
}

#[test]
fn the_same_invoice_gives_the_same_bytes_and_a_test_says_so() {
    assert_eq!(ubl::write(&plain()), ubl::write(&plain()));
    let test =
        Invoice { test: true, notes: Some("Dank!".into()), language: Language::English, ..plain() };
    assert_eq!(texts(&written(&test), "cbc:Note"), ["TEST: this is not a real invoice.\nDank!"]);
}

#[test]
fn text_of_several_lines_and_foreign_signs_come_through() {
    let plain = invoice(&[line(
        "A & <B>\nregel twee\u{1}\nregel drie",
        "1",
        "1",
        2100,
        VatTreatment::Standard,
    )]);
    let xml = written(&plain);
    assert!(xml.contains("<cbc:Name>A &amp; &lt;B&gt;</cbc:Name>"), "{xml}");
    assert_eq!(texts(&xml, "cbc:Description"), ["regel twee\u{fffd}\nregel drie"]);
    // No element is empty (PEPPOL-EN16931-R008), regardless of the text.
    for (name, invoice) in edges() {
        let xml = written(&invoice);
        assert!(!xml.contains("/>"), "{name}");
        let mut tags = xml.split('<').filter_map(|tag| tag.split_once('>'));
        let empty =
            tags.find(|(tag, text)| tag.starts_with("cbc:") && text.trim_ascii().is_empty());
        assert_eq!(empty, None, "{name}");
    }
}

#[test]
fn the_electronic_address_is_the_given_one_or_follows_from_the_numbers() {
    let endpoint = |buyer: Buyer| {
        let xml = written(&Invoice { buyer, ..plain() });
        let buyer = xml.split("<cac:AccountingCustomerParty>").nth(1).expect("a buyer");
        let found = buyer.split("<cbc:EndpointID schemeID=\"").nth(1)?;
        let (scheme, rest) = found.split_once("\">")?;
        Some(format!("{scheme}:{}", rest.split('<').next()?))
    };
    let from = |code: &str, number: &str| Buyer {
        address: Address { country: country(code), ..buyer().address },
        vat_number: VatNumber::of_customer(number).ok(),
        kvk_number: None,
        ..buyer()
    };
    let given = |id: &str| Buyer { peppol_id: PeppolId::parse(id).ok(), ..buyer() };
    let cases = [
        (buyer(), Some("0106:12345678")),
        (given("0190:00000001234567890123"), Some("0190:00000001234567890123")),
        (given("0060:a:b"), Some("0060:a:b")),
        (from("BE", "BE0428759497"), Some("0208:0428759497")),
        (from("DE", "DE136695976"), Some("9930:DE136695976")),
        (from("NL", "NL002455799B11"), Some("9944:NL002455799B11")),
        (from("GB", "GB980780684"), None),
        (from("CH", "CHE107787577"), None),
    ];
    for (buyer, expected) in cases {
        assert_eq!(endpoint(buyer).as_deref(), expected);
    }
}

#[test]
fn buyers_abroad_are_given_the_bic_and_every_buyer_the_telephone_number() {
    let bic = "ABNANL2A";
    let seller = || Seller { bic: Bic::parse(bic).ok(), ..seller() };
    let xml = |code: &str, with_iban: bool| {
        let address = Address { country: country(code), ..buyer().address };
        let iban = seller().iban.filter(|_| with_iban);
        written(&Invoice {
            seller: Seller { iban, ..seller() },
            buyer: Buyer { address, ..buyer() },
            ..plain()
        })
    };
    let branch = format!("<cac:FinancialInstitutionBranch><cbc:ID>{bic}</cbc:ID>");
    let has = |xml: &str| xml.replace(['\n', ' '], "").contains(&branch.replace(' ', ""));
    assert!(!has(&xml("NL", true)) && has(&xml("DE", true)) && !has(&xml("DE", false)));
    assert_eq!(texts(&xml("NL", true), "cbc:Telephone"), ["010 123 45 67"]);
}
