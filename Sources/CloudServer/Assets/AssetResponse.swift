import CloudAssets
import CloudStore

/// The contents of an asset as an answer: whole or in part, or not at all when the client has them.
enum AssetResponse {
    /// - Parameters:
    ///   - etag: with its quotes.
    ///   - caching: what caches may do with it.
    static func make(
        _ request: Request, _ reader: any AssetReading, through sender: FileSender, etag: String, type: String,
        caching: String, disposition: String
    ) -> Response {
        var headers: HTTPFields = [
            .eTag: etag, .acceptRanges: "bytes", .cacheControl: caching,
            .xContentTypeOptions: "nosniff",
        ]
        if matches(request.headers[.ifNoneMatch], etag) { return Response(status: .notModified, headers: headers) }
        // Whatever it is, no browser is to run it in this server's name.
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.crossOriginResourcePolicy] = "cross-origin"
        headers[.contentType] = type
        headers[.contentDisposition] = disposition
        // Its signature is for a GET.
        if request.method == .get,
            let link = reader.link(type: type, disposition: disposition, caching: "private, no-store")
        {
            return Response(
                status: .temporaryRedirect,
                headers: [
                    .location: link, .contentLength: "0", .cacheControl: "no-store", .referrerPolicy: "no-referrer",
                ])
        }
        switch range(request, etag, size: reader.size) {
        case .whole: return Response(status: .ok, headers: headers, body: body(reader, 0..<reader.size, sender))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.size)"
            return Response(status: .partialContent, headers: headers, body: body(reader, range, sender))
        case .unsatisfiable:
            return Response(
                status: .rangeNotSatisfiable,
                headers: [.contentRange: "bytes */\(reader.size)", .contentLength: "0", .eTag: etag])
        }
    }

    private static func body(_ reader: any AssetReading, _ range: Range<Int64>, _ sender: FileSender) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            if try await !sender.send(range, of: reader) {
                try await writer.write(reader.bytes(in: range))
            }
            try await writer.finish()
        }
    }

    /// A range of what the client has seen a part of; all of it when that has become something else.
    private static func range(_ request: Request, _ etag: String, size: Int64) -> ByteRange {
        if let seen = request.headers[.ifRange], seen != etag { return .whole }
        return ByteRange(request.method == .get ? request.headers[.range] : nil, size: size)
    }

    private static func matches(_ header: String?, _ etag: String) -> Bool {
        guard let header else { return false }
        let tags = header.split(separator: ",").map { tag in String(tag.filter { $0 != " " }) }
        return tags.contains("*") || tags.contains(etag) || tags.contains("W/" + etag)
    }
}

extension ResponseBodyWriter {
    /// Writes bytes as they come from a store, no faster than the connection takes them.
    mutating func write(_ bytes: any AssetBytes) async throws {
        for try await piece in bytes { try await write(piece) }
    }
}
