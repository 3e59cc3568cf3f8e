import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../Examples/Web/serve.js";
import { Browser } from "./browser.js";
import { containerIdentifier, folder, TestServer } from "./server.js";

const limit = { timeout: 60_000 };
let server, browser, site;

const blank = "<!doctype html><title>Test</title>";

before(async () => {
    server = await TestServer.start();
    browser = await Browser.start();
    site = await serve({ cloud: server.origin, more: { "/blank.html": blank } });
}, limit);
after(async () => {
    await browser?.stop();
    await site?.stop();
    await server?.stop();
});

/** A page that has a container under `c` and its private database under `db`. */
async function page({ email, from } = {}) {
    const page = from ? await from.tab() : await browser.page();
    await page.open(`${site.origin}/blank.html`);
    const auth = { apiToken: "d0".repeat(32), persist: true, ckWebAuthToken: email && (await server.token(email)) };
    await page.evaluate(`(async () => {
        const { configure } = await import("/client/cumulus.js");
        window.c = configure({ origin: ${JSON.stringify(server.origin)}, containers: [{ containerIdentifier: "${containerIdentifier}", apiTokenAuth: ${JSON.stringify(auth)} }] }).getDefaultContainer();
        window.db = c.privateCloudDatabase;
    })()`);
    return page;
}

/** Whom a page may reach: its own site and the server. */
function assertHosts(page) {
    const hosts = new Set(page.requests.filter((url) => url.startsWith("http")).map((url) => new URL(url).origin));
    for (const host of hosts) assert.ok([site.origin, server.origin].includes(host), `a request went to ${host}`);
    assert.deepEqual(page.faults, []);
}

/** Signs in as somebody new on the server's page. */
async function signInAsSomebody(popup) {
    await popup.wait(`document.querySelector('[value="new"]')`);
    await popup.click(`[value="new"]`);
}

test("somebody signs in by a window, and is still signed in after a reload", limit, async () => {
    const first = await page();
    assert.equal(await first.evaluate("c.setUpAuth()"), null);
    await first.evaluate(`document.body.append(Object.assign(document.createElement("button"), { id: "in", onclick: () => c.signIn().then((who) => window.who = who, (error) => window.failed = error.message) }))`);
    const popup = await first.popup(() => first.evaluate(`document.getElementById("in").click()`));
    await signInAsSomebody(popup);
    await first.wait("window.who || window.failed");
    assert.match(await first.evaluate("who.userRecordName"), /^_/);
    const second = await page({ from: first });
    assert.equal(await second.evaluate("c.setUpAuth().then((who) => who.userRecordName)"), await first.evaluate("who.userRecordName"));
    await second.evaluate("c.signOut()");
    assert.equal(await second.evaluate("localStorage.length"), 0);
    assertHosts(first);
});

test("a closed window ends the sign-in, and a message of another window means nothing", limit, async () => {
    const first = await page();
    const popup = await first.popup(() => first.evaluate("void c.signIn().then((who) => window.who = who, (error) => window.failed = error.message)"));
    await first.evaluate(`window.postMessage({ ckSession: "1__1__forged" }, "*")`);
    await popup.wait(`document.querySelector('[value="new"]')`);
    await browser.send("Target.closeTarget", { targetId: popup.target });
    await first.wait("window.failed || window.who");
    assert.equal(await first.evaluate("window.failed"), "Signing in failed: userCancelled.");
});

test("a token in the address counts only for who began to sign in, and is removed from it", limit, async () => {
    const first = await page();
    const token = encodeURIComponent(await server.token("redirect@example.com"));
    await first.evaluate(`history.replaceState(null, "", "/blank.html?a=1&ckWebAuthToken=${token}&ckSession=${token}#x")`);
    assert.equal(await first.evaluate("c.setUpAuth()"), null);
    assert.equal(await first.evaluate("location.search + location.hash"), "?a=1#x");
    await first.evaluate(`sessionStorage.setItem("cumulus.sign-in", c.key); history.replaceState(null, "", "/blank.html?ckWebAuthToken=${token}")`);
    assert.equal(await first.evaluate("c.setUpAuth().then((who) => who.emailAddress)"), "redirect@example.com");
    assert.equal(await first.evaluate("location.search"), "");
});

test("the calls work under a strict content policy, with upload progress", limit, async () => {
    const first = await page({ email: "calls@example.com" });
    const said = await first.evaluate(`(async () => {
        await db.ensureZone("Z");
        const progress = [];
        const record = { recordType: "Photo", recordName: "p", fields: { title: "a" } };
        await db.upload(record, "image", new Blob([new Uint8Array(300000)]), { zone: "Z", onProgress: (each) => progress.push(each) });
        const saved = await db.save(record, { zone: "Z" });
        const bytes = (await (await db.download(saved, "image")).arrayBuffer()).byteLength;
        const found = [];
        for await (const each of db.query("Photo", { zone: "Z" })) found.push(each.recordName);
        return { last: progress.at(-1), bytes, found };
    })()`);
    assert.deepEqual(said, { last: { loaded: 300000, total: 300000 }, bytes: 300000, found: ["p"] });
    assertHosts(first);
});

