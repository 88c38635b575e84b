//! The model: the books of an account as plain lists, and the figures computed by going through all
//! of them.
//!
//! It is independent of the store and of the product's booking code: the value of an invoice, its
//! accounts and its VAT boxes are implemented a second time, from the contract and the chart.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    calendar::Quarter,
    cash_accounting::VatMethod,
    country::CountryCode,
    discount::Discount,
    entry::SourceType,
    hours::Hours,
    vat::{Supply, VatCategory, VatRate, VatScheme},
    vat_period::{VatPeriod, VatUnit},
};
use service::{
    Error, PeriodError, expenses::NewExpense, hours_log::NewLoggedHours, invoices::LineInput,
    mileage::NewTrip, oss::Register, payments::NewPayment, payouts::NewPayout,
    time_entries::NewTimeEntry, vat_accounting::ChangeMethod, write_offs::NewWriteOff,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{accounts::Plan, contacts::Party, keys::Scopes, payments::VatMove};

/// Amount in cents.
pub(crate) type Money = i128;

/// Accounts of the chart that the model uses directly.
pub(crate) mod code {
    pub(crate) const ACCUMULATED_DEPRECIATION: u16 = 210;
    pub(crate) const PRIVATE_DEPOSITS: u16 = 510;
    pub(crate) const PRIVATE_DRAWINGS: u16 = 520;
    pub(crate) const RECEIVABLES: u16 = 1300;
    pub(crate) const VAT_BEFORE_INVOICE: u16 = 1325;
    pub(crate) const INPUT_VAT_HIGH: u16 = 1500;
    pub(crate) const OTHER_EU_VAT: u16 = 1725;
    pub(crate) const OPEN_VAT: u16 = 1770;
    pub(crate) const OWED_TO_CUSTOMERS: u16 = 1630;
    pub(crate) const PAYABLES: u16 = 1600;
    pub(crate) const VAT_SETTLEMENT: u16 = 1780;
    pub(crate) const VAT_CORRECTIONS: u16 = 1785;
    pub(crate) const VAT_NOT_DEDUCTIBLE: u16 = 4450;
    pub(crate) const DEPRECIATION: u16 = 4500;
    pub(crate) const ROUNDING: u16 = 4990;
    pub(crate) const PRIVATE_USE: u16 = 8900;
}

/// A line of an invoice or credit note.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) given: LineInput,
    pub(crate) category: VatCategory,
    pub(crate) supply: Supply,
    pub(crate) amount: Money,
}

/// Rate, category and, for intra-community supplies and the Union scheme, kind of supply; for the
/// Union scheme also the country that taxes it.
pub(crate) type Group = (VatRate, VatCategory, Option<Supply>, Option<CountryCode>);

/// Totals of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Base and VAT per rate and category.
    pub(crate) groups: BTreeMap<Group, (Money, Money)>,
    pub(crate) subtotal: Money,
    pub(crate) vat: Money,
    pub(crate) total: Money,
}

/// Reason why a date is unusually far from the other dates in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    /// More than 31 days ahead.
    Future,
    /// On or before the last filed day, or before the quarter of the first entry.
    Back,
}

/// An invoice or, when it credits one, a credit note.
#[derive(Debug, Clone)]
pub(crate) struct Invoice {
    pub(crate) external_id: Option<String>,
    pub(crate) credits: Option<i64>,
    pub(crate) number: String,
    pub(crate) sent: bool,
    pub(crate) date: Date,
    pub(crate) due_date: Date,
    /// First and last day of supply.
    pub(crate) supplied: (Option<Date>, Option<Date>),
    /// Date on which the VAT is due.
    pub(crate) vat_date: Date,
    pub(crate) contact: i64,
    pub(crate) customer: Party,
    pub(crate) reference: Option<String>,
    pub(crate) notes: Option<String>,
    /// Discount on all lines.
    pub(crate) discount: Discount,
    pub(crate) lines: Vec<Line>,
    pub(crate) sums: Sums,
    /// Whether it requests payment before the supply.
    pub(crate) prepayment: bool,
    /// Prepayments that it sets off: id of the prepayment invoice, group, and base (negative,
    /// except on a credit note).
    pub(crate) set_off: Vec<(i64, Group, Money)>,
    pub(crate) paid: Money,
    /// Credited amount; positive.
    pub(crate) credited: Money,
    /// Amount written off, less the amount recovered.
    pub(crate) written_off: Money,
    pub(crate) cancelled: bool,
    /// Reason why its date was unusual when it was entered.
    pub(crate) far: Option<Far>,
    pub(crate) paid_at: Option<Date>,
    /// Whether it is an open item of the opening balance, of which only the amount is known.
    pub(crate) opening: bool,
    /// Method of declaring its VAT; that of the invoice on a credit note.
    pub(crate) method: VatMethod,
    /// Payments, write-offs and credit notes, in the order of recording.
    pub(crate) events: Vec<(Date, crate::cash::Event)>,
    /// VAT that was booked under cash accounting when it became due, or was lost.
    pub(crate) changes: crate::cash::Changes,
}

