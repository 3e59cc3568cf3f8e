/**
 * A development server as tests steer it: signed-in people, seeds, snapshots, the clock, faults.
 *
 * @module
 */
import { CKError, configure } from "./cumulus.js";

/** A container of a development server. */
export class Emulator {
    #fetch;

    constructor({
        origin = globalThis.process?.env.CUMULUS_ORIGIN, container = globalThis.process?.env.CUMULUS_CONTAINER,
        apiToken = globalThis.process?.env.CUMULUS_API_TOKEN, fetch = globalThis.fetch,
    } = {}) {
        for (const [name, value] of Object.entries({ origin, container, apiToken })) {
            if (!value) throw new Error(`${name} is missing: name it, or run the tests with 'cumulus exec'.`);
        }
        Object.assign(this, { origin, container, apiToken });
        this.#fetch = fetch;
    }

    /** The container with somebody signed in, who exists from then on; nobody without an address. */
    async signedIn(email, settings = {}) {
        const ckWebAuthToken = email && (await this.#send("POST", "/auth/dev/session", {
            container: this.container, environment: "development", email,
        })).ckWebAuthToken;
        return configure({
            origin: this.origin,
            containers: [{
                containerIdentifier: this.container, environment: "development",
                apiTokenAuth: { apiToken: this.apiToken, ckWebAuthToken },
            }],
            ...settings,
        }).getDefaultContainer();
    }

    /** Plants people, zones and records: objects, or the lines of a file. */
    seed(lines) {
        return this.#send("POST", this.#path("/seed"), typeof lines === "string" ? lines : lines.map((line) => JSON.stringify(line)).join("\n"));
    }

    /** Empties the container; accounts and sessions stay. */
    reset({ keepSchema = false } = {}) { return this.#send("POST", this.#path("/reset"), { keepSchema }); }

    takeSnapshot(name) { return this.#send("PUT", this.#snapshot(name)); }
    deleteSnapshot(name) { return this.#send("DELETE", this.#snapshot(name)); }
    async snapshots() { return (await this.#send("GET", this.#path("/snapshots"))).snapshots.map(({ name }) => name); }

    /** Puts a snapshot back. */
    restore(name, { syncTokens = "kept" } = {}) { return this.#send("POST", `${this.#snapshot(name)}/restore`, { syncTokens }); }

    /** The server's time. */
    async now() { return new Date((await this.#send("GET", "/emulator/1/clock")).now); }
    setClock(date) { return this.#send("PUT", "/emulator/1/clock", { set: date.getTime() }); }
    advanceClock(seconds) { return this.#send("PUT", "/emulator/1/clock", { advance: seconds }); }
    freezeClock() { return this.#send("PUT", "/emulator/1/clock", { freeze: true }); }
    runClock() { return this.#send("PUT", "/emulator/1/clock", { run: true }); }

    /** Has requests of this container meet a fault, and gives its id. */
    async addFault(fault) { return (await this.#send("POST", "/emulator/1/faults", { container: this.container, ...fault })).id; }
    async faults() { return (await this.#send("GET", "/emulator/1/faults")).faults; }
    removeFaults() { return this.#send("DELETE", "/emulator/1/faults"); }

    /** Watches clients from now on, as `cumulus exec` does from the beginning. */
    startLint({ hasWholeSchema = false } = {}) { return this.#send("POST", "/emulator/1/lint", { hasWholeSchema }); }
    /** What clients should do otherwise. */
    async lint() { return (await this.#send("GET", "/emulator/1/lint")).findings; }
    /** Watches no longer, and forgets what was found. */
    stopLint() { return this.#send("DELETE", "/emulator/1/lint"); }

    #path(rest) { return `/emulator/1/containers/${encodeURIComponent(this.container)}${rest}`; }
    #snapshot(name) { return this.#path(`/snapshots/${encodeURIComponent(name)}`); }

    async #send(method, path, body) {
        const response = await this.#fetch(this.origin + path, {
            method, body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        });
        const answer = await response.json();
        if (!response.ok) throw new CKError({ ...answer, status: response.status });
        return answer;
    }
}
