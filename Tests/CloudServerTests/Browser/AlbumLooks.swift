import CloudAccounts
import CloudModel
import CloudStore
import Foundation
import TestAssets
import TestCloud
import Testing

@testable import CloudServer

/// Albums of what phones take: videos, Live Photos, days, and more pictures than a page begins with.
struct AlbumLooks {
    private static let zone = "Phone"

    let trip: TripFixture

    func prepare() async throws -> [Look] {
        let film = try await FilmSample.make(
            FilmSample.pictures("320x180") + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
        let app = trip.sender
        try await app.makeZone(Self.zone)
        let looks = try await [
            videos(film), live(film),
            album("days", "A week by the sea", days([2, 5, 1], of: 14)),
            album("long-grid", "Our year", days(Array(repeating: 11, count: 6), of: 1)),
        ]
        let container = try await trip.server.accounts.containers.require(named: TripFixture.container)
        let store = try await trip.server.responder.stores.existing(container: container, environment: .development)
        await store?.assets.finishFacts()
        return looks + [
            Look(
                name: "viewer-video", path: looks[0].path,
                action: "document.querySelector('.photo.video').click()",
                signal: "document.querySelector('.pswp--open video')?.readyState >= 2")
        ]
    }

    private func videos(_ film: Data) async throws -> Look {
        var files: [[String: Data]] = try ["temple", "flower"].map { ["file": try TripFixture.photo($0)] }
        // Bytes after the end make two videos of one.
        files += [["file": film], ["file": film + Data([0, 0, 0, 9] + Array("free!".utf8))]]
        return try await album("videos", "The first steps", files)
    }

    private func live(_ film: Data) async throws -> Look {
        try await album(
            "live", "At the fountain",
            try ["cat", "rocket", "coffee"].map { ["still": try TripFixture.photo($0), "live": film] })
    }

    /// Records of pictures, each with a file for each picture of a day.
    private func days(_ counts: [Int], of month: Int) throws -> [[String: Data]] {
        let names = ["temple", "coffee", "flower", "rocket", "cat", "astronaut", "moon", "hubble"]
        return try counts.enumerated().map { day, count in
            var files: [String: Data] = [:]
            for number in 0..<count {
                let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
                let file = MediaFile(
                    time: "2026:\(digits(month == 1 ? day + 1 : 6)):\(digits(14 + day)) 10:\(digits(number)):00",
                    offset: "+02:00")
                let picture = try TripFixture.photo(names[(day + number) % names.count])
                files["file\(digits(number))"] = Data(file.photo(Array(picture)))
            }
            return files
        }
    }

    /// Shares records with these files.
    private func album(_ name: String, _ title: String, _ records: [[String: Data]]) async throws -> Look {
        let app = trip.sender
        try await app.save(zone: Self.zone, name, type: "Album", fields: #""title": {"value": "\#(title)"}"#)
        var writes: [String] = []
        for (number, files) in records.enumerated() {
            let record = "\(name)\(number)"
            var fields: [String] = []
            for (field, bytes) in files.sorted(by: { $0.key < $1.key }) {
                let value = try await trip.upload(
                    bytes, record, "Photo", field, in: "private", zone: Self.zone, app)
                fields.append(#""\#(field)": {"value": \#(value)}"#)
            }
            writes.append(
                Operation.write(
                    "create", record, type: "Photo", fields: fields.joined(separator: ", "),
                    extra: #", "parent": {"recordName": "\#(name)"}"#))
        }
        _ = try await app.modify(zone: Self.zone, writes)
        let tag = try await app.tag(of: name, zone: Self.zone)
        let share = try await app.modify(
            zone: Self.zone,
            [Sharing.creation("Share-\(name)", of: name, tag: tag, permission: "READ_ONLY", title: title)])
        return Look(name: name, path: "/share/\(try #require(share["records.0.shortGUID"]?.string))")
    }
}
