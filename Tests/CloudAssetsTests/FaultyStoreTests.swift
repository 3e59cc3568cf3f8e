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

    private func store(
        _ faulty: FaultyStore, _ change: (inout S3Options) -> Void = { _ in }
    ) throws -> any AssetStore {
        try backend(faulty, change).store(folder: "f", slots: FileSlots())
    }

    private func backend(_ faulty: FaultyStore, _ change: (inout S3Options) -> Void = { _ in }) throws -> S3Assets {
        var options = S3Options()
        options.patience = 0.5
        change(&options)
        let bucket = try #require(
            S3Bucket(
                url: "s3://assets/tests", endpoint: faulty.endpoint, region: "r", isInPath: true,
                credentials: S3Credentials(accessKey: "a", secretKey: "b")))
        return S3Assets(bucket: bucket, spool: spool.path, options: options, logger: .quiet)
    }

    @Test(
        "A failing store makes clients retry, after a bounded number of attempts",
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

    @Test("A store that never answers or cannot be reached fails with a request to retry")
    func silence() async throws {
        let faulty = try await FaultyStore { _, _ in nil }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.open(Self.file) }, throws: asksToComeBack)
        try await faulty.close()
        await #expect(performing: { _ = try await store.take([1]) }, throws: asksToComeBack)
        #expect(spool.files == [])
    }

    @Test("A slow store is waited for within the time of all attempts")
    func slowness() async throws {
        let delays = Mutex<[Int64]>([2000, 100])
        let faulty = try await FaultyStore { _, _ in
            let delay = delays.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
            return FaultyStore.Answer(
                200, headers: [("content-length", "7"), ("etag", "e")], after: .milliseconds(delay))
        }
        // The first attempt is given up after half a second.
        #expect(try await store(faulty).open(Self.file)?.size == 7)
        #expect(faulty.methods == ["HEAD", "HEAD"])
        try await faulty.close()
    }

    @Test("A transient failure of the store is hidden from the caller")
    func passingFault() async throws {
        let failures = Mutex(2)
        let faulty = try await FaultyStore { _, _ in
            let isFailure = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            return isFailure
                ? FaultyStore.Answer(500) : FaultyStore.Answer(200, headers: [("content-length", "7"), ("etag", "e")])
        }
        #expect(try await store(faulty).open(Self.file)?.size == 7)
        #expect(faulty.methods.count == 3)
        try await faulty.close()
    }

    @Test(
        "Contents other than the requested range are not delivered",
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
            request.method == .HEAD
                ? FaultyStore.Answer(200, headers: [("content-length", "10"), ("etag", "e")]) : answer
        }
        let store = try store(faulty)
        await #expect(performing: { _ = try await store.bytes(Self.file) }, throws: asksToComeBack)
        try await faulty.close()
    }

    @Test("A proxy's page with status 200 counts as neither a stored, a missing nor a listed object")
    func portal() async throws {
        let page = FaultyStore.Answer(200, headers: [("content-type", "text/html")], body: "<html>sign in</html>")
        let faulty = try await FaultyStore { _, _ in page }
        let (store, backend) = (try store(faulty), try backend(faulty))
        await #expect(performing: { _ = try await store.take([1, 2, 3]) }, throws: asksToComeBack)
        await #expect(performing: { _ = try await store.open(Self.file) }, throws: asksToComeBack)
        await #expect(performing: { try await store.delete(Self.file) }, throws: asksToComeBack)
        await #expect(performing: { _ = try await backend.folders(beginningWith: "") }, throws: asksToComeBack)
        await #expect(
            performing: { try await backend.copy([Self.file], from: "f", to: "g") }, throws: asksToComeBack)
        await #expect(performing: { try await store.sweep { Set($0) } }, throws: asksToComeBack)
        await #expect(throws: AssetFault.self) { try await backend.tryOut() }
        await #expect(throws: AssetFault.self) { try await backend.look() }
        try await faulty.close()
    }

    @Test(
        "A store that refuses the header of a checksum gets objects without it",
        arguments: ["InvalidArgument", "NotImplemented"])
    func checksums(code: String) async throws {
        let asked = Mutex<[Bool]>([])
        let faulty = try await FaultyStore(keeping: { request in
            let isSent = request.headers.contains { $0.name.lowercased().hasPrefix("x-amz-checksum") }
            if request.method == .PUT { asked.withLock { $0.append(isSent) } }
            guard isSent else { return nil }
            return FaultyStore.Answer(400, body: "<Error><Code>\(code)</Code></Error>")
        })
        let store = try store(faulty)
        _ = try await store.take([1, 2, 3])
        _ = try await store.take([4, 5, 6])
        #expect(asked.withLock { $0 } == [true, false, false])
        try await faulty.close()
    }

    @Test("A setting omits the checksum header")
    func noChecksums() async throws {
        let faulty = try await FaultyStore(keeping: { _ in nil })
        let store = try store(faulty) { $0.checksums = false }
        _ = try await store.take([1, 2, 3])
        #expect(faulty.heads.allSatisfy { head in !head.headers.contains { $0.name.hasPrefix("x-amz-checksum") } })
        try await faulty.close()
    }

    @Test("A trial writes, reads and deletes, and leaves nothing")
    func trial() async throws {
        let faulty = try await FaultyStore(keeping: { _ in nil })
        try await backend(faulty).tryOut()
        #expect(faulty.methods == ["PUT", "GET", "DELETE"])
        try await backend(faulty).look()
        try await faulty.close()
    }

    @Test(
        "A trial names the place, the step that fails and the store's own word",
        arguments: [
            ("PUT", "takes no object"), ("GET", "does not give an object back"), ("DELETE", "deletes no object"),
        ])
    func failingTrial(method: String, words: String) async throws {
        let faulty = try await FaultyStore(keeping: { request in
            guard request.method.rawValue == method else { return nil }
            return FaultyStore.Answer(400, body: "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")
        })
        let backend = try backend(faulty)
        let error = await #expect(throws: AssetFault.self) { try await backend.tryOut() }
        #expect(error?.description == "\(backend.place) \(words): 400 AuthorizationHeaderMalformed")
        #expect(backend.failures == 0)
        try await faulty.close()
    }

    @Test("Trials leave one object at most where a store deletes none")
    func undeleted() async throws {
        let faulty = try await FaultyStore(keeping: { request in
            guard request.method == .DELETE else { return nil }
            return FaultyStore.Answer(403, body: "<Error><Code>AccessDenied</Code></Error>")
        })
        for _ in 0..<3 {
            await #expect(throws: AssetFault.self) { try await backend(faulty).tryOut() }
        }
        #expect(Set(faulty.heads.filter { $0.method == .PUT }.map(\.uri)).count == 1)
        try await faulty.close()
    }

    @Test("A store's checksum mismatch repeats the upload, and finally fails it")
    func alteredBytes() async throws {
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
