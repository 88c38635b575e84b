//! Records the commit, and lets the linker merge identical functions if it can.

use std::{env, fs, path::PathBuf, process::Command};

/// Linker argument that merges functions with identical code. LLD, which rustc uses on platforms
/// where it ships LLD, supports this argument; GNU ld does not.
const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-env-changed=GROOTBOEK_COMMIT");
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    // A build from an archive without Git history gets the commit from `GROOTBOEK_COMMIT`.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let head = || {
        if is_release {
            git(&["rev-parse", "--short=12", "HEAD"])
        } else {
            Some("development".into())
        }
    };
    let commit = env::var("GROOTBOEK_COMMIT").ok().or_else(head);
    // Only release builds are worth a rebuild after each commit.
    if is_release
        && let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])
    {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    if is_release && links_with(FOLD).is_some() {
        println!("cargo::rustc-link-arg-bins={FOLD}");
    }
    println!("cargo::rustc-env=GROOTBOEK_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// Tests with a minimal program whether the linker accepts an argument.
fn links_with(argument: &str) -> Option<()> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    let source = folder.join("smallest.rs");
    fs::write(&source, "fn main() {}").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg(source).arg("--out-dir").arg(folder).args(["--target", &env::var("TARGET").ok()?]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.to_str()?));
    }
    rustc.args(
        env::var("CARGO_ENCODED_RUSTFLAGS")
            .unwrap_or_default()
            .split('\u{1f}')
            .filter(|flag| !flag.is_empty()),
    );
    let output = rustc.arg("-C").arg(format!("link-arg={argument}")).output().ok()?;
    output.status.success().then_some(())
}
