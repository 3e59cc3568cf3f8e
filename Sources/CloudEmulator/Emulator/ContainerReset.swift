package import CloudAccounts
package import CloudModel
package import CloudStore
import CloudTransfer

/// `POST /emulator/1/containers/{container}/reset`: empties a container's development environment.
package struct ContainerReset {
    package let stores: ContainerStores
    package let container: Container

    package init(stores: ContainerStores, container: Container) {
        self.stores = stores
        self.container = container
    }

    /// - Parameter body: `{"keepSchema"}`, by default false.
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package func respond(_ body: JSONObject) async throws -> JSONWriter {
        try EmulatorMember.refuseOthers(than: ["keepSchema"], in: body)
        let keepsSchema = try EmulatorMember.flag("keepSchema", of: body) ?? false
        try await stores.reset(container, .development, keepsSchema: keepsSchema)
        var json = JSONWriter()
        json.object {
            $0.member("container", container.name)
            $0.member("keptSchema", keepsSchema)
        }
        return json
    }
}
