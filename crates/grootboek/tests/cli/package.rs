//! Post-installation script of the Debian package: it backs up the configured books first, and
//! never fails an upgrade.

use crate::{done, program};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const POSTINST: &str = include_str!("../../../../packaging/debian/postinst");
const ADMIN: &str = include_str!("../../../../packaging/grootboek-admin");
const CONFIGURATION: &str = include_str!("../../../../packaging/grootboek.env");

/// A system on which the package is configured. Its folders are below a temporary one, and commands
/// that change users or services are replaced by ones that record their arguments.
struct System {
    root: TempDir,
}

impl System {
    fn new() -> Self {
        let system = Self { root: tempfile::tempdir().unwrap() };
        for folder in [
            "bin",
            "etc/grootboek",
            "var/lib/grootboek",
            "var/backups/grootboek",
            "run/systemd/system",
        ] {
            fs::create_dir_all(system.at(folder)).unwrap();
        }
        for (name, script) in [
            ("getent", "exit 0".to_owned()),
            ("install", "exit 0".to_owned()),
            ("chown", "exit 0".to_owned()),
            ("systemctl", format!("echo \"$@\" >> {}", system.at("systemctl.log").display())),
            ("setpriv", "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"".to_owned()),
            (
                "grootboek-admin",
                system
                    .moved(ADMIN)
                    .replace("/usr/bin/grootboek", program().get_program().to_str().unwrap()),
            ),
        ] {
            system.command(name, &script);
        }
        system.configure(CONFIGURATION);
        system
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Replaces the folders in a text with those of this system.
    fn moved(&self, text: &str) -> String {
        let folders = [
            "/etc/grootboek",
            "/var/lib/grootboek",
            "/var/backups/grootboek",
            "/run/systemd/system",
        ];
        folders.iter().fold(text.to_owned(), |text, folder| {
            text.replace(folder, &self.at(&folder[1..]).display().to_string())
        })
    }

    fn command(&self, name: &str, script: &str) {
        let file = self.at("bin").join(name);
        fs::write(
            &file,
            if script.starts_with("#!") {
                script.to_owned()
            } else {
                format!("#!/bin/sh\n{script}\n")
            },
        )
        .unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn configure(&self, text: &str) {
        fs::write(self.at("etc/grootboek/grootboek.env"), self.moved(text)).unwrap();
    }

    /// Creates books with one account, in a file below the root.
    fn books(&self, file: &str, owner: &str) {
        let database = format!("sqlite:{}", self.at(file).display());
        done(&database, &["account", "add", "--email", owner, "--name", "Anna"]);
    }

    /// Runs the script as dpkg does after unpacking the package, as an upgrade from `old` if given.
    fn configured(&self, old: Option<&str>, limit: &str) -> Output {
        let script = self.at("postinst");
        fs::write(&script, self.moved(POSTINST)).unwrap();
        let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", self.at("bin").display());
        let line =
            format!("{limit} exec sh {} configure {}", script.display(), old.unwrap_or_default());
        Command::new("sh").args(["-c", &line]).env_clear().env("PATH", path).output().unwrap()
    }

    /// Owners of the books in the backups.
    fn copies(&self) -> Vec<String> {
        let copies = fs::read_dir(self.at("var/backups/grootboek"))
            .unwrap()
            .map(|file| file.unwrap().path());
        copies
            .filter(|file| file.extension().is_some_and(|end| end == "db"))
            .map(|file| owner(&file))
            .collect()
    }
}

fn owner(file: &Path) -> String {
    let accounts =
        done(&format!("sqlite:{}", file.display()), &["account", "list", "--json"]).json();
    accounts[0]["email"].as_str().unwrap().to_owned()
}

/// A system before the script runs, with the expected backups and report.
struct Situation {
    name: &'static str,
    old: Option<&'static str>,
    prepare: fn(&System),
    limit: &'static str,
    copies: &'static [&'static str],
    reports: &'static str,
}

const DEFAULT: &str = "var/lib/grootboek/grootboek.db";
const UPGRADE: Situation = Situation {
    name: "",
    old: Some("0.1.0"),
    prepare: |_| {},
    limit: "",
    copies: &[],
    reports: "",
};

#[test]
// Long: a table of situations.
fn an_upgrade_backs_up_the_configured_books_and_never_fails() {
    let situations = [
        Situation { name: "fresh install", old: None, ..UPGRADE },
        Situation {
            name: "SQLite where the package puts it",
            prepare: |system| system.books(DEFAULT, "default@example.com"),
            copies: &["default@example.com"],
            ..UPGRADE
        },
        Situation {
            name: "SQLite elsewhere, with a file left in the usual place",
            prepare: |system| {
                system.books(DEFAULT, "left@example.com");
                system.books("etc/elsewhere.db", "elsewhere@example.com");
                let elsewhere = system.at("etc/elsewhere.db");
                system
                    .configure(&format!("GROOTBOEK_DATABASE='sqlite://{}'\n", elsewhere.display()));
            },
            copies: &["elsewhere@example.com"],
            ..UPGRADE
        },
        Situation {
            name: "PostgreSQL, with a file left from before the move",
            prepare: |system| {
                system.books(DEFAULT, "left@example.com");
                system.configure(
                    "GROOTBOEK_DATABASE='postgres://grootboek:secret@db.example.com/grootboek'\n",
                );
            },
            reports: "the books are in PostgreSQL",
            ..UPGRADE
        },
        Situation { name: "no books yet", reports: "there are no books at", ..UPGRADE },
        Situation {
            name: "no configuration",
            prepare: |system| {
                system.books(DEFAULT, "left@example.com");
                fs::remove_file(system.at("etc/grootboek/grootboek.env")).unwrap();
            },
            reports: "is not readable",
            ..UPGRADE
        },
        Situation {
            name: "a configuration that is no shell",
            prepare: |system| {
                system.books(DEFAULT, "left@example.com");
                system.configure("GROOTBOEK_DATABASE='sqlite:/var/lib/grootboek/grootboek.db\n");
            },
            reports: "is not readable",
            ..UPGRADE
        },
        Situation {
            name: "books that cannot be copied",
            prepare: |system| fs::write(system.at(DEFAULT), "no database").unwrap(),
            reports: "the backup before the upgrade failed",
            ..UPGRADE
        },
        Situation {
            name: "a disk without room for the copy",
            prepare: |system| system.books(DEFAULT, "default@example.com"),
            limit: "ulimit -f 8;",
            reports: "the backup before the upgrade failed",
            ..UPGRADE
        },
        Situation {
            name: "a server that does not start",
            prepare: |system| {
                system.books(DEFAULT, "default@example.com");
                system.command(
                    "systemctl",
                    &format!("echo \"$@\" >> {}; exit 1", system.at("systemctl.log").display()),
                );
            },
            copies: &["default@example.com"],
            reports: "the server did not restart",
            ..UPGRADE
        },
    ];
    for Situation { name, old, prepare, limit, copies, reports } in situations {
        let system = System::new();
        prepare(&system);
        let output = system.configured(old, limit);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{name}: {reported}");
        assert_eq!(system.copies(), copies, "{name}: {reported}");
        assert!(
            if reports.is_empty() { reported.is_empty() } else { reported.contains(reports) },
            "{name}: {reported}"
        );
        assert!(!reported.contains("secret"), "{name}: {reported}");
        let asked = fs::read_to_string(system.at("systemctl.log")).unwrap();
        let last = if old.is_some() {
            "try-restart grootboek.service"
        } else {
            "enable --quiet --now grootboek.service"
        };
        assert!(asked.lines().last().unwrap().starts_with(last), "{name}: {asked}");
    }
}

/// A private installation has no sign-up unless it is enabled.
#[test]
fn the_package_disables_sign_up_by_default() {
    assert!(CONFIGURATION.lines().any(|line| line == "GROOTBOEK_SIGN_UP=off"), "{CONFIGURATION}");
}
