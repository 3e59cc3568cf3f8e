import CloudAccounts
import CloudModel
import CloudSQL
import CloudStore

/// The context for importing an export's lines.
struct ImportContext: Sendable {
    let manifest: ExportManifest
    let handles: Handles

    /// Checksums of assets that may lack contents.
    let missing: Set<String>

    /// Valid positions of the export.
    var positions: ClosedRange<Int64> { 0...manifest.position }

    /// Imports one line of a list within a transaction.
    ///
    /// - Throws: ``TransferLine/Fault``, `ServerError` or a constraint error for an invalid line.
    func take(_ line: TransferLine, of list: TransferList, _ transaction: WriteTransaction) throws {
        switch list {
        case .users, .assets: break
        case .zones: try takeZone(line, transaction)
        case .records: try takeRecord(line, transaction)
        case .shares: try takeShare(line, transaction)
        case .sharedZones: try takeSharedZone(line, transaction)
        case .links: try takeLink(line, transaction)
        case .subscriptions: try takeSubscription(line, transaction)
        case .keyValues: try takeKeyValue(line, transaction)
        }
    }

    private func takeZone(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow(["zoneID", "position", "shortGUID"])
        let zone = try line.zone()
        if zone.isCustom, let fault = Naming.fault(zoneName: zone.name, limit: .max, isNew: false) {
            throw TransferLine.Fault(reason: fault.text)
        }
        let row = try ZoneTable.insert(zone, position: line.integer("position", in: positions), transaction.db)
        guard let handle = try line.text(optional: "shortGUID") else { return }
        try transaction.db.run(
            "UPDATE zones SET short_guid = ? WHERE id = ?", .text(handles.moved(handle)), .integer(row.id))
    }

    private func takeSharedZone(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow(["userRecordName", "zoneID", "joined", "position"])
        let id = try line.zone()
        let zone = try zone(id, transaction)
        try transaction.db.run(
            """
            INSERT INTO shared_zones ("user", owner, name, zone, joined, position, deleted) VALUES (?, ?, ?, ?, ?, ?, 0)
            """,
            .text(try line.text("userRecordName")), .text(id.owner), .text(id.name), .integer(zone.id),
            .integer(try line.integer("joined", in: positions)), .integer(try line.integer("position", in: positions)))
    }

    private func takeLink(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow([
            "id", "ownerRecordName", "expires", "deletesAfterExpiry", "isTakenDown", "passwordHash", "items",
            "downloads", "places", "language", "layout",
        ])
        let id = try line.text("id")
        // Pages of public records use the record name as their id, so it stays.
        let isRecord = try transaction.db.first(
            "SELECT 1 FROM records r /*!CROSS*/ JOIN zones z ON z.id = r.zone AND z.owner = ? WHERE r.name = ?",
            .text(ZoneID.publicOwner), .text(id)
        ) { _ in true }
        var link = PageSettings(
            id: isRecord == true ? id : handles.moved(id), owner: try line.text("ownerRecordName"))
        link.expires = try line.timestamp(optional: "expires")
        link.deletesAfterExpiry = try line.flag("deletesAfterExpiry")
        link.isTakenDown = try line.flag("isTakenDown")
        link.password = try line.text(optional: "passwordHash").map(PasswordHash.init(stored:))
        if line.members["downloads"] != nil { link.downloads = try line.choice("downloads") }
        if line.members["places"] != nil { link.showsPlaces = try line.flag("places") }
        link.language = try line.text(optional: "language")
        if line.members["layout"] != nil { link.layout = try line.choice("layout") }
        if line.members["items"] != nil { link.items = try line.texts("items") }
        try PageSettingsTable.save(link, transaction.db)
    }

    private func takeSubscription(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow(["userRecordName", "database", "subscription"])
        let user = try line.text("userRecordName")
        let scope: DatabaseScope = try line.choice("database")
        let object = try line.object("subscription")
        var limits = Limits()
        limits.subscriptions.bytes = .max
        let address: DatabaseAddress =
            switch scope {
            case .public: .public
            case .private: .private(owner: user)
            case .shared: .shared(with: user)
            }
        let subscription = try Subscription(
            object.members, name: try object.text("subscriptionID"), scope: scope, database: address, limits: limits)
        let request = SubscriptionsRequest(
            user: user, scope: scope, operations: [], strict: false, refusesDuplicates: false, limits: limits)
        let row = try ModifySubscriptions(request: request, transaction: transaction).row(
            subscription, takesStale: true)
        try SubscriptionTable.insert(row, transaction)
    }

    private func takeKeyValue(_ line: TransferLine, _ transaction: WriteTransaction) throws {
        try line.allow(["userRecordName", "key", "position", "clientId", "value"])
        let db = transaction.db
        let user = try line.text("userRecordName")
        let value: PropertyValue
        do { value = try PropertyValue(line.members["value"] ?? .null) } catch {
            throw TransferLine.Fault(reason: "'value'\(error.path) \(error.reason)")
        }
        let edit = KeyValueEdit(key: try line.text("key"), value: value)
        let row = KeyValueRow(
            position: try line.integer("position", in: positions), client: try line.text(optional: "clientId"),
            bytes: Int64(edit.value?.byteCount ?? 0), body: edit.value?.json)
        var store = try KeyValueTable.find(user: user, db) ?? KeyValueTable.insert(user: user, db)
        guard try KeyValueTable.value(edit.key, store: store.id, db) == nil else {
            throw TransferLine.Fault(reason: "the key appears twice")
        }
        try KeyValueTable.save(edit.key, row, store: store.id, db)
        store.position = max(store.position, row.position)
        store.bytes += row.bytes
        store.keys += 1
        try KeyValueTable.update(store, db)
        transaction.usage.add(bytes: Int(row.bytes), records: 0, owner: user)
    }

    func zone(_ id: ZoneID, _ transaction: WriteTransaction) throws -> ZoneRow {
        guard let zone = try transaction.zones.find(id) else {
            throw TransferLine.Fault(
                reason: "zone '\(Naming.shown(id.name))' of '\(Naming.shown(id.owner))' is not among the zones")
        }
        return zone
    }
}
