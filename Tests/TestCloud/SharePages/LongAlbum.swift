import CloudModel
import Foundation
import Testing

/// A shared album of many pictures, more than a page shows at once.
package struct LongAlbum: Sendable {
    package let trip: TripFixture
    package let guid: String
    package var path: String { "/share/\(guid)" }

    private static let zone = "Long"

    /// - Parameters:
    ///   - records: the number of records, `p0` and so on.
    ///   - pictures: the number of pictures of each.
    package static func make(_ trip: TripFixture, records: Int, pictures: Int = 1) async throws -> LongAlbum {
        let app = trip.sender
        try await app.makeZone(zone)
        try await app.save(zone: zone, "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
        let guid = try await app.share("root", in: zone, permission: "READ_ONLY")
        let album = LongAlbum(trip: trip, guid: guid)
        let bytes = try TripFixture.photo("flower")
        for start in stride(from: 0, to: records, by: 50) {
            var writes: [String] = []
            for number in start..<min(start + 50, records) {
                writes.append(try await album.write("p\(number)", bytes, pictures))
            }
            try await album.save(writes)
        }
        return album
    }

    private func write(_ name: String, _ bytes: Data, _ pictures: Int) async throws -> String {
        let value = try await trip.upload(bytes, name, "Memory", "photos", in: "private", zone: Self.zone, trip.sender)
        let values = Array(repeating: value, count: pictures).joined(separator: ", ")
        return Operation.write(
            "create", name, type: "Memory",
            fields: #""photos": {"value": [\#(values)], "type": "ASSETID_LIST"}, "title": {"value": "Photo \#(name)"}"#,
            extra: #", "parent": {"recordName": "root"}"#)
    }

    private func save(_ writes: [String]) async throws {
        let answer = try await trip.sender.modify(zone: Self.zone, writes)
        try #require(answer["records.0.recordChangeTag"] != nil, "\(answer.text)")
    }

    /// Adds a record with one picture.
    package func add(_ name: String) async throws {
        try await save([try await write(name, try TripFixture.photo("cat"), 1)])
    }

    package func delete(_ name: String) async throws {
        _ = try await trip.sender.modify(zone: Self.zone, [Operation.delete(name)])
    }
}
