//! Prices of invoices and purchases, and the accounts of sales.

use crate::{
    books::{Group, Invoice, Line, Money, Posting, Sums, code},
    cash::is_deferred,
    oss::MEMBER_STATES,
    sales::group,
};
use ledger::{
    cash_accounting::VatMethod,
    country::CountryCode,
    decimal::Decimal,
    discount::Discount,
    vat::{Supply, VatCategory, VatRate},
};
use service::{Error, Fault, Reason, invoices::LineInput};
use std::collections::BTreeMap;

/// Maximum amount of a document.
const LIMIT: Money = 9_999_999_999_999;

/// Rounds half away from zero.
pub(crate) fn rounded(dividend: i128, divisor: i128) -> i128 {
    dividend.signum() * ((2 * dividend.abs() + divisor) / (2 * divisor))
}

pub(crate) fn vat_of(base: Money, rate: VatRate) -> Money {
    rounded(base * i128::from(rate.basis_points()), 10_000)
}

fn product(a: Decimal, b: Decimal) -> Money {
    rounded(a.mantissa() * b.mantissa() * 100, 10_i128.pow(a.scale() + b.scale()))
}

pub(crate) fn fault(pointer: &str, code: &'static str) -> Error {
    Error::Invalid(vec![fault_at(pointer, code)])
}

/// A fault with the example reason that has this code: the model does not compute the figures in a
/// reason.
pub(crate) fn fault_at(pointer: impl Into<String>, code: &'static str) -> Fault {
    let reason = Reason::examples().into_iter().find(|reason| reason.code() == code);
    Fault::new(pointer, reason.unwrap_or_else(|| panic!("no reason has the code {code}")))
}

/// Category and supply of a line, as specified by the line or otherwise as implied by its rate and
/// the customer's country, for an account that usually sells services.
pub(crate) fn classify(
    line: &LineInput,
    customer: CountryCode,
    kor: bool,
) -> (VatCategory, Supply) {
    let goods = line.supply == Some(Supply::Goods);
    // A supply that was handed over in the Netherlands is domestic.
    let dutch = customer == CountryCode::NL || line.place.country == Some(CountryCode::NL);
    let abroad = match customer.as_str() {
        country if MEMBER_STATES.contains(&country) => VatCategory::IntraCommunity,
        _ if goods => VatCategory::Export,
        _ => VatCategory::ServiceOutsideEu,
    };
    let category = match line.vat_category {
        Some(VatCategory::ReverseCharge) if !dutch => abroad,
        Some(given) => given,
        None if !line.vat_rate.is_zero() => VatCategory::Standard,
        None if dutch => VatCategory::Zero,
        None => abroad,
    };
    let usual = if category == VatCategory::Export { Supply::Goods } else { Supply::Services };
    let supply = line.supply.unwrap_or(usual);
    // Under the small businesses scheme, supplies that are taxed in the Netherlands are exempt,
    // including supplies at 0 %.
    let taxed_here = match category {
        VatCategory::Zero | VatCategory::ReverseCharge | VatCategory::Export => true,
        VatCategory::IntraCommunity => supply == Supply::Goods,
        _ => false,
    };
    let category = match category {
        VatCategory::Exempt if line.exemption.is_some() => line.exemption.unwrap().category(),
        VatCategory::Exempt if kor => VatCategory::SmallBusiness,
        _ if kor && taxed_here => VatCategory::SmallBusiness,
        VatCategory::IntraCommunity if kor && is_service(supply) => VatCategory::SmallBusinessEu,
        other => other,
    };
    (category, supply)
}

/// Whether a supply is a service, of any kind.
pub(crate) fn is_service(supply: Supply) -> bool {
    [Supply::Services, Supply::Electronic].contains(&supply)
}

/// Group of a line, given its category and supply.
pub(crate) fn group_of(line: &LineInput, category: VatCategory, supply: Supply) -> Group {
    let supply = if is_service(supply) { Supply::Services } else { supply };
    let is_oss = category == VatCategory::Oss;
    let distinguished = is_oss || category.public() == VatCategory::IntraCommunity;
    let country = line.place.country.filter(|_| is_oss);
    (line.vat_rate, category, distinguished.then_some(supply), country)
}

