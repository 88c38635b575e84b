//! What can be said on the command line.

mod options;

pub(crate) use options::{MailOptions, ServeOptions};

use clap::{Args, Parser, Subcommand, ValueEnum};
use ledger::country::CountryCode;
use service::{Fault, Reason};
use std::{net::SocketAddr, path::PathBuf};
use store::accounts::Plan;

/// Bookkeeping for the self-employed in the Netherlands.
#[derive(Parser)]
#[command(
    version = crate::version::text(),
    about,
    max_term_width = 100,
    after_help = "Example: grootboek demo\n         grootboek --database sqlite:books.db serve"
)]
pub(crate) struct Cli {
    /// Where the books are: sqlite:PATH or postgres://user:password@host/database [default: data/grootboek.db in a checkout of the
    /// project, else grootboek/grootboek.db in the platform's data directory]
    #[arg(long, global = true, env = "GROOTBOEK_DATABASE", hide_env_values = true, value_name = "URL")]
    // A text: clap would print a value that it cannot parse, and a password with it.
    pub(crate) database: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the pages and the API until told to stop
    #[command(after_help = "Example: grootboek serve --listen 127.0.0.1:8080 --base-url https://books.example.com")]
    Serve(ServeOptions),
    /// Serve the books of an invented freelancer from a fresh database of their own, and print how to try the API
    #[command(after_help = "Example: grootboek demo\n\nThe demo never opens the database that GROOTBOEK_DATABASE names.")]
    Demo(DemoOptions),
    /// Make, list, show and close accounts, and help their owners
    #[command(
        subcommand,
        after_help = "Example: grootboek account add --email anna@example.com --name 'Anna Ontwerp' --plan starter"
    )]
    Account(AccountCommand),
    /// Try out whether mails go out, and list those that did not
    #[command(subcommand, after_help = "Example: grootboek mail test --to anna@example.com\n         grootboek mail list")]
    Mail(MailCommand),
    /// Make, list and revoke API keys
    #[command(subcommand, after_help = "Example: grootboek key add --email anna@example.com --name webshop --scope read")]
    Key(KeyCommand),
    /// Make and list projects
    #[command(subcommand, after_help = "Example: grootboek project add --email anna@example.com --name 'Website Bakker'")]
    Project(ProjectCommand),
    /// Register, list and remove partner applications that people can connect (OAuth 2.0), give them new secrets
    #[command(
        subcommand,
        after_help = "Example: grootboek oauth register --name 'Example Shop' --redirect-uri https://shop.example.com/callback"
    )]
    Oauth(OauthCommand),
    /// Verify the books: recompute everything from the entries and name each discrepancy (exit code 1 if there is any)
    #[command(after_help = "Example: grootboek verify --json >> heads.jsonl\n         grootboek verify --against heads.jsonl")]
    Verify(VerifyOptions),
    /// Bring the tables up to date, as `serve` does when it starts, or tell whether that is due
    #[command(
        after_help = "Example: grootboek migrate --check\n\nWith --check the exit code is 0 when nothing is due, and 1 when something is."
    )]
    Migrate {
        /// Only tell; nothing is changed
        #[arg(long)]
        check: bool,
        /// Do it though servers of the version before are at work (PostgreSQL)
        #[arg(long, conflicts_with = "check")]
        while_serving: bool,
    },
    /// Move all books from SQLite to PostgreSQL or back, into an empty database, while no server runs
    #[command(
        after_help = "Example: grootboek move --from sqlite:books.db --to postgres://user:password@host/database\n\nEverything is moved and proved, or nothing is: a move that was broken off is begun again. The source is left as it is."
    )]
    Move(MoveOptions),
    /// Spread the tables of a PostgreSQL with the extension Citus over its nodes, or tell what would be done
    #[command(
        after_help = "Example: grootboek distribute --role grootboek_server --dry-run\n\nRun it on the coordinator with the role that owns the tables, while no server runs; and again after `migrate`. What is done already is left as it is."
    )]
    Distribute(DistributeOptions),
    /// Write the audit file (XAF) of a year, for an accountant or the tax office
    #[command(after_help = "Example: grootboek audit-file --email anna@example.com --year 2026 > auditfile-2026-4.0.xaf")]
    AuditFile(AuditFileOptions),
    /// Copy the books to a new file, while the server runs (SQLite)
    #[command(
        after_help = "Example: grootboek --database sqlite:books.db backup /var/backups/grootboek --keep 30\n\nFor PostgreSQL use pg_dump or pg_basebackup."
    )]
    Backup(BackupOptions),
    /// Put a backup in the place of the database, while no server runs (SQLite)
    #[command(
        after_help = "Example: grootboek --database sqlite:books.db restore books-2026-11-21.db --replace\n\nFor PostgreSQL use pg_restore or psql."
    )]
    Restore {
        /// A file that `backup` wrote
        file: PathBuf,
        /// Overwrite the database that is there
        #[arg(long)]
        replace: bool,
        /// Where the server's secret file is, which is put back too if the backup has it and there is none [default: beside the SQLite file]
        #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE")]
        secret_file: Option<PathBuf>,
    },
    /// Print what completes commands and options in a shell
    #[command(after_help = "Example: grootboek completions bash > /etc/bash_completion.d/grootboek")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    #[command(hide = true, after_help = "Example: grootboek manual /usr/local/share/man/man1")]
    Manual {
        /// A folder that is there
        folder: PathBuf,
    },
    /// Fill an account with invoices, for measuring
    #[command(hide = true, after_help = "Example: grootboek fill --email anna@example.com --invoices 1000")]
    Fill {
        #[arg(long)]
        email: String,
        #[arg(long)]
        invoices: u64,
        #[arg(long, default_value_t = 2026)]
        year: i16,
    },
}

