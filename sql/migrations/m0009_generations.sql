-- The large read models in parts, one for each generation, and times that never go back.
--
-- A generation is filled by COPY without indexes and indexed at the end, which takes a third of the
-- time, and the old one is dropped instead of being emptied row by row. They are made from the log
-- like all read models: the ones that are there go, and the projector folds the log into them again
-- when the service starts.
TRUNCATE projection.change, projection.snapshot;
DROP TABLE projection.event, projection.event_field;
DELETE FROM projection.state WHERE generation <> (SELECT generation FROM projection.live);
UPDATE projection.state SET position = 0;

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

GRANT SELECT, INSERT, UPDATE, DELETE ON projection.event, projection.event_field
    TO plimsoll_service;

DO $$
DECLARE
    live CONSTANT integer := (SELECT generation FROM projection.live);
BEGIN
    EXECUTE format('CREATE TABLE projection.event_%1$s'
        ' PARTITION OF projection.event FOR VALUES IN (%1$s)', live);
    EXECUTE format('CREATE TABLE projection.event_field_%1$s'
        ' PARTITION OF projection.event_field FOR VALUES IN (%1$s)', live);
    EXECUTE format('ALTER TABLE projection.event_%s OWNER TO plimsoll_owner', live);
    EXECUTE format('ALTER TABLE projection.event_field_%s OWNER TO plimsoll_owner', live);
    EXECUTE format('GRANT SELECT, INSERT ON projection.event_%1$s, projection.event_field_%1$s'
        ' TO plimsoll_service', live);
END
$$;

DROP FUNCTION projection.fold;
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
                position = excluded.position, state = excluded.state, effect = excluded.effect;
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

DROP FUNCTION projection.digest;
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
