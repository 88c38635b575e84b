//! Sample invoices: a plain one, and any number generated from a seed.

use documents::{
    invoice::{
        Address, Buyer, DocumentKind, Invoice, Line, Period, Seller, VatGroup, VatTreatment,
        Version,
    },
    logo::Logo,
    pdf::{Appearance, Colour, Window},
    xaf::{
        self, Account, AuditFile, Balance, Company, Entry, EntryLine, Head, Journal, JournalKind,
        LineVat, OpeningLine, Relation, RelationRole, Totals, VatCode,
    },
};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use jiff::{ToSpan, civil::date};
use ledger::{
    country::CountryCode,
    decimal::{Decimal, multiply_to_cents},
    identifiers::{Iban, KvkNumber, VatNumber},
    language::Language,
    money::Cents,
    vat::VatRate,
};

/// Line without its amounts.
pub(crate) struct Draft {
    pub(crate) description: String,
    pub(crate) quantity: Decimal,
    pub(crate) unit_price: Decimal,
    pub(crate) rate: u16,
    pub(crate) treatment: VatTreatment,
}

pub(crate) fn line(
    description: &str,
    quantity: &str,
    unit_price: &str,
    rate: u16,
    treatment: VatTreatment,
) -> Draft {
    let number = |text: &str| text.parse().expect("a number");
    Draft {
        description: description.into(),
        quantity: number(quantity),
        unit_price: number(unit_price),
        rate,
        treatment,
    }
}

pub(crate) fn country(code: &str) -> CountryCode {
    CountryCode::parse(code).expect("a country")
}

pub(crate) fn seller() -> Seller {
    Seller {
        name: "Studio Noorderlicht".into(),
        address: Address {
            street: Some("Lange Haven 12".into()),
            postal_code: Some("3111 CD".into()),
            city: Some("Schiedam".into()),
            country: CountryCode::NL,
        },
        kvk_number: KvkNumber::parse("68750110").ok(),
        vat_number: VatNumber::parse("NL002455799B11").ok(),
        iban: Iban::parse("NL91ABNA0417164300").ok(),
        bic: None,
        account_holder: None,
        email: Some("post@noorderlicht.example".into()),
        phone: Some("010 123 45 67".into()),
        website: None,
    }
}

pub(crate) fn buyer() -> Buyer {
    Buyer {
        name: "Bakkerij De Gouden Korrel B.V.".into(),
        contact_person: Some("t.a.v. mevrouw F. van der Wülfen".into()),
        address: Address {
            street: Some("Admiraal de Ruijterweg 401-3".into()),
            postal_code: Some("1055 MD".into()),
            city: Some("Amsterdam".into()),
            country: CountryCode::NL,
        },
        email: Some("administratie@goudenkorrel.example".into()),
        vat_number: None,
        kvk_number: KvkNumber::parse("12345678").ok(),
        peppol_id: None,
        is_business: true,
    }
}

/// Returns an invoice with these lines and all optional data.
pub(crate) fn invoice(lines: &[Draft]) -> Invoice {
    priced(lines, false, |invoice| invoice)
}

