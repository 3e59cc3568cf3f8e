import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { configure } from "../../Public/client/cumulus.js";
import { IdentityProvider } from "./identity-provider.js";
import { apiToken, containerIdentifier, TestServer } from "./server.js";

let server;
let provider;

before(async () => {
    [server, provider] = await Promise.all([TestServer.start(), IdentityProvider.start()]);
    await provider.addTo(server, "id");
    await provider.addTo(server, "trusted", "--trusts-addresses", "on");
});
after(() => Promise.all([server.stop(), provider.stop()]));

const container = () =>
    configure({
        origin: server.origin, containers: [{ containerIdentifier, environment: "development", apiTokenAuth: { apiToken } }],
    }).getDefaultContainer();

test("an identity token signs in, the same person on two devices", async () => {
    const names = [];
    for (const which of ["nonce", "hashedNonce"]) {
        const mine = container();
        const nonce = await mine.prepareSignIn();
        assert.ok(nonce.expires > new Date());
        const identity = await mine.signInWithToken({
            provider: "id", nonce, idToken: provider.token(nonce[which]), name: { firstName: "Mei", lastName: "Chen" },
        });
        names.push(identity.userRecordName);
        assert.equal(mine.auth.userIdentity.userRecordName, identity.userRecordName);
        await mine.privateCloudDatabase.save({ recordType: "Note", fields: { title: which } });
    }
    assert.equal(names[0], names[1]);
});

test("a nonce that was used, a forged token and a token for somebody else sign nobody in", async () => {
    const mine = container();
    const nonce = await mine.prepareSignIn();
    const good = provider.token(nonce.hashedNonce);
    const [head, , signature] = good.split(".");
    const forged = [
        `${head}.${good.split(".")[1].slice(0, -4)}AAAA.${signature}`, provider.token("other"),
        provider.token(nonce.hashedNonce, { aud: "another" }), "nonsense",
    ];
    for (const idToken of forged) {
        await assert.rejects(mine.signInWithToken({ provider: "id", nonce, idToken }), { ckErrorCode: "AUTHENTICATION_FAILED" });
    }
    assert.equal(mine.auth.userIdentity, null);
    await mine.signInWithToken({ provider: "id", nonce: nonce.nonce, idToken: good });
    await assert.rejects(mine.signInWithToken({ provider: "id", nonce, idToken: good }), { ckErrorCode: "AUTHENTICATION_FAILED" });
});

test("a person whose address has an account is sent to the sign-in page", async () => {
    await server.token("mei@example.com");
    const mine = container();
    const nonce = await mine.prepareSignIn();
    const idToken = provider.token(nonce.hashedNonce, { sub: "mei", email: "mei@example.com", email_verified: true });
    await assert.rejects(mine.signInWithToken({ provider: "trusted", nonce, idToken }), (error) => {
        assert.ok(error.isSignInRequired);
        assert.match(error.redirectURL, /\/auth\/signin\?request=/);
        return true;
    });
    assert.equal(mine.auth.userIdentity, null);
});
