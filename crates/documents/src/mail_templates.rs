//! Texts of emails with placeholders, such as `{number}`, which the owner can write.
//!
//! A text is read once: braces in a value that takes the place of a placeholder stay as they are.
//! A line of which every placeholder is empty is left out, such as `Order: {orderNumber}` for an
//! invoice without an order number.

use crate::letters::Letter;
use i18n::Texts;
use jiff::civil::Date;
use ledger::{language::Language, money::Cents};

/// Placeholder of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Name of the customer.
    Customer,
    /// Contact person, or else the name of the customer.
    ContactPerson,
    /// Number of the document.
    Number,
    /// Total.
    Amount,
    /// Amount to be paid.
    AmountDue,
    /// Last day for payment.
    DueDate,
    /// Number of days overdue.
    Days,
    /// Order number of the customer.
    OrderNumber,
    /// Reference of the customer.
    Reference,
    /// Last day on which a quote is valid.
    ValidUntil,
    /// Statutory interest to date.
    Interest,
    /// Collection costs.
    Costs,
    /// Name of the sender.
    Company,
    /// Bank account of the sender.
    Iban,
    /// Address of the customer's page.
    Link,
}

impl Field {
    /// All placeholders, in the order in which they are explained.
    pub const ALL: [Self; 15] = [
        Self::Customer,
        Self::ContactPerson,
        Self::Number,
        Self::Amount,
        Self::AmountDue,
        Self::DueDate,
        Self::Days,
        Self::OrderNumber,
        Self::Reference,
        Self::ValidUntil,
        Self::Interest,
        Self::Costs,
        Self::Company,
        Self::Iban,
        Self::Link,
    ];

    /// Name between the braces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::ContactPerson => "contactPerson",
            Self::Number => "number",
            Self::Amount => "amount",
            Self::AmountDue => "amountDue",
            Self::DueDate => "dueDate",
            Self::Days => "days",
            Self::OrderNumber => "orderNumber",
            Self::Reference => "reference",
            Self::ValidUntil => "validUntil",
            Self::Interest => "interest",
            Self::Costs => "costs",
            Self::Company => "company",
            Self::Iban => "iban",
            Self::Link => "link",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// Values of the placeholders; one without a value is empty.
#[derive(Clone, Debug)]
pub struct Values {
    texts: Texts,
    values: [String; Field::ALL.len()],
}

impl Values {
    /// Creates values for a text in a language, all empty.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self { texts: Texts { language }, values: Default::default() }
    }

    /// Adds an amount.
    #[must_use]
    pub fn with_money(self, field: Field, amount: Cents) -> Self {
        let text = self.texts.money(amount);
        self.with(field, text)
    }

    /// Adds a date.
    #[must_use]
    pub fn with_day(self, field: Field, day: Date) -> Self {
        let text = self.texts.date(day);
        self.with(field, text)
    }

    /// Adds the value of a placeholder.
    #[must_use]
    pub fn with(mut self, field: Field, value: impl Into<String>) -> Self {
        self.values[field as usize] = value.into();
        self
    }

    /// Adds the value of a placeholder if there is one.
    #[must_use]
    pub fn with_some(self, field: Field, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(field, value),
            None => self,
        }
    }

    /// Returns the value of a placeholder.
    #[must_use]
    pub fn get(&self, field: Field) -> &str {
        &self.values[field as usize]
    }
}

/// Part of a text.
enum Part<'t> {
    Text(&'t str),
    Field(Field),
    /// Name between braces that is no placeholder.
    Unknown(&'t str),
}

/// Splits a text at its placeholders. Braces around nothing, or without a partner on their line, are
/// text.
fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let mut from = 0;
    while let Some(open) = rest[from..].find('{').map(|place| place + from) {
        let inside = &rest[open + 1..];
        let end = inside.find(['{', '}', '\n']).filter(|end| inside[*end..].starts_with('}'));
        let Some(end) = end.filter(|end| *end > 0) else {
            from = open + 1;
            continue;
        };
        let name = &inside[..end];
        parts.push(Part::Text(&rest[..open]));
        parts.push(Field::parse(name).map_or(Part::Unknown(name), Part::Field));
        (rest, from) = (&inside[end + 1..], 0);
    }
    parts.push(Part::Text(rest));
    parts
}

/// Returns the name of the first placeholder that does not exist.
#[must_use]
pub fn unknown_placeholder(text: &str) -> Option<String> {
    parts(text).iter().find_map(|part| match part {
        Part::Unknown(name) => Some((*name).to_owned()),
        Part::Text(_) | Part::Field(_) => None,
    })
}

