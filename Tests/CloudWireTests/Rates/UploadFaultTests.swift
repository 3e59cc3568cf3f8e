import CloudHTTP
import CloudServer
import TestCloud
import CloudAssets
import CloudModel
import Foundation
import NIOCore
import Synchronization
import TestAssets
import Testing

/// Uploads that fail by a fault of the server's.
@Suite(.timeLimit(.minutes(10)))
struct UploadFaultTests {
    private final class State: Sendable { let isBroken = Mutex(true) }

    @Test("Uploads that a broken store refuses do not count against their user")
    func brokenStore() async throws {
        let state = State()
        let faulty = try await FaultyStore(keeping: { _ in
            state.isBroken.withLock { $0 } ? .some(.some(FaultyStore.Answer(500))) : nil
        })
        let spool = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: spool) }
        let keeping = AssetKeeping { _ in
            var options = S3Options()
            options.patience = 0.5
            let bucket = try #require(
                S3Bucket(
                    url: "s3://assets/tests", endpoint: faulty.endpoint, region: "r", isInPath: true,
                    credentials: S3Credentials(accessKey: "a", secretKey: "b")))
            return S3Assets(bucket: bucket, spool: spool.path(), options: options, logger: .quiet)
        }
        try await AssetKeeping.$current.withValue(keeping) {
            try await TestServer.run(configure: { $0.rates.refusedUploadBytes = 100_000 }) { server in
                let mei = try await server.signIn("mei@example.com")
                try await mei.save("n1")
                for _ in 0..<2 {
                    let path = server.path(of: try await mei.uploadLinks()[0])
                    let answer = try await server.send(.post, path, body: .init(repeating: 7, count: 90_000))
                    #expect(answer.status == 503, "\(answer.text)")
                }
                state.isBroken.withLock { $0 = false }
                #expect(try await !mei.upload([UInt8](repeating: 7, count: 90_000)).isEmpty)
            }
        }
    }
}
