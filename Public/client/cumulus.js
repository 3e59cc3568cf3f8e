/**
 * The JavaScript client of Cumulus, for browsers, workers and Node. It has no dependencies and needs no build.
 *
 * ```js
 * import { configure } from "./cumulus.js";
 *
 * const cloud = configure({
 *     origin: "https://cloud.example.com",
 *     containers: [{
 *         containerIdentifier: "iCloud.com.example.app", environment: "production",
 *         apiTokenAuth: { apiToken: "API TOKEN", persist: true },
 *     }],
 * });
 * const database = cloud.getDefaultContainer().publicCloudDatabase;
 * const note = await database.save({ recordType: "Note", fields: { title: "Groceries", stars: 4 } });
 * for await (const good of database.query("Note", { where: [["stars", ">", 3]] })) console.log(good.fields.title);
 * ```
 *
 * @module
 */
import { Container } from "./lib/container.js";
import { CKError } from "./lib/errors.js";

export { Container } from "./lib/container.js";
export { Database } from "./lib/database.js";
export { CKError } from "./lib/errors.js";
export { KeyValueStore } from "./lib/key-value.js";
export { Notifications } from "./lib/notifications.js";
export { uuid } from "./lib/uuid.js";
export { cookieTokenStore, localTokenStore, memoryTokenStore } from "./lib/token-stores.js";

/** The containers of one server. Every request goes to its origin and to no other host. */
export class Cumulus {
    #containers;

    constructor({ origin, containers, ...shared }) {
        this.origin = checkedOrigin(origin);
        this.#containers = containers.map((settings) => {
            if (!settings.containerIdentifier || !settings.apiTokenAuth?.apiToken) {
                throw invalid("Each container needs a 'containerIdentifier' and an 'apiTokenAuth.apiToken'.");
            }
            return new Container(settings, { ...shared, origin: this.origin });
        });
        if (this.#containers.length === 0) throw invalid("'containers' is empty. Name at least one.");
    }

    /** The container that was configured first. */
    getDefaultContainer() { return this.#containers[0]; }

    /** The container of that identifier. */
    getContainer(identifier) {
        const found = this.#containers.find((each) => each.containerIdentifier === identifier);
        if (!found) throw invalid(`The container ${identifier} is not configured.`);
        return found;
    }

    getAllContainers() { return [...this.#containers]; }
}

/** Names the server and its containers. Nothing is sent and nothing is read from storage. */
export function configure(settings) {
    return new Cumulus(settings);
}

function checkedOrigin(origin) {
    let url;
    try {
        url = new URL(origin);
    } catch {
        throw invalid("'origin' is no URL. Write it like https://cloud.example.com.");
    }
    if (!/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash || url.username) {
        throw invalid("'origin' has a scheme, a host and a port only, like https://cloud.example.com.");
    }
    return url.origin;
}

function invalid(reason) {
    return new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason });
}
