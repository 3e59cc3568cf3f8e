import CloudModel
import Foundation
import NIOCore
import TestAssets
import Testing

@testable import CloudAssets

/// Assets in a real bucket.
@Suite(.timeLimit(.minutes(10)))
struct S3AssetStoreTests {
    private let spool = Spool()

    private func assets(_ change: (inout S3Options) -> Void = { _ in }) async throws -> S3Assets {
        var options = S3Options()
        options.leastAge = 0
        change(&options)
        return try await SeaweedFS.assets(spool: spool.path, options: options)
    }

    @Test(
        "A stored asset is read back byte for byte, whole and by range",
        arguments: [0, 1, 262_144, 1_048_576, 1_048_577, 5_000_000])
    func readBack(size: Int) async throws {
        let store = try await assets().store(folder: "1-production-assets", slots: FileSlots())
        let contents = someBytes(size)
        let taken = try await store.take(contents)
        #expect(taken.description.size == Int64(size))
        #expect(try await store.bytes(taken.file) == contents)
        #expect(try await store.open(taken.file)?.size == Int64(size))
        if size > 300_000 {
            #expect(try await store.bytes(taken.file, 7..<300_000) == Array(contents[7..<300_000]))
        }
        #expect(spool.files == [])
        try await store.delete(taken.file)
        #expect(try await store.open(taken.file) == nil)
        // Deleting what is gone is no fault.
        try await store.delete(taken.file)
    }

    @Test("A copy into another folder has every existing object and omits deleted ones")
    func copy() async throws {
        let assets = try await assets()
        let (store, other) = (
            assets.store(folder: "a", slots: FileSlots()), assets.store(folder: "b", slots: FileSlots())
        )
        let contents = someBytes(300_000)
        let (kept, gone) = (try await store.take(contents).file, try await store.take(someBytes(10)).file)
        try await store.delete(gone)
        try await assets.copy([kept, gone], from: "a", to: "b")
        try await store.delete(kept)
        #expect(try await other.bytes(kept) == contents)
        #expect(try await other.open(gone) == nil)
    }

    @Test("Contents larger than a part are uploaded in parts and read back whole")
    func parts() async throws {
        let store = try await assets { $0.partSize = 5 << 20 }.store(folder: "a", slots: FileSlots())
        let contents = someBytes((12 << 20) + 5)
        let taken = try await store.take(contents)
        #expect(try await store.bytes(taken.file) == contents)
    }

    @Test("Nothing stays of contents that are not kept")
    func refusedContents() async throws {
        let assets = try await assets()
        let store = assets.store(folder: "a", slots: FileSlots())
        let taken = try await store.take(someBytes(1000), keeps: false)
        #expect(try await store.open(taken.file) == nil)
        await #expect(throws: AssetTooLarge.self) {
            _ = try await store.take(pieces(someBytes(1000)), limit: 999) { (true, $0) }
        }
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            _ = try await store.take(pieces(someBytes(1000)), limit: 1000) { _ -> (isKept: Bool, Bool) in
                throw Refusal()
            }
        }
        #expect(try await store.files() == [])
        #expect(spool.files == [])
    }

    @Test("The sweep deletes every object that no row names, unless the object is too young")
    func sweep() async throws {
        let assets = try await assets()
        let store = assets.store(folder: "a", slots: FileSlots())
        let kept = try await store.take(someBytes(10)).file
        let lost = try await store.take(someBytes(11)).file
        let elsewhere = try await assets.store(folder: "b", slots: FileSlots()).take(someBytes(12)).file
        let patient = try await self.assets { $0.leastAge = 3600 }
        let young = try await patient.store(folder: "a", slots: FileSlots()).take(someBytes(13)).file
        try await patient.store(folder: "a", slots: FileSlots()).sweep { _ in [] }
        #expect(try await patient.store(folder: "a", slots: FileSlots()).open(young) != nil)
        let arriving = "\(spool.path)/a/incoming/half"
        #expect(FileManager.default.createFile(atPath: arriving, contents: Data("x".utf8)))
        try await store.sweep { files in Set(files).intersection([kept]) }
        #expect(try await store.open(kept) != nil)
        #expect(try await store.open(lost) == nil)
        #expect(try await assets.store(folder: "b", slots: FileSlots()).open(elsewhere) != nil)
        #expect(spool.files == [])
    }

    @Test("Parts that were never joined are swept")
    func partsAreSwept() async throws {
        let place = try await SeaweedFS.shared.get().place()
        let client = S3Client(bucket: place, patience: 5, logger: .quiet)
        let key = "\(place.prefix)a/half"
        _ = try await client.send(S3Request(method: "POST", key: key, query: [("uploads", "")]) { $0.status == 200 })
        #expect(try await client.unfinishedUploads("\(place.prefix)a/").map(\.object.key) == [key])
        var options = S3Options()
        for age in [3600.0, 0] {
            options.leastAge = age
            try await S3Assets(bucket: place, spool: spool.path, options: options, logger: .quiet)
                .store(folder: "a", slots: FileSlots()).sweep { _ in [] }
            #expect(try await client.unfinishedUploads("\(place.prefix)a/").count == (age == 0 ? 0 : 1))
        }
    }

    @Test("A listing continues after the end of a page")
    func manyObjects() async throws {
        let assets = try await assets()
        let store = assets.store(folder: "a", slots: FileSlots())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { for number in 0..<130 { _ = try await store.take([UInt8(worker), UInt8(number)]) } }
            }
            try await group.waitForAll()
        }
        #expect(try await store.files().count == 8 * 130)
        try await assets.remove(folder: "a")
        #expect(try await store.files() == [])
    }

    @Test("Folders are listed by the prefix of their names")
    func folders() async throws {
        let assets = try await assets()
        for folder in ["1-production-assets", "1-production-12-assets", "1-development-assets", "11-production-assets"]
        {
            _ = try await assets.store(folder: folder, slots: FileSlots()).take([1])
        }
        #expect(
            try await assets.folders(beginningWith: "1-production-").sorted()
                == ["1-production-12-assets", "1-production-assets"])
        try await assets.remove(folder: "1-production-assets")
        for (folder, count) in [("1-production-assets", 0), ("1-production-12-assets", 1)] {
            #expect(try await assets.store(folder: folder, slots: FileSlots()).files().count == count)
        }
    }

    @Test("An unusable key or bucket makes clients retry", arguments: ["key", "secret", "bucket"])
    func wrongSettings(what: String) async throws {
        let place = try await SeaweedFS.shared.get().place(
            S3Credentials(
                accessKey: what == "key" ? "nobody" : "tests",
                secretKey: what == "secret" ? "wrong" : "a secret of the tests"),
            bucket: what == "bucket" ? "nowhere" : SeaweedFS.bucket)
        let store = S3Assets(bucket: place, spool: spool.path, logger: .quiet)
            .store(folder: "a", slots: FileSlots())
        await #expect(performing: { _ = try await store.take([1]) }, throws: asksToComeBack)
        await #expect(performing: { try await store.sweep { _ in [] } }, throws: asksToComeBack)
        #expect(spool.files == [])
    }
}
