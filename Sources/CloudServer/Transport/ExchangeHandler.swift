import CloudModel
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

    /// The protocol as far as answering depends on it.
    struct Speech {
        var isHTTP2: Bool
        /// True where the bytes of files may be left to the system to send.
        var takesFiles: Bool
        /// Whether the client takes answers before the last one.
        var mayProbe: () -> Bool = { false }
        /// Drops what the connection receives from now on.
        var drop: () -> Void = {}
    }

    /// Bytes that NIO keeps of the body of a stream of HTTP/2 while they are not read: its window.
    private static let streamWindow = 65_535
    /// The time that an answer may take before a client that sends no more is asked whether it still reads.
    private static let probeTime = TimeAmount.milliseconds(200)
    /// Bytes of a body that are handed over with the request, uncounted until it is taken.
    private static let mostHanded = 16 << 10
    /// The time that a client has to close a connection that the server has ended.
    private static let linger = TimeAmount.seconds(2)
    /// The time that an answer has to reach a client whose body is not read any more.
    private static let throttledLinger = TimeAmount.milliseconds(100)

    private let responder: Responder
    private let dates: DateField
    let speech: Speech
    private let findConnection: () -> Connections.Connection?
    private let ended: EventLoopPromise<Void>
    private var context: ChannelHandlerContext?
    private var connection: Connections.Connection?

    private var waiting = PendingParts()
    /// A request that is not begun yet.
    private var arriving: (head: HTTPRequest, body: ByteBuffer)?
    private var current: Exchange?
    /// The body of the current request, for whoever reads it while it comes.
    private var body: RequestInflow.Source?
    /// The rest of that body, once nobody reads it.
    private var unreadBody: UnreadBody?
    /// True until the last part of the request that was begun last has come.
    private var isBodyComing = false
    private var isTaking = false
    private var isReading = false
    private var isReadHeld = false
    private var isWritten = false
    /// True once no more requests are answered.
    private var isLast = false

    /// True once what came could not be read.
    private var hasFault = false
    private var isInputClosed = false
    private(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?
    /// Fulfilled once the socket has taken most of what was written.
    private var room: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - connection: finds what is known of the connection, asked once it is open.
    ///   - ended: fulfilled once the connection has ended, and the last answer to it.
    init(
        responder: Responder, dates: DateField, speech: Speech,
        connection: @escaping () -> Connections.Connection?, ended: EventLoopPromise<Void>
    ) {
        self.responder = responder
        self.dates = dates
        self.speech = speech
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
        if isLast, !isBodyComing { return }
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
        if waiting.isFull || body?.isFull == true { isReadHeld = true } else { context.read() }
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
            stopWatching()
            probe()
            take()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connectionEnded()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Nothing that follows can be read.
        speech.drop()
        hasFault = true
        if let body = body.take() {
            // Whoever reads it says what becomes of the request.
            isBodyComing = false
            if !speech.isHTTP2 { isLast = true }
            body.finish(error)
        } else if let fault = error as? HTTPParserError {
            if current == nil { refuse(fault) } else { isLast = true }
        } else {
            context.close(promise: nil)
        }
    }

    /// Takes the parts that have come, as far as the request that is being answered lets it.
    private func take() {
        guard !isTaking else { return }
        isTaking = true
        defer { isTaking = false }
        repeat {
            while mayTake, let part = waiting.popFirst() { take(part) }
            if !isReading, current == nil, arriving != nil { begin(isWhole: false) }
            if isInputClosed, waiting.isEmpty { inputEnded() }
            readHeld()
            // Over HTTP/2 a read delivers what has come at once, within this call.
        } while mayTake && !waiting.isEmpty
        countWaiting()
    }

    /// Counts what waits behind the request that is being answered.
    private func countWaiting() {
        guard let context else { return }
        waiting.count { responder.bounds.requests.unread(of: address(of: $0, context)) }
        if waiting.isCut, waiting.isEmpty, current == nil, !isLast { closeOutput() }
    }

    private func address(of head: HTTPRequest, _ context: ChannelHandlerContext) -> String {
        if connection == nil { connection = findConnection() }
        return responder.bounds.address(of: head, connection, peer: context.channel.remoteAddress)
    }

    /// Reads what was held back, if there is room now.
    private func readHeld() {
        guard isReadHeld, !waiting.isFull, body?.isFull != true else { return }
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
                if let body { body.yield(bytes) } else { drop(bytes) }
            } else if arriving?.body.readableBytes == 0 {
                arriving?.body = bytes
            } else {
                arriving?.body.writeImmutableBuffer(bytes)
            }
        case .end:
            if arriving != nil { return begin(isWhole: true) }
            isBodyComing = false
            body.take()?.finish()
            if isLast { speech.drop() }
        }
    }

    private func begin(isWhole: Bool) {
        guard let context, let (head, bytes) = arriving.take() else { return }
        if connection == nil { connection = findConnection() }
        let isHanded = isWhole && bytes.readableBytes <= Self.mostHanded
        let address = isHanded ? "" : address(of: head, context)
        isLast = !speech.isHTTP2 && head.isLast || waiting.isCut && waiting.requests == 0
        if isLast, isWhole { speech.drop() }
        let exchange = Exchange(self, context.channel, connection, isLast: isLast)
        current = exchange
        isBodyComing = !isWhole
        var request = Request(head: head, body: RequestBody(buffer: bytes))
        var bodySize: Int? = bytes.readableBytes
        let match = responder.router.match(request.path)
        if match?.route(for: head.method)?.takesBody(head.method) != true {
            // Nobody would read it, for as long as the answer takes.
            request.body = RequestBody(buffer: ByteBuffer())
        } else if !isHanded {
            if !isWhole { bodySize = head.headerFields[.contentLength].flatMap { Int($0) } }
            let unread = responder.bounds.requests.unread(of: address)
            let inflow = RequestInflow(
                of: exchange, begun: bytes, unread: unread, window: speech.isHTTP2 ? Self.streamWindow : 0)
            if isWhole { inflow.source.finish() } else { body = inflow.source }
            request.body = RequestBody(asyncSequence: inflow)
        }
        if !isWhole { unreadBody = responder.unreadBody(of: head, address) }
        exchange.begin(request, match, bodySize: bodySize, by: responder, dates)
        if isInputClosed { probe() }
    }

    /// Drops bytes of a body that nobody reads, and reads no more where they are too many.
    private func drop(_ bytes: ByteBuffer) {
        guard isBodyComing, unreadBody?.drop(bytes.readableBytes) == false else { return }
        if current == nil { return closeUnread() }
        (isLast, isBodyComing) = (true, false)
        waiting.removeAll()
        speech.drop()
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
    /// - Parameter error: the reason for a missing or incomplete answer.
    func end(_ exchange: Exchange, after error: (any Error)?) {
        guard exchange === current else { return }
        current = nil
        body.take()?.finish()
        guard let context, context.channel.isActive else { return ended.succeed() }
        if let fault = error as? HTTPParserError { return refuse(fault) }
        if error != nil { return context.close(promise: nil) }
        var isThrottled = false
        exchange.flush { part in
            if case .head(let head) = part { isThrottled = head.status == .tooManyRequests }
            guard exchange.isHolding, case .end = part else {
                return context.write(wrapOutboundOut(part), promise: nil)
            }
            let taken = context.eventLoop.makePromise(of: Void.self)
            taken.futureResult.whenComplete { _ in withExtendedLifetime(exchange) {} }
            context.write(wrapOutboundOut(part), promise: taken)
        }
        isWritten = true
        if !isReading { flush() }
        if isThrottled, isBodyComing { return closeUnread() }
        if isLast || waiting.isCut && waiting.isEmpty { return closeOutput() }
        take()
    }

    private func flush() {
        guard isWritten else { return }
        isWritten = false
        context?.flush()
    }

    /// Closes the connection of a client that has its answer, and goes on to send a body that nobody reads.
    private func closeUnread() {
        guard let context else { return }
        (isLast, isBodyComing) = (true, false)
        waiting.removeAll()
        flush()
        speech.drop()
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.throttledLinger) { channel.close(promise: nil) }
    }

    /// Answers what is not HTTP.
    private func refuse(_ fault: HTTPParserError) {
        arriving = nil
        for part in ConnectionRefusal(fault).answer(to: nil, RequestTrace(), isLast: !speech.isHTTP2) {
            context?.write(wrapOutboundOut(part), promise: nil)
        }
        closeOutput()
    }

    /// Ends the connection once the client has got all, and has closed its side.
    private func closeOutput() {
        guard let context else { return }
        isLast = true
        speech.drop()
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
        // A client that does not read is hung up on by the system (`ConnectionPlace.endUnread`).
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [self] in closeOnceWritten() }
    }

    // MARK: The other end

    /// Calls back once the other end sends no more; a later watcher takes the place of the one before.
    ///
    /// A client that hangs up is heard of as one that sends no more. What must not be sent to nobody counts it as gone.
    func watch(_ watcher: @escaping @Sendable () -> Void) {
        if isGone { watcher() } else { self.watcher = watcher }
    }

    private func stopWatching() {
        isGone = true
        watcher.take()?()
    }

    /// Asks a client that sends no more whether it still reads, unless its answer comes soon: a client that has gone
    /// answers with a reset, and the work for it ends.
    private func probe() {
        guard let context, let asked = current, speech.mayProbe(), !hasFault else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.probeTime) { [self] in
            guard let context = self.context, asked === current, asked.isUnanswered else { return }
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .processing))), promise: nil)
        }
    }

    private func connectionEnded() {
        stopWatching()
        current?.markGone()
        body.take()?.finish()
        room.take()?.fail(ChannelError.ioOnClosedChannel)
        if current == nil { ended.succeed() }
    }
}
