import CloudModel
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, or of one stream of HTTP/2, one after the other.
///
/// A request that has come whole is handed over whole, and an answer that is there whole is written in one turn of the
/// event loop. What is written, and how, is the subclass's: ``HTTP1Handler`` or ``HTTP2Handler``. State: touched on the event loop only.
class ExchangeHandler {
    /// Bytes that NIO keeps of the body of a stream of HTTP/2 while they are not read: its window.
    private static let streamWindow = 65_535
    /// The time that an answer may take before a client that sends no more is asked whether it still reads.
    private static let probeTime = TimeAmount.milliseconds(200)
    /// Requests of one connection that are answered on the event loop before other connections are served.
    private static let mostAtOnce = 8
    /// Bytes of a body that are handed over with the request, uncounted until it is taken.
    private static let mostHanded = 16 << 10

    let responder: Responder
    let dates: DateField
    private let invitation: Invitation
    let senders: SlowSenders
    private let findConnection: () -> Connections.Connection?
    final let ended: EventLoopPromise<Void>
    final var context: ChannelHandlerContext?
    /// Nil before the handler is added.
    private var turn: LoopTurn?
    /// Requests that were answered on the event loop since the connection was last read.
    private var atOnce = 0
    final var connection: Connections.Connection?

    final var waiting = PendingParts()
    /// A request that is not begun yet.
    final var arriving: (head: HTTPRequest, body: ByteBuffer)?
    final var current: Exchange?
    /// The body of the current request, for whoever reads it while it comes.
    final var body: RequestInflow.Source?
    /// The rest of that body, once nobody reads it.
    final var unreadBody: UnreadBody?
    /// True until the last part of the request that was begun last has come.
    final var isBodyComing = false
    private var isTaking = false
    final var isReading = false
    /// Whether the channel takes more, as it has told last.
    private var isWritable = true
    private var isReadHeld = false
    final var isWritten = false
    /// True once no more requests are answered.
    final var isLast = false

    /// True once what came could not be read.
    private var hasFault = false
    final var isInputClosed = false
    fileprivate(set) var isGone = false
    private var watcher: (@Sendable () -> Void)?
    /// Fulfilled once the socket has taken most of what was written.
    final var room: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - connection: finds what is known of the connection, asked once it is open.
    ///   - ended: fulfilled once the connection has ended, and the last answer to it.
    init(
        responder: Responder, dates: DateField, connection: @escaping () -> Connections.Connection?,
        ended: EventLoopPromise<Void>
    ) {
        self.responder = responder
        self.dates = dates
        findConnection = connection
        self.ended = ended
        let configuration = responder.configuration
        invitation = Invitation(
            largestBody: configuration.limits.requestBytes, assetBytes: configuration.limits.assetBytes)
        senders = SlowSenders(
            longest: TimeAmount(configuration.requestTime), longestUpload: TimeAmount(configuration.assetUploadTime))
    }

    // MARK: What the protocols do each in their way

    var isHTTP2: Bool { false }
    /// True where the bytes of files may be left to the system to send.
    var takesFiles: Bool { false }
    /// Whether the client takes answers before the last one.
    var mayProbe: Bool { false }

    /// Drops what the connection receives from now on.
    func drop() {}

