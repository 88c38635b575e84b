//! Invoices as documents: read from the books, rendered, and stored as rendered.
//!
//! The document of a sent invoice is rendered on the first request and its bytes are stored, so
//! that no later setting or program version changes it. A draft is rendered on each request.

pub use documents::{
    invoice::Seller,
    ubl::{Cause, NotExpressible},
};

use crate::{
    Context, Error, InvoiceError, Reason, context,
    document_snapshots::{Settings, language_for},
    invoices, receipts, vat_schemes,
};
use documents::{
    epc::{self, Transfer},
    invoice::{
        Address, Buyer, DocumentKind, Invoice, Line, Period, VatGroup, VatTreatment, Version,
    },
    legal,
    logo::Logo,
    pdf::{self, Appearance},
    remittance::Remittance,
    ubl,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    chain::DocumentRecord,
    country::CountryCode,
    customer::CustomerKind,
    decimal::Decimal,
    identifiers::{KvkNumber, PeppolId, VatNumber},
    invoice::{GroupKey, LineAmounts, ShownAmounts},
    language::Language,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};
use sha2::{Digest, Sha256};
use store::{
    StoreError, Tx,
    books::{self, Terms},
    contacts::Party,
    documents::{self as rows, Format, NewDocument, StoredRecord},
    invoices::{InvoiceKind, Status},
};

/// Result of a request for a document.
#[derive(Debug, Clone)]
pub enum Asked {
    /// Bytes of a document that was rendered and stored before.
    Kept(Vec<u8>),
    /// The document has yet to be rendered from this input.
    Unmade(Box<Unmade>),
}

/// Input for rendering a document.
#[derive(Debug, Clone)]
pub struct Unmade {
    invoice: Invoice,
    appearance: Appearance,
    id: i64,
    /// The stored e-invoice, if any.
    e_invoice: Option<Vec<u8>>,
}

impl Unmade {
    /// Creates the input for the document of a quote, which is stored elsewhere and has no
    /// e-invoice.
    pub(super) fn of_quote(quote: Invoice, appearance: Appearance) -> Self {
        Self { invoice: quote, appearance, id: 0, e_invoice: None }
    }
}

/// Rendered document, with the e-invoice if the invoice can be expressed as one.
#[derive(Debug, Clone)]
pub struct Made {
    id: i64,
    language: Language,
    version: Version,
    pdf: Vec<u8>,
    e_invoice: Result<Vec<u8>, ubl::NotExpressible>,
}

/// Returns the file name of an invoice's document.
#[must_use]
pub fn file_name(number: &str, format: Format) -> String {
    let safe: String = number
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    match format {
        Format::Pdf => format!("{safe}.pdf"),
        Format::Ubl => format!("{safe}.xml"),
    }
}

/// Returns the number of an invoice, and either its stored document or the input for rendering it.
/// `language` defaults to the language in which the invoice was sent.
///
/// # Errors
/// There is no such invoice; it is from the opening balance, so another program made its document;
/// an e-invoice for a draft or cancelled invoice is requested; or the document must be stored and
/// the account's documents have reached the quota of its plan.
pub fn ask(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    format: Format,
    language: Option<Language>,
) -> Result<(String, Asked), Error> {
    let details = invoices::read(tx, cx, id)?;
    details.reject_opening_item()?;
    let number = details.invoice.number.clone();
    let is_draft = details.invoice.status != Status::Sent;
    if is_draft && format == Format::Ubl {
        let is_cancelled = details.invoice.status == Status::Cancelled;
        return Err(if is_cancelled {
            InvoiceError::Cancelled.into()
        } else {
            InvoiceError::IsADraft.into()
        });
    }
    let sent = if is_draft { None } else { rows::sent(tx, cx.actor.account, id)? };
    let settings = match &sent {
        Some(sent) => settings_of(tx, cx.actor.account, &sent.record)?,
        None if is_draft => settings_now(tx, cx.actor.account, &details.invoice)?,
        None => return Err(missing("its chain record")),
    };
    let original = settings.language();
    // The e-invoice has one language, regardless of the requested one.
    let language = if format == Format::Ubl { original } else { language.unwrap_or(original) };
    if let Some(bytes) =
        rows::bytes(tx, cx.actor.account, id, format, language)?.filter(|_| !is_draft)
    {
        return Ok((number, Asked::Kept(bytes)));
    }
    if !is_draft {
        require_room(tx, cx)?;
    }
    let version = match (is_draft, language == original) {
        (true, _) => Version::Draft,
        (false, true) => Version::Sent,
        (false, false) => Version::Translation,
    };
    let e_invoice =
        rows::bytes(tx, cx.actor.account, id, Format::Ubl, original)?.filter(|_| !is_draft);
    let credited = match details.invoice.credited_invoice_id {
        Some(credited) => Some(invoices::read(tx, cx, credited)?.invoice),
        None => None,
    };
    let appearance = Appearance {
        logo: logo_of(tx, cx.actor.account, &settings)?,
        ..settings.appearance(language)
    };
    let invoice = model(details, credited, &settings, version, language);
    Ok((number, Asked::Unmade(Box::new(Unmade { invoice, appearance, id, e_invoice }))))
}

