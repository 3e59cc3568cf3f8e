import CloudModel
import CloudOperations
import Hummingbird

/// `/console/data`: databases, zones and types beside a table of records.
enum DataView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let spot = DataSpot(place: place, query: call.query)
        let types = try await call.operations.run(RecordOperations.types, spot.arguments).items
        let schema = try SchemaParser.parse(
            try await call.operations.administration(
                container: place.container, environment: place.environment
            ).schemaText().text)
        let type = spot.type ?? types.first?.recordType
        var content: [String: Any] = [
            "tree": try await DataTree(call: call, spot: spot, types: types, current: type).groups(),
            "heading": type ?? "No records yet", "database": spot.description,
        ]
        if spot.user != nil { content["isPrivate"] = true }
        if let type {
            do {
                content["sheet"] = try await RecordSheet(spot: spot, type: type, definition: schema.types[type])
                    .sheet(call).content(form: call.guarded.value)
            } catch let error as ServerError where error.code == .badRequest {
                content["problem"] = error.reason
            }
        }
        return try call.render("console-data", type ?? "Data", view: .data, place: place, content)
    }
}

/// The place in the data that an address of the console names.
struct DataSpot: Sendable {
    let place: ConsolePlace
    /// Whose private database; nil for the public one.
    let user: String?
    let zone: String
    let type: String?
    let sort: String?
    let isDescending: Bool
    let after: String?

    init(place: ConsolePlace, query: FormFields) {
        self.place = place
        user = query["user"].flatMap { $0.isEmpty ? nil : $0 }
        zone = query["zone"].flatMap { $0.isEmpty ? nil : $0 } ?? ZoneID.defaultName
        type = query["type"]
        sort = query["sort"]
        isDescending = query["order"] == "descending"
        after = query["after"]
    }

    var arguments: Arguments { place.arguments(["user": user, "zone": zone]) }

    var description: String { user.map { "private database of \($0), zone \(zone)" } ?? "public database" }

    func address(
        type: String? = nil, sort: String? = nil, order: String? = nil, after: String? = nil
    ) -> String {
        place.address(
            "/console/data",
            ["user": user, "zone": zone, "type": type, "sort": sort, "order": order, "after": after])
    }

    func record(_ name: String) -> String {
        place.address("/console/record", ["user": user, "zone": zone, "name": name])
    }
}

/// The databases, zones and types beside the table.
struct DataTree {
    let call: ConsoleCall
    let spot: DataSpot
    let types: [TypeInfo]
    let current: String?

    /// People that are listed; others are found among People.
    private static let mostOwners = 30

    func groups() async throws -> [PageContent] {
        let place = spot.place
        let shared = DataSpot(place: place, query: FormFields("".utf8))
        let publicTypes =
            spot.user == nil ? types : try await call.operations.run(RecordOperations.types, shared.arguments).items
        var groups = [group("Public", items(publicTypes, shared, isHere: spot.user == nil))]
        if let user = spot.user {
            let zones = try await call.operations.run(RecordOperations.zones, place.arguments(["user": user])).items
            for zone in zones {
                let there = place.address("/console/data", ["user": user, "zone": zone.zone])
                let isHere = zone.zone == spot.zone
                groups.append(
                    group(
                        zone.zone,
                        [item("All types", there, isCurrent: isHere && types.isEmpty)]
                            + (isHere ? items(types, spot, isHere: true) : [])))
            }
        }
        let owners = try await call.operations.run(
            RecordOperations.owners, place.arguments(["limit": "\(Self.mostOwners)"])
        ).items
        groups.append(
            group(
                "Private",
                owners.map { owner in
                    item(
                        owner.email ?? owner.userRecordName,
                        place.address("/console/data", ["user": owner.userRecordName]), count: "\(owner.records)",
                        isCurrent: owner.userRecordName == spot.user)
                } + [item("Choose somebody…", "/console/people")]))
        return groups
    }

