//! VAT payments, the small businesses scheme, and closed years in the model.

use crate::{
    books::{Account, Entry, at, code, last},
    commands::{Command, Made, Touched, cents, known, money, today, two_sided},
    generate::Generator,
    pricing::{fault, fault_at},
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    calendar::Quarter,
    entry::SourceType,
    vat::{SchemeReason, VatScheme},
    vat_period::{VatPeriod, VatUnit},
};
use service::{
    Error, Fault, PeriodError, VatError, corrections::IfFiled, scheme_changes::ChangeScheme,
    vat_payments::NewVatPayment, vat_units::ChangeUnit,
};

/// A VAT payment.
#[derive(Debug, Clone)]
pub(crate) struct Paid {
    pub(crate) id: i64,
    pub(crate) command: NewVatPayment,
    entry: i64,
    pub(crate) undone: bool,
}

impl Account {
    /// First day of the small businesses scheme if that scheme applies on `day`.
    pub(crate) fn kor(&self, day: Date) -> Option<Date> {
        self.schemes
            .range(..=day)
            .next_back()
            .filter(|(_, scheme)| **scheme == VatScheme::Kor)
            .map(|(from, _)| *from)
    }

    pub(crate) fn change_scheme(&mut self, command: ChangeScheme) -> Result<Made, Error> {
        if command.scheme == VatScheme::Normal {
            if command.from != Quarter::of(command.from).first_day() {
                return Err(fault("/from", "out_of_range"));
            }
        } else if command.from != self.period_of(command.from).first_day() {
            return Err(fault("/from", "out_of_range"));
        } else if self.is_barred(command.from) {
            return Err(fault("/from", "kor_barred"));
        }
        let before = self
            .schemes
            .range(..=command.from)
            .next_back()
            .map_or(VatScheme::Normal, |(_, scheme)| *scheme);
        if before != command.scheme {
            self.require_unfiled(command.from)?;
        }
        if command.scheme == VatScheme::Kor
            && let Some(error) = self.in_the_way(command.from)
        {
            return Err(error.into());
        }
        self.schemes.insert(command.from, command.scheme);
        self.ended_by.remove(&command.from);
        self.rebook_purchases(command.from, IfFiled::Refuse)?;
        Ok(Made::Nothing)
    }

    /// Rejects a change from `from` if the return for that day or a later one has been filed.
    pub(crate) fn require_unfiled(&self, from: Date) -> Result<(), Error> {
        let filed = self.filings.keys().filter(|period| self.filed(**period).is_some()).max();
        match filed.filter(|filed| filed.last_day() >= from) {
            Some(filed) => Err(PeriodError::SettingFiled(*filed).into()),
            None => Ok(()),
        }
    }

    /// Changes the unit of VAT periods.
    pub(crate) fn change_unit(&mut self, command: ChangeUnit) -> Result<Made, Error> {
        let mut changed = self.units.clone();
        changed.insert(command.from, command.unit);
        let mut before = VatUnit::Quarter;
        for (from, unit) in &changed {
            let longest = *unit.max(&before);
            let is_first = match longest {
                VatUnit::Year => from.month() == 1,
                VatUnit::Quarter => [1, 4, 7, 10].contains(&from.month()),
                VatUnit::Month => true,
            };
            if from.day() != 1 || !is_first {
                return Err(fault("/from", "out_of_range"));
            }
            before = *unit;
        }
        if changed != self.units {
            self.require_unfiled(command.from)?;
        }
        self.units = changed;
        Ok(Made::Nothing)
    }

    pub(crate) fn close_year(&mut self, year: i16, today: Date) -> Result<Made, Error> {
        if self.closed.is_some_and(|closed| year <= closed) {
            return Err(PeriodError::YearClosed(year).into());
        }
        if today <= date(year, 12, 31) {
            return Err(PeriodError::YearNotOver(year).into());
        }
        self.closings.push(year);
        self.closed = Some(year);
        Ok(Made::Nothing)
    }

    pub(crate) fn reopen_year(&mut self, year: i16) -> Result<Made, Error> {
        match self.closed {
            Some(closed) if closed > year => return Err(PeriodError::YearClosed(closed).into()),
            Some(closed) if closed == year => {}
            _ => return Err(PeriodError::YearNotClosed(year).into()),
        }
        // If an earlier year is still closed, that is now the last closed year.
        self.closings.retain(|closed| *closed != year);
        self.closed = self.closings.iter().copied().max();
        Ok(Made::Nothing)
    }

