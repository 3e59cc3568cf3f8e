import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { memoryStore, openOffline } from "../../Public/client/offline.js";
import { all, TestServer } from "./server.js";

const limit = { timeout: 120_000 };
let server;

before(async () => (server = await TestServer.start()), limit);
after(() => server.stop());

async function device(email, { fetch, ...options } = {}) {
    const container = await server.container(email, { retryDelay: 1, fetch });
    return openOffline(container, { zones: ["Notes"], store: memoryStore(), ...options });
}

/** A store in memory that counts the entries which are read of it. */
function countingStore() {
    const store = memoryStore();
    const counted = (transaction) => ({
        get: (...call) => (store.count += 1, transaction.get(...call)),
        put: (...call) => transaction.put(...call),
        delete: (...call) => transaction.delete(...call),
        range: async (...call) => counting(await transaction.range(...call)),
        entries: async (...call) => counting(await transaction.entries(...call)),
    });
    const counting = (entries) => (store.count += entries.length, entries);
    const { transaction, read } = store;
    store.transaction = (work) => transaction.call(store, (each) => work(counted(each)));
    store.read = (work) => read.call(store, (each) => work(counted(each)));
    store.count = 0;
    return store;
}

async function edits(notes, count, fields = (at) => ({ number: at })) {
    await notes.edit((edit) => {
        for (let at = 0; at < count; at += 1) edit.save({ recordType: "Note", recordName: `n${at}`, fields: fields(at) });
    });
}

test("what is read to send records grows with their number and no faster", limit, async () => {
    const reads = [];
    for (const count of [800, 3_200]) {
        const store = countingStore();
        const notes = await device(`linear${count}@example.com`, { store });
        await edits(notes, count);
        store.count = 0;
        await notes.sync();
        assert.equal(await notes.pendingCount(), 0);
        reads.push(store.count / count);
    }
    assert.ok(reads[1] <= reads[0] * 1.1, `${reads} entries a record`);
});

test("all records of a zone are read once", limit, async () => {
    const store = countingStore();
    const notes = await device("once@example.com", { store });
    await edits(notes, 500);
    store.count = 0;
    assert.equal((await notes.records()).length, 500);
    // The records, and what waits to be sent of them.
    assert.equal(store.count, 1_000);
});

test("a read goes on while a transaction writes to the disk, and sees it whole or not at all", limit, async () => {
    const store = memoryStore();
    let persist;
    store.persist = () => new Promise((resolve) => (persist = resolve));
    const written = store.transaction(async (transaction) => {
        await transaction.put("meta", "a", 1);
        await transaction.put("meta", "b", 1);
    });
    while (!persist) await new Promise(setImmediate);
    assert.equal(await store.read((transaction) => transaction.get("meta", "a")), undefined);
    const [one, other] = await store.read(async (transaction) => {
        const one = await transaction.get("meta", "a");
        persist();
        await new Promise(setImmediate);
        return [one, await transaction.get("meta", "b")];
    });
    assert.deepEqual([one, other], [undefined, undefined]);
    await written;
    assert.equal(await store.read((transaction) => transaction.get("meta", "b")), 1);
});

test("records of many bytes go in several requests", limit, async () => {
    const bodies = [];
    const fetch = (url, options) => {
        if (url.includes("records/modify")) bodies.push(options.body.length);
        return globalThis.fetch(url, options);
    };
    const text = "x".repeat(300_000);
    const notes = await device("bytes@example.com", { fetch });
    await edits(notes, 20, () => ({ text }));
    await notes.sync();
    assert.equal(await notes.pendingCount(), 0);
    const db = notes.container.privateCloudDatabase;
    const operations = Array.from({ length: 20 }, (_, at) => ({ operationType: "create", record: { recordName: `m${at}`, recordType: "Note", fields: { text: { value: text } } } }));
    const { records, hasErrors } = await db.modify(operations, { atomic: false, zoneID: "Notes" });
    assert.deepEqual([records.length, hasErrors], [20, false]);
    assert.equal(bodies.length, 8);
    assert.ok(Math.max(...bodies) < 2_000_000);
});

/** A `fetch` that refuses one zone in the answers of an endpoint. */
function refusing(endpoint, zoneName, refusal) {
    return async (url, options) => {
        const response = await fetch(url, options);
        if (!url.includes(endpoint)) return response;
        const answer = await response.json();
        answer.zones = answer.zones.map((zone) => (zone.zoneID?.zoneName === zoneName ? { zoneID: zone.zoneID, ...refusal } : zone));
        return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
    };
}

