#!/usr/bin/env node
/**
 * Opens a share page with many pictures and goes to the last one by the End key.
 *
 *     Benchmarks/last-picture.js PAGE-URL [RUNS]
 *
 * Prints one line: the number of pictures, the median of the milliseconds from the key to the last picture, and of all runs
 * the most requests from the key on and the most elements at any time.
 */
import { Browser } from "../Tests/JavaScript/browser.js";

const [url, runs = "5"] = process.argv.slice(2);
const watch = `
    globalThis.elements = 0;
    const count = () => { globalThis.elements = Math.max(globalThis.elements, document.getElementsByTagName("*").length); };
    new MutationObserver(count).observe(document, { childList: true, subtree: true });`;
const isReady = `document.querySelector("#photos > li[aria-setsize]")`;
const last = `[...document.querySelectorAll("#photos > li")].find((tile) => tile.ariaPosInSet && tile.ariaPosInSet === tile.ariaSetSize)`;
const isThere = `((image) => image?.complete && image.naturalWidth > 0)(${last}?.querySelector("img"))`;

async function visit(browser) {
    const page = await browser.page();
    await page.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: watch });
    await page.open(url);
    await page.wait(isReady);
    const count = await page.evaluate(`Number(document.querySelector("#photos > li[aria-setsize]").ariaSetSize)`);
    await page.evaluate(`document.querySelector("#photos .photo").focus()`);
    // Measured in the page, which is asked when a picture or a tile has come.
    const arrives = page.evaluate(`new Promise((done) => {
        const began = performance.now();
        const look = () => { if (${isThere}) done(performance.now() - began); else requestAnimationFrame(look); };
        look();
    })`);
    const before = page.requests.length;
    for (const type of ["rawKeyDown", "keyUp"]) {
        await page.send("Input.dispatchKeyEvent", { type, key: "End", code: "End", windowsVirtualKeyCode: 35 });
    }
    const time = await arrives;
    const result = { count, time, requests: page.requests.length - before, elements: await page.evaluate("elements") };
    await browser.send("Target.closeTarget", { targetId: page.target });
    return result;
}

const browser = await Browser.start();
// The first visit makes the previews.
await visit(browser);
const visits = [];
for (let run = 0; run < Number(runs); run += 1) visits.push(await visit(browser));
await browser.stop();
const most = (key) => Math.max(...visits.map((visit) => visit[key]));
const times = visits.map((visit) => visit.time).sort((a, b) => a - b);
console.log(visits[0].count, Math.round(times[times.length >> 1]), most("requests"), most("elements"));
