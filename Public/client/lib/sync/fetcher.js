import { LoopGuard } from "../changes.js";
import { CKError, isGeneral } from "../errors.js";
import { zoneKey } from "./ledger.js";

const zonesPerRequest = 200;

/** Reads what changed on the server, page by page: each page counts together with its token. */
export class Fetcher {
    /** Zones that failed in this run, with their errors. */
    #failures = new Map();

    /** @param {import("./engine.js").OfflineDatabase} local */
    constructor(local) {
        this.local = local;
    }

    /** Reads everything, and answers the error of a zone that may succeed later, if there was one. */
    async run(signal) {
        this.#failures.clear();
        if (this.local.zoneIDs) await this.local.ledger((ledger) => this.#markAll(ledger));
        else await this.#zones(signal);
        const guards = new Map();
        for (;;) {
            const zones = (await this.local.read((ledger) => ledger.zones()))
                .filter(({ zone, isDirty }) => isDirty && !this.#failures.has(zoneKey(zone)));
            if (zones.length === 0) return [...this.#failures.values()].find((error) => error.isRetryable);
            await this.#page(zones.slice(0, zonesPerRequest), guards, signal);
        }
    }

    async #markAll(ledger) {
        for (const zone of this.local.zoneIDs) await ledger.putZone({ ...(await ledger.zone(zone)), isDirty: true });
    }

    /** Finds the zones that changed. */
    async #zones(signal) {
        const guard = new LoopGuard();
        for (let moreComing = true; moreComing;) {
            const token = await this.local.ledger(async (ledger) => (await ledger.state()).databaseToken);
            let page;
            try {
                page = await this.local.send("changes/database", { syncToken: token }, signal);
            } catch (error) {
                if (!error.isTokenRefused || !token) throw error;
                await this.local.ledger((ledger) => this.#listAnew(ledger));
                continue;
            }
            guard.check(token, page);
            await this.local.ledger((ledger) => this.#takeZones(ledger, page));
            moreComing = page.moreComing;
        }
    }

    async #listAnew(ledger) {
        const state = await ledger.state();
        for (const zone of await ledger.zones()) await ledger.putZone({ ...zone, isDirty: true });
        delete state.databaseToken;
        await ledger.putState(state);
    }

    async #takeZones(ledger, page) {
        for (const { zoneID, deleted } of page.zones) {
            const zone = this.local.known(zoneID);
            const found = await ledger.zone(zone);
            if (deleted && found.isKnown) await ledger.loseZone(zone, this.local.keepsLostZones);
            else if (!deleted) await ledger.putZone({ ...found, isDirty: true });
        }
        await ledger.putState({ ...(await ledger.state()), databaseToken: page.syncToken });
    }

    async #page(zones, guards, signal) {
        const asked = zones.map(({ zone, token }) => ({ zoneID: zone, syncToken: token ?? undefined }));
        const body = { zones: asked, numbersAsStrings: true, resultsLimit: this.local.pageSize };
        let answer;
        try {
            answer = await this.local.send("changes/zone", body, signal);
        } catch (error) {
            if (isGeneral(error)) throw error;
            // One zone may spoil the request of all.
            if (zones.length === 1) return this.#failed(zones[0], error);
            for (const zone of zones) await this.#page([zone], guards, signal);
            return undefined;
        }
        for (const [at, page] of answer.zones.entries()) {
            const { zone, token } = zones[at];
            if (page.serverErrorCode) {
                await this.#failed(zones[at], new CKError(page));
                continue;
            }
            const guard = guards.get(zoneKey(zone)) ?? new LoopGuard();
            guards.set(zoneKey(zone), guard);
            guard.check(token, page);
            await this.local.ledger((ledger) => ledger.takePage(page, zone));
        }
        return undefined;
    }

    async #failed({ zone, token, isKnown }, error) {
        if (error.isTokenRefused && token) {
            await this.local.ledger((ledger) => ledger.beginResync(zone, error.restoredTo));
            this.local.tell({ type: "resync", zone, restoredTo: error.restoredTo });
        } else if (error.ckErrorCode === "ZONE_NOT_FOUND" && isKnown) {
            await this.local.loseZone(zone);
        } else if (error.ckErrorCode === "ZONE_NOT_FOUND") {
            await this.local.ledger(async (ledger) => ledger.putZone({ ...(await ledger.zone(zone)), isDirty: false }));
        } else if (error.isSignInRequired || error.ckErrorCode === "AUTHENTICATION_FAILED") {
            throw error;
        } else {
            this.#failures.set(zoneKey(zone), error);
            if (!error.isRetryable) await this.local.refuseZone(zone, error);
        }
    }
}
