-- Unfinished forms: what a person typed and no command has received yet.

CREATE TABLE unfinished_forms (
    account_id INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    -- UUID that the page drew.
    id TEXT NOT NULL,
    form TEXT NOT NULL,
    -- Path and query of the page with the form.
    path TEXT NOT NULL,
    -- Counts the saves of a window. An older window does not overwrite a newer one.
    rev INTEGER NOT NULL,
    -- What the work is about, such as the customer's name.
    label TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    -- When it was discarded, or a command received it. The row stays for a day: it can be taken back, or refuses saves that come late.
    ended_at INTEGER,
    -- Last, because lists do not read them. As a browser sends them (application/x-www-form-urlencoded); empty once a command received the form.
    fields TEXT NOT NULL,
    PRIMARY KEY (account_id, person_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unfinished_forms_by_saved_at ON unfinished_forms (saved_at);
CREATE INDEX unfinished_forms_by_ended_at ON unfinished_forms (ended_at) WHERE ended_at IS NOT NULL;
