import CloudModel
import Foundation
import Synchronization
import TestAssets
import TestCloud
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server knows whether the store of its assets can be used.
@Suite(.timeLimit(.minutes(10)))
struct AssetHealthTests {
    enum Fault: String, CaseIterable {
        /// The region or the key is wrong.
        case refused
        /// A page of HTML comes in place of the store's answers.
        case portal
        /// Nothing answers.
        case silent

        fileprivate var answer: FaultyStore.Answer? {
            switch self {
            case .refused:
                FaultyStore.Answer(400, body: "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")
            case .portal:
                FaultyStore.Answer(200, headers: [("content-type", "text/html")], body: "<html>sign in</html>")
            case .silent: nil
            }
        }
    }

    private final class State: Sendable {
        let fault = Mutex<Fault?>(nil)
    }

    private let program: Program
    private let state = State()

    init() throws { program = try Program() }

    private func settings(_ store: FaultyStore) -> [String: String] {
        [
            "CUMULUS_ASSETS_URL": "s3://bucket/x", "CUMULUS_ASSETS_ENDPOINT": store.endpoint,
            "CUMULUS_ASSETS_PATH_STYLE": "true", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        ]
    }

    private func store() async throws -> FaultyStore {
        try await FaultyStore(keeping: { [state] _ in state.fault.withLock { $0 }.map(\.answer) })
    }

    @Test("Readiness, health and doctor report a failing asset store, and its recovery", arguments: Fault.allCases)
    func fault(fault: Fault) async throws {
        let store = try await store()
        let server = try await RunningServer(program, "--dev", environment: settings(store))
        #expect(try await server.status("/ready") == 200)
        let link = try await DevelopmentPerson(server).uploadLink()
        state.fault.withLock { $0 = fault }
        // An upload that fails has the next look ask the store.
        #expect(try await server.post(link, Data("pear".utf8)).response.statusCode == 503)
        for path in ["/ready", "/health"] {
            // What was found before is good for a second.
            let answer = try await answer {
                try await server.get(path)
            } until: {
                $0.response.statusCode != 200
            }
            #expect(answer.response.statusCode == 503, "\(path)")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""what":"assets""#) && text.contains("s3://bucket/x/"), "\(text)")
        }
        let doctor = try await program("doctor", environment: settings(store))
        #expect(doctor.status == 1 && doctor.output.contains("fail  assets: s3://bucket/x/"), "\(doctor.output)")
        state.fault.withLock { $0 = nil }
        try await until { try await server.status("/health") != 503 }
        #expect(try await server.status("/ready") == 200)
        #expect(try await server.post(link, Data("pear".utf8)).response.statusCode == 200)
        #expect(await server.stop() == 0)
    }

    @Test("A server stopped during its store's startup trial ends at once, and logs no fault")
    func stopped() async throws {
        let asked = AsyncStream<Void>.makeStream()
        let store = try await FaultyStore { _, _ in
            asked.continuation.yield()
            return nil
        }
        let log = try program.file("log", "")
        let server = try await RunningServer(
            program, "--dev", environment: settings(store), errors: try FileHandle(forWritingTo: log))
        for await _ in asked.stream { break }
        #expect(await server.stop() == 0)
        #expect(try !String(contentsOf: log, encoding: .utf8).contains("assets cannot be kept"))
        try await store.close()
    }

    @Test("A server that starts with a failing store logs it, and serves requests without assets")
    func start() async throws {
        let store = try await store()
        state.fault.withLock { $0 = .refused }
        let log = try program.file("log", "")
        let server = try await RunningServer(
            program, "--dev", environment: settings(store), errors: try FileHandle(forWritingTo: log))
        #expect(try await DevelopmentPerson(server).create(["a"], text: "x").response.statusCode == 200)
        #expect(try await server.status("/health") == 503)
        try await until { try String(contentsOf: log, encoding: .utf8).contains("AuthorizationHeaderMalformed") }
        #expect(await server.stop() == 0)
    }
}
