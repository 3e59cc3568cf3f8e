import { readOnly, Staging, startingWith, tables } from "./staging.js";

function done(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

function ended(transaction) {
    const end = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error("The browser ended the transaction."));
    });
    end.catch(() => {});
    return end;
}

/**
 * A store in the browser's IndexedDB, shared by all tabs.
 *
 * IndexedDB lets a read wait until an earlier transaction that writes has ended. So a transaction of this store reads like
 * any other, keeps its writes, and puts them in one short transaction of IndexedDB at its end; a lock lets one tab write at
 * a time. Pages without TLS have no locks: there a transaction is one of IndexedDB from its beginning to its end.
 */
export class IndexedDBStore {
    #name;
    #database;
    /** Whether an earlier store could not be read and made way for a new one. */
    wasDamaged = false;

    constructor(name) {
        this.#name = name;
    }

    transaction(work) {
        const locks = globalThis.navigator?.locks;
        return locks ? locks.request(`cumulus.store.${this.#name}`, () => this.#staged(work)) : this.#whole(work);
    }

    /** Runs work that only reads, and awaits nothing but its own reads. */
    async read(work) {
        return work(readOnly(requests(await this.#begin("readonly"))));
    }

    async #staged(work) {
        const staging = new Staging(new Reads(() => this.#begin("readonly")));
        const result = await work(staging);
        const { writes } = staging;
        if (writes.length === 0) return result;
        const transaction = await this.#begin("readwrite");
        const end = ended(transaction);
        for (const [table, key, value] of writes) {
            if (value === undefined) transaction.objectStore(table).delete(key);
            else transaction.objectStore(table).put(value, key);
        }
        await end;
        return result;
    }

    async #whole(work) {
        const transaction = await this.#begin("readwrite");
        const end = ended(transaction);
        let result;
        try {
            const { get, range } = requests(transaction);
            result = await work({
                get, range,
                entries: (table, prefix = "") => range(table, startingWith(prefix)),
                put: (table, key, value) => done(transaction.objectStore(table).put(value, key)),
                delete: (table, key) => done(transaction.objectStore(table).delete(key)),
            });
        } catch (error) {
            // It may have ended by itself, because the disk is full.
            if (transaction.error) throw transaction.error;
            transaction.abort();
            throw error;
        }
        await end;
        return result;
    }

    /** Begins a transaction. A connection that the browser closed is opened again, once. */
    async #begin(mode) {
        for (let attempt = 0; ; attempt += 1) {
            const database = await (this.#database ??= this.#open());
            try {
                return database.transaction(tables, mode, { durability: "strict" });
            } catch (error) {
                this.#database = undefined;
                if (attempt > 0) throw error;
            }
        }
    }

    async close() {
        (await this.#database)?.close();
        this.#database = undefined;
    }

    async #open() {
        try {
            return await this.#openOnce();
        } catch (error) {
            if (error.name === "VersionError" || error.name === "QuotaExceededError") throw error;
            await done(indexedDB.deleteDatabase(this.#name));
            this.wasDamaged = true;
            return this.#openOnce();
        }
    }

    async #openOnce() {
        const request = indexedDB.open(this.#name, 2);
        request.onupgradeneeded = ({ oldVersion }) => {
            // The first version had no indexes.
            const made = oldVersion === 0 ? tables : ["index"];
            made.forEach((table) => request.result.createObjectStore(table));
        };
        const database = await done(request);
        const forget = () => (this.#database = undefined);
        database.onclose = forget;
        database.onversionchange = () => {
            database.close();
            forget();
        };
        if (!tables.every((table) => database.objectStoreNames.contains(table))) {
            database.close();
            throw new Error("The store lacks a table.");
        }
        return database;
    }
}

/** Reads within a transaction of IndexedDB that is begun anew when the one before has ended by itself. */
class Reads {
    #begin;
    #requests;

    constructor(begin) {
        this.#begin = begin;
    }

    get(table, key) { return this.#run((each) => each.get(table, key)); }

    range(table, bounds) { return this.#run((each) => each.range(table, bounds)); }

    async #run(read) {
        if (this.#requests) {
            try {
                return await read(this.#requests);
            } catch (error) {
                if (error.name !== "TransactionInactiveError" && error.name !== "InvalidStateError") throw error;
            }
        }
        this.#requests = requests(await this.#begin());
        return read(this.#requests);
    }
}

function requests(transaction) {
    return {
        get: async (table, key) => done(transaction.objectStore(table).get(key)),
        range: async (table, bounds = {}) => {
            const range = keyRange(bounds);
            if (range === null) return [];
            const store = transaction.objectStore(table);
            if (bounds.isReversed) return backwards(store, range, bounds.limit);
            const keys = done(store.getAllKeys(range, bounds.limit));
            const values = done(store.getAll(range, bounds.limit));
            const list = await keys;
            const all = await values;
            return list.map((key, at) => [key, all[at]]);
        },
    };
}

/** The range of keys within bounds, or null if it has none. */
function keyRange({ from, below, after, before }) {
    const low = after !== undefined && (from === undefined || after >= from) ? [after, true] : from !== undefined ? [from, false] : undefined;
    const high = [below, before].filter((key) => key !== undefined).sort()[0];
    if (low && high !== undefined) return low[0] < high ? IDBKeyRange.bound(low[0], high, low[1], true) : null;
    if (low) return IDBKeyRange.lowerBound(...low);
    return high === undefined ? undefined : IDBKeyRange.upperBound(high, true);
}

function backwards(store, range, limit = Infinity) {
    return new Promise((resolve, reject) => {
        const found = [];
        const request = store.openCursor(range, "prev");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
            const cursor = request.result;
            if (!cursor || found.length >= limit) return resolve(found);
            found.push([cursor.key, cursor.value]);
            return cursor.continue();
        };
    });
}
