//! Events without an invoice or receipt in the model: their entries, implemented a second time.

use crate::{
    books::{Account, Bill, Done, Entry, Invoice, Money, Posting, Sums, at, code, last},
    commands::{Command, Made, Touched, cents, money, two_sided},
    generate::Generator,
    pricing::{fault_at, rounded},
    sales::{contact, identify},
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    booking::MoneyAccount,
    cash_accounting::VatMethod,
    chart::codes,
    entry::SourceType,
    event::{AccrualKind, Event, LOANS, PrivateKind, PrivateUseKind},
    money::Cents,
    purchase::BusinessShare,
};
use service::{
    BookingError, Error, Fault,
    contacts::CustomerInput,
    corrections::IfFiled,
    events::{NewEvent, name},
    expenses::{NewExpense, Supplier},
    open_items::{NewOpenItem, OpenItemContact},
};
use store::opening_items::OpenItemKind;

/// Open items of an opening balance: invoices and expenses.
type OpenItems = Vec<(OpenItemKind, i64)>;

/// A recorded event.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) id: i64,
    pub(crate) command: NewEvent,
    pub(crate) entries: Vec<i64>,
    pub(crate) undone: bool,
    /// Open items; empty unless it is an opening balance.
    pub(crate) items: Vec<(OpenItemKind, i64)>,
}

impl Recorded {
    fn kind(&self) -> SourceType {
        self.command.event.source_type()
    }
}

/// Ledger account of a money account; events do not use the owner's private money.
fn own(place: MoneyAccount) -> u16 {
    money(place, -1)
}

fn words(event: &Event) -> &'static str {
    match event {
        Event::Transfer { .. } => "Transfer between own accounts",
        Event::Private { kind, .. } => match kind {
            PrivateKind::Drawing => "Private drawing",
            PrivateKind::Deposit => "Private deposit",
            PrivateKind::IncomeTax => "Income tax",
            PrivateKind::HealthInsurance => "Health insurance contribution",
            PrivateKind::Premium => "Private premium",
        },
        Event::Accrual { kind: AccrualKind::WorkToInvoice, .. } => "Work not yet invoiced",
        Event::Accrual { kind: AccrualKind::AccruedCost, .. } => "Accrued costs",
        Event::Accrual { kind: AccrualKind::PrepaidCost, .. } => "Prepaid costs",
        Event::Loan { .. } => "Loan drawn",
        Event::LoanRepayment { .. } => "Loan repayment",
        Event::PrivateUse { .. } => "Private use",
        Event::OpeningBalance { .. } => "Opening balance",
        Event::ByHand { .. } => "",
    }
}

