import CloudModel
import CloudSQL
import CloudStore

/// Counts and metadata of an environment's database.
enum ExportSummary {
    static func manifest(
        container: String, _ environment: ContainerEnvironment, routingKey: String, _ db: SQLConnection
    ) throws -> ExportManifest {
        var roles: [ExportManifest.Role] = []
        try db.each("SELECT id, name FROM roles ORDER BY id", []) {
            roles.append(ExportManifest.Role(number: $0.integer(0), name: $0.text(1)))
            return true
        }
        return ExportManifest(
            container: container, environment: environment, routingKey: routingKey,
            position: try db.first("SELECT position FROM store") { $0.integer(0) } ?? 0,
            changed: try EpochTable.changed(db), epochs: try EpochTable.all(db), roles: roles,
            lastRole: try db.dialect.upkeep.lastID(of: "roles", db),
            counts: try counts(db))
    }

    /// Line counts of all lists but the users.
    static func counts(_ db: SQLConnection) throws -> [TransferList: Int64] {
        var counts: [TransferList: Int64] = [:]
        for list in TransferList.allCases {
            guard let rows = try rows(list, db) else { continue }
            counts[list] = try db.first("SELECT count(*) FROM \(rows)") { $0.integer(0) } ?? 0
        }
        return counts
    }

    /// The rows of a list. Backup copies may have the table names of an older layout.
    private static func rows(_ list: TransferList, _ db: SQLConnection) throws -> String? {
        switch list {
        case .users: nil
        case .zones: "zones WHERE deleted = 0"
        case .assets: "assets WHERE EXISTS (SELECT 1 FROM record_assets WHERE asset = assets.id)"
        case .records: "records WHERE record_type IS NOT NULL"
        case .shares: "shares"
        case .sharedZones: "shared_zones WHERE deleted = 0"
        case .links: try db.hasTable("page_settings") ? "page_settings" : "links"
        case .subscriptions: "subscriptions"
        case .keyValues: "key_values WHERE body IS NOT NULL"
        }
    }

    /// Returns true if the environment has zones, key values or a user record of the user.
    static func knows(_ user: String, _ db: SQLConnection) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM zones WHERE owner = ?1 AND deleted = 0
            UNION ALL SELECT 1 FROM key_value_stores WHERE "user" = ?1
            UNION ALL SELECT 1 FROM zones z /*!CROSS*/ JOIN records r ON r.zone = z.id AND r.name = ?1
            WHERE z.owner = ?2 AND z.deleted = 0
            """,
            .text(user), .text(ZoneID.publicOwner)
        ) { _ in true } ?? false
    }

    /// A description of the environment's contents, which block an import; nil when empty. Default zones do not count:
    /// the server makes them on first access.
    static func contents(_ db: SQLConnection) throws -> String? {
        var counts = try counts(db)
        counts[.zones] = try db.first(
            "SELECT count(*) FROM zones WHERE deleted = 0 AND name <> ?", .text(ZoneID.defaultName)
        ) { $0.integer(0) }
        var contents = TransferList.allCases.compactMap { list in
            counts[list].flatMap { $0 > 0 ? "\($0) \(list.noun)" : nil }
        }
        let types = try CatalogReader.load(db).types.keys.filter { !SchemaDefinition.builtInTypes.contains($0) }
        contents += types.sorted().map { "record type \($0)" }
        return contents.isEmpty ? nil : contents.joined(separator: ", ")
    }
}
