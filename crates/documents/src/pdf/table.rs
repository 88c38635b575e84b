//! Lines of the invoice: a table that can span any number of pages, with a repeated header and a
//! running total.

use super::{
    canvas::{Element, Role, Style},
    font::{Shaped, Weight},
    sheet::{BODY, BOTTOM, GREY, LABEL, LEFT, RIGHT, RULE, SMALL, SMALLEST, Sheet, TOP},
    tail::Tail,
};
use crate::{invoice::Line, words};
use krilla::tagging::{ArtifactType, TableHeaderScope, Tag};
use ledger::{decimal::Decimal, money::Cents};

/// Space between columns, in millimetres.
const GAP: f32 = 5.0;
/// Height of the header, in millimetres.
const HEAD: f32 = 8.4;
/// Space reserved for the running total carried to the next page, in millimetres.
const CARRIED: f32 = 8.0;
/// Space above the first baseline of a row, in millimetres; `BELOW` is the space below its last
/// baseline.
const ABOVE: f32 = 5.2;
const BELOW: f32 = 3.2;
/// Maximum height of a row that is never split across pages, in millimetres.
const WHOLE: f32 = 90.0;
/// Maximum number of decimals in printed quantities and prices; the e-invoice can have more.
const DECIMALS: u32 = 6;

/// Cells of a line other than its description.
struct Cells {
    quantity: String,
    price: String,
    /// Empty without a discount.
    discount: String,
    rate: String,
    amount: String,
}

/// Right edges of the columns, and the width of the first.
struct Columns {
    quantity: f32,
    price: f32,
    /// `None` if no line has a discount.
    discount: Option<f32>,
    rate: f32,
    amount: f32,
    description: f32,
    style: Style,
}

/// Line of the description with its style and the distance to the previous line.
type TextLine = (Shaped, Style, f32);

