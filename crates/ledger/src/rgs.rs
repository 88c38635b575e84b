//! Codes of the Referentie GrootboekSchema (RGS) that accounts of a sole trader can have.
//!
//! The list is in `data/`, with its source.

use crate::chart::Class;
use std::sync::LazyLock;

const LIST: &str = include_str!("../data/rgs_3_7.csv");

/// Code of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RgsCode {
    /// Code, such as `WBedKanOka`.
    pub code: &'static str,
    /// Official Dutch description.
    pub description: &'static str,
}

impl RgsCode {
    /// Whether the code is on the fourth level; a code on the fifth refines it.
    #[must_use]
    pub const fn is_fourth_level(&self) -> bool {
        self.code.len() == 10
    }
}

static CODES: LazyLock<Vec<RgsCode>> = LazyLock::new(|| {
    let lines = LIST.lines().skip(1).filter_map(|line| line.split_once(';'));
    lines.map(|(code, description)| RgsCode { code, description }).collect()
});

/// Returns all codes, in order. They are bookable, which are the codes of the fourth and fifth
/// level, and active for sole traders (filter "EZ/VOF") in RGS 3.7.
#[must_use]
pub fn all() -> &'static [RgsCode] {
    &CODES
}

/// Returns a code of the list.
///
/// ```
/// use ledger::{chart::Class, rgs};
///
/// assert!(rgs::find("WBedKanOka").is_some());
/// assert_eq!(rgs::find("WBedKan"), None);
/// assert_eq!(rgs::class("WBedKanOka"), Some(Class::Cost));
/// ```
#[must_use]
pub fn find(code: &str) -> Option<&'static RgsCode> {
    CODES.binary_search_by_key(&code, |of| of.code).ok().map(|place| &CODES[place])
}

/// Branches of RGS with the class of their accounts; a longer branch precedes one that contains it.
/// Branches that only companies use, or that divide the result, have no class.
const BRANCHES: &[(&str, Class)] = &[
    ("BIva", Class::Asset),
    ("BMva", Class::Asset),
    ("BVas", Class::Asset),
    ("BFva", Class::Asset),
    ("BVrd", Class::Asset),
    ("BPro", Class::Asset),
    ("BVor", Class::Asset),
    ("BEff", Class::Asset),
    ("BLim", Class::Asset),
    ("BEiv", Class::Equity),
    ("BVrz", Class::Liability),
    ("BLas", Class::Liability),
    ("BSch", Class::Liability),
    ("WOmz", Class::Revenue),
    ("WOvb", Class::Revenue),
    ("WOvt", Class::Revenue),
    ("WWiv", Class::Revenue),
    // Financial income; the rest of the branch is financial costs.
    ("WFbeRlm", Class::Revenue),
    ("WFbeOnn", Class::Revenue),
    ("WFbeWnn", Class::Revenue),
    ("WFbePol", Class::Revenue),
    ("WFbePhp", Class::Revenue),
    ("WFbeDfb", Class::Revenue),
    ("WFbe", Class::Cost),
    ("WVkf", Class::Cost),
    ("WAkf", Class::Cost),
    ("WKpr", Class::Cost),
    ("WPer", Class::Cost),
    ("WAfs", Class::Cost),
    ("WWvi", Class::Cost),
    ("WBwv", Class::Cost),
    ("WBed", Class::Cost),
    ("WWfa", Class::Cost),
];

/// Returns the class of accounts with the given code.
#[must_use]
pub fn class(code: &str) -> Option<Class> {
    BRANCHES.iter().find(|(branch, _)| code.starts_with(branch)).map(|(_, class)| *class)
}

/// Whether the code is that of accumulated depreciation of fixed assets ("Cumulatieve
/// afschrijvingen en waardeverminderingen").
#[must_use]
pub fn is_accumulated_depreciation(code: &str) -> bool {
    let of_fixed_assets = ["BIva", "BMva", "BVas"].iter().any(|branch| code.starts_with(branch));
    of_fixed_assets && code.get(7..10) == Some("Cae")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::CHART;

    #[test]
    fn the_branch_of_each_account_gives_its_class() {
        for account in CHART {
            assert_eq!(class(account.rgs), Some(account.class), "{}", account.code);
        }
        for (code, of) in [
            ("BVrdHanVoo", Some(Class::Asset)),
            ("BEivKapPrs", Some(Class::Equity)),
            ("BLasOlsOsl", Some(Class::Liability)),
            ("WFbeRlmObr", Some(Class::Revenue)),
            ("WFbeRlsRef", Some(Class::Cost)),
            ("WNerNewNew", None),
        ] {
            assert_eq!(class(code), of, "{code}");
        }
    }

    #[test]
    fn accumulated_depreciation_is_told_from_cost() {
        for (code, is_it) in [
            ("BMvaBeiCae", true),
            ("BIvaCevCae", true),
            ("BMvaBeiCaeAfs", true),
            ("BMvaBeiVvp", false),
            ("WAfsAmvBei", false),
        ] {
            assert_eq!(is_accumulated_depreciation(code), is_it, "{code}");
        }
    }
}
