import { backOff } from "../waiting.js";

const quiet = 1_000;
const atMost = 5_000;
const net = 15 * 60_000;

/**
 * Decides when a device synchronizes: after edits once it is quiet, when a message comes, when the network is back, and
 * every quarter of an hour. A failure waits longer and longer, and never less than the server asked for.
 */
export class Schedule {
    #run;
    #timer;
    #dueAt = Infinity;
    #firstEdit;
    #failures = 0;
    #notBefore = 0;
    #off = [];
    #isStarted = false;

    /** @param {() => Promise<void>} run synchronizes once */
    constructor(run) {
        this.#run = run;
    }

    start(notifications) {
        if (this.#isStarted) return;
        this.#isStarted = true;
        const now = () => this.#at(0);
        const onMessage = (message) => this.#at(message.reconnected ? Math.random() * 1_000 : 0);
        if (notifications) this.#off.push(notifications.on(onMessage));
        if (typeof addEventListener === "function") {
            const visible = () => document.visibilityState === "visible" && now();
            addEventListener("online", now);
            globalThis.document?.addEventListener("visibilitychange", visible);
            this.#off.push(() => {
                removeEventListener("online", now);
                globalThis.document?.removeEventListener("visibilitychange", visible);
            });
        }
        now();
    }

    stop() {
        this.#isStarted = false;
        for (const off of this.#off.splice(0)) off();
        clearTimeout(this.#timer);
        this.#dueAt = Infinity;
    }

    /** Notes an edit: soon, but not at each letter that is typed. */
    edited() {
        if (!this.#isStarted) return;
        this.#firstEdit ??= Date.now();
        const delay = Math.max(0, Math.min(quiet, this.#firstEdit + atMost - Date.now()));
        clearTimeout(this.#timer);
        this.#dueAt = Infinity;
        this.#at(delay);
    }

    #at(delay) {
        if (!this.#isStarted) return;
        const due = Math.max(Date.now() + delay, this.#notBefore);
        if (due >= this.#dueAt) return;
        clearTimeout(this.#timer);
        this.#dueAt = due;
        this.#timer = setTimeout(() => this.#go(), due - Date.now());
        // In Node a program that has nothing else to do may end.
        this.#timer.unref?.();
    }

    async #go() {
        this.#dueAt = Infinity;
        this.#firstEdit = undefined;
        try {
            const again = await this.#run();
            this.#failures = 0;
            this.#notBefore = 0;
            this.#at(again ?? net);
        } catch (error) {
            const delay = backOff(this.#failures++, { first: 1_000, longest: 300_000, floor: (error.retryAfter ?? 0) * 1_000 });
            this.#notBefore = error.retryAfter ? Date.now() + error.retryAfter * 1_000 : 0;
            this.#at(error.isSignInRequired ? net : delay);
        }
    }
}
