import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CKError } from "../../Public/client/cumulus.js";
import { all, TestServer } from "./server.js";

let server, mei, db;

before(async () => {
    server = await TestServer.start();
    mei = await server.container("mei@example.com");
    db = mei.privateCloudDatabase;
    await db.ensureZone("Journal");
});
after(() => server.stop());

test("a record keeps every kind of value", async () => {
    const fields = {
        text: "Zoë 🌻", whole: 42, fraction: 2.5, large: 9007199254740993n, day: new Date(1767225600000),
        bytes: new Uint8Array([0, 1, 254, 255]), place: { latitude: 48.1, longitude: 11.5 },
        reference: { recordName: "other", action: "NONE" }, words: ["a", "b"], numbers: [1, 2], flag: true, nothing: null,
    };
    await db.save({ recordType: "Kinds", recordName: "kinds", fields }, { zone: "Journal" });
    const read = await db.get("kinds", { zone: "Journal" });
    assert.equal(read.fields.text, fields.text);
    assert.equal(read.fields.whole, 42);
    assert.equal(read.fields.fraction, 2.5);
    assert.equal(read.fields.large, 9007199254740993n);
    assert.deepEqual(read.fields.day, fields.day);
    assert.deepEqual(read.fields.bytes, fields.bytes);
    assert.equal(read.fields.place.latitude, 48.1);
    assert.equal(read.fields.reference.recordName, "other");
    assert.deepEqual(read.fields.words, ["a", "b"]);
    assert.deepEqual(read.fields.numbers, [1, 2]);
    assert.equal(read.fields.flag, 1);
    assert.equal("nothing" in read.fields, false);
});

test("a field can have a name that every object has", async () => {
    const note = await db.save({ recordType: "Named", fields: { toString: "a", constructor: "b", title: "c" } }, { zone: "Journal" });
    note.fields.toString = "d";
    delete note.fields.constructor;
    await db.save(note);
    const read = await db.get(note.recordName, { zone: "Journal" });
    assert.deepEqual(Object.entries(read.fields).sort(), [["title", "c"], ["toString", "d"]]);
});

test("saving a record that was read sends what changed", async () => {
    const note = await db.save({ recordType: "Note", fields: { title: "a", body: "b" } }, { zone: "Journal" });
    await db.save({ ...note, fields: { ...note.fields, title: "c" } });
    const read = await db.get(note.recordName, { zone: "Journal" });
    assert.deepEqual({ ...read.fields }, { title: "c", body: "b", ...symbols(read.fields) });
    delete read.fields.body;
    const cleared = await db.save(read);
    assert.equal("body" in cleared.fields, false);
});

function symbols(object) {
    return Object.fromEntries(Object.getOwnPropertySymbols(object).map((symbol) => [symbol, object[symbol]]));
}

test("a conflict throws with the server's record, and a merge saves over it", async () => {
    const mine = await db.save({ recordType: "Note", fields: { title: "a", stars: 1 } }, { zone: "Journal" });
    const theirs = await db.get(mine.recordName, { zone: "Journal" });
    await db.save({ ...theirs, fields: { ...theirs.fields, stars: 5 } });
    mine.fields.title = "mine";
    await assert.rejects(db.save(mine), (error) => error instanceof CKError && error.isConflict && error.serverRecord.fields.stars === 5);
    const merge = (ancestor, mine, theirs) => {
        assert.equal(ancestor.fields.title, "a");
        return { ...theirs, fields: { ...theirs.fields, title: mine.fields.title } };
    };
    const merged = await db.save(mine, { merge });
    assert.equal(merged.fields.title, "mine");
    assert.equal(merged.fields.stars, 5);
});

test("a deletion of a record that was read fails if somebody changed it", async () => {
    const mine = await db.save({ recordType: "Note", fields: { title: "a" } }, { zone: "Journal" });
    await db.save({ ...mine, fields: { title: "b" } });
    await assert.rejects(db.delete(mine), { ckErrorCode: "CONFLICT" });
    await db.delete(mine.recordName, { zone: "Journal" });
    await db.delete(mine.recordName, { zone: "Journal" });
    assert.equal(await db.get(mine.recordName, { zone: "Journal" }), null);
});

test("a query reads page after page", async () => {
    const records = Array.from({ length: 250 }, (_, at) => ({ recordType: "Many", recordName: `many-${at}`, fields: { at } }));
    const saved = await db.saveRecords(records, { zoneID: "Journal", atomic: false });
    assert.equal(saved.records.length, 250);
    assert.equal(saved.hasErrors, false);
    const found = await all(db.query("Many", { zone: "Journal", where: [["at", ">=", 20], ["at", "!=", 30]], orderBy: "-at", resultsLimit: 50 }));
    assert.equal(found.length, 229);
    assert.deepEqual(found.slice(0, 2).map(({ fields }) => fields.at), [249, 248]);
    const [one] = await all(db.query("Many", { zone: "Journal", where: [["recordName", "=", "many-7"]] }));
    assert.equal(one.fields.at, 7);
});

