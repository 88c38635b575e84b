//! Third-party programs: installed if this program has the right to, otherwise named in an error.

use crate::process;
use anyhow::{Context, bail};
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// Folders of programs for root, which the PATH of other users lacks.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/sbin"];

/// Returns the path of a program in PATH or in the folders of programs for root.
#[must_use]
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(SYSTEM_FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the result of `find_it`, after installing the Debian package if it is `None` and this
/// program runs as root on a system with apt-get.
///
/// # Errors
/// The program is missing and cannot be installed; the error names the package.
pub fn ensure<T>(what: &str, package: &str, find_it: impl Fn() -> Option<T>) -> anyhow::Result<T> {
    if let Some(found) = find_it() {
        return Ok(found);
    }
    let by_hand = format!(
        "{what} is missing. Install it: `apt-get install {package}` on Debian and Ubuntu, elsewhere the package of that name"
    );
    if !rustix::process::geteuid().is_root() || find("apt-get").is_none() {
        bail!("{by_hand}.");
    }
    eprintln!("{what} is missing; installing the Debian package {package}");
    apt_get(&["update"])
        .and_then(|()| apt_get(&["install", "--yes", "--no-install-recommends", package]))
        .context(by_hand)?;
    stop_service(package);
    find_it().with_context(|| {
        format!("the package {package} was installed, but {what} is still not found")
    })
}

fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    process::run(
        Command::new("apt-get")
            .args(["--quiet", "--quiet"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

/// Stops the service that some packages start on installation.
fn stop_service(package: &str) {
    if Path::new("/etc/init.d").join(package).exists() {
        let _ = Command::new("service").args([package, "stop"]).status();
    }
}
