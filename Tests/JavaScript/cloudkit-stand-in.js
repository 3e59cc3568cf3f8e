/**
 * Stands in for CloudKit JS 2, whose file only Apple serves. It chooses hosts as that does: databases go to the partition
 * of their settings, push tokens and statistics always to Apple.
 */
globalThis.CloudKit = {
    configure(settings) {
        this.settings = settings;
        return this;
    },

    urls() {
        const [container] = this.settings.containers;
        const { apiToken, ckWebAuthToken } = container.apiTokenAuth;
        const apple = "https://api.apple-cloudkit.com";
        const query = `?ckjsVersion=2.6.4&clientId=1&ckWebAuthToken=${encodeURIComponent(ckWebAuthToken)}&ckAPIToken=${apiToken}`;
        const path = `/${container.containerIdentifier}/${container.environment}`;
        return {
            caller: [`${container.publicDatabasePartition ?? apple}/database/1${path}/public/users/caller${query}`],
            zones: [`${container.privateDatabasePartition ?? apple}/database/1${path}/private/zones/list${query}`, {}],
            shared: [`${container.sharedDatabasePartition ?? apple}/database/1${path}/shared/zones/list${query}`, {}],
            push: [`${apple}/device/1${path}/tokens/create${query}`, { apnsEnvironment: "development", clientId: "1" }],
            statistics: [`https://feedbackws.icloud.com/reportStats${query}`, { stats: [] }],
        };
    },

    addresses() { return Object.values(this.urls()).map(([url]) => url); },

    async everything() {
        const statuses = {};
        for (const [name, [url, body]] of Object.entries(this.urls())) {
            const send = this.settings.services?.fetch ?? fetch;
            const options = { method: body ? "POST" : "GET", headers: { "Content-Type": "text/plain" }, body: body && JSON.stringify(body) };
            statuses[name] = await send(url, options).then((response) => response.status, () => "refused");
        }
        return { statuses };
    },
};
