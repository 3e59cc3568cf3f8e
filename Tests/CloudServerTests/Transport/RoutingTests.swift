@testable import CloudHTTP
@testable import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Paths, methods and the headers of every answer (reference A §1, B §2).
struct RoutingTests {
    @Test(
        "An unknown path is answered 404 in the API's form",
        arguments: [
            "/index.html", "/nothing", "/database/1/c/development/public/records/none",
            "/database/2/c/development/public/zones/list",
        ])
    func unknownPaths(path: String) async throws {
        try await TestServer.run { server in
            for method in [HTTPRequest.Method.get, .post, .put] {
                let answer = try await server.send(method, path)
                #expect(answer.status == 404)
                #expect(answer.code == "NOT_FOUND")
            }
        }
    }

    @Test(
        "The refusal of an unknown environment or database names the valid ones",
        arguments: [
            (
                "/database/1/c/staging/public/records/query",
                "there is no environment 'staging'; there are 'development' and 'production'"
            ),
            (
                "/database/1/c/staging/tokens/create",
                "there is no environment 'staging'; there are 'development' and 'production'"
            ),
            (
                "/device/1/c/prod/tokens/create",
                "there is no environment 'prod'; there are 'development' and 'production'"
            ),
            ("/keyvalue/1/c/x/values", "there is no environment 'x'; there are 'development' and 'production'"),
            ("/share/1/c/x/links", "there is no environment 'x'; there are 'development' and 'production'"),
            ("/admin/1/c/x/schema", "there is no environment 'x'; there are 'development' and 'production'"),
            (
                "/database/1/c/production/PUBLIC/zones/list",
                "there is no database 'PUBLIC'; there are 'public', 'private' and 'shared'"
            ),
            ("/database/1/c/production/public/zones/lst", "there is nothing at this path"),
        ])
    func unknownPlaces(path: String, reason: String) async throws {
        try await TestServer.run { server in
            let isRead = ["/share/", "/admin/"].contains { path.hasPrefix($0) }
            let answer = try await server.send(isRead ? .get : .post, path)
            #expect(answer.status == 404)
            #expect(answer.code == "NOT_FOUND")
            #expect(answer.reason == reason)
        }
    }

    @Test("A wrong method is answered 405 with the allowed methods") func otherMethods() async throws {
        try await TestServer.run { server in
            for (template, methods) in Router.paths {
                let path = template.replacing("{container}", with: "c").replacing("{environment}", with: "development")
                    .replacing("{database}", with: "public")
                for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch] where !methods.contains(method) {
                    let answer = try await server.send(method, path)
                    #expect(answer.status == 405)
                    #expect(answer.headers[.allow] == methods.map(\.rawValue).sorted().joined(separator: ", "))
                }
            }
        }
    }

    @Test(
        "OPTIONS is answered on every path",
        arguments: ["/", "/health", "/nothing/at/all", "/database/1/c/development/private/records/modify"])
    func preflight(path: String) async throws {
        try await TestServer.run { server in
            let headers = HTTPFields([
                HTTPField(name: .origin, value: "https://app.example.com"),
                HTTPField(name: .accessControl.requestMethod, value: "POST"),
                HTTPField(name: .accessControl.requestHeaders, value: "content-type,x-custom"),
            ])
            let answer = try await server.send(.options, path, headers: headers)
            #expect(answer.status == 200)
            #expect(answer.headers[.accessControl.allowOrigin] == "https://app.example.com")
            #expect(answer.headers[.accessControl.allowMethods] == "GET, POST, PUT, DELETE, OPTIONS")
            #expect(answer.headers[.accessControl.allowHeaders] == "content-type,x-custom")
            #expect(answer.headers[.accessControl.maxAge] != nil)
        }
    }

    @Test(
        "Every API answer has CORS headers for the asking origin", arguments: [nil, "https://app.example.com", "null"])
    func cors(origin: String?) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            var headers: HTTPFields = [:]
            if let origin { headers[.origin] = origin }
            var unknown = server.app()
            unknown.apiToken = String(repeating: "ab", count: 32)
            let answers = [
                try await mei.post("private/zones/list", "", headers: headers),
                try await server.app().post("private/zones/list", "", headers: headers),
                try await unknown.post("private/zones/list", "", headers: headers),
                try await mei.post("private/records/query", "not JSON", headers: headers),
                try await server.send(.get, "/nothing", headers: headers),
                try await server.send(.get, "/auth/dev/session", headers: headers),
                try await server.send(.get, "/health", headers: headers),
            ]
            #expect(answers.map(\.status) == [200, 421, 401, 400, 404, 405, 200])
            for answer in answers {
                #expect(answer.headers[.accessControl.allowOrigin] == origin ?? "*")
                #expect(answer.headers[.accessControl.allowCredentials] == (origin == nil ? nil : "true"))
                #expect(answer.headers[.vary] == "Origin")
                let exposed = answer.headers[.accessControl.exposeHeaders] ?? ""
                #expect(exposed.contains("X-Apple-CloudKit-Web-Auth-Token") && exposed.contains("X-Apple-Request-UUID"))
                #expect(answer.headers[.contentType] == "application/json; charset=UTF-8")
                let id = try #require(answer.headers[.apple.requestUUID])
                #expect(answer.status == 200 || answer["uuid"]?.string == id)
            }
            #expect(Set(answers.compactMap { $0.headers[.apple.requestUUID] }).count == answers.count)
        }
    }

    @Test("The web auth token is returned in the header of successful answers only") func webAuthToken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            #expect(try await mei.get("public/users/caller").headers[.apple.webAuthToken] == mei.token)
            #expect(try await mei.post("private/records/query", "{}").headers[.apple.webAuthToken] == nil)
            #expect(try await server.app().get("public/zones/list").headers[.apple.webAuthToken] == nil)
        }
    }

    @Test("A body over the limit gets a 413 that gives the limit") func largeBody() async throws {
        try await TestServer.run(configure: { $0.limits.requestBytes = 2000 }) { server in
            let body = #"{"records": [], "padding": "\#(String(repeating: "x", count: 2000))"}"#
            let answer = try await server.app().post("public/records/lookup", body)
            #expect(answer.status == 413)
            #expect(answer.code == "QUOTA_EXCEEDED")
            #expect(answer.reason.contains("2000"))
        }
    }

    @Test("A record over the limit is refused by itself") func largeRecord() async throws {
        try await TestServer.run(configure: { $0.limits.recordBytes = 2000 }) { server in
            let mei = try await server.signIn("mei@example.com")
            let field = #""text": {"value": "\#(String(repeating: "x", count: 2000))"}"#
            let answer = try await mei.modify([
                Operation.write("create", "big", fields: field), Operation.write("create", "small"),
            ])
            #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(answer["records.0.reason"]?.string?.contains("2000") == true)
            #expect(answer["records.1.recordType"] == "Note")
        }
    }
}
