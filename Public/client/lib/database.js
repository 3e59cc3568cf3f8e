import { download, uploadAsset, uploadFiles } from "./assets.js";
import { RecordsBatch } from "./batch.js";
import { changes } from "./changes.js";
import { CKError, divide } from "./errors.js";
import { uuid } from "./uuid.js";
import { largestBatch, portions } from "./portions.js";
import { closeRecord, hasAll, openRecord, query, zoneID } from "./records.js";
import { encode, isFieldValue, originalKey } from "./values.js";
import { backOff, wait } from "./waiting.js";

function answer(key, items) {
    const { results, errors } = divide(items);
    return { [key]: results, errors, hasErrors: errors.length > 0 };
}

function list(items) {
    return Array.isArray(items) ? items : [items];
}

function names(records) {
    return list(records).map((each) => (typeof each === "string" ? { recordName: each } : { recordName: each.recordName }));
}

function optional(options, ...keys) {
    return Object.fromEntries(keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]));
}

/** Names a record that has no name, so that a repeated request creates it once. */
export function named(record) {
    return record.recordName ? record : { ...record, recordName: uuid() };
}

/** Whether doing an operation twice leaves what doing it once does. */
function isRepeatable({ operationType, record }) {
    return operationType.startsWith("force") || (operationType === "create" && Boolean(record.recordName));
}

/**
 * One database of a container.
 *
 * The long names are those of CloudKit JS, with its arguments and answers: they resolve although items failed, and
 * `hasErrors` says so. The short ones (`get`, `save`, `delete`, `query`, `changes`, `upload`) have bare field values and
 * throw a `CKError`.
 */
export class Database {
    /** @param {import("./container.js").Container} container */
    constructor(container, databaseScope) {
        this.container = container;
        this.databaseScope = databaseScope;
    }

    /** Posts to an endpoint of this database. */
    send(endpoint, body, options) {
        return this.container.transport.database(this.databaseScope.toLowerCase(), endpoint, body, options);
    }

    // MARK: The short calls

    /** The record of that name, or null. */
    async get(recordName, { zone, desiredKeys, signal } = {}) {
        const body = { records: [{ recordName }], zoneID: zoneID(zone), desiredKeys, numbersAsStrings: true };
        const [item] = (await this.send("records/lookup", body, { signal, isRepeatable: true })).records;
        if (item.serverErrorCode === "NOT_FOUND") return null;
        if (item.serverErrorCode) throw new CKError(item);
        return openRecord(item, this.container.int64);
    }

    /**
     * Saves a record, and answers it as the server has it now. A record that was read is updated by its change tag, and
     * only in the fields that changed. A `Blob` in a field is uploaded first.
     *
     * @param {object} options `merge(ancestor, mine, theirs)` answers the record to save instead after a conflict.
     */
    async save(record, { zone, merge, signal } = {}) {
        const zoneOption = zone ?? record.zoneID;
        let mine = named(record);
        mine = { ...mine, fields: await uploadFiles(this, mine, zoneID(zoneOption), signal) };
        for (let attempt = 0; ; attempt += 1) {
            const sent = closeRecord(mine);
            const operation = { operationType: sent.recordChangeTag ? "update" : "create", record: sent };
            const error = await this.#attempt(operation, zoneOption, signal);
            if (!(error instanceof CKError)) return openRecord(error, this.container.int64);
            if (!error.isConflict) throw error;
            const theirs = await this.get(sent.recordName, { zone: zoneOption, signal });
            if (!theirs) throw new CKError({ ckErrorCode: "NOT_FOUND", reason: "The record was deleted.", recordName: sent.recordName });
            // The change arrived, and its answer was lost.
            if (error.mayHaveArrived && hasAll(theirs[originalKey], sent)) return theirs;
            error.serverRecord = theirs;
            if (!merge || attempt >= 5) throw error;
            const original = mine[originalKey];
            const merged = await merge(original ? openRecord(original, this.container.int64) : null, mine, theirs);
            mine = { ...merged, recordName: sent.recordName, recordType: theirs.recordType,
                recordChangeTag: theirs.recordChangeTag, [originalKey]: theirs[originalKey] };
        }
    }

