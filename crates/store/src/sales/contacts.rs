//! Contacts: customers and suppliers.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Record, Table, fields, next, record},
        table::{self, table_functions},
    },
    param::Param,
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::{
    country::CountryCode,
    customer::{CustomerEmail, CustomerKind, EmailUse, VatChoice},
    decimal::{self, Decimal},
    identifiers::{Bic, Iban},
    language::Language,
    money::Cents,
    vat::{Buyer, Supply, VatCategory, VatRate},
};

/// Defines [`Party`], [`PartialParty`] and their columns from the list of details. Each detail is
/// an optional text, listed with its path in the API and in forms.
macro_rules! party {
    ($($(#[$meaning:meta])+ $detail:ident = $path:literal,)+) => {
        /// Identity of a contact; an invoice keeps a copy of its customer's.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Party {
            /// The caller's own identifier, unique within the account.
            pub external_id: Option<String>,
            /// The person's or company's name.
            pub name: String,
            /// Country of establishment.
            pub country: CountryCode,
            $($(#[$meaning])+ pub $detail: Option<String>,)+
        }

        /// Changes to a party: absent fields are `None`; `Some(None)` empties an optional field.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct PartialParty {
            /// The caller's own identifier, unique within the account.
            pub external_id: Option<Option<String>>,
            /// The person's or company's name.
            pub name: Option<String>,
            /// Country of establishment.
            pub country: Option<CountryCode>,
            $($(#[$meaning])+ pub $detail: Option<Option<String>>,)+
        }

        impl Party {
            /// Columns of the details.
            pub const DETAILS: &[&str] = &[$(stringify!($detail)),+];

            /// Party with only a name, established in the Netherlands.
            #[must_use]
            pub fn named(name: String) -> Self {
                Self { external_id: None, name, country: CountryCode::NL, $($detail: None),+ }
            }

            /// Details with their paths, in the order of declaration.
            pub fn details(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
                [$(($path, self.$detail.as_deref())),+].into_iter()
            }
        }

        impl PartialParty {
            /// Returns a party with the given fields replaced. The email address is the first for
            /// invoices: given addresses determine it, and a given address replaces the first one.
            #[must_use]
            pub fn applied_to(&self, party: Party) -> Party {
                let given = self.clone();
                let party = Party {
                    external_id: given.external_id.unwrap_or(party.external_id),
                    name: given.name.unwrap_or(party.name),
                    country: given.country.unwrap_or(party.country),
                    $($detail: given.$detail.unwrap_or(party.$detail),)+
                };
                match (&self.emails, &self.email) {
                    (Some(Some(_)), _) => Party { email: party.first_for_invoices(), ..party },
                    (Some(None), None) => Party { email: None, ..party },
                    (None, Some(email)) => party.with_first_email(email.as_deref()),
                    (Some(None), Some(_)) | (None, None) => party,
                }
            }

            /// Details with their paths, in the order of declaration.
            pub fn details_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Option<Option<String>>)> {
                [$(($path, &mut self.$detail)),+].into_iter()
            }
        }

        impl From<Party> for PartialParty {
            fn from(party: Party) -> Self {
                let (external_id, name, country) = (Some(party.external_id), Some(party.name), Some(party.country));
                Self { external_id, name, country, $($detail: Some(party.$detail)),+ }
            }
        }

        fields! { Party { external_id, name, country, $($detail),+ } }

        /// Columns of a party in `contacts`.
        macro_rules! party_columns {
            () => { concat!("external_id, name, country" $(, ", ", stringify!($detail))+) };
        }

        /// Columns of a party in `invoices`.
        macro_rules! customer_columns {
            () => { concat!("customer_external_id, customer_name, customer_country" $(, ", customer_", stringify!($detail))+) };
        }
    };
}

// Add new details at the end: the hash of a document contains them in this order.
party! {
    /// Email address.
    email = "email",
    /// VAT number in its compact form.
    vat_number = "vatNumber",
    /// Number in the Dutch Business Register (KVK).
    kvk_number = "kvkNumber",
    /// Contact person.
    contact_person = "contactPerson",
    /// Street and house number.
    street = "address.street",
    /// Postal code.
    postal_code = "address.postalCode",
    /// Town.
    city = "address.city",
    /// Kind: a [`CustomerKind`].
    kind = "kind",
    /// Language of documents and emails: a [`Language`].
    language = "language",
    /// Telephone number.
    phone = "phone",
    /// Days between invoice date and due date, if an invoice names neither.
    payment_term_days = "paymentTermDays",
    /// Rate usually charged, in per cent.
    vat_default_rate = "vatDefault.vatRate",
    /// VAT category usually charged.
    vat_default_category = "vatDefault.vatCategory",
    /// Kind of supply usually made.
    vat_default_supply = "vatDefault.supply",
    /// Electronic address of Peppol.
    peppol_id = "peppolId",
    /// Email addresses with their uses ([`CustomerEmail::to_text`]); `None` if there is only
    /// `email`, for every use.
    emails = "emails",
    /// `true` if the customer gets no reminders.
    reminders_stopped = "remindersStopped",
}
pub(crate) use customer_columns;

impl Party {
    /// Kind of buyer for VAT purposes, determined by the country and the VAT number.
    #[must_use]
    pub fn place(&self) -> Buyer {
        Buyer::new(self.country, self.vat_number.as_deref())
    }

    /// Kind of customer: as stated, or a business if it has a number of the Business Register or a VAT
    /// number; `None` if it is unknown.
    #[must_use]
    pub fn known_kind(&self) -> Option<CustomerKind> {
        let has_number = self.kvk_number.is_some() || self.vat_number.is_some();
        let stated = self.kind.as_deref().and_then(CustomerKind::parse);
        stated.or(has_number.then_some(CustomerKind::Business))
    }

    /// Language of documents and emails; `None` for that of the account.
    #[must_use]
    pub fn own_language(&self) -> Option<Language> {
        self.language.as_deref().and_then(Language::parse)
    }

    /// Days between invoice date and due date; `None` for those of the account.
    #[must_use]
    pub fn own_term(&self) -> Option<i64> {
        self.payment_term_days.as_deref().and_then(|days| days.parse().ok())
    }

    /// VAT usually charged.
    #[must_use]
    pub fn vat_default(&self) -> Option<VatChoice> {
        let percent = decimal::parse(self.vat_default_rate.as_deref()?).ok()?;
        let points = u16::try_from(percent * Decimal::ONE_HUNDRED).ok()?;
        Some(VatChoice {
            rate: VatRate::from_basis_points(points),
            category: self.vat_default_category.as_deref().and_then(VatCategory::parse),
            supply: self.vat_default_supply.as_deref().and_then(Supply::parse),
        })
    }

    /// Email addresses with their uses.
    #[must_use]
    pub fn addresses(&self) -> Vec<CustomerEmail> {
        match (&self.emails, &self.email) {
            (Some(text), _) => CustomerEmail::parse_all(text),
            (None, Some(email)) => vec![CustomerEmail::for_all(email.clone())],
            (None, None) => Vec::new(),
        }
    }

    /// Email addresses for a use, the recipient first; if there is none, the address for invoices.
    #[must_use]
    pub fn addresses_for(&self, wanted: EmailUse) -> Vec<String> {
        let found: Vec<String> = self
            .addresses()
            .into_iter()
            .filter(|address| address.is_for(wanted))
            .map(|address| address.email)
            .collect();
        if found.is_empty() { self.email.iter().cloned().collect() } else { found }
    }

    fn first_for_invoices(&self) -> Option<String> {
        let mut addresses = self.addresses().into_iter();
        addresses.find(|address| address.is_for(EmailUse::Invoice)).map(|address| address.email)
    }

    /// Returns the party with another first address for invoices, or without it.
    fn with_first_email(self, email: Option<&str>) -> Self {
        let Some(text) = &self.emails else { return self };
        let mut addresses = CustomerEmail::parse_all(text);
        let first = addresses.iter().position(|address| address.is_for(EmailUse::Invoice));
        match (first, email) {
            (Some(first), Some(email)) => email.clone_into(&mut addresses[first].email),
            (Some(first), None) => drop(addresses.remove(first)),
            (None, Some(email)) => {
                let uses = vec![EmailUse::Invoice];
                addresses.insert(0, CustomerEmail { email: email.to_owned(), uses });
            }
            (None, None) => {}
        }
        // An address that now occurs twice has the uses of both.
        let mut unique: Vec<CustomerEmail> = Vec::with_capacity(addresses.len());
        for address in addresses {
            match unique.iter_mut().find(|known| known.email == address.email) {
                Some(known) => {
                    let has = |of: &EmailUse| known.uses.contains(of) || address.uses.contains(of);
                    known.uses = EmailUse::ALL.iter().copied().filter(has).collect();
                }
                None => unique.push(address),
            }
        }
        let emails = (!unique.is_empty()).then(|| CustomerEmail::to_text(&unique));
        let party = Self { emails, email: None, ..self };
        Self { email: party.first_for_invoices(), ..party }
    }

    /// Form fields of a party with their values: everything except the caller's own identifier and
    /// the list of addresses.
    pub fn form_fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let details = self.details().filter(|(path, _)| *path != "emails");
        let details = details.map(|(path, value)| (path, value.unwrap_or_default()));
        [("name", self.name.as_str()), ("country", self.country.as_str())]
            .into_iter()
            .chain(details)
    }
}

/// Bank account of a contact, to which bills are paid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PayeeAccount {
    /// Account.
    pub iban: Option<Iban>,
    /// BIC of the bank.
    pub bic: Option<Bic>,
}

fields! { PayeeAccount { iban, bic } }

/// Stored contact.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Unique within the account.
    pub id: i64,
    /// Identity of the contact.
    pub party: Party,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Whether the contact is archived and therefore no longer suggested.
    pub archived: bool,
    /// Contact into which this one was merged.
    pub merged_into: Option<i64>,
    /// Bank account to which bills of the contact are paid.
    pub account: PayeeAccount,
}

