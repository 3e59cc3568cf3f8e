/** A shopping list in a private database. */
const [zone, recordType] = ["Shopping", "Item"];

export class ShoppingList {
    #container;
    #database;
    #items = new Map();
    #token;

    constructor(container) {
        this.#container = container;
        this.#database = container.privateCloudDatabase;
    }

    /** Calls back once it listens, and whenever another device has changed something. Gives what ends that. */
    async follow(onChange) {
        await this.#database.saveSubscriptions({ subscriptionID: "shopping", subscriptionType: "zone", zoneID: { zoneName: zone } });
        return this.#container.notifications.on(onChange);
    }

    /** Brings what has changed since the last time, and gives the titles. */
    async refresh() {
        for await (const { record, deleted, resync, token } of this.#database.changes({ zone, since: this.#token })) {
            if (record) this.#items.set(record.recordName, record);
            if (deleted) this.#items.delete(deleted);
            if (resync) this.#items.clear();
            this.#token = token ?? this.#token;
        }
        return [...this.#items.values()].map(({ fields }) => fields.title).sort();
    }

    add(title) { return this.#database.save({ recordType, recordName: title.toLowerCase(), fields: { title } }, { zone }); }

    /** Adds what it can, and gives the titles that were refused. */
    async addAll(titles) {
        const records = titles.map((title) => ({ recordType, recordName: title.toLowerCase(), fields: { title } }));
        const { errors } = await this.#database.saveRecords(records, { zoneID: zone, atomic: false });
        return errors.map(({ recordName }) => titles.find((title) => title.toLowerCase() === recordName));
    }

    remove(title) { return this.#database.delete(title.toLowerCase(), { zone }); }
}
