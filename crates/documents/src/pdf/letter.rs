//! The head of the first page: logo, sender, the address in the window of the envelope, what is known about the invoice, and the title.

use super::{
    Window,
    canvas::{Element, PAGE, Role, Shape, Style},
    font::Weight,
    sheet::{DARK, GREY, LEFT, RIGHT, Sheet},
};
use crate::{legal, words::period};
use krilla::tagging::{ArtifactType, Tag};
use std::num::NonZeroU16;

/// The room for a logo, in millimetres.
const LOGO: (f32, f32) = (62.0, 16.0);
/// The base line of the first line of the address. With a window of 40 × 110 mm in an envelope of 110 × 220 mm, and the sheet sliding in it,
/// 50 to 79 mm from the top are always seen.
const ADDRESS: f32 = 57.2;
/// Lines of an address that are always seen.
const ADDRESS_LINES: usize = 5;

impl Sheet<'_> {
    /// Everything above the lines.
    pub(super) fn letter(&mut self) {
        self.logo();
        self.sender();
        self.address();
        let end = self.facts();
        self.headline(end);
        if let Some(opening) = self.look.opening.clone() {
            self.paragraph(&opening, super::sheet::BODY, 4.4);
            self.y += 3.0;
        }
    }

    fn logo(&mut self) {
        let name = self.invoice.seller.name.clone();
        let Some(logo) = &self.look.logo else {
            let style = Style::new(15.0, Weight::SemiBold, self.accent);
            let lines = self.canvas.wrap(&name, style, 88.0);
            let (children, _) = self.canvas.lines((LEFT, 24.0), lines.into_iter().take(3).collect(), style, 6.4, Role::Content);
            self.structure.push(Element::group(Tag::P, children));
            return;
        };
        // At most 1000 pixels on a side.
        let pixels = |side: u32| f32::from(u16::try_from(side).unwrap_or(u16::MAX));
        let (width, height) = (pixels(logo.size().0), pixels(logo.size().1));
        let scale = (LOGO.0 / width).min(LOGO.1 / height);
        let (width, height) = (width * scale, height * scale);
        let place = Shape::Logo { x: LEFT, y: 18.0 + (LOGO.1 - height) / 2.0, width, height };
        let drawn = self.canvas.draw(place, Role::Content);
        self.structure.push(Element::group(Tag::Figure(Some(format!("{} {name}", self.words.logo))), vec![drawn]));
    }

    fn sender(&mut self) {
        let seller = &self.invoice.seller;
        let (bold, plain) = (Style::new(8.2, Weight::SemiBold, DARK), Style::new(8.2, Weight::Regular, GREY));
        let mut y = 20.6;
        let mut children = Vec::new();
        for line in self.canvas.wrap(&seller.name, bold, 75.0).into_iter().take(2) {
            let x = RIGHT - line.width * bold.size / super::canvas::POINTS;
            children.push(self.canvas.shaped((x, y), line, bold, Role::Content));
            y += 4.0;
        }
        let mut lines = address_lines(&seller.address);
        // Whoever is abroad wants to know where it comes from.
        if !self.invoice.buyer.address.country.is_dutch() {
            lines.push(self.texts.country(seller.address.country.as_str()).to_owned());
        }
        lines.extend(seller.phone.clone());
        for line in lines.into_iter().take(6) {
            let line = fit(self, &line, plain, 75.0);
            children.push(self.canvas.right((RIGHT, y), &line, plain, Role::Content));
            y += 4.0;
        }
        self.structure.push(Element::group(Tag::P, children));
        let links = [
            seller.email.as_ref().map(|mail| (mail.clone(), format!("mailto:{mail}"))),
            seller.website.as_ref().map(|site| (site.clone(), address_of(site))),
        ];
        for (text, target) in links.into_iter().flatten() {
            let shown = fit(self, &text, plain, 75.0);
            let width = self.canvas.width(&shown, plain);
            let drawn = self.canvas.right((RIGHT, y), &shown, plain, Role::Content);
            let link = Shape::Link { x: RIGHT - width, y: y - 3.0, width, height: 4.0, target, meaning: text };
            let link = self.canvas.draw(link, Role::Content);
            let link = Element::group(Tag::Link, vec![drawn, link]);
            self.structure.push(Element::group(Tag::P, vec![link]));
            y += 4.0;
        }
    }

    /// The address, with a small line above it that tells where to return the letter.
    fn address(&mut self) {
        let x = match self.look.window {
            Window::Left => 24.0,
            Window::Right => 104.0,
        };
        let width = RIGHT.min(x + 86.0) - x;
        let (seller, buyer) = (&self.invoice.seller, &self.invoice.buyer);
        let small = Style::new(6.3, Weight::Regular, GREY);
        let home = address_lines(&seller.address).join(" · ");
        let sender = if home.is_empty() { seller.name.clone() } else { format!("{} · {home}", seller.name) };
        let sender = fit(self, &sender, small, width);
        self.canvas.left((x, 52.0), &sender, small, Role::Artifact(ArtifactType::Layout));

        let style = Style::new(9.6, Weight::Regular, DARK);
        let mut parts = vec![buyer.name.clone()];
        parts.extend(buyer.contact_person.clone());
        parts.extend(address_lines(&buyer.address));
        if !buyer.address.country.is_dutch() {
            parts.push(self.texts.country(buyer.address.country.as_str()).to_owned());
        }
        let mut lines = Vec::new();
        for part in &parts {
            lines.extend(self.canvas.wrap(part, style, width));
        }
        // More lines than the window shows: what is between the name and the last two (town and country) goes on one line.
        if lines.len() > ADDRESS_LINES {
            let ends = parts.len().saturating_sub(2).max(1);
            let middle = parts[1..ends].join(", ");
            let shown = [vec![parts[0].clone(), middle], parts[ends..].to_vec()].concat();
            lines = shown
                .into_iter()
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let fitted = fit(self, &part, style, width);
                    let mut shaped = self.canvas.shaper.shape(&fitted, style.weight);
                    shaped.original = (fitted != part).then_some(part).or(shaped.original);
                    shaped
                })
                .collect();
        }
        let (children, _) = self.canvas.lines((x, ADDRESS), lines, style, 4.6, Role::Content);
        self.structure.push(Element::group(Tag::P, children));
    }

    /// Number, days and references, beside the address; gives where they end.
    fn facts(&mut self) -> f32 {
        let invoice = self.invoice;
        let words = self.words;
        let mut facts = vec![(if invoice.is_credit_note() { words.credit_number } else { words.number }, invoice.number.clone())];
        facts.push((words.date, self.texts.date(invoice.issue_date)));
        if let Some(due) = invoice.due_date.filter(|_| !invoice.is_credit_note()) {
            facts.push((words.due, self.texts.date(due)));
        }
        if let Some(supply) = invoice.supply {
            facts.push((words.supplied, period(self.texts, supply.from, supply.until)));
        }
        facts.extend(invoice.reference.clone().map(|reference| (words.reference, reference)));
        let (x, width) = match self.look.window {
            Window::Left => (122.0, 68.0),
            Window::Right => (LEFT, 78.0),
        };
        let (label, value) = (Style::new(8.2, Weight::Regular, GREY), Style::new(9.2, Weight::Regular, DARK));
        let widest = facts.iter().map(|(name, _)| self.canvas.width(name, label)).fold(0.0, f32::max);
        let indent = (widest + 4.0).max(28.0);
        let mut y = ADDRESS;
        for (name, text) in facts {
            let name = self.canvas.left((x, y), name, label, Role::Content);
            let lines = self.canvas.wrap(&text, value, width - indent);
            let (mut children, end) =
                self.canvas.lines((x + indent, y), lines.into_iter().take(4).collect(), value, 4.3, Role::Content);
            children.insert(0, name);
            self.structure.push(Element::group(Tag::P, children));
            y = end + 0.4;
        }
        y
    }

    /// The title, and what is to be paid.
    fn headline(&mut self, after: f32) {
        let invoice = self.invoice;
        let y = (after + 8.0).max(100.0);
        let (what, number) = (self.words.title(&invoice.kind), &invoice.number);
        let (label, amount) =
            if invoice.is_credit_note() { (self.words.credit, -invoice.total) } else { (self.words.to_pay, invoice.total) };
        let amount = self.texts.money(amount);
        let (small, large) = (Style::new(8.4, Weight::Regular, GREY), Style::new(14.0, Weight::SemiBold, DARK));
        let amount_width = self.canvas.width(&amount, large);
        let label_width = self.canvas.width(label, small);
        // Whatever number somebody chose: the title is made smaller until it fits beside the amount.
        let room = RIGHT - LEFT - amount_width - label_width - 10.0;
        let mut size = 21.0;
        let mut style = Style::new(size, Weight::SemiBold, DARK);
        while size > 4.5 && self.canvas.width(&format!("{what} {number}"), style) > room {
            size -= 0.5;
            style = Style::new(size, Weight::SemiBold, DARK);
        }
        let first = self.canvas.left((LEFT, y), &format!("{what} "), style, Role::Content);
        let indent = self.canvas.width(&format!("{what} "), style);
        let accent = Style { ink: self.accent, ..style };
        let second = self.canvas.left((LEFT + indent, y), number, accent, Role::Content);
        let title = self.title();
        self.outline.push((title.clone(), self.canvas.page(), y - 8.0));
        self.structure.push(Element::group(Tag::Hn(NonZeroU16::MIN, Some(title)), vec![first, second]));
        let label = self.canvas.right((RIGHT - amount_width - 3.0, y), label, small, Role::Content);
        let amount = self.canvas.right((RIGHT, y), &amount, large, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![label, amount]));
        self.y = y + 6.0;
    }

    /// The sentences of the law, what was credited, and what the person wrote.
    pub(super) fn notes(&mut self) {
        let invoice = self.invoice;
        let mut sentences: Vec<String> = crate::words::credit_sentence(self.texts, invoice).into_iter().collect();
        for treatment in invoice.treatments() {
            let sentence = legal::sentence(treatment, invoice.language, invoice.buyer.vat_number.as_ref());
            sentences.extend(sentence.filter(|sentence| !sentences.contains(sentence)));
        }
        if !sentences.is_empty() {
            let style = super::sheet::BODY;
            let lines: Vec<_> =
                sentences.iter().flat_map(|sentence| self.canvas.wrap(sentence, style, RIGHT - LEFT - 5.0)).collect();
            let height = f32::from(u16::try_from(lines.len()).unwrap_or(u16::MAX)) * 4.5;
            self.room(height + 6.0);
            self.y += 5.0;
            let ink = self.accent;
            let bar = Shape::Panel { x: LEFT, y: self.y, width: 0.6, height: height + 1.0, radius: 0.0, ink };
            self.canvas.draw(bar, Role::Artifact(ArtifactType::Layout));
            let (children, _) = self.canvas.lines((LEFT + 4.0, self.y + 4.0), lines, style, 4.5, Role::Content);
            self.structure.push(Element::group(Tag::P, children));
            self.y += height + 1.0;
        }
        if let Some(notes) = &invoice.notes {
            self.y += 3.0;
            self.paragraph(notes, super::sheet::BODY, 4.5);
        }
    }

    /// The large word across a draft; it is said in words at the top as well.
    pub(super) fn across(&mut self, word: &str) {
        let style = Style::new(88.0, Weight::SemiBold, [236, 239, 242]);
        let text = self.canvas.shaper.shape(word, style.weight);
        let half = text.width * style.size / super::canvas::POINTS / 2.0;
        let (x, y) = (PAGE.0 / 2.0 - half * 0.72, PAGE.1 / 2.0 + half * 0.72);
        let mark = Shape::Text { x, y, text, style, turned: -45.0 };
        self.canvas.draw(mark, Role::Artifact(ArtifactType::Watermark));
    }
}

/// The text, cut with an ellipsis if it is wider than that.
pub(super) fn fit(sheet: &mut Sheet<'_>, text: &str, style: Style, width: f32) -> String {
    let mut shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if sheet.canvas.width(&shown, style) <= width {
        return shown;
    }
    while !shown.is_empty() && sheet.canvas.width(&format!("{shown}…"), style) > width {
        shown.pop();
    }
    format!("{}…", shown.trim_end())
}

/// The street's lines, and the postal code with the town.
fn address_lines(address: &crate::invoice::Address) -> Vec<String> {
    let town = [&address.postal_code, &address.city].into_iter().flatten().map(|part| part.trim()).collect::<Vec<_>>().join(" ");
    let street = address.street.as_deref().unwrap_or_default().split('\n').map(str::trim);
    street.chain([town.as_str()]).filter(|line| !line.is_empty()).map(ToOwned::to_owned).collect()
}

fn address_of(site: &str) -> String {
    if site.contains("://") { site.to_owned() } else { format!("https://{site}") }
}
