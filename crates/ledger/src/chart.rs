//! Chart of accounts of a sole trader (eenmanszaak), with Dutch decimal numbering and the RGS code
//! of each account.
//!
//! The law prescribes no chart (art. 52 Algemene wet inzake rijksbelastingen requires books, not
//! numbers). The numbers follow Dutch practice: 0 fixed assets and equity, 1 money, receivables,
//! payables and VAT, 4 costs, 7 cost of sales, 8 revenue.
//!
//! The RGS code identifies an account to third parties: the tax office, banks, accountants. RGS is
//! the Referentie GrootboekSchema of the Dutch government and accountants
//! (referentiegrootboekschema.nl). The codes are those of RGS 3.7, definitive version; their source
//! and official descriptions are in `tests/data/`. Where the chart is finer than RGS, accounts
//! share a code ([`SHARED_RGS`]). Choices that RGS leaves open:
//!
//! - Revenue accounts have the codes for services (`WOmzNod`), because the books do not distinguish
//!   services from goods and most sole traders sell services. RGS divides revenue by box of the VAT
//!   return. Supplies reverse-charged to the customer therefore have the code of the zero rate (box
//!   1e), and supplies exempt or out of scope have that of untaxed revenue (`WOmzNodNod`). The
//!   reverse-charge code `WOmzNodOdv` is not used, because it belongs to box 2a, which is for
//!   purchases. Services supplied outside the EU have no box, so they too are `WOmzNodNod`; goods
//!   to the EU are `WOmzNohOli`, and goods that leave the EU `WOmzNohOln` (box 3a). Sales under the
//!   Union scheme (OSS) have the code of distance sales, `WOmzNohOla`; most of them are goods. The
//!   VAT on them is owed to other member states (`BSchBepEob`).
//! - VAT accounts have the codes of the fifth level, one for each box. Together with VAT payable
//!   they add up to the fourth level, `BSchBepBtw`, which is the code of VAT payable itself. Input
//!   VAT is therefore a liability with a debit balance.
//! - The result for the year is the owner's (`BEivKapOnd`); `BEivOreRvh` is for companies.
//! - The owner's own training is a cost of the self-employed (`WBedAlkKzo`); `WBedOvpOpk` is for
//!   the training of staff.

use crate::{language::Language, named::named};
use std::{cmp::Ordering, fmt, ops::RangeInclusive};

/// Code of a ledger account: four digits, and for an account that the owner added also its class.
///
/// The rules need the class of an account, so the code of an own account carries it; the program's
/// accounts are looked up in [`CHART`]. The number in memory and in the database is the four digits
/// plus 10 000 times the kind of own account: 0 for an account of the program, then one number for
/// each class with deductible VAT and one without, and one for accumulated depreciation. Order,
/// text and the hash chain use the four digits alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccountCode(u32);

/// Number of four-digit codes: the distance between two kinds in a stored code.
const KIND: u32 = 10_000;
/// Kind of an own account to which accumulated depreciation is booked.
const ACCUMULATED: u32 = 11;
/// Kind of a code that a caller named and that the program's chart does not have.
const NAMED: u32 = 12;

/// Account of the program's chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Code.
    pub code: AccountCode,
    /// Dutch name.
    pub dutch: &'static str,
    /// English name.
    pub english: &'static str,
    /// Code in the Referentie GrootboekSchema, the Dutch reference chart of accounts.
    pub rgs: &'static str,
    /// Class: position in the balance sheet or the result.
    pub class: Class,
    /// Role in the VAT return and its settlement.
    pub role: Role,
}

named! {
    /// Class of an account: its position in the balance sheet or the result.
    Class {
        /// Assets of the business; grow on the debit side.
        Asset => "asset",
        /// Debts of the business; grow on the credit side.
        Liability => "liability",
        /// The owner's equity; grows on the credit side.
        Equity => "equity",
        /// Revenue; grows on the credit side.
        Revenue => "revenue",
        /// Costs; grow on the debit side.
        Cost => "cost",
    }
}

