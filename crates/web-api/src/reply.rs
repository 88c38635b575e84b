//! Responses: a resource with its entity tag, a page of a list, a created resource.

use super::query::Listing;
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use service::{Created, Error, idempotency::Kept};
use std::fmt::Write as _;
use store::{Tx, Updated, books, page::PAGE_BYTES};
use web_core::http::entity_tags::{entity_tag, has_already, names, with};

fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn bytes(resource: &impl Serialize) -> Vec<u8> {
    let mut body = Vec::with_capacity(2048);
    // Our types have text keys and finite numbers, so they always serialise, and a Vec accepts
    // every write.
    let _ = serde_json::to_writer(&mut body, resource);
    body
}

/// Response with a resource, or 304 if the client's copy is current (RFC 9110, section 13.1.2).
pub fn resource(headers: &HeaderMap, resource: &impl Serialize) -> Response {
    resource_as(headers, bytes(resource))
}

/// Like [`resource`], for a resource that is already serialised.
pub(crate) fn resource_as(headers: &HeaderMap, body: Vec<u8>) -> Response {
    let tag = entity_tag(&body);
    if has_already(headers, &tag) {
        return with(StatusCode::NOT_MODIFIED.into_response(), header::ETAG, &tag);
    }
    with(json(StatusCode::OK, body), header::ETAG, &tag)
}

/// Weak entity tag of a document. The tag is weak because the document is also sent compressed, as
/// different bytes with the same content (RFC 9110, section 8.8.1).
pub fn weak_tag(document: &[u8]) -> String {
    format!("W/{}", entity_tag(document))
}

/// Response with a stored JSON document and its weak tag, or 304 if the client's copy is current.
pub fn document(asked: &HeaderMap, document: &Bytes, weak_tag: &str) -> Response {
    if has_already(asked, weak_tag.trim_start_matches("W/")) {
        return with(StatusCode::NOT_MODIFIED.into_response(), header::ETAG, weak_tag);
    }
    with(json(StatusCode::OK, document.clone()), header::ETAG, weak_tag)
}

/// Response to a command.
pub struct Reply {
    status: StatusCode,
    /// URL of the created resource.
    pub location: Option<String>,
    /// Serialised resource.
    body: Vec<u8>,
    /// Body of the response to a repeated request, if different from `body`.
    kept: Option<Vec<u8>>,
    has_tag: bool,
    is_repeat: bool,
    /// Whether the existing resource was created by a request with a different body.
    differs: bool,
}

impl Reply {
    fn new(status: StatusCode, body: Vec<u8>) -> Self {
        Self {
            status,
            location: None,
            body,
            kept: None,
            has_tag: true,
            is_repeat: status == StatusCode::OK,
            differs: false,
        }
    }

    /// Sets the body of the response to a repeated request, which lacks the secret that is shown
    /// only once.
    pub fn shown_once(self, kept: Vec<u8>) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// Sets whether the existing resource was created by a request with a different body.
    pub fn differing(self, differs: bool) -> Self {
        Self { differs, ..self }
    }

    /// Sets whether the request repeats an earlier one.
    pub fn repeating(self, is_repeat: bool) -> Self {
        Self { is_repeat, ..self }
    }

    /// Body of the response to a repeated request.
    pub fn kept(&self) -> Vec<u8> {
        self.kept.as_ref().unwrap_or(&self.body).clone()
    }

    /// Returns the stored response to an earlier request with the same key and content.
    pub fn again(kept: Kept) -> Self {
        Self { location: kept.location, ..Self::new(StatusCode::OK, kept.answer) }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let tag = self.has_tag.then(|| entity_tag(&self.body));
        let mut response = json(self.status, self.body);
        if let Some(location) = self.location {
            response = with(response, header::LOCATION, &location);
        }
        if let Some(tag) = tag {
            response = with(response, header::ETAG, &tag);
        }
        if self.is_repeat {
            response.headers_mut().insert("idempotent-replay", HeaderValue::from_static("true"));
            if self.differs {
                response
                    .headers_mut()
                    .insert("idempotent-replay-differs", HeaderValue::from_static("true"));
            }
        }
        response
    }
}

/// Returns the response with a resource after a change.
pub fn changed(resource: &impl Serialize) -> Reply {
    changed_as(bytes(resource))
}

/// Like [`changed`], for a resource that is already serialised.
pub fn changed_as(body: Vec<u8>) -> Reply {
    Reply { is_repeat: false, ..Reply::new(StatusCode::OK, body) }
}

/// Whether a resource matches the values of `If-Match` (RFC 9110, section 13.1.1). Without any
/// values, every resource matches.
pub fn matches(expected: &[String], resource: &impl Serialize) -> bool {
    let tag = entity_tag(&bytes(resource));
    // Strong comparison: a weak tag never matches.
    let named =
        |tags: &String| tags.split(',').map(str::trim).any(|named| named == "*" || named == tag);
    expected.is_empty() || expected.iter().any(named)
}

/// Whether the values of `If-None-Match` include the tag of a resource.
pub fn is_named(values: &[String], resource: &impl Serialize) -> bool {
    let tag = entity_tag(&bytes(resource));
    values.iter().any(|tags| names(tags, &tag))
}

