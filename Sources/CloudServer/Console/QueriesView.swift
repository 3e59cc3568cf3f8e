import CloudModel

/// `/console/queries`: the slowest of the last queries, by their shape.
enum QueriesView {
    /// Requests that are looked at, and shapes on the page.
    private static let most = (requests: 10_000, shapes: 100)

    static let show: ConsoleEndpoint = { call in
        let search = RequestSearch(call.query["matching"] ?? "")
        let records = try await call.requests(search.filter, most: most.requests)
        return try await RequestsPage(search: search, kind: .slowest).render(
            call, sheet(Array(QueryShape.group(records).prefix(most.shapes))))
    }

    private static func sheet(_ shapes: [QueryShape]) -> Sheet {
        Sheet(
            title: "Slowest queries", note: "rows are those of one query, on average",
            columns: [
                .init(title: "Type"), .init(title: "Led by"), .init(title: "Times", isNumber: true),
                .init(title: "Median", isNumber: true), .init(title: "Slowest", isNumber: true),
                .init(title: "Rows read", isNumber: true), .init(title: "Answered", isNumber: true),
                .init(title: "Route"), .init(title: "Container"), .init(title: "Environment"),
            ],
            rows: shapes.map { shape in
                [
                    .name(shape.key.type, link: RequestView.address(shape.slowest.id)),
                    Sheet.Cell(shape.key.index ?? "no index", badge: shape.key.index == nil ? "warn" : "good"),
                    .number(shape.count), Sheet.Cell(shape.median.milliseconds, isNumber: true),
                    Sheet.Cell(shape.slowest.duration.milliseconds, isNumber: true), .number(shape.meanRowsRead),
                    .number(shape.meanRowsAnswered), .name(shape.key.path), .name(shape.key.container ?? ""),
                    Sheet.Cell(shape.key.environment?.rawValue ?? ""),
                ]
            }, empty: "No query that is remembered fits.")
    }
}
