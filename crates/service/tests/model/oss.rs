//! Model of the Union scheme (OSS) for supplies to consumers in other member states: the threshold
//! above which their countries tax them, registrations, lines, and returns.

use crate::{
    books::{Account, Invoice, Line, Money, at},
    commands::{Command, Made, cents, today},
    compare::{ask, context},
    generate::{Generator, RATES},
    kor::day_of,
    pricing::fault_at,
};
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};
use ledger::{
    calendar::Quarter,
    country::CountryCode,
    oss::Ground,
    vat::{Supply, VatCategory, VatRate},
    vat_period::{VatPeriod, VatUnit},
};
use service::{
    Context, Environment, Error, Fault, PeriodError, VatError,
    invoices::{LineInput, TaxPlace},
    oss::{self, Register},
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Store, contacts::Party};

/// Threshold of a year.
const THRESHOLD: Money = 1_000_000;
/// Other member states in which the customers of the model are.
pub(crate) const MEMBER_STATES: [&str; 3] = ["DE", "BE", "FI"];

/// Rates of a member state on a day, the standard rate first.
fn rates(country: &str, day: Date) -> Vec<VatRate> {
    let rates: &[u16] = match country {
        "DE" => &[1900, 700],
        "BE" => &[2100, 1200, 600],
        "FI" if day < date(2026, 1, 1) => &[2550, 1400, 1000],
        "FI" => &[2550, 1350, 1000],
        _ => &[],
    };
    rates.iter().copied().map(VatRate::from_basis_points).collect()
}

fn is_abroad(country: CountryCode) -> bool {
    MEMBER_STATES.contains(&country.as_str())
}

/// Customer of an invoice, as far as the scheme depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Consumer {
    pub(crate) country: CountryCode,
    is_business: bool,
    has_vat_number: bool,
}

impl Consumer {
    pub(crate) fn of_country(country: CountryCode) -> Self {
        Self { country, is_business: false, has_vat_number: false }
    }
}

impl From<&Party> for Consumer {
    fn from(party: &Party) -> Self {
        let has_vat_number = party.vat_number.is_some();
        Self { country: party.country, is_business: is_business(party), has_vat_number }
    }
}

/// Whether a supply is one of goods.
pub(crate) fn is_goods(supply: Supply) -> bool {
    [Supply::Goods, Supply::Triangular].contains(&supply)
}

/// Whether a customer is stated to be a business or, without a statement, has a number.
pub(crate) fn is_business(party: &Party) -> bool {
    match party.kind.as_deref() {
        Some(kind) => kind == "business",
        None => party.vat_number.is_some() || party.kvk_number.is_some(),
    }
}

fn is_counted_kind(supply: Supply) -> bool {
    [Supply::Goods, Supply::Electronic].contains(&supply)
}

/// Whether a line is part of the turnover with consumers in other member states.
fn is_turnover(invoice: &Invoice, line: &Line) -> bool {
    use VatCategory::{Oss, SmallBusiness, Standard, Zero};
    let customer = Consumer::from(&invoice.customer);
    !customer.is_business
        && (line.category == Oss || is_abroad(customer.country))
        && is_counted_kind(line.supply)
        && [Standard, Zero, SmallBusiness, Oss].contains(&line.category)
        && line.given.place.country != Some(CountryCode::NL)
}

/// Whether a line is part of the turnover, but taxed in the Netherlands.
pub(crate) fn counts(invoice: &Invoice, line: &Line) -> bool {
    is_turnover(invoice, line) && line.category != VatCategory::Oss
}

fn counted(invoice: &Invoice) -> Money {
    invoice.lines.iter().filter(|line| is_turnover(invoice, line)).map(|line| line.amount).sum()
}

/// Rates that lines can have in the Netherlands.
fn is_dutch(rate: VatRate) -> bool {
    RATES.contains(&rate.basis_points())
}

/// Faults of the rates of a draft's lines: those that the scheme does not declare need a Dutch rate.
pub(crate) fn unknown_rates(lines: &[LineInput]) -> Vec<Fault> {
    let is_wrong = |line: &LineInput| {
        let is_open = line.place.standard_rate || line.vat_category.is_none();
        !is_open && line.vat_category != Some(VatCategory::Oss) && !is_dutch(line.vat_rate)
    };
    let wrong = lines.iter().enumerate().filter(|(_, line)| is_wrong(line));
    wrong
        .map(|(place, _)| fault_at(format!("/items/{place}/vatRate"), "unknown_vat_rate"))
        .collect()
}

