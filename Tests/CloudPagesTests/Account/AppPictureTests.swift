import CloudHTTP
import CloudModel
import Foundation
import NIOCore
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer

/// Pictures of apps, from the folder that `pages.apps` names.
@Suite(.timeLimit(.minutes(5)))
struct AppPictureTests {
    /// A folder with these files.
    private func withFolder(_ files: [String: Data], _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
        try await body(folder.path())
    }

    private static func icon() throws -> Data {
        let icon = try PublicFiles(folder: nil).files(in: "static").first { $0.name == "apple-touch-icon.png" }
        return try #require(icon).bytes
    }

    /// The head of a PNG.
    private static func png(_ width: UInt8, _ height: UInt8) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8))
            + Data([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("An app's picture stands on its share pages, at sign-in and at the account, and is answered by its digest")
    func pictures() async throws {
        let icon = try Self.icon()
        try await withFolder(["\(TripFixture.container).png": icon, "notes.txt": Data("x".utf8)]) { folder in
            let pages = try PageFiles(PublicFiles(folder: nil), apps: folder)
            try await TripFixture.run(pages: pages) { trip in
                let pattern = #/<img class="app" src="([^"]+)" alt=""/#
                let path = try #require(
                    try await trip.server.send(.get, trip.path).text.firstMatch(of: pattern)?.output.1)
                let answer = try await trip.server.client.execute(
                    uri: String(path), method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok && answer.headers[.contentType] == "image/png")
                #expect(Data(answer.body.readableBytesView) == icon)
                #expect(answer.headers[.cacheControl]?.contains("immutable") == true)
                #expect(try await trip.server.send(.get, "/app-pictures/\(TripFixture.container).png").status == 404)
                try await trip.sender.makeZone("Z")
                try await trip.sender.save(zone: "Z", "root", type: "Note", fields: #""title": {"value": "mine"}"#)
                let guid = try await trip.sender.share("root", in: "Z", permission: "READ_ONLY")
                let offer = try await trip.server.send(.get, "/share/\(guid)").text
                #expect(offer.firstMatch(of: pattern)?.output.1 == path)
                // With data of her own in the app.
                let visitor = try await trip.browser(of: "mei@example.com")
                for page in ["/account", "/account/delete"] {
                    #expect(try await visitor.open(page).text.firstMatch(of: pattern)?.output.1 == path, "\(page)")
                }
            }
        }
    }

    @Test(
        "A picture that is no square PNG within the limits is refused with its file",
        arguments: [
            (png(64, 65), "must be a square PNG of 64 to 1024 pixels a side"), (png(63, 63), "64 to 1024"),
            (Data("x".utf8), "must be a square PNG"),
            (png(64, 64) + Data(count: 256 << 10), "at most 262144 are allowed"),
        ] as [(Data, String)])
    func refused(bytes: Data, reason: String) async throws {
        try await withFolder(["a.png": bytes]) { folder in
            let error = #expect(throws: AppPictures.Broken.self) { try AppPictures(folder: folder) }
            #expect(error?.description.contains("a.png: ") == true && error?.description.contains(reason) == true)
        }
    }

    @Test("A folder that is missing is refused with its setting") func missing() {
        let error = #expect(throws: AppPictures.Broken.self) { try AppPictures(folder: "/nowhere") }
        #expect(error?.description.contains("pages.apps") == true)
    }
}
