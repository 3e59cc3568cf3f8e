import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { OfflineDatabase } from "../../Public/client/offline.js";
import { Ledger, recordKey } from "../../Public/client/lib/sync/ledger.js";
import { runHistories } from "./histories.js";
import { TestServer } from "./server.js";

let server;

before(async () => (server = await TestServer.start()));
after(() => server.stop());

/** HISTORIES names how many are run; else as many as there is time for. HISTORY names one that is run alone. */
const { HISTORIES, HISTORY } = process.env;

test("two devices converge and lose no edit that the server took", { timeout: 3_600_000 }, async (context) => {
    const choice = HISTORY ? { first: Number(HISTORY), count: 1 } : HISTORIES ? { count: Number(HISTORIES) } : { milliseconds: 12_000 };
    const { count, failures, kills } = await runHistories(server, choice);
    context.diagnostic(`${count} histories, ${failures.length} failed; the server was killed ${kills} times`);
    assert.deepEqual(failures.map(({ message, stack }) => HISTORY ? stack : message.slice(0, 600)), []);
});

/** Faults that an engine could have, each planted into this one. */
const planted = {
    "an edit made while an earlier one was sent counts as sent": [Ledger, "acknowledge", (original) => async function (zone, name, theirs) {
        const pending = await this.pending(zone, name);
        if (pending?.inFlight) await this.release(zone, name, { inFlight: { ...pending.inFlight, generation: pending.generation } });
        return original.call(this, zone, name, theirs);
    }],
    "a fetched tag moves on without a merge": [Ledger, "receive", (original) => async function (zone, name, theirs, options) {
        const entry = await this.entry(zone, name);
        if (!theirs || !(await this.pending(zone, name)) || !entry?.local) return original.call(this, zone, name, theirs, options);
        return this.put(zone, { ...entry, base: theirs });
    }],
    "a token counts without its page": [Ledger, "takePage", (original) => async function (page, zone) {
        return original.call(this, Math.random() < 0.2 ? { ...page, records: [] } : page, zone);
    }],
    "a conflict is overwritten": [OfflineDatabase, "modify", (original) => async function (body, signal) {
        const operations = body.operations.map((each) => (each.operationType === "update" ? { ...each, operationType: "forceUpdate" } : each));
        return original.call(this, { ...body, operations }, signal);
    }],
    "a deletion asks for no tag": [OfflineDatabase, "modify", (original) => async function (body, signal) {
        const operations = body.operations.map((each) => (each.operationType === "delete" ? { ...each, operationType: "forceDelete" } : each));
        return original.call(this, { ...body, operations }, signal);
    }],
    "an edit and its place in the queue are two transactions": [Ledger, "enqueue", (original) => async function (zone, name, options) {
        if (Math.random() < 0.05) return this.transaction.delete("outbox", recordKey(zone, name));
        return original.call(this, zone, name, options);
    }],
};

for (const [name, [type, method, fault]] of Object.entries(planted)) {
    test(`the histories find an engine in which ${name}`, { timeout: 300_000, skip: HISTORY !== undefined }, async (context) => {
        const original = type.prototype[method];
        type.prototype[method] = fault(original);
        try {
            const { count, failures } = await runHistories(server, { first: 100_001, milliseconds: 60_000, untilFailure: true });
            context.diagnostic(`found after ${count} histories: ${failures[0]?.message.slice(0, 120)}`);
            assert.notEqual(failures.length, 0);
        } finally {
            type.prototype[method] = original;
        }
    });
}
