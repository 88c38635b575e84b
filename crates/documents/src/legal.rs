//! Sentences that the law requires on an invoice, in both languages. They are fixed and cannot be
//! edited.
//!
//! English invoices add the Dutch words that the law prescribes, in brackets (art. 35a(1)(m) Wet OB
//! 1968: «btw verlegd»).

use crate::invoice::VatTreatment;
use ledger::{identifiers::VatNumber, language::Language};

/// Returns the sentence for a treatment, if the document must have one. It ends with the buyer's
/// VAT number if that is required (art. 35a(1)(d)).
///
/// ```
/// use documents::{invoice::VatTreatment, legal};
/// use ledger::{identifiers::VatNumber, language::Language};
///
/// let buyer = VatNumber::parse("DE123456789")?;
/// let sentence = legal::sentence(VatTreatment::EuService, Language::Dutch, Some(&buyer));
/// assert_eq!(sentence.as_deref(), Some("Btw verlegd. Btw-id klant: DE123456789"));
/// assert_eq!(legal::sentence(VatTreatment::Standard, Language::Dutch, None), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sentence(
    treatment: VatTreatment,
    language: Language,
    buyer: Option<&VatNumber>,
) -> Option<String> {
    let text = text(treatment, language)?;
    let Some(number) = buyer.filter(|_| names_the_buyer(treatment)) else {
        return Some(text.to_owned());
    };
    Some(match language {
        Language::Dutch => format!("{text}. Btw-id klant: {number}"),
        Language::English => format!("{text}. Customer’s VAT ID: {number}"),
    })
}

/// Whether the law requires the buyer's VAT number on the document (art. 35a(1)(d) Wet OB 1968).
#[must_use]
pub const fn names_the_buyer(treatment: VatTreatment) -> bool {
    use VatTreatment::{EuGoods, EuService, ReverseCharge, Triangular};
    matches!(treatment, ReverseCharge | EuService | EuGoods | Triangular)
}

const fn text(treatment: VatTreatment, language: Language) -> Option<&'static str> {
    Some(match (treatment, language) {
        (
            VatTreatment::Standard
            | VatTreatment::Zero
            | VatTreatment::OutOfScope
            | VatTreatment::Foreign(_),
            _,
        ) => return None,
        (VatTreatment::ReverseCharge | VatTreatment::EuService, Language::Dutch) => "Btw verlegd",
        (VatTreatment::ReverseCharge, Language::English) => "VAT reverse charge (btw verlegd)",
        (VatTreatment::EuService, Language::English) => {
            "Reverse charge (btw verlegd), Article 196 Directive 2006/112/EC"
        }
        (VatTreatment::EuGoods, Language::Dutch) => {
            "Intracommunautaire levering, 0% btw (tabel II, a.6, Wet OB 1968)"
        }
        (VatTreatment::EuGoods, Language::English) => {
            "Intra-Community supply, 0% VAT (Article 138 Directive 2006/112/EC)"
        }
        (VatTreatment::Triangular, Language::Dutch) => "Btw verlegd. Vereenvoudigde ABC-levering",
        (VatTreatment::Triangular, Language::English) => {
            "Reverse charge (btw verlegd). Simplified triangular transaction (Article 141 Directive 2006/112/EC)"
        }
        (VatTreatment::Export, Language::Dutch) => {
            "Uitvoer uit de EU, 0% btw (tabel II, a.2, Wet OB 1968)"
        }
        (VatTreatment::Export, Language::English) => {
            "Export from the EU, 0% VAT (Article 146 Directive 2006/112/EC)"
        }
        (VatTreatment::ServiceOutsideEu, Language::Dutch) => {
            "Geen Nederlandse btw: dienst buiten de EU (artikel 6 Wet OB 1968)"
        }
        (VatTreatment::ServiceOutsideEu, Language::English) => {
            "No Dutch VAT: service supplied outside the EU (Article 44 Directive 2006/112/EC)"
        }
        (VatTreatment::Exempt, Language::Dutch) => "Vrijgesteld van btw (artikel 11 Wet OB 1968)",
        (VatTreatment::Exempt, Language::English) => {
            "Exempt from VAT (Article 11 Dutch VAT Act 1968)"
        }
        // Art. 25a(4): invoices under the scheme do not mention VAT.
        (VatTreatment::SmallBusiness, Language::Dutch) => {
            "Vrijgesteld: kleineondernemersregeling (artikel 25a)"
        }
        (VatTreatment::SmallBusiness, Language::English) => {
            "Exempt under the Dutch small businesses scheme (Article 25a)"
        }
        (VatTreatment::ExemptUnderKor, Language::Dutch) => "Vrijgesteld (artikel 11)",
        (VatTreatment::ExemptUnderKor, Language::English) => "Exempt (Article 11)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_charge_has_the_words_of_the_law_in_both_languages() {
        let number = VatNumber::parse("DE123456789").unwrap();
        for treatment in
            [VatTreatment::ReverseCharge, VatTreatment::EuService, VatTreatment::Triangular]
        {
            for language in [Language::Dutch, Language::English] {
                let sentence = sentence(treatment, language, Some(&number)).unwrap();
                assert!(
                    sentence.to_lowercase().contains("btw verlegd")
                        && sentence.ends_with("DE123456789"),
                    "{sentence}"
                );
            }
        }
        // Goods to another member state are not reverse-charged by the seller: the buyer makes an
        // acquisition.
        let goods = sentence(VatTreatment::EuGoods, Language::Dutch, Some(&number)).unwrap();
        assert!(
            !goods.contains("verlegd") && goods.ends_with("Btw-id klant: DE123456789"),
            "{goods}"
        );
    }

    #[test]
    fn the_small_businesses_scheme_does_not_mention_vat() {
        for treatment in [VatTreatment::SmallBusiness, VatTreatment::ExemptUnderKor] {
            for language in [Language::Dutch, Language::English] {
                let sentence = sentence(treatment, language, None).unwrap();
                for word in ["btw", "Btw", "VAT", "OB", "0%"] {
                    assert!(!sentence.contains(word), "{sentence}");
                }
            }
        }
    }

    #[test]
    fn every_treatment_without_vat_explains_itself() {
        use VatTreatment::{Foreign, OutOfScope, Standard, Zero};
        for treatment in VatTreatment::ALL {
            let silent = matches!(treatment, Standard | Zero | OutOfScope | Foreign(_));
            for language in [Language::Dutch, Language::English] {
                assert_eq!(sentence(treatment, language, None).is_none(), silent, "{treatment:?}");
            }
        }
    }
}
