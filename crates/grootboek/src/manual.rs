//! Shell completions and manual pages, generated from the definition of the command line.

use crate::cli::Cli;
use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};
use std::{io, io::Write, path::Path};

/// Start of the examples in the help of a command.
const EXAMPLE: &str = "Example:";
/// Files of the Debian package, with descriptions.
const FILES: [(&str, &str); 5] = [
    (
        "/etc/grootboek/grootboek.env",
        "Configuration of the service: the variables above. grootboek-admin reads it too.",
    ),
    (
        "/var/lib/grootboek/grootboek.db",
        "The books (SQLite), with grootboek.db-wal and grootboek.db-shm.",
    ),
    ("/var/lib/grootboek/grootboek.db.secret", "The key that encrypts second factors."),
    ("/var/backups/grootboek", "Nightly backups of the books and of the key."),
    (
        "/usr/share/doc/grootboek",
        "The operator's manual (operating.md) and alert rules (alerts.yml).",
    ),
];
/// Exit codes of all commands.
const EXIT_CODES: [(&str, &str); 3] = [
    ("0", "Success, also if the reader of the output closed the pipe, as head(1) does."),
    (
        "1",
        "Refused or failed; the reason is on standard error. `verify`: discrepancies; `migrate --check`: a step is due.",
    ),
    ("2", "The command line is invalid."),
];

pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "grootboek", &mut text);
    Ok(io::stdout().write_all(&text)?)
}

pub(crate) fn pages(folder: &Path) -> anyhow::Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(&command, None, folder)
        .with_context(|| format!("cannot write into {}", folder.display()))
}

/// Writes the manual pages of a command and of its visible subcommands.
fn write_pages(command: &Command, parent: Option<&Command>, folder: &Path) -> io::Result<()> {
    let page = Man::new(command.clone()).source(concat!("grootboek ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if visible(command).next().is_some() {
        page.render_subcommands_section(&mut text)?;
    }
    own_sections(command, parent).to_writer(&mut text)?;
    std::fs::write(folder.join(page.get_filename()), text)?;
    visible(command).try_for_each(|subcommand| write_pages(subcommand, Some(command), folder))
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set())
}

/// Sections that the library does not generate: the text after the help, environment, files, exit
/// codes and related pages.
fn own_sections(command: &Command, parent: Option<&Command>) -> Roff {
    let mut page = Roff::new();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, notes): (Vec<&str>, Vec<&str>) =
        help.split("\n\n").partition(|paragraph| paragraph.trim_start().starts_with(EXAMPLE));
    if !examples.is_empty() {
        page.control("SH", ["EXAMPLES"]);
        for line in examples.iter().flat_map(|paragraph| paragraph.lines()) {
            page.control("PP", []).text([bold(line.trim_start_matches(EXAMPLE).trim())]);
        }
    }
    if !help.is_empty() && !notes.is_empty() {
        page.control("SH", ["NOTES"]);
        for note in notes {
            page.control("PP", []).text([roman(note)]);
        }
    }
    page.control("SH", ["ENVIRONMENT"]);
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
        if let (Some(variable), Some(option)) = (argument.get_env(), argument.get_long()) {
            item(
                &mut page,
                &variable.to_string_lossy(),
                &format!("Same as --{option}, which takes precedence."),
            );
        }
    }
    item(&mut page, "RUST_LOG", "Log filter, such as warn or info,request=off.");
    item(
        &mut page,
        "SSL_CERT_FILE",
        "A PEM file with the trusted certificates, instead of those of the system.",
    );
    page.control("SH", ["FILES"]);
    FILES.iter().for_each(|(file, about)| item(&mut page, file, about));
    page.control("SH", ["EXIT STATUS"]);
    EXIT_CODES.iter().for_each(|(code, about)| item(&mut page, code, about));
    page.control("SH", ["SEE ALSO"]);
    let related = parent
        .into_iter()
        .chain(visible(command))
        .map(|other| format!("{}(1)", display_name(other)));
    page.text([roman(
        related
            .chain(["/usr/share/doc/grootboek/operating.md".to_owned()])
            .collect::<Vec<_>>()
            .join(", "),
    )]);
    page
}

fn display_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Adds a term and its meaning.
fn item(page: &mut Roff, term: &str, meaning: &str) {
    page.control("TP", []).text([bold(term)]).text([roman(meaning)]);
}
