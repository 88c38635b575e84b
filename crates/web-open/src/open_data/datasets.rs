//! The index, and data sets as pages, JSON and CSV.

use super::{
    OpenData, Shared, asked_language, borrowed, catalog, csv,
    frame::{Frame, Shown},
    json, refused,
    respond::Document,
    tag, unknown,
};
use askama::Template;
use axum::{
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::{IntoResponse, Redirect, Response},
};
use ledger::language::Language;
use tax::{
    calculator::Calculator,
    calculators,
    dataset::{self, Column, ColumnKind, Dataset, Row, Selection, Status},
};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "open-data/index.html")]
struct IndexPage<'a> {
    page: &'a Frame,
    title: &'a str,
    about: &'a str,
    datasets: &'static [Dataset],
    calculators: &'static [&'static Calculator],
}

pub(super) async fn index(
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let frame = Frame::new("/open-data", query.as_deref(), &headers);
    let (title, about) = (catalog::TITLE, catalog::ABOUT);
    let page = IndexPage {
        page: &frame,
        title: title.get(frame.language()),
        about: about.get(frame.language()),
        datasets: dataset::all(),
        calculators: calculators::all(),
    };
    frame.show(&page, &headers)
}

/// Handles `vat-rates`, `vat-rates.json` and `vat-rates.csv`.
pub(super) async fn show(
    State(shared): Shared,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if name == "calculators" {
        return Ok(Redirect::permanent("/open-data#calculators").into_response());
    }
    let (id, suffix) = name.rsplit_once('.').unwrap_or((&name, ""));
    match (dataset::find(id), suffix) {
        (Some(set), "json") => document(&shared, set, Form::Json, query.as_deref(), &headers),
        (Some(set), "csv") => document(&shared, set, Form::Csv, query.as_deref(), &headers),
        (Some(set), "") => page(&shared, set, query.as_deref(), &headers),
        _ if suffix.is_empty() => {
            unknown(Some(&Frame::new("/open-data", query.as_deref(), &headers)))
        }
        _ => unknown(None),
    }
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Json,
    Csv,
}

fn document(
    shared: &OpenData,
    set: &Dataset,
    form: Form,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let (language, parameters) = asked_language(query);
    let selection = Selection::read(set, &borrowed(&parameters))
        .map_err(|faults| refused(&faults, Language::English))?;
    let make = || match form {
        Form::Json => {
            Ok(Document::new("application/json", json::dataset(set, selection, language)))
        }
        Form::Csv => match csv::dataset(set, selection, language) {
            Ok(bytes) => Ok(Document::new("text/csv; charset=utf-8; header=present", bytes)),
            Err(error) => {
                tracing::error!(%error, "a data set could not be written as CSV");
                Err(Problem::internal())
            }
        },
    };
    let document = match selection {
        Selection::All => shared.keep(&format!("{} {form:?} {}", set.id, tag(language)), make)?,
        Selection::On(_) | Selection::Year(_) => make()?,
    };
    Ok(document.answer(headers))
}

#[derive(Template)]
#[template(path = "open-data/dataset.html")]
struct DatasetPage<'a> {
    page: &'a Frame,
    set: &'static Dataset,
    columns: Vec<&'static Column>,
    rows: Vec<&'static Row>,
    /// Selected year.
    year: Option<i16>,
    /// Available years, newest first.
    years: Vec<i16>,
    on: String,
    faults: Vec<String>,
    statuses: Vec<Status>,
    schema_org: String,
    licence: &'static str,
    query: String,
    total: usize,
}

impl DatasetPage<'_> {
    fn cell(&self, row: &Row, column: &Column) -> Shown {
        self.page.shown_in(row.get(&column.name), &column.kind)
    }

    fn is_chosen(&self, year: &i16) -> bool {
        self.year == Some(*year)
    }

    /// Whether the column contains figures, which are right-aligned.
    fn is_figure(&self, column: &Column) -> bool {
        matches!(
            column.kind,
            ColumnKind::Money | ColumnKind::Percent | ColumnKind::Number | ColumnKind::Integer
        )
    }
}

/// Columns that the page shows differently: the dates in one combined column, source and status
/// last.
const SHOWN_ELSEWHERE: [&str; 5] = ["validFrom", "validTo", "source", "status", "note"];

fn page(
    shared: &OpenData,
    set: &'static Dataset,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let frame = Frame::new(&format!("/open-data/{}", set.id), query, headers);
    // Empty fields of the filter are treated as absent.
    let parameters: Vec<(String, String)> =
        frame.parameters().iter().filter(|(_, text)| !text.trim().is_empty()).cloned().collect();
    let (selection, faults) = match Selection::read(set, &borrowed(&parameters)) {
        Ok(selection) => (selection, Vec::new()),
        Err(faults) => (
            Selection::All,
            faults.iter().map(|fault| fault.message.get(frame.language()).to_owned()).collect(),
        ),
    };
    let rows: Vec<&Row> = set.select(selection).collect();
    let statuses = Status::ALL
        .into_iter()
        .filter(|status| rows.iter().any(|row| row.status == *status))
        .collect();
    let view = DatasetPage {
        columns: set
            .columns
            .iter()
            .filter(|column| !SHOWN_ELSEWHERE.contains(&column.name.as_str()))
            .collect(),
        rows,
        year: if let Selection::Year(year) = selection { Some(year) } else { None },
        years: set.years().into_iter().rev().collect(),
        on: parameters
            .iter()
            .find(|(name, _)| name == "on")
            .map(|(_, text)| text.clone())
            .unwrap_or_default(),
        statuses,
        // `<` is escaped, so that the JSON cannot end the script element.
        schema_org: catalog::schema_org(&shared.base, set, frame.language())
            .to_string()
            .replace('<', "\\u003c"),
        licence: tax::dataset::LICENCE_URL,
        query: form_urlencoded::Serializer::new(String::new()).extend_pairs(&parameters).finish(),
        total: set.rows().len(),
        faults,
        set,
        page: &frame,
    };
    if view.faults.is_empty() { frame.show(&view, headers) } else { frame.show_refused(&view) }
}
