//! Definition of the command line.

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
    /// Database URL: sqlite:PATH or postgres://user:password@host/database [default:
    /// data/grootboek.db in a checkout of the project, otherwise grootboek/grootboek.db in the
    /// platform's data directory]
    #[arg(
        long,
        global = true,
        env = "GROOTBOEK_DATABASE",
        hide_env_values = true,
        value_name = "URL"
    )]
    // A string, because clap prints a value that it cannot parse, including any password.
    pub(crate) database: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the pages and the API until stopped
    #[command(
        after_help = "Example: grootboek serve --listen 127.0.0.1:8080 --base-url https://books.example.com"
    )]
    Serve(ServeOptions),
    /// Serve the books of an invented freelancer from a new temporary database, and print example
    /// API calls
    #[command(
        after_help = "Example: grootboek demo\n\nThe demo never opens the database that GROOTBOEK_DATABASE names."
    )]
    Demo(DemoOptions),
    /// Create, list, show and close accounts, and help their owners
    #[command(
        subcommand,
        after_help = "Example: grootboek account add --email anna@example.com --name 'Anna Ontwerp' --plan starter"
    )]
    Account(AccountCommand),
    /// Send a test email, and list undelivered emails
    #[command(
        subcommand,
        after_help = "Example: grootboek mail test --to anna@example.com\n         grootboek mail list"
    )]
    Mail(MailCommand),
    /// Create, list and revoke API keys
    #[command(
        subcommand,
        after_help = "Example: grootboek key add --email anna@example.com --name webshop --scope read"
    )]
    Key(KeyCommand),
    /// Create and list projects
    #[command(
        subcommand,
        after_help = "Example: grootboek project add --email anna@example.com --name 'Website Bakker'"
    )]
    Project(ProjectCommand),
    /// Register, list and remove partner applications (OAuth 2.0 clients), and rotate their secrets
    #[command(
        subcommand,
        after_help = "Example: grootboek oauth register --name 'Example Shop' --redirect-uri https://shop.example.com/callback"
    )]
    Oauth(OauthCommand),
    /// Show the VAT returns and ICP declarations of an account
    #[command(subcommand, after_help = "Example: grootboek vat periods --account anna@example.com")]
    Vat(VatCommand),
    /// Show what falls due by itself, such as recurring invoices, and do it once
    #[command(subcommand, after_help = "Example: grootboek due list\n         grootboek due run")]
    Due(DueCommand),
    /// List bank accounts, import bank statements, and compare balances
    #[command(
        subcommand,
        after_help = "Example: grootboek bank import --account anna@example.com statement.xml"
    )]
    Bank(BankCommand),
    /// Verify the books: recompute everything from the entries and report each discrepancy (exit
    /// code 1 if there is any)
    #[command(
        after_help = "Example: grootboek verify --json >> heads.jsonl\n         grootboek verify --against heads.jsonl"
    )]
    Verify(VerifyOptions),
    /// Migrate the tables to this version, as `serve` does at startup, or check whether a migration
    /// is due
    #[command(
        after_help = "Example: grootboek migrate --check\n\nWith --check the exit code is 0 if nothing is due, and 1 otherwise."
    )]
    Migrate {
        /// Only check; change nothing
        #[arg(long)]
        check: bool,
        /// Migrate while servers of the previous version are running (PostgreSQL)
        #[arg(long, conflicts_with = "check")]
        while_serving: bool,
    },
    /// Move all books from SQLite to PostgreSQL or back, into an empty database, while no server is
    /// running
    #[command(
        after_help = "Example: grootboek move --from sqlite:books.db --to postgres://user:password@host/database\n\nEither everything is moved and verified, or nothing is: start an interrupted move again. The source is not changed."
    )]
    Move(MoveOptions),
    /// Distribute the tables of a PostgreSQL database with the Citus extension over its nodes, or
    /// show the steps
    #[command(
        after_help = "Example: grootboek distribute --role grootboek_server --dry-run\n\nRun it on the coordinator with the role that owns the tables, while no server is running, and again after `migrate`. Completed steps are skipped."
    )]
    Distribute(DistributeOptions),
    /// Write the audit file (XAF) of a year, for an accountant or the tax office
    #[command(
        after_help = "Example: grootboek audit-file --email anna@example.com --year 2026 > auditfile-2026-4.0.xaf"
    )]
    AuditFile(AuditFileOptions),
    /// Back up the books to a new file, even while the server is running (SQLite)
    #[command(
        after_help = "Example: grootboek --database sqlite:books.db backup /var/backups/grootboek --keep 30\n\nFor PostgreSQL use pg_dump or pg_basebackup."
    )]
    Backup(BackupOptions),
    /// Replace the database with a backup, while no server is running (SQLite)
    #[command(
        after_help = "Example: grootboek --database sqlite:books.db restore books-2026-11-21.db --replace\n\nFor PostgreSQL use pg_restore or psql."
    )]
    Restore {
        /// Backup file written by `backup`
        file: PathBuf,
        /// Overwrite the existing database
        #[arg(long)]
        replace: bool,
        /// Secret file of the server; restored too if the backup has one and the server has none
        /// [default: next to the SQLite file]
        #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE")]
        secret_file: Option<PathBuf>,
    },
    /// Print the completion script for a shell
    #[command(
        after_help = "Example: grootboek completions bash > /etc/bash_completion.d/grootboek"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a folder
    #[command(hide = true, after_help = "Example: grootboek manual /usr/local/share/man/man1")]
    Manual {
        /// Existing folder
        folder: PathBuf,
    },
    /// Fill an account with invoices, for benchmarks
    #[command(
        hide = true,
        after_help = "Example: grootboek fill --email anna@example.com --invoices 1000"
    )]
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
    /// Database with the books [default: that of --database]
    // Strings, because clap prints a value that it cannot parse, including any password.
    #[arg(long, env = "GROOTBOEK_MOVE_FROM", hide_env_values = true, value_name = "URL")]
    pub(crate) from: Option<String>,
    /// Target database: an empty PostgreSQL database, or a new SQLite file
    #[arg(long, env = "GROOTBOEK_MOVE_TO", hide_env_values = true, value_name = "URL")]
    pub(crate) to: String,
}

