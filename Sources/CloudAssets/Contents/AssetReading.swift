package import NIOCore

/// Contents opened for reading.
package protocol AssetReading: Sendable {
    /// Bytes.
    var size: Int64 { get }

    /// A range of the contents, in pieces of at most 256 KB, read on demand.
    ///
    /// The sequence throws if the contents are shorter than `size`. Cancelling the task stops reading.
    ///
    /// - Parameter range: offsets within `0..<size`.
    func bytes(in range: Range<Int64>) -> any AssetBytes

    /// The contents as a local file for sendfile; nil for remote contents.
    var file: FileReader? { get }

    /// A URL at which a browser gets the contents from the store itself, for a short time; nil where there is none.
    ///
    /// - Parameters: the headers that the store is to send along.
    func link(type: String, disposition: String, caching: String) -> String?
}

/// Bytes as they come from a store.
package typealias AssetBytes = AsyncSequence<ByteBuffer, any Error> & Sendable

extension AssetReading {
    package var file: FileReader? { nil }

    package func link(type: String, disposition: String, caching: String) -> String? { nil }

    /// All of the contents.
    package func bytes() -> any AssetBytes { bytes(in: 0..<size) }
}
