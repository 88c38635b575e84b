-- The books. Every table of the books has account_id first in its key; look-up tables are keyed by what they are looked up with.
-- Amounts are euro cents, hours are hundredths of an hour, decimals are text, dates and moments are the engine's own.

-- People: who signs in. What they sign in with and what happened to that is keyed by the person.
CREATE TABLE people (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    -- The language that they read.
    language TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    -- When it was known that the address is theirs.
    email_confirmed_at TIMESTAMPTZ,
    -- The second factor's seed, encrypted with a key that is not in the database; and the last time step that was used.
    totp_seed TEXT,
    totp_last_step BIGINT,
    -- When they closed their account; their rows are then erased, after those of their accounts.
    closed_at TIMESTAMPTZ
);
CREATE INDEX people_closed ON people (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX people_unconfirmed ON people (created_at) WHERE email_confirmed_at IS NULL;

-- Accounts: whose books they are.
CREATE TABLE accounts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    plan TEXT NOT NULL,
    vat_period TEXT NOT NULL,
    payment_term_days BIGINT NOT NULL,
    number_pattern TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- The language that the books speak to programs.
    language TEXT,
    street TEXT,
    postal_code TEXT,
    city TEXT,
    kvk_number TEXT,
    vat_number TEXT,
    iban TEXT,
    -- When the owner closed the account; its rows are then erased, little by little.
    closed_at TIMESTAMPTZ,
    -- What the owner said of the sales and of the hours criterion; nothing as long as it was not asked.
    default_supply TEXT,
    zero_means TEXT,
    majority_of_time BIGINT,
    starter BIGINT,
    -- Of a test account: whose it is, and by how many microseconds the clock of its books is ahead.
    test_of BIGINT,
    test_ahead BIGINT
);
CREATE INDEX accounts_closed ON accounts (closed_at) WHERE closed_at IS NOT NULL;
CREATE UNIQUE INDEX accounts_test ON accounts (test_of) WHERE test_of IS NOT NULL AND closed_at IS NULL;

-- Who may do what in which account. For now everybody owns one, and its test account.
CREATE TABLE memberships (
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    person_id BIGINT NOT NULL REFERENCES people (id),
    -- 'owner'
    role TEXT NOT NULL,
    PRIMARY KEY (account_id, person_id)
);
CREATE INDEX memberships_by_person ON memberships (person_id);

CREATE TABLE api_keys (
    hash BYTEA NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ,
    last_used_address TEXT,
    UNIQUE (account_id, id)
);

-- Tables whose rows change with every booking keep room in their pages (fillfactor), so that old versions are cleared away early:
-- measured, reading a row with many old versions took a tenth of the server's time.

-- One row per account: the last id given out per sequence and the head of the hash chain. It is also the account's write lock on PostgreSQL.
CREATE TABLE books (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    last_api_key BIGINT NOT NULL,
    last_contact BIGINT NOT NULL,
    last_invoice BIGINT NOT NULL,
    last_payment BIGINT NOT NULL,
    last_write_off BIGINT NOT NULL,
    last_payout BIGINT NOT NULL,
    last_expense BIGINT NOT NULL,
    last_receipt BIGINT NOT NULL,
    last_asset BIGINT NOT NULL,
    last_trip BIGINT NOT NULL,
    last_manual BIGINT NOT NULL,
    last_project BIGINT NOT NULL,
    last_time_entry BIGINT NOT NULL,
    last_hours_log BIGINT NOT NULL,
    last_entry BIGINT NOT NULL,
    last_document BIGINT NOT NULL,
    last_change BIGINT NOT NULL,
    last_webhook BIGINT NOT NULL,
    last_delivery BIGINT NOT NULL,
    head_hash BYTEA NOT NULL,
    -- The moment of the last command that wrote something: that of the next one is later.
    stamped_at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 40);

-- The change feed: what happened to the resources of an account, in the order in which it was committed. Rows are only appended.
CREATE TABLE changes (
    account_id BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    -- 'invoice', 'payment', …, and which.
    kind TEXT NOT NULL,
    resource_id BIGINT NOT NULL,
    -- 'created', 'updated' or 'deleted'
    event TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, sequence)
);

