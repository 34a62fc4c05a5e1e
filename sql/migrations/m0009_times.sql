-- A time that no entry can say is none that a program reads. What stands there already stays.
ALTER TABLE log.event ADD CONSTRAINT event_recorded_at_check
    CHECK (recorded_at > '-infinity' AND recorded_at < '10000-01-01 00:00:00+00') NOT VALID;
ALTER TABLE log.command ADD CONSTRAINT command_recorded_at_check
    CHECK (recorded_at > '-infinity' AND recorded_at < '10000-01-01 00:00:00+00') NOT VALID;
