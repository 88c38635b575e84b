//! Id of a person.

use crate::param::Param;

/// Id of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub i64);

impl From<PersonId> for Param<'_> {
    fn from(PersonId(id): PersonId) -> Self {
        Self::Int(id)
    }
}
