//! Everything below the lines: the totals, the legal sentences, the payment panel, and the seller's
//! own texts.

use super::{
    canvas::{Element, Role, Shape},
    font::Shaped,
    payment::Payment,
    sheet::{BODY, BOTTOM, LEFT, RIGHT, SMALL, Sheet, TOP, count},
};
use crate::{legal, words};
use krilla::tagging::{ArtifactType, Tag};

/// Line height of the notes and of the legal sentences, in millimetres.
const PARAGRAPH_STEP: f32 = 4.5;
/// Line height of the closing text, in millimetres.
const CLOSING_STEP: f32 = 4.1;
/// Space above the legal sentences, in millimetres; `ABOVE_WORDS` is the space above the notes and
/// the closing text.
const ABOVE_SENTENCES: f32 = 5.0;
const ABOVE_WORDS: f32 = 3.0;
/// Maximum height of the seller's own texts that stay with the totals, in millimetres.
const SHORT: f32 = 60.0;

/// Part below the lines, shaped before it is positioned.
pub(super) struct Tail {
    sentences: Vec<Shaped>,
    payment: Payment,
    notes: Vec<Shaped>,
    closing: Vec<Shaped>,
    attached: Vec<Shaped>,
    totals_height: f32,
}

impl Tail {
    /// Height of the parts that always share a page: totals, legal sentences and payment panel.
    fn block(&self) -> f32 {
        let sentences = if self.sentences.is_empty() {
            0.0
        } else {
            ABOVE_SENTENCES + count(self.sentences.len()) * PARAGRAPH_STEP + 1.0
        };
        self.totals_height + sentences + self.payment.height()
    }

    /// Height of the closing text and the remark on the attachment.
    fn last_words(&self) -> f32 {
        ABOVE_WORDS + count(self.closing.len() + self.attached.len()) * CLOSING_STEP
    }

    /// Height of the parts that stay together if a page has room for them. The closing text is
    /// included unless it moves to the next page with the notes.
    fn kept(&self) -> f32 {
        let notes = if self.notes.is_empty() {
            0.0
        } else {
            ABOVE_WORDS + count(self.notes.len()) * PARAGRAPH_STEP
        };
        let words = notes + self.last_words();
        if self.notes.is_empty() || words <= SHORT { self.block() + words } else { self.block() }
    }

    /// Returns the space that the last row reserves for the tail below it, or zero if the tail
    /// needs a page of its own. `y` and `height` are those of the row. `fresh` is the space for row
    /// and tail after a page break, or `None` if the row is also the first.
    pub(super) fn reserve(&self, y: f32, height: f32, fresh: Option<f32>) -> f32 {
        let fits = |tail: f32| {
            y + height + tail <= BOTTOM || fresh.is_some_and(|fresh| height + tail <= fresh)
        };
        [self.kept(), self.block()].into_iter().find(|tail| fits(*tail)).unwrap_or(0.0)
    }
}

impl Sheet<'_> {
    /// Shapes everything below the lines.
    pub(super) fn tail(&mut self, with_e_invoice: bool) -> Tail {
        let invoice = self.invoice;
        let mut sentences: Vec<String> =
            words::credit_sentence(self.texts, invoice).into_iter().collect();
        for treatment in invoice.treatments() {
            let sentence =
                legal::sentence(treatment, invoice.language, invoice.buyer.vat_number.as_ref());
            sentences.extend(sentence.filter(|sentence| !sentences.contains(sentence)));
        }
        let lines = |sheet: &mut Self, text: Option<&str>, style| {
            text.map_or_else(Vec::new, |text| sheet.full_width(text, style))
        };
        Tail {
            sentences: sentences
                .iter()
                .flat_map(|sentence| self.canvas.wrap(sentence, BODY, RIGHT - LEFT - 5.0))
                .collect(),
            payment: self.payment(),
            notes: lines(self, invoice.notes.as_deref(), BODY),
            closing: lines(self, self.look.closing.as_deref(), SMALL),
            attached: lines(self, with_e_invoice.then_some(self.words.attached), SMALL),
            totals_height: self.totals_height(),
        }
    }

    /// Draws the tail here, or on the next page if the parts that stay together do not fit here.
    pub(super) fn draw_tail(&mut self, tail: Tail) {
        let fits_here = self.y + tail.kept() <= BOTTOM;
        let is_split = !tail.notes.is_empty() || tail.kept() > BOTTOM - TOP;
        let begins_here = fits_here || (is_split && self.y + tail.block() <= BOTTOM);
        if !begins_here {
            self.next_page();
        }
        let last_words = tail.last_words();
        self.totals(tail.totals_height);
        self.sentences(tail.sentences);
        self.draw_payment(tail.payment);
        if !tail.notes.is_empty() {
            self.y += ABOVE_WORDS;
            self.paragraph(tail.notes, BODY, PARAGRAPH_STEP, last_words);
        }
        self.y += ABOVE_WORDS;
        let attached = count(tail.attached.len()) * CLOSING_STEP;
        self.paragraph(tail.closing, SMALL, CLOSING_STEP, attached);
        self.paragraph(tail.attached, SMALL, CLOSING_STEP, 0.0);
    }

    /// Draws the legal sentences, including the reference to a credited invoice.
    fn sentences(&mut self, lines: Vec<Shaped>) {
        if lines.is_empty() {
            return;
        }
        let height = count(lines.len()) * PARAGRAPH_STEP + 1.0;
        self.y += ABOVE_SENTENCES;
        let bar =
            Shape::Panel { x: LEFT, y: self.y, width: 0.6, height, radius: 0.0, ink: self.accent };
        self.canvas.draw(bar, Role::Artifact(ArtifactType::Layout));
        let (children, _) = self.canvas.lines(
            (LEFT + 4.0, self.y + 4.0),
            lines,
            BODY,
            PARAGRAPH_STEP,
            Role::Content,
        );
        self.structure.push(Element::group(Tag::P, children));
        self.y += height;
    }
}
