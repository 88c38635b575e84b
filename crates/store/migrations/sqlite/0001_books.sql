-- The books. Every table of the books has account_id first in its key; look-up tables are keyed by what they are looked up with.
-- Amounts are euro cents, hours are hundredths of an hour, decimals and dates are text, moments are microseconds since 1970 (UTC).

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    plan TEXT NOT NULL,
    vat_period TEXT NOT NULL,
    payment_term_days INTEGER NOT NULL,
    number_pattern TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER,
    UNIQUE (account_id, id)
) STRICT, WITHOUT ROWID;

-- One row per account: the last id given out per noun and the head of the hash chain. It is also the account's write lock on PostgreSQL.
CREATE TABLE books (
    account_id INTEGER NOT NULL PRIMARY KEY REFERENCES accounts (id),
    last_api_key INTEGER NOT NULL,
    last_contact INTEGER NOT NULL,
    last_invoice INTEGER NOT NULL,
    last_payment INTEGER NOT NULL,
    last_expense INTEGER NOT NULL,
    last_manual INTEGER NOT NULL,
    last_project INTEGER NOT NULL,
    last_time_entry INTEGER NOT NULL,
    last_hours_log INTEGER NOT NULL,
    last_entry INTEGER NOT NULL,
    head_hash BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- The last number given out in the invoice series of a year.
CREATE TABLE number_series (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (account_id, year)
) STRICT, WITHOUT ROWID;

CREATE TABLE contacts (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
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
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX contacts_by_external_id ON contacts (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX contacts_by_name ON contacts (account_id, name);

CREATE TABLE invoices (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    kind TEXT NOT NULL,
    number TEXT NOT NULL,
    number_year INTEGER NOT NULL,
    number_in_year INTEGER NOT NULL,
    status TEXT NOT NULL,
    invoice_date TEXT NOT NULL,
    due_date TEXT NOT NULL,
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
    reference TEXT,
    notes TEXT,
    subtotal INTEGER NOT NULL,
    vat_total INTEGER NOT NULL,
    total INTEGER NOT NULL,
    amount_paid INTEGER NOT NULL,
    amount_credited INTEGER NOT NULL,
    paid_at TEXT,
    credited_invoice_id INTEGER,
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invoices_by_external_id ON invoices (account_id, kind, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX invoices_by_number ON invoices (account_id, number);
CREATE INDEX credit_notes_by_invoice ON invoices (account_id, credited_invoice_id) WHERE credited_invoice_id IS NOT NULL;

-- Items are written by the statement after their invoice's; a foreign key would cost PostgreSQL a look-up per row (measured: a tenth
-- of all the work of an invoice). `verify` finds what belongs to nothing.
CREATE TABLE invoice_items (
    account_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    vat_category TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, invoice_id, line)
) STRICT, WITHOUT ROWID;

-- Credit notes whose VAT is not the rate of their own base, because they take back the last of an invoice.
CREATE TABLE vat_corrections (
    account_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    vat_category TEXT NOT NULL,
    difference INTEGER NOT NULL,
    PRIMARY KEY (account_id, invoice_id, vat_basis_points, vat_category)
) STRICT, WITHOUT ROWID;

-- Counts and sums per VAT period that no posting tells, kept in the same transaction as what they count.
CREATE TABLE quarter_totals (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    quarter INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    invoices INTEGER NOT NULL,
    drafts INTEGER NOT NULL,
    draft_vat INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    outstanding INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, quarter)
) STRICT, WITHOUT ROWID;

CREATE TABLE payments (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    external_id TEXT,
    date TEXT NOT NULL,
    amount INTEGER NOT NULL,
    method TEXT NOT NULL,
    reference TEXT,
    entry_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payments_by_external_id ON payments (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_invoice ON payments (account_id, invoice_id);

CREATE TABLE expenses (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    date TEXT NOT NULL,
    description TEXT NOT NULL,
    cost_account INTEGER NOT NULL,
    net INTEGER NOT NULL,
    vat_treatment TEXT NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    vat INTEGER NOT NULL,
    paid_from TEXT,
    entry_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX expenses_by_external_id ON expenses (account_id, external_id) WHERE external_id IS NOT NULL;

-- The journal: append-only. Rows are never updated and never deleted; the triggers below refuse both.
CREATE TABLE entries (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    date TEXT NOT NULL,
    description TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_id INTEGER NOT NULL,
    reverses_entry_id INTEGER,
    hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_by_date ON entries (account_id, date, id);
CREATE INDEX entries_by_source ON entries (account_id, source_type, source_id);

CREATE TABLE postings (
    account_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    account_code INTEGER NOT NULL,
    debit INTEGER NOT NULL,
    credit INTEGER NOT NULL,
    vat_box TEXT NOT NULL,
    PRIMARY KEY (account_id, entry_id, line)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'journal entries are never changed'); END;
CREATE TRIGGER entries_never_go BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'journal entries are never deleted'); END;
CREATE TRIGGER postings_never_change BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings are never changed'); END;
CREATE TRIGGER postings_never_go BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings are never deleted'); END;

-- Sums of the postings per month, account and VAT box ('' where none), kept in the same transaction as the postings.
CREATE TABLE period_totals (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    account_code INTEGER NOT NULL,
    vat_box TEXT NOT NULL,
    debit INTEGER NOT NULL,
    credit INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, month, account_code, vat_box)
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    contact_id INTEGER,
    status TEXT NOT NULL,
    hourly_rate INTEGER,
    hours_logged INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE time_entries (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    project_id INTEGER NOT NULL,
    date TEXT NOT NULL,
    hours INTEGER NOT NULL,
    description TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX time_entries_by_external_id ON time_entries (account_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE hours_log (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    date TEXT NOT NULL,
    hours INTEGER NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX hours_log_by_external_id ON hours_log (account_id, external_id) WHERE external_id IS NOT NULL;

-- Hours of one day over all projects and the hours log, kept in the same transaction.
CREATE TABLE day_hours (
    account_id INTEGER NOT NULL,
    date TEXT NOT NULL,
    project_hours INTEGER NOT NULL,
    logged_hours INTEGER NOT NULL,
    PRIMARY KEY (account_id, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE vat_filings (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    quarter INTEGER NOT NULL,
    status TEXT NOT NULL,
    filed_at INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    payable INTEGER NOT NULL,
    declared_payable INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, quarter)
) STRICT, WITHOUT ROWID;

CREATE TABLE vat_filing_boxes (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    quarter INTEGER NOT NULL,
    line INTEGER NOT NULL,
    vat_box TEXT NOT NULL,
    turnover INTEGER,
    vat INTEGER,
    declared_turnover INTEGER,
    declared_vat INTEGER,
    PRIMARY KEY (account_id, year, quarter, line),
    FOREIGN KEY (account_id, year, quarter) REFERENCES vat_filings (account_id, year, quarter)
) STRICT, WITHOUT ROWID;

-- What the planner is to think of the tables, for good: accounts hold many rows, and an index with more of what is asked for finds
-- fewer of them. Without this it walks all rows of an account rather than look twice.
ANALYZE;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('contacts', 'contacts', '1000000 10000 1'),
    ('contacts', 'contacts_by_name', '1000000 10000 2'),
    ('contacts', 'contacts_by_external_id', '1000000 10000 1'),
    ('invoices', 'invoices', '1000000 10000 1'),
    ('invoices', 'invoices_by_external_id', '1000000 10000 10000 1'),
    ('invoices', 'invoices_by_number', '1000000 10000 1'),
    ('invoices', 'credit_notes_by_invoice', '10000 100 1'),
    ('payments', 'payments', '1000000 10000 1'),
    ('payments', 'payments_by_invoice', '1000000 10000 1'),
    ('payments', 'payments_by_external_id', '1000000 10000 1'),
    ('entries', 'entries', '2000000 20000 1'),
    ('entries', 'entries_by_date', '2000000 20000 60 1'),
    ('entries', 'entries_by_source', '2000000 20000 5000 1');
