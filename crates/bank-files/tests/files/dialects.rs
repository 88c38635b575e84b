//! Statements of random payments, written as each bank writes MT940 and CSV.

use crate::writers::{self, Payment};
use fastrand::Rng;
use jiff::{
    ToSpan,
    civil::{Date, date},
};

/// Days that the statements cover, from the first.
const DAYS: i64 = 90;
const FIRST: Date = date(2026, 1, 1);
const LAST: Date = date(2026, 3, 31);
const NAMES: [&str; 4] = ["Bakker en Zn", "J. Jansen", "Studio Noord B.V.", "Gemeente Utrecht"];
const TEXTS: [&str; 4] = ["Factuur 2026-0028", "Brood", "Huur van maart", "Abonnement 12 maanden"];
const IBANS: [&str; 3] = ["NL91ABNA0417164300", "NL32INGB0195515500", "BE68539007547034"];

/// Notation of MT940: what is before the message, the account, width of the amounts, and how a
/// payment is written.
struct Notation {
    bank: &'static str,
    envelope: &'static str,
    account: &'static str,
    width: usize,
    line: fn(&Payment, usize) -> String,
}

const NOTATIONS: [Notation; 7] = [
    Notation {
        bank: "ing",
        envelope: "{1:F01INGBNL2ABXXX0000000000}\r\n{2:I940INGBNL2AXXXN}\r\n{4:\r\n",
        account: "NL69INGB0123456789EUR",
        width: 0,
        line: ing,
    },
    Notation {
        bank: "rabobank",
        envelope: ":940:\r\n",
        account: "NL50RABO0123456789 EUR",
        width: 15,
        line: rabobank,
    },
    Notation {
        bank: "abn-amro-old",
        envelope: "ABNANL2A\r\n940\r\nABNANL2A\r\n",
        account: "500950253",
        width: 0,
        line: abn_amro_old,
    },
    Notation {
        bank: "knab",
        envelope: "{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:\r\n",
        account: "NL27KNAB0123456789",
        width: 0,
        line: knab,
    },
    Notation {
        bank: "bunq",
        envelope: "BUNQNL2A\r\n940\r\nBUNQNL2A\r\n",
        account: "NL10BUNQ2290325473 EUR",
        width: 0,
        line: bunq,
    },
    Notation {
        bank: "asn",
        envelope: "{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\r\n",
        account: "NL53ASNB0781269733",
        width: 0,
        line: asn,
    },
    Notation {
        bank: "triodos",
        envelope: "",
        account: "TRIODOSBANK/0666666666",
        width: 0,
        line: triodos,
    },
];

/// Writes one file per bank and format, each of `count` other payments: their names and contents.
pub(crate) fn files(random: &mut Rng, count: usize) -> Vec<(String, String)> {
    let mut files = vec![
        ("camt.xml".to_owned(), writers::camt(&payments(random, count), 1_000, FIRST, LAST)),
        ("abn-amro.940".to_owned(), writers::mt940(&payments(random, count), 1_000, FIRST, LAST)),
        ("rabobank.csv".to_owned(), writers::csv(&payments(random, count), 1_000)),
        ("ing.csv".to_owned(), ing_csv(&payments(random, count))),
        ("knab.csv".to_owned(), knab_csv(&payments(random, count))),
        ("asn.csv".to_owned(), asn_csv(&payments(random, count))),
    ];
    for notation in &NOTATIONS {
        let file = mt940(notation, &payments(random, count));
        files.push((format!("{}.940", notation.bank), file));
    }
    files
}

/// Random payments in order of their days.
fn payments(random: &mut Rng, count: usize) -> Vec<Payment> {
    let mut payments: Vec<Payment> = (0..count)
        .map(|_| Payment {
            date: FIRST.saturating_add(random.i64(0..DAYS).days()),
            cents: random.i64(1..10_000_000) * if random.bool() { 1 } else { -1 },
            name: NAMES[random.usize(..NAMES.len())].to_owned(),
            iban: random.bool().then(|| IBANS[random.usize(..IBANS.len())].to_owned()),
            text: TEXTS[random.usize(..TEXTS.len())].to_owned(),
            end_to_end_id: random.bool().then(|| format!("GB-{}", random.u32(..))),
        })
        .collect();
    payments.sort_by_key(|payment| payment.date);
    payments
}