/// Date and lines of each entry of an event.
// Long: one match over all events.
fn lines(event: &Event, on: Date) -> Vec<(Date, Vec<Posting>)> {
    match event {
        Event::Transfer { from, to, amount, arrived, .. } => {
            vec![
                (on, two_sided(1190, own(*from), cents(*amount))),
                (*arrived, two_sided(own(*to), 1190, cents(*amount))),
            ]
        }
        Event::Private { kind, amount, method, .. } => {
            let (method, amount) = (own(*method), cents(*amount));
            vec![(
                on,
                match kind {
                    PrivateKind::Drawing => two_sided(520, method, amount),
                    PrivateKind::Deposit => two_sided(method, 510, amount),
                    PrivateKind::IncomeTax | PrivateKind::HealthInsurance => {
                        two_sided(530, method, amount)
                    }
                    PrivateKind::Premium => two_sided(540, method, amount),
                },
            )]
        }
        Event::Accrual { kind, account, amount, reverse_on } => {
            let (debit, credit) = match kind {
                AccrualKind::WorkToInvoice => (1320, account.get()),
                AccrualKind::AccruedCost => (account.get(), 1610),
                AccrualKind::PrepaidCost => (1330, account.get()),
            };
            vec![
                (on, two_sided(debit, credit, cents(*amount))),
                (*reverse_on, two_sided(credit, debit, cents(*amount))),
            ]
        }
        Event::Loan { account, amount, method } => {
            vec![(on, two_sided(own(*method), account.get(), cents(*amount)))]
        }
        Event::LoanRepayment { account, principal, interest, method } => {
            let (principal, interest) = (cents(*principal), cents(*interest));
            vec![(
                on,
                vec![
                    (account.get(), "", principal),
                    (4600, "", interest),
                    (own(*method), "", -principal - interest),
                ],
            )]
        }
        Event::PrivateUse { kind, vat, base } => {
            let (vat, base) = (cents(*vat), base.map_or(0, cents));
            let vat_box = if vat == 0 { "" } else { "1d" };
            let postings = match kind {
                PrivateUseKind::Goods => {
                    vec![(550, "", base + vat), (8900, vat_box, -base), (1730, vat_box, -vat)]
                }
                // The taxable amount is in the VAT box but is not revenue.
                PrivateUseKind::Car => {
                    let counted_on = rounded(vat * 100, 21);
                    let lines = [
                        (4240, "", vat),
                        (1730, vat_box, -vat),
                        (4240, vat_box, -counted_on),
                        (4240, "", counted_on),
                    ];
                    lines.into_iter().chain([(550, "", base), (4230, "", -base)]).collect()
                }
            };
            vec![(on, postings)]
        }
        Event::ByHand { postings } => {
            let side = |posting: &ledger::entry::Posting| {
                (posting.account().get(), "", cents(posting.debited()) - cents(posting.credited()))
            };
            vec![(on, postings.iter().map(side).collect())]
        }
        Event::OpeningBalance { balances } if balances.is_empty() => Vec::new(),
        Event::OpeningBalance { balances } => {
            let stands =
                balances.iter().map(|(account, amount)| (account.get(), "", cents(*amount)));
            let equity = -balances.iter().map(|(_, amount)| cents(*amount)).sum::<Money>();
            vec![(on, stands.chain([(500, "", equity)]).collect())]
        }
    }
}

