import CloudAssets
import CloudMedia
import CloudModel
import NIOCore

/// Reads the facts of a stored file in a few ranges, on disk as in a bucket.
///
/// The readers of media files ask for bytes when they need them. A scan that lacks bytes ends; they are fetched, with
/// those around them, and the scan starts again.
struct FactsReader {
    /// The most ranges and bytes fetched of a file.
    private static let (mostRanges, mostBytes): (Int, Int64) = (400, 48 << 20)
    private static let (smallest, largest): (Int64, Int64) = (64 << 10, 1 << 20)

    private let contents: any AssetReading
    private var pieces: [Pieces.Piece] = []
    private var fetched: Int64 = 0

    init(_ contents: any AssetReading) { self.contents = contents }

    /// - Parameter checksum: CRC-32 of the whole file.
    /// - Throws: errors of the store.
    static func facts(of contents: any AssetReading, checksum: UInt32) async throws -> FileFacts {
        var reader = FactsReader(contents)
        var facts = FileFacts(try await reader.scan())
        if facts.tellsPlace {
            let differences = try await reader.differences(facts.removal.patches)
            facts.placelessChecksum = PatchedChecksum.make(checksum, size: contents.size, differences)
        }
        return facts
    }

    private mutating func scan() async throws -> MediaScan? {
        while true {
            let source = Pieces(count: Int(contents.size), pieces)
            let scan = MediaScan(source)
            // Past the bounds the scan stays as it is, with the fault that it could not read.
            guard let missing = source.missing, pieces.count < Self.mostRanges, fetched < Self.mostBytes else {
                return scan
            }
            try Task.checkCancellation()
            try await fetch(missing)
        }
    }

    private mutating func fetch(_ missing: Range<Int>) async throws {
        // Files that need many ranges get longer ones.
        let length = min(Self.smallest << Int64(min(pieces.count / 4, 4)), Self.largest)
        let start = Int64(missing.lowerBound)
        let end = min(max(start + length, Int64(missing.upperBound)), contents.size)
        let bytes = try await bytes(start..<end)
        pieces.append(.init(start: missing.lowerBound, bytes: bytes))
        fetched += Int64(bytes.count)
    }

    private func bytes(_ range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for try await piece in contents.bytes(in: range) { bytes += piece.readableBytesView }
        return bytes
    }

    /// What the patches change, from the bytes that the scan has read.
    private mutating func differences(_ patches: [PlaceRemoval.Patch]) async throws -> [PatchedChecksum.Difference] {
        var differences: [PatchedChecksum.Difference] = []
        for patch in patches {
            let range = patch.at..<patch.at + patch.bytes.count
            let source = Pieces(count: Int(contents.size), pieces)
            let old: [UInt8]
            if let known = try? source.read(range) {
                old = known
            } else {
                old = try await bytes(Int64(range.lowerBound)..<Int64(range.upperBound))
            }
            differences.append(.init(at: Int64(patch.at), bytes: zip(old, patch.bytes).map { $0 ^ $1 }))
        }
        return differences
    }
}

/// The fetched parts of a file, as a source that notes the first bytes which it lacks.
private final class Pieces: ByteSource {
    struct Piece {
        let start: Int
        let bytes: [UInt8]

        var range: Range<Int> { start..<start + bytes.count }
    }

    struct Missing: Error {}

    let count: Int
    private let pieces: [Piece]
    private(set) var missing: Range<Int>?

    init(count: Int, _ pieces: [Piece]) {
        self.count = count
        self.pieces = pieces
    }

    func read(_ range: Range<Int>) throws -> [UInt8] {
        guard missing == nil else { throw Missing() }
        let piece = pieces.last { $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound }
        guard let piece else {
            missing = range
            throw Missing()
        }
        return Array(piece.bytes[range.lowerBound - piece.start..<range.upperBound - piece.start])
    }
}
