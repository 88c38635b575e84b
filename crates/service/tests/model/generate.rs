//! Deeds drawn at random: mostly what people do, and often enough what they must not.

use crate::{
    books::{Account, at, last},
    deeds::{Deed, Model, today},
};
use fastrand::Rng;
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    booking::{MoneyAccount, Purchase, PurchaseVat, ReverseChargeKind},
    calendar::Quarter,
    chart::AccountCode,
    country::CountryCode,
    decimal::Decimal,
    hours::Hours,
    money::Cents,
    vat::{VatCategory, VatRate},
};
use service::{
    accounts::OpenAccount,
    contacts::CustomerGiven,
    expenses::NewExpense,
    hours_log::{CATEGORIES, NewLoggedHours},
    invoices::{Due, EditInvoice, LineGiven, NewCreditNote, NewInvoice},
    manual::ManualBooking,
    payments::NewPayment,
    projects::NewProject,
    time_entries::NewTimeEntry,
};
use store::{accounts::Plan, invoices::Status, keys::Scopes};

/// Accounts that there may be; the first four are there from the beginning.
pub(crate) const ACCOUNTS: usize = 5;
/// The country of each account, by its place.
pub(crate) const COUNTRIES: [&str; ACCOUNTS] = ["NL", "NL", "BE", "NL", "DE"];
const RATES: [u16; 3] = [2100, 900, 0];

/// Draws deeds.
pub(crate) struct Generator<'a> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) model: &'a Model,
    pub(crate) now: Timestamp,
    /// How many external ids there are to choose from; a small number repeats them more often.
    pub(crate) names: u64,
}

