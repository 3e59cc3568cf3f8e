import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { folder, TestServer } from "./server.js";

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

test("the snippets of docs/clients.md work as they stand there", { timeout: 60_000 }, async () => {
    const text = readFileSync(join(folder, "../../docs/clients.md"), "utf8");
    const blocks = [...text.matchAll(/^```(\w+) run\n([\s\S]*?)^```$/gm)];
    assert.ok(blocks.length >= 4);
    const server = await TestServer.start();
    try {
        const adapt = (code) => code.replaceAll("http://127.0.0.1:8080", server.origin).replaceAll('from "cumulus-client', `from "${folder}/`)
            .replaceAll(`${folder}/"`, `${folder}/cumulus.js"`).replaceAll(/from "([^"]*)\/\/(offline|node|cloudkit-js|testing)"/g, 'from "$1/$2.js"');
        const shell = blocks.filter(([, language]) => language === "sh").map(([, , code]) => adapt(code)).join("\n");
        const { stdout } = await run("bash", ["-euo", "pipefail", "-c", shell], { cwd: folder });
        assert.match(stdout, /Groceries/);
        const script = blocks.filter(([, language]) => language === "js").map(([, , code]) => adapt(code)).join("\n");
        const { stdout: said } = await run(process.execPath, ["--input-type=module", "--eval", `${script}\nprocess.exit(0);`], { cwd: server.data });
        assert.match(said, /Groceries/);
        assert.match(said, /Pancakes/);
    } finally {
        await server.stop();
    }
});
