//! QR code for banking apps: a SEPA credit transfer according to EPC069-12, version 002.

use crate::invoice::{Invoice, Version};
use ledger::money::Cents;
use qrcode::{Color, EcLevel, QrCode};

/// Returns the content of the code, or `None` if the document must not have one: it is a credit
/// note, a draft or a test invoice, nothing is due, the seller has no bank account, or the total
/// exceeds the maximum of a transfer.
#[must_use]
pub fn payload(invoice: &Invoice) -> Option<String> {
    let most = Cents::new(99_999_999_999);
    let payable = invoice.total > Cents::ZERO && invoice.total <= most && !invoice.is_credit_note();
    if !payable || invoice.test || invoice.version == Version::Draft {
        return None;
    }
    let seller = &invoice.seller;
    let iban = seller.iban.as_ref()?;
    let holder = seller.account_holder.as_deref().unwrap_or(&seller.name);
    // In order: service tag, version, UTF-8, SEPA credit transfer, BIC (not needed inside the EEA
    // since version 002), holder, account, amount, purpose, structured reference, text.
    let lines = [
        "BCD",
        "002",
        "1",
        "SCT",
        "",
        &cut(holder, 70),
        iban.as_str(),
        &format!("EUR{}", invoice.total),
        "",
        "",
        &cut(&invoice.number, 140),
    ];
    Some(lines.join("\n"))
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
