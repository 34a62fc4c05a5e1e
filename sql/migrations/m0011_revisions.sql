-- A revision gives a change another title and another base: the read model takes them over, as it
-- does what becomes of the change.

CREATE OR REPLACE FUNCTION projection.fold(
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
