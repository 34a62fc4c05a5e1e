-- What the log's commitment to a name was made with, so that a name that somebody else wrote is found.
-- A program of before goes on writing names without it, of which its events say nothing either.
ALTER TABLE directory.principal ADD COLUMN salt bytea CHECK (octet_length(salt) = 32);

COMMENT ON COLUMN directory.principal.salt IS
    'What the log''s commitment to the name was made with; NULL: the log says nothing of it.';
