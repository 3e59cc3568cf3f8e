import CloudAssets
import NIOCore

/// Sends parts of files through one connection without their bytes passing through this program's memory: the kernel
/// has them already, and reading and writing them again costs more than everything else about a download.
struct FileSender: Sendable {
    /// Bytes handed over at once.
    private static let part: Int64 = 4 << 20

    /// Nil where there is no socket, as in tests without one.
    private let exchange: Exchange?

    init(_ exchange: Exchange?) { self.exchange = exchange }

    /// Sends a part of an asset as a piece of the body whose head has been written. Ends when it is on its way.
    ///
    /// - Returns: false when it is no file of this machine or the connection takes bytes only, and nothing was sent.
    /// - Throws: when the reader of it has left, or the file is shorter than it was.
    func send(_ range: Range<Int64>, of reader: any AssetReading) async throws -> Bool {
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
            // Who does not read would be waited for for ever.
            exchange.channel.close(promise: nil)
        }
        return true
    }

    private func write(_ region: FileRegion, of exchange: Exchange) async throws {
        try await exchange.onLoop { handler in
            let written = exchange.channel.eventLoop.makePromise(of: Void.self)
            handler.write(region, of: exchange, written)
            return written.futureResult
        }
    }
}