test("a zone that is refused for good stops no other zone, and the app is told once", limit, async () => {
    const zones = ["Bad", "Good"];
    const refusal = { serverErrorCode: "BAD_REQUEST", reason: "no such luck" };
    const other = await device("zones@example.com", { zones });
    for (const zone of zones) await other.save({ recordType: "Note", recordName: "first", fields: { title: zone } }, { zone });
    await other.sync();
    const notes = await device("zones@example.com", { zones, fetch: refusing("changes/zone", "Bad", refusal) });
    await notes.save({ recordType: "Note", recordName: "mine", fields: { title: "mine" } }, { zone: "Good" });
    for (let round = 0; round < 2; round += 1) await notes.sync();
    assert.deepEqual((await notes.records({ zone: "Good" })).map(({ recordName }) => recordName), ["first", "mine"]);
    assert.equal(await notes.pendingCount(), 0);
    assert.deepEqual((await notes.problems()).map(({ kind, zone, reason }) => [kind, zone.zoneName, reason]), [["refused", "Bad", "no such luck"]]);
    assert.equal(notes.status.state, "idle");
});

test("a zone that cannot be made stops no other zone, and what is in it waits", limit, async () => {
    const refusal = { zones: [{ zoneID: { zoneName: "Bad" }, serverErrorCode: "QUOTA_EXCEEDED", reason: "too many zones" }] };
    const fetch = (url, options) => {
        const isRefused = url.includes("zones/modify") && options.body.includes('"Bad"');
        return isRefused ? Promise.resolve(new Response(JSON.stringify(refusal))) : globalThis.fetch(url, options);
    };
    const notes = await device("making@example.com", { zones: ["Bad", "Good"], fetch });
    for (const zone of ["Bad", "Good"]) await notes.save({ recordType: "Note", recordName: zone, fields: {} }, { zone });
    for (let round = 0; round < 2; round += 1) await notes.sync();
    assert.equal(await notes.pendingCount(), 1);
    assert.equal((await notes.get("Good", { zone: "Good" })).isPending, false);
    assert.deepEqual((await notes.problems()).map(({ zone, ckErrorCode }) => [zone.zoneName, ckErrorCode]), [["Bad", "QUOTA_EXCEEDED"]]);
});

test("an atomic edit with a refused record is held as a whole", limit, async () => {
    const notes = await device("whole@example.com");
    await notes.save({ recordType: "Note", recordName: "first", fields: { count: { value: 1, type: "INT64" } } });
    await notes.sync();
    await notes.edit((edit) => {
        edit.save({ recordType: "Note", recordName: "good", fields: { title: "good" } });
        edit.save({ recordType: "Note", recordName: "bad", fields: { count: { value: "x", type: "STRING" } } });
    }, { isAtomic: true });
    await notes.sync();
    assert.deepEqual((await all(notes.database.query("Note", { zone: "Notes" }))).map(({ recordName }) => recordName), ["first"]);
    assert.equal(await notes.pendingCount(), 2);
});

// MARK: Queries on the device

const texts = ["", "a", "A", "ab", "Äpfel", "z\u0000", "z", "\u{1F600}", "\uFFFD", undefined, "x".repeat(600), `${"x".repeat(600)}y`];
const numbers = [0, -1, 1.5, undefined, 1e300, -1e-300, 3, 2 ** 40];
const wholes = ["0", "9007199254740993", "9007199254740992", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "5", undefined];

function sample(at) {
    const fields = { even: at % 2 };
    const text = texts[at % texts.length];
    const number = numbers[at % numbers.length];
    const whole = wholes[at % wholes.length];
    if (text !== undefined) fields.text = text;
    if (number !== undefined) fields.number = { value: number, type: "DOUBLE" };
    if (whole !== undefined) fields.whole = { value: whole, type: "INT64" };
    if (at % 3) fields.day = new Date(at * 1000);
    return fields;
}

