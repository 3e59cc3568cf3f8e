/// Functions that statements of the store call and PostgreSQL lacks: made once in each schema, before its first table.
enum EngineFunctions {
    static let layout = """
        -- The great circle as Position.distance(to:) has it, step by step, so that both give the same number.
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
        CREATE FUNCTION untyped(value bigint) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT int8send(value) $$;
        CREATE FUNCTION untyped(value float8) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$
            SELECT CASE WHEN value = trunc(value) AND value >= -9223372036854775808.0 AND value < 9223372036854775808.0
                THEN int8send(value::bigint) ELSE '\\x01'::bytea || float8send(value) END $$;
        CREATE FUNCTION instr(body bytea, part bytea) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT position(part IN body) $$;
        CREATE FUNCTION hex(bytes bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT upper(encode(bytes, 'hex')) $$;
        """
}
