import CloudModel
import CloudSQL

/// The progress of work that a change of a record type left to be done beside other writes.
package struct IndexBuildProgress: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// Another build of the type is to be done first.
        case waiting
        case building
        /// The type is gone, and its records are going.
        case removing
    }

    package let type: String
    package let state: State
    /// Fields whose indexes are being built, in order; none where only what was removed is cleared away.
    package let fields: [String]
    /// Records.
    package let done: Int
    /// Records there will be; of a removed type those that are left.
    package let total: Int

    package init(type: String, state: State = .building, fields: [String] = [], done: Int = 0, total: Int) {
        self.type = type
        self.state = state
        self.fields = fields
        self.done = done
        self.total = total
    }

    /// All there is, by the schema of the snapshot.
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
        // Records that come meanwhile are met too.
        self.init(
            type: type.name, state: build.isStarted ? .building : .waiting, fields: fields.sorted(),
            done: min(build.done, build.total), total: build.total)
    }
}

extension IndexBuild {
    /// Returns true if this build gives the subject of a query its index or its words.
    fileprivate func makes(_ subject: ResolvedQuery.Subject, of type: RecordType) -> Bool {
        if unbuilt[subject.column] != nil || type.indexes[SchemaTables.column(subject)] == generation { return true }
        if case .field(let field) = subject { return field.words == generation }
        return false
    }
}
