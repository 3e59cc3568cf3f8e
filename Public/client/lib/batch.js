import { uuid } from "./uuid.js";
import { closeFields, closeSystem, zoneID } from "./records.js";

/** Operations that are collected and sent together. */
export class RecordsBatch {
    #database;
    #options;
    #operations = [];

    constructor(database, options) {
        this.#database = database;
        this.#options = { ...options, zoneID: zoneID(options.zoneID) };
    }

    create(record) { return this.#add("create", record); }
    update(record) { return this.#add("update", record); }
    replace(record) { return this.#add("replace", record); }
    forceUpdate(record) { return this.#add("forceUpdate", record); }
    forceReplace(record) { return this.#add("forceReplace", record); }
    delete(record) { return this.#add("delete", record); }
    forceDelete(record) { return this.#add("forceDelete", record); }

    /** A record with a name and a change tag is updated, any other is created. */
    createOrUpdate(record) {
        return this.#add(record.recordName && record.recordChangeTag ? "update" : "create", record);
    }

    #add(operationType, records) {
        for (const each of [records].flat()) {
            let record = typeof each === "string" ? { recordName: each } : closeSystem(each);
            if (!operationType.endsWith("elete")) record = { ...record, fields: closeFields(each.fields) };
            if (operationType === "create") record.recordName ??= uuid();
            this.#operations.push({ operationType, record });
        }
        return this;
    }

    /** Sends the operations and answers `{records, errors, hasErrors}`. */
    commit() {
        return this.#database.modify(this.#operations, this.#options);
    }
}
