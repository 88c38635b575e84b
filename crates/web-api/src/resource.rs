//! Resources of the API: the traits that describe a resource, and the handlers that all resources
//! share.
//!
//! A resource defines only what is specific to it: its path, its body, the readers of its requests
//! and the functions of `service` that it calls. The handlers do the rest, in the order that the
//! contract of the API prescribes.

use crate::{
    body, once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    undoing::{self, Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use service::{Context, Created, Error, Fault, Reason, Upserted};
use store::{Lane, Page, SyncFilter, Tx, Updated};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED},
    input::{self, Fields, Parsed, Raw},
    problem::{FaultAt, Problem},
};

/// Ids in a path, in the order of the path.
pub(crate) trait Ids: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Path segments that contain the ids.
    type Segments: DeserializeOwned + Send;

    /// Parses the segments.
    ///
    /// # Errors
    /// A segment is not an id, so the path has no resource: 404 with `name`.
    fn parse(segments: &Self::Segments, name: &'static str) -> Result<Self, Problem>;

    /// Replaces the first placeholders of a path with the ids.
    fn fill(self, path: &str) -> String;

    /// Returns the last id, if there is any.
    fn last(self) -> Option<i64>;
}

impl Ids for () {
    type Segments = ();

    fn parse((): &(), _: &'static str) -> Result<Self, Problem> {
        Ok(())
    }

    fn fill(self, path: &str) -> String {
        path.to_owned()
    }

    fn last(self) -> Option<i64> {
        None
    }
}

impl Ids for i64 {
    type Segments = String;

    fn parse(segment: &String, name: &'static str) -> Result<Self, Problem> {
        query::id(segment, name)
    }

    fn fill(self, path: &str) -> String {
        let placeholder =
            path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1)));
        placeholder
            .map_or_else(|| path.to_owned(), |(before, after)| format!("{before}{self}{after}"))
    }

    fn last(self) -> Option<i64> {
        Some(self)
    }
}

impl Ids for (i64, i64) {
    type Segments = (String, String);

    fn parse((parent, own): &(String, String), name: &'static str) -> Result<Self, Problem> {
        Ok((query::id(parent, name)?, query::id(own, name)?))
    }

    fn fill(self, path: &str) -> String {
        self.1.fill(&self.0.fill(path))
    }

    fn last(self) -> Option<i64> {
        Some(self.1)
    }
}

/// Key of a resource: its id, preceded by the id of its parent if the path contains one.
pub(crate) trait Key: Ids {
    /// Id of the parent; `()` for a resource without a parent.
    type Parent: Ids;

    /// Id of the resource itself.
    fn id(self) -> i64;
}

impl Key for i64 {
    type Parent = ();

    fn id(self) -> i64 {
        self
    }
}

impl Key for (i64, i64) {
    type Parent = i64;

    fn id(self) -> i64 {
        self.1
    }
}

/// Id of a resource's parent.
pub(crate) type Parent<R> = <<R as Resource>::Key as Key>::Parent;
/// Path segments with the id of a resource's parent.
type ParentSegments<R> = <Parent<R> as Ids>::Segments;
/// Path segments with the key of a resource.
type KeySegments<R> = <<R as Resource>::Key as Ids>::Segments;

