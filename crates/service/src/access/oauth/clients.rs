//! Partner applications. The operator registers each application with the name that people see.

use super::redirect;
use crate::{
    Environment, Error, Fault, Reason,
    secrets::{self, SecretKind},
    text,
};
use store::{Tx, keys::Scopes, oauth::clients};
use subtle::ConstantTimeEq;

pub use store::oauth::clients::Client;

/// Prefix of generated client ids.
const ID_PREFIX: &str = "gb_client_";
/// Maximum number of redirect URIs per client.
const MOST_URIS: usize = 20;

/// Command that registers an application.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Name that people see.
    pub name: String,
    /// Allowed redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Scopes that the application may request.
    pub scopes: Scopes,
    /// Client id, if the registration comes from another server; otherwise generated.
    pub id: Option<String>,
    /// Secret, if the registration comes from another server; otherwise generated.
    pub secret: Option<String>,
}

/// A registered application with its secret, which cannot be retrieved later.
#[derive(Clone)]
pub struct Registered {
    /// Client id.
    pub client_id: String,
    /// Secret; it is not stored.
    pub client_secret: String,
}

/// An application as listed for the operator.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Registration of the application.
    pub client: Client,
    /// Allowed redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Number of accounts that have connected the application.
    pub connections: i64,
}

/// Registers an application.
///
/// # Errors
/// The name, a redirect URI, the id or the secret is invalid, there is no scope, there are no or
/// too many redirect URIs, the id is taken, or the random number generator failed.
pub fn register(tx: &mut Tx<'_>, env: &Environment, new: &NewClient) -> Result<Registered, Error> {
    let name = new.name.trim();
    let mut faults = Vec::new();
    if text::single_line(name, 255).is_err() {
        faults.push(Fault::new("/name", Reason::InvalidName { most: 255 }));
    }
    if new.redirect_uris.is_empty() || new.redirect_uris.len() > MOST_URIS {
        faults
            .push(Fault::new("/redirectUris", Reason::ListRequired { least: 1, most: MOST_URIS }));
    }
    for uri in &new.redirect_uris {
        if let Err(why) = redirect::check(uri) {
            faults.push(Fault::new("/redirectUris", Reason::RedirectUri { uri: uri.clone(), why }));
        }
    }
    if !new.scopes.read && !new.scopes.write && !new.scopes.file {
        faults.push(Fault::new("/scopes", Reason::ScopeRequired));
    }
    for (path, credential) in [("/clientId", &new.id), ("/clientSecret", &new.secret)] {
        if credential.as_deref().is_some_and(|text| !is_credential(text)) {
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

/// Lists all applications, oldest first.
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

/// Replaces the secret of an application. The old secret stops working at once; tokens stay valid.
///
/// # Errors
/// There is no such application, or the random number generator failed.
pub fn rotate_secret(tx: &mut Tx<'_>, env: &Environment, id: &str) -> Result<Registered, Error> {
    let client_secret = secrets::draw(env.random(), SecretKind::ClientSecret)?;
    if !is_credential(id) || !clients::set_secret(tx, id, &secrets::hash(&client_secret), env.now)?
    {
        return Err(Error::NotFound("application"));
    }
    Ok(Registered { client_id: id.to_owned(), client_secret })
}

/// Removes an application; all its grants end at once.
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

/// Returns the application with the given id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<Client>, Error> {
    // Only valid ids are looked up, because PostgreSQL would reject a NUL.
    if is_credential(id) { Ok(clients::by_id(tx, id)?) } else { Ok(None) }
}

/// Returns the application if the id and the secret are correct. The secrets are compared even if
/// the id is unknown, so that the duration does not reveal which ids exist.
///
/// # Errors
/// The storage failed.
pub fn authenticate(tx: &mut Tx<'_>, id: &str, secret: &str) -> Result<Option<Client>, Error> {
    let client = by_id(tx, id)?;
    let secret_hash = client.as_ref().map_or([0; 32], |client| client.secret_hash);
    let same = bool::from(secret_hash.ct_eq(&secrets::hash(secret)));
    Ok(client.filter(|_| same))
}

/// Whether a text is a valid id or secret: printable characters (RFC 6749, appendix A.1 and A.2,
/// extended beyond ASCII).
fn is_credential(text: &str) -> bool {
    text::single_line(text, 255).is_ok()
}
