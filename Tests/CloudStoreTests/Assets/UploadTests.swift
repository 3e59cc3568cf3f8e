import CloudAssets
import CloudModel
import Foundation
import NIOCore
import TestStore
import Testing

@testable import CloudStore

@Suite(.timeLimit(.minutes(20)))
struct UploadTests {
    private func files(_ temporary: TemporaryStore) -> [String] {
        let names =
            FileManager.default.enumerator(atPath: temporary.path + "-assets")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.split(separator: "/").last?.count == 32 }
    }

    @Test("An uploaded asset is read back byte for byte, whole and by range") func readBack() async throws {
        let temporary = try TemporaryStore()
        let chunks = (0..<40).map { [UInt8](repeating: UInt8($0), count: 50_000 + $0) }
        let asset = try await temporary.store.assets.upload(.alice, from: nil, Chunks(chunks), limit: 3 << 20)
        let whole = chunks.flatMap(\.self)
        #expect(asset.size == Int64(whole.count))
        let reader = try #require(try await temporary.store.assets.open(asset.key))
        for range in [0..<Int64(whole.count), 0..<1, 49_999..<50_002, 300_000..<900_001, 7..<7] {
            var read: [UInt8] = []
            for try await chunk in reader.bytes(in: range) { read += Array(buffer: chunk) }
            #expect(read == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    @Test("A stored asset has its size, checksum and content type") func facts() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("hello")
        let known = try #require(try await temporary.store.assets.find(asset.key))
        #expect(known.crc32 == 0x3610_A686)
        #expect(known.contentType == "text/plain; charset=utf-8")
        #expect(known.imageSize == nil && known.size == 5)
        let empty = try await temporary.store.assets.upload("")
        #expect(try await temporary.store.assets.find(empty.key)?.crc32 == 0)
        #expect(try await temporary.store.text(of: empty.key) == "")
        #expect(
            try await temporary.store.assets.find(AssetKey(sha256: [1, 2, 3] + [UInt8](repeating: 0, count: 29))) == nil
        )
    }

    @Test("Equal contents are stored once") func deduplication() async throws {
        let temporary = try TemporaryStore()
        let assets = try await withThrowingTaskGroup(of: Asset.self) { group in
            for _ in 0..<10 { group.addTask { try await temporary.store.assets.upload("the same") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(assets.map(\.key)).count == 1)
        #expect(Set(assets.map(\.receipt)).count == 10)
        #expect(files(temporary).count == 1)
    }

    @Test("A failed upload leaves no file") func failed() async throws {
        let temporary = try TemporaryStore()
        let chunk = [UInt8](repeating: 1, count: 600_000)
        await #expect(throws: Chunks.Broken.self) {
            _ = try await temporary.store.assets.upload(.alice, from: nil, Chunks([chunk], fails: true), limit: 1 << 20)
        }
        await #expect(throws: AssetTooLarge.self) {
            _ = try await temporary.store.assets.upload(.alice, from: nil, Chunks([chunk, chunk]), limit: 1_199_999)
        }
        #expect(files(temporary).isEmpty)
        #expect(try await temporary.store.assets.collect() == 0)
        _ = try await temporary.store.assets.upload(.alice, from: nil, Chunks([chunk, chunk]), limit: 1_200_000)
        #expect(files(temporary).count == 1)
    }

    @Test("An upload URL is good for one upload") func oneUpload() async throws {
        let temporary = try TemporaryStore()
        let ticket = UploadTicket.alice
        #expect(try await !temporary.store.assets.isUsed(ticket))
        _ = try await temporary.store.assets.upload("one", ticket)
        #expect(try await temporary.store.assets.isUsed(ticket))
        await #expect(throws: UploadUsed.self) { _ = try await temporary.store.assets.upload("two", ticket) }
        #expect(files(temporary).count == 1)
    }

    @Test("Lost contents are restored by the next upload of them")
    func lostContents() async throws {
        let temporary = try TemporaryStore()
        let asset = try await temporary.store.assets.upload("lost")
        for file in files(temporary) { try FileManager.default.removeItem(atPath: "\(temporary.path)-assets/\(file)") }
        #expect(try await temporary.store.text(of: asset.key) == nil)
        _ = try await temporary.store.assets.upload("lost")
        #expect(try await temporary.store.text(of: asset.key) == "lost")
    }
}
