//! Amounts and accounts of an expense.

use crate::{
    books::{Account, Bill, Done, Entry, Money, Posting, at, code, last},
    commands::{Command, Touched, money},
    generate::{Generator, RATES},
    pricing::{fault, fault_at, rounded, vat_of},
};
use ledger::{
    chart::AccountCode,
    entry::SourceType,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use service::{
    Error,
    corrections::IfFiled,
    expenses::{ExpenseLine, NewExpense, NewExpensePayment, Supplier},
};
use std::collections::BTreeMap;

const LIMIT: Money = 9_999_999_999_999;
const DRAWINGS: u16 = 520;

fn cents(amount: Cents) -> Money {
    amount.get().into()
}

/// `amount` × `part` ÷ `whole`, rounded to the cent.
pub(crate) fn rounded_share(amount: Money, part: Money, whole: Money) -> Money {
    rounded(amount * part * whole.signum(), whole.abs())
}

/// Divides VAT proportionally over the accounts on which it was deducted; the last one gets the
/// rounding difference.
pub(crate) fn divided(accounts: &[(u16, Money)], amount: Money) -> Vec<(u16, Money)> {
    let whole: Money = accounts.iter().map(|(_, vat)| vat).sum();
    let mut remaining = amount;
    let part = |(place, (account, vat)): (usize, &(u16, Money))| {
        let last = place + 1 == accounts.len();
        let part = if last {
            remaining
        } else if whole == 0 {
            0
        } else {
            rounded_share(amount, *vat, whole)
        };
        remaining -= part;
        (*account, part)
    };
    accounts.iter().enumerate().map(part).collect()
}

/// Validates the lines: assets need an asset account, other expenses a cost account.
fn faults(lines: &[ExpenseLine], asset: bool) -> Vec<service::Fault> {
    let mut faults = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if (line.category.get() < 4000) != asset {
            faults.push(fault_at(format!("/items/{place}/category"), "unknown_value"));
        }
        if line.treatment == VatTreatment::Normal
            && line.vat.is_some_and(|vat| vat.abs() > line.amount.abs())
        {
            faults.push(fault_at(format!("/items/{place}/vat"), "out_of_range"));
        }
        if line.amount.is_zero() && line.vat.is_none_or(Cents::is_zero) {
            faults.push(fault_at(format!("/items/{place}/amount"), "out_of_range"));
        }
    }
    faults
}

/// Net amount, VAT and supplier's total of a line.
fn amounts(line: &ExpenseLine) -> (Money, Money, Money) {
    let (amount, rate) = (cents(line.amount), line.rate.unwrap());
    match line.treatment {
        VatTreatment::None => (amount, 0, amount),
        VatTreatment::ImportVatPaid => {
            (amount, cents(line.vat.unwrap()), amount + cents(line.vat.unwrap()))
        }
        VatTreatment::Normal => {
            let points = i128::from(rate.basis_points());
            let reckoned = if line.includes_vat {
                rounded(amount * points, 10_000 + points)
            } else {
                vat_of(amount, rate)
            };
            let vat = line.vat.map_or(reckoned, cents);
            let net = if line.includes_vat { amount - vat } else { amount };
            (net, vat, net + vat)
        }
        _ => (amount, vat_of(amount, rate), amount),
    }
}

/// Deducted VAT by account.
pub(crate) type ByAccount = Vec<(u16, Money)>;

/// Postings of a purchase, the VAT to repay if the purchase stays unpaid, and its total and
/// deductible VAT.
pub(crate) type Priced = (Vec<Posting>, ByAccount, (Money, Money));