record! {
    "contacts": Contact {
        "id": id,
        party_columns!(): party,
        "created_at": created_at,
        "updated_at": updated_at,
        "status": archived with archived,
        "merged_into": merged_into,
        "iban, bic": account,
    }
}
table_functions!(Contact: by_id, by_ids, by_external_id);

/// Column adapter for the archived flag.
pub(crate) mod archived {
    use super::{Param, Row, StoreError, next, status};

    pub(crate) fn take(row: &Row<'_>, at: &mut usize) -> Result<bool, StoreError> {
        row.parsed(next(at), |text| {
            [false, true].into_iter().find(|archived| status(*archived) == text)
        })
    }

    pub(crate) fn put(archived: &bool, values: &mut Vec<Param<'_>>) {
        values.push(status(*archived).into());
    }
}

/// Status name of the archived flag in the database and in the API.
#[must_use]
pub fn status(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// Stores a new contact.
pub fn insert(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, contact.id, Event::Created);
    let (columns, values) = with_folded(account, contact);
    record::insert(tx, "contacts", &columns, &values)
}

/// Stores a changed contact.
pub fn update(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, contact.id, Event::Updated);
    let (columns, values) = with_folded(account, contact);
    record::update(tx, "contacts", &columns, &values)
}

/// Columns and values of a contact, including the text for searches. The line feed between name and
/// email address prevents matches that span both.
fn with_folded(account: i64, contact: &Contact) -> (String, Vec<Param<'_>>) {
    let mut values = contact.values(account);
    let folded =
        format!("{}\n{}", contact.party.name, contact.party.email.as_deref().unwrap_or(""))
            .to_lowercase();
    values.push(folded.into());
    (format!("{}, folded", Contact::COLUMNS), values)
}

