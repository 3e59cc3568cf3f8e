import CloudAssets
import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// `POST /uploads/{token}`: takes in the bytes of an asset (reference B §8.2).
///
/// CloudKit JS reads whatever JSON comes back as a success, so every refusal is a status and nothing else.
struct AssetUpload: Sendable {
    let links: AssetLinks
    let accounts: AccountStore
    let stores: ContainerStores
    let limits: Limits
    let logger: Logger

    /// The bytes that may surround a file in a form.
    private static let formBytes = 64 << 10

    /// Returns true if the request uploads the bytes of an asset, to which other limits apply.
    static func isUpload(_ request: HTTPRequest) -> Bool { request.path?.hasPrefix("/uploads/") ?? false }

    /// Bytes the body of an upload may have.
    static func largestBody(_ headers: HTTPFields, assetBytes: Int) -> Int {
        SinglePart(contentType: headers[.contentType]) == nil ? assetBytes : assetBytes + formBytes
    }

    func answer(_ request: Request, token: String, _ trace: RequestTrace) async throws -> Response {
        do {
            return .json(try await receive(request, token, trace))
        } catch let refusal as Refusal {
            trace.refuse(Self.refused, refusal.cause)
            return Self.response(refusal.status)
        } catch let error as ServerError {
            trace.refuse(error)
            return Self.response(error.code.status, retryAfter: error.retryAfter)
        } catch is UploadUsed {
            trace.refuse(Self.refused, .credentials(.usedLink))
            return Self.response(.conflict)
        } catch is AssetTooLarge {
            trace.refuse(Self.refused, .limit(limits.assetBytes, "limit.assetBytes"))
            return Self.response(.contentTooLarge)
        } catch is SinglePart.Fault {
            trace.refuse(Self.refused, .input)
            return Self.response(.badRequest)
        } catch is AssetStoreFull {
            logger.error("an upload was refused: the disk is full", metadata: ["request": "\(trace.id)"])
            trace.refuse(Self.refused, .server(.disk))
            return Self.response(.init(code: 507, reasonPhrase: "Insufficient Storage"), retryAfter: 60)
        } catch  where !(error is CancellationError || error is HTTPParserError) {
            logger.error(
                "an upload failed", metadata: ["error": "\(String(reflecting: error))", "request": "\(trace.id)"])
            trace.refuse(Self.refused, .server(.fault))
            return Self.response(.serviceUnavailable, retryAfter: 5)
        }
    }

    private struct Refusal: Error {
        let status: HTTPResponse.Status
        let cause: Cause
    }

    private static let refused = "the upload was refused"

    private func receive(_ request: Request, _ token: String, _ trace: RequestTrace) async throws -> JSONWriter {
        guard let (upload, place, isExpired) = links.open(token) else {
            throw Refusal(status: .forbidden, cause: .credentials(.forgedLink))
        }
        if isExpired { throw Refusal(status: .gone, cause: .credentials(.expiredLink)) }
        guard let container = try accounts.reader().container(named: place.container) else {
            throw Refusal(status: .notFound, cause: .missing(.container))
        }
        trace.note(.credentials(.link))
        trace.note(container: container.name)
        let store = try await stores.store(container: container, environment: place.environment)
        // Asked before the bytes have come, and again when they have.
        if try await store.isUsed(upload) { throw UploadUsed() }
        let body = UploadBody(request)
        let largest = Self.largestBody(request.headers, assetBytes: limits.assetBytes)
        if let announced = body.announced, announced > largest { throw AssetTooLarge() }
        let asset = try await store.upload(upload, body, limit: limits.assetBytes)
        var writer = JSONWriter(capacity: 320)
        writer.object {
            $0.key("singleFile")
            asset.writeReceipt(to: &$0)
        }
        return writer
    }

    /// An answer without a body.
    static func response(_ status: HTTPResponse.Status, retryAfter: Int? = nil) -> Response {
        var response = Response(status: status, headers: [.contentLength: "0"])
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }
}
