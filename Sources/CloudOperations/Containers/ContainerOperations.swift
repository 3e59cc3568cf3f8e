import CloudAccounts
import CloudEngine
import CloudModel
import CloudStore
import CloudTransfer
import Foundation

/// Operations on containers.
package enum ContainerOperations {
    package static let list = AdminOperation<PageChoice, Page<ContainerInfo>>(
        .get("containers", .operations), OperationText("listContainers", "The containers, oldest first.")
    ) { call, input in
        try input.page(of: try await call.accounts.containers.all().map(ContainerInfo.init), by: \.name)
    }

    package static let create = AdminOperation<NewContainer, ContainerInfo>(
        .post("containers", .operations), OperationText("createContainer", "Create a container."),
        audit: .change("created a container")
    ) { call, input in
        ContainerInfo(try await call.accounts.containers.create(name: input.name))
    }

    package static let update = AdminOperation<ContainerSwitches, ContainerInfo>(
        .put("containers/{container}", .operations),
        OperationText("updateContainer", "Turn a container's switches; those left out stay."),
        audit: .change("changed a container's switches")
    ) { call, input in
        guard !input.isEmpty else {
            let switches = ContainerSwitches.fields.parameters.map(\.name).filter { $0 != "container" }
            throw ServerError.badRequest("name a switch to turn: \(known: switches.joined(separator: ", "))")
        }
        return ContainerInfo(
            try await call.accounts.containers.update(
                name: input.container, justInTimeSchema: input.justInTimeSchema, strictIndexes: input.strictIndexes,
                discoverableUsers: input.discoverableUsers, uniqueSubscriptions: input.uniqueSubscriptions,
                atomicErrorStatus: input.atomicErrorStatus))
    }

    package static let delete = AdminOperation<ContainerChoice, ContainerInfo>(
        .delete("containers/{container}", .operations),
        OperationText("deleteContainer", "Delete a container: its records, API tokens, keys and sessions."),
        audit: .change("deleted a container")
    ) { call, input in
        let folder = call.workplace.folder
        // Excludes backups: a running backup must not lose files that it copies.
        let lock = try folder.lockBackups()
        defer { lock.release() }
        // Assets first: their store may be unreachable, and the deletion can then be repeated.
        try await folder.assetFolders.removeAll(
            ofContainer: call.accounts.containers.require(named: input.container).id)
        let container = try await call.accounts.containers.delete(name: input.container)
        try await folder.removeDatabases(ofContainer: container.id)
        return ContainerInfo(container)
    }

    package static let usage = AdminOperation<EnvironmentAddress, UsageInfo>(
        .get("usage", .recordsRead, inside: .environment),
        OperationText("showUsage", "The storage used by an environment.")
    ) { call, input in
        let store = try await call.place(input).store
        let (all, shown) = (
            try await store.users.usage(owner: nil), try await store.users.usage(owner: ZoneID.publicOwner)
        )
        return UsageInfo(
            records: all.records, bytes: all.bytes, assetBytes: all.assets, publicRecords: shown.records,
            publicBytes: shown.bytes, publicAssetBytes: shown.assets,
            quota: QuotaInfo(call.workplace.limits.quotas.container))
    }
}

package struct NewContainer: OperationInput {
    package let name: String

    package static let fields = InputFields(
        Self.init, .text("name", \.name, "Its name, such as iCloud.com.example.app."))
}

/// Switches of a container to turn.
package struct ContainerSwitches: OperationInput {
    package let container: String
    package let justInTimeSchema: Bool?
    package let strictIndexes: Bool?
    package let discoverableUsers: Bool?
    package let uniqueSubscriptions: Bool?
    package let atomicErrorStatus: Bool?

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "The container's name."),
        .flag(
            "justInTimeSchema", \.justInTimeSchema,
            "Whether saving a record may add types and fields in development."),
        .flag(
            "strictIndexes", \.strictIndexes,
            "Whether system fields need an index declared, as in the original service."),
        .flag("discoverableUsers", \.discoverableUsers, "Whether users of the container can find each other."),
        .flag(
            "uniqueSubscriptions", \.uniqueSubscriptions,
            "Whether a user's query subscriptions must differ in record type or firesOn, as in the original."),
        .flag(
            "atomicErrorStatus", \.atomicErrorStatus,
            "Whether an atomic batch that fails answers with status 400, as Apple documents, and not 200."))

    var isEmpty: Bool {
        [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, atomicErrorStatus]
            .allSatisfy { $0 == nil }
    }
}

/// A container with its switches.
package struct ContainerInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminContainer", "A container with its switches.")

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
package struct UsageInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminUsage", "The storage used by an environment, and by its public database.")

    package let records: Int64
    package let bytes: Int64
    package let assetBytes: Int64
    package let publicRecords: Int64
    package let publicBytes: Int64
    package let publicAssetBytes: Int64
    package let quota: QuotaInfo
}

/// A quota; nil means unlimited.
package struct QuotaInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminQuota", "A quota; limits left out are unlimited.")

    package let records: Int?
    package let bytes: Int?
    package let assetBytes: Int?

    init(_ quota: Quota) {
        records = quota.records > 0 ? quota.records : nil
        bytes = quota.bytes > 0 ? quota.bytes : nil
        assetBytes = quota.assetBytes > 0 ? quota.assetBytes : nil
    }
}
