//! `/articles/new` and `/articles/{id}/edit`: the form for an article.

use crate::{
    form::Form,
    id::Id,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
    texts::{self, Phrase, Texts},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    article::ArticleStatus,
    calendar::amsterdam_today,
    decimal::{self, Decimal},
    vat::{Exemption, Supply, VatCategory},
};
use service::{
    Context, Error,
    articles::{self, EditArticle},
};
use store::{
    Tx,
    articles::{Article, ArticleValues},
};
use web_core::{
    input::{self, new_article},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/article-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Article being edited.
    edited: Option<Article>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    fn action(&self) -> String {
        self.edited
            .as_ref()
            .map_or("/articles".to_owned(), |article| format!("/articles/{}", article.id))
    }

    fn is_archived(&self) -> bool {
        let status = self.edited.as_ref().map(|article| article.values.status);
        status == Some(ArticleStatus::Archived)
    }

    /// Whether to show the less common fields.
    fn has_more(&self) -> bool {
        const MORE: [&str; 4] = ["descriptions.en", "vatCategory", "exemption", "supply"];
        MORE.iter().any(|name| self.form.is_given(name) || self.form.fault(name).is_some())
    }

    /// Rates to choose from: those of today, and the one that the article has.
    fn rates(&self) -> Vec<(String, String)> {
        let texts = self.page.texts;
        let mut rates = vec![(String::new(), texts.t("article-vat-usual").to_string())];
        rates.extend(texts::vat_rates(texts, amsterdam_today(self.page.app.now())));
        let own = self.form.value("vatRate");
        if !own.is_empty() && !rates.iter().any(|(rate, _)| rate == own) {
            rates.push((own.to_owned(), format!("{own}%")));
        }
        rates
    }

    fn categories(&self) -> [(&'static str, Phrase<'static>); 8] {
        let texts = self.page.texts;
        [
            ("", texts.t("vat-category-none")),
            ("zero", texts.t("vat-category-zero")),
            ("reverseCharge", texts.t("vat-category-reverse-charge")),
            ("exempt", texts.t("vat-category-exempt")),
            ("intraCommunity", texts.t("vat-category-intra-community")),
            ("export", texts.t("vat-category-export")),
            ("serviceOutsideEu", texts.t("vat-category-service-outside-eu")),
            ("outOfScope", texts.t("vat-category-out-of-scope")),
        ]
    }

    fn supplies(&self) -> [(&'static str, Phrase<'static>); 4] {
        let texts = self.page.texts;
        [
            ("", texts.t("supply-usual")),
            ("services", texts.t("supply-services")),
            ("goods", texts.t("supply-goods")),
            ("electronic", texts.t("supply-electronic")),
        ]
    }

    fn exemptions(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [
            ("", texts.t("exemption-usual")),
            ("article11", texts.t("exemption-article11")),
            ("article11Counted", texts.t("exemption-article11-counted")),
        ]
    }
}

/// Form filled from an article.
fn fill(texts: Texts, article: &ArticleValues) -> Form {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let named = |name: Option<&str>| name.unwrap_or_default().to_owned();
    Form::of([
        ("number", text(&article.number)),
        ("name", article.name.clone()),
        ("descriptions.nl", text(&article.description_nl)),
        ("descriptions.en", text(&article.description_en)),
        (
            "unit",
            article.unit.as_ref().map(|unit| texts.unit(unit, Decimal::ONE)).unwrap_or_default(),
        ),
        (
            "unitPrice",
            article.unit_price.map(|price| texts.number_field(price)).unwrap_or_default(),
        ),
        (
            "pricesIncludeVat",
            if article.prices_include_vat { "true".to_owned() } else { String::new() },
        ),
        (
            "vatRate",
            article.vat_rate.map(|rate| decimal::plain(&rate.percent())).unwrap_or_default(),
        ),
        ("vatCategory", named(article.vat_category.map(VatCategory::as_str))),
        ("supply", named(article.supply.map(Supply::as_str))),
        ("exemption", named(article.exemption.map(Exemption::as_str))),
    ])
}

fn show_with(
    page: &Authenticated,
    form: &Form,
    edited: Option<Article>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    page.show_as(status, &View { page, form, edited, differences })
}

/// `GET /articles/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::default().with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, None, Vec::new(), StatusCode::OK)
}

/// `POST /articles`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_article);
    let run = |tx: &mut Tx<'_>, cx: &Context, new: &ArticleValues| {
        articles::create(tx, cx, new)?;
        Ok("/articles?done=article-created".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, &form, None, Vec::new(), status)
    })
    .await
}

async fn stored(page: &Authenticated, id: i64) -> Result<Article, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| articles::read(tx, &cx, id)).await?)
}

/// Form filled from a stored article, with its version.
fn opened(page: &Authenticated, article: &Article) -> Result<Form, Problem> {
    let filled = fill(page.texts, &article.values);
    let version = filled.version();
    Ok(filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?))
}

/// `GET /articles/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let article = stored(&page, id).await?;
    let form = opened(&page, &article)?;
    show_with(&page, &form, Some(article), Vec::new(), StatusCode::OK)
}

/// `POST /articles/{id}`
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = stored(&page, id).await?;
    let parsed = input::form(form.pairs(), page.texts.language, new_article);
    let (version, texts) = (form.raw(VERSION).to_owned(), page.texts);
    let run = move |tx: &mut Tx<'_>, cx: &Context, new: &ArticleValues| {
        let as_seen =
            |now: &Article| version.is_empty() || fill(texts, &now.values).version() == version;
        articles::edit(tx, cx, id, &EditArticle::to(new), &as_seen)?;
        Ok::<_, Error>("/articles?done=article-edited".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Some(before), Vec::new(), status);
        }
        let article = stored(&page, id).await?;
        let now = fill(page.texts, &article.values);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::ARTICLE);
        show_with(&page, &form, Some(article), differences, status)
    })
    .await
}

async fn set_status(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: ArticleStatus,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        articles::edit(tx, cx, id, &EditArticle::status(status), &|_| true)?;
        let is_archived = status == ArticleStatus::Archived;
        let done = if is_archived { "article-archived" } else { "article-restored" };
        Ok(format!("/articles?done={done}"))
    };
    page.press(form, run, async |refused, status| {
        let article = stored(page, id).await?;
        let form = opened(page, &article)?;
        show_with(page, &refused.beside(form), Some(article), Vec::new(), status)
    })
    .await
}

/// `POST /articles/{id}/archive`
pub(super) async fn archive(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_status(&page, id, form, ArticleStatus::Archived).await
}

/// `POST /articles/{id}/restore`
pub(super) async fn restore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_status(&page, id, form, ArticleStatus::Active).await
}
