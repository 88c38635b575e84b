//! Contacts: customers, made by themselves or found and made for an invoice.

use crate::{Context, Created, Error, Fault, Reason, context};
use jiff::Timestamp;
use ledger::{country::CountryCode, identifiers::PostalCode};
use store::{
    Tx,
    books::{Books, IdSequence},
    contacts::{self, Contact, ContactFilter, Party},
};

/// A customer as an invoice names it; what is missing comes from the contact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomerInput {
    /// The id of a contact in this account; it wins over the rest in saying who it is.
    pub contact_id: Option<i64>,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Required unless the contact is known by its external id.
    pub name: Option<String>,
    /// The Netherlands unless given or known.
    pub country: Option<CountryCode>,
    /// An e-mail address.
    pub email: Option<String>,
    /// A VAT number in its compact form.
    pub vat_number: Option<String>,
    /// A number of the Dutch chamber of commerce.
    pub kvk_number: Option<String>,
    /// Whom to ask for.
    pub contact_person: Option<String>,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
}

/// Whether a customer is a business: one with a number of the business register or for VAT. Who has neither is taken for a consumer.
#[must_use]
pub fn is_business(customer: &Party) -> bool {
    customer.kvk_number.is_some() || customer.vat_number.is_some()
}

/// The customer of an invoice: the contact, if there is one already, and the copy that the invoice keeps.
#[derive(Debug, Clone)]
pub(crate) struct Customer {
    pub(crate) contact_id: Option<i64>,
    pub(crate) party: Party,
}

/// Finds the contact that a customer is: by external id, else by exact name and country among the contacts
/// without one. What the invoice gives wins over what the contact says.
pub(crate) fn identify(tx: &mut Tx<'_>, account: i64, given: &CustomerInput) -> Result<Customer, Error> {
    let known = match (given.contact_id, &given.external_id, &given.name) {
        (Some(id), ..) => {
            let contact = contacts::by_id(tx, account, id)?;
            Some(contact.ok_or_else(|| Error::fault("/customer/contactId", Reason::UnknownContact))?)
        }
        (None, Some(external_id), _) => contacts::by_external_id(tx, account, external_id)?,
        (None, None, Some(name)) => contacts::by_name(tx, account, name, given.country.unwrap_or(CountryCode::NL))?,
        (None, None, None) => None,
    };
    let known = match known {
        Some(Contact { merged_into: Some(into), .. }) => contacts::by_id(tx, account, into)?,
        known => known,
    };
    let (contact_id, base) = match known {
        Some(Contact { id, party, .. }) => (Some(id), Some(party)),
        None => (None, None),
    };
    let name = given.name.clone().or_else(|| base.as_ref().map(|party| party.name.clone()));
    let Some(name) = name else { return Err(Error::Invalid(vec![name_missing(given)])) };
    let country = given.country.or(base.as_ref().map(|party| party.country)).unwrap_or(CountryCode::NL);
    let field = |given: &Option<String>, known: fn(&Party) -> &Option<String>| {
        given.clone().or_else(|| base.as_ref().and_then(|party| known(party).clone()))
    };
    let party = Party {
        external_id: field(&given.external_id, |party| &party.external_id),
        name,
        country,
        email: field(&given.email, |party| &party.email),
        vat_number: field(&given.vat_number, |party| &party.vat_number),
        kvk_number: field(&given.kvk_number, |party| &party.kvk_number),
        contact_person: field(&given.contact_person, |party| &party.contact_person),
        street: field(&given.street, |party| &party.street),
        postal_code: field(&given.postal_code, |party| &party.postal_code),
        city: field(&given.city, |party| &party.city),
    };
    Ok(Customer { contact_id, party: tidied(party) })
}

/// The party with a Dutch postal code as the post writes it, `1234 AB`. One that cannot be read stays as it is.
pub(super) fn tidied(mut party: Party) -> Party {
    let code = party.postal_code.as_deref().filter(|_| party.country == CountryCode::NL);
    if let Some(code) = code.and_then(|code| PostalCode::parse(code).ok()) {
        party.postal_code = Some(code.to_string());
    }
    party
}

/// The fault of a customer without a name that is not a known contact either; none when the customer can be identified.
/// For interfaces that collect all faults before they refuse.
///
/// # Errors
/// The storage failed.
pub fn customer_fault(tx: &mut Tx<'_>, cx: &Context, given: &CustomerInput) -> Result<Option<Fault>, Error> {
    match identify(tx, cx.actor.account, given) {
        Ok(_) => Ok(None),
        Err(Error::Invalid(faults)) => Ok(faults.into_iter().next()),
        Err(other) => Err(other),
    }
}

fn name_missing(given: &CustomerInput) -> Fault {
    let reason = match &given.external_id {
        Some(external_id) => Reason::CustomerUnknown { external_id: external_id.clone() },
        None => Reason::CustomerNameRequired,
    };
    Fault::new("/customer/name", reason)
}

/// The contact's id, making the contact where there is none.
pub(crate) fn ensure(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, customer: &Customer) -> Result<i64, Error> {
    match customer.contact_id {
        Some(id) => Ok(id),
        None => {
            let id = books.next_id(IdSequence::Contact);
            contacts::insert(tx, books.account(), &new_contact(id, customer.party.clone(), cx.now()))?;
            Ok(id)
        }
    }
}

/// Makes a contact.
///
/// # Errors
/// The account is not Dutch.
pub fn create(tx: &mut Tx<'_>, cx: &Context, party: &Party) -> Result<Created<Contact>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, party.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let contact = new_contact(books.next_id(IdSequence::Contact), party.clone(), cx.now());
        contacts::insert(tx, cx.actor.account, &contact)?;
        Ok(Created::New(contact))
    })
}

/// A contact as it is made.
pub(super) fn new_contact(id: i64, party: Party, now: Timestamp) -> Contact {
    Contact { id, party: tidied(party), created_at: now, updated_at: now, archived: false, merged_into: None }
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Contact>, Error> {
    match external_id {
        Some(external_id) => Ok(contacts::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// A contact by its id.
///
/// # Errors
/// There is no such contact in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Contact, Error> {
    contacts::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("contact"))
}

/// Contacts after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &ContactFilter, after: i64, limit: i64) -> Result<Vec<Contact>, Error> {
    Ok(contacts::list(tx, cx.actor.account, filter, after, limit)?)
}
