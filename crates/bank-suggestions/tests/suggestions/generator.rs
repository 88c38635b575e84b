//! Generated books and bank lines whose right booking is known.
//!
//! Each book has 200 lines: payments with and without numbers, with slips, partial, combined and
//! overpaid ones, refunds, bills, habits, transfers between own accounts, taxes and payouts. Most
//! open items are not paid by any line.

use bank_suggestions::{
    Allocation, AllocationKind, AwaitedTransfer, Books, Conditions, Contact, Decision, FiledReturn,
    Item, ItemKind, Line, NewLine, Outcome, OwnAccount, PaymentBatch, Posting, Precedent, Provider,
    ReturnPeriod, Rule, Target, Template,
};
use fastrand::Rng;
use jiff::{
    ToSpan as _,
    civil::{Date, date},
};
use ledger::{
    bank_line::LineDirection, chart::codes, event::PrivateKind, identifiers::Iban, money::Cents,
    vat_period::VatPeriod,
};

/// Number of lines of a book.
pub(crate) const LINES: usize = 200;
const BANK: i64 = 1;
const SAVINGS: i64 = 2;
const PROVIDER: i64 = 5;

/// Bank line with the booking that a user would choose.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) id: i64,
    pub(crate) date: Date,
    pub(crate) amount: Cents,
    pub(crate) name: Option<String>,
    pub(crate) iban: Option<String>,
    pub(crate) text: String,
    pub(crate) end_to_end_id: Option<String>,
    pub(crate) payment_reference: Option<String>,
    pub(crate) creditor_id: Option<String>,
    pub(crate) is_doubtful: bool,
    /// Name of the kind of example.
    pub(crate) sort: &'static str,
    /// Right allocations.
    pub(crate) truth: Vec<Allocation>,
}

impl Example {
    pub(crate) fn line(&self) -> Line<'_> {
        Line {
            id: self.id,
            bank_account: BANK,
            date: self.date,
            amount: self.amount,
            name: self.name.as_deref(),
            iban: self.iban.as_deref(),
            text: &self.text,
            end_to_end_id: self.end_to_end_id.as_deref(),
            payment_reference: self.payment_reference.as_deref(),
            creditor_id: self.creditor_id.as_deref(),
            charge: None,
            parts: &[],
            is_doubtful: self.is_doubtful,
            refused: &[],
        }
    }

    /// Whether the allocations are the right ones, in any order.
    pub(crate) fn is_right(&self, allocations: &[Allocation]) -> bool {
        allocations.len() == self.truth.len()
            && self.truth.iter().all(|right| allocations.contains(right))
    }
}

/// Returns books, and lines to book.
pub(crate) fn generate(seed: u64) -> (Books, Vec<Example>) {
    let mut generator = Generator::new(seed);
    generator.fill_books();
    while generator.examples.len() < LINES {
        generator.example();
    }
    generator.examples.truncate(LINES);
    let own = generator.examples.iter().map(|example| NewLine {
        id: example.id,
        bank_account: BANK,
        date: example.date,
        amount: example.amount,
    });
    generator.books.lines.extend(own);
    (generator.books, generator.examples)
}

