import CloudModel
import CloudSQL

/// A running or queued build of a values table.
struct IndexBuild {
    let type: Int64
    /// The generation of the table being built.
    let generation: Int64
    let isStarted: Bool
    /// True if the build also re-derives record bodies, words and locations.
    let derivesAll: Bool
    /// Indexes that queries must wait for, by column.
    let unbuilt: [String: Set<IndexKind>]
    /// The last finished record, in the current table's order.
    let zone: Int64
    let record: Int64
    let done: Int
    let total: Int

    /// The progress in whole percent, at most 99.
    var progress: Int { total == 0 ? 0 : min(done * 100 / total, 99) }
}

/// The queue of index builds. Needs only a connection, so migrations can use it.
enum IndexBuilds {
    /// Returns true if the type has a running or queued build.
    static func has(_ type: RecordType, _ db: SQLConnection) throws -> Bool {
        try db.first("SELECT 1 FROM builds WHERE record_type = ?", .integer(type.id)) { _ in true } == true
    }

    /// Queues a rebuild of a type's values table; requests before its start merge into one build.
    ///
    /// Afterwards the caller must reload the schema and wake the background work.
    ///
    /// - Parameters:
    ///   - derivingAll: whether to re-derive record bodies and everything derived from them.
    ///   - unbuilt: indexes that queries must wait for, by column.
    /// - Returns: the generation of the new table.
    @discardableResult
    static func queue(
        type: Int64, derivingAll: Bool = false, unbuilt: [String: Set<IndexKind>] = [:], _ db: SQLConnection
    ) throws -> Int64 {
        let builds = try all(db).filter { $0.type == type }
        if let waiting = builds.first(where: { !$0.isStarted }) {
            try db.run(
                """
                UPDATE builds SET derives_all = CASE WHEN ? = 0 THEN derives_all ELSE 1 END, unbuilt = ?
                WHERE record_type = ? AND generation = ?
                """,
                .integer(derivingAll ? 1 : 0),
                .text(SchemaColumns.text(waiting.unbuilt.merging(unbuilt) { $0.union($1) })), .integer(type),
                .integer(waiting.generation))
            return waiting.generation
        }
        let current =
            try db.first("SELECT generation FROM record_types WHERE id = ?", .integer(type)) { $0.integer(0) } ?? 0
        let generation = (builds.map(\.generation).max() ?? current) + 1
        try db.run(
            "INSERT INTO builds (record_type, generation, derives_all, unbuilt) VALUES (?, ?, ?, ?)", .integer(type),
            .integer(generation), .integer(derivingAll ? 1 : 0), .text(SchemaColumns.text(unbuilt)))
        return generation
    }

    /// All builds, ordered by type and generation.
    static func all(_ db: SQLConnection) throws -> [IndexBuild] {
        var builds: [IndexBuild] = []
        try db.each(
            """
            SELECT record_type, generation, is_started, derives_all, unbuilt, zone, record, done, total FROM builds
            ORDER BY record_type, generation
            """, []
        ) { row in
            builds.append(
                IndexBuild(
                    type: row.integer(0), generation: row.integer(1), isStarted: row.integer(2) != 0,
                    derivesAll: row.integer(3) != 0, unbuilt: SchemaColumns.unbuilt(row.text(4)),
                    zone: row.integer(5), record: row.integer(6), done: Int(row.integer(7)),
                    total: Int(row.integer(8))))
            return true
        }
        return builds
    }

    /// The error for a query whose index is still being built.
    static func refusal(_ subject: ResolvedQuery.Subject, of type: RecordType, _ db: SQLConnection) throws
        -> ServerError
    {
        let build = try all(db).last { $0.type == type.id && $0.unbuilt[subject.column] != nil }
        return refusal(field: subject.name, of: type.name, build)
    }

    /// The error for a query that waited too long for its index.
    static func refusal(_ lack: LacksIndex, _ db: SQLConnection) throws -> ServerError {
        try refusal(field: lack.field, of: lack.typeName, all(db).last { $0.type == lack.type })
    }

    private static func refusal(field: String, of type: String, _ build: IndexBuild?) -> ServerError {
        ServerError(
            .tryAgainLater, "Field '\(known: field)' is being built: its index is \(build?.progress ?? 0) % complete",
            .index(.building(type: type, field: field, percent: build?.progress ?? 0)), retryAfter: 5)
    }
}
