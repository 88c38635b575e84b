//! Closes the connection if the body of the request was not read to its end.

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
};
use hyper::body::{Frame, SizeHint};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

/// Whether the body of a request has been read to its end.
pub(super) struct BodyEnd(Arc<AtomicBool>);

/// Wraps the body of a request, to record whether it is read to its end.
pub(super) fn watch(request: Request) -> (Request, BodyEnd) {
    let ended = Arc::new(AtomicBool::new(request.body().is_end_stream()));
    if ended.load(Ordering::Relaxed) {
        return (request, BodyEnd(ended));
    }
    let watch = Arc::clone(&ended);
    (request.map(|body| Body::new(Watched { body, ended: watch })), BodyEnd(ended))
}

impl BodyEnd {
    /// Announces that the connection closes if the body was not read to its end: otherwise the rest
    /// would be parsed as the next request.
    pub(super) fn close_unless_read(&self, headers: &mut HeaderMap) {
        if !self.0.load(Ordering::Relaxed) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

struct Watched {
    body: Body,
    ended: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