/// Whether the text has placeholders and none of them has a value.
fn is_empty(text: &str, values: &Values) -> bool {
    let fields = parts(text).into_iter().filter_map(|part| match part {
        Part::Field(field) => Some(field),
        Part::Text(_) | Part::Unknown(_) => None,
    });
    let fields: Vec<Field> = fields.collect();
    !fields.is_empty() && fields.iter().all(|field| values.get(*field).is_empty())
}

/// Puts the values in the place of the placeholders. Names that are no placeholders stay as they
/// are.
fn substitute(text: &str, values: &Values) -> String {
    let mut filled = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Text(text) => filled.push_str(text),
            Part::Field(field) => filled.push_str(values.get(field)),
            Part::Unknown(name) => {
                filled.push('{');
                filled.push_str(name);
                filled.push('}');
            }
        }
    }
    filled
}

/// Fills in a text. A paragraph or a line of which every placeholder is empty is left out.
#[must_use]
pub fn fill(text: &str, values: &Values) -> String {
    let text = text.replace("\r\n", "\n");
    let paragraphs = text.split("\n\n").filter(|paragraph| !is_empty(paragraph, values));
    let paragraphs = paragraphs.map(|paragraph| {
        let lines = paragraph.split('\n').filter(|line| !is_empty(line, values));
        lines.map(|line| substitute(line, values)).collect::<Vec<_>>().join("\n")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Fills in a text of one line.
#[must_use]
pub fn fill_line(text: &str, values: &Values) -> String {
    let filled = substitute(text, values);
    filled.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Kind of email that the owner can write a text for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    /// With an invoice.
    Invoice,
    /// With a quote.
    Quote,
    /// The reminder of this step, from 1 to 5.
    Reminder(u8),
}

impl TemplateKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Invoice,
        Self::Quote,
        Self::Reminder(1),
        Self::Reminder(2),
        Self::Reminder(3),
        Self::Reminder(4),
        Self::Reminder(5),
    ];

    /// Name in addresses and in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invoice => "invoice",
            Self::Quote => "quote",
            Self::Reminder(1) => "reminder1",
            Self::Reminder(2) => "reminder2",
            Self::Reminder(3) => "reminder3",
            Self::Reminder(4) => "reminder4",
            Self::Reminder(_) => "reminder5",
        }
    }

    /// Parses a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Returns the text that an owner starts from.