#[derive(Args)]
pub(crate) struct DistributeOptions {
    /// Role used by servers: it may read the journal and append to it, but not change it
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: String,
    /// Number of shards, used when the tables are first distributed
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) shards: u32,
    /// Only show the steps; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Distribute while servers are running, for tables added by a migration
    #[arg(long)]
    pub(crate) while_serving: bool,
}

#[derive(Args)]
pub(crate) struct DemoOptions {
    /// Address to listen on; port 0 selects a free port
    #[arg(long, value_parser = address, default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Keep the demo's database in this new file instead of deleting it at the end
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// Hides the global option from the help, because the demo has a database of its own. A value
    /// is still parsed into `Cli::database`.
    #[arg(long, hide = true, value_name = "URL")]
    database: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum AccountCommand {
    /// Open an account with empty books
    #[command(
        after_help = "Example: grootboek account add --email anna@example.com --name 'Anna Ontwerp' --plan starter"
    )]
    Add {
        /// Email address of the owner
        #[arg(long)]
        email: String,
        /// Name of the owner or company
        #[arg(long)]
        name: String,
        /// Country of establishment, as a two-letter code
        #[arg(long, default_value = "NL", value_parser = country)]
        country: CountryCode,
        /// Plan of the account
        #[arg(long, default_value = "free")]
        plan: PlanName,
        /// Read the sign-in password from standard input
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON: {"id"}
        #[arg(long)]
        json: bool,
    },
    /// Change the plan of an account
    #[command(
        after_help = "Example: grootboek account set-plan --email anna@example.com --plan pro"
    )]
    SetPlan {
        /// Email address of the owner
        #[arg(long)]
        email: String,
        /// New plan
        #[arg(long)]
        plan: PlanName,
    },
    /// Set a new password for an account and end its sessions
    #[command(
        after_help = "Example: printf %s 'a long passphrase' | grootboek account set-password --email anna@example.com --password-stdin"
    )]
    SetPassword {
        /// Email address of the owner
        #[arg(long)]
        email: String,
        /// Read the password from standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Confirm the email address of an owner who never got the email with the link
    #[command(after_help = "Example: grootboek account confirm --email anna@example.com")]
    Confirm {
        /// Email address of the owner
        #[arg(long)]
        email: String,
    },
    /// Change the email address of an owner who cannot read emails sent to the old one
    #[command(
        after_help = "Example: grootboek account set-email --email anna@example.com --to anna@example.org"
    )]
    SetEmail {
        /// Current email address of the owner
        #[arg(long)]
        email: String,
        /// New email address of the owner
        #[arg(long, value_name = "EMAIL")]
        to: String,
    },
    /// Show the sign-in methods, usage and undelivered emails of an account, to help its owner
    #[command(after_help = "Example: grootboek account show --email anna@example.com")]
    Show {
        /// Email address of the owner
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove the second factor and recovery codes of an owner who lost both, and end their
    /// sessions
    #[command(
        after_help = "Example: grootboek account reset-second-factor --email anna@example.com"
    )]
    ResetSecondFactor {
        /// Email address of the owner
        #[arg(long)]
        email: String,
    },
    /// Close an account permanently: sign-in and keys stop working, and its books are erased
    #[command(after_help = "Example: grootboek account close --email anna@example.com --yes")]
    Close {
        /// Email address of the owner
        #[arg(long)]
        email: String,
        /// Confirm the closure; only restoring a backup can undo it
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
    /// Send a test email through the mail server and show its response
    #[command(
        after_help = "Example: grootboek mail test --to anna@example.com --smtp smtp://user:password@mail.example.com:587"
    )]
    Test {
        /// Recipient
        #[arg(long, value_name = "EMAIL")]
        to: String,
        #[command(flatten)]
        mail: MailOptions,
        /// Public origin of the server
        #[arg(long, env = "GROOTBOEK_BASE_URL", value_name = "URL")]
        base_url: Option<String>,
    },
    /// List emails that are waiting or could not be sent, with the response of the mail server
    #[command(after_help = "Example: grootboek mail list --email anna@example.com")]
    List {
        /// Only emails of the account with this email address
        #[arg(long)]
        email: Option<String>,
        /// Print JSON: [{"id","account","kind","invoiceId","to","subject","status","attempts","cause","createdAt"}]
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Create an API key, which is shown once
    #[command(
        after_help = "Example: grootboek key add --email anna@example.com --name webshop --scope read --scope write"
    )]
    Add {
        /// Email address of the account
        #[arg(long)]
        email: String,
        /// Name of the key
        #[arg(long)]
        name: String,
        /// Scope of the key; may be repeated
        #[arg(long, required = true)]
        scope: Vec<ScopeName>,
        /// Create the key for the account's test account, which is opened if needed
        #[arg(long)]
        test: bool,
        /// Print JSON: {"id","key"}
        #[arg(long)]
        json: bool,
    },
    /// List the keys of an account
    #[command(after_help = "Example: grootboek key list --email anna@example.com")]
    List {
        /// Email address of the account
        #[arg(long)]
        email: String,
        /// List the keys of the account's test account
        #[arg(long)]
        test: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key immediately
    #[command(after_help = "Example: grootboek key revoke --email anna@example.com --id 1")]
    Revoke {
        /// Email address of the account
        #[arg(long)]
        email: String,
        /// Revoke a key of the account's test account
        #[arg(long)]
        test: bool,
        /// Id of the key, as shown by `key list`
        #[arg(long)]
        id: i64,
    },
}

