-- EC sales lists (ICP): filed versions, and VAT numbers given to sent invoices.

ALTER TABLE invoices ADD COLUMN icp_vat_number TEXT;
CREATE INDEX postings_to_the_eu ON postings (account_id, entry_id) WHERE vat_box = '3b';

CREATE TABLE icp_filings (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    first_day TEXT NOT NULL,
    filed_at INTEGER NOT NULL,
    reopened_at INTEGER,
    PRIMARY KEY (account_id, period, version)
) STRICT, WITHOUT ROWID;

-- Amounts in cents and in declared whole euros; corrects_period is '' for the list's own rows.
CREATE TABLE icp_filing_rows (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    corrects_period TEXT NOT NULL,
    vat_number TEXT NOT NULL,
    goods INTEGER NOT NULL,
    services INTEGER NOT NULL,
    triangular INTEGER NOT NULL,
    declared_goods INTEGER NOT NULL,
    declared_services INTEGER NOT NULL,
    declared_triangular INTEGER NOT NULL,
    PRIMARY KEY (account_id, period, version, corrects_period, vat_number),
    FOREIGN KEY (account_id, period, version) REFERENCES icp_filings (account_id, period, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE icp_vat_numbers (
    account_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    change INTEGER NOT NULL,
    command_invoice_id INTEGER NOT NULL,
    command_change INTEGER NOT NULL,
    vat_number TEXT NOT NULL,
    previous TEXT,
    recorded_at INTEGER NOT NULL,
    undone_at INTEGER,
    PRIMARY KEY (account_id, invoice_id, change),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX icp_vat_numbers_by_command ON icp_vat_numbers (account_id, command_invoice_id, command_change);