#[must_use]
// Long: the texts themselves, in two languages.
pub fn initial(kind: TemplateKind, language: Language) -> Letter {
    let dutch = language == Language::Dutch;
    let (subject, text) = match (kind, dutch) {
        (TemplateKind::Invoice, true) => (
            "Factuur {number} van {company}",
            "Hierbij factuur {number} van {amount}.

Wilt u {amountDue} uiterlijk {dueDate} overmaken naar {iban}, met {number} als omschrijving?

U kunt de factuur hier bekijken:
{link}",
        ),
        (TemplateKind::Invoice, false) => (
            "Invoice {number} from {company}",
            "Please find attached invoice {number} for {amount}.

Please pay {amountDue} to {iban} by {dueDate}, quoting {number}.

You can view the invoice here:
{link}",
        ),
        (TemplateKind::Quote, true) => (
            "Offerte {number} van {company}",
            "Hierbij offerte {number} van {amount}. De offerte is geldig tot en met {validUntil}.

U kunt de offerte hier bekijken, accepteren of afwijzen:
{link}",
        ),
        (TemplateKind::Quote, false) => (
            "Quote {number} from {company}",
            "Please find attached quote {number} for {amount}. It is valid until {validUntil}.

You can view, accept or decline the quote here:
{link}",
        ),
        (TemplateKind::Reminder(1), true) => (
            "Factuur {number} staat nog open",
            "Van factuur {number} staat nog {amountDue} open. De vervaldatum was {dueDate}. Wilt u dit bedrag binnen 7 dagen overmaken naar {iban}?

Net betaald? Dan hoeft u niets te doen.",
        ),
        (TemplateKind::Reminder(1), false) => (
            "Invoice {number} is still open",
            "{amountDue} of invoice {number} is still open; it was due on {dueDate}. Could you pay it to {iban} within 7 days?

Just paid? Then there is nothing to do.",
        ),
        (TemplateKind::Reminder(2), true) => (
            "Tweede herinnering: factuur {number}",
            "Factuur {number} is {days} dagen te laat; er staat {amountDue} open. Wilt u binnen 14 dagen betalen op {iban}, of laten weten wat er niet klopt?

De wettelijke rente is tot vandaag {interest}.",
        ),
        (TemplateKind::Reminder(2), false) => (
            "Second reminder: invoice {number}",
            "Invoice {number} is {days} days overdue; {amountDue} is open. Could you pay to {iban} within 14 days, or tell me what is wrong?

Statutory interest until today is {interest}.",
        ),
        (TemplateKind::Reminder(_), true) => (
            "Laatste herinnering: factuur {number}",
            "Factuur {number} staat na eerdere herinneringen nog open: {amountDue}. Ontvang ik dit niet binnen 7 dagen op {iban}, dan vraag ik ook incassokosten en wettelijke rente.

De incassokosten zijn dan {costs}.",
        ),
        (TemplateKind::Reminder(_), false) => (
            "Final reminder: invoice {number}",
            "Invoice {number} is still open after earlier reminders: {amountDue}. If I don’t receive it at {iban} within 7 days, I will also claim collection costs and statutory interest.

The collection costs are then {costs}.",
        ),
    };
    let (greeting, close) = if dutch {
        ("Beste {contactPerson},", "Met vriendelijke groet,")
    } else {
        ("Dear {contactPerson},", "Kind regards,")
    };
    Letter {
        subject: subject.to_owned(),
        text: format!("{greeting}\n\n{text}\n\n{close}\n{{company}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values() -> Values {
        Values::new(Language::Dutch)
            .with(Field::Customer, "{company} & <b>Zoë</b>")
            .with(Field::Number, "2026-0028")
            .with(Field::Company, "Studio {number}")
    }

    #[test]
    fn placeholders_are_filled_in_once() {
        let text = "Hallo {customer},\n\nfactuur {number} {}{ {x\n} van {company}.";
        assert_eq!(
            fill(text, &values()),
            "Hallo {company} & <b>Zoë</b>,\n\nfactuur 2026-0028 {}{ {x\n} van Studio {number}."
        );
        assert_eq!(unknown_placeholder(text), None);
        assert_eq!(
            fill_line("{reference} {number}\n{company}", &values()),
            "2026-0028 Studio {number}"
        );
    }

    #[test]
    fn other_placeholders_are_reported() {
        for (text, name) in [
            ("{Customer}", "Customer"),
            ("{ number }", " number "),
            ("a {number} b {iban} c {bank}", "bank"),
            ("{{nummer}}", "nummer"),
        ] {
            assert_eq!(unknown_placeholder(text).as_deref(), Some(name), "{text}");
        }
    }

    #[test]
    fn a_line_or_paragraph_without_values_is_left_out() {
        let text = "Hallo {customer}\nOrder: {orderNumber}\n\nBekijk hem hier:\n{link}\n\nGroet {reference}{number}";
        assert_eq!(
            fill(
                text,
                &Values::new(Language::Dutch).with(Field::Customer, "A").with(Field::Number, "7")
            ),
            "Hallo A\n\nGroet 7"
        );
        let all = values().with(Field::Link, "https://b.example/i/x").with(Field::OrderNumber, "9");
        assert_eq!(
            fill(text, &all),
            "Hallo {company} & <b>Zoë</b>\nOrder: 9\n\nBekijk hem hier:\nhttps://b.example/i/x\n\nGroet 2026-0028"
        );
    }

    #[test]
    fn every_text_to_start_from_uses_known_placeholders() {
        for kind in TemplateKind::ALL {
            assert_eq!(TemplateKind::parse(kind.name()), Some(kind));
            for language in Language::ALL {
                let Letter { subject, text } = initial(kind, *language);
                assert_eq!(
                    (unknown_placeholder(&subject), unknown_placeholder(&text)),
                    (None, None)
                );
                assert!(subject.contains("{number}") && text.contains("{company}"), "{text}");
            }
        }
    }

    proptest! {
        /// A text is what remains of it once every placeholder is replaced from the start to the end.
        #[test]
        fn filling_in_reads_a_text_once(
            pieces in prop::collection::vec((0..Field::ALL.len(), "[a-z{}<&é ]{0,6}"), 0..8),
            value in "[a-z{}<&]{1,8}|\\{number\\}",
        ) {
            let (mut text, mut expected) = (String::new(), String::new());
            let values = Field::ALL.into_iter().fold(Values::new(Language::Dutch), |values, field| {
                values.with(field, value.clone())
            });
            for (field, piece) in &pieces {
                // Braces of a piece must not meet those of a placeholder.
                let piece = piece.replace(['{', '}'], "|");
                text.push_str(&format!("{piece}{{{}}}", Field::ALL[*field].name()));
                expected.push_str(&format!("{piece}{value}"));
            }
            prop_assert_eq!(unknown_placeholder(&text), None);
            prop_assert_eq!(fill(&text, &values), expected);
        }

        #[test]
        fn a_text_without_placeholders_stays_as_it_is(text in "[^{\r]*", other: String) {
            prop_assert_eq!(fill(&text, &values()), text);
            let _ = (fill(&other, &values()), fill_line(&other, &values()));
        }
    }
}
