-- The record checks itself: who appends says what its state stands on, and is refused where the log
-- does not have that.

-- Raises unless the event at a position has that leaf; answers true else. Whoever knows no event, or
-- does not say which, stands on any log.
--
-- What stands there when a statement begins stands there until it ends: nothing is ever taken away
-- but together with the server, and then the connection is gone.
CREATE FUNCTION instance.check_log(known bigint, known_leaf bytea) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
-- The plan is made once and probes the index, however small the table was when it was made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    found_leaf bytea;
BEGIN
    IF known = 0 OR known_leaf IS NULL THEN
        RETURN true;
    END IF;
    SELECT e.leaf_hash INTO found_leaf FROM log.event e WHERE e.position = known;
    IF found_leaf IS NULL THEN
        RAISE EXCEPTION 'the log has no event %, which an instance knows', known
            USING ERRCODE = 'PLBHD';
    ELSIF found_leaf <> known_leaf THEN
        RAISE EXCEPTION 'event % is not the one that an instance knows', known
            USING ERRCODE = 'PLFRK';
    END IF;
    RETURN true;
END
$$;
ALTER FUNCTION instance.check_log OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.check_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.check_log TO plimsoll_service;

-- Appends as instance.append does, on a log that has what the caller knows: an event at "known" with
-- "known_leaf".
CREATE FUNCTION instance.append_on(
    known bigint,
    known_leaf bytea,
    command_ids uuid[],
    request_digests bytea[],
    outcomes bytea[],
    recorded_ats timestamptz[],
    event_ends integer[],
    expected_commands integer[],
    expected_streams text[],
    expected_revisions bigint[],
    event_streams text[],
    event_revisions bigint[],
    event_types text[],
    event_shapes integer[],
    event_ids uuid[],
    entries bytea[],
    lease_names text[],
    lease_epochs bigint[]
) RETURNS TABLE (
    ordinal integer,
    status text,
    first_position bigint,
    last_position bigint,
    outcome bytea,
    stream text,
    revision bigint,
    recorded_at timestamptz,
    entry bytea
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    PERFORM instance.check_log(known, known_leaf);
    RETURN QUERY
    SELECT a.* FROM instance.append(
        command_ids, request_digests, outcomes, recorded_ats, event_ends, expected_commands,
        expected_streams, expected_revisions, event_streams, event_revisions, event_types,
        event_shapes, event_ids, entries, known, lease_names, lease_epochs
    ) AS a;
END
$$;
ALTER FUNCTION instance.append_on OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.append_on FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.append_on TO plimsoll_service;

COMMENT ON FUNCTION instance.check_log IS
    'Refuses who knows an event that the log does not have (SQLSTATE PLBHD), or has another in its place (PLFRK).';
COMMENT ON FUNCTION instance.append_on IS
    'Appends as instance.append does, on a log that has what the caller knows.';
