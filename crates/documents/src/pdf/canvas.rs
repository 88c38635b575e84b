//! Pages with their drawings, in millimetres from the top left, and the structure for screen
//! readers.
//!
//! The whole document is laid out before it is written, because the first page shows the number of
//! pages.

use super::font::{Shaped, Shaper, Weight};
use krilla::tagging::{ArtifactType, TagKind};

/// Width and height of an A4 page, in millimetres.
pub(super) const PAGE: (f32, f32) = (210.0, 297.0);
/// Points per millimetre.
pub(super) const POINTS: f32 = 72.0 / 25.4;

/// Colour.
pub(super) type Ink = [u8; 3];

/// Colour of text.
pub(super) const DARK: Ink = [23, 28, 36];

/// Text style.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Font size in points.
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) ink: Ink,
}

impl Style {
    pub(super) const fn new(size: f32, weight: Weight, ink: Ink) -> Self {
        Self { size, weight, ink }
    }
}

/// Role of a drawing: content of the document, or an artifact of its pages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// Read by a screen reader, in the order of the elements.
    Content,
    /// Skipped by a screen reader: rules, page numbers, repeated parts.
    Artifact(ArtifactType),
}

/// Part of the document's structure.
#[derive(Clone, Debug)]
pub(super) enum Element {
    /// Artifact, which has no place in the structure.
    Nothing,
    /// Content drawing, identified by its number.
    Content(usize),
    /// Group of parts.
    Group(TagKind, Vec<Element>),
}

impl Element {
    pub(super) fn group(tag: impl Into<TagKind>, children: Vec<Self>) -> Self {
        Self::Group(tag.into(), children)
    }
}

/// Drawing, with its number if it is content.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) what: Shape,
    pub(super) number: Option<usize>,
    pub(super) artifact: ArtifactType,
}

/// Shape of a drawing. Its position is the left end of a text's baseline, or the top left of a box.
#[derive(Debug)]
pub(super) enum Shape {
    Text {
        x: f32,
        y: f32,
        text: Shaped,
        style: Style,
    },
    /// Transparent word across the whole page.
    Watermark {
        text: Shaped,
        size: f32,
    },
    Rule {
        x: f32,
        y: f32,
        width: f32,
        thickness: f32,
        ink: Ink,
    },
    Panel {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
        ink: Ink,
    },
    /// Squares of one size, by column and row.
    Modules {
        x: f32,
        y: f32,
        size: f32,
        dark: Vec<(u16, u16)>,
    },
    Logo {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
    },
    Link {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        target: String,
        meaning: String,
    },
}

/// Pages of the document.
pub(super) struct Canvas {
    pub(super) pages: Vec<Vec<Drawing>>,
    pub(super) contents: usize,
    pub(super) shaper: Shaper,
    page: usize,
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self { pages: vec![Vec::new()], contents: 0, shaper: Shaper::default(), page: 0 }
    }

    /// Appends a page and draws on it from now on.
    pub(super) fn new_page(&mut self) {
        self.pages.push(Vec::new());
        self.page = self.pages.len() - 1;
    }

    /// Draws on the given page from now on.
    pub(super) fn go_to(&mut self, page: usize) {
        self.page = page;
    }

    /// Returns the index of the current page, from 0.
    pub(super) fn page(&self) -> usize {
        self.page
    }

    pub(super) fn draw(&mut self, what: Shape, role: Role) -> Element {
        let (number, artifact) = match role {
            Role::Content => (Some(self.contents), ArtifactType::Other),
            Role::Artifact(kind) => (None, kind),
        };
        self.contents += usize::from(number.is_some());
        self.pages[self.page].push(Drawing { what, number, artifact });
        number.map_or(Element::Nothing, Element::Content)
    }

    /// Returns the width of a text.
    pub(super) fn width(&mut self, text: &str, style: Style) -> f32 {
        self.shaper.shape(text, style.weight).width * style.size / POINTS
    }

    /// Wraps a text into lines of at most `width`.
    pub(super) fn wrap(&mut self, text: &str, style: Style, width: f32) -> Vec<Shaped> {
        self.shaper.wrap(text, style.weight, width * POINTS / style.size)
    }

    /// Draws a text that starts at `x`.
    pub(super) fn left(
        &mut self,
        (x, y): (f32, f32),
        text: &str,
        style: Style,
        role: Role,
    ) -> Element {
        let text = self.shaper.shape(text, style.weight);
        self.shaped((x, y), text, style, role)
    }

    /// Draws a text that ends at `x`.
    pub(super) fn right(
        &mut self,
        (x, y): (f32, f32),
        text: &str,
        style: Style,
        role: Role,
    ) -> Element {
        let text = self.shaper.shape(text, style.weight);
        self.shaped((x - text.width * style.size / POINTS, y), text, style, role)
    }

    /// Draws a shaped text, unless it is empty.
    pub(super) fn shaped(
        &mut self,
        (x, y): (f32, f32),
        text: Shaped,
        style: Style,
        role: Role,
    ) -> Element {
        if text.glyphs.is_empty() {
            return Element::Nothing;
        }
        self.draw(Shape::Text { x, y, text, style }, role)
    }

    /// Draws lines below one another, the first on baseline `y`; returns the drawn elements and the
    /// baseline after the last line.
    pub(super) fn lines(
        &mut self,
        (x, y): (f32, f32),
        lines: Vec<Shaped>,
        style: Style,
        step: f32,
        role: Role,
    ) -> (Vec<Element>, f32) {
        let mut y = y;
        let mut drawn = Vec::with_capacity(lines.len());
        for line in lines {
            drawn.push(self.shaped((x, y), line, style, role));
            y += step;
        }
        (drawn, y)
    }

    /// Draws a horizontal rule.
    pub(super) fn rule(&mut self, (x, y): (f32, f32), width: f32, thickness: f32, ink: Ink) {
        self.draw(
            Shape::Rule { x, y, width, thickness, ink },
            Role::Artifact(ArtifactType::Layout),
        );
    }
}