impl Account {
    // Long: one match over all events.
    fn faults_of(&self, command: &NewEvent) -> Vec<Fault> {
        let mut faults = Vec::new();
        match &command.event {
            Event::Transfer { from, to, arrived, .. } => {
                faults.extend((from == to).then(|| fault_at("/to", "unknown_value")));
                faults.extend(
                    (*arrived < command.date).then(|| fault_at("/arrived", "out_of_range")),
                );
            }
            Event::Private { kind, amount, .. } => {
                let owner = matches!(kind, PrivateKind::Drawing | PrivateKind::Deposit);
                let bad = amount.is_zero() || owner && amount.is_negative();
                faults.extend(bad.then(|| fault_at("/amount", "out_of_range")));
            }
            Event::Accrual { kind, account, reverse_on, .. } => {
                let fits = (*kind == AccrualKind::WorkToInvoice) == (account.get() >= 8000);
                faults.extend((!fits).then(|| fault_at("/account", "unknown_value")));
                faults.extend(
                    (*reverse_on <= command.date).then(|| fault_at("/reverseOn", "out_of_range")),
                );
            }
            Event::PrivateUse { kind, vat, base } => {
                let most = |base: Cents| Cents::new((base.get() * 21 + 50) / 100);
                if *kind == PrivateUseKind::Goods && base.is_some_and(|base| *vat > most(base)) {
                    faults.push(fault_at("/vat", "out_of_range"));
                }
                match self.kor(command.date) {
                    Some(_) if !vat.is_zero() => faults.push(fault_at("/vat", "kor_applies")),
                    Some(_) if base.is_none_or(Cents::is_zero) => {
                        faults.push(fault_at("/base", "required"))
                    }
                    None if vat.is_zero() => faults.push(fault_at("/vat", "required")),
                    _ => {}
                }
            }
            Event::ByHand { postings } => {
                for (place, posting) in postings.iter().enumerate() {
                    if [1300, 1500].contains(&posting.account().get()) {
                        faults.push(fault_at(format!("/lines/{place}/account"), "kept_by_program"));
                    }
                }
                let sum: Money = postings
                    .iter()
                    .map(|posting| cents(posting.debited()) - cents(posting.credited()))
                    .sum();
                faults.extend((sum != 0).then(|| fault_at("/lines", "unbalanced")));
            }
            Event::LoanRepayment { principal, interest, .. } => {
                let loan = self.events.iter().find(|of| Some(of.id) == command.parent_id).unwrap();
                let Event::Loan { amount, .. } = &loan.command.event else {
                    unreachable!("a loan was found")
                };
                let parts = self
                    .events
                    .iter()
                    .filter(|of| of.command.parent_id == Some(loan.id) && !of.undone);
                let paid: i128 = parts
                    .map(|of| {
                        if let Event::LoanRepayment { principal, .. } = &of.command.event {
                            cents(*principal)
                        } else {
                            0
                        }
                    })
                    .sum();
                let none = principal.is_zero() && interest.is_zero();
                faults.extend(none.then(|| fault_at("/principal", "out_of_range")));
                let much = cents(*principal) > cents(*amount) - paid;
                faults
                    .extend((!none && much).then(|| fault_at("/principal", "exceeds_outstanding")));
                faults.extend(
                    (command.date < loan.command.date).then(|| fault_at("/date", "out_of_range")),
                );
            }
            Event::OpeningBalance { balances } => {
                let before =
                    || (1_i64..).zip(&self.journal).filter(|(_, entry)| entry.date < command.date);
                let is_taken_back = |id: i64| before().any(|(_, entry)| entry.reverses == Some(id));
                let stands =
                    before().any(|(id, entry)| entry.reverses.is_none() && !is_taken_back(id));
                faults.extend(stands.then(|| fault_at("/date", "out_of_range")));
                if balances.is_empty() && command.open_items.is_empty() {
                    faults.push(fault_at("/balances", "required"));
                }
                for (place, (account, _)) in balances.iter().enumerate() {
                    let path = format!("/balances/{place}/account");
                    if *account == codes::RECEIVABLES {
                        faults.push(fault_at(path, "kept_by_program"));
                    } else if balances[..place].iter().any(|(before, _)| before == account) {
                        faults.push(fault_at(path, "unknown_value"));
                    }
                }
                for place in 0..command.open_items.len() {
                    faults.extend(self.faults_of_item(command, place));
                }
            }
            _ => {}
        }
        faults
    }

    fn faults_of_item(&self, command: &NewEvent, place: usize) -> Vec<Fault> {
        let (item, before) = (&command.open_items[place], &command.open_items[..place]);
        let is_invoice = item.kind == OpenItemKind::Receivable;
        let numbered = |of: &Invoice| of.number == item.number && !(of.opening && of.cancelled);
        let twice = before.iter().any(|other| {
            other.kind == item.kind
                && other.number == item.number
                && (is_invoice || other.contact == item.contact)
        });
        // All numbers that start with this year belong to its series, whether issued or not.
        let taken = item.number.starts_with("2025-") || twice || self.invoices.iter().any(numbered);
        let wrong = [
            (if is_invoice { taken } else { twice }, "number", "taken"),
            (item.date > command.date, "date", "out_of_range"),
            (item.due_date < item.date, "dueDate", "out_of_range"),
        ];
        let at = |field: &str, code| fault_at(format!("/openItems/{place}/{field}"), code);
        wrong
            .into_iter()
            .filter(|(wrong, ..)| *wrong)
            .map(|(_, field, code)| at(field, code))
            .collect()
    }

