import { tables } from "./staged-store.js";

function done(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

/**
 * A store in the browser's IndexedDB, shared by all tabs. Nothing but its own requests is awaited within a transaction,
 * so that none ends early. A connection that the browser closed is opened again, once for each transaction.
 */
export class IndexedDBStore {
    #name;
    #database;
    /** Whether an earlier store could not be read and made way for a new one. */
    wasDamaged = false;

    constructor(name) {
        this.#name = name;
    }

    async transaction(work) {
        for (let attempt = 0; ; attempt += 1) {
            const database = await (this.#database ??= this.#open());
            let transaction;
            try {
                transaction = database.transaction(tables, "readwrite", { durability: "strict" });
            } catch (error) {
                this.#database = undefined;
                if (attempt > 0) throw error;
                continue;
            }
            return this.#run(transaction, work);
        }
    }

    async #run(transaction, work) {
        const ended = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error ?? new Error("The browser ended the transaction."));
        });
        ended.catch(() => {});
        let result;
        try {
            result = await work(operations(transaction));
        } catch (error) {
            // It may have ended by itself, because the disk is full.
            if (transaction.error) throw transaction.error;
            transaction.abort();
            throw error;
        }
        await ended;
        return result;
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
        const request = indexedDB.open(this.#name, 1);
        request.onupgradeneeded = () => tables.forEach((table) => request.result.createObjectStore(table));
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

function operations(transaction) {
    return {
        get: (table, key) => done(transaction.objectStore(table).get(key)),
        put: (table, key, value) => done(transaction.objectStore(table).put(value, key)),
        delete: (table, key) => done(transaction.objectStore(table).delete(key)),
        entries: async (table, prefix = "") => {
            const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
            const store = transaction.objectStore(table);
            const keys = done(store.getAllKeys(range));
            const values = done(store.getAll(range));
            const list = await keys;
            const all = await values;
            return list.map((key, at) => [key, all[at]]);
        },
    };
}
