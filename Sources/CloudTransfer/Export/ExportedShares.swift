import CloudModel
import CloudSQL

extension ExportLines {
    /// Writes shares with their members. Record lines name shares by these ids.
    static func shares(_ db: SQLConnection, _ write: ([UInt8]) throws -> Void) throws {
        try each("\(shareRows) ORDER BY s.id", db, write) { try share($0, db, &$1) }
    }

    /// Selects rows for ``share(_:_:_:)``.
    static let shareRows = """
        SELECT s.id, z.name, z.owner, r.name, root.name, s.short_guid, s.position, s.state FROM shares s
        /*!CROSS*/ JOIN zones z ON z.id = s.zone /*!CROSS*/ JOIN records r ON r.id = s.record
        LEFT JOIN records root ON root.id = s.root
        """

    /// Writes the members of a share's JSON object.
    static func share(_ row: SQLRow, _ db: SQLConnection, _ line: inout JSONWriter) throws {
        line.member("id", row.integer(0))
        line.zone(name: row.text(1), owner: row.text(2))
        line.member("recordName", row.text(3))
        line.member("rootRecordName", row.isNull(4) ? nil : row.text(4))
        line.member("shortGUID", row.text(5))
        line.member("position", row.integer(6))
        line.key("state")
        line.verbatim(row.blob(7))
        let members = try members(of: row.integer(0), db)
        line.key("members")
        line.array { line in
            for (user, since) in members {
                line.object {
                    $0.member("userRecordName", user)
                    $0.member("since", since)
                }
            }
        }
    }

    private static func members(of share: Int64, _ db: SQLConnection) throws -> [(user: String, since: Int64)] {
        var members: [(user: String, since: Int64)] = []
        try db.each("SELECT \"user\", since FROM members WHERE share = ? ORDER BY \"user\"", [.integer(share)]) {
            members.append(($0.text(0), $0.integer(1)))
            return true
        }
        return members
    }
}
