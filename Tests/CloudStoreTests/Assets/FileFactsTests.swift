import CloudAssets
import CloudMedia
import CloudModel
import CloudSQL
import Foundation
import NIOCore
import TestAssets
import TestStore
import Testing

@testable import CloudStore

/// What files tell of themselves, read in the background and kept.
@Suite(.timeLimit(.minutes(5)))
struct FileFactsTests {
    private static let photo = MediaFile(time: "2026:06:14 23:30:00", offset: "+09:00", hasPlace: true).photo()

    /// Uploads contents and saves a record that holds them.
    private func save(_ bytes: [UInt8], _ name: String, in store: EnvironmentStore) async throws -> AssetKey {
        let asset = try await store.assets.upload(.unused, from: nil, Chunks([bytes]), limit: 8 << 20)
        let saved = try await store.modify([operation(.forceReplace, name, fields: assetField(asset))])
        #expect(saved.error() == nil)
        return asset.key
    }

    private func facts(_ key: AssetKey, _ store: EnvironmentStore) async throws -> FileFacts? {
        try await store.assets.files([key])[key]?.facts
    }

    @Test("Facts of a photo are kept after a record holds it, and are those of its bytes") func photo() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let key = try await save(Self.photo, "one", in: store)
        await store.assets.finishFacts()
        let found = try #require(try await store.assets.files([key])[key])
        let facts = try #require(found.facts)
        #expect(!found.isWaiting)
        #expect(facts.kind == .jpeg && facts.size == ImageSize(width: 400, height: 300) && facts.fault == nil)
        #expect(facts.taken?.zone == .offset(540) && facts.taken?.source == .exif)
        #expect(facts.taken?.clock.milliseconds == 1_781_479_800_000)
        #expect(facts.taken?.moment?.milliseconds == 1_781_447_400_000)
        #expect(facts.camera.model == "Acme One" && facts.camera.exposure == 0.004 && facts.camera.aperture == 1.8)
        #expect(facts.place?.reveal().latitude == 52.5 && facts.removal.isCertain)
        let direct = try #require(MediaScan(MemorySource(Self.photo)))
        #expect(facts.removal == direct.removal && facts.tellsPlace)
    }

    @Test("Facts of a movie have its length, size, identifier and time") func movie() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let movie = MediaFile(time: "2026:06:14 23:30:00", offset: "+0900", hasPlace: true, identifier: "A-B").movie()
        let key = try await save(movie, "one", in: temporary.store)
        await temporary.store.assets.finishFacts()
        let facts = try #require(try await facts(key, temporary.store))
        #expect(facts.kind == .quickTime && facts.duration == .milliseconds(2500) && facts.contentIdentifier == "A-B")
        #expect(facts.size == ImageSize(width: 1920, height: 1080) && facts.taken?.zone == .offset(540))
        #expect(facts.removal.isCertain && facts.tellsPlace)
    }

    @Test("The checksum without the place is that of the bytes that are sent", arguments: [0, 1, 700_000])
    func checksum(more: Int) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let movie = MediaFile(hasPlace: true).movie()
        // A free box in front moves the place far behind.
        let size = UInt32(more + 8)
        let free = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("free".utf8)
        let bytes = movie.prefix(20) + free + (0..<more).map { UInt8(truncatingIfNeeded: $0) } + movie.dropFirst(20)
        let key = try await save(Array(bytes), "one", in: store)
        let facts = try #require(try await store.assets.facts(of: key))
        let contents = try #require(try await store.assets.open(key))
        let sent = try await Self.bytes(PlacelessContents(contents, without: facts.removal))
        #expect(sent.count == bytes.count && sent != Array(bytes))
        #expect(PlaceRemoval.withoutPlace(Array(bytes)) == sent)
        var described = AssetFacts()
        described.update(ByteBuffer(bytes: sent))
        #expect(facts.placelessChecksum == described.description([UInt8](repeating: 0, count: 32)).crc32)
        for range in [0..<1, 30..<90, Int64(bytes.count - 60)..<Int64(bytes.count), 5..<5] {
            let part = try await Self.bytes(PlacelessContents(contents, without: facts.removal), range)
            #expect(part == Array(sent[Int(range.lowerBound)..<Int(range.upperBound)]), "\(range)")
        }
    }

    private static func bytes(_ contents: any AssetReading, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in contents.bytes(in: range ?? 0..<contents.size) { bytes += piece.readableBytesView }
        return bytes
    }

    @Test(
        "Files that are no pictures and only begin like them have no facts, and nothing to remove",
        arguments: [
            Array("Passport\n".utf8), [], [0xFF, 0xD8, 0xFF, 0xE0, 1], Array("\0\0\0\u{18}ftypisom".utf8) + [7, 7, 7],
        ] as [[UInt8]])
    func others(bytes: [UInt8]) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let key = try await save(bytes, "one", in: temporary.store)
        await temporary.store.assets.finishFacts()
        let facts = try #require(try await facts(key, temporary.store))
        #expect(facts.removal.isCertain && !facts.tellsPlace && facts.size == nil)
    }

    @Test("A picture with broken metadata keeps its size, and its removal is not certain") func broken() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        var bytes = Self.photo
        // The number of entries in the main directory.
        bytes[20...21] = [0xFF, 0xFF]
        let key = try await save(bytes, "one", in: temporary.store)
        await temporary.store.assets.finishFacts()
        let facts = try #require(try await facts(key, temporary.store))
        #expect(facts.size == ImageSize(width: 400, height: 300) && facts.fault != nil && !facts.removal.isCertain)
    }

    @Test("Facts that an earlier program read are read again, also after a restart") func versions() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let key = try await save(Self.photo, "one", in: temporary.store)
        await temporary.store.assets.finishFacts()
        try await temporary.store.close()
        try await temporary.execute("UPDATE asset_facts SET version = 0, kind = NULL, width = NULL, clock = NULL")
        let store = try temporary.open()
        await store.assets.finishFacts()
        #expect(try await store.assets.files([key])[key]?.isWaiting == false)
        #expect(try await facts(key, store)?.taken?.zone == .offset(540))
        try await store.close()
    }

    @Test("Equal contents are read once, and their facts go with them") func gone() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await save(Self.photo, "one", in: store)
        _ = try await save(Self.photo, "two", in: store)
        await store.assets.finishFacts()
        #expect(try await temporary.count("asset_facts") == 1)
        _ = try await store.modify([operation(.forceDelete, "one"), operation(.forceDelete, "two")])
        temporary.clock.pass(milliseconds: 25 * 3600 * 1000)
        #expect(try await store.assets.collect() == 1)
        #expect(try await temporary.count("asset_facts") == 0)
    }

    @Test("Lost contents are read again when they are uploaded again") func lost() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let folder = temporary.path + "-assets"
        let asset = try await store.assets.upload(.unused, from: nil, Chunks([Self.photo]), limit: 1 << 20)
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for file in files where file.contains("/") { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }
        _ = try await store.modify([operation(.forceReplace, "one", fields: assetField(asset))])
        await store.assets.finishFacts()
        #expect(try await facts(asset.key, store)?.fault == .unreadable)
        _ = try await save(Self.photo, "two", in: store)
        await store.assets.finishFacts()
        #expect(try await store.assets.facts(of: asset.key)?.size == ImageSize(width: 400, height: 300))
    }

    @Test("Facts of a window of files cost one statement") func oneStatement() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        var keys: Set<AssetKey> = []
        for number in 0..<20 {
            let bytes = MediaFile(time: "2026:06:\(number + 10) 12:00:00").photo()
            keys.insert(try await save(bytes, "p\(number)", in: store))
        }
        await store.assets.finishFacts()
        let statements = try temporary.read { db in
            let before = db.statements
            let found = try AssetTable.find(keys, db)
            #expect(found.count == 20)
            return db.statements - before
        }
        #expect(statements == 1)
    }
}

extension UploadTicket {
    fileprivate static var unused: UploadTicket { UploadTicket(owner: "_alice", user: "_alice") }
}
