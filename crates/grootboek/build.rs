//! Notes the commit that is built.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-env-changed=GROOTBOEK_COMMIT");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    // Whoever builds from an archive without its history names the commit.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let head = || if is_release { git(&["rev-parse", "--short=12", "HEAD"]) } else { Some("development".into()) };
    let commit = env::var("GROOTBOEK_COMMIT").ok().or_else(head);
    // Only a build for others is worth another build at each commit.
    if is_release && let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=GROOTBOEK_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}