fn mt940(notation: &Notation, payments: &[Payment]) -> String {
    let Notation { bank: _, envelope, account, width, line } = notation;
    let balance = |cents: i64, date: Date| {
        let amount = euros(cents, ',', *width);
        format!("{}{}EUR{amount}", if cents < 0 { 'D' } else { 'C' }, date.strftime("%y%m%d"))
    };
    let opening = 1_000;
    let closing = opening + payments.iter().map(|payment| payment.cents).sum::<i64>();
    let lines: String = payments.iter().map(|payment| line(payment, *width)).collect();
    format!(
        "{envelope}:20:1\r\n:25:{account}\r\n:28C:60/1\r\n:60F:{}\r\n{lines}:62F:{}\r\n-\r\n",
        balance(opening, FIRST),
        balance(closing, LAST)
    )
}

/// Writes `:61:` up to the amount. `entry` is the format of the entry date; empty without one.
fn begin(payment: &Payment, entry: &str, width: usize) -> String {
    let mark = if payment.cents < 0 { 'D' } else { 'C' };
    let (value, entry) = (payment.date.strftime("%y%m%d"), payment.date.strftime(entry));
    format!(":61:{value}{entry}{mark}{}", euros(payment.cents, ',', width))
}

/// Writes `:86:` in lines of 65 characters.
fn details(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let lines: Vec<String> = characters.chunks(65).map(|line| line.iter().collect()).collect();
    format!(":86:{}\r\n", lines.join("\r\n"))
}

fn reference(payment: &Payment) -> &str {
    payment.end_to_end_id.as_deref().unwrap_or("NOTPROVIDED")
}

fn ing(payment: &Payment, width: usize) -> String {
    let party = payment
        .iban
        .as_ref()
        .map_or(String::new(), |iban| format!("/CNTP/{iban}/ABNANL2A/{}///", payment.name));
    let text = format!("/EREF/{}/{party}/REMI/USTD//{}/", reference(payment), payment.text);
    let begin = begin(payment, "%m%d", width);
    format!("{begin}NTRFEREF//26030200001\r\n/TRCD/00100/\r\n{}", details(&text))
}

fn rabobank(payment: &Payment, width: usize) -> String {
    let party = if payment.cents < 0 { "BENM" } else { "ORDP" };
    let text = format!(
        "/EREF/{}/{party}//NAME/{}/REMI/{}/ISDT/{}",
        reference(payment),
        payment.name,
        payment.text,
        payment.date
    );
    let account = payment.iban.as_ref().map_or(String::new(), |iban| format!("\r\n{iban}"));
    format!("{}N102EREF{account}\r\n{}", begin(payment, "", width), details(&text))
}

fn abn_amro_old(payment: &Payment, width: usize) -> String {
    let field = |key: &str, value: &str| format!("{:<32}", format!("{key}: {value}"));
    let mut text = format!("{:<32}", "SEPA Overboeking");
    if let Some(iban) = &payment.iban {
        text += &field("IBAN", iban);
        text += &field("BIC", "ABNANL2A");
    }
    text += &field("Naam", &payment.name);
    text += &field("Omschrijving", &payment.text);
    format!("{}N192NONREF\r\n{}", begin(payment, "%m%d", width), details(text.trim_end()))
}

fn knab(payment: &Payment, width: usize) -> String {
    let party =
        payment.iban.as_ref().map_or(String::new(), |iban| format!("/IBAN/{iban}/BIC/ABNANL2A "));
    let text = format!(
        "/TRTP/SEPA OVERBOEKING{party}/NAME/{} /EREF/{} /REMI/{}",
        payment.name,
        reference(payment),
        payment.text
    );
    format!("{}N105NONREF//B6D29\r\n{}", begin(payment, "%m%d", width), details(&text))
}

fn bunq(payment: &Payment, width: usize) -> String {
    let party = payment.iban.as_ref().map_or(String::new(), |iban| format!("/IBAN/{iban}"));
    let text =
        format!("{party}/NAME/{}/REMI/{}/EREF/{}", payment.name, payment.text, reference(payment));
    format!("{}NTRFNONREF\r\n{}", begin(payment, "%m%d", width), details(&text))
}

