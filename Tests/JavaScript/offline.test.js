import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync, readdirSync, appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { fileStore, fileTokenStore } from "../../Public/client/node.js";
import { memoryStore, openOffline } from "../../Public/client/offline.js";
import { configure } from "../../Public/client/cumulus.js";
import { Emulator } from "../../Public/client/testing.js";
import { apiToken, containerIdentifier, TestServer, until } from "./server.js";

let server, folder;

before(async () => {
    server = await TestServer.start();
    folder = mkdtempSync(join(tmpdir(), "cumulus-js-store-"));
});
after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
});

async function device(email, options = {}) {
    const container = await server.container(email, { retryDelay: 1 });
    return openOffline(container, { zones: ["Notes"], store: memoryStore(), ...options });
}

function titles(records) {
    return records.map(({ fields }) => fields.title).sort();
}

test("an edit made offline is there at once, and on the other device after both synchronized", async () => {
    const phone = await device("a@example.com");
    const tablet = await device("a@example.com");
    const events = [];
    tablet.on((event) => events.push(event));
    const saved = await phone.save({ recordType: "Note", fields: { title: "Milk", day: new Date(0) } });
    assert.equal(saved.isPending, true);
    assert.equal((await phone.get(saved.recordName)).fields.title, "Milk");
    await phone.sync();
    await tablet.sync();
    const read = await tablet.get(saved.recordName);
    assert.deepEqual(read.fields.day, new Date(0));
    assert.equal(read.isPending, false);
    assert.equal(events.some(({ type, changes }) => type === "records" && changes[0].recordName === saved.recordName), true);
    assert.deepEqual(events.filter(({ type }) => type === "status").map(({ state }) => state), ["syncing", "idle"]);
    await tablet.delete(saved.recordName);
    await tablet.sync();
    await phone.sync();
    assert.deepEqual(await phone.records(), []);
});

test("edits of different fields merge, and of the same field the server's stands", async () => {
    const phone = await device("b@example.com");
    const tablet = await device("b@example.com");
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "a", body: "b" } });
    await phone.sync();
    await tablet.sync();
    await phone.save({ recordName: "n", recordType: "Note", fields: { title: "phone" } });
    await tablet.save({ recordName: "n", recordType: "Note", fields: { title: "tablet", body: "tablet" } });
    await phone.sync();
    await tablet.sync();
    await phone.sync();
    for (const each of [phone, tablet]) {
        const { fields } = await each.get("n");
        assert.deepEqual([fields.title, fields.body], ["phone", "tablet"]);
    }
});

test("an app settles conflicts its own way", async () => {
    const resolve = ({ mine, theirs }) => (mine && theirs ? { fields: { ...theirs.fields, title: `${theirs.fields.title} & ${mine.fields.title}` } } : "mine");
    const phone = await device("c@example.com");
    const tablet = await device("c@example.com", { resolve });
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "a" } });
    await phone.save({ recordType: "Note", recordName: "m", fields: { title: "m" } });
    await phone.sync();
    await tablet.sync();
    await phone.save({ recordName: "n", recordType: "Note", fields: { title: "phone" } });
    await phone.delete("m");
    await tablet.save({ recordName: "n", recordType: "Note", fields: { title: "tablet" } });
    await tablet.save({ recordName: "m", recordType: "Note", fields: { title: "kept" } });
    await phone.sync();
    await tablet.sync();
    await phone.sync();
    assert.deepEqual(titles(await phone.records()), ["kept", "phone & tablet"]);
});

