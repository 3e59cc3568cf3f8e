import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(1)))
struct AssetFileTests {
    /// Notes which way requests go.
    private final class Watched: HTTPTransport {
        let whole: any HTTPTransport
        let calls = Mutex<[String]>([])

        let refusesDownloads: Bool

        init(_ whole: any HTTPTransport, refusesDownloads: Bool = false) {
            self.whole = whole
            self.refusesDownloads = refusesDownloads
        }

        func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
            if request.method == "POST", (request.body?.count ?? 0) > 1_000_000 {
                calls.withLock { $0.append("whole") }
            }
            return try await whole.send(request)
        }

        func stream(_ request: HTTPRequest) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>)
        {
            try await whole.stream(request)
        }

        func upload(
            _ request: HTTPRequest, from file: URL, progress: @escaping @Sendable (Int64) -> Void
        ) async throws -> HTTPAnswer {
            calls.withLock { $0.append("upload") }
            return try await whole.upload(request, from: file, progress: progress)
        }

        func download(
            _ request: HTTPRequest, to file: URL, progress: @escaping @Sendable (Int64) -> Void
        ) async throws -> HTTPAnswer {
            calls.withLock { $0.append("download") }
            if refusesDownloads { return HTTPAnswer(status: 404, headers: [:], body: Data()) }
            return try await whole.download(request, to: file, progress: progress)
        }
    }

    private func progress(of asset: CKAsset) -> @Sendable () -> [CKAsset.Progress] {
        let told = Mutex<[CKAsset.Progress]>([])
        let box = Box(told)
        asset.onProgress { progress in box.value.withLock { $0.append(progress) } }
        return { box.value.withLock { $0 } }
    }

    private final class Box: Sendable {
        let value: Mutex<[CKAsset.Progress]>
        init(_ value: consuming sending Mutex<[CKAsset.Progress]>) { self.value = value }
    }

    @Test("A file goes from the disk to the server and back to the disk, with progress")
    func roundTrip() async throws {
        let transport = Watched(CumulusTest.container.configuration.transport)
        let database = try await CumulusTest.device("phone", transport: transport).privateCloudDatabase
        let file = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)")
        let bytes = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try bytes.write(to: file)
        let photo = CKRecord(recordType: "Photo")
        let asset = CKAsset(fileURL: file)
        let sent = progress(of: asset)
        photo["image"] = asset
        try await database.save(photo)
        #expect(sent().last?.completed == 6_000_000 && sent().last?.total == 6_000_000)
        #expect(sent().map(\.completed) == sent().map(\.completed).sorted())
        let found: CKAsset = try #require(try await database.record(for: photo.recordID)["image"])
        let received = progress(of: found)
        let copy = try await found.download()
        #expect(try Data(contentsOf: copy) == bytes)
        #expect(received().count > 1)
        #expect(received().last?.completed == 6_000_000 && received().last?.total == 6_000_000)
        #expect(transport.calls.withLock { $0 } == ["upload", "download"])
    }

    @Test("A download that is refused leaves no file, and says that the link has ended")
    func refusedDownload() async throws {
        let transport = Watched(CumulusTest.container.configuration.transport, refusesDownloads: true)
        let database = try await CumulusTest.device("phone", transport: transport).privateCloudDatabase
        let photo = CKRecord(recordType: "Photo")
        photo["image"] = CKAsset(data: Data("bytes".utf8))
        try await database.save(photo)
        let found: CKAsset = try #require(try await database.record(for: photo.recordID)["image"])
        do {
            _ = try await found.download()
            Issue.record("The link has not ended.")
        } catch let error as CKError {
            #expect(error.code == .assetNotAvailable)
        }
        #expect(found.fileURL == nil)
    }

    @Test("An upload of a file that is gone says which")
    func missingFile() async throws {
        let photo = CKRecord(recordType: "Photo")
        photo["image"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/photo"))
        do {
            try await CumulusTest.container.privateCloudDatabase.save(photo)
            Issue.record("It was saved.")
        } catch let error as CKError {
            #expect(error.code == .assetFileNotFound)
            #expect(error.reason.contains("/nowhere/photo"))
        }
    }
}
