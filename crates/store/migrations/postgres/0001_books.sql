-- The books. Every table of the books has account_id first in its key; look-up tables are keyed by what they are looked up with.
-- Amounts are euro cents, hours are hundredths of an hour, decimals are text, dates and moments are the engine's own.

CREATE TABLE accounts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    plan TEXT NOT NULL,
    vat_period TEXT NOT NULL,
    payment_term_days BIGINT NOT NULL,
    number_pattern TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE api_keys (
    hash BYTEA NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ,
    UNIQUE (account_id, id)
);

-- Tables whose rows change with every booking keep room in their pages (fillfactor), so that old versions are cleared away early:
-- measured, reading a row with many old versions took a tenth of the server's time.

-- One row per account: the last id given out per noun and the head of the hash chain. It is also the account's write lock on PostgreSQL.
CREATE TABLE books (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    last_api_key BIGINT NOT NULL,
    last_contact BIGINT NOT NULL,
    last_invoice BIGINT NOT NULL,
    last_payment BIGINT NOT NULL,
    last_expense BIGINT NOT NULL,
    last_manual BIGINT NOT NULL,
    last_project BIGINT NOT NULL,
    last_time_entry BIGINT NOT NULL,
    last_hours_log BIGINT NOT NULL,
    last_entry BIGINT NOT NULL,
    head_hash BYTEA NOT NULL
) WITH (fillfactor = 40);

-- The last number given out in the invoice series of a year.
CREATE TABLE number_series (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (account_id, year)
) WITH (fillfactor = 40);

CREATE TABLE contacts (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    email TEXT,
    vat_number TEXT,
    kvk_number TEXT,
    contact_person TEXT,
    street TEXT,
    postal_code TEXT,
    city TEXT,
    -- Name and e-mail address in lower case, for searching: how a database folds letters depends on its locale.
    folded TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX contacts_by_external_id ON contacts (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX contacts_by_name ON contacts (account_id, name);

CREATE TABLE invoices (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    kind TEXT NOT NULL,
    number TEXT NOT NULL,
    number_year BIGINT NOT NULL,
    number_in_year BIGINT NOT NULL,
    status TEXT NOT NULL,
    invoice_date DATE NOT NULL,
    due_date DATE NOT NULL,
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
    reference TEXT,
    notes TEXT,
    subtotal BIGINT NOT NULL,
    vat_total BIGINT NOT NULL,
    total BIGINT NOT NULL,
    amount_paid BIGINT NOT NULL,
    amount_credited BIGINT NOT NULL,
    paid_at DATE,
    credited_invoice_id BIGINT,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
);
CREATE UNIQUE INDEX invoices_by_external_id ON invoices (account_id, kind, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX invoices_by_number ON invoices (account_id, number);
CREATE INDEX credit_notes_by_invoice ON invoices (account_id, credited_invoice_id) WHERE credited_invoice_id IS NOT NULL;

-- Items are written by the statement after their invoice's; a foreign key would cost PostgreSQL a look-up per row (measured: a tenth
-- of all the work of an invoice). `verify` finds what belongs to nothing.
CREATE TABLE invoice_items (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, line)
);

-- Credit notes whose VAT is not the rate of their own base, because they take back the last of an invoice.
CREATE TABLE vat_corrections (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    difference BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, vat_basis_points, vat_category)
);

-- Counts and sums per VAT period that no posting tells, kept in the same transaction as what they count.
CREATE TABLE quarter_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    invoices BIGINT NOT NULL,
    drafts BIGINT NOT NULL,
    draft_vat BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    outstanding BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, quarter)
) WITH (fillfactor = 40);

CREATE TABLE payments (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    method TEXT NOT NULL,
    reference TEXT,
    entry_id BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
);
CREATE UNIQUE INDEX payments_by_external_id ON payments (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_invoice ON payments (account_id, invoice_id);

CREATE TABLE expenses (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    description TEXT NOT NULL,
    cost_account BIGINT NOT NULL,
    net BIGINT NOT NULL,
    vat_treatment TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat BIGINT NOT NULL,
    paid_from TEXT,
    entry_id BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX expenses_by_external_id ON expenses (account_id, external_id) WHERE external_id IS NOT NULL;

-- The journal: append-only. Rows are never updated and never deleted; the trigger below refuses both.
CREATE TABLE entries (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    date DATE NOT NULL,
    description TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_id BIGINT NOT NULL,
    reverses_entry_id BIGINT,
    hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX entries_by_date ON entries (account_id, date, id);
CREATE INDEX entries_by_source ON entries (account_id, source_type, source_id);

CREATE TABLE postings (
    account_id BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    PRIMARY KEY (account_id, entry_id, line)
);


CREATE FUNCTION journal_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'journal rows are never changed or deleted';
END $$;
CREATE TRIGGER entries_only_grow BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION journal_only_grows();
CREATE TRIGGER postings_only_grow BEFORE UPDATE OR DELETE ON postings FOR EACH ROW EXECUTE FUNCTION journal_only_grows();

-- Sums of the postings per month, account and VAT box ('' where none), kept in the same transaction as the postings.
CREATE TABLE period_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    month BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, month, account_code, vat_box)
) WITH (fillfactor = 40);

CREATE TABLE projects (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    contact_id BIGINT,
    status TEXT NOT NULL,
    hourly_rate BIGINT,
    hours_logged BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE TABLE time_entries (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    project_id BIGINT NOT NULL,
    date DATE NOT NULL,
    hours BIGINT NOT NULL,
    description TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects (account_id, id)
);
CREATE UNIQUE INDEX time_entries_by_external_id ON time_entries (account_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE hours_log (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    hours BIGINT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX hours_log_by_external_id ON hours_log (account_id, external_id) WHERE external_id IS NOT NULL;

-- Hours of one day over all projects and the hours log, kept in the same transaction.
CREATE TABLE day_hours (
    account_id BIGINT NOT NULL,
    date DATE NOT NULL,
    project_hours BIGINT NOT NULL,
    logged_hours BIGINT NOT NULL,
    PRIMARY KEY (account_id, date)
);

CREATE TABLE vat_filings (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    status TEXT NOT NULL,
    filed_at TIMESTAMPTZ NOT NULL,
    entry_id BIGINT NOT NULL,
    payable BIGINT NOT NULL,
    declared_payable BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, quarter)
);

CREATE TABLE vat_filing_boxes (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    line BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    turnover BIGINT,
    vat BIGINT,
    declared_turnover BIGINT,
    declared_vat BIGINT,
    PRIMARY KEY (account_id, year, quarter, line),
    FOREIGN KEY (account_id, year, quarter) REFERENCES vat_filings (account_id, year, quarter)
);
