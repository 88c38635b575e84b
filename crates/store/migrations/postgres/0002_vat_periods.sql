-- VAT by month, quarter or year: sums are kept per month, and a return has the id of its period.

-- Postings with a box, per month of the VAT date, ledger account and box.
DROP TABLE vat_totals;
CREATE TABLE vat_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    month BIGINT NOT NULL,
    account_code BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, month, account_code, vat_box)
);
INSERT INTO vat_totals
SELECT e.account_id, EXTRACT(YEAR FROM e.vat_date)::BIGINT, EXTRACT(MONTH FROM e.vat_date)::BIGINT, p.account_code, p.vat_box,
       SUM(p.debit), SUM(p.credit)
FROM entries e JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
WHERE p.vat_box <> '' GROUP BY 1, 2, 3, 4, 5;

-- Counts and sums of a month that no posting holds, written in the same transaction as the documents.
DROP TABLE quarter_totals;
CREATE TABLE document_totals (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    month BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    invoices BIGINT NOT NULL,
    drafts BIGINT NOT NULL,
    draft_revenue BIGINT NOT NULL,
    draft_vat BIGINT NOT NULL,
    draft_amount BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    outstanding BIGINT NOT NULL,
    -- Drafts whose VAT is due in the month.
    due_drafts BIGINT NOT NULL,
    due_draft_revenue BIGINT NOT NULL,
    due_draft_vat BIGINT NOT NULL,
    due_draft_amount BIGINT NOT NULL,
    PRIMARY KEY (account_id, year, month)
);
INSERT INTO document_totals
SELECT account_id, EXTRACT(YEAR FROM day)::BIGINT, EXTRACT(MONTH FROM day)::BIGINT, SUM(entries), SUM(invoices), SUM(drafts),
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
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    filed_at TIMESTAMPTZ NOT NULL,
    reopened_at TIMESTAMPTZ,
    entry_id BIGINT NOT NULL,
    payable BIGINT NOT NULL,
    declared_payable BIGINT NOT NULL,
    PRIMARY KEY (account_id, period, version)
);
CREATE TABLE vat_filing_boxes (
    account_id BIGINT NOT NULL,
    period TEXT NOT NULL,
    version BIGINT NOT NULL,
    line BIGINT NOT NULL,
    vat_box TEXT NOT NULL,
    turnover BIGINT,
    vat BIGINT,
    declared_turnover BIGINT,
    declared_vat BIGINT,
    PRIMARY KEY (account_id, period, version, line),
    FOREIGN KEY (account_id, period, version) REFERENCES vat_filings (account_id, period, version)
);
INSERT INTO vat_filings
SELECT account_id, year || '-Q' || quarter, version, filed_at, reopened_at, entry_id, payable, declared_payable FROM old_filings;
INSERT INTO vat_filing_boxes
SELECT account_id, year || '-Q' || quarter, version, line, vat_box, turnover, vat, declared_turnover, declared_vat FROM old_boxes;
DROP TABLE old_boxes;
DROP TABLE old_filings;

-- Changes of the unit of VAT periods, ordered by first day; quarters until the first.
ALTER TABLE accounts DROP COLUMN vat_period;
ALTER TABLE accounts ADD COLUMN vat_units TEXT NOT NULL DEFAULT '';