impl Sheet<'_> {
    /// Draws the lines, and reserves space for the tail below the last of them.
    pub(super) fn lines(&mut self, tail: &Tail) {
        let invoice = self.invoice;
        let cells: Vec<Cells> = invoice.lines.iter().map(|line| self.cells(line)).collect();
        let columns = self.columns(&cells);
        // The header of the table is never alone at the end of a page.
        let first =
            invoice.lines.first().map_or(0.0, |line| height(&self.description(line, &columns)));
        self.room(HEAD + if first <= WHOLE { first } else { ABOVE + BELOW } + CARRIED);
        let head = self.head(&columns, Role::Content);
        let mut rows = Vec::with_capacity(cells.len());
        let mut sum = Cents::ZERO;
        for (place, (line, cells)) in invoice.lines.iter().zip(&cells).enumerate() {
            let tail = (place + 1 == invoice.lines.len()).then_some(tail);
            rows.push(self.row(line, cells, &columns, &mut sum, (place == 0, tail)));
        }
        let head = Element::group(Tag::THead, vec![head]);
        self.structure
            .push(Element::group(Tag::Table, vec![head, Element::group(Tag::TBody, rows)]));
    }

    fn cells(&self, line: &Line) -> Cells {
        let including = self.invoice.prices_include_vat;
        let discount = match line.discount_percent {
            _ if line.discount.is_zero() => String::new(),
            Some(percent) => self.texts.percent(percent),
            None => self.texts.money(line.discount),
        };
        Cells {
            quantity: self.texts.quantity(line.quantity.round_dp(DECIMALS), line.unit.as_deref()),
            price: self.price(line.unit_price),
            discount,
            rate: words::rate(self.texts, line.treatment, line.vat_rate),
            amount: self.texts.money(if including { line.amount_incl_vat } else { line.amount }),
        }
    }

    /// Formats a unit price: with two decimals if it is a whole number of cents, else with up to
    /// [`DECIMALS`] decimals.
    fn price(&self, price: Decimal) -> String {
        let price = price.round_dp(DECIMALS).normalize();
        ledger::decimal::to_cents(&price).map_or_else(
            |_| {
                // Formatted like an amount of money, but with all decimals of the price.
                let zero = self.texts.money(Cents::ZERO);
                let number = self.texts.number(price.abs());
                let amount = zero.replace("0,00", &number).replace("0.00", &number);
                if price.is_sign_negative() {
                    negative(&self.texts.money(Cents::new(-1)), &amount)
                } else {
                    amount
                }
            },
            |cents| self.texts.money(cents),
        )
    }

    fn columns(&mut self, cells: &[Cells]) -> Columns {
        let with_vat = !self.invoice.is_small_business();
        let (price, amount) = self.names();
        let mut size = BODY.size;
        loop {
            let style = Style { size, ..BODY };
            let mut widest = |name: &str, least: f32, of: fn(&Cells) -> &str| {
                let name = self.canvas.width(name, LABEL);
                cells
                    .iter()
                    .map(|cells| self.canvas.width(of(cells), style))
                    .fold(least.max(name), f32::max)
            };
            let amount_width = widest(amount, 20.0, |cells| &cells.amount);
            let rate_width = if with_vat {
                widest(self.words.vat, 10.0, |cells| &cells.rate) + GAP
            } else {
                0.0
            };
            let price_width = widest(price, 20.0, |cells| &cells.price);
            let quantity_width = widest(self.words.quantity, 12.0, |cells| &cells.quantity);
            let has_discount = cells.iter().any(|cells| !cells.discount.is_empty());
            let discount_width = if has_discount {
                widest(self.words.discount, 10.0, |cells| &cells.discount) + GAP
            } else {
                0.0
            };
            let rate = RIGHT - amount_width - GAP;
            let discount = rate - rate_width;
            let price_end = discount - discount_width;
            let quantity = price_end - price_width - GAP;
            let description = quantity - quantity_width - GAP - LEFT;
            if description >= 42.0 || size <= SMALLEST {
                return Columns {
                    quantity,
                    price: price_end,
                    discount: has_discount.then_some(discount),
                    rate,
                    amount: RIGHT,
                    description,
                    style,
                };
            }
            size = (size - 0.4).max(SMALLEST);
        }
    }

    /// Returns the names of the price and amount columns.
    fn names(&self) -> (&'static str, &'static str) {
        if self.invoice.prices_include_vat && !self.invoice.is_small_business() {
            (self.words.price_including, self.words.amount_including)
        } else {
            (self.words.price, self.words.amount)
        }
    }

    /// Draws the names of the columns, with a rule below them.
    fn head(&mut self, columns: &Columns, role: Role) -> Element {
        let y = self.y + 5.0;
        let (price, amount) = self.names();
        let mut cells = vec![self.canvas.left((LEFT, y), self.words.description, LABEL, role)];
        cells.push(self.canvas.right((columns.quantity, y), self.words.quantity, LABEL, role));
        cells.push(self.canvas.right((columns.price, y), price, LABEL, role));
        if let Some(x) = columns.discount {
            cells.push(self.canvas.right((x, y), self.words.discount, LABEL, role));
        }
        if !self.invoice.is_small_business() {
            cells.push(self.canvas.right((columns.rate, y), self.words.vat, LABEL, role));
        }
        cells.push(self.canvas.right((columns.amount, y), amount, LABEL, role));
        self.y += HEAD;
        let ink = self.accent;
        self.canvas.rule((LEFT, self.y), RIGHT - LEFT, 0.3, ink);
        let cell = |cell| Element::group(Tag::TH(TableHeaderScope::Column), vec![cell]);
        Element::group(Tag::TR, cells.into_iter().map(cell).collect())
    }

    /// Draws a row of the table. `is_first` marks the first row; `tail` is given for the last row
    /// only, and is the part that follows the table.
    fn row(
        &mut self,
        line: &Line,
        cells: &Cells,
        columns: &Columns,
        sum: &mut Cents,
        (is_first, tail): (bool, Option<&Tail>),
    ) -> Element {
        let lines = self.description(line, columns);
        let height = height(&lines);
        let whole = height <= WHOLE;
        let fresh = BOTTOM - TOP - HEAD - ABOVE - BELOW;
        let after = match tail {
            Some(tail) if whole => tail.reserve(self.y, height, (!is_first).then_some(fresh)),
            _ => CARRIED,
        };
        if self.y + (if whole { height } else { ABOVE + BELOW }) + after > BOTTOM {
            self.break_table(columns, *sum);
        }
        let first = self.y + ABOVE;
        let mut baseline = first;
        let mut description = Vec::with_capacity(lines.len());
        // The amount is printed next to the first line of text, so the running total includes it
        // even if the page breaks before the end of the row.
        let before = *sum;
        *sum = before
            + if self.invoice.prices_include_vat { line.amount_incl_vat } else { line.amount };
        let page = self.canvas.page();
        for (place, (text, style, step)) in lines.into_iter().enumerate() {
            if place > 0 {
                baseline += step;
                if !whole && baseline + BELOW + CARRIED > BOTTOM {
                    self.y = baseline - step + BELOW;
                    self.break_table(columns, *sum);
                    baseline = self.y + ABOVE;
                }
            }
            description.push(self.canvas.shaped((LEFT, baseline), text, style, Role::Content));
        }
        // Painted in reading order: the description, then the numbers next to its first line.
        let last = self.canvas.page();
        self.canvas.go_to(page);
        let rest = self.numbers(cells, columns, first);
        self.canvas.go_to(last);
        self.y = baseline + BELOW;
        self.canvas.rule((LEFT, self.y), RIGHT - LEFT, 0.2, RULE);
        let mut row = vec![Element::group(Tag::TD, description)];
        row.extend(rest.into_iter().map(|cell| Element::group(Tag::TD, vec![cell])));
        Element::group(Tag::TR, row)
    }

    fn numbers(&mut self, cells: &Cells, columns: &Columns, y: f32) -> Vec<Element> {
        let mut drawn = vec![self.canvas.right(
            (columns.quantity, y),
            &cells.quantity,
            columns.style,
            Role::Content,
        )];
        drawn.push(self.canvas.right(
            (columns.price, y),
            &cells.price,
            columns.style,
            Role::Content,
        ));
        if let Some(x) = columns.discount {
            drawn.push(self.canvas.right((x, y), &cells.discount, columns.style, Role::Content));
        }
        if !self.invoice.is_small_business() {
            let style = Style { ink: GREY, ..columns.style };
            drawn.push(self.canvas.right((columns.rate, y), &cells.rate, style, Role::Content));
        }
        drawn.push(self.canvas.right(
            (columns.amount, y),
            &cells.amount,
            columns.style,
            Role::Content,
        ));
        drawn
    }

    /// Returns the description: its first line in full size, the other lines smaller, followed by
    /// the price excluding VAT if required.
    fn description(&mut self, line: &Line, columns: &Columns) -> Vec<TextLine> {
        let text = line.description.trim();
        let (name, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut lines: Vec<TextLine> = self
            .canvas
            .wrap(name, columns.style, columns.description)
            .into_iter()
            .map(|line| (line, columns.style, 4.3))
            .collect();
        if !rest.is_empty() {
            lines.extend(
                self.canvas
                    .wrap(rest, SMALL, columns.description)
                    .into_iter()
                    .map(|line| (line, SMALL, 4.0)),
            );
        }
        if let Some(price) = self.invoice.net_price(line) {
            let net = format!("{} {}", self.words.price_excluding, self.price(price));
            lines.extend(
                self.canvas
                    .wrap(&net, SMALL, columns.description)
                    .into_iter()
                    .map(|line| (line, SMALL, 4.0)),
            );
        }
        lines
    }

    /// Continues the table on the next page, with the running total on both pages.
    fn break_table(&mut self, columns: &Columns, sum: Cents) {
        let role = Role::Artifact(ArtifactType::PaginationOther);
        let label = Style { weight: Weight::SemiBold, ..SMALL };
        let amount = Style { weight: Weight::SemiBold, ..columns.style };
        let text = self.texts.money(sum);
        if self.y > TOP + 10.0 {
            self.canvas.rule((LEFT, self.y), RIGHT - LEFT, 0.2, RULE);
            self.canvas.left((LEFT, self.y + ABOVE), self.words.carried, label, role);
            self.canvas.right((columns.amount, self.y + ABOVE), &text, amount, role);
        }
        self.next_page();
        self.head(columns, role);
        self.canvas.left((LEFT, self.y + ABOVE), self.words.brought, label, role);
        self.canvas.right((columns.amount, self.y + ABOVE), &text, amount, role);
        self.y += ABOVE + BELOW;
        self.canvas.rule((LEFT, self.y), RIGHT - LEFT, 0.2, RULE);
    }
}

/// Height of a row with this description.
fn height(lines: &[TextLine]) -> f32 {
    ABOVE + lines.iter().skip(1).map(|(.., step)| step).sum::<f32>() + BELOW
}

/// Copies the minus sign, and any space after it, from a negative example to the amount.
fn negative(example: &str, amount: &str) -> String {
    let sign = example.chars().next().unwrap_or('−');
    let space = example.chars().nth(1).filter(|character| character.is_whitespace());
    space.map_or_else(|| format!("{sign}{amount}"), |space| format!("{sign}{space}{amount}"))
}
