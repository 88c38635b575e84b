//! `audit-file`: the audit file of a year, on standard output or in a file that only its owner can
//! read.

use crate::{Running, account_with_key, done, refused};
use serde_json::json;
use testing::{Database, Engine};

#[test]
fn the_audit_file_of_a_year_is_written_once() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    let key = account_with_key(&address, "anna@example.com");
    let mut server = Running::serve(&address, &[]);
    let body = json!({"status": "sent", "invoiceDate": "2026-03-01", "customer": {"name": "Museum De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &body.to_string()).0, 201);
    server.stop();
    let arguments = ["audit-file", "--email", "anna@example.com", "--year", "2026"];
    let printed = done(&address, &arguments).out;
    assert!(
        printed.contains("XmlauditfileXAF_4.0")
            && printed.contains("<totalDebit>121.00</totalDebit>"),
        "{printed}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("2026.xaf").display().to_string();
    let into = [&arguments[..], &["--form", "3.2", "--output", &file]].concat();
    done(&address, &into);
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("http://www.auditfiles.nl/XAF/3.2")
            && written.contains("<linesCount>3</linesCount>"),
        "{written}"
    );
    refused(&address, &into, &["File exists"]);
    refused(&address, &[&arguments[..], &["--form", "2"]].concat(), &["--form is 4.0 or 3.2"]);
}