const FIRST: [&str; 24] = [
    "Bakkerij",
    "Timmerbedrijf",
    "Studio",
    "Adviesbureau",
    "Garage",
    "Installatiebedrijf",
    "Atelier",
    "Stichting",
    "Tandartspraktijk",
    "Hoveniersbedrijf",
    "Drukkerij",
    "Fotografie",
    "Makelaardij",
    "Schildersbedrijf",
    "Kapsalon",
    "Slagerij",
    "Boekhandel",
    "Webwinkel",
    "Transport",
    "Kwekerij",
    "Reclamebureau",
    "Ingenieursbureau",
    "Notariskantoor",
    "Fysiotherapie",
];
const LAST: [&str; 30] = [
    "Jansen",
    "de Vries",
    "van den Berg",
    "Bakker",
    "van Dijk",
    "Visser",
    "Smit",
    "Meijer",
    "de Boer",
    "Mulder",
    "de Groot",
    "Bos",
    "Vos",
    "Peters",
    "Hendriks",
    "van Leeuwen",
    "Dekker",
    "Brouwer",
    "de Wit",
    "Dijkstra",
    "Smits",
    "de Graaf",
    "van der Meer",
    "Kok",
    "Jacobs",
    "Vermeulen",
    "van den Heuvel",
    "Schouten",
    "Willems",
    "Hoekstra",
];
const FORMS: [&str; 6] = ["", " B.V.", " BV", " VOF", " V.O.F.", " & Zn."];
const TOWNS: [&str; 8] = ["Utrecht", "Zwolle", "Breda", "Assen", "Delft", "Gouda", "Tiel", "Venlo"];
const SHOPS: [&str; 12] = [
    "NS Groep",
    "Albert Heijn",
    "Shell",
    "Gamma",
    "Bol.com",
    "Action",
    "Coolblue",
    "HEMA",
    "Praxis",
    "Q-Park",
    "PostNL",
    "Total Energies",
];
const SUBSCRIPTIONS: [&str; 10] = [
    "KPN B.V.",
    "Vattenfall",
    "Ziggo",
    "Adobe Systems",
    "TransIP",
    "Interpolis",
    "Moneybird",
    "Odido",
    "Eneco",
    "Microsoft Ireland",
];

/// Forms of numbers that a book uses.
#[derive(Clone, Copy)]
enum Form {
    YearDash,
    YearLetter,
    Long,
    Short,
    Prefix,
}

