//! Generated payment files, and codes of payments.

use documents::{
    epc::Transfer,
    payment_file::{Party, Payment, PaymentFile, end_to_end_id},
    remittance::Remittance,
};
use fastrand::Rng;
use jiff::civil::date;
use ledger::{identifiers::Iban, money::Cents};

const NAMES: [&str; 8] = [
    "Bakkerij Zoë & Søn B.V.",
    "KPN",
    "王小明 Trading",
    "Łódź <Logistiek> \"Noord\"",
    "a",
    "Vereniging van eigenaars van het appartementengebouw aan de Oudegracht 12 te Utrecht",
    "O’Brien; Café Ünal – 100% €",
    "//Slash//\u{1}Co",
];
const TEXTS: [&str; 6] =
    ["", "Factuur 2026-0028", "//fact//<7>&", "🎉", "naïef façade œuvre", "\u{7f}\u{b}x"];
const REFERENCES: [&str; 4] =
    ["2036000016301110", "RF18539007547034", "3516 1077 8150 1300", "2036000016301111"];
const IBANS: [&str; 4] =
    ["NL91ABNA0417164300", "NL02ABNA0123456789", "BE68539007547034", "DE89370400440532013000"];

/// Returns files with random payments.
pub(crate) fn files(seed: u64, count: usize) -> Vec<PaymentFile> {
    let mut rng = Rng::with_seed(seed);
    (0..count).map(|number| file(&mut rng, number)).collect()
}

fn file(rng: &mut Rng, number: usize) -> PaymentFile {
    let batch = i64::try_from(number).expect("a small number");
    PaymentFile {
        message_id: format!("GB-{number}-20261128"),
        created_at: date(2026, 11, 28).at(rng.i8(0..24), rng.i8(0..60), 59, 999),
        payer: party(rng),
        execution_date: date(2026, 12, rng.i8(1..32)),
        payments: (1..=rng.i64(1..12))
            .map(|item| payment(rng, end_to_end_id(batch, item)))
            .collect(),
    }
}

fn party(rng: &mut Rng) -> Party {
    let bic = ["ABNANL2A", "INGBNL2AXXX"][rng.usize(..2)];
    Party {
        name: NAMES[rng.usize(..NAMES.len())].to_owned(),
        iban: Iban::parse(IBANS[rng.usize(..IBANS.len())]).expect("a valid IBAN"),
        bic: rng.bool().then(|| bic.to_owned()),
    }
}

fn payment(rng: &mut Rng, end_to_end_id: String) -> Payment {
    let reference = rng.bool().then(|| REFERENCES[rng.usize(..REFERENCES.len())]);
    let text = TEXTS[rng.usize(..TEXTS.len())].repeat(rng.usize(1..20));
    let amount = if rng.bool() { rng.i64(1..1_000_000) } else { rng.i64(1..=99_999_999_999) };
    Payment {
        end_to_end_id,
        payee: party(rng),
        amount: Cents::new(amount),
        remittance: Remittance::of(reference, &text),
    }
}

/// Returns the content of the code of a payment.
pub(crate) fn code(payment: &Payment) -> String {
    let Payment { payee, amount, remittance, .. } = payment;
    let (name, iban, bic) = (&payee.name, &payee.iban, payee.bic.as_deref());
    documents::epc::transfer_payload(&Transfer { name, iban, bic, amount: *amount, remittance })
        .expect("the amount is within the limit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use documents::payment_file::{Version, write};

    #[test]
    fn a_scanner_reads_each_code() {
        for file in files(2, 20) {
            let payload = code(&file.payments[0]);
            assert!(payload.len() <= 331);
            let image = image::load_from_memory(&documents::epc::png(&payload).unwrap()).unwrap();
            let image = image.into_luma8();
            let (width, height) = (image.width() as usize, image.height() as usize);
            let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
                image.get_pixel(x as u32, y as u32).0[0]
            });
            assert_eq!(picture.detect_grids()[0].decode().unwrap().1, payload);
        }
    }

    #[test]
    fn each_generated_file_has_its_payments_in_the_character_set() {
        for file in files(1, 200) {
            for version in [Version::V03, Version::V09] {
                let text = String::from_utf8(write(&file, version).unwrap()).unwrap();
                assert!(text.is_ascii());
                let values = text.split('>').filter_map(|piece| piece.split_once("</"));
                for (value, _) in values {
                    let is_allowed =
                        |c: char| c.is_ascii_alphanumeric() || "/-?:().,'+ ".contains(c);
                    let unescaped = value.replace("&apos;", "'");
                    assert!(unescaped.trim() == "" || unescaped.chars().all(is_allowed), "{value}");
                }
                for payment in &file.payments {
                    let id = format!("<EndToEndId>{}</EndToEndId>", payment.end_to_end_id);
                    assert_eq!(text.matches(&id).count(), 1);
                }
            }
        }
    }
}
