//! Payment panel: the bank account and the QR code.

use super::{
    canvas::{DARK, Element, Role, Shape, Style},
    font::{Shaped, Weight},
    sheet::{BODY, LABEL, LEFT, RIGHT, SMALL, Sheet, count},
};
use crate::{epc, words};
use krilla::tagging::{ArtifactType, Tag};
use ledger::{identifiers::in_fours, money::Cents};

/// Space above the panel, or above a request without a panel, in millimetres.
const ABOVE: f32 = 5.5;
/// Minimum height of a panel with a QR code, in millimetres.
const WITH_CODE: f32 = 46.0;
/// Side length of the white square around the QR code, in millimetres, including a margin of four
/// modules (ISO/IEC 18004, 9.1).
const SQUARE: f32 = 33.0;
/// Style of the payment request.
const REQUEST: Style = Style::new(11.0, Weight::SemiBold, DARK);
const REQUEST_STEP: f32 = 5.0;
/// Distance from the top of the panel to the request's first baseline, in millimetres.
/// `BELOW_REQUEST` is the space between the request's last line and the first row.
const REQUEST_FIRST: f32 = 14.6;
const BELOW_REQUEST: f32 = 7.4;
/// Height of a row, in millimetres; `BELOW` is the space from the last row to the bottom of the
/// panel.
const STEP: f32 = 4.9;
const BELOW: f32 = 4.4;
/// Distance from the left edge of the panel's text to the values of the rows, in millimetres.
const INDENT: f32 = 28.0;
/// Line height of a request without a bank account, in millimetres.
const BARE_STEP: f32 = 4.8;

/// Payment request to the customer, shaped before it is positioned.
pub(super) enum Payment {
    /// No request: the document is a credit note or a quote, or nothing is due.
    Nothing,
    /// Request without account details, because no bank account is known.
    Request(Vec<Shaped>),
    /// Panel with the account details and, if the invoice can have one, the QR code.
    Panel(Panel),
}

/// Payment panel.
pub(super) struct Panel {
    code: Option<(Vec<(u16, u16)>, u16)>,
    request: Vec<Shaped>,
    rows: Vec<(&'static str, Vec<Shaped>, Style)>,
}

impl Payment {
    /// Height, including the space above.
    pub(super) fn height(&self) -> f32 {
        match self {
            Self::Nothing => 0.0,
            Self::Request(lines) => ABOVE + count(lines.len()) * BARE_STEP,
            Self::Panel(panel) => ABOVE + panel.height(),
        }
    }
}

impl Panel {
    fn height(&self) -> f32 {
        let rows: usize = self.rows.iter().map(|(_, lines, _)| lines.len()).sum();
        let request = count(self.request.len().saturating_sub(1)) * REQUEST_STEP;
        let text =
            REQUEST_FIRST + request + BELOW_REQUEST + count(rows.saturating_sub(1)) * STEP + BELOW;
        if self.code.is_some() { text.max(WITH_CODE) } else { text }
    }

    /// Left edge of the panel's text.
    fn left(&self) -> f32 {
        if self.code.is_some() { 68.0 } else { LEFT + 6.0 }
    }
}

impl Sheet<'_> {
    /// Composes the payment request that is addressed to the customer.
    pub(super) fn payment(&mut self) -> Payment {
        let invoice = self.invoice;
        if invoice.is_credit_note() || invoice.is_quote() || invoice.total <= Cents::ZERO {
            return Payment::Nothing;
        }
        let request = words::request(self.texts, invoice);
        let Some(iban) = invoice.seller.iban.as_ref() else {
            return Payment::Request(
                self.full_width(&request, Style { weight: Weight::SemiBold, ..BODY }),
            );
        };
        let code = epc::payload(invoice).and_then(|payload| epc::modules(&payload));
        let mut panel = Panel { code, request: Vec::new(), rows: Vec::new() };
        let width = RIGHT - panel.left() - 5.0;
        panel.request = self.canvas.wrap(&request, REQUEST, width);
        let holder = invoice.seller.account_holder.as_ref().unwrap_or(&invoice.seller.name);
        let abroad = !invoice.buyer.address.country.is_dutch();
        let bic = invoice.seller.bic.as_ref().filter(|_| abroad);
        let rows = [("IBAN", in_fours(iban.as_str()), Weight::SemiBold)].into_iter();
        let rows = rows.chain(bic.map(|bic| ("BIC", bic.to_string(), Weight::Regular))).chain([
            (self.words.holder, holder.clone(), Weight::Regular),
            (self.words.transfer_text, invoice.number.clone(), Weight::Regular),
        ]);
        // A preview has no number yet.
        for (name, value, weight) in rows.filter(|(_, value, _)| !value.is_empty()) {
            let style = Style { weight, ..BODY };
            panel.rows.push((name, self.canvas.wrap(&value, style, width - INDENT), style));
        }
        Payment::Panel(panel)
    }

    /// Draws the payment request below the current position.
    pub(super) fn draw_payment(&mut self, payment: Payment) {
        match payment {
            Payment::Nothing => {}
            Payment::Request(lines) => {
                self.y += ABOVE;
                self.paragraph(lines, Style { weight: Weight::SemiBold, ..BODY }, BARE_STEP, 0.0);
            }
            Payment::Panel(panel) => self.panel(panel),
        }
    }

    fn panel(&mut self, panel: Panel) {
        self.y += ABOVE;
        let (top, height, x) = (self.y, panel.height(), panel.left());
        let area = Shape::Panel {
            x: LEFT,
            y: top,
            width: RIGHT - LEFT,
            height,
            radius: 2.4,
            ink: self.look.accent.tint(),
        };
        self.canvas.draw(area, Role::Artifact(ArtifactType::Layout));
        if let Some((dark, side)) = panel.code {
            self.code(top, dark, side);
        }
        let label = self.canvas.left((x, top + 8.6), self.words.payment, LABEL, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![label]));
        let (request, end) = self.canvas.lines(
            (x, top + REQUEST_FIRST),
            panel.request,
            REQUEST,
            REQUEST_STEP,
            Role::Content,
        );
        self.structure.push(Element::group(Tag::P, request));
        let mut y = end - REQUEST_STEP + BELOW_REQUEST;
        for (name, value, style) in panel.rows {
            let name = self.canvas.left((x, y), name, SMALL, Role::Content);
            let (mut children, end) =
                self.canvas.lines((x + INDENT, y), value, style, STEP, Role::Content);
            children.insert(0, name);
            self.structure.push(Element::group(Tag::P, children));
            y = end;
        }
        self.y += height;
    }

    fn code(&mut self, top: f32, dark: Vec<(u16, u16)>, side: u16) {
        let (x, y) = (LEFT + 5.0, top + 4.5);
        let white =
            Shape::Panel { x, y, width: SQUARE, height: SQUARE, radius: 1.2, ink: [255, 255, 255] };
        self.canvas.draw(white, Role::Artifact(ArtifactType::Layout));
        let size = SQUARE / f32::from(side + 8);
        let code = Shape::Modules { x: x + 4.0 * size, y: y + 4.0 * size, size, dark };
        let code = self.canvas.draw(code, Role::Content);
        self.structure.push(Element::group(
            Tag::Figure(Some(self.words.code_meaning.to_owned())),
            vec![code],
        ));
        let middle = x + SQUARE / 2.0 + self.canvas.width(self.words.scan, SMALL) / 2.0;
        let caption =
            self.canvas.right((middle, y + SQUARE + 4.6), self.words.scan, SMALL, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![caption]));
    }
}
