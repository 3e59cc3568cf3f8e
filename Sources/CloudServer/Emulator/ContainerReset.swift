import CloudModel
import CloudStore

/// `POST /emulator/1/containers/{container}/reset`: empties a container's development environment.
struct ContainerReset {
    let accounts: AccountStore
    let stores: ContainerStores

    /// - Parameter body: `{"keepSchema"}`, false when it is left out.
    /// - Throws: `BAD_REQUEST` naming the member at fault; `NOT_FOUND` when there is no such container.
    func answer(_ body: JSONObject, _ name: String) async throws -> JSONWriter {
        let keepsSchema = try Self.keepsSchema(body)
        guard let container = try accounts.reader().container(named: name) else {
            throw ServerError(
                .notFound, "container '\(Naming.shown(name))' does not exist", .missing(.container))
        }
        try await stores.reset(container, .development, keepsSchema: keepsSchema)
        var json = JSONWriter()
        json.object {
            $0.member("container", container.name)
            $0.member("keptSchema", keepsSchema)
        }
        return json
    }

    private static func keepsSchema(_ body: JSONObject) throws -> Bool {
        for member in body.members where member.key != "keepSchema" {
            throw ServerError.badRequest(
                "'\(Naming.shown(member.key))': there is no such member; the only one is keepSchema")
        }
        guard let value = body["keepSchema"] else { return false }
        guard case .bool(let keeps) = value else {
            throw ServerError.badRequest("keepSchema: must be true or false, not \(known: value.kind)")
        }
        return keeps
    }
}
