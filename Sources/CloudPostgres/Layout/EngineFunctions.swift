/// SQL functions that the store's statements call and PostgreSQL lacks, created in each schema before its first table.
enum EngineFunctions {
    /// The migration that adds ``lists`` to schemas of version 0.3.
    static let migration = "postgres 2 lists"

    /// The elements of a JSON array as text, each in a row. The planner puts the function's body in place of its call.
    static let lists = """
        CREATE OR REPLACE FUNCTION json_each(list text, OUT value text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS
            $$ SELECT value FROM json_array_elements_text(list::json) $$;
        """

    static let layout = """
        \(lists)
        -- The great circle as Coordinate.distance(to:) has it, step by step, so that both give the same number.
        CREATE FUNCTION distance(south float8, west float8, north float8, east float8) RETURNS float8
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
            DECLARE
                a float8 := south * pi() / 180;
                b float8 := north * pi() / 180;
                apart float8 := ((east - west) - 360 * round((east - west) / 360)) * pi() / 180;
                across float8 := cos(b) * sin(apart);
                along float8 := cos(a) * sin(b) - sin(a) * cos(b) * cos(apart);
            BEGIN
                RETURN 6371008.8 * atan2(
                    sqrt(across * across + along * along), sin(a) * sin(b) + cos(a) * cos(b) * cos(apart));
            END $$;
        -- Values as columns hold them that have no type (ParameterEncoding).
        CREATE FUNCTION untyped(value bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT value $$;
        CREATE FUNCTION untyped(value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT convert_to(value, 'UTF8') $$;
        -- Keys of numbers (NumberKey).
        CREATE FUNCTION untyped(value float8) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
            DECLARE
                bits bigint := ('x' || encode(float8send(value + 0.0), 'hex'))::bit(64)::bigint;
            BEGIN
                RETURN int8send(CASE WHEN bits < 0 THEN ~bits ELSE bits # (1::bigint << 63) END) || int2send(0::int2);
            END $$;
        CREATE FUNCTION untyped(value bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
            DECLARE
                exact bigint := 1::bigint << 53;
                shift int := 0;
                whole bigint;
                bits bigint;
            BEGIN
                WHILE (value >> shift) NOT BETWEEN -exact AND exact LOOP shift := shift + 1; END LOOP;
                whole := (value >> shift) << shift;
                bits := ('x' || encode(float8send(whole::float8), 'hex'))::bit(64)::bigint;
                RETURN int8send(CASE WHEN bits < 0 THEN ~bits ELSE bits # (1::bigint << 63) END)
                    || int2send((value - whole)::int2);
            END $$;
        -- Whether the number with this key is an integer of 64 bits.
        CREATE FUNCTION is_whole(key bytea) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
            DECLARE
                turned bigint := ('x' || encode(substr(key, 1, 8), 'hex'))::bit(64)::bigint;
                bits bigint := CASE WHEN turned < 0 THEN turned # (1::bigint << 63) ELSE ~turned END;
                power bigint := ((bits >> 52) & 2047) - 1023;
            BEGIN
                IF bits = 0 THEN RETURN true; END IF;
                IF power < 0 OR power > 62 THEN RETURN bits = -4332462841530417152; END IF;
                RETURN power >= 52 OR bits & ((1::bigint << (52 - power::int)) - 1) = 0;
            END $$;
        -- Whether it is an integer that no double equals.
        CREATE FUNCTION is_rounded(key bytea) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT substr(key, 9) <> '\\x0000'::bytea $$;
        CREATE FUNCTION instr(body bytea, part bytea) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT position(part IN body) $$;
        CREATE FUNCTION hex(bytes bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT upper(encode(bytes, 'hex')) $$;
        """
}
