//! A clock that jumps a year forward, back to the present, and a day backward.

use super::{
    Lacking,
    clients::{Operation, Phase, watch},
    scene::Scene,
};
use crate::{crash::agent, server::Server};
use anyhow::{Context, ensure};
use serde_json::Value;
use std::{fs, os::unix::fs::FileExt, path::Path, process::Command, thread, time::Duration};
use xtask::{install, process};

const DAY: i64 = 24 * 60 * 60;
/// Time for which each setting of the clock lasts.
const EACH: Duration = Duration::from_secs(5);
/// Maximum response time.
const PROMPT: Duration = Duration::from_secs(5);

/// The server's wall clock jumps; the monotonic clock does not.
pub(super) fn jump(binary: &Path) -> anyhow::Result<()> {
    let scene = Scene::new(binary)?;
    let (library, offset) =
        (scene.folder.path().join("clock.so"), scene.folder.path().join("clock"));
    let Some(compiler) = install::find("cc") else {
        return Err(Lacking(
            "there is no C compiler (`cc`) for the library that moves the clock".into(),
        )
        .into());
    };
    let source = xtask::workspace().join("lab/src/faults/clock.c");
    process::output(
        Command::new(compiler).args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg(source),
    )?;
    let file = fs::File::create(&offset)?;
    // The server maps the file into memory, so it must never be truncated.
    let set = |seconds: i64| file.write_all_at(&seconds.to_ne_bytes(), 0);
    set(0)?;
    let variables = [("LD_PRELOAD", library.as_path()), ("FAULTS_CLOCK", offset.as_path())];
    let server = scene.program.serve_in(&scene.log(), &["--rate-limit", "0"], &variables)?;
    let seen = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::During);
        for seconds in [365 * DAY, 0, -DAY] {
            set(seconds)?;
            thread::sleep(EACH);
            let last = times(&server, &scene.key)?.pop().context("no invoices")?;
            println!("  {} days off: the last invoice was made at {last}", seconds / DAY);
        }
        set(0)?;
        clients.begin(Phase::After);
        clients.wait(Phase::After, Operation::Write, 201, PROMPT).map(drop)
    })?;
    for phase in [Phase::During, Phase::After] {
        seen.only(phase, Operation::Write, &[201], PROMPT)?;
        seen.only(phase, Operation::Read, &[200], PROMPT)?;
        seen.only(phase, Operation::Ready, &[200], PROMPT)?;
    }
    let times = times(&server, &scene.key)?;
    ensure!(times.is_sorted(), "an invoice has an earlier creation time than the one before it");
    let years: std::collections::BTreeSet<_> =
        times.iter().filter_map(|time| time.get(..4)).collect();
    ensure!(years.len() > 1, "the clock did not move: {years:?}");
    let log = fs::read_to_string(scene.log())?;
    ensure!(log.contains("the system clock jumped"), "the log does not report the clock jump");
    scene.verify(server, &seen)
}

/// Creation time of each invoice, by id.
fn times(server: &Server, key: &str) -> anyhow::Result<Vec<String>> {
    let (agent, mut times) = (agent(), Vec::new());
    let mut next = Some("/api/v1/invoices?limit=500".to_owned());
    while let Some(path) = next {
        let text = agent
            .get(format!("{}{path}", server.origin))
            .header("x-api-key", key)
            .call()?
            .body_mut()
            .read_to_string()?;
        let page: Value = serde_json::from_str(&text)?;
        for invoice in page["data"].as_array().with_context(|| text.clone())? {
            let id = invoice["id"].as_i64().context("an invoice without id")?;
            times.push((id, invoice["createdAt"].as_str().context("no createdAt")?.to_owned()));
        }
        next = page["nextCursor"]
            .as_str()
            .map(|cursor| format!("/api/v1/invoices?limit=500&cursor={cursor}"));
    }
    times.sort();
    Ok(times.into_iter().map(|(_, time)| time).collect())
}