/// Role of an account in the VAT return and its settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// No role.
    Ordinary,
    /// Accumulates VAT due until it is filed (boxes 1a to 4b).
    VatDue,
    /// Accumulates deductible VAT until it is filed (box 5b).
    InputVat,
    /// Holds filed VAT until it is paid.
    VatSettlement,
    /// Holds VAT of a filed period until the return that corrects it; filing does not clear it.
    VatCorrection,
    /// Holds VAT on sales under cash accounting until it is due; no return declares it before.
    DeferredVat,
    /// Holds VAT of subsequent assessments by the tax office; filing does not clear it.
    VatAssessment,
}

impl Account {
    /// Returns the name in the given language.
    #[must_use]
    pub const fn name(&self, language: Language) -> &'static str {
        match language {
            Language::Dutch => self.dutch,
            Language::English => self.english,
        }
    }
}

impl AccountCode {
    /// Returns the account code with the given number, if the program's chart has that account.
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        let code = Self(number.into());
        place(code).map(|_| code)
    }

    /// Parses an account code of the program's chart: exactly four digits.
    ///
    /// ```
    /// use ledger::chart::{self, AccountCode, codes};
    ///
    /// assert_eq!(AccountCode::parse("1100"), Some(codes::BANK));
    /// assert_eq!(AccountCode::parse("9999"), None);
    /// assert_eq!(chart::account(codes::RECEIVABLES).map(|account| account.dutch), Some("Debiteuren"));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::new(digits(text)?)
    }

    /// Parses the four digits of a code, whether or not an account has it.
    #[must_use]
    pub fn digits(text: &str) -> Option<u16> {
        digits(text)
    }

    /// Parses a code that a caller named: one of the program's chart, or one that an own account or
    /// a bank account can have. The latter has no class until
    /// [`crate::own_account::OwnAccounts::resolve`] finds it among the accounts of the books.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let number = Self::digits(text)?;
        let own = || (is_possible(number) || is_of_bank(number)).then(|| Self::unresolved(number));
        Self::new(number).or_else(own)
    }

    /// Returns a code that a caller named, to be found among the accounts of the books.
    pub(crate) const fn unresolved(number: u16) -> Self {
        Self(number as u32 + KIND * NAMED)
    }

    /// Returns the code of a bank account; `None` if no bank account can have the number.
    #[must_use]
    pub fn of_bank(number: u16) -> Option<Self> {
        let own = || Self::own(number, Class::Asset, true, false);
        is_of_bank(number).then(|| Self::new(number).unwrap_or_else(own))
    }

    /// Whether the code is in a range of the bank accounts.
    #[must_use]
    pub fn is_of_bank(self) -> bool {
        is_of_bank(self.get())
    }

    /// Returns the code of an own account. `is_accumulated` is set for accumulated depreciation.
    pub(crate) fn own(
        number: u16,
        class: Class,
        vat_deductible: bool,
        is_accumulated: bool,
    ) -> Self {
        let kind = if class == Class::Asset && is_accumulated {
            ACCUMULATED
        } else {
            let place = Class::ALL.iter().zip(0_u32..).find(|(of, _)| **of == class);
            1 + 2 * place.map_or(0, |(_, place)| place) + u32::from(!vat_deductible)
        };
        Self(u32::from(number) + KIND * kind)
    }

    /// Returns the code with the stored number; `None` if the number belongs to no account.
    #[must_use]
    pub fn restore(stored: u32) -> Option<Self> {
        let code = Self(stored);
        match stored / KIND {
            0 => Self::new(code.get()),
            1..NAMED => Some(code),
            _ => None,
        }
    }

    /// Number in the database: the four digits and the kind of own account.
    #[must_use]
    pub const fn stored(self) -> u32 {
        self.0
    }

    /// Returns the four digits as a number.
    #[must_use]
    pub const fn get(self) -> u16 {
        // The remainder is below 10 000.
        (self.0 % KIND) as u16
    }

    /// Whether the owner added the account, as a ledger account or a bank account.
    #[must_use]
    pub const fn is_own(self) -> bool {
        let kind = self.0 / KIND;
        kind > 0 && kind < NAMED
    }

    /// Whether the code belongs to an account: of the program, or an own account that was found.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.0 / KIND < NAMED
    }

    /// Class of the account; `None` if the code is not known to belong to an account.
    #[must_use]
    pub fn class(self) -> Option<Class> {
        match self.0 / KIND {
            0 => account(self).map(|account| account.class),
            ACCUMULATED => Some(Class::Asset),
            kind => {
                let place = usize::try_from((kind - 1) / 2).ok()?;
                Class::ALL.get(place).copied()
            }
        }
    }

    /// Role of the account in the VAT return; an own account has none.
    #[must_use]
    pub fn role(self) -> Role {
        account(self).map_or(Role::Ordinary, |account| account.role)
    }

    /// Whether the owner allows deduction of the VAT on purchases on the account; true for the
    /// program's accounts.
    #[must_use]
    pub const fn allows_deduction(self) -> bool {
        let kind = self.0 / KIND;
        kind == 0 || kind >= ACCUMULATED || !kind.is_multiple_of(2)
    }

    /// Whether this own account records accumulated depreciation, which reduces the assets.
    #[must_use]
    pub const fn is_accumulated(self) -> bool {
        self.0 / KIND == ACCUMULATED
    }
}

