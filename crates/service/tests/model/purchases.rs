//! What an expense comes to, and where it is booked.

use crate::{
    books::{Money, Posting, code},
    commands::money,
    pricing::{fault, fault_at, rounded, vat_of},
};
use ledger::{money::Cents, purchase::VatTreatment};
use service::{
    Error,
    expenses::{ExpenseLine, NewExpense},
};
use std::collections::BTreeMap;

const LIMIT: Money = 9_999_999_999_999;
const DRAWINGS: u16 = 520;

fn cents(amount: Cents) -> Money {
    amount.get().into()
}

/// What is wrong with the lines; an account of assets is none of costs.
fn faults(lines: &[ExpenseLine]) -> Vec<service::Fault> {
    let mut faults = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if line.category.get() < 4000 {
            faults.push(fault_at(format!("/items/{place}/category"), "unknown_value"));
        }
        if line.amount.is_zero() && line.vat.is_none_or(Cents::is_zero) {
            faults.push(fault_at(format!("/items/{place}/amount"), "out_of_range"));
        }
    }
    faults
}

/// Net, VAT and what the supplier asks for a line.
fn amounts(line: &ExpenseLine) -> (Money, Money, Money) {
    let (amount, rate) = (cents(line.amount), line.rate.unwrap());
    match line.treatment {
        VatTreatment::None => (amount, 0, amount),
        VatTreatment::ImportVatPaid => (amount, cents(line.vat.unwrap()), amount + cents(line.vat.unwrap())),
        VatTreatment::Normal => {
            let points = i128::from(rate.basis_points());
            let reckoned = if line.includes_vat { rounded(amount * points, 10_000 + points) } else { vat_of(amount, rate) };
            let vat = line.vat.map_or(reckoned, cents);
            let net = if line.includes_vat { amount - vat } else { amount };
            (net, vat, net + vat)
        }
        _ => (amount, vat_of(amount, rate), amount),
    }
}

/// The postings of an expense.
pub(crate) fn postings(command: &NewExpense) -> Result<Vec<Posting>, Error> {
    let faults = faults(&command.lines);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let share = |amount: Money| rounded(amount * i128::from(command.business_share.basis_points()), 10_000);
    let mut booked: BTreeMap<(u16, &'static str), Money> = BTreeMap::new();
    let mut sums = [0; 4];
    for line in &command.lines {
        let (net, vat, charged) = amounts(line);
        if cents(line.amount).abs() > LIMIT {
            return Err(fault("/items", "out_of_range"));
        }
        let category = line.category.get();
        let deductible = if category == 4315 { 0 } else { share(vat) };
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
        let mut book = |account, vat_box, amount| *booked.entry((account, vat_box)).or_default() += amount;
        book(input, "5b", deductible);
        if due == 0 {
            // Of food and drink all is cost.
            let cost = if category == 4315 { share(net + vat) } else { share(net) };
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
    Ok(booked.into_iter().map(|((account, vat_box), amount)| (account, vat_box, amount)).collect())
}
