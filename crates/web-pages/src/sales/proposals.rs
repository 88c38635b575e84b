//! VAT of lines in the invoice form that nobody touched: the one proposed to the customer.
//!
//! Such a line has two hidden fields: `vatProposed`, which a script empties once the VAT is touched,
//! and `vatProposal`, the VAT that was shown. A line whose VAT differs from it was touched.

use super::lines::LINES;
use crate::{form::Form, frame::lines::Line, page::Authenticated};
use ::tax::eu_rates;
use ledger::{
    decimal, oss,
    vat::{Supply, VatCategory},
    vat_proposal::Proposal,
};
use service::{
    Error, articles,
    invoices::{self, Consumer},
};
use store::Tx;
use web_core::problem::Problem;

/// Form whose untouched lines have the VAT proposed to its customer, and a sentence if that changed
/// a line.
pub(super) struct Proposed {
    pub(super) form: Form,
    pub(super) note: Option<String>,
}

/// Whether the VAT of a line is the one that was proposed, or has yet to be.
pub(super) fn is_untouched(form: &Form, line: Line) -> bool {
    let shown = form.value(&line.field("vatProposal"));
    form.has(&line.field("vatProposed"), "true")
        && !form.is_given(&line.field("exemption"))
        && (shown.is_empty() || shown == stated(form, line))
}

/// VAT of a line as it stands in the form: the rate and, after a slash, the category.
fn stated(form: &Form, line: Line) -> String {
    let value = |name: &str| form.value(&line.field(name)).to_owned();
    format!("{}/{}", value("vatRate"), value("vatCategory"))
}

/// Fields of a form as the reader takes them: untouched lines leave their VAT out.
pub(super) fn as_read(form: &Form) -> Form {
    let untouched: Vec<String> = LINES
        .of(form)
        .into_iter()
        .filter(|line| is_untouched(form, *line))
        .flat_map(|line| [line.field("vatRate"), line.field("vatCategory")])
        .collect();
    let is_read = |name: &str| {
        let is_own = name.ends_with(".vatProposed") || name.ends_with(".vatProposal");
        !is_own && !untouched.iter().any(|field| field == name)
    };
    Form::of(form.pairs().filter(|(name, _)| is_read(name)))
}

/// Fills in the VAT of the untouched lines. `own` is the id of the draft being edited.
pub(super) async fn fill(
    page: &Authenticated,
    form: &Form,
    (customer, name): (Consumer, &str),
    (own, on): (i64, jiff::civil::Date),
) -> Result<Proposed, Problem> {
    let given = |line: &Line| {
        let supply = Supply::parse(form.value(&line.field("supply")));
        (supply, form.value(&line.field("articleId")).parse::<i64>().ok())
    };
    let untouched: Vec<Line> =
        LINES.of(form).into_iter().filter(|line| is_untouched(form, *line)).collect();
    if untouched.is_empty() {
        return Ok(Proposed { form: form.clone(), note: None });
    }
    let cx = page.context();
    let supplies: Vec<(Option<Supply>, Option<i64>)> = untouched.iter().map(given).collect();
    let propose = move |tx: &mut Tx<'_>| {
        let document = ((own != 0).then_some(own), on);
        let mut one = |(supply, article): &(Option<Supply>, Option<i64>)| {
            let article = match article.map(|id| articles::read(tx, &cx, id)) {
                Some(Ok(article)) => Some(article.values),
                None | Some(Err(Error::NotFound(_))) => None,
                Some(Err(other)) => return Err(other),
            };
            let of_line = (*supply, article.as_ref());
            let proposal = invoices::proposal(tx, &cx, customer, of_line, document)?;
            let category = article.and_then(|article| article.vat_category);
            Ok((proposal, category))
        };
        supplies.iter().map(&mut one).collect::<Result<Vec<_>, _>>()
    };
    let proposals = page.app.query(page.who.account.id, propose).await?;
    let (mut filled, mut note) = (form.clone(), None);
    for (line, (proposal, of_article)) in untouched.into_iter().zip(proposals) {
        let (rate, category) = match proposal {
            Proposal::Choice(choice) => {
                // The rate and the country give the category, except the one usual for a customer
                // and that of an article.
                let is_stated = |category: &VatCategory| {
                    customer.usual.is_some() || of_article == Some(*category)
                };
                let category = choice.category.filter(is_stated);
                let category = category.map(|category| category.public().as_str());
                (decimal::plain(&choice.rate.percent()), category.unwrap_or_default())
            }
            Proposal::CountryOfCustomer => {
                let country = oss::member_state(customer.country, on);
                let standard = country.and_then(|country| eu_rates::standard(country, on));
                (standard.map(|rate| decimal::plain(&rate.percent())).unwrap_or_default(), "")
            }
        };
        let before = form.value(&line.field("vatProposal"));
        let now = format!("{rate}/{category}");
        if !before.is_empty() && before != now {
            note = note.or_else(|| Some(said(page, name, customer, &proposal)));
        }
        filled = filled
            .with(&line.field("vatRate"), rate)
            .with(&line.field("vatCategory"), category)
            .with(&line.field("vatProposal"), now);
    }
    Ok(Proposed { form: filled, note })
}

/// Sentence that the VAT was adapted to the customer.
fn said(page: &Authenticated, name: &str, customer: Consumer, proposal: &Proposal) -> String {
    let texts = page.texts;
    let what = match proposal {
        Proposal::CountryOfCustomer => {
            let country = texts.country(customer.country.as_str());
            texts.t("vat-adapted-oss").with("country", country).to_string()
        }
        Proposal::Choice(choice) => match choice.category {
            Some(VatCategory::IntraCommunity | VatCategory::ReverseCharge) => {
                texts.t("vat-adapted-reverse").to_string()
            }
            Some(VatCategory::Export) => texts.t("vat-adapted-export").to_string(),
            Some(VatCategory::ServiceOutsideEu) => texts.t("vat-adapted-outside").to_string(),
            Some(VatCategory::Exempt) => texts.t("vat-adapted-exempt").to_string(),
            _ => texts.percent(choice.rate.percent()).to_string(),
        },
    };
    let name =
        if name.is_empty() { texts.t("vat-adapted-customer").to_string() } else { name.to_owned() };
    texts.t("vat-adapted").with("customer", &name).with("what", &what).to_string()
}
