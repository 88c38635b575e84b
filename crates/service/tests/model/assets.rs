//! Business assets in the model: purchase, monthly depreciation, sale or write-off, and undoing.

use crate::{
    books::{Account, Entry, Money, at, last, netted},
    commands::{Command, Made, Touched, UndoneOn, cents, known, money, two_sided},
    generate::Generator,
    pricing::{fault, fault_at, rounded, vat_of},
    revision::of_sale,
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    chart::AccountCode,
    entry::SourceType,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use service::{
    BookingError, Error, Fault,
    assets::{DisposeAsset, NewAsset},
    corrections::IfFiled,
    expenses::{ExpenseLine, NewExpense, Supplier},
};

/// An asset with its current state.
#[derive(Debug, Clone)]
pub(crate) struct Asset {
    pub(crate) command: NewAsset,
    pub(crate) expense: i64,
    /// Cost including non-deductible VAT.
    pub(crate) cost: Money,
    pub(crate) depreciated: Money,
    pub(crate) until: Option<Date>,
    pub(crate) sold: Option<(Date, Money)>,
    pub(crate) undone: bool,
}

/// Accounts for an asset's accumulated depreciation, depreciation expense, and result on disposal.
fn accounts(of: u16) -> (u16, u16, u16) {
    match of {
        300 => (310, 4510, 4540),
        100 => (110, 4520, 4530),
        _ => (210, 4500, 4530),
    }
}

/// Error of a purchase, with the fields of the asset instead of those of its only line.
fn of_asset(error: Error) -> Error {
    let Error::Invalid(mut faults) = error else { return error };
    for fault in &mut faults {
        fault.path = fault.path.replace("/items/0/", "/");
    }
    Error::Invalid(faults)
}

impl Account {
    fn in_use(&self, id: i64) -> Result<Asset, Error> {
        let asset = at(&self.assets, id).cloned().ok_or(Error::NotFound("asset"))?;
        match (asset.undone, asset.sold) {
            (true, _) => Err(BookingError::AlreadyUndone.into()),
            (false, Some(_)) => Err(BookingError::AlreadyDisposed.into()),
            (false, None) => Ok(asset),
        }
    }

    fn mut_asset(&mut self, id: i64) -> &mut Asset {
        &mut self.assets[usize::try_from(id - 1).unwrap()]
    }

    pub(crate) fn buy(&mut self, command: &NewAsset, touched: &mut Touched) -> Result<Made, Error> {
        touched.vat_days.insert(command.date);
        if let Some(id) = known(&self.assets, command.external_id.as_ref(), |asset| {
            asset.command.external_id.as_ref()
        }) {
            return Ok(Made::Existing(id));
        }
        let residual = cents(command.residual_value);
        let wrong = [
            (![100, 200, 300].contains(&command.account.get()), "/account", "unknown_value"),
            (cents(command.cost) <= 0, "/cost", "out_of_range"),
            (residual < 0 || residual > cents(command.cost), "/residualValue", "out_of_range"),
            (
                command.life_years.is_some_and(|years| !(5..=50).contains(&years)),
                "/lifeYears",
                "out_of_range",
            ),
        ];
        let faults: Vec<Fault> = wrong
            .iter()
            .filter(|(wrong, ..)| *wrong)
            .map(|(_, at, code)| fault_at(*at, code))
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let line = ExpenseLine {
            category: command.account,
            amount: command.cost,
            treatment: command.treatment,
            rate: Some(command.rate.unwrap_or(VatRate::from_basis_points(2100))),
            includes_vat: false,
            vat: command.vat,
        };
        let purchase = NewExpense {
            external_id: None,
            date: command.date,
            supplier: Supplier::default(),
            description: Some(command.description.clone()),
            lines: vec![line],
            paid_from: command.paid_from,
            business_share: BusinessShare::WHOLE,
            receipt_ids: Vec::new(),
            period: service::expenses::Covered::default(),
            bill: service::expenses::Bill::default(),
            if_filed: command.if_filed,
        };
        let expense = self.purchase(&purchase, true).map_err(of_asset)?;
        let entry = self.joined(at(&self.expenses, expense).unwrap().entry);
        // The amount on the asset account includes non-deductible VAT.
        let cost = entry
            .postings
            .iter()
            .filter(|(account, ..)| *account == command.account.get())
            .map(|(.., amount)| amount)
            .sum();
        let command = command.clone();
        self.assets.push(Asset {
            command,
            expense,
            cost,
            depreciated: 0,
            until: None,
            sold: None,
            undone: false,
        });
        Ok(Made::New(last(&self.assets)))
    }

    pub(crate) fn depreciate(
        &mut self,
        id: i64,
        until: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let Asset { command, cost, depreciated, .. } = self.in_use(id)?;
        if until < command.date {
            return Err(fault("/until", "out_of_range"));
        }
        let of = |date: Date| i128::from(date.year()) * 12 + i128::from(date.month());
        let whole = |until: Date| {
            let months = (of(until) - of(command.date) + 1)
                .min(i128::from(command.life_years.unwrap_or(5)) * 12);
            rounded(
                (cost - cents(command.residual_value)) * months,
                i128::from(command.life_years.unwrap_or(5)) * 12,
            )
        };
        // One entry per year, except for closed years.
        let mut days: Vec<Date> =
            (command.date.year()..until.year()).map(|year| date(year, 12, 31)).collect();
        days.retain(|day| self.closed.is_none_or(|closed| day.year() > closed));
        days.push(until);
        let mut so_far = depreciated;
        for day in days {
            if whole(day) <= so_far {
                continue;
            }
            touched.vat_days.insert(day);
            let (accumulated, costs, _) = accounts(command.account.get());
            self.book(Entry {
                date: day,
                vat_date: day,
                description: format!("Depreciation: {}", command.description),
                source: (SourceType::Asset, id),
                reverses: None,
                corrects: None,
                postings: two_sided(costs, accumulated, whole(day) - so_far),
            })?;
            so_far = whole(day);
            let asset = self.mut_asset(id);
            (asset.depreciated, asset.until) = (so_far, Some(day));
        }
        Ok(Made::Nothing)
    }

    pub(crate) fn dispose(
        &mut self,
        id: i64,
        how: &DisposeAsset,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        touched.vat_days.insert(how.date);
        let Asset { command, cost, depreciated, until, .. } = self.in_use(id)?;
        if how.date < until.unwrap_or(command.date).max(command.date) {
            return Err(fault("/date", "out_of_range"));
        }
        let proceeds = cents(how.proceeds);
        if proceeds < 0 {
            return Err(fault("/proceeds", "out_of_range"));
        }
        let kor = self.kor(how.date).is_some();
        if kor && how.rate.is_some_and(|rate| !rate.is_zero()) {
            return Err(fault("/vatRate", "kor_applies"));
        }
        let rate = how.rate.unwrap_or(VatRate::from_basis_points(if kor { 0 } else { 2100 }));
        let vat = vat_of(proceeds, rate);
        let (due, vat_box) = match rate.basis_points() {
            _ if proceeds == 0 => (1700, ""),
            2100 => (1700, "1a"),
            900 => (1710, "1b"),
            _ => (1700, ""),
        };
        let (account, (accumulated, _, result)) =
            (command.account.get(), accounts(command.account.get()));
        let entry = Entry {
            date: how.date,
            vat_date: how.date,
            description: format!("Disposal: {}", command.description),
            source: (SourceType::Asset, id),
            reverses: None,
            corrects: None,
            postings: vec![
                (money(how.into, proceeds + vat), "", proceeds + vat),
                (accumulated, "", depreciated),
                (result, "", cost - depreciated),
                (account, "", -cost),
                (result, vat_box, -proceeds),
                (due, vat_box, -vat),
            ],
        };
        self.book_as(entry, how.if_filed)?;
        if proceeds == 0 {
            let from = how.date.year().max(command.date.year() + 1);
            self.leave_out(id, from, how.if_filed, touched)?;
        } else {
            self.leave_out(id, how.date.year(), how.if_filed, touched)?;
            self.revise_on_sale(id, (how.date, !rate.is_zero()), how.if_filed)?;
        }
        self.mut_asset(id).sold = Some((how.date, proceeds));
        Ok(Made::Nothing)
    }

    fn entries_with(&self, id: i64, words: &str) -> Vec<i64> {
        let mut standing = self.standing((SourceType::Asset, id));
        standing.retain(|id| at(&self.journal, *id).unwrap().description.starts_with(words));
        standing
    }

    /// Whether an asset was sold with VAT.
    pub(crate) fn is_sale_taxed(&self, id: i64) -> bool {
        let has_box = |entry: &i64| {
            let postings = self.joined(*entry).postings;
            postings.iter().any(|(_, vat_box, amount)| !vat_box.is_empty() && *amount != 0)
        };
        self.entries_with(id, "Disposal: ").iter().any(has_box)
    }

    /// Changes the cost of an asset by `lost`: each depreciation from the first that differs is
    /// booked again on its day, and the disposal too.
    pub(crate) fn recost(&mut self, id: i64, lost: Money, how: IfFiled) -> Result<(), Error> {
        let asset = self.mut_asset(id);
        asset.cost += lost;
        let Asset { command, cost, depreciated: before, .. } = asset.clone();
        let (account, (accumulated, costs, result)) =
            (command.account.get(), accounts(command.account.get()));
        let of = |date: Date| i128::from(date.year()) * 12 + i128::from(date.month());
        let whole = |until: Date| {
            let life = i128::from(command.life_years.unwrap_or(5)) * 12;
            let months = (of(until) - of(command.date) + 1).min(life);
            rounded((cost - cents(command.residual_value)) * months, life)
        };
        let (mut so_far, mut last, mut differs) = (0, None, false);
        for entry in self.entries_with(id, "Depreciation: ") {
            let booked = at(&self.journal, entry).unwrap().clone();
            let amount = whole(booked.date) - so_far;
            let postings = two_sided(costs, accumulated, amount);
            differs |= netted(&postings) != netted(&booked.postings);
            if differs && amount == 0 {
                self.reverse_as(entry, how)?;
            } else if differs {
                self.replace_as(entry, Entry { postings, ..booked.clone() }, how)?;
            }
            if amount != 0 {
                (so_far, last) = (whole(booked.date), Some(booked.date));
            }
        }
        let asset = self.mut_asset(id);
        (asset.depreciated, asset.until) = (so_far, last);
        for entry in self.entries_with(id, "Disposal: ") {
            let mut disposal = self.joined(entry);
            disposal.postings.extend([
                (accumulated, "", so_far - before),
                (result, "", lost - so_far + before),
                (account, "", -lost),
            ]);
            self.replace_as(entry, Entry { corrects: None, ..disposal }, how)?;
        }
        Ok(())
    }

    pub(crate) fn revise_vat(
        &mut self,
        id: i64,
        (on, how): UndoneOn,
        today: Date,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        self.in_use(id)?;
        let year = on.unwrap_or(today).year();
        if self.to_revise(id, year) == 0 {
            return Err(fault("/date", "exceeds_outstanding"));
        }
        self.revise(id, year, how, touched)?;
        Ok(Made::Nothing)
    }

    pub(crate) fn undo_asset(
        &mut self,
        id: i64,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<Made, Error> {
        let asset = at(&self.assets, id).cloned().ok_or(Error::NotFound("asset"))?;
        if asset.undone {
            return Ok(Made::Nothing);
        }
        for entry in self.standing((SourceType::Asset, id)) {
            touched.vat_days.insert(at(&self.journal, entry).unwrap().date);
            self.reverse_as(entry, how)?;
        }
        for entry in self.standing(of_sale(id)) {
            self.reverse_as(entry, how)?;
        }
        self.leave_out(id, i16::MIN, how, touched)?;
        self.take_back_purchase(asset.expense, how, touched)?;
        *self.mut_asset(id) =
            Asset { depreciated: 0, until: None, sold: None, undone: true, ..asset };
        Ok(Made::Nothing)
    }
}

impl Generator<'_> {
    pub(crate) fn asset(&mut self, account: &Account) -> Command {
        let id = self.rng.i64(1..=last(&account.assets) + 1);
        let bought = at(&account.assets, id).map(|asset| asset.command.date);
        match self.rng.u32(0..10) {
            0..4 => self.buy(),
            4..6 => {
                let any = self.day();
                Command::Depreciate(
                    id,
                    bought
                        .map_or(any, |bought| any.max(bought) + self.pick(&[0, 0, 31, -60]).days()),
                )
            }
            6 | 7 => Command::Dispose(
                id,
                DisposeAsset {
                    date: self.day(),
                    proceeds: self.sometimes(3, |_| Cents::ZERO).unwrap_or_else(|| self.amount()),
                    rate: self.sometimes(3, |draw| draw.rate()),
                    into: self.money_account(),
                    if_filed: self.if_filed(),
                },
            ),
            _ if self.sometimes(3, |_| ()).is_none() => {
                Command::ReviseVat(id, self.day_of_undoing())
            }
            _ => Command::UndoAsset(id, self.if_filed()),
        }
    }

    fn buy(&mut self) -> Command {
        let cost = self.amount();
        let treatment = self.pick(VatTreatment::ALL);
        let printed = treatment.has_printed_vat()
            && (treatment == VatTreatment::ImportVatPaid || self.sometimes(4, |_| ()).is_some());
        Command::Buy(NewAsset {
            external_id: self.external_id(),
            date: self.day(),
            description: self.pick(&["Laptop", "Bestelauto", "Website"]).to_owned(),
            account: AccountCode::new(self.pick(&[100, 200, 200, 300, 4110])).unwrap(),
            accumulated_account: None,
            depreciation_account: None,
            cost,
            residual_value: self.sometimes(2, |draw| draw.amount()).unwrap_or(Cents::ZERO),
            life_years: self.pick(&[None, Some(5), Some(7), Some(10), Some(50), Some(4)]),
            supplier: Supplier::default(),
            treatment,
            rate: self.sometimes(2, |draw| draw.rate()),
            vat: printed.then(|| Cents::new(self.rng.i64(1..50_000))),
            paid_from: self.sometimes(2, Self::money_account),
            receipt_ids: Vec::new(),
            if_filed: self.if_filed(),
            opening_depreciated: None,
        })
    }
}
