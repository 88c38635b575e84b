//! Editing, replacing, archiving and merging contacts; lists and profiles of contacts.

use super::contacts::{NewContact, new_contact, read, tidied, validate};
use crate::{Context, Error, Reason, Upserted, context};
use ledger::identifiers::{Bic, Iban};
use store::{
    Tx,
    books::IdSequence,
    changes::{ResourceKind, Topic},
    contacts::{
        self as rows, Contact, ContactColumn, ContactFilter, ContactRow, ContactSums, PartialParty,
        PayeeAccount,
    },
    expense_table,
    expenses::Expense,
    invoice_table::{self, Column, State, TableFilter},
    invoices::{self, Invoice},
    projects::{self, ProjectFilter, ProjectRow},
    quotes, recurring, sales_totals,
};

/// Maximum number of rows of each kind on the page of a contact.
const SHOWN: i64 = 50;

/// Edit of a contact. Fields that are `None` stay unchanged; `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditContact {
    /// New identity.
    pub party: PartialParty,
    /// New archived state.
    pub archived: Option<bool>,
    /// New account.
    pub iban: Option<Option<Iban>>,
    /// New BIC of the bank.
    pub bic: Option<Option<Bic>>,
}

impl EditContact {
    /// Returns the edit that sets all fields to the values in `new`, except the external id.
    #[must_use]
    pub fn to(new: &NewContact) -> Self {
        let NewContact { party, account } = new.clone();
        Self {
            party: PartialParty { external_id: None, ..party.into() },
            archived: None,
            iban: Some(account.iban),
            bic: Some(account.bic),
        }
    }
}

/// Edits a contact. Invoices keep their copy of the old details. `expected` is called on the stored
/// contact while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The account is not Dutch, there is no such contact, it is not as expected, or another contact
/// has the external id.
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
        let party = tidied(edit.party.applied_to(old.party.clone()));
        let account = PayeeAccount {
            iban: edit.iban.clone().unwrap_or_else(|| old.account.iban.clone()),
            bic: edit.bic.clone().unwrap_or_else(|| old.account.bic.clone()),
        };
        let archived = edit.archived.unwrap_or(old.archived);
        let contact = Contact { party, archived, account, ..old.clone() };
        if let Some(external_id) = contact
            .party
            .external_id
            .as_deref()
            .filter(|id| Some(*id) != old.party.external_id.as_deref())
            && rows::by_external_id(tx, cx.actor.account, external_id)?.is_some()
        {
            return Err(Error::fault("/externalId", Reason::ExternalIdTaken));
        }
        if edit.party != PartialParty::default() {
            validate(&contact.party, cx.today())?;
        }
        save(tx, cx, &old, contact)
    })
}

/// Archives a contact: it is no longer offered in forms, and documents that refer to it stay
/// unchanged.
///
/// # Errors
/// The account is not Dutch, or there is no such contact.
pub fn archive(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Contact, Error> {
    edit(tx, cx, id, &EditContact { archived: Some(true), ..EditContact::default() }, &|_| true)
}

/// Creates or replaces the contact with the given external id. `expected` is called on the stored
/// contact, if any, while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The account is not Dutch, or the stored contact is not as expected.
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    new: &NewContact,
    expected: &dyn Fn(Option<&Contact>) -> bool,
) -> Result<Upserted<Contact>, Error> {
    let mut new = new.clone();
    new.party.external_id = Some(external_id.to_owned());
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let stored = rows::by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(stored.as_ref()) {
            return Err(Error::Changed);
        }
        validate(&new.party, cx.today())?;
        match stored {
            None => {
                let contact =
                    new_contact(books.next_id(IdSequence::Contact), new.clone(), cx.now());
                rows::insert(tx, cx.actor.account, &contact)?;
                Ok(Upserted::New(contact))
            }
            Some(old) => {
                let NewContact { party, account } = new.clone();
                let party = tidied(party);
                let contact = Contact { party, account, archived: false, ..old.clone() };
                save(tx, cx, &old, contact).map(Upserted::Replaced)
            }
        }
    })
}

