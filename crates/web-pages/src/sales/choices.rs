//! Customer and articles in the form of an invoice or quote, found by what was typed.
//!
//! A known customer is `customer.contactId`. The field `customer.name` then shows the name of the
//! contact, which the hidden field `customer.chosen` repeats: a customer of another name is another
//! customer. A line from an article has its id in `articleId`; what it leaves out is filled in.

use super::{document::Of, lines::LINES, proposals};
use crate::{form::Form, frame::lines::Line, page::Authenticated, texts::Texts};
use jiff::civil::Date;
use ledger::{
    calendar::amsterdam_today,
    decimal::{self, Decimal},
    discount::Discount,
    invoice::Prices,
    language::Language,
    vat::{Supply, VatRate},
};
use service::{
    Context, Error,
    articles::{self, ArticleName, LineArticle},
    contact_edits, contacts,
    invoices::{self, Consumer, LineInput, TaxPlace},
};
use store::{
    Tx,
    articles::Article,
    contacts::{Contact, Party},
};
use web_core::{
    input::{self, UnfinishedInvoice, unfinished_invoice, unfinished_quote, unfinished_recurring},
    problem::Problem,
};

/// Field with the id of the customer's contact.
pub(super) const CONTACT: &str = "customer.contactId";
/// Field with the name of the customer.
const NAME: &str = "customer.name";
/// Hidden field with the name of the chosen contact.
const CHOSEN: &str = "customer.chosen";

/// Form with the choices made, and what to choose from.
pub(super) struct Chosen {
    pub(super) form: Form,
    pub(super) found: Option<Found>,
}

/// Results of a search, unless there is only one, which is then chosen.
pub(super) enum Found {
    /// Contacts whose name or email address contains the name typed.
    Customers(Vec<Contact>),
    /// Articles that match the description of the line with this number.
    Articles(usize, Vec<Article>),
}

/// Whether the pressed button only searches or chooses a customer or an article.
pub(super) fn is_choosing(action: &str) -> bool {
    const NUMBERED: [&str; 3] = ["useCustomer.", "findArticle.", "useArticle."];
    action == "findCustomer" || NUMBERED.iter().any(|button| action.starts_with(button))
}

/// Form whose customer is the chosen contact, or the one with the name typed instead.
pub(super) fn settled(form: Form) -> Form {
    let (chosen, name) = (form.value(CHOSEN).to_owned(), form.value(NAME).to_owned());
    if chosen.is_empty() {
        return form;
    }
    let form = form.with(CHOSEN, "");
    if form.value(CONTACT).is_empty() {
        form
    } else if name == chosen {
        form.with(NAME, "")
    } else {
        form.with(CONTACT, "")
    }
}

/// Carries out the search or the choice of the pressed button, and fills in what lines leave to
/// their articles.
pub(super) async fn apply(
    page: &Authenticated,
    form: &Form,
    of: Of<'_>,
) -> Result<Chosen, Problem> {
    let form = settled(form.clone());
    let action = form.value("action").to_owned();
    let (name, numbers) = action.split_once('.').unwrap_or((&action, ""));
    let (first, second) = numbers.split_once('.').unwrap_or((numbers, ""));
    let (form, found) = match name {
        "findCustomer" => {
            let (cx, text) = (page.context(), form.value(NAME).to_owned());
            let find = move |tx: &mut Tx<'_>| contact_edits::suggest(tx, &cx, &text);
            let contacts = page.app.query(page.who.account.id, find).await?;
            match contacts.as_slice() {
                [only] => (with_contact(form, only.id), None),
                _ => (form, Some(Found::Customers(contacts))),
            }
        }
        "useCustomer" => match first.parse() {
            Ok(id) => (with_contact(form, id), None),
            Err(_) => (form, None),
        },
        "findArticle" => match first.parse() {
            Ok(number) => find_article(page, form, LINES.line(number)).await?,
            Err(_) => (form, None),
        },
        "useArticle" => match (first.parse(), second.parse()) {
            (Ok(number), Ok(id)) => (with_article(form, LINES.line(number), id), None),
            _ => (form, None),
        },
        _ => (form, None),
    };
    Ok(Chosen { form: completed(page, form, of).await?, found })
}

