/**
 * Texts whose order is the order of field values, so that a store that sorts its keys can find and sort by them. The order
 * is that of the server's queries: numbers by value, texts and record names by code points, records without a value first.
 */

/** Characters of a text that an index has. Values that begin with the same ones are told apart by their records. */
export const indexed = 500;

/** The text for a field with so many of its characters, or "0" for a value that is missing or cannot be compared. */
export function orderOf(field, length = indexed) {
    const { value, type } = field ?? {};
    if (value == null || Array.isArray(value)) return "0";
    if (typeof value === "boolean") return orderOfNumber(Number(value));
    if (typeof value === "number" || typeof value === "bigint") return orderOfNumber(value);
    if (typeof value === "string") return /^(INT64|DOUBLE|TIMESTAMP|NUMBER)$/.test(type ?? "") ? orderOfNumber(value) : type === "BYTES" ? "0" : orderOfText(value, length);
    return value.recordName ? orderOfText(value.recordName, length) : "0";
}

/** Sixteen digits for the double below, and four for what an integer has beyond it. */
function orderOfNumber(value) {
    const double = Number(value);
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, double === 0 ? 0 : double);
    let bits = view.getBigUint64(0);
    // Negative numbers have the sign bit and grow downwards.
    bits = bits >> 63n ? ~bits & 0xffffffffffffffffn : bits | (1n << 63n);
    const rest = /^-?\d+$/.test(String(value)) ? BigInt(value) - BigInt(double) : 0n;
    return `1${bits.toString(16).padStart(16, "0")}${(rest + 0x8000n).toString(16).padStart(4, "0")}`;
}

/** UTF-16 has the characters beyond 0xFFFF before those from 0xE000 on; moved, all are in the order of code points. */
function orderOfText(text, length) {
    let order = "2";
    for (let at = 0; at < Math.min(text.length, length); at += 1) {
        const unit = text.charCodeAt(at);
        order += String.fromCharCode(unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
        // The end of a text is before every character, U+0000 too.
        if (unit === 0) order += "\u0001";
    }
    return order;
}

/** The end of a value within a key, before any character that a longer text has there. */
export const end = "\u0000\u0000";
/** The first key behind those of a value. */
export const pastEnd = "\u0000\u0001";

/** Compares two texts of `orderOf`. */
export function compare(one, other) {
    return one < other ? -1 : one > other ? 1 : 0;
}
