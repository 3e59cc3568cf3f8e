import CloudModel
import CloudCrypto
import NIOCore
import NIOHTTP1

/// Tests whether a bucket is usable. Requests are sent without retries and fail with the store's error.
struct S3Trial: Sendable {
    /// Time limit of a request in seconds.
    private static let patience = 2.0

    /// A fixed object name per process: a bucket that forbids deletion keeps a single leftover.
    private static let name = ".cumulus-trial-\(RandomUUID.make())"

    private let client: S3Client
    private let key: String

    init(_ client: S3Client) {
        key = client.bucket.prefix + Self.name
        var client = client
        client.refusal = { "\($0)" }
        client.pauses = [0]
        client.patience = min(client.patience, Self.patience)
        client.isLogged = false
        self.client = client
    }

    /// Writes, reads and deletes an object.
    func run() async throws {
        let bytes = Array(RandomUUID.make().utf8)
        try await step("takes no object") {
            _ = try await client.put(
                key, .bytes(ByteBuffer(bytes: bytes)), sha256: Array(SHA256.hash(data: bytes)))
        }
        do {
            try await step("does not give an object back") {
                _ = try await client.send(
                    S3Request(method: "GET", key: key) {
                        $0.status == 200 && Array($0.body.readableBytesView) == bytes
                    })
            }
        } catch {
            try? await client.delete(key)
            throw error
        }
        try await step("deletes no object") { try await client.delete(key) }
    }

    /// Requests a missing object. Without the right to list, an access key gets AccessDenied instead of NoSuchKey.
    func look() async throws {
        try await step("does not answer as a store does") {
            _ = try await client.send(
                S3Request(method: "GET", key: key) { answer in
                    [(404, "NoSuchKey"), (403, "AccessDenied")].contains { $0 == (answer.status, answer.code) }
                })
        }
    }

    private func step(_ fault: String, _ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as ServerError {
            throw AssetFault("\(client.bucket.place) \(fault): \(error.reason)")
        }
    }
}
