package import CloudModel

/// The schema of one environment as operators work with it (reference A §11.4).
///
/// Every change is one transaction; what takes long on large types goes on after it, beside other writes. Refusals are
/// `BAD_REQUEST` with all there is to say, and change nothing.
package protocol SchemaStore: Sendable {
    /// As of the last commit.
    func schema() async throws -> SchemaDefinition

    /// Makes development's schema another.
    ///
    /// - Parameters:
    ///   - target: a full description; what it leaves out goes, with its data.
    ///   - production: of which nothing may be lost; nil where there is none.
    ///   - dryRun: whether to find out what would happen, and change nothing.
    /// - Returns: the steps from the schema of now.
    func apply(
        _ target: SchemaDefinition, production: SchemaDefinition?, dryRun: Bool
    ) async throws -> [SchemaChange]

    /// Gives production what development has: types, fields, indexes, grants and roles.
    ///
    /// - Returns: the steps from the schema of now.
    func deploy(_ development: SchemaDefinition, dryRun: Bool) async throws -> [SchemaChange]

    /// Throws away all that is in development, and makes its schema production's.
    ///
    /// - Returns: the steps from the schema before.
    func reset(to production: SchemaDefinition) async throws -> [SchemaChange]

    /// What is being built, or waits for that, by type.
    func buildProgress() async throws -> [IndexBuildProgress]
}

/// How far the indexes of a record type have come that are built beside other writes.
package struct IndexBuildProgress: Hashable, Sendable {
    package let type: String
    /// Whose queries have to wait, in order; none where only what was removed is cleared away.
    package let fields: [String]
    /// Records.
    package let done: Int
    package let total: Int

    package init(type: String, fields: [String], done: Int, total: Int) {
        self.type = type
        self.fields = fields
        self.done = done
        self.total = total
    }
}