/// Returns the input for rendering an invoice that does not exist yet, marked as a draft and without
/// a number.
///
/// # Errors
/// The storage failed.
pub fn concept(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut details: invoices::InvoiceDetails,
) -> Result<Unmade, Error> {
    let settings = settings_now(tx, cx.actor.account, &details.invoice)?;
    let language = settings.language();
    let appearance = Appearance {
        logo: logo_of(tx, cx.actor.account, &settings)?,
        ..settings.appearance(language)
    };
    details.invoice.number.clear();
    let invoice = model(details, None, &settings, Version::Draft, language);
    Ok(Unmade { invoice, appearance, id: 0, e_invoice: None })
}

/// Rejects rendering a document if the account's documents have reached the quota of its plan.
/// Receipts do not count towards it, so an account with many receipts can still send its invoices.
pub(super) fn require_room(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    let most = receipts::most_gib(cx.actor.plan);
    if rows::bytes_in_all(tx, cx.actor.account)? < most << 30 {
        return Ok(());
    }
    Err(Error::fault(
        "",
        Reason::DocumentsFull { most: usize::try_from(most).unwrap_or(usize::MAX) },
    ))
}

fn missing(what: &str) -> Error {
    Error::Store(StoreError::Unreadable(format!("sent invoice without {what}")))
}

/// Parts of an invoice's document: seller, legally required sentences, and obstacles to an
/// e-invoice. For a draft, these parts are as they would be if the draft were sent now.
#[derive(Debug, Clone)]
pub struct Face {
    /// Seller.
    pub seller: Seller,
    /// Time at which the invoice was sent; `None` for a draft.
    pub sent_at: Option<Timestamp>,
    /// Language of the document.
    pub language: Language,
    /// Whether the invoice belongs to a test account.
    pub is_test: bool,
    /// Reasons why the invoice cannot be an e-invoice; empty if it can.
    pub not_expressible: Vec<Cause>,
    treatments: Vec<VatTreatment>,
    buyer: Option<VatNumber>,
}

impl Face {
    /// Returns the sentences that the law requires about the VAT on the lines.
    #[must_use]
    pub fn sentences(&self, language: Language) -> Vec<String> {
        let mut sentences: Vec<String> = Vec::new();
        for treatment in &self.treatments {
            let sentence = legal::sentence(*treatment, language, self.buyer.as_ref());
            sentences.extend(sentence.filter(|sentence| !sentences.contains(sentence)));
        }
        sentences
    }
}

