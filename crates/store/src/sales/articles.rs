//! Articles, from which lines of documents are filled.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Record, columns_by_name, fields, record},
        table::{self, table_functions},
    },
    param::Param,
    params,
};
use jiff::Timestamp;
use ledger::{
    article::ArticleStatus,
    decimal::Decimal,
    vat::{Exemption, Supply, VatCategory, VatRate},
};

columns_by_name!(ArticleStatus, Exemption);

/// Stored article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Unique within the account.
    pub id: i64,
    /// Values set by the owner.
    pub values: ArticleValues,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Values of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleValues {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Number, unique within the account.
    pub number: Option<String>,
    /// Name.
    pub name: String,
    /// Description on Dutch documents.
    pub description_nl: Option<String>,
    /// Description on English documents.
    pub description_en: Option<String>,
    /// Unit.
    pub unit: Option<String>,
    /// Price per unit in euros.
    pub unit_price: Option<Decimal>,
    /// Whether the price includes VAT.
    pub prices_include_vat: bool,
    /// VAT rate.
    pub vat_rate: Option<VatRate>,
    /// VAT category.
    pub vat_category: Option<VatCategory>,
    /// Kind of supply.
    pub supply: Option<Supply>,
    /// Legal ground for the exemption.
    pub exemption: Option<Exemption>,
    /// Status.
    pub status: ArticleStatus,
}

fields! {
    ArticleValues {
        external_id, number, name, description_nl, description_en, unit, unit_price,
        prices_include_vat, vat_rate, vat_category, supply, exemption, status,
    }
}
record! {
    "articles": Article {
        "id": id,
        "external_id, number, name, description_nl, description_en, unit, unit_price, prices_include_vat, vat_basis_points, vat_category, supply, exemption, status": values,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}
table_functions!(Article: by_id, by_external_id);

/// Stores a new article.
pub fn insert(tx: &mut Tx<'_>, account: i64, article: &Article) -> Result<(), StoreError> {
    tx.record(ResourceKind::Article, article.id, Event::Created);
    let (columns, values) = with_folded(account, article);
    record::insert(tx, "articles", &columns, &values)
}

/// Stores a changed article.
pub fn update(tx: &mut Tx<'_>, account: i64, article: &Article) -> Result<(), StoreError> {
    tx.record(ResourceKind::Article, article.id, Event::Updated);
    let (columns, values) = with_folded(account, article);
    record::update(tx, "articles", &columns, &values)
}

/// Columns and values of an article, including the text for searches. Line feeds between the texts
/// prevent matches that span two of them.
fn with_folded(account: i64, article: &Article) -> (String, Vec<Param<'_>>) {
    let mut values = article.values(account);
    let ArticleValues { number, name, description_nl, description_en, .. } = &article.values;
    let texts =
        [number.as_deref(), Some(name), description_nl.as_deref(), description_en.as_deref()];
    let folded = texts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase();
    values.push(folded.into());
    (format!("{}, folded", Article::COLUMNS), values)
}

/// Article with this number.
pub fn by_number(
    tx: &mut Tx<'_>,
    account: i64,
    number: &str,
) -> Result<Option<Article>, StoreError> {
    table::find(tx, account, "number", number)
}

/// Number of articles of an account.
pub fn count_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM articles WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Filter for articles.
#[derive(Debug, Clone, Default)]
pub struct ArticleFilter {
    /// Only the article with this external id.
    pub external_id: Option<String>,
    /// Only articles whose number, name or description contains this text, ignoring case.
    pub text: Option<String>,
    /// Only articles with this status.
    pub status: Option<ArticleStatus>,
    /// Only articles that changed in this period.
    pub updated: Option<Updated>,
}

impl ArticleFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(text) = &self.text {
            filter.holds(&["folded"], text, None);
        }
        filter.given("status =", self.status.map(ArticleStatus::as_str));
        filter.updated(self.updated);
        filter
    }
}

/// Articles with an id above `after`, ordered by id.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ArticleFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Article>, StoreError> {
    let mut filter = filter.of(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Column by which a page orders articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArticleColumn {
    /// Name, ignoring case.
    Name,
    /// Number.
    Number,
    /// Order of creation.
    Made,
}

/// Section of the filtered and ordered list of articles.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ArticleFilter,
    (column, down): (ArticleColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Article>, StoreError> {
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        ArticleColumn::Name => format!("LOWER(name) {direction}, id"),
        ArticleColumn::Number => format!("COALESCE(number, '') {direction}, LOWER(name), id"),
        ArticleColumn::Made => format!("id {direction}"),
    };
    table::section(tx, filter.of(account), &order, part)
}

/// Number of articles that match a filter.
pub fn count(tx: &mut Tx<'_>, account: i64, filter: &ArticleFilter) -> Result<i64, StoreError> {
    let filter = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM articles WHERE {filter}"), filter.values(), |row| {
        row.int(0)
    })
}