test("an edit of a record that somebody deleted is reported, and a deletion of one that somebody edited gives way", async () => {
    const phone = await device("d@example.com");
    const tablet = await device("d@example.com");
    for (const recordName of ["x", "y"]) await phone.save({ recordType: "Note", recordName, fields: { title: recordName } });
    await phone.sync();
    await tablet.sync();
    await phone.delete("x");
    await phone.save({ recordType: "Note", recordName: "y", fields: { title: "edited" } });
    await tablet.save({ recordType: "Note", recordName: "x", fields: { title: "lost" } });
    await tablet.delete("y");
    await phone.sync();
    await tablet.sync();
    assert.deepEqual(titles(await tablet.records()), ["edited"]);
    const [problem, ...others] = await tablet.problems();
    assert.deepEqual([problem.kind, problem.recordName, problem.record.fields.title.value], ["discarded", "x", "lost"]);
    assert.equal(others.length, 0);
    await tablet.dismiss(problem.id);
    assert.equal((await tablet.problems()).length, 0);
});

test("an atomic edit reaches the server whole or not at all", async () => {
    const phone = await device("e@example.com");
    const tablet = await device("e@example.com");
    await phone.save({ recordType: "Note", recordName: "one", fields: { title: "1" } });
    await phone.sync();
    await tablet.sync();
    await phone.save({ recordType: "Note", recordName: "one", fields: { title: "changed" } });
    await phone.sync();
    await tablet.edit((edit) => {
        edit.save({ recordType: "Note", recordName: "one", fields: { body: "2" } });
        edit.save({ recordType: "Note", recordName: "two", fields: { title: "2" } });
    }, { isAtomic: true });
    await tablet.sync();
    await phone.sync();
    assert.deepEqual(titles(await phone.records()), ["2", "changed"]);
    assert.equal((await phone.get("one")).fields.body, "2");
    await assert.rejects(phone.edit((edit) => {
        for (let at = 0; at < 201; at += 1) edit.save({ recordType: "Note", fields: {} });
    }, { isAtomic: true }), { ckErrorCode: "LIMIT_EXCEEDED" });
});

test("an edit that the server refuses is kept aside, and the others are sent", async () => {
    const phone = await device("f@example.com");
    await phone.save({ recordType: "Note", recordName: "first", fields: { count: { value: 1, type: "INT64" } } });
    await phone.sync();
    await phone.save({ recordType: "Note", recordName: "bad", fields: { count: { value: "x", type: "STRING" } } });
    await phone.save({ recordType: "Note", recordName: "good", fields: { count: { value: 2, type: "INT64" } } });
    await phone.sync();
    const [problem] = await phone.problems();
    assert.deepEqual([problem.kind, problem.recordName, problem.ckErrorCode], ["refused", "bad", "BAD_REQUEST"]);
    assert.equal((await phone.get("good")).isPending, false);
    assert.equal(await phone.pendingCount(), 1);
    await phone.revert("bad");
    assert.equal(await phone.pendingCount(), 0);
    assert.equal(await phone.get("bad"), null);
});

test("1,360 records that wait go in several requests", async () => {
    const phone = await device("g@example.com");
    await phone.edit((edit) => {
        for (let at = 0; at < 1360; at += 1) edit.save({ recordType: "Note", recordName: `n${at}`, fields: { title: `${at}` } });
    });
    await phone.sync();
    assert.equal(await phone.pendingCount(), 0);
    const tablet = await device("g@example.com");
    await tablet.sync();
    assert.equal((await tablet.records()).length, 1360);
});

test("a photo taken offline is uploaded with its record", async () => {
    const phone = await device("h@example.com");
    const bytes = crypto.getRandomValues(new Uint8Array(20_000));
    const saved = await phone.save({ recordType: "Photo", recordName: "p", fields: { image: new Blob([bytes]) } });
    assert.deepEqual(await phone.assetBytes(saved.fields.image), bytes);
    await phone.sync();
    const { fields } = await phone.get("p");
    assert.equal(fields.image.size, 20_000);
    assert.deepEqual(new Uint8Array(await (await fetch(phone.container.assetURL(fields.image))).arrayBuffer()), bytes);
    assert.equal(await phone.assetBytes(saved.fields.image), undefined);
});