/// Returns an invoice with these lines and with prices excluding or including VAT, changed by
/// `change`.
// Long: it fills every field of an invoice.
pub(crate) fn priced(
    lines: &[Draft],
    prices_include_vat: bool,
    change: impl FnOnce(Invoice) -> Invoice,
) -> Invoice {
    let mut priced = Vec::new();
    for line in lines {
        let rate = VatRate::from_basis_points(line.rate);
        let amount = multiply_to_cents(&line.quantity, &line.unit_price)
            .expect("an amount within the limit");
        let net = if prices_include_vat { without_vat(amount, rate) } else { amount };
        priced.push(Line {
            description: line.description.clone(),
            quantity: line.quantity,
            unit: None,
            unit_price: line.unit_price,
            vat_rate: rate,
            treatment: line.treatment,
            gross: amount,
            discount: Cents::ZERO,
            discount_percent: None,
            amount: net,
            amount_incl_vat: if prices_include_vat { amount } else { amount + rate.of(amount) },
        });
    }
    let mut vat: Vec<VatGroup> = Vec::new();
    for place in 0..priced.len() {
        let key = (priced[place].vat_rate, priced[place].treatment);
        if vat.iter().any(|group| (group.rate, group.treatment) == key) {
            continue;
        }
        let of_group = |line: &&Line| (line.vat_rate, line.treatment) == key;
        let gross: Cents = priced.iter().filter(of_group).map(|line| line.amount_incl_vat).sum();
        if prices_include_vat {
            // The first line gets the cents lost by rounding; the format allows any line to get
            // them.
            let missing = without_vat(gross, key.0)
                - priced.iter().filter(of_group).map(|line| line.amount).sum();
            priced[place].amount += missing;
        }
        let base: Cents = priced.iter().filter(of_group).map(|line| line.amount).sum();
        let amount = if prices_include_vat { gross - base } else { key.0.of(base) };
        let (rate, treatment) = key;
        vat.push(VatGroup { rate, treatment, discount: Cents::ZERO, base, amount });
    }
    vat.sort_by_key(|group| std::cmp::Reverse(group.rate));
    let subtotal = vat.iter().map(|group| group.base).sum();
    let vat_total = vat.iter().map(|group| group.amount).sum();
    let issue_date = date(2026, 11, 21);
    change(Invoice {
        kind: DocumentKind::Invoice,
        number: "2026-0042".into(),
        version: Version::Sent,
        test: false,
        language: Language::Dutch,
        issue_date,
        due_date: Some(date(2026, 12, 5)),
        supply: Some(Period { from: date(2026, 10, 1), until: date(2026, 10, 31) }),
        seller: seller(),
        buyer: buyer(),
        reference: Some("PO-88213".into()),
        order_number: None,
        buyer_reference: None,
        lines_total: priced.iter().map(|line| line.gross).sum(),
        lines: priced,
        prices_include_vat,
        discount: Cents::ZERO,
        discount_percent: None,
        discount_description: None,
        vat,
        subtotal,
        vat_total,
        total: subtotal + vat_total,
        notes: None,
    })
}

fn without_vat(gross: Cents, rate: VatRate) -> Cents {
    let parts = 10_000 + i128::from(rate.basis_points());
    let vat = i128::from(gross.get()) * i128::from(rate.basis_points());
    let rounded = (vat.abs() + parts / 2) / parts * vat.signum();
    gross - Cents::new(i64::try_from(rounded).expect("VAT is less than the amount"))
}

/// Returns the invoice shown in the design.
pub(crate) fn plain() -> Invoice {
    use VatTreatment::Standard;
    invoice(&[
        line(
            "Ontwerp huisstijl\nLogo, kleurpalet, letterkeuze en stijlgids van 24 pagina’s",
            "1",
            "1450",
            2100,
            Standard,
        ),
        line(
            "Uitwerking broodzakken en dozen\n14, 15, 21 en 22 oktober",
            "12.5",
            "85",
            2100,
            Standard,
        ),
        line(
            "Drukwerk: receptenboekje, 48 pagina’s\nOplage 250, genaaid gebonden",
            "250",
            "1.64",
            900,
            Standard,
        ),
        line("Reiskosten Schiedam–Amsterdam, 3 ritten", "414", "0.23", 2100, Standard),
        line("Korting eerste opdracht", "1", "-75", 2100, Standard),
    ])
}

/// Returns the invoice as a credit note: every quantity and amount negative.
pub(crate) fn credited(invoice: Invoice, reason: Option<&str>) -> Invoice {
    let lines = invoice.lines.into_iter().map(|line| Line {
        quantity: -line.quantity,
        gross: -line.gross,
        discount: -line.discount,
        amount: -line.amount,
        amount_incl_vat: -line.amount_incl_vat,
        ..line
    });
    let vat = invoice.vat.into_iter().map(|group| VatGroup {
        base: -group.base,
        amount: -group.amount,
        ..group
    });
    Invoice {
        kind: DocumentKind::CreditNote {
            invoice_number: invoice.number,
            invoice_date: invoice.issue_date,
            reason: reason.map(ToOwned::to_owned),
        },
        number: "2026-0043".into(),
        due_date: None,
        lines: lines.collect(),
        vat: vat.collect(),
        lines_total: -invoice.lines_total,
        subtotal: -invoice.subtotal,
        vat_total: -invoice.vat_total,
        total: -invoice.total,
        ..invoice
    }
}

