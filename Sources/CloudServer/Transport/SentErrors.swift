import NIOCore

/// Notices the GOAWAY frame with which NIO answers an error of an HTTP/2 connection (RFC 9113 §5.4.1).
///
/// NIO leaves it to the program to close the connection, and reports errors of streams in the same way, after which the
/// connection goes on. The frame tells them apart.
final class SentErrors: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var frames = SentFrames()
    private let found: () -> Void

    /// - Parameter found: called when such a frame is on its way.
    init(found: @escaping () -> Void) { self.found = found }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data), frames.holdError(bytes.readableBytesView) { found() }
    }
}

/// Follows the frames of HTTP/2 in the bytes that are sent.
struct SentFrames {
    private static let headerBytes = 9
    /// The header, the last stream and the error code of a GOAWAY frame (RFC 9113 §6.8).
    private static let goAwayBytes = headerBytes + 8
    private static let goAway: UInt8 = 7

    /// The beginning of the frame that is being sent.
    private var beginning: [UInt8] = []
    /// Bytes of its payload that are still to come.
    private var rest = 0

    /// Returns true if a GOAWAY frame with an error code ends its first fields in these bytes.
    mutating func holdError(_ bytes: ByteBufferView) -> Bool {
        var bytes = bytes
        var isError = false
        while !bytes.isEmpty {
            if rest > 0 {
                let skipped = min(rest, bytes.count)
                rest -= skipped
                bytes = bytes.dropFirst(skipped)
                continue
            }
            let wanted = beginning.count >= Self.headerBytes ? Self.goAwayBytes : Self.headerBytes
            let part = bytes.prefix(wanted - beginning.count)
            beginning += part
            bytes = bytes.dropFirst(part.count)
            guard beginning.count == wanted else { break }
            let length = beginning[0..<3].reduce(0) { $0 << 8 | Int($1) }
            if wanted == Self.goAwayBytes {
                isError = isError || beginning.suffix(4).contains { $0 != 0 }
                (rest, beginning) = (length - 8, [])
            } else if beginning[3] != Self.goAway || length < 8 {
                (rest, beginning) = (length, [])
            }
        }
        return isError
    }
}
