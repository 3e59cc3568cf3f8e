import CloudModel
import Foundation
import Logging
import NIOHTTP1
import Synchronization

/// Whether requests carry separate checksum headers. Some S3-compatible stores refuse these; the signed hash gives the same
/// protection.
final class S3Checksums: Sendable {
    static let header = "x-amz-checksum-sha256"
    static let algorithm = "x-amz-checksum-algorithm"

    private let isOn: Atomic<Bool>

    init(areSent: Bool) { isOn = Atomic(areSent) }

    var areSent: Bool { isOn.load(ordering: .relaxed) }

    /// - Returns: false if checksums were already off.
    func leaveOut() -> Bool { isOn.exchange(false, ordering: .relaxed) }
}

extension S3Answer {
    /// True if the store may have refused the checksum header.
    var mayRefuseChecksum: Bool {
        [400, 501].contains(status) && ["InvalidArgument", "InvalidRequest", "NotImplemented"].contains(code)
    }

    /// True if the store has accepted an object or a part. Status 200 alone may come from a proxy, such as a network's sign-in
    /// page.
    var isStored: Bool { status == 200 && headers.contains(name: "etag") }
}

extension S3Client {
    /// Uploads bytes; the store verifies their hash.
    func put(
        _ key: String, _ body: S3Request.Body, sha256: [UInt8], query: [(name: String, value: String)] = []
    ) async throws -> S3Answer {
        try await withChecksum((S3Checksums.header, Data(sha256).base64EncodedString())) { headers, accepts in
            S3Request(
                method: "PUT", key: key, query: query, headers: headers, body: body,
                payload: AWSSignature.hex(sha256)
            ) { accepts($0) || $0.isStored }
        }
    }

    /// Sends a request with a checksum header, and without the header after a refusal.
    func withChecksum(
        _ header: (name: String, value: String),
        _ request: (
            _ headers: [(name: String, value: String)], _ accepts: @escaping @Sendable (S3Answer) -> Bool
        ) -> S3Request
    ) async throws -> S3Answer {
        guard checksums.areSent else { return try await send(request([]) { _ in false }) }
        let first = try await send(request([header]) { $0.mayRefuseChecksum })
        guard first.mayRefuseChecksum else { return first }
        let answer = try await send(request([]) { _ in false })
        if checksums.leaveOut() {
            logger.warning(
                "the asset store refuses \(header.name), which is left out from now on; see assets.checksums",
                metadata: ["place": "\(bucket.place)", "fault": "\(first.fault)"])
        }
        return answer
    }
}
