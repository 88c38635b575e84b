//! The commands in `docs/operating.md` work.

use crate::{Running, program};
use std::fs;

/// All blocks marked `sh`, concatenated.
fn blocks(manual: &str) -> String {
    let mut script = String::new();
    let mut inside = false;
    for line in manual.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside => script += &format!("{line}\n"),
            _ => {}
        }
    }
    script
}

#[test]
fn the_commands_of_the_manual_work_in_its_order() {
    let manual = include_str!("../../../../docs/operating.md");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for name in ["lib", "backups"] {
        fs::create_dir(at(name)).unwrap();
    }
    fs::write(at("november.940"), crate::bank::MT940).unwrap();
    let database = format!("sqlite:{}", at("lib/grootboek.db"));
    let mut server = Running::serve(&database, &[]);
    // The wrapper that runs commands as the service's user is replaced here; it is tested with the
    // package.
    let own = "grootboek() { \"$PROGRAM\" \"$@\"; }\ngrootboek-admin() { \"$PROGRAM\" \"$@\"; }\nset -eux\n";
    let script = blocks(manual)
        .replace("/var/lib/grootboek", &at("lib"))
        .replace("/var/backups/grootboek", &at("backups"))
        .replace("http://127.0.0.1:8080", &server.url);
    assert!(script.lines().count() > 20, "{script}");
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", &format!("{own}{script}")])
        .env("PROGRAM", program().get_program())
        .env("GROOTBOEK_DATABASE", &database);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GROOTBOEK_TEST")) {
        bash.env_remove(name);
    }
    let ran = bash.current_dir(folder.path()).output().unwrap();
    let reported = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{reported}\n{}", String::from_utf8_lossy(&ran.stdout));
    assert!(!reported.contains("warning"), "{reported}");
    server.stop();
}
