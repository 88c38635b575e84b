//! Sessions as the pages use them.

use crate::{App, address::ClientAddress, app::texts::Texts};
use axum::http::{header, request::Parts};
use service::{Error, people::sessions};

pub(crate) use service::people::{SignedIn, Stage, Visitor, sessions::hash};

/// Whose session the cookie is; notes every now and then that it is used.
pub(crate) async fn find(app: &App, token: &str) -> Result<Option<SignedIn>, Error> {
    let (hash, now) = (hash(token), app.now());
    let known = app.read(move |tx| sessions::look_up(tx, &hash, now)).await?;
    if known.as_ref().is_some_and(|known| known.needs_touch(now)) {
        app.write(move |tx| sessions::touch(tx, &hash, now)).await?;
    }
    Ok(known)
}

/// The language that an account's owner chose.
pub(crate) fn language(known: &SignedIn) -> Option<Texts> {
    known.account.language.as_deref().and_then(Texts::of_tag)
}

/// Where a request comes from.
pub(crate) fn visitor(parts: &Parts) -> Visitor {
    let address = parts.extensions.get::<ClientAddress>().map_or_else(String::new, ToString::to_string);
    let user_agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("");
    Visitor::new(&address, user_agent)
}
