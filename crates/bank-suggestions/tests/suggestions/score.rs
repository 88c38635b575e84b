//! Comparison of suggestions with the right bookings.

use crate::generator::{Example, generate};
use bank_suggestions::{AllocationKind, Suggester, Suggestion};
use std::collections::BTreeMap;

/// Counts over examples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    pub(crate) lines: u32,
    pub(crate) certain: u32,
    pub(crate) certain_right: u32,
    /// Lines whose first suggestion is a payment of an invoice.
    pub(crate) invoices_suggested: u32,
    pub(crate) invoices_suggested_right: u32,
    /// Lines that pay invoices.
    pub(crate) invoices: u32,
    pub(crate) invoices_right: u32,
    /// Lines whose right booking is among the suggestions.
    pub(crate) among: u32,
    /// Per sort of example: lines, right at first, among the suggestions, certain, wrongly certain.
    pub(crate) sorts: BTreeMap<&'static str, [u32; 5]>,
}

impl Score {
    pub(crate) fn of(
        seeds: impl Iterator<Item = u64>,
        mut report: impl FnMut(&Example, &[Suggestion]),
    ) -> Self {
        let mut score = Self::default();
        for seed in seeds {
            let (books, examples) = generate(seed);
            let suggester = Suggester::new(books);
            for example in &examples {
                let suggestions = suggester.suggest(&example.line());
                score.add(example, &suggestions);
                report(example, &suggestions);
            }
        }
        score
    }

    fn add(&mut self, example: &Example, suggestions: &[Suggestion]) {
        let is_right = |of: &Suggestion| example.is_right(&of.allocations);
        let first = suggestions.first();
        let is_first_right = first.is_some_and(is_right);
        let is_among = suggestions.iter().any(is_right);
        let is_certain = first.is_some_and(|first| first.certain);
        let is_invoice = |kind: AllocationKind| kind == AllocationKind::Invoice;
        self.lines += 1;
        self.certain += u32::from(is_certain);
        self.certain_right += u32::from(is_certain && is_first_right);
        if first.is_some_and(|first| is_invoice(first.kind())) {
            self.invoices_suggested += 1;
            self.invoices_suggested_right += u32::from(is_first_right);
        }
        if example.truth.iter().any(|right| is_invoice(right.target.kind())) {
            self.invoices += 1;
            self.invoices_right += u32::from(is_first_right);
        }
        self.among += u32::from(is_among);
        let sort = self.sorts.entry(example.sort).or_default();
        let is_wrong = is_certain && !is_first_right;
        let counts = [true, is_first_right, is_among, is_certain, is_wrong];
        for (count, counts) in sort.iter_mut().zip(counts) {
            *count += u32::from(counts);
        }
    }

    /// Parts per thousand, rounded down.
    pub(crate) fn per_mille(part: u32, of: u32) -> u32 {
        (1_000 * part).checked_div(of).unwrap_or(0)
    }

    pub(crate) fn certain_rate(&self) -> u32 {
        Self::per_mille(self.certain_right, self.certain)
    }

    pub(crate) fn precision(&self) -> u32 {
        Self::per_mille(self.invoices_suggested_right, self.invoices_suggested)
    }

    pub(crate) fn recall(&self) -> u32 {
        Self::per_mille(self.invoices_right, self.invoices)
    }

    pub(crate) fn among_rate(&self) -> u32 {
        Self::per_mille(self.among, self.lines)
    }
}
