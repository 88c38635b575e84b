//! QR code for banking apps: a SEPA credit transfer according to EPC069-12, version 002.

use crate::{
    invoice::{Invoice, Version},
    remittance::Remittance,
};
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use ledger::{identifiers::Iban, money::Cents};
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write as _;

/// Largest amount of a transfer.
const MOST: Cents = Cents::new(99_999_999_999);
/// Maximum number of bytes of the content.
const MOST_BYTES: usize = 331;
/// Width of the light border, in modules (ISO/IEC 18004).
const QUIET_ZONE: u16 = 4;
/// Width of a module in a PNG file, in pixels.
const PIXELS: u16 = 8;

/// SEPA credit transfer that a code proposes.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// Name of the payee.
    pub name: &'a str,
    /// Account of the payee.
    pub iban: &'a Iban,
    /// BIC, which is not needed inside the EEA.
    pub bic: Option<&'a str>,
    /// Amount.
    pub amount: Cents,
    /// Reference or text. Codes have no field for a Dutch payment reference, which becomes a text.
    pub remittance: &'a Remittance,
}

/// Returns the content of the code, or `None` if the document must not have one: it is a credit
/// note, a draft or a test invoice, nothing is due, the seller has no bank account, or the total
/// exceeds the maximum of a transfer.
#[must_use]
pub fn payload(invoice: &Invoice) -> Option<String> {
    if invoice.is_credit_note()
        || invoice.is_quote()
        || invoice.test
        || invoice.version == Version::Draft
    {
        return None;
    }
    let seller = &invoice.seller;
    transfer_payload(&Transfer {
        name: seller.account_holder.as_deref().unwrap_or(&seller.name),
        iban: seller.iban.as_ref()?,
        bic: None,
        amount: invoice.total,
        remittance: &Remittance::Text(invoice.number.clone()),
    })
}

/// Returns the content of the code of a transfer; `None` if the amount is not between 0.01 and
/// 999 999 999.99 euros.
///
/// ```
/// use documents::{epc::{self, Transfer}, remittance::Remittance};
/// use ledger::{identifiers::Iban, money::Cents};
///
/// let transfer = Transfer {
///     name: "KPN B.V.",
///     iban: &Iban::parse("NL02ABNA0123456789")?,
///     bic: None,
///     amount: Cents::new(4_500),
///     remittance: &Remittance::Text("Factuur 7".to_owned()),
/// };
/// let payload = epc::transfer_payload(&transfer).expect("an amount");
/// assert_eq!(payload, "BCD\n002\n1\nSCT\n\nKPN B.V.\nNL02ABNA0123456789\nEUR45.00\n\n\nFactuur 7");
/// # Ok::<(), ledger::identifiers::IbanError>(())
/// ```
#[must_use]
pub fn transfer_payload(transfer: &Transfer<'_>) -> Option<String> {
    if transfer.amount <= Cents::ZERO || transfer.amount > MOST {
        return None;
    }
    let (reference, text) = match transfer.remittance {
        Remittance::Iso(reference) => (reference.as_str(), ""),
        Remittance::Dutch(text) | Remittance::Text(text) => ("", text.as_str()),
    };
    let mut name = cut(transfer.name, 70);
    let mut text = cut(text, 140);
    loop {
        // In order: service tag, version, UTF-8, SEPA credit transfer, BIC (not needed inside the
        // EEA since version 002), holder, account, amount, purpose, structured reference, text.
        let payload = [
            "BCD",
            "002",
            "1",
            "SCT",
            transfer.bic.unwrap_or_default(),
            &name,
            transfer.iban.as_str(),
            &format!("EUR{}", transfer.amount),
            "",
            reference,
            &text,
        ]
        .join("\n");
        // Only long names and texts in other alphabets exceed the limit.
        if payload.len() <= MOST_BYTES || (text.pop().is_none() && name.pop().is_none()) {
            return Some(payload);
        }
    }
}

/// Returns the text on one line, truncated to `most` characters.
fn cut(text: &str, most: usize) -> String {
    text.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(most)
        .collect()
}

/// Returns the dark modules, by column and row, and the number of modules per side.
///
/// The payload is at most 331 bytes and fits version 13 at correction level M, as required by
/// EPC069-12.
#[must_use]
pub fn modules(payload: &str) -> Option<(Vec<(u16, u16)>, u16)> {
    let code = QrCode::with_error_correction_level(payload, EcLevel::M).ok()?;
    let side = u16::try_from(code.width()).ok()?;
    let mut dark = Vec::new();
    for row in 0..side {
        for column in 0..side {
            if code[(usize::from(column), usize::from(row))] == Color::Dark {
                dark.push((column, row));
            }
        }
    }
    Some((dark, side))
}

