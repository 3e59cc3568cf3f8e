package import CloudAssets
import NIOCore

/// Sends file ranges with `sendfile`: copying them through this program's memory would cost more than the rest of a
/// download.
package struct FileSender: Sendable {
    /// Bytes per call.
    private static let part: Int64 = 4 << 20

    /// Nil in tests without a socket.
    private let exchange: Exchange?

    package init(_ exchange: Exchange?) { self.exchange = exchange }

    /// Sends a range of an asset as part of a body whose head is written. Returns once the socket has taken the bytes.
    ///
    /// - Returns: false, with nothing sent, for a remote asset or a connection that takes bytes only.
    /// - Throws: if the client disconnects, or the file has become shorter.
    package func send(_ range: Range<Int64>, of reader: any AssetReading) async throws -> Bool {
        guard let exchange, exchange.takesFiles, let contents = reader.file else { return false }
        let file = try contents.fileHandle()
        defer { try? file.close() }
        try await withTaskCancellationHandler {
            var rest = range
            while !rest.isEmpty {
                let end = min(rest.lowerBound + Self.part, rest.upperBound)
                try await contents.prepare(rest.lowerBound..<end)
                try await write(
                    FileRegion(fileHandle: file, readerIndex: Int(rest.lowerBound), endIndex: Int(end)), of: exchange)
                rest = end..<rest.upperBound
            }
        } onCancel: {
            // Without the close, a client that does not read would block the task for ever.
            exchange.channel.close(promise: nil)
        }
        return true
    }

    private func write(_ region: FileRegion, of exchange: Exchange) async throws {
        try await exchange.onLoop { handler in
            let written = exchange.channel.eventLoop.makePromise(of: Void.self)
            exchange.write(region, by: handler, written)
            return written.futureResult
        }
    }
}
