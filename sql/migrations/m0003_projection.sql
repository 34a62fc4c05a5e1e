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

INSERT INTO projection.state (generation, position) VALUES (1, 0);
INSERT INTO projection.live (generation) VALUES (1);

-- The current document of an app on a platform, as canonical JSON from field to value.
CREATE TABLE projection.document (
    generation integer NOT NULL,
    position bigint NOT NULL,
    app text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    fields bytea NOT NULL,
    CONSTRAINT document_pkey PRIMARY KEY (generation, app, platform)
);
ALTER TABLE projection.document OWNER TO plimsoll_owner;

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

-- What an event is found by; the event itself stands in log.event.
CREATE TABLE projection.event (
    generation integer NOT NULL,
    position bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    actor text COLLATE "C" NOT NULL,
    app text COLLATE "C",
    type text COLLATE "C" NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (generation, position)
);
CREATE INDEX event_actor_idx ON projection.event (generation, actor, position);
CREATE INDEX event_app_idx ON projection.event (generation, app, position);
CREATE INDEX event_recorded_at_idx ON projection.event (generation, recorded_at, position);
CREATE INDEX event_type_idx ON projection.event (generation, type, position);
ALTER TABLE projection.event OWNER TO plimsoll_owner;

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
    projection.state, projection.live, projection.document, projection.change, projection.event,
    projection.snapshot
    TO plimsoll_service;
