//! Expenses: purchases and their VAT, booked as costs.

use crate::{Actor, Created, Error, vat_filings};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::{self, Purchase, PurchaseVat, ReverseChargeKind},
    entry::{Source, SourceType},
    money::Cents,
    vat::VatRate,
};
use store::{
    Tx,
    books::{self, Noun},
    expenses::{self as rows, Expense},
};

/// What is needed to record an expense.
#[derive(Debug, Clone)]
pub struct NewExpense {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The date of the purchase; decides the VAT period.
    pub date: Date,
    /// What was bought, from whom it was paid, and how its VAT is treated.
    pub purchase: Purchase,
}

/// Records an expense.
///
/// # Errors
/// The purchase cannot be booked, or its period is filed.
pub fn record(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewExpense) -> Result<Created<Expense>, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        if let Some(external_id) = &command.external_id
            && let Some(known) = rows::by_external_id(tx, actor.account, external_id)?
        {
            return Ok(Created::Known(known));
        }
        let id = books.next_id(Noun::Expense);
        let source = Source { kind: SourceType::Expense, id };
        let entry = booking::expense(source, command.date, &command.purchase)
            .map_err(|error| Error::fault("/net", "out_of_range", error.to_string()))?;
        vat_filings::require_open(tx, actor.account, command.date)?;
        let entry_id = books.append(tx, &entry, now)?;
        let purchase = &command.purchase;
        let (treatment, vat_rate, vat) = vat_columns(purchase);
        let expense = Expense {
            id,
            external_id: command.external_id.clone(),
            date: command.date,
            description: purchase.description.clone(),
            cost_account: purchase.cost,
            net: purchase.net,
            vat_treatment: treatment.to_owned(),
            vat_rate,
            vat,
            paid_from: purchase.paid_from,
            entry_id,
            created_at: now,
        };
        rows::insert(tx, actor.account, &expense)?;
        Ok(Created::New(expense))
    })
}

fn vat_columns(purchase: &Purchase) -> (&'static str, VatRate, Cents) {
    match &purchase.vat {
        PurchaseVat::Deductible { rate, vat } => ("deductible", *rate, *vat),
        PurchaseVat::None => ("none", VatRate::ZERO, Cents::ZERO),
        PurchaseVat::ReverseCharged { kind, rate, .. } => {
            let treatment = match kind {
                ReverseChargeKind::Domestic => "domestic",
                ReverseChargeKind::OutsideEu => "outsideEu",
                ReverseChargeKind::Eu => "eu",
            };
            (treatment, *rate, rate.of(purchase.net))
        }
    }
}
