-- VAT by month, quarter or year: sums are kept per month, and a return has the id of its period.

-- Postings with a box, per month of the VAT date, ledger account and box.
DROP TABLE vat_totals;
CREATE TABLE vat_totals (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    account_code INTEGER NOT NULL,
    vat_box TEXT NOT NULL,
    debit INTEGER NOT NULL,
    credit INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, month, account_code, vat_box)
) STRICT, WITHOUT ROWID;
INSERT INTO vat_totals
SELECT e.account_id, CAST(substr(e.vat_date, 1, 4) AS INTEGER), CAST(substr(e.vat_date, 6, 2) AS INTEGER), p.account_code, p.vat_box,
       SUM(p.debit), SUM(p.credit)
FROM entries e JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
WHERE p.vat_box <> '' GROUP BY 1, 2, 3, 4, 5;

-- Counts and sums of a month that no posting holds, written in the same transaction as the documents.
DROP TABLE quarter_totals;
CREATE TABLE document_totals (
    account_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    invoices INTEGER NOT NULL,
    drafts INTEGER NOT NULL,
    draft_revenue INTEGER NOT NULL,
    draft_vat INTEGER NOT NULL,
    draft_amount INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    outstanding INTEGER NOT NULL,
    -- Drafts whose VAT is due in the month.
    due_drafts INTEGER NOT NULL,
    due_draft_revenue INTEGER NOT NULL,
    due_draft_vat INTEGER NOT NULL,
    due_draft_amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, year, month)
) STRICT, WITHOUT ROWID;
INSERT INTO document_totals
SELECT account_id, CAST(substr(day, 1, 4) AS INTEGER), CAST(substr(day, 6, 2) AS INTEGER), SUM(entries), SUM(invoices), SUM(drafts),
       SUM(draft_revenue), SUM(draft_vat), SUM(draft_amount), SUM(paid), SUM(outstanding), SUM(due_drafts), SUM(due_draft_revenue),
       SUM(due_draft_vat), SUM(due_draft_amount)
FROM (
    SELECT account_id, date AS day, 1 AS entries, 0 AS invoices, 0 AS drafts, 0 AS draft_revenue, 0 AS draft_vat, 0 AS draft_amount,
           0 AS paid, 0 AS outstanding, 0 AS due_drafts, 0 AS due_draft_revenue, 0 AS due_draft_vat, 0 AS due_draft_amount
    FROM entries
    UNION ALL
    SELECT account_id, invoice_date, 0, 1, CASE status WHEN 'draft' THEN 1 ELSE 0 END, CASE status WHEN 'draft' THEN subtotal ELSE 0 END,
           CASE status WHEN 'draft' THEN vat_total ELSE 0 END, CASE status WHEN 'draft' THEN total ELSE 0 END,
           CASE WHEN kind = 'invoice' AND status = 'sent' AND total <= amount_credited + amount_written_off + amount_paid
                AND amount_written_off = 0 THEN 1 ELSE 0 END,
           CASE WHEN kind = 'invoice' AND total > amount_credited + amount_written_off + amount_paid
                THEN total - amount_credited - amount_written_off - amount_paid ELSE 0 END,
           0, 0, 0, 0
    FROM invoices WHERE status <> 'cancelled'
    UNION ALL
    SELECT account_id, vat_date, 0, 0, 0, 0, 0, 0, 0, 0, 1, subtotal, vat_total, total FROM invoices WHERE status = 'draft'
) m GROUP BY 1, 2, 3;

-- Filed returns by period ('2026-05', '2026-Q2', '2026'), with their boxes.
CREATE TABLE old_filings AS SELECT * FROM vat_filings;
CREATE TABLE old_boxes AS SELECT * FROM vat_filing_boxes;
DROP TABLE vat_filing_boxes;
DROP TABLE vat_filings;
CREATE TABLE vat_filings (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    filed_at INTEGER NOT NULL,
    reopened_at INTEGER,
    entry_id INTEGER NOT NULL,
    payable INTEGER NOT NULL,
    declared_payable INTEGER NOT NULL,
    PRIMARY KEY (account_id, period, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE vat_filing_boxes (
    account_id INTEGER NOT NULL,
    period TEXT NOT NULL,
    version INTEGER NOT NULL,
    line INTEGER NOT NULL,
    vat_box TEXT NOT NULL,
    turnover INTEGER,
    vat INTEGER,
    declared_turnover INTEGER,
    declared_vat INTEGER,
    PRIMARY KEY (account_id, period, version, line),
    FOREIGN KEY (account_id, period, version) REFERENCES vat_filings (account_id, period, version)
) STRICT, WITHOUT ROWID;
INSERT INTO vat_filings
SELECT account_id, year || '-Q' || quarter, version, filed_at, reopened_at, entry_id, payable, declared_payable FROM old_filings;
INSERT INTO vat_filing_boxes
SELECT account_id, year || '-Q' || quarter, version, line, vat_box, turnover, vat, declared_turnover, declared_vat FROM old_boxes;
DROP TABLE old_boxes;
DROP TABLE old_filings;

-- Changes of the unit of VAT periods, ordered by first day; quarters until the first.
ALTER TABLE accounts DROP COLUMN vat_period;
ALTER TABLE accounts ADD COLUMN vat_units TEXT NOT NULL DEFAULT '';
