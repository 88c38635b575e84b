//! Articles: goods and services with a usual price and VAT, from which lines of documents are
//! filled. The lines are copies.

use crate::{Context, Created, Error, Fault, Reason, Upserted, context};
use ::tax::eu_rates;
use jiff::{Timestamp, civil::Date};
use ledger::{
    article::ArticleStatus,
    decimal::Decimal,
    language::Language,
    vat::{Exemption, Supply, VatCategory, VatRate},
};
use std::collections::HashMap;
use store::{
    Tx,
    articles::{self as rows, Article, ArticleColumn, ArticleFilter, ArticleValues},
    books::IdSequence,
};

/// Maximum number of articles of an account.
const MOST: usize = 10_000;

/// Maximum number of articles that a form suggests.
const SUGGESTED: i64 = 8;

/// Edit of an article. Fields that are `None` stay unchanged; `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditArticle {
    /// Caller's own identifier.
    pub external_id: Option<Option<String>>,
    /// New number.
    pub number: Option<Option<String>>,
    /// New name.
    pub name: Option<String>,
    /// New description on Dutch documents.
    pub description_nl: Option<Option<String>>,
    /// New description on English documents.
    pub description_en: Option<Option<String>>,
    /// New unit.
    pub unit: Option<Option<String>>,
    /// New price per unit.
    pub unit_price: Option<Option<Decimal>>,
    /// Whether the price includes VAT.
    pub prices_include_vat: Option<bool>,
    /// New VAT rate.
    pub vat_rate: Option<Option<VatRate>>,
    /// New VAT category.
    pub vat_category: Option<Option<VatCategory>>,
    /// New kind of supply.
    pub supply: Option<Option<Supply>>,
    /// New ground for the exemption.
    pub exemption: Option<Option<Exemption>>,
    /// New status.
    pub status: Option<ArticleStatus>,
}

impl EditArticle {
    /// Returns the edit that sets all fields to the values in `new`, except the external id and the
    /// status.
    #[must_use]
    pub fn to(new: &ArticleValues) -> Self {
        let new = new.clone();
        Self {
            external_id: None,
            number: Some(new.number),
            name: Some(new.name),
            description_nl: Some(new.description_nl),
            description_en: Some(new.description_en),
            unit: Some(new.unit),
            unit_price: Some(new.unit_price),
            prices_include_vat: Some(new.prices_include_vat),
            vat_rate: Some(new.vat_rate),
            vat_category: Some(new.vat_category),
            supply: Some(new.supply),
            exemption: Some(new.exemption),
            status: None,
        }
    }

    /// Returns the edit that only changes the status.
    #[must_use]
    pub fn status(status: ArticleStatus) -> Self {
        Self { status: Some(status), ..Self::default() }
    }

    fn applied_to(&self, old: &ArticleValues) -> ArticleValues {
        let (edit, old) = (self.clone(), old.clone());
        ArticleValues {
            external_id: edit.external_id.unwrap_or(old.external_id),
            number: edit.number.unwrap_or(old.number),
            name: edit.name.unwrap_or(old.name),
            description_nl: edit.description_nl.unwrap_or(old.description_nl),
            description_en: edit.description_en.unwrap_or(old.description_en),
            unit: edit.unit.unwrap_or(old.unit),
            unit_price: edit.unit_price.unwrap_or(old.unit_price),
            prices_include_vat: edit.prices_include_vat.unwrap_or(old.prices_include_vat),
            vat_rate: edit.vat_rate.unwrap_or(old.vat_rate),
            vat_category: edit.vat_category.unwrap_or(old.vat_category),
            supply: edit.supply.unwrap_or(old.supply),
            exemption: edit.exemption.unwrap_or(old.exemption),
            status: edit.status.unwrap_or(old.status),
        }
    }
}

/// Returns the text of a line in a language: the description in that language, or else the name.
#[must_use]
pub fn description(article: &ArticleValues, language: Language) -> &str {
    let described = match language {
        Language::Dutch => &article.description_nl,
        Language::English => &article.description_en,
    };
    described.as_deref().unwrap_or(&article.name)
}

/// Article of a line, which fills in what the line leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineArticle {
    /// Article.
    pub named: ArticleName,
    /// Whether the line leaves out its price.
    pub takes_price: bool,
}

