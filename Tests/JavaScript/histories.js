/**
 * Random histories of two devices of one person, in some of them with a third of somebody whom she shares her zone with,
 * and what must be true of them at the end. Connections are cut, devices and the server are killed, and requests meet
 * faults of the emulator.
 *
 * Every value that is written is written once, and notes the value that the device saw in its place: so from a value one
 * can go back to all that its writer knew. An edit that the server took is lost if nobody who replaced or deleted it knew it.
 */
import assert from "node:assert/strict";

import { memoryStore, openOffline } from "../../Public/client/offline.js";
import { startProxy } from "./faulty-proxy.js";

const zone = "Journal";
const fieldNames = ["a", "b", "c"];
/** What the emulator does to a request, besides what the network does. */
const emulated = [
    { error: "THROTTLED", retryAfter: 0 }, { error: "TRY_AGAIN_LATER", retryAfter: 0 }, { hangUp: "before" }, { hangUp: "after" },
    { operation: 0, error: "THROTTLED", retryAfter: 0 }, { pageSize: 1 }, { syncToken: "refused" }, { cutAt: 40 }, { latency: 5 },
];

/** Numbers between 0 and 1 that are the same for the same seed. */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

/** A store that a killed device cannot reach any more, while the next start of the device can. */
function killable(backing, life) {
    return {
        get wasDamaged() { return false; },
        set wasDamaged(_) {},
        transaction: async (work) => {
            life.step();
            const result = await backing.transaction(async (transaction) => {
                const result = await work(transaction);
                life.step();
                return result;
            });
            life.step();
            return result;
        },
        close: async () => {},
    };
}

/** The time between a start of a device and its end, which comes after so many steps. */
class Life {
    left = Infinity;

    step() {
        this.left -= 1;
        if (this.left < 0) throw new Error("killed");
    }
}

/** A step that did not come to its end, for a reason that has been dealt with. */
class Interrupted extends Error {}

class Device {
    #store = memoryStore();

    /** @param {object} [shared] the zone of somebody else that it is let into */
    constructor(history, name, { email = history.email, shared } = {}) {
        Object.assign(this, { history, name, email, faults: 0, at: shared ? { zone: shared } : {} });
    }

