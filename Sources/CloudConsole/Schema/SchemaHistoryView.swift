import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/schema/history`: changes of a container's schema, with operator, time and affected parts.
enum SchemaHistoryView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let page = try await call.operations.run(
            AuditOperations.list,
            [
                "container": .string(place.container), "limit": .integer(50),
                "action": .array(SchemaOperations.auditActions.map(JSONValue.string)),
                "after": call.query.filled("after").map(JSONValue.string),
            ])
        let sheet = Sheet(
            title: "History", note: "as long as the audit log keeps it",
            columns: [
                .init(title: "Time"), .init(title: "Who"), .init(title: "Action"), .init(title: "Environment"),
                .init(title: "Changes"),
            ],
            rows: page.items.map { line in
                [
                    .time(line.time), Sheet.Cell(line.who), Sheet.Cell(line.action),
                    Sheet.Cell(
                        line.environment?.label ?? "", badge: line.environment.map { "env \($0.rawValue)" }),
                    Sheet.Cell(line.subject ?? "", isWhole: true),
                ]
            }, empty: "Nobody has imported, deployed or reset the schema of this container yet.",
            next: page.next.map { place.address(SchemaTab.history.path, ["after": $0]) })
        let content = SchemaView.Content(
            tabs: SchemaTab.tabs(current: .history, place), sheets: [SheetView(sheet, now: call.now)])
        return try call.render(content, title: "Schema", view: .schema, place: place)
    }
}