struct Generator {
    rng: Rng,
    books: Books,
    examples: Vec<Example>,
    form: Form,
    /// Share of contacts with a known IBAN, in percent.
    known: u8,
    /// Invoices, bills and refunds that no example pays yet.
    free: Vec<usize>,
    next: i64,
    /// Characteristics and booking of habits.
    habits: Vec<(Precedent, bool)>,
    /// IBAN of each contact in reality, whether the books have it or not.
    ibans: Vec<String>,
    prices: Vec<i64>,
    returns: Vec<FiledReturn>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let forms = [Form::YearDash, Form::YearLetter, Form::Long, Form::Short, Form::Prefix];
        let form = forms[rng.usize(..forms.len())];
        let known = rng.u8(50..90);
        // Some businesses have a few fixed prices.
        let prices = (0..rng.usize(2..40)).map(|_| price(&mut rng)).collect();
        Self {
            rng,
            books: Books::default(),
            examples: Vec::new(),
            form,
            known,
            free: Vec::new(),
            next: 1_000,
            habits: Vec::new(),
            ibans: Vec::new(),
            prices,
            returns: Vec::new(),
        }
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.usize(..of.len())]
    }

    fn id(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    fn iban(&mut self) -> String {
        let bank = self.pick(&["INGB", "RABO", "ABNA", "KNAB", "TRIO", "BUNQ"]);
        let number = self.rng.u64(1..10_000_000_000);
        let account = format!("{bank}{number:010}");
        let digits = (0..100).map(|check| format!("NL{check:02}{account}"));
        let mut valid = digits.filter(|iban| Iban::parse(iban).is_ok());
        valid.next().expect("one of hundred check numbers fits")
    }

    fn day(&mut self) -> Date {
        date(2026, 10, 1) + self.rng.i64(0..58).days()
    }

    fn fill_books(&mut self) {
        for id in [BANK, SAVINGS, PROVIDER] {
            let iban = self.iban();
            let iban = (id != PROVIDER).then(|| Iban::parse(&iban).expect("a valid IBAN"));
            let identifiers = if id == SAVINGS { vec!["V12602622".to_owned()] } else { Vec::new() };
            self.books.bank_accounts.push(OwnAccount {
                id,
                iban,
                identifiers,
                name: None,
                is_savings: id == SAVINGS,
            });
        }
        for number in 0..self.rng.i64(30..120) {
            self.contact(number + 1);
        }
        for number in 0..450 {
            self.item(number);
        }
        self.free = (0..self.books.items.len()).collect();
        self.rng.shuffle(&mut self.free);
        for (number, payable) in [(1, 312_300), (2, 248_900), (3, -41_700)] {
            let period = VatPeriod::quarter(2026, number).expect("a quarter");
            let payable = Cents::new(payable + 100 * self.rng.i64(0..900));
            self.returns.push(FiledReturn { period: ReturnPeriod::Vat(period), payable });
        }
        self.books.returns = self.returns.clone();
        let iban = self.iban();
        let payments = (0..60).map(|_| Cents::new(price(&mut self.rng))).collect();
        self.books.providers.push(Provider {
            bank_account: PROVIDER,
            names: vec!["Mollie".to_owned(), "Stichting Mollie Payments".to_owned()],
            ibans: vec![Iban::parse(&iban).expect("a valid IBAN")],
            payments,
        });
        for index in 0..22 {
            self.habit(index);
        }
        self.books.rules.push(Rule {
            id: 1,
            when: Conditions {
                direction: LineDirection::Out,
                text_contains: Some("kosten zakelijk betalingsverkeer".to_owned()),
                ..Conditions::default()
            },
            then: Outcome::Book(bank_costs()),
            agreed: 9,
            contradicted: 0,
        });
        self.books.closed_until = Some(date(2025, 12, 31));
        self.books.filed = vec![(date(2026, 1, 1), date(2026, 9, 30))];
    }

    fn contact(&mut self, id: i64) {
        let last = self.pick(&LAST);
        let name = if self.chance(25) {
            let initial = char::from(self.rng.u8(b'A'..=b'Z'));
            format!("{initial}. {last}")
        } else {
            let (first, form) = (self.pick(&FIRST), self.pick(&FORMS));
            format!("{first} {last}{form}")
        };
        let iban = self.iban();
        let is_known = self.chance(self.known);
        let known = is_known.then(|| Iban::parse(&iban).expect("a valid IBAN"));
        self.ibans.push(iban);
        let ibans = known.into_iter().collect();
        self.books.contacts.push(Contact { id, names: vec![name], ibans });
    }

    fn number(&mut self, count: i64) -> String {
        match self.form {
            Form::YearDash => format!("2026-{count:04}"),
            Form::YearLetter => format!("F2026{count:03}"),
            Form::Long => format!("2026{count:05}"),
            Form::Short => format!("{}", 800 + count),
            Form::Prefix => format!("INV-{count:05}"),
        }
    }

    fn item(&mut self, count: i64) {
        let contact = self.rng.usize(..self.books.contacts.len());
        let kind = match self.rng.u8(..100) {
            0..66 => ItemKind::Invoice,
            66..71 => ItemKind::Refund,
            _ => ItemKind::Bill,
        };
        let amount = if kind == ItemKind::Invoice && self.chance(50) {
            self.prices[self.rng.usize(..self.prices.len())]
        } else {
            price(&mut self.rng)
        };
        let is_credit = kind == ItemKind::Bill && self.chance(6);
        let mut references = Vec::new();
        let mut numbers = vec![self.number(count)];
        let mut pay_to = None;
        if kind == ItemKind::Bill {
            numbers = vec![self.supplier_number()];
            if self.chance(35) {
                references.push(format!(
                    "{:016}",
                    self.rng.u64(1_000_000_000_000_000..9_999_999_999_999_999)
                ));
            }
            if self.chance(20) {
                references.push(format!("GB{}-{}", self.rng.u32(1..90), count));
            }
            pay_to = self.chance(40).then(|| Iban::parse(&self.ibans[contact]).expect("valid"));
        } else if self.chance(15) {
            references.push(format!("PO-{}", self.rng.u32(100_000..999_999)));
        }
        let date = date(2026, 6, 1) + self.rng.i64(0..120).days();
        self.books.items.push(Item {
            kind,
            id: 10_000 + count,
            contact: Some(self.books.contacts[contact].id),
            date,
            due: Cents::new(if is_credit { -amount } else { amount }),
            numbers,
            references,
            orders: Vec::new(),
            pay_to,
            has_box: false,
        });
    }

    fn supplier_number(&mut self) -> String {
        match self.rng.u8(..5) {
            0 => format!("2026{:04}", self.rng.u32(1..900)),
            1 => format!("26{:06}", self.rng.u32(1..999_999)),
            2 => format!("F-{}", self.rng.u32(1_000..99_999)),
            3 => format!("VF{:07}", self.rng.u32(1..9_999_999)),
            _ => format!("{}", self.rng.u32(100..99_999)),
        }
    }

    /// Adds a counterparty whose lines are booked in one way, or in several.
    fn habit(&mut self, index: usize) {
        let is_card = index.is_multiple_of(2);
        let name = if is_card { SHOPS[index / 2 % 12] } else { SUBSCRIPTIONS[index / 2 % 10] };
        let category = self.pick(&["travel", "phone", "energy", "software", "tools", "insurance"]);
        let template = |category: &str| Template {
            kind: AllocationKind::Expense,
            fields: format!("{{\"category\":\"{category}\"}}").into(),
            has_box: true,
        };
        let iban = (!is_card).then(|| self.iban());
        let creditor_id =
            (!is_card).then(|| format!("NL{:02}ZZZ{:012}", index, self.rng.u64(1..999_999)));
        let is_regular = self.chance(75);
        let times = self.rng.usize(1..9);
        let mut last = template(category);
        for _ in 0..times {
            last = template(if is_regular { category } else { self.pick(&["travel", "tools"]) });
            self.books.history.push(Precedent {
                is_in: false,
                name: Some(name.to_owned()),
                iban: iban.clone(),
                creditor_id: creditor_id.clone(),
                decision: Decision::Booked(last.clone()),
            });
        }
        let precedent = Precedent {
            is_in: false,
            name: Some(name.to_owned()),
            iban,
            creditor_id,
            decision: Decision::Booked(last),
        };
        self.habits.push((precedent, is_regular));
    }

    fn example(&mut self) {
        match self.rng.u8(..100) {
            0..42 => self.invoice(),
            42..47 => self.combined(),
            47..50 => self.refund(),
            50..63 => self.bill(),
            63..79 => self.usual(),
            79..84 => self.own_transfer(),
            84..88 => self.tax(),
            88..91 => self.payout(),
            91..94 => self.already_booked(),
            94..96 => self.costs(),
            96..97 => self.batch(),
            _ => self.unknown(),
        }
    }

    /// Takes an item of a kind that no other example pays.
    fn take(&mut self, fits: impl Fn(&Item) -> bool) -> Option<Item> {
        let at = self.free.iter().position(|at| fits(&self.books.items[*at]))?;
        Some(self.books.items[self.free.remove(at)].clone())
    }

    fn push(&mut self, sort: &'static str, amount: Cents, truth: Vec<Target>) -> &mut Example {
        let truth = match &truth[..] {
            [one] => vec![Allocation { amount: amount.abs(), target: one.clone() }],
            _ => Vec::new(),
        };
        let (id, date) = (self.id(), self.day());
        let is_doubtful = self.chance(2);
        self.examples.push(Example {
            id,
            date,
            amount,
            name: None,
            iban: None,
            text: String::new(),
            end_to_end_id: None,
            payment_reference: None,
            creditor_id: None,
            is_doubtful,
            sort,
            truth,
        });
        self.examples.last_mut().expect("just added")
    }

    /// Name and IBAN as the bank shows them.
    fn party(&mut self, contact: Option<i64>) -> (Option<String>, Option<String>) {
        let Some(at) = contact.and_then(|id| usize::try_from(id - 1).ok()) else {
            return (None, None);
        };
        let mut name = self.books.contacts[at].names[0].clone();
        match self.rng.u8(..100) {
            0..30 => name = name.to_uppercase(),
            30..38 => name = self.slip(&name),
            38..44 => name = format!("{name} e/o M Visser"),
            44..50 => name = name.chars().take(18).collect(),
            _ => {}
        }
        (Some(name), Some(self.ibans[at].clone()))
    }

    /// Swaps, drops or changes a character.
    fn slip(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        if letters.len() < 3 {
            return text.to_owned();
        }
        let at = self.rng.usize(1..letters.len() - 1);
        match self.rng.u8(..3) {
            0 => letters.swap(at, at + 1),
            1 => drop(letters.remove(at)),
            _ => {
                letters[at] = if letters[at].is_ascii_digit() {
                    char::from(self.rng.u8(b'0'..=b'9'))
                } else {
                    char::from(self.rng.u8(b'a'..=b'z'))
                }
            }
        }
        letters.into_iter().collect()
    }

    /// A number as people type it.
    fn typed(&mut self, number: &str) -> String {
        match self.rng.u8(..10) {
            0 => number.replace('-', ""),
            1 => number.replace('-', " "),
            2 => number.replace('-', "/"),
            3 => number.replace("-00", "-"),
            4 => number.to_lowercase(),
            5 => {
                number.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-').to_owned()
            }
            _ => number.to_owned(),
        }
    }

    fn remark(&mut self, number: &str) -> String {
        let number = self.typed(number);
        match self.rng.u8(..12) {
            0 => number,
            1 => format!("Factuur {number} d.d. 12-10-2026"),
            2 => format!("fact. {number}, klantnr {}", self.rng.u32(1_000..99_999)),
            3 => format!("Betaling factuurnummer {number}"),
            4 => format!("invoice {number} EUR 1.210,00"),
            5 => format!("{number} / {}", self.rng.u32(10_000..99_999)),
            6 => format!("Uw factuur: {number} bedankt"),
            7 => format!("factuurnr.{number}"),
            8 => format!("nota {number} 2026-11"),
            9 => format!("project {} fact {number}", self.pick(&TOWNS)),
            10 => format!("#{number}"),
            _ => format!("Factuur {number}"),
        }
    }

    fn chat(&mut self) -> String {
        match self.rng.u8(..6) {
            0 => "betaling".to_owned(),
            1 => "Dank voor de goede zorgen".to_owned(),
            2 => format!("tel 06{}", self.rng.u32(10_000_000..99_999_999)),
            3 => format!("project {}", self.pick(&TOWNS)),
            4 => "termijn oktober 2026".to_owned(),
            _ => format!("klant {}", self.rng.u32(1_000..99_999)),
        }
    }

    /// Returns the oldest unpaid invoice like this one: without a number, most people pay that first
    /// (art. 6:43(2) BW).
    fn oldest_like(&mut self, item: Item) -> Item {
        let is_like =
            |of: &Item| of.kind == item.kind && of.contact == item.contact && of.due == item.due;
        let like = self.books.items.iter().enumerate().filter(|(_, of)| is_like(of));
        let Some((at, _)) = like.min_by_key(|(_, of)| (of.date, of.id)) else { return item };
        let is_free = self.free.contains(&at);
        if is_free && self.rng.u8(..100) < 85 {
            self.free.retain(|free| *free != at);
            let free = self.books.items.iter().position(|of| of.id == item.id);
            self.free.extend(free);
            return self.books.items[at].clone();
        }
        item
    }

    fn invoice(&mut self) {
        let Some(mut item) = self.take(|item| item.kind == ItemKind::Invoice) else { return };
        let way = self.rng.u8(..100);
        if (52..72).contains(&way) {
            item = self.oldest_like(item);
        }
        let (name, iban) = self.party(item.contact);
        let number = item.numbers[0].clone();
        let due = item.due;
        let exact = Target::Invoice { invoice: item.id, overpayment: false };
        let (sort, amount, target, text, name, iban) = match way {
            0..52 => ("number", due, exact, self.remark(&number), name, iban),
            52..68 => ("no number", due, exact, self.chat(), name, iban),
            68..72 => {
                let other = Some(self.iban());
                ("new iban", due, exact, self.chat(), name, other)
            }
            72..80 => {
                let slip = self.slip(&number);
                ("slip", due, exact, format!("factuur {slip}"), name, iban)
            }
            80..86 => {
                let part = Cents::new(1.max(due.get() * self.rng.i64(20..80) / 100));
                ("partial", part, exact, self.remark(&number), name, iban)
            }
            86..89 => {
                let more = due + Cents::new(self.rng.i64(1..900));
                let over = Target::Invoice { invoice: item.id, overpayment: true };
                ("overpaid", more, over, self.remark(&number), name, iban)
            }
            89..93 => {
                let other = (Some(format!("Fam. {}", self.pick(&LAST))), Some(self.iban()));
                ("another payer", due, exact, self.remark(&number), other.0, other.1)
            }
            93..96 if !item.references.is_empty() => {
                let text = format!("bestelling {}", item.references[0]);
                ("customer's reference", due, exact, text, name, iban)
            }
            96..98 => {
                // An invoice of the same price that is paid already.
                let old = self.number(self.books.items.len() as i64 + 40);
                ("number of a paid one", due, exact, format!("factuur {old}"), name, iban)
            }
            _ => ("without iban", due, exact, self.remark(&number), name, None),
        };
        let example = self.push(sort, amount, vec![target]);
        (example.text, example.name, example.iban) = (text, name, iban);
    }

    fn combined(&mut self) {
        let Some(first) = self.take(|item| item.kind == ItemKind::Invoice) else { return };
        let contact = first.contact;
        let mut items = vec![first];
        for _ in 0..self.rng.usize(1..4) {
            items.extend(
                self.take(|item| item.kind == ItemKind::Invoice && item.contact == contact),
            );
        }
        if self.chance(25) {
            items
                .extend(self.take(|item| item.kind == ItemKind::Refund && item.contact == contact));
        }
        if items.len() < 2 {
            return;
        }
        let amount: Cents = items.iter().map(Item::flow).sum();
        if amount <= Cents::ZERO {
            return;
        }
        let has_numbers = self.chance(60);
        let numbers: Vec<String> = items.iter().map(|item| item.numbers[0].clone()).collect();
        let between = self.pick(&[" ", ", ", " en ", "/", " + "]);
        let text =
            if has_numbers { format!("fact {}", numbers.join(between)) } else { self.chat() };
        let (name, iban) = self.party(contact);
        let truth = items.iter().map(|item| Allocation {
            amount: item.flow(),
            target: match item.kind {
                ItemKind::Refund => Target::Refund { invoice: item.id },
                _ => Target::Invoice { invoice: item.id, overpayment: false },
            },
        });
        let truth = truth.collect();
        let sort = if has_numbers { "combined" } else { "combined without numbers" };
        let example = self.push(sort, amount, Vec::new());
        (example.text, example.name, example.iban, example.truth) = (text, name, iban, truth);
    }

    fn refund(&mut self) {
        let Some(item) = self.take(|item| item.kind == ItemKind::Refund) else { return };
        let (name, iban) = self.party(item.contact);
        let text =
            if self.chance(60) { self.remark(&item.numbers[0]) } else { "retour".to_owned() };
        let target = Target::Refund { invoice: item.id };
        let example = self.push("refund", item.flow(), vec![target]);
        (example.text, example.name, example.iban) = (text, name, iban);
    }

    fn bill(&mut self) {
        let Some(item) = self.take(|item| item.kind == ItemKind::Bill) else { return };
        let (name, iban) = self.party(item.contact);
        let target = Target::Bill { expense: item.id };
        let reference = item.references.first().cloned();
        let number = item.numbers[0].clone();
        let is_partial = item.due > Cents::new(10) && self.chance(5);
        let flow = item.flow();
        let amount = if is_partial { Cents::new(flow.get() / 2) } else { flow };
        let text = match self.rng.u8(..10) {
            0..2 => self.chat(),
            _ => self.remark(&number),
        };
        let is_referenced = reference.is_some() && self.chance(80);
        let sort = match (is_partial, item.due.is_negative(), is_referenced) {
            (true, ..) => "bill in part",
            (_, true, _) => "supplier's credit note",
            (.., true) => "bill by reference",
            _ => "bill",
        };
        let example = self.push(sort, amount, vec![target]);
        (example.text, example.name, example.iban) = (text, name, iban);
        if let Some(reference) = reference.filter(|_| is_referenced) {
            example.text = String::new();
            if reference.starts_with("GB") {
                example.end_to_end_id = Some(reference);
            } else {
                example.payment_reference = Some(reference);
            }
        }
    }

    /// Expense like earlier ones.
    fn usual(&mut self) {
        let at = self.rng.usize(..self.habits.len());
        let (precedent, is_regular) = self.habits[at].clone();
        let Decision::Booked(template) = &precedent.decision else { return };
        let mut target = template.clone();
        if !is_regular && self.chance(50) {
            target.fields = "{\"category\":\"tools\"}".into();
        }
        // Now and then a purchase at the same shop is of another kind.
        if self.rng.u16(..1_000) < 4 {
            target.fields = "{\"category\":\"gifts\"}".into();
        }
        let town = self.pick(&TOWNS);
        let terminal = self.rng.u32(1_000..9_999);
        let text = match &precedent.iban {
            Some(_) => format!("Termijn oktober klantnummer {}", self.rng.u32(100_000..9_999_999)),
            None => format!("{town} pas 012 {terminal} 12:41"),
        };
        let amount = Cents::new(-price(&mut self.rng) / 10);
        let name = precedent.name.clone().map(|name| match &precedent.iban {
            None => format!("{name} {terminal}"),
            Some(_) => name,
        });
        let sort = if precedent.iban.is_some() { "subscription" } else { "card" };
        let example = self.push(sort, amount, vec![Target::Like(target)]);
        example.text = text;
        example.name = name;
        example.iban = precedent.iban;
        example.creditor_id = precedent.creditor_id;
    }

    fn own_transfer(&mut self) {
        let amount = Cents::new(50_000 * self.rng.i64(1..30));
        let amount = if self.chance(70) { -amount } else { amount };
        let sort = ["other half", "own account", "awaited", "savings"][self.rng.usize(..4)];
        let other = self.id();
        let (line, transfer) = match sort {
            "other half" => (Some(other), None),
            "awaited" => (None, Some(other)),
            _ => (None, None),
        };
        let target = Target::Transfer { bank_account: SAVINGS, line, transfer };
        let iban = self.books.bank_accounts[1].iban.as_ref().map(|iban| iban.as_str().to_owned());
        let days = self.rng.i64(0..3).days();
        let example = self.push(sort, amount, vec![target]);
        example.name = Some("Eigen naam".to_owned());
        example.iban = iban.filter(|_| sort != "savings");
        example.text = match sort {
            "savings" => "Naar Oranje spaarrekening V12602622".to_owned(),
            _ => "overboeking".to_owned(),
        };
        let date = example.date + days;
        match sort {
            "other half" => {
                let line = NewLine { id: other, bank_account: SAVINGS, date, amount: -amount };
                self.books.lines.push(line);
            }
            "awaited" => self.books.transfers.push(AwaitedTransfer {
                id: other,
                booked_on: SAVINGS,
                awaited_on: BANK,
                date,
                amount,
            }),
            _ => {}
        }
    }

    fn tax(&mut self) {
        let number = format!("{:09}", self.rng.u32(100_000_000..999_999_999));
        let kinds = [
            ('H', Target::Private(PrivateKind::IncomeTax), true),
            ('W', Target::Private(PrivateKind::HealthInsurance), true),
            ('T', Target::Private(PrivateKind::Drawing), true),
            ('M', Target::Ledger(codes::CAR_TAX), true),
        ];
        let filed = if self.chance(50) { self.returns.pop() } else { None };
        let iban = if self.chance(60) { "NL04RABO0200112244" } else { "NL86INGB0002445588" };
        let reference =
            format!("{:016}", self.rng.u64(1_000_000_000_000_000..9_999_999_999_999_999));
        let (sort, amount, target, text) = match filed {
            Some(filed) => {
                let text = if self.chance(30) { format!("{number}B016210") } else { reference };
                ("vat", -filed.payable, Target::Vat(Some(filed.period)), text)
            }
            None => {
                let (letter, target, _) = kinds[self.rng.usize(..kinds.len())].clone();
                let text = format!("Aanslagnummer {number}.{letter}.66.0112");
                ("other tax", Cents::new(-100 * self.rng.i64(40..900)), target, text)
            }
        };
        let example = self.push(sort, amount, vec![target]);
        example.text = text;
        example.name = Some("Belastingdienst".to_owned());
        example.iban = (amount < Cents::ZERO).then(|| iban.to_owned());
    }

    fn payout(&mut self) {
        let provider = &self.books.providers[0];
        let count = self.rng.usize(1..20);
        let total: Cents = provider.payments[..count].iter().copied().sum();
        let fee = Cents::new(25 * count as i64 + total.get() / 100);
        if fee.get() * 12 > total.get() {
            return;
        }
        let iban = provider.ibans[0].as_str().to_owned();
        let iban = if self.chance(70) { iban } else { self.iban() };
        // The last payment is larger than the fee, so that the sum is known.
        let last = self.books.providers[0].payments[count - 1];
        let target = Target::Payout { provider_account: PROVIDER, fee };
        let sort = if last > fee { "payout" } else { "payout with small payments" };
        let example = self.push(sort, total - fee, vec![target]);
        example.name = Some("Stichting Mollie Payments".to_owned());
        example.iban = Some(iban);
        example.text = "t_aBcD12 uitbetaling 2026-10-12".to_owned();
    }

    fn already_booked(&mut self) {
        let amount = Cents::new(-price(&mut self.rng));
        let entry = self.id();
        let days = self.rng.i64(0..8).days();
        let text = self.chat();
        let example = self.push("already booked", amount, vec![Target::Existing { entry }]);
        example.text = text;
        example.name = Some("Camera winkel".to_owned());
        let date = example.date - days;
        self.books.postings.push(Posting { entry, bank_account: BANK, date, amount });
    }

    fn costs(&mut self) {
        let amount = Cents::new(-self.rng.i64(300..2_500));
        let example = self.push("bank costs", amount, vec![Target::Like(bank_costs())]);
        example.text = "Kosten Zakelijk Betalingsverkeer oktober".to_owned();
    }

    fn batch(&mut self) {
        let items: Vec<Item> = (0..self.rng.usize(2..6))
            .filter_map(|_| self.take(|item| item.kind == ItemKind::Bill && item.due > Cents::ZERO))
            .collect();
        if items.len() < 2 {
            return;
        }
        let reference = format!("GB-BATCH-{}", self.rng.u32(10_000..99_999));
        let total: Cents = items.iter().map(|item| item.due).sum();
        let truth = items
            .iter()
            .map(|item| Allocation { amount: item.due, target: Target::Bill { expense: item.id } });
        let truth = truth.collect();
        self.books.batches.push(PaymentBatch {
            reference: reference.clone(),
            bank_account: BANK,
            items: items.iter().map(|item| (item.id, item.due)).collect(),
        });
        let example = self.push("batch", -total, Vec::new());
        example.truth = truth;
        example.text = format!("Verzamelbetaling {reference}");
    }

    /// Counterparty of which the books know nothing.
    fn unknown(&mut self) {
        let amount = Cents::new(-price(&mut self.rng));
        let name = format!("{} {} Nieuw", self.pick(&FIRST), self.pick(&TOWNS));
        let iban = self.iban();
        let text = self.chat();
        let example = self.push("unknown", amount, Vec::new());
        (example.name, example.iban, example.text) = (Some(name), Some(iban), text);
    }
}

fn bank_costs() -> Template {
    Template { kind: AllocationKind::BankCosts, fields: "{}".into(), has_box: false }
}

/// Amount in cents, often round.
fn price(rng: &mut Rng) -> i64 {
    match rng.u8(..4) {
        0 => 12_100 * rng.i64(1..20),
        1 => 605 * rng.i64(5..200),
        2 => 100 * rng.i64(20..3_000),
        _ => rng.i64(1_500..400_000),
    }
}
