-- Union scheme (OSS): registrations, the country that taxes a line, and filed returns.

-- 'NL' on a line that is taxed here although the customer is abroad: the supply was handed over here.
ALTER TABLE invoice_items ADD COLUMN tax_country TEXT;
CREATE INDEX items_of_oss ON invoice_items (account_id, invoice_id) WHERE vat_category = 'oss';

CREATE TABLE old_corrections AS SELECT * FROM vat_corrections;
DROP TABLE vat_corrections;
CREATE TABLE vat_corrections (
    account_id INTEGER NOT NULL,
    invoice_id INTEGER NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    vat_category TEXT NOT NULL,
    -- Empty if the category does not distinguish supplies.
    supply TEXT NOT NULL,
    -- Empty except under the Union scheme.
    tax_country TEXT NOT NULL DEFAULT '',
    difference INTEGER NOT NULL,
    PRIMARY KEY (account_id, invoice_id, vat_basis_points, vat_category, supply, tax_country)
) STRICT, WITHOUT ROWID;
INSERT INTO vat_corrections
SELECT account_id, invoice_id, vat_basis_points, vat_category, supply, '', difference FROM old_corrections;
DROP TABLE old_corrections;

CREATE TABLE oss_registrations (
    account_id INTEGER NOT NULL,
    valid_from TEXT NOT NULL,
    ground TEXT NOT NULL,
    valid_until TEXT,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, valid_from)
) STRICT, WITHOUT ROWID;

CREATE TABLE oss_filings (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    filed_at INTEGER NOT NULL,
    reopened_at INTEGER,
    PRIMARY KEY (account_id, period, version)
) STRICT, WITHOUT ROWID;

-- Amounts in cents. corrects_period is '' for the return's own rows; a correction has no supply and no rate.
CREATE TABLE oss_filing_rows (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    corrects_period TEXT NOT NULL,
    country TEXT NOT NULL,
    supply TEXT NOT NULL,
    vat_basis_points INTEGER NOT NULL,
    base INTEGER NOT NULL,
    vat INTEGER NOT NULL,
    PRIMARY KEY (account_id, period, version, corrects_period, country, supply, vat_basis_points),
    FOREIGN KEY (account_id, period, version) REFERENCES oss_filings (account_id, period, version)
) STRICT, WITHOUT ROWID;

ALTER TABLE vat_payments ADD COLUMN oss_period TEXT;
