@testable import CloudServer
@testable import CloudWire
import CloudHTTP
import CloudModel
import CloudStore
import TestCloud
import Testing

/// Previews of pictures that lie. Costs are counted in programs started, since time says nothing on a busy machine.
@Suite(.timeLimit(.minutes(20)))
struct LyingPictureTests {
    /// Uploads a picture and returns the paths of its previews.
    private static func upload(
        _ picture: [UInt8], _ mei: App, _ server: TestServer
    ) async throws -> @Sendable (PreviewSize) -> String {
        let value = try JSONParser.parse(Array(try await mei.upload(picture).utf8))
        let key = try #require(value[path: "fileChecksum"]?.string.flatMap(AssetKey.init))
        let links = try AssetLinks(accounts: server.accounts, lifetime: .seconds(1000))
            .links(container: mei.container, environment: .development, origin: "")
        return { links.preview(key, $0) }
    }

    @Test("A picture that lies has a preview or none, costs at most four programs, and costs nothing again")
    func lies() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let maker = try #require(server.responder.stores.previews)
            for picture in LyingPicture.all {
                let name = picture.name
                let path = try await Self.upload(picture.bytes, mei, server)
                var started = maker.started
                for most in [4, 0] {
                    for size in [PreviewSize.tile, .large] {
                        // The AVIF of a large one would be made at some later time.
                        let accept = size == .large ? "*/*" : "image/avif"
                        let answer = try await server.download(path(size), headers: [.accept: accept])
                        #expect([200, 404].contains(answer.status), "\(name): \(answer.status)")
                        guard answer.status == 200 else { continue }
                        #expect(ContentType.sniff(answer.bytes) == answer.headers[.contentType], "\(name)")
                        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("script"), "\(name)")
                    }
                    #expect(maker.started - started <= most, "\(name)")
                    started = maker.started
                }
            }
            #expect(try await server.send(.get, "/health").status == 200)
        }
    }

    @Test("What is no picture by its first bytes starts no program") func noPictures() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let maker = try #require(server.responder.stores.previews)
            for other in LyingPicture.others {
                let path = try await Self.upload(other.bytes, mei, server)(.small)
                let status = try await server.send(.get, path).status
                #expect(status == 404, "\(other.name)")
            }
            #expect(maker.started == 0)
        }
    }

    @Test(
        "While ten costly pictures wait, others wait for few of them: another person's, and another visitor of the same",
        arguments: [true, false])
    func others(isOtherPerson: Bool) async throws {
        try await TestServer.run(configure: { $0.trustForwardedFor = true }) { server in
            let (mei, noor) = (try await server.signIn("mei@example.com"), try await server.signIn("noor@example.com"))
            let maker = try #require(server.responder.stores.previews)
            let good = try await Self.upload(Pictures.photograph, isOtherPerson ? noor : mei, server)
            let costly = LyingPicture.scans(40)
            var paths: [String] = []
            for number in 0..<10 as Range<UInt8> {
                paths.append(try await Self.upload(costly + [number], mei, server)(.tile))
            }
            try await withThrowingTaskGroup(of: Int.self) { [paths] group in
                let (many, other) = ("192.0.2.1", isOtherPerson ? "192.0.2.1" : "198.51.100.2")
                for path in paths {
                    group.addTask { try await server.download(path, headers: [.forwardedFor: many]).status }
                }
                try await until { maker.started >= 2 }
                let started = maker.started
                let answer = try await server.download(good(.tile), headers: [.forwardedFor: other])
                #expect(answer.status == 200)
                // Two run, one of each person's follows, and one more may have begun before the answer was sent; a tile
                // takes up to three programs with that for its color.
                #expect(maker.started - started <= 9)
                for try await status in group { #expect([200, 404].contains(status)) }
            }
            #expect(maker.started <= 22)
        }
    }
}
