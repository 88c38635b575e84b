//! Model of bank lines: random imports, bookings and undoings on two bank accounts with statements.
//! After each command, the state of every line and the balance of every ledger account are those of
//! the model.

use crate::compare::ask;
use fastrand::Rng;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    bank_line::{IgnoreReason, LineState},
    booking::MoneyAccount,
    chart::codes,
    country::CountryCode,
    entry::SourceType,
    event::{Event, PrivateKind},
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
};
use service::{
    Context, Environment, Error,
    accounts::{self, OpenAccount},
    bank_booking::{self, Allocation, BookLine, LineBooking, LineExpense, UndoLine},
    bank_lines::{self, IgnoreLine, LineDetails},
    bank_statements::{self, NewStatement, SentLine, SentLines, StatementFile},
    corrections::IfFiled,
    events::{self, NewEvent},
    expenses::{self, Covered, EditExpense, ExpenseLine, Supplier},
    ledger_cards, verify,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Store, Tx, accounts::Plan, bank_lines::LineFilter};
use testing::{Database, Engine};

/// Number of commands.
const STEPS: u32 = 600;
const BANKS: [(i64, u16, MoneyAccount); 2] =
    [(1, 1100, MoneyAccount::Bank), (2, 1110, MoneyAccount::Savings)];
const EMAIL: &str = "anna@example.com";

#[test]
fn lines_on_sqlite_are_those_of_the_model() {
    run(Engine::Sqlite);
}

#[test]
fn lines_on_postgres_are_those_of_the_model() {
    run(Engine::Postgres);
}

