-- Ledger accounts that the owner added, and where they are used. A code of an own account is its four digits plus 10 000 times
-- the number of its class, so that a posting is read without its account.

-- A line per account: code, RGS code, 'deductible' or 'excluded' (VAT of purchases), 'shown' or 'hidden', name.
ALTER TABLE accounts ADD COLUMN own_accounts TEXT NOT NULL DEFAULT '';

-- Revenue account of the line, instead of the account of its VAT rate.
ALTER TABLE invoice_items ADD COLUMN account_code BIGINT;

-- Accounts of the depreciation, instead of those that belong to the asset's account.
ALTER TABLE assets ADD COLUMN accumulated_code BIGINT;
ALTER TABLE assets ADD COLUMN depreciation_code BIGINT;
