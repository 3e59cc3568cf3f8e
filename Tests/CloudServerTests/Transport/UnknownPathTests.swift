@testable import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// The answer at a path that no route matches: a page for browsers, an error dictionary for programs.
struct UnknownPathTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test(
        "A browser at an unknown path gets a page that no other site may read",
        arguments: [
            "/nothing", "/index.html", "/share/1x/a/b", "/%3Cscript%3E", "/databases", "//",
        ])
    func browsers(path: String) async throws {
        try await TestServer.run { server in
            let headers: HTTPFields = [.accept: Self.browser, .origin: "https://other.example"]
            for method in [HTTPRequest.Method.get, .head, .post] {
                let answer = try await server.send(method, path, headers: headers)
                #expect(answer.status == 404)
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
                #expect(answer.text.contains("Nothing is here") == (method != .head))
                #expect(!answer.text.contains("<script"))
                #expect(answer.headers[.policy.contentSecurity]?.contains("default-src 'none'") == true)
                #expect(answer.headers[.frameOptions] == "DENY" && answer.headers[.cacheControl] == "no-store")
                for name in [HTTPField.Name.accessControl.allowOrigin, .accessControl.allowCredentials] {
                    #expect(answer.headers[name] == nil)
                }
            }
        }
    }

    @Test(
        "Below an API path a browser also gets an error dictionary that other sites may read",
        arguments: [
            "/database/1/c/development/public/records/none", "/database", "/device/1/c", "/keyvalue/2",
            "/admin/1/nothing",
            "/assets/x", "/previews/x", "/uploads/a/b", "/share/1/c/x/links", "/emulator/1/none", "/aps/x",
            "/health/",
        ])
    func apiPaths(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, path, headers: [.accept: Self.browser])
            #expect(answer.status == 404 && answer.code == "NOT_FOUND", "\(answer.text)")
            #expect(answer.headers[.accessControl.allowOrigin] == "*")
            let exposed = answer.headers[.accessControl.exposeHeaders]?.split(separator: ",") ?? []
            for name in [
                "Retry-After", "X-Apple-Request-UUID", "X-Apple-CloudKit-Version", "X-Cumulus-Request", "Date",
            ] {
                #expect(exposed.contains { $0 == name }, "\(name)")
            }
        }
    }

    @Test("A program at an unknown path gets an error dictionary", arguments: [nil, "*/*", "application/json"])
    func programs(accept: String?) async throws {
        try await TestServer.run { server in
            var headers: HTTPFields = [:]
            headers[.accept] = accept
            let answer = try await server.send(.get, "/nothing", headers: headers)
            #expect(answer.status == 404 && answer.reason == "there is nothing at this path")
            #expect(answer.headers[.accessControl.allowOrigin] == "*")
            let exposed = answer.headers[.accessControl.exposeHeaders]?.split(separator: ",") ?? []
            for name in [
                "Retry-After", "X-Apple-Request-UUID", "X-Apple-CloudKit-Version", "X-Cumulus-Request", "Date",
            ] {
                #expect(exposed.contains { $0 == name }, "\(name)")
            }
        }
    }
}