#[derive(Args)]
pub(crate) struct MoveOptions {
    /// The database with the books [default: the one that --database names]
    // Texts: clap would print a value that it cannot parse, and a password with it.
    #[arg(long, env = "GROOTBOEK_MOVE_FROM", hide_env_values = true, value_name = "URL")]
    pub(crate) from: Option<String>,
    /// The database that they go to: an empty one on PostgreSQL, or an SQLite file that is not there yet
    #[arg(long, env = "GROOTBOEK_MOVE_TO", hide_env_values = true, value_name = "URL")]
    pub(crate) to: String,
}

#[derive(Args)]
pub(crate) struct DistributeOptions {
    /// The role with which servers connect: it may read the journal and append to it, and cannot change it
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: String,
    /// Into how many shards the accounts are divided, the first time
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) shards: u32,
    /// Only tell what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do it though servers are at work: for tables that a migration added
    #[arg(long)]
    pub(crate) while_serving: bool,
}

#[derive(Args)]
pub(crate) struct DemoOptions {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_parser = address, default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Keep the demo's database in this new file instead of throwing it away at the end
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// Not shown: the demo has a database of its own. What is given arrives in `Cli`.
    #[arg(long, hide = true, value_name = "URL")]
    database: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum AccountCommand {
    /// Open an account with empty books
    #[command(after_help = "Example: grootboek account add --email anna@example.com --name 'Anna Ontwerp' --plan starter")]
    Add {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// The owner's or company's name
        #[arg(long)]
        name: String,
        /// Where they are established, as a two-letter code
        #[arg(long, default_value = "NL", value_parser = country)]
        country: CountryCode,
        /// What they pay for
        #[arg(long, default_value = "free")]
        plan: PlanName,
        /// Read the password to sign in with from standard input
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON: {"id"}
        #[arg(long)]
        json: bool,
    },
    /// Put an account on another plan
    #[command(after_help = "Example: grootboek account set-plan --email anna@example.com --plan pro")]
    SetPlan {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// What they pay for from now on
        #[arg(long)]
        plan: PlanName,
    },
    /// Give an account another password; whoever is signed in to it is signed out
    #[command(
        after_help = "Example: printf %s 'a long passphrase' | grootboek account set-password --email anna@example.com --password-stdin"
    )]
    SetPassword {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// Read the password from standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Note that the e-mail address is the owner's, for who never got the mail with the link
    #[command(after_help = "Example: grootboek account confirm --email anna@example.com")]
    Confirm {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
    },
    /// Give an account another e-mail address, for who cannot read the mails to the old one
    #[command(after_help = "Example: grootboek account set-email --email anna@example.com --to anna@example.org")]
    SetEmail {
        /// The owner's e-mail address until now
        #[arg(long)]
        email: String,
        /// The owner's e-mail address from now on
        #[arg(long, value_name = "EMAIL")]
        to: String,
    },
    /// Tell what there is to know about an account, to help its owner
    #[command(after_help = "Example: grootboek account show --email anna@example.com")]
    Show {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take the second factor and its recovery codes away from somebody who lost both; whoever is signed in is signed out
    #[command(after_help = "Example: grootboek account reset-second-factor --email anna@example.com")]
    ResetSecondFactor {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
    },
    /// Close an account for good: nobody can sign in, no key works, and its books are erased
    #[command(after_help = "Example: grootboek account close --email anna@example.com --yes")]
    Close {
        /// The owner's e-mail address
        #[arg(long)]
        email: String,
        /// Do it: there is no way back but a backup
        #[arg(long)]
        yes: bool,
    },
    /// List all accounts
    #[command(after_help = "Example: grootboek account list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum MailCommand {
    /// Hand a mail over to the server that sends mails, and tell what it said
    #[command(after_help = "Example: grootboek mail test --to anna@example.com --smtp smtp://user:password@mail.example.com:587")]
    Test {
        /// To whom
        #[arg(long, value_name = "EMAIL")]
        to: String,
        #[command(flatten)]
        mail: MailOptions,
        /// The origin that people reach the server by
        #[arg(long, env = "GROOTBOEK_BASE_URL", value_name = "URL")]
        base_url: Option<String>,
    },
    /// List the mails that wait or could not be sent, each with what the mail server said
    #[command(after_help = "Example: grootboek mail list --email anna@example.com")]
    List {
        /// Only those of the account with this e-mail address
        #[arg(long)]
        email: Option<String>,
        /// Print JSON: [{"id","account","kind","invoiceId","to","subject","status","attempts","cause","createdAt"}]
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Make an API key; it is shown once
    #[command(after_help = "Example: grootboek key add --email anna@example.com --name webshop --scope read --scope write")]
    Add {
        /// The account's e-mail address
        #[arg(long)]
        email: String,
        /// What to call the key
        #[arg(long)]
        name: String,
        /// What it may do; may be given twice
        #[arg(long, required = true)]
        scope: Vec<ScopeName>,
        /// Of the test account beside it, which is opened where there is none
        #[arg(long)]
        test: bool,
        /// Print JSON: {"id","key"}
        #[arg(long)]
        json: bool,
    },
    /// List an account's keys
    #[command(after_help = "Example: grootboek key list --email anna@example.com")]
    List {
        /// The account's e-mail address
        #[arg(long)]
        email: String,
        /// Those of the test account beside it
        #[arg(long)]
        test: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End a key at once
    #[command(after_help = "Example: grootboek key revoke --email anna@example.com --id 1")]
    Revoke {
        /// The account's e-mail address
        #[arg(long)]
        email: String,
        /// Of the test account beside it
        #[arg(long)]
        test: bool,
        /// The key's id, as `key list` shows it
        #[arg(long)]
        id: i64,
    },
}

#[derive(Subcommand)]
pub(crate) enum ProjectCommand {
    /// Make a project, on which hours can be written
    #[command(after_help = "Example: grootboek project add --email anna@example.com --name 'Website Bakker' --hourly-rate 95")]
    Add {
        /// The account's e-mail address
        #[arg(long)]
        email: String,
        /// What to call the project
        #[arg(long)]
        name: String,
        /// Euros per hour, excluding VAT, with a point, not a comma, such as 95.50
        #[arg(long)]
        hourly_rate: Option<String>,
        /// Print JSON: {"id"}
        #[arg(long)]
        json: bool,
    },
    /// List an account's projects
    #[command(after_help = "Example: grootboek project list --email anna@example.com --json")]
    List {
        /// The account's e-mail address
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum OauthCommand {
    /// Register an application; its secret is shown once
    #[command(
        after_help = "Example: grootboek oauth register --name 'Example Shop' --redirect-uri https://shop.example.com/callback --scope read"
    )]
    Register {
        /// What people are shown when they are asked to connect it
        #[arg(long)]
        name: String,
        /// Where people are sent back to, character for character; https, or for native applications http://127.0.0.1 with any port or
        /// a scheme such as com.example.app:/callback; may be given several times
        #[arg(long, required = true, value_name = "URI")]
        redirect_uri: Vec<String>,
        /// What it may ask for; may be given twice [default: read and write]
        #[arg(long)]
        scope: Vec<ScopeName>,
        /// Its id, when it comes from another server [default: a new one]
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: Option<String>,
        /// Its secret, when it comes from another server with its id [default: a new one]
        #[arg(long, value_name = "SECRET", env = "GROOTBOEK_CLIENT_SECRET", hide_env_values = true, allow_hyphen_values = true)]
        client_secret: Option<String>,
        /// Print JSON: {"clientId","clientSecret"}
        #[arg(long)]
        json: bool,
    },
    /// List all applications, and how many people have each connected
    #[command(after_help = "Example: grootboek oauth list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give an application a new secret; the old one stops working at once, connections stay
    #[command(after_help = "Example: grootboek oauth rotate-secret --client-id gb_client_…")]
    RotateSecret {
        /// The application's id, as `oauth list` shows it
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: String,
        /// Print JSON: {"clientId","clientSecret"}
        #[arg(long)]
        json: bool,
    },
    /// Remove an application; everyone who connected it is disconnected at once
    #[command(after_help = "Example: grootboek oauth remove --client-id gb_client_…")]
    Remove {
        /// The application's id, as `oauth list` shows it
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: String,
    },
}

#[derive(Args)]
pub(crate) struct VerifyOptions {
    /// Only the books of this account
    #[arg(long)]
    pub(crate) email: Option<String>,
    /// The test accounts instead of the real ones; with --email, the test account of that owner
    #[arg(long, conflicts_with = "against")]
    pub(crate) test: bool,
    /// A file of what `verify --json` printed before: each head that is recorded there must still be in the books
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct BackupOptions {
    /// The file to write, which must not exist; or a folder, in which the file is named after the moment
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) to: PathBuf,
    /// Of the backups in the folder, keep so many of the newest and remove the others
    #[arg(long, value_parser = at_least_one, value_name = "N")]
    pub(crate) keep: Option<usize>,
    /// Where the server's secret file is, which is copied too [default: beside the SQLite file, with .secret at its end]
    #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Leave the secret file out: you keep it elsewhere
    #[arg(long)]
    pub(crate) without_secret: bool,
}

#[derive(Args)]
pub(crate) struct AuditFileOptions {
    /// Whose books
    #[arg(long)]
    pub(crate) email: String,
    /// Of which year
    #[arg(long, value_parser = clap::value_parser!(i16).range(2000..=2099))]
    pub(crate) year: i16,
    /// The version of the form: 4.0 or 3.2
    #[arg(long, default_value = "4.0")]
    pub(crate) form: String,
    /// The file to write; it must not exist [default: the standard output]
    #[arg(long, short)]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    Off,
    On,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Migrations {
    Auto,
    Never,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PlanName {
    Free,
    Starter,
    Pro,
}

impl From<PlanName> for Plan {
    fn from(name: PlanName) -> Self {
        match name {
            PlanName::Free => Self::Free,
            PlanName::Starter => Self::Starter,
            PlanName::Pro => Self::Pro,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeName {
    Read,
    Write,
    File,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an IP address and a port, such as 127.0.0.1:8080".to_owned())
}

fn whole_number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}

fn positive(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn country(text: &str) -> Result<CountryCode, String> {
    CountryCode::parse(text).map_err(|_| web::english::message(&Fault::new("/country", Reason::UnknownCountry)))
}
