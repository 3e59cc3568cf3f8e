import { CKError } from "./errors.js";
import { refusal } from "./transport.js";
import { attempt } from "./tries.js";
import { isFieldValue } from "./values.js";
import { backOff, wait } from "./waiting.js";

/**
 * Uploads bytes and answers the value to save. A broken upload begins again with a new link; the receipt in the value
 * stays good for a day, so saving again needs no second upload.
 */
export async function uploadAsset(database, { recordType, recordName, fieldName, zone, data, onProgress, signal }) {
    const blob = data instanceof Blob ? data : new Blob([data]);
    const body = { zoneID: zone, tokens: [{ recordType, recordName, fieldName }] };
    for (let attempt = 0; ; attempt += 1) {
        const [token] = (await database.send("assets/upload", body, { signal, isRepeatable: true })).tokens;
        if (token.serverErrorCode) throw new CKError(token);
        try {
            const { singleFile } = await post(database, token.url, blob, onProgress, signal);
            return singleFile;
        } catch (error) {
            const isWorthwhile = error.isRetryable || error.status === 409 || error.status === 410;
            if (!isWorthwhile || attempt >= 3) throw error;
            await wait(backOff(attempt, { floor: (error.retryAfter ?? 0) * 1000 }), signal);
        }
    }
}

/** The fields of a record with its files uploaded: a `Blob`, or several, make way for what is to be saved. */
export async function uploadFiles(database, { recordType, recordName, fields }, zone, signal) {
    const saved = { ...fields };
    for (const [fieldName, given] of Object.entries(fields ?? {})) {
        const isTyped = isFieldValue(given);
        const value = isTyped ? given.value : given;
        const files = [value].flat();
        if (!files.some((each) => each instanceof Blob)) continue;
        const assets = [];
        for (const data of files) {
            const options = { recordType, recordName, fieldName, zone, data, signal };
            assets.push(data instanceof Blob ? await uploadAsset(database, options) : data);
        }
        const asset = Array.isArray(value) ? assets : assets[0];
        saved[fieldName] = isTyped ? { ...given, value: asset } : asset;
    }
    return saved;
}

function post(database, url, blob, onProgress, signal) {
    const limits = { timeLimit: database.container.transport.timeLimit * 1000, signal };
    // `fetch` tells no progress, and what browsers have instead is not in Node.
    return typeof XMLHttpRequest === "function"
        ? postWithProgress(url, blob, onProgress, limits)
        : postWithFetch(database.container.transport.fetch, url, blob, onProgress, limits);
}

function postWithProgress(url, blob, onProgress, limits) {
    return attempt(limits, (one) => new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const stop = () => request.abort();
        request.open("POST", url);
        request.upload.onprogress = ({ loaded, total }) => {
            one.heard();
            onProgress?.({ loaded, total });
        };
        request.onload = () => {
            const headers = { get: (name) => request.getResponseHeader(name) };
            settle({ ok: request.status >= 200 && request.status < 300, status: request.status, headers }, request.responseText)
                .then(resolve, reject);
        };
        request.onerror = request.onabort = () => reject(lost());
        one.signal.addEventListener("abort", stop, { once: true });
        // Without a type of its own the upload needs no preflight.
        request.send(blob.slice(0, blob.size, ""));
    }));
}

async function postWithFetch(fetch, url, blob, onProgress, limits) {
    const size = onProgress ? 0 : blob.size;
    const [response, text] = await attempt({ ...limits, size }, async (one) => {
        const options = { method: "POST", body: onProgress ? counted(blob, one, onProgress) : blob, duplex: "half", signal: one.signal, redirect: "error" };
        try {
            const response = await fetch(url, options);
            return [response, await response.text()];
        } catch {
            throw lost();
        }
    });
    return settle(response, text);
}

/** The bytes of a blob as a stream that tells how far it was read. */
function counted(blob, one, onProgress) {
    let loaded = 0;
    return blob.stream().pipeThrough(new TransformStream({
        transform(chunk, controller) {
            controller.enqueue(chunk);
            loaded += chunk.length;
            one.heard();
            onProgress({ loaded, total: blob.size });
        },
    }));
}

async function settle(response, text) {
    if (!response.ok) throw refusal(response, undefined);
    try {
        return JSON.parse(text);
    } catch {
        throw lost();
    }
}

function lost() {
    return new CKError({ ckErrorCode: "NETWORK_ERROR", reason: "The upload was interrupted." });
}

/** The address of an asset, which ends in a file name for whoever saves it. */
export function assetURL(asset, fileName = "file") {
    return asset.downloadURL.replace("${f}", encodeURIComponent(fileName));
}

/** The response of an asset's download. */
export async function download(database, record, fieldName, signal) {
    const { fetch, timeLimit } = database.container.transport;
    const load = (asset) => attempt({ timeLimit: timeLimit * 1000, signal, outlives: true }, (one) => fetch(assetURL(asset), { signal: one.signal }));
    let asset = record.fields[fieldName];
    let response = asset.downloadURL && (await load(asset));
    if (!response || [403, 404, 410].includes(response.status)) {
        const fresh = await database.get(record.recordName, { zone: record.zoneID, desiredKeys: [fieldName], signal });
        asset = fresh?.fields[fieldName];
        if (!asset) throw new CKError({ ckErrorCode: "NOT_FOUND", reason: "The asset is gone.", recordName: record.recordName });
        response = await load(asset);
    }
    if (!response.ok) throw refusal(response, undefined);
    return response;
}
