import CloudAssets
import CloudModel
import CloudSQL
import CloudStore

extension ImportContext {
    private static let recordKeys: Set<String> = [
        "recordName", "recordType", "fields", "pluginFields", "recordChangeTag", "created", "modified", "deleted",
        "parent", "shortGUID", "share", "zoneID",
    ]

    /// Imports a record in the form of responses, with the share that covers it.
    func takeRecord(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow(["record", "share", "sharePosition"])
        let record = try line.object("record")
        try record.allow(Self.recordKeys)
        let zoneID =
            record.members["zoneID"] == nil
            ? ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner) : try record.zone()
        let zone = try zone(zoneID, transaction)
        let header = try header(record)
        guard let type = transaction.catalog.types[header.recordType] else {
            throw TransferLine.Fault(
                reason: "record type '\(Naming.shown(header.recordType))' is not in \(ExportFolder.schema)")
        }
        let content = try content(try record.object("fields").members, type, zoneID, transaction.db)
        let row = RecordTable.Row(
            zone: zone.id, type: type, position: try position(header, transaction), hasFeed: zoneID.isCustom,
            header: header,
            content: content,
            body: RecordBody(
                header, fields: content.json, zone: zoneID.owner == ZoneID.publicOwner ? nil : zoneID),
            values: transaction.schema.values(type))
        let id = try RecordTable.insert(row, transaction)
        transaction.usage.add(bytes: row.body.size, records: 1, owner: zoneID.owner)
        guard let share = try line.integer(optional: "share", in: TransferLine.ids) else { return }
        try transaction.db.run(
            "UPDATE records SET share = ?, share_position = ? WHERE id = ?", .integer(share),
            .integer(try line.integer("sharePosition", in: positions)), .integer(id))
    }

    private func header(_ record: TransferLine) throws(TransferLine.Fault) -> RecordBody.Header {
        let name = try record.text("recordName")
        if let fault = Naming.fault(recordName: name, limit: .max, system: true) {
            throw TransferLine.Fault(reason: fault.text)
        }
        return RecordBody.Header(
            recordName: name, recordType: try record.text("recordType"),
            changeTag: try record.text("recordChangeTag"), created: try stamp("created", record),
            modified: try stamp("modified", record),
            parent: record.members["parent"] == nil ? nil : try record.object("parent").text("recordName"),
            shortGUID: try record.text(optional: "shortGUID").map(handles.moved),
            share: record.members["share"] == nil ? nil : try record.object("share").text("recordName"))
    }

    private func stamp(_ key: String, _ record: TransferLine) throws(TransferLine.Fault) -> RecordBody.Stamp {
        let stamp = try record.object(key)
        try stamp.allow(["timestamp", "userRecordName", "deviceID"])
        return RecordBody.Stamp(
            timestamp: try stamp.timestamp("timestamp"),
            userRecordName: try stamp.text("userRecordName"), deviceID: try stamp.text("deviceID"))
    }

    /// The position of the record's last change, parsed from its change tag.
    private func position(
        _ header: RecordBody.Header, _ transaction: WriteTransaction
    ) throws(TransferLine.Fault) -> Int64 {
        let shown = Naming.shown(header.changeTag)
        guard let position = ChangeTag.position(header.changeTag), position >= 0 else {
            throw TransferLine.Fault(reason: "'\(shown)' is not a recordChangeTag")
        }
        guard positions.contains(position) else {
            throw TransferLine.Fault(
                reason: "recordChangeTag '\(shown)' is of a change after the last one, which is "
                    + "'\(transaction.tag(manifest.position))'")
        }
        let tag = transaction.tag(position)
        guard tag == header.changeTag else {
            throw TransferLine.Fault(
                reason: "recordChangeTag '\(shown)' is not that of its position and epoch, '\(tag)'")
        }
        return position
    }

    private func content(
        _ fields: JSONObject, _ type: RecordType, _ zone: ZoneID, _ db: SQLConnection
    ) throws -> RecordContent {
        let decoder = FieldDecoder(recordType: type.name, zone: zone)
        var known: [RecordContent.Field] = []
        var untyped: [String] = []
        for member in fields.members {
            let field = try WireField(member)
            if field.isUntypedList {
                untyped.append(member.key)
                continue
            }
            guard let definition = type.fields[member.key] else {
                throw TransferLine.Fault(
                    reason: "field '\(Naming.shown(member.key))' of '\(type.name)' is not in " + ExportFolder.schema)
            }
            guard let value = field.value else {
                throw TransferLine.Fault(reason: "field '\(member.key)' has no value")
            }
            let decoded = try decoder.decode(field, value: value, declared: definition.type).value
            try check(decoded.assets, db)
            known.append((definition, decoded))
        }
        return RecordContent(known, untyped: untyped, zone: zone)
    }

    private func check(_ assets: [Asset], _ db: SQLConnection) throws {
        for asset in assets {
            guard let known = try AssetTable.find(asset.key, db) else {
                throw TransferLine.Fault(reason: "asset '\(asset.key.fileChecksum)' is not among the assets")
            }
            guard known.description.size == asset.size else {
                throw TransferLine.Fault(
                    reason: "asset '\(asset.key.fileChecksum)' has size \(asset.size), and \(known.description.size) "
                        + "among the assets")
            }
        }
    }
}
