#!/usr/bin/env node
/**
 * Opens a share page as a phone on a slow line does, and beside it a bare page with its first picture, in turn.
 *
 *     Benchmarks/first-paint.js PAGE-URL [RUNS]
 *
 * Prints one line: bytes before the first picture, bytes of the first screen, requests of the first screen, and the medians of
 * the largest contentful paint of the page and of the bare one in milliseconds.
 */
import { createServer } from "node:http";
import { Browser } from "../Tests/JavaScript/browser.js";

// Lighthouse's "slow 4G" as applied to requests, and its slower processor.
const line = { offline: false, latency: 562.5, downloadThroughput: 1_440_000 / 8, uploadThroughput: 675_000 / 8 };
const slowdown = 4;
const phone = { width: 360, height: 740, deviceScaleFactor: 3, mobile: true };

const [url, runs = "5"] = process.argv.slice(2);
const watch = `
    globalThis.painted = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.painted = entry.startTime; })
        .observe({ type: "largest-contentful-paint", buffered: true });`;
const shown = `[...document.images].filter((image) => {
    const box = image.getBoundingClientRect();
    return box.top < innerHeight && box.bottom > 0;
})`;

/** Opens an address with nothing in the browser's cache, and waits for the pictures of the first screen. */
async function visit(browser, address) {
    const page = await browser.page();
    const files = new Map();
    browser.listeners.add(({ sessionId, method, params }) => {
        if (sessionId !== page.session) return;
        if (method === "Network.responseReceived") files.set(params.requestId, { url: params.response.url, bytes: 0 });
        if (method === "Network.loadingFinished" && files.has(params.requestId)) files.get(params.requestId).bytes = params.encodedDataLength;
    });
    await page.send("Emulation.setDeviceMetricsOverride", phone);
    await page.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.send("Network.emulateNetworkConditions", line);
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: watch });
    await page.open(address);
    await page.wait(`${shown}.length > 0 && ${shown}.every((image) => image.complete && image.naturalWidth > 0) && painted > 0`);
    const pictures = new Set(await page.evaluate(`${shown}.map((image) => image.currentSrc)`));
    const painted = await page.evaluate("painted");
    const first = await page.evaluate(`${shown}[0].currentSrc`);
    await browser.send("Target.closeTarget", { targetId: page.target });
    const isPicture = ({ url }) => url.includes("/preview/");
    const needed = [...files.values()].filter((file) => !isPicture(file) || pictures.has(file.url));
    const sum = (list) => list.reduce((bytes, file) => bytes + file.bytes, 0);
    return { painted, first, requests: needed.length, before: sum(needed.filter((file) => !isPicture(file))), screen: sum(needed) };
}

/** Serves a page that has nothing but one picture. */
async function barePage(picture) {
    const answer = await fetch(picture, { headers: { Accept: "image/avif,*/*" } });
    const [type, bytes] = [answer.headers.get("content-type"), Buffer.from(await answer.arrayBuffer())];
    const html = '<!doctype html><meta name="viewport" content="width=device-width"><img src="/picture" width="120" height="120" alt="">';
    const server = createServer((request, response) => {
        const isPicture = request.url === "/picture";
        response.writeHead(200, { "Content-Type": isPicture ? type : "text/html" }).end(isPicture ? bytes : html);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const browser = await Browser.start();
// The first visit makes the previews.
const { first } = await visit(browser, url);
const bare = await barePage(first);
const ours = [], theirs = [];
for (let run = 0; run < Number(runs); run += 1) {
    ours.push(await visit(browser, url));
    theirs.push(await visit(browser, `http://127.0.0.1:${bare.address().port}/`));
}
bare.close();
await browser.stop();
const last = ours.at(-1);
console.log(last.before, last.screen, last.requests, Math.round(median(ours.map((visit) => visit.painted))), Math.round(median(theirs.map((visit) => visit.painted))));
