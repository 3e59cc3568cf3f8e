@testable import CloudHTTP
@testable import CloudServer
import CloudAccounts
import CloudPages
import TestCloud
import CloudModel
import Testing

/// The version of the program, which says what faults it has, is told to operators alone.
@Suite(.timeLimit(.minutes(20)))
struct VersionTests {
    @Test("No path, header or error tells a stranger the version")
    func strangers() async throws {
        try await TestServer.run(dev: false, configure: { $0.consoleIsEnabled = true }) { server in
            let accepts: [HTTPFields] = [[:], [.accept: "text/html"], [.authorization: "Bearer cm_guess"]]
            let development = Set(RouteRow.all.filter(\.isForDevelopment).map(\.pattern))
            for (pattern, methods) in Router.paths where !development.contains(pattern) {
                let path = pattern.replacing("{container}", with: "iCloud.a").replacing(
                    "{environment}", with: "development"
                ).replacing("{database}", with: "public").replacing(#/\{[a-zA-Z]+\}/#, with: "x")
                // These wait for news.
                guard !["/aps", "/events"].contains(path) else { continue }
                for method in methods.union([.trace]) {
                    for headers in accepts { try await check(method, path, headers, server) }
                }
            }
            for path in ["/nothing", "/admin/1/nothing", "/health/", "/static/x/console.css"] {
                for headers in accepts { try await check(.get, path, headers, server) }
            }
        }
    }

    private func check(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ server: TestServer
    ) async throws {
        let answer = try await server.send(method, path, headers: headers)
        let told = answer.text + answer.headers.map { "\($0.name): \($0.value)\n" }.joined()
        #expect(!told.contains(ProgramVersion.text), "\(method) \(path)")
        #expect(answer["version"] == nil && answer["commit"] == nil, "\(method) \(path)")
    }

    @Test("A management token and a development server get the version", arguments: ["/health", "/ready", "/"])
    func operators(path: String) async throws {
        try await TestServer.run(dev: false) { server in
            let token = try await server.accounts.managementTokens.create(
                container: nil, name: "probe", scopes: [.schema]
            ).text
            let answer = try await server.send(.get, path, headers: [.authorization: "Bearer \(token)"])
            #expect(answer["version"]?.string == ProgramVersion.text, "\(answer.text)")
            for other in ["Bearer cm_x", "Basic x", "Bearer", ""] {
                let wrong = try await server.send(.get, path, headers: [.authorization: other])
                #expect(wrong.status == 200 && wrong["version"] == nil, "\(wrong.text)")
            }
        }
        try await TestServer.run { server in
            let answer = try await server.send(.get, path)
            #expect(answer["version"]?.string == ProgramVersion.text)
        }
    }
}
