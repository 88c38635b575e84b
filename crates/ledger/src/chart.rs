//! The chart of accounts of a sole trader, numbered in the Dutch decimal habit, with RGS codes beside.

use crate::vat::named;
use std::fmt;

/// The code of an account in the chart, four digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountCode(u16);

/// An account of the chart.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// Its code.
    pub code: AccountCode,
    /// Its Dutch name.
    pub dutch: &'static str,
    /// Its English name.
    pub english: &'static str,
    /// Its code in the Referentie GrootboekSchema, the Dutch reference chart of accounts.
    pub rgs: &'static str,
    /// Where it stands in balance sheet or result.
    pub class: Class,
    /// What the VAT return needs to know of it.
    pub role: Role,
}

named! {
    /// Where an account stands in balance sheet or result.
    Class {
        /// What the business has; grows on the debit side.
        Asset => "asset",
        /// What the business owes.
        Liability => "liability",
        /// What is the owner's.
        Equity => "equity",
        /// What was earned.
        Revenue => "revenue",
        /// What was spent; grows on the debit side.
        Cost => "cost",
    }
}

/// What the VAT return needs to know of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Ordinary,
    /// VAT that is due stands here until it is filed.
    VatDue,
    /// VAT that may be deducted stands here until it is filed.
    InputVat,
    /// VAT that was filed stands here until it is paid.
    VatSettlement,
}

impl AccountCode {
    /// The account with that number, if the chart has it.
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        CHART.binary_search_by_key(&number, |account| account.code.0).ok().map(|_| Self(number))
    }

    /// Reads four digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok().and_then(Self::new)).flatten()
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for AccountCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0)
    }
}

/// The account of a code.
#[must_use]
pub fn account(code: AccountCode) -> &'static Account {
    let place = CHART.binary_search_by_key(&code, |account| account.code);
    &CHART[place.expect("codes are only made for accounts of the chart")]
}

