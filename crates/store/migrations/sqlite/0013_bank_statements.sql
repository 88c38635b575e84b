-- Bank statements: uploads with the statements in them, their balances, and the lines that they brought.

ALTER TABLE books ADD COLUMN last_bank_statement INTEGER NOT NULL DEFAULT 0;
ALTER TABLE books ADD COLUMN last_bank_line INTEGER NOT NULL DEFAULT 0;

-- Uploads. A checksum is the SHA-256 of all other values of a row, and here also of the rows that belong to it.
CREATE TABLE bank_statements (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    sha256 BLOB NOT NULL,
    name TEXT,
    size INTEGER NOT NULL,
    format TEXT NOT NULL,
    dialect TEXT,
    status TEXT NOT NULL,
    -- A line per warning: file, line of the file, code and values, separated by tabs.
    warnings TEXT NOT NULL,
    -- Number of all warnings, of which the first are listed.
    warning_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
-- A file can come again after it was undone.
CREATE UNIQUE INDEX bank_statements_by_hash ON bank_statements (account_id, sha256) WHERE status = 'taken';
CREATE UNIQUE INDEX bank_statements_by_external_id ON bank_statements (account_id, external_id)
    WHERE external_id IS NOT NULL AND status = 'taken';

CREATE TABLE bank_statement_files (
    account_id INTEGER NOT NULL,
    statement_id INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (account_id, statement_id)
) STRICT;

-- Statements of one bank account in an upload.
CREATE TABLE bank_statement_parts (
    account_id INTEGER NOT NULL,
    statement_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    -- Name in the archive.
    file TEXT,
    bank_account_id INTEGER NOT NULL,
    -- Account as the file names it.
    account_name TEXT,
    number TEXT,
    date_from TEXT,
    date_to TEXT,
    opening_on TEXT,
    opening INTEGER,
    closing_on TEXT,
    closing INTEGER,
    lines INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    known INTEGER NOT NULL,
    ignored INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    doubtful INTEGER NOT NULL,
    PRIMARY KEY (account_id, statement_id, line)
) STRICT, WITHOUT ROWID;

-- Balances at the end of days, of statements that are not undone.
CREATE TABLE bank_balances (
    account_id INTEGER NOT NULL,
    statement_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    bank_account_id INTEGER NOT NULL,
    date TEXT NOT NULL,
    amount INTEGER NOT NULL,
    -- Whether it is the opening balance of a statement, on the day before its first line.
    is_opening INTEGER NOT NULL,
    PRIMARY KEY (account_id, statement_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_balances_by_date ON bank_balances (account_id, bank_account_id, date);

CREATE TABLE bank_lines (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    bank_account_id INTEGER NOT NULL,
    date TEXT NOT NULL,
    value_date TEXT,
    amount INTEGER NOT NULL,
    balance_after INTEGER,
    name TEXT,
    iban TEXT,
    text TEXT NOT NULL,
    kind TEXT NOT NULL,
    end_to_end_id TEXT,
    mandate_id TEXT,
    creditor_id TEXT,
    bank_reference TEXT,
    payment_reference TEXT,
    original_amount TEXT,
    original_currency TEXT,
    original_rate TEXT,
    -- A line per payment of a batch: amount, name, IBAN, text, end-to-end id, separated by tabs.
    parts TEXT NOT NULL,
    return_reason TEXT,
    -- Layout of the file that brought the line. Lines are compared by that file's values.
    layout TEXT NOT NULL,
    -- Columns that a later file filled, separated by blanks.
    learned TEXT NOT NULL,
    state TEXT NOT NULL,
    state_reason TEXT,
    note TEXT,
    duplicate_of INTEGER,
    booked_by TEXT,
    -- Of the booking.
    external_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_lines_by_date ON bank_lines (account_id, bank_account_id, date);
CREATE INDEX bank_lines_by_external_id ON bank_lines (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX bank_lines_by_state ON bank_lines (account_id, state, id);

-- Lines of statements that are not undone; a line can be in several.
CREATE TABLE bank_line_statements (
    account_id INTEGER NOT NULL,
    line_id INTEGER NOT NULL,
    statement_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, line_id, statement_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_line_statements_by_statement ON bank_line_statements (account_id, statement_id);

-- Parts of the amounts of booked lines. What target_id and parent_id are follows from the kind: a payment and its invoice, a
-- transfer and its other bank account, an event, an entry.
CREATE TABLE bank_allocations (
    account_id INTEGER NOT NULL,
    line_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    amount INTEGER NOT NULL,
    parent_id INTEGER,
    target_id INTEGER,
    -- Separated by blanks.
    entry_ids TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, line_id, line)
) STRICT, WITHOUT ROWID;

-- Journal entries of booked lines; that of a transfer can belong to the lines of both bank accounts.
CREATE TABLE bank_line_entries (
    account_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    line_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, entry_id, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_line_entries_by_line ON bank_line_entries (account_id, line_id);

-- Transfers of which one half is not booked, because the line of its bank account has not come.
CREATE INDEX events_by_awaited ON events (account_id, id) WHERE kind = 'transfer' AND variant IS NOT NULL;
