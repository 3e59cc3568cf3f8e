import { CKError } from "../errors.js";
import { openRecord, zoneID } from "../records.js";
import { uuid } from "../uuid.js";
import { editedFields } from "./edited-fields.js";
import { Fetcher } from "./fetcher.js";
import { Indexes } from "./indexes.js";
import { isSound, Ledger, zoneKey } from "./ledger.js";
import { LocalQuery } from "./local-query.js";
import { prepareStore } from "./opening.js";
import { Schedule } from "./schedule.js";
import { Sender } from "./sender.js";
import { ReadOnlyError } from "./staging.js";

/**
 * The records of a private or shared database, kept on this device and synchronized.
 *
 * Reading and editing never wait for the network. An edit and the note that it is to be sent are one transaction of the
 * store; so are a page of changes and its token. Several engines on one store, as in several tabs, take turns.
 */
export class OfflineDatabase {
    #store;
    #listeners = new Set();
    #schedule = new Schedule(() => this.#scheduled());
    #running;
    #next;
    #stopping = new AbortController();
    #userChecked = false;
    #retryAt;
    #channel;
    #offAuth;
    /** What the engine is doing: "idle", "syncing", "offline", "signIn" or "failed", with the error. */
    status = { state: "idle" };

    /**
     * @param {import("../container.js").Container} container
     * @param {object} options see `openOffline`
     */
    constructor(container, { store, scope = "private", zones, resolve, deletes = "ifUnchanged", onZoneDeleted = "discard", pageSize, indexes }) {
        this.container = container;
        this.scope = scope;
        this.database = container.getDatabaseWithDatabaseScope(scope);
        if (scope === "public") throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: "The public database has no change feed, so it cannot be kept offline." });
        this.zoneIDs = zones?.map(zoneID);
        this.deletes = deletes;
        this.keepsLostZones = onZoneDeleted === "keep";
        this.pageSize = pageSize;
        this.#store = store;
        this.settings = { resolve, int64: container.int64, deletes, indexes: new Indexes(indexes) };
        this.#offAuth = container.auth.onChange(() => (this.#userChecked = false));
    }

    /** Prepares the store. */
    async open() {
        const owner = `${this.container.key}/${this.scope}`;
        await prepareStore(this, this.#store, owner);
        if (typeof BroadcastChannel === "function" && typeof document !== "undefined") {
            this.#channel = new BroadcastChannel(`cumulus.offline.${owner}`);
            this.#channel.onmessage = ({ data }) => this.#hear(data);
        }
        return this;
    }

    /** Reads the store beside what writes to it. A damaged entry is mended in a transaction that writes. */
    async read(work) {
        if (!this.#store.read) return this.ledger(work);
        try {
            return await this.#store.read((transaction) => work(new Ledger(transaction, this.settings)));
        } catch (error) {
            if (!(error instanceof ReadOnlyError)) throw error;
            return this.ledger(work);
        }
    }

    /** One transaction of the store; what it changed is told once it counts. */
    async ledger(work) {
        let changes;
        const result = await this.#store.transaction(async (transaction) => {
            const ledger = new Ledger(transaction, this.settings);
            const result = await work(ledger);
            changes = ledger.changes;
            return result;
        });
        if (changes.length) {
            this.tell({ type: "records", changes });
            this.#channel?.postMessage({ type: "records", changes });
        }
        return result;
    }

    // MARK: Reading and editing

    #zone(zone) {
        const id = zoneID(zone) ?? (this.zoneIDs?.length === 1 ? this.zoneIDs[0] : undefined);
        if (!id) throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: "Name the 'zone' of the record." });
        return this.known(id);
    }

    /** A zone ID in the form that the store has it. */
    known({ zoneName, ownerRecordName }) {
        return this.scope === "shared" ? { zoneName, ownerRecordName } : { zoneName };
    }

    #open(zone, entry, pending) {
        const { base, local } = entry;
        const wire = {
            recordName: entry.name, recordType: local.type, fields: local.fields, parent: local.parent, zoneID: base?.zoneID ?? zone,
            recordChangeTag: base?.recordChangeTag, created: base?.created, modified: base?.modified, share: base?.share,
            shortGUID: base?.shortGUID,
        };
        return { ...openRecord(wire, this.container.int64), isPending: Boolean(pending) };
    }

    /** The record of that name as this device has it, or null. */
    get(recordName, { zone } = {}) {
        return this.read(async (ledger) => {
            const id = this.#zone(zone);
            const entry = await ledger.entry(id, recordName);
            return entry?.local ? this.#open(id, entry, await ledger.pending(id, recordName)) : null;
        });
    }

    /** The zones that this device has. */
    async zones() {
        const zones = await this.read((ledger) => ledger.zones());
        return zones.filter(({ isKnown }) => isKnown).map(({ zone }) => zone);
    }

    /** All records of a zone, or those of one type. */
    records({ zone, recordType } = {}) {
        return this.read(async (ledger) => {
            const id = this.#zone(zone);
            const prefix = `${zoneKey(id)}/`;
            const pending = new Map(await ledger.transaction.entries("outbox", prefix));
            const found = [];
            for (const [key, stored] of await ledger.transaction.entries("records", prefix)) {
                const entry = isSound(stored) ? stored : await ledger.entry(id, decodeURIComponent(key.slice(prefix.length)));
                if (entry?.local && (!recordType || entry.local.type === recordType)) found.push(this.#open(id, entry, pending.get(key)));
            }
            return found;
        });
    }

    /**
     * The records of a type that match, in pages: `{records, cursor}`. A cursor given as `after` asks for the next page.
     *
     * @param {object} options `where`, `orderBy` (names of fields, `-` for descending) and `limit` (200 when left out)
     */
    query(recordType, { zone, ...options } = {}) {
        const id = this.#zone(zone);
        const query = new LocalQuery(id, recordType, options, this.settings.indexes);
        return this.read(async (ledger) => {
            const { entries, cursor } = await query.run(ledger.transaction);
            const records = [];
            for (const entry of entries) records.push(this.#open(id, entry, await ledger.pending(id, entry.name)));
            return { records, cursor };
        });
    }

    /** Saves a record on this device, and answers it. The fields that are given change, and null clears one. */
    async save(record, options = {}) {
        const [saved] = await this.edit((edit) => edit.save(record, options));
        return saved;
    }

    /** Deletes a record on this device. */
    async delete(record, options = {}) {
        await this.edit((edit) => edit.delete(record, options));
    }

    /**
     * Several edits as one: on this device all or none counts, and with `isAtomic` the server takes all or none.
     *
     * @param {(edit: {save: Function, delete: Function}) => void} work
     */
    async edit(work, { isAtomic = false } = {}) {
        const edits = [];
        work({
            save: (record, { zone } = {}) => void edits.push({ record: record.recordName ? record : { ...record, recordName: uuid() }, zone: this.#zone(zone ?? record.zoneID) }),
            delete: (record, { zone } = {}) => void edits.push({ erased: record.recordName ?? record, zone: this.#zone(zone ?? record.zoneID) }),
        });
        if (isAtomic && edits.length > 200) throw new CKError({ ckErrorCode: "LIMIT_EXCEEDED", reason: "An atomic edit has at most 200 records." });
        if (isAtomic && new Set(edits.map(({ zone }) => zoneKey(zone))).size > 1) throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: "An atomic edit stays within one zone." });
        for (const each of edits) if (each.record) each.set = await editedFields(each.record);
        const saved = await this.ledger(async (ledger) => {
            const group = isAtomic ? await ledger.next() : undefined;
            for (const { zone, erased, record, set } of edits) {
                if (erased !== undefined) await ledger.erase(zone, erased, group);
                else await this.#edit(ledger, zone, record, set, group);
            }
            const records = [];
            for (const { zone, record } of edits) {
                if (record) records.push(this.#open(zone, await ledger.entry(zone, record.recordName), true));
            }
            return records;
        });
        this.#schedule.edited();
        this.#channel?.postMessage({ type: "edited" });
        return saved;
    }

    async #edit(ledger, zone, record, { fields, files }, group) {
        for (const [id, bytes] of files) await ledger.transaction.put("assets", id, bytes);
        const parent = record.parent === undefined ? undefined : typeof record.parent === "string" ? { recordName: record.parent } : record.parent;
        await ledger.edit(zone, record.recordName, record.recordType, { set: fields, parent }, group);
    }

    /** The bytes of a file that has not been uploaded yet, or null. */
    assetBytes(asset) {
        return asset?.local ? this.read((ledger) => ledger.transaction.get("assets", asset.local)) : Promise.resolve(null);
    }

    // MARK: Problems

    /** What went wrong and needs a person: refused and discarded edits, and damage. */
    problems() {
        return this.read(async (ledger) => (await ledger.transaction.entries("problems")).map(([, problem]) => problem));
    }

    /** Forgets a problem. */
    dismiss(id) { return this.ledger((ledger) => ledger.transaction.delete("problems", id)); }

    /** Gives up what this device changed in a record and did not send yet. */
    revert(recordName, { zone } = {}) {
        const id = this.#zone(zone);
        return this.ledger(async (ledger) => {
            const entry = await ledger.entry(id, recordName);
            if ((await ledger.pending(id, recordName))?.inFlight) {
                throw new CKError({ ckErrorCode: "ZONE_BUSY", recordName, reason: "The change is on its way. Try again after 'sync'." });
            }
            await ledger.forget(id, recordName);
            if (entry) await ledger.overwrite(id, recordName, entry.base);
        });
    }

    /** Sends refused edits once more, such as after a full account has room again. */
    async retryRefused() {
        await this.ledger(async (ledger) => {
            for (const [key, pending] of await ledger.transaction.entries("outbox")) {
                const { held, ...rest } = pending;
                if (held) await ledger.transaction.put("outbox", key, { ...rest, attempts: 0 });
            }
        });
        this.#schedule.edited();
    }

    /** How many edits wait to be sent, refused ones included. */
    pendingCount() {
        return this.read(async (ledger) => (await ledger.transaction.entries("outbox")).length);
    }

    // MARK: Synchronizing

    /** Takes in what changed on the server, and sends what changed here. Everything edited before the call is sent. */
    sync() {
        if (!this.#running) {
            this.#running = this.#locked().finally(() => (this.#running = undefined));
            return this.#running;
        }
        this.#next ??= this.#running.catch(() => {}).then(() => {
            this.#next = undefined;
            return this.sync();
        });
        return this.#next;
    }

    /** Synchronizes by itself from now on. */
    start({ notifications = true } = {}) {
        this.#schedule.start(notifications ? this.container.notifications : undefined);
    }

    /** Ends what runs. The store stays as it is. */
    async close() {
        this.#stopping.abort();
        this.#schedule.stop();
        this.#offAuth();
        this.#channel?.close();
        this.#channel = undefined;
        await this.#running?.catch(() => {});
        await this.#store.close();
    }

    async #scheduled() {
        await this.sync();
        const wait = this.#retryAt === undefined ? undefined : Math.max(0, this.#retryAt - Date.now());
        this.#retryAt = undefined;
        return wait;
    }

    /** Asks for another round soon, because something was put off. */
    retrySoon(seconds = 1) {
        this.#retryAt = Date.now() + seconds * 1000 * (1 + Math.random());
    }

    /** Only one tab synchronizes at a time. */
    #locked() {
        const locks = globalThis.navigator?.locks;
        if (!locks || !this.#channel) return this.#cycle();
        return locks.request(`cumulus.offline.${this.container.key}/${this.scope}`, { signal: this.#stopping.signal }, () => this.#cycle());
    }

    async #cycle() {
        const { signal } = this.#stopping;
        this.#setStatus({ state: "syncing" });
        try {
            await this.#checkUser();
            const sender = new Sender(this);
            await sender.recover(signal);
            const fetcher = new Fetcher(this);
            let late = await fetcher.run(signal);
            // A token that covers the device's own writes is refused after a restore that lost them.
            if (await sender.run(signal)) late = await fetcher.run(signal);
            if (late) throw late;
            this.#setStatus({ state: "idle" });
        } catch (error) {
            const state = error.isSignInRequired ? "signIn" : ["NETWORK_ERROR", "REQUEST_TIMED_OUT"].includes(error.ckErrorCode) ? "offline" : "failed";
            this.#setStatus({ state, error });
            throw error;
        }
    }

    /** Makes sure that the store is that of the signed-in user, before anything is sent. */
    async #checkUser() {
        if (this.#userChecked) return;
        const { userRecordName } = await this.container.fetchCurrentUserIdentity();
        const event = await this.ledger(async (ledger) => {
            const state = await ledger.state();
            if (state.user === userRecordName) return undefined;
            const previous = state.user;
            const unsent = previous ? await ledger.wipe() : [];
            await ledger.putState({ ...(await ledger.state()), owner: state.owner, user: userRecordName });
            return previous && { type: "account", previous, current: userRecordName, unsent };
        });
        this.#userChecked = true;
        if (event) this.tell(event);
    }

    /** Posts to an endpoint of the database. */
    send(endpoint, body, signal) { return this.database.send(endpoint, body, { isRepeatable: true, signal }); }

    /** Posts operations, which are never repeated blindly. */
    modify(body, signal) { return this.database.send("records/modify", body, { signal }); }

    async createZone(zone, signal) {
        await this.database.ensureZone(zone, { signal });
        await this.ledger(async (ledger) => ledger.putZone({ ...(await ledger.zone(zone)), isKnown: true }));
    }

    /** Takes in that a zone is gone. */
    async loseZone(zone) {
        await this.ledger((ledger) => ledger.loseZone(zone, this.keepsLostZones && this.scope === "private"));
        this.tell({ type: "zoneDeleted", zone });
    }

    /** Notes that the server refuses a zone, once until the app dismisses it. */
    async refuseZone(zone, { reason, ckErrorCode }) {
        await this.ledger(async (ledger) => {
            const problems = (await ledger.transaction.entries("problems")).map(([, problem]) => problem);
            const isKnown = problems.some((each) => !each.recordName && each.ckErrorCode === ckErrorCode && each.zone && zoneKey(each.zone) === zoneKey(zone));
            if (!isKnown) await ledger.problem("refused", zone, undefined, { reason, ckErrorCode });
        });
    }

    // MARK: Being told

    /** Calls a function with each event. Returns a function that ends this. */
    on(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    tell(event) {
        for (const listener of [...this.#listeners]) listener(event);
    }

    #setStatus(status) {
        this.status = status;
        this.tell({ type: "status", ...status });
    }

    /** What another tab did. */
    #hear(message) {
        if (message.type === "edited") this.#schedule.edited();
        else this.tell(message);
    }
}
