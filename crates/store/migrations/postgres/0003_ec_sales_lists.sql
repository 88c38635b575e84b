-- EC sales lists (ICP): filed versions, and VAT numbers given to sent invoices.

ALTER TABLE invoices ADD COLUMN icp_vat_number TEXT;
CREATE INDEX postings_to_the_eu ON postings (account_id, entry_id) WHERE vat_box = '3b';

CREATE TABLE icp_filings (
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    first_day DATE NOT NULL,
    filed_at TIMESTAMPTZ NOT NULL,
    reopened_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, period, version)
);

-- Amounts in cents and in declared whole euros; corrects_period is '' for the list's own rows.
CREATE TABLE icp_filing_rows (
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    corrects_period TEXT NOT NULL,
    vat_number TEXT NOT NULL,
    goods BIGINT NOT NULL,
    services BIGINT NOT NULL,
    triangular BIGINT NOT NULL,
    declared_goods BIGINT NOT NULL,
    declared_services BIGINT NOT NULL,
    declared_triangular BIGINT NOT NULL,
    PRIMARY KEY (account_id, period, version, corrects_period, vat_number),
    FOREIGN KEY (account_id, period, version) REFERENCES icp_filings (account_id, period, version)
);

CREATE TABLE icp_vat_numbers (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    change BIGINT NOT NULL,
    command_invoice_id BIGINT NOT NULL,
    command_change BIGINT NOT NULL,
    vat_number TEXT NOT NULL,
    previous TEXT,
    recorded_at TIMESTAMPTZ NOT NULL,
    undone_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, invoice_id, change),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
);
CREATE INDEX icp_vat_numbers_by_command ON icp_vat_numbers (account_id, command_invoice_id, command_change);
