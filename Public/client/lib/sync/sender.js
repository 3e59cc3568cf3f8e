import { uploadAsset } from "../assets.js";
import { CKError } from "../errors.js";
import { difference, isEmpty } from "./merge.js";

const largestBatch = 200;
const largestAttempts = 5;
/** Receipts of uploads are good for a day; one is asked for again some hours earlier. */
const receiptLife = 20 * 3_600_000;

function lost(error) {
    return error.ckErrorCode === "NETWORK_ERROR" || error.ckErrorCode === "ABORTED"
        || error.ckErrorCode === "UNEXPECTED_SERVER_RESPONSE" || error.isRetryable && !error.serverErrorCode;
}

/** Sends what this device changed, and finds out what became of requests whose answers were lost. */
export class Sender {
    /** Whether records go one by one, to find the one that spoils a request. */
    #isSingle = false;

    /** @param {import("./engine.js").OfflineDatabase} local */
    constructor(local) {
        this.local = local;
    }

    // MARK: Lost answers

    /** Looks up the records whose last request had no answer. Nothing is sent blindly a second time. */
    async recover(signal) {
        const byZone = groups((await this.local.ledger((ledger) => ledger.outbox())).filter((each) => each.inFlight));
        for (const pending of byZone.values()) {
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

    /** Sends everything that waits, and says whether that was anything. */
    async run(signal) {
        this.#isSingle = false;
        const late = new Set();
        for (let isAny = false; ; isAny = true) {
            await this.#upload(signal);
            const batch = await this.local.ledger((ledger) => this.#take(ledger, late));
            if (!batch) return isAny;
            if (batch.operations.length) await this.#send(batch, late, signal);
        }
    }

    /** The next operations, which count as on their way from here on. */
    async #take(ledger, late) {
        const waiting = (await ledger.outbox())
            .filter((each) => !each.held && !each.inFlight && !late.has(JSON.stringify([each.zone, each.name])))
            .sort((one, other) => one.sequence - other.sequence);
        const [first] = waiting;
        if (!first) return undefined;
        const zone = JSON.stringify(first.zone);
        const isAtomic = first.group !== undefined;
        const limit = isAtomic ? Infinity : this.#isSingle ? 1 : largestBatch;
        const chosen = waiting.filter((each) => JSON.stringify(each.zone) === zone && each.group === first.group).slice(0, limit);
        const operations = [];
        for (const pending of chosen) {
            const operation = await this.#operation(ledger, pending);
            if (!operation) {
                await ledger.finish(pending.zone, pending.name);
                continue;
            }
            const inFlight = { generation: pending.generation, operationType: operation.operationType, sent: operation.record };
            await ledger.release(pending.zone, pending.name, { inFlight });
            operations.push(operation);
        }
        return { zone: first.zone, isAtomic, operations };
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

    async #send({ zone, isAtomic, operations }, late, signal) {
        const names = operations.map(({ record }) => record.recordName);
        let items;
        try {
            if (!(await this.local.ledger((ledger) => ledger.zone(zone))).isKnown) await this.local.createZone(zone, signal);
            const body = { zoneID: zone, atomic: isAtomic, operations, numbersAsStrings: true };
            ({ records: items } = await this.local.modify(body, signal));
        } catch (error) {
            if (lost(error)) throw error;
            return this.#refused(zone, names, isAtomic, error);
        }
        const conflicts = [];
        await this.local.ledger(async (ledger) => {
            for (const [at, item] of items.entries()) {
                if (!item.serverErrorCode) await ledger.acknowledge(zone, names[at], item.deleted ? null : item);
                else if (await this.#failed(ledger, zone, names[at], new CKError(item), late)) conflicts.push(names[at]);
            }
        });
        if (conflicts.length) await this.#merge(zone, conflicts, late, signal);
    }

    /** A request that was refused as a whole. */
    async #refused(zone, names, isAtomic, error) {
        const release = (change) => this.local.ledger(async (ledger) => {
            for (const name of names) await ledger.release(zone, name, change);
        });
        if (error.ckErrorCode === "ZONE_NOT_FOUND") {
            await release();
            if ((await this.local.ledger((ledger) => ledger.zone(zone))).isKnown) return this.local.loseZone(zone);
            throw error;
        }
        const isPassing = error.isRetryable || error.isSignInRequired || error.ckErrorCode === "AUTHENTICATION_FAILED";
        if (isPassing) {
            await release();
            throw error;
        }
        if (names.length > 1 && !isAtomic) {
            this.#isSingle = true;
            return release();
        }
        await this.local.ledger(async (ledger) => {
            for (const name of names) await this.#hold(ledger, zone, name, error);
        });
    }

    /** Takes in the error of one record. Says whether the server's record is needed to go on. */
    async #failed(ledger, zone, name, error, late) {
        switch (error.ckErrorCode) {
        case "CONFLICT": case "EXISTS": case "NOT_FOUND": case "ACCESS_DENIED":
            if (error.ckErrorCode === "ACCESS_DENIED") await this.#denied(ledger, zone, name, error);
            return true;
        case "ATOMIC_ERROR":
            await ledger.release(zone, name);
            return false;
        case "THROTTLED": case "TRY_AGAIN_LATER": case "INTERNAL_ERROR": case "ZONE_BUSY": case "VALIDATING_REFERENCE_ERROR":
            return this.#later(ledger, zone, name, error, late);
        default:
            await this.#hold(ledger, zone, name, error);
            return false;
        }
    }

    /** Waits for the next round; a broken reference counts as refused after some. */
    async #later(ledger, zone, name, error, late) {
        const { attempts } = await ledger.pending(zone, name);
        if (error.ckErrorCode === "VALIDATING_REFERENCE_ERROR" && attempts + 1 >= largestAttempts) {
            await this.#hold(ledger, zone, name, error);
            return false;
        }
        late.add(JSON.stringify([zone, name]));
        await ledger.release(zone, name, { attempts: attempts + 1 });
        this.local.retrySoon(error.retryAfter);
        return false;
    }

