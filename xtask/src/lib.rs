//! Development tools, as a library for the parts that `lab` uses too: processes, cleanup,
//! PostgreSQL servers, and runs of the tests.

pub mod dist;
pub mod figures;
pub mod install;
pub mod leftovers;
pub mod postgres;
pub mod process;
pub mod record;
pub mod suite;
pub mod tidy;

use std::path::{Path, PathBuf};

/// Root folder of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().unwrap_or(crate_folder)
}

/// Cargo's target folder.
#[must_use]
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from)
}

/// Command for the cargo that runs this program.
#[must_use]
pub fn cargo() -> std::process::Command {
    let mut command =
        std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace());
    // Cargo sets these variables for this program. Build scripts that read them (ring's) would
    // otherwise run again whenever cargo is called differently, and so would all crates that depend
    // on them.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        }) {
            command.env_remove(name);
        }
    }
    command
}
