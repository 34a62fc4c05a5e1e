-- The whole schema, as the migrations add up to it.

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
    first_position bigint,
    last_position bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    command_id uuid NOT NULL,
    request_digest bytea NOT NULL,
    outcome bytea NOT NULL,
    CONSTRAINT command_pkey PRIMARY KEY (command_id)
);
ALTER TABLE log.command OWNER TO plimsoll_owner;

-- A time that no entry can say is none that a program reads. What stood there before stays.
ALTER TABLE log.event ADD CONSTRAINT event_recorded_at_check
    CHECK (recorded_at > '-infinity' AND recorded_at < '10000-01-01 00:00:00+00') NOT VALID;
ALTER TABLE log.command ADD CONSTRAINT command_recorded_at_check
    CHECK (recorded_at > '-infinity' AND recorded_at < '10000-01-01 00:00:00+00') NOT VALID;

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

-- The read models: what the log says, in the shape of the questions people ask.
--
-- Everything here can be made anew from the log. Rows belong to a generation: a rebuild fills the
-- next one beside the live one and is switched in at once. "projection.state" says how far each
-- generation has come; effects and that checkpoint move in one transaction, so every event is
-- folded exactly once.

CREATE SCHEMA projection AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA projection TO plimsoll_service;

CREATE TABLE projection.state (
    generation integer NOT NULL CHECK (generation >= 1),
    position bigint NOT NULL CHECK (position >= 0),
    -- Counts up when a program makes other rows of the same events.
    shape integer NOT NULL DEFAULT 0 CHECK (shape >= 0),
    CONSTRAINT state_pkey PRIMARY KEY (generation)
);
ALTER TABLE projection.state OWNER TO plimsoll_owner;

-- Which generation questions are answered from. It has one row.
CREATE TABLE projection.live (
    generation integer NOT NULL,
    only_row boolean NOT NULL DEFAULT true CHECK (only_row),
    CONSTRAINT live_pkey PRIMARY KEY (only_row)
);
ALTER TABLE projection.live OWNER TO plimsoll_owner;

INSERT INTO projection.state (generation, position, shape) VALUES (1, 0, 1);
INSERT INTO projection.live (generation) VALUES (1);

-- A change, for lists. "effect" is each field before and after, as canonical JSON, as it was when
-- the change was proposed or decided.
CREATE TABLE projection.change (
    generation integer NOT NULL,
    base bigint NOT NULL,
    id bigint NOT NULL,
    position bigint NOT NULL,
    proposed_at timestamptz NOT NULL,
    app text COLLATE "C" NOT NULL,
    author text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    title text NOT NULL,
    effect bytea NOT NULL,
    CONSTRAINT change_pkey PRIMARY KEY (generation, id)
);
CREATE INDEX change_app_idx ON projection.change (generation, app, id);
ALTER TABLE projection.change OWNER TO plimsoll_owner;

-- What an event is found by; the event itself stands in log.event. Each generation has a part of
-- its own, so that a new one is filled beside the live one and indexed when it is whole.
CREATE TABLE projection.event (
    generation integer NOT NULL,
    position bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    -- The latest time that the log had seen by then. It never goes back, as the recorded one does
    -- where a clock was wrong, so a time is found in one step.
    reached_at timestamptz NOT NULL,
    actor text COLLATE "C" NOT NULL,
    app text COLLATE "C",
    type text COLLATE "C" NOT NULL,
    change bigint,
    correlation uuid NOT NULL,
    reason text,
    CONSTRAINT event_pkey PRIMARY KEY (generation, position)
) PARTITION BY LIST (generation);
CREATE INDEX event_actor_idx ON projection.event (actor, position);
CREATE INDEX event_app_idx ON projection.event (app, position);
CREATE INDEX event_change_idx ON projection.event (change, position) WHERE change IS NOT NULL;
CREATE INDEX event_correlation_idx ON projection.event (correlation, position);
CREATE INDEX event_reached_at_idx ON projection.event (reached_at, position);
CREATE INDEX event_type_idx ON projection.event (type, position);
ALTER TABLE projection.event OWNER TO plimsoll_owner;

