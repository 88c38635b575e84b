//! Sales under the small businesses scheme: no VAT, up to the invoice that passes the turnover
//! limit and thereby ends the scheme (art. 25a(4) and (9) Wet OB 1968).

use super::LineInput;
use crate::{
    Context, Error, Fault, Reason,
    corrections::IfFiled,
    kor,
    mails::{self, AccountMail},
    people::language_of,
    scheme_changes::{self, Ending},
    vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    invoice::{Line, Priced, Prices},
    kor::{NEAR, Turnover, VERY_NEAR, counts, percent},
    money::Cents,
    vat::{Exemption, SalesDefaults, VatCategory, VatRate, VatScheme},
};
use store::{
    Tx, accounts,
    books::Books,
    changes::{ResourceKind, Topic},
    kor as rows,
    schemes::{self, SchemeChange},
};

/// Priced lines, and the end of the scheme if the lines cause it.
pub(super) type Sale = ((Vec<Line>, Priced), Option<Ending>);

/// Prices an invoice under the VAT scheme in force on `day`. `id` is the id of an existing draft,
/// and `price` prices the lines with the given defaults.
///
/// # Errors
/// The lines cannot be priced; a line has VAT although the scheme applies; or the invoice passes
/// the limit of the scheme and has lines that the scheme would exempt.
pub(super) fn price_sale(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    (id, day): (Option<i64>, Date),
    (inputs, prices): (&[LineInput], Prices),
    price: impl Fn(SalesDefaults, &[LineInput]) -> Result<(Vec<Line>, Priced), Error>,
) -> Result<Sale, Error> {
    let Some(since) = vat_schemes::kor_of(tx, books, day, id)? else {
        reject_exemption_of_kor(inputs)?;
        return Ok((price(cx.actor.sales, inputs)?, None));
    };
    let under_kor = price(vat_schemes::sales(cx.actor.sales, Some(since)), inputs);
    // The scheme does not exempt supplies that are taxed in another member state.
    let dutch_rate = |line: &LineInput| {
        if line.vat_category == Some(VatCategory::Oss) { VatRate::ZERO } else { line.vat_rate }
    };
    let taxed = vat_schemes::check(Some(since), inputs.iter().map(dutch_rate));
    let (lines, priced) = match (under_kor, taxed.is_err()) {
        (Ok(priced), _) => priced,
        (Err(error), false) => return Err(error),
        (Err(error), true) => return Err(taxed.err().unwrap_or(error)),
    };
    let turnover = kor::turnover(tx, cx.actor.account, day.year())?;
    let counted = counted(&lines, &priced, prices);
    report(tx, cx, &turnover, (id, day), counted)?;
    if !turnover.is_passed_by(day, id, counted) {
        taxed?;
        return Ok(((lines, priced), None));
    }
    let normal = price(cx.actor.sales, inputs)?;
    let before = turnover.before(day, id);
    let faults: Vec<Fault> = inputs
        .iter()
        .zip(lines.iter().zip(&normal.0))
        .enumerate()
        .filter(|(_, (input, (line, normal)))| is_exempted(input, line, normal))
        .map(|(place, _)| {
            let (path, threshold) = (format!("/items/{place}/vatRate"), turnover.limit);
            Fault::new(path, Reason::KorLimitPassed { threshold, counted: before + counted })
        })
        .collect();
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    // If a backdated invoice made an earlier invoice pass the limit, that earlier invoice has
    // already ended the scheme, unless the scheme began after it.
    let earlier = turnover.passing().filter(|passing| {
        let is_other = Some(passing.id) != id;
        is_other
            && passing.day >= since
            && (passing.day, passing.id) < (day, id.unwrap_or(i64::MAX))
    });
    let ending = earlier.map_or(Ending { from: day, invoice_id: id }, |passing| Ending {
        from: passing.day,
        invoice_id: Some(passing.id),
    });
    Ok((normal, Some(ending)))
}

/// Reports to webhooks if an invoice brings the turnover of its year near the limit or over it, and
/// to the owner by email, once a year, if it is very near.
fn report(
    tx: &mut Tx<'_>,
    cx: &Context,
    turnover: &Turnover,
    (id, day): (Option<i64>, Date),
    counted: Cents,
) -> Result<(), Error> {
    let (before, limit) = (turnover.total(), turnover.limit);
    let after = before - id.map_or(Cents::ZERO, |id| turnover.of(id)) + counted;
    let year = i64::from(day.year());
    let is_near = |amount| percent(amount, limit) >= NEAR;
    if !is_near(before) && is_near(after) {
        tx.record_topic(ResourceKind::Kor, year, Topic::Near);
    }
    if before <= limit && after > limit {
        tx.record_topic(ResourceKind::Kor, year, Topic::Passed);
    }
    let is_very_near = percent(after, limit) >= VERY_NEAR && after <= limit;
    if is_very_near && percent(before, limit) < VERY_NEAR {
        warn(tx, cx, day.year())
    } else {
        Ok(())
    }
}

