-- Quotes, with their documents, decisions and invoices, and links to the pages of customers. Nothing of a quote is booked.

ALTER TABLE books ADD COLUMN last_quote BIGINT NOT NULL DEFAULT 0;
-- Pattern of quote numbers; that of the program unless the owner sets one.
ALTER TABLE invoice_settings ADD COLUMN quote_pattern TEXT;
ALTER TABLE invoices ADD COLUMN quote_id BIGINT;
CREATE INDEX invoices_by_quote ON invoices (account_id, quote_id) WHERE quote_id IS NOT NULL;
ALTER TABLE mails ADD COLUMN quote_id BIGINT;
CREATE INDEX mails_by_quote ON mails (account_id, quote_id) WHERE quote_id IS NOT NULL;

-- A checksum is the SHA-256 of all other values of a row, and here also of its lines and invoices.
CREATE TABLE quotes (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    number TEXT NOT NULL,
    number_year BIGINT NOT NULL,
    number_in_year BIGINT NOT NULL,
    status TEXT NOT NULL,
    quote_date DATE NOT NULL,
    valid_until DATE NOT NULL,
    contact_id BIGINT NOT NULL,
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
    subtotal BIGINT NOT NULL,
    vat_total BIGINT NOT NULL,
    total BIGINT NOT NULL,
    prices_include_vat BIGINT NOT NULL,
    payment_term_days BIGINT,
    -- Hundredths of a per cent.
    prepayment_percent BIGINT,
    on_accept TEXT NOT NULL,
    -- Cause if the step after the acceptance was refused.
    on_accept_refused TEXT,
    replaces_id BIGINT,
    -- Language and settings with which it was sent.
    language TEXT,
    settings BYTEA,
    sent_at TIMESTAMPTZ,
    decided_by TEXT,
    decided_name TEXT,
    decided_at TIMESTAMPTZ,
    decided_note TEXT,
    -- SHA-256 of the PDF that the customer saw.
    decided_on BYTEA,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    checksum BYTEA NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX quotes_by_external_id ON quotes (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX quotes_by_number ON quotes (account_id, number_year, number_in_year);
CREATE INDEX quotes_by_contact ON quotes (account_id, contact_id);
CREATE INDEX quotes_by_status ON quotes (account_id, status, valid_until);

-- Columns as in invoice_items.
CREATE TABLE quote_items (
    account_id BIGINT NOT NULL,
    quote_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    supply TEXT NOT NULL,
    tax_country TEXT,
    sets_off BIGINT,
    rounding BIGINT NOT NULL DEFAULT 0,
    account_code BIGINT,
    amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, quote_id, line)
);

-- Invoices made from a quote.
CREATE TABLE quote_invoices (
    account_id BIGINT NOT NULL,
    quote_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    part TEXT NOT NULL,
    PRIMARY KEY (account_id, quote_id, invoice_id)
);

-- PDF files of sent quotes, whose bytes never change.
CREATE TABLE quote_documents (
    account_id BIGINT NOT NULL,
    quote_id BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    size BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, quote_id)
);
ALTER TABLE quote_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Address and browser of a customer who decided; removed after 90 days.
CREATE TABLE quote_visitors (
    account_id BIGINT NOT NULL,
    quote_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, quote_id)
);
CREATE INDEX quote_visitors_by_time ON quote_visitors (created_at);

-- Links of the customers' pages of quotes and invoices that were opened, renewed or withdrawn. A token contains the document and the number of the link.
CREATE TABLE quote_links (
    account_id BIGINT NOT NULL,
    quote_id BIGINT NOT NULL,
    -- The first link is 1; a renewed one gets the next number.
    number BIGINT NOT NULL,
    withdrawn_at TIMESTAMPTZ,
    opened_at TIMESTAMPTZ,
    last_opened_at TIMESTAMPTZ,
    open_count BIGINT NOT NULL,
    PRIMARY KEY (account_id, quote_id)
);

CREATE TABLE invoice_links (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    -- The first link is 1; a renewed one gets the next number.
    number BIGINT NOT NULL,
    withdrawn_at TIMESTAMPTZ,
    opened_at TIMESTAMPTZ,
    last_opened_at TIMESTAMPTZ,
    open_count BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id)
);
