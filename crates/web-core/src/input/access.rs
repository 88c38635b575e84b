//! The fields of the forms by which programs are let into the books.

use super::{Choice, Fields, Flag, Parsed, Presence, identity::Text};
use service::access::CreateKey;
use store::keys::Scopes;

/// The fields of a new API key.
pub fn new_key(fields: &mut Fields<'_, '_>) -> Parsed<CreateKey> {
    let name = fields.optional("name", "What the key is called.", Text).unwrap_or_default();
    let scopes = fields.object("scope", "What the key may do.", Presence::Optional, |fields| Scopes {
        read: fields.optional("read", "Reading.", Flag).unwrap_or(false),
        write: fields.optional("write", "Writing.", Flag).unwrap_or(false),
        file: fields.optional("file", "Filing VAT returns.", Flag).unwrap_or(false),
    });
    let none = Scopes { read: false, write: false, file: false };
    let command = CreateKey::new(&name, scopes.unwrap_or(none)).map_err(|faults| {
        for fault in faults {
            fields.fault(if fault.path == "/name" { "name" } else { "scope" }, fault.reason);
        }
    });
    Parsed::new(None, command.ok())
}

/// What a person decides about an application that asks to be let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is let into the books, or into those of the test account alone.
    Approve {
        /// Whether access is limited to the test account.
        in_test: bool,
    },
    /// The request is denied.
    Deny,
}

const DECISIONS: &[(&str, bool)] = &[("approve", true), ("deny", false)];
const BOOKS: &[(&str, bool)] = &[("live", false), ("test", true)];

/// The fields of that decision. Nothing but the books that were chosen: a name that is not known is not taken for the real ones.
pub fn decision(fields: &mut Fields<'_, '_>) -> Parsed<Decision> {
    let approves = fields.required("decision", "Whether the application is let in.", Choice(DECISIONS));
    let decision = approves.map(|approves| {
        if !approves {
            return Decision::Deny;
        }
        let in_test = fields.optional("account", "Into which books; the real ones where there are no others.", Choice(BOOKS));
        Decision::Approve { in_test: in_test.unwrap_or(false) }
    });
    Parsed::new(None, decision)
}