test("an atomic batch tells which record failed", async () => {
    await db.save({ recordType: "Note", recordName: "there", fields: {} }, { zone: "Journal" });
    const batch = db.newRecordsBatch({ zoneID: "Journal", atomic: true });
    const { errors, records, hasErrors } = await batch
        .create({ recordType: "Note", recordName: "there", fields: {} })
        .create({ recordType: "Note", recordName: "not-there", fields: { title: { value: "x" } } }).commit();
    assert.equal(hasErrors, true);
    assert.equal(records.length, 0);
    assert.deepEqual(errors.map(({ ckErrorCode }) => ckErrorCode), ["CONFLICT", "ATOMIC_ERROR"]);
    await assert.rejects(
        db.saveRecords(Array.from({ length: 201 }, () => ({ recordType: "Note" })), { zoneID: "Journal", atomic: true }),
        { ckErrorCode: "LIMIT_EXCEEDED" });
});

test("calls with the names of CloudKit JS answer as it does", async () => {
    const zones = await db.saveRecordZones({ zoneName: "Old" });
    assert.equal(zones.zones[0].zoneID.zoneName, "Old");
    assert.equal((await db.fetchAllRecordZones()).zones.some(({ zoneID }) => zoneID.zoneName === "Old"), true);
    await db.saveRecords({ recordType: "Item", recordName: "one", fields: { name: { value: "One" } } }, { zoneID: "Old" });
    const fetched = await db.fetchRecords(["one", "two"], { zoneID: { zoneName: "Old" } });
    assert.equal(fetched.records[0].fields.name.value, "One");
    assert.equal(fetched.errors[0].ckErrorCode, "NOT_FOUND");
    await db.saveRecords(Array.from({ length: 5 }, (_, at) => ({ recordType: "Item", fields: { name: { value: `${at}` } } })), { zoneID: "Old" });
    const first = await db.performQuery({ recordType: "Item" }, { zoneID: "Old", resultsLimit: 4 });
    assert.equal(first.moreComing, true);
    const second = await db.performQuery(first);
    assert.equal(first.records.length + second.records.length, 6);
    assert.equal(second.moreComing, false);
    const changes = await db.fetchRecordZoneChanges([{ zoneID: { zoneName: "Old" } }]);
    assert.equal(changes.zones[0].records.length, 6);
    assert.ok((await db.fetchDatabaseChanges()).syncToken);
    assert.equal((await db.deleteRecords("one", { zoneID: "Old" })).hasErrors, false);
    assert.equal((await db.deleteRecordZones("Old")).hasErrors, false);
});

test("a change feed goes on from its token, and begins anew after a refused one", async () => {
    await db.ensureZone("Feed");
    await db.save({ recordType: "Note", recordName: "a", fields: {} }, { zone: "Feed" });
    let since;
    for await (const change of db.changes({ zone: "Feed" })) since = change.token ?? since;
    await db.save({ recordType: "Note", recordName: "b", fields: {} }, { zone: "Feed" });
    await db.delete("a", { zone: "Feed" });
    const news = await all(db.changes({ zone: "Feed", since }));
    assert.deepEqual(news.map(({ record, deleted }) => record?.recordName ?? deleted).filter(Boolean).sort(), ["a", "b"]);
    await db.deleteRecordZones("Feed");
    await db.ensureZone("Feed");
    const anew = await all(db.changes({ zone: "Feed", since }));
    assert.equal(anew[0].resync, true);
    assert.ok(anew.at(-1).token);
});

test("a zone that is missing, a bad field and a missing user say so", async () => {
    await assert.rejects(db.get("x", { zone: "Nowhere" }), { ckErrorCode: "ZONE_NOT_FOUND", status: 404 });
    assert.throws(() => db.newRecordsBatch().create({ recordType: "Note", fields: { f: () => {} } }), TypeError);
    await assert.rejects(db.save({ recordType: "Note", fields: { f: NaN } }), TypeError);
    const nobody = await server.container(undefined);
    await assert.rejects(nobody.privateCloudDatabase.fetchAllRecordZones(), (error) => error.isSignInRequired && error.redirectURL.startsWith(server.origin));
    assert.equal(await nobody.setUpAuth(), null);
});
