-- Who is signed in to the console. No part of the record: a session ends, and nothing is left of it.

CREATE SCHEMA console AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA console TO plimsoll_service;

CREATE TABLE console.session (
    opened_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    proven_at timestamptz NOT NULL,
    id uuid NOT NULL,
    token uuid NOT NULL,
    authenticator bytea NOT NULL CHECK (octet_length(authenticator) = 32),
    principal text COLLATE "C" NOT NULL,
    agent text NOT NULL CHECK (char_length(agent) <= 200),
    CONSTRAINT session_pkey PRIMARY KEY (id)
);
ALTER TABLE console.session OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.session TO plimsoll_service;

COMMENT ON SCHEMA console IS 'What the console keeps of who is signed in. No part of the record.';
COMMENT ON TABLE console.session IS
    'A browser that somebody signed in with; rows go at the end of the session.';
COMMENT ON COLUMN console.session.opened_at IS 'When somebody signed in.';
COMMENT ON COLUMN console.session.used_at IS 'When a page was asked for last, to the minute.';
COMMENT ON COLUMN console.session.id IS 'What the cookie names it by.';
COMMENT ON COLUMN console.session.principal IS 'Whose session it is.';
COMMENT ON COLUMN console.session.token IS 'The token that was signed in with.';
COMMENT ON COLUMN console.session.proven_at IS 'When the token was shown last.';
COMMENT ON COLUMN console.session.authenticator IS
    'HMAC-SHA256 of the secret in the cookie and of what stands here; the key is in no database.';
COMMENT ON COLUMN console.session.agent IS 'What the browser calls itself.';
