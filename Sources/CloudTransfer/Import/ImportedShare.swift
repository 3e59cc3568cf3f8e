import CloudModel
import CloudSQL
import CloudStore

extension ImportContext {
    /// Imports a share and its members.
    func takeShare(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow([
            "id", "zoneID", "recordName", "rootRecordName", "shortGUID", "position", "state", "members",
        ])
        let db = transaction.db
        let zone = try zone(try line.zone(), transaction)
        let record = try record("recordName", line, zone, db)
        let root = line.members["rootRecordName"] == nil ? nil : try self.record("rootRecordName", line, zone, db)
        let share = try ShareTable.insert(
            id: line.integer("id", in: TransferLine.ids), zone: zone.id, record: record, root: root,
            shortGUID: handles.moved(line.text("shortGUID")), position: line.integer("position", in: positions),
            state: state(line), db)
        for member in try line.objects("members") { try take(member, of: share, db) }
    }

    private func take(_ member: TransferLine, of share: ShareRow, _ db: SQLConnection) throws {
        try member.allow(["userRecordName", "since"])
        let user = try member.text("userRecordName")
        guard let participant = share.state.participant(user: user), participant.isMember else {
            throw TransferLine.Fault(reason: "member '\(Naming.shown(user))' is not among the participants")
        }
        try db.run(
            """
            INSERT INTO members ("user", zone, share, is_zone_wide, may_write, is_administrator, since)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(user), .integer(share.zone), .integer(share.id), .integer(share.isZoneWide ? 1 : 0),
            .integer(participant.permission == .readWrite ? 1 : 0), .integer(participant.isManager ? 1 : 0),
            .integer(try member.integer("since", in: positions)))
    }

    private func state(_ line: TransferLine) throws -> ShareState {
        var writer = JSONWriter()
        writer.value(.object(try line.object("state").members))
        guard var state = ShareState(stored: writer.bytes) else {
            throw TransferLine.Fault(reason: "'state' is not the state of a share")
        }
        for index in state.participants.indices {
            state.participants[index].link = state.participants[index].link.map(handles.moved)
        }
        return state
    }

    private func record(_ key: String, _ line: TransferLine, _ zone: ZoneRow, _ db: SQLConnection) throws -> Int64 {
        let name = try line.text(key)
        guard let record = try RecordTable.find(name, zone: zone.id, db) else {
            throw TransferLine.Fault(reason: "'\(key)' is '\(Naming.shown(name))', which is not among the records")
        }
        return record.id
    }
}
