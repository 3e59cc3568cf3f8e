/** A server of the test's own: its program is named by CUMULUS_PROGRAM. */
import { spawn } from "node:child_process";
import { webcrypto } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { configure } from "../../Public/client/cumulus.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** The package of the client. */
export const folder = join(root, "Public/client");
export const apiToken = "d0".repeat(32);
export const containerIdentifier = "iCloud.com.example.app";

function program() {
    const path = process.env.CUMULUS_PROGRAM;
    if (!path) throw new Error("Name the server's program in CUMULUS_PROGRAM, as Scripts/test-clients.sh does.");
    return resolve(root, path);
}

// Node 18 has it in its module alone.
globalThis.crypto ??= webcrypto;

// A test that is ended from outside ends what it started.
process.once("SIGTERM", () => process.exit(143));

const running = new Set();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A server on a port of the loopback, from the moment it listens. */
export class TestServer {
    #process;
    #data;

    static async start(data = mkdtempSync(join(tmpdir(), "cumulus-js-")), port = 0) {
        const server = new TestServer();
        server.#data = data;
        server.#process = spawn(
            program(), ["serve", "--dev", "--host", "127.0.0.1", "--port", String(port), "--data", join(data, "data")],
            { stdio: ["ignore", "pipe", "ignore"], env: { PATH: process.env.PATH } });
        const child = server.#process;
        running.add(child);
        server.ended = new Promise((end) => child.once("exit", () => end(running.delete(child))));
        server.origin = await new Promise((resolve, reject) => {
            let said = "";
            server.#process.stdout.on("data", (chunk) => {
                said += chunk;
                const found = /Cumulus is serving (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
                if (found) resolve(found[1]);
            });
            server.#process.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
        });
        return server;
    }

    get data() { return this.#data; }

    /** The folder that the server keeps its data in, for commands. */
    get folder() { return join(this.#data, "data"); }

    get program() { return program(); }

    /** Ends the server and keeps its data. */
    async halt(signal = "SIGTERM") {
        this.#process.kill(signal);
        await this.ended;
    }

    /** Kills the server in the middle of what it does, and starts it again at the same address. */
    async crash() {
        await this.halt("SIGKILL");
        const next = await TestServer.start(this.#data, new URL(this.origin).port);
        [this.#process, this.ended] = [next.#process, next.ended];
    }

    async stop() {
        await this.halt();
        rmSync(this.#data, { recursive: true, force: true });
    }

    /** A web auth token of somebody, who exists from then on. */
    async token(email, container = containerIdentifier) {
        const response = await fetch(`${this.origin}/auth/dev/session`, {
            method: "POST", body: JSON.stringify({ container, environment: "development", email }),
        });
        return (await response.json()).ckWebAuthToken;
    }

    /** A container with somebody signed in, or nobody. */
    async container(email, { container = containerIdentifier, origin = this.origin, ...settings } = {}) {
        const ckWebAuthToken = email && (await this.token(email, container));
        return configure({
            origin, containers: [{ containerIdentifier: container, environment: "development", apiTokenAuth: { apiToken, ckWebAuthToken } }],
            ...settings,
        }).getDefaultContainer();
    }
}

/** Waits until a condition holds, which events bring about. */
export async function until(condition) {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** All of an asynchronous iterator. */
export async function all(iterator) {
    const list = [];
    for await (const each of iterator) list.push(each);
    return list;
}
