-- How each statement begins that is not about one account, for the check of every statement that tests send and for `cargo xtask scale`.
-- Which accounts have mails that are due, asked once a second by each node, or that did not arrive, asked by the operator.
SELECT account_id FROM mails WHERE status = 'queued'
-- Which webhooks have something to send, asked a few times a second by each node; and what was sent long ago, asked by the sweep.
SELECT account_id, turns_as, id FROM (
SELECT account_id, webhook_id, id FROM webhook_deliveries WHERE status <> 'pending'
SELECT m.account_id, m.id FROM webhook_messages m
-- How many mails wait or failed: asked for the metrics.
SELECT COUNT(*), MIN(created_at) FROM mails WHERE status = 'queued'
SELECT COUNT(*) FROM mails WHERE status = 'failed'
-- Which accounts were never confirmed nor used: asked by the sweep, a few at a time.
SELECT p.id FROM people p JOIN memberships m ON m.person_id = p.id JOIN books b
-- What was to be remembered for a day: taken away by the sweep.
DELETE FROM submissions WHERE (account_id, id) IN
DELETE FROM idempotency_keys WHERE (account_id, id) IN