async fn find_article(
    page: &Authenticated,
    form: Form,
    line: Line,
) -> Result<(Form, Option<Found>), Problem> {
    let (cx, text) = (page.context(), form.value(&line.field("description")).to_owned());
    let find = move |tx: &mut Tx<'_>| articles::suggest(tx, &cx, &text);
    let articles = page.app.query(page.who.account.id, find).await?;
    Ok(match articles.as_slice() {
        [only] => (with_article(form, line, only.id), None),
        _ => (form, Some(Found::Articles(line.number, articles))),
    })
}

fn with_contact(form: Form, id: i64) -> Form {
    form.with(CONTACT, id.to_string()).with(NAME, "")
}

/// Form with a line from an article, which determines its text, price and VAT.
fn with_article(form: Form, line: Line, id: i64) -> Form {
    form.with(&line.field("articleId"), id.to_string())
        .with(&line.field("description"), "")
        .with(&line.field("unit"), "")
        .with(&line.field("unitPrice"), "")
        .with(&line.field("vatProposed"), "true")
        .with(&line.field("vatProposal"), "")
}

/// Lines of a form that leave their text or price to their article.
fn incomplete(form: &Form) -> Vec<(Line, i64)> {
    let is_given = |line: &Line, name: &str| form.is_given(&line.field(name));
    let lines = LINES.of(form).into_iter();
    let lines = lines.filter(|line| !is_given(line, "description") || !is_given(line, "unitPrice"));
    lines
        .filter_map(|line| Some((line, form.value(&line.field("articleId")).parse().ok()?)))
        .collect()
}

/// Text and price of a line from an article.
struct Filled {
    description: String,
    unit: Option<String>,
    unit_price: Option<Decimal>,
}

/// Document for which a line is filled in.
#[derive(Clone, Copy)]
pub(super) struct Document {
    customer: Consumer,
    /// Id of the draft being edited, and the day that determines the VAT.
    draft: (Option<i64>, Date),
    prices: Prices,
}

/// Fills in a line from an article; `None` if that is impossible, which is a fault on submission.
fn filled(
    tx: &mut Tx<'_>,
    cx: &Context,
    document: Document,
    article: &Article,
    typed: &LineInput,
) -> Result<Option<Filled>, Error> {
    let takes_price = article.values.unit_price.is_some();
    let named = ArticleName::Id(article.id);
    let line = LineInput { article: Some(LineArticle { named, takes_price }), ..typed.clone() };
    let Document { customer, draft, prices } = document;
    match invoices::fill(tx, cx, customer, draft, (&[line], prices)) {
        Ok(lines) => Ok(lines.into_iter().next().map(|line| Filled {
            description: line.description,
            unit: line.unit,
            unit_price: takes_price.then_some(line.unit_price),
        })),
        Err(Error::Store(error)) => Err(Error::Store(error)),
        Err(_) => Ok(None),
    }
}

/// Line that leaves everything to its article.
fn empty_line() -> LineInput {
    LineInput {
        description: String::new(),
        quantity: Decimal::ONE,
        unit_price: Decimal::ZERO,
        vat_rate: VatRate::ZERO,
        vat_category: None,
        exemption: None,
        supply: None,
        place: TaxPlace { country: None, standard_rate: true },
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    }
}

/// Line as it stands in a form, as far as the price from its article depends on it.
fn typed_line(form: &Form, line: Line) -> LineInput {
    let supply = Supply::parse(form.value(&line.field("supply")));
    let stated = || {
        let percent = decimal::parse(form.value(&line.field("vatRate"))).ok()?;
        u16::try_from(percent * Decimal::ONE_HUNDRED).ok().map(VatRate::from_basis_points)
    };
    let rate = if proposals::is_untouched(form, line) { None } else { stated() };
    LineInput {
        supply,
        vat_rate: rate.unwrap_or(VatRate::ZERO),
        place: TaxPlace { country: None, standard_rate: rate.is_none() },
        ..empty_line()
    }
}

