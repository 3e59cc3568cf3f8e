import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations
import CloudStore
import NIOCore

/// `/console/export`: streams the records of a query as a file.
enum ExportView {
    /// The records per read.
    private static let page: Int64 = 200

    static let download: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        let type = try call.query.text("type")
        guard let form = RecordLines.Form(rawValue: call.query["form"] ?? "csv") else {
            throw ServerError.badRequest("form must be csv or jsonl")
        }
        let definition = try await call.schema(of: spot.place).types[type]
        // Runs before the file begins, so that a refused query gets an error page.
        let first = try await spot.page(call, type: type, definition, after: nil, limit: page)
        let lines = RecordLines(form, definition)
        return Response(
            status: .ok,
            headers: [
                .contentType: form.contentType, .cacheControl: "private, no-store", .xContentTypeOptions: "nosniff",
                .contentDisposition: ContentDisposition.text(isAttachment: true, name: "\(type).\(form.rawValue)"),
            ],
            body: ResponseBody { writer in
                let reader = ReadClient(name: "console export")
                var records = first
                try await writer.write(ByteBuffer(string: lines.head))
                while true {
                    let text = records.records.map(lines.line).joined()
                    try await writer.write(ByteBuffer(string: text))
                    guard let next = records.next else { break }
                    records = try await ReadClient.$current.withValue(reader) {
                        try await spot.page(call, type: type, definition, after: next, limit: page)
                    }
                }
                try await writer.finish()
            })
    }
}