    /// Writes a part of an answer, without flushing.
    func write(_ part: AnswerPart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {}

    final func added(_ context: ChannelHandlerContext) {
        self.context = context
        turn = responder.loopTurns.turn(of: context.eventLoop)
        isWritable = context.channel.isWritable
    }

    final func removed() {
        connectionEnded()
        context = nil
    }

    // MARK: In

    /// Takes a part of a request.
    final func receive(_ part: RequestPart, _ context: ChannelHandlerContext) {
        if senders.isRefused { return }
        switch part {
        case .head(let request):
            senders.noteHead(request)
            if invitation.isFor(request) {
                write(.informational(.continue), context, nil)
                context.flush()
            }
        case .body(let bytes):
            if !senders.noteBody(bytes.readableBytes) { return fail(HTTPParserError.invalidChunkSize, context) }
        case .end: senders.noteEnd(context.channel)
        }
        // Whatever else comes is read and dropped: were it left, closing would take the last answer along.
        if isLast, !isBodyComing { return }
        isReading = true
        guard waiting.isEmpty, !waiting.isCut, !isTaking, mayTake else {
            waiting.append(part)
            return take()
        }
        isTaking = true
        take(part)
        isTaking = false
        if isReadHeld || isInputClosed || !waiting.isEmpty { take() }
    }

    final func readComplete(_ context: ChannelHandlerContext) {
        senders.noteReadComplete(context.channel)
        isReading = false
        atOnce = 0
        take()
        flushAtEndOfTurn()
    }

    /// Has what is written leave with the other answers of the turn.
    final func flushAtEndOfTurn() {
        if isWritten { turn?.flush(self) }
    }

    final func read(context: ChannelHandlerContext) {
        if waiting.isFull || body?.isFull == true { isReadHeld = true } else { context.read() }
    }

    final func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            room.take()?.succeed()
            take()
        }
        context.fireChannelWritabilityChanged()
    }

    /// Notes an event of the connection, and passes it on.
    final func note(_ event: Any, _ context: ChannelHandlerContext) {
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            stopWatching()
            probe()
            take()
        }
        context.fireUserInboundEventTriggered(event)
    }

    final func channelInactive(context: ChannelHandlerContext) {
        senders.cancel()
        connectionEnded()
        context.fireChannelInactive()
    }

    final func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        // Nothing that follows can be read.
        drop()
        hasFault = true
        if let body = body.take() {
            // Whoever reads it says what becomes of the request.
            isBodyComing = false
            if !isHTTP2 { isLast = true }
            body.finish(error)
        } else if let fault = error as? HTTPParserError {
            if current == nil { refuse(fault) } else { isLast = true }
        } else {
            context.close(promise: nil)
        }
    }

    /// Takes the parts that have come, as far as the request that is being answered lets it.
    final func take() {
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
    final func readHeld() {
        guard isReadHeld, !waiting.isFull, body?.isFull != true else { return }
        isReadHeld = false
        context?.read()
    }

    private var mayTake: Bool {
        if isBodyComing { return true }
        // A client that does not read its answers gets no more of them.
        return current == nil && !isLast && isWritable && context != nil
    }

    private func take(_ part: RequestPart) {
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
            if isLast { drop() }
        }
    }

    private func begin(isWhole: Bool) {
        guard let context, let (head, bytes) = arriving.take() else { return }
        if connection == nil { connection = findConnection() }
        let isHanded = isWhole && bytes.readableBytes <= Self.mostHanded
        let address = isHanded ? "" : address(of: head, context)
        isLast = !isHTTP2 && head.isLast || waiting.isCut && waiting.requests == 0
        if isLast, isWhole { drop() }
        let exchange = Exchange(self, context.channel, connection, isLast: isLast)
        current = exchange
        isBodyComing = !isWhole
        var request = Request(head: head, body: RequestBody(buffer: bytes))
        var bodySize: Int? = bytes.readableBytes
        let match = responder.router.match(request.path, for: head.method)
        if match?.route(for: head.method)?.takesBody(head.method) != true {
            // Nobody would read it, for as long as the answer takes.
            request.body = RequestBody(buffer: ByteBuffer())
        } else if !isHanded {
            if !isWhole { bodySize = head.headerFields[.contentLength].flatMap { Int($0) } }
            let unread = responder.bounds.requests.unread(of: address)
            let inflow = RequestInflow(
                of: exchange, begun: bytes, unread: unread, window: isHTTP2 ? Self.streamWindow : 0)
            if isWhole { inflow.source.finish() } else { body = inflow.source }
            request.body = RequestBody(asyncSequence: inflow)
        }
        if !isWhole { unreadBody = responder.unreadBody(of: head, address) }
        atOnce += 1
        exchange.begin(request, match, bodySize: bodySize, isAtOnce: atOnce <= Self.mostAtOnce, by: responder)
        if isInputClosed { probe() }
    }

    /// Drops bytes of a body that nobody reads, and reads no more where they are too many.
    private func drop(_ bytes: ByteBuffer) {
        guard isBodyComing, unreadBody?.drop(bytes.readableBytes) == false else { return }
        if current == nil { return closeUnread() }
        (isLast, isBodyComing) = (true, false)
        waiting.removeAll()
        drop()
    }

    /// Reads on, since the body of an exchange has room. One that has ended says nothing about the next.
    final func readOn(for exchange: Exchange) {
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

    // MARK: The other end

    /// Calls back once the other end sends no more; a later watcher takes the place of the one before.
    ///
    /// A client that hangs up is heard of as one that sends no more. What must not be sent to nobody counts it as gone.
    final func watch(_ watcher: @escaping @Sendable () -> Void) {
        if isGone { watcher() } else { self.watcher = watcher }
    }

    private func stopWatching() {
        isGone = true
        watcher.take()?()
    }

    /// Asks a client that sends no more whether it still reads, unless its answer comes soon: a client that has gone
    /// answers with a reset, and the work for it ends.
    private func probe() {
        guard let context, let asked = current, mayProbe, !hasFault else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.probeTime) { [self] in
            guard let context = self.context, asked === current, asked.isUnanswered else { return }
            self.write(.informational(.processing), context, nil)
            context.flush()
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