/// Ranges of codes for accounts with a fixed function in the program: the owner's capital, money,
/// customers, input VAT, suppliers and other debts, and VAT due.
const RESERVED: [RangeInclusive<u16>; 6] =
    [500..=599, 1000..=1139, 1300..=1300, 1500..=1529, 1600..=1640, 1700..=1799];

/// Ranges of the codes of bank accounts: cash, and the accounts at banks and payment providers.
const BANK_ACCOUNTS: [RangeInclusive<u16>; 2] = [1000..=1009, 1100..=1139];

fn is_of_bank(number: u16) -> bool {
    BANK_ACCOUNTS.iter().any(|range| range.contains(&number))
}

/// First digits that the codes of a class can have.
pub(crate) const fn first_digits(class: Class) -> &'static str {
    match class {
        Class::Asset | Class::Equity | Class::Liability => "0, 1",
        Class::Cost => "4, 7",
        Class::Revenue => "8",
    }
}

/// Whether an own account can have a code: it is not reserved, and a class has its first digit.
fn is_possible(number: u16) -> bool {
    let classes = [Class::Asset, Class::Cost, Class::Revenue];
    classes.into_iter().any(|class| fits(class, number)) && !is_reserved(number)
}

/// Whether a code is reserved for an account with a fixed function.
pub(crate) fn is_reserved(number: u16) -> bool {
    RESERVED.iter().any(|range| range.contains(&number))
}

/// Whether the code begins with a digit of the class.
pub(crate) fn fits(class: Class, number: u16) -> bool {
    let first = (number / 1000).to_string();
    first_digits(class).split(", ").any(|digit| digit == first)
}

/// Parses exactly four digits.
fn digits(text: &str) -> Option<u16> {
    let is_code = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_code)
}

impl Ord for AccountCode {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.get(), self.0).cmp(&(other.get(), other.0))
    }
}

impl PartialOrd for AccountCode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for AccountCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.get())
    }
}

fn place(code: AccountCode) -> Option<usize> {
    CHART.binary_search_by_key(&code, |account| account.code).ok()
}

/// Returns the account of the program's chart with the given code; `None` for an own account.
#[must_use]
pub fn account(code: AccountCode) -> Option<&'static Account> {
    place(code).map(|place| &CHART[place])
}

/// Whether only the program books to an account, because the account must agree with data outside
/// the journal: balances of customers and suppliers, VAT by box, and the result, which is computed
/// from revenue and costs.
#[must_use]
pub fn is_kept_by_program(code: AccountCode) -> bool {
    let by_documents = matches!(
        code,
        codes::RECEIVABLES
            | codes::PAYABLES
            | codes::RECEIVED_IN_ADVANCE
            | codes::OWED_TO_CUSTOMERS
            | codes::VAT_BEFORE_INVOICE
            | codes::VAT_ON_OPEN_INVOICES
            | codes::VAT_OF_OTHER_COUNTRIES
            | codes::RESULT
    );
    by_documents || matches!(code.role(), Role::VatDue | Role::InputVat | Role::VatCorrection)
}

/// Returns the program's accounts that manual entries may use, ordered by code.
pub fn bookable_by_hand() -> impl Iterator<Item = &'static Account> {
    CHART.iter().filter(|account| !is_kept_by_program(account.code))
}

