import { isEmpty, difference, localOf, merge } from "./merge.js";
import { closeFields, hasAll, openRecord } from "../records.js";

/** The text that stands for a zone in a store. */
export function zoneKey({ zoneName, ownerRecordName }) {
    return `${encodeURIComponent(ownerRecordName ?? "")}/${encodeURIComponent(zoneName)}`;
}

export function recordKey(zone, recordName) {
    return `${zoneKey(zone)}/${encodeURIComponent(recordName)}`;
}

/** Whether an entry that was read has what every entry has. */
export function isSound(entry) {
    const isRecord = (record) => record === null || (typeof record === "object" && typeof (record?.fields ?? {}) === "object");
    return typeof entry?.name === "string" && entry.base !== undefined && entry.local !== undefined
        && isRecord(entry.base) && isRecord(entry.local) && (entry.base !== null || entry.local !== null);
}

/** A record as it is once what was sent is in it. */
function applied(base, sent) {
    const record = { ...base, fields: { ...base?.fields, ...sent.fields } };
    return sent.parent === undefined ? record : { ...record, parent: sent.parent };
}

/**
 * What a device knows and what it still has to send, within one transaction of its store.
 *
 * An entry of `records` has `base`, the record as the server last had it, and `local`, what the app sees; null for none.
 * An entry of `outbox` says that the two differ. Its `generation` counts edits, so that one made while an earlier one was
 * on its way is sent as well; `inFlight` is what was sent and not yet answered.
 */
export class Ledger {
    constructor(transaction, { resolve, int64, deletes, indexes }) {
        Object.assign(this, { transaction, resolve, int64, deletes, indexes });
        /** What the app is told once the transaction counts. */
        this.changes = [];
    }

    // MARK: State

    async state() {
        return (await this.transaction.get("meta", "state")) ?? { version: 1, count: 0 };
    }

    async putState(state) { await this.transaction.put("meta", "state", state); }

    async zone(zone) {
        return (await this.transaction.get("meta", `zone/${zoneKey(zone)}`)) ?? { zone, token: null, isKnown: false };
    }

    async putZone(value) { await this.transaction.put("meta", `zone/${zoneKey(value.zone)}`, value); }

    async zones() {
        return (await this.transaction.entries("meta", "zone/")).map(([, value]) => value);
    }

    /** The next number of a count that never repeats. */
    async next() {
        const state = await this.state();
        state.count += 1;
        await this.putState(state);
        return state.count;
    }

    /** The entry of a record. A damaged one counts as missing, and its zone is read anew from the beginning. */
    async entry(zone, recordName) {
        const entry = await this.transaction.get("records", recordKey(zone, recordName));
        if (entry === undefined || isSound(entry)) return entry;
        await this.transaction.delete("records", recordKey(zone, recordName));
        await this.transaction.delete("outbox", recordKey(zone, recordName));
        // Index entries of the damaged record cannot be found: the next start builds the indexes anew.
        await this.transaction.delete("meta", "indexes");
        await this.beginResync(zone);
        await this.problem("damaged", zone, recordName, { reason: "What this device kept of the record was damaged." });
        return undefined;
    }

    pending(zone, recordName) { return this.transaction.get("outbox", recordKey(zone, recordName)); }

    /** Everything that waits to be sent. A damaged note is written anew if its record still differs. */
    async outbox(prefix = "") {
        const sound = [];
        for (const [key, pending] of await this.transaction.entries("outbox", prefix)) {
            if (typeof pending?.name === "string" && pending.zone?.zoneName && Number.isInteger(pending.generation)) {
                sound.push(pending);
                continue;
            }
            await this.transaction.delete("outbox", key);
            const [ownerRecordName, zoneName, name] = key.split("/").map(decodeURIComponent);
            const zone = ownerRecordName ? { zoneName, ownerRecordName } : { zoneName };
            if (await this.entry(zone, name)) await this.enqueue(zone, name);
        }
        return sound;
    }

    async put(zone, entry) {
        await this.#index(zone, entry.name, entry.local);
        await this.transaction.put("records", recordKey(zone, entry.name), entry);
        this.changes.push({ zone, recordName: entry.name, deleted: entry.local === null });
    }

