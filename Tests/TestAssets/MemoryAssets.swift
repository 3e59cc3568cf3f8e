package import CloudAssets
package import NIOCore
import Synchronization

/// Assets in memory, as a store that is elsewhere would have them: no file, no path, no descriptor.
package final class MemoryAssets: AssetBackend {
    private let folders = Mutex<[String: [AssetFile: ByteBuffer]]>([:])
    private let onEnd: AsyncStream<Int64>.Continuation
    private let ended = Atomic(0)
    /// The bytes that each reading handed out, once it is over.
    package let readings: AsyncStream<Int64>

    package init() { (readings, onEnd) = AsyncStream.makeStream() }

    package var place: String { "memory" }

    package func store(folder: String, slots: FileSlots) -> any AssetStore {
        MemoryAssetStore(assets: self, folder: folder)
    }

    package func folders(beginningWith prefix: String) async throws -> [String] {
        folders.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }
    }

    package func copy(_ files: [AssetFile], from folder: String, to target: String) async throws {
        for (file, contents) in self.files(in: folder) where files.contains(file) {
            set(contents, as: file, in: target)
        }
    }

    package func remove(folder: String) async throws { folders.withLock { $0[folder] = nil } }

    package func tryOut() async throws {}
    package func look() async throws {}

    /// The contents in one folder.
    package func files(in folder: String) -> [AssetFile: ByteBuffer] { folders.withLock { $0[folder] ?? [:] } }

    /// - Parameter contents: nil to take them away.
    package func set(_ contents: ByteBuffer?, as file: AssetFile, in folder: String) {
        folders.withLock { $0[folder, default: [:]][file] = contents }
    }

    /// The number of readings that are over.
    package var endedReadings: Int { ended.load(ordering: .relaxed) }

    fileprivate func end(_ bytes: Int64) {
        ended.add(1, ordering: .relaxed)
        onEnd.yield(bytes)
    }
}

private final class MemoryAssetStore: AssetStore {
    private let assets: MemoryAssets
    private let folder: String
    private let unconfirmed = Mutex<Set<AssetFile>>([])

    init(assets: MemoryAssets, folder: String) {
        self.assets = assets
        self.folder = folder
    }

    func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer {
        let file = AssetFile.unused()
        unconfirmed.withLock { _ = $0.insert(file) }
        defer { unconfirmed.withLock { _ = $0.remove(file) } }
        var (hash, facts, whole) = (AssetHash(), AssetFacts(), ByteBuffer())
        for try await chunk in contents {
            guard whole.readableBytes + chunk.readableBytes <= limit else { throw AssetTooLarge(limit: limit) }
            hash.update(chunk)
            facts.update(chunk)
            whole.writeImmutableBuffer(chunk)
        }
        assets.set(whole, as: file, in: folder)
        do {
            let description = facts.description(hash.checksum)
            let (isKept, result) = try await keep(TakenAsset(file: file, description: description))
            if !isKept { assets.set(nil, as: file, in: folder) }
            return result
        } catch {
            assets.set(nil, as: file, in: folder)
            throw error
        }
    }

    func open(_ file: AssetFile) async throws -> (any AssetReading)? {
        assets.files(in: folder)[file].map { MemoryReader(contents: $0, onEnd: assets.end) }
    }

    func delete(_ file: AssetFile) async throws { assets.set(nil, as: file, in: folder) }

    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        let files = Array(assets.files(in: folder).keys)
        let unconfirmed = unconfirmed.withLock { $0 }
        let known = try await known(files)
        for file in files where !known.contains(file) && !unconfirmed.contains(file) { try await delete(file) }
    }
}

private struct MemoryReader: AssetReading {
    let contents: ByteBuffer
    let onEnd: @Sendable (Int64) -> Void

    var size: Int64 { Int64(contents.readableBytes) }

    func bytes(in range: Range<Int64>) -> any AssetBytes { Bytes(reader: self, range: range) }

    struct Bytes: AsyncSequence, Sendable {
        let reader: MemoryReader
        let range: Range<Int64>

        func makeAsyncIterator() -> Iterator { Iterator(reader, range) }
    }

    final class Iterator: AsyncIteratorProtocol {
        private static let piece = 64 << 10

        private let reader: MemoryReader
        private var rest: ByteBuffer
        private var count: Int64 = 0

        init(_ reader: MemoryReader, _ range: Range<Int64>) {
            self.reader = reader
            rest = reader.contents.getSlice(at: Int(range.lowerBound), length: range.count) ?? ByteBuffer()
        }

        deinit { reader.onEnd(count) }

        func next() async throws -> ByteBuffer? {
            let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes))
            count += Int64(piece?.readableBytes ?? 0)
            return rest.readableBytes == 0 && piece?.readableBytes == 0 ? nil : piece
        }
    }
}
