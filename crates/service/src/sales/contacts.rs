//! Contacts: creation, queries, and identification of the customer of an invoice.

use crate::{Context, Created, Error, Fault, Reason, context};
use ::tax::eu_rates;
use jiff::{Timestamp, civil::Date};
use ledger::{country::CountryCode, customer::CustomerKind, identifiers::PostalCode, vat::VatRate};
use store::{
    Tx,
    books::{Books, IdSequence},
    contacts::{self, Contact, ContactFilter, PartialParty, Party, PayeeAccount},
};

/// Customer details of an invoice. The contact supplies missing fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomerInput {
    /// Id of a contact in this account. If given, the other fields do not identify the contact.
    pub contact_id: Option<i64>,
    /// Fields that take precedence over the fields of the contact. The name is required unless the
    /// external id identifies a contact; the country defaults to the Netherlands.
    pub party: PartialParty,
}

impl CustomerInput {
    /// Returns a customer with a name only.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            contact_id: None,
            party: PartialParty { name: Some(name.into()), ..PartialParty::default() },
        }
    }

    /// Returns a customer that is the contact with this id.
    #[must_use]
    pub fn contact(id: i64) -> Self {
        Self { contact_id: Some(id), party: PartialParty::default() }
    }

    /// Returns the caller's own identifier of the customer.
    #[must_use]
    pub fn external_id(&self) -> Option<&String> {
        self.party.external_id.as_ref()?.as_ref()
    }
}

/// Whether a customer is a business: it is stated to be one, or has a Business Register or VAT
/// number. All others are treated as consumers.
#[must_use]
pub fn is_business(customer: &Party) -> bool {
    customer.known_kind() == Some(CustomerKind::Business)
}

/// Customer of an invoice: the contact, if there is one, and the copy that the invoice stores.
#[derive(Debug, Clone)]
pub(crate) struct Customer {
    pub(crate) contact_id: Option<i64>,
    pub(crate) party: Party,
}

/// Identifies the contact of a customer: by id or external id, otherwise by exact name and country
/// among the contacts without an external id. Fields of the invoice take precedence over fields of
/// the contact.
pub(crate) fn identify(
    tx: &mut Tx<'_>,
    account: i64,
    input: &CustomerInput,
) -> Result<Customer, Error> {
    let contact = match (input.contact_id, input.external_id(), &input.party.name) {
        (Some(id), ..) => {
            let contact = contacts::by_id(tx, account, id)?;
            Some(
                contact
                    .ok_or_else(|| Error::fault("/customer/contactId", Reason::UnknownContact))?,
            )
        }
        (None, Some(external_id), _) => contacts::by_external_id(tx, account, external_id)?,
        (None, None, Some(name)) => {
            contacts::by_name(tx, account, name, input.party.country.unwrap_or(CountryCode::NL))?
        }
        (None, None, None) => None,
    };
    let contact = match contact {
        Some(Contact { merged_into: Some(into), .. }) => contacts::by_id(tx, account, into)?,
        contact => contact,
    };
    let (contact_id, base) = match contact {
        Some(Contact { id, party, .. }) => (Some(id), Some(party)),
        None => (None, input.party.name.clone().map(Party::named)),
    };
    let Some(base) = base else { return Err(Error::Invalid(vec![name_missing(input)])) };
    let party = tidied(input.party.applied_to(base));
    match kind_fault(&party, "/customer") {
        Some(fault) => Err(Error::Invalid(vec![fault])),
        None => Ok(Customer { contact_id, party }),
    }
}

/// Returns a fault if a consumer has a VAT number. `at` is the path of the party.
fn kind_fault(party: &Party, at: &str) -> Option<Fault> {
    let is_consumer = party.known_kind() == Some(CustomerKind::Consumer);
    (is_consumer && party.vat_number.is_some())
        .then(|| Fault::new(format!("{at}/kind"), Reason::ConsumerWithVatNumber))
}

/// Rejects a consumer with a VAT number, and a usual rate that no law knows on a day.
pub(super) fn validate(party: &Party, on: Date) -> Result<(), Error> {
    let rate = party.vat_default().map(|usual| usual.rate);
    let unknown = rate.filter(|rate| !eu_rates::is_known(*rate, on)).and_then(|rate| {
        let unknown = VatRate::from_percent(&rate.percent(), on).err()?;
        Some(Fault::new("/vatDefault/vatRate", unknown.into()))
    });
    let faults: Vec<Fault> = kind_fault(party, "").into_iter().chain(unknown).collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Normalises a Dutch postal code to `1234 AB`. Invalid codes stay unchanged.
pub(super) fn tidied(mut party: Party) -> Party {
    let code = party.postal_code.as_deref().filter(|_| party.country == CountryCode::NL);
    if let Some(code) = code.and_then(|code| PostalCode::parse(code).ok()) {
        party.postal_code = Some(code.to_string());
    }
    party
}

/// Returns a fault if the customer has no name and is not an existing contact. Used by interfaces
/// that collect all faults before rejecting a request.
///
/// # Errors
/// The storage failed.
pub fn customer_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    input: &CustomerInput,
) -> Result<Option<Fault>, Error> {
    match identify(tx, cx.actor.account, input) {
        Ok(_) => Ok(None),
        Err(Error::Invalid(faults)) => Ok(faults.into_iter().next()),
        Err(other) => Err(other),
    }
}

fn name_missing(input: &CustomerInput) -> Fault {
    let reason = match input.external_id() {
        Some(external_id) => Reason::CustomerUnknown { external_id: external_id.clone() },
        None => Reason::CustomerNameRequired,
    };
    Fault::new("/customer/name", reason)
}

/// Returns the id of the customer's contact; creates the contact if it does not exist.
pub(crate) fn ensure(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    customer: &Customer,
) -> Result<i64, Error> {
    match customer.contact_id {
        Some(id) => Ok(id),
        None => {
            let id = books.next_id(IdSequence::Contact);
            contacts::insert(
                tx,
                books.account(),
                &new_contact(id, customer.party.clone().into(), cx.now()),
            )?;
            Ok(id)
        }
    }
}

/// Input for a new contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewContact {
    /// Identity.
    pub party: Party,
    /// Bank account to which its bills are paid.
    pub account: PayeeAccount,
}

impl From<Party> for NewContact {
    fn from(party: Party) -> Self {
        Self { party, account: PayeeAccount::default() }
    }
}

/// Creates a contact.
///
/// # Errors
/// The account is not Dutch.
pub fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewContact) -> Result<Created<Contact>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, new.party.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        validate(&new.party, cx.today())?;
        let contact = new_contact(books.next_id(IdSequence::Contact), new.clone(), cx.now());
        contacts::insert(tx, cx.actor.account, &contact)?;
        Ok(Created::New(contact))
    })
}

/// Returns the initial state of a contact.
pub(super) fn new_contact(id: i64, new: NewContact, now: Timestamp) -> Contact {
    Contact {
        id,
        party: tidied(new.party),
        created_at: now,
        updated_at: now,
        archived: false,
        merged_into: None,
        account: new.account,
    }
}

/// Returns the contact with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Contact>, Error> {
    match external_id {
        Some(external_id) => Ok(contacts::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a contact by its id.
///
/// # Errors
/// There is no such contact in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Contact, Error> {
    contacts::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("contact"))
}

/// Returns the contacts with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ContactFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Contact>, Error> {
    Ok(contacts::list(tx, cx.actor.account, filter, after, limit)?)
}
