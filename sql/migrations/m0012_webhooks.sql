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