/// Updates the contacts that were merged into `from`: they are now merged into `into`.
pub fn lead_on(
    tx: &mut Tx<'_>,
    account: i64,
    from: i64,
    into: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let leading = "SELECT id FROM contacts WHERE account_id = ?1 AND merged_into = ?2 ORDER BY id";
    for id in tx.query(leading, &params![account, from], |row| row.int(0))? {
        tx.record(ResourceKind::Contact, id, Event::Updated);
    }
    let sql = "UPDATE contacts SET merged_into = ?3, updated_at = ?4 WHERE account_id = ?1 AND merged_into = ?2";
    tx.execute(sql, &params![account, from, into, now])
}

/// Oldest contact without an external id that has exactly this name and country.
pub fn by_name(
    tx: &mut Tx<'_>,
    account: i64,
    name: &str,
    country: CountryCode,
) -> Result<Option<Contact>, StoreError> {
    let sql = Contact::select(
        "account_id = ?1 AND name = ?2 AND country = ?3 AND external_id IS NULL ORDER BY id LIMIT 1",
    );
    tx.query_opt(&sql, &params![account, name, country.as_str()], Contact::read)
}

/// Filter for contacts.
#[derive(Debug, Clone, Default)]
pub struct ContactFilter {
    /// Only the contact with this external id.
    pub external_id: Option<String>,
    /// Only contacts whose name or email address contains this text, ignoring case.
    pub text: Option<String>,
    /// Only archived contacts if true, only active ones if false.
    pub archived: Option<bool>,
    /// Only contacts that changed in this period.
    pub updated: Option<Updated>,
}

