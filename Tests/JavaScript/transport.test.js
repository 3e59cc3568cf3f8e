import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { configure, cookieTokenStore, memoryTokenStore } from "../../Public/client/cumulus.js";
import { apiToken, containerIdentifier, TestServer } from "./server.js";

let server;

before(async () => (server = await TestServer.start()));
after(() => server.stop());

/** A `fetch` that answers from a list first, and then as the server does. */
function scripted(...answers) {
    const calls = [];
    return {
        calls,
        fetch: async (url, options) => {
            calls.push({ url, at: Date.now(), body: options?.body });
            const next = answers.shift();
            if (next instanceof Error) throw next;
            if (typeof next === "function") return next(url, options);
            if (next) return new Response(JSON.stringify(next.body ?? ""), { status: next.status, headers: next.headers });
            return fetch(url, options);
        },
    };
}

test("a throttled request waits as long as the server says, and so does every other", async () => {
    const { fetch, calls } = scripted({ status: 429, body: { serverErrorCode: "THROTTLED", retryAfter: 0.2, reason: "slow down" } });
    const db = (await server.container("mei@example.com", { fetch })).privateCloudDatabase;
    await db.fetchAllRecordZones();
    assert.equal(calls.length, 2);
    assert.ok(calls[1].at - calls[0].at >= 195);
});

test("a long pause is told at once, and nothing is sent before it is over", async () => {
    const { fetch, calls } = scripted({ status: 503, body: { serverErrorCode: "TRY_AGAIN_LATER", retryAfter: 3600 } });
    const db = (await server.container("mei@example.com", { fetch })).privateCloudDatabase;
    await assert.rejects(db.fetchAllRecordZones(), { ckErrorCode: "TRY_AGAIN_LATER", retryAfter: 3600 });
    await assert.rejects(db.fetchAllRecordZones(), (error) => error.ckErrorCode === "THROTTLED" && error.retryAfter > 3500);
    assert.equal(calls.length, 1);
});

test("a lost answer of a save is found out by the record, not by a second save", async () => {
    const swallow = async (url, options) => {
        await fetch(url, options);
        throw new TypeError("the connection ended");
    };
    const { fetch: sent } = scripted(swallow);
    const db = (await server.container("mei@example.com", { fetch: sent })).privateCloudDatabase;
    const note = await db.save({ recordType: "Note", fields: { title: "once" } });
    assert.equal(note.fields.title, "once");
    assert.ok(note.recordChangeTag);
});

test("an answer without JSON is told apart by its status", async () => {
    const { fetch } = scripted({ status: 413 }, { status: 418 });
    const db = (await server.container("mei@example.com", { fetch })).privateCloudDatabase;
    await assert.rejects(db.fetchAllRecordZones(), { ckErrorCode: "QUOTA_EXCEEDED", status: 413 });
    await assert.rejects(db.fetchAllRecordZones(), { ckErrorCode: "UNEXPECTED_SERVER_RESPONSE", status: 418 });
});

test("a signal ends a call while it waits", async () => {
    const { fetch } = scripted({ status: 429, body: { serverErrorCode: "THROTTLED", retryAfter: 20 } });
    const db = (await server.container("mei@example.com", { fetch })).privateCloudDatabase;
    const stop = new AbortController();
    const call = db.get("x", { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await assert.rejects(call, (error) => error.isAbort);
});

test("a token is kept, ends with the session, and is not replaced by a late answer", async () => {
    const tokenStore = memoryTokenStore();
    const settings = { origin: server.origin, tokenStore, containers: [{ containerIdentifier, apiTokenAuth: { apiToken } }] };
    const first = configure(settings).getDefaultContainer();
    const heard = [];
    first.auth.onChange((identity) => heard.push(identity?.emailAddress ?? null));
    assert.equal(await first.setUpAuth(), null);
    const signedIn = first.whenUserSignsIn();
    await first.signIn({ webAuthToken: await server.token("mei@example.com") });
    assert.equal((await signedIn).emailAddress, "mei@example.com");
    const second = configure(settings).getDefaultContainer();
    assert.equal((await second.setUpAuth()).emailAddress, "mei@example.com");

    const late = first.fetchCurrentUserIdentity();
    await first.signOut();
    await late;
    assert.equal(tokenStore.getToken(first.key), null);
    assert.deepEqual(heard, ["mei@example.com", null]);
    await assert.rejects(first.privateCloudDatabase.fetchAllRecordZones(), (error) => error.isSignInRequired);
});

test("a bad token ends the session and says where to sign in", async () => {
    const settings = { containerIdentifier, apiTokenAuth: { apiToken, ckWebAuthToken: "1__1__notgoodatall" } };
    const container = configure({ origin: server.origin, containers: [settings] }).getDefaultContainer();
    await assert.rejects(container.privateCloudDatabase.fetchAllRecordZones(), (error) => error.redirectURL?.startsWith(server.origin));
    assert.equal((await container.auth.current()).token, undefined);
});

test("tokens go into cookies that a page's server keeps", () => {
    const jar = new Map();
    const store = cookieTokenStore({ get: (name) => jar.get(name) ?? null, set: (name, value) => (value === null ? jar.delete(name) : jar.set(name, value)) });
    store.putToken("https://a/b", "1__1__a+b/c=");
    assert.match([...jar.values()][0], /^[A-Za-z0-9_%]+$/);
    assert.equal(store.getToken("https://a/b"), "1__1__a+b/c=");
    store.putToken("https://a/b", null);
    assert.equal(jar.size, 0);
});

test("settings that cannot work are refused before anything is sent", () => {
    const containers = [{ containerIdentifier, apiTokenAuth: { apiToken } }];
    for (const origin of ["cloud.example.com", "https://cloud.example.com/path", "ftp://example.com", undefined]) {
        assert.throws(() => configure({ origin, containers }), { ckErrorCode: "INVALID_ARGUMENTS" });
    }
    assert.throws(() => configure({ origin: server.origin, containers: [] }), { ckErrorCode: "INVALID_ARGUMENTS" });
    assert.throws(() => configure({ origin: server.origin, containers: [{ containerIdentifier }] }), { ckErrorCode: "INVALID_ARGUMENTS" });
});
