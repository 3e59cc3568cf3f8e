package import CloudModel

/// Refuses steps of a schema change by throwing.
package typealias SchemaPermit = @Sendable ([SchemaChange]) throws -> Void

/// The schema of one environment as operators work with it (reference A §11.4).
///
/// Every change is one transaction; what takes long on large types goes on after it, beside other writes. Refusals are
/// `BAD_REQUEST` with all there is to say, or `CONFLICT` when a change was planned for another schema than the one that
/// is there, by its tag; they change nothing.
package protocol SchemaStore: Sendable {
    /// As of the last commit.
    func schema() async throws -> SchemaDefinition

    /// Makes development's schema another.
    ///
    /// - Parameters:
    ///   - target: a full description; what it leaves out goes, with its data.
    ///   - production: of which nothing may be lost; nil where there is none.
    ///   - dryRun: whether to find out what would happen, and change nothing.
    ///   - tag: of the schema that it is planned for; nil for any.
    ///   - permit: throws to refuse the steps; called within the transaction, not for a dry run.
    /// - Returns: the steps from the schema of now.
    func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool, ifTag tag: String?,
        permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange]

    /// Gives production what development has: types, fields, indexes, grants and roles.
    ///
    /// - Returns: the steps from the schema of now.
    func deploy(
        _ development: SchemaDefinition, dryRun: Bool, ifTag tag: String?, permit: @escaping SchemaPermit
    ) async throws -> [SchemaChange]

    /// Throws away all that is in development, and makes its schema production's.
    ///
    /// - Returns: the steps from the schema before.
    func reset(
        to production: SchemaDefinition, dryRun: Bool, ifTag tag: String?
    ) async throws -> [SchemaChange]

    /// Builds that run or wait for that, by type, then the removed types whose records are still going.
    func buildProgress() async throws -> [IndexBuildProgress]
}
