//! Answers of Mollie, read into values of the ledger. Fields and states that this program does not
//! use are ignored; amounts are exact decimals.

use crate::{CreatedPayment, MollieError, Settlements, is_id};
use jiff::Timestamp;
use ledger::{
    decimal::{self, Decimal},
    money::Cents,
    money_account::MoneyAccount,
    provider_payment::{
        BackState, FetchedBack, FetchedPayment, FetchedSettlement, GivenBackKind, ProviderStatus,
        SettledPart, SettlementStatus,
    },
};
use serde::{Deserialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use url::Url;

#[derive(Deserialize)]
struct Amount {
    currency: String,
    value: String,
}

impl Amount {
    /// Exact number of euros; `None` in another currency.
    fn euros(&self) -> Result<Option<Decimal>, MollieError> {
        if self.currency != "EUR" {
            return Ok(None);
        }
        decimal::parse(&self.value).map(Some).map_err(|error| unreadable("value", error))
    }

    /// Whole cents; `None` in another currency.
    fn cents(&self) -> Result<Option<Cents>, MollieError> {
        let Some(euros) = self.euros()? else { return Ok(None) };
        if euros.normalize().scale() > 2 {
            return Err(unreadable("value", "parts of a cent"));
        }
        decimal::to_cents(&euros).map(Some).map_err(|error| unreadable("value", error))
    }

    /// Whole cents in euros.
    fn euro_cents(&self) -> Result<Cents, MollieError> {
        self.cents()?.ok_or_else(|| unreadable("currency", &self.currency))
    }
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

#[derive(Deserialize, Default)]
struct Links {
    checkout: Option<Link>,
    next: Option<Link>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    id: String,
    status: String,
    amount: Amount,
    method: Option<String>,
    paid_at: Option<Timestamp>,
    #[serde(rename = "_links", default)]
    links: Links,
    #[serde(rename = "_embedded", default)]
    embedded: Backs,
}

#[derive(Deserialize, Default)]
struct Backs {
    #[serde(default)]
    refunds: Vec<Refund>,
    #[serde(default)]
    chargebacks: Vec<Chargeback>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refund {
    id: String,
    status: String,
    amount: Amount,
    created_at: Timestamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chargeback {
    id: String,
    amount: Amount,
    created_at: Timestamp,
    reversed_at: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settlement {
    id: String,
    reference: Option<String>,
    status: String,
    amount: Amount,
    settled_at: Option<Timestamp>,
    #[serde(default, deserialize_with = "periods")]
    periods: BTreeMap<String, BTreeMap<String, Period>>,
}

#[derive(Deserialize)]
struct Period {
    #[serde(default)]
    costs: Vec<Cost>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cost {
    amount_net: Amount,
    amount_vat: Option<Amount>,
    amount_gross: Amount,
}

/// Periods of a settlement; PHP writes an empty collection as a list.
fn periods<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, BTreeMap<String, Period>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Periods {
        Some(BTreeMap<String, BTreeMap<String, Period>>),
        None([(); 0]),
    }
    Ok(match Option::<Periods>::deserialize(deserializer)? {
        Some(Periods::Some(periods)) => periods,
        Some(Periods::None([])) | None => BTreeMap::new(),
    })
}

#[derive(Deserialize)]
struct List {
    #[serde(rename = "_embedded")]
    embedded: BTreeMap<String, Vec<serde_json::Value>>,
    #[serde(rename = "_links", default)]
    links: Links,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    id: String,
    amount: Amount,
    /// Missing in payments themselves.
    payment_id: Option<String>,
}

fn unreadable(field: &str, why: impl std::fmt::Display) -> MollieError {
    MollieError::Unreadable(format!("{field}: {why}"))
}

fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, MollieError> {
    serde_json::from_slice(body).map_err(|error| MollieError::Unreadable(error.to_string()))
}

fn value<T: DeserializeOwned>(value: serde_json::Value) -> Result<T, MollieError> {
    serde_json::from_value(value).map_err(|error| MollieError::Unreadable(error.to_string()))
}

fn id(prefix: &str, text: String) -> Result<String, MollieError> {
    if is_id(prefix, &text) { Ok(text) } else { Err(unreadable("id", format_args!("{text:?}"))) }
}

/// Reads a payment that was created.
pub(crate) fn created(body: &[u8]) -> Result<CreatedPayment, MollieError> {
    let payment: Payment = json(body)?;
    let checkout = payment.links.checkout.ok_or_else(|| unreadable("_links", "no checkout"))?;
    Ok(CreatedPayment { id: id("tr_", payment.id)?, checkout_url: checkout.href })
}

/// Reads a payment with its refunds and chargebacks.
pub(crate) fn payment(body: &[u8]) -> Result<FetchedPayment, MollieError> {
    let payment: Payment = json(body)?;
    // Statuses may be added; an unknown one is not final.
    let status = ProviderStatus::parse(&payment.status).unwrap_or(ProviderStatus::Pending);
    let method = match payment.method.as_deref() {
        Some("ideal") => MoneyAccount::Ideal,
        Some("paypal") => MoneyAccount::Paypal,
        _ => MoneyAccount::Provider,
    };
    let refunds = payment.embedded.refunds.into_iter().map(refund);
    let chargebacks = payment.embedded.chargebacks.into_iter().map(chargeback);
    Ok(FetchedPayment {
        id: id("tr_", payment.id)?,
        status,
        amount: payment.amount.cents()?,
        method,
        paid_at: payment.paid_at,
        backs: refunds.chain(chargebacks).collect::<Result<_, _>>()?,
    })
}

fn refund(refund: Refund) -> Result<FetchedBack, MollieError> {
    let state = match refund.status.as_str() {
        "refunded" => BackState::Done,
        "failed" | "canceled" => BackState::TakenBack(None),
        _ => BackState::Waiting,
    };
    let (kind, created_at) = (GivenBackKind::Refund, refund.created_at);
    let amount = positive(&refund.amount)?;
    Ok(FetchedBack { id: id("re_", refund.id)?, kind, amount, created_at, state })
}

fn chargeback(of: Chargeback) -> Result<FetchedBack, MollieError> {
    let state = match of.reversed_at {
        Some(at) => BackState::TakenBack(Some(at)),
        None => BackState::Done,
    };
    let (kind, created_at) = (GivenBackKind::Chargeback, of.created_at);
    let amount = positive(&of.amount)?;
    Ok(FetchedBack { id: id("chb_", of.id)?, kind, amount, created_at, state })
}

fn positive(amount: &Amount) -> Result<Cents, MollieError> {
    let cents = amount.euro_cents()?;
    if cents > Cents::ZERO { Ok(cents) } else { Err(unreadable("amount", "not above zero")) }
}

/// Reads a page of settlements.
pub(crate) fn settlements(body: &[u8]) -> Result<Settlements, MollieError> {
    let (settlements, next) = page(body, "settlements")?;
    let settlements = settlements.into_iter().map(|of| read_settlement(value(of)?));
    Ok(Settlements { settlements: settlements.collect::<Result<_, _>>()?, next })
}

/// Reads a settlement.
pub(crate) fn settlement(body: &[u8]) -> Result<FetchedSettlement, MollieError> {
    read_settlement(json(body)?)
}

fn read_settlement(settlement: Settlement) -> Result<FetchedSettlement, MollieError> {
    let (mut vat, mut gross) = (Decimal::ZERO, Decimal::ZERO);
    for cost in settlement.periods.values().flat_map(|year| year.values()).flat_map(|of| &of.costs)
    {
        let euros = |amount: &Amount| {
            amount.euros()?.ok_or_else(|| unreadable("currency", &amount.currency))
        };
        let of_vat = cost.amount_vat.as_ref().map(euros).transpose()?.unwrap_or_default();
        if euros(&cost.amount_net)? + of_vat != euros(&cost.amount_gross)? {
            return Err(unreadable("costs", "net and VAT do not add up"));
        }
        vat += of_vat;
        gross += euros(&cost.amount_gross)?;
    }
    // The amounts have four decimals; only the sums are whole cents.
    let cents = |sum: &Decimal| {
        decimal::multiply_to_cents(sum, &Decimal::ONE).map_err(|error| unreadable("costs", error))
    };
    let (gross, costs_vat) = (cents(&gross)?, cents(&vat)?);
    let status = match settlement.status.as_str() {
        // It was sent to the bank.
        "processing-at-bank" => SettlementStatus::Pending,
        other => SettlementStatus::parse(other).unwrap_or(SettlementStatus::Pending),
    };
    Ok(FetchedSettlement {
        id: id("stl_", settlement.id)?,
        reference: settlement.reference,
        status,
        amount: settlement.amount.euro_cents()?,
        settled_at: settlement.settled_at,
        costs: gross - costs_vat,
        costs_vat,
    })
}

/// Reads a page of payments, refunds or chargebacks of a settlement, and the id from which the next
/// page begins. Refunds and chargebacks lower the settlement.
pub(crate) fn parts(
    body: &[u8],
    (name, prefix): (&str, &str),
) -> Result<(Vec<SettledPart>, Option<String>), MollieError> {
    let (parts, next) = page(body, name)?;
    let part = |of| {
        let Part { id: text, amount, payment_id } = value(of)?;
        let amount = amount.cents()?;
        let amount = if name == "payments" { amount } else { amount.map(|amount| -amount) };
        let payment_id = payment_id.unwrap_or_else(|| text.clone());
        Ok(SettledPart { id: id(prefix, text)?, payment_id, amount })
    };
    Ok((parts.into_iter().map(part).collect::<Result<_, _>>()?, next))
}

/// Items of a list, and the id from which its next page begins. The address of the next page is
/// not called: only its id is used.
fn page(body: &[u8], name: &str) -> Result<(Vec<serde_json::Value>, Option<String>), MollieError> {
    let mut list: List = json(body)?;
    let items = list.embedded.remove(name).ok_or_else(|| unreadable("_embedded", name))?;
    let next = list.links.next.and_then(|link| Url::parse(&link.href).ok());
    let next = next.and_then(|url| {
        let from = url.query_pairs().find(|(name, _)| name == "from");
        from.map(|(_, id)| id.into_owned())
    });
    let is_known = |id: &String| ["tr_", "re_", "chb_", "stl_"].iter().any(|of| is_id(of, id));
    Ok((items, next.filter(is_known)))
}

#[cfg(test)]
mod tests;