/// Reader of a body.
type Read<C> = fn(&mut Fields<'_, '_>) -> Parsed<C>;
/// Command on a resource.
type Act<R, C> = fn(&mut Tx<'_>, &Context, <R as Resource>::Key, &C) -> Result<R, Error>;
/// Command that edits a resource; the last argument checks the preconditions on the stored one.
type Edit<R, C> =
    fn(&mut Tx<'_>, &Context, <R as Resource>::Key, &C, &dyn Fn(&R) -> bool) -> Result<R, Error>;
/// Command that undoes a resource.
type Undo<R> = fn(&mut Tx<'_>, &Context, <R as Resource>::Key, Undoing) -> Result<R, Error>;

/// A resource that the API shows.
pub(crate) trait Resource: Sized + Send + Sync + 'static {
    /// `i64`, or `(i64, i64)` for a resource under a parent.
    type Key: Key;
    /// Representation in a response.
    type Body<'r>: Serialize + JsonSchema;

    /// Path of a single resource under `/api/v1`, with its placeholders.
    const PATH: &'static str;
    /// Path of the list: [`Self::PATH`] without its last segment.
    const LIST: &'static str = without_last_segment(Self::PATH);
    /// Name of the resource in a 404 response.
    const NAME: &'static str;
    /// Name of the parent in a 404 response.
    const PARENT: &'static str = "";
    /// Stored name of the kind of resource, within which external ids are unique.
    const KIND: &'static str = Self::NAME;

    /// Returns the key.
    fn key(&self) -> Self::Key;
    /// Returns the representation.
    fn body(&self, cx: &Context) -> Self::Body<'_>;
    /// Reads the resource with the given key.
    fn find(tx: &mut Tx<'_>, cx: &Context, key: Self::Key) -> Result<Self, Error>;
}

/// The filter of a list.
pub(crate) trait Filter: Send + 'static {
    /// Reads the filter's parameters from the query; [`list_query`] reads those of every list.
    fn read(query: &mut Query) -> Self;
    /// Period of the last change, if the query restricts it.
    fn updated(&self) -> Option<Updated>;
}

impl Filter for SyncFilter {
    fn read(query: &mut Query) -> Self {
        query.sync_filter()
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

/// A resource with a list, ordered by id.
pub(crate) trait Listed: Resource {
    /// Filter for the list.
    type Filter: Filter;

    /// Whether the list begins with the highest id.
    const NEWEST_FIRST: bool = false;

    /// Lists a page: at most `limit` resources that follow the id `from` in the order of the list.
    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        parent: Parent<Self>,
        filter: &Self::Filter,
        from: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error>;
}

/// A resource that a POST to its list creates.
pub(crate) trait Creatable: Resource {
    /// Command that creates the resource.
    type New: Send + 'static;
    /// Parts of an invalid body that can only be validated against the books.
    type Partial: Send + 'static;

    /// Whether the request may have no body.
    const BODY_OPTIONAL: bool = false;

    /// Reads the body.
    fn read_new(
        fields: &mut Fields<'_, '_>,
        parent: Parent<Self>,
    ) -> Parsed<Self::New, Self::Partial>;
    /// Creates the resource, or returns the one with the same external id.
    fn create(tx: &mut Tx<'_>, cx: &Context, new: &Self::New) -> Result<Created<Self>, Error>;
    /// Returns the resource with the given external id.
    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error>;

    /// Returns further faults in an invalid body.
    ///
    /// # Errors
    /// The parent does not exist, which is reported instead of any fault.
    fn validate(
        _tx: &mut Tx<'_>,
        _cx: &Context,
        _parent: Parent<Self>,
        _partial: &Self::Partial,
    ) -> Result<Vec<Fault>, Error> {
        Ok(Vec::new())
    }
}

/// A resource that a PUT with its external id creates or replaces.
pub(crate) trait Replaceable: Creatable + Resource<Key = i64> {
    /// Creates or replaces the resource; `expected` checks the preconditions on the stored one.
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &Self::New,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error>;
}

/// A resource that a PATCH edits.
pub(crate) trait Editable: Creatable {
    /// Command that edits the resource.
    type Edit: Send + 'static;
    /// Parts of an invalid edit that can only be validated against the books.
    type PartialEdit: Send + 'static;

    /// Reads the body.
    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<Self::Edit, Self::PartialEdit>;
    /// Edits the resource; `expected` checks the preconditions on the stored one.
    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        key: Self::Key,
        edit: &Self::Edit,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error>;

    /// Returns further faults in an invalid edit of `existing`.
    fn validate_edit(
        _tx: &mut Tx<'_>,
        _cx: &Context,
        _existing: &Self,
        _partial: &Self::PartialEdit,
    ) -> Result<Vec<Fault>, Error> {
        Ok(Vec::new())
    }
}

/// A resource that a DELETE removes.
pub(crate) trait Deletable: Resource {
    /// Removes the resource; `expected` checks the preconditions on the stored one.
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        key: Self::Key,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error>;
}

/// A booked resource that a POST to `…/undo` undoes. The resource remains readable.
pub(crate) trait Undoable: Resource {
    /// Options of the request.
    const TAKES: Takes;

    /// Undoes the booking.
    fn undo(tx: &mut Tx<'_>, cx: &Context, key: Self::Key, how: Undoing) -> Result<Self, Error>;
}

/// A booked resource that a DELETE undoes, with preconditions. The resource remains readable.
pub(crate) trait Cancellable: Resource {
    /// Options of the request.
    const TAKES: Takes;

    /// Undoes the booking; `expected` checks the preconditions on the stored resource.
    fn cancel(
        tx: &mut Tx<'_>,
        cx: &Context,
        key: Self::Key,
        how: Undoing,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error>;
}

/// Constructors of operations with the shared handlers. Paths, queries and bodies follow from the
/// traits.
impl Operation {
    /// Creates the operation that lists the resources.
    pub(crate) fn list_of<R: Listed>(id: &'static str) -> Self {
        Self::list::<R::Body<'static>, _, _>(R::LIST, id, list::<R>).with_query(list_query::<R>)
    }

    /// Creates the operation that creates a resource.
    pub(crate) fn create_of<R: Creatable>(id: &'static str, example: Value) -> Self {
        let schema = input::schema(|fields| R::read_new(fields, Parent::<R>::default()));
        Self::create::<R::Body<'static>, _, _>(R::LIST, id, create::<R>).with_body(schema, example)
    }

    /// Creates the operation that reads a resource.
    pub(crate) fn read_of<R: Resource>(id: &'static str) -> Self {
        Self::read::<R::Body<'static>, _, _>(R::PATH, id, read::<R>).or(&[NOT_FOUND])
    }

    /// Creates the operation that edits a resource.
    pub(crate) fn edit_of<R: Editable>(id: &'static str, example: Value) -> Self {
        Self::change::<R::Body<'static>, _, _>(R::PATH, id, edit::<R>)
            .with_body(input::schema(R::read_edit), example)
    }

    /// Creates the operation that edits a resource that no client creates.
    pub(crate) fn edit_by<R: Resource, C: Send + 'static>(
        id: &'static str,
        example: Value,
        read: Read<C>,
        edit: Edit<R, C>,
    ) -> Self {
        let handler = move |State(app),
                            Extension(cx): Extension<Context>,
                            Path(key): Path<KeySegments<R>>,
                            request: Request| async move {
            let expected = Expected::of(request.headers());
            let json = body::read(request).await?;
            let key = R::Key::parse(&key, R::NAME)?;
            let parsed = input::json(&json, read);
            let Some(command) = parsed.command else {
                return invalid_edit::<R>(&app, cx, key, parsed.faults).await;
            };
            run_if(&app, cx, expected, move |tx, cx, expected| {
                edit(tx, cx, key, &command, expected)
            })
            .await
        };
        Self::change::<R::Body<'static>, _, _>(R::PATH, id, handler)
            .with_body(input::schema(read), example)
    }

    /// Creates the operation that creates or replaces a resource; `path` ends in
    /// `/external/{externalId}`.
    pub(crate) fn replace_of<R: Replaceable>(
        path: &'static str,
        id: &'static str,
        example: Value,
    ) -> Self {
        let schema = input::schema(|fields| R::read_new(fields, ()));
        Self::replace::<R::Body<'static>, _, _>(path, id, replace::<R>).with_body(schema, example)
    }

    /// Creates the operation that removes a resource.
    pub(crate) fn delete_of<R: Deletable>(id: &'static str) -> Self {
        Self::delete::<R::Body<'static>, _, _>(R::PATH, id, Answer::Gone, delete::<R>)
    }

    /// Creates the operation that undoes a resource; `path` is the resource's path with `/undo`.
    pub(crate) fn undo_of<R: Undoable>(path: &'static str, id: &'static str) -> Self {
        Self::undo_by(path, id, R::TAKES, R::undo)
    }

    /// Creates the operation that undoes a resource, or a part of it, with `undo`.
    pub(crate) fn undo_by<R: Resource>(
        path: &'static str,
        id: &'static str,
        takes: Takes,
        undo: Undo<R>,
    ) -> Self {
        let handler = move |State(app), Extension(cx), Path(key): Path<KeySegments<R>>, request| async move {
            let how = undoing::read(request, takes).await?;
            let key = R::Key::parse(&key, R::NAME)?;
            run(&app, cx, move |tx, cx| undo(tx, cx, key, how)).await
        };
        Self::act::<R::Body<'static>, _, _>(path, id, Answer::Changed, handler).undoes(takes)
    }

    /// Creates an operation that executes a command on a resource. `read` reads the command from
    /// the body, which may be missing.
    pub(crate) fn act_on<R: Resource, C: Send + 'static>(
        path: &'static str,
        id: &'static str,
        example: Value,
        read: Read<C>,
        command: Act<R, C>,
    ) -> Self {
        let handler = move |State(app), Extension(cx), Path(key): Path<KeySegments<R>>, request| async move {
            act((app, cx, key), body::read_optional(request).await?, read, command).await
        };
        Self::act::<R::Body<'static>, _, _>(path, id, Answer::Changed, handler)
            .with_body(input::schema(read), example)
    }

    /// Creates the operation that undoes a resource by DELETE.
    pub(crate) fn cancel_of<R: Cancellable>(id: &'static str) -> Self {
        Self::delete::<R::Body<'static>, _, _>(R::PATH, id, Answer::Changed, cancel::<R>)
            .undoes(R::TAKES)
    }
}

/// Removes the last segment of a path, with its slash.
const fn without_last_segment(path: &str) -> &str {
    let mut end = path.len();
    while end > 0 {
        end -= 1;
        if path.as_bytes()[end] == b'/' {
            break;
        }
    }
    path.split_at(end).0
}

/// Reads the whole query of a list: the filter, the id that the page follows, and the page size.
pub(crate) fn list_query<R: Listed>(query: &mut Query) -> (R::Filter, i64, i64) {
    let filter = R::Filter::read(query);
    let first = if R::NEWEST_FIRST { i64::MAX } else { 0 };
    (filter, query.cursor(query::whole).unwrap_or(first), query.limit())
}

/// Returns the serialised representation of a resource.
pub(crate) fn shown<R: Resource>(resource: &R, cx: &Context) -> Vec<u8> {
    reply::body(&resource.body(cx))
}

/// Reads a resource and returns its serialised representation.
pub(crate) fn current<R: Resource>(
    tx: &mut Tx<'_>,
    cx: &Context,
    key: R::Key,
) -> Result<Vec<u8>, Error> {
    Ok(shown(&R::find(tx, cx, key)?, cx))
}

/// URL of a resource.
pub(crate) fn address<R: Resource>(base: &str, resource: &R) -> String {
    format!("{base}/api/v1{}", resource.key().fill(R::PATH))
}

/// Handles `GET` of the list.
pub(crate) async fn list<R: Listed>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(parent): Path<ParentSegments<R>>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, from, limit) = listing.read(list_query::<R>)?;
    let parent = Parent::<R>::parse(&parent, R::PARENT)?;
    let account = cx.actor.account;
    let list = move |tx: &mut Tx<'_>| {
        let page = R::list(tx, &cx, parent, &filter, from, limit)?;
        let rows = reply::rows(&page, |last| last.key().id().to_string(), |row| shown(row, &cx));
        rows.of_changes(tx, account, filter.updated())
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

/// Handles `GET` of a single resource.
pub(crate) async fn read<R: Resource>(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(key): Path<KeySegments<R>>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let key = R::Key::parse(&key, R::NAME)?;
    let body = books.query(cx.actor.account, move |tx| current::<R>(tx, &cx, key)).await?;
    Ok(reply::resource_as(&headers, body))
}

/// Handles `POST` to the list. If the external id is known, the response contains the existing
/// resource, even if the rest of the body is invalid.
pub(crate) async fn create<R: Creatable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(parent): Path<ParentSegments<R>>,
    request: Request,
) -> Result<Response, Problem> {
    let json = if R::BODY_OPTIONAL {
        body::read_optional(request).await?
    } else {
        body::read(request).await?
    };
    let parent = Parent::<R>::parse(&parent, R::PARENT)?;
    let parsed = input::json(&json, |fields| R::read_new(fields, parent));
    let account = cx.actor.account;
    let creation = once::creation(account, R::KIND, &parent.fill(R::LIST), &json);
    let (base, caller) = (app.config().base_url.clone(), cx.clone());
    let show = move |outcome| {
        reply::created(outcome, |made: &R| address(&base, made), |made| shown(&made, &caller))
    };
    match parsed.command {
        Some(command) => {
            once::create(&app, account, creation, move |tx| R::create(tx, &cx, &command), show)
                .await
        }
        None => {
            let existing = move |tx: &mut Tx<'_>| match R::find_by_external_id(
                tx,
                &cx,
                parsed.external_id.as_deref(),
            )? {
                Some(existing) => Ok(existing),
                None => {
                    let further = R::validate(tx, &cx, parent, &parsed.partial)?;
                    Err(Error::Invalid([parsed.faults.clone(), further].concat()))
                }
            };
            once::existing(&app, account, creation, existing, show).await
        }
    }
}

/// Preconditions of a request: `If-Match`, and for a PUT also `If-None-Match` (RFC 9110, section
/// 13.1).
pub(crate) struct Expected {
    /// Values of `If-Match`. If there are none, every state of the resource matches.
    tags: Vec<String>,
    /// Values of `If-None-Match`.
    others: Vec<String>,
}

impl Expected {
    /// Reads the preconditions on an existing resource from the headers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self { tags: texts(headers, header::IF_MATCH), others: Vec::new() }
    }

    /// Reads the preconditions of a PUT from the headers.
    fn of_replacement(headers: &HeaderMap) -> Self {
        Self {
            tags: texts(headers, header::IF_MATCH),
            others: texts(headers, header::IF_NONE_MATCH),
        }
    }

    /// Whether a representation meets the preconditions.
    pub(crate) fn is_met_by(&self, body: &impl Serialize) -> bool {
        reply::matches(&self.tags, body) && !reply::is_named(&self.others, body)
    }

    /// Whether the stored resource, or its absence, meets the preconditions.
    fn is_met_by_any<R: Resource>(&self, existing: Option<&R>, cx: &Context) -> bool {
        existing.map_or(self.tags.is_empty(), |existing| self.is_met_by(&existing.body(cx)))
    }

    /// Returns the function that converts errors into problems. The problem for a failed
    /// precondition gets a detail if `If-Match` is malformed, or if only `If-None-Match` was sent.
    pub(crate) fn reported(&self) -> impl Fn(Error) -> Problem + use<> {
        let detail = if !self.tags.is_empty()
            && !self.tags.iter().any(|tags| reply::are_strong_tags(tags))
        {
            Some(
                "If-Match names no state: send the ETag as it was given, whole, with its quotation marks and without W/.",
            )
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

/// Values of a header.
fn texts(headers: &HeaderMap, name: header::HeaderName) -> Vec<String> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("").to_owned()).collect()
}

/// Executes a command with preconditions and responds with the resource.
pub(crate) async fn run_if<R: Resource>(
    app: &AppState,
    cx: Context,
    expected: Expected,
    mut command: impl FnMut(&mut Tx<'_>, &Context, &dyn Fn(&R) -> bool) -> Result<R, Error>
    + Send
    + 'static,
) -> Result<Response, Problem> {
    let (reported, caller, account) = (expected.reported(), cx.clone(), cx.actor.account);
    let command = move |tx: &mut Tx<'_>| {
        command(tx, &cx, &|existing| expected.is_met_by(&existing.body(&cx)))
    };
    let resource = app.execute(account, command).await.map_err(reported)?;
    Ok(reply::changed(&resource.body(&caller)).into_response())
}

/// Handles `PATCH`: an omitted field keeps its value, null clears a field.
pub(crate) async fn edit<R: Editable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(key): Path<KeySegments<R>>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let json = body::read(request).await?;
    let key = R::Key::parse(&key, R::NAME)?;
    let parsed = input::json(&json, R::read_edit);
    if let Some(command) = parsed.command {
        return run_if(&app, cx, expected, move |tx, cx, expected| {
            R::edit(tx, cx, key, &command, expected)
        })
        .await;
    }
    let account = cx.actor.account;
    let validate = move |tx: &mut Tx<'_>| {
        // A missing resource is a 404, even if the body has faults.
        let existing = R::find(tx, &cx, key)?;
        let mut faults = parsed.faults.clone();
        faults.extend(R::validate_edit(tx, &cx, &existing, &parsed.partial)?);
        if R::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?
            .is_some_and(|other| other.key() != key)
        {
            faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
        }
        Ok(faults)
    };
    Err(Problem::invalid(app.query(account, validate).await?))
}