/// Warns the owner of a turnover very near the limit by email, once a year.
fn warn(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<(), Error> {
    let account = cx.actor.account;
    let Some(letters) = cx.env.letters.as_ref().filter(|_| cx.actor.test.is_none()) else {
        return Ok(());
    };
    let Some(owner) = accounts::by_id(tx, account)? else { return Ok(()) };
    if !rows::warn(tx, account, year)? {
        return Ok(());
    }
    let language = language_of(&owner).unwrap_or(cx.actor.language);
    let (subject, body) = letters.kor_limit_near(language, year);
    let mail = AccountMail { to: owner.owner.email, language, subject, body };
    mails::put(tx, &cx.env, account, &mail)
}

/// Rejects lines that claim the exemption under the scheme; called when the scheme does not apply.
pub(super) fn reject_exemption_of_kor(inputs: &[LineInput]) -> Result<(), Error> {
    let is_kor = |line: &LineInput| line.exemption == Some(Exemption::Kor);
    let faults: Vec<Fault> = inputs
        .iter()
        .enumerate()
        .filter(|(_, line)| is_kor(line))
        .map(|(place, _)| Fault::new(format!("/items/{place}/exemption"), Reason::ExemptionOfKor))
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Amount of an invoice that is part of the turnover. If prices include VAT, the full price is
/// included: under the scheme, all of it would be the consideration.
fn counted(lines: &[Line], priced: &Priced, prices: Prices) -> Cents {
    let amounts = match prices {
        Prices::Net => &priced.line_amounts,
        Prices::Gross => &priced.line_gross,
    };
    let is_counted = |line: &Line| counts(line.vat_category, line.supply);
    lines.iter().zip(amounts).filter(|(line, _)| is_counted(line)).map(|(_, amount)| *amount).sum()
}

/// Whether a line is exempt under the scheme and is taxed at a rate above zero without it. This is
/// false for a line with a rate of zero because of its given category or the customer's country.
fn is_exempted(input: &LineInput, line: &Line, normal: &Line) -> bool {
    let is_given = input.vat_category.is_some_and(|given| given.public() != VatCategory::Exempt);
    let is_abroad =
        matches!(normal.vat_category, VatCategory::Export | VatCategory::IntraCommunity);
    line.vat_category == VatCategory::SmallBusiness && !is_given && !is_abroad
}

/// Cancels the end of the scheme that a draft caused, before the draft changes, unless another
/// invoice with VAT has been made since. Returns the change that was removed.
pub(super) fn suspend(
    tx: &mut Tx<'_>,
    books: &Books,
    id: i64,
) -> Result<Option<SchemeChange>, Error> {
    if books.terms().scheme_changes == 0 {
        return Ok(None);
    }
    let account = books.account();
    let changes = schemes::all(tx, account)?;
    let Some(ended) = changes.iter().find(|change| change.invoice_id == Some(id)) else {
        return Ok(None);
    };
    let others = rows::invoices_with(tx, account, (ended.from, Date::MAX), VatCategory::Standard)?;
    if ended.scheme != VatScheme::Normal || others.iter().any(|other| *other != id) {
        return Ok(None);
    }
    schemes::remove(tx, account, ended.from)?;
    Ok(Some(*ended))
}

/// Records the end of the scheme that an invoice causes, in place of the end that was suspended,
/// and rebooks the purchases made since then under the scheme in force.
pub(super) fn settle(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (suspended, ending): (Option<SchemeChange>, Option<Ending>),
    (id, if_filed): (i64, IfFiled),
) -> Result<(), Error> {
    let ending =
        ending.map(|ending| Ending { invoice_id: ending.invoice_id.or(Some(id)), ..ending });
    if let Some(ending) = ending {
        scheme_changes::end(tx, cx, ending)?;
    }
    let days = [suspended.map(|change| change.from), ending.map(|ending| ending.from)];
    if days[0] == days[1] {
        return Ok(());
    }
    match days.into_iter().flatten().min() {
        Some(from) => scheme_changes::rebook_purchases(tx, books, cx, from, if_filed),
        None => Ok(()),
    }
}
