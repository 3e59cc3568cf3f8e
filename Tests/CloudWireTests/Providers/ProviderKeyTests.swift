import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import TestCloud
import TestStore
import Testing

@testable import CloudWire

/// Keys of a provider, in memory and fetched again.
@Suite(.timeLimit(.minutes(5)))
struct ProviderKeyTests {
    private let bench: ProviderBench

    init() throws { bench = try ProviderBench() }

    @Test("A thousand unknown keys cause one fetch a minute") func unknownKeys() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            bench.stub.set("/keys", ProviderBench.keys, headers: [.cacheControl: "max-age=86400"])
            for minute in 1...3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<1000 {
                        group.addTask { _ = try await connections.keys(of: provider, isKeyUnknown: true) }
                    }
                    try await group.waitForAll()
                }
                #expect(bench.stub.count("/keys") == minute)
                _ = try await connections.keys(of: provider)
                #expect(bench.stub.count("/keys") == minute)
                bench.fixture.pass(seconds: 60)
            }
            #expect(bench.stub.count(ProviderBench.discovery) == 1)
        }
    }

    @Test("Keys are fetched again when they are old, and old ones serve for a day while that fails") func oldKeys()
        async throws
    {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            bench.stub.set("/keys", ProviderBench.keys, headers: [.cacheControl: "max-age=600"])
            _ = try await connections.keys(of: provider)
            bench.fixture.pass(seconds: 599)
            _ = try await connections.keys(of: provider)
            #expect(bench.stub.count("/keys") == 1)
            bench.stub.set("/keys", "", status: .internalServerError)
            bench.fixture.pass(seconds: 1)
            for _ in 0..<10 { _ = try await connections.keys(of: provider) }
            #expect(bench.stub.count("/keys") == 2)
            bench.fixture.pass(seconds: 85_801)
            #expect(await ProviderBench.fault { _ = try await connections.keys(of: provider) } == .status(500))
            // Within a minute the provider is not asked again, and the reason stays.
            #expect(await ProviderBench.fault { _ = try await connections.keys(of: provider) } == .status(500))
            #expect(bench.stub.count("/keys") == 3)
            bench.stub.set("/keys", ProviderBench.keys)
            bench.fixture.pass(seconds: 60)
            _ = try await connections.keys(of: provider)
            #expect(bench.stub.count("/keys") == 4)
        }
    }

    @Test("An answer that is no set of keys is refused") func wrongKeys() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            let answers: [(String, ProviderFault)] = [("[]", .keys(.json)), ("{}", .keys(.keys))]
            for (text, expected) in answers {
                bench.stub.set("/keys", text)
                let connections = ProviderConnections(accounts: bench.accounts)
                #expect(await ProviderBench.fault { _ = try await connections.keys(of: provider) } == expected)
            }
        }
    }

    private static let published = """
        {"keys": [{"kty": "EC", "crv": "P-256", "kid": "new", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
        """

    /// Checks a token of the published key, which has to be in the set.
    private func check(_ connections: ProviderConnections, _ provider: SignInProvider) async throws -> Int {
        try await connections.checking(of: provider) { keys in
            guard !keys.keys.isEmpty else { throw TokenFault.unknownKey }
            return keys.keys.count
        }
    }

    @Test("A key that is published right after a fetch is found, and so is one published while a fetch runs")
    func newKey() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            bench.stub.set(ProviderBench.discovery, ProviderBench.document(origin))
            bench.stub.set("/keys", ProviderBench.keys)
            let known = ProviderConnections(accounts: bench.accounts)
            _ = try await known.keys(of: provider)
            bench.stub.set("/keys", Self.published)
            #expect(try await check(known, provider) == 1)
            #expect(bench.stub.count("/keys") == 2)
            bench.stub.set("/keys", ProviderBench.keys)
            let fetching = ProviderConnections(accounts: bench.accounts)
            _ = try await fetching.discovery(of: provider)
            let held = bench.stub.hold()
            async let first = fetching.keys(of: provider).keys.count
            try await until { bench.stub.count("/keys") >= 3 }
            bench.stub.set("/keys", Self.published)
            async let second = check(fetching, provider)
            held.finish()
            let counts = try await (first, second)
            #expect(counts == (0, 1))
            #expect(bench.stub.count("/keys") == 4)
        }
    }
}
