//! Letters to customers: the email with an invoice, reminders, and the notice that the law requires
//! before a consumer owes collection costs.

use i18n::Texts;
use jiff::civil::Date;
use ledger::{identifiers::in_fours, language::Language, money::Cents};

/// Letter in plain text: paragraphs separated by an empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Subject.
    pub subject: String,
    /// Body.
    pub text: String,
}

/// Invoice data used in letters.
#[derive(Clone, Debug)]
pub struct About<'a> {
    /// The number of the invoice or credit note.
    pub number: &'a str,
    /// Whether the document is a credit note.
    pub is_credit_note: bool,
    /// Name of the sender.
    pub seller: &'a str,
    /// Contact person, if known.
    pub contact_person: Option<&'a str>,
    /// Bank account for the payment.
    pub iban: Option<&'a str>,
    /// Total including VAT; positive for a credit note too.
    pub total: Cents,
    /// Open amount.
    pub open: Cents,
    /// Last day for payment.
    pub due: Date,
    /// The customer's reference.
    pub reference: Option<&'a str>,
    /// Address of the page with the document, if there is one.
    pub link: Option<&'a str>,
    /// Other due invoices of the customer in the same letter to a consumer.
    pub also: &'a [LateInvoice],
}

/// Due invoice in a letter about several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateInvoice {
    /// The number of the invoice.
    pub number: String,
    /// Open amount.
    pub open: Cents,
    /// Last day for payment.
    pub due: Date,
}

impl About<'_> {
    /// Open amount of all invoices in the letter.
    fn open_of_all(&self) -> Cents {
        self.open + self.also.iter().map(|late| late.open).sum::<Cents>()
    }

    /// Numbers of all invoices in the letter.
    fn numbers(&self) -> String {
        let also = self.also.iter().map(|late| late.number.as_str());
        [self.number].into_iter().chain(also).collect::<Vec<_>>().join(", ")
    }

    /// Lines with number, open amount and last day for payment of all invoices in the letter.
    fn list(&self, texts: Texts) -> String {
        let first = LateInvoice { number: self.number.to_owned(), open: self.open, due: self.due };
        let due = match texts.language {
            Language::Dutch => "uiterste betaaldatum",
            Language::English => "due by",
        };
        let line = |late: &LateInvoice| {
            format!("{}: {}, {due} {}", late.number, texts.money(late.open), texts.date(late.due))
        };
        [&first].into_iter().chain(self.also).map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Quote data used in the email that accompanies it.
#[derive(Clone, Debug)]
pub struct QuoteLetter<'a> {
    /// The number of the quote.
    pub number: &'a str,
    /// Name of the sender.
    pub seller: &'a str,
    /// Contact person, if known.
    pub contact_person: Option<&'a str>,
    /// Total including VAT.
    pub total: Cents,
    /// Last day on which the quote is valid.
    pub valid_until: Date,
    /// The customer's reference.
    pub reference: Option<&'a str>,
    /// Address of the page on which the customer decides, if there is one.
    pub link: Option<&'a str>,
}

/// Writes the email that accompanies a quote.
#[must_use]
pub fn quote(about: &QuoteLetter<'_>, language: Language) -> Letter {
    let texts = Texts { language };
    let (number, seller, total) = (about.number, about.seller, texts.money(about.total));
    let until = texts.date(about.valid_until);
    let dutch = language == Language::Dutch;
    let reference = about.reference.map_or_else(String::new, |reference| {
        if dutch { format!(" voor {reference}") } else { format!(", {reference}") }
    });
    let (subject, first, second) = if dutch {
        (
            format!("Offerte {number} van {seller}"),
            format!(
                "Hierbij offerte {number} van {total}{reference}. De offerte is geldig tot en met {until}."
            ),
            about.link.map(|link| {
                format!("U kunt de offerte hier bekijken, accepteren of afwijzen:\n{link}")
            }),
        )
    } else {
        (
            format!("Quote {number} from {seller}"),
            format!(
                "Please find attached quote {number} for {total}{reference}. It is valid until {until}."
            ),
            about
                .link
                .map(|link| format!("You can view, accept or decline the quote here:\n{link}")),
        )
    };
    let sender = (about.contact_person, seller);
    letter_from(sender, language, subject, [Some(first), second])
}

