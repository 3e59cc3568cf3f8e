import CloudModel
import CloudSQL

/// Upload receipts, by upload.
enum ReceiptTable {
    /// The lifetime of a receipt: long enough to retry a save (reference B §8.3).
    static let lifetime = Duration.seconds(24 * 3600)

    struct Row {
        let owner: String
        let user: String
        let expires: Timestamp
        let key: String
        let size: Int64
    }

    static func find(_ receipt: String, _ db: SQLConnection) throws -> Row? {
        try db.first(
            """
            SELECT u.owner, u.user, u.expires, a.key, a.size
            FROM asset_uploads u /*!CROSS*/ JOIN assets a ON a.id = u.asset WHERE u.receipt = ?
            """,
            .text(receipt)
        ) { Row(owner: $0.text(0), user: $0.text(1), expires: $0.timestamp(2), key: $0.text(3), size: $0.integer(4)) }
    }

    static func has(_ upload: UploadTicket, _ db: SQLConnection) throws -> Bool {
        try db.first("SELECT 1 FROM asset_uploads WHERE id = ?", .text(upload.id)) { _ in true } ?? false
    }

    static func insert(
        _ upload: UploadTicket, from address: String? = nil, receipt: String, asset: Int64, now: Timestamp,
        _ db: SQLConnection
    ) throws {
        try db.run(
            """
            INSERT INTO asset_uploads (id, receipt, asset, owner, "user", expires, unclaimed, address)
            SELECT ?, ?, a.id, ?4, ?5, ?6,
                CASE WHEN EXISTS (SELECT 1 FROM record_assets WHERE asset = a.id) THEN 0
                    WHEN a.size < 4096 THEN 4096 ELSE a.size END, ?7
            FROM assets a WHERE a.id = ?3
            """,
            .text(upload.id), .text(receipt), .integer(asset), .text(upload.owner), .text(upload.user),
            .timestamp(now + lifetime), address.map(SQLValue.text) ?? .null)
    }

    static func deleteExpired(now: Timestamp, _ db: SQLConnection) throws {
        try db.run("DELETE FROM asset_uploads WHERE expires <= ?", .timestamp(now))
    }
}
