-- An instance of before is refused, rather than appending what this program does not believe: the
-- functions that it calls are gone, or have another name.
DROP FUNCTION log.append_one;
DROP FUNCTION log.append_plain;
ALTER FUNCTION instance.append RENAME TO append_group;
