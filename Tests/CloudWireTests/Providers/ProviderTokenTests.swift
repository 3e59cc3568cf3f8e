import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import TestCloud
import TestStore
import Testing

@testable import CloudWire

/// Codes, tokens and people of a provider.
@Suite(.timeLimit(.minutes(5)))
struct ProviderTokenTests {
    private let bench: ProviderBench

    init() throws { bench = try ProviderBench() }

    @Test("A code is redeemed by the method that discovery or the operator names") func redeem() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let answer = #"{"access_token": "at", "token_type": "Bearer", "id_token": "a.b.c"}"#
            bench.stub.set("/token", answer)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            let redeem = { (provider: SignInProvider) in
                try await ProviderConnections(accounts: bench.accounts).redeem(
                    code: "c&1", redirect: "https://me.example/auth/with/work", proof: ProofKey(), of: provider)
            }
            #expect(try await redeem(provider).idToken == "a.b.c")
            var sent = try #require(bench.stub.delivery("/token"))
            #expect(sent.headers["authorization"] == "Basic bXkrY2xpZW50OmElM0Fi")
            var form = String(decoding: sent.body, as: UTF8.self)
            #expect(form.contains("code=c%261") && form.contains("code_verifier=") && !form.contains("client_secret"))
            let (_, posting) = try await bench.accounts.providers.update(name: "work") {
                $0.clientAuthentication = .post
            }
            _ = try await redeem(posting)
            sent = try #require(bench.stub.delivery("/token"))
            form = String(decoding: sent.body, as: UTF8.self)
            #expect(sent.headers["authorization"] == nil)
            #expect(form.contains("client_id=my+client&client_secret=a%3Ab"))
            let others = #", "token_endpoint_auth_methods_supported": ["private_key_jwt"]"#
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin, more: others))
            #expect(await ProviderBench.fault { _ = try await redeem(provider) } == .clientAuthentication)
        }
    }

    @Test("A token request is judged by its answer's body") func tokenErrors() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            let answers: [(String, HTTPResponse.Status, ProviderFault)] = [
                (#"{"error": "invalid_code"}"#, .forbidden, .token(.refused("invalid_code"))),
                (#"{"error": "bad_verification_code"}"#, .ok, .token(.refused("bad_verification_code"))),
                ("<html>", .internalServerError, .status(500)), ("<html>", .ok, .token(.json)),
                (#"{"access_token": "at", "token_type": "Bearer"}"#, .ok, .token(.token)),
            ]
            for (text, status, expected) in answers {
                bench.stub.set("/token", text, status: status)
                let found = await ProviderBench.fault {
                    _ = try await connections.redeem(code: "c", redirect: nil, proof: nil, of: provider)
                }
                #expect(found == expected)
            }
        }
    }

    @Test("GitHub is asked without discovery, and for the address that is primary and verified") func gitHub()
        async throws
    {
        try await bench.run { origin in
            let provider = try await bench.accounts.providers.add(
                SignInProvider(name: "hub", kind: .github, clientID: "c"), secret: ProviderSecret("s"))
            var settings = ProviderSettings()
            settings.standIns = ["https://github.com": origin, "https://api.github.com": origin]
            let connections = ProviderConnections(accounts: bench.accounts, settings)
            bench.stub.set("/login/oauth/access_token", #"{"access_token": "at", "token_type": "bearer"}"#)
            let answer = try await connections.redeem(
                code: "c", redirect: "https://me.example/x", proof: ProofKey(), of: provider)
            #expect(answer.idToken == nil)
            #expect(bench.stub.delivery("/login/oauth/access_token")?.headers["accept"] == "application/json")
            bench.stub.set("/user", #"{"id": 7, "login": "ann", "name": "Ann"}"#)
            bench.stub.set("/user/emails", #"[{"email": "ann@example.com", "primary": true, "verified": true}]"#)
            let person = try await connections.gitHubPerson(of: provider, accessToken: answer.accessToken)
            #expect((person.subject, person.email) == ("7", "ann@example.com"))
            #expect(bench.stub.delivery("/user")?.headers["authorization"] == "Bearer at")
            #expect(await ProviderBench.fault { _ = try await connections.keys(of: provider) } == .endpoint(.discovery))
        }
    }

    @Test("User information is read with the access token") func userInfo() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            bench.stub.set("/userinfo", #"{"sub": "1", "email": "a@example.com"}"#)
            #expect(try await connections.userInfo(of: provider, accessToken: "at")["sub"] == .string("1"))
            bench.stub.set("/userinfo", #"{"sub": "1", "sub": "2"}"#)
            #expect(
                await ProviderBench.fault { _ = try await connections.userInfo(of: provider, accessToken: "at") }
                    == .userInfo)
            bench.stub.set("/userinfo", "", status: .unauthorized)
            #expect(
                await ProviderBench.fault { _ = try await connections.userInfo(of: provider, accessToken: "at") }
                    == .status(401))
        }
    }
}