/// RGS codes shared by several accounts, each with the reason in English.
pub const SHARED_RGS: &[(&str, &str)] = &[
    (
        "BEivKapOnd",
        "The result of the year is the owner's capital; 0590 is reckoned from revenue and costs, never booked on.",
    ),
    (
        "BSchBepBtwOvm",
        "VAT on open invoices under cash accounting, and VAT of earlier periods until a return carries it; RGS has one code for other movements.",
    ),
    ("BSchBepBtwVoo", "Input VAT by rate and by reverse charge; RGS has one code for box 5b."),
    (
        "WBedVkkRep",
        "Food, drink and congresses apart from other representation (art. 3.15 Wet IB 2001); RGS has one code.",
    ),
    (
        "WOmzNodNod",
        "Services without Dutch VAT in no box of the return: supplied outside the EU, exempt, outside VAT.",
    ),
    ("WOmzNodOdg", "Box 1e: the zero rate, and VAT reverse-charged to the customer."),
];

macro_rules! chart {
    ($($name:ident = $number:literal $class:ident $role:ident $rgs:literal $dutch:literal / $english:literal;)*) => {
        /// Account codes by name.
        pub mod codes {
            use super::AccountCode;
            $(#[doc = concat!($english, " (", $dutch, ").")] pub const $name: AccountCode = AccountCode($number);)*
        }

        /// All accounts, ordered by code.
        pub static CHART: &[Account] = &[$(Account {
            code: codes::$name, dutch: $dutch, english: $english, rgs: $rgs, class: Class::$class, role: Role::$role,
        }),*];
    };
}

chart! {
    INTANGIBLES = 100 Asset Ordinary "BIvaCevVvp" "Licenties en rechten" / "Licences and rights";
    ACCUMULATED_AMORTISATION = 110 Asset Ordinary "BIvaCevCae" "Afschrijving licenties en rechten" / "Accumulated amortisation of licences and rights";
    EQUIPMENT = 200 Asset Ordinary "BMvaBeiVvp" "Inventaris en apparatuur" / "Equipment";
    ACCUMULATED_DEPRECIATION = 210 Asset Ordinary "BMvaBeiCae" "Afschrijving inventaris en apparatuur" / "Accumulated depreciation of equipment";
    CAR = 300 Asset Ordinary "BMvaTevVvp" "Vervoermiddelen" / "Vehicles";
    ACCUMULATED_CAR_DEPRECIATION = 310 Asset Ordinary "BMvaTevCae" "Afschrijving vervoermiddelen" / "Accumulated depreciation of vehicles";
    EQUITY = 500 Equity Ordinary "BEivKapOnd" "Ondernemingsvermogen" / "Equity";
    PRIVATE_DEPOSITS = 510 Equity Ordinary "BEivKapPrs" "Privéstortingen" / "Private deposits";
    PRIVATE_DRAWINGS = 520 Equity Ordinary "BEivKapPro" "Privéopnamen" / "Private drawings";
    PRIVATE_TAX = 530 Equity Ordinary "BEivKapPbe" "Privébelastingen" / "Income tax paid for the owner";
    PRIVATE_PREMIUMS = 540 Equity Ordinary "BEivKapPpr" "Privépremies (AOV, lijfrente)" / "Private premiums (disability, annuity)";
    DRAWINGS_IN_KIND = 550 Equity Ordinary "BEivKapPng" "Onttrekkingen in natura" / "Drawings in kind";
    RESULT = 590 Equity Ordinary "BEivKapOnd" "Resultaat boekjaar" / "Result for the year";
    OLD_AGE_RESERVE = 600 Equity Ordinary "BEivFirFor" "Fiscale oudedagsreserve (oud)" / "Old-age reserve (legacy)";
    REINVESTMENT_RESERVE = 610 Equity Ordinary "BEivFirHer" "Herinvesteringsreserve" / "Reinvestment reserve";
    BANK_LOAN = 700 Liability Ordinary "BLasSakLvl" "Banklening" / "Bank loan";
    OTHER_LOANS = 710 Liability Ordinary "BLasOlsOsl" "Overige leningen" / "Other loans";
    CASH = 1000 Asset Ordinary "BLimKasKas" "Kas" / "Cash";
    BANK = 1100 Asset Ordinary "BLimBanRba" "Bank" / "Bank";
    SAVINGS = 1110 Asset Ordinary "BLimBanSpa" "Spaarrekening" / "Savings account";
    CARD = 1120 Asset Ordinary "BLimKruCra" "Creditcard" / "Credit card";
    PROVIDER_CLEARING = 1130 Asset Ordinary "BVorTusTon" "Betaalprovider onderweg" / "Payment provider clearing";
    MONEY_IN_TRANSIT = 1190 Asset Ordinary "BLimKruSto" "Kruisposten" / "Money in transit";
    RECEIVABLES = 1300 Asset Ordinary "BVorDebHad" "Debiteuren" / "Trade receivables";
    BAD_DEBT_PROVISION = 1310 Asset Ordinary "BVorDebVdd" "Voorziening oninbare debiteuren" / "Provision for bad debts";
    WORK_TO_INVOICE = 1320 Asset Ordinary "BVorOvaNtf" "Nog te factureren" / "Work not yet invoiced";
    VAT_BEFORE_INVOICE = 1325 Asset Ordinary "BVorVbkTvo" "Btw vóór factuurdatum" / "VAT due before the invoice date";
    PREPAID_COSTS = 1330 Asset Ordinary "BVorOvaVof" "Vooruitbetaalde kosten" / "Prepaid costs";
    DEPOSITS_PAID = 1340 Asset Ordinary "BVorOvrWbs" "Waarborgsommen" / "Deposits paid";
    INPUT_VAT_HIGH = 1500 Liability InputVat "BSchBepBtwVoo" "Voorbelasting hoog tarief" / "Input VAT at the high rate";
    INPUT_VAT_LOW = 1510 Liability InputVat "BSchBepBtwVoo" "Voorbelasting laag tarief" / "Input VAT at the low rate";
    INPUT_VAT_REVERSE_CHARGED = 1520 Liability InputVat "BSchBepBtwVoo" "Voorbelasting verlegde btw" / "Input VAT on reverse-charged purchases";
    PAYABLES = 1600 Liability Ordinary "BSchCreHac" "Crediteuren" / "Trade payables";
    ACCRUED_COSTS = 1610 Liability Ordinary "BSchOpaNtb" "Nog te betalen kosten" / "Accrued costs";
    RECEIVED_IN_ADVANCE = 1620 Liability Ordinary "BSchVobVob" "Vooruitontvangen" / "Received in advance";
    OWED_TO_CUSTOMERS = 1630 Liability Ordinary "BSchOvsOvs" "Terug te betalen aan klanten" / "Owed to customers";
    SUSPENSE = 1640 Liability Ordinary "BSchTusTov" "Vraagposten" / "Suspense";
    VAT_DUE_HIGH = 1700 Liability VatDue "BSchBepBtwOla" "Af te dragen btw hoog tarief" / "VAT due at the high rate";
    VAT_DUE_LOW = 1710 Liability VatDue "BSchBepBtwOlv" "Af te dragen btw laag tarief" / "VAT due at the low rate";
    VAT_DUE_OTHER = 1720 Liability VatDue "BSchBepBtwOlo" "Af te dragen btw overige tarieven" / "VAT due at other rates";
    VAT_OF_OTHER_COUNTRIES = 1725 Liability Ordinary "BSchBepEob" "Btw andere EU-landen" / "VAT of other EU countries";
    VAT_DUE_PRIVATE_USE = 1730 Liability VatDue "BSchBepBtwOop" "Af te dragen btw privégebruik" / "VAT due on private use";
    VAT_DUE_REVERSE_CHARGED = 1740 Liability VatDue "BSchBepBtwOlw" "Af te dragen btw verlegd" / "VAT due on reverse-charged purchases";
    VAT_DUE_OUTSIDE_EU = 1750 Liability VatDue "BSchBepBtwOlb" "Af te dragen btw inkoop buiten de EU" / "VAT due on purchases from outside the EU";
    VAT_DUE_EU = 1760 Liability VatDue "BSchBepBtwOlu" "Af te dragen btw inkoop binnen de EU" / "VAT due on purchases from the EU";
    VAT_ON_OPEN_INVOICES = 1770 Liability DeferredVat "BSchBepBtwOvm" "Btw op open facturen" / "VAT on open invoices";
    VAT_SETTLEMENT = 1780 Liability VatSettlement "BSchBepBtw" "Te betalen btw" / "VAT payable";
    VAT_CORRECTIONS = 1785 Liability VatCorrection "BSchBepBtwOvm" "Btw-correcties vorige tijdvakken" / "VAT of earlier periods";
    VAT_ASSESSMENTS = 1790 Liability VatAssessment "BSchBepBtwNah" "Naheffing btw" / "VAT assessments";
    HOUSING = 4000 Cost Ordinary "WBedHuiOhv" "Huisvestingskosten" / "Housing";
    OFFICE = 4100 Cost Ordinary "WBedKanOka" "Kantoorkosten" / "Office costs";
    SOFTWARE = 4110 Cost Ordinary "WBedKanSof" "Software" / "Software";
    TELEPHONE = 4120 Cost Ordinary "WBedKanTef" "Telefoon en internet" / "Telephone and internet";
    PRIVATE_USE_TELEPHONE = 4125 Cost Ordinary "WBedKanPrt" "Privégebruik telefoon" / "Private use of telephone";
    SMALL_EQUIPMENT = 4130 Cost Ordinary "WBedKanKak" "Kleine aanschaffingen" / "Small equipment";
    CAR_COSTS = 4200 Cost Ordinary "WBedAutOak" "Autokosten" / "Car costs";
    FUEL = 4201 Cost Ordinary "WBedAutBra" "Brandstof en laden" / "Fuel and charging";
    CAR_MAINTENANCE = 4202 Cost Ordinary "WBedAutRoa" "Onderhoud auto" / "Car maintenance";
    CAR_INSURANCE = 4203 Cost Ordinary "WBedAutAsa" "Autoverzekering" / "Car insurance";
    CAR_TAX = 4204 Cost Ordinary "WBedAutMot" "Motorrijtuigenbelasting" / "Motor vehicle tax";
    CAR_LEASE = 4205 Cost Ordinary "WBedAutOpa" "Leasekosten auto" / "Car lease";
    TRAVEL = 4210 Cost Ordinary "WBedVkkRev" "Reis- en verblijfkosten" / "Travel and lodging";
    MILEAGE = 4220 Cost Ordinary "WBedAutKil" "Kilometervergoeding privéauto" / "Mileage with the private car";
    PRIVATE_USE_CAR = 4230 Cost Ordinary "WBedAutPga" "Privégebruik auto" / "Private use of car";
    VAT_PRIVATE_USE_CAR = 4240 Cost Ordinary "WBedAutBop" "Btw privégebruik auto" / "VAT on private use of car";
    MARKETING = 4300 Cost Ordinary "WBedVkkRea" "Reclame en marketing" / "Marketing";
    REPRESENTATION = 4310 Cost Ordinary "WBedVkkRep" "Representatiekosten" / "Representation";
    MEALS = 4315 Cost Ordinary "WBedVkkRep" "Eten, drinken en congressen" / "Meals and congresses";
    GIFTS = 4316 Cost Ordinary "WBedVkkRel" "Relatiegeschenken" / "Gifts";
    SHIPPING = 4320 Cost Ordinary "WBedVkkVrk" "Verzendkosten" / "Shipping";
    WEBSITE = 4330 Cost Ordinary "WBedVkkWeb" "Websitekosten" / "Website";
    BAD_DEBTS = 4340 Cost Ordinary "WBedVkkAdd" "Afboeking debiteuren" / "Bad debts";
    INSURANCE = 4400 Cost Ordinary "WBedAssOva" "Verzekeringen" / "Insurance";
    ACCOUNTANT = 4410 Cost Ordinary "WBedAeaAea" "Boekhouder en advies" / "Accountant and advice";
    TRAINING = 4420 Cost Ordinary "WBedAlkKzo" "Opleiding" / "Training";
    SUBSCRIPTIONS = 4430 Cost Ordinary "WBedKanCea" "Contributies en vakliteratuur" / "Subscriptions and professional literature";
    FINES = 4440 Cost Ordinary "WBedAdlBev" "Boetes (niet aftrekbaar)" / "Fines (not deductible)";
    VAT_NOT_DEDUCTIBLE = 4450 Cost Ordinary "WBedAdlNbo" "Niet-aftrekbare btw" / "VAT not deductible";
    DEPRECIATION = 4500 Cost Ordinary "WAfsAmvBei" "Afschrijving inventaris en apparatuur" / "Depreciation of equipment";
    CAR_DEPRECIATION = 4510 Cost Ordinary "WAfsAmvTev" "Afschrijving vervoermiddelen" / "Depreciation of vehicles";
    AMORTISATION = 4520 Cost Ordinary "WAfsAivCev" "Afschrijving licenties en rechten" / "Amortisation of licences and rights";
    EQUIPMENT_DISPOSAL = 4530 Cost Ordinary "WAfsRvmBei" "Boekresultaat inventaris" / "Result on disposal of equipment";
    CAR_DISPOSAL = 4540 Cost Ordinary "WAfsRvmTev" "Boekresultaat vervoermiddelen" / "Result on disposal of vehicles";
    INTEREST = 4600 Cost Ordinary "WFbeRlsRef" "Rentelasten" / "Interest";
    BANK_COSTS = 4610 Cost Ordinary "WBedAdlBan" "Bankkosten" / "Bank costs";
    OTHER_COSTS = 4900 Cost Ordinary "WBedAlkOal" "Algemene kosten" / "Other costs";
    EXCHANGE_DIFFERENCES = 4910 Cost Ordinary "WFbeWisWis" "Koersverschillen" / "Exchange differences";
    ROUNDING = 4990 Cost Ordinary "WBedAdlBet" "Afrondings- en betalingsverschillen" / "Rounding and payment differences";
    CASH_DIFFERENCES = 4995 Cost Ordinary "WBedAdlKav" "Kasverschillen" / "Cash differences";
    PURCHASES = 7000 Cost Ordinary "WKprInhInh" "Inkoopwaarde van de omzet" / "Purchases";
    SUBCONTRACTORS = 7100 Cost Ordinary "WKprKuwKuw" "Uitbesteed werk" / "Subcontractors";
    REVENUE_HIGH = 8000 Revenue Ordinary "WOmzNodOdh" "Omzet hoog tarief" / "Revenue at the high rate";
    REVENUE_LOW = 8010 Revenue Ordinary "WOmzNodOdl" "Omzet laag tarief" / "Revenue at the low rate";
    REVENUE_OTHER_RATE = 8020 Revenue Ordinary "WOmzNodOdo" "Omzet overige tarieven" / "Revenue at other rates";
    REVENUE_ZERO = 8030 Revenue Ordinary "WOmzNodOdg" "Omzet nultarief" / "Revenue at the zero rate";
    REVENUE_REVERSE_CHARGED = 8040 Revenue Ordinary "WOmzNodOdg" "Omzet btw verlegd" / "Revenue, VAT reverse-charged";
    REVENUE_EU = 8050 Revenue Ordinary "WOmzNodOdi" "Omzet diensten binnen de EU" / "Revenue of services to the EU";
    REVENUE_EU_GOODS = 8055 Revenue Ordinary "WOmzNohOli" "Omzet goederen binnen de EU" / "Revenue of goods to the EU";
    REVENUE_OSS = 8057 Revenue Ordinary "WOmzNohOla" "Omzet particulieren EU (OSS)" / "Revenue from consumers in the EU (OSS)";
    REVENUE_EXPORT = 8060 Revenue Ordinary "WOmzNohOln" "Omzet uitvoer buiten de EU" / "Revenue of exports outside the EU";
    REVENUE_SERVICES_OUTSIDE_EU = 8065 Revenue Ordinary "WOmzNodNod" "Omzet diensten buiten de EU" / "Revenue of services outside the EU";
    REVENUE_EXEMPT = 8070 Revenue Ordinary "WOmzNodNod" "Omzet vrijgesteld" / "Exempt revenue";
    REVENUE_OUT_OF_SCOPE = 8080 Revenue Ordinary "WOmzNodNod" "Omzet buiten de btw" / "Revenue outside VAT";
    PRIVATE_USE = 8900 Revenue Ordinary "WOmzNodOpd" "Privégebruik" / "Private use";
    OTHER_INCOME = 8910 Revenue Ordinary "WOvbOvoOvo" "Overige opbrengsten" / "Other income";
    INTEREST_RECEIVED = 8920 Revenue Ordinary "WFbeRlmObr" "Rentebaten" / "Interest received";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(CHART.is_sorted_by(|one, next| one.code < next.code));
    }

    #[test]
    fn every_code_is_found_by_number_and_by_text() {
        for entry in CHART {
            assert_eq!(AccountCode::new(entry.code.get()), Some(entry.code));
            assert_eq!(AccountCode::parse(&entry.code.to_string()), Some(entry.code));
            assert_eq!(account(entry.code), Some(entry));
            assert_eq!(AccountCode::restore(entry.code.stored()), Some(entry.code));
        }
    }

    #[test]
    fn other_codes_do_not_exist() {
        assert_eq!(AccountCode::new(0), None);
        assert_eq!(AccountCode::new(9999), None);
        for text in ["", "500", "00500", "9999", "+500", "-500", "05 0", "05O0", "１１００"] {
            assert_eq!(AccountCode::parse(text), None, "{text}");
        }
        assert_eq!(
            AccountCode::parse("0500").map(|code| code.to_string()).as_deref(),
            Some("0500")
        );
    }

    #[test]
    fn every_account_has_a_name_of_its_own_in_both_languages() {
        for entry in CHART {
            assert!(!entry.dutch.is_empty() && !entry.english.is_empty(), "{}", entry.code);
            let same_class =
                CHART.iter().filter(|other| other.class == entry.class && other.code != entry.code);
            for other in same_class {
                assert!(
                    other.dutch != entry.dutch && other.english != entry.english,
                    "{} and {}",
                    entry.code,
                    other.code
                );
            }
        }
    }

    #[test]
    fn the_first_digit_tells_the_class() {
        for entry in CHART {
            let classes: &[Class] = match entry.code.get() / 1000 {
                // Loans are numbered next to the owner's equity, so this group also contains
                // liabilities.
                0 => &[Class::Asset, Class::Equity, Class::Liability],
                1 => &[Class::Asset, Class::Liability],
                4 | 7 => &[Class::Cost],
                8 => &[Class::Revenue],
                _ => &[],
            };
            assert!(classes.contains(&entry.class), "{}", entry.code);
        }
    }

    #[test]
    fn the_rgs_code_tells_the_class() {
        let classes = [
            ("BIva", Class::Asset),
            ("BMva", Class::Asset),
            ("BVor", Class::Asset),
            ("BLim", Class::Asset),
            ("BEiv", Class::Equity),
            ("BSch", Class::Liability),
            ("BLas", Class::Liability),
            ("WOmz", Class::Revenue),
            ("WOvb", Class::Revenue),
            ("WFbeRlm", Class::Revenue),
            ("WKpr", Class::Cost),
            ("WAfs", Class::Cost),
            ("WBed", Class::Cost),
            ("WFbeRls", Class::Cost),
            ("WFbeWis", Class::Cost),
        ];
        for entry in CHART {
            let (_, class) = classes
                .iter()
                .find(|(prefix, _)| entry.rgs.starts_with(prefix))
                .expect("a known branch of RGS");
            assert_eq!(entry.class, *class, "{}", entry.code);
        }
    }

    #[test]
    fn vat_accounts_are_liabilities_under_vat_payable() {
        for entry in CHART {
            let is_vat = entry.role != Role::Ordinary;
            assert_eq!(is_vat, entry.rgs.starts_with("BSchBepBtw"), "{}", entry.code);
            assert_eq!(
                entry.role == Role::InputVat,
                entry.rgs == "BSchBepBtwVoo",
                "{}",
                entry.code
            );
            assert!(!is_vat || entry.class == Class::Liability, "{}", entry.code);
        }
        let of = |role| {
            CHART
                .iter()
                .filter(|entry| entry.role == role)
                .map(|entry| entry.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Role::VatSettlement), [codes::VAT_SETTLEMENT]);
        assert_eq!(of(Role::VatCorrection), [codes::VAT_CORRECTIONS]);
        assert_eq!(of(Role::VatAssessment), [codes::VAT_ASSESSMENTS]);
        assert_eq!(of(Role::DeferredVat), [codes::VAT_ON_OPEN_INVOICES]);
    }
}
