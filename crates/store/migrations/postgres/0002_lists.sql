-- Lists of a year, in the order of their days.
CREATE INDEX trips_by_date ON trips (account_id, date, id);
CREATE INDEX events_by_date ON events (account_id, kind, date, id);
CREATE INDEX payouts_by_date ON payouts (account_id, date, id);
CREATE INDEX invoices_by_date ON invoices (account_id, invoice_date, id);
