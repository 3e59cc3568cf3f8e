import DequeModule
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers the requests of one connection, one after the other.
///
/// A request that has come whole is handed over whole, to a task on Swift's own threads, and an answer that is there whole
/// is written in one turn of the event loop.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Parts of later requests that are kept while one is answered; with so many nothing more is read.
    private static let mostWaiting = 16
    /// The time that a client has to close a connection that the server has ended.
    private static let linger = TimeAmount.seconds(2)

    private let responder: Responder
    private let dates: DateField
    /// True where the bytes of files may be left to the system to send.
    let takesFiles: Bool
    private let findConnection: () -> Connections.Connection?
    private let ended: EventLoopPromise<Void>
    private var context: ChannelHandlerContext?
    private var connection: Connections.Connection?

    private var waiting = Deque<HTTPRequestPart>()
    /// A request that is not begun yet.
    private var arriving: (head: HTTPRequest, body: ByteBuffer)?
    private var current: Exchange?
    /// The body of the current request, for whoever reads it while it comes.
    private var body: RequestInflow.Source?
    /// True until the last part of the request that was begun last has come.
    private var isBodyComing = false
    private var isTaking = false
    private var isReading = false
    private var isReadHeld = false
    private var isWritten = false
    /// True once no more requests are answered.
    private var isLast = false

    private var isInputClosed = false
    private(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?
    /// Fulfilled once the socket has taken most of what was written.
    private var room: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - connection: finds what is known of the connection, asked once it is open.
    ///   - ended: fulfilled once the connection has ended, and the last answer to it.
    init(
        responder: Responder, dates: DateField, takesFiles: Bool,
        connection: @escaping () -> Connections.Connection?, ended: EventLoopPromise<Void>
    ) {
        self.responder = responder
        self.dates = dates
        self.takesFiles = takesFiles
        findConnection = connection
        self.ended = ended
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        connectionEnded()
        self.context = nil
    }

    // MARK: In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Whatever else comes is read and dropped: were it left, closing would take the last answer along.
        if isLast, current == nil { return }
        isReading = true
        waiting.append(unwrapInboundIn(data))
        take()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        take()
        flush()
    }

    func read(context: ChannelHandlerContext) {
        if waiting.count >= Self.mostWaiting || body?.isFull == true { isReadHeld = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            room.take()?.succeed()
            take()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            hasGone()
            take()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connectionEnded()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let body = body.take() {
            // Whoever reads it says what becomes of the request.
            body.finish(error)
        } else if error is HTTPParserError {
            if current == nil { refuse() } else { isLast = true }
        } else {
            context.close(promise: nil)
        }
    }

    /// Takes the parts that have come, as far as the request that is being answered lets it.
    private func take() {
        guard !isTaking else { return }
        isTaking = true
        defer { isTaking = false }
        while mayTake, let part = waiting.popFirst() { take(part) }
        if !isReading, current == nil, arriving != nil { begin(isWhole: false) }
        if isInputClosed, waiting.isEmpty { inputEnded() }
        readHeld()
    }

    /// Reads what was held back, if there is room now.
    private func readHeld() {
        guard isReadHeld, waiting.count < Self.mostWaiting, body?.isFull != true else { return }
        isReadHeld = false
        context?.read()
    }

    private var mayTake: Bool {
        if isBodyComing { return true }
        // A client that does not read its answers gets no more of them.
        return current == nil && !isLast && context?.channel.isWritable == true
    }

    private func take(_ part: HTTPRequestPart) {
        switch part {
        case .head(let head): arriving = (head, ByteBuffer())
        case .body(let bytes):
            if arriving == nil {
                body?.yield(bytes)
            } else if arriving?.body.readableBytes == 0 {
                arriving?.body = bytes
            } else {
                arriving?.body.writeImmutableBuffer(bytes)
            }
        case .end:
            if arriving != nil { return begin(isWhole: true) }
            isBodyComing = false
            body.take()?.finish()
        }
    }

    private func begin(isWhole: Bool) {
        guard let context, let (head, bytes) = arriving.take() else { return }
        if connection == nil { connection = findConnection() }
        let exchange = Exchange(self, context.channel, connection)
        current = exchange
        isBodyComing = !isWhole
        isLast = head.headerFields[.connection]?.lowercased() == "close"
        let request: Request
        if isWhole {
            request = Request(head: head, body: RequestBody(buffer: bytes))
        } else {
            let inflow = RequestInflow(of: exchange, begun: bytes)
            body = inflow.source
            request = Request(head: head, body: RequestBody(asyncSequence: inflow))
        }
        exchange.begin(request, by: responder, dates)
    }

    /// Reads on, since the body of an exchange has room. One that has ended says nothing about the next.
    func readOn(for exchange: Exchange) {
        guard exchange === current else { return }
        body?.isFull = false
        take()
    }

    /// A client that sends no more gets the answers to what it has sent.
    private func inputEnded() {
        if let body = body.take() {
            isBodyComing = false
            body.finish()
        }
        if current == nil { closeOnceWritten() }
    }

    // MARK: Out

    /// Writes parts of an answer, after those that are kept.
    ///
    /// - Returns: what is fulfilled when there is room for more.
    func write(_ parts: [HTTPResponsePart], of exchange: Exchange) -> EventLoopFuture<Void> {
        guard let context, context.channel.isActive else {
            return exchange.channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        write(parts, of: exchange, nil)
        guard !context.channel.isWritable else { return context.eventLoop.makeSucceededVoidFuture() }
        let promise = room ?? context.eventLoop.makePromise(of: Void.self)
        room = promise
        return promise.futureResult
    }

    /// Writes parts of an answer, after those that are kept.
    ///
    /// - Parameter promise: fulfilled when the socket has taken them, failed when it never will.
    func write(_ parts: [HTTPResponsePart], of exchange: Exchange, _ promise: EventLoopPromise<Void>?) {
        guard let context, exchange === current else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        exchange.flush { context.write(wrapOutboundOut($0), promise: nil) }
        for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
        if let last = parts.last { context.write(wrapOutboundOut(last), promise: promise) } else { promise?.succeed() }
        context.flush()
    }

    /// Ends an exchange with what is kept of its answer.
    ///
    /// - Parameter error: the reason that there is no answer, or not all of one.
    func end(_ exchange: Exchange, after error: (any Error)?) {
        guard exchange === current else { return }
        current = nil
        body.take()?.finish()
        guard let context, context.channel.isActive else { return ended.succeed() }
        if error is HTTPParserError { return refuse() }
        if error != nil { return context.close(promise: nil) }
        exchange.flush { context.write(wrapOutboundOut($0), promise: nil) }
        isWritten = true
        if !isReading { flush() }
        if isLast { return closeOutput() }
        take()
    }

    private func flush() {
        guard isWritten else { return }
        isWritten = false
        context?.flush()
    }

    /// Answers what is not HTTP.
    private func refuse() {
        let head = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
        context?.write(wrapOutboundOut(.end(nil)), promise: nil)
        closeOutput()
    }

    /// Ends the connection once the client has got all, and has closed its side.
    private func closeOutput() {
        guard let context else { return }
        isLast = true
        waiting.removeAll()
        readHeld()
        context.flush()
        if isInputClosed { return closeOnceWritten() }
        let channel = context.channel
        let closed = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: closed)
        closed.futureResult.whenComplete { _ in
            channel.eventLoop.scheduleTask(in: Self.linger) { channel.close(promise: nil) }
        }
    }

    /// Closes both sides, once what is written is sent.
    private func closeOnceWritten() {
        guard let context else { return }
        isLast = true
        let left = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        guard let left, left > 0 else { return context.close(promise: nil) }
        // A client that does not read is hung up on by the system (`ConnectionBounds`).
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [self] in closeOnceWritten() }
    }

    // MARK: The other end

    /// Calls back once the other end has gone; a later watcher takes the place of the one before.
    ///
    /// A client that hangs up is heard of as one that sends no more; its connection ends only when something is written
    /// to it. So one that has stopped sending counts as gone here.
    func watch(_ watcher: @escaping @Sendable () -> Void) {
        if isGone { watcher() } else { self.watcher = watcher }
    }

    private func hasGone() {
        isGone = true
        connection?.markGone()
        watcher.take()?()
    }

    private func connectionEnded() {
        hasGone()
        body.take()?.finish()
        room.take()?.fail(ChannelError.ioOnClosedChannel)
        if current == nil { ended.succeed() }
    }
}
