package import CloudModel
import CloudSQL

/// Refuses steps of a schema change by throwing.
package typealias SchemaPermit = @Sendable ([SchemaChange]) throws -> Void

/// Operators' access to the schema of one environment (reference A §11.4).
///
/// Every change is one transaction; slow work on large types continues in the background. Refusals change nothing:
/// `BAD_REQUEST` lists all faults, and `CONFLICT` means that the schema's tag no longer matches the plan.
package struct SchemaStore: Sendable {
    let stored: StoredEnvironment

    /// The schema of the last commit.
    package func current() async throws -> SchemaDefinition {
        let published = stored.published
        return try await stored.reads.read(.small) { db in try published.current(db).definition }
    }

    /// Changes development's schema.
    ///
    /// - Parameters:
    ///   - target: the full new schema; omitted parts are removed with their data.
    ///   - production: production's schema, of which the target must lose nothing; nil without production.
    ///   - dryRun: whether to return the steps without changing the schema.
    ///   - tag: the expected tag of the current schema; nil for any.
    ///   - permit: throws to refuse the steps; called within the transaction, not for a dry run.
    /// - Returns: the steps from the current schema.
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

    /// Brings development's types, fields, indexes, grants and roles to production.
    ///
    /// - Returns: the steps from the current schema.
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

    /// Empties development, except for key-values, and gives it production's schema.
    ///
    /// - Returns: the steps from the previous schema.
    package func reset(
        to production: SchemaDefinition, dryRun: Bool, ifTag tag: String?
    ) async throws -> [SchemaChange] {
        try require(.development, "it is development that is reset, to the schema of production")
        if dryRun {
            let current = try await self.current()
            try current.require(tag: tag)
            return current.changes(to: production)
        }
        let (removal, limits, knownUsers) = (stored.removal, stored.limits, stored.knownUsers)
        let context = stored.ownContext
        return try await stored.writes.write(for: context) { transaction in
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

    /// Running and queued builds by type, then removed types whose records are being deleted.
    package func buildProgress() async throws -> [IndexBuildProgress] {
        let published = stored.published
        return try await stored.reads.read { db in
            try IndexBuildProgress.all(published.current(db), db)
        }
    }

    private func require(_ wanted: ContainerEnvironment, _ rule: String) throws {
        guard stored.environment == wanted else { throw ServerError.badRequest("environment: \(known: rule)") }
    }

    /// Thrown to roll back a dry run.
    private struct Undone: Error {
        let changes: [SchemaChange]
    }

    private func change(
        dryRun: Bool, ifTag tag: String?, _ permit: @escaping SchemaPermit,
        _ body: @escaping @Sendable (SchemaEdit, SchemaDefinition) throws -> [SchemaChange]
    ) async throws -> [SchemaChange] {
        let (removal, limits) = (stored.removal, stored.limits)
        let context = stored.ownContext
        do {
            return try await stored.writes.write(for: context) { transaction in
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