fn save(
    tx: &mut Tx<'_>,
    cx: &Context,
    old: &Contact,
    mut contact: Contact,
) -> Result<Contact, Error> {
    let is_same = contact.party == old.party && contact.account == old.account;
    if is_same && contact.archived == old.archived {
        // Nothing has changed, so `updated_at` keeps its value.
        return Ok(contact);
    }
    if !contact.archived {
        // A contact that is active again is no longer an alias of another.
        contact.merged_into = None;
    }
    contact.updated_at = cx.now();
    if contact.archived && !old.archived {
        tx.record_topic(ResourceKind::Contact, contact.id, Topic::Archived);
    }
    rows::update(tx, cx.actor.account, &contact)?;
    if contact.party != old.party {
        recurring::contact_changed(tx, cx.actor.account, contact.id, cx.now())?;
    }
    Ok(contact)
}

/// Moves the invoices and projects of a contact to the contact `into`, and archives the merged
/// contact. Later references to the merged contact resolve to `into`. Invoices keep their copy of
/// the customer's details.
///
/// # Errors
/// The account is not Dutch, there is no such contact, it was merged into another one, or the
/// target is unknown or the same contact.
pub fn merge(tx: &mut Tx<'_>, cx: &Context, id: i64, into: i64) -> Result<Contact, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let contact = read(tx, cx, id)?;
        if into == id {
            return Err(Error::fault("/into", Reason::SameContact));
        }
        // If the contact was merged before, everything has already been moved.
        match contact.merged_into {
            Some(other) if other == into => return read(tx, cx, into),
            Some(_) => return Err(Error::fault("", Reason::ContactMerged)),
            None => {}
        }
        let target =
            rows::by_id(tx, cx.actor.account, into)?.filter(|target| target.merged_into.is_none());
        let target = target.ok_or_else(|| Error::fault("/into", Reason::UnknownContact))?;
        invoices::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        quotes::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        recurring::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        projects::move_to(tx, cx.actor.account, id, target.id, cx.now())?;
        sales_totals::move_contact(tx, cx.actor.account, id, target.id)?;
        rows::lead_on(tx, cx.actor.account, id, target.id, cx.now())?;
        let merged = Contact {
            archived: true,
            merged_into: Some(target.id),
            updated_at: cx.now(),
            ..contact
        };
        tx.record_topic(ResourceKind::Contact, id, Topic::Archived);
        rows::update(tx, cx.actor.account, &merged)?;
        Ok(target)
    })
}

/// Page of contacts.
#[derive(Debug, Clone)]
pub struct ContactTable {
    /// Contacts on the page.
    pub rows: Vec<ContactRow>,
    /// Number of contacts that match the filter.
    pub count: i64,
    /// Number of contacts in the account.
    pub all: i64,
    /// Number of archived contacts.
    pub archived: i64,
    /// Sums of the invoices to all contacts that match the filter.
    pub sums: ContactSums,
}

/// Returns a page of contacts with their sums, in total and for `year` alone. `order` is the sort
/// column and whether to sort in descending order; `page` is the offset and the maximum number of
/// rows.
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
    let mut contact_rows = Vec::new();
    for contact in rows::table(tx, account, filter, order, page)? {
        let sums = sums_of(tx, account, contact.id, year)?;
        contact_rows.push(ContactRow { contact, sums });
    }
    let with = |archived| ContactFilter { archived, ..ContactFilter::default() };
    Ok(ContactTable {
        rows: contact_rows,
        count: rows::count(tx, account, filter)?,
        all: rows::count(tx, account, &with(None))?,
        archived: rows::count(tx, account, &with(Some(true)))?,
        sums: rows::sums(tx, account, filter, year)?,
    })
}

