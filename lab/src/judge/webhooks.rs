//! The libraries of Standard Webhooks, which verify the signatures of messages.

use super::{Verdict, node_tools, python_tools, step};
use crate::server::{Program, Server};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use xtask::workspace;

const PACKAGE_PYTHON: &[&str] = &["standardwebhooks==1.0.0"];
const PACKAGE_NODE: &[&str] = &["standardwebhooks@1.0.0"];

/// A receiver in each language, as interpreter and script.
pub(super) struct Receivers(Vec<(&'static str, PathBuf, PathBuf)>);

impl Receivers {
    /// Installs the libraries under `target/judge`.
    pub(super) fn install() -> anyhow::Result<Self> {
        let sources = Path::new(workspace()).join("lab/judge/webhooks");
        let python =
            python_tools("webhooks-python", "webhooks-python", PACKAGE_PYTHON)?.join("python");
        let node = node_tools("webhooks-node", "webhooks-node", PACKAGE_NODE)?;
        // The script is in the folder of the package, so that Node.js finds the package.
        std::fs::copy(sources.join("receive.mjs"), node.join("receive.mjs"))?;
        let node = ("webhooks-node", "node".into(), node.join("receive.mjs"));
        Ok(Self(vec![("webhooks-python", python, sources.join("receive.py")), node]))
    }

    /// Runs each receiver on the events of a new account.
    pub(super) fn receive(
        &self,
        program: &Program,
        server: &Server,
    ) -> anyhow::Result<Vec<Verdict>> {
        let mut verdicts = Vec::new();
        for (name, interpreter, script) in &self.0 {
            let begun = Instant::now();
            let key = program.open_account(&format!("{name}@example.com"))?;
            let mut command = Command::new(interpreter);
            let well = step(
                command.arg(script).env("JUDGE_ORIGIN", &server.origin).env("JUDGE_KEY", key),
            )?;
            verdicts.push(Verdict::new(
                name,
                "a library of Standard Webhooks accepts messages, and rejects changed ones".into(),
                well,
                begun,
            ));
        }
        Ok(verdicts)
    }
}
