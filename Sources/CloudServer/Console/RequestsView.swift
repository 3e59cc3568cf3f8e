import CloudModel
import CloudOperations
import CloudStore
import HTTPTypes
import Hummingbird

/// `/console/requests`: the last requests, with a search.
enum RequestsView {
    /// Requests on a page.
    private static let most = 100

    static let show: ConsoleEndpoint = { call in
        let text = call.query["matching"].flatMap { $0.isEmpty ? nil : $0 }
        let refused = call.query["refused"] == "true"
        if let text, (try? call.request(text.lowercased())) != nil {
            return .seeOther(RequestView.address(text.lowercased()))
        }
        let records = try call.requests(filter(text, refused: refused), most: most)
        let sheet = make(
            records, title: refused ? "Refused" : "The last requests",
            empty: text == nil && !refused
                ? "Nobody has asked for anything since the server started."
                : "No request that is remembered fits.")
        let other = ConsoleAddress.make(
            ConsoleView.requests.path, [("matching", text), ("refused", refused ? nil : "true")])
        return try call.render(
            "Requests", view: .requests, place: try await call.place(), sheets: [sheet],
            [
                "search": PageContent([
                    "value": text ?? "", "label": "UUID, error code, user record name or container",
                    "hidden": refused ? [PageContent.field("refused", "true")] : [],
                ]),
                "links": [PageContent(["label": refused ? "All requests" : "Refused only", "address": other])],
            ])
    }

    /// A text is an error code, the name of a user or that of a container, by its form.
    private static func filter(_ text: String?, refused: Bool) -> RequestFilter {
        var filter = RequestFilter()
        filter.refusedOnly = refused
        filter.leavesOutConsole = true
        guard let text else { return filter }
        if let code = ServerError.Code(rawValue: text.uppercased()) {
            filter.code = code
        } else if text.hasPrefix("_") {
            filter.user = text
        } else {
            filter.container = text
        }
        return filter
    }

    /// Requests as a table, the newest first.
    static func make(_ records: [RequestRecord], title: String, empty: String) -> Sheet {
        Sheet(
            title: title,
            columns: [
                .init(title: "Request"), .init(title: "Status"), .init(title: "Outcome"),
                .init(title: "Took", isNumber: true), .init(title: "Time"), .init(title: "User"),
                .init(title: "Container"),
            ],
            rows: records.reversed().map { record in
                [
                    .name(record.summary, link: RequestView.address(record.id)),
                    Sheet.Cell("\(record.status)", badge: record.badge), Sheet.Cell(record.outcome),
                    Sheet.Cell(record.duration.milliseconds, isNumber: true), .time(record.time),
                    .name(record.user ?? ""), .name(record.container ?? ""),
                ]
            }, empty: empty)
    }
}

/// `/console/request`: one request, with the decisions on its way and what it cost.
enum RequestView {
    static func address(_ id: String) -> String { ConsoleAddress.make("/console/request", [("uuid", id)]) }

    static let show: ConsoleEndpoint = { call in
        let record = try call.request(try call.query.text("uuid"))
        return try call.render(
            record.summary, view: .requests, place: try await call.place(),
            sheets: [trail(record)] + (record.operations.isEmpty ? [] : [operations(record)]),
            [
                "hasFacts": true,
                "facts": facts(record).map { title, value in
                    PageContent(["title": title, "value": value.isEmpty ? "none" : value])
                },
            ])
    }

