package import CloudAccounts
import CloudEmulator
package import CloudEngine
package import CloudHTTP
package import CloudPages
package import CloudServer
package import CloudModel
package import Foundation
package import Logging
package import NIOCore
import TestEngine
package import Testing

/// A server over a data folder of its own. Everything it answers is held to the API's description.
package struct TestServer: Sendable {
    package let client: any TestClientProtocol
    package let accounts: AccountStore
    package let folder: DataFolder
    package let responder: Responder

    /// The folder that those in the program come from.
    package static let publicFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Public")

    /// The pages in the program, read once for all servers.
    package static let pages = Result { try PageFiles(PublicFiles(folder: nil)) }

    /// Runs a development server, unless told otherwise, for as long as `body` takes.
    ///
    /// - Parameters:
    ///   - pages: pages with texts of their own; nil for those in the program.
    ///   - folder: what its data is kept in, which stays; nil for one that goes with it.
    package static func run(
        _ setup: TestingSetup = .router, dev: Bool = true,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        clock: @escaping Now = Timestamp.now, logger: Logger = TestServer.silent,
        engine: any StoreEngine = TestEngine(), pages: PageFiles? = nil, folder: URL? = nil,
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.dev = dev
        configuration.port = 0
        // Tests that run side by side make each other wait.
        let long = Duration.seconds(600)
        (configuration.requestTime, configuration.idleTime, configuration.readingTime) = (long, long, long)
        // Most tests ask for no picture.
        configuration.preparesPreviews = false
        configure(&configuration)
        try await Turnstile.servers.pass { [configuration] in
            try await run(setup, configuration, clock, logger, engine, pages, folder, body)
        }
    }

    package static let silent: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    private static func run(
        _ setup: TestingSetup, _ configuration: ServerConfiguration, _ clock: @escaping Now,
        _ logger: Logger, _ engine: any StoreEngine, _ pages: PageFiles?, _ kept: URL?,
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let root = kept ?? FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        defer { if kept == nil { try? FileManager.default.removeItem(at: root) } }
        let data = root.appending(path: "data").path()
        let settable = SettableClock(over: clock)
        var configuration = configuration
        configuration.clock = settable
        let folder = try DataFolder(
            path: data, engine: engine, assets: try await AssetKeeping.current.backend(data),
            now: { settable.now() })
        let accounts = try AccountStore(
            folder: folder, sessionLifetimes: configuration.sessionLifetimes, passwordCost: TestEngine.passwordCost)
        let app = try buildApplication(
            configuration: configuration, pages: pages ?? Self.pages.get(), folder: folder, accounts: accounts,
            logger: logger)
        try await app.test(setup) { client in
            try await body(
                TestServer(client: client, accounts: accounts, folder: folder, responder: app.responder))
        }
    }

    package func send(
        _ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let response = try await client.execute(uri: target, method: method, headers: headers, body: body)
        let answer = Answer(response)
        for fault in Contract.shared.faults(of: answer, to: method, target) {
            Issue.record(
                "\(method) \(target): \(answer.status) \(fault)\n\(answer.text.prefix(2000))",
                sourceLocation: sourceLocation)
        }
        for fault in Contract.shared.faults(
            ofAccepted: body.map { Array($0.readableBytesView) } ?? [], answer, to: method, target)
        {
            Issue.record(
                "\(method) \(target): accepted, although \(fault)\n\(body.map { String(buffer: $0).prefix(1000) } ?? "")",
                sourceLocation: sourceLocation)
        }
        return answer
    }

    /// An app without a user.
    package func app(_ container: String = "iCloud.com.example.test", environment: String = "development") -> App {
        App(server: self, container: container, environment: environment)
    }

    /// An app somebody is signed in to.
    package func signIn(
        _ email: String, _ container: String = "iCloud.com.example.test", environment: String = "development"
    ) async throws -> App {
        let body = #"{"container":"\#(container)","environment":"\#(environment)","email":"\#(email)"}"#
        let answer = try await send(.post, "/auth/dev/session", body: ByteBuffer(string: body))
        var app = app(container, environment: environment)
        app.token = try #require(answer["ckWebAuthToken"]?.string)
        app.user = try #require(answer["userRecordName"]?.string)
        return app
    }
}
