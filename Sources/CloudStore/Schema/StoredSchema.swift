package import CloudModel
import GRDB

extension SQLiteRecordStore {
    package func schema() async throws -> SchemaDefinition { catalog.definition }

    package func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool
    ) async throws -> [SchemaChange] {
        try require(.development, "a schema is imported into development; production gets it by deploying")
        return try await change(dryRun: dryRun) { edit, current in
            let target = BuiltInTypes.completing(target, from: current)
            if let losses = production?.losses(in: target), !losses.isEmpty {
                throw ServerError.badRequest("nothing was imported: " + losses.joined(separator: "; "))
            }
            return try edit.change(to: target)
        }
    }

    package func deploy(_ development: SchemaDefinition, dryRun: Bool) async throws -> [SchemaChange] {
        try require(.production, "a schema is deployed to production")
        return try await change(dryRun: dryRun) { edit, current in
            let target = BuiltInTypes.completing(development, from: current)
            let losses = current.losses(in: target)
            guard losses.isEmpty else {
                throw ServerError.badRequest("nothing was deployed: " + losses.joined(separator: "; "))
            }
            return try edit.change(to: target)
        }
    }

    package func reset(to production: SchemaDefinition) async throws -> [SchemaChange] {
        try require(.development, "only development can be reset")
        let removal = removal
        let occasion = Occasion(Requester(user: nil), now: now(), limits: limits)
        let indexing = indexing
        let limits = limits
        let changes = try await writes.write { transaction in
            transaction.occasion = occasion
            let changes = transaction.catalog.definition.changes(to: production)
            try SchemaReset(transaction: transaction).run(indexing: indexing)
            let target = BuiltInTypes.completing(production, from: transaction.catalog.definition)
            let edit = SchemaEdit(
                transaction, indexing: indexing, limits: limits, removal: removal(transaction))
            _ = try edit.change(to: target)
            return changes
        }
        forgetUsers()
        return changes
    }

    package func buildProgress() async throws -> [IndexBuildProgress] {
        let known = catalog
        return try await reads.read(.small) { db, _ in
            let catalog = try CatalogReader.current(known, db)
            return try IndexBuilds.all(db).compactMap { build in
                guard let type = catalog.type(id: build.type) else { return nil }
                let names = Dictionary(
                    type.fields.values.map { (ResolvedQuery.Subject.field($0).column, $0.name) }
                ) { first, _ in first }
                return IndexBuildProgress(
                    type: type.name, fields: build.unbuilt.keys.compactMap { names[$0] }.sorted(), done: build.done,
                    total: build.total)
            }
        }
    }

    private func require(_ wanted: ContainerEnvironment, _ reason: String) throws {
        guard environment == wanted else { throw ServerError.badRequest(reason) }
    }

    /// Thrown to undo what a dry run has found out.
    private struct Undone: Error {
        let changes: [SchemaChange]
    }

    private func change(
        dryRun: Bool, _ body: @escaping @Sendable (SchemaEdit, SchemaDefinition) throws -> [SchemaChange]
    ) async throws -> [SchemaChange] {
        let removal = removal
        let indexing = indexing
        let limits = limits
        do {
            return try await writes.write { transaction in
                let edit = SchemaEdit(transaction, indexing: indexing, limits: limits, removal: removal(transaction))
                let changes = try body(edit, transaction.catalog.definition)
                if dryRun { throw Undone(changes: changes) }
                return changes
            }
        } catch let undone as Undone {
            return undone.changes
        }
    }
}
