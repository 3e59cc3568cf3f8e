@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Synchronization
import TestEngine
import Testing

/// Who looks at something changes nothing: not what is stored, and not who they are to others.
@Suite(.timeLimit(.minutes(10)))
struct LookingTests {
    private static let container = "iCloud.com.example.test"

    /// A share's owner, the link, and somebody who is signed in with a browser and has no app.
    private func withShare(
        permission: String = "NONE", participants: [String] = [], more: String = "",
        _ body: @Sendable (_ mei: App, _ guid: String, _ noor: WebVisitor) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "root", fields: #""title": {"value": "A day"}"#)
            let guid = try await mei.share(
                "root", in: "Z", permission: permission, participants: participants, more: more)
            let account = try await server.accounts.users.create(email: "noor@example.com", givenName: "Noor")
            let noor = WebVisitor(server)
            noor.setCookie(
                BrowserSession.cookieName,
                try await server.accounts.browserLogins.create(account: account, persistent: false))
            try await body(mei, guid, noor)
        }
    }

    private func isFound(by app: App) async throws -> Bool {
        let body = #"{"lookupInfos": [{"emailAddress": "noor@example.com"}]}"#
        return try await app.post("public/users/discover", body).text.contains("Noor")
    }

    @Test("Viewing a page creates no user, and accepting the share does")
    func visit() async throws {
        try await withShare(permission: "READ_ONLY") { (mei, guid, noor) async throws in
            let path = "/share/\(guid)"
            #expect(try await noor.open(path).text.contains("A day"))
            #expect(try await !isFound(by: mei))
            #expect(try await noor.submit("\(path)/accept", [:]).status == 303)
            #expect(try await isFound(by: mei))
        }
    }

    @Test("A refused visitor becomes no user, and one who requests access does")
    func closedVisit() async throws {
        try await withShare(more: #", "denyAccessRequests": false"#) { mei, guid, noor in
            let path = "/share/\(guid)"
            #expect(try await noor.open(path).text.contains("ask to be let in"))
            let settings =
                "/share/1/\(Self.container)/development/links/\(guid)?ckAPIToken=\(mei.apiToken ?? "")"
                + "&ckWebAuthToken=\(App.encoded(mei.token ?? ""))"
            let settle = { (body: String) in
                try await mei.server.send(
                    .put, settings, headers: [.contentType: "application/json"], body: ByteBuffer(string: body)
                ).status
            }
            #expect(try await settle(#"{"takenDown": true}"#) == 200)
            for path in [path, "\(path)/zip", "/share/nothing"] {
                #expect(try await noor.open(path).status >= 400, "\(path)")
            }
            for path in ["\(path)/ask", "\(path)/accept", "/share/nothing/ask"] {
                #expect(try await noor.submit(path, [:]).status >= 400, "\(path)")
            }
            #expect(try await !isFound(by: mei))
            #expect(try await settle(#"{"takenDown": false}"#) == 200)
            #expect(try await noor.submit("\(path)/ask", [:]).status == 200)
            #expect(try await isFound(by: mei))
            let share = try await mei.lookup(zone: "Z", "Share-root")
            #expect(share.text.contains("Noor"), "\(share.text)")
        }
    }

    @Test("An invited person views the page and declines without becoming a user")
    func declining() async throws {
        try await withShare(participants: [Sharing.entry(email: "noor@example.com")]) {
            (mei, guid, noor) async throws in
            #expect(try await noor.open("/share/\(guid)").text.contains("A day"))
            #expect(try await noor.submit("/share/\(guid)/leave", [:]).text.contains("You have left"))
            #expect(try await !noor.open("/share/\(guid)").text.contains("A day"))
            #expect(try await !isFound(by: mei))
        }
    }

    // MARK: All routes

    /// The values of a path's parts, by their names.
    private static func path(_ pattern: String, guid: String) -> String {
        let values = [
            "container": container, "environment": "production", "database": "public", "id": guid,
            "email": "noor@example.com", "size": "small", "share": guid,
        ]
        return pattern.replacing(#/\{([a-zA-Z]+)\}/#) { match in values[String(match.output.1)] ?? "x" }
    }

    @Test("No GET writes anything, and session uses are written outside of requests")
    func reads() async throws {
        let trace = Trace()
        let engine = TestEngine(onWrite: trace.note)
        let clock = TestClock()
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.usesInterval = .seconds(3600)
        }
        try await ConsoleOperator.run(configure: configure, clock: clock, engine: engine) { ines in
            try await ines.enrol()
            let server = ines.server
            let noor = try await server.accounts.users.create(email: "noor@example.com")
            let visitor = WebVisitor(server)
            visitor.setCookie(
                BrowserSession.cookieName,
                try await server.accounts.browserLogins.create(account: noor, persistent: false))
            var app = server.app(Self.container, environment: "production")
            app.apiToken = try await server.accounts.apiTokens.create(
                container: Self.container, environment: .production, name: "web"
            ).text
            let container = try #require(try await server.accounts.reader().container(named: Self.container))
            app.token = try await server.accounts.sessions.create(
                email: "noor@example.com", container: container, environment: .production
            ).token
            // The first request about an environment makes its database.
            let development = try await server.accounts.apiTokens.create(
                container: Self.container, environment: .development, name: "web"
            ).text
            var other = server.app(Self.container)
            other.apiToken = development
            #expect(try await other.post("public/records/lookup", #"{"records": [{"recordName": "x"}]}"#).status == 200)
            // Their first request makes the record that every user has.
            #expect(try await app.get("public/users/current").status == 200)
            let token = try await server.managementToken()
            let place = "container=\(Self.container)&environment=production&email=noor@example.com"
            for _ in 0..<2 {
                trace.begin()
                var found = 0
                // `/ready` tells by a write whether the disk takes one, and polls wait.
                for row in RouteRow.all
                where row.methods.contains(.get) && !row.isForDevelopment
                    && !["/ready", "/aps", "/events"].contains(row.pattern)
                {
                    let path = Self.path(row.pattern, guid: "x")
                    let credentials = "ckAPIToken=\(app.apiToken ?? "")&ckWebAuthToken=\(App.encoded(app.token ?? ""))"
                    let statuses = [
                        try await server.send(.get, path).status,
                        try await visitor.open("\(path)?\(credentials)").status,
                        try await ines.visitor.open("\(path)?\(place)").status,
                        try await server.send(
                            .get, "\(path)?\(place)", headers: [.authorization: "Bearer \(token)"]
                        ).status,
                    ]
                    found += statuses.count { $0 == 200 }
                    #expect(statuses.allSatisfy { $0 < 500 }, "\(path) \(statuses)")
                    let writes = trace.take().filter { !Self.isAudit($0) }
                    #expect(writes.isEmpty, "\(path): \(writes)")
                }
                trace.end()
                #expect(found > 60)
                clock.advance(.seconds(120))
            }
            trace.begin()
            try await server.accounts.writeUses()
            let uses = trace.take()
            for table in ["session", "browserLogin", "consoleLogin"] {
                #expect(uses.count { $0.hasPrefix("UPDATE \(table) ") } == 1, "\(uses)")
            }
        }
    }

    /// The statements that may write, while it runs.
    private final class Trace: Sendable {
        private let state = Mutex((isOn: false, statements: [String]()))

        func begin() { state.withLock { $0 = (true, []) } }
        func end() { state.withLock { $0.isOn = false } }
        func note(_ sql: String) { state.withLock { if $0.isOn { $0.statements.append(sql) } } }

        func take() -> [String] {
            state.withLock { state in
                defer { state.statements = [] }
                return state.statements
            }
        }
    }

    /// The audit log tells whose private data an operator has looked at.
    private static func isAudit(_ sql: String) -> Bool { sql.contains(" audit ") }
}
