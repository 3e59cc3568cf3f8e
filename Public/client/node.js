/**
 * Stores on disk for programs in Node.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { StagedStore } from "./lib/sync/staged-store.js";

function encode(writes) {
    const text = JSON.stringify(writes, (_, value) =>
        (value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : value));
    return `${createHash("sha256").update(text).digest("hex").slice(0, 16)} ${text}\n`;
}

/** The writes of a line, or nothing if it is damaged. */
function decode(line) {
    const text = line.slice(17);
    if (createHash("sha256").update(text).digest("hex").slice(0, 16) !== line.slice(0, 16)) return undefined;
    return JSON.parse(text, (_, value) => (typeof value?.$bytes === "string" ? new Uint8Array(Buffer.from(value.$bytes, "base64")) : value));
}

/** Writes a file aside and renames it, so that it is there whole or not at all. */
async function replaceFile(path, text) {
    const file = await open(`${path}.new`, "w", 0o600);
    try {
        await file.writeFile(text);
        await file.sync();
    } finally {
        await file.close();
    }
    await rename(`${path}.new`, path);
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
}

/**
 * A store in one file, for one process at a time.
 *
 * Each transaction is a line with its digest, on disk before it counts. A last line that was cut off by a crash had not
 * counted. Any other damage is copied to `PATH.damaged`; the lines that are whole stay, and the zones are read anew.
 */
class FileStore extends StagedStore {
    #path;
    #file;
    #lines = 0;
    wasDamaged = false;

    constructor(path) {
        super();
        this.#path = path;
    }

    async open() {
        mkdirSync(dirname(this.#path), { recursive: true });
        const text = await readFile(this.#path, "utf8").catch((error) => {
            if (error.code === "ENOENT") return "";
            throw error;
        });
        const lines = text.split("\n");
        // The last is empty, or was cut off.
        const torn = lines.pop();
        for (const line of lines) {
            const writes = decode(line);
            if (writes) this.apply(writes);
            else this.wasDamaged = true;
        }
        if (this.wasDamaged) await writeFile(`${this.#path}.damaged`, text, { mode: 0o600 });
        if (this.wasDamaged || torn || lines.length === 0) await this.#compact();
        else await this.#reopen(lines.length);
        return this;
    }

    async #reopen(lines) {
        await this.#file?.close();
        this.#file = await open(this.#path, "a", 0o600);
        this.#lines = lines;
    }

    async #compact() {
        const contents = this.contents();
        await replaceFile(this.#path, contents.map((write) => encode([write])).join(""));
        await this.#reopen(contents.length);
    }

    async persist(writes) {
        if (!this.#file) throw new Error("The store is closed.");
        if (this.#lines > 1_000 + 4 * this.size) await this.#compact();
        const { size } = await this.#file.stat();
        try {
            await this.#file.appendFile(encode(writes));
            await this.#file.sync();
        } catch (error) {
            // Half a line would damage the next one.
            await this.#file.truncate(size).catch(() => {});
            throw error;
        }
        this.#lines += 1;
    }

    async close() {
        await super.close();
        await this.#file?.close();
        this.#file = undefined;
    }
}

/** Opens a store in a file of that path. */
export function fileStore(path) {
    return new FileStore(path).open();
}

/** Keeps tokens in a file that only its owner can read. */
export function fileTokenStore(path) {
    const read = async () => JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
    let queue = Promise.resolve();
    return {
        getToken: async (key) => (await read())[key] ?? null,
        putToken: (key, token) => {
            queue = queue.catch(() => {}).then(async () => {
                const tokens = await read();
                if ((tokens[key] ?? null) === token) return;
                if (token == null) delete tokens[key];
                else tokens[key] = token;
                if (Object.keys(tokens).length) await replaceFile(path, JSON.stringify(tokens));
                else await rm(path, { force: true });
            });
            return queue;
        },
    };
}