/// Discount on an amount.
fn discount_on(discount: Discount, amount: Money) -> Money {
    match discount {
        Discount::None => 0,
        Discount::Percent(percent) => {
            rounded(amount * percent.mantissa(), 100 * 10_i128.pow(percent.scale()))
        }
        Discount::Amount(cents) => cents.get().into(),
    }
}

fn field_of(discount: Discount) -> &'static str {
    if matches!(discount, Discount::Percent(_)) { "discountPercent" } else { "discountAmount" }
}

/// Divides a sum in proportion to exact parts (over `whole`): each gets its part rounded down, and the
/// cents that are missing go to the largest remainders, the first of equal ones first.
fn divided(exact: &[i128], whole: i128, sum: Money) -> Vec<Money> {
    let mut parts: Vec<Money> = exact.iter().map(|part| part.div_euclid(whole)).collect();
    let missing = sum - parts.iter().sum::<Money>();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(exact[*place].rem_euclid(whole)));
    let count = Money::try_from(order.len()).unwrap().max(1);
    for (place, nth) in order.into_iter().zip(0..) {
        let extra = if nth < (missing % count).abs() { missing.signum() } else { 0 };
        parts[place] += missing / count + extra;
    }
    parts
}

/// Takes a discount off all lines: a percentage of each group, or an amount divided over them.
fn take_off(discount: Discount, lines: &mut [Line]) -> Result<(), Error> {
    let total: Money = lines.iter().map(|line| line.amount).sum();
    let (part, whole) = match discount {
        Discount::None => return Ok(()),
        Discount::Percent(percent) => (percent.mantissa(), 100 * 10_i128.pow(percent.scale())),
        Discount::Amount(_) if total <= 0 => {
            return Err(fault("/discountAmount", "out_of_range"));
        }
        Discount::Amount(cents) => (i128::from(cents.get()), total),
    };
    let mut sums: BTreeMap<Group, Money> = BTreeMap::new();
    for line in &*lines {
        *sums.entry(group(line)).or_default() += line.amount;
    }
    let mut groups: Vec<(Group, Money)> = sums.into_iter().collect();
    groups.sort_by_key(|((rate, category, supply, country), _)| {
        (std::cmp::Reverse(*rate), *category, *supply, *country)
    });
    let off = match discount {
        Discount::Amount(cents) => {
            let exact: Vec<i128> = groups.iter().map(|(_, sum)| sum * part).collect();
            divided(&exact, whole, cents.get().into())
        }
        _ => groups.iter().map(|(_, sum)| discount_on(discount, *sum)).collect(),
    };
    for ((of, _), off) in groups.into_iter().zip(off) {
        let its: Vec<usize> =
            (0..lines.len()).filter(|place| group(&lines[*place]) == of).collect();
        let exact: Vec<i128> = its.iter().map(|place| lines[*place].amount * part).collect();
        for (place, off) in its.into_iter().zip(divided(&exact, whole, off)) {
            lines[place].amount -= off;
        }
    }
    Ok(())
}