-- What an event did to each field it wrote: "ios.minimumApp.value" before and after, NULL where
-- nothing stood. The last row of a field up to a position is what stood there then, so the past is
-- found without reading what lies between.
CREATE TABLE projection.event_field (
    generation integer NOT NULL,
    position bigint NOT NULL,
    app text COLLATE "C" NOT NULL,
    field text COLLATE "C" NOT NULL,
    before text,
    after text,
    CONSTRAINT event_field_pkey PRIMARY KEY (generation, app, field, position)
) PARTITION BY LIST (generation);
CREATE INDEX event_field_position_idx ON projection.event_field (position);
ALTER TABLE projection.event_field OWNER TO plimsoll_owner;

CREATE TABLE projection.event_1 PARTITION OF projection.event FOR VALUES IN (1);
CREATE TABLE projection.event_field_1 PARTITION OF projection.event_field FOR VALUES IN (1);
ALTER TABLE projection.event_1 OWNER TO plimsoll_owner;
ALTER TABLE projection.event_field_1 OWNER TO plimsoll_owner;
GRANT SELECT, INSERT ON projection.event_1, projection.event_field_1 TO plimsoll_service;

CREATE TABLE projection.snapshot (
    generation integer NOT NULL,
    position bigint NOT NULL,
    sequence bigint NOT NULL,
    published_at timestamptz NOT NULL,
    app text COLLATE "C" NOT NULL,
    manifest_digest text COLLATE "C" NOT NULL,
    keys text[] NOT NULL,
    CONSTRAINT snapshot_pkey PRIMARY KEY (generation, app, sequence)
);
ALTER TABLE projection.snapshot OWNER TO plimsoll_owner;

GRANT SELECT, INSERT, UPDATE, DELETE ON
    projection.state, projection.live, projection.change, projection.event,
    projection.event_field, projection.snapshot
    TO plimsoll_service;

-- Folds a batch of events into a generation of the read models: one call, one transaction.
--
-- Answers where the generation stands. If that is not "batch_end", somebody else folds the same
-- generation and nothing was changed. The transaction does not wait for the disk: effects and
-- checkpoint are lost together, if at all, and folded again from the log.
CREATE FUNCTION projection.fold(
    batch_generation integer,
    batch_start bigint,
    batch_end bigint,
    event_positions bigint[],
    event_recorded_at timestamptz[],
    event_reached_at timestamptz[],
    event_actors text[],
    event_apps text[],
    event_types text[],
    event_changes bigint[],
    event_correlations uuid[],
    event_reasons text[],
    field_positions bigint[],
    field_apps text[],
    field_names text[],
    field_befores text[],
    field_afters text[],
    change_ids bigint[],
    change_bases bigint[],
    change_positions bigint[],
    change_proposed_at timestamptz[],
    change_apps text[],
    change_authors text[],
    change_states text[],
    change_titles text[],
    change_effects bytea[],
    snapshot_positions bigint[],
    snapshot_sequences bigint[],
    snapshot_published_at timestamptz[],
    snapshot_apps text[],
    snapshot_manifest_digests text[],
    snapshot_keys text[]
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    stands_at bigint;
BEGIN
    SELECT position INTO stands_at
        FROM projection.state WHERE generation = batch_generation FOR UPDATE;
    IF stands_at IS DISTINCT FROM batch_start THEN
        RETURN coalesce(stands_at, -1);
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);

    INSERT INTO projection.event (
            generation, position, recorded_at, reached_at, actor, app, type, change, correlation,
            reason)
        SELECT batch_generation, *
        FROM unnest(
            event_positions, event_recorded_at, event_reached_at, event_actors, event_apps,
            event_types, event_changes, event_correlations, event_reasons);

    IF cardinality(field_positions) > 0 THEN
        INSERT INTO projection.event_field (generation, position, app, field, before, after)
            SELECT batch_generation, *
            FROM unnest(field_positions, field_apps, field_names, field_befores, field_afters);
    END IF;

    IF cardinality(change_ids) > 0 THEN
        INSERT INTO projection.change AS old (
                generation, id, base, position, proposed_at, app, author, state, title, effect)
            SELECT batch_generation, *
            FROM unnest(
                change_ids, change_bases, change_positions, change_proposed_at, change_apps,
                change_authors, change_states, change_titles, change_effects)
            ON CONFLICT (generation, id)
            DO UPDATE SET
                base = excluded.base, position = excluded.position, state = excluded.state,
                title = excluded.title, effect = excluded.effect;
    END IF;

    IF cardinality(snapshot_positions) > 0 THEN
        INSERT INTO projection.snapshot (
                generation, position, sequence, published_at, app, manifest_digest, keys)
            SELECT batch_generation, row.position, row.sequence, row.published_at, row.app,
                row.manifest_digest, string_to_array(row.keys, ' ')
            FROM unnest(
                snapshot_positions, snapshot_sequences, snapshot_published_at, snapshot_apps,
                snapshot_manifest_digests, snapshot_keys)
                AS row (position, sequence, published_at, app, manifest_digest, keys)
            ON CONFLICT (generation, app, sequence) DO NOTHING;
    END IF;

    UPDATE projection.state SET position = batch_end WHERE generation = batch_generation;
    RETURN batch_end;