    /// Books the open items, one entry each.
    // Long: it fills every field of an invoice.
    fn open_items(
        &mut self,
        command: &NewEvent,
        touched: &mut Touched,
    ) -> Result<(OpenItems, Vec<i64>), Error> {
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        for item in &command.open_items {
            let OpenItemContact::Name(name) = item.contact.clone() else {
                unreachable!("names are drawn")
            };
            let amount = cents(item.amount);
            let description = format!("Opening balance: {}, {name}", item.number);
            let of = |source, postings| Entry {
                date: command.date,
                vat_date: command.date,
                description: description.clone(),
                source,
                reverses: None,
                corrects: None,
                postings,
            };
            touched.vat_days.insert(item.date);
            if item.kind == OpenItemKind::Payable {
                let id = last(&self.expenses) + 1;
                let entry = self
                    .book(of((SourceType::Expense, id), two_sided(500, code::PAYABLES, amount)))?;
                self.expenses.push(Done { command: bill(item, &name), entry });
                self.bills.push(Bill { owed: amount, opening: true, ..Bill::default() });
                items.push((item.kind, id));
                entries.push(entry);
                continue;
            }
            let (known, customer) = identify(self, &CustomerInput::named(name.clone())).unwrap();
            let contact = contact(self, known, &customer);
            let id = last(&self.invoices) + 1;
            let entry = self
                .book(of((SourceType::Invoice, id), two_sided(code::RECEIVABLES, 500, amount)))?;
            self.invoices.push(Invoice {
                external_id: None,
                credits: None,
                number: item.number.clone(),
                sent: true,
                date: item.date,
                due_date: item.due_date,
                supplied: (None, None),
                vat_date: command.date,
                contact,
                customer,
                reference: None,
                notes: None,
                discount: ledger::discount::Discount::None,
                lines: Vec::new(),
                prepayment: false,
                set_off: Vec::new(),
                sums: Sums { subtotal: amount, total: amount, ..Sums::default() },
                paid: 0,
                credited: 0,
                written_off: 0,
                cancelled: false,
                far: None,
                paid_at: None,
                opening: true,
                method: VatMethod::Invoice,
                events: Vec::new(),
                changes: crate::cash::Changes::new(),
            });
            touched.invoices.insert(id);
            items.push((item.kind, id));
            entries.push(entry);
        }
        Ok((items, entries))
    }

    /// Whether an open item was partly paid or written off.
    fn is_touched(&self, (kind, id): (OpenItemKind, i64)) -> bool {
        match kind {
            OpenItemKind::Receivable => {
                let written_off = self
                    .write_offs
                    .iter()
                    .any(|of| of.command.invoice_id == id && of.undone.is_none());
                let credited = self.notes_on(id).next().is_some();
                credited || written_off || self.paid_on(id).next().is_some()
            }
            OpenItemKind::Payable => at(&self.bills, id).unwrap().paid != 0,
        }
    }

    pub(crate) fn event(
        &mut self,
        command: &NewEvent,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let kind = command.event.source_type();
        let same =
            |of: &&Recorded| of.kind() == kind && of.command.external_id == command.external_id;
        if let Some(known) = self.events.iter().find(same).filter(|_| command.external_id.is_some())
        {
            return Ok(Made::Existing(known.id));
        }
        let standing = |of: &Recorded| of.kind() == SourceType::OpeningBalance && !of.undone;
        if kind == SourceType::OpeningBalance && self.events.iter().any(standing) {
            return Err(BookingError::HasOpeningBalance.into());
        }
        let mut command = command.clone();
        if let Event::LoanRepayment { account, .. } = &mut command.event {
            let loan = self
                .events
                .iter()
                .find(|of| Some(of.id) == command.parent_id && of.kind() == SourceType::Loan);
            let loan = loan.ok_or(Error::NotFound("loan"))?;
            if loan.undone {
                return Err(BookingError::AlreadyUndone.into());
            }
            let Event::Loan { account: of, .. } = &loan.command.event else { unreachable!() };
            *account = *of;
        }
        let faults = self.faults_of(&command);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let booked = lines(&command.event, command.date);
        self.manual += 1;
        let (id, mut entries) = (self.manual, Vec::new());
        let says = command.description.clone().unwrap_or_else(|| words(&command.event).to_owned());
        for (day, postings) in booked {
            touched.vat_days.insert(day);
            let reverses = entries.first().copied().filter(|_| kind == SourceType::Accrual);
            let description =
                if reverses.is_some() { format!("Reversal of: {says}") } else { says.clone() };
            let source = (kind, id);
            let entry = Entry {
                date: day,
                vat_date: day,
                description,
                source,
                reverses,
                corrects: None,
                postings,
            };
            entries.push(self.book_as(entry, command.if_filed)?);
        }
        let (items, more) = self.open_items(&command, touched)?;
        entries.extend(more);
        self.events.push(Recorded { id, command, entries, undone: false, items });
        Ok(Made::New(id))
    }

