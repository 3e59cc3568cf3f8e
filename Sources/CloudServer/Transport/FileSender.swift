import CloudAssets
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Sends parts of files through one connection without their bytes passing through this program's memory: the kernel
/// has them already, and reading and writing them again costs more than everything else about a download.
struct FileSender: Sendable {
    /// Bytes handed over at once.
    private static let part: Int64 = 4 << 20

    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// Sends a part of an asset as a piece of the body whose head has been written. Ends when it is on its way.
    ///
    /// - Returns: false when it is no file of this machine or the connection takes bytes only, and nothing was sent.
    /// - Throws: when the reader of it has left, or the file is shorter than it was.
    func send(_ range: Range<Int64>, of reader: any AssetReading) async throws -> Bool {
        guard let contents = reader.file, try await takesFiles() else { return false }
        let file = try contents.fileHandle()
        defer { try? file.close() }
        try await withTaskCancellationHandler {
            var rest = range
            while !rest.isEmpty {
                let end = min(rest.lowerBound + Self.part, rest.upperBound)
                try await contents.prepare(rest.lowerBound..<end)
                try await write(
                    FileRegion(fileHandle: file, readerIndex: Int(rest.lowerBound), endIndex: Int(end)))
                rest = end..<rest.upperBound
            }
        } onCancel: {
            // Who does not read would be waited for for ever.
            channel.close(promise: nil)
        }
        return true
    }

    /// Writes bytes as they come from a store, no faster than the connection takes them.
    func send(_ bytes: any AssetBytes, to writer: inout any ResponseBodyWriter) async throws {
        for try await piece in bytes { try await send(piece, to: &writer) }
    }

    /// Writes one piece of many.
    func send(_ piece: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(piece)
        // The writer learns on the event loop that the connection is full, and a fast store would be far ahead by then.
        try await channel.eventLoop.submit {}.get()
    }

    /// Returns true if the channel speaks HTTP/1.1 over a socket; tests have channels without one.
    private func takesFiles() async throws -> Bool {
        try await channel.eventLoop.submit { [channel] in
            (try? channel.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self)) != nil
        }.get()
    }

    /// The codec knows bodies of bytes alone, so a file enters the pipeline behind it.
    private func write(_ region: FileRegion) async throws {
        try await channel.eventLoop.flatSubmit { [channel] in
            let written = channel.eventLoop.makePromise(of: Void.self)
            do {
                let codec = try channel.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self)
                codec.writeAndFlush(NIOAny(HTTPServerResponsePart.body(.fileRegion(region))), promise: written)
            } catch {
                written.fail(error)
            }
            return written.futureResult
        }.get()
    }
}