/// Kind of document in the title of an email and the names of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Titled {
    /// Invoice.
    Invoice,
    /// Credit note.
    CreditNote,
    /// Quote.
    Quote,
}

/// Returns the title of a document: `Factuur 2026-0028`.
#[must_use]
pub fn title(kind: Titled, number: &str, language: Language) -> String {
    let word = match (kind, language) {
        (Titled::Invoice, Language::Dutch) => "Factuur",
        (Titled::Invoice, Language::English) => "Invoice",
        (Titled::CreditNote, Language::Dutch) => "Creditnota",
        (Titled::CreditNote, Language::English) => "Credit note",
        (Titled::Quote, Language::Dutch) => "Offerte",
        (Titled::Quote, Language::English) => "Quote",
    };
    format!("{word} {number}")
}

/// Maximum length of a file name without its extension, in characters.
const LONGEST_NAME: usize = 100;

/// Returns the name of a file in an email: `Factuur 2026-0028 Studio Noorderlicht.pdf`. Characters
/// that file systems refuse become dashes.
#[must_use]
pub fn file_name(title: &str, seller: &str, extension: &str) -> String {
    let name: String = format!("{title} {seller}")
        .chars()
        .map(|character| match character {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '-',
            // Marks that change the direction of the text could hide the extension.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '-',
            other if other.is_control() => '-',
            other => other,
        })
        .take(LONGEST_NAME)
        .collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}.{extension}", name.trim_end_matches(['.', ' ']))
}

/// Kind of reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// Friendly reminder.
    First,
    /// To a business: states the interest to date.
    Second {
        /// Date of the first reminder.
        before: Date,
        /// Number of days overdue.
        late: i32,
        /// Interest to date, if the statutory rates are known.
        interest: Option<Cents>,
        /// Payment deadline.
        until: Date,
    },
    /// To a business: states the collection costs.
    Last {
        /// Collection costs that will be due.
        costs: Cents,
        /// Payment deadline.
        until: Date,
    },
    /// To a consumer: the notice required by art. 6:96(6) BW before collection costs are owed.
    FourteenDays {
        /// Collection costs that will be due.
        costs: Cents,
        /// Whether the costs include VAT, because the creditor cannot deduct it.
        costs_with_vat: bool,
    },
    /// To a consumer, after the term of the fourteen-day notice: also demands costs and interest.
    AfterTerm {
        /// Collection costs due.
        costs: Cents,
        /// Interest to date, if the statutory rates are known.
        interest: Option<Cents>,
    },
}

/// Marks a letter from a test account as a test: it goes to the account's owner instead of `to`.
#[must_use]
pub fn of_test(letter: &Letter, to: &str, language: Language) -> Letter {
    let said = match language {
        Language::Dutch => format!("TEST: uit een testaccount, dus niet verstuurd aan {to}."),
        Language::English => format!("TEST: from a test account, so not sent to {to}."),
    };
    Letter {
        subject: format!("[TEST] {}", letter.subject),
        text: format!("{said}\n\n{}", letter.text),
    }
}

/// Marks a letter as a copy for the owner of one that goes to `to`.
#[must_use]
pub fn copy_of(letter: &Letter, to: &str, language: Language) -> Letter {
    let (word, said) = match language {
        Language::Dutch => ("Kopie", format!("Kopie van de e-mail aan {to}.")),
        Language::English => ("Copy", format!("Copy of the email to {to}.")),
    };
    Letter {
        subject: format!("{word}: {}", letter.subject),
        text: format!("{said}\n\n{}", letter.text),
    }
}

/// Marks a letter as a trial of a text that the owner wrote.
#[must_use]
pub fn trial_of(letter: &Letter, language: Language) -> Letter {
    let (word, said) = match language {
        Language::Dutch => ("Proef", "Proef van je tekst, met bedachte gegevens."),
        Language::English => ("Trial", "A trial of your text, with invented details."),
    };
    Letter {
        subject: format!("[{word}] {}", letter.subject),
        text: format!("{said}\n\n{}", letter.text),
    }
}

