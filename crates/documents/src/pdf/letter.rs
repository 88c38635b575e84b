//! Top of the first page: logo, sender, the address in the window of the envelope, the invoice's
//! details, and the title.

use super::{
    Window,
    canvas::{DARK, Element, Role, Shape, Style},
    font::{Shaped, Weight},
    sheet::{BODY, BOTTOM, LEFT, RIGHT, SMALL, SMALLEST, Sheet, TOP, count},
};
use crate::{
    invoice::{Address, DocumentKind},
    words::period,
};
use krilla::tagging::{ArtifactType, Tag};
use std::num::NonZeroU16;

/// Maximum size of a logo, in millimetres.
const LOGO: (f32, f32) = (62.0, 16.0);
/// Lowest baseline of the sender's details, in millimetres; the envelope's window is below it.
const SENDER_END: f32 = 48.7;
/// Line height of the sender's details, in millimetres.
const SENDER_STEP: f32 = 4.0;
/// Baseline of the first line of the address, in millimetres. The sheet can slide in its envelope:
/// with a window of 40 × 110 mm in an envelope of 110 × 220 mm, the area from 50 to 79 mm below the
/// top of the sheet is always visible, and nothing below 90 mm ever is.
const ADDRESS: f32 = 57.2;
/// Space between the sender and the address if the envelope has no window, in millimetres;
/// `BELOW_LOGO` is the minimum baseline of the address below a logo.
const BELOW_SENDER: f32 = 9.0;
const BELOW_LOGO: f32 = 45.0;
/// Width of the address, in millimetres.
const ADDRESS_WIDTH: f32 = 86.0;
/// Styles in which an address is fully visible in the window: font size, line height, and maximum
/// number of lines.
const ADDRESS_LOOKS: [(f32, f32, usize); 2] = [(9.6, 4.6, 5), (SMALLEST, 3.6, 7)];
/// Minimum baseline of the title, in millimetres, so that its letters are below the window.
const BELOW_WINDOW: f32 = 96.0;

/// Detail of the sender, with its link target.
struct Detail {
    text: String,
    target: Option<String>,
}

/// Run of text in a line, with its link: target and description.
struct Run {
    text: Shaped,
    style: Style,
    link: Option<(String, String)>,
}

impl Run {
    fn width(&self) -> f32 {
        self.text.width * self.style.size / super::canvas::POINTS
    }
}