    async start() {
        this.life = new Life();
        const { life } = this;
        this.container ??= await this.history.server.container(this.email, {
            origin: this.history.proxy.origin, clientId: `${this.history.seed}-${this.name}`, retryDelay: 1,
            fetch: (...call) => {
                this.life.step();
                return fetch(...call);
            },
        });
        const place = this.at.zone ? { scope: "shared" } : { zones: [zone] };
        this.local = await openOffline(this.container, { ...place, store: killable(this.#store, life), pageSize: this.history.pageSize });
    }

    /** Starts again after a kill. */
    async survive(work) {
        try {
            return await work();
        } catch (error) {
            if (error instanceof Interrupted) return undefined;
            if (this.life.left >= 0) {
                if (["NETWORK_ERROR", "ZONE_BUSY", "THROTTLED", "TRY_AGAIN_LATER"].includes(error.ckErrorCode)) return undefined;
                throw error;
            }
            await this.start();
            return undefined;
        }
    }
}

export class History {
    /** Values that the server took, as `record.field` → values. */
    taken = new Map();
    /** What a writer saw where it wrote a value. */
    seenBefore = new Map();
    /** Values that somebody saw and deleted. */
    knowinglyDeleted = new Map();
    deletedRecords = new Set();
    written = [];
    /** Values that a kill interrupted, or that the server refused and a person gave up. */
    uncertain = new Set();
    #count = 0;

    constructor(server, seed) {
        Object.assign(this, { server, seed, email: `${crypto.randomUUID()}@example.com`, random: random(seed) });
        this.pageSize = this.chance(0.3) ? 1 : undefined;
    }

    chance(probability) { return this.random() < probability; }
    below(limit) { return Math.floor(this.random() * limit); }
    pick(list) { return list[this.below(list.length)]; }

    async run(proxies) {
        this.proxy = proxies;
        await proxies.calmly(async () => {
            this.devices = [new Device(this, "phone"), new Device(this, "tablet")];
            if (this.chance(0.3)) this.devices.push(await this.#guest());
            for (const { name } of this.devices) proxies.histories.set(`${this.seed}-${name}`, this);
            for (const device of this.devices) await device.start();
        });
        const steps = 15 + this.below(25);
        for (let step = 0; step < steps; step += 1) await this.#step(this.pick(this.devices));
        await proxies.calmly(async () => {
            await this.#settle();
            await this.#check();
        });
    }

    /** The device of somebody who is let into the whole zone. */
    async #guest() {
        const owner = await this.server.container(this.email);
        await owner.privateCloudDatabase.ensureZone(zone);
        const { records: [share] } = await owner.privateCloudDatabase.saveRecords(
            [{ recordType: "cloudkit.share", recordName: "cloudkit.zoneshare", publicPermission: "READ_WRITE" }], { zoneID: zone });
        const email = `${crypto.randomUUID()}@example.com`;
        const guest = await this.server.container(email);
        await guest.acceptShares(share.shortGUID);
        const [{ zoneID }] = (await guest.sharedCloudDatabase.fetchAllRecordZones()).zones;
        return new Device(this, "guest", { email, shared: zoneID });
    }

    // MARK: What happens

    async #step(device) {
        if (this.chance(0.05)) device.life.left = this.below(12);
        device.faults = this.chance(0.35) ? 0.35 : 0;
        const choice = this.random();
        const before = this.written.length;
        const isWhole = await device.survive(async () => {
            if (choice < 0.4) await this.#edit(device);
            else if (choice < 0.5) await this.#erase(device);
            else if (choice < 0.58) await this.#move(device);
            else if (choice < 0.66) await this.#group(device);
            else if (choice < 0.72) await this.#eraseAndMakeAgain(device);
            else if (choice < 0.76) await Promise.all([device.local.sync(), this.#edit(device)]);
            else if (choice < 0.8) await this.#editTwice(device);
            else if (choice < 0.9) await this.#meet();
            else await device.local.sync();
            return true;
        });
        // What was being written when the device was killed may or may not count.
        if (!isWhole) for (const { value } of this.written.slice(before)) this.uncertain.add(value);
    }

    /** Both change one record and synchronize at the same time, so that requests of the two fall between each other. */
    async #meet() {
        const name = this.#name();
        const work = this.devices.map((device) => device.survive(async () => {
            if (this.chance(0.3)) await this.#erase(device, name);
            else await this.#edit(device, name);
            await device.local.sync();
            return true;
        }));
        if (!(await Promise.all(work)).every(Boolean)) throw new Interrupted();
    }

    /** Edits a record, and again between what the server makes of the first edit and its answer. */
    async #editTwice(device) {
        const name = this.#name();
        await this.#edit(device, name);
        let second;
        device.beforeAnswer = () => (second ??= this.#edit(device, name));
        try {
            await device.local.sync();
        } finally {
            delete device.beforeAnswer;
        }
        await second;
    }

    #name() { return `r${this.below(5)}`; }

    /** A new value, which knows what stands there now. */
    #value(device, name, field, record) {
        const value = `${device.name}${(this.#count += 1)}`;
        this.seenBefore.set(value, record?.fields[field]);
        this.written.push({ value, cell: `${name}.${field}`, device: device.name });
        return value;
    }

    async #edit(device, name = this.#name()) {
        const record = await device.local.get(name, device.at);
        const field = this.pick(fieldNames);
        await device.local.save({ recordName: name, recordType: "Note", fields: { [field]: this.#value(device, name, field, record) } }, device.at);
    }

    #noteDeletion(name, record) {
        this.deletedRecords.add(name);
        for (const field of fieldNames) {
            const cell = `${name}.${field}`;
            if (record?.fields[field]) this.knowinglyDeleted.set(cell, [...(this.knowinglyDeleted.get(cell) ?? []), record.fields[field]]);
        }
    }

    async #erase(device, name = this.#name()) {
        this.#noteDeletion(name, await device.local.get(name, device.at));
        await device.local.delete(name, device.at);
    }

    async #eraseAndMakeAgain(device) {
        const name = this.#name();
        await this.#erase(device, name);
        await this.#edit(device, name);
    }

    async #move(device) {
        const name = this.#name();
        if (!(await device.local.get(name, device.at))) return;
        const parent = this.chance(0.3) ? null : { recordName: this.pick(["album0", "album1"]) };
        await device.local.edit((edit) => {
            if (parent) edit.save({ recordName: parent.recordName, recordType: "Album", fields: {} }, device.at);
            edit.save({ recordName: name, recordType: "Note", parent, fields: {} }, device.at);
        });
    }

