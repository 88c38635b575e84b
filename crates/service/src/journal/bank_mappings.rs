//! Mappings: how to read CSV files of banks that are not known. A file whose first row is that of a
//! mapping is read with it.

use crate::{Context, Error, Fault, Reason, context};
use bank_files::Mapping;
use store::{Tx, bank_mappings as rows, books::IdSequence};

pub use store::bank_mappings::BankMapping;

/// Maximum number of mappings.
pub const MOST_MAPPINGS: usize = 50;

/// Input for a new mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMapping {
    /// Name.
    pub name: String,
    /// Bank account of files that name none.
    pub bank_account_id: Option<i64>,
    /// Columns and notation.
    pub mapping: Mapping,
}

/// Mappings of an account, with which its files are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mappings {
    stored: Vec<BankMapping>,
    /// Columns and notation of each stored mapping.
    pub(crate) read: Vec<Mapping>,
    /// Index of the mapping that the caller chose.
    pub(crate) chosen: Option<usize>,
}

impl Mappings {
    /// Returns the mapping with this index.
    pub(crate) fn get(&self, index: usize) -> Option<&BankMapping> {
        self.stored.get(index)
    }

    /// All mappings, the latest first.
    #[must_use]
    pub fn all(&self) -> &[BankMapping] {
        &self.stored
    }
}

/// Creates a mapping.
///
/// # Errors
/// The account is not Dutch, or has 50 mappings; or the bank account is unknown.
pub fn create(tx: &mut Tx<'_>, cx: &Context, command: &NewMapping) -> Result<BankMapping, Error> {
    cx.actor.require_dutch()?;
    context::transact(tx, cx, |tx, books, cx| {
        let account = cx.actor.account;
        if rows::all(tx, account)?.len() >= MOST_MAPPINGS {
            return Err(Error::fault("", Reason::TooManyMappings { most: MOST_MAPPINGS }));
        }
        let banks = cx.actor.own_accounts.banks();
        if command.bank_account_id.is_some_and(|id| banks.by_id(id).is_none()) {
            return Err(Error::fault("/bankAccountId", Reason::UnknownBankAccount));
        }
        let mapping = BankMapping {
            id: books.next_id(IdSequence::BankMapping),
            name: command.name.clone(),
            bank_account_id: command.bank_account_id,
            head: command.mapping.head.as_deref().map(str::to_owned),
            notation: command.mapping.to_text(),
            created_at: cx.now(),
            updated_at: cx.now(),
        };
        rows::insert(tx, account, &mapping)?;
        Ok(mapping)
    })
}

/// Lists the mappings, the latest first.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<BankMapping>, Error> {
    cx.actor.require_dutch()?;
    Ok(rows::all(tx, cx.actor.account)?)
}

/// Deletes a mapping. The lines that were read with it stay.
///
/// # Errors
/// The account is not Dutch, or has no such mapping.
pub fn delete(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    cx.actor.require_dutch()?;
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        rows::by_id(tx, account, id)?.ok_or(Error::NotFound("bank mapping"))?;
        Ok(rows::delete(tx, account, id)?)
    })
}

/// Returns the mappings with which files are read. With `chosen`, all CSV files are read with that
/// mapping.
///
/// # Errors
/// The account is not Dutch, or has no mapping `chosen`.
pub fn for_reading(tx: &mut Tx<'_>, cx: &Context, chosen: Option<i64>) -> Result<Mappings, Error> {
    let stored = list(tx, cx)?;
    let chosen = match chosen {
        Some(id) => {
            let place = stored.iter().position(|mapping| mapping.id == id);
            let unknown = || Fault::new("/mappingId", Reason::UnknownMapping);
            Some(place.ok_or_else(unknown)?)
        }
        None => None,
    };
    let read = stored.iter().map(mapping).collect::<Result<_, _>>()?;
    Ok(Mappings { stored, read, chosen })
}

/// Returns the columns and the notation of a stored mapping.
fn mapping(stored: &BankMapping) -> Result<Mapping, Error> {
    let unreadable = || Error::Internal(format!("mapping {} is unreadable", stored.id));
    let mapping = Mapping::parse(&stored.notation).ok_or_else(unreadable)?;
    Ok(Mapping { head: stored.head.as_deref().map(Into::into), ..mapping })
}