/// Line that the scheme declares, with its country and rate, or the path and code of its fault.
fn declared(
    customer: Consumer,
    line: &LineInput,
    day: Date,
) -> Result<LineInput, (&'static str, &'static str)> {
    if customer.has_vat_number {
        return Err(("vatCategory", "conflicting_fields"));
    }
    let country = match line.place.country {
        Some(CountryCode::NL) => return Err(("taxCountry", "conflicting_fields")),
        Some(country) if !is_abroad(country) => return Err(("taxCountry", "unknown_value")),
        Some(country) => country,
        None if is_abroad(customer.country) => customer.country,
        None => return Err(("taxCountry", "required")),
    };
    let rates = rates(country.as_str(), day);
    let vat_rate = if line.place.standard_rate { rates[0] } else { line.vat_rate };
    if !rates.contains(&vat_rate) {
        return Err(("vatRate", "unknown_vat_rate"));
    }
    let place = TaxPlace { country: Some(country), standard_rate: false };
    Ok(LineInput { vat_rate, vat_category: Some(VatCategory::Oss), place, ..line.clone() })
}

/// Line that is taxed in the Netherlands.
fn dutch(customer: Consumer, line: &LineInput) -> Result<LineInput, (&'static str, &'static str)> {
    match line.place.country {
        Some(country) if country != CountryCode::NL => Err(("taxCountry", "conflicting_fields")),
        _ if line.place.standard_rate => Err(("vatRate", "required")),
        _ if !is_dutch(line.vat_rate) => Err(("vatRate", "unknown_vat_rate")),
        country => {
            let country = country.filter(|_| customer.country != CountryCode::NL);
            let place = TaxPlace { country, standard_rate: false };
            Ok(LineInput { place, ..line.clone() })
        }
    }
}

/// Line of a draft as if entered again: the country and the standard rate follow the customer.
pub(crate) fn as_entered(line: LineInput, draft: &Invoice) -> LineInput {
    let customer = Consumer::from(&draft.customer);
    let own = Some(customer.country).filter(|country| is_abroad(*country));
    let supply = line.supply.unwrap_or(Supply::Services);
    if own != line.place.country || !is_counted_kind(supply) || customer.is_business {
        return line;
    }
    let standard = rates(customer.country.as_str(), day_of(draft))[0];
    let place = TaxPlace { country: None, standard_rate: standard == line.vat_rate };
    LineInput { vat_category: None, place, ..line }
}

/// Filed version of a return.
#[derive(Debug, Clone)]
pub(crate) struct Filed {
    pub(crate) at: Timestamp,
    /// Number of documents at that time.
    documents: usize,
    pub(crate) reopened: Option<Timestamp>,
    pub(crate) content: Declaration,
}

/// Content of a return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// Base and VAT by country, goods or services, and rate.
    pub(crate) rows: BTreeMap<(CountryCode, Supply, VatRate), (Money, Money)>,
    /// VAT by corrected quarter and country.
    pub(crate) corrections: BTreeMap<(Quarter, CountryCode), Money>,
}

impl Declaration {
    /// VAT by quarter and country, given the quarter of the return.
    fn vat(&self, quarter: Quarter) -> BTreeMap<(Quarter, CountryCode), Money> {
        let mut sums = self.corrections.clone();
        for ((country, ..), (_, vat)) in &self.rows {
            *sums.entry((quarter, *country)).or_default() += vat;
        }
        sums
    }

    /// Amount to pay: that of each country to which something is owed.
    pub(crate) fn payable(&self, quarter: Quarter) -> Money {
        let mut by_country: BTreeMap<CountryCode, Money> = BTreeMap::new();
        for ((_, country), vat) in self.vat(quarter) {
            *by_country.entry(country).or_default() += vat;
        }
        by_country.values().map(|vat| (*vat).max(0)).sum()
    }
}

/// Amount of a document that the scheme declares.
struct Part {
    /// Quarter of the supply.
    of: Quarter,
    /// Quarter to which the document belongs.
    within: Quarter,
    row: (CountryCode, Supply, VatRate),
    amounts: (Money, Money),
}

/// First day that a registration can end.
fn earliest_end(from: Date) -> Date {
    date(from.year() + 1, 12, 31)
}