/// Answers an edit with faults; a missing resource is a 404 in any case.
async fn invalid_edit<R: Resource>(
    app: &AppState,
    cx: Context,
    key: R::Key,
    faults: Vec<Fault>,
) -> Result<Response, Problem> {
    app.query(cx.actor.account, move |tx| R::find(tx, &cx, key).map(drop)).await?;
    Err(Problem::invalid(faults))
}

/// Executes a fixed edit, for an operation without a body.
pub(crate) async fn edit_as<R: Editable>(
    app: &AppState,
    cx: Context,
    headers: &HeaderMap,
    key: &KeySegments<R>,
    edit: R::Edit,
) -> Result<Response, Problem> {
    let key = R::Key::parse(key, R::NAME)?;
    run_if(app, cx, Expected::of(headers), move |tx, cx, expected| {
        R::edit(tx, cx, key, &edit, expected)
    })
    .await
}

/// Handles `PUT` with an external id: creates the resource (201) or replaces it (200).
pub(crate) async fn replace<R: Replaceable>(
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
        Problem::invalid([FaultAt::parameter(
            "externalId",
            fault.reason.code(),
            input::message(&fault),
        )])
    })?;
    let mut parsed = input::json(&json, |fields| R::read_new(fields, ()));
    if parsed.external_id.as_ref().is_some_and(|own| *own != external_id) {
        parsed.faults.push(Fault::new("/externalId", Reason::ExternalIdDiffers));
    }
    let (account, caller) = (cx.actor.account, cx.clone());
    let command = parsed.command.filter(|_| parsed.faults.is_empty());
    let Some(command) = command else {
        let validate = move |tx: &mut Tx<'_>| {
            let further = R::validate(tx, &cx, (), &parsed.partial)?;
            Ok([parsed.faults.clone(), further].concat())
        };
        return Err(Problem::invalid(app.query(account, validate).await?));
    };
    let creation = once::creation_as(account, R::KIND, R::LIST, &json, external_id.clone());
    let replace = move |tx: &mut Tx<'_>| {
        let is_expected = |existing: Option<&R>| expected.is_met_by_any(existing, &cx);
        let outcome = R::replace(tx, &cx, &external_id, &command, &is_expected)?;
        if matches!(outcome, Upserted::New(_)) {
            creation.keep(tx)?;
        }
        Ok(outcome)
    };
    let reply = match app.execute(account, replace).await.map_err(reported)? {
        Upserted::New(made) => reply::created(
            Created::New(made),
            |made| address(&app.config().base_url, made),
            |made| shown(&made, &caller),
        ),
        Upserted::Replaced(resource) => reply::changed(&resource.body(&caller)),
    };
    Ok(reply.into_response())
}

