import { CKError } from "./errors.js";
import { attempt, readText } from "./tries.js";
import { backOff, wait } from "./waiting.js";

/**
 * Listens for the notifications of one container.
 *
 * A push token has one listener, so of several tabs one leads and passes the messages on. Messages are hints: after each
 * new connection a `{reconnected: true}` says that the change feeds are to be read.
 */
export class Notifications {
    #listeners = new Set();
    #stopping;

    /** @param {import("./container.js").Container} container */
    constructor(container, { transport = "stream" } = {}) {
        this.container = container;
        this.transport = transport;
    }

    /** Calls a function with each message. Returns a function that ends this; with the last one the connection ends. */
    on(listener) {
        this.#listeners.add(listener);
        if (!this.#stopping) this.#start();
        return () => {
            this.#listeners.delete(listener);
            if (this.#listeners.size === 0) this.stop();
        };
    }

    /** Ends the connection. */
    stop() {
        this.#stopping?.abort();
        this.#stopping = undefined;
    }

    #tell(message) {
        for (const listener of [...this.#listeners]) listener(message);
    }

    #start() {
        const stopping = new AbortController();
        this.#stopping = stopping;
        const { signal } = stopping;
        const name = `cumulus.notifications.${this.container.key}`;
        const locks = globalThis.navigator?.locks;
        if (!locks || typeof BroadcastChannel !== "function" || typeof document === "undefined") {
            this.#lead(signal, (message) => this.#tell(message));
            return;
        }
        const channel = new BroadcastChannel(name);
        channel.onmessage = ({ data }) => this.#tell(data);
        signal.addEventListener("abort", () => channel.close());
        const lead = () => this.#lead(signal, (message) => {
            this.#tell(message);
            if (!signal.aborted) channel.postMessage(message);
        });
        // The lock is free again when this tab is closed, and the next one leads.
        locks.request(name, { signal }, lead).catch(() => {});
    }

    async #lead(signal, tell) {
        let courier;
        const place = { id: undefined };
        for (let failures = 0; !signal.aborted;) {
            try {
                courier ??= await this.#courier(signal);
                tell({ reconnected: true });
                const hear = (message) => {
                    failures = 0;
                    if (message) tell(message);
                };
                await (this.transport === "poll" ? this.#poll(courier, hear, signal) : this.#stream(courier, place, hear, signal));
            } catch (error) {
                if (signal.aborted) return;
                // The token has expired, or the server does not know it any more.
                if (error.status === 404 || error.status === 410) courier = place.id = undefined;
                const isPassing = error.isRetryable || !(error instanceof CKError) || error.status === 404 || error.status === 410;
                if (!isPassing) tell({ failed: error });
                const longest = isPassing ? 60_000 : 300_000;
                await wait(backOff(failures++, { longest, floor: (error.retryAfter ?? 0) * 1000 }), signal).catch(() => {});
            }
        }
    }

    /** The address to listen at, which is a secret of this client. */
    async #courier(signal) {
        const { transport, environment } = this.container;
        const body = { apnsEnvironment: environment, clientId: transport.clientId };
        const path = `/device/1/${transport.container}/tokens/create`;
        return (await transport.send(path, body, { signal, isRepeatable: true })).webcourierURL;
    }

    /**
     * Opens a connection and hands over its text as it comes. The server answers a poll within 25 s and writes to a stream
     * every 15 s, so twice the time limit without a byte means that the connection is dead.
     */
    async #read(url, signal, take) {
        const { fetch, timeLimit } = this.container.transport;
        try {
            await attempt({ timeLimit: 2 * timeLimit * 1000, signal }, async (one) => {
                const response = await fetch(url, { signal: one.signal, cache: "no-store" });
                if (!response.ok) throw refused(response);
                await readText(response, one, take);
            });
        } catch (cause) {
            if (cause instanceof CKError) throw cause;
            throw new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The connection for notifications broke." }, { cause });
        }
    }

    /** Asks for one message after the other. An answer without a body means that there was none. */
    async #poll(courier, hear, signal) {
        while (!signal.aborted) {
            let text = "";
            await this.#read(courier, signal, (part) => (text += part));
            hear(text ? JSON.parse(text) : undefined);
        }
    }

    /** Reads server-sent events, and goes on after the last one that came. */
    async #stream(courier, place, hear, signal) {
        const url = courier.replace("/aps?", "/events?") + (place.id ? `&lastEventID=${encodeURIComponent(place.id)}` : "");
        let text = "";
        await this.#read(url, signal, (part) => {
            const blocks = (text + part).replaceAll("\r\n", "\n").split("\n\n");
            text = blocks.pop();
            for (const block of blocks) this.#event(block, place, hear);
        });
        throw new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The connection for notifications ended." });
    }

    #event(block, place, hear) {
        const data = [];
        for (const line of block.split("\n")) {
            if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
            else if (line.startsWith("id:")) place.id = line.slice(3).trim();
        }
        hear(data.length ? JSON.parse(data.join("\n")) : undefined);
    }
}

function refused(response) {
    const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
    return new CKError({ ckErrorCode: response.status >= 500 ? "SERVICE_UNAVAILABLE" : "UNKNOWN_ERROR", status: response.status, retryAfter });
}
