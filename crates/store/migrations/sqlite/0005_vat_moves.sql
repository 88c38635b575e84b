-- VAT of payments in an earlier VAT period than that of their invoice, moved to the date of the payment;
-- totals and VAT of items that were open when the books began.

-- Whether the VAT was moved ('moved'), could not be moved ('waiting'), or need not be ('nothing').
ALTER TABLE payments ADD COLUMN vat_move TEXT NOT NULL DEFAULT 'nothing';
-- Counts of the payments of each kind that are not undone.
ALTER TABLE invoices ADD COLUMN vat_moved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN vat_waiting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX invoices_with_vat_waiting ON invoices (account_id, id) WHERE vat_waiting > 0;

-- Total of the invoice including VAT, where it differs from the open amount, and its day of supply.
ALTER TABLE opening_items ADD COLUMN total INTEGER;
ALTER TABLE opening_items ADD COLUMN supply_date TEXT;
-- VAT of the invoice, if known: rate in basis points, base and VAT in cents, such as '2100 100000 21000', one per line.
ALTER TABLE opening_items ADD COLUMN vat TEXT NOT NULL DEFAULT '';
