/** Codes after which the same request may succeed later. */
const passing = new Set([
    "THROTTLED", "TRY_AGAIN_LATER", "ZONE_BUSY", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "NETWORK_ERROR",
    "REQUEST_TIMED_OUT",
]);

/** An error of a request or of one of its items, with the members that errors of CloudKit JS have. */
export class CKError extends Error {
    /** @param {object} details `ckErrorCode` and whatever the server said beside it. */
    constructor(details, options) {
        super(details.reason ?? details.ckErrorCode ?? details.serverErrorCode ?? "Unknown error", options);
        this.name = "CKError";
        this.ckErrorCode = details.ckErrorCode ?? details.serverErrorCode ?? "UNKNOWN_ERROR";
        for (const key of [
            "serverErrorCode", "reason", "retryAfter", "recordName", "zoneID", "subscriptionID", "shortGUID",
            "redirectURL", "uuid", "status", "restoredTo", "serverRecord",
        ]) {
            if (details[key] != null) this[key] = details[key];
        }
        if (this.retryAfter != null) this.retryAfter = Number(this.retryAfter) || 0;
    }

    /** Whether the same request may succeed later. */
    get isRetryable() { return passing.has(this.ckErrorCode); }

    /** Whether somebody else changed the record first. */
    get isConflict() { return this.ckErrorCode === "CONFLICT" || this.ckErrorCode === "EXISTS"; }

    /** Whether a `signal` ended the call. */
    get isAbort() { return this.ckErrorCode === "ABORTED"; }

    /** Whether a signed-in user is needed. */
    get isSignInRequired() { return this.ckErrorCode === "AUTHENTICATION_REQUIRED"; }

    /** Whether a sync token is no longer good: the feed begins anew without one. */
    get isTokenRefused() {
        return this.ckErrorCode === "BAD_REQUEST" && /Unknown sync continuation type/.test(this.reason ?? "");
    }
}

/** Whether every other request would fail as this one did: no network, a pause, or nobody signed in. */
export function isGeneral(error) {
    return !(error instanceof CKError) || error.isRetryable || error.isSignInRequired || error.isAbort
        || error.ckErrorCode === "AUTHENTICATION_FAILED";
}

/** The error that stands for a `signal`. */
export function abortError(signal) {
    return new CKError({ ckErrorCode: "ABORTED", reason: "The call was ended by its signal." }, { cause: signal?.reason });
}

/** Splits the items of a response into results and errors. */
export function divide(items) {
    const results = [];
    const errors = [];
    for (const item of items ?? []) {
        if (item.serverErrorCode) errors.push(new CKError(item));
        else results.push(item);
    }
    return { results, errors };
}
