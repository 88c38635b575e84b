-- People and partners: who signs in, what they are mailed, which applications they connected. Tables that are looked up by a secret are
-- keyed by its SHA-256; the secret itself is nowhere.

ALTER TABLE accounts ADD COLUMN language TEXT;
ALTER TABLE accounts ADD COLUMN email_confirmed_at INTEGER;
ALTER TABLE accounts ADD COLUMN street TEXT;
ALTER TABLE accounts ADD COLUMN postal_code TEXT;
ALTER TABLE accounts ADD COLUMN city TEXT;
ALTER TABLE accounts ADD COLUMN kvk_number TEXT;
ALTER TABLE accounts ADD COLUMN vat_number TEXT;
ALTER TABLE accounts ADD COLUMN iban TEXT;
-- The second factor's seed, sealed with a key that is not in the database; and the last time step that was used.
ALTER TABLE accounts ADD COLUMN totp_seed TEXT;
ALTER TABLE accounts ADD COLUMN totp_last_step INTEGER;
-- When the owner closed the account; its rows are then erased, little by little.
ALTER TABLE accounts ADD COLUMN closed_at INTEGER;
-- Accounts that were there were made by the operator, who knows whose they are.
UPDATE accounts SET email_confirmed_at = created_at;
CREATE INDEX accounts_closed ON accounts (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX accounts_unconfirmed ON accounts (created_at) WHERE email_confirmed_at IS NULL;

ALTER TABLE api_keys ADD COLUMN last_used_address TEXT;

CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    -- What the list of sessions names it by.
    id TEXT NOT NULL,
    -- 'second_factor' until the code is given, then 'signed_in'.
    stage TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- When the password was last given.
    authenticated_at INTEGER NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id, id);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);
CREATE INDEX sessions_by_created ON sessions (created_at);

-- Links sent by mail: purpose 'confirm', 'reset' or 'change_email'. A row goes when it is used.
CREATE TABLE mail_tokens (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL,
    -- The address that it was sent to.
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- What somebody else gave who signed up with an address that was waiting for confirmation: the link confirms this.
    password_hash TEXT,
    name TEXT,
    country TEXT,
    language TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_tokens_by_account ON mail_tokens (account_id, purpose);
CREATE INDEX mail_tokens_by_expiry ON mail_tokens (expires_at);

-- What signs in once in place of the second factor. A row goes when it is used.
CREATE TABLE recovery_codes (
    account_id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (account_id, hash)
) STRICT, WITHOUT ROWID;

-- What happened to the account itself: sign-ins, failures, keys, connections, exports.
CREATE TABLE account_events (
    account_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (account_id, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_events_by_at ON account_events (at);

-- The last calls of the API, for the owner to see what an integration does.
CREATE TABLE api_calls (
    account_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    -- 'key' or 'grant', and its id.
    caller TEXT NOT NULL,
    caller_id TEXT NOT NULL,
    -- What a connected application was called; a key's name stays with the key.
    caller_name TEXT,
    address TEXT NOT NULL,
    PRIMARY KEY (account_id, at, request_id)
) STRICT, WITHOUT ROWID;

-- Partner applications, registered by the operator.
CREATE TABLE oauth_clients (
    id TEXT NOT NULL PRIMARY KEY,
    secret_hash BLOB NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    secret_changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_redirect_uris (
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    uri TEXT NOT NULL,
    PRIMARY KEY (client_id, uri)
) STRICT, WITHOUT ROWID;

-- An application that a person connected. A row goes, with its tokens, when it is disconnected.
CREATE TABLE oauth_grants (
    account_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_used_at INTEGER,
    last_used_address TEXT,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);

CREATE TABLE oauth_codes (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL,
    client_id TEXT NOT NULL REFERENCES oauth_clients (id),
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    -- What it was exchanged for.
    grant_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_account ON oauth_codes (account_id, client_id);
CREATE INDEX oauth_codes_by_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

CREATE TABLE oauth_access_tokens (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL,
    grant_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_access_tokens_by_grant ON oauth_access_tokens (account_id, grant_id);
CREATE INDEX oauth_access_tokens_by_expiry ON oauth_access_tokens (expires_at);

-- Used ones stay until they expire: one that comes again ends its grant.
CREATE TABLE oauth_refresh_tokens (
    hash BLOB NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL,
    grant_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (account_id, grant_id);
CREATE INDEX oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at);

-- The journal goes only as a whole, with an account that its owner closed.
DROP TRIGGER entries_never_go;
DROP TRIGGER postings_never_go;
CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND closed_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'journal entries are never deleted'); END;
CREATE TRIGGER postings_never_go BEFORE DELETE ON postings
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND closed_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'postings are never deleted'); END;