/// Returns the seller, required sentences and e-invoice obstacles of an invoice's document.
///
/// # Errors
/// The settings with which the invoice was sent cannot be read.
pub fn face(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &invoices::InvoiceDetails,
    credited: Option<&store::invoices::Invoice>,
) -> Result<Face, Error> {
    let (settings, sent_at) = settings_shown(tx, cx.actor.account, &details.invoice)?;
    let version = if sent_at.is_some() { Version::Sent } else { Version::Draft };
    // The lines are left out: the sentences and the requirements of an e-invoice depend only on the
    // VAT per rate and category.
    let without_lines = invoices::InvoiceDetails {
        lines: Vec::new(),
        shown: ShownAmounts::default(),
        ..details.clone()
    };
    let invoice = model(without_lines, credited.cloned(), &settings, version, settings.language());
    let not_expressible =
        ubl::write(&invoice).err().map(|ubl::NotExpressible(causes)| causes).unwrap_or_default();
    let treatments = invoice.treatments();
    Ok(Face {
        seller: invoice.seller,
        sent_at,
        language: settings.language(),
        is_test: settings.is_test(),
        not_expressible,
        treatments,
        buyer: invoice.buyer.vat_number,
    })
}

/// Returns the QR code with which a bank's app pays what is due on an invoice, as SVG; `None` if
/// nothing is due, the invoice is a test, or the seller has no bank account.
#[must_use]
pub fn payment_code(face: &Face, invoice: &store::invoices::Invoice) -> Option<String> {
    let seller = Some(&face.seller).filter(|_| !face.is_test)?;
    let code = epc::transfer_payload(&Transfer {
        name: seller.account_holder.as_deref().unwrap_or(&seller.name),
        iban: seller.iban.as_ref()?,
        bic: None,
        amount: invoices::amount_due(invoice),
        remittance: &Remittance::Text(invoice.number.clone()),
    })?;
    epc::svg(&code)
}

/// Returns the seller as shown on an invoice's document.
pub(super) fn seller(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: &store::invoices::Invoice,
) -> Result<Seller, Error> {
    settings_shown(tx, account, invoice).map(|(settings, _)| settings.seller())
}

/// Returns the settings that the document of an invoice shows, and the time at which it was sent.
/// For a draft, or an invoice from the opening balance, these are the current settings.
fn settings_shown(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: &store::invoices::Invoice,
) -> Result<(Settings, Option<Timestamp>), Error> {
    let sent: Option<StoredRecord> = match invoice.status {
        Status::Sent if !invoice.is_opening_item() => rows::sent(tx, account, invoice.id)?,
        _ => None,
    };
    match sent {
        Some(sent) => Ok((settings_of(tx, account, &sent.record)?, Some(sent.created_at))),
        None => Ok((settings_now(tx, account, invoice)?, None)),
    }
}

/// Returns the settings that a document would show if it were sent now.
fn settings_now(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: &store::invoices::Invoice,
) -> Result<Settings, Error> {
    let terms = books::terms(tx, account)?.ok_or(Error::NotFound("account"))?;
    let kor = vat_schemes::kor_shown(tx, account, invoice.rates_on(), Some(invoice.id))?;
    let language = invoice.language.unwrap_or_else(|| language_for(&invoice.customer, &terms));
    Ok(Settings::of(&terms).under(kor).in_language(language))
}

/// Returns the settings that a sent document shows.
fn settings_of(tx: &mut Tx<'_>, account: i64, sent: &DocumentRecord) -> Result<Settings, Error> {
    let Some(hash) = &sent.settings else { return Err(missing("the hash of its settings")) };
    let text = rows::settings(tx, account, hash)?;
    text.as_deref().and_then(Settings::parse).ok_or_else(|| missing("readable settings"))
}

pub(super) fn logo_of(
    tx: &mut Tx<'_>,
    account: i64,
    settings: &Settings,
) -> Result<Option<Logo>, Error> {
    let Some(hash) = settings.logo() else { return Ok(None) };
    let bytes = rows::logo(tx, account, &hash)?.ok_or_else(|| missing("its logo"))?;
    Logo::kept(bytes)
        .map(Some)
        .map_err(|error| Error::Store(StoreError::Unreadable(error.to_string())))
}

