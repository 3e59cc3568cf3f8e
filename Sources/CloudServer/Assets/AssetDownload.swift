import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /assets/…` and `GET /previews/…`: the bytes behind a signed link (reference B §8.4).
struct AssetDownload: Sendable {
    let links: AssetLinks
    let accounts: AccountStore
    let stores: ContainerStores

    /// - Parameter name: the path's last segment, in which clients may put a file name.
    func contents(
        _ request: Request, _ place: AssetPlace, key text: Substring, name: Substring
    ) async throws -> Response {
        guard let key = AssetKey(String(text)) else { throw Self.gone }
        let query = Self.query(of: request)
        let seconds = try lifetime(AssetLinkWriter.subject(place, key), query)
        let store = try await store(of: place)
        guard let asset = try await store.asset(key), let reader = try await store.open(key) else { throw Self.gone }
        let decoded = PercentEncoding.decode(name.utf8)
        let isNamed = decoded != "${f}" && !decoded.isEmpty
        let isShown = ContentType.isShownInPlace(asset.contentType) && !query.split(separator: "&").contains("save=1")
        return respond(
            request, reader, etag: "\"\(key.text)\"", type: asset.contentType, seconds: seconds,
            disposition: ContentDisposition.text(
                isAttachment: !isShown,
                name: isNamed ? decoded : "asset" + ContentType.fileExtension(asset.contentType)))
    }

    func preview(
        _ request: Request, _ place: AssetPlace, key text: Substring, size name: Substring
    ) async throws -> Response {
        guard let key = AssetKey(String(text)), let size = PreviewSize(rawValue: String(name)) else { throw Self.gone }
        let seconds = try lifetime(AssetLinkWriter.subject(place, key, size), Self.query(of: request))
        guard let reader = try await store(of: place).preview(of: key, size) else {
            throw ServerError(.notFound, "there is no preview of this asset")
        }
        return respond(
            request, reader, etag: "\"\(key.text)-\(size.rawValue)\"", type: "image/jpeg", seconds: seconds,
            disposition: "inline")
    }

    // MARK: The link

    private static let gone = ServerError(.notFound, "this asset is not stored any more")

    private func lifetime(_ subject: String, _ query: Substring) throws(ServerError) -> Int {
        switch links.check(subject, LinkSignature(query: query)) {
        case .good(let seconds): return seconds
        case .expired: throw ServerError(.accessDenied, "this link has expired; fetch the record again for a new one")
        case .forged: throw ServerError(.accessDenied, "this link was not made by this server")
        }
    }

    private func store(of place: AssetPlace) async throws -> any RecordStore {
        guard let container = try accounts.reader().container(named: place.container) else { throw Self.gone }
        return try await stores.store(container: container, environment: place.environment)
    }

    private static func query(of request: Request) -> Substring {
        let target = request.head.path ?? ""
        return target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    }

    // MARK: The answer

    private func respond(
        _ request: Request, _ reader: AssetReader, etag: String, type: String, seconds: Int, disposition: String
    ) -> Response {
        var headers: HTTPFields = [
            .eTag: etag, .acceptRanges: "bytes", .cacheControl: "private, max-age=\(seconds), immutable",
            .xContentTypeOptions: "nosniff",
        ]
        if Self.matches(request.headers[.ifNoneMatch], etag) { return Response(status: .notModified, headers: headers) }
        // Whatever it is, no browser is to run it in this server's name.
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.crossOriginResourcePolicy] = "cross-origin"
        headers[.contentType] = type
        headers[.contentDisposition] = disposition
        switch Self.range(request, etag, size: reader.size) {
        case .whole: return Response(status: .ok, headers: headers, body: Self.body(reader, 0..<reader.size))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.size)"
            return Response(status: .partialContent, headers: headers, body: Self.body(reader, range))
        case .unsatisfiable:
            return Response(
                status: .rangeNotSatisfiable,
                headers: [.contentRange: "bytes */\(reader.size)", .contentLength: "0", .eTag: etag])
        }
    }

    private static func body(_ reader: AssetReader, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            for try await chunk in reader.bytes(in: range) { try await writer.write(chunk) }
            try await writer.finish(nil)
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

extension HTTPField.Name {
    fileprivate static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
