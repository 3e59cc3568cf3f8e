import { abortError } from "./errors.js";

/** Waits a number of milliseconds, or rejects once the signal ends the call. */
export function wait(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError(signal));
        const stop = () => {
            clearTimeout(timer);
            reject(abortError(signal));
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

/** Milliseconds before the next attempt: they double up to a limit, with full jitter and never below the floor. */
export function backOff(attempt, { first = 500, longest = 30_000, floor = 0 } = {}) {
    return floor + Math.random() * Math.min(longest, first * 2 ** attempt);
}