/// Renders a document. This takes milliseconds, and longer with many lines.
///
/// # Errors
/// The PDF violates the standards that it must meet, which is a bug.
pub fn make(unmade: &Unmade) -> Result<Made, Error> {
    let e_invoice = unmade.e_invoice.clone().map_or_else(|| ubl::write(&unmade.invoice), Ok);
    let pdf = pdf::write(&unmade.invoice, &unmade.appearance, e_invoice.as_deref().ok());
    let pdf = pdf.map_err(|error| Error::Store(StoreError::Unreadable(error.to_string())))?;
    Ok(Made {
        id: unmade.id,
        language: unmade.invoice.language,
        version: unmade.invoice.version,
        pdf,
        e_invoice,
    })
}

/// Returns a sample draft that shows how invoices look with these settings.
// Long: it fills every field of a document.
pub(crate) fn sample(
    tx: &mut Tx<'_>,
    account: i64,
    terms: &Terms,
    today: Date,
) -> Result<Unmade, Error> {
    let settings = Settings::of(terms);
    let language = settings.language();
    let logo = logo_of(tx, account, &settings)?;
    let appearance = Appearance { logo, ..settings.appearance(language) };
    let (name, line) = match language {
        Language::Dutch => {
            ("Voorbeeldklant BV", "Ontwerp van een website\nDrie rondes, inclusief overleg")
        }
        Language::English => {
            ("Example Customer Ltd", "Design of a website\nThree rounds, including meetings")
        }
    };
    let address = Address {
        street: Some("Oudegracht 1".to_owned()),
        postal_code: Some("3511 AB".to_owned()),
        city: Some("Utrecht".to_owned()),
        country: CountryCode::NL,
    };
    let rate = VatRate::high_on(today);
    let net = Cents::new(76_400);
    let vat = rate.of(net);
    let invoice = Invoice {
        kind: DocumentKind::Invoice,
        number: crate::numbering::format(&terms.account.number_pattern, today.year(), 28)
            .map_err(|error| Error::Internal(error.to_string()))?,
        version: Version::Draft,
        test: settings.is_test(),
        language,
        issue_date: today,
        due_date: Some(today.saturating_add(terms.account.payment_term_days.days())),
        supply: None,
        seller: settings.seller(),
        buyer: Buyer {
            name: name.to_owned(),
            contact_person: None,
            address,
            email: None,
            vat_number: None,
            kvk_number: None,
            peppol_id: None,
            is_business: true,
        },
        reference: None,
        order_number: None,
        buyer_reference: None,
        lines: vec![Line {
            description: line.to_owned(),
            quantity: Decimal::new(8, 0),
            unit: Some("hour".to_owned()),
            unit_price: Decimal::new(9_550, 2),
            vat_rate: rate,
            treatment: VatTreatment::Standard,
            gross: net,
            discount: Cents::ZERO,
            discount_percent: None,
            amount: net,
            amount_incl_vat: net + vat,
        }],
        prices_include_vat: false,
        lines_total: net,
        discount: Cents::ZERO,
        discount_percent: None,
        discount_description: None,
        vat: vec![VatGroup {
            rate,
            treatment: VatTreatment::Standard,
            discount: Cents::ZERO,
            base: net,
            amount: vat,
        }],
        subtotal: net,
        vat_total: vat,
        total: net + vat,
        notes: None,
    };
    Ok(Unmade { invoice, appearance, id: 0, e_invoice: None })
}

impl Made {
    /// Whether the document must be stored, which applies to all documents except drafts.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.version != Version::Draft
    }

    /// Returns the bytes of the document in a format.
    ///
    /// # Errors
    /// The invoice cannot be an e-invoice.
    pub fn bytes(self, format: Format) -> Result<Vec<u8>, Error> {
        match format {
            Format::Pdf => Ok(self.pdf),
            Format::Ubl => {
                self.e_invoice.map_err(|error| InvoiceError::NotExpressible(error).into())
            }
        }
    }
}