/// Form whose lines have the text and the price of their article where they leave them out.
async fn completed(page: &Authenticated, form: Form, of: Of<'_>) -> Result<Form, Problem> {
    let lines = incomplete(&form);
    if lines.is_empty() {
        return Ok(form);
    }
    let today = amsterdam_today(page.app.now());
    let UnfinishedInvoice { rates_on, contact_id, party, terms, .. } =
        input::unfinished(proposals::as_read(&form).pairs(), page.texts.language, |fields| {
            if of.is_recurring() {
                unfinished_recurring(fields, today)
            } else if of.is_quote() {
                unfinished_quote(fields, today)
            } else {
                unfinished_invoice(fields, today)
            }
        });
    let draft = (of.draft(), rates_on);
    let (cx, typed) = (page.context(), form.clone());
    let document_language = Language::parse(form.value("language"));
    let fill = move |tx: &mut Tx<'_>| {
        let known = match contact_id {
            Some(id) => found(contacts::read(tx, &cx, id))?.map(|contact| contact.party),
            None => None,
        };
        let known = known.unwrap_or_else(|| Party::named(String::new()));
        let customer = Consumer::from(&party.applied_to(known)).in_language(document_language);
        let document = Document { customer, draft, prices: terms.prices };
        let mut done = Vec::with_capacity(lines.len());
        for (line, id) in &lines {
            let Some(article) = found(articles::read(tx, &cx, *id))? else { continue };
            let filled = filled(tx, &cx, document, &article, &typed_line(&typed, *line))?;
            done.extend(filled.map(|filled| (*line, filled)));
        }
        Ok(done)
    };
    let done = page.app.query(page.who.account.id, fill).await?;
    let texts = Texts { language: form.language(page.texts.language) };
    let fill_in = |form: Form, field: String, value: String| {
        if form.is_given(&field) { form } else { form.with(&field, value) }
    };
    Ok(done.into_iter().fold(form, |form, (line, filled)| {
        let form = fill_in(form, line.field("description"), filled.description);
        let unit = filled.unit.map(|unit| texts.unit(&unit, Decimal::ONE)).unwrap_or_default();
        let form = fill_in(form, line.field("unit"), unit);
        match filled.unit_price {
            Some(price) => fill_in(form, line.field("unitPrice"), texts.number_field(price)),
            None => form,
        }
    }))
}

/// Returns what was read, or `None` if it does not exist.
fn found<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Suggested article, as a line for a customer shows it.
pub(super) struct Suggestion {
    pub(super) article: Article,
    pub(super) description: String,
    pub(super) unit: Option<String>,
    pub(super) unit_price: Option<Decimal>,
}

/// Articles that match a text, filled in for a contact in the language of a document, on a day.
pub(super) fn suggestions(
    tx: &mut Tx<'_>,
    cx: &Context,
    text: &str,
    (contact, language): (Option<i64>, Option<Language>),
    (prices, on): (Prices, Date),
) -> Result<Vec<Suggestion>, Error> {
    let party = match contact {
        Some(id) => found(contacts::read(tx, cx, id))?.map(|contact| contact.party),
        None => None,
    };
    let customer =
        Consumer::from(&party.unwrap_or_else(|| Party::named(String::new()))).in_language(language);
    let document = Document { customer, draft: (None, on), prices };
    let mut suggestions = Vec::new();
    for article in articles::suggest(tx, cx, text)? {
        if let Some(filled) = filled(tx, cx, document, &article, &empty_line())? {
            let Filled { description, unit, unit_price } = filled;
            suggestions.push(Suggestion { article, description, unit, unit_price });
        }
    }
    Ok(suggestions)
}
