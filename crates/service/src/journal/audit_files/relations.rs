//! Customers and suppliers in an audit file, with their balances on accounts 1300, 1600 and 1630.

use crate::Error;
use documents::{
    invoice::Address,
    xaf::{Balance, Relation, RelationRole},
};
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, codes},
    country::CountryCode,
    entry::SourceType,
    identifiers::{KvkNumber, VatNumber},
    money::Cents,
};
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};
use store::{
    Tx, contacts,
    journal::{StoredEntry, audit},
};

/// Accounts whose lines refer to a customer or supplier.
const SUBLEDGERS: [AccountCode; 3] =
    [codes::RECEIVABLES, codes::PAYABLES, codes::OWED_TO_CUSTOMERS];
/// Supplier name for bills that do not name a supplier.
const NAMELESS: &str = "Leverancier onbekend";

/// A customer or supplier: a contact, or a supplier of whom only the name is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Party {
    Contact(i64),
    Supplier(String),
}

impl Party {
    fn of_bill(contact: Option<i64>, supplier: Option<String>) -> Self {
        contact.map_or_else(|| Self::Supplier(supplier.unwrap_or_default()), Self::Contact)
    }

    /// Returns the identifier of the customer or supplier, which is the same in all audit files. A
    /// name is hashed, because it can be longer than the 35 characters that the format allows.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Contact(id) => id.to_string(),
            Self::Supplier(name) => {
                let mut id = "L-".to_owned();
                for byte in &Sha256::digest(name.as_bytes())[..8] {
                    let _ = write!(id, "{byte:02x}");
                }
                id
            }
        }
    }
}

/// Opening balances by party and account.
pub(super) type Balances = BTreeMap<(Party, AccountCode), Cents>;

pub(super) fn has_subledger(account: AccountCode) -> bool {
    SUBLEDGERS.contains(&account)
}

/// Returns the customer or supplier of each entry, by the id of its source document. The source
/// documents are all of the given kind.
pub(super) fn of_entries(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    entries: &[StoredEntry],
) -> Result<HashMap<i64, Party>, Error> {
    let ids: Vec<i64> = entries.iter().map(|stored| stored.entry.source().id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let customers = match kind {
        SourceType::Invoice | SourceType::CreditNote => audit::customers(tx, account, &ids)?,
        SourceType::Payment | SourceType::Refund => audit::payers(tx, account, &ids)?,
        SourceType::WriteOff => audit::debtors(tx, account, &ids)?,
        SourceType::Expense => {
            let suppliers = audit::suppliers(tx, account, &ids)?;
            return Ok(suppliers
                .into_iter()
                .map(|(id, contact, name)| (id, Party::of_bill(contact, name)))
                .collect());
        }
        _ => Vec::new(),
    };
    Ok(customers.into_iter().map(|(id, contact)| (id, Party::Contact(contact))).collect())
}

/// Returns all customers and suppliers that have entries up to the last of `days`. `began_with`
/// contains the opening balances of the books if they are dated within `days`; otherwise it is
/// empty.
pub(super) fn all(
    tx: &mut Tx<'_>,
    account: i64,
    days: (Date, Date),
    began_with: &Balances,
) -> Result<Vec<Relation>, Error> {
    let codes = SUBLEDGERS.map(|code| i64::from(code.get()));
    let mut balances: BTreeMap<Party, Vec<(AccountCode, Cents, Cents)>> = BTreeMap::new();
    for owed in audit::owed(tx, account, &codes, days.0, days.1)? {
        let party = Party::of_bill(owed.contact, owed.supplier);
        let began = began_with.get(&(party.clone(), owed.account)).copied().unwrap_or_default();
        balances.entry(party).or_default().push((owed.account, owed.opening + began, owed.closing));
    }
    balances.into_iter().map(|(party, balances)| relation(tx, account, party, balances)).collect()
}

fn relation(
    tx: &mut Tx<'_>,
    account: i64,
    party: Party,
    balances: Vec<(AccountCode, Cents, Cents)>,
) -> Result<Relation, Error> {
    let buys = balances.iter().any(|(account, ..)| *account != codes::PAYABLES);
    let supplies = balances.iter().any(|(account, ..)| *account == codes::PAYABLES);
    let role = match (buys, supplies) {
        (true, true) => RelationRole::Both,
        (false, true) => RelationRole::Supplier,
        (_, false) => RelationRole::Customer,
    };
    let balance = |(account, opening, closing): (AccountCode, _, _)| Balance {
        account: account.to_string(),
        opening,
        closing,
    };
    let named = Relation {
        id: party.id(),
        name: NAMELESS.to_owned(),
        role,
        address: Address { street: None, postal_code: None, city: None, country: CountryCode::NL },
        email: None,
        kvk_number: None,
        vat_number: None,
        balances: balances.into_iter().map(balance).collect(),
    };
    let contact = match &party {
        Party::Contact(id) => contacts::by_id(tx, account, *id)?,
        Party::Supplier(name) if name.is_empty() => return Ok(named),
        Party::Supplier(name) => return Ok(Relation { name: name.clone(), ..named }),
    };
    let Some(contact) = contact else { return Ok(named) };
    let details = contact.party;
    Ok(Relation {
        name: details.name,
        address: Address {
            street: details.street,
            postal_code: details.postal_code,
            city: details.city,
            country: details.country,
        },
        email: details.email,
        kvk_number: details.kvk_number.as_deref().and_then(|text| KvkNumber::parse(text).ok()),
        vat_number: details
            .vat_number
            .as_deref()
            .and_then(|text| VatNumber::of_customer(text).ok()),
        ..named
    })
}