/// Returns the code as an SVG image with a light border; `None` if the content does not fit.
#[must_use]
pub fn svg(payload: &str) -> Option<String> {
    let (dark, side) = modules(payload)?;
    let size = side + 2 * QUIET_ZONE;
    let mut path = String::new();
    for (column, row) in dark {
        let (x, y) = (column + QUIET_ZONE, row + QUIET_ZONE);
        write!(path, "M{x} {y}h1v1h-1z").ok()?;
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}h-{size}z\"/><path d=\"{path}\"/></svg>"
    ))
}

/// Returns the code as a PNG image in shades of grey with a light border; `None` if the content
/// does not fit.
#[must_use]
pub fn png(payload: &str) -> Option<Vec<u8>> {
    let (dark, side) = modules(payload)?;
    let size = usize::from((side + 2 * QUIET_ZONE) * PIXELS);
    let mut pixels = vec![u8::MAX; size * size];
    let pixels_per_module = usize::from(PIXELS);
    for (column, row) in dark {
        let x = usize::from(column + QUIET_ZONE) * pixels_per_module;
        let y = usize::from(row + QUIET_ZONE) * pixels_per_module;
        for line in pixels.chunks_exact_mut(size).skip(y).take(pixels_per_module) {
            line[x..x + pixels_per_module].fill(0);
        }
    }
    let mut file = Vec::new();
    let side = u32::try_from(size).ok()?;
    PngEncoder::new(&mut file).write_image(&pixels, side, side, ExtendedColorType::L8).ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer<'a>(iban: &'a Iban, name: &'a str, remittance: &'a Remittance) -> Transfer<'a> {
        Transfer { name, iban, bic: None, amount: Cents::new(121_000), remittance }
    }

    fn iban() -> Iban {
        Iban::parse("NL02ABNA0123456789").unwrap()
    }

    #[test]
    fn a_creditor_reference_has_a_field_and_a_dutch_reference_is_a_text() {
        let payload = |reference: &str| {
            let remittance = Remittance::of(Some(reference), "");
            let (iban, bic) = (iban(), Some("ABNANL2A"));
            transfer_payload(&Transfer { bic, ..transfer(&iban, "KPN", &remittance) }).unwrap()
        };
        let head = "BCD\n002\n1\nSCT\nABNANL2A\nKPN\nNL02ABNA0123456789\nEUR1210.00\n\n";
        assert_eq!(payload("RF18 5390 0754 7034"), format!("{head}RF18539007547034\n"));
        assert_eq!(payload("2036 0000 1630 1110"), format!("{head}\n2036000016301110"));
    }

    #[test]
    fn a_transfer_has_an_amount_and_fits_the_largest_code() {
        let (iban, text) = (iban(), Remittance::Text("王".repeat(140)));
        let name = "é".repeat(80);
        let long = transfer(&iban, &name, &text);
        let payload = transfer_payload(&long).unwrap();
        assert!(payload.len() <= MOST_BYTES && payload.contains(&"é".repeat(70)));
        assert!(payload.ends_with('王'));
        for amount in [0, -1, MOST.get() + 1] {
            let amount = Cents::new(amount);
            assert_eq!(transfer_payload(&Transfer { amount, ..long }), None);
        }
        // Version 13 has 69 modules per side.
        assert!(modules(&payload).unwrap().1 <= 69);
    }

    #[test]
    fn a_scanner_reads_the_png_and_the_svg() {
        let (iban, text) = (iban(), Remittance::Text("Factuur 2026-0028 Café".to_owned()));
        let payload = transfer_payload(&transfer(&iban, "Bakkerij Zoë B.V.", &text)).unwrap();
        let image = image::load_from_memory(&png(&payload).unwrap()).unwrap().into_luma8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        let scan = |width, height, is_dark: &dyn Fn(usize, usize) -> bool| {
            let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
                if is_dark(x, y) { 0 } else { 255 }
            });
            picture.detect_grids()[0].decode().unwrap().1
        };
        let is_dark = |x, y| image.get_pixel(x as u32, y as u32).0[0] < 128;
        assert_eq!(scan(width, height, &is_dark), payload);

        let svg = svg(&payload).unwrap();
        let size: usize =
            svg.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let squares = svg.rsplit("d=\"").next().unwrap().split('M').skip(1);
        let squares = squares.map(|square| {
            let mut place = square.split('h').next().unwrap().split(' ');
            let mut next = || place.next().unwrap().parse::<usize>().unwrap();
            (next(), next())
        });
        let dark: std::collections::BTreeSet<(usize, usize)> = squares.collect();
        let is_dark = |x: usize, y: usize| dark.contains(&(x / 4, y / 4));
        assert_eq!(scan(4 * size, 4 * size, &is_dark), payload);
    }
}
