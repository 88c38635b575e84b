//! The VAT return: postings summed into boxes, exact and as declared.

use crate::{
    chart::{self, AccountCode, Role},
    money::Cents,
    vat::{Language, Side, VatBox},
};

/// Summed postings of a period on one account and box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The account.
    pub account: AccountCode,
    /// The box, where the postings carry one.
    pub vat_box: Option<VatBox>,
    /// The sum of the debits, in euros.
    pub debit: Cents,
    /// The sum of the credits, in euros.
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
    /// To pay in euros, exact; to be received when negative.
    pub payable: Cents,
    /// To pay as declared, in whole euros.
    pub declared_payable: i64,
}

impl BoxLine {
    /// What the form says beside the box.
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

/// The box of the VAT due, which no posting belongs to: it adds up the boxes above it.
const DUE: &str = "5a";
/// The box of the total. Boxes 5c to 5f are gone: the tax office's SBR taxonomy of 2026 (entry point `bd-rpt-ob-aangifte-2026`) knows
/// three amounts under 5, and the third (`ValueAddedTaxOwedToBePaidBack`, "Totaal te betalen / terug te vragen") is still named 5g by
/// those who file through it (Microsoft Business Central's and Odoo's Dutch localisations).
const TOTAL: &str = "5g";

/// Sums a period's postings into the return. Turnover of a box is what its postings say on accounts that are not VAT accounts;
/// VAT of a box is what they say on VAT accounts.
///
/// The form takes whole euros, and the tax office lets the taxpayer round in his own favour: turnover and VAT due down, input VAT up,
/// each box by itself. So 5a and 5g are sums of rounded boxes, and the form adds up. (Down also below zero: a credit of 0.50 is
/// declared as 1.)
#[must_use]
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
            Role::Ordinary | Role::VatSettlement if vat_box.side() == Side::Purchases => turnovers[place] -= credited,
            Role::Ordinary | Role::VatSettlement => turnovers[place] += credited,
        }
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