impl Account {
    /// Turnover with consumers abroad in a year in the order of supply: day, id and amount of each
    /// invoice, less its credit notes.
    fn abroad(&self, year: i16) -> Vec<(Date, i64, Money)> {
        let mut sums = Vec::new();
        for (id, invoice) in (1_i64..).zip(&self.invoices) {
            let is_part = invoice.credits.is_none()
                && !invoice.cancelled
                && !invoice.opening
                && day_of(invoice).year() == year;
            if is_part {
                let notes = self.notes_on(id).map(counted).sum::<Money>();
                sums.push((day_of(invoice), id, counted(invoice) + notes));
            }
        }
        sums.sort_unstable();
        sums
    }

    pub(crate) fn abroad_in(&self, year: i16) -> Money {
        self.abroad(year).iter().map(|(.., amount)| amount).sum()
    }

    /// Day and id of the invoice that passes the threshold of a year.
    pub(crate) fn passes_abroad(&self, year: i16) -> Option<(i64, Date)> {
        let mut sum = 0;
        let invoices = self.abroad(year);
        let passing = invoices.iter().find(|(.., amount)| {
            sum += amount;
            sum > THRESHOLD
        });
        passing.map(|(day, id, _)| (*id, *day))
    }

    /// Day from which the tax of the customer's country is due.
    pub(crate) fn obliged_from(&self, year: i16) -> Option<Date> {
        let passing = self.passes_abroad(year - 1).or_else(|| self.passes_abroad(year));
        passing.map(|(_, day)| day)
    }

    /// Whether the turnover up to an invoice is at least 80 % of the threshold, and whether the
    /// threshold was passed, in the year before or by then.
    pub(crate) fn near_the_threshold(&self, id: i64) -> (bool, bool) {
        let day = day_of(at(&self.invoices, id).unwrap());
        let until =
            self.abroad(day.year()).into_iter().filter(|(on, of, _)| (*on, *of) <= (day, id));
        let until: Money = until.map(|(.., amount)| amount).sum();
        let passed = self.abroad_in(day.year() - 1) > THRESHOLD || until > THRESHOLD;
        (!passed && until * 100 >= THRESHOLD * 80, passed)
    }

    /// Whether the scheme is used on a day.
    pub(crate) fn is_registered(&self, day: Date) -> bool {
        let last = self.registrations.range(..=day).next_back();
        last.is_some_and(|(_, of)| of.until.is_none_or(|until| day <= until))
    }

    /// Line whose rate, if it is left out, is the proposed one.
    fn proposed(
        &self,
        customer: Consumer,
        line: &LineInput,
        (day, id): (Date, Option<i64>),
    ) -> LineInput {
        let is_foreign = line.place.country.is_some_and(|country| country != CountryCode::NL);
        if !line.place.standard_rate || is_foreign || line.vat_category == Some(VatCategory::Oss) {
            return line.clone();
        }
        let with = |points: u16, category: Option<VatCategory>| LineInput {
            vat_rate: VatRate::from_basis_points(points),
            vat_category: line.vat_category.or(category),
            place: TaxPlace { standard_rate: false, ..line.place },
            ..line.clone()
        };
        if let Some(category) = line.vat_category {
            return with(if category == VatCategory::Standard { 2100 } else { 0 }, None);
        }
        if line.exemption.is_some() {
            return with(0, None);
        }
        let country = line.place.country.unwrap_or(customer.country);
        let supply = line.supply.unwrap_or(Supply::Services);
        let is_goods = is_goods(supply);
        let is_union = is_abroad(country) && !customer.is_business && is_counted_kind(supply);
        if is_union && self.is_registered(day) {
            return line.clone();
        }
        let has_kor = self.kor_of(day, id).is_some();
        let category = match (country == CountryCode::NL, is_abroad(country)) {
            _ if has_kor && is_goods => Some(VatCategory::Exempt),
            (false, true) if customer.is_business => Some(VatCategory::IntraCommunity),
            (false, false) if is_goods => Some(VatCategory::Export),
            (false, false) if customer.is_business => Some(VatCategory::ServiceOutsideEu),
            _ if has_kor => Some(VatCategory::Exempt),
            _ => return with(2100, None),
        };
        with(0, category)
    }

