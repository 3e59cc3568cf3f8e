/** A proxy in front of the server that loses requests and answers, as bad networks do. */
import { createServer, request } from "node:http";

/**
 * @param {string} origin the server's
 * @param {(clientId: string, url: URL) => string | object} fault "pass", or "before", "after" or "half": the connection ends
 *     before the server has the request, or after it, with nothing or half of the answer; or a fault of the emulator
 * @param {(clientId: string, url: URL, answer: object) => Promise | void} witness sees every answer, also those that are lost,
 *     and holds it until it is done
 */
export function startProxy(origin, fault, witness) {
    const { hostname, port } = new URL(origin);
    const proxy = createServer((incoming, outgoing) => {
        const url = new URL(incoming.url, origin);
        const clientId = url.searchParams.get("clientId");
        const verdict = fault(clientId, url);
        if (verdict === "before") return incoming.socket.destroy();
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("end", () => {
            const headers = { ...incoming.headers, connection: "keep-alive" };
            if (typeof verdict === "object") headers["x-cumulus-fault"] = JSON.stringify(verdict);
            const forwarded = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
                const parts = [];
                answer.on("error", () => incoming.socket.destroy());
                answer.on("data", (chunk) => parts.push(chunk));
                answer.on("end", async () => {
                    const body = Buffer.concat(parts);
                    if (answer.statusCode === 200 && body.length) await witness(clientId, url, JSON.parse(body));
                    if (verdict === "after") return incoming.socket.destroy();
                    outgoing.writeHead(answer.statusCode, { ...answer.headers, "content-length": body.length });
                    if (verdict === "half") {
                        outgoing.write(body.subarray(0, body.length / 2));
                        return setImmediate(() => incoming.socket.destroy());
                    }
                    outgoing.end(body);
                });
            });
            // A server that hangs up, or has been killed.
            forwarded.on("error", () => incoming.socket.destroy());
            forwarded.end(Buffer.concat(chunks));
        });
    });
    return new Promise((resolve) => {
        proxy.listen(0, "127.0.0.1", () => resolve({
            origin: `http://127.0.0.1:${proxy.address().port}`,
            stop: () => {
                proxy.closeAllConnections();
                return new Promise((end) => proxy.close(end));
            },
        }));
    });
}
