@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import CloudServer
import TestCloud
import CloudModel
import CloudOperations
import Testing

/// Routes that each scope of a management token opens.
@Suite(.timeLimit(.minutes(20)))
struct ManagementScopeTests {
    /// Every route of the admin API with each of its methods.
    private static let routes = AdminRoutes.table.flatMap { pattern, endpoints in
        endpoints.map { (pattern: pattern, method: $0.key, scopes: $0.value.route.scopes) }
    }

    @Test("Every route of the admin API needs a scope") func everyRoute() {
        #expect(Self.routes.count > 50)
        for route in Self.routes { #expect(!route.scopes.isEmpty, "\(route.method) \(route.pattern)") }
        let named = Set(Self.routes.flatMap(\.scopes))
        #expect(named == Set(ManagementScope.allCases))
    }

    @Test("A token without the scope is refused with the scope's name") func missingScope() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "c")
            for scope in ManagementScope.allCases {
                let others = Set(ManagementScope.allCases).subtracting([scope])
                let text = try await server.accounts.managementTokens.create(
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

    @Test("A token with a route's scopes may call the route") func givenScope() async throws {
        try await TestServer.run { server in
            _ = try await server.accounts.containers.ensure(name: "c")
            for route in Self.routes {
                let text = try await server.accounts.managementTokens.create(
                    container: nil, name: "just", scopes: Set(route.scopes)
                ).text
                let answer = try await Self.send(route.method, route.pattern, text, server)
                #expect(answer.status != 403 && answer.status < 500, "\(route.method) \(route.pattern): \(answer.text)")
            }
        }
    }

    @Test("A token for one container is refused on every other container and on server-wide routes")
    func oneContainer() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator("c")
            let token = try #require(program.token)
            for route in Self.routes where !route.pattern.hasPrefix(OperationRoute.environment) {
                let answer = try await Self.send(route.method, route.pattern, token, server)
                #expect(answer.status == 403, "\(route.method) \(route.pattern): \(answer.text)")
            }
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try await server.send(.get, "/admin/1/tokens?container=c", headers: headers).status == 200)
            #expect(try await server.send(.get, "/admin/1/tokens?container=d", headers: headers).status == 403)
        }
    }

    /// Who comes with what to a route, and what they are told.
    private struct Caller {
        let name: String
        let token: String?
        let scopes: Set<ManagementScope>
        /// Nil for all of them.
        var container: String?
    }

    @Test("Every route accepts exactly the tokens with its scopes and container")
    func matrix() async throws {
        // Wrong tokens of one address are counted, and a matrix has many.
        try await TestServer.run(configure: { $0.guessing.perAddress = 100_000 }) { server in
            for name in ["c", "d"] { _ = try await server.accounts.containers.ensure(name: name) }
            var callers = [
                Caller(name: "nobody", token: nil, scopes: []), Caller(name: "a guess", token: "cm_guess", scopes: []),
                Caller(name: "an API token", token: DevelopmentToken.text, scopes: []),
            ]
            let all = Set(ManagementScope.allCases)
            for scopes in ManagementScope.allCases.map({ [$0] as Set }) + [all] {
                for container in [nil, "c", "d"] {
                    let text = try await server.accounts.managementTokens.create(
                        container: container, name: "t", scopes: scopes
                    ).text
                    let names = scopes.map(\.rawValue).sorted().joined(separator: ",")
                    callers.append(
                        Caller(
                            name: "\(names) of \(container ?? "all")", token: text, scopes: scopes,
                            container: container))
                }
            }
            for caller in callers { for route in Self.routes { try await Self.check(caller, route, server) } }
        }
    }

    private static func check(
        _ caller: Caller, _ route: (pattern: String, method: HTTPRequest.Method, scopes: [ManagementScope]),
        _ server: TestServer
    ) async throws {
        // What a route does must not take away what the next one is asked about.
        _ = try await server.accounts.containers.ensure(name: "c")
        let answer = try await send(route.method, route.pattern, caller.token, server)
        let what: Comment =
            "\(caller.name) at \(route.method) \(route.pattern): \(answer.status) \(answer.text.prefix(300))"
        guard caller.token != nil, !caller.scopes.isEmpty else {
            #expect(answer.status == 401, what)
            return
        }
        let isHere =
            caller.container == nil || caller.container == "c" && route.pattern.hasPrefix(OperationRoute.environment)
        if caller.scopes.isSuperset(of: route.scopes), isHere {
            #expect(answer.status != 401 && answer.status != 403 && answer.status < 500, what)
        } else {
            #expect(answer.status == 403, what)
        }
    }

    @Test("A management token cannot make one with more scopes than its own") func moreScopes() async throws {
        try await TestServer.run { server in
            let text = try await server.accounts.managementTokens.create(
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
    @Test("No two operations have the same method and path") func distinctRoutes() {
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
        _ method: HTTPRequest.Method, _ pattern: String, _ token: String?, _ server: TestServer
    ) async throws -> Answer {
        let path = pattern.replacing("{container}/{environment}/", with: "c/development/")
            .replacing("{container}", with: "gone").replacing("{id}", with: "999999")
            .replacing(#/\{[a-zA-Z]+\}/#, with: "x")
        let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        return try await server.send(method, "/admin/1/\(path)", headers: headers)
    }
}
