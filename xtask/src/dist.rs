//! Builds the release artifacts: an archive, a Debian package, a Containerfile, and their
//! checksums.

mod check;

use crate::{cargo, process, target, workspace};
use anyhow::{Context, bail, ensure};
use clap::Args;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Options of `dist`.
#[derive(Args)]
pub struct Options {
    /// Existing binary [default: a build with the profile `dist`]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Install, upgrade and remove the package in a fresh Debian installation, and run the server
    /// there (needs root and debootstrap)
    #[arg(long)]
    check: bool,
    /// Mirror for the fresh Debian installation
    #[arg(long, default_value = "http://deb.debian.org/debian", value_name = "URL")]
    mirror: String,
    /// Fresh Debian installation made by debootstrap; a copy of it is used
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

/// Files of the package: source below `packaging`, destination, and mode.
const FILES: &[(&str, &str, u32)] = &[
    ("grootboek-admin", "usr/sbin/grootboek-admin", 0o755),
    ("grootboek.env", "etc/grootboek/grootboek.env", 0o640),
    ("systemd/grootboek.service", "lib/systemd/system/grootboek.service", 0o644),
    ("systemd/grootboek-backup.service", "lib/systemd/system/grootboek-backup.service", 0o644),
    ("systemd/grootboek-backup.timer", "lib/systemd/system/grootboek-backup.timer", 0o644),
    ("../docs/operating.md", "usr/share/doc/grootboek/operating.md", 0o644),
    ("../docs/alerts.yml", "usr/share/doc/grootboek/alerts.yml", 0o644),
    ("../LICENSE", "usr/share/doc/grootboek/copyright", 0o644),
];
/// Shells, with the files of their completions.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/grootboek"),
    ("zsh", "usr/share/zsh/vendor-completions/_grootboek"),
    ("fish", "usr/share/fish/vendor_completions.d/grootboek.fish"),
];
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Builds all artifacts in `target/dist`.
///
/// # Errors
/// A build failed, or a check of the package failed.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            process::run(cargo().args([
                "build",
                "--profile",
                "dist",
                "--locked",
                "--package",
                "grootboek",
            ]))?;
            target().join("dist/grootboek")
        }
    };
    let folder = target().join("dist");
    fs::create_dir_all(&folder)?;
    remove_artifacts(&folder)?;
    let version = env!("CARGO_PKG_VERSION");
    let temporary = tempfile::tempdir_in(&folder)?;
    let tree = temporary.path().join("tree");
    lay_out(&binary, &tree)?;
    for unit in ["grootboek.service", "grootboek-backup.service"] {
        check_sandbox(&tree.join("lib/systemd/system").join(unit))?;
    }
    let archive = archive(&tree, &folder, version)?;
    let package = package(&tree, &folder, version)?;
    fs::copy(packaging().join("Containerfile"), folder.join("Containerfile"))?;
    let names = [name_of(&archive)?, name_of(&package)?, "Containerfile".to_owned()];
    let sums = process::output(Command::new("sha256sum").args(&names).current_dir(&folder))?;
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    if options.check {
        let newer = self::package(&tree, temporary.path(), &format!("{version}+newer"))?;
        check::run(&package, &newer, options.root.as_deref(), &options.mirror)?;
    }
    eprintln!("made in {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Removes the artifacts of an earlier version. Cargo's own files for the profile are in the same
/// folder and are kept.
fn remove_artifacts(folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb" || extension == "gz") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn packaging() -> PathBuf {
    workspace().join("packaging")
}

fn name_of(file: &Path) -> anyhow::Result<String> {
    let name = file.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).with_context(|| format!("{} has no name", file.display()))
}

/// Copies a file to its destination and sets its mode.
fn place(from: &Path, to: &Path, mode: u32) -> anyhow::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(fs::set_permissions(to, fs::Permissions::from_mode(mode))?)
}

/// Lays out the files as installed.
fn lay_out(binary: &Path, tree: &Path) -> anyhow::Result<()> {
    let program = tree.join("usr/bin/grootboek");
    place(binary, &program, 0o755)?;
    for (from, to, mode) in FILES {
        place(&packaging().join(from), &tree.join(to), *mode)?;
    }
    for (shell, to) in SHELLS {
        let to = tree.join(to);
        fs::create_dir_all(to.parent().unwrap_or(&to))?;
        fs::write(&to, process::output(Command::new(&program).args(["completions", shell]))?)?;
        fs::set_permissions(&to, fs::Permissions::from_mode(0o644))?;
    }
    let pages = tree.join("usr/share/man/man1");
    fs::create_dir_all(&pages)?;
    process::run(Command::new(&program).arg("manual").arg(&pages))?;
    for page in fs::read_dir(&pages)? {
        process::run(Command::new("gzip").args(["--no-name", "--best"]).arg(page?.path()))?;
    }
    Ok(())
}