impl ContactFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(text) = &self.text {
            filter.holds(&["folded"], text, None);
        }
        filter.given("status =", self.archived.map(status));
        filter.updated(self.updated);
        filter
    }
}

/// Contacts with an id above `after`, ordered by id.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ContactFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Contact>, StoreError> {
    let mut filter = filter.of(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Column by which a page orders contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactColumn {
    /// Name, ignoring case.
    Name,
    /// Town.
    City,
    /// Order of creation.
    Made,
    /// Amount still to be received.
    Due,
    /// Turnover, excluding VAT.
    Turnover,
    /// Turnover of one year, excluding VAT.
    TurnoverOf(i16),
}

/// A contact in a list, with its totals.
#[derive(Debug, Clone)]
pub struct ContactRow {
    /// The contact.
    pub contact: Contact,
    /// Totals of the contact.
    pub sums: ContactSums,
}

/// Totals for the invoices to one or more contacts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContactSums {
    /// Number of invoices and credit notes, including drafts.
    pub documents: i64,
    /// Turnover excluding VAT, less credit notes.
    pub turnover: Cents,
    /// Part of the turnover in the requested year.
    pub turnover_of_year: Cents,
    /// Amount still to be received on sent invoices.
    pub due: Cents,
}

/// Section of the filtered and ordered list of contacts.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ContactFilter,
    (column, down): (ContactColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Contact>, StoreError> {
    let mut filter = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        ContactColumn::Name => format!("folded {direction}, id"),
        ContactColumn::City => format!("COALESCE(city, '') {direction}, folded, id"),
        ContactColumn::Made => format!("id {direction}"),
        ContactColumn::Due => format!("{} {direction}, folded, id", total("t.due")),
        ContactColumn::Turnover => format!("{} {direction}, folded, id", total("t.subtotal")),
        ContactColumn::TurnoverOf(year) => {
            let year = filter.bind(i64::from(year));
            format!(
                "{} {direction}, folded, id",
                total(&format!("CASE WHEN t.year = {year} THEN t.subtotal ELSE 0 END"))
            )
        }
    };
    table::section(tx, filter, &order, part)
}

/// Number of contacts that match a filter.
pub fn count(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter) -> Result<i64, StoreError> {
    let filter = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM contacts WHERE {filter}"), filter.values(), |row| {
        row.int(0)
    })
}

/// Totals of all contacts that match a filter; `year` is the year for `turnover_of_year`.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ContactFilter,
    year: i16,
) -> Result<ContactSums, StoreError> {
    let mut filter = filter.of(account);
    let year = filter.bind(i64::from(year));
    let sum = |what: &str| format!("CAST(COALESCE(SUM({what}), 0) AS BIGINT)");
    let (documents, turnover, due) = (sum("documents"), sum("subtotal"), sum("due"));
    let of_year = sum(&format!("CASE WHEN year = {year} THEN subtotal ELSE 0 END"));
    let sql = format!(
        "SELECT {documents}, {turnover}, {of_year}, {due} FROM sales_totals WHERE account_id = ?1 AND dimension = 'contact'
         AND member IN (SELECT CAST(id AS TEXT) FROM contacts WHERE {filter})"
    );
    tx.query_one(&sql, filter.values(), |row| {
        let amount = |column| row.int(column).map(Cents::new);
        Ok(ContactSums {
            documents: row.int(0)?,
            turnover: amount(1)?,
            turnover_of_year: amount(2)?,
            due: amount(3)?,
        })
    })
}

