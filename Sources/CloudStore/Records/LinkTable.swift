import CloudModel
import GRDB

/// The links between records that writes and deletions are held to (reference A §13.2).
enum LinkTable {
    /// Live records that point to `name` with links of this kind.
    static func holders(
        of name: String, kind: LinkKind, zone: Int64, _ db: Database
    ) throws -> [(record: StoredRecord, name: String)] {
        var names: [String] = []
        try db.each(
            """
            SELECT r.name FROM record_links l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind = ?
            """,
            [.integer(zone), .text(name), .integer(kind.rawValue)]
        ) {
            names.append($0.text(0))
            return true
        }
        return try names.compactMap { name in try RecordTable.find(name, zone: zone, db).map { ($0, name) } }
    }

    /// Why a link that has just been written cannot stay.
    ///
    /// - Parameter sees: whether the caller sees records of a share; others do not exist for them.
    static func fault(
        of link: RecordContent.Link, zone: Int64, limit: Int, sees: (Int64?) -> Bool, _ db: Database
    ) throws -> ServerError? {
        switch link.kind {
        case .validate, .parent:
            let isThere = try db.first(
                "SELECT share FROM records WHERE zone = ? AND name = ? AND record_type IS NOT NULL",
                .integer(zone), .text(link.target)
            ) { sees($0.isNull(0) ? nil : $0.integer(0)) }
            return isThere == true ? nil : missing(link)
        case .deleteSelf:
            let count =
                try db.first(
                    """
                    SELECT count(*) FROM (
                        SELECT 1 FROM record_links WHERE zone = ? AND target = ? AND kind = ? LIMIT ?
                    )
                    """,
                    .integer(zone), .text(link.target), .integer(link.kind.rawValue), .integer(Int64(limit + 1))
                ) { $0.integer(0) } ?? 0
            guard count > limit else { return nil }
            return .badRequest(
                "'\(Naming.shown(link.target))' would have \(count) or more DELETE_SELF references, at most \(limit) are allowed"
            )
        }
    }

    static func missing(_ link: RecordContent.Link) -> ServerError {
        let what = link.kind == .parent ? "parent" : "VALIDATE reference"
        return ServerError(
            .validatingReferenceError, "\(what) points to '\(Naming.shown(link.target))', which does not exist")
    }

    /// Why a record that has just been deleted cannot go. What the caller does not see is not named.
    static func faultOfDeleting(
        _ name: String, zone: Int64, sees: (Int64?) -> Bool, _ db: Database
    ) throws -> ServerError? {
        let holder = try db.first(
            """
            SELECT r.name, r.share FROM record_links l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ? AND l.target = ? AND l.kind IN (2, 3) LIMIT 1
            """,
            .integer(zone), .text(name)
        ) { sees($0.isNull(1) ? nil : $0.integer(1)) ? "'\(Naming.shown($0.text(0)))'" : "another record" }
        guard let holder else { return nil }
        return ServerError(
            .validatingReferenceError, "'\(Naming.shown(name))' cannot be deleted while \(holder) refers to it")
    }
}
