/**
 * A random UUID. `crypto.randomUUID` is missing on pages without TLS, and all of `crypto` in Node 18: the names it makes
 * are no secrets, so other randomness will do there.
 */
export function uuid() {
    if (globalThis.crypto?.randomUUID) return crypto.randomUUID();
    const bytes = globalThis.crypto
        ? crypto.getRandomValues(new Uint8Array(16))
        : Uint8Array.from({ length: 16 }, () => Math.random() * 256);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
