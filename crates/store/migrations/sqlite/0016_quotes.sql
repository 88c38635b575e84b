-- Quotes, with their documents, decisions and invoices, and links to the pages of customers. Nothing of a quote is booked.

ALTER TABLE books ADD COLUMN last_quote INTEGER NOT NULL DEFAULT 0;
-- Pattern of quote numbers; that of the program unless the owner sets one.
ALTER TABLE invoice_settings ADD COLUMN quote_pattern TEXT;
ALTER TABLE invoices ADD COLUMN quote_id INTEGER;
CREATE INDEX invoices_by_quote ON invoices (account_id, quote_id) WHERE quote_id IS NOT NULL;
ALTER TABLE mails ADD COLUMN quote_id INTEGER;
CREATE INDEX mails_by_quote ON mails (account_id, quote_id) WHERE quote_id IS NOT NULL;

-- A checksum is the SHA-256 of all other values of a row, and here also of its lines and invoices.
CREATE TABLE quotes (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    number TEXT NOT NULL,
    number_year INTEGER NOT NULL,
    number_in_year INTEGER NOT NULL,
    status TEXT NOT NULL,
    quote_date TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    contact_id INTEGER NOT NULL,
    customer_external_id TEXT,
    customer_name TEXT NOT NULL,
    customer_country TEXT NOT NULL,
    customer_email TEXT,
    customer_vat_number TEXT,
    customer_kvk_number TEXT,
    customer_contact_person TEXT,
    customer_street TEXT,
    customer_postal_code TEXT,
    customer_city TEXT,
    customer_kind TEXT,
    customer_language TEXT,
    customer_phone TEXT,
    customer_payment_term_days TEXT,
    customer_vat_default_rate TEXT,
    customer_vat_default_category TEXT,
    customer_vat_default_supply TEXT,
    customer_peppol_id TEXT,
    customer_emails TEXT,
    reference TEXT,
    notes TEXT,
    subtotal INTEGER NOT NULL,
    vat_total INTEGER NOT NULL,
    total INTEGER NOT NULL,
    prices_include_vat INTEGER NOT NULL,
    payment_term_days INTEGER,
    -- Hundredths of a per cent.
    prepayment_percent INTEGER,
    on_accept TEXT NOT NULL,
    -- Cause if the step after the acceptance was refused.
    on_accept_refused TEXT,
    replaces_id INTEGER,
    -- Language and settings with which it was sent.
    language TEXT,
    settings BLOB,
    sent_at INTEGER,
    decided_by TEXT,
    decided_name TEXT,
    decided_at INTEGER,
    decided_note TEXT,
    -- SHA-256 of the PDF that the customer saw.
    decided_on BLOB,
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX quotes_by_external_id ON quotes (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX quotes_by_number ON quotes (account_id, number_year, number_in_year);
CREATE INDEX quotes_by_contact ON quotes (account_id, contact_id);
CREATE INDEX quotes_by_status ON quotes (account_id, status, valid_until);

-- Columns as in invoice_items.
CREATE TABLE quote_items (
    account_id INTEGER NOT NULL,
    quote_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    vat_category TEXT NOT NULL,
    supply TEXT NOT NULL,
    tax_country TEXT,
    sets_off INTEGER,
    rounding INTEGER NOT NULL DEFAULT 0,
    account_code INTEGER,
    amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, quote_id, line)
) STRICT, WITHOUT ROWID;

-- Invoices made from a quote.
CREATE TABLE quote_invoices (
    account_id INTEGER NOT NULL,
    quote_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    part TEXT NOT NULL,
    PRIMARY KEY (account_id, quote_id, invoice_id)
) STRICT, WITHOUT ROWID;

-- PDF files of sent quotes, whose bytes never change.
CREATE TABLE quote_documents (
    account_id INTEGER NOT NULL,
    quote_id INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, quote_id)
) STRICT;

-- Address and browser of a customer who decided; removed after 90 days.
CREATE TABLE quote_visitors (
    account_id INTEGER NOT NULL,
    quote_id INTEGER NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, quote_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quote_visitors_by_time ON quote_visitors (created_at);

-- Links of the customers' pages of quotes and invoices that were opened, renewed or withdrawn. A token contains the document and the number of the link.
CREATE TABLE quote_links (
    account_id INTEGER NOT NULL,
    quote_id INTEGER NOT NULL,
    -- The first link is 1; a renewed one gets the next number.
    number INTEGER NOT NULL,
    withdrawn_at INTEGER,
    opened_at INTEGER,
    last_opened_at INTEGER,
    open_count INTEGER NOT NULL,
    PRIMARY KEY (account_id, quote_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE invoice_links (
    account_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    -- The first link is 1; a renewed one gets the next number.
    number INTEGER NOT NULL,
    withdrawn_at INTEGER,
    opened_at INTEGER,
    last_opened_at INTEGER,
    open_count INTEGER NOT NULL,
    PRIMARY KEY (account_id, invoice_id)
) STRICT, WITHOUT ROWID;
