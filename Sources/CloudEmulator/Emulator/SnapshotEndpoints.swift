package import CloudAccounts
package import CloudModel
package import CloudStore
import CloudTransfer

/// `/emulator/1/containers/{container}/snapshots`: saves and restores named snapshots of a development environment.
package struct SnapshotEndpoints {
    package let stores: ContainerStores
    package let container: Container

    package init(stores: ContainerStores, container: Container) {
        self.stores = stores
        self.container = container
    }

    package func list() throws -> JSONWriter {
        let names = try stores.snapshots(of: container, .development)
        var json = JSONWriter()
        json.object {
            $0.key("snapshots")
            $0.array { json in for name in names { json.object { $0.member("name", name.text) } } }
        }
        return json
    }

    package func take(_ name: String) async throws -> JSONWriter {
        let name = try SnapshotName(name)
        try await stores.takeSnapshot(name, of: container, .development)
        return Self.respond(name)
    }

    /// - Parameter body: `{"syncTokens"}`, `kept` (the default) or `refused`.
    package func restore(_ name: String, _ body: JSONObject) async throws -> JSONWriter {
        try EmulatorMember.refuseOthers(than: ["syncTokens"], in: body)
        let tokens = try EmulatorMember.choice("syncTokens", of: body, ["kept", "refused"]) ?? "kept"
        let name = try SnapshotName(name)
        try await stores.restoreSnapshot(name, of: container, .development, keepsTokens: tokens == "kept")
        return Self.respond(name) { $0.member("syncTokens", tokens) }
    }

    package func delete(_ name: String) async throws -> JSONWriter {
        let name = try SnapshotName(name)
        try await stores.deleteSnapshot(name, of: container, .development)
        return Self.respond(name)
    }

    private static func respond(_ name: SnapshotName, _ more: (inout JSONWriter) -> Void = { _ in }) -> JSONWriter {
        var json = JSONWriter()
        json.object {
            $0.member("name", name.text)
            more(&$0)
        }
        return json
    }
}
