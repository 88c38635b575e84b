//! Clients generated from the description of the running server, which take a tour of its API.

use super::{PYTHON, TYPESCRIPT, Verdict, node_tools, python_tools, step};
use anyhow::Context;
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use xtask::workspace;

/// openapi-typescript and openapi-fetch.
pub(super) struct Typescript {
    folder: PathBuf,
}

impl Typescript {
    /// Installs the generator and the compiler under `target/judge`.
    pub(super) fn install() -> anyhow::Result<Self> {
        Ok(Self { folder: node_tools("typescript", "typescript", TYPESCRIPT)? })
    }

    /// Generates the client, compiles the tour (any error fails) and runs it.
    pub(super) fn tour(
        &self,
        description: &Path,
        origin: &str,
        key: &str,
    ) -> anyhow::Result<Verdict> {
        let begun = Instant::now();
        let tour = self.folder.join("tour");
        lay_out("typescript", &tour)?;
        let program = |name: &str| Command::new(self.folder.join("node_modules/.bin").join(name));
        take(
            "typescript",
            begun,
            [
                (
                    "generated",
                    program("openapi-typescript")
                        .arg(description)
                        .arg("--output")
                        .arg(tour.join("schema.d.ts")),
                ),
                ("compiled", program("tsc").arg("--project").arg(&tour)),
                (
                    "run",
                    Command::new("node")
                        .arg(tour.join("out/tour.js"))
                        .env("JUDGE_ORIGIN", origin)
                        .env("JUDGE_KEY", key),
                ),
            ],
        )
    }
}

/// openapi-python-client.
pub(super) struct Python {
    bin: PathBuf,
}

impl Python {
    /// Installs the generator and the type checker under `target/judge`.
    pub(super) fn install() -> anyhow::Result<Self> {
        Ok(Self { bin: python_tools("python-client", "python", PYTHON)? })
    }

    /// Generates the package, checks the types of the tour and runs it.
    pub(super) fn tour(
        &self,
        description: &Path,
        origin: &str,
        key: &str,
    ) -> anyhow::Result<Verdict> {
        let begun = Instant::now();
        let tour = self.bin.with_file_name("tour");
        lay_out("python", &tour)?;
        let program = |name: &str| {
            let mut command = Command::new(self.bin.join(name));
            command.current_dir(&tour);
            command
        };
        // The generator formats its output with the ruff in PATH, so our version comes first.
        let mut paths = vec![self.bin.clone()];
        paths.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
        // The generator does not support images and PDF as responses, and warns about them.
        let generate =
            ["generate", "--meta", "none", "--output-path", "grootboek_client", "--path"];
        take(
            "python",
            begun,
            [
                (
                    "generated",
                    program("openapi-python-client")
                        .args(generate)
                        .arg(description)
                        .env("PATH", std::env::join_paths(paths)?),
                ),
                ("checked", program("mypy").arg("tour.py")),
                (
                    "run",
                    program("python")
                        .arg("tour.py")
                        .env("JUDGE_ORIGIN", origin)
                        .env("JUDGE_KEY", key),
                ),
            ],
        )
    }
}

/// Creates a fresh copy of the tour.
fn lay_out(client: &str, folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let source = workspace().join("lab/judge/clients").join(client);
    for file in std::fs::read_dir(&source).with_context(|| format!("no {}", source.display()))? {
        let file = file?;
        if file.file_type()?.is_file() {
            std::fs::copy(file.path(), folder.join(file.file_name()))?;
        }
    }
    Ok(())
}

/// Runs the steps of a tour until one fails.
fn take<const N: usize>(
    judge: &'static str,
    begun: Instant,
    steps: [(&str, &mut Command); N],
) -> anyhow::Result<Verdict> {
    for (what, command) in steps {
        if !step(command)? {
            return Ok(Verdict::new(
                judge,
                format!("a generated client cannot be {what}"),
                false,
                begun,
            ));
        }
    }
    let about = "a generated client: contact, draft, edit, sent, payments, credit note, VAT return, summary";
    Ok(Verdict::new(judge, about.into(), true, begun))
}