    /// Fills in the country and the rate of the lines that the scheme declares.
    pub(crate) fn resolve(
        &self,
        customer: Consumer,
        given: &[LineInput],
        (day, id): (Date, Option<i64>),
    ) -> Result<Vec<LineInput>, Error> {
        let (mut lines, mut faults, mut is_used) = (Vec::new(), Vec::new(), false);
        for (place, line) in given.iter().enumerate() {
            let line = &self.proposed(customer, line, (day, id));
            let is_open = line.vat_category.is_none() && line.exemption.is_none();
            let names = line.place.country;
            let is_stated = line.vat_category == Some(VatCategory::Oss)
                || is_open && names.is_some_and(|country| country != CountryCode::NL);
            let by_default = is_open
                && names.is_none()
                && is_abroad(customer.country)
                && !customer.is_business
                && is_counted_kind(line.supply.unwrap_or(Supply::Services))
                && self.is_registered(day);
            is_used |= is_stated || by_default;
            let resolved = if is_stated || by_default {
                declared(customer, line, day)
            } else {
                dutch(customer, line)
            };
            match resolved {
                Ok(line) => lines.push(line),
                Err((field, code)) => {
                    faults.push(fault_at(format!("/items/{place}/{field}"), code))
                }
            }
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if is_used && !self.is_registered(day) {
            return Err(VatError::OssNotRegistered(day).into());
        }
        Ok(lines)
    }

    pub(crate) fn register(&mut self, command: Register) -> Result<Made, Error> {
        let Register { from, ground, until } = command;
        let is_again = self.registrations.get(&from).is_some_and(|of| of.ground == ground);
        if !is_again && self.oss_filed(Quarter::of(from)).is_some() {
            return Err(PeriodError::OssFiled(Quarter::of(from).into()).into());
        }
        let is_known = self.registrations.get(&from).is_some_and(|of| of.ground == Ground::Limit);
        let is_first = match ground {
            Ground::Choice => from == Quarter::of(from).first_day(),
            Ground::Limit => is_known || self.obliged_from(from.year()) == Some(from),
        };
        let wrong = [
            (!is_first, "/from"),
            (until.is_some_and(|until| until < earliest_end(from)), "/until"),
        ];
        let wrong = wrong.iter().filter(|(wrong, _)| *wrong);
        let faults: Vec<Fault> = wrong.map(|(_, path)| fault_at(*path, "out_of_range")).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let before = self.clone();
        self.registrations.insert(from, command);
        for quarter in
            self.oss_filings.keys().filter(|quarter| before.oss_filed(**quarter).is_some())
        {
            let mut days = (0..quarter_days(*quarter)).map(|day| quarter.first_day() + day.days());
            if days.any(|day| before.is_registered(day) != self.is_registered(day)) {
                return Err(PeriodError::OssFiled((*quarter).into()).into());
            }
        }
        Ok(Made::Nothing)
    }

    /// Whether the account has a return of a quarter, or will have one.
    pub(crate) fn has_oss_return(&self, quarter: Quarter, today: Date) -> bool {
        let mut days = (0..quarter_days(quarter)).map(|day| quarter.first_day() + day.days());
        days.any(|day| self.is_registered(day)) || self.oss_quarters(today).contains(&quarter)
    }

    /// Whether an invoice was made after the return of its quarter was filed, and declares VAT of
    /// another member state.
    pub(crate) fn is_after_oss_return(&self, id: i64) -> bool {
        let invoice = at(&self.invoices, id).unwrap();
        let is_declared = invoice.lines.iter().any(|line| line.category == VatCategory::Oss);
        let filed = self.oss_filed(Quarter::of(day_of(invoice)));
        is_declared && filed.is_some_and(|filed| id > i64::try_from(filed.documents).unwrap())
    }

    /// Version of a return in force, if it is filed.
    fn oss_filed(&self, quarter: Quarter) -> Option<&Filed> {
        let last = self.oss_filings.get(&quarter).and_then(|versions| versions.last());
        last.filter(|filed| filed.reopened.is_none())
    }

    /// Amounts on all documents that the scheme declares.
    fn oss_parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for document in self.invoices.iter().filter(|document| !document.cancelled) {
            let invoice = document.credits.map_or(document, |id| at(&self.invoices, id).unwrap());
            let of = Quarter::of(day_of(invoice));
            let within = if document.credits.is_some() { Quarter::of(document.date) } else { of };
            for ((rate, category, supply, country), amounts) in &document.sums.groups {
                if *category == VatCategory::Oss {
                    let row = (country.unwrap(), supply.unwrap(), *rate);
                    parts.push(Part { of, within: within.max(of), row, amounts: *amounts });
                }
            }
        }
        parts
    }

