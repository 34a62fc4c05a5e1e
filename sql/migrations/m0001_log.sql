-- The log: events, the commands that made them, and checkpoints over them.
--
-- Everything belongs to plimsoll_owner, which nobody can log in as. The service works as
-- plimsoll_service, which may read and call functions and owns nothing, so that a mistake in the
-- service cannot change the past. Nothing here is ever updated or deleted.

-- Roles are shared by all databases of a server, and two databases may be set up at once: whoever
-- comes second finds them made.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plimsoll_owner') THEN
        BEGIN
            CREATE ROLE plimsoll_owner NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plimsoll_service') THEN
        BEGIN
            CREATE ROLE plimsoll_service NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    -- Superusers are members of every role already. A plain owner of the database becomes one here.
    IF NOT pg_catalog.pg_has_role(current_user, 'plimsoll_owner', 'MEMBER') THEN
        EXECUTE pg_catalog.format('GRANT plimsoll_owner TO %I', current_user);
    END IF;
    IF NOT pg_catalog.pg_has_role(current_user, 'plimsoll_service', 'MEMBER') THEN
        EXECUTE pg_catalog.format('GRANT plimsoll_service TO %I', current_user);
    END IF;
END
$$;

CREATE SCHEMA log AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA log TO plimsoll_service;

-- One row an event, for ever. "entry" holds the exact bytes that are hashed; the columns before it
-- repeat what is in them, for look-up only. Names sort and compare as bytes. Checks are few: each
-- is parsed again by every INSERT, and log.append is the only way in.
CREATE TABLE log.event (
    position bigint NOT NULL,
    revision bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    event_id uuid NOT NULL,
    command_id uuid NOT NULL,
    shape smallint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    -- An entry bundle of the published tiles writes the length in two bytes.
    entry bytea NOT NULL CHECK (octet_length(entry) BETWEEN 1 AND 65535),
    -- The leaf of RFC 6962. Verification never trusts it, it hashes "entry" again.
    leaf_hash bytea NOT NULL GENERATED ALWAYS AS (sha256('\x00'::bytea || entry)) STORED,
    CONSTRAINT event_pkey PRIMARY KEY (position),
    CONSTRAINT event_stream_revision_key UNIQUE (stream, revision),
    CONSTRAINT event_event_id_key UNIQUE (event_id)
);
ALTER TABLE log.event OWNER TO plimsoll_owner;

-- One row a command that was answered with success: what makes repeating it harmless. A command
-- without events has no first position; its last position is where the log stood.
CREATE TABLE log.command (
    first_position bigint CHECK (first_position BETWEEN 1 AND last_position),
    last_position bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    command_id uuid NOT NULL,
    request_digest bytea NOT NULL,
    outcome bytea NOT NULL,
    CONSTRAINT command_pkey PRIMARY KEY (command_id)
);
ALTER TABLE log.command OWNER TO plimsoll_owner;

-- A signed root over the first "size" events. The primary key refuses a second root for one size.
CREATE TABLE log.checkpoint (
    size bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    frontier bytea NOT NULL CHECK (octet_length(frontier) % 32 = 0),
    note text NOT NULL,
    CONSTRAINT checkpoint_pkey PRIMARY KEY (size)
);
ALTER TABLE log.checkpoint OWNER TO plimsoll_owner;

-- Privileges refuse the service; these triggers refuse everybody, the owner and replicas included.
CREATE FUNCTION log.refuse_change() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% on %.% is refused: the log is only ever added to',
        tg_op, tg_table_schema, tg_table_name
        USING ERRCODE = 'insufficient_privilege';
END
$$;
ALTER FUNCTION log.refuse_change() OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.refuse_change() FROM PUBLIC;

CREATE TRIGGER event_refuse_change
    BEFORE UPDATE OR DELETE OR TRUNCATE ON log.event
    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER command_refuse_change
    BEFORE UPDATE OR DELETE OR TRUNCATE ON log.command
    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER checkpoint_refuse_change
    BEFORE UPDATE OR DELETE OR TRUNCATE ON log.checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
ALTER TABLE log.event ENABLE ALWAYS TRIGGER event_refuse_change;
ALTER TABLE log.command ENABLE ALWAYS TRIGGER command_refuse_change;
ALTER TABLE log.checkpoint ENABLE ALWAYS TRIGGER checkpoint_refuse_change;

GRANT SELECT ON log.event, log.command, log.checkpoint TO plimsoll_service;