/// Whether a value of `If-Match` contains `*` or a tag that can match: quoted and not weak.
pub fn are_strong_tags(tags: &str) -> bool {
    tags.split(',')
        .map(str::trim)
        .any(|tag| tag == "*" || (tag.len() > 1 && tag.starts_with('"') && tag.ends_with('"')))
}

/// Response with the created resource (201), or with an existing one that has the same external id
/// (200).
pub fn created<T>(
    outcome: Created<T>,
    location: impl FnOnce(&T) -> String,
    show: impl FnOnce(T) -> Vec<u8>,
) -> Reply {
    let status = match &outcome {
        Created::New(_) => StatusCode::CREATED,
        Created::Existing(_) => StatusCode::OK,
    };
    let resource = outcome.into_inner();
    Reply { location: Some(location(&resource)), ..Reply::new(status, show(resource)) }
}

/// Response with the accepted work (202), or with existing work that has the same external id
/// (200).
pub fn accepted<T>(outcome: Created<T>, show: impl FnOnce(T) -> Vec<u8>) -> Reply {
    let status = match &outcome {
        Created::New(_) => StatusCode::ACCEPTED,
        Created::Existing(_) => StatusCode::OK,
    };
    Reply { has_tag: false, ..Reply::new(status, show(outcome.into_inner())) }
}

/// Serialises a resource.
pub fn body(resource: &impl Serialize) -> Vec<u8> {
    bytes(resource)
}

/// A page of a list: the body up to `nextCursor`, and the position of the last row if more rows
/// follow.
pub struct Page {
    body: Vec<u8>,
    next: Option<String>,
    /// Time of the latest change that later pages include.
    until: Option<Timestamp>,
}

impl Page {
    /// Makes the later pages of a list with `updatedSince` exclude all changes after this page.
    /// Runs in the snapshot of the page.
    ///
    /// # Errors
    /// The storage failed.
    pub fn of_changes(
        self,
        tx: &mut Tx<'_>,
        account: i64,
        updated: Option<Updated>,
    ) -> Result<Self, Error> {
        let until = match updated {
            Some(Updated { until: None, .. }) if self.next.is_some() => {
                Some(books::stamped_at(tx, account)?)
            }
            Some(Updated { until, .. }) => until,
            None => None,
        };
        Ok(Self { until, ..self })
    }
}

/// Number of bytes reserved for the end of the body.
const ENDING: usize = 512;

/// Writes as many rows of a page as fit. `place` returns the position of a row in the list. Lists
/// call this function inside their query, on the thread that reads the rows.
pub fn rows<T>(
    page: &store::Page<T>,
    place: impl Fn(&T) -> String,
    show: impl Fn(&T) -> Vec<u8>,
) -> Page {
    let mut body = Vec::with_capacity(8 * 1024);
    body.extend_from_slice(br#"{"data":["#);
    let (mut last, mut more) = (None, page.more);
    for row in &page.rows {
        let shown = show(row);
        if last.is_some() {
            if body.len() + shown.len() + ENDING > PAGE_BYTES {
                more = true;
                break;
            }
            body.push(b',');
        }
        body.extend_from_slice(&shown);
        last = Some(row);
    }
    Page { body, next: last.filter(|_| more).map(place), until: None }
}

/// Response with a page of a list.
pub(crate) fn page(page: Page, base_url: &str, listing: &Listing) -> Response {
    let next = page.next.as_deref().map(|place| listing.cursor_text(place, page.until));
    continued(
        page,
        next,
        ("cursor", &format!("{base_url}/api/v1{}", listing.path), listing.query.as_deref()),
    )
}

/// An empty page.
pub fn no_rows() -> Page {
    rows(&store::Page { rows: Vec::<()>::new(), more: false }, |()| String::new(), |()| Vec::new())
}

/// Response with a part of the change feed; `next` is the sequence number to continue after.
pub fn feed(page: Page, next: Option<i64>, address: &str, query: Option<&str>) -> Response {
    continued(page, next.map(|next| next.to_string()), ("after", address, query))
}

/// Response with a page. The `Link` header sets `parameter` to the position of the next page.
fn continued(
    page: Page,
    next_cursor: Option<String>,
    (parameter, address, query): (&str, &str, Option<&str>),
) -> Response {
    let Page { mut body, .. } = page;
    body.extend_from_slice(br#"],"nextCursor":"#);
    // A text always serialises, and a Vec accepts every write.
    let _ = serde_json::to_writer(&mut body, &next_cursor);
    body.push(b'}');
    let link = next_cursor.as_deref().map(|cursor| {
        // Parameter names are compared after decoding, because they may be percent-encoded.
        let is_cursor = |pair: &str| {
            form_urlencoded::parse(pair.as_bytes())
                .next()
                .is_some_and(|(name, _)| name == parameter)
        };
        let kept: Vec<&str> = query
            .unwrap_or("")
            .split('&')
            .filter(|pair| !pair.is_empty() && !is_cursor(pair))
            .collect();
        let mut target = String::from(address);
        for (place, pair) in
            kept.iter().copied().chain([format!("{parameter}={cursor}").as_str()]).enumerate()
        {
            let _ = write!(target, "{}{pair}", if place == 0 { '?' } else { '&' });
        }
        format!("<{target}>; rel=\"next\"")
    });
    let response = json(StatusCode::OK, body);
    match link {
        Some(link) => with(response, header::LINK, &link),
        None => response,
    }
}
