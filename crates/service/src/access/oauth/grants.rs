//! Connected applications of an account, as shown to its owner.

use crate::{Environment, Error, people::events};
use jiff::Timestamp;
use store::{Tx, keys::Scopes, oauth};

/// A connected application, with all its grants combined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// Id with which the application can be disconnected: the id of its latest grant.
    pub id: String,
    /// Name of the application.
    pub client_name: String,
    /// Client id.
    pub client_id: String,
    /// Combined scopes of the application's grants.
    pub scopes: Scopes,
    /// Start of the application's first active grant.
    pub created_at: Timestamp,
    /// Time at which the consent expires unless it is renewed.
    pub expires_at: Timestamp,
    /// Time at which any of the application's tokens was last used, accurate to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// IP address from which a token was last used.
    pub last_used_address: Option<String>,
}

/// Lists the applications connected to an account; each appears once.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, env: &Environment, account: i64) -> Result<Vec<Connected>, Error> {
    let mut all: Vec<Connected> = Vec::new();
    for listed in oauth::of_account(tx, account, env.now)? {
        let grant = listed.grant;
        match all.iter_mut().find(|connected| connected.client_id == grant.client) {
            Some(connected) => {
                connected.id = grant.id;
                connected.scopes.read |= grant.scopes.read;
                connected.scopes.write |= grant.scopes.write;
                connected.scopes.file |= grant.scopes.file;
                connected.expires_at = connected.expires_at.max(grant.expires_at);
                if listed.last_used_at > connected.last_used_at {
                    connected.last_used_at = listed.last_used_at;
                    connected.last_used_address = listed.last_used_address;
                }
            }
            None => all.push(Connected {
                id: grant.id,
                client_name: listed.client_name,
                client_id: grant.client,
                scopes: grant.scopes,
                created_at: grant.created_at,
                expires_at: grant.expires_at,
                last_used_at: listed.last_used_at,
                last_used_address: listed.last_used_address,
            }),
        }
    }
    Ok(all)
}

/// Disconnects the application to which this grant belongs: all its grants for the account end at
/// once.
///
/// # Errors
/// There is no such grant.
pub fn disconnect(tx: &mut Tx<'_>, env: &Environment, account: i64, id: &str) -> Result<(), Error> {
    // The owner's lock serialises this with token exchanges: the grant of an exchange that has
    // finished ends here, and a later exchange fails.
    store::people::lock_owner(tx, account)?;
    let (client, name) =
        oauth::client_of(tx, account, id)?.ok_or(Error::NotFound("connected application"))?;
    for grant in oauth::ids_of(tx, account, &client)? {
        super::end(tx, env, account, &grant)?;
    }
    oauth::end_codes(tx, account, &client)?;
    events::record_for_owner(tx, env, account, events::EventKind::ApplicationDisconnected, &name)
}
