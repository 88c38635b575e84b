-- Union scheme (OSS): registrations, the country that taxes a line, and filed returns.

-- 'NL' on a line that is taxed here although the customer is abroad: the supply was handed over here.
ALTER TABLE invoice_items ADD COLUMN tax_country TEXT;
CREATE INDEX items_of_oss ON invoice_items (account_id, invoice_id) WHERE vat_category = 'oss';

CREATE TABLE old_corrections AS SELECT * FROM vat_corrections;
DROP TABLE vat_corrections;
CREATE TABLE vat_corrections (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    -- Empty if the category does not distinguish supplies.
    supply TEXT NOT NULL,
    -- Empty except under the Union scheme.
    tax_country TEXT NOT NULL DEFAULT '',
    difference BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, vat_basis_points, vat_category, supply, tax_country)
);
INSERT INTO vat_corrections
SELECT account_id, invoice_id, vat_basis_points, vat_category, supply, '', difference FROM old_corrections;
DROP TABLE old_corrections;

CREATE TABLE oss_registrations (
    account_id BIGINT NOT NULL,
    valid_from DATE NOT NULL,
    ground TEXT NOT NULL,
    valid_until DATE,
    noted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, valid_from)
);

CREATE TABLE oss_filings (
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    filed_at TIMESTAMPTZ NOT NULL,
    reopened_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, period, version)
);

-- Amounts in cents. corrects_period is '' for the return's own rows; a correction has no supply and no rate.
CREATE TABLE oss_filing_rows (
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    corrects_period TEXT NOT NULL,
    country TEXT NOT NULL,
    supply TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    base BIGINT NOT NULL,
    vat BIGINT NOT NULL,
    PRIMARY KEY (account_id, period, version, corrects_period, country, supply, vat_basis_points),
    FOREIGN KEY (account_id, period, version) REFERENCES oss_filings (account_id, period, version)
);

ALTER TABLE vat_payments ADD COLUMN oss_period TEXT;
