//! Accepted and rejected numbers.

use super::*;

#[test]
fn dutch_vat_numbers_pass_by_either_check() {
    // Examples from python-stdnum: the documentation of stdnum.nl.btw, and
    // tests/test_eu_vat.doctest.
    let cases = [
        ("NL004495445B01", "NL004495445B01"),
        ("NL002455799B11", "NL002455799B11"),
        ("nl002455799b11", "NL002455799B11"),
        ("NL001241 643 B01", "NL001241643B01"),
        ("NL 806753742B01", "NL806753742B01"),
        ("NL 8225.69.759 b01", "NL822569759B01"),
        ("NL-812421267 B01", "NL812421267B01"),
        ("NL-8197.38.116.B.01", "NL819738116B01"),
        ("\u{a0}NL 820605876B01\n", "NL820605876B01"),
    ];
    for (text, expected) in cases {
        let number = VatNumber::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(number.as_str(), expected);
        assert_eq!(number.to_string(), expected);
        assert_eq!(number.country(), CountryCode::NL);
    }
}

#[test]
fn the_two_dutch_checks_are_each_enough() {
    assert!(passes_eleven_test("004495445") && modulo_97("NL004495445B01") != Some(1));
    assert!(!passes_eleven_test("002455799") && modulo_97("NL002455799B11") == Some(1));
}

#[test]
fn other_dutch_vat_numbers_are_refused() {
    let cases = [
        ("NL123456789B90", VatNumberError::WrongCheckDigits),
        ("NL004495446B01", VatNumberError::WrongCheckDigits),
        ("NL002455799B12", VatNumberError::WrongCheckDigits),
        ("NL002455789B11", VatNumberError::WrongCheckDigits),
        ("NL000000000B01", VatNumberError::WrongForm),
        ("NL004495445B00", VatNumberError::WrongForm),
        ("NL004495445C01", VatNumberError::WrongForm),
        ("NL004495445B1", VatNumberError::WrongForm),
        ("NL004495445B001", VatNumberError::WrongForm),
        ("NL4495445B01", VatNumberError::WrongForm),
        ("NL004495445", VatNumberError::WrongForm),
        ("NL", VatNumberError::WrongForm),
        ("NL00449544éB01", VatNumberError::WrongForm),
        ("004495445B01", VatNumberError::UnknownPrefix),
    ];
    for (text, error) in cases {
        assert_eq!(VatNumber::parse(text), Err(error), "{text}");
    }
}

#[test]
fn vat_numbers_of_every_eu_country_are_read() {
    // Examples from python-stdnum: tests/test_eu_vat.doctest, and the documentation of
    // stdnum.lt.pvm and stdnum.fr.tva.
    let cases = [
        ("ATU13585627", "AT"),
        ("BE 0220.764.971", "BE"),
        ("BG 103873594", "BG"),
        ("BG7111042925", "BG"),
        ("CY-10259033P", "CY"),
        ("CZ 25123891", "CZ"),
        ("CZ 640903926", "CZ"),
        ("CZ7205151536", "CZ"),
        ("DE 221.304.969", "DE"),
        ("DK 10 50 32 80", "DK"),
        ("EE 100 931 558", "EE"),
        ("EL 094012834", "GR"),
        ("ES 54362315K", "ES"),
        ("ES A-28184661", "ES"),
        ("ES X-5253868-R", "ES"),
        ("FI 2094606-3", "FI"),
        ("FR 83 404 833 048", "FR"),
        ("FR K 7399859412", "FR"),
        ("FR 4Z123456782", "FR"),
        ("FR16000063601", "FR"),
        ("HR 33392005961", "HR"),
        ("HU 12892312", "HU"),
        ("IE 6433435F", "IE"),
        ("IE6433435OA", "IE"),
        ("IE8D79739I", "IE"),
        ("IT 00118439991", "IT"),
        ("LT 119511515", "LT"),
        ("LT 100001919017", "LT"),
        ("LU 150 274 42", "LU"),
        ("LV 4000 3521 600", "LV"),
        ("MT 1167-9112", "MT"),
        ("PL 584-030-44-72", "PL"),
        ("PT 500 019 720", "PT"),
        ("RO 1822964", "RO"),
        ("SE 556.383.740.901", "SE"),
        ("SI 50223054", "SI"),
        ("SK 2020 237 945", "SK"),
        ("XI 432525179", "GB"),
    ];
    for (text, country) in cases {
        let number = VatNumber::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(number.country().as_str(), country, "{text}");
        assert!(number.has_right_check_digits(), "{text}");
    }
}