#[derive(Subcommand)]
pub(crate) enum ProjectCommand {
    /// Create a project for time entries
    #[command(
        after_help = "Example: grootboek project add --email anna@example.com --name 'Website Bakker' --hourly-rate 95"
    )]
    Add {
        /// Email address of the account
        #[arg(long)]
        email: String,
        /// Name of the project
        #[arg(long)]
        name: String,
        /// Hourly rate in euros excluding VAT, with a decimal point, such as 95.50
        #[arg(long)]
        hourly_rate: Option<String>,
        /// Print JSON: {"id"}
        #[arg(long)]
        json: bool,
    },
    /// List the projects of an account
    #[command(after_help = "Example: grootboek project list --email anna@example.com --json")]
    List {
        /// Email address of the account
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum VatCommand {
    /// List the returns and declarations with their deadlines and status, newest first
    #[command(after_help = "Example: grootboek vat periods --account anna@example.com --json")]
    Periods {
        /// Email address of the account
        #[arg(long, value_name = "EMAIL")]
        account: String,
        /// Write JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum DueCommand {
    /// List what is due now, without doing it
    #[command(after_help = "Example: grootboek due list --account anna@example.com --json")]
    List(DueOptions),
    /// Do what is due now, as a server does by itself; whatever a server did is not done again
    #[command(
        after_help = "Example: grootboek due run --account anna@example.com\n\nMails are queued; a server sends them."
    )]
    Run {
        #[command(flatten)]
        options: DueOptions,
        #[command(flatten)]
        pages: PageOptions,
    },
}

