import { CKError } from "../errors.js";
import { rebuildIndexes } from "./indexes.js";

/**
 * Makes a store ready for a database: it belongs to no other one, what was damaged is read anew, and its indexes are those
 * that the app names.
 *
 * @param {import("./engine.js").OfflineDatabase} local
 * @param {string} owner names the server, the container, the environment and the scope
 */
export async function prepareStore(local, store, owner) {
    await local.ledger(async (ledger) => {
        const state = await ledger.state();
        if (state.owner && state.owner !== owner) {
            throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: `The store belongs to ${state.owner}. Give each database a store of its own.` });
        }
        if (!state.owner) await ledger.putState({ ...state, owner });
        if (!store.wasDamaged) return;
        // What is left may lack anything: everything is read from the beginning.
        for (const { zone } of await ledger.zones()) await ledger.beginResync(zone);
        const { databaseToken, ...rest } = await ledger.state();
        await ledger.putState(rest);
        await ledger.problem("damaged", undefined, undefined, {
            reason: "The store of this device was damaged. Edits that had not been sent may be lost.",
        });
    });
    const { indexes } = local.settings;
    const known = await local.read((ledger) => ledger.transaction.get("meta", "indexes"));
    const isSame = indexes.isEmpty ? known === undefined : known === indexes.description;
    if (!isSame || store.wasDamaged) await rebuildIndexes(store, indexes);
    store.wasDamaged = false;
}
