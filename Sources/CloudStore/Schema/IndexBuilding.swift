import CloudModel
import CloudSQL

/// Fills a values table of the next generation in batches, then replaces the current table.
///
/// Writes meanwhile go to both tables, so finished rows stay current.
struct IndexBuilding {
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    /// The most body bytes in memory; large bodies make smaller batches.
    private static let mostBytes = 4 << 20
    /// Rows copied between two clock checks.
    private static let mostCopied = 500

    /// Runs the next slice of a build.
    ///
    /// - Throws: ``StuckWork`` at a record that cannot be derived.
    func advance(_ build: IndexBuild, _ slice: WorkSlice) throws {
        guard let type = transaction.catalog.type(id: build.type) else { return try forget(build) }
        guard build.isStarted else { return try start(build, type) }
        guard build.derivesAll else { return try copy(build, type, slice) }
        var slice = slice
        var derivation = RecordDerivation(type, generation: build.generation, transaction)
        var (place, done) = ((zone: build.zone, record: build.record), 0)
        while let limit = slice.next() {
            let (sources, isLast) = try next(after: place, type, limit: limit)
            for source in sources {
                try StuckWork.attempt(
                    .build(type: type.id),
                    "the index of type '\(type.name)' cannot be built past record \(source.record.id)"
                ) { try derivation.run(source) }
            }
            if isLast { return try finish(build, type) }
            try transaction.writeWaiting()
            if let last = sources.last { place = (last.zone, last.record.id) }
            done += sources.count
        }
        try saveProgress(at: place, done, of: build)
    }

    /// Copies rows of the current table, which already holds every derived value; reading the bodies would take four
    /// times as long.
    private func copy(_ build: IndexBuild, _ type: RecordType, _ slice: WorkSlice) throws {
        var slice = slice
        var (place, done) = ((zone: build.zone, record: build.record), 0)
        let statement = transaction.schema.values(type).copy(into: build.generation)
        while let limit = slice.next(Self.mostCopied) {
            let ends = try db.all(
                """
                SELECT zone, id FROM \(SchemaTables.table(type)) v /*!NOT INDEXED*/
                WHERE (zone, id) > (?, ?) ORDER BY zone, id LIMIT 2 OFFSET ?
                """, .integer(place.zone), .integer(place.record), .integer(Int64(limit - 1))
            ) { (zone: $0.integer(0), record: $0.integer(1)) }
            // A second row means that more rows follow.
            let isLast = ends.count < 2
            let end = isLast ? (zone: Int64.max, record: Int64.max) : ends[0]
            try db.run(
                statement, .integer(place.zone), .integer(place.record), .integer(end.zone), .integer(end.record))
            if isLast { return try finish(build, type) }
            (place, done) = (end, done + limit)
        }
        try saveProgress(at: place, done, of: build)
    }

    private func saveProgress(at place: (zone: Int64, record: Int64), _ done: Int, of build: IndexBuild) throws {
        try db.run(
            "UPDATE builds SET zone = ?, record = ?, done = done + ? WHERE record_type = ? AND generation = ?",
            .integer(place.zone), .integer(place.record), .integer(Int64(done)), .integer(build.type),
            .integer(build.generation))
    }

    /// Finishes all builds of a type and drops the replaced tables.
    func complete(type: Int64) throws {
        var replaced: Set<String> = []
        while let build = try IndexBuilds.all(db).first(where: { $0.type == type }) {
            if let type = transaction.catalog.type(id: type) { replaced.insert(SchemaTables.table(type)) }
            try advance(build, .unbounded)
        }
        if let type = transaction.catalog.type(id: type) { replaced.remove(SchemaTables.table(type)) }
        for table in replaced { try DroppedTables.drop(table, db) }
    }

    private func start(_ build: IndexBuild, _ type: RecordType) throws {
        try SchemaTables.createTable(type, generation: build.generation, db)
        try db.run(
            """
            UPDATE builds SET is_started = 1, total = (SELECT count(*) FROM \(SchemaTables.table(type)))
            WHERE record_type = ? AND generation = ?
            """,
            .integer(build.type), .integer(build.generation))
        try transaction.schema.reload()
    }

    private func next(
        after place: (zone: Int64, record: Int64), _ type: RecordType, limit: Int
    ) throws -> (sources: [RecordDerivation.Source], isLast: Bool) {
        var sources: [RecordDerivation.Source] = []
        var bytes = 0
        var isLast = true
        try db.each(
            """
            SELECT r.id, r.record_type, r.tag, r.creator, r.beside, length(r.body), r.share, r.text_set, v.zone, r.body
            FROM \(SchemaTables.table(type)) v /*!NOT INDEXED*/ /*!CROSS*/ JOIN records r ON r.id = v.id
            WHERE (v.zone, v.id) > (?, ?) ORDER BY v.zone, v.id LIMIT ?
            """,
            // One extra row shows that rows are left. Without LIMIT, PostgreSQL would sort all remaining rows at each step.
            [.integer(place.zone), .integer(place.record), .integer(Int64(limit) &+ (limit == .max ? 0 : 1))]
        ) { row in
            guard sources.count < limit, bytes < Self.mostBytes else {
                isLast = false
                return false
            }
            let body = row.record(9)
            bytes += body.size
            sources.append(
                RecordDerivation.Source(record: StoredRecord(row), zone: row.integer(8), body: body))
            return true
        }
        return (sources, isLast)
    }

    private func finish(_ build: IndexBuild, _ type: RecordType) throws {
        try db.run(
            "UPDATE record_types SET generation = ? WHERE id = ?", .integer(build.generation), .integer(build.type))
        try db.run(
            "DELETE FROM dropped_fields WHERE record_type = ? AND generation <= ?", .integer(build.type),
            .integer(build.generation))
        try forget(build)
        try DroppedTables.add(SchemaTables.table(type), db)
        try transaction.schema.reload()
    }

    private func forget(_ build: IndexBuild) throws {
        try db.run(
            "DELETE FROM builds WHERE record_type = ? AND generation = ?", .integer(build.type),
            .integer(build.generation))
    }
}
