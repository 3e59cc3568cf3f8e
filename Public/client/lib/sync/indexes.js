import { CKError } from "../errors.js";
import { systemFields } from "../records.js";
import { end, orderOf } from "./order.js";
import { recordKey, zoneKey } from "./ledger.js";

/** Which fields of which record types have an index: `{Note: ["title", "due"]}`. */
export class Indexes {
    #fields;

    constructor(fields = {}) {
        this.#fields = new Map(Object.entries(fields));
        for (const [type, names] of this.#fields) {
            if (Array.isArray(names) && names.every((name) => typeof name === "string" && !systemFields.has(name))) continue;
            throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: `'indexes.${type}' is no array of names of the app's own fields.` });
        }
    }

    /** The indexes as a text, for telling whether those of a store are others. */
    get description() {
        return JSON.stringify([...this.#fields].map(([type, names]) => [type, [...names].sort()]).sort());
    }

    get isEmpty() { return this.#fields.size === 0; }

    has(type, field) { return Boolean(this.#fields.get(type)?.includes(field)); }

    /** The keys of the index that lead to a record as the app sees it. */
    keys(zone, name, local) {
        const fields = local?.fields ? this.#fields.get(local.type) ?? [] : [];
        const value = (field) => (Object.hasOwn(local.fields, field) ? local.fields[field] : undefined);
        return fields.map((field) => `${indexPrefix(zone, local.type, field)}${orderOf(value(field))}${end}${name}`);
    }

    /** Takes a record out of the indexes and puts it in again as it is now. */
    async update(transaction, zone, name, before, after) {
        const old = new Set(this.keys(zone, name, before));
        const now = new Set(this.keys(zone, name, after));
        for (const key of old) if (!now.has(key)) await transaction.delete("index", key);
        for (const key of now) if (!old.has(key)) await transaction.put("index", key, name);
    }
}

/** What the keys of the index of a field begin with. */
export function indexPrefix(zone, type, field) {
    return `${zoneKey(zone)}/${encodeURIComponent(type)}/${encodeURIComponent(field)}/`;
}

/** Makes the indexes of a store those of an app, a part of its records in each transaction. */
export async function rebuildIndexes(store, indexes, part = 500) {
    await store.transaction(async (transaction) => {
        for (const [key] of await transaction.entries("index")) await transaction.delete("index", key);
        await transaction.delete("meta", "indexes");
    });
    if (indexes.isEmpty) return;
    for (let after; ;) {
        const done = await store.transaction(async (transaction) => {
            const entries = await transaction.range("records", { after, limit: part });
            for (const [key, entry] of entries) {
                const [ownerRecordName, zoneName] = key.split("/").map(decodeURIComponent);
                const zone = ownerRecordName ? { zoneName, ownerRecordName } : { zoneName };
                if (typeof entry?.name === "string" && recordKey(zone, entry.name) === key) await indexes.update(transaction, zone, entry.name, null, entry.local);
            }
            if (entries.length === part) return entries[part - 1][0];
            await transaction.put("meta", "indexes", indexes.description);
            return undefined;
        });
        if (done === undefined) return;
        after = done;
    }
}