/// Part of a booked line.
#[derive(Clone, Debug)]
enum Part {
    /// Money between the bank account and one other account, with the way to undo it elsewhere.
    Other { account: u16, amount: i64, document: (Document, i64) },
    /// Half of a transfer that lines made, by its id.
    Transfer(i64),
    /// Half of a transfer by hand, by its id.
    Existing(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Document {
    Event(SourceType),
    Expense,
}

#[derive(Clone, Debug)]
struct Line {
    bank: usize,
    date: Date,
    amount: i64,
    state: LineState,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Transfer {
    from: usize,
    amount: i64,
    leaves: Option<Date>,
    arrives: Option<Date>,
    /// Entries of a transfer by hand: departure and arrival.
    by_hand: Option<[i64; 2]>,
}

impl Transfer {
    fn halves(&self) -> [(usize, Option<Date>, i64); 2] {
        [(self.from, self.leaves, -self.amount), (1 - self.from, self.arrives, self.amount)]
    }

    /// Amount on this bank account, and its date, if that half is awaited: the date of the other.
    fn awaited_on(&self, bank: usize) -> Option<(Date, i64)> {
        let [first, second] = self.halves();
        let (own, other) = if first.0 == bank { (first, second) } else { (second, first) };
        own.1.is_none().then_some((other.1?, own.2))
    }
}

struct Books {
    store: Store,
    cx: Context,
    rng: Rng,
    lines: BTreeMap<i64, Line>,
    /// Transfers that are not undone.
    transfers: BTreeMap<i64, Transfer>,
    imports: u32,
}

/// Short name of an error, to compare the store with the model.
fn short(error: &Error) -> String {
    match error {
        Error::Invalid(_) => super::name(error),
        other => other.to_string(),
    }
}

impl Books {
    fn open(store: Store) -> Self {
        let env = Environment::at("2026-06-30T10:00:00Z".parse().unwrap());
        let cx = store
            .write_blocking(move |tx| {
                let command = OpenAccount {
                    email: EMAIL.to_owned(),
                    name: "Anna".to_owned(),
                    country: CountryCode::NL,
                    plan: Plan::Pro,
                    password: None,
                };
                accounts::open(tx, &env, &command)?;
                Ok::<_, Error>(Context::of_owner(&accounts::by_email(tx, EMAIL)?, env.clone()))
            })
            .unwrap();
        let rng = Rng::with_seed(2026);
        Self { store, cx, rng, lines: BTreeMap::new(), transfers: BTreeMap::new(), imports: 0 }
    }

    fn write<T: Send + 'static>(
        &self,
        command: impl Fn(&mut Tx<'_>, &Context) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, String> {
        let cx = self.cx.clone();
        self.store.write_blocking(move |tx| command(tx, &cx)).map_err(|error| short(&error))
    }

    fn read_lines(&self) -> Vec<LineDetails> {
        let cx = self.cx.clone();
        ask(&self.store, move |tx| {
            let page = bank_lines::list(tx, &cx, &LineFilter::default(), i64::MAX, 100_000)?;
            Ok(page.rows)
        })
    }

    fn some_line(&mut self, wanted: impl Fn(&Line) -> bool) -> Option<i64> {
        let ids: Vec<i64> =
            self.lines.iter().filter(|(_, line)| wanted(line)).map(|(id, _)| *id).collect();
        (!ids.is_empty()).then(|| ids[self.rng.usize(0..ids.len())])
    }

    /// Imports one to three lines of a bank account. Few amounts, so that transfers meet.
    fn import(&mut self) {
        self.imports += 1;
        let (bank, import) = (self.rng.usize(0..2), self.imports);
        let day = date(2026, 4, 1) + self.rng.i64(0..30).days();
        let amounts: Vec<i64> = (0..self.rng.usize(1..4))
            .map(|_| {
                let amount = [500, 700, 700, 900][self.rng.usize(0..4)];
                if self.rng.bool() { amount } else { -amount }
            })
            .collect();
        let line = |(place, amount): (usize, &i64)| SentLine {
            date: day,
            value_date: None,
            amount: Cents::new(*amount),
            name: None,
            iban: None,
            text: String::new(),
            end_to_end_id: None,
            bank_reference: Some(format!("{import}-{place}")),
        };
        let sent = SentLines {
            bank_account_id: BANKS[bank].0,
            from: day,
            to: day,
            opening: None,
            closing: None,
            lines: amounts.iter().enumerate().map(line).collect(),
        };
        let file = StatementFile::of_lines(import.to_string().into_bytes().into(), &sent).unwrap();
        let command = NewStatement {
            external_id: None,
            name: None,
            bank_account_id: Some(BANKS[bank].0),
            file,
            is_limited: false,
        };
        self.write(move |tx, cx| bank_statements::import(tx, cx, &command).map(drop)).unwrap();
        for details in self.read_lines() {
            let of = details.line;
            self.lines.entry(of.id).or_insert(Line {
                bank,
                date: of.date,
                amount: of.amount.get(),
                state: LineState::New,
                parts: Vec::new(),
            });
        }
    }

    /// Draws a booking of a part, with its other account and its kind of document.
    fn booking(&mut self, amount: i64, day: Date) -> (LineBooking, u16, Document) {
        let private = |kind| LineBooking::Private { kind, premium: None };
        match self.rng.u32(0..4) {
            0 => (LineBooking::BankCosts, 4610, Document::Event(SourceType::Manual)),
            1 if amount > 0 => {
                (private(PrivateKind::Deposit), 510, Document::Event(SourceType::PrivateBooking))
            }
            1 => (private(PrivateKind::Drawing), 520, Document::Event(SourceType::PrivateBooking)),
            2 => {
                let ledger = LineBooking::Ledger { account: codes::OFFICE, description: None };
                (ledger, 4100, Document::Event(SourceType::Manual))
            }
            _ => {
                let line = ExpenseLine {
                    category: codes::SOFTWARE,
                    amount: Cents::ZERO,
                    treatment: VatTreatment::None,
                    rate: None,
                    includes_vat: true,
                    vat: None,
                };
                let expense = LineExpense {
                    external_id: None,
                    date: self.rng.bool().then(|| day - 3.days()),
                    supplier: Supplier::default(),
                    description: Some("Toner".to_owned()),
                    lines: vec![line],
                    takes_all: true,
                    business_share: BusinessShare::WHOLE,
                    receipt_ids: Vec::new(),
                    period: Covered::default(),
                    bill: store::expenses::Bill::default(),
                };
                let account = codes::SOFTWARE.get();
                (LineBooking::Expense(Box::new(expense)), account, Document::Expense)
            }
        }
    }

    fn execute_booking(
        &self,
        id: i64,
        allocations: Vec<(Option<i64>, LineBooking)>,
    ) -> Result<LineDetails, String> {
        let allocation = |(amount, booking): (Option<i64>, LineBooking)| Allocation {
            amount: amount.map(Cents::new),
            booking,
            if_filed: IfFiled::Refuse,
        };
        let allocations = allocations.into_iter().map(allocation).collect();
        let command = BookLine { external_id: None, allocations };
        self.write(move |tx, cx| Ok(bank_booking::book(tx, cx, id, &command)?.into_inner()))
    }

    /// Books a line as one to three parts, none of which is a transfer.
    fn book(&mut self) {
        let Some(id) = self.some_line(|_| true) else { return };
        let line = self.lines[&id].clone();
        let whole = line.amount.abs();
        let mut amounts = vec![whole];
        while amounts.len() < 3 && self.rng.u32(0..3) == 0 {
            let last = amounts.pop().unwrap();
            // A part may be against the direction of the line.
            let part = [1, last / 2, last + 50][self.rng.usize(0..3)];
            let is_divided = part != 0 && part != last;
            amounts.extend(if is_divided { vec![part, last - part] } else { vec![last] });
        }
        let sign = line.amount.signum();
        let mut parts = Vec::new();
        let mut allocations = Vec::new();
        for (place, amount) in amounts.iter().enumerate() {
            let (booking, account, kind) = self.booking(amount * sign, line.date);
            parts.push((account, amount * sign, kind));
            allocations.push(((place > 0).then_some(*amount), booking));
        }
        let answer = self.execute_booking(id, allocations);
        match line.state {
            LineState::New => {
                let details = answer.unwrap();
                let made = parts.into_iter().zip(&details.allocations);
                let parts = made.map(|((account, amount, kind), made)| {
                    let document =
                        if kind == Document::Expense { made.parent_id } else { made.target_id };
                    Part::Other { account, amount, document: (kind, document.unwrap()) }
                });
                let parts = parts.collect();
                let line = self.lines.get_mut(&id).unwrap();
                (line.state, line.parts) = (LineState::Booked, parts);
            }
            LineState::Booked => assert_eq!(answer.unwrap_err(), format!("already_booked: {id}")),
            LineState::Ignored => assert_eq!(answer.unwrap_err(), format!("line_ignored: {id}")),
        }
    }

    /// Books a line as a transfer, sometimes with costs of the bank besides it, or with its other
    /// half.
    fn transfer(&mut self) {
        let Some(id) = self.some_line(|line| line.state == LineState::New) else { return };
        let line = self.lines[&id].clone();
        let other = 1 - line.bank;
        let (sign, whole) = (line.amount.signum(), line.amount.abs());
        if self.rng.u32(0..4) == 0
            && let Some(half) = self.some_line(|half| half.bank == other)
        {
            let of = self.lines[&half].clone();
            let booking =
                LineBooking::Transfer { bank_account_id: BANKS[other].0, line_id: Some(half) };
            let answer = self.execute_booking(id, vec![(None, booking)]);
            let days = line.date.until(of.date).unwrap().get_days().abs();
            if of.state == LineState::New && of.amount == -line.amount && days <= 10 {
                let transfer = answer.unwrap().transfer_id.unwrap();
                let (leaves, arrives) =
                    if sign < 0 { (line.date, of.date) } else { (of.date, line.date) };
                let from = if sign < 0 { line.bank } else { other };
                self.add_transfer(transfer, from, whole, (Some(leaves), Some(arrives)));
                for id in [id, half] {
                    self.set_transfer(id, transfer, None);
                }
            } else {
                assert_eq!(answer.unwrap_err(), "/allocations/0/lineId unknown_value");
            }
            return;
        }
        let costs = if self.rng.u32(0..4) == 0 { 200 } else { 0 };
        let moved = (whole - costs) * sign;
        let mut allocations = vec![(
            (costs > 0).then_some(whole - costs),
            LineBooking::Transfer { bank_account_id: BANKS[other].0, line_id: None },
        )];
        if costs > 0 {
            allocations.push((None, LineBooking::BankCosts));
        }
        let details = self.execute_booking(id, allocations).unwrap();
        let made = details.transfer_id.unwrap();
        let has_statements = self.lines.values().any(|of| of.bank == other);
        let fits = |(id, of): (&i64, &Transfer)| {
            let (day, amount) = of.awaited_on(line.bank)?;
            let days = day.until(line.date).unwrap().get_days().abs();
            (amount == moved && days <= 10).then_some((days, *id))
        };
        let awaited = self.transfers.iter().filter_map(fits).min();
        if let Some((_, transfer)) = awaited {
            assert_eq!(made, transfer);
            let of = self.transfers.get_mut(&transfer).unwrap();
            let half = if sign < 0 { &mut of.leaves } else { &mut of.arrives };
            *half = Some(line.date);
        } else {
            assert!(!self.transfers.contains_key(&made));
            let (own, far) = (Some(line.date), (!has_statements).then_some(line.date));
            let days = if sign < 0 { (own, far) } else { (far, own) };
            let from = if sign < 0 { line.bank } else { other };
            self.add_transfer(made, from, moved.abs(), days);
        }
        let costs = (costs > 0).then(|| {
            let document = details.allocations[1].target_id.unwrap();
            (costs * sign, document)
        });
        self.set_transfer(id, made, costs);
    }

    fn add_transfer(
        &mut self,
        id: i64,
        from: usize,
        amount: i64,
        (leaves, arrives): (Option<Date>, Option<Date>),
    ) {
        let transfer = Transfer { from, amount, leaves, arrives, by_hand: None };
        assert!(self.transfers.insert(id, transfer).is_none());
    }

    fn set_transfer(&mut self, id: i64, transfer: i64, costs: Option<(i64, i64)>) {
        let line = self.lines.get_mut(&id).unwrap();
        line.state = LineState::Booked;
        line.parts = vec![Part::Transfer(transfer)];
        line.parts.extend(costs.map(|(amount, event)| Part::Other {
            account: 4610,
            amount,
            document: (Document::Event(SourceType::Manual), event),
        }));
    }

    fn transfer_by_hand(&mut self) {
        let (from, amount) = (self.rng.usize(0..2), [500, 700][self.rng.usize(0..2)]);
        let day = date(2026, 4, 1) + self.rng.i64(0..30).days();
        let command = NewEvent {
            external_id: None,
            date: day,
            description: None,
            event: Event::Transfer {
                from: BANKS[from].2,
                to: BANKS[1 - from].2,
                amount: Cents::new(amount),
                arrived: day + 1.days(),
                awaited: None,
            },
            parent_id: None,
            open_items: Vec::new(),
            if_filed: IfFiled::Refuse,
        };
        let made = self.write(move |tx, cx| Ok(events::record(tx, cx, &command)?.into_inner()));
        let made = made.unwrap();
        let entries: Vec<i64> = made.entries.iter().map(|of| of.id).collect();
        self.add_transfer(made.stored.id, from, amount, (Some(day), Some(day + 1.days())));
        let of = self.transfers.get_mut(&made.stored.id).unwrap();
        of.by_hand = Some(entries.try_into().unwrap());
    }

    /// Ties a line to a half of a transfer by hand.
    fn tie(&mut self) {
        let Some(id) = self.some_line(|line| line.state == LineState::New) else { return };
        let line = self.lines[&id].clone();
        let by_hand: Vec<i64> =
            self.transfers.iter().filter(|(_, of)| of.by_hand.is_some()).map(|of| *of.0).collect();
        if by_hand.is_empty() {
            return;
        }
        let transfer = by_hand[self.rng.usize(0..by_hand.len())];
        let of = self.transfers[&transfer].clone();
        let place = usize::from(of.halves()[0].0 != line.bank);
        let entry_id = of.by_hand.unwrap()[place];
        let answer = self.execute_booking(id, vec![(None, LineBooking::Existing { entry_id })]);
        let is_tied = self.lines.values().any(|other| {
            other.bank == line.bank
                && other
                    .parts
                    .iter()
                    .any(|part| matches!(part, Part::Existing(of) if *of == transfer))
        });
        if of.halves()[place].2 != line.amount {
            assert_eq!(answer.unwrap_err(), "/allocations/0/entryId not_this_amount");
        } else if is_tied {
            assert_eq!(answer.unwrap_err(), "/allocations/0/entryId already_linked");
        } else {
            assert_eq!(answer.unwrap().transfer_id, Some(transfer));
            let line = self.lines.get_mut(&id).unwrap();
            (line.state, line.parts) = (LineState::Booked, vec![Part::Existing(transfer)]);
        }
    }

    /// Lines that are undone with a line: those of the same transfers.
    fn together(&self, id: i64) -> BTreeSet<i64> {
        let mut ids = BTreeSet::from([id]);
        loop {
            let transfers: BTreeSet<i64> = ids
                .iter()
                .flat_map(|id| &self.lines[id].parts)
                .filter_map(|part| match part {
                    Part::Transfer(of) => Some(*of),
                    _ => None,
                })
                .collect();
            let is_part = |line: &Line| {
                line.parts
                    .iter()
                    .any(|part| matches!(part, Part::Transfer(of) if transfers.contains(of)))
            };
            let all: BTreeSet<i64> = self
                .lines
                .iter()
                .filter(|(_, line)| is_part(line))
                .map(|(id, _)| *id)
                .chain(ids.iter().copied())
                .collect();
            if all == ids {
                return ids;
            }
            ids = all;
        }
    }

    fn set_new(&mut self, id: i64) {
        let line = self.lines.get_mut(&id).unwrap();
        line.state = LineState::New;
        for part in std::mem::take(&mut line.parts) {
            if let Part::Transfer(of) = part {
                self.transfers.remove(&of);
            }
        }
    }

    fn undo(&mut self) {
        let Some(id) = self.some_line(|_| true) else { return };
        let answer =
            self.write(move |tx, cx| bank_booking::undo(tx, cx, id, UndoLine::default()).map(drop));
        if self.lines[&id].state == LineState::New {
            assert_eq!(answer.unwrap_err(), format!("not_booked: {id}"));
            return;
        }
        answer.unwrap();
        for id in self.together(id) {
            self.set_new(id);
        }
    }

    fn ignore(&mut self) {
        let Some(id) = self.some_line(|line| line.state == LineState::New) else { return };
        let command = IgnoreLine { reason: IgnoreReason::Other, note: None };
        self.write(move |tx, cx| bank_lines::ignore(tx, cx, id, &command).map(drop)).unwrap();
        self.lines.get_mut(&id).unwrap().state = LineState::Ignored;
    }

    /// Undoes a document of a line by its own command.
    fn undo_elsewhere(&mut self) {
        let Some(id) = self.some_line(|line| !line.parts.is_empty()) else { return };
        let parts = self.lines[&id].parts.clone();
        let part = parts[self.rng.usize(0..parts.len())].clone();
        let transfer = match part {
            Part::Transfer(of) | Part::Existing(of) => Some(of),
            Part::Other { .. } => None,
        };
        let answer = self.write(move |tx, cx| {
            let event = |tx: &mut Tx<'_>, kind, id| {
                events::undo(tx, cx, (kind, id), IfFiled::Refuse).map(drop)
            };
            match part {
                Part::Transfer(id) | Part::Existing(id) => event(tx, SourceType::Transfer, id),
                Part::Other { document: (Document::Event(kind), id), .. } => event(tx, kind, id),
                Part::Other { document: (Document::Expense, id), .. } => {
                    expenses::undo(tx, cx, id, IfFiled::Refuse).map(drop)
                }
            }
        });
        let is_of = |line: &Line| {
            line.parts.iter().any(|part| match part {
                Part::Transfer(of) | Part::Existing(of) => Some(*of) == transfer,
                Part::Other { .. } => false,
            })
        };
        let lines: Vec<i64> = match transfer {
            Some(_) => self.lines.iter().filter(|(_, of)| is_of(of)).map(|(id, _)| *id).collect(),
            None => vec![id],
        };
        if lines.iter().any(|id| self.lines[id].parts.len() > 1) {
            assert!(answer.unwrap_err().starts_with("booked_from_bank_line: "));
            return;
        }
        answer.unwrap();
        for id in lines {
            self.set_new(id);
        }
        if let Some(transfer) = transfer {
            self.transfers.remove(&transfer);
        }
    }

    /// Edits an expense of a line: its description changes, its total does not.
    fn edit(&mut self) {
        let expense = self.lines.iter().find_map(|(id, line)| {
            line.parts.iter().find_map(|part| match part {
                Part::Other { document: (Document::Expense, expense), .. } => Some((*id, *expense)),
                _ => None,
            })
        });
        let Some((line, id)) = expense else { return };
        let description = format!("Toner {}", self.rng.u32(0..1_000));
        let edit = EditExpense { description: Some(Some(description)), ..EditExpense::default() };
        self.write(move |tx, cx| expenses::edit(tx, cx, id, &edit, &|_| true).map(drop)).unwrap();
        let lines = vec![ExpenseLine {
            category: codes::SOFTWARE,
            amount: Cents::new(123_456),
            treatment: VatTreatment::None,
            rate: None,
            includes_vat: false,
            vat: None,
        }];
        let edit = EditExpense { lines: Some(lines), ..EditExpense::default() };
        let refused =
            self.write(move |tx, cx| expenses::edit(tx, cx, id, &edit, &|_| true).map(drop));
        assert_eq!(refused.unwrap_err(), format!("booked_from_bank_line: {line}"));
    }

    fn compare(&self, step: u32) {
        let found: BTreeMap<i64, LineState> =
            self.read_lines().into_iter().map(|of| (of.line.id, of.line.state)).collect();
        let expected: BTreeMap<i64, LineState> =
            self.lines.iter().map(|(id, line)| (*id, line.state)).collect();
        assert_eq!(found, expected, "step {step}");
        let mut balances: BTreeMap<u16, i64> = BTreeMap::new();
        for line in self.lines.values() {
            for part in &line.parts {
                if let Part::Other { account, amount, .. } = part {
                    *balances.entry(BANKS[line.bank].1).or_default() += amount;
                    *balances.entry(*account).or_default() -= amount;
                }
            }
        }
        for transfer in self.transfers.values() {
            for (bank, day, amount) in transfer.halves() {
                if day.is_some() {
                    *balances.entry(BANKS[bank].1).or_default() += amount;
                    *balances.entry(codes::MONEY_IN_TRANSIT.get()).or_default() -= amount;
                }
            }
        }
        balances.retain(|_, balance| *balance != 0);
        let cx = self.cx.clone();
        let booked = ask(&self.store, move |tx| ledger_cards::trial_balance(tx, &cx, 2026));
        let booked: BTreeMap<u16, i64> = booked
            .into_iter()
            .map(|of| (of.code.get(), (of.opening + of.debit - of.credit).get()))
            .filter(|(_, balance)| *balance != 0)
            .collect();
        assert_eq!(booked, balances, "step {step}");
        let waiting = |(id, of): (&i64, &Transfer)| {
            (0..2).any(|bank| of.awaited_on(bank).is_some()).then_some(*id)
        };
        let expected: Vec<i64> = self.transfers.iter().filter_map(waiting).collect();
        let cx = self.cx.clone();
        let awaited = ask(&self.store, move |tx| events::awaited(tx, &cx));
        let awaited: Vec<i64> = awaited.into_iter().map(|of| of.id).collect();
        assert_eq!(awaited, expected, "step {step}");
        if step.is_multiple_of(50) {
            let cx = self.cx.clone();
            let verified = ask(&self.store, move |tx| verify::verify_books(tx, &cx, &|_| {}));
            assert_eq!(verified.discrepancies, Vec::<String>::new(), "step {step}");
        }
    }
}

fn run(engine: Engine) {
    let database = Database::begun(engine);
    let mut books = Books::open(database.open());
    for step in 1..=STEPS {
        match books.rng.u32(0..20) {
            0..4 => books.import(),
            4..7 => books.book(),
            7..13 => books.transfer(),
            13 => books.transfer_by_hand(),
            14 => books.tie(),
            15 => books.ignore(),
            16 => books.undo_elsewhere(),
            17 => books.edit(),
            _ => books.undo(),
        }
        books.compare(step);
    }
    let completed = books.transfers.values().filter(|of| of.by_hand.is_none()).count();
    assert!(books.lines.len() > 50 && completed > 0, "{completed} transfers");
}
