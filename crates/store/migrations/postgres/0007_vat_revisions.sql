-- Revision of the VAT on assets, booked as one entry per year.

-- Part of each asset in the entry of a year.
CREATE TABLE vat_revision_assets (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    asset_id BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, asset_id)
);
CREATE INDEX vat_revisions_of_asset ON vat_revision_assets (account_id, asset_id);

-- External ids of the requests that booked a revision.
CREATE TABLE vat_revision_requests (
    account_id BIGINT NOT NULL,
    external_id TEXT NOT NULL,
    year BIGINT NOT NULL,
    PRIMARY KEY (account_id, external_id)
);
