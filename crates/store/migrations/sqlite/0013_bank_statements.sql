-- Bank statements: uploads with the statements in them, their balances, and the lines that they brought.

ALTER TABLE books ADD COLUMN last_bank_statement INTEGER NOT NULL DEFAULT 0;
ALTER TABLE books ADD COLUMN last_bank_line INTEGER NOT NULL DEFAULT 0;
ALTER TABLE books ADD COLUMN last_bank_rule INTEGER NOT NULL DEFAULT 0;
ALTER TABLE books ADD COLUMN last_bank_mapping INTEGER NOT NULL DEFAULT 0;

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
    -- Rule that booked or ignored the line; it stays when that is undone, so that the rule does not do it again.
    rule_id INTEGER,
    -- Suggestion that was accepted.
    accepted TEXT,
    -- Of the booking.
    external_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_lines_by_bank_account ON bank_lines (account_id, bank_account_id, date, id);
CREATE INDEX bank_lines_by_date ON bank_lines (account_id, date, id);
CREATE INDEX bank_lines_by_external_id ON bank_lines (account_id, external_id) WHERE external_id IS NOT NULL;
-- The sums of a list of lines are read from the index alone.
CREATE INDEX bank_lines_by_state ON bank_lines (account_id, state, date, id, bank_account_id, amount);

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
    -- Booking that other lines can repeat: its kind and fields, separated by tabs.
    template TEXT,
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

-- Suggestions that the owner refused on a line, with the booking that they repeat.
CREATE TABLE bank_refusals (
    account_id INTEGER NOT NULL,
    line_id INTEGER NOT NULL,
    suggestion TEXT NOT NULL,
    template TEXT,
    PRIMARY KEY (account_id, line_id, suggestion)
) STRICT, WITHOUT ROWID;

-- Rules: conditions on a line, and the booking that follows, with its kind and fields separated by tabs.
CREATE TABLE bank_rules (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    bank_account_id INTEGER,
    direction TEXT NOT NULL,
    iban TEXT,
    creditor_id TEXT,
    name_contains TEXT,
    text_contains TEXT,
    amount_from INTEGER,
    amount_to INTEGER,
    outcome TEXT NOT NULL,
    automatic INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX bank_rules_by_external_id ON bank_rules (account_id, external_id) WHERE external_id IS NOT NULL;

-- Mappings: how to read CSV files of banks that are not known.
CREATE TABLE bank_mappings (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Bank account of files that name none.
    bank_account_id INTEGER,
    -- Hash of the first row: files with the same first row are read with this mapping.
    head TEXT,
    -- A line per value: its name and the value, separated by a tab.
    notation TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- Accounts whose new lines wait for automatic rules, and the node that applies them.
CREATE TABLE bank_rule_runs (
    account_id INTEGER NOT NULL,
    queued_at INTEGER NOT NULL,
    node TEXT,
    leased_until INTEGER,
    PRIMARY KEY (account_id)
) STRICT, WITHOUT ROWID;

-- Open items and reversals are looked up for every line.
CREATE INDEX invoices_unsettled ON invoices (account_id)
    WHERE kind = 'invoice' AND status = 'sent' AND total <> amount_paid + amount_credited + amount_written_off;
CREATE INDEX entries_by_reversal ON entries (account_id, reverses_entry_id) WHERE reverses_entry_id IS NOT NULL;

-- Files whose preview was shown, found by their SHA-256; removed after 24 hours.
CREATE TABLE bank_uploads (
    account_id INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    name TEXT,
    bytes BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sha256)
) STRICT;
CREATE INDEX bank_uploads_by_time ON bank_uploads (created_at);

-- Where bills are paid to. A bill of before the column has no due date.
ALTER TABLE contacts ADD COLUMN iban TEXT;
ALTER TABLE contacts ADD COLUMN bic TEXT;
ALTER TABLE expenses ADD COLUMN supplier_invoice_number TEXT;
ALTER TABLE expenses ADD COLUMN due_date TEXT;
ALTER TABLE expenses ADD COLUMN pay_to_name TEXT;
ALTER TABLE expenses ADD COLUMN pay_to_iban TEXT;
ALTER TABLE expenses ADD COLUMN pay_to_bic TEXT;
ALTER TABLE expenses ADD COLUMN pay_to_reference TEXT;

-- Transfers of which one half is not booked, because the line of its bank account has not come.
CREATE INDEX events_by_awaited ON events (account_id, id) WHERE kind = 'transfer' AND variant IS NOT NULL;

ALTER TABLE books ADD COLUMN last_payment_batch INTEGER NOT NULL DEFAULT 0;

-- Batches of payments of bills. The payment file follows from the rows, which never change but for their status and for what bank
-- lines paid.
CREATE TABLE payment_batches (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    bank_account_id INTEGER NOT NULL,
    payer_name TEXT NOT NULL,
    payer_iban TEXT NOT NULL,
    execution_date TEXT NOT NULL,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payment_batches_by_external_id ON payment_batches (account_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE payment_batch_items (
    account_id INTEGER NOT NULL,
    batch_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    expense_id INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    name TEXT NOT NULL,
    iban TEXT NOT NULL,
    bic TEXT,
    reference TEXT NOT NULL,
    paid_amount INTEGER NOT NULL,
    -- Last bank line that paid the bill.
    paid_by_line INTEGER,
    PRIMARY KEY (account_id, batch_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_batch_items_by_expense ON payment_batch_items (account_id, expense_id);
CREATE INDEX bank_allocations_by_parent ON bank_allocations (account_id, parent_id) WHERE parent_id IS NOT NULL;