/// Returns the line with a unit and a discount.
fn less(line: Line, unit: &str, percent: Option<&str>, discount: i64) -> Line {
    let discount = Cents::new(discount);
    Line {
        unit: Some(unit.into()),
        discount,
        discount_percent: percent.map(|percent| percent.parse().expect("a percentage")),
        amount: line.amount - discount,
        ..line
    }
}

/// Returns an invoice of two lines with units and discounts at two rates, less a discount on both.
pub(crate) fn discounted() -> Invoice {
    let sold = invoice(&[
        line("Ontwerp", "8", "100", 2100, VatTreatment::Standard),
        line("Boek", "3", "10", 900, VatTreatment::Standard),
    ]);
    let units = [("hour", Some("10"), 8_000), ("doos", None, 100)];
    let lines = sold.lines.iter().cloned().zip(units);
    let lines: Vec<Line> =
        lines.map(|(line, (unit, percent, off))| less(line, unit, percent, off)).collect();
    // 720.00 and 29.00, less 72.00 and 2.90.
    let of = |group: &VatGroup, discount: i64, base: i64| VatGroup {
        discount: Cents::new(discount),
        base: Cents::new(base),
        amount: group.rate.of(Cents::new(base)),
        ..*group
    };
    let vat = vec![of(&sold.vat[0], 7_200, 64_800), of(&sold.vat[1], 290, 2_610)];
    let vat_total: Cents = vat.iter().map(|group| group.amount).sum();
    let subtotal = Cents::new(67_410);
    Invoice {
        lines,
        vat,
        lines_total: Cents::new(74_900),
        discount: Cents::new(7_490),
        discount_percent: Some(Decimal::TEN),
        discount_description: Some("Kennismaking".into()),
        subtotal,
        vat_total,
        total: subtotal + vat_total,
        ..sold
    }
}

