//! Checks the format and check digits of VAT numbers, KvK numbers and IBANs. No register is
//! queried.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Node, Outcome, Output, OutputKind, Run,
        optional_output, output, required,
    },
    fault::Fault,
    value::Value,
    words::Words,
};
use ledger::identifiers::{Iban, IbanError, KvkNumber, VatNumber, VatNumberError};
use std::borrow::Cow;

/// Maximum length of the input in characters, including blanks, dots and dashes.
const LONGEST: usize = 64;

const fn inputs(label: Words, example: &'static str) -> [Input; 1] {
    let hint =
        Words::new("Spaties, punten en streepjes mogen.", "Blanks, dots and dashes are allowed.");
    [required("value", InputKind::Text { longest: LONGEST }, label, hint, example)]
}

static VAT_NUMBER_INPUTS: &[Input] =
    &inputs(Words::new("Btw-identificatienummer", "VAT number"), "NL002455799B11");
static KVK_NUMBER_INPUTS: &[Input] = &inputs(Words::new("KvK-nummer", "KvK number"), "68750110");
static IBAN_INPUTS: &[Input] = &inputs(Words::new("IBAN", "IBAN"), "NL91ABNA0417164300");

static OUTPUTS: &[Output] = &[
    output("valid", OutputKind::Boolean, Words::new("Klopt", "Valid")),
    optional_output("country", OutputKind::Text, Words::new("Land", "Country")),
    optional_output("normalised", OutputKind::Text, Words::new("Zo geschreven", "Written as")),
    output("reason", OutputKind::Words, Words::new("Waarom", "Why")),
];

/// The calculator that checks VAT numbers.
pub static VAT_NUMBER: Calculator = Calculator {
    id: "vat-number",
    title: Words::new("Btw-id controleren", "Check a VAT ID"),
    description: Words::new(
        "Controleert of een btw-id (btw-identificatienummer) van een EU-land of Noord-Ierland de goede vorm heeft, en van een Nederlands btw-id ook de controlecijfers. Of het nummer is uitgegeven, weet alleen VIES, het register van de Europese Commissie; dat wordt niet gevraagd.",
        "Checks whether a VAT ID of an EU country or Northern Ireland has the right form, and of a Dutch one the check digits too. Whether it was given out only VIES knows, the register of the European Commission; it is not asked.",
    ),
    inputs: VAT_NUMBER_INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(vat_number),
};

/// The calculator that checks KvK numbers.
pub static KVK_NUMBER: Calculator = Calculator {
    id: "kvk-number",
    title: Words::new("KvK-nummer controleren", "Check a KvK number"),
    description: Words::new(
        "Controleert of een KvK-nummer acht cijfers heeft. Controlecijfers heeft het niet, en het Handelsregister wordt niet gevraagd.",
        "Checks whether a number of the Dutch Business Register has eight digits. It has no check digits, and the register is not asked.",
    ),
    inputs: KVK_NUMBER_INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(kvk_number),
};

/// The calculator that checks IBANs.
pub static IBAN: Calculator = Calculator {
    id: "iban",
    title: Words::new("IBAN controleren", "Check an IBAN"),
    description: Words::new(
        "Controleert vorm, lengte en controlecijfers van een IBAN. Of de bankrekening bestaat en van wie die is, weet alleen de bank; die wordt niet gevraagd.",
        "Checks form, length and check digits of an IBAN. Whether the bank account exists and whose it is only the bank knows; it is not asked.",
    ),
    inputs: IBAN_INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(iban),
};

fn vat_number(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let unasked = Words::new(
        "Vorm en controlecijfers kloppen; of het nummer is uitgegeven, is niet nagevraagd.",
        "Form and check digits are right; whether it was given out was not asked.",
    );
    let form_only = Words::new(
        "De vorm klopt; of het nummer is uitgegeven, is niet nagevraagd.",
        "The form is right; whether it was given out was not asked.",
    );
    Ok(match VatNumber::parse(arguments.text("value")) {
        Ok(number) => {
            let reason = if number.as_str().starts_with("NL") { unasked } else { form_only };
            found(Some(number.country().as_str()), number.as_str(), reason)
        }
        Err(VatNumberError::UnknownPrefix) => wrong(Words::new(
            "Het begint niet met de landcode van een EU-land, zoals NL of DE (Griekenland is EL, Noord-Ierland XI).",
            "It does not begin with the prefix of an EU country, such as NL or DE (Greece is EL, Northern Ireland XI).",
        )),
        Err(VatNumberError::WrongForm) => wrong(Words::new(
            "Het heeft niet de vorm van zijn land; een Nederlands nummer is NL, negen cijfers, B en twee cijfers.",
            "It does not have the form of its country; a Dutch one is NL, nine digits, B and two digits.",
        )),
        Err(VatNumberError::WrongCheckDigits) => wrong(Words::new(
            "De controlecijfers kloppen niet: kijk het na op een tikfout.",
            "The check digits do not fit: look for a typing error.",
        )),
    })
}

fn kvk_number(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    Ok(match KvkNumber::parse(arguments.text("value")) {
        Ok(number) => {
            let reason = Words::new(
                "De vorm klopt; het Handelsregister is niet gevraagd.",
                "The form is right; the Business Register was not asked.",
            );
            found(Some("NL"), number.as_str(), reason)
        }
        Err(_) => wrong(Words::new(
            "Een KvK-nummer heeft acht cijfers; de twaalf cijfers van een vestiging zijn een ander nummer.",
            "A KvK number has eight digits; the twelve digits of a branch (vestigingsnummer) are another number.",
        )),
    })
}

fn iban(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    Ok(match Iban::parse(arguments.text("value")) {
        Ok(iban) => {
            let reason = Words::new(
                "Vorm, lengte en controlecijfers kloppen; de bank is niet gevraagd.",
                "Form, length and check digits are right; the bank was not asked.",
            );
            found(iban.as_str().get(..2), iban.as_str(), reason)
        }
        Err(IbanError::WrongForm) => wrong(Words::new(
            "Een IBAN is twee letters, twee cijfers en daarna letters en cijfers, zoals NL91 ABNA 0417 1643 00.",
            "An IBAN is two letters, two digits, and then letters and digits, such as NL91 ABNA 0417 1643 00.",
        )),
        Err(IbanError::UnknownCountry) => wrong(Words::new(
            "De eerste twee letters zijn niet van een land met IBAN's.",
            "The first two letters are not those of a country with IBANs.",
        )),
        Err(IbanError::WrongLength { expected }) => wrong(Words::owned(
            format!("Een IBAN van dit land heeft {expected} tekens."),
            format!("An IBAN of this country has {expected} characters."),
        )),
        Err(IbanError::WrongCheckDigits) => wrong(Words::new(
            "De controlecijfers kloppen niet: kijk hem na op een tikfout.",
            "The check digits do not fit: look for a typing error.",
        )),
    })
}

fn found(country: Option<&str>, normalised: &str, reason: Words) -> Outcome {
    let text = |text: &str| Value::Text(Cow::Owned(text.to_owned()));
    outcome(true, country.map(text), Some(text(normalised)), reason)
}

fn wrong(reason: Words) -> Outcome {
    outcome(false, None, None, reason)
}

fn outcome(
    valid: bool,
    country: Option<Value>,
    normalised: Option<Value>,
    reason: Words,
) -> Outcome {
    let fields = vec![
        ("valid", Value::Boolean(valid).into()),
        ("country", Node::Value(country)),
        ("normalised", Node::Value(normalised)),
        ("reason", Value::Words(reason).into()),
    ];
    Outcome { fields, steps: Vec::new() }
}