    async remove(zone, recordName) {
        await this.#index(zone, recordName, null);
        await this.transaction.delete("records", recordKey(zone, recordName));
        await this.forget(zone, recordName);
        this.changes.push({ zone, recordName, deleted: true });
    }

    async #index(zone, recordName, local) {
        if (this.indexes.isEmpty) return;
        const before = await this.transaction.get("records", recordKey(zone, recordName));
        await this.indexes.update(this.transaction, zone, recordName, before?.local, local);
    }

    async forget(zone, recordName) { await this.transaction.delete("outbox", recordKey(zone, recordName)); }

    /** Notes that a record is to be sent. */
    async enqueue(zone, recordName, { replace, group, keepGeneration = false } = {}) {
        const key = recordKey(zone, recordName);
        const found = await this.transaction.get("outbox", key);
        const number = await this.next();
        const pending = found ?? { zone, name: recordName, sequence: number, attempts: 0 };
        if (!found || !keepGeneration) pending.generation = number;
        if (replace !== undefined) pending.replace = replace;
        if (group !== undefined) pending.group = group;
        delete pending.held;
        pending.attempts = 0;
        await this.transaction.put("outbox", key, pending);
    }

    /** Keeps what went wrong until the app has dealt with it. */
    async problem(kind, zone, recordName, { reason, ckErrorCode, record }) {
        const id = String(await this.next()).padStart(12, "0");
        await this.transaction.put("problems", id, { id, kind, zone, recordName, reason, ckErrorCode, record });
    }

    // MARK: What the app does

    async edit(zone, recordName, recordType, { set, parent }, group) {
        const entry = (await this.entry(zone, recordName)) ?? { name: recordName, base: null, local: null };
        const isAgain = entry.local === null && entry.base !== null;
        const fields = { ...entry.local?.fields };
        for (const [name, field] of Object.entries(set)) {
            if (field.value === null) delete fields[name];
            else fields[name] = field;
        }
        const type = entry.local?.type ?? entry.base?.recordType ?? recordType;
        entry.local = { type, fields, parent: parent === undefined ? entry.local?.parent : parent ?? undefined };
        await this.put(zone, entry);
        await this.enqueue(zone, recordName, { group, ...(isAgain && { replace: true }) });
    }

    async erase(zone, recordName, group) {
        const entry = await this.entry(zone, recordName);
        if (!entry || entry.local === null) return;
        const pending = await this.pending(zone, recordName);
        if (entry.base === null && !pending?.inFlight) return this.remove(zone, recordName);
        entry.local = null;
        await this.put(zone, entry);
        await this.enqueue(zone, recordName, { group, replace: false });
    }

    // MARK: What the server says

    /** Takes in a record, or its deletion, as the server has it now. */
    async receive(zone, recordName, theirs, { seen, restoredTo } = {}) {
        const entry = await this.entry(zone, recordName);
        if (!entry) {
            if (theirs) await this.put(zone, { name: recordName, base: theirs, local: localOf(theirs), seen });
            return;
        }
        if (seen) entry.seen = seen;
        const pending = await this.pending(zone, recordName);
        if (theirs && theirs.recordChangeTag === entry.base?.recordChangeTag) {
            if (seen) await this.transaction.put("records", recordKey(zone, recordName), entry);
            return;
        }
        if (restoredTo !== undefined && entry.base?.modified?.timestamp > restoredTo) {
            return this.#bringBack(zone, entry, theirs, pending, restoredTo);
        }
        if (pending) return this.#settle(zone, entry, pending, theirs, entry.base);
        if (theirs) await this.put(zone, { ...entry, base: theirs, local: localOf(theirs) });
        else await this.remove(zone, recordName);
    }

    /** A record that this device had from a time that the server lost: what it had is sent again. */
    async #bringBack(zone, entry, theirs, pending, restoredTo) {
        if (entry.local === null && !theirs) return this.remove(zone, entry.name);
        if (theirs?.modified?.timestamp > restoredTo) {
            // Somebody edited the older record since. Without a common ancestor that edit stands where both differ.
            if (!pending) await this.enqueue(zone, entry.name);
            return this.#settle(zone, entry, await this.pending(zone, entry.name), theirs, pending ? entry.base : null);
        }
        await this.put(zone, { ...entry, base: theirs ?? null });
        await this.enqueue(zone, entry.name, { keepGeneration: Boolean(pending) });
    }

    /** Brings an edit of this device and the server's record together. */
    async #settle(zone, entry, pending, theirs, ancestor) {
        const outcome = this.#resolve(zone, entry, theirs, ancestor);
        if (outcome === "theirs") {
            if (entry.local && !theirs) {
                const reason = "The record was deleted by another device while this one had edited it.";
                await this.problem("discarded", zone, entry.name, { reason, record: entry.local });
            }
            await this.forget(zone, entry.name);
            if (theirs) await this.put(zone, { ...entry, base: theirs, local: localOf(theirs) });
            else await this.remove(zone, entry.name);
            return;
        }
        entry.base = theirs ?? null;
        if (outcome === null && !theirs) return this.remove(zone, entry.name);
        entry.local = outcome;
        if (outcome && theirs && !pending.replace && isEmpty(difference(theirs, outcome))) {
            await this.forget(zone, entry.name);
        } else {
            delete pending.inFlight;
            await this.transaction.put("outbox", recordKey(zone, entry.name), pending);
        }
        await this.put(zone, entry);
    }

    /** What becomes of a record: "theirs", null for its deletion, or what is to be saved. */
    #resolve(zone, entry, theirs, ancestor) {
        const open = (record) => record && openRecord(record, this.int64);
        const mine = entry.local && { recordName: entry.name, recordType: entry.local.type, ...entry.local };
        let automatic = "theirs";
        if (entry.local && theirs) automatic = merge(ancestor, entry.local, theirs);
        else if (theirs && this.deletes === "force") automatic = null;
        const choice = this.resolve?.({ zone, ancestor: open(ancestor), mine: open(mine), theirs: open(theirs) });
        switch (choice) {
        case undefined: return automatic;
        case "theirs": return "theirs";
        case "mine": return entry.local;
        case "delete": return null;
        default: break;
        }
        const chosen = automatic === "theirs" || automatic === null ? entry.local ?? localOf(theirs) : automatic;
        return { ...chosen, fields: closeFields(choice.fields) };
    }

    /** Takes in the answer to what was sent: the record as it is now, or null once it is deleted. */
    async acknowledge(zone, recordName, theirs) {
        const entry = await this.entry(zone, recordName);
        const pending = await this.pending(zone, recordName);
        if (!entry || !pending?.inFlight) return;
        const { generation, sent } = pending.inFlight;
        const isLatest = generation === pending.generation;
        delete pending.inFlight;
        pending.attempts = 0;
        if (!theirs) {
            if (isLatest || entry.local === null) return this.remove(zone, recordName);
            entry.base = null;
        } else if (isLatest) {
            await this.#dropAssets(entry.local);
            entry.base = theirs;
            entry.local = localOf(theirs);
            await this.forget(zone, recordName);
            return this.put(zone, entry);
        } else {
            const ancestor = applied(entry.base, sent);
            // A record that was deleted and made again meanwhile keeps nothing of the older one.
            if (entry.local === null) pending.replace = false;
            else if (sent.fields) entry.local = merge(ancestor, entry.local, theirs);
            entry.base = theirs;
        }
        await this.transaction.put("outbox", recordKey(zone, recordName), pending);
        await this.put(zone, entry);
    }

    async #dropAssets(local) {
        for (const { value } of Object.values(local?.fields ?? {})) {
            for (const each of [value].flat()) if (each?.local) await this.transaction.delete("assets", each.local);
        }
    }

    /** Finds out by the server's record what became of a request whose answer never came. */
    async recover(zone, recordName, theirs) {
        const entry = await this.entry(zone, recordName);
        const pending = await this.pending(zone, recordName);
        if (!entry || !pending?.inFlight) return;
        const { operationType, sent } = pending.inFlight;
        const isDelete = operationType === "delete" || operationType === "forceDelete";
        const isUnchanged = theirs && theirs.recordChangeTag === entry.base?.recordChangeTag;
        if (!theirs && isDelete) return this.acknowledge(zone, recordName, null);
        if (isUnchanged || (!theirs && operationType === "create")) return this.release(zone, recordName);
        // What was sent is there. A record that is to be deleted by now may have got somebody else's edit as well.
        const isTaken = theirs && !isDelete && hasAll(theirs, sent);
        const isOurs = entry.local !== null || (isTaken && isEmpty(difference(applied(entry.base, sent), localOf(theirs))));
        if (isTaken && isOurs) return this.acknowledge(zone, recordName, theirs);
        await this.receive(zone, recordName, theirs);
        await this.release(zone, recordName);
    }

    /** Forgets that a record is on its way, and keeps it to be sent. */
    async release(zone, recordName, change = {}) {
        const pending = await this.pending(zone, recordName);
        if (!pending) return;
        delete pending.inFlight;
        await this.transaction.put("outbox", recordKey(zone, recordName), { ...pending, ...change });
    }

    /** Puts the server's record in the place of this device's. */
    async overwrite(zone, recordName, theirs) {
        const entry = await this.entry(zone, recordName);
        if (theirs) await this.put(zone, { ...entry, name: recordName, base: theirs, local: localOf(theirs) });
        else if (entry) await this.remove(zone, recordName);
    }

    /** Notes that nothing is left to send for a record. */
    async finish(zone, recordName) {
        const entry = await this.entry(zone, recordName);
        if (entry && !entry.local) await this.remove(zone, recordName);
        else await this.forget(zone, recordName);
    }

    // MARK: Zones

    /** Forgets the token of a zone. What the zone no longer has is found by reading all of it. */
    async beginResync(zone, restoredTo) {
        const state = await this.zone(zone);
        await this.putZone({ ...state, token: null, resync: String(await this.next()), restoredTo, isDirty: true });
    }

    /** Takes in a page of a zone's changes together with its token. */
    async takePage(page, zone) {
        const before = await this.zone(zone);
        // A feed that begins leaves out what was deleted before, so what is known already is held against all of it.
        const state = before.token || before.resync ? before : { ...before, resync: String(await this.next()) };
        const options = { seen: state.resync, restoredTo: state.resync ? state.restoredTo : undefined };
        for (const record of page.records) {
            await this.receive(zone, record.recordName, record.deleted ? null : record, options);
        }
        // A damaged entry may have begun to read the zone anew.
        if ((await this.zone(zone)).resync !== before.resync) return;
        const next = { ...state, token: page.syncToken, isKnown: true, isDirty: Boolean(page.moreComing) };
        if (!page.moreComing && state.resync) {
            await this.#endResync(zone, state);
            delete next.resync;
            delete next.restoredTo;
        }
        await this.putZone(next);
    }

    /** Removes what the server no longer has. */
    async #endResync(zone, { resync, restoredTo }) {
        for (const [, entry] of await this.transaction.entries("records", `${zoneKey(zone)}/`)) {
            if (isSound(entry) && entry.base && entry.seen !== resync) {
                await this.receive(zone, entry.name, null, { restoredTo });
            }
        }
    }

    /** A zone that is gone: its records go too, or are kept to be sent to a new one. */
    async loseZone(zone, isKept) {
        for (const [, entry] of await this.transaction.entries("records", `${zoneKey(zone)}/`)) {
            const pending = await this.pending(zone, entry.name);
            if (isKept && entry.local) {
                await this.put(zone, { ...entry, base: null });
                await this.enqueue(zone, entry.name, { keepGeneration: Boolean(pending), replace: false });
                await this.release(zone, entry.name);
                continue;
            }
            if (pending && entry.local) {
                const reason = "The zone was deleted while this device had edited the record.";
                await this.problem("discarded", zone, entry.name, { reason, record: entry.local });
            }
            await this.remove(zone, entry.name);
        }
        await this.putZone({ zone, token: null, isKnown: false });
    }

    /** Empties everything for another user, and answers what the former one had not sent. */
    async wipe() {
        const unsent = (await this.transaction.entries("outbox")).map(([, pending]) => pending);
        for (const table of ["records", "outbox", "meta", "problems", "assets", "index"]) {
            for (const [key] of await this.transaction.entries(table)) await this.transaction.delete(table, key);
        }
        return unsent;
    }
}
