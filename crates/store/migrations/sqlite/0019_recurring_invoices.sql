-- Recurring invoices with their occurrences, and the queue of accounts for which something falls due by itself.

ALTER TABLE books ADD COLUMN last_recurring INTEGER NOT NULL DEFAULT 0;
-- Occurrence of a recurring invoice from which an invoice was made.
ALTER TABLE invoices ADD COLUMN recurring_id INTEGER;
ALTER TABLE invoices ADD COLUMN occurrence_number INTEGER;
ALTER TABLE invoices ADD COLUMN occurrence_date TEXT;
CREATE INDEX invoices_by_recurring ON invoices (account_id, recurring_id) WHERE recurring_id IS NOT NULL;

-- A checksum is the SHA-256 of all other values of a row; that of a recurring invoice also covers its lines.
CREATE TABLE recurring_invoices (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    status TEXT NOT NULL,
    paused_because TEXT,
    -- Code of the refusal because of which it is paused.
    cause TEXT,
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
    -- Whether the details differ from those of the contact, whose later changes then do not count.
    own_details INTEGER NOT NULL,
    reference TEXT,
    notes TEXT,
    discount_percent TEXT,
    discount_amount INTEGER,
    discount_description TEXT,
    order_number TEXT,
    buyer_reference TEXT,
    language TEXT,
    -- Day for which the lines were priced.
    priced_on TEXT NOT NULL,
    subtotal INTEGER NOT NULL,
    vat_total INTEGER NOT NULL,
    total INTEGER NOT NULL,
    prices_include_vat INTEGER NOT NULL,
    payment_term_days INTEGER,
    every_unit TEXT NOT NULL,
    every_count INTEGER NOT NULL,
    last_day_of_month INTEGER NOT NULL,
    first_date TEXT NOT NULL,
    -- Number of the occurrence on the first date.
    first_number INTEGER NOT NULL,
    last_date TEXT,
    occurrence_count INTEGER,
    deliver TEXT NOT NULL,
    supply_period TEXT NOT NULL,
    -- The next occurrence that is neither made, nor skipped, nor waiting.
    next_number INTEGER NOT NULL,
    next_date TEXT,
    -- Emails that did not reach the customer since the last resumption.
    bounces INTEGER NOT NULL,
    -- Day on which the owner was told that its emails wait for a limit.
    postponed_on TEXT,
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX recurring_invoices_by_external_id ON recurring_invoices (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX recurring_invoices_by_contact ON recurring_invoices (account_id, contact_id);
CREATE INDEX recurring_invoices_by_status ON recurring_invoices (account_id, status, next_date);

-- Columns as in invoice_items.
CREATE TABLE recurring_items (
    account_id INTEGER NOT NULL,
    recurring_id INTEGER NOT NULL,
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
    unit TEXT,
    discount_percent TEXT,
    discount_amount INTEGER,
    credits_line INTEGER,
    amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, recurring_id, line)
) STRICT, WITHOUT ROWID;

-- Occurrences that were made or skipped, or that wait. The key makes sure that each is made once.
CREATE TABLE recurring_occurrences (
    account_id INTEGER NOT NULL,
    recurring_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    date TEXT NOT NULL,
    status TEXT NOT NULL,
    invoice_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, recurring_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX recurring_occurrences_by_status ON recurring_occurrences (account_id, status, date);

-- Accounts for which something falls due by itself, at a time of the server, and the node that works on it.
CREATE TABLE due_work (
    account_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    node TEXT,
    leased_until INTEGER,
    PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_work_by_time ON due_work (due_at);
