-- Bank accounts of the books. Like the ledger accounts that the owner added, they are settings of the account, so that a
-- posting, a payment and the name of an account need no other row.

-- A line per bank account: id, code, 'default' or '-', 'active' or 'archived', microseconds of creation and of the last change,
-- IBAN, identifiers, external id, name, each followed by a tab except the last. Empty for the five with which books begin.
-- The IBAN of the default checking account is in the column iban instead, which invoices print.
ALTER TABLE accounts ADD COLUMN bank_accounts TEXT NOT NULL DEFAULT '';

-- Bank accounts of a payout, instead of the first of their kind.
ALTER TABLE payouts ADD COLUMN bank_code INTEGER;
ALTER TABLE payouts ADD COLUMN provider_code INTEGER;
