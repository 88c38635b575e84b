//! Drafts of suggestions, by kind of evidence.

mod booked;
mod charges;
mod clues;
mod habits;
mod payouts;
mod several;
mod singles;
mod taxes;
mod twice;

pub(crate) use booked::booked;
pub(crate) use charges::charges;
pub(crate) use habits::{habits, rule};
pub(crate) use payouts::payouts;
pub(crate) use taxes::taxes;

use crate::{draft::Draft, index::Index, line::Line};

/// Suggests payments of invoices and bills, and refunds.
pub(crate) fn documents(index: &Index, line: &Line<'_>, drafts: &mut Vec<Draft>) {
    let clues = clues::Clues::of(index, line);
    singles::push(&clues, drafts);
    several::push(&clues, drafts);
    twice::push(&clues, drafts);
}

/// Ranks of drafts: the higher, the earlier.
mod rank {
    pub(super) const ALREADY_BOOKED: u32 = 1_000;
    pub(super) const OWN_ACCOUNT: u32 = 990;
    pub(super) const TAX_RETURN: u32 = 970;
    pub(super) const NUMBER_AND_AMOUNT: u32 = 900;
    pub(super) const PARTS: u32 = 880;
    pub(super) const PERHAPS_BOOKED: u32 = 850;
    pub(super) const IBAN_AND_AMOUNT: u32 = 800;
    pub(super) const DISPUTED_NUMBER: u32 = 695;
    pub(super) const RULE: u32 = 760;
    pub(super) const HABIT: u32 = 750;
    pub(super) const PAYOUT: u32 = 720;
    pub(super) const NAME_AND_AMOUNT: u32 = 700;
    pub(super) const SEVERAL_AND_IBAN: u32 = 690;
    pub(super) const SEVERAL_NAMED: u32 = 680;
    pub(super) const TAX_LETTER: u32 = 640;
    pub(super) const NUMBER_AND_IBAN: u32 = 620;
    pub(super) const NUMBER_AND_NAME: u32 = 610;
    pub(super) const SEVERAL_AND_NAME: u32 = 600;
    pub(super) const NUMBER_OF_PAID: u32 = 660;
    pub(super) const HABIT_ONCE: u32 = 550;
    pub(super) const OWN_BY_WORDS: u32 = 545;
    pub(super) const NUMBER: u32 = 500;
    pub(super) const DUE_RETURN: u32 = 630;
    pub(super) const CHARGE: u32 = 440;
    pub(super) const HABIT_BY_NAME: u32 = 450;
    pub(super) const PAID_TWICE: u32 = 445;
    pub(super) const OTHER_HALF: u32 = 420;
    pub(super) const PROVIDER: u32 = 400;
    pub(super) const AMOUNT: u32 = 300;
    pub(super) const FOREIGN_HALF: u32 = 250;
    pub(super) const AMBIGUOUS_AMOUNT: u32 = 200;
    pub(super) const IBAN: u32 = 150;
    pub(super) const NAME: u32 = 100;
    /// Subtracted if several sums fit.
    pub(super) const AMBIGUITY: u32 = 80;
}
