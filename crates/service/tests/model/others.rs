//! Payouts by payment providers, and business kilometres with a private vehicle, in the model.

use crate::{
    books::{Account, Done, Entry, Money, Moved, Posting, at, code, last},
    commands::{Command, Made, Touched, UndoneOn, cents, known, two_sided},
    generate::Generator,
    pricing::{fault, fault_at, rounded},
};
use jiff::{ToSpan, civil::Date};
use ledger::{entry::SourceType, money::Cents, payout::FeeVat};
use service::{
    Error, Fault,
    corrections::IfFiled,
    mileage::{self, NewTrip},
    payouts::NewPayout,
};
use store::payments::VatMove;

/// Postings of a payout: account, box, debit less credit.
pub(crate) fn paid_out(command: &NewPayout, kor: bool) -> Vec<Posting> {
    let (amount, fee) = (cents(command.amount), cents(command.fee));
    let by_rate = match command.fee_vat_treatment {
        FeeVat::None => 0,
        FeeVat::Normal => rounded(fee * 21, 121),
        _ => rounded(fee * 21, 100),
    };
    let vat: Money = command.fee_vat.map_or(by_rate, cents);
    // Under the small businesses scheme no VAT is deducted.
    let (high, reverse_charged, deducted) = if kor { (4610, 4610, "") } else { (1500, 1520, "5b") };
    let mut postings = vec![(1100, "", amount), (1130, "", -amount - fee)];
    postings.extend(match command.fee_vat_treatment {
        FeeVat::None | FeeVat::Normal => vec![(4610, "", fee - vat), (high, deducted, vat)],
        FeeVat::ReverseCharge => {
            vec![(4610, "2a", fee), (reverse_charged, deducted, vat), (1740, "2a", -vat)]
        }
        FeeVat::Eu => vec![(4610, "4b", fee), (reverse_charged, deducted, vat), (1760, "4b", -vat)],
        FeeVat::Import => {
            vec![(4610, "4a", fee), (reverse_charged, deducted, vat), (1750, "4a", -vat)]
        }
    });
    postings
}

impl Account {
    pub(crate) fn payout(
        &mut self,
        command: &NewPayout,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        if let Some(id) = known(&self.payouts, command.external_id.as_ref(), |made| {
            made.command.external_id.as_ref()
        }) {
            return Ok(Made::Existing(id));
        }
        let empty = command.amount.is_zero() && command.fee.is_zero();
        let charged = command.fee_vat.filter(|vat| !vat.is_zero()).is_some();
        let wrong = [
            (empty, "/amount", "out_of_range"),
            (charged && command.fee_vat_treatment == FeeVat::None, "/feeVat", "unknown_value"),
            (
                command.fee_vat.is_some_and(|vat| vat > command.fee)
                    && !(charged && command.fee_vat_treatment == FeeVat::None),
                "/feeVat",
                "out_of_range",
            ),
            (command.date > today + 1.day(), "/date", "out_of_range"),
        ];
        let faults: Vec<Fault> = wrong
            .iter()
            .filter(|(wrong, ..)| *wrong)
            .map(|(_, at, code)| fault_at(*at, code))
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = last(&self.payouts) + 1;
        let entry = Entry {
            date: command.date,
            vat_date: command.date,
            description: "Payout of payment provider".to_owned(),
            source: (SourceType::Payout, id),
            reverses: None,
            corrects: None,
            postings: paid_out(command, self.kor(command.date).is_some()),
        };
        let entry = self.book_as(entry, command.if_filed)?;
        self.payouts.push(Moved {
            command: command.clone(),
            entry,
            recovered: 0,
            undone: None,
            vat_move: VatMove::Nothing,
        });
        Ok(Made::New(id))
    }

