//! Writer of the audit file, element by element in the order of its schema.

use super::{
    Account, AuditFileError, Entry, EntryLine, Head, Journal, JournalKind, Relation, RelationRole,
    Totals, Version,
};
use crate::{invoice::Address, xml::Xml};
use jiff::civil::{Date, date};
use ledger::money::Cents;
use std::{
    borrow::Cow,
    io::{self, Write},
};

type Result<T> = std::result::Result<T, AuditFileError>;

/// Streaming writer of an audit file.
///
/// ```
/// # use documents::xaf::{AuditFile, AuditFileError, Head, Version, Journal, JournalKind, Entry};
/// # fn write(head: &Head, entries: &[Entry<'_>]) -> Result<Vec<u8>, AuditFileError> {
/// let mut file = AuditFile::begin(Vec::new(), Version::V4_0, head)?;
/// file.journal(&Journal { id: "VRK".into(), name: "Verkoop".into(), kind: JournalKind::Sales })?;
/// for entry in entries {
///     file.entry(entry)?;
/// }
/// file.finish()
/// # }
/// ```
pub struct AuditFile<W: Write> {
    xml: Xml<W>,
    version: Version,
    year: i16,
    reported: Totals,
    found: Totals,
    in_journal: bool,
}

impl<W: Write> AuditFile<W> {
    /// Writes everything before the first journal.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn begin(out: W, version: Version, head: &Head) -> Result<Self> {
        let namespace = match version {
            Version::V3_2 => "http://www.auditfiles.nl/XAF/3.2",
            Version::V4_0 => {
                "http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0"
            }
        };
        let xml = Xml::new(out, "auditfile", &[("xmlns", namespace)])?;
        let mut file = Self {
            xml,
            version,
            year: head.year,
            reported: head.totals,
            found: Totals::default(),
            in_journal: false,
        };
        file.head(head)?;
        file.xml.open("company")?;
        file.company(head)?;
        file.relations(&head.relations)?;
        file.accounts(&head.accounts, &head.rgs_version)?;
        file.vat_codes(head)?;
        file.periods()?;
        file.opening(head)?;
        file.xml.open("transactions")?;
        file.sums(head.totals)?;
        Ok(file)
    }

    /// Starts a journal, to which the following entries belong.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn journal(&mut self, journal: &Journal) -> Result<()> {
        if std::mem::replace(&mut self.in_journal, true) {
            self.xml.close()?;
        }
        self.xml.open("journal")?;
        self.xml.text("jrnID", &cut(&journal.id, 35))?;
        self.xml.text("desc", &journal.name)?;
        self.xml.text(
            "jrnTp",
            match journal.kind {
                JournalKind::Sales => "S",
                JournalKind::Purchases => "P",
                JournalKind::Bank => "B",
                JournalKind::Cash => "C",
                JournalKind::Memorial => "M",
                JournalKind::Other => "Z",
            },
        )?;
        Ok(())
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// The entry is not in the file's year or does not balance, or writing to the output fails.
    pub fn entry(&mut self, entry: &Entry<'_>) -> Result<()> {
        if entry.date.year() != self.year {
            return Err(AuditFileError::OtherYear { entry: entry.number, date: entry.date });
        }
        if !entry.lines.iter().map(|line| line.amount).sum::<Cents>().is_zero() {
            return Err(AuditFileError::Unbalanced { entry: entry.number });
        }
        self.xml.open("transaction")?;
        self.xml.text("nr", &entry.number.to_string())?;
        self.xml.text("desc", entry.description)?;
        self.xml.text("periodNumber", &entry.date.month().to_string())?;
        self.xml.text("trDt", &entry.date.to_string())?;
        for (place, line) in entry.lines.iter().enumerate() {
            self.line(place + 1, line)?;
        }
        self.xml.close()?;
        Ok(())
    }

    /// Ends the file and returns the output.
    ///
    /// # Errors
    /// The totals of the entries differ from those stated in the head, or writing to the output
    /// fails.
    pub fn finish(self) -> Result<W> {
        if self.found != self.reported {
            return Err(AuditFileError::OtherTotals { reported: self.reported, found: self.found });
        }
        Ok(self.xml.finish()?)
    }

    fn line(&mut self, place: usize, line: &EntryLine<'_>) -> Result<()> {
        let xml = &mut self.xml;
        xml.open("trLine")?;
        xml.text("nr", &place.to_string())?;
        xml.text("accID", line.account)?;
        xml.text("docRef", &cut(line.document, 255))?;
        xml.text("effDate", &line.effective.to_string())?;
        sided(xml, "amnt", "amntTp", line.amount)?;
        xml.optional("custSupID", line.relation)?;
        xml.optional("invRef", line.invoice)?;
        if let Some(vat) = line.vat {
            xml.open("vat")?;
            xml.text("vatID", vat.code)?;
            xml.text("vatPerc", &vat.rate.to_string())?;
            sided(xml, "vatAmnt", "vatAmntTp", vat.amount)?;
            xml.close()?;
        }
        xml.close()?;
        self.found.lines += 1;
        if line.amount.is_negative() {
            self.found.credit -= line.amount;
        } else {
            self.found.debit += line.amount;
        }
        Ok(())
    }

    fn head(&mut self, head: &Head) -> Result<()> {
        let xml = &mut self.xml;
        xml.open("header")?;
        xml.text("fiscalYear", &head.year.to_string())?;
        xml.text("startDate", &first_day(head.year).to_string())?;
        xml.text("endDate", &date(head.year, 12, 31).to_string())?;
        xml.text("curCode", "EUR")?;
        xml.text("dateCreated", &head.created.to_string())?;
        xml.text("softwareDesc", "Grootboek")?;
        xml.text("softwareVersion", &cut(&head.software_version, 20))?;
        if self.version == Version::V4_0 {
            xml.text("RGSVersion", &cut(&head.rgs_version, 20))?;
        }
        xml.close()?;
        Ok(())
    }

    fn company(&mut self, head: &Head) -> Result<()> {
        let company = &head.company;
        let identifier = match self.version {
            Version::V3_2 => "companyIdent",
            Version::V4_0 => "Commercenr",
        };
        self.xml.optional(
            identifier,
            company.kvk_number.as_ref().map(ledger::identifiers::KvkNumber::as_str),
        )?;
        self.xml.text("companyName", &cut(&company.name, 255))?;
        self.xml.text("taxRegistrationCountry", company.address.country.as_str())?;
        // The format requires a VAT number, so a missing one is written as "onbekend" (unknown).
        let number =
            company.vat_number.as_ref().map_or("onbekend", ledger::identifiers::VatNumber::as_str);
        self.xml.text("taxRegIdent", number)?;
        self.address(&company.address)
    }

    fn address(&mut self, address: &Address) -> Result<()> {
        let xml = &mut self.xml;
        xml.open("streetAddress")?;
        let street = address.street.as_deref().map(|street| street.replace('\n', ", "));
        xml.optional("streetname", street.as_deref().map(|street| cut(street, 100)).as_deref())?;
        xml.optional("city", address.city.as_deref().map(|city| cut(city, 50)).as_deref())?;
        xml.optional(
            "postalCode",
            address.postal_code.as_deref().map(|code| cut(code, 10)).as_deref(),
        )?;
        xml.text("country", address.country.as_str())?;
        xml.close()?;
        Ok(())
    }

    fn relations(&mut self, relations: &[Relation]) -> Result<()> {
        if relations.is_empty() {
            return Ok(());
        }
        self.xml.open("customersSuppliers")?;
        for relation in relations {
            let xml = &mut self.xml;
            xml.open("customerSupplier")?;
            xml.text("custSupID", &cut(&relation.id, 35))?;
            xml.text("custSupName", &cut(&relation.name, 50))?;
            xml.optional("eMail", relation.email.as_deref())?;
            xml.optional(
                "commerceNr",
                relation.kvk_number.as_ref().map(ledger::identifiers::KvkNumber::as_str),
            )?;
            if let Some(number) = &relation.vat_number {
                xml.text("taxRegistrationCountry", number.country().as_str())?;
                xml.text("taxRegIdent", number.as_str())?;
            }
            xml.text(
                "custSupTp",
                match relation.role {
                    RelationRole::Customer => "C",
                    RelationRole::Supplier => "S",
                    RelationRole::Both => "B",
                },
            )?;
            if self.version == Version::V4_0 {
                let balances = || relation.balances.iter();
                sided(
                    xml,
                    "opBalDesc",
                    "opBalTp",
                    balances().map(|balance| balance.opening).sum(),
                )?;
                sided(
                    xml,
                    "clBalDesc",
                    "clBalTp",
                    balances().map(|balance| balance.closing).sum(),
                )?;
            }
            self.address(&relation.address)?;
            self.xml.close()?;
        }
        self.xml.close()?;
        Ok(())
    }

    fn accounts(&mut self, accounts: &[Account], rgs_version: &str) -> Result<()> {
        let xml = &mut self.xml;
        xml.open("generalLedger")?;
        for account in accounts {
            xml.open("ledgerAccount")?;
            xml.text("accID", &cut(&account.code, 35))?;
            xml.text("accDesc", &cut(&account.name, 255))?;
            xml.text("accTp", if account.in_balance_sheet { "B" } else { "P" })?;
            match self.version {
                Version::V4_0 => xml.optional("RGScode", Some(&account.rgs))?,
                Version::V3_2 => {
                    xml.optional("leadCode", Some(&account.rgs))?;
                    xml.text("leadReference", &format!("RGS {rgs_version}"))?;
                }
            }
            xml.close()?;
        }
        xml.close()?;
        Ok(())
    }

    fn vat_codes(&mut self, head: &Head) -> Result<()> {
        if head.vat_codes.is_empty() {
            return Ok(());
        }
        let xml = &mut self.xml;
        xml.open("vatCodes")?;
        for code in &head.vat_codes {
            xml.open("vatCode")?;
            xml.text("vatID", &cut(&code.id, 35))?;
            xml.text("vatDesc", &cut(&code.description, 100))?;
            xml.optional("vatToPayAccID", code.due_on.as_deref())?;
            xml.optional("vatToClaimAccID", code.deducted_on.as_deref())?;
            xml.close()?;
        }
        xml.close()?;
        Ok(())
    }

    fn periods(&mut self) -> Result<()> {
        let xml = &mut self.xml;
        xml.open("periods")?;
        for month in 1..=12 {
            let first = date(self.year, month, 1);
            xml.open("period")?;
            xml.text("periodNumber", &month.to_string())?;
            xml.text("startDatePeriod", &first.to_string())?;
            xml.text("endDatePeriod", &first.last_of_month().to_string())?;
            xml.close()?;
        }
        xml.close()?;
        Ok(())
    }

    fn opening(&mut self, head: &Head) -> Result<()> {
        let amounts = head.opening.iter().map(|line| line.amount);
        self.xml.open("openingBalance")?;
        if self.version == Version::V3_2 {
            self.xml.text("opBalDate", &first_day(head.year).to_string())?;
        }
        self.sums(totals_of(amounts))?;
        for (place, line) in head.opening.iter().enumerate() {
            self.xml.open("obLine")?;
            self.xml.text("nr", &(place + 1).to_string())?;
            self.xml.text("accID", &line.account)?;
            sided(&mut self.xml, "amnt", "amntTp", line.amount)?;
            self.xml.close()?;
        }
        // Only version 3.2 lists these balances here; version 4.0 states them with the customers
        // and suppliers.
        if self.version == Version::V3_2 {
            self.opening_of_relations(head)?;
        }
        self.xml.close()?;
        Ok(())
    }

    fn opening_of_relations(&mut self, head: &Head) -> Result<()> {
        let line_of = |account: &str| head.opening.iter().position(|line| line.account == account);
        let balances = head
            .relations
            .iter()
            .flat_map(|relation| relation.balances.iter().map(move |of| (relation, of)));
        let open: Vec<(&Relation, Cents, usize)> = balances
            .filter(|(_, balance)| !balance.opening.is_zero())
            .filter_map(|(relation, balance)| {
                Some((relation, balance.opening, line_of(&balance.account)?))
            })
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        self.xml.open("obSubledgers")?;
        self.xml.open("obSubledger")?;
        self.xml.text("sbType", "CS")?;
        self.sums(totals_of(open.iter().map(|(_, opening, _)| *opening)))?;
        for (place, (relation, opening, line)) in open.into_iter().enumerate() {
            self.xml.open("obSbLine")?;
            self.xml.text("nr", &(place + 1).to_string())?;
            self.xml.text("obLineNr", &(line + 1).to_string())?;
            sided(&mut self.xml, "amnt", "amntTp", opening)?;
            self.xml.text("custSupID", &cut(&relation.id, 35))?;
            self.xml.close()?;
        }
        self.xml.close()?;
        self.xml.close()?;
        Ok(())
    }

    fn sums(&mut self, totals: Totals) -> Result<()> {
        self.xml.text("linesCount", &totals.lines.to_string())?;
        self.xml.text("totalDebit", &totals.debit.to_string())?;
        self.xml.text("totalCredit", &totals.credit.to_string())?;
        Ok(())
    }
}

fn totals_of(amounts: impl Iterator<Item = Cents>) -> Totals {
    amounts.fold(Totals::default(), |sum, amount| Totals {
        lines: sum.lines + 1,
        debit: sum.debit + if amount.is_negative() { Cents::ZERO } else { amount },
        credit: sum.credit - if amount.is_negative() { amount } else { Cents::ZERO },
    })
}

/// Writes an amount and its side: D for debit, C for credit.
fn sided<W: Write>(
    xml: &mut Xml<W>,
    amount_name: &'static str,
    side_name: &'static str,
    amount: Cents,
) -> io::Result<()> {
    xml.text(amount_name, &amount.abs().to_string())?;
    xml.text(side_name, if amount.is_negative() { "C" } else { "D" })
}

fn first_day(year: i16) -> Date {
    date(year, 1, 1)
}

/// Truncates a text to the maximum length of the format.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Borrowed(text[..end].trim_end()),
        None => Cow::Borrowed(text),
    }
}
