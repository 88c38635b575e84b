//! Payouts by a payment provider: payments of customers less the provider's fee.

use crate::{
    chart::{AccountCode, codes},
    description::{Description, DescriptionKind},
    entry::{JournalEntry, Posting, Source},
    money::Cents,
    named::named,
    purchase::Deduction,
    vat::{VatBox, VatRate},
};
use jiff::civil::Date;

named! {
    /// VAT treatment of a provider's fee.
    FeeVat {
        /// No VAT: financial services are exempt.
        None => "none",
        /// Dutch VAT on the provider's invoice, within the fee.
        Normal => "normal",
        /// Reverse charge by a provider in the Netherlands (box 2a).
        ReverseCharge => "reverseCharge",
        /// Provider in another member state (box 4b).
        Eu => "eu",
        /// Provider outside the EU (box 4a).
        Import => "import",
    }
}

/// Payout by a payment provider, amounts in cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    /// Amount paid into the bank account; negative if the provider took money back.
    pub amount: Cents,
    /// Fee kept by the provider, including any VAT that the provider charged.
    pub fee: Cents,
    /// VAT treatment of the fee.
    pub treatment: FeeVat,
    /// VAT on the fee: either included in the fee or owed by the buyer.
    pub vat: Cents,
    /// Deduction of the VAT on the fee; VAT that is not deducted is a cost.
    pub deduction: Deduction,
    /// Name of the provider.
    pub provider: Option<String>,
    /// Bank account that the payout reaches.
    pub bank_account: AccountCode,
    /// Account of the balance at the provider.
    pub provider_account: AccountCode,
}

/// Computes the VAT on a fee in cents, at the high rate on the date.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     money::Cents,
///     payout::{FeeVat, fee_vat},
/// };
///
/// let (on, fee) = (parse_date("2026-01-22")?, Cents::new(1_000));
/// assert_eq!(fee_vat(FeeVat::Eu, fee, on), Cents::new(210));
/// assert_eq!(fee_vat(FeeVat::Normal, fee, on), Cents::new(174));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fee_vat(treatment: FeeVat, fee: Cents, on: Date) -> Cents {
    let rate = VatRate::high_on(on);
    match treatment {
        FeeVat::Normal => rate.within(fee),
        FeeVat::ReverseCharge | FeeVat::Eu | FeeVat::Import => rate.of(fee),
        FeeVat::None => Cents::ZERO,
    }
}

/// Books a payout: moves the balance held by the provider to the bank, books the fee as a cost, and
/// books the VAT on the fee.
#[must_use]
pub fn payout(source: Source, on: Date, payout: &Payout) -> JournalEntry {
    let Payout { amount, fee, treatment, vat, deduction, provider, .. } = payout;
    let input_vat = |account, vat| match deduction {
        Deduction::Usual => Posting::debit(account, vat, Some(VatBox::B5b)),
        Deduction::Never => Posting::debit(codes::BANK_COSTS, vat, None),
    };
    let reverse_charged = match treatment {
        FeeVat::ReverseCharge => Some((VatBox::B2a, codes::VAT_DUE_REVERSE_CHARGED)),
        FeeVat::Eu => Some((VatBox::B4b, codes::VAT_DUE_EU)),
        FeeVat::Import => Some((VatBox::B4a, codes::VAT_DUE_OUTSIDE_EU)),
        FeeVat::Normal | FeeVat::None => None,
    };
    let mut postings = vec![Posting::debit(payout.bank_account, *amount, None)];
    match reverse_charged {
        Some((vat_box, due)) => postings.extend([
            Posting::debit(codes::BANK_COSTS, *fee, Some(vat_box)),
            input_vat(codes::INPUT_VAT_REVERSE_CHARGED, *vat),
            Posting::credit(due, *vat, Some(vat_box)),
        ]),
        None => postings.extend([
            Posting::debit(codes::BANK_COSTS, *fee - *vat, None),
            input_vat(codes::INPUT_VAT_HIGH, *vat),
        ]),
    }
    postings.push(Posting::credit(payout.provider_account, *amount + *fee, None));
    let about = Description { party: provider.clone(), ..Description::of(DescriptionKind::Payout) };
    JournalEntry::new(on, about, source, postings)
        .expect("the postings are built so that debit equals credit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::SourceType;
    use jiff::civil::date;

    #[test]
    // Long: a table of cases.
    fn a_payout_clears_what_was_on_its_way() {
        let on = date(2026, 3, 15);
        // Each case: fee, treatment, VAT, deduction, and the expected postings (account, debit
        // minus credit, box).
        type Wanted<'w> = &'w [(u16, i64, &'w str)];
        let cases: [(i64, FeeVat, i64, Deduction, Wanted<'_>); 5] = [
            (
                250,
                FeeVat::None,
                0,
                Deduction::Usual,
                &[(1100, 11_850, ""), (4610, 250, ""), (1130, -12_100, "")],
            ),
            (
                250,
                FeeVat::Normal,
                43,
                Deduction::Usual,
                &[(1100, 11_850, ""), (4610, 207, ""), (1500, 43, "5b"), (1130, -12_100, "")],
            ),
            (
                250,
                FeeVat::Normal,
                43,
                Deduction::Never,
                &[(1100, 11_850, ""), (4610, 207, ""), (4610, 43, ""), (1130, -12_100, "")],
            ),
            (
                250,
                FeeVat::Eu,
                53,
                Deduction::Never,
                &[
                    (1100, 11_850, ""),
                    (4610, 250, "4b"),
                    (4610, 53, ""),
                    (1760, -53, "4b"),
                    (1130, -12_100, ""),
                ],
            ),
            (
                250,
                FeeVat::Eu,
                53,
                Deduction::Usual,
                &[
                    (1100, 11_850, ""),
                    (4610, 250, "4b"),
                    (1520, 53, "5b"),
                    (1760, -53, "4b"),
                    (1130, -12_100, ""),
                ],
            ),
        ];
        for (fee, treatment, vat, deduction, wanted) in cases {
            let fee = Cents::new(fee);
            assert_eq!(fee_vat(treatment, fee, on), Cents::new(vat));
            let of = Payout {
                amount: Cents::new(11_850),
                fee,
                treatment,
                vat: Cents::new(vat),
                deduction,
                provider: None,
                bank_account: codes::BANK,
                provider_account: codes::PROVIDER_CLEARING,
            };
            let entry = payout(Source { kind: SourceType::Payout, id: 1 }, on, &of);
            let line = |posting: &Posting| {
                let amount = (posting.debited() - posting.credited()).get();
                (posting.account().get(), amount, posting.vat_box().map_or("", VatBox::as_str))
            };
            assert_eq!(entry.postings().iter().map(line).collect::<Vec<_>>(), wanted);
        }
    }
}
