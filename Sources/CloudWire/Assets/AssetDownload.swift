package import CloudAccounts
package import CloudHTTP
import CloudAssets
import CloudModel
package import CloudStore
import NIOCore

/// `GET /assets/…` and `GET /previews/…`: assets and previews by signed links (reference B §8.4).
package struct AssetDownload: Sendable {
    package let links: AssetLinks
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let sender: FileSender

    /// - Parameter name: the path's last segment, a file name from the client.
    package func contents(
        _ request: Request, _ place: AssetPlace, key text: Substring, name: Substring
    ) async throws -> Response {
        guard let key = AssetKey(String(text)) else { throw Self.gone }
        let query = request.query
        let seconds = try lifetime(AssetLinkWriter.subject(place, key), query)
        let store = try await store(of: place)
        guard let asset = try await store.assets.find(key), let reader = try await store.assets.open(key) else {
            throw Self.gone
        }
        let decoded = PercentEncoding.decode(name.utf8)
        let isNamed = decoded != "${f}" && !decoded.isEmpty
        let isShown = ContentType.isShownInPlace(asset.contentType) && !FormFields(query.utf8).all("save").contains("1")
        return AssetResponse.make(
            request, reader, through: sender, etag: "\"\(key.text)\"", type: asset.contentType,
            caching: Self.caching(seconds),
            disposition: ContentDisposition.text(
                isAttachment: !isShown,
                name: isNamed ? decoded : "asset" + ContentType.fileExtension(asset.contentType)))
    }

    /// - Parameter network: the client's network.
    package func preview(
        _ request: Request, _ place: AssetPlace, key text: Substring, size name: Substring, from network: String?
    ) async throws -> Response {
        guard let key = AssetKey(String(text)), let size = PreviewSize(rawValue: String(name)) else { throw Self.gone }
        let seconds = try lifetime(AssetLinkWriter.subject(place, key, size), request.query)
        let format = PreviewFormat(accept: request.headers[.accept])
        guard
            let preview = try await store(of: place).assets.preview(of: key, size, as: format, for: network)
        else {
            throw ServerError(.notFound, "there is no preview of this asset", .missing(.asset))
        }
        return AssetResponse.preview(
            request, preview, of: key, size, through: sender, caching: Self.caching(seconds))
    }

    // MARK: The link

    private static func caching(_ seconds: Int) -> String { "private, max-age=\(seconds), immutable" }

    private static let gone = ServerError(.notFound, "this asset is not stored any more", .missing(.asset))

    private func lifetime(_ subject: String, _ query: Substring) throws(ServerError) -> Int {
        switch links.check(subject, LinkSignature(query: query)) {
        case .good(let seconds): return seconds
        case .expired:
            throw ServerError(
                .accessDenied, "this link has expired; fetch the record again for a new one", .credentials(.expiredLink)
            )
        case .forged:
            throw ServerError(.accessDenied, "this link was not made by this server", .credentials(.forgedLink))
        }
    }

    private func store(of place: AssetPlace) async throws -> EnvironmentStore {
        guard let container = try await accounts.reader().container(named: place.container) else { throw Self.gone }
        return try await stores.store(container: container, environment: place.environment)
    }
}
