//! The VAT return: postings summed into boxes, exact and as declared.

use crate::{
    chart::{self, AccountCode, Role},
    money::Cents,
    vat::VatBox,
};

/// Summed postings of a period on one account and box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The account.
    pub account: AccountCode,
    /// The box, where the postings carry one.
    pub vat_box: Option<VatBox>,
    /// The sum of the debits.
    pub debit: Cents,
    /// The sum of the credits.
    pub credit: Cents,
}

/// One box of the return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxLine {
    /// Its name on the form, such as `1a`.
    pub vat_box: &'static str,
    /// Turnover or purchases excluding VAT, where the box asks for it.
    pub turnover: Option<Cents>,
    /// VAT, where the box asks for it.
    pub vat: Option<Cents>,
    /// Turnover as declared, in whole euros.
    pub declared_turnover: Option<i64>,
    /// VAT as declared, in whole euros.
    pub declared_vat: Option<i64>,
}

/// The return of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VatReturn {
    /// The boxes in the order of the form: 1a to 4b, 5a (VAT due), 5b (input VAT) and 5g (the total).
    pub lines: Vec<BoxLine>,
    /// To pay, exact; to be received when negative.
    pub payable: Cents,
    /// To pay as declared, in whole euros.
    pub declared_payable: i64,
}

/// What a box asks for.
fn asks_for_vat(vat_box: VatBox) -> bool {
    !matches!(vat_box, VatBox::B1e | VatBox::B3a | VatBox::B3b | VatBox::B3c)
}

fn is_purchase(vat_box: VatBox) -> bool {
    matches!(vat_box, VatBox::B2a | VatBox::B4a | VatBox::B4b)
}

/// Sums a period's postings into the return. Turnover of a box is what its postings say on accounts that are not VAT accounts;
/// VAT of a box is what they say on VAT accounts. Declared amounts are whole euros rounded in the taxpayer's favour, as the
/// tax office allows (Belastingdienst, "U mag bedragen in uw voordeel afronden op hele euro's"): turnover and VAT due down,
/// input VAT up.
pub fn vat_return(totals: impl IntoIterator<Item = Total>) -> VatReturn {
    let mut turnovers = [Cents::ZERO; VatBox::ALL.len()];
    let mut vats = [Cents::ZERO; VatBox::ALL.len()];
    for total in totals {
        let Some(vat_box) = total.vat_box else { continue };
        let credited = total.credit - total.debit;
        let place = vat_box as usize;
        match chart::account(total.account).role {
            Role::VatDue => vats[place] += credited,
            Role::InputVat => vats[place] -= credited,
            _ if is_purchase(vat_box) => turnovers[place] -= credited,
            _ => turnovers[place] += credited,
        }
    }
    let mut lines = Vec::with_capacity(VatBox::ALL.len() + 2);
    let (mut due, mut declared_due) = (Cents::ZERO, 0);
    for vat_box in VatBox::ALL.iter().copied().filter(|vat_box| *vat_box != VatBox::B5b) {
        let (turnover, vat) = (turnovers[vat_box as usize], vats[vat_box as usize]);
        let line = BoxLine {
            vat_box: vat_box.as_str(),
            turnover: Some(turnover),
            vat: asks_for_vat(vat_box).then_some(vat),
            declared_turnover: Some(turnover.whole_euros_down()),
            declared_vat: asks_for_vat(vat_box).then_some(vat.whole_euros_down()),
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
    lines.push(vat_only("5a", due, declared_due));
    lines.push(vat_only("5b", input, declared_input));
    lines.push(vat_only("5g", payable, declared_payable));
    VatReturn { lines, payable, declared_payable }
}
