//! bench
/// o
#[derive(Debug, clap::Args)]
pub struct Options {}
/// r
/// # Errors
/// none
pub fn run(_: &Options) -> anyhow::Result<std::process::ExitCode> { anyhow::bail!("x") }
