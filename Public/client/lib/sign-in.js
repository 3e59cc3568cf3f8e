import { CKError } from "./errors.js";

const pendingKey = "cumulus.sign-in";

/**
 * Signs in with a window of the server.
 *
 * The window opens before anything is awaited, since browsers allow it in the click alone. Only a message from this very
 * window and from the server's origin counts.
 */
export async function signInByWindow(origin, redirectURL, signal) {
    const opened = globalThis.open("about:blank", "_blank", "popup,width=640,height=720");
    if (!opened) return null;
    try {
        opened.location = await redirectURL();
        return await tokenFrom(opened, origin, signal);
    } catch (error) {
        opened.close();
        throw error;
    }
}

function tokenFrom(opened, origin, signal) {
    return new Promise((resolve, reject) => {
        const settle = (finish, value) => {
            removeEventListener("message", hear);
            signal?.removeEventListener("abort", stop);
            clearInterval(look);
            finish(value);
        };
        const hear = ({ source, origin: sender, data }) => {
            if (source !== opened || sender !== origin || typeof data !== "object" || data === null) return;
            const token = data.ckSession ?? data.ckWebAuthToken;
            if (token) settle(resolve, token);
            else settle(reject, failed(data.errorMessage ?? "unknownError"));
        };
        const stop = () => settle(reject, failed("userCancelled"));
        // No event tells that somebody closed the window. One that closes itself has sent its message just before.
        const look = setInterval(() => opened.closed && setTimeout(stop, 500), 300);
        addEventListener("message", hear);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

function failed(why) {
    return new CKError({ ckErrorCode: "SIGN_IN_FAILED", reason: `Signing in failed: ${why}.` });
}

/** Leaves the page for the server's sign-in page, which comes back to the API token's callback. */
export function signInByRedirect(key, redirectURL) {
    sessionStorage.setItem(pendingKey, key);
    location.assign(redirectURL);
    return new Promise(() => {});
}

/**
 * The token that the server's page brought back in the address, which is cleaned of it at once.
 *
 * A token counts only in a tab that began to sign in. Otherwise a link could sign somebody in as somebody else.
 */
export function tokenFromAddress(key) {
    if (typeof location === "undefined" || typeof sessionStorage === "undefined") return null;
    const query = new URLSearchParams(location.search);
    const token = query.get("ckWebAuthToken") ?? query.get("ckSession");
    if (!token) return null;
    query.delete("ckWebAuthToken");
    query.delete("ckSession");
    const rest = query.size ?? [...query].length;
    history.replaceState(history.state, "", location.pathname + (rest ? `?${query}` : "") + location.hash);
    if (sessionStorage.getItem(pendingKey) !== key) return null;
    sessionStorage.removeItem(pendingKey);
    // A bare `+` in a query reads as a space; no token has one.
    return token.replaceAll(" ", "+");
}
