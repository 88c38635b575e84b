//! Plans: what an account pays for.

/// What an account pays for. The order is the order of the plans: a later one includes the earlier ones.
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
    /// The plan's name in the API and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
        }
    }

    /// The plan of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Free, Self::Starter, Self::Pro].into_iter().find(|plan| plan.as_str() == text)
    }
}