    async #group(device) {
        const names = [...new Set([this.#name(), this.#name()])];
        const records = await Promise.all(names.map((name) => device.local.get(name, device.at)));
        const fields = names.map((name, at) => ({ a: this.#value(device, name, "a", records[at]) }));
        await device.local.edit((edit) => {
            for (const [at, name] of names.entries()) edit.save({ recordName: name, recordType: "Note", fields: fields[at] }, device.at);
        }, { isAtomic: true });
    }

    // MARK: What the proxy asks and tells

    #device(clientId) { return this.devices.find(({ name }) => clientId.endsWith(name)); }

    fault(clientId) {
        const device = this.#device(clientId);
        if (!this.chance(device.faults)) return "pass";
        return this.chance(0.5) ? this.pick(["before", "after", "half"]) : this.pick(emulated);
    }

    async witness(clientId, url, answer) {
        if (!url.pathname.endsWith("/records/modify")) return;
        for (const record of answer.records ?? []) {
            for (const [field, { value }] of Object.entries(record.fields ?? {})) {
                const cell = `${record.recordName}.${field}`;
                this.taken.set(cell, (this.taken.get(cell) ?? new Set()).add(value));
            }
        }
        // A device that is killed there says so to whoever made the edit.
        await this.#device(clientId)?.beforeAnswer?.().catch(() => {});
    }

    // MARK: How it ends

    async #settle() {
        for (const device of this.devices) Object.assign(device, { faults: 0 }).life.left = Infinity;
        for (let round = 0; round < 12; round += 1) {
            for (const device of this.devices) {
                await device.local.sync();
                // What a person does with an edit that the server refuses.
                for (const problem of await device.local.problems()) {
                    for (const { value } of Object.values(problem.record?.fields ?? {})) this.uncertain.add(value);
                    if (problem.kind === "refused") await device.local.revert(problem.recordName, { zone: problem.zone });
                    await device.local.dismiss(problem.id);
                }
            }
            const waiting = await Promise.all(this.devices.map((device) => device.local.pendingCount()));
            if (round > 1 && waiting.every((count) => count === 0)) return;
        }
        assert.fail(`history ${this.seed} does not come to rest`);
    }

    async #check() {
        const db = (await this.server.container(this.email)).privateCloudDatabase;
        const truth = new Map();
        for await (const { record } of db.changes({ zone })) if (record && isOurs(record)) truth.set(record.recordName, shape(record));
        for (const device of this.devices) {
            const records = new Map((await device.local.records(device.at)).filter(isOurs).map((record) => [record.recordName, shape(record)]));
            assert.deepEqual(sorted(records), sorted(truth), `history ${this.seed}: ${device.name} differs from the server`);
        }
        for (const [cell, values] of this.taken) this.#checkTaken(cell, values, truth);
        for (const edit of this.written) this.#checkWritten(edit, truth);
    }

    /** All that the writer of a value knew. */
    #known(value) {
        const known = new Set();
        for (let each = value; each !== undefined && !known.has(each); each = this.seenBefore.get(each)) known.add(each);
        return known;
    }

    #checkTaken(cell, values, truth) {
        const [name, field] = cell.split(".");
        const ends = [truth.get(name)?.fields[field], ...(this.knowinglyDeleted.get(cell) ?? [])];
        const known = new Set(ends.flatMap((value) => [...this.#known(value)]));
        for (const value of values) {
            assert.ok(known.has(value), `history ${this.seed}: the server took ${value} for ${cell}, and it is lost; there is ${ends[0]}`);
        }
    }

    /** An edit that never reached the server was replaced by its own device, or lost to one that did. */
    #checkWritten({ value, cell }, truth) {
        const [name, field] = cell.split(".");
        if (this.deletedRecords.has(name) || this.taken.get(cell)?.has(value)) return;
        const isReplaced = [...this.seenBefore].some(([, before]) => before === value);
        const known = this.#known(value);
        // What is there was taken, also where the answer was lost on its way to the proxy.
        const there = truth.get(name)?.fields[field];
        const hasRival = [...(this.taken.get(cell) ?? []), ...(there ? [there] : [])].some((rival) => !known.has(rival));
        assert.ok(there === value || isReplaced || hasRival || this.uncertain.has(value), `history ${this.seed}: the edit ${value} of ${cell} was never sent; there is ${truth.get(name)?.fields[field]}`);
    }
}

/** The share is nobody's note. */
function isOurs({ recordType }) { return recordType !== "cloudkit.share"; }

function shape({ recordType, fields, parent }) {
    return { recordType, fields: { ...fields }, parent: parent?.recordName };
}

function sorted(records) {
    return JSON.stringify([...records].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, { recordType, fields, parent }]) =>
        [name, recordType, parent, Object.entries(fields).sort()]), null, 1);
}

/** Kills the server again and again, but for the times in which histories begin and end. */
class Killer {
    #calm = 0;
    #killing = null;
    kills = 0;

    constructor(server, random) { Object.assign(this, { server, random }); }

    async calmly(work) {
        await this.#killing;
        this.#calm += 1;
        try {
            return await work();
        } finally {
            this.#calm -= 1;
        }
    }

    /** At a moment when requests are on their way, as one of them passes. */
    passes() {
        if (this.#calm > 0 || this.#killing || this.random() > 0.05) return;
        this.#killing = this.server.crash().then(() => {
            this.kills += 1;
            this.#killing = null;
        });
    }

    async end() { await this.#killing; }
}

/** Runs histories, several at a time, and answers how many there were. */
export async function runHistories(server, { first = 1, count = Infinity, milliseconds = Infinity, atOnce = 4, untilFailure = false }) {
    const histories = new Map();
    const killer = new Killer(server, random(first));
    const proxy = await startProxy(
        server.origin, (clientId) => {
            killer.passes();
            return histories.get(clientId)?.fault(clientId) ?? "pass";
        },
        (clientId, url, answer) => histories.get(clientId)?.witness(clientId, url, answer));
    const end = Date.now() + milliseconds;
    let next = first;
    const failures = [];
    const work = async () => {
        while (next < first + count && Date.now() < end && !(untilFailure && failures.length)) {
            const history = new History(server, (next += 1) - 1);
            await history.run({ origin: proxy.origin, histories, calmly: (work) => killer.calmly(work) }).catch((error) => failures.push(error));
            for (const device of ["phone", "tablet", "guest"]) histories.delete(`${history.seed}-${device}`);
        }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await killer.end();
    await proxy.stop();
    return { count: next - first, failures, kills: killer.kills };
}

