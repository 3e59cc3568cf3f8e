import Glibc
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The other end of a connection, for answers that have to know whether they got there.
struct Recipient: Sendable {
    /// The time it may take to make room for what is sent to it. The server hangs up on one who does not read.
    private static let patience = TimeAmount.seconds(10)

    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// Calls back once it has gone, or does not read what it was sent before.
    func watch(_ hasGone: @escaping @Sendable () -> Void) async throws {
        try await channel.eventLoop.submit { [channel] in
            guard let hangUps = Self.hangUps(of: channel) else { return }
            guard channel.isWritable else {
                channel.close(promise: nil)
                return hasGone()
            }
            hangUps.watch(hasGone)
        }.get()
    }

    /// Sends a part of the body whose head has been written; ends when the socket has taken it.
    ///
    /// - Throws: when the other end has gone, or does not read.
    func send(_ bytes: ByteBuffer, last: Bool = false, through writer: inout any ResponseBodyWriter) async throws {
        if try await sendToSocket([.body(bytes)] + (last ? [.end(nil)] : [])) { return }
        try await writer.write(bytes)
        if last { try await writer.finish(nil) }
    }

    /// Ends the body.
    func finish(through writer: inout any ResponseBodyWriter) async throws {
        if try await !sendToSocket([.end(nil)]) { try await writer.finish(nil) }
    }

    /// - Returns: false when there is no socket, as in a test without one.
    private func sendToSocket(_ parts: [HTTPResponsePart]) async throws -> Bool {
        try await channel.eventLoop.flatSubmit { [channel] in
            guard let hangUps = Self.hangUps(of: channel) else {
                return channel.eventLoop.makeSucceededFuture(false)
            }
            guard !hangUps.isGone, !Self.hasFinishedSending(channel) else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            return Self.write(parts, to: channel).map { true }
        }.get()
    }

    /// Returns true if the client has closed its side, which the system may know before the channel has read so far.
    /// The socket would take what is sent to such a client, and nobody would read it.
    private static func hasFinishedSending(_ channel: any Channel) -> Bool {
        var isFinished = false
        (channel as? any SocketOptionProvider)?.getTCPInfo().assumeIsolated().whenSuccess {
            isFinished = $0.tcpi_state != UInt8(TCP_ESTABLISHED)
        }
        return isFinished
    }

    /// Most writes are done at once, and cost no timer.
    private static func write(_ parts: [HTTPResponsePart], to channel: any Channel) -> EventLoopFuture<Void> {
        let written = channel.eventLoop.makePromise(of: Void.self)
        let state = Writing()
        written.futureResult.assumeIsolated().whenComplete { _ in
            state.isDone = true
            state.timer?.cancel()
        }
        for part in parts.dropLast() { channel.write(part, promise: nil) }
        if let last = parts.last { channel.writeAndFlush(last, promise: written) }
        if !state.isDone {
            state.timer = channel.eventLoop.assumeIsolated().scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        return written.futureResult
    }

    /// Touched on the channel's event loop only.
    private final class Writing {
        var isDone = false
        var timer: Scheduled<Void>?
    }

    private static func hangUps(of channel: any Channel) -> HangUps? {
        try? channel.pipeline.syncOperations.handler(type: HangUps.self)
    }
}
