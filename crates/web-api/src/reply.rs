//! Answers: a resource with its entity tag, a page of a list, something created.

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
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn bytes(resource: &impl Serialize) -> Vec<u8> {
    let mut body = Vec::with_capacity(2048);
    // Our own types have text keys and numbers that are numbers, so they always serialise, and a Vec takes whatever is written.
    let _ = serde_json::to_writer(&mut body, resource);
    body
}

/// A resource, or 304 when the asker has it already (RFC 9110, section 13.1.2).
pub fn resource(asked: &HeaderMap, resource: &impl Serialize) -> Response {
    let body = bytes(resource);
    let tag = entity_tag(&body);
    if has_already(asked, &tag) {
        return with(StatusCode::NOT_MODIFIED.into_response(), header::ETAG, &tag);
    }
    with(json(StatusCode::OK, body), header::ETAG, &tag)
}

/// The tag of a document that is also sent compressed: the same text, though not the same bytes (RFC 9110, section 8.8.1).
pub fn weak_tag(document: &[u8]) -> String {
    format!("W/{}", entity_tag(document))
}

/// A document in JSON that is kept with its weak tag, or 304 when the asker has it already.
pub fn document(asked: &HeaderMap, document: &Bytes, weak_tag: &str) -> Response {
    if has_already(asked, weak_tag.trim_start_matches("W/")) {
        return with(StatusCode::NOT_MODIFIED.into_response(), header::ETAG, weak_tag);
    }
    with(json(StatusCode::OK, document.clone()), header::ETAG, weak_tag)
}

/// The answer to a command.
pub struct Reply {
    status: StatusCode,
    /// Where what was made is.
    pub location: Option<String>,
    /// The resource.
    body: Vec<u8>,
    /// The resource as whoever repeats the request gets it, where that is not the same.
    kept: Option<Vec<u8>>,
    has_tag: bool,
    is_repeat: bool,
    /// Whether another body made the resource.
    differs: bool,
}

impl Reply {
    fn new(status: StatusCode, body: Vec<u8>) -> Self {
        Self { status, location: None, body, kept: None, has_tag: true, is_repeat: status == StatusCode::OK, differs: false }
    }

    /// The same, where not everything is shown a second time: `kept` is what a repeat is answered with.
    pub fn shown_once(self, kept: Vec<u8>) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// The same, for a resource that another body made.
    pub fn differing(self, differs: bool) -> Self {
        Self { differs, ..self }
    }

    /// What a repeat is answered with.
    pub fn kept(&self) -> Vec<u8> {
        self.kept.as_ref().unwrap_or(&self.body).clone()
    }

    /// What was answered to the same request before.
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
                response.headers_mut().insert("idempotent-replay-differs", HeaderValue::from_static("true"));
            }
        }
        response
    }
}

/// A resource after a change.
pub fn changed(resource: &impl Serialize) -> Reply {
    changed_as(bytes(resource))
}

/// The bytes of a resource after a change.
pub fn changed_as(body: Vec<u8>) -> Reply {
    Reply { is_repeat: false, ..Reply::new(StatusCode::OK, body) }
}

/// Whether a resource is what the values of `If-Match` expect (RFC 9110, section 13.1.1); without any it always is.
pub fn matches(expected: &[String], resource: &impl Serialize) -> bool {
    let tag = entity_tag(&bytes(resource));
    // Compared strongly: a weak tag never matches.
    let named = |tags: &String| tags.split(',').map(str::trim).any(|named| named == "*" || named == tag);
    expected.is_empty() || expected.iter().any(named)
}

/// Whether a resource is one of those that the values of `If-None-Match` name.
pub fn is_named(values: &[String], resource: &impl Serialize) -> bool {
    let tag = entity_tag(&bytes(resource));
    values.iter().any(|tags| names(tags, &tag))
}

/// Whether one of the tags of an `If-Match` is written as a tag that can match: in quotation marks and not weak.
pub fn are_strong_tags(tags: &str) -> bool {
    tags.split(',').map(str::trim).any(|tag| tag == "*" || (tag.len() > 1 && tag.starts_with('"') && tag.ends_with('"')))
}

