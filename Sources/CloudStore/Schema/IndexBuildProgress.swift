import CloudModel
import CloudSQL

/// The progress of background work on a record type.
package struct IndexBuildProgress: Hashable, Sendable {
    package enum State: String, CaseIterable, Codable, Sendable {
        /// The build waits for an earlier build of the type.
        case waiting
        case building
        /// The type is removed, and its records are being deleted.
        case removing
    }

    package let type: String
    package let state: State
    /// Names of the fields being indexed, sorted; empty for a build that only removes values.
    package let fields: [String]
    /// Finished records.
    package let done: Int
    /// The expected total of records; for a removed type, the records left.
    package let total: Int

    package init(type: String, state: State = .building, fields: [String] = [], done: Int = 0, total: Int) {
        self.type = type
        self.state = state
        self.fields = fields
        self.done = done
        self.total = total
    }

    /// The progress of all builds and removals under the snapshot's schema.
    static func all(_ catalog: Catalog, _ db: SQLConnection) throws -> [IndexBuildProgress] {
        let builds = try IndexBuilds.all(db).compactMap { build in
            catalog.type(id: build.type).map { IndexBuildProgress(build, of: $0) }
        }
        return try builds
            + catalog.removed.values.sorted { $0.id < $1.id }.map { type in
                let left = try db.first("SELECT count(*) FROM \(SchemaTables.table(type))") { Int($0.integer(0)) } ?? 0
                return IndexBuildProgress(type: TypeRemoval.formerName(of: type), state: .removing, total: left)
            }
    }

    private init(_ build: IndexBuild, of type: RecordType) {
        let subjects =
            type.fields.values.map(ResolvedQuery.Subject.field) + SystemField.allCases.map(ResolvedQuery.Subject.system)
        let fields = subjects.filter { build.makes($0, of: type) }.map(\.name)
        // Records added meanwhile also count as done, so a build's count may exceed its total.
        self.init(
            type: type.name, state: build.isStarted ? .building : .waiting, fields: fields.sorted(),
            done: min(build.done, build.total), total: build.total)
    }
}

extension IndexBuild {
    /// Returns true if the build creates the index or the words for a query's subject.
    fileprivate func makes(_ subject: ResolvedQuery.Subject, of type: RecordType) -> Bool {
        if unbuilt[subject.column] != nil || type.indexes[SchemaTables.column(subject)] == generation { return true }
        if case .field(let field) = subject { return field.words == generation }
        return false
    }
}
