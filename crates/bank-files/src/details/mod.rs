//! Fields in descriptions: banks put name, IBAN, references and text into one value.
//!
//! Each notation has its own reader. A key only separates values if it is known, because values may
//! contain the separator.

mod abn_amro;
mod slashes;
mod subfields;
mod words;

pub(crate) use abn_amro::old as abn_amro_old;
pub(crate) use slashes::{has_keys as has_slashes, read as slashes};
pub(crate) use subfields::{german, has_german, triodos};
pub(crate) use words::{ing, knab};

use crate::upload::LineKind;
use std::borrow::Cow;

/// Fields found in a description; absent ones are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts<'t> {
    /// Name of the counterparty.
    pub(crate) name: Cow<'t, str>,
    /// Account of the counterparty.
    pub(crate) iban: Cow<'t, str>,
    /// Remittance information.
    pub(crate) text: Cow<'t, str>,
    /// End-to-end id.
    pub(crate) end_to_end_id: Cow<'t, str>,
    /// Mandate of a direct debit.
    pub(crate) mandate_id: Cow<'t, str>,
    /// Creditor of a direct debit.
    pub(crate) creditor_id: Cow<'t, str>,
    /// Structured payment reference.
    pub(crate) payment_reference: Cow<'t, str>,
    /// Reason of a return.
    pub(crate) return_reason: Cow<'t, str>,
    /// Amount in another currency, such as `USD12,50`.
    pub(crate) original: Cow<'t, str>,
    /// Exchange rate.
    pub(crate) rate: Cow<'t, str>,
    /// Kind, if the description names it.
    pub(crate) kind: LineKind,
}

impl<'t> Facts<'t> {
    /// Returns facts with only a text.
    pub(crate) fn plain(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), kind: crate::kind::of_words(text), ..Self::default() }
    }

    /// Sets the absent fields to those of other facts.
    pub(crate) fn complete(&mut self, other: Self) {
        let fields = [
            (&mut self.name, other.name),
            (&mut self.iban, other.iban),
            (&mut self.text, other.text),
            (&mut self.end_to_end_id, other.end_to_end_id),
            (&mut self.mandate_id, other.mandate_id),
            (&mut self.creditor_id, other.creditor_id),
            (&mut self.payment_reference, other.payment_reference),
            (&mut self.return_reason, other.return_reason),
            (&mut self.original, other.original),
            (&mut self.rate, other.rate),
        ];
        for (field, value) in fields {
            if field.is_empty() {
                *field = value;
            }
        }
        self.kind = crate::kind::first(&[self.kind, other.kind]);
    }
}

/// Splits a text at known keys: calls `take` with each key and its value. `key_at` returns the
/// known key with which a text begins, and its length in bytes. Returns the text before the first
/// key.
fn split<'t, K>(
    text: &'t str,
    mut key_at: impl FnMut(&'t str, usize) -> Option<(K, usize)>,
    mut take: impl FnMut(K, &'t str),
) -> &'t str {
    let mut open: Option<(K, usize)> = None;
    let mut before = text;
    let mut place = 0;
    while place < text.len() {
        if text.is_char_boundary(place)
            && let Some((key, length)) = key_at(text, place)
        {
            match open.take() {
                Some((key, start)) => take(key, &text[start..place]),
                None => before = &text[..place],
            }
            place += length;
            open = Some((key, place));
        } else {
            place += 1;
        }
    }
    if let Some((key, start)) = open {
        take(key, &text[start..]);
    }
    before
}
