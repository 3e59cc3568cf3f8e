import { CKError, isGeneral } from "../errors.js";
import { largestBatch, largestBody, sizeOf } from "../portions.js";
import { recordKey, zoneKey } from "./ledger.js";
import { difference, isEmpty } from "./merge.js";
import { Uploader } from "./uploader.js";

const largestAttempts = 5;

/** Whether nobody knows if the request arrived. */
function lost(error) {
    return error.ckErrorCode === "NETWORK_ERROR" || error.ckErrorCode === "ABORTED"
        || error.ckErrorCode === "UNEXPECTED_SERVER_RESPONSE" || error.isRetryable && !error.serverErrorCode;
}

function keyOf({ zone, name }) { return recordKey(zone, name); }

/** Sends what this device changed, and finds out what became of requests whose answers were lost. */
export class Sender {
    #uploader;
    /** Records that are put off to the next run. */
    #late = new Set();
    /** Records that go one by one, to find the one that spoils a request. */
    #single = new Set();
    /** Zones that the server refuses, whose records wait for the next run. */
    #closed = new Set();

    /** @param {import("./engine.js").OfflineDatabase} local */
    constructor(local) {
        this.local = local;
        this.#uploader = new Uploader(local);
    }

    // MARK: Lost answers

    /** Looks up the records whose last request had no answer. Nothing is sent blindly a second time. */
    async recover(signal) {
        const lost = (await this.local.read((ledger) => ledger.outbox())).filter((each) => each.inFlight);
        for (const pending of lanes(lost, (each) => zoneKey(each.zone))) {
            for (let at = 0; at < pending.length; at += largestBatch) {
                await this.#recover(pending[0].zone, pending.slice(at, at + largestBatch).map((each) => each.name), signal);
            }
        }
    }

