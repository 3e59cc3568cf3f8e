package import CloudModel
import CloudSQL

extension StoredEnvironment {
    package func schema() async throws -> SchemaDefinition {
        let published = published
        return try await reads.read(.small) { db in try published.current(db).definition }
    }

    package func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool, ifTag tag: String?,
        permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange] {
        try require(.development, "a schema is imported into development, and deployed from there to production")
        return try await change(dryRun: dryRun, ifTag: tag, permit) { edit, current in
            let target = BuiltInTypes.completing(target, from: current)
            if let losses = production?.losses(in: target), !losses.isEmpty {
                throw ServerError.badRequest(
                    "nothing was imported: \(known: losses.joined(separator: "; "))", .schema(.loss))
            }
            return try edit.change(to: target, finishes: !dryRun)
        }
    }

    package func deploy(
        _ development: SchemaDefinition, dryRun: Bool, ifTag tag: String?, permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange] {
        try require(.production, "it is production that a schema is deployed to")
        return try await change(dryRun: dryRun, ifTag: tag, permit) { edit, current in
            let target = BuiltInTypes.completing(development, from: current)
            let losses = current.losses(in: target)
            guard losses.isEmpty else {
                throw ServerError.badRequest(
                    "nothing was deployed: \(known: losses.joined(separator: "; "))", .schema(.loss))
            }
            return try edit.change(to: target, finishes: !dryRun)
        }
    }

    package func reset(
        to production: SchemaDefinition, dryRun: Bool, ifTag tag: String?
    ) async throws -> [SchemaChange] {
        try require(.development, "it is development that is reset, to the schema of production")
        if dryRun {
            let current = try await schema()
            try current.require(tag: tag)
            return current.changes(to: production)
        }
        let (removal, limits, knownUsers) = (removal, limits, knownUsers)
        let context = ownContext
        return try await writes.write(for: context) { transaction in
            let current = transaction.catalog.definition
            try current.require(tag: tag)
            try SchemaReset(transaction: transaction).run()
            knownUsers.forget()
            let target = BuiltInTypes.completing(production, from: transaction.catalog.definition)
            let edit = SchemaEdit(transaction, limits: limits, removal: removal(transaction))
            _ = try edit.change(to: target)
            return current.changes(to: production)
        }
    }

    package func buildProgress() async throws -> [IndexBuildProgress] {
        let published = published
        return try await reads.read { db in
            try IndexBuildProgress.all(published.current(db), db)
        }
    }

    private func require(_ wanted: ContainerEnvironment, _ rule: String) throws {
        guard environment == wanted else { throw ServerError.badRequest("environment: \(known: rule)") }
    }

    /// Thrown to roll back a dry run.
    private struct Undone: Error {
        let changes: [SchemaChange]
    }

    private func change(
        dryRun: Bool, ifTag tag: String?, _ permit: @escaping SchemaPermit,
        _ body: @escaping @Sendable (SchemaEdit, SchemaDefinition) throws -> [SchemaChange]
    ) async throws -> [SchemaChange] {
        let (removal, limits) = (removal, limits)
        let context = ownContext
        do {
            return try await writes.write(for: context) { transaction in
                let current = transaction.catalog.definition
                try current.require(tag: tag)
                let edit = SchemaEdit(transaction, limits: limits, removal: removal(transaction))
                let changes = try body(edit, current)
                if dryRun { throw Undone(changes: changes) }
                try permit(changes)
                return changes
            }
        } catch let undone as Undone {
            return undone.changes
        }
    }
}