/// Prices lines less a discount on all of them; reverses their sign for a credit note.
// Long: the model's rules for prices in one place.
pub(crate) fn price(
    (given, discount): (&[LineInput], Discount),
    customer: CountryCode,
    credit_note: bool,
    kor: bool,
    set_off: &[Line],
    rounding: &[Money],
) -> Result<(Vec<Line>, Sums), Error> {
    let misplaced = |(place, line): (usize, &LineInput)| {
        let (category, supply) = classify(line, customer, kor);
        let wrong =
            supply == Supply::Triangular && category.public() != VatCategory::IntraCommunity;
        wrong.then(|| fault_at(format!("/items/{place}/supply"), "unknown_value"))
    };
    let faults: Vec<Fault> =
        given.iter().enumerate().filter_map(misplaced).filter(|_| !credit_note).collect();
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let mut lines = Vec::new();
    let mut sums = Sums::default();
    // A total out of range is reported first.
    let mut impossible = None;
    for (place, given) in given.iter().enumerate() {
        let mut given = given.clone();
        if credit_note {
            given.quantity = -given.quantity;
        }
        let (category, supply) = classify(&given, customer, kor);
        let is_taxed = [VatCategory::Standard, VatCategory::Oss].contains(&category);
        if given.vat_rate.is_zero() == is_taxed {
            return Err(fault(&format!("/items/{place}/vatCategory"), "unknown_value"));
        }
        let gross = product(given.quantity, given.unit_price);
        if gross.abs() > LIMIT {
            return Err(fault(&format!("/items/{place}"), "out_of_range"));
        }
        let off = if credit_note { 0 } else { discount_on(given.discount, gross) };
        let is_none = match given.discount {
            Discount::None => true,
            Discount::Percent(percent) => percent.is_zero(),
            Discount::Amount(cents) => cents.is_zero(),
        };
        if !credit_note && !is_none && (gross < 0 || off < 0 || off > gross) {
            let path = format!("/items/{place}/{}", field_of(given.discount));
            impossible.get_or_insert(fault(&path, "out_of_range"));
        }
        let amount = gross - off + rounding.get(place).unwrap_or(&0);
        lines.push(Line { given, category, supply, amount });
    }
    take_off(discount, &mut lines)?;
    for line in &lines {
        sums.groups.entry(group(line)).or_default().0 += line.amount;
    }
    for line in set_off {
        sums.groups.entry(group(line)).or_default().0 += line.amount;
        lines.push(line.clone());
    }
    for ((rate, ..), (base, vat)) in &mut sums.groups {
        *vat = vat_of(*base, *rate);
        sums.subtotal += *base;
        sums.vat += *vat;
    }
    sums.total = sums.subtotal + sums.vat;
    if sums.total.abs() > LIMIT
        || sums.subtotal.abs() > LIMIT
        || sums.groups.values().any(|(base, _)| base.abs() > LIMIT)
    {
        return Err(fault("/items", "out_of_range"));
    }
    if let Some(impossible) = impossible {
        return Err(impossible);
    }
    // The total of a credit note is checked later, once its VAT has been corrected. A group at 0 %
    // may be negative, unless prepayments make it so.
    let prepaid = |wanted: &Group| {
        set_off.iter().filter(|line| group(line) == *wanted).map(|line| line.amount).sum::<Money>()
            < 0
    };
    if !credit_note
        && sums
            .groups
            .iter()
            .any(|(key, (base, _))| *base < 0 && (!key.0.is_zero() || prepaid(key)))
    {
        return Err(fault("/items", "negative_vat_group"));
    }
    if !credit_note && sums.total < 0 {
        return Err(fault("/items", "out_of_range"));
    }
    Ok((lines, sums))
}

/// Divides the lines `back` of credit notes over the invoiced lines, in order. Returns the quantity
/// credited on each invoiced line, and the amount of each line in `back`: the rounded amount of all
/// that has been credited after it, less that before it, so that rounding differences do not add
/// up. Also returns whether each line in `back` credits a line that was charged less than quantity ×
/// price.
pub(crate) fn taken(
    invoiced: &[Line],
    back: &[LineInput],
) -> (Vec<Decimal>, Vec<Money>, Vec<bool>) {
    let (mut taken, mut amounts) = (vec![Decimal::ZERO; invoiced.len()], Vec::new());
    let mut discounted = Vec::new();
    for line in back {
        let (mut rest, mut amount, mut is_less) = (line.quantity, 0, false);
        for described in [true, false] {
            for (number, (own, taken)) in (1..).zip(invoiced.iter().zip(&mut taken)) {
                let is_named = line.credits.is_none_or(|credits| credits.number == number);
                let its = (own.given.unit_price, own.given.vat_rate, Some(own.category));
                let same = its == (line.unit_price, line.vat_rate, line.vat_category)
                    && own.given.place.country == line.place.country;
                if is_named && same && (own.given.description == line.description) == described {
                    let whole = own.given.quantity;
                    let is_discounted = product(whole, own.given.unit_price) != own.amount;
                    let part = |quantity: Decimal| {
                        if is_discounted {
                            share(own.amount, quantity, whole)
                        } else {
                            product(quantity, line.unit_price)
                        }
                    };
                    let after =
                        (*taken + rest).clamp(whole.min(Decimal::ZERO), whole.max(Decimal::ZERO));
                    amount += part(after) - part(*taken);
                    is_less |= after != *taken && is_discounted;
                    rest -= after - *taken;
                    *taken = after;
                }
            }
        }
        amounts.push(amount + product(rest, line.unit_price));
        discounted.push(is_less);
    }
    (taken, amounts, discounted)
}