macro_rules! chart {
    ($($name:ident = $number:literal $class:ident $role:ident $rgs:literal $dutch:literal / $english:literal;)*) => {
        /// The codes that the program books on, by name.
        pub mod codes {
            use super::AccountCode;
            $(#[doc = $english] pub const $name: AccountCode = AccountCode($number);)*
        }

        /// All accounts, in the order of their codes.
        pub static CHART: &[Account] = &[$(Account {
            code: AccountCode($number), dutch: $dutch, english: $english, rgs: $rgs, class: Class::$class, role: Role::$role,
        }),*];
    };
}

chart! {
    EQUIPMENT = 200 Asset Ordinary "BMvaBeiVvp" "Inventaris en apparatuur" / "Equipment";
    ACCUMULATED_DEPRECIATION = 210 Asset Ordinary "BMvaBeiCae" "Afschrijving inventaris en apparatuur" / "Accumulated depreciation of equipment";
    CAR = 300 Asset Ordinary "BMvaTevVvp" "Vervoermiddelen" / "Vehicles";
    ACCUMULATED_CAR_DEPRECIATION = 310 Asset Ordinary "BMvaTevCae" "Afschrijving vervoermiddelen" / "Accumulated depreciation of vehicles";
    EQUITY = 500 Equity Ordinary "BEivKapOnd" "Ondernemingsvermogen" / "Equity";
    PRIVATE_DEPOSITS = 510 Equity Ordinary "BEivKapPrs" "Privéstortingen" / "Private deposits";
    PRIVATE_DRAWINGS = 520 Equity Ordinary "BEivKapPro" "Privéopnamen" / "Private drawings";
    RESULT = 590 Equity Ordinary "BEivKapRvh" "Resultaat boekjaar" / "Result for the year";
    CASH = 1000 Asset Ordinary "BLimKasKas" "Kas" / "Cash";
    BANK = 1100 Asset Ordinary "BLimBanRba" "Bank" / "Bank";
    SAVINGS = 1110 Asset Ordinary "BLimBanDep" "Spaarrekening" / "Savings account";
    CARD = 1120 Asset Ordinary "BLimKruCra" "Creditcard" / "Credit card";
    RECEIVABLES = 1300 Asset Ordinary "BVorDebHad" "Debiteuren" / "Trade receivables";
    INPUT_VAT_HIGH = 1500 Liability InputVat "BSchBepBtwVoo" "Voorbelasting hoog tarief" / "Input VAT at the high rate";
    INPUT_VAT_LOW = 1510 Liability InputVat "BSchBepBtwVoo" "Voorbelasting laag tarief" / "Input VAT at the low rate";
    INPUT_VAT_REVERSE_CHARGED = 1520 Liability InputVat "BSchBepBtwVoo" "Voorbelasting verlegde btw" / "Input VAT on reverse-charged purchases";
    PAYABLES = 1600 Liability Ordinary "BSchCreHac" "Crediteuren" / "Trade payables";
    VAT_DUE_HIGH = 1700 Liability VatDue "BSchBepBtwOla" "Af te dragen btw hoog tarief" / "VAT due at the high rate";
    VAT_DUE_LOW = 1710 Liability VatDue "BSchBepBtwOlv" "Af te dragen btw laag tarief" / "VAT due at the low rate";
    VAT_DUE_OTHER = 1720 Liability VatDue "BSchBepBtwOlo" "Af te dragen btw overige tarieven" / "VAT due at other rates";
    VAT_DUE_PRIVATE_USE = 1730 Liability VatDue "BSchBepBtwOop" "Af te dragen btw privégebruik" / "VAT due on private use";
    VAT_DUE_REVERSE_CHARGED = 1740 Liability VatDue "BSchBepBtwOlw" "Af te dragen btw verlegd" / "VAT due on reverse-charged purchases";
    VAT_SETTLEMENT = 1780 Liability VatSettlement "BSchBepBtwAfo" "Afdracht btw" / "VAT settlement";
    HOUSING = 4000 Cost Ordinary "WBedHuiOhv" "Huisvestingskosten" / "Housing";
    OFFICE = 4100 Cost Ordinary "WBedKanOka" "Kantoorkosten" / "Office costs";
    SOFTWARE = 4110 Cost Ordinary "WBedKanKoa" "Software en abonnementen" / "Software and subscriptions";
    TELEPHONE = 4120 Cost Ordinary "WBedKanTef" "Telefoon en internet" / "Telephone and internet";
    CAR_COSTS = 4200 Cost Ordinary "WBedAutOak" "Autokosten" / "Car costs";
    TRAVEL = 4210 Cost Ordinary "WBedVkkRev" "Reis- en verblijfkosten" / "Travel and lodging";
    MARKETING = 4300 Cost Ordinary "WBedVkkRea" "Reclame en marketing" / "Marketing";
    REPRESENTATION = 4310 Cost Ordinary "WBedVkkRep" "Representatiekosten" / "Representation";
    SHIPPING = 4320 Cost Ordinary "WBedVkkVrk" "Verzendkosten" / "Shipping";
    INSURANCE = 4400 Cost Ordinary "WBedAssOva" "Verzekeringen" / "Insurance";
    ACCOUNTANT = 4410 Cost Ordinary "WBedKanBoe" "Boekhouder en advies" / "Accountant and advice";
    TRAINING = 4420 Cost Ordinary "WBedKanVak" "Opleiding en vakliteratuur" / "Training and literature";
    DEPRECIATION = 4500 Cost Ordinary "WAfsAmvBei" "Afschrijvingen" / "Depreciation";
    INTEREST = 4600 Cost Ordinary "WFbeRlsRef" "Rente" / "Interest";
    BANK_COSTS = 4610 Cost Ordinary "WBedAdlBan" "Bankkosten" / "Bank costs";
    OTHER_COSTS = 4900 Cost Ordinary "WBedAlkOal" "Algemene kosten" / "Other costs";
    ROUNDING = 4990 Cost Ordinary "WBedAdlBet" "Afrondings- en betalingsverschillen" / "Rounding and payment differences";
    PURCHASES = 7000 Cost Ordinary "WKprInhInh" "Inkoopwaarde van de omzet" / "Purchases";
    SUBCONTRACTORS = 7100 Cost Ordinary "WKprKuwKuw" "Uitbesteed werk" / "Subcontractors";
    REVENUE_HIGH = 8000 Revenue Ordinary "WOmzNodOdh" "Omzet hoog tarief" / "Revenue at the high rate";
    REVENUE_LOW = 8010 Revenue Ordinary "WOmzNodOdl" "Omzet laag tarief" / "Revenue at the low rate";
    REVENUE_OTHER_RATE = 8020 Revenue Ordinary "WOmzNodOdo" "Omzet overige tarieven" / "Revenue at other rates";
    REVENUE_ZERO = 8030 Revenue Ordinary "WOmzNodOdg" "Omzet nultarief" / "Revenue at the zero rate";
    REVENUE_REVERSE_CHARGED = 8040 Revenue Ordinary "WOmzNodOdv" "Omzet btw verlegd" / "Revenue, VAT reverse-charged";
    REVENUE_EU = 8050 Revenue Ordinary "WOmzNodOdi" "Omzet binnen de EU" / "Revenue inside the EU";
    REVENUE_EXPORT = 8060 Revenue Ordinary "WOmzNodOdb" "Omzet buiten de EU" / "Revenue outside the EU";
    REVENUE_EXEMPT = 8070 Revenue Ordinary "WOmzNodOdg" "Omzet vrijgesteld" / "Exempt revenue";
    REVENUE_OUT_OF_SCOPE = 8080 Revenue Ordinary "WOvbOvoOvo" "Overige opbrengsten, geen btw" / "Other income outside VAT";
    PRIVATE_USE = 8900 Revenue Ordinary "WOmzNodOpd" "Privégebruik" / "Private use";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_is_in_order_and_whole() {
        assert!(CHART.is_sorted_by(|one, next| one.code < next.code), "codes are unique and in order");
        for entry in CHART {
            assert!(!entry.dutch.is_empty() && !entry.english.is_empty() && entry.rgs.len() == 10 || entry.rgs.len() == 13, "{}", entry.code);
            assert_eq!(AccountCode::new(entry.code.get()), Some(entry.code));
            assert_eq!(AccountCode::parse(&entry.code.to_string()), Some(entry.code));
            assert_eq!(entry.rgs.starts_with('B'), !matches!(entry.class, Class::Revenue | Class::Cost), "{}", entry.code);
        }
        for text in ["", "1", "999", "9999", "+130", "13000"] {
            assert_eq!(AccountCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_vat_account_is_a_liability() {
        for entry in CHART.iter().filter(|entry| entry.role != Role::Ordinary) {
            assert_eq!(entry.class, Class::Liability, "{}", entry.code);
        }
    }
}