    /// Quarters with a return on a day.
    pub(crate) fn oss_quarters(&self, today: Date) -> BTreeSet<Quarter> {
        let mut quarters: BTreeSet<Quarter> =
            self.oss_parts().iter().map(|part| part.within).collect();
        quarters.extend(self.oss_filings.keys());
        let mut day = self.registrations.keys().next().copied().unwrap_or(Date::MAX);
        while day <= Quarter::of(today).last_day() {
            if self.is_registered(day) {
                quarters.insert(Quarter::of(day));
            }
            day = day.tomorrow().unwrap();
        }
        quarters
    }

    /// All returns on a day: as filed, or the supplies of the quarter, and for each earlier quarter
    /// what its documents now show and earlier returns did not declare.
    pub(crate) fn oss_returns(&self, today: Date) -> BTreeMap<Quarter, Declaration> {
        let parts = self.oss_parts();
        let mut returns: BTreeMap<Quarter, Declaration> = BTreeMap::new();
        for quarter in self.oss_quarters(today) {
            let mut own = Declaration::default();
            for Part { of, within, row, amounts: (base, vat) } in &parts {
                if (*of, *within) == (quarter, quarter) {
                    let sum = own.rows.entry(*row).or_default();
                    *sum = (sum.0 + base, sum.1 + vat);
                } else if *within <= quarter {
                    *own.corrections.entry((*of, row.0)).or_default() += vat;
                }
            }
            for (key, vat) in returns.iter().flat_map(|(earlier, of)| of.vat(*earlier)) {
                *own.corrections.entry(key).or_default() -= vat;
            }
            own.rows.retain(|_, amounts| *amounts != (0, 0));
            own.corrections.retain(|_, vat| *vat != 0);
            let filed = self.oss_filed(quarter).map(|filed| filed.content.clone());
            returns.insert(quarter, filed.unwrap_or(own));
        }
        returns
    }

    fn required_return(&self, period: VatPeriod, now: Timestamp) -> Result<Quarter, Error> {
        let quarter = period.as_quarter();
        let quarter = quarter.filter(|of| self.oss_quarters(today(now)).contains(of));
        quarter.ok_or(Error::NotFound("return of the Union scheme (OSS)"))
    }

    pub(crate) fn file_oss(&mut self, period: VatPeriod, now: Timestamp) -> Result<Made, Error> {
        let quarter = self.required_return(period, now)?;
        if self.oss_filed(quarter).is_some() {
            return Err(PeriodError::OssFiled(period).into());
        }
        if today(now) <= period.last_day() {
            return Err(PeriodError::NotOver(period).into());
        }
        let content = self.oss_returns(today(now))[&quarter].clone();
        let documents = self.invoices.len();
        let filed = Filed { at: now, documents, reopened: None, content };
        self.oss_filings.entry(quarter).or_default().push(filed);
        Ok(Made::Nothing)
    }

    pub(crate) fn reopen_oss(&mut self, period: VatPeriod, now: Timestamp) -> Result<Made, Error> {
        let quarter = self.required_return(period, now)?;
        if self.oss_filed(quarter).is_none() {
            return Err(PeriodError::OssNotFiled(period).into());
        }
        self.oss_filings.get_mut(&quarter).unwrap().last_mut().unwrap().reopened = Some(now);
        Ok(Made::Nothing)
    }
}

/// Compares the registrations, the turnover and the returns of the Union scheme.
pub(crate) fn same_scheme(store: &Store, account: &Account, now: Timestamp) {
    let cx = Context::new(context(account).actor, Environment::at(now));
    let (its, day) = (cx.clone(), today(now));
    let status = ask(store, move |tx| oss::read(tx, &its));
    let reported = status.registrations.iter().map(|of| (of.from, of.ground, of.until));
    let own = account.registrations.values().map(|of| (of.from, of.ground, of.until));
    assert_eq!(reported.collect::<Vec<_>>(), own.collect::<Vec<_>>());
    let years = status.years.map(|of| (of.year, cents(of.counted), of.passed_by));
    let own = [day.year(), day.year() - 1]
        .map(|year| (year, account.abroad_in(year), account.passes_abroad(year)));
    assert_eq!(years, own);
    let reported = (status.is_registered, status.obliged_from);
    assert_eq!(reported, (account.is_registered(day), account.obliged_from(day.year())));
    let returns = ask(store, move |tx| oss::list(tx, &cx, None));
    let own = account.oss_returns(day);
    let quarters = returns.iter().rev().map(|of| of.period.as_quarter().unwrap());
    assert!(quarters.eq(own.keys().copied()));
    for reported in returns {
        let quarter = reported.period.as_quarter().unwrap();
        let content = &own[&quarter];
        assert_eq!(cents(reported.declaration.payable()), content.payable(quarter), "{quarter:?}");
        assert_eq!(declaration(&reported.declaration), *content, "{quarter:?}");
        let versions = reported.versions.iter().map(|(filing, content)| {
            (filing.version, filing.filed_at, filing.reopened_at, declaration(content))
        });
        let filed = account.oss_filings.get(&quarter).into_iter().flatten();
        let own = (1..)
            .zip(filed)
            .map(|(version, of): (i64, _)| (version, of.at, of.reopened, of.content.clone()));
        assert_eq!(versions.collect::<Vec<_>>(), own.collect::<Vec<_>>(), "{quarter:?} as filed");
    }
}

