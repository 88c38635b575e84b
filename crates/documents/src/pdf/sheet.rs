//! Layout state of the document: the canvas, the current height, and the structure so far.

use super::{
    Appearance,
    canvas::{Canvas, DARK, Element, Ink, Role, Style},
    font::{Shaped, Weight},
    write::About,
};
use crate::{
    invoice::Invoice,
    words::{Words, words},
};
use i18n::Texts;
use krilla::tagging::Tag;

/// Left and right edges of the print area, in millimetres from the left edge of the page.
pub(super) const LEFT: f32 = 22.0;
pub(super) const RIGHT: f32 = 190.0;
/// Bottom of the print area, in millimetres from the top of the page; only the footer is below it.
pub(super) const BOTTOM: f32 = 275.0;
/// Top of the print area on the second and following pages, in millimetres.
pub(super) const TOP: f32 = 27.0;

pub(super) const GREY: Ink = [88, 98, 109];
pub(super) const RULE: Ink = [211, 216, 222];

/// Smallest font size on a page, in points.
pub(super) const SMALLEST: f32 = 8.5;
pub(super) const BODY: Style = Style::new(9.2, Weight::Regular, DARK);
pub(super) const SMALL: Style = Style::new(SMALLEST, Weight::Regular, GREY);
pub(super) const LABEL: Style = Style::new(SMALLEST, Weight::SemiBold, GREY);

/// Document that is laid out from top to bottom.
pub(super) struct Sheet<'i> {
    pub(super) canvas: Canvas,
    pub(super) invoice: &'i Invoice,
    pub(super) look: &'i Appearance,
    pub(super) texts: Texts,
    pub(super) words: &'static Words,
    /// Colour of text and rules.
    pub(super) accent: Ink,
    /// Current position from the top of the page.
    pub(super) y: f32,
    pub(super) structure: Vec<Element>,
    pub(super) outline: Vec<(String, usize, f32)>,
}

impl<'i> Sheet<'i> {
    pub(super) fn new(invoice: &'i Invoice, look: &'i Appearance) -> Self {
        Self {
            canvas: Canvas::new(),
            invoice,
            look,
            texts: Texts { language: invoice.language },
            words: words(invoice.language),
            accent: look.accent.readable(),
            y: TOP,
            structure: Vec::new(),
            outline: Vec::new(),
        }
    }

    /// Returns the title: kind of document and number, if it has one.
    pub(super) fn title(&self) -> String {
        let (kind, number) = (self.words.title(&self.invoice.kind), &self.invoice.number);
        if number.is_empty() { kind.to_owned() } else { format!("{kind} {number}") }
    }

    pub(super) fn next_page(&mut self) {
        self.canvas.new_page();
        self.y = TOP;
    }

    /// Starts the next page unless `height` fits on this one.
    pub(super) fn room(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > TOP {
            self.next_page();
        }
    }

    /// Wraps a text over the full width.
    pub(super) fn full_width(&mut self, text: &str, style: Style) -> Vec<Shaped> {
        self.canvas.wrap(text, style, RIGHT - LEFT)
    }

    /// Draws the lines of one paragraph, which may continue on the next page. The last two lines
    /// stay on one page with the following part, whose height is `after`.
    pub(super) fn paragraph(&mut self, lines: Vec<Shaped>, style: Style, step: f32, after: f32) {
        let total = lines.len();
        let kept = total.saturating_sub(2);
        let mut children = Vec::with_capacity(total);
        for (place, line) in lines.into_iter().enumerate() {
            let together = count(total - place) * step + after;
            self.room(if place == kept && together <= BOTTOM - TOP { together } else { step });
            self.y += step;
            children.push(self.canvas.shaped((LEFT, self.y), line, style, Role::Content));
        }
        self.structure.push(Element::group(Tag::P, children));
    }

    pub(super) fn finish(self) -> (Canvas, Vec<Element>, About) {
        let about = About {
            title: self.title(),
            author: self.invoice.seller.name.clone(),
            language: self.texts.tag(),
            date: self.invoice.issue_date,
            outline: self.outline,
        };
        (self.canvas, self.structure, about)
    }
}

/// Converts a number of lines to a factor by which a line height can be multiplied.
pub(super) fn count(lines: usize) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX))
}
