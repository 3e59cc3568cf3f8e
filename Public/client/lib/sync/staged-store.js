import { OrderedMap } from "./ordered-map.js";
import { readOnly, Staging, tables } from "./staging.js";

/**
 * A store in memory whose transactions are all or nothing. Kept by whoever opens several engines on it one after the
 * other; a store on disk writes what a transaction changed before that counts.
 *
 * Reads go on while a transaction writes to the disk. What it wrote counts between two reads, never within one.
 */
export class StagedStore {
    #tables = Object.fromEntries(tables.map((name) => [name, new OrderedMap()]));
    #queue = Promise.resolve();
    #readers = new Set();
    /** Set while writes wait for the readers that have begun. */
    #gate;

    /** Runs work with one transaction after the other. What it wrote counts once `persist` is through. */
    transaction(work) {
        const run = this.#queue.then(async () => {
            const staging = new Staging(this.#base);
            const result = await work(staging);
            const { writes } = staging;
            if (writes.length === 0) return result;
            await this.persist(writes);
            await this.#betweenReads(() => this.apply(writes));
            return result;
        });
        this.#queue = run.catch(() => {});
        return run;
    }

    /** Runs work that only reads, beside transactions. */
    async read(work) {
        while (this.#gate) await this.#gate;
        const run = work(readOnly(this.#base));
        this.#readers.add(run);
        try {
            return await run;
        } finally {
            this.#readers.delete(run);
        }
    }

    async #betweenReads(apply) {
        let open;
        this.#gate = new Promise((resolve) => (open = resolve));
        await Promise.allSettled(this.#readers);
        this.#gate = undefined;
        apply();
        open();
    }

    /** Puts the writes of a transaction where they last. In memory there is nothing to do. */
    async persist() {}

    async close() {
        await this.#queue;
    }

    /** Takes writes over: `[table, key, value]`, or without a value for what goes. */
    apply(writes) {
        for (const [table, key, value] of writes) {
            if (value === undefined) this.#tables[table].delete(key);
            else this.#tables[table].set(key, value);
        }
    }

    /** The number of entries. */
    get size() {
        return tables.reduce((sum, table) => sum + this.#tables[table].size, 0);
    }

    /** Everything, as writes that would make it. */
    contents() {
        return tables.flatMap((table) => [...this.#tables[table]].map(([key, value]) => [table, key, value]));
    }

    #base = {
        get: async (table, key) => structuredClone(this.#tables[table].get(key)),
        range: async (table, bounds = {}) => this.#tables[table].range(bounds).map(([key, value]) => [key, structuredClone(value)]),
    };
}

/** A store that lasts as long as the program. */
export function memoryStore() {
    return new StagedStore();
}