for (const [onZoneDeleted, left] of [["discard", []], ["keep", ["kept", "new"]]]) {
    test(`a zone that somebody deleted: ${onZoneDeleted}`, async () => {
        const phone = await device(`zone-${onZoneDeleted}@example.com`, { onZoneDeleted });
        await phone.save({ recordType: "Note", recordName: "n", fields: { title: "kept" } });
        await phone.sync();
        await phone.database.deleteRecordZones("Notes");
        await phone.save({ recordType: "Note", recordName: "m", fields: { title: "new" } });
        await phone.sync();
        assert.deepEqual(titles(await phone.records()), left);
        assert.equal((await phone.problems()).length, onZoneDeleted === "keep" ? 0 : 1);
        await phone.save({ recordType: "Note", recordName: "o", fields: { title: "zzz" } });
        await phone.sync();
        assert.equal(await phone.pendingCount(), 0);
        assert.deepEqual(titles(await phone.records()), [...left, "zzz"]);
    });
}

test("a zone that was made anew is read from the beginning, and what it lacks is removed", async () => {
    const phone = await device("anew@example.com");
    const other = await device("anew@example.com");
    await phone.save({ recordType: "Note", recordName: "old", fields: { title: "old" } });
    await phone.sync();
    await other.database.deleteRecordZones("Notes");
    await other.save({ recordType: "Note", recordName: "new", fields: { title: "new" } });
    await other.sync();
    const events = [];
    phone.on((event) => events.push(event.type));
    await phone.sync();
    assert.deepEqual(titles(await phone.records()), ["new"]);
    assert.equal(events.includes("resync"), true);
});

test("another user finds nothing of the first one's", async () => {
    const store = memoryStore();
    const phone = await device("i@example.com", { store });
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "mine" } });
    await phone.sync();
    await phone.save({ recordType: "Note", recordName: "m", fields: { title: "unsent" } });
    await phone.container.signIn({ webAuthToken: await server.token("j@example.com") });
    const events = [];
    phone.on((event) => event.type === "account" && events.push(event));
    await phone.sync();
    assert.deepEqual(await phone.records(), []);
    assert.deepEqual(events[0].unsent.map(({ name }) => name), ["m"]);
    assert.deepEqual((await phone.database.fetchAllRecordZones()).zones.map(({ zoneID }) => zoneID.zoneName), ["_defaultZone"]);
});

test("a member keeps what others share", async () => {
    const owner = await device("k@example.com");
    await owner.save({ recordType: "Trip", recordName: "lisbon", fields: { title: "Lisbon" } });
    await owner.sync();
    const share = await owner.database.share(await owner.database.get("lisbon", { zone: "Notes" }), { publicPermission: "READ_ONLY" });
    const container = await server.container("l@example.com", { retryDelay: 1 });
    await container.acceptShares(share.shortGUID);
    const member = await openOffline(container, { scope: "shared", store: memoryStore() });
    await member.sync();
    const [{ zoneID }] = (await container.sharedCloudDatabase.fetchAllRecordZones()).zones;
    const trip = await member.get("lisbon", { zone: zoneID });
    assert.equal(trip.fields.title, "Lisbon");
    await member.save({ ...trip, fields: { ...trip.fields, title: "Mine" } });
    await member.sync();
    assert.equal((await member.get("lisbon", { zone: zoneID })).fields.title, "Lisbon");
    assert.equal((await member.problems())[0].ckErrorCode, "ACCESS_DENIED");
    await owner.database.delete(share.recordName, { zone: "Notes" });
    await member.sync();
    assert.equal(await member.get("lisbon", { zone: zoneID }), null);
});

test("a device is woken by a message and sends by itself", { timeout: 30_000 }, async () => {
    const phone = await device("m@example.com");
    const tablet = await device("m@example.com");
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "first" } });
    await phone.sync();
    await tablet.database.saveSubscriptions({ subscriptionID: "all", subscriptionType: "database" });
    tablet.start();
    await until(async () => (await tablet.records()).length === 1);
    phone.start({ notifications: false });
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "second" } });
    await until(async () => (await tablet.get("n")).fields.title === "second");
    await phone.close();
    tablet.container.notifications.stop();
    await tablet.close();
});

