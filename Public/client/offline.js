/**
 * Records that are kept on the device and synchronized.
 *
 * ```js
 * import { configure } from "./cumulus.js";
 * import { openOffline } from "./offline.js";
 *
 * const notes = await openOffline(container, { zones: ["Notes"] });
 * notes.on(async (event) => { if (event.type === "records") show(await notes.records()); });
 * notes.start();
 * await notes.save({ recordType: "Note", fields: { title: "Groceries" } });
 * ```
 *
 * @module
 */
import { OfflineDatabase } from "./lib/sync/engine.js";
import { IndexedDBStore } from "./lib/sync/indexeddb-store.js";
import { memoryStore } from "./lib/sync/staged-store.js";

export { OfflineDatabase, memoryStore };

/** A store in the browser's IndexedDB. */
export function indexedDBStore(name) {
    return new IndexedDBStore(name);
}

/**
 * Opens the offline copy of a database.
 *
 * @param {import("./lib/container.js").Container} container
 * @param {object} options
 *     `store`: where it is kept, by default IndexedDB; in Node `fileStore` of node.js, or `memoryStore()`.
 *     `scope`: "private" or "shared".
 *     `zones`: the zones to keep; all when left out.
 *     `resolve({zone, ancestor, mine, theirs})`: settles a conflict with "mine", "theirs", "delete" or `{fields}`;
 *     undefined leaves it to the merge by fields. It must not be asynchronous.
 *     `deletes`: "ifUnchanged" (an edit of another device that this one has not seen wins over its deletion) or "force".
 *     `onZoneDeleted`: "discard" or "keep", which makes the zone anew.
 *     `indexes`: fields by which `query` finds and sorts without reading all records, `{Note: ["title", "due"]}`.
 */
export async function openOffline(container, options = {}) {
    const scope = options.scope ?? "private";
    if (!options.store && typeof indexedDB === "undefined") {
        throw new TypeError("There is no IndexedDB here. Name a 'store': fileStore(path) of node.js, or memoryStore().");
    }
    const store = options.store ?? indexedDBStore(`cumulus ${container.key}/${scope}`);
    // Browsers remove what a page keeps when space is short, unless it asked.
    if (!options.store) await navigator.storage?.persist?.().catch(() => false);
    return new OfflineDatabase(container, { ...options, scope, store }).open();
}