/// Checks with systemd how well a unit is sandboxed: an exposure of at most 2 of 10.
fn check_sandbox(unit: &Path) -> anyhow::Result<()> {
    let mut command = Command::new("systemd-analyze");
    command.args(["security", "--offline=yes", "--threshold=20"]).arg(unit);
    let output = command.output().context("systemd-analyze is missing; it is part of systemd")?;
    let report = String::from_utf8_lossy(&output.stdout);
    let verdict = report.lines().rfind(|line| line.contains("exposure level")).unwrap_or_default();
    eprintln!("{}", verdict.trim());
    ensure!(output.status.success(), "{} is too exposed:\n{report}", unit.display());
    Ok(())
}

/// Builds the archive for any Linux whose C library is at least as new as the build machine's.
fn archive(tree: &Path, folder: &Path, version: &str) -> anyhow::Result<PathBuf> {
    let name = format!("grootboek-{version}-{}-linux", std::env::consts::ARCH);
    let temporary = tempfile::tempdir_in(folder)?;
    let inside = temporary.path().join(&name);
    place(&tree.join("usr/bin/grootboek"), &inside.join("bin/grootboek"), 0o755)?;
    place(&packaging().join("Containerfile"), &inside.join("Containerfile"), 0o644)?;
    for (from, to, mode) in FILES {
        let name = Path::new(to).file_name().unwrap_or(from.as_ref());
        let folder = if from.starts_with("../") { "doc" } else { "install" };
        place(
            &packaging().join(from),
            &inside.join(folder).join(name),
            if *mode == 0o640 { 0o644 } else { *mode },
        )?;
    }
    for part in
        ["usr/share/man/man1", "usr/share/bash-completion", "usr/share/zsh", "usr/share/fish"]
    {
        let to = inside.join(part.trim_start_matches("usr/"));
        fs::create_dir_all(to.parent().unwrap_or(&to))?;
        process::run(Command::new("cp").arg("-r").arg(tree.join(part)).arg(&to))?;
    }
    let file = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--owner=root:0", "--group=root:0", "--sort=name", "--file"])
        .arg(&file);
    process::run(tar.arg("--directory").arg(temporary.path()).arg(&name))?;
    Ok(file)
}

/// Builds the Debian package.
fn package(tree: &Path, folder: &Path, version: &str) -> anyhow::Result<PathBuf> {
    let control = tree.join("DEBIAN");
    fs::create_dir_all(&control)?;
    let library = newest_library(&fs::read(tree.join("usr/bin/grootboek"))?)?;
    let architecture = process::output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let text = format!(
        "Package: grootboek\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: The grootboek maintainers \
         <grootboek@localhost>\nDepends: libc6 (>= {library}), libgcc-s1, passwd, util-linux\nRecommends: ca-certificates, \
         systemd\nSection: web\nPriority: optional\nDescription: bookkeeping for the self-employed in the Netherlands\n Invoices, costs, \
         hours and VAT on a double-entry journal, as a web\n application with an open API. The books are in SQLite or PostgreSQL.\n"
    );
    fs::write(control.join("control"), text)?;
    fs::write(control.join("conffiles"), "/etc/grootboek/grootboek.env\n")?;
    for script in SCRIPTS {
        place(&packaging().join("debian").join(script), &control.join(script), 0o755)?;
    }
    let file = folder.join(format!("grootboek_{version}_{architecture}.deb"));
    process::run(
        Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(tree).arg(&file),
    )?;
    fs::remove_dir_all(&control)?;
    Ok(file)
}

/// Minimum version of the C library for a program: the highest version that it references.
fn newest_library(program: &[u8]) -> anyhow::Result<String> {
    const NAME: &[u8] = b"GLIBC_2.";
    let mut newest = None;
    for place in 0..program.len().saturating_sub(NAME.len()) {
        if program[place..].starts_with(NAME) {
            let digits: String = program[place + NAME.len()..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .map(|byte| char::from(*byte))
                .collect();
            newest = newest.max(digits.parse::<u32>().ok());
        }
    }
    match newest {
        Some(minor) => Ok(format!("2.{minor}")),
        None => bail!("the program names no version of the C library: it is not one for GNU/Linux"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_highest_version_of_the_library_counts() {
        assert_eq!(
            super::newest_library(b"..GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.4.1\0").unwrap(),
            "2.34"
        );
        assert!(super::newest_library(b"nothing").is_err());
    }
}