END
$$;
ALTER FUNCTION projection.fold OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION projection.fold FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projection.fold TO plimsoll_service;

-- Takes a generation away that is not live: an old one, or what a rebuild left unfinished.
CREATE FUNCTION projection.drop_generation(of_generation integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF of_generation = (SELECT generation FROM projection.live) THEN
        RAISE EXCEPTION 'generation % is live', of_generation
            USING ERRCODE = 'object_in_use';
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS projection.event_%1$s, projection.event_field_%1$s',
        of_generation);
    DELETE FROM projection.state WHERE generation = of_generation;
    DELETE FROM projection.change WHERE generation = of_generation;
    DELETE FROM projection.snapshot WHERE generation = of_generation;
END
$$;

-- Begins a generation that nobody reads yet. Its large tables have no index before
-- "attach_events" and "attach_fields": rows are sorted faster once than one by one.
CREATE FUNCTION projection.begin_generation(of_generation integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM projection.drop_generation(of_generation);
    EXECUTE format('CREATE TABLE projection.event_%s (LIKE projection.event)', of_generation);
    EXECUTE format('CREATE TABLE projection.event_field_%s (LIKE projection.event_field)',
        of_generation);
    EXECUTE format('GRANT SELECT, INSERT ON projection.event_%1$s, projection.event_field_%1$s'
        ' TO plimsoll_service', of_generation);
    INSERT INTO projection.state (generation, position) VALUES (of_generation, 0);
END
$$;

CREATE FUNCTION projection.attach_events(of_generation integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET maintenance_work_mem = '128MB'
AS $$
DECLARE
    name CONSTANT text := format('event_%s', of_generation);
    columns text;
BEGIN
    EXECUTE format('ALTER TABLE projection.%1$I'
        ' ADD CONSTRAINT %1$s_pkey PRIMARY KEY (generation, position)', name);
    FOREACH columns IN ARRAY ARRAY[
        '(actor, position)', '(app, position)', '(change, position) WHERE change IS NOT NULL',
        '(correlation, position)', '(reached_at, position)', '(type, position)'
    ] LOOP
        EXECUTE format('CREATE INDEX ON projection.%I %s', name, columns);
    END LOOP;
    EXECUTE format('ANALYZE projection.%I', name);
    EXECUTE format('ALTER TABLE projection.event ATTACH PARTITION projection.%I FOR VALUES IN (%s)',
        name, of_generation);
END
$$;

CREATE FUNCTION projection.attach_fields(of_generation integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET maintenance_work_mem = '128MB'
AS $$
DECLARE
    name CONSTANT text := format('event_field_%s', of_generation);
BEGIN
    EXECUTE format('ALTER TABLE projection.%1$I'
        ' ADD CONSTRAINT %1$s_pkey PRIMARY KEY (generation, app, field, position)', name);
    EXECUTE format('CREATE INDEX ON projection.%I (position)', name);
    EXECUTE format('ANALYZE projection.%I', name);
    EXECUTE format('ALTER TABLE projection.event_field'
        ' ATTACH PARTITION projection.%I FOR VALUES IN (%s)', name, of_generation);
END
$$;

-- Digests over the rows of a generation behind one position and up to another: equal for two
-- generations only if people get the same answers from both. Rows are told apart by content and
-- not by order, so a single pass is enough; nobody can gain by making two of them collide, because
-- whoever could write these tables could write anything there.
CREATE FUNCTION projection.event_digest(
    of_generation integer, behind bigint, up_to bigint
) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format('%s %s', count(*), sum(hash_record_extended(ROW(
        position, recorded_at, reached_at, actor, app, type, change, correlation, reason), 0)))
    FROM projection.event
    WHERE generation = of_generation AND position > behind AND position <= up_to
$$;

CREATE FUNCTION projection.field_digest(
    of_generation integer, behind bigint, up_to bigint
) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format('%s %s', count(*), sum(hash_record_extended(ROW(
        position, app, field, before, after), 0)))
    FROM projection.event_field
    WHERE generation = of_generation AND position > behind AND position <= up_to
$$;

-- The same over what is not only added to.
CREATE FUNCTION projection.state_digest(of_generation integer) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT concat_ws(' ', (
        SELECT format('%s %s', count(*), sum(hash_record_extended(ROW(
            id, base, position, proposed_at, app, author, state, title, effect), 0)))
        FROM projection.change WHERE generation = of_generation
    ), (
        SELECT format('%s %s', count(*), sum(hash_record_extended(ROW(
            position, sequence, published_at, app, manifest_digest, keys), 0)))
        FROM projection.snapshot WHERE generation = of_generation
    ))
$$;

ALTER FUNCTION projection.drop_generation OWNER TO plimsoll_owner;
ALTER FUNCTION projection.begin_generation OWNER TO plimsoll_owner;
ALTER FUNCTION projection.attach_events OWNER TO plimsoll_owner;
ALTER FUNCTION projection.attach_fields OWNER TO plimsoll_owner;
ALTER FUNCTION projection.event_digest OWNER TO plimsoll_owner;
ALTER FUNCTION projection.field_digest OWNER TO plimsoll_owner;
ALTER FUNCTION projection.state_digest OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION
    projection.drop_generation,
    projection.begin_generation,
    projection.attach_events,
    projection.attach_fields,
    projection.event_digest,
    projection.field_digest,
    projection.state_digest
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    projection.drop_generation,
    projection.begin_generation,
    projection.attach_events,
    projection.attach_fields,
    projection.event_digest,
    projection.field_digest,
    projection.state_digest
    TO plimsoll_service;

-- The names of principals. They stand outside the log, so that a name can be erased without
-- touching what was recorded: the log knows opaque ids only.
CREATE SCHEMA directory AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA directory TO plimsoll_service;

CREATE TABLE directory.principal (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    salt bytea CHECK (octet_length(salt) = 32),
    CONSTRAINT principal_pkey PRIMARY KEY (id)
);
ALTER TABLE directory.principal OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON directory.principal TO plimsoll_service;

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

-- How far each webhook has come, and what was tried lately. The log says which webhooks there are;
-- nothing here is part of the record, and no secret is.

CREATE SCHEMA webhook AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA webhook TO plimsoll_service;

CREATE TABLE webhook.lane (
    webhook text COLLATE "C" NOT NULL,
    delivered bigint NOT NULL,
    replay_taken bigint NOT NULL,
    replay_after bigint,
    replay_until bigint,
    enabled_at bigint NOT NULL,
    failures bigint NOT NULL,
    failing_since timestamptz,
    next_attempt timestamptz,
    failure text,
    CONSTRAINT lane_pkey PRIMARY KEY (webhook)
);
ALTER TABLE webhook.lane OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook.lane TO plimsoll_service;

CREATE TABLE webhook.delivery (
    webhook text COLLATE "C" NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    message text NOT NULL,
    position bigint,
    attempted_at timestamptz NOT NULL,
    milliseconds bigint NOT NULL,
    status bigint,
    failure text,
    CONSTRAINT delivery_pkey PRIMARY KEY (webhook, number)
);
ALTER TABLE webhook.delivery OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, DELETE ON webhook.delivery TO plimsoll_service;

-- What \dn+, \d+ and \df+ show to whoever looks at the database.

COMMENT ON SCHEMA log IS
    'The record: events, commands, checkpoints. It is only ever added to, by functions.';
COMMENT ON SCHEMA projection IS
    'Read models: all of it can be made anew from log.event with plimsoll rebuild.';
COMMENT ON SCHEMA directory IS
    'Names of principals, outside the log so that they can be erased.';
COMMENT ON SCHEMA webhook IS
    'How far each webhook has come, and what was sent lately. No part of the record.';

COMMENT ON TABLE log.event IS
    'One row an event, for ever. Rows come through log.append and its plain forms only.';
COMMENT ON COLUMN log.event.position IS 'Place in the log, from 1, without gaps.';
COMMENT ON COLUMN log.event.revision IS 'Place in its stream, from 1, without gaps.';
COMMENT ON COLUMN log.event.recorded_at IS 'When it was recorded, by the clock of the service.';
COMMENT ON COLUMN log.event.event_id IS 'A name of its own, as in the entry.';
COMMENT ON COLUMN log.event.command_id IS 'The command that it came of; see log.command.';
COMMENT ON COLUMN log.event.shape IS 'Which form of its type the entry is written in.';
COMMENT ON COLUMN log.event.stream IS 'What it happened to: access, service, app/SLUG, change/ID …';
COMMENT ON COLUMN log.event.type IS 'What happened; docs/reference/events.md lists the types.';
COMMENT ON COLUMN log.event.entry IS
    'The exact bytes that are hashed, as JSON in UTF-8. The other columns repeat what is in them.';
COMMENT ON COLUMN log.event.leaf_hash IS 'Leaf of the Merkle tree (RFC 6962) over the entry.';

COMMENT ON TABLE log.command IS
    'One row a command that succeeded: what makes it harmless to send it again.';
COMMENT ON COLUMN log.command.first_position IS 'Its first event; NULL where it needed none.';
COMMENT ON COLUMN log.command.last_position IS 'Its last event, or where the log stood.';
COMMENT ON COLUMN log.command.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN log.command.command_id IS 'Its name, which an Idempotency-Key leads to.';
COMMENT ON COLUMN log.command.request_digest IS 'What it asked for: another digest is refused.';
COMMENT ON COLUMN log.command.outcome IS 'What it was answered, to be answered again.';

COMMENT ON TABLE log.checkpoint IS
    'Signed roots: at most one for each size of the log, there before anybody is shown it.';
COMMENT ON COLUMN log.checkpoint.size IS 'How many events it covers.';
COMMENT ON COLUMN log.checkpoint.created_at IS 'When it was signed.';
COMMENT ON COLUMN log.checkpoint.root IS 'Root of the Merkle tree over these events.';
COMMENT ON COLUMN log.checkpoint.frontier IS
    'The tree''s rightmost nodes: all that is needed to go on from here.';
COMMENT ON COLUMN log.checkpoint.note IS 'The signed note, as it is published.';

COMMENT ON TABLE log.cosignature IS
    'What witnesses signed under a checkpoint, one line for each key; the first one stays.';
COMMENT ON COLUMN log.cosignature.size IS 'The checkpoint; see log.checkpoint.';
COMMENT ON COLUMN log.cosignature.created_at IS 'When it came in.';
COMMENT ON COLUMN log.cosignature.witness IS 'The witness, by the name and number of its key.';
COMMENT ON COLUMN log.cosignature.line IS 'Its line of the note.';

COMMENT ON TABLE log.overruled IS
    'Checkpoints seen outside that this log does not contain, and that an operator goes on without.';
COMMENT ON COLUMN log.overruled.size IS 'How many events the checkpoint covers.';
COMMENT ON COLUMN log.overruled.created_at IS 'When it was decided.';
COMMENT ON COLUMN log.overruled.position IS 'Where the log ended by then.';
COMMENT ON COLUMN log.overruled.root IS 'The root of that checkpoint.';

COMMENT ON FUNCTION log.refuse_change IS
    'Raises insufficient_privilege: what is in the log is neither changed nor taken away.';
COMMENT ON TRIGGER event_refuse_change ON log.event IS
    'Refuses UPDATE, DELETE and TRUNCATE to everybody, its owner and superusers included.';
COMMENT ON TRIGGER command_refuse_change ON log.command IS
    'Refuses UPDATE, DELETE and TRUNCATE to everybody, its owner and superusers included.';
COMMENT ON TRIGGER checkpoint_refuse_change ON log.checkpoint IS
    'Refuses UPDATE, DELETE and TRUNCATE to everybody, its owner and superusers included.';
COMMENT ON TRIGGER cosignature_refuse_change ON log.cosignature IS
    'Refuses UPDATE, DELETE and TRUNCATE to everybody, its owner and superusers included.';
COMMENT ON TRIGGER overruled_refuse_change ON log.overruled IS
    'Refuses UPDATE, DELETE and TRUNCATE to everybody, its owner and superusers included.';
COMMENT ON FUNCTION log.hold_appends IS
    'Keeps everybody from appending until the transaction ends (advisory lock 5795122739328019564).';
COMMENT ON FUNCTION log.append IS
    'Appends a group of commands in order under one lock, and answers a status for each.';
COMMENT ON FUNCTION log.add_checkpoint IS
    'Adds a checkpoint; refuses one beyond the last event, and a second root for a size.';
COMMENT ON FUNCTION log.add_cosignature IS
    'Adds a witness''s line to a checkpoint, if that witness has none there yet.';
COMMENT ON FUNCTION log.overrule IS
    'Notes that an operator goes on without a checkpoint that was seen outside.';

COMMENT ON TABLE projection.state IS 'How far each generation of the read models has come.';
COMMENT ON COLUMN projection.state.generation IS 'A rebuild fills the next one.';
COMMENT ON COLUMN projection.state.position IS 'The last event that is folded into it.';
COMMENT ON COLUMN projection.state.shape IS
    'In which shape its rows are; 0 where the program that made it did not say.';

COMMENT ON TABLE projection.live IS 'Which generation questions are answered from; one row.';
COMMENT ON COLUMN projection.live.generation IS 'The generation; see projection.state.';
COMMENT ON COLUMN projection.live.only_row IS 'Keeps it at one row.';

COMMENT ON TABLE projection.change IS 'Changes, for lists.';
COMMENT ON COLUMN projection.change.generation IS 'The generation; see projection.state.';
COMMENT ON COLUMN projection.change.base IS 'The event that it was proposed on top of.';
COMMENT ON COLUMN projection.change.id IS 'Its number.';
COMMENT ON COLUMN projection.change.position IS 'The last event about it.';
COMMENT ON COLUMN projection.change.proposed_at IS 'When it was proposed.';
COMMENT ON COLUMN projection.change.app IS 'The app''s slug.';
COMMENT ON COLUMN projection.change.author IS 'The id of the principal; see directory.principal.';
COMMENT ON COLUMN projection.change.state IS 'What became of it so far.';
COMMENT ON COLUMN projection.change.title IS 'As its author wrote it.';
COMMENT ON COLUMN projection.change.effect IS
    'Each field before and after, as canonical JSON, when it was proposed or decided.';

COMMENT ON TABLE projection.event IS
    'What an event is found by; the event itself stands in log.event. A partition a generation.';
COMMENT ON COLUMN projection.event.generation IS 'The generation; see projection.state.';
COMMENT ON COLUMN projection.event.position IS 'The event; see log.event.';
COMMENT ON COLUMN projection.event.recorded_at IS 'When it was recorded.';
COMMENT ON COLUMN projection.event.reached_at IS
    'The latest time that the log had seen by then; it never goes back.';
COMMENT ON COLUMN projection.event.actor IS 'Whose command it came of, or system.';
COMMENT ON COLUMN projection.event.app IS 'The app''s slug; NULL where it is about none.';
COMMENT ON COLUMN projection.event.type IS 'As in log.event.';
COMMENT ON COLUMN projection.event.change IS 'The number of the change that it is about.';
COMMENT ON COLUMN projection.event.correlation IS 'What all events of one cause have in common.';
COMMENT ON COLUMN projection.event.reason IS 'As its actor wrote it.';

COMMENT ON TABLE projection.event_field IS
    'What an event did to each field that it wrote. A partition a generation.';
COMMENT ON COLUMN projection.event_field.generation IS 'The generation; see projection.state.';
COMMENT ON COLUMN projection.event_field.position IS 'The event; see log.event.';
COMMENT ON COLUMN projection.event_field.app IS 'The app''s slug.';
COMMENT ON COLUMN projection.event_field.field IS 'Its path, such as ios.minimumApp.value.';
COMMENT ON COLUMN projection.event_field.before IS 'Its value before; NULL where nothing stood.';
COMMENT ON COLUMN projection.event_field.after IS 'Its value after; NULL where nothing stands.';

COMMENT ON TABLE projection.snapshot IS 'What was published.';
COMMENT ON COLUMN projection.snapshot.generation IS 'The generation; see projection.state.';
COMMENT ON COLUMN projection.snapshot.position IS 'The event that says so; see log.event.';
COMMENT ON COLUMN projection.snapshot.sequence IS 'Counts the app''s snapshots.';
COMMENT ON COLUMN projection.snapshot.published_at IS 'When it was published.';
COMMENT ON COLUMN projection.snapshot.app IS 'The app''s slug.';
COMMENT ON COLUMN projection.snapshot.manifest_digest IS 'SHA-256 of its manifest.';
COMMENT ON COLUMN projection.snapshot.keys IS 'The ids of the keys that signed it.';

COMMENT ON FUNCTION projection.fold IS
    'Folds a batch of events into a generation and moves its checkpoint, in one transaction.';
COMMENT ON FUNCTION projection.drop_generation IS
    'Takes away a generation that is not live.';
COMMENT ON FUNCTION projection.begin_generation IS
    'Begins a generation that nobody reads yet, without indexes.';
COMMENT ON FUNCTION projection.attach_events IS
    'Indexes the events of a new generation and makes them a partition.';
COMMENT ON FUNCTION projection.attach_fields IS
    'Indexes the fields of a new generation and makes them a partition.';
COMMENT ON FUNCTION projection.event_digest IS
    'Digest of a stretch of a generation''s events: equal where people get the same answers.';
COMMENT ON FUNCTION projection.field_digest IS
    'Digest of a stretch of a generation''s fields: equal where people get the same answers.';
COMMENT ON FUNCTION projection.state_digest IS
    'Digest of a generation''s changes and snapshots.';

COMMENT ON TABLE directory.principal IS
    'Names of principals. The log knows their ids only; erasing a name is DELETE here.';
COMMENT ON COLUMN directory.principal.id IS 'The opaque id, as the log has it.';
COMMENT ON COLUMN directory.principal.name IS 'What people call them.';
COMMENT ON COLUMN directory.principal.salt IS
    'What the log''s commitment to the name was made with; NULL: the log says nothing of it.';

COMMENT ON TABLE webhook.lane IS 'How far each webhook has come; the log says which there are.';
COMMENT ON COLUMN webhook.lane.webhook IS 'Its id.';
COMMENT ON COLUMN webhook.lane.delivered IS 'The last event that its receiver took or never gets.';
COMMENT ON COLUMN webhook.lane.replay_taken IS 'The last order to send again that was taken up.';
COMMENT ON COLUMN webhook.lane.replay_after IS 'The last event that was sent again; NULL: none is due.';
COMMENT ON COLUMN webhook.lane.replay_until IS 'The last event that is to be sent again.';
COMMENT ON COLUMN webhook.lane.enabled_at IS 'The event that registered or enabled it last.';
COMMENT ON COLUMN webhook.lane.failures IS 'Attempts that failed since the last success.';
COMMENT ON COLUMN webhook.lane.failing_since IS 'When the first of them failed.';
COMMENT ON COLUMN webhook.lane.next_attempt IS 'Not before this; NULL: as soon as there is something.';
COMMENT ON COLUMN webhook.lane.failure IS 'Why the last attempt failed.';

COMMENT ON TABLE webhook.delivery IS 'Attempts lately, for whoever looks for a fault.';
COMMENT ON COLUMN webhook.delivery.webhook IS 'The webhook''s id.';
COMMENT ON COLUMN webhook.delivery.number IS 'Counts the attempts.';
COMMENT ON COLUMN webhook.delivery.kind IS 'What was sent: an event, an event again, or a test.';
COMMENT ON COLUMN webhook.delivery.message IS 'The id that the receiver sees.';
COMMENT ON COLUMN webhook.delivery.position IS 'The event; NULL where it was a test.';
COMMENT ON COLUMN webhook.delivery.attempted_at IS 'When it was sent.';
COMMENT ON COLUMN webhook.delivery.milliseconds IS 'How long it took.';
COMMENT ON COLUMN webhook.delivery.status IS 'The status of the answer; NULL where there was none.';
COMMENT ON COLUMN webhook.delivery.failure IS 'Why it failed; NULL where it did not.';

-- Which apps of marketplaces came to which account. The log knows nothing of it: it is personal
-- data, so it is erased when somebody asks, and by itself after a time.

CREATE SCHEMA device AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA device TO plimsoll_service;

CREATE TABLE device.download (
    account bytea NOT NULL CHECK (octet_length(account) = 32),
    item text COLLATE "C" NOT NULL,
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT download_pkey PRIMARY KEY (account, item)
);
CREATE INDEX download_last_at ON device.download (last_at);
ALTER TABLE device.download OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON device.download TO plimsoll_service;

COMMENT ON SCHEMA device IS
    'What is kept of people who install from marketplaces. No part of the record.';
COMMENT ON TABLE device.download IS
    'Which apps were handed out to which account; rows go when they are old, or on request.';
COMMENT ON COLUMN device.download.account IS
    'HMAC-SHA256 of what the authorization calls the account; the key is in no database.';
COMMENT ON COLUMN device.download.item IS 'The AppleItemID of the app.';
COMMENT ON COLUMN device.download.first_at IS 'When a token for it was made first.';
COMMENT ON COLUMN device.download.last_at IS 'When a token for it was made last.';

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
CREATE FUNCTION instance.append_group(
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
ALTER FUNCTION instance.append_group OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION instance.append_group FROM PUBLIC;
GRANT EXECUTE ON FUNCTION instance.append_group TO plimsoll_service;

COMMENT ON SCHEMA instance IS
    'What instances of the service agree on among themselves. No part of the record.';
COMMENT ON TABLE instance.turn IS
    'Who was overtaken, and appends next; at most one row, and a moment at a time.';
COMMENT ON COLUMN instance.turn.ends_at IS 'Until when nobody else appends, by this clock.';
COMMENT ON COLUMN instance.turn.backend IS 'The session; see pg_stat_activity.';
COMMENT ON COLUMN instance.turn.only_row IS 'Keeps it at one row.';
COMMENT ON FUNCTION instance.is_taken IS 'Whether the turn to append is somebody else''s.';
COMMENT ON FUNCTION instance.pass_turn IS 'Gives the caller''s turn back unused.';
COMMENT ON FUNCTION instance.append_group IS
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

-- What is plain is appended by one call, which also sees whose turn it is and what the caller knows.

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

-- Who is signed in to the console. No part of the record: a session ends, and nothing is left of it.

CREATE SCHEMA console AUTHORIZATION plimsoll_owner;
GRANT USAGE ON SCHEMA console TO plimsoll_service;

CREATE TABLE console.session (
    opened_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    proven_at timestamptz NOT NULL,
    id uuid NOT NULL,
    token uuid NOT NULL,
    authenticator bytea NOT NULL CHECK (octet_length(authenticator) = 32),
    principal text COLLATE "C" NOT NULL,
    agent text NOT NULL CHECK (char_length(agent) <= 200),
    CONSTRAINT session_pkey PRIMARY KEY (id)
);
ALTER TABLE console.session OWNER TO plimsoll_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.session TO plimsoll_service;

COMMENT ON SCHEMA console IS 'What the console keeps of who is signed in. No part of the record.';
COMMENT ON TABLE console.session IS
    'A browser that somebody signed in with; rows go at the end of the session.';
COMMENT ON COLUMN console.session.opened_at IS 'When somebody signed in.';
COMMENT ON COLUMN console.session.used_at IS 'When a page was asked for last, to the minute.';
COMMENT ON COLUMN console.session.id IS 'What the cookie names it by.';
COMMENT ON COLUMN console.session.principal IS 'Whose session it is.';
COMMENT ON COLUMN console.session.token IS 'The token that was signed in with.';
COMMENT ON COLUMN console.session.proven_at IS 'When the token was shown last.';
COMMENT ON COLUMN console.session.authenticator IS
    'HMAC-SHA256 of the secret in the cookie and of what stands here; the key is in no database.';
COMMENT ON COLUMN console.session.agent IS 'What the browser calls itself.';