/// Writes the email that accompanies an invoice or credit note.
#[must_use]
pub fn invoice(about: &About<'_>, language: Language) -> Letter {
    let texts = Texts { language };
    let (number, seller) = (about.number, about.seller);
    let total = texts.money(about.total);
    let dutch = language == Language::Dutch;
    let reference = about.reference.map_or_else(String::new, |reference| {
        if dutch { format!(" voor {reference}") } else { format!(", {reference}") }
    });
    let (subject, first, second) = match (about.is_credit_note, dutch) {
        (true, true) => (
            format!("Creditnota {number} van {seller}"),
            format!("Hierbij creditnota {number} van {total}."),
            None,
        ),
        (true, false) => (
            format!("Credit note {number} from {seller}"),
            format!("Please find attached credit note {number} for {total}."),
            None,
        ),
        (false, true) => (
            format!("Factuur {number} van {seller}"),
            format!("Hierbij factuur {number} van {total}{reference}."),
            asking(about, texts),
        ),
        (false, false) => (
            format!("Invoice {number} from {seller}"),
            format!("Please find attached invoice {number} for {total}{reference}."),
            asking(about, texts),
        ),
    };
    let third = about.link.map(|link| {
        let before = match (about.is_credit_note, dutch) {
            (true, true) => "U kunt de creditnota hier bekijken en downloaden:",
            (true, false) => "You can view and download the credit note here:",
            (false, true) => "U kunt de factuur hier bekijken en downloaden:",
            (false, false) => "You can view and download the invoice here:",
        };
        format!("{before}\n{link}")
    });
    letter(about, language, subject, [Some(first), second, third])
}

/// Returns the request to pay the open amount, or a notice that nothing is open. `None` if an
/// amount is open but the seller has no bank account.
fn asking(about: &About<'_>, texts: Texts) -> Option<String> {
    let (number, open, due) = (about.number, texts.money(about.open), texts.date(about.due));
    match (texts.language, about.open) {
        (Language::Dutch, Cents::ZERO) => Some("Er staat niets meer open; u hoeft niets te betalen.".to_owned()),
        (Language::English, Cents::ZERO) => Some("Nothing is open any more; there is nothing to pay.".to_owned()),
        (Language::Dutch, amount) => about.iban.map(in_fours).map(|iban| {
            let what =
                if amount == about.total { "het bedrag".to_owned() } else { format!("het bedrag dat nog openstaat, {open},") };
            format!("Wilt u {what} uiterlijk {due} overmaken naar {iban}, met {number} als omschrijving?")
        }),
        (Language::English, amount) => about.iban.map(in_fours).map(|iban| {
            let what = if amount == about.total { "it".to_owned() } else { format!("what is still open, {open},") };
            format!("Please pay {what} to {iban} by {due}, quoting {number}.")
        }),
    }
}

