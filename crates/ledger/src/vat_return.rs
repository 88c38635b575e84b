//! VAT return: postings summed into boxes, exact and as declared.

use crate::{
    chart::{AccountCode, Role},
    language::Language,
    money::Cents,
    vat::{Side, VatBox},
};

/// Sums of a VAT period's postings on one account and box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Account.
    pub account: AccountCode,
    /// Box.
    pub vat_box: VatBox,
    /// Sum of the debits, in euro cents.
    pub debit: Cents,
    /// Sum of the credits, in euro cents.
    pub credit: Cents,
}

/// Box of the return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxLine {
    /// Name on the form, such as `1a`.
    pub vat_box: &'static str,
    /// Turnover or purchases in cents excluding VAT, if the box asks for it.
    pub turnover: Option<Cents>,
    /// VAT in cents, if the box asks for it.
    pub vat: Option<Cents>,
    /// Declared turnover, in whole euros.
    pub declared_turnover: Option<i64>,
    /// Declared VAT, in whole euros.
    pub declared_vat: Option<i64>,
}

/// VAT return of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VatReturn {
    /// Boxes in the order of the form: 1a to 4b, 5a (VAT due), 5b (input VAT) and 5g (total).
    pub lines: Vec<BoxLine>,
    /// Exact amount payable, in euro cents; negative for a refund.
    pub payable: Cents,
    /// Declared amount payable, in whole euros.
    pub declared_payable: i64,
}

impl BoxLine {
    /// Label of the box on the form.
    #[must_use]
    pub fn description(&self, language: Language) -> &'static str {
        match (VatBox::parse(self.vat_box), language) {
            (Some(vat_box), _) => vat_box.description(language),
            (None, Language::Dutch) if self.vat_box == DUE => "Verschuldigde omzetbelasting",
            (None, Language::English) if self.vat_box == DUE => "VAT due",
            (None, Language::Dutch) => "Totaal te betalen / terug te vragen",
            (None, Language::English) => "Total to pay or to be refunded",
        }
    }
}

impl VatReturn {
    /// Replaces each declared amount by the sum of the amounts that `returns` declare in that box.
    #[must_use]
    pub fn declared_as<'r>(mut self, returns: impl Iterator<Item = &'r Self>) -> Self {
        let returns: Vec<&Self> = returns.collect();
        for line in &mut self.lines {
            let same = || {
                returns
                    .iter()
                    .flat_map(|of| &of.lines)
                    .filter(|other| other.vat_box == line.vat_box)
            };
            let turnover = same().filter_map(|other| other.declared_turnover).sum();
            let vat = same().filter_map(|other| other.declared_vat).sum();
            line.declared_turnover = line.declared_turnover.map(|_| turnover);
            line.declared_vat = line.declared_vat.map(|_| vat);
        }
        self.declared_payable = returns.iter().map(|of| of.declared_payable).sum();
        self
    }
}

/// Box of the total VAT due. It has no postings; it is the sum of the boxes above it.
const DUE: &str = "5a";
/// Box of the total. Boxes 5c to 5f no longer exist: the tax office's SBR taxonomy of 2026 (entry
/// point `bd-rpt-ob-aangifte-2026`) has three amounts under 5. Software that files through it
/// (Microsoft Business Central's and Odoo's Dutch localisations) still calls the third
/// (`ValueAddedTaxOwedToBePaidBack`, "Totaal te betalen / terug te vragen") 5g.
const TOTAL: &str = "5g";

/// Contribution of a posting to its box, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Contribution to turnover, or to purchases excluding VAT.
    pub turnover: Cents,
    /// Contribution to VAT.
    pub vat: Cents,
}

/// Returns how much `credited` (credit minus debit on an account, in cents) contributes to a box.
#[must_use]
pub fn share(account: AccountCode, vat_box: VatBox, credited: Cents) -> Share {
    match account.role() {
        Role::VatDue => Share { vat: credited, ..Share::default() },
        Role::InputVat => Share { vat: -credited, ..Share::default() },
        _ if vat_box.side() == Side::Purchases => Share { turnover: -credited, ..Share::default() },
        _ => Share { turnover: credited, ..Share::default() },
    }
}

/// Returns the canonical name of a line of the return, if the line exists.
#[must_use]
pub fn line_name(text: &str) -> Option<&'static str> {
    match text {
        DUE => Some(DUE),
        TOTAL => Some(TOTAL),
        other => VatBox::parse(other).map(VatBox::as_str),
    }
}

/// Returns the boxes whose postings make up a line of the return: the line's own box or, for 5a and
/// 5g, the boxes that are summed in it. `None` if the line does not exist.
#[must_use]
pub fn component_boxes(line: &str) -> Option<Vec<VatBox>> {
    let due = || {
        VatBox::ALL
            .iter()
            .copied()
            .filter(|vat_box| vat_box.asks_for_vat() && *vat_box != VatBox::B5b)
    };
    match (line, VatBox::parse(line)) {
        (_, Some(vat_box)) => Some(vec![vat_box]),
        (DUE, _) => Some(due().collect()),
        (TOTAL, _) => Some(due().chain([VatBox::B5b]).collect()),
        _ => None,
    }
}

