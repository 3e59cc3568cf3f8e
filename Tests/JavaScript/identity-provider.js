/** A provider of sign-in on the loopback, which gives out the identity tokens that a test asks for. */
import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { once } from "node:events";

const base64 = (value) => Buffer.from(value).toString("base64url");

export class IdentityProvider {
    #server;
    #key;

    static async start() {
        const provider = new IdentityProvider();
        const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const jwk = { ...publicKey.export({ format: "jwk" }), kid: "key", use: "sig" };
        provider.#key = privateKey;
        provider.#server = createServer((request, response) => {
            const documents = {
                "/.well-known/openid-configuration": {
                    issuer: provider.issuer, authorization_endpoint: `${provider.issuer}/authorize`,
                    token_endpoint: `${provider.issuer}/token`, jwks_uri: `${provider.issuer}/keys`, response_types_supported: ["code"],
                },
                "/keys": { keys: [jwk] },
            };
            const document = documents[request.url];
            response.writeHead(document ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(document ?? {}));
        });
        provider.#server.listen(0, "127.0.0.1");
        await once(provider.#server, "listening");
        return provider;
    }

    get issuer() { return `http://127.0.0.1:${this.#server.address().port}`; }

    /** A token for a nonce. */
    token(nonce, claims = {}) {
        const now = Math.floor(Date.now() / 1000);
        const header = base64(JSON.stringify({ alg: "ES256", kid: "key" }));
        const body = base64(JSON.stringify({ iss: this.issuer, aud: "client", sub: "person", iat: now, exp: now + 300, nonce, ...claims }));
        const signature = createSign("SHA256").update(`${header}.${body}`).sign({ key: this.#key, dsaEncoding: "ieee-p1363" });
        return `${header}.${body}.${base64(signature)}`;
    }

    /** Has a server know the provider under a name. */
    async addTo(server, name, ...options) {
        const command = spawn(server.program, [
            "provider", "add", name, "--kind", "oidc", "--issuer", this.issuer, "--client-id", "client", "--title", "Example",
            "--allows-http", "on", "--secret-file", "-", "--data", server.folder, ...options,
        ], { stdio: ["pipe", "ignore", "pipe"], env: { PATH: process.env.PATH } });
        let said = "";
        command.stderr.on("data", (chunk) => (said += chunk));
        command.stdin.end("secret");
        const [code] = await once(command, "close");
        if (code) throw new Error(`'provider add' ended with ${code}: ${said}`);
    }

    async stop() {
        this.#server.close();
        this.#server.closeAllConnections?.();
    }
}
