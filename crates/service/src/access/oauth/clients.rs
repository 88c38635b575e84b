//! Partner applications: registered by the operator, with a name that people will be shown.

use super::redirect;
use crate::{
    Environment, Error, Fault, Reason,
    secrets::{self, SecretKind},
    text,
};
use store::{Tx, keys::Scopes, oauth::clients};
use subtle::ConstantTimeEq;

pub use store::oauth::clients::Client;

/// What the id of a client begins with when the operator does not give one.
const ID_PREFIX: &str = "gb_client_";
/// How many redirect URIs a client may have.
const MOST_URIS: usize = 20;

/// What is needed to register an application.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// What people are shown.
    pub name: String,
    /// Where the application may be sent back to.
    pub redirect_uris: Vec<String>,
    /// What it may ask for.
    pub scopes: Scopes,
    /// Its id, when it comes from another server.
    pub id: Option<String>,
    /// Its secret, when it comes from another server.
    pub secret: Option<String>,
}

/// An application at the only moment at which its secret is known.
#[derive(Clone)]
pub struct Registered {
    /// Its id.
    pub client_id: String,
    /// Its secret; not stored anywhere.
    pub client_secret: String,
}

/// An application as the operator sees it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The application.
    pub client: Client,
    /// Where it may be sent back to.
    pub redirect_uris: Vec<String>,
    /// How many accounts have it connected.
    pub connections: i64,
}

/// Registers an application.
///
/// # Errors
/// The name, a redirect URI, the id or the secret cannot be used, or there is no randomness.
pub fn register(tx: &mut Tx<'_>, env: &Environment, new: &NewClient) -> Result<Registered, Error> {
    let name = new.name.trim();
    let mut faults = Vec::new();
    if text::single_line(name, 255).is_err() {
        faults.push(Fault::new("/name", Reason::InvalidName { most: 255 }));
    }
    if new.redirect_uris.is_empty() || new.redirect_uris.len() > MOST_URIS {
        faults.push(Fault::new("/redirectUris", Reason::ListRequired { least: 1, most: MOST_URIS }));
    }
    for uri in &new.redirect_uris {
        if let Err(why) = redirect::check(uri) {
            faults.push(Fault::new("/redirectUris", Reason::RedirectUri { uri: uri.clone(), why }));
        }
    }
    if !new.scopes.read && !new.scopes.write && !new.scopes.file {
        faults.push(Fault::new("/scopes", Reason::ScopeRequired));
    }
    for (path, given) in [("/clientId", &new.id), ("/clientSecret", &new.secret)] {
        if given.as_deref().is_some_and(|text| !is_credential(text)) {
            faults.push(Fault::new(path, Reason::InvalidCredential));
        }
    }
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let client_id = match &new.id {
        Some(id) => id.clone(),
        None => format!("{ID_PREFIX}{}", secrets::draw_id(env.random())?),
    };
    let client_secret = match &new.secret {
        Some(secret) => secret.clone(),
        None => secrets::draw(env.random(), SecretKind::ClientSecret)?,
    };
    let client = Client {
        id: client_id.clone(),
        secret_hash: secrets::hash(&client_secret),
        name: name.to_owned(),
        scopes: new.scopes,
        created_at: env.now,
        secret_changed_at: env.now,
    };
    let mut redirect_uris = new.redirect_uris.clone();
    redirect_uris.sort_unstable();
    redirect_uris.dedup();
    if !clients::insert(tx, &client, &redirect_uris)? {
        return Err(Error::fault("/clientId", Reason::ClientIdTaken));
    }
    Ok(Registered { client_id, client_secret })
}

/// All applications, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, env: &Environment) -> Result<Vec<Listed>, Error> {
    let mut listed = Vec::new();
    for client in clients::all(tx)? {
        let redirect_uris = clients::redirect_uris(tx, &client.id)?;
        let connections = clients::connections(tx, &client.id, env.now)?;
        listed.push(Listed { client, redirect_uris, connections });
    }
    Ok(listed)
}

/// Gives an application another secret; the old one stops working at once, tokens live on.
///
/// # Errors
/// There is no such application, or no randomness.
pub fn rotate_secret(tx: &mut Tx<'_>, env: &Environment, id: &str) -> Result<Registered, Error> {
    let client_secret = secrets::draw(env.random(), SecretKind::ClientSecret)?;
    if !is_credential(id) || !clients::set_secret(tx, id, &secrets::hash(&client_secret), env.now)? {
        return Err(Error::NotFound("application"));
    }
    Ok(Registered { client_id: id.to_owned(), client_secret })
}

/// Removes an application; all that people granted it ends at once.
///
/// # Errors
/// There is no such application.
pub fn remove(tx: &mut Tx<'_>, env: &Environment, id: &str) -> Result<(), Error> {
    if is_credential(id) {
        for (account, grant) in clients::grants(tx, id)? {
            super::end(tx, env, account, &grant)?;
        }
        if clients::remove(tx, id)? {
            return Ok(());
        }
    }
    Err(Error::NotFound("application"))
}

/// The application with that id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<Client>, Error> {
    // What cannot have been registered is not looked up; PostgreSQL would refuse a NUL.
    if is_credential(id) { Ok(clients::by_id(tx, id)?) } else { Ok(None) }
}

/// The application, if this is its id and its secret. An unknown id costs as much as a wrong secret.
///
/// # Errors
/// The storage failed.
pub fn authenticate(tx: &mut Tx<'_>, id: &str, secret: &str) -> Result<Option<Client>, Error> {
    let found = by_id(tx, id)?;
    let known = found.as_ref().map_or([0; 32], |client| client.secret_hash);
    let same = bool::from(known.ct_eq(&secrets::hash(secret)));
    Ok(found.filter(|_| same))
}

/// Whether a text can be an id or a secret: printable characters (RFC 6749, appendix A.1 and A.2, and beyond ASCII).
fn is_credential(text: &str) -> bool {
    text::single_line(text, 255).is_ok()
}
