import CloudPages
import CloudModel
import CloudOperations

/// A table page of a type's records.
struct RecordSheet {
    let spot: DataSpot
    let type: String
    /// The type's definition; nil for a type without schema.
    let definition: TypeDefinition?

    static let perPage: Int64 = 100

    private var fields: [(name: String, declaration: FieldDeclaration)] {
        (definition?.fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The table, and a sentence with the query's plan and cost.
    func sheet(_ call: ConsoleCall) async throws -> (sheet: Sheet, plan: String) {
        let before = call.page.trace.notes
        let began = ContinuousClock.now
        let page = try await page(call)
        let took = ContinuousClock.now - began
        let after = call.page.trace.notes
        let steps = after.steps.dropFirst(before.steps.count).filter { ["index", "production"].contains($0.kind) }
        let plan =
            steps.map(\.text) + [
                "\(after.cost.rowsRead - before.cost.rowsRead) rows read, \(page.records.count) answered",
                took.milliseconds,
            ]
        return (sheet(page), plan.joined(separator: ", "))
    }

    private func sheet(_ page: RecordList) -> Sheet {
        let naming = RecordNaming(definition)
        let fields = naming.rest(of: fields)
        var name = Sheet.Column(title: "Record name")
        if naming.field != nil { name.place = .away }
        let columns =
            (naming.field.map { [column($0.name, $0.declaration)] } ?? []) + [name]
            + fields.map { column($0.name, $0.declaration) }
            + [
                sortable(Sheet.Column(title: "modified", place: .late), SystemField.modifiedTimestamp.rawValue),
                Sheet.Column(title: "Tag", isNumber: true, place: .away),
            ]
        var sheet = Sheet(
            title: type, columns: columns, rows: page.records.map { row($0, naming, fields) },
            empty: spot.query.terms.isEmpty
                ? "This zone has no records of this type." : "No record of this type fits all conditions.",
            next: page.next.map { spot.address(type: type, query: spot.query, after: $0) }, isBrief: true)
        sheet.way = spot.record("")
        if spot.hasAllColumns {
            let fitting = spot.address(type: type, query: spot.query, after: spot.after, [("columns", nil)])
            sheet.links = [PageLink(label: "Fewer columns", address: fitting)]
        } else {
            let all = spot.address(type: type, query: spot.query, after: spot.after, [("columns", "all")])
            sheet = ColumnFit.fitted(sheet, all: all)
        }
        // Records of the shared database are read-only here.
        guard !spot.isShared else { return sheet }
        sheet.pick = Sheet.Pick(
            hidden: spot.hidden + [FilledField(name: "type", value: type)] + spot.query.hidden,
            fields: self.fields.filter { WireText.edited(nil, $0.declaration.type) != nil }.map(\.name))
        return sheet
    }

    private func row(
        _ record: JSONValue, _ naming: RecordNaming, _ fields: [(name: String, declaration: FieldDeclaration)]
    ) -> [Sheet.Cell] {
        let json = record.object ?? JSONObject()
        let (name, tag) = (json["recordName"]?.string ?? "", json["recordChangeTag"]?.string ?? "")
        let address = spot.record(name)
        var first = [Sheet.Cell.name(name, link: address)]
        if naming.field != nil {
            let text = naming.text(of: json)
            first = [text.map { Sheet.Cell($0, link: address) } ?? .name(name, link: address), .name(name)]
        }
        if !spot.isShared { first[0].pick = PickedRecord(name: name, tag: tag).text }
        return first + fields.map { WireText.cell(json["fields"]?.object?[$0.name], $0.declaration.type) }
            + [
                Sheet.Cell.time(json["modified"]?.object?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))),
                Sheet.Cell(tag, isName: true, isNumber: true),
            ]
    }

    private func page(_ call: ConsoleCall) async throws -> RecordList {
        try await spot.page(call, type: type, definition, after: spot.after, limit: Self.perPage)
    }

    private func column(_ name: String, _ declaration: FieldDeclaration) -> Sheet.Column {
        let column = Sheet.Column(
            title: name, type: declaration.type.name, isNumber: WireText.isNumber(declaration.type))
        let isSortable =
            declaration.indexes.contains(.sortable) && declaration.type.isQueryable && !declaration.type.isList
        return isSortable ? sortable(column, name) : column
    }

    private func sortable(_ column: Sheet.Column, _ field: String) -> Sheet.Column {
        var column = column
        let isHere = spot.query.sort == field
        column.sort = spot.address(
            type: type, query: spot.query.sorted(by: field, isDescending: isHere && !spot.query.isDescending))
        if isHere { column.order = spot.query.order }
        return column
    }
}

extension DataSpot {
    /// A page of the query's results. Without a query, a page of all records of the type in creation order, regardless
    /// of the schema's indexes.
    func page(
        _ call: ConsoleCall, type: String, _ definition: TypeDefinition?, after: String?, limit: Int64
    ) async throws -> RecordList {
        var arguments = arguments
        if query.isEmpty {
            arguments["type"] = .string(type)
            arguments["limit"] = .integer(limit)
            arguments["after"] = after.map(JSONValue.string)
            return try await call.operations.run(RecordOperations.list, arguments)
        }
        arguments["query"] = try query.json(type: type, definition)
        arguments["resultsLimit"] = .integer(limit)
        arguments["continuationMarker"] = after.map(JSONValue.string)
        return try await call.operations.run(RecordOperations.query, arguments)
    }
}