    private func items(_ types: [TypeInfo], _ spot: DataSpot, isHere: Bool) -> [PageContent] {
        types.map {
            item(
                $0.recordType, spot.address(type: $0.recordType), count: "\($0.count)\($0.isCut ? "+" : "")",
                isCurrent: isHere && $0.recordType == current)
        }
    }

    private func group(_ title: String, _ items: [PageContent]) -> PageContent {
        var content: [String: Any] = ["title": title, "items": items]
        if items.isEmpty { content["isEmpty"] = true }
        return PageContent(content)
    }

    private func item(_ title: String, _ address: String, count: String? = nil, isCurrent: Bool = false) -> PageContent
    {
        var content: [String: Any] = ["title": title, "address": address]
        content["count"] = count
        if isCurrent { content["isCurrent"] = true }
        return PageContent(content)
    }
}

/// A page of records of one type.
struct RecordSheet {
    let spot: DataSpot
    let type: String
    /// As the schema has it; nil for a type that it does not know.
    let definition: TypeDefinition?

    private static let perPage: Int64 = 100
    private static let systemSorts = ["created": "___createTime", "modified": "___modTime"]

    private var fields: [(name: String, declaration: FieldDeclaration)] {
        (definition?.fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func sheet(_ call: ConsoleCall) async throws -> Sheet {
        let page = try await page(call)
        let fields = fields
        let columns: [Sheet.Column] =
            [Sheet.Column(title: "Record name")]
            + fields.map { column($0.name, $0.declaration) } + [
                system("modified"), Sheet.Column(title: "Tag", isNumber: true),
            ]
        return Sheet(
            title: type, columns: columns,
            rows: page.records.map { record in
                let json = record.object ?? JSONObject()
                let name = json["recordName"]?.string ?? ""
                return [Sheet.Cell.name(name, link: spot.record(name))]
                    + fields.map { WireText.cell(json["fields"]?.object?[$0.name], $0.declaration.type) }
                    + [
                        Sheet.Cell.time(
                            json["modified"]?.object?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))),
                        Sheet.Cell(json["recordChangeTag"]?.string ?? "", isName: true, isNumber: true),
                    ]
            }, empty: "This zone has no records of this type.",
            next: page.next.map {
                spot.address(
                    type: type, sort: spot.sort, order: spot.sort == nil ? nil : order, after: $0)
            })
    }

    private var order: String { spot.isDescending ? "descending" : "ascending" }

    private func page(_ call: ConsoleCall) async throws -> RecordList {
        var arguments = spot.arguments
        guard let sort = spot.sort else {
            arguments["type"] = .string(type)
            arguments["limit"] = .integer(Self.perPage)
            arguments["after"] = spot.after.map(JSONValue.string)
            return try await call.operations.run(RecordOperations.list, arguments)
        }
        let descriptor = JSONObject([
            .init(key: "fieldName", value: .string(Self.systemSorts[sort] ?? sort)),
            .init(key: "ascending", value: .bool(!spot.isDescending)),
        ])
        arguments["query"] = .object(
            JSONObject([
                .init(key: "recordType", value: .string(type)),
                .init(key: "sortBy", value: .array([.object(descriptor)])),
            ]))
        arguments["resultsLimit"] = .integer(Self.perPage)
        arguments["continuationMarker"] = spot.after.map(JSONValue.string)
        return try await call.operations.run(RecordOperations.query, arguments)
    }

    private func column(_ name: String, _ declaration: FieldDeclaration) -> Sheet.Column {
        sortable(
            Sheet.Column(title: name, type: declaration.type.name, isNumber: WireText.isNumber(declaration.type)), name,
            if: declaration.indexes.contains(.sortable) && declaration.type.kind != .location)
    }

    private func system(_ name: String) -> Sheet.Column { sortable(Sheet.Column(title: name), name, if: true) }

    private func sortable(_ column: Sheet.Column, _ name: String, if isSortable: Bool) -> Sheet.Column {
        guard isSortable else { return column }
        var column = column
        let isHere = spot.sort == name
        column.sort = spot.address(
            type: type, sort: name, order: isHere && !spot.isDescending ? "descending" : "ascending")
        if isHere { column.order = order }
        return column
    }
}
