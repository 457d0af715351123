-- A next version of the schema, for the test of upgrades.
ALTER TABLE {key} ADD COLUMN next text;
CREATE OR REPLACE FUNCTION {key}_version() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 2 $$;
