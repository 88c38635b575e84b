//! What resources have in common: listed, made, read, edited, replaced by their external id and taken away in one way, written once.
//!
//! A resource says what is its own (how it looks, how its body is read, which command of `service` does it); the handlers below do the
//! rest in the order of the contract.

use crate::{
    body, once, query,
    query::{Listing, Query},
    reply,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Context, Created, Error, Fault, Reason, Upserted};
use store::{Lane, Tx, Updated};
use web_core::{
    AppState, ReadContext,
    catalogue::PRECONDITION_FAILED,
    input::{self, Fields, Parsed, Raw},
    problem::{FaultAt, Problem},
};

/// Something that the API shows and that has an id.
pub(crate) trait Resource: Sized + Send + Sync + 'static {
    /// How it is answered.
    type Body<'r>: Serialize + JsonSchema;

    /// Where they are, under `/api/v1`.
    const PATH: &'static str;
    /// What one is called.
    const NAME: &'static str;

    fn id(&self) -> i64;
    fn body(&self) -> Self::Body<'_>;
    /// The one with that id.
    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error>;
}

/// A resource that is listed in the order of its ids.
pub(crate) trait Listed: Resource {
    /// Which are meant.
    type Filter: Send + 'static;

    /// The parameters of the query beside those of every list.
    fn filter(query: &mut Query) -> Self::Filter;
    /// Of these, when those that are meant changed.
    fn updated(filter: &Self::Filter) -> Option<Updated>;
    fn list(tx: &mut Tx<'_>, cx: &Context, filter: &Self::Filter, after: i64, limit: i64) -> Result<Vec<Self>, Error>;
}

/// A resource that is made.
pub(crate) trait Creatable: Resource {
    /// What is needed to make one.
    type New: Send + 'static;
    /// What of a body only the books can validate.
    type Partial: Send + 'static;

