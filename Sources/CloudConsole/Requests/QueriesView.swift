import CloudHTTP
import CloudModel

/// `/console/queries`: recent queries grouped by shape, slowest first.
enum QueriesView {
    /// The most shapes on a page.
    private static let most = 100

    static let show: ConsoleEndpoint = { call in
        let search = RequestSearch(call.query["matching"] ?? "")
        let shapes = QueryShape.group(try await call.requests(search.filter))
        let first = min(call.query["from"].flatMap { Int($0) }.map { max(0, $0) } ?? 0, shapes.count)
        let page = RequestsPage(search: search, kind: .slowest)
        var sheet = sheet(Array(shapes[first...].prefix(most)))
        if shapes.count - first > most { sheet.next = page.address([("from", "\(first + most)")]) }
        return try await page.render(call, sheet, isLive: false)
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
