-- Cash accounting (art. 26 Wet OB 1968): VAT on sales that is due when the customer pays.

-- Changes of the method, by the day from which it is used; by invoice before the first change.
CREATE TABLE vat_methods (
    account_id BIGINT NOT NULL,
    valid_from DATE NOT NULL,
    method TEXT NOT NULL,
    -- Ground for cash accounting, and the day of the tax office's decision if it designated the business.
    ground TEXT,
    designated_on DATE,
    noted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, valid_from)
);

-- Method of each invoice, and its VAT that is not due yet, in cents.
ALTER TABLE invoices ADD COLUMN vat_method TEXT NOT NULL DEFAULT 'invoice';
ALTER TABLE invoices ADD COLUMN vat_deferred BIGINT NOT NULL DEFAULT 0;

-- Changes of the VAT that is not due yet, per rate and category: it becomes due ('due'), or is lost before ('lost').
CREATE TABLE vat_due (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    line BIGINT NOT NULL,
    -- The payment or write-off whose entry books the change; an entry of its own if neither.
    payment_id BIGINT,
    write_off_id BIGINT,
    kind TEXT NOT NULL,
    date DATE NOT NULL,
    vat_basis_points BIGINT NOT NULL,
    vat_category TEXT NOT NULL,
    supply TEXT NOT NULL,
    base BIGINT NOT NULL,
    vat BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id, line)
);
