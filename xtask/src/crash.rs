//! crash
/// o
#[derive(Debug, clap::Args)]
pub struct Arguments {}
/// r
/// # Errors
/// none
pub fn run_command(_: &Arguments) -> anyhow::Result<std::process::ExitCode> { anyhow::bail!("x") }
