//! Lines whose rate is left out: the VAT that the customer, the law and the schemes of the account
//! propose ([`ledger::vat_proposal`]).

use super::{Consumer, LineInput, TaxPlace};
use crate::{Context, Error, oss_turnover, vat_schemes};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    customer::VatChoice,
    vat::{Supply, VatCategory, VatRate},
    vat_proposal::{Customer, Proposal, Schemes, propose},
};
use store::Tx;

/// Proposes the VAT of the lines whose rate is left out; the other lines stay unchanged. `id` is the
/// id of an existing draft, and `on` the day of supply.
///
/// A stated category decides between no VAT and the high rate. A line of the Union scheme keeps its
/// rate open, because its country determines it.
pub(super) fn fill(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    (id, on): (Option<i64>, Date),
    inputs: &[LineInput],
) -> Result<Vec<LineInput>, Error> {
    if inputs.iter().all(|input| !input.place.standard_rate) {
        return Ok(inputs.to_vec());
    }
    let schemes = schemes(tx, cx, (id, on))?;
    Ok(inputs.iter().map(|input| filled(cx, customer, schemes, input)).collect())
}

/// Returns the VAT proposed to a customer for an ordinary supply of the account.
///
/// # Errors
/// The storage failed.
pub fn proposal(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    supply: Option<Supply>,
    (id, on): (Option<i64>, Date),
) -> Result<Proposal, Error> {
    let schemes = schemes(tx, cx, (id, on))?;
    Ok(propose(&customer.into(), supply.unwrap_or(cx.actor.sales.supply), None, schemes))
}

fn schemes(tx: &mut Tx<'_>, cx: &Context, (id, on): (Option<i64>, Date)) -> Result<Schemes, Error> {
    Ok(Schemes {
        has_kor: vat_schemes::kor_shown(tx, cx.actor.account, on, id)?.is_some(),
        has_oss: oss_turnover::is_registered(tx, cx.actor.account, on)?,
        on,
    })
}

fn filled(cx: &Context, customer: Consumer, schemes: Schemes, input: &LineInput) -> LineInput {
    let is_foreign = input.place.country.is_some_and(|country| !country.is_dutch());
    if !input.place.standard_rate || is_foreign || input.vat_category == Some(VatCategory::Oss) {
        return input.clone();
    }
    let with = |choice: VatChoice| LineInput {
        vat_rate: choice.rate,
        vat_category: input.vat_category.or(choice.category),
        supply: input.supply.or(choice.supply),
        place: TaxPlace { standard_rate: false, ..input.place },
        ..input.clone()
    };
    let stated = |rate| with(VatChoice { rate, category: None, supply: None });
    match (input.vat_category, input.exemption) {
        (Some(VatCategory::Standard), _) => return stated(VatRate::high_on(schemes.on)),
        (Some(_), _) | (None, Some(_)) => return stated(VatRate::ZERO),
        (None, None) => {}
    }
    // A supply that was handed over in the Netherlands is domestic.
    let is_here = input.place.country.is_some_and(CountryCode::is_dutch);
    let mut customer = Customer::from(customer);
    if is_here {
        customer.buyer = CountryCode::NL.into();
    }
    let supply = input.supply.unwrap_or(cx.actor.sales.supply);
    match propose(&customer, supply, None, schemes) {
        Proposal::Choice(choice) => with(choice),
        Proposal::CountryOfCustomer => input.clone(),
    }
}
