import CloudModel
import CloudOperations
import CloudStore
import NIOCore
import NIOHTTP1

/// Administration through a server's admin API, with a management token.
struct RemoteAdministration: Administration {
    private let client: ManagementClient
    private let base: String

    init(client: ManagementClient, container: String, _ environment: ContainerEnvironment) {
        self.client = client
        base = "\(ManagementClient.encoded(container))/\(environment.rawValue)/"
    }

    func schemaText() async throws -> (text: String, tag: String) {
        let answer = try await client.ask(.GET, base + "schema", accept: "text/plain")
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
        try client.understood([IndexBuildProgress](try await json(.GET, "schema/builds")))
    }

    func roles(after name: String) async throws -> RoleList {
        try client.understood(RoleList(try await json(.GET, "roles?after=\(ManagementClient.encoded(name))")))
    }

    func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        let path = "roles/\(ManagementClient.encoded(role))/\(ManagementClient.encoded(user))"
        return try client.understood(RoleMember(json: try await json(isGranted ? .PUT : .DELETE, path)))
    }

    private func change(
        _ method: HTTPMethod, _ path: String, dryRun: Bool, _ tag: String?, body: String? = nil
    ) async throws -> SchemaOutcome {
        let answer = try await client.ask(
            method, base + path + (dryRun ? "?dryRun=true" : ""), ifTag: tag, body: body,
            type: "text/plain; charset=UTF-8")
        return SchemaOutcome(steps: try client.understood([SchemaStep](answer.json)), tag: answer.tag)
    }

    private func json(_ method: HTTPMethod, _ path: String) async throws -> JSONValue {
        try await client.ask(method, base + path).json
    }
}
