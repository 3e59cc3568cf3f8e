import CloudModel
import CloudStore
import Foundation

/// Operations on containers.
package enum ContainerOperations {
    package static let list = AdminOperation<Page<ContainerInfo>>(
        .get, "containers", .operations, takes: ["after", "limit"]
    ) { call in
        try call.arguments.page(of: try await call.accounts.containers.all().map(ContainerInfo.init), by: \.name)
    }

    package static let create = AdminOperation<ContainerInfo>(
        .post, "containers", .operations, takes: ["name"], audit: .change("created a container")
    ) { call in
        ContainerInfo(try await call.accounts.containers.create(name: try call.arguments.text("name")))
    }

    /// Changes a container's switches.
    package static let update = AdminOperation<ContainerInfo>(
        .put, "containers/{container}", .operations, takes: switches, audit: .change("changed a container's switches")
    ) { call in
        let arguments = call.arguments
        guard switches.contains(where: arguments.has) else {
            throw ServerError.badRequest("name a switch to turn: \(known: switches.joined(separator: ", "))")
        }
        return ContainerInfo(
            try await call.accounts.containers.update(
                name: try arguments.text("container"), justInTimeSchema: try arguments.flag("justInTimeSchema"),
                strictIndexes: try arguments.flag("strictIndexes"),
                discoverableUsers: try arguments.flag("discoverableUsers"),
                uniqueSubscriptions: try arguments.flag("uniqueSubscriptions"),
                atomicErrorStatus: try arguments.flag("atomicErrorStatus")))
    }

    /// Deletes a container with its records, API tokens, keys and sessions.
    package static let delete = AdminOperation<ContainerInfo>(
        .delete, "containers/{container}", .operations, audit: .change("deleted a container")
    ) { call in
        let folder = call.workplace.folder
        // Excludes backups: a running backup must not lose files that it copies.
        let lock = try folder.lockBackups()
        defer { lock.release() }
        // Assets first: their store may be unreachable, and the deletion can then be repeated.
        try await folder.removeAssets(ofContainer: call.container().id)
        let container = try await call.accounts.containers.delete(name: try call.arguments.text("container"))
        try await folder.removeDatabases(ofContainer: container.id)
        return ContainerInfo(container)
    }

    /// The storage used by an environment.
    package static let usage = AdminOperation<UsageInfo>(
        .get, "{container}/{environment}/usage", .recordsRead
    ) { call in
        let store = try await call.place().store
        let (all, shown) = (
            try await store.users.usage(owner: nil), try await store.users.usage(owner: ZoneID.publicOwner)
        )
        return UsageInfo(
            records: all.records, bytes: all.bytes, assetBytes: all.assets, publicRecords: shown.records,
            publicBytes: shown.bytes, publicAssetBytes: shown.assets,
            quota: QuotaInfo(call.workplace.limits.quotas.container))
    }

    private static let switches = [
        "justInTimeSchema", "strictIndexes", "discoverableUsers", "uniqueSubscriptions", "atomicErrorStatus",
    ]
}

/// A container with its switches.
package struct ContainerInfo: Codable, Hashable, Sendable {
    package let name: String
    package let justInTimeSchema: Bool
    package let strictIndexes: Bool
    package let discoverableUsers: Bool
    package let uniqueSubscriptions: Bool
    package let atomicErrorStatus: Bool

    init(_ container: Container) {
        name = container.name
        justInTimeSchema = container.justInTimeSchema
        strictIndexes = container.strictIndexes
        discoverableUsers = container.discoverableUsers
        uniqueSubscriptions = container.uniqueSubscriptions
        atomicErrorStatus = container.atomicErrorStatus
    }
}

/// The storage used by an environment, including assets.
package struct UsageInfo: Codable, Hashable, Sendable {
    package let records: Int64
    package let bytes: Int64
    package let assetBytes: Int64
    package let publicRecords: Int64
    package let publicBytes: Int64
    package let publicAssetBytes: Int64
    package let quota: QuotaInfo
}

/// A quota; nil means unlimited.
package struct QuotaInfo: Codable, Hashable, Sendable {
    package let records: Int?
    package let bytes: Int?
    package let assetBytes: Int?

    init(_ quota: Quota) {
        records = quota.records > 0 ? quota.records : nil
        bytes = quota.bytes > 0 ? quota.bytes : nil
        assetBytes = quota.assetBytes > 0 ? quota.assetBytes : nil
    }
}
