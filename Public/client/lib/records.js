import { decode, encode, isSame, originalKey, typesKey } from "./values.js";

/** A zone ID from a name, an ID or nothing, which means the default zone. */
export function zoneID(zone) {
    if (zone == null) return undefined;
    return typeof zone === "string" ? { zoneName: zone } : zone.zoneID ?? zone;
}

/** A record as the short calls have it: bare values, with types and the record as read kept under symbols. */
export function openRecord(wire, int64) {
    const fields = {};
    const types = {};
    for (const [name, field] of Object.entries(wire.fields ?? {})) {
        fields[name] = decode(field, int64);
        types[name] = field.type;
    }
    fields[typesKey] = types;
    const { pluginFields, deleted, ...record } = wire;
    return { ...record, fields, [originalKey]: wire };
}

/** The fields of a record as the wire has them. */
export function closeFields(fields = {}) {
    const types = fields[typesKey] ?? {};
    // A field can be called toString, which every object has.
    const type = (name) => (Object.hasOwn(types, name) ? types[name] : undefined);
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, encode(value, type(name))]));
}

/** The system members of a record that a request has. */
export function closeSystem(record) {
    const sent = {};
    for (const key of [
        "recordName", "recordType", "recordChangeTag", "parent", "createShortGUID", "forRecord", "publicPermission",
        "participants", "oneTimeStableUrlInfo", "denyAccessRequests", "requesters", "blocked",
    ]) {
        if (record[key] !== undefined) sent[key] = record[key];
    }
    if (typeof sent.parent === "string") sent.parent = { recordName: sent.parent };
    return sent;
}

/** A record as a request has it. With the record as it was read at hand, only fields that changed are in it. */
export function closeRecord(record) {
    const sent = { ...closeSystem(record), fields: closeFields(record.fields) };
    const original = record[originalKey];
    if (!original || original.recordChangeTag !== record.recordChangeTag || !record.recordChangeTag) return sent;
    for (const [name, field] of Object.entries(sent.fields)) {
        if (isSame(field, original.fields?.[name])) delete sent.fields[name];
    }
    // A field that is gone from the object is cleared.
    for (const name of Object.keys(original.fields ?? {})) {
        if (!Object.hasOwn(record.fields ?? {}, name)) sent.fields[name] = { value: null };
    }
    return sent;
}

/** Whether a record of the server has everything that was sent. */
export function hasAll(wire, sent) {
    return Object.entries(sent.fields ?? {}).every(([name, field]) => isSame(field, wire.fields?.[name]))
        && (sent.parent === undefined || sent.parent?.recordName === wire.parent?.recordName);
}

const comparators = {
    "=": "EQUALS", "==": "EQUALS", "!=": "NOT_EQUALS", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUALS",
    ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUALS", in: "IN", "not in": "NOT_IN", beginsWith: "BEGINS_WITH",
    contains: "LIST_CONTAINS", words: "CONTAINS_ALL_TOKENS",
};
export const systemFields = new Set([
    "recordName", "share", "parent", "createdUserRecordName", "createdTimestamp", "modifiedTimestamp",
    "modifiedUserRecordName",
]);

function fieldName(name) {
    return systemFields.has(name) ? { systemFieldName: name } : { fieldName: name };
}

/** The query of a record type, of conditions such as `["stars", ">", 3]` and of sort keys such as `"-due"`. */
export function query(recordType, { where = [], orderBy = [] }) {
    return {
        recordType,
        filterBy: where.map((condition) => {
            if (!Array.isArray(condition)) return condition;
            const [field, comparator, value, distance] = condition;
            const filter = {
                ...(field && fieldName(field)), comparator: comparators[comparator] ?? comparator,
                fieldValue: encode(field === "recordName" && typeof value === "string" ? { recordName: value } : value),
            };
            return distance === undefined ? filter : { ...filter, distance };
        }),
        sortBy: [orderBy].flat().map((key) => {
            if (typeof key !== "string") return key;
            return { ...fieldName(key.replace(/^[-+]/, "")), ascending: !key.startsWith("-") };
        }),
    };
}
