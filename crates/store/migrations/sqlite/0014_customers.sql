-- Further details of a contact, and of the customer of an invoice, which has a copy. Each is a text in the database: a kind, a
-- language, a number of days, a rate in per cent, and addresses, one per line, each followed by a space and its uses, separated by
-- commas.
ALTER TABLE contacts ADD COLUMN kind TEXT;
ALTER TABLE contacts ADD COLUMN language TEXT;
ALTER TABLE contacts ADD COLUMN phone TEXT;
ALTER TABLE contacts ADD COLUMN payment_term_days TEXT;
ALTER TABLE contacts ADD COLUMN vat_default_rate TEXT;
ALTER TABLE contacts ADD COLUMN vat_default_category TEXT;
ALTER TABLE contacts ADD COLUMN vat_default_supply TEXT;
ALTER TABLE contacts ADD COLUMN peppol_id TEXT;
ALTER TABLE contacts ADD COLUMN emails TEXT;
ALTER TABLE invoices ADD COLUMN customer_kind TEXT;
ALTER TABLE invoices ADD COLUMN customer_language TEXT;
ALTER TABLE invoices ADD COLUMN customer_phone TEXT;
ALTER TABLE invoices ADD COLUMN customer_payment_term_days TEXT;
ALTER TABLE invoices ADD COLUMN customer_vat_default_rate TEXT;
ALTER TABLE invoices ADD COLUMN customer_vat_default_category TEXT;
ALTER TABLE invoices ADD COLUMN customer_vat_default_supply TEXT;
ALTER TABLE invoices ADD COLUMN customer_peppol_id TEXT;
ALTER TABLE invoices ADD COLUMN customer_emails TEXT;

-- Telephone number, website and BIC that documents show.
ALTER TABLE accounts ADD COLUMN phone TEXT;
ALTER TABLE accounts ADD COLUMN website TEXT;
ALTER TABLE accounts ADD COLUMN bic TEXT;

-- Further recipients of a mail, separated by commas.
ALTER TABLE mails ADD COLUMN cc TEXT;
