import CloudModel
import CloudStore
import HTTPTypes
import Testing

@testable import CloudServer

/// What the scopes of a management token let through, route by route.
@Suite(.timeLimit(.minutes(20)))
struct ManagementScopeTests {
    /// Every route of the admin API with each of its methods.
    private static let routes = AdminRoutes.table.flatMap { pattern, endpoints in
        endpoints.map { (pattern: pattern, method: $0.key, scopes: $0.value.scopes) }
    }

    @Test func everyRouteNeedsAScope() {
        #expect(Self.routes.count > 50)
        for route in Self.routes { #expect(!route.scopes.isEmpty, "\(route.method) \(route.pattern)") }
        let named = Set(Self.routes.flatMap(\.scopes))
        #expect(named == Set(ManagementScope.allCases))
    }

    @Test func aTokenWithoutTheScopeIsRefusedByName() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.ensureContainer(name: "c")
            for scope in ManagementScope.allCases {
                let others = Set(ManagementScope.allCases).subtracting([scope])
                let text = try await server.accounts.createManagementToken(
                    container: nil, name: "most", scopes: others
                ).text
                for route in Self.routes where route.scopes.contains(scope) {
                    let answer = try await Self.send(route.method, route.pattern, text, server)
                    #expect(
                        answer.status == 403 && answer.reason.contains("'\(scope.rawValue)'"),
                        "\(route.method) \(route.pattern) without \(scope): \(answer.text)")
                }
            }
        }
    }

    @Test func aTokenWithTheScopesOfARouteGetsThere() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.ensureContainer(name: "c")
            for route in Self.routes {
                let text = try await server.accounts.createManagementToken(
                    container: nil, name: "just", scopes: Set(route.scopes)
                ).text
                let answer = try await Self.send(route.method, route.pattern, text, server)
                #expect(answer.status != 403 && answer.status < 500, "\(route.method) \(route.pattern): \(answer.text)")
            }
        }
    }

    @Test func aTokenOfOneContainerWorksOnNothingElse() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator("c")
            let token = try #require(program.token)
            for route in Self.routes where !route.pattern.hasPrefix(AdminRoutes.environment) {
                let answer = try await Self.send(route.method, route.pattern, token, server)
                #expect(answer.status == 403, "\(route.method) \(route.pattern): \(answer.text)")
            }
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try await server.send(.get, "/admin/1/tokens?container=c", headers: headers).status == 200)
            #expect(try await server.send(.get, "/admin/1/tokens?container=d", headers: headers).status == 403)
        }
    }

    @Test func nobodyMakesATokenThatMayDoMoreThanTheyMay() async throws {
        try await TestServer.run { server in
            let text = try await server.accounts.createManagementToken(
                container: nil, name: "some", scopes: [.operations, .schema]
            ).text
            let more = try await server.manage(
                .post, "management-tokens", token: text, body: #"{"name":"x","scopes":["people"]}"#)
            #expect(more.status == 403 && more.reason.contains("'people'"))
            let same = try await server.manage(.post, "management-tokens", token: text, body: #"{"name":"x"}"#)
            #expect(same["scopes"]?.array == [.string("schema"), .string("operations")])
            let unknown = try await server.manage(
                .post, "management-tokens", token: text, body: #"{"name":"x","scopes":["root"]}"#)
            #expect(unknown.status == 400 && unknown.reason.contains("root"))
        }
    }

    /// A path that two routes answer would be answered by one of them for some names alone.
    @Test func noPathHasTwoRoutes() {
        for first in AdminRoutes.table {
            for second in AdminRoutes.table where second.pattern != first.pattern {
                let pair = zip(first.pattern.split(separator: "/"), second.pattern.split(separator: "/"))
                let isSameLength =
                    first.pattern.split(separator: "/").count == second.pattern.split(separator: "/").count
                let both = pair.allSatisfy { $0 == $1 || $0.hasPrefix("{") || $1.hasPrefix("{") }
                #expect(!(isSameLength && both), "\(first.pattern) and \(second.pattern)")
            }
        }
    }

    private static func send(
        _ method: HTTPRequest.Method, _ pattern: String, _ token: String, _ server: TestServer
    ) async throws -> Answer {
        let path = pattern.replacing("{container}/{environment}/", with: "c/development/")
            .replacing("{container}", with: "gone").replacing("{id}", with: "9")
            .replacing(#/\{[a-zA-Z]+\}/#, with: "x")
        return try await server.manage(method, path, token: token)
    }
}