impl Invoice {
    /// Whether the Union scheme declares one of its lines.
    pub(crate) fn has_foreign_vat(&self) -> bool {
        self.sums.groups.keys().any(|(_, category, ..)| *category == VatCategory::Oss)
    }
}

/// A payment or a write-off: the command, the entry that booked it, and the entry that reversed it.
#[derive(Debug, Clone)]
pub(crate) struct Moved<T> {
    pub(crate) command: T,
    pub(crate) entry: i64,
    /// Part of the payment that had been written off.
    pub(crate) recovered: Money,
    pub(crate) undone: Option<i64>,
    /// State of moving the VAT to the date of the payment.
    pub(crate) vat_move: VatMove,
}

/// A payment, an expense or hours: the command, and the entry that booked it.
#[derive(Debug, Clone)]
pub(crate) struct Done<T> {
    pub(crate) command: T,
    pub(crate) entry: i64,
}

/// State of an expense: the supplier's total, the paid amount, and the VAT repaid while it was
/// unpaid.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bill {
    pub(crate) owed: Money,
    pub(crate) paid: Money,
    pub(crate) repaid: Money,
    /// Deducted VAT by account, which has to be repaid if the bill stays unpaid.
    pub(crate) repayable: Vec<(u16, Money)>,
    /// VAT on the expense; `deductible` is the deducted part.
    pub(crate) vat: Money,
    pub(crate) deductible: Money,
    /// Whether it is the purchase of an asset.
    pub(crate) asset: bool,
    pub(crate) undone: bool,
    /// Whether its VAT is not deducted because of the small businesses scheme.
    pub(crate) never: bool,
    /// Whether it is an open item of the opening balance.
    pub(crate) opening: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Project {
    pub(crate) name: String,
    pub(crate) hourly_rate: Option<Money>,
    pub(crate) archived: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    pub(crate) revoked: bool,
    /// Hash under which it is stored.
    pub(crate) hash: [u8; 32],
}

/// A posting: account, box (empty if none), and debit less credit.
pub(crate) type Posting = (u16, &'static str, Money);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) date: Date,
    pub(crate) vat_date: Date,
    pub(crate) description: String,
    pub(crate) source: (SourceType, i64),
    pub(crate) reverses: Option<i64>,
    /// Filed period that it corrects.
    pub(crate) corrects: Option<VatPeriod>,
    pub(crate) postings: Vec<Posting>,
}

/// A box of the return: name, turnover and VAT; an amount is `None` if the form has no field for
/// it.
pub(crate) type VatLine = (&'static str, Option<Money>, Option<Money>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Return {
    pub(crate) lines: Vec<VatLine>,
    pub(crate) payable: Money,
    /// Declared amount in whole euros.
    pub(crate) declared: Money,
}

#[derive(Debug, Clone)]
pub(crate) struct Filing {
    pub(crate) at: Timestamp,
    pub(crate) reopened: Option<Timestamp>,
    pub(crate) entry: i64,
    pub(crate) as_filed: Return,
}

/// Number of drafts, and their revenue, VAT and total.
pub(crate) type Drafts = (i64, Money, Money, Money);

/// Expected counters of a quarter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) entries: i64,
    pub(crate) invoices: i64,
    pub(crate) drafts: Drafts,
    pub(crate) due_drafts: Drafts,
    pub(crate) paid: i64,
    pub(crate) outstanding: Money,
}

