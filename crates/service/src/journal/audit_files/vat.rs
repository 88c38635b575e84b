//! VAT of each line that belongs in a box of the VAT return.

use documents::xaf::LineVat;
use ledger::{
    chart::{Role, codes},
    entry::{JournalEntry, Posting},
    money::Cents,
    vat::{Side, VatBox, VatRate},
};

/// Returns the VAT of an entry's lines, in order; `None` for a line without a box.
///
/// For a line on a VAT account this is the amount of the line itself. For any other line it is the
/// line's amount multiplied by its rate, except that the last line of a box gets the remainder of
/// the box's VAT.
pub(super) fn of_lines(entry: &JournalEntry) -> Vec<Option<LineVat<'static>>> {
    let postings = entry.postings();
    let of_line = |(place, posting): (usize, &Posting)| {
        let vat_box = posting.vat_box()?;
        let rate = rate_of(entry, posting, vat_box);
        let shares = |other: &&Posting| other.vat_box() == Some(vat_box) && !is_vat(other);
        // The VAT owed on a purchase has the opposite sign to its base.
        let share = |of: &Posting| {
            if vat_box.side() == Side::Purchases {
                -rate.of(amount(of))
            } else {
                rate.of(amount(of))
            }
        };
        let amount = if is_vat(posting) {
            amount(posting)
        } else if postings[place + 1..].iter().any(|later| shares(&later)) {
            share(posting)
        } else {
            let before: Cents = postings[..place].iter().filter(shares).map(share).sum();
            sum(entry, true, |its_box| its_box == vat_box) - before
        };
        Some(LineVat { code: vat_box.as_str(), rate, amount })
    };
    postings.iter().enumerate().map(of_line).collect()
}

/// Returns the rate of a line: the rate of its box if that is fixed; otherwise the rate derived
/// from the base and the VAT of the box.
fn rate_of(entry: &JournalEntry, posting: &Posting, vat_box: VatBox) -> VatRate {
    let on = entry.vat_date();
    let taxed = |of_box: &dyn Fn(VatBox) -> bool| {
        let (base, vat) = (sum(entry, false, of_box), sum(entry, true, of_box));
        if base.is_zero() { VatRate::high_on(on) } else { VatRate::nearest(base, vat, on) }
    };
    match (vat_box, posting.account()) {
        (VatBox::B1a, _) | (VatBox::B5b, codes::INPUT_VAT_HIGH) => VatRate::high_on(on),
        (VatBox::B1b, _) | (VatBox::B5b, codes::INPUT_VAT_LOW) => VatRate::low_on(on),
        (VatBox::B1e | VatBox::B3a | VatBox::B3b | VatBox::B3c, _) => VatRate::ZERO,
        // Deducted reverse-charged VAT has the same rate as the purchases on which it was charged.
        (VatBox::B5b, _) => taxed(&|its_box| its_box.side() == Side::Purchases),
        (VatBox::B1c | VatBox::B1d | VatBox::B2a | VatBox::B4a | VatBox::B4b, _) => {
            taxed(&|its_box| its_box == vat_box)
        }
    }
}

/// Returns the sum of an entry's lines in the boxes that `of_box` selects: of the lines on VAT
/// accounts if `of_vat` is true, otherwise of the other lines.
fn sum(entry: &JournalEntry, of_vat: bool, of_box: impl Fn(VatBox) -> bool) -> Cents {
    let its = entry
        .postings()
        .iter()
        .filter(|posting| posting.vat_box().is_some_and(&of_box) && is_vat(posting) == of_vat);
    its.map(amount).sum()
}

fn amount(posting: &Posting) -> Cents {
    posting.debited() - posting.credited()
}