impl Generator<'_> {
    fn one_in(&mut self, many: u32) -> bool {
        self.rng.u32(0..many) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(0..from.len())].clone()
    }

    fn sometimes<T>(&mut self, many: u32, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.one_in(many).then(|| draw(self))
    }

    /// Whose books, and what.
    pub(crate) fn draw(&mut self) -> (usize, Deed) {
        // The foreign account gets fewer turns, as it may do less.
        let place = self.pick(&[0, 0, 0, 1, 1, 1, 2, 3, 3, 4]).min(self.model.accounts.len() - 1);
        let account = &self.model.accounts[place];
        // Around the end of a quarter its return is tried often: on its last day in vain, on the day after not.
        let yesterday = today(self.now) - 1.days();
        let quarter = Quarter::of(yesterday);
        if Quarter::of(yesterday + 2.days()) != quarter && self.one_in(4) {
            return (place, Deed::File(quarter));
        }
        let deed = match self.rng.u32(0..1000) {
            0..3 => self.open(),
            3..8 => {
                let email = self.email();
                Deed::Plan(email, self.pick(&[Plan::Free, Plan::Starter, Plan::Pro]))
            }
            8..16 => {
                let name = self.pick(&["till", " shop ", "", "bank"]).to_owned();
                Deed::Key(name, Scopes { read: self.rng.bool(), write: self.rng.bool() })
            }
            16..22 => Deed::Revoke(self.rng.i64(1..=last(&account.keys) + 1)),
            22..320 => Deed::Invoice(self.invoice()),
            320..450 => self.edit(account),
            450..530 => self.credit(account),
            530..700 => self.pay(account),
            700..790 => self.spend(),
            790..835 => self.by_hand(),
            835..845 => Deed::Project(NewProject {
                name: self.pick(&["Website", " Advice ", " ", "Course"]).to_owned(),
                hourly_rate: self.sometimes(2, |draw| Cents::new(draw.rng.i64(-500..20_000))),
            }),
            845..855 => Deed::Archive(self.rng.i64(1..=last(&account.projects) + 1), self.one_in(3)),
            855..925 => self.work(account),
            925..965 => self.log(account),
            965..985 => self.file(),
            _ => self.reopen(account),
        };
        (place, deed)
    }

    fn email(&mut self) -> String {
        format!("person{}@example.com", self.rng.usize(0..ACCOUNTS + 1))
    }

    fn open(&mut self) -> Deed {
        let next = self.model.accounts.len();
        let (email, country) = match (next < ACCOUNTS && self.rng.bool(), self.rng.u32(0..4)) {
            (true, _) => (format!(" Person{next}@Example.com "), COUNTRIES[next]),
            (false, 0) => ("nobody".to_owned(), "NL"),
            (false, _) => (format!("person{}@example.com", self.rng.usize(0..next)), "NL"),
        };
        let name = self.pick(&["Anna", "Bo", "Cas", " "]).to_owned();
        Deed::Open(OpenAccount {
            email,
            name,
            country: CountryCode::parse(country).unwrap(),
            plan: Plan::Starter,
            password: None,
        })
    }

    /// Mostly the last months, sometimes any day of the two years; so it often falls in a quarter that is filed.
    fn day(&mut self) -> Date {
        let today = today(self.now);
        let day = match self.rng.u32(0..10) {
            0 => date(2025, 1, 1) + self.rng.i64(0..730).days(),
            1..4 => today - self.rng.i64(0..100).days(),
            _ => today - self.rng.i64(0..15).days(),
        };
        day.max(date(2025, 1, 1))
    }

    fn external_id(&mut self) -> Option<String> {
        let names = self.names;
        self.sometimes(2, |draw| format!("x-{}", draw.rng.u64(0..names)))
    }

    fn text(&mut self, many: u32) -> Option<String> {
        self.sometimes(many, |draw| draw.pick(&["PO 7", "é — “quoted”", "two\nlines", ""]).to_owned())
    }

    fn customer(&mut self) -> CustomerGiven {
        let known_by = self.rng.u32(0..100);
        let name = self.pick(&["Bakkerij De Korenaar", "Ångström BV", "O'Brien & Co", "Müller GmbH"]).to_owned();
        let country = self.pick(&["NL", "NL", "NL", "DE", "BE", "US", "GB"]);
        CustomerGiven {
            external_id: (known_by < 40).then(|| format!("c-{}", self.rng.u32(0..12))),
            name: (5..98).contains(&known_by).then_some(name),
            country: self.sometimes(2, |_| CountryCode::parse(country).unwrap()),
            email: self.sometimes(8, |_| "post@example.com".to_owned()),
            vat_number: self.sometimes(4, |draw| draw.pick(&["NL123456782B90", "DE136695976"]).to_owned()),
            kvk_number: self.sometimes(8, |_| "12345678".to_owned()),
            contact_person: self.sometimes(8, |_| "Jo".to_owned()),
            street: self.sometimes(8, |_| "Dorpsstraat 1".to_owned()),
            postal_code: self.sometimes(8, |_| "3511 AB".to_owned()),
            city: self.sometimes(8, |_| "Utrecht".to_owned()),
        }
    }

    fn line(&mut self) -> LineGiven {
        let rate = self.pick(&RATES);
        let quantity = match self.rng.u32(0..40) {
            0..20 => Decimal::new(self.rng.i64(1..12), 0),
            20..34 => Decimal::new(self.rng.i64(1..4000), 2),
            34..36 => Decimal::new(8_264_462_809_917_356, 15),
            36 => Decimal::new(self.pick(&[0, 0, 1_000_000_000]), 0),
            _ => Decimal::new(-self.rng.i64(1..300), 2),
        };
        let unit_price = match self.rng.u32(0..60) {
            0 => Decimal::new(1_000_000_000, 0),
            1..10 => Decimal::new(self.rng.i64(-100..100_000_000_000_000), 15),
            10..20 => Decimal::new(self.rng.i64(1..100), 2),
            20..30 => Decimal::new(self.rng.i64(1..10_000_000), 4),
            _ => Decimal::new(self.rng.i64(1..30_000), 2),
        };
        let vat_category = match (rate, self.rng.u32(0..50)) {
            (_, 0) => Some(self.pick(VatCategory::ALL)),
            (0, 1..25) => Some(self.pick(&VatCategory::ALL[1..])),
            (_, 25..30) if rate > 0 => Some(VatCategory::Standard),
            _ => None,
        };
        let description = self.pick(&["Work", "Korting", "Travel"]).to_owned();
        LineGiven { description, quantity, unit_price, vat_rate: VatRate::from_basis_points(rate), vat_category }
    }

    fn lines(&mut self) -> Vec<LineGiven> {
        let many = if self.one_in(100) { 60 } else { self.rng.usize(1..5) };
        (0..many).map(|_| self.line()).collect()
    }

    fn due(&mut self) -> Due {
        match self.rng.u32(0..20) {
            0..10 => Due::AccountTerm,
            10..16 => Due::Days(self.rng.i64(0..90)),
            16 => Due::Days(40_000),
            _ => Due::On(self.day()),
        }
    }

    fn invoice(&mut self) -> NewInvoice {
        NewInvoice {
            external_id: self.external_id(),
            invoice_date: self.day(),
            status: if self.one_in(3) { Status::Draft } else { Status::Sent },
            customer: self.customer(),
            lines: if self.one_in(40) { vec![LineGiven { unit_price: Decimal::ZERO, ..self.line() }] } else { self.lines() },
            due: self.due(),
            reference: self.text(3),
            notes: self.text(4),
        }
    }

    /// An invoice that mostly fits; now and then one that does not exist.
    fn choose(&mut self, account: &Account, fits: impl Fn(i64) -> bool) -> i64 {
        let last = last(&account.invoices);
        for _ in 0..20 {
            let id = self.rng.i64(1.max(last - 200)..=last.max(1));
            if id <= last && fits(id) {
                return id;
            }
        }
        self.rng.i64(1..=last + 1)
    }

    fn edit(&mut self, account: &Account) -> Deed {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = if self.one_in(10) { self.choose(account, |_| true) } else { self.choose(account, |id| !of(id).sent) };
        let edit = EditInvoice {
            status: self.sometimes(3, |_| Status::Sent),
            invoice_date: self.sometimes(5, Self::day),
            customer: self.sometimes(5, Self::customer),
            lines: self.sometimes(3, Self::lines),
            due: self.sometimes(5, Self::due),
            reference: self.sometimes(5, |draw| draw.text(2)),
            notes: self.sometimes(5, |draw| draw.text(2)),
        };
        // A draft of nothing is sent as it is: it is paid from then on.
        let nothing = at(&account.invoices, id).is_some_and(|invoice| invoice.sums.total == 0);
        Deed::Edit(
            id,
            if nothing && self.rng.bool() { EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() } } else { edit },
        )
    }

    fn credit(&mut self, account: &Account) -> Deed {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = match self.rng.u32(0..10) {
            0 => self.choose(account, |_| true),
            1..5 => self.choose(account, |id| of(id).sent && of(id).credited > 0),
            _ => self.choose(account, |id| of(id).sent && of(id).credits.is_none()),
        };
        let invoice = at(&account.invoices, id);
        let lines = match (invoice, self.rng.u32(0..10)) {
            (None, _) | (_, 0..3) => None,
            (_, 3) => Some(self.lines()),
            // Parts of the invoice's own lines.
            (Some(invoice), _) => {
                let whole: Vec<_> = invoice.lines.iter().map(|line| line.given.clone()).collect();
                let mut part = vec![self.pick(&whole)];
                match self.rng.u32(0..8) {
                    0..4 => {}
                    4..7 => part[0].unit_price = (part[0].unit_price / Decimal::from(self.rng.i64(2..6))).round_dp(2),
                    _ => part[0].unit_price = Decimal::new(self.rng.i64(1..5_000), 2),
                }
                Some(part)
            }
        };
        let external_id = self.external_id();
        let (any, again) = (self.day(), self.rng.u32(0..10) > 0);
        let date = invoice.filter(|_| again).map_or(any, |invoice| any.max(invoice.date));
        Deed::Credit(NewCreditNote { external_id, invoice_id: id, date, lines, reason: self.text(2) })
    }

    fn money_account(&mut self) -> MoneyAccount {
        self.pick(MoneyAccount::ALL)
    }

    fn pay(&mut self, account: &Account) -> Deed {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = match self.rng.u32(0..10) {
            0 => self.choose(account, |_| true),
            _ => self.choose(account, |id| of(id).sent && account.due_on(id) > 0),
        };
        let due = if id <= last(&account.invoices) { i64::try_from(account.due_on(id)).unwrap() } else { 100 };
        let amount = match self.rng.u32(0..20) {
            0..8 => None,
            8 => Some(due + 1),
            9 => Some(0),
            10 => Some(-self.rng.i64(1..100)),
            11 => Some(due),
            _ => Some(self.rng.i64(1..=due.max(1))),
        };
        Deed::Pay(NewPayment {
            external_id: self.external_id(),
            invoice_id: id,
            date: self.day(),
            amount: amount.map(Cents::new),
            method: self.money_account(),
            reference: self.text(3),
        })
    }

    fn amount(&mut self) -> Cents {
        let amount = match self.rng.u32(0..20) {
            0 => 0,
            1 => 1,
            2..4 => -self.rng.i64(1..50_000),
            _ => self.rng.i64(1..500_000),
        };
        Cents::new(amount)
    }

    fn spend(&mut self) -> Deed {
        let rate = VatRate::from_basis_points(self.pick(&RATES));
        let net = if self.one_in(40) { Cents::new(10_000_000_000_000) } else { self.amount() };
        let vat = match self.rng.u32(0..10) {
            0..3 => PurchaseVat::None,
            3..7 => PurchaseVat::Deductible { rate, vat: Cents::new(self.rng.i64(-500..50_000)) },
            _ => PurchaseVat::ReverseCharged {
                kind: self.pick(&[ReverseChargeKind::Domestic, ReverseChargeKind::OutsideEu, ReverseChargeKind::Eu]),
                rate,
                deductible: self.rng.bool(),
            },
        };
        let cost = AccountCode::new(self.pick(&[4000, 4100, 4110, 4310, 4900, 7000, 200])).unwrap();
        let purchase =
            Purchase { description: "Inkoop".to_owned(), cost, net, vat, paid_from: self.sometimes(2, Self::money_account) };
        Deed::Spend(NewExpense { external_id: self.external_id(), date: self.day(), purchase })
    }

    fn by_hand(&mut self) -> Deed {
        let (amount, place) = (self.amount(), self.money_account());
        let booking = match self.rng.u32(0..5) {
            0 => ManualBooking::PrivateDrawing { amount, from: place },
            1 => ManualBooking::PrivateDeposit { amount, into: place },
            2 => ManualBooking::PrivateUse { base: amount, rate: VatRate::from_basis_points(self.pick(&RATES)) },
            3 => ManualBooking::Depreciation { amount },
            _ => ManualBooking::VatPayment { amount, from: place },
        };
        Deed::Manual(self.day(), booking)
    }

    /// Hours for a day; often just what it still has room for, or a hundredth more.
    fn hours(&mut self, account: &Account, day: Date) -> Hours {
        let (project, logged) = account.hours_on_day(day);
        let room = 2400 - project.get() - logged.get();
        // The first account works enough for the hours criterion.
        let usual = if account.id == self.model.accounts[0].id { self.rng.i64(600..1600) } else { self.rng.i64(1..900) };
        Hours::new(match self.rng.u32(0..12) {
            0 if room > 0 => room,
            1 if room < 2400 => room + 1,
            2 => self.rng.i64(2000..=2400),
            _ => usual,
        })
    }

    fn work(&mut self, account: &Account) -> Deed {
        let day = self.day();
        Deed::Work(NewTimeEntry {
            external_id: self.external_id(),
            project_id: if self.one_in(10) {
                last(&account.projects) + 1
            } else {
                self.rng.i64(1..=last(&account.projects).max(1))
            },
            date: day,
            hours: self.hours(account, day),
            description: "Werk".to_owned(),
        })
    }

    fn log(&mut self, account: &Account) -> Deed {
        let day = self.day();
        Deed::Log(NewLoggedHours {
            external_id: self.external_id(),
            date: day,
            hours: self.hours(account, day),
            description: "Administratie".to_owned(),
            category: self.pick(&CATEGORIES),
        })
    }

    fn any_quarter(&mut self) -> Quarter {
        Quarter::new(self.rng.i16(2025..=2026), self.rng.u8(1..=4)).unwrap()
    }

    fn file(&mut self) -> Deed {
        let today = today(self.now);
        let any = self.any_quarter();
        Deed::File(if self.one_in(3) { Quarter::of(today - self.rng.i64(0..200).days()) } else { any })
    }

    fn reopen(&mut self, account: &Account) -> Deed {
        let filed: Vec<_> = account.filings.iter().filter(|(_, filing)| filing.filed).map(|(quarter, _)| *quarter).collect();
        let any = self.any_quarter();
        Deed::Reopen(if filed.is_empty() || self.one_in(5) { any } else { self.pick(&filed) })
    }
}