    pub(crate) fn undo_event(
        &mut self,
        (kind, id): (SourceType, i64),
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let place = self
            .events
            .iter()
            .position(|of| of.id == id && of.kind() == kind)
            .ok_or(Error::NotFound(name(kind)))?;
        let of = self.events[place].clone();
        if of.undone {
            return Err(BookingError::AlreadyUndone.into());
        }
        if self.events.iter().any(|part| part.command.parent_id == Some(id) && !part.undone) {
            return Err(BookingError::HasParts.into());
        }
        if of.items.iter().any(|item| self.is_touched(*item)) {
            return Err(BookingError::HasParts.into());
        }
        let entries =
            if kind == SourceType::PrivateUse { self.standing((kind, id)) } else { of.entries };
        for entry in entries {
            let old = at(&self.journal, entry).unwrap().clone();
            touched.vat_days.insert(old.date);
            self.reverse_as(entry, how)?;
            if let (SourceType::Invoice, invoice) = old.source {
                touched.invoices.insert(invoice);
                let invoice = &mut self.invoices[usize::try_from(invoice - 1).unwrap()];
                touched.vat_days.insert(invoice.date);
                (invoice.sent, invoice.cancelled) = (false, true);
            }
            if let (SourceType::Expense, bill) = old.source {
                self.bills[usize::try_from(bill - 1).unwrap()].undone = true;
            }
        }
        self.events[place].undone = true;
        Ok(Made::Nothing)
    }
}

/// Expense for an unpaid bill, with only the fields that its payments need.
fn bill(item: &NewOpenItem, name: &str) -> NewExpense {
    NewExpense {
        external_id: None,
        date: item.date,
        supplier: Supplier::default(),
        description: Some(format!("{}, {name}", item.number)),
        lines: Vec::new(),
        paid_from: None,
        business_share: BusinessShare::WHOLE,
        receipt_ids: Vec::new(),
        period: service::expenses::Covered::default(),
        bill: service::expenses::Bill::default(),
        if_filed: IfFiled::Refuse,
    }
}