/// Writes a reminder about an overdue invoice.
#[must_use]
// Long: the letters themselves, in two languages side by side.
pub fn reminder(about: &About<'_>, reminder: &Reminder, language: Language) -> Letter {
    let texts = Texts { language };
    let (number, open, due) = (about.number, texts.money(about.open), texts.date(about.due));
    let dutch = language == Language::Dutch;
    let (subject, paragraphs) = match (reminder, dutch) {
        (Reminder::First, true) => (
            format!("Factuur {number} staat nog open"),
            [
                Some(format!(
                    "Van factuur {number} staat nog {open} open. De vervaldatum was {due}. Wilt u dit bedrag binnen 7 dagen overmaken?"
                )),
                Some("Net betaald? Dan hoeft u niets te doen.".to_owned()),
            ],
        ),
        (Reminder::First, false) => (
            format!("Invoice {number} is still open"),
            [
                Some(format!(
                    "{open} of invoice {number} is still open; it was due on {due}. Perhaps it slipped your mind: could you pay it within 7 days?"
                )),
                Some("Just paid? Then there is nothing to do.".to_owned()),
            ],
        ),
        (Reminder::Second { before, late, interest, until }, true) => (
            format!(
                "Tweede herinnering: factuur {number}, {late} {} te laat",
                if *late == 1 { "dag" } else { "dagen" }
            ),
            [
                Some(format!(
                    "Op mijn herinnering van {} kreeg ik nog geen betaling of bericht; er staat {open} open. Wilt u uiterlijk {} betalen, of laten weten wat er niet klopt?",
                    texts.date(*before),
                    texts.date(*until)
                )),
                interest.map(|interest| {
                    format!(
                        "Sinds {} loopt wettelijke handelsrente, tot vandaag {}.",
                        day_after(texts, about.due),
                        texts.money(interest)
                    )
                }),
            ],
        ),
        (Reminder::Second { before, late, interest, until }, false) => (
            format!(
                "Second reminder: invoice {number}, {late} {} overdue",
                if *late == 1 { "day" } else { "days" }
            ),
            [
                Some(format!(
                    "I haven’t had a payment or reply since my reminder of {}; {open} is open. Could you pay by {}, or tell me what is wrong?",
                    texts.date(*before),
                    texts.date(*until)
                )),
                interest.map(|interest| {
                    format!(
                        "Statutory commercial interest has been running since {}: {} until today.",
                        day_after(texts, about.due),
                        texts.money(interest)
                    )
                }),
            ],
        ),
        (Reminder::Last { costs, until }, true) => (
            format!("Laatste herinnering: factuur {number}"),
            [
                Some(format!(
                    "Factuur {number} staat na twee herinneringen nog open: {open}. Ontvang ik dit niet uiterlijk {}, dan vraag ik daarbovenop {} incassokosten en de wettelijke handelsrente (artikel 6:96 en 6:119a BW).",
                    texts.date(*until),
                    texts.money(*costs)
                )),
                None,
            ],
        ),
        (Reminder::Last { costs, until }, false) => (
            format!("Final reminder: invoice {number}"),
            [
                Some(format!(
                    "Invoice {number} is still open after two reminders: {open}. If I don’t receive it by {}, I will also claim {} collection costs and statutory commercial interest (articles 6:96 and 6:119a Dutch Civil Code).",
                    texts.date(*until),
                    texts.money(*costs)
                )),
                None,
            ],
        ),
        (Reminder::FourteenDays { costs, costs_with_vat }, _) => {
            fourteen_days(about, *costs, *costs_with_vat, language)
        }
        (Reminder::AfterTerm { costs, interest }, _) => {
            after_term(about, *costs, *interest, language)
        }
    };
    letter(about, language, subject, paragraphs)
}

/// Writes the notice to a consumer. Its wording follows the law and HR 25-11-2016,
/// ECLI:NL:HR:2016:2704: the term starts after delivery, and no calendar date is given. All due
/// invoices of the customer are in one letter (art. 6:96(7) BW).
// Long: the letter in two languages side by side.
fn fourteen_days(
    about: &About<'_>,
    costs: Cents,
    with_vat: bool,
    language: Language,
) -> (String, [Option<String>; 2]) {
    let texts = Texts { language };
    let (number, open, due) = (about.number, texts.money(about.open), texts.date(about.due));
    let (numbers, costs) = (about.numbers(), texts.money(costs));
    let is_one = about.also.is_empty();
    if language == Language::Dutch {
        let with_vat = if with_vat { ", inclusief btw," } else { "" };
        let account = account(about, language);
        let (subject, default, amount, from) = if is_one {
            (
                format!("factuur {number}"),
                format!(
                    "U hebt {open} van factuur {number} niet op tijd betaald; de uiterste betaaldatum was {due}. "
                ),
                "dit bedrag".to_owned(),
                day_after(texts, about.due),
            )
        } else {
            (
                format!("facturen {numbers}"),
                format!("U hebt deze facturen niet op tijd betaald:\n{}\n", about.list(texts)),
                format!("het totaal van {}", texts.money(about.open_of_all())),
                "de dag na elke betaaldatum".to_owned(),
            )
        };
        (
            format!("Laatste herinnering {subject}: betaal binnen 14 dagen zonder extra kosten"),
            [
                Some(format!(
                    "{default}Betaal {amount} binnen veertien dagen vanaf de dag nadat deze e-mail bij u is bezorgd{account}, met {numbers} als omschrijving; dan betaalt u geen incassokosten."
                )),
                Some(format!(
                    "Betaalt u niet binnen deze termijn, dan bent u {costs} incassokosten{with_vat} verschuldigd (artikel 6:96 lid 6 BW en het Besluit vergoeding voor buitengerechtelijke incassokosten) en wettelijke rente vanaf {from} (artikel 6:119 BW)."
                )),
            ],
        )
    } else {
        let with_vat = if with_vat { ", including VAT," } else { "" };
        let account = account(about, language);
        let (subject, default, amount, from) = if is_one {
            (
                format!("invoice {number}"),
                format!(
                    "You have not paid {open} of invoice {number} on time; it was due by {due}. "
                ),
                "this amount".to_owned(),
                day_after(texts, about.due),
            )
        } else {
            (
                format!("invoices {numbers}"),
                format!("You have not paid these invoices on time:\n{}\n", about.list(texts)),
                format!("the total of {}", texts.money(about.open_of_all())),
                "the day after each due date".to_owned(),
            )
        };
        (
            format!("Final reminder of {subject}: pay within 14 days at no extra cost"),
            [
                Some(format!(
                    "{default}Please pay {amount} within fourteen days from the day after this email was delivered to you{account}, quoting {numbers}; no collection costs are then due."
                )),
                Some(format!(
                    "If you do not pay within this period, you will owe {costs} in collection costs{with_vat} (article 6:96(6) Dutch Civil Code and the Besluit vergoeding voor buitengerechtelijke incassokosten) and statutory interest from {from} (article 6:119 Dutch Civil Code)."
                )),
            ],
        )
    }
}

