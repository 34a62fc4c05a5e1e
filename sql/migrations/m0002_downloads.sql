-- Which apps of marketplaces came to which account. The log knows nothing of it: it is personal
-- data, so it is erased when somebody asks, and by itself after a time.

CREATE SCHEMA device AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA device TO plimsoll_service;

CREATE TABLE device.download (
    account bytea NOT NULL CHECK (octet_length(account) = 32),
    item text COLLATE "C" NOT NULL,
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT download_pkey PRIMARY KEY (account, item)
);
CREATE INDEX download_last_at ON device.download (last_at);
ALTER TABLE device.download OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON device.download TO plimsoll_service;

COMMENT ON SCHEMA device IS
    'What is kept of people who install from marketplaces. No part of the record.';
COMMENT ON TABLE device.download IS
    'Which apps were handed out to which account; rows go when they are old, or on request.';
COMMENT ON COLUMN device.download.account IS
    'HMAC-SHA256 of what the authorization calls the account; the key is in no database.';
COMMENT ON COLUMN device.download.item IS 'The AppleItemID of the app.';
COMMENT ON COLUMN device.download.first_at IS 'When a token for it was made first.';
COMMENT ON COLUMN device.download.last_at IS 'When a token for it was made last.';