/// One account with its books. The id of an item is its position in its list, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) country: CountryCode,
    pub(crate) plan: Plan,
    pub(crate) contacts: Vec<Party>,
    pub(crate) invoices: Vec<Invoice>,
    pub(crate) payments: Vec<Moved<NewPayment>>,
    pub(crate) write_offs: Vec<Moved<NewWriteOff>>,
    pub(crate) expenses: Vec<Done<NewExpense>>,
    /// State of each expense.
    pub(crate) bills: Vec<Bill>,
    pub(crate) payouts: Vec<Moved<NewPayout>>,
    pub(crate) trips: Vec<Done<NewTrip>>,
    pub(crate) manual: i64,
    pub(crate) events: Vec<crate::events::Recorded>,
    pub(crate) projects: Vec<Project>,
    pub(crate) time: Vec<NewTimeEntry>,
    pub(crate) logged: Vec<NewLoggedHours>,
    pub(crate) keys: Vec<Key>,
    pub(crate) journal: Vec<Entry>,
    /// Last closed year.
    pub(crate) closed: Option<i16>,
    pub(crate) closings: Vec<i16>,
    pub(crate) assets: Vec<crate::assets::Asset>,
    /// Booked revision of the VAT on each asset, by year.
    pub(crate) revisions: BTreeMap<i16, BTreeMap<i64, Money>>,
    pub(crate) vat_payments: Vec<crate::tax::Paid>,
    /// Changes of the VAT scheme by first day.
    pub(crate) schemes: BTreeMap<Date, VatScheme>,
    /// Ids of the invoices that ended the small businesses scheme, by day.
    pub(crate) ended_by: BTreeMap<Date, i64>,
    /// Changes of the unit of VAT periods by first day.
    pub(crate) units: BTreeMap<Date, VatUnit>,
    /// Changes of the method of declaring VAT on sales by first day.
    pub(crate) methods: BTreeMap<Date, ChangeMethod>,
    /// Registrations for the Union scheme by first day.
    pub(crate) registrations: BTreeMap<Date, Register>,
    /// All versions of each return of the Union scheme, oldest first.
    pub(crate) oss_filings: BTreeMap<Quarter, Vec<crate::oss::Filed>>,
    /// All versions of each return, oldest first.
    pub(crate) filings: BTreeMap<VatPeriod, Vec<Filing>>,
    /// Last invoice number per year.
    pub(crate) series: BTreeMap<i16, i64>,
}

/// Calendar quarter that contains the given day.
pub(crate) fn quarter_of(day: Date) -> VatPeriod {
    VatPeriod::of(day, VatUnit::Quarter)
}

/// Name of a period in the descriptions of entries.
fn words_of(period: VatPeriod) -> String {
    let day = period.first_day();
    match period.unit() {
        VatUnit::Month => day.strftime("%B %Y").to_string(),
        VatUnit::Quarter => format!("{} quarter {}", day.year(), day.month() / 3 + 1),
        VatUnit::Year => day.year().to_string(),
    }
}

/// Id of a period in the sources of entries.
fn id_of(period: VatPeriod) -> i64 {
    let day = period.first_day();
    let (year, month) = (i64::from(day.year()), i64::from(day.month()));
    match period.unit() {
        VatUnit::Month => year * 100 + month,
        VatUnit::Quarter => year * 10 + month / 3 + 1,
        VatUnit::Year => year,
    }
}

/// Returns the item with the given id; ids count from 1 in list order.
pub(crate) fn at<T>(list: &[T], id: i64) -> Option<&T> {
    list.get(usize::try_from(id).ok()?.checked_sub(1)?)
}

/// Returns the id of the last item of a list.
pub(crate) fn last<T>(list: &[T]) -> i64 {
    i64::try_from(list.len()).unwrap()
}

pub(crate) fn is_vat_due(account: u16) -> bool {
    (1700..=1760).contains(&account)
}

pub(crate) fn is_input_vat(account: u16) -> bool {
    (1500..=1520).contains(&account)
}

/// Postings on the two customer accounts (one for amounts to receive, one for amounts to refund)
/// when the balance of an invoice changes.
pub(crate) fn customers(before: Money, after: Money) -> [Posting; 2] {
    [
        (code::RECEIVABLES, "", after.max(0) - before.max(0)),
        (code::OWED_TO_CUSTOMERS, "", after.min(0) - before.min(0)),
    ]
}

impl Account {
    pub(crate) fn new(id: i64, email: &str, country: CountryCode, plan: Plan) -> Self {
        Self {
            id,
            email: email.to_owned(),
            country,
            plan,
            contacts: Vec::new(),
            invoices: Vec::new(),
            payments: Vec::new(),
            write_offs: Vec::new(),
            expenses: Vec::new(),
            bills: Vec::new(),
            payouts: Vec::new(),
            trips: Vec::new(),
            manual: 0,
            events: Vec::new(),
            projects: Vec::new(),
            time: Vec::new(),
            logged: Vec::new(),
            keys: Vec::new(),
            journal: Vec::new(),
            closed: None,
            closings: Vec::new(),
            assets: Vec::new(),
            revisions: BTreeMap::new(),
            vat_payments: Vec::new(),
            schemes: BTreeMap::new(),
            ended_by: BTreeMap::new(),
            units: BTreeMap::new(),
            methods: BTreeMap::new(),
            registrations: BTreeMap::new(),
            oss_filings: BTreeMap::new(),
            filings: BTreeMap::new(),
            series: BTreeMap::new(),
        }
    }