impl Generator<'_> {
    /// Draws an opening balance dated 1 January 2025; no event has an earlier date.
    pub(crate) fn opening(&mut self) -> Command {
        let on = date(2025, 1, 1);
        let many = self.rng.usize(0..4);
        let mut accounts = [codes::BANK, codes::SAVINGS, codes::EQUIPMENT][..many.min(3)].to_vec();
        accounts.extend(self.sometimes(15, |draw| draw.pick(&[codes::RECEIVABLES, codes::BANK])));
        let balances = accounts.into_iter().map(|account| (account, self.amount())).collect();
        let open_items = (0..self.rng.usize(0..5)).map(|_| self.open_item(on)).collect();
        Command::Event(NewEvent {
            external_id: self.external_id(),
            date: on,
            description: self.sometimes(3, |_| "As agreed".to_owned()),
            event: Event::OpeningBalance { balances },
            parent_id: None,
            open_items,
            if_filed: IfFiled::Refuse,
        })
    }

    fn open_item(&mut self, on: Date) -> NewOpenItem {
        let dated = on - self.rng.i64(0..150).days();
        let dated = self.sometimes(25, |_| on + 1.days()).unwrap_or(dated);
        let term = self.sometimes(25, |_| -1).unwrap_or(self.rng.i64(0..60));
        let number = format!("OUD-{}", self.rng.u32(0..40));
        NewOpenItem {
            kind: self.pick(&[
                OpenItemKind::Receivable,
                OpenItemKind::Receivable,
                OpenItemKind::Payable,
            ]),
            contact: OpenItemContact::Name(
                self.pick(&["Bakkerij De Korenaar", "Ångström BV", "Oude Klant"]).to_owned(),
            ),
            number: self.sometimes(30, |_| "2025-0002".to_owned()).unwrap_or(number),
            date: dated,
            due_date: dated + term.days(),
            amount: Cents::new(self.rng.i64(1..500_000)),
            total: None,
            supply_date: None,
            vat: Vec::new(),
        }
    }

    /// Draws an event of any kind except an opening balance.
    pub(crate) fn event(&mut self, account: &Account) -> Command {
        let (day, later) = (self.day(), self.rng.i64(-1..20).days());
        let amount = Cents::new(self.amount().get().abs().max(1));
        let place = |draw: &mut Self| draw.pick(&MoneyAccount::ALL[..4]);
        let (from, to) = (place(self), place(self));
        let loans: Vec<i64> = account
            .events
            .iter()
            .filter(|of| of.command.event.source_type() == SourceType::Loan)
            .map(|of| of.id)
            .collect();
        let mut parent_id = None;
        let event = match self.rng.u32(0..12) {
            10 => Event::ByHand { postings: self.lines_by_hand(amount) },
            0 | 1 => Event::Transfer { from, to, amount, arrived: day + later, awaited: None },
            2..5 => Event::Private {
                kind: self.pick(PrivateKind::ALL),
                amount: self.amount(),
                method: from,
                premium: None,
            },
            5 | 6 => Event::Accrual {
                kind: self.pick(AccrualKind::ALL),
                account: self.pick(&[codes::REVENUE_HIGH, codes::OFFICE, codes::INSURANCE]),
                amount,
                reverse_on: day + later,
            },
            7 => Event::Loan { account: self.pick(&LOANS), amount, method: from },
            8 => {
                parent_id = Some(if loans.is_empty() { 1_000_000 } else { self.pick(&loans) });
                let (principal, interest) = (self.amount(), self.amount());
                let least = |amount: Cents| amount.max(Cents::ZERO);
                Event::LoanRepayment {
                    account: codes::BANK_LOAN,
                    principal: least(principal),
                    interest: least(interest),
                    method: from,
                }
            }
            _ => Event::PrivateUse {
                kind: self.pick(PrivateUseKind::ALL),
                vat: self.sometimes(4, |_| Cents::ZERO).unwrap_or(amount),
                base: self.sometimes(2, |_| Cents::new(12_345)),
            },
        };
        let description = self.sometimes(3, |_| "As agreed".to_owned());
        Command::Event(NewEvent {
            external_id: self.external_id(),
            date: day,
            description,
            event,
            parent_id,
            open_items: Vec::new(),
            if_filed: self.if_filed(),
        })
    }

    /// Draws the lines of a manual entry, rarely on reserved accounts or unbalanced.
    fn lines_by_hand(&mut self, amount: Cents) -> Vec<ledger::entry::Posting> {
        use ledger::entry::Posting;
        let account = |draw: &mut Self| {
            let kept =
                draw.sometimes(30, |draw| draw.pick(&[codes::RECEIVABLES, codes::INPUT_VAT_HIGH]));
            kept.unwrap_or_else(|| {
                draw.pick(&[
                    codes::BANK,
                    codes::OFFICE,
                    codes::BANK_COSTS,
                    codes::EQUITY,
                    codes::REVENUE_HIGH,
                ])
            })
        };
        let part = Cents::new(amount.get() / 3);
        let rest = amount - part + self.sometimes(20, |_| Cents::new(1)).unwrap_or(Cents::ZERO);
        vec![
            Posting::debit(account(self), amount, None),
            Posting::credit(account(self), part, None),
            Posting::credit(account(self), rest, None),
        ]
    }

    pub(crate) fn undo_event(&mut self, account: &Account) -> Command {
        let recorded: Vec<(SourceType, i64)> =
            account.events.iter().map(|of| (of.command.event.source_type(), of.id)).collect();
        if recorded.is_empty() {
            return Command::UndoEvent(SourceType::Transfer, 1, IfFiled::Refuse);
        }
        let (kind, id) = self.pick(&recorded);
        Command::UndoEvent(kind, id, self.if_filed())
    }
}
