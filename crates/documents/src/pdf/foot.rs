//! What stands on every page: the foot with the seller's numbers, the page number, and what kind of document it is where it is no invoice.

use super::{
    canvas::{Element, Role, Style},
    font::Weight,
    letter::fit,
    payment::in_fours,
    sheet::{DARK, GREY, LEFT, RIGHT, RULE, Sheet},
};
use crate::{invoice::Version, words};
use krilla::tagging::{ArtifactType, Tag};

const FOOT: f32 = 273.0;
const NOTICE: [u8; 3] = [176, 32, 32];

impl Sheet<'_> {
    /// Head and foot of every page. The first foot is read aloud; those after it only repeat it.
    pub(super) fn feet(&mut self) {
        let pages = self.canvas.pages.len();
        for page in 0..pages {
            self.canvas.go_to(page);
            let role = if page == 0 { Role::Content } else { Role::Artifact(ArtifactType::PaginationOther) };
            self.notices(role);
            if page > 0 {
                self.continued();
            }
            self.foot(role);
            let style = Style::new(7.6, Weight::Regular, GREY);
            let text = words::page(self.texts.language, page + 1, pages);
            self.canvas.right((RIGHT, FOOT + 4.4), &text, style, Role::Artifact(ArtifactType::PageNumber));
            if self.invoice.version == Version::Draft {
                self.across(self.words.draft);
                // Behind everything else on the page.
                if let Some(drawings) = self.canvas.pages.get_mut(page) {
                    drawings.rotate_right(1);
                }
            }
        }
    }

    /// Draft, test, translation: said at the top of every page.
    fn notices(&mut self, role: Role) {
        let mut notices = Vec::new();
        match self.invoice.version {
            Version::Draft => notices.push(self.words.draft_line),
            Version::Translation => notices.push(self.words.translation_line),
            Version::Sent => {}
        }
        if self.invoice.test {
            notices.push(self.words.test_line);
        }
        if notices.is_empty() {
            return;
        }
        let notice = self.canvas.left((LEFT, 11.0), &notices.join(" · "), Style::new(9.0, Weight::SemiBold, NOTICE), role);
        // Read before everything else.
        self.structure.insert(0, Element::group(Tag::P, vec![notice]));
    }

    fn continued(&mut self) {
        let role = Role::Artifact(ArtifactType::PaginationOther);
        let style = Style::new(8.0, Weight::Regular, GREY);
        let text = format!("{} – {}", self.title(), self.words.continued);
        let text = fit(self, &text, style, 92.0);
        self.canvas.left((LEFT, 19.0), &text, style, role);
        let name = fit(self, &self.invoice.seller.name.clone(), style, 70.0);
        self.canvas.right((RIGHT, 19.0), &name, style, role);
    }

    fn foot(&mut self, role: Role) {
        self.canvas.rule((LEFT, FOOT), RIGHT - LEFT, 0.2, RULE);
        let seller = &self.invoice.seller;
        let (bold, plain) = (Style::new(7.6, Weight::SemiBold, DARK), Style::new(7.6, Weight::Regular, GREY));
        let town =
            [&seller.address.postal_code, &seller.address.city].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
        let street = seller.address.street.clone().unwrap_or_default().replace('\n', ", ");
        // Whoever uses the small businesses scheme does not speak of VAT (art. 25a(4) Wet OB 1968).
        let vat = seller.vat_number.as_ref().filter(|_| !self.invoice.is_small_business());
        let columns = [
            (LEFT, 54.0, vec![(seller.name.clone(), bold), (street, plain), (town, plain)]),
            (
                78.0,
                43.0,
                vec![
                    (seller.kvk_number.as_ref().map_or_else(String::new, |number| format!("KvK {number}")), plain),
                    (vat.map_or_else(String::new, |number| format!("{} {number}", self.words.vat_id)), plain),
                ],
            ),
            (124.0, 44.0, vec![(seller.iban.as_ref().map_or_else(String::new, |iban| in_fours(iban.as_str())), plain)]),
        ];
        for (x, width, lines) in columns {
            let mut y = FOOT + 4.4;
            let mut children = Vec::new();
            for (text, style) in lines.into_iter().filter(|(text, _)| !text.is_empty()) {
                let text = fit(self, &text, style, width);
                children.push(self.canvas.left((x, y), &text, style, role));
                y += 3.8;
            }
            self.structure.push(Element::group(Tag::P, children));
        }
    }
}
