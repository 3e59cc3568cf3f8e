package import CloudAccounts
package import CloudHTTP
package import CloudAssets
package import CloudModel
package import CloudStore
import NIOCore

/// `POST /uploads/{token}`: receives the bytes of an asset (reference B §8.2).
package struct AssetUpload: Sendable {
    package let links: AssetLinks
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let limits: Limits
    /// Counts bytes of refused uploads; nil for no limit.
    package let refused: RefusedUploads?
    package let address: String

    package init(
        links: AssetLinks, accounts: AccountStore, stores: ContainerStores, limits: Limits, refused: RefusedUploads?,
        address: String
    ) {
        self.links = links
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        self.refused = refused
        self.address = address
    }

    /// - Throws: `THROTTLED` after too many refused bytes; the refusal of the upload.
    package func respond(_ request: Request, token: String, _ trace: RequestTrace) async throws -> Response {
        let most = UploadRoute.largestBody(request.headers, assetBytes: limits.assets.bytes)
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        let trial = try refused?.begin(min(max(0, announced), most), of: countedName(of: token))
        do {
            let response = try await take(UploadBody(request, counting: trial), of: request, token: token, trace)
            trial?.forgive()
            return response
        } catch {
            switch Outcome(error) {
            case .refused(let refusal) where refusal.isOfClient: trial?.fail()
            case .hungUp, .notHTTP: trial?.end()
            case .refused, .fault: trial?.forgive()
            }
            throw error
        }
    }

    /// The name for the count: the link's user, otherwise the address.
    private func countedName(of token: String) -> String {
        guard let (upload, place, _) = links.open(token), upload.user != ZoneID.publicOwner else { return address }
        return "\(place.container) \(place.environment.rawValue) \(upload.user)"
    }

    private func take(
        _ body: UploadBody, of request: Request, token: String, _ trace: RequestTrace
    ) async throws -> Response {
        guard let (upload, place, isExpired) = links.open(token) else {
            throw ServerError(
                .accessDenied, "this upload URL was not made by this server; ask assets/upload for one",
                .credentials(.forgedLink))
        }
        if isExpired {
            throw RequestRefusal(
                ServerError(
                    .notFound, "this upload URL has expired; ask assets/upload for another", .credentials(.expiredLink)),
                status: .gone)
        }
        guard let container = try await accounts.reader().container(named: place.container) else {
            throw ServerError(.notFound, "the container does not exist any more", .missing(.container))
        }
        trace.note(.credentials(.link))
        trace.note(container: container.name)
        let store = try await stores.store(container: container, environment: place.environment)
        // Checked before the transfer to save its bytes, and again afterwards.
        if try await store.assets.isUsed(upload) { throw UploadUsed() }
        let largest = UploadRoute.largestBody(request.headers, assetBytes: limits.assets.bytes)
        if let announced = body.announced, announced > largest { throw AssetTooLarge(limit: limits.assets.bytes) }
        let asset = try await store.assets.upload(
            upload, from: ClientAddress.network(of: address), body, limit: limits.assets.bytes)
        var writer = JSONWriter(capacity: 320)
        writer.object {
            $0.key("singleFile")
            asset.writeReceipt(to: &$0)
        }
        guard let page = UploadPage.address(request) else { return .json(writer) }
        var receipt = JSONWriter(capacity: 320)
        asset.writeReceipt(to: &receipt)
        return .seeOther(page + PercentEncoding.encode(String(decoding: receipt.bytes, as: UTF8.self)))
    }
}

extension UploadUsed: Refusing {
    package var refusal: RequestRefusal {
        RequestRefusal(
            ServerError(
                .conflict, "this upload URL has been used; ask assets/upload for another", .credentials(.usedLink)))
    }
}

extension AssetTooLarge: Refusing {
    package var refusal: RequestRefusal {
        RequestRefusal(
            ServerError(
                .quotaExceeded, "an asset has at most \(limit) bytes (limit.assetBytes)",
                .limit(limit, "limit.assetBytes")))
    }
}

extension SinglePart.Fault: Refusing {
    package var refusal: RequestRefusal { RequestRefusal(.badRequest("\(known: reason)")) }
}

extension AssetStoreFull: Refusing {
    package var refusal: RequestRefusal {
        var refusal = RequestRefusal(
            ServerError(.tryAgainLater, "the disk is full", .server(.disk), retryAfter: 60),
            status: .init(code: 507, reasonPhrase: "Insufficient Storage"))
        refusal.remark = "the disk is full"
        return refusal
    }
}
