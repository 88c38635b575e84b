-- Reminders: the owner's plan, the steps that were sent, and what stops them.

-- `true` if the customer gets no reminders.
ALTER TABLE contacts ADD COLUMN reminders_stopped TEXT;
ALTER TABLE invoices ADD COLUMN customer_reminders_stopped TEXT;
ALTER TABLE quotes ADD COLUMN customer_reminders_stopped TEXT;
ALTER TABLE recurring_invoices ADD COLUMN customer_reminders_stopped TEXT;

-- Mode, minimum number of days between two reminders, and days of the steps to businesses and to consumers; null is the default.
ALTER TABLE accounts ADD COLUMN reminder_plan TEXT;
-- Day on which the owner was told that reminders wait for the limit of emails.
ALTER TABLE accounts ADD COLUMN reminders_postponed_on DATE;

-- Reminders that were sent. One email can be about several invoices. The key makes sure that each step is sent once.
CREATE TABLE reminders (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    step BIGINT NOT NULL,
    kind TEXT NOT NULL,
    mail_id TEXT NOT NULL,
    sent_on DATE NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, invoice_id, step)
);
CREATE INDEX reminders_by_mail ON reminders (account_id, mail_id);

-- Invoices whose reminders the owner stopped, until a day (inclusive) or for good.
CREATE TABLE reminder_stops (
    account_id BIGINT NOT NULL,
    invoice_id BIGINT NOT NULL,
    reason TEXT,
    until DATE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, invoice_id)
);
