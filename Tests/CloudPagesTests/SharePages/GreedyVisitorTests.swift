import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudPages
@testable import CloudServer
@testable import CloudStore

/// A visitor who asks for everything at once. Costs are counted in programs started.
@Suite(.timeLimit(.minutes(10)))
struct GreedyVisitorTests {
    private static let waiting = 10

    @Test("Who asks for every rendition of every picture at once is refused beyond a number, and others are served")
    func everything() async throws {
        try await TripFixture.run(configure: {
            $0.trustForwardedFor = true
            $0.limits.assets.previewsPerAccount = Self.waiting
        }) { trip in
            try await trip.publish("all", photos: [])
            for number in 0..<6 {
                try await trip.addPhoto(number, Data(Pictures.gray(width: 300 + number, height: 200)), to: "all")
            }
            let maker = try #require(trip.server.responder.stores.previews)
            let keys = (0..<6).map { ItemKey(recordName: "all_\($0)", field: "photoAsset", index: 0).text }
            let wishes = keys.flatMap { key in
                PreviewSize.allCases.flatMap { size in
                    ["image/avif", "image/jpeg"].map { ("/share/all/preview/\(size.rawValue)/\(key)", $0) }
                }
            }
            try await withThrowingTaskGroup(of: (status: Int, text: String).self) { group in
                for (path, accept) in wishes {
                    group.addTask {
                        let headers: HTTPFields = [.accept: accept, .forwardedFor: "192.0.2.1"]
                        let answer = try await trip.server.download(path, headers: headers)
                        guard answer.status != 200 else { return (200, "") }
                        return (answer.status, String(decoding: answer.bytes, as: UTF8.self))
                    }
                }
                let first = try #require(try await group.next())
                let started = maker.started
                let headers: HTTPFields = [.forwardedFor: "198.51.100.2"]
                #expect(try await trip.server.send(.get, "/share/all", headers: headers).status == 200)
                // The greedy visitor asks for no picture of this page.
                let key = ItemKey(recordName: "\(TripFixture.id)_0", field: "photoAsset", index: 0).text
                let own = try await trip.server.download("\(trip.path)/preview/medium/\(key)", headers: headers)
                #expect(own.status == 200)
                #expect(maker.started - started <= 9)
                var answers = [first]
                for try await answer in group { answers.append(answer) }
                let refused = answers.filter { $0.status != 200 }
                #expect(!refused.isEmpty && answers.contains { $0.status == 200 })
                for answer in refused {
                    #expect(answer.status == 429, "\(answer)")
                    #expect(answer.text.contains("at most \(Self.waiting) may (limit.previewsPerAccount)"), "\(answer)")
                }
            }
            #expect(maker.started <= 2 * wishes.count)
            // They have not gone for good.
            let again = try await trip.server.download(
                "/share/all/preview/small/\(keys[5])", headers: [.forwardedFor: "192.0.2.1"])
            #expect(again.status == 200)
        }
    }
}
