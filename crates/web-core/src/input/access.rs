//! Fields of forms that grant programs access to the books.

use super::{Choice, Fields, Flag, Parsed, Presence, identity::Text};
use service::access::CreateKey;
use store::keys::Scopes;

/// Reads the fields of a new API key.
pub fn new_key(fields: &mut Fields<'_, '_>) -> Parsed<CreateKey> {
    let name = fields.optional("name", "What the key is called.", Text).unwrap_or_default();
    let scopes =
        fields.object("scope", "What the key may do.", Presence::Optional, |fields| Scopes {
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

/// Decision of a person about an application that requests access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Grants access to the live books, or to those of the test account.
    Approve {
        /// Whether access is granted to the test account instead of the live books.
        in_test: bool,
    },
    /// Denies the request.
    Deny,
}

const DECISIONS: &[(&str, bool)] = &[("approve", true), ("deny", false)];
const BOOKS: &[(&str, bool)] = &[("live", false), ("test", true)];

/// Reads the fields of the decision. An unknown value for the books is a fault; it never falls back
/// to the live books.
pub fn decision(fields: &mut Fields<'_, '_>) -> Parsed<Decision> {
    let approves =
        fields.required("decision", "Whether the application is let in.", Choice(DECISIONS));
    let decision = approves.map(|approves| {
        if !approves {
            return Decision::Deny;
        }
        let in_test = fields.optional(
            "account",
            "Into which books; the real ones where there are no others.",
            Choice(BOOKS),
        );
        Decision::Approve { in_test: in_test.unwrap_or(false) }
    });
    Parsed::new(None, decision)
}
