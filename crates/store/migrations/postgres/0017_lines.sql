-- Units and discounts of lines, discounts and numbers of documents, their language, and their texts in two languages.

ALTER TABLE invoice_items ADD COLUMN unit TEXT;
ALTER TABLE invoice_items ADD COLUMN discount_percent TEXT;
ALTER TABLE invoice_items ADD COLUMN discount_amount BIGINT;
-- Number of the invoiced line that a line of a credit note credits.
ALTER TABLE invoice_items ADD COLUMN credits_line BIGINT;
ALTER TABLE quote_items ADD COLUMN unit TEXT;
ALTER TABLE quote_items ADD COLUMN discount_percent TEXT;
ALTER TABLE quote_items ADD COLUMN discount_amount BIGINT;
ALTER TABLE quote_items ADD COLUMN credits_line BIGINT;

ALTER TABLE invoices ADD COLUMN discount_percent TEXT;
ALTER TABLE invoices ADD COLUMN discount_amount BIGINT;
ALTER TABLE invoices ADD COLUMN discount_description TEXT;
ALTER TABLE invoices ADD COLUMN order_number TEXT;
ALTER TABLE invoices ADD COLUMN buyer_reference TEXT;
ALTER TABLE quotes ADD COLUMN discount_percent TEXT;
ALTER TABLE quotes ADD COLUMN discount_amount BIGINT;
ALTER TABLE quotes ADD COLUMN discount_description TEXT;
ALTER TABLE quotes ADD COLUMN order_number TEXT;
ALTER TABLE quotes ADD COLUMN buyer_reference TEXT;
-- Language that was chosen for a draft, or in which the document was sent.
ALTER TABLE invoices ADD COLUMN language TEXT;
UPDATE invoices SET language = (
    SELECT r.language FROM document_records r
    WHERE r.account_id = invoices.account_id AND r.invoice_id = invoices.id AND r.kind = 'sent'
);

-- `opening` and `closing` are the Dutch texts; so far they were in the language of the account.
ALTER TABLE invoice_settings ADD COLUMN opening_en TEXT;
ALTER TABLE invoice_settings ADD COLUMN closing_en TEXT;
UPDATE invoice_settings SET opening_en = opening, opening = NULL, closing_en = closing, closing = NULL
WHERE account_id IN (SELECT id FROM accounts WHERE language = 'en');