fn is_vat(posting: &Posting) -> bool {
    posting.account().role() != Role::Ordinary
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use ledger::{
        description::{Description, DescriptionKind},
        entry::{Source, SourceType},
    };

    /// Returns the box, rate and amount of each line.
    fn vat(postings: Vec<Posting>) -> Vec<Option<(&'static str, String, i64)>> {
        let source = Source { kind: SourceType::Expense, id: 1 };
        let about = Description::of(DescriptionKind::Expense);
        let entry = JournalEntry::new(date(2026, 3, 15), about, source, postings)
            .expect("a balanced entry");
        of_lines(&entry)
            .into_iter()
            .map(|vat| vat.map(|vat| (vat.code, vat.rate.to_string(), vat.amount.get())))
            .collect()
    }

    #[test]
    fn every_line_with_a_box_has_its_code_rate_and_vat() {
        let debit = |account, cents, vat_box| Posting::debit(account, Cents::new(cents), vat_box);
        let some = |code, rate: &str, amount| Some((code, rate.to_owned(), amount));
        // A service from the EU, a fifth of it private: the business line and the private line each
        // get the VAT at their rate.
        let eu = [
            debit(codes::SOFTWARE, 8_000, Some(VatBox::B4b)),
            debit(codes::PRIVATE_DRAWINGS, 2_000, Some(VatBox::B4b)),
            debit(codes::INPUT_VAT_REVERSE_CHARGED, 1_680, Some(VatBox::B5b)),
            debit(codes::PRIVATE_DRAWINGS, 420, None),
            debit(codes::PAYABLES, -10_000, None),
            debit(codes::VAT_DUE_EU, -2_100, Some(VatBox::B4b)),
        ];
        let lines = [
            some("4b", "21", -1_680),
            some("4b", "21", -420),
            some("5b", "21", 1_680),
            None,
            None,
            some("4b", "21", -2_100),
        ];
        assert_eq!(vat(eu.to_vec()), lines);
        // Two rates in one box: the average rate.
        let mixed = [
            debit(codes::OFFICE, 20_000, Some(VatBox::B2a)),
            debit(codes::BANK, -20_000, None),
            debit(codes::INPUT_VAT_REVERSE_CHARGED, 3_000, Some(VatBox::B5b)),
            debit(codes::VAT_DUE_REVERSE_CHARGED, -3_000, Some(VatBox::B2a)),
        ];
        let lines =
            [some("2a", "15", -3_000), None, some("5b", "15", 3_000), some("2a", "15", -3_000)];
        assert_eq!(vat(mixed.to_vec()), lines);
        // A final invoice that deducts a prepayment, with amounts that need rounding.
        let sale = [
            debit(codes::RECEIVABLES, 2_421, None),
            debit(codes::REVENUE_HIGH, -3_003, Some(VatBox::B1a)),
            debit(codes::RECEIVED_IN_ADVANCE, 1_002, Some(VatBox::B1a)),
            debit(codes::VAT_DUE_HIGH, -420, Some(VatBox::B1a)),
        ];
        assert_eq!(
            vat(sale.to_vec()),
            [None, some("1a", "21", -631), some("1a", "21", 211), some("1a", "21", -420)]
        );
        // VAT without a base, and turnover without VAT.
        let car = [
            debit(codes::VAT_PRIVATE_USE_CAR, 540, None),
            debit(codes::VAT_DUE_PRIVATE_USE, -540, Some(VatBox::B1d)),
        ];
        assert_eq!(vat(car.to_vec()), [None, some("1d", "21", -540)]);
        let abroad = [
            debit(codes::RECEIVABLES, 900, None),
            debit(codes::REVENUE_EU, -900, Some(VatBox::B3b)),
        ];
        assert_eq!(vat(abroad.to_vec()), [None, some("3b", "0", 0)]);
        let bill = [
            debit(codes::OFFICE, 1_000, None),
            debit(codes::INPUT_VAT_LOW, 90, Some(VatBox::B5b)),
            debit(codes::PAYABLES, -1_090, None),
        ];
        assert_eq!(vat(bill.to_vec()), [None, some("5b", "9", 90), None]);
    }
}
