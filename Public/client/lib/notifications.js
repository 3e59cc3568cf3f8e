import { CKError, abortError } from "./errors.js";
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

    async #open(url, signal) {
        let response;
        try {
            response = await this.container.transport.fetch(url, { signal, cache: "no-store" });
        } catch (cause) {
            if (signal.aborted) throw abortError(signal);
            throw new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The connection for notifications broke." }, { cause });
        }
        if (response.ok) return response;
        const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
        throw new CKError({ ckErrorCode: response.status >= 500 ? "SERVICE_UNAVAILABLE" : "UNKNOWN_ERROR", status: response.status, retryAfter });
    }

    /** Asks for one message after the other. An answer without a body means that there was none. */
    async #poll(courier, hear, signal) {
        while (!signal.aborted) {
            const text = await (await this.#open(courier, signal)).text();
            hear(text ? JSON.parse(text) : undefined);
        }
    }

    /** Reads server-sent events, and goes on after the last one that came. */
    async #stream(courier, place, hear, signal) {
        const url = courier.replace("/aps?", "/events?") + (place.id ? `&lastEventID=${encodeURIComponent(place.id)}` : "");
        const response = await this.#open(url, signal);
        if (!response.body) throw new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The connection for notifications ended." });
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (;;) {
            const { done, value } = await reader.read();
            if (done) throw new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The connection for notifications ended." });
            const blocks = (text + value).replaceAll("\r\n", "\n").split("\n\n");
            text = blocks.pop();
            for (const block of blocks) this.#event(block, place, hear);
        }
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
