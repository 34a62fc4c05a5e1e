-- Several instances of the service on one database: who appends next, and who leads.

CREATE SCHEMA instance AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA instance TO plimsoll_service;

-- Who was overtaken has a moment in which nobody else appends: the time that it takes to decide
-- again and to send that. It is never held by a client: it ends by itself, by this clock. It is
-- worth nothing after a crash, so that giving it costs no flush to the disk.
--
-- The plain forms of log.append are called where it is nobody's. Such a call may wait for the lock
-- already when a turn is given, and gets in between; there is one at most of each other instance.
CREATE UNLOGGED TABLE instance.turn (
    ends_at timestamptz NOT NULL,
    backend integer NOT NULL,
    only_row boolean NOT NULL DEFAULT true CHECK (only_row),
    CONSTRAINT turn_pkey PRIMARY KEY (only_row)
);
ALTER TABLE instance.turn OWNER TO plimsoll_owner;
GRANT SELECT ON instance.turn TO plimsoll_service;

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

-- Who leads: one row for each thing that one of all instances does at a time. Only this clock says
-- whether a lease is over.
CREATE TABLE instance.lease (
    epoch bigint NOT NULL CHECK (epoch >= 1),
    taken_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    length interval NOT NULL,
    holder uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    CONSTRAINT lease_pkey PRIMARY KEY (name)
);
ALTER TABLE instance.lease OWNER TO plimsoll_owner;
GRANT SELECT ON instance.lease TO plimsoll_service;

-- Takes a lease that is over, or prolongs one's own; answers its epoch, or NULL where it is somebody
-- else's.
--
-- Whoever takes it from another one gets a higher epoch, and one above "seen". A lease that would
-- last for longer than it was granted is from before this clock was set back. "alone" says that
-- nobody else can be there: then its holder is dead.
CREATE FUNCTION instance.take_lease(
    lease_name text,
    claimant uuid,
    milliseconds bigint,
    seen bigint,
    alone boolean
) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    INSERT INTO instance.lease AS l (epoch, taken_at, expires_at, length, holder, name)
    VALUES (
        seen + 1, clock_timestamp(), clock_timestamp() + milliseconds * interval '1 ms',
        milliseconds * interval '1 ms', claimant, lease_name
    )
    ON CONFLICT (name) DO UPDATE SET
        epoch = CASE WHEN l.holder = claimant AND l.epoch > seen THEN l.epoch
            ELSE greatest(l.epoch, seen) + 1 END,
        taken_at = CASE WHEN l.holder = claimant AND l.epoch > seen THEN l.taken_at
            ELSE clock_timestamp() END,
        expires_at = clock_timestamp() + excluded.length,
        length = excluded.length,
        holder = claimant
    WHERE l.holder = claimant OR alone OR l.expires_at <= clock_timestamp()
        OR l.expires_at > clock_timestamp() + l.length
    RETURNING epoch
$$;
ALTER FUNCTION instance.take_lease OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.take_lease FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.take_lease TO plimsoll_service;

-- Gives one's own lease back; its epoch stays, so that the next one is higher.
CREATE FUNCTION instance.give_lease(lease_name text, claimant uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE instance.lease SET expires_at = '-infinity'
    WHERE name = lease_name AND holder = claimant
$$;
ALTER FUNCTION instance.give_lease OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.give_lease FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.give_lease TO plimsoll_service;

-- Refuses what leaders write whose epoch is not the latest; answers true else. Until the transaction
-- ends nobody takes the leases from them: what they write is written before whoever comes next.
CREATE FUNCTION instance.check_leases(lease_names text[], lease_epochs bigint[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    latest bigint;
BEGIN
    FOR i IN 1 .. cardinality(lease_names) LOOP
        SELECT l.epoch INTO latest FROM instance.lease l WHERE l.name = lease_names[i] FOR SHARE;
        IF latest IS DISTINCT FROM lease_epochs[i] THEN
            RAISE EXCEPTION 'the lease of the % is in epoch %, no longer in %',
                lease_names[i], latest, lease_epochs[i]
                USING ERRCODE = 'PLFEN';
        END IF;
    END LOOP;
    RETURN true;
END
$$;
ALTER FUNCTION instance.check_leases OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.check_leases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.check_leases TO plimsoll_service;

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

-- Appends as log.append does, and answers whoever was overtaken all that it needs to decide again:
-- the events behind those that it knows follow its answers, and the next turn is its own. So the
-- lock is held for as long as this runs, and never while a client is waited for.
--
-- An event has the status "event", its position in first_position, the log's end in last_position,
-- and its entry. They are no more than what a connection takes in without its reader: a reader that
-- sleeps must not keep the transaction from its end. Whoever is further behind reads the log.
--
-- Who appends says what its state stands on, an event at "known" with "known_leaf", and is refused
-- where the log does not have that.
--
-- While the turn is somebody else's it waits, without the lock; after a second of that all commands
-- are "undecided".
CREATE FUNCTION instance.append(
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
DECLARE
    patience CONSTANT timestamptz := clock_timestamp() + interval '1 s';
    answer record;
    is_overtaken boolean := false;
BEGIN
    PERFORM instance.check_log(known, known_leaf);
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
    PERFORM instance.check_leases(lease_names, lease_epochs);

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
COMMENT ON FUNCTION instance.pass_turn IS 'Gives the caller''s turn back unused.';
COMMENT ON FUNCTION instance.append IS
    'Appends as log.append does; who was overtaken gets what is new, and the next turn.';
COMMENT ON TABLE instance.lease IS
    'Who leads: one row for each thing that one of all instances does at a time.';
COMMENT ON COLUMN instance.lease.epoch IS
    'Rises with each leader: what an earlier one still does is refused.';
COMMENT ON COLUMN instance.lease.taken_at IS 'When its holder took it, by this clock.';
COMMENT ON COLUMN instance.lease.expires_at IS
    'When it is over unless it is prolonged, by this clock; -infinity where it was given back.';
COMMENT ON COLUMN instance.lease.length IS 'For how long it is granted at a time.';
COMMENT ON COLUMN instance.lease.holder IS 'The instance, by a number that it chose at its start.';
COMMENT ON COLUMN instance.lease.name IS 'What is led: exporter, courier or ingestion.';
COMMENT ON FUNCTION instance.take_lease IS
    'Takes a lease that is over, or prolongs one''s own; answers its epoch, or NULL.';
COMMENT ON FUNCTION instance.give_lease IS 'Gives one''s own lease back.';
COMMENT ON FUNCTION instance.check_leases IS
    'Refuses what leaders write whose epoch is not the latest (SQLSTATE PLFEN).';
COMMENT ON FUNCTION instance.check_log IS
    'Refuses who knows an event that the log does not have (SQLSTATE PLBHD), or has another in its place (PLFRK).';