/// Handles a `DELETE` that removes the resource (204).
pub(crate) async fn delete<R: Deletable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(key): Path<KeySegments<R>>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let expected = Expected::of(&headers);
    let reported = expected.reported();
    let key = R::Key::parse(&key, R::NAME)?;
    let account = cx.actor.account;
    let delete = move |tx: &mut Tx<'_>| {
        R::delete(tx, &cx, key, &|existing| expected.is_met_by(&existing.body(&cx)))
    };
    app.execute(account, delete).await.map_err(reported)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Handles a `DELETE` that undoes the booking, and responds with the resource.
pub(crate) async fn cancel<R: Cancellable>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(key): Path<KeySegments<R>>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let how = undoing::read(request, R::TAKES).await?;
    let key = R::Key::parse(&key, R::NAME)?;
    run_if(&app, cx, expected, move |tx, cx, expected| R::cancel(tx, cx, key, how, expected)).await
}

/// Executes the command of a POST and responds with the resource.
pub(crate) async fn run<R: Resource>(
    app: &AppState,
    cx: Context,
    mut command: impl FnMut(&mut Tx<'_>, &Context) -> Result<R, Error> + Send + 'static,
) -> Result<Response, Problem> {
    let (account, caller) = (cx.actor.account, cx.clone());
    let show = move |resource: R| reply::changed(&resource.body(&caller));
    once::answer(app, account, move |tx| command(tx, &cx), show).await
}

/// Reads the command of a POST from the body, executes it on a resource and responds with the
/// result. A missing resource is reported instead of any faults in the body.
pub(crate) async fn act<R: Resource, C: Send + 'static>(
    (app, cx, key): (AppState, Context, KeySegments<R>),
    json: Raw,
    read: Read<C>,
    command: Act<R, C>,
) -> Result<Response, Problem> {
    let key = R::Key::parse(&key, R::NAME)?;
    let parsed = input::json(&json, read);
    let Some(input) = parsed.command else {
        app.query(cx.actor.account, move |tx| R::find(tx, &cx, key).map(drop)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    run(&app, cx, move |tx, cx| command(tx, cx, key, &input)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_list_is_that_of_a_resource_without_its_id() {
        assert_eq!(without_last_segment("/contacts/{id}"), "/contacts");
        assert_eq!(
            without_last_segment("/invoices/{id}/payments/{paymentId}"),
            "/invoices/{id}/payments"
        );
    }

    #[test]
    fn ids_replace_the_placeholders_of_a_path_in_order() {
        let path = "/invoices/{id}/payments/{paymentId}";
        assert_eq!(().fill(path), path);
        assert_eq!(3.fill(path), "/invoices/3/payments/{paymentId}");
        assert_eq!((3, 7).fill(path), "/invoices/3/payments/7");
    }
}