-- The last number given out in the invoice series of a year.
CREATE TABLE number_series (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    -- The number before the first, where the series goes on from another program's.
    start BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (account_id, year)
) WITH (fillfactor = 40);

CREATE TABLE contacts (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
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
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- 'active', or 'archived': not offered any more. One that was merged into another leads to that one.
    status TEXT NOT NULL,
    merged_into BIGINT,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX contacts_by_external_id ON contacts (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX contacts_by_name ON contacts (account_id, name);

CREATE TABLE invoices (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    kind TEXT NOT NULL,
    number TEXT NOT NULL,
    number_year BIGINT NOT NULL,
    number_in_year BIGINT NOT NULL,
    status TEXT NOT NULL,
    invoice_date DATE NOT NULL,
    due_date DATE NOT NULL,
    -- First and last day of supply, and the day on which the VAT is due.
    supply_date DATE,
    supply_until DATE,
    vat_date DATE NOT NULL,
    contact_id BIGINT NOT NULL,
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
    subtotal BIGINT NOT NULL,
    vat_total BIGINT NOT NULL,
    total BIGINT NOT NULL,
    amount_paid BIGINT NOT NULL,
    amount_credited BIGINT NOT NULL,
    -- Written off as bad debt, less what was recovered.
    amount_written_off BIGINT NOT NULL,
    paid_at DATE,
    -- The day of its first payment.
    first_paid_on DATE,
    prices_include_vat BIGINT NOT NULL,
    prepayment BIGINT NOT NULL,
    credited_invoice_id BIGINT,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- Why the day was unusual when it was given (ledger/src/unusual_day.rs); 0 where it was not.
    date_unusual BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, contact_id) REFERENCES contacts (account_id, id)
);
CREATE UNIQUE INDEX invoices_by_external_id ON invoices (account_id, kind, external_id) WHERE external_id IS NOT NULL;
-- A number is one document's; what an opening balance that was undone had open has none of the series (-1), and gives its own free.
CREATE UNIQUE INDEX invoices_by_number ON invoices (account_id, number) WHERE number_in_year >= 0;
CREATE INDEX credit_notes_by_invoice ON invoices (account_id, credited_invoice_id) WHERE credited_invoice_id IS NOT NULL;
-- What was not sent, and what is still to be received; the words are those of store/src/sales/receivables.rs.
CREATE INDEX unsent_invoices ON invoices (account_id, id) WHERE status <> 'sent';
CREATE INDEX unsettled_invoices ON invoices (account_id, due_date, id)
    WHERE kind = 'invoice' AND status = 'sent' AND total > amount_paid + amount_credited + amount_written_off;
-- For contacts; and for a search by total, which reads the whole of an account's part of it.
CREATE INDEX invoices_by_contact ON invoices (account_id, contact_id, id, total);
-- The list of all documents, newest first.
CREATE INDEX invoices_by_date ON invoices (account_id, invoice_date, id);

-- Items are written by the statement after their invoice's; a foreign key would cost PostgreSQL a look-up per row (measured: a tenth
-- of all the work of an invoice). `verify` finds what belongs to nothing.
CREATE TABLE invoice_items (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    supply TEXT NOT NULL,
    amount BIGINT NOT NULL,
    -- The prepayment invoice that the line sets off.
    sets_off BIGINT,
    -- Cents between the amount and quantity times price: credit notes on a line come to its amount together.
    rounding BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, line)
);
CREATE INDEX set_off_items ON invoice_items (account_id, sets_off) WHERE sets_off IS NOT NULL;

-- Credit notes whose VAT is not the rate of their own base, because they take back the last of an invoice.
CREATE TABLE vat_corrections (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    -- Empty where the category does not tell supplies apart.
    supply TEXT NOT NULL,
    difference BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, vat_basis_points, vat_category, supply)
);

-- Counts and sums per VAT period that no posting tells, kept in the same transaction as what they count.
CREATE TABLE quarter_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    invoices BIGINT NOT NULL,
    drafts BIGINT NOT NULL,
    draft_revenue BIGINT NOT NULL,
    draft_vat BIGINT NOT NULL,
    draft_amount BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    outstanding BIGINT NOT NULL,
    -- The drafts whose VAT is due in the quarter.
    due_drafts BIGINT NOT NULL,
    due_draft_revenue BIGINT NOT NULL,
    due_draft_vat BIGINT NOT NULL,
    due_draft_amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, quarter)
) WITH (fillfactor = 40);

