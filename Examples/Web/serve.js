#!/usr/bin/env node
/**
 * Serves the example apps, and the client they import, from one folder tree:
 *
 *     node Examples/Web/serve.js [CLOUD ORIGIN] [PORT]
 *
 * The apps run on an origin of their own, as real ones do. What they need to know of the server is in /settings.json.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const client = join(here, "../../Public/client");
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };

/** Serves on a port of the loopback; 0 takes any that is free. */
export function serve({ cloud, port = 0, apiToken = "d0".repeat(32), more = {} }) {
    const settings = { origin: cloud, apiToken, environment: "development" };
    // Scripts come from here alone, and the cloud is the only other host: a mistake cannot send a token anywhere else.
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: ${cloud}; connect-src 'self' ${cloud}; `
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, "http://here");
        const send = (status, type, body) => response.writeHead(status, {
            "content-type": type, "content-security-policy": policy, "x-content-type-options": "nosniff", "cache-control": "no-cache",
        }).end(body);
        if (pathname === "/settings.json") return send(200, "application/json", JSON.stringify(settings));
        if (more[pathname]) return send(200, types[extname(pathname)], more[pathname]);
        const path = normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
        const file = path.startsWith("/client/") ? join(client, path.slice(7)) : join(here, path);
        const type = types[extname(file)];
        const body = type && (await readFile(file).catch(() => undefined));
        return body ? send(200, type, body) : send(404, "text/plain", "Not found");
    });
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve({
            origin: `http://127.0.0.1:${server.address().port}`,
            stop: () => {
                server.closeAllConnections();
                return new Promise((end) => server.close(end));
            },
        }));
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [cloud = "http://127.0.0.1:8080", port = "8081"] = process.argv.slice(2);
    const { origin } = await serve({ cloud: new URL(cloud).origin, port: Number(port) });
    console.log(`Notes  ${origin}/notes/\nAlbum  ${origin}/album/\nThe cloud is ${cloud}. Ctrl-C stops.`);
}
