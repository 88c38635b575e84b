//! Third-party clients that run the whole OAuth flow: sign-in, consent, exchange, reading, refresh,
//! reuse, revocation.

use super::{Judge, Verdict, node_tools, python_tools, step};
use crate::{
    partner::REDIRECT_URI,
    server::{Program, Server},
};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use xtask::{target, workspace};

/// Clients for Node.js, each driven by the script with its name.
pub(super) const NODE: [(Judge, &str, &str); 4] = [
    (Judge::Oauth4webapi, "oauth4webapi", "oauth4webapi@3.8.8"),
    (Judge::OpenidClient, "openid-client", "openid-client@6.8.9"),
    (Judge::SimpleOauth2, "simple-oauth2", "simple-oauth2@5.1.0"),
    (Judge::PassportOauth2, "passport-oauth2", "passport-oauth2@1.8.0"),
];
const AUTHLIB: &[&str] = &["authlib==1.9.9", "requests==2.34.2"];
const PASSWORD: &str = "a passphrase for the judges";

/// Program that runs the flow with one of the clients.
pub(super) struct Client {
    judge: &'static str,
    interpreter: PathBuf,
    script: PathBuf,
}

impl Client {
    /// Installs one of the clients for Node.js under `target/judge`.
    pub(super) fn node(name: &'static str, package: &str) -> anyhow::Result<Self> {
        let folder = node_tools(name, name, &[package])?;
        let script = format!("{name}.mjs");
        // The script is in the folder of the package, so that Node.js finds the package.
        for file in ["person.mjs", &script] {
            std::fs::copy(source(file), folder.join(file))?;
        }
        write_from_guide(&format!("{name}-client.mjs"), &folder)?;
        Ok(Self { judge: name, interpreter: "node".into(), script: folder.join(script) })
    }

    /// Installs Authlib, for Python, under `target/judge`.
    pub(super) fn authlib() -> anyhow::Result<Self> {
        let interpreter = python_tools("authlib", "authlib", AUTHLIB)?.join("python");
        let folder = target().join("judge/authlib-flow");
        std::fs::create_dir_all(&folder)?;
        let script = folder.join("flow.py");
        std::fs::copy(source("flow.py"), &script)?;
        write_from_guide("authlib_client.py", &folder)?;
        Ok(Self { judge: "authlib", interpreter, script })
    }

    /// Connects a new user to a new application.
    pub(super) fn drive(&self, program: &Program, server: &Server) -> anyhow::Result<Verdict> {
        let begun = Instant::now();
        let email = format!("{}@example.com", self.judge);
        program.open_person(&email, PASSWORD)?;
        let partner = program.register_partner(self.judge)?;
        let mut command = Command::new(&self.interpreter);
        command.arg(&self.script).env("JUDGE_ORIGIN", &server.origin).env("JUDGE_EMAIL", &email);
        command.env("JUDGE_PASSWORD", PASSWORD).env("JUDGE_REDIRECT_URI", REDIRECT_URI);
        command.env("JUDGE_CLIENT_ID", &partner.id).env("JUDGE_CLIENT_SECRET", &partner.secret);
        // Authlib rejects unencrypted servers otherwise, even local ones.
        command.env("AUTHLIB_INSECURE_TRANSPORT", "1");
        let well = step(&mut command)?;
        let about = "an OAuth client: sign-in, consent, exchange, reading, refresh, reuse, revocation, refusal";
        Ok(Verdict::new(self.judge, about.into(), well, begun))
    }
}

/// Overwrites a script with the guide's code for it, if the guide has any, so that the code that
/// readers copy is tested.
fn write_from_guide(file: &str, folder: &Path) -> anyhow::Result<()> {
    let guide = std::fs::read_to_string(Path::new(workspace()).join("docs/oauth.md"))?;
    let block = guide.split("```").skip(1).step_by(2).find_map(|block| {
        let (info, code) = block.split_once('\n')?;
        (info.split(' ').nth(1) == Some(file)).then_some(code)
    });
    if let Some(code) = block {
        std::fs::write(folder.join(file), code)?;
    }
    Ok(())
}

fn source(file: &str) -> PathBuf {
    Path::new(workspace()).join("lab/judge/oauth").join(file)
}
