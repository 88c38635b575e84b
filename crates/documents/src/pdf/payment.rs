//! How to pay: the panel with the bank account and the QR code, and the last words.

use super::{
    canvas::{Element, Role, Shape, Style},
    font::Weight,
    letter::fit,
    sheet::{BODY, DARK, GREY, LABEL, LEFT, RIGHT, SMALL, Sheet},
};
use crate::{epc, words};
use krilla::tagging::{ArtifactType, Tag};
use ledger::money::Cents;

/// The height of the panel with a code and without.
const WITH_CODE: f32 = 46.0;
const WITHOUT_CODE: f32 = 36.0;
/// The white square around the code; four modules of it stay white on each side (ISO/IEC 18004, 9.1).
const SQUARE: f32 = 33.0;

impl Sheet<'_> {
    /// The panel, where something is to be paid.
    pub(super) fn payment(&mut self) {
        let invoice = self.invoice;
        if invoice.is_credit_note() || invoice.total <= Cents::ZERO {
            return;
        }
        let Some(iban) = invoice.seller.iban.as_ref() else {
            self.y += 4.0;
            let request = words::request(self.texts, invoice);
            self.paragraph(&request, Style { weight: Weight::SemiBold, ..BODY }, 4.8);
            return;
        };
        let code = epc::payload(invoice).and_then(|payload| epc::modules(&payload));
        let height = if code.is_some() { WITH_CODE } else { WITHOUT_CODE };
        self.room(height + 5.5);
        self.y += 5.5;
        let top = self.y;
        let panel = Shape::Panel { x: LEFT, y: top, width: RIGHT - LEFT, height, radius: 2.4, ink: self.look.accent.tint() };
        self.canvas.draw(panel, Role::Artifact(ArtifactType::Layout));
        let text = if let Some((dark, side)) = code {
            self.code(top, dark, side);
            68.0
        } else {
            LEFT + 6.0
        };
        let label = self.canvas.left((text, top + 8.6), self.words.payment, LABEL, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![label]));
        let request = words::request(self.texts, invoice);
        let mut style = Style::new(11.0, Weight::SemiBold, DARK);
        while style.size > 7.0 && self.canvas.width(&request, style) > RIGHT - text - 5.0 {
            style.size -= 0.4;
        }
        let request = self.canvas.left((text, top + 14.6), &request, style, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![request]));
        let holder = invoice.seller.account_holder.as_ref().unwrap_or(&invoice.seller.name);
        let rows = [
            ("IBAN", in_fours(iban.as_str()), Weight::SemiBold),
            (self.words.holder, holder.clone(), Weight::Regular),
            (self.words.transfer_text, invoice.number.clone(), Weight::Regular),
        ];
        let mut y = top + 22.0;
        for (name, value, weight) in rows {
            let style = Style { weight, ..BODY };
            let value = fit(self, &value, style, RIGHT - text - 33.0);
            let name = self.canvas.left((text, y), name, Style::new(8.2, Weight::Regular, GREY), Role::Content);
            let value = self.canvas.left((text + 28.0, y), &value, style, Role::Content);
            self.structure.push(Element::group(Tag::P, vec![name, value]));
            y += 4.9;
        }
        self.y += height;
    }

    fn code(&mut self, top: f32, dark: Vec<(u16, u16)>, side: u16) {
        let (x, y) = (LEFT + 5.0, top + 4.5);
        let white = Shape::Panel { x, y, width: SQUARE, height: SQUARE, radius: 1.2, ink: [255, 255, 255] };
        self.canvas.draw(white, Role::Artifact(ArtifactType::Layout));
        let size = SQUARE / f32::from(side + 8);
        let code = Shape::Modules { x: x + 4.0 * size, y: y + 4.0 * size, size, dark };
        let code = self.canvas.draw(code, Role::Content);
        self.structure.push(Element::group(Tag::Figure(Some(self.words.code_meaning.to_owned())), vec![code]));
        let style = Style::new(7.0, Weight::Regular, GREY);
        let middle = x + SQUARE / 2.0 + self.canvas.width(self.words.scan, style) / 2.0;
        let caption = self.canvas.right((middle, y + SQUARE + 4.4), self.words.scan, style, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![caption]));
    }

    /// The person's last words, and that there is more in the file than is seen.
    pub(super) fn closing(&mut self, with_e_invoice: bool) {
        self.y += 3.0;
        if let Some(closing) = &self.look.closing {
            self.paragraph(closing, Style { ink: GREY, ..SMALL }, 4.1);
        }
        if with_e_invoice {
            self.paragraph(self.words.attached, SMALL, 4.1);
        }
    }
}

/// An account number in groups of four, as banks print it.
pub(super) fn in_fours(iban: &str) -> String {
    let characters: Vec<char> = iban.chars().collect();
    characters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}