    /// Number of document records: one for each sent document.
    pub(crate) fn sent_documents(&self) -> i64 {
        i64::try_from(
            self.invoices.iter().filter(|invoice| invoice.sent || invoice.opening).count(),
        )
        .unwrap()
    }

    /// Last id of each sequence, in the order of the store.
    pub(crate) fn last_ids(&self) -> [i64; 16] {
        [
            last(&self.keys),
            last(&self.contacts),
            last(&self.invoices),
            last(&self.payments),
            last(&self.write_offs),
            last(&self.payouts),
            last(&self.expenses),
            0,
            last(&self.assets),
            last(&self.trips),
            self.manual,
            last(&self.projects),
            last(&self.time),
            last(&self.logged),
            last(&self.journal),
            self.sent_documents(),
        ]
    }

    /// Books an entry unchanged, unless its year is closed; returns its id.
    pub(crate) fn book(&mut self, mut entry: Entry) -> Result<i64, Error> {
        if let Some(closed) = self.closed.filter(|closed| entry.date.year() <= *closed) {
            return Err(PeriodError::YearClosed(closed).into());
        }
        tidy(&mut entry.postings);
        assert_eq!(
            entry.postings.iter().map(|(_, _, amount)| amount).sum::<Money>(),
            0,
            "{entry:?}"
        );
        self.journal.push(entry);
        Ok(last(&self.journal))
    }

    /// Books the reversal of an entry on the same date; returns its id.
    fn reverse(&mut self, id: i64, says: &str) -> Result<i64, Error> {
        let old = at(&self.journal, id).unwrap().clone();
        let postings = old
            .postings
            .iter()
            .map(|(account, vat_box, amount)| (*account, *vat_box, -amount))
            .collect();
        self.book(Entry {
            description: format!("{says}: {}", old.description),
            reverses: Some(id),
            postings,
            ..old
        })
    }

    pub(crate) fn is_filed(&self, date: Date) -> bool {
        self.filed(self.period_of(date)).is_some()
    }

    /// Whether any of the postings is in a box of a filed return.
    pub(crate) fn is_declared(&self, date: Date, postings: &[Posting]) -> bool {
        let mut booked = postings.to_vec();
        tidy(&mut booked);
        booked.iter().any(|(_, vat_box, _)| !vat_box.is_empty()) && self.is_filed(date)
    }

    /// Reason why a date is unusually far from the other dates in the books.
    pub(crate) fn far(&self, today: Date, day: Date) -> Option<Far> {
        let filed = self.last_filed_day();
        let first = self.journal.iter().map(|entry| entry.date).min();
        match day > today + 31.days() {
            true => Some(Far::Future),
            false => (filed.is_some_and(|last| day <= last)
                || first.is_some_and(|first| day < quarter_of(first).first_day()))
            .then_some(Far::Back),
        }
    }

    /// Returns the credit notes on an invoice.
    pub(crate) fn notes_on(&self, invoice: i64) -> impl Iterator<Item = &Invoice> {
        self.invoices.iter().filter(move |note| note.credits == Some(invoice))
    }

    /// Unit of VAT periods in force on the given day.
    pub(crate) fn unit_on(&self, day: Date) -> VatUnit {
        self.units.range(..=day).next_back().map_or(VatUnit::Quarter, |(_, unit)| *unit)
    }

    /// VAT period that contains the given day.
    pub(crate) fn period_of(&self, day: Date) -> VatPeriod {
        VatPeriod::of(day, self.unit_on(day))
    }

    /// VAT periods of the account that contain the days from `first` to `last`, in order.
    pub(crate) fn periods(&self, first: Date, last: Date) -> BTreeSet<VatPeriod> {
        let mut day = first;
        let mut periods = BTreeSet::new();
        while day <= last {
            periods.insert(self.period_of(day));
            day = self.period_of(day).last_day() + 1.day();
        }
        periods
    }

    /// Last day of the filed periods.
    pub(crate) fn last_filed_day(&self) -> Option<Date> {
        let filed = self.filings.keys().filter(|period| self.filed(**period).is_some());
        filed.map(|period| period.last_day()).max()
    }