    async #recover(zone, names, signal) {
        const found = await this.#lookup(zone, names, signal);
        await this.local.ledger(async (ledger) => {
            for (const name of names) {
                if (found) await ledger.recover(zone, name, found.get(name) ?? null);
                else await ledger.release(zone, name);
            }
        });
    }

    /** The records of those names as the server has them, or nothing without the zone. */
    async #lookup(zone, names, signal) {
        const body = { zoneID: zone, records: names.map((recordName) => ({ recordName })), numbersAsStrings: true };
        try {
            const { records } = await this.local.send("records/lookup", body, signal);
            const found = new Map();
            for (const record of records) {
                if (!record.serverErrorCode) found.set(record.recordName, record);
                else if (record.serverErrorCode !== "NOT_FOUND") throw new CKError(record);
            }
            return found;
        } catch (error) {
            if (error.ckErrorCode === "ZONE_NOT_FOUND") return undefined;
            throw error;
        }
    }

    // MARK: Sending

    /** Sends everything that waits, and says whether that was anything. Edits that come meanwhile are sent as well. */
    async run(signal) {
        for (const each of [this.#late, this.#single, this.#closed]) each.clear();
        for (let isAny = false; ; isAny = true) {
            const waiting = (await this.local.read((ledger) => ledger.outbox())).filter((each) => this.#isWaiting(each));
            if (waiting.length === 0) return isAny;
            await this.#round(waiting, signal);
        }
    }

    #isWaiting(pending) {
        return !pending.held && !pending.inFlight && !this.#late.has(keyOf(pending)) && !this.#closed.has(zoneKey(pending.zone));
    }

    /** Sends what waits, oldest edits first. A zone in which a request is refused goes on in the next round. */
    async #round(waiting, signal) {
        waiting.sort((one, other) => one.sequence - other.sequence);
        const byGroup = lanes(waiting, ({ zone, group }) => `${zoneKey(zone)} ${group ?? ""}`);
        const batches = byGroup.flatMap((lane) => this.#batches(lane)).sort(([one], [other]) => one.sequence - other.sequence);
        const skipped = new Set();
        for (const batch of batches) {
            const zone = zoneKey(batch[0].zone);
            if (skipped.has(zone) || this.#closed.has(zone)) continue;
            if (!(await this.#upload(batch, signal)) || !(await this.#sendAll(batch, signal))) skipped.add(zone);
        }
    }

    /** Edits of one zone and group as requests have them. */
    #batches(lane) {
        if (lane[0].group !== undefined) return [lane];
        const batches = [];
        let open;
        for (const pending of lane) {
            const isSingle = this.#single.has(keyOf(pending));
            if (isSingle || !open || open.length === largestBatch) batches.push((open = []));
            open.push(pending);
            if (isSingle) open = undefined;
        }
        return batches;
    }

    /** Sends a batch, in several requests if it has too many bytes. Says whether the zone may go on. */
    async #sendAll(batch, signal) {
        for (let rest = batch; rest.length;) {
            const { operations, taken } = await this.local.ledger((ledger) => this.#take(ledger, rest));
            rest = rest.slice(taken);
            if (operations.length && !(await this.#send(batch[0], operations, signal))) return false;
        }
        return true;
    }

    /** The next operations, which count as on their way from here on, and how many edits they took from the list. */
    async #take(ledger, list) {
        const operations = [];
        const isAtomic = list[0].group !== undefined;
        let bytes = 0;
        let taken = 0;
        for (const { zone, name, group } of list) {
            const pending = await ledger.pending(zone, name);
            if (pending && pending.group === group && this.#isWaiting(pending)) {
                const operation = await this.#operation(ledger, pending);
                const size = operation ? sizeOf(operation) : 0;
                if (!isAtomic && operations.length && bytes + size > largestBody) break;
                bytes += size;
                if (operation) {
                    const inFlight = { generation: pending.generation, operationType: operation.operationType, sent: operation.record };
                    await ledger.release(zone, name, { inFlight });
                    operations.push(operation);
                } else {
                    await ledger.finish(zone, name);
                }
            }
            taken += 1;
        }
        return { operations, taken };
    }

    /** What brings the server from the record it has to the one of this device. */
    async #operation(ledger, { zone, name, replace }) {
        const entry = await ledger.entry(zone, name);
        if (!entry) return undefined;
        const { base, local } = entry;
        const tag = base && { recordChangeTag: base.recordChangeTag };
        if (!local) {
            if (!base) return undefined;
            return this.local.deletes === "force"
                ? { operationType: "forceDelete", record: { recordName: name } }
                : { operationType: "delete", record: { recordName: name, ...tag } };
        }
        const isWhole = replace || !base;
        const change = difference(isWhole ? null : base, local);
        if (base && !replace && isEmpty(change)) return undefined;
        const operationType = !base ? "create" : replace ? "replace" : "update";
        const fields = Object.fromEntries(Object.entries(change.fields).map(([key, field]) => [key, receipts(field)]));
        return { operationType, record: { recordName: name, recordType: local.type, ...tag, ...change, fields } };
    }

    /** Sends operations and takes in what became of them. Says whether the zone may go on. */
    async #send({ zone, group }, operations, signal) {
        const isAtomic = group !== undefined;
        const names = operations.map(({ record }) => record.recordName);
        let items;
        try {
            if (!(await this.#ensureZone(zone, signal))) {
                await this.#release(zone, names);
                return false;
            }
            const body = { zoneID: zone, atomic: isAtomic, operations, numbersAsStrings: true };
            ({ records: items } = await this.local.modify(body, signal));
        } catch (error) {
            if (lost(error)) throw error;
            await this.#refused(zone, names, isAtomic, error);
            return false;
        }
        const conflicts = [];
        await this.local.ledger(async (ledger) => {
            for (const [at, item] of items.entries()) {
                if (!item.serverErrorCode) await ledger.acknowledge(zone, names[at], item.deleted ? null : item);
                else if (await this.#failed(ledger, zone, names[at], new CKError(item), isAtomic && names)) conflicts.push(names[at]);
            }
        });
        if (conflicts.length) await this.#merge(zone, conflicts, signal);
        return true;
    }

    #release(zone, names, change) {
        return this.local.ledger(async (ledger) => {
            for (const name of names) await ledger.release(zone, name, change);
        });
    }

    /** A request that was refused as a whole. */
    async #refused(zone, names, isAtomic, error) {
        if (error.ckErrorCode === "ZONE_NOT_FOUND") {
            await this.#release(zone, names);
            return this.local.loseZone(zone);
        }
        if (isGeneral(error)) {
            await this.#release(zone, names);
            throw error;
        }
        if (names.length > 1 && !isAtomic) {
            for (const name of names) this.#single.add(recordKey(zone, name));
            return this.#release(zone, names);
        }
        return this.local.ledger((ledger) => this.#hold(ledger, zone, names, error));
    }

    /** Takes in the error of one record. Says whether the server's record is needed to go on. */
    async #failed(ledger, zone, name, error, atomicNames) {
        switch (error.ckErrorCode) {
        case "CONFLICT": case "EXISTS": case "NOT_FOUND": case "ACCESS_DENIED":
            if (error.ckErrorCode === "ACCESS_DENIED") await this.#denied(ledger, zone, name, error);
            return true;
        case "ATOMIC_ERROR":
            if ((await ledger.pending(zone, name))?.inFlight) await ledger.release(zone, name);
            return false;
        case "THROTTLED": case "TRY_AGAIN_LATER": case "INTERNAL_ERROR": case "ZONE_BUSY": case "VALIDATING_REFERENCE_ERROR":
            return this.#later(ledger, zone, name, error);
        default:
            await this.#hold(ledger, zone, atomicNames || [name], error);
            return false;
        }
    }

    /** Waits for the next run; a broken reference counts as refused after some. */
    async #later(ledger, zone, name, error) {
        const { attempts } = await ledger.pending(zone, name);
        if (error.ckErrorCode === "VALIDATING_REFERENCE_ERROR" && attempts + 1 >= largestAttempts) {
            await this.#hold(ledger, zone, [name], error);
            return false;
        }
        this.#late.add(recordKey(zone, name));
        await ledger.release(zone, name, { attempts: attempts + 1 });
        this.local.retrySoon(error.retryAfter);
        return false;
    }

    /** Keeps edits that the server refuses aside, where they hold up no others. */
    async #hold(ledger, zone, names, error) {
        for (const name of names) {
            await ledger.release(zone, name, { held: { ckErrorCode: error.ckErrorCode } });
            const record = (await ledger.entry(zone, name))?.local;
            await ledger.problem("refused", zone, name, { reason: error.reason, ckErrorCode: error.ckErrorCode, record });
        }
    }

    /** Gives up an edit that this user may not make; the server's record takes its place. */
    async #denied(ledger, zone, name, error) {
        const record = (await ledger.entry(zone, name))?.local;
        await ledger.problem("refused", zone, name, { reason: error.reason, ckErrorCode: error.ckErrorCode, record });
        await ledger.forget(zone, name);
    }

    /** Merges with what the server has, all conflicts of a request in one lookup. */
    async #merge(zone, names, signal) {
        const found = await this.#lookup(zone, names, signal);
        if (!found) return this.local.loseZone(zone);
        return this.local.ledger(async (ledger) => {
            for (const name of names) {
                const pending = await ledger.pending(zone, name);
                if (pending?.inFlight) await this.#reconcile(ledger, zone, name, pending, found.get(name) ?? null);
                else await ledger.overwrite(zone, name, found.get(name) ?? null);
            }
        });
    }

    async #reconcile(ledger, zone, name, pending, theirs) {
        await ledger.recover(zone, name, theirs);
        const after = await ledger.pending(zone, name);
        if (!after) return;
        // Lost against others again and again: later, with some chance in between.
        if (pending.attempts + 1 >= largestAttempts) {
            this.#late.add(recordKey(zone, name));
            this.local.retrySoon();
        }
        await ledger.release(zone, name, { attempts: pending.attempts + 1 });
    }

    // MARK: Zones and files

    /** Makes a zone if the server has none. A zone that is refused is left alone in this run, and the app is told. */
    async #ensureZone(zone, signal) {
        if ((await this.local.read((ledger) => ledger.zone(zone))).isKnown) return true;
        if (this.local.scope === "shared") {
            // The share has ended.
            await this.local.loseZone(zone);
            return false;
        }
        try {
            await this.local.createZone(zone, signal);
            return true;
        } catch (error) {
            if (isGeneral(error)) throw error;
            this.#closed.add(zoneKey(zone));
            await this.local.refuseZone(zone, error);
            return false;
        }
    }

    /** Uploads the files of a batch. Says whether the batch can be sent. */
    async #upload(batch, signal) {
        for (;;) {
            const refusal = await this.#uploader.run(batch, signal);
            if (!refusal) return true;
            const { pending: { zone, name, group }, error } = refusal;
            if (error.ckErrorCode === "ZONE_NOT_FOUND" && !(await this.local.read((ledger) => ledger.zone(zone))).isKnown) {
                if (await this.#ensureZone(zone, signal)) continue;
                return false;
            }
            if (lost(error) || isGeneral(error)) throw error;
            const names = group === undefined ? [name] : batch.map((each) => each.name);
            await this.local.ledger((ledger) => this.#hold(ledger, zone, names, error));
            if (group !== undefined) return true;
            batch = batch.filter((each) => each.name !== name);
        }
    }
}

/** A field with the receipts of files that were uploaded. */
function receipts(field) {
    const one = (value) => (value?.local ? value.receipt : value);
    return Array.isArray(field.value) ? { ...field, value: field.value.map(one) } : { ...field, value: one(field.value) };
}

/** Edits by a key of theirs, in the order in which they come. */
function lanes(pending, key) {
    const lanes = new Map();
    for (const each of pending) {
        const name = key(each);
        if (!lanes.has(name)) lanes.set(name, []);
        lanes.get(name).push(each);
    }
    return [...lanes.values()];
}
