import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import TestCloud
import TestStore
import Testing

@testable import CloudWire

/// Requests to a provider on the loopback that is slow, down, long-winded or redirects.
@Suite(.timeLimit(.minutes(5)))
struct ProviderConnectionTests {
    private let bench: ProviderBench

    init() throws { bench = try ProviderBench() }

    @Test("A provider that does not answer is given up") func slow() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            var settings = ProviderSettings()
            settings.timeout = .milliseconds(300)
            let connections = ProviderConnections(accounts: bench.accounts, settings)
            let held = bench.stub.hold()
            #expect(await ProviderBench.fault { _ = try await connections.discovery(of: provider) } == .late(1))
            held.finish()
        }
    }

    @Test("A provider that is down is told by its host") func down() async throws {
        let provider = try await bench.provider("http://127.0.0.1:1")
        let connections = ProviderConnections(accounts: bench.accounts)
        guard
            case .connection(let reason) = await ProviderBench.fault({
                _ = try await connections.discovery(of: provider)
            })
        else {
            Issue.record("no fault of the connection")
            return
        }
        #expect(reason.hasPrefix("no connection to 127.0.0.1"))
    }

    @Test("A redirect is not followed") func redirect() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            let connections = ProviderConnections(accounts: bench.accounts)
            bench.stub.set(
                ProviderBench.discovery, "", status: .temporaryRedirect, headers: [.location: origin + "/elsewhere"])
            #expect(await ProviderBench.fault { _ = try await connections.discovery(of: provider) } == .redirect)
            #expect(bench.stub.count("/elsewhere") == 0)
        }
    }

    @Test("More requests than may run and wait are refused") func busy() async throws {
        try await bench.run { origin in
            let provider = try await bench.provider(origin)
            var settings = ProviderSettings()
            (settings.fetches, settings.waiting) = (1, 1)
            let connections = ProviderConnections(accounts: bench.accounts, settings)
            bench.stub.set("/a", "{}")
            let held = bench.stub.hold()
            await withTaskGroup(of: ProviderFault?.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        await ProviderBench.fault { _ = try await connections.get(origin + "/a", of: provider) }
                    }
                }
                for _ in 0..<8 { #expect(await group.next() == .some(.busy)) }
                held.finish()
                for _ in 0..<2 { #expect(await group.next() == .some(nil)) }
            }
        }
    }

    @Test("http is refused where the operator has not allowed it, and so are other schemes") func schemes() async {
        let fetcher = ProviderFetcher(ProviderSettings())
        for url in ["http://127.0.0.1:1/", "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", ""] {
            guard case .url = await ProviderBench.fault({ _ = try await fetcher.fetch(.init(url)) }) else {
                Issue.record("\(url) was fetched")
                continue
            }
        }
    }

    @Test(
        "A host that a provider names is inside only if the issuer is",
        arguments: [
            ("out", "out", true), ("out2", "out", true), ("in", "out", false), ("meta", "out", false),
            ("in", "in", true), ("in2", "in", true), ("out", "in", true), ("both", "out", false),
        ])
    func addresses(host: String, issuer: String, isAllowed: Bool) async throws {
        let known: [String: [[UInt8]]] = [
            "out": [[1, 1, 1, 1]], "out2": [[8, 8, 8, 8]], "in": [[10, 0, 0, 1]], "in2": [[127, 0, 0, 1]],
            "meta": [[169, 254, 169, 254]], "both": [[1, 1, 1, 1], [10, 0, 0, 1]],
        ]
        let addresses = ProviderAddresses { host in (known[host] ?? []).compactMap { IPAddress($0) } }
        let fault = await ProviderBench.fault { _ = try await addresses.address(of: host, issuer: issuer) }
        #expect((fault == nil) == isAllowed)
    }
}
