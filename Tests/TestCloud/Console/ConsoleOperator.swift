package import CloudAccounts
package import CloudEngine
import CloudPages
package import CloudServer
package import CloudModel
import Foundation
import Synchronization
import TestEngine
import Testing

/// An operator with a browser and an authenticator app, at the console of a server for everybody.
package final class ConsoleOperator: Sendable {
    package static let email = "ines@example.com"
    package static let password = "correct horse battery"

    package let visitor: WebVisitor
    package let server: TestServer
    private let app = Mutex<OneTimeCode?>(nil)
    /// The code to set up the app with.
    package let enrolment: String

    package init(_ server: TestServer, enrolment: String = "") {
        self.server = server
        self.enrolment = enrolment
        visitor = WebVisitor(server)
    }

    /// Runs a server whose console is enabled, with an account that is an operator.
    package static func run(
        role: OperatorRole? = .owner, configure: (inout ServerConfiguration) -> Void = { _ in },
        clock: TestClock = TestClock(), log: LogBook = LogBook(), engine: any StoreEngine = TestEngine(),
        _ body: @Sendable (ConsoleOperator) async throws -> Void
    ) async throws {
        try await TestServer.run(
            dev: false,
            configure: {
                $0.consoleIsEnabled = true
                configure(&$0)
            }, clock: clock.now, logger: log.logger(), engine: engine
        ) { server in
            _ = try await server.accounts.containers.ensure(name: "iCloud.com.example.test")
            _ = try await server.accounts.users.create(email: email, givenName: "Ines")
            _ = try await server.accounts.users.setPassword(password, email: email)
            var enrolment = ""
            if let role { enrolment = try await server.accounts.operators.add(email: email, role: role).code }
            try await body(ConsoleOperator(server, enrolment: enrolment))
        }
    }

    package func givePassword(_ password: String = password, email: String = email) async throws -> Answer {
        visitor.setCookie("cumulus_console", nil)
        _ = try await visitor.open("/console/signin")
        return try await visitor.submit("/console/signin", ["email": email, "password": password])
    }

    package func giveCode(_ code: String) async throws -> Answer {
        _ = try await visitor.open("/console/code")
        return try await visitor.submit("/console/code", ["code": code])
    }

    /// Signs in for the first time, and gives the page with the recovery codes.
    @discardableResult
    package func enrol() async throws -> Answer {
        #expect(try await givePassword().status == 303)
        return try await setUp()
    }

    /// Sets up the app, after the password.
    package func setUp() async throws -> Answer {
        let page = try await visitor.open("/console/code").text
        let text = try #require(page.firstMatch(of: #/secret=([A-Z2-7]+)/#)?.output.1)
        app.withLock { $0 = OneTimeCode(secret: Self.bytes(of: String(text))) }
        return try await visitor.submit("/console/code", ["code": code(), "enrolment": enrolment])
    }

    /// The code that the app shows, `steps` from now.
    package func code(_ steps: Int64 = 0) -> String {
        let now = OneTimeCode.step(at: server.accounts.now())
        return app.withLock { $0?.code(step: now + steps) } ?? ""
    }

    package static func bytes(of text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = text.flatMap { letter in
            let value = alphabet.firstIndex(of: letter) ?? 0
            return (0..<5).map { value >> (4 - $0) & 1 }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
    }
}

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_790_000_000_000))

    package init() {}

    package var now: Now { { self.time.withLock(\.self) } }

    package func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}
