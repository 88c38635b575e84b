//! Parts of every page: the footer with the seller's numbers, the page number, and a notice if the
//! document is not the invoice as sent.

use super::{
    canvas::{Element, Role, Shape, Style},
    font::Weight,
    letter::fit,
    sheet::{LEFT, RIGHT, RULE, SMALL, Sheet},
};
use crate::{invoice::Version, words};
use krilla::tagging::{ArtifactType, Tag};

const FOOT: f32 = 279.0;
/// Width of the text in the footer, left of the page number.
const FOOT_WIDTH: f32 = RIGHT - LEFT - 30.0;
const NOTICE: [u8; 3] = [176, 32, 32];
/// Font size of the watermark, in points.
const WATERMARK: f32 = 88.0;

impl Sheet<'_> {
    /// Draws the header and the footer of every page. Screen readers read the first footer only,
    /// because the other footers repeat it.
    pub(super) fn feet(&mut self) {
        let pages = self.canvas.pages.len();
        for page in 0..pages {
            self.canvas.go_to(page);
            let role = if page == 0 {
                Role::Content
            } else {
                Role::Artifact(ArtifactType::PaginationOther)
            };
            self.notices(role);
            if page > 0 {
                self.continued();
            }
            self.foot(role);
            let text = words::page(self.texts.language, page + 1, pages);
            self.canvas.right(
                (RIGHT, FOOT + 4.8),
                &text,
                SMALL,
                Role::Artifact(ArtifactType::PageNumber),
            );
            if self.invoice.version == Version::Draft {
                // The watermark is painted over everything else on the page. Screen readers skip
                // it; they read the notice at the top, which states the same.
                let text = self.canvas.shaper.shape(self.words.draft, Weight::SemiBold);
                self.canvas.draw(
                    Shape::Watermark { text, size: WATERMARK },
                    Role::Artifact(ArtifactType::Watermark),
                );
            }
        }
    }

    /// Draws the notices at the top of every page: draft, test, translation.
    fn notices(&mut self, role: Role) {
        let mut notices = Vec::new();
        match self.invoice.version {
            Version::Draft => notices.push(self.words.draft_line),
            Version::Translation => notices.push(self.words.translation_line),
            Version::Sent => {}
        }
        if self.invoice.test {
            notices.push(if self.invoice.is_quote() {
                self.words.test_quote_line
            } else {
                self.words.test_line
            });
        }
        if notices.is_empty() {
            return;
        }
        let notice = self.canvas.left(
            (LEFT, 11.0),
            &notices.join(" · "),
            Style::new(9.0, Weight::SemiBold, NOTICE),
            role,
        );
        // Screen readers read the notice first.
        self.structure.insert(0, Element::group(Tag::P, vec![notice]));
    }

    /// Draws the header of the pages after the first: the title, and the seller's name if it fits
    /// completely.
    fn continued(&mut self) {
        let role = Role::Artifact(ArtifactType::PaginationOther);
        let text = format!("{} – {}", self.title(), self.words.continued);
        let text = fit(self, &text, SMALL, RIGHT - LEFT);
        self.canvas.left((LEFT, 19.0), &text, SMALL, role);
        let name = &self.invoice.seller.name;
        if self.canvas.width(&text, SMALL) + 5.0 + self.canvas.width(name, SMALL) <= RIGHT - LEFT {
            self.canvas.right((RIGHT, 19.0), name, SMALL, role);
        }
    }

    /// Draws the footer: the seller's KvK and VAT numbers, telephone number and website.
    fn foot(&mut self, role: Role) {
        self.canvas.rule((LEFT, FOOT), RIGHT - LEFT, 0.2, RULE);
        let seller = &self.invoice.seller;
        // A seller in the small businesses scheme does not mention VAT (art. 25a(4) Wet OB 1968).
        let vat = seller.vat_number.as_ref().filter(|_| !self.invoice.is_small_business());
        let site = seller
            .website
            .as_deref()
            .map(|site| site.trim_start_matches("https://").trim_end_matches('/').to_owned());
        let numbers = [
            seller.kvk_number.as_ref().map(|number| format!("KvK {number}")),
            vat.map(|number| format!("{} {number}", self.words.vat_id)),
            seller.phone.clone(),
            site,
        ];
        let numbers = numbers.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let numbers = if self.canvas.width(&numbers, SMALL) > FOOT_WIDTH {
            fit(self, &numbers, SMALL, FOOT_WIDTH)
        } else {
            numbers
        };
        let drawn = self.canvas.left((LEFT, FOOT + 4.8), &numbers, SMALL, role);
        self.structure.push(Element::group(Tag::P, vec![drawn]));
    }
}
