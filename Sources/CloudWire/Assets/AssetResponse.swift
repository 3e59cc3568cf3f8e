package import CloudHTTP
package import CloudAssets
package import CloudModel
package import CloudStore

/// Answers with an asset: whole, a range, or 304 for a current cache.
package enum AssetResponse {
    /// - Parameters:
    ///   - etag: with quotes.
    ///   - caching: the value of Cache-Control.
    package static func make(
        _ request: Request, _ reader: any AssetReading, through sender: FileSender, etag: String, type: String,
        caching: String, disposition: String
    ) -> Response {
        var headers: HTTPFields = [
            .eTag: etag, .acceptRanges: "bytes", .cacheControl: caching,
            .xContentTypeOptions: "nosniff",
        ]
        if matches(request.headers[.condition.noneMatch], etag) {
            return Response(status: .notModified, headers: headers)
        }
        // Prevents browsers from running any content under this server's origin.
        headers[.policy.contentSecurity] = "default-src 'none'; sandbox"
        headers[.policy.crossOriginResource] = "cross-origin"
        headers[.contentType] = type
        headers[.contentDisposition] = disposition
        // The link is signed for GET only.
        if request.method == .get,
            let link = reader.link(type: type, disposition: disposition, caching: "private, no-store")
        {
            return Response(
                status: .temporaryRedirect,
                headers: [
                    .location: link, .contentLength: "0", .cacheControl: "no-store", .policy.referrer: "no-referrer",
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

    /// Answers with a preview, whose format depends on the client.
    package static func preview(
        _ request: Request, _ preview: Preview, of key: AssetKey, _ size: PreviewSize, through sender: FileSender,
        caching: String
    ) -> Response {
        var response = make(
            request, preview.reader, through: sender,
            etag: "\"\(key.text)-\(size.rawValue)-\(preview.format.rawValue)\"", type: preview.format.contentType,
            caching: caching, disposition: "inline")
        response.headers[.vary] = "Accept"
        return response
    }

    private static func body(_ reader: any AssetReading, _ range: Range<Int64>, _ sender: FileSender) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            if try await !sender.send(range, of: reader) {
                try await writer.write(reader.bytes(in: range))
            }
            try await writer.finish()
        }
    }

    /// The requested range; the whole file if If-Range names another version.
    private static func range(_ request: Request, _ etag: String, size: Int64) -> ByteRange {
        if let seen = request.headers[.condition.range], seen != etag { return .whole }
        return ByteRange(request.method == .get ? request.headers[.range] : nil, size: size)
    }

    private static func matches(_ header: String?, _ etag: String) -> Bool {
        guard let header else { return false }
        let tags = header.split(separator: ",").map { tag in String(tag.filter { $0 != " " }) }
        return tags.contains("*") || tags.contains(etag) || tags.contains("W/" + etag)
    }
}

extension ResponseBodyWriter {
    /// Streams a store's bytes with backpressure.
    package mutating func write(_ bytes: any AssetBytes) async throws {
        for try await piece in bytes { try await write(piece) }
    }
}
