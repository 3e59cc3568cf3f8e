import { CKError, abortError } from "./errors.js";

/** Bytes that a slow connection carries in a millisecond. */
const slowest = 10;
/** Milliseconds without a byte after which a connection counts as dead once the network or the page is back. */
const silent = 3_000;

/**
 * The tries that wait for bytes. Browsers keep a dead connection open for minutes, so the events that tell of a network or
 * a page that is back end the tries that have been silent for some seconds.
 */
const waiting = new Set();

function wake() {
    if (globalThis.document?.visibilityState === "hidden") return;
    for (const one of [...waiting]) if (one.silence() >= silent) one.endSilent("NETWORK_ERROR");
}

/** Listens while tries wait, so that a program without any may end. */
function listen(act) {
    globalThis[act]?.("online", wake);
    globalThis.document?.[act]?.("visibilitychange", wake);
}

function enter(one) {
    if (waiting.size === 0) listen("addEventListener");
    waiting.add(one);
}

function leave(one) {
    waiting.delete(one);
    if (waiting.size === 0) listen("removeEventListener");
}

/** One try of a request: its signal is aborted by the caller's, by silence, or by `wake`. */
class Try {
    #controller = new AbortController();
    #timer;
    #heardAt;
    /** Milliseconds that the request's body may take beside. */
    #sending;

    constructor({ timeLimit, size = 0 }) {
        this.timeLimit = timeLimit;
        this.#sending = size / slowest;
        this.heard();
    }

    get signal() { return this.#controller.signal; }

    /** Notes that bytes went or came. */
    heard() {
        this.#heardAt = Date.now();
        clearTimeout(this.#timer);
        if (!this.signal.aborted) this.#timer = setTimeout(() => this.endSilent("REQUEST_TIMED_OUT"), this.timeLimit + this.#sending);
    }

    /** Notes that the answer has begun, so that the body has gone. */
    answered() {
        this.#sending = 0;
        this.heard();
    }

    /** Milliseconds since the last byte, beyond the time that sending may take. */
    silence() { return Date.now() - this.#heardAt - this.#sending; }

    /** Ends the try with an error, whose code is REQUEST_TIMED_OUT past the limit. */
    end(reason) {
        clearTimeout(this.#timer);
        this.#controller.abort(reason);
    }

    /** Ends the try for its silence. */
    endSilent(ckErrorCode) {
        const seconds = Math.round((Date.now() - this.#heardAt) / 1000);
        this.end(new CKError({ ckErrorCode, reason: `Nothing came from the server for ${seconds} s.` }));
    }

    stop() { clearTimeout(this.#timer); }
}

/**
 * Runs one try of a request.
 *
 * @param {object} limits `timeLimit`: milliseconds without a byte, after which the try ends; `size`: bytes to send, which
 *     take their time; `signal`: ends the call; `outlives`: the signal goes on to end what `call` answers
 * @param {(one: Try) => Promise} call is handed the try: `signal`, `heard()` and `answered()`
 * @throws {CKError} ABORTED by the signal, REQUEST_TIMED_OUT past the limit, NETWORK_ERROR by `wake`; else what `call` throws
 */
export async function attempt({ signal, outlives, ...limits }, call) {
    if (signal?.aborted) throw abortError(signal);
    const one = new Try(limits);
    const stop = () => one.end(abortError(signal));
    signal?.addEventListener("abort", stop, { once: true });
    enter(one);
    // A `fetch` that does not obey its signal is left behind.
    const ended = new Promise((_, reject) => one.signal.addEventListener("abort", () => reject(one.signal.reason)));
    try {
        return await Promise.race([call(one), ended]);
    } catch (error) {
        throw one.signal.aborted ? one.signal.reason : error;
    } finally {
        one.stop();
        leave(one);
        if (!outlives) signal?.removeEventListener("abort", stop);
    }
}

/** Hands over the text of an answer, part by part, each within the time limit of its try. */
export async function readText(response, one, take) {
    one.answered();
    const reader = response.body?.getReader?.();
    if (!reader) return take(await response.text());
    const decoder = new TextDecoder();
    for (;;) {
        const { done, value } = await reader.read();
        one.heard();
        if (done) break;
        take(decoder.decode(value, { stream: true }));
    }
    return take(decoder.decode());
}