// MARK: Stores on disk

test("a file keeps everything over a restart, and grows no further than it must", async () => {
    const path = join(folder, "store");
    const open = async () => device("n@example.com", { store: await fileStore(path) });
    let phone = await open();
    await phone.save({ recordType: "Photo", recordName: "p", fields: { title: "kept", image: new Blob(["bytes"]) } });
    await phone.close();
    phone = await open();
    assert.equal((await phone.get("p")).isPending, true);
    await phone.sync();
    for (let at = 0; at < 700; at += 1) await phone.save({ recordType: "Photo", recordName: "p", fields: { title: `${at}` } });
    await phone.close();
    assert.ok(readFileSync(path, "utf8").split("\n").length < 1_200);
    phone = await open();
    assert.equal((await phone.get("p")).fields.title, "699");
    await phone.close();
});

test("a file whose end was cut off has everything that counted", async () => {
    const path = join(folder, "torn");
    let phone = await device("o@example.com", { store: await fileStore(path) });
    await phone.save({ recordType: "Note", recordName: "n", fields: { title: "kept" } });
    await phone.close();
    appendFileSync(path, "0123456789abcdef [[\"records\"");
    phone = await device("o@example.com", { store: await fileStore(path) });
    assert.deepEqual(titles(await phone.records()), ["kept"]);
    assert.deepEqual(await phone.problems(), []);
    await phone.close();
});

test("a damaged file is set aside, what is whole stays, and the rest comes from the server", async () => {
    const path = join(folder, "damaged");
    let phone = await device("p@example.com", { store: await fileStore(path) });
    for (const title of ["a", "b", "c"]) await phone.save({ recordType: "Note", recordName: title, fields: { title } });
    await phone.sync();
    await phone.save({ recordType: "Note", recordName: "d", fields: { title: "unsent" } });
    await phone.close();
    const lines = readFileSync(path, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes("syncToken") || line.includes("recordChangeTag"));
    lines[at] = lines[at].replace("Note", "Nope");
    writeFileSync(path, lines.join("\n"));
    phone = await device("p@example.com", { store: await fileStore(path) });
    assert.ok(readdirSync(folder).includes("damaged.damaged"));
    await phone.sync();
    assert.deepEqual(titles(await phone.records()), ["a", "b", "c", "unsent"]);
    assert.equal((await phone.problems())[0].kind, "damaged");
    assert.equal(await phone.pendingCount(), 0);
    await phone.close();
});

test("a damaged entry is read anew, and holds up nothing", async () => {
    const store = memoryStore();
    const phone = await device("q@example.com", { store });
    for (const title of ["a", "b"]) await phone.save({ recordType: "Note", recordName: title, fields: { title } });
    await phone.sync();
    await phone.save({ recordType: "Note", recordName: "c", fields: { title: "c" } });
    store.apply([["records", "/Notes/a", { name: 7 }], ["outbox", "/Notes/b", { what: "is this" }], ["records", "/Notes/x", "text"]]);
    await phone.records();
    await phone.sync();
    assert.deepEqual(titles(await phone.records()), ["a", "b", "c"]);
    assert.equal(await phone.pendingCount(), 0);
    assert.equal((await phone.problems()).every(({ kind }) => kind === "damaged"), true);
});

test("a store of another database is refused", async () => {
    const store = memoryStore();
    await device("r@example.com", { store });
    await assert.rejects(device("r@example.com", { store, scope: "shared" }), { ckErrorCode: "INVALID_ARGUMENTS" });
    await assert.rejects(device("r@example.com", { scope: "public" }), { ckErrorCode: "INVALID_ARGUMENTS" });
});

