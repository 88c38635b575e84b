//! Validation of webhook settings, shared by the API and the pages.

use crate::{AppState, input::Parsed};
use service::webhooks::Sending;

/// Returns the dependencies of webhook commands.
pub fn sending(app: &AppState) -> Sending {
    Sending { key: app.encryption_key().cloned(), targets: app.config().webhooks.targets() }
}

/// Validates the webhook's URL, and reports its fault before all others.
pub fn validated<C>(parsed: Parsed<C, Option<String>>, sending: &Sending) -> Parsed<C> {
    let of_url = parsed.partial.as_deref().and_then(|url| sending.fault_of(url));
    let faults: Vec<_> = of_url.into_iter().chain(parsed.faults).collect();
    Parsed {
        external_id: parsed.external_id,
        command: parsed.command.filter(|_| faults.is_empty()),
        partial: (),
        faults,
    }
}
