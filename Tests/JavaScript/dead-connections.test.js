import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";

import { memoryStore, openOffline } from "../../Public/client/offline.js";
import { TestServer, until } from "./server.js";

const limit = { timeout: 60_000 };
let server;

before(async () => (server = await TestServer.start()), limit);
after(() => server.stop());

/** A `fetch` whose first calls go as told: "dead" never answers, "half" sends a part of the body and no more. */
function dying(...fates) {
    const calls = [];
    return {
        calls,
        fetch: async (url, options) => {
            calls.push(url);
            const fate = fates.shift();
            if (fate === "dead") return new Promise(() => {});
            const response = await fetch(url, options);
            if (fate !== "half") return response;
            const text = await response.text();
            const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(text.slice(0, 5))) });
            return new Response(body, { status: response.status, headers: response.headers });
        },
    };
}

for (const fate of ["dead", "half"]) {
    test(`a call is tried again when its connection is ${fate}`, limit, async () => {
        const { fetch, calls } = dying(fate);
        const container = await server.container("mei@example.com", { fetch, timeLimit: 2, retryDelay: 1 });
        const { zones } = await container.privateCloudDatabase.fetchAllRecordZones();
        assert.ok(zones.length >= 1);
        assert.equal(calls.length, 2);
    });
}

test("a save whose answer never comes is looked up, and saved once", limit, async () => {
    const { fetch } = dying("half");
    const db = (await server.container("mei@example.com", { fetch, timeLimit: 2, retryDelay: 1 })).privateCloudDatabase;
    const note = await db.save({ recordType: "Note", recordName: "once", fields: { title: "once" } });
    assert.equal(note.fields.title, "once");
});

test("a server that takes connections and says nothing is given up, and the device is offline", limit, async () => {
    const sockets = new Set();
    let requests = 0;
    const silent = createServer((socket) => sockets.add(socket.once("data", () => (requests += 1)))).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    try {
        const origin = `http://127.0.0.1:${silent.address().port}`;
        const container = await server.container(undefined, { origin, timeLimit: 0.05, retryDelay: 1 });
        const notes = await openOffline(container, { zones: ["Notes"], store: memoryStore() });
        await assert.rejects(notes.sync(), { ckErrorCode: "REQUEST_TIMED_OUT" });
        assert.equal(notes.status.state, "offline");
        assert.equal(requests, 2);
    } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
    }
});

test("a network that is back ends a try that has been silent", limit, async () => {
    const page = new EventTarget();
    globalThis.addEventListener = page.addEventListener.bind(page);
    globalThis.removeEventListener = page.removeEventListener.bind(page);
    try {
        const { fetch, calls } = dying("dead");
        const container = await server.container("mei@example.com", { fetch, timeLimit: 3_600, retryDelay: 1 });
        let zones;
        const call = container.privateCloudDatabase.fetchAllRecordZones().then((answer) => (zones = answer.zones));
        await until(() => {
            page.dispatchEvent(new Event("online"));
            return zones;
        });
        await call;
        assert.equal(calls.length, 2);
    } finally {
        delete globalThis.addEventListener;
        delete globalThis.removeEventListener;
    }
});

test("an upload whose connection dies begins again", limit, async () => {
    const { fetch, calls } = dying("live", "dead");
    const db = (await server.container("mei@example.com", { fetch, timeLimit: 2, retryDelay: 1 })).privateCloudDatabase;
    const photo = { recordType: "Photo", fields: {} };
    const asset = await db.upload(photo, "image", new Blob(["bytes"]), { onProgress: () => {} });
    assert.equal(asset.size, 5);
    assert.equal(calls.length, 4);
});