/// Reference to an article.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ArticleName {
    /// By its id.
    Id(i64),
    /// By its number.
    Number(String),
}

/// Returns the articles of lines, in the order of the lines.
///
/// # Errors
/// A line names an article that does not exist.
pub(super) fn of_lines<'l>(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: impl Iterator<Item = Option<&'l LineArticle>>,
) -> Result<Vec<Option<Article>>, Error> {
    let mut known: HashMap<&ArticleName, Option<Article>> = HashMap::new();
    let (mut articles, mut faults) = (Vec::new(), Vec::new());
    for (place, line) in lines.enumerate() {
        let Some(LineArticle { named, .. }) = line else {
            articles.push(None);
            continue;
        };
        let article = match known.get(named) {
            Some(article) => article.clone(),
            None => {
                let article = match named {
                    ArticleName::Id(id) => rows::by_id(tx, cx.actor.account, *id)?,
                    ArticleName::Number(number) => rows::by_number(tx, cx.actor.account, number)?,
                };
                known.insert(named, article.clone());
                article
            }
        };
        if article.is_none() {
            let field = match named {
                ArticleName::Id(_) => "articleId",
                ArticleName::Number(_) => "articleNumber",
            };
            faults.push(Fault::new(format!("/items/{place}/{field}"), Reason::UnknownArticle));
        }
        articles.push(article);
    }
    if faults.is_empty() { Ok(articles) } else { Err(Error::Invalid(faults)) }
}

/// Creates an article.
///
/// # Errors
/// The account is not Dutch or has the maximum number of articles, another article has the number,
/// or rate, category and exemption contradict one another.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    new: &ArticleValues,
) -> Result<Created<Article>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, new.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        check(tx, cx, new, None)?;
        require_room(tx, cx)?;
        let article = new_article(books.next_id(IdSequence::Article), new.clone(), cx.now());
        rows::insert(tx, cx.actor.account, &article)?;
        Ok(Created::New(article))
    })
}

fn new_article(id: i64, values: ArticleValues, now: Timestamp) -> Article {
    Article { id, values, created_at: now, updated_at: now }
}

fn require_room(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let count = rows::count_all(tx, cx.actor.account)?;
    if usize::try_from(count).is_ok_and(|count| count >= MOST) {
        return Err(Error::fault("", Reason::TooManyArticles { most: MOST }));
    }
    Ok(())
}

/// Rejects values that contradict one another, and the number of another article.
fn check(
    tx: &mut Tx<'_>,
    cx: &Context,
    new: &ArticleValues,
    old: Option<&Article>,
) -> Result<(), Error> {
    let mut faults = vat_faults(new, old.map(|old| &old.values), cx.today());
    if let Some(number) = &new.number
        && let Some(other) = rows::by_number(tx, cx.actor.account, number)?
        && old.is_none_or(|old| old.id != other.id)
    {
        let reason = Reason::ArticleNumberTaken { number: number.clone() };
        faults.push(Fault::new("/number", reason));
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Returns the faults of rate, category and exemption. A rate that the article had before may have
/// ended.
fn vat_faults(new: &ArticleValues, old: Option<&ArticleValues>, on: Date) -> Vec<Fault> {
    let mut faults = Vec::new();
    let is_new = |rate: &VatRate| old.is_none_or(|old| old.vat_rate != Some(*rate));
    if let Some(rate) = new.vat_rate.filter(is_new).filter(|rate| !eu_rates::is_known(*rate, on))
        && let Err(unknown) = VatRate::from_percent(&rate.percent(), on)
    {
        faults.push(Fault::new("/vatRate", unknown.into()));
    }
    match (new.vat_rate, new.vat_category) {
        (Some(rate), Some(category)) if rate.is_zero() == category.is_taxed() => {
            let others = VatCategory::PUBLIC.iter().filter(|category| !category.is_taxed());
            let known = others.map(|category| category.as_str()).collect();
            let zero = Reason::CategoryOfZeroRate { known };
            let reason = if rate.is_zero() { zero } else { Reason::CategoryOfRate };
            faults.push(Fault::new("/vatCategory", reason));
        }
        (None, Some(category)) if category.is_taxed() => {
            faults.push(Fault::new("/vatRate", Reason::Required));
        }
        _ => {}
    }
    let is_exempt = new.vat_rate.is_none_or(VatRate::is_zero)
        && new.vat_category.is_none_or(|category| category == VatCategory::Exempt);
    if new.exemption.is_some() && !is_exempt {
        faults.push(Fault::new("/exemption", Reason::ExemptionOfOther));
    }
    faults
}

/// Edits an article. Lines made from it stay unchanged. `expected` is called on the stored article
/// while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The account is not Dutch, there is no such article, it is not as expected, another article has
/// the number or the external id, or values contradict one another.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditArticle,
    expected: &dyn Fn(&Article) -> bool,
) -> Result<Article, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        let values = edit.applied_to(&old.values);
        if let Some(external_id) = values
            .external_id
            .as_deref()
            .filter(|id| Some(*id) != old.values.external_id.as_deref())
            && rows::by_external_id(tx, cx.actor.account, external_id)?.is_some()
        {
            return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
        }
        save(tx, cx, &old, values)
    })
}

