-- The current documents stand in the memory of every process that follows the log, and earlier ones
-- are made from what events did to fields. So nobody read this table, and it goes.
DROP TABLE projection.document;

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
            generation, position, recorded_at, actor, app, type, change, correlation, reason)
        SELECT batch_generation, *
        FROM unnest(
            event_positions, event_recorded_at, event_actors, event_apps, event_types,
            event_changes, event_correlations, event_reasons);

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

-- A digest over the rows of a generation, equal for two generations only if people get the same
-- answers from both.
CREATE OR REPLACE FUNCTION projection.digest(of_generation integer) RETURNS bytea
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT sha256(string_agg(part, ''::bytea ORDER BY ordinal)) FROM (
        SELECT 1 AS ordinal, sha256(coalesce(string_agg(
            convert_to(format('%s %s %s %s %s %s %s ', id, base, position, proposed_at, app,
                author, state), 'UTF8')
                || sha256(convert_to(title, 'UTF8')) || sha256(effect),
            ''::bytea ORDER BY id), ''::bytea)) AS part
        FROM projection.change WHERE generation = of_generation
        UNION ALL
        SELECT 2, sha256(coalesce(string_agg(
            convert_to(format('%s %s %s %s %s %s %s ', position, recorded_at, actor, app, type,
                change, correlation), 'UTF8')
                || coalesce(sha256(convert_to(reason, 'UTF8')), ''::bytea),
            ''::bytea ORDER BY position), ''::bytea))
        FROM projection.event WHERE generation = of_generation
        UNION ALL
        SELECT 3, sha256(coalesce(string_agg(
            convert_to(format('%s %s %s %s %s %s ', position, sequence, published_at, app,
                manifest_digest, keys), 'UTF8'),
            ''::bytea ORDER BY app, sequence), ''::bytea))
        FROM projection.snapshot WHERE generation = of_generation
        UNION ALL
        SELECT 4, sha256(coalesce(string_agg(
            convert_to(format('%s %s %s %L %L ', position, app, field, before, after), 'UTF8'),
            ''::bytea ORDER BY position, app, field), ''::bytea))
        FROM projection.event_field WHERE generation = of_generation
    ) AS parts
$$;
ALTER FUNCTION projection.digest OWNER TO plimsoll_owner;
REVOKE ALL ON FUNCTION projection.digest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION projection.digest TO plimsoll_service;
