//! Checks the open data: the official clients of the Model Context Protocol, calendars, csv and
//! pyld read the data; spectral and schemathesis check its description.

use super::{
    Options, Verdict, install_spectral, judge, node_tools, python_tools, schemathesis, spectral,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use xtask::{install, workspace};

/// MCP client in Python, and readers of calendars and linked data.
const PYTHON: &[&str] = &["mcp==2.3.0", "icalendar==7.3.0", "pyld==3.3.0"];
const TYPESCRIPT: &str = "@modelcontextprotocol/sdk@1.32.2";

/// Installed programs.
pub(super) struct Tools {
    python: PathBuf,
    node: PathBuf,
    spectral: PathBuf,
    schemathesis: PathBuf,
}

impl Tools {
    /// Installs the programs under `target/judge`; calcurse comes from Debian.
    pub(super) fn install() -> anyhow::Result<Self> {
        install::ensure("calcurse, a calendar,", "calcurse", || install::find("calcurse"))?;
        Ok(Self {
            python: python_tools("open-data", "open-data-python", PYTHON)?.join("python"),
            node: node_tools("mcp", "open-data-typescript", &[TYPESCRIPT])?,
            spectral: install_spectral()?,
            schemathesis: schemathesis::install()?,
        })
    }

    /// Runs each program on the open data of a running server.
    pub(super) fn judge(
        &self,
        folder: &Path,
        origin: &str,
        options: &Options,
    ) -> anyhow::Result<Vec<Verdict>> {
        let python = |script: &str| {
            let mut command = Command::new(&self.python);
            command.arg(source(script)).env("JUDGE_ORIGIN", origin);
            command
        };
        let about = "the MCP tools of the open data return the same as the JSON, by the official client for ";
        let script = self.node.join("assistants.mjs");
        // The script is in the folder of the package, so that Node.js finds the package.
        fs::copy(source("assistants.mjs"), &script)?;
        let description = folder.join("open-data.json");
        let text = ureq::get(format!("{origin}/open-data/openapi.json"))
            .call()?
            .body_mut()
            .read_to_string()?;
        fs::write(&description, text)?;
        Ok(vec![
            judge("mcp-py", format!("{about}Python"), &mut python("assistants.py"))?,
            judge(
                "mcp-ts",
                format!("{about}TypeScript"),
                Command::new("node").arg(script).env("JUDGE_ORIGIN", origin),
            )?,
            judge(
                "readers",
                "icalendar and calcurse, csv and pyld read the open data".into(),
                &mut python("readers.py"),
            )?,
            spectral(&self.spectral, "spectral", &description)?,
            self.schemathesis(folder, origin, options)?,
        ])
    }

    fn schemathesis(
        &self,
        folder: &Path,
        origin: &str,
        options: &Options,
    ) -> anyhow::Result<Verdict> {
        let mut command = Command::new(&self.schemathesis);
        command.arg("--config-file").arg(source("schemathesis.toml"));
        command.args([
            "run",
            &format!("{origin}/open-data/openapi.json"),
            "--checks",
            "all",
            "--continue-on-failure",
        ]);
        // Fewer examples per operation than for the API, because the operations are many and small.
        // One worker, for the same reason as for the API.
        command.args([
            "--workers",
            "1",
            "--max-examples",
            &(options.examples / 20).max(20).to_string(),
        ]);
        if let Some(seed) = options.seed {
            command.args(["--seed", &seed.to_string()]);
        }
        judge(
            "schemathesis",
            "the open data matches its description: all checks".into(),
            command.current_dir(folder),
        )
    }
}

fn source(file: &str) -> PathBuf {
    Path::new(workspace()).join("lab/judge/open-data").join(file)
}