impl Sheet<'_> {
    /// Draws everything above the lines.
    pub(super) fn letter(&mut self) {
        self.logo();
        let (unseen, end) = self.sender();
        let first = match self.look.window {
            Window::None if self.look.logo.is_some() => (end + BELOW_SENDER).max(BELOW_LOGO),
            Window::None => end + BELOW_SENDER,
            Window::Left | Window::Right => ADDRESS,
        };
        let mut end = self.address(first).max(self.facts(first));
        if !unseen.is_empty() {
            // Details too long for the letterhead are printed in full here.
            end = self.runs(unseen, (LEFT, end + 2.0), false);
        }
        self.headline(end);
        if let Some(opening) = &self.look.opening {
            let lines = self.full_width(opening, BODY);
            self.paragraph(lines, BODY, 4.4, 0.0);
            self.y += 3.0;
        }
    }

    fn logo(&mut self) {
        let Some(logo) = &self.look.logo else { return };
        // A stored logo has at most 1000 pixels a side, so the conversion cannot fail.
        let pixels = |side: u32| f32::from(u16::try_from(side).unwrap_or(u16::MAX));
        let (width, height) = (pixels(logo.size().0), pixels(logo.size().1));
        let scale = (LOGO.0 / width).min(LOGO.1 / height);
        let (width, height) = (width * scale, height * scale);
        let place = Shape::Logo { x: LEFT, y: 18.0 + (LOGO.1 - height) / 2.0, width, height };
        let drawn = self.canvas.draw(place, Role::Content);
        let meaning = format!("{} {}", self.words.logo, self.invoice.seller.name);
        self.structure.push(Element::group(Tag::Figure(Some(meaning)), vec![drawn]));
    }

    /// Draws the seller's name and details next to the logo, or as the letterhead if there is no
    /// logo; returns the baseline after them. If they do not fit, only the name is drawn, truncated
    /// to one line; the full name and all details are returned as lines to draw below the address.
    fn sender(&mut self) -> (Vec<Vec<Run>>, f32) {
        let name = self.invoice.seller.name.clone();
        let (at_right, style, step, first, width) = if self.look.logo.is_some() {
            (true, Style::new(SMALLEST, Weight::SemiBold, DARK), SENDER_STEP, 20.6, 100.0)
        } else {
            // Long names get a smaller font.
            let of_size =
                |size: f32| (Style::new(size, Weight::SemiBold, self.accent), size * 0.427);
            let looks = [15.0, 12.0, 10.0].map(of_size);
            let fits = |sheet: &mut Self, style| sheet.full_width(&name, style).len() <= 2;
            let chosen = looks.into_iter().find(|(style, _)| fits(self, *style));
            let (style, step) = chosen.unwrap_or(looks[2]);
            (false, style, step, 24.0, RIGHT - LEFT)
        };
        let named = self.canvas.wrap(&name, style, width);
        let details = if at_right { self.stacked(width) } else { self.in_a_row() };
        let below_name =
            first + count(named.len() - 1) * step + if at_right { SENDER_STEP } else { 5.6 };
        if below_name + count(details.len()) * SENDER_STEP - SENDER_STEP <= SENDER_END {
            self.sender_name(named, style, step, (first, at_right));
            let end =
                self.runs(details, (if at_right { RIGHT } else { LEFT }, below_name), at_right);
            return (Vec::new(), end);
        }
        let shown = fit(self, &name, style, width);
        let shown = self.canvas.shaper.shape(&shown, style.weight);
        self.sender_name(vec![shown], style, step, (first, at_right));
        let bold = Style::new(SMALLEST, Weight::SemiBold, DARK);
        let in_full = self
            .full_width(&name, bold)
            .into_iter()
            .map(|text| vec![Run { text, style: bold, link: None }]);
        let mut lines: Vec<_> = in_full.collect();
        lines.extend(self.in_a_row());
        (lines, first + step)
    }

    fn sender_name(
        &mut self,
        lines: Vec<Shaped>,
        style: Style,
        step: f32,
        (y, at_right): (f32, bool),
    ) {
        let mut children = Vec::with_capacity(lines.len());
        let mut y = y;
        for line in lines {
            let width = line.width * style.size / super::canvas::POINTS;
            children.push(self.canvas.shaped(
                (if at_right { RIGHT - width } else { LEFT }, y),
                line,
                style,
                Role::Content,
            ));
            y += step;
        }
        self.structure.push(Element::group(Tag::P, children));
    }

    /// Returns the seller's address and contact details.
    fn details(&self) -> Vec<Detail> {
        let seller = &self.invoice.seller;
        let mut lines = address_lines(&seller.address);
        // For a buyer abroad, the seller's address needs the country.
        if !self.invoice.buyer.address.country.is_dutch() {
            lines.push(self.texts.country(seller.address.country.as_str()).to_owned());
        }
        lines.extend(seller.phone.clone());
        let mut details: Vec<Detail> =
            lines.into_iter().map(|text| Detail { text, target: None }).collect();
        details.extend(
            seller
                .email
                .iter()
                .map(|mail| Detail { text: mail.clone(), target: Some(format!("mailto:{mail}")) }),
        );
        details.extend(
            seller
                .website
                .iter()
                .map(|site| Detail { text: site.clone(), target: Some(address_of(site)) }),
        );
        details
    }

    /// Returns the details below one another.
    fn stacked(&mut self, width: f32) -> Vec<Vec<Run>> {
        let details = self.details();
        details.iter().flat_map(|detail| self.detail(detail, width)).map(|run| vec![run]).collect()
    }

    /// Returns the details in a row, wrapped over several lines.
    fn in_a_row(&mut self) -> Vec<Vec<Run>> {
        let width = RIGHT - LEFT;
        let mut lines: Vec<Vec<Run>> = Vec::new();
        for detail in self.details() {
            let mut runs = self.detail(&detail, width);
            let between = Run {
                text: self.canvas.shaper.shape(" · ", SMALL.weight),
                style: SMALL,
                link: None,
            };
            if let (Some(line), [run]) = (lines.last_mut(), runs.as_slice()) {
                let filled: f32 = line.iter().map(Run::width).sum();
                if filled + between.width() + run.width() <= width {
                    line.push(between);
                    line.append(&mut runs);
                }
            }
            lines.extend(runs.into_iter().map(|run| vec![run]));
        }
        lines
    }

    /// Returns a detail, wrapped over several lines.
    fn detail(&mut self, detail: &Detail, width: f32) -> Vec<Run> {
        let link = detail.target.as_ref().map(|target| (target.clone(), detail.text.clone()));
        let lines = self.canvas.wrap(&detail.text, SMALL, width);
        lines.into_iter().map(|text| Run { text, style: SMALL, link: link.clone() }).collect()
    }

    /// Draws lines that start or end at `x`; returns the baseline after the last.
    fn runs(&mut self, lines: Vec<Vec<Run>>, (x, y): (f32, f32), at_right: bool) -> f32 {
        let mut y = y;
        for line in lines {
            let mut left = if at_right { x - line.iter().map(Run::width).sum::<f32>() } else { x };
            let mut children = Vec::with_capacity(line.len());
            for run in line {
                let width = run.width();
                let drawn = self.canvas.shaped((left, y), run.text, run.style, Role::Content);
                children.push(match run.link {
                    None => drawn,
                    Some((target, meaning)) => {
                        let area = Shape::Link {
                            x: left,
                            y: y - 3.0,
                            width,
                            height: 4.0,
                            target,
                            meaning,
                        };
                        let area = self.canvas.draw(area, Role::Content);
                        Element::group(Tag::Link, vec![drawn, area])
                    }
                });
                left += width;
            }
            self.structure.push(Element::group(Tag::P, children));
            y += SENDER_STEP;
        }
        y
    }

    /// Draws the address from baseline `y`; returns the baseline after the address. In a window,
    /// the seller's return address is drawn above it.
    ///
    /// The address is never truncated (art. 35a(1)(e) Wet OB 1968): lines that do not fit in the
    /// window continue below the window.
    fn address(&mut self, y: f32) -> f32 {
        let x = match self.look.window {
            Window::None => LEFT,
            Window::Left => 24.0,
            Window::Right => 104.0,
        };
        if self.look.window != Window::None {
            let home = address_lines(&self.invoice.seller.address).join(" · ");
            if self.canvas.width(&home, SMALL) <= ADDRESS_WIDTH {
                self.canvas.left(
                    (x, ADDRESS - 5.2),
                    &home,
                    SMALL,
                    Role::Artifact(ArtifactType::Layout),
                );
            }
        }
        let buyer = &self.invoice.buyer;
        let mut before = vec![buyer.name.clone()];
        let mut middle: Vec<String> = buyer.contact_person.iter().cloned().collect();
        middle.extend(street_lines(&buyer.address));
        let mut after: Vec<String> = town(&buyer.address).into_iter().collect();
        if !buyer.address.country.is_dutch() {
            after.push(self.texts.country(buyer.address.country.as_str()).to_owned());
        }
        let apart = [before.clone(), middle.clone(), after.clone()].concat();
        before.push(middle.join(", "));
        let joined = [before, after].concat();
        let candidates =
            [(ADDRESS_LOOKS[0], &apart), (ADDRESS_LOOKS[1], &apart), (ADDRESS_LOOKS[1], &joined)];
        let seen_whole = candidates.into_iter().find(|((size, _, most), parts)| {
            self.look.window == Window::None || self.address_shaped(parts, *size).len() <= *most
        });
        let ((size, step, _), parts) = seen_whole.unwrap_or(candidates[2]);
        let lines = self.address_shaped(parts, size);
        let style = Style::new(size, Weight::Regular, DARK);
        let (children, end) = self.canvas.lines((x, y), lines, style, step, Role::Content);
        self.structure.push(Element::group(Tag::P, children));
        end
    }

    fn address_shaped(&mut self, parts: &[String], size: f32) -> Vec<Shaped> {
        let style = Style::new(size, Weight::Regular, DARK);
        parts
            .iter()
            .filter(|part| !part.is_empty())
            .flat_map(|part| self.canvas.wrap(part, style, ADDRESS_WIDTH))
            .collect()
    }

    /// Draws the dates and references next to the address that starts at `y`; returns the baseline
    /// after them. The invoice number is in the title instead.
    fn facts(&mut self, y: f32) -> f32 {
        let invoice = self.invoice;
        let words = self.words;
        let (date, due_label) = match invoice.kind {
            DocumentKind::CreditNote { .. } => (words.credit_date, words.due),
            DocumentKind::Quote => (words.quote_date, words.valid_until),
            DocumentKind::Invoice | DocumentKind::Prepayment => (words.date, words.due),
        };
        let mut facts = vec![(date, self.texts.date(invoice.issue_date))];
        if let Some(due) = invoice.due_date.filter(|_| !invoice.is_credit_note()) {
            facts.push((due_label, self.texts.date(due)));
        }
        if let Some(supply) = invoice.supply {
            facts.push((words.supplied, period(self.texts, supply.from, supply.until)));
        }
        for (name, text) in [
            (words.order_number, &invoice.order_number),
            (words.buyer_reference, &invoice.buyer_reference),
            (words.reference, &invoice.reference),
        ] {
            facts.extend(text.clone().map(|text| (name, text)));
        }
        let (x, width) = match self.look.window {
            Window::None | Window::Left => (122.0, 68.0),
            Window::Right => (LEFT, 78.0),
        };
        let mut y = y;
        let widest =
            facts.iter().map(|(name, _)| self.canvas.width(name, SMALL)).fold(0.0, f32::max);
        let indent = (widest + 4.0).max(28.0);
        for (name, text) in facts {
            let name = self.canvas.left((x, y), name, SMALL, Role::Content);
            let lines = self.canvas.wrap(&text, BODY, width - indent);
            let (mut children, end) =
                self.canvas.lines((x + indent, y), lines, BODY, 4.3, Role::Content);
            children.insert(0, name);
            self.structure.push(Element::group(Tag::P, children));
            y = end + 0.4;
        }
        y
    }

    /// Draws the title and the amount due.
    fn headline(&mut self, after: f32) {
        let invoice = self.invoice;
        let mut y = after + 9.0;
        if self.look.window != Window::None {
            y = y.max(BELOW_WINDOW);
        }
        if y + 20.0 > BOTTOM {
            self.next_page();
            y = TOP + 8.0;
        }
        let (what, number) = (self.words.title(&invoice.kind), &invoice.number);
        let (label, amount) = match invoice.kind {
            DocumentKind::CreditNote { .. } => (self.words.credit, -invoice.total),
            DocumentKind::Quote => (self.words.total, invoice.total),
            DocumentKind::Invoice | DocumentKind::Prepayment => (self.words.to_pay, invoice.total),
        };
        let amount = self.texts.money(amount);
        let large = Style::new(14.0, Weight::SemiBold, DARK);
        let amount_width = self.canvas.width(&amount, large);
        let label_width = self.canvas.width(label, SMALL);
        // With a long number, the title shrinks until it fits next to the amount. If it is still
        // too wide at the smallest size, the number moves to the next line.
        let room = RIGHT - LEFT - amount_width - label_width - 10.0;
        let mut style = Style::new(21.0, Weight::SemiBold, DARK);
        while style.size > 13.0 && self.canvas.width(&format!("{what} {number}"), style) > room {
            style.size -= 0.5;
        }
        let accent = Style { ink: self.accent, ..style };
        let begin = format!("{what} ");
        let indent = self.canvas.width(&begin, style);
        let mut children = vec![self.canvas.left((LEFT, y), &begin, style, Role::Content)];
        let top = y;
        if number.is_empty() {
            // A preview has no number yet.
        } else if indent + self.canvas.width(number, style) <= room {
            children.push(self.canvas.left((LEFT + indent, y), number, accent, Role::Content));
        } else {
            let lines = self.full_width(number, accent);
            let (drawn, end) =
                self.canvas.lines((LEFT, y + 6.0), lines, accent, 6.0, Role::Content);
            children.extend(drawn);
            y = end - 6.0;
        }
        let title = self.title();
        self.outline.push((title.clone(), self.canvas.page(), top - 8.0));
        self.structure.push(Element::group(Tag::Hn(NonZeroU16::MIN, Some(title)), children));
        let label =
            self.canvas.right((RIGHT - amount_width - 3.0, top), label, SMALL, Role::Content);
        let amount = self.canvas.right((RIGHT, top), &amount, large, Role::Content);
        self.structure.push(Element::group(Tag::P, vec![label, amount]));
        self.y = y + 6.0;
    }
}

/// Returns the text, truncated with an ellipsis if it is too wide.
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

/// Returns the lines of the street, and the postal code with the town.
fn address_lines(address: &Address) -> Vec<String> {
    street_lines(address).chain(town(address)).collect()
}

fn street_lines(address: &Address) -> impl Iterator<Item = String> {
    let street = address.street.as_deref().unwrap_or_default().split('\n').map(str::trim);
    street.filter(|line| !line.is_empty()).map(ToOwned::to_owned)
}

fn town(address: &Address) -> Option<String> {
    let parts = [&address.postal_code, &address.city].into_iter().flatten().map(|part| part.trim());
    Some(parts.collect::<Vec<_>>().join(" ")).filter(|town| !town.is_empty())
}

fn address_of(site: &str) -> String {
    if site.contains("://") { site.to_owned() } else { format!("https://{site}") }
}