    pub(crate) fn undo_payout(
        &mut self,
        id: i64,
        (on, how): UndoneOn,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let made = at(&self.payouts, id).cloned().ok_or(Error::NotFound("payout"))?;
        if made.undone.is_some() {
            return Ok(Made::Nothing);
        }
        let day = Self::day_of_undoing(made.command.date, on, today)?;
        touched.vat_days.insert(day);
        let entry = if day == made.command.date {
            self.reverse_as(made.entry, how)?
        } else {
            self.book_as(self.joined(made.entry).reversal(made.entry, day), how)?
        };
        self.payouts[usize::try_from(id - 1).unwrap()].undone = Some(entry);
        Ok(Made::Nothing)
    }

    pub(crate) fn trip(&mut self, command: &NewTrip, touched: &mut Touched) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        if let Some(id) = known(&self.trips, command.external_id.as_ref(), |made| {
            made.command.external_id.as_ref()
        }) {
            return Ok(Made::Existing(id));
        }
        if command.project_id.is_some_and(|id| at(&self.projects, id).is_none()) {
            return Err(fault("/projectId", "unknown_project"));
        }
        let rate = mileage::rate_on(command.date).ok_or_else(|| fault("/date", "out_of_range"))?;
        let amount = rounded(Money::from(command.distance) * cents(rate), 100);
        if amount == 0 {
            return Err(fault("/km", "out_of_range"));
        }
        let id = last(&self.trips) + 1;
        let entry = self.book(Entry {
            date: command.date,
            vat_date: command.date,
            description: format!("Business kilometres: {} – {}", command.from, command.to),
            source: (SourceType::Mileage, id),
            reverses: None,
            corrects: None,
            postings: two_sided(4220, code::PRIVATE_DEPOSITS, amount),
        })?;
        self.trips.push(Done { command: command.clone(), entry });
        Ok(Made::New(id))
    }

    pub(crate) fn undo_trip(&mut self, id: i64, touched: &mut Touched) -> Result<Made, Error> {
        let entry = at(&self.trips, id).ok_or(Error::NotFound("trip"))?.entry;
        if self.journal.iter().any(|booked| booked.reverses == Some(entry)) {
            return Ok(Made::Nothing);
        }
        let day = at(&self.journal, entry).unwrap().date;
        touched.vat_days.insert(day);
        self.reverse_as(entry, IfFiled::Refuse)?;
        Ok(Made::Nothing)
    }
}

impl Generator<'_> {
    pub(crate) fn payout(&mut self) -> Command {
        let fee = self.amount();
        let fee = if self.sometimes(10, |_| ()).is_some() { Cents::ZERO } else { fee };
        let amount = self.amount();
        Command::Payout(NewPayout {
            external_id: self.external_id(),
            date: self.day(),
            amount,
            fee,
            fee_vat_treatment: self.pick(&[
                FeeVat::None,
                FeeVat::Normal,
                FeeVat::ReverseCharge,
                FeeVat::Eu,
                FeeVat::Import,
            ]),
            fee_vat: self.sometimes(4, |draw| Cents::new(draw.rng.i64(0..=fee.get().max(0) + 1))),
            provider: None,
            bank_account: None,
            provider_account: None,
            if_filed: self.if_filed(),
        })
    }

    pub(crate) fn undo_payout(&mut self, account: &Account) -> Command {
        Command::UndoPayout(self.rng.i64(1..=last(&account.payouts) + 1), self.day_of_undoing())
    }

    pub(crate) fn trip(&mut self, account: &Account) -> Command {
        Command::Trip(NewTrip {
            external_id: self.external_id(),
            date: self.day(),
            from: "Utrecht".to_owned(),
            to: self.pick(&["Zwolle", "Gent"]).to_owned(),
            distance: self.sometimes(20, |_| 1).unwrap_or(self.rng.i64(1..50_000)),
            purpose: self.sometimes(2, |_| "Overleg".to_owned()),
            project_id: self.sometimes(4, |draw| draw.rng.i64(1..=last(&account.projects) + 1)),
        })
    }

    pub(crate) fn undo_trip(&mut self, account: &Account) -> Command {
        Command::UndoTrip(self.rng.i64(1..=last(&account.trips) + 1))
    }
}
