//! Totals, and the VAT per rate (art. 35a(1)(h) to (j) Wet OB 1968).

use super::{
    canvas::{DARK, Element, Role, Style},
    font::Weight,
    sheet::{BODY, LABEL, LEFT, RIGHT, SMALL, Sheet, count},
};
use crate::words;
use krilla::tagging::{TableHeaderScope, Tag};

/// Left edge of the totals, in millimetres.
const TOTALS: f32 = 116.0;
/// Maximum number of characters of a description next to the totals.
const WIDEST: usize = 40;
/// Row height of the totals, in millimetres; `SPECIFICATION_STEP` is that of the specification.
const STEP: f32 = 5.2;
const SPECIFICATION_STEP: f32 = 4.6;

impl Sheet<'_> {
    /// Returns the rows about the discount on all lines, if there is one: the lines, the discount,
    /// and its description.
    fn discount_rows(&self) -> Vec<(String, String)> {
        let invoice = self.invoice;
        if invoice.discount.is_zero() {
            return Vec::new();
        }
        let name = match invoice.discount_percent {
            Some(percent) => format!("{} {}", self.words.discount, self.texts.percent(percent)),
            None => self.words.discount.to_owned(),
        };
        let mut rows = vec![
            (self.words.lines_total.to_owned(), self.texts.money(invoice.lines_total)),
            (name, self.texts.money(-invoice.discount)),
        ];
        let description = invoice.discount_description.as_deref().unwrap_or_default();
        rows.extend(
            words::broken(description, WIDEST).into_iter().map(|line| (line, String::new())),
        );
        rows
    }

    /// Returns the rows above the total.
    fn total_rows(&self) -> Vec<(String, String)> {
        let mut rows = self.discount_rows();
        if self.invoice.is_small_business() {
            return rows;
        }
        rows.push((self.words.subtotal.to_owned(), self.texts.money(self.invoice.subtotal)));
        for group in &self.invoice.vat {
            let name = words::vat_row(self.texts, group.treatment, group.rate);
            // Several treatments without VAT can have the same name, which is shown only once.
            if !rows.iter().any(|(known, _)| *known == name) {
                rows.push((name, self.texts.money(group.amount)));
            }
        }
        rows
    }

    /// Whether the VAT is specified per rate. With a single rate, the totals alone already state
    /// the amount without VAT, the rate and the VAT.
    fn has_specification(&self) -> bool {
        self.invoice.vat.len() > 1 && !self.invoice.is_small_business()
    }

    /// Height of the totals and the specification.
    pub(super) fn totals_height(&self) -> f32 {
        let totals = count(self.total_rows().len()) * STEP + 6.5;
        let rows = if self.has_specification() { self.invoice.vat.len() + 1 } else { 0 };
        8.0 + totals.max(count(rows) * SPECIFICATION_STEP + 2.0)
    }

    /// Draws the totals on the right and the specification on the left, within `height`.
    pub(super) fn totals(&mut self, height: f32) {
        let top = self.y + 8.0;
        if self.has_specification() {
            self.specification(top);
        }
        let mut y = top;
        let mut rows = Vec::new();
        for (name, amount) in self.total_rows() {
            let name = self.canvas.left((TOTALS, y), &name, SMALL, Role::Content);
            let mut row = vec![name];
            if !amount.is_empty() {
                row.push(self.canvas.right((RIGHT, y), &amount, BODY, Role::Content));
            }
            rows.push(Element::group(Tag::P, row));
            y += STEP;
        }
        let ink = self.accent;
        self.canvas.rule((TOTALS, y - 2.2), RIGHT - TOTALS, 0.4, ink);
        let (name, amount) =
            (Style::new(10.4, Weight::SemiBold, DARK), Style::new(14.0, Weight::SemiBold, DARK));
        y += 4.4;
        let total = self.texts.money(self.invoice.total);
        let name = self.canvas.left((TOTALS, y), self.words.total, name, Role::Content);
        let amount = self.canvas.right((RIGHT, y), &total, amount, Role::Content);
        rows.push(Element::group(Tag::P, vec![name, amount]));
        self.structure.append(&mut rows);
        self.y += height;
    }

    fn specification(&mut self, top: f32) {
        let cells: Vec<[String; 3]> = self
            .invoice
            .vat
            .iter()
            .map(|group| {
                let rate = words::rate_of_group(self.texts, group.treatment, group.rate);
                [rate, self.texts.money(group.base), self.texts.money(group.amount)]
            })
            .collect();
        let value = Style { ink: DARK, ..SMALL };
        let mut widest = [13.0_f32, 26.0, 21.0];
        for row in &cells {
            for (widest, text) in widest.iter_mut().zip(row) {
                *widest = widest.max(self.canvas.width(text, value));
            }
        }
        let base = LEFT + widest[0] + 5.0 + widest[1];
        let vat = base + 5.0 + widest[2];
        let title = self.canvas.left((LEFT, top), self.words.specification, LABEL, Role::Content);
        let mut y = top + SPECIFICATION_STEP + 0.4;
        let names = [
            self.canvas.left((LEFT, y), self.words.rate, SMALL, Role::Content),
            self.canvas.right((base, y), self.words.base, SMALL, Role::Content),
            self.canvas.right((vat, y), self.words.vat, SMALL, Role::Content),
        ];
        let names = names.map(|name| Element::group(Tag::TH(TableHeaderScope::Column), vec![name]));
        let mut rows = Vec::new();
        for [rate, net, amount] in &cells {
            y += SPECIFICATION_STEP;
            let row = [
                self.canvas.left((LEFT, y), rate, value, Role::Content),
                self.canvas.right((base, y), net, value, Role::Content),
                self.canvas.right((vat, y), amount, value, Role::Content),
            ];
            rows.push(Element::group(
                Tag::TR,
                row.map(|cell| Element::group(Tag::TD, vec![cell])).into(),
            ));
        }
        let head = Element::group(Tag::THead, vec![Element::group(Tag::TR, names.into())]);
        self.structure.push(Element::group(Tag::P, vec![title]));
        self.structure
            .push(Element::group(Tag::Table, vec![head, Element::group(Tag::TBody, rows)]));
    }
}