fn declaration(reported: &oss::Declaration) -> Declaration {
    let rows = reported
        .rows
        .iter()
        .map(|of| ((of.country, of.supply, of.rate), (cents(of.base), cents(of.vat))));
    let corrections = reported.corrections.iter();
    let corrections = corrections.map(|of| ((of.quarter, of.country), cents(of.vat)));
    Declaration { rows: rows.collect(), corrections: corrections.collect() }
}

fn quarter_days(quarter: Quarter) -> i32 {
    (quarter.last_day() - quarter.first_day()).get_days() + 1
}

impl Generator<'_> {
    /// Turns lines into supplies of goods or electronic services to a customer in a country: at its
    /// rates, at Dutch rates, or at any rate and place.
    pub(crate) fn abroad(&mut self, lines: &mut [LineInput], country: &str) {
        let (own, how) = (rates(country, today(self.now)), self.rng.u32(0..8));
        for line in lines {
            line.exemption = None;
            line.vat_category = None;
            line.supply = Some(self.pick(&[Supply::Goods, Supply::Electronic]));
            (line.quantity, line.unit_price) = (line.quantity.abs(), line.unit_price.abs());
            if how > 1 {
                line.place.standard_rate = self.one_in(3);
                line.vat_rate = self.pick(&own);
            }
            if how == 2 {
                let other = self.pick(&["NL", "DE", "BE", "FI", "US"]);
                line.place.country = self.sometimes(3, |_| CountryCode::parse(other).unwrap());
                line.vat_category = self.sometimes(3, |_| VatCategory::Oss);
                line.place.standard_rate |= self.one_in(4);
                line.supply = line.supply.filter(|_| !self.one_in(3));
                line.vat_rate = self.sometimes(4, Self::rate).unwrap_or(line.vat_rate);
            }
        }
    }

    /// Draws a registration, in half of the cases one that could end within the run.
    pub(crate) fn register(&mut self, account: &Account) -> Command {
        let (year, quarter) = (self.pick(&[2024, 2024, 2025, 2025, 2026]), self.rng.u8(1..=4));
        let first = Quarter::new(year, quarter).unwrap().first_day();
        let ground = if self.one_in(4) { Ground::Limit } else { Ground::Choice };
        let from = match ground {
            Ground::Choice => first,
            Ground::Limit => account.obliged_from(today(self.now).year()).unwrap_or(first),
        };
        let from = if self.one_in(10) { from + 1.day() } else { from };
        let until = self.sometimes(2, |draw| earliest_end(from) - draw.rng.i64(-1..=0).days());
        let until = if self.one_in(10) { Some(earliest_end(from) - 1.day()) } else { until };
        Command::Register(Register { from, ground, until })
    }

    fn oss_period(&mut self) -> VatPeriod {
        let day = today(self.now) - self.rng.i64(0..300).days();
        let unit = self.sometimes(15, |_| VatUnit::Month).unwrap_or(VatUnit::Quarter);
        VatPeriod::of(day, unit)
    }

    pub(crate) fn file_oss(&mut self, account: &Account) -> Command {
        let known: Vec<Quarter> = account.oss_quarters(today(self.now)).into_iter().collect();
        let any = self.oss_period();
        let period =
            if known.is_empty() || self.one_in(5) { any } else { self.pick(&known).into() };
        if self.one_in(3) { Command::ReopenOss(period) } else { Command::FileOss(period) }
    }

    pub(crate) fn paid_oss_period(&mut self) -> Option<VatPeriod> {
        self.sometimes(4, Self::oss_period)
    }
}