    fn read_new(fields: &mut Fields<'_, '_>) -> Parsed<Self::New, Self::Partial>;
    fn create(tx: &mut Tx<'_>, cx: &Context, new: &Self::New) -> Result<Created<Self>, Error>;
    /// What an external id names already.
    fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Self>, Error>;
    /// What is wrong with a body that cannot be used anyway.
    fn validate(tx: &mut Tx<'_>, cx: &Context, partial: &Self::Partial) -> Result<Vec<Fault>, Error>;
    /// Makes it under an external id, or makes the one that there is what is given.
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &Self::New,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error>;
}

/// A resource that is edited.
pub(crate) trait Editable: Creatable {
    /// What an edit changes.
    type Edit: Send + 'static;
    /// What of an edit only the books can validate.
    type PartialEdit: Send + 'static;

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<Self::Edit, Self::PartialEdit>;
    /// What is wrong with an edit of `there` that cannot be made anyway.
    fn validate_edit(tx: &mut Tx<'_>, cx: &Context, there: &Self, partial: &Self::PartialEdit) -> Result<Vec<Fault>, Error>;
    fn edit(tx: &mut Tx<'_>, cx: &Context, id: i64, edit: &Self::Edit, expected: &dyn Fn(&Self) -> bool) -> Result<Self, Error>;
}

/// A resource that can be taken away.
pub(crate) trait Deletable: Resource {
    fn delete(tx: &mut Tx<'_>, cx: &Context, id: i64, expected: &dyn Fn(&Self) -> bool) -> Result<(), Error>;
}

/// After which id, and how many.
pub(crate) fn page(query: &mut Query) -> (i64, i64) {
    (query.cursor(query::whole).unwrap_or(0), query.limit())
}

/// The whole query of a list.
pub(crate) fn list_query<R: Listed>(query: &mut Query) -> (R::Filter, (i64, i64)) {
    (R::filter(query), page(query))
}

/// The bytes of a resource as it is answered.
pub(crate) fn shown<R: Resource>(resource: &R) -> Vec<u8> {
    reply::body(&resource.body())
}

/// `GET` of the list.
pub(crate) async fn list<R: Listed>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = listing.read(list_query::<R>)?;
    let account = cx.actor.account;
    let list = move |tx: &mut Tx<'_>| {
        let page = store::Page::of(R::list(tx, &cx, &filter, after, limit + 1)?, limit);
        reply::rows(&page, |last| last.id().to_string(), shown).of_changes(tx, account, R::updated(&filter))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

/// `GET` of one.
pub(crate) async fn read<R: Resource>(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, R::NAME)?;
    let found = books.query(cx.actor.account, move |tx| R::find(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &found.body()))
}

/// `POST`: a repeat is answered with what is there, even when the rest of it is invalid.
pub(crate) async fn create<R: Creatable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, R::read_new);
    let base = app.config().base_url.clone();
    let show = move |outcome| reply::created(outcome, |made: &R| address(&base, made), |made| shown(&made));
    let account = cx.actor.account;
    let creation = once::creation(account, R::NAME, R::PATH, &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| R::create(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut Tx<'_>| match R::find_by_external_id(tx, &cx, parsed.external_id.as_deref())? {
                Some(known) => Ok(known),
                None => Err(Error::Invalid([parsed.faults.clone(), R::validate(tx, &cx, &parsed.partial)?].concat())),
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

/// Where a resource is.
pub(crate) fn address<R: Resource>(base: &str, resource: &R) -> String {
    format!("{base}/api/v1{}/{}", R::PATH, resource.id())
}

/// What `If-Match` says a resource must be like, and of a `PUT` what `If-None-Match` says that it must not be.
pub(crate) struct Expected {
    /// The values of `If-Match`; without any, all will do.
    tags: Vec<String>,
    /// The values of `If-None-Match`.
    others: Vec<String>,
}

impl Expected {
    /// What the headers of a request for something that is there say.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self { tags: texts(headers, header::IF_MATCH), others: Vec::new() }
    }

    /// What the headers of a `PUT` say.
    fn of_replacement(headers: &HeaderMap) -> Self {
        Self { tags: texts(headers, header::IF_MATCH), others: texts(headers, header::IF_NONE_MATCH) }
    }

    /// Whether a resource, as it is answered, is what they say.
    pub(crate) fn is_met_by(&self, resource: &impl Serialize) -> bool {
        reply::matches(&self.tags, resource) && !reply::is_named(&self.others, resource)
    }

    /// Whether what is there, or that there is nothing, is what they say (RFC 9110, section 13.1).
    fn is_met_by_any<R: Resource>(&self, there: Option<&R>) -> bool {
        there.map_or(self.tags.is_empty(), |there| self.is_met_by(&there.body()))
    }

    /// Says which header is not met, and of one that can never match that it names nothing.
    pub(crate) fn reported(&self) -> impl Fn(Error) -> Problem + use<> {
        let detail = if !self.tags.is_empty() && !self.tags.iter().any(|tags| reply::are_strong_tags(tags)) {
            Some("If-Match names no state: send the ETag as it was given, whole, with its quotation marks and without W/.")
        } else if self.tags.is_empty() && !self.others.is_empty() {
            Some(
                "There is one with this externalId already; leave If-None-Match out to replace it, or read it with GET and ?externalId=.",
            )
        } else {
            None
        };
        move |error| match (error, detail) {
            (Error::Changed, Some(detail)) => Problem::new(PRECONDITION_FAILED, detail),
            (error, _) => error.into(),
        }
    }
}

/// The values of a header.
fn texts(headers: &HeaderMap, name: header::HeaderName) -> Vec<String> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("").to_owned()).collect()
}

/// `PATCH`: what is not given stays, null takes away.
pub(crate) async fn edit<R: Editable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let json = body::read(request).await?;
    let id = query::id(&id, R::NAME)?;
    let parsed = input::json(&json, R::read_edit);
    let Some(command) = parsed.command else {
        let account = cx.actor.account;
        let validate = move |tx: &mut Tx<'_>| {
            // What does not exist is not found, whatever it was to be.
            let there = R::find(tx, &cx, id)?;
            let mut faults = parsed.faults.clone();
            faults.extend(R::validate_edit(tx, &cx, &there, &parsed.partial)?);
            if R::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?.is_some_and(|known| known.id() != id) {
                faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
            }
            Ok(faults)
        };
        return Err(Problem::invalid(app.query(account, validate).await?));
    };
    carry_out::<R>(&app, cx, expected, id, command).await
}

/// Edits a resource as an operation says, without a body.
pub(crate) async fn edit_as<R: Editable>(
    app: &AppState,
    cx: Context,
    headers: &HeaderMap,
    id: &str,
    edit: R::Edit,
) -> Result<Response, Problem> {
    let id = query::id(id, R::NAME)?;
    carry_out::<R>(app, cx, Expected::of(headers), id, edit).await
}

async fn carry_out<R: Editable>(
    app: &AppState,
    cx: Context,
    expected: Expected,
    id: i64,
    command: R::Edit,
) -> Result<Response, Problem> {
    let reported = expected.reported();
    let account = cx.actor.account;
    let edit = move |tx: &mut Tx<'_>| R::edit(tx, &cx, id, &command, &|there| expected.is_met_by(&there.body()));
    let edited = app.execute(account, edit).await.map_err(reported)?;
    Ok(reply::changed(&edited.body()).into_response())
}

/// `PUT` by external id: makes it (201), or makes the one that there is what is given (200).
pub(crate) async fn replace<R: Creatable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(external_id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of_replacement(request.headers());
    let reported = expected.reported();
    let json = body::read(request).await?;
    let external_id = input::external_id(&Raw::Text(external_id)).map_err(|reason| {
        let fault = Fault::new("externalId", reason);
        Problem::invalid([FaultAt::parameter("externalId", fault.reason.code(), input::message(&fault))])
    })?;
    let mut parsed = input::json(&json, R::read_new);
    if parsed.external_id.as_ref().is_some_and(|given| *given != external_id) {
        parsed.faults.push(Fault::new("/externalId", Reason::ExternalIdDiffers));
    }
    let account = cx.actor.account;
    let command = parsed.command.filter(|_| parsed.faults.is_empty());
    let Some(command) = command else {
        let validate = move |tx: &mut Tx<'_>| Ok([parsed.faults.clone(), R::validate(tx, &cx, &parsed.partial)?].concat());
        return Err(Problem::invalid(app.query(account, validate).await?));
    };
    let creation = once::creation_as(account, R::NAME, R::PATH, &json, external_id.clone());
    let replace = move |tx: &mut Tx<'_>| {
        let outcome = R::replace(tx, &cx, &external_id, &command, &|there| expected.is_met_by_any(there))?;
        if matches!(outcome, Upserted::New(_)) {
            creation.keep(tx)?;
        }
        Ok(outcome)
    };
    let reply = match app.execute(account, replace).await.map_err(reported)? {
        Upserted::New(made) => {
            reply::created(Created::New(made), |made| address(&app.config().base_url, made), |made| shown(&made))
        }
        Upserted::Replaced(there) => reply::changed(&there.body()),
    };
    Ok(reply.into_response())
}

/// `DELETE`: 204, and it is gone.
pub(crate) async fn delete<R: Deletable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let expected = Expected::of(&headers);
    let reported = expected.reported();
    let id = query::id(&id, R::NAME)?;
    let account = cx.actor.account;
    let delete = move |tx: &mut Tx<'_>| R::delete(tx, &cx, id, &|there| expected.is_met_by(&there.body()));
    app.execute(account, delete).await.map_err(reported)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
