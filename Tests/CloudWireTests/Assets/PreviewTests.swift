@testable import CloudWire
@testable import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Previews, made by the real program.
struct PreviewTests {
    /// Uploads a picture and asks for its preview.
    private static func run(
        _ picture: [UInt8], configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestServer, _ path: @Sendable (PreviewSize) -> String) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: configure) { server in
            let mei = try await server.signIn("mei@example.com")
            let value = try JSONParser.parse(Array(try await mei.upload(picture).utf8))
            let key = try #require(value[path: "fileChecksum"]?.string.flatMap(AssetKey.init))
            let links = try AssetLinks(accounts: server.accounts, lifetime: .seconds(1000))
                .links(container: mei.container, environment: .development, origin: "")
            try await body(server) { links.preview(key, $0) }
        }
    }

    @Test(
        "A preview is upright and has no metadata, in each size and format", .everyAssetKeeping,
        arguments: ["image/*", "image/avif"])
    func metadata(accept: String) async throws {
        for secret in ["SECRET-POSITION!", "SECRET-LATITUDE", "Exif"] {
            #expect(String(decoding: Pictures.told, as: UTF8.self).contains(secret))
        }
        try await Self.run(Pictures.told) { server, path in
            for size in PreviewSize.allCases {
                var answer = try await server.download(path(size), headers: [.accept: accept])
                let isAVIF = accept == "image/avif" && size != .cover
                // A large one is a JPEG at first.
                while size == .large, isAVIF, answer.headers[.contentType] == "image/jpeg" {
                    answer = try await server.download(path(size), headers: [.accept: accept])
                }
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == (isAVIF ? "image/avif" : "image/jpeg"))
                #expect(ContentType.sniff(answer.bytes) == answer.headers[.contentType])
                #expect(answer.headers[.cacheControl]?.contains("immutable") == true)
                #expect(
                    ImageSize(answer.bytes, type: isAVIF ? "image/avif" : "image/jpeg")
                        == ImageSize(width: 32, height: 64))
                let text = String(decoding: answer.bytes, as: UTF8.self)
                for secret in ["Exif", "SECRET", "xmpmeta", "GPS", "ns.adobe.com"] { #expect(!text.contains(secret)) }
                let etag = try #require(answer.headers[.eTag])
                let again = try await server.download(
                    path(size), headers: [.accept: accept, .condition.noneMatch: etag])
                #expect(again.status == 304)
            }
        }
    }

    @Test(
        "A preview's address answers in the format that Accept names, each with an ETag of its own",
        .everyAssetKeeping)
    func formats() async throws {
        try await Self.run(Pictures.photograph) { server, path in
            let avif = try await server.download(path(.tile), headers: [.accept: "image/avif,image/webp,*/*;q=0.8"])
            #expect(avif.headers[.contentType] == "image/avif")
            for accept in ["*/*", "image/webp,image/*", "image/avif;q=0"] {
                let jpeg = try await server.download(path(.tile), headers: [.accept: accept])
                #expect(jpeg.headers[.contentType] == "image/jpeg")
                #expect(jpeg.headers[.eTag] != avif.headers[.eTag])
                #expect(jpeg.headers[.vary]?.contains("Accept") == true)
            }
            #expect(avif.headers[.vary]?.contains("Accept") == true)
        }
    }

    @Test("A cover has at most 300 kB, whatever the picture is") func coverBytes() async throws {
        try await Self.run(Pictures.noise(width: 1200, height: 630)) { server, path in
            let cover = try await server.download(path(.cover))
            #expect(cover.status == 200)
            #expect(cover.bytes.count <= 300_000 && cover.bytes.count > 10_000)
            #expect(ImageSize(cover.bytes, type: "image/jpeg") == ImageSize(width: 1200, height: 630))
        }
    }

    @Test(
        "A baseline JPEG of 108 or 200 megapixels has previews, and a progressive one up to 150 megapixels",
        arguments: [
            (12_000, 9000, false, 200), (16_320, 12_240, false, 200), (12_000, 9000, true, 200),
            (16_320, 12_240, true, 404), (26_000, 20_000, false, 404),
        ])
    func manyMegapixels(width: Int, height: Int, isProgressive: Bool, status: Int) async throws {
        try await Self.run(Pictures.gray(width: width, height: height, isProgressive: isProgressive)) { server, path in
            for size in [PreviewSize.tile, .large] {
                let answer = try await server.download(path(size))
                #expect(answer.status == status)
                guard status == 200 else { continue }
                #expect(
                    ImageSize(answer.bytes, type: "image/jpeg")
                        == size.size(of: ImageSize(width: width, height: height)))
            }
        }
    }

    @Test("Twenty requests for one preview at once get the same bytes", .everyAssetKeeping) func concurrentRequests()
        async throws
    {
        try await Self.run(Pictures.photograph) { server, path in
            let link = path(.small)
            let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<20 { group.addTask { try await server.download(link).bytes } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).count == 1 && answers[0].count > 100)
        }
    }

    @Test(
        "A file that is not a picture has no preview",
        arguments: [
            Pictures.png(width: 100_000, height: 100_000), Pictures.png(width: 64, height: 64),
            Pictures.png(width: .max, height: .max), Array(Pictures.photograph.prefix(150)), Array("GIF89a".utf8),
            [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x41, count: 5000), Array("<svg xmlns='a'><script/></svg>".utf8),
            Array("<html>".utf8), [], Array("....ftypheic".utf8) + [UInt8](repeating: 7, count: 1000),
            Array("RIFF....WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x3F, 1, 0, 0xEF, 0, 0],
        ])
    func notAPicture(contents: [UInt8]) async throws {
        try await Self.run(contents) { server, path in
            for _ in 0..<2 {
                let answer = try await server.send(.get, path(.small))
                #expect(answer.status == 404 && answer.code == "NOT_FOUND")
            }
        }
    }

    @Test("A photograph that is cut off causes no fault") func cutPhotograph() async throws {
        try await Self.run(Array(Pictures.photograph.dropLast(20))) { server, path in
            let status = try await server.download(path(.small)).status
            #expect([200, 404].contains(status))
        }
    }

    @Test("A JPEG with more than five times limit.previewPixels has no preview") func pixelLimit() async throws {
        try await Self.run(Pictures.photograph, configure: { $0.limits.assets.previewPixels = 409 }) { server, path in
            let status = try await server.send(.get, path(.small)).status
            #expect(status == 404)
        }
        try await Self.run(Pictures.photograph, configure: { $0.limits.assets.previewPixels = 410 }) { server, path in
            let status = try await server.download(path(.small)).status
            #expect(status == 200)
        }
    }

    @Test("A preview's URL is not good for another size or for the file") func otherSize() async throws {
        try await Self.run(Pictures.photograph) { server, path in
            for bad in [
                path(.small).replacing("/small", with: "/large"),
                path(.small).replacing("/previews/", with: "/assets/"),
                String(path(.small).prefix { $0 != "?" }),
            ] {
                let status = try await server.send(.get, bad).status
                #expect(status == 403)
            }
            let huge = try await server.send(.get, path(.small).replacing("/small", with: "/huge"))
            #expect(huge.status == 404)
        }
    }
}