    /** Keeps an edit that the server refuses aside, where it holds up no other. */
    async #hold(ledger, zone, name, error) {
        await ledger.release(zone, name, { held: { ckErrorCode: error.ckErrorCode } });
        const record = (await ledger.entry(zone, name))?.local;
        await ledger.problem("refused", zone, name, { reason: error.reason, ckErrorCode: error.ckErrorCode, record });
    }

    /** Gives up an edit that this user may not make; the server's record takes its place. */
    async #denied(ledger, zone, name, error) {
        const record = (await ledger.entry(zone, name))?.local;
        await ledger.problem("refused", zone, name, { reason: error.reason, ckErrorCode: error.ckErrorCode, record });
        await ledger.forget(zone, name);
    }

    /** Merges with what the server has, all conflicts of a request in one lookup. */
    async #merge(zone, names, late, signal) {
        const found = await this.#lookup(zone, names, signal);
        if (!found) return this.local.loseZone(zone);
        await this.local.ledger(async (ledger) => {
            for (const name of names) {
                const pending = await ledger.pending(zone, name);
                if (pending?.inFlight) await this.#reconcile(ledger, zone, name, pending, found.get(name) ?? null, late);
                else await ledger.overwrite(zone, name, found.get(name) ?? null);
            }
        });
    }

    async #reconcile(ledger, zone, name, pending, theirs, late) {
        await ledger.recover(zone, name, theirs);
        const after = await ledger.pending(zone, name);
        if (!after) return;
        // Lost against others again and again: later, with some chance in between.
        if (pending.attempts + 1 >= largestAttempts) {
            late.add(JSON.stringify([zone, name]));
            this.local.retrySoon();
        }
        await ledger.release(zone, name, { attempts: pending.attempts + 1 });
    }

    // MARK: Assets

    /** Uploads the files of records that wait, and keeps their receipts. */
    async #upload(signal) {
        const files = await this.local.ledger((ledger) => this.#filesToUpload(ledger));
        for (const { zone, name, type, fieldName, id } of files) {
            const data = await this.local.ledger((ledger) => ledger.transaction.get("assets", id));
            if (!data) continue;
            const options = { recordType: type, recordName: name, fieldName, zone, data, signal };
            const onProgress = (progress) => this.local.tell({ type: "upload", zone, recordName: name, fieldName, ...progress });
            let receipt;
            try {
                receipt = await uploadAsset(this.local.database, { ...options, onProgress });
            } catch (error) {
                if (error.ckErrorCode === "ZONE_NOT_FOUND" && !(await this.local.ledger((ledger) => ledger.zone(zone))).isKnown) {
                    await this.local.createZone(zone, signal);
                    return this.#upload(signal);
                }
                if (lost(error) || error.isRetryable || error.isSignInRequired) throw error;
                await this.local.ledger((ledger) => this.#hold(ledger, zone, name, error));
                continue;
            }
            await this.local.ledger(async (ledger) => {
                const entry = await ledger.entry(zone, name);
                if (!entry?.local) return;
                for (const each of [entry.local.fields[fieldName]?.value].flat()) {
                    if (each?.local === id) Object.assign(each, { receipt, uploadedAt: Date.now() });
                }
                await ledger.put(zone, entry);
            });
        }
    }

    async #filesToUpload(ledger) {
        const files = [];
        for (const pending of await ledger.outbox()) {
            if (pending.held) continue;
            const entry = await ledger.entry(pending.zone, pending.name);
            for (const [fieldName, { value }] of Object.entries(entry?.local?.fields ?? {})) {
                for (const each of [value].flat()) {
                    const isFresh = each?.receipt && Date.now() - each.uploadedAt < receiptLife;
                    if (!each?.local || isFresh) continue;
                    files.push({ zone: pending.zone, name: pending.name, type: entry.local.type, fieldName, id: each.local });
                }
            }
        }
        return files;
    }
}

/** A field with the receipts of files that were uploaded. */
function receipts(field) {
    const one = (value) => (value?.local ? value.receipt : value);
    return Array.isArray(field.value) ? { ...field, value: field.value.map(one) } : { ...field, value: one(field.value) };
}

function groups(pending) {
    const byZone = new Map();
    for (const each of pending) {
        const key = JSON.stringify(each.zone);
        byZone.set(key, [...(byZone.get(key) ?? []), each]);
    }
    return byZone;
}