    /// Returns the version of a period's return that is in force, if any.
    pub(crate) fn filed(&self, period: VatPeriod) -> Option<&Filing> {
        self.filings
            .get(&period)
            .and_then(|versions| versions.last())
            .filter(|filing| filing.reopened.is_none())
    }

    /// Balance of an invoice: the amount still to be received, or to be refunded if negative.
    /// Always zero for a credit note.
    pub(crate) fn balance_of(&self, id: i64) -> Money {
        let invoice = at(&self.invoices, id).unwrap();
        if invoice.credits.is_some() || invoice.cancelled {
            return 0;
        }
        invoice.sums.total - invoice.paid - invoice.credited - invoice.written_off
    }

    /// Amount still to be received on an invoice.
    pub(crate) fn due_on(&self, id: i64) -> Money {
        self.balance_of(id).max(0)
    }

    pub(crate) fn hours_on_day(&self, date: Date) -> (Hours, Hours) {
        let on_projects =
            self.time.iter().filter(|entry| entry.date == date).map(|entry| entry.hours).sum();
        (
            on_projects,
            self.logged.iter().filter(|entry| entry.date == date).map(|entry| entry.hours).sum(),
        )
    }

    pub(crate) fn hours_in_year(&self, year: i16) -> (Hours, Hours) {
        let on_projects = self
            .time
            .iter()
            .filter(|entry| entry.date.year() == year)
            .map(|entry| entry.hours)
            .sum();
        (
            on_projects,
            self.logged
                .iter()
                .filter(|entry| entry.date.year() == year)
                .map(|entry| entry.hours)
                .sum(),
        )
    }

    pub(crate) fn hours_on_project(&self, project: i64) -> Hours {
        self.time.iter().filter(|entry| entry.project_id == project).map(|entry| entry.hours).sum()
    }

    /// Postings in a box of a period's return.
    pub(crate) fn boxed_in(&self, period: VatPeriod) -> impl Iterator<Item = &Posting> {
        let due = self.journal.iter().filter(move |entry| period.contains(entry.vat_date));
        due.flat_map(|entry| &entry.postings).filter(|(_, vat_box, _)| !vat_box.is_empty())
    }

    /// Postings booked in a period.
    pub(crate) fn booked_in(&self, period: VatPeriod) -> impl Iterator<Item = &Posting> {
        self.journal
            .iter()
            .filter(move |entry| period.contains(entry.date))
            .flat_map(|entry| &entry.postings)
    }

    pub(crate) fn counts(&self, period: VatPeriod) -> Counts {
        let dated = self.journal.iter().filter(|entry| period.contains(entry.date)).count();
        let mut counts = Counts { entries: i64::try_from(dated).unwrap(), ..Counts::default() };
        for (id, invoice) in
            (1..).zip(&self.invoices).filter(|(_, invoice)| period.contains(invoice.date))
        {
            if invoice.cancelled {
                continue;
            }
            let due = self.due_on(id);
            counts.invoices += 1;
            if !invoice.sent {
                add_draft(&mut counts.drafts, invoice);
            }
            counts.paid += i64::from(
                invoice.credits.is_none() && invoice.sent && due <= 0 && invoice.written_off == 0,
            );
            counts.outstanding += due;
        }
        for invoice in self.invoices.iter().filter(|invoice| {
            !invoice.sent
                && !invoice.cancelled
                && invoice.method == VatMethod::Invoice
                && period.contains(invoice.vat_date)
        }) {
            add_draft(&mut counts.due_drafts, invoice);
        }
        counts
    }

    /// Computes the VAT return of a period.
    pub(crate) fn vat_return(&self, period: VatPeriod) -> Return {
        let mut boxes: BTreeMap<&str, (Money, Money)> = BTreeMap::new();
        for (account, vat_box, debited) in self.boxed_in(period) {
            let (turnover, vat) = boxes.entry(vat_box).or_default();
            match *vat_box {
                _ if is_vat_due(*account) => *vat -= debited,
                _ if is_input_vat(*account) => *vat += debited,
                "2a" | "4a" | "4b" => *turnover += debited,
                _ => *turnover -= debited,
            }
        }
        let (mut lines, mut due, mut declared) = (Vec::new(), 0, 0);
        for name in ["1a", "1b", "1c", "1d", "1e", "2a", "3a", "3b", "3c", "4a", "4b"] {
            let (turnover, vat) = boxes.get(name).copied().unwrap_or_default();
            let asked = !["1e", "3a", "3b", "3c"].contains(&name);
            lines.push((name, Some(turnover), asked.then_some(vat)));
            due += vat;
            declared += euros_down(vat);
        }
        let input = boxes.get("5b").copied().unwrap_or_default().1;
        lines.extend([
            ("5a", None, Some(due)),
            ("5b", None, Some(input)),
            ("5g", None, Some(due - input)),
        ]);
        Return { lines, payable: due - input, declared: declared + euros_down(-input) }
    }

