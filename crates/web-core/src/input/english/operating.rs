//! Error texts for the operator at the command line.

use mail::{MailError, SmtpFault};
use store::{NotADatabaseUrl, StoreError};

/// Returns the text for the cause of a storage failure.
#[must_use]
pub fn storage(error: &StoreError) -> String {
    match error {
        StoreError::Unavailable(why) => format!("the database is not available: {why}"),
        StoreError::NotWritable(why) => format!("the database cannot be written: {why}"),
        StoreError::TooLong => "the query took too long and was stopped".into(),
        StoreError::Unreadable(what) => format!("the database holds something unreadable: {what}"),
        StoreError::NumberTaken => "another document has that number".into(),
        StoreError::Refused(why) => format!("the database refused: {why}"),
        StoreError::AccountClosed => "the account is closed".into(),
        StoreError::YearClosed(year) => format!("the year {year} is closed"),
        StoreError::Panicked => "the command stopped unexpectedly".into(),
        StoreError::Unsupported(why) => why.clone(),
        StoreError::Open(why) => format!("cannot open the database: {why}"),
        StoreError::Connect(why) => format!("cannot open the database: {}", storage(why)),
        StoreError::InTable { table, error } => format!("table {table}: {}", storage(error)),
    }
}

/// Returns the expected form of a database URL.
#[must_use]
pub fn database_url(NotADatabaseUrl(input): &NotADatabaseUrl) -> String {
    format!(
        "`{input}` is not a database address: write sqlite:PATH, or postgres://user:password@host/database"
    )
}

/// Returns the reason why the mail settings are invalid.
#[must_use]
pub fn mail(error: &MailError) -> String {
    match error {
        MailError::From => {
            "the sender must be an e-mail address, such as books@example.com or \"Books <books@example.com>\"".into()
        }
        MailError::To => "the recipient must be an e-mail address, such as anna@example.com".into(),
        MailError::Smtp(fault) => format!(
            "the SMTP server must be given as smtp://user:password@host:587 (encrypted by STARTTLS) or smtps://user:password@host:465: {}",
            smtp(*fault)
        ),
        MailError::Folder(error) => format!("the folder for mails cannot be made: {error}"),
    }
}

fn smtp(fault: SmtpFault) -> &'static str {
    match fault {
        SmtpFault::NotAnAddress => {
            "this is not an address (in a user or password write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25)"
        }
        SmtpFault::Rest => {
            "only ?tls=… may follow the host and port; in a user or password write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25"
        }
        SmtpFault::NoHost => "it has no host",
        SmtpFault::Tls => "with smtp: tls can be none, opportunistic or required",
        SmtpFault::Scheme => "it begins with neither smtp: nor smtps:",
        SmtpFault::Unusable => "it cannot be used",
    }
}