/// SQL expression for a total of a contact, used for sorting.
fn total(of: &str) -> String {
    format!(
        "(SELECT COALESCE(SUM({of}), 0) FROM sales_totals t
          WHERE t.account_id = ?1 AND t.dimension = 'contact' AND t.member = CAST(contacts.id AS TEXT))"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_fields_replace_those_of_a_party_one_by_one() {
        let mut full =
            PartialParty { external_id: Some(Some("c-1".into())), ..PartialParty::default() };
        for (path, detail) in full.details_mut() {
            *detail = Some(Some(path.to_owned()));
        }
        // The first address of the list is the address.
        full.emails = Some(Some("email invoice".into()));
        let full = full.applied_to(Party::named("De Korenaar".into()));
        assert_eq!(
            (full.name.as_str(), full.country, full.external_id.as_deref()),
            ("De Korenaar", CountryCode::NL, Some("c-1"))
        );
        let mut others = full.details().filter(|(path, _)| *path != "emails");
        assert!(others.all(|(path, text)| text == Some(path)), "{full:?}");
        assert_eq!(PartialParty::default().applied_to(full.clone()), full);
        assert_eq!(PartialParty::from(full.clone()).applied_to(Party::named("Other".into())), full);
        let renamed = PartialParty { name: Some("Other".into()), ..PartialParty::default() };
        assert_eq!(
            renamed.applied_to(full.clone()),
            Party { name: "Other".into(), ..full.clone() }
        );
        for number in 0..Party::DETAILS.len() {
            for value in [None, Some("changed")] {
                let mut change = PartialParty::default();
                let (of, detail) = change.details_mut().nth(number).unwrap();
                if of == "email" || of == "emails" {
                    continue;
                }
                *detail = Some(value.map(str::to_owned));
                let changed = change.applied_to(full.clone());
                let expected = full
                    .details()
                    .map(|(path, text)| (path, if path == of { value } else { text }));
                assert!(changed.details().eq(expected), "{of}: {changed:?}");
            }
        }
    }

    /// The address and the list of addresses change together: the address is the first in the list
    /// for invoices.
    #[test]
    fn the_address_is_the_first_for_invoices() {
        type Change = Option<Option<&'static str>>;
        type Expected = Option<&'static str>;
        let cases: [(&str, Change, Change, Expected, Expected); 7] = [
            (
                "b@x.nl quote\na@x.nl invoice",
                None,
                None,
                Some("a@x.nl"),
                Some("b@x.nl quote\na@x.nl invoice"),
            ),
            ("a@x.nl invoice", Some(Some("c@x.nl")), None, Some("c@x.nl"), Some("c@x.nl invoice")),
            (
                "b@x.nl quote",
                Some(Some("c@x.nl")),
                None,
                Some("c@x.nl"),
                Some("c@x.nl invoice\nb@x.nl quote"),
            ),
            ("a@x.nl invoice", Some(None), None, None, None),
            ("a@x.nl invoice", None, Some(None), None, None),
            (
                "a@x.nl invoice",
                None,
                Some(Some("d@x.nl invoice")),
                Some("d@x.nl"),
                Some("d@x.nl invoice"),
            ),
            // An address that occurs twice has the uses of both.
            (
                "a@x.nl invoice\nb@x.nl quote",
                Some(Some("b@x.nl")),
                None,
                Some("b@x.nl"),
                Some("b@x.nl invoice,quote"),
            ),
        ];
        let owned = |value: Option<&str>| value.map(str::to_owned);
        for (known, email, emails, expected, list) in cases {
            let known =
                PartialParty { emails: Some(Some(known.into())), ..PartialParty::default() }
                    .applied_to(Party::named("De Korenaar".into()));
            let change = PartialParty {
                email: email.map(owned),
                emails: emails.map(owned),
                ..PartialParty::default()
            };
            let changed = change.applied_to(known);
            assert_eq!(
                (changed.email.as_deref(), changed.emails.as_deref()),
                (expected, list),
                "{email:?} {emails:?}"
            );
        }
    }

    #[test]
    fn the_columns_of_contacts_and_customers_are_in_the_same_order() {
        let of_customer: Vec<&str> =
            customer_columns!().split(", ").map(|column| &column["customer_".len()..]).collect();
        assert_eq!(of_customer.join(", "), party_columns!());
        assert_eq!(of_customer[3..], *Party::DETAILS);
    }
}
