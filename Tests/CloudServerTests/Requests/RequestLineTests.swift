@testable import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import Logging
import Synchronization
import Testing

/// Lines of the log about requests.
@Suite(.timeLimit(.minutes(20)))
struct RequestLineTests {
    @Test("By default, refused requests have a log line and others have none")
    func refused() async throws {
        let book = LogBook()
        try await TestServer.run(dev: false, logger: book.logger()) { server in
            for _ in 0..<20 { _ = try await server.app().get("private/zones/list") }
            _ = try await server.send(.get, "/")
        }
        let lines = book.lines(with: "private/zones/list 401")
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { $0.contains("AUTHENTICATION_FAILED") && $0.contains("request=") })
        #expect(book.lines(with: "GET / 200").isEmpty)
    }

    @Test("Log lines are bounded by the minute, and the next one counts those left out")
    func bounded() async throws {
        let book = LogBook()
        let clock = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
        try await TestServer.run(
            configure: { $0.requests.linesPerMinute = 3 }, clock: { clock.withLock { $0 } }, logger: book.logger()
        ) { server in
            for _ in 0..<10 { _ = try await server.send(.get, "/nothing") }
            #expect(book.lines(with: "GET unknown 404").count == 3)
            clock.withLock { $0 = $0 + .seconds(61) }
            _ = try await server.send(.get, "/nothing")
            #expect(book.lines(with: "GET unknown 404").last?.contains("leftOut=7") == true)
        }
    }

    @Test(
        "The setting selects which requests have log lines",
        arguments: [
            (RequestSettings.Logged.all, 2), (.refused, 1), (.slow, 0), (.none, 0),
        ])
    func chosen(logged: RequestSettings.Logged, count: Int) async throws {
        let book = LogBook()
        try await TestServer.run(
            configure: {
                $0.requests.logged = logged
                $0.requests.slow = .seconds(3600)
            }, logger: book.logger()
        ) { server in
            _ = try await server.send(.get, "/nothing")
            _ = try await server.send(.get, "/")
        }
        #expect(book.lines(with: "GET ").count == count)
    }

    @Test("Schema changes, role changes and failed sign-ins are always logged")
    func always() async throws {
        let book = LogBook()
        try await TestServer.run(configure: { $0.requests.logged = RequestSettings.Logged.none }, logger: book.logger())
        {
            server in
            let program = try await server.makeOperator()
            try await program.importing("RECORD TYPE A (a STRING);")
            _ = try await server.send(.get, "/database/1/c/production/public/zones/list?ckAPIToken=wrong")
        }
        #expect(book.lines(with: "admin change").count == 1)
        #expect(book.lines(with: "wrong API token").count == 1)
    }
}