/// Creates or replaces the article with the given external id. `expected` is called on the stored
/// article, if any, while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// Those of [`create`] and [`edit`].
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    new: &ArticleValues,
    expected: &dyn Fn(Option<&Article>) -> bool,
) -> Result<Upserted<Article>, Error> {
    let new = ArticleValues { external_id: Some(external_id.to_owned()), ..new.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let stored = rows::by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(stored.as_ref()) {
            return Err(Error::Changed);
        }
        match stored {
            None => {
                check(tx, cx, &new, None)?;
                require_room(tx, cx)?;
                let id = books.next_id(IdSequence::Article);
                let article = new_article(id, new.clone(), cx.now());
                rows::insert(tx, cx.actor.account, &article)?;
                Ok(Upserted::New(article))
            }
            Some(old) => save(tx, cx, &old, new.clone()).map(Upserted::Replaced),
        }
    })
}

fn save(
    tx: &mut Tx<'_>,
    cx: &Context,
    old: &Article,
    values: ArticleValues,
) -> Result<Article, Error> {
    if values == old.values {
        // Nothing has changed, so `updated_at` keeps its value.
        return Ok(old.clone());
    }
    check(tx, cx, &values, Some(old))?;
    let article = Article { values, updated_at: cx.now(), ..old.clone() };
    rows::update(tx, cx.actor.account, &article)?;
    Ok(article)
}

/// Returns the article with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Article>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns an article by its id.
///
/// # Errors
/// There is no such article in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Article, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("article"))
}

/// Returns the articles with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ArticleFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Article>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, after, limit)?)
}

/// Section of the list of articles, with the numbers of articles.
#[derive(Debug, Clone)]
pub struct ArticleTable {
    /// Articles of the section.
    pub rows: Vec<Article>,
    /// Number of articles that match the filter.
    pub count: i64,
    /// Number of all articles.
    pub all: i64,
    /// Number of archived articles.
    pub archived: i64,
}

/// Returns a section of the filtered and ordered list of articles.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ArticleFilter,
    order: (ArticleColumn, bool),
    part: (i64, i64),
) -> Result<ArticleTable, Error> {
    let account = cx.actor.account;
    let of_status = |status| ArticleFilter { status: Some(status), ..ArticleFilter::default() };
    Ok(ArticleTable {
        rows: rows::table(tx, account, filter, order, part)?,
        count: rows::count(tx, account, filter)?,
        all: rows::count_all(tx, account)?,
        archived: rows::count(tx, account, &of_status(ArticleStatus::Archived))?,
    })
}

/// Returns the active articles that match a text, by name, as many as a form suggests.
///
/// # Errors
/// The storage failed.
pub fn suggest(tx: &mut Tx<'_>, cx: &Context, text: &str) -> Result<Vec<Article>, Error> {
    let filter = ArticleFilter {
        text: Some(text.to_owned()).filter(|text| !text.trim().is_empty()),
        status: Some(ArticleStatus::Active),
        ..ArticleFilter::default()
    };
    let order = (ArticleColumn::Name, false);
    Ok(rows::table(tx, cx.actor.account, &filter, order, (0, SUGGESTED))?)
}
