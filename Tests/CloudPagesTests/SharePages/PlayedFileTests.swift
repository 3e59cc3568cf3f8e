@testable import CloudPages
import CloudHTTP
import TestCloud
import Foundation
import NIOCore
import Testing

/// Videos and sounds on a page.
struct PlayedFileTests {
    private func share(_ trip: TripFixture) async throws -> (guid: String, page: String) {
        let app = trip.sender
        try await app.makeZone("Z")
        let video = try await trip.upload(
            PageSummaryTests.video, "clip", "ClipItem", "file", in: "private", zone: "Z", app)
        try await app.save(
            zone: "Z", "clip", type: "ClipItem",
            fields: #""file": {"value": \#(video)}, "name": {"value": "dance.mp4"}"#)
        let guid = try await app.share("clip", in: "Z", permission: "READ_ONLY")
        return (guid, try await trip.server.send(.get, "/share/\(guid)").text)
    }

    @Test("A video is played on the page, and is served by ranges", .everyAssetKeeping)
    func videoRanges() async throws {
        try await TripFixture.run { trip in
            let (_, page) = try await share(trip)
            let source = String(
                try #require(
                    page.firstMatch(of: #/<video src="([^"]+)#t=0.001" controls playsinline preload="none"/#)?.output.1)
            )
            let whole = try await trip.bytes(source)
            #expect(whole.status == 200)
            #expect(whole.headers[.contentType] == "video/mp4")
            #expect(whole.headers[.contentDisposition] == "inline")
            #expect(whole.body == PageSummaryTests.video)
            let part = try await trip.server.client.execute(
                uri: source, method: .get, headers: [.range: "bytes=10-19"], body: nil)
            #expect(part.status == .partialContent)
            #expect(Data(part.body.readableBytesView) == PageSummaryTests.video[10..<20])
            #expect(page.contains("media-src") == false)
        }
    }

    @Test("Only playable files of an open page are served as media")
    func otherFiles() async throws {
        try await TripFixture.run { trip in
            let photo = ItemKey(recordName: "\(TripFixture.id)_0", field: "photoAsset", index: 0).text
            #expect(try await trip.server.send(.get, "\(trip.path)/media/\(photo)").status == 404)
            #expect(try await trip.server.send(.get, "\(trip.path)/media/none").status == 404)
            let (guid, page) = try await share(trip)
            let source = String(try #require(page.firstMatch(of: #/<video src="([^"]+)#t=0.001"/#)?.output.1))
            _ = try await trip.settle(#"{"takenDown": true}"#, id: guid)
            #expect(try await trip.server.send(.get, source).status == 410)
        }
    }

    @Test("A file is downloaded under its own name, with one extension")
    func fileName() async throws {
        try await TripFixture.run { trip in
            let (_, page) = try await share(trip)
            let download = String(try #require(page.firstMatch(of: #/href="([^"]+/download/[^"]+)"/#)?.output.1))
            let answer = try await trip.bytes(download)
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="dance.mp4""#)
        }
    }
}
