/**
 * The signed-in user of one container: the web auth token, where it is kept, and who listens for its changes.
 *
 * Every sign-in and sign-out begins a new generation. A token that an answer of an older generation brings is dropped, so
 * a late answer never signs the former user in again.
 */
export class Session {
    #store;
    #key;
    #generation = 0;
    #token;
    #loading;
    #listeners = new Set();
    /** The identity that `users/caller` answered last, or null. */
    userIdentity = null;

    /** @param {{getToken: Function, putToken: Function}} store */
    constructor(store, key, token) {
        this.#store = store;
        this.#key = key;
        if (token) this.#token = token;
    }

    /** The token of now, with the generation that an answer to it belongs to. */
    async current() {
        this.#loading ??= this.#load();
        await this.#loading;
        return { token: this.#token, generation: this.#generation };
    }

    async #load() {
        if (this.#token) await this.#store.putToken(this.#key, this.#token);
        else this.#token = (await this.#store.getToken(this.#key)) ?? undefined;
    }

    /** Begins the session of a token. */
    async begin(token) {
        await this.#replace(token);
        this.userIdentity = null;
    }

    /** Ends the session, if it is still the one of that generation. */
    async end(generation = this.#generation) {
        await this.current();
        if (generation !== this.#generation || !this.#token) return;
        await this.#replace(undefined);
        this.tell(null);
    }

    /** Takes the newer token that an answer brought. */
    async rotate(token, generation) {
        if (generation !== this.#generation || token === this.#token) return;
        this.#token = token;
        await this.#store.putToken(this.#key, token);
    }

    async #replace(token) {
        this.#loading = Promise.resolve();
        this.#generation += 1;
        this.#token = token;
        await this.#store.putToken(this.#key, token ?? null);
    }

    /** Notes who is signed in, and tells the listeners if that changed. */
    tell(identity) {
        const changed = this.userIdentity?.userRecordName !== identity?.userRecordName;
        this.userIdentity = identity;
        if (changed) for (const listener of [...this.#listeners]) listener(identity);
    }

    /** Calls a function with the identity, or null, after each change. Returns a function that ends this. */
    onChange(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
}
