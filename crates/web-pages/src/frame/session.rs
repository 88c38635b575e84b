//! Session and client of a page request.

use crate::texts::Texts;
use axum::http::{header, request::Parts};
use service::{
    Error,
    people::{language_of, sessions},
};
pub use service::{
    environment::Visitor,
    people::{SignedIn, Stage},
};
use store::Lane;
use tracing::warn;
use web_core::{AppState, address::ClientAddress};

/// Looks up the session of a cookie. The time of last use is stored about once a minute.
pub async fn find(app: &AppState, token: &str) -> Result<Option<SignedIn>, Error> {
    let (hash, env) = (sessions::hash(token), app.environment(Visitor::default()));
    let asked = env.clone();
    let found = app
        .query(Lane::NO_ACCOUNT.single(), move |tx| sessions::look_up(tx, &asked, &hash))
        .await?;
    if found.as_ref().is_some_and(|found| found.needs_touch(env.now))
        && let Err(error) =
            app.execute(Lane::NO_ACCOUNT, move |tx| sessions::touch(tx, &env, &hash)).await
    {
        warn!(%error, "failed to record the use of a session");
    }
    Ok(found)
}

/// Language chosen by the account's owner.
pub fn language(who: &SignedIn) -> Option<Texts> {
    language_of(&who.account).map(|language| Texts { language })
}

/// Client of the request.
pub fn visitor(parts: &Parts) -> Visitor {
    let address =
        parts.extensions.get::<ClientAddress>().map(ToString::to_string).unwrap_or_default();
    let agent = parts
        .headers
        .get(header::USER_AGENT)
        .map(|value| String::from_utf8_lossy(value.as_bytes()));
    Visitor::new(&address, agent.as_deref().unwrap_or_default())
}
