import { CKError } from "./errors.js";
import { openRecord } from "./records.js";

/** Ends a feed that would be read for ever: a page that says more is coming, brings nothing and repeats the token. */
export class LoopGuard {
    #stale = 0;

    check(asked, page) {
        const isStale = page.moreComing && page.syncToken === asked && !(page.records ?? page.zones ?? []).length;
        this.#stale = isStale ? this.#stale + 1 : 0;
        if (this.#stale < 2) return;
        throw new CKError({
            ckErrorCode: "UNEXPECTED_SERVER_RESPONSE", zoneID: page.zoneID,
            reason: "The change feed repeats the same empty page.",
        });
    }
}

/** The changes of one zone, page after page. A refused token begins the feed anew, and `{resync}` says so. */
export async function* changes(database, { zone, since, desiredKeys, signal }) {
    const guard = new LoopGuard();
    let token = since ?? undefined;
    for (let moreComing = true; moreComing;) {
        const body = { zones: [{ zoneID: zone, syncToken: token }], desiredKeys, numbersAsStrings: true };
        const [page] = (await database.send("changes/zone", body, { signal, isRepeatable: true })).zones;
        if (page.serverErrorCode) {
            const error = new CKError(page);
            if (!error.isTokenRefused || !token) throw error;
            token = undefined;
            yield { resync: true, restoredTo: error.restoredTo };
            continue;
        }
        guard.check(token, page);
        for (const record of page.records) {
            if (record.deleted) yield { deleted: record.recordName };
            else yield { record: openRecord(record, database.container.int64) };
        }
        token = page.syncToken;
        yield { token };
        moreComing = page.moreComing;
    }
}
