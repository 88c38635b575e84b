-- Revision of the VAT on assets, booked as one entry per year.

-- Part of each asset in the entry of a year.
CREATE TABLE vat_revision_assets (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    asset_id INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, asset_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX vat_revisions_of_asset ON vat_revision_assets (account_id, asset_id);

-- External ids of the requests that booked a revision.
CREATE TABLE vat_revision_requests (
    account_id INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    year INTEGER NOT NULL,
    PRIMARY KEY (account_id, external_id)
) STRICT, WITHOUT ROWID;