/// Returns a logo: a disc and a bar.
pub(crate) fn logo() -> Logo {
    let picture = RgbaImage::from_fn(465, 120, |x, y| {
        let (from_left, from_top) = (i64::from(x) - 60, i64::from(y) - 60);
        if from_left * from_left + from_top * from_top < 3_600 {
            Rgba([17, 94, 89, 255])
        } else if (140..460).contains(&x) && (40..80).contains(&y) {
            Rgba([23, 28, 36, 255])
        } else {
            Rgba([255, 255, 255, 0])
        }
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::from(picture)
        .write_to(&mut bytes, ImageFormat::Png)
        .expect("a picture is written to memory");
    Logo::read(bytes.get_ref()).expect("a logo")
}

/// Returns an invoice with `count` lines.
pub(crate) fn long(count: usize) -> Invoice {
    let lines: Vec<Draft> = (1..=count)
        .map(|place| {
            let text = format!(
                "{} {place}",
                NAMES[place % NAMES.len()].replace('\n', &format!(" {place}\n"))
            );
            line(
                &text,
                "1.5",
                "12.34",
                if place % 3 == 0 { 900 } else { 2100 },
                VatTreatment::Standard,
            )
        })
        .collect();
    invoice(&lines)
}

/// Returns an invoice that strains a page: text, amounts and addresses of maximum length.
pub(crate) fn extreme() -> Invoice {
    use VatTreatment::Standard;
    let words = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(23);
    let newlines = (1..=400).map(|number| format!("{number}\n")).collect::<String>();
    let lines = [
        line(&words, "999999999.999999999999999", "99.99", 2100, Standard),
        line(&"W".repeat(1_000), "1.6446280991735538", "8.264462809917356", 900, Standard),
        line(&newlines, "-1", "999999999", 2100, Standard),
        line("مرحبا بالعالم 王小明 🎉👩🏽\u{200d}💻\nΧαίρετε, Привет", "1", "-0.005", 900, Standard),
    ];
    let mut invoice = invoice(&lines);
    invoice.number = "FACTUUR-2026-ABCDEFGHIJKLMNOPQRSTUVWXYZ-000000000042".into();
    invoice.reference = Some("R".repeat(255));
    invoice.notes = Some("Bedankt! ".repeat(550));
    invoice.seller.name = "Naam ".repeat(51);
    invoice.seller.email = Some(format!("{}@example.com", "e".repeat(200)));
    invoice.buyer.name = "王小明 Handelsonderneming ".repeat(10);
    invoice.buyer.address.street = Some("Regel\n".repeat(30));
    invoice.buyer.address.country = country("DE");
    invoice
}

/// Returns an invoice whose lines all have the same VAT rate.
pub(crate) fn at_one_rate() -> Invoice {
    invoice(&[line("Advies, oktober", "12.5", "85", 2100, VatTreatment::Standard)])
}

/// Returns an invoice with realistically long names, addresses and references, to a customer
/// abroad.
pub(crate) fn long_names() -> Invoice {
    let mut invoice = at_one_rate();
    invoice.seller.name =
        "Ingenieursbureau en Adviescollectief Van den Broeck-Vanderstappen & Zonen".into();
    invoice.seller.address.street =
        Some("Burgemeester van Grunsvenplein 123 bis, 4e verdieping (ingang achter)".into());
    invoice.seller.email =
        Some("administratie.en.facturatie@ingenieursbureau-vandenbroeck.example".into());
    invoice.buyer.name =
        "Stichting Samenwerkende Onderwijsinstellingen Noordoost-Brabant en Omstreken".into();
    invoice.buyer.contact_person =
        Some("t.a.v. mevrouw dr. ir. A.M. van Hoogstraten-Oude Lansink, inkoop".into());
    invoice.buyer.address.street =
        Some("Sint-Bernardusabdijstraat-Zuid, gebouw Meander, 123 bis, 4e verdieping".into());
    invoice.buyer.address.country = country("BE");
    invoice.reference = Some("Inkooporder 4500012345, project Meander, kostenplaats 88213".into());
    invoice
}

/// Returns invoices for visual inspection.
pub(crate) fn pictures() -> Vec<(&'static str, Invoice, Appearance)> {
    use VatTreatment::{ReverseCharge, SmallBusiness};
    let plain_look = Appearance::default();
    let look = Appearance {
        logo: Some(logo()),
        opening: Some("Hierbij de factuur voor het werk van oktober.".into()),
        closing: Some(
            "Op al onze opdrachten zijn onze algemene voorwaarden van toepassing; u vindt ze op noorderlicht.example.".into(),
        ),
        ..Appearance::default()
    };
    let right = Appearance { window: Window::Right, ..look.clone() };
    let left = Appearance { window: Window::Left, accent: Colour([120, 60, 150]), ..look.clone() };
    let reversed = invoice(&[
        line(
            "Schilderwerk trappenhuis Vlaardingen, onderaanneming\nWeek 44 en 45",
            "38",
            "46",
            0,
            ReverseCharge,
        ),
        line("Verf en klein materiaal", "1", "212.40", 0, ReverseCharge),
    ]);
    let small = invoice(&[line("Pianoles", "4", "35", 0, SmallBusiness)]);
    let english = Invoice { language: Language::English, ..plain() };
    vec![
        ("picture-plain", plain(), look.clone()),
        ("picture-bare", plain(), plain_look.clone()),
        ("picture-window", plain(), right.clone()),
        ("picture-one-rate", at_one_rate(), right.clone()),
        ("picture-names", long_names(), right.clone()),
        (
            "picture-names-bare",
            long_names(),
            Appearance { window: Window::Right, ..plain_look.clone() },
        ),
        ("picture-draft-short", Invoice { version: Version::Draft, ..plain() }, look.clone()),
        (
            "picture-reverse-charge",
            Invoice { buyer: Buyer { vat_number: seller().vat_number, ..buyer() }, ..reversed },
            left,
        ),
        ("picture-long", long(40), look.clone()),
        (
            "picture-extreme-bare",
            extreme(),
            Appearance { window: Window::Left, ..plain_look.clone() },
        ),
        ("picture-500", long(500), plain_look.clone()),
        ("picture-extreme", extreme(), look.clone()),
        ("picture-small-business", small, plain_look.clone()),
        ("picture-discounts", discounted(), look.clone()),
        ("picture-draft", Invoice { version: Version::Draft, ..long(30) }, look.clone()),
        ("picture-test", Invoice { test: true, ..english.clone() }, look.clone()),
        ("picture-translation", Invoice { version: Version::Translation, ..english }, look.clone()),
        ("picture-credit", credited(plain(), Some("Te veel uren gerekend")), look),
        (
            "picture-including",
            priced(&[line("Cursus", "3", "121", 2100, VatTreatment::Standard)], true, |invoice| {
                invoice
            }),
            plain_look,
        ),
    ]
}

/// VAT rate in basis points, and treatment.
type Vat = (u16, VatTreatment);

/// Cases of generated invoices: name, VAT of the lines, and country of the buyer.
const CASES: &[(&str, &[Vat], &str)] = &[
    ("high", &[(2100, VatTreatment::Standard)], "NL"),
    ("low", &[(900, VatTreatment::Standard)], "NL"),
    ("both-rates", &[(2100, VatTreatment::Standard), (900, VatTreatment::Standard)], "NL"),
    ("zero", &[(0, VatTreatment::Zero)], "NL"),
    ("exempt", &[(0, VatTreatment::Exempt)], "NL"),
    ("small-business", &[(0, VatTreatment::SmallBusiness)], "NL"),
    ("reverse-charge", &[(0, VatTreatment::ReverseCharge)], "NL"),
    ("eu-service", &[(0, VatTreatment::EuService)], "DE"),
    ("eu-goods", &[(0, VatTreatment::EuGoods)], "FR"),
    ("triangular", &[(0, VatTreatment::Triangular)], "PL"),
    ("export", &[(0, VatTreatment::Export)], "US"),
    ("service-outside-eu", &[(0, VatTreatment::ServiceOutsideEu)], "CH"),
    ("out-of-scope", &[(0, VatTreatment::OutOfScope)], "NL"),
    ("outside-twice", &[(0, VatTreatment::ServiceOutsideEu), (0, VatTreatment::OutOfScope)], "GB"),
    ("eu-both", &[(0, VatTreatment::EuService), (0, VatTreatment::EuGoods)], "BE"),
    ("reverse-and-high", &[(0, VatTreatment::ReverseCharge), (2100, VatTreatment::Standard)], "NL"),
    (
        "all-that-mix",
        &[
            (2100, VatTreatment::Standard),
            (900, VatTreatment::Standard),
            (0, VatTreatment::Zero),
            (0, VatTreatment::Exempt),
        ],
        "NL",
    ),
];

const NAMES: &[&str] = &[
    "Uren ontwerp",
    "Advies & begeleiding <spoed>",
    "Hosting\nseptember tot en met december",
    "Χαίρετε, Привет, مرحبا, 王小明 🎉",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikationsleiter",
    "Café “De Kroon” – 3 × lunch",
];

/// Generates `count` invoices from a seed. The first round through all cases consists of invoices,
/// the second of credit notes, the third of invoices with prices including VAT, and so on.
pub(crate) fn corpus(seed: u64, count: usize) -> Vec<(String, Invoice)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut more = fastrand::Rng::with_seed(seed + 1);
    (0..count)
        .map(|place| {
            let (case, kinds, buyer_country) = CASES[place % CASES.len()];
            let round = place / CASES.len();
            let invoice = drawn(&mut random, kinds, buyer_country, round % 3 == 2);
            let invoice = if round % 3 == 1 {
                credited(invoice, random.bool().then_some("Te veel uren"))
            } else {
                invoice
            };
            (format!("{place:03}-{case}"), less_discounts(&mut more, invoice))
        })
        .collect()
}

/// Returns the invoice with units, an order number and another reference and, if its prices exclude
/// VAT, with discounts: on lines above zero, and on all lines. A credit note has only those on lines.
fn less_discounts(random: &mut fastrand::Rng, invoice: Invoice) -> Invoice {
    let share = |percent: Decimal, amount: Cents| {
        multiply_to_cents(&(percent / Decimal::ONE_HUNDRED), &Decimal::new(amount.get(), 2))
            .expect("a part of an amount")
    };
    let is_credit = invoice.is_credit_note();
    let units = ["hour", "day", "piece", "m2", "litre", "dagdeel", "doos & zak"];
    let mut lines = invoice.lines;
    for line in &mut lines {
        line.unit = random.bool().then(|| units[random.usize(..units.len())].into());
        if invoice.prices_include_vat || line.gross.is_negative() != is_credit || random.bool() {
            continue;
        }
        let percent = Decimal::new(random.i64(1..=5_000), 2);
        line.discount = share(percent, line.gross);
        line.discount_percent = Some(percent).filter(|_| !is_credit && random.bool());
        line.amount = line.gross - line.discount;
    }
    let percent = Decimal::new(random.i64(1..=5_000), 2);
    let is_less = !invoice.prices_include_vat && !is_credit && random.bool();
    let vat: Vec<VatGroup> = if invoice.prices_include_vat {
        invoice.vat
    } else {
        let less = |group: VatGroup| {
            let key = (group.rate, group.treatment);
            let its = lines.iter().filter(|line| (line.vat_rate, line.treatment) == key);
            let before: Cents = its.map(|line| line.amount).sum();
            let discount = if is_less { share(percent, before) } else { Cents::ZERO };
            let base = before - discount;
            VatGroup { discount, base, amount: group.rate.of(base), ..group }
        };
        invoice.vat.into_iter().map(less).collect()
    };
    let subtotal: Cents = vat.iter().map(|group| group.base).sum();
    let vat_total: Cents = vat.iter().map(|group| group.amount).sum();
    let discount: Cents = vat.iter().map(|group| group.discount).sum();
    Invoice {
        lines_total: subtotal + discount,
        discount,
        discount_percent: is_less.then_some(percent),
        discount_description: (is_less && random.bool()).then(|| "Kennismaking".into()),
        order_number: random.bool().then(|| "4500012345".into()),
        buyer_reference: random.bool().then(|| "Afdeling 12".into()),
        lines,
        vat,
        subtotal,
        vat_total,
        total: subtotal + vat_total,
        ..invoice
    }
}

fn drawn(
    random: &mut fastrand::Rng,
    kinds: &[Vat],
    buyer_country: &str,
    including: bool,
) -> Invoice {
    let mut lines = Vec::new();
    for (rate, treatment) in kinds {
        for _ in 0..random.usize(1..=6) {
            lines.push(drawn_line(random, *rate, *treatment));
        }
        // A discount of at most a tenth of the smallest line, so that no group falls below zero.
        if random.bool() {
            lines.push(Draft {
                description: "Korting".into(),
                quantity: Decimal::ONE,
                unit_price: Decimal::new(-random.i64(1..=9), 2),
                rate: *rate,
                treatment: *treatment,
            });
        }
    }
    let needs_number = kinds.iter().any(|(_, treatment)| NUMBERED.contains(treatment));
    let customer = match buyer_country {
        "NL" => dutch(random, needs_number),
        country => foreign(country),
    };
    let from = date(2026, 1, 1) + random.i32(0..300).days();
    let until = from + (random.i32(0..3) * 15).days();
    let (language, with_supply, prepayment, test) =
        (random.bool(), random.bool(), random.u8(0..5) == 0, random.u8(0..8) == 0);
    let (notes, with_iban, reference) = (random.bool(), random.u8(0..6) != 0, random.u8(0..4) != 0);
    priced(&lines, including, |plain| Invoice {
        kind: if prepayment { DocumentKind::Prepayment } else { DocumentKind::Invoice },
        test,
        language: if language { Language::Dutch } else { Language::English },
        supply: with_supply.then_some(Period { from, until }),
        seller: Seller { iban: plain.seller.iban.clone().filter(|_| with_iban), ..plain.seller },
        buyer: customer,
        reference: plain.reference.filter(|_| reference),
        notes: notes.then(|| "Bedankt voor de opdracht!\nTot de volgende keer.".into()),
        ..plain
    })
}

/// Treatments for which an e-invoice must identify the buyer by a number (BR-AE-02, BR-IC-02).
const NUMBERED: [VatTreatment; 4] = [
    VatTreatment::ReverseCharge,
    VatTreatment::EuService,
    VatTreatment::EuGoods,
    VatTreatment::Triangular,
];

/// Generates a Dutch buyer: a business with a KvK number, a VAT number or both, or a consumer; with
/// a full address, part of one, or none.
fn dutch(random: &mut fastrand::Rng, needs_number: bool) -> Buyer {
    let whole = buyer();
    let (has_kvk, has_vat) = match random.u8(0..if needs_number { 4 } else { 6 }) {
        0 | 1 => (true, true),
        2 => (true, false),
        3 => (false, true),
        _ => (false, false),
    };
    let address = match random.u8(0..5) {
        0 => Address { street: None, postal_code: None, city: None, ..whole.address },
        1 => Address { postal_code: None, ..whole.address },
        _ => whole.address,
    };
    Buyer {
        contact_person: whole.contact_person.filter(|_| random.bool()),
        email: whole.email.filter(|_| random.bool()),
        kvk_number: whole.kvk_number.filter(|_| has_kvk),
        vat_number: VatNumber::parse("NL123456782B12").ok().filter(|_| has_vat),
        is_business: has_kvk || has_vat,
        address,
        ..whole
    }
}

fn drawn_line(random: &mut fastrand::Rng, rate: u16, treatment: VatTreatment) -> Draft {
    let quantity = match random.u8(0..4) {
        0 => Decimal::ONE,
        1 => Decimal::new(random.i64(1..100_000), 2),
        2 => Decimal::from(random.i64(1..5_000)),
        _ => Decimal::new(random.i64(1_000_000_000_000_000..9_000_000_000_000_000), 15),
    };
    let unit_price = match random.u8(0..4) {
        0 => Decimal::new(random.i64(100..1_000_000), 2),
        1 => Decimal::new(random.i64(1_000_000_000_000_000..9_999_999_999_999_999), 15),
        2 => Decimal::from(random.i64(1..2_000)),
        _ => Decimal::new(random.i64(10_000..99_999), 4),
    };
    Draft {
        description: NAMES[random.usize(0..NAMES.len())].into(),
        quantity,
        unit_price,
        rate,
        treatment,
    }
}

fn foreign(code: &str) -> Buyer {
    let vat_number = match code {
        "DE" => Some("DE123456789"),
        "FR" => Some("FR40303265045"),
        "PL" => Some("PL5260001246"),
        "BE" => Some("BE0428759497"),
        _ => None,
    };
    Buyer {
        name: "Kunde & Söhne".into(),
        contact_person: None,
        address: Address {
            street: Some("Hauptstraße 1\nHinterhaus".into()),
            postal_code: Some("10115".into()),
            city: Some("Stadt".into()),
            country: country(code),
        },
        email: Some("ap@kunde.example".into()),
        is_business: vat_number.is_some(),
        vat_number: vat_number.and_then(|number| VatNumber::parse(number).ok()),
        kvk_number: None,
        peppol_id: None,
    }
}

/// Returns the head of a small audit file.
pub(crate) fn head() -> Head {
    let account = |code: &str, name: &str, in_balance_sheet, rgs: &str| Account {
        code: code.into(),
        name: name.into(),
        in_balance_sheet,
        rgs: rgs.into(),
    };
    let customer = buyer();
    Head {
        year: 2026,
        created: date(2027, 1, 15),
        software_version: "0.1.0".into(),
        rgs_version: "3.7".into(),
        company: Company {
            name: seller().name,
            address: seller().address,
            kvk_number: seller().kvk_number,
            vat_number: seller().vat_number,
        },
        relations: vec![
            Relation {
                id: "1".into(),
                name: "Een naam van meer dan vijftig tekens, want zo lang mag die in het bestand niet zijn".into(),
                role: RelationRole::Customer,
                address: customer.address,
                email: customer.email,
                kvk_number: customer.kvk_number,
                vat_number: VatNumber::parse("NL123456782B12").ok(),
                balances: vec![Balance { account: "1300".into(), opening: Cents::new(25_000), closing: Cents::new(37_100) }],
            },
            Relation {
                id: "L-0f0f".into(),
                name: "Papierhal".into(),
                role: RelationRole::Supplier,
                address: Address { street: None, postal_code: None, city: None, country: country("NL") },
                email: None,
                kvk_number: None,
                vat_number: None,
                balances: vec![Balance { account: "1600".into(), opening: Cents::new(-5_000), closing: Cents::new(-5_000) }],
            },
        ],
        accounts: vec![
            account("0500", "Eigen vermogen", true, "BEivKapOnd"),
            account("1100", "Bank", true, "BLimBanRba"),
            account("1300", "Debiteuren", true, "BVorDebHad"),
            account("1600", "Crediteuren", true, "BSchCreHac"),
            account("1700", "Btw hoog", true, "BSchBepBtwOla"),
            account("8000", "Omzet hoog", false, "WOmzNodOdh"),
        ],
        vat_codes: vec![VatCode {
            id: "1a".into(),
            description: "Leveringen/diensten belast met hoog tarief".into(),
            due_on: Some("1700".into()),
            deducted_on: None,
        }],
        opening: vec![
            OpeningLine { account: "0500".into(), amount: Cents::new(-95_000) },
            OpeningLine { account: "1100".into(), amount: Cents::new(75_000) },
            OpeningLine { account: "1300".into(), amount: Cents::new(25_000) },
            OpeningLine { account: "1600".into(), amount: Cents::new(-5_000) },
        ],
        totals: Totals { lines: 7, debit: Cents::new(48_400), credit: Cents::new(48_400) },
    }
}

/// Returns a line with an amount of zero on account 1300.
pub(crate) fn entry_line() -> EntryLine<'static> {
    EntryLine {
        account: "1300",
        amount: Cents::ZERO,
        document: "2026-0001",
        effective: date(2026, 3, 15),
        relation: None,
        invoice: None,
        vat: None,
    }
}

