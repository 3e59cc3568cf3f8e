import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/data`: a tree of databases, zones and types, and a table of records.
enum DataView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        var spot = DataSpot(place: place, query: call.query)
        var shared: Page<ZoneInfo>?
        if spot.user != nil {
            let page = try await sharedZones(call, spot)
            if spot.isShared, spot.owner == nil, let first = page.items.first { spot = DataSpot(spot, zone: first) }
            shared = page
        }
        let hasZone = !spot.isShared || spot.owner != nil
        let schema = try await call.schema(of: place)
        let counted = hasZone ? try await call.operations.run(RecordOperations.types, spot.arguments).items : []
        let types = DataTypes(counted, spot.isShared ? nil : schema)
        let type = spot.type ?? types.largest
        var content = Content(
            heading: type ?? "No records yet", database: try await spot.description(call), notice: notice(spot),
            tree: try await DataTree(
                call: call, spot: spot, types: types.all, current: type, shared: shared, schema: schema
            ).groups(),
            empty: empty(spot))
        if !spot.isShared {
            content.load = spot.address("/console/import", type: type)
            content.newType = NewTypeView.address(place)
        }
        if let type, hasZone { try await content.add(call, spot, type, schema.types[type]) }
        return try call.render(content, title: type ?? "Data", view: .data, place: place)
    }

    private static func sharedZones(_ call: ConsoleCall, _ spot: DataSpot) async throws -> Page<ZoneInfo> {
        try await call.operations.run(
            RecordOperations.zones,
            spot.place.arguments([
                "user": spot.user, "database": DatabaseScope.shared.rawValue, "after": call.query.filled("zones"),
            ]))
    }

    private static func empty(_ spot: DataSpot) -> String {
        spot.isShared
            ? "Nothing that others share with this user is here."
            : "There is no record type yet. Apps make types by saving records in development, or make one here."
    }

    private static func notice(_ spot: DataSpot) -> String? {
        guard spot.user != nil else { return nil }
        return spot.isShared
            ? "This is private data of others, as this user sees it. That you look at it stands in the audit log."
            : "This is somebody's private data. That you look at it stands in the audit log."
    }
}

extension ConsoleCall {
    /// The environment's schema.
    func schema(of place: ConsolePlace) async throws -> SchemaDefinition {
        try SchemaParser.parse(try await operations.run(SchemaOperations.export, place.address).text)
    }
}
