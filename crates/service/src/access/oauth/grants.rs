//! Connected applications, as the person who connected them sees them.

use crate::{Environment, Error, people::events};
use jiff::Timestamp;
use store::{Tx, keys::Scopes, oauth};

/// An application that is connected, however often it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// What it is disconnected by: the id of its latest grant.
    pub id: String,
    /// What it is called.
    pub client_name: String,
    /// Its id.
    pub client_id: String,
    /// What it may do, all its grants together.
    pub scopes: Scopes,
    /// Since when it is connected.
    pub created_at: Timestamp,
    /// Until when, unless the person consents again.
    pub expires_at: Timestamp,
    /// When it last used a token, to the minute or so.
    pub last_used_at: Option<Timestamp>,
    /// From where.
    pub last_used_address: Option<String>,
}

/// The applications that are connected to an account, each once.
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

/// Disconnects the application that has this grant: everything that the account granted to it ends at once.
///
/// # Errors
/// There is no such grant.
pub fn disconnect(tx: &mut Tx<'_>, env: &Environment, account: i64, id: &str) -> Result<(), Error> {
    // What an exchange gives that is under way goes too, or is not given.
    store::people::lock_owner(tx, account)?;
    let (client, name) = oauth::client_of(tx, account, id)?.ok_or(Error::NotFound("connected application"))?;
    for grant in oauth::ids_of(tx, account, &client)? {
        super::end(tx, env, account, &grant)?;
    }
    oauth::end_codes(tx, account, &client)?;
    events::record_for_owner(tx, env, account, events::EventKind::ApplicationDisconnected, &name)
}