/// Returns an entry dated 15 March.
pub(crate) fn entry<'e>(number: i64, lines: &'e [EntryLine<'e>]) -> Entry<'e> {
    Entry { number, description: "Factuur 2026-0001 & zo", date: date(2026, 3, 15), lines }
}

/// Returns the sales journal.
pub(crate) fn journal() -> Journal {
    Journal { id: "VRK".into(), name: "Verkoop".into(), kind: JournalKind::Sales }
}

/// Returns a small audit file.
pub(crate) fn audit_file(version: xaf::Version) -> Vec<u8> {
    let high = VatRate::from_basis_points(2100);
    let sale = [
        EntryLine {
            amount: Cents::new(24_200),
            relation: Some("1"),
            invoice: Some("2026-0001"),
            ..entry_line()
        },
        EntryLine {
            account: "8000",
            amount: Cents::new(-20_000),
            vat: Some(LineVat { code: "1a", rate: high, amount: Cents::new(-4_200) }),
            ..entry_line()
        },
        EntryLine {
            account: "1700",
            amount: Cents::new(-4_200),
            vat: Some(LineVat { code: "1a", rate: high, amount: Cents::new(-4_200) }),
            ..entry_line()
        },
    ];
    let paid = [
        EntryLine { account: "1100", amount: Cents::new(12_100), ..entry_line() },
        EntryLine {
            amount: Cents::new(-12_100),
            relation: Some("1"),
            invoice: Some("2026-0001"),
            ..entry_line()
        },
        EntryLine { account: "1100", amount: Cents::new(12_100), ..entry_line() },
        EntryLine { account: "0500", amount: Cents::new(-12_100), ..entry_line() },
    ];
    let mut file = AuditFile::begin(Vec::new(), version, &head()).expect("a beginning");
    file.journal(&journal()).expect("a journal");
    file.entry(&entry(101, &sale)).expect("an entry");
    file.journal(&Journal { id: "BNK".into(), name: "Bank".into(), kind: JournalKind::Bank })
        .expect("a journal");
    file.entry(&entry(102, &paid)).expect("an entry");
    file.finish().expect("an end")
}
