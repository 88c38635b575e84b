//! What becomes of a contact: edited, replaced, archived, merged into another; and what there is to tell of it.

use super::contacts::{self, new_contact, read, tidied};
use crate::{Context, Error, Reason, Upserted, context};
use ledger::country::CountryCode;
use store::{
    Tx,
    books::IdSequence,
    changes::{ResourceKind, Topic},
    contacts::{self as rows, Contact, ContactColumn, ContactFilter, ContactRow, ContactSums, Party},
    expense_table,
    expenses::Expense,
    invoice_table::{self, Column, State, TableFilter},
    invoices::{self, Invoice},
    projects::{self, ProjectFilter, ProjectRow},
    sales_totals,
};

/// Rows that the page of a contact shows of each kind.
const SHOWN: i64 = 50;

/// What an edit of a contact changes; what is not given stays, `Some(None)` takes it away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditContact {
    /// The caller's own identifier.
    pub external_id: Option<Option<String>>,
    /// A new name.
    pub name: Option<String>,
    /// Another country.
    pub country: Option<CountryCode>,
    /// An e-mail address.
    pub email: Option<Option<String>>,
    /// A VAT number in its compact form.
    pub vat_number: Option<Option<String>>,
    /// A number of the Dutch chamber of commerce.
    pub kvk_number: Option<Option<String>>,
    /// Whom to ask for.
    pub contact_person: Option<Option<String>>,
    /// Street and house number.
    pub street: Option<Option<String>>,
    /// Postal code.
    pub postal_code: Option<Option<String>>,
    /// Town.
    pub city: Option<Option<String>>,
    /// Archives the contact, or makes it active again.
    pub archived: Option<bool>,
}

impl EditContact {
    /// The edit that makes a contact what is given; its external id stays.
    #[must_use]
    pub fn to(party: &Party) -> Self {
        let given = party.clone();
        Self {
            external_id: None,
            name: Some(given.name),
            country: Some(given.country),
            email: Some(given.email),
            vat_number: Some(given.vat_number),
            kvk_number: Some(given.kvk_number),
            contact_person: Some(given.contact_person),
            street: Some(given.street),
            postal_code: Some(given.postal_code),
            city: Some(given.city),
            archived: None,
        }
    }

    fn apply(&self, contact: &mut Contact) {
        let party = &mut contact.party;
        let take = |target: &mut Option<String>, given: &Option<Option<String>>| {
            if let Some(given) = given {
                target.clone_from(given);
            }
        };
        take(&mut party.external_id, &self.external_id);
        party.name = self.name.clone().unwrap_or_else(|| party.name.clone());
        party.country = self.country.unwrap_or(party.country);
        take(&mut party.email, &self.email);
        take(&mut party.vat_number, &self.vat_number);
        take(&mut party.kvk_number, &self.kvk_number);
        take(&mut party.contact_person, &self.contact_person);
        take(&mut party.street, &self.street);
        take(&mut party.postal_code, &self.postal_code);
        take(&mut party.city, &self.city);
        contact.archived = self.archived.unwrap_or(contact.archived);
    }
}

/// Edits a contact. Invoices keep the copy that they have. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// The account is not Dutch, there is no such contact, it is not as expected, or another has the external id.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditContact,
    expected: &dyn Fn(&Contact) -> bool,
) -> Result<Contact, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        let mut contact = old.clone();
        edit.apply(&mut contact);
        contact.party = tidied(contact.party);
        if let Some(external_id) =
            contact.party.external_id.as_deref().filter(|its| Some(*its) != old.party.external_id.as_deref())
            && rows::by_external_id(tx, cx.actor.account, external_id)?.is_some()
        {
            return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
        }
        save(tx, cx, &old, contact)
    })
}

/// Archives a contact: it is not offered any more, and everything that names it stays.
///
/// # Errors
/// The account is not Dutch, or there is no such contact.
pub fn archive(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Contact, Error> {
    edit(tx, cx, id, &EditContact { archived: Some(true), ..EditContact::default() }, &|_| true)
}

/// Makes the contact with that external id, or makes the one that there is what is given. `expected` looks at what is there, or at nothing.
///
/// # Errors
/// The account is not Dutch, or what is there is not as expected.
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    party: &Party,
    expected: &dyn Fn(Option<&Contact>) -> bool,
) -> Result<Upserted<Contact>, Error> {
    let party = Party { external_id: Some(external_id.to_owned()), ..party.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let there = rows::by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(there.as_ref()) {
            return Err(Error::Changed);
        }
        match there {
            None => {
                let contact = new_contact(books.next_id(IdSequence::Contact), party.clone(), cx.now());
                rows::insert(tx, cx.actor.account, &contact)?;
                Ok(Upserted::New(contact))
            }
            Some(old) => {
                let contact = Contact { party: party.clone(), archived: false, ..old.clone() };
                save(tx, cx, &old, contact).map(Upserted::Replaced)
            }
        }
    })
}

fn save(tx: &mut Tx<'_>, cx: &Context, old: &Contact, mut contact: Contact) -> Result<Contact, Error> {
    if contact.party == old.party && contact.archived == old.archived {
        // Nothing changes, and neither does when it last did.
        return Ok(contact);
    }
    if !contact.archived {
        // One that is used again stands for itself.
        contact.merged_into = None;
    }
    contact.updated_at = cx.now();
    if contact.archived && !old.archived {
        tx.record_topic(ResourceKind::Contact, contact.id, Topic::Archived);
    }
    rows::update(tx, cx.actor.account, &contact)?;
    Ok(contact)
}

