@testable import CloudWire
@testable import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Previews, made by the real program.
@Suite(.everyAssetKeeping)
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

    @Test("A preview is upright and has no metadata") func metadata() async throws {
        #expect(String(decoding: Pictures.photograph, as: UTF8.self).contains("SECRET-POSITION!"))
        try await Self.run(Pictures.photograph) { server, path in
            for size in PreviewSize.allCases {
                let answer = try await server.download(path(size))
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == "image/jpeg")
                #expect(answer.headers[.cacheControl]?.contains("immutable") == true)
                #expect(ImageSize(answer.bytes, type: "image/jpeg") == ImageSize(width: 32, height: 64))
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(!text.contains("Exif") && !text.contains("SECRET"))
                let etag = try #require(answer.headers[.eTag])
                #expect(try await server.download(path(size), headers: [.condition.noneMatch: etag]).status == 304)
            }
        }
    }

    @Test("Twenty requests for one preview at once get the same bytes") func concurrentRequests() async throws {
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

    @Test("A picture with more pixels than limit.previewPixels has no preview") func pixelLimit() async throws {
        try await Self.run(Pictures.photograph, configure: { $0.limits.assets.previewPixels = 2047 }) { server, path in
            let status = try await server.send(.get, path(.small)).status
            #expect(status == 404)
        }
        try await Self.run(Pictures.photograph, configure: { $0.limits.assets.previewPixels = 2048 }) { server, path in
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
