@testable import CloudPages
import CloudAccounts
import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// All that a person has, over HTTP. The files in a zip are stored as they are, so its text shows them.
@Suite(.timeLimit(.minutes(20)))
struct PersonDownloadTests {
    private static let email = "mei@example.com"
    private static let path = "users/\(email)/export"

    /// Mei with a note, and a browser she is signed in with.
    private func mei(_ server: TestServer) async throws -> WebVisitor {
        let mei = try await server.signIn(Self.email)
        try await mei.save("n1", fields: #""title": {"value": "a note of Mei's"}"#)
        let account = try #require(try await server.accounts.users.find(email: Self.email))
        let visitor = WebVisitor(server)
        let login = try await server.accounts.browserLogins.create(account: account, persistent: false)
        visitor.setCookie(BrowserSession.cookieName, login)
        return visitor
    }

    @Test("A signed-in person downloads their data") func ownDownload() async throws {
        try await TestServer.run { server in
            let visitor = try await mei(server)
            let page = try await visitor.open("/account")
            #expect(page.status == 200 && page.text.contains("Download your data") && page.text.contains("1 record"))
            let zip = try await visitor.submit("/account/download", [:])
            #expect(zip.status == 200 && zip.headers[.contentType] == "application/zip")
            #expect(zip.headers[.cacheControl]?.contains("no-store") == true)
            #expect(zip.headers[.contentDisposition]?.contains("attachment") == true)
            #expect(zip.text.contains("a note of Mei's") && zip.text.contains("contents.json"))
        }
    }

    @Test("An operator downloads a person's data in the console and over the admin API")
    func operatorDownload() async throws {
        try await TestServer.run { server in
            _ = try await mei(server)
            let token = try await server.managementToken([.people, .recordsRead])
            let zip = try await server.manage(.get, Self.path, token: token)
            #expect(zip.status == 200 && zip.text.contains("a note of Mei's"))
            #expect(try await server.manage(.get, "users/noor@example.com/export", token: token).status == 404)
            #expect(try await server.manage(.get, Self.path + "?to=x", token: token).status == 400)
            let visitor = WebVisitor(server)
            #expect(try await visitor.open("/console/person?email=\(Self.email)").text.contains("/console/download"))
            let shown = try await visitor.submit("/console/download", ["email": Self.email])
            #expect(shown.status == 200 && shown.text.contains("a note of Mei's"))
            let all = try await server.managementToken()
            let audit = try await server.manage(.get, "audit", token: all)
            #expect(audit.text.matches(of: #/exported a user's data/#).count == 2)
        }
    }

    @Test("A person has one download at a time, and it ends with its connection")
    func concurrentDownloads() async throws {
        // Who reads nothing for a while is not to be taken for one who has gone.
        try await TestServer.live(configure: { $0.idleTime = .seconds(3600) }) { server, port in
            let mei = try await server.signIn(Self.email)
            let value = try await mei.upload([UInt8](repeating: 97, count: 24 << 20))
            try await mei.save("n1", fields: #""file": {"value": \#(value)}"#)
            let token = try await server.managementToken()
            var wire: Wire? = try Wire(port: port)
            try await wire?.send(
                "GET /admin/1/\(Self.path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n")
            #expect(try await wire?.readHead().hasPrefix("HTTP/1.1 200") == true)
            let second = try await server.manage(.get, Self.path, token: token)
            #expect(second.status == 429 && second.headers[.retryAfter] != nil, "\(second.text)")
            wire = nil
            while try await server.manage(.get, Self.path, token: token).status == 429 {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
