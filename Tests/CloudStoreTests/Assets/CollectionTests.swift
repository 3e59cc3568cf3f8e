import CloudModel
import CloudSQL
import Foundation
import NIOCore
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

struct CollectionTests {
    private static let day: Int64 = 24 * 3600 * 1000

    private func save(_ temporary: TemporaryStore, _ asset: Asset, _ name: String, zone: ZoneID = .notes) async throws {
        let result = try await temporary.store.modify(
            [operation(.forceReplace, name, fields: assetField(asset))], zone: zone)
        #expect(result.error() == nil)
    }

    private func isThere(_ temporary: TemporaryStore, _ asset: Asset) async throws -> Bool {
        try await temporary.store.assets.open(asset.key) != nil
    }

    @Test("An upload that no record claims is deleted when its receipt expires")
    func unclaimed() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        temporary.clock.pass(milliseconds: Self.day - 1)
        #expect(try await temporary.store.assets.collect() == 0)
        temporary.clock.pass(milliseconds: 1)
        #expect(try await temporary.store.assets.collect() == 1)
        #expect(try await !isThere(temporary, asset))
        #expect(try await temporary.store.assets.find(asset.key) == nil)
    }

    @Test("An asset is deleted with the last record that holds it", arguments: ["delete", "clear", "replace", "zone"])
    func lastRecord(how: String) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await temporary.store.makeZone(ZoneID(name: "Other", owner: "_alice"))
        let asset = try await temporary.store.assets.upload("a")
        try await save(temporary, asset, "one")
        try await save(temporary, asset, "two", zone: ZoneID(name: "Other", owner: "_alice"))
        temporary.clock.pass(milliseconds: Self.day)
        let (other, zone) = (try await temporary.store.assets.upload("b"), ZoneID.notes)
        switch how {
        case "delete": _ = try await temporary.store.modify([operation(.forceDelete, "one")], zone: zone)
        case "clear":
            _ = try await temporary.store.modify(
                [operation(.forceUpdate, "one", fields: #"{"file":{"value":null}}"#)], zone: zone)
        case "replace": try await save(temporary, other, "one")
        default:
            _ = try await temporary.store.zones.modify(
                [.delete(zone)], by: Requester(user: "_alice"), limits: Limits())[0]
                .get()
        }
        #expect(try await temporary.store.assets.collect() == 0)
        _ = try await temporary.store.modify(
            [operation(.forceDelete, "two")], zone: ZoneID(name: "Other", owner: "_alice"))
        #expect(try await temporary.store.assets.collect() == 1)
        #expect(try await !isThere(temporary, asset))
        #expect(try await isThere(temporary, other))
    }

    @Test("Collecting beside saves deletes no asset that a record holds") func concurrentSaves() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        for round in 0..<20 {
            // Unclaimed for a day, and uploaded anew while the collector is at it.
            _ = try await temporary.store.assets.upload("contents \(round)")
            temporary.clock.pass(milliseconds: Self.day)
            async let collected = temporary.store.assets.collect()
            let asset = try await temporary.store.assets.upload("contents \(round)")
            try await save(temporary, asset, "n\(round)")
            _ = try await collected
            #expect(try await temporary.store.text(of: asset.key) == "contents \(round)")
        }
    }

    @Test("Files left by a crash are removed, and no others") func orphans() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("a")
        let folder = temporary.path + "-assets"
        try FileManager.default.createDirectory(atPath: folder + "/00", withIntermediateDirectories: true)
        let orphan = folder + "/00/00" + String(repeating: "1", count: 30)
        #expect(FileManager.default.createFile(atPath: orphan, contents: Data("x".utf8)))
        try await temporary.store.assets.sweep()
        #expect(!FileManager.default.fileExists(atPath: orphan))
        #expect(try await isThere(temporary, asset))
    }

    @Test("Unfinished uploads of a server that ended are removed") func unfinished() async throws {
        let temporary = try TemporaryStore()
        let incoming = temporary.path + "-assets/incoming"
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: incoming + "/half", contents: Data("x".utf8)))
        let swept = Atomic(false)
        let contents = AsyncThrowingStream<ByteBuffer, any Error> {
            if swept.exchange(true, ordering: .relaxed) { return nil }
            try await temporary.store.assets.sweep()
            return ByteBuffer(string: "whole")
        }
        let asset = try await temporary.store.assets.upload(.alice, from: nil, contents, limit: 10)
        #expect(!FileManager.default.fileExists(atPath: incoming + "/half"))
        #expect(try await temporary.store.text(of: asset.key) == "whole")
    }

    /// Each question about an asset or a receipt is a seek.
    @Test(
        "Each statement about assets and receipts uses an index",
        .enabled(if: !ChosenEngine.isPostgres, "about plans of SQLite"),
        arguments: [
            "SELECT 1 FROM record_assets WHERE asset = 1",
            "SELECT 1 FROM asset_uploads WHERE asset = 1 AND expires > 1",
            "DELETE FROM asset_uploads WHERE expires <= 1", "DELETE FROM record_assets WHERE record = 1",
            "SELECT 1 FROM assets WHERE key = 'k'", "SELECT 1 FROM assets WHERE file = 'f'",
            "SELECT 1 FROM asset_uploads WHERE receipt = 'r'",
        ])
    func indexes(sql: String) async throws {
        let temporary = try TemporaryStore()
        let plan = try await temporary.store.stored.reads.read { db in
            try db.all("EXPLAIN QUERY PLAN " + sql) { $0.text(3) }
        }
        #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }
}
