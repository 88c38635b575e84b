//! Life of a quote, and the part of it that a prepayment invoice asks for.

use crate::{
    invoice::{GroupKey, VatGroup},
    money::Cents,
    named::named,
};
use jiff::civil::Date;

named! {
    /// State of a quote.
    QuoteStatus {
        /// Not sent; can still be edited.
        Draft => "draft",
        /// Sent; the customer can decide until the last day on which it is valid.
        Sent => "sent",
        /// Accepted by the customer, or by the owner on the customer's behalf.
        Accepted => "accepted",
        /// Refused.
        Refused => "refused",
        /// Sent, and no longer valid. This state is never stored.
        Expired => "expired",
        /// Accepted, and invoiced in whole or by a final invoice.
        Invoiced => "invoiced",
        /// Withdrawn by the owner, or replaced by a newer quote.
        Withdrawn => "withdrawn",
    }
}

named! {
    /// Automatic step after the acceptance of a quote.
    OnAccept {
        /// None.
        Nothing => "nothing",
        /// A draft invoice.
        Draft => "draft",
        /// An invoice that is final.
        Sent => "sent",
        /// An invoice that is mailed to the customer.
        Mail => "mail",
    }
}

named! {
    /// Person who accepted or refused a quote.
    DecidedBy {
        /// The customer, on the page of the quote.
        Customer => "customer",
        /// The owner, on the customer's behalf.
        Owner => "owner",
    }
}

named! {
    /// Part of a quote that an invoice asks for.
    QuotePart {
        /// All lines.
        All => "whole",
        /// A part in advance.
        Prepayment => "prepayment",
        /// All lines, less the prepayments.
        Final => "final",
    }
}

/// Command on a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteAction {
    /// Changes a draft.
    Edit,
    /// Makes a draft final, or mails a sent quote again.
    Send,
    /// Records the acceptance.
    Accept,
    /// Records the refusal.
    Refuse,
    /// Takes the quote back.
    Withdraw,
    /// Takes back the decision or the withdrawal.
    Reopen,
    /// Makes a new draft that is to replace the quote.
    Revise,
    /// Makes an invoice.
    Invoice,
}

impl QuoteStatus {
    /// State on a day: a sent quote expires on the day after the last day on which it is valid.
    #[must_use]
    pub fn on(self, valid_until: Date, today: Date) -> Self {
        if self == Self::Sent && valid_until < today { Self::Expired } else { self }
    }

    /// State after a command; `None` if the command is not possible. With `is_invoiced`, an invoice
    /// of the quote stands.
    #[must_use]
    pub fn after(self, action: QuoteAction, is_invoiced: bool) -> Option<Self> {
        match (self, action) {
            (Self::Draft, QuoteAction::Edit) => Some(Self::Draft),
            (Self::Draft | Self::Sent, QuoteAction::Send) => Some(Self::Sent),
            (Self::Sent, QuoteAction::Accept | QuoteAction::Invoice)
            | (Self::Accepted, QuoteAction::Invoice) => Some(Self::Accepted),
            (Self::Sent, QuoteAction::Refuse) => Some(Self::Refused),
            (Self::Draft | Self::Sent | Self::Expired, QuoteAction::Withdraw) => {
                Some(Self::Withdrawn)
            }
            (Self::Accepted | Self::Refused | Self::Withdrawn, QuoteAction::Reopen) => {
                (!is_invoiced).then_some(Self::Sent)
            }
            (Self::Sent | Self::Expired | Self::Refused, QuoteAction::Revise) => Some(self),
            _ => None,
        }
    }
}