#[derive(Args)]
pub(crate) struct PageOptions {
    /// Public origin of the server, for the links to pages of customers; without it, mails have none
    #[arg(long, env = "GROOTBOEK_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Secret file of the server [default: next to the SQLite file, with .secret appended]
    #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct DueOptions {
    /// Email address of the account; all accounts if left out
    #[arg(long, value_name = "EMAIL")]
    pub(crate) account: Option<String>,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum BankCommand {
    /// List the bank accounts with the balances of books and bank
    #[command(after_help = "Example: grootboek bank accounts --account anna@example.com")]
    Accounts(BankOptions),
    /// Import bank statements: all files or none; lines that are there already are recognized
    #[command(
        after_help = "Example: grootboek bank import --account anna@example.com --dry-run november.xml december.xml\n\nThe exit code is 0 if the files are taken or known, and 1 if they are refused."
    )]
    Import {
        #[command(flatten)]
        options: BankOptions,
        /// Files: CAMT.053, MT940, CSV of a known bank, or a zip of these
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Show what would be taken; write nothing
        #[arg(long)]
        dry_run: bool,
        /// Take files whose lines do not add up to their closing balance
        #[arg(long)]
        accept_balance: bool,
    },
    /// List the lines that wait to be booked, newest first
    #[command(after_help = "Example: grootboek bank lines --account anna@example.com --json")]
    Lines(BankOptions),
    /// Compare the balances of bank, lines and books of the last 31 days
    #[command(
        after_help = "Example: grootboek bank days --account anna@example.com --bank-account NL20INGB0001234567"
    )]
    Days(BankOptions),
}

#[derive(Args, Clone)]
pub(crate) struct BankOptions {
    /// Email address of the account
    #[arg(long, value_name = "EMAIL")]
    pub(crate) account: String,
    /// Bank account, by its name or its IBAN
    #[arg(long, value_name = "NAME|IBAN")]
    pub(crate) bank_account: Option<String>,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum OauthCommand {
    /// Register an application; its secret is shown once
    #[command(
        after_help = "Example: grootboek oauth register --name 'Example Shop' --redirect-uri https://shop.example.com/callback --scope read"
    )]
    Register {
        /// Name shown to people who are asked to connect the application
        #[arg(long)]
        name: String,
        /// Redirect URI, compared character by character; https, or for native applications
        /// http://127.0.0.1 with any port or a scheme such as com.example.app:/callback; may be
        /// repeated
        #[arg(long, required = true, value_name = "URI")]
        redirect_uri: Vec<String>,
        /// Scope that the application may request; may be repeated [default: read and write]
        #[arg(long)]
        scope: Vec<ScopeName>,
        /// Client id, if it was registered on another server [default: a new one]
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: Option<String>,
        /// Client secret, if it was registered on another server with its id [default: a new one]
        #[arg(
            long,
            value_name = "SECRET",
            env = "GROOTBOEK_CLIENT_SECRET",
            hide_env_values = true,
            allow_hyphen_values = true
        )]
        client_secret: Option<String>,
        /// Print JSON: {"clientId","clientSecret"}
        #[arg(long)]
        json: bool,
    },
    /// List all applications with their number of connections
    #[command(after_help = "Example: grootboek oauth list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give an application a new secret; the old one stops working immediately, connections remain
    #[command(after_help = "Example: grootboek oauth rotate-secret --client-id gb_client_…")]
    RotateSecret {
        /// Id of the application, as shown by `oauth list`
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: String,
        /// Print JSON: {"clientId","clientSecret"}
        #[arg(long)]
        json: bool,
    },
    /// Remove an application and end its connections immediately
    #[command(after_help = "Example: grootboek oauth remove --client-id gb_client_…")]
    Remove {
        /// Id of the application, as shown by `oauth list`
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        client_id: String,
    },
}

#[derive(Args)]
pub(crate) struct VerifyOptions {
    /// Only the books of this account
    #[arg(long)]
    pub(crate) email: Option<String>,
    /// Verify the test accounts instead of the live ones; with --email, the test account of that
    /// owner
    #[arg(long, conflicts_with = "against")]
    pub(crate) test: bool,
    /// File with earlier output of `verify --json`: each head recorded in it must still be in the
    /// books
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct BackupOptions {
    /// File to write, which must not exist, or a folder, in which the file is named after the
    /// current time
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) to: PathBuf,
    /// Keep this number of the newest backups in the folder and remove the others
    #[arg(long, value_parser = at_least_one, value_name = "N")]
    pub(crate) keep: Option<usize>,
    /// Secret file of the server, which is copied too [default: next to the SQLite file, with
    /// .secret appended]
    #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Do not copy the secret file, because it is kept elsewhere
    #[arg(long)]
    pub(crate) without_secret: bool,
}

#[derive(Args)]
pub(crate) struct AuditFileOptions {
    /// Email address of the account
    #[arg(long)]
    pub(crate) email: String,
    /// Year of the audit file
    #[arg(long, value_parser = clap::value_parser!(i16).range(2000..=2099))]
    pub(crate) year: i16,
    /// Version of the format: 4.0 or 3.2
    #[arg(long, default_value = "4.0")]
    pub(crate) form: String,
    /// File to write, which must not exist [default: standard output]
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
    text.parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn country(text: &str) -> Result<CountryCode, String> {
    CountryCode::parse(text)
        .map_err(|_| web::english::message(&Fault::new("/country", Reason::UnknownCountry)))
}
