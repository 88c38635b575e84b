//! Random commands: mostly valid ones, with a good share of invalid ones.

use crate::{
    books::{Account, Group, Invoice, Money, at, last},
    commands::{Command, Model, UndoneOn, today},
    oss::MEMBER_STATES,
    pricing::vat_of,
};
use fastrand::Rng;
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    booking::MoneyAccount,
    country::CountryCode,
    decimal::Decimal,
    discount::Discount,
    hours::Hours,
    money::Cents,
    vat::{Exemption, Supply, VatCategory, VatRate},
};
use service::{
    accounts::OpenAccount,
    contacts::CustomerInput,
    corrections::IfFiled,
    hours_log::{CATEGORIES, NewLoggedHours},
    invoices::{
        CreditedLine, Due, EditInvoice, EditParticulars, InvoiceTerms, LineInput, NewCreditNote,
        NewInvoice, SupplyDays, TaxPlace,
    },
    manual_entries::ManualBooking,
    payments::NewPayment,
    projects::NewProject,
    time_entries::{EditTimeEntry, NewTimeEntry},
    write_offs::NewWriteOff,
};
use store::{
    accounts::Plan,
    contacts::PartialParty,
    invoices::{Particulars, Status},
    keys::Scopes,
    payments::VatMove,
};

/// Maximum number of accounts; the first four exist from the start.
pub(crate) const ACCOUNTS: usize = 5;
/// Country of each account, by position.
pub(crate) const COUNTRIES: [&str; ACCOUNTS] = ["NL", "NL", "BE", "NL", "DE"];
pub(crate) const RATES: [u16; 3] = [2100, 900, 0];

/// A line with this amount, rate and category.
fn part((vat_rate, category, supply, country): Group, amount: Money) -> LineInput {
    // A price is at most a billion; larger amounts are split into a hundred pieces.
    let (quantity, decimals) = if amount.abs() > 100_000_000_000 { (100, 4) } else { (1, 2) };
    let unit_price = Decimal::new(i64::try_from(amount).unwrap(), decimals);
    LineInput {
        description: "Part".to_owned(),
        quantity: quantity.into(),
        unit_price,
        vat_rate,
        vat_category: Some(category),
        exemption: None,
        supply,
        place: TaxPlace { country, standard_rate: false },
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    }
}

/// Categories of generated lines, except that of the Union scheme.
const VAT_CATEGORIES: [VatCategory; 8] = [
    VatCategory::Standard,
    VatCategory::Zero,
    VatCategory::Exempt,
    VatCategory::ReverseCharge,
    VatCategory::IntraCommunity,
    VatCategory::Export,
    VatCategory::ServiceOutsideEu,
    VatCategory::OutOfScope,
];

/// Generator of commands.
pub(crate) struct Generator<'a> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) model: &'a Model,
    pub(crate) now: Timestamp,
    /// Number of external ids to choose from; the smaller it is, the more often they repeat.
    pub(crate) names: u64,
}