/// Sums a period's postings into the return. A box's VAT is the sum of its postings on VAT
/// accounts; its turnover is the sum of its other postings.
///
/// The form takes whole euros, and the tax office lets taxpayers round in their own favour:
/// turnover and VAT due down, input VAT up, each box separately. So 5a and 5g are sums of rounded
/// boxes, and the form adds up. Negative amounts are rounded down too: `-0.50` is declared as `-1`.
///
/// ```
/// use ledger::{
///     chart::codes,
///     money::Cents,
///     vat::VatBox,
///     vat_return::{Total, vat_return},
/// };
///
/// let none = Cents::ZERO;
/// let found = vat_return([
///     Total { account: codes::VAT_DUE_HIGH, vat_box: VatBox::B1a, debit: none, credit: Cents::new(25_926) },
///     Total { account: codes::INPUT_VAT_HIGH, vat_box: VatBox::B5b, debit: Cents::new(2_110), credit: none },
/// ]);
/// assert_eq!(found.payable, Cents::new(23_816));
/// // 259 due, 22 deductible.
/// assert_eq!(found.declared_payable, 237);
/// ```
#[must_use]
pub fn vat_return(totals: impl IntoIterator<Item = Total>) -> VatReturn {
    let mut turnovers = [Cents::ZERO; VatBox::ALL.len()];
    let mut vats = [Cents::ZERO; VatBox::ALL.len()];
    for total in totals {
        let share = share(total.account, total.vat_box, total.credit - total.debit);
        turnovers[total.vat_box as usize] += share.turnover;
        vats[total.vat_box as usize] += share.vat;
    }
    let mut lines = Vec::with_capacity(VatBox::ALL.len() + 2);
    let (mut due, mut declared_due) = (Cents::ZERO, 0);
    for vat_box in VatBox::ALL.iter().copied().filter(|vat_box| *vat_box != VatBox::B5b) {
        let (turnover, vat) = (turnovers[vat_box as usize], vats[vat_box as usize]);
        let line = BoxLine {
            vat_box: vat_box.as_str(),
            turnover: Some(turnover),
            vat: vat_box.asks_for_vat().then_some(vat),
            declared_turnover: Some(turnover.whole_euros_down()),
            declared_vat: vat_box.asks_for_vat().then_some(vat.whole_euros_down()),
        };
        due += line.vat.unwrap_or_default();
        declared_due += line.declared_vat.unwrap_or_default();
        lines.push(line);
    }
    let input = vats[VatBox::B5b as usize];
    let declared_input = input.whole_euros_up();
    let vat_only = |vat_box, vat, declared| BoxLine {
        vat_box,
        turnover: None,
        vat: Some(vat),
        declared_turnover: None,
        declared_vat: Some(declared),
    };
    let (payable, declared_payable) = (due - input, declared_due - declared_input);
    lines.push(vat_only(DUE, due, declared_due));
    lines.push(vat_only(VatBox::B5b.as_str(), input, declared_input));
    lines.push(vat_only(TOTAL, payable, declared_payable));
    VatReturn { lines, payable, declared_payable }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::codes;

    /// Returns the total of an account in a box from its credit minus debit.
    fn total(account: AccountCode, vat_box: VatBox, credited: i64) -> Total {
        let (debit, credit) = if credited < 0 { (-credited, 0) } else { (0, credited) };
        Total { account, vat_box, debit: Cents::new(debit), credit: Cents::new(credit) }
    }

    /// Turnover and VAT in cents, then turnover and VAT as declared, in euros.
    type Amounts = (Option<i64>, Option<i64>, Option<i64>, Option<i64>);

    fn amounts(vat_return: &VatReturn, name: &str) -> Amounts {
        let line = vat_return.lines.iter().find(|line| line.vat_box == name).unwrap();
        (
            line.turnover.map(Cents::get),
            line.vat.map(Cents::get),
            line.declared_turnover,
            line.declared_vat,
        )
    }

    #[test]
    fn the_boxes_stand_in_the_order_of_the_form() {
        let vat_return = vat_return([]);
        let names: Vec<_> = vat_return.lines.iter().map(|line| line.vat_box).collect();
        assert_eq!(
            names,
            ["1a", "1b", "1c", "1d", "1e", "2a", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "5g"]
        );
        assert_eq!((vat_return.payable, vat_return.declared_payable), (Cents::ZERO, 0));
        for line in &vat_return.lines {
            let (has_turnover, has_vat) = (line.turnover.is_some(), line.vat.is_some());
            assert_eq!(
                (line.declared_turnover.is_some(), line.declared_vat.is_some()),
                (has_turnover, has_vat)
            );
            let wanted = match line.vat_box {
                "1e" | "3a" | "3b" | "3c" => (true, false),
                "5a" | "5b" | "5g" => (false, true),
                _ => (true, true),
            };
            assert_eq!((has_turnover, has_vat), wanted, "{}", line.vat_box);
            assert!(line.description(Language::Dutch) != line.description(Language::English));
        }
    }

    #[test]
    fn postings_count_in_their_box_by_the_role_of_their_account() {
        use VatBox::{B1a, B1b, B1c, B1d, B1e, B2a, B3a, B3b, B3c, B4a, B4b, B5b};
        let vat_return = vat_return([
            total(codes::REVENUE_HIGH, B1a, 10_050),
            total(codes::REVENUE_HIGH, B1a, -50),
            total(codes::VAT_DUE_HIGH, B1a, 2_100),
            total(codes::REVENUE_LOW, B1b, -5_000),
            total(codes::VAT_DUE_LOW, B1b, -450),
            total(codes::REVENUE_OTHER_RATE, B1c, 1_099),
            total(codes::VAT_DUE_OTHER, B1c, 132),
            total(codes::PRIVATE_USE, B1d, 2_000),
            total(codes::VAT_DUE_PRIVATE_USE, B1d, 420),
            total(codes::REVENUE_ZERO, B1e, 300),
            total(codes::REVENUE_REVERSE_CHARGED, B1e, 400),
            total(codes::SUBCONTRACTORS, B2a, -700),
            total(codes::VAT_DUE_REVERSE_CHARGED, B2a, 147),
            total(codes::REVENUE_EXPORT, B3a, 800),
            total(codes::REVENUE_EU, B3b, 900),
            total(codes::REVENUE_EU, B3c, 100),
            total(codes::SOFTWARE, B4a, -1_000),
            total(codes::VAT_DUE_REVERSE_CHARGED, B4a, 210),
            total(codes::EQUIPMENT, B4b, -2_000),
            total(codes::VAT_DUE_REVERSE_CHARGED, B4b, 420),
            total(codes::INPUT_VAT_HIGH, B5b, -1_001),
            total(codes::INPUT_VAT_REVERSE_CHARGED, B5b, -777),
        ]);
        let wanted: [(&str, Amounts); 14] = [
            ("1a", (Some(10_000), Some(2_100), Some(100), Some(21))),
            ("1b", (Some(-5_000), Some(-450), Some(-50), Some(-5))),
            ("1c", (Some(1_099), Some(132), Some(10), Some(1))),
            ("1d", (Some(2_000), Some(420), Some(20), Some(4))),
            ("1e", (Some(700), None, Some(7), None)),
            ("2a", (Some(700), Some(147), Some(7), Some(1))),
            ("3a", (Some(800), None, Some(8), None)),
            ("3b", (Some(900), None, Some(9), None)),
            ("3c", (Some(100), None, Some(1), None)),
            ("4a", (Some(1_000), Some(210), Some(10), Some(2))),
            ("4b", (Some(2_000), Some(420), Some(20), Some(4))),
            ("5a", (None, Some(2_979), None, Some(28))),
            ("5b", (None, Some(1_778), None, Some(18))),
            ("5g", (None, Some(1_201), None, Some(10))),
        ];
        for (name, wanted) in wanted {
            assert_eq!(amounts(&vat_return, name), wanted, "{name}");
        }
        assert_eq!((vat_return.payable, vat_return.declared_payable), (Cents::new(1_201), 10));
    }

    #[test]
    fn declared_amounts_are_rounded_in_the_taxpayers_favour() {
        // VAT due in cents, input VAT in cents; declared due, declared input, declared payable.
        let cases = [
            (0, 0, 0, 0, 0),
            (99, 0, 0, 0, 0),
            (100, 0, 1, 0, 1),
            (101, 1, 1, 1, 0),
            (0, 99, 0, 1, -1),
            (-1, 0, -1, 0, -1),
            (0, -1, 0, 0, 0),
            (0, -101, 0, -1, 1),
            (522_575, 80_170, 5_225, 802, 4_423),
        ];
        for (due, input, declared_due, declared_input, declared_payable) in cases {
            let vat_return = vat_return([
                total(codes::VAT_DUE_HIGH, VatBox::B1a, due),
                total(codes::INPUT_VAT_HIGH, VatBox::B5b, -input),
            ]);
            assert_eq!(amounts(&vat_return, "5a").3, Some(declared_due), "{due}");
            assert_eq!(amounts(&vat_return, "5b").3, Some(declared_input), "{input}");
            assert_eq!(vat_return.declared_payable, declared_payable, "{due} - {input}");
            assert_eq!(vat_return.payable, Cents::new(due - input));
        }
    }
}
