//! Subscription plans, which determine the features that an account may use.

/// Plan of an account. The variants are ordered: a later plan includes the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    /// The application without the API.
    Free,
    /// The lowest paid plan.
    Starter,
    /// The highest plan.
    Pro,
}

impl Plan {
    /// Name of the plan in the API and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
        }
    }

    /// Parses the name of a plan.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Free, Self::Starter, Self::Pro].into_iter().find(|plan| plan.as_str() == text)
    }
}
