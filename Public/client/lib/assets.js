import { CKError, abortError } from "./errors.js";
import { refusal } from "./transport.js";
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

function post(database, url, blob, onProgress, signal) {
    // `fetch` tells no progress, and what browsers have instead is not in Node.
    return typeof XMLHttpRequest === "function"
        ? postWithProgress(url, blob, onProgress, signal)
        : postWithFetch(database.container.transport.fetch, url, blob, onProgress, signal);
}

function postWithProgress(url, blob, onProgress, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError(signal));
        const request = new XMLHttpRequest();
        const stop = () => request.abort();
        request.open("POST", url);
        request.upload.onprogress = ({ loaded, total }) => onProgress?.({ loaded, total });
        request.onload = () => {
            const headers = { get: (name) => request.getResponseHeader(name) };
            settle({ ok: request.status >= 200 && request.status < 300, status: request.status, headers }, request.responseText)
                .then(resolve, reject);
        };
        request.onerror = () => reject(lost());
        request.onabort = () => reject(abortError(signal));
        request.onloadend = () => signal?.removeEventListener("abort", stop);
        signal?.addEventListener("abort", stop, { once: true });
        // Without a type of its own the upload needs no preflight.
        request.send(blob.slice(0, blob.size, ""));
    });
}

async function postWithFetch(fetch, url, blob, onProgress, signal) {
    let loaded = 0;
    const counted = onProgress && blob.stream().pipeThrough(new TransformStream({
        transform(chunk, controller) {
            controller.enqueue(chunk);
            loaded += chunk.length;
            onProgress({ loaded, total: blob.size });
        },
    }));
    let response;
    let text;
    try {
        response = await fetch(url, { method: "POST", body: counted ?? blob, duplex: "half", signal, redirect: "error" });
        text = await response.text();
    } catch {
        throw signal?.aborted ? abortError(signal) : lost();
    }
    return settle(response, text);
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
    const { fetch } = database.container.transport;
    let asset = record.fields[fieldName];
    let response = asset.downloadURL && (await fetch(assetURL(asset), { signal }));
    if (!response || [403, 404, 410].includes(response.status)) {
        const fresh = await database.get(record.recordName, { zone: record.zoneID, desiredKeys: [fieldName], signal });
        asset = fresh?.fields[fieldName];
        if (!asset) throw new CKError({ ckErrorCode: "NOT_FOUND", reason: "The asset is gone.", recordName: record.recordName });
        response = await fetch(assetURL(asset), { signal });
    }
    if (!response.ok) throw refusal(response, undefined);
    return response;
}
