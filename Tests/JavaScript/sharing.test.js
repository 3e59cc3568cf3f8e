import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { all, TestServer, until } from "./server.js";

let server;

before(async () => (server = await TestServer.start()));
after(() => server.stop());

test("an asset is uploaded with progress, saved, read back and reached under a file name", async () => {
    const container = await server.container("mei@example.com");
    const db = container.privateCloudDatabase;
    await db.ensureZone("Album");
    const bytes = crypto.getRandomValues(new Uint8Array(65_000));
    const photo = { recordType: "Photo", recordName: "temple", fields: {} };
    const progress = [];
    await db.upload(photo, "image", new Blob([bytes, bytes, bytes], { type: "image/jpeg" }), { zone: "Album", onProgress: (each) => progress.push(each) });
    assert.deepEqual(progress.at(-1), { loaded: 195_000, total: 195_000 });
    const saved = await db.save(photo, { zone: "Album" });
    assert.match(container.assetURL(saved.fields.image, "a b.jpg"), /a%20b\.jpg\?/);
    const read = new Uint8Array(await (await db.download(saved, "image")).arrayBuffer());
    assert.deepEqual(read.subarray(130_000), bytes);
    saved.fields.caption = "with a caption";
    assert.equal((await db.save(saved)).fields.image.size, 195_000);
    saved.fields.image = { ...saved.fields.image, downloadURL: `${saved.fields.image.downloadURL}0` };
    assert.equal((await db.download(saved, "image")).status, 200);
});

test("a record is shared by its link, edited by a member, and taken back", async () => {
    const owner = await server.container("owner@example.com");
    const guest = await server.container("guest@example.com");
    const mine = owner.privateCloudDatabase;
    await mine.ensureZone("Trips");
    const trip = await mine.save({ recordType: "Trip", recordName: "lisbon", fields: { name: "Lisbon" } }, { zone: "Trips" });
    const share = await mine.share(trip, { title: "Lisbon", publicPermission: "READ_WRITE" });
    assert.match(owner.shareURL(share), /\/share\/[A-Za-z0-9]{25}$/);
    const { results } = await guest.fetchRecordInfos(share.shortGUID);
    assert.equal(results[0].rootRecord.recordName, "lisbon");
    assert.equal((await guest.acceptShares([share.shortGUID])).results[0].participantPermission, "READ_WRITE");
    const theirs = guest.sharedCloudDatabase;
    const [{ zoneID }] = (await theirs.fetchAllRecordZones()).zones;
    const found = await theirs.get("lisbon", { zone: zoneID });
    found.fields.name = "Lisboa";
    await theirs.save(found);
    await theirs.save({ recordType: "Photo", recordName: "tram", parent: "lisbon", fields: {} }, { zone: zoneID });
    assert.deepEqual((await all(mine.query("Photo", { zone: "Trips" }))).map(({ recordName }) => recordName), ["tram"]);
    assert.equal((await mine.get("lisbon", { zone: "Trips" })).fields.name, "Lisboa");
    await mine.delete(share.recordName, { zone: "Trips" });
    await assert.rejects(theirs.get("lisbon", { zone: zoneID }), { ckErrorCode: "ZONE_NOT_FOUND" });
});

for (const transport of ["stream", "poll"]) {
    test(`a subscription's messages come by ${transport}, and one's own writes bring none`, async () => {
        const email = `${transport}@example.com`;
        const listening = await server.container(email, { notifications: { transport } });
        const writing = await server.container(email);
        const db = writing.privateCloudDatabase;
        await db.ensureZone("News");
        await listening.privateCloudDatabase.saveSubscriptions({ subscriptionID: "news", subscriptionType: "zone", zoneID: { zoneName: "News" } });
        assert.equal((await db.fetchAllSubscriptions()).subscriptions[0].subscriptionID, "news");
        const heard = [];
        const off = listening.notifications.on((message) => heard.push(message));
        await until(() => heard.length === 1);
        assert.deepEqual(heard, [{ reconnected: true }]);
        await listening.privateCloudDatabase.save({ recordType: "Note", fields: {} }, { zone: "News" });
        await db.save({ recordType: "Note", fields: {} }, { zone: "News" });
        await until(() => heard.length === 2);
        assert.equal(heard[1].ck.fet.sid, "news");
        await db.save({ recordType: "Note", fields: {} }, { zone: "News" });
        await until(() => heard.length === 3);
        off();
        assert.equal((await db.deleteSubscriptions("news")).hasErrors, false);
    });
}

test("two devices share keys and values", async () => {
    const phone = (await server.container("kv@example.com")).keyValue;
    const tablet = (await server.container("kv@example.com")).keyValue;
    const values = { text: "dark", whole: 3, fraction: 0.5, flag: true, day: new Date(0), bytes: new Uint8Array([1, 2]), list: [1, "a"], object: { a: 1 } };
    for (const [key, value] of Object.entries(values)) await phone.set(key, value);
    const heard = [];
    tablet.onChange((change) => heard.push(change));
    await tablet.synchronize();
    assert.equal(heard[0].reason, "INITIAL_SYNC");
    for (const [key, value] of Object.entries(values)) assert.deepEqual(tablet.get(key), value);
    await tablet.remove("text");
    await phone.synchronize();
    assert.equal(phone.get("text"), undefined);
    assert.equal(phone.keys().includes("text"), false);
});

test("a file in a field is uploaded by the save, with short and long names", async () => {
    const db = (await server.container("files@example.com")).privateCloudDatabase;
    const saved = await db.save({ recordType: "Photo", recordName: "one", fields: { title: "One", image: new Blob(["first"]), more: [new Blob(["a"]), new Blob(["bc"])] } });
    assert.deepEqual([saved.fields.image.size, saved.fields.more.map(({ size }) => size)], [5, [1, 2]]);
    assert.equal(await (await db.download(saved, "image")).text(), "first");
    saved.fields.image = new Blob(["second"]);
    const newer = await db.save(saved);
    assert.equal(await (await db.download(newer, "image")).text(), "second");
    const { records, hasErrors } = await db.saveRecords([
        { recordType: "Photo", recordName: "two", fields: { image: { value: new Blob(["third"]) } } },
        { recordType: "Photo", recordName: "three", fields: { image: new Blob(["4th"]) } },
    ]);
    assert.equal(hasErrors, false);
    assert.deepEqual(records.map(({ fields }) => fields.image.value.size), [5, 3]);
});
