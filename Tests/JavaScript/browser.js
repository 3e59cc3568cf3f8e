/** Headless Chromium over its own protocol: JSON messages over two pipes, each ended by a zero byte. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Chromium without windows, where it is installed: its tabs take a tenth of the processor time.
const shell = "/usr/lib/chromium/chromium-headless-shell";
const [program, mode] = existsSync(shell) ? [shell, "--headless"] : ["/usr/bin/chromium", "--headless=new"];

export class Browser {
    #process;
    #folder = mkdtempSync(join(tmpdir(), "cumulus-js-browser-"));
    #waiting = new Map();
    #last = 0;
    #pages = [];
    /** Called with each event. */
    listeners = new Set();

    static async start() {
        const browser = new Browser();
        const switches = [
            mode, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync", "--hide-scrollbars",
            "--allow-pre-commit-input", "--remote-debugging-pipe", `--user-data-dir=${browser.#folder}`, "about:blank",
        ];
        browser.#process = spawn(program, switches, {
            stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { PATH: "/usr/bin:/bin", HOME: browser.#folder, LANG: "C.UTF-8" },
        });
        process.once("exit", () => browser.#process.kill("SIGKILL"));
        browser.#process.once("exit", () => {
            for (const { reject } of browser.#waiting.values()) reject(new Error("The browser ended."));
        });
        let rest = "";
        browser.#process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
            const messages = (rest + chunk).split("\0");
            rest = messages.pop();
            for (const message of messages) browser.#take(JSON.parse(message));
        });
        await browser.send("Target.setDiscoverTargets", { discover: true });
        return browser;
    }

    #take(message) {
        const { id, error, result } = message;
        if (id === undefined) for (const listener of [...this.listeners]) listener(message);
        else if (error) this.#waiting.get(id).reject(new Error(error.message));
        else this.#waiting.get(id).resolve(result);
        this.#waiting.delete(id);
    }

    send(method, params = {}, sessionId) {
        return new Promise((resolve, reject) => {
            this.#last += 1;
            this.#waiting.set(this.#last, { resolve, reject });
            this.#process.stdio[3].write(`${JSON.stringify({ id: this.#last, method, params, sessionId })}\0`);
        });
    }

    /** Resolves with the first event that matches. */
    event(matches) {
        return new Promise((resolve) => {
            const listener = (event) => {
                if (!matches(event)) return;
                this.listeners.delete(listener);
                resolve(event);
            };
            this.listeners.add(listener);
        });
    }

    /** A page of a person with storage of their own, or another tab of the same person. */
    async page(context) {
        const browserContextId = context ?? (await this.send("Target.createBrowserContext")).browserContextId;
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
        return this.attach(targetId, browserContextId);
    }

    async attach(targetId, context) {
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId, context);
        this.#pages.push(page);
        for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
        return page;
    }

    /** What the pages that are open show and wait for. */
    async state() {
        return (await Promise.all(this.#pages.map((page) => page.state()))).join("\n");
    }

    /** Lets the browser end by itself, since the processes it leaves behind when it is killed go on writing its folder. */
    async stop() {
        const ended = new Promise((end) => this.#process.once("exit", end));
        const late = setTimeout(() => this.#process.kill("SIGKILL"), 10_000);
        this.send("Browser.close").catch(() => {});
        await ended;
        clearTimeout(late);
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
}

/** What a promise gives, if it does so before `end`, in milliseconds as `Date.now` counts them. */
function within(end, promise) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("The browser does not answer.")), Math.max(0, end - Date.now()))));
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

class Page {
    /** Addresses that the page asked for. */
    requests = [];
    /** Those of them that have not ended, by their identifiers. */
    unanswered = new Map();
    /** What scripts threw and the browser refused. */
    faults = [];

    constructor(browser, session, target, context) {
        Object.assign(this, { browser, session, target, context });
        browser.listeners.add(({ sessionId, method, params }) => {
            if (sessionId !== session) return;
            if (method === "Network.requestWillBeSent") {
                this.requests.push(params.request.url);
                this.unanswered.set(params.requestId, `${params.request.method} ${params.request.url}`);
            }
            if (["Network.loadingFinished", "Network.loadingFailed"].includes(method)) this.unanswered.delete(params.requestId);
            if (method === "Runtime.exceptionThrown") this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
            if (method === "Log.entryAdded" && params.entry.level === "error" && params.entry.source !== "network") this.faults.push(params.entry.text);
        });
    }

    send(method, params) { return this.browser.send(method, params, this.session); }

    async open(url) {
        const loaded = this.browser.event(({ sessionId, method }) => sessionId === this.session && method === "Page.loadEventFired");
        await this.send("Page.navigate", { url });
        await loaded;
    }

    /** The value of an expression, or of the promise it gives. */
    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** Waits until an expression is true, also across pages. Tells after 50 seconds what the page was at. */
    async wait(condition) {
        const end = Date.now() + 50_000;
        for (;;) {
            const isSo = await within(end, this.evaluate(`Boolean(${condition})`)).catch(() => false);
            if (isSo) return;
            if (Date.now() >= end) throw new Error(`The page did not come to be so: ${condition}\n${await this.browser.state()}`);
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }

    /** What the page shows, what it still waits for, and what went wrong in it. */
    async state() {
        const text = await within(Date.now() + 1000, this.evaluate("`${location}\n${document.body.innerText}`")).catch(({ message }) => message);
        return ["Page:", text, "Unanswered:", ...this.unanswered.values(), "Faults:", ...this.faults].join("\n");
    }

    /** Presses the left button in the middle of an element, again if it has moved away meanwhile, as in a window that opens. */
    async click(selector) {
        for (;;) {
            const [x, y, page] = await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: "center" });
                globalThis.isPressed = false; e.addEventListener("click", () => (globalThis.isPressed = true), { once: true, capture: true });
                const box = e.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2, performance.timeOrigin]; })()`);
            for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
                await this.send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" ? "none" : "left", clickCount: 1 });
            }
            // A page that has gone was left by the click.
            const isDone = await this.evaluate(`globalThis.isPressed || performance.timeOrigin !== ${page}`).catch(() => true);
            if (isDone) return;
        }
    }

    async type(selector, text) {
        await this.evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.focus(); e.select(); })()`);
        await this.send("Input.insertText", { text });
    }

    /** Gives files to a file input. */
    async choose(selector, files) {
        const { root } = await this.send("DOM.getDocument");
        const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
        await this.send("DOM.setFileInputFiles", { nodeId, files });
    }

    /** Does something that opens a window, and gives that. */
    async popup(action) {
        const created = this.browser.event(({ method, params }) => method === "Target.targetCreated" && params.targetInfo.openerId === this.target);
        await action();
        const { params } = await created;
        return this.browser.attach(params.targetInfo.targetId, this.context);
    }

    /** A second tab of the same person. */
    tab() { return this.browser.page(this.context); }

    async look({ width = 1280, height = 800, dark = false }) {
        await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
        await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    }

    /** Keeps a picture of the page in the folder that SCREENSHOTS names. */
    async screenshot(name) {
        if (!process.env.SCREENSHOTS) return;
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        writeFileSync(join(process.env.SCREENSHOTS, `${name}.png`), Buffer.from(data, "base64"));
    }
}
