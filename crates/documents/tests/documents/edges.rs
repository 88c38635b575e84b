//! Named invoices that test edge cases of the rules for e-invoices.

use crate::samples::{buyer, country, credited, extreme, invoice, line, long, priced, seller};
use documents::invoice::{
    Address, Buyer, DocumentKind, Invoice, Line, Seller, VatGroup, VatTreatment,
};
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    identifiers::{Iban, VatNumber},
    language::Language,
    money::Cents,
};

/// VAT number of each member state and of Northern Ireland, from the examples in python-stdnum.
const NUMBERS: &[&str] = &[
    "ATU13585627",
    "BE0220764971",
    "BG103873594",
    "CY10259033P",
    "CZ25123891",
    "DE221304969",
    "DK10503280",
    "EE100931558",
    "EL094012834",
    "ES54362315K",
    "FI20946063",
    "FR83404833048",
    "HR33392005961",
    "HU12892312",
    "IE6433435F",
    "IT00118439991",
    "LT119511515",
    "LU15027442",
    "LV40003521600",
    "MT11679112",
    "PL5840304472",
    "PT500019720",
    "RO1822964",
    "SE556383740901",
    "SI50223054",
    "SK2020237945",
    "XI432525179",
];

/// Strings that strain a reader: markup, combining marks, both writing directions, and characters
/// that are invisible or that XML 1.0 does not allow.
const TEXTS: &[&str] = &[
    "<&\">' ]]> <!-- --> <?xml?>",
    "\u{fffe}",
    "a\u{ffff}\u{fffe}b\n\u{ffff}",
    "e\u{301}\u{20dd} \u{202e}omgekeerd\u{202c} \u{200b}\u{feff}",
    "مرحبا שלום 王小明 🎉👩🏽\u{200d}💻",
    "een\u{a0}\u{2003}regel\n\n\n\ttwee\n",
    "\u{10ffff}\u{e000}\u{85}\u{2028}x",
];

/// Returns all edge cases, with their names.
pub(crate) fn edges() -> Vec<(String, Invoice)> {
    let mut all: Vec<(String, Invoice)> = Vec::new();
    all.extend(
        CountryCode::all().map(|country| (format!("consumer-{country}"), of_consumer(country))),
    );
    for number in NUMBERS {
        for treatment in [VatTreatment::EuService, VatTreatment::EuGoods, VatTreatment::Triangular]
        {
            all.push((
                format!("number-{}-{treatment:?}", &number[..2]),
                of_business(number, treatment),
            ));
        }
    }
    for (place, text) in TEXTS.iter().enumerate() {
        all.push((format!("text-{place}"), of_text(text)));
    }
    for (price, parts) in [
        ("17.925", &["1", "9"][..]),
        ("17.925", &["9", "1"]),
        ("17.925", &["1"; 10]),
        ("95.55", &["0.75"; 2]),
    ] {
        let notes = by_parts(price, parts);
        all.extend(
            notes
                .into_iter()
                .enumerate()
                .map(|(place, note)| (format!("part-{}-{place}", parts.join("+")), note)),
        );
    }
    all.extend(others().into_iter().map(|(name, invoice)| (name.to_owned(), invoice)));
    all
}

fn work() -> Invoice {
    invoice(&[line("Werk", "7.5", "95.5", 2100, VatTreatment::Standard)])
}

/// Returns an invoice to a consumer in the given country; for about a third of the countries, it is
/// a credit note. About half of the consumers have an address.
fn of_consumer(country: CountryCode) -> Invoice {
    let [first, second] = country.as_str().as_bytes() else { panic!("two letters") };
    let street = (first + second).is_multiple_of(2).then(|| "Main Street 1".to_owned());
    let address = Address {
        city: street.as_ref().map(|_| "Town".into()),
        street,
        postal_code: None,
        country,
    };
    let buyer = Buyer {
        name: "J. Doe".into(),
        contact_person: None,
        address,
        email: None,
        vat_number: None,
        kvk_number: None,
        peppol_id: None,
        is_business: false,
    };
    let sold = Invoice { buyer, reference: None, ..work() };
    if second.is_multiple_of(3) { credited(sold, None) } else { sold }
}

fn of_business(number: &str, treatment: VatTreatment) -> Invoice {
    let number = VatNumber::parse(number).expect("a VAT number");
    let address = Address {
        street: Some("Main Street 1".into()),
        postal_code: None,
        city: None,
        country: number.country(),
    };
    let buyer = Buyer { vat_number: Some(number), kvk_number: None, address, ..buyer() };
    Invoice { buyer, supply: None, ..invoice(&[line("Werk", "2", "50", 0, treatment)]) }
}

