export interface CloudKitSettings { origin: string; containers: object[]; services?: { fetch?: typeof fetch; [name: string]: unknown }; [name: string]: unknown }

/** Calls `CloudKit.configure` so that every request goes to `origin`. */
export function configureCloudKit<Result>(CloudKit: { configure(settings: any): Result }, settings: CloudKitSettings): Result;
/** A `fetch` that moves requests for Apple's API to the server and refuses any third host. */
export function guardedFetch(origin: string, send?: typeof fetch): typeof fetch;
/** The address of a request on the server, or nothing for a host that must not have it. */
export function moved(address: string | URL, origin: string): string | undefined;
