import NIOCore

/// Detects the GOAWAY frame that NIO sends on an HTTP/2 connection error (RFC 9113 §5.4.1).
///
/// NIO leaves closing to the program, and reports stream errors, which the connection survives, in the same way. Only a
/// connection error sends GOAWAY.
final class SentErrors: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var frames = SentFrames()
    private let found: () -> Void

    /// - Parameter found: called after writing a GOAWAY frame with an error.
    init(found: @escaping () -> Void) { self.found = found }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data), frames.holdError(bytes.readableBytesView) { found() }
    }
}

/// Parses frame boundaries in sent HTTP/2 bytes.
struct SentFrames {
    private static let headerBytes = 9
    /// Bytes of the header, last stream ID and error code of a GOAWAY frame (RFC 9113 §6.8).
    private static let goAwayBytes = headerBytes + 8
    private static let goAway: UInt8 = 7

    /// The first bytes of the current frame.
    private var beginning: [UInt8] = []
    /// Remaining bytes of the current frame's payload.
    private var rest = 0

    /// True if these bytes complete the error code of a GOAWAY frame, and it is not 0.
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
