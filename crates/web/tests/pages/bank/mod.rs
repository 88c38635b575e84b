//! Bank accounts, statements and the booking of bank lines.

mod accounts;
mod every_kind;
mod lines;
mod mappings;
mod rules;
mod statements;
mod suggestions;
mod unresolved;

use crate::help::{EMAIL, signed_in};
use serde_json::json;
use testing::{Engine, Server, Visitor};

/// IBAN of the bank account in the file.
const IBAN: &str = "NL02ABNA0123456789";
/// Statement of March with a line that goes out and two that come in.
const FILE: &str = "ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:NL02ABNA0123456789\r\n:28:1/1\r\n\
:60F:C260309EUR100,00\r\n\
:61:2603100310D4,50N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/Bakkerij De Korenaar/REMI/Brood\r\n\
:61:2603100310C121,00N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/NAME/Studio Noord/REMI/Factuur 2026-0001/EREF/GB-1\r\n\
:61:2603110311C50,00N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/NAME/Anna/REMI/Eigen geld\r\n\
:62F:C260311EUR266,50\r\n-\r\n";

/// Server with a signed-in browser, a key, and the bank account 6 (1101) of the file.
fn with_account(engine: Engine) -> (Server, Visitor, String) {
    let server = Server::start(engine);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let account = json!({"name": "ABN AMRO", "kind": "checking", "iban": IBAN});
    assert_eq!(server.post(&key, "/api/v1/bank-accounts", &account).status, 201);
    (server, browser, key)
}
