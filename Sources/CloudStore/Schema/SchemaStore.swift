package import CloudModel

/// Refuses steps of a schema change by throwing.
package typealias SchemaPermit = @Sendable ([SchemaChange]) throws -> Void

/// Operators' access to the schema of one environment (reference A §11.4).
///
/// Every change is one transaction; slow work on large types continues in the background. Refusals change nothing:
/// `BAD_REQUEST` lists all faults, and `CONFLICT` means that the schema's tag no longer matches the plan.
package protocol SchemaStore: Sendable {
    /// The schema of the last commit.
    func schema() async throws -> SchemaDefinition

    /// Changes development's schema.
    ///
    /// - Parameters:
    ///   - target: the full new schema; omitted parts are removed with their data.
    ///   - production: production's schema, of which the target must lose nothing; nil without production.
    ///   - dryRun: whether to return the steps without changing the schema.
    ///   - tag: the expected tag of the current schema; nil for any.
    ///   - permit: throws to refuse the steps; called within the transaction, not for a dry run.
    /// - Returns: the steps from the current schema.
    func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool, ifTag tag: String?,
        permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange]

    /// Brings development's types, fields, indexes, grants and roles to production.
    ///
    /// - Returns: the steps from the current schema.
    func deploy(
        _ development: SchemaDefinition, dryRun: Bool, ifTag tag: String?, permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange]

    /// Empties development, except for key-values, and gives it production's schema.
    ///
    /// - Returns: the steps from the previous schema.
    func reset(
        to production: SchemaDefinition, dryRun: Bool, ifTag tag: String?
    ) async throws -> [SchemaChange]

    /// Running and queued builds by type, then removed types whose records are being deleted.
    func buildProgress() async throws -> [IndexBuildProgress]
}