    /** The record that an operation made, or its error. An update whose answer was lost is sent once more. */
    async #attempt(operation, zone, signal) {
        const body = { operations: [operation], zoneID: zoneID(zone), numbersAsStrings: true };
        for (let attempt = 0; ; attempt += 1) {
            try {
                const [item] = (await this.send("records/modify", body, { signal })).records;
                if (!item.serverErrorCode) return item;
                return Object.assign(new CKError(item), { mayHaveArrived: attempt > 0 });
            } catch (error) {
                const repeats = { NETWORK_ERROR: 3, SERVICE_UNAVAILABLE: 3, REQUEST_TIMED_OUT: 1 }[error.ckErrorCode] ?? 0;
                if (attempt >= repeats) throw error;
                await wait(backOff(attempt, { first: this.container.transport.retryDelay }), signal);
            }
        }
    }

    /** Deletes a record. Given as a record that was read, it is deleted only if nobody changed it since. */
    async delete(record, { zone, signal } = {}) {
        const { recordName, recordChangeTag } = typeof record === "string" ? { recordName: record } : record;
        const operation = recordChangeTag
            ? { operationType: "delete", record: { recordName, recordChangeTag } }
            : { operationType: "forceDelete", record: { recordName } };
        const item = await this.#attempt(operation, zone ?? record.zoneID, signal);
        if (!(item instanceof CKError) || (item.ckErrorCode === "NOT_FOUND" && (item.mayHaveArrived || !recordChangeTag))) return;
        if (item.isConflict) item.serverRecord = await this.get(recordName, { zone: zone ?? record.zoneID, signal });
        throw item;
    }

    /**
     * The records of a type that match, page after page as they are read.
     *
     * @param {object} options `where`: conditions such as `["stars", ">", 3]`, which all must hold; `orderBy`: field names,
     *     with `-` for descending; `zone`, or `zoneWide: true` for all zones.
     */
    async* query(recordType, { where, orderBy, zone, zoneWide, desiredKeys, resultsLimit, signal } = {}) {
        const body = {
            query: query(recordType, { where, orderBy }), zoneID: zoneID(zone), zoneWide, desiredKeys, resultsLimit,
            numbersAsStrings: true,
        };
        do {
            const page = await this.send("records/query", body, { signal, isRepeatable: true });
            for (const record of page.records) yield openRecord(record, this.container.int64);
            body.continuationMarker = page.continuationMarker;
        } while (body.continuationMarker);
    }

    /**
     * What changed in a zone since a token: `{record}`, `{deleted}` and `{resync}` as they come, and `{token}` after each
     * page, to be kept once everything before it is.
     */
    changes({ zone, since, desiredKeys, signal }) {
        return changes(this, { zone: zoneID(zone), since, desiredKeys, signal });
    }

    /**
     * Uploads the bytes of an asset and puts it into the record's field; `save` then stores it.
     *
     * @param {object} options `onProgress({loaded, total})`.
     */
    async upload(record, fieldName, data, { zone, onProgress, signal } = {}) {
        const asset = await uploadAsset(this, {
            recordType: record.recordType, recordName: record.recordName, fieldName,
            zone: zoneID(zone ?? record.zoneID), data, onProgress, signal,
        });
        record.fields ??= {};
        record.fields[fieldName] = asset;
        return asset;
    }

    /** The response of downloading an asset of a record that was read. An expired link is renewed once. */
    download(record, fieldName, { signal } = {}) {
        return download(this, record, fieldName, signal);
    }

    /** Creates a zone, or answers the one that is there. */
    async ensureZone(zone, { signal } = {}) {
        const operations = [{ operationType: "create", zone: { zoneID: zoneID(zone) } }];
        const [item] = (await this.send("zones/modify", { operations }, { signal, isRepeatable: true })).zones;
        if (item.serverErrorCode) throw new CKError(item);
        return item;
    }

    /** Shares a record and all below it, and answers the share record. */
    async share(root, { title, publicPermission = "NONE", participants, zone, signal, ...more } = {}) {
        const share = {
            recordType: "cloudkit.share", recordName: `Share-${uuid()}`, publicPermission, participants, ...more,
            fields: title === undefined ? {} : { "cloudkit.title": title },
            forRecord: { recordName: root.recordName, recordChangeTag: root.recordChangeTag },
        };
        return this.save(share, { zone: zone ?? root.zoneID, signal });
    }

    // MARK: Records by the names of CloudKit JS

    async fetchRecords(records, options = {}) {
        const body = {
            records: names(records), zoneID: zoneID(options.zoneID), ...optional(options, "desiredKeys", "numbersAsStrings"),
        };
        return answer("records", (await this.send("records/lookup", body, { isRepeatable: true, signal: options.signal })).records);
    }

    async saveRecords(records, options = {}) {
        const batch = this.newRecordsBatch(options);
        for (const record of list(records)) batch.createOrUpdate(record);
        return batch.commit();
    }

    async deleteRecords(records, options = {}) {
        const batch = this.newRecordsBatch(options);
        for (const record of list(records)) batch.forceDelete(record);
        return batch.commit();
    }

    newRecordsBatch(options = {}) {
        return new RecordsBatch(this, options);
    }

    /** Uploads the files in operations and sends them, in several requests if they are many or large and not atomic. */
    async modify(operations, options = {}) {
        const body = { zoneID: zoneID(options.zoneID), ...optional(options, "atomic", "desiredKeys", "numbersAsStrings") };
        const isAtomic = options.atomic ?? body.zoneID !== undefined;
        if (isAtomic && operations.length > largestBatch) {
            throw new CKError({
                ckErrorCode: "LIMIT_EXCEEDED",
                reason: `An atomic batch has at most ${largestBatch} operations. Split it, or send it with 'atomic: false'.`,
            });
        }
        const ready = [];
        for (const operation of operations) {
            const { record } = operation;
            if (!record?.fields) ready.push(operation);
            else ready.push({ ...operation, record: { ...record, fields: await uploadFiles(this, record, body.zoneID, options.signal) } });
        }
        const items = [];
        for (const part of isAtomic ? [ready] : portions(ready)) {
            const send = { isRepeatable: part.every(isRepeatable), signal: options.signal };
            items.push(...(await this.send("records/modify", { ...body, operations: part }, send)).records);
        }
        return answer("records", items);
    }

    async performQuery(query, options = {}) {
        const body = query.continuationBody ?? {
            query: wireQuery(query), zoneID: zoneID(options.zoneID),
            ...optional(options, "desiredKeys", "resultsLimit", "numbersAsStrings", "zoneWide", "continuationMarker"),
        };
        const page = await this.send("records/query", body, { isRepeatable: true, signal: options.signal });
        const response = answer("records", page.records);
        response.continuationMarker = page.continuationMarker;
        response.moreComing = Boolean(page.continuationMarker);
        const continuationBody = { ...body, continuationMarker: page.continuationMarker };
        // Passed back to `performQuery`, a response means its next page.
        return Object.defineProperty(response, "continuationBody", { value: response.moreComing ? continuationBody : undefined });
    }

    // MARK: Zones, changes and subscriptions by the names of CloudKit JS

    async fetchDatabaseChanges(options = {}) {
        const body = optional(options, "syncToken", "resultsLimit");
        const page = await this.send("changes/database", body, { isRepeatable: true, signal: options.signal });
        return { ...answer("zones", page.zones), syncToken: page.syncToken, moreComing: page.moreComing };
    }

    async fetchRecordZoneChanges(zones, options = {}) {
        const body = {
            zones: list(zones).map((zone) => (zone.zoneID ? zone : { zoneID: zoneID(zone) })),
            ...optional(options, "resultsLimit", "desiredKeys", "numbersAsStrings"),
        };
        return answer("zones", (await this.send("changes/zone", body, { isRepeatable: true, signal: options.signal })).zones);
    }

    async fetchAllRecordZones() {
        return answer("zones", (await this.send("zones/list", {}, { isRepeatable: true })).zones);
    }

    async fetchRecordZones(zones) {
        return answer("zones", (await this.send("zones/lookup", { zones: list(zones).map(zoneID) }, { isRepeatable: true })).zones);
    }

    async saveRecordZones(zones) { return this.#modifyZones("create", zones); }

    async deleteRecordZones(zones) { return this.#modifyZones("delete", zones); }

    async #modifyZones(operationType, zones) {
        const operations = list(zones).map((zone) => ({ operationType, zone: { zoneID: zoneID(zone) } }));
        return answer("zones", (await this.send("zones/modify", { operations }, { isRepeatable: operationType === "create" })).zones);
    }

    async fetchAllSubscriptions() {
        return answer("subscriptions", (await this.send("subscriptions/list", {}, { isRepeatable: true })).subscriptions);
    }

    async fetchSubscriptions(subscriptions) {
        const body = { subscriptions: list(subscriptions).map((each) => ({ subscriptionID: each.subscriptionID ?? each })) };
        return answer("subscriptions", (await this.send("subscriptions/lookup", body, { isRepeatable: true })).subscriptions);
    }

    async saveSubscriptions(subscriptions) { return this.#modifySubscriptions("create", subscriptions); }

    async deleteSubscriptions(subscriptions) { return this.#modifySubscriptions("delete", subscriptions); }

    async #modifySubscriptions(operationType, subscriptions) {
        const operations = list(subscriptions).map((each) => ({
            operationType, subscription: typeof each === "string" ? { subscriptionID: each } : each,
        }));
        const isNamed = operations.every(({ subscription }) => subscription.subscriptionID);
        const sent = await this.send("subscriptions/modify", { operations }, { isRepeatable: operationType === "create" && isNamed });
        return answer("subscriptions", sent.subscriptions);
    }
}

/** A query whose filters may have bare values. */
function wireQuery(query) {
    const filterBy = (query.filterBy ?? []).map((filter) => {
        const { fieldValue } = filter;
        return isFieldValue(fieldValue) ? filter : { ...filter, fieldValue: encode(fieldValue) };
    });
    return { ...query, filterBy };
}

