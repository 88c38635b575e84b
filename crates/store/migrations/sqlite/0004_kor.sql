-- Small businesses scheme: the ground of each exemption, and the reason for which the scheme ended.

-- Lines of before were exempt under the scheme if it applied on the last day of supply of the
-- invoice; a credit note follows its invoice.
UPDATE invoice_items SET vat_category = 'kor' WHERE vat_category = 'exempt' AND 'kor' = (
    SELECT s.scheme FROM vat_schemes s WHERE s.account_id = invoice_items.account_id AND s.valid_from <= (
        SELECT COALESCE(c.supply_until, c.supply_date, c.invoice_date, i.supply_until, i.supply_date, i.invoice_date)
        FROM invoices i LEFT JOIN invoices c ON c.account_id = i.account_id AND c.id = i.credited_invoice_id
        WHERE i.account_id = invoice_items.account_id AND i.id = invoice_items.invoice_id)
    ORDER BY s.valid_from DESC LIMIT 1);

-- Reason of a change: by choice, or because the turnover passed the limit.
ALTER TABLE vat_schemes ADD COLUMN because TEXT NOT NULL DEFAULT 'choice';
-- Invoice that passed the limit, if it ended the scheme by itself.
ALTER TABLE vat_schemes ADD COLUMN invoice_id INTEGER;
-- Day on which the tax office was notified, if known.
ALTER TABLE vat_schemes ADD COLUMN notified_on TEXT;
