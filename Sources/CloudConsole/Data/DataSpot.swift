import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// A zone shown in the data view, with the query on it, as parsed from a console address.
struct DataSpot: Sendable {
    let place: ConsolePlace
    /// The owner of the shown private database, or the viewer of the shared database; nil for the public database.
    let user: String?
    /// The owner of a zone shared with the user; nil in other databases.
    let owner: String?
    /// Whether the zone is in the user's shared database.
    let isShared: Bool
    let zone: String
    let type: String?
    let query: QueryForm
    let after: String?
    /// Whether the table shows all columns, regardless of page width.
    let hasAllColumns: Bool

    init(place: ConsolePlace, query fields: FormFields) {
        self.place = place
        user = fields.filled("user")
        isShared = fields["database"] == DatabaseScope.shared.rawValue
        owner = isShared ? fields.filled("owner") : nil
        zone = fields.filled("zone") ?? ZoneID.defaultName
        type = fields.filled("type")
        query = QueryForm(fields)
        after = fields.filled("after")
        hasAllColumns = fields["columns"] == "all"
    }

    /// Another zone in the same shared database.
    init(_ spot: DataSpot, zone: ZoneInfo) {
        (place, user, isShared, owner) = (spot.place, spot.user, true, zone.ownerRecordName)
        (self.zone, type, query, after) = (zone.zone, spot.type, spot.query, spot.after)
        hasAllColumns = spot.hasAllColumns
    }

    var arguments: Arguments {
        place.arguments(["user": user, "zone": zone, "database": isShared ? database.rawValue : nil, "owner": owner])
    }

    var database: DatabaseScope { isShared ? .shared : user == nil ? .public : .private }

    /// The database in words, with email addresses.
    func description(_ names: KnownPeople) -> String {
        guard let user else { return "public database" }
        guard isShared else { return "private database of \(names[user]), zone \(zone)" }
        return "shared database of \(names[user])" + (owner.map { ", zone \(zone) of \(names[$0])" } ?? "")
    }

    func description(_ call: ConsoleCall) async throws -> String {
        description(try await KnownPeople(call, [user, owner], in: place.container))
    }

    /// A console address with this zone in its query.
    ///
    /// - Parameter query: the query on the records; nil for all records.
    func address(
        _ path: String = "/console/data", type: String? = nil, query: QueryForm? = nil, after: String? = nil,
        _ more: [(String, String?)] = []
    ) -> String {
        let place: [(String, String?)] = [
            ("container", place.container), ("environment", place.environment.rawValue), ("user", user),
            ("database", isShared ? database.rawValue : nil), ("owner", owner), ("zone", zone), ("type", type),
        ]
        let isTable = path == ConsoleView.data.path && hasAllColumns && !more.contains { $0.0 == "columns" }
        let columns = [("columns", isTable ? "all" : nil)]
        return ConsoleAddress.make(path, place + (query?.parameters ?? []) + [("after", after)] + columns + more)
    }

    /// The address of a record's page. A record in the shared database is shown in its owner's zone.
    func record(_ name: String) -> String {
        if isShared {
            return place.address("/console/record", ["user": owner, "zone": zone, "name": name])
        }
        return address("/console/record", [("name", name)])
    }

    /// The zone as hidden fields.
    var hidden: [FilledField] {
        var fields = [
            ("container", place.container), ("environment", place.environment.rawValue), ("user", user ?? ""),
            ("zone", zone),
        ]
        if isShared { fields += [("database", database.rawValue), ("owner", owner ?? "")] }
        return fields.map(FilledField.init)
    }
}
