/** The tables of a store. `index` leads from the values of indexed fields to records. */
export const tables = ["records", "outbox", "meta", "problems", "assets", "index"];

/** The keys that begin with a prefix. */
export function startingWith(prefix) {
    return { from: prefix, below: `${prefix}\uffff` };
}

function isWithin(key, { from, below, after, before }) {
    return (from === undefined || key >= from) && (below === undefined || key < below)
        && (after === undefined || key > after) && (before === undefined || key < before);
}

/**
 * A transaction that keeps its writes until they are taken over as one.
 *
 * @param {object} base reads what counts so far: `get(table, key)` and `range(table, bounds)`
 */
export class Staging {
    #base;
    #staged = Object.fromEntries(tables.map((table) => [table, new Map()]));

    constructor(base) {
        this.#base = base;
    }

    /** The writes: `[table, key, value]`, without a value for a deletion. */
    get writes() {
        return tables.flatMap((table) => [...this.#staged[table]].map(([key, value]) => (value === undefined ? [table, key] : [table, key, value])));
    }

    async get(table, key) {
        const staged = this.#staged[table];
        return staged.has(key) ? copy(staged.get(key)) : this.#base.get(table, key);
    }

    async put(table, key, value) { this.#staged[table].set(key, structuredClone(value)); }

    async delete(table, key) { this.#staged[table].set(key, undefined); }

    entries(table, prefix = "") { return this.range(table, startingWith(prefix)); }

    async range(table, bounds = {}) {
        const staged = [...this.#staged[table]].filter(([key]) => isWithin(key, bounds));
        if (staged.length === 0) return this.#base.range(table, bounds);
        const { limit, isReversed } = bounds;
        // A staged deletion may take away any of those that the base gives.
        const room = limit === undefined ? undefined : limit + staged.length;
        const all = new Map(await this.#base.range(table, { ...bounds, limit: room }));
        for (const [key, value] of staged) {
            if (value === undefined) all.delete(key);
            else all.set(key, copy(value));
        }
        const sorted = [...all].sort(([one], [other]) => (one < other ? -1 : 1));
        return (isReversed ? sorted.reverse() : sorted).slice(0, limit);
    }
}

/** A transaction that only reads was to write, as where it met a damaged entry. */
export class ReadOnlyError extends Error {}

/** What a transaction that may not write has. */
export function readOnly(base) {
    const refuse = () => Promise.reject(new ReadOnlyError("This transaction only reads."));
    return {
        get: base.get, range: base.range, put: refuse, delete: refuse,
        entries: (table, prefix = "") => base.range(table, startingWith(prefix)),
    };
}

function copy(value) {
    return value === undefined ? undefined : structuredClone(value);
}