const queries = [
    {}, { orderBy: "text" }, { orderBy: "-text" }, { orderBy: "number" }, { orderBy: "-whole" }, { orderBy: ["even", "-text"] },
    ...["=", "!=", "<", "<=", ">", ">="].flatMap((comparator) => [
        { where: [["text", comparator, "a"]] }, { where: [["text", comparator, ""]] }, { where: [["text", comparator, "x".repeat(600)]], orderBy: "text" },
        { where: [["number", comparator, 1.5]] }, { where: [["number", comparator, 0]], orderBy: "-number" },
        { where: [["whole", comparator, 9007199254740993n]] }, { where: [["day", comparator, new Date(9000)]] },
    ]),
    { where: [["text", "beginsWith", "x"]] }, { where: [["text", "beginsWith", "x".repeat(550)]] }, { where: [["text", "beginsWith", ""]] },
    { where: [["text", "in", ["a", "Äpfel"]]] }, { where: [["text", "not in", ["a", "Äpfel"]]] }, { where: [["number", ">", -1], ["even", "=", 1]], orderBy: "number" },
    { where: [["recordName", "=", "n5"]] },
];

test("a query on the device finds what the server's query finds, with an index and without", limit, async () => {
    const indexes = { Note: ["text", "number", "whole", "day"] };
    const indexed = await device("queries@example.com", { indexes });
    await edits(indexed, 48, sample);
    await indexed.sync();
    const plain = await device("queries@example.com");
    await plain.sync();
    const rank = ({ fields }, orderBy) => [orderBy ?? []].flat().map((key) => String(fields[key.replace("-", "")]).slice(0, 20));
    for (const options of queries) {
        const expected = await all(indexed.database.query("Note", { zone: "Notes", ...options }));
        for (const notes of [indexed, plain]) {
            const found = [];
            for (let cursor; cursor !== null;) {
                const page = await notes.query("Note", { ...options, limit: 7, after: cursor });
                found.push(...page.records);
                cursor = page.cursor;
            }
            const label = JSON.stringify(options, (_, value) => (typeof value === "bigint" ? String(value) : value));
            assert.deepEqual(found.map(({ recordName }) => recordName).sort(), expected.map(({ recordName }) => recordName).sort(), label);
            assert.deepEqual(found.map((each) => rank(each, options.orderBy)), expected.map((each) => rank(each, options.orderBy)), label);
        }
    }
});

test("a page along an index reads no more than it gives", limit, async () => {
    const store = countingStore();
    const notes = await device("page@example.com", { store, indexes: { Note: ["number"] } });
    await edits(notes, 2_000);
    store.count = 0;
    const { records, cursor } = await notes.query("Note", { where: [["number", ">=", 1_500]], limit: 20 });
    assert.deepEqual(records.map(({ fields }) => fields.number), Array.from({ length: 20 }, (_, at) => 1_500 + at));
    const next = await notes.query("Note", { where: [["number", ">=", 1_500]], limit: 20, after: cursor });
    assert.equal(next.records[0].fields.number, 1_520);
    assert.ok(store.count <= 130, `${store.count} entries`);
});

test("an index follows edits, deletions and conflicts, and is made for a store that lacks it", limit, async () => {
    const store = memoryStore();
    const notes = await device("index@example.com", { store, indexes: { Note: ["title"] } });
    const found = async (local, title) => (await local.query("Note", { where: [["title", "=", title]] })).records.map(({ recordName }) => recordName);
    await notes.save({ recordType: "Note", recordName: "a", fields: { title: "one" } });
    await notes.save({ recordType: "Note", recordName: "a", fields: { title: "two" } });
    await notes.save({ recordType: "Note", recordName: "b", fields: { title: "two" } });
    assert.deepEqual([await found(notes, "one"), await found(notes, "two")], [[], ["a", "b"]]);
    await notes.sync();
    await notes.delete("b");
    assert.deepEqual(await found(notes, "two"), ["a"]);
    const other = await device("index@example.com");
    await other.sync();
    await other.save({ recordType: "Note", recordName: "a", fields: { title: "three" } });
    await other.sync();
    await notes.sync();
    assert.deepEqual([await found(notes, "two"), await found(notes, "three")], [[], ["a"]]);
    const again = await device("index@example.com", { store, indexes: { Note: ["title", "day"] } });
    assert.deepEqual(await found(again, "three"), ["a"]);
    assert.equal((await store.read((transaction) => transaction.range("index"))).length, 2);
});

test("a query on the device refuses what it cannot compare", limit, async () => {
    const notes = await device("refused@example.com");
    await assert.rejects(async () => notes.query("Note", { where: [["place", "NEAR", 1]] }), { ckErrorCode: "INVALID_ARGUMENTS" });
    await assert.rejects(async () => notes.query("Note", { after: "x" }), { ckErrorCode: "INVALID_ARGUMENTS" });
    await assert.rejects(device("refused@example.com", { indexes: { Note: "title" } }), { ckErrorCode: "INVALID_ARGUMENTS" });
});