/// Divides an amount including VAT over the VAT groups of a quote, in proportion to their amounts
/// including VAT. The cents that rounding leaves go to the largest remainders, ties in order.
/// Groups that get nothing are left out.
#[must_use]
pub fn shares(groups: &[VatGroup], amount: Cents) -> Vec<(GroupKey, Cents)> {
    let gross = |group: &VatGroup| i128::from((group.base + group.amount).get());
    let total: i128 = groups.iter().map(gross).sum();
    if total == 0 {
        return Vec::new();
    }
    let exact = |group: &VatGroup| gross(group) * i128::from(amount.get());
    let mut parts: Vec<(usize, i128, i128)> = groups
        .iter()
        .enumerate()
        .map(|(place, group)| {
            let exact = exact(group);
            (place, exact.div_euclid(total), exact.rem_euclid(total))
        })
        .collect();
    let missing = i128::from(amount.get()) - parts.iter().map(|(_, part, _)| part).sum::<i128>();
    parts.sort_by_key(|(place, _, remainder)| (-remainder, *place));
    for (_, part, _) in parts.iter_mut().take(usize::try_from(missing).unwrap_or(0)) {
        *part += 1;
    }
    parts.sort_by_key(|(place, ..)| *place);
    let share = |(place, part, _): (usize, i128, i128)| {
        // No part exceeds the amount of its group, which fits.
        let part = Cents::new(i64::try_from(part).unwrap_or(0));
        (!part.is_zero()).then(|| (groups[place].key(), part))
    };
    parts.into_iter().filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vat::{VatCategory, VatRate};
    use jiff::civil::date;

    /// The law of the states: for each state the result of each command, without and with an
    /// invoice that stands.
    #[test]
    fn commands_change_the_state_as_the_table_says() {
        use QuoteAction as A;
        use QuoteStatus as S;
        let actions =
            [A::Edit, A::Send, A::Accept, A::Refuse, A::Withdraw, A::Reopen, A::Revise, A::Invoice];
        let no = None;
        #[rustfmt::skip]
        let table: [(S, [Option<S>; 8]); 7] = [
            // state        edit             send           accept             refuse            withdraw            reopen         revise             invoice
            (S::Draft,     [Some(S::Draft), Some(S::Sent), no,                no,               Some(S::Withdrawn), no,            no,                no]),
            (S::Sent,      [no,             Some(S::Sent), Some(S::Accepted), Some(S::Refused), Some(S::Withdrawn), no,            Some(S::Sent),     Some(S::Accepted)]),
            (S::Accepted,  [no,             no,            no,                no,               no,                 Some(S::Sent), no,                Some(S::Accepted)]),
            (S::Refused,   [no,             no,            no,                no,               no,                 Some(S::Sent), Some(S::Refused),  no]),
            (S::Expired,   [no,             no,            no,                no,               Some(S::Withdrawn), no,            Some(S::Expired),  no]),
            (S::Invoiced,  [no,             no,            no,                no,               no,                 no,            no,                no]),
            (S::Withdrawn, [no,             no,            no,                no,               no,                 Some(S::Sent), no,                no]),
        ];
        for (state, results) in table {
            for (action, expected) in actions.into_iter().zip(results) {
                assert_eq!(state.after(action, false), expected, "{state:?} {action:?}");
                let with_invoice = expected.filter(|_| action != A::Reopen);
                assert_eq!(state.after(action, true), with_invoice, "{state:?} {action:?}");
            }
        }
    }

    #[test]
    fn a_quote_expires_on_the_day_after_its_last_day() {
        let last = date(2026, 12, 31);
        for (state, today, expected) in [
            (QuoteStatus::Sent, date(2026, 12, 31), QuoteStatus::Sent),
            (QuoteStatus::Sent, date(2027, 1, 1), QuoteStatus::Expired),
            (QuoteStatus::Draft, date(2027, 1, 1), QuoteStatus::Draft),
            (QuoteStatus::Accepted, date(2027, 1, 1), QuoteStatus::Accepted),
        ] {
            assert_eq!(state.on(last, today), expected, "{state:?} on {today}");
        }
    }

    fn group(points: u16, base: i64, amount: i64) -> VatGroup {
        VatGroup {
            rate: VatRate::from_basis_points(points),
            category: VatCategory::Standard,
            supply: None,
            tax_country: None,
            base: Cents::new(base),
            amount: Cents::new(amount),
            vat_box: None,
        }
    }

    #[test]
    fn an_amount_is_divided_in_proportion_to_the_cent() {
        type Group = (u16, i64, i64);
        let cases: [(&[Group], i64, &[i64]); 6] = [
            (&[(2_100, 100_000, 21_000)], 60_500, &[60_500]),
            (&[(2_100, 100_000, 21_000), (900, 100_000, 9_000)], 23_000, &[12_100, 10_900]),
            // A third each: the first gets the cent that is left.
            (&[(2_100, 100, 0), (900, 100, 0), (600, 100, 0)], 100, &[34, 33, 33]),
            // A discount takes its share too.
            (&[(2_100, 10_000, 2_100), (0, -1_000, 0)], 5_550, &[6_050, -500]),
            (&[(2_100, 10_000, 2_100), (900, 1, 0)], 100, &[100]),
            (&[(0, 0, 0)], 100, &[]),
        ];
        for (groups, amount, expected) in cases {
            let groups: Vec<VatGroup> =
                groups.iter().map(|(points, base, vat)| group(*points, *base, *vat)).collect();
            let parts = shares(&groups, Cents::new(amount));
            let amounts: Vec<i64> = parts.iter().map(|(_, part)| part.get()).collect();
            assert_eq!(amounts, expected, "{amount} of {groups:?}");
        }
    }
}
