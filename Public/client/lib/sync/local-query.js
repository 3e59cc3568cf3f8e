import { CKError } from "../errors.js";
import { encode } from "../values.js";
import { compare, indexed, orderOf, pastEnd } from "./order.js";
import { indexPrefix } from "./indexes.js";
import { recordKey, zoneKey } from "./ledger.js";

/** Entries that are read at once. */
const portion = 200;
const most = 1_000;

const systemFields = {
    recordName: ({ name }) => ({ value: name, type: "STRING" }),
    createdTimestamp: ({ base }) => stamp(base?.created?.timestamp),
    modifiedTimestamp: ({ base }) => stamp(base?.modified?.timestamp),
    createdUserRecordName: ({ base }) => ({ value: base?.created?.userRecordName }),
    modifiedUserRecordName: ({ base }) => ({ value: base?.modified?.userRecordName }),
    parent: ({ local }) => ({ value: local.parent?.recordName }),
    share: ({ base }) => ({ value: base?.share?.recordName }),
};

function stamp(value) { return { value, type: "TIMESTAMP" }; }

function fieldOf(entry, name) {
    return Object.hasOwn(systemFields, name) ? systemFields[name](entry) : Object.hasOwn(entry.local.fields, name) ? entry.local.fields[name] : undefined;
}

const [less, atMost, greater, atLeast] = [(order) => order < 0, (order) => order <= 0, (order) => order > 0, (order) => order >= 0].map(ordered);
const comparators = {
    "=": equals, "==": equals, EQUALS: equals,
    "!=": not(equals), NOT_EQUALS: not(equals),
    "<": less, LESS_THAN: less,
    "<=": atMost, LESS_THAN_OR_EQUALS: atMost,
    ">": greater, GREATER_THAN: greater,
    ">=": atLeast, GREATER_THAN_OR_EQUALS: atLeast,
    in: isIn, IN: isIn, "not in": not(isIn), NOT_IN: not(isIn),
    beginsWith, BEGINS_WITH: beginsWith, NOT_BEGINS_WITH: not(beginsWith),
    contains: listContains, LIST_CONTAINS: listContains, NOT_LIST_CONTAINS: not(listContains, true),
};

/** Whether two values are of a kind and how they stand to each other, to the last digit and character. */
function order(field, operand) {
    const [one, other] = [orderOf(field), orderOf(operand)];
    if (one[0] === "0" || one[0] !== other[0]) return undefined;
    if (one[0] === "2" && one === other) return compare(text(field.value), text(operand.value));
    return compare(one, other);
}

function text(value) { return typeof value === "string" ? value : value.recordName; }

function ordered(holds) {
    return (field, operand) => {
        const found = order(field, operand);
        return found !== undefined && holds(found);
    };
}

function equals(field, operand) { return order(field, operand) === 0; }

function isIn(field, operand) { return elements(operand).some((each) => equals(field, each)); }

function beginsWith(field, operand) { return typeof field?.value === "string" && field.value.startsWith(operand.value); }

function listContains(field, operand) { return Array.isArray(field?.value) && elements(field).some((each) => equals(each, operand)); }

/** A value that is missing matches nothing, negated or not. */
function not(holds, isList = false) {
    return (field, operand) => (isList ? Array.isArray(field?.value) : orderOf(field)[0] !== "0") && !holds(field, operand);
}

function elements({ value, type }) {
    return (Array.isArray(value) ? value : [value]).map((each) => ({ value: each, type: type?.replace(/_LIST$/, "") }));
}

/**
 * A query of the records on this device: `where`, `orderBy` and `limit` as in the query of a database, and `after`, the
 * cursor of the page before.
 *
 * It walks the index of the first sort key, or of a field that a condition bounds; without one it reads all of the zone.
 */
export class LocalQuery {
    constructor(zone, recordType, { where = [], orderBy = [], limit = portion, after } = {}, indexes) {
        Object.assign(this, { zone, recordType, indexes });
        this.limit = Math.max(1, Math.min(most, Math.trunc(limit) || portion));
        this.conditions = where.map(condition);
        this.sortKeys = [orderBy].flat().map(sortKey);
        this.after = after === undefined || after === null ? undefined : cursor(after);
    }