fn of_text(text: &str) -> Invoice {
    let plain = invoice(&[line(text, "1", "1", 2100, VatTreatment::Standard)]);
    let address = Address { street: Some(text.into()), city: Some(text.into()), ..buyer().address };
    let buyer = Buyer { name: text.into(), contact_person: Some(text.into()), address, ..buyer() };
    let seller = Seller { name: text.into(), phone: Some(text.into()), ..seller() };
    Invoice { buyer, seller, reference: Some(text.into()), notes: Some(text.into()), ..plain }
}

/// Returns credit notes for parts of one line; the last note credits the remaining amount.
fn by_parts(price: &str, parts: &[&str]) -> Vec<Invoice> {
    let quantity: Decimal =
        parts.iter().map(|part| part.parse::<Decimal>().expect("a quantity")).sum();
    let whole =
        invoice(&[line("Werk", &quantity.to_string(), price, 2100, VatTreatment::Standard)]);
    let mut left = whole.subtotal;
    let mut notes = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let plain = invoice(&[line("Werk", part, price, 2100, VatTreatment::Standard)]);
        let amount = if place + 1 == parts.len() { left } else { plain.subtotal };
        left -= amount;
        notes.push(credited(with_amount(plain, amount), None));
    }
    notes
}

/// Returns the invoice with a different amount on its only line.
fn with_amount(invoice: Invoice, amount: Cents) -> Invoice {
    let vat: Vec<VatGroup> = invoice
        .vat
        .iter()
        .map(|group| VatGroup { base: amount, amount: group.rate.of(amount), ..*group })
        .collect();
    let vat_total = vat.iter().map(|group| group.amount).sum();
    let lines = invoice.lines.into_iter().map(|line| Line {
        gross: amount,
        amount,
        amount_incl_vat: amount + vat_total,
        ..line
    });
    Invoice {
        lines: lines.collect(),
        vat,
        lines_total: amount,
        subtotal: amount,
        vat_total,
        total: amount + vat_total,
        ..invoice
    }
}

fn others() -> Vec<(&'static str, Invoice)> {
    use VatTreatment::{Exempt, OutOfScope, SmallBusiness, Standard};
    let settled = [
        line("Verbouwing", "1", "10000", 2100, Standard),
        line("Vooruitbetaald op factuur 2026-0007", "-1", "4000", 2100, Standard),
    ];
    let free =
        [line("Gratis", "0", "12.10", 2100, Standard), line("Niets", "1", "0", 900, Standard)];
    let taken_back =
        [line("Werk", "1", "100", 2100, Standard), line("Terug", "-1", "100", 2100, Standard)];
    let dear = [
        line("Duur", "999999999.99", "0.01", 2100, Standard),
        line("Fijn", "0.00000000000000000001", "999999", 900, Standard),
    ];
    let mut bare = work();
    bare.seller = Seller { iban: None, email: None, phone: None, ..bare.seller };
    let mut abroad = work();
    abroad.seller.iban = Iban::parse("DE89370400440532013000").ok();
    let mut dutch_number = work();
    dutch_number.buyer =
        Buyer { vat_number: VatNumber::parse("NL123456782B12").ok(), kvk_number: None, ..buyer() };
    let mut register = work();
    register.buyer.address.country = country("DE");
    vec![
        ("prepayment", Invoice { kind: DocumentKind::Prepayment, ..work() }),
        ("settled", invoice(&settled)),
        ("settled-credited", credited(invoice(&settled), Some("Niet doorgegaan"))),
        ("free", invoice(&free)),
        ("free-including", priced(&free, true, |invoice| invoice)),
        ("taken-back", invoice(&taken_back)),
        ("dear", invoice(&dear)),
        ("dear-including", priced(&dear, true, |invoice| invoice)),
        ("lines-500", long(500)),
        ("lines-500-credited", credited(long(500), None)),
        ("extreme", extreme()),
        ("seller-bare", bare.clone()),
        ("seller-bare-credited", credited(bare, None)),
        ("seller-iban-abroad", abroad),
        ("buyer-vat-number-only", dutch_number),
        ("buyer-abroad-in-register", register),
        ("without-due-date", Invoice { due_date: None, supply: None, reference: None, ..work() }),
        ("test-english", Invoice { test: true, language: Language::English, ..work() }),
        ("kor-credited", credited(invoice(&[line("Pianoles", "4", "35", 0, SmallBusiness)]), None)),
        (
            "exempt-and-kor",
            invoice(&[line("Les", "1", "35", 0, SmallBusiness), line("Les", "1", "35", 0, Exempt)]),
        ),
        ("outside-credited", credited(invoice(&[line("Schade", "1", "35", 0, OutOfScope)]), None)),
    ]
}
