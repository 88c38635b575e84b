-- Bookings of the steps that close a year, the period that an expense covers, and the kind of a private premium.

ALTER TABLE expenses ADD COLUMN period_from TEXT;
ALTER TABLE expenses ADD COLUMN period_until TEXT;
CREATE INDEX expenses_by_end_of_period ON expenses (account_id, period_until) WHERE period_until IS NOT NULL;

-- 'disability' or 'annuity' (ledger/src/event.rs).
ALTER TABLE events ADD COLUMN premium TEXT;

-- Refers to an event, or to an asset and the entry on it; to nothing if the owner stated that there was nothing to book.
CREATE TABLE closing_bookings (
    account_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    step TEXT NOT NULL,
    -- The row of the step that was booked, such as 'invoice-12-8000'.
    row_key TEXT NOT NULL,
    event_id INTEGER,
    asset_id INTEGER,
    entry_id INTEGER,
    amount INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    undone_at INTEGER,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX closing_bookings_of_year ON closing_bookings (account_id, year);
