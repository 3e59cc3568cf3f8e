import { CKError } from "./errors.js";
import { attempt, readText } from "./tries.js";
import { backOff, wait } from "./waiting.js";

const tries = 5;
/** Tries that may time out: a dead connection is left once, a dead server is given up. */
const timeOuts = 2;
/** Refusals of requests that were not executed. */
const neverDone = new Set(["THROTTLED", "TRY_AGAIN_LATER", "ZONE_BUSY"]);

/**
 * Sends the requests of one container.
 *
 * Requests are `text/plain` with the credentials in the query, so browsers send no preflight. One gate for all requests
 * of the container keeps `retryAfter`: nothing leaves before it. A try that hears nothing for `timeLimit` seconds ends.
 */
export class Transport {
    #openAt = 0;

    /**
     * @param {string} origin
     * @param {string} container the path that names container and environment
     * @param {import("./session.js").Session} session
     */
    constructor({ origin, container, apiToken, clientId, session, fetch, timeLimit, longestWait, retryDelay }) {
        Object.assign(this, { origin, container, apiToken, clientId, session, timeLimit, longestWait, retryDelay });
        this.fetch = fetch ?? ((...call) => globalThis.fetch(...call));
    }

    /**
     * Posts to an endpoint of a database and answers its JSON.
     *
     * @param {object} options `isRepeatable`: a second execution does no harm, so a lost answer is no reason to give up.
     */
    database(scope, endpoint, body, options) {
        return this.send(`/database/1/${this.container}/${scope}/${endpoint}`, body, options);
    }

    /** Sends a request, again if that may help, and answers its JSON. */
    async send(path, body, { signal, isRepeatable = false } = {}) {
        for (let attempt = 0; ; attempt += 1) {
            await this.#pass(signal);
            try {
                return await this.#sendOnce(path, body, signal);
            } catch (error) {
                if (error.retryAfter) this.#openAt = Math.max(this.#openAt, Date.now() + error.retryAfter * 1000);
                // Behind a lost answer the request may have been executed.
                const mayRepeat = error.isRetryable && (isRepeatable || neverDone.has(error.serverErrorCode));
                const most = error.ckErrorCode === "REQUEST_TIMED_OUT" ? timeOuts : tries;
                if (!mayRepeat || attempt + 1 >= most || (error.retryAfter ?? 0) > this.longestWait) throw error;
                await wait(backOff(attempt, { first: this.retryDelay, floor: (error.retryAfter ?? 0) * 1000 }), signal);
            }
        }
    }

    /** Waits until the server takes requests again, or says that this takes too long to wait for. */
    async #pass(signal) {
        const left = this.#openAt - Date.now();
        if (left <= 0) return;
        if (left > this.longestWait * 1000) {
            throw new CKError({
                ckErrorCode: "THROTTLED", retryAfter: Math.ceil(left / 1000),
                reason: "The server asked for a pause that is not over yet. Try again after 'retryAfter' seconds.",
            });
        }
        await wait(left, signal);
    }

    async #sendOnce(path, body, signal) {
        const { token, generation } = await this.session.current();
        const query = new URLSearchParams({ ckAPIToken: this.apiToken, clientId: this.clientId });
        // URLSearchParams writes `+` and `/` percent-encoded, as tokens need.
        if (token) query.set("ckWebAuthToken", token);
        const sent = body === undefined ? undefined : JSON.stringify(body);
        let response;
        let text = "";
        try {
            await attempt({ timeLimit: this.timeLimit * 1000, size: sent?.length, signal }, async (one) => {
                response = await this.fetch(`${this.origin}${path}?${query}`, {
                    method: sent === undefined ? "GET" : "POST", headers: { "content-type": "text/plain" },
                    body: sent, signal: one.signal, credentials: "omit", redirect: "error",
                });
                await readText(response, one, (part) => (text += part));
            });
        } catch (cause) {
            if (cause instanceof CKError) throw cause;
            if (cause?.cause?.code === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH") return this.#signInRequired(token, generation);
            throw new CKError(
                { ckErrorCode: "NETWORK_ERROR", reason: "The server could not be reached, or the connection ended." },
                { cause });
        }
        const answer = parse(text);
        if (response.ok && answer) {
            const rotated = response.headers.get("X-Apple-CloudKit-Web-Auth-Token");
            if (rotated && token) await this.session.rotate(rotated, generation);
            return answer;
        }
        if (response.status === 421 && token) await this.session.end(generation);
        throw refusal(response, answer);
    }

    /**
     * Says what a 421 said. Node repeats a POST that was answered with it, without its body, and fails by that; a GET
     * comes through.
     */
    async #signInRequired(token, generation) {
        if (token) await this.session.end(generation);
        await this.#sendOnce(`/database/1/${this.container}/public/users/caller`);
        throw new CKError({ ckErrorCode: "AUTHENTICATION_REQUIRED", reason: "request needs authorization", status: 421 });
    }
}

function parse(text) {
    try {
        const answer = JSON.parse(text);
        return answer && typeof answer === "object" ? answer : undefined;
    } catch {
        return undefined;
    }
}

/** The error of an answer that is no success, or no JSON. */
export function refusal(response, answer) {
    const retryAfter = answer?.retryAfter ?? (Number(response.headers.get("Retry-After")) || undefined);
    const { status } = response;
    if (answer?.serverErrorCode) return new CKError({ ...answer, status, retryAfter });
    // A proxy in front of the server answers without JSON.
    const ckErrorCode =
        status === 429 ? "THROTTLED"
        : status >= 500 ? "SERVICE_UNAVAILABLE"
        : status === 413 ? "QUOTA_EXCEEDED"
        : status === 421 ? "AUTHENTICATION_REQUIRED" : "UNEXPECTED_SERVER_RESPONSE";
    return new CKError({ ckErrorCode, status, retryAfter, reason: `The server answered ${status} without JSON.` });
}
