-- What is plain is appended by one call, which also sees whose turn it is and what the caller knows.
--
-- Conditions around log.append_one and log.append_plain did that before, as a query and a function
-- of their own. Those two stay for instances of before, until they are started anew.

-- One command with one event: what comes when nobody else waits. Answers the position before it;
-- NULL, and has written nothing, where it is not plain or somebody is to append next.
--
-- "known" is an event that the caller's state stands on, with "known_leaf"; who knows one that the
-- log does not have is refused. Where the log ends with it, whatever the command read is as it was
-- read, and is not looked at again; what it writes has to continue its stream all the same.
--
-- It may have relied on one stream beside the event's own; NULL where it has not.
CREATE FUNCTION instance.append_one(
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
    new_entry bytea,
    known bigint,
    known_leaf bytea
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Plans are made once and probe indexes, however small the tables were when they were made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    head bigint;
    head_time timestamptz;
    head_leaf bytea;
    is_known boolean;
    is_taken boolean;
    reached bigint;
    read_reached bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'instance.append_one needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    -- The next statement takes its snapshot after the wait, so it sees all that was committed by
    -- whoever held the lock before.
    IF pg_advisory_xact_lock(5795122739328019564) IS NULL THEN
        RETURN NULL;
    END IF;

    SELECT latest.position, latest.recorded_at, latest.leaf_hash,
        (
            SELECT true FROM instance.turn t
            WHERE t.only_row AND t.ends_at > clock_timestamp()
                AND t.ends_at <= clock_timestamp() + interval '500 ms'
        ),
        (SELECT true FROM log.command c WHERE c.command_id = new_command_id),
        (
            SELECT e.revision FROM log.event e WHERE e.stream = new_stream
            ORDER BY e.revision DESC LIMIT 1
        ),
        CASE WHEN latest.position = known AND latest.leaf_hash = known_leaf THEN read_revision
        ELSE (
            SELECT e.revision FROM log.event e WHERE e.stream = read_stream
            ORDER BY e.revision DESC LIMIT 1
        ) END
    INTO head, head_time, head_leaf, is_taken, is_known, reached, read_reached
    FROM log.event latest ORDER BY latest.position DESC LIMIT 1;
    IF (head, head_leaf) IS DISTINCT FROM (known, known_leaf) THEN
        PERFORM instance.check_log(known, known_leaf);
    END IF;
    IF head IS NULL OR is_taken OR is_known OR new_recorded_at < head_time
        OR new_revision <> coalesce(reached, 0) + 1
        OR read_revision <> coalesce(read_reached, 0)
    THEN
        RETURN NULL;
    END IF;

    WITH recording AS (
        INSERT INTO log.command (
            first_position, last_position, recorded_at, command_id, request_digest, outcome
        ) VALUES (
            head + 1, head + 1, new_recorded_at, new_command_id, new_request_digest, new_outcome
        )
    )
    INSERT INTO log.event (
        position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
    ) VALUES (
        head + 1, new_revision, new_recorded_at, new_event_id, new_command_id, new_shape, new_stream,
        new_type, new_entry
    );
    IF pg_notify('plimsoll_log', (head + 1)::text) IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN head;
END
$$;

ALTER FUNCTION instance.append_one OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.append_one FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.append_one TO plimsoll_service;

-- The same for a group of commands recorded at one time, each with events. Answers the position
-- before the first.
--
-- read_streams are those that anybody relied on before the group changed them, each once. What a
-- command relied on that one before it changed follows from the order, and is for the caller to
-- see; that the events continue their streams is seen here. Commands are told apart by their place
-- in the arrays, from 1, and have distinct ids; event_ends says where the events of each end, and
-- event_commands whose an event is.
CREATE FUNCTION instance.append_plain(
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
    entries bytea[],
    known bigint,
    known_leaf bytea
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
    head_leaf bytea;
    is_taken boolean;
    is_plain boolean;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'instance.append_plain needs READ COMMITTED, this transaction is %',
            upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'active_sql_transaction';
    END IF;
    IF event_ends[cardinality(command_ids)] IS DISTINCT FROM event_count
        OR cardinality(event_streams) <> event_count
        OR cardinality(event_revisions) <> event_count
        OR cardinality(event_commands) <> event_count
        OR cardinality(read_revisions) <> cardinality(read_streams)
    THEN
        RAISE EXCEPTION 'instance.append_plain needs arrays that belong together'
            USING ERRCODE = 'array_subscript_error';
    END IF;
    IF pg_advisory_xact_lock(5795122739328019564) IS NULL THEN
        RETURN NULL;
    END IF;

    SELECT latest.position, latest.recorded_at, latest.leaf_hash,
        (
            SELECT true FROM instance.turn t
            WHERE t.only_row AND t.ends_at > clock_timestamp()
                AND t.ends_at <= clock_timestamp() + interval '500 ms'
        ),
        NOT EXISTS (SELECT FROM log.command c WHERE c.command_id = ANY (command_ids))
        AND (latest.position = known AND latest.leaf_hash = known_leaf OR NOT EXISTS (
            SELECT FROM (SELECT unnest(read_streams), unnest(read_revisions))
                AS read (stream, revision)
            WHERE read.revision <> coalesce(
                (
                    SELECT e.revision FROM log.event e WHERE e.stream = read.stream
                    ORDER BY e.revision DESC LIMIT 1
                ),
                0
            )
        ))
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
    INTO head, head_time, head_leaf, is_taken, is_plain
    FROM log.event latest ORDER BY latest.position DESC LIMIT 1;
    IF (head, head_leaf) IS DISTINCT FROM (known, known_leaf) THEN
        PERFORM instance.check_log(known, known_leaf);
    END IF;
    IF head IS NULL OR is_taken OR NOT is_plain OR new_recorded_at < head_time THEN
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

ALTER FUNCTION instance.append_plain OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.append_plain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.append_plain TO plimsoll_service;

COMMENT ON FUNCTION instance.append_one IS
    'Appends one command with one event, if all is as it takes it to be; else answers NULL.';
COMMENT ON FUNCTION instance.append_plain IS
    'Appends a group of commands, if all is as they take it to be; else answers NULL.';
