import CloudModel
import CloudSQL

/// The references between records that writes and deletions check (reference A §13.2).
enum ReferenceTable {
    /// The names of the DELETE_SELF dependents of these records, and of their dependents on all levels.
    ///
    /// - Parameters:
    ///   - exempt: a record type to skip with its dependents; nil for none.
    ///   - most: the most references to follow.
    /// - Returns: the direct dependents of each record; nil above `most`.
    static func hanging(
        on names: some Collection<String>, zone: Int64, exempt: Int64?, most: Int, _ db: SQLConnection
    ) throws -> [ExactName: [String]]? {
        let step = """
            /*!CROSS*/ JOIN record_references l ON l.zone = ?2 AND l.target = above.value AND l.kind = 1
            /*!CROSS*/ JOIN records r ON r.id = l.source AND r.record_type <> ?3
            """
        var found: [ExactName: [String]] = [:]
        var count = 0
        try db.each(
            """
            SELECT target, value FROM (
                WITH RECURSIVE hanging (target, value) AS (
                    SELECT l.target, r.name FROM json_each(?1) above \(step)
                    UNION
                    SELECT l.target, r.name FROM hanging above \(step)
                )
                SELECT target, value FROM hanging LIMIT ?4
            ) AS part
            """,
            [.names(names), .integer(zone), .integer(exempt ?? 0), .integer(Int64(most == .max ? most : most + 1))]
        ) {
            found[ExactName($0.text(0)), default: []].append($0.text(1))
            count += 1
            return true
        }
        return count > most ? nil : found
    }

    /// The names in `names` that have DELETE_SELF dependents.
    static func hangers(
        among names: some Collection<String>, zone: Int64, _ db: SQLConnection
    ) throws -> [String] {
        try db.all(
            """
            SELECT n.value FROM json_each(?1) n WHERE EXISTS (
                SELECT 1 FROM record_references l WHERE l.zone = ?2 AND l.target = n.value AND l.kind = 1
            )
            """, .names(names), .integer(zone)
        ) { $0.text(0) }
    }

    /// The names in `names` whose deletion other records' references forbid.
    static func held(
        among names: some Collection<String>, zone: Int64, _ db: SQLConnection
    ) throws -> Set<ExactName> {
        var held: Set<ExactName> = []
        try db.each(
            """
            SELECT n.value FROM json_each(?1) n WHERE EXISTS (
                SELECT 1 FROM record_references l WHERE l.zone = ?2 AND l.target = n.value AND l.kind IN (2, 3)
            )
            """,
            [.names(names), .integer(zone)]
        ) {
            held.insert(ExactName($0.text(0)))
            return true
        }
        return held
    }

    /// The error for a newly written reference that is not allowed; nil if it is allowed.
    ///
    /// - Parameter isThere: whether the caller can find records of a share and type; other records count as missing.
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
                    ) AS part
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

    /// The records whose references forbid a deletion, each with its error. Errors do not name records outside the caller's
    /// view.
    ///
    /// - Parameter body: returns false to stop.
    static func eachHolder(
        of name: String, zone: Int64, isThere: (Int64?, Int64) -> Bool, _ db: SQLConnection,
        _ body: (String, ReferenceKind, ServerError) -> Bool
    ) throws {
        try db.each(
            """
            SELECT r.name, r.share, r.record_type, l.kind FROM record_references l
            /*!CROSS*/ JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind IN (2, 3)
            """,
            [.integer(zone), .text(name)]
        ) { row in
            guard let kind = ReferenceKind(rawValue: row.integer(3)) else { return true }
            let isShown = isThere(row.isNull(1) ? nil : row.integer(1), row.integer(2))
            return body(row.text(0), kind, held(name, by: isShown ? row.text(0) : nil))
        }
    }

    /// - Parameter holder: nil for a record outside the caller's view.
    static func held(_ name: String, by holder: String?) -> ServerError {
        let holder = holder.map { "'\(Naming.shown($0))'" } ?? "another record"
        return ServerError(
            .validatingReferenceError, "'\(Naming.shown(name))' cannot be deleted while \(holder) refers to it",
            .reference(.holder))
    }

    /// A live record's references.
    struct Holder {
        let share: Int64?
        var references: [RecordContent.Reference] = []
    }

    /// The live records among these names that have references.
    static func holders(
        named names: some Collection<String>, zone: Int64, _ db: SQLConnection
    ) throws -> [ExactName: Holder] {
        var holders: [ExactName: Holder] = [:]
        try db.each(
            """
            SELECT r.name, r.share, l.target, l.kind FROM json_each(?1) n
            /*!CROSS*/ JOIN records r ON r.zone = ?2 AND r.name = n.value AND r.record_type IS NOT NULL
            /*!CROSS*/ JOIN record_references l ON l.source = r.id
            """,
            [.names(names), .integer(zone)]
        ) { row in
            if let kind = ReferenceKind(rawValue: row.integer(3)) {
                holders[ExactName(row.text(0)), default: Holder(share: row.optionalInteger(1))].references.append(
                    .init(target: row.text(2), kind: kind))
            }
            return true
        }
        return holders
    }
}
