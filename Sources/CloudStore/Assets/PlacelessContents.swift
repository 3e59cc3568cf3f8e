package import CloudAssets
package import CloudMedia
import NIOCore

/// Contents with the bytes that tell a place overwritten on the way out. All other bytes, and the length, stay.
package struct PlacelessContents: AssetReading {
    private let contents: any AssetReading
    private let removal: PlaceRemoval

    package init(_ contents: any AssetReading, without removal: PlaceRemoval) {
        self.contents = contents
        self.removal = removal
    }

    package var size: Int64 { contents.size }

    package func bytes(in range: Range<Int64>) -> any AssetBytes {
        Self.patched(contents.bytes(in: range), removal, from: range.lowerBound)
    }

    private static func patched(
        _ bytes: some AssetBytes, _ removal: PlaceRemoval, from start: Int64
    ) -> any AssetBytes {
        PatchedBytes(bytes: bytes, removal: removal, start: start)
    }
}

/// A part of contents as contents of their own, such as the video inside a motion photo.
package struct PartOfContents: AssetReading {
    private let contents: any AssetReading
    private let range: Range<Int64>

    /// - Returns: nil for a range outside the contents.
    package init?(_ contents: any AssetReading, _ range: Range<Int64>) {
        guard range.lowerBound >= 0, range.upperBound <= contents.size else { return nil }
        self.contents = contents
        self.range = range
    }

    package var size: Int64 { Int64(range.count) }

    package func bytes(in part: Range<Int64>) -> any AssetBytes {
        contents.bytes(in: range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }
}

private struct PatchedBytes<Base: AssetBytes>: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let bytes: Base
    let removal: PlaceRemoval
    let start: Int64

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator(), removal: removal, at: start)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: Base.AsyncIterator
        let removal: PlaceRemoval
        var at: Int64

        mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await bytes.next() else { return nil }
            let end = at + Int64(piece.readableBytes)
            defer { at = end }
            guard removal.touches(Int(at)..<Int(end)) else { return piece }
            var patched = Array(piece.readableBytesView)
            removal.apply(to: &patched, at: Int(at))
            return ByteBuffer(bytes: patched)
        }
    }
}
