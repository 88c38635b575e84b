//! Values of omitted fields of lines: those of their articles, and the VAT that the customer, the
//! law, the article and the schemes of the account propose ([`ledger::vat_proposal`]).

use super::{Consumer, LineInput, TaxPlace};
use crate::{
    Context, Error, Fault, Reason, articles, document_snapshots::own_language, oss_turnover,
    vat_schemes,
};
use ::tax::eu_rates;
use jiff::civil::Date;
use ledger::{
    article::price_on,
    country::CountryCode,
    customer::VatChoice,
    decimal::Decimal,
    invoice::Prices,
    language::Language,
    oss::member_state,
    vat::{Supply, VatCategory, VatRate},
    vat_proposal::{Customer, Proposal, Schemes, propose},
};
use store::{
    Tx,
    articles::{Article, ArticleValues},
    books,
};

/// Fills in the omitted fields of lines: the values of their articles, and the proposed VAT. The other
/// lines stay unchanged. `id` is the id of an existing draft, and `on` the day of supply.
///
/// A stated category decides between no VAT and the high rate. A line of the Union scheme keeps its
/// rate open, because its country determines it.
///
/// # Errors
/// An article is unknown, or neither a line nor its article has a price.
pub fn fill(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    (id, on): (Option<i64>, Date),
    (inputs, prices): (&[LineInput], Prices),
) -> Result<Vec<LineInput>, Error> {
    let articles = articles::of_lines(tx, cx, inputs.iter().map(|input| input.article.as_ref()))?;
    let has_articles = articles.iter().any(Option::is_some);
    if !has_articles && inputs.iter().all(|input| !input.place.standard_rate) {
        return Ok(inputs.to_vec());
    }
    let schemes = schemes(tx, cx, (id, on))?;
    let language = if has_articles { language(tx, cx, customer)? } else { cx.actor.language };
    let (mut lines, mut faults) = (Vec::with_capacity(inputs.len()), Vec::new());
    for (place, (input, article)) in inputs.iter().zip(&articles).enumerate() {
        let Some(Article { values: article, .. }) = article else {
            lines.push(filled(cx, customer, schemes, input, None));
            continue;
        };
        let begun = begun_from(article, customer, language, input);
        let line = filled(cx, customer, schemes, &begun, Some(article));
        let line = exempted(article, customer, schemes, input, line);
        match unit_price(article, customer, schemes, (&line, prices)) {
            Some(unit_price) => lines.push(LineInput { unit_price, article: None, ..line }),
            None => {
                let path = format!("/items/{place}/unitPrice");
                faults.push(Fault::new(path, Reason::Required));
            }
        }
    }
    if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
}

/// Language of a document for a customer.
fn language(tx: &mut Tx<'_>, cx: &Context, customer: Consumer) -> Result<Language, Error> {
    if let Some(language) = customer.language {
        return Ok(language);
    }
    let terms = books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    Ok(own_language(&terms))
}

/// Returns a line with the text, the unit and the kind of supply of its article, and with the
/// category of the article if the line states the same rate.
fn begun_from(
    article: &ArticleValues,
    customer: Consumer,
    language: Language,
    input: &LineInput,
) -> LineInput {
    let mut line = input.clone();
    if line.description.is_empty() {
        articles::description(article, language).clone_into(&mut line.description);
    }
    line.unit = line.unit.or_else(|| article.unit.clone());
    let of_customer = customer.usual.and_then(|usual| usual.supply);
    line.supply = line.supply.or(of_customer).or(article.supply);
    let states_rate_only =
        !line.place.standard_rate && line.vat_category.is_none() && line.exemption.is_none();
    if states_rate_only && article.vat_rate == Some(line.vat_rate) {
        line.vat_category = article.vat_category;
        line.exemption = article.exemption;
    }
    line
}

/// VAT of an article; `None` if it has none of its own.
fn choice(article: &ArticleValues) -> Option<VatChoice> {
    let exempt = article.exemption.map(|_| VatCategory::Exempt);
    let category = article.vat_category.or(exempt);
    let rate = article.vat_rate.or_else(|| category.map(|_| VatRate::ZERO))?;
    Some(VatChoice { rate, category, supply: None })
}

/// Returns a line with the ground of its article for the exemption, if the line is exempt because of
/// the article.
fn exempted(
    article: &ArticleValues,
    customer: Consumer,
    schemes: Schemes,
    input: &LineInput,
    line: LineInput,
) -> LineInput {
    let is_of_article = input.place.standard_rate
        && input.vat_category.is_none()
        && input.exemption.is_none()
        && customer.usual.is_none()
        && !schemes.has_kor;
    let is_exempt = line.vat_category == Some(VatCategory::Exempt);
    let exemption = article.exemption.filter(|_| is_of_article && is_exempt);
    LineInput { exemption: line.exemption.or(exemption), ..line }
}

/// Price of a line: the one that it states, or that of its article, converted to the prices of the
/// document. A price including VAT contains the VAT of the line or, if no VAT is charged, that of
/// the article.
fn unit_price(
    article: &ArticleValues,
    customer: Consumer,
    schemes: Schemes,
    (line, document): (&LineInput, Prices),
) -> Option<Decimal> {
    if !line.article.as_ref().is_some_and(|article| article.takes_price) {
        return Some(line.unit_price);
    }
    let price = article.unit_price?;
    let own = if article.prices_include_vat { Prices::Gross } else { Prices::Net };
    let charged = if line.place.standard_rate {
        let country = line.place.country.or_else(|| member_state(customer.country, schemes.on));
        country.and_then(|country| eu_rates::standard(country, schemes.on))
    } else {
        Some(line.vat_rate)
    };
    let charged = charged.unwrap_or(VatRate::ZERO);
    let usual = choice(article).map_or_else(
        || if schemes.has_kor { VatRate::ZERO } else { VatRate::high_on(schemes.on) },
        |choice| choice.rate,
    );
    let rate = if charged.is_zero() && own == Prices::Gross { usual } else { charged };
    Some(price_on(price, own, document, rate))
}

/// Returns the VAT proposed to a customer for a supply, which may be one of an article.
///
/// # Errors
/// The storage failed.
pub fn proposal(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    (supply, article): (Option<Supply>, Option<&ArticleValues>),
    (id, on): (Option<i64>, Date),
) -> Result<Proposal, Error> {
    let schemes = schemes(tx, cx, (id, on))?;
    let of_article = article.and_then(|article| article.supply);
    let supply = supply.or(of_article).unwrap_or(cx.actor.sales.supply);
    Ok(propose(&customer.into(), supply, article.and_then(choice), schemes))
}

fn schemes(tx: &mut Tx<'_>, cx: &Context, (id, on): (Option<i64>, Date)) -> Result<Schemes, Error> {
    Ok(Schemes {
        has_kor: vat_schemes::kor_shown(tx, cx.actor.account, on, id)?.is_some(),
        has_oss: oss_turnover::is_registered(tx, cx.actor.account, on)?,
        on,
    })
}

fn filled(
    cx: &Context,
    customer: Consumer,
    schemes: Schemes,
    input: &LineInput,
    article: Option<&ArticleValues>,
) -> LineInput {
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
    match propose(&customer, supply, article.and_then(choice), schemes) {
        Proposal::Choice(choice) => with(choice),
        Proposal::CountryOfCustomer => input.clone(),
    }
}
