-- Articles, from which lines of documents are filled. The lines are copies.

ALTER TABLE books ADD COLUMN last_article INTEGER NOT NULL DEFAULT 0;

CREATE TABLE articles (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    external_id TEXT,
    number TEXT,
    name TEXT NOT NULL,
    description_nl TEXT,
    description_en TEXT,
    unit TEXT,
    -- Euros per unit.
    unit_price TEXT,
    prices_include_vat INTEGER NOT NULL,
    vat_basis_points INTEGER,
    vat_category TEXT,
    supply TEXT,
    exemption TEXT,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- Number, name and descriptions in lower case, for searches.
    folded TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX articles_by_external_id ON articles (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX articles_by_number ON articles (account_id, number) WHERE number IS NOT NULL;
