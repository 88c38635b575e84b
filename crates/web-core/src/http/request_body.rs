//! Request bodies. The part that a handler leaves unread is received and discarded.

use axum::body::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::runtime::Handle;

/// Maximum number of unread bytes that are received and discarded per body.
const DISCARDED: usize = 64 * 1024 * 1024;
/// Maximum pause between two parts of a discarded body, and maximum time to discard the body.
const PAUSE: Duration = Duration::from_secs(3);
const TIMEOUT: Duration = Duration::from_secs(20);

/// A request's body. When it is dropped, the unread rest is received and discarded while the
/// response is sent: most clients read no response before they have sent everything, and if the
/// connection closes earlier they see only a broken connection.
pub struct RequestBody {
    incoming: Option<Incoming>,
    /// Whether the client waits for permission to send (`Expect: 100-continue`). After a rejection,
    /// such a client sends no body.
    is_announced: bool,
}

impl RequestBody {
    /// Wraps a body; `is_announced` means that the client sent `Expect: 100-continue`.
    pub fn new(incoming: Incoming, is_announced: bool) -> Self {
        Self { incoming: Some(incoming), is_announced }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(incoming) = &mut self.incoming else { return Poll::Ready(None) };
        let frame = std::task::ready!(Pin::new(incoming).poll_frame(cx));
        // The body has begun to arrive, so the client no longer waits for permission to send it.
        self.is_announced = false;
        if !matches!(frame, Some(Ok(_))) {
            self.incoming = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(incoming) =
            self.incoming.take().filter(|incoming| !self.is_announced && !incoming.is_end_stream())
        else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(tokio::time::timeout(TIMEOUT, discard(incoming)));
    }
}

async fn discard(mut body: Incoming) {
    let mut remaining = DISCARDED;
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(PAUSE, body.frame()).await {
        let Some(rest) = remaining.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else {
            return;
        };
        remaining = rest;
    }
}