/// Names the bank account for the payment.
fn account(about: &About<'_>, language: Language) -> String {
    let seller = about.seller;
    about.iban.map(in_fours).map_or_else(String::new, |iban| match language {
        Language::Dutch => format!(" op {iban} ten name van {seller}"),
        Language::English => format!(" to {iban} in the name of {seller}"),
    })
}

/// Writes the demand to a consumer after the term of the fourteen-day notice (art. 6:96(6) and
/// 6:119 BW), about the invoices of that notice.
fn after_term(
    about: &About<'_>,
    costs: Cents,
    interest: Option<Cents>,
    language: Language,
) -> (String, [Option<String>; 2]) {
    let texts = Texts { language };
    let (numbers, open) = (about.numbers(), about.open_of_all());
    let total = texts.money(open + costs + interest.unwrap_or_default());
    let (open, costs) = (texts.money(open), texts.money(costs));
    let is_one = about.also.is_empty();
    let account = account(about, language);
    if language == Language::Dutch {
        let interest = interest.map_or_else(
            || "de wettelijke rente".to_owned(),
            |interest| format!("{} wettelijke rente", texts.money(interest)),
        );
        let (subject, unpaid, invoices, from) = if is_one {
            ("Factuur", "factuur", "de factuur", day_after(texts, about.due))
        } else {
            ("Facturen", "facturen", "de facturen", "de dag na elke betaaldatum".to_owned())
        };
        let verb = if is_one { "is" } else { "zijn" };
        (
            format!("{subject} {numbers}: de termijn van veertien dagen is voorbij"),
            [
                Some(format!(
                    "De termijn van mijn vorige brief is voorbij zonder dat {unpaid} {numbers} {verb} betaald. U bent nu verschuldigd: {open} van {invoices}, {costs} incassokosten (artikel 6:96 lid 6 BW) en {interest} vanaf {from} tot vandaag (artikel 6:119 BW)."
                )),
                Some(format!(
                    "Maak {total} binnen 7 dagen over{account}, met {numbers} als omschrijving. De rente loopt door tot u betaalt."
                )),
            ],
        )
    } else {
        let interest = interest.map_or_else(
            || "statutory interest".to_owned(),
            |interest| format!("{} statutory interest", texts.money(interest)),
        );
        let (subject, verb, invoices, from) = if is_one {
            ("Invoice", "has", "the invoice", day_after(texts, about.due))
        } else {
            ("Invoices", "have", "the invoices", "the day after each due date".to_owned())
        };
        let unpaid = subject.to_lowercase();
        (
            format!("{subject} {numbers}: the fourteen days have passed"),
            [
                Some(format!(
                    "The term of my previous letter has passed and {unpaid} {numbers} {verb} not been paid. You now owe {open} of {invoices}, {costs} in collection costs (article 6:96(6) Dutch Civil Code) and {interest} from {from} until today (article 6:119 Dutch Civil Code)."
                )),
                Some(format!(
                    "Please pay {total} within 7 days{account}, quoting {numbers}. Interest runs on until you pay."
                )),
            ],
        )
    }
}

