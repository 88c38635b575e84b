//! `bank`: files are taken all or not at all, and lines once.

use crate::{account_with_key, done, refused};
use serde_json::{Value, json};
use testing::{Database, Engine};

pub(crate) const MT940: &str = "ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:NL02ABNA0123456789\r\n:28:1/1\r\n\
    :60F:C260302EUR100,00\r\n:61:2603020302D4,50N654NONREF\r\n:86:/TRTP/SEPA OVERBOEKING/NAME/Bakkerij/REMI/Brood\r\n\
    :62F:C260302EUR95,50\r\n-\r\n";

#[test]
fn files_are_imported_at_the_command_line() {
    let database = Database::new(Engine::Sqlite);
    let address = database.address();
    account_with_key(&address, "anna@example.com");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let file = path("march.940", MT940);
    let more = path(
        "more.940",
        &MT940.replace("260302", "260303").replace(":61:2603030302", ":61:2603030303"),
    );
    let broken = path("broken.940", &MT940.replace("95,50", "95,00"));
    let bank = |command: &str, rest: &[&str]| {
        let arguments = [&["bank", command, "--account", "anna@example.com"], rest].concat();
        done(&address, &arguments).out
    };
    assert!(bank("import", &["--dry-run", &file]).contains("1 line would be taken, 0 known"));
    assert_eq!(bank("lines", &[]), "");
    // One faulty file, and nothing is taken.
    refused(
        &address,
        &["bank", "import", "--account", "anna@example.com", &file, &broken],
        &["broken.940", "line 4", "opening balance and lines differ by -0.50"],
    );
    assert_eq!(bank("lines", &[]), "");
    let taken = bank("import", &[&file, &more]);
    assert!(
        taken.contains("march.940: 1 line taken, 0 known") && taken.contains("has the IBAN"),
        "{taken}"
    );
    assert!(bank("import", &[&file]).contains("taken before, as bank statement 1"));
    let lines: Value =
        serde_json::from_str(&bank("lines", &["--json", "--bank-account", "nl02 abna 0123456789"]))
            .unwrap();
    assert_eq!(
        json!([lines[1]["id"], lines[1]["amount"], lines[1]["text"]]),
        json!([1, "-4.50", "Brood"])
    );
    let accounts = bank("accounts", &[]);
    assert!(
        accounts.contains("NL02ABNA0123456789") && accounts.contains("bank 95.50  new 2"),
        "{accounts}"
    );
    assert!(bank("days", &["--bank-account", "bank"]).lines().count() > 30);
    refused(
        &address,
        &["bank", "days", "--account", "anna@example.com", "--bank-account", "None"],
        &["--bank-account"],
    );
}
