import CloudAccounts
import CloudWire
import CloudPages
import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/requests`: the latest requests, with a search.
enum RequestsView {
    /// The most requests on a page.
    private static let most = 100

    static let show: ConsoleEndpoint = { call in
        let search = RequestSearch(call.query["matching"] ?? "")
        if let id = search.text?.lowercased(), (try? await call.request(id)) != nil {
            return .seeOther(RequestView.address(id))
        }
        let kind: RequestsPage.Kind =
            call.query["refused"] == "true" ? .refused : call.query["slow"] == "true" ? .slow : .all
        var filter = search.filter
        filter.refusedOnly = kind == .refused
        let slow = call.page.site.wire.http.requests.slow
        if kind == .slow { filter.slower = slow }
        let before = call.query["before"].flatMap { Int64($0) }
        let found = try await call.requests(filter, before: before, most: most)
        let names = try await KnownPeople(call, found.records.map { ($0.user, $0.container) })
        var sheet = make(
            found.records, names, title: title(kind, slow),
            empty: kind == .all && search.words.isEmpty
                ? "Nobody has asked for anything since the server started." : "No request that is remembered fits.")
        let page = RequestsPage(search: search, kind: kind)
        sheet.next = found.earlier.map { page.address([("before", "\($0)")]) }
        return try await page.render(call, sheet, isLive: before == nil)
    }

    private static func title(_ kind: RequestsPage.Kind, _ slow: Duration) -> String {
        switch kind {
        case .refused: "Refused"
        case .slow: "Longer than \(slow.wholeMicroseconds / 1000) ms"
        case .all, .slowest: "The last requests"
        }
    }

    /// A table of requests, newest first.
    static func make(
        _ records: [RequestRecord], _ names: KnownPeople, title: String, empty: String
    ) -> Sheet {
        Sheet(
            title: title,
            columns: [
                .init(title: "Request"), .init(title: "Status"), .init(title: "Outcome", place: .untitled),
                .init(title: "Took", isNumber: true, place: .late), .init(title: "Time", place: .away),
                .init(title: "User", place: .untitled), .init(title: "Container", place: .untitled),
            ],
            rows: records.reversed().map { record in
                [
                    .name(record.summary, link: RequestView.address(record.id)),
                    Sheet.Cell("\(record.status)", badge: record.badge), Sheet.Cell(record.outcome),
                    Sheet.Cell(record.duration.milliseconds, isNumber: true), .time(record.time),
                    names.cell(record.user), .name(record.container ?? ""),
                ]
            }, empty: empty, way: RequestView.address(""), isBrief: true)
    }
}

extension ConsoleCall {
    /// All logged requests that match a filter, oldest first.
    func requests(_ filter: RequestFilter) async throws -> [RequestRecord] {
        try await requests(filter, before: nil, most: page.site.wire.http.requests.count).records
    }

    /// The last matching requests before a position, oldest first, and the position to continue from.
    func requests(
        _ filter: RequestFilter, before position: Int64?, most: Int
    ) async throws -> (records: [RequestRecord], earlier: Int64?) {
        try operations.identity.require([.operations])
        var filter = filter
        if let container = operations.identity.container { filter.container = container }
        try await operations.noteLook(
            "looked at requests",
            ["container": filter.container.map(JSONValue.string), "person": filter.user.map(JSONValue.string)])
        return page.site.requests.records(before: position, limit: most, filter)
    }

    /// A request by id.
    ///
    /// - Throws: `NOT_FOUND` for a request that is not in the log, or that the operator may not see.
    func request(_ id: String) async throws -> RequestRecord {
        try operations.identity.require([.operations])
        let container = operations.identity.container
        guard let record = page.site.requests.find(id: id), container == nil || record.container == container else {
            throw PageError(
                .notFound, english: "This request is not remembered", "The server remembers the last ones only.",
                .missing(.request))
        }
        try await operations.noteLook(
            "looked at requests", ["container": record.container.map(JSONValue.string), "id": .string(id)])
        return record
    }
}

extension RequestRecord {
    /// The request's method and path.
    var summary: String { "\(method) \(path)" }

    /// The request's error, or the number of failed operations.
    var outcome: String {
        if let refusal { return refusal.code?.rawValue ?? refusal.reason }
        if failed == 0, isRefused { return "refused" }
        guard failed > 0 else { return succeeded > 1 ? "\(succeeded) done" : "done" }
        let codes = Set(operations.compactMap(\.code?.rawValue)).sorted().joined(separator: ", ")
        return "\(failed) of \(succeeded + failed): \(codes)"
    }

    var badge: String { status >= 500 ? "bad" : isRefused ? "warn" : "good" }
}

extension Duration {
    var milliseconds: String { "\(Double(wholeMicroseconds / 10) / 100) ms" }
}
