/**
 * Configures CloudKit JS for a server other than Apple's.
 *
 * ```js
 * import { configureCloudKit } from "./cloudkit-js.js";
 *
 * configureCloudKit(CloudKit, {
 *     origin: "https://cloud.example.com",
 *     containers: [{ containerIdentifier: "iCloud.com.example.app", environment: "production", apiTokenAuth: { apiToken: "API TOKEN" } }],
 * });
 * ```
 *
 * The settings of CloudKit JS move the databases only; its push tokens and its statistics go to Apple's host all the same,
 * with the user's token. So every request is checked here: what goes to Apple's API goes to the server, and nothing
 * goes to any third host.
 *
 * @module
 */

const apple = /^https:\/\/([a-z0-9-]+\.)*apple-cloudkit\.com(:\d+)?(?=[/?#]|$)/i;

/** The address of a request on the server, or nothing for a host that must not have it. */
export function moved(address, origin) {
    const url = new URL(String(address).replace(apple, origin));
    return url.origin === origin ? url.href : undefined;
}

/** A `fetch` that reaches the server alone. */
export function guardedFetch(origin, send = (...call) => globalThis.fetch(...call)) {
    const server = new URL(origin).origin;
    return async (resource, options) => {
        const address = moved(resource?.url ?? resource, server);
        if (!address) throw new TypeError(`A request to ${new URL(resource?.url ?? resource).origin} was not sent: only ${server} is to be reached.`);
        return typeof resource === "object" && "url" in resource ? send(new Request(address, resource), options) : send(address, options);
    };
}

/**
 * Calls `CloudKit.configure` with what the server needs.
 *
 * @param {object} CloudKit version 2 or 1 of CloudKit JS
 * @param {object} settings those of `CloudKit.configure`, and `origin`
 */
export function configureCloudKit(CloudKit, { origin, containers, services = {}, ...more }) {
    const server = new URL(origin).origin;
    return CloudKit.configure({
        ...more,
        containers: containers.map((container) => ({
            ...container, publicDatabasePartition: server, privateDatabasePartition: server, sharedDatabasePartition: server,
        })),
        services: { ...services, fetch: guardedFetch(server, services.fetch) },
    });
}