#[test]
fn the_forms_that_the_commission_lists_and_nobody_gave_an_example_of_are_read() {
    for text in [
        "IE1+23456A",
        "IE1*23456A",
        "IE1234567WA",
        "RO12",
        "XI123456789012",
        "XIGD123",
        "XIHA567",
        "BE1234567890",
    ] {
        assert!(VatNumber::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn vat_numbers_in_another_form_are_refused() {
    let cases = [
        ("", VatNumberError::UnknownPrefix),
        ("N", VatNumberError::UnknownPrefix),
        ("é1", VatNumberError::UnknownPrefix),
        ("GB980780684", VatNumberError::UnknownPrefix),
        ("GR094012834", VatNumberError::UnknownPrefix),
        ("CHE107787577", VatNumberError::UnknownPrefix),
        ("EU372022452", VatNumberError::UnknownPrefix),
        ("AT13585627", VatNumberError::WrongForm),
        ("ATU1358562", VatNumberError::WrongForm),
        ("BE2220764971", VatNumberError::WrongForm),
        ("BE697449992", VatNumberError::WrongForm),
        ("CY102590339", VatNumberError::WrongForm),
        ("DE22130496", VatNumberError::WrongForm),
        ("DE2213049690", VatNumberError::WrongForm),
        ("DE22130496A", VatNumberError::WrongForm),
        ("ES123456789", VatNumberError::WrongForm),
        ("FRIO334175221", VatNumberError::WrongForm),
        ("IE12345678", VatNumberError::WrongForm),
        ("LT1195115150", VatNumberError::WrongForm),
        ("RO1", VatNumberError::WrongForm),
        ("RO1630615123457", VatNumberError::WrongForm),
        ("XIGD12", VatNumberError::WrongForm),
        ("DE２２１３０４９６９", VatNumberError::WrongForm),
    ];
    for (text, error) in cases {
        assert_eq!(VatNumber::parse(text), Err(error), "{text}");
    }
}

#[test]
fn kvk_numbers_are_eight_digits() {
    for text in ["01234567", "0123 4567", "01.23.45.67", " 01234567\t"] {
        assert_eq!(KvkNumber::parse(text).unwrap().as_str(), "01234567", "{text}");
    }
    for text in
        ["", "0123456", "012345678", "012345670000", "0123456A", "KVK01234567", "０１２３４５６７"]
    {
        assert_eq!(KvkNumber::parse(text), Err(KvkNumberError), "{text}");
    }
}

#[test]
fn ibans_of_many_countries_are_read() {
    // Examples from the IBAN Registry, as python-stdnum lists them in tests/test_iban.doctest.
    let cases = [
        "NL91 ABNA 0417 1643 00",
        "AD12 0001 2030 2003 5910 0100",
        "AE070331234567890123456",
        "AL47 2121 1009 0000 0002 3569 8741",
        "AT61 1904 3002 3457 3201",
        "BE31435411161155",
        "BG80 BNBG 9661 1020 3456 78",
        "BR9700360305000010009795493P1",
        "CH93 0076 2011 6238 5295 7",
        "CY17 0020 0128 0000 0012 0052 7600",
        "DE89 3704 0044 0532 0130 00",
        "DK50 0040 0440 1162 43",
        "ES15-0049-1806-9121-1186-9374",
        "FR14 2004 1010 0505 0001 3M02 606",
        "GB29 NWBK 6016 1331 9268 19",
        "GR16 0110 1250 0000 0001 2300 695",
        "HU42 1177 3016 1111 1018 0000 0000",
        "IE29 AIBK 9311 5212 3456 78",
        "IS14 0159 2600 7654 5510 7303 39",
        "JO94CBJO0010000000000131000302",
        "MC11 1273 9000 7000 1111 1000 h79",
        "MT84 MALT 0110 0001 2345 MTLC AST0 01S",
        "NO93 8601 1117 947",
        "PT50 0002 0123 1234 5678 9015 4",
        "SI56 1910 0000 0123 438",
        "XK051212012345678906",
    ];
    for text in cases {
        let iban = Iban::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Iban::parse(iban.as_str()).as_ref(), Ok(&iban));
    }
    assert_eq!(Iban::parse("nl91 abna 0417 1643 00").unwrap().to_string(), "NL91ABNA0417164300");
}

#[test]
fn other_ibans_are_refused() {
    // The other countries' IBANs and NL56 are from python-stdnum, tests/test_iban.doctest.
    let cases = [
        ("", IbanError::WrongForm),
        ("NL9", IbanError::WrongForm),
        ("91NLABNA0417164300", IbanError::WrongForm),
        ("NL91ABNA04171643é0", IbanError::WrongForm),
        ("N\u{142}91ABNA0417164300", IbanError::WrongForm),
        ("NL91/ABNA/0417164300", IbanError::WrongForm),
        ("NL56 3003 0A17 1643 00", IbanError::WrongForm),
        ("XX431234", IbanError::UnknownCountry),
        ("US431234", IbanError::UnknownCountry),
        ("NL91", IbanError::WrongLength { expected: 18 }),
        ("NL91ABNA041716430", IbanError::WrongLength { expected: 18 }),
        ("NL91ABNA04171643000", IbanError::WrongLength { expected: 18 }),
        ("BE68530907547034", IbanError::WrongCheckDigits),
        ("NL91ABNA0417164301", IbanError::WrongCheckDigits),
        ("NL91ABNA0471164300", IbanError::WrongCheckDigits),
        ("DK5000400440116342", IbanError::WrongCheckDigits),
        ("HR1210010052863000160", IbanError::WrongCheckDigits),
    ];
    for (text, error) in cases {
        assert_eq!(Iban::parse(text), Err(error), "{text}");
    }
}

#[test]
fn check_digits_that_are_never_given_out_are_refused() {
    // Check digits 00, 01 and 99 leave the same remainder as 97, 98 and 02, but are rejected.
    let mut tried = 0;
    for account in 0..97 {
        for (never, real) in [("00", "97"), ("01", "98"), ("99", "02")] {
            let [never, real] = [never, real].map(|digits| format!("NL{digits}ABNA{account:010}"));
            if Iban::parse(&real).is_ok() {
                assert_eq!(Iban::parse(&never), Err(IbanError::WrongCheckDigits), "{never}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 3);
}

#[test]
fn dutch_postal_codes_are_four_digits_and_two_letters() {
    for (text, written) in [
        ("1234AB", "1234 AB"),
        (" 1234 ab ", "1234 AB"),
        ("9999 ZZ", "9999 ZZ"),
        ("1000SE", "1000 SE"),
    ] {
        assert_eq!(PostalCode::parse(text).unwrap().to_string(), written);
    }
    for bad in [
        "",
        "0123 AB",
        "1234 SS",
        "1234 SA",
        "1234 sd",
        "1234",
        "1234 A1",
        "12345 AB",
        "1234 ÀB",
        "١٢٣٤ AB",
    ] {
        assert_eq!(PostalCode::parse(bad), Err(PostalCodeError), "{bad}");
    }
}

#[test]
fn a_bic_has_eight_or_eleven_characters_and_begins_with_six_letters() {
    for (text, written) in
        [("ABNANL2A", "ABNANL2A"), (" ingb nl2a xxx ", "INGBNL2AXXX"), ("KREDBEBB", "KREDBEBB")]
    {
        assert_eq!(Bic::parse(text).unwrap().as_str(), written);
    }
    for bad in
        ["", "ABNANL2", "ABNANL2AX", "ABNANL2AXXXX", "ABNA1L2A", "1BNANL2A", "ABNANL2-", "ÀBNANL2"]
    {
        assert_eq!(Bic::parse(bad), Err(BicError), "{bad}");
    }
}

#[test]
fn vat_numbers_of_customers_come_from_the_eu_the_united_kingdom_and_switzerland() {
    let cases = [
        ("GB 980 7806 84", "GB980780684", "GB"),
        ("GB980780684001", "GB980780684001", "GB"),
        ("XI 980 7806 84", "XI980780684", "GB"),
        ("CHE-107.787.577 IVA", "CHE107787577", "CH"),
        ("che107787577", "CHE107787577", "CH"),
        ("DE136695976", "DE136695976", "DE"),
    ];
    for (text, expected, country) in cases {
        let number = VatNumber::of_customer(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((number.as_str(), number.country().as_str()), (expected, country));
        assert!(number.has_right_check_digits(), "{text}");
    }
    for text in ["GB12345678", "GBGD001", "CHE12345678", "CHE-107.787.577 XYZ"] {
        assert_eq!(VatNumber::of_customer(text), Err(VatNumberError::WrongForm), "{text}");
    }
    for text in ["US123456789", "NO123456789MVA", "CH107787577", "", "12"] {
        assert_eq!(VatNumber::of_customer(text), Err(VatNumberError::UnknownPrefix), "{text}");
    }
    // A number of the EU alone is one that an account can have itself.
    assert!(VatNumber::parse("GB980780684").is_err() && VatNumber::parse("CHE107787577").is_err());
}

#[test]
fn wrong_check_digits_of_a_customers_vat_number_are_noticed() {
    for text in [
        "NL002455799B12",
        "ATU13585628",
        "BE0428759498",
        "CHE107787578",
        "DE136695979",
        "DK13585627",
        "EE100594103",
        "EL023456781",
        "FI20774741",
        "FR40303265046",
        "GB802311781",
        "HR33392005962",
        "HU12892313",
        "IT00743110158",
        "LU15027443",
        "PL8567346216",
        "PT501964842",
        "SE123456789101",
        "SI50223055",
    ] {
        let number = VatNumber::of_customer(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(!number.has_right_check_digits(), "{text}");
    }
}

#[test]
fn electronic_addresses_of_peppol_are_checked_by_scheme() {
    for text in [
        "0106:12345678",
        "0190:00000001234567890123",
        "0208:0428759497",
        "9925:BE0428759497",
        "9944:NL002455799B11",
        "0088:8712345678906",
        "0060:A:b_c.d-e",
    ] {
        assert_eq!(PeppolId::parse(text).map(|id| id.to_string()).as_deref(), Ok(text));
    }
    let long = format!("0060:{}", "1".repeat(51));
    let cases = [
        ("0106:1234567", PeppolIdError::WrongValue),
        ("0190:123", PeppolIdError::WrongValue),
        ("0208:0428759498", PeppolIdError::WrongValue),
        ("9925:0428759497", PeppolIdError::WrongValue),
        ("9944:002455799B11", PeppolIdError::WrongValue),
        ("0001:1", PeppolIdError::UnknownScheme),
        ("9955:1", PeppolIdError::UnknownScheme),
        ("12345678", PeppolIdError::WrongForm),
        ("106:1", PeppolIdError::WrongForm),
        ("0060:", PeppolIdError::WrongForm),
        ("0060:é", PeppolIdError::WrongForm),
        (long.as_str(), PeppolIdError::WrongForm),
    ];
    for (text, error) in cases {
        assert_eq!(PeppolId::parse(text), Err(error), "{text}");
    }
}