test("a token in a file is for its owner alone", async () => {
    const path = join(folder, "token");
    const settings = { origin: server.origin, containers: [{ containerIdentifier, apiTokenAuth: { apiToken } }] };
    const container = configure({ ...settings, tokenStore: fileTokenStore(path) }).getDefaultContainer();
    await container.signIn({ webAuthToken: await server.token("s@example.com") });
    const { statSync } = await import("node:fs");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const next = configure({ ...settings, tokenStore: fileTokenStore(path) }).getDefaultContainer();
    assert.equal((await next.setUpAuth()).emailAddress, "s@example.com");
    await next.signOut();
    assert.equal(readdirSync(folder).includes("token"), false);
});

test("after a restore of the server this device brings back what the server lost", { timeout: 60_000 }, async () => {
    let old = await TestServer.start();
    const { data } = old;
    const origin = new URL(old.origin);
    const open = async (store) => openOffline(await old.container("t@example.com", { retryDelay: 1 }), { zones: ["Notes"], store });
    const store = memoryStore();
    const phone = await open(store);
    for (const title of ["a", "b", "c"]) await phone.save({ recordType: "Note", recordName: title, fields: { title } });
    await phone.sync();
    await phone.container.fetchCurrentUserIdentity();
    await old.halt();
    cpSync(join(data, "data"), join(data, "copy"), { recursive: true });
    old = await TestServer.start(data, origin.port);
    await phone.save({ recordType: "Note", recordName: "a", fields: { title: "a later" } });
    await phone.save({ recordType: "Note", recordName: "d", fields: { title: "d later" } });
    await phone.sync();
    await old.halt();
    rmSync(join(data, "data"), { recursive: true });
    cpSync(join(data, "copy"), join(data, "data"), { recursive: true });
    old = await TestServer.start(data, origin.port);
    const other = await open(memoryStore());
    await other.sync();
    await other.save({ recordType: "Note", recordName: "b", fields: { title: "b elsewhere" } });
    await other.sync();
    await phone.save({ recordType: "Note", recordName: "c", fields: { title: "c unsent" } });
    await phone.sync();
    await other.sync();
    for (const each of [phone, other]) assert.deepEqual(titles(await each.records()), ["a later", "b elsewhere", "c unsent", "d later"]);
    assert.equal(await phone.pendingCount(), 0);
    await old.stop();
});

test("a device that was offline for a year sends what it has and takes in what came since", { timeout: 60_000 }, async () => {
    const own = await TestServer.start();
    try {
        const emulator = new Emulator({ origin: own.origin, container: containerIdentifier, apiToken });
        const open = async (store) => openOffline(await own.container("y@example.com", { retryDelay: 1 }), { zones: ["Notes"], store });
        const stores = [memoryStore(), memoryStore()];
        const phone = await open(stores[0]);
        let tablet = await open(stores[1]);
        for (const title of ["a", "b", "c"]) await phone.save({ recordType: "Note", recordName: title, fields: { title } });
        await phone.sync();
        await tablet.sync();
        const change = async (device, fields) => {
            const note = await device.get("a");
            Object.assign(note.fields, fields);
            await device.save(note);
        };
        await change(phone, { body: "offline" });
        await phone.save({ recordType: "Note", recordName: "new", fields: { title: "new" } });
        for (let month = 1; month <= 12; month++) {
            await emulator.advanceClock((365 * 86_400) / 12);
            tablet = await open(stores[1]);
            await tablet.save({ recordType: "Note", recordName: `m${month}`, fields: { title: `m${month}` } });
            await tablet.sync();
        }
        await change(tablet, { title: "a later" });
        await tablet.delete("b");
        await tablet.sync();
        // The session has ended, and what was edited waits.
        await phone.sync().catch(() => {});
        assert.equal(await phone.pendingCount(), 2);
        const again = await open(stores[0]);
        await again.sync();
        await tablet.sync();
        const months = Array.from({ length: 12 }, (_, month) => `m${month + 1}`);
        for (const each of [again, tablet]) assert.deepEqual(titles(await each.records()), ["a later", "c", "new", ...months].sort());
        assert.equal((await tablet.get("a")).fields.body, "offline");
        assert.equal(await again.pendingCount(), 0);
    } finally {
        await own.stop();
    }
});
