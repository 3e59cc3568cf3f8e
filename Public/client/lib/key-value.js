import { CKError } from "./errors.js";
import { base64, bytes } from "./values.js";

function encode(value) {
    switch (typeof value) {
    case "string": return { type: "STRING", value };
    case "boolean": return { type: "BOOLEAN", value };
    case "bigint": return { type: "INT64", value: String(value) };
    case "number": return Number.isSafeInteger(value) ? { type: "INT64", value } : { type: "DOUBLE", value: Number.isFinite(value) ? value : String(value) };
    default: break;
    }
    if (value instanceof Date) return { type: "TIMESTAMP", value: value.getTime() };
    if (value instanceof Uint8Array) return { type: "BYTES", value: base64(value) };
    if (Array.isArray(value)) return { type: "LIST", value: value.map(encode) };
    if (value && typeof value === "object") {
        return { type: "DICTIONARY", value: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)])) };
    }
    throw new TypeError("A key holds a string, number, boolean, bigint, Date, Uint8Array, array or object of these.");
}

function decode({ type, value }) {
    switch (type) {
    case "INT64": return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
    case "DOUBLE": return Number(value);
    case "TIMESTAMP": return new Date(value);
    case "BYTES": return bytes(value);
    case "LIST": return value.map(decode);
    case "DICTIONARY": return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decode(each)]));
    default: return value;
    }
}

/** Small values that all devices of a user share: the later write to a key stands. */
export class KeyValueStore {
    #container;
    #values = new Map();
    #pending = new Map();
    #token = null;
    #running = Promise.resolve();
    #listeners = new Set();

    /** @param {import("./container.js").Container} container */
    constructor(container) {
        this.#container = container;
    }

    /** The value of a key, with what was set here and not sent yet. */
    get(key) {
        const field = this.#pending.has(key) ? this.#pending.get(key) : this.#values.get(key);
        return field ? decode(field) : undefined;
    }

    /** All keys. */
    keys() {
        const keys = new Set(this.#values.keys());
        for (const [key, field] of this.#pending) field ? keys.add(key) : keys.delete(key);
        return [...keys];
    }

    /** Sets a value and sends it. */
    async set(key, value) {
        this.#pending.set(key, encode(value));
        await this.synchronize();
    }

    /** Removes a key, here and on the server. */
    async remove(key) {
        this.#pending.set(key, null);
        await this.synchronize();
    }

    /** Calls a function with `{reason, keys}` when other devices changed something. Returns a function that ends this. */
    onChange(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    /** Takes in what other devices changed, and sends what was changed here. */
    synchronize() {
        const next = this.#running.catch(() => {}).then(() => this.#synchronize());
        this.#running = next;
        return next;
    }

    async #synchronize() {
        await this.#pull();
        const sending = new Map(this.#pending);
        if (sending.size === 0) return;
        const set = {};
        const remove = [];
        for (const [key, field] of sending) field ? (set[key] = field) : remove.push(key);
        await this.#send("modify", { set, remove });
        for (const [key, field] of sending) {
            if (this.#pending.get(key) === field) this.#pending.delete(key);
            field ? this.#values.set(key, field) : this.#values.delete(key);
        }
        await this.#pull();
    }

    async #pull() {
        for (let moreComing = true; moreComing;) {
            const page = await this.#send("changes", { changeToken: this.#token });
            if (page.reason === "ACCOUNT_CHANGE") this.#pending.clear();
            if (page.reason === "ACCOUNT_CHANGE" || page.reason === "INITIAL_SYNC") this.#values.clear();
            for (const [key, field] of Object.entries(page.values ?? {})) this.#values.set(key, field);
            for (const key of page.removed ?? []) this.#values.delete(key);
            const keys = [...Object.keys(page.values ?? {}), ...(page.removed ?? [])];
            if (keys.length) for (const listener of [...this.#listeners]) listener({ reason: page.reason, keys });
            if (page.moreComing && page.changeToken === this.#token) {
                throw new CKError({ ckErrorCode: "UNEXPECTED_SERVER_RESPONSE", reason: "The key-value feed repeats the same page." });
            }
            this.#token = page.changeToken;
            moreComing = page.moreComing;
        }
    }

    #send(endpoint, body) {
        const { transport } = this.#container;
        return transport.send(`/keyvalue/1/${transport.container}/${endpoint}`, body, { isRepeatable: true });
    }
}
