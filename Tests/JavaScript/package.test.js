import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { folder } from "./server.js";

const run = promisify(execFile);

test("the module is imported without a page, and lets the program end", { timeout: 30_000 }, async () => {
    const script = `import { configure } from "./cumulus.js"; import "./offline.js"; import "./cloudkit-js.js";
        configure({ origin: "http://127.0.0.1:9", containers: [{ containerIdentifier: "c", apiTokenAuth: { apiToken: "a" } }] }); console.log("done");`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
    assert.equal(stdout, "done\n");
});

test("what the types declare is there, and nothing is exported without a type", async () => {
    for (const name of ["cumulus", "offline", "node", "cloudkit-js", "testing"]) {
        const declared = [...readFileSync(join(folder, `${name}.d.ts`), "utf8").matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
        const module = await import(`../../Public/client/${name}.js`);
        assert.deepEqual(Object.keys(module).sort(), [...new Set(declared)].sort(), name);
    }
    const types = readFileSync(join(folder, "cumulus.d.ts"), "utf8") + readFileSync(join(folder, "offline.d.ts"), "utf8");
    const modules = { ...(await import("../../Public/client/cumulus.js")), ...(await import("../../Public/client/offline.js")) };
    for (const [, name, body] of types.matchAll(/^export class (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)) {
        for (const [, method] of body.matchAll(/^ {4}(\w+)(?:<[^>]*>)?\(/gm)) {
            if (method !== "constructor") assert.equal(typeof modules[name].prototype[method], "function", `${name}.${method}`);
        }
    }
});

test("the package has types by every module resolution of TypeScript that finds packages", { timeout: 120_000 }, async () => {
    const app = mkdtempSync(join(tmpdir(), "cumulus-types-"));
    try {
        mkdirSync(join(app, "node_modules"));
        symlinkSync(folder, join(app, "node_modules/cumulus-client"));
        writeFileSync(join(app, "package.json"), '{ "type": "module" }');
        writeFileSync(join(app, "app.ts"), `import { configure } from "cumulus-client";
            import { openOffline } from "cumulus-client/offline";
            import { fileStore } from "cumulus-client/node";
            import { configureCloudKit } from "cumulus-client/cloudkit-js";
            import { Emulator } from "cumulus-client/testing";
            const wrong: number = configure;
            export { openOffline, fileStore, configureCloudKit, Emulator };`);
        for (const [module, moduleResolution] of [["es2022", "node"], ["node16", "node16"], ["nodenext", "nodenext"]]) {
            const options = ["--noEmit", "--strict", "--target", "es2022", "--module", module, "--moduleResolution", moduleResolution];
            const { stdout } = await run("tsc", [...options, "app.ts"], { cwd: app }).catch((error) => error);
            // The one mistake is found, so the types were.
            assert.match(stdout, /^app\.ts\(6,19\): error TS2322[^\n]*\n(?! *app\.ts)[^]*$/, `${moduleResolution}: ${stdout}`);
            assert.equal(stdout.match(/error TS/g).length, 1, `${moduleResolution}: ${stdout}`);
        }
    } finally {
        rmSync(app, { recursive: true, force: true });
    }
});

test("a published package has what its entries need, the server's version and no link out of it", async () => {
    const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const version = /"(\d+\.\d+\.\d+[^"]*)"/.exec(readFileSync(join(folder, "../../Sources/CloudModel/ProgramVersion.swift"), "utf8"))[1];
    assert.equal(described.version, version);
    assert.ok(!described.private && described.repository.url && described.license === "Apache-2.0");
    const published = new Set(["package.json", "README.md"]);
    for (const name of readdirSync(folder, { recursive: true })) {
        if (/^[^/]+\.js$|^[^/]+\.d\.ts$|^lib\/.*\.js$/.test(name)) published.add(name);
    }
    assert.deepEqual(described.files, ["*.js", "*.d.ts", "lib"]);
    const entries = Object.values(described.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
    const needed = [described.main, described.types, ...entries].map((path) => normalize(path));
    for (const path of needed) {
        assert.ok(published.has(path), path);
        for (const [, , imported] of readFileSync(join(folder, path), "utf8").matchAll(/(from|import\() ?"(\.[^"]+)"/g)) {
            const target = normalize(join(dirname(path), imported)).replace(/^(.*)\.js$/, path.endsWith(".d.ts") ? "$1.d.ts" : "$1.js");
            if (!needed.includes(target)) needed.push(target);
        }
    }
    assert.ok(needed.includes("lib/transport.js"));
    assert.doesNotMatch(readFileSync(join(folder, "README.md"), "utf8"), /\]\(\.\.\//);
    const npm = await run("npm", ["pack", "--dry-run", "--json"], { cwd: folder }).catch((error) => error);
    // Not a package of the tests: where it is, it agrees.
    if (npm.code === "ENOENT") return;
    assert.deepEqual(new Set(JSON.parse(npm.stdout)[0].files.map(({ path }) => path)), published);
});