    /** A page: the entries that match, and the cursor of the next page, or null at the end. */
    async run(transaction) {
        const [first, ...others] = this.sortKeys;
        if (first && others.length === 0 && this.indexes.has(this.recordType, first.field)) return this.#walk(transaction, first.field, first.isReversed);
        const bounded = this.conditions.find(({ field, bounds }) => bounds && this.indexes.has(this.recordType, field));
        if (bounded && !first) return this.#walk(transaction, bounded.field, false);
        const found = [];
        const candidates = bounded ? this.#indexed(transaction, bounded.field, {}) : this.#all(transaction);
        for await (const [, entry] of candidates) if (this.#matches(entry)) found.push(entry);
        return this.#sorted(found);
    }

    /** Reads along an index, no further than the page needs. */
    async #walk(transaction, field, isReversed) {
        const found = [];
        let last;
        const bound = this.after && (isReversed ? { before: this.after.key } : { after: this.after.key });
        for await (const [key, entry] of this.#indexed(transaction, field, { isReversed, ...bound })) {
            if (!this.#matches(entry)) continue;
            if (found.length === this.limit) return { entries: found, cursor: JSON.stringify({ key: last }) };
            found.push(entry);
            last = key;
        }
        return { entries: found, cursor: null };
    }

    /** The entries that an index leads to, within the bounds of the conditions on its field. */
    async* #indexed(transaction, field, { isReversed, after, before }) {
        const prefix = indexPrefix(this.zone, this.recordType, field);
        const bounds = { from: prefix, below: `${prefix}\uffff`, after, before, isReversed, limit: Math.min(portion, this.limit + 1) };
        for (const condition of this.conditions) {
            if (condition.field !== field || !condition.bounds) continue;
            const { from, below } = condition.bounds;
            if (from !== undefined && prefix + from > bounds.from) bounds.from = prefix + from;
            if (below !== undefined && prefix + below < bounds.below) bounds.below = prefix + below;
        }
        for (;;) {
            const keys = await transaction.range("index", bounds);
            for (const [key, name] of keys) {
                const entry = await transaction.get("records", recordKey(this.zone, name));
                if (entry) yield [key, entry];
            }
            if (keys.length < bounds.limit) return;
            const [last] = keys[keys.length - 1];
            if (isReversed) bounds.before = last;
            else bounds.after = last;
        }
    }

    async* #all(transaction) {
        const prefix = `${zoneKey(this.zone)}/`;
        const bounds = { from: prefix, below: `${prefix}\uffff`, limit: portion };
        for (;;) {
            const entries = await transaction.range("records", bounds);
            yield* entries;
            if (entries.length < portion) return;
            bounds.after = entries[entries.length - 1][0];
        }
    }

    #matches(entry) {
        return entry?.local?.type === this.recordType && this.conditions.every(({ field, holds, operand }) => holds(fieldOf(entry, field), operand));
    }

    /** A page of entries that were all read, sorted, then by name. */
    #sorted(entries) {
        const rank = (entry) => [...this.sortKeys.map(({ field }) => orderOf(fieldOf(entry, field), Infinity)), entry.name];
        const byRank = (one, other) => {
            for (const [at, value] of one.entries()) {
                const found = compare(value, other[at]);
                if (found) return this.sortKeys[at]?.isReversed ? -found : found;
            }
            return 0;
        };
        const ranked = entries.map((entry) => ({ entry, rank: rank(entry) })).sort((one, other) => byRank(one.rank, other.rank));
        const rest = this.after ? ranked.filter(({ rank }) => byRank(rank, this.after.rank) > 0) : ranked;
        const page = rest.slice(0, this.limit);
        const last = rest.length > this.limit ? JSON.stringify({ rank: page[page.length - 1].rank }) : null;
        return { entries: page.map(({ entry }) => entry), cursor: last };
    }
}

function sortKey(key) {
    if (typeof key === "string") return { field: key.replace(/^[-+]/, ""), isReversed: key.startsWith("-") };
    throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: "'orderBy' of a query on this device has names of fields." });
}

function condition(given) {
    const [field, comparator, value] = Array.isArray(given) ? given : [];
    const holds = Object.hasOwn(comparators, comparator ?? "") ? comparators[comparator] : undefined;
    if (typeof field !== "string" || !holds) {
        throw new CKError({
            ckErrorCode: "INVALID_ARGUMENTS",
            reason: `A query on this device compares by ${Object.keys(comparators).filter((name) => !/[A-Z]{2}/.test(name)).join(", ")}, not by ${comparator}.`,
        });
    }
    const operand = encode(value);
    return { field, holds, operand, bounds: boundsOf(holds, operand) };
}

/** The part of an index that holds everything a condition matches, or undefined if that is no part. */
function boundsOf(holds, operand) {
    const value = orderOf(operand);
    if (value === "0") return undefined;
    const kind = value[0];
    // A text that was cut off stands for all that begin so.
    const isCut = kind === "2" && text(operand.value).length >= indexed;
    const past = isCut ? `${value}\uffff\uffff` : value + pastEnd;
    const next = String.fromCharCode(kind.charCodeAt(0) + 1);
    switch (holds) {
    case equals: return { from: value, below: past };
    case beginsWith: return { from: value, below: `${value}\uffff\uffff` };
    case less: case atMost: return { from: kind, below: past };
    case greater: case atLeast: return { from: value, below: next };
    default: return undefined;
    }
}

function cursor(text) {
    try {
        const value = JSON.parse(text);
        if (typeof value.key === "string" || Array.isArray(value.rank)) return value;
    } catch {
        // Refused below.
    }
    throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: "'after' is no cursor of this query." });
}
