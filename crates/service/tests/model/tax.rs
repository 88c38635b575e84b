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
use ledger::{calendar::Quarter, entry::SourceType, vat::VatScheme};
use service::{
    Error, Fault, PeriodError, corrections::IfFiled, vat_payments::NewVatPayment,
    vat_schemes::ChangeScheme,
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
    /// First day of the small businesses scheme, if it applies on a day.
    pub(crate) fn kor(&self, day: Date) -> Option<Date> {
        self.schemes
            .range(..=day)
            .next_back()
            .filter(|(_, scheme)| **scheme == VatScheme::Kor)
            .map(|(from, _)| *from)
    }

    pub(crate) fn change_scheme(&mut self, command: ChangeScheme) -> Result<Made, Error> {
        if command.from != Quarter::of(command.from).first_day() {
            return Err(fault("/from", "out_of_range"));
        }
        let before = self
            .schemes
            .range(..=command.from)
            .next_back()
            .map_or(VatScheme::Normal, |(_, scheme)| *scheme);
        let filed =
            self.filings.keys().filter(|quarter| self.filed(**quarter).is_some()).max().copied();
        if let Some(filed) =
            filed.filter(|filed| *filed >= Quarter::of(command.from) && before != command.scheme)
        {
            return Err(PeriodError::Filed(filed).into());
        }
        self.schemes.insert(command.from, command.scheme);
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
        // An earlier closed year that was not reopened stays closed.
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
        touched.quarters.insert(Quarter::of(command.date));
        let place = known(&self.vat_payments, command.external_id.as_ref(), |paid| {
            paid.command.external_id.as_ref()
        });
        if let Some(paid) = place.and_then(|place| at(&self.vat_payments, place)) {
            return Ok(Made::Existing(paid.id));
        }
        let wrong =
            [(command.amount.is_zero(), "/amount"), (command.date > today + 1.day(), "/date")];
        let faults: Vec<Fault> = wrong
            .iter()
            .filter(|(wrong, _)| *wrong)
            .map(|(_, at)| fault_at(*at, "out_of_range"))
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        self.manual += 1;
        let (id, amount) = (self.manual, cents(command.amount));
        let entry = self.book(Entry {
            date: command.date,
            vat_date: command.date,
            description: if amount < 0 { "VAT refund" } else { "VAT payment" }.to_owned(),
            source: (SourceType::Manual, id),
            reverses: None,
            corrects: None,
            postings: two_sided(code::VAT_SETTLEMENT, money(command.method, -amount), amount),
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
            touched.quarters.insert(Quarter::of(paid.command.date));
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

    pub(crate) fn file(&mut self) -> Command {
        let today = today(self.now);
        let any = self.any_quarter();
        Command::File(if self.one_in(3) {
            Quarter::of(today - self.rng.i64(0..200).days())
        } else {
            any
        })
    }

    pub(crate) fn reopen(&mut self, account: &Account) -> Command {
        let filed: Vec<_> = account
            .filings
            .keys()
            .copied()
            .filter(|quarter| account.filed(*quarter).is_some())
            .collect();
        let any = self.any_quarter();
        Command::Reopen(if filed.is_empty() || self.one_in(5) { any } else { self.pick(&filed) })
    }

    pub(crate) fn pay_vat(&mut self) -> Command {
        Command::PayVat(NewVatPayment {
            external_id: self.external_id(),
            date: self.day(),
            amount: self.amount(),
            method: self.money_account(),
            description: None,
            period: self.sometimes(2, Self::any_quarter),
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