fn sums_of(tx: &mut Tx<'_>, account: i64, id: i64, year: i16) -> Result<ContactSums, Error> {
    let mut sums = ContactSums::default();
    for (of_year, totals) in sales_totals::of_contact(tx, account, id)? {
        sums.documents += totals.count;
        sums.turnover += totals.subtotal;
        sums.due += totals.due;
        if of_year == year {
            sums.turnover_of_year = totals.subtotal;
        }
    }
    Ok(sums)
}

/// Contact with its documents, projects and sums.
#[derive(Debug, Clone)]
pub struct ContactProfile {
    /// The contact.
    pub contact: Contact,
    /// Contact into which this one was merged.
    pub merged_into: Option<Contact>,
    /// Sums over the contact's invoices.
    pub sums: ContactSums,
    /// Latest invoices and credit notes to the contact.
    pub invoices: Vec<Invoice>,
    /// Projects for the contact, by name.
    pub projects: Vec<ProjectRow>,
    /// Latest expenses with the contact as supplier, except undone ones.
    pub expenses: Vec<Expense>,
    /// Contacts into which this one can be merged, by name.
    pub others: Vec<Contact>,
}

/// Returns a contact with its invoices, projects, expenses, and sums in total and for this year.
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
    let filter = TableFilter {
        state: State::All,
        age: None,
        contact_id: Some(id),
        text: None,
        amount: None,
        today,
        days: None,
    };
    let invoices =
        invoice_table::rows(tx, cx.actor.account, &filter, (Column::Made, true), (0, SHOWN))?;
    let of_contact = ProjectFilter { contact_id: Some(id), ..ProjectFilter::default() };
    let expense_filter = expense_table::TableFilter {
        state: expense_table::State::Booked,
        contact_id: Some(id),
        ..expense_table::TableFilter::default()
    };
    let active = ContactFilter { archived: Some(false), ..ContactFilter::default() };
    let others =
        rows::table(tx, cx.actor.account, &active, (ContactColumn::Name, false), (0, 500))?;
    Ok(ContactProfile {
        sums: sums_of(tx, cx.actor.account, id, today.year())?,
        invoices,
        projects: projects::by_name(tx, cx.actor.account, &of_contact, SHOWN)?,
        expenses: expense_table::rows(
            tx,
            cx.actor.account,
            &expense_filter,
            (expense_table::Column::Date, true),
            (0, SHOWN),
        )?,
        others: others.into_iter().filter(|other| other.id != id).collect(),
        merged_into,
        contact,
    })
}

/// Maximum number of contacts that a form suggests.
const SUGGESTED: i64 = 8;

/// Returns the active contacts that match a text, by name, as many as a form suggests.
///
/// # Errors
/// The storage failed.
pub fn suggest(tx: &mut Tx<'_>, cx: &Context, text: &str) -> Result<Vec<Contact>, Error> {
    let filter = ContactFilter {
        text: Some(text.to_owned()).filter(|text| !text.trim().is_empty()),
        archived: Some(false),
        ..ContactFilter::default()
    };
    let order = (ContactColumn::Name, false);
    Ok(rows::table(tx, cx.actor.account, &filter, order, (0, SUGGESTED))?)
}

/// Returns the contacts that a form offers: active contacts by name, and the contact that is
/// currently selected.
///
/// # Errors
/// The storage failed.
pub fn offered(tx: &mut Tx<'_>, cx: &Context, chosen: Option<i64>) -> Result<Vec<Contact>, Error> {
    let active = ContactFilter { archived: Some(false), ..ContactFilter::default() };
    let mut contacts =
        rows::table(tx, cx.actor.account, &active, (ContactColumn::Name, false), (0, 500))?;
    if let Some(chosen) = chosen
        && !contacts.iter().any(|contact| contact.id == chosen)
    {
        match read(tx, cx, chosen) {
            Ok(contact) => contacts.push(contact),
            Err(Error::NotFound(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(contacts)
}