-- What invoices and credit notes come to (store/src/sales/sales_totals.rs): by `standing`, `dueDate` or `contact`, whose member and year these
-- are; kept in the same transaction as the documents.
CREATE TABLE sales_totals (
    account_id BIGINT NOT NULL,
    dimension TEXT NOT NULL,
    member TEXT NOT NULL,
    -- Nought unless it is of a contact.
    year BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    subtotal BIGINT NOT NULL,
    vat_total BIGINT NOT NULL,
    total BIGINT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (account_id, dimension, member, year)
) WITH (fillfactor = 40);

CREATE TABLE payments (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    method TEXT NOT NULL,
    reference TEXT,
    entry_id BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- What of it had been written off.
    recovered BIGINT NOT NULL,
    -- The entry that takes it back.
    undoing_entry_id BIGINT,
    undone_on DATE,
    undone_at TIMESTAMPTZ,
    -- Why the day was unusual when it was given (ledger/src/unusual_day.rs); 0 where it was not.
    date_unusual BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
);
CREATE UNIQUE INDEX payments_by_external_id ON payments (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_invoice ON payments (account_id, invoice_id);

-- What customers do not pay.
CREATE TABLE write_offs (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    reason TEXT,
    entry_id BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    undoing_entry_id BIGINT,
    undone_on DATE,
    undone_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
);
CREATE UNIQUE INDEX write_offs_by_external_id ON write_offs (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX write_offs_by_invoice ON write_offs (account_id, invoice_id);

-- What payment providers paid out.
CREATE TABLE payouts (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    fee BIGINT NOT NULL,
    -- How the VAT on the fee is treated, at which rate, and how much it is.
    fee_vat_treatment TEXT NOT NULL,
    fee_vat BIGINT NOT NULL,
    provider TEXT,
    entry_id BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    undoing_entry_id BIGINT,
    undone_on DATE,
    undone_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX payouts_by_external_id ON payouts (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payouts_by_date ON payouts (account_id, date, id);

-- Documents of sent invoices, as they were made: never changed.
CREATE TABLE invoice_documents (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    format TEXT NOT NULL,
    language TEXT NOT NULL,
    is_translation BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    size BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, invoice_id, format, language),
    FOREIGN KEY (account_id, invoice_id) REFERENCES invoices (account_id, id)
);
-- Compressed already.
ALTER TABLE invoice_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- What they take in all, without reading them.
CREATE INDEX invoice_documents_by_size ON invoice_documents (account_id, size);

-- What a document shows of the account's settings, as text, under the SHA-256 of that text.
CREATE TABLE document_settings (
    account_id BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    settings TEXT NOT NULL,
    PRIMARY KEY (account_id, sha256)
);

-- How documents look and what they say by the owner's choice; without a row, as the program has it.
CREATE TABLE invoice_settings (
    account_id BIGINT NOT NULL PRIMARY KEY,
    -- '#115e59'
    accent TEXT,
    -- The side of the envelope's window: 'left', 'right' or 'none'.
    envelope_window TEXT,
    opening TEXT,
    closing TEXT,
    logo BYTEA
);

-- Logos, under their SHA-256: those of now and those that sent documents show.
CREATE TABLE logos (
    account_id BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (account_id, sha256)
);
ALTER TABLE logos ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Links of the hash chain beside the entries: that an invoice was sent, with the SHA-256 of all that it shows; and that a document of it was
-- made, with the SHA-256 of its bytes. Rows are never updated and never deleted, as those of the journal.
CREATE TABLE document_records (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    -- The last entry before it: where it stands in the chain.
    after_entry BIGINT NOT NULL,
    -- 'sent', 'pdf' or 'ubl'
    kind TEXT NOT NULL,
    invoice_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    -- Of what was sent: the settings that it shows.
    settings BYTEA,
    sha256 BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX document_records_by_invoice ON document_records (account_id, invoice_id);

CREATE TABLE expenses (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    contact_id BIGINT,
    supplier TEXT,
    description TEXT,
    -- Where it was paid from; nothing when it is a bill to be paid.
    paid_from TEXT,
    -- For the business, in hundredths of a per cent.
    business_share BIGINT NOT NULL,
    net BIGINT NOT NULL,
    vat BIGINT NOT NULL,
    deductible BIGINT NOT NULL,
    total BIGINT NOT NULL,
    amount_paid BIGINT NOT NULL,
    -- Deducted VAT that was paid back because the bill stayed unpaid.
    vat_repaid BIGINT NOT NULL,
    -- The entry that books it now.
    entry_id BIGINT NOT NULL,
    -- The asset that it bought, where it is not a cost.
    asset_id BIGINT,
    -- Whether its VAT is deducted, or cost under the small businesses scheme.
    deduction TEXT NOT NULL,
    undone_at TIMESTAMPTZ,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- Why the day was unusual when it was given (ledger/src/unusual_day.rs); 0 where it was not.
    date_unusual BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX expenses_by_external_id ON expenses (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX expenses_by_date ON expenses (account_id, date, id);
CREATE INDEX expenses_to_pay ON expenses (account_id) WHERE paid_from IS NULL AND undone_at IS NULL AND total <> amount_paid;

CREATE TABLE expense_items (
    account_id BIGINT NOT NULL,
    expense_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    category BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    vat_treatment TEXT NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    includes_vat BIGINT NOT NULL,
    -- As printed on the document, where that was given.
    printed_vat BIGINT,
    PRIMARY KEY (account_id, expense_id, line)
);

-- Payments of bills, numbered within each.
CREATE TABLE expense_payments (
    account_id BIGINT NOT NULL,
    expense_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    method TEXT NOT NULL,
    vat_recovered BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    undone_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, expense_id, id)
);
CREATE UNIQUE INDEX expense_payments_by_external_id ON expense_payments (account_id, external_id) WHERE external_id IS NOT NULL;

-- Receipts by the SHA-256 of their file; those of no expense wait for one.
CREATE TABLE receipts (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    name TEXT,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    -- Whether an entry has its hash: such a file is never deleted.
    is_booked BIGINT NOT NULL,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- When it last changed: it changes with the expenses that it belongs to.
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX receipts_by_hash ON receipts (account_id, sha256);

CREATE TABLE receipt_files (
    account_id BIGINT NOT NULL,
    receipt_id BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    -- A small JPEG picture of it, where it is a picture.
    thumbnail BYTEA,
    PRIMARY KEY (account_id, receipt_id)
);
-- Compressed already.
ALTER TABLE receipt_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE expense_receipts (
    account_id BIGINT NOT NULL,
    expense_id BIGINT NOT NULL,
    receipt_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, expense_id, receipt_id)
);
CREATE INDEX expense_receipts_by_receipt ON expense_receipts (account_id, receipt_id);

-- Business assets; what each was bought for is an expense that names it.
CREATE TABLE assets (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    description TEXT NOT NULL,
    account_code BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    residual_value BIGINT NOT NULL,
    life_years BIGINT NOT NULL,
    -- Written off so far, and up to which day.
    depreciated BIGINT NOT NULL,
    depreciated_until DATE,
    -- What of it was written off before the books began, where it stood in the opening balance.
    opening_depreciated BIGINT NOT NULL,
    disposed_on DATE,
    proceeds BIGINT,
    -- The expense that bought it; none where it stood in the opening balance.
    expense_id BIGINT,
    undone_at TIMESTAMPTZ,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX assets_by_external_id ON assets (account_id, external_id) WHERE external_id IS NOT NULL;

-- Business trips with a private vehicle.
CREATE TABLE trips (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    place_from TEXT NOT NULL,
    place_to TEXT NOT NULL,
    -- Hundredths of a kilometre.
    distance BIGINT NOT NULL,
    purpose TEXT,
    project_id BIGINT,
    -- Cents a kilometre.
    rate BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    undone_at TIMESTAMPTZ,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX trips_by_external_id ON trips (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX trips_by_date ON trips (account_id, date, id);

-- The journal: append-only. Rows are never updated and never deleted; the trigger below refuses both.
CREATE TABLE entries (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    date DATE NOT NULL,
    -- The day on which its VAT is due: decides the return that its boxes belong to.
    vat_date DATE NOT NULL,
    -- The VAT period ('2026-Q1') that it corrects after that was filed.
    corrects_period TEXT,
    -- What it is about, put into words when it is shown.
    description_kind TEXT NOT NULL,
    description_number TEXT,
    description_related_number TEXT,
    description_party TEXT,
    description_period TEXT,
    description_text TEXT,
    -- The SHA-256 of each receipt's file, in hexadecimal, with spaces between.
    description_receipts TEXT,
    source_type TEXT NOT NULL,
    source_id BIGINT NOT NULL,
    reverses_entry_id BIGINT,
    hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
-- The kind lets a filter by it pass over the others within the index.
CREATE INDEX entries_by_date ON entries (account_id, date, id, source_type);
-- Most entries have their VAT due on their own day; only the others have a row here.
CREATE INDEX entries_by_vat_date ON entries (account_id, vat_date, id) WHERE vat_date <> date;
CREATE INDEX entries_by_source ON entries (account_id, source_type, source_id);
CREATE INDEX entries_by_corrected_period ON entries (account_id, corrects_period) WHERE corrects_period IS NOT NULL;

CREATE TABLE postings (
    account_id BIGINT NOT NULL,
    entry_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    -- The entry's, for the index below.
    date DATE NOT NULL,
    PRIMARY KEY (account_id, entry_id, line)
);
CREATE INDEX postings_by_account ON postings (account_id, account_code, date, entry_id);

-- The journal goes only as a whole, with an account that its owner closed.
CREATE FUNCTION journal_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND closed_at IS NOT NULL) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'journal rows are never changed or deleted';
END $$;
CREATE TRIGGER entries_only_grow BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION journal_only_grows();
CREATE TRIGGER postings_only_grow BEFORE UPDATE OR DELETE ON postings FOR EACH ROW EXECUTE FUNCTION journal_only_grows();
CREATE TRIGGER document_records_only_grow BEFORE UPDATE OR DELETE ON document_records FOR EACH ROW EXECUTE FUNCTION journal_only_grows();

-- Events that no invoice and no receipt tells of: transfers, private money, accruals, loans, private use, entries by hand, the opening
-- balance. Their lines are in the journal, with the event's kind and id as the source.
CREATE TABLE events (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    description TEXT,
    variant TEXT,
    account_code BIGINT,
    method TEXT,
    other_method TEXT,
    amount BIGINT NOT NULL,
    other_amount BIGINT,
    other_date DATE,
    -- The event that it belongs to: the loan of a repayment.
    parent_id BIGINT,
    undone_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    -- Why the day was unusual when it was given (ledger/src/unusual_day.rs); 0 where it was not.
    date_unusual BIGINT NOT NULL,
    -- When it last changed; a loan changes with its repayments.
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX events_by_external_id ON events (account_id, kind, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX events_by_kind ON events (account_id, kind, id);
CREATE INDEX events_by_parent ON events (account_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX events_by_date ON events (account_id, kind, date, id);

-- What was open when the books began: invoices that customers still owe, and bills that are still to be paid. Each is an invoice or an
-- expense, whose entry is dated by the opening balance.
CREATE TABLE opening_items (
    account_id BIGINT NOT NULL,
    -- The opening balance, and the place of the item in it.
    event_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    -- 'receivable' or 'payable', and the invoice or expense.
    kind TEXT NOT NULL,
    document_id BIGINT NOT NULL,
    number TEXT NOT NULL,
    due_date DATE NOT NULL,
    PRIMARY KEY (account_id, event_id, line)
);
CREATE UNIQUE INDEX opening_items_by_document ON opening_items (account_id, kind, document_id);

-- Two sums, kept in the same transaction as the postings: per month and account by the day of the entry,
CREATE TABLE period_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    month BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, month, account_code)
) WITH (fillfactor = 40);

-- and per VAT period, account and box by the day on which the VAT is due, of the postings that carry a box.
CREATE TABLE vat_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, quarter, account_code, vat_box)
) WITH (fillfactor = 40);

CREATE TABLE projects (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    contact_id BIGINT,
    status TEXT NOT NULL,
    hourly_rate BIGINT,
    hours_logged BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    external_id TEXT,
    budget_hours BIGINT,
    -- Of the hours logged, those that are on an invoice.
    hours_invoiced BIGINT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX projects_by_external_id ON projects (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX projects_by_contact ON projects (account_id, contact_id) WHERE contact_id IS NOT NULL;

CREATE TABLE time_entries (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    project_id BIGINT NOT NULL,
    date DATE NOT NULL,
    hours BIGINT NOT NULL,
    description TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- The invoice that they are on.
    invoice_id BIGINT,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects (account_id, id)
);
CREATE UNIQUE INDEX time_entries_by_external_id ON time_entries (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX time_entries_by_date ON time_entries (account_id, date, id);
CREATE INDEX time_entries_by_project ON time_entries (account_id, project_id, date, id);
CREATE INDEX time_entries_by_invoice ON time_entries (account_id, invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE hours_log (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    hours BIGINT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX hours_log_by_external_id ON hours_log (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX hours_log_by_date ON hours_log (account_id, date, id);

-- The clock that runs: one an account at the most. Without a project it is for the hours log.
CREATE TABLE timers (
    account_id BIGINT NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    project_id BIGINT,
    description TEXT,
    category TEXT,
    FOREIGN KEY (account_id, project_id) REFERENCES projects (account_id, id)
);

-- Hours of one day over all projects and the hours log, kept in the same transaction.
CREATE TABLE day_hours (
    account_id BIGINT NOT NULL,
    date DATE NOT NULL,
    project_hours BIGINT NOT NULL,
    logged_hours BIGINT NOT NULL,
    PRIMARY KEY (account_id, date)
);

-- Returns as they were filed. Each version stays; the one that was not opened again is what is filed.
CREATE TABLE vat_filings (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    version BIGINT NOT NULL,
    filed_at TIMESTAMPTZ NOT NULL,
    reopened_at TIMESTAMPTZ,
    entry_id BIGINT NOT NULL,
    payable BIGINT NOT NULL,
    declared_payable BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, quarter, version)
);

CREATE TABLE vat_filing_boxes (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    quarter BIGINT NOT NULL,
    version BIGINT NOT NULL,
    line BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    turnover BIGINT,
    vat BIGINT,
    declared_turnover BIGINT,
    declared_vat BIGINT,
    PRIMARY KEY (account_id, year, quarter, version, line),
    FOREIGN KEY (account_id, year, quarter, version) REFERENCES vat_filings (account_id, year, quarter, version)
);

-- VAT paid to the tax office, or paid back by it; ids are those of what is booked by hand.
CREATE TABLE vat_payments (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    external_id TEXT,
    date DATE NOT NULL,
    amount BIGINT NOT NULL,
    method TEXT NOT NULL,
    description TEXT,
    -- The return that it pays ('2026-Q1').
    period TEXT,
    entry_id BIGINT NOT NULL,
    undone_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX vat_payments_by_external_id ON vat_payments (account_id, external_id) WHERE external_id IS NOT NULL;

-- Changes of the VAT scheme, by the day from which it is used; the normal one unless another is said.
CREATE TABLE vat_schemes (
    account_id BIGINT NOT NULL,
    valid_from DATE NOT NULL,
    scheme TEXT NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, valid_from)
);

-- Years that were closed: nothing more is booked up to their 31 December until they are opened again.
CREATE TABLE year_closings (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    version BIGINT NOT NULL,
    closed_at TIMESTAMPTZ NOT NULL,
    reopened_at TIMESTAMPTZ,
    PRIMARY KEY (account_id, year, version)
);

-- People and partners: who signs in, what they are mailed, which applications they connected. Tables that are looked up by a secret are
-- keyed by its SHA-256; the secret itself is nowhere.

CREATE TABLE sessions (
    hash BYTEA NOT NULL PRIMARY KEY,
    person_id BIGINT NOT NULL REFERENCES people (id),
    -- What the list of sessions names it by.
    id TEXT NOT NULL,
    -- 'second_factor' until the code is given, then 'signed_in'.
    stage TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    -- When the password was last given.
    authenticated_at TIMESTAMPTZ NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_by_person ON sessions (person_id, id);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);
CREATE INDEX sessions_by_created ON sessions (created_at);

-- Links sent by mail: purpose 'confirm', 'reset' or 'change_email'. A row goes when it is used.
CREATE TABLE mail_tokens (
    hash BYTEA NOT NULL PRIMARY KEY,
    person_id BIGINT NOT NULL REFERENCES people (id),
    purpose TEXT NOT NULL,
    -- The address that it was sent to.
    email TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    -- What somebody else gave who signed up with an address that was waiting for confirmation: the link confirms this.
    password_hash TEXT,
    name TEXT,
    country TEXT,
    language TEXT
);
CREATE INDEX mail_tokens_by_person ON mail_tokens (person_id, purpose);
CREATE INDEX mail_tokens_by_expiry ON mail_tokens (expires_at);

-- What signs in once in place of the second factor. A row goes when it is used.
CREATE TABLE recovery_codes (
    person_id BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (person_id, hash)
);

-- What happened to people and to the ways into their accounts: sign-ins, failures, keys, connections, exports.
CREATE TABLE person_events (
    person_id BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (person_id, at, id)
);
CREATE INDEX person_events_by_at ON person_events (at);

-- The last calls of the API, for the owner to see what an integration does.
CREATE TABLE api_calls (
    account_id BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    request_id TEXT NOT NULL,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    status BIGINT NOT NULL,
    code TEXT NOT NULL,
    -- 'key' or 'grant', and its id.
    caller TEXT NOT NULL,
    caller_id TEXT NOT NULL,
    -- What a connected application was called; a key's name stays with the key.
    caller_name TEXT,
    address TEXT NOT NULL,
    PRIMARY KEY (account_id, at, request_id)
);

-- The outbox: mails on their way, written in the transaction of what they tell of. Whichever node holds the lease sends one. Mails about the
-- account itself, whose texts may hold links that let somebody in, go when they are sent, and lose their text when they failed; those about
-- invoices stay, with what became of them. A mail that tells of the end of an account is kept under account 0, as it outlives it.
CREATE TABLE mails (
    account_id BIGINT NOT NULL,
    -- Also the Message-ID, so that a mail that is sent twice can be known again.
    id TEXT NOT NULL,
    -- 'account', 'invoice', 'reminder' or 'copy'
    kind TEXT NOT NULL,
    invoice_id BIGINT,
    external_id TEXT,
    recipient TEXT NOT NULL,
    language TEXT NOT NULL,
    -- Who writes, beside the server's own address, and where answers go.
    sender TEXT,
    reply_to TEXT,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    -- 'queued', 'sent' or 'failed'
    status TEXT NOT NULL,
    cause TEXT,
    attempts BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    next_at TIMESTAMPTZ NOT NULL,
    sent_at TIMESTAMPTZ,
    claimed_by TEXT,
    claimed_until TIMESTAMPTZ,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX mails_by_external_id ON mails (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX mails_by_invoice ON mails (account_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX mails_due ON mails (next_at) WHERE status = 'queued';
CREATE INDEX mails_failed ON mails (account_id, invoice_id) WHERE status = 'failed';
CREATE INDEX mails_about_invoices ON mails (account_id, created_at) WHERE invoice_id IS NOT NULL;

-- Where an account wants to be sent what happens to its resources.
CREATE TABLE webhooks (
    account_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    -- Begins the ids of its messages.
    token TEXT NOT NULL,
    url TEXT NOT NULL,
    -- Names such as 'invoice.paid', each between two spaces; empty for all.
    types TEXT NOT NULL,
    description TEXT,
    -- What it signs with, and what it signed with before, sealed.
    secret TEXT NOT NULL,
    former_secret TEXT,
    former_until TIMESTAMPTZ,
    failing_since TIMESTAMPTZ,
    disabled_at TIMESTAMPTZ,
    -- 'byOwner', 'failing', 'gone', 'keyRevoked' or 'disconnected'
    disabled_because TEXT,
    -- The key, or the grant of an application, that it was made with, and what that is called; none if the owner made it.
    key_id BIGINT,
    grant_id TEXT,
    made_by TEXT,
    -- The last message that was claimed for a first attempt: those after it wait for theirs.
    last_claimed BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- What is sent to webhooks, written in the transaction of what it reports. Whichever node holds the lease sends one. A message that came to an
-- end is kept for 30 days.
CREATE TABLE webhook_deliveries (
    account_id BIGINT NOT NULL,
    webhook_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    -- 'invoice.paid', …, and of which resource.
    kind TEXT NOT NULL,
    resource_id BIGINT,
    sequence BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    -- 'pending', 'delivered' or 'failed'
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    tries BIGINT NOT NULL,
    -- Also the end of the lease; none before the first attempt, and once it came to an end.
    next_at TIMESTAMPTZ,
    claimed_by TEXT,
    attempted_at TIMESTAMPTZ,
    answer_status BIGINT,
    answer TEXT,
    cause TEXT,
    PRIMARY KEY (account_id, webhook_id, id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account_id, webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (at) WHERE status <> 'pending';

-- What a message says, once for all webhooks that are sent it: made for the first attempt, and the same for the others.
CREATE TABLE webhook_messages (
    account_id BIGINT NOT NULL,
    -- The id of its deliveries.
    id BIGINT NOT NULL,
    body TEXT NOT NULL,
    -- When it was made, or somebody asked for it again. It is kept for three days from then, and as long as a webhook waits for it.
    since TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX webhook_messages_by_since ON webhook_messages (since);

-- Forms that were carried out, so that one that is sent twice is carried out once; for a day.
CREATE TABLE submissions (
    account_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    -- Where the answer led to.
    location TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX submissions_by_created_at ON submissions (created_at);

-- Requests that were carried out under a key of the caller's (Idempotency-Key), with what was answered; for a day.
CREATE TABLE idempotency_keys (
    account_id BIGINT NOT NULL,
    -- The key.
    id TEXT NOT NULL,
    -- The SHA-256 of path and body.
    request BYTEA NOT NULL,
    location TEXT,
    answer BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX idempotency_keys_by_created_at ON idempotency_keys (created_at);

-- Digest of the body that made a resource with an external id, by which a repeat with another body is
-- recognised.
CREATE TABLE creating_bodies (
    account_id BIGINT NOT NULL,
    -- Kind of resource, within which external ids are unique.
    resource TEXT NOT NULL,
    external_id TEXT NOT NULL,
    -- SHA-256 of its canonical form.
    body BYTEA NOT NULL,
    PRIMARY KEY (account_id, resource, external_id)
);

-- Until when the requests of an account are paid for, where they count over all nodes (serve --shared-limits), in microseconds since 1970.
CREATE TABLE request_limits (
    account_id BIGINT NOT NULL PRIMARY KEY,
    used_until BIGINT NOT NULL
);

-- Partner applications, registered by the operator.
CREATE TABLE oauth_clients (
    id TEXT NOT NULL PRIMARY KEY,
    secret_hash BYTEA NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    secret_changed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE oauth_redirect_uris (
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    uri TEXT NOT NULL,
    PRIMARY KEY (client_id, uri)
);

-- An application that a person connected. A row goes, with its tokens, when it is disconnected.
CREATE TABLE oauth_grants (
    account_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    scopes TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    last_used_address TEXT,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);

CREATE TABLE oauth_codes (
    hash BYTEA NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ,
    -- What it was exchanged for.
    grant_id TEXT
);
CREATE INDEX oauth_codes_by_account ON oauth_codes (account_id, client_id);
CREATE INDEX oauth_codes_by_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

CREATE TABLE oauth_access_tokens (
    hash BYTEA NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    grant_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX oauth_access_tokens_by_grant ON oauth_access_tokens (account_id, grant_id);
CREATE INDEX oauth_access_tokens_by_expiry ON oauth_access_tokens (expires_at);

-- Used ones stay until they expire: one that comes again ends its grant.
CREATE TABLE oauth_refresh_tokens (
    hash BYTEA NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    grant_id TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (account_id, grant_id);
CREATE INDEX oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at);

-- When the operator's tasks were last done: 'backup', 'verify'.
CREATE TABLE maintenance (
    task TEXT NOT NULL PRIMARY KEY,
    done_at TIMESTAMPTZ NOT NULL
);
