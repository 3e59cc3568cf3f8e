/** Runs under `cumulus exec`, which names the server in the environment. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { Emulator } from "cumulus-client/testing";

import { ShoppingList } from "./list.js";

const emulator = new Emulator();
const email = "mei@example.com";
let list;

async function openList() { return new ShoppingList(await emulator.signedIn(email, { retryDelay: 10 })); }

before(() => emulator.takeSnapshot("seeded"));
// What works here works beside a busy server too.
after(async () => assert.deepEqual(await emulator.lint(), []));
beforeEach(async () => {
    await emulator.removeFaults();
    await emulator.restore("seeded");
    list = await openList();
});

test("the list has what was seeded, before each test", async () => {
    assert.deepEqual(await list.refresh(), ["Bread", "Milk"]);
    await list.remove("Milk");
    assert.deepEqual(await list.refresh(), ["Bread"]);
});

test("two devices see each other's items", async () => {
    const other = await openList();
    await list.add("Eggs");
    await other.remove("Bread");
    assert.deepEqual(await list.refresh(), await other.refresh());
    assert.deepEqual(await list.refresh(), ["Eggs", "Milk"]);
});

test("a throttled save waits and is sent again", async () => {
    await emulator.addFault({ route: "records/modify", nth: 1, error: "THROTTLED", retryAfter: 1 });
    await list.add("Eggs");
    assert.deepEqual((await emulator.faults()).map(({ matched, decided }) => [matched, decided]), [[2, 1]]);
    assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk"]);
});

test("a connection that is lost after the save leaves the item there once", async () => {
    await emulator.addFault({ route: "records/modify", nth: 1, hangUp: "after" });
    await list.add("Eggs");
    assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk"]);
});

test("what is refused of a batch is told, and the rest is saved", async () => {
    await emulator.addFault({ recordType: "Item", user: email, operation: 1, error: "QUOTA_EXCEEDED" });
    assert.deepEqual(await list.addAll(["Eggs", "Salt", "Oil"]), ["Salt"]);
    assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk", "Oil"]);
});

test("pages of one end, and a slow answer is waited for", async () => {
    await emulator.addFault({ route: "changes/zone", pageSize: 1, latency: 20 });
    await list.addAll(["Eggs", "Salt", "Oil"]);
    assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk", "Oil", "Salt"]);
});

test("after a restore a device begins anew, whether its token is kept or refused", async () => {
    await list.refresh();
    await list.add("Eggs");
    for (const syncTokens of ["kept", "refused"]) {
        await emulator.restore("seeded", { syncTokens });
        assert.deepEqual(await list.refresh(), ["Bread", "Milk"]);
    }
});

test("a change is heard of, and one whose notification is lost comes with the next", async () => {
    const other = await openList();
    let heard;
    const next = () => new Promise((resolve) => { heard = resolve; });
    const listening = next();
    const stop = await list.follow(() => heard());
    try {
        await listening;
        for (const [fault, titles] of [[null, ["Eggs"]], [{ push: "lost", count: 1 }, ["Salt", "Oil"]], [{ push: "twice" }, ["Tea"]]]) {
            if (fault) await emulator.addFault(fault);
            const change = next();
            for (const title of titles) {
                // A message that still waits takes in the next change, and would be lost with it.
                if (title === titles[1]) while (!(await emulator.faults())[0].decided) await setTimeout(20);
                await other.add(title);
            }
            await change;
            await emulator.removeFaults();
        }
        assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk", "Oil", "Salt", "Tea"]);
    } finally {
        stop();
    }
});

test("an expired sync token begins the list anew", async () => {
    await list.refresh();
    await list.add("Eggs");
    await emulator.addFault({ syncToken: "refused", count: 1 });
    assert.deepEqual(await list.refresh(), ["Bread", "Eggs", "Milk"]);
});

test("a seed of the test's own comes to what is there", async () => {
    await emulator.seed([{ record: { recordType: "Item", recordName: "tea", fields: { title: "Tea" } }, zone: "Shopping", of: email }]);
    assert.deepEqual(await list.refresh(), ["Bread", "Milk", "Tea"]);
    await emulator.reset({ keepSchema: true });
    await assert.rejects(list.add("Eggs"), { ckErrorCode: "ZONE_NOT_FOUND" });
});

test("a session ends with its time", async () => {
    await list.refresh();
    await emulator.advanceClock(25 * 3600);
    await assert.rejects(list.refresh(), (error) => error.isSignInRequired);
    assert.deepEqual(await (await openList()).refresh(), ["Bread", "Milk"]);
});
