import { assetURL } from "./assets.js";
import { Database } from "./database.js";
import { CKError, divide } from "./errors.js";
import { uuid } from "./uuid.js";
import { KeyValueStore } from "./key-value.js";
import { Notifications } from "./notifications.js";
import { Session } from "./session.js";
import { signInByRedirect, signInByWindow, tokenFromAddress } from "./sign-in.js";
import { localTokenStore, memoryTokenStore } from "./token-stores.js";
import { Transport } from "./transport.js";

/** One environment of a container on one server, and who is signed in to it. */
export class Container {
    #signIns = [];
    #signOuts = [];
    #settingUp;
    #persists;

    constructor(settings, shared) {
        const { containerIdentifier, environment = "development", apiTokenAuth } = settings;
        const { origin } = shared;
        this.containerIdentifier = containerIdentifier;
        this.environment = environment;
        this.origin = origin;
        this.int64 = shared.int64 ?? "number";
        /** What tells this container apart in a browser that keeps several of several servers. */
        this.key = `${origin}/${containerIdentifier}/${environment}`;
        const store = shared.tokenStore ?? (apiTokenAuth.persist ? localTokenStore() : memoryTokenStore());
        this.#persists = Boolean(apiTokenAuth.persist);
        /** The signed-in user: `userIdentity` and `onChange`. */
        this.auth = new Session(store, this.key, apiTokenAuth.ckWebAuthToken);
        this.transport = new Transport({
            origin, container: `${encodeURIComponent(containerIdentifier)}/${environment}`, apiToken: apiTokenAuth.apiToken,
            clientId: shared.clientId ?? uuid(), session: this.auth, fetch: shared.fetch,
            timeLimit: shared.timeLimit ?? 30, longestWait: shared.longestWait ?? 30, retryDelay: shared.retryDelay ?? 500,
        });
        this.publicCloudDatabase = new Database(this, "PUBLIC");
        this.privateCloudDatabase = new Database(this, "PRIVATE");
        this.sharedCloudDatabase = new Database(this, "SHARED");
        /** Messages about changes: `on(listener)`. */
        this.notifications = new Notifications(this, shared.notifications);
        /** The user's key-value store. */
        this.keyValue = new KeyValueStore(this);
        this.auth.onChange((identity) => {
            for (const resolve of (identity ? this.#signIns : this.#signOuts).splice(0)) resolve(identity);
        });
    }

    /** The database of a scope: PUBLIC, PRIVATE or SHARED. */
    getDatabaseWithDatabaseScope(scope) {
        const database = this[`${String(scope).toLowerCase()}CloudDatabase`];
        if (!database) throw new CKError({ ckErrorCode: "INVALID_ARGUMENTS", reason: `There is no database scope ${scope}.` });
        return database;
    }

    // MARK: Signing in

    /** Finds out who is signed in: the identity, or null. Takes the token that a sign-in in this tab brought back. */
    setUpAuth() {
        return (this.#settingUp ??= this.#setUpAuth().finally(() => (this.#settingUp = undefined)));
    }

    async #setUpAuth() {
        const token = tokenFromAddress(this.key);
        if (token) await this.auth.begin(token);
        try {
            const identity = await this.fetchCurrentUserIdentity();
            this.auth.tell(identity);
            return identity;
        } catch (error) {
            if (!error.isSignInRequired) throw error;
            this.auth.tell(null);
            return null;
        }
    }

    /**
     * Signs in, and answers the identity. Call it in a click.
     *
     * @param {object} options `mode`: "popup" opens a window; "redirect" leaves the page, which needs an API token with a
     *     callback; "auto" opens a window, and leaves the page where browsers block windows. `webAuthToken`: a token
     *     that is there already.
     */
    async signIn({ mode = "auto", webAuthToken, signal } = {}) {
        let token = webAuthToken;
        if (!token && mode !== "redirect") token = await signInByWindow(this.origin, () => this.signInURL(), signal);
        if (!token && mode === "popup") {
            throw new CKError({ ckErrorCode: "SIGN_IN_FAILED", reason: "The browser blocked the window. Allow it, or sign in with mode 'redirect'." });
        }
        token ??= await signInByRedirect(this.key, await this.signInURL());
        await this.auth.begin(token);
        return this.setUpAuth();
    }

    /**
     * Asks for a nonce, before a provider such as Google or Apple is asked for an identity token: `nonce` and its SHA-256
     * `hashedNonce`, either of which goes to the provider. It is good for ten minutes and one sign-in.
     */
    async prepareSignIn({ signal } = {}) {
        const place = { container: this.containerIdentifier, environment: this.environment };
        const { nonce, hashedNonce, expires } = await this.transport.send("/auth/exchange/nonce", place, { signal, isRepeatable: true });
        return { nonce, hashedNonce, expires: new Date(expires) };
    }

    /**
     * Signs in with an identity token, and answers the identity.
     *
     * @param {object} options `provider`: its name on the server. `idToken`: Google's `credential`, Apple's `id_token`.
     *     `nonce`: what `prepareSignIn` answered. `name`: what Apple tells at the first sign-in, as `firstName` and
     *     `lastName` or `givenName` and `familyName`. A person whose address has an account already is refused with
     *     `isSignInRequired`: they sign in with `signIn`, where they connect both.
     */
    async signInWithToken({ provider, idToken, nonce, name, signal }) {
        const answer = await this.transport.send("/auth/exchange", {
            container: this.containerIdentifier, environment: this.environment, provider, idToken,
            nonce: nonce?.nonce ?? nonce, persistent: this.#persists,
            name: name ? { givenName: name.givenName ?? name.firstName, familyName: name.familyName ?? name.lastName } : undefined,
        }, { signal });
        await this.auth.begin(answer.ckWebAuthToken);
        return this.setUpAuth();
    }

    /** The address of the server's sign-in page. It is good for an hour and one sign-in. */
    async signInURL() {
        await this.auth.end();
        try {
            await this.fetchCurrentUserIdentity();
        } catch (error) {
            if (error.redirectURL) return error.redirectURL;
            throw error;
        }
        throw new CKError({ ckErrorCode: "SIGN_IN_FAILED", reason: "The server did not say where to sign in." });
    }

    /** Forgets the token. */
    async signOut() {
        await this.auth.end();
    }

    /** Resolves with the identity at the next sign-in. */
    whenUserSignsIn() { return new Promise((resolve) => this.#signIns.push(resolve)); }

    /** Resolves at the next sign-out. */
    whenUserSignsOut() { return new Promise((resolve) => this.#signOuts.push(resolve)); }

    // MARK: People

    async fetchCurrentUserIdentity() {
        return this.transport.database("public", "users/caller", undefined, { isRepeatable: true });
    }

    async discoverAllUserIdentities() {
        return this.#users(undefined);
    }

    async discoverUserIdentities(lookupInfos) {
        return this.#users({ lookupInfos });
    }

    async discoverUserIdentityWithEmailAddress(emailAddress) { return this.#user({ emailAddress }); }
    async discoverUserIdentityWithPhoneNumber(phoneNumber) { return this.#user({ phoneNumber }); }
    async discoverUserIdentityWithUserRecordName(userRecordName) { return this.#user({ userRecordName }); }

    async #user(lookupInfo) {
        const { users, errors } = await this.#users({ lookupInfos: [lookupInfo] });
        if (errors.length) throw errors[0];
        return users[0] ?? null;
    }

    async #users(body) {
        const { users } = await this.transport.database("public", "users/discover", body, { isRepeatable: true });
        const { results, errors } = divide(users);
        return { users: results, errors, hasErrors: errors.length > 0 };
    }

    // MARK: Shares

    /** What short GUIDs lead to. */
    async fetchRecordInfos(shortGUIDs) { return this.#shares("records/resolve", shortGUIDs); }

    /** Joins shares by their short GUIDs. */
    async acceptShares(shortGUIDs) { return this.#shares("records/accept", shortGUIDs); }

    async #shares(endpoint, shortGUIDs) {
        const body = { shortGUIDs: [shortGUIDs].flat().map((each) => (typeof each === "string" ? { value: each } : each)) };
        const answer = await this.transport.database("public", endpoint, body, { isRepeatable: true });
        const { results, errors } = divide(answer.results);
        return { results, errors, hasErrors: errors.length > 0 };
    }

    /** The link of a share record. */
    shareURL(share) { return `${this.origin}/share/${share.shortGUID}`; }

    /** The address of an asset's bytes, which ends in a file name. */
    assetURL(asset, fileName) { return assetURL(asset, fileName); }

    // MARK: Notifications by the names of CloudKit JS

    addNotificationListener(listener) {
        this.#listeners.set(listener, this.notifications.on(listener));
    }

    removeNotificationListener(listener) {
        this.#listeners.get(listener)?.();
        this.#listeners.delete(listener);
    }

    #listeners = new Map();
}
