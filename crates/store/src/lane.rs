//! Lanes of the fair queue: accounts take turns at shared resources.

/// Account whose books a command or query uses, and its further requirements.
///
/// The reads and the writes of an account wait in a lane each, and few jobs of a lane run at once.
/// An account with many requests therefore waits for its own jobs, and does not delay others. Jobs
/// without an account (signing in, looking up a key, the server's own tasks) run in order of
/// arrival, each as if it had a lane of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(crate) account: Option<i64>,
    pub(crate) requirement: Requirement,
}

/// Special requirement of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    Nothing,
    Single,
    List,
    Unflushed,
}

impl Lane {
    /// No account, or several.
    pub const NO_ACCOUNT: Self = Self { account: None, requirement: Requirement::Nothing };

    /// The books of one account.
    #[must_use]
    pub const fn of(account: i64) -> Self {
        Self { account: Some(account), requirement: Requirement::Nothing }
    }

    /// For a query of a single statement: it is consistent without a transaction, which saves
    /// PostgreSQL the start and end of one.
    #[must_use]
    pub const fn single(self) -> Self {
        Self { requirement: Requirement::Single, ..self }
    }

    /// For a query that may scan many rows: it runs on a thread for lists, few of one account at
    /// once.
    #[must_use]
    pub const fn list(self) -> Self {
        Self { requirement: Requirement::List, ..self }
    }

    /// For a command that a power cut may undo: on PostgreSQL its commit does not wait for the
    /// disk.
    #[must_use]
    pub const fn unflushed(self) -> Self {
        Self { requirement: Requirement::Unflushed, ..self }
    }

    /// Returns the account, if any.
    #[must_use]
    pub const fn account(self) -> Option<i64> {
        self.account
    }

    /// Whether it is for a query that may scan many rows.
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
