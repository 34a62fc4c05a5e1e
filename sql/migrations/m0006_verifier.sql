-- Which program's rows a generation of the read models has, so that those of a newer one are not
-- taken for damage by an older one. Counts up when a program makes other rows of the same events;
-- 0 stands for one that did not say.
ALTER TABLE projection.state ADD COLUMN shape integer NOT NULL DEFAULT 0 CHECK (shape >= 0);

-- Nothing is folded yet, so whatever comes into it is of this program.
UPDATE projection.state SET shape = 1 WHERE position = 0;

COMMENT ON COLUMN projection.state.shape IS
    'In which shape its rows are; 0 where the program that made it did not say.';
