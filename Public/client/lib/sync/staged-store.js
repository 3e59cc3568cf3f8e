export const tables = ["records", "outbox", "meta", "problems", "assets"];

/**
 * A store in memory whose transactions are all or nothing. Kept by whoever opens several engines on it one after the
 * other; a store on disk writes what a transaction changed before that counts.
 */
export class StagedStore {
    #tables = Object.fromEntries(tables.map((name) => [name, new Map()]));
    #queue = Promise.resolve();

    /** Runs work with one transaction after the other. What it wrote counts once `persist` is through. */
    transaction(work) {
        const run = this.#queue.then(async () => {
            const staged = new Map();
            const result = await work(this.#transaction(staged));
            const writes = [...staged.values()];
            if (writes.length) await this.persist(writes);
            this.apply(writes);
            return result;
        });
        this.#queue = run.catch(() => {});
        return run;
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

    /** Everything, as writes that would make it. */
    contents() {
        return tables.flatMap((table) => [...this.#tables[table]].map(([key, value]) => [table, key, value]));
    }

    #transaction(staged) {
        const read = (table, key) => {
            const write = staged.get(`${table} ${key}`);
            const value = write ? write[2] : this.#tables[table].get(key);
            return value === undefined ? undefined : structuredClone(value);
        };
        return {
            get: async (table, key) => read(table, key),
            put: async (table, key, value) => void staged.set(`${table} ${key}`, [table, key, structuredClone(value)]),
            delete: async (table, key) => void staged.set(`${table} ${key}`, [table, key]),
            entries: async (table, prefix = "") => {
                const keys = new Set(this.#tables[table].keys());
                for (const [name, key] of staged.values()) if (name === table) keys.add(key);
                return [...keys].filter((key) => key.startsWith(prefix)).sort()
                    .map((key) => [key, read(table, key)]).filter(([, value]) => value !== undefined);
            },
        };
    }
}

/** A store that lasts as long as the program. */
export function memoryStore() {
    return new StagedStore();
}
