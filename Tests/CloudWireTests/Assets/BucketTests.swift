@testable import CloudWire
import CloudAccounts
import CloudEngine
import CloudHTTP
import TestCloud
import CloudAssets
import CloudModel
import CloudStore
import Foundation
import NIOCore
import TestAssets
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose assets are in a real bucket.
@Suite(.timeLimit(.minutes(10)))
struct BucketTests {
    private static func run(
        redirects: Bool = false, _ body: @escaping @Sendable (TestServer, App) async throws -> Void
    ) async throws {
        try await AssetKeeping.$current.withValue(bucket(redirects: redirects)) {
            try await TestServer.run { try await body($0, $0.signIn("mei@example.com")) }
        }
    }

    private static func bucket(redirects: Bool = false) -> AssetKeeping {
        AssetKeeping { data in
            var options = S3Options()
            (options.linkSeconds, options.leastAge) = (redirects ? 60 : nil, 0)
            return try await SeaweedFS.assets(spool: data + "/containers", options: options)
        }
    }

    @Test("An asset in a bucket is uploaded, downloaded whole and in part, and deleted with its record")
    func transfer() async throws {
        try await Self.run { server, mei in
            let contents = (0..<3_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 24) }
            let path = try await mei.saveFile(contents)
            #expect(try await server.download(path).bytes == contents)
            #expect(try await server.download(path, .head).headers[.contentLength] == "3000000")
            let part = try await server.download(path, headers: [.range: "bytes=1000000-2200000"])
            #expect(part.status == 206 && part.bytes == Array(contents[1_000_000...2_200_000]))
            #expect(try await server.download(path, headers: [.range: "bytes=3000000-"]).status == 416)
            #expect(
                try FileManager.default.subpathsOfDirectory(atPath: server.folder.path).allSatisfy {
                    $0.split(separator: "/").last?.count != 32
                })
        }
    }

    @Test("An asset shared by two records survives the deletion of the first")
    func rereference() async throws {
        try await Self.run { server, mei in
            try await mei.makeZone("Z")
            _ = try await mei.saveFile(Array("hello".utf8))
            let answer = try await mei.post(
                "private/assets/rereference",
                #"{"assets": [{"recordName": "n1", "fieldName": "file"}], "targetZoneID": {"zoneName": "Z"}}"#)
            var writer = JSONWriter()
            writer.value(try #require(answer["assets.0"], "\(answer.text)"))
            let value = String(decoding: writer.bytes, as: UTF8.self)
            try await mei.save(zone: "Z", "copy", fields: #""picture": {"value": \#(value), "type": "ASSETID"}"#)
            _ = try await mei.modify([Operation.delete("n1")])
            let record = try await mei.lookup(zone: "Z", "copy")
            let url = try #require(record["records.0.fields.picture.value.downloadURL"]?.string)
            #expect(try await server.download(server.path(of: url)).bytes == Array("hello".utf8))
        }
    }

    @Test("The zip of a page has every photo from the bucket, byte for byte")
    func zip() async throws {
        try await AssetKeeping.$current.withValue(Self.bucket()) {
            try await TripFixture.run { trip in
                let answer = try await trip.bytes("\(trip.path)/zip")
                #expect(answer.status == 200 && answer.headers[.contentLength] == "\(answer.body.count)")
                #expect(try StoredZip(answer.body).files == TripFixture.photos.map(TripFixture.photo))
            }
        }
    }

    @Test("Previews are made of pictures in a bucket")
    func previews() async throws {
        try await Self.run { server, mei in
            let path = try await mei.saveFile(Pictures.photograph)
            #expect(try await server.download(path).bytes == Pictures.photograph)
            let key = try #require(AssetKey(String(path.split(separator: "/")[3])))
            let links = try AssetLinks(accounts: server.accounts, lifetime: .seconds(86400))
                .links(container: mei.container, environment: .development, origin: "")
            let preview = try await server.download(links.preview(key, .small))
            #expect(preview.status == 200 && preview.headers[.contentType] == "image/jpeg")
        }
    }

    @Test("A download redirects to a bucket URL that is good for this download only")
    func redirects() async throws {
        try await Self.run(redirects: true) { server, mei in
            let path = try await mei.saveFile(Array("hello".utf8)).replacing("${f}", with: "a.txt")
            let answer = try await server.download(path)
            #expect(answer.status == 307 && answer.bytes.isEmpty)
            let link = try #require(answer.headers[.location].flatMap(URL.init(string:)))
            let (found, response) = try await URLSession.shared.data(from: link)
            let http = try #require(response as? HTTPURLResponse)
            #expect(http.statusCode == 200 && found == Data("hello".utf8))
            #expect(http.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
            #expect(http.value(forHTTPHeaderField: "Content-Disposition") == #"inline; filename="a.txt""#)
            let forged = try #require(
                URL(string: link.absoluteString.replacing("X-Amz-Expires=60", with: "X-Amz-Expires=600")))
            let refusal = try await URLSession.shared.data(from: forged).1 as? HTTPURLResponse
            #expect(refusal?.statusCode == 403)
            #expect(try await server.download(path, .head).status == 200)
        }
    }

    @Test("Unreferenced assets are collected, and objects without a row are swept")
    func collection() async throws {
        try await Self.run { server, mei in
            let path = try await mei.saveFile(Array("kept".utf8))
            let container = try #require(try await server.accounts.reader().container(named: mei.container))
            let assets = try server.folder.assetFolders.name(container: container.id, environment: .development)
            let store = server.folder.assets.store(folder: assets, slots: FileSlots())
            let orphan = try await store.take(
                AsyncStream<ByteBuffer> { $0.finish() }, limit: 1, keep: { (isKept: true, $0.file) })
            #expect(try await store.open(orphan) != nil)
            let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
            let environment = try await stores.store(container: container, environment: .development)
            try await environment.assets.sweep()
            #expect(try await store.open(orphan) == nil)
            #expect(try await server.download(path).bytes == Array("kept".utf8))
            try await stores.close()
        }
    }

    @Test("Clients are asked to retry while the store is away")
    func storeAway() async throws {
        let faulty = try await FaultyStore { _, _ in FaultyStore.Answer(500) }
        let keeping = AssetKeeping { [endpoint = faulty.endpoint] data in
            try S3Assets(
                bucket: #require(
                    S3Bucket(
                        url: "s3://assets", endpoint: endpoint, region: "r", isInPath: true,
                        credentials: SeaweedFS.credentials)),
                spool: data + "/containers", logger: .quiet)
        }
        try await AssetKeeping.$current.withValue(keeping) {
            try await TestServer.run { server in
                let mei = try await server.signIn("mei@example.com")
                let link = try await mei.uploadLinks()[0]
                let answer = try await server.client.execute(
                    uri: server.path(of: link), method: .post, headers: [:], body: ByteBuffer(string: "hello"))
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.headers[.retryAfter] != nil && Answer(answer).code == "TRY_AGAIN_LATER")
                #expect(Answer(answer)["singleFile.reason"]?.string == Answer(answer).reason)
            }
        }
        try await faulty.close()
    }
}
