//! Articles, from which lines of invoices and quotes are filled.

use crate::{
    moment::Moment,
    number::Number,
    operation::{Answer, Operation},
    query::{self, Query},
    resource::{self, Creatable, Editable, Filter, Listed, Replaceable, Resource},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use ledger::{
    article::ArticleStatus,
    vat::{Exemption, Supply, VatCategory},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Upserted,
    articles::{self, EditArticle},
};
use store::{
    Page, Tx, Updated,
    articles::{Article, ArticleFilter, ArticleValues},
};
use web_core::{
    AppState,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED},
    input::{Fields, Parsed, edited_article, names_of, new_article, or_null},
    problem::Problem,
};

/// Article, from which lines of invoices and quotes are filled.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Article")]
pub(crate) struct ArticleBody<'a> {
    /// Id, unique within the account; the `articleId` of lines.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"product-12")]
    external_id: Option<&'a str>,
    /// Your number of the article, unique within the account; the `articleNumber` of lines.
    #[schemars(example = &"A-100")]
    number: Option<&'a str>,
    /// Name.
    name: &'a str,
    /// Descriptions on lines, by the language of the document.
    descriptions: DescriptionsBody<'a>,
    /// Unit.
    #[schemars(example = &"hour")]
    unit: Option<&'a str>,
    /// Price per unit in euros.
    unit_price: Option<Number>,
    /// Whether `unitPrice` includes VAT.
    prices_include_vat: bool,
    /// VAT rate in per cent; null for the high rate.
    vat_rate: Option<Number>,
    /// VAT category; null for the one that the rate and the customer's country give.
    #[schemars(extend("enum" = or_null(names_of(VatCategory::PUBLIC))))]
    vat_category: Option<&'static str>,
    /// Kind of supply; null for the setting of the account.
    #[schemars(extend("enum" = or_null(names_of(Supply::ALL))))]
    supply: Option<&'static str>,
    /// Ground of the exemption; null for the usual one.
    #[schemars(extend("enum" = or_null(names_of(Exemption::ALL))))]
    exemption: Option<&'static str>,
    /// `active` or `archived`. An archived article is not offered for new lines.
    #[schemars(extend("enum" = names_of(ArticleStatus::ALL)))]
    status: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Descriptions of an article.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ArticleDescriptions")]
struct DescriptionsBody<'a> {
    /// On Dutch documents; null for the name.
    #[schemars(example = &"Advies per uur")]
    nl: Option<&'a str>,
    /// On English documents; null for the name.
    #[schemars(example = &"Advice per hour")]
    en: Option<&'a str>,
}

impl Resource for Article {
    type Key = i64;
    type Body<'r> = ArticleBody<'r>;
    const PATH: &'static str = "/articles/{id}";
    const NAME: &'static str = "article";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> ArticleBody<'_> {
        let values = &self.values;
        ArticleBody {
            id: self.id,
            external_id: values.external_id.as_deref(),
            number: values.number.as_deref(),
            name: &values.name,
            descriptions: DescriptionsBody {
                nl: values.description_nl.as_deref(),
                en: values.description_en.as_deref(),
            },
            unit: values.unit.as_deref(),
            unit_price: values.unit_price.map(Number),
            prices_include_vat: values.prices_include_vat,
            vat_rate: values.vat_rate.map(|rate| Number(rate.percent())),
            vat_category: values.vat_category.map(VatCategory::as_str),
            supply: values.supply.map(Supply::as_str),
            exemption: values.exemption.map(Exemption::as_str),
            status: values.status.as_str(),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        articles::read(tx, cx, id)
    }
}

/// Statuses to filter by.
const STATUSES: &[(&str, ArticleStatus)] =
    &[("active", ArticleStatus::Active), ("archived", ArticleStatus::Archived)];

impl Filter for ArticleFilter {
    fn read(query: &mut Query) -> Self {
        let external_id = query.text(
            "externalId",
            "Returns only the article with this external identifier.",
            255,
        );
        let text = query.text(
            "q",
            "Returns only articles whose number, name or description contains this text, ignoring \
             case.",
            255,
        );
        let status =
            query.choice("status", "Returns only active or only archived resources.", STATUSES);
        Self { external_id, text, status, updated: query.updated() }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Article {
    type Filter = ArticleFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &ArticleFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        Ok(Page::of(articles::list(tx, cx, filter, after, limit + 1)?, limit))
    }
}

impl Creatable for Article {
    type New = ArticleValues;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<ArticleValues> {
        new_article(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &ArticleValues) -> Result<Created<Self>, Error> {
        articles::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        articles::find_by_external_id(tx, cx, external_id)
    }
}

impl Replaceable for Article {
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &ArticleValues,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error> {
        articles::replace(tx, cx, external_id, new, expected)
    }
}

impl Editable for Article {
    type Edit = EditArticle;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditArticle> {
        edited_article(fields)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditArticle,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        articles::edit(tx, cx, id, edit, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<Article>("listArticles").says("List articles", "Oldest first."),
        Operation::create_of::<Article>("createArticle", example())
            .says("Create an article", "An account has at most 10 000 articles.")
            .for_dutch_accounts(),
        Operation::read_of::<Article>("readArticle").says("Read an article", ""),
        Operation::edit_of::<Article>("editArticle", json!({ "unitPrice": 99.5 }))
            .says(
                "Update an article",
                "Absent fields stay unchanged; null removes a value. Lines made from the article \
                 stay as they are.",
            )
            .or(&[NOT_FOUND, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::delete::<ArticleBody<'_>, _, _>(
            "/articles/{id}",
            "archiveArticle",
            Answer::Changed,
            archive,
        )
        .says(
            "Archive an article",
            "An archived article is not offered for new lines; references to it remain valid. Use \
             PATCH to make it active again.",
        )
        .or(&[NOT_FOUND, PRECONDITION_FAILED])
        .for_dutch_accounts(),
        Operation::replace_of::<Article>(
            "/articles/external/{externalId}",
            "putArticle",
            json!({ "externalId": "product-12", "name": "Advies", "unitPrice": 99.5 }),
        )
        .says(
            "Create or replace an article",
            "Creates or replaces the resource with this external identifier. Absent fields get \
             their defaults.",
        )
        .or(&[PRECONDITION_FAILED])
        .for_dutch_accounts(),
    ]
}

fn example() -> serde_json::Value {
    json!({
        "externalId": "product-12", "number": "A-100", "name": "Advies",
        "descriptions": { "nl": "Advies per uur", "en": "Advice per hour" }, "unit": "hour",
        "unitPrice": 95.5, "pricesIncludeVat": false, "vatRate": 21, "supply": "services",
        "status": "active",
    })
}

async fn archive(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let archive = EditArticle::status(ArticleStatus::Archived);
    resource::edit_as::<Article>(&app, cx, &headers, &id, archive).await
}
