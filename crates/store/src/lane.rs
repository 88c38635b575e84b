//! Of whose books a command or query is: accounts take turns at what they have to share.

/// Of whose books a command or query is, and what it needs beside.
///
/// What one account writes and what it reads wait in a lane each, and few of a lane are at work at once: so an account that asks for much
/// waits for itself and not for others, nor others for it. What is of no account (signing in, looking up a key, the server's own jobs) is
/// taken in the order in which it came, each as if it were an account's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(crate) account: Option<i64>,
    pub(crate) requirement: Requirement,
}

/// What a command or query needs beside a transaction, or does without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    Nothing,
    Single,
    List,
    Unflushed,
}

impl Lane {
    /// Of the books of no account, or of no one account.
    pub const NO_ACCOUNT: Self = Self { account: None, requirement: Requirement::Nothing };

    /// Of the books of an account.
    #[must_use]
    pub const fn of(account: i64) -> Self {
        Self { account: Some(account), requirement: Requirement::Nothing }
    }

    /// For a query that is a single statement: it needs no transaction to be consistent, which saves PostgreSQL beginning and ending one.
    #[must_use]
    pub const fn single(self) -> Self {
        Self { requirement: Requirement::Single, ..self }
    }

    /// For a query that may have to look at many rows: a thread that answers nothing else does it, few of one account at once.
    #[must_use]
    pub const fn list(self) -> Self {
        Self { requirement: Requirement::List, ..self }
    }

    /// For a command that a power cut may undo: on PostgreSQL nobody waits until it is on the disk.
    #[must_use]
    pub const fn unflushed(self) -> Self {
        Self { requirement: Requirement::Unflushed, ..self }
    }

    /// The account, if it is of one.
    #[must_use]
    pub const fn account(self) -> Option<i64> {
        self.account
    }

    /// Whether it is for a query that may have to look at many rows.
    #[must_use]
    pub fn is_list(self) -> bool {
        self.requirement == Requirement::List
    }
}

impl From<i64> for Lane {
    fn from(account: i64) -> Self {
        Self::of(account)
    }
}