/// Prices an expense. No VAT is deducted if `kor` is true.
pub(crate) fn postings(command: &NewExpense, asset: bool, kor: bool) -> Result<Priced, Error> {
    let faults = faults(&command.lines, asset);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let share =
        |amount: Money| rounded(amount * i128::from(command.business_share.basis_points()), 10_000);
    let mut booked: BTreeMap<(u16, &'static str), Money> = BTreeMap::new();
    let mut sums = [0; 4];
    let mut repayable: ByAccount = Vec::new();
    for line in &command.lines {
        let (net, vat, charged) = amounts(line);
        if cents(line.amount).abs() > LIMIT {
            return Err(fault("/items", "out_of_range"));
        }
        let category = line.category.get();
        let lost = category == 4315 || kor;
        let deductible = if lost { 0 } else { share(vat) };
        for (sum, add) in sums.iter_mut().zip([net, vat, deductible, charged]) {
            *sum += add;
            if sum.abs() > LIMIT {
                return Err(fault("/items", "out_of_range"));
            }
        }
        let (vat_box, due, input) = match line.treatment {
            VatTreatment::ReverseCharge => ("2a", 1740, 1520),
            VatTreatment::Import => ("4a", 1750, 1520),
            VatTreatment::Eu => ("4b", 1760, 1520),
            VatTreatment::Normal if line.rate.unwrap().basis_points() == 900 => ("", 0, 1510),
            _ => ("", 0, 1500),
        };
        if line.treatment == VatTreatment::Normal {
            match repayable.iter_mut().find(|(account, _)| *account == input) {
                Some((_, sum)) => *sum += deductible,
                None => repayable.push((input, deductible)),
            }
        }
        let mut book =
            |account, vat_box, amount| *booked.entry((account, vat_box)).or_default() += amount;
        book(input, "5b", deductible);
        if due == 0 {
            // VAT on food and drink is a cost, and so is all VAT under the small businesses scheme.
            let cost = if lost { share(net + vat) } else { share(net) };
            book(category, "", cost);
            book(DRAWINGS, "", charged - cost - deductible);
        } else {
            let lost = if deductible == 0 { share(vat) } else { 0 };
            book(category, vat_box, share(net));
            book(DRAWINGS, vat_box, net - share(net));
            book(category, "", lost);
            book(DRAWINGS, "", vat - deductible - lost);
            book(due, vat_box, -vat);
        }
    }
    let total = sums[3];
    let against = command.paid_from.map_or(code::PAYABLES, |place| money(place, -total));
    *booked.entry((against, "")).or_default() -= total;
    Ok((
        booked.into_iter().map(|((account, vat_box), amount)| (account, vat_box, amount)).collect(),
        repayable,
        (sums[1], sums[2]),
    ))
}

impl Account {
    /// Books a purchase on an asset account or on cost accounts; returns its id.
    pub(crate) fn purchase(&mut self, command: &NewExpense, asset: bool) -> Result<i64, Error> {
        let never = self.kor(command.date).is_some();
        let (postings, repayable, (vat, deductible)) = postings(command, asset, never)?;
        let owed = -postings
            .iter()
            .filter(|line| line.0 == code::PAYABLES)
            .map(|line| line.2)
            .sum::<Money>();
        let id = last(&self.expenses) + 1;
        let entry = Entry {
            date: command.date,
            vat_date: command.date,
            description: command.description.clone().unwrap(),
            source: (SourceType::Expense, id),
            reverses: None,
            corrects: None,
            postings,
        };
        let entry = self.book_as(entry, command.if_filed)?;
        self.expenses.push(Done { command: command.clone(), entry });
        self.bills.push(Bill { owed, repayable, vat, deductible, asset, never, ..Bill::default() });
        Ok(id)
    }

    /// Undoes a purchase with its payments.
    pub(crate) fn take_back_purchase(
        &mut self,
        id: i64,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<(), Error> {
        for entry in self.standing((SourceType::Expense, id)) {
            touched.vat_days.insert(at(&self.journal, entry).unwrap().date);
            self.reverse_as(entry, how)?;
        }
        let bill = &mut self.bills[usize::try_from(id - 1).unwrap()];
        (bill.paid, bill.repaid, bill.undone) = (0, 0, true);
        Ok(())
    }
}

impl Generator<'_> {
    pub(crate) fn spend(&mut self) -> Command {
        let mut lines = Vec::new();
        for _ in 0..self.rng.usize(1..=3) {
            let amount =
                if self.one_in(60) { Cents::new(10_000_000_000_000) } else { self.amount() };
            let treatment = self.pick(VatTreatment::ALL);
            let printed = treatment.has_printed_vat()
                && (treatment == VatTreatment::ImportVatPaid || self.one_in(4));
            lines.push(ExpenseLine {
                category: AccountCode::new(
                    self.pick(&[4000, 4100, 4110, 4315, 4900, 7000, 7000, 200]),
                )
                .unwrap(),
                amount,
                treatment,
                rate: Some(VatRate::from_basis_points(self.pick(&RATES))),
                includes_vat: self.rng.bool(),
                vat: printed.then(|| Cents::new(amount.get().signum() * self.rng.i64(1..50_000))),
            });
        }
        Command::Spend(NewExpense {
            external_id: self.external_id(),
            date: self.day(),
            supplier: Supplier::default(),
            description: Some("Inkoop".to_owned()),
            lines,
            paid_from: self.sometimes(2, Self::money_account),
            business_share: BusinessShare::from_basis_points(
                self.pick(&[10_000, 10_000, 7_000, 6_250, 0]),
            )
            .unwrap(),
            receipt_ids: Vec::new(),
            period: service::expenses::Covered::default(),
            bill: service::expenses::Bill::default(),
            if_filed: self.if_filed(),
        })
    }

    pub(crate) fn pay_bill(&mut self, account: &Account) -> Command {
        let expense_id = self.rng.i64(1..=last(&account.bills) + 1);
        let due = at(&account.bills, expense_id).map_or(100, |bill| bill.owed - bill.paid);
        let due = i64::try_from(due).unwrap();
        let amount = match self.rng.u32(0..6) {
            0..3 => None,
            3 => Some(due + 1),
            4 => Some(due / 2),
            _ => Some(self.rng.i64(-100..10_000)),
        };
        Command::PayBill(NewExpensePayment {
            external_id: None,
            expense_id,
            date: self.sometimes(2, Self::day),
            amount: amount.map(Cents::new),
            method: self.money_account(),
            if_filed: self.if_filed(),
        })
    }
}