/// Stores a document and its e-invoice, unless a concurrent request has stored them; returns the
/// stored bytes. The SHA-256 of each stored document is appended to the account's hash chain.
///
/// # Errors
/// An e-invoice is requested and the invoice cannot be one, or the storage failed.
pub fn keep(tx: &mut Tx<'_>, cx: &Context, made: &Made, format: Format) -> Result<Vec<u8>, Error> {
    let is_translation = made.version == Version::Translation;
    context::transact(tx, cx, |tx, books, cx| {
        let e_invoice = made
            .e_invoice
            .as_ref()
            .ok()
            .filter(|_| !is_translation)
            .map(|bytes| (Format::Ubl, bytes));
        for (format, bytes) in e_invoice.into_iter().chain([(Format::Pdf, &made.pdf)]) {
            if rows::bytes(tx, cx.actor.account, made.id, format, made.language)?.is_some() {
                continue;
            }
            let sha256: [u8; 32] = Sha256::digest(bytes).into();
            let document = NewDocument {
                invoice: made.id,
                format,
                language: made.language,
                is_translation,
                sha256: &sha256,
                bytes,
            };
            rows::insert(tx, cx.actor.account, &document, cx.now())?;
            let record = DocumentRecord {
                after_entry: 0,
                kind: format.as_str().to_owned(),
                invoice_id: made.id,
                language: made.language.as_str().to_owned(),
                settings: None,
                sha256,
            };
            books.record(tx, record, cx.now())?;
        }
        Ok(())
    })
    .and_then(|()| match rows::bytes(tx, cx.actor.account, made.id, format, made.language)? {
        Some(bytes) => Ok(bytes),
        None => made.clone().bytes(format),
    })
}

fn model(
    details: invoices::InvoiceDetails,
    credited: Option<store::invoices::Invoice>,
    settings: &Settings,
    version: Version,
    language: Language,
) -> Invoice {
    let invoice = details.invoice;
    let is_credit_note = invoice.kind == InvoiceKind::CreditNote;
    // The reason of a credit note is stored as its notes.
    let (kind, notes) = match credited {
        Some(credited) => (
            DocumentKind::CreditNote {
                invoice_number: credited.number,
                invoice_date: credited.invoice_date,
                reason: invoice.notes,
            },
            None,
        ),
        None if invoice.prepayment => (DocumentKind::Prepayment, invoice.notes),
        None => (DocumentKind::Invoice, invoice.notes),
    };
    let is_small_business = settings.is_small_business();
    Invoice {
        kind,
        number: invoice.number,
        version,
        test: settings.is_test(),
        language,
        issue_date: invoice.invoice_date,
        due_date: Some(invoice.due_date).filter(|_| !is_credit_note),
        supply: invoice
            .supply_date
            .map(|first| Period { from: first, until: invoice.supply_until.unwrap_or(first) }),
        seller: settings.seller(),
        buyer: buyer(invoice.customer),
        reference: invoice.reference,
        order_number: invoice.particulars.order_number,
        buyer_reference: invoice.particulars.buyer_reference,
        lines: shown_lines(details.lines, &details.shown.lines, is_small_business),
        prices_include_vat: invoice.prices_include_vat,
        lines_total: details.shown.lines_total,
        discount: details.shown.discount,
        discount_percent: invoice.particulars.discount.percent(),
        discount_description: invoice.particulars.discount_description,
        vat: shown_groups(&details.groups, &details.shown.discounts, is_small_business),
        subtotal: invoice.subtotal,
        vat_total: invoice.vat_total,
        total: invoice.total,
        notes,
    }
}

/// Returns the VAT treatment of a line on the documents of a business, which may be under the small
/// businesses scheme.
fn treatment_under(
    is_small_business: bool,
    category: VatCategory,
    supply: Option<Supply>,
    country: Option<CountryCode>,
) -> VatTreatment {
    match treatment(category, supply, country) {
        VatTreatment::Exempt if is_small_business => VatTreatment::ExemptUnderKor,
        other => other,
    }
}

