//! Lanes of the fair queue: accounts take turns at shared resources.

/// Account whose books a command or query uses, and special requirements of the job.
///
/// Each account has one lane for its reads and one for its writes, and only a few jobs of a lane
/// run at once. So the jobs of a busy account wait for each other and do not delay other accounts.
/// Jobs without an account (signing in, looking up a key, the server's own tasks) run in order of
/// arrival, as if each had a lane of its own.
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
    /// Lane for a job that uses the books of no account, or of several.
    pub const NO_ACCOUNT: Self = Self { account: None, requirement: Requirement::Nothing };

    /// Lane for a job that uses the books of one account.
    #[must_use]
    pub const fn of(account: i64) -> Self {
        Self { account: Some(account), requirement: Requirement::Nothing }
    }

    /// Marks the job as a query with a single statement. Such a query is consistent without a
    /// transaction, so PostgreSQL need not begin and end one.
    #[must_use]
    pub const fn single(self) -> Self {
        Self { requirement: Requirement::Single, ..self }
    }

    /// Marks the job as a query that may scan many rows. It runs on a thread for such queries, and
    /// only a few of them run at once per account.
    #[must_use]
    pub const fn list(self) -> Self {
        Self { requirement: Requirement::List, ..self }
    }

    /// Marks the job as a command that may be lost in a power cut: on PostgreSQL, its commit does
    /// not wait for the disk.
    #[must_use]
    pub const fn unflushed(self) -> Self {
        Self { requirement: Requirement::Unflushed, ..self }
    }

    /// Returns the account, if any.
    #[must_use]
    pub const fn account(self) -> Option<i64> {
        self.account
    }

    /// Whether the job is a query that may scan many rows.
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
