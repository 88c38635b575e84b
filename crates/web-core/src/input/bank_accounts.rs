//! Input for bank accounts, and for the money that a command names: a method, or the code of a bank
//! account.

use super::{
    Choice, EXTERNAL_ID, EXTERNAL_ID_MEANING, Fields, Flag, OneOf, Parsed, Raw, Reader, SingleLine,
    names_of, validated,
};
use ledger::{
    bank_account::{BankAccountKind, MOST_IDENTIFIERS},
    booking::MoneyAccount,
    chart::AccountCode,
    identifiers::{Bic, Iban},
};
use serde_json::{Value, json};
use service::{
    Reason,
    bank_accounts::{EditBankAccount, NewBankAccount},
};

/// Money of the business or the owner: a method, which is on the default bank account of its kind,
/// or the code of a bank account. The command finds the bank account.
pub(super) struct Money(pub &'static [MoneyAccount]);

impl Reader for Money {
    type Value = MoneyAccount;

    fn read(&self, raw: &Raw) -> Result<MoneyAccount, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotAText) };
        match AccountCode::digits(text.trim()) {
            Some(number) => MoneyAccount::named(number).ok_or(Reason::UnknownBankAccount),
            None => OneOf(self.0).read(raw),
        }
    }

    fn schema(&self) -> Value {
        let mut values: Vec<String> = names_of(self.0).into_iter().map(str::to_owned).collect();
        values.extend(codes());
        json!({ "type": "string", "enum": values })
    }
}

/// All codes that bank accounts can have, as texts.
pub(super) fn codes() -> impl Iterator<Item = String> {
    (1000..1140).filter_map(AccountCode::of_bank).map(|code| code.to_string())
}

/// Maximum number of characters of a bank account's name.
const LONGEST_NAME: usize = 60;
/// Numbers of characters that an identifier can have.
const IDENTIFIER: (usize, usize) = (4, 34);
const STATUSES: &[(&str, bool)] = &[("active", false), ("archived", true)];

/// Names of a bank account in files of banks: a list of texts, or on a page a text with commas.
struct Identifiers;

impl Reader for Identifiers {
    type Value = Vec<String>;

    fn read(&self, raw: &Raw) -> Result<Vec<String>, Reason> {
        let texts: Vec<String> = match raw {
            Raw::Array(items) => {
                let one = |item| SingleLine(100).read(item);
                items.iter().map(one).collect::<Result<_, _>>()?
            }
            Raw::Typed(text, _) => text.split(',').map(str::to_owned).collect(),
            _ => return Err(Reason::NotAList),
        };
        let compact = |text: &String| text.split_whitespace().collect::<String>();
        let mut identifiers: Vec<String> = Vec::new();
        for text in texts.iter().map(compact).filter(|text| !text.is_empty()) {
            let (least, most) = IDENTIFIER;
            if !(least..=most).contains(&text.chars().count()) {
                return Err(Reason::IdentifierLength { least, most });
            }
            if !identifiers.contains(&text) {
                identifiers.push(text);
            }
        }
        if identifiers.len() > MOST_IDENTIFIERS {
            return Err(Reason::TooMany { most: MOST_IDENTIFIERS, given: identifiers.len() });
        }
        Ok(identifiers)
    }

    fn schema(&self) -> Value {
        let (least, most) = IDENTIFIER;
        json!({
            "type": "array",
            "maxItems": MOST_IDENTIFIERS,
            "items": { "type": "string", "minLength": least, "maxLength": most },
        })
    }
}

const NAME: &str = "Name, which no other active bank account has.";
const IBAN: &str = "IBAN. Cash has none, and no two bank accounts have the same.";
const IDENTIFIERS: &str = "Other names of the account in files of the bank, such as the old account number or the last \
                           four digits of a card. The account number of an IBAN need not be listed.";
const IS_DEFAULT: &str = "Whether payments use the account if they name a method but no account. Each kind has one \
                          default; it changes by setting another one.";

/// Reads the fields of a new bank account.
pub fn new_bank_account(fields: &mut Fields<'_, '_>) -> Parsed<NewBankAccount> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let name = fields.required("name", NAME, SingleLine(LONGEST_NAME));
    let kind = fields.required("kind", "Kind, which never changes.", OneOf(BankAccountKind::ALL));
    let iban = fields.optional("iban", IBAN, iban());
    let identifiers = fields.optional("identifiers", IDENTIFIERS, Identifiers).unwrap_or_default();
    let is_default = fields.optional("isDefault", IS_DEFAULT, Flag).unwrap_or(false);
    let command = name.zip(kind).map(|(name, kind)| NewBankAccount {
        external_id: external_id.clone(),
        name,
        kind,
        iban,
        identifiers,
        is_default,
    });
    Parsed::new(external_id, command)
}

/// Reads the fields for editing a bank account; absent fields stay unchanged.
pub fn edited_bank_account(fields: &mut Fields<'_, '_>) -> Parsed<EditBankAccount> {
    let removes_identifiers = fields.is_null("identifiers");
    let identifiers = fields.optional("identifiers", IDENTIFIERS, Identifiers);
    let meaning = "An archived account is not offered for new bookings. It needs a balance of 0.00, and the default of a \
                   kind cannot be archived.";
    let command = EditBankAccount {
        external_id: fields.removable("externalId", "Your own identifier.", EXTERNAL_ID),
        name: fields.changeable("name", NAME, SingleLine(LONGEST_NAME)),
        iban: fields.removable("iban", IBAN, iban()),
        identifiers: identifiers.or(removes_identifiers.then(Vec::new)),
        is_default: fields.optional("isDefault", IS_DEFAULT, Flag),
        archived: fields.optional("status", meaning, Choice(STATUSES)),
    };
    Parsed::new(None, Some(command))
}

pub(super) fn iban() -> impl Reader<Value = Iban> {
    validated(
        SingleLine(50),
        || json!({ "examples": ["NL91ABNA0417164300"] }),
        |text| Ok(Iban::parse(&text)?),
    )
}

pub(super) fn bic() -> impl Reader<Value = Bic> {
    validated(
        SingleLine(20),
        || json!({ "pattern": "^ *([A-Za-z] *){6}([A-Za-z0-9] *){2}(([A-Za-z0-9] *){3})?$", "examples": ["ABNANL2A"] }),
        |text| Ok(Bic::parse(&text)?),
    )
}
