package import CloudAssets
import CloudEngine
package import CloudModel
package import CloudSQL

/// The asset rows, and their links to records.
package enum AssetTable {
    package struct Row {
        let id: Int64
        let file: AssetFile
        package let description: AssetDescription
    }

    /// The columns of ``row(_:)``, with `a` as the table.
    static let columns = "a.key, a.id, a.file, a.size, a.crc32, a.content_type, a.width, a.height"

    /// Nil for a key that no contents have.
    static func row(_ row: SQLRow) -> Row? {
        AssetKey(row.text(0)).map { key in
            Row(
                id: row.integer(1), file: AssetFile(name: row.text(2)),
                description: AssetDescription(
                    key: key, size: row.integer(3), crc32: UInt32(truncatingIfNeeded: row.integer(4)),
                    contentType: row.text(5),
                    imageSize: row.isNull(6)
                        ? nil : ImageSize(width: Int(row.integer(6)), height: Int(row.integer(7)))))
        }
    }

    package static func find(_ key: AssetKey, _ db: SQLConnection) throws -> Row? {
        try db.first("SELECT \(columns) FROM assets a WHERE a.key = ?", .text(key.text), read: row) ?? nil
    }

    /// Assets with what their files tell of themselves, in one statement. Missing assets are left out.
    static func find(_ keys: some Collection<AssetKey>, _ db: SQLConnection) throws -> [FileRow] {
        var found: [FileRow] = []
        try db.each(
            """
            SELECT \(columns), \(FactsTable.columns) FROM json_each(?) j /*!CROSS*/ JOIN assets a ON a.key = j.value
            LEFT JOIN asset_facts f ON f.asset = a.id
            """, [.names(keys.map(\.text))]
        ) {
            if let asset = row($0) { found.append(FileRow(asset: asset, known: FactsTable.facts($0, from: 8))) }
            return true
        }
        return found
    }

    struct FileRow {
        let asset: Row
        /// Nil until the file has been read.
        let known: (facts: FileFacts, isCurrent: Bool)?
    }

    /// - Returns: the new row's id.
    package static func insert(_ asset: TakenAsset, _ db: SQLConnection) throws -> Int64 {
        let description = asset.description
        return try db.insert(
            """
            INSERT INTO assets (key, size, crc32, content_type, width, height, file) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            .text(description.key.text), .integer(description.size), .integer(Int64(description.crc32)),
            .text(description.contentType), description.imageSize.map { .integer(Int64($0.width)) } ?? .null,
            description.imageSize.map { .integer(Int64($0.height)) } ?? .null, .text(asset.file.name))
    }

    /// Replaces the lost contents of an asset by newly uploaded contents.
    static func replaceFile(of id: Int64, by file: AssetFile, _ db: SQLConnection) throws {
        try db.run("UPDATE assets SET file = ? WHERE id = ?", .text(file.name), .integer(id))
        try FactsTable.forget(id, db)
    }

    // MARK: Records

    static func refer(record: Int64, to key: AssetKey, _ db: SQLConnection) throws {
        try db.later(reference, [.integer(record), .text(key.text)])
    }

    private static let reference = DeferredStatement(
        "INSERT INTO record_assets (record, asset) SELECT ?, id FROM assets WHERE key = ? ON CONFLICT DO NOTHING",
        rank: WriteRank.beside)
    private static let removal = DeferredStatement(
        delete: "record_assets", where: ["record"], rank: WriteRank.removal)

    /// The media types of a record's assets, one entry per asset.
    static func contentTypes(record: Int64, _ db: SQLConnection) throws -> [String] {
        var types: [String] = []
        try db.each(
            "SELECT a.content_type FROM record_assets r /*!CROSS*/ JOIN assets a ON a.id = r.asset WHERE r.record = ?",
            [.integer(record)]
        ) {
            types.append($0.text(0))
            return true
        }
        return types
    }

    static func forget(record: Int64, _ db: SQLConnection) throws {
        try db.later(removal, [.integer(record)])
    }

    static func forget(zone: Int64, _ db: SQLConnection) throws {
        try db.run(
            "DELETE FROM record_assets WHERE record IN (SELECT id FROM records WHERE zone = ?)", .integer(zone))
    }

    /// The user charged for a picture: its record's creator, or its uploader.
    static func account(of id: Int64, _ db: SQLConnection) throws -> String {
        let creator = try db.first(
            "SELECT r.creator FROM record_assets a /*!CROSS*/ JOIN records r ON r.id = a.record WHERE a.asset = ? LIMIT 1",
            .integer(id)
        ) { $0.text(0) }
        let user = try db.first("SELECT \"user\" FROM asset_uploads WHERE asset = ? LIMIT 1", .integer(id)) {
            $0.text(0)
        }
        return creator ?? user ?? ""
    }

    // MARK: Collection

    private static let unneeded = """
        NOT EXISTS (SELECT 1 FROM record_assets WHERE asset = assets.id)
        AND NOT EXISTS (SELECT 1 FROM asset_uploads WHERE asset = assets.id AND expires > ?)
        """

    /// Assets without a record and without a valid receipt.
    static func unneeded(now: Timestamp, limit: Int, _ db: SQLConnection) throws -> [(id: Int64, file: AssetFile)] {
        var found: [(id: Int64, file: AssetFile)] = []
        try db.each(
            "SELECT id, file FROM assets WHERE \(unneeded) LIMIT ?", [.timestamp(now), .integer(Int64(limit))]
        ) {
            found.append(($0.integer(0), AssetFile(name: $0.text(1))))
            return true
        }
        return found
    }

    /// - Returns: false if the asset came into use.
    static func deleteUnneeded(_ id: Int64, now: Timestamp, _ db: SQLConnection) throws -> Bool {
        try db.run("DELETE FROM asset_uploads WHERE asset = ? AND expires <= ?", .integer(id), .timestamp(now))
        return try db.first(
            "DELETE FROM assets WHERE id = ? AND \(unneeded) RETURNING id", .integer(id), .timestamp(now)
        ) { _ in true } ?? false
    }

    package static func files(_ db: SQLConnection) throws -> [AssetFile] {
        try db.all("SELECT file FROM assets") { AssetFile(name: $0.text(0)) }
    }

    package static func has(_ file: AssetFile, _ db: SQLConnection) throws -> Bool {
        try db.first("SELECT 1 FROM assets WHERE file = ?", .text(file.name)) { _ in true } ?? false
    }
}
