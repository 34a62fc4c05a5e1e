-- Several instances of the service on one database: who appends next, and who leads.

CREATE SCHEMA instance AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA instance TO plimsoll_service;

-- Who was overtaken has a moment in which nobody else appends: the time that it takes to decide
-- again and to send that. It is never held by a client: it ends by itself, by this clock. It is
-- worth nothing after a crash, so that giving it costs no flush to the disk.
CREATE UNLOGGED TABLE instance.turn (
    ends_at timestamptz NOT NULL,
    backend integer NOT NULL,
    only_row boolean NOT NULL DEFAULT true CHECK (only_row),
    CONSTRAINT turn_pkey PRIMARY KEY (only_row)
);
ALTER TABLE instance.turn OWNER TO plimsoll_owner;

-- Whether the turn is somebody else's. A turn is never longer than half a second: one that seems
-- to be is from before this clock was set back.
CREATE FUNCTION instance.is_taken() RETURNS boolean
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT EXISTS (
        SELECT FROM instance.turn t
        WHERE t.backend <> pg_backend_pid() AND t.ends_at > clock_timestamp()
            AND t.ends_at <= clock_timestamp() + interval '500 ms'
    )
$$;
ALTER FUNCTION instance.is_taken OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.is_taken FROM PUBLIC;

-- Takes the append lock, and says whether the caller may append now. Its own turn ends with it.
CREATE FUNCTION instance.may_append() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    whose integer;
BEGIN
    -- The next statement takes its snapshot after the wait.
    IF pg_advisory_xact_lock(5795122739328019564) IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT t.backend INTO whose FROM instance.turn t
    WHERE t.ends_at > clock_timestamp() AND t.ends_at <= clock_timestamp() + interval '500 ms';
    IF whose IS NULL THEN
        RETURN true;
    END IF;
    IF whose <> pg_backend_pid() THEN
        RETURN false;
    END IF;
    UPDATE instance.turn SET ends_at = '-infinity';
    RETURN true;
END
$$;
ALTER FUNCTION instance.may_append OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.may_append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.may_append TO plimsoll_service;

-- Gives the caller's turn back unused.
CREATE FUNCTION instance.pass_turn() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE instance.turn SET ends_at = '-infinity' WHERE backend = pg_backend_pid()
$$;
ALTER FUNCTION instance.pass_turn OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.pass_turn FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.pass_turn TO plimsoll_service;

-- Appends as log.append does, and answers whoever was overtaken all that it needs to decide again:
-- the events behind those that it knows follow its answers, and the next turn is its own. So the
-- lock is held for as long as this runs, and never while a client is waited for.
--
-- An event has the status "event", its position in first_position, the log's end in last_position,
-- and its entry. They are no more than what a connection takes in without its reader: a reader that
-- sleeps must not keep the transaction from its end. Whoever is further behind reads the log.
--
-- While the turn is somebody else's it waits, without the lock; after a second of that all commands
-- are "undecided".
CREATE FUNCTION instance.append(
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
    known bigint
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
DECLARE
    patience CONSTANT timestamptz := clock_timestamp() + interval '1 s';
    answer record;
    is_overtaken boolean := false;
BEGIN
    WHILE instance.is_taken() AND clock_timestamp() < patience LOOP
        PERFORM pg_sleep(0.001);
    END LOOP;
    PERFORM pg_advisory_xact_lock(5795122739328019564);
    IF instance.is_taken() THEN
        RETURN QUERY
        SELECT k, 'undecided', NULL::bigint, NULL::bigint, NULL::bytea, NULL::text, NULL::bigint,
            NULL::timestamptz, NULL::bytea
        FROM generate_series(1, cardinality(command_ids)) AS k;
        RETURN;
    END IF;

    FOR answer IN
        SELECT a.* FROM log.append(
            command_ids, request_digests, outcomes, recorded_ats, event_ends, expected_commands,
            expected_streams, expected_revisions, event_streams, event_revisions, event_types,
            event_shapes, event_ids, entries
        ) AS a
    LOOP
        is_overtaken := is_overtaken OR answer.status IN ('conflict', 'clockBehind');
        RETURN QUERY SELECT answer.ordinal, answer.status, answer.first_position,
            answer.last_position, answer.outcome, answer.stream, answer.revision,
            answer.recorded_at, NULL::bytea;
    END LOOP;
    IF NOT is_overtaken THEN
        UPDATE instance.turn SET ends_at = '-infinity' WHERE backend = pg_backend_pid();
        RETURN;
    END IF;

    INSERT INTO instance.turn AS t (ends_at, backend)
    VALUES (clock_timestamp() + interval '500 ms', pg_backend_pid())
    ON CONFLICT (only_row) DO UPDATE SET ends_at = excluded.ends_at, backend = excluded.backend;
    RETURN QUERY
    SELECT 0, 'event', behind.position,
        (SELECT e.position FROM log.event e ORDER BY e.position DESC LIMIT 1), NULL::bytea,
        NULL::text, NULL::bigint, NULL::timestamptz, behind.entry
    FROM (
        SELECT e.position, e.entry,
            sum(octet_length(e.entry)) OVER (ORDER BY e.position) AS size
        FROM (
            SELECT x.position, x.entry FROM log.event x
            WHERE x.position > known ORDER BY x.position LIMIT 100
        ) AS e
    ) AS behind
    WHERE behind.size <= 65536
    ORDER BY behind.position;
END
$$;
ALTER FUNCTION instance.append OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.append TO plimsoll_service;

COMMENT ON SCHEMA instance IS
    'What instances of the service agree on among themselves. No part of the record.';
COMMENT ON TABLE instance.turn IS
    'Who was overtaken, and appends next; at most one row, and a moment at a time.';
COMMENT ON COLUMN instance.turn.ends_at IS 'Until when nobody else appends, by this clock.';
COMMENT ON COLUMN instance.turn.backend IS 'The session; see pg_stat_activity.';
COMMENT ON COLUMN instance.turn.only_row IS 'Keeps it at one row.';
COMMENT ON FUNCTION instance.is_taken IS 'Whether the turn to append is somebody else''s.';
COMMENT ON FUNCTION instance.may_append IS
    'Takes the append lock, and says whether the caller may append now.';
COMMENT ON FUNCTION instance.pass_turn IS 'Gives the caller''s turn back unused.';
COMMENT ON FUNCTION instance.append IS
    'Appends as log.append does; who was overtaken gets what is new, and the next turn.';
