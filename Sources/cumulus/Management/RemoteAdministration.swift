import CloudModel
import CloudServer
import CloudStore
import NIOCore
import NIOHTTP1

/// Administration through the routes of a server, with a management token.
struct RemoteAdministration: Administration {
    private let server: RemoteServer
    private let base: String

    init(origin: String, token: String, container: String, _ environment: ContainerEnvironment) throws {
        server = try RemoteServer(origin: origin, token: token)
        base = "/admin/1/\(RemoteServer.encoded(container))/\(environment.rawValue)/"
    }

    func schemaText() async throws -> (text: String, tag: String) {
        let answer = try await server.ask(.GET, base + "schema", accept: "text/plain")
        return (String(buffer: answer.body), answer.tag ?? "")
    }

    func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.PUT, "schema", dryRun: dryRun, tag, body: text)
    }

    func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.POST, "schema/deploy", dryRun: dryRun, tag)
    }

    func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.POST, "schema/reset", dryRun: dryRun, tag)
    }

    func builds() async throws -> [IndexBuildProgress] {
        try server.understood([IndexBuildProgress](try await json(.GET, "schema/builds")))
    }

    func roles(after name: String) async throws -> RoleList {
        try server.understood(RoleList(try await json(.GET, "roles?after=\(RemoteServer.encoded(name))")))
    }

    func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        let path = "roles/\(RemoteServer.encoded(role))/\(RemoteServer.encoded(user))"
        return try server.understood(RoleMember(json: try await json(isGranted ? .PUT : .DELETE, path)))
    }

    private func change(
        _ method: HTTPMethod, _ path: String, dryRun: Bool, _ tag: String?, body: String? = nil
    ) async throws -> SchemaOutcome {
        let answer = try await server.ask(
            method, base + path + (dryRun ? "?dryRun=true" : ""), accept: "application/json", ifTag: tag, body: body)
        return SchemaOutcome(steps: try server.understood([SchemaStep](answer.json)), tag: answer.tag)
    }

    private func json(_ method: HTTPMethod, _ path: String) async throws -> JSONValue {
        try await server.ask(method, base + path, accept: "application/json").json
    }
}