    /// Files a period: clears its VAT accounts to the settlement account, which gets the declared
    /// amount; the difference is booked as rounding.
    pub(crate) fn settle(&mut self, period: VatPeriod, at: Timestamp) -> Result<(), Error> {
        let as_filed = self.vat_return(period);
        let mut standing: BTreeMap<u16, Money> = BTreeMap::new();
        for (account, _, debited) in self.boxed_in(period) {
            if is_vat_due(*account) || is_input_vat(*account) {
                *standing.entry(*account).or_default() += debited;
            }
        }
        let mut postings: Vec<Posting> =
            standing.iter().map(|(account, debited)| (*account, "", -debited)).collect();
        postings.push((code::VAT_SETTLEMENT, "", -100 * as_filed.declared));
        postings.push((
            code::ROUNDING,
            "",
            100 * as_filed.declared + standing.values().sum::<Money>(),
        ));
        let open = self.closed.map(|year| date(year + 1, 1, 1));
        let on = open.map_or(period.last_day(), |day| day.max(period.last_day()));
        let entry = self.book(Entry {
            date: on,
            vat_date: on,
            description: format!("VAT return {}", words_of(period)),
            source: (SourceType::VatFiling, id_of(period)),
            reverses: None,
            corrects: None,
            postings,
        })?;
        self.filings.entry(period).or_default().push(Filing {
            at,
            reopened: None,
            entry,
            as_filed,
        });
        Ok(())
    }

    /// Reopens a filed period.
    pub(crate) fn reopen(&mut self, period: VatPeriod, now: Timestamp) -> Result<(), Error> {
        let entry = self.filed(period).ok_or(PeriodError::NotFiled(period))?.entry;
        self.reverse(entry, "Reopened")?;
        self.filings.get_mut(&period).unwrap().last_mut().unwrap().reopened = Some(now);
        self.take_home(period)
    }

    /// Debit less credit of each account, from the start of the books to the end of a year, and
    /// within that year.
    pub(crate) fn balances(&self, year: i16) -> (BTreeMap<u16, Money>, BTreeMap<u16, Money>) {
        let (mut until, mut within): (BTreeMap<u16, Money>, BTreeMap<u16, Money>) =
            Default::default();
        for entry in self.journal.iter().filter(|entry| entry.date.year() <= year) {
            for (account, _, debited) in &entry.postings {
                *until.entry(*account).or_default() += debited;
                if entry.date.year() == year {
                    *within.entry(*account).or_default() += debited;
                }
            }
        }
        until.retain(|_, amount| *amount != 0);
        within.retain(|_, amount| *amount != 0);
        (until, within)
    }
}

fn add_draft(drafts: &mut Drafts, invoice: &Invoice) {
    let sums = &invoice.sums;
    *drafts = (drafts.0 + 1, drafts.1 + sums.subtotal, drafts.2 + sums.vat, drafts.3 + sums.total);
}

/// Rounds to whole euros, towards minus infinity; input VAT, which is subtracted, is thereby
/// rounded up.
pub(crate) fn euros_down(amount: Money) -> Money {
    amount.div_euclid(100)
}

/// Removes zero postings, unless all postings are zero.
pub(crate) fn tidy(postings: &mut Vec<Posting>) {
    if postings.iter().any(|(_, _, amount)| *amount != 0) {
        postings.retain(|(_, _, amount)| *amount != 0);
    }
    postings.sort_unstable();
}

/// Net amount per account and box, regardless of the number of lines, without zero amounts.
pub(crate) fn netted(postings: &[Posting]) -> Vec<Posting> {
    let mut sorted = postings.to_vec();
    sorted.sort_unstable();
    let mut sums: Vec<Posting> = Vec::new();
    for (account, vat_box, amount) in sorted {
        match sums.last_mut() {
            Some((same, of, sum)) if (*same, *of) == (account, vat_box) => *sum += amount,
            _ => sums.push((account, vat_box, amount)),
        }
    }
    sums.retain(|(_, _, amount)| *amount != 0);
    sums
}
