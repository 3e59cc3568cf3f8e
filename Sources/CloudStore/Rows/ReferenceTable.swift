import CloudModel
import CloudSQL

/// The references between records that writes and deletions are held to (reference A §13.2).
enum ReferenceTable {
    /// Live records that point to `name` with references of this kind.
    static func holders(
        of name: String, kind: ReferenceKind, zone: Int64, _ db: SQLConnection
    ) throws -> [(record: StoredRecord, name: String)] {
        var names: [String] = []
        try db.each(
            """
            SELECT r.name FROM record_references l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind = ?
            """,
            [.integer(zone), .text(name), .integer(kind.rawValue)]
        ) {
            names.append($0.text(0))
            return true
        }
        return try names.compactMap { name in try RecordTable.find(name, zone: zone, db).map { ($0, name) } }
    }

    /// The reason why a reference that has just been written cannot stay.
    ///
    /// - Parameter isThere: whether the caller finds records of a share and type; others do not exist for them.
    static func fault(
        of reference: RecordContent.Reference, zone: Int64, limit: Int, isThere: (Int64?, Int64) -> Bool,
        _ db: SQLConnection
    ) throws -> ServerError? {
        switch reference.kind {
        case .validate, .parent:
            let isFound = try db.first(
                about: DeferredKey(zone, reference.target),
                "SELECT share, record_type FROM records WHERE zone = ? AND name = ? AND record_type IS NOT NULL",
                .integer(zone), .text(reference.target)
            ) { isThere($0.isNull(0) ? nil : $0.integer(0), $0.integer(1)) }
            return isFound == true ? nil : missing(reference)
        case .deleteSelf:
            let count =
                try db.first(
                    """
                    SELECT count(*) FROM (
                        SELECT 1 FROM record_references WHERE zone = ? AND target = ? AND kind = ? LIMIT ?
                    )
                    """,
                    .integer(zone), .text(reference.target), .integer(reference.kind.rawValue),
                    .integer(Int64(limit + 1))
                ) { $0.integer(0) } ?? 0
            guard count > limit else { return nil }
            return .badRequest(
                "'\(Naming.shown(reference.target))' would have \(count) or more DELETE_SELF references, at most \(limit) are allowed",
                .limit(limit, "limit.deleteSelfReferences"))
        }
    }

    static func missing(_ reference: RecordContent.Reference) -> ServerError {
        let what = reference.kind == .parent ? "parent" : "VALIDATE reference"
        return ServerError(
            .validatingReferenceError,
            "\(known: what) points to '\(Naming.shown(reference.target))', which does not exist",
            .reference(.target))
    }

    /// The records whose references forbid deleting one, each with why. What the caller does not see is not named.
    ///
    /// - Parameter body: answers false to end the walk.
    static func eachHolder(
        of name: String, zone: Int64, isThere: (Int64?, Int64) -> Bool, _ db: SQLConnection,
        _ body: (String, ReferenceKind, ServerError) -> Bool
    ) throws {
        try db.each(
            """
            SELECT r.name, r.share, r.record_type, l.kind FROM record_references l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind IN (2, 3)
            """,
            [.integer(zone), .text(name)]
        ) { row in
            guard let kind = ReferenceKind(rawValue: row.integer(3)) else { return true }
            let isShown = isThere(row.isNull(1) ? nil : row.integer(1), row.integer(2))
            return body(row.text(0), kind, held(name, by: isShown ? row.text(0) : nil))
        }
    }

    /// - Parameter holder: nil for one that the caller does not see.
    static func held(_ name: String, by holder: String?) -> ServerError {
        let holder = holder.map { "'\(Naming.shown($0))'" } ?? "another record"
        return ServerError(
            .validatingReferenceError, "'\(Naming.shown(name))' cannot be deleted while \(holder) refers to it",
            .reference(.holder))
    }

    /// The references of one stored record.
    static func references(of record: Int64, _ db: SQLConnection) throws -> [RecordContent.Reference] {
        var references: [RecordContent.Reference] = []
        try db.each("SELECT target, kind FROM record_references WHERE source = ?", [.integer(record)]) { row in
            if let kind = ReferenceKind(rawValue: row.integer(1)) {
                references.append(.init(target: row.text(0), kind: kind))
            }
            return true
        }
        return references
    }
}