impl Generator<'_> {
    pub(crate) fn one_in(&mut self, many: u32) -> bool {
        self.rng.u32(0..many) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(0..from.len())].clone()
    }

    pub(crate) fn sometimes<T>(
        &mut self,
        many: u32,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.one_in(many).then(|| draw(self))
    }

    /// Draws the index of an account, and a command for it.
    // Long: one match over all commands.
    pub(crate) fn draw(&mut self) -> (usize, Command) {
        // The foreign accounts get fewer turns, since they support fewer commands.
        let place = self.pick(&[0, 0, 0, 1, 1, 1, 2, 3, 3, 4]).min(self.model.accounts.len() - 1);
        let account = &self.model.accounts[place];
        // A return is often filed around the end of its period: too early on the last day,
        // successfully on the next.
        let yesterday = today(self.now) - 1.days();
        let period = account.period_of(yesterday);
        if account.period_of(yesterday + 2.days()) != period && self.one_in(4) {
            return (place, Command::File(period));
        }
        if place == 0 && account.registrations.is_empty() && self.one_in(20) {
            return (place, self.register(account));
        }
        let command = match self.rng.u32(0..1000) {
            0..3 => self.open(),
            3..8 => {
                let email = self.email();
                Command::Plan(email, self.pick(&[Plan::Free, Plan::Starter, Plan::Pro]))
            }
            8..16 => {
                let name = self.pick(&["till", " shop ", "", "bank"]).to_owned();
                Command::Key(
                    name,
                    Scopes { read: self.rng.bool(), write: self.rng.bool(), file: self.rng.bool() },
                )
            }
            16..22 => Command::Revoke(self.rng.i64(1..=last(&account.keys) + 1)),
            22..34 => self.payout(),
            34..38 => self.undo_payout(account),
            38..50 => self.trip(account),
            50..54 => self.undo_trip(account),
            54..270 => Command::Invoice(self.invoice()),
            270..300 => Command::Invoice(self.in_advance(account)),
            300..400 => self.edit(account),
            400..530 => self.credit(account),
            530..640 => self.pay(account),
            640..657 => self.undo(account),
            657..660 => self.move_vat(account),
            660..678 => self.write_off(account),
            678..688 => self.undo_write_off(account),
            688..700 => Command::Cancel(
                self.choose(account, |id| !at(&account.invoices, id).unwrap().sent),
                self.if_filed(),
            ),
            700..745 => self.spend(),
            745..763 => self.pay_bill(account),
            763..770 => {
                let id = self.rng.i64(1..=last(&account.expenses) + 1);
                Command::RepayVat(id, self.sometimes(2, Self::day), self.if_filed())
            }
            770..777 => {
                Command::UndoExpense(self.rng.i64(1..=last(&account.expenses) + 1), self.if_filed())
            }
            777..790 => self.asset(account),
            790..810 => self.by_hand(),
            810..826 => self.event(account),
            826..830 => self.opening(),
            830..835 => self.undo_event(account),
            835..845 => Command::Project(NewProject {
                name: self.pick(&["Website", " Advice ", " ", "Course"]).to_owned(),
                hourly_rate: self.sometimes(2, |draw| Cents::new(draw.rng.i64(-500..20_000))),
                ..NewProject::default()
            }),
            845..855 => {
                Command::Archive(self.rng.i64(1..=last(&account.projects) + 1), self.one_in(3))
            }
            855..905 => self.work(account),
            905..917 => self.rework(account),
            917..925 => Command::Unwork(self.rng.i64(1..=last(&account.time) + 1)),
            925..955 => self.log(account),
            955..960 => self.pay_vat(),
            960..962 => self.undo_vat_payment(account),
            962..964 if place == 3 => self.scheme(),
            962..964 => self.unit(),
            964..967 => self.year(account),
            967..973 => self.method(account),
            973..977 => self.register(account),
            977..983 => self.file_oss(account),
            983..994 => self.file(account),
            _ => self.reopen(account),
        };
        (place, command)
    }

    fn email(&mut self) -> String {
        format!("person{}@example.com", self.rng.usize(0..ACCOUNTS + 1))
    }

    fn open(&mut self) -> Command {
        let next = self.model.accounts.len();
        let (email, country) = match (next < ACCOUNTS && self.rng.bool(), self.rng.u32(0..4)) {
            (true, _) => (format!(" Person{next}@Example.com "), COUNTRIES[next]),
            (false, 0) => ("nobody".to_owned(), "NL"),
            (false, _) => (format!("person{}@example.com", self.rng.usize(0..next)), "NL"),
        };
        let name = self.pick(&["Anna", "Bo", "Cas", " "]).to_owned();
        Command::Open(OpenAccount {
            email,
            name,
            country: CountryCode::parse(country).unwrap(),
            plan: Plan::Starter,
            password: None,
        })
    }

    /// Mostly a day in the last few weeks or months, sometimes any day of the two years that a run
    /// covers. Many of these days are in a filed quarter.
    pub(crate) fn day(&mut self) -> Date {
        let today = today(self.now);
        let day = match self.rng.u32(0..10) {
            0 => date(2025, 1, 1) + self.rng.i64(0..730).days(),
            1..4 => today - self.rng.i64(0..100).days(),
            _ => today - self.rng.i64(0..15).days(),
        };
        day.max(date(2025, 1, 1))
    }

    pub(crate) fn external_id(&mut self) -> Option<String> {
        let names = self.names;
        self.sometimes(2, |draw| format!("x-{}", draw.rng.u64(0..names)))
    }

    fn text(&mut self, many: u32) -> Option<String> {
        self.sometimes(many, |draw| {
            draw.pick(&["PO 7", "é — “quoted”", "two\nlines", ""]).to_owned()
        })
    }

    fn customer(&mut self) -> CustomerInput {
        let known_by = self.rng.u32(0..100);
        let name = self
            .pick(&["Bakkerij De Korenaar", "Ångström BV", "O'Brien & Co", "Müller GmbH"])
            .to_owned();
        let country = self.pick(&["NL", "NL", "NL", "DE", "BE", "FI", "US", "GB"]);
        let mut party = PartialParty {
            external_id: (known_by < 40).then(|| Some(format!("c-{}", self.rng.u32(0..12)))),
            name: (5..98).contains(&known_by).then_some(name),
            country: self.sometimes(2, |_| CountryCode::parse(country).unwrap()),
            ..PartialParty::default()
        };
        for (path, detail) in party.details_mut() {
            let text = match path {
                "vatNumber" => {
                    self.sometimes(4, |draw| draw.pick(&["NL123456782B90", "DE136695976"]))
                }
                "email" => self.sometimes(8, |_| "post@example.com"),
                "kvkNumber" => self.sometimes(8, |_| "12345678"),
                "address.postalCode" => self.sometimes(8, |_| "3511 AB"),
                "kind" => self.sometimes(6, |draw| draw.pick(&["business", "consumer"])),
                "language" => self.sometimes(6, |draw| draw.pick(&["nl", "en"])),
                "paymentTermDays" => self.sometimes(6, |draw| draw.pick(&["0", "14", "365"])),
                "emails" => self.sometimes(8, |_| "post@example.com invoice\nb@c.nl quote,thanks"),
                path if path.starts_with("vatDefault.") => None,
                "remindersStopped" => self.sometimes(8, |_| "true"),
                "peppolId" => self.sometimes(8, |_| "0106:12345678"),
                _ => self.sometimes(8, |_| "Utrecht"),
            };
            *detail = text.map(|text| Some(text.to_owned()));
        }
        CustomerInput { contact_id: None, party }
    }

    fn line(&mut self) -> LineInput {
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
            (_, 0) => Some(self.pick(&VAT_CATEGORIES)),
            (0, 1..25) => Some(self.pick(&VAT_CATEGORIES[1..])),
            (_, 25..30) if rate > 0 => Some(VatCategory::Standard),
            _ => None,
        };
        let supply = match self.rng.u32(0..10) {
            0 => Some(Supply::Goods),
            1 => Some(Supply::Services),
            3 => Some(Supply::Electronic),
            2 if vat_category == Some(VatCategory::IntraCommunity) => Some(Supply::Triangular),
            _ => None,
        };
        let exemption = (vat_category == Some(VatCategory::Exempt) && self.one_in(3))
            .then(|| self.pick(Exemption::ALL));
        let description = self.pick(&["Work", "Korting", "Travel"]).to_owned();
        LineInput {
            description,
            quantity,
            unit_price,
            vat_rate: VatRate::from_basis_points(rate),
            vat_category,
            exemption,
            supply,
            place: TaxPlace::default(),
            account: None,
            unit: None,
            discount: self.sometimes(6, |draw| draw.discount(30_000)).unwrap_or_default(),
            credits: None,
            article: None,
        }
    }

    /// A percentage, or an amount of up to `most` cents.
    fn discount(&mut self, most: i64) -> Discount {
        match self.rng.u32(0..10) {
            0..4 => Discount::Percent(Decimal::new(self.rng.i64(0..=1_000_000), 4)),
            4..6 => Discount::Percent(Decimal::new(self.pick(&[5, 10, 25, 100]), 0)),
            6..9 => Discount::Amount(Cents::new(self.rng.i64(1..200))),
            _ => Discount::Amount(Cents::new(self.rng.i64(1..most))),
        }
    }

    /// Days of supply: none half of the time, otherwise mostly some weeks ago, sometimes invalid.
    fn supply_days(&mut self) -> SupplyDays {
        let (first, days) = (self.day() - self.rng.i64(0..60).days(), self.rng.i64(0..50));
        match self.rng.u32(0..12) {
            0..6 => SupplyDays::default(),
            6..9 => SupplyDays { first: Some(first), last: None },
            9..11 => SupplyDays { first: Some(first), last: Some(first + days.days()) },
            _ => SupplyDays { first: self.sometimes(2, |_| first), last: Some(first - 1.days()) },
        }
    }

    fn lines(&mut self) -> Vec<LineInput> {
        let many = if self.one_in(100) { 60 } else { self.rng.usize(1..5) };
        (0..many).map(|_| self.line()).collect()
    }

    /// Lines of a sale that was prepaid in full or in part. The lines have opposite signs, so the
    /// invoice often charges VAT although its total is zero.
    fn set_off(&mut self) -> Vec<LineInput> {
        let (net, rate) =
            (self.rng.i64(1..20_000), VatRate::from_basis_points(self.pick(&[2100, 900])));
        let gross = Money::from(net) + vat_of(net.into(), rate);
        let before = if self.rng.bool() { gross } else { self.rng.i128(1..=gross) };
        vec![
            part((rate, VatCategory::Standard, None, None), net.into()),
            part((VatRate::ZERO, VatCategory::OutOfScope, None, None), -before),
        ]
    }

    /// Lines that credit a share of each rate and category of an invoice, or a few cents of one, so
    /// that rounding differences accumulate over many credit notes.
    fn shares(&mut self, invoice: &Invoice) -> Vec<LineInput> {
        let groups: Vec<_> =
            invoice.sums.groups.iter().map(|(group, (base, _))| (*group, *base)).collect();
        if self.rng.bool() {
            let (group, base) = self.pick(&groups);
            return vec![part(group, base.signum() * self.rng.i128(1..5))];
        }
        let parts = self.rng.i128(1..5);
        groups.into_iter().map(|(group, base)| part(group, base / parts)).collect()
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
        let mut invoice = self.any_invoice();
        if self.one_in(8) {
            let country = self.pick(&MEMBER_STATES);
            invoice.customer = CustomerInput::named("Konsument".to_owned());
            invoice.customer.party.country = Some(CountryCode::parse(country).unwrap());
        }
        let country = invoice.customer.party.country.unwrap_or(CountryCode::NL);
        let is_business = invoice.customer.party.vat_number.is_some();
        let is_abroad = MEMBER_STATES.contains(&country.as_str());
        if is_abroad && self.one_in(if is_business { 20 } else { 2 }) {
            self.abroad(&mut invoice.lines, country.as_str());
        }
        invoice
    }

    fn any_invoice(&mut self) -> NewInvoice {
        NewInvoice {
            if_filed: self.if_filed(),
            external_id: self.external_id(),
            invoice_date: self.day(),
            supply: self.supply_days(),
            status: if self.one_in(3) { Status::Draft } else { Status::Sent },
            customer: self.customer(),
            lines: match self.rng.u32(0..40) {
                0 => vec![LineInput { unit_price: Decimal::ZERO, ..self.line() }],
                1..5 => self.set_off(),
                5..8 => vec![part(
                    (VatRate::from_basis_points(2100), VatCategory::Standard, None, None),
                    self.rng.i64(5..60).into(),
                )],
                _ => self.lines(),
            },
            terms: InvoiceTerms::default(),
            due: self.due(),
            reference: self.text(3),
            notes: self.text(4),
            particulars: Particulars {
                discount: self.sometimes(8, |draw| draw.discount(100_000)).unwrap_or_default(),
                ..Particulars::default()
            },
            language: None,
        }
    }

    /// A prepayment invoice, or a final invoice that sets off a prepayment. The prepayment
    /// sometimes belongs to another customer, or is already set off.
    fn in_advance(&mut self, account: &Account) -> NewInvoice {
        let open: Vec<(i64, &Invoice)> = (1..)
            .zip(&account.invoices)
            .filter(|(_, it)| it.prepayment && it.credits.is_none())
            .collect();
        let mut invoice = NewInvoice { status: Status::Sent, ..self.invoice() };
        if open.is_empty() || self.rng.bool() {
            invoice.terms.prepayment = true;
            return invoice;
        }
        let newest = open.len().saturating_sub(6);
        let (id, prepayment) = self.pick(&open[newest..]);
        invoice.terms.sets_off = vec![id];
        if !self.one_in(10) {
            let customer = &prepayment.customer;
            invoice.customer = CustomerInput::named(customer.name.clone());
            invoice.customer.party.external_id = customer.external_id.clone().map(Some);
            invoice.customer.party.country = Some(customer.country);
            // The prepaid lines are added to the final invoice.
            let again = prepayment.lines.iter().map(|line| LineInput {
                vat_category: Some(line.category),
                exemption: None,
                supply: Some(line.supply),
                ..line.given.clone()
            });
            invoice
                .lines
                .retain(|line| line.unit_price > Decimal::ZERO && line.quantity > Decimal::ZERO);
            invoice.lines.extend(again);
        }
        invoice
    }

    /// Id of an invoice, mostly one for which `fits` is true; sometimes an id that does not exist.
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

    fn edit(&mut self, account: &Account) -> Command {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = if self.one_in(10) {
            self.choose(account, |_| true)
        } else {
            self.choose(account, |id| !of(id).sent)
        };
        let edit = EditInvoice {
            language: None,
            status: self.sometimes(3, |_| Status::Sent),
            invoice_date: self.sometimes(5, Self::day),
            supply_date: self.sometimes(8, |draw| draw.sometimes(2, Self::day)),
            supply_until: self.sometimes(8, |draw| draw.sometimes(2, Self::day)),
            customer: self.sometimes(5, Self::customer),
            lines: self.sometimes(3, Self::lines),
            prices: None,
            prepayment: None,
            sets_off: None,
            due: self.sometimes(5, Self::due),
            reference: self.sometimes(5, |draw| draw.text(2)),
            notes: self.sometimes(5, |draw| draw.text(2)),
            particulars: EditParticulars {
                discount: self.sometimes(8, |draw| draw.discount(100_000)),
                ..EditParticulars::default()
            },
            if_filed: self.if_filed(),
        };
        // A draft with a total of zero is often sent unchanged; it is paid as soon as it is sent.
        let nothing = at(&account.invoices, id).is_some_and(|invoice| invoice.sums.total == 0);
        Command::Edit(
            id,
            if nothing && self.rng.bool() {
                EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() }
            } else {
                edit
            },
        )
    }

    fn credit(&mut self, account: &Account) -> Command {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = match self.rng.u32(0..10) {
            0 => self.choose(account, |_| true),
            1..4 => self.choose(account, |id| account.notes_on(id).next().is_some()),
            4..6 => self.choose(account, |id| {
                of(id).sent && of(id).credits.is_none() && of(id).sums.total.abs() < 100
            }),
            _ => self.choose(account, |id| of(id).sent && of(id).credits.is_none()),
        };
        let invoice = at(&account.invoices, id);
        // Invoices from the opening balance have no lines to draw from. A final invoice is credited
        // in full, which releases its prepayments.
        let lines = match (
            invoice.filter(|of| !of.opening && of.set_off.is_empty()),
            self.rng.u32(0..10),
        ) {
            (None, _) | (_, 0..3) => None,
            (_, 3) => Some(self.lines()),
            (Some(invoice), 4..7) => Some(self.shares(invoice)),
            // Parts of the invoice's own lines.
            (Some(invoice), _) => {
                let whole: Vec<_> = invoice.lines.iter().map(|line| line.given.clone()).collect();
                let place = self.rng.usize(0..whole.len());
                let mut part = vec![whole[place].clone()];
                match self.rng.u32(0..11) {
                    0..2 => {}
                    // A line named by its number, with a part of its quantity or what is left of it.
                    7..10 => {
                        let has_quantity = self.rng.bool();
                        let (number, has_price) =
                            (i64::try_from(place).unwrap() + 1, self.rng.bool());
                        part[0].credits = Some(CreditedLine { number, has_quantity, has_price });
                        part[0].quantity /= Decimal::from(self.rng.i64(1..5));
                        part[0].quantity = part[0].quantity.round_dp(3);
                    }
                    // Part of the quantity, often with fractions of a cent.
                    2..4 => {
                        part[0].quantity =
                            (part[0].quantity / Decimal::from(self.rng.i64(2..5))).round_dp(3)
                    }
                    4..7 => {
                        part[0].unit_price =
                            (part[0].unit_price / Decimal::from(self.rng.i64(2..6))).round_dp(2)
                    }
                    _ => part[0].unit_price = Decimal::new(self.rng.i64(1..5_000), 2),
                }
                Some(part)
            }
        };
        let external_id = self.external_id();
        let any = self.day();
        let date = match (invoice, self.rng.u32(0..10)) {
            (_, 0..2) => None,
            (Some(invoice), 2..9) => Some(any.max(invoice.date)),
            _ => Some(any),
        };
        Command::Credit(NewCreditNote {
            if_filed: self.if_filed(),
            external_id,
            invoice_id: id,
            date,
            lines,
            reason: self.text(2),
        })
    }

    pub(crate) fn money_account(&mut self) -> MoneyAccount {
        self.pick(MoneyAccount::ALL)
    }

    fn pay(&mut self, account: &Account) -> Command {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = match self.rng.u32(0..10) {
            0 => self.choose(account, |_| true),
            1 => self.choose(account, |id| account.balance_of(id) < 0 || of(id).written_off > 0),
            _ => self.choose(account, |id| of(id).sent && account.due_on(id) > 0),
        };
        let balance = if id <= last(&account.invoices) {
            i64::try_from(account.balance_of(id)).unwrap()
        } else {
            100
        };
        let due = balance.max(0);
        let amount = match self.rng.u32(0..20) {
            _ if balance < 0 && self.rng.bool() => Some(-self.rng.i64(1..=-balance)),
            0..8 => None,
            8 => Some(due + 1),
            9 => Some(0),
            10 => Some(-self.rng.i64(1..100)),
            11 => Some(due),
            _ => Some(self.rng.i64(1..=due.max(1))),
        };
        Command::Pay(NewPayment {
            external_id: self.external_id(),
            invoice_id: id,
            date: self.day(),
            amount: amount.map(Cents::new),
            method: self.money_account(),
            reference: self.text(3),
            keeps_surplus: self.one_in(10),
            if_filed: self.if_filed(),
        })
    }

    /// Mostly no explicit date, otherwise one that may be too early.
    pub(crate) fn day_of_undoing(&mut self) -> UndoneOn {
        (self.sometimes(3, Self::day), self.if_filed())
    }

    pub(crate) fn if_filed(&mut self) -> IfFiled {
        if self.one_in(3) { IfFiled::Correct } else { IfFiled::Refuse }
    }

    pub(crate) fn rate(&mut self) -> VatRate {
        VatRate::from_basis_points(self.pick(&RATES))
    }

    fn undo(&mut self, account: &Account) -> Command {
        let id = self.rng.i64(1..=last(&account.payments) + 1);
        let invoice = at(&account.payments, id).map_or(1, |payment| payment.command.invoice_id);
        let invoice = if self.one_in(20) { invoice + 1 } else { invoice };
        Command::Undo((invoice, id), self.day_of_undoing())
    }

    /// Draws a command that moves VAT, mostly for an invoice with VAT that waits to be moved.
    fn move_vat(&mut self, account: &Account) -> Command {
        let waits = |id: i64| account.paid_on(id).any(|paid| paid.vat_move == VatMove::Waiting);
        let id = self.choose(account, waits);
        Command::MoveVat(id, self.if_filed())
    }

    fn write_off(&mut self, account: &Account) -> Command {
        let of = |id: i64| at(&account.invoices, id).unwrap();
        let id = match self.rng.u32(0..10) {
            0 => self.choose(account, |_| true),
            _ => self.choose(account, |id| of(id).sent && account.due_on(id) > 0),
        };
        let due = if id <= last(&account.invoices) {
            i64::try_from(account.due_on(id)).unwrap()
        } else {
            100
        };
        let amount = self.sometimes(2, |draw| draw.rng.i64(1..=due.max(1) + 1));
        Command::WriteOff(NewWriteOff {
            external_id: self.external_id(),
            invoice_id: id,
            date: self.sometimes(2, Self::day),
            amount: amount.map(Cents::new),
            reason: self.text(2),
            if_filed: self.if_filed(),
        })
    }

    fn undo_write_off(&mut self, account: &Account) -> Command {
        let id = self.rng.i64(1..=last(&account.write_offs) + 1);
        let invoice = at(&account.write_offs, id).map_or(1, |made| made.command.invoice_id);
        Command::UndoWriteOff((invoice, id), self.day_of_undoing())
    }

    pub(crate) fn amount(&mut self) -> Cents {
        let amount = match self.rng.u32(0..20) {
            0 => 0,
            1 => 1,
            2..4 => -self.rng.i64(1..50_000),
            _ => self.rng.i64(1..500_000),
        };
        Cents::new(amount)
    }

    fn by_hand(&mut self) -> Command {
        let (amount, place) = (self.amount(), self.money_account());
        let booking = match self.rng.u32(0..4) {
            0 => ManualBooking::PrivateDrawing { amount, from: place },
            1 => ManualBooking::PrivateDeposit { amount, into: place },
            2 => ManualBooking::PrivateUse {
                base: amount,
                rate: VatRate::from_basis_points(self.pick(&RATES)),
            },
            _ => ManualBooking::Depreciation { amount },
        };
        Command::Manual(self.day(), booking)
    }

    /// Hours for a day; sometimes exactly the rest of the day, or a hundredth of an hour more.
    fn hours(&mut self, account: &Account, day: Date) -> Hours {
        let (project, logged) = account.hours_on_day(day);
        let room = 2400 - project.get() - logged.get();
        // The first account logs enough hours to meet the hours criterion.
        let usual = if account.id == self.model.accounts[0].id {
            self.rng.i64(600..1600)
        } else {
            self.rng.i64(1..900)
        };
        Hours::new(match self.rng.u32(0..12) {
            0 if room > 0 => room,
            1 if room < 2400 => room + 1,
            2 => self.rng.i64(2000..=2400),
            _ => usual,
        })
    }

    fn work(&mut self, account: &Account) -> Command {
        let day = self.day();
        Command::Work(NewTimeEntry {
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

    fn rework(&mut self, account: &Account) -> Command {
        let day = self.day();
        let edit = EditTimeEntry {
            external_id: self.sometimes(8, Self::external_id),
            project_id: self.sometimes(2, |draw| draw.rng.i64(1..=last(&account.projects) + 1)),
            date: self.sometimes(2, |_| day),
            hours: self.sometimes(2, |draw| draw.hours(account, day)),
            description: None,
        };
        Command::Rework(self.rng.i64(1..=last(&account.time) + 1), edit)
    }

    fn log(&mut self, account: &Account) -> Command {
        let day = self.day();
        Command::Log(NewLoggedHours {
            external_id: self.external_id(),
            date: day,
            hours: self.hours(account, day),
            description: "Administratie".to_owned(),
            category: self.pick(&CATEGORIES),
        })
    }
}