/// Gives the invoices and projects of one contact to another, and archives it; whoever names it from now on means the other. The
/// copies that invoices keep of their customer stay as they are.
///
/// # Errors
/// The account is not Dutch, there is no such contact, or the other one is unknown or the same.
pub fn merge(tx: &mut Tx<'_>, cx: &Context, id: i64, into: i64) -> Result<Contact, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let contact = read(tx, cx, id)?;
        if into == id {
            return Err(Error::fault("/into", Reason::SameContact));
        }
        // What it had went to the other already.
        match contact.merged_into {
            Some(other) if other == into => return read(tx, cx, into),
            Some(_) => return Err(Error::fault("", Reason::ContactMerged)),
            None => {}
        }
        let target = rows::by_id(tx, cx.actor.account, into)?.filter(|target| target.merged_into.is_none());
        let target = target.ok_or_else(|| Error::fault("/into", Reason::UnknownContact))?;
        invoices::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        projects::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        sales_totals::move_contact(tx, cx.actor.account, id, target.id)?;
        rows::lead_on(tx, cx.actor.account, id, target.id, cx.now())?;
        let gone = Contact { archived: true, merged_into: Some(target.id), updated_at: cx.now(), ..contact };
        tx.record_topic(ResourceKind::Contact, id, Topic::Archived);
        rows::update(tx, cx.actor.account, &gone)?;
        Ok(target)
    })
}

/// A page of contacts.
#[derive(Debug, Clone)]
pub struct ContactTable {
    /// The contacts of the page.
    pub rows: Vec<ContactRow>,
    /// How many the filter finds.
    pub count: i64,
    /// How many there are.
    pub all: i64,
    /// How many of them are archived.
    pub archived: i64,
    /// What all that the filter finds were invoiced.
    pub sums: ContactSums,
}

/// A page of contacts with their sums, those of the year of `today` apart.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ContactFilter,
    order: (ContactColumn, bool),
    page: (i64, i64),
    year: i16,
) -> Result<ContactTable, Error> {
    let account = cx.actor.account;
    let mut found = Vec::new();
    for contact in rows::table(tx, account, filter, order, page)? {
        let sums = sums_of(tx, account, contact.id, year)?;
        found.push(ContactRow { contact, sums });
    }
    let with = |archived| ContactFilter { archived, ..ContactFilter::default() };
    Ok(ContactTable {
        rows: found,
        count: rows::count(tx, account, filter)?,
        all: rows::count(tx, account, &with(None))?,
        archived: rows::count(tx, account, &with(Some(true)))?,
        sums: rows::sums(tx, account, filter, year)?,
    })
}

fn sums_of(tx: &mut Tx<'_>, account: i64, id: i64, year: i16) -> Result<ContactSums, Error> {
    let mut sums = ContactSums::default();
    for (of_year, kept) in sales_totals::of_contact(tx, account, id)? {
        sums.documents += kept.count;
        sums.turnover += kept.subtotal;
        sums.due += kept.due;
        if of_year == year {
            sums.turnover_of_year = kept.subtotal;
        }
    }
    Ok(sums)
}

/// A contact with what there is to tell of it.
#[derive(Debug, Clone)]
pub struct ContactProfile {
    /// The contact.
    pub contact: Contact,
    /// Whom it was merged into.
    pub merged_into: Option<Contact>,
    /// What it was invoiced.
    pub sums: ContactSums,
    /// Its latest invoices and credit notes.
    pub invoices: Vec<Invoice>,
    /// Its projects, by name.
    pub projects: Vec<ProjectRow>,
    /// The latest expenses that were bought from it and not undone.
    pub expenses: Vec<Expense>,
    /// Those that it can be merged into, by name.
    pub others: Vec<Contact>,
}

/// A contact with its invoices, projects, expenses and sums, those of this year apart.
///
/// # Errors
/// There is no such contact in this account.
pub fn profile(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<ContactProfile, Error> {
    let today = cx.today();
    let contact = read(tx, cx, id)?;
    let merged_into = match contact.merged_into {
        Some(into) => rows::by_id(tx, cx.actor.account, into)?,
        None => None,
    };
    let filter = TableFilter { state: State::All, age: None, contact_id: Some(id), text: None, amount: None, today, days: None };
    let invoices = invoice_table::rows(tx, cx.actor.account, &filter, (Column::Made, true), (0, SHOWN))?;
    let of_contact = ProjectFilter { contact_id: Some(id), ..ProjectFilter::default() };
    let bought = expense_table::TableFilter {
        state: expense_table::State::Booked,
        contact_id: Some(id),
        ..expense_table::TableFilter::default()
    };
    let active = ContactFilter { archived: Some(false), ..ContactFilter::default() };
    let others = rows::table(tx, cx.actor.account, &active, (ContactColumn::Name, false), (0, 500))?;
    Ok(ContactProfile {
        sums: sums_of(tx, cx.actor.account, id, today.year())?,
        invoices,
        projects: projects::by_name(tx, cx.actor.account, &of_contact, SHOWN)?,
        expenses: expense_table::rows(tx, cx.actor.account, &bought, (expense_table::Column::Date, true), (0, SHOWN))?,
        others: others.into_iter().filter(|other| other.id != id).collect(),
        merged_into,
        contact,
    })
}

/// The contacts that a form offers, by name: those that are not archived, and the one that is chosen already.
///
/// # Errors
/// The storage failed.
pub fn offered(tx: &mut Tx<'_>, cx: &Context, chosen: Option<i64>) -> Result<Vec<Contact>, Error> {
    let active = ContactFilter { archived: Some(false), ..ContactFilter::default() };
    let mut found = rows::table(tx, cx.actor.account, &active, (ContactColumn::Name, false), (0, 500))?;
    if let Some(chosen) = chosen
        && !found.iter().any(|contact| contact.id == chosen)
    {
        match contacts::read(tx, cx, chosen) {
            Ok(contact) => found.push(contact),
            Err(Error::NotFound(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(found)
}
