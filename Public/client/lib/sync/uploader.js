import { uploadAsset } from "../assets.js";

/** Receipts of uploads are good for a day; another is asked for some hours earlier. */
const receiptLife = 20 * 3_600_000;

/** Uploads the files of edited records, and keeps their receipts with the records. */
export class Uploader {
    /** @param {import("./engine.js").OfflineDatabase} local */
    constructor(local) {
        this.local = local;
    }

    /**
     * Uploads the files of some records.
     *
     * @param {object[]} waiting entries of the outbox
     * @returns the first refusal, `{pending, error}`, or undefined
     */
    async run(waiting, signal) {
        const files = await this.local.read((ledger) => filesOf(ledger, waiting));
        for (const { pending, type, fieldName, id } of files) {
            const data = await this.local.read((ledger) => ledger.transaction.get("assets", id));
            if (!data) continue;
            const { zone, name } = pending;
            const onProgress = (progress) => this.local.tell({ type: "upload", zone, recordName: name, fieldName, ...progress });
            try {
                const receipt = await uploadAsset(this.local.database, { recordType: type, recordName: name, fieldName, zone, data, signal, onProgress });
                await this.#keep(pending, fieldName, id, receipt);
            } catch (error) {
                return { pending, error };
            }
        }
        return undefined;
    }

    #keep({ zone, name }, fieldName, id, receipt) {
        return this.local.ledger(async (ledger) => {
            const entry = await ledger.entry(zone, name);
            if (!entry?.local) return;
            for (const each of [entry.local.fields[fieldName]?.value].flat()) {
                if (each?.local === id) Object.assign(each, { receipt, uploadedAt: Date.now() });
            }
            await ledger.put(zone, entry);
        });
    }
}

async function filesOf(ledger, waiting) {
    const files = [];
    for (const pending of waiting) {
        const entry = await ledger.entry(pending.zone, pending.name);
        for (const [fieldName, { value }] of Object.entries(entry?.local?.fields ?? {})) {
            for (const each of [value].flat()) {
                const isFresh = each?.receipt && Date.now() - each.uploadedAt < receiptLife;
                if (each?.local && !isFresh) files.push({ pending, type: entry.local.type, fieldName, id: each.local });
            }
        }
    }
    return files;
}