    private static func facts(_ record: RequestRecord) -> [(String, String)] {
        let cost = record.cost
        return [
            ("Outcome", "\(record.status) \(record.outcome)"), ("Reason", record.refusal?.reason ?? ""),
            ("Time", Sheet.Cell.time(record.time).text),
            ("Place", [record.container, record.environment?.rawValue].compactMap(\.self).joined(separator: ", ")),
            ("User", record.user ?? ""), ("Client address", record.address ?? ""), ("UUID", record.id),
            (
                "Took",
                "\(record.duration.milliseconds): \(cost.queue.milliseconds) waiting, \(cost.store.milliseconds) in the "
                    + "store, \(record.rendering.milliseconds) for the answer"
            ),
            (
                "Work",
                "\(cost.statements) statements, \(cost.rowsRead) rows read, \(cost.rowsAnswered) answered, "
                    + "\(cost.notifications) notifications queued"
            ),
            (
                "Size",
                "\(ByteCount.text(Int64(cost.bytesIn))) in"
                    + (record.bytesOut.map { ", \(ByteCount.text(Int64($0))) out" } ?? "")
            ),
        ]
    }

    private static func trail(_ record: RequestRecord) -> Sheet {
        Sheet(
            title: "Decisions",
            columns: [.init(title: "About"), .init(title: "Outcome"), .init(title: "What decided")],
            rows: record.trail.map { entry in
                [
                    Sheet.Cell(entry.step),
                    Sheet.Cell(entry.outcome.rawValue, badge: entry.outcome == .stopped ? "bad" : "good"),
                    Sheet.Cell(entry.text, isWhole: true),
                ]
            }, empty: "Nothing had to be decided.")
    }

    private static func operations(_ record: RequestRecord) -> Sheet {
        let left = record.succeeded + record.failed - record.operations.count
        return Sheet(
            title: "Operations",
            note: "\(record.succeeded) done, \(record.failed) refused" + (left > 0 ? "; \(left) are not listed" : ""),
            columns: [
                .init(title: "Index", isNumber: true), .init(title: "Record"), .init(title: "Type"),
                .init(title: "Outcome"), .init(title: "Reason"), .init(title: "What decided"),
            ],
            rows: record.operations.map { operation in
                [
                    .number(operation.index), .name(operation.recordName ?? ""), .name(operation.recordType ?? ""),
                    Sheet.Cell(operation.code?.rawValue ?? "done", badge: operation.code == nil ? "good" : "bad"),
                    Sheet.Cell(operation.reason ?? "", isWhole: true),
                    Sheet.Cell(operation.cause?.text ?? "", isWhole: true),
                ]
            }, empty: "")
    }
}

extension ConsoleCall {
    /// The last requests that a filter lets through, oldest first.
    func requests(_ filter: RequestFilter, most: Int) throws -> [RequestRecord] {
        try operations.identity.require([.operations])
        var filter = filter
        if let container = operations.identity.container { filter.container = container }
        return page.site.requests.records(after: nil, limit: most, filter).records
    }

    /// The request with an id.
    ///
    /// - Throws: `NOT_FOUND` when it is not remembered, or not the operator's to see.
    func request(_ id: String) throws -> RequestRecord {
        try operations.identity.require([.operations])
        let container = operations.identity.container
        guard let record = page.site.requests.find(id: id), container == nil || record.container == container else {
            throw PageError(
                .notFound, "This request is not remembered", "The server remembers the last ones only.",
                .missing(.request))
        }
        return record
    }
}

extension RequestRecord {
    /// The method and route, with the database where there is one.
    fileprivate var summary: String { "\(method) \(database.map { "\($0.rawValue)/" } ?? "")\(route)" }

    /// The error, or how many operations had one.
    fileprivate var outcome: String {
        if let refusal { return refusal.code?.rawValue ?? refusal.reason }
        guard failed > 0 else { return succeeded > 1 ? "\(succeeded) done" : "done" }
        let codes = Set(operations.compactMap(\.code?.rawValue)).sorted().joined(separator: ", ")
        return "\(failed) of \(succeeded + failed): \(codes)"
    }

    fileprivate var badge: String { status >= 500 ? "bad" : isRefused ? "warn" : "good" }
}

extension Duration {
    var milliseconds: String { "\(Double(wholeMicroseconds / 10) / 100) ms" }
}
