import CloudModel
import CloudSQL
import CloudStore

/// Writes the lines of an export, in an order that survives renumbered row ids.
enum ExportLines {
    /// Calls `write` with each line of a single-file list.
    static func each(_ list: TransferList, _ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        switch list {
        case .users, .records: break
        case .zones: try zones(db, write)
        case .assets: try assets(db, write)
        case .shares: try shares(db, write)
        case .sharedZones: try sharedZones(db, write)
        case .links: try links(db, write)
        case .subscriptions: try subscriptions(db, write)
        case .keyValues: try keyValues(db, write)
        }
    }

    /// Writes records by row id, as in responses but without download URLs.
    ///
    /// - Returns: the row id of the last record.
    static func records(
        after: Int64, limit: Int, _ db: SQLConnection, _ write: ([UInt8]) throws -> Void
    ) throws -> Int64 {
        var last = after
        try db.each(
            """
            SELECT id, share, share_position, body FROM records WHERE id > ? AND record_type IS NOT NULL
            ORDER BY id LIMIT ?
            """,
            [.integer(after), .integer(Int64(limit))]
        ) { row in
            last = row.integer(0)
            try write(try record(row))
            return true
        }
        return last
    }

    /// - Parameter row: a row with `share`, `share_position` and `body` in its second to fourth columns.
    static func record(_ row: SQLRow) throws -> [UInt8] {
        let body = try row.wholeRecord(3).withoutDownloads
        var line = JSONWriter(capacity: body.size + 64)
        line.object {
            if !row.isNull(1) {
                $0.member("share", row.integer(1))
                $0.member("sharePosition", row.integer(2))
            }
            $0.key("record")
            $0.record(body)
        }
        return line.bytes
    }

    private static func zones(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each("SELECT owner, name, position, short_guid FROM zones WHERE deleted = 0 ORDER BY id", db, write) {
            $1.zone(name: $0.text(1), owner: $0.text(0))
            $1.member("position", $0.integer(2))
            $1.member("shortGUID", $0.isNull(3) ? nil : $0.text(3))
        }
    }

    private static func assets(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each(
            """
            SELECT key, size FROM assets WHERE EXISTS (SELECT 1 FROM record_assets WHERE asset = assets.id) ORDER BY key
            """, db, write
        ) {
            $1.member("fileChecksum", AssetKey($0.text(0))?.fileChecksum)
            $1.member("size", $0.integer(1))
            $1.member("file", $0.text(0))
        }
    }

    private static func sharedZones(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each(
            """
            SELECT "user", name, owner, joined, position FROM shared_zones
            WHERE deleted = 0 ORDER BY "user", owner, name
            """, db, write
        ) {
            $1.member("userRecordName", $0.text(0))
            $1.zone(name: $0.text(1), owner: $0.text(2))
            $1.member("joined", $0.integer(3))
            $1.member("position", $0.integer(4))
        }
    }

    private static func links(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each(
            """
            SELECT id, owner, expires, delete_after_expiry, taken_down, password, downloads, places, language, layout
            FROM page_settings
            ORDER BY id, owner
            """, db, write
        ) { row, line in
            line.member("id", row.text(0))
            line.member("ownerRecordName", row.text(1))
            if !row.isNull(2) { line.member("expires", row.integer(2)) }
            line.member("deletesAfterExpiry", row.integer(3) != 0)
            line.member("isTakenDown", row.integer(4) != 0)
            line.member("passwordHash", row.isNull(5) ? nil : row.text(5))
            line.member("downloads", row.isNull(6) ? nil : row.text(6))
            if row.bool(7) { line.member("places", true) }
            line.member("language", row.isNull(8) ? nil : row.text(8))
            line.member("layout", row.isNull(9) ? nil : row.text(9))
            guard let items = try PageSettingsTable.find(row.text(0), owner: row.text(1), db)?.items else { return }
            line.key("items")
            line.array { for item in items { $0.string(item) } }
        }
    }

    private static func subscriptions(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each("SELECT \"user\", scope, body FROM subscriptions ORDER BY id", db, write) {
            $1.member("userRecordName", $0.text(0))
            $1.member("database", scope($0.integer(1))?.rawValue)
            $1.key("subscription")
            $1.verbatim($0.blob(2))
        }
    }

    static func scope(_ number: Int64) -> DatabaseScope? {
        DatabaseScope.allCases.first { $0.number == number }
    }

    private static func keyValues(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each(
            """
            SELECT s.user, v.key, v.position, v.client, v.body FROM key_value_stores s
            /*!CROSS*/ JOIN key_values v ON v.store = s.id WHERE v.body IS NOT NULL ORDER BY s.id, v.key
            """, db, write
        ) {
            $1.member("userRecordName", $0.text(0))
            $1.member("key", $0.text(1))
            $1.member("position", $0.integer(2))
            $1.member("clientId", $0.isNull(3) ? nil : $0.text(3))
            $1.key("value")
            $1.verbatim($0.blob(4))
        }
    }

    /// Writes a line for each wanted row.
    static func each(
        _ sql: String, _ db: SQLConnection, _ write: ([UInt8]) throws -> Void,
        isWanted: (SQLRow) throws -> Bool = { _ in true },
        members: (SQLRow, inout JSONWriter) throws -> Void
    ) throws {
        try db.each(sql, []) { row in
            guard try isWanted(row) else { return true }
            var line = JSONWriter(capacity: 512)
            var failure: (any Error)?
            line.object { do { try members(row, &$0) } catch { failure = error } }
            if let failure { throw failure }
            try write(line.bytes)
            return true
        }
    }
}

extension JSONWriter {
    mutating func zone(name: String, owner: String) {
        key("zoneID")
        ZoneID(name: name, owner: owner).write(to: &self)
    }
}