/// Returns lines as shown on documents, with their amounts.
pub(super) fn shown_lines(
    lines: Vec<(ledger::invoice::Line, Cents)>,
    amounts: &[LineAmounts],
    is_small_business: bool,
) -> Vec<Line> {
    let shown = lines.into_iter().zip(amounts).map(|((line, _), amounts)| Line {
        treatment: treatment_under(
            is_small_business,
            line.vat_category,
            Some(line.supply),
            line.tax_country,
        ),
        gross: amounts.gross,
        discount: amounts.discount,
        discount_percent: line.discount.percent(),
        amount: amounts.amount,
        amount_incl_vat: amounts.amount_incl_vat,
        description: line.description,
        quantity: line.quantity,
        unit: line.unit,
        unit_price: line.unit_price,
        vat_rate: line.vat_rate,
    });
    shown.collect()
}

/// Returns VAT groups as shown on documents. Goods and services that another country taxes at one
/// rate are one row.
pub(super) fn shown_groups(
    groups: &[ledger::invoice::VatGroup],
    discounts: &[(GroupKey, Cents)],
    is_small_business: bool,
) -> Vec<VatGroup> {
    let mut shown: Vec<VatGroup> = Vec::with_capacity(groups.len());
    for group in groups {
        let treatment =
            treatment_under(is_small_business, group.category, group.supply, group.tax_country);
        let discount = discounts.iter().find(|(key, _)| *key == group.key());
        let discount = discount.map_or(Cents::ZERO, |(_, discount)| *discount);
        let is_same = |other: &&mut VatGroup| {
            group.category == VatCategory::Oss
                && (other.rate, other.treatment) == (group.rate, treatment)
        };
        match shown.iter_mut().find(is_same) {
            Some(other) => {
                other.discount += discount;
                other.base += group.base;
                other.amount += group.amount;
            }
            None => shown.push(VatGroup {
                rate: group.rate,
                treatment,
                discount,
                base: group.base,
                amount: group.amount,
            }),
        }
    }
    shown
}

/// Returns the buyer as shown on documents.
pub(super) fn buyer(party: Party) -> Buyer {
    Buyer {
        is_business: party.known_kind() == Some(CustomerKind::Business),
        peppol_id: party.peppol_id.as_deref().and_then(|id| PeppolId::parse(id).ok()),
        address: address(&party.street, &party.postal_code, &party.city, party.country),
        name: party.name,
        contact_person: party.contact_person,
        email: party.email,
        vat_number: party.vat_number.as_deref().and_then(|text| VatNumber::of_customer(text).ok()),
        kvk_number: party.kvk_number.as_deref().and_then(|text| KvkNumber::parse(text).ok()),
    }
}

fn address(
    street: &Option<String>,
    postal_code: &Option<String>,
    city: &Option<String>,
    country: CountryCode,
) -> Address {
    Address {
        street: street.clone(),
        postal_code: postal_code.clone(),
        city: city.clone(),
        country,
    }
}

/// Returns the VAT treatment of a line, as shown on documents.
pub(crate) fn treatment(
    category: VatCategory,
    supply: Option<Supply>,
    tax_country: Option<CountryCode>,
) -> VatTreatment {
    match (category, supply) {
        (VatCategory::Oss, _) => tax_country.map_or(VatTreatment::Standard, VatTreatment::Foreign),
        (VatCategory::Standard, _) => VatTreatment::Standard,
        (VatCategory::Zero, _) => VatTreatment::Zero,
        (VatCategory::Exempt | VatCategory::ExemptCounted, _) => VatTreatment::Exempt,
        (VatCategory::SmallBusiness, _) => VatTreatment::SmallBusiness,
        (VatCategory::SmallBusinessEu, _) => VatTreatment::EuService,
        (VatCategory::ReverseCharge, _) => VatTreatment::ReverseCharge,
        (VatCategory::IntraCommunity, Some(Supply::Goods)) => VatTreatment::EuGoods,
        (VatCategory::IntraCommunity, Some(Supply::Triangular)) => VatTreatment::Triangular,
        (VatCategory::IntraCommunity, Some(Supply::Services | Supply::Electronic) | None) => {
            VatTreatment::EuService
        }
        (VatCategory::Export, _) => VatTreatment::Export,
        (VatCategory::ServiceOutsideEu, _) => VatTreatment::ServiceOutsideEu,
        (VatCategory::OutOfScope, _) => VatTreatment::OutOfScope,
    }
}
