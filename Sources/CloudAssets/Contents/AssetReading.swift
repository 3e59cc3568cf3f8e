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

    /// A short-lived URL for downloading from the store directly; nil if unsupported.
    ///
    /// - Parameters: response headers that the store should send.
    func link(type: String, disposition: String, caching: String) -> String?
}

/// A stream of bytes from a store.
package typealias AssetBytes = AsyncSequence<ByteBuffer, any Error> & Sendable

extension AssetReading {
    package var file: FileReader? { nil }

    package func link(type: String, disposition: String, caching: String) -> String? { nil }

    /// All of the contents.
    package func bytes() -> any AssetBytes { bytes(in: 0..<size) }
}