test("two tabs share one listener, and the other takes over when one closes", limit, async () => {
    const first = await page({ email: "tabs@example.com" });
    const second = await page({ email: "tabs@example.com", from: first });
    await first.evaluate(`db.ensureZone("Z").then(() => db.saveSubscriptions({ subscriptionID: "s", subscriptionType: "zone", zoneID: { zoneName: "Z" } }))`);
    for (const each of [first, second]) {
        await each.evaluate("window.heard = []; c.notifications.on((message) => heard.push(message)); 0");
        if (each === first) await each.wait("heard.length === 1");
    }
    const writer = (await server.container("tabs@example.com")).privateCloudDatabase;
    await writer.save({ recordType: "Note", fields: {} }, { zone: "Z" });
    for (const each of [first, second]) await each.wait("heard.some((message) => message.ck?.fet)");
    assert.equal(second.requests.some((url) => url.includes("/events")), false);
    await browser.send("Target.closeTarget", { targetId: first.target });
    await second.wait("heard.some((message) => message.reconnected)");
    await second.evaluate("heard.length = 0");
    await writer.save({ recordType: "Note", fields: {} }, { zone: "Z" });
    await second.wait("heard.some((message) => message.ck?.fet)");
});

test("IndexedDB keeps edits over a reload and without a network, and two tabs see one store", limit, async () => {
    const first = await page({ email: "offline@example.com" });
    const open = `import("/client/offline.js").then(async ({ openOffline }) => { window.local = await openOffline(c, { zones: ["Z"] }); })`;
    await first.evaluate(open);
    await first.evaluate("local.sync()");
    await first.send("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await first.evaluate(`local.save({ recordType: "Note", recordName: "n", fields: { title: "offline" } })`);
    assert.equal(await first.evaluate("local.sync().catch((error) => error.ckErrorCode)"), "NETWORK_ERROR");
    assert.equal(await first.evaluate("local.status.state"), "offline");
    await first.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    const second = await page({ email: "offline@example.com", from: first });
    await second.evaluate(open);
    assert.equal(await second.evaluate(`local.get("n").then((note) => note.isPending)`), true);
    await first.evaluate("window.told = []; local.on((event) => told.push(event.type)); 0");
    await Promise.all([first.evaluate("local.sync()"), second.evaluate("local.sync()")]);
    assert.equal(await second.evaluate("local.pendingCount()"), 0);
    await second.evaluate(`local.save({ recordType: "Note", recordName: "n", fields: { body: "second tab" } })`);
    await first.wait(`told.includes("records")`);
    assert.equal(await first.evaluate(`local.get("n").then((note) => note.fields.body)`), "second tab");
    const db = (await server.container("offline@example.com")).privateCloudDatabase;
    assert.equal((await db.get("n", { zone: "Z" })).fields.title, "offline");
    assertHosts(first);
});

test("a read of IndexedDB does not wait for a transaction that is being made, and transactions take turns", limit, async () => {
    const first = await page({ email: "reads@example.com" });
    const said = await first.evaluate(`(async () => {
        const { indexedDBStore } = await import("/client/offline.js");
        const [one, other] = [indexedDBStore("reads"), indexedDBStore("reads")];
        await one.transaction((transaction) => transaction.put("meta", "count", 1));
        const add = (store, pause) => store.transaction(async (transaction) => {
            const count = await transaction.get("meta", "count");
            await pause?.();
            await transaction.put("meta", "count", count + 1);
        });
        const seen = [];
        let later;
        const read = (store) => store.read((transaction) => transaction.get("meta", "count"));
        await add(one, async () => {
            later = add(other);
            seen.push(await read(one), await read(other));
        });
        await later;
        seen.push(await read(one));
        const reversed = await one.transaction(async (transaction) => {
            for (const key of ["a", "b", "c"]) await transaction.put("index", key, key);
            await transaction.delete("index", "b");
            return transaction.range("index", { after: "a", isReversed: true });
        });
        return [seen, reversed, await one.read((transaction) => transaction.range("index", { isReversed: true, limit: 1 }))];
    })()`);
    assert.deepEqual(said, [[1, 1, 3], [["c", "c"]], [["c", "c"]]]);
});

test("a store of the first version gets its indexes", limit, async () => {
    const first = await page({ email: "first@example.com" });
    assert.deepEqual(await first.evaluate(`(async () => {
        const request = indexedDB.open("cumulus " + c.key + "/private", 1);
        request.onupgradeneeded = () => ["records", "outbox", "meta", "problems", "assets"].forEach((name) => request.result.createObjectStore(name));
        await new Promise((resolve) => (request.onsuccess = resolve));
        const put = (table, value, key) => new Promise((resolve) => (request.result.transaction(table, "readwrite").objectStore(table).put(value, key).onsuccess = resolve));
        await put("records", { name: "n", base: null, local: { type: "Note", fields: { title: { value: "old", type: "STRING" } } } }, "/Notes/n");
        await put("outbox", { zone: { zoneName: "Notes" }, name: "n", sequence: 1, generation: 1, attempts: 0 }, "/Notes/n");
        request.result.close();
        const { openOffline } = await import("/client/offline.js");
        const notes = await openOffline(c, { zones: ["Notes"], indexes: { Note: ["title"] } });
        const { records } = await notes.query("Note", { where: [["title", "=", "old"]] });
        await notes.sync();
        return [records.map((each) => each.recordName), await notes.pendingCount()];
    })()`), [["n"], 0]);
});

test("a page that is looked at again ends a call whose connection is dead", limit, async () => {
    const first = await page({ email: "awake@example.com" });
    await first.evaluate(`(async () => {
        const real = c.transport.fetch;
        let calls = 0;
        c.transport.fetch = (...call) => (++calls === 1 ? new Promise(() => {}) : real(...call));
        db.fetchAllRecordZones().then(() => (window.calls = calls));
        while (!window.calls) {
            document.dispatchEvent(new Event("visibilitychange"));
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    })()`);
    assert.equal(await first.evaluate("calls"), 2);
});

test("a store whose connection is closed, or that lacks a table, goes on", limit, async () => {
    const first = await page({ email: "damage@example.com" });
    const said = await first.evaluate(`(async () => {
        const { openOffline, indexedDBStore } = await import("/client/offline.js");
        await new Promise((resolve) => Object.assign(indexedDB.open("damaged", 1), { onupgradeneeded() { this.result.createObjectStore("other"); }, onsuccess() { this.result.close(); resolve(); } }));
        const local = await openOffline(c, { zones: ["Z"], store: indexedDBStore("damaged") });
        const kinds = (await local.problems()).map(({ kind }) => kind);
        await local.save({ recordType: "Note", recordName: "n", fields: { title: "a" } });
        await new Promise((resolve) => Object.assign(indexedDB.open("damaged", 3), { onsuccess() { this.result.close(); resolve(); } }));
        const error = await local.get("n").then(() => "", (error) => error.name);
        return { kinds, error };
    })()`);
    assert.deepEqual(said, { kinds: ["damaged"], error: "VersionError" });
});

test("CloudKit JS, configured by the shim, reaches no other host", limit, async () => {
    const stand = readFileSync(join(folder, "../../Tests/JavaScript/cloudkit-stand-in.js"), "utf8");
    const first = await browser.page();
    await first.open(`${site.origin}/blank.html`);
    const paused = [];
    // The browser hands over every request before it leaves: any that is not for these two would be seen.
    browser.listeners.add(({ sessionId, method, params }) => {
        if (sessionId !== first.session || method !== "Fetch.requestPaused") return;
        paused.push(params.request.url);
        void first.send("Fetch.continueRequest", { requestId: params.requestId });
    });
    await first.send("Fetch.enable", {});
    await first.evaluate(stand);
    const token = await server.token("shim@example.com");
    const said = await first.evaluate(`import("/client/cloudkit-js.js").then(async ({ configureCloudKit }) => {
        configureCloudKit(CloudKit, { origin: ${JSON.stringify(server.origin)}, containers: [{ containerIdentifier: "${containerIdentifier}", environment: "development",
            apiTokenAuth: { apiToken: "${"d0".repeat(32)}", ckWebAuthToken: ${JSON.stringify(token)} } }] });
        return CloudKit.everything();
    })`);
    assert.deepEqual(said.statuses, { caller: 200, zones: 200, shared: 200, push: 200, statistics: "refused" });
    const hosts = new Set(paused.map((url) => new URL(url).origin));
    assert.deepEqual([...hosts].sort(), [site.origin, server.origin].sort());
    const half = await first.evaluate(`CloudKit.configure({ containers: [{ containerIdentifier: "${containerIdentifier}", environment: "development", apiTokenAuth: { apiToken: "a", ckWebAuthToken: "b" },
        publicDatabasePartition: ${JSON.stringify(server.origin)}, privateDatabasePartition: ${JSON.stringify(server.origin)}, sharedDatabasePartition: ${JSON.stringify(server.origin)} }] }) && CloudKit.addresses().map((url) => new URL(url).host)`);
    assert.equal(half.includes("api.apple-cloudkit.com"), true, "the stand-in no longer does what the shim is for");
});

// MARK: The example apps

async function app(name, options) {
    const first = await browser.page();
    await first.look(options);
    await first.open(`${site.origin}/${name}/`);
    await first.wait("document.documentElement.dataset.ready !== undefined");
    return first;
}

async function signIn(first) {
    const popup = await first.popup(() => first.click("#sign-in"));
    await signInAsSomebody(popup);
    await first.wait(`!document.getElementById("app").hidden`);
}

/** Whether everything that can be pressed has a name, is large enough, and nothing is wider than the screen. */
async function assertUsable(first) {
    const found = await first.evaluate(`[...document.querySelectorAll("button, input, textarea, a")].filter((each) => each.offsetParent && !each.classList.contains("visually-hidden"))
        .filter((each) => !(each.textContent.trim() || each.labels?.[0]?.textContent.trim() || each.querySelector("img")?.alt) || each.getBoundingClientRect().height < 40).map((each) => each.outerHTML)`);
    assert.deepEqual(found, []);
    assert.equal(await first.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
}

test("two people edit one note", { timeout: 120_000 }, async () => {
    const owner = await app("notes", { dark: true });
    await owner.screenshot("notes-welcome-dark");
    await signIn(owner);
    await owner.click("#add");
    await owner.wait(`!document.getElementById("editor").hidden`);
    await owner.type("#title", "Groceries");
    await owner.type("#body", "Milk\nBread");
    await owner.wait(`document.getElementById("status").textContent === "All saved"`);
    await owner.evaluate("navigator.share = undefined");
    await owner.click("#share");
    await owner.wait(`!document.getElementById("link").hidden`);
    const link = await owner.evaluate(`document.getElementById("link").textContent.split(": ")[1]`);
    await assertUsable(owner);
    await owner.screenshot("notes-wide-dark");

    const guest = await browser.page();
    await guest.look({ width: 360, height: 740 });
    await guest.open(link);
    await guest.wait("document.documentElement.dataset.ready !== undefined");
    await signIn(guest);
    await guest.wait(`document.querySelector("#list button")?.textContent.includes("Groceries")`);
    await assertUsable(guest);
    await guest.screenshot("notes-list-360");
    await guest.click("#list button");
    await guest.wait(`document.getElementById("body").value.includes("Milk")`);
    await guest.type("#body", "Milk\nBread\nApples");
    await owner.wait(`document.getElementById("body").value.includes("Apples")`);
    await assertUsable(guest);
    await guest.screenshot("notes-editor-360");
    assertHosts(owner);
    assertHosts(guest);
});

test("photos go from a phone into an album that a link opens", { timeout: 120_000 }, async () => {
    const phone = await app("album", { width: 360, height: 740 });
    await phone.screenshot("album-welcome-360");
    await signIn(phone);
    const samples = join(folder, "../../Samples/photos");
    const present = readdirSync(samples).filter((name) => name.endsWith(".jpg")).slice(0, 5).map((name) => join(samples, name));
    await phone.choose("#files", present);
    await phone.wait(`document.getElementById("status").textContent === "All uploaded"`);
    await phone.wait(`[...document.querySelectorAll("#grid img")].length === ${present.length} && [...document.querySelectorAll("#grid img")].every((each) => each.complete && each.naturalWidth)`);
    await phone.evaluate("navigator.share = undefined");
    await phone.click("#share");
    await phone.wait(`!document.getElementById("link").hidden`);
    await assertUsable(phone);
    await phone.screenshot("album-360");
    const link = await phone.evaluate(`document.getElementById("link").textContent.split(": ")[1]`);
    assert.ok(link.startsWith(`${server.origin}/share/`));
    assert.equal((await fetch(link)).status, 200);
    const wide = await phone.tab();
    await wide.look({ dark: true });
    await wide.open(`${site.origin}/album/`);
    await wide.wait(`document.querySelectorAll("#grid img").length === ${present.length}`);
    await wide.wait(`[...document.querySelectorAll("#grid img")].every((each) => each.complete)`);
    await assertUsable(wide);
    await wide.screenshot("album-wide-dark");
    assertHosts(phone);
});

test("a photo whose upload fails can be sent again, and is there once", { timeout: 60_000 }, async () => {
    const phone = await app("album", { width: 360, height: 740 });
    await signIn(phone);
    const path = join(mkdtempSync(join(tmpdir(), "cumulus-js-photo-")), "no-picture.jpg");
    writeFileSync(path, "this is no picture");
    await phone.choose("#files", [path]);
    await phone.wait(`document.querySelector("#grid button")`);
    await phone.screenshot("album-failed-360");
    rmSync(path);
});
