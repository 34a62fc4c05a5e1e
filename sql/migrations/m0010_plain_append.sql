-- Appending what is plain: decided on the log as it stands, with nothing that was there before.
--
-- Nearly everything that is appended is plain, and then a few probes of indexes say so. Both
-- functions answer NULL where it is not, and have written nothing: log.append then answers each
-- command, and says why.
--
-- What they return is one number, because a set of rows costs as much as the probes. Locks and
-- notifications stand in conditions, which PL/pgSQL evaluates without making a query of them.

-- log.append and the functions below are the only way in, and they compute both positions. A check
-- is parsed again by every INSERT.
ALTER TABLE log.command DROP CONSTRAINT command_check;

DROP FUNCTION log.append_one;

-- One command with one event: what comes when nobody else waits. Answers its position.
--
-- It may have relied on one stream beside the event's own; NULL where it has not.
CREATE FUNCTION log.append_one(
    new_command_id uuid,
    new_request_digest bytea,
    new_outcome bytea,
    new_recorded_at timestamptz,
    read_stream text,
    read_revision bigint,
    new_stream text,
    new_revision bigint,
    new_type text,
    new_shape integer,
    new_event_id uuid,
    new_entry bytea
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Plans are made once and probe indexes, however small the tables were when they were made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    place bigint;
    head_time timestamptz;
    is_known boolean;
    reached bigint;
    read_reached bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'log.append_one needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    -- The next statement takes its snapshot after the wait, so it sees all that was committed by
    -- whoever held the lock before.
    IF pg_advisory_xact_lock(5795122739328019564) IS NULL THEN
        RETURN NULL;
    END IF;

    SELECT latest.position + 1, latest.recorded_at,
        (SELECT true FROM log.command c WHERE c.command_id = new_command_id),
        (
            SELECT e.revision FROM log.event e WHERE e.stream = new_stream
            ORDER BY e.revision DESC LIMIT 1
        ),
        (
            SELECT e.revision FROM log.event e WHERE e.stream = read_stream
            ORDER BY e.revision DESC LIMIT 1
        )
    INTO place, head_time, is_known, reached, read_reached
    FROM log.event latest ORDER BY latest.position DESC LIMIT 1;
    IF place IS NULL OR is_known OR new_recorded_at < head_time
        OR new_revision <> coalesce(reached, 0) + 1
        OR read_revision <> coalesce(read_reached, 0)
    THEN
        RETURN NULL;
    END IF;

    WITH recording AS (
        INSERT INTO log.command (
            first_position, last_position, recorded_at, command_id, request_digest, outcome
        ) VALUES (
            place, place, new_recorded_at, new_command_id, new_request_digest, new_outcome
        )
    )
    INSERT INTO log.event (
        position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
    ) VALUES (
        place, new_revision, new_recorded_at, new_event_id, new_command_id, new_shape, new_stream,
        new_type, new_entry
    );
    IF pg_notify('plimsoll_log', place::text) IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN place;
END
$$;

ALTER FUNCTION log.append_one OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.append_one FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.append_one TO plimsoll_service;

-- A group of commands recorded at one time, each with events. Answers the position before the
-- first.
--
-- read_streams are those that anybody relied on before the group changed them, each once. What a
-- command relied on that one before it changed follows from the order, and is for the caller to
-- see; that the events continue their streams is seen here. Commands are told apart by their place
-- in the arrays, from 1, and have distinct ids; event_ends says where the events of each end, and
-- event_commands whose an event is.
CREATE FUNCTION log.append_plain(
    command_ids uuid[],
    request_digests bytea[],
    outcomes bytea[],
    new_recorded_at timestamptz,
    event_ends integer[],
    read_streams text[],
    read_revisions bigint[],
    event_commands integer[],
    event_streams text[],
    event_revisions bigint[],
    event_types text[],
    event_shapes integer[],
    event_ids uuid[],
    entries bytea[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    event_count CONSTANT integer := cardinality(entries);
    head bigint;
    head_time timestamptz;
    is_plain boolean;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'log.append_plain needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    IF event_ends[cardinality(command_ids)] IS DISTINCT FROM event_count
        OR cardinality(event_streams) <> event_count
        OR cardinality(event_revisions) <> event_count
        OR cardinality(event_commands) <> event_count
        OR cardinality(read_revisions) <> cardinality(read_streams)
    THEN
        RAISE EXCEPTION 'log.append_plain needs arrays that belong together'
            USING ERRCODE = 'array_subscript_error';
    END IF;
    IF pg_advisory_xact_lock(5795122739328019564) IS NULL THEN
        RETURN NULL;
    END IF;

    SELECT latest.position, latest.recorded_at,
        NOT EXISTS (SELECT FROM log.command c WHERE c.command_id = ANY (command_ids))
        AND NOT EXISTS (
            SELECT FROM (SELECT unnest(read_streams), unnest(read_revisions))
                AS read (stream, revision)
            WHERE read.revision <> coalesce(
                (
                    SELECT e.revision FROM log.event e WHERE e.stream = read.stream
                    ORDER BY e.revision DESC LIMIT 1
                ),
                0
            )
        )
        -- No two events have one revision, so as many as there are between the lowest and the
        -- highest follow one another.
        AND NOT EXISTS (
            SELECT FROM (
                SELECT new.stream, min(new.revision), max(new.revision), count(*)
                FROM (SELECT unnest(event_streams), unnest(event_revisions))
                    AS new (stream, revision)
                GROUP BY new.stream
            ) AS run (stream, first, last, length)
            WHERE run.last - run.first + 1 <> run.length OR run.first - 1 <> coalesce(
                (
                    SELECT e.revision FROM log.event e WHERE e.stream = run.stream
                    ORDER BY e.revision DESC LIMIT 1
                ),
                0
            )
        )
    INTO head, head_time, is_plain
    FROM log.event latest ORDER BY latest.position DESC LIMIT 1;
    IF head IS NULL OR NOT is_plain OR new_recorded_at < head_time THEN
        RETURN NULL;
    END IF;

    -- By subscripts: a set made of several arrays is written down row by row before it is read.
    WITH recording AS (
        INSERT INTO log.command (
            first_position, last_position, recorded_at, command_id, request_digest, outcome
        )
        SELECT head + 1 + coalesce(event_ends[c.k - 1], 0), head + event_ends[c.k],
            new_recorded_at, command_ids[c.k], request_digests[c.k], outcomes[c.k]
        FROM (SELECT generate_series(1, cardinality(command_ids))) AS c (k)
    )
    INSERT INTO log.event (
        position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
    )
    SELECT head + e.n, event_revisions[e.n], new_recorded_at, event_ids[e.n],
        command_ids[event_commands[e.n]], event_shapes[e.n], event_streams[e.n],
        event_types[e.n], entries[e.n]
    FROM (SELECT generate_series(1, event_count)) AS e (n);
    IF pg_notify('plimsoll_log', (head + event_count)::text) IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN head;
END
$$;

ALTER FUNCTION log.append_plain OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION log.append_plain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log.append_plain TO plimsoll_service;