fn asn(payment: &Payment, width: usize) -> String {
    let begin = begin(payment, "%m%d", width);
    match &payment.iban {
        Some(iban) => format!(
            "{begin}NOVB{iban}\r\n{}\r\n:86:{iban} {}\r\n{}\r\n",
            payment.name, payment.name, payment.text
        ),
        None => format!("{begin}NDIVNONREF\r\n:86:{}\r\n", payment.text),
    }
}

fn triodos(payment: &Payment, width: usize) -> String {
    let begin = begin(payment, "", width);
    let party =
        payment.iban.as_ref().map_or(String::new(), |iban| format!(">20ABNANL2A\r\n>21{iban}\r\n"));
    format!(
        "{begin}NET NONREF\r\n:86:000>100000000000\r\n{party}>22{}\r\n>310666666666\r\n",
        payment.text
    )
}

/// Writes CSV as ING does, the latest payment first.
fn ing_csv(payments: &[Payment]) -> String {
    let mut balance = 1_000;
    let mut rows = Vec::new();
    for payment in payments {
        balance += payment.cents;
        rows.push(row(
            ';',
            &[
                &payment.date.strftime("%Y%m%d").to_string(),
                &payment.name,
                "NL69INGB0123456789",
                payment.iban.as_deref().unwrap_or_default(),
                "OV",
                if payment.cents < 0 { "Af" } else { "Bij" },
                &euros(payment.cents, ',', 0),
                "Overschrijving",
                &format!("Omschrijving: {}", payment.text),
                &signed(balance, ','),
                "",
            ],
        ));
    }
    rows.reverse();
    let head = "Datum Naam_/_Omschrijving Rekening Tegenrekening Code Af_Bij Bedrag_(EUR) Mutatiesoort Mededelingen Saldo_na_mutatie Tag";
    let head: Vec<String> = head.split(' ').map(|name| name.replace('_', " ")).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    row(';', &head) + &rows.concat()
}

/// Writes CSV as Knab does.
fn knab_csv(payments: &[Payment]) -> String {
    let mut file = String::from(
        "KNAB EXPORT;;;;;;;;;;;;;;;;\r\nRekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;Type betaling;Machtigingsnummer;Incassant ID;Adres;Referentie;Boekdatum;\r\n",
    );
    for (number, payment) in payments.iter().enumerate() {
        let day = payment.date.strftime("%d-%m-%Y").to_string();
        file += &row(
            ';',
            &[
                "NL27KNAB0123456789",
                &day,
                "EUR",
                if payment.cents < 0 { "D" } else { "C" },
                &euros(payment.cents, ',', 0),
                payment.iban.as_deref().unwrap_or_default(),
                &payment.name,
                &day,
                "Overboeking",
                &payment.text,
                "",
                "",
                "",
                "",
                &format!("B9E17{number:06}"),
                &day,
                "",
            ],
        );
    }
    file
}

/// Writes CSV as ASN does: no head, and the balance before each payment.
fn asn_csv(payments: &[Payment]) -> String {
    let mut balance = 1_000;
    let mut file = String::new();
    for (number, payment) in payments.iter().enumerate() {
        let day = payment.date.strftime("%d-%m-%Y").to_string();
        let cells = [
            &*day,
            "NL53ASNB0781269733",
            payment.iban.as_deref().unwrap_or_default(),
            &payment.name,
            "",
            "",
            "",
            "EUR",
            &signed(balance, '.'),
            "EUR",
            &signed(payment.cents, '.'),
            &day,
            &day,
            "1234",
            "OVB",
            &format!("{:08}", number + 1),
            "",
            &format!("'{}'", payment.text),
            "3",
        ];
        file += &cells.join(",");
        file += "\r\n";
        balance += payment.cents;
    }
    file
}

fn row(delimiter: char, cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\"")).collect();
    cells.join(&delimiter.to_string()) + "\r\n"
}

fn euros(cents: i64, point: char, width: usize) -> String {
    let amount = format!("{}{point}{:02}", cents.abs() / 100, cents.abs() % 100);
    format!("{amount:0>width$}")
}

fn signed(cents: i64, point: char) -> String {
    format!("{}{}", if cents < 0 { "-" } else { "" }, euros(cents, point, 0))
}
