import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import TestCloud
import TestStore
import Testing

@testable import CloudWire

/// Discovery documents, those that lie among them.
@Suite(.timeLimit(.minutes(5)))
struct ProviderDiscoveryTests {
    private let bench: ProviderBench

    init() throws { bench = try ProviderBench() }

    @Test(
        "A discovery document is fetched once a day, for all who wait, and an old one serves while the provider is down"
    )
    func discoveryCache() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await connections.discovery(of: provider) } }
                try await group.waitForAll()
            }
            #expect(bench.stub.count(ProviderBench.discovery) == 1)
            bench.fixture.pass(seconds: 86_399)
            #expect(try await connections.endpoints(of: provider).token == origin + "/token")
            #expect(bench.stub.count(ProviderBench.discovery) == 1)
            bench.fixture.pass(seconds: 1)
            _ = try await connections.discovery(of: provider)
            #expect(bench.stub.count(ProviderBench.discovery) == 2)
            bench.stub.set(ProviderBench.discovery, "", status: .internalServerError)
            bench.fixture.pass(seconds: 86_400)
            _ = try await connections.discovery(of: provider)
            _ = try await connections.discovery(of: provider)
            #expect(bench.stub.count(ProviderBench.discovery) == 3)
            bench.fixture.pass(seconds: 86_400)
            #expect(await ProviderBench.fault { _ = try await connections.discovery(of: provider) } == .status(500))
        }
    }

    @Test("A provider whose issuer was changed is asked anew") func changedIssuer() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            _ = try await connections.discovery(of: provider)
            let (_, moved) = try await bench.accounts.providers.update(name: "work") {
                $0.issuer = origin + "/realms/a"
            }
            bench.stub.set(
                "/realms/a" + ProviderBench.discovery, ProviderBench.document(origin, issuer: origin + "/realms/a"))
            _ = try await connections.discovery(of: moved)
            #expect(bench.stub.count("/realms/a" + ProviderBench.discovery) == 1)
        }
    }

    @Test("Answers that are no discovery document of the issuer are refused") func wrongDocuments() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            let documents: [(String, ProviderFault)] = [
                (ProviderBench.document(origin, issuer: "https://evil.example"), .discovery(.issuer)),
                (ProviderBench.document(origin, issuer: origin + "/"), .discovery(.issuer)),
                ("<html>", .discovery(.json)),
                (ProviderBench.document(origin, more: #", "issuer": "\#(origin)""#), .discovery(.duplicate)),
                (
                    ProviderBench.document(origin).replacing(origin + "/token", with: "file:///etc/passwd"),
                    .discovery(.url(.token))
                ),
                (
                    ProviderBench.document(origin).replacing(origin + "/keys", with: "http://a:b@c/"),
                    .discovery(.url(.keys))
                ),
                (
                    ProviderBench.document(origin, more: #", "response_types_supported": ["id_token"]"#),
                    .discovery(.codeFlow)
                ),
                (String(repeating: " ", count: 262_145), .size),
                (String(repeating: " ", count: 262_144), .discovery(.json)),
            ]
            for (text, expected) in documents {
                bench.stub.set(ProviderBench.discovery, text)
                #expect(await ProviderBench.fault { _ = try await connections.discovery(of: provider) } == expected)
            }
        }
    }

    @Test("Microsoft's document is that of the tenants that may come in") func microsoft() async throws {
        try await bench.run { origin in
            var provider = SignInProvider(name: "ms", kind: .microsoft, clientID: "c")
            provider.tenants = ["11111111-2222-3333-4444-555555555555", "22222222-2222-3333-4444-555555555555"]
            let microsoft = "https://login.microsoftonline.com"
            var settings = ProviderSettings()
            settings.standIns = [microsoft: origin]
            let connections = ProviderConnections(accounts: bench.accounts, settings)
            let issuer = microsoft + "/{tenantid}/v2.0"
            bench.stub.set(
                "/organizations/v2.0" + ProviderBench.discovery, ProviderBench.document(microsoft, issuer: issuer))
            #expect(try await connections.endpoints(of: provider).token == microsoft + "/token")
            let tenant = provider.tenants[0]
            provider.tenants = [tenant]
            let own = microsoft + "/\(tenant)/v2.0"
            bench.stub.set("/\(tenant)/v2.0" + ProviderBench.discovery, ProviderBench.document(microsoft, issuer: own))
            _ = try await connections.discovery(of: provider)
            bench.stub.set("/keys", ProviderBench.keys)
            _ = try await connections.keys(of: provider)
        }
    }
}
