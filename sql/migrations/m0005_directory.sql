-- The names of principals. They stand outside the log, so that a name can be erased without
-- touching what was recorded: the log knows opaque ids only.
CREATE SCHEMA directory AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA directory TO plimsoll_service;

CREATE TABLE directory.principal (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    CONSTRAINT principal_pkey PRIMARY KEY (id)
);
ALTER TABLE directory.principal OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON directory.principal TO plimsoll_service;
