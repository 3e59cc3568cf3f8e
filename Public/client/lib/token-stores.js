/** Keeps tokens as long as the program runs. */
export function memoryTokenStore() {
    const tokens = new Map();
    return {
        getToken: (key) => tokens.get(key) ?? null,
        putToken: (key, token) => void (token == null ? tokens.delete(key) : tokens.set(key, token)),
    };
}

/** Keeps tokens in the browser, for all tabs of the page's origin. Where storage is blocked it keeps them in memory. */
export function localTokenStore(prefix = "cumulus.") {
    const memory = memoryTokenStore();
    const attempt = (use, otherwise) => {
        try {
            return use(globalThis.localStorage);
        } catch {
            return otherwise();
        }
    };
    return {
        getToken: (key) => attempt((storage) => storage.getItem(prefix + key), () => memory.getToken(key)),
        putToken: (key, token) =>
            attempt(
                (storage) => (token == null ? storage.removeItem(prefix + key) : storage.setItem(prefix + key, token)),
                () => memory.putToken(key, token)),
    };
}

/**
 * Keeps tokens in cookies that the caller reads and writes, so that a server that renders pages has one for each request.
 *
 * @param {{get(name: string): string | null, set(name: string, value: string | null): void}} cookie
 */
export function cookieTokenStore(cookie) {
    const name = (key) => `cumulus_${key.replace(/[^A-Za-z0-9]/g, "_")}`;
    return {
        getToken: (key) => {
            const value = cookie.get(name(key));
            return value ? decodeURIComponent(value) : null;
        },
        putToken: (key, token) => cookie.set(name(key), token == null ? null : encodeURIComponent(token)),
    };
}
