-- How checkpoints get into the log, what witnesses say of them, and which checkpoints from outside
-- an operator has overruled. A row of log.checkpoint is there before anybody is shown it.

-- Adds a checkpoint and answers the note that holds for its size: the one that was there before, if
-- the root is the same. A checkpoint beyond the last event, and a second root for a size, are
-- refused.
CREATE FUNCTION log.add_checkpoint(
    new_size bigint,
    new_root bytea,
    new_frontier bytea,
    new_note text
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    head bigint;
    known log.checkpoint;
BEGIN
    SELECT coalesce(max(e.position), 0) INTO head FROM log.event e;
    IF new_size > head THEN
        RAISE EXCEPTION 'a checkpoint of % events does not fit a log of %', new_size, head
            USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO log.checkpoint (size, created_at, root, frontier, note)
    VALUES (new_size, clock_timestamp(), new_root, new_frontier, new_note)
    ON CONFLICT (size) DO NOTHING;
    -- A statement of its own: it sees what another transaction committed meanwhile.
    SELECT c.* INTO STRICT known FROM log.checkpoint c WHERE c.size = new_size;
    IF known.root <> new_root THEN
        RAISE EXCEPTION 'another root of % events is recorded already', new_size
            USING ERRCODE = 'unique_violation';
    END IF;
    RETURN known.note;
END
$$;
ALTER FUNCTION log.add_checkpoint OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.add_checkpoint FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.add_checkpoint TO plimsoll_service;

-- The lines of witnesses under a checkpoint, one for each key; the first one stays.
CREATE TABLE log.cosignature (
    size bigint NOT NULL,
    created_at timestamptz NOT NULL,
    witness text COLLATE "C" NOT NULL,
    line text NOT NULL,
    CONSTRAINT cosignature_pkey PRIMARY KEY (size, witness)
);
ALTER TABLE log.cosignature OWNER TO plimsoll_owner;

-- Checkpoints that were found outside, that this log does not contain, and that an operator has
-- decided to go on without.
CREATE TABLE log.overruled (
    size bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    -- Where the log ended when this was decided.
    position bigint NOT NULL,
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    CONSTRAINT overruled_pkey PRIMARY KEY (size, root)
);
ALTER TABLE log.overruled OWNER TO plimsoll_owner;

CREATE TRIGGER cosignature_refuse_change
    BEFORE UPDATE OR DELETE OR TRUNCATE ON log.cosignature
    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER overruled_refuse_change
    BEFORE UPDATE OR DELETE OR TRUNCATE ON log.overruled
    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
ALTER TABLE log.cosignature ENABLE ALWAYS TRIGGER cosignature_refuse_change;
ALTER TABLE log.overruled ENABLE ALWAYS TRIGGER overruled_refuse_change;

GRANT SELECT ON log.cosignature, log.overruled TO plimsoll_service;

CREATE FUNCTION log.add_cosignature(new_size bigint, new_witness text, new_line text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM log.checkpoint c WHERE c.size = new_size) THEN
        RAISE EXCEPTION 'there is no checkpoint of % events to cosign', new_size
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    INSERT INTO log.cosignature (size, created_at, witness, line)
    VALUES (new_size, clock_timestamp(), new_witness, new_line)
    ON CONFLICT (size, witness) DO NOTHING;
END
$$;
ALTER FUNCTION log.add_cosignature OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.add_cosignature FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.add_cosignature TO plimsoll_service;

CREATE FUNCTION log.overrule(new_size bigint, new_root bytea) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    INSERT INTO log.overruled (size, created_at, position, root)
    SELECT new_size, clock_timestamp(), coalesce(max(e.position), 0), new_root FROM log.event e
    ON CONFLICT (size, root) DO NOTHING
$$;
ALTER FUNCTION log.overrule OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.overrule FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.overrule TO plimsoll_service;
