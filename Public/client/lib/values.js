/**
 * Field values between JavaScript and the wire.
 *
 * Records of the short calls have bare values in `fields`. The types that the server named are kept beside them under a
 * symbol, and so is the record as it was read; spreading an object copies both.
 */
export const typesKey = Symbol.for("cumulus.types");
export const originalKey = Symbol.for("cumulus.original");

/** Base64 of bytes. */
export function base64(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
}

/** The bytes that base64 stands for. */
export function bytes(base64) {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function number(value) {
    return typeof value === "string" ? Number(value) : value;
}

/** Whole numbers are `number` while that is exact, and else `bigint`. */
function integer(value, int64) {
    const big = BigInt(value);
    if (int64 === "bigint") return big;
    return big >= BigInt(Number.MIN_SAFE_INTEGER) && big <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(big) : big;
}

/** The bare value of a field value as the server sends it. */
export function decode({ value, type }, int64) {
    if (value == null) return null;
    if (type?.endsWith("_LIST")) return value.map((element) => decode({ value: element, type: type.slice(0, -5) }, int64));
    switch (type) {
    case "INT64": return integer(value, int64);
    case "DOUBLE": return number(value);
    case "TIMESTAMP": return new Date(number(value));
    case "BYTES": case "ENCRYPTED_BYTES": return bytes(value);
    default: return value;
    }
}

/**
 * The field value that a bare one goes as. A number goes without a type where none is known: the server then reads it by
 * its schema, so that 3 can be a whole number or a fraction.
 */
export function encode(value, type) {
    if (value === undefined || value === null) return { value: null };
    if (isFieldValue(value)) return value;
    const list = Array.isArray(value);
    const element = type?.replace(/_LIST$/, "");
    const known = type && type !== "UNKNOWN_LIST" && type.endsWith("_LIST") === list ? element : undefined;
    const found = known ?? (list ? value.map(tag).find((tag) => tag) : tag(value));
    const field = { value: list ? value.map((each) => plain(each, found)) : plain(value, found) };
    if (found) field.type = list ? `${found}_LIST` : found;
    return field;
}

/** Whether a value is written with its type, as CloudKit JS has it. */
export function isFieldValue(value) {
    return typeof value === "object" && value !== null && "value" in value && Object.getPrototypeOf(value) === Object.prototype;
}

function tag(value) {
    switch (typeof value) {
    case "string": return "STRING";
    case "boolean": case "bigint": return "INT64";
    case "number": return undefined;
    case "object": break;
    default: throw new TypeError(`A field cannot hold a ${typeof value}.`);
    }
    if (value instanceof Date) return "TIMESTAMP";
    if (value instanceof Blob) return "ASSETID";
    if (value instanceof Uint8Array || value instanceof ArrayBuffer) return "BYTES";
    if ("latitude" in value) return "LOCATION";
    if ("recordName" in value) return "REFERENCE";
    if ("fileChecksum" in value) return "ASSETID";
    throw new TypeError(
        "A field holds a string, number, bigint, boolean, Date, Uint8Array, location, reference, asset, Blob or an array of one of these.");
}

function plain(value, type) {
    if (value === null) throw new TypeError("A list cannot hold null.");
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`A field cannot hold ${value}.`);
    if (value instanceof Date) return Math.round(value.getTime());
    if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
    if (value instanceof Uint8Array) return base64(value);
    if (type === "REFERENCE") {
        const { recordName, zoneID, action = "NONE" } = value;
        return { recordName, action, ...(zoneID && { zoneID }) };
    }
    return value;
}

/** Whether two field values are the same to the server. Assets count by checksum and size, their links change. */
export function isSame(one, other) {
    return canonical(one) === canonical(other);
}

function canonical(field) {
    const { value, type } = field ?? {};
    if (value == null) return "null";
    // Several zero-length lists have no type yet.
    if (Array.isArray(value)) return JSON.stringify(value.map((each) => comparable(each, type)));
    return JSON.stringify(comparable(value, type));
}

function comparable(value, type) {
    if (typeof value === "boolean") return Number(value) + "n";
    if (typeof value === "number") return value + "n";
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "string") return /^(INT64|DOUBLE|TIMESTAMP|NUMBER)/.test(type ?? "") ? numeral(value) + "n" : value;
    if (value.fileChecksum) return [value.fileChecksum, value.size];
    if (value.recordName) return [value.recordName, value.action ?? "NONE", value.zoneID?.zoneName ?? null];
    return Object.keys(value).sort().map((key) => [key, value[key]]);
}

/** A number as text, without losing digits of large whole ones. */
function numeral(text) {
    return /^-?\d+$/.test(text) ? String(BigInt(text)) : String(Number(text));
}