    pub(crate) fn pay_vat(
        &mut self,
        command: &NewVatPayment,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        let place = known(&self.vat_payments, command.external_id.as_ref(), |paid| {
            paid.command.external_id.as_ref()
        });
        if let Some(paid) = place.and_then(|place| at(&self.vat_payments, place)) {
            return Ok(Made::Existing(paid.id));
        }
        let oss = command.oss_period;
        let wrong = [
            (command.amount.is_zero(), "/amount", "out_of_range"),
            (command.date > today + 1.day(), "/date", "out_of_range"),
            (oss.is_some() && command.period.is_some(), "/ossPeriod", "conflicting_fields"),
            (oss.is_some_and(|of| of.as_quarter().is_none()), "/ossPeriod", "invalid_format"),
        ];
        let faults: Vec<Fault> = wrong
            .iter()
            .filter(|(wrong, ..)| *wrong)
            .map(|(_, at, code)| fault_at(*at, code))
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let quarter = oss.and_then(VatPeriod::as_quarter);
        if let Some(quarter) = quarter.filter(|quarter| !self.has_oss_return(*quarter, today)) {
            return Err(VatError::OssNotRegistered(quarter.first_day()).into());
        }
        self.manual += 1;
        let (id, amount) = (self.manual, cents(command.amount));
        let debt = if oss.is_some() { code::OTHER_EU_VAT } else { code::VAT_SETTLEMENT };
        let entry = self.book(Entry {
            date: command.date,
            vat_date: command.date,
            description: if amount < 0 { "VAT refund" } else { "VAT payment" }.to_owned(),
            source: (SourceType::Manual, id),
            reverses: None,
            corrects: None,
            postings: two_sided(debt, money(command.method, -amount), amount),
        })?;
        self.vat_payments.push(Paid { id, command: command.clone(), entry, undone: false });
        Ok(Made::New(id))
    }

    pub(crate) fn undo_vat_payment(
        &mut self,
        id: i64,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let place = self
            .vat_payments
            .iter()
            .position(|paid| paid.id == id)
            .ok_or(Error::NotFound("VAT payment"))?;
        let paid = self.vat_payments[place].clone();
        if !paid.undone {
            touched.vat_days.insert(paid.command.date);
            self.reverse_as(paid.entry, IfFiled::Refuse)?;
            self.vat_payments[place].undone = true;
        }
        Ok(Made::Nothing)
    }
}

impl Generator<'_> {
    fn any_quarter(&mut self) -> Quarter {
        Quarter::new(self.rng.i16(2025..=2026), self.rng.u8(1..=4)).unwrap()
    }

    fn any_period(&mut self) -> VatPeriod {
        let unit = self.pick(&[VatUnit::Month, VatUnit::Quarter, VatUnit::Quarter, VatUnit::Year]);
        VatPeriod::of(self.any_quarter().first_day(), unit)
    }

    /// Draws a change of unit, mostly from the first day of the next quarter.
    pub(crate) fn unit(&mut self) -> Command {
        let next = Quarter::of(today(self.now)).next().first_day();
        let from = if self.one_in(3) { self.any_quarter().first_day() } else { next };
        let from = from + self.sometimes(8, |_| 1).unwrap_or(0).months();
        Command::Unit(ChangeUnit { unit: self.pick(VatUnit::ALL), from })
    }

    pub(crate) fn file(&mut self, account: &Account) -> Command {
        let today = today(self.now);
        let any = self.any_period();
        Command::File(if self.one_in(3) {
            account.period_of(today - self.rng.i64(0..200).days())
        } else {
            any
        })
    }

    pub(crate) fn reopen(&mut self, account: &Account) -> Command {
        let filed: Vec<_> = account
            .filings
            .keys()
            .copied()
            .filter(|period| account.filed(*period).is_some())
            .collect();
        let any = self.any_period();
        Command::Reopen(if filed.is_empty() || self.one_in(5) { any } else { self.pick(&filed) })
    }

    pub(crate) fn pay_vat(&mut self) -> Command {
        Command::PayVat(NewVatPayment {
            external_id: self.external_id(),
            date: self.day(),
            amount: self.amount(),
            method: self.money_account(),
            description: None,
            period: self.sometimes(2, Self::any_period),
            oss_period: self.paid_oss_period(),
        })
    }

    pub(crate) fn undo_vat_payment(&mut self, account: &Account) -> Command {
        let paid: Vec<i64> = account
            .vat_payments
            .iter()
            .map(|paid| paid.id)
            .chain([last(&account.journal)])
            .collect();
        Command::UndoVatPayment(self.pick(&paid))
    }

    /// Draws a change of scheme; one account enters and leaves the small businesses scheme.
    pub(crate) fn scheme(&mut self) -> Command {
        let from = self.any_quarter().first_day() + self.sometimes(8, |_| 1).unwrap_or(0).days();
        Command::Scheme(ChangeScheme {
            scheme: self.pick(&[VatScheme::Kor, VatScheme::Normal]),
            from,
            because: SchemeReason::Choice,
            notified_on: None,
        })
    }

    /// Draws the closing or reopening of a year. A closed year is soon reopened, since it rejects
    /// most commands.
    pub(crate) fn year(&mut self, account: &Account) -> Command {
        let year = self.pick(&[2024, 2025, 2025, 2026]);
        match account.closed {
            Some(closed) if self.sometimes(4, |_| ()).is_none() => Command::ReopenYear(closed),
            None if self.sometimes(3, |_| ()).is_none() => Command::CloseYear(year),
            _ => Command::ReopenYear(year),
        }
    }
}
