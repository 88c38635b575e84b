//! Completions for shells, and manual pages, made from the command line itself.

use crate::cli::Cli;
use anyhow::Context;
use clap::CommandFactory;
use std::{io::Write, path::Path};

pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "grootboek", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

pub(crate) fn pages(folder: &Path) -> anyhow::Result<()> {
    // What is hidden is not for people.
    clap_mangen::generate_to(Cli::command(), folder).with_context(|| format!("cannot write into {}", folder.display()))
}