/// What a create made (201) or found (200).
pub fn created<T>(outcome: Created<T>, location: impl FnOnce(&T) -> String, show: impl FnOnce(T) -> Vec<u8>) -> Reply {
    let status = match &outcome {
        Created::New(_) => StatusCode::CREATED,
        Created::Existing(_) => StatusCode::OK,
    };
    let resource = outcome.into_inner();
    Reply { location: Some(location(&resource)), ..Reply::new(status, show(resource)) }
}

/// What will be done (202), or is known by its external id (200).
pub fn accepted<T>(outcome: Created<T>, show: impl FnOnce(T) -> Vec<u8>) -> Reply {
    let status = match &outcome {
        Created::New(_) => StatusCode::ACCEPTED,
        Created::Existing(_) => StatusCode::OK,
    };
    Reply { has_tag: false, ..Reply::new(status, show(outcome.into_inner())) }
}

/// The bytes of a resource.
pub fn body(resource: &impl Serialize) -> Vec<u8> {
    bytes(resource)
}

/// A page of a list as it is answered: what stands before its cursor, and the place after its last row when there are more.
pub struct Page {
    body: Vec<u8>,
    next: Option<String>,
    /// Up to which moment the pages that follow are read.
    until: Option<Timestamp>,
}

impl Page {
    /// The page of a list by when rows changed: those that follow leave out what changes from now on. Asked in the snapshot that the page was read in.
    ///
    /// # Errors
    /// The storage failed.
    pub fn of_changes(self, tx: &mut Tx<'_>, account: i64, updated: Option<Updated>) -> Result<Self, Error> {
        let until = match updated {
            Some(Updated { until: None, .. }) if self.next.is_some() => Some(books::stamped_at(tx, account)?),
            Some(Updated { until, .. }) => until,
            None => None,
        };
        Ok(Self { until, ..self })
    }
}

/// What the body of a page ends with beside its cursor, with room to spare.
const ENDING: usize = 512;

/// Shows the rows of a page, as many as it has room for. `place` tells where a row is in the list. Made where the rows are read, which
/// is not on a thread of the runtime.
pub fn rows<T>(page: &store::Page<T>, place: impl Fn(&T) -> String, show: impl Fn(&T) -> Vec<u8>) -> Page {
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

/// A page of a list at an origin.
pub(crate) fn page(page: Page, base_url: &str, listing: &Listing) -> Response {
    let next = page.next.as_deref().map(|place| listing.cursor_text(place, page.until));
    continued(page, next, ("cursor", &format!("{base_url}/api/v1{}", listing.path), listing.query.as_deref()))
}

/// A page of a list in which there is nothing.
pub fn no_rows() -> Page {
    rows(&store::Page { rows: Vec::<()>::new(), more: false }, |()| String::new(), |()| Vec::new())
}

/// A part of the change feed; `next` is the sequence number after which it goes on.
pub fn feed(page: Page, next: Option<i64>, address: &str, query: Option<&str>) -> Response {
    continued(page, next.map(|next| next.to_string()), ("after", address, query))
}

/// A page, and what to send as which parameter for the one after it.
fn continued(page: Page, next_cursor: Option<String>, (parameter, address, query): (&str, &str, Option<&str>)) -> Response {
    let Page { mut body, .. } = page;
    body.extend_from_slice(br#"],"nextCursor":"#);
    // A text always serialises, and a Vec takes whatever is written.
    let _ = serde_json::to_writer(&mut body, &next_cursor);
    body.push(b'}');
    let link = next_cursor.as_deref().map(|cursor| {
        // Compared as it is read: a name may be percent-encoded.
        let is_cursor = |pair: &str| form_urlencoded::parse(pair.as_bytes()).next().is_some_and(|(name, _)| name == parameter);
        let kept: Vec<&str> = query.unwrap_or("").split('&').filter(|pair| !pair.is_empty() && !is_cursor(pair)).collect();
        let mut target = String::from(address);
        for (place, pair) in kept.iter().copied().chain([format!("{parameter}={cursor}").as_str()]).enumerate() {
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