fn day_after(texts: Texts, day: Date) -> String {
    texts.date(day.tomorrow().unwrap_or(day))
}

/// Adds the greeting and the closing with the sender's name.
fn letter<const N: usize>(
    about: &About<'_>,
    language: Language,
    subject: String,
    paragraphs: [Option<String>; N],
) -> Letter {
    letter_from((about.contact_person, about.seller), language, subject, paragraphs)
}

/// Adds the greeting of a contact person and the closing with the sender's name.
fn letter_from<const N: usize>(
    (contact_person, seller): (Option<&str>, &str),
    language: Language,
    subject: String,
    paragraphs: [Option<String>; N],
) -> Letter {
    let (greeting, close) = match (language, contact_person) {
        (Language::Dutch, Some(person)) => (format!("Beste {person},"), "Met vriendelijke groet,"),
        (Language::Dutch, None) => ("Goedendag,".to_owned(), "Met vriendelijke groet,"),
        (Language::English, Some(person)) => (format!("Dear {person},"), "Kind regards,"),
        (Language::English, None) => ("Hello,".to_owned(), "Kind regards,"),
    };
    let text = [Some(greeting)]
        .into_iter()
        .chain(paragraphs)
        .chain([Some(format!("{close}\n{seller}"))])
        .flatten();
    Letter { subject, text: text.collect::<Vec<_>>().join("\n\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn about() -> About<'static> {
        About {
            number: "2026-0041",
            is_credit_note: false,
            seller: "Studio Noorderlicht",
            contact_person: None,
            iban: Some("NL91ABNA0417164300"),
            total: Cents::new(60_500),
            open: Cents::new(60_500),
            due: date(2026, 10, 30),
            reference: None,
            link: None,
            also: &[],
        }
    }

    /// As art. 6:96(6) BW requires, the letter states the default, the amount of the costs, and a
    /// term of fourteen days from the day after delivery; it gives no calendar date for the term.
    #[test]
    fn the_consumers_letter_says_what_the_law_asks() {
        let letter = reminder(
            &about(),
            &Reminder::FourteenDays { costs: Cents::new(9_075), costs_with_vat: false },
            Language::Dutch,
        );
        for part in [
            "niet op tijd betaald",
            "30 oktober 2026",
            "binnen veertien dagen vanaf de dag nadat deze e-mail bij u is bezorgd",
            "€ 90,75 incassokosten",
            "wettelijke rente vanaf 31 oktober 2026",
            "op NL91 ABNA 0417 1643 00 ten name van Studio Noorderlicht",
        ] {
            assert!(letter.text.replace('\u{a0}', " ").contains(part), "{part}: {}", letter.text);
        }
        assert!(!letter.text.contains("november"), "{}", letter.text);
    }

    /// Art. 6:96(7) BW: several claims on one consumer are in one letter.
    #[test]
    fn one_letter_is_about_all_due_invoices_of_a_consumer() {
        let also = [LateInvoice {
            number: "2026-0044".to_owned(),
            open: Cents::new(10_000),
            due: date(2026, 11, 5),
        }];
        let about = About { also: &also, ..about() };
        let letter = Reminder::FourteenDays { costs: Cents::new(10_575), costs_with_vat: false };
        let dutch = reminder(&about, &letter, Language::Dutch);
        let text = dutch.text.replace('\u{a0}', " ");
        for part in [
            "2026-0041: € 605,00, uiterste betaaldatum 30 oktober 2026\n2026-0044: € 100,00, uiterste betaaldatum 5 november 2026",
            "Betaal het totaal van € 705,00 binnen veertien dagen",
            "met 2026-0041, 2026-0044 als omschrijving",
            "€ 105,75 incassokosten",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let costs = Cents::new(10_575);
        let claim = Reminder::AfterTerm { costs, interest: Some(Cents::new(1_00)) };
        let english = reminder(&about, &claim, Language::English);
        for part in
            ["invoices 2026-0041, 2026-0044 have not been paid", "pay €811.75 within 7 days"]
        {
            assert!(english.text.contains(part), "{part}: {}", english.text);
        }
    }

    #[test]
    fn files_in_mails_are_named_after_document_and_seller() {
        let title = |kind, language| title(kind, "2026/0028", language);
        for (kind, language, seller, name) in [
            (Titled::Invoice, Language::Dutch, "Studio Zoë", "Factuur 2026-0028 Studio Zoë.pdf"),
            (Titled::CreditNote, Language::English, "A: B*", "Credit note 2026-0028 A- B-.pdf"),
            (Titled::Quote, Language::English, "A.\n=?utf-8?", "Quote 2026-0028 A.-=-utf-8-.pdf"),
        ] {
            assert_eq!(file_name(&title(kind, language), seller, "pdf"), name);
        }
        let long = file_name("Factuur 1", &"é".repeat(300), "xml");
        assert_eq!(long.chars().count(), LONGEST_NAME + 4);
        assert!(!file_name("Factuur 1", "a\u{202e}fdp.exe", "pdf").contains('\u{202e}'));
    }

    #[test]
    fn letters_are_in_the_language_that_is_asked() {
        let reminders = [
            Reminder::First,
            Reminder::Second {
                before: date(2026, 11, 6),
                late: 21,
                interest: Some(Cents::new(1_189)),
                until: date(2026, 12, 4),
            },
            Reminder::Last { costs: Cents::new(29_805), until: date(2026, 12, 11) },
            Reminder::FourteenDays { costs: Cents::new(9_075), costs_with_vat: true },
            Reminder::AfterTerm { costs: Cents::new(9_075), interest: Some(Cents::new(822)) },
            Reminder::AfterTerm { costs: Cents::new(9_075), interest: None },
        ];
        for reminded in &reminders {
            let [dutch, english] = [Language::Dutch, Language::English]
                .map(|language| reminder(&about(), reminded, language));
            assert!(
                dutch.text.starts_with("Goedendag,\n\n")
                    && dutch.text.ends_with("Met vriendelijke groet,\nStudio Noorderlicht")
            );
            assert!(
                english.text.starts_with("Hello,\n\n") && english.subject.contains("2026-0041"),
                "{english:?}"
            );
            assert!(
                dutch.text.contains("factuur 2026-0041")
                    || dutch.subject.contains("factuur 2026-0041"),
                "{dutch:?}"
            );
        }
        let mail = invoice(&about(), Language::Dutch);
        assert_eq!(mail.subject, "Factuur 2026-0041 van Studio Noorderlicht");
        assert!(
            mail.text.contains("uiterlijk 30 oktober 2026 overmaken naar NL91 ABNA 0417 1643 00"),
            "{}",
            mail.text
        );
        let named =
            invoice(&About { contact_person: Some("Eva Jansen"), ..about() }, Language::Dutch);
        assert!(named.text.starts_with("Beste Eva Jansen,\n\n"), "{}", named.text);
        let linked = invoice(
            &About { link: Some("https://b.example/i/token"), ..about() },
            Language::English,
        );
        let page = "view and download the invoice here:\nhttps://b.example/i/token\n\nKind regards";
        assert!(linked.text.contains(page) && !mail.text.contains("hier bekijken"), "{linked:?}");
        // After a partial payment, only the rest is requested; after full payment, nothing.
        for (open, said) in [
            (
                Cents::new(1_00),
                ["het bedrag dat nog openstaat, €\u{a0}1,00,", "pay what is still open, €1.00,"],
            ),
            (Cents::ZERO, ["u hoeft niets te betalen", "there is nothing to pay"]),
        ] {
            let of = |language| invoice(&About { open, ..about() }, language).text;
            let found = [of(Language::Dutch), of(Language::English)];
            assert!(found.iter().zip(said).all(|(text, said)| text.contains(said)), "{found:?}");
        }
    }
}
