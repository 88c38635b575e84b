//! Suggestions for lines, from an index of the books.

use crate::{
    books::Books,
    candidates,
    draft::{self, Draft},
    index::Index,
    line::Line,
    rule::Rule,
    suggestion::Suggestion,
};
use ledger::money::Cents;

/// Books with an index, made once for all lines of a batch.
#[derive(Debug)]
pub struct Suggester {
    index: Index,
}

impl Suggester {
    /// Builds the index. Takes time proportional to the size of the books, apart from sorting.
    #[must_use]
    pub fn new(books: Books) -> Self {
        Self { index: Index::new(books) }
    }

    /// Returns at most five suggestions for a line, the best first. At most the first is certain.
    ///
    /// The same books and line yield the same suggestions. A line of 0.00, or of more than the
    /// limit of a document, has none.
    #[must_use]
    pub fn suggest(&self, line: &Line<'_>) -> Vec<Suggestion> {
        let cents = line.amount.get().unsigned_abs();
        if cents == 0 || cents > Cents::MAX.get().unsigned_abs() {
            return Vec::new();
        }
        let mut drafts: Vec<Draft> = Vec::new();
        candidates::booked(&self.index, line, &mut drafts);
        candidates::documents(&self.index, line, &mut drafts);
        candidates::payouts(&self.index, line, &mut drafts);
        candidates::taxes(&self.index, line, &mut drafts);
        candidates::habits(&self.index, line, &mut drafts);
        if let Some(rule) = self.rule(line) {
            candidates::rule(rule, line, &mut drafts);
        }
        candidates::charges(line, &mut drafts);
        draft::finish(&self.index.books, line, drafts)
    }

    /// Returns the first rule whose conditions a line meets.
    #[must_use]
    pub fn rule(&self, line: &Line<'_>) -> Option<&Rule> {
        self.index.books.rules.iter().find(|rule| rule.when.are_met_by(line))
    }
}
