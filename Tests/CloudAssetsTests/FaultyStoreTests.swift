import CloudAssets
import CloudModel
import NIOCore
import NIOHTTP1
import Synchronization
import TestAssets
import Testing

/// An asset store over an S3 that fails.
@Suite(.timeLimit(.minutes(5)))
struct FaultyStoreTests {
    private let spool = Spool()
    private static let file = AssetFile(name: "0123")

    private func store(_ faulty: FaultyStore) throws -> any AssetStore {
        var options = S3Options()
        options.patience = 0.5
        let bucket = try #require(
            S3Bucket(
                url: "s3://assets/tests", endpoint: faulty.endpoint, region: "r", isInPath: true,
                credentials: S3Credentials(accessKey: "a", secretKey: "b")))
        return S3Assets(bucket: bucket, spool: spool.path, options: options, logger: .quiet)
            .store(folder: "f", slots: FileSlots())
    }

    @Test(
        "Clients are asked to come back, after so many attempts",
        arguments: [(500, 3), (503, 3), (429, 3), (403, 1), (301, 1)])
    func statuses(status: Int, attempts: Int) async throws {
        let faulty = try await FaultyStore { _, _ in FaultyStore.Answer(status) }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.open(Self.file) }, throws: asksToComeBack)
        #expect(faulty.methods == Array(repeating: "HEAD", count: attempts))
        await #expect(performing: { _ = try await store.take([1]) }, throws: asksToComeBack)
        #expect(spool.files == [])
        try await faulty.close()
    }

    @Test("One that never answers, and one that is not there, keep nobody for ever")
    func silence() async throws {
        let faulty = try await FaultyStore { _, _ in nil }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.open(Self.file) }, throws: asksToComeBack)
        try await faulty.close()
        await #expect(performing: { _ = try await store.take([1]) }, throws: asksToComeBack)
        #expect(spool.files == [])
    }

    @Test("One that is slow is waited for, and as long as it may be asked again")
    func slowness() async throws {
        let delays = Mutex<[Int64]>([2000, 100])
        let faulty = try await FaultyStore { _, _ in
            let delay = delays.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
            return FaultyStore.Answer(200, headers: [("content-length", "7")], after: .milliseconds(delay))
        }
        // The first attempt is given up after half a second.
        #expect(try await store(faulty).open(Self.file)?.size == 7)
        #expect(faulty.methods == ["HEAD", "HEAD"])
        try await faulty.close()
    }

    @Test("What passes is not noticed")
    func aFaultThatPasses() async throws {
        let failures = Mutex(2)
        let faulty = try await FaultyStore { _, _ in
            let isFailure = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            return isFailure ? FaultyStore.Answer(500) : FaultyStore.Answer(200, headers: [("content-length", "7")])
        }
        #expect(try await store(faulty).open(Self.file)?.size == 7)
        #expect(faulty.methods.count == 3)
        try await faulty.close()
    }

    @Test(
        "Contents that are not those asked for are not handed out",
        arguments: [
            FaultyStore.Answer(200, body: "0123456789"),
            FaultyStore.Answer(206, headers: [("content-range", "bytes 0-8/10")], body: "012345678"),
            FaultyStore.Answer(206, headers: [("content-range", "bytes 0-9/10")], body: "0123"),
            FaultyStore.Answer(206, headers: [("content-range", "bytes 0-9/10")], body: "0123456789abcdef"),
            FaultyStore.Answer(206, headers: [("content-range", "bytes 0-9/10"), ("content-length", "20")], body: "0"),
            FaultyStore.Answer(404), FaultyStore.Answer(500),
        ])
    func wrongContents(answer: FaultyStore.Answer) async throws {
        let faulty = try await FaultyStore { request, _ in
            request.method == .HEAD ? FaultyStore.Answer(200, headers: [("content-length", "10")]) : answer
        }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.bytes(Self.file) }, throws: asksToComeBack)
        try await faulty.close()
    }

    @Test("Bytes that came otherwise than they were sent are sent again, and refused in the end")
    func wrongBytesOnTheWay() async throws {
        let faulty = try await FaultyStore { request, _ in
            request.method == .PUT
                ? FaultyStore.Answer(400, body: "<Error><Code>BadDigest</Code></Error>") : FaultyStore.Answer(204)
        }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.take([1, 2, 3]) }, throws: asksToComeBack)
        #expect(faulty.methods == ["PUT", "PUT", "PUT"])
        try await faulty.close()
    }
}