/// Part of an amount for a part of a quantity.
fn share(amount: Money, part: Decimal, whole: Decimal) -> Money {
    if whole.is_zero() {
        return 0;
    }
    let (part, whole) = (part.normalize(), whole.normalize());
    let dividend = amount * part.mantissa() * 10_i128.pow(whole.scale());
    let divisor = whole.mantissa() * 10_i128.pow(part.scale());
    rounded(dividend * divisor.signum(), divisor.abs())
}

/// Cents to subtract from quantity × price for each line of a credit note. The last credit of a
/// line thereby gets exactly what is left, and rounding never causes a rejection.
pub(crate) fn rounding(
    back: &[(Group, LineInput)],
    (amounts, discounted): (&[Money], &[bool]),
    remaining: &BTreeMap<Group, (Money, Money)>,
) -> Vec<Money> {
    let plain = |line: &LineInput| product(line.quantity, line.unit_price);
    let mut by: Vec<Money> = back
        .iter()
        .zip(amounts.iter().zip(discounted))
        .map(|((_, line), (amount, is_discounted))| {
            let by = plain(line) - amount;
            if *is_discounted { by } else { by.clamp(-1, 1) }
        })
        .collect();
    for (group, (base, _)) in remaining {
        let its: Vec<usize> = (0..back.len()).filter(|place| back[*place].0 == *group).collect();
        let sign = if *base < 0 { -1 } else { 1 };
        let beyond = sign
            * (its.iter().map(|place| plain(&back[*place].1) - by[*place]).sum::<Money>() - base);
        let rounded_up = |place: &&usize| {
            let (line, amount) = (&back[**place].1, plain(&back[**place].1) - by[**place]);
            let exact = line.quantity.mantissa() * line.unit_price.mantissa() * 100;
            sign * (amount * 10_i128.pow(line.quantity.scale() + line.unit_price.scale()) - exact)
                > 0
        };
        let fitting = its.iter().filter(|place| !discounted[**place]).filter(rounded_up);
        let fitting: Vec<usize> = fitting.copied().collect();
        let count = usize::try_from(beyond).unwrap_or(0);
        if count <= fitting.len() {
            fitting[..count].iter().for_each(|place| by[*place] += sign);
        }
    }
    by
}

/// Accounts of revenue and VAT of a group, and its box.
pub(crate) fn accounts_of((rate, category, supply, _): &Group) -> (u16, u16, &'static str) {
    match (category, rate.basis_points()) {
        (VatCategory::Standard, 2100) => (8000, 1700, "1a"),
        (VatCategory::Standard, 900) => (8010, 1710, "1b"),
        (VatCategory::Standard, other) => panic!("the generator has no rate of {other}"),
        (VatCategory::Zero, _) => (8030, 0, "1e"),
        (VatCategory::ReverseCharge, _) => (8040, 0, "1e"),
        (VatCategory::IntraCommunity, _) if *supply == Some(Supply::Services) => (8050, 0, "3b"),
        (VatCategory::IntraCommunity, _) => (8055, 0, "3b"),
        (VatCategory::ServiceOutsideEu, _) => (8065, 0, ""),
        (VatCategory::Export, _) => (8060, 0, "3a"),
        (VatCategory::Exempt | VatCategory::ExemptCounted | VatCategory::SmallBusiness, _) => {
            (8070, 0, "")
        }
        (VatCategory::SmallBusinessEu, _) => (8050, 0, ""),
        (VatCategory::OutOfScope, _) => (8080, 0, ""),
        (VatCategory::Oss, _) => (8057, code::OTHER_EU_VAT, ""),
    }
}

/// Postings of a sale other than those on the customer accounts: revenue and VAT of each kind.
pub(crate) fn sale(invoice: &Invoice) -> Vec<Posting> {
    let mut postings = Vec::new();
    for (group, (base, vat)) in &invoice.sums.groups {
        let (revenue, mut due, mut vat_box) = accounts_of(group);
        if invoice.method == VatMethod::Cash && is_deferred(group) {
            (due, vat_box) = (code::OPEN_VAT, "");
        }
        // A prepayment is not revenue yet. Amounts set off were received earlier.
        let set_off: Money =
            invoice.set_off.iter().filter(|(_, of, _)| of == group).map(|(.., base)| base).sum();
        let in_advance = if invoice.prepayment { *base } else { set_off };
        postings.push((revenue, vat_box, in_advance - base));
        postings.push((1620, vat_box, -in_advance));
        if *vat != 0 {
            postings.push((due, vat_box, -vat));
        }
    }
    postings
}
