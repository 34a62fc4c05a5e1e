-- Appending: the only way into the log.
--
-- A call appends a group of commands, in order, under one lock, so that positions have no gaps and
-- the order of commits is the order of positions. The first command that cannot simply be appended
-- ends the group: those before it are appended, it gets its answer, and those after it are
-- "undecided", because they were decided on a state that did not come about.

-- Keeps everybody from appending until the transaction ends. The key spells "Plimsoll".
CREATE FUNCTION log.hold_appends() RETURNS void
LANGUAGE sql VOLATILE
AS $$ SELECT pg_catalog.pg_advisory_xact_lock(5795122739328019564) $$;

ALTER FUNCTION log.hold_appends() OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.hold_appends() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.hold_appends() TO plimsoll_service;

-- Commands are told apart by their place in the arrays, from 1. The events of command k are those
-- after event_ends[k - 1] up to event_ends[k]. Expectations name the command that holds them and
-- speak of the stream as the commands before it leave it; 0 is a stream without events.
--
-- Answers one row a command, in order. status is:
--   appended     first_position and last_position say where
--   duplicate    known with the same digest: its positions, outcome and time, nothing was written
--   mismatch     known with another digest
--   conflict     stream stands at revision, which is not what the command expected
--   clockBehind  its time lies before recorded_at, the last one in the log
--   undecided    a command before it was not appended
--
-- Time does not go back, unless by more than five seconds: then the clock was wrong before, and
-- the time is recorded as it is.
CREATE FUNCTION log.append(
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
    entries bytea[]
) RETURNS TABLE (
    ordinal integer,
    status text,
    first_position bigint,
    last_position bigint,
    outcome bytea,
    stream text,
    revision bigint,
    recorded_at timestamptz
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Plans are made once and probe indexes, however small the tables were when they were made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    command_count CONSTANT integer := cardinality(command_ids);
    event_count CONSTANT integer := cardinality(entries);
    head bigint;
    head_time timestamptz;
    stopped integer;
    appended integer;
    known log.command;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'log.append needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    IF event_ends[command_count] IS DISTINCT FROM event_count
        OR cardinality(event_streams) <> event_count
        OR cardinality(event_revisions) <> event_count
        OR cardinality(expected_streams) <> cardinality(expected_commands)
        OR cardinality(expected_revisions) <> cardinality(expected_commands)
    THEN
        RAISE EXCEPTION 'log.append needs arrays that belong together'
            USING ERRCODE = 'array_subscript_error';
    END IF;

    -- Its own statement: the next one takes its snapshot after the wait, so it sees all that was
    -- committed by whoever held the lock before.
    PERFORM pg_advisory_xact_lock(5795122739328019564);

    SELECT e.position, e.recorded_at INTO head, head_time
    FROM log.event e ORDER BY e.position DESC LIMIT 1;
    head := coalesce(head, 0);

    -- The first command that cannot simply be appended. Scalar subqueries, not joins: each is one
    -- index probe in every plan.
    SELECT least(
        (
            SELECT min(c.k)
            FROM unnest(command_ids, recorded_ats) WITH ORDINALITY AS c (id, at, k)
            WHERE array_position(command_ids, c.id) < c.k
                OR (SELECT true FROM log.command x WHERE x.command_id = c.id)
                OR c.at < coalesce(recorded_ats[c.k - 1], head_time)
                    AND c.at >= coalesce(recorded_ats[c.k - 1], head_time) - interval '5 s'
        ),
        (
            -- What each expectation and each event says about its stream, in the order in which
            -- it says so: where the stream stood, and where it leaves it. Each must begin where
            -- the one before it ended, the first one where the log ends.
            SELECT min(claims.k)
            FROM (
                SELECT claim.k, claim.stream, claim.before,
                    lag(claim.after) OVER (PARTITION BY claim.stream ORDER BY claim.turn) AS reached
                FROM (
                    SELECT e.command, e.stream, e.revision, e.revision,
                        2 * coalesce(event_ends[e.command - 1], 0) + 1
                    FROM unnest(expected_commands, expected_streams, expected_revisions)
                        AS e (command, stream, revision)
                    UNION ALL
                    SELECT width_bucket(e.n::integer - 1, event_ends) + 1, e.stream,
                        e.revision - 1, e.revision, 2 * e.n::integer
                    FROM unnest(event_streams, event_revisions) WITH ORDINALITY
                        AS e (stream, revision, n)
                ) AS claim (k, stream, before, after, turn)
            ) AS claims
            WHERE claims.before <> coalesce(
                claims.reached,
                (
                    SELECT x.revision FROM log.event x WHERE x.stream = claims.stream
                    ORDER BY x.revision DESC LIMIT 1
                ),
                0
            )
        )
    ) INTO stopped;
    appended := coalesce(stopped - 1, command_count);

    IF appended > 0 THEN
        INSERT INTO log.event (
            position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
        )
        SELECT head + e.n, e.revision, recorded_ats[width_bucket(e.n::integer - 1, event_ends) + 1],
            e.id, command_ids[width_bucket(e.n::integer - 1, event_ends) + 1],
            e.shape, e.stream, e.type, e.entry
        FROM unnest(
            event_revisions, event_ids, event_shapes, event_streams, event_types, entries
        ) WITH ORDINALITY AS e (revision, id, shape, stream, type, entry, n)
        WHERE e.n <= event_ends[appended];

        RETURN QUERY
        WITH appending AS (
            SELECT c.k::integer AS k, head + 1 + coalesce(event_ends[c.k - 1], 0) AS first_position,
                head + c.last AS last_position, c.at, c.id, c.digest, c.outcome
            FROM unnest(command_ids, request_digests, outcomes, recorded_ats, event_ends)
                WITH ORDINALITY AS c (id, digest, outcome, at, last, k)
            WHERE c.k <= appended
        ), recording AS (
            INSERT INTO log.command (
                first_position, last_position, recorded_at, command_id, request_digest, outcome
            )
            SELECT CASE WHEN a.first_position <= a.last_position THEN a.first_position END,
                a.last_position, a.at, a.id, a.digest, a.outcome
            FROM appending a
        )
        SELECT a.k, 'appended',
            CASE WHEN a.first_position <= a.last_position THEN a.first_position END,
            a.last_position, NULL::bytea, NULL::text, NULL::bigint, a.at
        FROM appending a;

        IF event_ends[appended] > 0 THEN
            PERFORM pg_notify('plimsoll_log', (head + event_ends[appended])::text);
        END IF;
    END IF;
    IF stopped IS NULL THEN
        RETURN;
    END IF;

    -- Why command "stopped" was not appended. What the ones before it wrote is visible by now.
    SELECT c.* INTO known FROM log.command c WHERE c.command_id = command_ids[stopped];
    IF known.request_digest = request_digests[stopped] THEN
        RETURN QUERY SELECT stopped, 'duplicate', known.first_position, known.last_position,
            known.outcome, NULL::text, NULL::bigint, known.recorded_at;
    ELSIF known.request_digest IS NOT NULL THEN
        RETURN QUERY SELECT stopped, 'mismatch', NULL::bigint, NULL::bigint, NULL::bytea,
            NULL::text, NULL::bigint, NULL::timestamptz;
    ELSE
        RETURN QUERY
        SELECT stopped, 'conflict', NULL::bigint, NULL::bigint, NULL::bytea,
            stale.stream, stale.reached, NULL::timestamptz
        FROM (
            SELECT claim.stream, claim.before, claim.turn, coalesce(
                (
                    SELECT x.revision FROM log.event x WHERE x.stream = claim.stream
                    ORDER BY x.revision DESC LIMIT 1
                ),
                0
            ) AS reached
            FROM (
                SELECT e.stream, e.revision, e.n
                FROM unnest(expected_commands, expected_streams, expected_revisions)
                    WITH ORDINALITY AS e (command, stream, revision, n)
                WHERE e.command = stopped
                UNION ALL
                SELECT e.stream, min(e.revision) - 1, cardinality(expected_commands) + min(e.n)
                FROM unnest(event_streams, event_revisions) WITH ORDINALITY
                    AS e (stream, revision, n)
                WHERE width_bucket(e.n::integer - 1, event_ends) + 1 = stopped
                GROUP BY e.stream
            ) AS claim (stream, before, turn)
        ) AS stale
        WHERE stale.before <> stale.reached
        ORDER BY stale.turn LIMIT 1;
        IF NOT FOUND THEN
            SELECT e.recorded_at INTO head_time
            FROM log.event e ORDER BY e.position DESC LIMIT 1;
            IF recorded_ats[stopped] < head_time
                AND recorded_ats[stopped] >= head_time - interval '5 s'
            THEN
                RETURN QUERY SELECT stopped, 'clockBehind', NULL::bigint, NULL::bigint,
                    NULL::bytea, NULL::text, NULL::bigint, head_time;
            ELSE
                RAISE EXCEPTION 'the revisions of command % do not follow one another', stopped
                    USING ERRCODE = 'invalid_parameter_value';
            END IF;
        END IF;
    END IF;

    RETURN QUERY
    SELECT k, 'undecided', NULL::bigint, NULL::bigint, NULL::bytea, NULL::text, NULL::bigint,
        NULL::timestamptz
    FROM generate_series(stopped + 1, command_count) AS k;
END
$$;

ALTER FUNCTION log.append OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.append TO plimsoll_service;

-- One command with one event: what comes when nobody else waits. Without sets it takes about two
-- thirds of what log.append takes for it. The streams that were only read are the ones beside the
-- event's own. Whatever is not plain is left to log.append, so the answers are the same.
CREATE FUNCTION log.append_one(
    new_command_id uuid,
    new_request_digest bytea,
    new_outcome bytea,
    new_recorded_at timestamptz,
    read_streams text[],
    read_revisions bigint[],
    new_stream text,
    new_revision bigint,
    new_type text,
    new_shape integer,
    new_event_id uuid,
    new_entry bytea
) RETURNS TABLE (
    ordinal integer,
    status text,
    first_position bigint,
    last_position bigint,
    outcome bytea,
    stream text,
    revision bigint,
    recorded_at timestamptz
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    next bigint;
    head_time timestamptz;
    is_known boolean;
    is_stale boolean := false;
    reached bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'log.append_one needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    PERFORM pg_advisory_xact_lock(5795122739328019564);

    SELECT (SELECT e.position + 1 FROM log.event e ORDER BY e.position DESC LIMIT 1),
        (SELECT e.recorded_at FROM log.event e ORDER BY e.position DESC LIMIT 1),
        (SELECT true FROM log.command c WHERE c.command_id = new_command_id),
        (
            SELECT e.revision FROM log.event e WHERE e.stream = new_stream
            ORDER BY e.revision DESC LIMIT 1
        )
    INTO next, head_time, is_known, reached;
    IF cardinality(read_streams) > 0 THEN
        SELECT bool_or(read.revision <> coalesce(
            (
                SELECT e.revision FROM log.event e WHERE e.stream = read.stream
                ORDER BY e.revision DESC LIMIT 1
            ),
            0
        )) INTO is_stale
        FROM (SELECT unnest(read_streams), unnest(read_revisions)) AS read (stream, revision);
    END IF;
    IF is_known OR is_stale OR new_revision <> coalesce(reached, 0) + 1
        OR new_recorded_at < head_time
    THEN
        RETURN QUERY
        SELECT * FROM log.append(
            ARRAY[new_command_id], ARRAY[new_request_digest], ARRAY[new_outcome],
            ARRAY[new_recorded_at], ARRAY[1], array_fill(1, ARRAY[cardinality(read_streams) + 1]),
            read_streams || new_stream, read_revisions || (new_revision - 1),
            ARRAY[new_stream], ARRAY[new_revision], ARRAY[new_type], ARRAY[new_shape],
            ARRAY[new_event_id], ARRAY[new_entry]
        );
        RETURN;
    END IF;

    next := coalesce(next, 1);
    WITH recording AS (
        INSERT INTO log.command (
            first_position, last_position, recorded_at, command_id, request_digest, outcome
        ) VALUES (
            next, next, new_recorded_at, new_command_id, new_request_digest, new_outcome
        )
    )
    INSERT INTO log.event (
        position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
    ) VALUES (
        next, new_revision, new_recorded_at, new_event_id, new_command_id, new_shape, new_stream,
        new_type, new_entry
    );
    PERFORM pg_notify('plimsoll_log', next::text);

    ordinal := 1;
    status := 'appended';
    first_position := next;
    last_position := next;
    recorded_at := new_recorded_at;
    RETURN NEXT;
END
$$;

ALTER FUNCTION log.append_one OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.append_one FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.append_one TO plimsoll_service;
